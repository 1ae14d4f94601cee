// Battleship by belief, to watch or to play against: a part of the page of hidden information.

import { announce } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { field, radios, randomSeed, select } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { battleshipGame } from "/static/lab/battleship_game.js";

const SIZES = ["5", "6", "8", "10"];
const AIMS = ["random", "hunt", "probable", "informed"];

export function battleship({ query, setQuery, ask, showFilm, within, leaving }) {
  const read = (name, allowed, usual) => (allowed.includes(query.get(name)) ? query.get(name) : usual);
  const now = { mode: read("mode", ["watch", "play"], "watch"), size: read("size", SIZES, "8"), aim: read("aim", AIMS, "probable"), seed: query.get("seed") ?? String(randomSeed()) };
  const said = h("p.small.muted", { role: "status" });
  const place = h("div.hidden-film");
  const film = h("section.panel", h("div.body", place));
  const below = h("div.stack");
  const text = h("p");
  const seed = h("input", { type: "number", min: 0, step: 1, value: now.seed, onchange: () => show({ seed: seed.value }) });
  let [asked, game] = [null, null];
  const aims = select(AIMS.map((aim) => [aim, t(`hidden.aim.${aim}`)]), now.aim, (aim) => show({ aim }));
  const seeds = [field(t("seed"), seed), h("button.button", { type: "button", onclick: () => { seed.value = randomSeed(); show({ seed: seed.value }); } }, sign("dice"), t("hidden.another"))];
  leaving(() => game?.leave());

  function show(changes = {}) {
    Object.assign(now, changes);
    const playing = now.mode === "play";
    setQuery({ ...now, mode: playing ? "play" : null, seed: playing ? null : now.seed });
    asked?.stop();
    game?.leave();
    game = null;
    text.textContent = t(playing ? "battle.text" : "hidden.battleship.text");
    for (const one of seeds) one.hidden = playing;
    if (playing) {
      game = battleshipGame({ ask, within, size: Number(now.size), aim: now.aim, changed: "aim" in changes, aimChosen: (aim) => {
        now.aim = aims.value = aim;
        setQuery({ aim });
      } });
      fill(below, game.parts);
      return;
    }
    fill(below, said, film);
    asked = ask("battleship", { size: Number(now.size), aim: now.aim, seed: Math.max(0, Math.floor(Number(now.seed)) || 0) }, said, (found) => {
      showFilm(place, found.film);
      announce(t("hidden.shots", { count: found.shots }));
    });
  }
  show();
  return [
    h("div.segmented.hidden-modes", { role: "radiogroup", "aria-label": t("battle.mode") }, radios("mode", ["watch", "play"].map((mode) => [mode, t(`battle.mode.${mode}`)]), now.mode, (mode) => show({ mode }))),
    text,
    h("div.hidden-tools", field(t("hidden.board"), select(SIZES.map((size) => [size, `${size}×${size}`]), now.size, (size) => show({ size }))), field(t("hidden.aim"), aims), seeds),
    below,
  ];
}
