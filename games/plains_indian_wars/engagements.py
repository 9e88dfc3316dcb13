"""Engagements: who fights where, throw by throw, until one side is gone or a treaty parts them."""

# Rule 1: every choice of the U.S. player is a question to standing.py.
# Rule 2: a side's hits are counted before either side loses a cube.

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from games.plains_indian_wars import standing
from games.plains_indian_wars.events import Fought, Retreat, Round
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import SOLDIERS, TRIBES, Colour, Face, Region
from games.record import Value, field


class Terms(Value, frozen=True):
    """What is special about the engagements of a phase.

    treaties: whether treaty faces count; extra: regions with a die more of a colour in each round;
    first_strike: regions where the tribe does not throw in the first round; custer: so many Blue cubes of a
    region may not withdraw, and are the last Blue ones to fall.
    """

    treaties: bool = True
    extra: Mapping[Region, Colour] = field(default_factory=dict)
    first_strike: frozenset[Region] = frozenset()
    custer: Mapping[Region, int] = field(default_factory=dict)


def battlefields(play: Play) -> tuple[Region, ...]:
    """Where an engagement is due: both sides are there, and no card forbids it. Source: PIW1.ai.2."""
    both = set(play.regions(TRIBES)) & set(play.regions(play.scenario.fighters))
    return play.board.sorted(both - set(play.now.quiet))


def fight_all(play: Play, terms: Terms) -> None:
    """All engagements of a phase, in the order in which the U.S. player wants them."""
    for region in standing.in_order(play, battlefields(play)):
        engage(play, region, terms)


def engage(play: Play, region: Region, terms: Terms) -> None:
    """The engagement in a region; a colour that sat out and is left alone with the tribe fights on."""
    ambushed = region in play.entered and play.tribes(region) == 1
    while play.us(region) and (colour := play.tribe(region)) is not None:
        _Engagement(play, region, colour, terms).fight(ambushed)
        ambushed = False


def dice_for(cubes: int) -> int:
    """How many dice a colour throws: one for a single cube, two for more."""
    return min(cubes, 2)


