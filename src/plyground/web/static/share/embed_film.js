// A film of a search inside another site's page: the address has what that of Watch has, and theme= and lang=.

import { fill, h } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { embedded } from "/static/share/embed.js";

const OURS = ["theme", "lang"];

export function mount(root, context) {
  const stage = h("div.embed-film");
  const frame = embedded(stage, "", "/watch");
  const show = (query) => {
    const rest = new URLSearchParams([...query].filter(([name]) => !OURS.includes(name)));
    frame.link.href = `/watch${rest.size ? `?${rest}` : ""}`;
  };
  let unmount = null;
  let gone = false;
  fill(root, frame.element);
  show(context.query);
  context.loadPage("/watch").then((module) => {
    if (gone) return;
    unmount = module.mount(stage, {
      ...context,
      within: frame.element,
      setTitle(text) {
        context.setTitle(text);
        frame.name.textContent = text;
      },
      setQuery(changes) {
        context.setQuery(changes);
        show(new URLSearchParams(location.search));
      },
    });
  }).catch(() => fill(stage, h("p.note.warn", { role: "alert" }, t("error.network"))));
  return () => {
    gone = true;
    unmount?.();
  };
}
