// The visitor's games. gameList({ about, most }) is an element that fills itself with the newest, and leads to all.
//
//   gameRow(game, about, when)          a link to a game, as a row of a list, with `when` it was
//   removed(games, undone)              removes games; an element that says so, with a button that brings them back; null if the visitor thinks better of it

import { get, post, remove } from "/static/api.js";
import { confirm, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { openingName, t } from "/static/i18n.js";
import { gamePicture, gameTitle, nameOf, playerTitle } from "/static/games/play/games.js";

const states = { open: "list.open", won: "list.won", lost: "list.lost", draw: "list.draw", finished: "list.over" };
const kinds = { won: ".good", lost: ".bad", open: ".accent" };

export function gameRow(game, about, when) {
  const names = game.players.map((spec, seat) => (game.mine.includes(seat) && game.mine.length < game.players.length ? t("play.you") : playerTitle(spec, game.game, about))).join(t("list.against"));
  const state = game.result === "open" && game.waiting ? "list.waiting" : states[game.result];
  return h("a.game-row", { href: `/play/${game.id}` }, h("span.game-thumb", gamePicture(nameOf(game.game))),
    h("span.game-words", h("strong", gameTitle(game.game, about), game.rated && ` · ${t("rated.sign")}`), h("span.small.muted", names, game.opening && ` · ${openingName(game)}`), h("span.small.faint", when && `${when} · `, t("list.moves", { count: game.ply }))),
    h(`span.badge${kinds[game.result] ?? ""}`, t(state)));
}

export async function removed(games, undone) {
  if (games.some(({ rated, over }) => rated && !over) && !await confirm({ title: t("rated.leave.title"), text: t("rated.leave.text"), yes: t("rated.leave"), danger: true })) return null;
  await Promise.all(games.map(({ id }) => remove(`/api/games/${id}`)));
  const undo = h("button.button.small", { type: "button", onclick: async () => {
    try {
      for (const { id } of games) await post(`/api/games/${id}/restore`);
    } catch (error) {
      toastError(error);
    }
    undone();
  } }, sign("undo"), t("list.undo"));
  return h("p.note.row.removed", h("span", { role: "status" }, t("list.removed", { count: games.length })), undo);
}

export function gameList({ about, most = 5, heading = "h2" }) {
  const element = h("section.game-list");

  async function load(note = null) {
    try {
      draw(await get(`/api/library?limit=${most}`), note);
    } catch {
      // the shell speaks of a server that does not answer
    }
  }

  function draw({ games, all }, note) {
    fill(element, (games.length > 0 || note) && h(heading, t("list.title")), note, h("ul", games.map((game) => {
      const label = t("list.remove", { title: gameTitle(game.game, about) });
      return h("li", gameRow(game, about), game.own && h("button.button.quiet.icon.small", { type: "button", "aria-label": label, title: label, onclick: async () => {
        try {
          const note = await removed([game], load);
          if (note) await load(note);
          element.querySelector(".removed button")?.focus();
        } catch (error) {
          toastError(error);
        }
      } }, sign("close")));
    })), games.length > 0 && h("a.button.quiet.small", { href: "/library" }, t("list.all", { count: all }), sign("next")));
  }

  load();
  return element;
}
