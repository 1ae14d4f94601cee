"use strict";
// Replays a drawing. The tree is laid out by the rules, and with the numbers, of plyground/draw/tree.py and tidy.py.

const drawing = JSON.parse(document.getElementById("drawing").textContent);
const { geometry: G, words, steps, kept, boards } = drawing;
const byId = (id) => document.getElementById(id);
const round = (value) => Math.round(value * 10) / 10;

const canvas = byId("tree");
const room = { width: canvas.clientWidth, height: canvas.clientHeight };
const view = { x: 0, y: 0, scale: 1 };

const nodes = drawing.nodes.map(([parent, shape, action, name, board], number) => ({
  parent: number ? parent : -1, shape, action, name, board, children: [],
}));
nodes.forEach((node, number) => number && nodes[node.parent].children.push(number));

// Text ---------------------------------------------------------------------------------------------------------------

const widths = new Map();
for (const [width, characters] of Object.entries(drawing.lettering.widths)) {
  for (const character of characters) widths.set(character, Number(width));
}
const measured = new Map();

function textWidth(text, size, bold = false) {
  let total = measured.get(text);
  if (total === undefined) {
    total = 0;
    for (const character of text) {
      const code = character.codePointAt(0);
      total += widths.get(character) ?? drawing.lettering.beyond.find(([end]) => code < end)[1];
    }
    measured.set(text, total);
  }
  return total * size * (bold ? drawing.lettering.bold : 1);
}

function shortened(text, size, width, bold = false) {
  if (textWidth(text, size, bold) <= width) return text;
  let result = "";
  for (const character of text) {
    if (textWidth(result + character + "…", size, bold) > width) break;
    result += character;
  }
  return result.trimEnd() + "…";
}

const unbroken = new RegExp(drawing.lettering.piece, "gu");

function wrapped(text, size, width) {
  const lines = [];
  for (const [piece] of text.matchAll(unbroken)) {
    const word = shortened(piece.trim(), size, width);
    const joined = (piece.startsWith(" ") ? " " : "") + word;
    const last = lines.length - 1;
    if (lines.length && textWidth(lines[last] + joined, size) <= width) lines[last] += joined;
    else lines.push(word);
  }
  return lines;
}

const shortValue = (text) => shortened(text, G.value, G.longest, true);
const shortLine = (text) => shortened(text, G.small, G.longest);
const shortLabel = (text, size) => shortened(text, size, G.longest_label);

