// The shell: the bar with the menu, the router, theme and language. Pages are listed in pages.js.

import { about, get } from "/static/api.js";
import { announce, toastError } from "/static/dialogs.js";
import { fill, h, sign, store } from "/static/dom.js";
import { LANGUAGES, addWords, language, setLanguage, t } from "/static/i18n.js";
import { keys, showKeys } from "/static/keyboard.js";
import { PAGES } from "/static/pages.js";

const main = document.getElementById("page");
const bar = document.querySelector(".bar");
let unmount = null;
let shown = null;
let turn = 0;

// Routes -------------------------------------------------------------------------------------------------------------

const routes = PAGES.map((page) => {
  const names = [];
  const pattern = page.path.replace(/\/:(\w+)(\?)?/g, (_, name, optional) => {
    names.push(name);
    return optional ? "(?:/([^/]+))?" : "/([^/]+)";
  });
  return { page, names, pattern: new RegExp(`^${pattern}/?$`) };
});

function find(pathname) {
  for (const { page, names, pattern } of routes) {
    const match = pattern.exec(pathname);
    if (match) {
      const params = Object.fromEntries(names.map((name, i) => [name, match[i + 1] && decodeURIComponent(match[i + 1])]));
      return { page, params };
    }
  }
  return null;
}

const sheets = new Map();
function loadStyle(address) {
  if (!address) return null;
  if (Array.isArray(address)) return Promise.all(address.map(loadStyle));
  if (!sheets.has(address)) {
    sheets.set(address, new Promise((resolve) => {
      const link = h("link", { rel: "stylesheet", href: address });
      link.onload = link.onerror = resolve;
      document.head.append(link);
    }));
  }
  return sheets.get(address);
}

const dictionaries = new Map();
function loadWords(name, spoken = language()) {
  const address = `/static/words/${name}.${spoken}.json`;
  if (!dictionaries.has(address)) {
    dictionaries.set(address, fetch(address).then((answer) => answer.json()).then((found) => addWords({ [spoken]: found })));
  }
  return dictionaries.get(address);
}

const pageWords = (page, spoken) => Promise.all((page?.words ?? []).map((name) => loadWords(name, spoken)));

// The module of a page, with its style sheets and words, for whatever shows it as a part.
async function loadPage(path) {
  const page = PAGES.find((one) => one.path === path);
  const [module] = await Promise.all([import(page.module), loadStyle(page.style), pageWords(page)]);
  return module;
}

async function switchLanguage() {
  const other = language() === "en" ? "zh" : "en";
  await pageWords(find(location.pathname)?.page, other);
  setLanguage(other);
}

export function navigate(path, { replace = false } = {}) {
  if (path !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"]({}, "", path);
  return show();
}

function setQuery(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const item of value === null || value === undefined ? [] : [value].flat()) query.append(name, item);
  }
  const text = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  history.replaceState({}, "", location.pathname + (text ? `?${text}` : ""));
}

const setTitle = (text) => { document.title = text ? `${text} · Plyground` : "Plyground"; };

async function show({ again = false } = {}) {
  const mine = ++turn;
  const found = find(location.pathname);
  const kept = again && shown?.address === location.pathname ? shown.kept : {};
  drawBar(found?.page);
  if (!found) {
    leave();
    setTitle(t("missing.title"));
    fill(main, h("div.page", h("header", h("h1", t("missing.title")), h("p.lead", t("missing.text"))), h("a.button.primary", { href: "/" }, t("missing.home"))));
    return;
  }
  const { page, params } = found;
  let module;
  try {
    module = await loadPage(page.path);
  } catch (error) {
    if (mine === turn) toastError(error);
    throw error;
  }
  if (mine !== turn) return;
  const moved = shown && !again;
  leave();
  shown = { address: location.pathname, kept };
  setTitle(page.path === "/" ? "" : t(page.title));
  const root = fill(main, h("div")).firstChild;
  unmount = module.mount(root, { params, query: new URLSearchParams(location.search), navigate, setQuery, setTitle, loadStyle, loadPage, kept }) ?? null;
  if (page.menu === true) get(`/api/ready${page.path}`).catch(() => {}); // what it may need is compiled ahead
  if (moved) {
    window.scrollTo(0, 0);
    // The bar was redrawn when the visitor left: whoever is in it has gone there while the page was on its way.
    if (!bar.contains(document.activeElement)) main.focus({ preventScroll: true });
    announce(t(page.title));
  }
}

