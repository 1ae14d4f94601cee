// The Wumpus world: a visit by an agent, action by action, and the scores of all agents in many caves; or a visit by
// hand, with mode=hand.
//
// The address has agent=logical, width=4, height=4, pits=0.2, seed=7, solvable=false, truth=false.

import { fill, h } from "/static/dom.js";
import { field, randomSeed } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { modes, mountWorld } from "/static/lab/worlds.js";
import { mountVisit } from "/static/lab/wumpus_visit.js";

const AGENTS = ["random", "search", "lrta", "logical", "probabilistic"];
const LIMITS = {
  agent: AGENTS,
  width: { min: 2, max: 8 },
  height: { min: 2, max: 8 },
  pits: { min: 0, max: 0.6, step: "any" },
  seed: { min: 0 },
};
const percent = (share) => `${(100 * share).toFixed(1)}%`;

const CAVE = ["width", "height", "pits", "seed", "solvable"]; // what both modes have in common

export function mount(root, context) {
  if (context.query.get("mode") === "hand") return mountVisit(root, context, { limits: LIMITS, above: modes(context, "wumpus", "hand", CAVE, "agent") });
  const about = h("p.muted");
  return mountWorld(root, context, {
    name: "wumpus",
    usual: { agent: "probabilistic", width: 4, height: 4, pits: 0.2, solvable: true, truth: true },
    seed: context.query.size ? randomSeed() : 52, // a cave in which much happens
    limits: LIMITS,
    eager: true,
    note: about,
    above: modes(context, "wumpus", "agent", CAVE, "agent"),
    wished({ agent }) { about.textContent = t(`wumpus.agent.${agent}.about`); },
    below: many,
  });
}

function many({ ask, wish, wrong }) {
  const worlds = h("input", { type: "number", min: 2, max: 5000, value: 500 });
  const rows = h("tbody");
  const said = h("span.small.muted", { role: "status" });
  const compare = (event) => {
    event.preventDefault();
    fill(rows);
    const { width, height, pits, solvable } = wish();
    ask({ agents: AGENTS, worlds: Number(worlds.value), width, height, pits, solvable }, said, (found) => {
      if (found.event === "progress") said.textContent = t("wumpus.progress", { percent: Math.round(100 * found.part) });
      if (found.event !== "scores") return;
      said.textContent = "";
      fill(rows, found.agents.map((row) => h("tr", { dataset: { agent: row.agent } }, h("td", t(`wumpus.agent.${row.agent}`)),
        h("td.number", `${row.mean.toFixed(1).replace("-", "−")} ± ${row.margin.toFixed(1)}`), h("td.number", percent(row.gold)), h("td.number", percent(row.died)), h("td.number", row.steps.toFixed(1)))));
    });
  };
  return h("section.panel", h("header", h("h2", t("wumpus.many")), said), h("div.body.stack", h("p.muted", t("wumpus.many.lead")),
    h("form.worlds-settings", { onsubmit: compare }, field(t("wumpus.worlds"), worlds), h("button.button.primary", { type: "submit" }, t("wumpus.compare"))), wrong,
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("wumpus.many") }, h("table.table", h("thead", h("tr", h("th", t("wumpus.agent")), ["mean", "gold", "died", "steps"].map((one) => h("th.number", t(`wumpus.${one}`))))), rows))));
}
