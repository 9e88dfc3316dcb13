"""What an order may be: why it is unlawful, or exactly what it sets in motion.

`check` and the playing of an order use the same plan, so that they cannot disagree.
"""

from collections.abc import Callable, Mapping, Sequence

from games.protocol import Objection, Seat
from games.record import changed
from games.war_chest.cards import (
    ARCHER,
    BERSERKER,
    CAVALRY,
    CROSSBOWMAN,
    ENSIGN,
    FOOTMAN,
    KNIGHT,
    LANCER,
    LIGHT_CAVALRY,
    LOCATIONS,
    MARSHALL,
    MERCENARY,
    PIKEMAN,
    ROYAL,
    ROYAL_GUARD,
    SCOUT,
    SWORDSMAN,
    UNITS,
    Card,
    Coin,
)
from games.war_chest.hexes import AXIAL, NEIGHBOURS, Hex, apart, beyond, in_order, line
from games.war_chest.model import (
    AnyOrder,
    Bolster,
    ChooseLoss,
    Claim,
    Deploy,
    Do,
    Lose,
    Maneuver,
    Pass,
    Pick,
    Recruit,
    Stack,
    State,
    Step,
    UseDrawn,
)

Plan = tuple[Do, ...]
REACH = 2
"""How far Ensign and Marshall are heard, and how far Archer and Crossbowman shoot."""


class Unlawful(Exception):
    """Why a plan cannot be made."""

    def __init__(self, code: str, **detail: str) -> None:
        super().__init__(code)
        self.objection = Objection(code=code, detail=detail)