function leave() {
  unmount?.();
  unmount = null;
  main.replaceChildren();
}

window.addEventListener("popstate", () => show());
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname || !find(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});

// The bar ------------------------------------------------------------------------------------------------------------

const brand = bar.querySelector(".brand");

const addressOf = (page) => page.path.replace(/\/:.*/, "") || "/";

// A button that shows and hides something of the menu; Escape, and whatever happens elsewhere, hides it.
function opens(button, what) {
  const set = (open) => {
    what.classList.toggle("shown", open);
    button.setAttribute("aria-expanded", String(open));
  };
  const away = ({ target }) => { if (!button.contains(target) && !what.contains(target)) set(false); };
  set(false);
  button.setAttribute("aria-controls", what.id);
  button.addEventListener("click", () => {
    set(!what.classList.contains("shown"));
    if (what.classList.contains("shown")) what.querySelector("a")?.focus();
  });
  for (const element of [button, what]) {
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !what.classList.contains("shown")) return;
      event.stopPropagation();
      set(false);
      button.focus();
    });
  }
  closers.push(away);
}

let closers = [];
for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, (event) => closers.forEach((close) => close(event)));

function drawBar(current) {
  const had = document.activeElement?.dataset?.tool;
  const other = language() === "en" ? "zh" : "en";
  closers = [];
  const here = (page) => (page.title === current?.title ? "page" : null);
  const door = (page) => h("a", { href: addressOf(page), "aria-current": here(page) }, sign(page.sign), t(page.title));
  const explored = PAGES.filter((page) => page.menu === true);
  let group = explored.map(door);
  if (group.length > 1) {
    const list = h("div.explored", { id: "explored" }, group);
    const more = h("button.explore", { type: "button", dataset: { here: explored.some(here) } }, t("menu.explore"), sign("down"));
    opens(more, list);
    group = h("div.group", h("p.group-name", t("menu.explore")), more, list);
  }
  const read = h("a", { href: language() === "zh" ? "/docs/zh/" : "/docs/" }, sign("book"), t("menu.read"));
  const menu = h("nav.pages", { id: "pages", "aria-label": t("menu.pages") }, PAGES.filter((page) => page.menu === "bar").map(door), read, group);
  const opener = h("button.button.quiet.icon.menu", { type: "button", "aria-label": t("menu.open") }, sign("menu"));
  opens(opener, menu);
  const tool = (name, label, run, ...content) =>
    h("button.button.quiet.icon", { type: "button", "aria-label": label, title: label, dataset: { tool: name }, onclick: run }, content);
  brand.setAttribute("aria-label", t("menu.home"));
  fill(bar,
    brand,
    menu,
    h("div.tools",
      h("button.button.quiet.language", { type: "button", lang: other === "zh" ? "zh-Hans" : "en", title: LANGUAGES[other], dataset: { tool: "language" }, onclick: switchLanguage }, other === "zh" ? "中文" : "EN"),
      tool("theme", t("menu.theme"), toggleTheme, sign("theme")),
      tool("keys", t("keys.title"), showKeys, sign("keyboard")),
      opener));
  if (had) bar.querySelector(`[data-tool="${had}"]`)?.focus();
  document.querySelector(".skip").textContent = t("menu.skip");
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  store("theme", root.dataset.theme);
  announce(t(dark ? "theme.light" : "theme.dark"));
}

window.addEventListener("plyground:language", () => {
  drawNotice();
  show({ again: true });
});
keys([
  { key: "?", label: "keys.help", run: showKeys },
  { key: "d", label: "keys.theme", run: toggleTheme },
  { key: "l", label: "keys.language", run: switchLanguage },
]);

// What whoever plays here must know of the server: which of its files it could not read. Shown on every page.
let damaged = [];
function drawNotice() {
  document.getElementById("notice").replaceChildren(...damaged.map((which) => h("p", t(`damaged.${which}`))));
}

// Almost every page needs it, and it is on its way while the page's modules are.
about().then((found) => {
  damaged = found.damaged;
  drawNotice();
}).catch(() => {});
show();
