"""SHEET: the order sheet as a page that writes the email."""

from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.order_page.enclosing import attach_order_page
from adjudicator.reports.reader import reader_of
from orders.commands import Command


def ask_sheet(case: SeatCommandContext, command: Command) -> CommandResult:
    """Enclose the page for what is due from the seat now, with its saved orders."""
    position = case.seated.position
    if not position.is_running:
        return reply_with(sentence("clerk.ordering.game_over"))
    reader = reader_of(position, case.seated.chair, case.address, case.books, case.office)
    page = attach_order_page(position, reader, case.time)
    if page is None:
        return reply_with(sentence("clerk.sheets.nothing_due", seat=case.seat))
    return CommandResult(notes=(sentence("clerk.sheets.enclosed", file=page.name),), attached=(page,))
