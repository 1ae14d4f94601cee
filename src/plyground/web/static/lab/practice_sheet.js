// What the visitor has practised since the last sheet was begun: kept in this browser until it is handed in as a file.
//
//   sheet() -> [{ kind, level, number, options, answers, complete, hints }, ...]   `plyground course check` judges it again
//   noteOnSheet(exercise)     each exercise once, as it was checked last; hints add up
//   handIn(name)              downloads the file
//   newSheet()

import { h, store, stored } from "/static/dom.js";

const NAME = "practice";
const MOST = 500;

const same = (one, other) => one.kind === other.kind && one.level === other.level && one.number === other.number && JSON.stringify(one.options) === JSON.stringify(other.options);

export function sheet() {
  try {
    const found = JSON.parse(stored(NAME, "[]"));
    return Array.isArray(found) ? found.filter((one) => one && typeof one === "object" && typeof one.kind === "string") : [];
  } catch {
    return []; // somebody else has written there
  }
}

export function noteOnSheet(exercise) {
  const all = sheet();
  const place = all.findIndex((one) => same(one, exercise));
  if (place >= 0) all[place] = { ...exercise, hints: Math.max(all[place].hints ?? 0, exercise.hints) };
  else all.push(exercise);
  store(NAME, JSON.stringify(all.slice(-MOST)));
}

export const newSheet = () => store(NAME, "[]");

export function handIn(name) {
  const text = JSON.stringify({ file: "plyground practice", version: 1, name, exercises: sheet() }, null, 1);
  const safe = name.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "practice";
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `practice-${safe}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}
