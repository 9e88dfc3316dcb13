"""The history for bots that use it: public events, and no more than they need."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import games
from adjudicator.model.games import (
    AnyOverride,
    DieForced,
    GamePosition,
    LogEntry,
    PlayedTurn,
    RolledBack,
    is_counted,
)
from adjudicator.turns.log import EntryOrigin, override_entry, set_up
from adjudicator.turns.runner import (
    Log,
    TurnBackground,
    play_turns,
    position_after,
    public_turn,
    recent_turns,
)
from games.dice import Dice
from games.protocol import Bot, Choice, Due, Game, PastTurn
from games.record import canonical, replace_fields
from tests.kit.memory_repository import NOON, SECRET, new_position

STANDARD = games.kinds()["standard"]
KEPT = 3


@dataclass(frozen=True)
class Watcher(Bot[Any, Any]):
    """A bot that orders nothing, and notes what it is shown."""

    shown: list[tuple[PastTurn, ...]]
    looks_back: int = KEPT

    def orders(self, view: object, due: Due, dice: Dice) -> tuple[Choice[object], ...]:
        return ()

    def with_history(self, past: tuple[PastTurn, ...]) -> "Watcher":
        self.shown.append(past)
        return self


@dataclass
class Table:
    """A game of watchers, played a turn at a time, with its log."""

    game: Game
    position: GamePosition
    log: list[tuple[LogEntry, bytes]]
    shown: list[tuple[PastTurn, ...]]
    asked: list[int] = field(default_factory=list)

    def latest(self, count: int) -> Log:
        self.asked.append(count)
        return self.log[-count:]

    def by_hand(self, what: AnyOverride) -> None:
        """Something done by hand that leaves the state as it was after the entry it names, or as it is."""
        data = self.log[what.to if isinstance(what, RolledBack) else -1][1]
        state = self.game.state_from(data)
        entry = override_entry(self.game, what, state, EntryOrigin.next_of(self.position, NOON, "gm"))
        self.log.append((entry, data))
        here = self.position
        counted = here.by_hand + (not is_counted(entry.kind))
        self.position = replace(
            here, state=state, entries=here.entries + 1, by_hand=counted, head_sha=entry.sha
        )

    def play(self) -> None:
        self.shown.clear()
        past = recent_turns(self.game, self.position, self.latest)
        done = play_turns(self.game, self.position, NOON, ripe=True, background=TurnBackground(past=past))
        assert done is not None
        self.log += [(step.entry, canonical(step.after)) for step in done.steps]
        self.position = position_after(self.position, done)

    def seen(self) -> list[str]:
        """The turns that every bot was shown, by their short names."""
        first, *others = self.shown
        assert all(one == first for one in others)
        return [past.turn.short for past in first]


@pytest.fixture
def table() -> Table:
    shown: list[tuple[PastTurn, ...]] = []
    game = replace(STANDARD, bots={"watcher": Watcher(shown)})
    position = new_position("standard", people={})
    entry, state = set_up(game, position.name, position.options, SECRET, EntryOrigin.first(NOON))
    return Table(game, position, [(entry, canonical(state))], shown)


def test_they_are_the_last_ones_oldest_first(table: Table) -> None:
    table.play()
    assert table.shown == [], "before the first turn there is nothing to show"
    seen = []
    for _ in range(4):
        table.play()
        seen.append(table.seen())
    assert seen == [
        ["S1901M"],
        ["S1901M", "F1901M"],
        ["S1901M", "F1901M", "S1902M"],
        ["F1901M", "S1902M", "F1902M"],
    ]


def test_they_tell_what_was_ordered_from_where(table: Table) -> None:
    opening = table.position.state
    table.play()
    (past,) = recent_turns(table.game, table.position, table.latest)
    assert (past.before, past.after) == (opening, table.position.state)
    assert len(past.events) == 22, "one for each unit"


def test_what_was_rolled_back_was_never_seen(table: Table) -> None:
    for _ in range(3):
        table.play()
    table.by_hand(RolledBack(to=1))
    table.play()
    assert table.seen() == ["S1901M"]


def test_of_a_long_log_the_end_alone_is_read(table: Table) -> None:
    """One entry more than turns are shown, and more only where others stand among them."""
    for _ in range(3 * KEPT):
        table.play()
    table.asked.clear()
    table.play()
    assert table.asked == [KEPT + 1]
    last = recent_turns(table.game, table.position, table.latest)
    for _ in range(KEPT):
        table.by_hand(DieForced(label="die", numbers=(1,)))
        table.asked.clear()
        assert recent_turns(table.game, table.position, table.latest) == last
        assert table.asked == [KEPT + 1, 2 * (KEPT + 1)]


def test_dice_fall_again_as_they_fell_though_what_lies_before_is_not_read() -> None:
    plains = games.kinds()["plains-indian-wars"]
    position = new_position("plains-indian-wars", people={})
    entry, state = set_up(plains, position.name, position.options, SECRET, EntryOrigin.first(NOON))
    watched = replace(plains, bots={"watcher": Watcher([])})
    table = Table(plains, position, [(entry, canonical(state))], [])
    table.by_hand(DieForced(label="none such", numbers=(1,)))
    steps: list[PlayedTurn] = []
    for _ in range(2 * KEPT):
        done = play_turns(plains, table.position, NOON, ripe=True)
        assert done is not None
        steps += done.steps
        table.log += [(step.entry, canonical(step.after)) for step in done.steps]
        table.position = position_after(table.position, done)
        past = [public_turn(plains, step.before, step.after, step.events) for step in steps[-KEPT:]]
        assert recent_turns(watched, table.position, table.latest) == tuple(past)


def test_turns_that_are_played_at_a_stretch_are_seen_too(table: Table) -> None:
    """A person who owns a centre has nothing to order: bots play on, and each turn sees those before it."""
    alone = next(iter(new_position("standard").assignments))
    person = new_position("standard", people={alone: "a@example.org"}).assignments[alone]
    centres = {"Italy": ["Rome"], alone: ["Spain"]}
    state = table.game.whatif.position(
        {"phase": "S1901M", "units": {"Italy": ["A Rome"]}, "centres": centres}
    )
    assignments = {**table.position.assignments, alone: person}
    position = replace(table.position, state=state, assignments=assignments)
    done = play_turns(table.game, position, NOON, ripe=True)
    assert done is not None
    assert len(done.steps) > KEPT + 1
    assert [past.turn.short for past in table.shown[-1]] == [step.turn.short for step in done.steps[-4:-1]]


def test_the_log_stays_closed_where_no_bot_looks_back() -> None:
    def log(count: int) -> Log:
        raise AssertionError("nobody needs it")

    assert recent_turns(STANDARD, new_position("standard", people={}), log) == ()
    shown: list[tuple[PastTurn, ...]] = []
    game = replace(STANDARD, bots={"first": STANDARD.bots["beginner"], "watcher": Watcher(shown)})
    assert recent_turns(game, new_position("standard", people={}), log) == (), (
        "there is one, but it plays no seat"
    )


def test_what_only_some_may_know_is_left_out(table: Table) -> None:
    table.play()
    (past,) = recent_turns(table.game, table.position, table.latest)
    event = past.events[0]
    secret = replace_fields(event, seen_by=frozenset({"France"}))
    told = public_turn(table.game, past.before, past.after, (event, secret))
    assert told.events == (event,)
