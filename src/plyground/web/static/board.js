// The board: an SVG drawn from a Position of the server, for eyes, pointers, keyboards and screen readers.
//
//   const board = createBoard(position, { onPlay(action, move), label, interactive, flipped, coordinates, onArrange(from, to) })
//   root.append(board.element)
//   board.update(position, { animate: false })   draws what has changed; discs turn, marks are drawn, slots are filled
//   board.setInteractive(true)                   whether the legal moves may be played now
//   board.setHints([{ cell: [r, c], text: "+3", best: true, exact: true, tone: "good"|"bad" }])   values on squares; [] for none;
//                                                of pieces, with the action, the first few are arrows
//   board.highlight([[r, c], ...])               frames cells, such as those of a line
//   board.flip(true), board.flipped              seen from the other side
//   board.focus([r, c]?)                         moves the keyboard's focus onto the board
//   board.position                               what is shown
//
//   sideName(position.grid | style, side)        "Black", "X", ... in the visitor's language
//   pieceIcon(grid | style, side, symbol?)       the same as a small picture; of chess the king, or another piece
//   cellName(grid, [r, c])                       "d3"
//   movesOffBoard(position)                      legal moves that no cell stands for, such as a pass
//   miniature(grid)                              a still picture of a board, for lists and tiles
//
// With onArrange any piece may be dragged anywhere, off the board (to is null) too: a position is set up.
//
// Pieces are dragged, or touched and then their square, or moved by the keyboard; whoever promotes is asked to what.
//
// No rule is known here: what may be played, and what would change, is in position.legal. A position without a grid is
// shown by the server's picture (position.svg); its moves are movesOffBoard(position).

import { CELL, isLine, shapeOf } from "/static/board_shapes.js";
import { PIECES } from "/static/pictures/chess_pieces.js";
import { fill, h, s, svgFromText } from "/static/dom.js";
import { hasWord, t } from "/static/i18n.js";

const EMPTY = ".";
const FRAMES = { discs: 46, slots: 18, marks: 12, hex: 20, boxes: 34, chess: 10 };
const KNOWN = ["discs", "slots", "marks", "hex", "boxes", "chess"];
const TURN = 210; // milliseconds
const LIFT = { mouse: 4, pen: 5, touch: 8 }; // pixels that a pointer moves before a piece is lifted
const ARROWS = 4; // moves of pieces that are drawn with their values
const PROMOTED = { q: "Q", r: "R", b: "B", n: "N" };

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const key = ([r, c]) => `${r},${c}`;
const styleOf = (grid) => (typeof grid === "string" ? grid : grid?.style) ?? "plain";
const sideOf = (grid, symbol) => (symbol === EMPTY ? -1 : grid.symbols.findIndex((own) => own.includes(symbol)));

export function sideName(grid, side) {
  const word = `side.${styleOf(grid)}.${side}`;
  return hasWord(word) ? t(word) : t("side.player", { number: side + 1 });
}

export const cellName = (grid, [r, c]) => shapeOf(grid).name(grid, [r, c]) || t("board.place", { row: r + 1, column: c + 1 });

export const movesOffBoard = (position) => position.legal.filter((move) => !move.cell || !position.grid);

export function pieceIcon(grid, side, symbol = "Kk"[side]) {
  const style = styleOf(grid);
  const known = KNOWN.includes(style);
  return s("svg.piece-icon", { viewBox: "0 0 100 100", "aria-hidden": "true", "data-style": style },
    known ? piece(style, side, symbol) : s("g", s("circle.plain-side", { cx: 50, cy: 50, r: 40, "data-side": side }), s("text.plain-number", { x: 50, y: 66 }, side + 1)));
}

function piece(style, side, symbol) {
  if (style === "boxes") {
    if (symbol === "-" || symbol === "|") return s("g.piece.line", s("path", { d: symbol === "-" ? "M0 50H100" : "M50 0V100", pathLength: 1 }));
    if (side < 0) return s("g.piece"); // a box that nobody has
    return s("g.piece.owned", { "data-side": side }, s("rect", { x: 4, y: 4, width: 92, height: 92, rx: 6 }), s("text", { x: 50, y: 64 }, [...sideName(style, side)][0]));
  }
  if (style === "chess") {
    const [shape, lines] = PIECES[symbol.toUpperCase()];
    return s("g.piece.man", { "data-side": side }, s("path.face", { d: shape }), s("path.inner", { d: lines }));
  }
  if (side < 0) return s("g.piece", s("text.symbol", { x: 50, y: 64 }, symbol));
  if (style === "marks") {
    const shape = side === 0
      ? s("path", { d: "M26 26L74 74M74 26L26 74", pathLength: 1 })
      : s("circle", { cx: 50, cy: 50, r: 27, pathLength: 1, transform: "rotate(-90 50 50)" });
    return s("g.piece.mark", { "data-side": side }, shape);
  }
  if (style === "hex") return s("g.piece.stone", { "data-side": side }, s("circle.face", { cx: 50, cy: 50, r: 39 }), side === 1 && s("circle.rim", { cx: 50, cy: 50, r: 21 }));
  if (style === "slots") return s("g.piece.slot", { "data-side": side }, s("circle.face", { cx: 50, cy: 50, r: 44 }), s("circle.rim", { cx: 50, cy: 50, r: 30 }));
  return s("g.piece.disc", { "data-side": side },
    s("circle.shade", { cx: 50, cy: 54, r: 41 }), s("circle.face", { cx: 50, cy: 50, r: 41 }), s("path.gleam", { d: "M22 40A30 30 0 0 1 60 20" }));
}

