"""The one loop that plays games: gather, adjudicate, log, until a person is waited for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from adjudicator.clock import Millis
from adjudicator.ledger.filed_orders import Item, Untaken, played_out, slot_of, turn_of
from adjudicator.ledger.hours import Timing
from adjudicator.ledger.positions import Chair, Entry, Played, Position, Step
from adjudicator.ledger.society import Press
from adjudicator.ledger.solitude import is_in_play, is_solo, resting
from adjudicator.referee.bots import Bots
from adjudicator.referee.deadlines import away, goes_on, heeded, next_deadline
from adjudicator.referee.gather import DueTurn, Patience, gather
from adjudicator.referee.lately import witnessed
from adjudicator.referee.log import Link, turn_entry
from adjudicator.referee.recorded_dice import RecordingDice, waiting
from games.dice import SealedDice
from games.protocol import Due, Game, Seat, State
from games.protocol.optional import Past, Planned
from games.record import changed

STRETCH = 50
"""Turns that bots alone may play at a stretch; a game without an end cannot hold the service up."""


def play(
    game: Game,
    position: Position,
    now: Millis,
    ripe: bool,
    by: str = "clock",
    press: Sequence[Press] = (),
    past: Sequence[Past] = (),
    awaited: Collection[str] = (),
) -> Played | None:
    """What one deadline, or one letter, sets in motion; None if a person is waited for.

    ripe: the deadline is over (or the gamesmaster will not wait), so the first turn is played in any case.
    press: all that was written in the game, for its bots know what they agreed to; past: its last turns, as
    `lately` tells them, for those who look back. awaited: the short names of turns for which letters are kept
    that are read before they are played.
    Turns in which only bots owe orders follow at once, as long as some person is in play: else there is one a
    deadline, and nobody finds centuries in his mail.
    """
    state = position.state
    filed: Mapping[Seat, tuple[Item, ...]] = position.filed
    chairs = position.chairs
    steps: list[Step] = []
    head, gone = position.head_sha, away(position, now)
    lapses, forced = position.timing.lapses, position.forced
    bots = Bots(game, position.name, position.secret, press, past)
    looking = bots.looks_back(chairs.values()) > 0
    patience = Patience(ripe, away=gone, bots_help=position.deadlines.nmr == "bot")
    while dues := game.rules.due(state):
        people = any(chairs[due.seat].is_person for due in dues)
        if steps and not people and (len(steps) >= STRETCH or not is_in_play(game, state, chairs)):
            break
        if steps and people and awaited and game.rules.turn(state).short in awaited:
            break
        number = position.entries + len(steps)
        dice = RecordingDice(SealedDice(position.secret, position.name, position.cast + len(steps)), forced)
        gathered = gather(bots, DueTurn(state, dues, filed, chairs), patience, dice)
        if gathered is None:
            break
        turn = game.rules.turn(state)
        outcome = game.rules.adjudicate(state, gathered.orders, dice)
        link = Link(number, head, at=now, by=by, pepper=position.pepper)
        entry = turn_entry(link, turn, gathered, dice, outcome.state)
        dropped = _left_over(game, state, outcome.state, {**filed, **gathered.left})
        steps.append(
            Step(
                entry=entry,
                turn=turn,
                before=state,
                after=outcome.state,
                events=outcome.events,
                passed=gathered.passed,
                dropped=dropped,
            )
        )
        if looking:
            bots = changed(bots, past=(*bots.past, witnessed(game, state, outcome.state, outcome.events)))
        lapses = _lapses(lapses, entry, chairs, gone)
        state, head, patience = outcome.state, entry.sha, changed(patience, ripe=False)
        forced = waiting(forced, entry.throws)
        filed = {
            seat: played_out(
                _still_to_come(game, state, tuple(one for one in items if one not in dropped.get(seat, ())))
            )
            for seat, items in {**filed, **gathered.left}.items()
        }
        # What was said of WAIT and READY was said of one turn.
        chairs = {seat: rested(chair) for seat, chair in chairs.items()}
    if not steps:
        return None
    result = game.rules.result(state)
    due = game.rules.due(state)
    timing = Timing(lapses=lapses, loans=position.timing.loans)
    deadline = unattended = None
    if result is None and is_solo(position):
        timing = resting(timing, now)
        unattended = goes_on(game, replace(position, state=state, timing=timing))
    elif result is None:
        first, deadline = _deadlines(game, position, state, due, now)
        timing = changed(timing, first=first)
    return Played(
        steps=tuple(steps),
        state=state,
        filed={seat: orders for seat, orders in filed.items() if orders},
        due=due,
        result=result,
        deadline=deadline,
        timing=timing,
        unattended=unattended,
    )


def _deadlines(
    game: Game, position: Position, state: State, dues: tuple[Due, ...], now: Millis
) -> tuple[Millis, Millis]:
    """The deadline of the turn to come by the terms alone, and as it is for those who owe orders in it."""
    kind = game.rules.turn(state).kind
    first = next_deadline(position, kind, now)
    owing = {due.seat for due in dues if position.chairs[due.seat].is_person}
    absences = [one for one in position.absences if one.seat in owing]
    return first, heeded(first, first, kind, absences, position.deadlines, now)


def _lapses(
    before: Mapping[str, int], entry: Entry, chairs: Mapping[Seat, Chair], gone: frozenset[Seat]
) -> dict[str, int]:
    """For how many turns in a row each person has been silent, after one more turn; the excused stay."""
    after = dict(before)
    for seat in entry.orders:
        chair = chairs[Seat(seat)]
        if seat in entry.silent:
            after[chair.lapse_key] = after.get(chair.lapse_key, 0) + 1
        elif chair.is_person and seat not in gone:
            after.pop(chair.lapse_key, None)
    return after


def _still_to_come(game: Game, state: State, filed: tuple[Item, ...]) -> tuple[Item, ...]:
    """What is on file without the orders for turns that were not played, and will not be."""
    if not any(turn_of(item) for item in filed):
        return filed
    turns = {turn.short for turn in game.rules.ahead(state)}
    return tuple(item for item in filed if turn_of(item) is None or turn_of(item) in turns)


def _left_over(
    game: Game, before: State, state: State, filed: Mapping[Seat, tuple[Item, ...]]
) -> dict[Seat, tuple[Item, ...]]:
    """What queued up on file for a stretch of turns that is over."""
    rules = game.rules
    if not isinstance(rules, Planned):
        return {}
    over = [seat for seat in filed if rules.span(before, seat) != rules.span(state, seat)]
    queues = {
        seat: tuple(one for one in filed[seat] if slot_of(one) is None and not isinstance(one, Untaken))
        for seat in over
    }
    return {seat: queue for seat, queue in queues.items() if queue}


def after(position: Position, played: Played) -> Position:
    """The position once what was played is on the books."""
    return replace(
        position,
        status="finished" if played.result else position.status,
        entries=position.entries + len(played.steps),
        played=position.played + len(played.steps),
        forced=waiting(position.forced, [throw for step in played.steps for throw in step.entry.throws]),
        rev=position.rev + 1,
        head_sha=played.steps[-1].entry.sha,
        state=played.state,
        filed=played.filed,
        chairs={seat: rested(chair) for seat, chair in position.chairs.items()},
        deadline=played.deadline,
        timing=played.timing,
    )


def rested(chair: Chair) -> Chair:
    """A seat when a new turn begins: neither WAIT nor READY."""
    return changed(chair, wait=False, ready=False)
