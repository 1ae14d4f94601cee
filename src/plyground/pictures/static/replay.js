// Replays a drawing: a picture of its tree, a list of its steps, and the buttons that go through them.

import { GUESS, GUESS_BUTTON, Guessing } from "./guessing.js";
import { Player, playerMarkup } from "./player.js";
import { PROGRAM, ProgramPanel } from "./program_panel.js";
import { ReplayTree } from "./replay_tree.js";
import { button, CLOSER, label, moveByButtons, ZOOM_BUTTONS } from "./tree_buttons.js";
import { TreeLayout } from "./tree_layout.js";
import { make, pillParts, shapeElement, tintColour } from "./tree_shapes.js";
import { PICTURE, TreeView } from "./tree_view.js";

const NARROW = 700; // the width of a window, in pixels, in which a whole tree is too small to be read
const ROW = 40; // the height of a row of the list, in pixels
const UNFOLD = "M7.5 9.5L12 5l4.5 4.5M7.5 14.5L12 19l4.5-4.5";
const TYPED = "select, textarea, dialog, input:not([type=range]), [role=grid]";

const MARKUP = `<div class="panes">
<section class="stage">
  ${GUESS}
  <p class="caption" aria-live="polite"></p>
  ${playerMarkup("", 1)}
  <div class="canvas">
    ${PICTURE}
    <div class="zoom">${ZOOM_BUTTONS}${button(["unfold", UNFOLD])}</div>
  </div>
  <ul class="legend"></ul>
</section>
<aside class="steps">
  ${PROGRAM}
  <h2></h2>
  <div class="list"><div class="rows"></div></div>
  <div class="strip"></div>
</aside>
</div>`;

// Fills `root`, an empty element, with the replay of a drawing as plyground.pictures.tree.tree_data gives it. Options:
//   step        where to begin: a number, or "last"
//   onStep      called with the step whenever it changes
//   onPress     called with the number of a node that is clicked; true keeps it from being folded
//   whole       whether the whole tree is shown at first, however small it is
//   hint        the last words of the legend, "" for none
//   onGuess     called with whether a guess was right
//   later       looks, by node, that `setLook` may give, so that there is room for them
// When the last step is reached, `root` hears "film:end", and so does whatever is around it.
// The answer has `goTo(step)`, `play(on)`, `key(event)` for keys pressed anywhere, `setLook(node, look)`, `destroy()`,
// and what is there now: `tree`, `view`, `playing`.
export function mountReplay(root, drawing, options = {}) {
  const { words, steps } = drawing;
  root.classList.add("replay");
  root.innerHTML = MARKUP;
  const part = (name) => root.querySelector(`.${name}`);
  const tree = new ReplayTree(drawing);
  const least = window.innerWidth < NARROW ? 0.55 : 0.5;
  const view = new TreeView(part("canvas"), tree, new TreeLayout(tree, options.later), words, { least, ...options });
  const player = new Player(part, {
    get at() { return tree.at; },
    last: steps.length,
    goTo,
  });
  const play = (on) => player.play(on);
  view.onTheme = () => showStep();
  const panel = drawing.program && steps.length ? new ProgramPanel(part("program"), drawing.program, words, {
    get at() { return tree.at; },
    last: steps.length,
    go: (step) => player.go(step),
  }) : null;
  part("controls").insertAdjacentHTML("beforeend", GUESS_BUTTON);
  const guesses = new Map(steps.flatMap(({ 4: guess }, place) => (guess ? [[place + 1, guess]] : [])));
  const guessing = new Guessing(part, guesses, words, {
    get at() { return tree.at; },
    reveal: (step) => goTo(step),
    changed: () => showRows(true),
  }, options.onGuess);
  let begun = false; // whether the film has been somewhere: what begins at its end has not been followed there
  let furthest = 0; // an exercise tells only what has been reached

  function goTo(step, quick = false) {
    const stop = player.playing ? panel?.find(1, step) : undefined;
    // Whoever jumps ahead does not want to be asked about all that lies between.
    const asked = player.playing || step === tree.at + 1 ? guessing.next(tree.at, Math.min(stop ?? step, steps.length)) : 0;
    guessing.close();
    tree.goTo(asked ? asked - 1 : stop ?? step);
    furthest = Math.max(furthest, tree.at);
    view.update(quick);
    showStep();
    if (asked || stop || tree.at === steps.length) play(false);
    if (asked) guessing.ask(asked);
    if (begun && tree.at === steps.length) root.dispatchEvent(new CustomEvent("film:end", { bubbles: true }));
    options.onStep?.(tree.at);
  }

  function showStep() {
    const { at } = tree;
    player.tell(at ? steps[at - 1][0] : drawing.question || (steps.length ? words.before : ""));
    const pictures = at ? steps[at - 1][3] : [];
    part("strip").replaceChildren(...pictures.map(([board, text]) => {
      const figure = document.createElement("figure");
      const image = document.createElement("img");
      if (board >= 0) image.src = view.boardAddress(board);
      image.alt = "";
      const said = document.createElement("figcaption");
      said.textContent = text;
      figure.append(image, said);
      return figure;
    }));
    showRows(true);
    panel?.show(at);
  }

  // The list holds only the rows that can be seen.
  function showRows(follow) {
    const { at } = tree;
    const list = part("list");
    if (follow) {
      const top = at * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    }
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 2);
    const end = Math.min(steps.length + 1, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 2);
    const digits = String(steps.length).length;
    const shown = [];
    for (let step = first; step < end; step++) {
      const row = document.createElement("button");
      row.type = "button";
      row.dataset.step = step;
      row.style.top = `${step * ROW}px`;
      if (step === at) row.setAttribute("aria-current", "step");
      const number = document.createElement("span");
      number.textContent = step;
      number.style.width = `${digits}ch`;
      const text = document.createElement("b");
      const hidden = (drawing.question || guessing.on) && step > furthest;
      text.textContent = hidden ? "…" : step ? steps[step - 1][0] : words[drawing.question ? "question" : "start"];
      row.append(number, text);
      shown.push(row);
    }
    part("rows").replaceChildren(...shown);
  }

  function key(event) {
    if (event.target.closest?.("input") && event.target !== part("slider")) return;
    if (guessing.key(event, TYPED) || panel?.key(event, TYPED)) return;
    player.key(event, TYPED, "button:focus-visible, a:focus-visible, summary");
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.target.closest?.(TYPED)) return;
    if (event.key === "+" || event.key === "=") view.zoom(CLOSER);
    else if (event.key === "-") view.zoom(1 / CLOSER);
    else if (event.key === "0") part("fit").click();
  }

  moveByButtons(root, view, words);
  part("unfold").onclick = () => {
    const everything = part("unfold").getAttribute("aria-pressed") === "false";
    part("unfold").setAttribute("aria-pressed", everything);
    tree.unfoldAll(everything);
    view.updateAround(view.focusShown ?? 0);
  };
  part("list").addEventListener("scroll", () => showRows(false));
  part("rows").addEventListener("click", (event) => {
    const row = event.target.closest("[data-step]");
    if (row) player.go(Number(row.dataset.step));
  });
  const resized = new ResizeObserver(() => {
    showRows(true);
    const { scrollWidth, clientWidth } = part("legend");
    part("legend").tabIndex = scrollWidth > clientWidth ? 0 : -1; // also for those who have no pointer
  });
  for (const name of ["list", "legend"]) resized.observe(part(name));

  if (!panel) part("program").remove();
  player.begin(words);
  label(part("unfold"), words.unfold);
  part("unfold").setAttribute("aria-pressed", "false");
  root.querySelector(".steps h2").textContent = words.steps;
  part("tree").setAttribute("aria-label", drawing.title || words.tree);
  part("slider").disabled = part("play").disabled = !steps.length;
  part("rows").style.height = `${(steps.length + 1) * ROW}px`;
  part("strip").hidden = !steps.some((step) => step[3].length);
  part("legend").append(...legend(tree, options.hint ?? words.hint));
  root.classList.toggle("still", !steps.length);
  if (tree.nodes.length) {
    view.update(true, true);
    view.fit(!options.whole, true);
    goTo(options.step === "last" ? steps.length : options.step ?? 0, true);
  } else {
    showStep();
  }
  begun = steps.length > 0;

  return {
    tree, view, goTo, play, key,
    get playing() { return player.playing; },
    setLook(number, look) {
      tree.setLook(number, look);
      view.update(true);
    },
    destroy() {
      play(false);
      view.destroy();
      resized.disconnect();
      root.replaceChildren();
    },
  };
}

