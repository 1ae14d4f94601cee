// What a search thinks of the positions of a game: values of all moves on the board, and a value for every position of
// the line, for the graph. Searches run on the server, over one socket of the page.
//
//   const opinion = createOpinion({ changed(), memory })
//   opinion.look(game, line, { hints, graph })   what is shown now, and what is wanted of it
//   opinion.hints        [{ action, text, cell, value, exact, best, line }] of what is on the board, or []
//   opinion.depth, opinion.unit, opinion.busy, opinion.preparing
//   opinion.valueOf(id)  { value for the first player, unit, exact } or undefined; what a program thought, if no search
//                        has looked at the position
//   opinion.best()       a promise of the best action on the board
//   opinion.close()

import { searches } from "/static/api.js";
import { isFlagship } from "/static/games/play/games.js";
import { movesText, pathTo } from "/static/games/play/game_tree.js";
import { rank } from "/static/games/play/values.js";

const HINT_TIME = 5;
const GRAPH_TIME = 0.4;

export function createOpinion({ changed, failed = () => {}, memory = {} }) {
  memory.values ??= new Map();
  const { values } = memory;
  const socket = searches();
  let game = null;
  let line = [];
  let wanted = { hints: false, graph: false };
  let running = null; // { node, search, hints: whether all moves are shown }
  let found = { node: -1, hints: [], depth: null, full: false };
  let waiting = [];
  let preparing = false;
  const broken = new Set();

  const unitOf = (answer) => answer.unit ?? (isFlagship(game.game) ? "discs" : "utility");

  function finalValue() {
    const { over, counts } = game.position;
    if (!over) return;
    const unit = counts && isFlagship(game.game) ? "discs" : "utility";
    let value = over.returns[0];
    if (unit === "discs") {
      const empty = 64 - counts[0] - counts[1];
      const difference = counts[0] - counts[1];
      value = difference === 0 ? 0 : difference + Math.sign(difference) * empty;
      if (Math.sign(value) !== Math.sign(over.returns[0])) return; // lost otherwise than at the board
    }
    values.set(game.at, { value, unit, exact: true });
  }

  // What a program thought of its own move; Reversi's engine counts in discs, 64 of which are a whole win.
  function told(id) {
    const { player, value } = game?.nodes[id] ?? {};
    if (typeof value !== "number" || game.players.length !== 2) return undefined;
    const discs = isFlagship(game.game) && game.players[player]?.spec.startsWith("engine");
    return { value: (player === 0 ? value : -value) * (discs ? 64 : 1), unit: discs ? "discs" : "utility", exact: false };
  }

  function mover(id) {
    if (id === game.at) return game.position.to_move;
    const child = line.find((node) => node.parent === id);
    return child ? child.player : null;
  }

  function run(node, time, full) {
    const side = mover(node);
    const search = socket.run("hints", { game: game.game, moves: movesText(game, node), ...(game.board && { board: game.board }), time }, {
      event(answer) {
        if (answer.event === "compiling") {
          preparing = Boolean(answer.what);
          changed();
        }
        if (answer.event !== "hints" || !answer.hints?.length) return;
        preparing = false;
        const unit = unitOf(answer);
        // Where values are utilities, what is proven is a win, a draw or a loss; anything between is still a guess.
        answer.hints.forEach((hint) => { hint.exact &&= unit === "discs" || Number.isInteger(hint.value); });
        const best = answer.hints.reduce((most, hint) => (rank(hint) > rank(most) ? hint : most));
        values.set(node, { value: side === 0 ? best.value : -best.value, unit, exact: Boolean(best.exact) });
        if (node === game.at) {
          found = { node, depth: answer.depth, full, unit, hints: answer.hints.map((hint) => ({ ...hint, best: rank(hint) === rank(best) })) };
          settle();
        }
        changed();
      },
      done() {
        running = null;
        next();
        changed();
      },
      error(text) {
        running = null;
        broken.add(node);
        if (text) failed(text);
        waiting.splice(0).forEach(({ reject }) => reject(new Error(text)));
        next();
        changed();
      },
    });
    running = { node, search, full };
  }

  function settle() {
    const [best] = found.hints.filter((hint) => hint.best);
    if (best && waiting.length && found.node === game.at) waiting.splice(0).forEach(({ resolve }) => resolve(best.action));
  }

  function next() {
    if (!game) return;
    finalValue();
    if (game.thinking) {
      // The opponent has the processor to itself.
      running?.search.stop();
      running = null;
      return;
    }
    const over = Boolean(game.over);
    const needsHints = (wanted.hints || waiting.length) && !over && game.position.legal.length > 0;
    if (running) {
      const useful = running.full ? needsHints && running.node === game.at : wanted.graph && !(needsHints && !running.full);
      if (useful) return;
      running.search.stop();
      running = null;
    }
    if (needsHints && !(found.node === game.at && found.full) && !broken.has(game.at)) {
      run(game.at, wanted.hints ? HINT_TIME : GRAPH_TIME, true);
      return;
    }
    if (!wanted.graph) return;
    const ids = [game.at, 0, ...pathTo(game, game.at).map((node) => node.id), ...line.map((node) => node.id)];
    const missing = ids.find((id) => !values.has(id) && !told(id) && !broken.has(id) && mover(id) !== null && mover(id) >= 0);
    if (missing !== undefined) run(missing, GRAPH_TIME, false);
  }

  return {
    look(nextGame, nextLine, what) {
      const moved = !game || nextGame.at !== game.at;
      game = nextGame;
      line = nextLine;
      wanted = what;
      if (moved) {
        waiting.splice(0).forEach(({ reject }) => reject(new Error("")));
        if (found.node !== game.at) found = { node: game.at, hints: [], depth: null, full: false };
      }
      next();
    },
    get hints() { return wanted.hints && game && found.node === game.at ? found.hints : []; },
    get depth() { return found.depth; },
    get unit() { return found.unit; },
    get preparing() { return preparing; },
    get busy() { return Boolean(running); },
    valueOf: (id) => values.get(id) ?? told(id),
    best() {
      const [known] = found.node === game.at ? found.hints.filter((hint) => hint.best) : [];
      if (known) return Promise.resolve(known.action);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        next();
      });
    },
    close: () => socket.close(),
  };
}
