"""The wheel alone is enough for everything that the program does, without the repository."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from adjudicator import __version__
from adjudicator.cli.app import COMMAND_SUMMARIES
from tests.deploy.conftest import PATIENCE, ROOT, SOURCES, Program, metadata

pytestmark = PATIENCE
LIMIT_BYTES = 5_000_000
POSITION = {
    "phase": "S1901M",
    "units": {"Austria": ["A Vienna", "F Trieste"], "Italy": ["A Venice"]},
    "orders": {"Austria": ["a vienna→Tyrol", "F Trieste H"], "Italy": ["A Venice - Tyrolia"]},
}
IMPORT_ALL = """
import importlib, pkgutil, adjudicator, games, orders
for package in (adjudicator, games, orders):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.startswith("adjudicator.storage.migrations."):
            importlib.import_module(found.name)
print(adjudicator.__file__)
"""
CLIENT = """
from adjudicator import __version__
from games import kinds
from orders.mail.letter import open_letter

reveal_type(open_letter(b""))
reveal_type(kinds())
reveal_type(__version__)
"""


def test_it_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < LIMIT_BYTES


def test_it_holds_all_that_is_not_a_test(wheel: Path) -> None:
    """Each file of each package: a kind of data that nobody has told the build of would be missing."""
    with zipfile.ZipFile(wheel) as opened:
        held = set(opened.namelist())
    ours = {
        str(file.relative_to(ROOT))
        for name in SOURCES[:-1]
        for file in (ROOT / name).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert ours - held == set()
    shared = f"turnpost-{__version__}.data/data/share/turnpost/"
    deployed = {
        str(file.relative_to(ROOT / "deploy")) for file in (ROOT / "deploy").rglob("*") if file.is_file()
    }
    assert {shared + file for file in deployed} - held == set()
    assert not [name for name in held if name.startswith("tests/")]
    pages = {f"templates/players/{page.name}" for page in (ROOT / "docs" / "players").glob("*.md")}
    assert pages, "the players' pages are mailed, and stand in the handbook as well"
    assert pages <= held


def test_the_version_comes_from_one_place(wheel: Path, program: Program, tmp_path: Path) -> None:
    assert f"Version: {__version__}" in metadata(wheel)
    assert program.says(tmp_path, "--version") == f"gm {__version__}\n"
    written = re.compile(rf"\b{re.escape(__version__)}\b")
    places = [ROOT / "pyproject.toml", *(ROOT / "adjudicator").rglob("*.py")]
    assert [place for place in places if written.search(place.read_text())] == [
        ROOT / "adjudicator/__init__.py"
    ]


def test_what_tells_of_versions_tells_of_this_one() -> None:
    """The changelog has its day, the unit is installed from it, and upgrades lead on."""
    told = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    released = [one for one in told if one != "Unreleased"]
    assert told in (released, ["Unreleased", *released]), "what is not released stands first"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", one) for one in released)
    assert released[0].split()[0] == __version__
    assert _named("deploy/turnpost.service") == {_parts(__version__)}
    assert min(_named("deploy/README.md")) > _parts(__version__)


def _named(file: str) -> set[tuple[int, ...]]:
    return {_parts(one) for one in re.findall(r"turnpost-(\d+\.\d+\.\d+)", (ROOT / file).read_text())}


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_it_says_what_it_is_and_under_which_licences(wheel: Path) -> None:
    told = metadata(wheel)
    assert "License-Expression: MIT AND Bitstream-Vera AND Unicode-3.0" in told
    texts = {line.partition(": ")[2] for line in told if line.startswith("License-File: ")}
    assert texts == {"LICENSE", "adjudicator/reports/fonts/LICENSE.txt", "orders/LICENSE-UNICODE.txt"}
    with zipfile.ZipFile(wheel) as opened:
        for text in texts:
            held = opened.read(f"turnpost-{__version__}.dist-info/licenses/{text}").decode()
            assert held == (ROOT / text).read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {f"Classifier: {one}" for one in project["classifiers"]} <= set(told)
    assert "Classifier: Typing :: Typed" in told
    assert f"Keywords: {','.join(project['keywords'])}" in told


def test_its_types_are_told_to_whoever_imports_it(program: Program, tmp_path: Path) -> None:
    """By a marker in each of its packages, which mypy checks."""
    for name in SOURCES[:-1]:
        (site,) = program.prefix.glob(f"lib/python*/site-packages/{name}")
        assert (site / "py.typed").exists()
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    python = f"--python-executable={program.prefix}/bin/python"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", python, f"--cache-dir={tmp_path}/cache", str(client)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    told = re.findall(r'Revealed type is "(.+)"', done.stdout)
    letter, kinds, version = told
    assert (letter, version) == ("orders.mail.letter.Letter", "str"), done.stdout
    assert "Mapping[str, games.protocol.game.GameOf[" in kinds, done.stdout
    assert "Success" in done.stdout, done.stdout


def test_nothing_is_imported_that_it_does_not_ask_for(program: Program, tmp_path: Path) -> None:
    done = program.run(tmp_path, "-W", "error", "-c", IMPORT_ALL, program="python")
    assert Path(done.stdout.decode().strip()).is_relative_to(program.prefix)


def test_what_needs_no_service_is_done_in_an_empty_folder(program: Program, tmp_path: Path) -> None:
    helped = program.says(tmp_path, "--help")
    assert all(name in helped for name in COMMAND_SUMMARIES)
    clauses = json.loads(program.says(tmp_path, "rules", "standard", "--clauses", "--json"))
    assert all(clause["text"] for clause in clauses)
    assert any(clause["tests"] for clause in clauses), "which tests prove it is told without them"
    told = json.loads(program.says(tmp_path, "judge", "standard", given=json.dumps(POSITION).encode()))
    assert {one["outcome"] for one in told["results"]} == {"bounced", "held"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash"])
def test_the_shell_completes_commands(program: Program, tmp_path: Path, shell: str) -> None:
    """In a shell that has been told by `gm --install-completion` or by its own folder."""
    script = tmp_path / "completion"
    around = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = Program(program.prefix, around).says(tmp_path, "--show-completion", shell)
    script.write_text(shown)
    ask = f'. {script}; COMP_WORDS=(gm run p); COMP_CWORD=2; _gm_completion gm; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(
        [shell, "-c", ask],
        capture_output=True,
        text=True,
        env={"PATH": f"{program.prefix}/bin:/usr/bin:/bin", "HOME": str(tmp_path)},
        check=True,
    )
    assert done.stdout.split() == ["poll", "process"]