def objection(view: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Why the order is unlawful for this seat now, or None."""
    try:
        _examine(view, seat, order)
    except Unlawful as fault:
        return fault.objection
    return None


def plan(view: State, seat: Seat, order: Maneuver | Recruit) -> Plan:
    """The maneuvers that a lawful order consists of, one after the other."""
    return _recruit_plan(view, seat, order) if isinstance(order, Recruit) else _plan(view, seat, order)


def coins(view: State, seat: Seat) -> tuple[Coin, ...]:
    """The coins that a seat may play now: the one a Warrior Priest drew, or its hand."""
    side = view.sides[seat]
    if view.agenda and isinstance(view.agenda[0], UseDrawn) and view.agenda[0].seat == seat:
        return () if side.drawn is None else (side.drawn,)
    return side.hand


def coin_of(view: State, seat: Seat, order: AnyOrder) -> Coin:
    """The coin that a lawful order is paid with."""
    return _coin(view, seat, order)


def payment(order: AnyOrder, have: Sequence[Coin]) -> Coin | None:
    """The coin that an order takes of those that a seat has; None where it does not say which it wants."""
    if isinstance(order, Claim | Pass | Recruit):
        if order.coin is not None or ROYAL in have:
            return order.coin or ROYAL
        return have[0] if len(set(have)) == 1 else None
    if isinstance(order, Pick | Lose):
        return None
    return ROYAL if isinstance(order, Maneuver) and order.royal else order.card


def deploy_hexes(view: State, seat: Seat, card: Card) -> tuple[Hex, ...]:
    """Where a unit of a card may be deployed: clause 5.deploy, and for the Scout clause 6.scout."""
    occupied = {stack.at for stack in view.stacks}
    places = {one for one, owner in view.control.items() if owner == seat}
    if card == SCOUT:
        places |= {near for stack in view.units(seat) for near in NEIGHBOURS[stack.at]}
    return in_order(places - occupied)


def _examine(view: State, seat: Seat, order: AnyOrder) -> None:
    """Raises Unlawful."""
    if isinstance(order, Pick):
        if order.card not in view.offer:
            raise Unlawful("not-offered", card=order.card, near=" ".join(view.offer))
        return
    if isinstance(order, Lose):
        if not (view.agenda and isinstance(view.agenda[0], ChooseLoss) and view.agenda[0].seat == seat):
            raise Unlawful("not-asked")
        return
    if view.picks:
        raise Unlawful("draft-first")
    _coin(view, seat, order)
    if isinstance(order, Deploy):
        _examine_deploy(view, seat, order)
    elif isinstance(order, Bolster):
        _one(view.units(seat, order.card), order.card, order.at)
    elif isinstance(order, Claim):
        _examine_claim(view, seat)
    elif isinstance(order, Recruit):
        _recruit_plan(view, seat, order)
    elif isinstance(order, Maneuver):
        _plan(view, seat, order)


def _coin(view: State, seat: Seat, order: AnyOrder) -> Coin:
    """Source: clauses 5.match, 5.royal, V.coin."""
    have = coins(view, seat)
    coin = payment(order, have)
    if coin is None:
        if not have:
            raise Unlawful("hand-empty")
        raise Unlawful("which-coin", have=" ".join(have), near=" ".join(have))
    if coin not in have:
        raise Unlawful("no-coin", coin=coin, have=" ".join(have))
    if coin == ROYAL and isinstance(order, Deploy | Bolster):
        raise Unlawful("royal-coin", card=coin)
    return coin


def _examine_deploy(view: State, seat: Seat, order: Deploy) -> None:
    """Source: clauses 5.deploy, 6.footman, 6.scout."""
    standing = view.units(seat, order.card)
    if len(standing) >= UNITS[order.card].most_on_board:
        raise Unlawful("on-board-already", card=order.card, at=standing[0].at)
    open_to = deploy_hexes(view, seat, order.card)
    if order.at not in open_to:
        code = "hex-occupied" if view.stack_at(order.at) else "not-yours-to-deploy"
        raise Unlawful(code, card=order.card, at=order.at, near=" ".join(open_to))


def _examine_claim(view: State, seat: Seat) -> None:
    """Source: clause 5.claim."""
    if view.is_solo:
        raise Unlawful("no-initiative")
    if view.claimed:
        raise Unlawful("claimed-already")
    if view.initiative == seat:
        raise Unlawful("initiative-yours")


def _recruit_plan(view: State, seat: Seat, order: Recruit) -> Plan:
    """Source: clauses 5.recruit, 6.mercenary."""
    supply = view.sides[seat].supply
    if not supply.get(order.card):
        left = " ".join(card for card, count in supply.items() if count)
        raise Unlawful("supply-empty", card=order.card, near=left)
    if not order.then:
        return ()
    if order.card != MERCENARY or order.then[0].card != MERCENARY or len(order.then) != 1:
        raise Unlawful("no-follow-up", card=order.card)
    walk = _Walk(view, seat)
    unit = walk.find(order.then[0])
    walk.maneuver(unit, order.then[0])
    return tuple(walk.plan)


def _plan(view: State, seat: Seat, order: Maneuver) -> Plan:
    """Source: clauses 5.move to 5.tactic, and those of the units."""
    walk = _Walk(view, seat)
    steps = list(order.steps)
    assert steps, "a maneuver has a step"
    if not view.units(seat, order.card):
        raise Unlawful("not-on-board", card=order.card)
    if order.royal and order.card != ROYAL_GUARD:
        raise Unlawful("royal-coin", card=order.card)
    if steps[0].card != order.card:
        last = _granted(walk, order.card, steps)
    elif order.card == FOOTMAN and len(steps) == 2:
        last = _footmen(walk, steps)
    else:
        last = _own(walk, order, steps)
    _attributes(walk, last, steps)
    if steps:
        raise Unlawful("too-much", card=last.card)
    return tuple(walk.plan)


def _granted(walk: "_Walk", leader: Card, steps: list[Step]) -> Do:
    """A maneuver at the word of an Ensign or a Marshall. Source: clauses 6.ensign, 6.marshall."""
    step = steps.pop(0)
    wanted: Mapping[Card, str] = {ENSIGN: "move", MARSHALL: "attack"}
    if leader not in wanted:
        raise Unlawful("leads-nobody", card=leader)
    if step.act != wanted[leader]:
        raise Unlawful("not-what-it-grants", card=leader, other=step.card)
    at = walk.state.units(walk.seat, leader)[0].at
    unit = walk.find(step)
    if apart(at, unit.at) > REACH:
        raise Unlawful("out-of-earshot", card=leader, other=step.card, at=at)
    done = walk.maneuver(unit, step)
    if leader == ENSIGN and apart(at, done.to) > REACH:
        raise Unlawful("out-of-earshot", card=leader, other=step.card, at=at)
    return done


def _footmen(walk: "_Walk", steps: list[Step]) -> Do:
    """One maneuver of each of two Footmen. Source: clause 6.footman."""
    first, second = steps.pop(0), steps.pop(0)
    one = walk.find(first)
    done = walk.maneuver(one, first)
    where = done.to if done.act == "move" else done.at
    other = walk.find(second, besides=where)
    return walk.maneuver(other, second)


def _own(walk: "_Walk", order: Maneuver, steps: list[Step]) -> Do:
    """A unit's own maneuver or tactic."""
    unit = walk.find(steps[0])
    if order.royal:
        return _march(walk, unit, steps)
    tactic = TACTICS.get(order.card)
    done = tactic(walk, unit, steps) if tactic else None
    return done or walk.maneuver(unit, steps.pop(0))


def _attributes(walk: "_Walk", last: Do, steps: list[Step]) -> None:
    """What a unit may do after its maneuver. Source: clauses 6.swordsman, 6.berserker."""
    if last.card == SWORDSMAN and last.act == "attack" and steps:
        step = steps.pop(0)
        if step.act != "move":
            raise Unlawful("only-a-move", card=last.card)
        walk.maneuver(walk.survivor(last), step)
    while last.card == BERSERKER and steps:
        unit = walk.survivor(last)
        if unit.height < 2:
            raise Unlawful("last-coin", card=last.card)
        walk.put(changed(unit, height=unit.height - 1))
        last = walk.maneuver(walk.survivor(last), steps.pop(0), pay=True)


def _charge(walk: "_Walk", unit: Stack, steps: list[Step]) -> Do | None:
    """Move one, then attack. Source: clause 6.cavalry."""
    if [step.act for step in steps[:2]] != ["move", "attack"]:
        return None
    done = walk.maneuver(unit, steps.pop(0))
    return walk.maneuver(walk.survivor(done), steps.pop(0))


def _shot(in_line: bool) -> Callable[["_Walk", Stack, list[Step]], Do | None]:
    """An attack on what stands two hexes away. Source: clauses 6.archer, 6.crossbowman."""

    def shoot(walk: "_Walk", unit: Stack, steps: list[Step]) -> Do | None:
        step = steps[0]
        if step.act != "attack":
            return None
        target = walk.target(unit, step)
        if apart(unit.at, target.at) != REACH:
            return None
        between = line(unit.at, target.at) if in_line else ()
        if between is None:
            raise Unlawful("no-straight-line", card=unit.card, at=target.at)
        if any(one in walk.stacks for one in between):
            raise Unlawful("line-blocked", card=unit.card, at=target.at, by=between[0])
        steps.pop(0)
        return walk.strike(unit, target)

    return shoot


def _lance(walk: "_Walk", unit: Stack, steps: list[Step]) -> Do | None:
    """One or two hexes straight ahead, then an attack on the next. Source: clause 6.lancer."""
    moves = [step for step in steps if step.act == "move"]
    if len(steps) == len(moves) or len(moves) not in (1, 2):
        return None
    goal = walk.hex(moves[-1])
    ahead = line(unit.at, goal)
    if ahead is None or apart(unit.at, goal) > 2:
        raise Unlawful("no-straight-line", card=unit.card, at=goal)
    start = unit
    for to in (*ahead, goal):
        done = walk.walk(unit, to)
        unit = walk.survivor(done)
    del steps[: len(moves)]
    step = steps.pop(0)
    target = walk.target(unit, step)
    if target.at != beyond(start.at, goal):
        raise Unlawful("not-straight-ahead", card=unit.card, at=target.at)
    return walk.strike(unit, target)


def _ride(walk: "_Walk", unit: Stack, steps: list[Step]) -> Do | None:
    """Two steps. Source: clause 6.light_cavalry."""
    moves = [step for step in steps if step.act == "move"]
    if len(moves) == 2:
        del steps[:2]
        done = walk.walk(unit, walk.hex(moves[0]))
        return walk.walk(walk.survivor(done), walk.hex(moves[1]))
    if len(moves) == 1 and apart(unit.at, walk.hex(moves[0])) == 2:
        return walk.two_steps(unit, walk.hex(steps.pop(0)))
    return None


def _march(walk: "_Walk", unit: Stack, steps: list[Step]) -> Do:
    """One or two steps to an own location, for the Royal Coin. Source: clause 6.royal_guard."""
    if any(step.act != "move" for step in steps):
        raise Unlawful("royal-coin", card=unit.card)
    goal = walk.hex(steps[-1])
    if walk.state.control.get(goal) != walk.seat:
        raise Unlawful("not-your-location", card=unit.card, at=goal)
    done = _ride(walk, unit, steps)
    return done or walk.maneuver(unit, steps.pop(0))


TACTICS: Mapping[Card, Callable[["_Walk", Stack, list[Step]], Do | None]] = {
    ARCHER: _shot(in_line=False),
    CAVALRY: _charge,
    CROSSBOWMAN: _shot(in_line=True),
    LANCER: _lance,
    LIGHT_CAVALRY: _ride,
}
"""By card, its own tactic: it takes what it needs of the steps, or leaves them to an ordinary maneuver."""


class _Walk:
    """An order tried out on a copy of the board, step by step; `plan` is what was done."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.stacks = {stack.at: stack for stack in state.stacks}
        self.control = dict(state.control)
        self.plan: list[Do] = []

    def put(self, stack: Stack) -> None:
        self.stacks[stack.at] = stack

    def find(self, step: Step, besides: Hex | None = None) -> Stack:
        units = [s for s in self.stacks.values() if (s.seat, s.card) == (self.seat, step.card)]
        return _one([unit for unit in units if unit.at != besides], step.card, step.at)

    def survivor(self, done: Do) -> Stack:
        """The unit after what it has done."""
        at = done.to if done.act == "move" else done.at
        unit = self.stacks.get(at)
        if unit is None or unit.seat != self.seat:
            raise Unlawful("will-be-lost", card=done.card)
        return unit

    def hex(self, step: Step) -> Hex:
        if step.to is None or step.to not in AXIAL:
            raise Unlawful("where-to", card=step.card)
        return Hex(step.to)

    def target(self, unit: Stack, step: Step) -> Stack:
        """The enemy unit that a step means, by its hex or its name."""
        named = step.to in UNITS
        found = [
            s for s in self.stacks.values() if s.seat != self.seat and step.to in (s.card if named else s.at,)
        ]
        if not found:
            foes = in_order(s.at for s in self.stacks.values() if s.seat != self.seat)
            raise Unlawful("no-target", card=unit.card, to=str(step.to), near=" ".join(foes))
        if len(found) > 1:
            raise Unlawful("which-one", card=found[0].card, near=" ".join(s.at for s in found))
        return found[0]

    def maneuver(self, unit: Stack, step: Step, *, pay: bool = False) -> Do:
        """An ordinary maneuver: one step, an attack on a neighbour, or control."""
        if step.act == "move":
            return self.walk(unit, self.hex(step), pay=pay)
        if step.act == "control":
            return self.take(unit, step, pay=pay)
        if not UNITS[unit.card].normal_attack:
            raise Unlawful("no-normal-attack", card=unit.card)
        target = self.target(unit, step)
        if target.at not in NEIGHBOURS[unit.at]:
            raise Unlawful("too-far", card=unit.card, at=unit.at, to=target.at)
        return self.strike(unit, target, pay=pay)

    def walk(self, unit: Stack, to: Hex, *, pay: bool = False) -> Do:
        """Source: clause 5.move."""
        free = " ".join(one for one in NEIGHBOURS[unit.at] if one not in self.stacks)
        if to not in NEIGHBOURS[unit.at]:
            raise Unlawful("too-far", card=unit.card, at=unit.at, to=to, near=free)
        if to in self.stacks:
            raise Unlawful("hex-occupied", card=unit.card, at=to, near=free)
        del self.stacks[unit.at]
        self.put(changed(unit, at=to))
        return self._done(unit, "move", to, pay)

    def two_steps(self, unit: Stack, to: Hex) -> Do:
        ways = [one for one in NEIGHBOURS[unit.at] if one in NEIGHBOURS[to] and one not in self.stacks]
        if not ways:
            raise Unlawful("no-way", card=unit.card, at=to)
        first = self.walk(unit, ways[0])
        return self.walk(self.survivor(first), to)

    def take(self, unit: Stack, step: Step, *, pay: bool = False) -> Do:
        """Source: clause 5.control."""
        if step.to not in (None, unit.at):
            raise Unlawful("stands-elsewhere", card=unit.card, at=unit.at, to=str(step.to))
        if unit.at not in LOCATIONS:
            raise Unlawful("no-location", card=unit.card, at=unit.at)
        if self.control.get(unit.at) == self.seat:
            raise Unlawful("yours-already", card=unit.card, at=unit.at)
        self.control[unit.at] = self.seat
        return self._done(unit, "control", unit.at, pay)

    def strike(self, unit: Stack, target: Stack, *, pay: bool = False) -> Do:
        """Source: clauses 5.attack, 6.knight, 6.pikeman."""
        if target.card == KNIGHT and unit.height < 2:
            raise Unlawful("knight", card=unit.card, at=target.at)
        if not self._spared(target):
            self._hurt(target)
        if target.card == PIKEMAN and apart(unit.at, target.at) == 1:
            self._hurt(unit)
        return self._done(unit, "attack", target.at, pay)

    def _spared(self, target: Stack) -> bool:
        """Whether the owner is known to give a coin of the supply in its place."""
        guard = target.card == ROYAL_GUARD and self.state.options["royal_guard"] == "supply"
        return guard and bool(self.state.sides[target.seat].supply.get(target.card))

    def _hurt(self, stack: Stack) -> None:
        del self.stacks[stack.at]
        if stack.height > 1:
            self.put(changed(stack, height=stack.height - 1))

    def _done(self, unit: Stack, act: str, to: Hex, pay: bool) -> Do:
        done = Do(seat=self.seat, card=unit.card, at=unit.at, act=act, to=to, pay=pay)  # type: ignore[arg-type]
        self.plan.append(done)
        return done


def _one(units: Sequence[Stack], card: Card, at: Hex | None) -> Stack:
    """The unit that is meant. Raises Unlawful."""
    if not units:
        raise Unlawful("not-on-board", card=card)
    if at is not None:
        units = [unit for unit in units if unit.at == at]
        if not units:
            raise Unlawful("not-there", card=card, at=at)
    if len(units) > 1:
        raise Unlawful("which-one", card=card, near=" ".join(unit.at for unit in units))
    return units[0]
