"""Where requests come from: the address by which limits are counted, which no client can choose."""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import Scope

from plyground.errors import BadOption

__all__ = ["Proxies", "is_at_machine", "is_loopback", "network_of"]

HOUSEHOLD = 64
"""Bits of an IPv6 address that say whose it is: everybody may choose the other half."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")


@functools.lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """The address for counting: an IPv4 address, or the first half of an IPv6 one; a text that is neither, as it is."""
    address = _address(host)
    if address is None:
        return host
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address) >> HOUSEHOLD << HOUSEHOLD, HOUSEHOLD)))


@functools.lru_cache(maxsize=4096)
def is_loopback(host: str) -> bool:
    """Whether only this machine has the address, or goes by the name."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_at_machine(scope: Scope) -> bool:
    """Whether a request comes from the server's own machine: from whoever runs it, or somebody beside them.

    A server in front on the same machine is local too: whatever it hands on is not.
    """
    headers = Headers(scope=scope)
    host = scope["client"][0] if scope.get("client") else ""
    return is_loopback(host) and not any(name in headers for name in FORWARDED)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Proxies:
    """The servers in front of this one, whose word is taken for where a request comes from."""

    def __init__(self, named: Sequence[str] = ()) -> None:
        self._networks = [_network(text) for text in named]

    def __contains__(self, host: str) -> bool:
        address = _address(host) if self._networks else None
        return address is not None and any(address in network for network in self._networks)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise BadOption(
            f"--proxy: '{text}' is not an address; write one such as 127.0.0.1, or a network such as 10.0.0.0/8"
        ) from None
