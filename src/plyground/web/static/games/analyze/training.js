// The mistakes of a game that was judged, as puzzles: find a better move than the one that was played.
//
//   const training = createTraining({ open(node), judge(node, text), mark(text), changed() })
//     judge asks a search what a move is worth that nobody has looked at: a promise of an explanation, as explain.js has it
//     mark shows a move on the board, or none
//   training.start(nodes)       judged nodes that were mistakes, in the order in which they are asked
//   training.node               the mistake that is asked for, or null
//   training.asking             whether a better move is still looked for: nothing may tell it
//   training.attempt(text)      the visitor's move
//   training.stop(), training.element

import { sideName } from "/static/board.js";
import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { lossText, moverOf, numberOf } from "/static/games/analyze/review.js";

const GOOD = ["best", "good", "forced"];

export function createTraining({ open, judge, mark, changed }) {
  let nodes = [];
  let at = 0;
  let said = null; // what is known of the last try: { kind, text, ... }
  let solved = 0;
  let tries = 0;
  let unit = "utility";
  let style = "plain";
  const element = h("section.panel.training", { hidden: true, "aria-label": t("training.title") });
  const node = () => nodes[at] ?? null;
  const settled = () => ["right", "also", "shown"].includes(said?.kind);

  function ask() {
    said = null;
    tries += 1;
    open(node().parent);
    draw();
  }

  async function attempt(text) {
    const { judged } = node();
    const mine = tries;
    if (settled() || said?.kind === "looking") return;
    if (text === judged.best.move) settle("right", text);
    else if (text === node().text) tell({ kind: "played", text });
    else {
      tell({ kind: "looking", text });
      try {
        const found = await judge(node(), text);
        if (mine !== tries) return;
        if (GOOD.includes(found.verdict)) settle("also", text);
        else tell({ kind: "wrong", text, loss: lossText(found.loss, unit, { value: found.played.value, best: found.best }) });
      } catch (error) {
        if (mine === tries) tell({ kind: "failed", text: error.message });
      }
    }
  }

  function settle(kind, text) {
    if (kind !== "shown" && !nodes[at].tried) solved += 1;
    nodes[at].tried = true;
    tell({ kind, text });
    mark(text);
    changed();
  }

  function tell(next) {
    if (["played", "wrong"].includes(next.kind)) node().tried = true;
    said = next;
    draw();
  }

  function stop() {
    const was = node()?.parent;
    nodes = [];
    tries += 1;
    element.hidden = true;
    mark(null);
    if (was) open(was);
  }

  function next() {
    mark(null);
    if (at + 1 < nodes.length) {
      at += 1;
      ask();
    } else stop();
  }

  function words() {
    const { judged, text } = node();
    if (!said) return t("training.ask", { side: sideName(style, moverOf(node())), move: `${numberOf(node(), style)} ${text}`, loss: lossText(judged.loss, unit, judged) });
    return t(`training.${said.kind}`, { move: said.text, best: judged.best.move, loss: said.loss });
  }

  function draw() {
    element.hidden = !node();
    if (!node()) return;
    const button = (word, icon, run, kind = "") => h(`button.button.small${kind}`, { type: "button", onclick: run, dataset: { training: word } }, sign(icon), t(`training.button.${word}`));
    const last = at + 1 >= nodes.length;
    fill(element, h("header", h("h2", t("training.title")), h("span.small.muted.tabular", t("training.count", { at: at + 1, total: nodes.length, solved }))),
      h("div.body.stack", h("p", { role: "status", dataset: { said: said?.kind ?? "ask" } }, words()),
        settled() && nodes[at].judged.best.line.length > 1 && h("p.small.muted.mono", nodes[at].judged.best.line.slice(0, 8).join(" ")),
        h("div.row",
          settled() ? button(last ? "done" : "next", last ? "check" : "next", next, ".primary") : button("show", "hint", () => settle("shown", nodes[at].judged.best.move)),
          !last && !settled() && button("skip", "next", next), button("stop", "close", stop, ".quiet"))));
  }

  return {
    element, attempt, stop,
    get node() { return node(); },
    get asking() { return node() !== null && !settled(); },
    start(list, facts) {
      [nodes, at, solved] = [list, 0, 0];
      ({ unit, style } = facts);
      for (const one of nodes) one.tried = false;
      ask();
    },
  };
}
