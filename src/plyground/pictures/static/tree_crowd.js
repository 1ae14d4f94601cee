// A crowd of nodes on a canvas: what is too small and too much to be SVG, as seen from far away.

import { make, stateClass } from "./tree_shapes.js";

const STATES = ["unseen", "open", "done"];
const EDGES = ["plain", "unseen", "cut", "best"];

// The colours are those that the style sheet gives to nodes, read off samples that nobody sees.
function samples(svg) {
  const group = make("g", { visibility: "hidden", "aria-hidden": "true" });
  const shapes = STATES.map((state) => {
    const holder = make("g", { class: stateClass(state) });
    holder.append(make("path", { class: "shape" }));
    return holder;
  });
  const ways = EDGES.map((edge) => make("path", { class: `way ${stateClass(edge)}` }));
  const tints = ["bad", "neither", "good"].map((name) => {
    const patch = make("path");
    patch.style.fill = `var(--tint-${name})`;
    return patch;
  });
  group.append(...shapes, ...ways, ...tints);
  svg.append(group);
  return { shapes: shapes.map((holder) => holder.firstChild), ways, tints };
}

const parts = (colour) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

export class TreeCrowd {
  constructor(canvas, svg) {
    this.canvas = canvas;
    this.samples = samples(svg);
    this.empty = true;
  }

  clear() {
    if (this.empty) return;
    this.canvas.width = this.canvas.width; // which wipes it
    this.empty = true;
  }

  colours() {
    const { shapes, ways, tints } = this.samples;
    const mixed = tints.map((element) => parts(getComputedStyle(element).fill));
    return {
      shapes: Object.fromEntries(STATES.map((state, i) => {
        const { fill, stroke } = getComputedStyle(shapes[i]);
        return [state, { fill, stroke }];
      })),
      ways: Object.fromEntries(EDGES.map((edge, i) => [edge, getComputedStyle(ways[i]).stroke])),
      tint: (tint) => {
        const [from, to] = [mixed[1], mixed[tint > 0 ? 2 : 0]];
        return `rgb(${from.map((part, i) => Math.round(part + (to[i] - part) * Math.abs(tint))).join(" ")})`;
      },
    };
  }

  // Of those that fall on the same pixel of the same level only the first is painted.
  paint(entries, tree, view, room) {
    const { canvas } = this;
    const dense = devicePixelRatio;
    const [width, height] = [Math.round(room.width * dense), Math.round(room.height * dense)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    this.empty = false;
    const colours = this.colours();
    const { x: dx, y: dy, scale } = view;
    const ways = new Map(), shapes = new Map();
    const path = (map, key) => {
      if (!map.has(key)) map.set(key, new Path2D());
      return map.get(key);
    };
    const last = [];
    for (const { place, spot, parent } of entries) {
      const look = place.folded ? null : tree.looks[place.number];
      const edge = !look ? "unseen" : look.edge !== "plain" ? look.edge : look.state === "unseen" ? "unseen" : "plain";
      const x = dx + spot.x * scale;
      const pixel = Math.round(x);
      if (last[place.depth] === pixel && edge !== "best") continue;
      last[place.depth] = pixel;
      const y = dy + spot.y * scale;
      if (parent) {
        const way = path(ways, edge);
        way.moveTo(dx + parent.spot.x * scale, dy + (parent.spot.y + parent.place.size.total) * scale);
        way.lineTo(x, y);
      }
      const half = Math.max(0.5, (place.size.width / 2) * scale);
      const tall = Math.max(1, place.size.height * scale);
      const colour = !look ? "unseen" : look.tint !== null && look.state !== "unseen" ? look.tint : look.state;
      const shape = path(shapes, colour);
      const { shape: kind } = tree.nodes[place.number];
      if (half < 2 || place.folded || kind === "leaf" || kind === "player") shape.rect(x - half, y, 2 * half, tall);
      else if (kind === "chance") {
        shape.moveTo(x + half, y + tall / 2);
        shape.arc(x, y + tall / 2, half, 0, 7);
      } else {
        const [base, tip] = kind === "max" ? [y + tall, y] : [y, y + tall];
        shape.moveTo(x, tip);
        shape.lineTo(x + half, base);
        shape.lineTo(x - half, base);
        shape.closePath();
      }
    }
    for (const edge of EDGES) {
      if (!ways.has(edge)) continue;
      pen.strokeStyle = colours.ways[edge];
      pen.lineWidth = edge === "best" ? 2 : Math.max(0.5, 1.6 * scale);
      pen.stroke(ways.get(edge));
    }
    pen.lineWidth = Math.max(0.5, 1.8 * scale);
    for (const [colour, shape] of shapes) {
      const tinted = typeof colour === "number";
      pen.fillStyle = tinted ? colours.tint(colour) : colours.shapes[colour].fill;
      pen.strokeStyle = colours.shapes[tinted ? "done" : colour].stroke;
      pen.fill(shape);
      pen.stroke(shape);
    }
  }
}
