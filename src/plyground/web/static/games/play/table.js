// A game in progress or played: /play/{id}. Everything shown comes from the server; several browsers may share a game.

import { about as askAbout, get, lineOf, live, post } from "/static/api.js";
import { createBoard, movesOffBoard, pieceIcon, sideName } from "/static/board.js";
import { announce, confirm, copyText, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign, store, stored } from "/static/dom.js";
import { hasWord, language, openingName, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { createClocks } from "/static/games/play/clock.js";
import { gameTitle, nameOf, playQuery, playerSign, playerTitle, readQuery } from "/static/games/play/games.js";
import { childrenOf, lineThrough, movesText, pathTo, takeBackTarget } from "/static/games/play/game_tree.js";
import { createGraph } from "/static/games/play/graph.js";
import { createMoves } from "/static/games/play/moves.js";
import { createPiles, isNim } from "/static/games/play/nim.js";
import { createOpinion } from "/static/games/play/opinion.js";
import { setSound, sound, soundOn } from "/static/games/play/sound.js";
import { costText, countText, valueText } from "/static/games/play/values.js";

const wide = matchMedia("(min-width: 981px)");
// On a large board only the best moves get a number.
const MOST_HINTS = 24;
const FEW_HINTS = 8;

export function mount(root, context) {
  const { id } = context.params;
  const { kept } = context;
  const wait = h("div.table-page", { "aria-busy": "true" }, h("div.table-wait"));
  fill(root, wait);
  let table = null;
  let gone = false;
  Promise.all([kept.game ?? get(`/api/games/${encodeURIComponent(id)}`), askAbout()]).then(
    ([game, about]) => { if (!gone) table = createTable(root, context, game, about); },
    (error) => { if (!gone) fill(root, missingGame(context, error)); },
  );
  return () => {
    gone = true;
    table?.close();
  };
}

// The address says what was played, so that a game that is no longer there can be begun again.
function missingGame(context, error) {
  const wish = readQuery(context.query);
  const again = wish.game && wish.players ? `/play?${playQuery(wish)}` : "/play";
  const text = error.status === 404 ? t("table.missing.text") : error.message || t("error.network");
  return h("div.page", h("header", h("h1", t("table.missing.title")), h("p.lead", text)), h("a.button.primary", { href: again }, t(wish.game ? "table.missing.again" : "play.new")));
}

function createTable(root, context, first, about) {
  const { kept } = context;
  const url = `/api/games/${encodeURIComponent(first.id)}`;
  kept.wants ??= { hints: false, graph: false, search: stored("search", wide.matches ? "on" : "off") === "on" };
  kept.latest ??= new Map();
  let game = null;
  let line = [];
  let asking = null; // what the server was asked and has not answered, neither here nor on the socket
  let connected = true;
  let thought = null;
  let thinkingSince = 0;
  let asked = false;
  let liveTree = null;
  let socket = null;

  const style = first.position.grid?.style ?? "plain";
  const people = first.players.flatMap((player, seat) => (player.kind === "human" ? [seat] : []));
  const programs = people.length < first.players.length;
  const me = people.length === 1 ? people[0] : null;
  const title = gameTitle(first.game, about);
  context.setTitle(title);

  const side = (seat) => (style === "plain" ? first.seats?.[seat] && !/^player \d+$/.test(first.seats[seat]) ? first.seats[seat] : sideName("plain", seat) : sideName(style, seat));
  const playerName = (seat) => (seat === me ? t("play.you") : game.players[seat].kind === "human" ? side(seat) : playerTitle(game.players[seat].spec, game.game, about));

  // Asking the server ------------------------------------------------------------------------------------------------

  async function ask(path, body) {
    if (asking) return null;
    const mine = asking = {};
    const answered = () => { if (asking === mine) asking = null; };
    board.setInteractive(false);
    try {
      const next = await post(`${url}/${path}`, body);
      answered();
      if (next?.id === first.id) receive(next);
      draw(); // also where the socket was faster, and there was nothing new
      return next;
    } catch (error) {
      answered();
      if (error.status === 409) get(url).then(receive, toastError);
      else toastError(error);
      draw();
      return null;
    }
  }

  const play = (action) => ask("move", { action, at: game.at });

  function moverAt(node) {
    if (node === game.at) return game.position.to_move;
    return childrenOf(game, node)[0]?.player ?? null;
  }

  function goTo(node) {
    if (node === null || node === undefined || node === game.at) return null;
    const mover = moverAt(node);
    // A program answers at once only at the end of a line; elsewhere it waits until it is asked.
    // A pass is the referee's: going back before it must not make it again.
    const passes = childrenOf(game, node).some((child) => child.text === "pass");
    const resume = mover === null || (game.players[mover]?.kind === "human" && !passes);
    return ask("goto", { node, resume });
  }

  const resume = () => ask("goto", { node: game.at, resume: true });
  const step = (by) => goTo([0, ...line.map((node) => node.id)][pathTo(game, game.at).length + by]);

  async function takeBack() {
    const target = takeBackTarget(game);
    if (target === null) return;
    await goTo(target);
    announce(t("table.taken"));
  }

  async function resign() {
    const seat = me ?? (people.includes(game.position.to_move) ? game.position.to_move : people[0]);
    if (game.over || seat === undefined) return;
    if (await confirm({ title: t("table.resign.title"), text: t("table.resign.text", { side: side(seat) }), yes: t("table.resign"), danger: true })) ask("resign", { player: seat });
  }

  async function rematch(swap) {
    const next = await ask("rematch", { swap });
    if (!next) return;
    const players = next.players.map((player) => player.spec);
    context.navigate(`/play/${next.id}?${playQuery({ ...readQuery(new URLSearchParams(location.search)), game: next.game, players, first: "choice", moves: "" })}`);
  }

  async function bestMove() {
    if (!canPlay()) return;
    try {
      const action = await opinion.best();
      if (canPlay()) play(action);
    } catch (error) {
      if (error.message) toast(error.message, "bad");
    }
  }

  const copyLink = () => copyText(location.href, t("table.copied"));

  function toggle(what) {
    kept.wants[what] = !kept.wants[what];
    if (what === "search") store("search", kept.wants.search ? "on" : "off");
    announce(t(`table.${what}.${kept.wants[what] ? "on" : "off"}`));
    look();
    draw();
  }

  // What is on the page ----------------------------------------------------------------------------------------------

  const board = isNim(first.position) ? createPiles(first.position, { onPlay: play })
    : createBoard(first.position, { onPlay: play, label: t("table.board", { title }), interactive: false, flipped: kept.flipped });
  const opinion = createOpinion({ changed: () => drawOpinion(), failed: (text) => toast(text, "bad"), memory: kept });
  const graph = createGraph({ choose: goTo });
  const moves = createMoves({ choose: goTo });

  const seats = first.players.map((player, seat) => {
    const clock = h("span.clock.tabular");
    const count = h("span.count.tabular");
    const note = h("span.seat-note");
    const name = h("strong");
    const icon = style === "plain" ? sign(playerSign(player.spec)) : pieceIcon(style, seat);
    const element = h("div.seat", { dataset: { seat } }, icon, h("span.seat-words", name, note), count, clock);
    return { element, name, note, count, clock };
  });
  const clocks = createClocks((seat, text, { low, running }) => {
    seats[seat].clock.textContent = text;
    seats[seat].clock.classList.toggle("low", low);
    seats[seat].clock.classList.toggle("running", running);
  });

  const tool = (name, label, run, { pressed, text = false } = {}) => h(`button.button${text ? "" : ".icon.quiet"}`, {
    type: "button", title: text ? null : label, "aria-label": text ? null : label, "aria-pressed": pressed, onclick: run,
  }, sign(name), text && label);
  const tools = {
    takeBack: tool("undo", t("table.takeback"), takeBack, { text: true }),
    hints: tool("hint", t("table.hints"), () => toggle("hints"), { text: true, pressed: "false" }),
    search: tool("tree", t("table.search.short"), () => toggle("search"), { text: true, pressed: "false" }),
    graph: tool("graph", t("table.graph.short"), () => toggle("graph"), { text: true, pressed: "false" }),
    resign: tool("flag", t("table.resign"), resign, { text: true }),
    first: tool("first", t("table.first"), () => goTo(0)),
    back: tool("back", t("table.back"), () => step(-1)),
    next: tool("next", t("table.next"), () => step(1)),
    last: tool("last", t("table.last"), () => goTo(line.at(-1)?.id)),
    flip: tool("flip", t("table.flip"), flip),
    sound: tool("silent", t("table.sound"), toggleSound, { pressed: "false" }),
    link: tool("link", t("table.link"), copyLink),
  };

  const link = (name, label) => h("a.button.icon.quiet", { title: label, "aria-label": label }, sign(name));
  const links = { analyze: link("search", t("table.analyze")), watch: link("tree", t("table.watch")) };

  const gameTitleLine = h("p.game-title.small.muted", title);
  const heading = h("h1.status");
  const detail = h("p.status-detail");
  const afterwards = h("div.row.afterwards");
  const offBoard = h("div.off-board");
  const hintNote = h("p.small.muted.hint-note");
  const graphWords = h("span.small.tabular");
  const graphPanel = h("section.panel.graph-panel", h("header", h("h2", t("table.graph")), graphWords), h("div.body", graph.element));
  // Of programs that were named when the server was started nothing is seen but their moves, if they are not players of ours.
  const silent = first.players.some(({ spec }) => about?.cards[nameOf(first.game)]?.some((card) => card.own && card.silent && card.spec === spec));
  const searchWords = h("span.small.tabular");
  const searchLegend = h("p.small.muted.legend");
  const searchBody = h("div.body", { tabindex: 0, role: "group", "aria-label": t("table.search") }, h("p.small.muted.empty", t(silent ? "table.search.own" : "table.search.none")));
  const searchPanel = h("section.panel.search-panel", { hidden: true }, h("header", h("h2", t("table.search")), searchWords), searchBody, searchLegend);
  const stage = h("section.stage", { "aria-label": title });
  const above = h("div.seats");
  const below = h("div.seats");
  fill(stage, above, h("div.board-row", graph.bar, h("div.board-place", board.element)), offBoard, below);
  const page = h("div.table-page", stage, h("aside.table-side",
    h("section.panel.status-panel", h("div.body", gameTitleLine, heading, detail, afterwards, hintNote)),
    h("div.tools-row", tools.takeBack, tools.hints, tools.graph, programs && tools.search, tools.resign),
    graphPanel,
    searchPanel,
    h("section.panel.moves-panel", h("header", h("h2", t("moves.label")), h("div.row.steps", tools.first, tools.back, tools.next, tools.last)), moves.element),
    h("div.row.small-tools", tools.flip, tools.sound, tools.link, links.analyze, links.watch, h("a.button.quiet.small", { href: `/play?${playQuery({ ...readQuery(context.query), game: first.game, players: first.players.map((player) => player.spec), moves: "" })}` }, sign("plus"), t("play.new")))));
  fill(root, page);
  stage.dataset.style = style;
  stage.style.setProperty("--ratio", board.element.style.getPropertyValue("--ratio") || "1");

  function flip() {
    kept.flipped = !board.flipped;
    board.flip(kept.flipped);
    drawSeats();
  }

  function toggleSound() {
    setSound(!soundOn());
    drawTools();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  const canPlay = () => !asking && connected && !game.over && game.position.to_move !== null && game.players[game.position.to_move]?.kind === "human";

  function drawSeats() {
    const bottom = (me ?? 0) === 0 ? 0 : 1;
    const lower = board.flipped && me === null ? 1 - bottom : bottom;
    const order = seats.map((_, seat) => seat);
    fill(above, order.filter((seat) => seat !== lower).map((seat) => seats[seat].element));
    fill(below, seats[lower].element);
    seats.forEach((seat, i) => {
      const player = game.players[i];
      const turn = !game.over && game.position.to_move === i;
      const thinking = game.thinking?.player === i;
      seat.name.textContent = playerName(i);
      const words = thinking ? thinkingWords() : player.kind === "program" ? programWords(i) : style === "plain" || me === null ? "" : side(i);
      fill(seat.note, thinking && h("span.spinner", { "aria-hidden": "true" }), words);
      seat.count.textContent = game.position.counts ? game.position.counts[i] : "";
      if (game.position.counts) seat.count.setAttribute("aria-label", t("table.discs", { count: game.position.counts[i] }));
      seat.element.classList.toggle("turn", turn);
      seat.element.classList.toggle("winner", game.over?.winner === i);
      seat.clock.hidden = !game.clocks;
    });
  }

  const playsOut = (spec) => /^(mcts|flat|minialphago|alphago)\b/.test(spec);
  const nodesWords = (spec, nodes) => nodes && (playsOut(spec) ? t("table.simulations", { count: countText(nodes) }) : t("table.nodes", { nodes: countText(nodes) }));

  // How a program is written, and what it took to find the move that it made last.
  function programWords(seat) {
    const { spec } = game.players[seat];
    const words = playerTitle(spec, game.game, about) === spec ? (style === "plain" ? [] : [side(seat)]) : [spec];
    const last = pathTo(game, game.at).findLast((node) => node.player === seat && node.text !== "pass");
    if (last?.depth && !playsOut(spec)) words.push(t("table.depth", { depth: last.depth }));
    words.push(nodesWords(spec, last?.nodes));
    return words.filter(Boolean).join(" · ");
  }

  function thinkingWords() {
    const seconds = Math.floor((performance.now() - thinkingSince) / 1000);
    if (!thought) return seconds < 2 ? t("table.thinking") : t("table.thinking.for", { seconds });
    if (thought.what) return t("table.compiling");
    const { spec } = game.players[game.thinking.player];
    const words = [];
    if (thought.depth && !playsOut(spec)) words.push(t("table.depth", { depth: thought.depth }));
    if (thought.nodes) words.push(nodesWords(spec, thought.nodes));
    if (thought.line?.length) words.push(thought.line.slice(0, 4).join(" "));
    return words.join(" · ") || t("table.thinking");
  }

  function resultWords() {
    const { over, position } = game;
    if (over.winner === null) return t("table.draw");
    const score = position.counts && (position.counts[0] - position.counts[1]) * (over.winner === 0 ? 1 : -1) > 0
      ? ` ${position.counts[over.winner]}\u2009:\u2009${position.counts[1 - over.winner]}` : "";
    if (me === null) return t("table.won.side", { side: side(over.winner) }) + score;
    return t(over.winner === me ? "table.won" : "table.lost") + score;
  }

  // A picture of the end, not a rule: the longest straight row of the winner's through the last move.
  function lastRow() {
    const { grid } = game.position;
    if (!game.over || game.over.winner === null || !grid?.last || style === "discs" || reasonWords(game.over)) return [];
    const symbol = grid.symbols[game.over.winner];
    const run = ([down, right]) => {
      const cells = [grid.last];
      for (const way of [1, -1]) {
        for (let i = 1; grid.cells[grid.last[0] + way * i * down]?.[grid.last[1] + way * i * right] === symbol; i++) cells.push([grid.last[0] + way * i * down, grid.last[1] + way * i * right]);
      }
      return cells;
    };
    return [[0, 1], [1, 0], [1, 1], [1, -1]].map(run).reduce((longest, cells) => (cells.length > longest.length ? cells : longest));
  }

  function reasonWords({ why, loser, reason, count, code, detail: words }) {
    if (why === "over") return "";
    if (why === "fails" && words) return t(hasWord(`table.fails.${code}`) ? `table.fails.${code}` : "table.fails", { side: side(loser), detail: words });
    return why ? t(`table.reason.${why}`, { side: side(loser), count }) : reason;
  }

  function statusWords() {
    if (game.over) return resultWords();
    const mover = game.position.to_move;
    if (game.thinking) return t("table.thinks", { name: playerName(game.thinking.player) });
    if (mover === me) return t("table.yours");
    if (mover === null || mover < 0) return "";
    return t("table.turn", { side: game.players[mover].kind === "human" ? side(mover) : playerName(mover) });
  }

  function drawStatus() {
    const words = statusWords();
    if (heading.textContent !== words) heading.textContent = words;
    const mover = game.position.to_move;
    const waits = game.paused && !game.over && mover !== null && game.players[mover]?.kind === "program";
    const details = [];
    if (!connected) details.push(t("table.lost.connection"));
    else if (game.over) details.push(reasonWords(game.over));
    else if (game.failed) details.push(t("table.failed", { reason: lineOf({ error: game.message, code: game.message_code }) }));
    else if (kept.passed) details.push(kept.passed);
    else if (waits) details.push(t("table.paused"));
    else if (!game.over && game.seats_note && game.at === 0 && me !== null) details.push(t("table.lot", { side: side(me) }));
    detail.textContent = details.filter(Boolean).join(" ");
    detail.classList.toggle("warning", !connected || Boolean(game.failed));
    fill(afterwards,
      waits && h("button.button.primary", { type: "button", onclick: resume }, sign("play"), t("table.continue")),
      game.failed && h("button.button.primary", { type: "button", onclick: () => ask("retry", {}) }, sign("again"), t("table.retry")),
      game.over && kept.offered && h("a.button.primary", { href: `/play/${kept.offered}` }, sign("again"), t("table.follow")),
      game.over && !kept.offered && h("button.button.primary", { type: "button", onclick: () => rematch(false) }, sign("again"), t("table.rematch")),
      game.over && !kept.offered && h("button.button", { type: "button", onclick: () => rematch(true) }, sign("swap"), t("table.swap")),
      game.over && nameOf(game.game) === "reversi" && h("a.button", { href: analyzeAddress() }, sign("search"), t("page.analyze")));
  }

  function analyzeAddress() {
    const query = new URLSearchParams({ game: game.game, moves: movesText(game, line.at(-1)?.id ?? 0), ply: pathTo(game, game.at).length });
    if (game.board) query.set("board", game.board);
    return `/analyze?${query}`;
  }

  const watchAddress = () => `/watch?${new URLSearchParams({ game: game.game, moves: movesText(game, game.at) })}`;

  function drawTools() {
    tools.takeBack.disabled = takeBackTarget(game) === null;
    tools.resign.disabled = Boolean(game.over) || !people.length;
    tools.hints.setAttribute("aria-pressed", String(kept.wants.hints));
    tools.graph.setAttribute("aria-pressed", String(kept.wants.graph));
    tools.search.setAttribute("aria-pressed", String(kept.wants.search));
    tools.sound.setAttribute("aria-pressed", String(soundOn()));
    fill(tools.sound, sign(soundOn() ? "sound" : "silent"));
    const at = pathTo(game, game.at).length;
    tools.first.disabled = tools.back.disabled = at === 0;
    tools.next.disabled = tools.last.disabled = at >= line.length;
    links.watch.hidden = Boolean(game.board) || Boolean(game.over);
    links.analyze.href = analyzeAddress();
    links.watch.href = watchAddress();
    tools.flip.hidden = style === "plain" || style === "slots";
  }

  function drawOffBoard() {
    const others = isNim(game.position) ? [] : movesOffBoard(game.position);
    offBoard.hidden = !others.length;
    fill(offBoard, others.map((move) => h("button.button", { type: "button", disabled: !canPlay(), onclick: () => play(move.action) }, move.text === "pass" ? t("table.pass") : move.text)));
  }

  function drawOpinion() {
    if (!game) return;
    const all = kept.wants.hints && !game.over ? opinion.hints : [];
    const shown = all.length > MOST_HINTS ? [...all].sort((one, two) => two.value - one.value).slice(0, FEW_HINTS) : all;
    board.setHints(shown.map((hint) => ({ ...hint, text: valueText(hint.value, opinion.unit, hint.exact) })));
    const best = shown.find((hint) => hint.best);
    hintNote.hidden = !kept.wants.hints || Boolean(game.over);
    if (!hintNote.hidden) {
      hintNote.textContent = best
        ? [t("table.best", { moves: (best.line?.length ? best.line.slice(0, 8) : [best.text]).join(" ") }), opinion.depth && t("table.depth", { depth: opinion.depth })].filter(Boolean).join(" · ")
        : opinion.preparing ? t("table.compiling") : opinion.busy ? t("table.looking") : "";
    }
    graphPanel.hidden = !kept.wants.graph;
    graph.bar.hidden = !kept.wants.graph;
    graph.update({ game, line, valueOf: opinion.valueOf, style });
    graphWords.textContent = graph.words;
  }

  function draw() {
    drawSeats();
    drawStatus();
    drawTools();
    drawOffBoard();
    drawOpinion();
    board.highlight?.(lastRow());
    board.setInteractive(canPlay());
  }

  function look() {
    opinion.look(game, line, kept.wants);
    const wanted = programs && kept.wants.search;
    searchPanel.hidden = !wanted;
    page.classList.toggle("with-search", wanted);
    if (wanted !== asked) socket?.send({ tree: wanted ? language() : "" });
    asked = wanted;
  }

  // The tree of the program that thinks, or that has moved last.
  async function showTree({ player, tree, legend, ...counts }) {
    if (!kept.wants.search) return;
    if (!liveTree) {
      const [{ createLiveTree }] = await Promise.all([import("/static/pictures/live_tree.js"), context.loadStyle("/static/pictures/replay.css")]);
      liveTree ??= createLiveTree({ moves: true });
      fill(searchBody, liveTree.element);
    }
    if (searchLegend.textContent !== legend) searchLegend.textContent = legend;
    searchWords.textContent = [people.length ? "" : playerName(player), costText(counts)].filter(Boolean).join(" · ");
    liveTree.show(tree, t("table.search.label", { words: searchWords.textContent }));
  }

  // What has happened between two messages, for those who do not see it.
  function tell(before) {
    const path = pathTo(game, game.at);
    const from = path.findIndex((node) => node.parent === before.at);
    const played = from < 0 ? [] : path.slice(from);
    const passes = played.filter((node) => node.text === "pass");
    kept.passed = passes.map((node) => t("table.passes", { side: side(node.player) })).join(" ");
    const said = played.map((node) => (node.text === "pass" ? t("table.passes", { side: side(node.player) }) : t("table.played", { side: side(node.player), move: node.text })));
    if (game.over && !before.over) said.push(statusWords());
    else if (played.length && game.position.to_move === me) said.push(t("table.yours"));
    if (said.length) announce(said.join(" "));
    if (game.over && !before.over) sound("end");
    else if (passes.length) sound("pass");
    else if (played.length) sound("move");
  }

  function receive(next) {
    if (game && next.version < game.version) return;
    const before = game;
    if (before && next.version > before.version) asking = null; // whoever can play sees that as soon as the board
    game = next;
    kept.game = next;
    page.dataset.at = game.at;
    for (const node of pathTo(game, game.at)) kept.latest.set(node.parent, node.id);
    line = lineThrough(game, kept.latest);
    if (!game.thinking) thought = null;
    else if (!before?.thinking || before.at !== game.at) thinkingSince = performance.now();
    if (before && before.at !== game.at) tell(before);
    board.update(game.position);
    clocks.set(game.clocks);
    if (!before || before.at !== game.at || before.nodes.length !== game.nodes.length) moves.update(game, line);
    gameTitleLine.textContent = game.opening ? `${title} · ${openingName(game)}` : title;
    look();
    draw();
  }

  receive(first);

  socket = live(`/ws/games/${encodeURIComponent(first.id)}`, {
    message(data) {
      if (data.type === "game") receive(data.game);
      else if (data.type === "thinking") {
        thought = data;
        if (game.thinking) drawSeats();
      } else if (data.type === "tree") showTree(data);
      else if (data.type === "failed") announce(t("table.failed", { reason: lineOf({ error: data.message, code: data.code }) }));
      else if (data.type === "rematch" && location.pathname === `/play/${first.id}`) offerRematch(data.id);
    },
    state(now, reason) {
      const was = connected;
      connected = now === "open";
      if (connected && asked) socket.send({ tree: language() });
      if (now === "refused") toast(reason, "bad");
      if (was !== connected) draw();
    },
  });

  function offerRematch(next) {
    if (asking) return;
    kept.offered = next;
    drawStatus();
    announce(t("table.follow"));
  }

  const ticking = setInterval(() => game.thinking && drawSeats(), 1000);

  const release = keys([
    { key: "ArrowLeft", label: "keys.back", elsewhere: true, run: () => step(-1) },
    { key: "ArrowRight", label: "keys.forward", elsewhere: true, run: () => step(1) },
    { key: "Home", label: "keys.first", elsewhere: true, run: () => goTo(0) },
    { key: "End", label: "keys.last", elsewhere: true, run: () => goTo(line.at(-1)?.id) },
    { key: "Backspace", label: "keys.takeback", run: takeBack },
    { key: "b", label: "keys.board", run: () => board.focus() },
    { key: "ArrowLeft ArrowUp ArrowDown ArrowRight", label: "keys.squares" },
    { key: "Enter", label: "keys.play" },
    { key: " ", label: "keys.best", run: bestMove },
    { key: "v", label: "keys.hints", run: () => toggle("hints") },
    { key: "e", label: "keys.graph", run: () => toggle("graph") },
    { key: "t", label: "keys.search", run: () => programs && toggle("search") },
    { key: "f", label: "keys.flip", run: flip },
    { key: "m", label: "keys.sound", run: toggleSound },
    { key: "a", label: "keys.analyze", run: () => context.navigate(analyzeAddress()) },
  ], "page.play");

  return {
    close() {
      release();
      clearInterval(ticking);
      clocks.stop();
      socket.close();
      opinion.close();
      liveTree?.destroy();
    },
  };
}
