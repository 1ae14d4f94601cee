// The lessons in order, with what the visitor has read, watched, done and answered, and where to go on.

import { get } from "/static/api.js";
import { announce, confirm, toast, toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";
import { asFile, forget, fromFile, progress, stepsOf } from "/static/lab/learn/progress.js";
import { stepChips } from "/static/lab/learn/steps.js";

const LARGEST = 1_000_000; // bytes of a file that is looked into at all

// Text that the server has made of Markdown, in which there is nothing that acts.
const rich = (element, html) => {
  element.innerHTML = html;
  for (const link of element.querySelectorAll("a")) link.replaceWith(...link.childNodes); // the card is a link itself
  return element;
};

const left = (steps) => Object.keys(steps).find((step) => steps[step][0] < steps[step][1]);

// Where to go on: the lesson that was left in its middle, else the first that is not read, else the first with a step to do.
export function goingOn(lessons, known) {
  const begun = lessons.find(({ name }) => name === known.last && !known.read[name]);
  const lesson = begun ?? lessons.find(({ name }) => !known.read[name]);
  if (lesson) {
    const place = known.places[lesson.name];
    const here = place && place.at !== "0";
    return { lesson, section: here ? lesson.sections[place.section - 1] : "", href: `/learn/${lesson.name}${here ? `?at=${place.at}` : ""}` };
  }
  const open = lessons.find((one) => left(stepsOf(one, known)));
  return open && { lesson: open, section: "", href: `/learn/${open.name}?step=${left(stepsOf(open, known))}` };
}

// The card that leads on, or nothing if all is done; also for the home page.
export function continueCard(lessons, known = progress()) {
  const going = goingOn(lessons, known);
  if (!going) return null;
  const { lesson, section, href } = going;
  const begun = Boolean(known.last) || Object.keys(known.read).length > 0;
  return h("a.card.learn-card", { href }, h("span.label", t(begun ? "learn.continue" : "learn.begin")), h("strong", lesson.title),
    section ? h("p", t("learn.continue.at", { section })) : rich(h("p"), lesson.about), begun && stepChips(stepsOf(lesson, known)));
}

export const askLessons = () => get(`/api/learn?lang=${language()}`).then(({ lessons }) => lessons);

export function mount(root) {
  const next = h("div.learn-next");
  const list = h("ol.learn-list");
  const tools = h("div.row.learn-tools");
  let gone = false;
  fill(root, h("div.page.learn", h("header", h("h1", t("learn.title")), h("p.lead", t("learn.lead"))), next, list, tools));

  function save() {
    const link = h("a", { href: URL.createObjectURL(new Blob([asFile()], { type: "application/json" })), download: "plyground-progress.json" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async function load(file, lessons) {
    try {
      fromFile(file.size <= LARGEST ? await file.text() : "");
    } catch (error) {
      toast(t(error.message), "bad");
      return;
    }
    if (gone) return;
    draw(lessons);
    toast(t("learn.load.done"));
  }

  function draw(lessons) {
    const known = progress();
    const read = lessons.filter(({ name }) => known.read[name]).length;
    const something = read || known.last || Object.keys(known.solved).length || known.guesses.asked;
    fill(next, continueCard(lessons, known),
      h("div.learn-bar", { role: "progressbar", "aria-label": t("learn.progress"), "aria-valuemin": 0, "aria-valuemax": lessons.length, "aria-valuenow": read },
        h("i", { style: { width: `${(100 * read) / Math.max(1, lessons.length)}%` } })),
      h("p.small.muted", t("learn.read", { read, all: lessons.length }), known.guesses.asked > 0 && ` · ${t("learn.guesses", known.guesses)}`));
    fill(list, lessons.map((lesson, place) => {
      const { name, title, about } = lesson;
      return h("li", h("a.card.learn-chapter", { href: `/learn/${name}`, dataset: { read: known.read[name] ? "yes" : "no" } },
        h("span.learn-number", known.read[name] ? [sign("check"), h("span.unseen", t("learn.done"))] : String(place + 1)),
        h("strong", title), rich(h("p"), about), stepChips(stepsOf(lesson, known))));
    }));
    const file = h("input.unseen", { type: "file", accept: ".json", tabindex: -1, "aria-hidden": "true", onchange: () => file.files[0] && load(file.files[0], lessons) });
    fill(tools,
      h("button.button", { type: "button", disabled: !something, onclick: save }, sign("copy"), t("learn.save")),
      file, h("button.button", { type: "button", onclick: () => file.click() }, sign("load"), t("learn.load")),
      h("button.button", { type: "button", disabled: !something, onclick: async () => {
        if (!await confirm({ title: t("learn.reset"), text: t("learn.reset.sure"), yes: t("learn.reset.yes"), danger: true })) return;
        forget();
        draw(lessons);
        announce(t("learn.reset.done"));
      } }, sign("again"), t("learn.reset")), h("span.small.muted", t("learn.kept")));
  }

  askLessons().then((lessons) => gone || draw(lessons), toastError);
  return () => { gone = true; };
}
