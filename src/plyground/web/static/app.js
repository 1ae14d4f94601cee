// The shell: the bar with the menu, the router, theme and language. Pages are listed in pages.js.

import { about, get } from "/static/api.js";
import { announce, toast } from "/static/dialogs.js";
import { fill, h, sign, store } from "/static/dom.js";
import { LANGUAGES, addWords, language, learnLines, setLanguage, t } from "/static/i18n.js";
import { keys, showKeys } from "/static/keyboard.js";
import { PAGES } from "/static/pages.js";

const main = document.getElementById("page");
const bar = document.querySelector(".bar");
let unmount = null;
let shown = null;
let turn = 0;
let silence = null; // while the server does not answer: { wish, certain, timer }

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

// What is on its way, or there. What did not come is asked for again the next time.
const loading = new Map();
function once(address, load) {
  if (!loading.has(address)) {
    loading.set(address, load().catch((error) => {
      loading.delete(address);
      throw error;
    }));
  }
  return loading.get(address);
}

function loadStyle(address) {
  if (!address) return null;
  if (Array.isArray(address)) return Promise.all(address.map(loadStyle));
  return once(address, () => new Promise((resolve, reject) => {
    const named = document.querySelector(`link[rel="stylesheet"][href="${address}"]`); // by the page as it was sent
    if (named?.sheet) {
      resolve();
      return;
    }
    const link = named ?? h("link", { rel: "stylesheet", href: address });
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new TypeError(address));
    };
    if (!named) document.head.append(link);
  }));
}

function loadWords(name, spoken = language()) {
  const address = `/static/words/${name}.${spoken}.json`;
  return once(address, async () => {
    const answer = await fetch(address);
    if (!answer.ok) throw new TypeError(address);
    addWords({ [spoken]: await answer.json() });
  });
}

// How lines of the server are put into Chinese; without it they stay English.
async function loadLines() {
  try {
    learnLines((await import("/static/i18n/zh_lines.js")).chineseLine);
  } catch {
    loading.delete("lines");
  }
}

const pageWords = (page, spoken = language()) => Promise.all([
  ...(page?.words ?? []).map((name) => loadWords(name, spoken)),
  spoken === "zh" ? once("lines", loadLines) : null,
]);

// The module of a page, with its style sheets and words, for whatever shows it as a part.
async function loadPage(path) {
  const page = PAGES.find((one) => one.path === path);
  const [module] = await Promise.all([import(page.module), loadStyle(page.style), pageWords(page)]);
  return module;
}

async function switchLanguage() {
  const other = language() === "en" ? "zh" : "en";
  try {
    await pageWords(find(location.pathname)?.page, other);
  } catch {
    toast(t("error.network"), "bad");
    return;
  }
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
  if (silence) silence.wish = "nothing"; // what the page before has missed
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
  } catch {
    if (mine === turn) unreached(page);
    return;
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

// A page whose parts did not come says so at its own address.
function unreached(page) {
  const first = !shown;
  leave();
  shown = { address: location.pathname, kept: {} };
  setTitle(t(page.title));
  fill(main, h("div.page", h("header", h("h1", t(page.title)), h("p.lead", { role: "alert" }, t("unreached.text"))), tryAgain("primary")));
  main.focus({ preventScroll: true });
  unanswered("reload", !first);
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

let there = {}; // what the server has besides what it always has
const isListed = (page) => !page.needs || there[page.needs];
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
  const explored = PAGES.filter((page) => page.menu === true && isListed(page));
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
      tool("look", t("menu.look"), showLook, sign("theme")),
      tool("keys", t("keys.title"), showKeys, sign("keyboard")),
      opener));
  if (had) bar.querySelector(`[data-tool="${had}"]`)?.focus();
  document.querySelector(".skip").textContent = t("menu.skip");
}

async function showLook() {
  try {
    (await import("/static/look.js")).openLook({ presenting, present });
  } catch {
    toast(t("error.network"), "bad");
  }
}

