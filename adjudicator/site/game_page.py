"""The page of a game: its map, its turns, the chart that is a slider, what can be taken away."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from adjudicator.site import course, typesetting
from adjudicator.site.drawings import Drawn, together
from adjudicator.site.endings import ending_of, results_of
from adjudicator.site.exhibits import Dispatch, Download, Exhibit, Volume
from adjudicator.site.galleys import Galleys
from adjudicator.site.plates import Plates
from adjudicator.site.tellings import Page, Standing, standing_of
from games.protocol import Table, View
from games.protocol.optional import Introducing

NAME = "index.html"
OPENING = "opening"
"""The address of the position before the first turn."""


_NAMED = 8
"""So many who share a draw are named in a sentence; of more it says how many."""


@dataclass(frozen=True)
class Frame:
    """What stands round every page. house: what the archive is called; url: where it is, "" if nowhere."""

    house: str
    url: str = ""


def maps_of(exhibit: Exhibit, plates: Plates) -> Drawn | None:
    """The maps of a game, the opening's first; None where it has none."""
    game = exhibit.game
    found = [plates.opening(game, exhibit.opening)]
    found += [plates.of(game, leaf) for leaf in exhibit.leaves]
    maps = [one for one in found if one is not None]
    return together(maps) if maps else None


def game_page(
    exhibit: Exhibit, pages: Sequence[Page], drawn: Drawn | None, galleys: Galleys, frame: Frame
) -> bytes:
    """The page of a game."""
    about, telling = exhibit.game.about, exhibit.game.telling
    maps = [*zip(drawn.views, map(Markup, drawn.maps), strict=True)] if drawn else []
    maps = maps or [("", Markup())] * (len(pages) + 1)
    opening = standing_of(exhibit.game, exhibit.opening)
    ground = _spots(opening)
    pointing = bool(opening.spots or any(page.gist.points for page in pages))
    files: tuple[Download | Volume, ...] = (*exhibit.downloads, *exhibit.volumes)
    press = _by_turn(exhibit.press)
    told = [
        {
            **_told(page),
            "view": view,
            "map": inside,
            "tale": Markup(_tale(exhibit, page, press.get(page.leaf.turn.short, []), pointing, galleys)),
            "standing": Markup(_standing(page, ground, galleys)) if pointing else None,
        }
        for page, (view, inside) in zip(pages, maps[1:], strict=True)
    ]
    over_time = course.course_of(exhibit)
    context = {
        "house": frame.house,
        "up": "../../",
        "game": exhibit,
        "about": about,
        "is_over": exhibit.is_over,
        "due": exhibit.due,
        "stopped": STOPPED.get(exhibit.stopped, "").strip(),
        "standing": standing(exhibit),
        "drawn": {"stock": Markup(drawn.stock)} if drawn else None,
        "course": over_time,
        "size": {"wide": course.WIDTH, "high": course.HEIGHT},
        "powers": _powers(exhibit, pages, over_time),
        "first": {
            "anchor": OPENING,
            "name": "Opening",
            "view": maps[0][0],
            "map": maps[0][1],
            "words": f"Map of the opening of {exhibit.name}",
            "standing": typesetting.data(_stands(opening, ground)),
        },
        "introduction": telling.introduction(exhibit.opening, None)
        if isinstance(telling, Introducing)
        else (),
        "pages": told,
        "spots": ground,
        "pointing": pointing,
        "results": results_of(ending) if (ending := ending_of(exhibit)) else None,
        "tables": [one for one in telling.tables(exhibit.latest) if one.about == "game"],
        "seats": _seats(exhibit),
        "kept": sum(not page.leaf.silent for page in pages),
        "late": [one for one in told if one["silent"]],
        "sheets": [(one.name, one.words) for one in exhibit.sheets],
        "files": [(one.name, one.words) for one in files],
    }
    return typesetting.page("game.jinja", context, script="game.js", style=drawn.style if drawn else "")


STOPPED = {
    "pause": "The game is paused. ",
    "hold": "The turn is held. ",
    "nmr": "The GM is asked what to do. ",
}
"""What is said first of a game whose clock stands, by the kind of its stop."""


