"""Engagements of Variant II: the tribes attack, the U.S. defends by procedure."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import standing
from games.plains_indian_wars.engagements import Clash, battlefields, dice_for
from games.plains_indian_wars.events import ColumnMoved, Retreat
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Face, Region
from games.plains_indian_wars.nations.lands import shelters
from games.record import Value, field


class Favour(Value, frozen=True):
    """What a tribe's cards do to its engagements.

    fierce: where its treaties are hits; alone: by region, in how many first rounds it throws alone.
    """

    fierce: Region | None = None
    alone: Mapping[Region, int] = field(default_factory=dict)


def fields(play: Play, colours: Sequence[Colour]) -> tuple[Region, ...]:
    """Where some tribes fight, in the order in which the player wants it.

    Guards of a trail are never attacked for themselves. Source: PIW2.train.engage, PIW2.train.guards,
    PIW2.rail.engage, PIW2.custer.engage.
    """
    found = [region for region in battlefields(play) if play.tribe(region) in colours]
    if play.scenario.trains:
        found = [region for region in found if region in play.now.trains.values()]
    return standing.in_order(play, found)


def engage(play: Play, region: Region, favour: Favour | None = None) -> None:
    """The engagement of a region, and those to which a treaty leads. Source: PIW2.custer.again."""
    colour = play.tribe(region)
    if colour is None or not play.us(region):
        return
    fight = _Defence(play, region, colour, favour or Favour())
    fight.fight(region in play.entered and play.tribes(region) == 1)
    play.entered.discard(region)
    for name, to in fight.fled.items():
        cubes = play.columns[name].cubes
        play.tell(ColumnMoved, column=name, cubes=cubes, start=region, to=to, back=True)
    for goal in play.board.sorted(fight.fled.values()):
        engage(play, goal)


def casualties(play: Play, region: Region, hits: int) -> dict[Colour, int]:
    """The U.S. loses cubes of a region to hits of one throw; who fell."""
    fell: dict[Colour, int] = {}
    left = min(hits, play.us(region))
    while left:
        colour = _largest(play, region)
        count = 1 if play.scenario.campaign else min(left, play.count(region, colour))
        play.fall(region, colour, count)
        fell[colour] = fell.get(colour, 0) + count
        left -= count
    return fell


def _largest(play: Play, region: Region) -> Colour:
    """The colour that loses next: the most numerous, of equals the first of the scenario's list.

    A throw's hits all come from it, the surplus from the next; columns are judged cube by cube, with a
    commander the last of his men, and the player says which troopers fall among equals.
    Source: PIW2.train.most, PIW2.train.ties, PIW2.rail.most, PIW2.custer.most, PIW2.custer.commander.
    """
    order = standing.falls_first(play)
    here = {colour: play.count(region, colour) for colour in order}
    if play.scenario.campaign:
        bare = sum(set(one.cubes) == {"Black"} for one in play.columns.values() if one.at == region)
        here["Black"] = min(here["Black"], bare)
    return max(order, key=lambda colour: (here[colour], -order.index(colour)))


class _Defence(Clash):
    """An engagement of Variant II. fled: where each column went after a treaty."""

    def __init__(self, play: Play, region: Region, tribe: Colour, favour: Favour) -> None:
        ours = [colour for colour in play.scenario.fighters if play.count(region, colour)]
        super().__init__(play, region, tribe, ours)
        self.treaties, self.fierce = play.scenario.treaties, favour.fierce == region
        self.alone = favour.alone.get(region, 0)
        self.fled: dict[Colour, Region] = {}
        campaign = play.scenario.campaign
        self.die = campaign.die if campaign and region == campaign.goal else None

    def counts(self) -> dict[Colour, int]:
        """The dice of both sides; of the tribe alone while a card says so.

        Source: PIW2.train.dice, PIW2.rail.dice, PIW2.custer.dice, PIW2.custer.orange.
        """
        counts = {self.tribe: dice_for(self.stand([self.tribe]))}
        if self.die is not None:
            counts[self.die] = 1
        return counts if len(self.rounds) < self.alone else self.dice_of_ours() | counts

    def theirs(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """What the tribe threw, with its die for the Black Hills; a card turns treaties into hits."""
        shown = self._thrown(faces)
        return tuple("hit" if face == "treaty" else face for face in shown) if self.fierce else shown

    def lose_ours(self, hits: int) -> dict[Colour, int]:
        """The U.S. loses cubes by its procedure."""
        return casualties(self.play, self.region, hits)

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """One cube of the tribe for each blank, where the player said so; the U.S. stays.

        Source: PIW2.train.blank, PIW2.rail.blank, PIW2.custer.blank.
        """
        here = self.play.count(self.region, self.tribe)
        if here > standing.withdraws_at(self.play, self.tribe):
            return ()
        leaving = min(here, self._thrown(faces).count("blank"))
        gone = self.leave(self.tribe, leaving, lambda: shelters(self.play, self.tribe, self.region))
        return tuple(one for one in gone if one.to is not None)

    def part(self) -> None:
        """Each column goes back along its own route. Source: PIW2.custer.treaty, PIW2.custer.apart."""
        campaign = self.play.scenario.campaign
        assert campaign is not None, "treaties count where columns ride"
        for name, column in sorted(self.play.columns.items()):
            if column.at != self.region:
                continue
            steps = campaign.columns[name].steps
            to = steps[steps.index(self.region) - 1]
            self.play.ride(name, to)
            self.fled[name] = to

    def _thrown(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Its own dice, and the die of the Black Hills, which counts as one of them for every face."""
        return (*faces.get(self.tribe, ()), *(faces.get(self.die, ()) if self.die else ()))
