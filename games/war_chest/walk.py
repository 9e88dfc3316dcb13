"""An order tried out step by step on a copy of the board: what is against each step."""

from collections.abc import Sequence

from games.protocol import Objection, Seat
from games.record import replace_fields
from games.war_chest.board import AXIAL, NEIGHBOURS, Hex, distance, in_order
from games.war_chest.components import (
    KNIGHT,
    PIKEMAN,
    ROYAL_GUARD,
    UNIT_NAMES,
    Card,
)
from games.war_chest.model import (
    Do,
    ManeuverStep,
    Stack,
    State,
)


class IllegalManeuver(Exception):
    """Why an order is unlawful: raised while it is tried out, and caught by `lawful.objection`."""

    def __init__(self, code: str, **detail: str) -> None:
        super().__init__(code)
        self.objection = Objection(code=code, detail=detail)


class ManeuverWalk:
    """An order tried out on a copy of the board, step by step; `plan` is what was done."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.stacks = {stack.at: stack for stack in state.stacks}
        self.control = dict(state.control)
        self.plan: list[Do] = []

    def put(self, stack: Stack) -> None:
        """A unit stands on its hex from now on."""
        self.stacks[stack.at] = stack

    def find(self, step: ManeuverStep, besides: Hex | None = None) -> Stack:
        """The unit that a step means; not the one on the hex `besides`."""
        units = [s for s in self.stacks.values() if (s.seat, s.card) == (self.seat, step.card)]
        return one([unit for unit in units if unit.at != besides], step.card, step.at)

    def survivor(self, done: Do) -> Stack:
        """The unit after what it has done."""
        at = done.to if done.act == "move" else done.at
        unit = self.stacks.get(at)
        if unit is None or unit.seat != self.seat:
            raise IllegalManeuver("will-be-lost", card=done.card)
        return unit

    def hex(self, step: ManeuverStep) -> Hex:
        """The hex to which a step leads."""
        if step.to is None or step.to not in AXIAL:
            raise IllegalManeuver("where-to", card=step.card)
        return Hex(step.to)

    def target(self, unit: Stack, step: ManeuverStep) -> Stack:
        """The enemy unit that a step means, by its hex or its name."""
        named = step.to in UNIT_NAMES
        targets = [
            s for s in self.stacks.values() if s.seat != self.seat and step.to in (s.card if named else s.at,)
        ]
        if not targets:
            foes = in_order(s.at for s in self.stacks.values() if s.seat != self.seat)
            raise IllegalManeuver("no-target", card=unit.card, to=str(step.to), near=" ".join(foes))
        if len(targets) > 1:
            raise IllegalManeuver("which-one", card=targets[0].card, near=" ".join(s.at for s in targets))
        return targets[0]

    def maneuver(self, unit: Stack, step: ManeuverStep, *, pay: bool = False) -> Do:
        """An ordinary maneuver: one step, an attack on a neighbour, or control."""
        if step.act == "move":
            return self.move(unit, self.hex(step), pay=pay)
        if step.act == "control":
            return self.take(unit, step, pay=pay)
        if not self.state.box.units[unit.card].normal_attack:
            raise IllegalManeuver("no-normal-attack", card=unit.card)
        target = self.target(unit, step)
        if target.at not in NEIGHBOURS[unit.at]:
            raise IllegalManeuver("too-far", card=unit.card, at=unit.at, to=target.at)
        return self.strike(unit, target, pay=pay)

    def move(self, unit: Stack, to: Hex, *, pay: bool = False) -> Do:
        """Source: clause 5.move."""
        free = " ".join(neighbour for neighbour in NEIGHBOURS[unit.at] if neighbour not in self.stacks)
        if to not in NEIGHBOURS[unit.at]:
            raise IllegalManeuver("too-far", card=unit.card, at=unit.at, to=to, near=free)
        if to in self.stacks:
            raise IllegalManeuver("hex-occupied", card=unit.card, at=to, near=free)
        del self.stacks[unit.at]
        self.put(replace_fields(unit, at=to))
        return self._note_step(unit, "move", to, pay)

    def two_steps(self, unit: Stack, to: Hex) -> Do:
        """A way of two steps to a hex, by the first hex between that is empty."""
        ways = [
            middle for middle in NEIGHBOURS[unit.at] if middle in NEIGHBOURS[to] and middle not in self.stacks
        ]
        if not ways:
            raise IllegalManeuver("no-way", card=unit.card, at=to)
        first = self.move(unit, ways[0])
        return self.move(self.survivor(first), to)

    def take(self, unit: Stack, step: ManeuverStep, *, pay: bool = False) -> Do:
        """Source: clause 5.control."""
        if step.to not in (None, unit.at):
            raise IllegalManeuver("stands-elsewhere", card=unit.card, at=unit.at, to=str(step.to))
        if unit.at not in self.state.box.locations:
            raise IllegalManeuver("no-location", card=unit.card, at=unit.at)
        if self.control.get(unit.at) == self.seat:
            raise IllegalManeuver("yours-already", card=unit.card, at=unit.at)
        self.control[unit.at] = self.seat
        return self._note_step(unit, "control", unit.at, pay)

    def strike(self, unit: Stack, target: Stack, *, pay: bool = False) -> Do:
        """Source: clauses 5.attack, 6.knight, 6.pikeman."""
        if target.card == KNIGHT and unit.height < 2:
            raise IllegalManeuver("knight", card=unit.card, at=target.at)
        if not self._is_supply_taken(target):
            self._remove_coin(target)
        if target.card == PIKEMAN and distance(unit.at, target.at) == 1:
            self._remove_coin(unit)
        return self._note_step(unit, "attack", target.at, pay)

    def _is_supply_taken(self, target: Stack) -> bool:
        """Return whether the owner is known to give a coin of the supply in its place."""
        guard = target.card == ROYAL_GUARD and self.state.options["royal_guard"] == "supply"
        return guard and bool(self.state.sides[target.seat].supply.get(target.card))

    def _remove_coin(self, stack: Stack) -> None:
        del self.stacks[stack.at]
        if stack.height > 1:
            self.put(replace_fields(stack, height=stack.height - 1))

    def _note_step(self, unit: Stack, act: str, to: Hex, pay: bool) -> Do:
        done = Do(seat=self.seat, card=unit.card, at=unit.at, act=act, to=to, pay=pay)  # type: ignore[arg-type]
        self.plan.append(done)
        return done


def one(units: Sequence[Stack], card: Card, at: Hex | None) -> Stack:
    """The unit that is meant. Raises Unlawful."""
    if not units:
        raise IllegalManeuver("not-on-board", card=card)
    if at is not None:
        units = [unit for unit in units if unit.at == at]
        if not units:
            raise IllegalManeuver("not-there", card=card, at=at)
    if len(units) > 1:
        raise IllegalManeuver("which-one", card=card, near=" ".join(unit.at for unit in units))
    return units[0]
