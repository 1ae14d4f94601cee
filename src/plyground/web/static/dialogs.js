// What speaks to the visitor apart from the page.
//
//   announce("Black passes.")                  said by screen readers, not shown
//   toast("Link copied."), toast(line, "bad")  a line at the bottom of the window for a few seconds
//   await copyText(text, said)                 to the clipboard; where that is forbidden, the text is shown
//   toastError(error)                          an ApiError as a toast
//   openDialog({ title, body: [elements], actions: [{ label, kind, run }] }) -> dialog
//                                              modal; Escape and the cross close it; focus goes back where it was
//   await confirm({ title, text, yes, danger })  true or false

import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";

export function announce(text) {
  const region = document.getElementById("announcer");
  // The same sentence twice is two events, which a region that does not change would keep to itself.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

export function toast(text, kind = "") {
  const region = document.getElementById("toasts");
  const line = h(`div.toast${kind ? `.${kind}` : ""}`, text);
  region.append(line);
  while (region.children.length > 3) region.firstChild.remove();
  setTimeout(() => line.remove(), kind === "bad" ? 8000 : 4000);
}

export async function copyText(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast(text);
  }
}

// Of a server that does not answer the shell speaks.
export const toastError = (error) => error.status !== 0 && toast(error.message || t("error.network"), "bad");

export function openDialog({ title, body, actions = [], className = "" }) {
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const dialog = h(`dialog.dialog${className ? `.${className}` : ""}`, { "aria-labelledby": heading.id });
  const close = h("button.button.quiet.icon", { type: "button", "aria-label": t("close"), onclick: () => dialog.close() }, sign("close"));
  const footer = actions.map(({ label, kind = "", run }) =>
    h(`button.button${kind ? `.${kind}` : ""}`, { type: "button", onclick: () => { if (run?.() !== false) dialog.close(); } }, label));
  fill(dialog, h("header", heading, close), h("div.body", body), footer.length > 0 && h("footer", footer));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function confirm({ title, text, yes, danger = false }) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog({
      title,
      body: [h("p.muted", text)],
      actions: [
        { label: t("cancel") },
        { label: yes, kind: danger ? "danger" : "primary", run: () => { answer = true; } },
      ],
    });
    dialog.addEventListener("close", () => resolve(answer));
  });
}
