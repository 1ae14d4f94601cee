// A picture of how a game was won, not a rule of it.
//
//   winningCells(grid, side)   the chain across a board whose edges have owners, otherwise the longest straight row through the last move

import { shapeOf } from "/static/board_shapes.js";

export function winningCells(grid, side) {
  const { chain } = shapeOf(grid);
  if (chain) return chain(grid, side);
  if (!grid.last || !["marks", "slots"].includes(grid.style)) return [];
  const symbol = grid.symbols[side];
  const run = ([down, right]) => {
    const cells = [grid.last];
    for (const way of [1, -1]) {
      for (let i = 1; grid.cells[grid.last[0] + way * i * down]?.[grid.last[1] + way * i * right] === symbol; i++) cells.push([grid.last[0] + way * i * down, grid.last[1] + way * i * right]);
    }
    return cells;
  };
  return [[0, 1], [1, 0], [1, 1], [1, -1]].map(run).reduce((longest, cells) => (cells.length > longest.length ? cells : longest));
}
