"""Runs turns until the game waits for a player: gathers orders, adjudicates and logs."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from adjudicator import __version__
from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_in_play, is_solo, timing_without_clock
from adjudicator.model.deadlines import Timing
from adjudicator.model.games import AdjudicationResult, GamePosition, LogEntry, PlayedTurn, SeatAssignment
from adjudicator.model.orders_on_file import Item, Untaken, items_after_turn, slot_of, turn_of
from adjudicator.model.people import Press
from adjudicator.turns.bots import GameBots, ProgramAsker
from adjudicator.turns.deadlines import (
    CLOCK,
    absent_seats,
    bots_continue_at,
    deadline_after_turn,
    extend_for_absences,
    without_waits,
)
from adjudicator.turns.gather import DueTurn, WaitingRule, gather_orders
from adjudicator.turns.log import (
    EntryOrigin,
    RecordingDice,
    counting_entries,
    dice_number_after,
    pending_numbers,
    replay,
    step_at,
    turn_entry,
)
from games.dice import SealedDice
from games.protocol import Due, Event, Game, PastTurn, Seat, State
from games.record import Value, canonical, replace_fields

MAX_BOT_TURNS = 50
"""The maximum number of consecutive turns by bots alone, so that an endless game can't block the service."""


class TurnBackground(Value, frozen=True):
    """The facts about a game that its position doesn't contain.

    press: everything written in the game, so that its bots know their agreements. past: its last turns
    (`recent_turns`), for bots that look back. awaited: the short names of turns that emails wait for; these
    are read before the turn runs. programs: asks the GM's own bots, None: they aren't asked.
    """

    press: Sequence[Press] = ()
    past: Sequence[PastTurn] = ()
    awaited: Collection[str] = ()
    programs: ProgramAsker | None = None


NO_BACKGROUND = TurnBackground()


def play_turns(
    game: Game,
    position: GamePosition,
    now: Millis,
    ripe: bool,
    by: str = CLOCK,
    background: TurnBackground = NO_BACKGROUND,
) -> AdjudicationResult | None:
    """Run the turns that one deadline or email causes; None if a player is waited for.

    ripe: the deadline has passed (or the GM won't wait), so the first turn runs in any case. If only bots
    have orders due in the next turns, these follow at once, as long as a human player is in the game.
    Otherwise one turn runs at each deadline, so that an email never reports a century.
    """
    position = without_waits(position, now)
    bots = GameBots(
        game, position.name, position.secret, background.press, background.past, background.programs
    )
    sequence = _TurnSequence(
        position=position,
        now=now,
        by=by,
        away=absent_seats(position, now),
        bots=bots,
        bots_look_back=bots.looks_back(position.assignments.values()) > 0,
        state=position.state,
        filed=position.filed,
        assignments=position.assignments,
        head_sha=position.head_sha,
        lapses=position.timing.lapses,
        forced=position.forced,
    )
    rule = WaitingRule(ripe, away=sequence.away, bots_help=position.deadlines.nmr == "bot")
    while dues := game.rules.due(sequence.state):
        if sequence.steps and sequence.has_to_pause(dues, background.awaited):
            break
        if not sequence.play_turn(dues, rule):
            break
        rule = replace_fields(rule, ripe=False)
    return sequence.result() if sequence.steps else None


