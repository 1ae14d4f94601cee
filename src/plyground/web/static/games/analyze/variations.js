// A game and its variations, as a tree: the main line is the first child of every node, and stays it until another is promoted.
//
//   const tree = createVariations("f5 d6 (f6 e6 (f4)) c3")   as people write it: a bracket is played instead of the move before it
//   tree.root, node.text, node.ply, node.parent, node.children; whatever else a page knows of a position it keeps at its node
//   tree.path(node), tree.line(node)   the nodes that lead to it; and also those that follow, the first child each time
//   tree.add(node, text)               the child of that move, which is made if there is none
//   tree.branch(node)                  the first node of the variation that it belongs to; null on the main line
//   tree.promote(node), tree.remove(node) -> its parent
//   tree.sibling(node, step)           the same move of the variation before or after
//   tree.write(), tree.nodes()         the text again; all nodes, in its order

export function createVariations(text = "") {
  const made = (parent, move) => ({ text: move, ply: parent ? parent.ply + 1 : 0, parent, children: [] });
  const root = made(null, "");

  function add(node, move) {
    const known = node.children.find((child) => child.text === move);
    if (known) return known;
    const child = made(node, move);
    node.children.push(child);
    return child;
  }

  function path(node) {
    const found = [];
    for (let one = node; one.parent; one = one.parent) found.unshift(one);
    return found;
  }

  function line(node) {
    const found = path(node);
    for (let one = node; one.children.length; found.push(one)) [one] = one.children;
    return found;
  }

  const branch = (node) => path(node).findLast((one) => one.parent.children[0] !== one) ?? null;

  // Without recursion along a line: games may be long.
  function written(start) {
    const parts = [];
    for (let one = start; one.children.length; [one] = one.children) {
      const [first, ...others] = one.children;
      parts.push(first.text, ...others.map((other) => `(${[other.text, ...written(other)].join(" ")})`));
    }
    return parts;
  }

  function nodes() {
    const found = [];
    const waiting = [root];
    while (waiting.length) {
      const one = waiting.pop();
      found.push(one);
      waiting.push(...[...one.children].reverse());
    }
    return found;
  }

  let here = root;
  const left = [];
  for (const word of text.replace(/[()]/g, " $& ").split(/\s+/).filter(Boolean)) {
    if (word === "(") {
      left.push(here);
      here = here.parent ?? root;
    } else if (word === ")") here = left.pop() ?? here;
    else here = add(here, word);
  }

  return {
    root, add, path, line, branch, nodes,
    write: () => written(root).join(" "),
    promote(node) {
      const first = branch(node);
      if (!first) return;
      const { children } = first.parent;
      children.splice(children.indexOf(first), 1);
      children.unshift(first);
    },
    remove(node) {
      const { children } = node.parent;
      children.splice(children.indexOf(node), 1);
      return node.parent;
    },
    sibling(node, step) {
      const siblings = node.parent?.children ?? [node];
      return siblings[(siblings.indexOf(node) + step + siblings.length) % siblings.length];
    },
  };
}
