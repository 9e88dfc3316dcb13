"""The examples of pages: extracted from their blocks, and run as a reader would type them."""

import re
import shlex
from collections.abc import Iterable

from typer.testing import CliRunner

from adjudicator.cli.app import app


def blocks(page: str, mark: str) -> list[str]:
    """Return the text of every block of a page with a mark such as ``sh``."""
    return re.findall(rf"^```{mark}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def lines(page: str) -> list[str]:
    """Return the lines that a page says to type."""
    return [line for block in blocks(page, "sh") for line in block.splitlines()]


def run_commands(commands: Iterable[str]) -> list[str]:
    """Return the output of each command in turn. Each must succeed and print something."""
    printed = []
    for line in commands:
        word, *rest = shlex.split(line)
        done = CliRunner().invoke(app, rest, prog_name=word)
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stdout.strip(), line
        printed.append(done.stdout)
    return printed
