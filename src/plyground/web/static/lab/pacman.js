// Pac-Man: by hand, step by step or by the clock; played by searches, as films; and how often they win.
//
// The address has maze=small, ghosts=random,random, seed=7, and mode=watch with player, rounds and believes.

import { post, searches } from "/static/api.js";
import { toastError } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";
import { field, radios, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const MAZES = { trapped: 2, corridor: 1, tiny: 1, small: 2, open: 4, rooms: 2, classic: 4 }; // ghosts that have room
const KINDS = ["random", "directional", "minimax", "none"];
const PLAYERS = ["expectimax", "learned", "minimax", "alphabeta", "mcts", "random"];
const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const STOP = 4;
const SPEEDS = { step: 0, slow: 450, usual: 260, quick: 150 }; // milliseconds a step
const LESSONS = [
  { name: "trap", maze: "trapped", player: "minimax", rounds: 4 },
  { name: "hope", maze: "trapped", player: "expectimax", rounds: 4 },
  { name: "small", maze: "small", player: "expectimax", rounds: 2, games: 50, rival: "alphabeta" },
];

export function mount(root, context) {
  const { query, setQuery } = context;
  const known = (name, names, usual) => (names.includes(query.get(name)) ? query.get(name) : usual);
  const state = {
    maze: known("maze", Object.keys(MAZES), "small"),
    ghosts: (query.get("ghosts") ?? "random").split(",").filter((kind) => KINDS.includes(kind)),
    seed: Number(query.get("seed")) || randomSeed(),
    mode: known("mode", ["play", "watch"], "play"),
    player: known("player", PLAYERS, "expectimax"),
    rounds: Math.min(5, Math.max(1, Number(query.get("rounds")) || 2)),
    believes: known("believes", ["true", "minimax", "random", "directional"], ""),
  };
  const socket = searches();
  let [game, busy, way, timer, pace, strip, running, tallies, pointed] = [null, false, STOP, 0, "step", null, null, [], false];

  const ghosts = () => Array.from({ length: MAZES[state.maze] }, (_, i) => state.ghosts[i] ?? (state.ghosts.length === 1 ? state.ghosts[0] : "none"));
  const wish = () => ({ maze: state.maze, ghosts: ghosts(), seed: state.seed, lang: language() });

  // The page --------------------------------------------------------------------------------------------------------

  const caption = h("p.pacman-caption", { role: "status" });
  const image = h("div.pacman-picture");
  const pad = h("div.pacman-pad", { role: "group", "aria-label": t("pacman.pad") }, [..."↑→↓←■"].map((arrow, action) =>
    h("button.button", { type: "button", dataset: { way: action }, "aria-label": t(`pacman.way${action}`), onclick: () => go(action) }, arrow)));
  const speed = h("div.segmented", { role: "radiogroup", "aria-label": t("pacman.speed") },
    radios("pace", Object.keys(SPEEDS).map((key) => [key, t(`pacman.speed.${key}`)]), pace, (key) => { pace = key; tick(); settle(); }));
  const stage = h("section.panel.pacman-stage", { tabindex: -1 }, caption, image, h("div.pacman-tools", h("div.stack", h("span.label", t("pacman.speed")), speed,
    h("div.row", h("button.button", { type: "button", onclick: () => begin() }, sign("again"), t("pacman.again")), h("button.button", { type: "button", onclick: () => begin({ seed: randomSeed() }) }, sign("dice"), t("pacman.new")))), pad));
  const film = h("div.pacman-film");
  const said = h("p.small.muted", { role: "status" });
  const problem = h("p.error", { role: "alert" });
  const modes = h("div.segmented", { role: "radiogroup", "aria-label": t("pacman.mode") });
  const settings = h("form.pacman-settings", { onsubmit: (event) => { event.preventDefault(); watch(1); } });
  const found = h("tbody");
  const table = h("section.panel.scroll", { hidden: true }, h("header", h("h2", t("pacman.measured"))), h("div.body", h("table.table",
    h("thead", h("tr", ["player", "believes", "won", "interval", "caught", "late", "score"].map((name, i) => h(i < 2 ? "th" : "th.number", t(`pacman.${name}`))))), found)));
  const side = h("section.panel", h("header", h("h2", t("pacman.settings"))), h("div.body.stack", settings, said, problem));
  const lessons = LESSONS.map((lesson) => h("button.pacman-lesson", { type: "button", onclick: () => teach(lesson) }, h("strong", t(`pacman.lesson.${lesson.name}`)), h("span", t(`pacman.lesson.${lesson.name}.about`))));
  fill(root, h("div.page.stack.pacman", h("header", h("h1", t("page.pacman")), h("p.lead", t("pacman.lead"))),
    h("div.row", modes), h("div.pacman-halves", h("div.stack", stage, film, table), h("div.stack", side, lessons))));

  function arrange() {
    const watching = state.mode === "watch";
    stage.hidden = watching;
    film.hidden = !watching;
    fill(modes, radios("mode", [["play", t("pacman.play")], ["watch", t("pacman.watch")]], state.mode, (mode) => { change({ mode }); }));
    const kinds = KINDS.map((kind) => [kind, t(`pacman.kind.${kind}`)]);
    fill(settings,
      h("div.wide", field(t("pacman.maze"), select(Object.keys(MAZES).map((name) => [name, t(`pacman.maze.${name}`)]), state.maze, (maze) => change({ maze })))),
      ghosts().map((kind, i) => field(t("pacman.ghost", { number: i + 1 }), select(kinds, kind, (value) => change({ ghosts: ghosts().map((old, k) => (k === i ? value : old)) })))),
      field(t("seed"), h("input", { type: "number", min: 0, step: 1, value: state.seed, onchange: ({ target }) => change({ seed: Math.max(0, Math.floor(Number(target.value))) || 0 }) })),
      watching && [
        field(t("pacman.player"), select(PLAYERS.map((name) => [name, t(`pacman.player.${name}`)]), state.player, (player) => change({ player }))),
        field(t("pacman.rounds"), select([1, 2, 3, 4, 5].map((n) => [String(n), String(n)]), String(state.rounds), (rounds) => change({ rounds: Number(rounds) }))),
        field(t("pacman.believes"), select([["", t("pacman.believes.usual")], ...["true", "minimax", "random", "directional"].map((kind) => [kind, t(`pacman.kind.${kind}`)])], state.believes, (believes) => change({ believes }))),
        h("button.button.primary", { type: "submit" }, sign("play"), t("pacman.watch.run")),
        h("button.button", { type: "button", onclick: () => watch(50) }, t("pacman.measure")),
      ]);
    setQuery({ maze: state.maze === "small" ? null : state.maze, ghosts: ghosts().every((kind) => kind === "random") ? null : ghosts().join(","), seed: state.seed, mode: watching ? "watch" : null, ...(watching ? { player: state.player, rounds: state.rounds, believes: state.believes || null } : {}) });
  }

  // Whoever chooses with the mouse wants to play on with the keys; whoever chooses with the keys stays where they are.
  for (const kind of ["pointerdown", "keydown"]) root.firstChild.addEventListener(kind, () => { pointed = kind === "pointerdown"; }, true);
  const controls = () => [...settings.querySelectorAll("select, input")];
  const settle = (place = -1) => (pointed && state.mode === "play" ? stage.focus({ preventScroll: true }) : controls()[place]?.focus());

  function change(changes) {
    const place = controls().indexOf(document.activeElement);
    Object.assign(state, changes);
    arrange();
    settle(place);
    if (state.mode === "play") begin();
    else stop();
  }

  // By hand ---------------------------------------------------------------------------------------------------------

  async function ask(details) {
    busy = true;
    try {
      game = await post("/api/pacman/step", { ...wish(), ...details });
      fill(image, svgFromText(game.svg));
      caption.textContent = game.caption;
      for (const button of pad.children) button.disabled = !game.legal.includes(Number(button.dataset.way));
    } catch (error) {
      stop();
      toastError(error);
    }
    busy = false;
    if (game?.over) stop();
  }

  async function begin(changes = {}) {
    stop();
    way = STOP;
    problem.textContent = "";
    Object.assign(state, changes);
    if (changes.seed !== undefined) arrange();
    await ask({ history: "" });
  }

  function go(action) {
    way = action;
    if (pace === "step" || !timer) step();
    tick();
  }

  async function step() {
    if (busy || !game || game.over) return;
    const action = game.legal.includes(way) ? way : STOP;
    if (action === STOP && way !== STOP && pace === "step") return; // a wall
    await ask({ history: game.history, action });
  }

  function tick() {
    clearInterval(timer);
    timer = 0;
    if (SPEEDS[pace] && game && !game.over && state.mode === "play") timer = setInterval(() => { if (way !== STOP || game.history) step(); }, SPEEDS[pace]);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    running?.stop(); // nothing, if it has come to its end
    running = null;
    said.textContent = "";
  }

  // Programs --------------------------------------------------------------------------------------------------------

  function watch(games, after) {
    stop();
    problem.textContent = "";
    said.textContent = t("pacman.thinking");
    running = socket.run("pacman", { ...wish(), player: state.player, rounds: state.rounds, believes: state.believes || null, games }, {
      event(answer) {
        if (answer.event === "compiling") said.textContent = t("pacman.compiling");
        if (answer.event === "progress" && games > 1) said.textContent = t("pacman.progress", answer);
        if (answer.event === "film") {
          for (const frame of answer.film.frames) frame.svg = answer.start + frame.svg;
          if (strip) strip.show(answer.film);
          else strip = mountFilmstrip(film, answer.film);
          if (games === 1) strip.play(true);
        }
        if (answer.event === "tally") {
          tallies = [...tallies, answer.cells].slice(-12);
          table.hidden = false;
          fill(found, tallies.map((cells) => h("tr", cells.map((cell, i) => h(i < 2 ? "td" : "td.number", cell)))));
        }
      },
      done() {
        stop();
        after?.();
      },
      error(line) {
        stop();
        problem.textContent = line || t("error.network");
      },
    });
  }

  function teach({ maze, player, rounds, games = 1, rival }) {
    modes.scrollIntoView({ block: "nearest" });
    Object.assign(state, { mode: "watch", maze, ghosts: ["random"], player, rounds, believes: "" });
    arrange();
    watch(games, rival && (() => {
      state.player = rival;
      arrange();
      watch(games);
    }));
  }

  const release = keys([
    { key: Object.keys(KEYS).join(" "), label: "keys.way", elsewhere: true, run: (event) => (state.mode === "play" ? go(KEYS[event.key]) : strip?.key(event)) },
    { key: " ", label: "keys.stop", run: () => (state.mode === "play" ? go(STOP) : strip?.play(!strip.playing)) },
    { key: "n", label: "keys.newgame", run: () => state.mode === "play" && begin({ seed: randomSeed() }) },
  ], "page.pacman", context.within);
  arrange();
  if (state.mode === "play") begin();
  else if (query.get("player")) watch(1);
  return () => {
    stop();
    strip?.destroy();
    socket.close();
    release();
  };
}
