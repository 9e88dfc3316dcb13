"""Print the output of `gm`: rich tables on a terminal, plain columns elsewhere, JSON for programs."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich import box, pager
from rich import console as consoles
from rich import progress as bars
from rich import table as rich_table
from rich import text as texts

from adjudicator import clock
from adjudicator.errors import Refusal

if TYPE_CHECKING:
    from datetime import tzinfo

    from adjudicator.clock import Millis
    from adjudicator.daemon.environment import Finding
    from games.protocol import Game, OptionValue


_TERMINAL_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_ANSI_STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""Codes that a terminal obeys, but that some pagers don't."""

_GRADE_WIDTH, _SUBJECT_WIDTH = 7, 14
"""The widths of the columns of a finding: of its grade and of its subject."""

Row = Sequence[object]


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        print(clean(line), flush=True)


def clean(text: str) -> str:
    """Return the text without control characters, except line ends and tabs, so that no terminal obeys it."""
    return _TERMINAL_CONTROL.sub("�", text.replace("\r\n", "\n"))


def heading(text: str) -> None:
    """Print a heading, bold on a terminal, after an empty line."""
    if not _uses_rich():
        say("", clean(text))
        return
    screen = console()
    screen.print()
    screen.print(texts.Text(clean(text), style="bold"), soft_wrap=True)


PROBLEM_STYLES: Mapping[str, str] = {"good": "green", "odd": "yellow", "bad": "bold red"}
"""The colour of a finding on a terminal, by its grade."""


def say_problem(text: str, grade: str = "odd") -> None:
    """Print a line about a problem, in the colour of its grade on a terminal."""
    if uses_terminal():
        console().print(texts.Text(clean(text), style=PROBLEM_STYLES[grade]), soft_wrap=True)
    else:
        say(text)


def say_finding(grade: str, word: str, about: str, sentences: Sequence[str]) -> None:
    """Print a finding on a terminal, in three columns: its grade in a word, its subject, and sentences."""
    grid = rich_table.Table.grid(padding=(0, 2, 0, 0))
    for width in (_GRADE_WIDTH, _SUBJECT_WIDTH, None):
        grid.add_column(width=width, overflow="fold")
    said = texts.Text("\n".join(clean(sentence) for sentence in sentences))
    grid.add_row(texts.Text(word, style=PROBLEM_STYLES[grade]), texts.Text(clean(about), style="bold"), said)
    console().print(grid)


GRADE_WORDS = {"good": "OK", "odd": "WARNING", "bad": "ERROR"}


def say_finding_line(finding: Finding) -> None:
    """Print a finding with what to do: in columns on a terminal, in plain lines elsewhere."""
    word, said = GRADE_WORDS[finding.grade], " ".join(clean(finding.said).split())
    if uses_terminal():
        say_finding(finding.grade, word, finding.about, [said, *filter(None, [finding.instead])])
        return
    say(f"{word:<7} {finding.about}: {said}")
    if finding.instead:
        say(f"        {finding.instead}")


def table(
    columns: Sequence[str],
    rows: Sequence[Row],
    zone: tzinfo | None = None,
    problems: Sequence[str] = (),
) -> None:
    """Print rows under their columns. None is an empty cell; columns of numbers are set to the right.

    zone: of the times in the cells. problems: the columns that have the colour of a warning on a terminal.
    """
    cells = [[_cell(value, zone) for value in row] for row in rows]
    right = [bool(rows) and all(_is_number(row[place]) for row in rows) for place in range(len(columns))]
    if uses_terminal():
        _draw(columns, cells, right, problems)
    else:
        _align([list(columns), *cells], right)


@contextmanager
def page_output() -> Iterator[None]:
    """Show text printed inside the context in the pager, if it has more lines than the terminal."""
    if not sys.stdout.isatty():
        yield
        return
    sheet = _CapturedTerminal()
    with redirect_stdout(sheet):
        yield
    text = sheet.getvalue()
    if text.count("\n") < shutil.get_terminal_size().lines:
        print(text, end="", flush=True)
    else:
        pager.SystemPager().show(_ANSI_STYLE.sub("", text))


class _CapturedTerminal(io.StringIO):
    """Captures printed text, and pretends to be a terminal."""

    def isatty(self) -> bool:
        return True


