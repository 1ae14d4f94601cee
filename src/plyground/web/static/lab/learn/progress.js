// How far the visitor has come in the lessons: kept in this browser, and nowhere else.
//
//   progress() -> { read: { minimax: true }, right: { minimax: [0, 2] }, last: "minimax" }
//   note((known) => { ... })     changes it
//   forget()                     begins anew

import { store, stored } from "/static/dom.js";

const NAME = "lessons";

export function progress() {
  let known;
  try {
    known = JSON.parse(stored(NAME, "{}"));
  } catch {
    known = {}; // somebody else has written there
  }
  const part = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
  return { read: part(known?.read), right: part(known?.right), last: typeof known?.last === "string" ? known.last : "" };
}

export function note(change) {
  const known = progress();
  change(known);
  store(NAME, JSON.stringify(known));
}

export const rightOf = ({ right }, name) => (Array.isArray(right[name]) ? right[name] : []);

export const forget = () => store(NAME, "{}");
