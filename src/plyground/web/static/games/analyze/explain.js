// Why a move was good or bad, in a dialog: in words what it cost, and the lines that the search has seen on a small board.
//
//   openExplanation(socket, { game, moves: text that ends with the move, board, time }, { title, style, view }) -> the dialog

import { createStepper } from "/static/games/analyze/stepper.js";
import { lossText, seenBy } from "/static/games/analyze/review.js";
import { createBoard, sideName } from "/static/board.js";
import { announce, openDialog } from "/static/dialogs.js";
import { fill, h } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { createPiles, isNim } from "/static/games/play/nim.js";
import { outcomeText, valueText } from "/static/games/play/values.js";

export function openExplanation(socket, details, { title, style, view }) {
  const body = h("div.explain", { "aria-live": "polite" }, h("p.muted", h("span.spinner", { "aria-hidden": "true" }), " ", t("explain.searching")));
  const dialog = openDialog({ title, className: "explain-dialog", body: [body] });
  const search = socket.run("explain", details, {
    event(answer) {
      if (answer.event === "explanation") show(body, answer, style, view);
    },
    error: (text) => fill(body, h("p.error", text || t("error.network"))),
  });
  dialog.addEventListener("close", () => search.stop());
  return dialog;
}

// What can be said of a move, as sentences: of what was searched, and of the boards of the two lines.
export function sentences({ mover, depth, unit, loss, choices, played, best }, style, view) {
  const side = sideName(style, mover);
  const other = sideName(style, 1 - mover);
  const value = (line) => outcomeText({ ...line, value: seenBy(line.value, mover, view) }, unit);
  const said = [];
  const proven = played.exact && (!best || best.exact);
  said.push(t(proven ? "explain.proven" : "explain.depth", { depth }));
  if (choices === 1) said.push(t("explain.only", { move: played.move }));
  if (best && loss > 0) {
    said.push(t("explain.worth", { move: played.move, value: value(played), best: best.move, better: value(best), seen: sideName(style, view) }));
    const outcome = (line) => (line.value > 0 ? "win" : line.value < 0 ? "loss" : "draw");
    if (proven && outcome(played) !== outcome(best)) said.push(t(`explain.${outcome(best)}.${outcome(played)}`, { side }));
    else {
      const cost = lossText(loss, unit, { value: played.value, best });
      if (!/^0(\.0)?\D*$/.test(cost)) said.push(t("explain.cost", { side, loss: cost }));
    }
  } else if (best) said.push(t("explain.slower", { move: played.move, value: value(played), best: best.move, better: value(best), seen: sideName(style, view) }));
  else if (choices > 1) said.push(t(proven ? "explain.best.proven" : "explain.best", { move: played.move, value: value(played), seen: sideName(style, view) }));
  if (played.wins.length) said.push(t("explain.wins", { move: played.move, other, wins: played.wins.slice(0, 4).join(", "), count: played.wins.length }));
  if (best && best.wins.length && !played.wins.length) said.push(t("explain.wins", { move: best.move, other, wins: best.wins.slice(0, 4).join(", "), count: best.wins.length }));
  const reply = played.line[1];
  if (reply) said.push(t(best && loss > 0 ? "explain.refutation" : "explain.reply", { move: played.move, other, reply, line: played.line.slice(1).join(" ") }));
  for (const line of [played, best]) {
    const over = line?.positions.at(-1).over;
    if (over) said.push(t(over.winner === null ? "explain.ends.draw" : "explain.ends.won", { move: line.move, count: line.line.length, side: over.winner === null ? "" : sideName(style, over.winner) }));
  }
  if (best) {
    for (const [name, counts] of Object.entries(played.counts)) {
      const others = best.counts[name];
      if (!others || counts.every((count, i) => count === others[i])) continue;
      const write = (pair, i) => (name === "guess" ? valueText(seenBy(pair[0], 0, view), unit) : pair[i]);
      if (name === "guess" && write(counts) === write(others)) continue;
      said.push(t(`explain.count.${name}`, { count: played.compared, move: played.move, best: best.move, side, other, seen: sideName(style, view), mine: write(counts, mover), theirs: write(counts, 1 - mover), mine2: write(others, mover), theirs2: write(others, 1 - mover) }));
    }
  }
  return said;
}

function show(body, found, style, view) {
  const { played, best } = found;
  let line = played;
  let at = Math.min(played.positions.length - 1, found.best && played.line.length > 1 ? 2 : 1); // with the answer to it
  const first = line.positions[at];
  const board = isNim(first) ? createPiles(first) : createBoard(first, { label: t("explain.board"), interactive: false });
  const stepper = createStepper({ go });
  const moves = h("p.explain-line.mono", { tabindex: -1 });
  function go(ply) {
    at = Math.min(line.line.length, Math.max(0, ply));
    board.update(line.positions[at], { animate: false });
    stepper.update({ at, length: line.line.length });
    fill(moves, line.line.map((text, i) => [h("button", { type: "button", "aria-current": i + 1 === at ? "step" : null, onclick: () => go(i + 1) }, text), " "]));
  }
  const said = sentences(found, style, view);
  const label = (one, word) => t(`explain.line.${word}`, { move: one.move });
  fill(body, h("div.explain-said", said.map((text) => h("p", text))),
    h("div.explain-seen", best && h("div.segmented", { role: "radiogroup", "aria-label": t("explain.lines") }, radios("explained", [["played", label(played, "played")], ["best", label(best, "best")]], "played", (which) => {
      line = found[which];
      go(1);
    })), h("div.explain-board", board.element), stepper.element, moves));
  body.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: line.line.length }[event.key];
    if (step === undefined || event.target.matches("input")) return;
    event.preventDefault();
    go(step);
  });
  go(at);
  announce(said.join(" "));
}
