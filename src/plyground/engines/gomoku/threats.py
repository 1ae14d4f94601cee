"""Wins by threats: every move of the attacker makes a four, or an open three, and has to be answered.

The tree of threats and answers is searched by proof numbers, depth first (A. Nagai, "Df-pn algorithm for searching
AND/OR trees and its applications", 2002): always where the least is left to prove. The answers that are tried are all
that may help, so what is proven is proven; what is disproven has no win by threats, and may have another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.limits import Budget
from plyground.engines.gomoku.board import EMPTY, TO_MOVE, place, remove
from plyground.engines.gomoku.candidates import answers, cells_of_kind, first_of_kind
from plyground.engines.gomoku.memory import DEEPEST, PROOFS
from plyground.engines.gomoku.shapes import MAKES_FIVE, MAKES_THREE, UNSTOPPABLE
from plyground.native.compiling import compiled

__all__ = ["DISPROVEN", "PROVEN", "UNKNOWN", "proof_line", "prove_win"]

UNKNOWN, PROVEN, DISPROVEN = range(3)
INFINITE = 1 << 30
WON, LOST = -1, -2
"""Instead of a number of moves, where the end is clear without one: the attacker has won, or has no threat left."""


@compiled
def threatening_moves(memory: Any, ply: int) -> int:
    """List the attacker's moves that must be answered; WON or LOST where no move is needed to know."""
    side = memory.side
    other = 1 - side
    if memory.count[side, MAKES_FIVE] > 0:
        return WON
    if memory.count[other, MAKES_FIVE] > 0:
        forced = first_of_kind(memory, other, int(MAKES_FIVE))
        if memory.count[other, MAKES_FIVE] > 1 or memory.kind[side, forced] < MAKES_THREE:
            return LOST
        memory.move[ply, 0] = forced
        return 1
    if memory.count[side, UNSTOPPABLE] > 0:
        return WON
    if memory.count[other, UNSTOPPABLE] > 0:
        # Only a four comes before the other side's open four, or a threat that stops it as well.
        count = answers(memory, ply)
        kept = 0
        for i in range(count):
            if memory.kind[side, memory.move[ply, i]] >= MAKES_THREE:
                memory.move[ply, kept] = memory.move[ply, i]
                kept += 1
        return kept if kept > 0 else LOST
    count = cells_of_kind(memory, ply, 0, side, int(MAKES_THREE), int(UNSTOPPABLE))
    return count if count > 0 else LOST


@compiled
def saving_moves(memory: Any, ply: int) -> int:
    """List the defender's moves that may stop the threat; WON (by the attacker) or LOST as above."""
    side = memory.side
    attacker = 1 - side
    if memory.count[side, MAKES_FIVE] > 0:
        return LOST
    if memory.count[attacker, MAKES_FIVE] > 0:
        if memory.count[attacker, MAKES_FIVE] > 1:
            return WON
        memory.move[ply, 0] = first_of_kind(memory, attacker, int(MAKES_FIVE))
        return 1
    if memory.count[side, UNSTOPPABLE] > 0 or memory.count[attacker, UNSTOPPABLE] == 0:
        return LOST
    count = answers(memory, ply)
    return count if count > 0 else WON


@compiled
def known(memory: Any, key: Any, which: int) -> int:
    """The proof number (0) or disproof number (1) of a position; 1 if it was never seen."""
    slot = np.int64(key & np.uint64(PROOFS - 1))
    return np.int64(memory.proof[slot, which]) if memory.proof_key[slot] == key else 1  # type: ignore[return-value]


@compiled
def note(memory: Any, key: Any, proof: int, disproof: int) -> None:
    """Remember the numbers of a position."""
    slot = np.int64(key & np.uint64(PROOFS - 1))
    memory.proof_key[slot] = key
    memory.proof[slot, 0] = proof
    memory.proof[slot, 1] = disproof


@compiled
def key_of(memory: Any, attacker: int) -> Any:
    """The key of a position in the table of proofs, which knows what either side can prove."""
    return memory.hash ^ np.uint64(attacker)


