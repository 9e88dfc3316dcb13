"""Variations of a decided season with other orders for some units. Bots try thousands of them.

The resolver (resolver.py) decides a variation too, but most answers are known beforehand. A changed order
changes some facts: which units move to a place, which units support each other, and which fleets convoy an
army. The questions that use such a fact are open again, and so are the questions that depend on open ones.
All other answers remain. If one order changes in a dense season of 34 units, two or three questions are
usually open.

`_open_questions` and `_open_hanging` mirror the dependencies in `PartialResolution.decide`. If a decision
starts to use another fact, change them as well. They may open too many questions, but never too few.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from games.diplomacy.adjudication.canoes import interrupted_builds
from games.diplomacy.adjudication.resolver import (
    DecidedSeason,
    PartialResolution,
    decide_encoded,
    is_contested,
    resolve,
    season_outcome,
)
from games.diplomacy.adjudication.season import (
    NOWHERE,
    STAYS,
    EncodedOrder,
    IndexedPosition,
    PreparedSeason,
    encode_order,
    encode_orders,
    enter,
    goes_by_convoy,
    index_position,
    match,
    merge_orders,
    prepare,
)
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import State, UnitOrder
from games.record import MutableRecord

# Provinces are small integers in this module: their index in board order (season.py).

_NO_CONVOY: EncodedOrder = NOWHERE, STAYS, NOWHERE, NOWHERE, ""
"""The convoy order of a fleet without one."""


class OrderedHelp:
    """The supports and convoys ordered in a season, by the unit that they are for.

    supporters: the supporters of each unit, by province; fleets: the fleets ordered to convoy each army;
    at_sea: the fleets and armies whose orders concern convoys.
    """

    __slots__ = ("at_sea", "fleets", "supporters")

    def __init__(self, season: PreparedSeason) -> None:
        self.supporters: dict[int, tuple[int, ...]] = {}
        self.fleets: dict[int, tuple[int, ...]] = {}
        for place, (_, _, other, _, _) in season.supports.items():
            self.supporters[other] = (*self.supporters.get(other, ()), place)
        for fleet, (_, _, army, _, _) in season.convoys.items():
            self.fleets[army] = (*self.fleets.get(army, ()), fleet)
        self.at_sea = {*season.convoys, *season.overseas, *self.fleets}


class SeasonChange(MutableRecord, gc=False):
    """A changed season, and what the change affects.

    season: the season with the changed orders; places: the provinces of the changed orders; supporters:
    supporters with the same order whose support starts or stops to match; armies: armies that start or stop
    to go by convoy, or have other fleets; fleets: fleets that start or stop to convoy.
    """

    season: PreparedSeason
    places: Sequence[int]
    supporters: list[int]
    armies: list[int]
    fleets: list[int]


def change_season(
    before: PreparedSeason, offers: OrderedHelp, changes: Sequence[EncodedOrder]
) -> SeasonChange:
    """Return a season with other orders for some units. offers: the help ordered in the season before."""
    season = before.copy()
    places = []
    for change in changes:
        places.append(change[0])
        _withdraw(season, change[0])
    enter(season, changes)
    alteration = SeasonChange(season, places, [], [], [])
    _rematch_supports(alteration, before, offers)
    for place in places:
        if place in offers.at_sea or place in season.convoys or place in season.overseas:
            _rematch_convoys(alteration, before, offers)
            break
    return alteration


def _withdraw(season: PreparedSeason, place: int) -> None:
    """Remove the order of a unit, but not the supports that matched it."""
    if place in season.goal:
        to = season.goal.pop(place)
        if place in season.afloat:
            season.afloat -= {place}
            _remove_from(season.landing, to, place)
            return
        _remove_from(season.aimed, to, place)
        season.overseas.discard(place)
        season.coasts.pop(place, None)
    elif place in season.supports:
        other = season.supports.pop(place)[2]
        if place in season.into:
            del season.into[place]
            _remove_from(season.helpers, other, place)
    elif place in season.convoys:
        del season.convoys[place]
    elif place in season.builders:
        season.builders -= {place}


def _remove_from(lists: dict[int, tuple[int, ...]], where: int, place: int) -> None:
    """Remove a province from the list of `where`. An empty list is removed too."""
    some = lists[where]
    if len(some) == 1:
        del lists[where]
    else:
        at = some.index(place)
        lists[where] = some[:at] + some[at + 1 :]


def _rematch_supports(alteration: SeasonChange, before: PreparedSeason, offers: OrderedHelp) -> None:
    """Match the changed supports, and the supports for units whose moves changed."""
    season, places = alteration.season, alteration.places
    for place in places:
        if place in offers.supporters and (place in season.goal or place in before.goal):
            season.helpers.pop(place, None)
            loose = [helper for helper in offers.supporters[place] if helper not in places]
            for helper in loose:
                season.into.pop(helper, None)
            match(season, loose)
            for helper in loose:
                if season.into.get(helper) != before.into.get(helper):
                    alteration.supporters.append(helper)
    for place in places:
        if place in season.supports:
            match(season, (place,))


def _rematch_convoys(alteration: SeasonChange, before: PreparedSeason, offers: OrderedHelp) -> None:
    """Set the fleets of the armies that the changed orders concern, as `embark` would."""
    season = alteration.season
    goal, overseas = season.goal, season.overseas
    carriers, carrying = season.carriers, season.carrying = dict(before.carriers), dict(before.carrying)
    armies = alteration.armies
    for army in _rematch_fleets(alteration, offers, carrying):
        ready = 0
        for fleet, carried in carrying.items():
            if carried == army:
                ready |= 1 << fleet
        at_sea = army in overseas
        if (at_sea or ready) and goes_by_convoy(season.mustered, army, goal[army], ready, at_sea=at_sea):
            if carriers.get(army) != ready:
                carriers[army] = ready
                armies.append(army)
        elif army in carriers:
            del carriers[army]
            armies.append(army)


def _rematch_fleets(alteration: SeasonChange, offers: OrderedHelp, carrying: dict[int, int]) -> list[int]:
    """Set the army of each fleet concerned. Returns the armies whose fleets may have changed."""
    season = alteration.season
    goal, convoys, overseas = season.goal, season.convoys, season.overseas
    concerned: list[int] = []
    for place in alteration.places:
        if place in overseas or place in season.carriers:
            concerned.append(place)
        for fleet in (place, *offers.fleets.get(place, ())):
            _, _, army, to, _ = convoys.get(fleet, _NO_CONVOY)
            now, was = army if goal.get(army) == to else NOWHERE, carrying.get(fleet, NOWHERE)
            if now != was:
                alteration.fleets.append(fleet)
                if was != NOWHERE:
                    del carrying[fleet]
                    concerned.append(was)
                if now != NOWHERE:
                    carrying[fleet] = now
                    concerned.append(now)
    return concerned


Comers = Mapping[int, tuple[int, ...]]
"""The origins of all moves into each province, including those by canoe-fleet."""


class BaseSeason:
    """A decided season that can be varied. orders: in board order.

    settled: its outcome; is_knotted: some convoys failed because of a paradox. Then answers depend on more
    than the known dependencies, and each variation is decided from scratch.
    """

    __slots__ = ("_offers", "_orders", "is_knotted", "settled")

    def __init__(self, mustered: IndexedPosition, orders: Sequence[EncodedOrder]) -> None:
        knowledge = resolve(prepare(mustered, orders))
        season = knowledge.season
        self._orders = orders
        self._offers = OrderedHelp(season)
        self.settled = season_outcome(knowledge)
        self.is_knotted = bool(knowledge.stranded or knowledge.held)

    def decide_variation(self, changes: Sequence[EncodedOrder]) -> DecidedSeason:
        """Return the season with other orders for some units, as `decide_encoded` decides it."""
        before = self.settled.season
        if self.is_knotted:
            return decide_encoded(before.mustered, merge_orders(self._orders, changes))
        alteration = change_season(before, self._offers, changes)
        season = alteration.season
        comers = _comers(season) if season.afloat else season.aimed
        known = self.settled.succeeds.copy()
        again = _open_questions(alteration, before, known, comers)
        _open_hanging(season, known, again, comers)
        knowledge = PartialResolution(season, known, bytearray(len(known)))
        for place in again:
            if known[place] is None:
                knowledge.ask(place)
        if knowledge.open:
            knowledge.close()
        return self._outcome(knowledge, alteration, again, comers)

    def _outcome(
        self, knowledge: PartialResolution, alteration: SeasonChange, again: Sequence[int], comers: Comers
    ) -> DecidedSeason:
        """Return the outcome of the variation: the former one, with changes near the changed units."""
        before, season, known = self.settled, knowledge.season, knowledge.known
        goal, was_goal, carriers = season.goal, before.season.goal, season.carriers
        moved, stranded = before.moved.copy(), before.stranded
        near: set[int] = set()
        for place in alteration.places:
            near.add(place)
            if place in goal:
                near.add(goal[place])
            if place in was_goal:
                near.add(was_goal[place])
                moved.pop(place, None)
        for army in alteration.armies:
            near |= {army, goal.get(army, army)}
            if army not in carriers:
                stranded -= {army}
        for place in again:
            if known[place]:
                if place not in moved and place in goal:
                    moved[place] = to = goal[place]
                    near |= {place, to}
            elif place in moved:
                near |= {place, moved.pop(place)}
            # If its fleets' outcome may change, the army's own question is open too.
            if place in carriers:
                ashore = not known[place] and not knowledge.crosses(place)
                if ashore != (place in stranded):
                    stranded ^= {place}
                    near |= {place, goal[place]}
        losses, empty = _losses_and_stand_offs(knowledge, near, moved, stranded, comers)
        beaten, contested = self._replace_near(near, losses, empty)
        spoilt = interrupted_builds(season) if season.builders else {}
        return DecidedSeason(season, known, moved, beaten, contested, spoilt, stranded, knowledge.held)

    def _replace_near(
        self, near: set[int], losses: list[tuple[int, int]], empty: list[int]
    ) -> tuple[dict[int, int], tuple[int, ...]]:
        """Return the dislodged units and the contested provinces, with the provinces of `near` updated."""
        beaten, contested = self.settled.beaten, self.settled.contested
        if losses or (beaten and not near.isdisjoint(beaten)):
            losses = losses + [loss for loss in beaten.items() if loss[0] not in near]
            beaten = dict(sorted(losses) if len(losses) > 1 else losses)
        if empty or (contested and not near.isdisjoint(contested)):
            contested = tuple(sorted([*empty, *[place for place in contested if place not in near]]))
        return beaten, contested


def _losses_and_stand_offs(
    knowledge: PartialResolution,
    provinces: Iterable[int],
    moved: Mapping[int, int],
    stranded: frozenset[int],
    comers: Comers,
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the dislodged units of some provinces with their attackers, and the contested provinces."""
    season, known = knowledge.season, knowledge.known
    nation, aimed = season.nation, season.aimed
    losses, empty = [], []
    for province in provinces:
        if province in comers:
            for comer in comers[province]:
                if known[comer]:
                    if nation[province] is not None and province not in moved:
                        losses.append((province, comer))
                    break
            else:
                if province in aimed and is_contested(season, province, moved, stranded):
                    empty.append(province)
    return losses, empty


