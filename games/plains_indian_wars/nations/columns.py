"""Columns of cavalry: where they start, how they ride for the Black Hills, and when one is gone."""

from games.plains_indian_wars.components import ColumnCampaign
from games.plains_indian_wars.events import ColumnFell, ColumnMoved
from games.plains_indian_wars.model import CavalryColumn, Colour
from games.plains_indian_wars.nations.fights import fight_region
from games.plains_indian_wars.working_state import WorkingState


def set_up_columns(play: WorkingState) -> None:
    """Set each column up at its start. Source: PIW2.custer.columns."""
    for name, route in sorted(current_campaign(play).columns.items()):
        for colour, count in route.cubes.items():
            play.ready[colour] -= count
        play.columns[name] = CavalryColumn(at=route.steps[0], cubes=dict(route.cubes))


def march_column(play: WorkingState, name: Colour) -> None:
    """Move a column one region on, where it fights any tribe; at the goal it stays and fights on.

    Source: PIW2.custer.route, PIW2.custer.engage.
    """
    column, steps = play.columns[name], current_campaign(play).columns[name].steps
    to = steps[min(steps.index(column.at) + 1, len(steps) - 1)]
    if to != column.at:
        play.move_column(name, to)
        play.entered.add(to)
        play.tell(ColumnMoved, column=name, cubes=column.cubes, start=column.at, to=to)
    fight_region(play, to)
    remove_empty_columns(play)


def remove_empty_columns(play: WorkingState) -> None:
    """Remove columns without cubes, and their discs. Source: PIW2.custer.disc."""
    for name in [colour for colour, column in sorted(play.columns.items()) if not column.cubes]:
        del play.columns[name]
        play.set(bag=tuple(disc for disc in play.now.bag if disc != name))
        play.tell(ColumnFell, column=name)


def current_campaign(play: WorkingState) -> ColumnCampaign:
    """Return the campaign that is played; there is one where columns are."""
    assert play.scenario.campaign is not None, "only a campaign has columns"
    return play.scenario.campaign
