"""Engagements of Variant II: the tribes attack, the U.S. defends by procedure."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.engagements import BaseEngagement, battlefields, dice_for
from games.plains_indian_wars.events import ColumnMoved, Retreat
from games.plains_indian_wars.model import Colour, Face, Region
from games.plains_indian_wars.nations.lands import withdrawal_regions
from games.plains_indian_wars.working_state import WorkingState
from games.record import Value, field


class EngagementBonus(Value, frozen=True):
    """The effect of a tribe's cards on its engagements.

    fierce: where its treaties are hits; alone: by region, in how many first rounds it rolls alone.
    """

    fierce: Region | None = None
    alone: Mapping[Region, int] = field(default_factory=dict)


def tribe_battlefields(play: WorkingState, colours: Sequence[Colour]) -> tuple[Region, ...]:
    """Return where some tribes fight, in the order in which the player wants it.

    Guards of a trail are never attacked for themselves. Source: PIW2.train.engage, PIW2.train.guards,
    PIW2.rail.engage, PIW2.custer.engage.
    """
    regions = [region for region in battlefields(play) if play.tribe_in(region) in colours]
    if play.scenario.trains:
        regions = [region for region in regions if region in play.now.trains.values()]
    return standing_orders.engagement_order(play, regions)


def fight_region(play: WorkingState, region: Region, favour: EngagementBonus | None = None) -> None:
    """Fight the engagement of a region, and those to which a treaty leads. Source: PIW2.custer.again."""
    colour = play.tribe_in(region)
    if colour is None or not play.us_cubes(region):
        return
    fight = _NationsEngagement(play, region, colour, favour or EngagementBonus())
    fight.fight(region in play.entered and play.tribe_cubes(region) == 1)
    play.entered.discard(region)
    for name, to in fight.fled.items():
        cubes = play.columns[name].cubes
        play.tell(ColumnMoved, column=name, cubes=cubes, start=region, to=to, back=True)
    for goal in play.board.in_board_order(fight.fled.values()):
        fight_region(play, goal)


def apply_hits(play: WorkingState, region: Region, hits: int) -> dict[Colour, int]:
    """Remove cubes that the U.S. loses in a region to hits of one roll; return them by colour."""
    fell: dict[Colour, int] = {}
    hits_left = min(hits, play.us_cubes(region))
    while hits_left:
        colour = _next_to_fall(play, region)
        count = 1 if play.scenario.campaign else min(hits_left, play.count(region, colour))
        play.eliminate(region, colour, count)
        fell[colour] = fell.get(colour, 0) + count
        hits_left -= count
    return fell


def _next_to_fall(play: WorkingState, region: Region) -> Colour:
    """Return the colour that loses next: the most numerous, of equals the first of the scenario's list.

    A roll's hits all come from it, the surplus from the next; columns are judged cube by cube, with a
    commander the last of his men, and the player says which troopers fall among equals.
    Source: PIW2.train.most, PIW2.train.ties, PIW2.rail.most, PIW2.custer.most, PIW2.custer.commander.
    """
    order = standing_orders.fall_order(play)
    here = {colour: play.count(region, colour) for colour in order}
    if play.scenario.campaign:
        bare = sum(set(column.cubes) == {"Black"} for column in play.columns.values() if column.at == region)
        here["Black"] = min(here["Black"], bare)
    return max(order, key=lambda colour: (here[colour], -order.index(colour)))


class _NationsEngagement(BaseEngagement):
    """An engagement of Variant II. fled: where each column went after a treaty."""

    def __init__(self, play: WorkingState, region: Region, tribe: Colour, favour: EngagementBonus) -> None:
        ours = [colour for colour in play.scenario.fighters if play.count(region, colour)]
        super().__init__(play, region, tribe, ours)
        self.treaties, self.fierce = play.scenario.treaties, favour.fierce == region
        self.alone = favour.alone.get(region, 0)
        self.fled: dict[Colour, Region] = {}
        campaign = play.scenario.campaign
        self.die = campaign.die if campaign and region == campaign.goal else None

    def counts(self) -> dict[Colour, int]:
        """Return the dice of both sides; of the tribe alone while a card says so.

        Source: PIW2.train.dice, PIW2.rail.dice, PIW2.custer.dice, PIW2.custer.orange.
        """
        counts = {self.tribe: dice_for(self.cubes_left([self.tribe]))}
        if self.die is not None:
            counts[self.die] = 1
        return counts if len(self.rounds) < self.alone else self.us_dice() | counts

    def tribe_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the tribe's faces, with its die for the Black Hills.

        A card turns treaties into hits.
        """
        shown = self._own_faces(faces)
        return tuple("hit" if face == "treaty" else face for face in shown) if self.fierce else shown

    def lose_us_cubes(self, hits: int) -> dict[Colour, int]:
        """Remove cubes that the U.S. loses by its procedure."""
        return apply_hits(self.play, self.region, hits)

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Let one cube of the tribe leave for each blank, where the player said so; the U.S. stays.

        Source: PIW2.train.blank, PIW2.rail.blank, PIW2.custer.blank.
        """
        here = self.play.count(self.region, self.tribe)
        if here > standing_orders.withdraws_at(self.play, self.tribe):
            return ()
        leaving = min(here, self._own_faces(faces).count("blank"))
        gone = self.leave_one_by_one(
            self.tribe, leaving, lambda: withdrawal_regions(self.play, self.tribe, self.region)
        )
        return tuple(retreat for retreat in gone if retreat.to is not None)

    def apply_treaty(self) -> None:
        """Move each column back along its own route. Source: PIW2.custer.treaty, PIW2.custer.apart."""
        campaign = self.play.scenario.campaign
        assert campaign is not None, "treaties count where columns ride"
        for name, column in sorted(self.play.columns.items()):
            if column.at != self.region:
                continue
            steps = campaign.columns[name].steps
            to = steps[steps.index(self.region) - 1]
            self.play.move_column(name, to)
            self.fled[name] = to

    def _own_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the tribe's own faces, and that of the die of the Black Hills.

        The die counts as one of its own for every face.
        """
        return (*faces.get(self.tribe, ()), *(faces.get(self.die, ()) if self.die else ()))
