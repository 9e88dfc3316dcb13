"""The suggestion for a rejected line is accepted when it is sent back, or there is none."""

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import FilingResult, file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.games import GamePosition
from adjudicator.reports.verdict import fate
from games.protocol import Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from tests.kit.memory_repository import NOON, new_position


def judge_lines(position: GamePosition, seat: str, *lines: str) -> FilingResult:
    """Return the verdicts on an email's lines."""
    game = position.game
    seated = AuthenticatedSeat(position, Seat(seat), "token")
    reading = read_lines([FreshLine(text=line) for line in lines], parse_context(game, seated))
    return file_orders(game, seated, reading.orders, (), NOON)


def suggested(position: GamePosition, seat: str, line: str) -> tuple[str, ...]:
    """Return the suggestions for rejected lines; each is sent back and accepted."""
    rows = judge_lines(position, seat, line).rows
    assert rows, "the line was answered"
    assert not any(row.in_force for row in rows)
    found = tuple(text for row in rows for text in fate(row).instead)
    for text in found:
        again = judge_lines(position, seat, text).rows
        assert [row.grade for row in again] == ["taken"], (text, again)
    return found


@pytest.mark.parametrize(
    ("kind", "seat", "line"),
    [
        ("standard", "France", "A PAR quickly to PIX"),
        ("standard", "Germany", "A MUN S A BER - MUN"),
        ("standard", "Turkey", "F ANK - SEV via"),
        ("indianomacy", "Iroquois", "W MHK to Grand Canyon"),
        ("indianomacy", "Dakota", "W TET S W YKT - MHK"),
        ("indianomacy", "Dakota", "W TET S W YKT - TET"),
        ("indianomacy", "Illinois", "W MIA B CANOES now and twice"),
        ("war-chest", "player", "Swordsman - k3, quickly"),
        ("great-war", "player", "ATTACK 2ND: Heavy Howitzer of Mars"),
        ("great-war", "player", "CANCEL R-ZZ WITH B-JK1"),
        ("boer-war", "Boers", "MOVE BUL MOON"),
        ("plains-indian-wars", "US", "move 2 Blue Nowhere - N3"),
    ],
)
def test_what_is_suggested_is_taken_when_it_is_sent_back(kind: str, seat: str, line: str) -> None:
    """By the seat that got the suggestion, in the same position."""
    suggested(new_position(kind), seat, line)


def test_a_power_is_shown_its_own_units() -> None:
    """Neither Austria's in Galicia nor the Apaches'."""
    assert suggested(new_position("standard"), "France", "support Paris") == ("A PAR S A MAR - BUR",)
    assert suggested(new_position("indianomacy"), "Iroquois", "support Mohawk") == ("W ONE S W MHK - DEL",)


@pytest.mark.parametrize(
    "line", ["Onondaga - Montana", "W MHK to Grand Canyon", "Mohawk - Wichita", "Oneida - Dakota"]
)
def test_nothing_is_suggested_that_is_near_in_nothing(line: str) -> None:
    """Neither in spelling nor in meaning: possible orders are listed if there is such a list."""
    assert suggested(new_position("indianomacy"), "Iroquois", line) == ()
    (row,) = judge_lines(new_position("indianomacy"), "Iroquois", line).rows
    assert row.problem is not None
    assert "Dakota" in line or "; possible: " in row.problem


def test_what_is_suggested_is_for_the_same_unit() -> None:
    """Marseilles could go to Burgundy, and Paris is what the line is about."""
    assert suggested(new_position("standard"), "France", "North: A Par - Mun") == ("A PAR - BUR",)


def test_where_a_unit_could_go_is_listed_behind_a_line_of_unknown_words() -> None:
    (row,) = judge_lines(new_position("standard"), "France", "A PAR quickly to PIX").rows
    assert row.problem is not None
    assert row.problem.endswith("; possible: Brest, Burgundy, Gascony or Picardy")


@pytest.mark.parametrize(
    ("kind", "seat", "line"),
    [
        ("standard", "France", "A Par - Mun?"),
        ("standard", "France", "Munich - Ruhr?"),
        ("standard", "France", "probably F Bre - Wal"),
        ("standard", "France", "Build A Par?"),
        ("standard", "France", "F Bre C A Par - Lon?"),
        ("standard", "France", "A Mar - gul"),
        ("indianomacy", "Iroquois", "Seneca - Pawnee?"),
        ("boer-war", "Boers", "TREK JOU DUN is the plan"),
        ("plains-indian-wars", "US", "play Nelson Miles?"),
    ],
)
def test_a_doubtful_order_that_the_rules_refuse_is_not_suggested(kind: str, seat: str, line: str) -> None:
    """It is understood, and would be refused when it is sent back."""
    (row,) = judge_lines(new_position(kind), seat, line).rows
    assert row.grade in ("doubtful", "ambiguous")
    assert (row.instead, row.candidates) == (None, ())


@pytest.mark.parametrize(
    ("seat", "line", "instead"),
    [("France", "A Par - Bur?", "A PAR - BUR"), ("France", "probably F Bre - Eng", "F BRE - ENG")],
)
def test_a_doubtful_order_that_the_rules_allow_is_suggested(seat: str, line: str, instead: str) -> None:
    assert suggested(new_position("standard"), seat, line) == (instead,)


def test_of_two_meanings_the_one_that_the_rules_allow_is_suggested() -> None:
    assert suggested(new_position("standard"), "England", "F Edinb - Norweg") == ("F EDI - NWG",)


def test_no_unit_of_the_enemy_is_suggested() -> None:
    """In War Chest an example has the coins that one holds."""
    position = new_position("war-chest", options={"units": "first-game", "opponent": "human"})
    held = games.kinds()["war-chest"].rules.view(position.state, Seat("silver")).sides["silver"].hand
    (said,) = suggested(position, "silver", "deploy swordsman h9")
    assert any(coin.replace("-", " ") in said.lower() for coin in held), (said, held)


def test_another_sort_of_order_is_not_suggested() -> None:
    """No blockade for an attack with a card that nobody knows."""
    (said,) = suggested(new_position("great-war"), "player", "ATTACK 2ND: Heavy Howitzer of Mars")
    assert said.startswith("ATTACK 1ST: ")


def test_a_support_that_would_be_refused_is_not_suggested() -> None:
    """For example a support into its own province, one of the nearest destinations of the supported unit."""
    assert suggested(new_position("indianomacy"), "Dakota", "W TET S W YKT - TET") == ("W TET H",)
    assert suggested(new_position("indianomacy"), "Dakota", "W SNT S W TET - MHK") != ("W SNT S W TET - SNT",)


@pytest.mark.parametrize(
    ("kind", "seat", "line", "typed"),
    [
        ("war-chest", "player", "Swordsman - k3, quickly", "k3"),
        ("great-war", "player", "ATTACK 1ST: B-9Q", "B-9Q"),
        ("indianomacy", "Iroquois", "W MHK - XQ7", "XQ7"),
    ],
)
def test_what_is_unknown_is_shown_as_it_was_written(kind: str, seat: str, line: str, typed: str) -> None:
    """All of it: k3, and not k."""
    (row,) = judge_lines(new_position(kind), seat, line).rows
    assert row.problem is not None
    assert row.problem.partition(";")[0].endswith(f"is called {typed}")
