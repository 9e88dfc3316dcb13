"""``gm game start``, ``terms``, ``pause``, ``resume``, ``end``, ``delete``: the life of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.cli.arguments import GameName, Json, OneGame, Why, Yes, confirm, example, pair, warrant
from adjudicator.cli.connect import open_service
from adjudicator.cli.output import document, pluralise, say, table
from adjudicator.cli.views import game_view
from adjudicator.clock import format_instant
from adjudicator.config import terms
from adjudicator.config import terms as config_terms
from adjudicator.turns.deadlines import zone_named

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service


lifecycle_app = typer.Typer()


@lifecycle_app.command(
    epilog=example(
        "gm game start beaver",
        then="Games are offered by  gm game new KIND NAME --open.",
    )
)
def start(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Begin a game that waits for people, with those who have signed up; bots play the other seats."""
    with open_service(ctx) as service:
        position = game_admin.start(service, name)
        zone = service.service_context.zone
    if as_json:
        document(game_view(position))
        return
    people = sum(assignment.is_person for assignment in position.assignments.values())
    whom = f"with {pluralise(people, 'person', 'people')}" if people else "with bots alone"
    say(f"{name} has begun {whom}. {'Welcomes are ready to be sent.' if people else ''}".strip())
    if position.deadline is not None:
        say(f"Deadline: {format_instant(position.deadline, zone)}")


@lifecycle_app.command(
    "terms",
    epilog=example(
        "gm game terms beaver",
        'gm game terms beaver moves=48h days_off=sat,sun hours=20:00 --why "agreed on"',
        'gm game terms beaver nmr=extend protect=yes --why "agreed on"',
        then="The deadline of the turn that is due stays;  gm turn deadline  changes it.",
    ),
)
def change_terms(
    ctx: typer.Context,
    name: GameName,
    change: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="What is to be different from now on."),
    ] = None,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Show the terms of a game, or change them: deadlines, days off, reminders, missing orders, press."""
    given = dict(pair(setting) for setting in change or [])
    asked = warrant(why, False) if given else None
    with open_service(ctx) as service:
        if asked is not None:
            deadlines.set_terms(service, name, given, asked.why)
        agreed = deadlines.terms(service, game_admin.position_of(service, name))
    if as_json:
        document(agreed)
        return
    table(
        ("term", name, "meaning"), [(key, text, config_terms.MEANINGS[key]) for key, text in agreed.items()]
    )


@lifecycle_app.command(
    epilog=example(
        "gm game invite beaver elm@example.org oak@example.org",
        then="gm game show GAME  shows who has come.",
    )
)
def invite(
    ctx: typer.Context,
    name: GameName,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...", help="Whom to write to.")],
    as_json: Json = False,
) -> None:
    """Invite people to a game: one letter to each says what it is, what it costs in time, how one joins.

    Nobody is entered by it: who answers YES or JOIN is. Each is written to once for a game, and nobody who
    wants no invitations.
    """
    with open_service(ctx) as service:
        written, left_out = seats.invite(service, name, addresses)
    if as_json:
        document({"game": name, "invited": list(written), "left_out": list(left_out)})
        return
    if written:
        say(f"Invited to {name}: {', '.join(written)}.")
    if left_out:
        say(f"Not written to, since in it, invited before, or wanting no invitations: {', '.join(left_out)}.")


@lifecycle_app.command(
    epilog=example(
        'gm game pause beaver --why "holidays"',
        then="gm game resume GAME  lets it go on, with the time that was left.",
    )
)
def pause(ctx: typer.Context, name: GameName, why: Why = None, as_json: Json = False) -> None:
    """Stop a game's clock: no turn is played and no deadline runs. Orders are still taken; all are told."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        position = deadlines.pause(service, name, asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"{name} is paused. Go on with  gm game resume {name}")


@lifecycle_app.command(
    epilog=example(
        "gm game resume beaver",
        'gm game resume beaver --why "all are back"',
        "gm game resume --all",
        then="gm turn deadline GAME  sets another deadline.",
    )
)
def resume(
    ctx: typer.Context,
    name: OneGame = None,
    every: Annotated[bool, typer.Option("--all", help="Every game that  gm restore  has paused.")] = False,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="What people are told beside it.")] = "",
    as_json: Json = False,
) -> None:
    """Let a game go on that was paused or held: with the time that was left, at least a day."""
    if every == (name is not None):
        raise typer.BadParameter("name a game, or add --all", param_hint="NAME")
    with open_service(ctx) as service:
        if name is not None:
            position = deadlines.resume(service, name, why)
            _say_deadline(service, position, as_json, f"{name} goes on.")
            return
        positions = deadlines.go_on_all(service, why)
        if as_json:
            document([game_view(position) for position in positions])
            return
        for position in positions:
            _say_deadline(service, position, as_json, f"{position.name} goes on.")


