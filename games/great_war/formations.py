"""Formations: a base with all that was added to it, as the cards of a row lie on the table."""

from collections.abc import Iterator, Sequence

from games.great_war.model import TableCard
from games.record import Value


class Formation(Value, frozen=True):
    """A card that was added to none, and those below it with how many links part each from it."""

    base: TableCard
    under: tuple[tuple[TableCard, int], ...]

    @property
    def depth(self) -> int:
        """The longest chain of links in it."""
        return max((deep for _, deep in self.under), default=0)


def group_formations(row: Sequence[TableCard]) -> tuple[Formation, ...]:
    """Return a row in formations, in the order in which their bases were laid.

    What was added to a card that has left the table is a base of its own.
    """
    there = {table_card.card for table_card in row}
    return tuple(
        Formation(base=table_card, under=tuple(_cards_under(row, table_card, 1)))
        for table_card in row
        if table_card.link not in there
    )


def _cards_under(row: Sequence[TableCard], host: TableCard, deep: int) -> Iterator[tuple[TableCard, int]]:
    for table_card in row:
        if table_card.link == host.card and table_card.card != host.card:
            yield table_card, deep
            yield from _cards_under(row, table_card, deep + 1)