// For a projector, while the tab is open.
const presenting = () => "present" in document.documentElement.dataset;
const leaving = h("button.button.present-leave", { type: "button", onclick: () => present(false) });

function present(on = !presenting()) {
  document.documentElement.toggleAttribute("data-present", on);
  try {
    if (on) sessionStorage.setItem("plyground.present", "on");
    else sessionStorage.removeItem("plyground.present");
  } catch {
    // Without storage it lasts until the page is loaded again.
  }
  drawLeaving();
  window.dispatchEvent(new Event("resize")); // what is drawn to measure is drawn again
  toast(t(on ? "present.on" : "present.off"));
}

function drawLeaving() {
  leaving.textContent = t("present.leave");
  if (presenting()) document.body.append(leaving);
  else leaving.remove();
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
  drawLeaving();
  show({ again: true });
});
keys([
  { key: "?", label: "keys.help", run: showKeys },
  { key: "d", label: "keys.theme", run: toggleTheme },
  { key: "s", label: "keys.present", run: () => present() },
  { key: "Escape", run: () => presenting() && present(false) },
  { key: "l", label: "keys.language", run: switchLanguage },
]);

// What whoever plays here must know of the server: which of its files it could not read. Shown on every page.
let damaged = [];
let shownKept = false; // whether something on the page is what the browser has kept
function drawNotice() {
  const lines = damaged.map((which) => h("p", t(`damaged.${which}`)));
  if (silence && silence.wish !== "reload") lines.push(h("p", t(shownKept ? "kept.line" : "error.network"), " ", tryAgain("small")));
  fill(document.getElementById("notice"), lines);
}

// A server that does not answer: a line on the page says so, and it is asked until it does. Then the page is shown again if
// it has missed something. Where parts of it are missing all of it is loaded, since a server that was started anew may have
// other parts; but not if the server was there all the time, which would never end.
const PAUSE = 1500;
const WISHES = ["nothing", "kept", "again", "reload"];

function unanswered(wish, certain = true) {
  shownKept ||= wish === "kept";
  silence ??= { wish: "nothing", certain, timer: setInterval(listen, PAUSE) };
  if (WISHES.indexOf(wish) > WISHES.indexOf(silence.wish)) silence.wish = wish;
  drawNotice();
}

async function listen({ certain = false } = {}) {
  const there = await fetch("/health").then(({ ok, status }) => ok || status === 503, () => false); // 503: it cannot keep games
  if (!silence) return;
  silence.certain ||= certain || !there;
  if (!there || !silence.certain) return;
  const { wish, timer } = silence;
  silence = null;
  shownKept = false;
  clearInterval(timer);
  drawNotice();
  if (wish === "reload") location.reload();
  else if (wish === "again" || wish === "kept") show({ again: true });
}

const tryAgain = (look) => h(`button.button.${look}`, { type: "button", onclick: () => listen({ certain: true }) }, sign("again"), t("unreached.again"));
window.addEventListener("plyground:unanswered", ({ detail }) => unanswered(detail));

// Almost every page needs it, and it is on its way while the page's modules are.
about().then((found) => {
  damaged = found.damaged;
  drawNotice();
  if (!found.workshop) return;
  there = found;
  drawBar(find(location.pathname)?.page);
}).catch(() => {});
drawLeaving();
show();

// Pages that can be read without the server. What is fetched for that comes after the page itself, and not where it would be
// in the way. Browsers allow it on encrypted pages and on this machine alone.
const { effectiveType = "4g", saveData } = navigator.connection ?? {};
if (window.isSecureContext && window.top === window && !saveData && effectiveType === "4g") {
  const begin = () => navigator.serviceWorker?.register("/offline.js").catch(() => {});
  const idle = () => (window.requestIdleCallback ?? setTimeout)(begin, { timeout: 5000 });
  if (document.readyState === "complete") idle();
  else window.addEventListener("load", idle);
}
