"""When somebody has to look at a game next: when time alone may make something due in it.

It may be too early, never too late. What changes the game, or what people do beside it, has it looked at
anyhow.
"""

# Rule: whatever `errands.find_due_action` compares with the time stands here, too; a property test plays both
#       against each other.

from collections.abc import Iterator

from adjudicator.clock import Millis
from adjudicator.model.games import GamePosition
from adjudicator.model.looks import CHECK_AFTER_POLL
from adjudicator.model.solo_games import IDLE_NOTICES_MS
from adjudicator.turns.deadlines import bots_continue_at, is_complete, is_over, is_ripe
from games.protocol import Game


def next_check(game: Game, position: GamePosition, now: Millis) -> Millis | None:
    """When a game is to be looked at again in which there is nothing to do now; None: time changes nothing.

    CHECK_AFTER_POLL where its turn waits for nothing but the mailbox.
    """
    if not position.is_running or position.timing.stop is not None:
        return None
    if is_ripe(position, now, now) or (is_over(position, now) and is_complete(game, position, now)):
        return CHECK_AFTER_POLL
    return min((at for at in _check_instants(game, position) if at > now), default=None)


def _check_instants(game: Game, position: GamePosition) -> Iterator[Millis]:
    """Everything with which the time is compared."""
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
        if not position.early or any(chair.wait for chair in position.chairs.values()):
            yield position.deadline + 1
        if terms.reminder and not timing.reminded:
            length = terms.length(game.rules.turn(position.state).kind)
            yield position.deadline - min(terms.reminder, length // 2)
