"""The page for contributors: its commands work, its names exist, and its first change passes."""

import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import games
from tests.kit.console_examples import answer
from tests.kit.handbook import DOCS
from tests.kit.page_examples import blocks, run_commands
from tests.kit.source_files import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text()
PAGES = {"CONTRIBUTING.md": PAGE, "debugging.md": (DOCS / "debugging.md").read_text()}
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
WRITTEN = {".py", ".md", ".toml", ".json", ".html", ".txt", ".svg", ".eml"}
KEPT = ("games", "orders", "adjudicator", "templates", "tests", "docs")
PYTEST = re.compile(r"\.venv/bin/pytest( [^`\n]+)")
WRITING = ("--write-golden", "--write-clauses", "--co")
NAMED = re.compile(rf"`((?:{'|'.join(KEPT)}|\.ci)/[\w./-]*)`")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which somebody may change something."""
    folder = tmp_path_factory.mktemp("clone")
    litter = shutil.ignore_patterns("__pycache__")
    for name in ("games", "orders", "adjudicator", "templates", "tests/kit", "tests/orders"):
        shutil.copytree(ROOT / name, folder / name, ignore=litter)
    for name in ("pyproject.toml", "tests/__init__.py", "tests/conftest.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def ran(words: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run pytest with these arguments in a checkout and return its output."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def put_behind(file: Path, mark: str, text: str) -> None:
    """Insert a text after the first place of another one in a file."""
    before, found, after = file.read_text().partition(mark)
    assert found, f"{file} has no {mark}"
    file.write_text(f"{before}{found}{text}{after}")


def test_the_first_change_is_red_and_then_green(copy: Path) -> None:
    spelling, words = blocks(PAGE, "text")
    (told,) = re.findall(r"below `(order = [^`]+)`", PAGE)
    (red,) = re.findall(r"red, and says `([^`]+)`", PAGE)
    test = ["tests/orders/test_spellings.py"]
    assert f".venv/bin/pytest {test[0]}\n" in PAGE
    put_behind(copy / "tests/orders/spellings.toml", f"{told}\nspellings = [\n", spelling)
    done = ran(test, copy)
    assert done.returncode == 1
    assert red in done.stdout
    put_behind(copy / "games/diplomacy/model.py", 'MOVES = (\n    "(-|', words.strip())
    done = ran(test, copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", PAGES)
def test_what_is_named_is_there(name: str) -> None:
    named = NAMED.findall(PAGES[name])
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_pytest_command_names_tests(name: str) -> None:
    """Files or folders that are there; and where it chooses by a word, a kind of game."""
    for command in PYTEST.findall(PAGES[name]):
        words = [word for word in shlex.split(command) if word not in WRITING]
        if "-k" in words:
            assert words.pop() in games.kinds(), command
            words.remove("-k")
        assert [word for word in words if not (ROOT / word).exists() or not word.startswith("tests/")] == []


def test_every_word_of_make_is_there_and_told() -> None:
    (targets,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    told = set(re.findall(r"(?:`|^)make (\w+)", PAGE, re.MULTILINE))
    assert told == set(targets.split()) - {"demo"}


def test_the_hooks_of_git_are_what_the_suites_run() -> None:
    """With the tools of the checkout, and without the network."""
    (source,) = YAML(typ="safe").load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert source["repo"] == "local"
    suites = (ROOT / ".ci/suites").read_text().replace("$bin", ".venv/bin")
    tools = []
    for hook in source["hooks"]:
        tool = re.search(r"\.venv/bin/[\w-]+(?: (?:format|check))?", hook["entry"])
        assert tool is not None
        assert hook["language"] == "system"
        assert tool[0] in suites, hook
        tools.append(tool[0])
    assert len(tools) == len(set(tools)) == 4


def test_a_hook_takes_what_is_clean_and_refuses_what_is_not(tmp_path: Path) -> None:
    """Lint and format, by the very words of their entries."""
    (source,) = YAML(typ="safe").load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    (unused := tmp_path / "unused.py").write_text("import os\n")
    for hook in (one for one in source["hooks"] if one["stages"] == ["pre-commit"]):
        tool, *words = hook["entry"].split()
        ruff = [str(Path(sys.executable).parent / Path(tool).name), *words]
        assert subprocess.run([*ruff, str(Path(__file__))], cwd=ROOT, check=False).returncode == 0
        if hook["id"] == "lint":
            done = subprocess.run([*ruff, str(unused)], cwd=ROOT, capture_output=True, check=False)
            assert done.returncode == 1


@cache
def editors() -> ConfigParser:
    """Return the settings for editors; the lines before the first section say whose file it is."""
    told = ConfigParser(interpolation=None)
    told.read_string(f"[file]\n{(ROOT / '.editorconfig').read_text()}")
    return told


def asked_of(file: Path) -> dict[str, str]:
    """Return the settings of a file: the last matching section counts."""
    path, asked = file.relative_to(ROOT).as_posix(), dict[str, str]()
    for section in editors().sections()[1:]:
        if any(fnmatch(path, one) or fnmatch(file.name, one) for one in alternatives(section)):
            asked |= editors()[section]
    return asked


def alternatives(section: str) -> list[str]:
    """The patterns of a section, ``*.{a,b}`` as two."""
    found = re.fullmatch(r"(.*)\{(.*)\}(.*)", section)
    return [f"{found[1]}{one}{found[3]}" for one in found[2].split(",")] if found else [section]


def test_files_are_as_editors_are_told_to_leave_them() -> None:
    """So nobody's editor changes lines that its user didn't touch."""
    checks: dict[tuple[str, str], Any] = {
        ("end_of_line", "lf"): lambda raw: b"\r" not in raw,
        ("insert_final_newline", "true"): lambda raw: not raw or raw.endswith(b"\n"),
        ("trim_trailing_whitespace", "true"): lambda raw: not re.search(rb"[ \t]$", raw, re.MULTILINE),
        ("indent_style", "space"): lambda raw: not re.search(rb"^\t", raw, re.MULTILINE),
    }
    wrong = []
    files = [file for name in KEPT for file in (ROOT / name).rglob("*.*") if file.suffix in WRITTEN]
    assert len(files) > 900
    for file in (*files, ROOT / "Makefile", ROOT / "pyproject.toml"):
        raw, asked = file.read_bytes(), asked_of(file)
        wanted = [(key, kept) for (key, value), kept in checks.items() if asked.get(key) == value]
        wrong += [(str(file), key) for key, kept in wanted if not kept(raw)]
    assert wrong == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_offered_by_a_name_and_what_it_is_about(form: Path) -> None:
    head = YAML(typ="safe").load(form.read_text().split("---\n")[1])
    assert head.keys() == {"name", "about", "title", "labels"}
    assert all(head.values())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_what_a_form_asks_to_type_is_done(
    form: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a letter and a position; its own, where it has one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    run_commands(("gm init --no-local --timezone UTC --yes", "gm game new indianomacy beaver"))
    assert len(FORMS) == 2
    text = form.read_text()
    letter = next((ROOT / "tests/letters/indianomacy").glob("*.eml"))
    shutil.copy(letter, tmp_path / "letter.eml")
    (position,) = [one for one in blocks(text, "json") if one] or blocks(PAGES["debugging.md"], "json")
    (tmp_path / "position.json").write_text(position)
    commands = [line for block in blocks(text, "sh") for line in block.splitlines()]
    assert commands[-1] == "gm --version"
    for command in commands:
        printed = answer(command)
        written = command.partition(" > ")[2]
        assert (tmp_path / written).read_text().startswith("{") if written else printed, command
