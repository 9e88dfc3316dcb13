"""Small maps for the index page: the regions of a drawing in their colours, with coarse outlines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from adjudicator.website.maps import SHAPE_NAME_PREFIX, MapLayers
from adjudicator.website.timeline import SIDE_COLOURS
from games.protocol import MapRegion, SeatColours

WIDTH = 120
"""The width of a small map in its own units. Outlines are rounded to whole units."""
_LEAST_STEP = 2
"""The shortest step of an outline. With shorter ones a map took 10 kB."""

_REGION_SHAPE = re.compile(
    rf'<(?:path|polygon) id="{SHAPE_NAME_PREFIX}([^"]+)" (?:d|points)="([^"]+)"([^>]*)>'
)
_COLOURED_SHAPE = re.compile(rf'<use href="#{SHAPE_NAME_PREFIX}([^"]+)" fill="(#\w+)"')
_GROUND_SHAPE = re.compile(rf'<g fill="(#\w+)">|</g>|<(?:path|polygon) id="{SHAPE_NAME_PREFIX}([^"]+)"')
"""The start of a group of one colour, the end of a group, or a shape."""
_FILL = re.compile(r' fill="(#\w+)"')
_GROUND = re.compile(r'<rect [^>]*fill="(#\w+)"')
_PATH_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_DEFAULT_GROUND = "#ece5d6"
_NUMBERS_OF = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "a": 7, "z": 0}
"""The number of numbers that each letter of an SVG path takes."""

Point = tuple[float, float]


def small_map(plate: MapLayers, spots: Sequence[MapRegion], badges: Mapping[str, SeatColours]) -> str:
    """Return a small map as an SVG element, or "" if the game has no regions to show.

    spots: the regions, with their owners. badges: the colours of the seats on the map.
    """
    if not spots:
        return ""
    drawing = "".join(plate.elements)
    shapes = {shape[1]: (shape[2], shape[3]) for shape in _REGION_SHAPE.finditer(drawing)}
    coloured, ground_colours = shape_colours(drawing), _ground_colours(drawing)
    owners = sorted({spot.owner for spot in spots if spot.owner})
    left, top, width, height = map(float, plate.view.split())
    scale = WIDTH / width
    outlines: dict[str, list[str]] = {}
    for spot in spots:
        path, rest = shapes.get(spot.shape, (spot.path, ""))
        fill = coloured.get(spot.shape) or spot.colour or _owner_colour(spot.owner, owners, badges)
        own = _FILL.search(rest)
        if fill := fill or (own[1] if own else "") or ground_colours.get(spot.shape, ""):
            outlines.setdefault(fill, []).append(_coarse(path, left, top, scale))
    ground = _GROUND.search(drawing)
    box = f"0 0 {WIDTH} {round(height * scale)}"
    paths = "".join(f'<path fill="{fill}" d="{"".join(shown)}"/>' for fill, shown in outlines.items())
    board = f'<path fill="{ground[1] if ground else _DEFAULT_GROUND}" d="M0 0h999v999H0z"/>'
    return f'<svg class="small" viewBox="{box}" aria-hidden="true">{board}{paths}</svg>'


def shape_colours(drawing: str) -> dict[str, str]:
    """Return the colours of a drawing's shapes by the name of the shape: the first colour of each."""
    return dict(reversed(_COLOURED_SHAPE.findall(drawing)))


def land_colours(drawing: str, spots: Sequence[MapRegion]) -> dict[str, SeatColours]:
    """Return by owner the colour of its land on a drawing."""
    colours = shape_colours(drawing)
    return {
        str(spot.owner): SeatColours(ink=colours[spot.shape], land=colours[spot.shape])
        for spot in spots
        if spot.owner and spot.shape in colours
    }


def _ground_colours(drawing: str) -> dict[str, str]:
    """Return the colours of land that nobody owns, by the name of the shape. Water has none."""
    colours: dict[str, str] = {}
    current = ""
    for found in _GROUND_SHAPE.finditer(drawing):
        if found[2]:
            if current and int(current[1:3], 16) >= int(current[5:7], 16):
                colours[found[2]] = current
        else:
            current = found[1] or ""
    return colours


def _owner_colour(owner: str | None, owners: Sequence[str], badges: Mapping[str, SeatColours]) -> str:
    if not owner:
        return ""
    return badges[owner].land if owner in badges else SIDE_COLOURS[owners.index(owner) % len(SIDE_COLOURS)]


@lru_cache(maxsize=8192)
def _coarse(path: str, left: float, top: float, scale: float) -> str:
    """Return an outline in whole units, without the points that are close to the one before."""
    pieces = []
    for ring in _rings(path):
        kept: list[tuple[int, int]] = []
        for x, y in ring:
            across, down = round((x - left) * scale), round((y - top) * scale)
            if not kept or max(abs(across - kept[-1][0]), abs(down - kept[-1][1])) >= _LEAST_STEP:
                kept.append((across, down))
        if len(kept) < 3:
            continue
        steps = [f"{x - was_x} {y - was_y}" for (was_x, was_y), (x, y) in pairwise(kept)]
        pieces.append(f"M{kept[0][0]} {kept[0][1]}l{' '.join(steps)}z".replace(" -", "-"))
    return "".join(pieces)


def _rings(path: str) -> Iterator[list[Point]]:
    """Yield the rings of an SVG path or polygon as points. Of a curve only its end counts."""
    tokens = _PATH_TOKEN.findall(path)
    if tokens and not tokens[0].isalpha():
        tokens.insert(0, "M")
    ring: list[Point] = []
    letter, place, x, y = "M", 0, 0.0, 0.0
    while place < len(tokens):
        if tokens[place].isalpha():
            letter, place = tokens[place], place + 1
            if letter in "Mm" and ring:
                yield ring
                ring = []
        many = _NUMBERS_OF[letter.lower()]
        numbers = [float(token) for token in tokens[place : place + many]]
        place += many
        if not many:
            x, y = ring[0] if ring else (x, y)
            continue
        x, y = _end(letter, numbers, x, y)
        ring.append((x, y))
        letter = {"M": "L", "m": "l"}.get(letter, letter)
    if ring:
        yield ring


def _end(letter: str, numbers: Sequence[float], x: float, y: float) -> Point:
    """Return where a step of a path ends, from where it begins."""
    from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
    if letter in "Hh":
        return from_x + numbers[0], y
    if letter in "Vv":
        return x, from_y + numbers[0]
    return from_x + numbers[-2], from_y + numbers[-1]
