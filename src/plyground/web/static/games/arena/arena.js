// The arena: begin a tournament, follow its tables and its boards, look through all games of the database.
//
// The address has tournament=<id> for one of them, with player= and opponent= for the games of a pair; game= and player=
// for the list of games; room=<id> for the room in which what is begun here will be shown.

import { about, get, lineOf, live, post, remove } from "/static/api.js";
import { announce, toastError } from "/static/dialogs.js";
import { breakable, fill, h, sign } from "/static/dom.js";
import { field, select } from "/static/fields.js";
import { liveBoards } from "/static/games/arena/boards.js";
import { classTournament } from "/static/games/arena/class_tournament.js";
import { calledBy, namesText, reasonText, resultText, titleOf } from "/static/games/arena/names.js";
import { newTournament } from "/static/games/arena/new_tournament.js";
import { crosstable, standingsTable } from "/static/games/arena/tables.js";
import { language, pick, t } from "/static/i18n.js";

const PAGE = 20;
const MOST_CROSSED = 40; // of a larger field the server sends no pairs
const EXPORTS = [["table", "csv"], ["table", "json"], ["crosstable", "csv"], ["games", "csv"], ["games", "json"], ["games", "txt"], ["games", "ggf"], ["games", "pgn"]];
const FORMS_OF_GAMES = { ggf: /^reversi(:size=8)?$/, pgn: /^chess(:|$)/ };

export const gameAddress = (key) => `/arena/games/${encodeURIComponent(key)}`;

export const pairAddress = (tournament, player, opponent) => `/arena?${new URLSearchParams({ tournament, player, opponent })}`;

