"""Addresses by which emails of players come here, and that the settings do not name."""

from collections import Counter
from collections.abc import Iterator

from adjudicator.auth.authentication import VERIFIED_FROM
from adjudicator.clock import DAY, Millis
from adjudicator.daemon.findings import Finding
from adjudicator.errors import Fault
from adjudicator.service import Service
from adjudicator.storage import inbox
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.society import all_people
from orders.mail.headers import read_headers, split_message
from orders.mail.letter import envelope_of
from orders.mail.mailboxes import agreed_addresses

MOST_LETTERS, LATELY = 300, 30 * DAY
"""How many letters are looked at, and from how long ago."""

MAX_ALIASES_NAMED = 5
_MAILING_LIST_HEADERS = frozenset({"list-id", "list-post"})


def unnamed_aliases(house: Service) -> Iterator[Finding]:
    """Yield a warning for each address by which emails for seats come here without being ours.

    An email counts only by its token, its password or a YES then. Addresses of players are left out: somebody
    who was sent an email may have passed it on.
    """
    if VERIFIED_FROM not in house.office.accept:
        return
    try:
        with house.database.session():
            recipients = _strange_recipients(house, house.clock.now() - LATELY)
    except Fault:  # told already
        return
    for address, count in recipients.most_common(MAX_ALIASES_NAMED):
        emails = "1 email of a player was" if count == 1 else f"{count} emails of players were"
        problem = f"{emails} addressed to {address}, which [trust] addresses does not name"
        instead = (
            f'if it is an address of the service, write  addresses = ["{address}"]  below [trust]; if you do '
            "not know it, leave it out: somebody passes emails on to you"
        )
        yield Finding("addresses", "odd", problem, instead)


def _strange_recipients(house: Service, since: Millis) -> Counter[str]:
    people, recipients = {person.address for person in all_people(house.database)}, Counter[str]()
    for shown in inbox.list_letters(house.database, MOST_LETTERS):
        # Of a seat: it was read for one, or its writer was asked whether it was meant for us.
        is_of_seat = shown.seat is not None and shown.disposition in ("read", "quarantined")
        if is_of_seat and shown.received >= since:
            recipients.update(_recipients(shown, house) - people - {shown.speaker or ""})
    return recipients


def _recipients(shown: ShownLetter, house: Service) -> set[str]:
    """Return to whom an email is addressed; nobody if that is us, or if a list carried it."""
    headers = read_headers(split_message(shown.raw.removeprefix(envelope_of(shown.raw)))[0])
    if any(header.name in _MAILING_LIST_HEADERS for header in headers):
        return set()
    named = {
        address
        for header in headers
        if header.name in ("to", "cc")
        for address in agreed_addresses(header.value)
    }
    return set() if any(map(house.office.is_ours, named)) else named
