"""Machines that share work, with Ray (https://docs.ray.io). All of them need the same Plyground."""

from __future__ import annotations

import os
import socket
from typing import Any

from plyground.errors import BadOption, MissingExtra, ProgramEnded

__all__ = ["RETRIES", "join_cluster", "result_of"]

LOCAL = "local"
RETRIES = 5
"""How often a task is given to another worker when one has gone."""
PATIENCE = 10.0
"""Seconds to wait for an address to answer."""


def join_cluster(address: str, jobs: int = 1) -> Any:
    """Ray, joined to the cluster at an address, or with ``local`` to one on this machine of this many `jobs`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would tell its makers
    try:
        import ray
    except ImportError:
        raise MissingExtra("a cluster needs Ray; install it: pip install 'plyground[cluster]'") from None
    _knock(address)
    try:
        if address == LOCAL:
            ray.init(LOCAL, num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        else:
            ray.init(address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadOption(
            f"the cluster at '{address}' cannot be used: {reason}; is it one of Ray, of the same version, and are "
            "RAY_AUTH_MODE and its token set as there?"
        ) from None
    return ray


def result_of(ray: Any, task: Any, sorry: str) -> Any:
    """What a task has returned, or raised; `ProgramEnded` with `sorry` if all its workers have gone."""
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise ProgramEnded(f"{sorry} on the cluster: {' '.join(str(error).split())[:200]}") from None


def _knock(address: str) -> None:
    """`BadOption` if nobody listens there; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
        except (OSError, OverflowError) as error:
            raise BadOption(f"there is no cluster at '{address}': {error}; give its address, or 'local'") from None
