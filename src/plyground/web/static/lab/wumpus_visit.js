// A visit to the Wumpus world by hand. The server keeps the map to itself: a visit is the seed and the actions so far,
// and it answers with what is perceived there; the map comes at the end, or when the visitor asks for it.
//
// The address has mode=hand, width=4, height=4, pits=0.2, seed=7, solvable=false, and did=ffrf, the actions so far.

import { post } from "/static/api.js";
import { announce } from "/static/dialogs.js";
import { fill, h, sign, svgFromText } from "/static/dom.js";
import { field, randomSeed } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const USUAL = { width: 4, height: 4, pits: 0.2, solvable: true };
// The letter of an action on the wire, its key, and its sign; in the order of the buttons.
const ACTIONS = [
  ["left", "l", "ArrowLeft", "↺"], ["forward", "f", "ArrowUp", "↑"], ["right", "r", "ArrowRight", "↻"],
  ["grab", "g", "g", ""], ["shoot", "s", "s", ""], ["climb", "c", "c", ""], ["release", "e", "r", ""],
];
const KEYS = { ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→" };

export function mountVisit(root, { query, setQuery }, { limits, above }) {
  const number = (name, usual) => (query.has(name) && Number.isFinite(Number(query.get(name))) ? Number(query.get(name)) : usual);
  const state = {
    width: number("width", USUAL.width), height: number("height", USUAL.height), pits: number("pits", USUAL.pits),
    seed: number("seed", randomSeed()), solvable: query.get("solvable") !== "false",
    did: /^[lrfgesc]*$/.test(query.get("did") ?? "") ? query.get("did") ?? "" : "", known: false, peek: false, peeked: false,
  };
  let [facts, busy, gone, waiting] = [null, false, false, []];

  const error = h("p.error", { role: "alert" });
  const board = h("div.visit-board");
  const status = h("p.visit-status", { role: "status" });
  const score = h("p.visit-score.tabular");
  const holdings = h("p.small.muted");
  const conclusions = h("div.stack");
  const buttons = Object.fromEntries(ACTIONS.map(([name, letter, key, arrow]) => [name,
    h("button.button", { type: "button", onclick: () => act(name, letter), "aria-keyshortcuts": key.length === 1 ? key.toUpperCase() : key },
      arrow && h("span", { "aria-hidden": "true" }, arrow), t(`wumpus.hand.${name}`), h("kbd.key", { "aria-hidden": "true" }, KEYS[key] ?? key.toUpperCase()))]));
  const toggle = (name, key) => h("label.switch", h("input", { type: "checkbox", role: "switch", onchange: ({ target }) => { state[name] = target.checked; ask(state.did); } }), t(`wumpus.hand.${name}`), h("kbd.key", { "aria-hidden": "true" }, key));
  const switches = { known: toggle("known", "K"), peek: toggle("peek", "P") };

  const inputs = Object.fromEntries(["width", "height", "pits", "seed"].map((name) => [name, h("input", { type: "number", value: state[name], ...limits[name] })]));
  const solvable = h("input", { type: "checkbox", role: "switch", checked: state.solvable, onchange: () => begin() });
  const settings = h("form.worlds-settings", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    Object.entries(inputs).map(([name, input]) => field(t(`wumpus.${name}`), input)), h("label.switch", solvable, t("wumpus.solvable")),
    h("div.row", h("button.button.primary", { type: "submit" }, t("wumpus.hand.begin")), h("button.button.icon", { type: "button", title: t("wumpus.fresh"), "aria-label": t("wumpus.fresh"), onclick: fresh }, sign("dice"))));

  // What is asked of the server --------------------------------------------------------------------------------------

  function begin() {
    for (const [name, input] of Object.entries(inputs)) state[name] = Number(input.value);
    Object.assign(state, { solvable: solvable.checked, did: "", peek: false, peeked: false });
    switches.peek.querySelector("input").checked = false;
    waiting = [];
    facts = null;
    ask("");
  }

  function fresh() {
    inputs.seed.value = randomSeed();
    begin();
  }

  let asked = 0;
  async function ask(did, name = null) {
    const own = ++asked;
    error.textContent = "";
    try {
      const { width, height, pits, seed, solvable: reachable, known, peek } = state;
      const found = await post("/api/wumpus/visit", { width, height, pits, seed, solvable: reachable, known, peek, actions: did, lang: language() });
      if (gone || own !== asked) return;
      Object.assign(state, { did, peeked: state.peeked || (peek && !found.over) });
      facts = found;
      const { known: _, peek: __, peeked: ___, did: ____, ...cave } = state;
      setQuery({ ...Object.fromEntries(Object.entries(cave).map(([key, value]) => [key, value === USUAL[key] ? null : value])), did: did || null });
      draw(name);
    } catch (problem) {
      if (!gone && own === asked) error.textContent = problem.message || t("error.network");
    }
  }

  // Keys may come faster than answers: each action waits for the one before it.
  async function act(name, letter) {
    waiting.push([name, letter]);
    if (busy) return;
    busy = true;
    while (waiting.length && facts && !facts.over && !gone) {
      const [next, sent] = waiting.shift();
      await ask(state.did + sent, next);
    }
    waiting = [];
    busy = false;
  }

  // Showing ------------------------------------------------------------------------------------------------------------

  const list = (squares) => (squares.length ? squares.join("  ") : t("wumpus.hand.no squares"));

  function draw(name) {
    const { percepts, over, idle, steps, most_steps: most, has_arrow: arrow, has_gold: gold, svg, known } = facts;
    const focused = document.activeElement;
    fill(board, svgFromText(svg));
    const words = [];
    if (name) words.push(t(`wumpus.hand.${idle ? "idle" : "did"}.${name}`));
    else if (!steps) words.push(t("wumpus.hand.enter"));
    if (over) words.push(t(`wumpus.hand.over.${over}${over === "out" && gold ? ".gold" : ""}`));
    else words.push(t("wumpus.hand.perceive", { percepts: percepts.map((percept) => t(`wumpus.percept.${percept}`)).join(t("wumpus.hand.comma")) || t("wumpus.hand.nothing") }));
    if (over && state.peeked) words.push(t("wumpus.hand.peeked"));
    status.textContent = words.join(" ");
    status.classList.toggle("over", Boolean(over));
    score.textContent = t("wumpus.hand.score", { score: String(facts.score).replace("-", "−"), steps, most });
    holdings.textContent = [t(arrow ? "wumpus.hand.arrow" : "wumpus.hand.no arrow"), gold && t("wumpus.hand.gold")].filter(Boolean).join(t("wumpus.hand.comma"));
    Object.values(buttons).forEach((button) => { button.disabled = Boolean(over); });
    switches.peek.querySelector("input").disabled = Boolean(over);
    if (over && Object.values(buttons).includes(focused)) again.focus();
    fill(conclusions, known && [
      h("dl.visit-known",
        h("div", h("dt", t("wumpus.hand.safe")), h("dd", list(known.safe))), h("div", h("dt", t("wumpus.hand.open")), h("dd", list(known.open))),
        h("div", h("dt", t("wumpus.hand.pits")), h("dd", list(known.pits))),
        h("div", h("dt", t("wumpus.hand.wumpus")), h("dd", known.wumpus ? `${known.wumpus}${known.wumpus_alive ? "" : ` (${t("wumpus.hand.slain")})`}` : t(known.wumpus_alive ? "wumpus.hand.somewhere" : "wumpus.hand.slain")))),
      h("ul.visit-proofs.small", { tabindex: 0, "aria-label": t("wumpus.hand.proofs") }, [...known.proofs].reverse().map((line) => h("li", line))),
    ]);
    if (over) announce(`${status.textContent} ${score.textContent}`);
  }

  const again = h("button.button", { type: "button", onclick: () => begin() }, sign("again"), t("wumpus.hand.again"));
  fill(root, h("div.page.stack.worlds.visit",
    h("header", h("h1", t("wumpus.title")), h("p.lead", t("wumpus.hand.lead"))), above,
    h("div.visit-halves",
      h("section.panel", { "aria-label": t("wumpus.hand.cave") }, h("div.body.stack", board, h("div.visit-pad", Object.values(buttons)))),
      h("div.stack",
        h("section.panel", h("header", h("h2", t("wumpus.hand.visit"))), h("div.body.stack", status, score, holdings, h("div.row", again, h("button.button", { type: "button", onclick: fresh }, sign("dice"), t("wumpus.fresh"))), error)),
        h("section.panel", h("header", h("h2", t("wumpus.hand.follows"))), h("div.body.stack", switches.known, conclusions, switches.peek, h("p.small.muted", t("wumpus.hand.legend")))),
        h("section.panel", h("header", h("h2", t("wumpus.hand.settings"))), h("div.body", settings))))));

  const flip = (name) => () => {
    const box = switches[name].querySelector("input");
    if (!box.disabled) box.click();
  };
  const release = keys([
    ...ACTIONS.map(([name, letter, key]) => ({ key, label: `wumpus.hand.${name}`, run: () => act(name, letter) })),
    { key: "k", label: "wumpus.hand.known", run: flip("known") },
    { key: "p", label: "wumpus.hand.peek", run: flip("peek") },
    { key: "n", label: "wumpus.fresh", run: fresh },
  ], "wumpus.title");
  ask(state.did);
  return () => {
    gone = true;
    release();
  };
}
