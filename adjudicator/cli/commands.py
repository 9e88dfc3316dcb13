"""The commands of ``gm``, each found by its name and built when it is called.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
"""

from copy import copy
from importlib import import_module
from typing import Annotated, Any

import typer
from typer import Typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_command_name
from typer.models import CommandInfo

from adjudicator import __version__
from adjudicator.cli.arguments import example, light, use_raw_arguments
from adjudicator.cli.errors import print_failure
from adjudicator.errors import Fault, Refusal

# Rule 1: nothing is imported here but typer, the errors, and what builds a command: help is there at once.
# Rule 2: a command is a row of COMMAND_SUMMARIES; NAME_app in a module beside this one builds it.


COMMAND_SUMMARIES = {
    "demo": "Watch two game-years being played by mail on this machine.",
    "init": "Set up a service: gm.toml, its mail folders, its database.",
    "serve": "Run the service: letters in, turns played, letters out.",
    "status": "Show how the games and the letters fare, and what is in the way.",
    "doctor": "Look the service over, from its files to its mail, and say what to mend.",
    "run": "Do one of the service's jobs once: poll, process or send.",
    "receive": "Take one letter from standard input: for a mail server's pipe.",
    "game": "Begin games, look at them, pause, end and prove them.",
    "seat": "Give seats to people, and see what they have on file.",
    "player": "See who plays, waits and watches; names and time zones.",
    "press": "Write to the players of a game, and read what they write to each other.",
    "channel": "See the channels that are told of games, and try them.",
    "forum": "Play games in threads of lists and forums, and see who posts there for whom.",
    "turn": "Look at the turn that is due, give it time, play it by hand.",
    "orders": "See the orders that seats have on file, and file some for them.",
    "edit": "Change the state of a game by hand: units, owners, cards, whatever that game lets you change.",
    "dice": "See a game's dice, set one, prove them all.",
    "map": "Draw the map of a game: the position now, and what happened last.",
    "report": "Tell a turn of a game again: as text or HTML, or marked up for a forum.",
    "site": "Build the archive: a static web site of all games.",
    "rules": "Read what kinds of games there are, and by which rules they go.",
    "variant": "Look over a variant's folder of data before it is played.",
    "judge": "Adjudicate a position given as JSON on standard input.",
    "bot": "Ask a bot what it would order in a position given as JSON, and why.",
    "tournament": "Let bots play many games, and see who wins and how the scores go.",
    "backup": "Write the whole installation into one file: games, letters, secrets, gm.toml, their variants.",
    "restore": "Put a backup in the place of all that is in the database.",
    "migrate": "Move all books into another database, and prove every game there.",
    "bench": "Measure how fast it is on this machine.",
    "man": "Print a manual page for man, or write all of them where man finds them.",
    "mail": "Read the letters that came in and went out, and see to those that were set aside.",
}
"""Every command with what it is for, in the order in which a newcomer meets them."""

COMMAND_MODULES = {
    **dict.fromkeys(("demo", "init", "serve", "run"), "service"),
    "doctor": "status",
    "game": "games",
    **dict.fromkeys(("seat", "player"), "seats"),
    **dict.fromkeys(("press", "receive"), "mail"),
    **dict.fromkeys(("channel", "forum", "site"), "channels"),
    **dict.fromkeys(("turn", "edit", "dice", "map", "report"), "turns"),
    "variant": "rules",
    "bot": "judge",
    **dict.fromkeys(("restore", "migrate"), "backup"),
    "man": "manual",
}
"""The modules of the commands whose module has another name."""

HELP = """Turnpost: orders come in by mail, turn reports go out.

Every command tells more:  gm COMMAND --help

Exit codes: 0 done, 1 refused or failed (the reason is printed), 2 not understood.
"""


class Commands(TyperGroup):
    """The commands of COMMAND_SUMMARIES; the module of one is imported when it is asked for."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in COMMAND_SUMMARIES.items():
            self.add_command(TyperCommand(name, help=summary, rich_markup_mode=None))

    def get_params(self, ctx: Any) -> Any:
        """The options that stand before the command."""
        return light(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, loaded; None if there is none."""
        if cmd_name not in COMMAND_SUMMARIES:
            return None
        return _build_command(cmd_name, load_command(cmd_name))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, by its own name; of a noun that verb alone which is asked for."""
        if len(args) > 1 and args[0] in COMMAND_SUMMARIES:
            alone = single(load_command(args[0]), args[1])
            if alone is not None:
                return args[0], _build_command(args[0], alone), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMAND_SUMMARIES.items()))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what it cannot do is printed, and exits with 1."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except (Refusal, Fault) as fault:
            print_failure(fault, as_json)
            raise typer.Exit(1) from fault


def load_command(name: str) -> typer.Typer:
    """Import the module of a command, and return its application."""
    app: typer.Typer = getattr(
        import_module(f"adjudicator.cli.{COMMAND_MODULES.get(name, name)}"), f"{name}_app"
    )
    return app


def _build_command(name: str, app: typer.Typer) -> Any:
    command = use_raw_arguments(get_command(app))
    command.name = name
    return command


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gm {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    help=HELP,
    epilog=example(
        "gm demo                                  see it at work, in a minute",
        "gm init                                  set up your own service",
        "gm game new indianomacy beaver           begin a game",
        "gm seat assign beaver iroquois you@example.org",
        "gm serve                                 and from then on it is all mail",
    ),
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,  # they would print local variables, and some of those are secret
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def gm(
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The gm.toml to use, else $GM_CONFIG, else ./gm.toml."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Take the options that stand before the command; `opening` looks them up."""


# One command of a noun is built without the others: Typer makes the options of all before it runs one.


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
