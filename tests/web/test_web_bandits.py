"""The bandits: their API, and their page as a visitor uses it in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.native.compiling import interpreted
from plyground.subjects.bandits.arms import parse_arms
from plyground.subjects.bandits.experiment import measure_regret
from web_client import Visitor, app_in


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("api")) as made:
        yield made


def test_a_bandit_is_played_by_hand_beside_the_policies(visitor: Visitor) -> None:
    begun = visitor.post("/api/bandits", arms="0.9,0.1", seed=7, policies=["ucb1", "greedy"])
    assert begun["arms"] == 2
    assert "true_means" not in begun
    for arm in (0, 1, 1):
        stands = visitor.post(f"/api/bandits/{begun['id']}/pull", arm=arm)
    assert stands["counts"] == [1, 2]
    assert stands["regret"] == pytest.approx(1.6)
    assert [sum(one["counts"]) for one in stands["policies"]] == [3, 3]
    assert visitor.get(f"/api/bandits/{begun['id']}?reveal=true")["true_means"] == [0.9, 0.1]
    again = visitor.post("/api/bandits", arms="0.9,0.1", seed=7, policies=["ucb1", "greedy"], pulled=[0, 1, 1])
    assert {**again, "id": 0, "reward": 0} == {**stands, "id": 0, "reward": 0}
    assert "no arm 2" in visitor.refused(f"/api/bandits/{begun['id']}/pull", arm=2)


def test_a_policy_beside_the_visitor_pulls_what_it_would_pull_in_an_experiment(visitor: Visitor) -> None:
    pulls = 40
    stands = visitor.post("/api/bandits", arms="0.6,0.5,0.2", seed=3, policies=["ucb1", "thompson"], pulled=[0] * pulls)
    for one in stands["policies"]:
        with interpreted():
            measured = measure_regret(parse_arms("0.6,0.5,0.2"), one["policy"], pulls=pulls, runs=1, seed=3)
        assert one["counts"] == measured.first.pulls[-1].tolist()
        assert one["regrets"][-1] == pytest.approx(measured.finals[0])


def test_hidden_arms_stay_hidden_and_are_the_same_for_a_seed(visitor: Visitor) -> None:
    one, two = (visitor.post("/api/bandits", arms="random:4", seed=5)["id"] for _ in range(2))
    shown = [visitor.get(f"/api/bandits/{number}?reveal=true")["true_means"] for number in (one, two)]
    assert shown[0] == shown[1]
    assert len(set(shown[0])) > 1
    assert "from 1 to 50" in visitor.refused("/api/bandits", arms="random:900")
    assert "not an arm's mean" in visitor.refused("/api/bandits", arms="high,low")
    assert "there is no policy" in visitor.refused("/api/bandits", policies=["ucb9"])


def test_arms_are_pulled_by_hand_beside_the_policies(visit: Any) -> None:
    visitor = visit("/bandits?arms=0.1,0.9&seed=3&policies=greedy,ucb1")
    page = visitor.page
    expect(page.locator(".arm")).to_have_count(2)
    page.locator(".arm").nth(0).click()
    expect(page.locator(".arm").nth(0)).to_contain_text("1 pull")
    visitor.press("2", "2", "2")
    expect(page.locator(".arm").nth(1)).to_contain_text("3 pulls")
    expect(page.locator("tr[data-who=you] td").last).to_have_text("0.80")
    expect(page.locator(".bandit-table tbody tr")).to_have_count(3)
    expect(page.locator(".bandits .chart-line").first).to_be_attached()
    page.wait_for_url(re.compile("pulled=0111"))
    page.reload()
    expect(page.locator(".arm").nth(1)).to_contain_text("3 pulls")
    page.get_by_role("radio", name="ucb1").check()
    visitor.button("Reveal the arms").click()
    expect(page.locator(".arm").nth(1)).to_contain_text("true mean 0.90")
    visitor.accessible()
    page.get_by_label("Arms").first.fill("random:x")
    visitor.button("Begin").click()
    expect(page.locator("form .error").first).to_contain_text("random:")
    visitor.problems.clear()  # the browser reports the refusal, status 422


def test_the_regret_of_policies_is_measured_over_many_runs(visit: Any) -> None:
    visitor = visit("/bandits?arms=0.6,0.4&seed=3")
    page = visitor.page
    lab = page.locator(".bandit-lab")
    lab.get_by_label("Policies beside you").fill("uniform,ucb1:C=0.3")
    lab.get_by_label("Pulls", exact=True).fill("300")
    lab.get_by_label("Runs", exact=True).fill("30")
    lab.get_by_role("button").click()
    expect(lab.locator("tbody tr")).to_have_count(2)
    regrets = [float(text.split()[0]) for text in lab.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert regrets[0] > regrets[1] > 0
    lab.get_by_label("Which regret").select_option("in hindsight")
    expect(lab).to_contain_text("Against the best arm in hindsight: what the one arm")
    late = [float(text.split()[0]) for text in lab.locator("tbody td:nth-child(2)").all_inner_texts()]
    with interpreted():
        arms = parse_arms("0.6,0.55,0.4")
        for spec, shown in zip(("uniform", "ucb1:C=0.3"), late, strict=True):
            measured = measure_regret(arms, spec, pulls=300, runs=30, seed=3, hindsight=True)
            assert measured.hindsight is not None
            assert shown == pytest.approx(float(measured.hindsight.mean[-1]), abs=0.051)
