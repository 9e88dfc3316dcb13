"""The order sheet to touch as a file that goes with a letter to a seat's player."""

import re
from collections.abc import Sequence

import games
from adjudicator.clock import Millis
from adjudicator.ledger.filed_orders import Item
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.positions import Position
from adjudicator.ledger.solitude import is_solo
from adjudicator.order_page.choices import Asked
from adjudicator.order_page.page import Envelope, order_page
from adjudicator.reports.messages import Reader
from adjudicator.reports.sheet import on_file, sheet_lines
from adjudicator.reports.times import both
from games.protocol import Seat

_OTHER = re.compile("[^a-z0-9]+")
PAGE = HeaderText('text/html; charset="utf-8"')


def order_sheet(
    position: Position, reader: Reader, now: Millis, filed: Sequence[Item] | None = None
) -> Attachment | None:
    """The page for whoever reads a letter for a seat; None where nothing is due from it.

    position: as it stands; now: when the letter is written; filed: what is on file for the seat, where that
    is newer. It is made of what the seat may see, and of no more.
    """
    seat = reader.seat
    if seat is None or not position.running or reader.reply_address is None:
        return None
    given = position.filed.get(seat, ()) if filed is None else filed
    asked = asked_of(position, seat, given)
    until = _wanted_until(position, now)
    said = "" if until is None else both(until, reader.zone)
    envelope = Envelope(to=reader.reply_address, subject=f"Orders {reader.tag}", until=said)
    lines = sheet_lines(asked.game, position.state, asked.dues, given, seat)
    page = order_page(asked, position.name, envelope, lines)
    if page is None:
        return None
    short = asked.game.rules.turn(position.state).short
    name = HeaderText(f"{position.name}-{short}-orders.html")
    return Attachment(name=name, media=PAGE, content=page)


def _wanted_until(position: Position, now: Millis) -> Millis | None:
    """Return until when orders are wanted: the deadline, or once that is over the end of the grace."""
    if is_solo(position) or position.timing.stop is not None:
        return None
    over = overdue(position, now)
    return position.deadline if over is None else over.until


def open_order_page(position: Position, seat: Seat) -> bytes | None:
    """The page for a seat as anybody may open it: without its token, and without what it has on file.

    Of a game that hides nothing. None where nothing is due.
    """
    asked = asked_of(position, seat)
    short = asked.game.rules.turn(position.state).short
    envelope = Envelope(to="", subject=f"Re: {position.name} {short} {seat}")
    return order_page(asked, position.name, envelope, asked.rest)


def sheet_name(seat: Seat) -> str:
    """What the open page of a seat is called."""
    return f"orders-{_OTHER.sub('-', seat.lower()).strip('-')}.html"


def asked_of(position: Position, seat: Seat, filed: Sequence[Item] = ()) -> Asked:
    """What a seat is asked now, and what it has on file."""
    game, state = games.kinds()[position.kind], position.state
    dues = tuple(due for due in game.rules.due(state) if due.seat == seat)
    write = game.notation.write
    return Asked(
        game=game,
        view=game.rules.view(state, seat),
        seat=seat,
        dues=dues,
        filed=tuple(one.order for one in on_file(game, state, filed, seat) if not one.untaken),
        rest=tuple(write(order) for due in dues for order in game.rules.default(state, due)),
    )
