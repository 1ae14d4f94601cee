// The four steps of a lesson: read, watch, do, quiz.
//
//   stepChips(steps)     how much of each is done, as a list; `steps` is as progress.js counts them
//   createSteps({ go })  -> { element, show(steps) }: the same as buttons, which lead to what is left of a step

import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

const SIGNS = { read: "book", watch: "play", do: "board", quiz: "hint" };

function chip(step, [done, all]) {
  const word = t(`learn.step.${step}`);
  return [sign(done >= all ? "check" : SIGNS[step]), h("span", word), h("span.tabular", { "aria-hidden": "true" }, `${done}/${all}`), h("span.unseen", t("learn.step.count", { done, all }))];
}

const stateOf = ([done, all]) => (done >= all ? "done" : done ? "begun" : "open");

export const stepChips = (steps) => h("ul.learn-steps", { "aria-label": t("learn.steps") }, Object.entries(steps).map(([step, count]) =>
  h("li", { dataset: { step, state: stateOf(count) } }, chip(step, count))));

export function createSteps({ go }) {
  const list = h("ol.learn-steps");
  const buttons = {};
  return {
    element: h("nav.lesson-steps", { "aria-label": t("learn.steps") }, list),
    show(steps) {
      for (const [step, count] of Object.entries(steps)) {
        if (!buttons[step]) {
          buttons[step] = h("button", { type: "button", onclick: () => go(step) });
          list.append(h("li", buttons[step]));
        }
        buttons[step].parentElement.dataset.step = step;
        buttons[step].parentElement.dataset.state = stateOf(count);
        fill(buttons[step], chip(step, count));
      }
    },
  };
}
