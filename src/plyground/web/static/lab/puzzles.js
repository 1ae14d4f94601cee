// Puzzles: find the best move of a position that was solved to the end. One of them is the puzzle of the day.
//
// The address is the puzzle: game=reversi&number=17; without a number it is that of the day. The first try counts.
// A game is one of the server's sets. What a score of it says, in discs or in plies, is in the words of its kind. A mate is
// played to its end, against the longest defence.

import { get, post } from "/static/api.js";
import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { announce, copyText, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { note, progress } from "/static/lab/learn/progress.js";

const DAY = 86_400_000;
const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

// What a score says: by how many discs, or who wins and with which of the moves to come.
const WORTH = {
  discs: (score) => t("puzzles.discs", { score: signed(score) }),
  mate: (score) => t(score > 0 ? "puzzles.mates" : score ? "puzzles.loses" : "puzzles.draws", { moves: Math.ceil(Math.abs(score) / 2) }),
  plies: (score) => (score ? t(score > 0 ? "puzzles.wins" : "puzzles.loses", { moves: Math.ceil(Math.abs(score) / 2) }) : t("puzzles.draws")),
};

export function mount(root, { query, setQuery, setTitle, kept }) {
  let known = null;
  let set = null;
  let number = /^\d{1,5}$/.test(query.get("number") ?? "") ? Number(query.get("number")) : null;
  let stars = 0; // 0 for any
  let puzzle = null;
  let board = null;
  let judged = null;
  let tried = false;
  let played = []; // of a mate, the moves of both sides that were right
  let here = null; // and the position after them
  let asked = 0;
  let at = 0;

  const settings = h("div.row.puzzle-settings");
  const stage = h("div.puzzle-board");
  const side = h("div.puzzle-side");
  fill(root, h("div.page.stack.puzzles", h("header", h("h1", t("page.puzzles")), h("p.lead", t("puzzles.lead"))), settings, h("div.panel.puzzle-sheet", stage, side)));

  const key = () => `${set.game}/${number}`;
  const dayText = () => new Date(known.day).toLocaleDateString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "long", timeZone: "UTC" });
  const yesterday = () => new Date(Date.parse(known.day) - DAY).toISOString().slice(0, 10);
  const daysNow = ({ day, days }) => (day === known.day || day === yesterday() ? days : 0);
  const isDaily = () => number === set.daily;

  // What the visitor has done --------------------------------------------------------------------------------------------

  function noteTry(right) {
    if (tried || progress().puzzles.tried.includes(key())) return;
    note(({ puzzles }) => {
      puzzles.tried.push(key());
      puzzles.streak = right ? puzzles.streak + 1 : 0;
      puzzles.best = Math.max(puzzles.best, puzzles.streak);
      if (right) puzzles.solved += 1;
      if (isDaily() && puzzles.day !== known.day) {
        puzzles.days = right ? (puzzles.day === yesterday() ? puzzles.days + 1 : 1) : 0;
        puzzles.day = known.day;
      }
    });
  }

  // Asking -------------------------------------------------------------------------------------------------------------

  function next() {
    const { tried: done } = progress().puzzles;
    const fitting = [...set.stars.keys()].filter((place) => (!stars || set.stars[place] === stars) && place !== number);
    const fresh = fitting.filter((place) => !done.includes(`${set.game}/${place}`));
    const some = fresh.length ? fresh : fitting;
    show(some[Math.floor(Math.random() * some.length)]);
  }

  async function show(wanted) {
    const mine = ++asked;
    number = wanted;
    setQuery({ game: set.game, number: String(number) });
    try {
      const found = await post("/api/puzzles", { game: set.game, number });
      if (mine !== asked) return;
      Object.assign(kept, { game: set.game, number });
      [puzzle, judged, tried, at, played, here] = [found, null, false, 0, [], found.position];
      board = createBoard(puzzle.position, { onPlay: (_, move) => attempt(move.text), label: t("puzzles.board") });
      fill(stage, board.element);
      drawSettings();
      draw();
      announce(question());
    } catch (error) {
      if (mine === asked) fill(side, h("p.error", { role: "alert" }, error.message || t("error.network")));
    }
  }

  async function attempt(move) {
    const mine = asked;
    try {
      const found = await post("/api/puzzles/judge", { game: set.game, number, move, ...(played.length && { before: played }) });
      if (mine !== asked) return;
      if (puzzle.mate && found.right && !found.over) {
        goOn(found);
        return;
      }
      noteTry(found.right);
      tried = true;
      judged = { move, ...found };
      at = 0;
      goTo(judged.right ? 0 : judged.line.length);
      draw();
      side.querySelector("button:not(:disabled)")?.focus({ preventScroll: true }); // the board is what is to be seen
    } catch (error) {
      toastError(error);
    }
  }

  // The right move of a mate, the answer to it, and on.
  function goOn({ line }) {
    played.push(...line.map(({ text }) => text));
    here = line.at(-1).position;
    judged = null;
    board.update(line[0].position, { animate: false });
    board.update(here);
    draw();
    announce(`${t("puzzles.goes", { move: line[0].text, reply: line[1].text })} ${question()}`);
    if (stage.contains(document.activeElement)) board.focus();
  }

  // Best play after the move, drawn on the board: the position, and the number of each move on its square.
  function goTo(step) {
    at = Math.max(0, Math.min(judged.line.length, step));
    const shown = at ? judged.line[at - 1].position : here;
    board.update(shown, { animate: false });
    board.setInteractive(false);
    const marks = puzzle.mate ? [] : judged.line.slice(0, Math.max(at, 1)).flatMap(({ position: { grid } }, place) => (grid.last ? [{ cell: grid.last, text: String(place + 1) }] : []));
    board.setHints(marks);
    draw();
  }

  function again() {
    judged = null;
    board.update(here, { animate: false });
    board.setHints([]);
    board.setInteractive(true);
    draw();
    board.focus();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  const left = () => puzzle.mate - played.length / 2;
  const question = () => (puzzle.mate ? t("puzzles.mate", { side: sideName(here.grid, here.to_move), moves: left() }) : t("puzzles.question", { side: sideName(puzzle.position.grid, puzzle.position.to_move) }));
  const starred = (count) => h("span.puzzle-stars", { role: "img", "aria-label": t("puzzles.stars", { count, least: set.depths[0], most: set.depths.at(-1) }) }, "★".repeat(count), h("span.faint", "★".repeat(5 - count)));

  function drawSettings() {
    fill(settings,
      known.sets.length > 1 && h("div.segmented", { role: "radiogroup", "aria-label": t("game") }, radios("game", known.sets.map(({ game }) => [game, t(`game.${game}`)]), set.game, (game) => {
        set = known.sets.find((one) => one.game === game);
        show(set.daily);
      })),
      h("button.button", { type: "button", "aria-pressed": String(isDaily()), onclick: () => show(set.daily) }, sign("clock"), t("puzzles.daily")),
      h("div.segmented", { role: "radiogroup", "aria-label": t("puzzles.level") }, radios("stars", [["0", t("puzzles.any")], ...[1, 2, 3, 4, 5].map((count) => [String(count), `${count} ★`])], String(stars), (value) => { stars = Number(value); next(); })),
      h("button.button", { type: "button", onclick: next }, sign("dice"), t("puzzles.next")));
  }

  function verdict() {
    const moves = judged.line.map(({ text }) => text).join(" ");
    const worth = WORTH[set.counts];
    const words = puzzle.mate && judged.right ? t("puzzles.mated", { move: judged.move }) : t(judged.right ? "puzzles.right" : "puzzles.wrong", { move: judged.move, worth: worth(judged.score), best: worth(judged.best) });
    return [
      h(`p.puzzle-verdict.${judged.right ? "right" : "wrong"}`, sign(judged.right ? "check" : "close"), words),
      judged.line.length > 1 && h("p.puzzle-line", h("span.label", t(judged.right ? "puzzles.follows" : "puzzles.refuted")), " ", h("b", moves)),
      judged.line.length > 1 && h("div.row",
        h("button.button.small.icon", { type: "button", "aria-label": t("puzzles.back"), title: t("puzzles.back"), disabled: at === 0, onclick: () => goTo(at - 1) }, sign("back")),
        h("button.button.small.icon", { type: "button", "aria-label": t("puzzles.on"), title: t("puzzles.on"), disabled: at === judged.line.length, onclick: () => goTo(at + 1) }, sign("next")),
        h("span.small.muted.tabular", `${at} / ${judged.line.length}`)),
      h("div.row", judged.right ? h("button.button.primary", { type: "button", onclick: next }, t("puzzles.next")) : h("button.button.primary", { type: "button", onclick: again }, sign("undo"), t("puzzles.again"))),
    ];
  }

  function draw() {
    const { puzzles } = progress();
    const { position } = puzzle;
    setTitle(t("puzzles.title", { number: number + 1 }));
    fill(side,
      h("h2", isDaily() ? t("puzzles.daily.title", { day: dayText() }) : t("puzzles.title", { number: number + 1 })), starred(puzzle.stars),
      h("p.puzzle-question", pieceIcon(position.grid, position.to_move), question()),
      h("div.puzzle-said", { role: "status" }, played.length > 0 && h("p.puzzle-line", h("span.label", t("puzzles.sofar")), " ", h("b", played.join(" "))), judged ? verdict() : h("p.small.muted", t(tried ? "puzzles.try" : "puzzles.first"))),
      h("dl.puzzle-record",
        h("div", h("dt", t("puzzles.streak")), h("dd.tabular", puzzles.streak)), h("div", h("dt", t("puzzles.bestStreak")), h("dd.tabular", puzzles.best)),
        h("div", h("dt", t("puzzles.solved")), h("dd.tabular", puzzles.solved)), h("div", h("dt", t("puzzles.days")), h("dd.tabular", daysNow(puzzles)))),
      h("div.row", h("a.button.small.quiet", { href: `/analyze?${new URLSearchParams({ game: set.game, ...(puzzle.moves && { moves: puzzle.moves }), ...(puzzle.board && { board: puzzle.board }) })}` }, sign("graph"), t("page.analyze")),
        h("button.button.small.quiet", { type: "button", onclick: () => copyText(location.href, t("puzzles.linked")) }, sign("link"), t("puzzles.link"))));
  }

  const release = keys([
    { key: "b", label: "puzzles.keys.board", run: () => board?.focus() },
    { key: "n", label: "puzzles.keys.next", run: () => set && next() },
    { key: "r", label: "puzzles.keys.again", run: () => judged && !judged.right && again() },
  ], "page.puzzles");
  get("/api/puzzles").then((found) => {
    known = found;
    set = known.sets.find(({ game }) => game === (kept.game ?? query.get("game"))) ?? known.sets[0];
    const wanted = kept.number ?? number ?? set.daily;
    show(wanted < set.stars.length ? wanted : set.daily);
  }, toastError);
  return () => {
    asked += 1;
    release();
  };
}
