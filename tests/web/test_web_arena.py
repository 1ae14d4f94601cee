"""The arena, as a visitor uses it in a real browser: a tournament, its table and boards, and the games it leaves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from web_browser import Visitor
from web_server import serving


@pytest.fixture
def first_visitor(browser, tmp_path):
    """Somebody at a server of their own, where nobody has played yet."""
    with serving(tmp_path) as server:
        visitor = Visitor(browser, server.address)
        yield visitor
        visitor.leave()


def test_a_tournament_is_held_followed_and_its_games_are_replayed(first_visitor):
    visitor = first_visitor.open("/arena")
    page = visitor.page
    expect(page.get_by_text("No games yet.")).to_be_visible()
    visitor.accessible()
    for card in ("Dice", "Guess", "Two Plies"):
        expect(page.get_by_label(card, exact=True)).to_be_checked()
    expect(page.get_by_text("3 players, 12 games")).to_be_visible()
    won = page.evaluate("""async () => {
      const { t } = await import(new URL("i18n.js", document.querySelector("script[src$='/app.js']").src));
      const won = (count, points, one) => t("arena.room.won", { count, points, one });
      return [won(2, "1", 1), won(1, "7", 2)];
    }""")
    assert won == ["share first place, 1 point", "wins, 7 points"]
    page.get_by_label("Guess", exact=True).focus()
    visitor.press("Space")
    page.get_by_label("Two Plies", exact=True).uncheck()
    expect(page.get_by_text("Choose at least two players.")).to_be_visible()
    visitor.button("Start").click()
    expect(page.get_by_role("alert")).to_have_text("Choose at least two players.")
    visitor.button("Any other player").click()
    page.get_by_label("Any other player, 1").fill("nobody")
    visitor.button("Start").click()
    expect(page.get_by_role("alert")).to_contain_text("there is no player 'nobody'")
    visitor.problems.clear()  # the browser reports the refusal, status 422
    page.get_by_label("Any other player, 1").fill("flat:simulations=10")
    visitor.button("Any other player").click()
    page.get_by_label("Any other player, 2").fill("random")
    page.get_by_label("Games of each pair").fill("4")
    expect(page.get_by_label("Random moves to begin")).to_have_value("0")
    page.get_by_label("Game", exact=True).first.select_option("reversi")
    expect(page.get_by_label("Random moves to begin")).to_have_value("8")
    expect(page.get_by_label("Bristlecone", exact=True)).not_to_be_checked()
    page.get_by_label("Game", exact=True).first.select_option("tictactoe")
    for card in ("Guess", "Two Plies"):  # the cards of a game stay as they were left
        expect(page.get_by_label(card, exact=True)).not_to_be_checked()
    page.get_by_label("Random moves to begin").fill("2")
    page.get_by_label("Seed").fill("7")
    expect(page.get_by_text("3 players, 12 games")).to_be_visible()
    visitor.button("Start").click()
    page.wait_for_url(re.compile(r"tournament=\w+"))
    expect(page.locator(".badge")).to_have_text("finished")
    expect(page.get_by_text("12 of 12 games", exact=True)).to_be_visible()
    names = page.locator(".arena-table .arena-name > span")
    assert sorted(names.all_inner_texts()) == ["Dice", "Dice (2)", "flat:simulations=10"]
    games = page.locator(".arena-games tbody tr")
    expect(games).to_have_count(12)
    visitor.accessible()
    # Every cell of the crosstable leads to the games of its pair, and the points of a row are those of the table.
    cross = page.locator(".crosstable")
    expect(cross.locator("tbody tr")).to_have_count(3)
    expect(cross.locator("td a")).to_have_count(6)
    rows = page.evaluate("""() => {
      const number = (text) => (text.includes("½") ? 0.5 : 0) + Number(text.replace("½", "") || 0);
      return [...document.querySelectorAll(".crosstable tbody tr")].map((row) => [
        number(row.querySelector("td.number").textContent),
        [...row.querySelectorAll("td a")].reduce((sum, { textContent }) => sum + number(textContent.split("–")[0]), 0),
      ]);
    }""")
    assert [points for points, _ in rows] == sorted([points for points, _ in rows], reverse=True)
    assert all(points == added for points, added in rows)
    cell = cross.get_by_role("link", name=re.compile("^Dice against flat:simulations=10: ")).first
    cell.focus()
    visitor.press("Enter")
    expect(games).to_have_count(4)
    assert all({"Dice", "flat:simulations=10"} == set(one.split(" – ")) for one in games.locator("a").all_inner_texts())
    assert "opponent=flat" in page.url
    page.reload()
    expect(games).to_have_count(4)
    visitor.button("All games").click()
    expect(games).to_have_count(12)
    expect(page.locator(".badge")).to_have_text("finished")
    games.first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("–")
    moves = page.locator(".arena-game-moves button")
    count = moves.count()
    assert count >= 5
    expect(moves.filter(has_text="opening")).to_have_count(2)
    expect(page.locator(".arena-game header p.muted")).to_contain_text("The first 2 moves were the opening")
    visitor.press("ArrowRight", "ArrowRight")
    expect(page.locator(".stepper-count")).to_have_text(f"2 / {count}")
    expect(page.locator(".board .piece")).to_have_count(2)
    page.reload()
    expect(page.locator(".stepper-count")).to_have_text(f"2 / {count}")
    visitor.press("End")
    expect(page.locator(".board .piece")).to_have_count(count)
    visitor.accessible()
    page.get_by_role("link", name="Tournament", exact=True).click()
    expect(games).to_have_count(12)
    page.get_by_role("link", name="All tournaments").click()
    whole = "place => place.scrollWidth <= place.clientWidth"
    expect(games).to_have_count(12)
    assert page.get_by_role("region", name="Games").evaluate(whole)  # no column is cut off
    page.get_by_label("Player", exact=True).fill("random")
    page.get_by_label("Player", exact=True).press("Enter")
    expect(games).to_have_count(8)
    page.get_by_label("Game").and_(page.locator(".arena-filters select")).select_option("reversi")
    expect(games).to_have_count(0)
    expect(page.locator(".arena-list .card")).to_have_count(1)


def test_boards_are_seen_while_a_tournament_runs_and_it_can_be_stopped(visit):
    visitor = visit("/arena")
    page = visitor.page
    for card in ("Guess", "Two Plies"):
        page.get_by_label(card, exact=True).uncheck()
    visitor.button("Any other player").click()
    page.get_by_label("Any other player, 1").fill("mcts:time=0.3,solver=off")
    page.get_by_label("Kind").select_option("gauntlet")
    page.get_by_label("Who meets all others").select_option("mcts:time=0.3,solver=off")
    page.get_by_label("Games of each pair").fill("100")
    visitor.button("Start").click()
    expect(page.locator(".arena-board .miniature")).to_be_visible()
    expect(page.locator(".arena-board")).to_contain_text("Dice")
    visitor.accessible()
    visitor.button("Stop").click()
    expect(page.locator(".badge")).to_have_text("stopped")
    expect(visitor.button("Go on")).to_be_visible()


@pytest.mark.slow
def test_the_arena_speaks_chinese_in_the_dark_on_a_telephone(visit):
    visitor = visit("/arena", locale="zh-CN", color_scheme="dark", width=360, height=720)
    expect(visitor.page.get_by_role("heading", name="竞技场")).to_be_visible()
    expect(visitor.page.locator("form")).to_be_visible()
    visitor.fits()
    visitor.accessible()


@pytest.mark.slow
def test_a_game_that_was_disturbed_counts_for_nobody_and_is_replayed(browser, tmp_path):
    players = (PlayerEntry("random"), PlayerEntry("anna"))
    moves = (PlayedMove(0, 4, "b2"),)
    with Database(tmp_path / "games.db") as base:
        reason = "disturbed: O was killed from elsewhere"
        base.add(PlayedGame("old/1/0-1/0", "tictactoe", players, (0.0, 0.0), moves, reason))
    with serving(tmp_path) as server:
        visitor = Visitor(browser, server.address)
        page = visitor.open("/arena").page
        row = page.locator(".arena-games tbody tr")
        expect(row).to_contain_text("does not count · disturbed from outside")
        expect(row).not_to_contain_text("draw")
        row.get_by_role("link", name="Dice – anna").click()
        expect(page.locator(".arena-game header p.muted")).to_contain_text("was killed from elsewhere")
        visitor.press("End")
        expect(page.locator(".stepper-count")).to_have_text("1 / 1")
        visitor.leave()


def test_why_a_game_was_lost_is_told_in_the_visitors_language(visit):
    visitor = visit("/arena", locale="zh-CN")
    page = visitor.page
    key = page.evaluate("""async () => {
      const headers = { "Content-Type": "application/json" };
      const post = async (path, body) =>
        (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
      const game = await post("/api/games", { game: "reversi", players: ["human", "human"] });
      await post(`/api/games/${game.id}/resign`, { player: 1 });
      return game.id;
    }""")
    page.reload()
    row = page.locator(f'tr[data-key*="{key}"]')
    expect(row).to_contain_text("白方认输")
    row.get_by_role("link").click()
    expect(page.locator(".arena-game header p.muted")).to_contain_text("白方认输")
    visitor.press("l")
    expect(page.locator(".arena-game header p.muted")).to_contain_text("White resigned")
