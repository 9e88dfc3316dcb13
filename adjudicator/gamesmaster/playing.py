"""A turn played by hand: at once, whoever is missing."""

from typing import Protocol

from adjudicator.clock import Clock
from adjudicator.errors import Overtaken, Refusal
from adjudicator.gamesmaster.looking import WithBooks, position_of
from adjudicator.ledger.positions import Played, Position


class Turns(Protocol):
    """Who plays turns, and writes them down with their reports."""

    def play(self, position: Position, now: int, ripe: bool, by: str) -> Played | None:
        """Play a turn. Raises Overtaken if the books have changed since."""


class WithTurns(WithBooks, Protocol):
    """Whoever can have a turn played: the house, or a bureau. hand: who asks for it, as logs name him."""

    @property
    def turns(self) -> Turns:
        """Who plays them."""

    @property
    def clock(self) -> Clock:
        """The time."""

    @property
    def hand(self) -> str:
        """Who asks for it."""


def play_now(house: WithTurns, name: str) -> Played:
    """Play a game's turn at once, whoever is missing. Raises Refusal for what cannot be done."""
    position = position_of(house, name)
    if not position.running:
        raise Refusal(f"game {name}", "the game is over", f"look at it with  gm game show {name}")
    if position.stuck is not None and position.is_deaf:
        raise Refusal(f"game {name}", f"is held: {position.stuck.why}", position.stuck.instead)
    stop = position.timing.stop
    if stop is not None and stop.kind == "pause":
        raise Refusal(f"game {name}", "is paused", f"gm game resume {name}  lets it go on")
    try:
        played = house.turns.play(position, house.clock.now(), ripe=True, by=house.hand)
    except Overtaken as fault:
        raise Refusal(f"game {name}", "orders came in meanwhile", "try again") from fault
    assert played is not None, "nobody is waited for"
    return played
