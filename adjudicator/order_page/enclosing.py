"""The order page as a file that is attached to a letter to a seat's player."""

import re
from collections.abc import Sequence

import games
from adjudicator.clock import Millis
from adjudicator.model.filed_orders import Item
from adjudicator.model.games import GamePosition
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment
from adjudicator.model.overdue import overdue
from adjudicator.model.solo_games import is_solo
from adjudicator.order_page.choices import OrderPageInput
from adjudicator.order_page.page import OrderEmail, render_order_page
from adjudicator.reports.messages import LetterReader
from adjudicator.reports.order_sheet import saved_orders, sheet_lines
from adjudicator.reports.times import both
from games.protocol import Seat

_NOT_IN_FILE_NAME = re.compile("[^a-z0-9]+")
ORDER_PAGE_MEDIA_TYPE = HeaderText('text/html; charset="utf-8"')


def attach_order_page(
    position: GamePosition, reader: LetterReader, now: Millis, filed: Sequence[Item] | None = None
) -> Attachment | None:
    """Return the page for the reader of a letter to a seat; None where nothing is due from it.

    position: the present one; now: when the letter is written; filed: what is on file for the seat, where
    that is newer. It is made of
    what the seat may see, and of no more.
    """
    seat = reader.seat
    if seat is None or not position.is_running or reader.reply_address is None:
        return None
    given = position.filed.get(seat, ()) if filed is None else filed
    asked = build_order_page_input(position, seat, given)
    until = _wanted_until(position, now)
    said = "" if until is None else both(until, reader.zone)
    envelope = OrderEmail(to=reader.reply_address, subject=f"Orders {reader.tag}", until=said)
    lines = sheet_lines(asked.game, position.state, asked.dues, given, seat)
    page = render_order_page(asked, position.name, envelope, lines)
    if page is None:
        return None
    short = asked.game.rules.turn(position.state).short
    name = HeaderText(f"{position.name}-{short}-orders.html")
    return Attachment(name=name, media=ORDER_PAGE_MEDIA_TYPE, content=page)


def _wanted_until(position: GamePosition, now: Millis) -> Millis | None:
    """Return until when orders are wanted: the deadline, or once that is over the end of the grace."""
    if is_solo(position) or position.timing.stop is not None:
        return None
    over = overdue(position, now)
    return position.deadline if over is None else over.until


def open_order_page(position: GamePosition, seat: Seat) -> bytes | None:
    """Return the page for a seat as anybody may open it: without its token and its saved orders.

    Of a game that hides nothing. None where nothing is due.
    """
    asked = build_order_page_input(position, seat)
    short = asked.game.rules.turn(position.state).short
    envelope = OrderEmail(to="", subject=f"Re: {position.name} {short} {seat}")
    return render_order_page(asked, position.name, envelope, asked.rest)


def order_page_file_name(seat: Seat) -> str:
    """Return the file name of a seat's open page."""
    return f"orders-{_NOT_IN_FILE_NAME.sub('-', seat.lower()).strip('-')}.html"


def build_order_page_input(position: GamePosition, seat: Seat, filed: Sequence[Item] = ()) -> OrderPageInput:
    """Return what is due from a seat now, and what it has on file."""
    game, state = games.kinds()[position.kind], position.state
    dues = tuple(due for due in game.rules.due(state) if due.seat == seat)
    write = game.notation.write
    return OrderPageInput(
        game=game,
        view=game.rules.view(state, seat),
        seat=seat,
        dues=dues,
        filed=tuple(item.order for item in saved_orders(game, state, filed, seat) if not item.untaken),
        rest=tuple(write(order) for due in dues for order in game.rules.default(state, due)),
    )
