"""Boards that a variant might have had: its assumed centres elsewhere, short borders turned."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from games.diplomacy.board import Board, Chart, Turn, compile_chart
from games.diplomacy.boards import Variant, reread
from games.diplomacy.model import Province
from games.diplomacy.turned import turn
from games.protocol import Game, Invalid
from games.record import changed

_TO = ">"
_AND = "+"
_MEETS = "-"


@dataclass(frozen=True)
class _Draft:
    """What is other than on the board: where each assumed centre lies, in board order; the borders turned."""

    centres: dict[Province, Province]
    turned: tuple[Turn, ...] = ()

    @property
    def name(self) -> str:
        moved = (f"{was}{_TO}{now}" for was, now in self.centres.items() if was != now)
        return _AND.join((*moved, *map(_name_of, self.turned)))


@dataclass(frozen=True)
class BoardDrafts:
    """Moves assumed supply centres and turns short borders: implements `protocol.Drafts`.

    variant: as the options of a game make it.

    A draft is named ``57>56+112>111+28-33>27-32``: what is no centre, and what is one in its place; which
    lands do not meet, and which do instead; "" is the board as it is. A centre moves to a province that is
    nobody's home, no centre, and not shunned: a step to one next door on foot, a leap to any on the same
    land. So one that nobody can walk to stays, and what the sources give is never touched. A border turns
    where the chart says that it is short enough to have run the other way.
    """

    variant: Variant
    game_of: Callable[[Variant], Game]

    def steps(self, draft: str) -> tuple[str, ...]:
        """The drafts with one centre moved a step further than a draft, or back, or one border turned."""
        return self._changed(draft, lambda centre: self.variant.board.army[centre])

    def leaps(self, draft: str) -> tuple[str, ...]:
        """The same with one centre anywhere else to which somebody can walk from it."""
        ashore = self.variant.board.steps
        return self._changed(draft, lambda centre: self.variant.board.sorted(ashore([centre], on_foot=True)))

    def game(self, draft: str) -> Game:
        """The game on a draft's board. Raises Invalid for what is none."""
        return self.game_of(changed(self.variant, board=self._board(self._read(draft))))

    def words(self, draft: str) -> str:
        """A draft in words. Raises Invalid for what is none."""
        name, read = self.variant.board.name, self._read(draft)
        centres = (f"{name(now)} for {name(was)}" for was, now in read.centres.items() if was != now)
        turned = (
            "{2} meets {3} where {0} met {1}".format(*map(name, (*one.parts, *one.ends)))
            for one in read.turned
        )
        return ", ".join((*centres, *turned)) or "as it is"

    @property
    def _chart(self) -> Chart:
        return self.variant.board.chart

    def _board(self, draft: _Draft) -> Board:
        chart = reread(turn(self._chart, draft.turned), tuple(draft.centres.values()))
        return compile_chart(chart)

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

    @cached_property
    def _turns(self) -> dict[str, Turn]:
        return {_name_of(one): one for one in self._chart.turns}

    def _read(self, draft: str) -> _Draft:
        """A draft by its name. Raises Invalid, also for borders that cannot be turned together."""
        now = {one: one for one in self._chart.assumed_centres}
        turned = []
        for part in draft.split(_AND) if draft else ():
            was, _, then = map(Province, part.partition(_TO))
            if part in self._turns:
                turned.append(self._turns[part])
            elif now.get(was) != was or then not in self._open or then in now.values():
                raise Invalid(
                    f"draft {draft}",
                    f"{was} cannot become {then}",
                    "write 57>56, of an assumed centre and a land that is nobody's home and no centre, "
                    "or 28-33>27-32, of a short border",
                )
            else:
                now[was] = then
        turn(self._chart, turned)
        return _Draft(now, tuple(turned))

    def _changed(self, draft: str, near: Callable[[Province], Iterable[Province]]) -> tuple[str, ...]:
        read = self._read(draft)
        return tuple(one.name for one in chain(self._moved(read, near), self._turned(read)))

    def _moved(self, read: _Draft, near: Callable[[Province], Iterable[Province]]) -> Iterator[_Draft]:
        taken = {*read.centres.values()}
        for was, now in read.centres.items():
            for there in near(now) if was in self._open else ():
                if there in self._open and there not in taken:
                    yield replace(read, centres={**read.centres, was: there})

    def _turned(self, read: _Draft) -> Iterator[_Draft]:
        for one in self._turns.values():
            others = tuple(other for other in read.turned if other != one)
            turned = others if one in read.turned else (*others, one)
            if self._is_possible(turned):
                yield replace(read, turned=turned)

    def _is_possible(self, turned: tuple[Turn, ...]) -> bool:
        try:
            turn(self._chart, turned)
        except Invalid:
            return False
        return True


def _name_of(border: Turn) -> str:
    return f"{_MEETS.join(border.parts)}{_TO}{_MEETS.join(border.ends)}"
