"""A season with other orders for some units, and what of it is not as it was."""

# Provinces are small integers in here: their place in board order (season.py).

from collections.abc import Sequence

from games.diplomacy.adjudication.convoys import goes_by_convoy
from games.diplomacy.adjudication.encoded_orders import NOWHERE, STAYS, EncodedOrder
from games.diplomacy.adjudication.season import PreparedSeason, enter, match
from games.record import MutableRecord

_NO_CONVOY: EncodedOrder = NOWHERE, STAYS, NOWHERE, NOWHERE, ""
"""Whom a fleet is to convoy that was not ordered to."""


class OrderedHelp:
    """The supports and convoys that were ordered in a season, by the unit that they are for.

    supporters: by province, who was to support its unit; fleets: by province, which were to convoy its
    army; at_sea: whose orders have to do with convoys, be it as fleet or as army.
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
    """A changed season, and what the change touches.

    season: with the other orders; places: whose they are; supporters: of these units, whose support begins
    to count or ceases to, though its own order is the same; armies: who begins or ceases to go by convoy,
    or is carried by others; fleets: which begin or cease to carry somebody.
    """

    season: PreparedSeason
    places: Sequence[int]
    supporters: list[int]
    armies: list[int]
    fleets: list[int]


def change_season(
    before: PreparedSeason, offers: OrderedHelp, changes: Sequence[EncodedOrder]
) -> SeasonChange:
    """Return a season with other orders for some units. offers: of the season before."""
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
    """Take away the order of a unit; the supports for what it did still stand there."""
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
    """Take a province out of one of some lists; there are no empty ones."""
    some = lists[where]
    if len(some) == 1:
        del lists[where]
    else:
        at = some.index(place)
        lists[where] = some[:at] + some[at + 1 :]


def _rematch_supports(alteration: SeasonChange, before: PreparedSeason, offers: OrderedHelp) -> None:
    """Match the supports that were ordered anew, and those for units that go elsewhere now."""
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
    """Find out anew which fleets carry the armies that the orders are about, as `embark` would."""
    season = alteration.season
    goal, convoys, overseas = season.goal, season.convoys, season.overseas
    carriers, carrying = season.carriers, season.carrying = dict(before.carriers), dict(before.carrying)
    armies, fleets = alteration.armies, alteration.fleets
    concerned: list[int] = []
    for place in alteration.places:
        if place in overseas or place in carriers:
            concerned.append(place)
        for fleet in (place, *offers.fleets.get(place, ())):
            _, _, army, to, _ = convoys.get(fleet, _NO_CONVOY)
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
        if (at_sea or ready) and goes_by_convoy(season.mustered, army, goal[army], ready, at_sea=at_sea):
            if carriers.get(army) != ready:
                carriers[army] = ready
                armies.append(army)
        elif army in carriers:
            del carriers[army]
            armies.append(army)
