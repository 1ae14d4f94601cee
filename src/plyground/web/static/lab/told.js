// What the server says about cards, in English, in the visitor's language: word by word.
//
//   told("North ♠A")           a text
//   cardsPicture(svg)          a picture of cards, with its words and its name for screen readers

import { svgFromText } from "/static/dom.js";
import { hasWord, t } from "/static/i18n.js";

export const told = (text) => text.replace(/nothing yet|no cards|no trumps|[A-Za-z]{3,}/g, (word) => (hasWord(`hidden.word.${word}`) ? t(`hidden.word.${word}`) : word));

export function cardsPicture(source) {
  const picture = svgFromText(source);
  picture.setAttribute("aria-label", told(picture.getAttribute("aria-label")));
  for (const text of picture.querySelectorAll("text")) text.textContent = told(text.textContent);
  return picture;
}
