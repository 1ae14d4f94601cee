// Battleship against a shooter: the visitor places a fleet, then both shoot in turns. The hidden fleet stays with the
// server: a game is its token, the visitor's fleet and shots, which this browser keeps.
//
// A place of a ship is twice its first cell, and one more if it lies downwards; cells are numbered by rows.

import { announce } from "/static/dialogs.js";
import { fill, h, s, sign, store, stored } from "/static/dom.js";
import { radios } from "/static/fields.js";
import { t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";
import { SIDE, squares } from "/static/lab/squares.js";

const NAME = "battleship";
const FLEETS = { 5: [3, 2], 6: [4, 3, 2], 8: [4, 3, 3, 2], 10: [5, 4, 3, 3, 2] }; // as the server has them
const NEW = { fleet: [], shots: [], token: "", begun: false };
const whole = (value, most) => Number.isInteger(value) && value >= 0 && value < most;

// A game that this browser has kept, whatever somebody else has written there.
function keptGame(size) {
  try {
    const { fleet, shots, token, begun, aim } = JSON.parse(stored(NAME, "{}"))[size];
    const fine = fleet.length === FLEETS[size].length && fleet.every((place) => whole(place, 2 * size ** 2)) && shots.every((cell) => whole(cell, size ** 2));
    return fine ? { fleet, shots, token: String(token), begun: Boolean(begun), aim } : null;
  } catch {
    return null;
  }
}

export function battleshipGame({ ask, within, size, aim, changed, aimChosen }) {
  const lengths = FLEETS[size];
  const game = keptGame(size) ?? { ...NEW, fleet: Array(lengths.length).fill(null) };
  if (game.begun && changed) Object.assign(game, { shots: [], token: "", begun: false }); // another shooter is another game
  if (game.begun && game.aim) aimChosen(aim = game.aim);
  let facts = null;
  let [own, theirs, asked, busy, gone] = [null, null, null, false, false];
  let [chosen, down, hovered] = [game.begun ? -1 : game.fleet.indexOf(null), false, null];
  const shown = { watched: stored("battleship.watched") === "on", helped: stored("battleship.helped") === "on" };
  const said = h("p.small.muted", { role: "status" });
  const status = h("p.battle-status", { role: "status" });
  const body = h("div.stack");

  const names = Array.from({ length: size }, (_, place) => place);
  const cellName = (cell) => `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;
  const numberOf = ([r, c]) => r * size + c;
  const cells = (place, length) => Array.from({ length }, (_, step) => (place >> 1) + step * (place % 2 ? size : 1));
  const keep = () => {
    let all;
    try {
      all = JSON.parse(stored(NAME, "{}"));
    } catch {
      all = {};
    }
    store(NAME, JSON.stringify({ ...all, [size]: { ...game, aim } }));
  };
  const board = (label, press, more = {}) => squares({ rows: size, columns: size, label, names: [names.map((place) => String.fromCharCode(97 + place)), names.map((place) => place + 1)], press, ...more });

  // Placing --------------------------------------------------------------------------------------------------------------

  const shipAt = (cell) => game.fleet.findIndex((place, ship) => place !== null && cells(place, lengths[ship]).includes(cell));
  function fits(ship, place) {
    const [row, column] = [Math.floor((place >> 1) / size), (place >> 1) % size];
    if (row < 0 || column < 0 || (place % 2 ? row : column) + lengths[ship] > size || row >= size) return false;
    return cells(place, lengths[ship]).every((cell) => [-1, ship].includes(shipAt(cell)));
  }
  // Where a ship comes to lie that is put at a cell: it is moved back as far as the board needs.
  function placeAt(ship, [r, c]) {
    const most = size - lengths[ship];
    return 2 * numberOf(down ? [Math.min(r, most), c] : [r, Math.min(c, most)]) + (down ? 1 : 0);
  }
  function lay(ship, place) {
    if (!fits(ship, place)) {
      status.textContent = t("battle.taken");
      return;
    }
    game.fleet[ship] = place;
    chosen = game.fleet.indexOf(null);
    keep();
    draw();
  }
  function pressOwn(cell) {
    if (game.begun) return;
    const there = shipAt(numberOf(cell));
    if (there >= 0 && there !== chosen) {
      down = game.fleet[there] % 2 === 1;
      game.fleet[there] = null;
      chosen = there;
      draw();
    } else if (chosen >= 0) lay(chosen, placeAt(chosen, cell));
  }
  function slide(from, to) {
    const ship = game.begun ? -1 : shipAt(numberOf(from));
    if (ship < 0) return;
    const place = game.fleet[ship];
    const lies = place % 2 === 1;
    const first = [Math.floor((place >> 1) / size) + to[0] - from[0], ((place >> 1) % size) + to[1] - from[1]];
    const most = size - lengths[ship];
    const within = ([r, c]) => [Math.max(0, Math.min(r, lies ? most : size - 1)), Math.max(0, Math.min(c, lies ? size - 1 : most))];
    lay(ship, 2 * numberOf(within(first)) + (lies ? 1 : 0));
  }
  const turn = () => {
    if (game.begun) return;
    down = !down;
    draw();
  };
  function random() {
    asked?.stop();
    asked = ask("battleship_game", { size, aim }, said, (found) => {
      Object.assign(game, { fleet: found.fleet });
      chosen = -1;
      keep();
      draw();
      begin.focus({ preventScroll: true });
    });
  }
  function restart(fleet) {
    Object.assign(game, { ...NEW, fleet });
    facts = null;
    chosen = game.fleet.indexOf(null);
    keep();
    build();
  }

  // Playing --------------------------------------------------------------------------------------------------------------

  function play(shots, after = () => {}) {
    busy = true;
    asked?.stop();
    asked = ask("battleship_game", { size, aim, fleet: game.fleet, shots, token: game.token, ...shown }, said, (found) => {
      busy = false;
      if (gone) return;
      facts = found;
      Object.assign(game, { shots, token: found.token, begun: true });
      keep();
      after();
      draw();
    }, (code) => {
      busy = false;
      if (code !== "forgotten" || gone) return;
      Object.assign(game, { shots: [], token: "", begun: false }); // the fleet is still there for another game
      facts = null;
      keep();
      build();
      status.textContent = "";
    });
  }
  function start() {
    if (game.fleet.includes(null) || busy) return;
    play([], () => {
      build();
      theirs.focus();
    });
  }
  function shoot(cell) {
    const number = numberOf(cell);
    if (busy || !facts || facts.over || game.shots.includes(number)) return;
    play([...game.shots, number], () => { if (facts.over) announce(words()); });
  }

  const answer = ({ cell, answer: what, length }) => t(["battle.miss", "battle.hit", "battle.sunk"][what], { cell, length });
  function words() {
    const [mine, its] = facts.shots;
    if (facts.over) return t(`battle.${facts.over}`, { mine: mine.length, its: its.length });
    if (!mine.length) return t("battle.begin");
    return t("battle.turn", { mine: answer(mine.at(-1)), its: answer(its.at(-1)) });
  }

  // Showing --------------------------------------------------------------------------------------------------------------

  const LOOKS = { ".": "sea-water", o: "sea-water", x: "sea-hit", "#": "sea-sunk" };
  // A cell as `waters` of the server writes it, with how likely a ship is in it where that is shown.
  function water(mark, number, { chance, most = 1, last = -1, open = true } = {}) {
    const parts = [
      chance !== undefined && mark !== "x" && mark !== "#" && mark !== "o" && [s("rect.sea-heat", { width: SIDE, height: SIDE, "fill-opacity": (0.85 * chance) / (most || 1) }), s("text.sea-chance", { x: SIDE / 2, y: SIDE / 2 + 4 }, chance <= 0 ? "0" : chance < 0.005 ? "<1" : Math.round(100 * chance))],
      chance !== undefined && /[A-Z]/.test(mark) && s("rect.sea-hull", { x: 3, y: 3, width: SIDE - 6, height: SIDE - 6, rx: 8 }),
      mark === "o" && s("circle.sea-miss", { cx: SIDE / 2, cy: SIDE / 2, r: 4.5 }),
      "x#".includes(mark) && s("path.sea-cross", { d: "M12 12L28 28M28 12L12 28" }),
      last === number && s("circle.sea-last", { cx: SIDE - 7, cy: 7, r: 3.5 }),
    ];
    const kind = { ".": "water", o: "miss", x: "hit", "#": "sunk" }[mark] ?? "ship";
    const label = `${cellName(number)}, ${t(`battle.cell.${kind}`)}${chance === undefined || kind !== "water" && kind !== "ship" ? "" : `, ${Math.round(100 * chance)}%`}`;
    return { look: LOOKS[mark] ?? "sea-ship", parts, label, off: !open };
  }
  const likeliest = (chances, marks) => Math.max(...[...marks].map((mark, place) => ("ox#".includes(mark) ? 0 : chances?.[place] ?? 0)));

  function draw() {
    if (!facts) {
      const marks = names.flatMap(() => names.map(() => "."));
      game.fleet.forEach((place, ship) => { if (place !== null) for (const cell of cells(place, lengths[ship])) marks[cell] = String.fromCharCode(65 + ship); });
      const place = chosen >= 0 && hovered ? placeAt(chosen, hovered) : null;
      const preview = place !== null && shipAt(numberOf(hovered)) < 0 ? cells(place, lengths[chosen]) : [];
      const good = preview.length && fits(chosen, place);
      own.draw((cell) => water(marks[numberOf(cell)], numberOf(cell)), preview.map((cell) => s(`rect.sea-preview${good ? "" : ".wrong"}`, { x: (cell % size) * SIDE + 3, y: Math.floor(cell / size) * SIDE + 3, width: SIDE - 6, height: SIDE - 6, rx: 6 })));
      fill(ships, radios("ship", lengths.map((length, ship) => [String(ship), h("span.battle-ship", { "aria-hidden": "true" }, "▪".repeat(length)), t(game.fleet[ship] === null ? "battle.ship" : "battle.ship.placed", { length })]), String(chosen), (ship) => {
        chosen = Number(ship);
        game.fleet[chosen] = null;
        draw();
        own.focus();
      }));
      rotate.lastChild.textContent = t(down ? "battle.down" : "battle.across");
      begin.disabled = game.fleet.includes(null);
      status.textContent = begin.disabled ? t("battle.place", { length: lengths[chosen] ?? "" }) : t("battle.ready");
      return;
    }
    const grid = (which, chances, shooter, open) => {
      const [most, last] = [likeliest(chances, which), facts.shots[shooter].at(-1)?.cell];
      return (cell) => {
        const number = numberOf(cell);
        return water(which[number], number, { chance: chances?.[number], most, last: cellName(number) === last ? number : -1, open: open(number) });
      };
    };
    own.draw(grid(facts.own, facts.believed, 1, () => false));
    theirs.draw(grid(facts.theirs, facts.help, 0, (cell) => !facts.over && !game.shots.includes(cell)));
    const afloat = (which) => t("battle.afloat", { ships: facts.afloat[which].join(", ") || "–" });
    fill(ownAfloat, afloat(0));
    fill(theirAfloat, afloat(1));
    status.textContent = words();
    status.dataset.over = facts.over ?? "";
    fill(ended, facts.over && [
      h("button.button.primary", { type: "button", onclick: () => { restart(game.fleet); start(); } }, sign("again"), t("battle.rematch")),
      h("button.button", { type: "button", onclick: () => restart(Array(lengths.length).fill(null)) }, t("battle.anew"))]);
  }

  const toggle = (name) => h("label.switch", h("input", { type: "checkbox", role: "switch", checked: shown[name], onchange: ({ target }) => {
    shown[name] = target.checked;
    store(`battleship.${name}`, target.checked ? "on" : "off");
    play(game.shots);
  } }), t(`battle.${name}`));
  const switches = { watched: toggle("watched"), helped: toggle("helped") };
  const rotate = h("button.button", { type: "button", onclick: turn }, sign("swap"), h("span"));
  const begin = h("button.button.primary", { type: "button", onclick: start }, sign("play"), t("battle.start"));
  const ships = h("div.battle-ships", { role: "radiogroup", "aria-label": t("battle.fleet") });
  const [ended, ownAfloat, theirAfloat] = [h("div.row"), h("p.small.muted"), h("p.small.muted")];

  function build() {
    own = board(t("battle.own"), pressOwn, { slide, over: (cell) => {
      hovered = cell;
      if (!facts) draw();
    } });
    theirs = board(t("battle.theirs"), shoot);
    if (facts) {
      fill(body, status, ended, h("div.battle-boards",
        h("section.panel", h("header", h("h2", t("battle.theirs"))), h("div.body.stack", theirs.element, theirAfloat, switches.helped)),
        h("section.panel", h("header", h("h2", t("battle.own"))), h("div.body.stack", own.element, ownAfloat, switches.watched))),
      h("div.row", h("button.button.small", { type: "button", onclick: () => restart(Array(lengths.length).fill(null)) }, t("battle.anew"))));
    } else {
      fill(body, status, h("div.battle-boards",
        h("section.panel", h("header", h("h2", t("battle.own"))), h("div.body", own.element)),
        h("section.panel", h("header", h("h2", t("battle.fleet"))), h("div.body.stack", h("p.small.muted", t("battle.placing")), ships, h("div.row", rotate, h("button.button", { type: "button", onclick: random }, sign("dice"), t("battle.random"))), h("div.row", begin)))));
    }
    draw();
  }

  const release = keys([
    { key: "b", label: "battle.keys.board", run: () => (facts ? theirs : own)?.focus() },
    { key: "ArrowLeft ArrowRight ArrowUp ArrowDown", label: "battle.keys.go" },
    { key: "Enter", label: "battle.keys.press" },
    { key: "r", label: "battle.keys.turn", run: turn },
    { key: "f", label: "battle.random", run: () => facts || random() },
    { key: "s", label: "battle.start", run: () => facts || start() },
    { key: "h", label: "battle.helped", run: () => facts && switches.helped.querySelector("input").click() },
    { key: "w", label: "battle.watched", run: () => facts && switches.watched.querySelector("input").click() },
  ], "hidden.battleship", within);
  if (game.begun && !game.fleet.includes(null)) play(game.shots, build);
  else build();
  return {
    parts: [body, said],
    leave() {
      gone = true;
      asked?.stop();
      release();
    },
  };
}
