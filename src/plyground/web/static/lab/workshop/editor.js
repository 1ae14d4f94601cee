// An editor for Python: a text area with line numbers, colours behind it, and what is wrong beside its line.
//
//   const editor = createEditor({ value, label, help, change(text), history({ undo, redo }), keys: { Enter: run, s: run } })
//                                   keys with Control or Command; history says whether there is something to undo and to redo
//   editor.value                    what is written; setting it can be undone
//   editor.undo(), editor.redo()    as Ctrl+Z, and as Ctrl+Y or Ctrl+Shift+Z
//   editor.mark({ line, text })     a line and what is wrong there; mark(null) takes it away
//   editor.goTo(line)               the caret to a line
//   editor.element
//
// Tab and Shift+Tab indent; after Escape, Tab leaves the editor as it leaves any field.

import { fill, h } from "/static/dom.js";

const STEP = "    ";
const COLOURED = 2000; // lines: of a longer text all are of one colour
const TOKEN = /(#[^\n]*)|([rbfRBF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(@[\w.]+)|\b(and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)\b|\b(\d[\w.]*)/g;
const STEPS = 300; // that can be undone
const RUNS = ["insertText", "insertCompositionText", "deleteContentBackward", "deleteContentForward"];
const KINDS = ["", "comment", "string", "rule", "word", "number"];

function coloured(text) {
  const lines = [[]];
  const put = (part, kind) => part.split("\n").forEach((piece, i) => {
    if (i) lines.push([]);
    if (piece) lines.at(-1).push(kind ? h(`span.code-${kind}`, piece) : piece);
  });
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    put(text.slice(at, match.index));
    put(match[0], KINDS[match.findIndex((part, i) => i && part !== undefined)]);
    at = match.index + match[0].length;
  }
  put(text.slice(at));
  return lines;
}

