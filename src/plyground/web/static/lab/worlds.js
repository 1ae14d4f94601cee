// What the pages of queens and of the Wumpus world have in common: settings in the address, and the film that the
// server makes of them; below it something larger, which a worker does.

import { post, searches } from "/static/api.js";
import { fill, h, sign } from "/static/dom.js";
import { noteGuess } from "/static/lab/learn/progress.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { field, radios, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const read = (text, usual) => (typeof usual === "number" ? Number(text) : typeof usual === "boolean" ? text === "true" : text);

// Who is at work: the visitor, or what is usually watched. The settings that both know stay the same.
export function modes(context, name, mode, common, other) {
  return h("div.segmented.worlds-modes", { role: "radiogroup", "aria-label": t(`${name}.mode`) }, radios("mode", [other, "hand"].map((key) => [key, t(`${name}.mode.${key}`)]), mode, (chosen) => {
    const query = new URLSearchParams(location.search);
    const kept = new URLSearchParams(common.filter((key) => query.has(key)).map((key) => [key, query.get(key)]));
    if (chosen === "hand") kept.set("mode", "hand");
    context.navigate(`/${name}${kept.size ? `?${kept}` : ""}`);
  }));
}

// Mounts the page of a subject, whose words and addresses begin with its `name`. `usual` are the settings as they are
// before anybody has changed them, `seed` that of the first film, and `limits` have for each number its least, its most
// and perhaps its step, and for each choice its keys; what is true or false is a switch. A choice begins another film at
// once if the page is `eager`. `wished(wish)` is called before a film is asked for; `above` stands above the settings,
// `note` below them, and what `below({ ask, wish, wrong })` makes below the film: `ask(details, said, event)` has the
// worker do something, `said` tells how far it is, `wrong` what goes wrong, and `wish()` are the settings as they are now.
export function mountWorld(root, { query, setQuery, kept, within }, { name, usual, seed, limits, eager = false, wished = () => {}, note, above, below }) {
  const word = (key) => t(`${name}.${key}`);
  const state = { ...usual, seed };
  for (const key of Object.keys(state)) if (query.has(key)) state[key] = read(query.get(key), state[key]);
  const socket = searches();
  let [strip, asked, running] = [null, 0, null];

  const inputs = Object.fromEntries(Object.entries(state).map(([key, value]) => {
    if (typeof value === "boolean") return [key, h("input", { type: "checkbox", role: "switch", checked: value, onchange: () => begin() })];
    if (typeof value === "number") return [key, h("input", { type: "number", value, ...limits[key] })];
    return [key, select(limits[key].map((one) => [one, word(`${key}.${one}`)]), value, () => eager && begin())];
  }));
  const valueOf = (input) => (input.type === "checkbox" ? input.checked : input.type === "number" ? Number(input.value) : input.value);
  const wish = () => Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, valueOf(input)]));
  const error = h("p.error", { role: "alert" });
  const holder = h("div.worlds-film");
  const fresh = () => {
    inputs.seed.value = randomSeed();
    begin();
  };
  const isSwitch = ([, input]) => input.type === "checkbox";
  const settings = h("form.worlds-settings", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    Object.entries(inputs).sort((one, other) => isSwitch(one) - isSwitch(other)).map(([key, input]) => (isSwitch([key, input]) ? h("label.switch", input, word(key)) : field(word(key), input))),
    h("div.row", h("button.button.primary", { type: "submit" }, word("show")),
      h("button.button.icon", { type: "button", title: word("fresh"), "aria-label": word("fresh"), onclick: fresh }, sign("dice"))), error);

  async function begin() {
    const own = ++asked;
    const wanted = wish();
    error.textContent = "";
    wished(wanted);
    try {
      const { film, seed: used } = await post(`/api/${name}`, { ...wanted, lang: language() });
      if (own !== asked) return;
      Object.assign(state, wanted, { seed: used });
      if (strip) strip.show(film);
      else strip = mountFilmstrip(holder, film, { at: kept.at, onStep: (at) => { kept.at = at; }, onGuess: noteGuess });
      setQuery(Object.fromEntries(Object.entries(state).map(([key, value]) => [key, value === usual[key] ? null : value])));
    } catch (problem) {
      if (own === asked) error.textContent = problem.message || t("error.network");
    }
  }

  const wrong = h("p.error", { role: "alert" });
  function ask(details, said, event) {
    running?.stop();
    wrong.textContent = "";
    running = socket.run(name, details, {
      event,
      error(line) {
        said.textContent = "";
        wrong.textContent = line || t("error.network");
      },
    });
  }

  fill(root, h("div.page.stack.worlds",
    h("header", h("h1", word("title")), h("p.lead", word("lead"))), above,
    h("section.panel", h("header", h("h2", word("settings"))), h("div.body.stack", settings, note)),
    holder, below({ ask, wish, wrong })));

  const pressed = (event) => strip?.key(event);
  const hears = within ?? window;
  hears.addEventListener("keydown", pressed);
  const release = keys([
    { key: "ArrowLeft ArrowRight", label: "keys.film" },
    { key: " ", label: "keys.filmplay" },
    { key: "1 2 3", label: "keys.guess" },
    { key: "n", label: `${name}.fresh`, run: fresh },
  ], `${name}.title`, within);
  begin();
  return () => {
    hears.removeEventListener("keydown", pressed);
    running?.stop();
    socket.close();
    strip?.destroy();
    release();
  };
}
