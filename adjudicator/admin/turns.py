"""Running a turn at the GM's command, even if orders are missing."""

from typing import Protocol

from adjudicator.admin.lookup import HasPositions, position_of
from adjudicator.clock import Clock
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.games import AdjudicationResult, GamePosition


class TurnRunner(Protocol):
    """An object that processes turns, and stores them with their reports."""

    def play(self, position: GamePosition, now: int, ripe: bool, by: str) -> AdjudicationResult | None:
        """Run a turn. Raises WriteConflict if the database has changed since."""


class HasTurnRunner(HasPositions, Protocol):
    """An object that can process a turn: the service, or a part of it."""

    @property
    def turns(self) -> TurnRunner:
        """The object that processes them."""

    @property
    def clock(self) -> Clock:
        """The service's source of time."""

    @property
    def actor(self) -> str:
        """The name of the person who asks for it, for the logs."""


def play_now(service: HasTurnRunner, name: str) -> AdjudicationResult:
    """Run a game's turn at once, even if orders are missing. Raises Refusal if that isn't possible."""
    position = position_of(service, name)
    if not position.is_running:
        raise Refusal(
            f"Can't process game {name}", "the game is over", f'Use "gm game show {name}" to see how it ended'
        )
    if position.stuck is not None and position.is_mail_deferred:
        raise Refusal(f"Game {name} is suspended", position.stuck.why, position.stuck.instead)
    stop = position.timing.stop
    if stop is not None and stop.kind == "pause":
        raise Refusal(f"Can't process game {name}", "it is paused", f'Use "gm game resume {name}" first')
    try:
        played = service.turns.play(position, service.clock.now(), ripe=True, by=service.actor)
    except WriteConflict as fault:
        raise Refusal(f"Can't process game {name}", "orders came in meanwhile", "Try again") from fault
    assert played is not None, "nobody is waited for"
    return played
