"""What films ask before a step: the right answer follows from what the reader sees, and from nothing else."""

from __future__ import annotations

import math
import random
import re

import pytest

from plyground.games.tree import read_tree
from plyground.pictures.tree import tree_data
from plyground.watch.searches import search_drawing
from plyground.watch.simulations import simulations_drawing
from plyground.watch.worked_example import worked_example

MINUS = "\N{MINUS SIGN}"


def random_tree(dice, depth):
    if depth == 0 or dice.random() < 0.1:
        return dice.randrange(-9, 10)
    return [random_tree(dice, depth - 1) for _ in range(dice.randrange(2, 4))]


def marked(node, turn=0):
    return node if isinstance(node, int) else {("max", "min")[turn]: [marked(child, 1 - turn) for child in node]}


def number(text):
    """What a text such as "≤ −2", "+∞" or "3+ε" says."""
    plain = text.strip("≤≥ ").replace(MINUS, "-").replace("∞", "inf")
    if plain.endswith("ε"):
        return float(plain[:-2]) + float(f"{plain[-2]}1e-9")
    return float(plain)


def guesses(drawing):
    return [step.guess for step in drawing.steps if step.guess]


def chosen(guess):
    return guess.choices[guess.right]


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs"])
def test_what_a_classical_search_asks_is_answered_by_the_rules_of_minimax_and_alpha_beta(algorithm):
    dice = random.Random(5)
    kinds = set()
    for _ in range(12):
        tree = random_tree(dice, 4)
        tree = tree if isinstance(tree, list) else [tree, 0]
        drawing = search_drawing(read_tree(marked(tree)), algorithm=algorithm).drawing
        for guess in guesses(drawing):
            who = re.match(r"(MAX|MIN) ", guess.question)[1]
            if found := re.search(r" has (\S+), and .* brings ((?:[≤≥] )?\S+)\. Which of them", guess.question):
                had, new = number(found[1]), number(found[2])
                better = new > had if who == "MAX" else new < had
                assert guess.choices == (found[1], found[2])
                assert guess.right == better
                kinds.add("kept")
            elif found := re.search(r" has (\S+) by .* brings ((?:[≤≥] )?\S+)\. Which move", guess.question):
                assert guess.right == (number(found[2]) > number(found[1]))
                kinds.add("best")
            else:
                value, alpha, beta = re.search(
                    r"stands at (.*), with α = (\S+), β = (\S+)\. What", guess.question
                ).groups()
                if "…" in value:
                    continue
                wanted = "no cut: the next move"
                if who == "MIN" and number(value) <= number(alpha):
                    wanted = "alpha cut"
                if who == "MAX" and number(value) >= number(beta):
                    wanted = "beta cut"
                assert chosen(guess) == wanted, guess
                kinds.add(wanted)
    cuts = {"alpha cut", "beta cut", "no cut: the next move"} if algorithm != "minimax" else set()
    assert kinds == {"kept", "best", *cuts}


def test_the_mean_of_chance_is_asked_beside_what_it_is_not():
    tree = read_tree(
        {"max": [{"chance": [[0.7, 10], [0.2, {"min": [2, 3]}], [0.1, 0]]}, {"chance": [[0.5, 1], [0.5, 1]]}]}
    )
    asked = [
        guess for guess in guesses(search_drawing(tree, algorithm="expectiminimax").drawing) if "mean" in guess.question
    ]
    (guess,) = asked  # of two equal outcomes there is nothing to guess
    assert guess.choices == ("0", "4", "7.4", "10")
    assert chosen(guess) == "7.4"


def test_the_worked_simulation_asks_what_is_selected_and_what_is_credited():
    asked = guesses(worked_example())
    assert [(guess.choices, chosen(guess)) for guess in asked[:3]] == [
        (("a", "b", "c"), "a"), (("d", "e"), "d"), (("f", "g"), "g")
    ]  # fmt: skip
    credit = asked[-1]
    assert credit.question == "0 for Black, 1 for White. What is Q/N at Black a afterwards?"
    assert (credit.choices, chosen(credit)) == (("7/10", "7/11", "8/11"), "7/11")


def test_the_selected_move_follows_from_the_counts_that_are_shown():
    game = read_tree({"max": [{"min": [1, -1, 1]}, {"min": [-1, 1]}, {"min": [1, 1, -1]}]})
    drawing = simulations_drawing(game, game.initial, simulations=40, shown=20, player="uct:seed=3")
    c = float(re.search(r"Q/n \+ ([\d.]*) ?√", drawing.title)[1] or 1)
    ratios = {n: look.value for n, look in drawing.start.items()}
    seen = 0
    for step in drawing.steps:
        if step.guess and "select" in step.guess.question:
            parent = drawing.nodes[step.focus].parent
            children = {
                node.action.rpartition(" ")[2]: n
                for n, node in enumerate(drawing.nodes) if node.parent == parent and n in ratios
            }  # fmt: skip
            total = int(ratios[parent].partition("/")[2])
            bounds = {}
            for move in step.guess.choices:
                q, n = map(number, ratios[children[move.rpartition(" ")[2]]].split("/"))
                bounds[move] = q / n + c * math.sqrt(math.log(total) / n)
            assert max(bounds, key=bounds.get) == chosen(step.guess)
            seen += 1
        ratios |= {n: look.value for n, look in step.changes.items() if look.value}
    assert seen > 10


def test_questions_are_in_both_languages_and_part_of_the_film():
    for lang, question in (("en", "Which of them does it keep?"), ("zh", "它会保留哪一个？")):
        drawing = search_drawing(read_tree(marked([[3, 12], [2, 4]])), algorithm="minimax", lang=lang).drawing
        steps = tree_data(drawing, lang=lang)["steps"]
        asked = [step[4] for step in steps if len(step) > 4]
        assert asked[0][0].endswith(question)
        assert asked[0][1:] == [["3", "12"], 0]
