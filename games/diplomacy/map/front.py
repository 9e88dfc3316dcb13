"""Parts of a board drawn larger: a power's own front; where the board is crowded."""

from collections.abc import Iterator, Sequence
from functools import cache

from games.close_up import CloseUpFrame
from games.diplomacy.boards.board import Board, Chart, compile_board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.map.rows import Box
from games.diplomacy.model import Convoy, Move, Province, State, SupportHold, SupportMove, split_spot
from games.protocol import Seat
from games.record import load, plain

ZOOMS = (3.0, 2.5, 2.0)
"""How many times as large as the whole board a part of it is drawn, the largest that there is room for."""
_TALL = 1.0
"""How high a part is at most, beside its width."""
_SPOT_RADIUS, _NEIGHBOUR_RADIUS = 78.0, 42.0
"""How much is seen round the middle of a province of the front, and of one beside it, in board units."""
_MIN_FRONT_SHARE = 0.6
"""At least that share of a front is seen where it is too wide for one picture; else there is none."""


def front_window(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat
) -> tuple[float, Box] | None:
    """Return the zoom and the box of the board to show; None where that would be nearly the whole board.

    Where there is room for them, the provinces beside it are seen as well.
    """
    own = board.in_board_order(split_spot(spot)[0] for spot in _places_concerned(board, state, events, seat))
    near = board.in_board_order(there for here in own for there in (*board.army[here], *board.fleet[here]))
    frame = CloseUpFrame(size=board.chart.size, zooms=ZOOMS, tall=_TALL, most=_MIN_FRONT_SHARE)
    return frame.of(
        [frame.around(board.places[province].label, _SPOT_RADIUS) for province in own],
        [frame.around(board.places[province].label, _NEIGHBOUR_RADIUS) for province in near],
    )


def crowded_window(board: Board) -> tuple[float, Box] | None:
    """Return the part of a board in which most provinces lie close together, occupied or not."""
    return _crowded_window(board.key)


@cache
def _crowded_window(key: bytes) -> tuple[float, Box] | None:
    board = compile_board(plain(load(Chart, key)))
    frame = CloseUpFrame(size=board.chart.size, zooms=ZOOMS[-1:], tall=_TALL)
    return frame.of([frame.around(place.label, _NEIGHBOUR_RADIUS) for place in board.places.values()])


def _places_concerned(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat
) -> Iterator[Province]:
    """Yield the places of a power's units and of its orders; its centres where it has none of these."""
    places = [unit.at for unit in state.units if unit.power == seat]
    places += [beaten_unit.unit.at for beaten_unit in state.beaten if beaten_unit.unit.power == seat]
    for event in events:
        if isinstance(event, Resolved) and event.power == seat:
            places += _places_named(event)
    yield from (place for place in places if split_spot(place)[0] in board.places)
    if not places:
        yield from (centre for centre, owner in state.centres.items() if owner == seat)


def _places_named(event: Resolved) -> list[Province]:
    """Return the provinces of an order: whence, whither, and of the unit that it helps."""
    order, places = event.order, [event.unit.at] if event.unit else []
    if isinstance(order, Move | SupportMove | Convoy):
        places.append(order.to)
    if isinstance(order, SupportHold | SupportMove | Convoy):
        places.append(order.other.at)
    return places
