// A game that has been judged: the graph, its mistakes, every move with its variations, and how well each side played. The
// app shows it while the search goes on, a page in a single file when it is done. All values are seen by one side.
//
//   const review = createReview({ choose(node), explain(node) })   explain may be left out
//   review.update({ tree: of variations.js, each judged node with `judged`, a move as `analyze --json` has it, and `mover`,
//                   node: what is shown, values: Map ply -> value for the first side, along the line through that node,
//                   facts: null or what is known of the whole game, unit, style, view: the side that sees all values })
//   review.graph, review.players, review.mistakes, review.moves      elements

import { pieceIcon, sideName } from "/static/board.js";
import { fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { inPawns, outcomeText, valueText } from "/static/games/play/values.js";
import { signsOf } from "/static/games/analyze/pgn.js";
import { createEvaluationGraph } from "/static/games/analyze/evaluation_graph.js";

const WORSE = ["inaccuracy", "mistake", "blunder"];
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export const seenBy = (value, side, view) => (side === view ? value : -value);
// What a move is called in a sentence: "12. d3", or of chess, where both sides move under one number, "6. Nf3" and "6… e5".
export const numberOf = (node, style) => {
  if (style !== "chess") return `${node.ply}.`;
  const black = moverOf(node);
  return `${(node.ply + 1 + ((black + node.ply + 1) % 2)) >> 1}${black ? "…" : "."}`;
};
export const moverOf = (node) => node.mover ?? (node.ply + 1) % 2;

export function createReview({ choose, explain = null }) {
  let state = null;
  const graph = createEvaluationGraph({ choose: (ply) => choose(ply ? state.tree.line(state.node)[ply - 1] : state.tree.root) });
  const players = h("div.review-players");
  const mistakes = h("ol.review-mistakes");
  const moves = h("ol.review-moves");
  let shown = "";
  let buttons = new Map();

  function sentence(node) {
    const { unit, style, view } = state;
    const { judged: move } = node;
    const words = `${numberOf(node, style)} ${sideName(style, moverOf(node))} ${node.text}`;
    const value = seenBy(move.best.value, moverOf(node), view);
    return move.loss > 0 ? t("review.loses", { move: words, loss: lossText(move.loss, unit, move), best: move.best.move, value: outcomeText({ ...move.best, value, exact: move.best.solved }, unit) }) : words;
  }

  const bare = (node) => (state.style === "chess" ? numberOf(node, state.style) : node.ply);
  const button = (node, ...content) => {
    const { judged: move } = node;
    const found = h("button", { type: "button", dataset: { ply: node.ply, verdict: move?.verdict ?? "" }, title: move ? sentence(node) : null, onclick: () => choose(node) },
      content, h("b", node.text, h("span.given-sign", signsOf(node)), h("em", SIGNS[move?.verdict] ?? "")),
      h("span.tabular.muted", move ? valueText(seenBy(move.value, moverOf(node), state.view), state.unit, move.best.solved) : ""));
    buttons.set(node, found);
    return found;
  };

  const remark = (node) => node.comments?.length > 0 && h("span.remark", node.comments.join(" "));

  // What was played instead, in brackets; what was played instead of that, in brackets within.
  function variation(first) {
    const parts = [];
    for (let node = first; node; [node] = node.children) {
      parts.push(button(node, (node === first || (state.style === "chess" && !moverOf(node))) && h("span.faint.tabular", bare(node))), remark(node));
      if (node !== first) parts.push(node.parent.children.slice(1).map(variation));
    }
    return h("span.variation", { role: "group", "aria-label": t("review.variation", { move: `${numberOf(first, state.style)} ${first.text}` }) }, "(", parts, ")");
  }

  function drawMoves() {
    buttons = new Map();
    moves.dataset.style = state.style;
    fill(moves, remark(state.tree.root) && h("li.review-remark", remark(state.tree.root)), state.tree.line(state.tree.root).map((node) => [
      h("li", button(node, h("span.faint.tabular", bare(node)), state.style !== "chess" && pieceIcon(state.style, moverOf(node)))),
      remark(node) && h("li.review-remark", remark(node)),
      node.parent.children.slice(1).map((first) => h("li.review-variation", variation(first))),
    ]));
  }

  function drawMistakes(line) {
    const found = line.filter(({ judged }) => WORSE.includes(judged?.verdict)).sort((a, b) => b.judged.loss - a.judged.loss);
    fill(mistakes, found.map((node) => {
      const { judged: move } = node;
      return h("li", h("button", { type: "button", dataset: { verdict: move.verdict }, onclick: () => choose(node.parent) },
        h("i.verdict", { "aria-hidden": "true", dataset: { verdict: move.verdict } }),
        h("span", h("b", `${numberOf(node, state.style)} ${node.text}`), h("em", SIGNS[move.verdict]), " ", h("span.muted", t("review.better", { loss: lossText(move.loss, state.unit, move), best: move.best.move }))),
        pieceIcon(state.style, moverOf(node))),
      explain && h("button.review-why", { type: "button", "aria-label": t("review.why.move", { move: `${numberOf(node, state.style)} ${node.text}` }), onclick: () => explain(node) }, t("review.why")));
    }));
    mistakes.dataset.count = found.length;
    return found;
  }

  function drawPlayers() {
    const told = state.facts?.players;
    if (!told) return fill(players);
    const rows = Object.entries(told).map(([name, play], side) => ({ side, name: state.facts.names?.[side] || state.facts[name] || sideName(state.style, side), ...play }));
    const lost = (value) => (state.unit === "discs" || value === null ? number(value, 1) : `${number(50 * value, 1)}%`);
    const number = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));
    return fill(players, h("table.table",
      h("thead", h("tr", h("th", t("review.player")), h("th.number", t("review.accuracy")), h("th.number", { title: t(state.unit === "discs" ? "review.meanloss.help" : "review.meanloss.share") }, t("review.meanloss")), WORSE.map((kind) => h("th.number", { title: t(`verdict.${kind}`) }, h("i.verdict", { dataset: { verdict: kind }, "aria-hidden": "true" }), h("span.unseen", t(`verdict.${kind}`)))))),
      h("tbody", rows.map((row) => h("tr", h("td", h("span.review-name", pieceIcon(state.style, row.side), row.name)), h("td.number", number(row.accuracy, 0)), h("td.number", lost(row.mean_loss)), h("td.number", row.inaccuracies), h("td.number", row.mistakes), h("td.number", row.blunders))))));
  }

  return {
    graph: graph.element, players, mistakes, moves,
    words: () => graph.words(),
    update(next) {
      state = next;
      const { tree, node, unit, style, view } = state;
      const line = tree.line(node);
      const key = JSON.stringify([tree.write(), tree.nodes().map(({ judged, comments }) => [judged ? judged.value : "", comments?.length]), line.map(({ text }) => text), Boolean(state.facts), unit, style, view]);
      const fresh = key !== shown;
      shown = key;
      if (fresh) {
        drawMoves();
        drawPlayers();
      }
      const found = fresh ? drawMistakes(line) : null;
      moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
      const current = buttons.get(node);
      current?.setAttribute("aria-current", "step");
      if (moves.scrollHeight > moves.clientHeight) moves.scrollTop = current ? current.offsetTop - moves.clientHeight / 2 : 0;
      graph.update({
        values: state.values, length: line.length, at: node.ply, unit, style, view, solvedFrom: state.facts?.solved_from ?? null,
        ...(found && { marks: found.map((one) => ({ ply: one.ply - 1, verdict: one.judged.verdict, text: sentence(one) })) }),
      });
    },
  };
}

// What a move has lost: the difference of the two values as they are written, so that a reader who subtracts finds the
// same. Of chess in pawns, unless a mate is missed or allowed.
export function lossText(loss, unit, { value, best } = {}) {
  const [played, instead] = best && value !== undefined ? [value, best.value] : [0, loss];
  if (unit === "discs") return t("review.discs", { count: Math.round(instead) - Math.round(played) });
  const share = `${Math.round(50 + 50 * instead) - Math.round(50 + 50 * played)}%`;
  if (unit !== "pawns") return share;
  if (!best || Math.max(Math.abs(played), Math.abs(instead)) > 0.99) return t("review.chances", { share });
  return t("review.pawns", { count: ((Math.round(10 * inPawns(instead)) - Math.round(10 * inPawns(played))) / 10).toFixed(1) });
}

// The value of every position of a line to the first side, as far as its judged moves tell.
export function valuesOf(line) {
  const values = new Map();
  for (const node of line) {
    if (!node.judged) continue;
    const side = moverOf(node);
    values.set(node.ply - 1, seenBy(node.judged.best.value, side, 0));
    if (!line[node.ply]?.judged) values.set(node.ply, seenBy(node.judged.value, side, 0));
  }
  return values;
}
