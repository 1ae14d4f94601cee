// Piles of pebbles: clicking one takes it and all to its right. The piles are read off the position's text.
//
//   const piles = createPiles(position, { onPlay(action) })   the same methods as a board, where they make sense

import { fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";

export const isNim = (position) => !position.grid && /^1: /.test(position.text) && position.text.split("\n").every((line) => /^\d+: .*\(\d+\)$/.test(line));

export function createPiles(first, { onPlay = () => {} } = {}) {
  const element = h("div.piles");
  let position = first;
  let interactive = false;
  let hints = [];

  function draw() {
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.pile : null;
    const actions = new Map((position.legal ?? []).map((move) => [move.text, move.action]));
    fill(element, position.text.split("\n").map((line, i) => {
      const count = Number(/\((\d+)\)$/.exec(line)[1]);
      const pile = i + 1;
      return h("div.pile", { role: "group", "aria-label": t("nim.pile", { pile, count }) }, h("span.pile-number", pile), h("span.pebbles", Array.from({ length: count }, (_, j) => {
        const take = count - j;
        const action = actions.get(`${pile}:${take}`);
        const hint = hints.find((item) => item.action === action);
        return h(`button.pebble-button${hint?.best ? ".best" : ""}`, {
          type: "button", disabled: !interactive || action === undefined, dataset: { pile, take },
          "aria-label": t(hint?.best ? "nim.take.best" : "nim.take", { take, pile }), onclick: () => onPlay(action),
        });
      }), count === 0 && h("span.faint.small", t("nim.empty"))));
    }));
    if (focused) element.querySelector(`[data-pile="${focused}"]:not(:disabled)`)?.focus();
  }

  draw();
  return {
    element,
    get position() { return position; },
    get flipped() { return false; },
    update(next) { position = next; draw(); },
    setInteractive(value) { interactive = value; draw(); },
    setHints(list) { hints = list; draw(); },
    flip() {},
    highlight() {},
    focus: () => element.querySelector("button:not(:disabled)")?.focus(),
  };
}
