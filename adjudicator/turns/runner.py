"""Plays turns until a person is waited for."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from adjudicator import __version__
from adjudicator.clock import Millis
from adjudicator.model.deadline_status import is_in_play, is_solo, timing_without_clock
from adjudicator.model.deadlines import Timing
from adjudicator.model.games import AdjudicationResult, GamePosition, LogEntry, PlayedTurn, SeatAssignment
from adjudicator.model.orders_on_file import Item, Untaken, items_after_turn, slot_of, turn_of
from adjudicator.model.people import Press
from adjudicator.turns.bots import GameBots
from adjudicator.turns.deadlines import (
    CLOCK,
    absent_seats,
    bots_continue_at,
    deadline_after_turn,
    extend_for_absences,
    without_waits,
)
from adjudicator.turns.gather import DueTurn, WaitingRule, gather_orders
from adjudicator.turns.log import EntryOrigin, RecordingDice, pending_numbers, replay, step_at, turn_entry
from adjudicator.turns.overrides import counting_entries, dice_number_after
from games.data import digest
from games.dice import SealedDice
from games.protocol import Due, Event, Game, Seat, State
from games.protocol.optional import PastTurn, SupportsPlanSpan
from games.record import canonical, replace_fields

MAX_BOT_TURNS = 50
"""Turns that bots alone may play at a stretch; a game without an end cannot hold the service up."""


def play_turns(
    game: Game,
    position: GamePosition,
    now: Millis,
    ripe: bool,
    by: str = CLOCK,
    press: Sequence[Press] = (),
    past: Sequence[PastTurn] = (),
    awaited: Collection[str] = (),
) -> AdjudicationResult | None:
    """Play the turns that one deadline or letter sets in motion; None if a person is waited for.

    ripe: the deadline is over (or the gamesmaster will not wait), so the first turn is played in any case.
    press: all that was written in the game, for its bots know what they agreed to; past: its last turns,
    as `lately` tells them, for those who look back. awaited: the short names of turns for which letters
    are kept that are read before they are played. Turns in which only bots owe orders follow at once, as
    long as some person is in play: else there is one a deadline, and nobody finds centuries in his mail.
    """
    position = without_waits(position, now)
    state = position.state
    filed: Mapping[Seat, tuple[Item, ...]] = position.filed
    chairs = position.chairs
    steps: list[PlayedTurn] = []
    head, gone = position.head_sha, absent_seats(position, now)
    lapses, forced = position.timing.lapses, position.forced
    bots = GameBots(game, position.name, position.secret, press, past)
    looking = bots.looks_back(chairs.values()) > 0
    patience = WaitingRule(ripe, away=gone, bots_help=position.deadlines.nmr == "bot")
    while dues := game.rules.due(state):
        people = any(chairs[due.seat].is_person for due in dues)
        if steps and not people and (len(steps) >= MAX_BOT_TURNS or not is_in_play(game, state, chairs)):
            break
        if steps and people and awaited and game.rules.turn(state).short in awaited:
            break
        number = position.entries + len(steps)
        dice = RecordingDice(
            SealedDice(position.secret, position.name, position.dice_number + len(steps)), forced
        )
        gathered = gather_orders(bots, DueTurn(state, dues, filed, chairs), patience, dice)
        if gathered is None:
            break
        turn = game.rules.turn(state)
        outcome = game.rules.adjudicate(state, gathered.orders, dice)
        link = EntryOrigin(number, head, at=now, by=by, pepper=position.pepper)
        entry = turn_entry(link, turn, gathered, dice, outcome.state)
        dropped = _expired_queues(game, state, outcome.state, {**filed, **gathered.left})
        steps.append(
            PlayedTurn(
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
            bots = replace_fields(
                bots, past=(*bots.past, public_turn(game, state, outcome.state, outcome.events))
            )
        lapses = _count_lapses(lapses, entry, chairs, gone)
        state, head, patience = outcome.state, entry.sha, replace_fields(patience, ripe=False)
        forced = pending_numbers(forced, entry.throws)
        filed = {
            seat: items_after_turn(
                _still_to_come(
                    game, state, tuple(item for item in items if item not in dropped.get(seat, ()))
                )
            )
            for seat, items in {**filed, **gathered.left}.items()
        }
        # What was said of WAIT and READY was said of one turn.
        chairs = {seat: reset_wait_and_ready(chair) for seat, chair in chairs.items()}
    if not steps:
        return None
    result = game.rules.result(state)
    due = game.rules.due(state)
    timing = Timing(lapses=lapses, loans=position.timing.loans)
    deadline = unattended = None
    if result is None and is_solo(position):
        timing = timing_without_clock(timing, now)
        unattended = bots_continue_at(game, replace(position, state=state, timing=timing))
    elif result is None:
        kind = game.rules.turn(state).kind
        first = deadline_after_turn(position, kind, now, by)
        deadline = _put_off(position, first, kind, due, now)
        timing = replace_fields(timing, first=first)
    return AdjudicationResult(
        steps=tuple(steps),
        state=state,
        filed={seat: orders for seat, orders in filed.items() if orders},
        due=due,
        result=result,
        deadline=deadline,
        timing=timing,
        unattended=unattended,
    )


def _put_off(position: GamePosition, first: Millis, kind: str, dues: tuple[Due, ...], now: Millis) -> Millis:
    """Return the deadline of the turn to come for those who owe orders in it. first: by the terms alone."""
    owing = {due.seat for due in dues if position.chairs[due.seat].is_person}
    absences = [one for one in position.absences if one.seat in owing]
    return extend_for_absences(first, first, kind, absences, position.deadlines, now)


def _count_lapses(
    before: Mapping[str, int], entry: LogEntry, chairs: Mapping[Seat, SeatAssignment], gone: frozenset[Seat]
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
    """Return the items on file without orders for turns that were not played, and will not be."""
    if not any(turn_of(item) for item in filed):
        return filed
    turns = {turn.short for turn in game.rules.ahead(state)}
    return tuple(item for item in filed if turn_of(item) is None or turn_of(item) in turns)


def _expired_queues(
    game: Game, before: State, state: State, filed: Mapping[Seat, tuple[Item, ...]]
) -> dict[Seat, tuple[Item, ...]]:
    """Return the items that queued up on file for a span of turns that is over."""
    rules = game.rules
    if not isinstance(rules, SupportsPlanSpan):
        return {}
    over = [seat for seat in filed if rules.plan_span(before, seat) != rules.plan_span(state, seat)]
    queues = {
        seat: tuple(item for item in filed[seat] if slot_of(item) is None and not isinstance(item, Untaken))
        for seat in over
    }
    return {seat: queue for seat, queue in queues.items() if queue}


def position_after(position: GamePosition, played: AdjudicationResult) -> GamePosition:
    """The position once what was played is on the books."""
    return replace(
        position,
        status="finished" if played.result else position.status,
        entries=position.entries + len(played.steps),
        played=position.played + len(played.steps),
        forced=pending_numbers(
            position.forced, [throw for step in played.steps for throw in step.entry.throws]
        ),
        rev=position.rev + 1,
        head_sha=played.steps[-1].entry.sha,
        state=played.state,
        filed=played.filed,
        chairs={seat: reset_wait_and_ready(chair) for seat, chair in position.chairs.items()},
        deadline=played.deadline,
        timing=played.timing,
    )


def reset_wait_and_ready(chair: SeatAssignment) -> SeatAssignment:
    """A seat when a new turn begins: neither WAIT nor READY."""
    return replace_fields(chair, wait=False, ready=False)


# The rules version of a game: program and data. Where they have changed, the game's log is verified.


Log = Sequence[tuple[LogEntry, bytes]]


def rules_version(game: Game) -> str:
    """The program's version, and what the data of a kind come to; nothing where it is code."""
    return f"{__version__} {_data_digest(game.package, game.folders)}".strip()


