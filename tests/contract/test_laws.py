"""The five laws of `games.protocol`, for every kind of game."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.pipeline import parse_context
from adjudicator.model.games import DiceRoll
from adjudicator.turns.log import RecordingDice, orders_of, replay
from games.dice import LabelledDice, SealedDice
from games.options import settle
from games.protocol import Event, Game, Order, Seat
from games.record import canonical, load, plain, replace_fields, revive
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from tests.kit.campaign import Campaign, campaign, every_kind, options_for, wander
from tests.kit.memory_repository import SECRET

KINDS = every_kind()
WANDERINGS, MOST_WANDERINGS, SOAKED = 2, 12, 30
"""So many games in which anything lawful is done; more where some sort of order was not hit upon."""
FIRST = 10
"""The lots of the first of them: one in which a rare order of the Boer War is hit upon."""

pytestmark = pytest.mark.parametrize("kind", KINDS)


def dice_of(played: Campaign, number: int) -> RecordingDice:
    return RecordingDice(SealedDice(SECRET, played.start.name, number))


@cache
def wanderings(kind: str, fewest: int = WANDERINGS) -> tuple[tuple[Any, ...], ...]:
    game = games.kinds()[kind]
    settled = settle(game.about.options, options_for(game))
    turns: list[Any] = []
    for number in range(max(fewest, MOST_WANDERINGS)):
        turns += wander(game, settled, FIRST + number)
        if number + 1 >= fewest and sorts_given(turns) == sorts_due(game, turns):
            break
    return tuple(turns)


def sorts_given(turns: Sequence[Any]) -> set[str]:
    """The types of the orders that were given."""
    return {type(order).__name__ for _, orders, _, _ in turns for some in orders.values() for order in some}


def sorts_due(game: Game, turns: Sequence[Any]) -> set[str]:
    """The types of the orders that were ever due."""
    return {name for state, *_ in turns for due in game.rules.due(state) for name in due.accepts}


# Law 1.


def test_the_same_inputs_give_the_same_bytes(kind: str) -> None:
    """State, orders and dice decide; the order in which seats are listed does not."""
    played = campaign(kind)
    lot = random.Random(1)
    for step in played.steps:
        orders = list(orders_of(played.game, step.entry).items())
        lot.shuffle(orders)
        before = load(played.game.state_type, canonical(step.before))
        again = played.game.rules.adjudicate(before, dict(orders), dice_of(played, step.entry.number))
        assert canonical(again.state) == canonical(step.after)
        assert [canonical(event) for event in again.events] == [canonical(event) for event in step.events]


def test_a_set_up_is_decided_by_options_and_dice(kind: str) -> None:
    """Two games of the same name and secret begin alike."""
    played = campaign(kind)
    again = played.game.rules.setup(played.start.options, dice_of(played, 0))
    assert canonical(again.state) == canonical(played.start.state)


def test_a_log_is_played_again_byte_for_byte(kind: str) -> None:
    """`turns.log.replay` gives the same states from the inputs alone."""
    played = campaign(kind)
    again = replay(played.game, played.start.name, SECRET, played.log)
    assert again.fault is None
    assert again.states == tuple(canonical(state) for state in played.states)


def test_nothing_that_is_asked_changes_the_state(kind: str) -> None:
    """All questions together leave the state's bytes alone."""
    played = campaign(kind)
    rules = played.game.rules
    for state in played.states:
        before = canonical(state)
        for due in rules.due(state):
            view = rules.view(state, due.seat)
            orders = rules.default(state, due)
            rules.concerns(view, due.seat, orders)
            played.game.telling.tables(view)
        rules.result(state), rules.turn(state)
        assert canonical(state) == before


# Law 2.


def test_somebody_owes_orders_until_there_is_a_result(kind: str) -> None:
    """In the bots' game and in games with random legal orders."""
    played = campaign(kind)
    rules = played.game.rules
    wandered = [after for _, _, _, after in wanderings(kind)]
    for state in (*played.states, *wandered):
        assert bool(rules.due(state)) == (rules.result(state) is None)
    assert rules.result(played.states[-1]) is not None


