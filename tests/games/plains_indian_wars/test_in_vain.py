"""Events without an effect now: reports don't suggest them."""

import pytest

import games
from games.dice import SealedDice
from games.plains_indian_wars.model import PlayAction, PlayEvent, State

PLAINS = games.kinds()["plains-indian-wars"]


def after(scenario: str, turns: int, seed: int) -> State:
    """Return a position of a game without any orders."""
    secret = bytes([seed]) * 32
    state: State = PLAINS.rules.setup({"scenario": scenario}, SealedDice(secret, "x", 0)).state
    for turn in range(1, turns):
        orders = {due.seat: list(PLAINS.rules.default(state, due)) for due in PLAINS.rules.due(state)}
        state = PLAINS.rules.adjudicate(state, orders, SealedDice(secret, "x", turn)).state
    return state


@pytest.mark.parametrize(
    ("scenario", "turns", "seed"),
    [("1", 11, 0), ("1", 14, 0), ("1", 3, 1), ("2.1", 3, 1), ("2.4", 7, 1), ("2.7", 4, 0)],
)
def test_no_event_is_offered_that_would_be_left_out(scenario: str, turns: int, seed: int) -> None:
    """In each position, a card in hand has no effect in some regions."""
    state = after(scenario, turns, seed)
    (due,) = PLAINS.rules.due(state)
    view = PLAINS.rules.view(state, due.seat)
    told = [one.order for one in PLAINS.rules.legal_orders(view, due.seat)]
    told += [order for _, orders in PLAINS.rules.examples(view, due.seat) for order in orders]
    could = [order for order in told if PLAINS.rules.check(view, due.seat, order) is None]
    card = next(order for order in could if isinstance(order, PlayAction))
    for order in could:
        if isinstance(order, PlayEvent):
            found = PLAINS.rules.concerns(view, due.seat, [order, card])
            assert not any(one.drops and one.detail["order"] == "0" for one in found), order
