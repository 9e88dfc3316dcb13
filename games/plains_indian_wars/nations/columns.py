"""Columns of cavalry: where they start, how they ride for the Black Hills, and when one is no more."""

from games.plains_indian_wars.components import Campaign
from games.plains_indian_wars.events import ColumnFell, ColumnMoved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Column
from games.plains_indian_wars.nations.fights import engage


def gather(play: Play) -> None:
    """Each column is at its start. Source: PIW2.custer.columns."""
    for name, route in sorted(campaign(play).columns.items()):
        for colour, count in route.cubes.items():
            play.ready[colour] -= count
        play.columns[name] = Column(at=route.steps[0], cubes=dict(route.cubes))


def march(play: Play, name: Colour) -> None:
    """A column rides on one region and fights whoever is there; at the goal it stays and fights on.

    Source: PIW2.custer.route, PIW2.custer.engage.
    """
    column, steps = play.columns[name], campaign(play).columns[name].steps
    to = steps[min(steps.index(column.at) + 1, len(steps) - 1)]
    if to != column.at:
        play.ride(name, to)
        play.entered.add(to)
        play.tell(ColumnMoved, column=name, cubes=column.cubes, start=column.at, to=to)
    engage(play, to)
    bury(play)


def bury(play: Play) -> None:
    """Columns of which nobody is left go, and so do their discs. Source: PIW2.custer.disc."""
    for name in [one for one, column in sorted(play.columns.items()) if not column.cubes]:
        del play.columns[name]
        play.set(bag=tuple(one for one in play.now.bag if one != name))
        play.tell(ColumnFell, column=name)


def campaign(play: Play) -> Campaign:
    """The campaign that is played; there is one where columns are."""
    assert play.scenario.campaign is not None, "only a campaign has columns"
    return play.scenario.campaign
