"""``gm game log``, ``undo``, ``rollback``: the history of a game, and how to change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import game_admin, overrides
from adjudicator.cli.arguments import GameName, Json, Silent, Why, Yes, confirm, example, warrant
from adjudicator.cli.connect import open_service
from adjudicator.cli.output import document, moment, page_output, pluralise, say, table
from adjudicator.cli.views import game_view
from adjudicator.clock import datetime_of
from adjudicator.errors import Refusal
from adjudicator.storage import stored_games
from adjudicator.turns import log as game_log
from games import record

if TYPE_CHECKING:
    from adjudicator.model.games import LogEntry


history_app = typer.Typer()


@history_app.command(
    epilog=example(
        "gm game log beaver",
        "gm game log beaver --entry 12",
        then=('"gm game replay GAME" verifies the log; "gm game undo" and "gm game rollback" undo changes.'),
    )
)
def log(
    ctx: typer.Context,
    name: GameName,
    entry: Annotated[int | None, typer.Option(metavar="NUMBER", help="Show one entry in full.")] = None,
    as_json: Json = False,
) -> None:
    """Show a game's log: every turn and every manual change, with who made it and why.

    An entry in brackets no longer counts: it was undone or rolled back.
    """
    with open_service(ctx) as service:
        game_admin.position_of(service, name)
        entries = overrides.entries_of(service, name)
        minutes = stored_games.minutes(service.database, name)
        zone = service.service_context.zone
    shown = log_view(entries)
    if entry is not None:
        shown = [details for details in shown if details["entry"] == entry]
        if not shown:
            raise Refusal(
                f"The log of game {name} has no entry {entry}",
                "",
                f'Use "gm game log {name}" to see all entries',
            )
    if as_json:
        document(shown[0] if entry is not None else shown)
        return
    if entry is not None:
        table(("entry", str(entry)), [(key, _plain_text(value)) for key, value in shown[0].items()])
        return
    rows = [
        (
            details["entry"] if details["counts"] else f"({details['entry']})",
            f"{datetime_of(logged_entry.at, zone):%Y-%m-%d %H:%M}",
            details["kind"],
            details["turn"],
            details["by"],
            details["what"],
            details["why"],
        )
        for details, logged_entry in zip(shown, entries, strict=True)
    ]
    with page_output():
        table(("entry", "at", "kind", "turn", "by", "what", "why"), rows)
        if minutes:
            say("", "Manual changes:")
            noted = [
                (f"{datetime_of(minute.at, zone):%Y-%m-%d %H:%M}", minute.by, minute.what, minute.why)
                for minute in minutes
            ]
            table(("at", "by", "what", "why"), noted)


@history_app.command(
    epilog=example(
        'gm game undo beaver --why "it was right after all"',
        'gm game undo beaver --entry 12 --why "wrong game"',
        then='To go back further than the last turn, use "gm game rollback".',
    )
)
def undo(
    ctx: typer.Context,
    name: GameName,
    entry: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The entry of the log to undo (default: the latest).")
    ] = None,
    why: Why = None,
    silent: Silent = False,
    as_json: Json = False,
) -> None:
    """Undo a manual change since the last turn: an edit, orders, a roll, a rollback."""
    asked = warrant(why, silent)
    with open_service(ctx) as service:
        done = overrides.undo(service, name, entry, asked)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"{entry_view(done.entry)['what'].capitalize()} (entry {done.entry.number} of the log of {name}).")


@history_app.command(
    epilog=example(
        'gm game rollback beaver F1M --why "the report was wrong"',
        then='Change orders with "gm orders set", then run the turn with "gm turn process".',
    )
)
def rollback(
    ctx: typer.Context,
    name: GameName,
    turn: Annotated[
        str, typer.Argument(metavar="TURN", help='The turn to go back to; "gm game log" lists them.')
    ],
    why: Why = None,
    tell: Annotated[
        bool, typer.Option("--tell/--no-tell", help="Email the players the new position.")
    ] = True,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Roll a game back to an earlier turn. All orders of that turn are saved again and can be changed.

    The turn has its whole time again and is on hold until you release it. Bots choose new orders, and the
    dice roll again. The log keeps everything.
    """
    asked = warrant(why, silent=False)
    confirm(f"Roll {name} back to {turn}?", yes, f"game {name}")
    with open_service(ctx) as service:
        was_over = game_admin.position_of(service, name).status == "finished"
        done = overrides.rollback(service, name, turn, asked, tell=tell)
    details, number = game_view(done.after), done.entry.number
    if as_json:
        document({**entry_view(done.entry), "game": details})
        return
    seats_on_file = [seat for seat, items in done.after.filed.items() if items]
    say(
        f"Rolled {name} back to {details['turn']['name']} ({details['turn']['short']}), "
        f"entry {number} of its log."
    )
    say(
        f"Saved again: the orders of {', '.join(seats_on_file)}."
        if seats_on_file
        else "There are no saved orders."
    )
    if was_over:
        say("The secret of its dice is public, since the game was over. Anyone can compute the next rolls.")
    say("The turn is on hold so that you can change them. Nothing runs by itself.")
    say(f"To run it: gm turn process {name}", f"Or give it its usual time: gm game resume {name}")
    if tell and (people := sum(assignment.is_person for assignment in done.after.assignments.values())):
        say(f"{pluralise(people, 'email')} to the players ready to be sent.")


def _plain_text(value: object) -> object:
    if isinstance(value, dict):
        return "; ".join(
            f"{seat}: {order} ({why})" for seat, all_ in value.items() for order, why in all_.items()
        )
    if isinstance(value, list):
        return "; ".join(
            f"{throw['label']} (d{throw['sides']}): {', '.join(map(str, throw['numbers']))}"
            f"{' set by hand' * throw['forced']}"
            for throw in value
        )
    return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value


# The log of a game as plain values, for `--json` and for tables.


def entry_view(entry: LogEntry) -> dict[str, Any]:
    """Return an entry of the log. what: a short description. reasons: the bots', by seat and order."""
    return {
        "entry": entry.number,
        "at": moment(entry.at),
        "kind": entry.kind,
        "turn": entry.turn,
        "by": entry.by,
        "why": entry.why or None,
        "what": overrides.describe_entry(entry),
        "silent": bool(entry.options.get("silent")) if game_log.override_of(entry) is not None else False,
        "dice": [record.plain(throw) for throw in entry.throws],
        "reasons": {seat: dict(why) for seat, why in sorted(entry.reasons.items())},
        "state_sha256": entry.state_sha,
        "sha256": entry.sha,
        "previous_sha256": entry.previous_sha,
        "variant_sha256": entry.variant or None,
    }


def log_view(entries: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """Return a whole log. counts: False for an entry that was undone or rolled back."""
    counting = {entry.number for entry in game_log.counting_entries(entries)} - game_log.undone_entries(
        entries
    )
    return [{**entry_view(entry), "counts": entry.number in counting} for entry in entries]
