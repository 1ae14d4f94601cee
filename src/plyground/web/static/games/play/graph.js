// Who stands better: a graph over the moves of the line, and a bar beside the board.
//
//   const graph = createGraph({ choose(id) })
//   graph.update({ game, line, valueOf, style })   `line` are nodes; the beginning is node 0
//   graph.element, graph.bar                        the graph, and the bar
//   graph.words                                     "Black +3", for the heading

import { sideName } from "/static/board.js";
import { fill, h, s } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { share, valueText } from "/static/games/play/values.js";

const WIDE = 320;
const HIGH = 104;

export function createGraph({ choose }) {
  const svg = s("svg.graph", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
  const marker = h("span.graph-marker", { hidden: true });
  const element = h("div.graph-box", svg, marker);
  const level = h("i");
  const bar = h("div.bar-side", { "aria-hidden": "true" }, level);
  let ids = [];
  let words = "";

  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * Math.max(1, ids.length - 1));
    if (ids[index] !== undefined) choose(ids[index]);
  });

  function update({ game, line, valueOf, style }) {
    ids = [0, ...line.map((node) => node.id)];
    const step = WIDE / Math.max(1, ids.length - 1);
    const points = ids.map((id, i) => ({ id, x: ids.length > 1 ? i * step : WIDE / 2, opinion: valueOf(id) })).filter((point) => point.opinion);
    const y = ({ opinion }) => HIGH - 4 - (HIGH - 8) * share(opinion.value, opinion.unit);
    const path = points.map((point, i) => `${i ? "L" : "M"}${point.x.toFixed(1)} ${y(point).toFixed(1)}`).join("");
    const area = points.length > 1 ? `${path}L${points.at(-1).x.toFixed(1)} ${HIGH / 2}L${points[0].x.toFixed(1)} ${HIGH / 2}z` : "";
    fill(svg, s("path.graph-middle", { d: `M0 ${HIGH / 2}H${WIDE}` }), s("path.graph-area", { d: area }), s("path.graph-line", { d: path }));
    const here = points.find((point) => point.id === game.at);
    marker.hidden = !here;
    if (here) {
      marker.style.setProperty("left", `${(100 * here.x) / WIDE}%`);
      marker.style.setProperty("top", `${(100 * y(here)) / HIGH}%`);
    }
    words = "";
    if (here) {
      const { value, unit, exact } = here.opinion;
      const side = value >= 0 ? 0 : 1;
      words = value === 0 && (exact || unit === "discs") ? t("graph.even") : `${sideName(style, side)} ${valueText(Math.abs(value), unit, exact)}`;
      level.style.setProperty("height", `${(100 * share(value, unit)).toFixed(1)}%`);
    }
    bar.dataset.style = style;
    svg.setAttribute("aria-label", words ? t("graph.label", { words }) : t("graph.none"));
  }

  return { element, bar, update, get words() { return words; } };
}
