"""Engagements, roll by roll, until one side is gone or a treaty parts them."""

# Rule 1: standing_orders.py answers every choice of the U.S. player.
# Rule 2: both sides' hits are counted before either side loses a cube.

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.events import EngagementRound, Fought, Retreat
from games.plains_indian_wars.model import SOLDIERS, TRIBES, Colour, Face, Region
from games.plains_indian_wars.working_state import WorkingState
from games.record import Value, field


class EngagementTerms(Value, frozen=True):
    """The special terms of a phase's engagements.

    treaties: whether treaty faces count; extra: the colour of one more die in each round, by region;
    first_strike: the regions where the tribe doesn't roll in the first round; custer: by region, the number
    of Blue cubes that can't withdraw and are the last Blue cubes to fall.
    """

    treaties: bool = True
    extra: Mapping[Region, Colour] = field(default_factory=dict)
    first_strike: frozenset[Region] = frozenset()
    custer: Mapping[Region, int] = field(default_factory=dict)


def battlefields(play: WorkingState) -> tuple[Region, ...]:
    """Return the regions with both sides where no card forbids an engagement. Source: PIW1.ai.2."""
    both = set(play.regions_with(TRIBES)) & set(play.regions_with(play.scenario.fighters))
    return play.board.in_board_order(both - set(play.now.quiet))


def fight_all(play: WorkingState, terms: EngagementTerms) -> None:
    """Fight all engagements of a phase, in the order of the U.S. player's instructions."""
    for region in standing_orders.engagement_order(play, battlefields(play)):
        engage(play, region, terms)


def engage(play: WorkingState, region: Region, terms: EngagementTerms) -> None:
    """Fight in a region. A colour that sat out and is left alone with the tribe then fights too."""
    ambushed = region in play.entered and play.tribe_cubes(region) == 1
    while play.us_cubes(region) and (colour := play.tribe_in(region)) is not None:
        _UsEngagement(play, region, colour, terms).fight(ambushed)
        ambushed = False


def dice_for(cubes: int) -> int:
    """Return how many dice a colour rolls: one for a single cube, two for more."""
    return min(cubes, 2)


class BaseEngagement(ABC):
    """An engagement, roll by roll. Subclasses decide the losses, withdrawals and treaties of their variant.

    ours: the U.S. colours that fight, in the order of reports; aside: the colour that sits out; over: whether
    a treaty has ended the engagement.
    """

    def __init__(self, play: WorkingState, region: Region, tribe: Colour, ours: Sequence[Colour]) -> None:
        play.engagements += 1
        self.play, self.region, self.tribe, self.ours = play, region, tribe, list(ours)
        self.label = f"{play.dice_label}/{region}#{play.engagements}"
        self.aside: Colour | None = None
        self.treaties, self.over = True, False
        self.rounds: list[EngagementRound] = []
        self.retreats: list[Retreat] = []

    def fight(self, ambushed: bool) -> None:
        """Roll until the engagement is over, and tell the event."""
        cubes = {colour: n for colour, n in self.cubes().items() if n}
        aside = {self.aside: self.play.count(self.region, self.aside)} if self.aside else {}
        ambush = self._roll_ambush() if ambushed else None
        while not self.over and self.cubes_left(self.ours) and self.cubes_left([self.tribe]):
            self._fight_round()
        colours = (*self.play.scenario.fighters, *TRIBES)
        self.play.tell(
            Fought,
            at=self.region,
            cubes=cubes,
            aside=aside,
            ambush=ambush,
            rounds=tuple(self.rounds),
            retreats=tuple(self.retreats),
            left={c: n for c in colours if (n := self.play.count(self.region, c))},
        )

    @abstractmethod
    def counts(self) -> dict[Colour, int]:
        """Return the number of dice of each colour in this round."""

    @abstractmethod
    def lose_us_cubes(self, hits: int) -> dict[Colour, int]:
        """Remove U.S. cubes for a number of hits; return the lost cubes by colour."""

    @abstractmethod
    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Let cubes leave on blanks; return their retreats."""

    @abstractmethod
    def apply_treaty(self) -> None:
        """Let a side leave after both rolled a treaty, and add its retreats to `retreats`."""

    def tribe_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the faces that the tribe rolled."""
        return faces.get(self.tribe, ())

    def cubes(self) -> dict[Colour, int]:
        """Return the number of cubes of each fighting colour."""
        return {colour: self.play.count(self.region, colour) for colour in (*self.ours, self.tribe)}

    def cubes_left(self, colours: Sequence[Colour]) -> int:
        """Return the number of cubes of some colours in the region."""
        return sum(self.play.count(self.region, colour) for colour in colours)

    def us_dice(self) -> dict[Colour, int]:
        """Return the number of dice of each colour that the U.S. rolls: up to two of a colour."""
        return {
            die: count
            for die, throwers in self.play.scenario.throws.items()
            if (count := dice_for(self.cubes_left([colour for colour in throwers if colour in self.ours])))
        }

    def _roll_ambush(self) -> Face:
        """Roll for the lone cube first, alone; only a hit counts.

        Source: PIW1.ambush, PIW2.custer.ambush.
        """
        (face,) = self.play.materials.roll(self.play.dice, f"{self.label}/ambush", self.tribe, 1)
        if face == "hit":
            self.lose_us_cubes(1)
        return face

    def _fight_round(self) -> None:
        label = f"{self.label}/{len(self.rounds) + 1}"
        faces = {
            c: self.play.materials.roll(self.play.dice, label, c, n) for c, n in self.counts().items() if n
        }
        theirs = self.tribe_faces(faces)
        ours = [face for colour in self.play.scenario.throws for face in faces.get(colour, ())]
        if self.treaties and "treaty" in ours and "treaty" in theirs:
            self.rounds.append(EngagementRound(faces=faces, treaty=True))
            self.over = True
            self.apply_treaty()
            return
        hits, suffered = ours.count("hit"), theirs.count("hit")
        fell: dict[Colour, int] = {}
        if beaten := min(hits, self.cubes_left([self.tribe])):
            self.play.eliminate(self.region, self.tribe, beaten)
            fell[self.tribe] = beaten
        fell |= self.lose_us_cubes(suffered)
        withdrew: tuple[Retreat, ...] = ()
        if self.cubes_left(self.ours) and self.cubes_left([self.tribe]):
            withdrew = self.withdraw(faces)
        self.rounds.append(EngagementRound(faces=faces, fell=fell, withdrew=withdrew))

    def leave_one_by_one(
        self, colour: Colour, count: int, ways: Callable[[], Sequence[Region]]
    ) -> list[Retreat]:
        """Move cubes of a colour away one by one, each to the best open region; return the retreats.

        Cubes without an open region stay, and their retreat has no goal.
        """
        gone: dict[Region | None, int] = {}
        for _ in range(count):
            open_to = ways()
            to = open_to[0] if open_to else None
            if to is not None:
                self.play.move_cubes(self.region, to, {colour: 1})
            gone[to] = gone.get(to, 0) + 1
        return [Retreat(colour=colour, count=n, to=to) for to, n in gone.items()]


