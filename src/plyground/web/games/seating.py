"""Who sits where in a game in progress, and by what the server knows them: a visitor's cookie, or a key."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plyground.web.server.refusals import Refusal

__all__ = ["Asker", "Seating"]

PROGRAM = ""
"""The holder of a program's seat: nobody."""
FREE = "?"
"""The holder of a person's seat that waits for somebody; no visitor is called so."""


@dataclass(frozen=True)
class Asker:
    """Who asks for something: the number in the visitor's cookie, and the key that was sent instead of it, or ""."""

    visitor: str
    key: str = ""


@dataclass
class Seating:
    """The holder of each seat of a game: a visitor, nobody for a program, or whoever comes first.

    `owner` is whoever has begun the game; `secret` makes the keys, which scripts send that keep no cookies.
    """

    owner: str
    holders: list[str]
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    @classmethod
    def of(cls, owner: str, people: Sequence[bool], own: int | None = None) -> Seating:
        """The owner takes the seats of all people; or one of them, `own`, and the others wait for whoever comes.

        `people` says of each seat whether it is a person's.
        """
        if own is not None and (own >= len(people) or not people[own]):
            raise Refusal(422, f"seat {own} is not a person's in this game")
        taken = [own in (None, seat) for seat in range(len(people))]
        holders = [
            PROGRAM if not person else owner if mine else FREE for person, mine in zip(people, taken, strict=True)
        ]
        return cls(owner, holders)

    def content(self) -> dict[str, Any]:
        """What is kept, for JSON; the owner is kept with the game."""
        return {"holders": self.holders, "secret": self.secret}

    # Who is who --------------------------------------------------------------------------------------------------

    def key(self, visitor: str) -> str:
        """What somebody may send instead of the cookie, in this game alone; the cookie is not to be found out by it."""
        return hmac.new(self.secret.encode(), visitor.encode(), hashlib.sha256).hexdigest()[:32]

    def who(self, asker: Asker) -> str:
        """The visitor who asks; `Refusal` if the key is nobody's."""
        if not asker.key:
            return asker.visitor
        for visitor in (self.owner, *self.people):
            if hmac.compare_digest(self.key(visitor).encode(), asker.key.encode()):
                return visitor
        raise Refusal(403, "this key is nobody's in this game; it is that of the answer to the game's beginning", "key")

    @property
    def people(self) -> list[str]:
        """The visitors who hold seats."""
        return list(dict.fromkeys(holder for holder in self.holders if holder not in (PROGRAM, FREE)))

    @property
    def free(self) -> list[int]:
        """The seats that wait for somebody."""
        return [seat for seat, holder in enumerate(self.holders) if holder == FREE]

    @property
    def shared(self) -> bool:
        """Whether several people play, each for themselves; or will, as soon as they have come."""
        return len(self.people) + len(self.free) > 1

    def held(self, visitor: str) -> list[int]:
        """The seats of a visitor."""
        return [seat for seat, holder in enumerate(self.holders) if holder == visitor]

    # Coming and going --------------------------------------------------------------------------------------------

    def claim(self, visitor: str) -> bool:
        """Give a visitor who has no seat the first that is free; whether that was so."""
        if not self.free or self.held(visitor):
            return False
        self.holders[self.free[0]] = visitor
        return True

    def give_up(self, visitor: str, seat: int) -> None:
        """A visitor who holds several seats leaves one to whoever comes."""
        held = self.held(visitor)
        if seat not in held:
            raise foreign(seat)
        if len(held) == 1:
            raise Refusal(409, "this is your only seat: resign instead of leaving it to somebody else", "only")
        self.holders[seat] = FREE

    # What is whose -----------------------------------------------------------------------------------------------

    def check(self, asker: Asker, seat: int) -> str:
        """The visitor, who holds this seat; `Refusal` if it is somebody else's."""
        visitor = self.who(asker)
        if seat not in self.held(visitor):
            raise foreign(seat)
        return visitor

    def check_whole(self, asker: Asker) -> str:
        """The visitor, who holds the seats of all people; `Refusal` if somebody else has a say in the game too."""
        visitor = self.check_any(asker)
        if self.shared:
            raise Refusal(403, "you do not play alone: offer it to the other side", "offer")
        return visitor

    def check_any(self, asker: Asker) -> str:
        """The visitor, who holds a seat or has begun a game between programs; `Refusal` if it only watches."""
        visitor = self.who(asker)
        if not self.held(visitor) and (self.people or visitor != self.owner):
            raise Refusal(403, "you watch this game and have no seat in it", "seat")
        return visitor

    def own_seat(self, asker: Asker, seat: int | None) -> int:
        """The seat for which somebody speaks: the one that is named, or else the only one."""
        held = self.held(self.check_any(asker))
        if seat is None and len(held) != 1:
            raise Refusal(422, "player: say for which of your seats you speak")
        if seat is not None and seat not in held:
            raise foreign(seat)
        return held[0] if seat is None else seat


def foreign(seat: int) -> Refusal:
    """What is said to whoever acts for a seat that is not theirs."""
    return Refusal(403, f"seat {seat} is not yours: only whoever holds it moves, resigns and offers for it", "seat")
