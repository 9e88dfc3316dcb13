"""The page of a game: its map, its turns, the chart that is a slider, what can be taken away."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from adjudicator.website import timeline
from adjudicator.website.drawings import GameMaps, combine_maps
from adjudicator.website.endings import ending_of, results_of
from adjudicator.website.galleys import PageCache
from adjudicator.website.maps import MapLayerCache
from adjudicator.website.pages import data, page, plain
from adjudicator.website.public_game import Download, PiecewiseDownload, PublicGame, PublicPress
from adjudicator.website.tellings import MapStanding, TurnPage, standing_of
from games.protocol import ReportTable, View
from games.protocol.optional import SupportsIntroduction

GAME_PAGE_FILE = "index.html"
OPENING_ANCHOR = "opening"
"""The address of the position before the first turn."""


_MAX_NAMED_SHARERS = 8
"""So many who share a draw are named in a sentence; of more it says how many."""


@dataclass(frozen=True)
class PageFrame:
    """The text around every page. house: what the archive is called; url: where it is, "" if nowhere."""

    house: str
    url: str = ""


def maps_of(exhibit: PublicGame, plates: MapLayerCache) -> GameMaps | None:
    """The maps of a game, the opening's first; None where it has none."""
    game = exhibit.game
    layers = [plates.opening(game, exhibit.opening)]
    layers += [plates.of(game, leaf) for leaf in exhibit.leaves]
    maps = [layer for layer in layers if layer is not None]
    return combine_maps(maps) if maps else None


def game_page(
    exhibit: PublicGame,
    pages: Sequence[TurnPage],
    drawn: GameMaps | None,
    galleys: PageCache,
    frame: PageFrame,
) -> bytes:
    """The page of a game."""
    about, telling = exhibit.game.about, exhibit.game.telling
    maps = [*zip(drawn.views, map(Markup, drawn.maps), strict=True)] if drawn else []
    maps = maps or [("", Markup())] * (len(pages) + 1)
    opening = standing_of(exhibit.game, exhibit.opening)
    ground = _spots(opening)
    pointing = bool(opening.spots or any(page.gist.points for page in pages))
    files: tuple[Download | PiecewiseDownload, ...] = (*exhibit.downloads, *exhibit.volumes)
    press = _by_turn(exhibit.press)
    turns = [
        {
            **_turn_context(page),
            "view": view,
            "map": inside,
            "tale": Markup(_tale(exhibit, page, press.get(page.leaf.turn.short, []), pointing, galleys)),
            "standing": Markup(_standing(page, ground, galleys)) if pointing else None,
        }
        for page, (view, inside) in zip(pages, maps[1:], strict=True)
    ]
    over_time = timeline.course_of(exhibit)
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
        "size": {"wide": timeline.WIDTH, "high": timeline.HEIGHT},
        "powers": _powers(exhibit, pages, over_time),
        "first": {
            "anchor": OPENING_ANCHOR,
            "name": "Opening",
            "view": maps[0][0],
            "map": maps[0][1],
            "words": f"Map of the opening of {exhibit.name}",
            "standing": data(_stands(opening, ground)),
        },
        "introduction": telling.introduction(exhibit.opening, None)
        if isinstance(telling, SupportsIntroduction)
        else (),
        "pages": turns,
        "spots": ground,
        "pointing": pointing,
        "results": results_of(ending) if (ending := ending_of(exhibit)) else None,
        "tables": [table for table in telling.tables(exhibit.latest) if table.about == "game"],
        "seats": _seats(exhibit),
        "kept": sum(not page.leaf.silent for page in pages),
        "late": [turn for turn in turns if turn["silent"]],
        "sheets": [(sheet.name, sheet.words) for sheet in exhibit.sheets],
        "files": [(file.name, file.words) for file in files],
    }
    return page("game.jinja", context, script="game.js", style=drawn.style if drawn else "")


STOPPED = {
    "pause": "The game is paused. ",
    "hold": "The turn is held. ",
    "nmr": "The GM is asked what to do. ",
}
"""What is said first of a game whose clock stands, by the kind of its stop."""


def standing(exhibit: PublicGame) -> str:
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
    named = f"{len(among)} sides" if len(among) > _MAX_NAMED_SHARERS else ", ".join(among)
    return f"A draw between {named}." if among else "A draw."


def _turn_context(page: TurnPage) -> dict[str, Any]:
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


def _tale(
    exhibit: PublicGame, page: TurnPage, press: Sequence[PublicPress], pointing: bool, galleys: PageCache
) -> str:
    """A turn in sentences, as HTML."""
    leaf = page.leaf
    key = ("tale", leaf.sign, leaf.by_hand, leaf.silent, press, pointing)
    return galleys.text(GAME_PAGE_FILE, key, lambda: _set(exhibit, page, press, pointing))


def _set(exhibit: PublicGame, page: TurnPage, press: Sequence[PublicPress], pointing: bool) -> str:
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
    return plain("tale.jinja", context).decode()


def _standing(page: TurnPage, ground: Sequence[Mapping[str, str]], galleys: PageCache) -> str:
    """Return what there is to be pointed at in a turn, as JSON. ground: the same in the opening."""
    key = ("standing", page.leaf.sign)
    return galleys.text(GAME_PAGE_FILE, key, lambda: str(data(_stands(page.stands, ground))))


def _by_turn(press: Sequence[PublicPress]) -> Mapping[str, list[PublicPress]]:
    press_by_turn: dict[str, list[PublicPress]] = {}
    for dispatch in press:
        press_by_turn.setdefault(dispatch.turn, []).append(dispatch)
    return press_by_turn


def _own(exhibit: PublicGame, view: View) -> tuple[ReportTable, ...]:
    return tuple(table for table in exhibit.game.telling.tables(view) if table.about == "own")


def _spots(stands: MapStanding) -> list[dict[str, str]]:
    rows = (
        {"at": spot.at, "shape": spot.shape, "path": spot.path, "name": spot.name} for spot in stands.spots
    )
    return [{key: value for key, value in row.items() if value} for row in rows]


def _stands(standing_shown: MapStanding, ground: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return what there is to be pointed at; its places too, where they are not those of the opening."""
    spots = _spots(standing_shown)
    return {
        "own": standing_shown.owners,
        "there": standing_shown.pieces,
        **({} if spots == ground else {"spots": spots}),
    }


def _powers(
    exhibit: PublicGame, pages: Sequence[TurnPage], over_time: timeline.Course | None
) -> list[dict[str, Any]]:
    """Those whose orders are drawn, seats or sides, each with its badge and what it had after each turn."""
    counts = {line.name: line.counts for line in over_time.lines} if over_time else {}
    drawn = {of for page in pages for of in page.gist.drawn}
    badges = timeline.badges_of(exhibit)
    seats = [str(public_seat.seat) for public_seat in exhibit.seats if public_seat.seat in drawn]
    return [
        {"seat": seat, "badge": badges.get(seat), "counts": counts.get(seat, ()) if seats else ()}
        for seat in seats or sorted(drawn)
    ]


def person_page(name: str) -> str:
    """Where the page of a player is: by what he is called, in letters that every file system takes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    sign = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"people/{re.sub('[^a-z0-9]+', '-', plain).strip('-')[:40] or 'player'}-{sign}.html"


def _seats(exhibit: PublicGame) -> Iterator[dict[str, Any]]:
    for seat in exhibit.seats:
        yield {
            "seat": seat.seat,
            "bot": seat.bot,
            "name": seat.name,
            "missed": seat.missed,
            "page": f"../../{person_page(seat.name)}" if seat.name else None,
        }
