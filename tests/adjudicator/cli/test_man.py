"""Manual pages have all commands with all options, and groff accepts them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator import __version__
from adjudicator.cli.app import COMMAND_SUMMARIES, app
from adjudicator.cli.manual import _escape_roff, _examples
from tests.kit.servers import LEFT_OUT

DEPLOY = Path(__file__).parents[3] / "deploy"


def run_man(*words: str) -> Result:
    return CliRunner().invoke(app, ["man", *words], prog_name="gm")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages, as they are written for man."""
    place = tmp_path_factory.mktemp("man")
    assert run_man("--to", str(place)).exit_code == 0
    return place / "man1"


def formatted(page: Path) -> tuple[str, str]:
    """A page as it is read, on endless lines, and what groff has against it."""
    if shutil.which("groff") is None:
        pytest.skip(f"{LEFT_OUT}groff is not installed: apt-get install groff-base")
    words = ["groff", "-man", "-Tutf8", "-k", "-ww", "-P-c", "-rLL=2000n", "-rHY=0", str(page)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=True)
    return re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout).replace("−", "-").replace("‐", "-"), done.stderr


def test_there_is_a_page_for_each_command(folder: Path) -> None:
    assert {file.name for file in folder.iterdir()} == {
        "gm.1",
        *(f"gm-{name}.1" for name in COMMAND_SUMMARIES),
    }


@pytest.mark.parametrize("name", ["gm", *(f"gm-{name}" for name in COMMAND_SUMMARIES)])
def test_groff_has_nothing_to_say_against_it(folder: Path, name: str) -> None:
    text, complaints = formatted(folder / f"{name}.1")
    assert complaints == ""
    assert __version__ in text
    assert "\\" not in text.replace("\\e", "")


def test_the_first_page_lists_the_others(folder: Path) -> None:
    text, _ = formatted(folder / "gm.1")
    for name, summary in COMMAND_SUMMARIES.items():
        assert f"gm-{name}(1)" in text
        assert " ".join(summary.split()) in " ".join(text.split())


def test_a_noun_has_its_verbs_with_options_and_examples(folder: Path) -> None:
    text, _ = formatted(folder / "gm-game.1")
    help_text = CliRunner().invoke(app, ["game", "new", "--help"], prog_name="gm").output
    for flag in re.findall(r"--[a-z-]+", help_text):
        assert flag in text
    assert "gm game new indianomacy beaver --option last_year=8" in text


def test_one_is_printed(folder: Path) -> None:
    assert run_man("game").stdout == (folder / "gm-game.1").read_text()
    assert run_man().stdout == (folder / "gm.1").read_text()
    told = json.loads(run_man("serve", "--json").stdout)
    assert told == {"name": "gm-serve", "page": (folder / "gm-serve.1").read_text()}
    unknown = run_man("gaem")
    assert (unknown.exit_code, "gm --help" in unknown.stderr) == (1, True)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "man1").touch()
    refused = run_man("--to", str(tmp_path))
    assert (refused.exit_code, "can't be written" in refused.stderr) == (1, True)


def test_what_roff_would_obey_is_shown(tmp_path: Path) -> None:
    for text in (".so /etc/passwd", "'br", "a \\fBbold\\fR word", "--option", "it's"):
        page = tmp_path / "page.1"
        page.write_text(f'.TH A 1 "" "" ""\n.SH NAME\n{_escape_roff(text)}\n')
        shown, complaints = formatted(page)
        assert complaints == ""
        assert text in shown.replace("’", "'")


def test_examples_are_kept_as_they_are_typed() -> None:
    assert _examples("\b\nExample:\n  gm a   --b\n\nThen on.") == [
        ".EX",
        "gm a   \\-\\-b",
        ".EE",
        ".PP",
        "Then on.",
    ]
    assert _examples(None) == []


def test_the_pages_that_units_name_are_there(folder: Path) -> None:
    named = {
        name
        for unit in [*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")]
        for name in re.findall(r"man:([a-z-]+)\(1\)", unit.read_text())
    }
    assert named
    assert {f"{name}.1" for name in named} <= {file.name for file in folder.iterdir()}
