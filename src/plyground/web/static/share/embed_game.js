// A game inside another site's page, move by move. The address has game=, moves=, board= and ply=; theme= and lang=.

import { about, post } from "/static/api.js";
import { createBoard } from "/static/board.js";
import { fill, h } from "/static/dom.js";
import { createStepper } from "/static/games/analyze/stepper.js";
import { addWords, pick, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { embedded } from "/static/share/embed.js";
import reviewWords from "/static/words/review.js";

addWords(reviewWords);

export function mount(root, { query, setQuery, setTitle }) {
  const wish = { game: query.get("game") ?? "reversi", moves: query.get("moves") ?? "", board: query.get("board") ?? "" };
  const place = h("div.embed-board");
  const stepper = createStepper({ go, flip: () => board?.flip(!board.flipped) });
  const rest = new URLSearchParams(Object.entries(wish).filter(([, value]) => value));
  const frame = embedded([place, stepper.element], "", `/analyze?${rest}`);
  let found = null;
  let board = null;
  let at = 0;
  fill(root, frame.element);

  function go(ply) {
    if (!found) return;
    at = Math.min(found.moves.length, Math.max(0, ply));
    setQuery({ ply: at });
    stepper.update({ at, length: found.moves.length });
    const position = found.positions[at];
    if (board) board.update(position);
    else {
      board = createBoard(position, { interactive: false, label: t("embed.board") });
      fill(place, board.element);
    }
  }

  Promise.all([post("/api/position", wish), about()]).then(([answer, known]) => {
    found = answer;
    const game = known.games.find(({ name }) => name === wish.game.split(":")[0]);
    frame.name.textContent = pick(game?.titles ?? wish.game);
    setTitle(frame.name.textContent);
    go(query.has("ply") ? Number(query.get("ply")) || 0 : answer.moves.length);
  }).catch((error) => fill(place, h("p.note.warn", { role: "alert" }, error.message || t("error.network"))));

  return keys([
    { key: "ArrowLeft ArrowRight", label: "keys.step", elsewhere: true, run: ({ key }) => go(at + (key === "ArrowLeft" ? -1 : 1)) },
    { key: "Home End", label: "keys.ends", elsewhere: true, run: ({ key }) => go(key === "Home" ? 0 : found?.moves.length ?? 0) },
  ], "page.embed");
}
