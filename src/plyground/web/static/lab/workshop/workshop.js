// The workshop: a game is written here, checked, and played. The server runs the code in a caged process of its own.
//
// What is written stays in this browser. The process ends with the page, or after a while; the page knows the moves, and
// the next one begins the game anew where it was.

import { about, get, lineOf, live } from "/static/api.js";
import { createBoard, movesOffBoard } from "/static/board.js";
import { announce, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign, store, stored } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { hasWord, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { createEditor } from "/static/lab/workshop/editor.js";

const HUMAN = "human";
const PAUSE = 350; // milliseconds between two moves of programs
const LARGEST = 200_000; // characters
const COMMAND = "plyground web --workshop";

const nameOf = (spec) => (hasWord(`workshop.player.${spec}`) ? t(`workshop.player.${spec}`) : spec);
const fileOf = (name) => `${name.replace(/[^\w-]+/g, "") || "mygame"}.py`;

export function mount(root, context) {
  const page = h("div.page.workshop");
  let gone = false;
  let end = null;
  fill(root, page);
  const header = h("header", h("h1", t("page.workshop")), h("p.lead", t("workshop.lead")));
  fill(page, header);
  about().then(async ({ workshop }) => {
    if (gone) return;
    if (!workshop) {
      fill(page, header, h("div.panel", h("div.body.stack", h("p", t("workshop.closed")), h("pre.workshop-command", COMMAND), h("p.muted", t("workshop.closed.why")))));
      return;
    }
    const beginning = await get("/api/workshop");
    if (!gone) end = open(page, header, beginning, context);
  }).catch((error) => !gone && toastError(error));
  return () => {
    gone = true;
    end?.();
  };
}

function open(page, header, { examples, missing }, { kept }) {
  let name = stored("workshop.name") ?? examples[0]?.name ?? "mygame";
  let programs = null; // who can play the game; null while nobody knows
  let seats = null;
  let wanted = kept.wanted ?? [HUMAN, "mcts:time=0.2"];
  let played = kept.played ?? null; // { position, moves, players, seed, note }
  let busy = null; // what was asked: "check", "play", "move", "go", "back"
  let asked = 0;
  let pending = []; // the move that was asked for last
  let waiting = null; // what could not be sent yet
  let running = ""; // the code that was checked or played last
  let board = null;
  let timer = 0;
  let said = null; // { kind, ...content } of the last check, or the last problem

  // The parts ------------------------------------------------------------------------------------------------------------

  const help = h("p.small.muted", { id: "workshop-help" }, t("workshop.help"));
  const step = (what, run) => h("button.button.icon", { type: "button", "aria-label": t(`workshop.${what}`), title: t(`workshop.${what}`), onclick: run }, sign(what));
  const undoing = step("undo", () => editor.undo());
  const redoing = step("redo", () => editor.redo());
  const editor = createEditor({
    value: stored("workshop.code") ?? examples[0]?.code ?? "", label: t("workshop.editor"), help: "workshop-help",
    change(text) {
      store("workshop.code", text);
      if (said) { said = null; drawSaid(); }
    },
    history: ({ undo, redo }) => { undoing.disabled = !undo; redoing.disabled = !redo; },
    keys: { Enter: check, s: save },
  });
  const title = h("input.input.mono.workshop-name", { type: "text", value: name, maxlength: 60, spellcheck: "false", autocomplete: "off", oninput: () => { name = title.value; store("workshop.name", name); drawUse(); } });
  const chooser = select([["", t("workshop.examples")], ...examples.map(({ name: key }) => [key, hasWord(`workshop.example.${key}`) ? t(`workshop.example.${key}`) : key])], "", begin);
  chooser.setAttribute("aria-label", t("workshop.examples"));
  const picked = h("input", { type: "file", accept: ".py,text/x-python,text/plain", hidden: true, onchange: read });
  const status = h("div.workshop-said", { role: "status" });
  const tools = h("div.row");
  const who = h("div.workshop-seats");
  const stage = h("div.workshop-stage");
  const use = h("p.small.muted.workshop-use");
  const button = (label, icon, run, more = "") => h(`button.button${more}`, { type: "button", onclick: run }, sign(icon), label);
  fill(page, header,
    missing.length > 0 && h("p.note.warn", t("workshop.missing", { parts: missing.join("; ") })),
    h("div.workshop-sheet",
      h("section.panel.workshop-write", { "aria-label": t("workshop.write") },
        h("div.row.workshop-file", h("div.field.workshop-examples", chooser), h("label.workshop-title", h("span.unseen", t("workshop.name")), title, h("span.muted", ".py")), button(t("workshop.load"), "load", () => picked.click()), button(t("workshop.save"), "save", save), undoing, redoing, picked),
        editor.element, help),
      h("section.panel.workshop-try", { "aria-label": t("workshop.try") }, tools, status, who, stage, use)));

  // Files ----------------------------------------------------------------------------------------------------------------

  function put(code, called) {
    editor.value = code;
    title.value = name = called;
    store("workshop.name", name);
    drawUse();
    toast(t("workshop.replaced"));
  }

  function begin(key) {
    const example = examples.find((one) => one.name === key);
    chooser.value = "";
    if (example) put(example.code, example.name);
  }

  async function read() {
    const [file] = picked.files;
    picked.value = "";
    if (!file) return;
    if (file.size > LARGEST) toast(t("workshop.large"), "bad");
    else put((await file.text()).replaceAll("\r\n", "\n"), file.name.replace(/\.py$/, ""));
  }

  function save() {
    const link = h("a", { href: URL.createObjectURL(new Blob([editor.value], { type: "text/x-python" })), download: fileOf(name) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  const drawUse = () => fill(use, t("workshop.use"), " ", h("code", `plyground play ${fileOf(name)}`));

  // Asking ---------------------------------------------------------------------------------------------------------------

  const socket = live("/ws/workshop", {
    message: hear,
    state(now, reason) {
      if (now === "open" && waiting) send(waiting);
      else if (now === "lost") lose("");
      else if (now === "refused") lose(reason);
    },
  });

  function send(message) {
    waiting = socket.send(message) === false ? message : null;
  }

  function ask(what, details = {}) {
    clearTimeout(timer);
    asked += 1;
    busy = what;
    running = details.code ?? running;
    drawTools();
    drawGame();
    send({ id: asked, do: what, ...details });
  }

  function lose(reason) {
    if (waiting) return; // it is sent when the server is there
    busy = null;
    if (reason) say({ kind: "problem", error: reason });
    drawTools();
    drawGame();
  }

  function check() {
    editor.mark(null);
    say({ kind: "busy", text: t("workshop.checking") });
    ask("check", { code: editor.value });
  }

  function play() {
    editor.mark(null);
    say({ kind: "busy", text: t("workshop.starting") });
    played = { seed: randomSeed(), moves: [], code: editor.value };
    resume([]);
  }

  const resume = (moves) => ask("play", { code: played.code, players: wanted, seed: played.seed, moves });
  const history = () => played.moves.map(({ action }) => action);

  function move(action) {
    if (busy) return;
    pending = [action];
    ask("move", { action });
  }

  function back() {
    if (!busy && played?.moves.some(({ player }) => played.players[player] === HUMAN)) ask("back");
  }

  function stop() {
    busy = null;
    asked += 1;
    clearTimeout(timer);
    send({ id: asked, do: "stop" });
    say({ kind: "note", text: t("workshop.stopped") });
    drawTools();
    drawGame();
  }

  function hear(answer) {
    if (answer.event === "away") {
      if (answer.why === "elsewhere") lose(t("workshop.elsewhere"));
      return;
    }
    if (answer.id !== asked) return;
    if (answer.event === "loaded") {
      ({ seats, programs } = answer);
      drawSeats();
    } else if (answer.event === "checked") {
      if (answer.compiled === null) say({ kind: "busy", text: t("workshop.compiling", answer) });
      else say({ kind: "checked", ...answer });
    } else if (answer.event === "position") {
      take(answer);
    } else if (answer.event === "problem") {
      const { error, line, rule } = answer;
      if (busy === "play") played = null;
      say({ kind: "problem", error, line, rule });
      if (line && running === editor.value) editor.mark({ line, text: error });
    } else if (answer.event === "refused" && answer.code === "workshop_away" && played?.position) {
      goOn();
    } else if (answer.event === "refused") {
      busy = null;
      say({ kind: "problem", error: lineOf(answer) });
    } else if (answer.event === "done") {
      busy = null;
      goOnSoon();
    }
    drawTools();
    drawGame();
  }

  // The process was ended because nobody needed it: the same game in a new one, with the move that was to be made.
  function goOn() {
    wanted = played.players;
    drawSeats();
    resume([...history(), ...(busy === "move" ? pending : [])]);
  }

  function take({ position, moves, players, note }) {
    const before = played.moves.length;
    const fresh = !played.position;
    Object.assign(played, { position, moves, players, note });
    Object.assign(kept, { played, wanted });
    if (said?.kind !== "checked") say(note ? { kind: "note", text: t("workshop.interpreted", { note }) } : null);
    if (moves.length > before) announce(t("workshop.moved", { moves: moves.slice(before).map(told).join(", ") }));
    if (fresh || !board) makeBoard();
    else board.update(position);
  }

  const toMove = () => played?.position?.to_move;
  const isProgram = () => !played.position.over && played.players[toMove()] !== HUMAN;
  const goOnSoon = () => {
    clearTimeout(timer);
    if (played?.position && isProgram()) timer = setTimeout(() => !busy && ask("go"), played.players.includes(HUMAN) ? 0 : PAUSE);
  };

  // Drawing --------------------------------------------------------------------------------------------------------------

  const seatName = (seat) => {
    const given = seats?.[seat];
    return given === undefined || /^player \d+$/.test(given) ? t("side.player", { number: seat + 1 }) : given;
  };
  const told = ({ player, text }) => t("workshop.made", { who: player < 0 ? t("workshop.chance") : seatName(player), text });

  function say(what) {
    said = what;
    drawSaid();
  }

  function drawSaid() {
    const line = said?.line && h("button.button.small", { type: "button", onclick: () => editor.goTo(said.line) }, t("workshop.line", { line: said.line }));
    const kinds = {
      busy: () => [h("span.spinner", { "aria-hidden": "true" }), h("span", said.text)],
      note: () => [h("span", said.text)],
      problem: () => [sign("close"), h("span", said.rule && !said.error.includes(said.rule) && h("b", t("workshop.rule", { rule: said.rule }), " "), said.error), line],
      checked: () => [sign("check"), h("span", h("b", t("workshop.holds")), " ", t("workshop.report", said), " ", t(said.compiled ? "workshop.compiled" : "workshop.interpreted", said))],
    };
    fill(status, said && h("div.workshop-line", { "data-kind": said.kind }, kinds[said.kind]()));
  }

  function drawTools() {
    const had = document.activeElement?.dataset?.tool;
    const parts = [
      ["check", button(t("workshop.check"), "check", check, ".primary")],
      ["play", button(t(played?.position ? "workshop.again" : "workshop.play"), "play", play, ".primary")],
      ["stop", busy && button(t("workshop.stop"), "stop", stop)],
    ].filter(([, element]) => element);
    for (const [key, element] of parts) element.dataset.tool = `workshop-${key}`;
    fill(tools, parts.map(([, element]) => element));
    if (had?.startsWith("workshop-")) (tools.querySelector(`[data-tool="${had}"]`) ?? tools.firstChild).focus();
  }

  function drawSeats() {
    const count = seats?.length ?? 2;
    const known = programs ?? ["random", "minimax:depth=2", "alphabeta:time=1", "mcts:time=0.2"];
    wanted = Array.from({ length: count }, (_, seat) => (wanted[seat] === HUMAN || known.includes(wanted[seat]) ? wanted[seat] : seat ? known.at(-1) ?? HUMAN : HUMAN));
    const items = [[HUMAN, t("workshop.human")], ...known.map((spec) => [spec, nameOf(spec)])];
    fill(who, wanted.map((spec, seat) => field(seatName(seat), select(items, spec, (value) => { wanted = wanted.with(seat, value); kept.wanted = wanted; }))));
  }

  function makeBoard() {
    board = createBoard(played.position, { onPlay: (action) => move(action), label: t("workshop.board"), interactive: true });
  }

  const outcome = ({ winner }) => (winner === null ? t("workshop.even") : t("table.won.side", { side: seatName(winner) }));

  function drawGame() {
    if (!played?.position || !board) {
      fill(stage);
      return;
    }
    const { position, moves, players } = played;
    const turn = position.over ? outcome(position.over) : t("table.turn", { side: seatName(position.to_move) });
    const mine = !busy && !position.over && players[position.to_move] === HUMAN;
    const within = stage.contains(document.activeElement) && document.activeElement.closest(".workshop-actions, .workshop-turn");
    board.setInteractive(mine);
    const more = movesOffBoard(position);
    const actions = more.length > 0 && h("div.workshop-actions", { role: "group", "aria-label": t("workshop.actions") },
      more.map(({ action, text }) => h("button.button.small", { type: "button", disabled: !mine, onclick: () => move(action) }, text)));
    const list = h("ol.workshop-moves.small", { tabindex: "0", "aria-label": t("moves.label") }, moves.map((made) => h("li", told(made), made.value !== null && h("span.muted", ` ${made.value > 0 ? "+" : ""}${made.value.toFixed(2).replace("-", "−")}`))));
    const undo = button(t("workshop.back"), "undo", back, ".small");
    undo.disabled = Boolean(busy) || !moves.some(({ player }) => players[player] === HUMAN);
    if (stage.firstChild !== board.element) fill(stage, board.element);
    while (board.element.nextSibling) board.element.nextSibling.remove();
    stage.append(...[
      h("div.row.workshop-turn", { tabindex: "-1" }, h("strong", turn), busy === "go" && h("span.spinner", { "aria-hidden": "true" }), undo),
      actions, moves.length > 0 && list].filter(Boolean));
    list.scrollTop = list.scrollHeight;
    if (within) (stage.querySelector(".workshop-actions button:not(:disabled)") ?? stage.querySelector(".workshop-turn")).focus({ preventScroll: true });
    if (position.over && !busy) announce(turn);
  }

  drawTools();
  drawSeats();
  drawUse();
  if (played?.position) {
    if (played.code === undefined) played = null;
    else {
      makeBoard();
      goOn();
    }
  }
  const release = keys([
    { key: "b", label: "keys.board", run: () => played?.position?.grid && board.focus() },
    { key: "Backspace", label: "keys.takeback", run: back },
    { key: "ArrowLeft ArrowRight ArrowUp ArrowDown", label: "keys.squares" },
    { key: "Enter", label: "keys.play" },
  ], "page.workshop");
  return () => {
    clearTimeout(timer);
    release();
    socket.close();
  };
}
