"""The fate of orders that were understood, and the saved orders afterwards."""

from dataclasses import replace

import pytest

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.inbound.filing import FilingResult, file_orders
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import merge
from games.protocol import Order, Seat
from games.record import replace_fields
from orders.verdict import LineVerdict
from tests.kit.memory_repository import HOUR, NOON, game_of

SEAT, PLAYER = Seat("Iroquois"), Seat("player")
MOHAWK, ONEIDA, ONONDAGA, DELAWARE, SUSQUEHANNA = "10", "11", "12", "61", "62"
DEADLINE = NOON + 72 * HOUR


def hold(unit: str, position: GamePosition) -> Order:
    return game_of(position).notation.build(position.state, "hold", {"unit": unit})


def move(unit: str, to: str, position: GamePosition) -> Order:
    return game_of(position).notation.build(position.state, "move", {"unit": unit, "to": to})


def drop(pebble: str, position: GamePosition) -> Order:
    return game_of(position).notation.build(position.state, "drop", {"pebble": pebble})


def file_order_list(
    position: GamePosition,
    *orders: Order,
    before: tuple[Order, ...] = (),
    received: Millis = NOON,
    stale: str | None = None,
    grade: str = "taken",
) -> FilingResult:
    """Save orders that were read for the game's first player, and return the result."""
    seat = next(seat for seat, assignment in position.assignments.items() if assignment.is_person)
    notation = game_of(position).notation
    rows = [
        LineVerdict(line=notation.write(order), grade=grade, order=order, said=notation.write(order))
        for order in orders
    ]
    return file_orders(
        game_of(position), AuthenticatedSeat(position, seat, "token", stale), rows, before, received
    )


def grades(found: FilingResult) -> list[str]:
    return [row.grade for row in found.rows]


def test_lawful_orders_are_filed(demo: GamePosition) -> None:
    orders = (move(MOHAWK, DELAWARE, demo), hold(ONEIDA, demo))
    found = file_order_list(demo, *orders)
    assert grades(found) == ["taken", "taken"]
    assert found.orders == orders


def test_a_later_letter_replaces_by_unit(demo: GamePosition) -> None:
    """The orders of other units stay."""
    before = (hold(MOHAWK, demo), hold(ONEIDA, demo))
    found = file_order_list(demo, move(MOHAWK, DELAWARE, demo), before=before)
    assert set(found.orders) == {move(MOHAWK, DELAWARE, demo), hold(ONEIDA, demo)}


def test_the_last_order_of_a_letter_counts(demo: GamePosition) -> None:
    found = file_order_list(demo, hold(MOHAWK, demo), move(MOHAWK, DELAWARE, demo))
    assert [row.superseded for row in found.rows] == [True, False]
    assert found.orders == (move(MOHAWK, DELAWARE, demo),)


def test_the_last_lawful_order_counts(demo: GamePosition) -> None:
    """An order that is not possible does not push out one that is."""
    found = file_order_list(demo, move(MOHAWK, DELAWARE, demo), move(MOHAWK, ONONDAGA, demo))
    assert grades(found) == ["taken", "unlawful"]
    assert [row.superseded for row in found.rows] == [False, False]
    assert found.orders == (move(MOHAWK, DELAWARE, demo),)


def test_an_unlawful_order_is_told_what_is_possible(demo: GamePosition) -> None:
    (row,) = file_order_list(demo, move(MOHAWK, ONONDAGA, demo)).rows
    assert row.problem
    assert "; possible: " in row.problem


def test_another_nations_unit_takes_no_order(demo: GamePosition) -> None:
    found = file_order_list(demo, hold(demo.state.units[0].at, demo))
    assert grades(found) == ["unlawful"]
    assert found.orders == ()


def test_what_is_on_file_already_changes_nothing(demo: GamePosition) -> None:
    before = (hold(MOHAWK, demo),)
    found = file_order_list(demo, hold(MOHAWK, demo), before=before)
    assert grades(found) == ["idle"]
    assert found.rows[0].problem == sentence("inbound.filing.on_file_already")
    assert found.orders == before


def test_an_order_that_is_not_due_changes_nothing(demo: GamePosition) -> None:
    waive = game_of(demo).notation.build(demo.state, "waive", {})
    found = file_order_list(demo, waive)
    assert grades(found) == ["idle"]
    assert found.rows[0].problem == "only orders for moves are due now"
    assert found.orders == ()


def test_a_seat_that_owes_nothing_is_told_so(solo: GamePosition) -> None:
    others = replace(solo, state=replace_fields(solo.state, number=2))
    found = file_order_list(others, drop("agate", others))
    assert (grades(found), found.rows[0].problem) == (["idle"], "No orders are due from you now.")


