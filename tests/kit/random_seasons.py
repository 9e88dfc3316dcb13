"""Random movement seasons of standard Diplomacy, dense in supports and convoys, with legal orders only."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.diplomacy.adjudication.convoy_routes import at_sea, is_chain_open, is_wanted, places_of_bits
from games.diplomacy.adjudication.legality import OrderChecker, Seas
from games.diplomacy.model import (
    AnyOrder,
    Convoy,
    Hold,
    Move,
    Phase,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    split_spot,
    units_by_place,
)
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.standard import BOARD, VARIANT

UNITS = 34
INDEX = BOARD.index
NAMES = tuple(BOARD.places)


@dataclass(frozen=True)
class Skirmish:
    """A position and an order for each unit, by its province."""

    state: State
    orders: dict[Province, AnyOrder]

    @property
    def given(self) -> dict[Seat, list[AnyOrder]]:
        """The orders by power."""
        found: dict[Seat, list[AnyOrder]] = {}
        for unit in self.state.units:
            found.setdefault(unit.power, []).append(self.orders[unit.at])
        return found


def skirmish(seed: int, options: dict[str, str] | None = None, *, by_sea: bool = False) -> Skirmish:
    """Return the season of a seed.

    by_sea: armies that walk ask for a convoy if the fleets that are there could carry them, even if none was
    ordered to.
    """
    lot = random.Random(seed)
    units = tuple(sorted(_units(lot), key=lambda unit: INDEX[unit.at]))
    phase = Phase(season="S", year=1901, kind="M")
    state = State(options=dict(options or {}), phase=phase, units=units, centres={})
    orders: dict[Province, AnyOrder] = dict(_convoys(lot, units))
    seas = Seas(BOARD, units_by_place(state))
    for unit in units:
        if unit.at not in orders and lot.random() < 0.5:
            move = _move(lot, unit)
            carried = by_sea and unit.kind == "A" and seas.is_carried(unit.at, move.to)
            orders[unit.at] = replace_fields(move, via=True) if carried else move
    for unit in units:
        if unit.at not in orders:
            orders[unit.at] = _support(lot, state, unit, orders)
    return Skirmish(state, orders)


def _units(lot: random.Random) -> Iterator[Unit]:
    """Yield units, with more than the usual share at sea, so that there are convoys."""
    seas = [at for at in NAMES if not BOARD.is_land(at)]
    lands = [at for at in NAMES if BOARD.is_land(at)]
    for at in [*lot.sample(seas, 12), *lot.sample(lands, UNITS - 12)]:
        power = lot.choice(tuple(BOARD.powers))
        spots = BOARD.spots[at]
        if not BOARD.is_land(at) or (spots and lot.random() < 0.25):
            _, coast = split_spot(lot.choice(spots))
            yield Unit(power=power, kind="F", at=at, coast=coast)
        else:
            yield Unit(power=power, kind="A", at=at)


def _convoys(lot: random.Random, units: tuple[Unit, ...]) -> Iterator[tuple[Province, AnyOrder]]:
    fleets = at_sea(BOARD, units)
    standing = {unit.at: unit for unit in units}
    armies = [unit for unit in units if unit.kind == "A" and unit.at in BOARD.shores]
    goals = sorted(BOARD.shores)
    for army in lot.sample(armies, len(armies)):
        start, to = INDEX[army.at], lot.choice(goals)
        if to == army.at or not is_chain_open(BOARD, start, INDEX[to], fleets):
            continue
        useful = [one for one in places_of_bits(fleets) if is_wanted(BOARD, start, INDEX[to], fleets, one)]
        carriers = [one for one in useful if lot.random() < 0.9]
        for one in carriers:
            fleet = standing[NAMES[one]]
            yield fleet.at, Convoy(unit=fleet.piece, other=army.piece, to=to)
            fleets &= ~(1 << one)
        carried = sum(1 << one for one in carriers)
        if to not in BOARD.army[army.at] or not is_chain_open(BOARD, start, INDEX[to], carried):
            yield army.at, Move(unit=army.piece, to=to)
        else:
            yield army.at, Move(unit=army.piece, to=to, via=lot.random() < 0.5)


def _move(lot: random.Random, unit: Unit) -> Move:
    if unit.kind == "A":
        return Move(unit=unit.piece, to=lot.choice(BOARD.army[unit.at]))
    to, coast = split_spot(lot.choice(BOARD.sailing[unit.spot]))
    return Move(unit=unit.piece, to=to, coast=coast)


def _support(lot: random.Random, state: State, unit: Unit, orders: dict[Province, AnyOrder]) -> AnyOrder:
    """Return a legal support of another unit's order, if there is one."""
    law = OrderChecker(BOARD, VARIANT.rulebook, state)
    for other in lot.sample(state.units, len(state.units)):
        order = orders.get(other.at)
        if isinstance(order, Move):
            help_: AnyOrder = SupportMove(unit=unit.piece, other=other.piece, to=order.to)
        else:
            help_ = SupportHold(unit=unit.piece, other=other.piece)
        if other != unit and law.objection(unit.power, help_) is None:
            return help_
    return Hold(unit=unit.piece)


def other_orders(lot: random.Random, season: Skirmish, count: int) -> dict[Province, AnyOrder]:
    """Return legal orders for so many units: a move, a support, a hold, and sometimes convoys for others."""
    changes: dict[Province, AnyOrder] = {}
    for unit in lot.sample(season.state.units, count):
        chance = lot.random()
        if chance < 0.5:
            changes[unit.at] = _move(lot, unit)
        elif chance < 0.8:
            changes[unit.at] = _support(lot, season.state, unit, {**season.orders, **changes})
        else:
            changes[unit.at] = Hold(unit=unit.piece)
    if lot.random() < 0.2:
        carried = list(_convoys(lot, season.state.units))
        changes |= dict(carried[:3])
    return changes
