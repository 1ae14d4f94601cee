// Shows a film: pictures one after the other, each with a caption and facts beside it, and the buttons that go through them.
//
// A film, as plyground.pictures.filmstrip.film_data gives it:
//   { title, words, frames: [{ svg, caption, facts: [[heading, [line, ...]], ...] }, ...] }

import { Player, playerMarkup } from "./player.js";

const TYPED = "select, textarea, dialog, [role=grid], [role=radiogroup], input:not([type=range], [type=checkbox])";
const MARKUP = `<div class="film-panes">
<section class="film-stage">
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
// The answer has `goTo(frame)`, `play(on)`, `show(film, at)` to put another film in its place, `key(event)` for keys
// pressed anywhere, `destroy()`, and what is there now: `at`, `playing`, `length`.
export function mountFilmstrip(root, film, options = {}) {
  root.classList.add("film");
  root.innerHTML = MARKUP;
  const part = (name) => root.querySelector(`.film-${name}`);
  let at = -1;
  const player = new Player(part, {
    get at() { return at; },
    get last() { return film.frames.length - 1; },
    goTo,
  });
  const play = (on) => player.play(on);

  function goTo(wanted) {
    const last = film.frames.length - 1;
    const next = Math.max(0, Math.min(last, wanted === "last" ? last : Number(wanted) || 0));
    if (next === last) play(false);
    if (next === at) return;
    const ends = at >= 0 && next === last;
    at = next;
    const { svg, caption, facts = [] } = film.frames[at];
    const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    picture.querySelectorAll("script, foreignObject").forEach((element) => element.remove());
    part("picture").replaceChildren(document.importNode(picture, true));
    player.tell(caption);
    part("facts").replaceChildren(...facts.map(([heading, lines]) =>
      make("section", "", make("h3", heading), make("ul", "", ...lines.map((line) => make("li", line))))));
    if (ends) root.dispatchEvent(new CustomEvent("film:end", { bubbles: true }));
    options.onStep?.(at);
  }

  function show(other, from = 0) {
    play(false);
    film = other;
    at = -1;
    const few = film.frames.length < 2;
    part("controls").hidden = few;
    part("facts").hidden = !film.frames.some(({ facts }) => facts?.length);
    part("picture").setAttribute("role", "group");
    part("picture").setAttribute("aria-label", film.title);
    player.begin(film.words);
    part("facts").setAttribute("aria-label", film.words.facts);
    if (film.frames.length) goTo(from);
  }

  show(film, options.at);
  return {
    goTo, play, show,
    key: (event) => player.key(event, TYPED, "button, a, summary, input"),
    get at() { return at; },
    get playing() { return player.playing; },
    get length() { return film.frames.length; },
    destroy() {
      player.motion.stopAll();
      root.replaceChildren();
    },
  };
}
