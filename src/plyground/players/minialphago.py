"""The player `minialphago`: tree search with a network that has learned the game from its own play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.players.net_player import NetOptions, NetPlayer, network_of, network_path
from plyground.players.player import Player
from plyground.search.net_search import NetSearch

__all__ = ["MiniAlphaGo", "PackagedMiniAlphaGo", "minialphago"]

NAME = "minialphago"
USUAL = NetOptions(solve=12)


class MiniAlphaGo(NetPlayer):
    """Searches with one network, which judges moves and positions."""

    name = NAME

    def __init__(self, network: Path | None, options: NetOptions) -> None:
        super().__init__(options)
        self._path = network

    def new_search(self, game: Game) -> NetSearch:
        path = self._path or network_of(NAME, game)
        assert path is not None  # `accepts` has looked
        return self.search_with(self.network(path, game), game)


class WellRead(Accepts):
    """Games for which there is a network, so that none needs to be named."""

    def obstacle_beyond(self, game: Game) -> str | None:
        if network_of(NAME, game) is None:
            return f"no network for it is bundled (network: write {NAME}:network=FILE; plyground train makes files)"
        return None


class PackagedMiniAlphaGo(MiniAlphaGo):
    """Searches with the network that is bundled for the game."""

    accepts: ClassVar[Accepts] = WellRead(players=(2,))

    def __init__(self, options: NetOptions) -> None:
        super().__init__(None, options)


def minialphago(
    network: Annotated[str, "file of a network that `plyground train` has made; the game's own if not set"] = "",
    options: NetOptions = USUAL,
) -> Player:
    """MiniAlphaGo: tree search with a network that has taught itself the game."""
    return MiniAlphaGo(network_path(network), options) if network else PackagedMiniAlphaGo(options)
