"""Plain lines, ``gm status`` or ``gm turn process beaver``: typed so that nothing is parsed.

Whatever is typed otherwise, ``--help`` too, is left to the parser of all commands, which takes longer to
load than these take to answer.
"""

# Rule: what is answered here is answered to the byte as `tree` would; the same function prints both.

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from adjudicator.cli import lazy_import
from adjudicator.cli.errors import print_failure
from adjudicator.errors import Fault, Refusal

JSON_FLAG: Final[Mapping[str, str]] = {"--json": "as_json"}


class FastCommand(NamedTuple):
    """A command that is called without Typer. module, function: what prints it; names: how many, from and to.

    flags: the options that it knows, each with the argument that it sets; asks: on a terminal it asks
    whether it is meant, unless one of them is given.
    """

    module: str
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
    ("status",): FastCommand("views", "show"),
    ("game", "list"): FastCommand("look_game", "show_all"),
    ("game", "show"): FastCommand("look_game", "show", (1, 1)),
    ("orders", "show"): FastCommand("look_orders", "show", (1, 2)),
    ("player", "list"): FastCommand("look_players", "show_all"),
    ("player", "show"): FastCommand("look_players", "show", (1, 1)),
    ("mail", "list"): FastCommand("look_mail", "show_all", flags={**JSON_FLAG, "--out": "out"}),
    ("turn", "process"): FastCommand(
        "play_turn", "process", (1, 1), flags={**JSON_FLAG, "--yes": "yes", "-y": "yes"}, asks=True
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
    print_it = getattr(import_module(f"adjudicator.cli.{look.kind.module}"), look.kind.function)
    try:
        given = {name: name in look.flags for name in look.kind.flags.values()}
        print_it(look.config, *look.names, **given)
    except (Refusal, Fault) as fault:
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
