"""``gm orders show`` as it looks: what seats have on file, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import games
from adjudicator.admin import lookup
from adjudicator.cli.connect import shelf_at
from adjudicator.cli.output import document, heading, say
from adjudicator.model import filed_orders

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from games.protocol import Seat


def show(config: str | None, game: str, seat: str | None = None, *, as_json: bool) -> None:
    """Print what a seat has on file, or all of people."""
    with shelf_at(config) as shelf:
        position = lookup.position_of(shelf, game)
    seats = (
        [lookup.seat_of(position, seat)]
        if seat
        else [at for at, chair in position.chairs.items() if chair.is_person]
    )
    sights = [sight_of(position, at) for at in seats]
    if as_json:
        document(sights)
        return
    if not sights:
        say(f"Nobody but bots plays in {game}; they order when the turn is played.")
    for sight in sights:
        heading(sight["seat"])
        say(*(f"  {order}" for order in sight["orders"]))
        if sight["missing"]:
            say(f"  missing: {', '.join(sight['missing'])}")
        elif not sight["orders"]:
            say("  nothing on file, nothing owed")


def sight_of(position: GamePosition, seat: Seat) -> dict[str, Any]:
    """Return the saved orders of a seat, as plain values."""
    game = games.kinds()[position.kind]
    return {
        "game": position.name,
        "seat": seat,
        "turn": game.rules.turn(position.state).short if position.is_running else None,
        "orders": [filed_orders.write_item(game, item) for item in position.filed.get(seat, ())],
        "missing": list(lookup.missing_orders(position).get(seat, ())) if position.is_running else [],
    }
