// Hidden information: poker by CFR and a hand against it, Battleship by belief, and bridge with strategy fusion.
//
// The address has tab=poker|battleship|bridge, game=kuhn|leduc, size, aim, seed and mode=play.

import { searches } from "/static/api.js";
import { fill, h } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { language, t } from "/static/i18n.js";
import { battleship } from "/static/lab/battleship.js";
import { bridge } from "/static/lab/bridge.js";
import { poker } from "/static/lab/poker.js";
import { mountFilmstrip } from "/static/pictures/filmstrip.js";

const TABS = { poker, battleship, bridge };

export function mount(root, { query, setQuery, within }) {
  const socket = searches();
  let tab = Object.hasOwn(TABS, query.get("tab")) ? query.get("tab") : "poker";
  let film = null;
  let left = () => {};
  const body = h("div.stack.hidden-body");
  const tabs = h("div.segmented", { role: "radiogroup", "aria-label": t("hidden.tabs") },
    radios("tab", Object.keys(TABS).map((name) => [name, t(`hidden.${name}`)]), tab, (name) => {
      tab = name;
      setQuery({ tab, mode: null, game: null, size: null, aim: null, seed: null });
      open();
    }));
  fill(root, h("div.page.stack.hidden", h("header", h("h1", t("hidden.title")), h("p.lead", t("hidden.lead"))), tabs, body));

  function open() {
    film?.destroy();
    film = null;
    left();
    left = () => {};
    fill(body, TABS[tab]({ query: new URLSearchParams(within ? query : location.search), setQuery, ask, showFilm, within, leaving: (what) => { left = what; } }));
  }

  // Asks for something once; `said` tells that it is being worked on, and what goes wrong.
  function ask(what, details, said, show, failed = () => {}) {
    said.textContent = t("hidden.working");
    return socket.run(what, { lang: language(), ...details }, {
      event(answer) {
        if (answer.event !== what) return;
        said.textContent = "";
        show(answer);
      },
      error(line, code) {
        said.textContent = line || t("error.network");
        failed(code);
      },
    });
  }

  function showFilm(place, found) {
    if (film) film.show(found, 0);
    else film = mountFilmstrip(place, found, {});
  }

  const pressed = (event) => film?.key(event);
  const hears = within ?? document;
  hears.addEventListener("keydown", pressed);
  open();
  return () => {
    hears.removeEventListener("keydown", pressed);
    film?.destroy();
    left();
    socket.close();
  };
}