class _UsEngagement(BaseEngagement):
    """An engagement of Variant I, where the U.S. player makes every choice."""

    def __init__(self, play: WorkingState, region: Region, tribe: Colour, terms: EngagementTerms) -> None:
        present = [colour for colour in SOLDIERS if play.count(region, colour)]
        aside = (
            standing_orders.colour_sitting_out(play, region) if {"Brown", "Purple"} <= set(present) else None
        )
        super().__init__(play, region, tribe, [colour for colour in present if colour != aside])
        self.aside, self.terms, self.treaties = aside, terms, terms.treaties

    def counts(self) -> dict[Colour, int]:
        """Return the number of dice of every fighting colour, which are rolled together."""
        counts = self.us_dice() | {self.tribe: dice_for(self.cubes_left([self.tribe]))}
        extra = self.terms.extra.get(self.region)
        if extra in counts:
            counts[extra] += 1
        if self.region in self.terms.first_strike and not self.rounds:
            del counts[self.tribe]
        return counts

    def lose_us_cubes(self, hits: int) -> dict[Colour, int]:
        """Remove cubes one by one, each from the most numerous colour. Source: PIW1.engage.most."""
        fell: dict[Colour, int] = {}
        for _ in range(min(hits, self.cubes_left(self.ours))):
            most = max(self.play.count(self.region, colour) for colour in self.ours)
            tied = [colour for colour in self.ours if self.play.count(self.region, colour) == most]
            colour = tied[0] if len(tied) == 1 else standing_orders.first_to_fall(self.play, tied)
            self.play.eliminate(self.region, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
        return fell

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Let U.S. cubes leave, one for each blank of their colour, if the player's instructions say so."""
        gone: list[Retreat] = []
        for colour in self.ours:
            here = self.play.count(self.region, colour)
            if here > standing_orders.withdraws_at(self.play, colour):
                continue
            bound = self.terms.custer.get(self.region, 0) if colour == "Blue" else 0
            leaving = min(here - min(bound, here), faces.get(colour, ()).count("blank"))
            gone += [retreat for retreat in self._leave_region(colour, leaving) if retreat.to is not None]
        return tuple(gone)

    def apply_treaty(self) -> None:
        """Let the smaller side leave; cubes without an open region fall. Source: PIW1.engage.treaty."""
        ours, theirs = self.cubes_left(self.ours), self.cubes_left([self.tribe])
        equal = standing_orders.tribes_leave_between_equals(self.play)
        leaving = [self.tribe] if theirs < ours or (theirs == ours and equal) else self.ours
        for colour in leaving:
            for retreat in self._leave_region(colour, self.play.count(self.region, colour)):
                if retreat.to is None:
                    self.play.eliminate(self.region, colour, retreat.count)
                self.retreats.append(retreat)

    def _leave_region(self, colour: Colour, count: int) -> list[Retreat]:
        out = standing_orders.drive_regions if colour in TRIBES else standing_orders.retreat_regions
        return self.leave_one_by_one(colour, count, lambda: out(self.play, self.region, colour))