def is_data_changed(game: Game, proven: str) -> bool:
    """Return whether the data of a kind differ from those by which a game was verified."""
    return proven.partition(" ")[2] != rules_version(game).partition(" ")[2]


def verify_log(game: Game, position: GamePosition, log: Callable[[], Log]) -> str | None:
    """Return why a game's log does not lead to where it stands; None if it does. log: reads it."""
    try:
        replay_result = replay(game, position.name, position.secret, log(), position.head_sha)
    except Exception as fault:  # rules that are not the log's own may do anything
        return f"{type(fault).__name__}: {fault}"
    if replay_result.fault is not None:
        return replay_result.fault
    if not replay_result.states or replay_result.states[-1] != canonical(position.state):
        return "the game does not stand where its log ends"
    return None


def is_ruling_fixed(game: Game, position: GamePosition, log: Callable[[], Log]) -> bool:
    """Return whether a log that comes out otherwise is sound, and its kind's data are those it was played by.

    Then a ruling has been mended in the program: what was played stays as it was played.
    """
    if position.proven and is_data_changed(game, position.proven):
        return False
    try:
        return _is_sound(position, log())
    except Exception:  # an entry that cannot be read may hold anything
        return False


def _is_sound(position: GamePosition, log: Log) -> bool:
    """Return whether each entry names the one before, and each state has the hash that its entry names."""
    previous = ""
    for entry, written in log:
        if entry.previous_sha != previous or entry.state_sha != hashlib.sha256(written).hexdigest():
            return False
        previous = entry.sha
    return bool(log) and previous == position.head_sha and log[-1][1] == canonical(position.state)


