"""Whole games of eight bots: to victory or to the end of year 30, without an exception."""

from collections import Counter

import pytest

import games
from games.diplomacy.events import Resolved
from games.options import settle
from tests.kit.bot_games import rounds

pytestmark = pytest.mark.long

GAME = games.kinds()["indianomacy"]
YEARS = 30


def play(seed, centres="defended"):
    """One game to its end, checked turn by turn: its result, its last year, and how often each thing came."""
    options = settle(GAME.about.options, {"last_year": YEARS, "centres": centres})
    seen: Counter[str] = Counter()
    for last in rounds(GAME, seed, years=YEARS, options=options):
        places = [unit.at for unit in last.after.units]
        assert len(places) == len(set(places))
        assert all(last.after.canoes.values())
        resolved = [event for event in last.events if isinstance(event, Resolved)]
        assert all(event.outcome != "void" or event.reason.code in IDLE for event in resolved)
        seen.update(type(event.order).__name__ for event in resolved)
    return GAME.rules.result(last.after), last.after.phase.year, seen


IDLE = ("no-such-move", "tries-to-move")
"""Orders of bots may come to nothing, but all are lawful."""


@pytest.mark.parametrize(
    ("number", "centres"), [*enumerate(["assumed", "assumed", "assumed", "defended", "defended"])]
)
def test_a_game_of_eight_bots_comes_to_an_end(number, centres):
    """With the defended centres there is little to gain by water: some build no canoe-fleet."""
    result, year, seen = play(f"game {number}".encode(), centres)
    assert result is not None
    assert result.winners or year == YEARS
    assert seen["BuildCanoe"] or centres == "defended"
    assert seen["SupportMove"]


@pytest.mark.soak
@pytest.mark.parametrize("block", range(10))
def test_five_hundred_games_of_eight_bots(block):
    won = 0
    for number in range(50):
        result, _, _ = play(f"campaign {block}/{number}".encode())
        won += bool(result.winners)
    assert won
