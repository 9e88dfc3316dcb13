"""Parts of a board drawn larger: a power's own front; where the board is crowded."""

from collections.abc import Iterator, Sequence
from functools import cache

from games.close_up import Frame
from games.diplomacy.board import Board, Chart, compile_board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.model import Convoy, Move, Province, State, SupportHold, SupportMove, parted
from games.diplomacy.rows import Box
from games.protocol import Seat
from games.record import load, plain

ZOOMS = (3.0, 2.5, 2.0)
"""How many times as large as the whole board a part of it is drawn, the largest that there is room for."""
_TALL = 1.0
"""How high a part is at most, beside its width."""
_AROUND, _BESIDE = 78.0, 42.0
"""How much is seen round the middle of a province of the front, and of one beside it, in board units."""
_MOST = 0.6
"""At least that share of a front is seen where it is too wide for one picture; else there is none."""


def front(board: Board, state: State, events: Sequence[AnyEvent], seat: Seat) -> tuple[float, Box] | None:
    """How many times as large, and which box of the board; None where that would be nearly the whole board.

    Where there is room for them, the provinces beside it are seen as well.
    """
    own = board.sorted(parted(spot)[0] for spot in _concerned(board, state, events, seat))
    near = board.sorted(there for here in own for there in (*board.army[here], *board.fleet[here]))
    frame = Frame(size=board.chart.size, zooms=ZOOMS, tall=_TALL, most=_MOST)
    return frame.of(
        [frame.around(board.places[one].label, _AROUND) for one in own],
        [frame.around(board.places[one].label, _BESIDE) for one in near],
    )


def crowded(board: Board) -> tuple[float, Box] | None:
    """The part of a board in which most provinces lie close together, whoever stands there."""
    return _crowded(board.key)


@cache
def _crowded(key: bytes) -> tuple[float, Box] | None:
    board = compile_board(plain(load(Chart, key)))
    frame = Frame(size=board.chart.size, zooms=ZOOMS[-1:], tall=_TALL)
    return frame.of([frame.around(one.label, _BESIDE) for one in board.places.values()])


def _concerned(board: Board, state: State, events: Sequence[AnyEvent], seat: Seat) -> Iterator[Province]:
    """Where a power's units are or were, what its orders named; its centres where it has none of these."""
    found = [unit.at for unit in state.units if unit.power == seat]
    found += [one.unit.at for one in state.beaten if one.unit.power == seat]
    for event in events:
        if isinstance(event, Resolved) and event.power == seat:
            found += _named(event)
    yield from (one for one in found if parted(one)[0] in board.places)
    if not found:
        yield from (centre for centre, owner in state.centres.items() if owner == seat)


def _named(event: Resolved) -> list[Province]:
    """The provinces of an order: whence, whither, and who is helped."""
    order, found = event.order, [event.unit.at] if event.unit else []
    if isinstance(order, Move | SupportMove | Convoy):
        found.append(order.to)
    if isinstance(order, SupportHold | SupportMove | Convoy):
        found.append(order.other.at)
    return found
