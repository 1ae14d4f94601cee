// Poker by CFR, and a hand against it: a part of the page of hidden information.

import { announce } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { decimals, powerText } from "/static/games/play/values.js";
import { t } from "/static/i18n.js";
import { cardsPicture, told } from "/static/lab/told.js";

const percent = (part) => `${(100 * part).toFixed(1)}%`;
const seenText = (label) => told(label).replace(/ {2,}/g, " · ");
const chips = (number) => decimals(Math.round(number * 1000) / 1000 + 0); // never −0
const NOTHING = 0.001; // chips: the strategy is an equilibrium to less than that
const NONE = { hands: 0, won: 0, squares: 0, expected: 0, cost: 0 };

export function poker({ query, setQuery, ask, within }) {
  let game = query.get("game") === "leduc" ? "leduc" : "kuhn";
  let [asked, playing, acted] = [null, null, false];
  const [said, handSaid] = [h("p.small.muted", { role: "status" }), h("p.small.muted", { role: "status" })];
  const picture = h("div.hidden-picture.plot", { tabindex: 0, role: "group", "aria-label": t("hidden.exploitability") });
  const results = h("tbody");
  const strategy = h("tbody");
  const iterations = h("input", { type: "number", min: 1, max: 20000, step: 1, value: 1000 });
  // A figure in a lesson shows the strategy until somebody plays; nobody who plays is to read off what to do, also not
  // before the cards are there.
  const table = h("div.hidden-table", { tabindex: 0, role: "group", "aria-label": t("hidden.strategy"), hidden: !within });
  const cards = h("div.hidden-picture");
  const buttons = h("div.hidden-actions");
  const score = h("p", { "aria-live": "polite" });
  const review = h("div.stack");
  const totals = h("p.hidden-totals");
  const veil = h("p.muted", { hidden: Boolean(within) }, t("hidden.veiled"));
  const state = { moves: [], seat: 0, seed: randomSeed(), ...NONE };

  function solve() {
    asked?.stop();
    asked = ask("poker_solve", { game, iterations: Math.max(1, Math.min(20000, Number(iterations.value) || 1)), narrow: window.innerWidth < 640 }, said, (found) => {
      fill(picture, svgFromText(found.svg));
      fill(results, found.results.map((one) => h("tr", h("td", one.algorithm), h("td.number", String(one.iterations)),
        h("td.number", decimals(one.value, 5)), h("td.number", powerText(one.exploitability)))));
      fill(strategy, found.strategy.map((one) => h("tr", h("td", seenText(one.seen)), h("td",
        h("div.hidden-share", { "aria-hidden": "true" }, one.probabilities.map((part) => h("i", { style: { width: percent(part) } })))),
      h("td", one.actions.map((name, i) => `${told(name)} ${percent(one.probabilities[i])}`).join(" · ")))));
      fill(table, h("table.table.hidden-strategy", h("thead", h("tr", h("th", t("hidden.sees")), h("th", t("hidden.share")), h("th", t("hidden.plays")))), strategy),
        found.sets > found.strategy.length ? h("p.small.muted", t("hidden.more", { count: found.sets - found.strategy.length })) : null);
      announce(t("hidden.solved", { value: decimals(found.results[1].value, 4) }));
    });
  }

  function hand() {
    playing?.stop();
    playing = ask("poker_hand", { game, moves: state.moves, seat: state.seat, seed: state.seed }, handSaid, (now) => {
      fill(cards, cardsPicture(now.svg));
      table.hidden = !now.over && !(within && !acted);
      veil.hidden = !table.hidden;
      fill(review, now.over && decisions(now.review));
      if (now.over) {
        state.hands += 1;
        state.won += now.won;
        state.squares += now.won ** 2;
        state.expected += now.expected;
        state.cost += now.review.reduce((sum, one) => sum + one.cost, 0);
        totals.textContent = totalWords();
        fill(buttons, h("button.button.primary", { type: "button", onclick: next }, sign("again"), t("hidden.next")));
      } else {
        fill(buttons, now.actions.map((name) => h("button.button", { type: "button", onclick: () => say(name) }, told(name))));
      }
      const talk = now.said.map((one) => t("hidden.turn", { who: t(one.player === state.seat ? "hidden.you" : "hidden.it"), what: told(one.text) })).join(t("board.comma"));
      const end = now.over ? t(now.won > 0 ? "hidden.won" : now.won < 0 ? "hidden.lost" : "hidden.even", { chips: Math.abs(now.won) }) : "";
      score.textContent = [talk && t("hidden.talk", { talk }), end].filter(Boolean).join(" ");
      if (!within || acted) buttons.querySelector("button")?.focus({ preventScroll: true }); // nobody who reads is pulled here
    });
  }
  // The visitor's choices beside those of the equilibrium, and what each has cost on average over what is not seen.
  function decisions(made) {
    if (!made.length) return h("p.small.muted", t("hidden.undecided"));
    return [h("h3", t("hidden.decisions")), h("ul.hidden-decisions", made.map((one) => h("li",
      h("p", h("b", seenText(one.seen))),
      h("p", t("hidden.chose", { action: told(one.actions[one.chosen]), plays: one.actions.map((name, i) => `${told(name)} ${percent(one.probabilities[i])}`).join(" · ") })),
      h("p", { dataset: { cost: one.cost < NOTHING ? "none" : "some" } }, one.cost < NOTHING ? t("hidden.free")
        : t("hidden.cost", { cost: chips(one.cost), best: told(one.actions[one.values.indexOf(Math.max(...one.values))]) })))))];
  }

  // How the visitor stands, how far luck alone can explain it, and what could be expected.
  function totalWords() {
    const { hands, won, squares } = state;
    const mean = won / hands;
    const margin = hands > 1 ? 1.96 * Math.sqrt(Math.max(0, squares - hands * mean ** 2) / (hands - 1) / hands) : null;
    const words = [t("hidden.total", { hands, chips: decimals(won + 0, 0) })];
    if (margin !== null) words.push(t("hidden.interval", { mean: chips(mean), low: chips(mean - margin), high: chips(mean + margin) }));
    words.push(t("hidden.expectation", { expected: chips(state.expected), cost: chips(state.cost) }));
    return words.join(" ");
  }

  const say = (name) => {
    for (const button of buttons.children) button.disabled = true; // a second press would be another move
    state.moves.push(name);
    acted = true;
    hand();
  };
  const next = () => {
    acted = true;
    Object.assign(state, { moves: [], seat: 1 - state.seat, seed: randomSeed() });
    hand();
  };
  const choose = select([["kuhn", "Kuhn"], ["leduc", "Leduc"]], game, (name) => {
    game = name;
    setQuery({ game });
    Object.assign(state, { moves: [], seed: randomSeed(), ...NONE });
    totals.textContent = "";
    solve();
    hand();
  });
  solve();
  hand();
  return [
    h("p", t("hidden.poker.text")),
    h("form.hidden-tools", { onsubmit: (event) => { event.preventDefault(); solve(); } }, field(t("game"), choose),
      field(t("hidden.iterations"), iterations), h("button.button.primary", { type: "submit" }, t("hidden.solve"))), said,
    h("div.hidden-halves",
      h("section.panel", h("header", h("h2", t("hidden.exploitability"))), h("div.body", picture, h("table.table.hidden-numbers",
        h("thead", h("tr", h("th", t("hidden.algorithm")), h("th.number", t("hidden.iterations")), h("th.number", t("hidden.value")), h("th.number", t("hidden.exploitability")))), results))),
      h("section.panel", h("header", h("h2", t("hidden.play"))), h("div.body.stack", cards, buttons, score, totals, handSaid, review))),
    h("section.panel", h("header", h("h2", t("hidden.strategy"))), h("div.body", veil, table)),
  ];
}
