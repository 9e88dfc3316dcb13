"""Printed output: plain without a terminal, styled on one, and never with control characters."""

import subprocess
import sys

import pytest

from adjudicator.cli.output import clean, pluralise, table

COLUMNS = ("seat", "missed")
ROWS = [("Iroquois", 0), ("Apache\x1b[31m", 12), (None, 3)]


def test_columns_are_aligned_numbers_to_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    table(COLUMNS, ROWS)
    assert capsys.readouterr().out == (
        "seat         missed\nIroquois          0\nApache�[31m      12\n                  3\n"
    )


def test_a_table_without_rows_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    table(COLUMNS, [])
    assert capsys.readouterr().out == "seat  missed\n"


def test_on_a_terminal_it_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    table(COLUMNS, ROWS)
    drawn = capsys.readouterr().out
    assert "─" in drawn
    assert "\x1b[3" not in drawn  # no colour where none is wanted


def test_markup_in_a_letter_is_no_markup(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    table(("subject",), [("[bold]:smile: [/nonsense]",)])
    assert "[bold]:smile: [/nonsense]" in capsys.readouterr().out


def test_control_characters_are_shown_as_such() -> None:
    assert clean("a\x1b]0;title\x07b\r\nc\td\x9b\u202e") == "a�]0;title�b\nc\td��"


def test_numbers_with_their_nouns() -> None:
    assert (pluralise(1, "letter"), pluralise(0, "letter"), pluralise(2, "entry", "entries")) == (
        "1 letter",
        "0 letters",
        "2 entries",
    )


def test_a_reader_that_leaves_early_is_no_trouble() -> None:
    """``gm rules KIND --clauses | head -1``."""
    done = subprocess.run(
        f"{sys.executable} -m adjudicator rules indianomacy --clauses | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("clause")
    assert "Traceback" not in done.stderr
