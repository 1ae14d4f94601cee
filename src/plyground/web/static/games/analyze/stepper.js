// Buttons that go through a game.
//
//   const stepper = createStepper({ go(ply), flip() }); stepper.update({ at, length }); stepper.element

import { h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

export function createStepper({ go, flip }) {
  let [at, length] = [0, 0];
  const button = (name, target) => h("button.button.quiet.icon", { type: "button", "aria-label": t(`step.${name}`), title: t(`step.${name}`), dataset: { step: name }, onclick: () => go(target()) }, sign(name));
  const buttons = { first: button("first", () => 0), back: button("back", () => at - 1), next: button("next", () => at + 1), last: button("last", () => length) };
  const count = h("span.stepper-count.tabular");
  const turn = flip && h("button.button.quiet.icon", { type: "button", "aria-label": t("step.flip"), title: t("step.flip"), onclick: flip }, sign("flip"));
  return {
    element: h("div.stepper", buttons.first, buttons.back, count, buttons.next, buttons.last, turn),
    update(state) {
      ({ at, length } = state);
      count.textContent = `${at} / ${length}`;
      for (const name of ["first", "back"]) buttons[name].disabled = at <= 0;
      for (const name of ["next", "last"]) buttons[name].disabled = at >= length;
    },
  };
}
