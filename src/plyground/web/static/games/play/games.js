// What the play and the home page know of the games without asking the server: their order, pictures for tiles, and words.
//
//   GAMES                  the games of the library, best known first
//   gameNames(about)       the games that the server has, in the same order
//   gameTitle(name, about) in the visitor's language
//   gamePicture(name)      a miniature of a typical position
//   nameOf(spec)           "reversi" of "reversi:size=6"
//   isFlagship(spec)       whether it is what the engine plays: Reversi on the full board
//   playerTitle(player, game, about)  the name on a player's card, or what the server calls it
//   ratingText({ elo, error, bound })  "1450 ± 40", or "≥ 1450" where that is all that is known
//   playerSign(spec)       the sign on a player's card
//   playQuery({ game, players, people, first, clock, rated })  the address of a game with these settings; readQuery is its inverse

import { miniature } from "/static/board.js";
import { s } from "/static/dom.js";
import { hasWord, pick, t } from "/static/i18n.js";

export const GAMES = ["reversi", "tictactoe", "connect4", "chess", "gomoku", "hex", "dots_and_boxes", "nim", "mnk"];

const PICTURES = {
  reversi: { style: "discs", cells: ["......", "..XO..", ".OXXO.", "..OXX.", "...XO.", "......"] },
  tictactoe: { style: "marks", cells: ["X.O", ".X.", "O.X"] },
  connect4: { style: "slots", cells: ["......", "......", "...X..", "..OX..", ".XOOX."] },
  chess: { style: "chess", symbols: ["KQRBNP", "kqrbnp"], cells: ["r.b.k", "pp.p.", "..n.P", ".QP..", "RN.K."] },
  gomoku: { style: "marks", cells: [".......", "..O.X..", "...XO..", "..XOX..", ".O.....", "......."] },
  hex: { style: "hex", cells: ["...O.", "..OX.", ".OXX.", ".OX..", ".XO.."] },
  dots_and_boxes: { style: "boxes", cells: ["+-+-+.+", "|X|X| .", "+-+-+-+", "|   |O|", "+.+-+-+", ".   | .", "+-+.+.+"] },
  mnk: { style: "marks", cells: ["....", ".XO.", "..X.", "...."] },
};

// After "openspiel:" everything is the name.
export const nameOf = (spec) => (spec.startsWith("openspiel:") ? spec : spec.split(":")[0]);
export const isFlagship = (spec) => nameOf(spec) === "reversi" && !/size=[46]/.test(spec);

export function gameNames(about) {
  const names = about.games.map((game) => game.name);
  return [...GAMES.filter((name) => names.includes(name)), ...names.filter((name) => !GAMES.includes(name))];
}

export function gameTitle(spec, about) {
  const name = nameOf(spec);
  if (hasWord(`game.${name}`)) return t(`game.${name}`);
  return about?.games.find((game) => game.name === name)?.title ?? name;
}

export function gameSummary(name, about) {
  return hasWord(`game.${name}.about`) ? t(`game.${name}.about`) : about.games.find((game) => game.name === name)?.summary ?? "";
}

export function gamePicture(name) {
  const picture = PICTURES[name];
  if (picture) return miniature({ symbols: ["X", "O"], ...picture });
  if (name !== "nim") return s("svg.miniature", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("text.initial", { x: 50, y: 68 }, name.replace(/^openspiel:/, "")[0].toUpperCase()));
  const pebbles = [3, 4, 5].flatMap((count, row) =>
    Array.from({ length: count }, (_, i) => s("circle.pebble", { cx: 50 + (i - (count - 1) / 2) * 19, cy: 24 + row * 26, r: 7.5 })));
  return s("svg.miniature", { viewBox: "0 0 100 100", "aria-hidden": "true" }, pebbles);
}

export function playerTitle(spec, game, about) {
  if (spec === "human") return t("play.human");
  const card = about?.cards[nameOf(game)]?.find((item) => item.spec === spec);
  return card ? pick(card.name) : spec;
}

export const ratingText = ({ elo, error, bound }) => `${bound === "at least" ? "≥ " : bound === "at most" ? "≤ " : ""}${String(elo).replace("-", "−")}${error ? ` ± ${error}` : ""}`;

export const playerSign = (spec) => ({ human: "person", friend: "person", random: "dice", minialphago: "network", alphago: "network" })[spec.split(":")[0]] ?? "program";

export function playQuery({ game, players, people, first, clock, board, moves, rated }) {
  const query = new URLSearchParams();
  query.set("game", game);
  players.forEach((player) => query.append("p", player));
  if (people === "invited") query.set("people", people);
  if (first === "lot") query.set("first", "lot");
  if (clock?.move) query.set("move", clock.move);
  if (clock?.game) query.set("total", clock.game);
  if (clock?.increment) query.set("increment", clock.increment);
  if (board) query.set("board", board);
  if (moves) query.set("moves", moves);
  if (rated) query.set("rated", 1);
  return query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3D", "=");
}

export function readQuery(query) {
  const seconds = (name) => (Number(query.get(name)) > 0 ? Number(query.get(name)) : null);
  const clock = { move: seconds("move"), game: seconds("total"), increment: seconds("increment") ?? 0 };
  const players = query.getAll("p");
  return {
    game: query.get("game"),
    players: players.length >= 2 ? players : null,
    people: query.get("people") === "invited" ? "invited" : "here",
    first: query.get("first") === "lot" ? "lot" : "choice",
    clock: clock.move || clock.game ? clock : null,
    board: query.get("board") ?? "",
    moves: query.get("moves") ?? "",
    rated: query.get("rated") === "1",
  };
}

