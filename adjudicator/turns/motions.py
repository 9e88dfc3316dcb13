"""Motions of the players: to pause or resume the game, to give more time, to end it without a winner.

Players move and vote by email. The clock counts the votes and carries out what has enough of them.
"""

from adjudicator.clock import DAY, Millis
from adjudicator.model.deadlines import Ballot, TableMotion
from adjudicator.model.games import GamePosition
from adjudicator.model.people import Votes
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
