// The picture of a tree: what of it can be seen, zoomed, moved and folded.

import { LONGEST, Motion } from "./motion.js";
import { isRound } from "./replay_tree.js";
import { TreeCrowd } from "./tree_crowd.js";
import { make, pillParts, round, shapeElement, stateClass, tintColour } from "./tree_shapes.js";

const VALUE_AT = { max: 0.68, min: 0.32, chance: 0.5, player: 0.5, leaf: 0.5 };
const FEW = 400; // nodes that are all in the document, seen or not
const CROWD = 600; // nodes in view from which on they are painted on a canvas, so that the picture can still be moved
const BARE_CROWD = 150; // the same for nodes without words, which look no different there
const [FAR, BARE] = [0.4, 0.15]; // scales below which small texts, and all texts, are left out
const NEAR = 6; // pixels
const [SMALLEST, LARGEST] = [0.02, 4];

// What the frame of a view holds, but for its buttons.
export const PICTURE = `<canvas class="crowd" aria-hidden="true"></canvas>
    <svg class="tree" role="group"><g class="world"><g class="ways"></g><g class="lit"></g><g class="nodes"></g></g></svg>`;

const SCHEME = matchMedia("(prefers-color-scheme: dark)");

function isDark(element) {
  const { colorScheme } = getComputedStyle(element);
  return colorScheme.includes("dark") && (!colorScheme.includes("light") || SCHEME.matches);
}

const keyOf = (place) => (place.folded ? "p" : "n") + place.number;

export class TreeView {
  // `frame` holds the svg, the canvas below it, and the buttons that cover a part of both. `onPress(number)` may
  // answer true for a node to keep it from being folded, nothing `folds` in a mere picture; `whole` is as in
  // mountReplay, `least` the scale below which nobody can read, and `near` that of a tree which would be smaller. On
  // `paper` everything is in the document.
  constructor(frame, tree, layout, words, { onPress, folds = true, whole = false, least = 0.5, near = 0.8, paper = false } = {}) {
    Object.assign(this, { frame, tree, layout, words, onPress, folds, whole, least, near, paper });
    this.G = layout.G;
    this.svg = frame.querySelector(".tree");
    this.world = this.svg.querySelector(".world");
    [this.wayLayer, this.litLayer, this.nodeLayer] = this.world.children;
    this.tools = frame.querySelector(".zoom");
    this.crowd = new TreeCrowd(frame.querySelector(".crowd"), this.svg);
    this.motion = new Motion();
    this.room = { width: this.svg.clientWidth, height: this.svg.clientHeight };
    this.view = { x: 0, y: 0, scale: 1 };
    // What the picture holds: "n3" is node 3, "p3" the pill below it. `spot` is where it is at this moment of an
    // animation; `stale` says that it must be repainted before it is seen.
    this.entries = new Map();
    this.drawn = []; // the same, parents before their children
    this.present = new Set(); // those that are in the document
    this.places = [];
    this.noteAt = new Map(); // where the note of a node is shown
    this.focusShown = null;
    this.bare = false;
    this.touched = false; // whether the reader has moved the picture
    this.listen();
  }

  destroy() {
    this.motion.stopAll();
    this.stopListening();
  }

  // Shows another tree; `numbers` has the new number of each old node, or -1 if it is gone.
  become(tree, layout, numbers) {
    const old = [...this.entries.values()];
    Object.assign(this, { tree, layout, entries: new Map(), focusShown: null });
    for (const entry of old) {
      const number = entry.place.folded ? -1 : numbers.get(entry.place.number);
      if (number >= 0) this.entries.set("n" + number, entry);
      else if (this.present.has(entry)) this.takeAway(entry);
    }
  }

  // Nodes

