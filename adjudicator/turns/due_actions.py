"""The actions that are due in a game now, for the clock to carry out, and the motions of its players.

Players move and vote by email to pause or resume the game, to give more time, or to end it without a winner.
The clock counts the votes and carries out what has enough of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from adjudicator.clock import DAY, Millis
from adjudicator.model.deadline_status import IDLE_NOTICES_MS, is_solo, notices_due, overdue
from adjudicator.model.deadlines import Ballot, Loan, TableMotion
from adjudicator.model.games import CHECK_AFTER_POLL, GamePosition
from adjudicator.model.people import Absence, Votes
from adjudicator.turns.deadlines import (
    absent_seats,
    bots_continue_at,
    extend_for_absences,
    extended_deadline,
    is_complete,
    is_ripe,
    missing_orders,
    next_deadline,
    people_due,
)
from adjudicator.turns.gather import is_silent
from games.protocol import Game, Seat
from games.record import Value

MOTION_LIFETIME_MS: Millis = 7 * DAY
"""How long a motion is open, if its turn doesn't run before."""

CIVIL_DISORDER_TURNS = 2
"""After so many turns in a row without orders, and none saved now, a seat has no vote."""

VOTE_ACTOR = "vote"
"""The actor of what the players have voted for, in logs."""


class OpenMotion(Value, frozen=True):
    """A motion that players can vote for. length: of an extension, otherwise 0. seats: those that have voted.

    since: when it was moved.
    """

    motion: TableMotion
    length: Millis
    seats: tuple[Seat, ...]
    since: Millis


def open_motions(position: GamePosition, now: Millis) -> tuple[OpenMotion, ...]:
    """Return the motions that are open now, oldest first."""
    ballots: dict[tuple[TableMotion, Millis], list[Ballot]] = {}
    for ballot in position.timing.ballots:
        ballots.setdefault((ballot.motion, ballot.length), []).append(ballot)
    motions = (
        OpenMotion(motion, length, tuple(Seat(ballot.seat) for ballot in cast), min(b.at for b in cast))
        for (motion, length), cast in ballots.items()
    )
    return tuple(motion for motion in motions if now - motion.since < MOTION_LIFETIME_MS)


def entitled_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that have a vote: those of human players who are in the game and not in civil
    disorder."""
    survivors = game.rules.survivors(position.state)
    seats = tuple(position.assignments) if survivors is None else survivors
    return tuple(
        seat
        for seat in seats
        if position.assignments[seat].is_person and not is_in_civil_disorder(position, seat)
    )


def is_in_civil_disorder(position: GamePosition, seat: Seat) -> bool:
    """Return whether a player has sent no orders for some turns, and none for this one."""
    missed = position.timing.lapses.get(position.assignments[seat].lapse_key, 0)
    return missed >= CIVIL_DISORDER_TURNS and not position.filed.get(seat)


def find_carried_motion(game: Game, position: GamePosition, rule: Votes, now: Millis) -> OpenMotion | None:
    """Return a motion that has enough votes now, or None."""
    if not position.timing.ballots or rule == "none":
        return None
    entitled = entitled_seats(game, position)
    for motion in open_motions(position, now):
        ayes = sum(seat in motion.seats for seat in entitled)
        enough = 2 * ayes > len(entitled) if rule == "majority" else ayes == len(entitled) > 0
        if enough and is_possible(position, motion.motion):
            return motion
    return None


def is_possible(position: GamePosition, motion: TableMotion) -> bool:
    """Return whether a motion can be carried out in the state of the game's clock."""
    stop = position.timing.stop
    if motion == "resume":
        return stop is not None and stop.kind == "pause" and stop.by == VOTE_ACTOR
    if motion == "pause":
        return (stop is None or stop.kind == "hold") and position.deadline is not None
    if motion == "extend":
        return stop is None and position.deadline is not None and not position.timing.voted_time
    return True


@dataclass(frozen=True)
class PlayTurn:
    """Run the turn. ripe: even if orders are missing."""

    ripe: bool


@dataclass(frozen=True)
class ExtendForSilence:
    """Extend the deadline because orders are missing from these seats; once per turn."""

    deadline: Millis
    silent: tuple[Seat, ...]


@dataclass(frozen=True)
class AskGamesmaster:
    """Ask the GM what to do about missing orders from these seats."""

    silent: tuple[Seat, ...]


@dataclass(frozen=True)
class ExtendForAbsence:
    """Extend the deadline because players with orders due are away."""

    deadline: Millis
    gone: tuple[Seat, ...]


