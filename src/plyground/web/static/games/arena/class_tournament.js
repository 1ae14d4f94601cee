// The form for a tournament of the hand-ins that were named when the server was started: all of them or some, each
// against each, or each against chosen opponents.

import { fill, h, sign } from "/static/dom.js";
import { field, radios } from "/static/fields.js";
import { opponents, players } from "/static/games/arena/opponents.js";
import { t } from "/static/i18n.js";

const GAME = "reversi"; // the game of the course's framework

// `form` is where the choices are kept while the page is open; `start(wish)` begins the tournament.
export function classTournament(known, form, start) {
  const names = known.class;
  const { programs } = known.games.find((game) => game.name === GAME);
  const cards = known.cards[GAME].filter(({ spec }) => !names.includes(spec));
  form.chosen ??= Object.fromEntries(names.map((name) => [name, true]));
  form.kind ??= "each";
  form.opponents ??= { chosen: ["random", "engine:level=4"].filter((spec) => cards.some((card) => card.spec === spec)), others: [] };
  form.numbers ??= { games: "2", openings: "0", move_time: "60", seed: "" };
  const error = h("p.error", { role: "alert" });
  const holder = h("form.stack.class-tournament", { onsubmit: begin });
  const chosen = () => names.filter((name) => form.chosen[name]);

  async function begin(event) {
    event.preventDefault();
    error.textContent = "";
    const met = form.kind === "opponents" ? players(form.opponents) : [];
    const number = (key) => (form.numbers[key].trim() === "" ? undefined : Number(form.numbers[key]));
    const button = holder.querySelector("[type=submit]");
    if (chosen().length < (form.kind === "each" ? 2 : 1) || (form.kind === "opponents" && !met.length)) {
      error.textContent = t(form.kind === "each" ? "arena.class.few" : "arena.class.nobody");
      return;
    }
    button.disabled = true;
    try {
      await start({
        game: GAME, players: [...met, ...chosen()], kind: met.length ? "gauntlet" : "round-robin", heads: met.length || 1,
        games: number("games") ?? 2, openings: number("openings"), move_time: number("move_time") ?? null, seed: number("seed"),
      });
    } catch (problem) {
      error.textContent = problem.message || t("error.network");
      button.disabled = false;
    }
  }

  function draw() {
    const count = h("span.muted.tabular");
    const tell = () => { count.textContent = t("arena.class.count", { chosen: chosen().length, all: names.length }); };
    const boxes = names.map((name) => h("label.class-name", h("input", { type: "checkbox", checked: form.chosen[name], onchange: ({ target }) => { form.chosen[name] = target.checked; tell(); } }), h("span", name)));
    const all = (value) => () => { names.forEach((name, i) => { boxes[i].firstChild.checked = form.chosen[name] = value; }); tell(); };
    const numbered = (key, label, extra = {}) => field(label, h("input", { type: "number", value: form.numbers[key], min: 0, oninput: ({ target }) => { form.numbers[key] = target.value; }, ...extra }));
    tell();
    fill(holder,
      h("p.small.muted", t("arena.class.lead")),
      h("fieldset.stack", h("legend.label", t("arena.class.names")),
        h("div.row", count, h("button.button.quiet.small", { type: "button", onclick: all(true) }, t("arena.class.all")), h("button.button.quiet.small", { type: "button", onclick: all(false) }, t("arena.class.none"))),
        h("div.class-names", boxes)),
      h("fieldset.field", h("legend.label", t("arena.class.kind")), h("div.segmented", radios("class-kind", ["each", "opponents"].map((kind) => [kind, t(`arena.class.kind.${kind}`)]), form.kind, (kind) => {
        form.kind = kind;
        draw();
        holder.querySelector(`[name^="class-kind"][value="${kind}"]`)?.focus();
      }))),
      form.kind === "opponents" && opponents({ name: "class-opponent", legend: t("arena.class.opponents"), cards, programs, form: form.opponents, changed: () => {} }),
      h("div.arena-options", numbered("games", t("arena.games"), { min: 1, max: 1000 }), numbered("openings", t("arena.openings")), numbered("move_time", t("arena.movetime"), { step: "any", max: 60 }), numbered("seed", t("arena.seed"), { placeholder: t("arena.seed.any") })),
      error, h("button.button.primary.large", { type: "submit" }, sign("cup"), t("arena.class.start")));
  }
  draw();
  return h("section.panel", h("header", h("h2", t("arena.class"))), h("div.body", holder));
}
