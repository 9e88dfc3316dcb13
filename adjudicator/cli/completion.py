"""Shell completion of the names of games, seats and kinds."""

from typing import Any

import games
from adjudicator.cli.connect import house_of
from adjudicator.errors import Fault, Refusal
from adjudicator.model.addresses import short_seat_name


def game_names(ctx: Any) -> list[str]:
    """The games of the service; none where it cannot be opened."""
    try:
        with house_of(ctx) as house:
            return list(house.books.games())
    except (Refusal, Fault):
        return []


def seat_names(ctx: Any) -> list[str]:
    """The seats of the game that stands before."""
    game = ctx.params.get("game") or ctx.params.get("name")
    try:
        with house_of(ctx) as house:
            position = house.books.position(game) if game else None
    except (Refusal, Fault):
        return []
    return [short_seat_name(seat) for seat in position.chairs] if position else []


def kind_names(_ctx: Any) -> list[str]:
    """The kinds of games."""
    return list(games.kinds())
