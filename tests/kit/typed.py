"""The examples of pages: taken out of their blocks, and typed as a reader would type them."""

import re
import shlex
from collections.abc import Iterable

from typer.testing import CliRunner

from adjudicator.cli.app import app


def blocks(page: str, mark: str) -> list[str]:
    """The text of every block of a page that bears a mark, such as ``sh``."""
    return re.findall(rf"^```{mark}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def lines(page: str) -> list[str]:
    """Return what a page says to type, line by line."""
    return [line for block in blocks(page, "sh") for line in block.splitlines()]


def run_commands(commands: Iterable[str]) -> list[str]:
    """Return what each command prints, one after the other; each has to be done, and to say something."""
    printed = []
    for line in commands:
        word, *rest = shlex.split(line)
        done = CliRunner().invoke(app, rest, prog_name=word)
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stdout.strip(), line
        printed.append(done.stdout)
    return printed
