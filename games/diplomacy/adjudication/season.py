"""The orders of a movement season: encoded as numbers, and prepared for the resolver's questions.

Callers that try many orders encode them once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from games.diplomacy.adjudication import convoy_routes
from games.diplomacy.adjudication.convoy_routes import is_by_canoe, places_of_bits
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.model import (
    Build,
    BuildCanoe,
    Convoy,
    Disband,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
)
from games.record import MutableRecord, Value

# Provinces are small integers here and in the calling modules: their index in board order.

EncodedOrder = tuple[int, int, int, int, str]
"""An order as (place, what, other, to, coast).

place: the province of the unit; what: one of the numbers below; other: the province of the supported or
convoyed unit, or NOWHERE; to: the goal of that unit, or of the unit itself, NOWHERE if it stays; coast: the
coast of `to`, "" for any.
"""

WALKS, SAILS, PADDLES, SUPPORTS, CONVOYS, BUILDS, STAYS = range(7)
"""The kinds of an encoded order. Moves on foot or by fleet are at most SAILS.

WALKS: a move on foot or by fleet; SAILS: a move by convoy, if a fleet convoys it; PADDLES: a move by
canoe-fleet; BUILDS: the building of a canoe-fleet; STAYS: all other orders.
"""

NOWHERE = -1


def encode_orders(board: Board, orders: Mapping[Province, UnitOrder]) -> list[EncodedOrder]:
    """Return legal orders in numbers, in board order. orders: by the province of the unit."""
    return sorted([encode_order(board, order) for order in orders.values()])


def merge_orders(orders: Iterable[EncodedOrder], changes: Iterable[EncodedOrder]) -> list[EncodedOrder]:
    """Return orders with changes for some units, in board order. A changed unit may have had no order."""
    by_place = {order[0]: order for order in (*orders, *changes)}
    return [by_place[place] for place in sorted(by_place)]


def encode_order(board: Board, order: UnitOrder) -> EncodedOrder:
    """Return a legal order in numbers."""
    index = board.index
    place = index[order.unit.at]
    # A comparison of types is four times as fast as `isinstance` if they differ.
    if type(order) is Move:
        to = index[order.to]
        if board.walker == "W" and is_by_canoe(board, order):
            return place, PADDLES, NOWHERE, to, ""
        if order.unit.kind == "A" and (order.via or not board.walks[place] >> to & 1):
            return place, SAILS, NOWHERE, to, ""
        return place, WALKS, NOWHERE, to, order.coast
    if type(order) is SupportMove:
        return place, SUPPORTS, index[order.other.at], index[order.to], order.coast
    if type(order) is SupportHold:
        return place, SUPPORTS, index[order.other.at], NOWHERE, ""
    if type(order) is Convoy:
        return place, CONVOYS, index[order.other.at], index[order.to], ""
    if type(order) is BuildCanoe:
        return place, BUILDS, NOWHERE, NOWHERE, ""
    if isinstance(order, Hold | Disband | Build):
        return place, STAYS, NOWHERE, NOWHERE, ""
    assert_never(order)


class IndexedPosition(Value, frozen=True, dict=True):
    """A position, prepared for the resolver.

    places: the provinces with units, in board order; nation: the owner of the unit in each province, by
    index.
    """

    board: Board
    rulebook: Rulebook
    places: tuple[int, ...]
    nation: Sequence[str | None]

    def is_open(self, start: int, goal: int, fleets: int) -> bool:
        """Return whether the fleets, a set of bits, make a chain from one shore to another."""
        way = start, goal, fleets
        answer = self._chain_cache.get(way)
        if answer is None:
            answer = self._chain_cache[way] = convoy_routes.is_chain_open(self.board, start, goal, fleets)
        return answer

    @cached_property
    def _chain_cache(self) -> dict[tuple[int, int, int], bool]:
        # Callers try similar orders for one position, so the same few chains are needed many times.
        return {}


def index_position(board: Board, rulebook: Rulebook, units: Iterable[Unit]) -> IndexedPosition:
    """Return a position with all units on the board, given in any order."""
    index = board.index
    nation: list[str | None] = [None] * len(index)
    places = []
    for unit in units:
        place = index[unit.at]
        nation[place] = unit.power
        places.append(place)
    return IndexedPosition(board, rulebook, tuple(sorted(places)), nation)


NO_PROVINCES: frozenset[int] = frozenset()

Ask = Callable[[int], bool | None]
"""Returns whether the order of the unit in a province succeeds, or None if that isn't known yet."""


