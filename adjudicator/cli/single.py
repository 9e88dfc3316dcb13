"""One command of a noun, built without its fellows.

Typer makes all options of all commands before it runs one of them.
"""

from copy import copy

from typer import Typer
from typer.main import get_command_name
from typer.models import CommandInfo


def single(app: Typer, verb: str) -> Typer | None:
    """The noun with that one verb; None where it has none of that name, or is no noun at all."""
    if app.registered_callback is None:
        return None
    meant = [command for command in _verbs(app) if _name(command) == verb]
    if not meant:
        return None
    alone = copy(app)
    alone.registered_commands, alone.registered_groups = meant[-1:], []
    return alone


def _verbs(app: Typer) -> list[CommandInfo]:
    """The commands of a noun, those of the parts that were added to it without a name of their own too."""
    parts = [
        group.typer_instance for group in app.registered_groups if isinstance(group.typer_instance, Typer)
    ]
    return [*app.registered_commands, *(verb for part in parts for verb in part.registered_commands)]


def _name(verb: CommandInfo) -> str:
    return verb.name or get_command_name(getattr(verb.callback, "__name__", ""))
