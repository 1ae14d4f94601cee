// Games and positions under the engine's eye: values on the squares while they deepen, the graph, the mistakes.
//
// The address has game=reversi, moves=f5 d6 c3, board=<64 squares and the side to move>, ply=2, hints=off, time=20 for
// hints, and judge=3 if the game was judged with 3 seconds a move. What was found is kept while the tab is open.

import { about, lineOf, post, searches } from "/static/api.js";
import { createReview, moversOf, valuesOf } from "/static/games/analyze/review.js";
import { createSetup } from "/static/games/analyze/setup.js";
import { createStepper } from "/static/games/analyze/stepper.js";
import { createBoard, movesOffBoard, pieceIcon, sideName } from "/static/board.js";
import { announce, copyText, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { field, select } from "/static/fields.js";
import { addWords, openingName, pick, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { isFlagship } from "/static/games/play/games.js";
import { countText, outcomeText, rank, valueText } from "/static/games/play/values.js";
import { embedButton, gifButton } from "/static/share/buttons.js";
import reviewWords from "/static/words/review.js";

addWords(reviewWords);

const TIMES = [1, 5, 20];
const PACES = [0.2, 1, 3, 10];
const LINES = 6; // moves in the list of values

const MEMORY = "plyground.analysis";
const chosen = (items, text, usual) => (items.includes(Number(text)) ? Number(text) : usual);

// What was found is still there when the page is loaded again.
function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}", (key, value) => (key === "judged" ? new Map(value) : value));
  } catch {
    return {};
  }
}

