// The laboratory: any search in any game or tree, step by step, alone or beside another; and the classroom exercise.
//
// Everything is in the address: lesson=worked | game=tictactoe&moves=b2 | tree=((3 12 8) (2 4 6)),
// algorithm=alphabeta:depth=2, beside=minimax, mode=exercise | edit | live, player=mcts:time=5, step=3.

import { about, post, searches } from "/static/api.js";
import { createBoard, movesOffBoard } from "/static/board.js";
import { announce, copyText, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { createLiveTree } from "/static/pictures/live_tree.js";
import { mountReplay } from "/static/pictures/replay.js";
import { field, optionFields, radios, select, splitSpec, writeSpec } from "/static/fields.js";
import { hasWord, language, pick, rewindWords, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { isFlagship } from "/static/games/play/games.js";
import { cutsText } from "/static/games/play/values.js";
import { noteGuess } from "/static/lab/learn/progress.js";
import { asQuestion, judgeCuts, roomForMarks } from "/static/lab/watch/exercise.js";
import { filmButtons, svgButton } from "/static/share/buttons.js";
import { childrenOf, nodeList, randomTree, readTree, writeTree } from "/static/lab/watch/notation.js";

const WORKED = "((3 12 8) (2 4 6) (14 5 2))";
// Options of a search that are fields of their own in a request; the others belong to the algorithm.
const FIELDS = { depth: Number, evaluation: String, order: String, symmetry: (text) => text === "on", quiescence: (text) => text === "on", simulations: Number, steps: Number, seed: Number };
const MCTS_FIRST = ["simulations", "c", "form", "selection", "expansion", "rollout", "reward", "seed"];
const MCTS_NEVER = ["time", "nodes", "ponder", "reuse", "threads", "parallel", "virtual_loss", "memory", "endgame", "final"];
const BY_HAND = "worked-mcts"; // a lesson whose tree has counts, and no exercise
const WITHIN = { wide: { least: 0.3, near: 0.6 }, narrow: { least: 0.4, near: 0.5 } }; // scales in a figure, which shows a tree whole rather than near
const SIGNS = { alpha: "α", beta: "β" }; // what a mark on the picture is called
const LIVE = "mcts:time=5"; // who is watched while it thinks
const SIMULATIONS = { simulations: "200", steps: "12" };

export function mount(root, context) {
  const { query, setQuery, setTitle } = context;
  const state = {
    source: query.has("tree") ? "tree" : query.has("game") ? "game" : "lesson",
    lesson: query.get("lesson") ?? "worked",
    game: query.get("game") ?? "tictactoe",
    moves: query.get("moves") ?? "",
    tree: query.get("tree") ?? WORKED,
    algorithm: query.get("algorithm") ?? "",
    beside: query.get("beside") ?? "",
    player: query.get("player") ?? LIVE,
    mode: ["exercise", "edit", "live"].includes(query.get("mode")) ? query.get("mode") : "watch",
    step: query.get("step") ?? "0",
  };
  const socket = searches();
  const panel = h("div.watch-fields");
  const wide = matchMedia("(min-width: 901px)");
  const drawer = h("details.watch-panel", { open: wide.matches && !context.within }, h("summary", t("watch.settings")), panel);
  const openWhenWide = () => { if (!context.within) drawer.open = wide.matches; };
  wide.addEventListener("change", openWhenWide);
  const stage = h("div.watch-stage");
  const status = h("p.watch-status", { role: "status" });
  root.classList.add("watch");
  fill(root, h("h1.unseen", t("watch.title")), drawer, h("div.watch-main", status, stage));

  let known = null;
  let replays = [];
  let running = [];
  let timer = 0;
  let waiting = 0;
  let picker = null;
  let growth = null;

  const exercise = () => state.mode === "exercise" && !byHand();
  const byHand = () => state.source === "lesson" && state.lesson === BY_HAND;
  const live = () => state.mode === "live" && state.source === "game";
  const editing = () => state.mode === "edit" && state.source === "tree";

  // What is asked for -----------------------------------------------------------------------------------------------

  function lessonNow() {
    return known?.lessons.find(({ name }) => name === state.lesson);
  }

  // The algorithm that is shown: the one chosen, or the usual one of the lesson.
  function usualAlgorithm() {
    return (state.source === "lesson" && lessonNow()?.algorithm) || "alphabeta";
  }

  function subject() {
    if (state.source === "lesson") return { lesson: state.lesson };
    if (state.source === "game") return { game: state.game, ...(state.moves && { moves: state.moves }) };
    const { root: node, file } = readTree(state.tree);
    return { tree: file ?? { root: node } };
  }

  function request(spec) {
    const { name, options } = splitSpec(spec);
    const own = {};
    const fields = {};
    for (const [key, value] of Object.entries(options)) {
      if (key in FIELDS) fields[key] = FIELDS[key](value);
      else own[key] = value;
    }
    return { ...subject(), algorithm: writeSpec(name, own), ...fields, lang: language() };
  }

  function addressOf() {
    const { source } = state;
    setQuery({
      lesson: source === "lesson" ? state.lesson : null,
      game: source === "game" ? state.game : null,
      moves: source === "game" && state.moves ? state.moves : null,
      tree: source === "tree" ? state.tree.trim().replace(/\s+/g, " ") : null,
      algorithm: exercise() || live() ? null : state.algorithm || null,
      beside: exercise() || live() ? null : state.beside || null,
      player: live() ? state.player : null,
      mode: state.mode === "watch" ? null : state.mode,
      step: state.step === "0" || exercise() || live() ? null : state.step,
    });
  }

  function change(changes, { soon = false } = {}) {
    Object.assign(state, changes);
    if (!("step" in changes)) state.step = "0";
    drawPanel();
    clearTimeout(timer);
    timer = setTimeout(search, soon ? 350 : 0);
  }

  // Searching -------------------------------------------------------------------------------------------------------

  function stopAll() {
    clearTimeout(waiting);
    running.forEach((one) => one.stop());
    running = [];
  }

  function clearReplays() {
    growth?.tree.destroy();
    growth = null;
    replays.forEach((replay) => replay.destroy());
    replays = [];
  }

  function say(text, kind = "") {
    status.className = `watch-status ${kind}`;
    fill(status, text);
  }

  async function search() {
    stopAll();
    addressOf();
    if (live()) {
      think();
      return;
    }
    let wanted;
    try {
      const first = exercise() || editing() ? "alphabeta" : state.algorithm || usualAlgorithm();
      wanted = [first, ...(state.beside && state.mode === "watch" && !byHand() ? [state.beside] : [])].map((spec) => ({ spec, ...request(spec) }));
    } catch (error) {
      say(t(error.message), "bad");
      return;
    }
    const mine = running;
    waiting = setTimeout(() => say([h("span.spinner"), " ", t("watch.searching")]), 250);
    const answers = wanted.map(({ spec, ...details }) => new Promise((resolve, reject) => {
      running.push(socket.run("watch", details, {
        event(answer) {
          if (answer.event === "drawing") resolve({ spec, ...answer });
          else if (answer.event === "tree" && running === mine && wanted.length === 1) showGrowth().tree.show(answer.tree, t("watch.searching"));
          else if (answer.event === "compiling" && running === mine) say([h("span.spinner"), " ", t("watch.compiling")]);
        },
        error: (line) => reject(new Error(line || t("error.network"))),
      }));
    }));
    try {
      const found = await Promise.all(answers);
      if (running !== mine) return;
      clearTimeout(waiting);
      say("");
      show(found);
    } catch (error) {
      if (running !== mine) return;
      clearTimeout(waiting);
      say(error.message, "bad");
    }
  }

  // Showing ---------------------------------------------------------------------------------------------------------

  function show(found) {
    clearReplays();
    stage.className = "watch-stage";
    if (exercise()) return showExercise(found[0]);
    if (editing()) return showEditor(found[0]);
    const titles = found.map(({ spec }) => splitSpec(spec).name);
    setTitle(`${found[0].drawing.title}`);
    stage.classList.toggle("two", found.length > 1);
    const columns = found.map(({ drawing, facts, spec }, place) => {
      const holder = h("div.watch-replay");
      const column = h("section.watch-column", { "aria-label": titles[place] },
        h("header", h("h2", found.length > 1 ? titles[place] : drawing.title), factList(facts, spec), !context.within && h("div.row.watch-take", filmButtons(holder, drawing, () => replays[place].view))), holder);
      return { column, holder, drawing };
    });
    fill(stage, found.length > 1 && comparison(found), columns.map(({ column }) => column));
    replays = columns.map(({ holder, drawing }, place) => mountReplay(holder, drawing, {
      step: place ? 0 : state.step,
      ...(context.within && WITHIN[wide.matches ? "wide" : "narrow"]),
      onGuess: noteGuess,
      onStep: place ? undefined : (at) => {
        state.step = at && at === drawing.steps.length ? "last" : String(at);
        addressOf();
      },
    }));
    if (found.length > 1) replays[1].goTo(state.step === "last" ? Infinity : Number(state.step), true);
    announce(found.map(({ facts, drawing }) => `${drawing.title}. ${factText(facts)}`).join(" "));
  }

  function factPairs(facts) {
    if (!facts) return [];
    const count = (value) => (Array.isArray(value) ? value.length : value);
    return ["simulations", "depth", "visited", "leaves", "moves_cut"].filter((name) => facts[name] !== undefined && facts[name] !== null)
      .map((name) => [name, count(facts[name])]);
  }

  const factText = (facts) => factPairs(facts).map(([name, value]) => `${value} ${t(`watch.facts.${name}`)}`).join(", ");

  function factList(facts) {
    const items = factPairs(facts).map(([name, value]) => h("li", { dataset: { fact: name } }, h("b", value.toLocaleString(language())), " ", t(`watch.facts.${name}`)));
    const shown = facts?.text ?? facts?.value;
    if (shown !== undefined && shown !== null) items.push(h("li", { dataset: { fact: "value" } }, t("watch.facts.value"), " ", h("b", String(shown))));
    if (facts?.live?.cuts) items.push(h("li", { dataset: { fact: "cuts" } }, cutsText(facts.live)));
    if (facts?.line?.length) items.push(h("li.line", t("watch.facts.line"), " ", h("b", facts.line.slice(0, 8).join(" "))));
    return h("ul.watch-facts", items);
  }

  function comparison(found) {
    const sizes = found.map(({ facts }) => facts?.visited ?? 0);
    const names = found.map(({ spec }) => spec);
    const most = Math.max(...sizes, 1);
    let words = t("watch.compare.same");
    if (sizes[0] !== sizes[1]) {
      const less = sizes[0] < sizes[1] ? 0 : 1;
      const [small, large] = [sizes[less], sizes[1 - less]];
      words = t("watch.compare.fewer", { fewer: names[less], more: names[1 - less], small: small.toLocaleString(language()), large: large.toLocaleString(language()), percent: Math.round(100 * (1 - small / large)) });
    }
    return h("section.watch-compare", { "aria-label": t("watch.compare") }, h("p", words),
      found.map((_, i) => h("div.watch-measure", h("span", names[i]), h("i", { style: { width: `${(100 * sizes[i]) / most}%` } }), h("b.tabular", sizes[i].toLocaleString(language())))));
  }

  // A search while it runs ------------------------------------------------------------------------------------------

  // An empty stage for a tree that grows.
  function showGrowth() {
    if (growth) return growth;
    clearReplays();
    stage.className = "watch-stage";
    const head = h("header");
    const legend = h("p.small.muted.legend");
    const nothing = h("p.watch-nothing", { hidden: true }, t("watch.live.nothing"));
    growth = { head, tree: createLiveTree({ moves: true, rewind: rewindWords() }), legend, nothing };
    fill(stage, h("section.watch-column", head, legend, growth.tree.element, nothing));
    return growth;
  }

  // A player thinks about the position, with everything that it has for a game; nobody plays the move.
  function think() {
    const mine = running;
    const { head, tree, legend, nothing } = showGrowth();
    const drawn = (yes) => {
      tree.element.hidden = !yes;
      nothing.hidden = yes;
    };
    tree.begin();
    drawn(true);
    const again = h("button.button.small", { type: "button", onclick: search }, sign("again"), t("watch.live.again"));
    const { player } = state;
    setTitle(player);
    const take = svgButton(() => tree.view, () => player);
    take.disabled = true;
    const tell = (facts = {}) => fill(head, h("h2", player), factList(facts), h("div.row.watch-take", again, take));
    tell();
    say([h("span.spinner"), " ", t("watch.searching")]);
    let facts = {};
    let [failed, chose] = ["", ""];
    let root = ""; // what is written in the root: of Monte Carlo a mean, on another scale than the value of the move
    // Reversi's engine counts in discs, 64 of which are a whole win.
    const valueText = (value) => (isFlagship(state.game) && /^engine/.test(player) ? `${value > 0 ? "+" : ""}${Math.round(64 * value)}` : value.toFixed(3)).replace("-", "−");
    running.push(socket.run("think", { game: state.game, moves: state.moves, player, lang: language(), large: window.innerWidth >= 700 }, {
      event(answer) {
        if (running !== mine) return;
        if (answer.event === "compiling") say([h("span.spinner"), " ", t(answer.what ? "watch.compiling" : "watch.searching")]);
        else if (answer.event === "tree") {
          const { cuts, first_cuts: first, nodes } = answer;
          root = answer.tree.start[0]?.value || root;
          facts = { ...facts, live: { cuts, first_cuts: first }, ...(nodes && { visited: nodes }), ...(root && { value: root }) };
          tell(facts);
          legend.textContent = answer.legend;
          take.disabled = false;
          tree.show(answer.tree, `${player}. ${factText(facts)} ${cutsText(facts.live)}`);
        }
        else if (answer.event === "thinking" || answer.event === "chosen") {
          const { depth, value, nodes, line } = answer;
          facts = { ...facts, depth, [/^(mcts|uct|flat|minialphago|alphago)/.test(player) ? "simulations" : "visited"]: nodes, line, value: root || (typeof value === "number" ? valueText(value) : undefined) };
          tell(facts);
          if (answer.event === "chosen" && answer.lost) failed = hasWord(`watch.live.lost.${answer.lost.why}`) ? t(`watch.live.lost.${answer.lost.why}`, { player, ...answer.lost }) : answer.lost.reason;
          if (answer.event === "chosen" && answer.text) chose = t(typeof value === "number" || line?.length ? "watch.live.chose" : "watch.live.silent", { player, move: answer.text, seconds: answer.spent.toFixed(1) });
        }
      },
      done: () => running === mine && (drawn(!take.disabled), say(failed, failed ? "bad" : ""), legend.textContent = (take.disabled ? "" : legend.textContent) || chose, announce(`${player}. ${factText(facts)} ${failed || chose}`)),
      error: (line) => running === mine && say(line || t("error.network"), "bad"),
    }));
  }

  // The exercise ----------------------------------------------------------------------------------------------------

  function showExercise({ drawing, facts }) {
    const question = asQuestion(drawing);
    setTitle(t("title.of", { what: t("watch.mode.exercise"), name: drawing.title }));
    if (!question) {
      fill(stage, h("p.note.warn", t("exercise.needsleaves")));
      return;
    }
    const marks = new Map();
    let pen = "alpha";
    let solved = null;
    const names = { alpha: t("exercise.alpha"), beta: t("exercise.beta") };
    const holder = h("div.watch-replay");
    const said = h("div.exercise-said", { role: "status" });
    const check = h("button.button.primary", { type: "button", onclick: () => judge() }, sign("check"), t("exercise.check"));
    const clear = h("button.button", { type: "button", onclick: () => { [...marks.keys()].forEach(erase); draw(); } }, t("exercise.clear"));
    const reveal = h("button.button", { type: "button", onclick: () => (solved ? ask() : answer()) }, t("exercise.solution"));
    const pens = h("div.segmented", { role: "radiogroup", "aria-label": t("exercise.pen") }, radios("pen",
      Object.entries(names).map(([key, name]) => [key, h("span", { title: t(`exercise.${key}.help`) }, name)]), pen, (key) => { pen = key; }));
    fill(stage, h("section.watch-column",
      h("header.exercise-head", h("p.exercise-question", t("exercise.question")), h("div.row", h("span.label", t("exercise.pen")), pens, check, clear, reveal)),
      said, holder));

    const nodeName = (number) => {
      const [parent, , action, name] = drawing.nodes[number];
      const above = drawing.nodes[parent];
      const place = drawing.nodes.slice(0, number + 1).filter(([other], i) => i && other === parent).length;
      return name || t("exercise.nodename", { action: action || place, parent: above[3] || above[1].toUpperCase() });
    };
    function mark(number, look) {
      replays[0]?.setLook(number, look);
    }
    function erase(number) {
      marks.delete(number);
      mark(number, { edge: "plain", note: "", mark: "" });
    }
    function draw() {
      fill(said, h("p", marks.size ? t("exercise.marked", { count: marks.size }) : t("exercise.nothing")));
    }
    function pressed(number) {
      if (!number) return true;
      if (marks.get(number) === pen) erase(number);
      else {
        marks.set(number, pen);
        mark(number, { edge: "cut", note: SIGNS[pen], mark: "marked" });
      }
      draw();
      return true;
    }
    function ask() {
      solved = null;
      clearReplays();
      fill(reveal, t("exercise.solution"));
      pens.closest(".row").dataset.solved = "";
      check.disabled = clear.disabled = false;
      replays = [mountReplay(holder, question, { hint: "", whole: true, onPress: pressed, later: roomForMarks(drawing, SIGNS) })];
      for (const [number, kind] of marks) mark(number, { edge: "cut", note: SIGNS[kind], mark: "marked" });
      draw();
    }
    function answer() {
      solved = true;
      clearReplays();
      fill(reveal, t("exercise.again"));
      check.disabled = clear.disabled = true;
      fill(said, factList(facts));
      replays = [mountReplay(holder, drawing, { step: "last" })];
    }
    async function judge() {
      let found;
      try {
        found = await judgeCuts(drawing, facts, marks, language());
      } catch (error) {
        toastError(error);
        return;
      }
      const { verdicts, right, complete } = found;
      if (solved || !replays.length || !stage.contains(said)) return;
      const told = verdicts.filter((one) => one.found !== "missing");
      const [wrong, missing] = [told.length - right, verdicts.length - told.length];
      for (const one of told) mark(Number(one.key), { mark: one.found });
      const lines = [];
      if (complete) lines.push(h("p.exercise-total.right", sign("check"), t("exercise.all", { total: right })));
      else {
        if (wrong) lines.push(h("p.exercise-total.wrong", sign("close"), t("exercise.wrong", { count: wrong })));
        if (missing) lines.push(h("p.exercise-total", t("exercise.missing", { missing, total: verdicts.filter((one) => one.expected).length })));
      }
      fill(said, lines, h("ul", told.map((one) => h(`li.${one.found}`, { dataset: { verdict: one.found } },
        sign(one.found === "right" ? "check" : "close"),
        h("span", h("b", `${nodeName(Number(one.key))} · ${one.given} · ${verdictWord(one)}`), h("span.muted", ` ${one.reason}`))))));
    }
    const verdictWord = ({ found, expected }) => t(found === "right" ? "exercise.right" : expected ? "exercise.kind" : "exercise.notcut");
    ask();
  }

  // The editor ------------------------------------------------------------------------------------------------------

  function showEditor({ drawing }) {
    let parsed = readTree(state.tree);
    const question = asQuestion(drawing);
    setTitle(t("watch.tree.edit"));
    if (!question || !parsed.simple) {
      state.mode = "watch";
      search();
      return;
    }
    let list = nodeList(parsed.root);
    const bar = h("div.row.editor-bar");
    const holder = h("div.watch-replay");
    fill(stage, h("section.watch-column", h("header", bar), holder));
    // The picture follows when the server has searched the tree; until then nodes may have other numbers in it.
    const drawn = () => list.length === drawing.nodes.length;
    const save = (root, chosen) => {
      const text = writeTree(root);
      const before = list.length;
      parsed = readTree(text);
      list = nodeList(parsed.root);
      context.kept.chosen = chosen;
      change({ tree: text });
      if (list.length !== before) choose(chosen);
    };
    const keyOf = ({ node }) => (node.max ? "max" : "min");
    const setNode = (item, node) => {
      if (item.parent) item.parent.node[keyOf(item.parent)][item.place] = node;
      return item.parent ? parsed.root : node;
    };
    function choose(number) {
      const item = list[number];
      if (!item) return;
      if (drawn()) replays[0]?.setLook(context.kept.chosen ?? 0, { mark: "" });
      context.kept.chosen = number;
      if (drawn()) replays[0]?.setLook(number, { mark: "chosen" });
      const leaf = typeof item.node === "number";
      const mover = () => {
        let depth = 0;
        for (let above = item.parent; above; above = above.parent) depth += 1;
        return (depth + (parsed.root.min ? 1 : 0)) % 2 ? "min" : "max";
      };
      const value = h("input.input.editor-value", { type: "number", step: "any", value: leaf ? item.node : 0, "aria-label": t("watch.tree.leafvalue"), onchange: () => {
        const next = Number(value.value);
        if (Number.isFinite(next)) save(setNode(list[number], next), number);
      } });
      const tool = (name, icon, run, disabled = false) => h("button.button.small", { type: "button", disabled, onclick: () => run(list[number]), dataset: { tool: name } }, sign(icon), t(`watch.tree.${name}`));
      fill(bar,
        h("span.label", t("watch.tree.selected", { name: leaf ? t("watch.tree.leaf", { value: item.node }) : t("watch.tree.inner", { who: keyOf(item).toUpperCase(), count: childrenOf(item.node).length }) })),
        leaf && value,
        tool("addchild", "plus", (now) => {
          if (leaf) save(setNode(now, { [mover()]: [now.node] }), number);
          else {
            now.node[keyOf(now)].push(0);
            save(parsed.root, number);
          }
        }),
        !leaf && item.parent && tool("toleaf", "stop", (now) => save(setNode(now, 0), number)),
        item.parent && tool("remove", "trash", ({ parent, place }) => {
          const family = parent.node[keyOf(parent)];
          if (family.length > 1) {
            family.splice(place, 1);
            save(parsed.root, list.indexOf(parent));
          }
        }, childrenOf(item.parent.node).length < 2));
    }
    replays = [mountReplay(holder, question, { hint: "", whole: true, onPress: (number) => { if (drawn()) choose(number); return true; } })];
    if (context.kept.chosen !== undefined && list[context.kept.chosen]) choose(context.kept.chosen);
    else fill(bar, h("span.label", t("watch.tree.pick")));
  }

  // The panel -------------------------------------------------------------------------------------------------------

  function drawPanel() {
    if (!known) return;
    const had = panel.contains(document.activeElement) ? document.activeElement.dataset.field ?? document.activeElement.id : null;
    const named = (element, name) => {
      element.dataset.field = name;
      return element;
    };
    const source = h("div.segmented", { role: "radiogroup", "aria-label": t("watch.source") }, radios("source",
      ["lesson", "game", "tree"].map((key) => [key, t(`watch.source.${key}`)]), state.source,
      (key) => change({ source: key, algorithm: "", mode: ["edit", "live"].includes(state.mode) ? "watch" : state.mode })));
    const mode = h("div.segmented", { role: "radiogroup", "aria-label": t("watch.mode") }, radios("mode",
      [["watch", t("watch.mode.watch")], ["exercise", t("watch.mode.exercise")], ...(state.source === "tree" ? [["edit", t("watch.mode.edit")]] : state.source === "game" ? [["live", t("watch.mode.live")]] : [])],
      state.mode, (key) => change({ mode: key })));
    const parts = [source];
    if (state.source === "lesson") parts.push(...lessonFields(named));
    else if (state.source === "game") parts.push(...gameFields(named));
    else parts.push(...treeFields(named));
    if (!byHand()) parts.push(mode);
    if (live()) parts.push(playerField(named));
    if (state.mode === "watch" || byHand()) {
      parts.push(...algorithmFields("algorithm", named), ...(byHand() ? [] : algorithmFields("beside", named)));
      parts.push(h("div.row", h("button.button.small", { type: "button", onclick: copyLink }, sign("link"), t("watch.link"))));
    }
    fill(panel, parts);
    if (had) panel.querySelector(`[data-field="${CSS.escape(had)}"], #${CSS.escape(had)}`)?.focus();
  }

  function playerField(named) {
    const input = named(h("input.mono", { type: "text", value: state.player, list: "live-players", autocomplete: "off", spellcheck: "false", onchange: () => change({ player: input.value.trim() || LIVE }) }), "player");
    const cards = known.cards[splitSpec(state.game).name] ?? [];
    return h("div", field(t("watch.live.player"), input, t("watch.live.help")), h("datalist", { id: "live-players" }, cards.map(({ spec }) => h("option", { value: spec }))));
  }

  const copyLink = () => copyText(location.href, t("watch.linked"));

  function lessonFields(named) {
    const one = lessonNow();
    return [
      field(t("watch.lesson"), named(select(known.lessons.map(({ name, title }) => [name, hasWord(`lesson.title.${name}`) ? t(`lesson.title.${name}`) : pick(title)]), state.lesson, (lesson) => change({ lesson, algorithm: "", beside: "" })), "lesson")),
      one && h("p.small.muted", hasWord(`lesson.${one.name}`) ? t(`lesson.${one.name}`) : pick(one.about)),
    ];
  }

  function gameFields(named) {
    const { name, options } = splitSpec(state.game);
    const game = known.games.find((one) => one.name === name) ?? known.games[0];
    const set = (key, value) => change({ game: writeSpec(name, { ...options, [key]: value }), moves: "" });
    const own = optionFields(game.options, options, set);
    const moves = named(h("input.mono", { type: "text", value: state.moves, autocomplete: "off", spellcheck: "false", onchange: () => change({ moves: moves.value.trim() }) }), "moves");
    picker ??= h("div.watch-picker");
    drawPicker();
    return [
      field(t("game"), named(select(known.games.map((one) => [one.name, pick(one.titles ?? one.title)]), name, (next) => change({ game: next, moves: "", algorithm: "", beside: "" })), "game")),
      own.length > 0 && h("div.watch-options", own),
      picker,
      field(t("watch.moves"), moves),
    ];
  }

  // A small board on which the position is chosen.
  async function drawPicker() {
    const wanted = `${state.game} ${state.moves}`;
    if (picker.dataset.shown === wanted) return;
    picker.dataset.shown = wanted;
    let answer;
    try {
      answer = await post("/api/position", { game: state.game, moves: state.moves });
    } catch {
      return; // the search says what is wrong
    }
    if (picker.dataset.shown !== wanted) return;
    const position = answer.positions.at(-1);
    const play = (action, move) => change({ moves: [...answer.moves, move?.text ?? position.legal.find((one) => one.action === action).text].join(" ") });
    const board = createBoard(position, { onPlay: play, label: t("watch.position"), coordinates: false });
    const back = h("button.button.small.quiet", { type: "button", disabled: !answer.moves.length, onclick: () => change({ moves: answer.moves.slice(0, -1).join(" ") }) }, sign("undo"), t("watch.position.back"));
    fill(picker, board.element, h("div.row",
      movesOffBoard(position).slice(0, 12).map((move) => h("button.button.small", { type: "button", onclick: () => play(move.action, move) }, move.text)),
      answer.moves.length ? back : h("span.small.muted", t("watch.position.start"))));
  }

  function treeFields(named) {
    const area = named(h("textarea.mono", { rows: 4, spellcheck: "false", value: state.tree, oninput: () => {
      state.tree = area.value;
      clearTimeout(timer);
      timer = setTimeout(() => { state.step = "0"; context.kept.chosen = undefined; search(); }, 450);
    } }), "tree");
    const file = h("input.unseen", { type: "file", accept: ".json,.txt", tabindex: -1, "aria-hidden": "true", onchange: async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      const text = await chosen.text();
      let tree = text;
      try {
        tree = writeTree(readTree(text).root) ?? text;
      } catch {
        // What cannot be read is shown as it is, with what is wrong.
      }
      context.kept.chosen = undefined;
      change({ tree });
    } });
    const button = (word, icon, run) => h("button.button.small", { type: "button", onclick: run, dataset: { tool: word } }, sign(icon), t(`watch.tree.${word}`));
    return [
      field(t("watch.tree.text"), area, t("watch.tree.help")),
      h("div.row", file, button("random", "dice", () => { context.kept.chosen = undefined; change({ tree: writeTree(randomTree()) }); }), button("load", "load", () => file.click()), button("save", "save", saveTree)),
    ];
  }

  function saveTree() {
    let text;
    try {
      const { root: node, file } = readTree(state.tree);
      text = JSON.stringify(file ?? { root: node }, null, 2);
    } catch (error) {
      say(t(error.message), "bad");
      return;
    }
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "tree.json" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function algorithmFields(which, named) {
    const spec = state[which] || (which === "algorithm" ? usualAlgorithm() : "");
    const { name, options } = splitSpec(spec);
    const items = known.algorithms.map((one) => [one.name, one.name]);
    if (which === "beside") items.unshift(["", t("watch.beside.none")]);
    const isMonteCarlo = (next) => known.algorithms.some((one) => one.name === next && one.kind === "mcts");
    const choose = (next) => {
      const kept = Object.fromEntries(Object.entries(splitSpec(state.algorithm || usualAlgorithm()).options).filter(([key]) => ["depth", "evaluation", "symmetry"].includes(key)));
      change({ [which]: isMonteCarlo(next) ? writeSpec(next, SIMULATIONS) : next ? writeSpec(next, kept) : "" });
    };
    const chosen = known.algorithms.find((one) => one.name === name);
    const set = (key, value) => change({ [which]: writeSpec(name, { ...options, [key]: value }) });
    return [
      field(t(`watch.${which}`), named(select(items, name, choose), which)),
      chosen && h("div.watch-options", optionFields(shownOptions(chosen), options, set)),
    ];
  }

  function shownOptions(algorithm) {
    const tree = state.source === "tree" || (state.source === "lesson" && !lessonNow()?.game);
    if (algorithm.kind === "mcts") {
      const by = new Map(algorithm.options.map((option) => [option.name, option]));
      const shown = MCTS_FIRST.filter((name) => by.has(name)).map((name) => by.get(name));
      const steps = { name: "steps", type: "integer", default: null, required: false, help: "" };
      const rest = algorithm.options.filter(({ name }) => !MCTS_FIRST.includes(name) && !MCTS_NEVER.includes(name) && name !== "steps");
      return [shown[0], steps, ...shown.slice(1), ...rest];
    }
    const game = known.games.find(({ name }) => name === splitSpec(state.source === "lesson" ? lessonNow()?.game ?? "" : state.game).name);
    return algorithm.options.filter(({ name }) => !tree || name === "depth" || name === "order").flatMap((option) => {
      if (option.name === "quiescence" && !game?.noisy) return [];
      if (option.name === "evaluation") return game?.evaluations?.length ? [{ ...option, type: game.evaluations.join("|"), default: "" }] : [];
      return [option];
    });
  }

  // Life ------------------------------------------------------------------------------------------------------------

  const pressed = (event) => replays.forEach((replay, place) => {
    if (place && event.defaultPrevented && !["ArrowLeft", "ArrowRight", "Home", "End", " "].includes(event.key)) return;
    const own = event.target.closest?.(".replay");
    if (own && replay.view.svg.closest(".replay") !== own) return;
    replay.key(place ? { key: event.key, shiftKey: event.shiftKey, target: event.target, repeat: event.repeat, preventDefault() {} } : event);
  });
  const hears = context.within ?? window;
  hears.addEventListener("keydown", pressed);
  const release = keys([
    { key: "ArrowLeft ArrowRight", label: "keys.step" },
    { key: "Home End", label: "keys.ends" },
    { key: "⇧← ⇧→", label: "keys.breakpoint" },
    { key: " ", label: "keys.playpause" },
    { key: "1 2 3", label: "keys.guess" },
    { key: "+ - 0", label: "keys.zoom" },
  ], "watch.title", context.within);

  about().then((answer) => {
    known = answer;
    drawPanel();
    return search();
  }).catch((error) => say(error.message || t("error.network"), "bad"));

  return () => {
    clearTimeout(timer);
    stopAll();
    socket.close();
    clearReplays();
    hears.removeEventListener("keydown", pressed);
    wide.removeEventListener("change", openWhenWide);
    release();
  };
}
