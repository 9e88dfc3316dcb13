"""Coasts, lakes and borders for maps, from Natural Earth: `python -m tests.kit.natural_earth FOLDER`.

FOLDER contains shapefiles of Natural Earth at 1:10 million (public domain, naturalearthdata.com): ocean,
lakes and admin_0_boundary_lines_land. Their parts on the board of Plains Indian Wars are cut out, simplified
and written to its data/geography.json. The rest of that file stays.
"""

import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from pathlib import Path
from struct import unpack_from
from typing import Any

Point = tuple[float, float]
Line = list[Point]

BOOK = Path(__file__).parents[2] / "games/plains_indian_wars/data/geography.json"
WINDOW = (-118.8, 25.4, -88.2, 50.7)
"""West, south, east and north of the cut: a little more than the board."""

FINE = 0.04
"""The tolerance of simplification, in degrees."""

STRAIGHT, NEAR = 0.5, 0.06
"""The minimum length of a border's straight stretches, and the part near their ends, in degrees."""

LAKES: dict[str, Point] = {
    "Great Salt Lake": (-112.6, 41.3),
    "Utah Lake": (-111.8, 40.2),
    "Bear Lake": (-111.33, 42.0),
    "Yellowstone Lake": (-110.36, 44.45),
    "Flathead Lake": (-114.1, 47.9),
    "Lake of the Woods": (-94.9, 49.2),
    "Lake Superior": (-88.5, 47.9),
    "Upper Red Lake": (-94.7, 48.1),
    "Mille Lacs": (-93.65, 46.25),
}
"""The lakes of 1865, each with a point in it. Later reservoirs are left out."""


def shapes(path: Path) -> Iterator[list[Line]]:
    """Yield the parts of each record in a shapefile of lines or polygons."""
    raw, at = path.read_bytes(), 100
    while at < len(raw):
        length = 2 * unpack_from(">i", raw, at + 4)[0]
        kind = unpack_from("<i", raw, at + 8)[0]
        if kind in (3, 5, 13, 15):
            parts, points = unpack_from("<2i", raw, at + 44)
            starts = [*unpack_from(f"<{parts}i", raw, at + 52), points]
            flat = unpack_from(f"<{2 * points}d", raw, at + 52 + 4 * parts)
            pairs = list(zip(flat[::2], flat[1::2], strict=True))
            yield [pairs[one:other] for one, other in itertools.pairwise(starts)]
        at += 8 + length


def clip(ring: Line) -> Line:
    """Return the part of a polygon in the window: cut along one side after the other."""
    west, south, east, north = WINDOW
    for axis, limit, sign in ((0, west, 1), (0, east, -1), (1, south, 1), (1, north, -1)):
        cut: Line = []
        for one, other in zip(ring, [*ring[1:], *ring[:1]], strict=True):
            inside, stays = sign * (one[axis] - limit) >= 0, sign * (other[axis] - limit) >= 0
            if inside:
                cut.append(one)
            if inside != stays:
                share = (limit - one[axis]) / (other[axis] - one[axis])
                cut.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
        ring = cut
    return ring


def simplify(line: Sequence[Point], fine: float = FINE) -> Line:
    """Return a line without the points that are hardly beside it (Douglas and Peucker)."""
    if len(line) < 3:
        return list(line)
    (x1, y1), (x2, y2) = line[0], line[-1]
    length = hypot(x2 - x1, y2 - y1)
    far, place = 0.0, 0
    for number, (x, y) in enumerate(line[1:-1], 1):
        off = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length if length else hypot(x - x1, y - y1)
        if off > far:
            far, place = off, number
    if far <= fine:
        return [line[0], line[-1]]
    return [*simplify(line[: place + 1], fine)[:-1], *simplify(line[place:], fine)]


def holds(ring: Sequence[Point], point: Point) -> bool:
    """Return whether a point is in a polygon."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], *ring[:1]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def inside(line: Line) -> Iterator[Line]:
    """Yield the pieces of a line that are in the window."""
    west, south, east, north = WINDOW
    piece: Line = []
    for x, y in line:
        if west <= x <= east and south <= y <= north:
            piece.append((x, y))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def join_ends(pieces: list[Line]) -> Iterator[Line]:
    """Yield pieces joined end to end, as long as they have common ends, from west to east."""
    while pieces:
        line = pieces.pop()
        while True:
            found = next((one for one in pieces if {one[0], one[-1]} & {line[0], line[-1]}), None)
            if found is None:
                break
            pieces.remove(found)
            if line[-1] not in (found[0], found[-1]):
                line.reverse()
            line += found[1:] if found[0] == line[-1] else found[-2::-1]
        yield line if line[0][0] < line[-1][0] else line[::-1]


def add_corner_points(line: Sequence[Point]) -> Iterator[Point]:
    """Yield a line with a point near each end of its long stretches, so that rounding keeps them straight."""
    for (x1, y1), (x2, y2) in itertools.pairwise(line):
        yield x1, y1
        length = hypot(x2 - x1, y2 - y1)
        if length > STRAIGHT:
            for share in (NEAR / length, 1 - NEAR / length):
                yield x1 + share * (x2 - x1), y1 + share * (y2 - y1)
    yield line[-1]


def to_json(line: Iterable[Point]) -> list[list[float]]:
    """Return a line in its JSON form."""
    return [[round(x, 2), round(y, 2)] for x, y in line]


def lines(book: dict[str, Any]) -> str:
    """Return the file's text: one entry per line, for readable changes."""
    parts = []
    for key, value in book.items():
        if isinstance(value, list) and isinstance(value[0], list | dict):
            told = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            parts.append(f"{json.dumps(key)}: [\n  {told}\n ]")
        elif isinstance(value, dict) and key != "projection":
            told = ",\n  ".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in value.items())
            parts.append(f"{json.dumps(key)}: {{\n  {told}\n }}")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def main(folder: Path) -> None:
    """Cut out the parts on the board, and write the file."""
    book = json.loads(BOOK.read_text())
    shores = [
        clip(ring) for parts in shapes(folder / "ne_10m_ocean.shp") for ring in parts[1:] if len(ring) > 400
    ]
    book["shores"] = [to_json(simplify(ring)) for ring in shores if len(ring) > 40]
    rings = [ring for parts in shapes(folder / "ne_10m_lakes.shp") for ring in parts[:1]]
    found = {name: next((ring for ring in rings if holds(ring, at)), None) for name, at in LAKES.items()}
    book["lakes"] = {name: to_json(simplify(clip(ring))) for name, ring in found.items() if ring}
    pieces = [
        piece
        for parts in shapes(folder / "ne_10m_admin_0_boundary_lines_land.shp")
        for line in parts
        for piece in inside(line)
        if len(piece) > 1
    ]
    book["frontiers"] = [to_json(add_corner_points(simplify(line))) for line in join_ends(pieces)]
    BOOK.write_text(lines(book))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
