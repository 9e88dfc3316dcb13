"""When a turn falls due. Date arithmetic only: the time is an argument."""

from adjudicator.clock import Millis
from adjudicator.ledger import Position
from adjudicator.referee.gather import is_in
from games.protocol import Game


def next_deadline(position: Position, kind: str, now: Millis) -> Millis:
    """When a turn of that kind, due from now on, has its deadline."""
    return now + position.deadlines.length(kind)


def is_late(position: Position, received: Millis) -> bool:
    """Whether a letter came after the deadline and its grace: its orders no longer count."""
    return position.deadline is not None and received > position.deadline + position.deadlines.grace


def is_in_grace(position: Position, received: Millis) -> bool:
    """Whether a letter came after the deadline, but within the grace: late, and counted."""
    return position.deadline is not None and received > position.deadline and not is_late(position, received)


def is_ripe(position: Position, now: Millis, polled_from: Millis | None) -> bool:
    """Whether the deadline and its grace are over and the mailbox was drained since.

    polled_from: when the last poll that was finished began; None: there was none.
    """
    if not position.running or position.deadline is None:
        return False
    end = position.deadline + position.deadlines.grace
    return now > end and polled_from is not None and polled_from > end


def is_complete(game: Game, position: Position) -> bool:
    """Whether every person who owes orders has sent them, so that the turn need not wait for its deadline.

    Never true of a game that waits for its deadlines (early=no). Of a turn in which only bots owe orders it
    is true at the opening, if a person sits in the game; later ones are played with the turn before them.
    """
    if not position.running:
        return False
    dues = game.rules.due(position.state)
    people = [due for due in dues if position.chairs[due.seat].is_person]
    if not people:
        return position.entries == 1 and any(chair.is_person for chair in position.chairs.values())
    return position.early and all(
        is_in(game, position.state, due, position.chairs[due.seat], position.filed.get(due.seat, ()))
        for due in people
    )
