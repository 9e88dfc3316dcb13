"""Layouts of boards: the shipped ones are those that the code computes, and others are computed once."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import games
from games import data
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.folders import VariantFolders
from games.diplomacy.boards.variants import read_variant
from games.diplomacy.map import dislodged_places, labels, layouts, outlines, terrain
from games.diplomacy.map.scene import ZOOMS
from games.options import settle, settle_for_new_game
from games.record import Malformed, canonical, read_json

KINDS = ("standard", "chaos", "fleet-rome", "indianomacy", "gulf")
FOLDER = Path(layouts.__file__).parent
IN_THE_SUITE = "standard", 3.0
"""The board whose layouts are computed again each time. The others are in the long campaigns."""
NAMES = ("labels", dislodged_places.SECOND_PLACES, "terrain")


def board_of(kind: str) -> Board:
    board: Board = games.kinds()[kind].rules.board
    return board


def boards(kind: str) -> Iterator[Board]:
    """A variant's board at each scale, as it is without settings and as a new game has it."""
    about = games.kinds()[kind].about
    for options in (settle(about.options, {}), settle_for_new_game(about, {})):
        board = read_variant(kind, VariantFolders()).under(options).board
        yield board
        yield from (board.closer(zoom) for zoom in ZOOMS)


def compute(board: Board) -> dict[str, bytes]:
    """The layouts of a board by file, as this code computes them."""
    key, shapes = board.key, outlines.atlas_key(board.chart)
    second = dislodged_places.compute_second_places(key)
    drawn = (labels.compute_labels(key), second, terrain.compute_terrain(board))
    return {
        layouts.layout_file(key): file_of(dict(zip(NAMES, drawn, strict=True))),
        layouts.layout_file(shapes): file_of({"atlas": outlines.compute_atlas(board)}),
    }


def file_of(computed: Mapping[str, object]) -> bytes:
    return canonical({"code": layouts.layout_code(), **computed}) + b"\n"


def shipped_names() -> set[str]:
    return {f"layouts/{file.name}" for file in (FOLDER / "layouts").iterdir()}


def test_each_board_of_ours_at_each_scale_has_layouts_of_todays_code(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--write-golden"):
        written = {
            file: text for kind in KINDS for board in boards(kind) for file, text in compute(board).items()
        }
        (FOLDER / "layouts").mkdir(exist_ok=True)
        for file in shipped_names() - set(written):
            (FOLDER / file).unlink()
        for file, text in written.items():
            (FOLDER / file).write_bytes(text)
    needed = {
        layouts.layout_file(key)
        for kind in KINDS
        for board in boards(kind)
        for key in (board.key, outlines.atlas_key(board.chart))
    }
    assert shipped_names() == needed
    # Written again by the line above: pytest tests/games/diplomacy/test_layouts.py --write-golden
    assert {read_json((FOLDER / file).read_bytes())["code"] for file in needed} == {layouts.layout_code()}


@pytest.mark.parametrize(
    ("kind", "zoom"),
    [
        pytest.param(kind, zoom, marks=() if (kind, zoom) == IN_THE_SUITE else pytest.mark.soak)
        for kind in ("standard", "chaos", "indianomacy")
        for zoom in (1.0, *ZOOMS)
    ],
)
def test_shipped_layouts_are_those_that_the_code_computes(kind: str, zoom: float) -> None:
    board = board_of(kind).closer(zoom)
    for file, text in compute(board).items():
        assert (FOLDER / file).read_bytes() == text
    key = board.key
    assert labels.province_labels(board) == labels.compute_labels(key)
    assert canonical(terrain.terrain(board)) == canonical(terrain.compute_terrain(board))


class Shelf(dict[str, bytes]):
    """A store that remembers what it was asked for."""

    def read(self, name: str) -> bytes | None:
        return self.get(name)

    def write(self, values: Mapping[str, bytes]) -> None:
        self.update(values)


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    store = Shelf()
    monkeypatch.setattr(data, "_result_stores", [store])
    return store


def test_the_layout_of_another_board_is_computed_once(shelf: Shelf) -> None:
    computed: list[str] = []

    def compute_once() -> dict[str, int]:
        computed.append("labels")
        return {"spa": 1}

    for _ in range(2):
        assert layouts.kept_layout("labels", dict[str, int], b"another board", compute_once) == {"spa": 1}
    assert len(computed) == len(shelf) == 1
    assert layouts.kept_layout("labels", dict[str, int], b"a third board", lambda: {}) == {}


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b'{"spa": "wide"}'], ids=("empty", "cut off", "of another type")
)
def test_a_damaged_layout_is_computed_again(shelf: Shelf, damaged: bytes) -> None:
    layouts.kept_layout("labels", dict[str, int], b"another board", lambda: {"spa": 1})
    (name,) = shelf
    shelf[name] = damaged
    try:
        layout = layouts.kept_layout("labels", dict[str, int], b"another board", lambda: {"spa": 1})
    except Malformed:
        layout = {}
    assert layout == {"spa": 1}, "a damaged file stops no picture"
    assert shelf[name] == b'{"spa":1}'


def test_changed_code_uses_no_layout_of_earlier_code(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    key = board_of("standard").closer(3.0).key
    assert layouts.shipped_layout("labels", dict, key)
    layouts.kept_layout("labels", dict[str, int], b"another board", lambda: {"spa": 1})
    monkeypatch.setattr(layouts, "layout_code", lambda: "other code")
    layouts._shipped_layouts.cache_clear()
    assert layouts.shipped_layout("labels", dict, key) is None
    assert layouts.kept_layout("labels", dict[str, int], b"another board", lambda: {"spa": 2}) == {"spa": 2}
    layouts._shipped_layouts.cache_clear()
