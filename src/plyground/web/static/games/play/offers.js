// What one side has offered the other: a line, and buttons to answer.
//
//   const offers = createOffers({ answer(what, accept), side(seat) })
//   offers.element
//   offers.update(game)    what is offered or was declined, as whoever looks sees it; says it aloud when it is new

import { announce } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

export function createOffers({ answer, side }) {
  const words = h("p");
  const buttons = h("div.row");
  const element = h("div.offer.note", { hidden: true }, words, buttons);
  let drawn = "";

  function wordsFor({ offer, declined, mine, shared }) {
    if (!shared) return "";
    const told = offer ?? declined;
    if (!told) return "";
    const own = mine.includes(told.seat);
    const what = told.what === "rematch" && told.swap ? "swap" : told.what;
    if (offer) return t(own ? `offer.${what}.sent` : mine.length ? `offer.${what}` : `offer.${what}.seen`, { side: side(told.seat) });
    return own ? t(`offer.${told.what}.declined`) : "";
  }

  const button = (what, accept, label, kind = "") => h(`button.button${kind}`, { type: "button", onclick: () => answer(what, accept) }, accept && sign("check"), label);

  function update(game) {
    const text = wordsFor(game);
    const now = JSON.stringify([text, game.offer, game.mine]);
    if (now === drawn) return;
    drawn = now;
    element.hidden = !text;
    words.textContent = text;
    const { offer, mine } = game;
    if (!text || !offer || !mine.length) fill(buttons);
    else if (mine.includes(offer.seat)) fill(buttons, button(offer.what, false, t("offer.withdraw")));
    else fill(buttons, button(offer.what, true, t("offer.accept"), ".primary"), button(offer.what, false, t("offer.decline")));
    if (text) announce(text);
  }

  return { element, update };
}
