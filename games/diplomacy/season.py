"""What was ordered for a movement season, prepared for the resolver's questions."""

# Provinces are small integers in here and in whatever asks here: their place in board order.

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from games.record import Draft

NOWHERE = -1

Ask = Callable[[int], bool | None]
"""Whether the order of the unit in a province succeeds; None: not known yet."""

_STAYING = (Hold, Disband, Build, Destroy, Waive)
"""The orders under which a unit neither moves, helps another, nor builds a canoe-fleet."""


Support = tuple[int, int, str]
"""Who is supported, where that one is to go, and to which coast of it, "" for any."""

Carriage = tuple[int, int]
"""Which army is to be convoyed, and where."""


class Season(Draft):
    """The orders of one season. What is by province leaves out those of which there is nothing to say.

    mustered: who stands where; goal: where a unit moves; coasts: which coast of it a fleet named;
    aimed: who walks into a province; landing: who goes into it in a canoe-fleet; afloat: who goes in one;
    builders: who builds one; supports: what was ordered, by supporter; into: the province that a support is
    given into, if it met the order really given; helpers: who supports the unit in a province in what it
    does; convoys: what was ordered, by fleet; overseas: armies that cannot walk, or say VIA; carriers: for
    each army that goes by convoy the fleets that carry it, as a set of bits; carrying: the army whose convoy
    each fleet was ordered to be, and is.
    """

    mustered: Muster
    nation: Sequence[str | None]
    rulebook: Rulebook
    goal: dict[int, int]
    coasts: dict[int, str]
    aimed: dict[int, tuple[int, ...]]
    landing: dict[int, tuple[int, ...]]
    afloat: frozenset[int]
    builders: frozenset[int]
    supports: dict[int, Support]
    into: dict[int, int]
    helpers: dict[int, tuple[int, ...]]
    convoys: dict[int, Carriage]
    overseas: set[int]
    carriers: Mapping[int, int]
    carrying: Mapping[int, int]

    def copied(self) -> "Season":
        """A season that other orders may be entered into; this one stays as it is."""
        return Season(
            self.mustered,
            self.nation,
            self.rulebook,
            self.goal.copy(),
            self.coasts.copy(),
            self.aimed.copy(),
            self.landing.copy(),
            self.afloat,
            self.builders,
            self.supports.copy(),
            self.into.copy(),
            self.helpers.copy(),
            self.convoys.copy(),
            self.overseas.copy(),
            self.carriers,
            self.carrying,
        )

    def head_on(self, place: int, other: int) -> bool:
        """Whether two units go for each other's provinces by land, and meet; a convoy passes the other by."""
        if self.goal.get(place) != other or self.goal.get(other) != place:
            return False
        return place not in self.carriers and other not in self.carriers

    def yields(self, beaten: int, winner: int) -> bool:
        """Whether a unit keeps nobody out of a province that it went for, since it was beaten from there.

        Source: DATC 4.A.7 (Rulebook.beaten_by_sea): one that was beaten by an army from overseas does.
        """
        if self.goal.get(beaten) != winner or self.goal.get(winner) != beaten:
            return False
        return self.rulebook.beaten_by_sea == "spares" or self.head_on(beaten, winner)


def prepare(mustered: Muster, orders: Mapping[Province, AnyOrder]) -> Season:
    """The season of lawful orders, one at most for each unit; units without one hold."""
    season = Season(
        mustered=mustered,
        nation=mustered.nation,
        rulebook=mustered.rulebook,
        goal={},
        coasts={},
        aimed={},
        landing={},
        afloat=frozenset(),
        builders=frozenset(),
        supports={},
        into={},
        helpers={},
        convoys={},
        overseas=set(),
        carriers={},
        carrying={},
    )
    enter(season, orders)
    match(season, season.supports)
    if season.convoys or season.overseas:
        put_to_sea(season)
    return season


def put_to_sea(season: Season) -> None:
    """Find out which fleets carry which armies, once all orders are entered."""
    season.carriers, season.carrying = embark(season.mustered, season.goal, season.convoys, season.overseas)


def enter(season: Season, orders: Mapping[Province, AnyOrder]) -> None:
    """Enter orders into a season in the making: what each unit is to do by itself."""
    board, goal, aimed, supports = season.mustered.board, season.goal, season.aimed, season.supports
    index, walks, paddles = board.index, board.walks, board.walker == "W"
    # What an order is, its type says: `isinstance` takes four times as long to say no.
    for at, order in orders.items():
        place = index[at]
        if type(order) is Move:
            to = goal[place] = index[order.to]
            if paddles and is_by_canoe(board, order):
                season.afloat |= {place}
                season.landing[to] = (*season.landing.get(to, ()), place)
                continue
            aimed[to] = (*aimed[to], place) if to in aimed else (place,)
            if order.unit.kind == "A" and (order.via or not walks[place] >> to & 1):
                season.overseas.add(place)
            elif order.coast:
                season.coasts[place] = order.coast
        elif type(order) is SupportMove:
            supports[place] = index[order.other.at], index[order.to], order.coast
        elif type(order) is SupportHold:
            supports[place] = index[order.other.at], NOWHERE, ""
        elif type(order) is Convoy:
            season.convoys[place] = index[order.other.at], index[order.to]
        elif type(order) is BuildCanoe:
            season.builders |= {place}
        elif not isinstance(order, _STAYING):
            assert_never(order)


def match(season: Season, supporters: Iterable[int]) -> None:
    """Match the supports of some units with the orders that were really given.

    A support to move counts for that move on foot or by convoy only (Indianomacy, ruling C12), a support to
    hold for a unit that does not try to move (C13); one that names a coast counts for that coast only (DATC
    4.B.4).
    """
    goal, afloat, into, helpers = season.goal, season.afloat, season.into, season.helpers
    supports = season.supports
    for place in supporters:
        other, target, coast = supports[place]
        if (
            goal.get(other, NOWHERE) == target
            and other not in afloat
            and (not coast or season.coasts.get(other) == coast)
        ):
            into[place] = other if target == NOWHERE else target
            helpers[other] = (*helpers[other], place) if other in helpers else (place,)


def is_by_canoe(board: Board, move: Move) -> bool:
    """Whether a move is made in a canoe-fleet: by its word, or because the War Party is afloat.

    Source: Indianomacy §6, ruling C5.
    """
    return move.canoe or is_afloat(board, move.unit)


def is_afloat(board: Board, piece: Piece) -> bool:
    """Whether a War Party is on the water; it sits in a canoe-fleet then."""
    return piece.kind == "W" and not board.is_land(piece.at)
