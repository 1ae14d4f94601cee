// The board: an SVG drawn from a Position of the server, for eyes, pointers, keyboards and screen readers.
//
//   const board = createBoard(position, { onPlay(action, move), label, interactive, flipped, coordinates })
//   root.append(board.element)
//   board.update(position, { animate: false })   draws what has changed; discs turn, marks are drawn, slots are filled
//   board.setInteractive(true)                   whether the legal moves may be played now
//   board.setHints([{ cell: [r, c], text: "+3", best: true, exact: true, tone: "good"|"bad" }])   values on squares; [] for none
//   board.highlight([[r, c], ...])               frames cells, such as those of a line
//   board.flip(true), board.flipped              seen from the other side
//   board.focus([r, c]?)                         moves the keyboard's focus onto the board
//   board.position                               what is shown
//
//   sideName(position.grid | style, side)        "Black", "X", ... in the visitor's language
//   pieceIcon(grid | style, side)                the same as a small picture
//   cellName(grid, [r, c])                       "d3"
//   movesOffBoard(position)                      legal moves that no cell stands for, such as a pass
//   miniature(grid)                              a still picture of a board, for lists and tiles
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

export function pieceIcon(grid, side) {
  const style = styleOf(grid);
  const known = KNOWN.includes(style);
  return s("svg.piece-icon", { viewBox: "0 0 100 100", "aria-hidden": "true", "data-style": style },
    known ? piece(style, side, "Kk"[side]) : s("g", s("circle.plain-side", { cx: 50, cy: 50, r: 40, "data-side": side }), s("text.plain-number", { x: 50, y: 66 }, side + 1)));
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
  const { onPlay = () => {}, label = "", coordinates = true } = options;
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
  let hints = [];

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
    fill(element, svg);
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
      if (found) play(found.cell);
    });
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
    else if (event.key === "Escape" && picked) pick(null);
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
    const here = position.legal.filter((move) => move.cell && (!move.start || !picked || key(move.start) === key(picked)));
    moves = new Map(here.map((move) => (move.start && !picked ? [key(move.start), { pick: move.start }] : [key(move.cell), move])));
  }

  const movable = (cell) => position.legal.some(({ start, cell: end }) => start && end && key(start) === key(cell));

  function pick(cell) {
    picked = cell;
    listMoves();
    drawMarks();
  }

  function play(cell) {
    const move = moveAt(cell);
    if (!interactive) return;
    if (move?.pick) return void pick(cell);
    if (picked && !move) return void pick(key(picked) !== key(cell) && movable(cell) ? cell : null);
    if (move) {
      preview(null);
      onPlay(move.action, move);
    }
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
    if (!isNew) return null;
    if (grid.style === "slots") {
      now.animate([{ transform: `translateY(-${(cell[0] + 1) * CELL}px)` }, { transform: "none" }], { duration: TURN, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" });
    } else if (grid.style === "marks" || grid.style === "boxes") {
      now.firstChild.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: TURN, easing: "ease-out" });
    } else now.animate([{ transform: "scale(0.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: TURN / 2, easing: "ease-out" });
    return null;
  }

  function drawMarks() {
    const { grid } = position;
    for (const { group, cell, symbol } of cells.values()) {
      const legal = interactive && moves.has(key(cell));
      const playable = interactive && Boolean(moveAt(cell) || (picked && movable(cell)));
      group.classList.toggle("playable", playable);
      const last = grid.last && key(grid.last) === key(cell);
      group.classList.toggle("last", Boolean(last));
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

  function update(next, { animate = !calm() } = {}) {
    const before = position;
    position = next;
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
      if (position.grid) drawMarks();
      if (!value && position.grid) preview(null);
    },
    setHints(list) {
      hints = position.grid ? list.filter((hint) => hint.cell && (hint.best || position.grid.style !== "chess")) : [];
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
