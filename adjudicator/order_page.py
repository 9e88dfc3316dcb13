"""The order page: a seat's legal orders as data, each order as a series of taps.

The page repeats no rules. It shows the orders that the rules list and compares the data that they give for
each order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from adjudicator.clock import Millis
from adjudicator.messages import Entry, sentences
from adjudicator.model.deadline_status import is_solo, overdue
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import Attachment, HeaderText
from adjudicator.model.orders_on_file import Item
from adjudicator.reports.maps import svg
from adjudicator.reports.messages import LetterReader
from adjudicator.reports.order_sheet import saved_orders, sheet_lines
from adjudicator.reports.times import both
from adjudicator.website import pages
from adjudicator.website.maps import combine_maps, plate_of
from games.protocol import Due, Game, OrderUse, Seat, TouchOrder, TouchStep, View
from games.record import replace_fields

MAX_ORDERS_SIDE_BY_SIDE = 8
"""Up to this many orders for one unit are listed together. A longer list gets a first step."""

MAX_FIRST_STEP_WORDS = 3
"""The first step of an order has at most this many words."""

_OrderOf = tuple[str, Any, str]
"""The unit or the card of an order, the order, and its effect in words."""


@dataclass(frozen=True)
class OrderPageInput:
    """The input of an order page: a seat, its due orders, its view, and its saved orders.

    filed: the saved orders. rest: the default orders.
    """

    game: Game
    view: View
    seat: Seat
    dues: tuple[Due, ...]
    filed: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class OrderChoice:
    """An order that the player can choose: the order, its effect in words, and the taps that make it."""

    order: Any
    words: str
    touches: TouchOrder


def list_choices(asked: OrderPageInput) -> tuple[OrderChoice, ...]:
    """Return every order that the rules list for a seat, grouped by unit."""
    rules = asked.game.rules
    if not asked.dues:
        return ()
    listed = [
        (possible.of, possible.order, possible.words)
        for possible in rules.legal_orders(asked.view, asked.seat) or ()
    ]
    unlisted = [
        (form.of, order, form.words)
        for form in rules.unlisted_orders(asked.view, asked.seat)
        for order in form.orders
    ]
    touched = [
        OrderChoice(order, words, how)
        for _, order, words in (*listed, *unlisted)
        if (how := rules.touch_order(asked.view, asked.seat, order)) is not None
    ]
    return tuple(_group_by_thing(touched or _choices_in_words(asked.game, asked.view, listed, unlisted)))


def choices_as_json(asked: OrderPageInput) -> dict[str, Any]:
    """Return the choices as JSON values for the page's script.

    Keys: takes (the number of orders due, None: one per unit), kind (the kind of orders due, in words),
    owes (slots and names), texts (the page's sentences by slug), words (what orders do, each once), things
    (name, at, orders: text, does (the number of its words), slot, steps, adds, sort, ends, helps, along,
    uses), limits (name, most, over, each; see `OrderLimit`), filed, rest, units (True for pieces that move on
    a map), places (by id: name, the shape or its path, point).
    """
    write, rules = asked.game.notation.write, asked.game.rules
    things: dict[str, dict[str, Any]] = {}
    said: dict[str, int] = {}
    choices = list_choices(asked)
    shared = rules.order_limits(asked.view, asked.seat, [choice.order for choice in choices])
    number_of = {limit.id: number for number, limit in enumerate(shared.limits)}
    for choice, used in zip(choices, shared.uses or ((),) * len(choices), strict=True):
        thing = things.setdefault(
            choice.touches.thing, {"name": choice.touches.thing, "at": choice.touches.at, "orders": []}
        )
        order = {
            "text": write(choice.order),
            "does": said.setdefault(choice.words, len(said)) if choice.words else None,
            "slot": choice.order.slot,
            "steps": [_step_as_json(step) for step in choice.touches.steps],
            "adds": choice.touches.adds,
            "sort": choice.touches.sort,
            "ends": choice.touches.ends,
            "helps": choice.touches.helps,
            "along": [write(other) for other in choice.touches.along],
            "uses": [_use_as_json(number_of[use.limit], use) for use in used],
        }
        thing["orders"].append({key: value for key, value in order.items() if value or value == 0})
    points = rules.points(asked.view)
    touched = points or any(choice.touches.at or _goals(choice) for choice in choices)
    spots = asked.game.telling.spots(asked.view) if touched else ()
    return {
        "takes": next((due.takes for due in asked.dues), None),
        "kind": next((due.kind for due in asked.dues), ""),
        "owes": [(owed.slot, owed.name) for due in asked.dues for owed in due.owes],
        "things": [*things.values()],
        "texts": _page_texts(),
        "words": [*said],
        "limits": [(limit.name, limit.most, limit.over, limit.each) for limit in shared.limits],
        "filed": asked.filed,
        "rest": asked.rest,
        "units": bool(points),
        "places": {spot.at: [spot.name, spot.shape or spot.path, *points.get(spot.at, ())] for spot in spots},
    }


@cache
def _page_texts() -> dict[str, Entry]:
    """Return the sentences of the page by slug, without the name of their file."""
    return {slug.removeprefix("order_page."): entry for slug, entry in sentences("order_page").items()}


def _step_as_json(step: TouchStep) -> list[str | int]:
    """Return a step as its label, its place and whether it is rare, without empty values at the end."""
    if step.rare:
        return [step.said, step.at, 1]
    return [step.said, step.at] if step.at else [step.said]


def _use_as_json(limit: int, use: OrderUse) -> tuple[int | str, ...]:
    """Return a use without its usual values at the end: a word that counts once, and that it only uses."""
    if use.effect != "use":
        return limit, use.count, use.once, use.effect
    return (limit, use.count, use.once) if use.once else (limit, use.count)


def _goals(choice: OrderChoice) -> list[str]:
    return [step.at for step in choice.touches.steps if step.at]


def _group_by_thing(choices: Iterable[OrderChoice]) -> Iterator[OrderChoice]:
    """Yield the choices grouped by unit, in the order of each unit's first choice."""
    by_thing: dict[str, list[OrderChoice]] = {}
    for choice in choices:
        by_thing.setdefault(choice.touches.thing, []).append(choice)
    for some in by_thing.values():
        yield from some


def _choices_in_words(
    game: Game, view: View, listed: Sequence[_OrderOf], unlisted: Sequence[_OrderOf]
) -> Iterator[OrderChoice]:
    """Yield choices for a game without map steps: by their text, with a first step if there are many.

    A text in capitals is a code, so the label of a listed order is its words. The words of an unlisted one
    are about several orders.
    """
    every = (*listed, *unlisted)
    texts = [(of, order, words, game.notation.write(order)) for of, order, words in every]
    places = [game.rules.order_places(view, order) for _, order, _ in every]
    starts: dict[str, set[str]] = {}
    for (of, *_), (start, _) in zip(every, places, strict=True):
        starts.setdefault(of, set()).update({start} - {""})
    points = {of: next(iter(some)) if len(some) == 1 else "" for of, some in starts.items()}
    of_thing: dict[str, list[str]] = {}
    for of, _, _, text in texts:
        of_thing.setdefault(of, []).append(text)
    heads = {of: _shared_prefixes(some) for of, some in of_thing.items()}
    times = Counter((of, words) for of, _, words in listed)
    for number, ((of, order, words, text), (start, goal)) in enumerate(zip(texts, places, strict=True)):
        moves = bool(start and goal)
        touches = TouchOrder(
            thing=of, at=points[of], steps=(), sort="move" if moves else "stay", ends=goal if moves else ""
        )
        parts = game.rules.composed_steps(view, order)
        if parts is not None:
            steps = tuple(
                TouchStep(said=step, at="" if later else goal) for later, step in enumerate(parts[0])
            )
            yield OrderChoice(order, words, replace_fields(touches, steps=steps, adds=parts[1]))
            continue
        head = heads[of].get(text)
        verb, _, rest = (head or "").partition(" ")
        before = (TouchStep(said=f"{verb.lower()} {rest}".rstrip()),) if head else ()
        is_code = number < len(listed) and text.isupper()
        label = words if is_code and words and times[of, words] == 1 else text
        steps = (*before, TouchStep(said=label, at=goal))
        yield OrderChoice(order, words, replace_fields(touches, steps=steps))


def _shared_prefixes(texts: Sequence[str]) -> dict[str, str]:
    """Return by text the first words that several of many texts share. Empty for a short list."""
    if len(texts) <= MAX_ORDERS_SIDE_BY_SIDE:
        return {}
    for words in range(1, MAX_FIRST_STEP_WORDS + 1):
        by_head: dict[str, list[str]] = {}
        for text in texts:
            by_head.setdefault(" ".join(text.split()[:words]), []).append(text)
        if len(by_head) > 1:
            return {text: head for head, some in by_head.items() if len(some) > 1 for text in some}
    return {}


# The order page as a file that is attached to an email to the seat's player.


_BOARD_BOX = re.compile(r'viewBox="[^"]*"([^>]*?) data-bare="([^"]*)"')
"""The view box of a drawing with a strip below the board, and that of the board alone."""
_LEGEND_SHEET = re.compile(r"<!--(?:sheet|pieces) legend-->.*(?=</svg>)", re.DOTALL)
_REPLY_TAG = re.compile(r"\+[^@]*@")
_NOT_IN_FILE_NAME = re.compile("[^a-z0-9]+")
ORDER_PAGE_MEDIA_TYPE = HeaderText('text/html; charset="utf-8"')


def attach_order_page(
    position: GamePosition, reader: LetterReader, now: Millis, filed: Sequence[Item] | None = None
) -> Attachment | None:
    """Return the order page for the reader of an email, or None if nothing is due.

    position: the current one. now: the time of writing. filed: the seat's saved orders, if they are newer
    than the position's. The page contains nothing that is hidden from the seat.
    """
    seat = reader.seat
    if seat is None or not position.is_running or reader.reply_address is None:
        return None
    given = position.filed.get(seat, ()) if filed is None else filed
    asked = build_order_page_input(position, seat, given)
    until = _wanted_until(position, now)
    deadline = "" if until is None else both(until, reader.zone)
    envelope = OrderEmail(
        to=reader.reply_address,
        subject=f"Orders {reader.tag}",
        until=deadline,
        service=_REPLY_TAG.sub("@", reader.reply_address),
        entries=position.entries,
        made=now,
    )
    lines = sheet_lines(asked.game, position.state, asked.dues, given, seat)
    page = render_order_page(asked, position.name, envelope, lines)
    if page is None:
        return None
    short = asked.game.rules.turn(position.state).short
    name = HeaderText(f"{position.name}-{short}-orders.html")
    return Attachment(name=name, media=ORDER_PAGE_MEDIA_TYPE, content=page)


def _wanted_until(position: GamePosition, now: Millis) -> Millis | None:
    """Return the time limit for orders: the deadline, or the end of the grace period if it has passed."""
    if is_solo(position) or position.timing.stop is not None:
        return None
    over = overdue(position, now)
    return position.deadline if over is None else over.until


def open_order_page(position: GamePosition, seat: Seat) -> bytes | None:
    """Return the page for a seat without its token and its saved orders, or None if nothing is due.

    It is public, so the game must not have hidden information.
    """
    asked = build_order_page_input(position, seat)
    short = asked.game.rules.turn(position.state).short
    subject = f"Re: {position.name} {short} {seat}"
    envelope = OrderEmail(to="", subject=subject, entries=position.entries)
    return render_order_page(asked, position.name, envelope, asked.rest)


def order_page_file_name(seat: Seat) -> str:
    """Return the file name of a seat's open page."""
    return f"orders-{_NOT_IN_FILE_NAME.sub('-', seat.lower()).strip('-')}.html"


def build_order_page_input(position: GamePosition, seat: Seat, filed: Sequence[Item] = ()) -> OrderPageInput:
    """Return a seat's due orders and its saved orders."""
    game, state = position.game, position.state
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


# The order page: the map to tap, choices as buttons, the email to send.


MAX_SAFE_LINK_CHARS = 1_600
"""The longest link, in characters, that all mail programs accept.

Measured limits: Gmail in a browser about 1,620, Firefox 2,008, Outlook and Windows Mail 2,046; phones and
Apple Mail accept more.
"""


@dataclass(frozen=True)
class OrderEmail:
    """The email that the page writes: its address, its subject, and the deadline in words.

    to "": the player enters the address on the page. service: the service's own address, "" if the page is on
    its website. entries: the number of log entries before the turn. made: the time of writing.
    """

    to: str
    subject: str
    until: str = ""
    service: str = ""
    entries: int = 0
    made: Millis = 0


def _board_alone(picture: str) -> str:
    """Return a drawing without what is below its board, which the page says itself."""
    board, count = _BOARD_BOX.subn(r'viewBox="\2"\1', picture, count=1)
    return _LEGEND_SHEET.sub("", board) if count else picture


def render_order_page(
    asked: OrderPageInput, name: str, envelope: OrderEmail, lines: Sequence[str]
) -> bytes | None:
    """Return the complete page, or None if nothing is due from the seat or there is nothing to choose.

    name: of the game. lines: the order sheet as text, as reports print it.
    """
    choices = choices_as_json(asked)
    if not choices["things"]:
        return None
    game = asked.game
    turn = game.rules.turn(asked.view)
    picture = svg(game, asked.view, (), turn.name)
    drawn = combine_maps([plate_of(_board_alone(picture))]) if picture is not None else None
    context = {
        "game": name,
        "title": game.about.title,
        "seat": asked.seat,
        "turn": turn,
        "choices": {
            **choices,
            "to": envelope.to,
            "subject": envelope.subject,
            "safe": MAX_SAFE_LINK_CHARS,
            "keep": {
                "scope": [envelope.service, name, asked.seat],
                "turn": turn.short,
                "number": envelope.entries,
                "made": envelope.made,
            },
        },
        "envelope": envelope,
        "lines": lines,
        "by_mail": _mailto_link(envelope, lines) if envelope.to else None,
        "view": drawn.views[0] if drawn else None,
        "stock": Markup(drawn.stock) if drawn else None,
        "map": Markup(drawn.maps[0]) if drawn else None,
    }
    style = pages.source("orders.css") + (drawn.style if drawn else "")
    return pages.page("orders.jinja", context, scripts=("map.js", "orders.js"), style=style)


def _mailto_link(envelope: OrderEmail, lines: Sequence[str]) -> str:
    """Return a link that opens a mail program with the unchanged sheet, for browsers without JavaScript."""
    body = quote("\r\n".join(lines))
    return f"mailto:{quote(envelope.to, safe='@+')}?subject={quote(envelope.subject)}&body={body}"


# The order page: orders composed by tapping, and the email that they make.
