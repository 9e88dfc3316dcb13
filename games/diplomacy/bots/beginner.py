"""The beginner: the War Chest automaton's priorities, unit by unit, as many as the pool lets act."""

from dataclasses import dataclass, field
from functools import cached_property

from games import pool
from games.dice import Dice
from games.diplomacy.bots.distances import FAR
from games.diplomacy.bots.lists import choose, goals, of_unit, sites, steps
from games.diplomacy.bots.motives import Attacks, Backs, Crosses, Heads, Keeps, Planned, Rests, Takes, Waits
from games.diplomacy.bots.player import Player
from games.diplomacy.bots.situation import Situation
from games.diplomacy.model import Hold, Province, SupportMove, Unit, parted
from games.priorities import Criterion

SQUAD = 3
"""For every three units, or what is left of them, a round is drawn from the pool."""


class Beginner(Player):
    """Plays by the order of priorities alone, and tires."""

    def moves(self, situation: Situation, dice: Dice) -> tuple[Planned, ...]:
        """An order for each unit: some act, by the priorities; the others stay where they are."""
        season = _Season(situation, dice)
        season.stay()
        ready = season.idle()
        allowed = actions(dice, len(ready))
        while season.acted < allowed and season.act():
            pass
        for unit in season.idle():
            season.planned[unit] = Planned(Hold(unit=unit.piece), Rests(actions=allowed, units=len(ready)))
        return tuple(season.planned[unit] for unit in situation.mine)


def actions(dice: Dice, units: int) -> int:
    """How many of so many units act in a season.

    A bot remembers nothing, so that all eleven counters lie open when a season begins: a round is drawn for
    every three units, its counter is flipped, and the next round is drawn from what is left.

    Source: The Second Boer War, solitaire rules, steps 1 to 3.
    """
    total, counters = 0, pool.Counters()
    for number in range(-(-units // SQUAD)):
        done = pool.actions(dice, f"pool/{number}", counters)
        total, counters = total + done, counters.after(done)
        if not counters.rounds:
            counters = pool.Counters()
    return min(total, units)


@dataclass
class _Season:
    """The season being planned; `planned` grows until every unit has its order.

    acted: how many have acted; aims: how many go for each place, those who support it included.
    """

    situation: Situation
    dice: Dice
    planned: dict[Unit, Planned] = field(default_factory=dict)
    aims: dict[Province, list[Unit]] = field(default_factory=dict)
    acted: int = 0

    @cached_property
    def turns(self) -> tuple[Criterion[Unit], ...]:
        """By what it is decided who acts next."""
        return sites(self.situation, "the unit", of_unit)

    def idle(self) -> tuple[Unit, ...]:
        """Units without an order yet, in board order."""
        return tuple(unit for unit in self.situation.mine if unit not in self.planned)

    def stay(self) -> None:
        """Who stands on a centre to win keeps it, and who crosses a water waits: that takes no action."""
        for unit in self.situation.mine:
            if self.situation.is_held(unit):
                since = self.situation.view.bay_entered[unit.at]
                self.planned[unit] = Planned(Hold(unit=unit.piece), Crosses(at=unit.at, since=since))
            elif self.situation.is_taker(unit):
                self.planned[unit] = Planned(Hold(unit=unit.piece), Keeps(centre=unit.at))

    def act(self) -> bool:
        """Let the unit that comes first act; whether there was one."""
        idle = self.idle()
        if not idle:
            return False
        unit, _ = choose("unit", idle, self.turns, self.dice, f"unit/{self.acted}", lambda one: one.at)
        self.planned[unit] = self._acts(unit)
        self.acted += 1
        return True

    def _acts(self, unit: Unit) -> Planned:
        situation = self.situation
        ahead = self._ahead(unit)
        if not ahead:
            return Planned(Hold(unit=unit.piece), Waits())
        goal, why = choose("goal", list(ahead), goals(situation, unit), self.dice, f"goal/{unit.at}")
        if goal in self.aims:
            return self._backs(unit, goal)
        spot, way = choose("step", ahead[goal], steps(situation, unit, goal), self.dice, f"step/{unit.at}")
        self.aims.setdefault(parted(spot)[0], []).append(unit)
        order = situation.move(unit, spot)
        if order.to != goal:
            heads = Heads(goal=goal, steps=situation.far(unit, goal), weighed=(why, way))
            return Planned(order, heads)
        foe = situation.standing.get(goal)
        if foe is None:
            return Planned(order, Takes(centre=goal, owner=situation.view.centres.get(goal), weighed=(why,)))
        return Planned(order, Attacks(foe=foe, strength=1, holders=situation.holders(foe), weighed=(why,)))

    def _ahead(self, unit: Unit) -> dict[Province, list[Province]]:
        """For each centre that a unit may go for the spots next door that are nearer to it, if any."""
        situation = self.situation
        shut = {*situation.shut, *self.aims}
        near = [spot for spot in situation.spots(unit) if parted(spot)[0] not in shut]
        empty = [spot for spot in near if parted(spot)[0] not in situation.standing]
        found = {}
        for goal in situation.prizes:
            if self._is_wanted(unit, goal):
                here = situation.far(unit, goal)
                way = situation.steps(unit.kind, goal)
                spots = [spot for spot in (near if here == 1 else empty) if way.get(spot, FAR) < here]
                found[goal] = [goal] if goal in self.aims else spots
        return {goal: spots for goal, spots in found.items() if spots}

    def _is_wanted(self, unit: Unit, goal: Province) -> bool:
        """Whether a unit may go for a centre: as a supporter who is lacking, or as the first.

        Next to an occupied one it does only where so many could take part as it takes to get in.
        """
        situation, aiming = self.situation, self.aims.get(goal)
        par = situation.par(goal)
        if aiming is not None:
            return len(aiming) < par and goal in situation.reach(unit)
        if par == 1 or goal not in situation.reach(unit):
            return True
        return sum(goal in situation.reach(other) for other in self.idle()) >= par

    def _backs(self, unit: Unit, goal: Province) -> Planned:
        lead, *_ = self.aims[goal]
        self.aims[goal].append(unit)
        order = SupportMove(unit=unit.piece, other=lead.piece, to=goal)
        return Planned(order, Backs(to=goal, number=len(self.aims[goal]), of=self.situation.par(goal)))