function remember({ memory, original }) {
  try {
    sessionStorage.setItem(MEMORY, JSON.stringify({ memory, original }, (key, value) => (value instanceof Map ? [...value] : value)));
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
    ply: Number(query.get("ply") ?? NaN),
    hints: query.get("hints") !== "off",
    time: chosen(TIMES, query.get("time"), 5),
    pace: chosen(PACES, query.get("judge"), 1),
  };
  const socket = searches();
  let known = null;
  let line = null; // { positions, moves, opening, opening_zh }
  let at = 0;
  let board = null;
  let hints = { list: [], depth: null, nodes: null, unit: "discs", busy: false };
  let hinting = null;
  let judging = null;
  Object.assign(kept, { ...remembered(), ...kept });
  let original = kept.original ?? null; // the game that was left by a move of one's own
  const memory = (kept.memory ??= { key: "", judged: new Map(), facts: null, names: null });
  const flagship = () => isFlagship(state.game);
  const position = () => line.positions[at];
  const unit = () => (flagship() ? "discs" : "utility");
  const style = () => position().grid?.style ?? "plain";

  // The page --------------------------------------------------------------------------------------------------------

  const heading = h("h1", t("page.analyze"));
  const under = h("p.muted.analyze-under");
  const place = h("div.analyze-board");
  const off = h("div.row.analyze-off");
  const notice = h("div.row.analyze-notice", { hidden: true });
  const stepper = createStepper({ go, flip: () => board?.flip(!board.flipped) });
  const review = createReview({ choose: go });
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
  const setup = createSetup({
    done(text) {
      closeSetup();
      openLine({ moves: "", board: text, ply: 0 });
    },
    cancel: closeSetup,
  });
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
    h("div.row", h("button.button", { type: "button", onclick: () => readText(paste.value) }, t("analyze.read")), h("button.button.quiet", { type: "button", onclick: () => file.click() }, sign("plus"), t("analyze.load")),
      h("button.button.quiet", { type: "button", onclick: () => openLine({ moves: "", board: "", ply: 0 }) }, t("analyze.new")), file), read, which);
  const right = h("div.analyze-right",
    panel(t("analyze.hints"), hintHead, h("div.row.spread", h("label.switch", hintSwitch, t("analyze.hints.on")), time), hintList),
    panel(t("graph.title"), null, review.graph, h("div.row.spread", judge, pace), progress, review.players),
    h("section.panel.review-panel", h("header", h("h2", t("review.mistakes"))), h("div.body.stack", review.mistakes), h("header", h("h2", t("review.moves"))), h("div.body", review.moves)),
    panel(t("analyze.export"), null, exports));
  // A visitor without a game finds the place to paste one first; with a game, it is at the end.
  if (state.moves || state.board) right.append(pastePanel);
  else right.prepend(pastePanel);
  fill(root, h("div.page.analyze", main, right));

  // A line of moves -------------------------------------------------------------------------------------------------

  const keyOf = () => JSON.stringify([state.game, state.board, line?.moves ?? []]);

  async function openLine({ moves, board: start, ply, names = null, keep = false, fresh = false }) {
    let found;
    try {
      found = await post("/api/position", { game: state.game, moves, board: start, beginning: true });
    } catch (error) {
      toastError(error);
      return false;
    }
    Object.assign(state, { moves: found.moves.join(" "), board: start });
    line = found;
    if (!keep) {
      setOriginal(null);
      memory.names = names;
    }
    if (memory.key !== keyOf()) {
      stopJudging();
      if (!keep || fresh) Object.assign(memory, { judged: new Map(), facts: null });
      memory.key = keyOf();
    }
    at = Math.min(found.moves.length, Math.max(0, Number.isFinite(ply) ? ply : found.moves.length));
    show();
    if (found.problem) showProblem(found.problem, found.moves.length);
    return true;
  }

  // A game that goes wrong is there up to that move: a line names it, and it is marked in what was pasted.
  function showProblem({ move, start, end, ...problem }, count) {
    fill(read, h("span.error", t("play.beginning", { count, move, problem: lineOf(problem) })));
    if (!paste.value) return;
    paste.focus();
    paste.setSelectionRange(start, end);
  }

  function setOriginal(next) {
    original = kept.original = next;
  }

  function go(ply) {
    if (!line || setup.open) return;
    const next = Math.min(line.moves.length, Math.max(0, ply));
    if (next === at) return;
    at = next;
    show();
  }

  function play(action, move) {
    if (setup.open) return;
    const text = move?.text ?? position().legal.find((legal) => legal.action === action)?.text;
    if (line.moves[at] === text) {
      go(at + 1);
      return;
    }
    const before = at;
    if (line.moves.length > at && !original) setOriginal({ moves: line.moves.join(" "), board: state.board, judged: new Map(memory.judged), facts: memory.facts, ply: at });
    for (const ply of [...memory.judged.keys()]) if (ply >= before) memory.judged.delete(ply);
    memory.facts = null;
    openLine({ moves: [...line.moves.slice(0, before), text].join(" "), board: state.board, ply: Infinity, keep: true }).then(() => go(line.moves.length));
  }

  async function backToGame() {
    const { moves, board: start, judged, facts, ply } = original;
    setOriginal(null);
    await openLine({ moves, board: start, ply, keep: true });
    Object.assign(memory, { judged, facts, key: keyOf() });
    show();
  }

  // Showing ---------------------------------------------------------------------------------------------------------

  function show() {
    const now = position();
    setQuery({
      game: state.game === "reversi" ? null : state.game, moves: state.moves || null, board: state.board || null,
      ply: at === line.moves.length ? null : at, hints: state.hints ? null : "off",
      time: state.time === 5 ? null : state.time, judge: memory.judged.size || judging ? state.pace : null,
    });
    if (!board) {
      board = createBoard(now, { onPlay: play, label: t("review.board") });
      fill(place, board.element);
    } else board.update(now);
    board.setInteractive(!now.over);
    const title = openingName(line) ?? (state.board ? t("analyze.setupname") : line.moves.length ? t("analyze.broken", { count: line.moves.length }) : t("analyze.start"));
    heading.textContent = title;
    setTitle(`${t("page.analyze")}: ${title}`);
    fill(under, memory.names?.some(Boolean) && h("span", memory.names.map((name, side) => name || sideName(style(), side)).join(" – ")),
      now.counts?.map((count, side) => h("span.analyze-count", pieceIcon(style(), side), h("b.tabular", count))),
      now.over ? h("span", now.over.winner === null ? t("value.draw") : t("table.won.side", { side: sideName(style(), now.over.winner) })) : now.to_move !== null && now.to_move >= 0 && h("span", t("analyze.tomove", { side: sideName(style(), now.to_move) })));
    fill(off, now.over ? [] : movesOffBoard(now).slice(0, 40).map((move) => h("button.button.small", { type: "button", onclick: () => play(move.action, move) }, move.text)));
    notice.hidden = !original;
    fill(notice, h("span.muted", t("analyze.variation")), h("button.button.small", { type: "button", onclick: backToGame }, sign("undo"), t("analyze.variation.back")));
    stepper.update({ at, length: line.moves.length });
    setupButton.hidden = !flagship();
    paste.placeholder = flagship() ? t("analyze.paste.placeholder") : `${line.positions[0].legal.slice(0, 3).map((move) => move.text).join(" ")} …`;
    pasteField.querySelector("label").textContent = t(flagship() ? "analyze.paste.label" : "analyze.paste.other");
    showReview();
    searchHints();
    drawExports();
  }

  function showReview() {
    remember(kept);
    const movers = moversOf(line.positions);
    const values = valuesOf(memory.judged, movers);
    for (const { moves, black, first } of memory.facts?.values ?? []) values.set(moves, black ?? first);
    review.update({ moves: line.moves, judged: memory.judged, values, facts: memory.facts, at, unit: unit(), style: style(), movers });
    review.mistakes.hidden = !memory.judged.size;
    fill(judge, judging ? [sign("stop"), t("analyze.game.stop")] : [sign("search"), t("analyze.game.judge")]);
    judge.classList.toggle("primary", !judging && !memory.facts);
    judge.disabled = !line.moves.length;
    const mistakes = Number(review.mistakes.dataset.count ?? 0);
    progress.textContent = judging ? t("analyze.game.progress", { done: memory.judged.size, total: line.moves.length })
      : memory.facts ? t("analyze.game.done", { count: mistakes }) : line.moves.length ? t("analyze.game.ask") : t("analyze.game.none");
  }

  // Values ----------------------------------------------------------------------------------------------------------

  function setHints(on) {
    state.hints = hintSwitch.checked = on;
    show();
  }

  function stopHints() {
    hinting?.search.stop();
    hinting = null;
    hints.busy = false;
  }

  function searchHints() {
    const wanted = state.hints && !setup.open && !judging && !position().over && position().legal.length > 0;
    const key = `${keyOf()} ${at} ${state.time}`;
    if (hinting?.key === key && wanted) return;
    stopHints();
    if (hints.key !== key) hints = { list: [], depth: null, nodes: null, unit: unit(), busy: false, key };
    drawHints();
    if (!wanted || hints.done) return;
    hints.busy = true;
    const found = hints;
    const search = socket.run("hints", { game: state.game, moves: line.moves.slice(0, at).join(" "), board: state.board, time: state.time }, {
      event(answer) {
        if (hints !== found) return;
        found.compiling = answer.event === "compiling";
        if (found.compiling) drawHints();
        if (answer.event !== "hints") return;
        const list = [...answer.hints].sort((a, b) => rank(b) - rank(a));
        Object.assign(found, { list, depth: answer.depth, nodes: answer.nodes, unit: answer.unit ?? unit() });
        drawHints();
      },
      done() {
        found.busy = false;
        found.done = found.list.length > 0;
        if (hints === found) {
          hinting = null;
          drawHints();
          const [best] = found.list;
          if (best) announce(`${best.text} ${outcomeText(best, found.unit)}`);
        }
      },
      error(text) {
        found.busy = false;
        if (hints === found) {
          hinting = null;
          drawHints(text);
        }
      },
    });
    hinting = { key, search };
    drawHints();
  }

  function drawHints(problem = "") {
    hintList.hidden = !state.hints;
    const shown = state.hints && !setup.open ? hints.list : [];
    const top = shown.length ? rank(shown[0]) : 0;
    board.setHints(shown.map((hint) => ({ cell: hint.cell, text: valueText(hint.value, hints.unit, hint.exact), best: rank(hint) === top, exact: hint.exact, tone: hint.value < 0 ? "bad" : "good" })));
    const solved = shown.length > 0 && shown.every((hint) => hint.exact);
    fill(hintHead, hints.busy && h("span.spinner", { role: "img", "aria-label": t("analyze.hints.searching") }), shown.length > 0 && ` ${solved ? t("analyze.hints.solved") : t("analyze.hints.depth", { depth: hints.depth })} · ${t("analyze.hints.nodes", { nodes: countText(hints.nodes) })}`);
    if (problem) fill(hintList, h("li.error", problem));
    else if (position().over) fill(hintList, h("li.muted", t("analyze.hints.over")));
    else if (!shown.length) fill(hintList, h("li.muted", t(hints.compiling ? "analyze.hints.compiling" : "analyze.hints.empty")));
    else {
      fill(hintList, shown.slice(0, LINES).map((hint, i) => h("li", h("button", { type: "button", dataset: { best: i === 0 ? "yes" : "no" }, onclick: () => play(hint.action, hint), onpointerenter: () => board.highlight(hint.cell ? [hint.cell] : []), onpointerleave: () => board.highlight([]) },
        h("b", hint.text), h("span.tabular.hint-value", outcomeText(hint, hints.unit), hint.exact && sign("check")), h("span.muted.hint-line", hint.line.slice(1, 9).join(" "))))));
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
    Object.assign(memory, { judged: new Map(), facts: null });
    const key = keyOf();
    judging = socket.run("analyse", { game: state.game, moves: state.moves, board: state.board, time: state.pace }, {
      event(answer) {
        if (key !== keyOf()) return;
        if (answer.event === "move") memory.judged.set(answer.ply ?? answer.number - 1, answer);
        else if (answer.event === "analysis") {
          memory.facts = { ...answer, ...(memory.names && { black: memory.names[0], white: memory.names[1] }) };
          memory.judged = new Map(answer.moves.map((move) => [move.ply ?? move.number - 1, move]));
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
    if (!flagship()) {
      await openLine({ moves: text, board: "", ply: NaN });
      return;
    }
    let found;
    try {
      found = await post("/api/read", { text });
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

  const gameLabel = ({ names, result, ...game }) => [names?.filter(Boolean).join(" – "), openingName(game), result !== null && result !== undefined && (result > 0 ? `+${result}` : result)].filter((part) => part || part === 0).join(" · ") || t("game");

  function openItem({ start, moves, names }) {
    return openLine({ moves, board: isStart(start) ? "" : start, ply: moves ? NaN : 0, names });
  }

  // The usual beginning, which the openings are named from, is no position of one's own.
  const isStart = (text) => /^-{27}OX-{6}XO-{27} X/.test(text) || /^\.{27}OX\.{6}XO\.{27} X/.test(text);

  // Setting up ------------------------------------------------------------------------------------------------------

  function openSetup() {
    stopHints();
    stopJudging();
    setup.start(position());
    fill(place, setup.board.element);
    right.prepend(setup.element);
    right.dataset.setup = "open";
    off.hidden = true;
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
    const analysed = unit() === "discs" && ["graph", "ggf"].includes(what) ? [...memory.judged.values()] : [];
    const answer = await fetch("/api/export", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        what, format, game: state.game, moves: ["board", "obf"].includes(what) ? line.moves.slice(0, at).join(" ") : state.moves, board: state.board,
        names: memory.names ?? [], analysis: analysed, ...(analysed.length && memory.facts?.end && { end: memory.facts.end }),
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

  const copyExport = (what) => async () => {
    try {
      await copy((await (await exported(what, "text")).text()).trim());
    } catch (error) {
      toastError(error);
    }
  };

  const shared = () => ({ game: state.game, moves: state.moves, board: state.board, title: memory.names?.filter(Boolean).join(" – ") || pick(known.games.find(({ name }) => name === state.game.split(":")[0])?.titles) });

  function drawExports() {
    const button = (word, icon, run, disabled = false) => h("button.button.small", { type: "button", disabled, onclick: run, dataset: { export: word } }, sign(icon), t(`analyze.export.${word}`));
    const whole = memory.facts !== null && flagship();
    fill(exports,
      button("transcript", "copy", copyExport("transcript"), !line.moves.length), button("board", "copy", copyExport("board")), button("link", "link", () => copy(location.href)),
      flagship() && [button("ggf", "plus", () => save("ggf", "text")), button("obf", "plus", () => save("obf", "text"))],
      line.moves.length > 0 && [gifButton(shared), embedButton("game", shared)],
      button("boardsvg", "plus", () => save("board", "svg")), button("boardpng", "plus", () => save("board", "png")),
      flagship() && [button("graphsvg", "plus", () => save("graph", "svg"), !whole), button("graphpng", "plus", () => save("graph", "png"), !whole)]);
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
    { key: "Backspace", label: "keys.takeback", run: () => go(at - 1) },
    { key: " ", label: "keys.bestmove", run: playBest },
    { key: "a", label: "keys.analyse", run: toggleJudging },
    { key: "v", label: "keys.values", run: () => setHints(!state.hints) },
    { key: "f", label: "keys.flip", run: () => board?.flip(!board.flipped) },
  ], "page.analyze");

  about().then(async (answer) => {
    known = answer;
    const games = known.games.filter((game) => game.players === 2);
    fill(gamePlace, field(t("game"), select(games.map((game) => [game.name, pick(game.titles ?? game.title)]), state.game.split(":")[0], (game) => {
      state.game = game;
      openLine({ moves: "", board: "", ply: 0 });
    })));
    const opened = await openLine({ moves: state.moves, board: state.board, ply: state.ply, keep: true, fresh: true });
    if (!opened) await openLine({ moves: "", board: "", ply: 0 });
    else if (query.has("judge") && !memory.facts && !original) toggleJudging(); // whoever got the address sees it too
  }).catch(toastError);

  return () => {
    stopHints();
    stopJudging();
    socket.close();
    document.removeEventListener("paste", pasted);
    release();
  };
}
