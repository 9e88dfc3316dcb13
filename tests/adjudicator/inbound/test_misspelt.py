"""A line with a name that is misspelt past guessing: its grade, and the suggestion."""

from collections.abc import Sequence

import pytest

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from games.protocol import Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from orders.verdict import LineVerdict
from tests.kit.memory_repository import game_of, new_position


def judge_lines(kind: str, lines: Sequence[str]) -> tuple[LineVerdict, ...]:
    """Return the verdicts on the lines of an email from the first player of a new game."""
    position = new_position(kind)
    seated = AuthenticatedSeat(position, Seat(next(iter(position.assignments))), "token")
    game = game_of(position)
    reading = read_lines([FreshLine(text=line) for line in lines], parse_context(game, seated))
    return file_orders(game, seated, reading.orders, (), 0).rows


@pytest.mark.parametrize(
    ("kind", "line", "problem"),
    [
        ("war-chest", "pick llahsraM", "no unit is called llahsraM"),
        ("war-chest", "recruit Foobar", "no unit is called Foobar"),
        ("war-chest", "deploy Archer z9", "no hex is called z9"),
        ("boer-war", "MOVE Zorro to Colenso", "no leader is called Zorro"),
        ("boer-war", "MOVE De la Rey Foo", "no point is called Foo"),
        ("boer-war", "EVENT B77 DLR", "no event is called B77"),
        ("plains-indian-wars", "withdraw Pink at 2", "no colour is called Pink"),
        ("great-war", "ATTACK 1ST: CA-B", "no card is called CA-B"),  # and CA is no French here
        ("standard", "A Par - Foobar", "no province is called Foobar"),
    ],
)
def test_what_is_no_name_is_called_what_stands_in_its_place(kind: str, line: str, problem: str) -> None:
    (row,) = judge_lines(kind, [line])
    assert row.problem == problem


def test_nothing_is_suggested_that_waits_in_the_letter_already() -> None:
    """War Chest: each unit can be picked once."""
    picks = ["pick Archer", "pick Berserker", "pick Cavalry", "pick Ensign", "pick Footman", "pick Knight"]
    taken = [row.line for row in judge_lines("war-chest", picks) if row.in_force]
    assert taken, "none of these is on offer"
    *_, wrong = judge_lines("war-chest", [*taken, "pick llahsraM"])
    assert wrong.instead is not None
    assert wrong.instead.startswith("pick ")
    assert wrong.instead not in taken


def test_nothing_is_suggested_that_would_replace_what_the_letter_orders() -> None:
    """Before the wrong line or after it: Austria's units, of which one has no order."""
    for lines in (
        ["A Vienna - Galicia", "F Trieste - Albania", "A Tsepadub H"],
        ["A Tsepadub H", "A Vienna - Galicia", "F Trieste - Albania"],
    ):
        wrong = next(row for row in judge_lines("standard", lines) if not row.in_force)
        assert wrong.instead is None
        assert wrong.problem == "no province is called Tsepadub; possible: Budapest, Trieste or Vienna"


def test_an_example_is_of_no_unit_that_the_letter_orders() -> None:
    """The closest form is shown with a unit that has no order yet."""
    for lines in (
        ["A Vienna - Galicia", "F Trieste - Albania", "support Budapest"],
        ["support Budapest", "A Vienna - Galicia", "F Trieste - Albania"],
    ):
        wrong = next(row for row in judge_lines("standard", lines) if not row.in_force)
        assert not (wrong.instead or "").startswith(("A VIE", "F TRI"))