def test_anything_lawful_comes_to_an_end(kind: str) -> None:
    """Random lawful play ends, and tries each sort of order that was ever due."""
    game = campaign(kind).game
    turns = wanderings(kind)
    assert sorts_given(turns) == sorts_due(game, turns)
    assert sum(game.rules.result(after) is not None for _, _, _, after in turns) >= WANDERINGS
    assert game.rules.result(turns[-1][-1]) is not None


@pytest.mark.soak
def test_anything_lawful_comes_to_an_end_and_is_read_in_many_games(kind: str) -> None:
    """Somebody owes orders until then."""
    played = campaign(kind)
    rules = played.game.rules
    turns = wanderings(kind, SOAKED)
    assert sum(rules.result(after) is not None for _, _, _, after in turns) >= SOAKED
    for state, given, _, after in turns:
        assert bool(rules.due(after)) == (rules.result(after) is None)
        for seat, orders in given.items():
            assert_read(played, state, seat, orders)


def test_silence_comes_to_an_end(kind: str) -> None:
    """So does a game without any emails."""
    game = campaign(kind).game
    state = campaign(kind).start.state
    for number in range(1, 2000):
        if not (dues := game.rules.due(state)):
            break
        orders = {due.seat: game.rules.default(state, due) for due in dues}
        state = game.rules.adjudicate(state, orders, RecordingDice(SealedDice(b"s", "g", number))).state
    assert game.rules.result(state) is not None


def test_a_turn_has_one_name(kind: str) -> None:
    """No two turns of a game have the same short name: reply tokens are for one turn."""
    played = campaign(kind)
    names = [played.game.rules.turn(step.before).short for step in played.steps]
    assert len(set(names)) == len(names)


def test_only_seats_of_the_game_owe_orders(kind: str) -> None:
    """Each decision is due once, and the defaults can answer it."""
    played = campaign(kind)
    game, seats = played.game, set(played.start.assignments)
    for state in played.states:
        dues = game.rules.due(state)
        accepted = [(due.seat, name) for due in dues for name in due.accepts]
        assert len(set(accepted)) == len(accepted)
        for due in dues:
            assert due.seat in seats
            slots = [owed.slot for owed in due.owes]
            assert len(set(slots)) == len(slots)
            defaults = game.rules.default(state, due)
            view = game.rules.view(state, due.seat)
            assert all(game.rules.check(view, due.seat, order) is None for order in defaults)
            assert all(type(order).__name__ in due.accepts for order in defaults)
            if due.takes is None:
                assert [order.slot for order in defaults] == slots
            else:
                assert len(defaults) <= due.takes


# Law 3.


def test_what_was_written_is_read_back(kind: str) -> None:
    """States, orders and events, as bytes and as plain values."""
    played = campaign(kind)
    game = played.game
    for state in played.states:
        assert load(game.state_type, canonical(state)) == state
        assert revive(game.state_type, plain(state)) == state
    for step in played.steps:
        for order in all_orders(game, step.entry):
            assert load(game.order_type, canonical(order)) == order
        for event in step.events:
            assert load(game.event_type, canonical(event)) == event


# Law 4.


def test_an_order_that_was_written_is_taken_as_it_was_meant(kind: str) -> None:
    """Every order that a bot ever gave, read in the letter of its seat: no more, no less, graded taken."""
    played = campaign(kind)
    for step in played.steps:
        for seat, orders in orders_of(played.game, step.entry).items():
            assert_read(played, step.before, seat, orders)


def test_any_lawful_order_is_taken_as_it_was_meant(kind: str) -> None:
    """Orders that no bot would give are read as well."""
    played = campaign(kind)
    for state, given, _, _ in wanderings(kind):
        for seat, orders in given.items():
            assert_read(played, state, seat, orders)


