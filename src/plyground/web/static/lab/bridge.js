// Bridge: a deal to play, and one with strategy fusion; a part of the page of hidden information.

import { fill, h, svgFromText } from "/static/dom.js";
import { decimals } from "/static/games/play/values.js";
import { t } from "/static/i18n.js";
import { bridgeTable } from "/static/lab/bridge_table.js";
import { cardsPicture } from "/static/lab/told.js";

export function bridge({ ask, within }) {
  const said = h("p.small.muted", { role: "status" });
  const hands = h("div.hidden-picture");
  const picture = h("div.hidden-picture.plot", { tabindex: 0, role: "group", "aria-label": t("hidden.tricks") });
  const rows = h("tbody");
  const verdict = h("p", { "aria-live": "polite" });
  ask("bridge", {}, said, (found) => {
    fill(hands, cardsPicture(found.hands));
    fill(picture, svgFromText(found.svg));
    fill(rows, found.leads.map((one) => h("tr", h("td", one.card), h("td.number", decimals(one.opened)), h("td.number", decimals(one.planned)), h("td.number", decimals(one.exact)))));
    verdict.textContent = t("hidden.verdict", { pimc: found.pimc, ismcts: found.ismcts });
  });
  return [
    bridgeTable({ ask, within }),
    h("h2", t("bridge.fusion")), h("p", t("hidden.bridge.text")), said,
    h("div.hidden-halves",
      h("section.panel", h("header", h("h2", t("hidden.tricks"))), h("div.body", picture, h("table.table",
        h("thead", h("tr", h("th", t("hidden.card")), h("th.number", "PIMC"), h("th.number", "ISMCTS"), h("th.number", t("hidden.exact")))), rows), verdict)),
      h("section.panel", h("header", h("h2", t("hidden.hands"))), h("div.body", hands, h("p.small.muted", t("hidden.bridge.note"))))),
  ];
}
