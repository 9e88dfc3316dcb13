"""Pages that show a terminal: each command of a ``console`` block is run, and its output recorded.

A page is followed from top to bottom, in one folder and with one clock:

    `letter.eml` and a block below it       the file is written
    ```console and lines that begin with $  the commands are run, and the text below each is its output
    <!-- 84 hours later -->                 the clock advances

The part after ``|`` or ``>`` is run by the shell, which gets the output of ``gm``.
"""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

from typer.testing import CliRunner

from adjudicator.cli.app import app
from adjudicator.clock import HOUR, ManualClock

_PART = re.compile(
    r"^`(?P<file>[\w.-]+)`\n\n```\w*\n(?P<text>.*?)^```$"
    r"|^```console\n(?P<typed>.*?)^```$"
    r"|^<!-- (?P<hours>\d+) hours later -->$",
    re.MULTILINE | re.DOTALL,
)
_SHELL = re.compile(r"\s(?=[|<>]\s)")


def follow_page(page: str, folder: Path, clock: ManualClock) -> str:
    """Return the page with the output that a reader gets who follows it in that folder.

    The folder has to be the working directory, and the clock the service's.
    """
    done, end = [], 0
    for part in _PART.finditer(page):
        done.append(page[end : part.start()])
        end = part.end()
        if part["file"]:
            (folder / part["file"]).write_text(part["text"])
        elif part["hours"]:
            clock.advance(int(part["hours"]) * HOUR)
        done.append(part[0] if part["typed"] is None else f"```console\n{_run_block(part['typed'])}```")
    return "".join([*done, page[end:]])


def commands(page: str) -> Iterator[str]:
    """Yield the commands in a page's ``console`` blocks."""
    for part in _PART.finditer(page):
        yield from (line[2:] for line in (part["typed"] or "").splitlines() if line.startswith("$ "))


def _run_block(block: str) -> str:
    lines = []
    for command in (line[2:] for line in block.splitlines() if line.startswith("$ ")):
        printed = [line.rstrip() for line in answer(command).strip("\n").splitlines()]
        lines += [f"$ {command}", *printed]
    return "".join(f"{line}\n" for line in lines)


def answer(command: str) -> str:
    """Return the output of a ``gm`` command at a terminal in the working directory."""
    typed, *rest = _SHELL.split(command, maxsplit=1)
    shell = f" {rest[0]}" if rest else ""
    fed = re.match(r" < (\S+)", shell)
    word, *words = shlex.split(typed)
    assert word == "gm", command
    raw = Path(fed[1]).read_bytes() if fed else None
    done = CliRunner().invoke(app, words, prog_name="gm", input=raw)
    assert done.exit_code == 0, f"{command}\n{done.output}"
    piped = shell[fed.end() :] if fed else shell
    return pipe_through_shell(done.stdout, piped) + done.stderr if piped else done.output


def pipe_through_shell(text: str, shell: str) -> str:
    """Return the shell's result for a command's output: ``| grep -i cut``, ``> letter.eml``."""
    done = subprocess.run(
        ["bash", "-c", f"cat {shell}"], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout
