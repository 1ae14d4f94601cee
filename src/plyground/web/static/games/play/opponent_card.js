// An opponent as a card: its name, what it does, and how strong it is. A radio button where one is chosen, a checkbox where several are.
//
//   opponentCard({ type, name, checked, change(event) }, { spec, title, text, strength, extra, mark })
//     `strength` is 1 to 10; of whom it is not known, `extra` stands in its place; `mark` is beside the title

import { h, sign } from "/static/dom.js";
import { playerSign } from "/static/games/play/games.js";
import { t } from "/static/i18n.js";

// A strength of 1 to 10 as bars.
function strengthBars(strength) {
  return h("span.strength", { role: "img", "aria-label": t("play.strength", { strength }) },
    Array.from({ length: 10 }, (_, i) => h(`i${i < strength ? ".on" : ""}`)));
}

export function opponentCard({ type, name, checked, change }, { spec, title, text, strength, extra, mark }) {
  const about = `${name}-${spec.replaceAll(" ", "_")}`; // an id has no spaces
  return h("label.card.opponent",
    h("input", { type, name, value: spec, checked, "aria-label": title, "aria-describedby": about, onchange: change }),
    h("span.opponent-name", sign(playerSign(spec)), h("strong", title), mark), h("p", { id: about }, text), strength ? strengthBars(strength) : extra);
}
