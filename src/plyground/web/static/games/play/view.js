// Which position of a game this page shows: the one on the board, or one that the visitor looks back at. That is private:
// the server and whoever else is there know nothing of it.
//
//   const view = createView(url, changed)   changed() is called when another position is to be drawn
//   view.receive(game)                      the game as the server has said it just now
//   view.game                               the game with what is looked at on its board; the rest as it is
//   view.live                               whether that is what is on the board
//   view.goTo(id)                           look at a node; at what is on the board, and the page follows the game again

import { get } from "/static/api.js";
import { toastError } from "/static/dialogs.js";

export function createView(url, changed) {
  const positions = new Map();
  let game = null;
  let wanted = null; // a node, or null to follow the game
  let shown = null;

  function look() {
    if (wanted === null || !positions.has(wanted)) return;
    const position = positions.get(wanted);
    shown = { ...game, at: wanted, position, over: position.over, thinking: null, opening: null };
  }

  async function load(node) {
    try {
      const found = await get(`${url}/nodes/${node}`);
      positions.set(node, found.position);
    } catch (error) {
      if (wanted === node) {
        wanted = shown?.at ?? null;
        toastError(error);
      }
    }
    look();
    changed();
  }

  return {
    receive(next) {
      game = next;
      positions.set(game.at, game.position);
      if (wanted === game.at) wanted = null;
      if (wanted === null) shown = null;
      look();
    },
    get game() { return shown ?? game; },
    get live() { return wanted === null; },
    goTo(node) {
      wanted = node === game.at ? null : node;
      if (wanted === null) shown = null;
      else if (!positions.has(node)) {
        load(node);
        return;
      }
      look();
      changed();
    },
  };
}
