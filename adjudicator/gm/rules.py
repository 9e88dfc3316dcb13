"""``gm rules``: the kinds of games, their options, and the clauses they go by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from adjudicator import kinds
from adjudicator.errors import Refusal
from adjudicator.gm.help_examples import Json, alone, example
from adjudicator.gm.output import document, heading, say, table
from adjudicator.referee import bots
from games import data, options, protocol

if TYPE_CHECKING:
    from games.protocol import Game, Option

app = alone()


@app.command(
    epilog=example(
        "gm rules",
        "gm rules indianomacy",
        "gm rules indianomacy --clauses",
        then="A kind is what  gm game new KIND  begins.",
    )
)
def rules(
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="A kind of game; else all are listed.")
    ] = None,
    clauses: Annotated[
        bool,
        typer.Option("--clauses", help="The rules clause by clause: source, and the tests that prove it."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Read what kinds of games there are, and by which rules they go."""
    if kind is None:
        if clauses:
            raise typer.BadParameter("needs a KIND: gm rules indianomacy --clauses", param_hint="--clauses")
        _list_kinds(as_json)
        return
    game = kinds.kind_named(kind)
    if clauses:
        _list_clauses(game, as_json)
    elif as_json:
        document(_kind_sight(game))
    else:
        _show_kind(game)


def _list_kinds(as_json: bool) -> None:
    sights = [_kind_sight(game) for game in games.kinds().values()]
    if as_json:
        document(sights)
        return
    rows = [(one["kind"], one["title"], one["designer"], len(one["seats"])) for one in sights]
    table(("kind", "title", "designer", "seats"), rows)
    say("", "More of one:  gm rules KIND")


def _kind_sight(game: Game) -> dict[str, Any]:
    about = game.about
    return {
        "kind": about.kind,
        "aliases": list(about.aliases),
        "title": about.title,
        "designer": about.designer,
        "source": about.source,
        "seats": list(about.seats(options.settle(about.options, {}))),
        "hidden": about.hidden,
        "bots": list(game.bots),
        "temperaments": list(
            dict.fromkeys(name for bot in game.bots for name in bots.temperaments(game, bot))
        ),
        "options": [
            {name: getattr(option, name) for name in option.__struct_fields__} for option in about.options
        ],
    }


def _show_kind(game: Game) -> None:
    about, sight = game.about, _kind_sight(game)
    say(f"{about.title}, by {about.designer}", f"Source: {about.source}")
    say(f"Kind: {about.kind}" + (f" (answers to {', '.join(about.aliases)} too)" if about.aliases else ""))
    say(f"Seats: {', '.join(sight['seats'])}", f"Bots: {', '.join(game.bots)}")
    if sight["temperaments"]:
        say(f"Their temperaments: {', '.join(sight['temperaments'])}, or {bots.DRAWN}")
    if about.hidden:
        say("Seats see different things.")
    if about.options:
        heading("Options, chosen when a game begins")
        rows = [
            (one.name, _values(one), _shown(one.default), one.meaning, one.ruling) for one in about.options
        ]
        table(("option", "values", "default", "meaning", "ruling"), rows)
        begins = [f"{one.name}={_shown(one.begins)}" for one in about.options if one.begins is not None]
        if begins:
            say("", f"Where nothing is said, a new game has {', '.join(begins)}; a position, the default.")
    say("", f"Begin one:  gm game new {about.kind}", f"Its clauses:  gm rules {about.kind} --clauses")


def _list_clauses(game: Game, as_json: bool) -> None:
    try:
        clauses = data.read_clauses(game.package, game.clauses)
    except protocol.Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    if as_json:
        document([{name: getattr(one, name) for name in one.__struct_fields__} for one in clauses])
        return
    rows = [(one.id, one.text, one.source, one.mark, one.option, len(one.tests)) for one in clauses]
    table(("clause", "text", "source", "mark", "option", "tests"), rows)


def _values(option: Option) -> str:
    if option.sort == "choice":
        return " | ".join(option.values)
    if option.sort == "flag":
        return "yes | no"
    if option.sort == "number":
        return f"{_shown(option.low) or ''}..{_shown(option.high) or ''}"
    return option.sort


def _shown(value: object) -> str | None:
    return (
        {True: "yes", False: "no"}[value]
        if isinstance(value, bool)
        else None
        if value is None
        else str(value)
    )
