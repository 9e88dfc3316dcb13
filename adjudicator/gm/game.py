"""``gm game``: games begun, offered, looked at, proved."""

from __future__ import annotations

from typing import Annotated

import typer

import games
from adjudicator import kinds
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.gamesmaster import lifecycle as lives_of
from adjudicator.gm import history, lifecycle, look_game, transfers
from adjudicator.gm.game_view import bot_line, game_view, seat_view
from adjudicator.gm.help_examples import GameName, Json, example, noun, pair
from adjudicator.gm.opening import config_of, house_of
from adjudicator.gm.option_files import with_files
from adjudicator.gm.output import counted, document, say
from adjudicator.settings import moments
from adjudicator.signs import addresses

app = noun(
    "Begin games, look at them, pause, end and prove them.",
    "gm game new indianomacy beaver",
    "gm game list",
    "gm game show beaver",
    "gm game replay beaver",
    "gm game log beaver",
)


@app.command(
    epilog=example(
        "gm game new indianomacy",
        "gm game new indianomacy beaver --option last_year=8",
        "gm game new standard lynx --bots intermediate --temperament drawn",
        "gm game new indianomacy otter --term moves=48h --term days_off=sat,sun --term hours=20:00",
        'gm game new standard fox --open --players 5 --starts "fri 20:00" --term press=grey',
        then="All seats begin with bots. Next:  gm seat assign beaver iroquois you@example.org",
    )
)
def new(
    ctx: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What is played: gm rules lists the kinds.")],
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="1 to 20 of a-z, 0-9 and -; else kind and number.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm rules KIND lists them; may be repeated."),
    ] = None,
    term: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm game terms lists them: moves=48h; may be repeated."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots", metavar="LEVEL", help="Of all bots, else intermediate; gm rules KIND lists them."
        ),
    ] = None,
    temperament: Annotated[
        str | None, typer.Option(metavar="NAME|drawn", help="Of all bots; drawn: by the dice, for each seat.")
    ] = None,
    early: Annotated[
        bool, typer.Option("--early/--no-early", help="Play a turn as soon as all its orders are in.")
    ] = True,
    waits: Annotated[
        bool, typer.Option("--open", help="Let people sign up by mail; it begins when all are there.")
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="With --open: begin with so many, bots in other seats."),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help='With --open: begin then at the latest: "2026-12-01 20:00".'),
    ] = None,
    as_json: Json = False,
) -> None:
    """Begin a game, or offer it to people."""
    given = dict(pair(one) for one in option or [])
    terms = dict(pair(one) for one in term or [])
    options = with_files(kinds.kind_named(kind), given)
    asked = conduct.GameRequest(kind, name, options, terms, early=early, level=bots, temper=temperament)
    with house_of(ctx) as house:
        zone = house.office.zone
        if waits:
            at = moments.instant_of(starts, zone, house.clock.now()) if starts else None
            look_game.say_offer(
                lives_of.offer(house, asked, players=players, starts=at), house.books, house.settings, as_json
            )
            return
        position = conduct.new_game(house, asked)
    if as_json:
        document(game_view(position))
        return
    title = games.kinds()[position.kind].about.title
    say(f"{position.name}: a game of {title}, {counted(len(position.chairs), 'seat')}, all with bots.")
    if bots or temperament:
        say(f"Each is a {bot_line(seat_view(position, next(iter(position.chairs))), drawn=False)}.")
    look_game.say_turn(position, zone)
    first = addresses.short(next(iter(position.chairs)))
    say("", f"Next:  gm seat assign {position.name} {first} you@example.org")


@app.command("list", epilog=example("gm game list", then="gm game show NAME  tells more of one."))
def list_games(ctx: typer.Context, as_json: Json = False) -> None:
    """List all games."""
    look_game.show_all(config_of(ctx), as_json=as_json)


@app.command(
    epilog=example("gm game show beaver", then="gm seat show GAME SEAT  tells what one of them has on file.")
)
def show(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Show a game: its turn, its deadline, who is missing, how they stand."""
    look_game.show(config_of(ctx), name, as_json=as_json)


@app.command(
    epilog=example("gm game replay beaver", then="Whatever differs first is named, and the exit code is 1.")
)
def replay(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Prove a game: play its log again, and compare every throw and every state byte for byte."""
    with house_of(ctx) as house:
        proof = conduct.prove(house, name)
    turns = counted(proof.turns, "turn")
    if as_json:
        document({"game": name, "entries": proof.agreed, "turns": proof.turns, "difference": proof.fault})
    elif proof.fault:
        raise Refusal(f"game {name}", f"{proof.fault}; before that, {turns} agree")
    else:
        say(f"{name}: {turns}, identical.")
    if proof.fault:
        raise typer.Exit(1)


app.add_typer(history.app)
app.add_typer(transfers.app)
app.add_typer(lifecycle.app)
