"""The story of a game that is over, on a page to read and to print: its end, turning points, maps."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from adjudicator.website import timeline
from adjudicator.website.drawings import combine_maps
from adjudicator.website.game_page import OPENING_ANCHOR, PageFrame, standing
from adjudicator.website.maps import MapLayerCache
from adjudicator.website.pages import page
from adjudicator.website.public_game import PublicGame
from adjudicator.website.tellings import TurnPage

MAX_STORY_MAPS = 6
"""So many maps are in a story: the opening, the end, and moments between them."""


def story_page(
    exhibit: PublicGame, pages: Sequence[TurnPage], plates: MapLayerCache, frame: PageFrame
) -> bytes:
    """The story of a game."""
    course_story = timeline.story_of(exhibit)
    pictures, stock, style = _pictures(exhibit, pages, plates)
    context = {
        "house": frame.house,
        "up": "../../",
        "game": exhibit,
        "about": exhibit.game.about,
        "standing": standing(exhibit),
        "sections": course_story.story if course_story else (),
        "table": course_story.table if course_story else None,
        "course": timeline.course_of(exhibit),
        "size": {
            "wide": timeline.WIDTH,
            "high": timeline.HEIGHT,
            "whole": timeline.WIDTH + timeline.NAME_WIDTH_PX,
        },
        "pictures": pictures,
        "stock": Markup(stock),
        "headlines": [page for page in pages if page.headline],
        "first": pages[0].leaf.at,
        "last": pages[-1].leaf.at,
    }
    return page("story.jinja", context, style=style)


def _pictures(
    exhibit: PublicGame, pages: Sequence[TurnPage], plates: MapLayerCache
) -> tuple[list[dict[str, Any]], str, str]:
    """The maps of the story, their common stock, and their style."""
    chosen = _moments(len(pages))
    game = exhibit.game
    drawn = []
    for place in chosen:
        if place < 0:
            name, anchor = "Opening", OPENING_ANCHOR
            plate = plates.opening(game, exhibit.opening)
        else:
            leaf = pages[place].leaf
            name, anchor = leaf.turn.name, pages[place].anchor
            plate = plates.of(game, leaf)
        if plate is not None:
            drawn.append((name, anchor, plate))
    if not drawn:
        return [], "", ""
    joined = combine_maps([plate for _, _, plate in drawn])
    pictures = [
        {"name": name, "anchor": anchor, "view": view, "map": Markup(inside)}
        for (name, anchor, _), view, inside in zip(drawn, joined.views, joined.maps, strict=True)
    ]
    return pictures, joined.stock, joined.style


def _moments(turns: int) -> list[int]:
    """Which turns are shown: the opening (-1), the last, and others as far apart as they can be."""
    between = MAX_STORY_MAPS - 1
    return sorted({-1, *(round((turns - 1) * step / between) for step in range(1, between + 1))})
