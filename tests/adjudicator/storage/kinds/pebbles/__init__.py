"""A kind of game for storage tests: one heap, from which each side takes. Its only rule is a turn's name."""

from types import SimpleNamespace

from games.protocol import Order, Turn
from games.record import Record


class Heap(Record, frozen=True, kw_only=True):
    """Pebbles left, and turns played."""

    pebbles: int
    turns: int = 0


class Take(Order, frozen=True, kw_only=True):
    """Take some pebbles."""

    count: int


class PebbleRules:
    """As much of the rules as the storage needs."""

    report_is_reply = False

    def turn(self, state: Heap) -> Turn:
        return Turn(name=f"Turn {state.turns}", short=f"T{state.turns}", kind="moves")


GAMES = (
    SimpleNamespace(
        about=SimpleNamespace(kind="pebbles", aliases=()),
        edition=None,
        rules=PebbleRules(),
        state_type=Heap,
        order_type=Take,
    ),
)
