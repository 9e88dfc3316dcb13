"""``gm mail read``: what a letter says, for one FILE or for many, in the opening or in a position."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.gm.app import app
from tests.kit.mail import letter

ASKED = ["--kind", "indianomacy", "--seat", "iroquois"]


def gm(*words: str, stdin: bytes | None = None) -> Result:
    """What ``gm mail read`` answers; no service is needed."""
    return CliRunner().invoke(app, ["mail", "read", *words], prog_name="gm", input=stdin)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """A letter in a file."""
    place = tmp_path / "orders.eml"
    place.write_bytes(letter("Mohok - Delaware"))
    return place


def test_a_letter_in_a_file_is_read(orders: Path) -> None:
    result = gm(str(orders), *ASKED)
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["orders"]
    assert (row["grade"], row["read_as"]) == ("corrected", "W MHK - DEL")


def test_a_letter_on_standard_input_is_read() -> None:
    result = gm("-", *ASKED, "--json", stdin=letter("Mohawk H"))
    assert json.loads(result.stdout)["orders"][0]["read_as"] == "W MHK H"


def test_with_lines_each_letter_has_one(orders: Path, tmp_path: Path) -> None:
    robot = tmp_path / "robot.eml"
    robot.write_bytes(letter("Mohawk H", headers={"Auto-Submitted": "auto-replied"}))
    result = gm(str(orders), str(robot), *ASKED, "--lines")
    assert [json.loads(line)["disposition"] for line in result.stdout.splitlines()] == ["read", "ignored"]
    assert gm(str(orders), str(robot), *ASKED).exit_code == 2


def test_a_position_may_be_given(orders: Path, tmp_path: Path) -> None:
    """In which what was lawful in the opening is not."""
    there = tmp_path / "position.json"
    there.write_text(json.dumps({"phase": "F3M", "units": {"Iroquois": ["W Santee"]}}))
    result = gm(str(orders), *ASKED, "--position", str(there))
    assert json.loads(result.stdout)["orders"][0]["grade"] == "unlawful"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere.eml", *ASKED], "letter nowhere.eml: cannot be read"),
        (["-", "--kind", "chess", "--seat", "white"], "kind chess: there is no such kind of game"),
        (["-", "--kind", "indianomacy", "--seat", "Dacota"], "seat Dacota: there is no such seat"),
        (["-", *ASKED, "--position", "nowhere.json"], "nowhere.json: cannot be read"),
    ],
)
def test_what_is_no_good_is_said(words: list[str], complaint: str) -> None:
    result = gm(*words, stdin=letter("Mohawk H"))
    assert result.exit_code == 1
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("{", "is no JSON"), ('{"phase": "F3M", "unit": {}}', "position: unit"), ("[]", "position")],
)
def test_a_position_that_is_none_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    there = tmp_path / "position.json"
    there.write_text(text)
    result = gm("-", *ASKED, "--position", str(there), stdin=letter("Mohawk H"))
    assert result.exit_code == 1
    assert complaint in result.stderr