def _open_questions(
    alteration: SeasonChange, before: PreparedSeason, known: list[bool | None], comers: Comers
) -> list[int]:
    """Open the questions that use a changed fact, and return them. Dependent questions come later."""
    season, again = alteration.season, list[int]()
    goal, into, carrying = season.goal, season.into, season.carrying
    for places in (alteration.places, alteration.supporters, alteration.fleets):
        for place in places:
            known[place] = None
            if place in goal or place in into or place in carrying:
                again.append(place)
    _open_around_changes(alteration, before, known, again, comers)
    for helper in alteration.supporters:
        _open(known, again, comers.get(season.supports[helper][2], ()))
    for army in alteration.armies:
        _open(known, again, _askers_of_landfall(season, army, comers))
    return again


def _open_around_changes(
    alteration: SeasonChange,
    before: PreparedSeason,
    known: list[bool | None],
    again: list[int],
    comers: Comers,
) -> None:
    """Open the questions around the former and the present goals of the changed units."""
    season, goal, was_goal = alteration.season, alteration.season.goal, before.goal
    for place in alteration.places:
        was, to = was_goal.get(place), goal.get(place)
        if was is not None:
            # The rivals, and the support or the convoy that the unit attacks.
            if was in comers:
                _open(known, again, comers[was])
            if was not in goal and known[was] is not None:
                known[was] = None
                again.append(was)
        elif place in before.into:
            _open(known, again, _askers_of_strength(season, before.supports[place][2], comers))
        if was != to:
            if place in comers:
                _open(known, again, comers[place])
            if to is not None:
                _open(known, again, comers[to])
                if to not in goal and known[to] is not None:
                    known[to] = None
                    again.append(to)


