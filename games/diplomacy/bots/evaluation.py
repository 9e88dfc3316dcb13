"""The worth of a position to a nation after a season, in supply centres.

An own centre, or one with an own unit on it, counts nearly one, and less if stronger enemies can reach it. A
centre that it can attack with more units than can defend it counts for a chance. Each unit counts a little
more the nearer it is to centres to win. Nothing else counts.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp2
from operator import itemgetter

from games.diplomacy.adjudication.victory import centres_to_win
from games.diplomacy.bots.alliances import about_to_win
from games.diplomacy.bots.common import UNREACHABLE_STEPS, Situation, pull
from games.diplomacy.model import NEUTRAL, Kind, Province, Unit

CENTRE_WORTH = 1.0
_OCCUPIED_CENTRE_WORTH = 0.8
"""The worth of an enemy's centre with an own unit on it in Spring. The nation gets it in Fall if the unit
stays."""
_INVADED = 0.25
"""The worth of an own centre with an enemy on it in Spring."""
_EXPOSED = 0.25
"""The loss for a centre that enemies can take with their next orders, whatever the nation orders."""
_BOUND = 0.03
"""The loss for a centre that has to be covered."""
_CHANCE = 0.3
"""The worth of a centre that can be taken with the next orders, unless its owner gets help."""
_STALEMATE = 0.07
"""The worth of a centre that as many units can attack as can defend it."""
_NEARNESS = 0.35
"""The worth of a unit next to all centres to win."""
_MANY_PRIZES = 2.0
"""If this many centres are near, they count half of the most that many can count."""
_CONCERN_STEPS = 2
_DRIVEN_OFF = 0.35
"""The loss for an own unit that is dislodged and has to retreat."""
_ENEMY_DRIVEN_OFF = 0.15
_WIN = 5.0
"""The worth of a victory, and the loss if another nation has won."""
_LEADER_CENTRE_WORTH = 0.4
"""The worth of each centre that another nation which is about to win gains or loses."""
_BALANCE = 2.0
"""The loss if others grow: the squares of their centres, by the number of centres that it takes to win.

