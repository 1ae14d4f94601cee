// Battleship by belief: a part of the page of hidden information.

import { announce } from "/static/dialogs.js";
import { h, sign } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { t } from "/static/i18n.js";

export function battleship({ query, setQuery, ask, showFilm }) {
  const now = { size: query.get("size") ?? "8", aim: query.get("aim") ?? "probable", seed: query.get("seed") ?? String(randomSeed()) };
  const said = h("p.small.muted", { role: "status" });
  const place = h("div.hidden-film");
  const seed = h("input", { type: "number", min: 0, step: 1, value: now.seed, onchange: () => show({ seed: seed.value }) });
  let asked = null;
  function show(changes = {}) {
    Object.assign(now, changes);
    setQuery(now);
    asked?.stop();
    asked = ask("battleship", { size: Number(now.size), aim: now.aim, seed: Math.max(0, Math.floor(Number(now.seed)) || 0) }, said, (found) => {
      showFilm(place, found.film);
      announce(t("hidden.shots", { count: found.shots }));
    });
  }
  show();
  return [
    h("p", t("hidden.battleship.text")),
    h("div.hidden-tools",
      field(t("hidden.board"), select(["5", "6", "8", "10"].map((size) => [size, `${size}×${size}`]), now.size, (size) => show({ size }))),
      field(t("hidden.aim"), select(["random", "hunt", "probable", "informed"].map((aim) => [aim, t(`hidden.aim.${aim}`)]), now.aim, (aim) => show({ aim }))),
      field(t("seed"), seed),
      h("button.button", { type: "button", onclick: () => { seed.value = randomSeed(); show({ seed: seed.value }); } }, sign("dice"), t("hidden.another"))),
    said, h("section.panel", h("div.body", place)),
  ];
}
