// The game on the home page: two programs play, the tree of whoever thinks grows beside them, and a click takes over.
//
//   const shown = mountDemonstration(root, { navigate })    fills an element; shown.close() ends it
//
// The server plays one game for everybody. A page that is hidden hears nothing of it, and with reduced motion it begins when
// it is asked to.

import { about as askAbout, live, post } from "/static/api.js";
import { createBoard, pieceIcon, sideName } from "/static/board.js";
import { toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";
import { createLiveTree } from "/static/pictures/live_tree.js";
import { gameTitle, playerTitle } from "/static/games/play/games.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function mountDemonstration(root, { navigate }) {
  const boardPlace = root.querySelector(".demo-board");
  const treePlace = root.querySelector(".demo-tree");
  const said = root.querySelector(".demo-said");
  const tools = root.querySelector(".demo-tools");
  const seats = h("div.demo-seats");
  let board = null;
  let tree = null;
  let socket = null;
  let game = null;
  let about = null;
  let going = !calm.matches;
  let taken = false;
  boardPlace.before(seats);

  const take = h("button.button.small", { type: "button", disabled: true, onclick: () => takeOver() }, sign("person"), t("home.demo.take"));
  const pause = h("button.button.small.quiet", { type: "button", onclick: () => {
    going = !going;
    connect();
  } });
  fill(tools, take, pause);

  // Without its options, if it has no card of its own.
  function name(spec) {
    const title = playerTitle(spec, game.game, about);
    return title === spec ? spec.split(":")[0] : title;
  }

  async function takeOver(move = null) {
    if (taken || !game || game.over) return;
    taken = true;
    const { to_move: side } = game.position;
    const players = game.players.map((spec, i) => (i === side ? "human" : spec));
    try {
      const begun = await post("/api/games", { game: game.game, players, moves: [game.moves, move?.text].filter(Boolean).join(" ") });
      navigate(`/play/${begun.id}`);
    } catch (error) {
      taken = false;
      toastError(error);
    }
  }

  // Where no move can be made a click takes over too, and leaves the move to the visitor.
  boardPlace.addEventListener("click", ({ target }) => target.closest(".playable") || takeOver());

  function showGame(found) {
    game = found;
    const { position, over } = game;
    const label = t("home.demo.board", { game: gameTitle(game.game, about) });
    if (board) board.update(position);
    else {
      board = createBoard(position, { label, coordinates: false, onPlay: (_, move) => takeOver(move) });
      boardPlace.replaceChildren(board.element);
    }
    board.setInteractive(!over);
    take.disabled = Boolean(over);
    fill(seats, game.players.map((spec, side) => h("span.demo-seat", { dataset: { turn: side === position.to_move ? "yes" : "no" } },
      pieceIcon(position.grid, side), h("span", name(spec)), position.counts && h("b.tabular", position.counts[side]))));
    const winner = over?.winner;
    said.textContent = over ? (winner === null || winner === undefined ? t("home.demo.draw") : t("home.demo.won", { side: sideName(position.grid, winner) }))
      : t("home.demo.turn", { player: name(game.players[position.to_move]), side: sideName(position.grid, position.to_move) });
  }

  function showTree({ tree: drawing, legend }) {
    if (!tree) {
      tree = createLiveTree();
      treePlace.replaceChildren(tree.element);
    }
    tree.show(drawing, legend);
  }

  function connect() {
    const wanted = going && !document.hidden;
    fill(pause, sign(going ? "stop" : "play"), t(going ? "home.demo.pause" : "home.demo.play"));
    if (wanted && !socket) {
      socket = live("/ws/demonstration", {
        message: (found) => (found.type === "game" ? showGame(found) : found.type === "tree" && showTree(found)),
        state: (now) => now === "open" && socket?.send({ tree: language() }),
      });
    } else if (!wanted && socket) {
      socket.close();
      socket = null;
    }
  }

  askAbout().then((found) => {
    about = found;
    if (game) showGame(game);
  }).catch(() => {});
  document.addEventListener("visibilitychange", connect);
  connect();
  return {
    close() {
      going = false;
      document.removeEventListener("visibilitychange", connect);
      socket?.close();
      tree?.destroy();
    },
  };
}
