// Exercises to practise on: pick a kind and a level, answer by clicking and typing, and have every item judged by the server.
//
// The address is the exercise: kind=alphabeta, level=2, number=123, and the options that its kind has, such as depth=5.

import { get, post } from "/static/api.js";
import { announce, copyText, openDialog, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { field, radios, randomSeed, select } from "/static/fields.js";
import { language, pick, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { note, progress } from "/static/lab/learn/progress.js";
import { handIn, newSheet, noteOnSheet, sheet as practised } from "/static/lab/practice_sheet.js";
import { mountReplay } from "/static/pictures/replay.js";

const SIGNS = { alpha: "α", beta: "β" }; // what a mark on a tree is called
const OPTIONS = ["depth", "branching", "alpha_cuts", "beta_cuts", "deep_cuts"];
const LARGEST = 2 ** 53 - 1;

export function mount(root, { query, setQuery, setTitle, kept }) {
  const whole = (text, usual) => (/^\d{1,16}$/.test(text ?? "") && Number(text) <= LARGEST ? Number(text) : usual);
  const state = {
    kind: query.get("kind") ?? "alphabeta",
    level: Math.min(5, Math.max(1, whole(query.get("level"), 1))),
    number: whole(query.get("number"), null) ?? randomSeed(),
    options: Object.fromEntries(OPTIONS.filter((name) => query.has(name)).map((name) => [name, whole(query.get(name), 0)])),
  };
  let known = null;
  let question = null;
  let replay = null;
  let pen = "";
  let asked = 0;
  let answers = {};

  const settings = h("form.practice-settings", { onsubmit: (event) => event.preventDefault() });
  const error = h("p.error", { role: "alert" });
  const record = h("div.row.practice-record");
  const sheet = h("form.panel.practice-sheet", { onsubmit: (event) => {
    event.preventDefault();
    check();
  } });
  fill(root, h("div.page.stack.practice", h("header", h("h1", t("page.practice")), h("p.lead", t("practice.lead"))), settings, error, sheet, record));

  const wish = () => ({ kind: state.kind, level: state.level, number: state.number, options: state.options, lang: language() });

  function change(changes) {
    Object.assign(state, changes);
    drawSettings();
    ask();
  }
  const another = () => change({ number: randomSeed() });

  function drawSettings() {
    const had = settings.contains(document.activeElement) ? document.activeElement.dataset.field : null;
    const kind = select(known.kinds.map(({ name, title }) => [name, pick(title)]), state.kind, (next) => change({ kind: next, number: randomSeed(), options: {} }));
    const number = h("input", { type: "number", min: 0, max: LARGEST, step: 1, value: state.number, onchange: () => change({ number: whole(number.value, 0) }) });
    kind.dataset.field = "kind";
    number.dataset.field = "number";
    const levels = h("div.segmented", { role: "radiogroup", "aria-label": t("practice.level") }, radios("level", known.levels.map((level) => [String(level), String(level)]), String(state.level), (level) => change({ level: Number(level), options: {} })));
    for (const radio of levels.querySelectorAll("input")) radio.dataset.field = `level-${radio.value}`;
    fill(settings,
      field(t("practice.kind"), kind),
      h("div.practice-level", h("span.label", t("practice.level")), levels),
      field(t("practice.number"), number),
      h("button.button", { type: "button", onclick: another }, sign("dice"), t("practice.another")));
    if (had) settings.querySelector(`[data-field="${CSS.escape(had)}"]`)?.focus();
  }

  // Asking ----------------------------------------------------------------------------------------------------------

  async function ask() {
    const mine = ++asked;
    setQuery({ kind: state.kind, level: String(state.level), number: String(state.number), ...Object.fromEntries(OPTIONS.map((name) => [name, state.options[name] === undefined ? null : String(state.options[name])])) });
    sheet.setAttribute("aria-busy", "true");
    error.textContent = "";
    try {
      const found = await post("/api/practice", wish());
      if (mine !== asked) return;
      question = found;
      const address = JSON.stringify({ ...wish(), lang: "" });
      // In another language the answers stay.
      answers = kept.address === address ? kept.answers : {};
      if (kept.address !== address) kept.hints = 0;
      Object.assign(kept, { address, answers });
      pen = question.items.find(({ form }) => form === "mark")?.choices[0][0] ?? "";
      setTitle(question.title);
      draw();
      announce(`${question.title}. ${question.text}`);
    } catch (problem) {
      if (mine === asked) {
        clearReplay();
        fill(sheet);
        error.textContent = problem.message || t("error.network");
      }
    } finally {
      if (mine === asked) sheet.removeAttribute("aria-busy");
    }
  }

  const isMark = ({ form }) => form === "mark";
  const holder = () => sheet.querySelector(".practice-tree, .practice-picture");
  const said = h("div.practice-said", { role: "status" });

  function draw() {
    clearReplay();
    const marks = question.items.filter(isMark);
    const typed = question.items.filter((item) => !isMark(item));
    const kinds = marks[0]?.choices ?? [];
    const pens = kinds.length > 1 && h("div.row", h("span.label", t("practice.pen")), h("div.segmented", { role: "radiogroup", "aria-label": t("practice.pen") },
      radios("pen", kinds.map(([key, text]) => [key, text]), pen, (key) => { pen = key; })));
    const picture = h(question.drawing ? "div.practice-tree" : "div.practice-picture");
    const fields = typed.length > 0 && h("div.practice-items", { role: "group", "aria-label": t("practice.answers") }, typed.map(itemField));
    const beside = !question.drawing && typed.length > 0;
    fill(said);
    fill(sheet,
      h("h2", question.title), h("p.practice-text", question.text),
      marks.length > 0 && h("p.small.muted", t("practice.onpicture")), pens,
      h(`div.practice-halves${beside ? ".beside" : ""}`, picture, fields),
      h("div.row.practice-buttons",
        h("button.button.primary", { type: "submit" }, sign("check"), t("practice.check")),
        h("button.button", { type: "button", onclick: clear }, t("practice.clear")),
        h("button.button", { type: "button", onclick: help }, sign("hint"), t("practice.hint")),
        h("button.button", { type: "button", onclick: solve }, t("practice.solution")),
        h("button.button", { type: "button", onclick: another }, sign("dice"), t("practice.another")),
        h("button.button.quiet", { type: "button", onclick: () => copyText(location.href, t("practice.linked")) }, sign("link"), t("practice.link"))),
      said);
    if (question.drawing) {
      const markable = new Set(marks.map(({ key }) => Number(key)));
      replay = mountReplay(picture, question.drawing, {
        hint: "", whole: true, later: roomForAnswers(),
        onPress: (number) => {
          if (markable.has(number)) toggle(String(number));
          else sheet.querySelector(`[data-key="${number}"], [data-key^="${number}-"]`)?.focus();
          return true;
        },
      });
      for (const item of question.items) showOnTree(item.key);
    } else {
      drawPicture(picture, question.svg);
    }
  }

  // The picture of a board, a cave or a table; what can be marked in it are checkboxes.
  function drawPicture(place, text) {
    const svg = svgFromText(text);
    const spots = svg.querySelectorAll("[data-item]");
    if (spots.length) svg.setAttribute("role", "group");
    for (const spot of spots) {
      const { item } = spot.dataset;
      spot.setAttribute("role", "checkbox");
      spot.setAttribute("tabindex", "0");
      spot.addEventListener("click", () => toggle(item));
      spot.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        toggle(item);
      });
    }
    fill(place, svg);
    for (const spot of spots) showSpot(spot);
  }

  function showSpot(spot, found = "") {
    const on = Boolean(answers[spot.dataset.item]);
    spot.setAttribute("aria-checked", String(on));
    spot.classList.toggle("exercise-marked", on);
    if (found) spot.dataset.found = found;
    else delete spot.dataset.found;
  }

  function itemField(item) {
    const given = answers[item.key] ?? "";
    const control = item.form === "choice"
      ? select([["", t("practice.choose")], ...item.choices], given, (value) => answer(item.key, value))
      : h("input", { type: "text", value: given, autocomplete: "off", spellcheck: "false", autocapitalize: "off", placeholder: item.hint, maxlength: 100, oninput: () => answer(item.key, control.value) });
    control.dataset.key = item.key;
    return field(item.label, control);
  }

  const numberOf = (key) => (/^\d+(-|$)/.test(key) && question.drawing ? Number.parseInt(key, 10) : -1);

  function roomForAnswers() {
    const looks = {};
    for (const { key, form, hint } of question.items) {
      const number = numberOf(key);
      if (form === "mark") looks[number] = { edge: "cut", note: SIGNS.alpha };
      else if (number >= 0 && (key.includes("-") || question.drawing.start[number]?.value)) looks[number] = { lines: key.includes("-") ? ["−∞, +∞", "−∞, +∞"] : ["1.000"] };
      else if (number >= 0) looks[number] = { value: hint.includes(",") ? "(10, 10, 10)" : question.drawing.nodes.some(([, shape]) => shape === "chance") ? "10.25" : "−10" };
    }
    return looks;
  }

  // What is answered is seen on the tree too.
  function showOnTree(key, found = "") {
    const number = numberOf(key);
    if (!replay || number < 0) return;
    const item = question.items.find((one) => one.key === key);
    const text = answers[key] ?? "";
    const mark = found === "missing" ? "wrong" : found;
    if (isMark(item)) replay.setLook(number, text || found === "missing" ? { edge: "cut", note: SIGNS[text] ?? "?", mark: mark || "marked" } : { edge: "plain", note: "", mark: "" });
    else if (key.includes("-")) {
      const both = ["in", "out"].map((when) => answers[`${number}-${when}`] ?? "");
      replay.setLook(number, { lines: both.some(Boolean) ? both.map((one) => one || "…") : [], mark });
    } else if (question.drawing.start[number]?.value) replay.setLook(number, { lines: text ? [text] : [], mark });
    else replay.setLook(number, { value: text, mark });
  }

  // Answering -------------------------------------------------------------------------------------------------------

  function answer(key, value) {
    if (value) answers[key] = value;
    else delete answers[key];
    showOnTree(key);
    const spot = holder()?.querySelector(`[data-item="${CSS.escape(key)}"]`);
    if (spot) showSpot(spot);
    unmark(key);
    fill(said);
  }

  function toggle(key) {
    const value = pen || question.items.find((item) => item.key === key).choices[0][0];
    answer(key, answers[key] === value ? "" : value);
  }

  function unmark(key) {
    const control = sheet.querySelector(`[data-key="${CSS.escape(key)}"]`);
    control?.removeAttribute("aria-invalid");
    control?.closest(".field").classList.remove("right", "wrong");
    control?.closest(".field").querySelector("label .sign")?.remove();
  }

  function clear() {
    for (const key of Object.keys(answers)) delete answers[key];
    draw();
  }

  async function check() {
    if (!question) return;
    const mine = asked;
    try {
      const found = await post("/api/practice/judge", { ...wish(), answers });
      if (mine !== asked) return;
      if (found.complete) noteSolved();
      noteChecked(found.complete);
      tell(found);
    } catch (problem) {
      toastError(problem);
    }
  }

  // A lesson that asks for this kind counts it, whoever was sent here or came by themselves. One that was shown does not count.
  function noteSolved() {
    if (kept.shown === kept.address || kept.solved === kept.address) return;
    kept.solved = kept.address;
    note(({ solved }) => {
      const levels = (solved[state.kind] ??= {});
      levels[state.level] = (levels[state.level] ?? 0) + 1;
    });
  }

  // A streak is of exercises that were right when they were first checked, without a hint: each of these ends it.
  function noteChecked(complete) {
    noteOnSheet({ kind: state.kind, level: state.level, number: state.number, options: state.options, answers: { ...answers }, complete, hints: kept.hints });
    if (kept.counted !== kept.address) {
      kept.counted = kept.address;
      count(complete && !kept.hints);
    }
    drawRecord();
  }

  const count = (right) => note(({ practice }) => {
    practice.streak = right ? practice.streak + 1 : 0;
    practice.best = Math.max(practice.best, practice.streak);
  });

  function helped(much) {
    kept.hints += much;
    if (kept.counted !== kept.address) {
      kept.counted = kept.address;
      count(false);
    }
    drawRecord();
  }

  // Where to look, then the rule there, then the answer: of the first item that is not right.
  async function help() {
    const mine = asked;
    const before = kept.help?.address === kept.address ? kept.help : { key: "", step: 0 };
    try {
      let step = Math.min(3, before.step + 1);
      let found = await post("/api/practice/hint", { ...wish(), answers, step });
      if (found.key && found.key !== before.key && step > 1) {
        step = 1;
        found = await post("/api/practice/hint", { ...wish(), answers, step });
      }
      if (mine !== asked) return;
      kept.help = { address: kept.address, key: found.key, step };
      if (found.key && !(before.step === 3 && before.key === found.key)) helped(1);
      fill(said, h("p.practice-help", sign("hint"), h("span", found.key ? t("practice.hint.look", { label: found.label }) : t("practice.hint.nothing"),
        found.reason && ` ${found.reason}`, found.expected !== null && ` ${found.expected ? t("practice.expected", found) : t("practice.notmarked")}`)));
      sheet.querySelector(`[data-key="${CSS.escape(found.key)}"]`)?.focus();
    } catch (problem) {
      toastError(problem);
    }
  }

  function drawRecord() {
    const { practice } = progress();
    const all = practised();
    fill(record, h("span.practice-streak", t("practice.streak", practice)), h("span.small.muted", t("practice.streak.about")),
      h("span.practice-hand", h("button.button.small", { type: "button", disabled: !all.length, onclick: askName }, sign("copy"), t("practice.handin", { count: all.length })),
        h("button.button.small.quiet", { type: "button", disabled: !all.length, onclick: () => { newSheet(); drawRecord(); toast(t("practice.newsheet.done")); } }, t("practice.newsheet"))));
  }

  function askName() {
    const name = h("input", { type: "text", maxlength: 100, autocomplete: "name" });
    openDialog({ title: t("practice.handin.title"), body: [h("p.muted", t("practice.handin.about")), field(t("practice.handin.name"), name)], actions: [
      { label: t("cancel") },
      { label: t("practice.handin.go"), kind: "primary", run: () => {
        if (!name.value.trim()) {
          name.focus();
          return false;
        }
        handIn(name.value.trim());
        return true;
      } },
    ] });
    name.focus();
  }

  function tell({ verdicts, right, complete }) {
    const failed = new Map();
    for (const { key, found } of verdicts) {
      unmark(key);
      const control = sheet.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (control) {
        control.setAttribute("aria-invalid", String(found !== "right"));
        control.closest(".field").classList.add(found === "right" ? "right" : "wrong");
        control.closest(".field").querySelector("label").append(sign(found === "right" ? "check" : "close"));
      }
      const number = numberOf(key);
      const worst = failed.get(number) ?? found;
      if (number >= 0) failed.set(number, worst === "right" ? found : worst);
      showOnTree(key, number >= 0 ? failed.get(number) : found);
      const spot = holder()?.querySelector(`[data-item="${CSS.escape(key)}"]`);
      if (spot) showSpot(spot, found);
    }
    const total = complete ? t(verdicts.length ? "practice.all" : "practice.nothing") : t("practice.some", { right, total: verdicts.length });
    fill(said,
      h(`p.practice-total.${complete ? "right" : "wrong"}`, sign(complete ? "check" : "close"), total),
      h("ul", verdicts.map(({ label, found, given, expected, reason }) => h(`li.${found === "right" ? "right" : "wrong"}`, { dataset: { found } },
        sign(found === "right" ? "check" : "close"),
        h("span", h("b", `${label}${given ? ` · ${given}` : ""} · ${t(`practice.${found}`)}`), " ",
          found !== "right" && h("span", `${expected ? t("practice.expected", { expected }) : t("practice.notmarked")} `), h("span.muted", reason))))));
  }

  async function solve() {
    const mine = asked;
    let found;
    try {
      found = await post("/api/practice/solution", wish());
    } catch (problem) {
      toastError(problem);
      return;
    }
    if (mine !== asked) return;
    if (kept.shown !== kept.address && kept.solved !== kept.address) helped(question.items.length);
    kept.shown = kept.address;
    clearReplay();
    const place = h(found.drawing ? "div.practice-tree" : "div.practice-picture");
    const back = h("button.button", { type: "button", onclick: () => { draw(); sheet.querySelector("[type=submit]").focus(); } }, sign("undo"), t("practice.back"));
    fill(sheet, h("h2", question.title), h("p.practice-text", question.text), place,
      h("div.row", back, h("button.button", { type: "button", onclick: another }, sign("dice"), t("practice.another"))),
      h("div.practice-said", found.answers.length ? h("ul", found.answers.map(({ label, text, reason }) => h("li", h("span", h("b", `${label}: ${text}`), " ", h("span.muted", reason))))) : h("p", t("practice.nothing"))));
    if (found.drawing) replay = mountReplay(place, found.drawing, { hint: "", whole: true, onPress: () => true });
    else fill(place, svgFromText(found.svg));
    back.focus();
  }

  // Life ------------------------------------------------------------------------------------------------------------

  function clearReplay() {
    replay?.destroy();
    replay = null;
  }

  const release = keys([{ key: "n", label: "practice.keys.next", run: another }, { key: "c", label: "practice.keys.check", run: check }, { key: "h", label: "practice.keys.hint", run: help }], "page.practice");
  const zoom = (event) => { if (["+", "=", "-", "0"].includes(event.key)) replay?.key(event); };
  addEventListener("keydown", zoom);
  get("/api/practice").then((found) => {
    known = found;
    if (!known.kinds.some(({ name }) => name === state.kind)) state.kind = known.kinds[0].name;
    drawSettings();
    drawRecord();
    ask();
  }, toastError);
  return () => {
    asked += 1;
    release();
    removeEventListener("keydown", zoom);
    clearReplay();
  };
}
