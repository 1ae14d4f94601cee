// What visitors take away: an SVG of a tree, a GIF of a game or of a film. Everything is made in the browser.
//
//   saveTree(view, title)                              the tree that is drawn there
//   saveGame({ game, moves, board, title, texts })     a game that has been played, move by move
//   saveFilm(root, drawing)                            a film of a search, step by step; `root` is where it is shown
//
// Each answers a promise that is kept when the file has been handed over.

import { lineOf } from "/static/api.js";
import { h } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { ReplayTree } from "/static/pictures/replay_tree.js";
import { TreeLayout } from "/static/pictures/tree_layout.js";
import { TreeView } from "/static/pictures/tree_view.js";
import { Gif } from "/static/share/gif.js";
import { paperFrame, standalone } from "/static/share/standalone.js";

const [MOVE, STEP, LAST] = [0.8, 1.2, 3]; // seconds that a picture stays
const [GAME_WIDE, FILM_WIDE] = [420, 960]; // pixels
const MOST = 120; // pictures of a film; of a longer one every so many steps are left out
const LINES = 2; // of words below a picture

function handOver(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const fileName = (title, ending) => `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "plyground"}.${ending}`;

export async function saveTree(view, title) {
  handOver(new Blob([standalone(view, title, document.documentElement.lang).text], { type: "image/svg+xml" }), fileName(title, "svg"));
}

function loaded(svg) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    image.onload = () => (URL.revokeObjectURL(address), resolve(image));
    image.onerror = () => (URL.revokeObjectURL(address), reject(new Error(t("share.failed"))));
    image.src = address;
  });
}

// The words in lines that have room; what is too long ends in an ellipsis.
function lines(context, text, width) {
  const found = [""];
  for (const word of text.match(/[^\s\u2e80-\uffef]+\s*|[\u2e80-\uffef]|\s+/g) ?? []) {
    if (context.measureText(found.at(-1) + word).width <= width || !found.at(-1)) found[found.length - 1] += word;
    else found.push(word);
  }
  if (found.length > LINES) {
    found.length = LINES;
    found[LINES - 1] += "…";
  }
  while (found.at(-1).length > 1 && context.measureText(found.at(-1)).width > width) found[found.length - 1] = `${found.at(-1).slice(0, -2)}…`;
  return found;
}

// One picture after the other, each with its words below; all are as large as the largest.
async function film(pictures, wide, told) {
  const size = { width: Math.max(...pictures.map(({ width }) => width)), height: Math.max(...pictures.map(({ height }) => height)) };
  const scale = Math.min(wide / size.width, (1.25 * wide) / size.height, 2);
  const [width, high] = [Math.max(200, Math.round(size.width * scale)), Math.round(size.height * scale)];
  const letter = Math.max(13, Math.round(width / 48));
  const [line, margin] = [Math.round(1.4 * letter), letter];
  const height = high + LINES * line + margin;
  const canvas = h("canvas", { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const gif = new Gif(width, height);
  for (const [place, picture] of pictures.entries()) {
    const image = await loaded(picture.svg);
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, (width - picture.width * scale) / 2, (high - picture.height * scale) / 2, picture.width * scale, picture.height * scale);
    context.fillStyle = "#1f2937";
    context.font = `${letter}px system-ui, sans-serif`;
    lines(context, picture.words, width - 2 * margin).forEach((text, number) => context.fillText(text, margin, high + margin / 2 + line * (number + 0.75)));
    gif.add(context.getImageData(0, 0, width, height).data, place === pictures.length - 1 ? LAST : picture.seconds);
    told?.((place + 1) / pictures.length);
    if (place % 8 === 7) await new Promise((resolve) => setTimeout(resolve)); // the page stays alive
  }
  return gif.blob();
}

export async function saveGame({ game, moves, board = "", title, texts }) {
  const answer = await fetch("/api/export", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ what: "frames", format: "svg", game, moves, board }) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(lineOf(found));
  const pictures = found.frames.map((svg, place) => {
    const [, , width, height] = svg.match(/viewBox="([^"]*)"/)[1].split(" ").map(Number);
    return { svg, width, height, seconds: MOVE, words: place ? `${title} · ${place}. ${texts?.[place - 1] ?? found.moves[place - 1]}` : title };
  });
  handOver(await film(pictures, GAME_WIDE), fileName(title, "gif"));
}

export async function saveFilm(root, drawing, told) {
  const { steps, title, words } = drawing;
  const every = Math.max(1, Math.ceil(steps.length / MOST));
  const shown = Array.from({ length: Math.ceil(steps.length / every) }, (_, place) => place * every).concat(steps.length);
  const tree = new ReplayTree(drawing);
  const frame = paperFrame(root.querySelector(".canvas"));
  const view = new TreeView(frame, tree, new TreeLayout(tree), words, { folds: false, paper: true });
  const goTo = (step) => {
    tree.goTo(step);
    view.update(true, !step);
  };
  try {
    // All pictures have the room of the largest, so that nothing jumps.
    const room = { left: 0, right: 0, top: 0, bottom: 0 };
    for (const step of shown) {
      goTo(step);
      const now = view.extent();
      for (const name of ["left", "top"]) room[name] = Math.min(room[name], now[name]);
      for (const name of ["right", "bottom"]) room[name] = Math.max(room[name], now[name]);
    }
    const pictures = shown.map((step) => {
      goTo(step);
      const { text, width, height } = standalone(view, "", document.documentElement.lang, room);
      return { svg: text, width, height, seconds: STEP, words: step ? steps[step - 1][0] : title };
    });
    handOver(await film(pictures, FILM_WIDE, told), fileName(title, "gif"));
  } finally {
    view.destroy();
    frame.remove();
  }
}