@dataclass
class _TurnSequence:
    """A series of turns, and the game after the last of them.

    position: the game before the first turn. away: the seats of absent players. bots: the game's bots. steps:
    the turns so far.
    """

    position: GamePosition
    now: Millis
    by: str
    away: frozenset[Seat]
    bots: GameBots
    bots_look_back: bool
    state: State
    filed: Mapping[Seat, tuple[Item, ...]]
    assignments: Mapping[Seat, SeatAssignment]
    head_sha: str
    lapses: dict[str, int]
    forced: Mapping[str, tuple[int, ...]]
    steps: list[PlayedTurn] = field(default_factory=list)

    def has_to_pause(self, dues: Sequence[Due], awaited: Collection[str]) -> bool:
        """Return whether no further turn may follow at once.

        Bots alone run MAX_BOT_TURNS, but only one turn without human players in the game. A turn with human
        players waits until emails kept for it are read.
        """
        game = self.bots.game
        if any(self.assignments[due.seat].is_person for due in dues):
            return bool(awaited) and game.rules.turn(self.state).short in awaited
        return len(self.steps) >= MAX_BOT_TURNS or not is_in_play(game, self.state, self.assignments)

    def play_turn(self, dues: tuple[Due, ...], rule: WaitingRule) -> bool:
        """Run one turn. Return False, with nothing done, if a player is waited for."""
        game, position, before = self.bots.game, self.position, self.state
        dice = RecordingDice(
            SealedDice(position.secret, position.name, position.dice_number + len(self.steps)), self.forced
        )
        gathered = gather_orders(self.bots, DueTurn(before, dues, self.filed, self.assignments), rule, dice)
        if gathered is None:
            return False
        turn = game.rules.turn(before)
        outcome = game.rules.adjudicate(before, gathered.orders, dice)
        number = position.entries + len(self.steps)
        origin = EntryOrigin(number, self.head_sha, at=self.now, by=self.by, pepper=position.pepper)
        # A game that began before games were bound to their variants is bound by its next turn.
        is_bound = bool(position.editions or self.steps)
        edition = None if is_bound else game.edition
        entry = turn_entry(origin, turn, gathered, dice, outcome.state, edition)
        filed = {**self.filed, **gathered.left}
        dropped = _expired_queues(game, before, outcome.state, filed)
        self.steps.append(
            PlayedTurn(
                entry=entry,
                turn=turn,
                before=before,
                after=outcome.state,
                events=outcome.events,
                passed=gathered.passed,
                dropped=dropped,
            )
        )
        if self.bots_look_back:
            seen = public_turn(game, before, outcome.state, outcome.events)
            self.bots = replace_fields(self.bots, past=(*self.bots.past, seen))
        self.lapses = _count_lapses(self.lapses, entry, self.assignments, self.away)
        self.state, self.head_sha = outcome.state, entry.sha
        self.forced = pending_numbers(self.forced, entry.throws)
        self.filed = {
            seat: _items_for_next_turn(game, self.state, items, dropped.get(seat, ()))
            for seat, items in filed.items()
        }
        # WAIT and READY apply to one turn.
        self.assignments = {
            seat: replace_fields(assignment, wait=False, ready=False)
            for seat, assignment in self.assignments.items()
        }
        return True

    def result(self) -> AdjudicationResult:
        """Return the turns, the game after them, and its next deadline."""
        game, position, state, now = self.bots.game, self.position, self.state, self.now
        result, dues = game.rules.result(state), game.rules.due(state)
        timing = Timing(lapses=self.lapses, loans=position.timing.loans)
        deadline = unattended = None
        if result is None and is_solo(position):
            timing = timing_without_clock(timing, now)
            unattended = bots_continue_at(game, replace(position, state=state, timing=timing))
        elif result is None:
            kind = game.rules.turn(state).kind
            first = deadline_after_turn(position, kind, now, self.by)
            owing = {due.seat for due in dues if position.assignments[due.seat].is_person}
            absences = [absence for absence in position.absences if absence.seat in owing]
            deadline = extend_for_absences(first, first, kind, absences, position.deadlines, now)
            timing = replace_fields(timing, first=first)
        return AdjudicationResult(
            steps=tuple(self.steps),
            state=state,
            filed={seat: items for seat, items in self.filed.items() if items},
            due=dues,
            result=result,
            deadline=deadline,
            timing=timing,
            unattended=unattended,
        )


def _count_lapses(
    before: Mapping[str, int],
    entry: LogEntry,
    assignments: Mapping[Seat, SeatAssignment],
    gone: frozenset[Seat],
) -> dict[str, int]:
    """Return the number of turns in a row without orders of each player, after one more turn.

    The count of an excused player stays the same.
    """
    after = dict(before)
    for seat in entry.orders:
        assignment = assignments[Seat(seat)]
        if seat in entry.silent:
            after[assignment.lapse_key] = after.get(assignment.lapse_key, 0) + 1
        elif assignment.is_person and seat not in gone:
            after.pop(assignment.lapse_key, None)
    return after


def _items_for_next_turn(
    game: Game, state: State, filed: tuple[Item, ...], dropped: tuple[Item, ...]
) -> tuple[Item, ...]:
    """Return the items that stay saved after a turn, without orders for turns that won't occur."""
    items = tuple(item for item in filed if item not in dropped)
    if any(turn_of(item) for item in items):
        turns = {turn.short for turn in game.rules.ahead(state)}
        items = tuple(item for item in items if turn_of(item) is None or turn_of(item) in turns)
    return items_after_turn(items)


def _expired_queues(
    game: Game, before: State, state: State, filed: Mapping[Seat, tuple[Item, ...]]
) -> dict[Seat, tuple[Item, ...]]:
    """Return the items queued for a span of turns that is over."""
    rules = game.rules
    over = [seat for seat in filed if rules.plan_span(before, seat) != rules.plan_span(state, seat)]
    queues = {
        seat: tuple(item for item in filed[seat] if slot_of(item) is None and not isinstance(item, Untaken))
        for seat in over
    }
    return {seat: queue for seat, queue in queues.items() if queue}


def position_after(position: GamePosition, played: AdjudicationResult) -> GamePosition:
    """Return the position after the turns that ran."""
    return replace(
        position,
        status="finished" if played.result else position.status,
        entries=position.entries + len(played.steps),
        played=position.played + len(played.steps),
        forced=pending_numbers(
            position.forced, [roll for step in played.steps for roll in step.entry.throws]
        ),
        rev=position.rev + 1,
        head_sha=played.steps[-1].entry.sha,
        state=played.state,
        filed=played.filed,
        assignments={
            seat: replace_fields(assignment, wait=False, ready=False)
            for seat, assignment in position.assignments.items()
        },
        deadline=played.deadline,
        timing=played.timing,
    )


