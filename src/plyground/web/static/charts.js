// Lines over a common axis, with their names at their ends.
//
//   const chart = createLineChart({ label, x: "pulls", y: "regret" })
//   chart.update([{ name, xs: [numbers], ys: [numbers], low: [], high: [], place: 0 }])   low and high are the edges of a band
//   chart.element, chart.destroy()
// `place` chooses colour and dashes; lines differ in both, so that no colour is needed to tell them apart.
//   lineKey(place) -> a short piece of such a line, for legends and tables

import { fill, h, s } from "/static/dom.js";

const [LEFT, TOP, BOTTOM] = [46, 10, 34];
const MOST_POINTS = 400; // of one line

export const lineKey = (place) => s("svg.line-key", { viewBox: "0 0 24 8", "aria-hidden": "true" }, s("path.chart-line", { d: "M1 4h22", "data-place": place % 8 }));

// Round numbers along an axis.
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

const compact = (value) => (Math.abs(value) >= 10_000 ? `${value / 1000}k` : String(value));

function thinned(xs, ys) {
  const every = Math.max(1, Math.ceil(xs.length / MOST_POINTS));
  const kept = [];
  for (let i = 0; i < xs.length; i += every) kept.push(i);
  if (xs.length && kept.at(-1) !== xs.length - 1) kept.push(xs.length - 1);
  return kept.map((i) => [xs[i], ys[i], i]);
}

export function createLineChart({ label, x: xName, y: yName }) {
  const svg = s("svg.chart-svg", { role: "img", "aria-label": label });
  const element = h("div.chart", svg);
  let series = [];
  let size = { width: 0, height: 0 };

  function draw() {
    const { width, height } = size;
    if (!width) return;
    const right = Math.min(110, width * 0.26);
    const wide = width - LEFT - right;
    const high = height - TOP - BOTTOM;
    const all = series.filter(({ xs }) => xs.length);
    const endX = Math.max(10, ...all.map(({ xs }) => xs.at(-1)));
    const tops = all.flatMap(({ ys, high: edge }) => [Math.max(...ys), ...(edge?.length ? [Math.max(...edge)] : [])]);
    const endY = Math.max(1, ...tops) * 1.05;
    const bottom = Math.min(0, ...all.map(({ ys }) => Math.min(...ys)));
    const x = (value) => LEFT + (wide * value) / endX;
    const y = (value) => TOP + high * (1 - (value - bottom) / (endY - bottom));
    const parts = [];
    for (const value of ticks(bottom, endY, height / 48)) {
      parts.push(s("path.chart-rule", { d: `M${LEFT} ${y(value)}h${wide}` }), s("text.chart-number", { x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" }, compact(value)));
    }
    for (const value of ticks(0, endX, wide / 90)) parts.push(s("text.chart-number", { x: x(value), y: height - 18, "text-anchor": "middle" }, compact(value)));
    parts.push(s("text.chart-name", { x: LEFT + wide / 2, y: height - 3, "text-anchor": "middle" }, xName), s("text.chart-name", { transform: `translate(11 ${TOP + high / 2}) rotate(-90)`, "text-anchor": "middle" }, yName));
    const ends = [];
    for (const { name, xs, ys, low, high: edge, place } of all) {
      if (low?.length) {
        const upper = thinned(xs, edge).map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`);
        const lower = thinned(xs, low).map(([a, b]) => `${x(a).toFixed(1)} ${y(Math.max(bottom, b)).toFixed(1)}`).reverse();
        parts.push(s("path.chart-band", { d: `M${[...upper, ...lower].join("L")}Z`, "data-place": place % 8 }));
      }
      parts.push(s("path.chart-line", { d: `M${thinned(xs, ys).map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("L")}`, "data-place": place % 8 }));
      if (xs.at(-1) > xs[0]) ends.push({ name, place, at: y(ys.at(-1)), from: x(xs.at(-1)) });  // a point needs no name
    }
    // Names that would cover each other make room.
    ends.sort((a, b) => a.at - b.at);
    ends.forEach((end, i) => { end.shown = Math.max(end.at, i ? ends[i - 1].shown + 15 : TOP + 6); });
    const over = ends.length ? ends.at(-1).shown - (TOP + high) : 0;
    if (over > 0) ends.forEach((end) => { end.shown -= over; });
    for (const { name, place, shown, from } of ends) parts.push(s("text.chart-end", { x: Math.min(from + 6, LEFT + wide + 6), y: shown + 4, "data-place": place % 8 }, name));
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    fill(svg, parts);
  }

  const watching = new ResizeObserver(() => {
    size = { width: element.clientWidth, height: element.clientHeight };
    draw();
  });
  watching.observe(element);
  return {
    element,
    update(next) {
      series = next;
      draw();
    },
    destroy: () => watching.disconnect(),
  };
}
