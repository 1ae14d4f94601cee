// Elements in one line.
//
//   h("button.primary", { type: "button", onclick: run, "aria-label": "Go" }, "text", child, [more])   an HTML element
//   s("circle.dot", { cx: 1, cy: 2, r: 3 })                                                             an SVG element
//   sign("undo")                 one of the icons below, hidden from screen readers
//   fill(parent, ...children)    replaces what is in an element
//   stored("sound", "off"), store("sound", "on")   what this browser keeps; without storage, what is usual
//   breakable("mcts:c=1,form=plain")   a text whose lines may break after each : , and =
//   svgFromText(text)            a picture made by the server, as an element; scripts are left out
//
// Attributes whose value is null, undefined or false are left out; functions become listeners; `style` is an object of
// properties set through the CSSOM, because the page's policy forbids style attributes; `dataset` is an object.

const SVG = "http://www.w3.org/2000/svg";

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "style") {
      for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    } else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function split(selector) {
  const [tag, ...classes] = selector.split(".");
  return [tag, classes];
}

const isAttributes = (value) =>
  value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);

export function h(selector, ...rest) {
  const [tag, classes] = split(selector);
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return make(element, isAttributes(rest[0]) ? rest.shift() : {}, rest);
}

export function s(selector, ...rest) {
  const [tag, classes] = split(selector);
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  return make(element, isAttributes(rest[0]) ? rest.shift() : {}, rest);
}

export const breakable = (text) => text.split(/(?<=[:,=])/).flatMap((part) => [h("wbr"), part]);

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

const SIGNS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  theme: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 4v16M12 8l6-1.5M12 12h8M12 16l6 1.5",
  keyboard: "M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  undo: "M8 6L4 10l4 4M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M16 6l4 4-4 4M20 10H10a5 5 0 0 0 0 10h3",
  down: "M7 10l5 5 5-5",
  load: "M12 15V4M7.500 8L12 3.500 16.500 8M5 20h14",
  save: "M12 4v11M7.500 11l4.500 4.500L16.500 11M5 20h14",
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
  last: "M18 5v14M6 6l8 6-8 6z",
  play: "M8.5 5.5v13l10.5-6.5z",
  stop: "M6.5 6.5h11v11h-11z",
  hint: "M9 17h6M10 20h4M12 4a5.5 5.5 0 0 0-3.2 10c.7.6 1 1.2 1.1 2h4.2c.1-.8.4-1.4 1.1-2A5.5 5.5 0 0 0 12 4z",
  graph: "M4 19h16M4 15l5-5 4 3 7-8",
  flag: "M6 21V4M6 5c4-2 7 2 12 0v9c-5 2-8-2-12 0",
  again: "M20 12a8 8 0 1 1-2.4-5.7M20 4v4.5h-4.5",
  swap: "M7 4L4 7l3 3M4 7h13M17 14l3 3-3 3M20 17H7",
  flip: "M12 3v18M8 7l-4 5 4 5zM16 7l4 5-4 5z",
  sound: "M5 9.5v5h3l4.5 4V5.5L8 9.5zM16 9a4.5 4.5 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  silent: "M5 9.5v5h3l4.5 4V5.5L8 9.5zM16.5 9.5l5 5M21.5 9.5l-5 5",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
  copy: "M9 9h10v11H9zM6 15H5V4h10v2",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.500l4.500 4.500L19 7.500",
  even: "M6 9.500h12M6 14.500h12",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 2",
  person: "M12 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM5 20c.6-4 3.400-6 7-6s6.400 2 7 6",
  program: "M6 7h12v11H6zM12 7V4M9.500 11.500h.01M14.500 11.500h.01M9.500 15h5M3.500 11v3M20.500 11v3",
  network: "M3 6.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M3 17.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M10 12a2 2 0 1 0 4 0 2 2 0 1 0-4 0M17 6.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M17 17.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6.600 7.700l3.800 3M6.600 16.300l3.800-3M13.600 10.700l3.800-3M13.600 13.300l3.800 3",
  dice: "M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
  search: "M10.500 5a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM15 15l5 5",
  tree: "M12 4v4M12 8L6 13M12 8l6 5M6 13v3M18 13v3M12 8v8M6 16.500v3M12 16.500v3M18 16.500v3",
  arms: "M6 20V9M12 20V4M18 20v-7",
  cap: "M12 5L2 9.500l10 4.500 10-4.500zM6 11.500v5c3.500 2.500 8.500 2.500 12 0v-5M22 9.500v5",
  cup: "M8 4h8v5a4 4 0 0 1-8 0zM8 5H5c0 3 1 4.500 3.200 5M16 5h3c0 3-1 4.500-3.200 5M12 13v4M8.500 20h7M12 17v3",
  book: "M12 6.500C10 5 7 4.500 3.500 4.500v13c3.500 0 6.500.5 8.500 2 2-1.500 5-2 8.500-2v-13C17 4.500 14 5 12 6.500zM12 6.500v13",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  crown: "M5 18L3.5 8l5 4L12 5l3.500 7 5-4L19 18z",
  cave: "M3 20c0-9 4-15 9-15s9 6 9 15zM9.500 20v-4a2.500 2.500 0 0 1 5 0v4",
  pac: "M19 7.500A8 8 0 1 0 19 16.500L12 12z",
  cards: "M8 4h11v13H8zM8 7.500H5V20h10v-3M13.500 8l2 2.500-2 2.500-2-2.500z",
  scales: "M12 4v16M8 20h8M5 7h14M5 7l-2.500 6h5zM19 7l-2.500 6h5z",
  pen: "M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19zM14 6.500l3.500 3.500",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13",
};

export function sign(name) {
  return s("svg.sign", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: SIGNS[name] }));
}

export function svgFromText(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.nodeName !== "svg") return s("svg");
  root.querySelectorAll("script, foreignObject").forEach((element) => element.remove());
  return document.importNode(root, true);
}

export function stored(name, usual = null) {
  try {
    return localStorage.getItem(`plyground.${name}`) ?? usual;
  } catch {
    return usual;
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(`plyground.${name}`, value);
  } catch {
    // A visitor without storage has it as usual next time.
  }
}
