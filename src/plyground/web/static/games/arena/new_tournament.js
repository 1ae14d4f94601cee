// The form for a new tournament: the game, who plays, and how often.

import { fill, h, sign } from "/static/dom.js";
import { field, optionFields, select, splitSpec, writeSpec } from "/static/fields.js";
import { calledBy } from "/static/games/arena/names.js";
import { opponents, players } from "/static/games/arena/opponents.js";
import { pick, t } from "/static/i18n.js";

const KINDS = ["round-robin", "gauntlet", "swiss"];
const FIRST = 3; // so many cards are chosen where nobody has chosen any

// `form` is where the choices are kept while the page is open; `start(wish)` begins the tournament.
export function newTournament(known, form, start) {
  Object.assign(form, { game: "tictactoe", chosen: null, before: {}, others: [], head: "", kind: "round-robin", games: "4", rounds: "", openings: null, move_time: "10", seed: "", ...form });
  const error = h("p.error", { role: "alert" });
  const count = h("p.small.muted.tabular", { role: "status" });
  const rules = h("div.arena-options");
  const holder = h("form.stack", { onsubmit: begin });
  const game = () => known.games.find((one) => one.name === splitSpec(form.game).name) ?? known.games[0];
  const cards = () => known.cards[game().name] ?? [];
  const number = (text) => (String(text).trim() === "" ? undefined : Number(text));
  const usualRounds = () => Math.ceil(Math.log2(Math.max(2, players(form).length))) + 1;

  async function begin(event) {
    event.preventDefault();
    error.textContent = "";
    const chosen = players(form);
    if (chosen.length < 2) {
      error.textContent = t("arena.few");
      return;
    }
    const head = form.kind === "gauntlet" && chosen.includes(form.head) ? chosen.indexOf(form.head) : 0;
    const button = holder.querySelector("[type=submit]");
    button.disabled = true;
    try {
      await start({
        game: form.game, players: [chosen[head], ...chosen.filter((_, i) => i !== head)], kind: form.kind, games: number(form.games) ?? 2,
        rounds: form.kind === "swiss" ? number(form.rounds) : undefined, openings: number(form.openings), move_time: number(form.move_time) ?? null, seed: number(form.seed),
      });
    } catch (problem) {
      error.textContent = problem.message || t("error.network");
      button.disabled = false;
    }
  }

  // What depends on who plays; the cards stay as they are, and keep the focus.
  function drawRules() {
    const called = calledBy(known, form.game);
    const chosen = players(form);
    const set = (key) => ({ target }) => {
      form[key] = target.value;
      tell();
    };
    const numbered = (key, extra = {}) => field(t(`arena.${key === "move_time" ? "movetime" : key}`), h("input", { type: "number", value: form[key], min: 0, step: key === "move_time" ? "any" : 1, oninput: set(key), ...extra }));
    fill(rules,
      form.kind === "gauntlet" && field(t("arena.head"), select([...new Set(chosen)].map((spec) => [spec, called(spec)]), chosen.includes(form.head) ? form.head : chosen[0] ?? "", (spec) => { form.head = spec; })),
      form.kind === "swiss" && numbered("rounds", { min: 1, max: 20, placeholder: usualRounds() }), numbered("games", { min: 1, max: 1000 }), numbered("openings", { max: 20 }), numbered("move_time"), numbered("seed", { placeholder: t("arena.seed.any") }));
    tell();
  }

  function tell() {
    const size = players(form).length;
    const meetings = form.kind === "gauntlet" ? size - 1 : form.kind === "swiss" ? (number(form.rounds) ?? usualRounds()) * Math.floor(size / 2) : size * (size - 1) / 2;
    count.textContent = size < 2 ? t("arena.few") : t("arena.count", { players: size, games: meetings * (number(form.games) ?? 2) });
  }

  function draw() {
    const { name, options } = splitSpec(form.game);
    const specs = cards().map(({ spec }) => spec);
    form.openings ??= String(game().openings);
    form.chosen = form.chosen?.filter((spec) => specs.includes(spec)) ?? cards().filter((card) => !card.own).slice(0, FIRST).map(({ spec }) => spec);
    fill(holder,
      field(t("game"), select(known.games.filter((one) => one.players === 2).map((one) => [one.name, pick(one.titles ?? one.title)]), name, (next) => {
        form.before[name] = form.chosen; // each game keeps the cards that were chosen in it
        Object.assign(form, { game: next, openings: null, chosen: form.before[next] ?? null });
        draw();
        holder.querySelector("select").focus();
      })),
      game().options.length > 0 && h("div.arena-options", optionFields(game().options, options, (key, value) => { form.game = writeSpec(name, { ...splitSpec(form.game).options, [key]: value }); })),
      opponents({ name: "arena-opponent", legend: t("arena.players"), cards: cards(), programs: game().programs, form, changed: drawRules }),
      field(t("arena.kind"), select(KINDS.map((kind) => [kind, t(`arena.kind.${kind}`)]), form.kind, (kind) => { form.kind = kind; drawRules(); })),
      rules, h("p.small.muted", t("arena.openings.help")),
      count, error, h("button.button.primary.large", { type: "submit" }, sign("cup"), t("arena.start")));
    drawRules();
  }
  draw();
  return h("section.panel", h("header", h("h2", t("arena.new"))), h("div.body", holder));
}
