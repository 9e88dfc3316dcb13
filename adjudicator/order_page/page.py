"""The order sheet as a page: the map to touch, choices as buttons, the letter to send."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from adjudicator.order_page.choices import Asked, told
from adjudicator.reports.picture import svg
from adjudicator.site import typesetting
from adjudicator.site.drawings import together
from adjudicator.site.plates import plate_of

SAFE_LENGTH = 1_600
"""So many characters of a link all mail programs take, as people have measured: Gmail in a browser some
1,620, Firefox 2,008, Outlook and Windows Mail 2,046; telephones and Apple's Mail more, or without end."""


@dataclass(frozen=True)
class Envelope:
    """Where the letter goes: to an address, with a subject; until when, in words.

    to "": the page has to be told.
    """

    to: str
    subject: str
    until: str = ""


def order_page(asked: Asked, name: str, envelope: Envelope, lines: Sequence[str]) -> bytes | None:
    """The page, complete in itself; None where nothing is due from the seat, or nothing can be chosen.

    name: the game's; lines: the order sheet in text, as reports print it.
    """
    choices = told(asked)
    if not choices["things"]:
        return None
    game = asked.game
    turn = game.rules.turn(asked.view)
    picture = svg(game, asked.view, (), turn.name)
    drawn = together([plate_of(picture)]) if picture is not None else None
    context = {
        "game": name,
        "title": game.about.title,
        "seat": asked.seat,
        "turn": turn,
        "choices": {**choices, "to": envelope.to, "subject": envelope.subject, "safe": SAFE_LENGTH},
        "envelope": envelope,
        "lines": lines,
        "by_mail": _mailto(envelope, lines) if envelope.to else None,
        "view": drawn.views[0] if drawn else None,
        "stock": Markup(drawn.stock) if drawn else None,
        "map": Markup(drawn.maps[0]) if drawn else None,
    }
    style = typesetting.source("orders.css") + (drawn.style if drawn else "")
    return typesetting.page("orders.jinja", context, script="orders.js", style=style)


def _mailto(envelope: Envelope, lines: Sequence[str]) -> str:
    """The link that opens a mail program with the sheet as it is, for who runs no scripts."""
    body = quote("\r\n".join(lines))
    return f"mailto:{quote(envelope.to, safe='@+')}?subject={quote(envelope.subject)}&body={body}"