Log = Sequence[tuple[LogEntry, bytes]]


def rules_version(game: Game) -> str:
    """Return the rules version of a game: the program's version, and the digest of its edition, if any.

    If it has changed, the log of the game is verified.
    """
    return rules_version_of(game.edition.sha if game.edition else "")


def rules_version_of(edition: str) -> str:
    """Return the rules version of games by an edition. edition: its digest, "" for a kind without any."""
    return f"{__version__} {edition}".strip()


def is_data_changed(game: Game, proven: str) -> bool:
    """Return whether the data of a kind differ from those at a game's last verification."""
    return proven.partition(" ")[2] != rules_version(game).partition(" ")[2]


def verify_log(game: Game, position: GamePosition, log: Callable[[], Log]) -> str | None:
    """Return why a game's log doesn't lead to its current state, or None if it does. log: reads it."""
    try:
        replay_result = replay(
            game,
            position.name,
            position.secret,
            log(),
            position.head_sha,
            position.game_at if position.copies else None,
        )
    except Exception as fault:  # rules that don't belong to the log may raise anything
        return f"{type(fault).__name__}: {fault}"
    if replay_result.fault is not None:
        return replay_result.fault
    if not replay_result.states or replay_result.states[-1] != canonical(position.state):
        return sentence("service.replay.position_differs")
    return None


def is_ruling_fixed(game: Game, position: GamePosition, log: Callable[[], Log]) -> bool:
    """Return whether a log with other results is intact and its kind's data are unchanged.

    Then a ruling was fixed in the program, and the past turns stay as they are.
    """
    if position.proven and is_data_changed(game, position.proven):
        return False
    try:
        return _is_sound(position, log())
    except Exception:  # an unreadable entry may contain anything
        return False


def _is_sound(position: GamePosition, log: Log) -> bool:
    """Return whether each entry contains the hash of the one before, and each state has its entry's hash."""
    previous = ""
    for entry, written in log:
        if entry.previous_sha != previous or entry.state_sha != hashlib.sha256(written).hexdigest():
            return False
        previous = entry.sha
    return bool(log) and previous == position.head_sha and log[-1][1] == canonical(position.state)


def recent_turns(game: Game, position: GamePosition, latest: Callable[[int], Log]) -> tuple[PastTurn, ...]:
    """Return the last turns of a game as the public knows them, oldest first, without undone ones.

    As many as the game's bots look back. latest: returns the last entries of the log. It is called only if a
    bot looks back, and again only if there are edits or undone turns among them.
    """
    most = GameBots(game, position.name, position.secret).looks_back(position.assignments.values())
    if not most:
        return ()
    wanted = most + 1  # the first one for the state after it
    while True:
        entries = latest(wanted)
        places = _places_of_turns(entries)
        if len(places) >= most or len(entries) < wanted:
            break
        wanted *= 2
    # Earlier ones aren't counted: the position has their total.
    first_dice_number = position.dice_number - dice_number_after(entry for entry, _ in entries)
    steps = (step_at(game, position, entries, place, first_dice_number) for place in places[-most:])
    return tuple(public_turn(game, step.before, step.after, step.events) for step in steps)


def earlier_turns(
    game: Game, position: GamePosition, latest: Callable[[int], Log], before: int
) -> Iterator[tuple[PlayedTurn, ...]]:
    """Yield the turns before an entry of the log, those that ran together in one tuple, the latest first.

    Undone ones are left out. latest: returns the last entries of the log. Only as many are read as are asked
    for. before: the number of the entry.
    """
    wanted = _EARLIER_ENTRIES
    while True:
        entries = latest(wanted)
        first_dice_number = position.dice_number - dice_number_after(entry for entry, _ in entries)
        places = [place for place in _places_of_turns(entries) if entries[place][0].number < before]
        for _, run in groupby(reversed(places), key=lambda place: entries[place][0].at):
            together = sorted(run)
            if together[0] == places[0] and len(entries) == wanted:
                break  # the turns that ran with it may not be among these entries
            yield tuple(step_at(game, position, entries, place, first_dice_number) for place in together)
            before = entries[together[0]][0].number
        if len(entries) < wanted:
            return
        wanted *= 4


_EARLIER_ENTRIES = 6
"""The number of entries that are read first, enough for two turns with retreats."""


def _places_of_turns(entries: Log) -> list[int]:
    """Return the places of the counted turns among the last entries of a log, as far as known."""
    # Rolled back or undone entries come before the entry that says so, so the end of a log suffices.
    counting = {
        entry.number for entry in counting_entries([entry for entry, _ in entries]) if entry.kind == "turn"
    }
    return [place for place, (entry, _) in enumerate(entries) if place and entry.number in counting]


def public_turn(game: Game, before: State, after: State, events: Sequence[Event]) -> PastTurn:
    """Return a processed turn as an observer may know it."""
    return PastTurn(
        turn=game.rules.turn(before),
        before=game.rules.view(before, None),
        after=game.rules.view(after, None),
        events=tuple(event for event in events if event.seen_by is None),
    )
