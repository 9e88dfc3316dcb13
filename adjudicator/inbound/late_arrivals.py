"""Emails that were sent before others and arrive after them: they count, and their replies say so."""

from collections.abc import Sequence

from adjudicator.clock import MINUTE
from adjudicator.inbound.commands.context import SeatCommandContext
from adjudicator.messages import sentence
from adjudicator.model.filed_orders import Item, is_flag, key_of
from adjudicator.reports.reader import reader_of
from adjudicator.reports.times import both
from orders.mail.letter import Letter

MAX_USUAL_TRANSIT = 2 * MINUTE
"""An email that took longer may have been overtaken. Clocks differ by less."""


def late_notes(
    letter: Letter, case: SeatCommandContext, before: Sequence[Item], after: Sequence[Item]
) -> tuple[str, ...]:
    """Say that an email has replaced orders of one that was sent later; nothing where it has not.

    before, after: what the seat had on file, and has from now on.
    """
    if letter.date is None or letter.date > case.received - MAX_USUAL_TRANSIT or not _replaces(before, after):
        return ()
    dates = case.books.dates_sent(letter.sender, case.name, case.seat)
    later = max((date for date in dates if date > letter.date), default=None)
    if later is None:
        return ()
    position, chair = case.seated.position, case.seated.chair
    zone = reader_of(position, chair, case.address, case.books, case.office).zone
    note = sentence("clerk.late_arrivals.replaced", earlier=both(letter.date, zone), later=both(later, zone))
    return (note,)


def _replaces(before: Sequence[Item], after: Sequence[Item]) -> bool:
    """Return whether another order stands on file in place of one that was there."""
    now = {key_of(item): item for item in after if not is_flag(item)}
    return any(not is_flag(item) and now.get(key_of(item)) != item for item in before)
