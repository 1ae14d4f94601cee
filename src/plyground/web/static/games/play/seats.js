// The strips above and below the board: who sits there, what they are doing, what they have, and their clocks.
//
//   const seats = createSeats(first, { style, side, name, about })   side(seat) "Black", name(seat) "You"
//   seats.above, seats.below                elements
//   seats.update(game, shown, lower)        `shown` is the position that is looked at, `lower` the seat below the board
//   seats.thinks(facts)                     what the program that thinks has said of it, or null
//   seats.clock(seat, text, { seconds, low, running, error })

import { pieceIcon } from "/static/board.js";
import { fill, h, sign } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { pathTo } from "/static/games/play/game_tree.js";
import { playerSign, playerTitle } from "/static/games/play/games.js";
import { countText } from "/static/games/play/values.js";

const playsOut = (spec) => /^(mcts|flat|minialphago|alphago)\b/.test(spec);
const nodesWords = (spec, nodes) => nodes && (playsOut(spec) ? t("table.simulations", { count: countText(nodes) }) : t("table.nodes", { nodes: countText(nodes) }));
const joined = (words) => words.filter(Boolean).join(" · ");

export function createSeats(first, { style, side, name, about }) {
  const above = h("div.seats");
  const below = h("div.seats");
  const seats = first.players.map((player, seat) => {
    const clock = h("span.clock.tabular");
    const count = h("span.count.tabular");
    const note = h("span.seat-note");
    const title = h("strong");
    const icon = style === "plain" ? sign(playerSign(player.spec)) : pieceIcon(style, seat);
    const element = h("div.seat", { dataset: { seat } }, icon, h("span.seat-words", title, note), count, clock);
    return { element, title, note, count, clock };
  });
  let thought = null;
  let since = 0;
  let thinker = "";

  // Which side somebody plays, and whether they are there.
  function personWords(game, seat) {
    const named = style === "plain" || name(seat) === side(seat) ? "" : side(seat);
    const away = game.shared && !game.over && !game.mine.includes(seat) && !game.present.includes(seat);
    return joined([named, game.free.includes(seat) ? t("table.nobody") : away && t("table.away")]);
  }

  // How a program is written, and what it took to find the move that it made last.
  function programWords(game, shown, seat) {
    const { spec } = game.players[seat];
    const words = playerTitle(spec, game.game, about) === spec ? (style === "plain" ? [] : [side(seat)]) : [spec];
    const last = pathTo(game, shown.at).findLast((node) => node.player === seat && node.text !== "pass");
    if (last?.depth && !playsOut(spec)) words.push(t("table.depth", { depth: last.depth }));
    return joined([...words, nodesWords(spec, last?.nodes)]);
  }

  function thinkingWords({ spec }) {
    const seconds = Math.floor((performance.now() - since) / 1000);
    if (!thought) return seconds < 2 ? t("table.thinking") : t("table.thinking.for", { seconds });
    if (thought.what) return t("table.compiling");
    const words = [thought.depth && !playsOut(spec) && t("table.depth", { depth: thought.depth }), nodesWords(spec, thought.nodes), thought.line?.slice(0, 4).join(" ")];
    return joined(words) || t("table.thinking");
  }

  function update(game, shown, lower) {
    const now = game.thinking ? `${game.thinking.player} ${game.at}` : "";
    if (now !== thinker) {
      since = performance.now();
      if (!now) thought = null;
    }
    thinker = now;
    fill(above, seats.filter((_, seat) => seat !== lower).map((one) => one.element));
    fill(below, seats[lower].element);
    seats.forEach((seat, i) => {
      const player = game.players[i];
      const thinking = game.thinking?.player === i;
      const { counts } = shown.position;
      seat.title.textContent = name(i);
      const words = thinking ? thinkingWords(player) : player.kind === "program" ? programWords(game, shown, i) : personWords(game, i);
      fill(seat.note, thinking && h("span.spinner", { "aria-hidden": "true" }), words);
      seat.count.textContent = counts ? counts[i] : "";
      if (counts) seat.count.setAttribute("aria-label", t(style === "boxes" ? "table.boxes" : "table.discs", { count: counts[i] }));
      seat.element.classList.toggle("turn", !game.over && game.position.to_move === i);
      seat.element.classList.toggle("winner", game.over?.winner === i);
      seat.clock.hidden = !game.clocks;
    });
  }

  // `until` is when the clock would run out by the clock on the wall, and `error` how wrong that may be, in seconds.
  function clock(seat, text, { seconds, low, running, error }) {
    const place = seats[seat].clock;
    place.textContent = text;
    place.classList.toggle("low", low);
    place.classList.toggle("running", running);
    if (running) Object.assign(place.dataset, { until: Math.round(Date.now() + 1000 * seconds), error });
    else delete place.dataset.until;
  }

  return { above, below, update, clock, thinks: (facts) => { thought = facts; } };
}
