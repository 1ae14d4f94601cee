// The tree of a live game: nodes of the server, each with its parent; node 0 is the beginning.
//
//   pathTo(game, id)      the nodes from the first move to this one
//   lineThrough(game)     the path to what is on the board, and on from there as it was last played
//   childrenOf(game, id)  in the order in which they were played
//   takeBackTarget(game)  where taking back leads: to the last choice of a person before this; null if there is none;
//                         takeBackTarget(game, seat) to the last choice of that seat
//   movesText(game, id)   the moves to a node as one text

export function pathTo(game, id) {
  const found = [];
  for (let node = game.nodes[id]; node.parent !== null; node = game.nodes[node.parent]) found.push(node);
  return found.reverse();
}

const families = new WeakMap();

export function childrenOf(game, id) {
  if (!families.has(game)) {
    const children = new Map();
    for (const node of game.nodes) {
      if (!children.has(node.parent)) children.set(node.parent, []);
      children.get(node.parent).push(node);
    }
    families.set(game, children);
  }
  return families.get(game).get(id) ?? [];
}

export function lineThrough(game, latest = new Map()) {
  const line = pathTo(game, game.at);
  for (let at = game.at; ;) {
    const children = childrenOf(game, at);
    if (!children.length) return line;
    const next = children.find((child) => child.id === latest.get(at)) ?? children.at(-1);
    line.push(next);
    at = next.id;
  }
}

export function takeBackTarget(game, seat = null) {
  const path = pathTo(game, game.at);
  const people = game.players.some((player) => player.kind === "human");
  for (const node of path.reverse()) {
    const choice = node.text !== "pass" && node.player >= 0 && (seat === null || node.player === seat);
    if (choice && (!people || game.players[node.player].kind === "human")) return node.parent;
  }
  return null;
}

export const movesText = (game, id) => pathTo(game, id).map((node) => node.text).join(" ");
