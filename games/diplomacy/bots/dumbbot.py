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
from games.diplomacy.boards import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable
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
    parted,
    spot,
)
from games.protocol import Choice, Due, Seat

ROUNDS = 10
_SHARE = 0.2
_NEXT_BEST = 50
"""In so many of a hundred cases the next best is looked at."""
_CLOSENESS = 500
"""By so much it suffers for being worse: by a fifth worse, it is never taken."""


@dataclass(frozen=True)
class Weights:
    """What counts how much in a season: others' centres, own ones, each round of nearness, attack, rivals."""

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
        look = _Look(self._variant.under(view.options), view, due.seat)
        if due.kind == "moves":
            found: Sequence[AnyOrder] = _Season(look, dice).orders()
        elif due.kind == "retreats":
            found = _retreats(look, dice)
        elif Build.__name__ in due.accepts:
            found = _builds(look, due.takes or 0)
        else:
            worst = sorted(look.mine, key=lambda unit: look.value(unit.kind, unit.spot))
            found = [Disband(unit=unit.piece) for unit in worst[: due.takes]]
        return tuple(Choice(order=order, reason="the best spot in reach") for order in found)

    def season(self, view: View, seat: Seat) -> Callable[[Dice], Sequence[UnitOrder]]:
        """What tells, for any dice, its orders for the moves; the values of spots are the same for all."""
        look = _Look(self._variant.under(view.options), view, seat)
        return lambda dice: _Season(look, dice).orders()


@dataclass(frozen=True)
class _Look:
    """What the values rest on: one seat's reading of a position."""

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
        """By province, how many units of each nation could be there: who stands there can stay."""
        found: dict[Province, Counter[Seat]] = {place: Counter() for place in self.variant.board.places}
        for unit in self.view.units:
            if unit.power != NEUTRAL:
                for place in (unit.at, *self.repertoire.reach(unit)):
                    found[place][unit.power] += 1
        return found

    @cached_property
    def weights(self) -> Weights:
        if self.view.phase.kind == "A":
            return WINTER
        return SPRING if self.view.phase.season == "S" else FALL

    def strength(self, place: Province) -> int:
        return self.near[place][self.seat]

    def competition(self, place: Province) -> int:
        """How many units the strongest of the others could send there."""
        return max((count for seat, count in self.near[place].items() if seat != self.seat), default=0)

    def value(self, kind: Kind, where: Province) -> float:
        """What a spot is worth to a unit of a kind."""
        return self._values["F" if kind == "F" else "A"].get(where, 0.0)

    def ranked(self, kind: Kind, spots: Sequence[Province]) -> Sequence[tuple[Province, float]]:
        """Spots with what they are worth to a unit of a kind, the best first; sorted once."""
        key = kind, tuple(spots)
        if key not in self._ranked:
            found = [(there, self.value(kind, there)) for there in spots]
            self._ranked[key] = sorted(found, key=lambda one: -one[1])
        return self._ranked[key]

    @cached_property
    def _ranked(self) -> dict[tuple[Kind, tuple[Province, ...]], Sequence[tuple[Province, float]]]:
        return {}

    @cached_property
    def _values(self) -> Mapping[str, Mapping[Province, float]]:
        board, weights = self.variant.board, self.weights
        worth = self._worth()
        found = {}
        for kind in ("A", "F"):
            terrain = ground(board, "F" if kind == "F" else "A")
            rounds = terrain.spread(worth, ROUNDS, _SHARE)
            found[kind] = {
                there: sum(weight * one[at] for weight, one in zip(weights.near, rounds, strict=True))
                + weights.strength * self.strength(parted(there)[0])
                - weights.competition * self.competition(parted(there)[0])
                for at, there in enumerate(terrain.spots)
            }
        return found

    def _worth(self) -> Mapping[Province, float]:
        owned = Counter(self.view.centres.values())
        found: dict[Province, float] = {}
        for centre in self.variant.board.centres:
            owner = self.view.centres.get(centre)
            if owner == self.seat:
                around = [_size(owned[other]) for other in self.near[centre] if other != self.seat]
                found[centre] = self.weights.defence * max(around, default=0)
            else:
                found[centre] = self.weights.attack * _size(owned[owner] if owner else 0)
        return found


