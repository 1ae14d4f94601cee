// The opening explorer: what the book and the games of the server's database know of the moves of a position.
//
//   const explorer = createExplorer({ play(action, move) })
//   explorer.update({ game, moves: text, board, style, mover, view, unit })   asks the server, unless it has answered before
//   explorer.element, explorer.close()

import { post } from "/static/api.js";
import { sideName } from "/static/board.js";
import { fill, h } from "/static/dom.js";
import { openingName, t } from "/static/i18n.js";
import { seenBy } from "/static/games/analyze/review.js";
import { countText, valueText } from "/static/games/play/values.js";

const PAUSE = 150; // milliseconds, so that somebody who hurries through a game asks once
const KEPT = 200;

export function createExplorer({ play }) {
  const known = new Map();
  const element = h("div.explorer");
  let shown = null;
  let timer = 0;

  const keyOf = ({ game, moves, board }) => JSON.stringify([game, moves, board]);

  // The first answer comes at once, with what has been counted so far; then it is asked less often.
  async function ask(wanted, patient = false) {
    const key = keyOf(wanted);
    try {
      const { game, moves, board } = wanted;
      const found = await post("/api/explore", { game, moves, board, patient });
      if (known.size >= KEPT) known.delete(known.keys().next().value);
      known.set(key, found);
      if (shown && keyOf(shown) === key) {
        draw();
        if (found.games && found.games.counted < found.games.total) ask(wanted, true);
      }
    } catch (error) {
      if (shown && keyOf(shown) === key) fill(element, h("p.small.error", error.message || t("error.network")));
    }
  }

  const whole = (counts) => counts.reduce((sum, count) => sum + count, 0);

  function results(row) {
    const sums = row.others.map((count, i) => count + row.here[i]);
    const ended = whole(sums.slice(0, 3));
    if (!ended) return "";
    const part = (i) => `${Math.round((100 * sums[i]) / ended)}%`;
    const words = t("explorer.results", { first: sideName(shown.style, 0), one: part(0), drawn: part(1), second: sideName(shown.style, 1), two: part(2) });
    return h("span.explorer-bar", { role: "img", "aria-label": words, title: words, dataset: { style: shown.style } }, ["first", "drawn", "second"].map((kind, i) => h("i", { dataset: { side: kind }, style: { "flex-grow": String(sums[i]) } })));
  }

  function draw() {
    const found = known.get(keyOf(shown));
    if (!found) return;
    const { games, moves, unit, ply, plies } = found;
    const note = !games ? t("explorer.broken") : games.counted < games.total ? t("explorer.counting", { counted: countText(games.counted), total: countText(games.total) })
      : games.total ? t(ply >= plies ? "explorer.late" : "explorer.counted", { total: countText(games.total), plies }) : t("explorer.nogames");
    const value = (row) => (row.value === null ? "" : unit === "discs" ? seenBy(row.value, shown.mover, shown.view).toFixed(1).replace("-", "−").replace(/^(?=[1-9]|0\.[1-9])/, "+") : valueText(seenBy(row.value, shown.mover, shown.view), unit, true));
    fill(element, moves.length > 0 && h("div.explorer-scroll", { tabindex: 0, role: "group", "aria-label": t("explorer") }, h("table.table", h("thead", h("tr", h("th", t("explorer.move")), h("th.number", { title: t("explorer.book.help", { side: sideName(shown.style, shown.view) }) }, t("explorer.book")), h("th.number", { title: t("explorer.others.help") }, t("explorer.others")), h("th.number", { title: t("explorer.here.help") }, t("explorer.here")), h("th.number", { title: t("explorer.mine.help") }, t("explorer.mine")), h("th", t("explorer.ended")))),
      h("tbody", moves.map((row) => h("tr", h("td", h("div.explorer-name", h("button.explorer-move", { type: "button", onclick: () => play(row.action, row) }, h("b", row.text)), openingName(row) && h("span.small.muted", openingName(row)))),
        h("td.number", value(row)), h("td.number", whole(row.others) ? countText(whole(row.others)) : "–"), h("td.number", whole(row.here) ? countText(whole(row.here)) : "–"), h("td.number", whole(row.mine) ? countText(whole(row.mine)) : "–"), h("td", results(row))))))),
    !moves.length && h("p.small.muted", t("explorer.nothing")), h("p.small.muted", { role: "status" }, note));
  }

  return {
    element,
    update(next) {
      const same = shown && keyOf(shown) === keyOf(next);
      shown = next;
      const found = known.get(keyOf(next));
      clearTimeout(timer);
      if (found) draw();
      else if (!same) fill(element, h("p.small.muted", t("explorer.looking")));
      // Games may have been added since, but not while somebody goes to and fro.
      if (!found) timer = setTimeout(() => ask(next), PAUSE);
    },
    close() {
      clearTimeout(timer);
      shown = null;
    },
  };
}
