// The start: what there is, and the games in progress.

import { about as askAbout } from "/static/api.js";
import { miniature } from "/static/board.js";
import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { PAGES } from "/static/pages.js";
import { GAMES, gamePicture, gameTitle } from "/static/games/play/games.js";
import { gameList } from "/static/games/play/list.js";

// A picture, not a rule: Reversi after f5 d6 c3 d3 c4 f4 f6 g5 e6 d7 e7 c5 c6.
const OPENING = {
  style: "discs", symbols: ["X", "O"], columns: [..."abcdefgh"], rows: [..."12345678"], last: [5, 2],
  cells: ["........", "........", "..XO....", "..XXXO..", "..XXOOO.", "..XXXX..", "...OX...", "........"],
};

export function mount(root) {
  const list = h("section.home-games");
  let gone = false;
  fill(root, h("div.page.home",
    h("div.hero",
      h("div", h("h1", t("home.title").split(/(?<=[.。]) ?/).map((sentence) => h("span", sentence))), h("p.lead", t("home.lead")),
        h("div.row", h("a.button.primary.large", { href: "/play?game=reversi" }, t("home.start")), h("a.button.large", { href: "/play?game=tictactoe" }, t("home.first")))),
      h("a.hero-board", { href: "/play?game=reversi", "aria-label": t("home.start") }, miniature(OPENING))),
    h("section", h("h2", t("home.pages")), h("div.grid.doors", PAGES.filter((page) => page.menu && page.about).map((page) =>
      h("a.card.door", { href: page.path.replace(/\/:.*/, "") }, sign(page.sign), h("strong", t(page.title)), h("p", t(page.about)))))),
    h("section", h("h2", t("home.games")), h("div.tiles", GAMES.map((name) =>
      h("a.card.tile", { href: `/play?game=${name}` }, gamePicture(name), h("strong", gameTitle(name)))))),
    list));
  askAbout().then((about) => !gone && fill(list, gameList({ about }))).catch(() => {});
  return () => { gone = true; };
}
