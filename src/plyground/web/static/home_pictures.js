// Small pictures for the doors and the gallery of the home page: what a page is about, drawn in its own shapes.
//
//   picture("queens")   an SVG of 160 by 100, hidden from screen readers; null if there is none

import { s } from "/static/dom.js";

const line = (d, kind = "line") => s(`path.${kind}`, { d });
const dot = (cx, cy, r, kind = "ink") => s(`circle.${kind}`, { cx, cy, r });
const box = (x, y, width, height, kind = "ink", rx = 2) => s(`rect.${kind}`, { x, y, width, height, rx });
const word = (x, y, text, kind = "word") => s(`text.${kind}`, { x, y }, text);
const up = (x, y, r, kind = "node") => s(`path.${kind}`, { d: `M${x} ${y - r}l${r} ${1.7 * r}h${-2 * r}z` });
const down = (x, y, r, kind = "node") => s(`path.${kind}`, { d: `M${x} ${y + r}l${r} ${-1.7 * r}h${-2 * r}z` });

// The worked tree; what `cut` names is struck through.
function tree(best, cut = []) {
  const parts = [];
  [34, 80, 126].forEach((x, i) => {
    parts.push(line(`M80 24L${x} 46`, i === best ? "best" : "line"));
    [-14, 0, 14].forEach((dx, j) => {
      const off = cut.includes(`${i}${j}`);
      parts.push(line(`M${x} 58L${x + dx} 78`, off ? "pale" : i === best && j === 0 ? "best" : "line"), box(x + dx - 5, 78, 10, 10, off ? "pale-leaf" : "leaf"));
      if (off) parts.push(line(`M${x + dx * 0.55 - 5} 72l8 -7`, "cut"));
    });
    parts.push(down(x, 52, 8));
  });
  return [...parts, up(80, 16, 10, "node lit")];
}

const grid = (x, y, count, size) => line(Array.from({ length: count + 1 }, (_, i) => `M${x} ${y + i * size}h${count * size}M${x + i * size} ${y}v${count * size}`).join(""), "pale");

const discs = (rows, x, y, size) => [box(x - 3, y - 3, rows[0].length * size + 6, rows.length * size + 6, "felt", 5),
  ...rows.flatMap((row, r) => [...row].flatMap((cell, c) => (cell === "." ? [] : [dot(x + (c + 0.5) * size, y + (r + 0.5) * size, size * 0.4, cell === "X" ? "dark" : "light")])))];

const PICTURES = {
  learn: () => [box(18, 16, 56, 68, "page-sheet", 5), line("M28 32h36M28 42h36M28 52h24", "pale"), word(46, 74, "✓", "good"), ...[0, 1, 2].flatMap((i) => [line(`M112 30L${92 + i * 20} 56`, i ? "line" : "best"), down(92 + i * 20, 64, 8)]), up(112, 26, 10, "node lit")],
  play: () => discs(["......", "..XO..", ".OXXO.", "..OXX.", "...XO.", "......"], 41, 11, 13),
  research: () => [line("M24 14v68h118", "line"), line("M24 76C52 70 60 36 88 28S128 20 140 19", "best"), line("M24 78C60 76 76 62 100 52S128 44 140 42", "second"), dot(88, 28, 3.500, "accent"), dot(100, 52, 3.500, "other")],
  watch: () => tree(0, ["11", "12"]),
  analyze: () => [line("M20 50h122", "pale"), line("M20 52L34 48L48 55L62 40L76 44L90 22L104 30L118 64L132 60L142 74", "best"), dot(118, 64, 4.500, "cutdot"), dot(90, 22, 4, "accent")],
  arena: () => [0, 1, 2, 3].flatMap((r) => [box(26, 16 + r * 18, 34, 12, r ? "pale-leaf" : "accent", 4), ...[0, 1, 2, 3].map((c) => (r === c ? box(70 + c * 18, 16 + r * 18, 12, 12, "pale-leaf") : dot(76 + c * 18, 22 + r * 18, 5.500, (r < c) === (r + c !== 3) ? "won" : "lost")))]),
  bandits: () => [22, 58, 40, 70].flatMap((high, i) => [box(26 + i * 30, 84 - high, 18, high, i === 3 ? "accent" : "pale-leaf", 3), line(`M${35 + i * 30} ${84 - high - 10}v20M${31 + i * 30} ${84 - high - 10}h8M${31 + i * 30} ${94 - high}h8`, "line")]),
  queens: () => [grid(44, 14, 4, 18), ...[1, 3, 0, 2].map((r, c) => s("path.accent", { d: `M${47 + c * 18} ${28 + r * 18}l-1.500 -9l4.500 4l3 -6l3 6l4.500 -4l-1.500 9z` }))],
  wumpus: () => [grid(44, 14, 4, 18), dot(71, 59, 6, "dark"), dot(107, 23, 6, "dark"), s("path.cutdot", { d: "M49 38c0-9 12-9 12 0v4h-12z" }), up(53, 78, 5, "accent"), box(85, 37, 8, 8, "gold", 4)],
  matrix: () => [box(44, 18, 72, 64, "page-sheet", 4), line("M80 18v64M44 50h72", "pale"), word(62, 38, "−1,−1"), word(98, 38, "−9,0"), word(62, 70, "0,−9"), word(98, 70, "−6,−6", "word lit")],
  pacman: () => [line("M20 22h120M20 78h60M100 78h40", "wall"), s("path.gold", { d: "M62 40A16 16 0 1 0 62 60L50 50z" }), ...[76, 92, 108].map((x) => dot(x, 50, 3, "line-dot")), s("path.second-fill", { d: "M118 62v-12a10 10 0 0 1 20 0v12l-5 -4l-5 4l-5 -4z" })],
  hidden: () => [s("g", { transform: "rotate(-9 62 50)" }, box(44, 22, 36, 54, "page-sheet", 4), word(62, 55, "K", "word large")), s("g", { transform: "rotate(8 98 50)" }, box(80, 22, 36, 54, "back", 4), word(98, 55, "?", "word large light-word"))],
  practice: () => [...tree(0), word(80, 21, "?", "word lit")],
  puzzles: () => [...discs(["XXXO..", "XOXXX.", "OOXOXX", "XXOXX.", "OXXXXX", "..OOO."], 41, 11, 13), dot(112.500, 17.500, 4, "gold")],
};

export function picture(name) {
  const draw = PICTURES[name];
  return draw ? s("svg.home-picture", { viewBox: "0 0 160 100", "aria-hidden": "true" }, draw()) : null;
}
