"""The page on variants shows a small one completely: checked, with orders, and played as shown."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from adjudicator.admin.backup import restore_folders
from adjudicator.cli.app import app
from adjudicator.inbound.dry_run import dry_run, opening_of, position_of
from adjudicator.storage.archive import Folder
from adjudicator.variants import check_variant
from games.dice import LabelledDice, SealedDice
from games.messages import sentence
from games.protocol import Game, Seat
from tests.kit.handbook import DOCS
from tests.kit.made_boards import made_game
from tests.kit.page_examples import blocks
from tests.kit.variant_folders import play

PAGE = (DOCS / "variants.md").read_text()
GAMES = Path(games.__file__).parent
NORTH = Seat("North")


def strait(folder: Path) -> Path:
    """The folder, as somebody makes it who follows the page."""
    files = re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["map.json", "rulebook.toml"]
    made = folder / "strait"
    made.mkdir()
    for name, text in files:
        (made / name).write_text(text)
    return made


def game_of(folder: Path) -> Game:
    return check_variant(strait(folder)).game


def test_it_is_looked_over_as_the_page_says(tmp_path: Path) -> None:
    (said,) = re.findall(r"^```text\n(The Strait.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    done = CliRunner().invoke(app, ["variant", "check", str(strait(tmp_path))])
    assert done.exit_code == 0
    assert [line.rstrip() for line in done.output.strip().splitlines()] == said.splitlines()


_HAND = """
import contextlib, io, json, shlex, sys
from typer.testing import CliRunner
from adjudicator.cli.app import app
for line in sys.stdin:
    done = CliRunner().invoke(app, shlex.split(line), prog_name="gm")
    print(json.dumps([done.exit_code, done.output]), flush=True)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of all games, with the folder where the page says that it is to be put."""
    copied = shutil.copytree(GAMES, tmp_path / "copy" / "games")
    strait(copied / "diplomacy" / "variants")
    return tmp_path / "copy"


def typed_at(copy: Path, folder: Path, *lines: str) -> list[tuple[int, str]]:
    """Run each command in the copy's folder. Returns its output and exit code."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", _HAND],
        input="\n".join(lines),
        env=os.environ | {"PYTHONPATH": str(copy)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_it_is_played_where_the_page_says_to_put_it(installed: Path, tmp_path: Path) -> None:
    """Checked there, begun, a turn of it played and told; other kinds as ever, and the doctor content."""
    copied = installed / "games" / "diplomacy" / "variants" / "strait"
    said = typed_at(
        installed,
        tmp_path / "service",
        "init --no-local --timezone UTC --yes",
        f"variant check {copied}",
        "game new strait narrow",
        "seat assign narrow north north@example.org",
        "turn process narrow --yes",
        "game replay narrow",
        "game new diplomacy fox",
        "doctor --wait 0",
        "map narrow --out narrow.svg",
    )
    *done, mapped = said
    assert [code for code, _ in done] == [0] * len(done), said
    assert "Processed S1M of narrow. 2 emails" in done[4][1]
    assert "No problems found." in done[-1][1]
    assert mapped[0] == 0
    drawn = (tmp_path / "service" / "narrow.svg").read_text()
    assert sentence("diplomacy.map.schematic") in drawn


def test_a_folder_that_cannot_be_played_harms_itself_alone(installed: Path, tmp_path: Path) -> None:
    variants = installed / "games" / "diplomacy" / "variants"
    shutil.copytree(variants / "strait", variants / "channel")
    (variants / "strait" / "map.json").write_text("{")
    init, begun, refused, looked = typed_at(
        installed,
        tmp_path / "service",
        "init --no-local --timezone UTC --yes",
        "game new indianomacy beaver",
        "game new strait narrow",
        "doctor --wait 0",
    )
    assert (init[0], begun[0], refused[0]) == (0, 0, 1)
    assert "variants.strait is wrong: variants/strait/map.json: is no JSON at line 1" in refused[1]
    assert "channel can't be played" in looked[1]
    assert "is strait, and the folder channel; call both the same" in looked[1]
    assert "strait can't be played" in looked[1]


def test_a_backup_carries_the_folder_and_a_restore_puts_it_back(installed: Path, tmp_path: Path) -> None:
    """Existing files that differ stay as they are, and are named."""
    home, service = installed / "games" / "diplomacy" / "variants" / "strait", tmp_path / "service"
    begin = ["init --no-local --timezone UTC --yes", "game new strait narrow", "backup all.backup"]
    assert [code for code, _ in typed_at(installed, service, *begin)] == [0, 0, 0]
    before = {file.name: file.read_bytes() for file in home.iterdir()}
    shutil.rmtree(home)
    looked, restored = typed_at(installed, service, "status", "restore all.backup --yes")
    assert "narrow is suspended" not in looked[1], "it has a copy"
    assert f'{home} was missing and has been restored. Restart "gm serve".' in restored[1]
    assert {file.name: file.read_bytes() for file in home.iterdir()} == before
    replayed, again = typed_at(installed, service, "game replay narrow", "restore all.backup --yes")
    assert (replayed[0], str(home) in again[1]) == (0, False)
    (home / "rulebook.toml").write_text("# mine\n" + (home / "rulebook.toml").read_text())
    ((code, said),) = typed_at(installed, service, "restore all.backup --yes")
    assert (code, f"{home} differs from the backup and was left as it is" in said) == (0, True)


def test_a_folder_that_cannot_be_put_back_is_laid_aside(tmp_path: Path) -> None:
    folders = [Folder("games", "dice.py/odd", {"map.json": b"{}"}), Folder("games.none", "even", {"a": b""})]
    unwritable, homeless = restore_folders(folders, tmp_path / "aside", tmp_path / "own")
    assert "can't be written" in unwritable
    assert f"Move it there from {tmp_path / 'aside' / 'odd'}" in unwritable
    assert "the package games.none isn't installed here" in homeless
    assert (tmp_path / "aside" / "odd" / "map.json").read_bytes() == b"{}"


def test_the_check_knows_of_names_that_are_taken(tmp_path: Path) -> None:
    folder = strait(tmp_path)
    rulebook = folder / "rulebook.toml"
    rulebook.write_text('aliases = ["narrows", "dip"]\n' + rulebook.read_text())
    done = CliRunner().invoke(app, ["variant", "check", str(folder)])
    assert done.exit_code == 0
    assert "rulebook.toml: aliases: dip is Diplomacy already, and stays so" in done.output
    assert "narrows" not in done.output
    (folder / "map.json").write_text((folder / "map.json").read_text().replace('"strait"', '"dip"'))
    done = CliRunner().invoke(app, ["variant", "check", str(folder)])
    assert done.exit_code == 1
    assert "strait: map.json: name: dip is Diplomacy already" in done.output


def test_the_forms_of_a_small_board_show_a_convoy_that_could_be(tmp_path: Path) -> None:
    """Although no army starts on its shores."""
    examples = {form.name: form.example for form in reversed(game_of(tmp_path).notation.forms)}
    assert examples["convoy"] == "F STR C A HAV - POR"


def test_a_board_without_a_ring_or_a_convoy_has_its_forms_too(tmp_path: Path) -> None:
    """Their examples have places that exist, whoever could move between them."""
    folder = strait(tmp_path)
    chart = json.loads((folder / "map.json").read_text())
    roads = {
        "HAV": ["UPL", "MOO"],
        "UPL": ["HAV"],
        "MOO": ["HAV", "DAL"],
        "DAL": ["MOO", "POR"],
        "POR": ["DAL"],
    }
    waters = {"STR": ["HAV"], "HAV": ["STR"]}
    starts = {"North": ["F HAV", "A UPL"], "South": ["A DAL"]}
    for place in chart["provinces"]:
        place |= {"army": roads.get(place["id"], []), "fleet": waters.get(place["id"], [])}
    for power in chart["powers"]:
        power["starts"] = starts[power["id"]]
    chart["counts"] |= {"units": 3, "neutral": 0}
    (folder / "map.json").write_text(json.dumps(chart | {"neutral": []}))
    game = check_variant(folder).game
    names = {place["abbr"] for place in chart["provinces"]}
    shown = " ".join(form.example for form in game.notation.forms)
    assert set(re.findall(r"\b[A-Z]{3}\b", shown)) - {"VIA"} <= names


def test_its_letter_is_understood(tmp_path: Path) -> None:
    (text,) = blocks(PAGE, "letter")
    game = game_of(tmp_path)
    raw = f"From: north@example.org\nTo: gm@example.org\nSubject: orders\n\n{text}".encode()
    said = dry_run(raw, position_of(game, opening_of(game)), game, NORTH)
    assert [(row["grade"], row["read_as"]) for row in said["orders"]] == [
        ("taken", "A UPL - MOO"),
        ("taken", "F HAV - STR"),
    ]


def test_bots_of_every_level_play_it_and_every_event_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    for bot in game.bots.values():
        state = opening_of(game)
        for number in range(1, 16):
            dice = SealedDice(b"strait", "strait", number)
            orders = {
                due.seat: [
                    choice.order
                    for choice in bot.orders(
                        game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
                    )
                ]
                for due in game.rules.due(state)
            }
            outcome = game.rules.adjudicate(state, orders, dice)
            assert game.telling.headline(outcome.events)
            state = outcome.state
        assert len(state.units) > 4 or game.rules.result(state) is not None


RULES_SHOWN = re.findall(
    r"^```(json|toml)\n(.*?)^```$",
    PAGE.partition("\n## Rules that a board can have\n")[2].partition("\n## ")[0],
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.parametrize(("sort", "text"), RULES_SHOWN)
def test_each_rule_that_the_page_shows_can_be_played(sort: str, text: str) -> None:
    """Each example changes the Strait. The checker accepts it, and bots play ten turns of it."""
    if sort == "json":
        play(made_game(json.loads(text)), seed=1)
    else:
        play(made_game({}, tomllib.loads(text)), seed=1)
