"""What a gamesmaster does to a game's time: its terms, a turn's deadline, holding and pausing.

Each changes the books, notes who did it and why in the game's minutes, and tells everybody who plays, in one
transaction. Each raises Refusal for what cannot be done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import games
from adjudicator.clock import Millis, spoken
from adjudicator.errors import Overtaken, Refusal
from adjudicator.gamesmaster import forums
from adjudicator.gamesmaster.conduct import position_of
from adjudicator.house import House
from adjudicator.ledger.hours import Stop
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import AnyDeed, SetCustoms
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Customs
from adjudicator.ledger.solitude import is_solo
from adjudicator.referee.calendar import calendar_of, zone_named
from adjudicator.reports import times
from adjudicator.reports.times import Words
from adjudicator.secretary.threads import Threads
from adjudicator.secretary.timers import set_going, stood_still, turn_of
from adjudicator.settings.terms import (
    EARLY,
    MEANINGS,
    customs_of,
    customs_written,
    length_text,
    sorted_out,
    terms_of,
    written,
    yes_or_no,
)
from adjudicator.store import clocks
from adjudicator.store.acts import Entailed
from adjudicator.store.clocks import Minute

ATTEMPTS = 5
"""So often something is begun again when a letter or a turn comes in between."""

LEAST: Millis = 24 * 3_600_000
"""So much time there is at the least when a game goes on; less only where its turns are shorter."""


@dataclass(frozen=True)
class Measure:
    """What a gamesmaster does: the game as it is then, what the minutes say, what people are told, if at all.

    name: what it is called among the letters of the game; letters: that go out besides; deeds: what is done
    in the books of people.
    """

    after: Position
    name: str
    what: str
    told: tuple[str, Words] | None = None
    letters: tuple[Sealed, ...] = ()
    deeds: tuple[AnyDeed, ...] = ()


def terms(house: House, position: Position) -> dict[str, str]:
    """The terms of a game by their keys, as people write them."""
    return _written(position, house.books.society.customs(position.name))


def set_terms(house: House, name: str, given: Mapping[str, str], why: str) -> Position:
    """Change terms. They count at once, but the deadline of the present turn stays where it is."""
    times_said, customs_said, early_said = sorted_out(given)

    def measure(position: Position, now: Millis) -> Measure:
        before = house.books.society.customs(name)
        customs = customs_of(customs_said, before)
        early = position.early if early_said is None else early_said
        after = replace(position, deadlines=terms_of(times_said, position.deadlines), early=early)
        had = _written(position, before)
        new = {key: text for key, text in _written(after, customs).items() if text != had[key]}
        if not new:
            raise Refusal(f"game {name}", "has these terms already", f"gm game terms {name}  shows them all")
        what = "terms: " + ", ".join(f"{key}={text}" for key, text in new.items())
        deeds = (SetCustoms(by=house.hand, why=why, game=name, customs=customs),) if customs != before else ()
        told = times.agreed({MEANINGS[key]: f"{key}={text}" for key, text in new.items()}, why)
        moved = any(key in new for key in ("forum", "orders", "posters"))
        forums.check(house.office, games.kinds()[position.kind], customs)
        letters = Threads(house.writer, now).moved(after, customs) if moved else []
        return Measure(after, "terms", what, told, tuple(letters), deeds)

    return _take(house, name, why, measure)


def _written(position: Position, customs: Customs) -> dict[str, str]:
    early = {EARLY: yes_or_no(position.early)}
    return {**written(position.deadlines), **early, **customs_written(customs)}


def set_deadline(
    house: House, name: str, at: Millis, why: str, *, earlier: bool = False, any_day: bool = False
) -> Position:
    """Give the present turn another deadline; absences no longer move it. A turn that was held goes on.

    earlier: whether it may be earlier than it was; any_day: whether it may fall on a day that does not count.
    """

    def measure(position: Position, now: Millis) -> Measure:
        zone = zone_named(position.deadlines.zone)
        _not_paused(position)
        _has_clock(position)
        if at <= now:
            raise Refusal(
                f"deadline {spoken(at, zone)}",
                "is over already",
                f"gm turn process {name}  plays the turn now",
            )
        before = position.deadline
        if before is not None and at < before and not earlier:
            relied = f"is earlier than {spoken(before, zone)}, on which people rely"
            raise Refusal(f"deadline {spoken(at, zone)}", relied, "say  --earlier  if it is meant")
        calendar = calendar_of(position.deadlines)
        if not calendar.counts_at(at) and not any_day:
            better = spoken(calendar.settled(at), zone)
            raise Refusal(
                f"deadline {spoken(at, zone)}",
                "falls on a day that does not count",
                f"take {better}, or say  --any-day  if it is meant",
            )
        return _moved(set_going(position, at, now, by_hand=True), why, f"deadline {spoken(at, zone)}")

    return _take(house, name, why, measure)


def extend(house: House, name: str, length: Millis, why: str) -> Position:
    """Give the present turn so much more time, counted on days that count. A turn that was held goes on."""

    def measure(position: Position, now: Millis) -> Measure:
        _not_paused(position)
        _has_clock(position)
        stop = position.timing.stop
        start = max(now, position.deadline or 0)
        if stop is not None:
            start += stop.left
        at = calendar_of(position.deadlines).due(start, length)
        return _moved(set_going(position, at, now), why, f"deadline put off by {length_text(length)}")

    return _take(house, name, why, measure)


def hold(house: House, name: str, why: str) -> Position:
    """Keep the present turn from being played, by its deadline or earlier, until it is let go on."""
    return _stop(house, name, why, "hold")


def pause(house: House, name: str, why: str) -> Position:
    """Stop the clock of a game until it is resumed; what is left of the turn's time is kept."""
    return _stop(house, name, why, "pause")


