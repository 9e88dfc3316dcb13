"""The picture of a board without a drawing: a box for each province, and a line for each border.

Provinces that border each other are near each other. The layout minimises stress (Gansner, Koren and North,
2004), from a start by classical scaling or from the places of the names in map.json. Then boxes move apart.
The same board always has the same picture.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, pairwise, product
from math import ceil, floor, hypot, inf, sqrt
from typing import Any

from games.diplomacy.boards.board import Board, Chart, compile_board, compile_chart
from games.diplomacy.map.labels import USUAL_SHEET_WIDTH, Box, MapSizes, least_box, sizes, text_width
from games.diplomacy.map.outlines import Point
from games.diplomacy.model import Province, split_spot, spot
from games.record import load, plain, replace_fields

_Pair = tuple[int, int]

_MARGIN = 14.0
"""The least distance of a box from the edge of the sheet."""
_GAP = 26.0
"""The least distance of two boxes, so that the line between them can be seen."""
_LINE_ROOM = 6.0
"""The least distance of a line from the boxes that it passes."""
_SPREAD = 2.6
"""The area of the sheet, relative to that of the boxes with their gaps."""
_PADDING = (5.0, 8.0)
"""The room in a box at the sides of its texts, and above and below them."""
_MAX_NAMES_HEIGHT = 1400
"""The most height of a sheet with whole names. On a higher one, the boxes have abbreviations."""
_LEAST_HEIGHT, _MOST_HEIGHT = 700, 9000
_NEAR_CELL = 160.0
"""The width and height of the cells in which boxes near a line are searched."""
_COAST_DISTANCE = 0.6
"""The distance of a coast from its province, where the distance of two neighbours is 1."""
_PIVOTS = 12
_STRESS_WORK = 700_000
"""The most pairs of boxes that are looked at while the stress falls."""
_MAX_STRESS_ROUNDS = 60
_MAX_PUSH_ROUNDS, _ROUNDS_WITH_LINES = 200, 60
_BOWS = (0.0, *(sign * step * 20.0 for step in range(1, 30) for sign in (1, -1)))
"""How far a line is bent to pass a box, in the order in which it is tried."""
_LEANS = (0.5, 0.15, 0.85)
"""The places along a line where it is bent most."""
_CURVE_PARTS = 10
_STEP = 12
"""The width of a grid for lines that find no bend."""


_boards: dict[str, Board] = {}
"""By the hash of its chart, each board with its schematic drawing."""


def schematic_board(board: Board) -> Board:
    """Return a board with a schematic drawing: the places of its names, its sheet and its shapes."""
    if board.seal not in _boards:
        chart, drawing = board.chart, _lay_out(board.key)
        places = tuple(
            replace_fields(
                place, label=drawing.labels[place.id], radius=1.0, anchors=drawing.anchors[place.id]
            )
            for place in chart.provinces
        )
        drawn = replace_fields(
            chart, size=drawing.size, projection={}, provinces=places, shapes=drawing.shapes
        )
        _boards[board.seal] = compile_chart(drawn)
    return _boards[board.seal]


@dataclass(frozen=True)
class _Layout:
    """A schematic drawing: the sheet, the place of each name and of the fleets on each coast, the shapes."""

    size: tuple[int, int]
    labels: Mapping[Province, Point]
    anchors: Mapping[Province, dict[str, Point]]
    shapes: dict[str, Any]


@cache
def _lay_out(key: bytes) -> _Layout:
    board = compile_board(plain(load(Chart, key)))
    net = _Net.of(board)
    places = net.start(board)
    places = _settle(places, net.distances())
    size, half_sizes = _box_sizes(board, net)
    places = _fill_sheet(places, size, half_sizes)
    places, height = _move_apart(places, size, half_sizes, net)
    return _drawing(net, places, half_sizes, (size[0], height))


@dataclass(frozen=True)
class _Net:
    """The boxes and lines of a picture.

    nodes: a spot for each box: each province, then each of several coasts; links: the lines between boxes, by
    position, each with whether armies and whether fleets cross the border; joints: the lines between a
    province and its coasts.
    """

    nodes: tuple[Province, ...]
    links: Mapping[_Pair, tuple[bool, bool]]
    joints: tuple[_Pair, ...]

    @staticmethod
    def of(board: Board) -> "_Net":
        coasts = [spot(place.id, coast) for place in board.places.values() for coast in place.coasts]
        nodes = (*board.places, *coasts)
        index = {node: number for number, node in enumerate(nodes)}
        links: dict[_Pair, list[bool]] = {}
        for kind, near in enumerate((board.army, board.sailing)):
            for here, several in near.items():
                for there in several:
                    pair = min(index[here], index[there]), max(index[here], index[there])
                    links.setdefault(pair, [False, False])[kind] = True
        joints = tuple((index[split_spot(coast)[0]], index[coast]) for coast in coasts)
        return _Net(nodes, {pair: (foot, water) for pair, (foot, water) in sorted(links.items())}, joints)

    def distances(self) -> list[list[float]]:
        """Return the steps between each two boxes. Boxes in separate parts are a little farther than any."""
        near: list[list[int]] = [[] for _ in self.nodes]
        for first, second in (*self.links, *self.joints):
            near[first].append(second)
            near[second].append(first)
        table = [_steps_from(number, near) for number in range(len(near))]
        far = 1.0 + max((step for row in table for step in row if step >= 0), default=0)
        rows = [[far if step < 0 else float(step) for step in row] for row in table]
        for first, second in self.joints:
            rows[first][second] = rows[second][first] = _COAST_DISTANCE
        return rows

    def start(self, board: Board) -> list[Point]:
        """Return places to begin with: those of the names in map.json if they differ, else by distance."""
        written = [board.places[split_spot(node)[0]].label for node in self.nodes]
        lands = written[: len(board.places)]
        wide = max(max(at[side] for at in lands) - min(at[side] for at in lands) for side in (0, 1))
        if wide and all(hypot(a[0] - b[0], a[1] - b[1]) > 0.01 * wide for a, b in combinations(lands, 2)):
            scale = sqrt(len(lands)) / wide
            return [
                (x * scale + 0.1 * (number % 7), y * scale + 0.1 * (number % 5))
                if number >= len(lands)
                else (x * scale, y * scale)
                for number, (x, y) in enumerate(written)
            ]
        return _scale_classically(self.distances())


def _steps_from(start: int, near: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of steps to each box, -1 if there is no way."""
    steps = [-1] * len(near)
    steps[start], front = 0, [start]
    while front:
        ahead = []
        for here in front:
            for there in near[here]:
                if steps[there] < 0:
                    steps[there] = steps[here] + 1
                    ahead.append(there)
        front = ahead
    return steps


