"""``gm game show`` as it looks: turn, deadline, who is missing, how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import games
from adjudicator import clock
from adjudicator.gamesmaster import looking
from adjudicator.gm.game_view import bot_line, game_view, offer_view, stop_line
from adjudicator.gm.opening import shelf_at
from adjudicator.gm.output import document, heading, say, table
from adjudicator.ledger import solitude

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from adjudicator.ledger.positions import Position
    from adjudicator.ledger.society import Offer
    from adjudicator.settings.service import Settings
    from adjudicator.store.books import StoredBooks


def show(config: str | None, name: str, *, as_json: bool) -> None:
    """Print a game, or an offer of one."""
    with shelf_at(config) as shelf:
        offer = shelf.books.society.offer(name)
        if offer is not None:
            say_offer(offer, shelf.books, shelf.settings, as_json)
            return
        position = looking.position_of(shelf, name)
        zone = shelf.zone
    sight = game_view(position)
    if as_json:
        document(sight)
        return
    say(f"{name}: {sight['title']}, {sight['status']}")
    if position.stuck is not None:
        say(f"It is held: {position.stuck.why}.", f"What can be done: {position.stuck.instead}.")
    say_turn(position, zone)
    if sight["result"]:
        winners = ", ".join(sight["result"]["winners"]) or "nobody"
        say(f"Won by {winners}: {sight['result']['reason']}")
    heading("Seats")
    table(
        ("seat", "player", "orders", "says", "missed", "trouble"),
        [_seat_row(seat) for seat in sight["seats"]],
    )
    for one in sight["tables"]:
        heading(one["title"])
        table(one["columns"], one["rows"])


def say_turn(position: Position, zone: ZoneInfo) -> None:
    """Print which turn is due, and until when."""
    if not position.running:
        return
    turn = games.kinds()[position.kind].rules.turn(position.state)
    say(f"Turn: {turn.name} ({turn.short})")
    if stopped := stop_line(position):
        say(stopped, f"It goes on with  gm game resume {position.name}")
    elif solitude.is_solo(position):
        asleep = ", and sleeps until he writes" if solitude.is_asleep(position.timing) else ""
        say(f"No deadline: it waits for its one player{asleep}.")
    elif position.deadline is not None:
        say(f"Deadline: {clock.spoken(position.deadline, zone)}")
        if position.early:
            say("It is played at once when all orders of the people are in.")


def say_offer(offer: Offer, books: StoredBooks, settings: Settings, as_json: bool) -> None:
    """Print a game that waits for people."""
    signups = books.society.signups(offer.name)
    if as_json:
        document(offer_view(offer, signups))
        return
    title = games.kinds()[offer.kind].about.title
    say(f"{offer.name}: a game of {title} that waits for people, {len(signups)} of {offer.needed} are there.")
    if offer.starts is not None:
        say(f"It begins at the latest: {clock.spoken(offer.starts, settings.zone)}")
    if signups:
        table(("address", "would like"), [(one.address, ", ".join(one.wishes)) for one in signups])
    say("", f"People sign up by a letter to {settings.address}:  JOIN {offer.name}")
    say(f"Begin it now, bots in the other seats:  gm game start {offer.name}")


def _seat_row(seat: dict[str, Any]) -> tuple[object, ...]:
    orders = None
    if seat["owes"] and seat["player"] == "person":
        orders = "missing: " + ", ".join(seat["missing"]) if seat["missing"] else "in"
    says = "WAIT" if seat["wait"] else "READY" if seat["ready"] else None
    player = seat["address"] or bot_line(seat)
    return (seat["seat"], player, orders, says, seat["missed"] or None, seat["trouble"])