function ground(grid, width, height, pad, coordinates) {
  const { style } = grid;
  const shape = shapeOf(grid);
  const [, , wide, high] = shape.box(height, width);
  const parts = [];
  if (style === "hex") {
    for (const [side, path] of shape.edges(height, width)) parts.push(s("path.edge", { d: path, "data-side": side }));
    grid.cells.forEach((row, r) => [...row].forEach((_, c) => {
      const hexagon = shape.outline(".hexagon", 0);
      hexagon.setAttribute("transform", `translate(${shape.spot([r, c]).join(" ")})`);
      parts.push(hexagon);
    }));
    return s("g.ground", { "aria-hidden": "true" }, parts, coordinates);
  }
  if (style === "boxes") {
    parts.push(s("rect.sheet", { x: -pad, y: -pad, width: wide + 2 * pad, height: high + 2 * pad, rx: 28 }));
    const lines = [];
    for (let x = 0; x <= wide; x += CELL) lines.push(`M${x} 0V${high}`);
    for (let y = 0; y <= high; y += CELL) lines.push(`M0 ${y}H${wide}`);
    parts.push(s("path.lines", { d: lines.join("") }));
    return s("g.ground", { "aria-hidden": "true" }, parts, coordinates);
  }
  if (style === "discs") {
    parts.push(s("rect.frame", { x: -pad, y: -pad, width: wide + 2 * pad, height: high + 2 * pad, rx: 26 }));
    parts.push(s("rect.felt", { width: wide, height: high, rx: 4 }));
  } else if (style === "marks") {
    parts.push(s("rect.sheet", { x: -pad, y: -pad, width: wide + 2 * pad, height: high + 2 * pad, rx: 28 }));
  }
  if (style === "chess") {
    let dark = "";
    for (let r = 0; r < height; r++) for (let c = (r + 1) % 2; c < width; c += 2) dark += `M${c * CELL} ${r * CELL}h100v100h-100z`;
    parts.push(s("rect.frame", { x: -pad, y: -pad, width: wide + 2 * pad, height: high + 2 * pad, rx: 10 }), s("rect.light", { width: wide, height: high }), s("path.dark", { d: dark }));
  } else if (style !== "slots") {
    const lines = [];
    for (let i = 1; i < width; i++) lines.push(`M${i * CELL} 0V${high}`);
    for (let i = 1; i < height; i++) lines.push(`M0 ${i * CELL}H${wide}`);
    parts.push(s("path.lines", { d: lines.join("") }));
  }
  if (style === "discs" && width === 8 && height === 8) {
    for (const [x, y] of [[2, 2], [6, 2], [2, 6], [6, 6]]) parts.push(s("circle.star", { cx: x * CELL, cy: y * CELL, r: 7 }));
  }
  return s("g.ground", { "aria-hidden": "true" }, parts, coordinates);
}

function rack(width, height, pad) {
  const right = width * CELL + pad;
  const bottom = height * CELL + pad;
  const radius = 30;
  let path = `M${-pad + radius} ${-pad}H${right - radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}V${bottom - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}H${-pad + radius}a${radius} ${radius} 0 0 1 -${radius} -${radius}V${-pad + radius}a${radius} ${radius} 0 0 1 ${radius} -${radius}z`;
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) path += `M${c * CELL + 90} ${r * CELL + 50}a40 40 0 1 0 -80 0a40 40 0 1 0 80 0z`;
  }
  return s("path.rack", { d: path, "fill-rule": "evenodd", "aria-hidden": "true" });
}

// The dots lie above the lines that end in them.
function dotsAbove(height, width) {
  const dots = [];
  for (let r = 0; r < height; r += 2) for (let c = 0; c < width; c += 2) dots.push(s("circle.dot-joint", { cx: (c * CELL) / 2, cy: (r * CELL) / 2, r: 7.5 }));
  return s("g.dots-above", { "aria-hidden": "true" }, dots);
}

