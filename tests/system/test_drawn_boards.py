"""Three boards of our own, from one SVG each to an email that is answered."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app
from tests.system.test_variants_by_mail import seated

BOARDS = Path(__file__).parents[1] / "drawings"
PLAYED = {
    "marches": (
        {"North": "Northmark - Highfell", "South": "Southmark - Riverbend", "East": "Eastmark - Stonegate"},
        ("Highfell", "Riverbend", "Stonegate"),
    ),
    "lagoon": (
        {
            "Alba": "Alba - Northwest Sea",
            "Bellis": "F Bellis - NES",
            "Coral": "Coral - SWS",
            "Dorado": "Dorado - SES",
        },
        ("Northwest Sea", "Northeast Sea", "Southwest Sea", "Southeast Sea"),
    ),
    "isthmus": ({"West": "Westland - Isthmus", "East": "A EAS - MID"}, ("Isthmus", "Midland")),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYED)
def test_from_the_drawing_to_an_answer(name: str, tmp_path: Path) -> None:
    """The drawing is taken by `gm variant draw`. Each player orders by email and reads what came of it."""
    folder = tmp_path / "drawn" / name
    shutil.copytree(BOARDS / name, folder)
    done = CliRunner().invoke(app, ["variant", "draw", str(folder), str(folder / f"{name}.svg"), "--json"])
    assert done.exit_code == 0, done.output
    assert not json.loads(done.output)["findings"], "the drawing has the borders of map.json"
    files = {file.name: file.read_text() for file in folder.iterdir() if file.suffix != ".svg"}
    orders, places = PLAYED[name]
    with seated(tmp_path, name, files, *orders) as table:
        table.play(**orders)
        assert table.turn == "F1M", table.read(next(iter(orders)))
        for power, place in zip(orders, places, strict=True):
            letter = table.place.mail(table.address(power))[-1]
            assert place in table.last(power)
            pictures = [part for part in letter.walk() if part.get_content_type() == "image/png"]
            assert pictures, "the report has the map"
        assert table.replayed() is None


@pytest.mark.long
def test_from_a_variant_document_and_its_layers_to_a_game_by_email(tmp_path: Path) -> None:
    """A year of the delta is played. Its document and drawing are taken by `gm variant import`."""
    files = [str(BOARDS / "delta" / file) for file in ("delta.json", "delta.svg")]
    command = ["variant", "import", files[0], "--drawing", files[1], "--into", str(tmp_path / "in"), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert [note["changes_play"] for note in told["notes"]].count(True) == 5, "docs/variants.md has more"
    folder = tmp_path / "in" / "board-2-delta"
    assert told["folder"] == str(folder)
    texts = {file.name: file.read_text() for file in folder.iterdir()}
    with seated(tmp_path, "board-2-delta", texts, "Upper-Town", "Lower-Town") as table:
        assert "Flood 40 BC" in table.last("Upper-Town")
        table.play(**{"Upper-Town": "North Bay - Mouth (NC)", "Lower-Town": "East Bank - Fen"})
        assert table.turn == "F-40M", table.read("Upper-Town")
        table.play(**{"Upper-Town": "F Mouth hold", "Lower-Town": "A FEN hold"})
        assert table.turn == "W-40A", table.read("Lower-Town")
        table.play(**{"Upper-Town": "Build army West Bank", "Lower-Town": "Build fleet East Bank"})
        assert table.turn == "S-35M", "a round takes five years"
        assert "Flood 35 BC" in table.last("Lower-Town")
        assert table.replayed() is None
