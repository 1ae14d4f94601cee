// Hidden information: poker by CFR and a hand against it, Battleship by belief, and bridge with strategy fusion.
//
// The address has tab=poker|battleship|bridge, game=kuhn|leduc, size, aim and seed.

import { searches } from "/static/api.js";
import { announce } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { field, radios, select } from "/static/fields.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { hasWord, language, t } from "/static/i18n.js";

const TABS = ["poker", "battleship", "bridge"];
const percent = (part) => `${(100 * part).toFixed(1)}%`;
const number = (value, digits = 3) => (value === null ? "" : value.toFixed(digits).replace("-", "−"));
// What the server says about a hand, in English, word by word.
const told = (text) => text.replace(/nothing yet|[a-z]{3,}/g, (word) => (hasWord(`hidden.word.${word}`) ? t(`hidden.word.${word}`) : word));
const chance = () => Math.floor(Math.random() * 1e6);

export function mount(root, { query, setQuery }) {
  const socket = searches();
  let tab = TABS.includes(query.get("tab")) ? query.get("tab") : "poker";
  let film = null;
  const body = h("div.hidden-body");
  const tabs = h("div.segmented", { role: "radiogroup", "aria-label": t("hidden.tabs") },
    radios("tab", TABS.map((name) => [name, t(`hidden.${name}`)]), tab, (name) => {
      tab = name;
      setQuery({ tab, game: null, size: null, aim: null, seed: null });
      open();
    }));
  fill(root, h("div.page.hidden", h("header", h("h1", t("hidden.title")), h("p.lead", t("hidden.lead"))), tabs, body));

  function open() {
    film?.destroy();
    film = null;
    fill(body, { poker, battleship, bridge }[tab]());
  }

  // Asks for something once; `said` tells that it is being worked on, and what goes wrong.
  function ask(details, said, show) {
    said.textContent = t("hidden.working");
    return socket.run("hidden", { lang: language(), ...details }, {
      event(answer) {
        if (answer.event !== details.what) return;
        said.textContent = "";
        show(answer);
      },
      error(line) { said.textContent = line || t("error.network"); },
    });
  }

  // Poker -----------------------------------------------------------------------------------------------------------

  function poker() {
    let game = query.get("game") === "leduc" ? "leduc" : "kuhn";
    let [asked, playing] = [null, null];
    const [said, handSaid] = [h("p.small.muted", { role: "status" }), h("p.small.muted", { role: "status" })];
    const picture = h("div.hidden-picture.plot", { tabindex: 0, role: "group", "aria-label": t("hidden.curve") });
    const results = h("tbody");
    const strategy = h("tbody");
    const iterations = h("input", { type: "number", min: 1, max: 20000, step: 1, value: 1000 });
    const table = h("div.hidden-table", { tabindex: 0, role: "group", "aria-label": t("hidden.strategy") });
    const cards = h("div.hidden-picture");
    const buttons = h("div.hidden-actions");
    const score = h("p", { "aria-live": "polite" });
    const state = { moves: [], seat: 0, seed: chance(), hands: 0, won: 0 };

    function solve() {
      asked?.stop();
      asked = ask({ what: "solve", game, iterations: Math.max(1, Math.min(20000, Number(iterations.value) || 1)) }, said, (found) => {
        fill(picture, svgFromText(found.svg));
        fill(results, found.results.map((one) => h("tr", h("td", one.algorithm), h("td.number", String(one.iterations)),
          h("td.number", number(one.value, 5)), h("td.number", one.exploitability.toExponential(2)))));
        fill(strategy, found.strategy.map((one) => h("tr", h("td", told(one.seen).replace(/ {2,}/g, " · ")), h("td",
          h("div.hidden-share", { "aria-hidden": "true" }, one.probabilities.map((part) => h("i", { style: { width: percent(part) } })))),
        h("td", one.actions.map((name, i) => `${told(name)} ${percent(one.probabilities[i])}`).join(" · ")))));
        fill(table, h("table.table.hidden-strategy", h("thead", h("tr", h("th", t("hidden.sees")), h("th", t("hidden.share")), h("th", t("hidden.plays")))), strategy),
          found.sets > found.strategy.length ? h("p.small.muted", t("hidden.more", { count: found.sets - found.strategy.length })) : null);
        announce(t("hidden.solved", { value: number(found.results[1].value, 4) }));
      });
    }

    function hand() {
      playing?.stop();
      playing = ask({ what: "hand", game, moves: state.moves, seat: state.seat, seed: state.seed }, handSaid, (now) => {
        const hand = svgFromText(now.svg);
        hand.setAttribute("aria-label", told(hand.getAttribute("aria-label")));
        for (const text of hand.querySelectorAll("text")) text.textContent = told(text.textContent);
        fill(cards, hand);
        if (now.over) {
          state.hands += 1;
          state.won += now.won;
          fill(buttons, h("button.button.primary", { type: "button", onclick: next }, sign("again"), t("hidden.next")));
        } else {
          fill(buttons, now.actions.map((name) => h("button.button", { type: "button", onclick: () => say(name) }, told(name))));
        }
        const talk = now.said.map((one) => `${t(one.player === state.seat ? "hidden.you" : "hidden.it")}: ${told(one.text)}`).join(", ");
        const end = now.over ? t(now.won > 0 ? "hidden.won" : now.won < 0 ? "hidden.lost" : "hidden.even", { chips: Math.abs(now.won) }) : "";
        score.textContent = [talk, end, state.hands ? t("hidden.total", { hands: state.hands, chips: state.won }) : ""].filter(Boolean).join(" ");
        buttons.querySelector("button")?.focus({ preventScroll: true });
      });
    }
    const say = (name) => {
      for (const button of buttons.children) button.disabled = true; // a second press would be another move
      state.moves.push(name);
      hand();
    };
    const next = () => {
      Object.assign(state, { moves: [], seat: 1 - state.seat, seed: chance() });
      hand();
    };
    const choose = select([["kuhn", "Kuhn"], ["leduc", "Leduc"]], game, (name) => {
      game = name;
      setQuery({ game });
      Object.assign(state, { moves: [], seed: chance(), hands: 0, won: 0 });
      solve();
      hand();
    });
    solve();
    hand();
    return [
      h("p", t("hidden.poker.text")),
      h("form.hidden-tools", { onsubmit: (event) => { event.preventDefault(); solve(); } }, field(t("hidden.game"), choose),
        field(t("hidden.iterations"), iterations), h("button.button.primary", { type: "submit" }, t("hidden.solve"))), said,
      h("div.hidden-halves",
        h("section.panel", h("header", h("h2", t("hidden.curve"))), h("div.body", picture, h("table.table.hidden-numbers",
          h("thead", h("tr", h("th", t("hidden.algorithm")), h("th.number", t("hidden.iterations")), h("th.number", t("hidden.value")), h("th.number", t("hidden.exploitability")))), results))),
        h("section.panel", h("header", h("h2", t("hidden.play"))), h("div.body", cards, buttons, score, handSaid))),
      h("section.panel", h("header", h("h2", t("hidden.strategy"))), h("div.body", table)),
    ];
  }

  // Battleship ------------------------------------------------------------------------------------------------------

  function battleship() {
    const now = { size: query.get("size") ?? "8", aim: query.get("aim") ?? "probable", seed: query.get("seed") ?? String(chance()) };
    const said = h("p.small.muted", { role: "status" });
    const place = h("div.hidden-film");
    const seed = h("input", { type: "number", min: 0, step: 1, value: now.seed, onchange: () => show({ seed: seed.value }) });
    let asked = null;
    function show(changes = {}) {
      Object.assign(now, changes);
      setQuery(now);
      asked?.stop();
      asked = ask({ what: "battle", size: Number(now.size), aim: now.aim, seed: Math.max(0, Math.floor(Number(now.seed)) || 0) }, said, (found) => {
        if (film) film.show(found.film, 0);
        else film = mountFilmstrip(place, found.film, {});
        announce(t("hidden.shots", { count: found.shots }));
      });
    }
    show();
    return [
      h("p", t("hidden.battleship.text")),
      h("div.hidden-tools",
        field(t("hidden.board"), select(["5", "6", "8", "10"].map((size) => [size, `${size}×${size}`]), now.size, (size) => show({ size }))),
        field(t("hidden.aim"), select(["random", "hunt", "probable", "informed"].map((aim) => [aim, t(`hidden.aim.${aim}`)]), now.aim, (aim) => show({ aim }))),
        field(t("hidden.seed"), seed),
        h("button.button", { type: "button", onclick: () => { seed.value = chance(); show({ seed: seed.value }); } }, sign("dice"), t("hidden.another"))),
      said, h("section.panel", h("div.body", place)),
    ];
  }

  // Bridge ----------------------------------------------------------------------------------------------------------

  function bridge() {
    const said = h("p.small.muted", { role: "status" });
    const hands = h("div.hidden-picture");
    const picture = h("div.hidden-picture.plot", { tabindex: 0, role: "group", "aria-label": t("hidden.tricks") });
    const rows = h("tbody");
    const verdict = h("p", { "aria-live": "polite" });
    ask({ what: "deal" }, said, (found) => {
      fill(hands, svgFromText(found.hands));
      fill(picture, svgFromText(found.svg));
      fill(rows, found.leads.map((one) => h("tr", h("td", one.card), h("td.number", number(one.opened)), h("td.number", number(one.planned)), h("td.number", number(one.exact)))));
      verdict.textContent = t("hidden.verdict", { pimc: found.pimc, ismcts: found.ismcts });
    });
    return [
      h("p", t("hidden.bridge.text")), said,
      h("div.hidden-halves",
        h("section.panel", h("header", h("h2", t("hidden.tricks"))), h("div.body", picture, h("table.table",
          h("thead", h("tr", h("th", t("hidden.card")), h("th.number", "PIMC"), h("th.number", "ISMCTS"), h("th.number", t("hidden.exact")))), rows), verdict)),
        h("section.panel", h("header", h("h2", t("hidden.hands"))), h("div.body", hands, h("p.small.muted", t("hidden.bridge.note"))))),
    ];
  }

  const pressed = (event) => film?.key(event);
  document.addEventListener("keydown", pressed);
  open();
  return () => {
    document.removeEventListener("keydown", pressed);
    film?.destroy();
    socket.close();
  };
}
