"""Parts of help texts: examples to type, and the options that all commands share."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer


def _completes(names: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes an argument in a shell.

    names: a function of `completion`, imported when it is called.
    """

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        names_found: Any = getattr(import_module("adjudicator.cli.completion"), names)(ctx)
        return [name for name in names_found if name.startswith(incomplete.lower())]

    return complete


Json = Annotated[bool, typer.Option("--json", help="Print for programs: one JSON document.")]
"""The option of every command that prints for programs too."""

GameOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="As gm rules KIND lists them; may be repeated."),
]
"""The rules that a game is played by, where its kind leaves a choice."""

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game: gm game list shows them.",
        autocompletion=_completes("game_names"),
    ),
]
OneGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="The name of a game, or  --all.",
        autocompletion=_completes("game_names"),
    ),
]
"""A game, where an option may mean several of them."""

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND", help="A kind of game: gm rules shows them.", autocompletion=_completes("kind_names")
    ),
]
SeatName = Annotated[
    str,
    typer.Argument(
        metavar="SEAT",
        help="The name of a seat: gm game show lists them.",
        autocompletion=_completes("seat_names"),
    ),
]


def example(*lines: str, then: str | None = None) -> str:
    """The end of a help text: the examples as they are typed, and the next step in a sentence."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    shown = "\n".join(["\b", title, *("  " + line for line in lines)])
    return f"{shown}\n\n{then}" if then else shown


def pair(text: str) -> tuple[str, str]:
    """The two sides of KEY=VALUE. Raises typer.BadParameter for anything else."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise typer.BadParameter(f"{text} is no KEY=VALUE")
    return key.strip(), value.strip()


def noun(summary: str, *lines: str) -> typer.Typer:
    """The commands about one thing. summary: what they are for; lines: examples."""
    app = typer.Typer(
        help=summary,
        epilog=example(*lines),
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
    )
    app.callback()(_no_options)
    return app


def alone() -> typer.Typer:
    """A command that stands alone, without a noun: its one function says what it does."""
    return typer.Typer(rich_markup_mode=None, add_completion=False)


def _no_options() -> None:
    # With a callback of its own, a noun with a single verb is still a noun.
    pass


# Raw arguments: texts are taken as they were typed, without a library to convert them.


TEXTS: tuple[object, ...] = (str, list[str])


def use_raw_arguments(command: Any) -> Any:
    """Return the same command of Typer, with those below it, whose parameters take texts as they are."""
    listed = command.get_params
    command.get_params = lambda ctx: light(listed(ctx))
    for subcommand in getattr(command, "commands", {}).values():
        use_raw_arguments(subcommand)
    return command


def light(params: Sequence[Any]) -> Any:
    """The same parameters of Typer, which ask pydantic only for what they have to convert."""
    for param in params:
        known = getattr(param, "get_runtime_param", None)
        if known is not None and not isinstance(known.__self__, _ParameterConverter):
            param.get_runtime_param = _ParameterConverter(param).itself
    return params


class _ParameterConverter:
    """The conversion of one parameter. param: of Typer, which still converts what is no text."""

    def __init__(self, param: Any) -> None:
        self._converts = param.get_runtime_param
        self._is_text = param.type_descriptor.annotation in TEXTS
        self._many = bool(getattr(param, "multiple", False)) or param.nargs == -1

    def itself(self) -> "_ParameterConverter":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return what the command gets for what the parser found."""
        if value is None:
            return () if self._many else None
        if self._is_text and self._are_texts(value):
            return list(value) if self._many else value
        return self._converts().coerce(value, param=param, ctx=ctx)

    def _are_texts(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)
