// Bandits by hand: arms to pull, policies beside, confidence bars and regret as they grow; and measured over many runs.
//
// The address has arms=random:5, seed=7, policies=greedy,ucb1 and pulled=0121, an arm a letter in base 36.

import { get, post, searches } from "/static/api.js";
import { createLineChart, lineKey } from "/static/charts.js";
import { announce, toastError } from "/static/dialogs.js";
import { fill, h, s, sign } from "/static/dom.js";
import { field, radios, randomSeed, select } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const LONGEST = 600; // pulls that the address holds
const BASE = 36;
const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const nameOf = (arm) => NAMES[arm] ?? String(arm + 1);
const split = (text) => text.split(/,(?=\s*[a-z]\w*(?:[:,]|$))/).map((part) => part.trim()).filter(Boolean);

export function mount(root, context) {
  const { query, setQuery } = context;
  const state = {
    arms: query.get("arms") ?? "random:5",
    seed: Number(query.get("seed") ?? randomSeed()),
    policies: query.get("policies") ?? "greedy,egreedy:0.1,ucb1,thompson",
    pulled: [...(query.get("pulled") ?? "")].map((letter) => parseInt(letter, BASE)).filter(Number.isInteger),
    reveal: query.get("reveal") === "yes",
  };
  let bandit = null;
  let whose = "";
  let times = 1;
  let waiting = Promise.resolve();
  let measuring = null;
  const socket = searches();

  // The page --------------------------------------------------------------------------------------------------------

  const row = h("div.arms");
  const table = h("table.table.bandit-table");
  const beliefs = h("div.segmented", { role: "radiogroup", "aria-label": t("bandits.beliefs") });
  const chart = createLineChart({ label: t("bandits.regret.chart"), x: t("bandits.pullsaxis"), y: t("bandits.regret") });
  const note = h("p.small.muted");
  const pace = h("div.segmented", { role: "radiogroup", "aria-label": t("bandits.times") }, radios("times", [["1", t("bandits.once")], ["10", t("bandits.ten")]], "1", (key) => { times = Number(key); }));
  const reveal = h("button.button", { type: "button", onclick: showTruth }, sign("hint"), t("bandits.reveal"));
  const arms = h("input.mono", { type: "text", value: state.arms, autocomplete: "off", spellcheck: "false" });
  const seed = h("input", { type: "number", min: 0, step: 1, value: state.seed });
  const policies = h("input.mono", { type: "text", value: state.policies, autocomplete: "off", spellcheck: "false" });
  const error = h("p.error", { role: "alert" });
  const settings = h("form.bandit-settings", { onsubmit: (event) => {
    event.preventDefault();
    begin({ arms: arms.value.trim(), seed: Number(seed.value) || 0, policies: policies.value.trim(), pulled: [], reveal: false });
  } }, field(t("bandits.arms"), arms, t("bandits.arms.help")), field(t("bandits.policies"), policies, t("bandits.policies.help")), field(t("seed"), seed),
  h("button.button.primary", { type: "submit" }, t("bandits.apply")), error);
  const lab = laboratory();
  fill(root, h("div.page.stack.bandits",
    h("header", h("h1", t("bandits.title")), h("p.lead", t("bandits.lead"))),
    h("div.row.bandit-tools", h("span.label", t("bandits.times")), pace, reveal,
      h("button.button", { type: "button", onclick: () => begin({ pulled: [], reveal: false }) }, sign("again"), t("bandits.again")),
      h("button.button", { type: "button", onclick: fresh }, sign("dice"), t("bandits.new"))),
    row,
    h("div.row.bandit-beliefs", h("span.label", t("bandits.beliefs")), beliefs), h("p.small.muted", t("bandits.beliefs.help")),
    h("div.bandit-halves",
      h("section.panel", h("header", h("h2", t("bandits.regret"))), h("div.body", chart.element)),
      h("section.panel.scroll", h("header", h("h2", t("bandits.standings"))), h("div.body", table, note))),
    h("section.panel", h("header", h("h2", t("bandits.settings"))), h("div.body", settings)),
    lab));

  // Playing ---------------------------------------------------------------------------------------------------------

  async function begin(changes = {}) {
    const next = { ...state, ...changes };
    error.textContent = "";
    try {
      bandit = await post("/api/bandits", { arms: next.arms, seed: next.seed, policies: split(next.policies), pulled: next.pulled });
    } catch (problem) {
      error.textContent = problem.message || t("error.network");
      return;
    }
    Object.assign(state, next);
    [arms.value, seed.value, policies.value] = [state.arms, state.seed, state.policies];
    if (!bandit.policies.some(({ policy }) => policy === whose)) whose = "";
    fill(beliefs, radios("whose", [["", t("bandits.you")], ...bandit.policies.map(({ policy }) => [policy, policy])], whose, (key) => {
      whose = key;
      draw();
    }));
    buildArms();
    if (state.reveal) await showTruth();
    draw();
  }

  function fresh() {
    return begin({ seed: randomSeed(), pulled: [], reveal: false });
  }

  function pull(arm) {
    if (!bandit || arm >= bandit.arms) return;
    // One after the other: every pull is answered before the next is made.
    waiting = waiting.then(async () => {
      for (let i = 0; i < times; i++) {
        const { id } = bandit;
        const answer = await post(`/api/bandits/${id}/pull`, { arm });
        bandit = { ...answer, id, true_means: bandit.true_means };
        state.pulled = answer.pulled;
        draw(arm, answer.reward);
      }
      announce(t("bandits.paid", { name: nameOf(arm), reward: short(bandit.means[arm]), regret: short(bandit.regret) }));
    }).catch((problem) => {
      if (problem.status === 404) begin(); // the server has restarted
      else toastError(problem);
    });
  }

  async function showTruth() {
    try {
      bandit.true_means = (await get(`/api/bandits/${bandit.id}?reveal=true`)).true_means;
      state.reveal = true;
      draw();
    } catch (problem) {
      toastError(problem);
    }
  }

  // Drawing ---------------------------------------------------------------------------------------------------------

  const short = (value) => (value === null || value === undefined ? "–" : value.toFixed(2).replace("-", "−"));

  function buildArms() {
    fill(row, Array.from({ length: bandit.arms }, (_, arm) => h("button.arm", { type: "button", dataset: { arm }, onclick: () => pull(arm) },
      h("span.arm-name", h("span.unseen", t("bandits.pull")), nameOf(arm)), h("span.arm-reward", { "aria-hidden": "true" }), h("span.arm-pulls.tabular"), h("span.arm-bar"), h("span.arm-mean.tabular"))));
  }

  function range() {
    const all = [bandit, ...bandit.policies].flatMap(({ bounds }) => bounds.filter(Boolean).flat());
    if (bandit.sigma === null || bandit.sigma === undefined) return [0, 1];
    return [Math.min(0, ...all), Math.max(1, ...all)];
  }

  function draw(pulledArm = null, reward = null) {
    const shown = bandit.policies.find(({ policy }) => policy === whose) ?? bandit;
    const [low, high] = range();
    const x = (value) => 4 + (92 * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
    [...row.children].forEach((button, arm) => {
      const mean = shown.means[arm];
      const bounds = shown.bounds[arm];
      const count = shown.counts[arm];
      const truth = bandit.true_means?.[arm];
      button.dataset.best = truth !== undefined && truth === Math.max(...bandit.true_means) ? "yes" : "no";
      button.dataset.whose = whose ? "policy" : "you";
      fill(button.querySelector(".arm-pulls"), count ? t("bandits.pulls", { count }) : t("bandits.never"));
      fill(button.querySelector(".arm-mean"), truth !== undefined ? t("bandits.truth", { mean: short(truth) }) : mean === null ? " " : t("bandits.mean", { mean: short(mean) }));
      fill(button.querySelector(".arm-bar"), s("svg", { viewBox: "0 0 100 26", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("path.arm-axis", { d: "M4 13h92" }), bounds && s("rect.arm-range", { x: x(bounds[0]), y: 7, width: Math.max(0.5, x(bounds[1]) - x(bounds[0])), height: 12, rx: 2 }),
        truth !== undefined && s("path.arm-truth", { d: `M${x(truth)} 2v22` })),
      mean !== null && h("i.arm-dot", { style: { left: `${x(mean)}%` } }));
      const paid = button.querySelector(".arm-reward");
      if (arm === pulledArm) {
        paid.textContent = reward === 1 ? "+1" : reward === 0 ? "0" : short(reward);
        paid.dataset.paid = reward > 0 ? "yes" : "no";
      } else if (pulledArm !== null) paid.textContent = "";
    });
    const rows = [{ name: t("bandits.you"), ...bandit, place: 0 }, ...bandit.policies.map((other, i) => ({ name: other.policy, ...other, place: i + 1 }))];
    const most = Math.max(1, ...rows.flatMap(({ counts }) => counts));
    fill(table,
      h("thead", h("tr", h("th", t("bandits.player")), h("th", t("bandits.share")), h("th.number", t("bandits.total")), h("th.number", t("bandits.regret")))),
      h("tbody", rows.map((one) => h("tr", { dataset: { who: one.place ? one.name : "you" } }, h("td", h("span.bandit-name", lineKey(one.place), one.name)),
        h("td", h("span.bandit-shares", { title: one.counts.map((count, arm) => `${nameOf(arm)}: ${count}`).join(", ") }, one.counts.map((count) => h("i", { style: { height: `${(100 * count) / most}%` } })))),
        h("td.number", bandit.sigma == null ? one.total : short(one.total)), h("td.number", short(one.regret))))));
    chart.update(rows.map((one) => ({ name: one.name, place: one.place, xs: [0, ...one.regrets.map((_, i) => i + 1)], ys: [0, ...one.regrets] })));
    note.textContent = state.pulled.length > LONGEST ? t("bandits.full", { count: LONGEST }) : "";
    setQuery({
      arms: state.arms, seed: state.seed, policies: state.policies, reveal: state.reveal ? "yes" : null,
      pulled: bandit.arms <= BASE ? state.pulled.slice(0, LONGEST).map((arm) => arm.toString(BASE)).join("") || null : null,
    });
  }

  // Many runs -------------------------------------------------------------------------------------------------------

  function laboratory() {
    const means = h("input.mono", { type: "text", value: "0.6,0.55,0.4", autocomplete: "off", spellcheck: "false" });
    const who = h("input.mono", { type: "text", value: "greedy,egreedy:0.1,ucb1,thompson", autocomplete: "off", spellcheck: "false" });
    const pulls = h("input", { type: "number", min: 1, max: 100000, value: 2000 });
    const runs = h("input", { type: "number", min: 1, max: 10000, value: 200 });
    // Which regret is shown: of what was measured, all three are there.
    let shown = [];
    let kind = "regret";
    const errors = { regret: "error", realised: "realised_error", hindsight: "hindsight_error" };
    const which = select(Object.keys(errors).map((key) => [key, t(`bandits.lab.${key}`)]), kind, (next) => { kind = next; draw(); });
    const about = h("span.small.muted");
    const curves = createLineChart({ label: t("bandits.lab.chart"), x: t("bandits.pullsaxis"), y: t("bandits.regret") });
    const found = h("tbody");
    const said = h("span.small.muted", { role: "status" });
    const problem = h("p.error", { role: "alert" });
    const draw = () => {
      about.textContent = t(`bandits.lab.${kind}.about`);
      const lines = shown.map((one, i) => ({ name: one.policy, place: i + 1, xs: one.times, ys: one[kind], error: one[errors[kind]].map((value) => (value === null ? null : 1.96 * value)), share: one.best_share }));
      curves.update(lines.map(({ error, share, ...line }) => ({ ...line, low: line.ys.map((value, k) => value - error[k]), high: line.ys.map((value, k) => value + error[k]) })));
      fill(found, lines.map(({ name, place, ys, error, share }) => h("tr", h("td", h("span.bandit-name", lineKey(place), name)), h("td.number", `${ys.at(-1).toFixed(1)} ± ${error.at(-1)?.toFixed(1) ?? "–"}`), h("td.number", `${(100 * share).toFixed(1)}%`))));
    };
    const begun = (event) => {
      event.preventDefault();
      measuring?.stop();
      problem.textContent = "";
      shown = [];
      draw();
      measuring = socket.run("bandit", { arms: means.value.trim(), policies: split(who.value), pulls: Number(pulls.value), runs: Number(runs.value), seed: Number(seed.value) || 0 }, {
        event(answer) {
          if (answer.event === "progress") said.textContent = t("bandits.lab.progress", { percent: Math.round(100 * answer.part) });
          if (answer.event !== "curve") return;
          shown.push(answer);
          draw();
        },
        done() { said.textContent = ""; },
        error(line) {
          said.textContent = "";
          problem.textContent = line || t("error.network");
        },
      });
    };
    draw();
    return h("section.panel.bandit-lab", h("header", h("h2", t("bandits.lab")), said), h("div.body.stack", h("p.muted", t("bandits.lab.lead")),
      h("form.bandit-settings", { onsubmit: begun }, field(t("bandits.arms"), means), field(t("bandits.policies"), who), field(t("bandits.lab.pulls"), pulls), field(t("bandits.lab.runs"), runs), field(t("bandits.lab.which"), which), h("button.button.primary", { type: "submit" }, t("bandits.lab.run")), problem),
      about,
      h("div.bandit-halves", curves.element, h("div.scroll", h("table.table", h("thead", h("tr", h("th", t("bandits.player")), h("th.number", t("bandits.regret")), h("th.number", t("bandits.lab.best")))), found)))));
  }

  const release = keys([
    { key: "1 2 3 4 5 6 7 8 9", label: "keys.pull", run: ({ key }) => pull(Number(key) - 1) },
    { key: "r", label: "keys.reveal", run: showTruth },
    { key: "n", label: "keys.newarms", run: fresh },
  ], "bandits.title", context.within);
  begin();
  return () => {
    measuring?.stop();
    socket.close();
    chart.destroy();
    release();
  };
}