def _size(centres: int) -> int:
    """A nation twice as large is more than twice as dangerous."""
    return centres * centres + 4 * centres + 16


@dataclass
class _Season:
    """A movement season being planned; `chosen` grows until every unit has its order."""

    look: _Look
    dice: Dice
    chosen: dict[Province, UnitOrder] = field(default_factory=dict)

    def orders(self) -> list[UnitOrder]:
        for unit in self.dice.shuffle("turn", self.look.mine):
            self._order(unit, ())
        self._use_idle()
        return [self.chosen[unit.at] for unit in self.look.mine]

    def _order(self, unit: Unit, waiting: tuple[Province, ...]) -> None:
        """Find a unit its order. waiting: the comrades who wait for it to decide."""
        if unit.at in self.chosen:
            return
        spots = {move.goal: move for move in self.look.repertoire.moves(unit)}
        left = [unit.spot, *spots]
        while left:
            there = _picked(self.look, self.dice, unit, left, f"go/{unit.at}/{len(left)}")
            place = parted(there)[0]
            if there == unit.spot:
                break
            comrade = next((one for one in self.look.mine if one.at == place), None)
            if comrade and place not in self.chosen and place not in waiting:
                self._order(comrade, (*waiting, unit.at))
            order = self._going(unit, spots[there], comrade)
            if order is not None:
                self.chosen[unit.at] = order
                return
            left.remove(there)
        self.chosen[unit.at] = Hold(unit=unit.piece)

    def _going(self, unit: Unit, move: Move, comrade: Unit | None) -> UnitOrder | None:
        """The move, or the support of who is there or goes there where others could come; None: neither."""
        ahead = next(
            (one for one in self.chosen.values() if isinstance(one, Move) and one.to == move.to), None
        )
        if ahead is not None:
            wanted = self.look.competition(move.to) > 0
            return SupportMove(unit=unit.piece, other=ahead.unit, to=move.to) if wanted else None
        if comrade is None or isinstance(self.chosen.get(comrade.at), Move):
            return move
        wanted = self.look.competition(move.to) > 1
        return SupportHold(unit=unit.piece, other=comrade.piece) if wanted else None

    def _use_idle(self) -> None:
        """Who stays for nothing supports the comrade who needs it most."""
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


def _picked(look: _Look, dice: Dice, unit: Unit, spots: Sequence[Province], label: str) -> Province:
    """The best of some spots, or, the nearer it comes to that the likelier, the next best, and so on."""
    ranked = look.ranked(unit.kind, spots)
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


def _retreats(look: _Look, dice: Dice) -> list[AnyOrder]:
    taken: set[Province] = set()
    found: list[AnyOrder] = []
    for one in look.view.beaten:
        if one.unit.power != look.seat:
            continue
        free = [there for there in one.retreats if parted(there)[0] not in taken]
        if not free:
            found.append(Disband(unit=one.unit.piece))
            continue
        to, coast = parted(_picked(look, dice, one.unit, free, f"retreat/{one.unit.at}"))
        taken.add(to)
        found.append(Move(unit=one.unit.piece, to=to, coast=coast))
    return found


def _builds(look: _Look, count: int) -> list[AnyOrder]:
    found: dict[Province, AnyOrder] = {}
    could = buildable(look.variant, look.view, look.seat)
    for piece in sorted(could, key=lambda piece: -look.value(piece.kind, piece.spot)):
        found.setdefault(piece.at, Build(unit=piece))
    return [*found.values(), *(Waive() for _ in range(count))][:count]