@lifecycle_app.command(
    epilog=example(
        'gm game end beaver --winner iroquois --why "all others have conceded"',
        'gm game end beaver --why "given up by all" --yes',
        then="Everybody gets how it stands at the end, and the secret of the dice.",
    )
)
def end(
    ctx: typer.Context,
    name: GameName,
    winner: Annotated[
        list[str] | None, typer.Option(metavar="SEAT", help="Who has won; may be repeated. Else nobody has.")
    ] = None,
    why: Why = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """End a game now, without its rules. Its log says who did it, and why."""
    asked = warrant(why, False)
    confirm(f"End {name} for good?", yes, f"game {name}")
    with open_service(ctx) as service:
        position = game_admin.end(service, name, winner or (), asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"{name} is over: {asked.why}. The last letters are ready to be sent.")


@lifecycle_app.command(
    epilog=example(
        'gm game delete beaver --why "a trial" --yes',
        then="Keep a copy first:  gm game export beaver --out beaver.json",
    )
)
def delete(
    ctx: typer.Context, name: GameName, why: Why = None, yes: Yes = False, as_json: Json = False
) -> None:
    """Strike a game from the database, with its log and its letters. Nobody is told; nothing comes back."""
    asked = warrant(why, False)
    confirm(f"Delete {name} with its log, for good?", yes, f"game {name}")
    with open_service(ctx) as service:
        game_admin.delete(service, name, asked.why)
    if as_json:
        document({"game": name, "deleted": True})
    else:
        say(f"{name} is deleted.")


def _say_deadline(service: Service, position: GamePosition, as_json: bool, sentence: str) -> None:
    if as_json:
        document(game_view(position))
        return
    if position.deadline is None:
        say(f"{sentence} It waits for its player, without a deadline.")
    else:
        say(f"{sentence} Deadline: {format_instant(position.deadline, service.service_context.zone)}")


# ``gm turn deadline``, ``extend``, ``hold``: change the time of the turn that is due.


hours_app = typer.Typer()


@hours_app.command(
    epilog=example(
        'gm turn deadline beaver "2026-12-01 20:00" --why "agreed on"',
        'gm turn deadline beaver "fri 20:00" --why "agreed on"',
        then="By the clocks of the game's own time zone. All who play are told.",
    )
)
def deadline(
    ctx: typer.Context,
    game: GameName,
    at: Annotated[str, typer.Argument(metavar="WHEN", help='"2026-12-01 20:00", "fri 20:00" or "20:00".')],
    why: Why = None,
    earlier: Annotated[bool, typer.Option("--earlier", help="It may be earlier than it was.")] = False,
    any_day: Annotated[
        bool, typer.Option("--any-day", help="It may fall on a day that does not count.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Set the deadline of the turn that is due; absences no longer move it. A turn that was held goes on."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        zone = zone_named(game_admin.position_of(service, game).deadlines.zone)
        wanted = terms.parse_instant(at, zone, service.clock.now())
        position = deadlines.set_deadline(service, game, wanted, asked.why, earlier=earlier, any_day=any_day)
        _say(service, position, as_json)


@hours_app.command(
    epilog=example(
        'gm turn extend beaver 24h --why "the Iroquois have moved house"',
        then="The time is counted on days that count. All who play are told.",
    )
)
def extend(
    ctx: typer.Context,
    game: GameName,
    length: Annotated[
        str, typer.Argument(metavar="LENGTH", help="How much more time there is: 24h, 2d, 1d12h.")
    ],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Put the deadline of the turn that is due off. A turn that was held goes on."""
    asked, more = warrant(why, False), terms.length_of(f"length {length}", length)
    with open_service(ctx) as service:
        position = deadlines.extend(service, game, more, asked.why)
        _say(service, position, as_json)


@hours_app.command(
    epilog=example(
        'gm turn hold beaver --why "a map is wrong"',
        "gm turn hold beaver --off",
        then="gm turn process GAME  plays it all the same; the next turn has its time as always.",
    )
)
def hold(
    ctx: typer.Context,
    game: GameName,
    off: Annotated[bool, typer.Option("--off", help="Let it go on, with the time that was left.")] = False,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Keep the turn that is due from being played, by its deadline or early, until you let it go on."""
    if off:
        with open_service(ctx) as service:
            _say(service, deadlines.resume(service, game, why or ""), as_json)
        return
    asked = warrant(why, False)
    with open_service(ctx) as service:
        position = deadlines.hold(service, game, asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"The turn of {game} is held. Go on with  gm turn hold {game} --off")


def _say(service: Service, position: GamePosition, as_json: bool) -> None:
    if as_json:
        document(game_view(position))
        return
    if position.deadline is None:
        say(f"{position.name} goes on, and waits for its player: it has no clock.")
    else:
        say(f"Deadline of {position.name}: {format_instant(position.deadline, service.service_context.zone)}")
