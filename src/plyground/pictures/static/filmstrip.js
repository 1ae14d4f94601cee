// Shows a film: pictures one after the other, each with a caption and facts beside it, and the buttons that go through them.
//
// A film, as plyground.pictures.filmstrip.film_data gives it:
//   { title, words, frames: [{ svg, caption, facts: [[heading, [line, ...]], ...] }, ...] }

import { Motion } from "./motion.js";

const SPEEDS = [0.5, 1, 2, 5, 20, 100];
const [PLAY, PAUSE] = ["M8.5 5.5v13l10.5-6.5z", "M8 6v12M16 6v12"];
const ICONS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M14.5 6l-6 6 6 6",
  play: PLAY,
  next: "M9.5 6l6 6-6 6",
  last: "M18 5v14M6 6l8 6-8 6z",
};
const button = (name) => `<button type="button" class="film-${name}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg></button>`;
const MARKUP = `<div class="film-panes">
<section class="film-stage">
<p class="film-caption" aria-live="polite"></p>
<div class="film-picture"></div>
<div class="film-controls">
  <div class="film-buttons">${Object.keys(ICONS).map(button).join("")}</div>
  <input class="film-slider" type="range" min="0" step="1" value="0">
  <output class="film-count"></output>
  <select class="film-speed">${SPEEDS.map((speed) => `<option value="${speed}"${speed === 2 ? " selected" : ""}>${speed}×</option>`).join("")}</select>
</div>
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
  const motion = new Motion();
  let [at, playing] = [-1, false];

  function name(element, text) {
    element.title = text;
    element.setAttribute("aria-label", text);
  }

  function goTo(wanted) {
    const last = film.frames.length - 1;
    const next = Math.max(0, Math.min(last, wanted === "last" ? last : Number(wanted) || 0));
    if (next === last) play(false);
    if (next === at) return;
    at = next;
    const { svg, caption, facts = [] } = film.frames[at];
    const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    picture.querySelectorAll("script, foreignObject").forEach((element) => element.remove());
    part("picture").replaceChildren(document.importNode(picture, true));
    part("caption").textContent = caption;
    part("slider").value = at;
    part("slider").setAttribute("aria-valuetext", `${at}: ${caption}`);
    part("count").textContent = `${at} / ${last}`;
    for (const button of ["first", "back"]) part(button).disabled = at === 0;
    for (const button of ["next", "last"]) part(button).disabled = at === last;
    part("facts").replaceChildren(...facts.map(([heading, lines]) =>
      make("section", "", make("h3", heading), make("ul", "", ...lines.map((line) => make("li", line))))));
    options.onStep?.(at);
  }

  function play(on) {
    if (on === playing) return;
    playing = on && film.frames.length > 1;
    const icon = part("play").querySelector("path");
    icon.setAttribute("d", playing ? PAUSE : PLAY);
    icon.setAttribute("stroke-width", playing ? "3.5" : "1.2");
    name(part("play"), film.words[playing ? "pause" : "play"]);
    part("caption").setAttribute("aria-live", playing ? "off" : "polite"); // listeners cannot follow at this pace
    motion.stop("play");
    if (!playing) return;
    if (at === film.frames.length - 1) goTo(0);
    let owed = 1;
    motion.repeat("play", (seconds) => {
      owed += seconds * Number(part("speed").value);
      if (owed >= 1) {
        const whole = Math.floor(owed);
        owed -= whole;
        goTo(at + whole);
      }
      return playing;
    });
  }

  function show(other, from = 0) {
    play(false);
    film = other;
    at = -1;
    const few = film.frames.length < 2;
    part("controls").hidden = few;
    part("facts").hidden = !film.frames.some(({ facts }) => facts?.length);
    part("slider").max = film.frames.length - 1;
    part("picture").setAttribute("role", "group");
    part("picture").setAttribute("aria-label", film.title);
    for (const icon of Object.keys(ICONS)) name(part(icon), film.words[icon]);
    name(part("slider"), film.words.step);
    name(part("speed"), film.words.speed);
    part("facts").setAttribute("aria-label", film.words.facts);
    if (film.frames.length) goTo(from);
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("select, textarea, dialog, [role=grid], [role=radiogroup], input:not([type=range], [type=checkbox])")) return;
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: "last" };
    if (event.key in ways) {
      event.preventDefault();
      play(false);
      goTo(ways[event.key]);
    } else if (event.key === " " && !event.target.matches?.("button, a, summary, input")) {
      event.preventDefault();
      if (!event.repeat) play(!playing);
    }
  }

  const presses = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => "last" };
  for (const [which, target] of Object.entries(presses)) {
    part(which).onclick = () => {
      play(false);
      goTo(target());
    };
  }
  part("play").onclick = () => play(!playing);
  part("slider").oninput = ({ target }) => {
    play(false);
    goTo(target.value);
  };
  show(film, options.at);
  return {
    goTo, play, show, key,
    get at() { return at; },
    get playing() { return playing; },
    get length() { return film.frames.length; },
    destroy() {
      motion.stopAll();
      root.replaceChildren();
    },
  };
}
