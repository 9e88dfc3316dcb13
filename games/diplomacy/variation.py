"""A season that is decided, with other orders for some units: bots try thousands of those.

Theory of operation. It is the same resolver (resolver.py), most of whose answers are known beforehand. A
changed order changes facts: who goes for a place, who helps whom, which fleets carry whom. The questions that
look at one of these are open again, and so is each that hangs on an open one; all other answers stand. For an
order changed in a dense season of 34 units that is three or four questions, mostly.

`_touched` and `_hanging_on` say who asks what, and mirror Knowledge.decide: whatever a decision comes to look
at has to be told there too. They may name too many, and never too few.
"""

# Provinces are small integers in here: their place in board order (season.py).

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence

from games.diplomacy.canoes import all_spoilt
from games.diplomacy.convoys import sails
from games.diplomacy.model import AnyOrder, Province
from games.diplomacy.muster import Muster
from games.diplomacy.resolver import Knowledge, Settled, decided, is_contested, learnt, outcome
from games.diplomacy.season import NOWHERE, Season, enter, match, prepare

Comers = Sequence[tuple[int, ...]]
"""By province, who goes for it, on foot or in a canoe-fleet."""


class Theme:
    """A decided season of which variations are asked.

    settled: what came of it; is_knotted: convoys of it were given up for a
    paradox, so that answers follow from more than what they hang on, and variations are decided afresh.
    """

    __slots__ = ("_at_sea", "_offers", "_orders", "_paddles", "is_knotted", "settled")

    def __init__(self, mustered: Muster, orders: Mapping[Province, AnyOrder]) -> None:
        knowledge = learnt(prepare(mustered, orders))
        season = knowledge.season
        self._orders = orders
        self._paddles = mustered.board.walker == "W"
        self.settled = outcome(knowledge)
        self.is_knotted = bool(knowledge.stranded or knowledge.held)
        self._at_sea = {*season.overseas, *season.convoys, *(army for army, _ in season.convoys.values())}
        self._offers: dict[int, tuple[int, ...]] = {}
        for place, (other, _, _) in season.supports.items():
            self._offers[other] = (*self._offers.get(other, ()), place)

    def varied(self, changes: Mapping[Province, AnyOrder]) -> Settled:
        """The season with other orders for some units, by their provinces: what `decided` makes of it."""
        before = self.settled.season
        if self.is_knotted:
            return decided(before.mustered, {**self._orders, **changes})
        index = before.mustered.board.index
        places = [index[at] for at in changes]
        season = self._altered(places, changes)
        comers = _comers(season) if self._paddles else season.aimed
        known = self.settled.succeeds.copy()
        knowledge = Knowledge(season, known)
        again = list(self._touched(season, places, comers))
        for place in again:
            known[place] = None
        for place in again:
            for other in _hanging_on(season, place, comers):
                if known[other] is not None:
                    known[other] = None
                    again.append(other)
        goal, into, carrying = season.goal, season.into, season.carrying
        for place in again:
            if goal[place] != NOWHERE or into[place] != NOWHERE or place in carrying:
                knowledge.ask(place)
        if knowledge.open:
            knowledge.close()
        return self._outcome(knowledge, places, again, comers)

    def _altered(self, places: Sequence[int], changes: Mapping[Province, AnyOrder]) -> Season:
        """The season with other orders."""
        before = self.settled.season
        season = _copied(before, self._paddles)
        loose = places
        for place in places:
            _withdraw(season, place)
            if place in self._offers:
                season.helpers[place] = ()
                loose = [*loose, *self._offers[place]]
                for helper in self._offers[place]:
                    season.into[helper] = NOWHERE
        enter(season, changes)
        if supporting := season.supports.keys() & loose:
            match(season, supporting)
        entered, season.movers = season.movers, before.movers
        left = [place for place in places if before.goal[place] != NOWHERE]
        if left != entered:
            season.movers = before.movers.copy()
            for place in left:
                season.movers.remove(place)
            for place in entered:
                insort(season.movers, place)
        if season.convoys or season.overseas or not self._at_sea.isdisjoint(places):
            stay = before.convoys.copy()
            for place in places:
                stay.pop(place, None)
            stay |= season.convoys
            season.convoys = stay
            for army in before.overseas:
                if army not in places:
                    season.overseas.append(army)
            _resail(season, before, places)
        else:
            season.convoys, season.overseas = before.convoys, before.overseas
        return season

    def _touched(self, season: Season, places: Sequence[int], comers: Comers) -> set[int]:
        """The provinces whose questions look at what other orders for the units in some provinces change."""
        before = self.settled.season
        found = set(places)
        for place in places:
            was, to = before.goal[place], season.goal[place]
            for one, aim in ((before, was), (season, to)):
                if aim != NOWHERE:
                    # Its rivals, and the support or the convoy that it attacks.
                    found.update(comers[aim])
                    if season.goal[aim] == NOWHERE:
                        found.add(aim)
                elif one.into[place] != NOWHERE:
                    found.update(_weighing(season, one.supports[place][0], comers))
            if was != to:
                found.update(comers[place])
            for helper in self._offers.get(place, ()):
                if before.into[helper] != season.into[helper]:
                    found.add(helper)
                    found.update(comers[place])
        if season.carriers is not before.carriers:
            for army, _ in before.carriers.items() ^ season.carriers.items():
                found.update(comers[army])
                found.update(_at_landfall(season, army, comers))
            found.update(before.carrying.keys() ^ season.carrying.keys())
        return found

    def _outcome(
        self, knowledge: Knowledge, places: Sequence[int], again: Sequence[int], comers: Comers
    ) -> Settled:
        """What comes of the season: as before, but near those who do something else or fare otherwise."""
        before, season, known = self.settled, knowledge.season, knowledge.known
        goal, was_goal, moved = season.goal, before.season.goal, before.moved.copy()
        nation, aimed = season.nation, season.aimed
        near = set(places)
        for place in places:
            near.add(was_goal[place])
            near.add(goal[place])
        stranded = before.stranded
        carriers, carrying = season.carriers.keys(), season.carrying.keys()
        if carriers or stranded:
            resailed = season.carriers is not before.season.carriers
            if resailed:
                for army in carriers ^ before.season.carriers.keys():
                    near |= {army, goal[army]}
            if resailed or not (carriers.isdisjoint(again) and carrying.isdisjoint(again)):
                # An army whose fleets may fare otherwise is asked again itself.
                stranded = (stranded & carriers).difference(again) | knowledge.left_ashore(again)
                for army in stranded ^ before.stranded:
                    near |= {army, goal[army]}
        for place in again:
            was = moved.pop(place, NOWHERE)
            to = goal[place] if known[place] else NOWHERE
            if to != NOWHERE:
                moved[place] = to
            if to != was:
                near |= {place, was, to}
        near.discard(NOWHERE)
        beaten, contested = before.beaten, before.contested
        losses: list[tuple[int, int]] = []
        empty: list[int] = []
        for province in near:
            for one in comers[province]:
                if known[one]:
                    if nation[province] is not None and province not in moved:
                        losses.append((province, one))
                    break
            else:
                if (
                    aimed[province]
                    and (nation[province] is None or province in moved)
                    and is_contested(season, province, moved, stranded)
                ):
                    empty.append(province)
        if losses or not near.isdisjoint(beaten):
            losses += [one for one in beaten.items() if one[0] not in near]
            beaten = dict(sorted(losses) if len(losses) > 1 else losses)
        if empty or not near.isdisjoint(contested):
            contested = tuple(sorted([*empty, *[place for place in contested if place not in near]]))
        spoilt = all_spoilt(season) if season.builders else {}
        return Settled(season, known, moved, beaten, contested, spoilt, stranded, knowledge.held)


