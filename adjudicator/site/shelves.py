"""A game as it stands in the archive, and what pages that are no game's own need of it."""

import hashlib
from collections.abc import Sequence

from adjudicator.site.catalogue_page import Card, row_of
from games.record import Record, canonical


class Shelved(Record, frozen=True, kw_only=True):
    """A game that is there. mark: by which it is known whether it has changed since.

    seal: another one as soon as its card is another; row: the card as the first page shows it.
    """

    mark: str
    card: Card
    seal: str
    row: str
    files: tuple[str, ...]


def shelved(mark: str, card: Card, files: Sequence[str]) -> Shelved:
    """A game of which the files were just written."""
    return Shelved(mark=mark, card=card, seal=sealed(canonical(card)), row=row_of(card), files=tuple(files))


def sealed(*told: str | bytes) -> str:
    """A mark of what was told: another one as soon as any of it is."""
    whole = b"\0".join(one if isinstance(one, bytes) else one.encode() for one in told)
    return hashlib.sha256(whole).hexdigest()[:24]
