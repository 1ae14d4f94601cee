// Games of chess with what is said of them: from what the server has read to a tree of variations.js, and as PGN.
//
//   grow(tree, game)                          adds the line of a game to an empty tree: marks and comments at its nodes
//   signsOf(node)                             "!?", "±", ...: the marks that somebody has given a move
//   writePgn(tree, { names, board, result })  the whole tree in PGN

const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+/=", 15: "=/+", 16: "±", 17: "∓", 18: "+−", 19: "−+" };
const WIDTH = 80;

export const signsOf = ({ nags = [] }) => nags.map((nag) => SIGNS[nag] ?? "").join(" ").replace(/(?<=^[!?□]+) /, "");

export function grow(tree, { line, comments }) {
  tree.root.comments = comments;
  const add = (from, moves) => {
    let node = from;
    for (const { text, nags, comments: said, variations } of moves) {
      const child = tree.add(node, text);
      Object.assign(child, { nags, comments: said });
      for (const variation of variations) add(node, variation);
      node = child;
    }
  };
  add(tree.root, line);
}

const commented = ({ comments = [] }) => comments.map((text) => `{${text.replaceAll("}", ")")}}`);

export function writePgn(tree, { names = [], board = "", result = "*" }) {
  const [, turn = "w", , , , first = "1"] = board.split(" ");
  const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
  const tags = [tag("Event", "?"), tag("Site", "?"), tag("Date", "????.??.??"), tag("Round", "?"), tag("White", names[0] || "?"), tag("Black", names[1] || "?"), tag("Result", result),
    ...(board ? [tag("SetUp", "1"), tag("FEN", board)] : [])];
  const begin = 2 * Number(first) - 2 + (turn === "b" ? 1 : 0);
  const named = (node, always) => {
    const ply = begin + node.ply - 1;
    return [...(ply % 2 === 0 ? [`${(ply >> 1) + 1}.`] : always ? [`${(ply >> 1) + 1}...`] : []), node.text, ...(node.nags ?? []).map((nag) => `$${nag}`), ...commented(node)];
  };
  const written = (start, lead) => {
    const words = [...lead];
    let always = !lead.length || Boolean(start.comments?.length);
    for (let node = start; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      words.push(...named(main, always));
      for (const other of others) {
        const inner = written(other, named(other, true));
        words.push(...inner.with(0, `(${inner[0]}`).with(-1, `${inner.at(-1)})`));
      }
      always = others.length > 0 || Boolean(main.comments?.length);
    }
    return words;
  };
  const lines = [""];
  for (const word of [...commented(tree.root), ...written(tree.root, []), result].flatMap((one) => one.split(" "))) {
    if (lines.at(-1) && lines.at(-1).length + 1 + word.length > WIDTH) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) ? " " : "") + word;
  }
  return `${tags.join("\n")}\n\n${lines.join("\n")}\n`;
}
