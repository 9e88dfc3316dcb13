"""The entry point of ``gm``: a fast path for simple commands, and `commands` for all others."""

import atexit
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from adjudicator.cli import lazy_import
from adjudicator.errors import Fault, Refusal, print_failure

if TYPE_CHECKING:
    from adjudicator.cli.commands import COMMAND_SUMMARIES as COMMAND_SUMMARIES
    from adjudicator.cli.commands import app as app


# Rule: import nothing here that the fast path doesn't need: loading typer takes longer than a fast command.


COMMAND_GC_THRESHOLD: Final = 100_000
"""The threshold of the garbage collector: a command's objects live until its end, so there is no garbage."""


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(COMMAND_GC_THRESHOLD)
    # The objects that remain end with the process, without a search for garbage.
    atexit.register(gc.freeze)
    lazy_import.begin()
    look = read(sys.argv[1:], os.environ)
    if look is not None:
        sys.exit(answer(look))
    from adjudicator.cli import commands

    commands.app(prog_name="gm")


def __getattr__(name: str) -> Any:
    """Return ``app`` and ``COMMAND_SUMMARIES``: all commands in Typer's form."""
    if name not in ("app", "COMMAND_SUMMARIES"):
        raise AttributeError(
            f"module {__name__} has no attribute {name}", name=name, obj=sys.modules[__name__]
        )
    from adjudicator.cli import commands

    return getattr(commands, name)


# Plain command lines, such as ``gm status`` or ``gm turn process beaver``, need no parser.
# Any other command line, including ``--help``, goes to the parser of all commands, which takes longer to load
# than these commands take.


# Rule: the output here is the same as through `commands`, because the same function prints both.


JSON_FLAG: Final[Mapping[str, str]] = {"--json": "as_json"}


class FastCommand(NamedTuple):
    """A command that is called without Typer.

    function: the function of `views` that prints it. names: the minimum and maximum number of names. flags:
    its options, each with the argument that it sets. asks: whether it asks for confirmation on a terminal,
    unless one of the flags is given.
    """

    function: str
    names: tuple[int, int] = (0, 0)
    flags: Mapping[str, str] = JSON_FLAG
    asks: bool = False


class FastCall(NamedTuple):
    """A call of a fast command. config: the value of ``--config``. flags: the arguments to set."""

    kind: FastCommand
    names: tuple[str, ...]
    config: str | None
    flags: frozenset[str]

    @property
    def as_json(self) -> bool:
        """Return whether the output is JSON."""
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
"""The fast commands by their words."""


def read(words: Sequence[str], environ: Mapping[str, str]) -> FastCall | None:
    """Return the call that these words make, or None for another command or a form that needs the parser."""
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
    """Run the command and print its result. Returns the exit code."""
    # This is for Python older than ours. Type checkers don't need it, and it saves a tenth of the time here.
    lazy_import.spare("typing_extensions")
    print_it = getattr(import_module("adjudicator.cli.views"), look.kind.function)
    try:
        given = {name: name in look.flags for name in look.kind.flags.values()}
        print_it(look.config, *look.names, **given)
    except (Refusal, Fault) as fault:
        print_failure(fault, look.as_json)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the pipe has closed it. Discard the rest of the buffer, without a message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _config(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Return the value of ``--config``, and the words after it."""
    if words and words[0].startswith("--config="):
        return words[0].removeprefix("--config="), words[1:]
    if len(words) > 1 and words[0] == "--config":
        return words[1], words[2:]
    return None, words
