// What the visitor chooses of how everything looks: light or dark, the boards, large type for a projector.

import { miniature } from "/static/board.js";
import { openDialog } from "/static/dialogs.js";
import { h, store, stored } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { t } from "/static/i18n.js";

const BOARDS = ["classic", "wood", "slate", "contrast"];
const SAMPLE = { style: "discs", symbols: ["X", "O"], cells: ["....", ".XO.", ".OX.", "...X"] };

export function openLook({ presenting, present }) {
  const root = document.documentElement;
  const group = (word, content) => h("fieldset", h("legend.label", t(word)), content);
  const set = (name, value, usual) => {
    if (value === usual) delete root.dataset[name];
    else root.dataset[name] = value;
    store(name, value);
  };
  const colours = radios("colours", ["system", "light", "dark"].map((name) => [name, t(`look.${name}`)]), root.dataset.theme ?? "system", (name) => set("theme", name, "system"));
  const boards = radios("boards", BOARDS.map((name) => [name, h("span", { dataset: { board: name }, "aria-hidden": "true" }, miniature(SAMPLE)), t(`look.board.${name}`)]), stored("board", "classic"), (name) => set("board", name, "classic"));
  boards.forEach((label) => label.classList.add("card"));
  const large = h("input", { type: "checkbox", role: "switch", checked: presenting(), onchange: () => present(large.checked) });
  openDialog({ title: t("menu.look"), body: [h("div.look",
    group("look.colours", h("div.segmented", colours)), group("look.boards", h("div.boards", boards)), h("label.switch", large, t("look.present")))] });
}
