// A lesson in four steps: its text to read, figures to watch that are pages of the app at work, exercises to do, and
// quizzes that are judged at once.
//
// A figure is mounted when it comes into view, by the module of its page, whose keys it hears only while it has the focus.
// It has been watched when its film was followed to the end; one without a film, when the visitor has used it.
// The address may say where to begin: ?at=7.3 is a part and a paragraph in it, ?step=quiz the first quiz that is open.

import { get } from "/static/api.js";
import { toastError } from "/static/dialogs.js";
import { fill, h, sign } from "/static/dom.js";
import { language, t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { isSolved, note, numbers, PLACE, progress, stepsOf } from "/static/lab/learn/progress.js";
import { createSteps } from "/static/lab/learn/steps.js";

const NEAR = "600px 0px"; // how far below the window a figure begins to work
const LINE = 140; // pixels below the top of the window, where somebody reads
const FILM = ".replay:not(.still), .film"; // what has an end

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
  const parts = { figure: [], quiz: [], exercise: [] };
  let lesson = null;
  let gone = false;
  let release = () => {};

  // Steps -----------------------------------------------------------------------------------------------------------

  const steps = createSteps({ go: goTo });
  const showSteps = () => lesson && steps.show(stepsOf(lesson, progress()));

  function add(which, number) {
    note((known) => { known[which][name] = [...new Set([...numbers(known[which], name), number])]; });
    showSteps();
  }

  // To what is left of a step; where nothing is, to its first part.
  function goTo(step) {
    const known = progress();
    const open = {
      read: () => root.querySelector(`[data-at="${known.read[name] ? "0" : known.places[name]?.at ?? "0"}"]`),
      watch: () => parts.figure.find((_, number) => !numbers(known.watched, name).includes(number)) ?? parts.figure[0],
      do: () => parts.exercise.find((_, number) => !isSolved(known, lesson.exercises[number])) ?? parts.exercise[0],
      quiz: () => parts.quiz.find((_, number) => !numbers(known.right, name).includes(number)) ?? parts.quiz[0],
    }[step]?.();
    if (!open) return;
    reveal(open);
    open.querySelector("a, button")?.focus({ preventScroll: true });
  }

  // Figures above may begin to work while the page scrolls, and grow: the place is gone to once more when they have.
  function reveal(element) {
    const go = () => gone || element.scrollIntoView({ block: "start" });
    go();
    requestAnimationFrame(() => requestAnimationFrame(go));
  }

  // Where somebody reads: the first part, or paragraph of it, that is not above that line.
  function notePlace() {
    const spots = [...root.querySelectorAll("[data-at]")];
    const here = spots.find((spot) => spot.getBoundingClientRect().bottom > LINE) ?? spots.at(-1);
    if (!here) return;
    const section = [...root.querySelectorAll(".lesson-text h2")].filter((heading) => heading === here || heading.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING).length;
    note((known) => {
      const furthest = Math.max(section, known.places[name]?.furthest ?? 0);
      known.places[name] = { at: here.dataset.at, section, furthest };
    });
    showSteps();
  }

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
    const stage = h("div.figure-stage", { tabindex: -1 }); // whoever clicks anywhere in it means it with the next key
    const open = h("a.button.small.quiet", sign("link"), t("learn.open", { page: t(`page.${page}`) }));
    const reset = h("button.button.small.quiet", { type: "button", onclick: begin }, sign("again"), t("learn.figure.reset"));
    const seenSign = h("span.figure-seen");
    const element = h("figure.lesson-figure", { dataset: { page, state: "waiting" } }, stage,
      h("figcaption", h("span", seenSign, rich(h("span"), caption)), h("span.row.figure-tools", reset, open)));
    let unmount = null;
    const showSeen = () => {
      const watched = numbers(progress().watched, name).includes(number);
      element.dataset.watched = watched ? "yes" : "no";
      fill(seenSign, watched && [sign("check"), h("span.unseen", t("learn.watched"))]);
    };
    const watched = () => {
      add("watched", number);
      showSeen();
    };
    showSeen();
    stage.addEventListener("film:end", watched);
    for (const kind of ["click", "change", "keydown"]) stage.addEventListener(kind, () => stage.querySelector(FILM) || watched());
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
    const chosen = (kept.answers[number] ??= new Set(numbers(progress().right, name).includes(number) ? [...answers.keys()].filter((i) => answers[i].right) : []));
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
        add("right", number);
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

  function exercise({ exercise: kind, level, address }) {
    const solved = isSolved(progress(), { kind, level });
    return h("p.lesson-exercise", { dataset: { solved: solved ? "yes" : "no" } }, sign(solved ? "check" : "board"), h("span", t(solved ? "learn.exercise.solved" : "learn.exercise")),
      h(`a.button.small${solved ? "" : ".primary"}`, { href: address }, t("learn.exercise.go", { kind: t(`learn.kind.${kind}`), level })));
  }

  // The page --------------------------------------------------------------------------------------------------------

  const make = { figure, quiz, exercise, text: ({ html }) => rich(h("div.lesson-text"), html) };

  function draw() {
    const blocks = lesson.blocks.map((block, place) => {
      const element = make[block.kind](block, parts[block.kind]?.length);
      parts[block.kind]?.push(element);
      if (block.kind === "text") [...element.children].forEach((child, i) => { child.dataset.at = `${place}.${i}`; });
      else element.dataset.at = String(place);
      return element;
    });
    const door = (to, word, icon) => (to ? h("a.card.lesson-door", { href: `/learn/${to.name}`, dataset: { to: word } }, h("span.label", word === "previous" && sign(icon), t(`learn.${word}`), word === "next" && sign(icon)), h("strong", to.title)) : h("span"));
    const end = h("footer.lesson-end", h("p.muted.small", t("learn.end")), h("nav.lesson-doors", { "aria-label": t("learn.doors") }, door(lesson.previous, "previous", "back"), door(lesson.next, "next", "next")));
    context.setTitle(lesson.title);
    fill(root, h("div.page.learn", h("article.lesson",
      h("header", h("p.label", h("a", { href: "/learn" }, t("learn.title")), ` · ${t("learn.chapter", { number: lesson.number })}`), h("h1", lesson.title), rich(h("p.lead"), lesson.about)),
      steps.element, blocks, end)));
    note((known) => { known.last = name; });
    showSteps();
    for (const wide of root.querySelectorAll(".lesson-text .scroll")) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    const last = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      last.disconnect();
      note((known) => { known.read[name] = true; });
      end.dataset.read = "yes";
      showSteps();
    });
    last.observe(end);
    atEnd(() => last.disconnect());
    const go = (to) => to && context.navigate(`/learn/${to.name}`);
    release = keys([
      { key: "n", label: "learn.next", run: () => go(lesson.next) },
      { key: "p", label: "learn.previous", run: () => go(lesson.previous) },
    ], "page.learn");
    const at = context.query.get("at");
    if (kept.scrolled) window.scrollTo(0, kept.scrolled);
    else if (PLACE.test(at ?? "")) {
      const spot = root.querySelector(`[data-at="${at}"]`);
      if (spot) reveal(spot);
    } else if (context.query.has("step")) goTo(context.query.get("step"));
    context.setQuery({ at: null, step: null });
    atEnd(() => { kept.scrolled = window.scrollY; });
    let waiting = 0;
    const scrolled = () => {
      clearTimeout(waiting);
      waiting = setTimeout(notePlace, 250);
    };
    addEventListener("scroll", scrolled, { passive: true });
    atEnd(() => {
      removeEventListener("scroll", scrolled);
      clearTimeout(waiting);
    });
  }

  get(`/api/learn/${encodeURIComponent(name)}?lang=${language()}`).then((found) => {
    if (gone) return;
    lesson = found;
    draw();
  }, (error) => {
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
