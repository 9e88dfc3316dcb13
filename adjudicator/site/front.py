"""The pages that are no game's own: the first one, records, people, feed and site map.

Each knows what it is made of, so that after a turn of one game only those are made in which it stands.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from adjudicator.site.catalogue_page import feed, index, site_map
from adjudicator.site.exhibits import Wanted
from adjudicator.site.game_page import Frame, person_page
from adjudicator.site.people_page import people_of, player_page
from adjudicator.site.records_page import by_kind, records_page
from adjudicator.site.shelves import Shelved, sealed


@dataclass(frozen=True)
class Sheet:
    """A page that can be made. mark: another one as soon as the page is another."""

    mark: str
    make: Callable[[], bytes]


def front(there: Mapping[str, Shelved], wanted: Sequence[Wanted], frame: Frame) -> dict[str, Sheet]:
    """All of them, by their places in the archive. there: the games, by name."""
    every = [one.card for one in there.values()]
    rows = {name: one.row for name, one in there.items()}
    whole = sealed(*(one.seal for one in there.values()), repr(wanted))
    found = {"index.html": Sheet(whole, partial(index, every, rows, wanted, frame))}
    for (kind, title), games in by_kind(every).items():
        over = [there[card.name].seal for card in games if card.over]
        make = partial(records_page, kind, title, games, frame)
        found[f"records/{kind}.html"] = Sheet(sealed(str(len(games)), *over), make)
    for name, played in people_of(every).items():
        mark = sealed(*(f"{there[card.name].seal} {seat}" for card, seat in played))
        found[person_page(name)] = Sheet(mark, partial(player_page, name, played, frame))
    if frame.url:
        pages = sorted([*found, *_pages(there)])
        found["atom.xml"] = Sheet(whole, partial(feed, every, frame))
        found["sitemap.xml"] = Sheet(sealed(*pages), partial(site_map, pages, frame))
    return found


def _pages(there: Mapping[str, Shelved]) -> Iterable[str]:
    return (f"games/{name}/{file}" for name, one in there.items() for file in one.files if _is_for_all(file))


def _is_for_all(file: str) -> bool:
    """Whether a file of a game is a page to be found; those on which a seat orders are none."""
    return file.endswith(".html") and not file.startswith("orders-")
