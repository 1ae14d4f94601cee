// What players and games are called on the pages of the arena.
//
//   calledBy(about, game) -> (name) => the name on the player's card where it has one; the second of the same kind has a number
//   titleOf(spec, about)  a game with its options
//   namesText(players, called), resultText(game, called), reasonText(game)   a game of the database in words

import { sideName } from "/static/board.js";
import { splitSpec } from "/static/fields.js";
import { gameTitle, playerTitle } from "/static/games/play/games.js";
import { t } from "/static/i18n.js";

export const calledBy = (about, game) => (name) => {
  const [, spec, number = ""] = /^(.*?)( \(\d+\))?$/s.exec(name);
  const title = playerTitle(spec, game, about);
  return title === spec ? name : title + number;
};

export function titleOf(spec, about) {
  const options = Object.values(splitSpec(spec).options);
  return gameTitle(spec, about) + (options.length ? ` (${options.join(", ")})` : "");
}

export const namesText = (players, called) => players.map(called).join(" – ");

export function resultText({ winner, players, ended }, called) {
  if (ended?.code === "disturbed") return t("arena.uncounted");
  return winner === null || winner === undefined ? t("arena.draw") : t("arena.wins", { name: called(players[winner]) });
}

// Why a game has ended, if it was not by the rules; a reason of no known kind is shown as it was written.
export function reasonText({ reason, ended }) {
  const { code, loser, seat, style, counted, ...facts } = ended ?? {};
  if (!reason || code === "over") return "";
  if (!code) return reason;
  const side = loser === null || !style ? seat : sideName(style, loser);
  return t(`arena.reason.${code}`, { side, ...facts }) + (counted ? t("arena.reason.counted", { score: counted.replace("-", "−") }) : "");
}
