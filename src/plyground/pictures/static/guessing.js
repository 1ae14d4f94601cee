// "Guess first": before a step that decides something the reader is asked what it will be, and told whether that was right.
// The reason is what the step itself says.

import { button, label } from "./tree_buttons.js";

const ASK = "M9.2 9.2a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.500 1.200-1.500 2.300M12 17.200v.1M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z";

export const GUESS = `<section class="guess" hidden>
  <p class="guess-question" aria-live="polite"></p>
  <div class="guess-choices" role="group"></div>
</section>
<p class="guess-said" role="status"></p>`;
export const GUESS_BUTTON = button(["guess-first", ASK]);

const chosen = { on: false }; // what the reader prefers, for the next film too

export class Guessing {
  open = 0; // the step that is asked about
  score = { right: 0, asked: 0 };

  // `part(name)` finds an element by its class; `guesses` has [question, choices, the place of the right one] by the
  // number of a step. `steps` has `at`, `reveal(step)` and `changed()`, which is called when guessing begins or ends;
  // `onGuess(right)` hears of each answer.
  constructor(part, guesses, words, steps, onGuess = () => {}) {
    Object.assign(this, { part, guesses, words, steps, onGuess });
    const toggle = part("guess-first");
    toggle.hidden = !guesses.size;
    label(toggle, words.guess);
    toggle.onclick = () => this.turn(!this.on);
    this.on = chosen.on && guesses.size > 0;
    toggle.setAttribute("aria-pressed", this.on);
  }

  turn(on) {
    this.on = chosen.on = on;
    this.part("guess-first").setAttribute("aria-pressed", on);
    this.close();
    this.part("guess-said").textContent = on ? this.words.guessing : "";
    this.steps.changed();
  }

  // The first step after `from`, up to `to`, that can be guessed; 0 if there is none.
  next(from, to) {
    if (!this.on) return 0;
    for (let step = from + 1; step <= to; step++) if (step !== this.open && this.guesses.has(step)) return step;
    return 0;
  }

  ask(step) {
    const { part } = this;
    const [question, choices] = this.guesses.get(step);
    this.open = step;
    part("guess-said").textContent = "";
    part("caption").hidden = true;
    part("guess").hidden = false;
    part("guess-question").textContent = question;
    part("guess-choices").setAttribute("aria-label", question);
    part("guess-choices").replaceChildren(...choices.map((text, place) => {
      const made = document.createElement("button");
      made.type = "button";
      const key = document.createElement("kbd");
      key.textContent = place + 1;
      key.setAttribute("aria-hidden", "true");
      made.append(key, text);
      made.onclick = () => this.answer(place);
      return made;
    }));
  }

  answer(place) {
    const { open, words, score } = this;
    const [, choices, right] = this.guesses.get(open);
    const good = place === right;
    const within = this.part("guess-choices").contains(document.activeElement);
    score.asked += 1;
    score.right += good;
    this.steps.reveal(open);
    const said = this.part("guess-said");
    said.dataset.found = good ? "right" : "wrong";
    const verdict = good ? words.guessRight : words.guessWrong.replace("{right}", () => choices[right]);
    said.textContent = `${verdict} ${words.guessScore.replace("{right}", score.right).replace("{asked}", score.asked)}`;
    if (within) this.part("next").focus({ preventScroll: true }); // the answers are gone, and what is said stands above
    this.onGuess(good);
  }

  // Another step is shown: what was asked and said is over.
  close() {
    this.open = 0;
    this.part("guess").hidden = true;
    this.part("caption").hidden = false;
    this.part("guess-said").textContent = "";
    delete this.part("guess-said").dataset.found;
  }

  // Takes the key of an answer; whether it was one.
  key(event, typed) {
    const place = Number(event.key) - 1;
    if (!this.open || !(place in this.guesses.get(this.open)[1]) || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.defaultPrevented || event.target.closest?.(typed)) return false;
    event.preventDefault();
    this.answer(place);
    return true;
  }
}
