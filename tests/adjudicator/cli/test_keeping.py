"""The GM's emails, backups, shell completion, and questions at a terminal."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from adjudicator.cli.output import page_output, say
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.typing_hand import typed_at_terminal
from tests.kit.gm_process import gm_forker

pytestmark = pytest.mark.usefixtures("undrawn")


# Letters.


def test_a_letter_of_ones_own_goes_to_all_people_with_their_addresses(beaver: Terminal) -> None:
    said = beaver.says('mail compose beaver --subject "A pause" --text "We go on later.\n\nHave a rest."')
    assert said == "1 email ready to be sent: Iroquois.\n"
    letter = beaver.told("mail list --out")[0]
    assert (letter["to"], letter["seat"], letter["state"]) == ("iroquois@example.org", "Iroquois", "ready")
    assert letter["subject"].startswith("A pause [")
    text = beaver.told(f"mail show {letter['number']} --out")["text"]
    assert "We go on later.\n\nHave a rest." in text
    raw = beaver.says(f"mail show {letter['number']} --out --raw")
    assert "Reply-To: " in raw
    assert "gm+beaver.iroquois." in raw


def test_a_letter_goes_to_the_seats_that_are_named(beaver: Terminal) -> None:
    told = beaver.told('mail compose beaver iroquois --subject "Hello" --text "Hello."')
    assert [one["seat"] for one in told] == ["Iroquois"]
    assert "reads no email" in beaver.refused("mail compose beaver dakota --subject a --text b")
    assert "has no text" in beaver.refused("mail compose beaver --subject a --text ' '")
    assert "only bots play" in _without_people(beaver)


def _without_people(beaver: Terminal) -> str:
    beaver.says("seat assign beaver iroquois bot")
    return beaver.refused("mail compose beaver --subject a --text b")


# Backups.


def test_a_backup_is_taken_up_in_an_empty_folder(beaver: Terminal, tmp_path: Path) -> None:
    beaver.says('edit beaver place W Pima for Iroquois --why "a test"')
    file = tmp_path / "all.backup"
    told = beaver.told(f"backup {file}")
    assert told["games"] == ["beaver"]
    there = Terminal(tmp_path / "new")
    said = there.says(f"restore {file} --go")
    assert f"Wrote {there.config} as it was." in said
    for line in ("game show beaver", "game log beaver"):
        assert there.told(line) == beaver.told(line)
    seats = [one.told("seat show beaver iroquois") for one in (there, beaver)]
    # Emails sent since the backup hold the old addresses, and later ones: nobody has seen the new one.
    new, old = (seat.pop("reply_address") for seat in seats)
    assert new != old
    assert seats[0] == seats[1]
    assert there.told("game replay beaver")["difference"] is None
    assert {letter["state"] for letter in there.told("mail list --out")} == {"unsure"}


def test_books_are_thrown_away_only_if_it_is_meant(beaver: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "all.backup"
    beaver.says(f"backup {file}")
    beaver.says('edit beaver place W Pima for Iroquois --why "a test"')
    assert beaver.gm(f"restore {file}").exit_code == 2
    beaver.says(f"restore {file} --yes")
    assert [entry["kind"] for entry in beaver.told("game log beaver")] == ["setup"]
    assert "it already exists" in beaver.refused(f"backup {file}")
    assert "No file " in beaver.refused(f"restore {tmp_path / 'none'}")


# The shell.


def completed(beaver: Terminal, line: str) -> list[str]:
    """Return bash's completions of a line."""
    words = line.split(" ")
    around = {
        **os.environ,
        "_GM_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "GM_CONFIG": str(beaver.config),
    }
    return gm_forker().run([], around=around).stdout.decode().split()


def test_commands_games_seats_and_kinds_are_completed(beaver: Terminal) -> None:
    assert "rollback" in completed(beaver, "gm game ro")
    assert completed(beaver, "gm game show be") == ["beaver"]
    assert completed(beaver, "gm orders set beaver ir") == ["iroquois"]
    assert "indianomacy" in completed(beaver, "gm judge ind")


# The terminal.


def test_a_reason_and_a_yes_are_asked_for_at_a_terminal(beaver: Terminal) -> None:
    gm = ["--config", str(beaver.config)]
    code, screen = typed_at_terminal([*gm, "edit", "beaver", "free", "Mohawk"], "a slip of mine\n")
    assert code == 0
    assert "Why? This is logged" in screen
    assert beaver.told("game log beaver --entry 1")["why"] == "a slip of mine"
    clear = [*gm, "orders", "clear", "beaver", "iroquois", "--why", "x"]
    code, screen = typed_at_terminal(clear, "n\n")
    assert (code, "wasn't changed" in screen) == (1, True)


def test_colours_are_left_out_where_nobody_wants_them(
    beaver: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm = ["--config", str(beaver.config), "game", "show", "beaver"]
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PAGER", "cat")
    assert "\x1b[1m" in typed_at_terminal(gm, "")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in typed_at_terminal(gm, "")[1]


def test_what_is_longer_than_the_terminal_goes_through_the_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("rich.pager.SystemPager.show", lambda pager, text: shown.append(text))
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 3)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with page_output():
        say("one", "\x1b[1mtwo", "three", "four")
    assert shown == ["one\n�[1mtwo\nthree\nfour\n"]
