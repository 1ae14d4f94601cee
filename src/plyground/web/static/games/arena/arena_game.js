// A game of the database, move by move. The address has its key, and ply= for where it is open.

import { about, get } from "/static/api.js";
import { createStepper } from "/static/games/analyze/stepper.js";
import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { addWords, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { calledBy, namesText, reasonText, resultText } from "/static/games/arena/names.js";
import { embedButton, gifButton } from "/static/share/buttons.js";
import { valueText } from "/static/games/play/values.js";
import reviewWords from "/static/words/review.js";

addWords(reviewWords);

export function mount(root, context) {
  const { params, query, setQuery, setTitle } = context;
  let game = null;
  let at = 0;
  let board = null;
  const place = h("div.arena-game-board");
  const stepper = createStepper({ go, flip: () => board?.flip(!board.flipped) });
  const moves = h("ol.arena-game-moves");
  const heading = h("h1", t("arena_game.title"));
  const under = h("p.muted");
  const way = h("p", h("a", { href: "/arena" }, t("page.arena")));
  const links = h("div.row");
  fill(root, h("div.page.arena-game", h("header", way, heading, under),
    h("div.arena-game-halves", h("div.stack", place, stepper.element), h("section.panel", h("header", h("h2", t("review.moves")), links), h("div.body", moves)))));

  function go(ply) {
    if (!game) return;
    at = Math.min(game.moves.length, Math.max(0, ply));
    setQuery({ ply: at || null });
    stepper.update({ at, length: game.moves.length });
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = moves.querySelector(`[data-ply="${at}"]`);
    current?.setAttribute("aria-current", "step");
    if (current) moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
    const position = game.positions[at];
    if (!position) return;
    if (board) board.update(position);
    else {
      board = createBoard(position, { interactive: false, label: t("review.board") });
      fill(place, board.element);
    }
  }

  function show(known) {
    const called = calledBy(known, game.game);
    // What people have played belongs to no tournament that could be looked at.
    if (game.tournament && game.tournament !== "app") way.append(" › ", h("a", { href: `/arena?tournament=${encodeURIComponent(game.tournament)}` }, t("arena.tournament")));
    const style = game.positions[0]?.grid?.style ?? "plain";
    heading.textContent = namesText(game.players, called);
    setTitle(heading.textContent);
    fill(under, [resultText(game, called), game.positions.at(-1)?.counts?.join(" – "), reasonText(game), game.opened > 0 && t("arena_game.opened", { count: game.opened })].filter(Boolean).join(" · "));
    const unit = style === "discs" ? "discs" : "utility";
    const text = game.moves.map((move) => move.text).join(" ");
    fill(links, /^reversi(:size=8)?$/.test(game.game) && h("a.button.small", { href: `/analyze?moves=${encodeURIComponent(text)}` }, sign("graph"), t("table.analyze")),
      game.positions.length > 1 && [gifButton, embedButton.bind(null, "game")].map((make) => make(() => ({ game: game.game, moves: text, title: heading.textContent }))));
    fill(moves, game.moves.map((move, i) => h("li", h("button", { type: "button", dataset: { ply: i + 1 }, onclick: () => go(i + 1) },
      h("span.faint.tabular", i + 1), pieceIcon(style, move.player ?? i % 2), h("span.unseen", sideName(style, move.player ?? i % 2)), h("b", move.text), h("span.muted.tabular", i < game.opened ? t("arena_game.opening") : move.time === null || move.time === undefined ? "" : t("arena_game.seconds", { time: move.time.toFixed(move.time < 10 ? 2 : 1) })),
      h("span.muted.tabular", move.value === null || move.value === undefined ? "" : Math.abs(move.value) <= 1 && unit !== "discs" ? valueText(move.value, unit) : move.value.toFixed(2).replace("-", "−"))))));
    if (!game.positions.length) fill(place, h("p.note", t("arena_game.no_positions")));
    go(Number(query.get("ply") ?? 0) || 0);
  }

  Promise.all([get(`/api/database/games/${encodeURIComponent(params.key)}`), about()]).then(([found, known]) => {
    game = found;
    show(known);
  }).catch(toastError);

  return keys([
    { key: "ArrowLeft ArrowRight", label: "keys.step", elsewhere: true, run: ({ key }) => go(at + (key === "ArrowLeft" ? -1 : 1)) },
    { key: "Home End", label: "keys.ends", elsewhere: true, run: ({ key }) => go(key === "Home" ? 0 : game?.moves.length ?? 0) },
  ], "arena_game.title");
}
