// The tables of a tournament: everybody by standing, and everybody against everybody.
//
//   standingsTable() -> { element, show({ rows }, called) }
//   crosstable() -> { element, show({ rows, pairs, players }, called, link(name, other)) }
//     `rows` are by standing; `pairs` are [first, second, wins, draws, losses, disturbed], the players by their numbers
//   pointsText(1.5) -> "1½"

import { breakable, fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";

const COUNTS = ["games", "wins", "draws", "losses"];

export const pointsText = (points) => `${Math.floor(points) || points % 1 === 0 ? Math.floor(points) : ""}${points % 1 ? "½" : ""}`;

const eloText = ({ elo, bound, low, high }) => (elo === null || elo === undefined ? "–" : `${bound === "at least" ? "≥ " : bound === "at most" ? "≤ " : ""}${String(Math.round(elo)).replace("-", "−")}${low !== null && high !== null && low !== undefined && Number.isFinite(high - low) && high > low ? ` ± ${Math.round((high - low) / 2)}` : ""}`);

// A name, and below it what it stands for, where that is something else.
const nameOf = (name, called) => [h("span", breakable(called(name))), called(name) !== name && h("small.muted.mono", breakable(name))];

export function standingsTable() {
  const element = h("table.table.arena-table");
  return {
    element,
    show({ rows }, called) {
      const forfeits = rows.some((row) => row.forfeits);
      const columns = [...COUNTS, ...(forfeits ? ["forfeits"] : [])];
      fill(element, h("caption.unseen", t("arena.table")),
        h("thead", h("tr", h("th.number", { scope: "col" }, t("arena.col.place")), h("th", { scope: "col" }, t("arena.col.name")), ["points", "share", "elo", ...columns].map((name) => h("th.number", { scope: "col" }, t(`arena.col.${name}`))))),
        h("tbody", rows.map((row, i) => h("tr", h("td.number", i + 1), h("th.arena-name", { scope: "row" }, nameOf(row.name, called)), h("td.number", pointsText(row.points)), h("td.number", row.share === null ? "–" : `${Math.round(100 * row.share)}%`), h("td.number", eloText(row)), columns.map((name) => h("td.number", row[name]))))));
    },
  };
}

export function crosstable() {
  const element = h("table.table.crosstable");

  function cellOf(row, other, met, called, link) {
    if (!met) return h("td.cross", h("span.faint", { "aria-hidden": "true" }, "·"), h("span.unseen", t("arena.cross.unmet")));
    const { won, lost, games, disturbed } = met;
    const words = { name: called(row), other: called(other), won: pointsText(won), lost: pointsText(lost), games, disturbed };
    const label = games ? t("arena.cross.met", words) : t("arena.cross.disturbed", words);
    return h("td.cross", { class: `cross ${won > lost ? "ahead" : won < lost ? "behind" : ""}` },
      h("a", { href: link(row, other), "aria-label": label, title: label, dataset: { cell: `${row}\n${other}` } }, games ? `${pointsText(won)}–${pointsText(lost)}` : "×"));
  }

  return {
    element,
    show({ rows = [], pairs = [], players }, called, link) {
      const met = new Map();
      for (const [first, second, wins, draws, losses, disturbed] of pairs) {
        const [won, lost] = [wins + draws / 2, losses + draws / 2];
        const rest = { games: wins + draws + losses, disturbed };
        met.set(`${players[first]}\n${players[second]}`, { won, lost, ...rest });
        met.set(`${players[second]}\n${players[first]}`, { won: lost, lost: won, ...rest });
      }
      const focused = element.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
      fill(element, h("caption.unseen", t("arena.cross")),
        h("thead", h("tr", h("th.cross-name", { scope: "col" }, t("arena.col.name")), h("th.number", { scope: "col" }, t("arena.col.points")),
          rows.map(({ name }, i) => h("th.cross", { scope: "col", title: called(name) }, h("span", { "aria-hidden": "true" }, i + 1), h("span.unseen", called(name)))))),
        h("tbody", rows.map(({ name, points }, i) => h("tr", h("th.cross-name", { scope: "row" }, h("span.cross-who", h("span.cross-place.faint", { "aria-hidden": "true" }, i + 1), h("span", breakable(called(name))))), h("td.number", h("b", pointsText(points))),
          rows.map(({ name: other }) => (other === name ? h("td.cross.cross-self", { "aria-label": t("arena.cross.self") }, "–") : cellOf(name, other, met.get(`${name}\n${other}`), called, link)))))));
      if (focused) [...element.querySelectorAll("[data-cell]")].find((cell) => cell.dataset.cell === focused)?.focus();
    },
  };
}
