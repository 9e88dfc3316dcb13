"""A game and a seat as plain values: what `--json` prints, and what the tables are filled from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import games
from adjudicator.admin import lookup
from adjudicator.cli.output import stamp
from adjudicator.model import solo_games
from adjudicator.model.games import outcome_of
from adjudicator.turns import bots as bots_of
from games import record

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.model.people import GameOffer, Signup
    from adjudicator.model.stuck import Suspension
    from games.protocol import Seat


def game_view(position: GamePosition) -> dict[str, Any]:
    """A game as anybody may see it. Instants are in ISO 8601; `turn` and `deadline` are null at the end.

    orders_count_until: the end of the grace.
    """
    game = games.kinds()[position.kind]
    rules = game.rules
    owed = lookup.missing_orders(position)
    return {
        "game": position.name,
        "kind": position.kind,
        "title": game.about.title,
        "status": position.status,
        "turn": record.plain(rules.turn(position.state)) if position.is_running else None,
        "deadline": stamp(position.deadline) if position.is_running else None,
        "grace_seconds": position.deadlines.grace // 1000,
        "orders_count_until": stamp(orders_count_until(position)),
        "stopped": stop_view(position),
        "held": position.stuck.why if position.stuck else None,
        "early": position.early,
        "options": dict(position.options),
        "turns_played": position.played,
        "seats": [_seat(position, seat, owed) for seat in position.chairs],
        "tables": [record.plain(table) for table in game.telling.tables(rules.view(position.state, None))],
        "result": record.plain(outcome_of(game, position)),
    }


def orders_count_until(position: GamePosition) -> int | None:
    """The instant at which the grace of the turn that is due ends; None while no deadline runs."""
    if not position.is_running or position.deadline is None or position.timing.stop is not None:
        return None
    return None if solo_games.is_solo(position) else position.deadline + position.deadlines.grace


def held_view(game: str, stuck: Suspension) -> dict[str, Any]:
    """A game that cannot be read, as far as anything is known of it."""
    return {"game": game, "kind": stuck.kind, "status": "held", "held": stuck.why, "instead": stuck.instead}


def stop_view(position: GamePosition) -> dict[str, Any] | None:
    """Why the clock of a game stands still; None while it goes. kind: "pause", "hold", or "nmr"."""
    stop = position.timing.stop
    if stop is None or not position.is_running:
        return None
    return {"kind": stop.kind, "since": stamp(stop.since), "by": stop.by, "why": stop.why}


STOPPED = {"pause": "paused", "hold": "held", "nmr": "waits for you"}
"""How a clock stands that stands still, by the kind of its stop, in a word or two."""


def stop_line(position: GamePosition) -> str | None:
    """The same in a line for people."""
    stop = stop_view(position)
    if stop is None:
        return None
    state = {"pause": "Paused", "hold": "The turn is held", "nmr": "The turn waits for you"}[stop["kind"]]
    return f"{state}, by {stop['by']}: {stop['why'] or 'no reason is given'}"


def offer_view(offer: GameOffer, signups: Sequence[Signup]) -> dict[str, Any]:
    """A game that waits for people. bot, temperament: of its bots; null: the weakest level, none."""
    return {
        "game": offer.name,
        "kind": offer.kind,
        "status": "open",
        "needed": offer.needed,
        "starts": stamp(offer.starts),
        "signed_up": [{"address": signup.address, "wishes": list(signup.wishes)} for signup in signups],
        "options": dict(offer.options),
        "terms": dict(offer.terms),
        "customs": record.plain(offer.customs),
        "bot": offer.level,
        "temperament": offer.temper,
    }


def seat_view(position: GamePosition, seat: Seat) -> dict[str, Any]:
    """A seat of a game. player: "person" or "bot"; missing: what its person still owes, as people call it.

    bot: the level of the bot that plays it whenever nobody holds it, null where a kind has none; temperament:
    its own, null for none; drawn: what came of it where that is "drawn".
    """
    return _seat(position, seat, lookup.missing_orders(position))


def _seat(position: GamePosition, seat: Seat, owed: Mapping[Seat, Sequence[str]]) -> dict[str, Any]:
    """The same. owed: what all lack."""
    chair, game = position.chairs[seat], games.kinds()[position.kind]
    bots = bots_of.GameBots(game, position.name, position.secret)
    return {
        "seat": seat,
        "player": "person" if chair.is_person else "bot",
        "address": chair.address,
        "bot": bots_of.level_of(game, chair) if game.bots else None,
        "temperament": chair.temper,
        "drawn": bots.temper_of(chair) if chair.temper == bots_of.RANDOM_TEMPER and game.bots else None,
        "owes": seat in owed,
        "missing": list(owed.get(seat, ())) if chair.is_person else [],
        "wait": chair.wait,
        "ready": chair.ready,
        "missed": chair.missed,
        "trouble": chair.trouble,
    }


def bot_line(seat: dict[str, Any], *, drawn: bool = True) -> str:
    """The bot of a seat in a phrase: "bot (intermediate, raider)". drawn: what came of a draw, too."""
    temper = seat["temperament"]
    if temper == bots_of.RANDOM_TEMPER and drawn:
        temper = f"{seat['drawn']}, drawn"
    return f"bot ({', '.join(filter(None, (seat['bot'], temper)))})" if seat["bot"] else "bot"
