"""Addresses by which emails of players come here, and that the settings do not name."""

from collections import Counter
from collections.abc import Iterator

from adjudicator.caretaker.findings import Finding
from adjudicator.clerk.authentication import FROM
from adjudicator.clock import DAY, Millis
from adjudicator.errors import Fault
from adjudicator.house import House
from adjudicator.store import inbox
from adjudicator.store.inbox import Shown
from adjudicator.store.society import everybody
from orders.letters.headers import divide, read_headers
from orders.letters.letter import envelope_of
from orders.letters.mailboxes import agreed_addresses

MOST_LETTERS, LATELY = 300, 30 * DAY
"""How many letters are looked at, and from how long ago."""

MOST_NAMED = 5
_LISTS = frozenset({"list-id", "list-post"})


def unnamed_aliases(house: House) -> Iterator[Finding]:
    """Yield a warning for each address by which emails for seats come here without being ours.

    An email counts only by its token, its password or a YES then. Addresses of players are left out: somebody
    who was sent an email may have passed it on.
    """
    if FROM not in house.office.accept:
        return
    try:
        with house.database.session():
            found = _strange_recipients(house, house.clock.now() - LATELY)
    except Fault:  # told already
        return
    for address, count in found.most_common(MOST_NAMED):
        emails = "1 email of a player was" if count == 1 else f"{count} emails of players were"
        said = f"{emails} addressed to {address}, which [trust] addresses does not name"
        instead = (
            f'if it is an address of the service, write  addresses = ["{address}"]  below [trust]; if you do '
            "not know it, leave it out: somebody passes emails on to you"
        )
        yield Finding("addresses", "odd", said, instead)


def _strange_recipients(house: House, since: Millis) -> Counter[str]:
    people, found = {person.address for person in everybody(house.database)}, Counter[str]()
    for shown in inbox.list_letters(house.database, MOST_LETTERS):
        # Of a seat: it was read for one, or its writer was asked whether it was meant for us.
        is_of_seat = shown.seat is not None and shown.disposition in ("read", "quarantined")
        if is_of_seat and shown.received >= since:
            found.update(_recipients(shown, house) - people - {shown.speaker or ""})
    return found


def _recipients(shown: Shown, house: House) -> set[str]:
    """Return to whom an email is addressed; nobody if that is us, or if a list carried it."""
    headers = read_headers(divide(shown.raw.removeprefix(envelope_of(shown.raw)))[0])
    if any(header.name in _LISTS for header in headers):
        return set()
    named = {
        address
        for header in headers
        if header.name in ("to", "cc")
        for address in agreed_addresses(header.value)
    }
    return set() if any(map(house.office.is_ours, named)) else named
