// The classroom exercise: where does alpha-beta cut, and of which kind is the cut? The server's own search is the judge.
//
//   asQuestion(drawing)             the tree with nothing but its leaves; null if not all of them are known
//   roomForMarks(drawing, words)    the looks that marks give, for mountReplay's `later`
//   grade(drawing, cuts, marks)     -> { items: [{ node, verdict, kind, caption, why }], missing: [cut], total }
//
// `marks` is a Map from the number of a node to "alpha" or "beta", `cuts` are those of the search's facts. Verdicts:
//   right    the branch is cut there, with that kind
//   kind     it is cut, but with the other kind
//   below    it hangs below a branch that is cut: the search never comes here to cut it
//   visited  the search looks there; `why` is what its parent knows when it does: { min, value, window }

export function asQuestion(drawing) {
  const start = {};
  for (const [number, [, shape]] of drawing.nodes.entries()) {
    const value = drawing.start[number]?.value;
    if (shape === "leaf" && value === undefined) return null;
    start[number] = { state: "done", value: shape === "leaf" ? value : "" };
  }
  return { ...drawing, start, steps: [], question: "" };
}

export function roomForMarks(drawing, words) {
  const longest = Object.values(words).reduce((one, other) => (other.length > one.length ? other : one));
  return Object.fromEntries(drawing.nodes.map((_, number) => [number, { edge: "cut", note: number ? longest : "" }]));
}

// The branches that a cut takes away.
export function branchesOf(drawing, cut) {
  return drawing.nodes.flatMap(([parent], number) => (number && parent === cut.node && isCut(drawing, number) ? [number] : []));
}

const isCut = (drawing, number) => cutStep(drawing, number) >= 0;

function cutStep(drawing, number) {
  let found = -1;
  drawing.steps.forEach(([, , changes], step) => {
    const edge = changes[number]?.edge;
    if (edge === "cut") found = step;
    else if (edge) found = -1;
  });
  return found;
}

// What is known of a node before a step.
function known(drawing, number, step) {
  const found = { min: drawing.nodes[number][1] === "min", value: "", window: "" };
  for (const [, , changes] of drawing.steps.slice(0, Math.max(0, step))) {
    const { value, lines } = changes[number] ?? {};
    if (value !== undefined) found.value = value;
    if (lines?.length) [found.window] = lines;
  }
  return found;
}

export function grade(drawing, cuts, marks) {
  const captionAt = (step) => drawing.steps[step]?.[0] ?? "";
  const firstVisit = (number) => drawing.steps.findIndex(([, focus, changes]) => (
    focus === number && ["open", "done"].includes(changes[number]?.state)
  ));
  const found = new Set();
  const items = [...marks].sort(([a], [b]) => a - b).map(([node, kind]) => {
    const parent = drawing.nodes[node][0];
    const cutAt = cutStep(drawing, node);
    const cut = cuts.find((one) => one.node === parent && one.kind !== undefined);
    if (cutAt >= 0 && cut) {
      const right = cut.kind === kind;
      if (right) found.add(cut);
      return { node, kind, verdict: right ? "right" : "kind", caption: captionAt(cutAt) };
    }
    for (let above = parent; above > 0; above = drawing.nodes[above][0]) {
      if (isCut(drawing, above)) return { node, kind, verdict: "below", caption: captionAt(cutStep(drawing, above)) };
    }
    const step = firstVisit(node);
    return { node, kind, verdict: "visited", caption: captionAt(step), why: known(drawing, parent, step) };
  });
  const real = cuts.filter((cut) => branchesOf(drawing, cut).length);
  return { items, missing: real.filter((cut) => !found.has(cut)), total: real.length };
}
