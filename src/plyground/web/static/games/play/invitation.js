// How others come to a game: its address to copy, and as a QR code for a phone.
//
//   invitation(id)                        an element
//   showInvitation({ id, sides, leave })  a dialog with it; `sides` are [[seat, name]] of which whoever plays both may leave
//                                         one to somebody else, by leave(seat)

import { copyText, openDialog } from "/static/dialogs.js";
import { h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const addressOf = (id) => `${location.origin}/play/${encodeURIComponent(id)}`;

export function invitation(id) {
  const address = addressOf(id);
  const field = h("input.mono", { type: "text", readonly: true, value: address, "aria-label": t("invite.link"), onfocus: () => field.select() });
  return h("div.invitation",
    h("div.invite-link", h("div.field", field), h("button.button", { type: "button", onclick: () => copyText(address, t("table.copied")) }, sign("copy"), t("invite.copy"))),
    h("img.qr", { src: `/api/qr?${new URLSearchParams({ text: address })}`, alt: t("invite.qr"), width: 180, height: 180 }),
    LOOPBACK.test(location.hostname) && h("p.small.muted", t("invite.here")));
}

export function showInvitation({ id, sides = [], leave }) {
  const dialog = openDialog({ title: t("invite.title"), className: "invite", body: [
    h("p.muted", t(sides.length ? "invite.both" : "invite.watch")),
    invitation(id),
    sides.length > 0 && h("div.row", sides.map(([seat, name]) => h("button.button", { type: "button", onclick: () => { dialog.close(); leave(seat); } }, sign("person"), t("invite.leave", { side: name })))),
  ] });
}
