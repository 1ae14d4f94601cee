// The moves of a game as a list with branches.
//
//   const list = createMoves({ choose(id) })
//   list.update(game, line)    `line` as of gametree.js; what is on the board is marked
//   list.element

import { fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { childrenOf } from "/static/games/play/game_tree.js";

export function createMoves({ choose }) {
  const element = h("div.moves.scroll", { role: "group", "aria-label": t("moves.label"), tabindex: "-1" });

  function moveButton(game, node, number) {
    const current = node.id === game.at;
    const time = node.time > 0.05 ? ` ${node.time < 10 ? node.time.toFixed(1) : Math.round(node.time)}s` : "";
    return h("button.move", { type: "button", "aria-current": current ? "true" : null, "aria-label": t("moves.move", { number, text: node.text + time }), onclick: () => choose(node.id) },
      node.text, time && h("small", time));
  }

  // Other moves that were played instead, with how many followed.
  function branches(game, node) {
    const others = childrenOf(game, node.parent).filter((child) => child.id !== node.id);
    if (!others.length) return null;
    return h("div.branches", h("span.unseen", t("moves.instead", { text: node.text })), others.map((other) => {
      let more = 0;
      for (let at = other.id, next; (next = childrenOf(game, at).at(-1)); at = next.id) more += 1;
      return h("button.move.branch", { type: "button", onclick: () => choose(other.id) }, other.text, more > 0 && h("small", `+${more}`));
    }));
  }

  function update(game, line) {
    // A column for each side, also where somebody moves twice or the second side begins.
    const pairs = [];
    line.forEach((node, i) => {
      const column = node.player === 1 ? 1 : 0;
      if (!pairs.length || pairs.at(-1).length > column) pairs.push([]);
      pairs.at(-1)[column] = { node, number: i + 1 };
    });
    const rows = pairs.map((pair, i) => h("li", h("span.move-number", `${i + 1}.`),
      Array.from(pair, (move) => (move ? moveButton(game, move.node, move.number) : h("span"))), pair.map((move) => branches(game, move.node))));
    const start = h("button.move.start", { type: "button", "aria-current": game.at === 0 ? "true" : null, onclick: () => choose(0) }, t("moves.start"));
    fill(element, start, h("ol", rows));
    const current = element.querySelector("[aria-current]");
    if (current) element.scrollTop = Math.max(0, current.offsetTop - element.clientHeight / 2);
  }

  return { element, update };
}
