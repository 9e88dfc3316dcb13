"""What was ordered for a movement season, prepared for the resolver's questions."""

# Provinces are small integers in here and in whatever asks here: their place in board order.

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from games.diplomacy.board import Board
from games.diplomacy.convoys import embark
from games.diplomacy.model import (
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Piece,
    Province,
    SupportHold,
    SupportMove,
    Waive,
)
from games.diplomacy.muster import Muster
from games.diplomacy.rulebook import Rulebook

NOWHERE = -1

Ask = Callable[[int], bool | None]
"""Whether the order of the unit in a province succeeds; None: not known yet."""

_STAYING = (Hold, Disband, Build, Destroy, Waive)
"""The orders under which a unit neither moves, helps another, nor builds a canoe-fleet."""


# Not frozen, as records are: that alone would cost a twentieth of a decision. Nobody changes one afterwards.
@dataclass(slots=True)
class Season:
    """The orders of one season. Lists are indexed by province; they hold tuples, so that a copy is quick.

    nation: whose unit stands there; movers: who moves, in board order; supporters: whose support met the
    order really given; goal: where a unit moves; into: the province that such a support is given into;
    aimed: who walks into a province; landing: who goes into it in a canoe-fleet; afoot: False where the unit
    goes in one; builders: who builds one; helpers: who supports the unit in a province in what it does;
    carriers: for each army that goes by convoy the fleets that carry it, as a set of bits; carrying: the army
    whose convoy each fleet was ordered to be, and is; waters: which waters each province touches, as bits;
    rulebook: the rulings.
    """

    nation: Sequence[str | None]
    movers: list[int]
    supporters: list[int]
    goal: list[int]
    into: list[int]
    aimed: list[tuple[int, ...]]
    landing: list[tuple[int, ...]]
    afoot: list[bool]
    builders: list[int]
    helpers: list[tuple[int, ...]]
    carriers: Mapping[int, int]
    carrying: Mapping[int, int]
    waters: Sequence[int]
    rulebook: Rulebook

    def head_on(self, place: int, other: int) -> bool:
        """Whether two units go for each other's provinces by land, and meet; a convoy passes the other by."""
        if self.goal[place] != other or self.goal[other] != place:
            return False
        return place not in self.carriers and other not in self.carriers

    def yields(self, beaten: int, winner: int) -> bool:
        """Whether a unit keeps nobody out of a province that it went for, since it was beaten from there.

        Source: DATC 4.A.7 (Rulebook.beaten_by_sea): one that was beaten by an army from overseas does.
        """
        if self.goal[beaten] != winner or self.goal[winner] != beaten:
            return False
        return self.rulebook.beaten_by_sea == "spares" or self.head_on(beaten, winner)


def prepare(mustered: Muster, orders: Mapping[Province, AnyOrder]) -> Season:
    """The season of lawful orders, one at most for each unit; units without one hold.

    Supports are matched with the orders that were really given: a support to move counts for that move on
    foot or by convoy only (Indianomacy, ruling C12), a support to hold for a unit that does not try to move
    (C13); one that names a coast counts for that coast only (DATC 4.B.4).
    """
    board = mustered.board
    index, walks, paddles = board.index, board.walks, board.walker == "W"
    size = len(mustered.nation)
    goal, into = [NOWHERE] * size, [NOWHERE] * size
    aimed: list[tuple[int, ...]] = [()] * size
    helpers, landing = aimed.copy(), aimed.copy()
    afoot = [True] * size
    movers, supporters, builders, overseas = list[int](), list[int](), list[int](), list[int]()
    supports: list[tuple[int, int, int]] = []
    convoys: list[tuple[int, int, int]] = []
    for at, order in orders.items():
        place = index[at]
        if isinstance(order, Move):
            to = goal[place] = index[order.to]
            movers.append(place)
            if paddles and is_by_canoe(board, order):
                afoot[place] = False
                landing[to] += (place,)
                continue
            aimed[to] += (place,)
            if order.unit.kind == "A" and (order.via or not walks[place] >> to & 1):
                overseas.append(place)
        elif isinstance(order, SupportMove):
            if not order.coast or _is_for_coast(order, orders):
                supports.append((place, index[order.other.at], index[order.to]))
        elif isinstance(order, SupportHold):
            supports.append((place, index[order.other.at], NOWHERE))
        elif isinstance(order, Convoy):
            convoys.append((place, index[order.other.at], index[order.to]))
        elif isinstance(order, BuildCanoe):
            builders.append(place)
        elif not isinstance(order, _STAYING):
            assert_never(order)
    for place, other, target in supports:
        if goal[other] == target and afoot[other]:
            into[place] = other if target == NOWHERE else target
            helpers[other] += (place,)
            supporters.append(place)
    carriers: Mapping[int, int] = {}
    carrying: Mapping[int, int] = {}
    if convoys or overseas:
        carriers, carrying = embark(mustered, goal, convoys, overseas)
    movers.sort()
    return Season(
        mustered.nation,
        movers,
        supporters,
        goal,
        into,
        aimed,
        landing,
        afoot,
        builders,
        helpers,
        carriers,
        carrying,
        board.waters,
        mustered.rulebook,
    )


def _is_for_coast(support: SupportMove, orders: Mapping[Province, AnyOrder]) -> bool:
    """Whether a support that names a coast is for the move that was really ordered (DATC 4.B.4)."""
    move = orders.get(support.other.at)
    return isinstance(move, Move) and move.coast == support.coast


def is_by_canoe(board: Board, move: Move) -> bool:
    """Whether a move is made in a canoe-fleet: by its word, or because the War Party is afloat.

    Source: Indianomacy §6, ruling C5.
    """
    return move.canoe or is_afloat(board, move.unit)


def is_afloat(board: Board, piece: Piece) -> bool:
    """Whether a War Party is on the water; it sits in a canoe-fleet then."""
    return piece.kind == "W" and not board.is_land(piece.at)
