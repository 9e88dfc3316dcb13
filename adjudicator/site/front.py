"""The pages that are no game's own: the first one, records, people, feed and site map.

Each knows what it is made of, so that after a turn of one game only those are made in which it stands.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from adjudicator.site.catalogue_page import Card, feed, index, site_map
from adjudicator.site.exhibits import Wanted
from adjudicator.site.game_page import Frame, person_page
from adjudicator.site.people_page import people_of, player_page
from adjudicator.site.records_page import by_kind, records_page
from games.record import canonical


@dataclass(frozen=True)
class Sheet:
    """A page that can be made. mark: another one as soon as the page is another."""

    mark: str
    make: Callable[[], bytes]


def front(
    cards: Mapping[str, Card], files: Mapping[str, Sequence[str]], wanted: Sequence[Wanted], frame: Frame
) -> dict[str, Sheet]:
    """All of them, by their places in the archive. cards, files: of the games, by name."""
    marks = {name: _mark(canonical(card)) for name, card in cards.items()}
    every = [*cards.values()]
    whole = _mark(*marks.values(), repr(wanted))
    found = {"index.html": Sheet(whole, partial(index, every, wanted, frame))}
    for (kind, title), games in by_kind(every).items():
        over = [marks[card.name] for card in games if card.over]
        make = partial(records_page, kind, title, games, frame)
        found[f"records/{kind}.html"] = Sheet(_mark(str(len(games)), *over), make)
    for name, played in people_of(every).items():
        mark = _mark(*(f"{marks[card.name]} {seat}" for card, seat in played))
        found[person_page(name)] = Sheet(mark, partial(player_page, name, played, frame))
    if frame.url:
        pages = sorted([*found, *_pages(files)])
        found["atom.xml"] = Sheet(whole, partial(feed, every, frame))
        found["sitemap.xml"] = Sheet(_mark(*pages), partial(site_map, pages, frame))
    return found


def _pages(files: Mapping[str, Sequence[str]]) -> Iterable[str]:
    return (f"games/{game}/{one}" for game, those in files.items() for one in those if _is_for_all(one))


def _is_for_all(file: str) -> bool:
    """Whether a file of a game is a page to be found; those on which a seat orders are none."""
    return file.endswith(".html") and not file.startswith("orders-")


def _mark(*told: str | bytes) -> str:
    whole = b"\0".join(one if isinstance(one, bytes) else one.encode() for one in told)
    return hashlib.sha256(whole).hexdigest()[:24]
