// Buttons that save a picture; what makes it is sent for when one is pressed.
//
//   gifButton(() => ({ game, moves, board, title }))   a GIF of a game
//   embedButton("game", () => ({ game, moves, board }))   copies what shows it inside another page; "film" takes Watch's address
//   filmButtons(root, drawing, view, title)             an SVG of the tree that is drawn, a GIF of the film

import { copyText, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";

function button(word, run, kind = "button.small") {
  const one = h(`button.${kind}`, { type: "button", title: t(`share.${word}.about`), dataset: { share: word }, onclick: async () => {
    one.disabled = true;
    fill(one, h("span.spinner"), t("share.making"));
    try {
      await run(await import("/static/share/take.js"));
    } catch (error) {
      toastError(error);
    }
    one.disabled = false;
    draw();
  } });
  const draw = () => fill(one, sign("save"), t(`share.${word}`));
  draw();
  return one;
}

export const gifButton = (facts, kind) => button("gif", (take) => take.saveGame(facts()), kind);

const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

export function embedButton(what, facts, kind = "button.small") {
  const copy = () => {
    const { title, ...rest } = facts();
    const query = new URLSearchParams(Object.entries({ ...rest, lang: language() }).filter(([, value]) => value));
    copyText(`<iframe src="${quoted(`${location.origin}/embed/${what}?${query}`)}" title="${quoted(title)}" width="480" height="560"></iframe>`, t("share.embedded"));
  };
  return h(`button.${kind}`, { type: "button", title: t("share.embed.about"), dataset: { share: "embed" }, onclick: copy }, sign("copy"), t("share.embed"));
}

export const svgButton = (view, title) => button("svg", (take) => take.saveTree(view(), title()));

export const filmButtons = (root, drawing, view) => [
  svgButton(view, () => drawing.title),
  drawing.steps.length > 0 && button("film", (take) => take.saveFilm(root, drawing)),
  embedButton("film", () => ({ ...Object.fromEntries(new URLSearchParams(location.search)), title: drawing.title })),
];
