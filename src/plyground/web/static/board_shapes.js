// How the cells of a board lie, by the grid's style: squares, hexagons in a rhombus, or the lines and boxes between dots.
//
//   const shape = shapeOf(grid)
//   shape.box(height, width)              [x, y, width, height] of all cells together
//   shape.spot([r, c])                    where the 100 by 100 around a cell's centre begin
//   shape.outline(selector, inset, cell)  the outline of a cell, inside of those 100 by 100, as an SVG element; without an inset what is touched
//   shape.isCell([r, c])                  whether there is a cell: a dot between lines is none
//   shape.name(grid, [r, c])              what people call a cell
//   shape.chain(grid, side)               for a board whose edges have owners: the cells of the shortest way across, or none
//   shape.edges(height, width)            the same: [side, path] of each edge
//
// Rows and columns are those of the grid; what the moves and the cells mean is not known here.

import { s } from "/static/dom.js";

export const CELL = 100;

const squares = {
  box: (height, width) => [0, 0, width * CELL, height * CELL],
  spot: ([r, c]) => [c * CELL, r * CELL],
  isCell: () => true,
  name: (grid, [r, c]) => `${grid.columns?.[c] ?? ""}${grid.rows?.[r] ?? ""}`,
  outline: (selector, inset) => s(`rect${selector}`, { x: inset, y: inset, width: CELL - 2 * inset, height: CELL - 2 * inset, rx: inset ? 10 : 0 }),
};

const RADIUS = CELL / Math.sqrt(3);
const STEP = 1.5 * RADIUS;
const CORNERS = [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]]; // from the top, clockwise
const BESIDE = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]];

const hexagons = {
  isCell: squares.isCell,
  name: squares.name,
  box: (height, width) => [0, CELL / 2 - RADIUS, (width + (height - 1) / 2) * CELL, (height - 1) * STEP + 2 * RADIUS],
  spot: ([r, c]) => [c * CELL + (r * CELL) / 2, r * STEP],
  outline: (selector, inset) => s(`polygon${selector}`, { points: CORNERS.map(([a, b]) => [50 + a * (CELL / 2 - inset), 50 + b * (RADIUS - 1.15 * inset)].map(short)).join(" ") }),
  edges(height, width) {
    const corner = (r, c, i) => hexagons.spot([r, c]).map((at, axis) => at + 50 + CORNERS[i][axis] * (axis ? RADIUS : CELL / 2));
    const path = (points) => `M${points.map((point) => point.map(short).join(" ")).join("L")}`;
    const along = (count, cell, corners) => path(Array.from({ length: count }, (_, i) => corners.map((n) => corner(...cell(i), n))).flat());
    return [
      [0, along(width, (c) => [0, c], [5, 0, 1])],
      [0, along(width, (c) => [height - 1, c], [4, 3, 2])],
      [1, along(height, (r) => [r, 0], [5, 4])],
      [1, along(height, (r) => [r, width - 1], [1, 2])],
    ];
  },
  chain(grid, side) {
    const last = grid.cells.length - 1;
    const depth = (cell) => cell[side];
    const own = ([r, c]) => grid.cells[r]?.[c] === grid.symbols[side];
    const first = grid.cells.map((_, i) => (side ? [i, 0] : [0, i])).filter(own);
    const from = new Map(first.map((cell) => [String(cell), null]));
    const queue = [...first];
    for (const cell of queue) {
      if (depth(cell) === last) {
        const chain = [];
        for (let at = cell; at; at = from.get(String(at))) chain.push(at);
        return chain;
      }
      for (const [down, right] of BESIDE) {
        const there = [cell[0] + down, cell[1] + right];
        if (own(there) && !from.has(String(there))) {
          from.set(String(there), cell);
          queue.push(there);
        }
      }
    }
    return [];
  },
};

// A lattice: dots where row and column are even, boxes where both are odd, and between the dots lines, which lie in even rows.
const HALF = CELL / 2;
export const isLine = ([r, c]) => r % 2 !== c % 2;

const boxes = {
  box: (height, width) => [0, 0, (width - 1) * HALF, (height - 1) * HALF],
  spot: ([r, c]) => [(c - 1) * HALF, (r - 1) * HALF],
  isCell: ([r, c]) => r % 2 === 1 || c % 2 === 1,
  // A line is called by the dots that it joins, a box by its corners.
  name(grid, [r, c]) {
    const dot = (row, column) => `${grid.columns[column] ?? ""}${grid.rows[row] ?? ""}`;
    return `${dot(r - (r % 2), c - (c % 2))}-${dot(r + (r % 2), c + (c % 2))}`;
  },
  outline(selector, inset, [r, c]) {
    if (!isLine([r, c])) return s(`rect${selector}`, { x: 10 + inset, y: 10 + inset, width: 80 - 2 * inset, height: 80 - 2 * inset, rx: 8 });
    // Touched is a line everywhere from box centre to box centre; shown is less.
    if (!inset) return s(`polygon${selector}`, { points: "0 50 50 0 100 50 50 100" });
    return r % 2 ? s(`rect${selector}`, { x: 36, y: 8, width: 28, height: 84, rx: 14 }) : s(`rect${selector}`, { x: 8, y: 36, width: 84, height: 28, rx: 14 });
  },
};

const short = (number) => Math.round(number * 100) / 100;

export const shapeOf = (grid) => ({ hex: hexagons, boxes })[grid.style] ?? squares;