def _scale_classically(distances: Sequence[Sequence[float]]) -> list[Point]:
    """Return places in the plane whose distances are like those given (Brandes and Pich, PivotMDS)."""
    count = len(distances)
    pivots = [0]
    nearest = list(distances[0])
    while len(pivots) < min(_PIVOTS, count):
        pivots.append(max(range(count), key=nearest.__getitem__))
        nearest = [min(pair) for pair in zip(nearest, distances[pivots[-1]], strict=True)]
    squares = [[distances[pivot][node] ** 2 for pivot in pivots] for node in range(count)]
    by_row = [sum(row) / len(pivots) for row in squares]
    by_column = [sum(row[column] for row in squares) / count for column in range(len(pivots))]
    whole = sum(by_row) / count
    centred = [
        [
            -0.5 * (square - by_row[node] - by_column[column] + whole)
            for column, square in enumerate(squares[node])
        ]
        for node in range(count)
    ]
    product = [
        [sum(row[one] * row[other] for row in centred) for other in range(len(pivots))]
        for one in range(len(pivots))
    ]
    axes: list[list[float]] = []
    for number in range(2):
        axis = [1.0 + 0.37 * ((column * (number + 3)) % 5) for column in range(len(pivots))]
        for _ in range(60):
            axis = [sum(a * b for a, b in zip(row, axis, strict=True)) for row in product]
            for other in axes:
                share = sum(a * b for a, b in zip(axis, other, strict=True))
                axis = [a - share * b for a, b in zip(axis, other, strict=True)]
            length = sqrt(sum(value * value for value in axis)) or 1.0
            axis = [value / length for value in axis]
        axes.append(axis)
    points = [tuple(sum(a * b for a, b in zip(row, axis, strict=True)) for axis in axes) for row in centred]
    # The scale is that of the distances, and no two places are equal.
    far = max(map(max, distances)) / (max(hypot(x, y) for x, y in points) * 2 or 1.0)
    return [
        (x * far + 0.01 * (number % 11), y * far + 0.01 * (number % 7))
        for number, (x, y) in enumerate(points)
    ]


