"""``gm forum``, ``gm orders read``, ``gm channel`` and ``gm site``: games in forums and on the web."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import deadlines, forums, game_admin, website
from adjudicator.cli import views
from adjudicator.cli.arguments import GameName, Json, SeatName, Why, example, noun, warrant
from adjudicator.cli.connect import config_of, open_service, open_store
from adjudicator.cli.output import document, heading, moment, pluralise, progress, records, say, table
from adjudicator.errors import Fault, Refusal
from adjudicator.model import mail
from adjudicator.outbound import channels as outbound_channels
from adjudicator.reports import posts

if TYPE_CHECKING:
    from adjudicator.config.channels import Channel
    from adjudicator.model.games import GamePosition
    from adjudicator.model.mail import Receipt
    from adjudicator.service import Service
    from games.protocol import Seat


forum_app = noun(
    "Play games in mailing lists and forums, and link posters to seats.",
    'gm forum link beaver turns@lists.example.org --orders open --why "let us talk there"',
    "gm forum show beaver",
)


@forum_app.command("list", epilog=example("gm forum list", then='"gm forum show GAME" shows one of them.'))
def list_threads(ctx: typer.Context, as_json: Json = False) -> None:
    """List the games that are played in forums."""
    with open_service(ctx) as service:
        names = sorted(name for names in service.repository.people.threads().values() for name in names)
        threads = [_view(service, name) for name in names]
    if as_json:
        document(threads)
    elif not threads:
        say("No game is played in a forum. To start a thread: gm forum link GAME ADDRESS")
    else:
        keys = ("game", "forum", "orders", "answers", "posters")
        table(keys, [tuple(str(thread[key]) for key in keys) for thread in threads])


@forum_app.command(
    epilog=example(
        'gm forum link beaver turns@lists.example.org --why "let us talk there"',
        'gm forum link beaver turns@lists.example.org --orders open --answers post --why "all in the open"',
        then=("Subscribe the printed address to the list, and let the service's address post there."),
    )
)
def link(
    ctx: typer.Context,
    game: GameName,
    place: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS|CHANNEL", help="The address of the list, or the name of a channel in gm.toml."
        ),
    ],
    orders: Annotated[
        str | None,
        typer.Option(metavar="sent|open", help="How players order: by email only, or also in posts."),
    ] = None,
    answers: Annotated[
        str | None, typer.Option(metavar="letter|post", help="How the service replies to a post.")
    ] = None,
    posters: Annotated[
        str | None, typer.Option(metavar="proved|list", help="What identifies the author of a post.")
    ] = None,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Play a game in a thread of a list or forum from now on. The thread starts, and players get an email.

    "gm game terms GAME forum=… orders=… answers=… posters=…" sets the same.
    """
    asked = warrant(why, False)
    settings_asked = {"forum": place, "orders": orders, "answers": answers, "posters": posters}
    with open_service(ctx) as service:
        deadlines.set_terms(
            service, game, {key: text for key, text in settings_asked.items() if text}, asked.why
        )
        details = _view(service, game)
    if as_json:
        document(details)
        return
    say(f'{game} is now played at {details["place"]}. The thread is called "{details["subject"]}".')
    if details["subscribed"]:
        address = details["subscribed"]
        say(f"Its posts must reach us at {address}. Keep this address secret.")


@forum_app.command(epilog=example('gm forum unlink beaver --why "back to email"'))
def unlink(ctx: typer.Context, game: GameName, why: Why = None, as_json: Json = False) -> None:
    """Play a game by email only again. The thread stays as it is."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        forums.forum_link(service, game)
        deadlines.set_terms(service, game, {"forum": "none"}, asked.why)
    if as_json:
        document({"game": game, "forum": None})
    else:
        say(f"{game} is now played by email only.")


@forum_app.command(
    epilog=example(
        "gm forum show beaver",
        then=("Keep the address for posts secret: anyone who knows it can pretend to be the list."),
    )
)
def show(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show where a game's thread is, how to play there, and who posts for which seat."""
    with open_service(ctx) as service:
        details = _view(service, game)
    if as_json:
        document(details)
        return
    table(
        ("game", game),
        [
            (label, details[key])
            for label, key in (
                ("place", "place"),
                ("thread", "subject"),
                ("begins with", "root"),
                ("posts come to", "subscribed"),
                ("orders", "orders"),
                ("answers", "answers"),
                ("posters", "posters"),
            )
            if details[key]
        ],
    )
    say("", "Posters and their seats:" if details["known"] else "No poster is linked to a seat yet.")
    if details["known"]:
        table(
            ("seat", "poster", "since"),
            [(row["seat"], row["poster"], row["since"]) for row in details["known"]],
        )