def standing(exhibit: Exhibit) -> str:
    """Where a game is, in a sentence."""
    if not exhibit.is_over:
        assert exhibit.due is not None
        return f"{STOPPED.get(exhibit.stopped, '')}It waits for {exhibit.due.name}."
    result = exhibit.result
    if result is None:
        return "It is over."
    if result.winners:
        return f"Won by {', '.join(result.winners)}."
    among = exhibit.survivors
    named = f"{len(among)} sides" if len(among) > _NAMED else ", ".join(among)
    return f"A draw between {named}." if among else "A draw."


def _told(page: Page) -> dict[str, Any]:
    leaf = page.leaf
    return {
        "anchor": page.anchor,
        "turn": leaf.turn.short,
        "name": leaf.turn.name,
        "at": leaf.at,
        "headline": page.headline,
        "silent": leaf.silent,
        "words": f"Map after {leaf.turn.name}",
    }


def _tale(exhibit: Exhibit, page: Page, press: Sequence[Dispatch], pointing: bool, galleys: Galleys) -> str:
    """A turn in sentences, as HTML."""
    leaf = page.leaf
    told = ("tale", leaf.sign, leaf.by_hand, leaf.silent, press, pointing)
    return galleys.text(NAME, told, lambda: _set(exhibit, page, press, pointing))


def _set(exhibit: Exhibit, page: Page, press: Sequence[Dispatch], pointing: bool) -> str:
    leaf = page.leaf
    context = {
        "name": leaf.turn.name,
        "passages": page.passages,
        "by_hand": leaf.by_hand,
        "reasons": () if page.notes else [(seat, why) for seat, why in leaf.reasons.items() if why],
        "hands": [(seat, tables) for seat, view in leaf.hands.items() if (tables := _own(exhibit, view))],
        "throws": leaf.throws,
        "silent": leaf.silent,
        "press": press,
        "pointing": pointing,
    }
    return typesetting.plain("tale.jinja", context).decode()


def _standing(page: Page, ground: Sequence[Mapping[str, str]], galleys: Galleys) -> str:
    """What there is to be pointed at in a turn, as JSON. ground: the same in the opening."""
    told = ("standing", page.leaf.sign)
    return galleys.text(NAME, told, lambda: str(typesetting.data(_stands(page.stands, ground))))


def _by_turn(press: Sequence[Dispatch]) -> Mapping[str, list[Dispatch]]:
    found: dict[str, list[Dispatch]] = {}
    for one in press:
        found.setdefault(one.turn, []).append(one)
    return found


def _own(exhibit: Exhibit, view: View) -> tuple[Table, ...]:
    return tuple(one for one in exhibit.game.telling.tables(view) if one.about == "own")


def _spots(stands: Standing) -> list[dict[str, str]]:
    told = ({"at": one.at, "shape": one.shape, "path": one.path, "name": one.name} for one in stands.spots)
    return [{key: value for key, value in one.items() if value} for one in told]


def _stands(found: Standing, ground: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """What there is to be pointed at; its places too, where they are not those of the opening."""
    spots = _spots(found)
    return {
        "own": found.owners,
        "there": found.pieces,
        **({} if spots == ground else {"spots": spots}),
    }


def _powers(exhibit: Exhibit, pages: Sequence[Page], over_time: course.Course | None) -> list[dict[str, Any]]:
    """Those whose orders are drawn, seats or sides, each with its badge and what it had after each turn."""
    counts = {line.name: line.counts for line in over_time.lines} if over_time else {}
    drawn = {of for page in pages for of in page.gist.drawn}
    badges = course.badges_of(exhibit)
    seats = [str(one.seat) for one in exhibit.seats if one.seat in drawn]
    return [
        {"seat": one, "badge": badges.get(one), "counts": counts.get(one, ()) if seats else ()}
        for one in seats or sorted(drawn)
    ]


def person_page(name: str) -> str:
    """Where the page of a player is: by what he is called, in letters that every file system takes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    sign = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"people/{re.sub('[^a-z0-9]+', '-', plain).strip('-')[:40] or 'player'}-{sign}.html"


def _seats(exhibit: Exhibit) -> Iterator[dict[str, Any]]:
    for one in exhibit.seats:
        yield {
            "seat": one.seat,
            "bot": one.bot,
            "name": one.name,
            "missed": one.missed,
            "page": f"../../{person_page(one.name)}" if one.name else None,
        }
