"""A player after David Norman's DumbBot (DAIDE, 2003): an opponent, and a guess at others.

Each spot gets a value: what lies there and near it, how strongly one could attack it, how strongly others
could. Each unit goes for the best spot in its reach, now and then for the next best; who finds it taken
by a comrade supports him if others can get there, or looks further. The weights are ours.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from games.dice import Dice
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable_units
from games.diplomacy.bots.worth import ground
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    Disband,
    Hold,
    Kind,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    View,
    Waive,
    split_spot,
    spot,
)
from games.protocol import Choice, Due, Seat

SPREAD_ROUNDS = 10
_NEIGHBOUR_SHARE = 0.2
_NEXT_BEST = 50
"""In so many of a hundred cases the next best is looked at."""
_CLOSENESS = 500
"""By so much it suffers for being worse: by a fifth worse, it is never taken."""


@dataclass(frozen=True)
class Weights:
    """The weights of a season: others' centres, own ones, each round of nearness, attack, rivals."""

    attack: int
    defence: int
    near: tuple[int, ...]
    strength: int
    competition: int


SPRING = Weights(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1), 1000, 1000)
FALL = Weights(600, 400, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1), 1000, 1000)
WINTER = Weights(700, 300, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1), 0, 0)


class DumbBot:
    """Plays a nation by the values of spots: implements `protocol.Bot`."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due."""
        look = _PositionValues(self._variant.under(view.options), view, due.seat)
        if due.kind == "moves":
            orders: Sequence[AnyOrder] = _DumbBotPlan(look, dice).orders()
        elif due.kind == "retreats":
            orders = _retreats(look, dice)
        elif Build.__name__ in due.accepts:
            orders = _builds(look, due.takes or 0)
        else:
            worst = sorted(look.mine, key=lambda unit: look.value(unit.kind, unit.spot))
            orders = [Disband(unit=unit.piece) for unit in worst[: due.takes]]
        return tuple(Choice(order=order, reason="the best spot in reach") for order in orders)

    def season_planner(self, view: View, seat: Seat) -> Callable[[Dice], Sequence[UnitOrder]]:
        """Return a function that gives its orders for the moves by any dice; spots are valued only once."""
        look = _PositionValues(self._variant.under(view.options), view, seat)
        return lambda dice: _DumbBotPlan(look, dice).orders()


@dataclass(frozen=True)
class _PositionValues:
    """One seat's reading of a position, on which the values rest."""

    variant: Variant
    view: View
    seat: Seat

    @cached_property
    def repertoire(self) -> Repertoire:
        return Repertoire(self.variant, self.view)

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        return self.repertoire.mine(self.seat)

    @cached_property
    def near(self) -> Mapping[Province, Counter[Seat]]:
        """For each province the number of units of each nation that could be there: an occupant can stay."""
        counts: dict[Province, Counter[Seat]] = {place: Counter() for place in self.variant.board.places}
        for unit in self.view.units:
            if unit.power != NEUTRAL:
                for place in (unit.at, *self.repertoire.reach(unit)):
                    counts[place][unit.power] += 1
        return counts

    @cached_property
    def weights(self) -> Weights:
        if self.view.phase.kind == "A":
            return WINTER
        return SPRING if self.view.phase.season == "S" else FALL

    def strength(self, place: Province) -> int:
        return self.near[place][self.seat]

    def competition(self, place: Province) -> int:
        """Return how many units the strongest of the others could send there."""
        return max((count for seat, count in self.near[place].items() if seat != self.seat), default=0)

    def value(self, kind: Kind, where: Province) -> float:
        """Return the worth of a spot to a unit of a kind."""
        return self._values["F" if kind == "F" else "A"].get(where, 0.0)

    def rank_spots(self, kind: Kind, spots: Sequence[Province]) -> Sequence[tuple[Province, float]]:
        """Return spots with their worth to a unit of a kind, the best first; sorted once."""
        key = kind, tuple(spots)
        if key not in self._ranking_cache:
            values = [(there, self.value(kind, there)) for there in spots]
            self._ranking_cache[key] = sorted(values, key=lambda pair: -pair[1])
        return self._ranking_cache[key]

    @cached_property
    def _ranking_cache(self) -> dict[tuple[Kind, tuple[Province, ...]], Sequence[tuple[Province, float]]]:
        return {}

    @cached_property
    def _values(self) -> Mapping[str, Mapping[Province, float]]:
        board, weights = self.variant.board, self.weights
        worth = self._worth()
        values_by_kind = {}
        for kind in ("A", "F"):
            terrain = ground(board, "F" if kind == "F" else "A")
            rounds = terrain.spread(worth, SPREAD_ROUNDS, _NEIGHBOUR_SHARE)
            values_by_kind[kind] = {
                there: sum(
                    weight * round_values[at]
                    for weight, round_values in zip(weights.near, rounds, strict=True)
                )
                + weights.strength * self.strength(split_spot(there)[0])
                - weights.competition * self.competition(split_spot(there)[0])
                for at, there in enumerate(terrain.spots)
            }
        return values_by_kind

    def _worth(self) -> Mapping[Province, float]:
        owned = Counter(self.view.centres.values())
        worths: dict[Province, float] = {}
        for centre in self.variant.board.centres:
            owner = self.view.centres.get(centre)
            if owner == self.seat:
                around = [_size(owned[other]) for other in self.near[centre] if other != self.seat]
                worths[centre] = self.weights.defence * max(around, default=0)
            else:
                worths[centre] = self.weights.attack * _size(owned[owner] if owner else 0)
        return worths