def assert_read(played: Campaign, state: Any, seat: Seat, orders: Sequence[Order]) -> None:
    """Each order, a line each in one letter, is read as itself."""
    written = [played.game.notation.write(order) for order in orders]
    seated = AuthenticatedSeat(replace(played.start, state=state), seat, "token")
    lines = tuple(FreshLine(text=text, after_gap=False) for text in written)
    reading = read_lines(lines, parse_context(played.game, seated))
    assert [row.said for row in reading.orders] == written
    assert [row.order for row in reading.orders] == list(orders)
    assert {row.grade for row in reading.orders} <= {"taken"}
    assert reading.commands == ()


def test_every_example_of_a_form_can_be_read(kind: str) -> None:
    """Each form's example has that form."""
    played = campaign(kind)
    state = played.start.state
    seat = next(iter(played.start.assignments))
    book = parse_context(played.game, AuthenticatedSeat(played.start, seat, "token"))
    view = played.game.rules.view(state, seat)
    assert played.game.notation.lexicon(view) == book.lexicon
    for form in played.game.notation.forms:
        rows = read_lines((FreshLine(text=form.example),), book).orders
        assert [row.grade for row in rows] == ["taken"], form.example


# Law 5.


def test_a_view_of_a_view_is_that_view(kind: str) -> None:
    """For each seat and for spectators."""
    for state, viewer, view in views(campaign(kind)):
        again = campaign(kind).game.rules.view(view, viewer)
        assert canonical(again) == canonical(view), (state, viewer)


