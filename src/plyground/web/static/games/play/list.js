// The visitor's games, newest first: gameList({ about, most }) is an element that fills itself.

import { get, remove } from "/static/api.js";
import { confirm, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { gamePicture, gameTitle, nameOf, playerTitle } from "/static/games/play/games.js";

export function gameList({ about, most = 5, heading = "h2" }) {
  const element = h("section.game-list");
  let shown = most;

  async function load() {
    let games;
    try {
      games = await get("/api/games");
    } catch {
      return;
    }
    draw(games);
  }

  function draw(games) {
    if (!games.length) {
      element.replaceChildren();
      return;
    }
    fill(element, h(heading, t("list.title")), h("ul", games.slice(0, shown).map((game) => {
      const title = gameTitle(game.game, about);
      const specs = game.players.map((player) => (typeof player === "string" ? player : player.spec));
      const names = specs.map((spec) => playerTitle(spec, game.game, about)).join(t("list.against"));
      return h("li", h("a.game-row", { href: `/play/${game.id}` }, h("span.game-thumb", gamePicture(nameOf(game.game))),
        h("span.game-words", h("strong", title, game.rated && ` · ${t("rated.sign")}`), h("span.small.muted", names), h("span.small.faint", game.over ? t("list.over") : game.waiting ? t("list.waiting") : t("list.moves", { count: game.ply })))),
        game.own && h("button.button.quiet.icon.small", { type: "button", "aria-label": t("list.remove", { title }), title: t("list.remove", { title }), onclick: async () => {
          if (game.rated && !game.over && !await confirm({ title: t("rated.leave.title"), text: t("rated.leave.text"), yes: t("rated.leave"), danger: true })) return;
          try {
            await remove(`/api/games/${game.id}`);
            draw(games = games.filter((other) => other !== game));
          } catch (error) {
            toastError(error);
          }
        } }, sign("close")));
    })), games.length > shown && h("button.button.quiet.small", { type: "button", onclick: () => { shown = games.length; draw(games); } }, t("list.more", { count: games.length - shown })));
  }

  load();
  return element;
}
