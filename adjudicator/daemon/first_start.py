"""The first start on a mailbox in use: emails that arrived before it are left alone, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import TYPE_CHECKING

from adjudicator.clock import Clock, Millis, format_instant
from adjudicator.config.service import Settings
from adjudicator.daemon.findings import Finding
from adjudicator.errors import Fault
from adjudicator.mail.configured import create_mailbox
from adjudicator.messages import sentence
from adjudicator.model.service_start import ServiceStart
from adjudicator.storage import metadata
from adjudicator.storage.database import Database
from adjudicator.storage.queries import DatabaseRepository

if TYPE_CHECKING:
    from adjudicator.service import Service


def begin_service(settings: Settings, database: Database, clock: Clock) -> tuple[int, str]:
    """Note the present as the start of a service that has no game and offers none.

    Returns how many emails lie in its mailbox that came before its start, and what is to be said about them.
    Raises PostFault, StoreFault.
    """
    with database.session():
        books = DatabaseRepository(database)
        if not books.games() and not books.people.offers():
            numbers = create_mailbox(settings).first_numbers()
            metadata.note_service_start(database, ServiceStart(at=clock.now(), first_numbers=dict(numbers)))
        start = metadata.service_start(database)
    count = create_mailbox(settings, start=start).count_left()
    return count, "" if start is None else _emails_left(count, start.at, settings.zone)


def left_findings(house: Service) -> Iterator[Finding]:
    """Say how many emails lie in the mailbox that are left alone, if there are any. Raises no Fault."""
    try:
        start = metadata.service_start(house.database)
        count = house.mailbox.count_left()
    except Fault:
        return  # said of the mailbox, or of the database
    if count and start is not None:
        text = _emails_left(count, start.at, house.office.zone)
        yield Finding("inbox", "good", text, sentence("house.first_start.hand_over"))


def _emails_left(count: int, since: Millis, zone: tzinfo) -> str:
    return sentence("house.first_start.left", count=count, since=format_instant(since, zone))