@forum_app.command(
    epilog=example(
        'gm forum poster beaver iroquois jane@home.example --why "she told me on the telephone"',
        then="Players can also link themselves: they post the word from their emails.",
    )
)
def poster(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The address that the seat's player posts from.")
    ],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Link a poster to a seat, on your authority."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        known_poster = forums.set_poster(service, game, seat, address, asked.why)
    if as_json:
        document({"game": game, "seat": known_poster.seat, "poster": known_poster.name})
    else:
        say(f"Posts of {known_poster.name} in the thread of {game} now count for {known_poster.seat}.")


@forum_app.command(epilog=example('gm forum forget beaver iroquois --why "it was somebody else"'))
def forget(
    ctx: typer.Context, game: GameName, seat: SeatName, why: Why = None, as_json: Json = False
) -> None:
    """Unlink the poster of a seat, until its player links themselves again."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        forums.forget_poster(service, game, seat, asked.why)
    if as_json:
        document({"game": game, "seat": seat, "poster": None})
    else:
        say(f"No posts count for {seat} in {game} until its player links themselves.")


def _view(service: Service, game: str) -> dict[str, Any]:
    forum_link = forums.forum_link(service, game)
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
            {"seat": known_poster.seat, "poster": known_poster.name, "since": moment(known_poster.since)}
            for known_poster in forum_link.posters
        ],
    }


# ``gm orders read``: save the orders of a forum thread that was pasted into a file.


READ_EXAMPLES = (
    "gm orders read beaver --from thread.txt",
    "gm orders read beaver --from thread.txt --who jane=iroquois --who joe=dakota",
    "gm orders read beaver --from post.txt --seat iroquois --dry-run",
)
READ_NOTE = 'A line NAME: begins the post of a player, like "Iroquois: Mohawk - Delaware".'


def read(
    ctx: typer.Context,
    game: GameName,
    source: Annotated[
        str, typer.Option("--from", metavar="FILE", help="A file with the thread; - is standard input.")
    ],
    who: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SEAT", help="The seat of an author in the forum. May be repeated."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Read the whole file as this seat's orders.")
    ] = None,
    mail: Annotated[bool, typer.Option("--mail", help="Also email each player their reply.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be saved, and save nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read orders from a forum's thread or post, and save them.

    Each line is checked as in an email. The replies are those that players would get by email: paste them
    below their posts, or add --mail.
    """
    text = _text(source)
    with open_service(ctx) as service:
        position = game_admin.position_of(service, game)
        whose = game_admin.seat_of(position, seat) if seat else None
        thread = forums.read_thread(service, position, text, _authors(position, who or []), whose)
        if not dry_run:
            forums.file_thread(service, thread, mail)
    if as_json:
        document(
            {
                "game": game,
                "filed": not dry_run,
                "seats": [_plain(posts) for posts in thread.by_seat],
            }
        )
        return
    for seat_posts in thread.by_seat:
        heading(seat_posts.seat)
        say("", seat_posts.answer.text.rstrip())
    for post in thread.unknown:
        named = f"{post.author} isn't a player" if post.author else "no author is named above it"
        say("", f"Left out: {pluralise(len(post.lines), 'line')} from line {post.at}, because {named}.")
    filed = sum(seat_posts.act is not None for seat_posts in thread.by_seat)
    say("", f"Dry run: no orders were saved in {game}." if dry_run else _filed_text(game, filed))


def _filed_text(game: str, filed: int) -> str:
    return (
        f"Saved orders of {pluralise(filed, 'seat')} in {game}." if filed else f"Nothing changed in {game}."
    )


def _text(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"Can't read {source}", f"{fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(
            f"Can't read {source}", "it isn't UTF-8 text", "Save it as UTF-8, or paste it again"
        ) from fault


def _authors(position: GamePosition, given: list[str]) -> dict[str, Seat]:
    seat_by_author = {}
    for text in given:
        name, sign, seat = text.partition("=")
        if not sign or not name.strip():
            raise typer.BadParameter(f'"{text}" isn\'t NAME=SEAT', param_hint="--who")
        seat_by_author[name.strip()] = game_admin.seat_of(position, seat.strip())
    return seat_by_author


