// A lesson: its text, figures that are pages of the app at work, quizzes that are judged at once.
//
// A figure is mounted when it comes into view, by the module of its page, whose keys it hears only while it has the focus.

import { get } from "/static/api.js";
import { toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { note, progress, rightOf } from "/static/lab/learn/progress.js";

const NEAR = "600px 0px"; // how far below the window a figure begins to work

// Text that the server has made of Markdown, in which there is nothing that acts.
const rich = (element, html) => {
  element.innerHTML = html;
  return element;
};

export function mount(root, context) {
  const { name } = context.params;
  const { kept } = context;
  kept.figures ??= [];
  kept.answers ??= [];
  const ends = [];
  const atEnd = (end) => ends.push(end);
  let gone = false;
  let release = () => {};

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      target.dispatchEvent(new CustomEvent("seen"));
    }
  }, { rootMargin: NEAR });
  atEnd(() => seen.disconnect());

  // Figures ---------------------------------------------------------------------------------------------------------

  function figure({ page, query, caption }, number) {
    const state = (kept.figures[number] ??= { query: new URLSearchParams(query), kept: {} });
    const stage = h("div.figure-stage");
    const open = h("a.button.small.quiet", sign("link"), t("learn.open", { page: t(`page.${page}`) }));
    const reset = h("button.button.small.quiet", { type: "button", onclick: begin }, sign("again"), t("learn.figure.reset"));
    const element = h("figure.lesson-figure", { dataset: { page, state: "waiting" } }, stage,
      h("figcaption", rich(h("span"), caption), h("span.row.figure-tools", reset, open)));
    let unmount = null;
    const said = () => {
      const text = state.query.toString();
      open.href = `/${page}${text ? `?${text}` : ""}`;
    };
    const part = {
      params: {}, query: state.query, kept: state.kept, within: stage, navigate: context.navigate, loadStyle: context.loadStyle, loadPage: context.loadPage,
      setTitle() {},
      setQuery(changes) {
        for (const [key, value] of Object.entries(changes)) {
          state.query.delete(key);
          for (const item of value === null || value === undefined ? [] : [value].flat()) state.query.append(key, item);
        }
        said();
      },
    };
    async function show() {
      try {
        const module = await context.loadPage(`/${page}`);
        if (gone) return;
        unmount?.();
        unmount = module.mount(fill(stage, h("div")).firstChild, part) ?? null;
        element.dataset.state = "shown";
      } catch (error) {
        if (!gone) toastError(error);
      }
    }
    function begin() {
      for (const key of [...state.query.keys()]) state.query.delete(key);
      for (const [key, value] of query) state.query.append(key, value);
      for (const key of Object.keys(state.kept)) delete state.kept[key];
      said();
      show();
    }
    said();
    element.addEventListener("seen", show);
    seen.observe(element);
    atEnd(() => unmount?.());
    return element;
  }

  // Quizzes ---------------------------------------------------------------------------------------------------------

  function quiz({ question, answers }, number) {
    const chosen = (kept.answers[number] ??= new Set(rightOf(progress(), name).includes(number) ? [...answers.keys()].filter((i) => answers[i].right) : []));
    const wanted = answers.filter(({ right }) => right).length;
    const said = h("p.quiz-said", { role: "status" });
    const id = `quiz-${number}`;
    const rows = answers.map(({ text, right, why }, i) => {
      const reason = rich(h("span.quiz-why"), why);
      const button = h("button.quiz-answer", { type: "button", onclick: () => choose(i) }, h("span.quiz-mark", { "aria-hidden": "true" }), rich(h("span"), text));
      return { item: h("li", button, reason), button, reason, right };
    });
    function choose(i) {
      chosen.add(i);
      if (rows.filter(({ right }, k) => right && chosen.has(k)).length === wanted) {
        note((known) => { known.right[name] = [...new Set([...rightOf(known, name), number])]; });
      }
      draw();
      fill(said, t(rows[i].right ? "learn.quiz.right" : "learn.quiz.wrong"), " ", rich(h("span"), answers[i].why));
    }
    function draw() {
      for (const [i, { item, button, reason, right }] of rows.entries()) {
        const shown = chosen.has(i);
        item.dataset.verdict = shown ? (right ? "right" : "wrong") : "";
        reason.hidden = !shown;
        button.setAttribute("aria-pressed", String(shown));
        fill(button.firstChild, shown && sign(right ? "check" : "close"));
      }
    }
    draw();
    said.classList.add("unseen"); // the reason stands below the answer for everybody who sees it
    return h("section.quiz", { "aria-labelledby": id }, h("p.label", t("learn.quiz"), wanted > 1 && ` · ${t("learn.quiz.several")}`),
      rich(h("p.quiz-question", { id }), question), h("ul", rows.map(({ item }) => item)), said);
  }

  const exercise = ({ exercise: kind, level, address }) => h("p.lesson-exercise", sign("board"), h("span", t("learn.exercise")),
    h("a.button.primary.small", { href: address }, t("learn.exercise.go", { kind: t(`learn.kind.${kind}`), level })));

  // The page --------------------------------------------------------------------------------------------------------

  function draw(lesson) {
    const counts = { figure: 0, quiz: 0 };
    const parts = lesson.blocks.map((block) => {
      if (block.kind === "figure") return figure(block, counts.figure++);
      if (block.kind === "quiz") return quiz(block, counts.quiz++);
      return block.kind === "exercise" ? exercise(block) : rich(h("div.lesson-text"), block.html);
    });
    const door = (to, word, icon) => (to ? h("a.card.lesson-door", { href: `/learn/${to.name}`, dataset: { to: word } }, h("span.label", word === "previous" && sign(icon), t(`learn.${word}`), word === "next" && sign(icon)), h("strong", to.title)) : h("span"));
    const end = h("footer.lesson-end", h("p.muted.small", t("learn.end")), h("nav.lesson-doors", { "aria-label": t("learn.doors") }, door(lesson.previous, "previous", "back"), door(lesson.next, "next", "next")));
    context.setTitle(lesson.title);
    fill(root, h("div.page.learn", h("article.lesson",
      h("header", h("p.label", h("a", { href: "/learn" }, t("learn.title")), ` · ${t("learn.chapter", { number: lesson.number })}`), h("h1", lesson.title), rich(h("p.lead"), lesson.about)),
      parts, end)));
    note((known) => { known.last = name; });
    for (const wide of root.querySelectorAll(".lesson-text .scroll")) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    const last = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      last.disconnect();
      note((known) => { known.read[name] = true; });
      end.dataset.read = "yes";
    });
    last.observe(end);
    atEnd(() => last.disconnect());
    const go = (to) => to && context.navigate(`/learn/${to.name}`);
    release = keys([
      { key: "n", label: "learn.next", run: () => go(lesson.next) },
      { key: "p", label: "learn.previous", run: () => go(lesson.previous) },
    ], "page.learn");
    if (kept.scrolled) window.scrollTo(0, kept.scrolled);
    atEnd(() => { kept.scrolled = window.scrollY; });
  }

  get(`/api/learn/${encodeURIComponent(name)}?lang=${language()}`).then((lesson) => gone || draw(lesson), (error) => {
    if (gone) return;
    context.setTitle(t("missing.title"));
    fill(root, h("div.page", h("header", h("h1", t("missing.title")), h("p.lead", error.message || t("error.network"))), h("a.button.primary", { href: "/learn" }, t("learn.title"))));
  });
  return () => {
    gone = true;
    release();
    ends.forEach((end) => end());
  };
}