class PreparedSeason(MutableRecord, gc=False):
    """The orders of one season. Mappings are by province and only have the entries that matter.

    mustered: the position; nation: the owner of the unit in each province; goal: the goal of each move;
    coasts: the coast that a fleet named for its goal; aimed: the origins of the moves on foot, by fleet or by
    convoy into a province; landing: the origins of the moves by canoe-fleet into it; afloat: the units that
    move by canoe-fleet; builders: the units that build a canoe-fleet; supports: the order of each supporter;
    into: the province that a support is given into, if it matches the order of the supported unit; helpers:
    the supporters whose orders match; convoys: the order of each convoying fleet; overseas: the armies that
    can't walk to their goals, or say VIA; carriers: the fleets of each army that goes by convoy, as a set of
    bits; carrying: the army of each fleet whose order matches.
    """

    mustered: IndexedPosition
    nation: Sequence[str | None]
    rulebook: Rulebook
    goal: dict[int, int]
    coasts: dict[int, str]
    aimed: dict[int, tuple[int, ...]]
    landing: dict[int, tuple[int, ...]]
    afloat: frozenset[int]
    builders: frozenset[int]
    supports: dict[int, EncodedOrder]
    into: dict[int, int]
    helpers: dict[int, tuple[int, ...]]
    convoys: dict[int, EncodedOrder]
    overseas: set[int]
    carriers: Mapping[int, int]
    carrying: Mapping[int, int]

    def copy(self) -> "PreparedSeason":
        """Return a copy, so that other orders can be entered without a change to this season."""
        return PreparedSeason(
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

    def is_head_on(self, place: int, other: int) -> bool:
        """Return whether two units move into each other's provinces and neither goes by convoy."""
        if self.goal.get(place) != other or self.goal.get(other) != place:
            return False
        return place not in self.carriers and other not in self.carriers

    def yields(self, beaten: int, winner: int) -> bool:
        """Return whether a unit no longer hinders moves to its goal, because it was dislodged from there.

        Source: DATC 4.A.7 (Rulebook.beaten_by_sea): a unit dislodged by a convoyed army still hinders them.
        """
        if self.goal.get(beaten) != winner or self.goal.get(winner) != beaten:
            return False
        return self.rulebook.beaten_by_sea == "spares" or self.is_head_on(beaten, winner)


def prepare(mustered: IndexedPosition, orders: Iterable[EncodedOrder]) -> PreparedSeason:
    """Return the season of legal orders, which come in board order, at most one for each unit.

    Units without an order hold. The mappings by the province of the order are in board order too.
    """
    nation, rulebook = mustered.nation, mustered.rulebook
    season = PreparedSeason(
        mustered, nation, rulebook, {}, {}, {}, {}, NO_PROVINCES, NO_PROVINCES, {}, {}, {}, {}, set(), {}, {}
    )
    enter(season, orders)
    match(season, season.supports)
    if season.convoys or season.overseas:
        # All orders have been entered.
        season.carriers, season.carrying = embark(mustered, season.goal, season.convoys, season.overseas)
    return season


def enter(season: PreparedSeason, orders: Iterable[EncodedOrder]) -> None:
    """Enter orders into a season, without their effect on other units."""
    goal, aimed, supports = season.goal, season.aimed, season.supports
    for order in orders:
        place, what, _, to, coast = order
        if what == SUPPORTS:
            supports[place] = order
        elif what <= SAILS:  # on foot, by fleet or by convoy
            goal[place] = to
            aimed[to] = (*aimed[to], place) if to in aimed else (place,)
            if coast:
                season.coasts[place] = coast
            elif what == SAILS:
                season.overseas.add(place)
        elif what == CONVOYS:
            season.convoys[place] = order
        elif what == PADDLES:
            goal[place] = to
            season.afloat |= {place}
            season.landing[to] = (*season.landing.get(to, ()), place)
        elif what == BUILDS:
            season.builders |= {place}


def match(season: PreparedSeason, supporters: Iterable[int]) -> None:
    """Match the supports of some units with the orders of the supported units.

    A support to move only counts for that move on foot or by convoy (Indianomacy, ruling C12). A support to
    hold only counts for a unit that doesn't try to move (C13). A support that names a coast only counts for
    that coast (DATC 4.B.4).
    """
    goal, afloat, into, helpers = season.goal, season.afloat, season.into, season.helpers
    supports = season.supports
    for place in supporters:
        _, _, other, target, coast = supports[place]
        if (
            goal.get(other, NOWHERE) == target
            and other not in afloat
            and (not coast or season.coasts.get(other) == coast)
        ):
            into[place] = other if target == NOWHERE else target
            helpers[other] = (*helpers[other], place) if other in helpers else (place,)


# Convoys.


def embark(
    mustered: IndexedPosition,
    goal: Mapping[int, int],
    convoys: Mapping[int, EncodedOrder],
    overseas: Iterable[int],
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the fleets of each army that goes by convoy, and the army of each fleet whose order matches.

    goal: the goal of each move; convoys: the order of each convoying fleet; overseas: the armies that can't
    walk to their goals, or say VIA.

    An army that can't walk to its goal goes by convoy. An army that can walk goes by convoy if it says VIA,
    or if a fleet of its own nation convoys it and the route is open (Rulebook.convoy_intent). If it says VIA
    but the fleets make no route, it stays or walks (Rulebook.missing_convoy). This is decided before the
    moves.

    Source: Diplomacy; DATC 4.A.3, reading of 2023.
    """
    carrying: dict[int, int] = {}
    bits: dict[int, int] = {}
    for fleet, (_, _, army, to, _) in convoys.items():
        if goal.get(army) == to:
            carrying[fleet] = army
            bits[army] = bits.get(army, 0) | 1 << fleet
    carriers: dict[int, int] = {}
    for army in overseas:
        ready = bits.pop(army, 0)
        if goes_by_convoy(mustered, army, goal[army], ready, at_sea=True):
            carriers[army] = ready
    carriers |= {
        army: ready
        for army, ready in bits.items()
        if goes_by_convoy(mustered, army, goal[army], ready, at_sea=False)
    }
    return carriers, carrying


def goes_by_convoy(mustered: IndexedPosition, army: int, goal: int, ready: int, *, at_sea: bool) -> bool:
    """Return whether an army goes by convoy, by the rules of `embark`.

    ready: the fleets that were ordered to convoy it, as a set of bits; at_sea: whether it is in `overseas`.
    """
    rulebook, nation = mustered.rulebook, mustered.nation
    if at_sea:
        walks = mustered.board.walks[army] >> goal & 1
        return not walks or rulebook.missing_convoy == "stays" or mustered.is_open(army, goal, ready)
    if rulebook.convoy_intent == "written" or not mustered.is_open(army, goal, ready):
        return False
    return rulebook.convoy_intent == "any-fleet" or any(
        nation[fleet] == nation[army] for fleet in places_of_bits(ready)
    )