export function mount(root, context) {
  const { query, setQuery, setTitle, navigate, kept } = context;
  const shown = query.get("tournament");
  const room = query.get("room");
  const page = h("div.page.stack.arena");
  fill(root, page);
  let known = null;
  let socket = null;
  let timer = 0;
  let frame = 0;

  // The games of the database ---------------------------------------------------------------------------------------

  const games = h("tbody");
  const more = h("button.button", { type: "button", hidden: true, onclick: () => load(true) }, t("arena.database.more"));
  const none = h("p.empty", t("arena.database.none"));
  const pair = h("p.row.arena-pair", { hidden: true });
  let last = null;
  let loads = 0;

  async function load(append = false) {
    const mine = ++loads;
    const filters = new URLSearchParams({ limit: PAGE });
    for (const name of ["game", "player", "opponent", "tournament"]) if (query.get(name)) filters.set(name, query.get(name));
    if (append && last !== null) filters.set("before", last);
    let found;
    try {
      found = await get(`/api/database/games?${filters}`);
    } catch (error) {
      toastError(error);
      return;
    }
    if (mine !== loads) return; // what was asked for later is right, whichever answer is faster
    const rows = found.map((one) => {
      const called = calledBy(known, one.game);
      return h("tr", { dataset: { key: one.key } },
        h("td", h("a", { href: gameAddress(one.key) }, breakable(namesText(one.players, called)))), !shown && h("td", titleOf(one.game, known), h("small.muted", whenText(one.started))), h("td", breakable(resultText(one, called)), reasonText(one) && h("span.muted", ` · ${reasonText(one)}`)),
        h("td.number", one.plies), shown && h("td.muted", whenText(one.started)));
    });
    if (append) games.append(...rows);
    else fill(games, rows);
    last = found.at(-1)?.index ?? last;
    none.hidden = games.children.length > 0;
    more.hidden = found.length < PAGE;
  }

  const whenText = (time) => {
    const date = typeof time === "number" ? new Date(time * 1000) : new Date(time);
    return Number.isNaN(date.getTime()) ? "" : date.toLocaleString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
  };

  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    setQuery(changes);
    last = null;
    return load();
  };

  function database() {
    const game = select([["", t("arena.filter.all")], ...known.games.map((one) => [one.name, pick(one.titles ?? one.title)])], query.get("game") ?? "", (value) => set({ game: value || null }));
    const player = h("input", { type: "search", value: query.get("player") ?? "", autocomplete: "off", onchange: () => set({ player: player.value.trim() || null }) });
    return h("section.panel.arena-games", h("header", h("h2", { tabindex: -1 }, t("arena.database"))), h("div.body.stack",
      shown ? pair : h("div.arena-filters", field(t("game"), game), field(t("arena.col.name"), player)),
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("arena.database") }, h("table.table", h("thead", h("tr", h("th", { scope: "col" }, t("arena.players")), !shown && h("th", { scope: "col" }, t("game")), h("th", { scope: "col" }, t("arena.col.result")), h("th.number", { scope: "col" }, t("arena.col.moves")), shown && h("th.when", { scope: "col" }, t("arena.col.when")))), games)), none, more));
  }

  // Beginning one ---------------------------------------------------------------------------------------------------

  async function start(wish) {
    const made = await post("/api/tournaments", { ...wish, ...(room && { room }) });
    navigate(room ? `/arena/room/${encodeURIComponent(room)}` : `/arena?tournament=${made.id}`);
  }

  async function listed() {
    const list = h("ul.arena-list");
    const [found, rooms] = await Promise.all(["/api/tournaments", "/api/arena/rooms"].map((path) => get(path).catch(() => [])));
    fill(list, found.length ? found.map((one) => h("li", h("a.card", { href: `/arena?tournament=${encodeURIComponent(one.id)}` },
      h("span.row.spread", h("strong", titleOf(one.game, known)), h("span.badge", { class: `badge ${one.state === "running" ? "accent" : one.state === "failed" ? "bad" : ""}` }, t(`arena.state.${one.state}`))),
      h("p", Array.isArray(one.players) ? one.players.map(calledBy(known, one.game)).join(", ") : t("arena.many", { count: one.players })), one.total && h("p.tabular", t("arena.progress", one))))) : h("li.empty", t("arena.tournaments.none")));
    return h("section.panel", h("header", h("h2", t("arena.tournaments"))), h("div.body.stack", list,
      rooms.length > 0 && h("p.row", t("arena.rooms"), rooms.slice(0, 5).map(({ id }) => h("a.button.small", { href: `/arena/room/${id}` }, id)))));
  }

  // One tournament --------------------------------------------------------------------------------------------------

  function tournament() {
    const title = h("h1", t("arena.tournament"));
    const badge = h("span.badge");
    const bar = h("progress.arena-progress", { max: 1, value: 0, "aria-label": t("arena.tournament") });
    const count = h("span.tabular.muted");
    const said = h("p.small.muted", { role: "status" });
    const table = standingsTable();
    const cross = crosstable();
    const boards = liveBoards();
    const boardsPanel = h("section.panel", { hidden: true }, h("header", h("h2", t("arena.boards"))), h("div.body", boards.element));
    const scrolled = (name, content) => h("div.body.scroll", { tabindex: 0, role: "region", "aria-label": name }, content);
    const crossPanel = h("section.panel.arena-cross", h("header", h("h2", t("arena.cross"))), scrolled(t("arena.cross"), cross.element), h("p.small.muted.arena-cross-help", t("arena.cross.help")));
    const stop = h("button.button.danger", { type: "button", hidden: true, onclick: () => remove(`/api/tournaments/${shown}`).catch(toastError) }, sign("stop"), t("arena.stop"));
    const resume = h("button.button", { type: "button", hidden: true, onclick: () => post(`/api/tournaments/${shown}/resume`).catch(toastError) }, sign("play"), t("arena.resume"));
    const project = h("button.button", { type: "button", hidden: true, onclick: () => post("/api/arena/rooms", { tournament: shown }).then(({ id }) => navigate(`/arena/room/${id}`)).catch(toastError) }, sign("person"), t("arena.room.open"));
    const takeAway = h("div.row");
    let now = null; // what is known of it
    let called = (name) => name;

    function facts(one) {
      now = { ...now, ...one };
      called = calledBy(known, one.game);
      title.textContent = titleOf(one.game, known);
      setTitle(t("title.of", { what: t("arena.tournament"), name: title.textContent }));
      badge.className = `badge ${one.state === "running" ? "accent" : one.state === "failed" ? "bad" : one.state === "done" ? "good" : ""}`;
      badge.textContent = t(`arena.state.${one.state}`);
      stop.hidden = one.state !== "running" || !now.yours;
      resume.hidden = one.state === "running" || one.state === "done" || !now.yours;
      project.hidden = !now.yours;
      said.textContent = one.message ? lineOf({ error: one.message, code: one.code }) : "";
      boardsPanel.hidden = one.state !== "running";
      if (one.state !== "running") boards.clear();
      fill(takeAway, EXPORTS.filter(([, form]) => (FORMS_OF_GAMES[form] ?? /./).test(one.game)).map(([what, form]) =>
        h("a.button.small", { href: `/api/tournaments/${encodeURIComponent(shown)}/${what}.${form}`, download: "" }, sign("save"), t(`arena.export.${what}.${form}`))));
      crossPanel.hidden = !one.players || one.players.length > MOST_CROSSED;
      drawPair();
    }

    // However fast games end, the tables are drawn once for each picture that the screen shows.
    function rows(message) {
      now = { ...now, ...message };
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        bar.max = now.total || 1;
        bar.value = now.done;
        count.textContent = t("arena.progress", now);
        table.show(now, called);
        cross.show(now, called, (...names) => pairAddress(shown, ...names));
      });
    }

    function drawPair() {
      const names = ["player", "opponent"].map((name) => query.get(name)).filter(Boolean);
      pair.hidden = !names.length;
      fill(pair, names.length > 0 && [h("strong", breakable(namesText(names, called))), h("button.button.small", { type: "button", onclick: () => {
        set({ player: null, opponent: null });
        drawPair();
        page.querySelector(".arena-games h2").focus();
      } }, sign("close"), t("arena.pair.all"))]);
    }

    // The games of a pair are on this page.
    cross.element.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      const wanted = new URL(link.href).searchParams;
      set({ player: wanted.get("player"), opponent: wanted.get("opponent") });
      drawPair();
      const heading = page.querySelector(".arena-games h2");
      heading.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
    });

    function hear(message) {
      const ran = now.state === "running";
      if (message.type === "tournament" || message.type === "end") facts(message);
      if (message.type === "table") {
        said.textContent = "";
        rows(message);
        if (message.ended) {
          boards.ended(message.ended.key);
          clearTimeout(timer);
          timer = setTimeout(() => load(), 400);
        }
      } else if (message.type === "board") {
        said.textContent = "";
        boards.show(message, called);
      } else if (message.type === "compiling") said.textContent = t("arena.compiling");
      if (message.type === "end" && ran) {
        load();
        announce(`${t(`arena.state.${message.state}`)}. ${t("arena.progress", message)}`);
      }
    }

    get(`/api/tournaments/${encodeURIComponent(shown)}`).then((one) => {
      facts(one);
      rows(one);
      load(); // not before: what is over has all its games
      socket = live(`/ws/tournaments/${encodeURIComponent(shown)}`, { message: hear });
    }).catch((error) => {
      toastError(error);
      navigate("/arena", { replace: true });
    });
    fill(page, h("header", h("p", h("a", { href: "/arena" }, t("arena.back"))), h("div.row", title, badge, h("span.arena-spring"), stop, resume, project), h("div.row.arena-count", bar, count), said),
      h("section.panel", h("header", h("h2", t("arena.table"))), scrolled(t("arena.table"), table.element)),
      boardsPanel, crossPanel, database(), h("section.panel.arena-export", h("header", h("h2", t("arena.export"))), h("div.body", takeAway)));
  }

  about().then(async (answer) => {
    known = answer;
    if (shown) {
      tournament();
      return;
    }
    const side = h("div.stack.arena-side", await listed(), database());
    fill(page, h("header", h("h1", t("page.arena")), h("p.lead", t("arena.lead"))),
      room && h("p.note", t("arena.room.next", { room }), " ", h("a", { href: `/arena/room/${encodeURIComponent(room)}` }, t("arena.room.back"))),
      h("div.arena-halves", h("div.stack", known.class.length > 0 && classTournament(known, (kept.class ??= {}), start), newTournament(known, (kept.form ??= {}), start)), side));
    load();
  }).catch(toastError);

  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    socket?.close();
  };
}
