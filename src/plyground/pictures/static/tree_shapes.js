// The signs of which pictures of trees are made, as SVG.

export const round = (value) => Math.round(value * 10) / 10;

export function make(tag, attributes = {}, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export function shapeElement(shape, width, height) {
  const [half, high] = [round(width / 2), round(height)];
  if (shape === "max") return make("path", { class: "shape", d: `M0 0L${half} ${high}H${-half}Z` });
  if (shape === "min") return make("path", { class: "shape", d: `M${-half} 0H${half}L0 ${high}Z` });
  if (shape === "chance") return make("circle", { class: "shape", cy: high / 2, r: high / 2 });
  const rx = shape === "player" ? round(high / 3) : 2;
  return make("rect", { class: "shape", x: -half, width: 2 * half, height: high, rx });
}

export function pillParts({ folded, size }) {
  const { width, height } = size;
  return [
    make("rect", { x: -width / 2, width, height, rx: height / 2 }),
    make("text", { x: 0, y: height / 2 + 4.2 }, `+${folded}`),
  ];
}

export function tintColour(tint) {
  return `color-mix(in srgb, var(--tint-${tint > 0 ? "good" : "bad"}) ${Math.abs(tint) * 100}%, var(--tint-neither))`;
}

// The class of a state; "unseen" is a word that style sheets use for what only screen readers find.
export const stateClass = (state) => (state === "unseen" ? "unvisited" : state);
