// A tree while it grows: each drawing takes the place of the one before, and nodes that are in both move to their place.

import { ReplayTree } from "./replay_tree.js";
import { moveByButtons, ZOOM_BUTTONS } from "./tree_buttons.js";
import { TreeLayout } from "./tree_layout.js";
import { PICTURE, TreeView } from "./tree_view.js";

const [LEAST, LEAST_WIDE] = [11, 8.5]; // pixels that small texts have at first, on a phone and where there is more room
const WIDE = 700;

// The nodes of a drawing by the moves that lead to them.
function paths({ nodes }) {
  const found = [];
  nodes.forEach(([parent, , action], number) => found.push(number ? `${found[parent]}/${action}` : ""));
  return found;
}

// `element` is a picture; `show(drawing, label)` takes what plyground.pictures.tree.tree_data gives. One that `moves` can be
// moved and zoomed, and begins with what can be read; any other shows all of the tree, to be looked at only.
export function createLiveTree({ moves = false } = {}) {
  const element = document.createElement("div");
  element.className = "replay live-tree";
  element.innerHTML = `<div class="canvas"${moves ? "" : " inert"}>${PICTURE}<div class="zoom" hidden>${moves ? ZOOM_BUTTONS : ""}</div></div>`;
  const named = moves ? element.querySelector(".tree") : element;
  named.setAttribute("role", "img");
  let view = null;
  let before = [];
  return {
    element,
    show(drawing, label) {
      const tree = new ReplayTree(drawing);
      const layout = new TreeLayout(tree);
      const now = paths(drawing);
      if (view) view.become(tree, layout, new Map(before.map((path, number) => [number, now.indexOf(path)])));
      else {
        element.querySelector(".zoom").hidden = !moves;
        view = new TreeView(element.firstChild, tree, layout, drawing.words, { whole: !moves, folds: false, least: (window.innerWidth < WIDE ? LEAST : LEAST_WIDE) / layout.G.small });
        if (moves) moveByButtons(element, view, drawing.words);
      }
      before = now;
      view.update(false, true);
      if (!view.touched) view.fit(!view.whole);
      named.setAttribute("aria-label", label);
    },
    destroy: () => view?.destroy(),
  };
}
