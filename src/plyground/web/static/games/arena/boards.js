// The boards of games that are being played.
//
//   liveBoards() -> { element, show({ key, players, position }, called), ended(key), clear() }

import { miniature, pieceIcon, sideName } from "/static/board.js";
import { breakable, fill, h, svgFromText } from "/static/dom.js";
import { t } from "/static/i18n.js";

export function liveBoards() {
  const tiles = new Map();
  const element = h("div.arena-boards");
  const clear = () => {
    tiles.clear();
    fill(element, h("p.muted", t("arena.boards.none")));
  };
  clear();
  return {
    element,
    clear,
    show({ key, players, position }, called) {
      if (!tiles.size) element.querySelector("p")?.remove();
      if (!tiles.has(key)) {
        element.querySelectorAll(".over").forEach((tile) => tile.remove());
        tiles.set(key, h("figure.arena-board", { dataset: { key } }, h("div.arena-picture"), h("figcaption")));
        element.append(tiles.get(key));
      }
      const { firstChild: picture, lastChild: caption } = tiles.get(key);
      const style = position.grid?.style ?? "plain";
      fill(picture, position.grid ? miniature(position.grid) : position.svg ? svgFromText(position.svg) : h("pre", position.text));
      fill(caption, players.map((name, side) => h("span", { class: position.to_move === side ? "thinks" : "" }, pieceIcon(style, side), h("span.unseen", sideName(style, side)), " ", h("span", breakable(called(name))), position.counts && h("b.tabular", ` ${position.counts[side]}`))), h("span.muted.tabular", t("arena.ply", position)));
    },
    // The last position stays until the next game begins: a program may take a moment to start.
    ended(key) {
      tiles.get(key)?.classList.add("over");
      tiles.delete(key);
    },
  };
}
