"""The cards of opponents: in the order that was measured, and saying only what is so."""

from plyground.web.server.opponents import CARDS, cards_for, strength_of


def test_who_has_lost_to_nobody_comes_after_all_whose_rating_is_known():
    order = [card.id for card in cards_for("reversi", {"random", "engine", "mcts", "flat"})]
    strongest, best = strength_of("reversi", "engine:level=17"), strength_of("reversi", "engine:level=20")
    assert best.bound == "at least"
    assert best.elo < strongest.elo  # 20 has beaten 17, in few games
    assert order[0] == "dice"
    assert order[-2:] == ["redwood", "bristlecone"]


def test_a_card_promises_nothing_that_no_game_has_shown():
    said = {card.about for cards in CARDS.values() for card in cards}
    assert not [about for about in said if "everybody" in about or "club" in about or "only a longer plan" in about]
    (nim,) = [card for card in CARDS["nim"] if card.id == "perfect"]
    assert "never loses" not in nim.about  # whoever begins in a lost position loses to another perfect player
