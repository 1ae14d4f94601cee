// The lessons in order, with what the visitor has read and answered, and where to go on.

import { get } from "/static/api.js";
import { announce, confirm, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";
import { forget, progress, rightOf } from "/static/lab/learn/progress.js";

// Text that the server has made of Markdown, in which there is nothing that acts.
const rich = (element, html) => {
  element.innerHTML = html;
  for (const link of element.querySelectorAll("a")) link.replaceWith(...link.childNodes); // the card is a link itself
  return element;
};

export function mount(root) {
  const next = h("div.learn-next");
  const list = h("ol.learn-list");
  const tools = h("div.row.learn-tools");
  let gone = false;
  fill(root, h("div.page.learn", h("header", h("h1", t("learn.title")), h("p.lead", t("learn.lead"))), next, list, tools));

  function draw(lessons) {
    const known = progress();
    const read = lessons.filter(({ name }) => known.read[name]).length;
    const begun = lessons.find(({ name }) => name === known.last && !known.read[name]);
    const going = begun ?? lessons.find(({ name }) => !known.read[name]);
    const word = read || known.last ? "learn.continue" : "learn.begin";
    fill(next, going && h("a.card.learn-card", { href: `/learn/${going.name}` }, h("span.label", t(word)), h("strong", going.title), rich(h("p"), going.about)),
      h("div.learn-bar", { role: "progressbar", "aria-label": t("learn.progress"), "aria-valuemin": 0, "aria-valuemax": lessons.length, "aria-valuenow": read },
        h("i", { style: { width: `${(100 * read) / Math.max(1, lessons.length)}%` } })),
      h("p.small.muted", t("learn.read", { read, all: lessons.length })));
    fill(list, lessons.map(({ name, title, about, quizzes }, place) => {
      const right = rightOf(known, name).length;
      return h("li", h("a.card.learn-chapter", { href: `/learn/${name}`, dataset: { read: known.read[name] ? "yes" : "no" } },
        h("span.learn-number", known.read[name] ? [sign("check"), h("span.unseen", t("learn.done"))] : String(place + 1)),
        h("strong", title), rich(h("p"), about), h("span.small.muted", t("learn.right", { right, all: quizzes }))));
    }));
    fill(tools, h("button.button", { type: "button", disabled: !read && !known.last, onclick: async () => {
      if (!await confirm({ title: t("learn.reset"), text: t("learn.reset.sure"), yes: t("learn.reset.yes"), danger: true })) return;
      forget();
      draw(lessons);
      announce(t("learn.reset.done"));
    } }, sign("again"), t("learn.reset")), h("span.small.muted", t("learn.kept")));
  }

  get(`/api/learn?lang=${language()}`).then(({ lessons }) => gone || draw(lessons), toastError);
  return () => { gone = true; };
}