export function createEditor({ value, label, help, change, history = () => {}, keys = {} }) {
  const numbers = h("pre.editor-numbers", { "aria-hidden": "true" });
  const colours = h("pre.editor-colours", { "aria-hidden": "true" });
  const area = h("textarea.editor-text", {
    value, "aria-label": label, "aria-describedby": help, spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off", translate: "no",
    onbeforeinput: begin, oninput: ({ inputType, data }) => edited(inputType, data ?? ""), onscroll: follow, onkeydown: press, onblur: () => { leaving = false; },
  });
  const element = h("div.editor", numbers, h("div.editor-page", colours, area));
  let marked = null;
  let leaving = false;

  // Undoing and redoing -------------------------------------------------------------------------------------------------
  // Browsers forget what they have undone when a script or a line end is in it, and some undo letter by letter. Here a step
  // is a word that was typed, a run of deleting, or a change of another kind.

  const here = () => ({ text: area.value, from: area.selectionStart, to: area.selectionEnd });
  const past = [], future = [];
  let now = { text: value, from: 0, to: 0 };
  let run = { kind: "", data: "" };

  const tell = () => history({ undo: past.length > 0, redo: future.length > 0 });

  function begin(event) {
    if (event.inputType === "historyUndo" || event.inputType === "historyRedo") {
      event.preventDefault();
      travel(event.inputType === "historyUndo");
      return;
    }
    const { from, to } = here();
    if (from !== now.from || to !== now.to) run = { kind: "", data: "" };
    now = { ...now, from, to };
  }

  function edited(kind, data) {
    if (area.value === now.text) return;
    const word = kind !== "insertText" || !/^\s/.test(data) || /\s$/.test(run.data);
    if (kind !== run.kind || !RUNS.includes(kind) || !word) past.push(now);
    if (past.length > STEPS) past.shift();
    future.length = 0;
    run = { kind, data };
    changed();
  }

  function changed() {
    now = here();
    marked = null;
    draw();
    change(area.value);
    tell();
  }

  function travel(back) {
    const [source, target] = back ? [past, future] : [future, past];
    if (!source.length) return;
    target.push(here());
    const { text, from, to } = source.pop();
    area.value = text;
    area.setSelectionRange(from, to);
    run = { kind: "", data: "" };
    changed();
    reveal(text.slice(0, to).split("\n").length);
  }

  // A line, from 1, into view.
  function reveal(line) {
    const high = area.scrollHeight / area.value.split("\n").length;
    const top = (line - 1) * high;
    if (top < area.scrollTop || top + 2 * high > area.scrollTop + area.clientHeight) area.scrollTop = Math.max(0, top - area.clientHeight / 3);
  }

  // Showing -------------------------------------------------------------------------------------------------------------

  function draw() {
    const plain = area.value.split("\n");
    const lines = plain.length > COLOURED ? plain.map((line) => [line]) : coloured(area.value);
    const bad = (i) => (marked?.line === i + 1 ? ".bad" : "");
    fill(numbers, plain.map((_, i) => h(`div${bad(i)}`, i + 1)));
    fill(colours, lines.map((line, i) => h(`div${bad(i)}`, line.length ? line : "\u200b", bad(i) && h("span.code-problem", marked.text))));
    if (marked) area.setAttribute("aria-invalid", "true");
    else area.removeAttribute("aria-invalid");
    follow();
  }

  function follow() {
    numbers.style.transform = `translateY(${-area.scrollTop}px)`;
    colours.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  }

  // Writing -------------------------------------------------------------------------------------------------------------

  function insert(text) {
    now = { ...now, from: area.selectionStart, to: area.selectionEnd };
    area.setRangeText(text, now.from, now.to, "end");
    edited("", "");
  }

  const startOfLine = (place) => area.value.lastIndexOf("\n", place - 1) + 1;

  function indent(back) {
    const { selectionStart: from, selectionEnd: to } = area;
    if (from === to && !back) {
      insert(" ".repeat(STEP.length - ((from - startOfLine(from)) % STEP.length)));
      return;
    }
    const start = startOfLine(from);
    const found = area.value.indexOf("\n", Math.max(from, to - (to > from && area.value[to - 1] === "\n" ? 1 : 0)));
    const end = found < 0 ? area.value.length : found;
    const lines = area.value.slice(start, end).split("\n");
    const changed = lines.map((line) => (back ? line.replace(/^( {1,4}|\t)/, "") : line && STEP + line));
    const text = changed.join("\n");
    if (text === area.value.slice(start, end)) return;
    area.setSelectionRange(start, end);
    insert(text);
    const first = changed[0].length - lines[0].length;
    if (from === to) area.setSelectionRange(Math.max(start, from + first), Math.max(start, from + first));
    else area.setSelectionRange(start, start + text.length);
  }

  function press(event) {
    const { key } = event;
    if (event.isComposing) return;
    const turned = key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.altKey && (turned === "z" || (turned === "y" && !event.shiftKey))) {
      event.preventDefault();
      travel(turned === "z" && !event.shiftKey);
    } else if ((event.ctrlKey || event.metaKey) && keys[key]) {
      event.preventDefault();
      keys[key]();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (key === "Escape") {
      leaving = true;
    } else if (key === "Tab" && !leaving) {
      event.preventDefault();
      indent(event.shiftKey);
    } else if (key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const before = area.value.slice(startOfLine(area.selectionStart), area.selectionStart);
      insert(`\n${/^\s*/.exec(before)[0]}${/:\s*(#.*)?$/.test(before) ? STEP : ""}`);
      leaving = false;
    } else if (!["Tab", "Shift"].includes(key)) {
      leaving = false;
    }
  }

  draw();
  tell();
  return {
    element,
    undo: () => travel(true),
    redo: () => travel(false),
    get value() { return area.value; },
    set value(text) {
      if (text === area.value) return;
      area.focus();
      now = here();
      area.value = text;
      area.setSelectionRange(0, 0);
      edited("", "");
      area.scrollTop = area.scrollLeft = 0;
    },
    mark(problem) {
      marked = problem;
      draw();
      if (problem) reveal(problem.line);
    },
    goTo(line) {
      const lines = area.value.split("\n");
      const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      area.focus();
      area.setSelectionRange(at, at + (lines[line - 1] ?? "").length);
    },
  };
}
