// A game in progress or played: /play/{id}. Everything shown comes from the server; several browsers may share a game.
// Whoever holds a seat plays, everybody else watches; whoever comes while one is free gets it.

import { about as askAbout, get, lineOf, live, post } from "/static/api.js";
import { createBoard, movesOffBoard, sideName } from "/static/board.js";
import { announce, confirm, toast } from "/static/dialogs.js";
import { fill, h, sign, store, stored } from "/static/dom.js";
import { hasWord, language, lineIn, openingName, rewindWords, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { createAsking } from "/static/games/play/asking.js";
import { createClocks } from "/static/games/play/clock.js";
import { gameTitle, nameOf, playQuery, playerTitle, ratingText, readQuery } from "/static/games/play/games.js";
import { lineThrough, movesText, pathTo, takeBackTarget } from "/static/games/play/game_tree.js";
import { createGraph } from "/static/games/play/graph.js";
import { invitation, showInvitation } from "/static/games/play/invitation.js";
import { createMoves } from "/static/games/play/moves.js";
import { createPiles, isNim } from "/static/games/play/nim.js";
import { createOffers } from "/static/games/play/offers.js";
import { createOpinion } from "/static/games/play/opinion.js";
import { createSeats } from "/static/games/play/seats.js";
import { createServerTime } from "/static/games/play/server_time.js";
import { setSound, sound, soundOn } from "/static/games/play/sound.js";
import { costText, outcomeText, rank, valueText } from "/static/games/play/values.js";
import { createView } from "/static/games/play/view.js";
import { winningCells } from "/static/games/play/winning_cells.js";
import { embedButton, gifButton } from "/static/share/buttons.js";

const wide = matchMedia("(min-width: 981px)");
// On a large board only the best moves get a number.
const MOST_HINTS = 24;
const FEW_HINTS = 8;
const MOST_TREES = 12; // searches of which the last picture is kept

export function mount(root, context) {
  const { id } = context.params;
  const { kept } = context;
  const wait = h("div.table-page", { "aria-busy": "true" }, h("div.table-wait"));
  fill(root, wait);
  let table = null;
  let gone = false;
  Promise.all([kept.game ?? take(`/api/games/${encodeURIComponent(id)}`), askAbout()]).then(
    ([game, about]) => { if (!gone) table = createTable(root, context, game, about); },
    (error) => { if (!gone) fill(root, missingGame(context, error)); },
  );
  return () => {
    gone = true;
    table?.close();
  };
}

// The game at an address, with the seat in it that waits for somebody, if one does.
async function take(url) {
  const game = await get(url);
  if (!game.free.length || game.mine.length || game.over) return game;
  return post(`${url}/claim`).catch(() => game);
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
  let game = null; // as the server has it; what is shown of it is view.game
  let line = [];
  let connected = true;
  let asked = false;
  let liveTree = null;
  let drawnTree = null;
  let socket = null;

  const style = first.position.grid?.style ?? "plain";
  const people = first.players.flatMap((player, seat) => (player.kind === "human" ? [seat] : []));
  const programs = people.length < first.players.length;
  const title = gameTitle(first.game, about);
  context.setTitle(title);

  const side = (seat) => (style === "plain" ? first.seats?.[seat] && !/^player \d+$/.test(first.seats[seat]) ? first.seats[seat] : sideName("plain", seat) : sideName(style, seat));
  const me = () => (game.mine.length === 1 ? game.mine[0] : null); // whoever plays both sides is neither
  const alone = () => game.mine.length > 0 && !game.shared;
  // Whoever began a game between programs is in command of it, and so is whoever plays all people.
  const commands = () => !game.shared && (game.mine.length > 0 || (!people.length && game.own));
  const playing = () => game.shared && game.mine.length > 0 && !game.over;
  const unaided = () => game.rated?.state === "open"; // a rated game: nobody helps, and nothing is taken back

  function playerName(seat) {
    if (seat === me()) return t("play.you");
    if (game.players[seat].kind !== "human") return playerTitle(game.players[seat].spec, game.game, about);
    return game.shared && game.mine.length ? t("table.opponent") : side(seat);
  }

  // Asking the server ------------------------------------------------------------------------------------------------

  const server = createAsking(url, {
    take: (next) => receive(next),
    draw: () => draw(),
    stale: ({ at }) => at !== undefined && at !== game.at, // somebody has moved
  });
  const { ask } = server;

  const play = (action) => ask("move", { action, at: game.at });

  // Looking back is everybody's own; what is on the board is changed by taking back, or by going on from another position.
  const goTo = (node) => { if (node !== null && node !== undefined && node !== view.game.at) view.goTo(node); };
  const step = (by) => goTo([0, ...line.map((node) => node.id)][pathTo(game, view.game.at).length + by]);
  const toLast = () => goTo(line.at(-1)?.id);
  const follow = () => view.goTo(game.at);

  async function resume() {
    const node = view.game.at;
    await ask("goto", { node, resume: true });
    if (view.game.at === node) follow(); // unless the visitor looks elsewhere by now
  }

  const canTakeBack = () => (game.shared ? playing() && !game.free.length && !game.offer && takeBackTarget(game, me()) !== null : commands() && !game.rated && takeBackTarget(game) !== null);

  async function takeBack() {
    if (!canTakeBack()) return;
    follow();
    if (game.shared) ask("offer", { what: "takeback" });
    else if (await ask("goto", { node: takeBackTarget(game), resume: true })) announce(t("table.taken"));
  }

  const canDraw = () => game.draws && game.mine.length > 0 && !game.over && !game.free.length && !game.offer;

  async function offerDraw() {
    if (!canDraw()) return;
    if (game.shared) ask("offer", { what: "draw" });
    else if (await confirm({ title: t("table.agree.title"), text: t("table.agree.text"), yes: t("table.agree") })) {
      if (await ask("offer", { what: "draw", player: 0 })) ask("answer", { what: "draw", player: 1, accept: true });
    }
  }

  async function resign() {
    const seat = me() ?? (game.mine.includes(game.position.to_move) ? game.position.to_move : game.mine[0]);
    if (game.over || seat === undefined) return;
    if (await confirm({ title: t("table.resign.title"), text: t("table.resign.text", { side: side(seat) }), yes: t("table.resign"), danger: true })) ask("resign", { player: seat });
  }

  async function rematch(swap) {
    if (game.shared) {
      ask("offer", { what: "rematch", swap });
      return;
    }
    const next = await ask("rematch", { swap });
    if (next) goToGame(next.id, next.players.map((player) => player.spec));
  }

  const settings = () => readQuery(new URLSearchParams(location.search));
  const goToGame = (id, players) => context.navigate(`/play/${id}?${playQuery({ ...settings(), game: game.game, players, people: game.shared ? "invited" : "here", first: "choice", moves: "" })}`);

  async function bestMove() {
    if (!canPlay()) return;
    try {
      const action = await opinion.best();
      if (canPlay()) play(action);
    } catch (error) {
      if (error.message) toast(error.message, "bad");
    }
  }

  const share = () => showInvitation({
    id: first.id, leave: (player) => ask("invite", { player }), sides: alone() && game.mine.length > 1 && !game.over ? game.mine.map((seat) => [seat, side(seat)]) : [],
  });

  // Whoever plays against somebody else thinks for themselves until the game is over.
  const helped = () => !playing() && !unaided();
  // Hints, graph and analysis are for games whose moves some search of ours can value.
  const described = about?.games.find(({ name }) => name === nameOf(first.game));
  const valued = !described || (described.players === 2 && described.programs.includes("alphabeta"));
  const advised = () => valued && helped();
  const wants = () => (advised() ? kept.wants : { hints: false, graph: false, search: kept.wants.search && !unaided() });

  function toggle(what) {
    if (!advised() && (what !== "search" || unaided())) return;
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
  const view = createView(url, () => show());
  const time = createServerTime({ send: (data) => socket?.send(data), lost: () => socket?.again() });
  const offers = createOffers({ side, answer: (what, accept) => ask("answer", { what, accept }) });

  const seats = createSeats(first, { style, side, name: playerName, about });
  const clocks = createClocks((seat, text, facts) => seats.clock(seat, text, { ...facts, error: time.error }), time.now);

  const tool = (name, label, run, { pressed, text = false } = {}) => h(`button.button${text ? "" : ".icon.quiet"}`, {
    type: "button", title: text ? null : label, "aria-label": text ? null : label, "aria-pressed": pressed, onclick: run,
  }, sign(name), text && label);
  const tools = {
    takeBack: tool("undo", t("table.takeback"), takeBack, { text: true }),
    hints: tool("hint", t("table.hints"), () => toggle("hints"), { text: true, pressed: "false" }),
    search: tool("tree", t("table.search.short"), () => toggle("search"), { text: true, pressed: "false" }),
    graph: tool("graph", t("table.graph.short"), () => toggle("graph"), { text: true, pressed: "false" }),
    draw: tool("even", t("table.offer"), offerDraw, { text: true }),
    resign: tool("flag", t("table.resign"), resign, { text: true }),
    first: tool("first", t("table.first"), () => goTo(0)),
    back: tool("back", t("table.back"), () => step(-1)),
    next: tool("next", t("table.next"), () => step(1)),
    last: tool("last", t("table.last"), toLast),
    flip: tool("flip", t("table.flip"), flip),
    sound: tool("silent", t("table.sound"), toggleSound, { pressed: "false" }),
    link: tool("link", t("table.link"), share),
  };

  const link = (name, label) => h("a.button.icon.quiet", { title: label, "aria-label": label }, sign(name));
  const links = { analyze: link("search", t("table.analyze")), watch: link("tree", t("table.watch")) };

  const gameTitleLine = h("p.game-title.small.muted", title);
  const heading = h("h1.status");
  const detail = h("p.status-detail");
  const afterwards = h("div.row.afterwards");
  const waitingRoom = h("div.waiting-room", { hidden: true });
  const toolsRow = h("div.tools-row");
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
  fill(stage, seats.above, h("div.board-row", graph.bar, h("div.board-place", board.element)), offBoard, seats.below);
  const page = h("div.table-page", stage, h("aside.table-side",
    h("section.panel.status-panel", h("div.body", gameTitleLine, heading, detail, waitingRoom, offers.element, afterwards, hintNote)),
    toolsRow,
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

  const canPlay = () => !server.busy && connected && view.live && !game.over && !game.free.length && game.mine.includes(game.position.to_move);

  function drawSeats() {
    const bottom = (me() ?? 0) === 0 ? 0 : 1;
    seats.update(game, view.game, board.flipped && me() === null ? 1 - bottom : bottom);
  }

  function resultWords() {
    const { over, position } = game;
    if (over.winner === null) return t("table.draw");
    const score = position.counts && (position.counts[0] - position.counts[1]) * (over.winner === 0 ? 1 : -1) > 0
      ? ` ${position.counts[over.winner]}\u2009:\u2009${position.counts[1 - over.winner]}` : "";
    if (me() === null) return t("table.won.side", { side: side(over.winner) }) + score;
    return t(over.winner === me() ? "table.won" : "table.lost") + score;
  }

  function reasonWords({ why, loser, reason, count, code, detail: words, how }) {
    if (why === "over") return how ? t(`table.how.${how}`) : "";
    if (why === "agreed") return t("table.reason.agreed");
    if (why === "fails" && words) return t(hasWord(`table.fails.${code}`) ? `table.fails.${code}` : "table.fails", { side: side(loser), detail: lineIn(words) ?? words });
    return why ? t(`table.reason.${why}`, { side: side(loser), count }) : reason;
  }

  // What a rated game has done to the visitor's rating.
  function ratedWords() {
    if (!game.rated || unaided() || !game.own) return "";
    if (game.rated.state === "void") return t("rated.void");
    const { change, rating, error } = game.rated;
    return t(change === null ? "rated.first" : "rated.counted", { rating: ratingText({ elo: rating, error }), change: `${change < 0 ? "−" : "+"}${Math.abs(change)}` });
  }

  function statusWords() {
    if (game.over) return resultWords();
    const mover = game.position.to_move;
    if (game.free.length) return t(game.mine.length ? "table.waiting" : "table.free");
    if (game.thinking) return t("table.thinks", { name: playerName(game.thinking.player) });
    if (mover === me()) return t("table.yours");
    if (mover === null || mover < 0) return "";
    return t("table.turn", { side: game.players[mover].kind === "human" ? side(mover) : playerName(mover) });
  }

  const shared = () => ({ game: game.game, moves: movesText(game, line.at(-1).id), board: game.board ?? "", title: `${title} · ${game.players.map((_, seat) => playerName(seat)).join(" – ")}` });
  const taken = [gifButton(shared, "button"), embedButton("game", shared, "button")];

  function drawStatus() {
    const words = statusWords();
    if (heading.textContent !== words) heading.textContent = words;
    const mover = game.position.to_move;
    const waits = game.paused && !game.over && mover !== null && game.players[mover]?.kind === "program";
    const details = [];
    if (server.unsent) details.push(t("table.unsent"));
    else if (!connected) details.push(t("table.lost.connection"));
    else if (!view.live) details.push(t("table.reviewing", { number: pathTo(game, view.game.at).length }));
    else if (game.over) details.push(reasonWords(game.over), ratedWords());
    else if (game.failed) details.push(t("table.failed", { reason: lineOf({ error: game.message, code: game.message_code }) }));
    else if (kept.passed) details.push(kept.passed);
    else if (game.position.grid?.check) details.push(t("table.check"));
    else if (waits) details.push(t("table.paused"));
    else if (game.free.length && game.mine.length) details.push(t("table.waiting.for"));
    else if (!game.over && game.seats_note && game.at === 0 && me() !== null) details.push(t("table.lot", { side: side(me()) }));
    if (people.length && !game.mine.length && !game.over) details.push(t("table.watching"));
    detail.textContent = details.filter(Boolean).join(" ");
    detail.classList.toggle("warning", !connected || server.unsent || Boolean(game.failed));
    const inviting = game.free.length > 0 && game.mine.length > 0 && !game.over;
    if (inviting && !waitingRoom.firstChild) fill(waitingRoom, invitation(first.id));
    waitingRoom.hidden = !inviting;
    const offered = kept.offered ?? game.rematch;
    const plays = commands() || (game.mine.length > 0 && !game.offer);
    fill(afterwards,
      game.free.length > 0 && !game.mine.length && !game.over && h("button.button.primary", { type: "button", onclick: () => ask("claim", {}) }, sign("person"), t("table.claim", { side: side(game.free[0]) })),
      !view.live && h("button.button.primary", { type: "button", onclick: follow }, sign("last"), t("table.return")),
      !view.live && commands() && !game.rated && !view.game.over && h("button.button", { type: "button", onclick: resume }, sign("play"), t("table.continue")),
      view.live && waits && commands() && h("button.button.primary", { type: "button", onclick: resume }, sign("play"), t("table.continue")),
      game.failed && commands() && h("button.button.primary", { type: "button", onclick: () => ask("retry", {}) }, sign("again"), t("table.retry")),
      game.over && offered && h("a.button.primary", { href: `/play/${offered}` }, sign("again"), t("table.follow")),
      game.over && game.rated && game.own && h(`a.button${view.live ? ".primary" : ""}`, { href: `/play?${playQuery({ ...settings(), game: game.game, players: game.players.map((player) => player.spec), rated: true })}` }, sign("graph"), t("ladder.back")),
      game.over && !offered && plays && !game.rated && h(`button.button${view.live ? ".primary" : ""}`, { type: "button", onclick: () => rematch(false) }, sign("again"), t("table.rematch")),
      game.over && !offered && plays && !game.rated && h("button.button", { type: "button", onclick: () => rematch(true) }, sign("swap"), t("table.swap")),
      game.over && ["reversi", "chess"].includes(nameOf(game.game)) && h("a.button", { href: analyzeAddress() }, sign("search"), t("page.analyze")),
      game.over && line.length > 0 && taken);
  }

  function analyzeAddress() {
    const query = new URLSearchParams({ game: game.game, moves: movesText(game, line.at(-1)?.id ?? 0), ply: pathTo(game, view.game.at).length });
    if (game.board) query.set("board", game.board);
    return `/analyze?${query}`;
  }

  const watchAddress = () => `/watch?${new URLSearchParams({ game: game.board && style === "chess" ? `chess:fen=${game.board}` : game.game, moves: movesText(game, view.game.at) })}`;

  function drawTools() {
    const seated = game.mine.length > 0;
    const wanted = [(seated || commands()) && !game.rated && tools.takeBack, advised() && tools.hints, advised() && tools.graph, programs && !unaided() && tools.search, game.draws && seated && !programs && tools.draw, seated && tools.resign].filter(Boolean);
    if (wanted.length !== toolsRow.children.length || wanted.some((one, i) => one !== toolsRow.children[i])) fill(toolsRow, wanted);
    tools.takeBack.disabled = !canTakeBack();
    tools.draw.disabled = !canDraw();
    tools.resign.disabled = Boolean(game.over) || game.free.length > 0;
    tools.hints.setAttribute("aria-pressed", String(kept.wants.hints));
    tools.graph.setAttribute("aria-pressed", String(kept.wants.graph));
    tools.search.setAttribute("aria-pressed", String(kept.wants.search));
    tools.sound.setAttribute("aria-pressed", String(soundOn()));
    fill(tools.sound, sign(soundOn() ? "sound" : "silent"));
    const at = pathTo(game, view.game.at).length;
    tools.first.disabled = tools.back.disabled = at === 0;
    tools.next.disabled = tools.last.disabled = at >= line.length;
    links.watch.hidden = (Boolean(game.board) && style !== "chess") || Boolean(game.over) || !helped();
    links.analyze.hidden = !advised();
    links.analyze.href = analyzeAddress();
    links.watch.href = watchAddress();
    tools.flip.hidden = style === "plain" || style === "slots";
  }

  const moveTitle = ({ text }) => (hasWord(`table.move.${text}`) ? t(`table.move.${text}`) : text);
  function drawOffBoard() {
    const others = isNim(game.position) ? [] : movesOffBoard(view.game.position);
    offBoard.hidden = !others.length;
    fill(offBoard, others.map((move) => h("button.button", { type: "button", disabled: !canPlay(), onclick: () => play(move.action) }, moveTitle(move))));
  }

  function drawOpinion() {
    if (!game) return;
    const { hints, graph: graphed } = wants();
    const all = hints && !view.game.over ? opinion.hints : [];
    const shown = all.length > MOST_HINTS || style === "chess" ? [...all].sort((one, two) => rank(two) - rank(one)).slice(0, FEW_HINTS) : all;
    board.setHints(shown.map((hint) => ({ ...hint, text: valueText(hint.value, opinion.unit, hint.exact, hint.plies) })));
    const best = shown.find((hint) => hint.best);
    hintNote.hidden = !hints || Boolean(view.game.over);
    if (!hintNote.hidden) {
      hintNote.textContent = best
        ? [t("table.best", { moves: (best.line?.length ? best.line.slice(0, 8) : [best.text]).join(" ") }), best.plies && outcomeText(best, opinion.unit), opinion.depth && t("table.depth", { depth: opinion.depth })].filter(Boolean).join(" · ")
        : opinion.preparing ? t("table.compiling") : opinion.busy ? t("table.looking") : "";
    }
    graphPanel.hidden = !graphed;
    graph.bar.hidden = !graphed;
    graph.update({ game: view.game, line, valueOf: opinion.valueOf, style });
    graphWords.textContent = graph.words;
  }

  function draw() {
    drawSeats();
    drawStatus();
    offers.update(game);
    drawTools();
    drawOffBoard();
    drawOpinion();
    const won = view.game.over?.why === "over" && view.game.over.winner !== null && view.game.position.grid;
    board.highlight?.(won ? winningCells(view.game.position.grid, view.game.over.winner) : []);
    board.setInteractive(canPlay());
  }

  function look() {
    opinion.look(view.game, line, wants());
    const wanted = programs && wants().search;
    searchPanel.hidden = !wanted;
    page.classList.toggle("with-search", wanted);
    if (wanted !== asked) socket?.send({ tree: wanted ? language() : "" });
    asked = wanted;
  }

  // The tree of the program that thinks, or of the last one that has moved on the way to what is on the board: whoever takes
  // moves back sees no search of a position that is gone.
  const drawnTrees = new Map(); // by the node whose position was searched
  function receiveTree(data) {
    drawnTrees.delete(data.node);
    drawnTrees.set(data.node, data);
    if (drawnTrees.size > MOST_TREES) drawnTrees.delete(drawnTrees.keys().next().value);
    drawTree();
  }

  function drawTree() {
    const path = [0, ...pathTo(game, view.game.at).map((node) => node.id)];
    const found = drawnTrees.get(path.findLast((id) => drawnTrees.has(id))) ?? null;
    if (found === drawnTree) return;
    drawnTree = found;
    if (found) {
      showTree(found);
      return;
    }
    liveTree?.destroy();
    liveTree = null;
    searchWords.textContent = searchLegend.textContent = "";
    fill(searchBody, h("p.small.muted.empty", t(silent ? "table.search.own" : "table.search.none")));
  }

  async function showTree(data) {
    const { player, tree, legend, node, ...counts } = data;
    if (!kept.wants.search) return;
    if (!liveTree) {
      const [{ createLiveTree }] = await Promise.all([import("/static/pictures/live_tree.js"), context.loadStyle("/static/pictures/replay.css")]);
      if (drawnTree !== data) return;
      liveTree ??= createLiveTree({ moves: true, rewind: rewindWords() });
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
    else if (played.length && game.position.to_move === me()) said.push(t("table.yours"));
    if (played.length && game.position.grid?.check && !game.over) said.push(t("table.check"));
    if (said.length) announce(said.join(" "));
    if (game.over && !before.over) sound("end");
    else if (passes.length) sound("pass");
    else if (played.length) sound("move");
  }

  function receive(next) {
    if (game && next.version < game.version) return;
    const before = game;
    if (before && (next.at !== before.at || (next.over && !before.over))) server.told(); // whoever can play sees that as soon as the board
    game = next;
    kept.game = next;
    page.dataset.at = game.at;
    view.receive(game);
    if (before && before.at !== game.at) tell(before);
    if (before && !before.rematch && game.rematch && game.mine.length) {
      goToGame(game.rematch, game.players.map((player) => player.spec));
      return;
    }
    clocks.set(game.clocks);
    show();
  }

  let listed = null; // what the list of moves shows

  // What is on the board, or what the visitor looks back at.
  function show() {
    const shown = view.game;
    for (const node of pathTo(game, shown.at)) kept.latest.set(node.parent, node.id);
    line = lineThrough(shown, kept.latest);
    board.update(shown.position);
    const now = `${shown.at} ${game.nodes.length} ${game.nodes.at(-1).time}`;
    if (now !== listed) moves.update(shown, line);
    listed = now;
    gameTitleLine.textContent = [title, game.rated && t("rated.sign"), game.opening && openingName(game)].filter(Boolean).join(" · ");
    look();
    drawTree();
    draw();
  }

  receive(first);

  socket = live(`/ws/games/${encodeURIComponent(first.id)}`, {
    message(data) {
      if (data.type === "game") receive(data.game);
      else if (data.type === "thinking") {
        seats.thinks(data);
        if (game.thinking) drawSeats();
      } else if (data.type === "tree") receiveTree(data);
      else if (data.type === "time") {
        time.hear(data);
      } else if (data.type === "presence") {
        tellPresence(data.present);
      } else if (data.type === "failed") announce(t("table.failed", { reason: lineOf({ error: data.message, code: data.code }) }));
      else if (data.type === "rematch" && location.pathname === `/play/${first.id}`) offerRematch(data.id);
    },
    state(now, reason) {
      const was = connected;
      connected = now === "open";
      if (connected) time.opened();
      else time.closed();
      if (connected && asked) socket.send({ tree: language() });
      if (now === "refused") toast(reason, "bad");
      if (was !== connected) draw();
    },
  });

  // Whoever holds another seat has come, or has gone.
  function tellPresence(present) {
    const before = game.present;
    game = kept.game = { ...game, present };
    view.receive(game);
    drawSeats();
    if (!playing()) return;
    const changed = people.find((seat) => !game.mine.includes(seat) && before.includes(seat) !== present.includes(seat));
    if (changed !== undefined) announce(t(present.includes(changed) ? "table.opponent.there" : "table.opponent.away"));
  }

  function offerRematch(next) {
    if (server.busy || (game.shared && game.mine.length)) return;
    kept.offered = next;
    drawStatus();
    announce(t("table.follow"));
  }

  const ticking = setInterval(() => game.thinking && drawSeats(), 1000);

  const release = keys([
    { key: "ArrowLeft", label: "keys.back", elsewhere: true, run: () => step(-1) },
    { key: "ArrowRight", label: "keys.forward", elsewhere: true, run: () => step(1) },
    { key: "Home", label: "keys.first", elsewhere: true, run: () => goTo(0) },
    { key: "End", label: "keys.last", elsewhere: true, run: toLast },
    { key: "Backspace", label: "keys.takeback", run: takeBack },
    { key: "b", label: "keys.board", run: () => board.focus() },
    { key: "ArrowLeft ArrowUp ArrowDown ArrowRight", label: "keys.squares" },
    { key: "Enter", label: "keys.play" },
    { key: " ", label: "keys.best", run: () => advised() && bestMove() },
    { key: "v", label: "keys.hints", run: () => toggle("hints") },
    { key: "e", label: "keys.graph", run: () => toggle("graph") },
    { key: "t", label: "keys.search", run: () => programs && toggle("search") },
    { key: "f", label: "keys.flip", run: flip },
    { key: "m", label: "keys.sound", run: toggleSound },
    { key: "a", label: "keys.analyze", run: () => advised() && context.navigate(analyzeAddress()) },
  ], "page.play");

  return {
    close() {
      server.close();
      time.stop();
      release();
      clearInterval(ticking);
      clocks.stop();
      socket.close();
      opinion.close();
      liveTree?.destroy();
    },
  };
}
