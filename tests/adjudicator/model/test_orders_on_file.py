"""Orders in advance: which ones count when their turn comes, stay saved, or are held up."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import (
    Filing,
    Item,
    OrdersInForce,
    make_item,
    merge,
    pack_items,
    unpack_items,
    weigh,
    write_item,
)
from adjudicator.turns.runner import play_turns, position_after
from games.protocol import Condition, Order, Seat
from games.record import replace_fields
from orders.conditions import Atom, Branch, Not, When
from tests.kit.memory_repository import NOON, game_of, new_position
from tests.kit.toy import toy_found

IROQUOIS, PLAYER = Seat("Iroquois"), Seat("player")
TRUE, FALSE = "10", "61"
"""Mohawk has a unit, Delaware is neutral, in the opening; see `unit_of`."""


@pytest.fixture(autouse=True)
def toy_kinds() -> Iterator[None]:
    with toy_found():
        yield


@pytest.fixture
def year() -> GamePosition:
    return new_position("indianomacy", people={IROQUOIS: "iroquois@example.net"})


@pytest.fixture
def solo() -> GamePosition:
    """The toy with its player, who holds agate, flint, jasper and marble."""
    return new_position("cairn", people={PLAYER: "player@example.net"})


def unit_of(place: str) -> Atom:
    """Return whether the Iroquois have a unit there."""
    asks = Condition(form="unit-of-at", slots={"nation": "Iroquois", "place": place})
    return Atom(asks=asks, text=f"Iroquois W {place}")


def on_top(pebble: str) -> Atom:
    return Atom(asks=Condition(form="on-top", slots={"pebble": pebble}), text=f"{pebble} is on top")


def under(tried: Any = None, *refused: Any, block: int = 1, turn: str | None = None) -> When:
    return When(turn=turn, path=(Branch(tried=tried, refused=refused, block=block),))


def order(position: GamePosition, form: str, **slots: str) -> Order:
    built: Order = game_of(position).notation.build(position.state, form, slots)
    return built


def drop(position: GamePosition, pebble: str) -> Order:
    return order(position, "drop", pebble=pebble)


def weighed(position: GamePosition, *items: Item) -> OrdersInForce:
    """Return the result of a person's saved lines for their first decision."""
    game = game_of(position)
    seat = next(seat for seat, assignment in position.assignments.items() if assignment.is_person)
    (due,) = [due for due in game.rules.due(position.state) if due.seat == seat]
    return weigh(game, position.state, due, items)


# Orders for certain things.


def test_of_the_orders_for_a_unit_the_last_counts_that_holds(year: GamePosition) -> None:
    hold, move = order(year, "hold", unit="10"), order(year, "move", unit="10", to="61")
    assert weighed(year, hold, Filing(order=move, when=under(unit_of(TRUE)))).orders == (move,)
    assert weighed(year, hold, Filing(order=move, when=under(unit_of(FALSE)))).orders == (hold,)
    assert weighed(year, Filing(order=move, when=under(unit_of(FALSE)))).orders == ()


def test_one_branch_of_an_if_counts(year: GamePosition) -> None:
    hold, move = order(year, "hold", unit="10"), order(year, "move", unit="10", to="61")
    yes, no = unit_of(TRUE), unit_of(FALSE)
    both = [Filing(order=move, when=under(no)), Filing(order=hold, when=under(None, no))]
    assert weighed(year, *both).orders == (hold,)
    chain = [
        Filing(order=move, when=under(no)),
        Filing(order=hold, when=under(yes, no)),
        Filing(order=move, when=under(None, no, yes)),
    ]
    assert weighed(year, *chain).orders == (hold,)
    assert weighed(year, Filing(order=move, when=under(Not(of=no)))).orders == (move,)


def test_an_order_for_a_turn_to_come_waits_for_it(year: GamePosition) -> None:
    hold = order(year, "hold", unit="10")
    ahead = Filing(order=hold, when=When(turn="F1M"))
    found = weighed(year, ahead)
    assert (found.orders, found.rest, found.held) == ((), (ahead,), ())
    assert weighed(year, Filing(order=hold, when=When(turn="S1M"))).orders == (hold,)


