"""The orders that have arrived, those that are missing, and which saved orders count."""

from dataclasses import replace
from typing import Any

import pytest

import games
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import weigh
from adjudicator.turns.bots import GameBots
from adjudicator.turns.gather import (
    DueTurn,
    GatheredOrders,
    WaitingRule,
    gather_orders,
    has_all_orders,
    missing_for_due,
)
from adjudicator.turns.log import RecordingDice
from games.protocol import Bot, Due, Game, Order, OwedOrder, Seat
from games.record import replace_fields
from tests.kit.dice import any_dice
from tests.kit.memory_repository import SECRET, game_of, new_position, with_changed_seat

IROQUOIS, MUSKHOGEAN, PLAYER, BOT = Seat("Iroquois"), Seat("Muskhogean"), Seat("player"), Seat("bot")


@pytest.fixture
def year() -> GamePosition:
    """A game of nations; one of them is a person's."""
    return new_position("indianomacy", people={IROQUOIS: "iroquois@example.net"})


@pytest.fixture
def solo() -> GamePosition:
    """The toy with its player, who holds agate, flint, jasper and marble."""
    position = new_position("cairn", people={PLAYER: "player@example.net"})
    assert position.state.hands[PLAYER] == ("agate", "flint", "jasper", "marble")
    return position


def bots(game: Game) -> GameBots:
    """The bots of a game of that kind, in which nobody writes."""
    return GameBots(game, "demo", SECRET)


def gathered(
    position: GamePosition, filed: tuple[Order, ...] = (), ripe: bool = False
) -> GatheredOrders | None:
    """Return the gathered orders when the game's first player has saved these."""
    game = game_of(position)
    person = next(seat for seat, assignment in position.assignments.items() if assignment.is_person)
    dues = game.rules.due(position.state)
    turn = DueTurn(position.state, dues, {person: filed}, position.assignments)
    return gather_orders(bots(game), turn, WaitingRule(ripe), RecordingDice(any_dice()))


def holds(position: GamePosition, seat: Seat = IROQUOIS) -> tuple[Order, ...]:
    """Everything that a nation owes."""
    game = game_of(position)
    (due,) = [due for due in game.rules.due(position.state) if due.seat == seat]
    return tuple(game.rules.default(position.state, due))


def drop(*pebbles: str) -> tuple[Order, ...]:
    """Orders of the toy, in a queue."""
    notation = games.kinds()["cairn"].notation
    return tuple(notation.build(None, "drop", {"pebble": pebble}) for pebble in pebbles)


def rest() -> Order:
    return games.kinds()["cairn"].notation.build(None, "rest", {})


# Waiting.


def test_a_person_who_wrote_nothing_is_waited_for(year: GamePosition) -> None:
    assert gathered(year) is None


def test_a_person_is_waited_for_while_one_unit_has_no_order(year: GamePosition) -> None:
    assert gathered(year, holds(year)[:-1]) is None


def test_with_all_orders_in_nobody_is_waited_for(year: GamePosition) -> None:
    found = gathered(year, holds(year))
    assert found is not None
    assert found.orders[IROQUOIS] == holds(year)
    assert found.silent == ()


def test_ready_is_enough(year: GamePosition) -> None:
    """Even with missing orders; and the turn doesn't count as missed."""
    ready = with_changed_seat(year, IROQUOIS, ready=True)
    for filed in ((), holds(year)[:1]):
        found = gathered(ready, filed)
        assert found is not None
        assert found.orders[IROQUOIS] == filed
        assert found.silent == ()


def test_wait_says_no_though_all_orders_are_in(year: GamePosition) -> None:
    """Even with READY; the deadline ends it."""
    waiting = with_changed_seat(year, IROQUOIS, wait=True, ready=True)
    assert gathered(waiting, holds(year)) is None
    found = gathered(waiting, holds(year), ripe=True)
    assert found is not None
    assert found.orders[IROQUOIS] == holds(year)


def test_each_person_is_waited_for(year: GamePosition) -> None:
    both = with_changed_seat(year, MUSKHOGEAN, address="muskhogean@example.net")
    assert gathered(year, holds(year)) is not None
    assert gathered(both, holds(year)) is None


