// Keys, and the list of them that ? shows.
//
//   const release = keys([{ key: "v", label: "keys.hints", run }], "page.play")   while a page is mounted
//
// Of a page that is a part of another, `within` is the element that must have the focus.
// `key` is a KeyboardEvent.key; several may be given as "ArrowLeft ArrowRight"; letters are meant without regard to case.
// `label` is a word of the dictionary. A binding without `run` is only listed. Nothing happens while the visitor types
// into a field or holds Control, Alt or Meta, and a binding with `elsewhere: true` leaves the keys of a focused board alone.
// Keys of one letter can be switched off in the dialog, for people who speak to their computer.

import { h, store, stored } from "/static/dom.js";
import { openDialog } from "/static/dialogs.js";
import { t } from "/static/i18n.js";

const groups = new Set();
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Backspace: "⌫", Enter: "↵" };

const lettersOn = () => stored("letters") !== "off";

export function keys(bindings, heading = "keys.everywhere", within = null) {
  const group = { heading, within, bindings: bindings.map((binding) => ({ ...binding, keys: splitKeys(binding.key) })) };
  groups.add(group);
  return () => groups.delete(group);
}

const splitKeys = (text) => (text === " " ? [" "] : text.split(" "));
const typing = (element) => element?.matches?.("input:not([type=checkbox], [type=radio], [type=button]), select, textarea, [contenteditable]");
const presses = (element) => element?.matches?.("button, a, summary, label, input, select, [role=gridcell]");
const same = (event, key) => event.key === key || event.key.toLowerCase() === key;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  for (const { bindings, within } of [...groups].reverse()) {
    if (within && !within.contains(event.target)) continue;
    for (const binding of bindings) {
      if (!binding.run || !binding.keys.some((key) => same(event, key))) continue;
      if (event.key.length === 1 && event.key !== " " && !lettersOn()) continue;
      if ((event.key === " " || event.key === "Enter") && presses(event.target)) continue;
      if (binding.elsewhere && event.target.closest?.("[role=grid], [role=radiogroup], [role=tree], [role=listbox]")) continue;
      if (event.target.matches?.("input[type=radio]") && event.key.startsWith("Arrow")) continue;
      event.preventDefault();
      binding.run(event);
      return;
    }
  }
});

export function showKeys() {
  const once = new Map([...groups].map((group) => [group.heading, group])); // a lesson may have several figures of a kind
  const sections = [...once.values()].reverse().map(({ heading, bindings }) => [
    h("h3", t(heading)),
    h("dl.keys", bindings.filter(({ label }) => label).map(({ keys: names, label }) => h("div",
      h("dt", names.map((name) => h("kbd.key", NAMES[name] ?? (name.length === 1 ? name.toUpperCase() : name)))),
      h("dd", t(label))))),
  ]);
  const letters = h("input", { type: "checkbox", role: "switch", checked: lettersOn(), onchange: ({ target }) => store("letters", target.checked ? "on" : "off") });
  openDialog({ title: t("keys.title"), className: "keyboard", body: [...sections, h("label.switch", letters, t("keys.letters"))] });
}
