// The visitor's ladder of a game: opponents as rungs with their measured ratings, where the visitor stands, and who is next.
//
//   const ladder = createLadder({ about, challenge(spec) })   challenge begins a rated game
//   ladder.show("reversi")     asks the server and draws; nothing is there of a game in which nobody was measured
//   ladder.element
//   ladderCard(standing, about)   for the home page: a link with where the visitor stands in a game

import { get, remove } from "/static/api.js";
import { announce, confirm, toastError } from "/static/dialogs.js";
import { fill, h, s, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { gameTitle, playerTitle, ratingText } from "/static/games/play/games.js";

const [WIDE, HIGH] = [300, 64];
const ENOUGH = 2; // points

const points = (value) => (value % 1 ? `${Math.floor(value) || ""}½` : String(value));

// The rating after each game, with a band as wide as it was unsure.
function historyGraph(history) {
  const all = history.flatMap(({ rating, error }) => [rating - error, rating + error]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (i) => (history.length > 1 ? (WIDE * i) / (history.length - 1) : WIDE / 2);
  const y = (value) => HIGH - 3 - ((HIGH - 6) * (value - low)) / (high - low || 1);
  const edge = (by) => history.map(({ rating, error }, i) => `${x(i).toFixed(1)} ${y(rating + by * error).toFixed(1)}`);
  const line = history.map(({ rating }, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(rating).toFixed(1)}`).join("");
  const label = t("ladder.graph", { count: history.length, first: history[0].rating, last: history.at(-1).rating });
  return h("div.ladder-graph", s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    s("path.ladder-band", { d: `M${[...edge(1), ...edge(-1).reverse()].join("L")}z` }), s("path.graph-line", { d: line })));
}

export function createLadder({ about, challenge }) {
  const element = h("section.panel.ladder", { hidden: true });
  let shown = 0;

  async function show(game) {
    const mine = ++shown;
    const facts = await get(`/api/ladder/${encodeURIComponent(game)}`).catch(() => null);
    if (mine === shown) draw(game, facts);
  }

  function draw(game, facts) {
    element.hidden = !facts?.rungs.length;
    if (element.hidden) return;
    const { rungs, you, history, next, unfinished } = facts;
    const name = (spec) => playerTitle(spec, game, about);
    const rung = (one) => h(`li.rung${one.behind ? ".behind" : ""}${one.spec === next ? ".next" : ""}`, { "aria-current": one.spec === next ? "step" : null },
      h("span.rung-mark", one.behind ? sign("check") : one.spec === next ? sign("next") : null, one.behind && h("span.unseen", t("ladder.behind"))), h("strong", name(one.spec)),
      h("span.small.muted.tabular", one.met > 0 && t("ladder.met", { points: points(one.points), count: one.met })), h("span.tabular", ratingText(one)));
    const standing = you && { row: h("li.rung.you", { "aria-current": "true" }, h("span.rung-mark", sign("person")), h("strong", t("play.you")), h("span"), h("span.tabular", ratingText({ elo: you.rating, error: you.error }))) };
    const rows = [...rungs].reverse().map((one) => ({ rating: one.elo, row: rung(one) }));
    const below = rows.findIndex(({ rating }) => you && rating <= you.rating);
    if (standing) rows.splice(below < 0 ? rows.length : below, 0, standing);
    const goal = rungs.find(({ spec }) => spec === next);
    fill(element,
      h("header", h("h2", t("ladder.title")), h("span.small.tabular", you ? t("ladder.games", { count: you.games }) : t("ladder.unknown"))),
      h("div.body.stack",
        h("ol.rungs", rows.map(({ row }) => row)),
        h("p", goal ? t("ladder.next", { name: name(next), points: points(Math.max(0, ENOUGH - goal.points)) }) : t("ladder.top")),
        unfinished ? h("a.button.primary", { href: `/play/${unfinished}` }, sign("play"), t("ladder.unfinished"))
          : goal && h("button.button", { type: "button", onclick: () => challenge(next) }, sign("play"), t("ladder.play", { name: name(next) })),
        history.length > 1 && historyGraph(history),
        h("p.small.muted", t("ladder.rules")),
        you && h("button.button.quiet.small", { type: "button", onclick: () => forget(game) }, t("ladder.forget"))));
  }

  async function forget(game) {
    if (!await confirm({ title: t("ladder.forget.title"), text: t("ladder.forget.text", { game: gameTitle(game, about) }), yes: t("ladder.forget"), danger: true })) return;
    try {
      await remove(`/api/ladder/${encodeURIComponent(game)}`);
      announce(t("ladder.forgotten"));
      await show(game);
      element.querySelector("button, a")?.focus();
    } catch (error) {
      toastError(error);
    }
  }

  return { element, show };
}

export const ladderCard = ({ game, rating, error, games }, about) => h("a.card.ladder-card", { href: `/play?game=${encodeURIComponent(game)}` },
  h("span.label", t("ladder.title")), h("strong", `${gameTitle(game, about)} · ${ratingText({ elo: rating, error })}`), h("p", t("ladder.games", { count: games })));
