// The arena: begin a tournament, follow its table and its boards, look through all games of the database.
//
// The address has tournament=<id> for one of them, game= and player= for the list of games.

import { about, get, lineOf, live, post, remove } from "/static/api.js";
import { miniature, pieceIcon, sideName } from "/static/board.js";
import { announce, toastError } from "/static/dialogs.js";
import { breakable, fill, h, sign, svgFromText } from "/static/dom.js";
import { field, optionFields, select, splitSpec, writeSpec } from "/static/fields.js";
import { classTournament } from "/static/games/arena/class_tournament.js";
import { language, pick, t } from "/static/i18n.js";

const KINDS = ["round-robin", "gauntlet", "swiss"];
const PAGE = 20;
const MOST_PLAYERS = 16;

export const gameAddress = (key) => `/arena/games/${encodeURIComponent(key)}`;

export const namesText = (players) => players.map((name) => (name === "human" ? t("play.human") : name)).join(" – ");

export function resultText({ winner, players }) {
  return winner === null || winner === undefined ? t("arena.draw") : t("arena.wins", { name: namesText([players[winner]]) });
}

// Why a game has ended, if it was not by the rules; a reason of no known kind is shown as it was written.
export function reasonText({ reason, ended }) {
  const { code, loser, seat, style, counted, ...facts } = ended ?? {};
  if (!reason || code === "over") return "";
  if (!code) return reason;
  const side = loser === null || !style ? seat : sideName(style, loser);
  return t(`arena.reason.${code}`, { side, ...facts }) + (counted ? t("arena.reason.counted", { score: counted.replace("-", "−") }) : "");
}

