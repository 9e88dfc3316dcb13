"""ARCHITECTURE.md is short and names what exists. Every module has a one-line summary."""

import re

import pytest

from tests.kit.source_files import MAX_SUMMARY_CHARS, PACKAGES, PAGE, ROOT, sources, summary

MAX_LINES = 250
PLACES = ("", "adjudicator/", "tests/", "tests/system/")
"""The folders from which the page names files."""


def missing(text: str) -> list[str]:
    """Return the files and the names of modules in a page that do not exist."""
    named = re.findall(r"`([\w./*-]+)(?:\(\))?`", text)
    files = [name for name in named if re.search(r"\.(?:py|md|toml)$", name) and name != "gm.toml"]
    dotted = [
        name for name in named if re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)*\.\w+", name) and name not in files
    ]
    lost = [name for name in files if not any([*ROOT.glob(f"{place}{name}")] for place in PLACES)]
    for name in dotted:
        parts = name.split(".")
        homes = [
            (ROOT / place / "/".join(parts[:size])).with_suffix(".py")
            for place in ("", "adjudicator")
            for size in (len(parts), len(parts) - 1)
        ]
        file = next((home for home in homes if home.is_file()), None)
        if file is not None and not re.search(rf"\b{parts[-1]}\b", f"{file} {file.read_text('utf-8')}"):
            lost.append(name)
    return lost


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_what_the_page_names_is_there() -> None:
    assert missing(PAGE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "name", ["adjudicator/moat.py", "inbound/moat.py", "inbound.pipeline.moat", "storage.inbox.moat"]
)
def test_what_is_not_there_is_noticed(name: str) -> None:
    """So the test above can fail."""
    assert missing(f"Read `{name}` and `inbound.pipeline.handle_letter`.") == [name]


def test_every_module_says_in_a_line_what_it_holds() -> None:
    """One sentence on the first line of its docstring, and not too long."""
    lines = {file.relative_to(ROOT).as_posix(): summary(file) for file in sources(*PACKAGES)}
    migrations = {file for file in lines if "/migrations/0" in file}
    odd = [
        file
        for file, line in lines.items()
        if len(line) > MAX_SUMMARY_CHARS or (line and line[-1] not in '."?')
    ]
    assert sorted(set(odd) - migrations) == []
    assert len(lines) > 300
