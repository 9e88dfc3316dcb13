"""The orders of a movement season, prepared for the resolver's questions."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.encoded_orders import (
    BUILDS,
    CONVOYS,
    NOWHERE,
    PADDLES,
    SAILS,
    SUPPORTS,
    EncodedOrder,
    IndexedPosition,
)
from games.diplomacy.boards.variants import Rulebook
from games.record import MutableRecord

# Provinces are small integers in this module and in those that call it: their place in board order.


NO_PROVINCES: frozenset[int] = frozenset()

Ask = Callable[[int], bool | None]
"""Whether the order of the unit in a province succeeds; None: not known yet."""


class PreparedSeason(MutableRecord, gc=False):
    """The orders of one season. What is by province leaves out those of which there is nothing to say.

    mustered: who stands where; goal: where a unit moves; coasts: which coast of it a fleet named;
    aimed: who walks into a province; landing: who goes into it in a canoe-fleet; afloat: who goes in one;
    builders: who builds one; supports: what was ordered, by supporter; into: the province that a support is
    given into, if it met the order really given; helpers: who supports the unit in a province in what it
    does; convoys: what was ordered, by fleet; overseas: armies that cannot walk, or say VIA; carriers: for
    each army that goes by convoy the fleets that carry it, as a set of bits; carrying: the army whose convoy
    each fleet was ordered to be, and is.
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
        """Return a season that other orders may be entered into; this one stays as it is."""
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
        """Return whether two units go for each other's provinces by land, and meet; a convoy passes by."""
        if self.goal.get(place) != other or self.goal.get(other) != place:
            return False
        return place not in self.carriers and other not in self.carriers

    def yields(self, beaten: int, winner: int) -> bool:
        """Return whether a unit keeps nobody out of its goal, since it was beaten from there.

        Source: DATC 4.A.7 (Rulebook.beaten_by_sea): one that was beaten by an army from overseas does.
        """
        if self.goal.get(beaten) != winner or self.goal.get(winner) != beaten:
            return False
        return self.rulebook.beaten_by_sea == "spares" or self.is_head_on(beaten, winner)


def prepare(mustered: IndexedPosition, orders: Iterable[EncodedOrder]) -> PreparedSeason:
    """The season of lawful orders in board order, one at most for each unit; units without one hold.

    What is by province lies in board order, too, as far as it is by whose order it is.
    """
    nation, rulebook = mustered.nation, mustered.rulebook
    season = PreparedSeason(
        mustered, nation, rulebook, {}, {}, {}, {}, NO_PROVINCES, NO_PROVINCES, {}, {}, {}, {}, set(), {}, {}
    )
    enter(season, orders)
    match(season, season.supports)
    if season.convoys or season.overseas:
        put_to_sea(season)
    return season


def put_to_sea(season: PreparedSeason) -> None:
    """Find out which fleets carry which armies, once all orders are entered."""
    season.carriers, season.carrying = embark(season.mustered, season.goal, season.convoys, season.overseas)


def enter(season: PreparedSeason, orders: Iterable[EncodedOrder]) -> None:
    """Enter orders into a season in the making: what each unit is to do by itself."""
    goal, aimed, supports = season.goal, season.aimed, season.supports
    for order in orders:
        place, what, _, to, coast = order
        if what == SUPPORTS:
            supports[place] = order
        elif what <= SAILS:  # on foot, as a fleet, or by convoy
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
    """Match the supports of some units with the orders that were really given.

    A support to move counts for that move on foot or by convoy only (Indianomacy, ruling C12), a support to
    hold for a unit that does not try to move (C13); one that names a coast counts for that coast only (DATC
    4.B.4).
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


# Convoys: which fleets carry which army, and which armies go by sea.


def embark(
    mustered: IndexedPosition,
    goal: Mapping[int, int],
    convoys: Mapping[int, EncodedOrder],
    overseas: Iterable[int],
) -> tuple[dict[int, int], dict[int, int]]:
    """Decide which armies go by convoy: by army the fleets that carry it, as a set of bits, and by fleet the
    army that it carries, whether or not this one needs a convoy.

    goal: by province, where its unit goes; convoys: by fleet, whom it is to carry where; overseas: the armies
    that cannot walk to their goals, or say VIA.

    An army that cannot walk to its goal does; one that can does so if it says VIA, or if a fleet of its own
    nation convoys it and the way is open (Rulebook.convoy_intent). One that says VIA though no fleets were
    ordered to convoy it all the way stays, or walks (Rulebook.missing_convoy). Nobody walks later.

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

    ready: the fleets that were ordered to carry it, as a set of bits; at_sea: whether it is of `overseas`.
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
