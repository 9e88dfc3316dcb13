"""A game as text for a forum, marked up in BBCode: turn by turn, each a post to be copied."""

from collections.abc import Sequence

from adjudicator.site import typesetting
from adjudicator.site.exhibits import Exhibit
from adjudicator.site.game_page import Frame, standing
from adjudicator.site.tellings import Page

NAME = "bbcode.txt"
_RULE = "-" * 40


def forum_page(exhibit: Exhibit, pages: Sequence[Page], frame: Frame) -> bytes:
    """Every turn with its headline, orders, press and the address of its map; how it stands at the end."""
    tables = exhibit.game.telling.tables(exhibit.latest)
    context = {
        "game": exhibit,
        "about": exhibit.game.about,
        "standing": standing(exhibit),
        "place": f"{frame.url}/games/{exhibit.name}/index.html" if frame.url else "",
        "pages": pages,
        "tables": [one for one in tables if one.about == "game"],
        "rule": _RULE,
    }
    return typesetting.plain("turns.jinja", context)
