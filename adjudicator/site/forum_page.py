"""A game as text for a forum, marked up in BBCode: turn by turn, each a post to be copied."""

from collections.abc import Sequence

from adjudicator.site import typesetting
from adjudicator.site.exhibits import Dispatch, Exhibit
from adjudicator.site.galleys import Galleys
from adjudicator.site.game_page import Frame, standing
from adjudicator.site.tellings import Page

NAME = "bbcode.txt"
_RULE = "-" * 40


def forum_page(exhibit: Exhibit, pages: Sequence[Page], galleys: Galleys, frame: Frame) -> bytes:
    """Every turn with its headline, orders, press and the address of its map; how it stands at the end."""
    tables = exhibit.game.telling.tables(exhibit.latest)
    place = f"{frame.url}/games/{exhibit.name}/index.html" if frame.url else ""
    context = {
        "game": exhibit,
        "about": exhibit.game.about,
        "standing": standing(exhibit),
        "place": place,
        "posts": [_post(page, exhibit.press, place, galleys) for page in pages],
        "tables": [one for one in tables if one.about == "game"],
        "rule": _RULE,
    }
    return typesetting.plain("turns.jinja", context)


def _post(page: Page, written: Sequence[Dispatch], place: str, galleys: Galleys) -> str:
    """One turn."""
    leaf = page.leaf
    press = [one for one in written if one.turn == leaf.turn.short]
    context = {"page": page, "press": press, "place": place, "rule": _RULE}
    told = (page.anchor, leaf.sign, leaf.by_hand, leaf.silent, press)
    return galleys.text(NAME, told, lambda: typesetting.plain("turn.jinja", context).decode())
