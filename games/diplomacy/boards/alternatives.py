"""Drafts of a board: the same board with its assumed centres elsewhere and short borders flipped."""

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
    """The differences from the board.

    centres: the new place of each assumed centre, in board order; turned: the flipped borders.
    """

    centres: dict[Province, Province]
    turned: tuple[FlippableBorder, ...] = ()

    @property
    def name(self) -> str:
        moved = (f"{was}{_DRAFT_MOVE}{now}" for was, now in self.centres.items() if was != now)
        return _DRAFT_SEPARATOR.join((*moved, *map(_name_of, self.turned)))


@dataclass(frozen=True)
class BoardDrafts:
    """Moves assumed supply centres and flips short borders: implements `protocol.AlternativeBoards`.

    variant: the variant under the options of a game.

    A draft has a name such as ``57>56+112>111+28-33>27-32``: 56 is a centre instead of 57, and lands 27 and
    32 meet instead of 28 and 33. The name "" is the board itself. A centre can move to a land province that
    isn't a home, a centre or the taboo province. A step goes to a neighbour on foot, a leap to any province
    that can be reached on foot. Centres that the sources give never move. A border can be flipped if the
    chart says that it is short enough to have run the other way.
    """

    variant: Variant
    game_of: Callable[[Variant], Game]

    def steps(self, draft: str) -> tuple[str, ...]:
        """Return the drafts that differ from this draft by one step of a centre or by one flip."""
        return self._changed_names(draft, lambda centre: self.variant.board.army[centre])

    def leaps(self, draft: str) -> tuple[str, ...]:
        """Return the drafts that differ from this draft by one leap of a centre or by one flip."""
        ashore = self.variant.board.steps
        return self._changed_names(
            draft, lambda centre: self.variant.board.in_board_order(ashore([centre], on_foot=True))
        )

    def game(self, draft: str) -> Game:
        """Return the game on a draft's board. Raises Invalid for an impossible draft."""
        return self.game_of(replace_fields(self.variant, board=self._board(self._read_draft(draft))))

    def describe(self, draft: str) -> str:
        """Return a draft in words. Raises Invalid for an impossible draft."""
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
        """Return the lands where an assumed centre can be: no home, other centre or taboo province."""
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
        """Return the draft of a name. Raises Invalid, also for borders that can't be flipped together."""
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