def test_an_order_sent_ahead_that_is_impossible_is_held_up(year: GamePosition) -> None:
    """The others count."""
    far = Filing(order=order(year, "move", unit="10", to="1"), when=When(turn="S1M"))
    hold = Filing(order=order(year, "hold", unit="11"), when=When(turn="S1M"))
    waive = Filing(order=order(year, "waive"), when=When(turn="S1M"))
    found = weighed(year, far, hold, waive)
    assert found.orders == (hold.order,)
    assert [(one.order, one.queued) for one in found.held] == [(far.order, False), (waive.order, False)]
    assert found.held[1].objection.code == "not-due"


def test_an_order_sent_ahead_means_what_stands_there_when_its_turn_comes(year: GamePosition) -> None:
    """The kind of unit was not known when it was written."""
    hold = order(year, "hold", unit="10")
    wrong = replace_fields(hold, unit=replace_fields(hold.unit, kind="A"))
    assert weighed(year, Filing(order=wrong, when=When(turn="S1M"))).orders == (hold,)


# Queues.


def test_an_if_of_a_queue_is_decided_when_its_turn_comes(solo: GamePosition) -> None:
    """By the position then; the chosen branch stays, the other is dropped for good."""
    agate, flint, marble = (drop(solo, name) for name in ("agate", "flint", "marble"))
    top = on_top("onyx")
    queue = (
        Filing(order=agate, when=under(top)),
        Filing(order=flint, when=under(None, top)),
        Filing(order=agate, when=under(None, top)),
        marble,
    )
    found = weighed(solo, *queue)
    assert found.orders == (flint,)
    assert found.rest == (agate, marble)
    assert found.passed == (queue[0],)


def test_ifs_within_an_if_are_decided_one_by_one(solo: GamePosition) -> None:
    agate, flint = drop(solo, "agate"), drop(solo, "flint")
    no = Not(of=on_top("onyx"))
    inner = Branch(tried=on_top("onyx"), block=2)
    nested = When(path=(Branch(tried=no, block=1), inner))
    found = weighed(solo, Filing(order=agate, when=nested), Filing(order=flint, when=under(no)))
    assert (found.orders, found.rest) == ((flint,), ())
    assert [one.when.path for one in found.passed] == [(inner,)]


def test_two_ifs_of_one_condition_are_decided_apart(solo: GamePosition) -> None:
    agate, flint = drop(solo, "agate"), drop(solo, "flint")
    no = Not(of=on_top("onyx"))
    queue = (Filing(order=agate, when=under(no, block=1)), Filing(order=flint, when=under(no, block=2)))
    assert weighed(solo, *queue).rest == (queue[1],)


def test_a_stop_stops_nothing_before_an_order_of_its_queue_was_played(solo: GamePosition) -> None:
    """Its writer saw the position."""
    agate, flint = drop(solo, "agate"), drop(solo, "flint")
    stop = Filing(when=under(Not(of=on_top("onyx"))))
    found = weighed(solo, stop, agate, flint)
    assert found.orders == (agate,)
    assert found.rest == (replace_fields(stop, armed=True), flint)
    again = weighed(solo, *found.rest)
    assert (again.orders, again.rest) == ((), found.rest)
    (held,) = again.held
    assert (held.order, held.objection, held.stop) == (flint, None, found.rest[0])


def test_a_stop_without_a_queue_goes(solo: GamePosition) -> None:
    stop = Filing(when=under(on_top("onyx")))
    assert weighed(solo, stop, drop(solo, "agate")).rest == ()


def test_a_stop_that_does_not_hold_stops_nothing(solo: GamePosition) -> None:
    stop = Filing(when=under(on_top("onyx")), armed=True)
    assert weighed(solo, stop, drop(solo, "agate")).orders == (drop(solo, "agate"),)


# Turn by turn.


