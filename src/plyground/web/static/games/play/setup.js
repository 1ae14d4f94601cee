// The page before a game: which game, against whom, who begins, and the clock. Everything chosen is in the address.

import { about as askAbout, get, lineOf, post } from "/static/api.js";
import { miniature, pieceIcon, sideName } from "/static/board.js";
import { toastError } from "/static/dialogs.js";
import { breakable, fill, h, sign } from "/static/dom.js";
import { radios, splitSpec, writeSpec } from "/static/fields.js";
import { pick, t } from "/static/i18n.js";
import { gameNames, gamePicture, gameSummary, gameTitle, nameOf, playQuery, playerSign, playerTitle, readQuery } from "/static/games/play/games.js";
import { createLadder } from "/static/games/play/ladder.js";
import { gameList } from "/static/games/play/list.js";
import { opponentCard } from "/static/games/play/opponent_card.js";

const HUMAN = "human";
const FRIEND = "friend"; // a card: somebody who comes by a link; to the server two people, each with a seat
const PEOPLE = [HUMAN, FRIEND];
const CLOCKS = { none: null, course: { move: 60, game: null, increment: 0 }, five: { move: null, game: 300, increment: 0 } };
const CHESS_CLOCKS = { none: null, blitz: { move: null, game: 180, increment: 2 }, five: CLOCKS.five, ten: { move: null, game: 600, increment: 0 } };
const STYLES = { reversi: "discs", connect4: "slots", chess: "chess", tictactoe: "marks", gomoku: "marks", mnk: "marks", hex: "hex", dots_and_boxes: "boxes" };

export function mount(root, context) {
  const page = fill(root, h("div.page.setup", h("header", h("h1", t("page.play")), h("p.lead", t("play.lead"))), waiting())).firstChild;
  let gone = false;
  askAbout().then((about) => !gone && fill(page, page.firstChild, form(about, context, () => gone)), (error) => {
    if (!gone) fill(page, page.firstChild, h("p.note.bad", { role: "alert" }, error.message || t("error.network")));
  });
  return () => { gone = true; };
}

// What the page is going to look like, while a server that has just started finds out what it has.
function waiting() {
  const blocks = (count, kind) => Array.from({ length: count }, () => h(`div.skeleton.${kind}`));
  return h("div.setup-form.setup-wait", { "aria-hidden": "true" }, h("div.setup-main.stack", h("div.tiles", blocks(6, "tile-wait")), h("div.grid.opponents", blocks(6, "card-wait"))), h("div.setup-side", blocks(1, "side-wait")));
}

function segmented(name, label, choices, value, change) {
  return h("fieldset.field", h("legend.label", label), h("div.segmented", radios(name, choices, value, change)));
}

