// n queens by min-conflicts: step by step on a small board, and at once on a large one.
//
// The address has n=8, seed=7, start=greedy, choice=random, walk=0, tabu=0.

import { post, searches } from "/static/api.js";
import { announce } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { field, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const USUAL = { n: 8, start: "random", choice: "random", walk: 0, tabu: 0 };

export function mount(root, context) {
  const { query, setQuery } = context;
  const state = { ...USUAL, seed: randomSeed() };
  for (const name of [...Object.keys(USUAL), "seed"]) {
    if (query.has(name)) state[name] = typeof state[name] === "number" ? Number(query.get(name)) : query.get(name);
  }
  const socket = searches();
  let strip = null;
  let asked = 0;

  const number = (name, options) => h("input", { type: "number", value: state[name], ...options });
  const inputs = {
    n: number("n", { min: 1, max: 40 }),
    start: select(["random", "greedy", "permutation"].map((one) => [one, t(`queens.start.${one}`)]), state.start, () => {}),
    choice: select(["random", "first"].map((one) => [one, t(`queens.choice.${one}`)]), state.choice, () => {}),
    walk: number("walk", { min: 0, max: 1, step: "any" }),
    tabu: number("tabu", { min: 0, max: 100 }),
    seed: number("seed", { min: 0 }),
  };
  const error = h("p.error", { role: "alert" });
  const holder = h("div.worlds-film");
  const fresh = () => {
    inputs.seed.value = randomSeed();
    begin();
  };
  const settings = h("form.worlds-settings", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    ...Object.entries(inputs).map(([name, input]) => field(t(`queens.${name}`), input)),
    h("div.row", h("button.button.primary", { type: "submit" }, t("queens.show")),
      h("button.button.icon", { type: "button", title: t("queens.fresh"), "aria-label": t("queens.fresh"), onclick: fresh }, sign("dice"))), error);

  async function begin() {
    const wish = {};
    for (const [name, input] of Object.entries(inputs)) wish[name] = input.type === "number" ? Number(input.value) : input.value;
    const own = ++asked;
    error.textContent = "";
    try {
      const { film, seed } = await post("/api/queens", { ...wish, lang: language() });
      if (own !== asked) return;
      Object.assign(state, wish, { seed });
      if (strip) strip.show(film);
      else strip = mountFilmstrip(holder, film, { at: context.kept.at, onStep: (at) => { context.kept.at = at; } });
      setQuery(Object.fromEntries(Object.entries(state).map(([name, value]) => [name, value === USUAL[name] ? null : value])));
    } catch (problem) {
      if (own === asked) error.textContent = problem.message || t("error.network");
    }
  }

  // Large boards ----------------------------------------------------------------------------------------------------

  const many = h("input", { type: "number", min: 0, max: 1000000, value: 1000000 });
  const how = select(["greedy", "permutation", "random"].map((one) => [one, t(`queens.start.${one}`)]), "greedy", () => {});
  const said = h("p", { role: "status" });
  const wrong = h("p.error", { role: "alert" });
  const picture = h("div.worlds-picture");
  let running = null;
  const place = (event) => {
    event.preventDefault();
    running?.stop();
    wrong.textContent = "";
    fill(picture);
    said.textContent = t("queens.working");
    running = socket.run("queens", { n: Number(many.value), start: how.value, lang: language() }, {
      event(found) {
        if (found.event !== "queens") return;
        const text = found.solved ? t("queens.placed", { ...found, n: found.n.toLocaleString(), seconds: found.seconds.toFixed(3) }) : t(found.possible ? "queens.unsolved" : "queens.impossible", found);
        said.textContent = text;
        announce(text);
        if (found.svg) fill(picture, svgFromText(found.svg));
      },
      error(line) {
        said.textContent = "";
        wrong.textContent = line || t("error.network");
      },
    });
  };

  fill(root, h("div.page.worlds",
    h("header", h("h1", t("queens.title")), h("p.lead", t("queens.lead"))),
    h("section.panel", h("header", h("h2", t("queens.settings"))), h("div.body", settings)),
    holder,
    h("section.panel", h("header", h("h2", t("queens.large"))), h("div.body.stack", h("p.muted", t("queens.large.lead")),
      h("form.worlds-settings", { onsubmit: place }, field(t("queens.n"), many), field(t("queens.start"), how), h("button.button.primary", { type: "submit" }, t("queens.place"))),
      said, wrong, picture))));

  const pressed = (event) => strip?.key(event);
  addEventListener("keydown", pressed);
  const release = keys([
    { key: "ArrowLeft ArrowRight", label: "queens.keys.step" },
    { key: " ", label: "queens.keys.play" },
    { key: "n", label: "queens.keys.fresh", run: fresh },
  ], "queens.title");
  begin();
  return () => {
    removeEventListener("keydown", pressed);
    running?.stop();
    socket.close();
    strip?.destroy();
    release();
  };
}