def _open_hanging(season: PreparedSeason, known: list[bool | None], again: list[int], comers: Comers) -> None:
    """Open the questions that may depend on an open one, directly or indirectly."""
    goal, into, carrying, landing = season.goal, season.into, season.carrying, season.landing
    for place in again:
        to = goal.get(place)
        if to is not None:
            if place in comers:
                # Units that follow into its province.
                _open(known, again, comers[place])
            if into.get(to) == place or to in carrying:
                # A support into this province, or a convoy, that the unit attacks.
                _open(known, again, (to,))
            if to in landing:
                # Canoe-fleets that it keeps out (ruling C9).
                _open(known, again, landing[to])
        elif place in into:
            _open(known, again, _askers_of_strength(season, season.supports[place][2], comers))
        else:
            _open(known, again, _askers_of_landfall(season, carrying[place], comers))


def _open(known: list[bool | None], again: list[int], places: Iterable[int]) -> None:
    """Open the questions of some provinces that have one and aren't open yet."""
    for place in places:
        if known[place] is not None:
            known[place] = None
            again.append(place)


def _askers_of_strength(season: PreparedSeason, place: int, comers: Comers) -> Sequence[int]:
    """Return the units whose questions use a unit's strength: its attackers, or itself and its rivals."""
    to = season.goal.get(place)
    if to is None:
        return comers.get(place, ())
    return (*comers[to], to) if season.goal.get(to) == place else comers[to]


