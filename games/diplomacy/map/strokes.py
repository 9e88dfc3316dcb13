"""The orders as lines on the map: whole arrows, supports, convoys, marks of holds.

Each line keeps to the provinces that it joins, so that it and its cross tell of these and of no other.
Positions are in board units.
"""

from collections.abc import Iterator, Sequence

from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.map.line_routing import trim_course
from games.diplomacy.map.order_arrows import CLEAR, OrderLine, OrderPen, middle
from games.diplomacy.map.outlines import Point
from games.diplomacy.model import Beaten, Convoy, Hold, Move, SupportHold, SupportMove

_IDLE = frozenset(
    {"replaced", "not-due", "not-yours", "no-unit", "no-place", "stays-put", "supports-itself", "which-berth"}
)
"""Of orders that do not count: those that say nothing of what a unit tried."""


def order_lines(
    board: Board, events: Sequence[AnyEvent], beaten: Sequence[Beaten] = ()
) -> tuple[OrderLine, ...]:
    """The lines of a turn, supports and convoys first, so that moves are drawn over them.

    beaten: who stands aside because he was dislodged in it.
    """
    pen = OrderPen(
        board, tuple(_drawn_events(board, events)), frozenset(beaten_unit.unit.at for beaten_unit in beaten)
    )
    helping = [line for event in pen.events for line in pen.helping(event)]
    return (*helping, *pen.moves.values())


def retreat_lines(board: Board, beaten: Sequence[Beaten]) -> tuple[OrderLine, ...]:
    """Return the retreats of dislodged units, as lines of the kind "way"."""
    pen = OrderPen(board, (), frozenset(beaten_unit.unit.at for beaten_unit in beaten))
    clear = CLEAR * pen.k
    return tuple(
        pen.stroke(
            "way",
            beaten_unit.unit.power,
            trim_course(pen.way(beaten_unit.unit.piece, spot), clear, clear),
            failed=False,
        )
        for beaten_unit in beaten
        for spot in beaten_unit.retreats
    )


def holding(board: Board, events: Sequence[AnyEvent]) -> tuple[Point, ...]:
    """Where units stand that held and stayed."""
    return tuple(
        middle(board, event.unit.spot)
        for event in events
        if isinstance(event, Resolved)
        and event.unit
        and event.outcome == "held"
        and isinstance(event.order, Hold | None)
        and not event.dislodged
    )


def _drawn_events(board: Board, events: Sequence[AnyEvent]) -> Iterator[Resolved]:
    """Yield the orders that are drawn: what a unit did or tried, between known provinces."""
    for event in events:
        if not isinstance(event, Resolved) or not event.unit:
            continue
        if event.outcome == "void" and event.reason and event.reason.code in _IDLE:
            continue
        if isinstance(event.order, Move | SupportHold | SupportMove | Convoy):
            ends = [event.order.unit.at]
            ends += [] if isinstance(event.order, Move) else [event.order.other.at]
            ends += [] if isinstance(event.order, SupportHold) else [event.order.to]
            if all(end in board.places for end in ends):
                yield event
