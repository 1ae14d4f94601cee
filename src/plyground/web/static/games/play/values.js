// How values, clocks and times are written.
//
//   valueText(value, unit, exact, plies?)   "+3", "win", "62%", "+0.7", or "#3" for a mate in 3: for the side that it is
//                                   given for; unit is "discs", "utility" or
//                                   "pawns": utilities, as of chess, that are written in pawns
//   inPawns(value)                  a utility of chess in pawns
//   outcomeText(move, unit)         "wins in 21 moves" for a move { value, exact, plies } whose end is known, else its value
//   rank(move)                      greater for a better move: of two wins the quicker one, of two losses the slower one
//   share(value, unit)              0 to 1: how much of a bar belongs to the side that the value is given for
//   clockText(seconds)              "4:05", and tenths in the last ten seconds
//   decimals(value, digits)         "−0.056"; nothing for null
//   countText(n)                    "12.3k"
//   powerText(value)                "8.68×10⁻⁵"
//   cutsText(counts), costText(counts)   how often a search has cut, and everything that it has counted

import { t } from "/static/i18n.js";

const MINUS = "\u2212";

// As the engine of chess has it, and Lichess: x pawns are worth 2 / (1 + exp(-0.368208 x)) - 1.
export const inPawns = (value) => (2 / 0.368208) * Math.atanh(Math.max(-0.9999, Math.min(0.9999, value)));

export function valueText(value, unit, exact = false, plies = null) {
  if (value === null || value === undefined) return "";
  if (unit === "pawns" && exact && plies && value) return `${value < 0 ? MINUS : ""}#${Math.ceil(plies / 2)}`;
  if (unit === "discs") {
    const rounded = Math.round(value);
    return rounded > 0 ? `+${rounded}` : rounded < 0 ? `${MINUS}${-rounded}` : "0";
  }
  if (unit === "pawns" && !exact && Math.abs(value) < 1) {
    const pawns = inPawns(value).toFixed(1).replace("-", MINUS);
    return /^.?0\.0$/.test(pawns) ? "0.0" : value > 0 ? `+${pawns}` : pawns;
  }
  if (exact || Math.abs(value) >= 1) return t(value > 0 ? "value.win" : value < 0 ? "value.loss" : "value.draw");
  return `${Math.round(50 + 50 * value)}%`;
}

export function outcomeText({ value, exact, plies }, unit) {
  if (unit === "discs" || !exact || !plies || value === 0) return valueText(value, unit, exact);
  return t(value > 0 ? "value.win.in" : "value.loss.in", { count: Math.ceil(plies / 2) });
}

// No game whose end is known lasts a million plies.
export const rank = ({ value, plies }) => value - (Math.sign(value) * (plies ?? 0)) / 1e6;

export function share(value, unit) {
  if (unit === "discs") return 0.5 + 0.5 * Math.tanh(value / 18);
  return Math.min(1, Math.max(0, 0.5 + 0.5 * value));
}

export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

export const decimals = (value, digits = 3) => (value === null || value === undefined ? "" : value.toFixed(digits).replace("-", MINUS));

export const powerText = (value) => value.toExponential(2).replace(/e\+?(.*)$/, (_, power) => `×10${power.replace(/./g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)])}`);

export function countText(n) {
  if (n === null || n === undefined) return "";
  if (n < 10_000) return String(n);
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

export function cutsText({ cuts, first_cuts: first }) {
  return cuts ? t("table.cuts", { count: countText(cuts), share: `${Math.round((100 * first) / cuts)}%` }) : "";
}

export function costText({ nodes, simulations, ...rest }) {
  return [nodes && t("table.nodes", { nodes: countText(nodes) }), simulations && t("table.simulations", { count: countText(simulations) }), cutsText(rest)].filter(Boolean).join(" · ");
}