# When nobody is waited for any longer.


def test_silence_gets_the_default(year: GamePosition) -> None:
    found = gathered(year, ripe=True)
    assert found is not None
    assert found.orders[IROQUOIS] == holds(year)
    assert found.silent == (IROQUOIS,)


def test_half_of_the_orders_are_not_silence(year: GamePosition) -> None:
    """The sent orders count, and the rules decide about the other units."""
    found = gathered(year, holds(year)[:1], ripe=True)
    assert found is not None
    assert found.orders[IROQUOIS] == holds(year)[:1]
    assert found.silent == ()


def test_bots_answer_for_empty_seats_and_say_why(year: GamePosition) -> None:
    game = game_of(year)
    found = gathered(year, holds(year))
    assert found is not None
    bots = {seat for seat, assignment in year.assignments.items() if not assignment.is_person}
    assert set(found.reasons) == bots
    for seat in bots:
        assert found.orders[seat]
        assert set(found.reasons[seat]) == {game.notation.write(order) for order in found.orders[seat]}


def test_a_bot_throws_under_its_own_labels(solo: GamePosition) -> None:
    game = game_of(solo)
    state = replace_fields(solo.state, number=2)
    dice = RecordingDice(any_dice())
    turn = DueTurn(state, game.rules.due(state), {}, solo.assignments)
    found = gather_orders(bots(game), turn, WaitingRule(ripe=False), dice)
    assert found is not None
    assert [throw.label for throw in dice.throws] == ["bot/bot/drop/2"]


def test_the_level_of_a_bot_is_the_one_of_its_chair(solo: GamePosition) -> None:
    """The first of a game where none is named; another by its name."""
    game = game_of(solo)
    idle = replace(game, bots={**game.bots, "idle": _Idle()})
    state = replace_fields(solo.state, number=2)
    for level, expected in ((None, game.rules.check), ("idle", None)):
        assignments = with_changed_seat(solo, BOT, bot=level).assignments
        turn = DueTurn(state, game.rules.due(state), {}, assignments)
        found = gather_orders(bots(idle), turn, WaitingRule(ripe=False), RecordingDice(any_dice()))
        assert found is not None
        assert (found.orders[BOT] == ()) == (expected is None)


class _Idle(Bot[Any, Any]):
    def orders(self, view: object, due: Due, dice: object) -> tuple[()]:
        return ()


# What counts.


def test_an_order_that_became_unlawful_is_passed_over(year: GamePosition) -> None:
    """Orders for other things count, and the thing it was for is missing again."""
    game = game_of(year)
    (due,) = [due for due in game.rules.due(year.state) if due.seat == IROQUOIS]
    first, *others = holds(year)
    far = game.notation.build(year.state, "move", {"unit": first.unit.at, "to": others[-1].unit.at})
    assert game.rules.check(year.state, IROQUOIS, far) is not None
    filed = (far, *others)
    assert weigh(game, year.state, due, filed).orders == tuple(others)
    assert missing_for_due(due, weigh(game, year.state, due, filed).orders) == (due.owes[0].name,)


def test_an_order_of_another_kind_of_turn_is_left_out(year: GamePosition) -> None:
    game = game_of(year)
    (due,) = [due for due in game.rules.due(year.state) if due.seat == IROQUOIS]
    waive = game.notation.build(year.state, "waive", {})
    assert weigh(game, year.state, due, (waive, *holds(year))).orders == holds(year)


def test_of_a_queue_one_order_is_taken_and_the_rest_stays(solo: GamePosition) -> None:
    found = gathered(solo, drop("jasper", "agate", "marble"))
    assert found is not None
    assert found.orders[PLAYER] == drop("jasper")
    assert found.left[PLAYER] == drop("agate", "marble")


