"""The reasons why an order is illegal. A maneuver is checked by planning it step by step.

The plan applies the tactics, attributes and restrictions of units.
"""

from collections.abc import Callable, Mapping

from games.protocol import Objection, Seat
from games.record import replace_fields
from games.war_chest.board import AXIAL, NEIGHBOURS, Hex, distance, hexes_between, in_order, next_in_line
from games.war_chest.components import (
    ARCHER,
    BERSERKER,
    CAVALRY,
    CROSSBOWMAN,
    ENSIGN,
    FOOTMAN,
    KNIGHT,
    LANCER,
    LIGHT_CAVALRY,
    MARSHALL,
    PIKEMAN,
    ROYAL_COIN,
    ROYAL_GUARD,
    SWORDSMAN,
    UNIT_NAMES,
    Card,
    Coin,
)
from games.war_chest.model import (
    AnyOrder,
    Do,
    IllegalManeuver,
    Maneuver,
    ManeuverStep,
    Stack,
    State,
    UseDrawn,
    one,
)


def objection(view: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Return why the order is illegal for this seat now, or None."""
    try:
        if order.pile:
            if view.picks:
                raise IllegalManeuver("draft-first")
            coin_of(view, seat, order)
        order.examine(view, seat)
        plan_maneuver(view, seat, order)
    except IllegalManeuver as fault:
        return fault.objection
    return None


def coins(view: State, seat: Seat) -> tuple[Coin, ...]:
    """Return the coins that a seat can play now: the coin that a Warrior Priest drew, or its hand."""
    side = view.sides[seat]
    if view.agenda and isinstance(view.agenda[0], UseDrawn) and view.agenda[0].seat == seat:
        return () if side.drawn is None else (side.drawn,)
    return side.hand


def coin_of(view: State, seat: Seat, order: AnyOrder) -> Coin:
    """Return the coin that pays for an order. Raises IllegalManeuver if the seat doesn't have it.

    Source: clauses 5.match, 5.royal, V.coin.
    """
    have = coins(view, seat)
    coin = order.payment(have)
    if coin is None:
        if not have:
            raise IllegalManeuver("hand-empty")
        raise IllegalManeuver("which-coin", have=" ".join(have), near=" ".join(have))
    if coin not in have:
        raise IllegalManeuver("no-coin", coin=coin, have=" ".join(have))
    if coin == ROYAL_COIN and order.pile == "board":
        raise IllegalManeuver("royal-coin", card=coin)
    return coin


class ManeuverWalk:
    """An order tried out on a copy of the board, step by step. plan: the steps so far."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.stacks = {stack.at: stack for stack in state.stacks}
        self.control = dict(state.control)
        self.plan: list[Do] = []

    def put(self, stack: Stack) -> None:
        """Put a unit on its hex."""
        self.stacks[stack.at] = stack

    def find(self, step: ManeuverStep, except_on: Hex | None = None) -> Stack:
        """Return the unit of a step. except_on: a hex whose unit is left out."""
        units = [s for s in self.stacks.values() if (s.seat, s.card) == (self.seat, step.card)]
        return one([unit for unit in units if unit.at != except_on], step.card, step.at)

    def survivor(self, done: Do) -> Stack:
        """Return the unit after its step. Raises IllegalManeuver if the step destroys it."""
        at = done.to if done.act == "move" else done.at
        unit = self.stacks.get(at)
        if unit is None or unit.seat != self.seat:
            raise IllegalManeuver("will-be-lost", card=done.card)
        return unit

    def hex(self, step: ManeuverStep) -> Hex:
        """Return the hex where a step leads. Raises IllegalManeuver if it names none."""
        if step.to is None or step.to not in AXIAL:
            raise IllegalManeuver("where-to", card=step.card)
        return Hex(step.to)

    def target(self, unit: Stack, step: ManeuverStep) -> Stack:
        """Return the enemy unit that a step attacks, by its hex or its name. Raises IllegalManeuver."""
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
        """Make a normal maneuver: one move, an attack on a neighbour, or control. Raises IllegalManeuver."""
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
        """Move a unit to a neighbouring empty hex. Raises IllegalManeuver. Source: clause 5.move."""
        free = " ".join(neighbour for neighbour in NEIGHBOURS[unit.at] if neighbour not in self.stacks)
        if to not in NEIGHBOURS[unit.at]:
            raise IllegalManeuver("too-far", card=unit.card, at=unit.at, to=to, near=free)
        if to in self.stacks:
            raise IllegalManeuver("hex-occupied", card=unit.card, at=to, near=free)
        del self.stacks[unit.at]
        self.put(replace_fields(unit, at=to))
        return self._note_step(unit, "move", to, pay)

    def two_steps(self, unit: Stack, to: Hex) -> Do:
        """Move a unit two steps, through the first empty hex between. Raises IllegalManeuver."""
        ways = [
            middle for middle in NEIGHBOURS[unit.at] if middle in NEIGHBOURS[to] and middle not in self.stacks
        ]
        if not ways:
            raise IllegalManeuver("no-way", card=unit.card, at=to)
        first = self.move(unit, ways[0])
        return self.move(self.survivor(first), to)

    def take(self, unit: Stack, step: ManeuverStep, *, pay: bool = False) -> Do:
        """Take control of the unit's location. Raises IllegalManeuver. Source: clause 5.control."""
        if step.to not in (None, unit.at):
            raise IllegalManeuver("stands-elsewhere", card=unit.card, at=unit.at, to=str(step.to))
        if unit.at not in self.state.box.locations:
            raise IllegalManeuver("no-location", card=unit.card, at=unit.at)
        if self.control.get(unit.at) == self.seat:
            raise IllegalManeuver("yours-already", card=unit.card, at=unit.at)
        self.control[unit.at] = self.seat
        return self._note_step(unit, "control", unit.at, pay)

    def strike(self, unit: Stack, target: Stack, *, pay: bool = False) -> Do:
        """Attack a unit in reach, with the losses of both.

        Raises IllegalManeuver if a single coin attacks a Knight. Source: clauses 5.attack, 6.knight,
        6.pikeman.
        """
        if target.card == KNIGHT and unit.height < 2:
            raise IllegalManeuver("knight", card=unit.card, at=target.at)
        if not self._is_supply_taken(target):
            self._remove_coin(target)
        if target.card == PIKEMAN and distance(unit.at, target.at) == 1:
            self._remove_coin(unit)
        return self._note_step(unit, "attack", target.at, pay)

    def _is_supply_taken(self, target: Stack) -> bool:
        """Return whether an attacked Royal Guard always loses a coin of its supply."""
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


Plan = tuple[Do, ...]
MANEUVER_REACH = 2
"""The reach in hexes of an Ensign, a Marshall, an Archer and a Crossbowman."""


def plan_maneuver(view: State, seat: Seat, order: AnyOrder) -> Plan:
    """Return the steps of the maneuver that an order makes. Raises IllegalManeuver.

    Source: clauses 5.move to 5.tactic, and those of the units.
    """
    maneuver = order.maneuver
    if maneuver is None:
        return ()
    walk = ManeuverWalk(view, seat)
    steps = list(maneuver.steps)
    assert steps, "a maneuver has a step"
    if not view.units(seat, maneuver.card):
        raise IllegalManeuver("not-on-board", card=maneuver.card)
    if maneuver.royal and maneuver.card != ROYAL_GUARD:
        raise IllegalManeuver("royal-coin", card=maneuver.card)
    if steps[0].card != maneuver.card:
        last = _lead_maneuver(walk, maneuver.card, steps)
    elif maneuver.card == FOOTMAN and len(steps) == 2:
        last = _footmen(walk, steps)
    else:
        last = _own(walk, maneuver, steps)
    _attributes(walk, last, steps)
    if steps:
        raise IllegalManeuver("too-much", card=last.card)
    return tuple(walk.plan)


def _lead_maneuver(walk: ManeuverWalk, leader: Card, steps: list[ManeuverStep]) -> Do:
    """Make a maneuver led by an Ensign or a Marshall. Source: clauses 6.ensign, 6.marshall."""
    step = steps.pop(0)
    wanted: Mapping[Card, str] = {ENSIGN: "move", MARSHALL: "attack"}
    if leader not in wanted:
        raise IllegalManeuver("leads-nobody", card=leader)
    if step.act != wanted[leader]:
        raise IllegalManeuver("not-what-it-grants", card=leader, other=step.card)
    at = walk.state.units(walk.seat, leader)[0].at
    unit = walk.find(step)
    if distance(at, unit.at) > MANEUVER_REACH:
        raise IllegalManeuver("out-of-earshot", card=leader, other=step.card, at=at)
    done = walk.maneuver(unit, step)
    if leader == ENSIGN and distance(at, done.to) > MANEUVER_REACH:
        raise IllegalManeuver("out-of-earshot", card=leader, other=step.card, at=at)
    return done


def _footmen(walk: ManeuverWalk, steps: list[ManeuverStep]) -> Do:
    """Make one maneuver with each of two Footmen. Source: clause 6.footman."""
    first, second = steps.pop(0), steps.pop(0)
    first_unit = walk.find(first)
    done = walk.maneuver(first_unit, first)
    where = done.to if done.act == "move" else done.at
    other = walk.find(second, except_on=where)
    return walk.maneuver(other, second)


def _own(walk: ManeuverWalk, order: Maneuver, steps: list[ManeuverStep]) -> Do:
    """Make a unit's own tactic, or a normal maneuver."""
    unit = walk.find(steps[0])
    if order.royal:
        return _march(walk, unit, steps)
    tactic = TACTICS.get(order.card)
    done = tactic(walk, unit, steps) if tactic else None
    return done or walk.maneuver(unit, steps.pop(0))


def _attributes(walk: ManeuverWalk, last: Do, steps: list[ManeuverStep]) -> None:
    """Make the steps that a unit can add to its maneuver. Source: clauses 6.swordsman, 6.berserker."""
    if last.card == SWORDSMAN and last.act == "attack" and steps:
        step = steps.pop(0)
        if step.act != "move":
            raise IllegalManeuver("only-a-move", card=last.card)
        walk.maneuver(walk.survivor(last), step)
    while last.card == BERSERKER and steps:
        unit = walk.survivor(last)
        if unit.height < 2:
            raise IllegalManeuver("last-coin", card=last.card)
        walk.put(replace_fields(unit, height=unit.height - 1))
        last = walk.maneuver(walk.survivor(last), steps.pop(0), pay=True)


def _charge(walk: ManeuverWalk, unit: Stack, steps: list[ManeuverStep]) -> Do | None:
    """Move one hex, then attack; None if the steps are others. Source: clause 6.cavalry."""
    if [step.act for step in steps[:2]] != ["move", "attack"]:
        return None
    done = walk.maneuver(unit, steps.pop(0))
    return walk.maneuver(walk.survivor(done), steps.pop(0))


def _shot(in_line: bool) -> Callable[[ManeuverWalk, Stack, list[ManeuverStep]], Do | None]:
    """Return the tactic that attacks a unit two hexes away. Source: clauses 6.archer, 6.crossbowman."""

    def shoot(walk: ManeuverWalk, unit: Stack, steps: list[ManeuverStep]) -> Do | None:
        step = steps[0]
        if step.act != "attack":
            return None
        target = walk.target(unit, step)
        if distance(unit.at, target.at) != MANEUVER_REACH:
            return None
        between = hexes_between(unit.at, target.at) if in_line else ()
        if between is None:
            raise IllegalManeuver("no-straight-line", card=unit.card, at=target.at)
        if any(at in walk.stacks for at in between):
            raise IllegalManeuver("line-blocked", card=unit.card, at=target.at, by=between[0])
        steps.pop(0)
        return walk.strike(unit, target)

    return shoot


def _lance(walk: ManeuverWalk, unit: Stack, steps: list[ManeuverStep]) -> Do | None:
    """Move one or two hexes straight ahead, then attack the next hex; None if the steps are others.

    Source: clause 6.lancer.
    """
    moves = [step for step in steps if step.act == "move"]
    if len(steps) == len(moves) or len(moves) not in (1, 2):
        return None
    goal = walk.hex(moves[-1])
    ahead = hexes_between(unit.at, goal)
    if ahead is None or distance(unit.at, goal) > 2:
        raise IllegalManeuver("no-straight-line", card=unit.card, at=goal)
    start = unit
    for to in (*ahead, goal):
        done = walk.move(unit, to)
        unit = walk.survivor(done)
    del steps[: len(moves)]
    step = steps.pop(0)
    target = walk.target(unit, step)
    if target.at != next_in_line(start.at, goal):
        raise IllegalManeuver("not-straight-ahead", card=unit.card, at=target.at)
    return walk.strike(unit, target)


def _ride(walk: ManeuverWalk, unit: Stack, steps: list[ManeuverStep]) -> Do | None:
    """Move two hexes; None if the steps are others. Source: clause 6.light_cavalry."""
    moves = [step for step in steps if step.act == "move"]
    if len(moves) == 2:
        del steps[:2]
        done = walk.move(unit, walk.hex(moves[0]))
        return walk.move(walk.survivor(done), walk.hex(moves[1]))
    if len(moves) == 1 and distance(unit.at, walk.hex(moves[0])) == 2:
        return walk.two_steps(unit, walk.hex(steps.pop(0)))
    return None


def _march(walk: ManeuverWalk, unit: Stack, steps: list[ManeuverStep]) -> Do:
    """Move one or two hexes to an own location, for the Royal Coin. Source: clause 6.royal_guard."""
    if any(step.act != "move" for step in steps):
        raise IllegalManeuver("royal-coin", card=unit.card)
    goal = walk.hex(steps[-1])
    if walk.state.control.get(goal) != walk.seat:
        raise IllegalManeuver("not-your-location", card=unit.card, at=goal)
    done = _ride(walk, unit, steps)
    return done or walk.maneuver(unit, steps.pop(0))


TACTICS: Mapping[Card, Callable[[ManeuverWalk, Stack, list[ManeuverStep]], Do | None]] = {
    ARCHER: _shot(in_line=False),
    CAVALRY: _charge,
    CROSSBOWMAN: _shot(in_line=True),
    LANCER: _lance,
    LIGHT_CAVALRY: _ride,
}
"""The tactics by card. A tactic removes its steps from the list, or returns None for a normal maneuver."""
