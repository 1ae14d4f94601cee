// How far the visitor has come: kept in this browser, and nowhere else.
//
//   progress() -> { read: { minimax: true }, watched: { minimax: [0, 1] }, right: { minimax: [0, 2] },
//                   solved: { minimax: { 1: 3 } }, places: { minimax: { at: "7.3", section: 2, furthest: 3 } }, last: "minimax",
//                   guesses: { right: 3, asked: 4 }, practice: { streak: 2, best: 5 },
//                   puzzles: { tried: ["reversi/17"], solved: 1, streak: 1, best: 1, day: "2026-11-18", days: 1 } }
//   note((known) => { ... })     changes it
//   numbers(known.right, name)   what is noted of a lesson, as a list of numbers
//   stepsOf(lesson, known)       -> { read: [2, 5], watch: [1, 2], do: [0, 1], quiz: [2, 2] }: what is done, of how much;
//                                a step that the lesson does not have is left out
//   asFile(), fromFile(text)     the same as a text to keep elsewhere; what is read is added to what is known
//   forget()                     begins anew
//
// `watched` are the numbers of figures, `right` those of quizzes, in the order of the lesson; `solved` says how many
// exercises of a kind were solved at each level, wherever they were asked. `places` is where a lesson was left: the number
// of a part, and of a paragraph in it; the section, counted from 1; and the furthest section that was seen.

import { store, stored } from "/static/dom.js";

const NAME = "lessons";
const FILE = "plyground progress";
export const PLACE = /^\d{1,4}(\.\d{1,4})?$/;
const LONGEST = 200_000; // characters of a file

const part = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const whole = (value) => Number.isSafeInteger(value) && value >= 0;
const mapped = (value, change) => Object.fromEntries(Object.entries(part(value)).map(([name, item]) => [name, change(item)]));

// What is known, whatever somebody else has written there.
function cleaned(found) {
  const list = (value) => (Array.isArray(value) ? [...new Set(value.filter(whole))] : []);
  const count = (value) => (whole(value) ? value : 0);
  const place = (value) => ({ at: PLACE.test(value?.at) ? value.at : "0", section: count(value?.section), furthest: count(value?.furthest) });
  return {
    read: mapped(found?.read, Boolean),
    watched: mapped(found?.watched, list),
    right: mapped(found?.right, list),
    solved: mapped(found?.solved, (levels) => Object.fromEntries(Object.entries(part(levels)).filter(([level, count]) => /^[1-5]$/.test(level) && whole(count)))),
    places: mapped(found?.places, place),
    last: typeof found?.last === "string" ? found.last : "",
    guesses: { right: Math.min(count(found?.guesses?.right), count(found?.guesses?.asked)), asked: count(found?.guesses?.asked) },
    practice: { streak: count(found?.practice?.streak), best: count(found?.practice?.best) },
    puzzles: {
      tried: Array.isArray(found?.puzzles?.tried) ? found.puzzles.tried.filter((key) => /^\w{1,20}\/\d{1,5}$/.test(key)) : [],
      ...Object.fromEntries(["solved", "streak", "best", "days"].map((name) => [name, count(found?.puzzles?.[name])])),
      day: /^\d{4}-\d\d-\d\d$/.test(found?.puzzles?.day) ? found.puzzles.day : "",
    },
  };
}

export function progress() {
  try {
    return cleaned(JSON.parse(stored(NAME, "{}")));
  } catch {
    return cleaned({});
  }
}

const keep = (known) => store(NAME, JSON.stringify(known));

export function note(change) {
  const known = progress();
  change(known);
  keep(known);
}

// A guess in a film, wherever it is shown.
export const noteGuess = (right) => note(({ guesses }) => {
  guesses.asked += 1;
  guesses.right += right;
});

export const forget = () => store(NAME, "{}");

export const numbers = (noted, name) => noted[name] ?? [];

export const isSolved = ({ solved }, { kind, level }) => Object.keys(solved[kind] ?? {}).some((at) => Number(at) >= level);

export function stepsOf({ name, sections, figures, exercises, quizzes }, known) {
  const length = Math.max(1, sections.length);
  const count = (noted, all) => numbers(noted, name).filter((number) => number < all).length;
  const all = {
    read: [known.read[name] ? length : Math.max(0, Math.min(length, known.places[name]?.furthest ?? 0) - 1), length],
    watch: [count(known.watched, figures), figures],
    do: [exercises.filter((exercise) => isSolved(known, exercise)).length, exercises.length],
    quiz: [count(known.right, quizzes), quizzes],
  };
  return Object.fromEntries(Object.entries(all).filter(([, [, most]]) => most > 0));
}

export const asFile = () => JSON.stringify({ file: FILE, version: 1, ...progress() }, null, 1);

// Throws an Error whose message is a word of the dictionary.
export function fromFile(text) {
  let found;
  try {
    found = text.length <= LONGEST && JSON.parse(text);
  } catch {
    found = null;
  }
  if (found?.file !== FILE || found.version !== 1) throw new Error("learn.load.wrong");
  const more = cleaned(found);
  note((known) => {
    for (const which of ["watched", "right"]) {
      for (const [name, list] of Object.entries(more[which])) known[which][name] = [...new Set([...numbers(known[which], name), ...list])];
    }
    for (const [name, done] of Object.entries(more.read)) known.read[name] ||= done;
    for (const [kind, levels] of Object.entries(more.solved)) {
      const mine = (known.solved[kind] ??= {});
      for (const [level, count] of Object.entries(levels)) mine[level] = Math.max(mine[level] ?? 0, count);
    }
    for (const [name, place] of Object.entries(more.places)) if ((known.places[name]?.furthest ?? -1) < place.furthest) known.places[name] = place;
    known.last ||= more.last;
    if (more.guesses.asked > known.guesses.asked) known.guesses = more.guesses;
    known.practice.best = Math.max(known.practice.best, more.practice.best);
    if (more.puzzles.tried.length > known.puzzles.tried.length) known.puzzles = more.puzzles;
  });
}
