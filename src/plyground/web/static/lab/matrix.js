// Matrix games: a table and everything about it, learners, the repeated game, a cake. What is shown is a film made by the server.
//
// The address has what=learn and whatever of the fields is not as usual: text, learner, steps, seed, who, rounds, known, noise, method.

import { get, searches } from "/static/api.js";
import { announce, toastError } from "/static/dialogs.js";
import { fill, h } from "/static/dom.js";
import { noteGuess } from "/static/lab/learn/progress.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { field, radios, select } from "/static/fields.js";
import { language, pick, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const USUAL = { what: "game", text: "", learner: "fictitious", steps: "10000", seed: "1", who: "", rounds: "200", known: "yes", noise: "0", method: "" };
const PEOPLE = "Anna: 1 1 4\nBert: 3 1 0\nCleo: 1 2 1";
const KINDS = ["game", "learn", "repeated", "cake"];

export function mount(root, { query, setQuery, within }) {
  const state = { ...USUAL };
  for (const name of Object.keys(USUAL)) state[name] = query.get(name) ?? USUAL[name];
  if (!KINDS.includes(state.what)) state.what = "game";
  const texts = { [state.what]: state.text }; // each kind keeps its own
  const socket = searches();
  let [known, running, strip] = [null, null, null];

  const fields = h("form.panel.matrix-fields", { onsubmit: (event) => {
    event.preventDefault();
    show();
  } });
  const error = h("p.error", { role: "alert" });
  const said = h("p.small.muted", { role: "status" });
  const film = h("div");
  const stage = h("section.matrix-film", h("h2.unseen", t("matrix.seen")), film);
  const kinds = h("div.segmented", { role: "radiogroup", "aria-label": t("matrix.what") }, radios("what", KINDS.map((kind) => [kind, t(`matrix.${kind}`)]), state.what, (kind) => {
    state.what = kind;
    build();
    show();
  }));
  fill(root, h("div.page.stack.matrix", h("header", h("h1", t("page.matrix")), h("p.lead", t("matrix.lead"))), kinds, h("div.matrix-halves", fields, stage)));

  const change = (name) => (value) => {
    state[name] = value;
    show();
  };
  const input = (name, options) => {
    const element = h("input", { ...options, value: state[name], onchange: () => change(name)(element.value) });
    return element;
  };
  const written = (game) => `name: ${pick(game.title)}\n${pick(game.text).replaceAll("; ", "\n")}`;

  const usual = { cake: () => PEOPLE, repeated: () => "", learn: () => written(known.games[3]), game: () => written(known.games[0]) };

  function build() {
    const { what } = state;
    texts[what] ||= usual[what]();
    const called = known.games.find((game) => game.name === texts[what].trim());
    if (called) texts[what] = written(called); // a table that can be seen and changed
    const text = h("textarea.mono", { value: texts[what], rows: 7, spellcheck: "false", autocomplete: "off", oninput: () => {
      texts[what] = text.value;
      named.value = about.textContent = "";
    } });
    const same = known.games.find((game) => written(game) === texts[what]);
    const about = h("p.small.muted", pick(same?.about));
    const named = select([["", t("matrix.own")], ...known.games.map((game) => [game.name, pick(game.title)])], same?.name ?? "", (name) => {
      const game = known.games.find((one) => one.name === name);
      if (!game) return;
      texts[what] = text.value = written(game);
      about.textContent = pick(game.about);
      show();
    });
    const parts = {
      game: () => [field(t("matrix.named"), named), about, field(t("matrix.text"), text, t("matrix.text.help"))],
      learn: () => [...parts.game(), field(t("matrix.learner"), select(["fictitious", "regret"].map((name) => [name, t(`matrix.${name}`)]), state.learner, change("learner"))),
        h("div.matrix-two", field(t("matrix.steps"), select(["100", "1000", "10000", "100000", "1000000"].map((count) => [count, Number(count).toLocaleString("en")]), state.steps, change("steps"))), field(t("seed"), input("seed", { type: "number", min: 0, step: 1 })))],
      repeated: () => {
        const chosen = new Set(state.who ? state.who.split(",") : known.strategies.map(({ name }) => name));
        return [
          h("fieldset.matrix-who", h("legend.label", t("matrix.who")), known.strategies.map(({ name, about: note }) => {
            const box = h("input", { type: "checkbox", checked: chosen.has(name), onchange: () => {
              chosen[box.checked ? "add" : "delete"](name);
              state.who = chosen.size === known.strategies.length ? "" : [...chosen].join(",");
            } });
            return h("label", { title: note }, box, name);
          })),
          h("div.matrix-two", field(t("matrix.rounds"), input("rounds", { type: "number", min: 1, max: 1000, step: 1 })),
            field(t("matrix.horizon"), select([["yes", t("matrix.known")], ["no", t("matrix.unknown")]], state.known, change("known"))),
            field(t("matrix.noise"), input("noise", { type: "number", min: 0, max: 0.5, step: 0.01 })), field(t("seed"), input("seed", { type: "number", min: 0, step: 1 })))];
      },
      cake: () => [field(t("matrix.people"), text, t("matrix.people.help")), field(t("matrix.method"), select([["", t("matrix.usual")], ...known.methods.map(({ name, title }) => [name, pick(title)])], state.method, change("method")))],
    };
    fill(fields, parts[what](), h("button.button.primary", { type: "submit" }, t("matrix.show")), error, said);
  }

  function show() {
    running?.stop();
    error.textContent = said.textContent = "";
    stage.setAttribute("aria-busy", "true");
    state.text = texts[state.what];
    const changed = { ...state, text: state.text === usual[state.what]() ? "" : state.text };
    setQuery(Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value === USUAL[name] ? null : value])));
    const done = () => stage.removeAttribute("aria-busy");
    running = socket.run("matrix", {
      what: state.what, text: state.text, learner: state.learner, steps: Number(state.steps) || 1, seed: Number(state.seed) || 0, lang: language(),
      strategies: state.who ? state.who.split(",") : known.strategies.map(({ name }) => name), rounds: Number(state.rounds) || 1, known: state.known === "yes", noise: Number(state.noise) || 0, method: state.method, narrow: innerWidth < 700,
    }, {
      event(answer) {
        if (answer.event === "progress") said.textContent = t("matrix.busy", { percent: `${Math.round(100 * answer.part)}%` });
        if (answer.event !== "film") return;
        const { film: made } = answer;
        stage.dataset.what = state.what;
        if (strip) strip.show(made, 0);
        else strip = mountFilmstrip(film, made, { onGuess: noteGuess });
        film.querySelector(".film-picture").tabIndex = 0; // it can be scrolled where the window is narrow
        announce(made.frames[0].caption);
        if (state.what === "learn" && !matchMedia("(prefers-reduced-motion: reduce)").matches) strip.play(true);
        else if (state.what === "learn" || state.what === "cake") strip.goTo("last");
      },
      done() {
        said.textContent = "";
        done();
      },
      error(line) {
        said.textContent = "";
        error.textContent = line || t("error.network");
        done();
      },
    });
  }

  const release = keys([{ key: "ArrowLeft ArrowRight Home End", label: "keys.film" }, { key: " ", label: "keys.filmplay" }, { key: "1 2 3", label: "keys.guess" }], "page.matrix", within);
  const hears = within ?? window;
  const press = (event) => strip?.key(event);
  hears.addEventListener("keydown", press);
  get("/api/matrix").then((answer) => {
    known = answer;
    build();
    show();
  }, toastError);
  return () => {
    hears.removeEventListener("keydown", press);
    release();
    socket.close();
    strip?.destroy();
  };
}
