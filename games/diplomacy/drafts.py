"""Boards that a variant might have had: its assumed centres in other provinces."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from games.diplomacy.board import Chart, compile_chart
from games.diplomacy.boards import Variant, reread
from games.diplomacy.model import Province
from games.protocol import Game, Invalid

_TO = ">"
_AND = "+"


@dataclass(frozen=True)
class CentreDrafts:
    """Moves assumed supply centres: implements `protocol.Drafts`. variant: as the options of a game make it.

    A draft is named ``57>56+112>111``: what is no centre, and what is one in its place; "" is the board as it
    is. A centre moves to a province that is nobody's home, no centre, and not shunned: a step to one next
    door on foot, a leap to any on the same land. So one that nobody can walk to stays, and what the sources
    give is never touched.
    """

    variant: Variant
    game_of: Callable[[Variant], Game]

    def steps(self, draft: str) -> tuple[str, ...]:
        """The drafts that have one centre moved a step further than a draft, or one that is not moved."""
        return self._changed(draft, lambda centre: self.variant.board.army[centre])

    def leaps(self, draft: str) -> tuple[str, ...]:
        """The same with one centre anywhere else to which somebody can walk from it."""
        ashore = self.variant.board.steps
        return self._changed(draft, lambda centre: self.variant.board.sorted(ashore([centre], on_foot=True)))

    def game(self, draft: str) -> Game:
        """The game on a draft's board. Raises Invalid for what is none."""
        chart = reread(self._chart, tuple(self._drafted(draft).values()))
        return self.game_of(replace(self.variant, board=compile_chart(chart)))

    def words(self, draft: str) -> str:
        """A draft in words. Raises Invalid for what is none."""
        name = self.variant.board.name
        moved = self._drafted(draft).items()
        return ", ".join(f"{name(now)} for {name(was)}" for was, now in moved if was != now) or "as it is"

    @property
    def _chart(self) -> Chart:
        return self.variant.board.chart

    @cached_property
    def _homes(self) -> frozenset[Province]:
        return frozenset(home for power in self._chart.powers for home in power.homes)

    @cached_property
    def _open(self) -> frozenset[Province]:
        """Where an assumed centre may lie: lands that are nobody's home, not shunned, no other centre."""
        return frozenset(
            place.id
            for place in self._chart.provinces
            if place.kind == "land"
            and (place.centre is None or place.id in self._chart.assumed_centres)
            and place.id not in (*self._homes, self._chart.taboo)
        )

    def _drafted(self, draft: str) -> dict[Province, Province]:
        """Where each assumed centre lies in a draft, in board order. Raises Invalid."""
        now = {one: one for one in self._chart.assumed_centres}
        for part in draft.split(_AND) if draft else ():
            was, _, then = map(Province, part.partition(_TO))
            if now.get(was) != was or then not in self._open or then in now.values():
                raise Invalid(
                    f"draft {draft}",
                    f"{was} cannot become {then}",
                    "write 57>56, of an assumed centre and a land that is nobody's home and no centre",
                )
            now[was] = then
        return now

    def _changed(self, draft: str, near: Callable[[Province], Iterable[Province]]) -> tuple[str, ...]:
        drafted = self._drafted(draft)
        taken = {*drafted.values()}
        return tuple(
            _named({**drafted, was: there})
            for was, now in drafted.items()
            if was in self._open
            for there in near(now)
            if there in self._open and there not in taken
        )


def _named(drafted: dict[Province, Province]) -> str:
    return _AND.join(f"{was}{_TO}{now}" for was, now in drafted.items() if was != now)
