// A deal of bridge to play as the declarer: a part of the page of hidden information.

import { fill, h, sign } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { cardsPicture, told } from "/static/lab/told.js";

const SIZES = ["5", "6", "7"];

export function bridgeTable({ ask, within }) {
  const state = { cards: "5", trump: "none", moves: [], seed: randomSeed() };
  let [asked, acted] = [null, false];
  const said = h("p.small.muted", { role: "status" });
  const hands = h("div.hidden-picture");
  const buttons = h("div.hidden-actions", { role: "group", "aria-label": t("bridge.cards") });
  const score = h("p", { "aria-live": "polite" });
  const review = h("div.stack");

  function show() {
    asked?.stop();
    asked = ask("bridge_play", { ...state, cards: Number(state.cards) }, said, (now) => {
      fill(hands, cardsPicture(now.over ? now.deal : now.svg));
      if (now.over) fill(buttons, h("button.button.primary", { type: "button", onclick: () => deal({}, true) }, sign("again"), t("bridge.next")));
      else fill(buttons, h("span.hidden-turn", t("bridge.turn", { seat: told(now.seat) })), now.cards.map((card) => h("button.button.card-button", {
        type: "button", dataset: { red: /[♥♦]/.test(card.sign) ? "yes" : "no" }, onclick: () => play(card.name),
      }, card.sign)));
      score.textContent = now.over ? t("bridge.over", { tricks: now.tricks, open: now.open, size: now.size }) : t("bridge.score", { tricks: now.tricks, lost: now.played - now.tricks, size: now.size });
      fill(review, now.over && verdicts(now.review));
      if (!within || acted) buttons.querySelector("button")?.focus({ preventScroll: true });
    });
  }

  // What each card has cost with open cards; those that were forced are left out.
  function verdicts(cards) {
    return [h("h3", t("bridge.verdicts")), h("p.small.muted", t("bridge.verdicts.note")), h("div.hidden-table", { tabindex: 0, role: "group", "aria-label": t("bridge.verdicts") },
      h("table.table", h("thead", h("tr", h("th.number", t("bridge.trick")), h("th", t("hidden.card")), h("th", t("bridge.cost")), h("th", t("bridge.better")))),
        h("tbody", cards.filter((one) => one.choices > 1).map((one) => h("tr", h("td.number", one.trick), h("td", `${told(one.seat)} ${one.card}`),
          h("td", one.cost ? t("bridge.lost", { tricks: one.cost }) : t("bridge.free")), h("td", one.cost ? one.better.join(" ") : ""))))))];
  }

  const play = (name) => {
    for (const button of buttons.querySelectorAll("button")) button.disabled = true; // a second press would be another card
    acted = true;
    state.moves.push(name);
    show();
  };
  const deal = (changes, byHand) => {
    acted = acted || byHand;
    Object.assign(state, { moves: [], seed: randomSeed() }, changes);
    show();
  };
  const size = select(SIZES.map((count) => [count, count]), state.cards, (cards) => deal({ cards }, false));
  const trump = select([["none", t("bridge.none")], ["S", "♠"], ["H", "♥"], ["D", "♦"], ["C", "♣"]], state.trump, (suit) => deal({ trump: suit }, false));
  show();
  return h("section.panel", h("header", h("h2", t("bridge.play"))), h("div.body.stack", h("p", t("bridge.play.text")),
    h("form.hidden-tools", { onsubmit: (event) => event.preventDefault() }, field(t("bridge.size"), size), field(t("bridge.trump"), trump)),
    h("div.hidden-halves", h("div.stack", hands, buttons, score, said), review)));
}