It counts more the more dangerous a nation's seat is. So the bot attacks a nation that has much rather than
one that has little.
"""
_WORTH_PER_STEP = 0.75
"""The share of its worth that a centre keeps for each step farther, and a centre of a harmless nation."""
_AFTER_FALL_SHARE = 0.6
"""After Fall there is a whole Spring to save centres in danger, for both sides."""

_WATCHFUL: Mapping[int, float] = {1: 1.4, 2: 1.0}
"""The weight of danger in a temperament, by how many adjacent enemies keep a unit at home."""
_CARELESS = 0.6


@dataclass(frozen=True)
class Standpoint:
    """The units after a season: the nation and kind by province (its index in board order).

    lost, driven: how many own and how many enemy units were dislodged.
    """

    occupants: Mapping[int, tuple[str, Kind]]
    lost: int = 0
    driven: int = 0


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """A centre, and the provinces that its worth depends on.

    seen: returns the units there from a list by province; known: the worth for each result that has come up.
    """

    at: int
    owner: str | None
    seen: Callable[[Sequence[object]], object]
    known: dict[object, float] = field(default_factory=dict)


class Valuation:
    """The valuation of positions one season after a situation."""

    def __init__(self, situation: Situation) -> None:
        board = situation.board
        self._situation = situation
        self._me = situation.seat
        self._quiet = frozenset((situation.seat, NEUTRAL, *situation.friends))
        self._later = _AFTER_FALL_SHARE if situation.view.phase.season in "FW" else 1.0
        self._is_fall = situation.view.phase.season in "FW"
        self._danger = _WATCHFUL.get(situation.temper.watch, _CARELESS)
        self._near = tuple(
            (kind == "F", _near(board.fleet_into if kind == "F" else board.army_into, board.index))
            for kind in board.kinds
        )
        self._places = board.ids
        self._numbers = range(len(self._places))
        owned = situation.view.centres
        self._centres = [
            self._surroundings(board.index[at], owned.get(at)) for at in _centres_concerned(situation)
        ]
        self._leaders = {
            power: centres_to_win(board, situation.view, power)
            for power in about_to_win(board, situation.view)
        }
        index = situation.board.index
        self._owners = [(index[centre], owned.get(centre)) for centre in situation.board.centres]
        self._count = Counter[str | None](owner for _, owner in self._owners)
        self._growth = _BALANCE / situation.board.usual_goal
        # A centre that counts a step nearer counts twice in the sum of closeness. It does here too.
        self._weights: dict[str | None, float] = {
            power: exp2(danger) for power, danger in situation.dangers.items()
        }
        # A harmless nation is spared while there is another to take from. Otherwise everyone would attack a
        # weak nation in the middle first.
        self._spared: dict[str | None, float] = {
            power: _WORTH_PER_STEP**-danger for power, danger in situation.dangers.items() if danger < 0
        }
        self._closeness: dict[tuple[Kind, int], float] = {}

    def worth(self, after: Standpoint) -> float:
        """Return the worth of a position in supply centres. Only differences have a meaning."""
        occupants, me = after.occupants, self._me
        total = _ENEMY_DRIVEN_OFF * after.driven - _DRIVEN_OFF * after.lost
        for at, (power, kind) in occupants.items():
            if power == me:
                total += self._close(kind, at)
        # Sheets differ little around one centre, so most values are known already.
        standing = list(map(occupants.get, self._numbers))
        for centre in self._centres:
            seen = centre.seen(standing)
            worth = centre.known.get(seen)
            if worth is None:
                worth = centre.known[seen] = self._centre(centre.at, centre.owner, occupants)
            total += worth
        return total + self._endgame_worth(occupants) if self._is_fall else total

    def _surroundings(self, at: int, owner: str | None) -> _Surroundings:
        around = dict.fromkeys((at, *(place for _, near in self._near for place in near[at])))
        return _Surroundings(at, owner, itemgetter(*around))

    def _endgame_worth(self, occupants: Mapping[int, tuple[str, Kind]]) -> float:
        """Return the worth after Fall of a victory, of others' growth or loss, or of stopping a winner.

        A neutral unit on a centre takes it from no one.
        """
        count = self._count.copy()
        for at, owner in self._owners:
            there = occupants.get(at)
            if there is not None and there[0] not in (owner, NEUTRAL):
                count[owner] -= 1
                count[there[0]] += 1
        grown = (
            self._weights.get(power, 1.0) * (owned**2 - self._count[power] ** 2)
            for power, owned in count.items()
            if power not in (None, self._me)
        )
        total = -self._growth * sum(grown)
        for power, wanted in self._leaders.items():
            if power != self._me:
                total -= _LEADER_CENTRE_WORTH * (count[power] - wanted)
            if count[power] >= wanted:
                total += _WIN if power == self._me else -_WIN
        return total

    def _centre(self, at: int, owner: str | None, occupants: Mapping[int, tuple[str, Kind]]) -> float:
        there = occupants.get(at)
        who = there[0] if there else None
        share = 1.0 if owner == self._me else self._spared.get(owner, 1.0)
        if self._is_fall and who is not None and who != NEUTRAL:
            owner = who
        held = self._holding_worth(owner, who)
        ours, theirs = self._arrivals(at, occupants)
        if held:
            return held * share - self._risk(who == self._me, ours, theirs)
        if owner in self._quiet and owner != self._me:
            return 0.0
        if not ours:
            return 0.0
        defence = (1 if who is not None else 0) + theirs
        if ours > defence:
            return self._later * _CHANCE * share
        return self._later * _STALEMATE * share if ours == defence else 0.0

    def _holding_worth(self, owner: str | None, who: str | None) -> float:
        if who == self._me:
            return CENTRE_WORTH if owner == self._me else _OCCUPIED_CENTRE_WORTH
        if owner != self._me:
            return 0.0
        return CENTRE_WORTH if who is None else _INVADED

    def _risk(self, is_manned: bool, ours: int, theirs: int) -> float:
        """Return the risk to a centre. ours, theirs: how many own units and enemy units can reach it."""
        if not theirs:
            return 0.0
        later = self._later * self._danger
        if theirs > ours + is_manned:
            return later * _EXPOSED
        return later * _BOUND * (1 if is_manned else 2)

    def _arrivals(self, at: int, occupants: Mapping[int, tuple[str, Kind]]) -> tuple[int, int]:
        """Return how many own units and how many of the strongest enemy can come to a province."""
        ours, theirs = 0, 0
        counts: dict[str, int] = {}
        for is_fleet, near in self._near:
            for place in near[at]:
                there = occupants.get(place)
                if there is None or (there[1] == "F") != is_fleet:
                    continue
                power = there[0]
                if power == self._me:
                    ours += 1
                elif power not in self._quiet:
                    counts[power] = count = counts.get(power, 0) + 1
                    theirs = max(theirs, count)
        return ours, theirs

    def _close(self, kind: Kind, at: int) -> float:
        key = kind, at
        if key not in self._closeness:
            self._closeness[key] = closeness(self._situation, kind, self._places[at])
        return self._closeness[key]


def closeness(situation: Situation, kind: Kind, at: Province) -> float:
    """Return how near a unit of a kind in a province is to the centres to win: at most `_NEARNESS`.

    Half of it is for the distance to the nearest, half for the number of near ones. A temperament or an
    agreement can make some count as nearer.
    """
    spots = situation.board.spots[at] if kind == "F" else (at,)
    nearest, many = float(UNREACHABLE_STEPS), 0.0
    for goal in situation.prizes:
        way = situation.steps(kind, goal)
        far = min(way.get(spot, UNREACHABLE_STEPS) for spot in spots)
        steps = max(far - pull(situation, goal), 0)
        nearest = min(steps, nearest)
        many += 0.5**steps
    near: float = _WORTH_PER_STEP**nearest
    return _NEARNESS * (0.5 * near + 0.5 * many / (many + _MANY_PRIZES))


def _centres_concerned(situation: Situation) -> tuple[Province, ...]:
    """Return the centres whose worth can change next: the seat's own and those near its units."""
    steps = situation.board.steps([unit.at for unit in situation.mine])
    beaten = situation.board.steps([beaten_unit.unit.at for beaten_unit in situation.view.beaten])
    return tuple(
        centre
        for centre in situation.board.centres
        if centre in situation.own_centres
        or min(steps.get(centre, UNREACHABLE_STEPS), beaten.get(centre, UNREACHABLE_STEPS)) <= _CONCERN_STEPS
    )


def standpoint_after(
    units: Sequence[Unit],
    index: Mapping[Province, int],
    moved: Mapping[int, int],
    beaten: Mapping[int, int],
    seat: str,
) -> Standpoint:
    """Return the occupants after a season. moved, beaten: as the resolver decides them."""
    occupants: dict[int, tuple[str, Kind]] = {}
    lost = driven = 0
    for unit in units:
        at = index[unit.at]
        if at in beaten:
            lost += unit.power == seat
            driven += unit.power != seat
        else:
            occupants[moved.get(at, at)] = (unit.power, unit.kind)
    return Standpoint(occupants, lost, driven)


def _near(
    neighbours: Mapping[Province, Sequence[Province]], index: Mapping[Province, int]
) -> Mapping[int, tuple[int, ...]]:
    return {index[at]: tuple(index[there] for there in near) for at, near in neighbours.items()}
