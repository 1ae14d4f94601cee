// Queens placed by hand: a queen in every column, and what min-conflicts sees and would do.
//
// The address has mode=hand, n=8, rows=aeh-..., a letter a column for the row of its queen and - for none, and moves=12.

import { post } from "/static/api.js";
import { announce } from "/static/dialogs.js";
import { fill, h, s, sign } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { SIDE, squares } from "/static/lab/squares.js";
import { noteGuess } from "/static/lab/learn/progress.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";

const [LEAST, MOST, USUAL] = [4, 12, 8];
const LETTERS = "abcdefghijkl";
const middle = (place) => (place + 0.5) * SIDE;

export function mountQueens(root, { query, setQuery, kept, within }, above) {
  const asked = Number(query.get("n"));
  const given = query.get("rows") ?? "";
  const fits = given.length >= LEAST && given.length <= MOST && [...given].every((letter) => letter === "-" || (LETTERS.includes(letter) && LETTERS.indexOf(letter) < given.length));
  let rows = fits ? [...given].map((letter) => LETTERS.indexOf(letter)) : Array(asked >= LEAST && asked <= MOST ? Math.floor(asked) : USUAL).fill(-1);
  let moves = fits && /^\d{1,4}$/.test(query.get("moves") ?? "") ? Number(query.get("moves")) : 0;
  let past = kept.past ?? []; // boards before, to go back to
  let [hint, board, strip, turn, told] = [null, null, null, 0, ""];
  const shown = { attacked: kept.attacked ?? true, counts: kept.counts ?? false };

  const stage = h("div.queens-board");
  const status = h("p.queens-status", { role: "status" });
  const count = h("p.visit-score.tabular");
  const why = h("p", { role: "status" });
  const error = h("p.error", { role: "alert" });
  const holder = h("div.worlds-film");
  const button = (name, icon, run) => h("button.button", { type: "button", onclick: run }, sign(icon), t(`queens.hand.${name}`));
  const back = button("undo", "undo", undo);
  const ask = button("hint", "hint", advise);
  const finish = button("finish", "play", watch);
  const follow = h("button.button.primary", { type: "button", onclick: () => put(hint.column, hint.row) }, sign("check"), t("queens.hand.follow"));

  // The rules, for as many squares as a hand can fill ----------------------------------------------------------------

  const attacks = (row, column, other) => rows[other] >= 0 && other !== column && (rows[other] === row || Math.abs(rows[other] - row) === Math.abs(other - column));
  const attackers = (row, column) => rows.filter((_, other) => attacks(row, column, other)).length;
  const under = () => rows.flatMap((row, column) => (row >= 0 && attackers(row, column) ? [column] : []));
  const placed = () => rows.filter((row) => row >= 0).length;
  const solved = () => placed() === rows.length && !under().length;

  // What is done -----------------------------------------------------------------------------------------------------

  function change(next, made = 1) {
    past.push([rows, moves]);
    [rows, moves] = [next, moves + made];
    refresh();
  }
  const put = (column, row) => change(rows.map((old, place) => (place === column ? (old === row ? -1 : row) : old)));
  function undo() {
    if (!past.length) return;
    [rows, moves] = past.pop();
    refresh();
  }
  function begin(next) {
    past = [];
    [rows, moves] = [next, 0];
    build();
    refresh();
  }
  const empty = (n) => Array(n).fill(-1);
  const random = (n) => Array.from({ length: n }, () => Math.floor(Math.random() * n));

  async function advise() {
    const own = ++turn;
    error.textContent = "";
    try {
      const found = await post("/api/queens/hint", { rows, seed: randomSeed(), lang: language() });
      if (own !== turn) return;
      hint = found.column === null ? null : found;
      why.textContent = hint ? found.why : t("queens.hand.nothing");
      draw();
    } catch (problem) {
      if (own === turn) error.textContent = problem.message || t("error.network");
    }
  }

  async function watch() {
    const own = ++turn;
    error.textContent = "";
    try {
      const { film } = await post("/api/queens", { rows, start: "random", seed: randomSeed(), lang: language() });
      if (own !== turn) return;
      if (strip) strip.show(film, 0);
      else strip = mountFilmstrip(holder, film, { onGuess: noteGuess });
      holder.scrollIntoView({ block: "nearest" });
      holder.querySelector("button")?.focus({ preventScroll: true });
    } catch (problem) {
      if (own === turn) error.textContent = problem.message || t("error.network");
    }
  }

  // Showing ------------------------------------------------------------------------------------------------------------

  function build() {
    const names = rows.map((_, place) => place + 1);
    board = squares({
      rows: rows.length, columns: rows.length, label: t("queens.hand.board", { n: rows.length }), names: [names, names],
      press: ([row, column]) => put(column, row),
      slide: ([row, column], [to, other]) => {
        if (rows[column] === row && other === column) put(column, to);
      },
    });
    fill(stage, board.element);
  }

  function refresh() {
    turn += 1;
    hint = null;
    Object.assign(kept, { past, ...shown });
    fill(why);
    error.textContent = "";
    const usual = rows.every((row) => row < 0);
    setQuery({ mode: "hand", n: rows.length === USUAL ? null : rows.length, rows: usual ? null : rows.map((row) => LETTERS[row] ?? "-").join(""), moves: moves || null });
    draw();
    const now = solved() ? t("queens.hand.solved", { n: rows.length, moves }) : t("queens.hand.state", { placed: placed(), n: rows.length, under: under().length });
    if (now !== told) status.textContent = told = now;
    status.classList.toggle("over", solved());
    count.textContent = t("queens.hand.moves", { moves });
    back.disabled = !past.length;
    ask.disabled = finish.disabled = solved();
  }

  function draw() {
    const attacked = new Set(under());
    const lines = rows.flatMap((row, column) => rows.flatMap((other, place) => (place > column && row >= 0 && attacks(row, column, place)
      ? [s("line.queens-line", { x1: middle(column), y1: middle(row), x2: middle(place), y2: middle(other) })] : [])));
    const target = hint && s("circle.queens-came", { cx: middle(hint.column), cy: middle(hint.row), r: SIDE * 0.42 });
    const crown = (column) => {
      const piece = sign("crown");
      for (const [name, value] of Object.entries({ class: attacked.has(column) ? "queens-attacked" : "queens-queen", x: 2, y: 1, width: 36, height: 36 })) piece.setAttribute(name, value);
      return piece;
    };
    board.draw(([row, column]) => {
      const [here, by] = [rows[column] === row, attackers(row, column)];
      const fewest = Math.min(...rows.map((_, place) => attackers(place, column)));
      const name = t(here ? by ? "queens.hand.cell.attacked" : "queens.hand.cell.queen" : "queens.hand.cell", { row: row + 1, column: column + 1, by });
      const parts = [
        shown.attacked && !here && by > 0 && s("rect.queens-reach", { width: SIDE, height: SIDE }),
        hint?.column === column && s("rect.queens-column", { width: SIDE, height: SIDE }),
        here ? crown(column) : shown.counts && s(`text.queens-count${by === fewest ? ".queens-best" : ""}`, { x: SIDE / 2, y: SIDE / 2 + 5 }, by),
      ];
      return { look: (row + column) % 2 ? "queens-dark" : "queens-light", parts, label: name };
    }, lines, target);
    fill(actions, hint && hint.row !== hint.came && follow);
  }

  const actions = h("div.row");
  const toggle = (name) => h("label.switch", h("input", { type: "checkbox", role: "switch", checked: shown[name], onchange: ({ target }) => {
    shown[name] = target.checked;
    Object.assign(kept, shown);
    draw();
  } }), t(`queens.hand.${name}`));
  const switches = { attacked: toggle("attacked"), counts: toggle("counts") };
  const size = select(Array.from({ length: MOST - LEAST + 1 }, (_, place) => [String(LEAST + place), String(LEAST + place)]), String(rows.length), (n) => begin(empty(Number(n))));
  fill(root, h("div.page.stack.worlds.visit",
    h("header", h("h1", t("queens.title")), h("p.lead", t("queens.hand.lead"))), above,
    h("div.visit-halves",
      h("section.panel", { "aria-label": t("queens.hand.title") }, h("div.body.stack", stage)),
      h("div.stack",
        h("section.panel", h("header", h("h2", t("queens.hand.title"))), h("div.body.stack", status, count, h("div.row", back, button("empty", "trash", () => begin(empty(rows.length))), button("random", "dice", () => begin(random(rows.length)))),
          field(t("queens.n"), size), switches.attacked, switches.counts)),
        h("section.panel", h("header", h("h2", t("queens.hand.advice"))), h("div.body.stack", h("p.small.muted", t("queens.hand.legend")), h("div.row", ask, finish), why, actions, error)))),
    holder));
  const flip = (name) => () => switches[name].querySelector("input").click();
  const release = keys([
    { key: "b", label: "queens.hand.keys.board", run: () => board.focus() },
    { key: "ArrowLeft ArrowRight ArrowUp ArrowDown", label: "queens.hand.keys.go" },
    { key: "Enter", label: "queens.hand.keys.put" },
    { key: "u Backspace", label: "queens.hand.undo", run: undo },
    { key: "h", label: "queens.hand.hint", run: () => ask.disabled || advise() },
    { key: "f", label: "queens.hand.finish", run: () => finish.disabled || watch() },
    { key: "a", label: "queens.hand.attacked", run: flip("attacked") },
    { key: "c", label: "queens.hand.counts", run: flip("counts") },
    { key: "n", label: "queens.hand.random", run: () => begin(random(rows.length)) },
  ], "queens.hand.title", within);
  const pressed = (event) => event.target.closest?.(".squares") || strip?.key(event);
  const hears = within ?? window;
  hears.addEventListener("keydown", pressed);
  build();
  refresh();
  if (solved()) announce(told);
  return () => {
    turn += 1;
    hears.removeEventListener("keydown", pressed);
    strip?.destroy();
    release();
  };
}
