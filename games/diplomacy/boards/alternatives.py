"""Boards that a variant might have had: its assumed centres elsewhere, short borders turned."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from games.diplomacy.boards.board import Board, Chart, FlippableBorder, compile_chart
from games.diplomacy.boards.redraw import flip_borders
from games.diplomacy.boards.variants import Variant, reread
from games.diplomacy.model import Province
from games.messages import sentence
from games.protocol import Game, Invalid
from games.record import replace_fields

_DRAFT_MOVE = ">"
_DRAFT_SEPARATOR = "+"
_DRAFT_BORDER = "-"


@dataclass(frozen=True)
class _BoardDraft:
    """The differences from the board: each assumed centre's place, in board order, and flipped borders."""

    centres: dict[Province, Province]
    turned: tuple[FlippableBorder, ...] = ()

    @property
    def name(self) -> str:
        moved = (f"{was}{_DRAFT_MOVE}{now}" for was, now in self.centres.items() if was != now)
        return _DRAFT_SEPARATOR.join((*moved, *map(_name_of, self.turned)))


@dataclass(frozen=True)
class BoardDrafts:
    """Moves assumed supply centres and turns short borders: implements `protocol.AlternativeBoards`.

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
        return self._changed_names(draft, lambda centre: self.variant.board.army[centre])

    def leaps(self, draft: str) -> tuple[str, ...]:
        """The same with one centre anywhere else to which somebody can walk from it."""
        ashore = self.variant.board.steps
        return self._changed_names(
            draft, lambda centre: self.variant.board.in_board_order(ashore([centre], on_foot=True))
        )

    def game(self, draft: str) -> Game:
        """The game on a draft's board. Raises Invalid for what is none."""
        return self.game_of(replace_fields(self.variant, board=self._board(self._read_draft(draft))))

    def describe(self, draft: str) -> str:
        """Return a draft in words. Raises Invalid for a text that is none."""
        name, read = self.variant.board.name, self._read_draft(draft)
        centres = (
            sentence("diplomacy.drafts.centre", centre=name(now), former=name(was))
            for was, now in read.centres.items()
            if was != now
        )
        turned = (
            sentence(
                "diplomacy.drafts.border",
                end=name(border.ends[0]),
                other_end=name(border.ends[1]),
                land=name(border.parts[0]),
                other=name(border.parts[1]),
            )
            for border in read.turned
        )
        return ", ".join((*centres, *turned)) or sentence("diplomacy.drafts.unchanged")

    @property
    def _chart(self) -> Chart:
        return self.variant.board.chart

    def _board(self, draft: _BoardDraft) -> Board:
        chart = reread(flip_borders(self._chart, draft.turned), tuple(draft.centres.values()))
        return compile_chart(chart)

    @cached_property
    def _homes(self) -> frozenset[Province]:
        return frozenset(home for power in self._chart.powers for home in power.homes)

    @cached_property
    def _open(self) -> frozenset[Province]:
        """Return the lands where an assumed centre may lie: no home, no other centre, not shunned."""
        return frozenset(
            place.id
            for place in self._chart.provinces
            if place.kind == "land"
            and (place.centre is None or place.id in self._chart.assumed_centres)
            and place.id not in (*self._homes, self._chart.taboo)
        )

    @cached_property
    def _borders_by_name(self) -> dict[str, FlippableBorder]:
        return {_name_of(border): border for border in self._chart.turns}

    def _read_draft(self, draft: str) -> _BoardDraft:
        """A draft by its name. Raises Invalid, also for borders that cannot be turned together."""
        now = {centre: centre for centre in self._chart.assumed_centres}
        turned = []
        for part in draft.split(_DRAFT_SEPARATOR) if draft else ():
            was, _, then = map(Province, part.partition(_DRAFT_MOVE))
            if part in self._borders_by_name:
                turned.append(self._borders_by_name[part])
            elif now.get(was) != was or then not in self._open or then in now.values():
                raise Invalid(
                    f"draft {draft}",
                    sentence("diplomacy.drafts.impossible", centre=was, place=then),
                    sentence("diplomacy.drafts.example"),
                )
            else:
                now[was] = then
        flip_borders(self._chart, turned)
        return _BoardDraft(now, tuple(turned))

    def _changed_names(self, draft: str, near: Callable[[Province], Iterable[Province]]) -> tuple[str, ...]:
        read = self._read_draft(draft)
        return tuple(
            changed_draft.name
            for changed_draft in chain(self._with_moved_centres(read, near), self._with_flipped_borders(read))
        )

    def _with_moved_centres(
        self, read: _BoardDraft, near: Callable[[Province], Iterable[Province]]
    ) -> Iterator[_BoardDraft]:
        taken = {*read.centres.values()}
        for was, now in read.centres.items():
            for there in near(now) if was in self._open else ():
                if there in self._open and there not in taken:
                    yield replace(read, centres={**read.centres, was: there})

    def _with_flipped_borders(self, read: _BoardDraft) -> Iterator[_BoardDraft]:
        for border in self._borders_by_name.values():
            others = tuple(other for other in read.turned if other != border)
            turned = others if border in read.turned else (*others, border)
            if self._is_possible(turned):
                yield replace(read, turned=turned)

    def _is_possible(self, turned: tuple[FlippableBorder, ...]) -> bool:
        try:
            flip_borders(self._chart, turned)
        except Invalid:
            return False
        return True


def _name_of(border: FlippableBorder) -> str:
    return f"{_DRAFT_BORDER.join(border.parts)}{_DRAFT_MOVE}{_DRAFT_BORDER.join(border.ends)}"
