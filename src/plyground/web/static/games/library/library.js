// All games of the visitor: found by game, opponent, result, date and words; chosen, taken away, removed and brought back.
// What is wanted is in the address.

import { about as askAbout, get } from "/static/api.js";
import { announce, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { field, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { gameTitle, playerTitle } from "/static/games/play/games.js";
import { gameRow, removed } from "/static/games/play/list.js";

const PER_PAGE = 20;
const RESULTS = ["open", "finished", "won", "lost", "draw"];
const SORTS = ["newest", "oldest", "longest", "shortest"];
const FILTERS = ["text", "game", "opponent", "result", "since", "until", "sort"];
const DAY = 86_400_000;

// A day as a field gives it, in seconds at its beginning here.
const seconds = (day, days = 0) => {
  const when = new Date(`${day}T00:00`).getTime() + days * DAY;
  return when >= 0 ? when / 1000 : "";
};

export function mount(root, { query, setQuery }) {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  let page = Math.max(0, (Number(query.get("page")) || 1) - 1);
  let about = null;
  let turn = 0;
  let timer = 0;
  const chosen = new Map();
  const filters = h("form.library-filters", { role: "search", onsubmit: (event) => event.preventDefault() });
  const note = h("div");
  const count = h("p.muted", { role: "status" });
  const tools = h("div.row.library-tools");
  const list = h("ul.library-list");
  const pages = h("nav.row.library-pages", { "aria-label": t("library.pages") });

  function asked() {
    const { since, until, ...rest } = wanted;
    const told = { ...rest, since: since && seconds(since), until: until && seconds(until, 1) };
    return new URLSearchParams(Object.entries(told).filter(([, value]) => value !== ""));
  }

  async function load(said = null) {
    const mine = ++turn;
    const query = asked();
    query.set("limit", PER_PAGE);
    query.set("offset", page * PER_PAGE);
    try {
      const [found, known] = await Promise.all([get(`/api/library?${query}`), askAbout()]);
      if (mine !== turn) return;
      about = known;
      if (page && !found.games.length && found.found) {
        page = Math.ceil(found.found / PER_PAGE) - 1;
        load(said);
        return;
      }
      fill(note, said);
      draw(found);
    } catch (error) {
      toastError(error);
    }
  }

  function change(name, value) {
    wanted[name] = value;
    page = 0;
    chosen.clear();
    setQuery({ ...Object.fromEntries(FILTERS.map((key) => [key, wanted[key] || null])), page: null });
    load();
  }

  function drawFilters(found) {
    const one = (name, items) => field(t(`library.${name}`), select([["", t("library.any")], ...items], wanted[name], (value) => change(name, value)));
    // What was chosen stays to be chosen from, also where there is none of it any more.
    const named = (pairs, value, title) => {
      const known = value && !pairs.some(([key]) => key === value) ? [...pairs, [value, 0]] : pairs;
      return known.map(([key, many]) => [key, t("library.many", { title: title(key), count: many })]);
    };
    const text = h("input", { type: "search", value: wanted.text, maxlength: 200, placeholder: t("library.text.example"), autocomplete: "off", spellcheck: "false", oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => change("text", text.value.trim()), 250);
    } });
    const day = (name) => h("input", { type: "date", value: wanted[name], onchange: ({ target }) => change(name, target.value) });
    fill(filters,
      field(t("library.text"), text),
      one("game", named(found.by_game, wanted.game, (name) => gameTitle(name, about))),
      one("opponent", named(found.by_opponent, wanted.opponent, opponentTitle)),
      one("result", RESULTS.map((key) => [key, t(`library.result.${key}`)])),
      field(t("library.since"), day("since")),
      field(t("library.until"), day("until")),
      field(t("library.sort"), select(SORTS.map((key) => [key, t(`library.sort.${key}`)]), wanted.sort || "newest", (value) => change("sort", value === "newest" ? "" : value))));
  }

  // The same player has a card in several games.
  const opponentTitle = (spec) => {
    if (spec === "human") return t("play.human");
    const game = Object.keys(about.cards).find((name) => about.cards[name].some((card) => card.spec === spec));
    return game ? playerTitle(spec, game, about) : spec;
  };

  function draw(found) {
    if (!filters.contains(document.activeElement)) drawFilters(found);
    fill(count, found.all ? t("library.found", { count: found.found, all: found.all }) : "");
    filters.hidden = tools.hidden = !found.all;
    const form = new Intl.DateTimeFormat(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
    fill(list, found.games.map((game) => {
      const title = gameTitle(game.game, about);
      const when = form.format(game.changed * 1000);
      const box = h("input", { type: "checkbox", checked: chosen.has(game.id), "aria-label": t("library.choose", { title, when }), onchange: () => {
        if (box.checked) chosen.set(game.id, game);
        else chosen.delete(game.id);
        drawTools(found);
      } });
      const query = new URLSearchParams({ game: game.game, moves: (game.moves ?? []).join(" "), ...(game.board && { board: game.board }) });
      return h("li", h("label.library-box", box), gameRow(game, about, when),
        h("span.row.library-acts",
          game.over && game.ply > 0 && h("a.button.quiet.small", { href: `/arena/games/${encodeURIComponent(`app/${game.id}/${game.at}`)}` }, sign("play"), t("library.replay")),
          game.over && game.ply > 0 && h("a.button.quiet.small", { href: `/analyze?${query}` }, sign("search"), t("page.analyze")),
          !game.over && h("a.button.small", { href: `/play/${game.id}` }, sign("next"), t("library.continue"))));
    }));
    if (!found.games.length) {
      fill(list, h("li.empty", t(found.all ? "library.none" : "library.empty"), " ", found.all
        ? h("button.button.small", { type: "button", onclick: clear }, t("library.clear"))
        : h("a.button.primary", { href: "/play" }, t("play.start"))));
    }
    drawTools(found);
    drawPages(found);
  }

  function clear() {
    for (const name of FILTERS) wanted[name] = "";
    document.activeElement?.blur();
    change("text", "");
  }

  function drawTools(found) {
    const own = [...chosen.values()].filter((game) => game.own);
    const all = found.games.length > 0 && found.games.every(({ id }) => chosen.has(id));
    const every = h("input", { type: "checkbox", checked: all, onchange: () => {
      for (const game of found.games) {
        if (every.checked) chosen.set(game.id, game);
        else chosen.delete(game.id);
      }
      draw(found);
      tools.querySelector("input").focus();
    } });
    const query = chosen.size ? new URLSearchParams([...chosen.keys()].map((id) => ["id", id])) : asked();
    const save = (format) => {
      query.set("format", format);
      return h("a.button.small", { href: `/api/library/export?${query}`, download: `games.${format}` }, sign("save"), t(`library.save.${format}`));
    };
    fill(tools,
      h("label.row.library-every", every, t("library.every")),
      h("span.small.muted", chosen.size ? t("library.chosen", { count: chosen.size }) : t("library.chosen.none")),
      ["txt", "csv", "json"].map(save),
      h("button.button.small.danger", { type: "button", disabled: !own.length, onclick: async () => {
        try {
          const said = await removed(own, () => {
            announce(t("library.back"));
            load();
          });
          if (!said) return;
          chosen.clear();
          await load(said);
          note.querySelector("button")?.focus();
        } catch (error) {
          toastError(error);
          load();
        }
      } }, sign("trash"), t("library.remove")));
  }

  function drawPages({ found }) {
    const last = Math.ceil(found / PER_PAGE) - 1;
    const go = (to) => {
      page = to;
      setQuery({ page: to ? to + 1 : null });
      load().then(() => list.scrollIntoView({ block: "nearest" }));
    };
    const button = (word, icon, to, off) => h("button.button.small", { type: "button", disabled: off, onclick: () => go(to) }, sign(icon), t(word));
    fill(pages, last > 0 && [button("library.before", "back", page - 1, page === 0), h("span.small.muted.tabular", t("library.page", { page: page + 1, of: last + 1 })), button("library.after", "next", page + 1, page >= last)]);
  }

  fill(root, h("div.page.stack.library", h("header", h("h1", t("page.library")), h("p.lead", t("page.library.about"))), filters, note, count, tools, list, pages));
  load();
  return () => {
    turn = -1;
    clearTimeout(timer);
  };
}
