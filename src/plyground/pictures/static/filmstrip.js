// Shows a film: pictures one after the other, each with a caption and facts beside it, and the buttons that go through them.
//
// A film, as plyground.pictures.filmstrip.film_data gives it:
//   { title, words, frames: [{ svg, caption, facts: [[heading, [line, ...]], ...], guess, ahead }, ...] }
// A frame may have a `guess`, [question, choices, the place of the right one], to be asked before it is shown, and the
// headings `ahead` of its facts that tell what comes after it.

import { GUESS, GUESS_BUTTON, Guessing } from "./guessing.js";
import { Player, playerMarkup } from "./player.js";

const TYPED = "select, textarea, dialog, [role=grid], [role=radiogroup], input:not([type=range], [type=checkbox])";
const MARKUP = `<div class="film-panes">
<section class="film-stage">
${GUESS}
<p class="film-caption" aria-live="polite"></p>
<div class="film-picture"></div>
${playerMarkup("film-", 2)}
</section>
<aside class="film-facts"></aside>
</div>`;

function make(tag, text, ...children) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  element.append(...children);
  return element;
}

// Fills `root`, an empty element, with the film. Options:
//   at       where to begin: the number of a frame from 0, or "last"
//   onStep   called with the number of the frame whenever it changes
//   onGuess  called with whether a guess was right
// The answer has `goTo(frame)`, `play(on)`, `show(film, at)` to put another film in its place, `key(event)` for keys
// pressed anywhere, `destroy()`, and what is there now: `at`, `playing`, `length`.
export function mountFilmstrip(root, film, options = {}) {
  root.classList.add("film");
  root.innerHTML = MARKUP;
  const part = (name) => root.querySelector(`.film-${name}`);
  part("controls").insertAdjacentHTML("beforeend", GUESS_BUTTON);
  let at = -1;
  let guessing = null;
  const player = new Player(part, {
    get at() { return at; },
    get last() { return film.frames.length - 1; },
    goTo,
  });
  const play = (on) => player.play(on);

  function goTo(wanted) {
    const last = film.frames.length - 1;
    let next = Math.max(0, Math.min(last, wanted === "last" ? last : Number(wanted) || 0));
    // Whoever jumps ahead does not want to be asked about all that lies between.
    const asked = player.playing || next === at + 1 ? guessing.next(at, next) : 0;
    guessing.close();
    if (asked) next = asked - 1;
    if (asked || next === last) play(false);
    if (next !== at) showFrame(next);
    if (!asked) return;
    guessing.ask(asked);
    root.querySelector(".guess").scrollIntoView({ block: "nearest" }); // a picture can be higher than the window
  }

  function showFrame(next) {
    const ends = at >= 0 && next === film.frames.length - 1;
    at = next;
    const { svg, caption, facts = [], ahead = [] } = film.frames[at];
    const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    picture.querySelectorAll("script, foreignObject").forEach((element) => element.remove());
    part("picture").replaceChildren(document.importNode(picture, true));
    player.tell(caption);
    part("facts").replaceChildren(...facts.map(([heading, lines]) => {
      const section = make("section", "", make("h3", heading), make("ul", "", ...lines.map((line) => make("li", line))));
      section.classList.toggle("film-ahead", ahead.includes(heading));
      return section;
    }));
    hush();
    if (ends) root.dispatchEvent(new CustomEvent("film:end", { bubbles: true }));
    options.onStep?.(at);
  }

  // What tells the next step is not shown while that can be guessed.
  const hush = () => root.classList.toggle("hushed", guessing.on && Boolean(film.frames[at + 1]?.guess));

  function show(other, from = 0) {
    play(false);
    guessing?.close();
    film = other;
    at = -1;
    const few = film.frames.length < 2;
    part("controls").hidden = few;
    part("facts").hidden = !film.frames.some(({ facts }) => facts?.length);
    part("picture").setAttribute("role", "group");
    part("picture").setAttribute("aria-label", film.title);
    player.begin(film.words);
    const guesses = new Map(film.frames.flatMap(({ guess }, place) => (guess ? [[place, guess]] : [])));
    guessing = new Guessing((name) => (name.startsWith("guess") ? root.querySelector(`.${name}`) : part(name)), guesses, film.words, {
      get at() { return at; },
      reveal: goTo,
      changed: hush,
    }, options.onGuess);
    part("facts").setAttribute("aria-label", film.words.facts);
    if (film.frames.length) goTo(from);
  }

  show(film, options.at);
  return {
    goTo, play, show,
    key: (event) => guessing.key(event, TYPED) || player.key(event, TYPED, "button, a, summary, input"),
    get at() { return at; },
    get playing() { return player.playing; },
    get length() { return film.frames.length; },
    destroy() {
      player.motion.stopAll();
      root.replaceChildren();
    },
  };
}
