"""A game as text for a forum, marked up in BBCode: turn by turn, each a post to be copied."""

from collections.abc import Sequence

from adjudicator.website.galleys import PageCache
from adjudicator.website.game_page import PageFrame, standing
from adjudicator.website.pages import plain
from adjudicator.website.public_game import PublicGame, PublicPress
from adjudicator.website.tellings import TurnPage

FORUM_PAGE_FILE = "bbcode.txt"
_HORIZONTAL_RULE = "-" * 40


def forum_page(exhibit: PublicGame, pages: Sequence[TurnPage], galleys: PageCache, frame: PageFrame) -> bytes:
    """Every turn with its headline, orders, press and the address of its map; how it stands at the end."""
    tables = exhibit.game.telling.tables(exhibit.latest)
    place = f"{frame.url}/games/{exhibit.name}/index.html" if frame.url else ""
    context = {
        "game": exhibit,
        "about": exhibit.game.about,
        "standing": standing(exhibit),
        "place": place,
        "posts": [_post(page, exhibit.press, place, galleys) for page in pages],
        "tables": [table for table in tables if table.about == "game"],
        "rule": _HORIZONTAL_RULE,
    }
    return plain("turns.jinja", context)


def _post(page: TurnPage, written: Sequence[PublicPress], place: str, galleys: PageCache) -> str:
    """One turn."""
    leaf = page.leaf
    press = [dispatch for dispatch in written if dispatch.turn == leaf.turn.short]
    context = {"page": page, "press": press, "place": place, "rule": _HORIZONTAL_RULE}
    key = (page.anchor, leaf.sign, leaf.by_hand, leaf.silent, press)
    return galleys.text(FORUM_PAGE_FILE, key, lambda: plain("turn.jinja", context).decode())