function legend({ nodes, looks, steps, drawing }, hint) {
  const { words, boards, kept, opened } = drawing;
  const ever = (test) => looks.some(test) || steps.some(([, , changes]) => Object.values(changes).some(test));
  const items = [];
  const entry = (text, wide, ...content) => {
    const item = document.createElement("li");
    const picture = make("svg", { viewBox: `0 0 ${wide} 18`, width: wide, height: 18, "aria-hidden": "true" });
    picture.append(...content);
    item.append(picture, text);
    items.push(item);
  };
  const moved = (x, y, kind, element) => {
    const group = make("g", { transform: `translate(${x} ${y})`, class: kind });
    group.append(element);
    return group;
  };
  for (const shape of ["max", "min", "chance", "player", "leaf"]) {
    if (nodes.some((node) => node.shape === shape)) {
      entry(words[shape], 18, moved(9, 2.5, "done", shapeElement(shape, 16, 13)));
    }
  }
  if (ever((look) => look.edge === "best")) {
    entry(words.best, 20, make("path", { class: "way best", d: "M1 9h18", "stroke-width": 4, "stroke-linecap": "round" }));
  }
  if (ever((look) => look.edge === "cut")) {
    entry(words.cut, 22, make("path", { class: "way cut", d: "M1 9h20", "stroke-width": 1.6 }),
      make("path", { class: "strike", d: "M6 13l8 -8m-4 8l8 -8" }));
  }
  if (ever((look) => look.state === "open")) entry(words.open, 16, moved(8, 2.5, "open", shapeElement("chance", 13, 13)));
  if (ever((look) => look.state === "unseen") || steps.length) entry(words.unseen, 16, moved(8, 2.5, "unvisited", shapeElement("chance", 13, 13)));
  if (ever((look) => look.tint !== null && look.tint !== undefined)) {
    entry(words.tint, 42, ...[-1, -0.67, -0.33, 0, 0.33, 0.67, 1].map((tint, i) => {
      const patch = make("rect", { x: i * 6, y: 3, width: 6, height: 12 });
      patch.style.fill = tintColour(tint);
      return patch;
    }));
  }
  if (boards.some(([svg]) => svg.includes(drawing.last_move))) {
    entry(words.played, 12, make("circle", { cx: 6, cy: 9, r: 4.5, fill: drawing.last_move }));
  }
  if (nodes.some((node, number) => !opened[number] && node.children.length) || kept.includes(0)) {
    const pill = moved(14, 0, "pill", make("g"));
    pill.append(...pillParts({ folded: "n", size: { width: 28, height: 18 } }));
    entry(words.folded, 28, pill);
  }
  for (const [kind, text] of [["hint", hint], ["read", drawing.legend]]) {
    if (!text) continue;
    const last = document.createElement("li");
    last.className = kind;
    last.textContent = text;
    items.push(last);
  }
  return items;
}
