"""A game as it stands in the archive, and what pages that are no game's own need of it."""

import hashlib
from collections.abc import Sequence

from adjudicator.website.index_pages import GameCard, row_of
from games.record import Record, canonical


class ArchiveEntry(Record, frozen=True, kw_only=True):
    """A game that is there. mark: by which it is known whether it has changed since.

    seal: another one as soon as its card is another; row: the card as the first page shows it.
    """

    mark: str
    card: GameCard
    seal: str
    row: str
    files: tuple[str, ...]


def make_entry(mark: str, card: GameCard, files: Sequence[str]) -> ArchiveEntry:
    """Return the archive entry of a game whose files were just written."""
    return ArchiveEntry(
        mark=mark, card=card, seal=content_mark(canonical(card)), row=row_of(card), files=tuple(files)
    )


def content_mark(*parts: str | bytes) -> str:
    """Return a mark of some texts: another one as soon as any of them is."""
    whole = b"\0".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return hashlib.sha256(whole).hexdigest()[:24]
