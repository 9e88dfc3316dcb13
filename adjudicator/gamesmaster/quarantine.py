"""Letters that wait for the gamesmaster: read again by his word, or put away.

Each raises Refusal for what cannot be done.
"""

from adjudicator.errors import Refusal
from adjudicator.house import House
from adjudicator.signs.addresses import claims, short
from adjudicator.store import inbox, returned
from adjudicator.store.inbox import Shown
from games.protocol import Seat
from orders.letters.letter import open_letter


def retry(house: House, number: int, seat: str | None = None) -> Shown:
    """Have a letter read again that was set aside or ignored. Returns what was decided now.

    seat: for whom it speaks, as SEAT or GAME/SEAT; its head need not show that, nor that no robot wrote it.
    """
    shown = _unread(house, number)
    game, found = _seat(house, shown, seat) if seat else (None, None)
    if not inbox.reopen(house.database, number, game, found):
        raise _overtaken(number)
    house.read_now(number)
    return _there(house, number)


def drop(house: House, number: int) -> Shown:
    """Put a letter away that was set aside or ignored, for good; it stays on the books."""
    _unread(house, number)
    if not inbox.drop(house.database, number, house.clock.now()):
        raise _overtaken(number)
    return _there(house, number)


def revive(house: House, address: str) -> None:
    """Send letters again to an address that was given up."""
    if not returned.revive(house.database, address.strip().lower()):
        known = ", ".join(one.address for one in returned.dead(house.database))
        instead = f"those that were: {known}" if known else "there is none that was"
        raise Refusal(f"address {address}", "was not given up", instead)


def _there(house: House, number: int) -> Shown:
    shown = inbox.show(house.database, number)
    if shown is None:
        raise Refusal(f"letter {number}", "no letter of that number came in", "gm mail list  shows them")
    return shown


def _unread(house: House, number: int) -> Shown:
    shown = _there(house, number)
    if shown.disposition not in ("quarantined", "ignored"):
        state = "waits to be read" if shown.disposition is None else f"was {shown.disposition}"
        why = f"{state}; only what was set aside or ignored can be given back or dropped"
        raise Refusal(f"letter {number}", why, "gm mail list --only quarantined  shows what was set aside")
    return shown


def _seat(house: House, shown: Shown, text: str) -> tuple[str, Seat]:
    """The game and the seat that are meant: the game of the letter itself, where it is not named."""
    game, _, name = text.rpartition("/")
    letter = open_letter(shown.raw)
    named = {claim.game for claim in claims(letter.recipients, letter.subject, letter.thread)}
    found = [
        (position.name, seat)
        for position in map(house.books.position, [game.lower()] if game else house.books.games())
        if position is not None
        for seat in position.chairs
        if short(seat) == short(name)
    ]
    meant = [one for one in found if one[0] in named] or found
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise Refusal(f"seat {text}", "there is no such seat", "write it as in  --as beaver/iroquois")
    several = ", ".join(f"{one}/{short(seat)}" for one, seat in meant)
    raise Refusal(f"seat {text}", "is one of several games", f"write one of: {several}")


def _overtaken(number: int) -> Refusal:
    return Refusal(f"letter {number}", "has been dealt with meanwhile", f"gm mail show {number}")
