"""SHEET: the order sheet as a page that writes the letter."""

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.order_page.enclosing import order_sheet
from adjudicator.reports.reader import reader_of
from orders.commands import Command


def ask_sheet(case: Case, command: Command) -> Done:
    """The page for what is due from the seat now, with what it has on file."""
    position = case.seated.position
    if not position.running:
        return told(sentence("clerk.ordering.game_over"))
    reader = reader_of(position, case.seated.chair, case.address, case.books, case.office)
    page = order_sheet(position, reader, case.time)
    if page is None:
        return told(sentence("clerk.sheets.nothing_due", seat=case.seat))
    return Done(notes=(sentence("clerk.sheets.enclosed", file=page.name),), attached=(page,))