function form(about, context, gone) {
  const asked = readQuery(context.query);
  const names = gameNames(about);
  const known = asked.game && names.includes(nameOf(asked.game));
  const state = {
    game: known ? nameOf(asked.game) : names[0],
    options: known ? splitSpec(asked.game).options : {},
    opponent: null, // a card's spec, FRIEND, HUMAN for two at this computer, or null for what the advanced fields say
    begins: "you",
    specs: [HUMAN, ""],
    clock: asked.clock,
    advanced: false,
    board: asked.board,
    moves: asked.moves,
    rated: asked.rated,
  };
  const cards = () => about.cards[state.game] ?? [];
  // Whom people meet first: the game's own engine at its weakest, or the weakest that does not move at random.
  const standard = () => {
    const found = cards().filter((item) => !item.own);
    return (found.find((item) => item.spec.startsWith("engine")) ?? found[Math.min(1, found.length - 1)])?.spec ?? HUMAN;
  };
  const facts = () => about.games.find((game) => game.name === state.game);

  if (known && asked.players) {
    const [one, two] = asked.players;
    state.specs = [one, two];
    const other = one === HUMAN ? two : one;
    state.begins = asked.first === "lot" ? "lot" : one === HUMAN || two !== HUMAN ? "you" : "other";
    const named = (one === HUMAN || two === HUMAN) && (other === HUMAN || cards().some((card) => card.spec === other));
    state.opponent = !named ? null : other === HUMAN && asked.people === "invited" ? FRIEND : other;
    state.advanced = !named;
  } else state.opponent = standard();
  syncSpecs();

  // Who is not a person, where exactly one side is one; null otherwise.
  function program() {
    if (state.opponent !== null) return PEOPLE.includes(state.opponent) ? null : state.opponent;
    const others = state.specs.filter((spec) => spec !== HUMAN);
    return others.length === 1 ? others[0] : null;
  }

  function syncSpecs() {
    const other = program() ?? (state.opponent === FRIEND ? HUMAN : state.opponent);
    if (other !== null) state.specs = state.begins === "other" ? [other, HUMAN] : [HUMAN, other];
  }

  const rating = (spec) => cards().find((item) => item.spec === spec)?.rating ?? null;
  const rateable = () => state.opponent !== null && rating(state.opponent) !== null && gameSpec() === state.game && !state.board && !state.moves;
  const rated = () => state.rated && rateable();
  const gameSpec = () => writeSpec(state.game, state.options);
  const wish = () => ({
    game: gameSpec(), players: state.specs, people: state.opponent === FRIEND ? "invited" : "here", first: rated() || state.begins === "lot" ? "lot" : "choice", clock: rated() ? null : state.clock,
    board: state.board, moves: state.moves, rated: rated(),
  });

  const opponents = h("div.grid.opponents", { role: "radiogroup", "aria-label": t("play.opponent") });
  const settings = h("div.stack");
  const advanced = h("details.advanced", { open: state.advanced, ontoggle: () => { state.advanced = advanced.open; } });
  const problem = h("p.error", { role: "alert" });
  const start = h("button.button.primary.large", { type: "submit" }, t("play.start"));
  const summary = h("div.summary");

  function changed() {
    syncSpecs();
    history.replaceState({}, "", `/play?${playQuery(wish())}`);
    problem.textContent = "";
    drawSummary();
  }

  function drawOpponents() {
    const card = (spec, title, text, more = {}) => opponentCard({ type: "radio", name: "opponent", checked: state.opponent === spec, change: () => {
      state.opponent = spec;
      changed();
      drawAdvanced();
      drawSettings();
    } }, { spec, title, text, ...more });
    const own = cards().filter((item) => item.own);
    fill(opponents,
      h("h3.opponents-kind", t("play.people")),
      card(FRIEND, t("play.friend"), t("play.friend.about")),
      card(HUMAN, t("play.here"), t("play.here.about")),
      h("h3.opponents-kind", t("play.programs")),
      cards().some((item) => item.rating) && h("p.small.muted.rating-means", t("rating.means")),
      cards().filter((item) => !item.own).map((item) => card(item.spec, pick(item.name), pick(item.about), { rating: item.rating, known: t("rating.none"), mark: h("span.readiness", { "data-spec": item.spec }) })),
      own.map((item) => card(item.spec, pick(item.name), pick(item.about), { known: t("play.own") })));
    lookWhoIsReady();
  }

  // The cards say who can begin at once; the server compiles first what is asked for here.
  let looking = 0;
  async function lookWhoIsReady() {
    const mine = ++looking;
    for (let ready = {}; !gone() && mine === looking && Object.values(ready).length < cards().filter((item) => !item.own).length; ) {
      const states = await get(`/api/ready?${new URLSearchParams({ game: gameSpec(), player: program() ?? "" })}`).then((answer) => answer.opponents, () => null);
      if (states === null || mine !== looking) return;
      ready = Object.fromEntries(Object.entries(states).filter(([, state]) => state === "ready"));
      for (const mark of opponents.querySelectorAll(".readiness")) {
        const state = states[mark.dataset.spec];
        if (state && mark.dataset.state !== state) {
          mark.dataset.state = state;
          fill(mark, state === "compiling" && h("span.spinner", { "aria-hidden": "true" }), t(`play.${state}`));
        }
      }
      await new Promise((resolve) => { setTimeout(resolve, 1000); });
    }
  }

  function drawSettings() {
    const usual = state.game === "chess" ? CHESS_CLOCKS : CLOCKS;
    const clock = Object.entries(usual).find(([, value]) => JSON.stringify(value) === JSON.stringify(state.clock))?.[0] ?? "own";
    const number = (name, label, least) => h("div.field", h("label", { for: `clock-${name}` }, label), h("input", {
      id: `clock-${name}`, type: "number", min: least, max: 36000, step: "any", value: state.clock?.[name] ?? "", onchange: ({ target }) => {
        state.clock = { move: null, game: null, increment: 0, ...state.clock, [name]: Number(target.value) > 0 ? Number(target.value) : name === "increment" ? 0 : null };
        changed();
      } }));
    fill(settings,
      rateable() && h("label.switch", h("input", { type: "checkbox", checked: state.rated, onchange: ({ target }) => {
        state.rated = target.checked;
        changed();
        drawSettings();
        settings.querySelector("input")?.focus();
      } }), t("play.rated")),
      rated() ? h("p.small.muted", t("play.rated.about")) : [(program() !== null || state.opponent === FRIEND) && segmented("begins", t("play.begins"), [
        ["you", t("play.begins.you")], ["other", t("play.begins.other")], ["lot", sign("dice"), t("play.begins.lot")],
      ], state.begins, (value) => { state.begins = value; changed(); drawAdvanced(); }),
      segmented("clock", t("play.clock"), [...Object.keys(usual), "own"].map((key) => [key, t(`play.clock.${key}`)]), clock, (value) => {
        state.clock = value === "own" ? { move: null, game: 600, increment: 5 } : usual[value];
        changed();
        drawSettings();
        settings.querySelector(`[name^="clock-"][value="${value}"]`)?.focus();
      }),
      clock === "own" && h("div.clock-fields", number("move", t("play.clock.move"), 0), number("game", t("play.clock.game"), 0), number("increment", t("play.clock.increment"), 0))]);
  }

  // Any player against any player, with every option of each.
  function drawAdvanced() {
    const gameOptions = facts().options;
    fill(advanced, h("summary", t("play.advanced")), h("div.stack.advanced-body",
      gameOptions.length > 0 && h("fieldset.option-grid", h("legend.label", t("play.rules", { game: gameTitle(state.game, about) })), gameOptions.map((option) =>
        optionField(`game-${option.name}`, option, state.options[option.name] ?? "", (value) => { state.options[option.name] = value; changed(); }))),
      [0, 1].map((seat) => playerFields(seat))));
  }

  function playerFields(seat) {
    const { name, options } = splitSpec(state.specs[seat]);
    const text = h("input.mono", { id: `spec-${seat}`, value: state.specs[seat], spellcheck: "false", autocomplete: "off", onchange: ({ target }) => set(target.value.trim()) });
    const set = (spec) => {
      state.opponent = null;
      state.specs[seat] = spec;
      if (state.begins !== "lot") state.begins = state.specs[0] !== HUMAN && state.specs[1] === HUMAN ? "other" : "you";
      changed();
      drawOpponents();
      drawSettings();
      const focused = document.activeElement?.id;
      drawAdvanced();
      if (focused) document.getElementById(focused)?.focus();
    };
    const players = [{ name: HUMAN, summary: t("play.human.about"), options: [] }, ...about.players.filter((player) => player.name !== HUMAN)];
    const player = players.find((item) => item.name === name);
    const title = t("play.seat", { side: sideName(STYLES[state.game] ?? "plain", seat) });
    return h("fieldset.player-fields", h("legend.label", title),
      h("div.option-grid",
        h("div.field", h("label", { for: `player-${seat}` }, t("play.player")), h("select", { id: `player-${seat}`, onchange: ({ target }) => set(target.value) },
          !player && h("option", { value: name, selected: true }, name || "–"),
          players.map((item) => h("option", { value: item.name, selected: item.name === name }, item.name === HUMAN ? t("play.human") : item.name)),
          facts().own.filter((own) => own !== name).map((own) => h("option", { value: own }, own)))),
        h("div.field.wide", h("label", { for: `spec-${seat}` }, t("play.spec")), text)),
      player && h("p.small.muted", pick(player.summary)),
      player?.options.length > 0 && h("details", h("summary.small", t("play.options", { count: player.options.length })),
        h("div.option-grid", player.options.map((option) => optionField(`p${seat}-${option.name}`, option, options[option.name] ?? "", (value) =>
          set(writeSpec(name, { ...options, [option.name]: value })))))));
  }

  function optionField(id, option, value, change) {
    const choices = option.type.includes("|") ? option.type.split("|") : null;
    const usual = option.default === null || option.default === undefined ? "" : String(Array.isArray(option.default) ? option.default.join(",") : option.default === true ? "on" : option.default === false ? "off" : option.default);
    const input = choices
      ? h("select", { id, onchange: ({ target }) => change(target.value) }, h("option", { value: "" }, usual ? t("play.usual", { value: usual }) : "–"), choices.map((choice) => h("option", { value: choice, selected: choice === value }, choice)))
      : h("input", { id, value, placeholder: usual || (option.required ? t("play.required") : "–"), inputmode: ["integer", "number"].includes(option.type) ? "decimal" : null, spellcheck: "false", autocomplete: "off", "aria-describedby": `${id}-help`, onchange: ({ target }) => change(target.value.trim()) });
    return h("div.field", h("label", { for: id }, option.name), input, h("p.help", { id: `${id}-help` }, pick(option.help)));
  }

  function drawSummary() {
    const style = STYLES[state.game];
    const lot = rated() || state.begins === "lot";
    const line = (seat) => {
      const spec = state.specs[seat];
      const mine = state.opponent === FRIEND ? seat === (state.begins === "other" ? 1 : 0) : spec === HUMAN && state.specs[1 - seat] !== HUMAN;
      return h("li", lot ? sign("dice") : style ? pieceIcon(style, seat) : sign(playerSign(spec)),
        h("span", breakable(mine ? t("play.you") : state.opponent === FRIEND ? t("play.friend") : spec ? playerTitle(spec, state.game, about) : "–")));
    };
    const begun = state.board || state.moves;
    fill(summary, h("div.summary-board", begun && preview ? preview : gamePicture(state.game)), h("div", h("h2", gameTitle(state.game, about)), h("ul", line(0), line(1)),
      begun && h("p.set-up", h("span.badge", t("play.setup")), h("button.button.quiet.small", { type: "button", onclick: () => {
        state.board = state.moves = "";
        changed();
      } }, t("play.setup.away")))));
  }

  // The position from which the game is to begin, if it is not the usual one.
  let preview = null;
  function lookAtStart() {
    if (!state.board && !state.moves) return;
    post("/api/position", { game: gameSpec(), moves: state.moves, board: state.board, beginning: true }).then(({ positions, moves, problem: fault }) => {
      preview = positions.at(-1).grid ? miniature(positions.at(-1).grid) : null;
      if (fault) {
        state.moves = moves.join(" ");
        changed();
        problem.textContent = t("play.beginning", { count: moves.length, move: fault.move, problem: lineOf(fault) });
      } else drawSummary();
    }, (error) => { problem.textContent = error.message || t("error.network"); });
  }

  const tiles = h("div.tiles", { role: "radiogroup", "aria-label": t("play.game") }, names.map((name) => h("label.card.tile",
    h("input", { type: "radio", name: "game", value: name, checked: name === state.game, "aria-label": gameTitle(name, about), onchange: () => {
      state.game = name;
      state.options = {};
      state.board = state.moves = "";
      if (!PEOPLE.includes(state.opponent)) state.opponent = standard();
      changed();
      drawOpponents();
      drawSettings();
      drawAdvanced();
      tileNote.textContent = gameSummary(name, about);
      ladder.show(name);
    } }),
    gamePicture(name), h("strong", gameTitle(name, about)))));
  const tileNote = h("p.small.muted", gameSummary(state.game, about));

  const ladder = createLadder({ about, challenge: (spec) => {
    Object.assign(state, { opponent: spec, rated: true, options: {}, board: "", moves: "" });
    changed();
    begin();
  } });

  drawOpponents();
  drawSettings();
  drawAdvanced();
  drawSummary();
  lookAtStart();
  ladder.show(state.game);

  async function begin() {
    start.disabled = true;
    const { game, players, people, first, clock, board, moves, rated: counts } = wish();
    const seat = people === "invited" && state.begins === "other" ? 1 : 0;
    try {
      const made = await post("/api/games", { game, players, people, seat, first, ...(clock && { clock }), ...(board && { board }), ...(moves && { moves }), ...(counts && { rated: true }) });
      context.navigate(`/play/${made.id}?${playQuery({ game, players, people, first, clock, board, moves, rated: counts })}`);
    } catch (error) {
      start.disabled = false;
      problem.textContent = error.message || t("error.network");
      if (!error.status) toastError(error);
    }
  }

  const whole = h("form.setup-form", { onsubmit: (event) => {
    event.preventDefault();
    begin();
  } },
    h("div.setup-main.stack",
      h("section", h("h2", t("play.game")), tiles, tileNote),
      h("section", h("h2", t("play.opponent")), opponents),
      h("section.panel.advanced-panel", advanced)),
    h("aside.setup-side",
      h("div.panel", h("div.body.stack", summary, settings, h("div.start-bar", problem, start))),
      ladder.element,
      gameList({ about })));
  return whole;
}
