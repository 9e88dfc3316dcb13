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
from adjudicator.errors import Fault, Refusal, print_failure

# Rule 1: import only typer, the errors and the builders of commands here, so that help appears at once.
# Rule 2: each command is a row of COMMAND_SUMMARIES; NAME_app in a module of this package builds it.


COMMAND_SUMMARIES = {
    "demo": "Watch two game-years being played by email on this machine.",
    "init": "Set up a service: gm.toml, mail folders and database.",
    "login": "Log in to a mailbox that takes tokens: Microsoft, Google Workspace.",
    "logout": "Revoke the token of a mailbox at its provider, and delete it here.",
    "serve": "Run the service: fetch mail, process turns, send mail.",
    "watch": "Follow one game: emails, turns, corrections, deadlines.",
    "status": "Show the state of games and mail, and any problems.",
    "doctor": "Check the installation and say how to fix problems.",
    "run": "Do one job of the service once: poll, process or send.",
    "receive": "Receive one email from standard input, for a mail server's pipe.",
    "game": "Create, show, pause, end, export and verify games.",
    "seat": "Assign seats to players and bots, and show saved orders.",
    "player": "Show who plays, waits and observes; set names; export or forget a person.",
    "press": "Send press to the players of a game, and read their press.",
    "channel": "List the channels that get news of games, and test them.",
    "forum": "Play games in mailing lists and forums, and link posters to seats.",
    "turn": "Preview, extend, hold or process the turn that is due.",
    "orders": "Show, enter and withdraw the orders of a seat.",
    "edit": "Change the position of a game by hand: units, owners, cards.",
    "dice": "Show the dice of a game, set the next roll, and verify all rolls.",
    "map": "Draw the map of a game: the position now and the last moves.",
    "report": "Print the report of a turn again, as text, HTML or forum markup.",
    "site": "Build the archive: a static website of all games.",
    "rules": "List the games that can be played, and show their rules.",
    "variant": "Check, import, export, add, list and remove variants of your own.",
    "judge": "Adjudicate a position given as JSON on standard input.",
    "bot": "Ask a bot what it would order in a position given as JSON, and why.",
    "tournament": "Let bots play many games, and show who wins and how scores grow.",
    "backup": "Write everything to one file: games, emails, secrets, gm.toml, variants.",
    "restore": "Replace the database with a backup.",
    "migrate": "Copy everything to another database and verify it.",
    "bench": "Measure how fast the program is on this machine.",
    "man": "Print a manual page, or write all of them for man.",
    "mail": "List, read and retry incoming and outgoing emails, including quarantined ones.",
}
"""Every command with its summary, in the order that a newcomer needs them."""

COMMAND_MODULES = {
    **dict.fromkeys(("demo", "serve", "run", "watch"), "service"),
    "doctor": "status",
    "logout": "login",
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
"""The module of each command whose module has another name."""

HELP = """Run play-by-email games: fetch orders by email, process turns, send reports.

Type "gm COMMAND --help" to see what a command does.

Exit codes: 0 done, 1 failed (the reason is printed), 2 wrong usage.
"""


class Commands(TyperGroup):
    """The commands of COMMAND_SUMMARIES. A command's module is imported when the command is needed."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in COMMAND_SUMMARIES.items():
            self.add_command(TyperCommand(name, help=summary, rich_markup_mode=None))

    def get_params(self, ctx: Any) -> Any:
        """Return the options before the command."""
        return light(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, loaded, or None if there is none."""
        if cmd_name not in COMMAND_SUMMARIES:
            return None
        return _build_command(cmd_name, load_command(cmd_name))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called. For a noun, only the typed verb is built."""
        if len(args) > 1 and args[0] in COMMAND_SUMMARIES:
            alone = single(load_command(args[0]), args[1])
            if alone is not None:
                return args[0], _build_command(args[0], alone), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMAND_SUMMARIES.items()))

    def invoke(self, ctx: Any) -> Any:
        """Run the command. A Refusal or Fault is printed, and the exit code is 1."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except (Refusal, Fault) as fault:
            print_failure(fault, as_json)
            raise typer.Exit(1) from fault


def load_command(name: str) -> typer.Typer:
    """Import the module of a command and return its application."""
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
        "gm demo                                  watch a game, in a minute",
        "gm init                                  set up your own service",
        "gm game new indianomacy beaver           start a game",
        "gm seat assign beaver iroquois you@example.org",
        "gm serve                                 run it; players send email",
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
        typer.Option(metavar="FILE", help="The settings file (default: $GM_CONFIG, otherwise ./gm.toml)."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit."),
    ] = False,
) -> None:
    """Accept the options before the command. `connect` reads them."""


# A noun can be built with one verb only, because Typer builds the options of all its commands.


def single(app: Typer, verb: str) -> Typer | None:
    """Return the noun with that one verb, or None if there is no such verb or the command isn't a noun."""
    if app.registered_callback is None:
        return None
    meant = [command for command in _verbs(app) if _name(command) == verb]
    if not meant:
        return None
    alone = copy(app)
    alone.registered_commands, alone.registered_groups = meant[-1:], []
    return alone


def _verbs(app: Typer) -> list[CommandInfo]:
    """Return the commands of a noun, including those of parts that were added without a name."""
    parts = [
        group.typer_instance for group in app.registered_groups if isinstance(group.typer_instance, Typer)
    ]
    return [*app.registered_commands, *(verb for part in parts for verb in part.registered_commands)]


def _name(verb: CommandInfo) -> str:
    return verb.name or get_command_name(getattr(verb.callback, "__name__", ""))