def test_what_was_sent_ahead_is_played_when_its_turn_comes(year: GamePosition) -> None:
    """Lines for a turn that is never played are dropped."""
    game = game_of(year)
    (due,) = [due for due in game.rules.due(year.state) if due.seat == IROQUOIS]
    now = tuple(game.rules.default(year.state, due))
    fall = tuple(Filing(order=one, when=When(turn="F1M")) for one in now[:-1])
    lost = Filing(order=now[0], when=When(turn="U1R"))
    filled = changed_position(year, (*now, *fall, lost))
    played = play_turns(game, filled, NOON, ripe=False)
    assert played is not None
    assert [step.entry.turn for step in played.steps] == ["S1M"]
    assert played.filed == {IROQUOIS: fall}
    then = position_after(filled, played)
    assert len(weighed(then, *then.filed[IROQUOIS]).orders) == len(fall)
    assert play_turns(game, then, NOON, ripe=False) is None
    last = changed_position(then, (*fall, order(then, "hold", unit=now[-1].unit.at)))
    again = play_turns(game, last, NOON, ripe=False)
    assert again is not None
    assert again.steps[0].entry.turn == "F1M"
    assert again.filed == {}


def changed_position(position: GamePosition, items: tuple[Item, ...]) -> GamePosition:
    return replace(position, filed={IROQUOIS: items})


# On file.


def test_a_later_item_replaces_where_it_always_counts(year: GamePosition) -> None:
    hold, move = order(year, "hold", unit="10"), order(year, "move", unit="10", to="61")
    yes = under(unit_of(TRUE))
    conditional = Filing(order=move, when=yes)
    assert merge((hold,), (conditional,)) == (hold, conditional)
    assert merge((conditional,), (hold,)) == (hold,)
    elsewhere = Filing(order=hold, when=under(unit_of(TRUE), block=7))
    assert merge((conditional,), (elsewhere,)) == (elsewhere,)
    ahead = Filing(order=move, when=When(turn="F1M"))
    assert merge((ahead,), (hold,)) == (ahead, hold)
    assert merge((ahead, hold), (Filing(order=hold, when=When(turn="F1M")),))[0] == hold


def test_a_letter_that_only_says_stop_keeps_the_queue(solo: GamePosition) -> None:
    agate, flint = drop(solo, "agate"), drop(solo, "flint")
    stop = Filing(when=under(on_top("onyx")))
    other = Filing(when=under(on_top("onyx"), block=9))
    assert merge((agate, flint), (stop,)) == (agate, flint, stop)
    assert merge((agate, flint, stop), (other,)) == (agate, flint, other)
    assert merge((agate, flint, stop), (flint,)) == (flint,)


def test_the_turn_that_is_due_needs_no_name(year: GamePosition) -> None:
    hold = order(year, "hold", unit="10")
    assert make_item(hold, When(turn="S1M"), "S1M") == hold
    assert make_item(hold, None, "S1M") == hold
    assert make_item(hold, When(turn="F1M"), "S1M") == Filing(order=hold, when=When(turn="F1M"))
    assert make_item(None, under(unit_of(TRUE)), "S1M") == Filing(when=under(unit_of(TRUE)))


def test_what_is_packed_is_unpacked(year: GamePosition) -> None:
    hold = order(year, "hold", unit="10")
    items = (
        hold,
        Filing(order=hold, when=under(Not(of=unit_of(TRUE)), turn="F1M")),
        Filing(when=under(unit_of(TRUE))),
    )
    assert unpack_items(game_of(year).order_type, pack_items(items)) == items


def test_an_item_is_written_on_one_line(year: GamePosition, solo: GamePosition) -> None:
    game, hold = game_of(year), order(year, "hold", unit="10")
    assert write_item(game, hold) == "W MHK H"
    assert write_item(game, Filing(order=hold, when=When(turn="F1M"))) == "PHASE F1M: W MHK H"
    tree = unit_of("10")
    assert (
        write_item(game, Filing(order=hold, when=under(None, tree)))
        == "IF NOT Iroquois W 10 THEN W MHK H ENDIF"
    )
    stop = Filing(when=under(on_top("onyx")))
    assert write_item(game_of(solo), stop) == "STOP IF onyx is on top"