const lettersOf = (grid) => (grid.style === "discs" ? 25 : grid.style === "boxes" ? 1.8 * (Math.max(grid.cells[0].length, grid.cells.length) + 1) : Math.max(11, 3.2 * Math.max(grid.cells[0].length, grid.cells.length)));

function margins(grid, coordinates) {
  const pad = FRAMES[grid.style] ?? 12;
  if (!coordinates || grid.style === "discs") return { pad, left: pad, top: pad, right: pad, bottom: pad };
  const size = lettersOf(grid) * 1.5;
  const side = pad + (grid.rows?.length ? size : 0);
  return { pad, left: side, top: pad + (grid.columns?.length ? size : 0), right: ["hex", "boxes"].includes(grid.style) ? pad : side, bottom: pad };
}

export function miniature(grid) {
  const height = grid.cells.length;
  const width = grid.cells[0].length;
  const { pad } = margins(grid, false);
  const shape = shapeOf(grid);
  const [x, y, wide, high] = shape.box(height, width);
  const svg = s("svg.board-svg.miniature", { viewBox: `${x - pad} ${y - pad} ${wide + 2 * pad} ${high + 2 * pad}`, "data-style": grid.style, "aria-hidden": "true" },
    ground(grid, width, height, pad, null));
  grid.cells.forEach((row, r) => [...row].forEach((symbol, c) => {
    if (symbol === EMPTY) return;
    const last = grid.style !== "chess" && grid.last && key(grid.last) === key([r, c]) && s("circle.last-dot", { cx: 50, cy: 50, r: 9 });
    svg.append(s("g", { transform: `translate(${shape.spot([r, c]).join(" ")})` }, piece(grid.style, sideOf(grid, symbol), symbol), last));
  }));
  if (grid.style === "slots") svg.append(rack(width, height, pad));
  if (grid.style === "boxes") svg.append(dotsAbove(height, width));
  return svg;
}

