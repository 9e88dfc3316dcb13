"""One movement season of the honest bot: who goes where, who supports whom, and why.

The nearest prize comes first, no two go to one place, and who cannot go supports.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from games.dice import Dice
from games.diplomacy.board import Board
from games.diplomacy.bots.terrain import FAR, Situation
from games.diplomacy.model import (
    NEUTRAL,
    BuildCanoe,
    Convoy,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
)
from games.diplomacy.phrases import KINDS
from games.protocol import Choice

T = TypeVar("T")

_COUNT = ("no steps", "next door", "two steps", "three steps", "four steps", "five steps", "six steps")


def plan(situation: Situation, dice: Dice) -> tuple[Choice[UnitOrder], ...]:
    """An order for each unit of the seat, in board order, each with its reason."""
    campaign = _Campaign(situation, dice)
    campaign.cross()
    campaign.stay()
    campaign.attack()
    campaign.ferry()
    campaign.advance()
    campaign.support()
    return tuple(campaign.choices[unit] for unit in situation.mine)


def best(items: Sequence[T], key: Callable[[T], tuple[int, ...]], dice: Dice, label: str) -> T:
    """The item with the smallest key; the dice decide between equals, and are thrown for nothing else."""
    least = min(map(key, items))
    equals = [item for item in items if key(item) == least]
    return dice.pick(label, equals) if len(equals) > 1 else equals[0]


@dataclass
class _Campaign:
    """The season being planned; `choices` grows until every unit has its order."""

    situation: Situation
    dice: Dice
    choices: dict[Unit, Choice[UnitOrder]] = field(default_factory=dict)
    taken: set[Province] = field(default_factory=set)

    @property
    def board(self) -> Board:
        return self.situation.board

    def idle(self) -> tuple[Unit, ...]:
        """Units without an order yet, in board order."""
        return tuple(unit for unit in self.situation.mine if unit not in self.choices)

    def order(self, unit: Unit, order: UnitOrder, reason: str) -> None:
        """Settle what a unit does; the place where it will stand is taken from then on."""
        self.choices[unit] = Choice(order=order, reason=reason)
        self.taken.add(order.to if isinstance(order, Move) else unit.at)

    def cross(self) -> None:
        """Who is on a water that takes a year to cross waits until he may come off it."""
        for unit in self.situation.mine:
            if self.situation.is_held(unit):
                since = self.situation.view.bay_entered[unit.at]
                reason = f"crosses {self.board.name(unit.at)}, since {since}: a whole year"
                self.order(unit, Hold(unit=unit.piece), reason)

    def stay(self) -> None:
        """Who stands on a prize keeps it until Fall is over; in Fall own centres are covered too."""
        situation, fall = self.situation, self.situation.view.phase.season == "F"
        for unit in self.idle():
            if unit.at in self.board.centres and situation.view.centres.get(unit.at) != situation.seat:
                self.order(unit, Hold(unit=unit.piece), f"stays to take {self.board.name(unit.at)}")
            elif fall and unit.at in situation.owned and situation.enemies(unit.at):
                self.order(unit, Hold(unit=unit.piece), self._covers(unit.at))
        for centre in situation.owned if fall else ():
            if centre not in situation.standing and situation.enemies(centre):
                self._send_home(centre)

    def attack(self) -> None:
        """Take what the units next door are strong enough to take, the easiest prize first."""
        situation = self.situation
        waiting = sorted(
            situation.prizes, key=lambda prize: (situation.strength_wanted(prize), *self._rank(prize))
        )
        for prize in waiting:
            wanted = situation.strength_wanted(prize)
            near = [unit for unit in self.idle() if prize in situation.reach(unit)]
            if not near and wanted == 1:
                near = [unit for unit in self.idle() if prize in situation.landings(unit)]
            if prize in self.taken or len(near) < wanted:
                continue
            lead = best(near, lambda unit: (self._worth(unit),), self.dice, f"lead/{prize}")
            self.order(lead, situation.move(lead, prize), self._attacks(prize))
            others = [unit for unit in near if unit != lead]
            for unit in sorted(others, key=self._worth)[: wanted - 1]:
                self._back(unit, lead, prize)

    def ferry(self) -> None:
        """An army crosses a water to a prize that nobody holds, carried by a fleet that is there."""
        situation = self.situation
        for fleet in self.idle():
            shores = self.board.fleet[fleet.at]
            if fleet.kind != "F" or self.board.is_land(fleet.at):
                continue
            free = [prize for prize in situation.prizes if prize in shores and prize not in self.taken]
            for prize in free:
                armies = [
                    unit
                    for unit in self.idle()
                    if unit.kind == "A" and unit.at in shores and prize not in situation.reach(unit)
                ]
                if armies and situation.strength_wanted(prize) == 1:
                    army = best(armies, lambda unit: (self._worth(unit),), self.dice, f"ferry/{prize}")
                    name = self.board.name(prize)
                    convoy = Convoy(unit=fleet.piece, other=army.piece, to=prize)
                    self.order(
                        army, Move(unit=army.piece, to=prize), f"crosses to {name}, {self._attacks(prize)}"
                    )
                    self.order(fleet, convoy, f"carries an army to {name}")
                    break

    def advance(self) -> None:
        """The others go towards the nearest prize, nobody to where somebody of ours goes or stays."""
        heading: dict[Province, int] = {}
        for choice in self.choices.values():
            if isinstance(choice.order, Move):
                heading[choice.order.to] = FAR
        prizes = self.situation.prizes
        ways = {unit: {prize: self.situation.way(unit, prize) for prize in prizes} for unit in self.idle()}
        waiting = sorted(
            ways, key=lambda unit: min((way.get(unit.at, FAR) for way in ways[unit].values()), default=FAR)
        )
        for unit in waiting:
            paths = ways[unit]
            goals = [
                prize
                for prize, steps in paths.items()
                if unit.at in steps and heading.get(prize, 0) < self.situation.strength_wanted(prize)
            ]
            for goal in sorted(goals, key=lambda prize: paths[prize][unit.at] + self._is_owned(prize))[:4]:
                if self._step(unit, goal, paths[goal][unit.at], paths[goal].get):
                    heading[goal] = heading.get(goal, 0) + 1
                    break

    def support(self) -> None:
        """Who has nowhere to go supports an attack next door, then a comrade in danger, or stands."""
        for unit in self.idle():
            if not self._support_attack(unit) and not self._support_hold(unit):
                self.order(unit, Hold(unit=unit.piece), "waits: nowhere better to go, nobody to support")

    def _send_home(self, centre: Province) -> None:
        near = [unit for unit in self.idle() if centre in self.situation.reach(unit)]
        if near:
            unit = best(near, lambda unit: (unit.at in self.situation.owned,), self.dice, f"cover/{centre}")
            self.order(unit, self.situation.move(unit, centre), self._covers(centre))

    def _step(self, unit: Unit, goal: Province, distance: int, steps: Callable[[Province, int], int]) -> bool:
        situation = self.situation
        nearer = [
            place
            for place in (*situation.reach(unit), *situation.landings(unit))
            if steps(place, FAR) < distance and place not in self.taken and self._is_open(place)
        ]
        ways = [place for place in nearer if place != situation.shunned]
        name, far = self.board.name(goal), _COUNT[distance] if distance < len(_COUNT) else f"{distance} steps"
        reason = f"towards {name}, the nearest centre to win, {far} away"
        if not ways:
            return self._embark(unit, distance, steps, reason)
        to = best(
            ways,
            lambda place: (len(situation.enemies(place)) > 1, situation.is_ours(place)),
            self.dice,
            f"step/{unit.at}/{goal}",
        )
        self.order(unit, situation.move(unit, to), self._attacks(goal) if to == goal else reason)
        return True

    def _embark(self, unit: Unit, distance: int, steps: Callable[[Province, int], int], reason: str) -> bool:
        """Take to the water if that is the way: in a canoe-fleet that lies there, else one is built first."""
        waters = [
            place
            for place in self.board.fleet[unit.at]
            if steps(place, FAR) < distance
            and not self.board.is_land(place)
            and place not in self.taken
            and place not in self.situation.standing
        ]
        if not waters or unit.kind != "W" or self.situation.is_afloat(unit):
            return False
        if self.situation.view.canoes.get(unit.at):
            to = min(waters, key=lambda place: (steps(place, FAR), self.board.index[place]))
            self.order(unit, Move(unit=unit.piece, to=to, canoe=True), f"by canoe {reason}")
        elif self.situation.enemies(unit.at):
            return False
        else:
            self.order(unit, BuildCanoe(unit=unit.piece), f"builds a canoe-fleet: {reason}")
        return True

    def _is_open(self, place: Province) -> bool:
        """Empty, or about to be left by a comrade."""
        unit = self.situation.standing.get(place)
        return unit is None or (unit in self.choices and isinstance(self.choices[unit].order, Move))

    def _support_attack(self, unit: Unit) -> bool:
        for lead, choice in self.choices.items():
            order = choice.order
            if (
                isinstance(order, Move)
                and order.to in self.situation.prizes
                and order.to in self.situation.reach(unit)
            ):
                self._back(unit, lead, order.to)
                return True
        return False

    def _support_hold(self, unit: Unit) -> bool:
        for other, choice in self.choices.items():
            stands = not isinstance(choice.order, Move) and other.at in self.situation.reach(unit)
            if stands and self.situation.enemies(other.at):
                reason = f"supports {self.board.name(other.at)}: {self._enemy(other.at)} next door"
                self.order(unit, SupportHold(unit=unit.piece, other=other.piece), reason)
                return True
        return False

    def _back(self, unit: Unit, lead: Unit, prize: Province) -> None:
        order = SupportMove(unit=unit.piece, other=lead.piece, to=prize)
        self.order(unit, order, f"supports the attack on {self.board.name(prize)}")

    def _worth(self, unit: Unit) -> int:
        """How much a unit is wanted where it stands: a covered centre most of all."""
        return 2 * (unit.at in self.situation.owned) + bool(self.situation.enemies(unit.at))

    def _rank(self, prize: Province) -> tuple[int, int]:
        return (self._is_owned(prize), self.board.index[prize])

    def _is_owned(self, prize: Province) -> bool:
        """Whether a nation will want it back; such a centre counts as a step farther than it is."""
        return prize in self.situation.view.centres

    def _enemy(self, place: Province) -> str:
        return str(self.situation.enemies(place)[0].power)

    def _covers(self, centre: Province) -> str:
        return f"covers {self.board.name(centre)}: {self._enemy(centre)} next door"

    def _attacks(self, prize: Province) -> str:
        unit = self.situation.standing.get(prize)
        if unit is None:
            owner = self.situation.view.centres.get(prize)
            return f"nearest centre of {owner}, left empty" if owner else "nearest unowned centre, next door"
        whose = "the neutral" if unit.power == NEUTRAL else f"the {unit.power}"
        return f"attacks {whose} {KINDS[unit.kind]} in {self.board.name(prize)} with support"
