"""``gm``: plain looks are answered at once, everything else by the commands of `tree`."""

import atexit
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from adjudicator.cli import lazy_import
from adjudicator.errors import Fault, Refusal

if TYPE_CHECKING:
    from adjudicator.cli.commands import COMMAND_SUMMARIES as COMMAND_SUMMARIES
    from adjudicator.cli.commands import app as app


# Rule: nothing is imported here that a look does not need; typer takes longer to load than a look takes.


COMMAND_GC_THRESHOLD: Final = 100_000
"""So many new objects may come before rubbish is looked for: what a command loads stays, so there is none."""


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(COMMAND_GC_THRESHOLD)
    # What is left at the end goes with the process, unsearched.
    atexit.register(gc.freeze)
    lazy_import.begin()
    look = read(sys.argv[1:], os.environ)
    if look is not None:
        sys.exit(answer(look))
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


# Plain lines, ``gm status`` or ``gm turn process beaver``: typed so that nothing is parsed.
#
# Whatever is typed otherwise, ``--help`` too, is left to the parser of all commands, which takes longer to
# load than these take to answer.


# Rule: what is answered here is answered to the byte as `tree` would; the same function prints both.


JSON_FLAG: Final[Mapping[str, str]] = {"--json": "as_json"}


class FastCommand(NamedTuple):
    """A command that is called without Typer.

    function: the function of `views` that prints it; names: how many, from and to; flags: the options that
    it knows, each with the argument that it sets; asks: on a terminal it asks whether it is meant, unless one
    of them is given.
    """

    function: str
    names: tuple[int, int] = (0, 0)
    flags: Mapping[str, str] = JSON_FLAG
    asks: bool = False


class FastCall(NamedTuple):
    """A call of such a command. config: of ``--config``; flags: the arguments that were set."""

    kind: FastCommand
    names: tuple[str, ...]
    config: str | None
    flags: frozenset[str]

    @property
    def as_json(self) -> bool:
        """Return whether it is printed for programs."""
        return "as_json" in self.flags


FAST_COMMANDS: Final[Mapping[tuple[str, ...], FastCommand]] = {
    ("status",): FastCommand("show_status"),
    ("game", "list"): FastCommand("show_games"),
    ("game", "show"): FastCommand("show_game", (1, 1)),
    ("orders", "show"): FastCommand("show_orders", (1, 2)),
    ("player", "list"): FastCommand("show_players"),
    ("player", "show"): FastCommand("show_person", (1, 1)),
    ("mail", "list"): FastCommand("show_emails", flags={**JSON_FLAG, "--out": "out"}),
    ("turn", "process"): FastCommand(
        "process", (1, 1), flags={**JSON_FLAG, "--yes": "yes", "-y": "yes"}, asks=True
    ),
}
"""By the words of the command."""


def read(words: Sequence[str], environ: Mapping[str, str]) -> FastCall | None:
    """Return the call that these words make; None if they call another command, or not plainly."""
    if "_GM_COMPLETE" in environ:
        return None
    config, rest = _config(words)
    length = next((count for count in (1, 2) if tuple(rest[:count]) in FAST_COMMANDS), 0)
    if not length:
        return None
    kind, given = FAST_COMMANDS[tuple(rest[:length])], rest[length:]
    names = tuple(word for word in given if word not in kind.flags)
    least, most = kind.names
    if not least <= len(names) <= most or any(name.startswith("-") for name in names):
        return None
    flags = frozenset(kind.flags[word] for word in given if word in kind.flags)
    if kind.asks and not flags and sys.stdin.isatty():
        return None
    return FastCall(kind, names, config, flags)


def answer(look: FastCall) -> int:
    """Do and print what was asked for. Returns the exit code."""
    # For Python older than ours; what looks at types does without, and saves a tenth of this.
    lazy_import.spare("typing_extensions")
    print_it = getattr(import_module("adjudicator.cli.views"), look.kind.function)
    try:
        given = {name: name in look.flags for name in look.kind.flags.values()}
        print_it(look.config, *look.names, **given)
    except (Refusal, Fault) as fault:
        from adjudicator.cli.output import print_failure  # after `begin`: it would load all of the service

        print_failure(fault, look.as_json)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read it has gone; what is left in the buffer goes nowhere, and nothing is said of that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _config(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Return what ``--config`` names, and the words after it."""
    if words and words[0].startswith("--config="):
        return words[0].removeprefix("--config="), words[1:]
    if len(words) > 1 and words[0] == "--config":
        return words[1], words[2:]
    return None, words
