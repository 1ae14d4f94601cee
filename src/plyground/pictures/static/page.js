// A page of its own: what it holds, where its address says to begin, its heading, and the button of its theme.

import { label } from "./tree_buttons.js";

export const held = JSON.parse(document.getElementById("drawing").textContent);
export const begin = /^#(\d+|last)$/.exec(location.hash)?.[1];

export function openPage(title, shown) {
  addEventListener("keydown", shown.key);
  document.querySelector("h1").textContent = title;
  const theme = document.getElementById("theme");
  label(theme, held.words.theme);
  theme.onclick = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.style.colorScheme || (dark ? "dark" : "light");
    document.documentElement.style.colorScheme = now === "dark" ? "light" : "dark";
  };
  return shown; // for those who try things in the browser's console
}
