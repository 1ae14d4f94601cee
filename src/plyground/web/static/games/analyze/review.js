// A game that has been judged: the graph, its mistakes, every move, and how well each side played. The app shows it while
// the search goes on, a page in a single file when it is done.
//
//   const review = createReview({ choose(ply) })
//   review.update({ moves: [text], judged: Map ply -> move as `analyze --json` has it, values: Map ply -> value for the first side,
//                   facts: null or what is known of the whole game, at, unit, style, movers: [side of each ply] })
//   review.graph, review.players, review.mistakes, review.moves      elements

import { pieceIcon, sideName } from "/static/board.js";
import { fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { outcomeText, valueText } from "/static/games/play/values.js";
import { createEvaluationGraph } from "/static/games/analyze/evaluation_graph.js";

const WORSE = ["inaccuracy", "mistake", "blunder"];
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const NAMES = ["black", "white"];

export function createReview({ choose }) {
  const graph = createEvaluationGraph({ choose });
  const players = h("div.review-players");
  const mistakes = h("ol.review-mistakes");
  const moves = h("ol.review-moves");
  let shown = "";

  function sentence(move, state) {
    const { unit, style, movers } = state;
    const words = `${move.number}. ${sideName(style, movers[move.number - 1])} ${move.move}`;
    return move.loss > 0 ? t("review.loses", { move: words, loss: lossText(move.loss, unit), best: move.best.move, value: outcomeText({ ...move.best, exact: move.best.solved }, unit) }) : words;
  }

  function lossText(loss, unit) {
    return unit === "discs" ? t("review.discs", { count: Math.round(loss) }) : `${Math.round(50 * loss)}%`;
  }

  function drawMoves(state) {
    const { judged, movers, style, at } = state;
    fill(moves, state.moves.map((text, ply) => {
      const move = judged.get(ply);
      return h("li", h("button", {
        type: "button", "aria-current": ply + 1 === at ? "step" : null, dataset: { ply: ply + 1, verdict: move?.verdict ?? "" },
        title: move ? sentence(move, state) : null, onclick: () => choose(ply + 1),
      }, h("span.faint.tabular", ply + 1), pieceIcon(style, movers[ply] ?? 0), h("b", text, h("em", SIGNS[move?.verdict] ?? "")),
      h("span.tabular.muted", move ? valueText(move.value, state.unit, move.best.solved) : "")));
    }));
  }

  function drawMistakes(state) {
    const found = [...state.judged.values()].filter(({ verdict }) => WORSE.includes(verdict)).sort((a, b) => b.loss - a.loss);
    fill(mistakes, found.map((move) => h("li", h("button", { type: "button", dataset: { verdict: move.verdict }, onclick: () => choose(move.number - 1) },
      h("i.verdict", { "aria-hidden": "true", dataset: { verdict: move.verdict } }),
      h("span", h("b", `${move.number}. ${move.move}`), h("em", SIGNS[move.verdict]), " ", h("span.muted", t("review.better", { loss: lossText(move.loss, state.unit), best: move.best.move }))),
      pieceIcon(state.style, state.movers[move.number - 1] ?? 0)))));
    mistakes.dataset.count = found.length;
    return found;
  }

  function drawPlayers(state) {
    const told = state.facts?.players;
    if (!told) return fill(players);
    const rows = NAMES.map((name, side) => ({ side, name: state.facts[name] || sideName(state.style, side), ...told[name] }));
    const number = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));
    return fill(players, h("table.table",
      h("thead", h("tr", h("th", t("review.player")), h("th.number", t("review.accuracy")), h("th.number", { title: t("review.meanloss.help") }, t("review.meanloss")), WORSE.map((kind) => h("th.number", { title: t(`verdict.${kind}`) }, h("i.verdict", { dataset: { verdict: kind }, "aria-hidden": "true" }), h("span.unseen", t(`verdict.${kind}`)))))),
      h("tbody", rows.map((row) => h("tr", h("td", h("span.review-name", pieceIcon(state.style, row.side), row.name)), h("td.number", number(row.accuracy, 0)), h("td.number", number(row.mean_loss, 1)), h("td.number", row.inaccuracies), h("td.number", row.mistakes), h("td.number", row.blunders))))));
  }

  return {
    graph: graph.element, players, mistakes, moves,
    words: () => graph.words(),
    update(state) {
      const key = JSON.stringify([state.moves, state.judged.size, Boolean(state.facts), state.unit]);
      const fresh = key !== shown;
      shown = key;
      if (fresh) {
        drawMoves(state);
        drawPlayers(state);
      }
      const found = fresh ? drawMistakes(state) : null;
      if (!fresh) {
        moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
        moves.querySelector(`[data-ply="${state.at}"]`)?.setAttribute("aria-current", "step");
      }
      const current = moves.querySelector("[aria-current]")?.parentElement;
      if (current && moves.scrollHeight > moves.clientHeight) moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
      graph.update({
        values: state.values, length: state.moves.length, at: state.at, unit: state.unit, style: state.style, solvedFrom: state.facts?.solved_from ?? null,
        ...(found && { marks: found.map((move) => ({ ply: move.number - 1, verdict: move.verdict, text: sentence(move, state) })) }),
      });
    },
  };
}

// The value of every position to the first side, as far as the judged moves tell.
export function valuesOf(judged, movers) {
  const values = new Map();
  for (const [ply, move] of judged) {
    const sign = movers[ply] === 0 ? 1 : -1;
    values.set(ply, sign * move.best.value);
    if (!judged.has(ply + 1)) values.set(ply + 1, sign * move.value);
  }
  return values;
}

// Who moved at each ply of a line of positions.
export const moversOf = (positions) => positions.slice(0, -1).map(({ to_move: side }) => side);