def _plain(seat_posts: forums.SeatPosts) -> dict[str, Any]:
    return {
        "seat": seat_posts.seat,
        "changed": seat_posts.act is not None,
        "orders": [
            {"line": row.line, "grade": row.grade, "read_as": row.said, "problem": row.problem}
            for row in seat_posts.filed.rows
        ],
        "answer": seat_posts.answer.text,
    }


# ``gm channel``: show and test the channels that get news of games.


channel_app = noun(
    "List the channels that get news of games, and test them.",
    "gm channel list",
    "gm channel test club",
)

ChannelName = Annotated[
    str, typer.Argument(metavar="NAME", help='The name of a channel; "gm channel list" shows them.')
]


@channel_app.command(
    "list", epilog=example("gm channel list", then="Channels are set up in gm.toml, as [[channel]].")
)
def list_channels(ctx: typer.Context, as_json: Json = False) -> None:
    """List the channels: what each gets, how many posts wait, and since when it is down."""
    with open_store(config_of(ctx)) as store:
        channels, zone = views.channel_rows(store), store.zone
    records(
        channels,
        {
            "channel": "channel",
            "kind": "kind",
            "games": lambda row: "all" if row["games"] is None else ", ".join(row["games"]),
            "gets": lambda row: ", ".join(row["what"]),
            "waiting": "waiting",
            "down since": "down_since",
            "why": "why",
        },
        as_json=as_json,
        zone=zone,
        empty="There are no channels. To add one, write a [[channel]] in gm.toml.",
    )


@channel_app.command(
    "test", epilog=example("gm channel test club", then="The test post is not about a game and isn't stored.")
)
def try_channel(ctx: typer.Context, name: ChannelName, as_json: Json = False) -> None:
    """Send a test post to a channel at once, and show the result."""
    with open_service(ctx) as service:
        channel = _channel(service, name)
        receipt = _send_trial_post(service, channel)
    if as_json:
        document({"channel": channel.display_name, "outcome": receipt.outcome, "why": receipt.why})
        if receipt.outcome != "sent":
            raise typer.Exit(1)
    elif receipt.outcome != "sent":
        raise Fault(f"channel {channel.display_name}", receipt.why or receipt.outcome)
    else:
        say(f"The channel {channel.display_name} accepted a test post.")


def _channel(service: Service, name: str) -> Channel:
    for channel in service.settings.channels:
        if channel.display_name == name:
            return channel
    named = ", ".join(known_channel.display_name for known_channel in service.settings.channels)
    instead = f"Channels: {named}" if named else "Add a [[channel]] to gm.toml"
    raise Refusal(f'No channel called "{name}"', "", instead)


def _send_trial_post(service: Service, channel: Channel) -> Receipt:
    now = service.clock.now()
    trial = posts.trial_post(service.composer.service_info, now)
    for sender in service.channel_senders:
        if sender.channel.name == channel.name:
            return sender.deliver(
                outbound_channels.OutboxPost(trial), f"channel/{channel.name}/test/{now}", now
            )
    asked = mail.LetterDraft(
        key=f"channel/{channel.display_name}/test/{now}",
        to=mail.HeaderText(channel.address),
        subject=mail.HeaderText.clean(trial.heading),
        text=trial.text,
        automatic=mail.HeaderText("no"),
    )
    (receipt,) = service.carrier.deliver([service.composer.seal(asked, now)], lambda _sealed: True)
    return receipt


# ``gm site``: the archive, a static web site of all games.


site_app = noun(
    "Build the archive: a static website of all games.", "gm site build", "gm site build --out DIR"
)


@site_app.command(
    epilog=example(
        "gm site build",
        "gm site build --out /srv/www/games",
        then=(
            "Open index.html in that folder, or copy the folder to any web server. Set "
            "[site] in gm.toml to choose the folder and to build it after every turn."
        ),
    )
)
def build(
    ctx: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where to write the website (default: dir in [site], otherwise ./site)."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="The number of processes (default: one per core)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a page for each game, with its map turn by turn, and an index of all games.

    Pages that haven't changed since the last time stay as they are. The website shows public information
    only: no addresses, and nothing of a game with secrets before that game is over.
    """
    with open_service(ctx) as service:
        folder = website.folder_of(service, out)
        with progress("Building games") as reached:
            built = website.build(service, folder, jobs or os.cpu_count() or 1, reached)
    if as_json:
        made, gone = list(built.made), list(built.gone)
        document({"folder": str(folder), "made": made, "gone": gone, "written": built.written})
        return
    say(f"{pluralise(len(built.made), 'game')} built, {pluralise(built.written, 'file')} written: {folder}")
