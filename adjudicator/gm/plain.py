"""Plain looks, ``gm status`` or ``gm game show beaver``: typed so that nothing has to be parsed.

Whatever is typed otherwise, ``--help`` too, is left to the parser of all commands, which takes longer to
load than these take to answer.
"""

# Rule: what is answered here is answered to the byte as `tree` would; the same function prints both.

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from adjudicator.errors import Fault, Refusal
from adjudicator.gm import on_demand
from adjudicator.gm.refused import failed


class Kind(NamedTuple):
    """A look that can be asked for. module, function: what prints it; names: how many, from and to."""

    module: str
    function: str
    names: tuple[int, int] = (0, 0)


class Look(NamedTuple):
    """A look as it was asked for. config: of ``--config``."""

    kind: Kind
    names: tuple[str, ...]
    config: str | None
    as_json: bool


LOOKS: Final[Mapping[tuple[str, ...], Kind]] = {
    ("status",): Kind("look_status", "show"),
    ("game", "list"): Kind("look_game", "show_all"),
    ("game", "show"): Kind("look_game", "show", (1, 1)),
    ("orders", "show"): Kind("look_orders", "show", (1, 2)),
}
"""By the words of the command."""


def read(words: Sequence[str], environ: Mapping[str, str]) -> Look | None:
    """The look that these words ask for; None where they ask for something else, or not plainly."""
    if "_GM_COMPLETE" in environ:
        return None
    config, rest = _config(words)
    length = next((count for count in (1, 2) if tuple(rest[:count]) in LOOKS), 0)
    if not length:
        return None
    kind, given = LOOKS[tuple(rest[:length])], rest[length:]
    names = tuple(word for word in given if word != "--json")
    least, most = kind.names
    if not least <= len(names) <= most or any(name.startswith("-") for name in names):
        return None
    return Look(kind, names, config, as_json="--json" in given)


def answer(look: Look) -> int:
    """Print what was asked for. Returns the exit code."""
    # For Python older than ours; what looks at types does without, and saves a tenth of this.
    on_demand.spare("typing_extensions")
    print_it = getattr(import_module(f"adjudicator.gm.{look.kind.module}"), look.kind.function)
    try:
        print_it(look.config, *look.names, as_json=look.as_json)
    except (Refusal, Fault) as fault:
        failed(fault, look.as_json)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read it has gone; what is left in the buffer goes nowhere, and nothing is said of that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _config(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """What ``--config`` names, and the words after it."""
    if words and words[0].startswith("--config="):
        return words[0].removeprefix("--config="), words[1:]
    if len(words) > 1 and words[0] == "--config":
        return words[1], words[2:]
    return None, words
