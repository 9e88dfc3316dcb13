"""``gm forum``: games that are played in threads of lists and forums, and who posts there for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import deadlines, gamesmaster_forums
from adjudicator.cli.arguments import GameName, Json, SeatName, example, noun
from adjudicator.cli.confirm import Why, warrant
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, say, stamp, table

if TYPE_CHECKING:
    from adjudicator.service import Service

app = noun(
    "Play games in threads of lists and forums, and see who posts there for whom.",
    'gm forum link beaver turns@lists.example.org --orders open --why "let us talk there"',
    "gm forum show beaver",
)


@app.command("list", epilog=example("gm forum list", then="gm forum show GAME  tells all about one."))
def list_threads(ctx: typer.Context, as_json: Json = False) -> None:
    """List the games that are played in forums."""
    with house_of(ctx) as house:
        names = sorted(name for names in house.books.people.threads().values() for name in names)
        threads = [_view(house, name) for name in names]
    if as_json:
        document(threads)
    elif not threads:
        say("No game is played in a forum:  gm forum link GAME ADDRESS  begins a thread.")
    else:
        keys = ("game", "forum", "orders", "answers", "posters")
        table(keys, [tuple(str(thread[key]) for key in keys) for thread in threads])


@app.command(
    epilog=example(
        'gm forum link beaver turns@lists.example.org --why "let us talk there"',
        'gm forum link beaver turns@lists.example.org --orders open --answers post --why "all in the open"',
        then="Have the address that it prints entered among the list's readers, and ours among its writers.",
    )
)
def link(
    ctx: typer.Context,
    game: GameName,
    place: Annotated[
        str, typer.Argument(metavar="ADDRESS|CHANNEL", help="The list, or as gm.toml names it.")
    ],
    orders: Annotated[
        str | None, typer.Option(metavar="sent|open", help="Whether orders go by letter, or in posts too.")
    ] = None,
    answers: Annotated[
        str | None, typer.Option(metavar="letter|post", help="How a post is answered.")
    ] = None,
    posters: Annotated[
        str | None, typer.Option(metavar="proved|list", help="What vouches for who wrote a post.")
    ] = None,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Play a game in the thread of a list or a forum from now on: it begins there, and its players are told.

    The terms of the game say the same:  gm game terms GAME forum=… orders=… answers=… posters=…
    """
    asked = warrant(why, False)
    settings_asked = {"forum": place, "orders": orders, "answers": answers, "posters": posters}
    with house_of(ctx) as house:
        deadlines.set_terms(
            house, game, {key: text for key, text in settings_asked.items() if text}, asked.why
        )
        sight = _view(house, game)
    if as_json:
        document(sight)
        return
    say(f"{game} is played at {sight['place']} from now on; the thread is called  {sight['subject']}")
    if sight["subscribed"]:
        say(f"Its posts have to reach us at  {sight['subscribed']}  and nobody else is to know that address.")


@app.command(epilog=example('gm forum unlink beaver --why "back to letters"'))
def unlink(ctx: typer.Context, game: GameName, why: Why = None, as_json: Json = False) -> None:
    """Play a game by letters alone again. What stands in its thread stays there."""
    asked = warrant(why, False)
    with house_of(ctx) as house:
        gamesmaster_forums.forum_link(house, game)
        deadlines.set_terms(house, game, {"forum": "none"}, asked.why)
    if as_json:
        document({"game": game, "forum": None})
    else:
        say(f"{game} is played by letters alone from now on.")


@app.command(
    epilog=example(
        "gm forum show beaver", then="Whoever knows the address for posts could pretend to be the list."
    )
)
def show(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show where a game's thread is, how one plays there, and who posts for which seat."""
    with house_of(ctx) as house:
        sight = _view(house, game)
    if as_json:
        document(sight)
        return
    table(
        ("game", game),
        [
            (label, sight[key])
            for label, key in (
                ("place", "place"),
                ("thread", "subject"),
                ("begins with", "root"),
                ("posts come to", "subscribed"),
                ("orders", "orders"),
                ("answers", "answers"),
                ("posters", "posters"),
            )
            if sight[key]
        ],
    )
    say("", "Who posts for whom:" if sight["known"] else "Nobody has shown yet who he is there.")
    if sight["known"]:
        table(
            ("seat", "poster", "since"),
            [(row["seat"], row["poster"], row["since"]) for row in sight["known"]],
        )


@app.command(
    epilog=example(
        'gm forum poster beaver iroquois jane@home.example --why "she told me on the telephone"',
        then="Else a player shows it himself: he posts the word that his letters tell him.",
    )
)
def poster(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="From which the seat's player posts.")],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Say who posts for a seat, by your word."""
    asked = warrant(why, False)
    with house_of(ctx) as house:
        known_poster = gamesmaster_forums.set_poster(house, game, seat, address, asked.why)
    if as_json:
        document({"game": game, "seat": known_poster.seat, "poster": known_poster.name})
    else:
        say(
            f"What {known_poster.name} posts in the thread of {game} counts as {known_poster.seat}'s from "
            f"now on."
        )


@app.command(epilog=example('gm forum forget beaver iroquois --why "it was somebody else"'))
def forget(
    ctx: typer.Context, game: GameName, seat: SeatName, why: Why = None, as_json: Json = False
) -> None:
    """Let nobody post for a seat any more, until its player shows again who he is."""
    asked = warrant(why, False)
    with house_of(ctx) as house:
        gamesmaster_forums.forget_poster(house, game, seat, asked.why)
    if as_json:
        document({"game": game, "seat": seat, "poster": None})
    else:
        say(f"Nobody's posts count as {seat}'s in {game}, until a word shows whose do.")


def _view(house: Service, game: str) -> dict[str, Any]:
    forum_link = gamesmaster_forums.forum_link(house, game)
    thread, customs = forum_link.thread, forum_link.thread.customs
    return {
        "game": game,
        "forum": customs.forum,
        "place": thread.place,
        "subject": thread.subject,
        "root": thread.root if thread.channel.kind == "address" else None,
        "subscribed": forum_link.subscribed if thread.channel.kind == "address" else None,
        "orders": customs.orders,
        "answers": customs.answers,
        "posters": customs.posters if thread.channel.kind == "address" else None,
        "known": [
            {"seat": known_poster.seat, "poster": known_poster.name, "since": stamp(known_poster.since)}
            for known_poster in forum_link.posters
        ],
    }