export function mount(root, context) {
  const { query, setQuery, setTitle, navigate, kept } = context;
  const shown = query.get("tournament");
  const page = h("div.page.stack.arena");
  fill(root, page);
  let known = null;
  let socket = null;
  let timer = 0;
  const form = (kept.form ??= { game: "tictactoe", players: ["random", "mcts:simulations=200", "alphabeta"], kind: "round-robin", games: "4", rounds: "", openings: null, move_time: "10", seed: "" });

  // The games of the database ---------------------------------------------------------------------------------------

  const games = h("tbody");
  const more = h("button.button", { type: "button", hidden: true, onclick: () => load(true) }, t("arena.database.more"));
  const none = h("p.empty", t("arena.database.none"));
  let last = null;
  let loads = 0;

  async function load(append = false) {
    const mine = ++loads;
    const filters = new URLSearchParams({ limit: PAGE });
    for (const name of ["game", "player"]) if (query.get(name)) filters.set(name, query.get(name));
    if (shown) filters.set("tournament", shown);
    if (append && last !== null) filters.set("before", last);
    let found;
    try {
      found = await get(`/api/database/games?${filters}`);
    } catch (error) {
      toastError(error);
      return;
    }
    if (mine !== loads) return; // what was asked for later is right, whichever answer is faster
    const rows = found.map((one) => h("tr", { dataset: { key: one.key } },
      h("td", h("a", { href: gameAddress(one.key) }, breakable(namesText(one.players)))), !shown && h("td", titleOf(one.game)), h("td", breakable(resultText(one)), reasonText(one) && h("span.muted", ` · ${reasonText(one)}`)),
      h("td.number", one.plies), h("td.muted", whenText(one.started))));
    if (append) games.append(...rows);
    else fill(games, rows);
    last = found.at(-1)?.index ?? last;
    none.hidden = games.children.length > 0;
    more.hidden = found.length < PAGE;
  }

  const titleOf = (spec) => {
    const game = known?.games.find(({ name }) => name === splitSpec(spec).name);
    const { options } = splitSpec(spec);
    return `${game ? pick(game.titles ?? game.title) : spec}${Object.keys(options).length ? ` (${Object.values(options).join(", ")})` : ""}`;
  };

  const whenText = (time) => {
    const date = typeof time === "number" ? new Date(time * 1000) : new Date(time);
    return Number.isNaN(date.getTime()) ? "" : date.toLocaleString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
  };

  function database() {
    const set = (changes) => {
      for (const [name, value] of Object.entries(changes)) {
        if (value) query.set(name, value);
        else query.delete(name);
      }
      setQuery(changes);
      last = null;
      load();
    };
    const game = select([["", t("arena.filter.all")], ...known.games.map((one) => [one.name, pick(one.titles ?? one.title)])], query.get("game") ?? "", (value) => set({ game: value || null }));
    const player = h("input", { type: "search", value: query.get("player") ?? "", autocomplete: "off", onchange: () => set({ player: player.value.trim() || null }) });
    return h("section.panel.arena-games", h("header", h("h2", t("arena.database"))), h("div.body.stack",
      !shown && h("div.arena-filters", field(t("game"), game), field(t("arena.col.name"), player)),
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("arena.database") }, h("table.table", h("thead", h("tr", h("th", t("arena.players")), !shown && h("th", t("game")), h("th", t("arena.col.result")), h("th.number", t("arena.col.moves")), h("th", t("arena.col.when")))), games)), none, more));
  }

  // A new tournament ------------------------------------------------------------------------------------------------

  function canPlay(name, spec) {
    const { programs, own } = known.games.find((one) => one.name === name);
    return programs.includes(splitSpec(spec).name) || own.includes(spec.trim());
  }

  function newTournament() {
    const error = h("p.error", { role: "alert" });
    const holder = h("form.stack", { onsubmit: begin });

    async function begin(event) {
      event.preventDefault();
      error.textContent = "";
      const button = holder.querySelector("[type=submit]");
      button.disabled = true;
      const number = (text) => (String(text).trim() === "" ? undefined : Number(text));
      try {
        const made = await post("/api/tournaments", {
          game: form.game, players: form.players.map((spec) => spec.trim()).filter(Boolean), kind: form.kind, games: number(form.games) ?? 2,
          rounds: form.kind === "swiss" ? number(form.rounds) : undefined, openings: number(form.openings), move_time: number(form.move_time) ?? null, seed: number(form.seed),
        });
        navigate(`/arena?tournament=${made.id}`);
      } catch (problem) {
        error.textContent = problem.message || t("error.network");
        button.disabled = false;
      }
    }

    function draw() {
      const { name, options } = splitSpec(form.game);
      const game = known.games.find((one) => one.name === name) ?? known.games[0];
      form.openings ??= String(game.openings);
      const programs = [...(known.cards[game.name] ?? []).map(({ spec, name: title, own }) => [spec, own ? spec : `${pick(title)}: ${spec}`]), ...game.programs.map((program) => [program, program])];
      const list = h("datalist", { id: "arena-specs" }, programs.map(([spec, title]) => h("option", { value: spec }, title)));
      const set = (key) => (event) => { form[key] = event.target.value; };
      const numbered = (key, extra = {}) => field(t(`arena.${key === "move_time" ? "movetime" : key}`), h("input", { type: "number", value: form[key], min: 0, step: key === "move_time" ? "any" : 1, oninput: set(key), ...extra }));
      fill(holder,
        field(t("game"), select(known.games.filter((one) => one.players === 2).map((one) => [one.name, pick(one.titles ?? one.title)]), name, (next) => {
          form.game = next;
          form.openings = null;
          form.players = form.players.map((spec) => (canPlay(next, spec) ? spec : "random"));
          draw();
        })),
        game.options.length > 0 && h("div.arena-options", optionFields(game.options, options, (key, value) => { form.game = writeSpec(name, { ...splitSpec(form.game).options, [key]: value }); })),
        h("fieldset.stack.arena-players", h("legend.label", t("arena.players")), list, form.players.map((spec, i) => h("div.row.arena-player",
          h("input.input.mono", { type: "text", value: spec, list: "arena-specs", autocomplete: "off", spellcheck: "false", "aria-label": t("arena.player", { number: i + 1 }), oninput: (event) => { form.players[i] = event.target.value; } }),
          h("button.button.quiet.icon.small", { type: "button", "aria-label": t("arena.player.remove", { number: i + 1 }), disabled: form.players.length <= 2, onclick: () => { form.players.splice(i, 1); draw(); } }, sign("close")))),
        h("button.button.small", { type: "button", disabled: form.players.length >= MOST_PLAYERS, onclick: () => { form.players.push(programs[Math.min(form.players.length, programs.length - 1)]?.[0] ?? "random"); draw(); } }, sign("plus"), t("arena.player.add"))),
        field(t("arena.kind"), select(KINDS.map((kind) => [kind, t(`arena.kind.${kind}`)]), form.kind, (kind) => { form.kind = kind; draw(); })),
        h("div.arena-options", form.kind === "swiss" ? numbered("rounds", { min: 1, placeholder: Math.ceil(Math.log2(form.players.length)) + 1 }) : null, numbered("games", { min: 1, max: 1000 }), numbered("openings", { max: 20 }), numbered("move_time"), numbered("seed", { placeholder: t("arena.seed.any") })), h("p.small.muted", t("arena.openings.help")),
        error, h("button.button.primary.large", { type: "submit" }, sign("cup"), t("arena.start")));
    }
    draw();
    return h("section.panel", h("header", h("h2", t("arena.new"))), h("div.body", holder));
  }

  async function listed() {
    const list = h("ul.arena-list");
    const found = await get("/api/tournaments").catch(() => []);
    fill(list, found.length ? found.map((one) => h("li", h("a.card", { href: `/arena?tournament=${encodeURIComponent(one.id)}` },
      h("span.row.spread", h("strong", titleOf(one.game)), h("span.badge", { class: `badge ${one.state === "running" ? "accent" : one.state === "failed" ? "bad" : ""}` }, t(`arena.state.${one.state}`))),
      h("p", one.players.join(", ")), one.total && h("p.tabular", t("arena.progress", one))))) : h("li.empty", t("arena.tournaments.none")));
    return h("section.panel", h("header", h("h2", t("arena.tournaments"))), h("div.body", list));
  }

  // One tournament --------------------------------------------------------------------------------------------------

  function tournament() {
    const title = h("h1", t("arena.tournament"));
    const badge = h("span.badge");
    const bar = h("progress.arena-progress", { max: 1, value: 0, "aria-label": t("arena.tournament") });
    const count = h("span.tabular.muted");
    const said = h("p.small.muted", { role: "status" });
    const table = h("table.table.arena-table");
    const boards = h("div.arena-boards");
    const boardsPanel = h("section.panel", { hidden: true }, h("header", h("h2", t("arena.boards"))), h("div.body", boards));
    const tiles = new Map();
    const stop = h("button.button.danger", { type: "button", hidden: true, onclick: () => remove(`/api/tournaments/${shown}`).catch(toastError) }, sign("stop"), t("arena.stop"));
    const resume = h("button.button", { type: "button", hidden: true, onclick: () => post(`/api/tournaments/${shown}/resume`).then(() => navigate(`/arena?tournament=${shown}`)).catch(toastError) }, sign("play"), t("arena.resume"));

    function facts(one) {
      title.textContent = titleOf(one.game);
      setTitle(`${t("arena.tournament")}: ${titleOf(one.game)}`);
      badge.className = `badge ${one.state === "running" ? "accent" : one.state === "failed" ? "bad" : one.state === "done" ? "good" : ""}`;
      badge.textContent = t(`arena.state.${one.state}`);
      stop.hidden = one.state !== "running";
      resume.hidden = one.state !== "stopped" && one.state !== "failed";
      said.textContent = one.message ? lineOf({ error: one.message, code: one.code }) : "";
      boardsPanel.hidden = one.state !== "running";
      if (one.state !== "running") {
        tiles.clear();
        fill(boards, h("p.muted", t("arena.boards.none")));
      }
    }

    function rows({ rows: lines, done, total }) {
      bar.max = total || 1;
      bar.value = done;
      count.textContent = t("arena.progress", { done, total });
      const columns = ["games", "wins", "draws", "losses"];
      const elo = ({ elo: value, bound, low, high }) => (value === null || value === undefined ? "–" : `${bound === "at least" ? "≥ " : bound === "at most" ? "≤ " : ""}${String(Math.round(value)).replace("-", "−")}${low !== null && high !== null && low !== undefined && Number.isFinite(high - low) && high > low ? ` ± ${Math.round((high - low) / 2)}` : ""}`);
      fill(table, h("thead", h("tr", h("th.number", t("arena.col.place")), h("th", t("arena.col.name")), ["points", "share", "elo", ...columns].map((name) => h("th.number", t(`arena.col.${name}`))))),
        h("tbody", lines.map((line, i) => h("tr", h("td.number", i + 1), h("td.arena-name", line.name), h("td.number", line.points), h("td.number", line.share === null ? "–" : `${Math.round(100 * line.share)}%`), h("td.number", elo(line)), columns.map((name) => h("td.number", line[name]))))));
    }

    function board({ key, players, position }) {
      const picture = () => (position.grid ? miniature(position.grid) : position.svg ? svgFromText(position.svg) : h("pre", position.text));
      let tile = tiles.get(key);
      if (!tile) {
        if (!tiles.size) fill(boards);
        tile = h("figure.arena-board", { dataset: { key } }, h("div.arena-picture"), h("figcaption"));
        tiles.set(key, tile);
        boards.append(tile);
      }
      fill(tile.firstChild, picture());
      const style = position.grid?.style ?? "plain";
      fill(tile.lastChild, players.map((name, side) => h("span", pieceIcon(style, side), h("span.unseen", sideName(style, side)), " ", h("span", breakable(name)), position.counts && h("b.tabular", ` ${position.counts[side]}`))), h("span.muted.tabular", t("arena.ply", position)));
    }

    function hear(message) {
      if (message.type === "tournament" || message.type === "end") facts(message);
      if (message.type === "table") {
        said.textContent = "";
        rows(message);
        if (message.ended) {
          tiles.get(message.ended.key)?.remove();
          tiles.delete(message.ended.key);
          clearTimeout(timer);
          timer = setTimeout(() => load(), 400);
        }
      } else if (message.type === "board") {
        said.textContent = "";
        board(message);
      }
      else if (message.type === "compiling") said.textContent = t("arena.compiling");
      if (message.type === "end") {
        load();
        announce(`${t(`arena.state.${message.state}`)}. ${t("arena.progress", message)}`);
        socket?.close();
        socket = null;
      }
    }

    get(`/api/tournaments/${encodeURIComponent(shown)}`).then((one) => {
      facts(one);
      rows(one);
      load(); // not before: what is over has all its games
      if (one.state === "running") socket = live(`/ws/tournaments/${shown}`, { message: hear });
    }).catch((error) => {
      toastError(error);
      navigate("/arena", { replace: true });
    });
    fill(boards, h("p.muted", t("arena.boards.none")));
    fill(page, h("header", h("p", h("a", { href: "/arena" }, t("arena.back"))), h("div.row", title, badge, h("span.arena-spring"), stop, resume), h("div.row.arena-count", bar, count), said),
      h("section.panel", h("header", h("h2", t("arena.table")), h("div.row", ["table", "games"].map((what) => h("a.button.small", { href: `/api/tournaments/${encodeURIComponent(shown)}/${what}.csv`, download: "" }, sign("down"), t(`arena.csv.${what}`))))), h("div.body.scroll", { tabindex: 0, role: "region", "aria-label": t("arena.table") }, table)),
      boardsPanel, database());
  }

  about().then(async (answer) => {
    known = answer;
    if (shown) {
      tournament();
      return;
    }
    const side = h("div.stack.arena-side", await listed(), database());
    fill(page, h("header", h("h1", t("page.arena")), h("p.lead", t("arena.lead"))), h("div.arena-halves", h("div.stack", known.class.length > 0 && classTournament(known, (kept.class ??= {}), navigate), newTournament()), side));
    load();
  }).catch(toastError);

  return () => {
    clearTimeout(timer);
    socket?.close();
  };
}