@compiled
def expand(memory: Any, budget: Budget, attacker: int, most_proof: int, most_disproof: int, ply: int) -> None:
    """Look below this position until its proof or its disproof number has reached a threshold, or nothing is left."""
    key = key_of(memory, attacker)
    attacking = memory.side == attacker
    memory.threats_left -= 1
    if ply + 1 >= DEEPEST:
        note(memory, key, int(INFINITE), 0)
        return
    count = threatening_moves(memory, ply) if attacking else saving_moves(memory, ply)
    if count < 0:
        if count == WON:
            note(memory, key, 0, int(INFINITE))
        else:
            note(memory, key, int(INFINITE), 0)
        return
    side = memory.side
    moves = memory.move[ply]
    while True:
        # To the attacker one winning move is enough: its proof number is the least; the defender needs one that saves.
        least, second, total, best = int(INFINITE), int(INFINITE), 0, 0
        for i in range(count):
            child = key ^ memory.zobrist[side, moves[i]] ^ np.uint64(TO_MOVE)
            number = known(memory, child, 0 if attacking else 1)
            total += known(memory, child, 1 if attacking else 0)
            if number < least:
                second, least, best = least, number, i
            elif number < second:
                second = number
        total = min(total, INFINITE)
        proof, disproof = (least, total) if attacking else (total, least)
        note(memory, key, proof, disproof)
        if proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
            return
        if memory.threats_left <= 0 or budget.spend():
            memory.threats_left = min(memory.threats_left, 0)
            return
        cell: Any = np.int64(moves[best])
        child = key ^ memory.zobrist[side, cell] ^ np.uint64(TO_MOVE)
        rest = total - known(memory, child, 1 if attacking else 0)
        place(memory, cell)
        if attacking:
            expand(memory, budget, attacker, min(most_proof, second + 1), most_disproof - rest, ply + 1)
        else:
            expand(memory, budget, attacker, most_proof - rest, min(most_disproof, second + 1), ply + 1)
        remove(memory, cell)


@compiled
def prove_win(memory: Any, budget: Budget, attacker: int) -> int:
    """Whether the attacker wins by threats, whoever is to move: PROVEN, DISPROVEN, or UNKNOWN within the budget.

    Where the defender is to move, it may do so anywhere: then only a threat that stands already can be proven to win.
    At most `memory.threats_left` positions are looked at.
    """
    expand(memory, budget, attacker, int(INFINITE), int(INFINITE), 0)
    key = key_of(memory, attacker)
    if known(memory, key, 0) == 0:
        return PROVEN
    return DISPROVEN if known(memory, key, 1) == 0 else UNKNOWN


@compiled
def proven_move(memory: Any, ply: int, attacker: int) -> int:
    """A move after which the attacker's win is proven: of the attacker, or the defender's longest; 0 if forgotten."""
    attacking = memory.side == attacker
    count = threatening_moves(memory, ply) if attacking else saving_moves(memory, ply)
    if count == WON:
        kind = int(MAKES_FIVE) if memory.count[attacker, MAKES_FIVE] > 0 else int(UNSTOPPABLE)
        return first_of_kind(memory, attacker, kind)
    key = key_of(memory, attacker)
    for i in range(max(count, 0)):
        child = key ^ memory.zobrist[memory.side, memory.move[ply, i]] ^ np.uint64(TO_MOVE)
        if known(memory, child, 0) == 0:
            return np.int64(memory.move[ply, i])  # type: ignore[return-value]
    return 0


@compiled
def proof_line(memory: Any, attacker: int, out: Any) -> int:
    """Write a line of a proven win, as long as it is remembered, to the five or to what cannot be stopped."""
    length = 0
    while length < len(out):
        cell = proven_move(memory, length, attacker)
        if cell == 0 or memory.cell[cell] != EMPTY:
            break
        five = memory.side == attacker and memory.kind[attacker, cell] == MAKES_FIVE
        out[length] = cell
        length += 1
        place(memory, cell)
        if five:
            break
    for i in range(length - 1, -1, -1):
        remove(memory, out[i])
    return length