def _hanging_on(season: Season, place: int, comers: Comers) -> Sequence[int]:
    """The provinces whose questions may ask that of a province."""
    to = season.goal[place]
    if to != NOWHERE:
        # Who wants to follow; a support into here, or a convoy, that it attacks; who is kept out (ruling C9).
        if season.into[to] == place or to in season.carrying:
            return (*comers[place], to, *season.landing[to])
        return comers[place] + season.landing[to] if season.landing[to] else comers[place]
    if season.into[place] != NOWHERE:
        return _weighing(season, season.supports[place][0], comers)
    if place in season.carrying:
        return _at_landfall(season, season.carrying[place], comers)
    return ()


def _weighing(season: Season, place: int, comers: Comers) -> Sequence[int]:
    """Who asks how strong a unit is: who attacks it where it stays; else it, its rivals, who meets it."""
    to = season.goal[place]
    if to == NOWHERE:
        return comers[place]
    return (*comers[to], to) if season.goal[to] == place else comers[to]


def _at_landfall(season: Season, army: int, comers: Comers) -> Sequence[int]:
    """Who asks whether an army gets over the water: itself, its rivals, and whose support it may cut."""
    to = season.goal[army]
    if to == NOWHERE:
        return (army,)
    return (*comers[to], to) if season.into[to] != NOWHERE else comers[to]