def test_a_game_that_is_over_takes_no_orders(demo: GamePosition) -> None:
    found = file_order_list(replace(demo, status="finished"), hold(MOHAWK, demo))
    assert (grades(found), found.rows[0].problem) == (["idle"], "The game is over.")


@pytest.mark.parametrize("grade", ["doubtful", "late", "idle"])
def test_what_is_not_in_force_is_not_filed(demo: GamePosition, grade: str) -> None:
    found = file_order_list(demo, hold(MOHAWK, demo), grade=grade)
    assert grades(found) == [grade]
    assert found.orders == ()


def test_a_correction_counts_and_stays_said(demo: GamePosition) -> None:
    found = file_order_list(demo, hold(MOHAWK, demo), grade="corrected")
    assert grades(found) == ["corrected"]
    assert found.orders == (hold(MOHAWK, demo),)


# Time.


@pytest.mark.parametrize(
    ("received", "grade", "noted"),
    [
        (DEADLINE, "taken", False),
        (DEADLINE + 1, "taken", True),
        (DEADLINE + 12 * HOUR, "taken", True),
        (DEADLINE + 12 * HOUR + 1, "late", False),
    ],
)
def test_orders_count_until_the_grace_is_over(
    demo: GamePosition, received: Millis, grade: str, noted: bool
) -> None:
    """Between deadline and grace the answer says so."""
    found = file_order_list(demo, hold(MOHAWK, demo), received=received)
    assert grades(found) == [grade]
    assert (sentence("inbound.filing.counted_late") in found.notes) == noted
    assert bool(found.orders) == (grade == "taken")


def test_a_late_order_leaves_what_is_on_file(demo: GamePosition) -> None:
    before = (hold(MOHAWK, demo),)
    found = file_order_list(demo, move(MOHAWK, DELAWARE, demo), before=before, received=DEADLINE + 13 * HOUR)
    assert found.orders == before


def test_orders_under_an_earlier_turns_token_are_late(demo: GamePosition) -> None:
    """They are shown as read, and can be sent again."""
    found = file_order_list(demo, hold(MOHAWK, demo), stale="W9A")
    assert grades(found) == ["late"]
    assert found.rows[0].said == "W MHK H"
    assert found.rows[0].problem is not None
    assert "W9A" in found.rows[0].problem
    assert found.orders == ()


# Queues.


def test_a_queue_is_filed_in_its_order(solo: GamePosition) -> None:
    orders = tuple(drop(pebble, solo) for pebble in reversed(solo.state.hands[PLAYER]))
    assert file_order_list(solo, *orders).orders == orders


def test_the_queue_of_a_later_letter_replaces_the_whole_queue(solo: GamePosition) -> None:
    """Whatever kinds of orders were in the queue; an email without any leaves it unchanged."""
    draw = game_of(solo).notation.build(solo.state, "draw", {})
    first, second = (drop(pebble, solo) for pebble in solo.state.hands[PLAYER][:2])
    unlawful = drop(solo.state.bag[0], solo)
    assert file_order_list(solo, second, before=(first, draw)).orders == (second,)
    assert file_order_list(solo, before=(first, draw)).orders == (first, draw)
    assert file_order_list(solo, unlawful, before=(first, draw)).orders == (first, draw)


def test_the_same_order_again_is_one_more_in_a_queue(solo: GamePosition) -> None:
    rest = game_of(solo).notation.build(solo.state, "rest", {})
    found = file_order_list(solo, rest, rest, before=(rest,))
    assert grades(found) == ["taken", "taken"]
    assert found.orders == (rest, rest)


def test_orders_for_things_go_before_one_more_of_a_kind(demo: GamePosition) -> None:
    waive = game_of(demo).notation.build(demo.state, "waive", {})
    assert merge((waive,), (hold(MOHAWK, demo),)) == (hold(MOHAWK, demo), waive)


# Concerns.


def test_what_is_odd_is_said_and_filed(solo: GamePosition) -> None:
    pebble = solo.state.hands[PLAYER][0]
    found = file_order_list(solo, drop(pebble, solo), drop(pebble, solo))
    assert found.notes == (f"The {pebble} stands there twice.",)
    assert len(found.orders) == 2


def test_nothing_odd_is_said_of_a_letter_without_orders(solo: GamePosition) -> None:
    twice = (drop("agate", solo), drop("agate", solo))
    assert file_order_list(solo, before=twice).notes == ()
