// Fields for options as /api/about lists them: { name, type, default, required, help }.
//
//   optionFields(options, values, change(name, text | null)) -> elements; null stands for the usual value
//   field(label, control, help), select([[key, text]], value, change), radios(name, [[key, ...content]], value, change)
//   splitSpec("mcts:c=1,form=plain") -> { name, options }, writeSpec(name, options) -> text
//   randomSeed() -> a seed to begin with

import { h } from "/static/dom.js";
import { hasWord, pick, t } from "/static/i18n.js";

let made = 0;

export const randomSeed = () => Math.floor(Math.random() * 1e6);

export function splitSpec(spec) {
  if (spec.startsWith("openspiel:")) return { name: spec, options: {} };
  const [name, ...rest] = spec.split(":");
  const options = {};
  let last = null;
  for (const part of rest.join(":").split(",").filter(Boolean)) {
    const equals = part.indexOf("=");
    if (equals > 0) options[last = part.slice(0, equals).trim()] = part.slice(equals + 1).trim();
    else if (last) options[last] += `,${part}`; // a list, such as the piles of nim
  }
  return { name: name.trim(), options };
}

export function writeSpec(name, options) {
  const parts = Object.entries(options).filter(([, value]) => value !== null && value !== "").map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

export function field(label, control, help) {
  control.id ||= `field-${++made}`;
  const note = help ? h("span.help", { id: `${control.id}-help` }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div.field", h("label", { for: control.id }, label), control, note);
}

export function select(items, value, change) {
  const element = h("select", { onchange: () => change(element.value) }, items.map(([key, text]) => h("option", { value: key }, text)));
  element.value = value;
  return element;
}

export function radios(name, items, value, change) {
  name += `-${++made}`; // a lesson may show the same page twice
  return items.map(([key, ...content]) => h("label",
    h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => change(key) }), content));
}

const labelOf = (name) => (hasWord(`option.${name}`) ? t(`option.${name}`) : name);
const isNumber = (type) => type === "integer" || type === "number";
const on = (value) => value === true || value === "on" || value === "yes" || value === "true";

export function optionFields(options, values, change) {
  return options.map((option) => {
    const given = values[option.name] ?? null;
    const usual = option.default ?? "";
    if (option.type === "on|off") {
      const box = h("input", {
        type: "checkbox", role: "switch", checked: on(given ?? usual),
        onchange: () => change(option.name, box.checked === on(usual) ? null : box.checked ? "on" : "off"),
      });
      return h("label.switch", { title: pick(option.help) || null }, box, labelOf(option.name));
    }
    const choices = option.choices ?? (option.type.includes("|") ? option.type.split("|") : null);
    if (choices) {
      const items = choices.map((choice) => [choice, hasWord(`choice.${choice}`) ? t(`choice.${choice}`) : choice]);
      if (!choices.includes(usual)) items.unshift(["", t("option.usual")]);
      return field(labelOf(option.name), select(items, given ?? usual, (value) => change(option.name, value === usual ? null : value)));
    }
    const input = h("input", {
      type: isNumber(option.type) ? "number" : "text", value: given ?? "", placeholder: usual === "" ? null : String(usual),
      step: isNumber(option.type) ? (option.type === "integer" ? 1 : "any") : null,
      autocomplete: "off", spellcheck: "false", title: pick(option.help) || null,
      onchange: () => change(option.name, input.value.trim() === "" || input.value.trim() === String(usual) ? null : input.value.trim()),
    });
    return field(labelOf(option.name), input);
  });
}
