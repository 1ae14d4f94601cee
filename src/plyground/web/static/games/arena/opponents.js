// Who plays in a tournament, chosen by the cards of the game; players of the server by their names; any other player written out.
//
//   opponents({ name, legend, cards, form: { chosen, others }, changed() }) -> an element
//     `form` is where the choices are kept: specs of cards, and what was written; players(form) -> specs, in the order of the cards

import { fill, h, sign } from "/static/dom.js";
import { opponentCard } from "/static/games/play/opponent_card.js";
import { pick, t } from "/static/i18n.js";

export const players = ({ chosen, others }) => [...chosen, ...others.map((spec) => spec.trim()).filter(Boolean)];

export function opponents({ name, legend, cards, form, changed, programs = [] }) {
  const choose = (spec) => ({ target }) => {
    form.chosen = cards.map((card) => card.spec).filter((one) => (one === spec ? target.checked : form.chosen.includes(one)));
    changed();
  };
  const box = (spec) => ({ type: "checkbox", name, checked: form.chosen.includes(spec), change: choose(spec) });
  const own = cards.filter((card) => card.own);
  const written = h("div.stack.arena-others");

  function drawWritten(focus = null) {
    fill(written,
      h("datalist", { id: `${name}-specs` }, programs.map((spec) => h("option", { value: spec }))),
      form.others.map((spec, i) => h("div.row.arena-player",
        h("input.input.mono", { type: "text", value: spec, list: `${name}-specs`, placeholder: "mcts:time=1", autocomplete: "off", spellcheck: "false", "aria-label": t("arena.other", { number: i + 1 }), oninput: ({ target }) => {
          form.others[i] = target.value;
          changed();
        } }),
        h("button.button.quiet.icon.small", { type: "button", "aria-label": t("arena.other.remove", { number: i + 1 }), onclick: () => {
          form.others.splice(i, 1);
          drawWritten(".arena-others > .button");
          changed();
        } }, sign("close")))),
      h("button.button.small", { type: "button", onclick: () => {
        form.others.push("");
        drawWritten(".arena-player:last-of-type .input");
      } }, sign("plus"), t("arena.other.add")));
    if (focus) (written.querySelector(focus) ?? written.querySelector(".button:last-child"))?.focus();
  }
  drawWritten();
  return h("fieldset.stack.arena-players", h("legend.label", legend),
    h("div.grid.opponents", cards.filter((card) => !card.own).map(({ spec, name: title, about, rating }) => opponentCard(box(spec), { spec, title: pick(title), text: pick(about), rating, known: t("rating.none") }))),
    own.length > 0 && [h("h3.opponents-kind", t("play.own")), h("div.class-names", own.map(({ spec }) => h("label.class-name", h("input", { type: "checkbox", name, value: spec, checked: form.chosen.includes(spec), onchange: choose(spec) }), h("span", spec))))],
    written);
}
