// Who stood better when: the evaluation over the moves of a game. A click goes there, and so do the arrow keys.
//
//   const graph = createEvaluationGraph({ choose(ply) })
//   graph.update({ values: Map ply -> value for the first side, marks: [{ ply, verdict, text }], length, at, unit, style, view, solvedFrom })
//   graph.element                what is good for the side `view` is above

import { sideName } from "/static/board.js";
import { fill, h, s } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { valueText } from "/static/games/play/values.js";

const SCALES = [[8, 4], [16, 8], [32, 16], [64, 32]]; // how far the axis reaches in discs, and the distance of its lines
const [RIGHT, TOP] = [10, 10];
const LETTER = 7; // pixels for a letter of a side's name beside the axis, and twice that for a Chinese one

export function createEvaluationGraph({ choose }) {
  const svg = s("svg.evaluation-svg", { "aria-hidden": "true" });
  const element = h("div.evaluation-graph", { role: "slider", tabindex: 0, "aria-label": t("graph.title"), "aria-valuemin": 0 }, svg);
  let state = { values: new Map(), marks: [], length: 0, at: 0, unit: "discs", style: "discs", view: 0, solvedFrom: null };
  let size = { width: 0, height: 0 };
  let [left, bottom] = [34, 20]; // what the labels beside the plot and below it need

  const plyAt = (event) => {
    const box = svg.getBoundingClientRect();
    const part = (event.clientX - box.left - left) / Math.max(1, box.width - left - RIGHT);
    return Math.min(state.length, Math.max(0, Math.round(part * state.length)));
  };
  let held = false;
  svg.addEventListener("pointerdown", (event) => {
    held = true;
    svg.setPointerCapture(event.pointerId);
    choose(plyAt(event));
  });
  svg.addEventListener("pointermove", (event) => held && choose(plyAt(event)));
  for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, () => { held = false; });
  element.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: state.at - 1, ArrowDown: state.at - 1, ArrowRight: state.at + 1, ArrowUp: state.at + 1, Home: 0, End: state.length };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    choose(Math.min(state.length, Math.max(0, steps[event.key])));
  });

  function words(ply) {
    const value = state.values.get(ply);
    if (value === undefined) return t("graph.unknown", { ply });
    const seen = valueText(state.view ? -value : value, state.unit);
    return t("graph.at", { ply, value: value === 0 ? t("graph.level") : t("graph.for", { value: seen, side: sideName(state.style, state.view) }) });
  }

  function draw() {
    const { width, height } = size;
    const { values, length, at, unit, solvedFrom, style, view } = state;
    const up = view ? -1 : 1;
    if (!width) return;
    const points = [...values].sort(([a], [b]) => a - b);
    const most = points.reduce((far, [, value]) => Math.max(far, Math.abs(value)), 0);
    const [reach, step] = unit === "discs" ? SCALES.find(([end]) => most * 1.08 <= end) ?? SCALES.at(-1) : [1, 1];
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // type is large for a projector
    const sides = unit === "discs" ? [] : [0, 1].map((side) => sideName(style, side));
    left = scale * Math.max(34, ...sides.map((name) => 12 + LETTER * [...name].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0)));
    bottom = 20 * scale;
    const wide = width - left - RIGHT;
    const high = height - TOP - bottom;
    const x = (ply) => left + (wide * ply) / Math.max(1, length);
    const y = (value) => TOP + (high / 2) * (1 - (up * value) / reach);
    const parts = [s("rect.graph-ground", { x: left, y: TOP, width: wide, height: high })];
    if (solvedFrom !== null && solvedFrom !== undefined && solvedFrom < length) {
      parts.push(s("rect.graph-solved", { x: x(solvedFrom), y: TOP, width: x(length) - x(solvedFrom), height: high }, s("title", t("graph.solved"))));
    }
    for (let value = -reach; value <= reach; value += step) {
      parts.push(s("path.graph-rule", { d: `M${left} ${y(value)}h${wide}` }));
      const label = unit === "discs" ? valueText(up * value, unit) : value ? sides[value > 0 ? 0 : 1] : "=";
      parts.push(s("text.graph-number", { x: left - 6, y: y(value) + 4 * scale, "text-anchor": "end" }, label));
    }
    const every = [1, 2, 5, 10, 20, 50].find((gap) => (length / gap) * 26 * scale <= wide) ?? 100;
    for (let ply = 0; ply <= length; ply += every) parts.push(s("text.graph-number", { x: x(ply), y: height - 5, "text-anchor": "middle" }, ply));
    // Two areas: what lies above the middle is the first side's, what lies below the second's.
    const runs = [];
    points.forEach((point, i) => {
      if (i && point[0] - points[i - 1][0] === 1) runs.at(-1).push(point);
      else runs.push([point]);
    });
    for (const run of runs) {
      for (const [kind, keep] of [["first", Math.max], ["second", Math.min]]) {
        const outline = crossed(run).map(([ply, value]) => `${x(ply).toFixed(1)} ${y(keep(value, 0)).toFixed(1)}`).join("L");
        parts.push(s("path.graph-area", { "data-side": kind, "data-style": style, d: `M${x(run[0][0])} ${y(0)}L${outline}L${x(run.at(-1)[0])} ${y(0)}Z` }));
      }
      parts.push(s("path.graph-curve", { d: `M${run.map(([ply, value]) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}` }));
      if (run.length === 1) parts.push(s("circle.graph-point", { cx: x(run[0][0]), cy: y(run[0][1]), r: 2 }));
    }
    parts.push(s("path.graph-zero", { d: `M${left} ${y(0)}h${wide}` }));
    parts.push(s("path.graph-cursor", { d: `M${x(at)} ${TOP}v${high}` }));
    if (values.has(at)) parts.push(s("circle.graph-here", { cx: x(at), cy: y(values.get(at)), r: 5 }));
    for (const { ply, verdict, text } of state.marks) {
      if (!values.has(ply + 1) && !values.has(ply)) continue;
      const [cx, cy] = [x(ply + 1), y(values.get(ply + 1) ?? values.get(ply))];
      // Shapes differ too, so that no colour is needed to tell the kinds.
      const shape = verdict === "inaccuracy" ? s("circle", { cx, cy, r: 4.5 }) : s("rect", { x: cx - 4.5, y: cy - 4.5, width: 9, height: 9, transform: verdict === "mistake" ? `rotate(45 ${cx} ${cy})` : null });
      shape.classList.add("graph-mark");
      shape.dataset.verdict = verdict;
      shape.append(s("title", text));
      parts.push(shape);
    }
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    fill(svg, parts);
    element.setAttribute("aria-valuemax", length);
    element.setAttribute("aria-valuenow", at);
    element.setAttribute("aria-valuetext", words(at));
  }

  new ResizeObserver(() => {
    size = { width: element.clientWidth, height: element.clientHeight };
    draw();
  }).observe(element);

  return {
    element,
    update(next) {
      state = { ...state, ...next };
      draw();
    },
    words: () => words(state.at),
  };
}

// The points, and those where the line between two of them goes through zero.
function crossed(points) {
  return points.flatMap(([ply, value], i) => {
    const [last, before] = points[i - 1] ?? [ply, value];
    if (before * value >= 0) return [[ply, value]];
    return [[last + before / (before - value), 0], [ply, value]];
  });
}
