"""A game with its players from a file, or from questions on a terminal."""

from pathlib import Path

import pytest

from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.typing_hand import typed_at_terminal

TOML = """
game = "standard"
name = "hare"
[settings]
moves = "48h"
[[seats]]
seat = "france"
address = "france@example.org"
language = "en"
[[seats]]
seat = "italy"
address = "italy@example.org"
"""


def players(terminal: Terminal, game: str) -> dict[str, str]:
    """Return the players by seat."""
    seats = terminal.told(f"game show {game}")["seats"]
    return {seat["seat"]: seat["address"] for seat in seats if seat.get("address")}


@pytest.mark.usefixtures("undrawn")
def test_everything_from_one_file(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "hare.toml"
    file.write_text(TOML)
    said = terminal.says(f"game new --from {file}")
    assert "france@example.org plays France." in said
    assert "  italy@example.org: " in said, "what each will receive"
    assert players(terminal, "hare") == {"France": "france@example.org", "Italy": "italy@example.org"}
    assert "48h" in terminal.says("game terms hare") or "2d" in terminal.says("game terms hare")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "text",
    ["seat,address\nfrance,france@example.org\n", "\ufeffAddress;Seat\r\nfrance@example.org;France\r\n"],
)
def test_the_players_from_a_table(terminal: Terminal, tmp_path: Path, text: str) -> None:
    file = tmp_path / "players.csv"
    file.write_text(text, encoding="utf-8")
    terminal.says(f"game new standard hare --from {file} --seat italy=italy@example.org")
    assert players(terminal, "hare") == {"France": "france@example.org", "Italy": "italy@example.org"}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.csv", "france,f@example.org\n", "Begin it with the line seat,address"),
        ("a.csv", "seat,address\nfrance,\n", "player 1: it has no address"),
        (
            "a.csv",
            "seat,address\nfrance,f@example.org\nfrance,g@example.org\n",
            "france is named twice",
        ),
        ("a.csv", "seat,address,language\nfrance,f@example.org,eo\n", 'can\'t be in "eo" yet'),
        ("a.csv", "seat,address\nfrance,nobody\n", "isn't a player's address"),
        ("a.csv", "seat,address\nnarnia,f@example.org\n", "narnia"),
        ("a.txt", "", "must end in .csv or .toml"),
        ("a.toml", "game = [", "it isn't TOML"),
        ("a.toml", 'game = "standard"\ncolour = "red"', "colour: there is no such key. Keys: game, name"),
        ("a.toml", 'seats = "france"', "it isn't a list of seats"),
        ("a.toml", "game = 3", "3 isn't text in quotes"),
        ("a.toml", '[[seats]]\nseat = "france"\nmail = "x"', "mail has no meaning there"),
        ("a.toml", "options = 3", "Write [options]"),
    ],
)
def test_a_file_that_does_not_work(
    terminal: Terminal, tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert complaint in " ".join(terminal.refused(f"game new standard hare --from {file}").split())
    assert terminal.told("game list") == []


def test_without_a_terminal_the_game_must_be_named(terminal: Terminal) -> None:
    result = terminal.gm("game new")
    assert result.exit_code == 2
    assert "gm rules" in result.stderr


def test_on_a_terminal_it_asks(terminal: Terminal) -> None:
    """A wrong answer is asked for again.

    The emails that each player will receive are shown before the game begins.
    """
    answers = [
        ("Which game", "nosuch\n"),
        ("Which game", "standard\n"),
        ("Player", "france\n"),
        ("Player", "narnia=x@example.org\n"),
        ("Player", "france=france@example.org\n"),
        ("Player", "\n"),
        ("Start the game", "y\n"),
    ]
    code, shown = typed_at_terminal(["--config", str(terminal.config), "game", "new"], "", answers)
    assert code == 0, shown
    assert 'No game is called "nosuch"' in shown
    assert "isn't SEAT=ADDRESS" in shown
    assert 'There is no seat "narnia"' in shown
    assert "france@example.org plays france, and gets a welcome" in shown
    (game,) = terminal.told("game list")
    assert players(terminal, game["game"]) == {"France": "france@example.org"}


def test_cancelled_on_a_terminal_nothing_begins(terminal: Terminal) -> None:
    answers = [("Player", "\n"), ("Start the game", "n\n")]
    words = ["--config", str(terminal.config), "game", "new"]
    code, shown = typed_at_terminal(words, "", [("Which game", "war-chest\n"), *answers])
    assert code == 1
    assert "no game was started" in shown
    assert terminal.told("game list") == []
