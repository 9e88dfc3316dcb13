"""``gm``: plain looks are answered at once, everything else by the commands of `tree`."""

# Rule: nothing is imported here that a look does not need; typer takes longer to load than a look takes.

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from adjudicator.cli import lazy_import, plain

if TYPE_CHECKING:
    from adjudicator.cli.commands import COMMAND_SUMMARIES as COMMAND_SUMMARIES
    from adjudicator.cli.commands import app as app

COMMAND_GC_THRESHOLD: Final = 100_000
"""So many new objects may come before rubbish is looked for: what a command loads stays, so there is none."""


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(COMMAND_GC_THRESHOLD)
    # What is left at the end goes with the process, unsearched.
    atexit.register(gc.freeze)
    lazy_import.begin()
    look = plain.read(sys.argv[1:], os.environ)
    if look is not None:
        sys.exit(plain.answer(look))
    from adjudicator.cli import commands

    commands.app(prog_name="gm")


def __getattr__(name: str) -> Any:
    """``app`` and ``COMMAND_SUMMARIES``: all commands as typer has them."""
    if name not in ("app", "COMMAND_SUMMARIES"):
        raise AttributeError(
            f"module {__name__} has no attribute {name}", name=name, obj=sys.modules[__name__]
        )
    from adjudicator.cli import commands

    return getattr(commands, name)
