// A tree while it grows: each drawing takes the place of the one before, and nodes that are in both move to their place.

import { ReplayTree } from "./replay_tree.js";
import { moveByButtons, ZOOM_BUTTONS } from "./tree_buttons.js";
import { TreeLayout } from "./tree_layout.js";
import { PICTURE, TreeView } from "./tree_view.js";

const [LEAST, LEAST_WIDE] = [11, 8.5]; // pixels that small texts have at first, on a phone and where there is more room
const WIDE = 700;
const MOST = 150; // pictures that are kept to look back at

// The nodes of a drawing by the moves that lead to them.
function paths({ nodes }) {
  const found = [];
  nodes.forEach(([parent, , action], number) => found.push(number ? `${found[parent]}/${action}` : ""));
  return found;
}

// `element` is a picture; `show(drawing, label)` takes what plyground.pictures.tree.tree_data gives. One that `moves` can be
// moved and zoomed, and begins with what can be read; any other shows all of the tree, to be looked at only. With the words
// to `rewind`, { slider, now, count(at, of) }, the last pictures are kept: a slider goes back to them while the search goes
// on, and a button leads to what is drawn now. `begin()` forgets them.
export function createLiveTree({ moves = false, rewind = null } = {}) {
  const element = document.createElement("div");
  element.className = "replay live-tree";
  element.innerHTML = `<div class="canvas"${moves ? "" : " inert"}>${PICTURE}<div class="zoom" hidden>${moves ? ZOOM_BUTTONS : ""}</div></div>
    <div class="rewind" hidden><input type="range" min="0" step="1"><output></output><button type="button"></button></div>`;
  const named = moves ? element.querySelector(".tree") : element;
  named.setAttribute("role", "img");
  const bar = element.querySelector(".rewind");
  const [slider, said, now] = bar.children;
  let view = null;
  let before = [];
  let pictures = [];
  let at = null; // the picture that is looked back at; null for the last one
  if (rewind) {
    slider.setAttribute("aria-label", rewind.slider);
    now.textContent = rewind.now;
    slider.oninput = () => lookAt(Number(slider.value));
    now.onclick = () => {
      lookAt(pictures.length - 1);
      slider.focus();
    };
  }

  function draw({ drawing, label }) {
    const tree = new ReplayTree(drawing);
    const layout = new TreeLayout(tree);
    const found = paths(drawing);
    if (view) view.become(tree, layout, new Map(before.map((path, number) => [number, found.indexOf(path)])));
    else {
      element.querySelector(".zoom").hidden = !moves;
      view = new TreeView(element.firstChild, tree, layout, drawing.words, { whole: !moves, folds: false, least: (window.innerWidth < WIDE ? LEAST : LEAST_WIDE) / layout.G.small });
      if (moves) moveByButtons(element, view, drawing.words);
    }
    before = found;
    view.update(false, true);
    if (!view.touched) view.fit(!view.whole);
    named.setAttribute("aria-label", label);
  }

  function lookAt(place) {
    at = place >= pictures.length - 1 ? null : place;
    draw(pictures[at ?? pictures.length - 1]);
    tell();
  }

  function tell() {
    const last = pictures.length - 1;
    bar.hidden = last < 1;
    slider.max = last;
    slider.value = at ?? last;
    said.textContent = at === null ? "" : rewind.count(at + 1, last + 1);
    slider.setAttribute("aria-valuetext", at === null ? rewind.now : said.textContent);
    now.disabled = at === null;
  }

  return {
    element,
    get view() { return view; },
    begin() {
      pictures = [];
      at = null;
      bar.hidden = true;
    },
    show(drawing, label) {
      const picture = { drawing, label };
      if (!rewind) {
        draw(picture);
        return;
      }
      pictures.push(picture);
      if (pictures.length > MOST) {
        pictures.shift();
        if (at !== null) at = Math.max(0, at - 1);
      }
      if (at === null) draw(picture);
      tell();
    },
    destroy: () => view?.destroy(),
  };
}
