"""``gm edit``: the state of a game changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from adjudicator import kinds
from adjudicator.admin import overrides
from adjudicator.cli.arguments import GameName, Json, alone, example
from adjudicator.cli.confirm import Silent, Why, warrant
from adjudicator.cli.connect import house_of
from adjudicator.cli.log_view import entry_view
from adjudicator.cli.output import document, say
from adjudicator.errors import Fault, Refusal

if TYPE_CHECKING:
    from games.protocol import Form


app = alone()


class PerGame(TyperCommand):
    """A command whose help lists what can be changed in the game, or in the kind of game, that is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember which game was named, since help is printed before it is looked up."""
        ctx.meta["named"] = next((word for word in args if not word.startswith("-")), None)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The examples; after the name of a game, what can be changed there."""
        changes = _changes(_forms_of(ctx, ctx.meta.get("named")))
        if changes:
            with formatter.section(f"Changes in {ctx.meta['named']}, each with other ways to write it"):
                formatter.write_dl(changes)
        super().format_epilog(ctx, formatter)


@app.command(
    cls=PerGame,
    epilog=example(
        'gm edit beaver place W Pima for Dakota --why "misread order"',
        'gm edit beaver remove Pima --why "see above" --silent',
        then="gm edit GAME --help  lists what can be changed there; gm game undo GAME  takes it back.",
    ),
)
def edit(
    ctx: typer.Context,
    game: GameName,
    change: Annotated[
        list[str],
        typer.Argument(metavar="CHANGE...", help="What to change, as gm edit GAME --help lists it."),
    ],
    why: Why = None,
    silent: Silent = False,
    as_json: Json = False,
) -> None:
    """Change the state of a game by hand: units, owners, cards, whatever that game lets you change.

    The game looks the change over: what its rules could not go on from is refused. Orders on file stay, and
    are looked at again when the turn is played. The next report tells of it, with the reason.
    """
    asked = warrant(why, silent)
    with house_of(ctx) as house:
        done = overrides.edit(house, game, " ".join(change), asked)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"Done: {getattr(done.override, 'text', '')}  (entry {done.entry.number} of the log of {game})")
    say(f"Take it back:  gm game undo {game}")


def _forms_of(ctx: Any, name: str | None) -> tuple[Form, ...]:
    """Return how changes are written in a game or a kind of game of that name."""
    if name is None:
        return ()
    try:
        with house_of(ctx) as house:
            position = house.books.position(name)
        kind = kinds.find_kind(position.kind if position else name)
    except (Refusal, Fault):
        try:
            kind = kinds.find_kind(name)
        except Refusal:
            return ()
    return kind.edits.forms if kind.edits is not None else ()


def _changes(forms: tuple[Form, ...]) -> list[tuple[str, str]]:
    """An example of each change as it is logged, and of the other ways to write it."""
    ways: dict[str, list[str]] = {}
    for form in forms:
        ways.setdefault(form.name, []).append(form.example)
    return [(first, " | ".join(others)) for first, *others in ways.values()]
