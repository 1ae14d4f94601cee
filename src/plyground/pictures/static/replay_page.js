// A page of its own that replays the drawing it holds.

import { mountReplay } from "./replay.js";

const drawing = JSON.parse(document.getElementById("drawing").textContent);
const [, step] = /^#(\d+|last)$/.exec(location.hash) ?? [];
const replay = mountReplay(document.querySelector("main"), drawing, { step });
addEventListener("keydown", replay.key);
globalThis.replay = replay; // for those who try things in the browser's console

document.querySelector("h1").textContent = drawing.title || drawing.words.tree;
const theme = document.getElementById("theme");
theme.title = drawing.words.theme;
theme.setAttribute("aria-label", drawing.words.theme);
theme.onclick = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.style.colorScheme || (dark ? "dark" : "light");
  document.documentElement.style.colorScheme = now === "dark" ? "light" : "dark";
};