@dataclass(frozen=True)
class SendReminder:
    """Remind these seats: their orders are due soon."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class DropSilentPlayer:
    """Give a seat to its bot after too many turns without orders."""

    seat: Seat
    turns: int


@dataclass(frozen=True)
class AssignSubstitute:
    """Let a substitute play a seat while its player is away."""

    absence: Absence
    substitute: str


@dataclass(frozen=True)
class EndSubstitute:
    """Return a seat to its player after their absence."""

    seat: Seat
    loan: Loan


@dataclass(frozen=True)
class StopClock:
    """Remove the clock: one human player is left in the game."""


@dataclass(frozen=True)
class StartClock:
    """Start the clock with a deadline: there is more than one human player, or the settings have changed."""

    deadline: Millis


@dataclass(frozen=True)
class Correct:
    """Send new players the right deadline, as no player has been seated for a while."""


@dataclass(frozen=True)
class IdleReminder:
    """Remind the player of a turn without a clock.

    words: how many of IDLE_NOTICES_MS have passed.
    """

    seat: Seat
    words: int


@dataclass(frozen=True)
class CarryMotion:
    """Do what the players have voted for."""

    motion: OpenMotion


DueAction = (
    PlayTurn
    | CarryMotion
    | ExtendForSilence
    | AskGamesmaster
    | ExtendForAbsence
    | SendReminder
    | DropSilentPlayer
    | AssignSubstitute
    | EndSubstitute
    | StopClock
    | StartClock
    | Correct
    | IdleReminder
)


def find_due_action(
    game: Game,
    position: GamePosition,
    now: Millis,
    polled_from: Millis | None,
    substitutes: Sequence[str] = (),
    votes: Votes = "majority",
) -> DueAction | None:
    """Return the action that is due in a game now, or None.

    polled_from: as in `is_ripe`. substitutes: the addresses on the waiting list, in order. votes: the game's
    rule for motions.
    """
    motion = find_carried_motion(game, position, votes, now) if position.is_running else None
    if motion is not None or not position.is_running or position.timing.stop is not None:
        return None if motion is None else CarryMotion(motion)
    alone = is_solo(position)
    if alone != (position.timing.rest is not None):
        return (
            StopClock()
            if alone
            else StartClock(next_deadline(position, game.rules.turn(position.state).kind, now))
        )
    if _waits_for_mailbox(game, position, now, polled_from):
        # Emails from before the deadline count first, for the players at that time.
        return _drop_silent_player(position)
    correction = position.timing.correction
    if correction is not None and now >= correction.at:
        return Correct()
    changes_hands: DueAction | None = _end_substitute(position, now)
    if not alone:
        # Nobody acts for a solo player.
        changes_hands = (
            changes_hands or _assign_substitute(position, now, substitutes) or _drop_silent_player(position)
        )
    if changes_hands is not None:
        return changes_hands
    if is_ripe(position, now, polled_from):
        return _action_at_deadline(game, position, now)
    if is_complete(game, position, now) and not _has_mail_to_read(position, now, polled_from):
        return PlayTurn(ripe=False)
    return (
        _remind_idle_player(game, position, now)
        or _extend_for_absence(game, position, now)
        or _reminder(game, position, now)
    )


Otherwise = Literal["sheet", "bot", "extension", "gm"]
"""What happens with missing orders: the defaults of the order sheet apply; a bot gives orders; the
deadline is extended once; the GM decides."""


def otherwise(game: Game, position: GamePosition, seat: Seat, now: Millis) -> Otherwise:
    """Return the effect of a seat's missing orders if its player sends nothing more."""
    if is_solo(position):
        return "sheet"
    if seat in absent_seats(position, now):
        return "bot"
    if seat not in silent_seats(game, position, now):
        return "sheet"
    protected, terms = is_protected(position), position.deadlines
    if (protected or terms.nmr == "extend") and not position.timing.extended:
        return "extension"
    if protected or terms.nmr == "gm":
        return "gm"
    return "bot" if terms.nmr == "bot" else "sheet"


def _waits_for_mailbox(game: Game, position: GamePosition, now: Millis, polled_from: Millis | None) -> bool:
    """Return whether a turn waits only for the next poll of the mailbox."""
    if is_ripe(position, now, now):
        return not is_ripe(position, now, polled_from)
    return _has_mail_to_read(position, now, polled_from) and is_complete(game, position, now)


def _has_mail_to_read(position: GamePosition, now: Millis, polled_from: Millis | None) -> bool:
    """Return whether the mailbox may hold emails from before a deadline that has passed."""
    if position.deadline is None or overdue(position, now) is None:
        return False
    return polled_from is None or polled_from <= position.deadline


def silent_seats(game: Game, position: GamePosition, now: Millis) -> tuple[Seat, ...]:
    """Return the seats of players with orders due that have sent nothing. Bots' seats don't count."""
    gone = absent_seats(position, now)
    seats = [
        due.seat
        for due in people_due(game, position)
        if due.seat not in gone
        and is_silent(
            game, position.state, due, position.assignments[due.seat], position.filed.get(due.seat, ())
        )
    ]
    return tuple(dict.fromkeys(seats))


def is_protected(position: GamePosition) -> bool:
    """Return whether the turn waits for everyone: it is the first turn, and the game's settings say so."""
    return position.deadlines.protect and position.played == 0