export function createBoard(first, options = {}) {
  const { onPlay = () => {}, onArrange = null, label = "", coordinates = true } = options;
  const element = h("div.board");
  let position = null;
  let interactive = options.interactive ?? Boolean(options.onPlay);
  let flipped = Boolean(options.flipped);
  let shape = "";
  let cells = new Map(); // "r,c" -> { group, square, symbol }
  let moves = new Map(); // "r,c" -> legal move
  let picked = null; // where pieces are moved: the cell of the piece to move
  let home = null; // the cell that Tab reaches
  let previewed = null;
  let svg, effects, ring;
  let drag = null; // a piece under the pointer: { cell, id, x, y, from pointerdown; piece and over once it is lifted }
  let dropped = false; // a click that follows is the end of a drag
  let chooser = null; // what is asked of whoever promotes
  let before = null; // the position that was shown before this one
  let hints = [];
  let said = null; // what is said of a piece that was picked up

  const size = () => [position.grid.cells.length, position.grid.cells[0].length];
  const turnable = () => position.grid.style !== "slots";
  const place = ([r, c]) => {
    const [height, width] = size();
    return flipped && turnable() ? [height - 1 - r, width - 1 - c] : [r, c];
  };
  const at = (cell) => `translate(${shapeOf(position.grid).spot(place(cell)).join(" ")})`;
  const moveAt = (cell) => {
    const found = moves.get(key(cell));
    if (found || position.grid.style !== "slots") return found;
    return position.legal.find((move) => move.cell?.[1] === cell[1]);
  };

  function build() {
    const { grid } = position;
    const [height, width] = size();
    const room = margins(grid, coordinates);
    const shape = shapeOf(grid);
    const [x, y, ...whole] = shape.box(height, width);
    const names = [];
    if (coordinates) {
      const letters = lettersOf(grid);
      const spot = grid.style === "discs" ? -room.pad / 2 : -room.pad - letters * 0.75;
      // Above the first row, and beside the first column as seen: a row of hexagons begins further to the right.
      grid.columns?.forEach((name, c) => names.push(s("text.coordinate", { x: shape.spot([0, place([0, c])[1]])[0] + 50, y: y + spot + letters * 0.36, "font-size": letters }, name)));
      grid.rows?.forEach((name, r) => {
        const [left, top] = shape.spot([place([r, 0])[0], 0]);
        names.push(s("text.coordinate", { x: left - shape.spot([0, 0])[0] + spot, y: top + 50 + letters * 0.36, "font-size": letters }, name));
      });
    }
    const wide = whole[0] + room.left + room.right;
    const high = whole[1] + room.top + room.bottom;
    effects = s("g.effects", { "aria-hidden": "true" });
    ring = s("g.focus-ring", { "aria-hidden": "true" });
    cells = new Map();
    const rows = grid.cells.map((line, r) => s("g", { role: "row", "aria-rowindex": r + 1, "aria-label": grid.rows?.[r] || String(r + 1) }, [...line].map((_, c) => {
      if (!shape.isCell([r, c])) return null;
      const square = shape.outline(".square", 0, [r, c]);
      const group = s("g.cell", { role: "gridcell", "aria-colindex": c + 1, tabindex: -1, "data-cell": key([r, c]), transform: at([r, c]) }, square);
      cells.set(key([r, c]), { group, square, symbol: EMPTY, cell: [r, c] });
      return group;
    })));
    svg = s("svg.board-svg", {
      viewBox: `${x - room.left} ${y - room.top} ${wide} ${high}`, role: "grid", "aria-label": label || t("board.label"),
      "aria-rowcount": height, "aria-colcount": width, "data-style": grid.style, "data-size": Math.max(width, height) > 9 ? "large" : "small",
    }, ground(grid, width, height, room.pad, names), rows, effects);
    if (grid.style === "boxes") svg.append(dotsAbove(height, width));
    if (grid.style === "slots") svg.append(rack(width, height, room.pad), s("g.above-marks", { "aria-hidden": "true" }), s("g.above", { "aria-hidden": "true" }));
    svg.append(ring);
    element.style.setProperty("--ratio", String(wide / high));
    element.dataset.style = grid.style;
    said = grid.style === "chess" && h("p.unseen", { role: "status" });
    fill(element, svg, said);
    home = null;
    listen();
  }

  function listen() {
    const cellOf = (event) => {
      const group = event.target.closest?.(".cell");
      return group && cells.get(group.dataset.cell);
    };
    svg.addEventListener("pointerover", (event) => event.pointerType !== "touch" && preview(cellOf(event)?.cell ?? null));
    svg.addEventListener("pointerleave", () => preview(null));
    // A click does not mean to move the keyboard's focus: arrows go on to step through the game.
    svg.addEventListener("mousedown", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => {
      const found = cellOf(event);
      if (found && !dropped) play(found.cell);
      dropped = false;
    });
    svg.addEventListener("pointerdown", (event) => {
      dropped = false;
      const found = cellOf(event);
      if (!found || drag || !interactive || event.button || !event.isPrimary || !liftable(found.cell)) return;
      drag = { cell: found.cell, id: event.pointerId, x: event.clientX, y: event.clientY, touch: event.pointerType === "touch" };
    });
    // A finger on a piece drags it, and does not scroll: some browsers ask the SVG as a whole, and not its cells, what it may do.
    svg.addEventListener("touchmove", (event) => drag && event.cancelable && event.preventDefault(), { passive: false });
    svg.addEventListener("pointermove", (event) => drag?.id === event.pointerId && dragTo(event));
    svg.addEventListener("pointerup", (event) => drag?.id === event.pointerId && drop());
    svg.addEventListener("pointercancel", () => putBack());
    svg.addEventListener("focusin", (event) => {
      const found = cellOf(event);
      if (!found) return;
      setHome(found.cell);
      if (found.group.matches(":focus-visible")) {
        fill(ring, shapeOf(position.grid).outline("", 3, found.cell));
        ring.setAttribute("transform", at(found.cell));
        ring.classList.add("shown");
        preview(found.cell);
      }
    });
    svg.addEventListener("focusout", () => {
      ring.classList.remove("shown");
      preview(null);
    });
    svg.addEventListener("keydown", keydown);
  }

  function keydown(event) {
    if (!home || event.ctrlKey || event.altKey || event.metaKey) return;
    const [height, width] = size();
    const turned = flipped && turnable() ? -1 : 1;
    const steps = { ArrowLeft: [0, -turned], ArrowRight: [0, turned], ArrowUp: [-turned, 0], ArrowDown: [turned, 0] };
    let [r, c] = home;
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      const step = () => {
        r = Math.min(height - 1, Math.max(0, r + down));
        c = Math.min(width - 1, Math.max(0, c + right));
      };
      step();
      if (!cells.has(key([r, c]))) step(); // over a dot
    } else if (event.key === "Home") c = turned > 0 ? 0 : width - 1;
    else if (event.key === "End") c = turned > 0 ? width - 1 : 0;
    else if (event.key === "PageUp") r = 0;
    else if (event.key === "PageDown") r = height - 1;
    else if (event.key === "Escape" && picked) {
      putBack();
      pick(null);
    }
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      play(home);
      return;
    } else return;
    event.preventDefault();
    if (!cells.has(key([r, c]))) c += c ? -1 : 1; // beside a dot in the corner
    focus([r, c]);
  }

  // The legal moves by the cell that plays them; of pieces, those of the piece that is picked, or else which ones can be.
  function listMoves() {
    moves = new Map();
    for (const move of position.legal) {
      if (!move.cell || (move.start && picked && key(move.start) !== key(picked))) continue;
      if (move.start && !picked) moves.set(key(move.start), { pick: move.start });
      else if (!moves.has(key(move.cell))) moves.set(key(move.cell), move);
    }
  }

  const movable = (cell) => position.legal.some(({ start, cell: end }) => start && end && key(start) === key(cell));

  const liftable = (cell) => (onArrange ? position.grid.style === "chess" && cells.get(key(cell)).symbol !== EMPTY : movable(cell));

  function pick(cell) {
    picked = cell;
    listMoves();
    drawMarks();
    if (!said) return;
    const there = [...moves.keys()].map((name) => cellName(position.grid, name.split(",").map(Number)));
    said.textContent = cell ? t("board.canGo", { piece: describe(cell, cells.get(key(cell)).symbol), squares: there.join(t("board.comma")) }) : "";
  }

  function play(cell, byHand = false) {
    const move = moveAt(cell);
    if (!interactive) return;
    if (move?.pick) return void pick(cell);
    if (picked && !move) return void pick(key(picked) !== key(cell) && movable(cell) ? cell : null);
    if (!move) return;
    preview(null);
    drag = null;
    if (move.promotes) choosePiece(move);
    else carryOut(move, byHand);
  }

  let carried = null; // the cell of a piece that was dragged there: it need not go once more
  function carryOut(move, byHand) {
    carried = byHand ? move.cell : null;
    onPlay(move.action, move);
  }

  // Dragging: the piece goes with the pointer, and the cell under it is lit. Under a finger it is larger, and above it.
  function dragTo(event) {
    const { grid } = position;
    if (!drag.piece) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < (LIFT[event.pointerType] ?? LIFT.mouse)) return;
      svg.setPointerCapture(drag.id);
      if (!onArrange && (!picked || key(picked) !== key(drag.cell))) pick(drag.cell);
      const { symbol, group } = cells.get(key(drag.cell));
      drag.piece = s("g.dragged", { "aria-hidden": "true" }, piece(grid.style, sideOf(grid, symbol), symbol));
      group.classList.add("lifted");
      svg.classList.add("dragging");
      svg.append(drag.piece);
    }
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    drag.piece.setAttribute("transform", drag.touch ? `translate(${x - 85} ${y - 150}) scale(1.7)` : `translate(${x - 50} ${y - 50})`);
    const [height, width] = size();
    const [r, c] = [Math.floor(y / CELL), Math.floor(x / CELL)];
    light(r >= 0 && c >= 0 && r < height && c < width ? place([r, c]) : null);
  }

  function light(cell) {
    if (drag.over) cells.get(key(drag.over)).group.classList.remove("over");
    drag.over = cell;
    if (cell && moves.has(key(cell))) cells.get(key(cell)).group.classList.add("over");
  }

  function putBack() {
    if (!drag) return;
    if (drag.piece) {
      light(null);
      drag.piece.remove();
      svg.classList.remove("dragging");
      svg.querySelector(".lifted")?.classList.remove("lifted");
    }
    drag = null;
  }

  function drop() {
    const { piece: lifted, over, cell } = drag;
    putBack();
    if (!lifted) return;
    dropped = true;
    if (onArrange) {
      if (!over || key(over) !== key(cell)) onArrange(cell, over);
    } else if (over && moves.has(key(over))) play(over, true);
    else if (!over || key(over) !== key(cell)) pick(null);
  }

  // A pawn that arrives: the pieces that it can become, over the squares where it arrives, the queen under the pointer.
  function choosePiece(move) {
    closeChooser();
    const { grid, to_move: side, legal } = position;
    const [row, column] = place(move.cell);
    const choices = legal.filter(({ start, cell }) => key(cell) === key(move.cell) && key(start) === key(move.start));
    choices.sort((a, b) => "qrbn".indexOf(a.promotes) - "qrbn".indexOf(b.promotes));
    const back = document.activeElement;
    const byKeys = Boolean(back?.matches?.(".cell:focus-visible"));
    const { x, y, width, height } = svg.viewBox.baseVal;
    const percent = (part, whole) => `${(100 * part) / whole}%`;
    const onTop = row < size()[0] / 2;
    const leave = () => {
      closeChooser();
      pick(null);
      if (byKeys) focus(move.start);
    };
    const buttons = choices.map((one) => h("button", { type: "button", "aria-label": t(`chess.${PROMOTED[one.promotes]}`), dataset: { piece: one.promotes }, onclick: () => {
      closeChooser();
      if (byKeys) focus(move.cell);
      carryOut(one, true);
    } }, s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, piece(grid.style, side, PROMOTED[one.promotes]))));
    const list = h("div.promotion-choices", {
      role: "dialog", "aria-modal": "true", "aria-label": t("board.promote", { square: cellName(grid, move.cell) }),
      style: {
        left: percent(column * CELL - x, width), width: percent(CELL, width),
        [onTop ? "top" : "bottom"]: onTop ? percent(row * CELL - y, height) : percent(y + height - (row + 1) * CELL, height),
        "flex-direction": onTop ? "column" : "column-reverse",
      },
    }, buttons);
    chooser = h("div.promotion", { onclick: ({ target }) => target === chooser && leave(), onkeydown: (event) => {
      event.stopPropagation(); // the letters are not those of the page
      const at = buttons.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
      const named = buttons[choices.findIndex(({ promotes }) => promotes === event.key.toLowerCase())];
      if (event.key === "Escape") leave();
      else if (step) buttons[(at + (onTop || event.key === "Tab" ? step : -step) + buttons.length) % buttons.length].focus();
      else if (named && !event.ctrlKey && !event.metaKey && !event.altKey) named.click();
      else return;
      event.preventDefault();
    } }, list);
    element.append(chooser);
    buttons[0].focus();
  }

  function closeChooser() {
    chooser?.remove();
    chooser = null;
  }

  function setHome(cell) {
    if (home) cells.get(key(home))?.group.setAttribute("tabindex", -1);
    home = cell;
    cells.get(key(cell)).group.setAttribute("tabindex", 0);
  }

  function focus(cell = home) {
    if (!cell || !cells.size) return;
    setHome(cell);
    cells.get(key(cell)).group.focus();
  }

  // What would change, before it is played.
  function preview(cell) {
    const move = cell && interactive && position.grid.style !== "chess" ? moveAt(cell) : null;
    if (move === previewed) return;
    previewed = move;
    svg.querySelectorAll(".ghost, .turning").forEach((ghost) => ghost.remove());
    if (!move) return;
    const { grid, to_move: side } = position;
    const target = move.cell ?? cell;
    for (const changed of [target, ...(move.changes ?? [])]) {
      const there = cells.get(key(changed));
      if (!there || there.group.querySelector(".ghost, .turning")) continue;
      if (there.symbol === EMPTY) {
        const ghost = piece(grid.style, side, changed[0] % 2 ? "|" : "-");
        ghost.classList.add("ghost");
        there.group.append(ghost);
      } else there.group.append(s("circle.turning", { cx: 50, cy: 50, r: 14, "data-side": side }));
    }
  }

  function describe(cell, symbol) {
    const { grid } = position;
    const side = sideOf(grid, symbol);
    const thing = grid.style !== "boxes" ? symbol : isLine(cell) ? t("board.line") : t("board.box");
    const what = symbol === EMPTY ? t("board.empty") : side < 0 ? thing : sideName(grid, side) + (grid.style === "chess" ? ` ${t(`chess.${symbol.toUpperCase()}`)}` : "");
    const words = [cellName(grid, cell), what];
    if (grid.last && key(grid.last) === key(cell)) words.push(t("board.last"));
    if (grid.check && key(grid.check) === key(cell)) words.push(t("board.check"));
    if (picked && key(picked) === key(cell)) words.push(t("board.picked"));
    else if (interactive && moves.has(key(cell)) && !moves.get(key(cell)).pick) words.push(t("board.legal"));
    else if (interactive && movable(cell)) words.push(t("board.movable"));
    const hint = hints.find((item) => key(item.cell) === key(cell));
    if (hint) words.push(t(hint.best ? "board.best" : "board.value", { value: hint.text }));
    return words.join(t("board.comma"));
  }

  function draw(found, symbol, animate, isNew) {
    const { grid } = position;
    const { group, cell } = found;
    const old = group.querySelector(".piece:not(.ghost)");
    const side = sideOf(grid, symbol);
    const before = sideOf(grid, found.symbol);
    found.symbol = symbol;
    if (symbol === EMPTY) return old?.remove();
    const now = piece(grid.style, side, symbol);
    if (!animate || calm()) {
      old?.remove();
      group.append(now);
      return null;
    }
    if (old && grid.style === "discs" && before >= 0) {
      // The disc is turned on its edge, and its other face comes up.
      old.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0.04)" }], { duration: TURN / 2, easing: "ease-in", fill: "forwards" }).onfinish = () => {
        old.remove();
        if (found.symbol !== symbol) return;
        group.append(now);
        now.animate([{ transform: "scaleX(0.04)" }, { transform: "scaleX(1)" }], { duration: TURN / 2, easing: "ease-out" });
      };
      return null;
    }
    old?.remove();
    group.append(now);
    if (grid.style === "chess") return slide(now, cell, symbol);
    if (!isNew) return null;
    if (grid.style === "slots") {
      now.animate([{ transform: `translateY(-${(cell[0] + 1) * CELL}px)` }, { transform: "none" }], { duration: TURN, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" });
    } else if (grid.style === "marks" || grid.style === "boxes") {
      now.firstChild.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: TURN, easing: "ease-out" });
    } else now.animate([{ transform: "scale(0.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: TURN / 2, easing: "ease-out" });
    return null;
  }

  // The piece that has moved goes there from where it was; whoever looks back sees the board as it was, at once.
  function slide(now, cell, symbol) {
    const { last, left } = position.grid;
    const there = left && before.grid.cells[left[0]][left[1]];
    if (!last || !left || key(last) !== key(cell) || (there.toLowerCase() !== "p" && there !== symbol)) return null;
    if (carried && key(carried) === key(cell)) return null;
    const [[fromRow, fromColumn], [row, column]] = [place(left), place(cell)];
    now.animate([{ transform: `translate(${(fromColumn - column) * CELL}px, ${(fromRow - row) * CELL}px)` }, { transform: "none" }], { duration: TURN, easing: "ease-out" });
    return null;
  }

  function drawMarks() {
    const { grid } = position;
    for (const { group, cell, symbol } of cells.values()) {
      const legal = interactive && moves.has(key(cell));
      const playable = interactive && Boolean(moveAt(cell) || (picked && movable(cell)));
      group.classList.toggle("playable", playable);
      const last = grid.last && key(grid.last) === key(cell);
      group.classList.toggle("last", Boolean(last || (grid.left && key(grid.left) === key(cell))));
      group.classList.toggle("movable", interactive && liftable(cell));
      const checked = Boolean(grid.check && key(grid.check) === key(cell));
      if (!checked) group.querySelector(".check")?.remove();
      else if (!group.querySelector(".check")) group.querySelector(".square").after(s("g.check", s("circle.glow", { cx: 50, cy: 50, r: 47 }), s("circle.rim", { cx: 50, cy: 50, r: 45 })));
      group.querySelector(".dot")?.remove();
      group.classList.toggle("picked", Boolean(picked) && key(picked) === key(cell));
      if (legal && picked) group.append(s(`circle.dot${symbol === EMPTY ? "" : ".taken"}`, { cx: 50, cy: 50, r: symbol === EMPTY ? 13 : 44 }));
      group.querySelector(".last-dot")?.remove();
      const hinted = hints.some((hint) => key(hint.cell) === key(cell));
      if (legal && symbol === EMPTY && grid.style === "discs" && !hinted) group.append(s("circle.dot", { cx: 50, cy: 50, r: 10, "data-side": position.to_move }));
      if (last && grid.style === "marks") group.querySelector(".square").after(s("rect.last-dot", { x: 6, y: 6, width: 88, height: 88, rx: 14 }));
      else if (last && grid.style === "hex") group.append(s("circle.last-dot", { cx: 50, cy: 50, r: 11 }));
      else if (last && !["boxes", "chess"].includes(grid.style)) group.append(s("circle.last-dot", { cx: 50, cy: 50, r: 9 }));
      group.setAttribute("aria-label", describe(cell, symbol));
      if (playable) group.removeAttribute("aria-disabled");
      else group.setAttribute("aria-disabled", "true");
    }
  }

  function drawHints() {
    svg.querySelectorAll(".hint").forEach((hint) => hint.remove());
    if (position.grid.style === "chess") return drawArrows();
    for (const { cell, text, best, exact, tone } of hints) {
      const parts = [];
      if (best) parts.push(s("rect.hint-best", { x: 9, y: 24, width: 82, height: 54, rx: 14 }));
      parts.push(s("text.hint-text", { x: 50, y: 51, "data-long": text.length > 3 ? "yes" : null }, text));
      if (exact) parts.push(s("path.hint-exact", { d: "M76 12l6 6 10-11" }));
      // In a rack the values lie in front, where nothing hides them.
      const layer = svg.querySelector(".above") ?? cells.get(key(cell))?.group;
      const spot = layer?.classList.contains("above") ? at(cell) : "";
      const transform = size()[1] <= 4 || position.grid.style === "boxes" ? `${spot} translate(17 17) scale(0.66)` : spot || null;
      layer?.append(s("g.hint", { "data-best": best ? "yes" : null, "data-tone": tone ?? null, transform }, parts));
    }
  }

  // From where to where, with the value on the square of the piece; of two moves to one square the second is below.
  function drawArrows() {
    const taken = new Map();
    const arrows = hints.filter(({ start }) => start).slice(0, ARROWS).map((hint, rank) => {
      const [[y1, x1], [y2, x2]] = [place(hint.start), place(hint.cell)].map((cell) => cell.map((part) => part * CELL + 50));
      const long = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
      const [wide, head] = hint.best ? [15, 38] : [9, 27];
      const [bx, by] = [x2 - dx * (head - 8), y2 - dy * (head - 8)];
      const points = [[x2 + dx * 8, y2 + dy * 8], [bx - dy * head * 0.55, by + dx * head * 0.55], [bx + dy * head * 0.55, by - dx * head * 0.55]];
      const nth = taken.get(key(hint.cell)) ?? 0;
      taken.set(key(hint.cell), nth + 1);
      const label = [x2, y2 + [-31, 33][nth % 2]];
      const size = Math.max(52, 19 * hint.text.length + 16);
      return { rank, arrow: s("g.hint.arrow", { "data-best": hint.best ? "yes" : null, "aria-hidden": "true" }, s("path.shaft", { d: `M${x1 + dx * 22} ${y1 + dy * 22}L${bx} ${by}`, "stroke-width": wide }), s("polygon.head", { points: points.map((point) => point.map(Math.round).join(",")).join(" ") })),
        value: s("g.hint.arrow-value", { "data-best": hint.best ? "yes" : null, "data-exact": hint.exact ? "yes" : null, "aria-hidden": "true" }, s("rect", { x: label[0] - size / 2, y: label[1] - 18, width: size, height: 36, rx: 12 }), s("text.hint-text", { x: label[0], y: label[1] + 1 }, hint.text)) };
    }).reverse();
    for (const one of arrows) ring.before(one.arrow);
    for (const one of arrows) ring.before(one.value);
  }

  function update(next, { animate = !calm() } = {}) {
    before = position;
    position = next;
    closeChooser();
    if (svg) putBack();
    if (!next.grid) {
      const picture = next.svg ? svgFromText(next.svg) : h("pre", next.text);
      if (next.svg) {
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", next.text);
      }
      fill(element, h("div.picture", picture));
      element.dataset.style = "picture";
      shape = "";
      return;
    }
    const now = `${next.grid.style} ${next.grid.cells.length} ${next.grid.cells[0].length} ${flipped}`;
    const fresh = now !== shape;
    if (fresh) {
      const focused = element.contains(document.activeElement) ? home : null;
      shape = now;
      build();
      if (focused) focus(focused);
    }
    previewed = null;
    svg.querySelectorAll(".ghost, .turning").forEach((ghost) => ghost.remove());
    picked = null;
    listMoves();
    next.grid.cells.forEach((row, r) => [...row].forEach((symbol, c) => {
      const found = cells.get(key([r, c]));
      if (found && found.symbol !== symbol) draw(found, symbol, animate && !fresh && before?.grid, found.symbol === EMPTY);
    }));
    if (!home) {
      const [height, width] = size();
      setHome(next.grid.last ?? next.legal.find((move) => move.cell)?.cell ?? [...cells.values()].find(({ cell }) => key(cell) === key([height >> 1, width >> 1]))?.cell ?? [0, 1]);
    }
    drawHints();
    drawMarks();
    if (document.activeElement?.matches?.(".cell:focus-visible") && element.contains(document.activeElement)) preview(home);
    carried = null;
    if (said) said.textContent = "";
  }

  const api = {
    element,
    update,
    focus,
    get position() { return position; },
    get flipped() { return flipped; },
    setInteractive(value) {
      if (interactive === value) return;
      interactive = value;
      if (!value && position.grid) {
        closeChooser();
        putBack();
        if (picked) pick(null);
      }
      if (position.grid) drawMarks();
      if (!value && position.grid) preview(null);
    },
    setHints(list) {
      const starts = new Map(position.legal?.map(({ action, start }) => [action, start]));
      hints = position.grid ? list.filter((hint) => hint.cell).map((hint) => ({ ...hint, start: starts.get(hint.action) })) : [];
      if (!position.grid) return;
      drawHints();
      drawMarks();
    },
    highlight(list) {
      if (!position.grid) return;
      // A rack would hide what lies below it.
      const slots = position.grid.style === "slots";
      const shape = shapeOf(position.grid);
      const mark = (cell) => s("g", { transform: at(cell) }, slots ? s("circle.highlight", { cx: 50, cy: 50, r: 42 }) : shape.outline(".highlight", 5, cell));
      fill(slots ? svg.querySelector(".above-marks") : effects, list.map(mark));
    },
    flip(value) {
      flipped = value;
      update(position, { animate: false });
    },
  };
  update(first, { animate: false });
  return api;
}
