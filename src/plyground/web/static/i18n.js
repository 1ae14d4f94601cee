// Words in the visitor's language.
//
//   t("page.play")                         the text of a key; t("table.turn", { side: "X" }) fills {side}
//   pick({ en: "Beginner", zh: "新手" })    what the server says in both languages
//   addWords({ en: { "watch.title": ... }, zh: { ... } })   a page's own dictionary; those that pages.js names are loaded
//                                          by the shell, in the language that is spoken
//   lineIn("'zz' is not legal here")        a line of the server in the visitor's language; null if there are no words for it
//   learnLines(chineseLine)                how such a line is put into Chinese, which the shell loads for those who read it
//   openingName({ opening, opening_zh })   what an opening is called
//   rewindWords()                          those of the slider below a tree that grows
//   language(), setLanguage("zh")          "en" or "zh"; the shell shows the page again in the new language
//   LANGUAGES                              what there is, each with its own name
//
// A dictionary's value is a text, or in a module a function of the values.
// In a text "{count?1 move|# moves}" chooses between one and many, and with three forms between none, one and many.
// What the server says in English is translated by its code, "error.moved": such words are in zh.js alone.
// The words of the shell and of the play page are in i18n/en.js and i18n/zh.js; both have the same keys.

import { store } from "/static/dom.js";
import en from "/static/i18n/en.js";
import zh from "/static/i18n/zh.js";

export const LANGUAGES = { en: "English", zh: "简体中文" };
const words = { en: { ...en }, zh: { ...zh } };
let current = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

export const language = () => current;

let chineseLine = () => null;
export const learnLines = (found) => { chineseLine = found; };
export const lineIn = (line) => (current === "zh" ? chineseLine(line) : line);

export function setLanguage(name) {
  if (!(name in words) || name === current) return;
  current = name;
  document.documentElement.lang = name === "zh" ? "zh-Hans" : "en";
  store("language", name);
  window.dispatchEvent(new CustomEvent("plyground:language"));
}

export function addWords(found) {
  for (const [name, dictionary] of Object.entries(found)) Object.assign(words[name], dictionary);
}

function form(number, forms) {
  const place = number === 1 ? forms.length - 2 : number === 0 && forms.length > 2 ? 0 : forms.length - 1;
  return forms[place].replaceAll("#", number);
}

export function t(key, values = {}) {
  const found = words[current][key] ?? words.en[key];
  if (found === undefined) return key;
  if (typeof found === "function") return found(values);
  return found.replace(/\{(\w+)\?([^{}]*)\}/g, (_, name, forms) => form(values[name], forms.split("|")))
    .replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}

export const hasWord = (key) => key in words[current];
export const openingName = ({ opening, opening_zh: zh }) => (current === "zh" && zh) || opening;
export const pick = (texts) => (typeof texts === "string" ? texts : texts?.[current] ?? texts?.en ?? "");
export const rewindWords = () => ({ slider: t("rewind.slider"), now: t("rewind.now"), count: (at, of) => t("rewind.count", { at, of }) });
