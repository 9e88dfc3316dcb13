"""No order gets a target that the player didn't name, or leaves out a card that we couldn't read."""

from dataclasses import replace

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from games.protocol import Seat
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from orders.verdict import LineVerdict
from tests.kit.memory_repository import NOON, new_position

GAME = games.kinds()["great-war"]
PLAYER = Seat("player")


def answer(line: str) -> LineVerdict:
    """Return the result for a line with two Heavy Machine-Guns in hand and R-KC on the table."""
    position = new_position("great-war")
    armies = position.state.armies
    row = (*armies["ai"].row, replace_fields(armies["ai"].row[0], card="R-KC"))
    mine = replace_fields(armies[PLAYER], hand=("B-9S", "B-8C", "B-10H"))
    state = replace_fields(position.state, armies={PLAYER: mine, "ai": replace_fields(armies["ai"], row=row)})
    seated = AuthenticatedSeat(replace(position, state=state), PLAYER, "token")
    reading = read_lines([FreshLine(text=line)], parse_context(GAME, seated))
    (row_of,) = file_orders(GAME, seated, reading.orders, (), NOON).rows
    return row_of


@pytest.mark.parametrize("line", ["ATTACK 1ST: B-9S-R-KC", "ATTACK 1ST: B-10H + B-9S-R-KC"])
def test_a_hyphen_names_no_target(line: str) -> None:
    """Such a line isn't accepted. A line with a clear sign for the target is."""
    assert answer(line).grade in ("doubtful", "unread", "ambiguous")
    assert answer("ATTACK 1ST: B-9S > R-KC").said == "ATTACK 1ST: B-9S > R-KC"
    assert answer("ATTACK 1ST: B-9S - R-KC").grade == "taken"
    assert answer("ATTACK 1ST: B-9S on R-KC").grade == "taken"


def test_a_name_that_two_cards_have_is_asked_back() -> None:
    """Neither card is played, and no enemy card becomes the target."""
    found = answer("ATTACK 1ST: Heavy Machine-Guns")
    assert (found.grade, found.candidates) == ("ambiguous", ("ATTACK 1ST: B-9S", "ATTACK 1ST: B-8C"))
    assert answer("ATTACK 1ST: B-9S Heavy Machine-Guns (HMG)").said == "ATTACK 1ST: B-9S"


@pytest.mark.parametrize("line", ["ATTACK 1ST: B-10H + Zorro", "ATTACK 1ST: B-10H, Zorro"])
def test_a_card_that_is_not_understood_is_shown(line: str) -> None:
    """The reply to its line shows it."""
    found = answer(line)
    assert not found.in_force
    assert found.problem is not None
    assert "Zorro" in found.problem
