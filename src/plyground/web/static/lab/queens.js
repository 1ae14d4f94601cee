// n queens by min-conflicts: step by step on a small board, and at once on a large one.
//
// By hand with mode=hand. The address has n=8, seed=7, start=greedy, choice=random, walk=0, tabu=0.

import { announce } from "/static/dialogs.js";
import { fill, h, svgFromText } from "/static/dom.js";
import { field, randomSeed, select } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { mountQueens } from "/static/lab/queens_by_hand.js";
import { modes, mountWorld } from "/static/lab/worlds.js";

const LIMITS = {
  n: { min: 1, max: 40 },
  start: ["random", "greedy", "permutation"],
  choice: ["random", "first"],
  walk: { min: 0, max: 1, step: "any" },
  tabu: { min: 0, max: 100 },
  seed: { min: 0 },
};

export function mount(root, context) {
  if (context.query.get("mode") === "hand") return mountQueens(root, context, modes(context, "queens", "hand", ["n"], "watch"));
  const usual = { n: 8, start: "random", choice: "random", walk: 0, tabu: 0 };
  return mountWorld(root, context, { name: "queens", usual, seed: randomSeed(), limits: LIMITS, above: modes(context, "queens", "watch", ["n"], "watch"), below: large });
}

function large({ ask, wrong }) {
  const many = h("input", { type: "number", min: 0, max: 1000000, value: 1000000 });
  const how = select(["greedy", "permutation", "random"].map((one) => [one, t(`queens.start.${one}`)]), "greedy", () => {});
  const said = h("p", { role: "status" });
  const picture = h("div.worlds-picture");
  const place = (event) => {
    event.preventDefault();
    fill(picture);
    said.textContent = t("queens.working");
    ask({ n: Number(many.value), start: how.value, lang: language() }, said, (found) => {
      if (found.event !== "queens") return;
      const text = found.solved ? t("queens.placed", { ...found, n: found.n.toLocaleString(), seconds: found.seconds.toFixed(3) }) : t(found.possible ? "queens.unsolved" : "queens.impossible", found);
      said.textContent = text;
      announce(text);
      if (found.svg) fill(picture, svgFromText(found.svg));
    });
  };
  return h("section.panel", h("header", h("h2", t("queens.large"))), h("div.body.stack", h("p.muted", t("queens.large.lead")),
    h("form.worlds-settings", { onsubmit: place }, field(t("queens.n"), many), field(t("queens.start"), how), h("button.button.primary", { type: "submit" }, t("queens.place"))),
    said, wrong, picture));
}
