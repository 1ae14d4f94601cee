// An opponent as a card: its name, what it does, and how strong it is. A radio button where one is chosen, a checkbox where several are.
//
//   opponentCard({ type, name, checked, change(event) }, { spec, title, text, rating, known, mark })
//     `rating` is what was measured; of an opponent of whom nothing was, `known` says what there is to say; `mark` is beside the title

import { h, sign } from "/static/dom.js";
import { playerSign, ratingText } from "/static/games/play/games.js";
import { t } from "/static/i18n.js";

export function opponentCard({ type, name, checked, change }, { spec, title, text, rating, known, mark }) {
  const about = `${name}-${spec.replaceAll(" ", "_")}`; // an id has no spaces
  const strength = rating ? ratingText(rating) : known;
  return h("label.card.opponent",
    h("input", { type, name, value: spec, checked, "aria-label": title, "aria-describedby": `${about}${strength ? ` ${about}-rating` : ""}`, onchange: change }),
    h("span.opponent-name", sign(playerSign(spec)), h("strong", title), mark), h("p", { id: about }, text),
    strength && h(`span.rating.tabular${rating ? "" : ".none"}`, { id: `${about}-rating`, title: rating && t("rating.games", { count: rating.games }) }, strength));
}
