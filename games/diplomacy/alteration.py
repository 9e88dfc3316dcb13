"""A season with other orders for some units, and what of it is not as it was.

It shares with the season before whatever these orders leave alone: nothing of it is written into but what it
has of its own (`_own_moves` and the like).
"""

# Provinces are small integers in here: their place in board order (season.py).

from collections.abc import Callable, Mapping, Sequence

from games.diplomacy.convoys import sails
from games.diplomacy.model import AnyOrder, BuildCanoe, Convoy, Move, Province, SupportHold, SupportMove
from games.diplomacy.season import NOWHERE, Carriage, Season, enter, match
from games.record import Draft

_NOBODY: Carriage = NOWHERE, NOWHERE
"""Whom a fleet is to convoy that was not ordered to."""


class Offers:
    """Who was ordered to help whom in a season.

    supporters: by province, who was to support its unit; fleets: by province, which were to convoy its army;
    at_sea: whose orders have to do with convoys, be it as fleet or as army.
    """

    __slots__ = ("at_sea", "fleets", "supporters")

    def __init__(self, season: Season) -> None:
        self.supporters: dict[int, tuple[int, ...]] = {}
        self.fleets: dict[int, tuple[int, ...]] = {}
        for place, (other, _, _) in season.supports.items():
            self.supporters[other] = (*self.supporters.get(other, ()), place)
        for fleet, (army, _) in season.convoys.items():
            self.fleets[army] = (*self.fleets.get(army, ()), fleet)
        self.at_sea = {*season.convoys, *season.overseas, *self.fleets}


class Alteration(Draft):
    """A season altered.

    season: with the other orders; places: whose they are; supporters: of these units, whose support begins to
    count or ceases to; armies: who begins or ceases to go by convoy, or is carried by others; fleets: which
    begin or cease to carry somebody.
    """

    season: Season
    places: Sequence[int]
    supporters: Sequence[int]
    armies: list[int]
    fleets: list[int]


def altered(before: Season, offers: Offers, changes: Mapping[Province, AnyOrder]) -> Alteration:
    """A season with other orders for some units, by their provinces. offers: of the season before."""
    index = before.mustered.board.index
    season, places = before.__copy__(), []
    for at, order in changes.items():
        place = index[at]
        places.append(place)
        _withdraw(season, before, place)
        if (own := _OWN.get(type(order))) is not None:
            own(season, before)
    enter(season, changes)
    alteration = Alteration(season, places, (), [], [])
    if season.supports is not before.supports or not offers.supporters.keys().isdisjoint(places):
        alteration.supporters = _matched(season, before, offers, places)
    if (
        season.convoys is not before.convoys
        or not season.overseas.isdisjoint(places)
        or not offers.at_sea.isdisjoint(places)
    ):
        _embark(alteration, before, offers)
    return alteration


def _own_moves(season: Season, before: Season) -> None:
    """Let the season have moves of its own."""
    if season.goal is before.goal:
        season.goal, season.aimed = before.goal.copy(), before.aimed.copy()
        season.coasts, season.overseas = before.coasts.copy(), before.overseas.copy()
        if before.mustered.board.walker == "W":
            season.landing, season.afloat = before.landing.copy(), before.afloat.copy()


def _own_supports(season: Season, before: Season) -> None:
    """Let the season have supports of its own."""
    if season.supports is before.supports:
        season.supports = before.supports.copy()
        season.into, season.helpers = before.into.copy(), before.helpers.copy()


def _own_convoys(season: Season, before: Season) -> None:
    if season.convoys is before.convoys:
        season.convoys = before.convoys.copy()


def _own_builders(season: Season, before: Season) -> None:
    if season.builders is before.builders:
        season.builders = before.builders.copy()


_OWN: Mapping[type[AnyOrder], Callable[[Season, Season], None]] = {
    Move: _own_moves,
    SupportMove: _own_supports,
    SupportHold: _own_supports,
    Convoy: _own_convoys,
    BuildCanoe: _own_builders,
}
"""What an order is written into."""


def _withdraw(season: Season, before: Season, place: int) -> None:
    """Take away the order of a unit; the supports for what it did still stand there."""
    if place in before.goal:
        _own_moves(season, before)
        to = season.goal.pop(place)
        if place in season.afloat:
            season.afloat.remove(place)
            _take(season.landing, to, place)
            return
        _take(season.aimed, to, place)
        season.overseas.discard(place)
        if season.coasts:
            season.coasts.pop(place, None)
    elif place in before.supports:
        _own_supports(season, before)
        other, _, _ = season.supports.pop(place)
        if season.into.pop(place, None) is not None:
            _take(season.helpers, other, place)
    elif place in before.convoys:
        _own_convoys(season, before)
        del season.convoys[place]
    elif place in before.builders:
        _own_builders(season, before)
        season.builders.remove(place)


def _take(lists: dict[int, tuple[int, ...]], where: int, place: int) -> None:
    """Take a province out of one of some lists; there are no empty ones."""
    some = lists[where]
    if len(some) == 1:
        del lists[where]
    else:
        at = some.index(place)
        lists[where] = some[:at] + some[at + 1 :]


def _matched(season: Season, before: Season, offers: Offers, places: Sequence[int]) -> Sequence[int]:
    """Match the supports that were ordered anew, and those for units that go elsewhere now.

    Returns which of the latter begin to count, or cease to.
    """
    loose: list[int] = []
    if season.goal is not before.goal:
        for place in places:
            if place in offers.supporters:
                _own_supports(season, before)
                season.helpers.pop(place, None)
                for helper in offers.supporters[place]:
                    if helper not in places:
                        season.into.pop(helper, None)
                        loose.append(helper)
    if season.supports is not before.supports:
        match(season, [*loose, *[place for place in places if place in season.supports]])
    if loose:
        loose = [helper for helper in loose if season.into.get(helper) != before.into.get(helper)]
    return loose


def _embark(alteration: Alteration, before: Season, offers: Offers) -> None:
    """Find out anew which fleets carry the armies that the orders are about, as `embark` would."""
    season = alteration.season
    goal, convoys, overseas = season.goal, season.convoys, season.overseas
    carrying, carriers = dict(before.carrying), dict(before.carriers)
    armies, fleets = alteration.armies, alteration.fleets
    concerned: list[int] = []
    for place in alteration.places:
        if place in overseas or place in carriers:
            concerned.append(place)
        for fleet in (place, *offers.fleets.get(place, ())):
            army, to = convoys.get(fleet, _NOBODY)
            now, was = army if goal.get(army) == to else NOWHERE, carrying.get(fleet, NOWHERE)
            if now != was:
                fleets.append(fleet)
                if was != NOWHERE:
                    del carrying[fleet]
                    concerned.append(was)
                if now != NOWHERE:
                    carrying[fleet] = now
                    concerned.append(now)
    for army in concerned:
        ready = 0
        for fleet, carried in carrying.items():
            if carried == army:
                ready |= 1 << fleet
        at_sea = army in overseas
        if (at_sea or ready) and sails(season.mustered, army, goal[army], ready, at_sea=at_sea):
            if carriers.get(army) != ready:
                carriers[army] = ready
                armies.append(army)
        elif army in carriers:
            del carriers[army]
            armies.append(army)
    if concerned:
        season.carriers, season.carrying = carriers, carrying
