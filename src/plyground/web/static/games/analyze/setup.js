// Setting up a position of Reversi: discs on any square, and who is to move.
//
//   const setup = createSetup({ done(text), cancel() })    text is 64 squares and the side to move
//   setup.start(position), setup.stop(), setup.open
//   setup.board (of board.js), setup.element (the tools)

import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { h, sign } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { t } from "/static/i18n.js";

const EMPTY = ".";
const SYMBOLS = ["X", "O"];
const INITIAL = ["........", "........", "........", "...OX...", "...XO...", "........", "........", "........"];

export function createSetup({ done, cancel }) {
  let grid = null;
  let brush = 0; // a side, or -1 for nothing
  let mover = 0;
  let board = null;
  let open = false;

  const shown = () => ({
    ply: 0, to_move: Math.max(0, brush), grid: { ...grid, last: null }, svg: null, counts: null, over: null, text: "",
    legal: grid.cells.flatMap((row, r) => [...row].map((_, c) => ({ action: 8 * r + c, text: "", cell: [r, c], changes: [] }))),
  });

  function put(action) {
    const [r, c] = [action >> 3, action % 8];
    const wanted = brush < 0 ? EMPTY : grid.symbols[brush];
    const cells = grid.cells.map((row) => [...row]);
    cells[r][c] = cells[r][c] === wanted ? EMPTY : wanted;
    grid = { ...grid, cells: cells.map((row) => row.join("")) };
    board.update(shown());
  }

  function fillWith(cells) {
    grid = { ...grid, cells: cells.map((row) => row.replaceAll("X", grid.symbols[0]).replaceAll("O", grid.symbols[1])) };
    board.update(shown());
  }

  function text() {
    const squares = grid.cells.join("").replace(/./g, (symbol) => (symbol === EMPTY ? "-" : SYMBOLS[grid.symbols.indexOf(symbol)]));
    return `${squares} ${SYMBOLS[mover]}`;
  }

  const side = (number) => [pieceIcon("discs", number), sideName("discs", number)];
  const button = (word, run, kind = "") => h(`button.button.small${kind}`, { type: "button", onclick: run, dataset: { setup: word } }, t(`analyze.setup.${word}`));
  const element = h("div.setup.panel",
    h("p.small.muted", t("analyze.setup.help")),
    h("div.row", h("span.label", t("analyze.setup.brush")), h("div.segmented", { role: "radiogroup", "aria-label": t("analyze.setup.brush") },
      radios("brush", [["0", ...side(0)], ["1", ...side(1)], ["-1", t("analyze.setup.empty")]], "0", (key) => { brush = Number(key); board.update(shown()); }))),
    h("div.row", h("span.label", t("analyze.setup.mover")), h("div.segmented", { role: "radiogroup", "aria-label": t("analyze.setup.mover") },
      radios("mover", [["0", ...side(0)], ["1", ...side(1)]], "0", (key) => { mover = Number(key); }))),
    h("div.row", button("clear", () => fillWith(INITIAL.map(() => "........"))), button("initial", () => fillWith(INITIAL))),
    h("div.row", h("button.button.primary", { type: "button", onclick: () => done(text()), dataset: { setup: "done" } }, sign("check"), t("analyze.setup.done")), button("cancel", cancel, ".quiet")));

  return {
    element,
    get open() { return open; },
    get board() { return board; },
    start(position) {
      open = true;
      grid = { ...position.grid, last: null };
      mover = position.to_move === 1 ? 1 : 0;
      element.querySelector(`[name^=mover-][value="${mover}"]`).checked = true;
      board = createBoard(shown(), { onPlay: put, label: t("analyze.setup") });
    },
    stop() {
      open = false;
    },
  };
}
