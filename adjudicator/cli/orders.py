"""``gm orders``: saved orders, and orders that a GM enters for a seat."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import game_admin, overrides
from adjudicator.cli import views
from adjudicator.cli.arguments import (
    GameName,
    Json,
    SeatName,
    Silent,
    Why,
    Yes,
    confirm,
    example,
    noun,
    warrant,
)
from adjudicator.cli.channels import READ_EXAMPLES, READ_NOTE, read
from adjudicator.cli.connect import config_of, open_service
from adjudicator.cli.games import entry_view
from adjudicator.cli.output import document, say

if TYPE_CHECKING:
    from adjudicator.admin.overrides import OverrideOutcome
    from adjudicator.inbound.filing import FilingResult
    from adjudicator.model.games import GamePosition
    from games.protocol import Seat
    from orders.verdict import LineVerdict


orders_app = noun(
    "Show, enter and withdraw the orders of a seat.",
    "gm orders show beaver",
    'gm orders set beaver iroquois "Mohawk - Delaware" --why "by telephone"',
    "gm orders read beaver --from thread.txt",
)


@orders_app.command(epilog=example("gm orders show beaver", "gm orders show beaver iroquois"))
def show(
    ctx: typer.Context,
    game: GameName,
    seat: Annotated[
        str | None,
        typer.Argument(metavar="SEAT", help="The seat to show (default: all seats that players hold)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the saved orders for this turn and later turns, and the missing ones."""
    views.show_orders(config_of(ctx), game, seat, as_json=as_json)


@orders_app.command(
    "set",
    epilog=example(
        'gm orders set beaver iroquois "Mohawk - Delaware, Oneida H" --why "by telephone"',
        'gm orders set beaver iroquois - --why "email from another address" < orders.txt',
        then=('"gm game undo beaver" undoes this; "gm orders show beaver" shows the saved orders.'),
    ),
)
def set_orders(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    orders: Annotated[
        list[str],
        typer.Argument(metavar="ORDERS...", help="The orders, as a player writes them; - is standard input."),
    ],
    afresh: Annotated[
        bool, typer.Option("--afresh", help="Replace all saved orders (default: keep the other orders).")
    ] = False,
    why: Why = None,
    silent: Silent = False,
    as_json: Json = False,
) -> None:
    """Enter orders for a seat, as if its player had emailed them in time.

    Each line is read and checked as in an email: IF and PHASE work, and illegal orders aren't saved. The exit
    code is 1 if no order could be saved.
    """
    asked = warrant(why, silent)
    lines = sys.stdin.read().splitlines() if orders == ["-"] else _lines(orders)
    with open_service(ctx) as service:
        filed, done = overrides.set_orders(service, game, seat, lines, asked, afresh=afresh)
        position = game_admin.position_of(service, game)
    _tell(position, game_admin.seat_of(position, seat), filed, done, as_json)
    if done is None and not any(row.grade == "idle" for row in filed.rows):
        raise typer.Exit(1)


@orders_app.command(epilog=example('gm orders clear beaver iroquois --why "asked for it by telephone"'))
def clear(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    why: Why = None,
    silent: Silent = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Withdraw all saved orders of a seat."""
    asked = warrant(why, silent)
    confirm(f"Withdraw all orders of {seat} in {game}?", yes, f"game {game}")
    with open_service(ctx) as service:
        filed, done = overrides.set_orders(service, game, seat, (), asked, afresh=True)
        position = game_admin.position_of(service, game)
    _tell(position, game_admin.seat_of(position, seat), filed, done, as_json)


def _lines(words: list[str]) -> list[str]:
    """Return the typed lines: each argument is one, unless an order was typed without quotes."""
    return words if any(" " in word for word in words) else [" ".join(words)]


orders_app.command(epilog=example(*READ_EXAMPLES, then=READ_NOTE))(read)


def _tell(
    position: GamePosition, seat: Seat, filed: FilingResult, done: OverrideOutcome | None, as_json: bool
) -> None:
    details = views.saved_orders(position, seat)
    if as_json:
        rows = [_row(row) for row in filed.rows]
        entry = entry_view(done.entry) if done else None
        document({**details, "lines": rows, "notes": list(filed.notes), "logged": entry})
        return
    for row in filed.rows:
        problem = f": {row.problem}" if row.problem else ""
        say(f"{row.line}", f"    {row.grade}{f', as {row.said}' if row.said else ''}{problem}")
        if row.instead:
            say(f"    Write {row.instead}")
    say(*filed.notes)
    if done is None:
        say(f"Nothing was changed for {seat}.")
    else:
        say(f"Saved orders of {seat} (entry {done.entry.number} of the log):")
    say(*(f"  {order}" for order in details["orders"] or ["none"]))


def _row(row: LineVerdict) -> dict[str, Any]:
    return {
        "line": row.line,
        "grade": row.grade,
        "read_as": row.said,
        "in_force": row.in_force,
        "problem": row.problem,
        "instead": row.instead,
        "candidates": list(row.candidates),
    }
