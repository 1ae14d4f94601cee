// Trees as a line of text: "((3 12 8) (2 4 6) (14 5 2))" is MAX over three MINs. Whose turn it is alternates; "min" before
// the first bracket lets MIN begin. The grammar is that of games/tree_notation.py, which tests hold against this one.
// Whatever a tree file can say besides, such as chance or preset counts, is written as JSON.
//
//   readTree(text) -> { root, first, simple }   `root` is a node as tree files have it; throws an Error with a word's key
//   writeTree(root) -> text, or null if the line cannot say it
//   nodeList(root)  -> the nodes level by level, as drawings number them: [{ node, parent, place }]
//   randomTree(shape, random) -> root

export const MOST = 2000; // nodes
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const CLOSING = { "(": ")", "[": "]" };

export function readTree(text) {
  const trimmed = text.trim();
  if (!trimmed) throw new Error("tree.empty");
  if (trimmed.startsWith("{")) return readFile(trimmed);
  const min = /^min\b/i.test(trimmed);
  const tokens = trimmed.replace(/^(min|max)\b/i, "").match(/[()[\]]|[^\s,()[\]]+/g) ?? [];
  let at = 0;
  let count = 0;
  const read = (mover) => {
    const token = tokens[at++];
    if (++count > MOST) throw new Error("tree.large");
    if (token in CLOSING) {
      const children = [];
      while (at < tokens.length && tokens[at] !== ")" && tokens[at] !== "]") children.push(read(1 - mover));
      if (tokens[at++] !== CLOSING[token]) throw new Error("tree.open");
      if (!children.length) throw new Error("tree.childless");
      return { [mover ? "min" : "max"]: children };
    }
    if (token === undefined || token === ")" || token === "]") throw new Error("tree.open");
    const plain = token.replaceAll("−", "-");
    const value = NUMBER.test(plain) ? Number(plain) : NaN;
    if (!Number.isFinite(value)) throw new Error("tree.number");
    return value;
  };
  const root = read(min ? 1 : 0);
  if (at < tokens.length) throw new Error("tree.rest");
  if (typeof root === "number") throw new Error("tree.leaf");
  return { root, simple: true };
}

function readFile(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("tree.json");
  }
  const root = data.root ?? data;
  return { root, file: data.root ? data : null, simple: writeTree(root) !== null };
}

export function writeTree(root) {
  const write = (node, mover) => {
    if (typeof node === "number") return String(node);
    const key = mover ? "min" : "max";
    if (!Array.isArray(node?.[key]) || Object.keys(node).length > 1) return null;
    const parts = node[key].map((child) => write(child, 1 - mover));
    return parts.includes(null) ? null : `(${parts.join(" ")})`;
  };
  const begins = root?.min ? 1 : 0;
  const text = write(root, begins);
  return text && begins ? `min ${text}` : text;
}

export const childrenOf = (node) => (typeof node === "number" ? [] : node.max ?? node.min ?? []);

export function nodeList(root) {
  const found = [{ node: root, parent: null, place: 0 }];
  for (let i = 0; i < found.length; i++) {
    childrenOf(found[i].node).forEach((node, place) => found.push({ node, parent: found[i], place }));
  }
  return found;
}

export function randomTree({ depth = 3, widest = 3, most = 20 } = {}, random = Math.random) {
  const pick = (low, high) => low + Math.floor(random() * (high - low + 1));
  const grow = (left, mover) => {
    if (!left) return pick(0, most);
    return { [mover ? "min" : "max"]: Array.from({ length: pick(2, widest) }, () => grow(left - 1, 1 - mover)) };
  };
  return grow(depth, 0);
}
