"""A variant looked over: its census, and what is odd about it without being wrong."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from games.diplomacy.boards.board import Board
from games.diplomacy.boards.languages import LANGUAGE_FILE
from games.diplomacy.boards.variants import Variant, compile_variant
from games.diplomacy.map.outlines import atlas
from games.diplomacy.model import Province
from games.protocol import Invalid, ReportTable

REQUIRED_FILES = ("map.json", "rulebook.toml")
OUTLINE = "outline.geojson"


def read_variant(files: Mapping[str, str]) -> Variant:
    """The variant of a folder's files, by their names. Raises Invalid that names file and entry at fault."""
    for name in REQUIRED_FILES:
        if name not in files:
            raise Invalid(name, "is missing", f"a variant's folder holds {' and '.join(REQUIRED_FILES)}")
    chart = _json("map.json", files["map.json"])
    if OUTLINE in files and isinstance(chart, dict):
        chart = {**chart, "shapes": _json(OUTLINE, files[OUTLINE])}
    rulebook = _toml("rulebook.toml", files["rulebook.toml"])
    languages = {name: _toml(name, text) for name, text in files.items() if LANGUAGE_FILE.fullmatch(name)}
    name = str(chart.get("name", "")) if isinstance(chart, dict) else ""
    variant = compile_variant(name, chart, rulebook, lambda: languages)
    variant.spoken()  # what is wrong there is to be told now
    return variant


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise Invalid(name, f"is no JSON at {where}: {fault.msg}") from fault


def _toml(name: str, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise Invalid(name, f"is no TOML: {fault}") from fault


def census(board: Board) -> tuple[ReportTable, ...]:
    """Return what there is, counted, and which provinces border which."""
    lands = [at for at in board.places if board.is_land(at)]
    counts = (
        ("land provinces", len(lands)),
        ("of them inland", sum(not board.spots[at] for at in lands)),
        ("of them with several coasts", sum(len(board.spots[at]) > 1 for at in lands)),
        ("seas", len(board.places) - len(lands)),
        ("supply centres", len(board.centres)),
        ("powers", len(board.powers)),
        ("units at the start", sum(map(len, board.starts.values()))),
        ("borders on foot", sum(map(len, board.army.values())) // 2),
        ("borders by water, by coast", sum(map(len, board.sailing.values())) // 2),
    )
    borders = tuple((board.abbr(at), *_neighbours(board, at)) for at in board.places)
    return (
        ReportTable(
            title="Census", columns=("what", "how many"), rows=tuple((what, str(n)) for what, n in counts)
        ),
        ReportTable(title="Borders", columns=("province", "on foot", "by water"), rows=borders),
    )


def _neighbours(board: Board, at: Province) -> tuple[str, str]:
    several = len(board.spots[at]) > 1
    waters = [
        (f"{here.partition('/')[2]}: " if several else "") + " ".join(map(board.abbr, board.sailing[here]))
        for here in board.spots[at]
    ]
    return " ".join(map(board.abbr, board.army[at])), "; ".join(waters)


def findings(board: Board) -> tuple[str, ...]:
    """Return what is odd: provinces out of reach, useless centres, shapes and borders that disagree."""
    return (*_lonely(board), *_victory(board), *_shapes(board))


def _lonely(board: Board) -> Iterator[str]:
    reached = board.steps(board.centres[:1])
    for at in board.places:
        if at not in reached:
            yield f"{board.name(at)} cannot be reached from {board.name(board.centres[0])}"


def _victory(board: Board) -> Iterator[str]:
    wanted, half = board.chart.victory.centres, len(board.centres) / 2
    if wanted > len(board.centres):
        yield f"{wanted} supply centres win, and there are {len(board.centres)}"
    elif wanted <= half:
        yield f"{wanted} supply centres win, so that two powers can have them at once"


def _shapes(board: Board) -> Iterator[str]:
    try:
        shapes = atlas(board)
    except Invalid as fault:
        yield f"the map cannot be drawn: {fault.what.rpartition('/')[2]} {fault.why}"
        return
    missing = [at for at in board.places if at not in shapes.rings]
    if missing:
        yield f"the map cannot be drawn: {OUTLINE} has no {', '.join(missing)}"
        return
    drawn = {frozenset(line.sides) for line in shapes.borders if len(set(line.sides)) == 2}
    meant = {frozenset((at, other)) for at in board.places for other in (*board.army[at], *board.fleet[at])}
    for pair in sorted(map(sorted, drawn - meant)):
        yield f"{pair[0]} and {pair[1]} touch on the map, and no unit passes between them"
    for pair in sorted(map(sorted, meant - drawn)):
        yield f"{pair[0]} and {pair[1]} border on each other, and do not touch on the map"