class Clash(ABC):
    """One engagement, throw by throw; what a variant decides otherwise is asked of its subclass.

    ours: the U.S. colours in it, in the order in which they are told; aside: one that sits out; over: whether
    a treaty has ended it. A subclass says who falls, who withdraws and who leaves after a treaty.
    """

    def __init__(self, play: Play, region: Region, tribe: Colour, ours: Sequence[Colour]) -> None:
        play.engagements += 1
        self.play, self.region, self.tribe, self.ours = play, region, tribe, list(ours)
        self.label = f"{play.label}/{region}#{play.engagements}"
        self.aside: Colour | None = None
        self.treaties, self.over = True, False
        self.rounds: list[Round] = []
        self.retreats: list[Retreat] = []

    def fight(self, ambushed: bool) -> None:
        """Throw until it is over, and tell it."""
        cubes = {colour: n for colour, n in self.cubes().items() if n}
        aside = {self.aside: self.play.count(self.region, self.aside)} if self.aside else {}
        ambush = self._ambush() if ambushed else None
        while not self.over and self.stand(self.ours) and self.stand([self.tribe]):
            self._round()
        told = (*self.play.scenario.fighters, *TRIBES)
        self.play.tell(
            Fought,
            at=self.region,
            cubes=cubes,
            aside=aside,
            ambush=ambush,
            rounds=tuple(self.rounds),
            retreats=tuple(self.retreats),
            left={c: n for c in told if (n := self.play.count(self.region, c))},
        )

    @abstractmethod
    def counts(self) -> dict[Colour, int]:
        """How many dice of each colour are thrown in this round."""

    @abstractmethod
    def lose_ours(self, hits: int) -> dict[Colour, int]:
        """The U.S. loses cubes; who fell."""

    @abstractmethod
    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Cubes leave on blanks."""

    @abstractmethod
    def part(self) -> None:
        """Both sides showed a treaty: somebody leaves, and notes it in `retreats`."""

    def theirs(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """What the tribe threw."""
        return faces.get(self.tribe, ())

    def cubes(self) -> dict[Colour, int]:
        """Who is in it."""
        return {colour: self.play.count(self.region, colour) for colour in (*self.ours, self.tribe)}

    def stand(self, colours: Sequence[Colour]) -> int:
        """How many cubes of some colours are left here."""
        return sum(self.play.count(self.region, colour) for colour in colours)

    def dice_of_ours(self) -> dict[Colour, int]:
        """The dice of the U.S.: up to two of a colour, by those who throw it."""
        return {
            die: count
            for die, throwers in self.play.scenario.throws.items()
            if (count := dice_for(self.stand([colour for colour in throwers if colour in self.ours])))
        }

    def _ambush(self) -> Face:
        """The lone cube throws first, alone; only a hit counts. Source: PIW1.ambush, PIW2.custer.ambush."""
        (face,) = self.play.box.throw(self.play.dice, f"{self.label}/ambush", self.tribe, 1)
        if face == "hit":
            self.lose_ours(1)
        return face

    def _round(self) -> None:
        label = f"{self.label}/{len(self.rounds) + 1}"
        faces = {c: self.play.box.throw(self.play.dice, label, c, n) for c, n in self.counts().items() if n}
        theirs = self.theirs(faces)
        ours = [face for colour in self.play.scenario.throws for face in faces.get(colour, ())]
        if self.treaties and "treaty" in ours and "treaty" in theirs:
            self.rounds.append(Round(faces=faces, treaty=True))
            self.over = True
            self.part()
            return
        hits, suffered = ours.count("hit"), theirs.count("hit")
        fell: dict[Colour, int] = {}
        if beaten := min(hits, self.stand([self.tribe])):
            self.play.fall(self.region, self.tribe, beaten)
            fell[self.tribe] = beaten
        fell |= self.lose_ours(suffered)
        withdrew: tuple[Retreat, ...] = ()
        if self.stand(self.ours) and self.stand([self.tribe]):
            withdrew = self.withdraw(faces)
        self.rounds.append(Round(faces=faces, fell=fell, withdrew=withdrew))

    def leave(self, colour: Colour, count: int, ways: Callable[[], Sequence[Region]]) -> list[Retreat]:
        """Cubes of a colour leave one by one, each for the best way that is open; to None: none was."""
        gone: dict[Region | None, int] = {}
        for _ in range(count):
            open_to = ways()
            to = open_to[0] if open_to else None
            if to is not None:
                self.play.shift(self.region, to, {colour: 1})
            gone[to] = gone.get(to, 0) + 1
        return [Retreat(colour=colour, count=n, to=to) for to, n in gone.items()]


class _Engagement(Clash):
    """An engagement of Variant I, in which every choice is the U.S. player's."""

    def __init__(self, play: Play, region: Region, tribe: Colour, terms: Terms) -> None:
        present = [colour for colour in SOLDIERS if play.count(region, colour)]
        aside = standing.sits_out(play, region) if {"Brown", "Purple"} <= set(present) else None
        super().__init__(play, region, tribe, [colour for colour in present if colour != aside])
        self.aside, self.terms, self.treaties = aside, terms, terms.treaties

    def counts(self) -> dict[Colour, int]:
        """The dice of every colour in it, thrown together."""
        counts = self.dice_of_ours() | {self.tribe: dice_for(self.stand([self.tribe]))}
        extra = self.terms.extra.get(self.region)
        if extra in counts:
            counts[extra] += 1
        if self.region in self.terms.first_strike and not self.rounds:
            del counts[self.tribe]
        return counts

    def lose_ours(self, hits: int) -> dict[Colour, int]:
        """Casualties, cube by cube from the colour most numerous then. Source: PIW1.engage.most."""
        fell: dict[Colour, int] = {}
        for _ in range(min(hits, self.stand(self.ours))):
            most = max(self.play.count(self.region, colour) for colour in self.ours)
            tied = [colour for colour in self.ours if self.play.count(self.region, colour) == most]
            colour = tied[0] if len(tied) == 1 else standing.first_to_fall(self.play, tied)
            self.play.fall(self.region, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
        return fell

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """U.S. cubes leave, one for each blank of their colour, where the player said so."""
        gone: list[Retreat] = []
        for colour in self.ours:
            here = self.play.count(self.region, colour)
            if here > standing.withdraws_at(self.play, colour):
                continue
            bound = self.terms.custer.get(self.region, 0) if colour == "Blue" else 0
            leaving = min(here - min(bound, here), faces.get(colour, ()).count("blank"))
            gone += [one for one in self._leave(colour, leaving) if one.to is not None]
        return tuple(gone)

    def part(self) -> None:
        """A treaty: the smaller side leaves, or falls where it cannot. Source: PIW1.engage.treaty."""
        ours, theirs = self.stand(self.ours), self.stand([self.tribe])
        equal = standing.tribes_leave_between_equals(self.play)
        leaving = [self.tribe] if theirs < ours or (theirs == ours and equal) else self.ours
        for colour in leaving:
            for one in self._leave(colour, self.play.count(self.region, colour)):
                if one.to is None:
                    self.play.fall(self.region, colour, one.count)
                self.retreats.append(one)

    def _leave(self, colour: Colour, count: int) -> list[Retreat]:
        out = standing.drives if colour in TRIBES else standing.fall_backs
        return self.leave(colour, count, lambda: out(self.play, self.region, colour))
