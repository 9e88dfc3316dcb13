"""The order page: the map to touch, choices as buttons, the email to send."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from adjudicator.order_page.choices import OrderPageInput, choices_as_json
from adjudicator.reports.picture import svg
from adjudicator.website import pages
from adjudicator.website.drawings import combine_maps
from adjudicator.website.maps import plate_of

MAX_SAFE_LINK_CHARS = 1_600
"""So many characters of a link all mail programs take, as people have measured: Gmail in a browser some
1,620, Firefox 2,008, Outlook and Windows Mail 2,046; telephones and Apple's Mail more, or without end."""


@dataclass(frozen=True)
class OrderEmail:
    """The email that the page writes: its address and subject; until when, in words.

    to "": the page has to be told.
    """

    to: str
    subject: str
    until: str = ""


def render_order_page(
    asked: OrderPageInput, name: str, envelope: OrderEmail, lines: Sequence[str]
) -> bytes | None:
    """Return the page, complete in itself; None where nothing is due from the seat, or nothing can be chosen.

    name: the game's; lines: the order sheet in text, as reports print it.
    """
    choices = choices_as_json(asked)
    if not choices["things"]:
        return None
    game = asked.game
    turn = game.rules.turn(asked.view)
    picture = svg(game, asked.view, (), turn.name)
    drawn = combine_maps([plate_of(picture)]) if picture is not None else None
    context = {
        "game": name,
        "title": game.about.title,
        "seat": asked.seat,
        "turn": turn,
        "choices": {**choices, "to": envelope.to, "subject": envelope.subject, "safe": MAX_SAFE_LINK_CHARS},
        "envelope": envelope,
        "lines": lines,
        "by_mail": _mailto_link(envelope, lines) if envelope.to else None,
        "view": drawn.views[0] if drawn else None,
        "stock": Markup(drawn.stock) if drawn else None,
        "map": Markup(drawn.maps[0]) if drawn else None,
    }
    style = pages.source("orders.css") + (drawn.style if drawn else "")
    return pages.page("orders.jinja", context, script="orders.js", style=style)


def _mailto_link(envelope: OrderEmail, lines: Sequence[str]) -> str:
    """Return the link that opens a mail program with the sheet as it is, for readers without scripts."""
    body = quote("\r\n".join(lines))
    return f"mailto:{quote(envelope.to, safe='@+')}?subject={quote(envelope.subject)}&body={body}"
