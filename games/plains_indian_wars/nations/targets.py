"""The aims of the nations' bot: the train, the workers before they build, the Black Hills."""

from collections.abc import Callable

from games.plains_indian_wars.board import ST_LOUIS
from games.plains_indian_wars.model import Colour, Region
from games.plains_indian_wars.nations.gathering import Aim
from games.plains_indian_wars.nations.lands import home_regions, may_stand, placement_regions
from games.plains_indian_wars.nations.parties import WESTWARD
from games.plains_indian_wars.nations.sequence import TRAIL_OF_TRIBE
from games.plains_indian_wars.working_state import WorkingState

_MIN_ATTACKERS = 5
"""Fewer cubes do not attack workers and their escorts: they gather first."""


def tribe_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return where the cubes of a tribe are wanted in this phase, the most important place first."""
    return _AIMS_BY_SCENARIO[_scenario_sort(play)](play, colour)


def next_train_region(play: WorkingState, colour: Colour) -> Region | None:
    """Return where the wagon train will be next, if a tribe may wait for it there."""
    at = play.now.trains.get(TRAIL_OF_TRIBE[colour], ST_LOUIS)
    if at == ST_LOUIS:
        return None
    ahead = [
        play.board.by_id[step_id].region
        for step_id in play.board.steps[at].next
        if step_id in play.board.by_id
    ]
    return next((region for region in ahead if may_stand(play, colour, region)), None)


def tribe_posts(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return home regions along the trail ahead.

    They are held so that cubes can be placed there when it counts.
    """
    at = play.now.trains.get(TRAIL_OF_TRIBE[colour])
    if at is None:
        return ()
    steps = [step.region for step in play.board.chart.trails[TRAIL_OF_TRIBE[colour]].steps]
    ahead = [region for region in steps if region not in steps[: steps.index(at) + 1]]
    beyond = [region for region in ahead if region not in home_regions(play, colour)]
    near = {other for region in beyond for other in play.board.near[region]}
    return play.board.in_board_order({*ahead, *near} & set(home_regions(play, colour)))


def _scenario_sort(play: WorkingState) -> str:
    return "train" if play.scenario.trains else "rails" if play.scenario.works else "columns"


def _train_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return aims for full strength at the train, then at its next stop, then round about."""
    at = play.now.trains[TRAIL_OF_TRIBE[colour]]
    full = play.tribe_limit(at)
    aims = [Aim(at, full, 6, "the train is there", few=2)]
    ahead = next_train_region(play, colour)
    if ahead is not None:
        aims.append(Aim(ahead, full, 3, "the train comes there next"))
    beside = [region for region in play.board.near[ahead or at] if region in placement_regions(play, colour)]
    aims += [
        Aim(region, full, 1, "it is near the trail") for region in beside[:1] if region not in (at, ahead)
    ]
    return tuple(aims)


def _rail_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return the workers as aims, as long as they will build in this turn and enough cubes can come.

    Else the cubes gather beside them.
    """
    side = play.scenario.tribes.index(colour) if len(play.scenario.tribes) > 1 else 0
    assert play.scenario.works is not None, "the railroad is built by parties"
    rails = play.board.chart.railroad.sections
    aims, stands = [], []
    for line, section in play.now.parties.items():
        at = rails[section][play.scenario.works.sides[side]]
        if play.us_cubes(at):
            few = 2 if play.us_cubes(at) < _MIN_ATTACKERS else _MIN_ATTACKERS
            if "Black" in play.now.bag:
                aims.append(Aim(at, play.tribe_limit(at), 6, "workers are there who will build", few=few))
            beyond = section + (WESTWARD if line == "union" else -WESTWARD)
            if 0 <= beyond < len(rails):
                stands.append(rails[beyond][play.scenario.works.sides[side]])
    aims += [Aim(region, play.tribe_limit(region), 2, "the workers come there next") for region in stands]
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


def _column_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return the Black Hills as an aim, with all cubes that they take.

    Cubes left over wait before the next column.
    """
    campaign = play.scenario.campaign
    assert campaign is not None, "columns ride in a campaign"
    aims = [Aim(campaign.goal, play.tribe_limit(campaign.goal), 6, "the Black Hills must be held")]
    for name, column in sorted(play.columns.items()):
        steps = campaign.columns[name].steps
        before = steps[-2]
        if column.at != campaign.goal and may_stand(play, colour, before):
            aims.append(Aim(before, 4, 1, "a column will come that way"))
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


_AIMS_BY_SCENARIO: dict[str, Callable[[WorkingState, Colour], tuple[Aim, ...]]] = {
    "train": _train_aims,
    "rails": _rail_aims,
    "columns": _column_aims,
}
