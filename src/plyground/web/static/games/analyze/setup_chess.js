// Setting up a position of chess: pieces put, moved and taken away by pointer or keys, the side to move, castling, and FEN.
//
//   const setup = createChessSetup({ done(fen), cancel() })     of the form that setup.js has
//   setup.start(position), setup.stop(), setup.open, setup.refuse(line)
//   setup.board (of board.js), setup.element (the tools)

import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { fill, h, sign } from "/static/dom.js";
import { field, radios } from "/static/fields.js";
import { t } from "/static/i18n.js";

const EMPTY = ".";
const PIECES = ["KQRBNP", "kqrbnp"];
const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const RIGHTS = { K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"] };
const REST = ["-", "0", "1"]; // en passant, the clock, the number of the move

// The cells of the board of a FEN, or null where it is no board: what else is wrong with it the server says.
function cellsOf(board) {
  const rows = board.split("/").map((row) => row.replace(/[1-8]/g, (count) => EMPTY.repeat(Number(count))));
  return rows.length === 8 && rows.every((row) => /^[KQRBNPkqrbnp.]{8}$/.test(row)) ? rows : null;
}

export function createChessSetup({ done, cancel }) {
  let cells = null;
  let brush = "Q"; // a piece, or a dot for nothing
  let mover = "w";
  let rights = "";
  let rest = REST;
  let board = null;
  let open = false;

  const shown = () => ({
    ply: 0, to_move: mover === "w" ? 0 : 1, svg: null, counts: null, over: null, text: "",
    grid: { cells, symbols: PIECES, style: "chess", columns: [..."abcdefgh"], rows: [..."87654321"], last: null, left: null, check: null },
    legal: cells.flatMap((row, r) => [...row].map((_, c) => ({ action: 8 * r + c, text: "", cell: [r, c], changes: [] }))),
  });

  const at = (square) => cells[8 - Number(square[1])]["abcdefgh".indexOf(square[0])];
  // Castling is possible where king and rook are at home; a right without them goes away.
  const possible = (right) => at(RIGHTS[right][0]) === (right < "a" ? "K" : "k") && at(RIGHTS[right][1]) === (right < "a" ? "R" : "r");

  function fen() {
    const rows = cells.map((row) => row.replace(/\.+/g, (run) => run.length)).join("/");
    return [rows, mover, [...rights].filter((right) => right in RIGHTS ? possible(right) : true).join("") || "-", ...rest].join(" ");
  }

  function set([r, c], piece) {
    const row = [...cells[r]];
    row[c] = piece;
    cells = cells.map((old, i) => (i === r ? row.join("") : old));
    rest = REST;
  }

  function changed() {
    board.update(shown(), { animate: false });
    drawRights();
    text.value = fen();
    problem.textContent = "";
  }

  function put(action, piece = brush) {
    const cell = [action >> 3, action % 8];
    set(cell, cells[cell[0]][cell[1]] === piece ? EMPTY : piece);
    changed();
  }

  // A piece that is dragged goes there; off the board it is taken away.
  function arrange(from, to) {
    const piece = cells[from[0]][from[1]];
    set(from, EMPTY);
    if (to) set(to, piece);
    changed();
  }

  // Letters put a piece where the keyboard is: those of FEN, large for White.
  function keydown(event) {
    const cell = document.activeElement?.dataset?.cell?.split(",").map(Number);
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") set(cell, EMPTY);
    else if (/^[KQRBNPkqrbnp]$/.test(event.key)) set(cell, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
    changed();
  }

  // What is written is shown as soon as it is a board; whether it is a position is said when it is to be analysed.
  function read() {
    const [rows = "", side = "w", castling = "-", ...more] = text.value.trim().split(/\s+/);
    const found = cellsOf(rows);
    problem.textContent = "";
    if (!found) return;
    [cells, mover, rights] = [found, side === "b" ? "b" : "w", castling === "-" ? "" : castling];
    rest = REST.map((usual, i) => more[i] ?? usual);
    board.update(shown(), { animate: false });
    drawRights();
    element.querySelector(`[name^=mover-][value="${mover}"]`).checked = true;
  }

  function begin(code) {
    text.value = code;
    read();
    text.value = fen();
  }

  const rightsPlace = h("div.row.setup-rights");
  function drawRights() {
    fill(rightsPlace, Object.keys(RIGHTS).map((right) => h("label.setup-right",
      h("input", { type: "checkbox", value: right, checked: rights.includes(right) && possible(right), disabled: !possible(right), onchange: ({ target }) => {
        rights = Object.keys(RIGHTS).filter((one) => (one === right ? target.checked : rights.includes(one))).join("");
        text.value = fen();
      } }), pieceIcon("chess", right < "a" ? 0 : 1), h("span", { "aria-hidden": "true" }, right.toUpperCase() === "K" ? "O-O" : "O-O-O"),
      h("span.unseen", t("analyze.setup.castle", { side: sideName("chess", right < "a" ? 0 : 1), castle: right.toUpperCase() === "K" ? "O-O" : "O-O-O" })))));
  }

  const side = (number) => [pieceIcon("chess", number), sideName("chess", number)];
  const pieceName = (piece) => `${sideName("chess", piece < "a" ? 0 : 1)} ${t(`chess.${piece.toUpperCase()}`)}`;
  const button = (word, run, kind = "") => h(`button.button.small${kind}`, { type: "button", onclick: run, dataset: { setup: word } }, t(`analyze.setup.${word}`));
  const text = h("input.mono", { type: "text", spellcheck: "false", autocomplete: "off", maxlength: 120, oninput: read, onkeydown: ({ key }) => key === "Enter" && done(text.value.trim()) });
  const textField = field(t("analyze.setup.fen"), text);
  const problem = h("p.small.error", { role: "alert" });
  const element = h("div.setup.panel.chess-setup",
    h("p.small.muted", t("analyze.setup.chess.help")),
    h("div.setup-pieces", { role: "radiogroup", "aria-label": t("analyze.setup.brush") },
      radios("brush", [
        ...[...PIECES.join("")].map((piece) => [piece, pieceIcon("chess", piece < "a" ? 0 : 1, piece), h("span.unseen", pieceName(piece))]),
        [EMPTY, sign("trash"), h("span.unseen", t("analyze.setup.empty"))],
      ], brush, (piece) => { brush = piece; })),
    h("div.row", h("span.label", t("analyze.setup.mover")), h("div.segmented", { role: "radiogroup", "aria-label": t("analyze.setup.mover") },
      radios("mover", [["w", ...side(0)], ["b", ...side(1)]], "w", (key) => {
        mover = key;
        rest = REST;
        changed();
      }))),
    h("div", { role: "group", "aria-label": t("analyze.setup.castling") }, h("span.label", t("analyze.setup.castling")), rightsPlace),
    textField, problem,
    h("div.row", button("clear", () => begin("8/8/8/8/8/8/8/8 w - - 0 1")), button("initial", () => begin(USUAL))),
    h("div.row", h("button.button.primary", { type: "button", onclick: () => done(text.value.trim()), dataset: { setup: "done" } }, sign("check"), t("analyze.setup.done")), button("cancel", cancel, ".quiet")));

  return {
    element,
    get open() { return open; },
    get board() { return board; },
    refuse(line) {
      problem.textContent = line;
      text.focus();
    },
    start(position) {
      open = true;
      cells = position.grid.cells;
      board = createBoard(shown(), { onPlay: (action) => put(action), onArrange: arrange, label: t("analyze.setup") });
      board.element.addEventListener("keydown", keydown, true);
      begin(position.code ?? USUAL);
    },
    stop() {
      open = false;
    },
  };
}