def _size(centres: int) -> int:
    """A nation twice as large is more than twice as dangerous."""
    return centres * centres + 4 * centres + 16


@dataclass
class _DumbBotPlan:
    """A movement season being planned; `chosen` grows until every unit has its order."""

    look: _PositionValues
    dice: Dice
    chosen: dict[Province, UnitOrder] = field(default_factory=dict)

    def orders(self) -> list[UnitOrder]:
        for unit in self.dice.shuffle("turn", self.look.mine):
            self._find_order(unit, ())
        self._use_idle()
        return [self.chosen[unit.at] for unit in self.look.mine]

    def _find_order(self, unit: Unit, waiting: tuple[Province, ...]) -> None:
        """Find a unit its order. waiting: the comrades who wait for it to decide."""
        if unit.at in self.chosen:
            return
        spots = {move.goal: move for move in self.look.repertoire.moves(unit)}
        candidates = [unit.spot, *spots]
        while candidates:
            there = _pick_spot(self.look, self.dice, unit, candidates, f"go/{unit.at}/{len(candidates)}")
            place = split_spot(there)[0]
            if there == unit.spot:
                break
            comrade = next((ally for ally in self.look.mine if ally.at == place), None)
            if comrade and place not in self.chosen and place not in waiting:
                self._find_order(comrade, (*waiting, unit.at))
            order = self._order_towards(unit, spots[there], comrade)
            if order is not None:
                self.chosen[unit.at] = order
                return
            candidates.remove(there)
        self.chosen[unit.at] = Hold(unit=unit.piece)

    def _order_towards(self, unit: Unit, move: Move, comrade: Unit | None) -> UnitOrder | None:
        """Return the move, or the support of an ally there if others could come; None: neither."""
        ahead = next(
            (order for order in self.chosen.values() if isinstance(order, Move) and order.to == move.to), None
        )
        if ahead is not None:
            wanted = self.look.competition(move.to) > 0
            return SupportMove(unit=unit.piece, other=ahead.unit, to=move.to) if wanted else None
        if comrade is None or isinstance(self.chosen.get(comrade.at), Move):
            return move
        wanted = self.look.competition(move.to) > 1
        return SupportHold(unit=unit.piece, other=comrade.piece) if wanted else None

    def _use_idle(self) -> None:
        """Let units that stay for nothing support the comrade that needs it most."""
        for unit in self.look.mine:
            if not isinstance(self.chosen[unit.at], Hold):
                continue
            reach = self.look.repertoire.reach(unit)
            best: tuple[float, UnitOrder] | None = None
            for other in self.look.mine:
                order = self.chosen[other.at]
                to = order.to if isinstance(order, Move) else other.at
                need = self.look.competition(to) * self.look.value(other.kind, _spot(other, order))
                if other != unit and to in reach and need > 0 and (best is None or need > best[0]):
                    best = need, _backing(unit, other, order)
            if best is not None:
                self.chosen[unit.at] = best[1]


def _backing(unit: Unit, other: Unit, order: UnitOrder) -> UnitOrder:
    """The support of another unit in what it does."""
    if isinstance(order, Move):
        return SupportMove(unit=unit.piece, other=other.piece, to=order.to)
    return SupportHold(unit=unit.piece, other=other.piece)


def _spot(unit: Unit, order: UnitOrder) -> Province:
    return spot(order.to, order.coast) if isinstance(order, Move) else unit.spot


def _pick_spot(
    look: _PositionValues, dice: Dice, unit: Unit, spots: Sequence[Province], label: str
) -> Province:
    """Return the best spot, or by chance the next best: the closer in value, the likelier."""
    ranked = look.rank_spots(unit.kind, spots)
    place = 0
    while place + 1 < len(ranked):
        now, then = ranked[place][1], ranked[place + 1][1]
        worse = _CLOSENESS * (now - then) / now if now > 0 else 0
        if dice.roll(f"{label}/{place}/look", 100) > _NEXT_BEST:
            break
        if dice.roll(f"{label}/{place}/take", 100) <= worse:
            break
        place += 1
    return ranked[place][0]


def _retreats(look: _PositionValues, dice: Dice) -> list[AnyOrder]:
    taken: set[Province] = set()
    orders: list[AnyOrder] = []
    for beaten_unit in look.view.beaten:
        if beaten_unit.unit.power != look.seat:
            continue
        free = [there for there in beaten_unit.retreats if split_spot(there)[0] not in taken]
        if not free:
            orders.append(Disband(unit=beaten_unit.unit.piece))
            continue
        to, coast = split_spot(
            _pick_spot(look, dice, beaten_unit.unit, free, f"retreat/{beaten_unit.unit.at}")
        )
        taken.add(to)
        orders.append(Move(unit=beaten_unit.unit.piece, to=to, coast=coast))
    return orders


def _builds(look: _PositionValues, count: int) -> list[AnyOrder]:
    builds: dict[Province, AnyOrder] = {}
    could = buildable_units(look.variant, look.view, look.seat)
    for piece in sorted(could, key=lambda piece: -look.value(piece.kind, piece.spot)):
        builds.setdefault(piece.at, Build(unit=piece))
    return [*builds.values(), *(Waive() for _ in range(count))][:count]
