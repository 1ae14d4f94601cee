"""A listening socket that one process hands to the next, as systemd does: file 3, told by LISTEN_PID and LISTEN_FDS."""

from __future__ import annotations

import os
import signal
import socket
import sys

from plyground.errors import BadOption

__all__ = ["JOIN_CODE", "inherited_socket", "start_again"]

FIRST = 3
JOIN_CODE = "PLYGROUND_JOIN_CODE"


def start_again(listener: socket.socket, join_code: str) -> None:
    """Become a new process of the same command, with the same socket and for the same visitors."""
    os.dup2(listener.fileno(), FIRST, inheritable=True)
    os.environ.update({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", JOIN_CODE: join_code})
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def inherited_socket() -> socket.socket | None:
    """The listening socket that this process was started with; None if there is none."""
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or count != "1":
        return None
    try:
        os.set_inheritable(FIRST, False)
        listener = socket.socket(fileno=FIRST)
        if listener.family not in (socket.AF_INET, socket.AF_INET6) or listener.type != socket.SOCK_STREAM:
            raise OSError
    except OSError:
        raise BadOption("file 3 of LISTEN_FDS is not a TCP socket; let systemd listen with ListenStream=") from None
    signal.signal(signal.SIGHUP, lambda *_: None)  # the process before has ignored it from the first one on
    return listener