def _askers_of_landfall(season: PreparedSeason, army: int, comers: Comers) -> Sequence[int]:
    """Return the units whose questions use an army's crossing: itself, its rivals, a support it may cut."""
    to = season.goal.get(army)
    if to is None:
        return (army,)
    return (*comers[to], to) if to in season.into else comers[to]


def _comers(season: PreparedSeason) -> Comers:
    if not season.afloat:
        return season.aimed
    aimed, landing = season.aimed, season.landing
    return {to: aimed.get(to, ()) + landing.get(to, ()) for to in {*aimed, *landing}}


# Benchmarks: a season decided alone, and with another order for a unit.


class WhatIfSeason:
    """Legal orders for the units of a position: implements `protocol.optional.BenchmarkPhase`."""

    def __init__(self, variant: Variant, state: State, orders: Iterable[UnitOrder]) -> None:
        self._board = variant.board
        self._muster = index_position(variant.board, variant.rulebook, state.units)
        self._orders = encode_orders(variant.board, {order.unit.at: order for order in orders})

    def decide(self) -> DecidedSeason:
        """Decide the season from the encoded orders."""
        return decide_encoded(self._muster, self._orders)

    def prepare(self, order: UnitOrder) -> Sequence[EncodedOrder]:
        """Return the order in numbers."""
        return [encode_order(self._board, order)]

    def vary(self, ready: Sequence[EncodedOrder]) -> DecidedSeason:
        """Decide the season with another order for one unit, as a variation."""
        return self._base.decide_variation(ready)

    @cached_property
    def _base(self) -> BaseSeason:
        return BaseSeason(self._muster, self._orders)
