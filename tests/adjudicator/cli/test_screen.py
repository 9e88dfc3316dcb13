"""The output of `gm` on a real terminal: colours, columns, progress, and no drawings."""

import re

import pytest

from adjudicator.cli import output
from adjudicator.cli.connect import tournament_kinds
from adjudicator.daemon.environment import Finding
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.test_help import run_gm
from tests.adjudicator.cli.typing_hand import typed_at_terminal

YELLOW, RED, GREEN = "\x1b[33m", "\x1b[1;31m", "\x1b[32m"


def on_screen(there: Terminal, line: str) -> tuple[int, str]:
    """Run a command at its own terminal. Returns its exit code and the screen."""
    return typed_at_terminal(["--config", str(there.config), *line.split()], "")


@pytest.fixture
def colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print as on a terminal of 60 columns with colours."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "60", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)


def test_a_map_is_not_printed_on_a_terminal(beaver: Terminal) -> None:
    """It names the file to draw to. A pipe gets the SVG as before."""
    code, screen = on_screen(beaver, "map beaver")
    assert code == 1
    assert "<svg" not in screen
    assert "gm map beaver --out beaver.png" in screen
    assert beaver.says("map beaver").startswith("<svg")


def test_paths_and_numbers_have_no_colours_of_their_own(
    colour: None, capsys: pytest.CaptureFixture[str]
) -> None:
    output.console().print("demo/site/games/demo/index.html has 40 turns, e.g. 'W1A'")
    assert "\x1b" not in capsys.readouterr().out


def test_findings_stand_in_columns_with_the_colour_of_their_grade(
    colour: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The advice stands under the finding, and long sentences stay in their column."""
    said = "two of the three copies of the database hold emails and addresses"
    for finding in (
        Finding("files", "good", "gm.toml is private", None),
        Finding("database", "odd", said, "Delete them"),
        Finding("inbox", "bad", "no login", "Check the password"),
    ):
        output.say_finding_line(finding)
    shown = capsys.readouterr().out
    assert f"{GREEN}OK" in shown
    assert f"{YELLOW}WARNING" in shown
    assert f"{RED}ERROR" in shown
    rows = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert [row.rstrip() for row in rows] == [
        "OK       files           gm.toml is private",
        "WARNING  database        two of the three copies of the",
        "                         database hold emails and addresses",
        "                         Delete them",
        "ERROR    inbox           no login",
        "                         Check the password",
    ]


def test_doctor_and_check_show_findings_alike(beaver: Terminal) -> None:
    """Both on a terminal with colour; in a pipe each as before, without."""
    (beaver.folder / "gm.toml").chmod(0o644)
    for line in ("doctor --wait 0", "status --check"):
        code, screen = on_screen(beaver, line)
        assert code in (0, 1, 3, 4), screen
        assert re.search(r"\x1b\[[0-9;]*m(OK|WARNING|ERROR)", screen), screen
        assert "\x1b" not in beaver.gm(line).stdout


def test_status_shows_problems_in_colour(colour: None, capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("game", "problem"), [("fox", "no mail")], problems=("problem",))
    output.say_problem("fox is suspended.")
    shown = capsys.readouterr().out
    assert f"{YELLOW}no mail" in shown
    assert f"{YELLOW}fox is suspended." in shown


def test_the_archive_is_built_with_a_progress_bar(beaver: Terminal) -> None:
    """With two games. A file gets only the last line."""
    beaver.says("game new standard fox")
    code, screen = on_screen(beaver, "site build")
    assert code == 0
    assert "Building games" in screen
    assert "2/2" in screen
    done = beaver.gm(f"site build --out {beaver.folder / 'again'}")
    assert done.stdout.startswith("2 games built")
    assert done.stderr == ""


def test_the_help_of_tournaments_lists_what_can_be_played() -> None:
    """War Chest has no count to compare, so it isn't among them."""
    listed = " ".join(run_gm("tournament", "--help").stdout.split())
    kinds = tournament_kinds(None)
    assert f"The game to play: {', '.join(kinds)}." in listed
    assert "war-chest" not in kinds
    assert "standard" in kinds
    for kind in ("war-chest", kinds[0]):
        refused = run_gm("tournament", kind, "--games", "1", "--seats", "nobody").stderr
        assert ("Can't hold a tournament" in refused) == (kind == "war-chest")
