"""How Ctrl-C and SIGTERM end the command: cleanly, with a line and with status 130 or 143, whenever they come.

While it is being imported and while it goes away, a signal ends the process at once, since nothing is half done then.
While a command runs, both signals raise KeyboardInterrupt: whoever has something to tidy up catches that alone.

This is the first module that the command imports, and it imports next to nothing. What comes before it, some
hundredths of a second in which Python itself starts, is Python's own.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")
else:
    import _signal as signal  # which is there already; importing the other takes as long as all that Python did before

__all__ = ["Interruptible", "end_at_once", "undisturbed"]

SIGNALS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)
STOPPED = b"stopped\n"
AGAIN = 0.05
"""Seconds after which a signal that went unheard is sent again."""


def end_at_once() -> None:
    """From now on a signal ends the process, and says so unless an earlier one has been heard."""

    def end(number: int, frame: FrameType | None) -> None:
        try:
            os.write(2, b"" if Interruptible.heard else STOPPED)
        finally:
            os._exit(128 + number)

    _handle(end)


class Interruptible:
    """Inside, both signals raise KeyboardInterrupt; `came` is the last that did, or None."""

    heard = False
    """Whether any signal has been raised in this process."""

    def __init__(self) -> None:
        self.came: int | None = None

    def __enter__(self) -> Interruptible:
        self._unraisable = sys.unraisablehook
        sys.unraisablehook = self._send_again
        self._before = _handle(self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _put_back(self._before)
        sys.unraisablehook = self._unraisable
        # An interrupt that has left some code made from a text, such as a named tuple's, makes Python end as if by
        # Ctrl-C whatever status it is given, until the next such code runs.
        exec("")

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.came, Interruptible.heard = number, True
        raise KeyboardInterrupt

    def _send_again(self, lost: sys.UnraisableHookArgs) -> None:
        """What is raised while Python tidies up, or in a call from C, is lost; the signal must not be."""
        if self.came is None or not issubclass(lost.exc_type, KeyboardInterrupt):
            self._unraisable(lost)
            return
        import threading

        send = getattr(signal, "pthread_kill", lambda thread, number: signal.raise_signal(number))  # as on Windows
        again = threading.Timer(AGAIN, send, (threading.main_thread().ident, self.came))
        again.daemon = True
        again.start()


def undisturbed(function: Callable[P, R]) -> Callable[P, R]:
    """The function, in which a signal has to wait until its end."""
    import functools

    @functools.wraps(function)
    def undisturbed(*args: P.args, **kwargs: P.kwargs) -> R:
        came: list[int] = []
        before = _handle(lambda number, frame: came.append(number))
        try:
            return function(*args, **kwargs)
        finally:
            _put_back(before)
            if came:
                signal.raise_signal(came[0])

    return undisturbed


def _handle(handler: Callable[[int, FrameType | None], object]) -> dict[int, Any]:
    """Let this answer the signals from now on; returns what has answered them until now.

    Whoever starts a program in the background, or with nohup, may want it to ignore a signal. Threads get none.
    """
    heard = {}
    for number in SIGNALS:
        before = signal.getsignal(number)
        if before in (signal.SIG_IGN, None):
            continue
        try:
            signal.signal(number, handler)
        except ValueError:  # in a thread
            break
        heard[number] = before
    return heard


def _put_back(handlers: dict[int, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)
