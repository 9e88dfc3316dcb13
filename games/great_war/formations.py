"""Formations: a base with all that was added to it, as the cards of a row lie on the table."""

from collections.abc import Iterator, Sequence

from games.great_war.model import Laid
from games.record import Value


class Formation(Value, frozen=True):
    """A card that was added to none, and those below it with how many links part each from it."""

    base: Laid
    under: tuple[tuple[Laid, int], ...]

    @property
    def depth(self) -> int:
        """The longest chain of links in it."""
        return max((deep for _, deep in self.under), default=0)


def formations(row: Sequence[Laid]) -> tuple[Formation, ...]:
    """A row in formations, in the order in which their bases were laid.

    What was added to a card that has left the table is a base of its own.
    """
    there = {laid.card for laid in row}
    return tuple(
        Formation(base=laid, under=tuple(_below(row, laid, 1))) for laid in row if laid.link not in there
    )


def _below(row: Sequence[Laid], host: Laid, deep: int) -> Iterator[tuple[Laid, int]]:
    for laid in row:
        if laid.link == host.card and laid.card != host.card:
            yield laid, deep
            yield from _below(row, laid, deep + 1)
