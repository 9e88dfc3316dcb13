"""``gm game export --as`` and ``gm game import`` of other programs' records, through the command line."""

import json
import shutil
from pathlib import Path

import pytest

from tests.adjudicator.cli.conftest import Terminal
from tests.kit.verdicts import records

TURNS = 6
CENTRES = "BEL HOL DEN SWE NWY PAR BRE MAR SPA POR TUN LON EDI LVP ROM NAP VEN STP MOS WAR SEV"
SPRING, FALL = "Movement results for Spring of 1902", "Movement results for Fall of 1901"


@pytest.fixture(scope="module")
def played(template_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service with a game of standard Diplomacy, some turns old."""
    there = Terminal(
        Path(shutil.copytree(template_folder / "empty", tmp_path_factory.mktemp("played") / "service"))
    )
    there.says("game new standard vienna")
    for _ in range(TURNS):
        there.says("turn process vienna")
    return there.folder


@pytest.fixture
def vienna(played: Path, tmp_path: Path) -> Terminal:
    """That service, to be changed."""
    return Terminal(Path(shutil.copytree(played, tmp_path / "service")))


def turns_of(there: Terminal, name: str) -> list[tuple[str, str]]:
    """Turn by turn the hash of the state after it, as the log has it."""
    log = json.loads(there.says(f"game export {name}"))["log"]
    return [(one["entry"]["turn"], one["entry"]["state_sha"]) for one in log]


@pytest.mark.parametrize("form", ["judge", "diplomacy"])
def test_a_game_goes_out_and_comes_back(vienna: Terminal, form: str) -> None:
    file = vienna.folder / "there"
    assert f"in the format of {form}" in vienna.says(f"game export vienna --as {form} --out {file}")
    said = vienna.says(f"game import {file} --name prague")
    assert "Imported prague" in said
    assert "otherwise" not in said
    assert turns_of(vienna, "prague") == turns_of(vienna, "vienna")
    assert "identical" in vienna.says("game replay prague")


@pytest.mark.parametrize("form", ["judge", "diplomacy"])
def test_a_record_that_goes_on_after_its_eighteenth_centre_is_played_by_the_former_rule(
    vienna: Terminal, form: str
) -> None:
    """A game of today is over after the Fall in which a power owns 18 centres; others wait for the builds."""
    vienna.says("game new standard berlin --option victory_after=winter")
    vienna.says("turn process berlin")
    document = json.loads(vienna.says("game export berlin"))
    for unit in document["log"][-1]["state"]["units"]:
        if unit["power"] in ("England", "France", "Italy", "Russia"):
            vienna.says(f"edit berlin remove {unit['at']} --why test")
    for centre in CENTRES.split():
        vienna.says(f"edit berlin give {centre} to Germany --why test")
    while document["status"] == "running":
        vienna.says("turn process berlin")
        document = json.loads(vienna.says("game export berlin"))
    assert turns_of(vienna, "berlin")[-1][0] == "W1901A"
    file = vienna.folder / "there"
    vienna.says(f"game export berlin --as {form} --out {file}")
    assert "Nobody has anything to order" not in vienna.says(f"game import {file} --name prague")
    again = json.loads(vienna.says("game export prague"))
    assert [one["entry"]["turn"] for one in again["log"] if one["entry"]["kind"] == "turn"] == [
        one["entry"]["turn"] for one in document["log"] if one["entry"]["kind"] == "turn"
    ]
    if form == "diplomacy":  # results of the Judge tell owners in Winter alone
        assert again["log"][0]["entry"]["options"]["victory_after"] == "winter"
    assert (again["status"], again["log"][-1]["state"]["winners"]) == ("finished", ["Germany"])


def test_the_package_s_game_is_taken_over(vienna: Terminal) -> None:
    """There an army walked that had asked for a convoy in vain; here it would have stayed."""
    file = vienna.folder / "saved.json"
    file.write_text(json.dumps(records("theirs")["walked"]))
    said = vienna.says(f"game import {file}")
    assert "Before W1901A the record differs: remove PIC" in said
    assert "Before W1901A the record differs: place A BEL for France" in said
    assert "No orders are due in W1901A here" in said
    assert "1 order for the current turn" in said
    log = json.loads(vienna.says("game export standard-1"))["log"]
    assert [one["entry"]["why"] for one in log if one["entry"]["kind"] == "edit"]
    assert {"A BEL", "F ENG"} <= {f"{one['kind']} {one['at']}" for one in log[-1]["state"]["units"]}
    assert "identical" in vienna.says("game replay standard-1")


def test_what_the_package_has_played_on_is_written_so(vienna: Terminal) -> None:
    """It has loaded a record, come to the phase that was due, and played on; we write the same of it."""
    record = records("ours")[-1]
    assert record["options"] == {}
    file = vienna.folder / "ours.json"
    file.write_text(json.dumps(record["saved"]))
    said = vienna.says(f"game import {file} --name {record['saved']['id']}")
    assert "otherwise" not in said
    assert json.loads(vienna.says(f"game export {record['saved']['id']} --as diplomacy")) == record["saved"]


def test_what_is_no_record_is_said_to_be_none(vienna: Terminal) -> None:
    file = vienna.folder / "letter.txt"
    file.write_text("A PAR - BUR\n")
    refused = vienna.refused(f"game import {file}")
    assert 'Use a file from "gm game export", or a record of: diplomacy, judge' in refused
    file.write_text("Movement results for Spring of 1901.\n\nFrance: Army Nowhere -> Paris.\n")
    assert "doesn't name a game" in vienna.refused(f"game import {file}")
    file.write_text('{"phases": [')
    assert "is no JSON" in vienna.refused(f"game import {file}")


def test_where_a_record_is_damaged_or_leaves_turns_out(vienna: Terminal) -> None:
    file = vienna.folder / "vienna.txt"
    text = vienna.says("game export vienna --as judge")
    first, _, rest = text.partition(FALL)
    file.write_text(f"{first}{FALL}{rest.replace('Army', 'Airship', 1)}")
    assert "F1901M: " in vienna.refused(f"game import {file}")
    file.write_text(f"{first}{SPRING}{rest.partition(SPRING)[2]}")
    assert "Before S1902M the record differs: " in vienna.says(f"game import {file}")
    late = "".join(f"Movement results for Fall of {year}\n\n" for year in (1907, 1908))
    file.write_text(first + late)
    assert "F1908M: it doesn't follow F1901M" in vienna.refused(f"game import {file}")


def test_a_game_that_others_do_not_know_is_not_written_so(vienna: Terminal) -> None:
    vienna.says("game new indianomacy beaver")
    assert "Indianomacy II has no such format" in vienna.refused("game export beaver --as judge")
    assert "judge or diplomacy" in vienna.refused("game export vienna --as pbem")
