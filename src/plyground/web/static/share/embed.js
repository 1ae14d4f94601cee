// What the views inside other sites' pages share: a frame without a bar, and the way to the whole page, in a window of its own.

import { h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

// `content` above a line with the title and a link to `address`.
export function embedded(content, title, address) {
  const name = h("span.embed-title", title);
  const link = h("a", { href: address, target: "_blank", rel: "noopener" }, sign("link"), t("embed.open"));
  return { element: h("div.embed", h("div.embed-content", content), h("footer", name, link)), name, link };
}