@cache
def _data_digest(package: str, folders: tuple[str, ...]) -> str:
    return (
        hashlib.sha256("".join(digest(package, folder) for folder in folders).encode()).hexdigest()
        if folders
        else ""
    )


# The last turns of a game as all may know them, for bots that look back.


def recent_turns(game: Game, position: GamePosition, latest: Callable[[int], Log]) -> tuple[PastTurn, ...]:
    """Return as many of the last turns as the bots of a game want to know, oldest first, without undone ones.

    latest: tells so many of the last entries of the game's log, as `Books.latest` does. It is asked only
    where a bot looks back, and for more only where what was done by hand or rolled back stands among them.
    """
    most = GameBots(game, position.name, position.secret).looks_back(position.chairs.values())
    if not most:
        return ()
    wanted = most + 1  # the first for the state that it leaves
    while True:
        entries = latest(wanted)
        places = _turns(entries)
        if len(places) >= most or len(entries) < wanted:
            break
        wanted *= 2
    # Those that lie before are not counted: the position knows how many there are in all.
    thrown = position.dice_number - dice_number_after(entry for entry, _ in entries)
    steps = (step_at(game, position, entries, place, thrown) for place in places[-most:])
    return tuple(public_turn(game, step.before, step.after, step.events) for step in steps)


def _turns(entries: Log) -> list[int]:
    """The places of the turns that count among the last entries of a log, as far as they can be told."""
    # What is rolled back, or taken back, lies before the entry that says so: the end of a log knows of it.
    counting = {
        entry.number for entry in counting_entries([entry for entry, _ in entries]) if entry.kind == "turn"
    }
    return [place for place, (entry, _) in enumerate(entries) if place and entry.number in counting]


def public_turn(game: Game, before: State, after: State, events: Sequence[Event]) -> PastTurn:
    """A turn that was played, as a spectator may know it."""
    return PastTurn(
        turn=game.rules.turn(before),
        before=game.rules.view(before, None),
        after=game.rules.view(after, None),
        events=tuple(event for event in events if event.seen_by is None),
    )