def _comers(season: Season) -> Comers:
    if all(season.afoot):
        return season.aimed
    both = zip(season.aimed, season.landing, strict=True)
    return [afoot + afloat if afloat else afoot for afoot, afloat in both]


def _copied(season: Season, paddles: bool) -> Season:
    """A copy whose movers, and who is at sea, are to be told anew. paddles: there are canoe-fleets."""
    return Season(
        season.mustered,
        season.goal.copy(),
        season.coasts.copy(),
        [],
        season.aimed.copy(),
        season.landing.copy() if paddles else season.landing,
        season.afoot.copy() if paddles else season.afoot,
        season.builders.copy() if paddles else season.builders,
        season.supports.copy(),
        season.into.copy(),
        season.helpers.copy(),
        {},
        [],
        season.carriers,
        season.carrying,
        season.nation,
        season.waters,
        season.rulebook,
    )


def _resail(season: Season, before: Season, places: Iterable[int]) -> None:
    """Find out anew which fleets carry the armies that changed orders are about, as `embark` would."""
    goal, convoys = season.goal, season.convoys
    armies = set()
    for place in places:
        if goal[place] != NOWHERE or before.goal[place] != NOWHERE:
            armies.add(place)
        for asked in (before.convoys.get(place), convoys.get(place)):
            if asked is not None:
                armies.add(asked[0])
    carriers = dict(before.carriers)
    carrying = {fleet: army for fleet, army in before.carrying.items() if army not in armies}
    for army in armies:
        to, ready = goal[army], 0
        if to != NOWHERE:
            for fleet, asked in convoys.items():
                if asked == (army, to):
                    ready |= 1 << fleet
                    carrying[fleet] = army
        at_sea = army in season.overseas
        if (at_sea or ready) and sails(season.mustered, army, to, ready, at_sea=at_sea):
            carriers[army] = ready
        else:
            carriers.pop(army, None)
    if carriers != before.carriers or carrying != before.carrying:
        season.carriers, season.carrying = carriers, carrying


def _withdraw(season: Season, place: int) -> None:
    """Take away the order of a unit; the supports for what it did still stand there."""
    to = season.goal[place]
    if to != NOWHERE:
        aims = season.aimed if season.afoot[place] else season.landing
        aims[to] = _less(aims[to], place)
        season.goal[place] = NOWHERE
        if aims is season.landing:
            season.afoot[place] = True
        if season.coasts:
            season.coasts.pop(place, None)
    elif place in season.supports:
        other, _, _ = season.supports.pop(place)
        if season.into[place] != NOWHERE:
            season.into[place] = NOWHERE
            season.helpers[other] = _less(season.helpers[other], place)
    elif place in season.builders:
        season.builders.remove(place)


def _less(places: Iterable[int], place: int) -> tuple[int, ...]:
    return tuple([one for one in places if one != place])
