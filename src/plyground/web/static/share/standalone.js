// The picture of a tree as a file of its own: everything that is drawn now, on white paper, with its looks written into it.

import { TreeView, PICTURE } from "/static/pictures/tree_view.js";

const SVG = "http://www.w3.org/2000/svg";
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "paint-order", "font-size", "font-weight", "text-anchor"];
const USUAL = { fill: "#000000", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1", "paint-order": "normal", "font-weight": "400", "text-anchor": "start" };
const KEPT = ["d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "transform", "href", "points"];
const [EDGE, TITLE] = [24, 17];

// A look as every program reads it, and how much of it shows through: browsers also write color(srgb ...) where colours
// are mixed, and rgba(...).
function plain(value) {
  const found = value.match(/^(?:rgba?|color)\((?:srgb )?([^)]*)\)$/);
  if (!found) return [value, 1];
  const [red, green, blue, alpha = 1] = found[1].split(/[ ,/]+/).map(Number);
  const whole = value.startsWith("color") ? [red, green, blue].map((part) => Math.round(255 * part)) : [red, green, blue];
  return [alpha === 0 ? "none" : `#${whole.map((part) => Math.max(0, Math.min(255, part)).toString(16).padStart(2, "0")).join("")}`, alpha];
}

function written(element) {
  const look = getComputedStyle(element);
  if (look.display === "none") return null;
  const copy = document.createElementNS(SVG, element.tagName);
  for (const name of KEPT) if (element.hasAttribute(name)) copy.setAttribute(name, element.getAttribute(name));
  if (element.tagName === "title") copy.textContent = element.textContent;
  else {
    for (const name of element.tagName === "g" ? ["opacity"] : LOOKS) {
      if (name.startsWith("font") && element.tagName !== "text") continue;
      const [value, share] = plain(look.getPropertyValue(name));
      if (value && value !== USUAL[name]) copy.setAttribute(name, value.replace(/px$/, ""));
      if (share > 0 && share < 1) copy.setAttribute(`${name}-opacity`, share);
    }
    for (const child of element.children) {
      const part = written(child);
      if (part) copy.append(part);
    }
    if (element.tagName === "text") copy.textContent = element.textContent;
  }
  return copy;
}

// A frame for a view on paper, which is light and cannot be seen. It stands beside another, so that the same styles hold.
export function paperFrame(beside) {
  const frame = document.createElement("div");
  frame.className = "canvas paper-copy";
  frame.setAttribute("aria-hidden", "true");
  frame.inert = true;
  frame.innerHTML = `${PICTURE}<div class="zoom" hidden></div>`;
  beside.parentNode.append(frame);
  return frame;
}

const wideOf = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? TITLE : 0.55 * TITLE), 0);

// The SVG as a text, with its size. `title` is written above it; `room` is what it has, or as much as it needs.
export function standalone(view, title, lang, room = view.extent()) {
  const frame = view.paper ? null : paperFrame(view.frame);
  const paper = frame ? new TreeView(frame, view.tree, view.layout, view.words, { folds: false, paper: true }) : view;
  if (frame) {
    paper.focusShown = view.focusShown;
    paper.arrange(view.places, true);
  }
  try {
    const { left, right, top, bottom } = room;
    const head = title ? TITLE + EDGE : 0;
    const [width, height] = [Math.ceil(Math.max(right - left, title ? wideOf(title) + 2 * EDGE : 0)), Math.ceil(bottom - top + head)];
    const root = document.createElementNS(SVG, "svg");
    const add = (parent, tag, attributes, text = "") => {
      const element = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = text;
      parent.append(element);
      return element;
    };
    const named = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title, "font-family": "system-ui, sans-serif" };
    for (const [name, value] of Object.entries(named)) root.setAttribute(name, value);
    root.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:lang", lang);
    add(root, "rect", { width, height, fill: "#ffffff" });
    if (title) add(root, "text", { x: EDGE, y: EDGE + 4, "font-size": TITLE, "font-weight": 600, fill: "#1f2937" }, title);
    const world = add(root, "g", { transform: `translate(${Math.round((width - (right - left)) / 2 - left)} ${Math.round(head - top)})` });
    world.append(...[...paper.world.children].map(written).filter(Boolean));
    return { text: new XMLSerializer().serializeToString(root), width, height };
  } finally {
    if (frame) {
      paper.destroy();
      frame.remove();
    }
  }
}