@pytest.mark.parametrize("takes", [2, 3, None])
def test_what_follows_an_unlawful_order_waits_for_it(solo: GamePosition, takes: int | None) -> None:
    """Though more than one order is due."""
    game = game_of(solo)
    (due,) = game.rules.due(solo.state)
    queue = (*drop("agate", "onyx"), rest())
    assert weigh(game, solo.state, replace_fields(due, takes=takes), queue).orders == drop("agate")


def test_an_order_whose_turn_has_not_come_holds_nothing_up(solo: GamePosition) -> None:
    """It may have become possible by then."""
    game = game_of(solo)
    (due,) = game.rules.due(solo.state)
    assert weigh(game, solo.state, due, drop("agate", "onyx")).held == ()
    assert weigh(game, solo.state, due, ()).held == ()


def test_an_unlawful_order_blocks_its_queue(solo: GamePosition) -> None:
    """Later orders were meant to follow it; nothing runs until the player writes again."""
    game = game_of(solo)
    queue = drop("onyx", "agate")
    (due,) = game.rules.due(solo.state)
    assert weigh(game, solo.state, due, queue).orders == ()
    (held,) = weigh(game, solo.state, due, queue).held
    assert held.objection is not None
    assert (held.order, held.objection.code) == (queue[0], "not-in-hand")
    assert not has_all_orders(game, solo.state, due, solo.assignments[PLAYER], queue)
    assert gathered(solo, queue) is None


def test_at_the_deadline_a_blocked_queue_is_kept(solo: GamePosition) -> None:
    """The default is used, though the turn wasn't missed; the queue stays as it is."""
    queue = (*drop("onyx"), rest())
    found = gathered(solo, queue, ripe=True)
    assert found is not None
    assert found.orders[PLAYER] == (rest(),)
    assert found.left[PLAYER] == queue
    assert found.silent == ()


def test_orders_for_things_do_not_outlive_their_turn(year: GamePosition) -> None:
    found = gathered(year, holds(year))
    assert found is not None
    assert found.left[IROQUOIS] == ()


def test_a_seat_may_owe_two_things_at_once(solo: GamePosition) -> None:
    """Each due takes what it accepts, from a person and from a bot; silence is noted once."""
    game = game_of(solo)
    dues = tuple(
        Due(seat=seat, kind=kind, accepts=accepts, takes=1)
        for seat in (PLAYER, BOT)
        for kind, accepts in (("drops", ("Drop",)), ("rests", ("Rest",)))
    )
    filed = {PLAYER: (*drop("agate", "flint"), rest())}
    twice = replace(game, bots={"lazy": _Lazy()})
    turn = DueTurn(solo.state, dues, filed, solo.assignments)
    found = gather_orders(bots(twice), turn, WaitingRule(ripe=False), RecordingDice(any_dice()))
    assert found is not None
    assert found.orders[PLAYER] == (*drop("agate"), rest())
    assert found.left[PLAYER] == drop("flint")
    assert found.orders[BOT] == (rest(), rest())
    mute = DueTurn(solo.state, dues, {}, solo.assignments)
    silent = gather_orders(bots(twice), mute, WaitingRule(ripe=True), RecordingDice(any_dice()))
    assert silent is not None
    assert silent.silent == (PLAYER,)


class _Lazy(Bot[Any, Any]):
    def orders(self, view: object, due: Due, dice: object) -> tuple[object, ...]:
        game: Game = games.kinds()["cairn"]
        return (_Choice(game.rules.default(None, due)[0]),)


class _Choice:
    def __init__(self, order: Order) -> None:
        self.order = order
        self.reason = "it is lazy"


# What is missing, in words.


def test_missing_names_what_is_owed() -> None:
    due = Due(
        seat=PLAYER,
        kind="moves",
        accepts=("Drop",),
        owes=(OwedOrder(slot="a", name="the first"), OwedOrder(slot="b", name="the second")),
    )
    assert missing_for_due(due, ()) == ("the first", "the second")
    several = replace_fields(due, takes=2, owes=())
    assert missing_for_due(several, ()) == ("2 more orders for moves",)
    assert missing_for_due(several, drop("agate")) == ("1 more order for moves",)
    assert missing_for_due(several, drop("agate", "flint", "jasper")) == ()
