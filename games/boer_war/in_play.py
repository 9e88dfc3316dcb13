"""A position while an action is carried out: a state that changes, dice, and what is told of it.

A Theatre lives for one question to the rules; outside the rules nobody ever sees one. What is done to SP and
points is done here, so that no SP is ever lost from the books and no mark outlives what it marks.
"""

from typing import Any

from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.events import AnyEvent, Reinforced, SiegeEnded, Tested, Took, TownFell
from games.boer_war.forces import in_order, is_held, leaders_at, room, side_of
from games.boer_war.model import Standing, State, other
from games.dice import Dice
from games.record import changed

LONG_TOM = EventId("B01")
"""The event whose marker lies at a siege, for as long as that lasts."""


class Theatre:
    """A state, the dice, and the events so far. now: the state as it stands."""

    def __init__(self, state: State, dice: Dice) -> None:
        self.now = state
        self.events: list[AnyEvent] = []
        self._dice = dice
        self._labels: dict[str, int] = {}

    def set(self, **fields: Any) -> None:
        """Change fields of the state."""
        self.now = changed(self.now, **fields)

    def tell(self, event: AnyEvent, place: int | None = None) -> None:
        """Note that something happened; place: before what was told since there were so many events."""
        self.events.insert(len(self.events) if place is None else place, event)

    # What is thrown. A label begins with Turn, side and round, and counts what is thrown twice for one thing.

    def label(self, what: str) -> str:
        """A label that was not used yet: ``T1/B3/battle COS``, then ``T1/B3/battle COS/2``."""
        name = f"T{self.now.turn}/{self.now.side[0].upper()}{self.now.round}/{what}"
        self._labels[name] = self._labels.get(name, 0) + 1
        return name if self._labels[name] == 1 else f"{name}/{self._labels[name]}"

    def die(self, what: str) -> int:
        """One die."""
        return self._dice.roll(self.label(what), 6)

    def drawn(self, what: str, sides: int, count: int) -> tuple[int, ...]:
        """So many different numbers out of 1 to `sides`."""
        return self._dice.draw(self.label(what), sides, count)

    @property
    def dice(self) -> Dice:
        """The dice, for those who label by themselves."""
        return self._dice

    # SP and leaders.

    def gain(self, leader: LeaderId, sp: int) -> None:
        """A leader on the map has so many SP more."""
        there = self.now.leaders[leader]
        self.set(leaders={**self.now.leaders, leader: changed(there, sp=there.sp + sp)})

    def garrison(self, point: Point, sp: int) -> None:
        """The garrison of a point has so many SP more, or fewer."""
        left = self.now.garrisons.get(point, 0) + sp
        others = {one: n for one, n in self.now.garrisons.items() if one != point}
        self.set(garrisons={**others, point: left} if left else others)

    def place(self, leader: LeaderId, at: Point, sp: int) -> None:
        """A leader comes to stand on the map; he leaves the box if he was in it."""
        self.set(leaders={**self.now.leaders, leader: Standing(at=at, sp=sp)})
        self._unbox(leader)

    def move(self, leaders: tuple[LeaderId, ...], to: Point) -> None:
        """Leaders stand in another point; what they leave is no longer entrenched, or besieged, by nobody."""
        left = {self.now.leaders[leader].at for leader in leaders}
        moved = {leader: changed(self.now.leaders[leader], at=to) for leader in leaders}
        self.set(leaders={**self.now.leaders, **moved})
        for point in sorted(left):
            self.tidy(point)

    def lose(
        self, side: Side, leaders: tuple[LeaderId, ...], sp: int, garrison: Point | None
    ) -> tuple[int, list[LeaderId]]:
        """SP go to the Scattered box: one at a time from the leader who then has most, garrisons last.

        Returns how many went, and who has none left and so stands on the map no more. Source: ruling 9.1.
        """
        gone, emptied = 0, list[LeaderId]()
        while gone < sp:
            here = [one for one in leaders if one in self.now.leaders]
            if here:
                most = min(here, key=lambda one: (-self.now.leaders[one].sp, one))
                self.weaken(most, 1)
                emptied += [] if most in self.now.leaders else [most]
            elif side == "empire" and garrison is not None and self.now.garrisons.get(garrison, 0):
                self.garrison(garrison, -1)
            else:
                break
            gone += 1
        self.scatter(side, gone)
        return gone, emptied

    def weaken(self, leader: LeaderId, sp: int) -> None:
        """A leader has so many SP fewer, wherever they go; without any he stands on the map no more."""
        there = self.now.leaders[leader]
        others = {one: stands for one, stands in self.now.leaders.items() if one != leader}
        if there.sp > sp:
            others[leader] = changed(there, sp=there.sp - sp)
        self.set(leaders=others)
        if there.sp <= sp:
            self.tidy(there.at)

    def scatter(self, side: Side, sp: int) -> None:
        """So many SP, taken from the map, lie in the Scattered box; fewer than none: they come out of it."""
        self.set(scattered={**self.now.scattered, side: self.now.scattered[side] + sp})

    def bury(self, side: Side, sp: int) -> None:
        """So many SP, taken from somewhere, are gone for good."""
        self.set(lost={**self.now.lost, side: self.now.lost[side] + sp})

    def bring(self, side: Side, sp: int) -> None:
        """So many new SP are in the game; whoever calls puts them somewhere."""
        self.set(brought={**self.now.brought, side: self.now.brought[side] + sp})

    def deal(self, leaders: tuple[LeaderId, ...], sp: int) -> dict[LeaderId, int]:
        """SP to leaders in turn, as far as they have room; returns who got how many."""
        got: dict[LeaderId, int] = {}
        while sum(got.values()) < sp and (open_ := [one for one in leaders if room(self.now, one)]):
            for leader in open_[: sp - sum(got.values())]:
                self.gain(leader, 1)
                got[leader] = got.get(leader, 0) + 1
        return got

    def recruit(self, leader: LeaderId) -> None:
        """A recruit comes to a leader, and R is one higher. Source: ruling 8 (REINFORCE)."""
        self.set(recruit_pool=self.now.recruit_pool - 1, recruits=self.now.recruits + 1)
        self.gain(leader, 1)
        self.tell(
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

    def take_out(self, leader: LeaderId) -> None:
        """A leader is out of the game; any SP with him must have been dealt with."""
        self._unbox(leader)
        if leader in self.now.leaders:
            at = self.now.leaders[leader].at
            self.set(leaders={one: there for one, there in self.now.leaders.items() if one != leader})
            self.tidy(at)
        self.set(
            gone=(*self.now.gone, leader),
            standing=tuple(one for one in self.now.standing if one != leader),
            shaken=tuple(one for one in self.now.shaken if one != leader),
        )

    def box(self, leader: LeaderId) -> None:
        """A leader without SP lies in the Reorganization box."""
        side = side_of(leader)
        self.set(boxes={**self.now.boxes, side: in_order([*self.now.boxes[side], leader])})

    def test(self, leader: LeaderId) -> None:
        """A leader throws for himself: out of the game, or without SP in the box. Source: ruling 3 (test)."""
        die = self.die(f"test {leader}")
        out = die == self.now.box.numbers.leader_test.out
        boxed = not out and leader not in self.now.leaders
        if out:
            left = self.now.leaders[leader].sp if leader in self.now.leaders else 0
            self.scatter(side_of(leader), left)
            self.take_out(leader)
        elif boxed:
            self.box(leader)
        self.tell(Tested(leader=leader, die=die, out=out, boxed=boxed))

    def wear(self, leader: LeaderId, *, for_good: bool = False) -> None:
        """A leader loses an SP that no battle took: for good, or to the Scattered box."""
        self.weaken(leader, 1)
        put = self.bury if for_good else self.scatter
        put(side_of(leader), 1)

    def capture(self, side: Side, point: Point, leaders: tuple[LeaderId, ...], *, garrison: bool) -> int:
        """SP of leaders, and of a garrison, are gone for good, the leaders out of the game; how many SP."""
        sp = sum(self.now.leaders[one].sp for one in leaders)
        for leader in leaders:
            self.take_out(leader)
        if garrison and point in self.now.garrisons:
            sp += self.now.garrisons[point]
            self.garrison(point, -self.now.garrisons[point])
        self.bury(side, sp)
        self.tidy(point)
        return sp

    # Points.

    def take(self, side: Side, points: tuple[Point, ...]) -> None:
        """Points come under a side's control, if it may take it now.

        A siege town that comes under Boer control for the first time is a completed siege. Source: ruling 4
        (control), ruling 9.4.
        """
        if self.now.is_guerrilla and side == "boers":
            return
        taken = tuple(
            point
            for point in dict.fromkeys(points)
            if self.now.control[point] != side and not is_held(self.now, point, other(side))
        )
        if not taken:
            return
        self.set(control={**self.now.control, **dict.fromkeys(taken, side)})
        self.tell(Took(side=side, points=taken))
        for point in taken:
            if side == "boers":
                self.note_fall(point, "abandoned")

    def give(self, side: Side, point: Point) -> None:
        """A point comes under a side's control without a word: the event that did it tells of it."""
        self.set(control={**self.now.control, point: side})

    def note_fall(self, point: Point, how: Any) -> None:
        """A siege town came under Boer control; told if it is a completed siege. how: as in TownFell."""
        if self.now.board.places[point].is_siege_town and point not in self.now.fallen:
            self.set(fallen=(*self.now.fallen, point))
            self.tell(TownFell(at=point, how=how, completed=len(self.now.fallen)))

    def tidy(self, point: Point) -> None:
        """What nobody is left for goes: entrenchments, a siege, and the Long Tom that shelled it."""
        for side in ("boers", "empire"):
            if point in self.now.trenches[side] and not is_held(self.now, point, side):
                left = tuple(one for one in self.now.trenches[side] if one != point)
                self.set(trenches={**self.now.trenches, side: left})
        if point in self.now.sieges and not leaders_at(self.now, point, "boers"):
            self.end_siege(point)
            self.tell(SiegeEnded(at=point))

    def end_siege(self, point: Point) -> None:
        """A town is besieged no longer."""
        self.set(sieges={one: level for one, level in self.now.sieges.items() if one != point})
        if self.now.kept.get(LONG_TOM) == point:
            self.set(kept={event: what for event, what in self.now.kept.items() if event != LONG_TOM})

    def _unbox(self, leader: LeaderId) -> None:
        side = side_of(leader)
        if leader in self.now.boxes[side]:
            left = tuple(one for one in self.now.boxes[side] if one != leader)
            self.set(boxes={**self.now.boxes, side: left})
