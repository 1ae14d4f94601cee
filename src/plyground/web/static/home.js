// The start: a game that plays itself, where to go on, three doors, and everything there is.
//
// What must be fetched comes after the first paint: the game, the card that continues a lesson, the visitor's own games.

import { about as askAbout, get } from "/static/api.js";
import { miniature } from "/static/board.js";
import { fill, h, stored } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { PAGES } from "/static/pages.js";
import { picture } from "/static/home_pictures.js";
import { GAMES, gamePicture, gameTitle } from "/static/games/play/games.js";
import { gameList } from "/static/games/play/list.js";

// A picture, not a rule: Reversi after f5 d6 c3 d3 c4 f4 f6 g5 e6 d7 e7 c5 c6.
const OPENING = {
  style: "discs", symbols: ["X", "O"], columns: [..."abcdefgh"], rows: [..."12345678"], last: [5, 2],
  cells: ["........", "........", "..XO....", "..XXXO..", "..XXOOO.", "..XXXX..", "...OX...", "........"],
};
// Each door leads to its page, and names others behind it.
const DOORS = { learn: ["/learn", "/practice", "/watch"], play: ["/play", "/puzzles", "/analyze"], research: ["/arena", "/watch", "/bandits"] };

const addressOf = (page) => page.path.replace(/\/:.*/, "");
const nameOf = (page) => page.title.replace(/^page\./, "");

export function mount(root, { navigate, loadPage, loadStyle }) {
  const list = h("section.home-games");
  const going = h("div.home-continue");
  const climbing = h("div.home-continue");
  const demo = h("section.demo", { "aria-label": t("home.demo") },
    h("div.demo-stage", h("div.demo-board", miniature(OPENING)), h("div.demo-tree", { "aria-hidden": "true" }, h("p.small.muted.demo-wait", t("table.search.none")))),
    h("p.demo-said.small.muted", t("home.demo.about")), h("div.row.demo-tools"));
  let gone = false;
  let shown = null;
  const pageAt = (path) => PAGES.find((page) => page.path === path);
  const door = (name) => {
    const [first, ...more] = DOORS[name];
    return h("section.card.door", picture(name), h("h2", h("a", { href: first }, t(`home.door.${name}`))), h("p", t(`home.door.${name}.about`)),
      h("p.door-more", more.filter(pageAt).map((path) => h("a", { href: path }, t(pageAt(path).title)))));
  };
  fill(root, h("div.page.home",
    h("div.hero",
      h("div", h("h1", t("home.title").split(/(?<=[.。]) ?/).map((sentence) => h("span", sentence))), h("p.lead", t("home.lead")),
        h("div.row", h("a.button.primary.large", { href: "/play?game=reversi" }, t("home.start")), h("a.button.large", { href: "/learn" }, t("home.learn")))),
      demo),
    going,
    climbing,
    h("div.doors", Object.keys(DOORS).map(door)),
    list,
    h("section", h("h2", t("home.games")), h("div.tiles", GAMES.map((name) =>
      h("a.card.tile", { href: `/play?game=${name}` }, gamePicture(name), h("strong", gameTitle(name)))))),
    h("section", h("h2", t("home.pages")), h("div.grid.gallery", PAGES.filter((page) => page.menu && page.about && !page.needs).map((page) =>
      h("a.card.view", { href: addressOf(page) }, picture(nameOf(page)), h("strong", t(page.title)), h("p", t(page.about))))))));
  askAbout().then(async (about) => {
    if (gone) return;
    fill(list, gameList({ about }));
    const [standing] = await get("/api/ladder");
    if (!standing) return;
    const { ladderCard } = await import("/static/games/play/ladder.js");
    if (!gone) fill(climbing, ladderCard(standing, about));
  }).catch(() => {});
  if (stored("lessons")?.includes('"last":"')) {
    loadPage("/learn").then(async ({ askLessons, continueCard }) => {
      const lessons = await askLessons();
      if (!gone) fill(going, continueCard(lessons));
    }).catch(() => {}); // without the card the door is still there
  }
  Promise.all([import("/static/demonstration.js"), loadStyle("/static/pictures/replay.css")]).then(([{ mountDemonstration }]) => {
    if (!gone) shown = mountDemonstration(demo, { navigate });
  }).catch(() => {});
  return () => {
    gone = true;
    shown?.close();
  };
}