def records(
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str | Callable[[Any], object]],
    *,
    as_json: bool,
    zone: tzinfo | None = None,
    empty: str,
) -> None:
    """Print rows as one JSON document, or as a table.

    columns: for each heading of the table, the key of its value, or a function of the row. zone: of the
    times in the table. empty: the line that is printed in place of a table without rows.
    """
    if as_json:
        document(rows)
    elif not rows:
        say(empty)
    else:
        table(
            tuple(columns),
            [[row[of] if isinstance(of, str) else of(row) for of in columns.values()] for row in rows],
            zone,
        )


def document(value: Any) -> None:
    """Print one JSON document. Its times are UTC, such as "2026-07-24T18:00:00+00:00"."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_format_utc), flush=True)


def _format_utc(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    raise TypeError(f"no JSON for {value!r}")


def moment(at: Millis | None) -> datetime | None:
    """Return an instant as a value that `document` and `table` can print."""
    return None if at is None else clock.datetime_of(at)


def pluralise(number: int, singular: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 email", "3 emails"."""
    return f"{number} {singular if number == 1 else many or singular + 's'}"


def _uses_rich() -> bool:
    """Return whether the output may be a terminal. If it isn't, rich isn't even loaded."""
    return sys.stdout.isatty() or any(os.environ.get(name) for name in ("FORCE_COLOR", "TTY_COMPATIBLE"))


def uses_terminal() -> bool:
    """Return whether the output goes to a terminal, so that colours and columns help."""
    return _uses_rich() and console().is_terminal


def console(*, stderr: bool = False) -> consoles.Console:
    """Return the terminal. It prints text as it is: paths and numbers get no colours of their own."""
    return consoles.Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def _draw(
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    right: Sequence[bool],
    problems: Sequence[str],
) -> None:
    grid = rich_table.Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, to_the_right in zip(columns, right, strict=True):
        style = PROBLEM_STYLES["odd"] if column in problems else ""
        justify: Literal["right", "left"] = "right" if to_the_right else "left"
        grid.add_column(texts.Text(column), justify=justify, overflow="fold", style=style)
    for row in cells:
        grid.add_row(*(texts.Text(cell) for cell in row))
    console().print(grid)


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], object]]:
    """Show a progress bar on the terminal, never in a file.

    Yields a function for the number of things done and the number of all. A single thing has no bar.
    """
    columns = (
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
    )
    screen = console(stderr=True)
    with bars.Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(title, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > 1)


def _align(cells: Sequence[Sequence[str]], right: Sequence[bool]) -> None:
    widths = [max(len(row[place]) for row in cells) for place in range(len(right))]
    for row in cells:
        padded = (
            cell.rjust(width) if to_the_right else cell.ljust(width)
            for cell, width, to_the_right in zip(row, widths, right, strict=True)
        )
        print("  ".join(padded).rstrip(), flush=True)


def _cell(value: object, zone: tzinfo | None) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(zone):%Y-%m-%d %H:%M}"
    return "" if value is None else " ".join(clean(str(value)).split())


def _is_number(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.isdigit())


# Options that name files or folders are replaced by their contents.


def read_file_options(game: Game, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options, with contents in place of the names of files and folders."""
    reads = {"file": _contents, "folder": _folder}
    sorts = {option.name: option.sort for option in game.about.options}
    return {
        name: reads[sorts[name]](name, value) if sorts.get(name) in reads else value
        for name, value in given.items()
    }


def _folder(name: str, path: str) -> str:
    """Return the data files in a folder as one text."""
    place = Path(path)
    if not place.is_dir():
        raise Refusal(f"option {name}", f"{path} isn't a folder", "Name the folder with your files")
    files = [file for file in sorted(place.iterdir()) if file.suffix in (".json", ".toml") and file.is_file()]
    if not files:
        raise Refusal(
            f"option {name}",
            f"no file in {path} ends in .json",
            'See "Your own copy" of the game in docs/',
        )
    return json.dumps({"files": {file.name: _contents(name, str(file)) for file in files}})


def _contents(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"option {name}", f"can't read {path}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(f"option {name}", f"{path} isn't a UTF-8 text file") from fault
