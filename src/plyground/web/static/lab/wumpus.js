// The Wumpus world: a visit by an agent, action by action, and the scores of all agents in many caves.
//
// The address has agent=logical, width=4, height=4, pits=0.2, seed=7, solvable=true, truth=false.

import { post, searches } from "/static/api.js";
import { fill, h, sign } from "/static/dom.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { field, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const AGENTS = ["random", "search", "lrta", "logical", "probabilistic"];
const USUAL = { agent: "probabilistic", width: 4, height: 4, pits: 0.2, solvable: false, truth: true };

export function mount(root, context) {
  const { query, setQuery } = context;
  const state = { ...USUAL, seed: query.size ? randomSeed() : 52 }; // a cave in which much happens
  for (const name of [...Object.keys(USUAL), "seed"]) {
    if (!query.has(name)) continue;
    const text = query.get(name);
    state[name] = typeof state[name] === "number" ? Number(text) : typeof state[name] === "boolean" ? text === "true" : text;
  }
  const socket = searches();
  let strip = null;
  let asked = 0;

  const number = (name, options) => h("input", { type: "number", value: state[name], ...options });
  const box = (name) => h("input", { type: "checkbox", role: "switch", checked: state[name], onchange: () => begin() });
  const inputs = {
    agent: select(AGENTS.map((one) => [one, t(`wumpus.agent.${one}`)]), state.agent, () => begin()),
    width: number("width", { min: 2, max: 8 }),
    height: number("height", { min: 2, max: 8 }),
    pits: number("pits", { min: 0, max: 0.6, step: "any" }),
    seed: number("seed", { min: 0 }),
  };
  const boxes = { solvable: box("solvable"), truth: box("truth") };
  const error = h("p.error", { role: "alert" });
  const about = h("p.muted");
  const holder = h("div.worlds-film");
  const fresh = () => {
    inputs.seed.value = randomSeed();
    begin();
  };
  const settings = h("form.worlds-settings", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    ...Object.entries(inputs).map(([name, input]) => field(t(`wumpus.${name}`), input)),
    ...Object.entries(boxes).map(([name, input]) => h("label.switch", input, t(`wumpus.${name}`))),
    h("div.row", h("button.button.primary", { type: "submit" }, t("wumpus.show")),
      h("button.button.icon", { type: "button", title: t("wumpus.fresh"), "aria-label": t("wumpus.fresh"), onclick: fresh }, sign("dice"))), error);

  function wished() {
    const wish = {};
    for (const [name, input] of Object.entries(inputs)) wish[name] = input.type === "number" ? Number(input.value) : input.value;
    for (const [name, input] of Object.entries(boxes)) wish[name] = input.checked;
    return wish;
  }

  async function begin() {
    const wish = wished();
    const own = ++asked;
    error.textContent = "";
    about.textContent = t(`wumpus.agent.${wish.agent}.about`);
    try {
      const { film, seed } = await post("/api/wumpus", { ...wish, lang: language() });
      if (own !== asked) return;
      Object.assign(state, wish, { seed });
      if (strip) strip.show(film);
      else strip = mountFilmstrip(holder, film, { at: context.kept.at, onStep: (at) => { context.kept.at = at; } });
      setQuery(Object.fromEntries(Object.entries(state).map(([name, value]) => [name, value === USUAL[name] ? null : value])));
    } catch (problem) {
      if (own === asked) error.textContent = problem.message || t("error.network");
    }
  }

  // Many caves ------------------------------------------------------------------------------------------------------

  const worlds = h("input", { type: "number", min: 2, max: 5000, value: 500 });
  const rows = h("tbody");
  const said = h("span.small.muted", { role: "status" });
  const wrong = h("p.error", { role: "alert" });
  let running = null;
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const compare = (event) => {
    event.preventDefault();
    running?.stop();
    wrong.textContent = "";
    fill(rows);
    const { width, height, pits, solvable } = wished();
    running = socket.run("wumpus", { agents: AGENTS, worlds: Number(worlds.value), width, height, pits, solvable }, {
      event(found) {
        if (found.event === "progress") said.textContent = t("wumpus.progress", { percent: Math.round(100 * found.part) });
        if (found.event !== "scores") return;
        said.textContent = "";
        fill(rows, found.agents.map((row) => h("tr", { dataset: { agent: row.agent } }, h("td", t(`wumpus.agent.${row.agent}`)),
          h("td.number", `${row.mean.toFixed(1).replace("-", "−")} ± ${row.margin.toFixed(1)}`), h("td.number", percent(row.gold)), h("td.number", percent(row.died)), h("td.number", row.steps.toFixed(1)))));
      },
      error(line) {
        said.textContent = "";
        wrong.textContent = line || t("error.network");
      },
    });
  };

  fill(root, h("div.page.worlds",
    h("header", h("h1", t("wumpus.title")), h("p.lead", t("wumpus.lead"))),
    h("section.panel", h("header", h("h2", t("wumpus.settings"))), h("div.body.stack", settings, about)),
    holder,
    h("section.panel", h("header", h("h2", t("wumpus.many")), said), h("div.body.stack", h("p.muted", t("wumpus.many.lead")),
      h("form.worlds-settings", { onsubmit: compare }, field(t("wumpus.worlds"), worlds), h("button.button.primary", { type: "submit" }, t("wumpus.compare"))), wrong,
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("wumpus.many") }, h("table.table", h("thead", h("tr", h("th", t("wumpus.agent")), ["mean", "gold", "died", "steps"].map((one) => h("th.number", t(`wumpus.${one}`))))), rows))))));

  const pressed = (event) => strip?.key(event);
  addEventListener("keydown", pressed);
  const release = keys([
    { key: "ArrowLeft ArrowRight", label: "wumpus.keys.step" },
    { key: " ", label: "wumpus.keys.play" },
    { key: "n", label: "wumpus.keys.fresh", run: fresh },
  ], "wumpus.title");
  begin();
  return () => {
    removeEventListener("keydown", pressed);
    running?.stop();
    socket.close();
    strip?.destroy();
    release();
  };
}
