"""A position while an action is carried out: a state that changes, dice, and the events so far.

Only the rules use a WorkingState, one for each adjudication. All changes of SP and points are here, so that
the total of SP always agrees and markers disappear together with the thing that they mark.
"""

from typing import Any

from games.boer_war.components import EventId, LeaderId, Point, Side
from games.boer_war.events import AnyEvent, Reinforced, SiegeEnded, Tested, Took, TownFell
from games.boer_war.model import (
    LeaderStanding,
    State,
    enemy_of,
    in_box_order,
    is_held,
    leaders_at,
    side_of,
    spare_capacity,
)
from games.dice import Dice
from games.record import replace_fields

LONG_TOM_EVENT = EventId("B01")
"""The event whose marker stays at a siege until the siege ends."""


class WorkingState:
    """A state that changes, the dice, and the events so far. now: the current state."""

    def __init__(self, state: State, dice: Dice) -> None:
        self.now = state
        self.events: list[AnyEvent] = []
        self._dice = dice
        self._labels: dict[str, int] = {}

    def update(self, **fields: Any) -> None:
        """Change fields of the state."""
        self.now = replace_fields(self.now, **fields)

    def record(self, event: AnyEvent, place: int | None = None) -> None:
        """Record an event. place: its index among the events, or None for the end."""
        self.events.insert(len(self.events) if place is None else place, event)

    # Dice. A label begins with Turn, side and round, and numbers the second and later rolls for one thing.

    def dice_label(self, what: str) -> str:
        """Return an unused label for a roll: ``T1/B3/battle COS``, then ``T1/B3/battle COS/2``."""
        name = f"T{self.now.turn}/{self.now.side[0].upper()}{self.now.round}/{what}"
        self._labels[name] = self._labels.get(name, 0) + 1
        return name if self._labels[name] == 1 else f"{name}/{self._labels[name]}"

    def roll_die(self, what: str) -> int:
        """Return the roll of one die."""
        return self._dice.roll(self.dice_label(what), 6)

    def draw_numbers(self, what: str, sides: int, count: int) -> tuple[int, ...]:
        """Return `count` different random numbers from 1 to `sides`."""
        return self._dice.draw(self.dice_label(what), sides, count)

    @property
    def dice(self) -> Dice:
        """The dice, for callers that make their own labels."""
        return self._dice

    # SP and leaders.

    def add_sp(self, leader: LeaderId, sp: int) -> None:
        """Add SP to a leader on the map. A negative number removes SP."""
        there = self.now.leaders[leader]
        self.update(leaders={**self.now.leaders, leader: replace_fields(there, sp=there.sp + sp)})

    def change_garrison(self, point: Point, sp: int) -> None:
        """Add SP to the garrison of a point. A negative number removes SP."""
        remaining = self.now.garrisons.get(point, 0) + sp
        others = {other: n for other, n in self.now.garrisons.items() if other != point}
        self.update(garrisons={**others, point: remaining} if remaining else others)

    def place_leader(self, leader: LeaderId, at: Point, sp: int) -> None:
        """Place a leader on the map, and remove them from the Reorganization box."""
        self.update(leaders={**self.now.leaders, leader: LeaderStanding(at=at, sp=sp)})
        self._unbox(leader)

    def move_leaders(self, leaders: tuple[LeaderId, ...], to: Point) -> None:
        """Move leaders to another point, and remove markers that no one is left for at the old points."""
        points_left = {self.now.leaders[leader].at for leader in leaders}
        moved = {leader: replace_fields(self.now.leaders[leader], at=to) for leader in leaders}
        self.update(leaders={**self.now.leaders, **moved})
        for point in sorted(points_left):
            self.remove_unmanned(point)

    def take_losses(
        self, side: Side, leaders: tuple[LeaderId, ...], sp: int, garrison: Point | None
    ) -> tuple[int, list[LeaderId]]:
        """Move SP to the Scattered box, one at a time from the leader with most SP, garrisons last.

        Returns the number of SP, and the leaders without SP, who are off the map. Source: ruling 9.1.
        """
        gone, emptied = 0, list[LeaderId]()
        while gone < sp:
            here = [leader for leader in leaders if leader in self.now.leaders]
            if here:
                most = min(here, key=lambda leader: (-self.now.leaders[leader].sp, leader))
                self.remove_sp(most, 1)
                emptied += [] if most in self.now.leaders else [most]
            elif side == "empire" and garrison is not None and self.now.garrisons.get(garrison, 0):
                self.change_garrison(garrison, -1)
            else:
                break
            gone += 1
        self.scatter_sp(side, gone)
        return gone, emptied

    def remove_sp(self, leader: LeaderId, sp: int) -> None:
        """Remove SP from a leader. A leader without SP is off the map. The caller puts the SP elsewhere."""
        there = self.now.leaders[leader]
        others = {other: stands for other, stands in self.now.leaders.items() if other != leader}
        if there.sp > sp:
            others[leader] = replace_fields(there, sp=there.sp - sp)
        self.update(leaders=others)
        if there.sp <= sp:
            self.remove_unmanned(there.at)

    def scatter_sp(self, side: Side, sp: int) -> None:
        """Put SP from the map into the Scattered box. A negative number removes them from the box."""
        self.update(scattered={**self.now.scattered, side: self.now.scattered[side] + sp})

    def destroy_sp(self, side: Side, sp: int) -> None:
        """Count SP as lost for good. The caller removes them from their place."""
        self.update(lost={**self.now.lost, side: self.now.lost[side] + sp})

    def bring_sp(self, side: Side, sp: int) -> None:
        """Count new SP as in the game. The caller puts them somewhere."""
        self.update(brought={**self.now.brought, side: self.now.brought[side] + sp})

    def deal_sp(self, leaders: tuple[LeaderId, ...], sp: int) -> dict[LeaderId, int]:
        """Give SP to leaders in turn as far as they have room. Return the SP of each leader who got any."""
        got: dict[LeaderId, int] = {}
        while sum(got.values()) < sp and (
            open_ := [leader for leader in leaders if spare_capacity(self.now, leader)]
        ):
            for leader in open_[: sp - sum(got.values())]:
                self.add_sp(leader, 1)
                got[leader] = got.get(leader, 0) + 1
        return got

    def recruit_sp(self, leader: LeaderId) -> None:
        """Give a leader a recruit, and raise R by one. Source: ruling 8 (REINFORCE)."""
        self.update(recruit_pool=self.now.recruit_pool - 1, recruits=self.now.recruits + 1)
        self.add_sp(leader, 1)
        self.record(
            Reinforced(
                side="boers",
                leader=leader,
                at=self.now.leaders[leader].at,
                sp=1,
                source="recruits",
                left=self.now.recruit_pool,
                count=self.now.recruits,
            )
        )

    def remove_leader(self, leader: LeaderId) -> None:
        """Remove a leader from the game. The caller has put any SP of the leader elsewhere."""
        self._unbox(leader)
        if leader in self.now.leaders:
            at = self.now.leaders[leader].at
            self.update(
                leaders={other: there for other, there in self.now.leaders.items() if other != leader}
            )
            self.remove_unmanned(at)
        self.update(
            gone=(*self.now.gone, leader),
            standing=tuple(other for other in self.now.standing if other != leader),
            shaken=tuple(other for other in self.now.shaken if other != leader),
        )

    def box_leader(self, leader: LeaderId) -> None:
        """Put a leader without SP into the Reorganization box."""
        side = side_of(leader)
        self.update(boxes={**self.now.boxes, side: in_box_order([*self.now.boxes[side], leader])})

    def roll_for_leader(self, leader: LeaderId) -> None:
        """Roll whether a leader is out of the game. Others without SP go into the box. Source: ruling 3."""
        die = self.roll_die(f"test {leader}")
        out = die == self.now.box.numbers.leader_test.out
        boxed = not out and leader not in self.now.leaders
        if out:
            remaining_sp = self.now.leaders[leader].sp if leader in self.now.leaders else 0
            self.scatter_sp(side_of(leader), remaining_sp)
            self.remove_leader(leader)
        elif boxed:
            self.box_leader(leader)
        self.record(Tested(leader=leader, die=die, out=out, boxed=boxed))

    def wear_down(self, leader: LeaderId, *, for_good: bool = False) -> None:
        """Remove one SP of a leader outside battles, for good or to the Scattered box."""
        self.remove_sp(leader, 1)
        put = self.destroy_sp if for_good else self.scatter_sp
        put(side_of(leader), 1)

    def capture(self, side: Side, point: Point, leaders: tuple[LeaderId, ...], *, garrison: bool) -> int:
        """Remove leaders, their SP and a garrison for good. Return the number of SP."""
        sp = sum(self.now.leaders[leader].sp for leader in leaders)
        for leader in leaders:
            self.remove_leader(leader)
        if garrison and point in self.now.garrisons:
            sp += self.now.garrisons[point]
            self.change_garrison(point, -self.now.garrisons[point])
        self.destroy_sp(side, sp)
        self.remove_unmanned(point)
        return sp

    # Points.

    def take_control(self, side: Side, points: tuple[Point, ...]) -> None:
        """Put points without enemy SP under a side's control. Boers can't take control in Turns III and IV.

        A siege town that comes under Boer control for the first time is a completed siege.
        Source: ruling 4 (control), ruling 9.4.
        """
        if self.now.is_guerrilla and side == "boers":
            return
        taken = tuple(
            point
            for point in dict.fromkeys(points)
            if self.now.control[point] != side and not is_held(self.now, point, enemy_of(side))
        )
        if not taken:
            return
        self.update(control={**self.now.control, **dict.fromkeys(taken, side)})
        self.record(Took(side=side, points=taken))
        for point in taken:
            if side == "boers":
                self.record_fall(point, "abandoned")

    def record_fall(self, point: Point, how: Any) -> None:
        """Record a completed siege if a siege town came under Boer control for the first time.

        how: the field of TownFell.
        """
        if self.now.board.places[point].is_siege_town and point not in self.now.fallen:
            self.update(fallen=(*self.now.fallen, point))
            self.record(TownFell(at=point, how=how, completed=len(self.now.fallen)))

    def remove_unmanned(self, point: Point) -> None:
        """Remove the entrenchments of a side without SP at a point, and a siege without besiegers."""
        for side in ("boers", "empire"):
            if point in self.now.trenches[side] and not is_held(self.now, point, side):
                remaining = tuple(trench for trench in self.now.trenches[side] if trench != point)
                self.update(trenches={**self.now.trenches, side: remaining})
        if point in self.now.sieges and not leaders_at(self.now, point, "boers"):
            self.end_siege(point)
            self.record(SiegeEnded(at=point))

    def end_siege(self, point: Point) -> None:
        """End the siege of a town, and remove the Long Tom there."""
        self.update(sieges={town: level for town, level in self.now.sieges.items() if town != point})
        if self.now.kept.get(LONG_TOM_EVENT) == point:
            self.update(
                kept={event: what for event, what in self.now.kept.items() if event != LONG_TOM_EVENT}
            )

    def _unbox(self, leader: LeaderId) -> None:
        side = side_of(leader)
        if leader in self.now.boxes[side]:
            remaining = tuple(other for other in self.now.boxes[side] if other != leader)
            self.update(boxes={**self.now.boxes, side: remaining})