def test_a_view_suffices_for_whoever_decides(kind: str) -> None:
    """The bot orders the same from its view, and what is lawful in the state is lawful in the view."""
    played = campaign(kind)
    game = played.game
    for step in played.steps:
        for due in game.rules.due(step.before):
            view = game.rules.view(step.before, due.seat)
            bot = game.bots[next(iter(game.bots))]
            dice = dice_of(played, step.entry.number)
            choices = bot.orders(game.rules.view(view, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/"))
            assert tuple(c.order for c in choices) == orders_of(game, step.entry)[due.seat]
            for choice in choices:
                assert game.rules.check(view, due.seat, choice.order) is None
                assert game.rules.check(step.before, due.seat, choice.order) is None


def test_a_bot_says_all_that_is_due_and_why(kind: str) -> None:
    """Its orders are lawful, complete, and each has a reason."""
    played = campaign(kind)
    game = played.game
    for step in played.steps:
        for due in game.rules.due(step.before):
            orders = orders_of(game, step.entry)[due.seat]
            reasons = step.entry.reasons[due.seat]
            assert set(reasons) == {game.notation.write(order) for order in orders}
            assert all(reasons.values())
            if due.takes is None:
                # Orders of other slots may stand beside: a canoe destroyed, the rest of a plan.
                assert {order.slot for order in orders} >= {owed.slot for owed in due.owes}
            else:
                # Orders for certain things are free beside those that are wanted: SP left behind on a march.
                assert due.takes in (len(orders), sum(order.slot is None for order in orders))


def test_a_view_hides_all_that_it_hides(kind: str) -> None:
    """Two states that differ only where a view hides something look the same; an open game hides nothing."""
    played = campaign(kind)
    game = played.game
    shuffled = 0
    for state, viewer, view in views(played):
        hidden = hidden_paths(plain(state), plain(view))
        assert game.about.hidden or not hidden
        other = revive(game.state_type, exchanged(plain(state), hidden))
        shuffled += canonical(other) != canonical(state)
        assert canonical(game.rules.view(other, viewer)) == canonical(view)
    assert bool(shuffled) == game.about.hidden


def test_events_for_some_eyes_only_are_those_of_hidden_games(kind: str) -> None:
    """They are for seats of the game, and a game has them exactly when it hides something."""
    played = campaign(kind)
    game = played.game
    private = [event for step in played.steps for event in step.events if event.seen_by is not None]
    assert bool(private) == game.about.hidden
    for event in private:
        assert event.seen_by <= set(played.start.assignments)


def test_every_event_can_be_told_to_whoever_sees_it(kind: str) -> None:
    """In one sentence at most, to each seat and to spectators; and so can every turn as a whole."""
    played = campaign(kind)
    viewers: tuple[Seat | None, ...] = (*played.start.assignments, None)
    for step in played.steps:
        for viewer in viewers:
            seen = [event for event in step.events if event.seen_by is None or viewer in event.seen_by]
            assert played.game.telling.headline(seen)
            for event in seen:
                assert_told(played.game, event, viewer)


def assert_told(game: Game, event: Event, viewer: Seat | None) -> None:
    """A line has a heading and a sentence, or there is none."""
    line = game.telling.tell(event, viewer)
    if line is not None:
        assert line.heading.strip()
        assert line.text.strip()
        assert "\n" not in line.text


def test_a_kind_is_found_by_its_name_and_its_aliases(kind: str) -> None:
    """Its seats are known before there is a state."""
    game = games.kinds()[kind]
    assert game.about.kind == kind
    assert all(games.find(name) is game for name in (kind, kind.upper(), *game.about.aliases))
    settled = settle(game.about.options, {})
    assert len(set(game.about.seats(settled))) == len(game.about.seats(settled)) > 0
    assert game.bots


def views(played: Campaign) -> list[tuple[Any, Seat | None, Any]]:
    """(state, viewer, view) for each state and each pair of eyes."""
    viewers: tuple[Seat | None, ...] = (*played.start.assignments, None)
    return [
        (state, viewer, played.game.rules.view(state, viewer))
        for state in played.states
        for viewer in viewers
    ]


def all_orders(game: Game, entry: Any) -> list[Order]:
    """The orders of all seats of an entry."""
    return [order for orders in orders_of(game, entry).values() for order in orders]


Path = tuple[str | int, ...]
SEQUENCE = (list, tuple)


def hidden_paths(whole: Any, seen: Any, path: Path = ()) -> list[Path]:
    """Return the places where a plain value and its view differ: the leaves, or whole branches of another
    shape.
    """
    if isinstance(whole, dict) and isinstance(seen, dict) and whole.keys() == seen.keys():
        return [p for key in whole for p in hidden_paths(whole[key], seen[key], (*path, key))]
    if isinstance(whole, SEQUENCE) and isinstance(seen, SEQUENCE) and len(whole) == len(seen):
        return [p for n in range(len(whole)) for p in hidden_paths(whole[n], seen[n], (*path, n))]
    return [] if whole == seen else [path]


def exchanged(whole: Any, paths: Sequence[Path]) -> Any:
    """The plain value with the values in these places turned round among those of one type."""
    by_type: dict[type, list[Path]] = {}
    for path in paths:
        by_type.setdefault(type(_at(whole, path)), []).append(path)
    for some in by_type.values():
        values = [_at(whole, path) for path in some]
        for path, value in zip(some, [*values[1:], *values[:1]], strict=True):
            whole = _with(whole, path, value)
    return whole


def _at(whole: Any, path: Path) -> Any:
    for key in path:
        whole = whole[key]
    return whole


def _with(whole: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    copy = dict(whole) if isinstance(whole, dict) else list(whole)
    copy[path[0]] = _with(whole[path[0]], path[1:], value)
    return copy


def test_a_changed_byte_of_the_log_is_noticed(kind: str) -> None:
    """Anywhere: in an order, in a roll, in a state, in the chain."""
    played = campaign(kind)
    log = list(played.log)
    for place in (0, 1, len(log) // 2, len(log) - 1):
        entry, state = log[place]
        for forged in (
            (replace_fields(entry, by="somebody"), state),
            (replace_fields(entry, at=entry.at + 1), state),
            (replace_fields(entry, orders={**entry.orders, "nobody": []}), state),
            (
                replace_fields(entry, throws=(*entry.throws, DiceRoll(label="x", sides=6, numbers=(1,)))),
                state,
            ),
            (replace_fields(entry, state_sha="0" * 64), state),
            (entry, bytes([state[0] ^ 1]) + state[1:]),
        ):
            tampered = [*log[:place], forged, *log[place + 1 :]]
            found = replay(played.game, played.start.name, SECRET, tampered, played.log[-1][0].sha)
            assert found.fault is not None
            assert found.agreed in (place, place + 1)
