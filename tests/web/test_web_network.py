"""MiniAlphaGo in the app: it is there where a network is, with a tiny one that has learned nothing."""

from __future__ import annotations

import re

import pytest
import torch
from playwright.sync_api import expect

from plyground.core.limits import Limit
from plyground.core.rules import distinct_actions, planes_shape
from plyground.errors import UnsuitableGame
from plyground.games import make_game
from plyground.learning.network import Network, Shape, folded
from plyground.learning.onnx_file import onnx_bytes
from plyground.players import Position, make_player, players_for
from plyground.players.net_player import OWN_NETWORKS, network_of
from plyground.web.server.catalogue import _cards
from web_server import serving


@pytest.fixture(scope="module", autouse=True)
def networks(tmp_path_factory):
    """A folder with networks for tic-tac-toe and for Reversi on 6x6 squares."""
    folder = tmp_path_factory.mktemp("networks")
    torch.manual_seed(1)
    for spec in ("tictactoe", "reversi:size=6"):
        game = make_game(spec)
        network = Network(Shape(planes_shape(game.initial), distinct_actions(game.initial), 1, 8))
        name = re.sub(r"\W+", "_", spec)
        (folder / f"minialphago_{name}.onnx").write_bytes(onnx_bytes(folded(network), {"game": spec}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN_NETWORKS, str(folder))
        yield folder


@pytest.fixture(scope="module")
def served(networks, tmp_path_factory):
    """The address of an app that finds these networks."""
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield server.address


def test_a_game_with_a_network_has_minialphago_without_options(networks):
    game = make_game("tictactoe")
    assert "minialphago" in players_for(game)
    player = make_player("minialphago:simulations=20", game, seed=1)
    assert player.choose(Position(game, game.initial), Limit()).nodes == 20
    six = make_game("reversi:size=6")
    assert network_of("minialphago", six) == networks / "minialphago_reversi_size_6.onnx"
    assert "minialphago" in players_for(six)


def test_a_game_without_one_says_what_is_missing():
    game = make_game("connect4")
    assert "minialphago" not in players_for(game)
    with pytest.raises(UnsuitableGame, match=r"no network for it is bundled \(network: write minialphago:network="):
        make_player("minialphago", game)


def test_its_cards_are_offered_where_it_can_play():
    def offered(game):
        return [card for card in _cards(game) if card["id"].startswith("minialphago")]

    assert [card["spec"] for card in offered("tictactoe")] == [
        f"minialphago:simulations={count}" for count in (50, 400, 1600)
    ]
    assert all(card["rating"] is None for card in offered("tictactoe")), "nobody has measured it"
    assert offered("connect4") == []


@pytest.mark.slow
def test_minialphago_is_chosen_by_its_card_and_its_tree_shows_priors_and_means(visit):
    visitor = visit("/play?game=tictactoe&p=human&p=random", locale="zh-CN")
    page = visitor.page
    card = page.get_by_role("radio", name="MiniAlphaGo", exact=True)
    expect(page.locator(".opponent", has=card)).to_contain_text("没有人教过它")
    expect(page.get_by_role("radio", name=re.compile("^MiniAlphaGo"))).to_have_count(3)
    card.check(force=True)
    visitor.button("开始").click()
    page.wait_for_url("**/play/*minialphago:simulations=400*")
    visitor.shows_searches()
    page.get_by_role("gridcell", name=re.compile("^b2，")).click()
    tree = page.locator(".live-tree")
    expect(tree.get_by_role("img", name=re.compile("400 次模拟"))).to_be_visible()
    expect(tree.locator(".node")).not_to_have_count(0)
    means = [float(text) for text in re.findall(r"Q (\d\.\d{3})", tree.text_content())]
    assert len(means) > 4
    assert 0.2 < means[0] < 0.8  # of the root, as its moves have it
    assert re.search(r"P \d+%", tree.text_content())
    expect(page.locator(".search-panel .legend")).to_contain_text("P 是网络的策略")
    visitor.accessible()
    visitor.open("/play?game=connect4&p=human&p=random")
    expect(page.get_by_role("radio", name=re.compile("^MiniAlphaGo"))).to_have_count(0)


def test_minialphago_is_watched_in_the_laboratory(visit):
    visitor = visit("/watch?game=tictactoe&moves=b2&mode=live&player=minialphago:simulations=200")
    expect(visitor.page.locator(".watch-facts")).to_contain_text("200 simulations")
    expect(visitor.page.locator(".live-tree")).to_contain_text("P ")
    expect(visitor.page.locator(".watch .legend")).to_contain_text("P the share that the network's policy gives")
