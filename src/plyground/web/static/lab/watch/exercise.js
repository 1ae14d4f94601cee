// The classroom exercise: where does alpha-beta cut, and of which kind is the cut? The server has the judge, the same as for
// the exercises to practise on (plyground.course.exercises.alphabeta).
//
//   asQuestion(drawing)             the tree with nothing but its leaves, all of it unfolded; null if not all of them are known
//   roomForMarks(drawing, words)    the looks that marks give, for mountReplay's `later`
//   judgeCuts(drawing, facts, marks, lang)  -> a promise of { verdicts: [{ key, found, given, expected, reason }], right, complete }
//
// `marks` is a Map from the number of a node to "alpha" or "beta". A verdict is there for every branch that is marked or
// should be; it is found "right", "wrong" or "missing". The answer is complete when every branch that a cut takes away is
// marked with the kind of that cut, and no other; what hangs below such a branch is not to be marked.

import { post } from "/static/api.js";

const ENDLESS = 1e300; // what stands for infinity in a message, which can hold numbers only

export function asQuestion(drawing) {
  const start = {};
  for (const [number, [, shape]] of drawing.nodes.entries()) {
    const value = drawing.start[number]?.value;
    if (shape === "leaf" && value === undefined) return null;
    start[number] = { state: "done", value: shape === "leaf" ? value : "" };
  }
  const all = drawing.nodes.map(() => 1); // nobody can answer what is folded
  return { ...drawing, start, steps: [], question: "", kept: all, opened: all };
}

export function roomForMarks(drawing, words) {
  const longest = Object.values(words).reduce((one, other) => (other.length > one.length ? other : one));
  return Object.fromEntries(drawing.nodes.map((_, number) => [number, { edge: "cut", note: number ? longest : "" }]));
}

// What a leaf is worth for MAX. The search knows the leaves that it has seen to the last digit; the others do not matter to it.
function leafValue(drawing, facts, number) {
  const exact = facts.nodes[number]?.value;
  const value = typeof exact === "number" ? exact : Number(drawing.start[number].value.replace("−", "-").replace("∞", "Infinity"));
  return Number.isNaN(value) ? 0 : Math.max(-ENDLESS, Math.min(ENDLESS, value));
}

export function judgeCuts(drawing, facts, marks, lang) {
  const nodes = drawing.nodes.map(([parent, shape], number) => [parent, shape, shape === "leaf" ? leafValue(drawing, facts, number) : null]);
  const labels = drawing.nodes.map(([, shape, , name]) => (shape === "leaf" ? "" : name.slice(0, 100)));
  return post("/api/practice/cuts", { nodes, labels, marks: Object.fromEntries(marks), lang });
}
