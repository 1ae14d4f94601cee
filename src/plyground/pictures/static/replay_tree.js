// The tree of a drawing: how its nodes look at a step, forwards and backwards, and which of them are folded.

const UNSEEN = { state: "unseen", value: "", lines: [], edge: "plain", note: "", width: null, tint: null };

export const isRound = (node) => node.shape === "max" || node.shape === "min" || node.shape === "chance";

export class ReplayTree {
  constructor(drawing) {
    this.drawing = drawing;
    this.steps = drawing.steps;
    this.nodes = drawing.nodes.map(([parent, shape, action, name, board], number) => ({
      parent: number ? parent : -1, shape, action, name, board, children: [],
    }));
    this.nodes.forEach((node, number) => number && this.nodes[node.parent].children.push(number));
    this.looks = this.nodes.map((_, number) => ({ ...UNSEEN, ...drawing.start[number] }));
    this.at = 0;
    this.dirty = new Set(); // nodes that look different from what was painted
    this.undo = [];
    this.opened = drawing.opened.map(Boolean);
    this.unfolded = new Set(); // nodes that show all their children
    this.closed = new Set(); // nodes that the reader has closed, which stay closed even if the search goes there
    this.wayToFocus = new Set();
  }

  goTo(step) {
    const target = Math.min(this.steps.length, Math.max(0, Math.round(step)));
    while (this.at < target) this.forward();
    while (this.at > target) this.backward();
  }

  forward() {
    const changes = this.steps[this.at][2];
    const before = [];
    for (const key of Object.keys(changes)) {
      before.push([Number(key), this.looks[key]]);
      this.setLook(Number(key), changes[key]);
    }
    this.undo.push(before);
    this.at += 1;
  }

  backward() {
    for (const [number, look] of this.undo.pop()) {
      this.looks[number] = look;
      this.dirty.add(number);
    }
    this.at -= 1;
  }

  setLook(number, look) {
    this.looks[number] = { ...this.looks[number], ...look };
    this.dirty.add(number);
  }

  get focus() {
    return this.at ? this.steps[this.at - 1][1] : null;
  }

  // Folding

  shownChildren(number) {
    if (this.closed.has(number)) return [];
    const all = this.unfolded.has(number);
    return this.nodes[number].children.filter(
      (child) => this.wayToFocus.has(child) || (this.opened[number] && (all || this.drawing.kept[child])),
    );
  }

  findWayToFocus() {
    this.wayToFocus = new Set();
    for (let number = this.focus ?? -1; number >= 0; number = this.nodes[number].parent) this.wayToFocus.add(number);
  }

  // The nodes that are seen only because the search is at or below them.
  uncovered() {
    return [...this.wayToFocus].filter((number) => {
      const { parent } = this.nodes[number];
      const open = this.opened[parent] && (this.drawing.kept[number] || this.unfolded.has(parent));
      return parent >= 0 && !this.closed.has(parent) && !open;
    });
  }

  isShown(number) {
    for (let child = number; child > 0; child = this.nodes[child].parent) {
      if (this.closed.has(this.nodes[child].parent)) return false;
    }
    return true;
  }

  toggle(number) {
    if (this.shownChildren(number).length) {
      this.closed.add(number);
    } else {
      this.closed.delete(number);
      this.opened[number] = true;
    }
  }

  unfold(number) {
    if (this.closed.has(number) || !this.opened[number]) {
      this.closed.delete(number);
      this.opened[number] = true;
    } else {
      this.unfolded.add(number);
    }
  }

  unfoldAll(everything) {
    this.closed.clear();
    this.unfolded.clear();
    this.nodes.forEach((_, number) => {
      this.opened[number] = everything || Boolean(this.drawing.opened[number]);
      if (everything) this.unfolded.add(number);
    });
  }
}