def _settle(places: Sequence[Point], distances: Sequence[Sequence[float]]) -> list[Point]:
    """Return the places after the stress has fallen: each goes where its distances fit best."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    count = len(places)
    weights = [[1 / (far * far) if far else 0.0 for far in row] for row in distances]
    sums = [sum(row) or 1.0 for row in weights]
    rounds = min(max(_STRESS_WORK // (count * count), 8), _MAX_STRESS_ROUNDS)
    for _ in range(rounds):
        for node in range(count):
            x, y, to_x, to_y = xs[node], ys[node], 0.0, 0.0
            for other_x, other_y, far, weight in zip(xs, ys, distances[node], weights[node], strict=True):
                if weight:
                    dx, dy = x - other_x, y - other_y
                    share = far / (hypot(dx, dy) or 1e-6)
                    to_x += weight * (other_x + dx * share)
                    to_y += weight * (other_y + dy * share)
            xs[node], ys[node] = to_x / sums[node], to_y / sums[node]
    return list(zip(xs, ys, strict=True))


def _box_sizes(board: Board, net: _Net) -> tuple[tuple[int, int], list[Point]]:
    """Return the size of the sheet, and half the width and the height of each box.

    The boxes have whole names if the sheet isn't too high then, and abbreviations otherwise.
    """
    for with_names in (True, False):
        height = _LEAST_HEIGHT
        for _ in range(2):  # the size of units follows from the sheet, and the sheet from that of the boxes
            size = USUAL_SHEET_WIDTH, height
            drawn = sizes(compile_chart(replace_fields(board.chart, size=size)))
            halves = [_half_size(board, node, drawn, with_names=with_names) for node in net.nodes]
            area = sum((2 * wide + _GAP) * (2 * high + _GAP) for wide, high in halves)
            height = round(min(max(_SPREAD * area / size[0], _LEAST_HEIGHT), _MOST_HEIGHT))
        if height <= _MAX_NAMES_HEIGHT:
            break
    return (USUAL_SHEET_WIDTH, height), halves


def _half_size(board: Board, node: Province, drawn: MapSizes, *, with_names: bool) -> Point:
    """Return half the width and half the height of a box."""
    at, coast = split_spot(node)
    place = board.places[at]
    wide, high = least_box(place, drawn, whole=with_names and not coast)
    if coast:
        # Below the unit is the name of the coast.
        wide = max(drawn.unit_width, text_width(coast.lower(), drawn.type)) + _PADDING[0]
        high += _PADDING[1]
    return wide / 2 + _PADDING[0], high / 2 + _PADDING[1]


def _fill_sheet(places: Sequence[Point], size: tuple[int, int], halves: Sequence[Point]) -> list[Point]:
    """Return the places spread over the sheet. The longer sides lie along each other."""
    spans = [max(at[side] for at in places) - min(at[side] for at in places) for side in (0, 1)]
    if (spans[0] < spans[1]) != (size[0] < size[1]):
        places = [(y, -x) for x, y in places]
    room = [size[side] - 2 * (_MARGIN + max(half[side] for half in halves)) for side in (0, 1)]
    lows = [min(at[side] for at in places) for side in (0, 1)]
    highs = [max(at[side] for at in places) for side in (0, 1)]
    scales = [room[side] / ((highs[side] - lows[side]) or 1.0) for side in (0, 1)]
    edges = [(size[side] - room[side]) / 2 for side in (0, 1)]
    return [
        (
            edges[0] + (x - lows[0]) * scales[0],
            edges[1] + (y - lows[1]) * scales[1],
        )
        for x, y in places
    ]


def _move_apart(
    places: Sequence[Point], size: tuple[int, int], halves: Sequence[Point], net: _Net
) -> tuple[list[Point], int]:
    """Return the places with all boxes apart and off the lines of others, and the height of the sheet."""
    at = [list(place) for place in places]
    lines = [*net.links, *net.joints]
    for number in range(_MAX_PUSH_ROUNDS):
        moved = _push_boxes(at, halves)
        if number < _ROUNDS_WITH_LINES:
            moved += _push_off_lines(at, halves, lines)
        for place, half in zip(at, halves, strict=True):
            place[0] = min(max(place[0], _MARGIN + half[0]), size[0] - _MARGIN - half[0])
        if not moved:
            break
    top = min(place[1] - half[1] for place, half in zip(at, halves, strict=True)) - _MARGIN
    low = max(place[1] + half[1] for place, half in zip(at, halves, strict=True)) + _MARGIN
    return [(round(x, 1), round(y - top, 1)) for x, y in at], round(low - top + 0.5)


def _push_boxes(at: list[list[float]], halves: Sequence[Point]) -> int:
    """Push each two boxes apart that are too close. Return how many were."""
    pushed = 0
    order = sorted(range(len(at)), key=lambda node: (at[node][0] - halves[node][0], node))
    for position, first in enumerate(order):
        right = at[first][0] + halves[first][0] + _GAP
        for second in order[position + 1 :]:
            if at[second][0] - halves[second][0] > right:
                # The order may no longer be exact, since boxes have moved. The next round sees them.
                break
            dx, dy = at[second][0] - at[first][0], at[second][1] - at[first][1]
            over_x = halves[first][0] + halves[second][0] + _GAP - abs(dx)
            over_y = halves[first][1] + halves[second][1] + _GAP - abs(dy)
            if over_x > 0.05 and over_y > 0.05:
                pushed += 1
                side, over, way = (0, over_x, dx) if over_x < over_y else (1, over_y, dy)
                step = (over / 2 + 0.05) * (1 if way >= 0 else -1)
                at[first][side] -= step
                at[second][side] += step
    return pushed


def _push_off_lines(at: list[list[float]], halves: Sequence[Point], lines: Iterable[_Pair]) -> int:
    """Push each box off the lines between others. Return how many were in the way."""
    pushed = 0
    cells = _Cells.of(
        [(x - wide, y - high, x + wide, y + high) for (x, y), (wide, high) in zip(at, halves, strict=True)]
    )
    for first, second in lines:
        (ax, ay), (bx, by) = at[first], at[second]
        length = hypot(bx - ax, by - ay) or 1.0
        across, down = -(by - ay) / length, (bx - ax) / length
        for node in cells.near([at[first], at[second]]):
            if node in (first, second):
                continue
            (x, y), (wide, high) = at[node], halves[node]
            off = (x - ax) * across + (y - ay) * down
            reach = abs(across) * wide + abs(down) * high + _LINE_ROOM
            along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (length * length)
            if abs(off) < reach and 0 < along < 1:
                pushed += 1
                step = 0.35 * (reach - abs(off) + 1.0) * (1 if off >= 0 else -1)
                at[node][0] += across * step
                at[node][1] += down * step
                for end in (first, second):
                    at[end][0] -= across * step / 3
                    at[end][1] -= down * step / 3
    return pushed


@dataclass(frozen=True)
class _Cells:
    """Boxes by the cells of a grid that they reach into, to find those near a line."""

    boxes: Mapping[tuple[int, int], Sequence[int]]

    @staticmethod
    def of(boxes: Sequence[Box]) -> "_Cells":
        cells: dict[tuple[int, int], list[int]] = {}
        for number, (left_edge, top, right, low) in enumerate(boxes):
            for column in range(int(left_edge // _NEAR_CELL), int(right // _NEAR_CELL) + 1):
                for row in range(int(top // _NEAR_CELL), int(low // _NEAR_CELL) + 1):
                    cells.setdefault((column, row), []).append(number)
        return _Cells(cells)

    def near(self, line: Iterable[Sequence[float]]) -> list[int]:
        """Return the boxes in the cells that a line reaches into, in order."""
        found: set[int] = set()
        points = list(line)
        for (ax, ay), (bx, by) in pairwise(points):
            left_edge, right = sorted((ax, bx))
            top, low = sorted((ay, by))
            for column in range(
                int((left_edge - _LINE_ROOM) // _NEAR_CELL), int((right + _LINE_ROOM) // _NEAR_CELL) + 1
            ):
                for row in range(
                    int((top - _LINE_ROOM) // _NEAR_CELL), int((low + _LINE_ROOM) // _NEAR_CELL) + 1
                ):
                    found.update(self.boxes.get((column, row), ()))
        return sorted(found)


def _drawing(net: _Net, places: Sequence[Point], halves: Sequence[Point], size: tuple[int, int]) -> _Layout:
    boxes = [
        (x - wide, y - high, x + wide, y + high) for (x, y), (wide, high) in zip(places, halves, strict=True)
    ]
    rings: dict[Province, list[Any]] = {}
    anchors: dict[Province, dict[str, Point]] = {}
    labels: dict[Province, Point] = {}
    for node, at, box in zip(net.nodes, places, boxes, strict=True):
        province, coast = split_spot(node)
        rings.setdefault(province, []).append([_rounded(box)])
        anchors.setdefault(province, {})
        labels.setdefault(province, at)
        if coast:
            anchors[province][coast] = (
                at[0],
                round(box[1] + _PADDING[1] + (box[3] - box[1] - 2 * _PADDING[1]) * 0.3, 1),
            )
    features = [
        {
            "type": "Feature",
            "properties": {"id": province},
            "geometry": {"type": "MultiPolygon", "coordinates": several},
        }
        for province, several in rings.items()
    ]
    cells = _Cells.of(boxes)
    shapes = {
        "type": "FeatureCollection",
        "features": features,
        "links": [
            {
                "ends": [net.nodes[first], net.nodes[second]],
                "on_foot": on_foot,
                "by_water": by_water,
                "points": _route((first, second), places, boxes, cells, size),
            }
            for (first, second), (on_foot, by_water) in (
                *net.links.items(),
                *((joint, (False, False)) for joint in net.joints),
            )
        ],
    }
    return _Layout(size, labels, anchors, shapes)


def _rounded(box: Box) -> list[list[float]]:
    """Return the ring of a box with cut corners."""
    left_edge, top, right, low = box
    cut = 6.0
    corners = [
        (left_edge + cut, top),
        (right - cut, top),
        (right, top + cut),
        (right, low - cut),
        (right - cut, low),
        (left_edge + cut, low),
        (left_edge, low - cut),
        (left_edge, top + cut),
        (left_edge + cut, top),
    ]
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def _route(
    ends: _Pair, places: Sequence[Point], boxes: Sequence[Box], cells: _Cells, size: tuple[int, int]
) -> list[Point]:
    """Return a line between two boxes that passes no other box: straight, or bent as little as possible."""
    start, end = (places[number] for number in ends)
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    across, down = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
    best: tuple[int, list[Point]] | None = None
    for bow, lean in ((bow, lean) for bow in _BOWS for lean in _LEANS if bow or lean == _LEANS[0]):
        knee = (
            start[0] + lean * (end[0] - start[0]) + 2 * bow * across,
            start[1] + lean * (end[1] - start[1]) + 2 * bow * down,
        )
        line = [*_bend(start, knee, end)] if bow else [start, end]
        off_sheet = sum(not (0 < x < size[0] and 0 < y < size[1]) for x, y in line)
        crossed = off_sheet + sum(
            _crosses(line, boxes[near]) for near in cells.near(line) if near not in ends
        )
        if best is None or crossed < best[0]:
            best = crossed, line
        if not crossed:
            break
    assert best is not None, "there is a way to try"
    crossed, line = best
    around = _find_way(start, end, [box for number, box in enumerate(boxes) if number not in ends], size)
    return [(round(x, 1), round(y, 1)) for x, y in (around if crossed and around else line)]


def _find_way(start: Point, end: Point, others: Sequence[Box], size: tuple[int, int]) -> list[Point]:
    """Return the shortest way around some boxes on a grid, without needless corners, or no points."""
    columns, rows = size[0] // _STEP, size[1] // _STEP
    closed = {
        (column, row)
        for left_edge, top, right, low in others
        for column in range(ceil((left_edge - _LINE_ROOM) / _STEP), floor((right + _LINE_ROOM) / _STEP) + 1)
        for row in range(ceil((top - _LINE_ROOM) / _STEP), floor((low + _LINE_ROOM) / _STEP) + 1)
    }
    first, last = ((round(x / _STEP), round(y / _STEP)) for x, y in (start, end))
    before: dict[_Pair, _Pair] = {first: first}
    lengths = {first: 0.0}
    waiting = [(0.0, first)]
    while waiting:
        _, here = heappop(waiting)
        if here == last:
            break
        for across, down in product((-1, 0, 1), repeat=2):
            there = here[0] + across, here[1] + down
            if there in closed or not (0 < there[0] < columns and 0 < there[1] < rows):
                continue
            length = lengths[here] + hypot(across, down)
            if length < lengths.get(there, inf):
                lengths[there], before[there] = length, here
                heappush(waiting, (length + hypot(last[0] - there[0], last[1] - there[1]), there))
    if last not in before:
        return []
    way = [last]
    while way[-1] != first:
        way.append(before[way[-1]])
    points = [start, *((x * float(_STEP), y * float(_STEP)) for x, y in way[-2:0:-1]), end]
    kept = [start]
    while kept[-1] is not end:
        at = points.index(kept[-1])
        clear = (
            point
            for point in reversed(points[at + 2 :])
            if not any(_crosses([kept[-1], point], box, 1.0) for box in others)
        )
        kept.append(next(clear, points[at + 1]))
    return kept


def _bend(start: Point, knee: Point, end: Point) -> Iterator[Point]:
    """Yield points of the curve from a start to an end that a third point pulls to its side."""
    for number in range(_CURVE_PARTS + 1):
        share = number / _CURVE_PARTS
        first, second, third = (1 - share) ** 2, 2 * share * (1 - share), share**2
        yield (
            first * start[0] + second * knee[0] + third * end[0],
            first * start[1] + second * knee[1] + third * end[1],
        )


def _crosses(line: Sequence[Point], box: Box, room: float = _LINE_ROOM) -> bool:
    """Return whether a line passes through a box or nearer to it than some distance."""
    left_edge, top, right, low = box[0] - room, box[1] - room, box[2] + room, box[3] + room
    return any(_clip(start, end, (left_edge, top, right, low)) for start, end in pairwise(line))


def _clip(start: Point, end: Point, box: Box) -> bool:
    """Return whether a straight line has a part inside a box (Liang and Barsky)."""
    enters, leaves = 0.0, 1.0
    for side in (0, 1):
        way = end[side] - start[side]
        low, high = box[side] - start[side], box[side + 2] - start[side]
        if not way:
            if low > 0 or high < 0:
                return False
            continue
        near, far = sorted((low / way, high / way))
        enters, leaves = max(enters, near), min(leaves, far)
    return enters < leaves
