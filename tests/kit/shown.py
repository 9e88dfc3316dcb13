"""Pages that show what a terminal shows: each command of a ``console`` block is typed, what it prints noted.

A page is followed from its head to its foot, in one folder and by one clock:

    `letter.eml` and a block below it       that file is written
    ```console and lines that begin with $  these are typed; what stands below each is what it printed
    <!-- 84 hours later -->                 the clock moves on

What stands behind ``|`` or ``>`` is the shell's, which gets what ``gm`` printed.
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
    """The page as it is when somebody does in that folder what it says, with what he then sees.

    The folder has to be the present one; the clock, the service's.
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
    """Yield what a page says to type in its ``console`` blocks, a command each."""
    for part in _PART.finditer(page):
        yield from (line[2:] for line in (part["typed"] or "").splitlines() if line.startswith("$ "))


def _run_block(block: str) -> str:
    lines = []
    for command in (line[2:] for line in block.splitlines() if line.startswith("$ ")):
        printed = [line.rstrip() for line in answer(command).strip("\n").splitlines()]
        lines += [f"$ {command}", *printed]
    return "".join(f"{line}\n" for line in lines)


def answer(command: str) -> str:
    """Return what a command that begins with ``gm`` shows at a terminal in the present folder."""
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
    """Return what the shell makes of a text that a command printed: ``| grep -i cut``, ``> letter.eml``."""
    done = subprocess.run(
        ["bash", "-c", f"cat {shell}"], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout
