// A page of its own with the analysis that it holds: board, graph, mistakes and moves, without a server.

import { createReview, valuesOf } from "/static/games/analyze/review.js";
import { createStepper } from "/static/games/analyze/stepper.js";
import { createVariations } from "/static/games/analyze/variations.js";
import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { fill, h } from "/static/dom.js";
import { addWords, t } from "/static/i18n.js";
import words from "/static/words/review.js";

addWords(words);

const { facts, positions, moves, title } = JSON.parse(document.getElementById("drawing").textContent);
const tree = createVariations();
let last = tree.root;
moves.forEach((move, ply) => {
  last = tree.add(last, move);
  Object.assign(last, { judged: facts.moves.find(({ number }) => number === ply + 1), mover: positions[ply].to_move });
});
const line = tree.line(tree.root);
const values = valuesOf(line);
for (const value of facts.values) values.set(value.moves, value.black);

const { style } = positions[0].grid;
const board = createBoard(positions[0], { label: t("review.board"), interactive: false });
const under = h("p.muted.analyze-under");
const stepper = createStepper({ go, flip: () => board.flip(!board.flipped) });
const review = createReview({ choose: ({ ply }) => go(ply) });
let at = 0;

function go(ply) {
  at = Math.min(moves.length, Math.max(0, ply));
  const now = positions[at];
  board.update(now);
  const move = line[at]?.judged;
  board.highlight([]);
  if (move?.loss > 0) board.highlight(now.legal.filter(({ text }) => text === move.best.move && text).flatMap(({ cell }) => (cell ? [cell] : [])));
  fill(under, now.counts.map((count, side) => h("span.analyze-count", pieceIcon(style, side), sideName(style, side), " ", h("b.tabular", count))));
  stepper.update({ at, length: moves.length });
  review.update({ tree, node: at ? line[at - 1] : tree.root, values, facts, unit: "discs", style, view: 0 });
}

const panel = (heading, ...body) => h("section.panel", h("header", h("h2", heading)), h("div.body.stack", body));
fill(document.querySelector("main"), h("div.analyze",
  h("div.analyze-left", under, h("div.analyze-board", board.element), stepper.element),
  h("div.analyze-right", panel(t("graph.title"), h("p.small.muted", t("review.seenby", { side: sideName(style, 0) })), review.graph, review.players),
    panel(t("review.mistakes"), facts.moves.some(({ verdict }) => ["inaccuracy", "mistake", "blunder"].includes(verdict)) ? review.mistakes : h("p.muted", t("review.nomistakes"))),
    panel(t("review.moves"), review.moves, facts.notes.map((note) => h("p.small.muted", note))))));

document.querySelector("h1").textContent = title;
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("[role=grid]")) return;
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length };
  if (!(event.key in steps)) return;
  event.preventDefault();
  go(steps[event.key]);
});
const theme = document.getElementById("theme");
theme.title = t("theme");
theme.setAttribute("aria-label", t("theme"));
theme.onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
};
go(0);
