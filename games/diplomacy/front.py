"""A power's own front: where its units stand and its orders aim, drawn larger."""

from collections.abc import Iterable, Iterator, Sequence

from games.diplomacy.atlas import Point
from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.model import Convoy, Move, Province, State, SupportHold, SupportMove, parted
from games.diplomacy.rows import Box
from games.protocol import Seat

ZOOMS = (3.0, 2.5, 2.0)
"""How many times as large as the whole board a part of it is drawn, the largest that there is room for."""
_FLAT, _TALL = 0.62, 1.0
"""How high a part is at least and at most, beside its width."""
_AROUND, _BESIDE = 78.0, 42.0
"""How much is seen round the middle of a province of the front, and of one beside it, in board units."""
_MOST = 0.6
"""At least that share of a front is seen where it is too wide for one picture; else there is none."""


def front(board: Board, state: State, events: Sequence[AnyEvent], seat: Seat) -> tuple[float, Box] | None:
    """How many times as large, and which box of the board; None where that would be nearly the whole board.

    Where there is room for them, the provinces beside it are seen as well.
    """
    own = board.sorted(parted(spot)[0] for spot in _concerned(board, state, events, seat))
    if not own:
        return None
    near = board.sorted(there for here in own for there in (*board.army[here], *board.fleet[here]))
    core = [_round(board, one, _AROUND) for one in own]
    whole = _joined([*core, *(_round(board, one, _BESIDE) for one in near)])
    for wanted in (whole, _joined(core)):
        for zoom in ZOOMS:
            width = board.chart.size[0] / zoom
            if wanted[2] - wanted[0] <= width and wanted[3] - wanted[1] <= width * _TALL:
                return zoom, _window(board, wanted, width)
    box, seen = _fullest(board, core, board.chart.size[0] / ZOOMS[-1])
    return (ZOOMS[-1], box) if seen >= _MOST * len(core) else None


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


def _round(board: Board, place: Province, far: float) -> Box:
    """A box round the middle of a province, no further than the board's edge."""
    (x, y), (width, height) = board.places[place].label, board.chart.size
    return max(x - far, 0.0), max(y - far, 0.0), min(x + far, width), min(y + far, height)


def _joined(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all."""
    left, top, right, low = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(low)


def _window(board: Board, wanted: Box, width: float) -> Box:
    """A box of some width round what is to be seen in it, inside the board."""
    left, top, right, low = wanted
    high = min(max(low - top, width * _FLAT), width * _TALL)
    return _inside(board, ((left + right) / 2, (top + low) / 2), width, high)


def _inside(board: Board, middle: Point, width: float, high: float) -> Box:
    across, down = board.chart.size
    left = round(min(max(middle[0] - width / 2, 0), across - width), 1)
    top = round(min(max(middle[1] - high / 2, 0), down - high), 1)
    return left, top, round(left + width, 1), round(top + high, 1)


def _fullest(board: Board, boxes: Sequence[Box], width: float) -> tuple[Box, int]:
    """The part of the board that holds most of some boxes, and how many; of several the first."""
    high = width * _TALL
    starts = ((one[0] + width / 2, other[1] + high / 2) for one in boxes for other in boxes)
    windows = [_inside(board, start, width, high) for start in starts]
    counts = [sum(_holds(window, box) for box in boxes) for window in windows]
    most = max(counts)
    chosen = windows[counts.index(most)]
    return _window(board, _joined(box for box in boxes if _holds(chosen, box)), width), most


def _holds(window: Box, box: Box) -> bool:
    return (
        window[0] <= box[0] + 0.1
        and window[1] <= box[1] + 0.1
        and box[2] <= window[2] + 0.1
        and box[3] <= window[3] + 0.1
    )