  boardAddress(board) {
    const { boards, night: { kind, colours } } = this.tree.drawing;
    let [svg] = boards[board];
    const paper = svg.slice(0, svg.indexOf(">")).includes(` class="${kind}"`);
    if (paper && isDark(this.frame)) svg = svg.replace(/#[\da-f]{6}\b/g, (colour) => colours[colour] ?? colour);
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }

  nodeParts(place) {
    const { G, layout, bare } = this;
    const node = this.tree.nodes[place.number];
    const look = this.tree.looks[place.number];
    const { width, height, nameFrom, nameTo, linesFrom, half, total } = place.size;
    const parts = [];
    const say = (text, x, y, kind) => parts.push(make("text", { class: kind, x: round(x), y: round(y) }, text));
    if (place.number === this.focusShown) {
      const right = Math.max(half, nameTo) + 7;
      const box = { x: -half - 7, y: -7, width: half + 7 + right, height: total + 13, rx: 12 };
      parts.push(make("rect", { class: "ring", ...box }));
    }
    const value = bare ? "" : layout.shortValue(look.value);
    const tinted = (element) => {
      if (look.tint !== null && look.state !== "unseen") element.style.fill = tintColour(look.tint);
      return element;
    };
    if (node.board >= 0) {
      parts.push(make("image", { x: -width / 2, width, height, href: this.boardAddress(node.board) }));
      parts.push(make("rect", { class: "frame", x: -width / 2 - 2, y: -2, width: width + 4, height: height + 4, rx: 5 }));
      if (node.shape === "leaf") {
        if (value) say(value, 0, height + 19, "value");
      } else {
        const aside = value ? (G.sign_gap + layout.textWidth(value, G.value, true)) / 2 : 0;
        const sign = make("g", { transform: `translate(${-aside} ${height + 7})` });
        sign.append(tinted(shapeElement(node.shape, G.sign, G.sign * 0.9)));
        parts.push(sign);
        if (value) say(value, G.sign / 2 + G.sign_gap - aside, height + 19, "value beside");
      }
    } else {
      parts.push(tinted(shapeElement(node.shape, width, height)));
      if (value) {
        const below = isRound(node) && !layout.inside;
        say(value, 0, below ? height + 17 : height * VALUE_AT[node.shape] + G.value * 0.36, "value");
      }
    }
    if (bare) return parts;
    if (node.name) {
      const base = node.shape === "max" && node.board < 0 ? 11 : Math.min(height / 2 + 4, 22);
      say(layout.shortLabel(node.name, G.small), nameFrom, base, "name");
    }
    look.lines.filter(Boolean).forEach((line, i) => {
      say(layout.shortLine(line), 0, linesFrom + G.pad + G.line * i + 11, "small");
    });
    if (place.depth) {
      if (node.action) say(layout.shortLabel(node.action, G.action), 0, place.action + 14, "action");
      if (look.edge === "cut") {
        const y = place.zone + G.strike / 2;
        parts.push(make("path", { class: "strike", d: `M-7 ${y + 2}l14 -8m-14 12l14 -8` }));
      }
      if (place.noteOf >= 0) {
        layout.noteLines(this.tree.looks[place.noteOf].note).forEach((line, i) => {
          say(line, G.note_from, place.zone + 12 + G.line * i, "note");
        });
      }
    }
    const told = [node.action, node.name, look.value, ...look.lines, look.note].filter(Boolean).join("\n");
    if (told) parts.push(make("title", {}, told));
    return parts;
  }

  wayPath(place, { x, y }, parent, from) {
    const start = from.y + parent.size.total + this.G.leave;
    if (place.alone) return `M${round(from.x)} ${round(start)}L${round(x)} ${round(y)}`;
    const bend = Math.max(start, y + place.bend);
    const zone = y + place.zone;
    const middle = (bend + zone) / 2;
    let way = `M${round(from.x)} ${round(start)}V${round(bend)}`;
    way += `C${round(from.x)} ${round(middle)} ${round(x)} ${round(middle)} ${round(x)} ${round(zone)}`;
    if (!place.folded && this.tree.nodes[place.number].action) {
      way += `V${round(y + place.action)}M${round(x)} ${round(y + place.action + this.G.action_line)}`;
    }
    return `${way}V${round(y)}`;
  }

  paint(entry) {
    const { place } = entry;
    const { words, tree } = this;
    entry.stale = false;
    entry.group ??= make("g", this.folds ? { tabindex: 0, role: "button" } : {});
    if (place.above >= 0) entry.way ??= make("path", { class: "way more" });
    const { group, way } = entry;
    if (place.folded) {
      group.dataset.pill = place.number;
      group.setAttribute("class", "pill");
      group.setAttribute("aria-label", words.unfoldOne);
      group.replaceChildren(...pillParts(place));
      return;
    }
    const node = tree.nodes[place.number];
    const look = tree.looks[place.number];
    const parent = node.children.length > 0;
    group.dataset.node = place.number;
    const kinds = ["node", stateClass(look.state), look.edge, parent && "parent", look.mark];
    group.setAttribute("class", kinds.filter(Boolean).join(" "));
    const parts = this.nodeParts(place);
    // What is written in a node is its name; one without words is called by its shape.
    if (!this.folds || parts.some(({ tagName }) => tagName === "title")) group.removeAttribute("aria-label");
    else group.setAttribute("aria-label", words[node.shape]);
    if (!this.folds) group.classList.remove("parent");
    else if (parent) {
      group.setAttribute("aria-expanded", tree.shownChildren(place.number).length > 0);
    } else if (!this.onPress) {
      group.removeAttribute("tabindex");
      group.setAttribute("role", "img");
    }
    group.replaceChildren(...parts);
    if (!way) return;
    way.setAttribute("class", `way ${stateClass(look.state)} ${look.edge}`);
    way.setAttribute("stroke-width", look.edge === "best" ? Math.max(look.width ?? 0, 4) : look.width ?? 1.6);
  }

  // Draws what can be seen, and takes away what cannot if there is much of it.
  refresh() {
    const { view, room, drawn, present } = this;
    const many = !this.paper && drawn.length > FEW;
    const [left, top] = [-view.x / view.scale, -view.y / view.scale];
    const [right, bottom] = [left + room.width / view.scale, top + room.height / view.scale];
    const seen = many ? [] : drawn;
    for (const entry of many ? drawn : []) {
      const { place: { size }, spot } = entry;
      const from = entry.parent ? entry.parent.spot : spot;
      entry.seen = from.y < bottom && spot.y + size.total > top
        && Math.min(from.x, spot.x - size.left) < right && Math.max(from.x, spot.x + size.right) > left;
      if (entry.seen) seen.push(entry);
    }
    const crowded = many && seen.length > (this.bare ? BARE_CROWD : CROWD);
    for (const entry of present) {
      if (entry.place.number === this.focusShown && !entry.place.folded) continue;
      if ((many && !entry.seen) || crowded || !this.entries.has(keyOf(entry.place))) this.takeAway(entry);
    }
    if (crowded) {
      this.crowd.paint(seen, this.tree, view, room);
      const focus = this.entries.get("n" + this.focusShown);
      if (focus?.seen) this.put(focus);
      return;
    }
    this.crowd.clear();
    for (const entry of seen) this.put(entry);
  }

  takeAway(entry) {
    this.present.delete(entry);
    entry.group.remove();
    entry.way?.remove();
  }

  put(entry) {
    const { place, spot, parent } = entry;
    if (entry.stale || !entry.group) {
      this.paint(entry);
      entry.put = "";
    }
    const { group, way } = entry;
    if (!this.present.has(entry)) {
      this.present.add(entry);
      this.nodeLayer.append(group);
      entry.put = "";
    }
    const from = parent ? parent.spot : spot;
    const where = `${round(spot.x)} ${round(spot.y)} ${round(from.x)} ${round(from.y)} ${entry.fade}`;
    if (where === entry.put) return;
    entry.put = where;
    group.setAttribute("transform", `translate(${round(spot.x)} ${round(spot.y)})`);
    if (entry.fade < 1) group.setAttribute("opacity", entry.fade);
    else group.removeAttribute("opacity");
    if (!way) return;
    const layer = !place.folded && this.tree.looks[place.number].edge === "best" ? this.litLayer : this.wayLayer;
    if (way.parentNode !== layer) layer.append(way);
    way.setAttribute("d", this.wayPath(place, spot, parent.place, from));
  }

  // Brings the picture to the step, and to what is open now; `moved` says that something was opened or closed.
  update(quick = false, moved = false) {
    const { tree } = this;
    const former = this.focusShown;
    const formerly = String(tree.uncovered());
    tree.findWayToFocus();
    this.focusShown = tree.focus;
    while (this.focusShown > 0 && !tree.isShown(this.focusShown)) this.focusShown = tree.nodes[this.focusShown].parent;
    if (former !== null) tree.dirty.add(former);
    if (this.focusShown !== null) tree.dirty.add(this.focusShown);
    for (const number of tree.dirty) {
      for (const key of ["n" + number, this.noteAt.get(number)]) {
        if (this.entries.has(key)) this.entries.get(key).stale = true;
      }
    }
    tree.dirty.clear();
    if (moved || formerly !== String(tree.uncovered())) this.arrange(this.layout.layOut(), quick);
    else this.refresh();
    if (!moved) this.keepInView(quick);
  }

  // The same after something was opened or closed; the node stays where the reader sees it.
  updateAround(number) {
    const { view } = this;
    const before = this.entries.get("n" + number).place;
    this.update(false, true);
    const { x, y } = this.entries.get("n" + number).place;
    this.moveView(view.x - (x - before.x) * view.scale, view.y - (y - before.y) * view.scale, view.scale);
  }

  arrange(next, quick) {
    const { entries } = this;
    const gone = new Set(entries.keys());
    const first = !entries.size;
    const moves = next.map((place) => {
      const key = keyOf(place);
      gone.delete(key);
      const parent = place.above >= 0 ? entries.get(keyOf(next[place.above])) : null;
      const { x, y } = parent?.spot ?? place;
      const entry = entries.get(key) ?? { spot: { x, y }, fade: 0, group: null, way: null, seen: true, put: "" };
      Object.assign(entry, { place, parent, stale: true });
      entries.set(key, entry);
      return { entry, ...entry.spot, fade: entry.fade };
    });
    for (const key of gone) {
      if (this.present.has(entries.get(key))) this.takeAway(entries.get(key));
      entries.delete(key);
    }
    this.places = next;
    this.drawn = moves.map(({ entry }) => entry);
    this.noteAt = new Map(next.map((place) => [place.noteOf, keyOf(place)]));
    this.motion.animate("layout", first || quick || moves.length > 1200 ? 0 : LONGEST, (part) => {
      for (const { entry, x, y, fade } of moves) {
        entry.spot.x = x + (entry.place.x - x) * part;
        entry.spot.y = y + (entry.place.y - y) * part;
        entry.fade = fade + (1 - fade) * part;
      }
      this.refresh();
    });
  }

  // Zoom and pan

  setView(x, y, scale) {
    Object.assign(this.view, { x, y, scale });
    this.world.setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${scale})`);
    this.svg.classList.toggle("far", scale < FAR);
    if (this.whole) this.svg.style.setProperty("--scale", scale); // so that names can stay legible
    if (this.bare !== scale < BARE) {
      this.bare = !this.bare;
      for (const entry of this.drawn) entry.stale = true;
    }
    this.refresh();
  }

  moveView(x, y, scale, quick = false) {
    const from = { ...this.view };
    const mix = (a, b, part) => a + (b - a) * part;
    this.motion.animate("view", quick ? 0 : LONGEST, (part) => this.setView(
      mix(from.x, x, part), mix(from.y, y, part), from.scale * (scale / from.scale) ** part,
    ));
  }

  extent() {
    let left = 0, right = 0, bottom = 0;
    for (const { x, y, size } of this.places) {
      left = Math.min(left, x - size.left);
      right = Math.max(right, x + size.right);
      bottom = Math.max(bottom, y + size.total);
    }
    return { left: left - 24, right: right + 24, top: -20, bottom: bottom + 20 };
  }

  // The part of the picture that the zoom buttons do not cover.
  freeRoom() {
    const { offsetWidth, offsetHeight, offsetTop } = this.tools;
    if (offsetTop >= this.room.height) return this.room;
    const beside = offsetHeight > offsetWidth;
    return {
      width: this.room.width - (beside ? offsetWidth + 12 : 0),
      height: this.room.height - (beside ? 0 : offsetHeight && offsetHeight + 8),
    };
  }

  // The middle of what is shown where not everything has room: the root, and as much of the line that is lit. A root
  // may stand at the edge, if only then the first node of the line can be seen.
  heart(room) {
    let [left, right] = [0, 0];
    for (const { number, x, size: { width }, folded } of this.places) {
      if (folded || (number && this.tree.looks[number].edge !== "best")) continue;
      const reach = width / 2 + 8;
      if (Math.max(right, x + reach) - Math.min(left, x - reach) > room) {
        const first = this.tree.nodes[number].parent === 0 && Math.abs(x) + reach < room;
        return first ? x + Math.sign(x) * (reach - room / 2) : (left + right) / 2;
      }
      [left, right] = [Math.min(left, x - reach), Math.max(right, x + reach)];
    }
    return (left + right) / 2;
  }

  // The whole tree; or, if it must be `legible` and the whole would be too small, the root and what is below it.
  fit(legible, quick = false) {
    const { width, height } = this.freeRoom();
    if (width <= 0 || height <= 0) return;
    const { left, right, top, bottom } = this.extent();
    const whole = Math.min(width / (right - left), height / (bottom - top), 1.4);
    const scale = legible && whole < this.least ? Math.max(this.least, this.near) : whole;
    const fits = (length, room) => length * scale < room + 1; // what fits exactly may be a rounding error too long
    // As much of the heart as there is, but nothing beyond the edges of the tree.
    const x = fits(right - left, width) ? (width - (left + right) * scale) / 2
      : Math.min(-left * scale, Math.max(width - right * scale, width / 2 - this.heart(width / scale) * scale));
    const y = fits(bottom - top, height) ? (height - (top + bottom) * scale) / 2 : -top * scale;
    this.moveView(x, y, scale, quick);
  }

  zoom(factor, x = this.room.width / 2, y = this.room.height / 2, quick = false) {
    const { view } = this;
    this.touched = true;
    const scale = Math.min(LARGEST, Math.max(Math.min(SMALLEST, view.scale), view.scale * factor));
    const real = scale / view.scale;
    this.moveView(x - (x - view.x) * real, y - (y - view.y) * real, scale, quick);
  }

  keepInView(quick) {
    const { view } = this;
    const entry = this.entries.get("n" + this.focusShown);
    if (!entry) return;
    const { x, y, size } = entry.place;
    const { width, height } = this.freeRoom();
    const all = this.extent();
    if (view.x + all.left * view.scale > -1 && view.x + all.right * view.scale < width + 1
      && view.y + all.top * view.scale > -1 && view.y + all.bottom * view.scale < height + 1) return; // the whole tree is
    const edge = Math.min(40, width / 8, height / 8);
    const box = { left: x - size.left, right: x + size.right, top: y - 30, bottom: y + size.total };
    const chosen = this.chosen();
    if (chosen) {
      box.left = Math.min(box.left, chosen.x - chosen.size.left);
      box.right = Math.max(box.right, chosen.x + chosen.size.right);
      box.bottom = Math.max(box.bottom, chosen.y + chosen.size.total);
    }
    const room = Math.min((width - 2 * edge) / (box.right - box.left), (height - 2 * edge) / (box.bottom - box.top));
    const scale = chosen ? Math.min(view.scale, room) : view.scale;
    const [left, top] = [view.x + (view.scale - scale) * (width / 2 - view.x) / view.scale, view.y + (view.scale - scale) * (height / 2 - view.y) / view.scale];
    const within = (low, high, length) => {
      if (low < edge) return edge - low;
      if (high > length - edge) return Math.max(length - edge - high, edge - low);
      return 0;
    };
    const right = within(left + box.left * scale, left + box.right * scale, width);
    const down = within(top + box.top * scale, top + box.bottom * scale, height);
    if (right || down || scale < view.scale) this.moveView(left + right, top + down, scale, quick);
  }

  // Where the move stands that was chosen in the end, once the last step says so.
  chosen() {
    const { tree } = this;
    if (!tree.at || tree.at < tree.steps.length || this.focusShown !== 0) return null;
    const number = tree.nodes[0].children.find((child) => tree.looks[child].edge === "best");
    return this.entries.get("n" + number)?.place;
  }

  press(target, event) {
    if (!this.folds) return;
    const group = target.closest?.("[data-node], [data-pill]");
    if (group?.dataset.pill) this.fold("unfold", Number(group.dataset.pill));
    else if (group) this.pressNode(Number(group.dataset.node));
    else if (!this.crowd.empty && event) this.pressCrowd(event);
  }

  pressNode(number) {
    if (this.onPress?.(number)) return;
    if (this.tree.nodes[number].children.length) this.fold("toggle", number);
  }

  fold(how, number) {
    this.tree[how](number);
    this.updateAround(number);
  }

  // A node on the canvas may be smaller than a pixel: the nearest one is meant, if it is near enough.
  pressCrowd(event) {
    const { left, top } = this.svg.getBoundingClientRect();
    const { x, y, scale } = this.view;
    let [nearest, least] = [null, NEAR];
    for (const { place, spot } of this.drawn) {
      const across = Math.abs(event.clientX - left - x - spot.x * scale) - (place.size.width / 2) * scale;
      const middle = spot.y + place.size.height / 2;
      const down = Math.abs(event.clientY - top - y - middle * scale) - (place.size.height / 2) * scale;
      const far = Math.max(0, across) + Math.max(0, down);
      if (far < least) [nearest, least] = [place, far];
    }
    if (!nearest) return;
    if (nearest.folded) this.fold("unfold", nearest.number);
    else this.pressNode(nearest.number);
  }

  listen() {
    const { svg } = this;
    const leaving = new AbortController();
    const on = (target, kind, act, options = {}) => {
      target.addEventListener(kind, act, { signal: leaving.signal, ...options });
    };
    const fingers = new Map();
    let dragged = 0;
    on(svg, "pointerdown", (event) => {
      if (event.button) return;
      if (!fingers.size) dragged = 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    on(window, "pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
      dragged += Math.abs(dx) + Math.abs(dy);
      if (dragged < 5 && !others.length) return;
      svg.classList.add("dragging");
      this.touched = true;
      if (others.length) {
        const [other] = others;
        const box = svg.getBoundingClientRect();
        const apart = Math.hypot(finger.x - other.x, finger.y - other.y) || 1;
        const factor = Math.hypot(event.clientX - other.x, event.clientY - other.y) / apart;
        this.zoom(factor, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top, true);
      } else {
        this.motion.stop("view");
        this.setView(this.view.x + dx, this.view.y + dy, this.view.scale);
      }
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      on(window, kind, (event) => {
        fingers.delete(event.pointerId);
        if (!fingers.size) svg.classList.remove("dragging");
      });
    }
    on(svg, "wheel", (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const lines = event.deltaMode ? 18 : 1;
      const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015));
      this.zoom(factor, event.clientX - box.left, event.clientY - box.top, true);
    }, { passive: false });
    on(svg, "click", (event) => dragged < 5 && this.press(event.target, event));
    on(svg, "keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.press(event.target);
    });
    const resized = new ResizeObserver(() => {
      Object.assign(this.room, { width: svg.clientWidth, height: svg.clientHeight });
      if (!this.places.length) return;
      if (!this.touched) this.fit(!this.whole, true);
      this.keepInView(true);
      this.refresh();
    });
    resized.observe(svg);
    const repaint = () => {
      if (!this.tree.drawing.boards.length) return;
      for (const entry of this.drawn) entry.stale = true;
      this.refresh();
      this.onTheme?.();
    };
    const themed = new MutationObserver(repaint);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme", "style"] });
    on(SCHEME, "change", repaint);
    this.stopListening = () => {
      leaving.abort();
      resized.disconnect();
      themed.disconnect();
    };
  }
}
