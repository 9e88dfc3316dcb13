"""The pages that are no game's own: the first one, records, people, feed and site map.

Each knows what it is made of, so that after a turn of one game only those are made in which it stands.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from adjudicator.website.archive_entry import ArchiveEntry, content_mark
from adjudicator.website.game_page import PageFrame, person_page
from adjudicator.website.index_pages import (
    by_kind,
    feed,
    index,
    people_of,
    player_page,
    records_page,
    site_map,
)
from adjudicator.website.public_game import JoinableGame


@dataclass(frozen=True)
class ArchivePage:
    """A page that can be made. mark: another one as soon as the page is another."""

    mark: str
    make: Callable[[], bytes]


def front(
    there: Mapping[str, ArchiveEntry], wanted: Sequence[JoinableGame], frame: PageFrame
) -> dict[str, ArchivePage]:
    """All of them, by their places in the archive. there: the games, by name."""
    every = [entry.card for entry in there.values()]
    rows = {name: entry.row for name, entry in there.items()}
    whole = content_mark(*(entry.seal for entry in there.values()), repr(wanted))
    pages_by_place = {"index.html": ArchivePage(whole, partial(index, every, rows, wanted, frame))}
    for (kind, title), games in by_kind(every).items():
        over = [there[card.name].seal for card in games if card.over]
        make = partial(records_page, kind, title, games, frame)
        pages_by_place[f"records/{kind}.html"] = ArchivePage(content_mark(str(len(games)), *over), make)
    for name, played in people_of(every).items():
        mark = content_mark(*(f"{there[card.name].seal} {seat}" for card, seat in played))
        pages_by_place[person_page(name)] = ArchivePage(mark, partial(player_page, name, played, frame))
    if frame.url:
        pages = sorted([*pages_by_place, *_pages(there)])
        pages_by_place["atom.xml"] = ArchivePage(whole, partial(feed, every, frame))
        pages_by_place["sitemap.xml"] = ArchivePage(content_mark(*pages), partial(site_map, pages, frame))
    return pages_by_place


def _pages(there: Mapping[str, ArchiveEntry]) -> Iterable[str]:
    return (
        f"games/{name}/{file}"
        for name, entry in there.items()
        for file in entry.files
        if _is_public_page(file)
    )


def _is_public_page(file: str) -> bool:
    """Return whether a file of a game is a page to be found; those on which a seat orders are none."""
    return file.endswith(".html") and not file.startswith("orders-")
