// A board of squares to press, for eyes, pointers, keyboards and screen readers; what is on it the page decides.
//
//   const board = squares({ rows: 8, columns: 8, label, names, press([r, c]), over([r, c] | null), slide(from, to) })
//   board.element                          an SVG; a square is 40 units wide
//   board.draw(([r, c]) => ({ look: "queens-dark", parts: [...], label: "3, 4", off: true }), ...overlay)
//   board.focus([r, c]?)                   moves the keyboard's focus there, or where it was last
//
// The arrows, Home, End, PageUp and PageDown go from square to square, Enter and Space press. `parts` are drawn in the
// square, whose corner is 0, 0, and the overlay above all squares. `names` are [those of columns, those of rows].
// `slide` is told when something was dragged from one square to another.

import { fill, s } from "/static/dom.js";

export const SIDE = 40;
const EDGE = 18;

export function squares({ rows, columns, label, names, press, over = () => {}, slide = () => {} }) {
  const groups = new Map();
  const key = (cell) => cell.join(",");
  const cellOf = (element) => groups.get(element?.closest?.("[data-cell]")?.dataset.cell)?.cell;
  let [home, held] = [[0, 0], null];
  const lines = Array.from({ length: rows }, (_, r) => s("g", { role: "row", "aria-rowindex": r + 1 }, Array.from({ length: columns }, (__, c) => {
    const group = s("g.square-cell", { role: "gridcell", "aria-colindex": c + 1, tabindex: r || c ? -1 : 0, "data-cell": key([r, c]), transform: `translate(${c * SIDE} ${r * SIDE})` });
    groups.set(key([r, c]), { group, cell: [r, c] });
    return group;
  })));
  const above = s("g", { "aria-hidden": "true" });
  const letters = [
    ...Array.from({ length: columns }, (_, c) => s("text.square-name", { x: (c + 0.5) * SIDE, y: -5 }, names[0][c])),
    ...Array.from({ length: rows }, (_, r) => s("text.square-name", { x: -9, y: (r + 0.5) * SIDE + 4 }, names[1][r])),
  ];
  const element = s("svg.squares", { viewBox: `${-EDGE - 2} ${-EDGE - 2} ${columns * SIDE + EDGE + 4} ${rows * SIDE + EDGE + 4}`, role: "grid", "aria-label": label, "aria-rowcount": rows, "aria-colcount": columns },
    s("g", { "aria-hidden": "true" }, letters), lines, above);

  function focus(cell = home) {
    groups.get(key(home)).group.setAttribute("tabindex", "-1");
    home = cell;
    const { group } = groups.get(key(home));
    group.setAttribute("tabindex", "0");
    group.focus();
  }

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [r, c] = home;
    const to = {
      ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], ArrowUp: [r - 1, c], ArrowDown: [r + 1, c],
      Home: [r, 0], End: [r, columns - 1], PageUp: [0, c], PageDown: [rows - 1, c], Enter: home, " ": home,
    }[event.key];
    if (!to) return;
    event.preventDefault();
    if (to === home) press(home);
    else focus([Math.min(rows - 1, Math.max(0, to[0])), Math.min(columns - 1, Math.max(0, to[1]))]);
  });
  element.addEventListener("focusin", ({ target }) => over(cellOf(target) ?? null));
  element.addEventListener("focusout", () => over(null));
  element.addEventListener("pointerover", ({ target, pointerType }) => pointerType !== "touch" && over(cellOf(target) ?? null));
  element.addEventListener("pointerleave", () => over(null));
  element.addEventListener("pointerdown", ({ target }) => { held = cellOf(target) ?? null; });
  element.addEventListener("pointerup", ({ clientX, clientY }) => {
    const to = cellOf(document.elementFromPoint(clientX, clientY)); // a finger that has moved is still that of its first square
    if (held && to && key(held) !== key(to)) slide(held, to);
    held = null;
  });
  element.addEventListener("mousedown", (event) => event.preventDefault()); // a click does not mean to move the focus
  element.addEventListener("click", ({ target }) => {
    const cell = cellOf(target);
    if (cell) press(cell);
  });

  return {
    element,
    focus,
    draw(show, ...overlay) {
      for (const { group, cell } of groups.values()) {
        const { look = "", parts = [], label: name, off = false } = show(cell);
        fill(group, s("rect", { class: `square ${look}`, width: SIDE, height: SIDE }), parts, s("rect.square-ring", { x: 2, y: 2, width: SIDE - 4, height: SIDE - 4 }));
        group.setAttribute("aria-label", name);
        group.setAttribute("aria-disabled", String(off));
      }
      fill(above, overlay);
    },
  };
}
