// Where everything goes, by the rules, and with the numbers, of plyground/pictures/tree_layout.py.

import { makeLettering } from "./lettering.js";
import { isRound } from "./replay_tree.js";
import { tidy } from "./tidy.js";

export class TreeLayout {
  // `later` are looks, by node, that may come besides those of the steps; room is kept for them too.
  constructor(tree, later = {}) {
    const { geometry, lettering, boards, start } = tree.drawing;
    Object.assign(this, makeLettering(lettering), { tree, boards, G: geometry });
    const { nodes, steps } = tree;
    // Room for everything that a node will ever say, so that nothing moves while the steps go by.
    this.most = nodes.map(() => ({
      value: 0, lines: 0, wide: 0, noteLines: 0, noteWide: 0, cut: false, notes: "", edges: "",
    }));
    for (const [key, look] of Object.entries(start)) this.reserve(key, look, 0);
    steps.forEach(([, , changes], step) => {
      for (const key of Object.keys(changes)) this.reserve(key, changes[key], step + 1);
    });
    for (const [key, look] of Object.entries(later)) this.reserve(key, look, `later ${key}`);
    const widest = nodes.reduce(
      (most, node, i) => (isRound(node) && node.board < 0 ? Math.max(most, this.most[i].value) : most), 0,
    );
    this.inside = widest <= geometry.inside;
    this.triangle = Math.max(geometry.triangle, this.inside ? widest + 27 : 0);
    this.circle = Math.max(geometry.circle, this.inside ? widest + 16 : 0);
  }

  shortValue(text) {
    return this.shortened(text, this.G.value, this.G.longest, true);
  }

  shortLine(text) {
    return this.shortened(text, this.G.small, this.G.longest);
  }

  shortLabel(text, size) {
    return this.shortened(text, size, this.G.longest_label);
  }

  noteLines(note) {
    const { small, note: room } = this.G;
    const fits = (text) => this.textWidth(text, small) <= room;
    const parts = fits(note) ? [note] : note.split(/(?<=:) |(?<=：)/);
    const pieces = parts.flatMap((part) => (fits(part) ? [part] : part.split(/ (?=\()/)));
    return pieces.flatMap((piece) => this.wrapped(piece, small, room));
  }

  reserve(number, look, when) {
    const { G } = this;
    const needs = this.most[number];
    if (look.value) needs.value = Math.max(needs.value, this.textWidth(this.shortValue(look.value), G.value, true));
    const lines = (look.lines ?? []).filter(Boolean);
    needs.lines = Math.max(needs.lines, lines.length);
    for (const line of lines) needs.wide = Math.max(needs.wide, this.textWidth(this.shortLine(line), G.small));
    needs.cut ||= look.edge === "cut";
    if (look.edge) needs.edges += `${when}:${look.edge};`;
    if (look.note === undefined) return;
    needs.notes += `${when}:${look.note};`;
    const note = this.noteLines(look.note);
    needs.noteLines = Math.max(needs.noteLines, note.length);
    for (const line of note) needs.noteWide = Math.max(needs.noteWide, this.textWidth(line, G.small));
  }

  sizeOf(number, noteOf) {
    const { G } = this;
    const node = this.tree.nodes[number];
    const needs = this.most[number];
    let width, height, below = 0;
    if (node.board >= 0) {
      [, width, height] = this.boards[node.board];
      below = node.shape === "leaf" ? needs.value : G.sign + (needs.value ? G.sign_gap + needs.value : 0);
    } else if (isRound(node)) {
      const { circle, triangle } = this;
      [width, height] = node.shape === "chance" ? [circle, circle] : [triangle, triangle * G.steep];
      below = this.inside ? 0 : needs.value;
    } else {
      [width, height] = [Math.max(G[node.shape], needs.value + G.margin), G.box];
    }
    const action = this.textWidth(this.shortLabel(node.action, G.action), G.action, true);
    const half = Math.max(width, below, needs.wide) / 2;
    const left = Math.max(half, action / 2, needs.cut ? G.strike : 0);
    const aside = width / 2 + G.name_gap + (node.board >= 0 ? G.frame : 0);
    const nameFrom = node.shape === "max" && node.board < 0 ? G.apex : aside;
    const name = node.name ? nameFrom + this.textWidth(this.shortLabel(node.name, G.small), G.small) : 0;
    const note = noteOf >= 0 ? G.note_from + this.most[noteOf].noteWide : 0;
    const linesFrom = height + (below ? G.value_line : 0);
    return {
      left, right: Math.max(left, name, note), width, height, half, nameFrom, nameTo: name, linesFrom,
      total: linesFrom + (needs.lines ? G.pad + G.line * needs.lines : 0),
    };
  }

  pillSize(folded) {
    const { small, margin, pill } = this.G;
    const width = this.textWidth(`+${folded}`, small) + margin;
    return { left: width / 2, right: width / 2, width, height: pill, total: pill };
  }

  cutTogether(number, next, said) {
    const [here, there] = [this.most[number], this.most[next]];
    const quiet = !there.noteLines || (said >= 0 && there.notes === this.most[said].notes);
    return here.cut && here.edges === there.edges && quiet;
  }

  // The places of all that is not folded, level by level from the root, and of the pills below what is.
  layOut() {
    const { G, tree, most } = this;
    const places = [{ number: 0, folded: 0, above: -1, depth: 0, noteOf: -1, size: this.sizeOf(0, -1) }];
    const pills = [];
    for (let here = 0; here < places.length; here++) {
      const { number, depth } = places[here];
      const shown = tree.shownChildren(number);
      let said = -1; // whose note waits for the last of those that are cut off together
      shown.forEach((child, i) => {
        if (most[child].noteLines) said = child;
        const shared = i + 1 < shown.length && this.cutTogether(child, shown[i + 1], said);
        const noteOf = shared ? -1 : said;
        if (!shared) said = -1;
        const size = this.sizeOf(child, noteOf);
        places.push({ number: child, folded: 0, above: here, depth: depth + 1, noteOf, size });
      });
      const folded = tree.nodes[number].children.length - shown.length;
      if (folded) {
        const alone = !shown.length;
        pills.push({ number, folded, alone, above: here, depth: depth + 1, noteOf: -1, size: this.pillSize(folded) });
      }
    }
    for (const pill of pills) places.push(pill);
    tidy(places, G);
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
          const lines = place.noteOf >= 0 ? most[place.noteOf].noteLines : 0;
          notes = Math.max(notes, G.line * lines, most[place.number].cut ? G.strike : 0);
          acted ||= Boolean(tree.nodes[place.number].action);
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
}
