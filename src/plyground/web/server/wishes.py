"""What pages ask for on the socket of searches, and which function of a worker does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from fastapi import APIRouter

from plyground.web.server.bodies import Body
from plyground.web.server.settings import Limits

__all__ = ["Router", "Wish"]

W = TypeVar("W", bound="type[Wish]")


class Wish(Body):
    """A message of a page that a worker answers; see `Router.wish`."""

    task: ClassVar[str]
    long: ClassVar[bool]

    @property
    def turn(self) -> float | None:
        """Seconds after which it gives way to others that wait; None if it does not."""
        return None

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        """The arguments of the task, and how many seconds it may take; an error if the visitor may not have it."""
        return self.model_dump(), limits.analysis if self.long else limits.search


class Router(APIRouter):
    """The addresses of a subject, and its messages on the socket of searches."""

    def __init__(self) -> None:
        super().__init__()
        self.wishes: dict[str, type[Wish]] = {}

    def wish(self, name: str, task: str, *, long: bool = False) -> Callable[[W], W]:
        """Let pages ask for it by this name.

        The `task` is a function of a module in `plyground.web`, such as ``lab.queens:solve_board``. It is called with a
        function that sends events, and the wish as keyword arguments. What is `long` leaves a worker free for moves.
        """

        def add(kind: W) -> W:
            kind.task, kind.long = task, long
            self.wishes[name] = kind
            return kind

        return add
