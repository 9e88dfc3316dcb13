"""``gm game show`` and ``list`` as they look: turns, deadlines, who is missing, how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import games
from adjudicator import clock
from adjudicator.admin import lookup
from adjudicator.cli.connect import shelf_at
from adjudicator.cli.game_view import (
    STOPPED,
    bot_line,
    game_view,
    held_view,
    offer_view,
    orders_count_until,
    stop_line,
)
from adjudicator.cli.output import document, heading, say, table
from adjudicator.model import overdue, solo_games
from adjudicator.reports import times

if TYPE_CHECKING:
    from collections.abc import Callable
    from zoneinfo import ZoneInfo

    from adjudicator.config.service import Settings
    from adjudicator.model.games import GamePosition
    from adjudicator.model.people import GameOffer
    from adjudicator.storage.queries import DatabaseRepository


def show(config: str | None, name: str, *, as_json: bool) -> None:
    """Print a game, or an offer of one."""
    with shelf_at(config) as shelf:
        offer = shelf.books.people.offer(name)
        if offer is not None:
            say_offer(offer, shelf.books, shelf.settings, as_json)
            return
        position = lookup.position_of(shelf, name)
        zone = shelf.zone
    sight = game_view(position)
    if as_json:
        document(sight)
        return
    stopped = sight["stopped"]
    say(f"{name}: {sight['title']}, {STOPPED[stopped['kind']] if stopped else sight['status']}")
    if position.stuck is not None:
        say(f"It is held: {position.stuck.why}.", f"What can be done: {position.stuck.instead}.")
    say_turn(position, zone, clock.WallClock().now())
    if sight["result"]:
        winners = ", ".join(sight["result"]["winners"]) or "nobody"
        say(f"Won by {winners}: {sight['result']['reason']}")
    heading("Seats")
    table(
        ("seat", "player", "orders", "says", "missed", "trouble"),
        [_seat_row(seat) for seat in sight["seats"]],
    )
    for content in sight["tables"]:
        heading(content["title"])
        table(content["columns"], content["rows"])


def show_all(config: str | None, *, as_json: bool) -> None:
    """Print all games, and those that wait for people."""
    with shelf_at(config) as shelf:
        names, books = shelf.books.games(), shelf.books
        positions = [here for name in names if (here := books.position(name)) is not None]
        stuck = [why for name in names if (why := books.suspension(name)) is not None]
        society, zone = shelf.books.people, shelf.zone
        offers = [offer_view(offer, society.signups(offer.name)) for offer in society.offers()]
    sights = [game_view(position) for position in positions]
    if as_json:
        shown = {position.name for position in positions}
        document(
            [
                *sights,
                *(
                    held_view(suspended_game.game, suspended_game)
                    for suspended_game in stuck
                    if suspended_game.game not in shown
                ),
                *offers,
            ]
        )
        return
    if not sights and not offers and not stuck:
        say("There is no game yet. Begin one:  gm game new indianomacy")
        return
    now = clock.WallClock().now()
    rows: list[tuple[object, ...]] = [
        (
            sight["game"],
            sight["kind"],
            sight["turn"]["short"] if sight["turn"] else sight["status"],
            "held" if sight["held"] else _deadline_cell(position, zone, now),
            sum(seat["player"] == "person" for seat in sight["seats"]),
            sum(bool(seat["missing"]) for seat in sight["seats"]),
        )
        for sight, position in zip(sights, positions, strict=True)
    ]
    unread = {suspended_game.game for suspended_game in stuck} - {position.name for position in positions}
    rows += [
        (suspended_game.game, suspended_game.kind, None, "held", None, None)
        for suspended_game in stuck
        if suspended_game.game in unread
    ]
    for offer_row in offers:
        there = len(offer_row["signed_up"])
        rows.append((offer_row["game"], offer_row["kind"], "open", None, there, offer_row["needed"] - there))
    table(("game", "kind", "turn", "deadline", "people", "missing"), rows)
    for held in stuck:
        say(f"{held.game} is held: {held.why}.")


def say_turn(position: GamePosition, zone: ZoneInfo, now: int) -> None:
    """Print which turn is due, and until when."""
    if not position.is_running:
        return
    turn = games.kinds()[position.kind].rules.turn(position.state)
    say(f"Turn: {turn.name} ({turn.short})")
    if stopped := stop_line(position):
        say(stopped, f"It goes on with  gm game resume {position.name}")
    elif solo_games.is_solo(position):
        asleep = ", and sleeps until he writes" if solo_games.is_asleep(position.timing) else ""
        say(f"No deadline: it waits for its one player{asleep}.")
    elif (over := overdue.overdue(position, now)) is not None:
        say(times.overdue_line(over, zone))
    elif position.deadline is not None:
        say(f"Deadline: {clock.format_instant(position.deadline, zone)}")
        if position.early:
            say("It is played at once when all orders of the people are in.")


def say_offer(offer: GameOffer, books: DatabaseRepository, settings: Settings, as_json: bool) -> None:
    """Print a game that waits for people."""
    signups = books.people.signups(offer.name)
    if as_json:
        document(offer_view(offer, signups))
        return
    title = games.kinds()[offer.kind].about.title
    say(f"{offer.name}: a game of {title} that waits for people, {len(signups)} of {offer.needed} are there.")
    if offer.starts is not None:
        say(f"It begins at the latest: {clock.format_instant(offer.starts, settings.zone)}")
    if signups:
        table(("address", "would like"), [(signup.address, ", ".join(signup.wishes)) for signup in signups])
    say("", f"People sign up by a letter to {settings.address}:  JOIN {offer.name}")
    say(f"Begin it now, bots in the other seats:  gm game start {offer.name}")


def _seat_row(seat: dict[str, Any]) -> tuple[object, ...]:
    orders = None
    if seat["owes"] and seat["player"] == "person":
        orders = "missing: " + ", ".join(seat["missing"]) if seat["missing"] else "in"
    says = "WAIT" if seat["wait"] else "READY" if seat["ready"] else None
    player = seat["address"] or bot_line(seat)
    return (seat["seat"], player, orders, says, seat["missed"] or None, seat["trouble"])


def _deadline_cell(position: GamePosition, zone: ZoneInfo, now: int) -> str | None:
    stop = position.timing.stop
    if stop is not None and position.is_running:
        return STOPPED[stop.kind]
    if solo_games.is_solo(position):
        return "sleeps" if solo_games.is_asleep(position.timing) else "waits"
    deadline = position.deadline if position.is_running else None
    until = orders_count_until(position)
    return deadline_cell(deadline, until, now, lambda at: f"{clock.datetime_of(at, zone):%Y-%m-%d %H:%M %Z}")


def deadline_cell(
    deadline: int | None, until: int | None, now: int, local: Callable[[int], str]
) -> str | None:
    """The deadline of a game in a table; once it is over, until when orders count.

    local: tells an instant.
    """
    if deadline is None:
        return None
    if until is None or now <= deadline:
        return local(deadline)
    if now > until:
        return f"was {local(deadline)}; orders count no longer"
    return f"was {local(deadline)}; orders count until {local(until)}"
