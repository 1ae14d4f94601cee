// The program beside a film: the lines that run are marked, its variables have their values, and lines have breakpoints.

import { button, label } from "./tree_buttons.js";

const BACK = "M19 6l-6 6 6 6M6 12m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0";
const ON = "M5 6l6 6-6 6M18 12m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0";

export const PROGRAM = `<section class="program">
  <div class="program-head"><button type="button" class="unroll"></button><div class="forms" role="group"></div><div class="breaks">${button(["from-breakpoint", BACK])}${button(["to-breakpoint", ON])}</div></div>
  <ol class="code" tabindex="0"></ol>
  <dl class="variables"></dl>
  <p class="program-note"></p>
</section>`;

const chosen = { form: "", open: null }; // what the reader prefers, for the next film too

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

export class ProgramPanel {
  breakpoints = new Set();

  // `root` holds PROGRAM; `program` is as plyground.pictures.program.program_data gives it. `steps` has `at`, `last` and
  // `go(step)`.
  constructor(root, program, words, steps) {
    Object.assign(this, { root, program, words, steps });
    const part = (name) => root.querySelector(`.${name}`);
    [this.code, this.variables] = [part("code"), part("variables")];
    part("unroll").textContent = words.program;
    part("unroll").onclick = () => this.open((chosen.open = !root.classList.contains("open")));
    this.forms = program.forms.map(({ name }, place) => {
      const made = element("button", "", words[name]);
      made.type = "button";
      made.onclick = () => {
        chosen.form = name;
        this.write(place);
      };
      return made;
    });
    part("forms").append(...this.forms);
    part("forms").setAttribute("aria-label", words.program);
    this.runs = { [-1]: part("from-breakpoint"), 1: part("to-breakpoint") };
    label(this.runs[-1], words.fromBreakpoint);
    label(this.runs[1], words.toBreakpoint);
    for (const way of [-1, 1]) this.runs[way].onclick = () => this.run(way);
    this.code.setAttribute("aria-label", words.lines);
    this.note = part("program-note");
    this.open(chosen.open ?? root.closest(".replay").clientWidth > 744);
    this.write(Math.max(0, program.forms.findIndex(({ name }) => name === chosen.form)));
  }

  open(open) {
    this.root.classList.toggle("open", open);
    this.root.querySelector(".unroll").setAttribute("aria-expanded", open);
    if (open && this.lines) this.show(this.steps.at);
  }

  // Shows another form of the program; breakpoints are of one form.
  write(form) {
    this.form = form;
    this.breakpoints.clear();
    this.note.textContent = this.program.forms[form].name === "python" ? this.program.note : "";
    this.forms.forEach((made, place) => made.setAttribute("aria-pressed", place === form));
    this.lines = this.program.forms[form].lines.map(([number, text], place) => {
      const line = element("li", number ? "" : "between", "");
      if (number) {
        const made = element("button", "line-number", number);
        made.type = "button";
        made.setAttribute("aria-label", `${this.words.breakpoint} ${number}`);
        made.setAttribute("aria-pressed", false);
        made.onclick = () => this.toggle(place, made);
        line.append(made);
      }
      line.append(element("code", "", text));
      return line;
    });
    this.code.replaceChildren(...this.lines);
    this.show(this.steps.at);
  }

  toggle(place, made) {
    const set = !this.breakpoints.delete(place);
    if (set) this.breakpoints.add(place);
    made.setAttribute("aria-pressed", set);
    this.allow();
  }

  // The lines that run at a step, in their order.
  ran(step) {
    return step ? this.program.runs[this.program.steps[step - 1][0]][this.form] : [];
  }

  // The next step, up to one, at which a line with a breakpoint runs; undefined if there is none.
  find(way, to) {
    if (!this.breakpoints.size) return undefined;
    for (let step = this.steps.at + way; way * step <= way * to && step > 0 && step <= this.steps.last; step += way) {
      if (this.ran(step).some((place) => this.breakpoints.has(place))) return step;
    }
    return undefined;
  }

  // To the next breakpoint; where there is none, to the end, or back to the start.
  run(way) {
    const end = way > 0 ? this.steps.last : 0;
    this.steps.go(this.find(way, end) ?? end);
  }

  // Takes a key that was pressed anywhere but in what fits `typed`; whether it was one of the panel's.
  key(event, typed) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !event.shiftKey || !this.breakpoints.size || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.defaultPrevented || event.target.closest?.(typed)) return false;
    event.preventDefault();
    this.run(way);
    return true;
  }

  allow() {
    const { at, last } = this.steps;
    this.runs[-1].disabled = !this.breakpoints.size || at === 0;
    this.runs[1].disabled = !this.breakpoints.size || at === last;
  }

  show(step) {
    const ran = this.ran(step);
    const now = ran.at(-1);
    this.lines.forEach((line, place) => {
      line.classList.toggle("ran", ran.includes(place));
      if (place === now) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    const { names } = this.program.forms[this.form];
    const values = step ? this.program.steps[step - 1].slice(1) : [];
    this.variables.replaceChildren(...values.flatMap((value, place) => {
      if (!value || !names[place]) return [];
      const pair = document.createElement("div");
      pair.append(element("dt", "", names[place]), element("dd", "", value));
      return [pair];
    }));
    this.allow();
    if (now !== undefined) this.reveal(this.lines[now]);
  }

  reveal({ offsetTop, offsetHeight }) {
    const { code } = this;
    const room = Math.min(60, code.clientHeight / 4);
    if (offsetTop - room < code.scrollTop) code.scrollTop = offsetTop - room;
    else if (offsetTop + offsetHeight + room > code.scrollTop + code.clientHeight) code.scrollTop = offsetTop + offsetHeight + room - code.clientHeight;
  }
}
