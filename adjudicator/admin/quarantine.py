"""Letters that wait for the gamesmaster: read again by his word, or put away.

Each raises Refusal for what cannot be done.
"""

from adjudicator.errors import Refusal
from adjudicator.model.addresses import claims, short_seat_name
from adjudicator.service import Service
from adjudicator.storage import bounces, inbox
from adjudicator.storage.inbox import ShownLetter
from games.protocol import Seat
from orders.mail.letter import open_letter


def retry(house: Service, number: int, seat: str | None = None) -> ShownLetter:
    """Have a letter read again that was set aside or ignored. Returns what was decided now.

    seat: for whom it speaks, as SEAT or GAME/SEAT; its head need not show that, nor that no robot wrote it.
    """
    shown = _unprocessed_letter(house, number)
    game, seat_meant = _seat(house, shown, seat) if seat else (None, None)
    if not inbox.reopen(house.database, number, game, seat_meant):
        raise _overtaken(number)
    house.read_now(number)
    return _there(house, number)


def drop(house: Service, number: int) -> ShownLetter:
    """Put a letter away that was set aside or ignored, for good; it stays on the books."""
    _unprocessed_letter(house, number)
    if not inbox.drop(house.database, number, house.clock.now()):
        raise _overtaken(number)
    return _there(house, number)


def revive(house: Service, address: str) -> None:
    """Send letters again to an address that was given up."""
    if not bounces.enable_address(house.database, address.strip().lower()):
        known = ", ".join(
            address_disabled.address for address_disabled in bounces.disabled_addresses(house.database)
        )
        instead = f"those that were: {known}" if known else "there is none that was"
        raise Refusal(f"address {address}", "was not given up", instead)


def _there(house: Service, number: int) -> ShownLetter:
    shown = inbox.show(house.database, number)
    if shown is None:
        raise Refusal(f"letter {number}", "no letter of that number came in", "gm mail list  shows them")
    return shown


def _unprocessed_letter(house: Service, number: int) -> ShownLetter:
    shown = _there(house, number)
    if shown.disposition not in ("quarantined", "ignored"):
        state = "waits to be read" if shown.disposition is None else f"was {shown.disposition}"
        why = f"{state}; only what was set aside or ignored can be given back or dropped"
        raise Refusal(f"letter {number}", why, "gm mail list --only quarantined  shows what was set aside")
    return shown


def _seat(house: Service, shown: ShownLetter, text: str) -> tuple[str, Seat]:
    """The game and the seat that are meant: the game of the letter itself, where it is not named."""
    game, _, name = text.rpartition("/")
    letter = open_letter(shown.raw)
    named = {claim.game for claim in claims(letter.recipients, letter.subject, letter.thread)}
    seats = [
        (position.name, seat)
        for position in map(house.books.position, [game.lower()] if game else house.books.games())
        if position is not None
        for seat in position.chairs
        if short_seat_name(seat) == short_seat_name(name)
    ]
    meant = [pair for pair in seats if pair[0] in named] or seats
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise Refusal(f"seat {text}", "there is no such seat", "write it as in  --as beaver/iroquois")
    several = ", ".join(f"{game_name}/{short_seat_name(seat)}" for game_name, seat in meant)
    raise Refusal(f"seat {text}", "is one of several games", f"write one of: {several}")


def _overtaken(number: int) -> Refusal:
    return Refusal(f"letter {number}", "has been dealt with meanwhile", f"gm mail show {number}")
