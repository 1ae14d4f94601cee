// Games and positions under the engine's eye: values on the squares while they deepen, the graph, the mistakes, variations,
// what others have played, and why a move was wrong. All values are seen by one side.
//
// The address has game=reversi, moves=f5 d6 (f6 e6) c3 with variations in brackets, board=<64 squares and the side to move>,
// ply=2 on the main line or node=3 in a variation, view=second, hints=off, time=20 for hints, and judge=3 if the game was
// judged with 3 seconds a move. What was found is kept while the tab is open.

import { about, lineOf, post, searches } from "/static/api.js";
import { openExplanation } from "/static/games/analyze/explain.js";
import { createExplorer } from "/static/games/analyze/explorer.js";
import { grow, writePgn } from "/static/games/analyze/pgn.js";
import { createReview, moverOf, numberOf, seenBy, valuesOf } from "/static/games/analyze/review.js";
import { createSetup } from "/static/games/analyze/setup.js";
import { createChessSetup } from "/static/games/analyze/setup_chess.js";
import { createStepper } from "/static/games/analyze/stepper.js";
import { createTraining } from "/static/games/analyze/training.js";
import { createVariations } from "/static/games/analyze/variations.js";
import { createBoard, movesOffBoard, pieceIcon, sideName } from "/static/board.js";
import { announce, copyText, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { field, select } from "/static/fields.js";
import { addWords, openingName, pick, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { isFlagship, nameOf, playQuery } from "/static/games/play/games.js";
import { createPiles, isNim } from "/static/games/play/nim.js";
import { countText, outcomeText, rank, valueText } from "/static/games/play/values.js";
import { embedButton, gifButton } from "/static/share/buttons.js";
import reviewWords from "/static/words/review.js";

addWords(reviewWords);

const TIMES = [1, 5, 20];
const PACES = [0.2, 1, 3, 10];
const LINES = 6; // moves in the list of values
const MISTAKES = ["mistake", "blunder"];
const EXPLAINING = 3; // seconds
const AGAIN = 1000; // milliseconds until an endless search that was cut short goes on
const TRIES = 3; // and how often, if it comes no deeper
const LONGEST = 4000; // characters of moves in the address: longer variations are in this tab alone

const MEMORY = "plyground.analysis";
const chosen = (items, text, usual) => (items.includes(Number(text)) ? Number(text) : usual);

// What was found is still there when the page is loaded again.
function remembered(kept) {
  try {
    return kept.found ?? JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}");
  } catch {
    return {};
  }
}

function remember(kept, found) {
  kept.found = found;
  try {
    sessionStorage.setItem(MEMORY, JSON.stringify(found));
  } catch {
    // Without storage it lasts until the page is loaded again.
  }
}

export function mount(root, context) {
  const { query, setQuery, setTitle, kept } = context;
  const state = {
    game: query.get("game") ?? "reversi",
    moves: query.get("moves") ?? "",
    board: query.get("board") ?? "",
    view: query.get("view") === "second" ? 1 : 0,
    endless: false,
    hints: query.get("hints") !== "off",
    time: chosen(TIMES, query.get("time"), 5),
    pace: chosen(PACES, query.get("judge"), 1),
  };
  const socket = searches();
  let known = null;
  let tree = createVariations();
  let node = tree.root; // what is shown, with `position` and all that is known of it
  let line = null; // { positions, moves, opening, opening_zh } of the line through that node
  let at = 0;
  let opening = 0; // counts what is asked of the server: only the last answer is wanted
  let board = null;
  let piles = false;
  let hints = { list: [], depth: null, nodes: null, unit: "discs", busy: false };
  let hinting = null;
  let judging = null;
  let gone = false;
  const memory = { facts: null, judged: "", names: null, result: null }; // facts of the line whose key is `judged`, and who has played
  const flagship = () => isFlagship(state.game);
  const isChess = () => nameOf(state.game) === "chess";
  const position = () => line.positions[at];
  const unit = () => (flagship() ? "discs" : isChess() ? "pawns" : "utility");
  const style = () => position().grid?.style ?? "plain";
  const here = () => line.moves.slice(0, at).join(" ");

  // The page --------------------------------------------------------------------------------------------------------

  const heading = h("h1", t("page.analyze"));
  const under = h("p.muted.analyze-under");
  const place = h("div.analyze-board");
  const off = h("div.row.analyze-off");
  const notice = h("div.row.analyze-notice", { role: "group", "aria-label": t("analyze.variation.tools"), hidden: true });
  const stepper = createStepper({ go, flip: () => board?.flip(!board.flipped) });
  const why = h("button.button.small", { type: "button", onclick: () => explain(node) }, sign("hint"), t("analyze.explain"));
  stepper.element.append(why);
  const review = createReview({ choose: open, explain });
  const explorer = createExplorer({ play });
  const seen = h("select.input", { "aria-label": t("analyze.view"), onchange: () => {
    state.view = Number(seen.value);
    show();
  } });
  const stated = h("span.small.muted");
  const endless = h("button.button.small", { type: "button", "aria-pressed": "false", title: t("analyze.endless.help"), onclick: () => setEndless(!state.endless) }, sign("again"), t("analyze.endless"));
  const hintList = h("ol.hint-list");
  const hintHead = h("span.small.muted.tabular");
  const progress = h("p.small.muted", { role: "status" });
  const judge = h("button.button.primary", { type: "button", disabled: true, onclick: toggleJudging }, sign("search"), t("analyze.game.judge"));
  const paste = h("textarea.mono", { rows: 3, spellcheck: "false" });
  const pasteField = field(t("analyze.paste.label"), paste);
  const read = h("p.small", { role: "status" });
  const which = h("div");
  const gamePlace = h("div");
  const hintSwitch = h("input", { type: "checkbox", role: "switch", checked: state.hints, onchange: () => setHints(hintSwitch.checked) });
  const file = h("input.unseen", { type: "file", tabindex: -1, "aria-hidden": "true", onchange: async () => {
    const [chosen] = file.files;
    file.value = "";
    if (chosen) readText(await chosen.text());
  } });
  const settingUp = { done: setUp, cancel: () => closeSetup() };
  let setup = createSetup(settingUp);
  const setups = { reversi: setup };
  // The mistakes as puzzles. A move that nobody has judged is, by the same search that explains moves.
  const training = createTraining({
    open,
    judge: (one, text) => new Promise((resolve, reject) => {
      socket.run("explain", { game: state.game, moves: [...tree.path(one.parent).map(({ text: before }) => before), text].join(" "), board: state.board, time: state.pace }, {
        event: (answer) => answer.event === "explanation" && resolve(answer),
        error: (line) => reject(new Error(line || t("error.network"))),
      });
    }),
    mark(text) {
      const move = position().legal.find((legal) => legal.text === text);
      board.setHints(move ? [{ action: move.action, cell: move.cell, text: "✓", best: true }] : []);
    },
    changed: () => showReview(),
  });
  const practise = h("button.button.small", { type: "button", onclick: () => {
    stopHints();
    stopJudging();
    training.start(tree.line(tree.root).filter(({ judged }) => MISTAKES.includes(judged?.verdict)), { unit: unit(), style: style() });
    showReview();
    scrollTo({ top: 0 });
  } }, sign("again"), t("training.button.start"));
  const setupButton = h("button.button.small", { type: "button", onclick: openSetup }, sign("board"), t("analyze.setup"));
  const panel = (title, tools, ...body) => h("section.panel", h("header", h("h2", title), tools), h("div.body.stack", body));
  const exports = h("div.row.analyze-exports");
  const main = h("div.analyze-left", h("header.analyze-head", heading, under), place, off, stepper.element, notice);
  const pace = field(t("analyze.game.pace"), select(PACES.map((time) => [String(time), t("analyze.seconds", { time })]), String(state.pace), (value) => { state.pace = Number(value); }));
  pace.classList.add("inline");
  const time = select(TIMES.map((seconds) => [String(seconds), t("analyze.seconds", { time: seconds })]), String(state.time), (value) => {
    state.time = Number(value);
    show();
  });
  time.className = "input";
  time.setAttribute("aria-label", t("analyze.hints.time"));
  const pastePanel = panel(t("analyze.paste"), setupButton, gamePlace, pasteField,
    h("div.row", h("button.button", { type: "button", onclick: () => readText(paste.value) }, t("analyze.read")), h("button.button.quiet", { type: "button", onclick: () => file.click() }, sign("load"), t("analyze.load")),
      h("button.button.quiet", { type: "button", onclick: () => openLine({ moves: "", board: "", ply: 0 }) }, t("analyze.new")), file), read, which);
  const tools = h("div.row.spread.analyze-tools", h("label.switch", hintSwitch, t("analyze.hints.on")), h("span.row", endless, time));
  const movesPanel = h("section.panel.review-panel", h("header", h("h2", t("review.moves"))), h("div.body", review.moves));
  const right = h("div.analyze-right",
    h("section.panel.lines-panel", h("header", h("h2", t("analyze.hints")), hintHead, h("label.analyze-view", h("span.small.muted", t("analyze.view")), seen)), h("div.body.stack", tools, hintList)),
    h("section.panel.graph-panel", h("header", h("h2", t("graph.title")), stated), h("div.body.stack", review.graph, h("div.row.spread", judge, progress, pace))),
    movesPanel);
  const more = h("div.analyze-more",
    panel(t("explorer"), null, explorer.element),
    h("section.panel.mistakes-panel", h("header", h("h2", t("review.mistakes")), practise), h("div.body.stack", review.players, review.mistakes)),
    panel(t("analyze.export"), null, exports));
  right.prepend(training.element);
  pastePanel.classList.add("paste-panel");
  // A visitor without a game finds the place to paste one where its moves would be; with a game, it is at the end.
  if (state.moves || state.board) more.append(pastePanel);
  else right.append(pastePanel);
  fill(root, h("div.page.analyze", main, right, more));

  // A line of moves -------------------------------------------------------------------------------------------------

  const textOf = (one) => one.line(one.root).map(({ text }) => text).join(" ");
  const keyOf = () => JSON.stringify([state.game, state.board, line?.moves ?? []]);

  // The line through a node, whose positions are asked for where they are not known yet.
  async function open(next) {
    if (setup.open) return false;
    const nodes = tree.line(next);
    const last = nodes.at(-1) ?? tree.root;
    const mine = ++opening;
    let problem = null;
    if (![tree.root, ...nodes].every((one) => one.position) || !last.names) {
      let found;
      try {
        found = await post("/api/position", { game: state.game, moves: nodes.map(({ text }) => text).join(" "), board: state.board, beginning: true });
      } catch (error) {
        toastError(error);
        return false;
      }
      if (mine !== opening) return false;
      if (found.problem || found.moves.length !== nodes.length) {
        // An address that was written by hand: what is not legal is left out.
        const bad = nodes[found.moves.length];
        if (!bad || !found.problem) return false;
        tree.remove(bad);
        problem = found;
        if (next.ply > found.moves.length) next = bad.parent;
      }
      learn(found, next);
    }
    node = next;
    return shown(problem);
  }

  // What the server says of a line belongs to its nodes.
  function learn(found, through) {
    tree.root.position = found.positions[0];
    const nodes = tree.line(through).slice(0, found.moves.length);
    nodes.forEach((one, i) => Object.assign(one, { position: found.positions[i + 1], mover: found.positions[i].to_move }));
    (nodes.at(-1) ?? tree.root).names = { opening: found.opening, opening_zh: found.opening_zh };
  }

  function shown(problem = null) {
    const nodes = tree.line(node);
    const before = line && keyOf();
    line = { positions: [tree.root.position, ...nodes.map((one) => one.position)], moves: nodes.map(({ text }) => text), ...(nodes.at(-1) ?? tree.root).names };
    at = node.ply;
    if (judging && before !== keyOf()) stopJudging();
    if (line.moves.length && pastePanel.parentElement === right) more.append(pastePanel);
    show();
    if (problem) showProblem(problem.problem, problem.moves.length);
    return true;
  }

  // Another game: what was known of the one before is forgotten.
  async function openLine({ moves, board: start, ply, names = null }) {
    const mine = ++opening;
    let found;
    try {
      found = await post("/api/position", { game: state.game, moves, board: start, beginning: true });
    } catch (error) {
      toastError(error);
      return false;
    }
    if (mine !== opening) return false;
    stopJudging();
    if (training.node) training.stop();
    state.board = start;
    tree = createVariations();
    let last = tree.root;
    for (const text of found.moves) last = tree.add(last, text);
    learn(found, tree.root);
    Object.assign(memory, { facts: null, judged: "", names, result: null });
    const wanted = Math.min(found.moves.length, Math.max(0, Number.isFinite(ply) ? ply : found.moves.length));
    node = wanted ? tree.line(tree.root)[wanted - 1] : tree.root;
    return shown(found.problem ? found : null);
  }

  // What the address says, with what this tab remembers of it.
  async function openAddress() {
    const saved = remembered(kept);
    const given = state.moves.includes("(") ? createVariations(state.moves) : null;
    if (!(await openLine({ moves: given ? textOf(given) : state.moves, board: state.board, ply: query.has("ply") ? Number(query.get("ply")) : NaN }))) return false;
    if (given && textOf(given) === textOf(tree)) adopt(given);
    if (saved.game === state.game && saved.board === state.board && (saved.text === tree.write() || saved.main === tree.write())) {
      adopt(createVariations(saved.text));
      tree.nodes().forEach((one, i) => Object.assign(one, saved.known[i]));
      Object.assign(memory, { facts: saved.facts, judged: saved.judged, names: saved.names, result: saved.result });
    }
    const wanted = tree.nodes()[Number(query.get("node"))];
    return query.has("node") && wanted?.parent ? open(wanted) : shown();
  }

  // Takes over a tree with the same main line, with variations.
  function adopt(next) {
    const old = tree.line(tree.root);
    const { ply } = node;
    next.root.position = tree.root.position;
    next.root.names = tree.root.names;
    next.line(next.root).forEach((one, i) => Object.assign(one, { position: old[i].position, mover: old[i].mover, names: old[i].names }));
    tree = next;
    node = ply ? next.line(next.root)[ply - 1] : next.root;
  }

  // A game that goes wrong is there up to that move: a line names it, and it is marked in what was pasted.
  function showProblem({ move, start, end, ...problem }, count) {
    fill(read, h("span.error", t("play.beginning", { count, move, problem: lineOf(problem) })));
    if (!paste.value) return;
    paste.focus();
    paste.setSelectionRange(start, end);
  }

  function go(ply) {
    if (!line || setup.open) return;
    const next = Math.min(line.moves.length, Math.max(0, ply));
    if (next !== at) open(next ? tree.line(node)[next - 1] : tree.root);
  }

  function play(action, move) {
    if (setup.open || !line) return;
    const text = move?.text ?? position().legal.find((legal) => legal.action === action)?.text;
    if (training.node && node === training.node.parent) {
      board.update(position(), { animate: false }); // the piece is put back
      training.attempt(text);
      return;
    }
    if (text) open(tree.add(node, text));
  }

  // Variations ------------------------------------------------------------------------------------------------------

  const branch = () => tree.branch(node);

  function promote() {
    if (!branch()) return;
    tree.promote(node);
    announce(t(branch() ? "analyze.variation.promoted" : "analyze.variation.main"));
    open(node);
  }

  function prune() {
    if (!branch()) return;
    const gone = node;
    announce(t("analyze.variation.deleted"));
    open(tree.remove(gone));
  }

  // To where the variation leaves the game.
  const backToGame = () => {
    let first = branch();
    while (first && tree.branch(first.parent)) first = tree.branch(first.parent);
    if (first) open(first.parent);
  };

  function explain(one) {
    if (!one.parent) return;
    stopHints(); // one search at a time
    const dialog = openExplanation(socket, { game: state.game, moves: tree.path(one).map(({ text }) => text).join(" "), board: state.board, time: EXPLAINING },
      { title: t("analyze.explain.title", { move: `${numberOf(one, style())} ${one.text}`, side: sideName(style(), moverOf(one)) }), style: style(), view: state.view });
    dialog.addEventListener("close", searchHints);
  }

  // Showing ---------------------------------------------------------------------------------------------------------

  function show() {
    const now = position();
    const off_main = branch();
    const main = tree.line(tree.root);
    const written = tree.write();
    const moves = written.length > LONGEST ? textOf(tree) : written;
    setQuery({
      game: state.game === "reversi" ? null : state.game, moves: moves || null, board: state.board || null,
      ply: off_main || at === main.length ? null : at, node: off_main ? tree.nodes().indexOf(node) : null, hints: state.hints ? null : "off", view: state.view ? "second" : null,
      time: state.time === 5 ? null : state.time, judge: judging || tree.nodes().some(({ judged }) => judged) ? state.pace : null,
    });
    if (!board || piles !== isNim(now)) {
      piles = isNim(now);
      board = piles ? createPiles(now, { onPlay: play }) : createBoard(now, { onPlay: play, label: t("review.board") });
      fill(place, board.element);
    } else board.update(now);
    board.setInteractive(!now.over);
    const names = isChess() && memory.names?.filter(Boolean).join(" – ");
    const title = openingName(line) ?? (names || null) ?? (state.board ? t("analyze.setupname") : line.moves.length ? t("analyze.broken", { count: isChess() ? Math.ceil(line.moves.length / 2) : line.moves.length }) : t("analyze.start"));
    heading.textContent = title;
    setTitle(t("title.of", { what: t("page.analyze"), name: title }));
    fill(under, !names && memory.names?.some(Boolean) && h("span", memory.names.map((name, side) => name || sideName(style(), side)).join(" – ")),
      now.counts?.map((count, side) => h("span.analyze-count", pieceIcon(style(), side), h("b.tabular", count))),
      now.over ? h("span", now.over.winner === null ? t("value.draw") : t("table.won.side", { side: sideName(style(), now.over.winner) }), now.over.how && ` · ${t(`table.how.${now.over.how}`)}`) : now.to_move !== null && now.to_move >= 0 && h("span", t("analyze.tomove", { side: sideName(style(), now.to_move) })));
    fill(off, now.over || piles ? [] : movesOffBoard(now).slice(0, 40).map((move) => h("button.button.small", { type: "button", onclick: () => play(move.action, move) }, move.text)));
    notice.hidden = !off_main;
    fill(notice, h("span.small.muted", t("analyze.variation")), h("button.button.small", { type: "button", onclick: backToGame }, sign("undo"), t("analyze.variation.back")),
      h("button.button.small", { type: "button", onclick: promote }, sign("flag"), t("analyze.variation.promote")), h("button.button.small", { type: "button", onclick: prune, title: t("keys.delete") }, sign("close"), t("analyze.variation.delete")));
    fill(seen, [0, 1].map((side) => h("option", { value: String(side) }, sideName(style(), side))));
    seen.value = String(state.view);
    stated.textContent = t("review.seenby", { side: sideName(style(), state.view) });
    why.disabled = !at;
    stepper.update({ at, length: line.moves.length });
    setupButton.hidden = !flagship() && !isChess();
    paste.placeholder = flagship() ? t("analyze.paste.placeholder") : isChess() ? "1. e4 e5 (1... c5) 2. Nf3 …" : `${line.positions[0].legal.slice(0, 3).map((move) => move.text).join(" ")} …`;
    pasteField.querySelector("label").textContent = t(flagship() ? "analyze.paste.label" : isChess() ? "analyze.paste.chess" : "analyze.paste.other");
    showReview();
    searchHints();
    explorer.update({ game: state.game, moves: here(), board: state.board, style: style(), mover: now.to_move, view: state.view });
    drawExports();
  }

  function showReview() {
    const nodes = tree.line(node);
    const whole = memory.judged === keyOf() ? memory.facts : null;
    const values = valuesOf(nodes);
    for (const { moves, black, first } of whole?.values ?? []) values.set(moves, black ?? first);
    for (const one of [tree.root, ...nodes]) if (one.found && !values.has(one.ply)) values.set(one.ply, one.found.value);
    const known = tree.nodes().map(({ judged, found, mover, comments, nags }) => ({ judged, found, mover, comments, nags }));
    remember(kept, { ...memory, game: state.game, board: state.board, text: tree.write(), main: textOf(tree), known });
    review.update({ tree, node, values, facts: whole, unit: unit(), style: style(), view: state.view });
    const judged = nodes.filter((one) => one.judged).length;
    practise.hidden = Boolean(judging) || !tree.line(tree.root).some((one) => MISTAKES.includes(one.judged?.verdict));
    root.querySelector(".analyze").dataset.training = training.asking ? "asking" : "";
    more.querySelector(".mistakes-panel").hidden = !whole && !review.mistakes.children.length;
    fill(judge, judging ? [sign("stop"), t("analyze.game.stop")] : [sign("search"), t("analyze.game.judge")]);
    judge.classList.toggle("primary", !judging && !whole);
    judge.disabled = !line.moves.length;
    const mistakes = Number(review.mistakes.dataset.count ?? 0);
    progress.textContent = judging ? t("analyze.game.progress", { done: judged, total: line.moves.length })
      : whole ? t("analyze.game.done", { count: mistakes }) : line.moves.length ? t("analyze.game.ask") : t("analyze.game.none");
  }

  // Values ----------------------------------------------------------------------------------------------------------

  function setHints(on) {
    state.hints = hintSwitch.checked = on;
    show();
  }

  function setEndless(on) {
    state.endless = on;
    if (on) state.hints = hintSwitch.checked = true;
    else if (hints.endless) hints.done = true; // what it has found stays
    endless.setAttribute("aria-pressed", String(on));
    time.disabled = on;
    show();
  }

  function stopHints() {
    hinting?.search.stop();
    hinting = null;
    hints.busy = false;
  }

  function searchHints() {
    const wanted = state.hints && !setup.open && !training.node && !judging && !position().over && position().legal.length > 0;
    const key = JSON.stringify([state.game, state.board, here(), state.endless ? "endless" : state.time]);
    if (hinting?.key === key && wanted) return;
    stopHints();
    const same = hints.node === node && hints.list.length > 0;
    // The same position for longer, or no longer: what is known of it stays until more is.
    if (hints.key !== key) hints = { ...(same ? hints : { list: [], depth: null, nodes: null, unit: unit() }), busy: false, done: same && hints.endless && hints.done, key, node, bound: false, endless: state.endless };
    drawHints();
    if (!wanted || hints.done) return;
    hints.busy = true;
    const found = hints;
    const side = position().to_move;
    const search = socket.run("hints", { game: state.game, moves: here(), board: state.board, ...(state.endless ? { endless: true } : { time: state.time }) }, {
      event(answer) {
        if (hints !== found) return;
        found.compiling = answer.event === "compiling";
        if (answer.event === "started") found.waiting = false;
        if (answer.event !== "hints") drawHints();
        if (answer.event !== "hints") return;
        const list = [...answer.hints].sort((a, b) => rank(b) - rank(a));
        // A search that begins anew, when others have had their turn, is not shown before it is as deep as it was.
        if (same && (answer.depth ?? 0) < (found.depth ?? 0) && !list.every((hint) => hint.exact)) return;
        if (!(answer.depth <= found.depth)) found.tries = 0;
        Object.assign(found, { list, depth: answer.depth, nodes: answer.nodes, unit: answer.unit ?? unit() });
        if (list.length && list[0].value !== null) {
          found.node.found = { value: seenBy(list[0].value, side, 0), exact: list[0].exact };
          showReview();
        }
        drawHints();
      },
      done(answer) {
        found.busy = false;
        if (answer.stopped && goOn(found, 0)) return; // others have their turn
        found.done = found.list.length > 0;
        found.bound = state.endless && !found.list.every((hint) => hint.exact);
        if (hints === found) {
          hinting = null;
          drawHints();
          const [best] = found.list;
          if (best) announce(`${best.text} ${outcomeText({ ...best, value: seenBy(best.value, side, state.view) }, found.unit)}`);
        }
      },
      error(text) {
        found.busy = false;
        if (!text && goOn(found, 1)) return; // the connection is lost
        if (hints === found) {
          hinting = null;
          drawHints(text);
        }
      },
    });
    hinting = { key, search };
    drawHints();
  }

  // An endless search that somebody else has ended begins anew; what it has found stays until it is as deep again.
  function goOn(found, tries) {
    found.tries = (found.tries ?? 0) + tries;
    if (!state.endless || hints !== found || found.tries > TRIES) return false;
    Object.assign(found, { busy: true, waiting: true });
    drawHints();
    setTimeout(() => {
      if (hints !== found || gone) return;
      hinting = null;
      searchHints();
    }, AGAIN);
    return true;
  }

  function drawHints(problem = "") {
    hintList.hidden = !state.hints;
    if (training.node) {
      fill(hintList, h("li.muted", t("training.hidden")));
      return;
    }
    const shown = state.hints && !setup.open ? hints.list : [];
    const top = shown.length ? rank(shown[0]) : 0;
    const side = position().to_move;
    const value = (hint) => (hint.value === null ? null : seenBy(hint.value, side, state.view));
    board.setHints(shown.map((hint) => ({ action: hint.action, cell: hint.cell, text: valueText(value(hint), hints.unit, hint.exact, hint.plies), best: rank(hint) === top, exact: hint.exact, tone: value(hint) < 0 ? "bad" : "good" })));
    const solved = shown.length > 0 && shown.every((hint) => hint.exact);
    fill(hintHead, hints.busy && h("span.spinner", { role: "img", "aria-label": t("analyze.hints.searching") }), shown.length > 0 && ` ${solved ? t("analyze.hints.solved") : t("analyze.hints.depth", { depth: hints.depth })} · ${t("analyze.hints.nodes", { nodes: countText(hints.nodes) })}${hints.waiting ? ` · ${t("analyze.endless.waiting")}` : hints.bound ? ` · ${t("analyze.endless.bound")}` : ""}`);
    if (problem) fill(hintList, h("li.error", problem));
    else if (position().over) fill(hintList, h("li.muted", t("analyze.hints.over")));
    else if (!shown.length) fill(hintList, h("li.muted", t(hints.compiling ? "analyze.hints.compiling" : "analyze.hints.empty")));
    else {
      fill(hintList, shown.slice(0, LINES).map((hint, i) => h("li", h("button", { type: "button", dataset: { best: i === 0 ? "yes" : "no" }, onclick: () => play(hint.action, hint), onpointerenter: () => board.highlight(hint.cell ? [hint.cell] : []), onpointerleave: () => board.highlight([]) },
        h("b", hint.text), h("span.tabular.hint-value", outcomeText({ ...hint, value: value(hint) }, hints.unit), hint.exact && sign("check")), h("span.muted.hint-line", hint.line.slice(1, 9).join(" "))))));
    }
  }

  function playBest() {
    const [best] = hints.list;
    if (best && !position().over) play(best.action, best);
  }

  // Judging ---------------------------------------------------------------------------------------------------------

  function stopJudging() {
    judging?.stop();
    judging = null;
  }

  function toggleJudging() {
    if (judging) {
      stopJudging();
      show();
      return;
    }
    if (!line?.moves.length) return;
    stopHints();
    const key = keyOf();
    const nodes = tree.line(node);
    for (const one of nodes) one.judged = null;
    Object.assign(memory, { facts: null, judged: key });
    judging = socket.run("analyse", { game: state.game, moves: line.moves.join(" "), board: state.board, time: state.pace }, {
      event(answer) {
        if (key !== keyOf()) return;
        if (answer.event === "move") nodes[answer.ply ?? answer.number - 1].judged = answer;
        else if (answer.event === "analysis") {
          memory.facts = { ...answer, names: memory.names };
          answer.moves.forEach((move) => { nodes[move.ply ?? move.number - 1].judged = move; });
        } else return;
        showReview();
      },
      done() {
        judging = null;
        show();
        announce(progress.textContent);
      },
      error(text) {
        judging = null;
        toast(text || t("error.network"), "bad");
        show();
      },
    });
    show();
    drawHints();
  }

  // Reading ---------------------------------------------------------------------------------------------------------

  async function readText(text) {
    fill(which);
    if (!text.trim()) return;
    fill(read);
    if (!flagship() && !isChess()) {
      await openLine({ moves: text, board: "", ply: NaN });
      return;
    }
    let found;
    try {
      found = await post("/api/read", { text, game: isChess() ? "chess" : "reversi" });
    } catch (error) {
      fill(read, h("span.error", error.message || t("error.network")));
      return;
    }
    const items = [
      ...found.games.map((game) => ({ ...game, label: gameLabel(game) })),
      ...found.positions.map((one) => ({ start: one.board, moves: "", label: one.comment || one.board, names: null })),
    ];
    fill(read, found.games.length ? t("analyze.readgames", { count: found.games.length, kind: found.kind }) : t("analyze.readpositions", { count: found.positions.length, kind: found.kind }));
    if (items.length > 1) fill(which, field(t("analyze.several"), select(items.map(({ label }, i) => [String(i), `${i + 1}. ${label}`]), "0", (i) => openItem(items[Number(i)]))));
    await openItem(items[0]);
    if (found.problem) showProblem(found.problem, line.moves.length);
  }

  const gameLabel = ({ names, result, told, ...game }) => [names?.filter(Boolean).join(" – "), told, openingName(game), result !== null && result !== undefined && (result > 0 ? `+${result}` : result)].filter((part) => part || part === 0).join(" · ") || t("game");

  async function openItem({ start, moves, names, line: told, result, ...game }) {
    if (told) {
      const opened = await openLine({ moves: told.map(({ text }) => text).join(" "), board: start, ply: NaN, names });
      if (!opened) return false;
      const next = createVariations();
      grow(next, { line: told, ...game });
      adopt(next);
      memory.result = result;
      return shown();
    }
    return openLine({ moves, board: isStart(start) ? "" : start, ply: moves ? NaN : 0, names });
  }

  // The usual beginning, which the openings are named from, is no position of one's own.
  const isStart = (text) => /^-{27}OX-{6}XO-{27} X/.test(text) || /^\.{27}OX\.{6}XO\.{27} X/.test(text);

  // Setting up ------------------------------------------------------------------------------------------------------

  async function setUp(text) {
    try {
      await post("/api/position", { game: state.game, board: text });
    } catch (error) {
      if (setup.refuse) setup.refuse(error.message || t("error.network"));
      else toastError(error);
      return;
    }
    closeSetup();
    openLine({ moves: "", board: text, ply: 0 });
  }

  function openSetup() {
    if (!line) return;
    stopHints();
    stopJudging();
    setup = setups[isChess() ? "chess" : "reversi"] ??= createChessSetup(settingUp);
    setup.start(position());
    fill(place, setup.board.element);
    right.prepend(setup.element);
    right.dataset.setup = "open";
    off.hidden = notice.hidden = true;
    stepper.element.hidden = true;
    setupButton.disabled = true;
    setup.board.focus();
  }

  function closeSetup() {
    setup.stop();
    setup.element.remove();
    delete right.dataset.setup;
    off.hidden = stepper.element.hidden = false;
    setupButton.disabled = false;
    fill(place, board.element);
    searchHints();
  }

  // Taking away -----------------------------------------------------------------------------------------------------

  async function exported(what, format) {
    const analysed = unit() === "discs" && ["graph", "ggf"].includes(what) ? tree.line(node).flatMap(({ judged }) => judged ?? []) : [];
    const end = memory.judged === keyOf() && memory.facts?.end;
    const answer = await fetch("/api/export", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        what, format, game: state.game, moves: ["board", "obf"].includes(what) ? here() : line.moves.join(" "), board: state.board,
        names: memory.names ?? [], analysis: analysed, ...(analysed.length && end && { end }),
        scores: what === "obf" && hints.unit === "discs" ? Object.fromEntries(hints.list.map((hint) => [hint.text, Math.round(hint.value)])) : {},
      }),
    });
    if (!answer.ok) throw new Error(lineOf(await answer.json()));
    return answer.blob();
  }

  const copy = (text) => copyText(text, t("analyze.copied"));

  const NAMES = { board: "position", graph: "evaluation", ggf: "game", obf: "position" };

  async function save(what, format) {
    try {
      const link = h("a", { href: URL.createObjectURL(await exported(what, format)), download: `${NAMES[what]}.${format === "text" ? what : format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      toastError(error);
    }
  }

  // The result is what the board says, or else what the game said that was read.
  function pgn() {
    const end = tree.line(tree.root).at(-1)?.position?.over;
    const result = end ? ["1-0", "0-1"][end.winner] ?? "1/2-1/2" : memory.result ?? "*";
    return writePgn(tree, { names: memory.names ?? [], board: state.board, result });
  }

  function savePgn() {
    const link = h("a", { href: URL.createObjectURL(new Blob([pgn()], { type: "application/x-chess-pgn" })), download: "game.pgn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const copyExport = (what) => async () => {
    try {
      await copy((await (await exported(what, "text")).text()).trim());
    } catch (error) {
      toastError(error);
    }
  };

  const standardOpponent = () => known.cards[nameOf(state.game)]?.at(-1)?.spec ?? "alphabeta";

  const shared = () => ({ game: state.game, moves: line.moves.join(" "), board: state.board, title: memory.names?.filter(Boolean).join(" – ") || pick(known.games.find(({ name }) => name === state.game.split(":")[0])?.titles) });

  function drawExports() {
    const button = (word, icon, run, disabled = false) => h("button.button.small", { type: "button", disabled, onclick: run, dataset: { export: word } }, sign(icon), t(`analyze.export.${word}`));
    const whole = memory.facts && memory.judged === keyOf() && flagship();
    fill(exports,
      button("transcript", "copy", copyExport("transcript"), !line.moves.length), button(isChess() ? "fen" : "board", "copy", copyExport("board")), button("link", "link", () => copy(location.href)),
      (flagship() || isChess()) && !position().over && h("a.button.small", { href: `/play?${playQuery({ game: state.game, players: ["human", standardOpponent()], moves: here(), board: state.board })}`, dataset: { export: "play" } }, sign("play"), t("analyze.export.play")),
      isChess() && [button("copypgn", "copy", () => copy(pgn()), !tree.root.children.length), button("pgn", "save", savePgn, !tree.root.children.length)],
      flagship() && [button("ggf", "save", () => save("ggf", "text")), button("obf", "save", () => save("obf", "text"))],
      line.moves.length > 0 && [gifButton(shared), embedButton("game", shared)],
      button("boardsvg", "save", () => save("board", "svg")), button("boardpng", "save", () => save("board", "png")),
      flagship() && [button("graphsvg", "save", () => save("graph", "svg"), !whole), button("graphpng", "save", () => save("graph", "png"), !whole)]);
  }

  // A text that is pasted anywhere on the page is read.
  const pasted = (event) => {
    if (event.target.closest?.("input, textarea") || setup.open) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim()) return;
    paste.value = text;
    readText(text);
  };
  document.addEventListener("paste", pasted);

  // Life ------------------------------------------------------------------------------------------------------------

  const release = keys([
    { key: "ArrowLeft ArrowRight", label: "keys.step", elsewhere: true, run: ({ key }) => go(at + (key === "ArrowLeft" ? -1 : 1)) },
    { key: "Home End", label: "keys.ends", elsewhere: true, run: ({ key }) => go(key === "Home" ? 0 : line.moves.length) },
    { key: "[ ]", label: "keys.variation", run: ({ key }) => open(tree.sibling(node, key === "[" ? -1 : 1)) },
    { key: "p", label: "keys.promote", run: promote },
    { key: "Delete", label: "keys.delete", run: prune },
    { key: "Backspace", label: "keys.takeback", run: () => go(at - 1) },
    { key: " ", label: "keys.bestmove", run: playBest },
    { key: "a", label: "keys.analyse", run: toggleJudging },
    { key: "e", label: "keys.endless", run: () => setEndless(!state.endless) },
    { key: "w", label: "keys.why", run: () => explain(node) },
    { key: "v", label: "keys.values", run: () => setHints(!state.hints) },
    { key: "f", label: "keys.flip", run: () => board?.flip(!board.flipped) },
  ], "page.analyze");

  about().then(async (answer) => {
    known = answer;
    const games = known.games.filter((game) => game.players === 2 && game.programs.includes("alphabeta"));
    fill(gamePlace, field(t("game"), select(games.map((game) => [game.name, pick(game.titles ?? game.title)]), state.game.split(":")[0], (game) => {
      state.game = game;
      openLine({ moves: "", board: "", ply: 0 });
    })));
    if (!(await openAddress())) await openLine({ moves: "", board: "", ply: 0 });
    else if (query.has("judge") && !memory.facts) toggleJudging(); // whoever got the address sees it too
  }).catch(toastError);

  return () => {
    gone = true;
    stopHints();
    stopJudging();
    explorer.close();
    socket.close();
    document.removeEventListener("paste", pasted);
    release();
  };
}
