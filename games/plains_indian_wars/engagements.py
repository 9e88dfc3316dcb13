"""Engagements: who fights where, throw by throw, until one side is gone or a treaty parts them."""

# Rule 1: every choice of the U.S. player is a question to standing.py.
# Rule 2: a side's hits are counted before either side loses a cube.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.plains_indian_wars import standing
from games.plains_indian_wars.model import SOLDIERS, TRIBES, Colour, Face, Region
from games.plains_indian_wars.play import Play
from games.plains_indian_wars.tales import Fought, Retreat, Round


@dataclass(frozen=True)
class Terms:
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
    both = set(play.regions(TRIBES)) & set(play.regions(SOLDIERS))
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


class _Engagement:
    """One engagement. `cubes`: who is still in it; `left`: Blue ones who must see it through."""

    def __init__(self, play: Play, region: Region, tribe: Colour, terms: Terms) -> None:
        play.engagements += 1
        self.play, self.region, self.tribe, self.terms = play, region, tribe, terms
        self.label = f"{play.label}/{region}#{play.engagements}"
        present = [colour for colour in SOLDIERS if play.count(region, colour)]
        self.aside = standing.sits_out(play, region) if {"Brown", "Purple"} <= set(present) else None
        self.us = [colour for colour in present if colour != self.aside]
        self.rounds: list[Round] = []
        self.retreats: list[Retreat] = []

    def fight(self, ambushed: bool) -> None:
        """Throw until it is over, and tell it."""
        cubes = self._cubes()
        aside = {self.aside: self.play.count(self.region, self.aside)} if self.aside else {}
        ambush = self._ambush() if ambushed else None
        while not self.retreats and self._stand(self.us) and self._stand([self.tribe]):
            self._round()
        self.play.tell(
            Fought,
            at=self.region,
            cubes=cubes,
            aside=aside,
            ambush=ambush,
            rounds=tuple(self.rounds),
            retreats=tuple(self.retreats),
            left={c: n for c in (*SOLDIERS, *TRIBES) if (n := self.play.count(self.region, c))},
        )

    def _cubes(self) -> dict[Colour, int]:
        return {colour: self.play.count(self.region, colour) for colour in (*self.us, self.tribe)}

    def _stand(self, colours: Sequence[Colour]) -> int:
        return sum(self.play.count(self.region, colour) for colour in colours)

    def _ambush(self) -> Face:
        """The lone cube throws first, alone; only a hit counts. Source: PIW1.ambush."""
        (face,) = self.play.box.throw(self.play.dice, f"{self.label}/ambush", self.tribe, 1)
        if face == "hit":
            self._lose(self.us, 1)
        return face

    def _round(self) -> None:
        faces = self._throw()
        ours = [face for colour in self.us for face in faces.get(colour, ())]
        theirs = faces.get(self.tribe, ())
        if self.terms.treaties and "treaty" in ours and "treaty" in theirs:
            self.rounds.append(Round(faces=faces, treaty=True))
            self._part()
            return
        hits, suffered = ours.count("hit"), theirs.count("hit")
        fell = self._lose([self.tribe], hits) | self._lose(self.us, suffered)
        withdrew: tuple[Retreat, ...] = ()
        if self._stand(self.us) and self._stand([self.tribe]):
            withdrew = self._withdraw(faces)
        self.rounds.append(Round(faces=faces, fell=fell, withdrew=withdrew))

    def _throw(self) -> dict[Colour, tuple[Face, ...]]:
        """The dice of every colour in it, thrown together."""
        label = f"{self.label}/{len(self.rounds) + 1}"
        counts = {colour: dice_for(n) for colour, n in self._cubes().items() if n}
        extra = self.terms.extra.get(self.region)
        if extra in counts:
            counts[extra] += 1
        if self.region in self.terms.first_strike and not self.rounds:
            del counts[self.tribe]
        return {c: self.play.box.throw(self.play.dice, label, c, n) for c, n in counts.items()}

    def _lose(self, colours: Sequence[Colour], hits: int) -> dict[Colour, int]:
        """Casualties, cube by cube from the colour most numerous then. Source: PIW1.engage.most."""
        fell: dict[Colour, int] = {}
        for _ in range(min(hits, self._stand(colours))):
            most = max(self.play.count(self.region, colour) for colour in colours)
            tied = [colour for colour in colours if self.play.count(self.region, colour) == most]
            colour = tied[0] if len(tied) == 1 else standing.first_to_fall(self.play, tied)
            self.play.fall(self.region, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
        return fell

    def _withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """U.S. cubes leave, one for each blank of their colour, where the player said so."""
        gone: list[Retreat] = []
        for colour in self.us:
            here = self.play.count(self.region, colour)
            if here > standing.withdraws_at(self.play, colour):
                continue
            bound = self.terms.custer.get(self.region, 0) if colour == "Blue" else 0
            leaving = min(here - min(bound, here), faces.get(colour, ()).count("blank"))
            gone += [one for one in self._leave(colour, leaving) if one.to is not None]
        return tuple(gone)

    def _leave(self, colour: Colour, count: int) -> list[Retreat]:
        """Cubes of a colour leave one by one, each for the best place that has room; to None: none had."""
        gone: dict[Region | None, int] = {}
        for _ in range(count):
            open_to = self._ways_out(colour)
            to = open_to[0] if open_to else None
            if to is not None:
                self.play.shift(self.region, to, {colour: 1})
            gone[to] = gone.get(to, 0) + 1
        return [Retreat(colour=colour, count=n, to=to) for to, n in gone.items()]

    def _ways_out(self, colour: Colour) -> tuple[Region, ...]:
        if colour in TRIBES:
            return standing.drives(self.play, self.region, colour)
        return standing.fall_backs(self.play, self.region, colour)

    def _part(self) -> None:
        """A treaty: the smaller side leaves, or falls where it cannot. Source: PIW1.engage.treaty."""
        ours, theirs = self._stand(self.us), self._stand([self.tribe])
        equal = standing.tribes_leave_between_equals(self.play)
        leaving = [self.tribe] if theirs < ours or (theirs == ours and equal) else self.us
        for colour in leaving:
            for one in self._leave(colour, self.play.count(self.region, colour)):
                if one.to is None:
                    self.play.fall(self.region, colour, one.count)
                self.retreats.append(one)