function noteLines(note) {
  const fits = (text) => textWidth(text, G.small) <= G.note;
  const parts = fits(note) ? [note] : note.split(/(?<=:) |(?<=：)/);
  const pieces = parts.flatMap((part) => (fits(part) ? [part] : part.split(/ (?=\()/)));
  return pieces.flatMap((piece) => wrapped(piece, G.small, G.note));
}

// Looks: the steps, forwards and backwards ---------------------------------------------------------------------------

const UNSEEN = { state: "unseen", value: "", lines: [], edge: "plain", note: "", width: null, tint: null };
const looks = nodes.map((_, number) => ({ ...UNSEEN, ...drawing.start[number] }));
const undo = [];
const dirty = new Set();
let at = 0;

function forward() {
  const changes = steps[at][2];
  const before = [];
  for (const key of Object.keys(changes)) {
    before.push([Number(key), looks[key]]);
    looks[key] = { ...looks[key], ...changes[key] };
    dirty.add(Number(key));
  }
  undo.push(before);
  at += 1;
}

function backward() {
  for (const [number, look] of undo.pop()) {
    looks[number] = look;
    dirty.add(number);
  }
  at -= 1;
}

const focusNow = () => (at ? steps[at - 1][1] : null);

// Room for everything that a node will ever say, so that nothing moves while the steps go by.
const most = nodes.map(() => ({ value: 0, lines: 0, wide: 0, noteLines: 0, noteWide: 0, cut: false, notes: "", edges: "" }));

function reserve(number, look, when) {
  const needs = most[number];
  if (look.value) needs.value = Math.max(needs.value, textWidth(shortValue(look.value), G.value, true));
  const lines = (look.lines ?? []).filter(Boolean);
  needs.lines = Math.max(needs.lines, lines.length);
  for (const line of lines) needs.wide = Math.max(needs.wide, textWidth(shortLine(line), G.small));
  needs.cut ||= look.edge === "cut";
  if (look.edge) needs.edges += `${when}:${look.edge};`;
  if (look.note === undefined) return;
  needs.notes += `${when}:${look.note};`;
  const note = noteLines(look.note);
  needs.noteLines = Math.max(needs.noteLines, note.length);
  for (const line of note) needs.noteWide = Math.max(needs.noteWide, textWidth(line, G.small));
}

for (const [key, look] of Object.entries(drawing.start)) reserve(key, look, 0);
steps.forEach(([, , changes], step) => {
  for (const key of Object.keys(changes)) reserve(key, changes[key], step + 1);
});

const isRound = (node) => ["max", "min", "chance"].includes(node.shape);
const widest = nodes.reduce((w, node, i) => (isRound(node) && node.board < 0 ? Math.max(w, most[i].value) : w), 0);
const inside = widest <= G.inside;
const triangle = Math.max(G.triangle, inside ? widest + 27 : 0);
const circle = Math.max(G.circle, inside ? widest + 16 : 0);

function sizeOf(number, noteOf) {
  const node = nodes[number];
  const needs = most[number];
  let width, height, below = 0;
  if (node.board >= 0) {
    [, width, height] = boards[node.board];
    below = node.shape === "leaf" ? needs.value : G.sign + (needs.value ? G.sign_gap + needs.value : 0);
  } else if (isRound(node)) {
    [width, height] = node.shape === "chance" ? [circle, circle] : [triangle, triangle * G.steep];
    below = inside ? 0 : needs.value;
  } else {
    [width, height] = [Math.max(G[node.shape], needs.value + G.margin), G.box];
  }
  const action = textWidth(shortLabel(node.action, G.action), G.action, true);
  const half = Math.max(width, below, needs.wide) / 2;
  const left = Math.max(half, action / 2, needs.cut ? G.strike : 0);
  const aside = width / 2 + G.name_gap + (node.board >= 0 ? G.frame : 0);
  const nameFrom = node.shape === "max" && node.board < 0 ? G.apex : aside;
  const name = node.name ? nameFrom + textWidth(shortLabel(node.name, G.small), G.small) : 0;
  const note = noteOf >= 0 ? G.note_from + most[noteOf].noteWide : 0;
  const linesFrom = height + (below ? G.value_line : 0);
  return {
    left, right: Math.max(left, name, note), width, height, half, nameFrom, nameTo: name, linesFrom,
    total: linesFrom + (needs.lines ? G.pad + G.line * needs.lines : 0),
  };
}

function pillSize(folded) {
  const width = textWidth(`+${folded}`, G.small) + G.margin;
  return { left: width / 2, right: width / 2, width, height: G.pill, total: G.pill };
}

// Folding ------------------------------------------------------------------------------------------------------------

const opened = drawing.opened.map(Boolean);
const unfolded = new Set(); // nodes that show all their children
const closed = new Set(); // nodes that the reader has closed, which stay closed even if the search goes there
let wayToFocus = new Set();

function shownChildren(number) {
  if (closed.has(number)) return [];
  const all = unfolded.has(number);
  return nodes[number].children.filter(
    (child) => wayToFocus.has(child) || (opened[number] && (all || kept[child])),
  );
}

function findWayToFocus() {
  const way = new Set();
  for (let number = focusNow() ?? -1; number >= 0; number = nodes[number].parent) way.add(number);
  wayToFocus = way;
}

function toggle(number) {
  if (shownChildren(number).length) {
    closed.add(number);
  } else {
    closed.delete(number);
    opened[number] = true;
  }
  updateAround(number);
}

function unfold(number) {
  if (closed.has(number) || !opened[number]) {
    closed.delete(number);
    opened[number] = true;
  } else {
    unfolded.add(number);
  }
  updateAround(number);
}

function unfoldAll(everything) {
  closed.clear();
  unfolded.clear();
  nodes.forEach((_, number) => {
    opened[number] = everything || Boolean(drawing.opened[number]);
    if (everything) unfolded.add(number);
  });
  updateAround(focusShown ?? 0);
}

// Layout -------------------------------------------------------------------------------------------------------------

function tidy(places) {
  const families = places.map(() => []);
  places.forEach((place, i) => i && families[place.above].push(i));
  const offsets = new Array(places.length).fill(0);
  const outlines = new Array(places.length);
  for (let i = places.length - 1; i >= 0; i--) {
    const family = families[i].map((child) => outlines[child]);
    let outline = { left: [], right: [], leftShift: 0, rightShift: 0 };
    if (family.length) {
      const spots = spread(family);
      families[i].forEach((child, place) => { offsets[child] = spots[place]; outlines[child] = null; });
      outline = joined(family, spots);
    }
    outline.left.push(-places[i].size.left - outline.leftShift);
    outline.right.push(places[i].size.right - outline.rightShift);
    outlines[i] = outline;
  }
  places.forEach((place, i) => { place.x = i ? places[place.above].x + offsets[i] : 0; });
}

function spread(family) {
  const rules = [];
  const early = [0];
  const facing = [0]; // the subtrees that are seen from the right, the tallest first
  for (let j = 1; j < family.length; j++) {
    const fresh = family[j];
    const height = fresh.left.length;
    let depth = 0, place = 0;
    for (let f = facing.length - 1; f >= 0 && depth < height; f--) {
      const old = family[facing[f]];
      const end = Math.min(old.right.length, height);
      let distance = -Infinity;
      for (; depth < end; depth++) {
        const space = old.right[old.right.length - 1 - depth] - fresh.left[height - 1 - depth];
        distance = Math.max(distance, space + (depth ? G.family_gap : G.gap));
      }
      distance += old.rightShift - fresh.leftShift;
      rules.push([facing[f], j, distance]);
      place = Math.max(place, early[facing[f]] + distance);
    }
    while (facing.length && family[facing[facing.length - 1]].left.length <= height) facing.pop();
    facing.push(j);
    early.push(place);
  }
  const end = early[early.length - 1];
  const late = early.map(() => end);
  for (const [i, j, distance] of rules.reverse()) late[i] = Math.min(late[i], late[j] - distance);
  return early.map((place, i) => place + ((late[i] - place) * i) / Math.max(1, family.length - 1) - end / 2);
}

function joined(family, spots) {
  const border = (side, shift, order) => {
    const seen = [];
    for (const i of order) {
      if (!seen.length || family[i].left.length > family[seen[seen.length - 1]].left.length) seen.push(i);
    }
    const tallest = seen.pop();
    const line = family[tallest][side];
    const move = family[tallest][shift] + spots[tallest];
    for (const i of seen.reverse()) {
      const own = family[i][side];
      const by = family[i][shift] + spots[i] - move;
      for (let k = 1; k <= own.length; k++) line[line.length - k] = own[own.length - k] + by;
    }
    return [line, move];
  };
  const order = family.map((_, i) => i);
  const [left, leftShift] = border("left", "leftShift", order);
  const [right, rightShift] = border("right", "rightShift", order.reverse());
  return { left, right, leftShift, rightShift };
}

function cutTogether(number, next, said) {
  const [here, there] = [most[number], most[next]];
  return here.cut && here.edges === there.edges && (!there.noteLines || (said >= 0 && there.notes === most[said].notes));
}

function layOut() {
  const places = [{ number: 0, folded: 0, above: -1, depth: 0, noteOf: -1, size: sizeOf(0, -1) }];
  const pills = [];
  for (let here = 0; here < places.length; here++) {
    const { number, depth } = places[here];
    const shown = shownChildren(number);
    let said = -1; // whose note waits for the last of those that are cut off together
    shown.forEach((child, i) => {
      if (most[child].noteLines) said = child;
      const shared = i + 1 < shown.length && cutTogether(child, shown[i + 1], said);
      const noteOf = shared ? -1 : said;
      if (!shared) said = -1;
      places.push({ number: child, folded: 0, above: here, depth: depth + 1, noteOf, size: sizeOf(child, noteOf) });
    });
    const folded = nodes[number].children.length - shown.length;
    if (folded) {
      const alone = !shown.length;
      pills.push({ number, folded, alone, above: here, depth: depth + 1, noteOf: -1, size: pillSize(folded) });
    }
  }
  for (const pill of pills) places.push(pill);
  tidy(places);
  const rows = [];
  for (const place of places) (rows[place.depth] ??= []).push(place);
  let bottom = 0;
  rows.forEach((row, depth) => {
    const inner = row.filter((place) => !place.folded);
    let reach = 0;
    for (const place of depth ? row : []) reach = Math.max(reach, Math.abs(place.x - places[place.above].x));
    const bend = depth ? bottom + G.leave : 0;
    const zone = depth ? bend + Math.min(Math.max(G.bend, reach * G.bend_part), G.highest_bend) : 0;
    let notes = 0, acted = false;
    if (depth) {
      for (const place of inner) {
        const needs = most[place.number];
        const lines = place.noteOf >= 0 ? most[place.noteOf].noteLines : 0;
        notes = Math.max(notes, G.line * lines, needs.cut ? G.strike : 0);
        acted ||= Boolean(nodes[place.number].action);
      }
    }
    const action = zone + notes;
    const top = depth ? action + (acted ? G.action_line : 0) + G.pad : 0;
    bottom = row.every((place) => place.alone) ? bottom + G.hang + G.pill : top;
    for (const place of row) {
      Object.assign(place, { y: top, bend: bend - top, zone: zone - top, action: action - top });
      if (!place.alone) bottom = Math.max(bottom, top + place.size.total);
    }
  });
  for (const pill of pills) {
    const parent = places[pill.above];
    if (pill.alone) pill.y = parent.y + parent.size.total + G.hang;
  }
  return places;
}

// Drawing ------------------------------------------------------------------------------------------------------------

function make(tag, attributes = {}, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function shapeElement(shape, width, height) {
  const [half, high] = [round(width / 2), round(height)];
  if (shape === "max") return make("path", { class: "shape", d: `M0 0L${half} ${high}H${-half}Z` });
  if (shape === "min") return make("path", { class: "shape", d: `M${-half} 0H${half}L0 ${high}Z` });
  if (shape === "chance") return make("circle", { class: "shape", cy: high / 2, r: high / 2 });
  return make("rect", { class: "shape", x: -half, width: 2 * half, height: high, rx: shape === "player" ? round(high / 3) : 2 });
}

const boardAddress = (board) => `data:image/svg+xml,${encodeURIComponent(boards[board][0])}`;
const VALUE_AT = { max: 0.68, min: 0.32, chance: 0.5, player: 0.5, leaf: 0.5 };

function nodeParts(place) {
  const node = nodes[place.number];
  const look = looks[place.number];
  const { width, height, nameFrom, nameTo, linesFrom, half, total } = place.size;
  const parts = [];
  const say = (text, x, y, kind) => parts.push(make("text", { class: kind, x: round(x), y: round(y) }, text));
  if (place.number === focusShown) {
    const right = Math.max(half, nameTo) + 7;
    parts.push(make("rect", { class: "ring", x: -half - 7, y: -7, width: half + 7 + right, height: total + 13, rx: 12 }));
  }
  const value = bare ? "" : shortValue(look.value);
  const tinted = (element) => {
    if (look.tint !== null && look.state !== "unseen") {
      const end = look.tint > 0 ? "good" : "bad";
      element.style.fill = `color-mix(in srgb, var(--${end}) ${Math.abs(look.tint) * 100}%, var(--neither))`;
    }
    return element;
  };
  if (node.board >= 0) {
    parts.push(make("image", { x: -width / 2, width, height, href: boardAddress(node.board) }));
    parts.push(make("rect", { class: "frame", x: -width / 2 - 2, y: -2, width: width + 4, height: height + 4, rx: 5 }));
    if (node.shape === "leaf") {
      if (value) say(value, 0, height + 19, "value");
    } else {
      const aside = value ? (G.sign_gap + textWidth(value, G.value, true)) / 2 : 0;
      const sign = make("g", { transform: `translate(${-aside} ${height + 7})` });
      sign.append(tinted(shapeElement(node.shape, G.sign, G.sign * 0.9)));
      parts.push(sign);
      if (value) say(value, G.sign / 2 + G.sign_gap - aside, height + 19, "value beside");
    }
  } else {
    parts.push(tinted(shapeElement(node.shape, width, height)));
    if (value) {
      const below = isRound(node) && !inside;
      say(value, 0, below ? height + 17 : height * VALUE_AT[node.shape] + G.value * 0.36, "value");
    }
  }
  if (bare) return parts;
  if (node.name) {
    const base = node.shape === "max" && node.board < 0 ? 11 : Math.min(height / 2 + 4, 22);
    say(shortLabel(node.name, G.small), nameFrom, base, "name");
  }
  look.lines.filter(Boolean).forEach((line, i) => say(shortLine(line), 0, linesFrom + G.pad + G.line * i + 11, "small"));
  if (place.depth) {
    if (node.action) say(shortLabel(node.action, G.action), 0, place.action + 14, "action");
    if (look.edge === "cut") {
      const y = place.zone + G.strike / 2;
      parts.push(make("path", { class: "strike", d: `M-7 ${y + 2}l14 -8m-14 12l14 -8` }));
    }
    if (place.noteOf >= 0) {
      noteLines(looks[place.noteOf].note).forEach((line, i) => say(line, G.note_from, place.zone + 12 + G.line * i, "note"));
    }
  }
  const told = [node.action, node.name, look.value, ...look.lines, look.note].filter(Boolean).join("\n");
  if (told) parts.push(make("title", {}, told));
  return parts;
}

function pillParts({ folded, size }) {
  const { width, height } = size;
  return [
    make("rect", { x: -width / 2, width, height, rx: height / 2 }),
    make("text", { x: 0, y: height / 2 + 4.2 }, `+${folded}`),
  ];
}

function wayPath(place, { x, y }, parent, from) {
  const start = from.y + parent.size.total + G.leave;
  if (place.alone) return `M${round(from.x)} ${round(start)}L${round(x)} ${round(y)}`;
  const bend = Math.max(start, y + place.bend);
  const zone = y + place.zone;
  const middle = (bend + zone) / 2;
  let way = `M${round(from.x)} ${round(start)}V${round(bend)}`;
  way += `C${round(from.x)} ${round(middle)} ${round(x)} ${round(middle)} ${round(x)} ${round(zone)}`;
  if (!place.folded && nodes[place.number].action) {
    way += `V${round(y + place.action)}M${round(x)} ${round(y + place.action + G.action_line)}`;
  }
  return `${way}V${round(y)}`;
}

// What the picture holds: "n3" is node 3, "p3" the pill below it. `spot` is where it is at this moment of an animation;
// `stale` says that it must be painted anew before it is seen.
const entries = new Map();
let places = [];
let noteAt = new Map(); // where the note of a node is shown
let focusShown = null;
let bare = false; // from far away only the shapes are drawn

const keyOf = (place) => (place.folded ? "p" : "n") + place.number;

function paint(entry) {
  const { place } = entry;
  entry.stale = false;
  entry.group ??= make("g", { tabindex: 0, role: "button" });
  if (place.above >= 0) entry.way ??= make("path", { class: "way more" });
  const { group, way } = entry;
  if (place.folded) {
    group.dataset.pill = place.number;
    group.setAttribute("class", "pill");
    group.setAttribute("aria-label", words.unfoldOne);
    group.replaceChildren(...pillParts(place));
    return;
  }
  const node = nodes[place.number];
  const look = looks[place.number];
  const parent = node.children.length > 0;
  group.dataset.node = place.number;
  group.setAttribute("class", `node ${look.state} ${look.edge}${parent ? " parent" : ""}`);
  group.setAttribute("aria-label", [node.action, look.value].filter(Boolean).join(" ") || words[node.shape]);
  if (parent) {
    group.setAttribute("aria-expanded", shownChildren(place.number).length > 0);
  } else {
    group.removeAttribute("tabindex");
    group.setAttribute("role", "img");
  }
  group.replaceChildren(...nodeParts(place));
  if (!way) return;
  way.setAttribute("class", `way ${look.state} ${look.edge}`);
  way.setAttribute("stroke-width", look.edge === "best" ? Math.max(look.width ?? 0, 4) : look.width ?? 1.6);
}

// Draws what can be seen, and takes away what cannot if there is much of it.
function refresh() {
  const [nodeLayer, wayLayer, litLayer] = [byId("nodes"), byId("ways"), byId("lit")];
  const many = entries.size > 400;
  const [left, top] = [-view.x / view.scale, -view.y / view.scale];
  const [right, bottom] = [left + room.width / view.scale, top + room.height / view.scale];
  for (const entry of entries.values()) {
    const { place, spot } = entry;
    const above = place.above >= 0 ? places[place.above] : place;
    const from = place.above >= 0 ? entries.get(keyOf(above)).spot : spot;
    const seen = !many || (
      Math.min(from.x, spot.x - place.size.left) < right && Math.max(from.x, spot.x + place.size.right) > left
      && from.y < bottom && spot.y + place.size.total > top
    );
    if (!seen) {
      entry.group?.remove();
      entry.way?.remove();
      continue;
    }
    if (entry.stale) paint(entry);
    if (entry.group.parentNode !== nodeLayer) nodeLayer.append(entry.group);
    entry.group.setAttribute("transform", `translate(${round(spot.x)} ${round(spot.y)})`);
    if (entry.fade < 1) entry.group.setAttribute("opacity", entry.fade);
    else entry.group.removeAttribute("opacity");
    if (!entry.way) continue;
    const layer = !place.folded && looks[place.number].edge === "best" ? litLayer : wayLayer;
    if (entry.way.parentNode !== layer) layer.append(entry.way);
    entry.way.setAttribute("d", wayPath(place, spot, above, from));
  }
}

// Brings the picture to the step, and to what is open now; `moved` says that something was opened or closed.
function update(quick = false, moved = false) {
  const former = focusShown;
  const formerly = String(uncovered());
  findWayToFocus();
  focusShown = focusNow();
  while (focusShown > 0 && !isShown(focusShown)) focusShown = nodes[focusShown].parent;
  if (former !== null) dirty.add(former);
  if (focusShown !== null) dirty.add(focusShown);
  for (const number of dirty) {
    for (const key of ["n" + number, noteAt.get(number)]) {
      if (entries.has(key)) entries.get(key).stale = true;
    }
  }
  dirty.clear();
  if (moved || formerly !== String(uncovered())) arrange(layOut(), quick);
  else refresh();
  showStep();
  if (!moved) keepInView(quick);
}

// The same after something was opened or closed; the node stays where the reader sees it.
function updateAround(number) {
  const before = entries.get("n" + number).place;
  update(false, true);
  const { x, y } = entries.get("n" + number).place;
  moveView(view.x - (x - before.x) * view.scale, view.y - (y - before.y) * view.scale, view.scale);
}

// The nodes that are seen only because the search is at or below them.
function uncovered() {
  return [...wayToFocus].filter((number) => {
    const { parent } = nodes[number];
    return parent >= 0 && !closed.has(parent) && !(opened[parent] && (kept[number] || unfolded.has(parent)));
  });
}

function isShown(number) {
  for (let child = number; child > 0; child = nodes[child].parent) {
    if (closed.has(nodes[child].parent)) return false;
  }
  return true;
}

function arrange(next, quick) {
  const gone = new Set(entries.keys());
  const first = !entries.size;
  const moves = next.map((place) => {
    const key = keyOf(place);
    const old = entries.get(key);
    gone.delete(key);
    const parent = place.above >= 0 ? entries.get(keyOf(next[place.above])) : null;
    const { x, y } = parent?.spot ?? place;
    const entry = old ?? { spot: { x, y }, fade: 0, group: null, way: null };
    entry.place = place;
    entry.stale = true;
    entries.set(key, entry);
    return { entry, ...entry.spot, fade: entry.fade };
  });
  for (const key of gone) {
    entries.get(key).group?.remove();
    entries.get(key).way?.remove();
    entries.delete(key);
  }
  places = next;
  noteAt = new Map(places.map((place) => [place.noteOf, keyOf(place)]));
  animate("layout", first || quick || moves.length > 1200 ? 0 : 260, (part) => {
    for (const { entry, x, y, fade } of moves) {
      entry.spot.x = x + (entry.place.x - x) * part;
      entry.spot.y = y + (entry.place.y - y) * part;
      entry.fade = fade + (1 - fade) * part;
    }
    refresh();
  });
}

const running = {};
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Calls `frame` with 0 to 1; a new animation of the same name takes the place of the old one.
function animate(name, duration, frame) {
  cancelAnimationFrame(running[name]);
  if (!duration || calm.matches) return frame(1);
  const begin = performance.now();
  const tick = (now) => {
    const part = Math.min(1, Math.max(0, (now - begin) / duration));
    frame(1 - (1 - part) ** 3);
    if (part < 1) running[name] = requestAnimationFrame(tick);
  };
  frame(0);
  running[name] = requestAnimationFrame(tick);
}

// Zoom and pan -------------------------------------------------------------------------------------------------------

let touched = false; // whether the reader has moved the picture

function setView(x, y, scale) {
  Object.assign(view, { x, y, scale });
  byId("world").setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${scale})`);
  canvas.classList.toggle("far", scale < 0.4);
  if (bare !== scale < 0.15) {
    bare = !bare;
    for (const entry of entries.values()) entry.stale = true;
  }
  refresh();
}

function moveView(x, y, scale, quick = false) {
  const from = { ...view };
  const mix = (a, b, part) => a + (b - a) * part;
  animate("view", quick ? 0 : 260, (part) => setView(
    mix(from.x, x, part), mix(from.y, y, part), from.scale * (scale / from.scale) ** part,
  ));
}

function extent() {
  let left = 0, right = 0, bottom = 0;
  for (const { x, y, size } of places) {
    left = Math.min(left, x - size.left);
    right = Math.max(right, x + size.right);
    bottom = Math.max(bottom, y + size.total);
  }
  return { left: left - 24, right: right + 24, top: -20, bottom: bottom + 20 };
}

// The part of the canvas that the zoom buttons do not cover.
function freeRoom() {
  const tools = document.querySelector(".zoom");
  const beside = tools.offsetHeight > tools.offsetWidth;
  return {
    width: room.width - (beside ? tools.offsetWidth + 12 : 0),
    height: room.height - (beside ? 0 : tools.offsetHeight),
  };
}

// The whole tree; or, if it must be `legible` and the whole would be too small, the root and what is below it.
function fit(legible, quick = false) {
  const { width, height } = freeRoom();
  if (width <= 0 || height <= 0) return;
  const { left, right, top, bottom } = extent();
  const whole = Math.min(width / (right - left), height / (bottom - top), 1.4);
  const scale = legible && whole < 0.5 ? 0.8 : whole;
  const x = (right - left) * scale <= width ? (width - (left + right) * scale) / 2 : width / 2;
  const y = (bottom - top) * scale <= height ? (height - (top + bottom) * scale) / 2 : -top * scale;
  moveView(x, y, scale, quick);
}

function zoom(factor, x = room.width / 2, y = room.height / 2, quick = false) {
  touched = true;
  const scale = Math.min(4, Math.max(0.02, view.scale * factor));
  const real = scale / view.scale;
  moveView(x - (x - view.x) * real, y - (y - view.y) * real, scale, quick);
}

function keepInView(quick) {
  const entry = entries.get("n" + focusShown);
  if (!entry) return;
  const { x, y, size } = entry.place;
  const { width, height } = freeRoom();
  const edge = Math.min(40, width / 8, height / 8);
  const within = (low, high, length) => {
    if (low < edge) return edge - low;
    if (high > length - edge) return Math.max(length - edge - high, edge - low);
    return 0;
  };
  const { scale } = view;
  const right = within(view.x + (x - size.left) * scale, view.x + (x + size.right) * scale, width);
  const down = within(view.y + (y - 30) * scale, view.y + (y + size.total) * scale, height);
  if (right || down) moveView(view.x + right, view.y + down, scale, quick);
}

const fingers = new Map();
let dragged = 0;

canvas.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  if (!fingers.size) dragged = 0;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
addEventListener("pointermove", (event) => {
  const finger = fingers.get(event.pointerId);
  if (!finger) return;
  const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
  const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
  dragged += Math.abs(dx) + Math.abs(dy);
  if (dragged < 5 && !others.length) return;
  canvas.classList.add("dragging");
  touched = true;
  if (others.length) {
    const [other] = others;
    const box = canvas.getBoundingClientRect();
    const apart = Math.hypot(finger.x - other.x, finger.y - other.y) || 1;
    const factor = Math.hypot(event.clientX - other.x, event.clientY - other.y) / apart;
    zoom(factor, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top, true);
  } else {
    cancelAnimationFrame(running.view);
    setView(view.x + dx, view.y + dy, view.scale);
  }
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) canvas.classList.remove("dragging");
  });
}
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = canvas.getBoundingClientRect();
  const lines = event.deltaMode ? 18 : 1;
  zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top, true);
}, { passive: false });

function press(target) {
  const group = target.closest?.("[data-node], [data-pill]");
  if (!group) return;
  if (group.dataset.pill) unfold(Number(group.dataset.pill));
  else if (nodes[group.dataset.node].children.length) toggle(Number(group.dataset.node));
}

canvas.addEventListener("click", (event) => dragged < 5 && press(event.target));
canvas.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  press(event.target);
});
new ResizeObserver(() => {
  Object.assign(room, { width: canvas.clientWidth, height: canvas.clientHeight });
  if (!touched) fit(true, true);
  keepInView(true);
}).observe(canvas);

// Steps --------------------------------------------------------------------------------------------------------------

let playing = false;
let furthest = 0;  // an exercise tells only what has been reached

function goTo(step, quick = false) {
  const target = Math.min(steps.length, Math.max(0, Math.round(step)));
  while (at < target) forward();
  while (at > target) backward();
  furthest = Math.max(furthest, at);
  update(quick);
  if (at === steps.length) play(false);
}

function showStep() {
  const caption = at ? steps[at - 1][0] : drawing.question || (steps.length ? words.before : "");
  byId("caption").textContent = caption;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", `${at}: ${caption}`);
  byId("count").textContent = `${at} / ${steps.length}`;
  for (const id of ["first", "back"]) byId(id).disabled = at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = at === steps.length;
  const pictures = at ? steps[at - 1][3] : [];
  byId("strip").replaceChildren(...pictures.map(([board, text]) => {
    const figure = document.createElement("figure");
    const image = document.createElement("img");
    if (board >= 0) image.src = boardAddress(board);
    image.alt = "";
    const caption = document.createElement("figcaption");
    caption.textContent = text;
    figure.append(image, caption);
    return figure;
  }));
  showRows(true);
}

function play(on) {
  if (on === playing) return;
  playing = on && steps.length > 0;
  byId("play").querySelector("path").setAttribute("d", playing ? "M8 6v12M16 6v12" : "M8.5 5.5v13l10.5-6.5z");
  byId("play").querySelector("path").setAttribute("stroke-width", playing ? "3.5" : "1.2");
  label(byId("play"), words[playing ? "pause" : "play"]);
  cancelAnimationFrame(running.play);
  if (!playing) return;
  if (at === steps.length) goTo(0, true);
  let last = performance.now(), owed = 1;
  const tick = (now) => {
    const speed = Number(byId("speed").value);
    owed += (Math.max(0, now - last) / 1000) * speed;
    last = now;
    if (owed >= 1) {
      const whole = Math.floor(owed);
      owed -= whole;
      goTo(at + whole, speed > 4);
    }
    if (playing) running.play = requestAnimationFrame(tick);
  };
  running.play = requestAnimationFrame(tick);
}

// The list holds only the rows that can be seen.
const ROW = 40;

function showRows(follow) {
  const list = byId("list"), rows = byId("rows");
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
    row.dataset.step = step;
    row.style.top = `${step * ROW}px`;
    if (step === at) row.setAttribute("aria-current", "step");
    const number = document.createElement("span");
    number.textContent = step;
    number.style.width = `${digits}ch`;
    const text = document.createElement("b");
    const hidden = drawing.question && step > furthest;
    text.textContent = hidden ? "…" : step ? steps[step - 1][0] : words[drawing.question ? "question" : "start"];
    row.append(number, text);
    shown.push(row);
  }
  rows.replaceChildren(...shown);
}

byId("list").addEventListener("scroll", () => showRows(false));
new ResizeObserver(() => showRows(true)).observe(byId("list"));
byId("rows").addEventListener("click", (event) => {
  const row = event.target.closest("[data-step]");
  if (row) { play(false); goTo(Number(row.dataset.step)); }
});

const go = (step) => () => { play(false); goTo(step()); };
byId("first").onclick = go(() => 0);
byId("back").onclick = go(() => at - 1);
byId("next").onclick = go(() => at + 1);
byId("last").onclick = go(() => steps.length);
byId("play").onclick = () => play(!playing);
byId("slider").oninput = () => { play(false); goTo(Number(byId("slider").value), true); };
byId("closer").onclick = () => zoom(1.35);
byId("further").onclick = () => zoom(1 / 1.35);
byId("fit").onclick = () => { touched = false; fit(false); };
byId("unfold").onclick = () => {
  const everything = byId("unfold").getAttribute("aria-pressed") === "false";
  byId("unfold").setAttribute("aria-pressed", everything);
  unfoldAll(everything);
};
byId("theme").onclick = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.style.colorScheme || (dark ? "dark" : "light");
  document.documentElement.style.colorScheme = now === "dark" ? "light" : "dark";
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("select")) return;
  const moves = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => steps.length };
  if (event.key in moves) {
    event.preventDefault();
    play(false);
    goTo(moves[event.key](), event.repeat);
  } else if (event.key === " " && !event.target.matches?.("button:focus-visible")) {
    event.preventDefault();
    if (!event.repeat) play(!playing);
  } else if (event.key === "+" || event.key === "=") zoom(1.35);
  else if (event.key === "-") zoom(1 / 1.35);
  else if (event.key === "0") byId("fit").click();
});

// Words, the legend, and the beginning -------------------------------------------------------------------------------

function label(element, text) {
  element.title = text;
  element.setAttribute("aria-label", text);
}

for (const element of document.querySelectorAll("[data-word]")) label(element, words[element.dataset.word]);
document.querySelector("h1").textContent = drawing.title || words.tree;
document.querySelector(".steps h2").textContent = words.steps;
canvas.setAttribute("aria-label", drawing.title || words.tree);
byId("slider").max = steps.length;
byId("slider").disabled = byId("play").disabled = !steps.length;
byId("rows").style.height = `${(steps.length + 1) * ROW}px`;
byId("strip").hidden = !steps.some((step) => step[3].length);
for (const speed of [0.5, 1, 2, 5, 20, 100]) {
  byId("speed").append(new Option(speed < 1 ? "½×" : `${speed}×`, speed, speed === 1, speed === 1));
}

function legend() {
  const ever = (test) => looks.some(test) || steps.some(([, , changes]) => Object.values(changes).some(test));
  const entry = (text, wide, ...content) => {
    const item = document.createElement("li");
    const picture = make("svg", { viewBox: `0 0 ${wide} 18`, width: wide, height: 18, "aria-hidden": "true" });
    picture.append(...content);
    item.append(picture, text);
    byId("legend").append(item);
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
  entry(words.unseen, 16, moved(8, 2.5, "unseen", shapeElement("chance", 13, 13)));
  if (ever((look) => look.tint !== null && look.tint !== undefined)) {
    entry(words.tint, 42, ...[-1, -0.67, -0.33, 0, 0.33, 0.67, 1].map((tint, i) => {
      const patch = make("rect", { x: i * 6, y: 3, width: 6, height: 12 });
      patch.style.fill = `color-mix(in srgb, var(--${tint > 0 ? "good" : "bad"}) ${Math.abs(tint) * 100}%, var(--neither))`;
      return patch;
    }));
  }
  if (boards.some(([svg]) => svg.includes(drawing.last_move))) {
    entry(words.played, 12, make("circle", { cx: 6, cy: 9, r: 4.5, fill: drawing.last_move }));
  }
  if (nodes.some((_, number) => !drawing.opened[number] && nodes[number].children.length) || kept.includes(0)) {
    const pill = moved(14, 0, "pill", make("g"));
    pill.append(...pillParts({ folded: "n", size: { width: 28, height: 18 } }));
    entry(words.folded, 28, pill);
  }
  const hint = document.createElement("li");
  hint.className = "hint";
  hint.textContent = words.hint;
  byId("legend").append(hint);
}

legend();
document.body.classList.toggle("still", !steps.length);
if (nodes.length) {
  const wanted = /^#(\d+|last)$/.exec(location.hash);
  const step = wanted ? (wanted[1] === "last" ? steps.length : Number(wanted[1])) : 0;
  update(true, true);
  fit(true, true);
  goTo(step, true);
} else {
  showStep();
}
