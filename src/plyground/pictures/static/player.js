// The buttons, the slider and the speed that go through steps; whoever has the steps says what they are.

import { Motion } from "./motion.js";
import { button, label } from "./tree_buttons.js";

const SPEEDS = [0.5, 1, 2, 5, 20, 100];
const [PLAY, PAUSE] = ["M8.5 5.5v13l10.5-6.5z", "M8 6v12M16 6v12"];
const ICONS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M14.5 6l-6 6 6 6",
  play: PLAY,
  next: "M9.5 6l6 6-6 6",
  last: "M18 5v14M6 6l8 6-8 6z",
};

// Their markup: `prefix` is what the names of all classes begin with, `usual` the speed to begin with, in steps a second.
export const playerMarkup = (prefix, usual) => `<div class="${prefix}controls">
  <div class="${prefix}buttons">${Object.entries(ICONS).map(([name, icon]) => button([prefix + name, icon])).join("")}</div>
  <input class="${prefix}slider" type="range" min="0" step="1" value="0">
  <output class="${prefix}count"></output>
  <select class="${prefix}speed">${SPEEDS.map((speed) => `<option value="${speed}"${speed === usual ? " selected" : ""}>${speed < 1 ? "½" : speed}×</option>`).join("")}</select>
</div>`;

export class Player {
  playing = false;
  motion = new Motion();

  // `part(name)` finds an element by its class without the prefix. `steps` has `at` and `last`, the numbers of the step
  // that is shown and of the last one, and `goTo(step, quick)`.
  constructor(part, steps) {
    Object.assign(this, { part, steps });
    const presses = { first: () => 0, back: () => steps.at - 1, next: () => steps.at + 1, last: () => steps.last };
    for (const [name, target] of Object.entries(presses)) part(name).onclick = () => this.go(target());
    part("play").onclick = () => this.play(!this.playing);
    part("slider").oninput = ({ target }) => this.go(Number(target.value), true);
  }

  go(step, quick = false) {
    this.play(false);
    this.steps.goTo(step, quick);
  }

  // Begins with steps of which these are the words.
  begin(words) {
    this.words = words;
    for (const name of Object.keys(ICONS)) label(this.part(name), words[name]);
    label(this.part("slider"), words.step);
    label(this.part("speed"), words.speed);
    this.part("slider").max = this.steps.last;
  }

  // Shows where the steps are, and what is said there.
  tell(caption) {
    const { part, steps: { at, last } } = this;
    part("caption").textContent = caption;
    part("slider").value = at;
    part("slider").setAttribute("aria-valuetext", `${at}: ${caption}`);
    part("count").textContent = `${at} / ${last}`;
    for (const name of ["first", "back"]) part(name).disabled = at === 0;
    for (const name of ["next", "last"]) part(name).disabled = at === last;
  }

  play(on) {
    if (on === this.playing) return;
    const { part, steps } = this;
    this.playing = on && steps.last > 0;
    const icon = part("play").querySelector("path");
    icon.setAttribute("d", this.playing ? PAUSE : PLAY);
    icon.setAttribute("stroke-width", this.playing ? "3.5" : "1.2");
    label(part("play"), this.words[this.playing ? "pause" : "play"]);
    part("caption").setAttribute("aria-live", this.playing ? "off" : "polite"); // listeners cannot follow at this pace
    this.motion.stop("play");
    if (!this.playing) return;
    if (steps.at === steps.last) steps.goTo(0, true);
    let owed = 1;
    this.motion.repeat("play", (seconds) => {
      const speed = Number(part("speed").value);
      owed += seconds * speed;
      if (owed >= 1) {
        const whole = Math.floor(owed);
        owed -= whole;
        steps.goTo(steps.at + whole, speed > 4);
      }
      return this.playing;
    });
  }

  // Takes a key that was pressed anywhere, unless it is for what fits one of the selectors: where arrows, or where the
  // space bar, mean something else.
  key(event, arrows, space) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.target.closest?.(arrows)) return;
    const { at, last } = this.steps;
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    if (event.key in ways) {
      event.preventDefault();
      this.go(ways[event.key], event.repeat);
    } else if (event.key === " " && !event.target.matches?.(space)) {
      event.preventDefault();
      if (!event.repeat) this.play(!this.playing);
    }
  }
}
