"""``gm mail read``: the reading of one file or many, in the opening or in a position."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from tests.kit.mail import letter

ASKED = ["--kind", "indianomacy", "--seat", "iroquois"]


def gm(*words: str, stdin: bytes | None = None) -> Result:
    """Run ``gm mail read``, which needs no service, and return its output."""
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


def test_without_why_nothing_more_is_said(orders: Path) -> None:
    keys = ["disposition", "why", "answered", "lines", "orders", "commands"]
    assert list(json.loads(gm(str(orders), *ASKED).stdout)) == keys
    told = json.loads(gm(str(orders), *ASKED, "--why").stdout)
    assert list(told) == [*keys, "weighed"]
    assert {key: told[key] for key in keys} == json.loads(gm(str(orders), *ASKED).stdout)


def test_why_tells_what_was_weighed() -> None:
    text = "Mohok - Delaware\nOneida H\nHELP\nsee you soon, my friend\nOneida, Mohawk"
    result = gm("-", *ASKED, "--why", stdin=letter(text))
    mended, spelt, command, talk, *_ = json.loads(result.stdout)["weighed"]
    (candidate,) = mended["candidates"]
    assert (candidate["order"], candidate["fate"]) == ("W MHK - DEL", "won")
    assert candidate["mended"] == ["Mohok as Mohawk"]
    first, second = candidate["nearest"][0][:2]
    assert (first["name"], first["slips"], second["name"], second["slips"]) == ("Mohawk", 2, "Miwok", 2)
    assert first["unlike"] < second["unlike"]
    assert mended["tried"][0] == "as it is spelt"
    assert mended["tried"][-1] == "with corrected names and words"
    assert (spelt["tried"], spelt["because"]) == (["as it is spelt"], "it is an order as it is spelt")
    assert (command["taken_for"], command["because"]) == ("command", "it is HELP")
    assert (talk["taken_for"], talk["because"]) == ("prose", "it has chatty words: you, soon")


def test_why_tells_of_meanings_that_are_as_likely() -> None:
    """It also names a meaning that is out of reach."""
    words = ("--kind", "standard", "--seat", "Germany", "--why")
    told = json.loads(gm("-", *words, stdin=letter("F Kie - Nordmeer\nA Ber - Kiel")).stdout)["weighed"]
    assert [one["fate"] for one in told[0]["candidates"]] == ["out of reach"]
    assert [one["fate"] for one in told[1]["candidates"]] == ["won"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere.eml", *ASKED], "Can't read nowhere.eml"),
        (["-", "--kind", "chess", "--seat", "white"], 'No game is called "chess"'),
        (["-", "--kind", "indianomacy", "--seat", "Dacota"], 'No seat called "Dacota"'),
        (["-", *ASKED, "--position", "nowhere.json"], "Can't read nowhere.json"),
    ],
)
def test_what_is_no_good_is_said(words: list[str], complaint: str) -> None:
    result = gm(*words, stdin=letter("Mohawk H"))
    assert result.exit_code == 1
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("{", "isn't JSON"), ('{"phase": "F3M", "unit": {}}', "Position: unit"), ("[]", "Position")],
)
def test_a_position_that_is_none_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    there = tmp_path / "position.json"
    there.write_text(text)
    result = gm("-", *ASKED, "--position", str(there), stdin=letter("Mohawk H"))
    assert result.exit_code == 1
    assert complaint in result.stderr