def _action_at_deadline(game: Game, position: GamePosition, now: Millis) -> DueAction:
    missing, terms = silent_seats(game, position, now), position.deadlines
    protected = is_protected(position)
    if missing and (protected or terms.nmr == "extend") and not position.timing.extended:
        return ExtendForSilence(extended_deadline(position, now), missing)
    if missing and (protected or terms.nmr == "gm"):
        return AskGamesmaster(missing)
    return PlayTurn(ripe=True)


def _end_substitute(position: GamePosition, now: Millis) -> EndSubstitute | None:
    for seat, loan in position.timing.loans.items():
        if loan.until <= now:
            return EndSubstitute(Seat(seat), loan)
    return None


def _assign_substitute(
    position: GamePosition, now: Millis, substitutes: Sequence[str]
) -> AssignSubstitute | None:
    if position.deadlines.away != "substitute":
        return None
    playing = {assignment.address for assignment in position.assignments.values()}
    owners = {loan.owner for loan in position.timing.loans.values()}
    free = next((address for address in substitutes if address not in playing | owners), None)
    for absence in position.absences:
        if free and position.assignments[absence.seat].is_person and absence.first <= now < absence.last:
            return AssignSubstitute(absence, free)
    return None


def _drop_silent_player(position: GamePosition) -> DropSilentPlayer | None:
    limit = position.deadlines.dropout
    for seat, assignment in position.assignments.items():
        turns = position.timing.lapses.get(assignment.lapse_key, 0)
        if limit and assignment.is_person and turns >= limit:
            return DropSilentPlayer(seat, turns)
    return None


def _extend_for_absence(game: Game, position: GamePosition, now: Millis) -> ExtendForAbsence | None:
    at = position.deadline
    if at is None or position.timing.by_hand or now > at or not position.absences:
        return None
    lacking = missing_orders(game, position)
    owing = [due.seat for due in people_due(game, position) if lacking[due.seat]]
    absences = [absence for absence in position.absences if absence.seat in owing]
    kind = game.rules.turn(position.state).kind
    later = extend_for_absences(at, position.timing.first or at, kind, absences, position.deadlines, now)
    gone = [absence.seat for absence in absences if absence.first <= later and absence.last > now]
    return ExtendForAbsence(later, tuple(dict.fromkeys(gone))) if later > at else None


def _reminder(game: Game, position: GamePosition, now: Millis) -> SendReminder | None:
    """Return the reminder that is due, or None. It is sent once per turn, in its second half or later.

    After the deadline it is due only while orders still count.
    """
    at, terms = position.deadline, position.deadlines
    if at is None or position.timing.reminded or not terms.reminder:
        return None
    length = terms.length(game.rules.turn(position.state).kind)
    if not at - min(terms.reminder, length // 2) <= now <= at + terms.grace:
        return None
    gone, lacking = absent_seats(position, now), missing_orders(game, position)
    people = dict.fromkeys(due.seat for due in people_due(game, position))
    owing = tuple(seat for seat in people if lacking[seat] and seat not in gone)
    return SendReminder(owing) if owing else None


def _remind_idle_player(game: Game, position: GamePosition, now: Millis) -> IdleReminder | None:
    """Return the reminder for a solo player after a long time without emails, or None.

    It waits for the end of an absence. A player with several seats gets one reminder.
    """
    rest, due = position.timing.rest, people_due(game, position)
    if rest is None or not due or not position.deadlines.reminder:
        return None
    seat, words = due[0].seat, notices_due(rest, now)
    gone = any(absence.first <= now < absence.last for absence in position.absences)
    return IdleReminder(seat, words) if words is not None and not gone else None


# The next check of a game: the first time when something can become due.
#
# It may be too early, but never too late. Changes of the game, or actions of people, cause a check anyway.


# Rule: every time that `find_due_action` compares must be here too; a property test compares both.


def next_check(game: Game, position: GamePosition, now: Millis) -> Millis | None:
    """Return when to check a game again that has nothing to do now. None: time changes nothing.

    CHECK_AFTER_POLL if its turn waits only for the mailbox.
    """
    if not position.is_running or position.timing.stop is not None:
        return None
    if is_ripe(position, now, now) or (overdue(position, now) and is_complete(game, position, now)):
        return CHECK_AFTER_POLL
    return min((at for at in _check_instants(game, position) if at > now), default=None)


def _check_instants(game: Game, position: GamePosition) -> Iterator[Millis]:
    """Yield all times that `find_due_action` compares."""
    timing, terms = position.timing, position.deadlines
    yield from (loan.until for loan in timing.loans.values())
    for absence in position.absences:
        yield absence.first
        yield absence.last
    if timing.correction is not None:
        yield timing.correction.at
    if timing.rest is not None:
        yield from (timing.rest.since + after for after in IDLE_NOTICES_MS)
        alone_at = bots_continue_at(game, position)
        if alone_at is not None:
            yield alone_at + 1
    if position.deadline is not None:
        yield position.deadline + terms.grace + 1
        if not position.early or any(assignment.wait for assignment in position.assignments.values()):
            yield position.deadline + 1
        if terms.reminder and not timing.reminded:
            length = terms.length(game.rules.turn(position.state).kind)
            yield position.deadline - min(terms.reminder, length // 2)