def go_on(house: House, name: str, why: str) -> Position:
    """Let a game go on that was paused, or a turn that is held: with the time that was left, or a day.

    One whose log comes out otherwise goes on from where it stands, if it is said why.
    """
    found = position_of(house, name)
    if found.is_deaf and not why:
        raise Refusal(
            f"game {name}", "is held, since its log does not hold", "say why it is to go on:  --why"
        )
    if found.is_deaf:
        now, what = house.clock.now(), "let go on, though its log does not hold"
        house.stuck_games.let_go(found, now)
        with house.database.writing():
            clocks.note(house.database, Minute(game=name, at=now, by=house.hand, what=what, why=why))
        return position_of(house, name)

    def measure(position: Position, now: Millis) -> Measure:
        stop = position.timing.stop
        if stop is None:
            raise Refusal(f"game {name}", "is neither paused nor held")
        turn = turn_of(position)
        left = max(stop.left, min(LEAST, position.deadlines.length(turn.kind)))
        at = calendar_of(position.deadlines).settled(now + left)
        after = set_going(position, at, now)
        told = times.resumed(turn, after.deadline, why)
        what = "resumed" if stop.kind == "pause" else f"{turn.short}: let go on"
        return Measure(after, "resumed", what, told)

    return _take(house, name, why, measure)


def go_on_all(house: House, why: str) -> tuple[Position, ...]:
    """Let every game go on that a restore has stopped, and that nobody has let go on or stopped since."""
    stopped = []
    for name in house.books.running():
        position, mark = house.books.position(name), house.books.restore_mark(name)
        stop = None if position is None else position.timing.stop
        if stop is not None and mark is not None and stop.since == mark.stopped:
            stopped.append(name)
    if not stopped:
        raise Refusal(
            "--all", "no game is stopped by a restore", "gm game resume NAME  lets another one go on"
        )
    return tuple(go_on(house, name, why) for name in stopped)


def _stop(house: House, name: str, why: str, kind: Literal["pause", "hold"]) -> Position:
    def measure(position: Position, now: Millis) -> Measure:
        before = position.timing.stop
        if before is not None and (before.kind == kind or before.kind == "pause"):
            already = "paused" if before.kind == "pause" else "held"
            raise Refusal(f"game {name}", f"is {already} already", f"gm game resume {name}  lets it go on")
        left = before.left if before else max(0, (position.deadline or now) - now)
        stop = Stop(kind=kind, since=now, left=left, by=house.hand, why=why)
        turn = turn_of(position)
        what = "paused" if kind == "pause" else f"{turn.short}: held"
        return Measure(stood_still(position, stop), kind, what, times.stopped(turn, stop))

    return _take(house, name, why, measure)


def _take(house: House, name: str, why: str, decide: Callable[[Position, Millis], Measure]) -> Position:
    """Carry out what is decided on the game as it stands; if that changes meanwhile, decide again."""
    for _ in range(ATTEMPTS):
        position, now = position_of(house, name), house.clock.now()
        if not position.running:
            raise Refusal(f"game {name}", "the game is over")
        done = decide(position, now)
        sealed = house.timers.tell(done.after, done.name, done.told, now) if done.told else []
        entailed = Entailed(now, [*sealed, *done.letters], done.deeds)
        minute = Minute(game=name, at=now, by=house.hand, what=done.what, why=why)
        try:
            clocks.change(house.database, position, done.after, minute, entailed)
        except Overtaken:
            continue
        return position_of(house, name)
    raise Refusal(f"game {name}", "is changed by others all the time", "try again")


def _not_paused(position: Position) -> None:
    stop = position.timing.stop
    if stop is not None and stop.kind == "pause":
        name = position.name
        raise Refusal(f"game {name}", "is paused", f"gm game resume {name}  lets it go on")


def _has_clock(position: Position) -> None:
    if is_solo(position):
        name = position.name
        raise Refusal(
            f"game {name}",
            "is played by one person, for whom it waits without a deadline",
            f"gm game terms {name} solo=clock  gives it a clock",
        )


def _moved(after: Position, why: str, what: str) -> Measure:
    assert after.deadline is not None, "it was just set"
    turn = turn_of(after)
    return Measure(after, "moved", f"{turn.short}: {what}", times.moved(turn, after.deadline, why))
