// A page of its own that shows the film it holds.

import { mountFilmstrip } from "./filmstrip.js";

const film = JSON.parse(document.getElementById("drawing").textContent);
const [, at] = /^#(\d+|last)$/.exec(location.hash) ?? [];
const strip = mountFilmstrip(document.querySelector("main"), film, { at });
addEventListener("keydown", strip.key);
globalThis.strip = strip; // for those who try things in the browser's console

document.querySelector("h1").textContent = film.title;
const theme = document.getElementById("theme");
theme.title = film.words.theme;
theme.setAttribute("aria-label", film.words.theme);
theme.onclick = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.style.colorScheme || (dark ? "dark" : "light");
  document.documentElement.style.colorScheme = now === "dark" ? "light" : "dark";
};
