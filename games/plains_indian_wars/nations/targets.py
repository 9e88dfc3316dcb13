"""What a plain-minded chief is after: the train, the workers before they build, the Black Hills."""

from collections.abc import Callable

from games.plains_indian_wars.board import ST_LOUIS
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Region
from games.plains_indian_wars.nations.gathering import Aim
from games.plains_indian_wars.nations.lands import homes, may_stand, places_for
from games.plains_indian_wars.nations.parties import WEST
from games.plains_indian_wars.nations.sequence import TRAIL_OF

_ENOUGH = 5
"""Fewer cubes do not attack workers and their escorts: they gather first."""


def aims_of(play: Play, colour: Colour) -> tuple[Aim, ...]:
    """Where the cubes of a tribe are wanted in this phase, the most important place first."""
    return _AIMS[_sort(play)](play, colour)


def next_region(play: Play, colour: Colour) -> Region | None:
    """Where the wagon train will be next, if a tribe may wait for it there."""
    at = play.now.trains.get(TRAIL_OF[colour], ST_LOUIS)
    if at == ST_LOUIS:
        return None
    ahead = [play.board.by_id[one].region for one in play.board.steps[at].next if one in play.board.by_id]
    return next((one for one in ahead if may_stand(play, colour, one)), None)


def posts_of(play: Play, colour: Colour) -> tuple[Region, ...]:
    """Home regions along the trail ahead, which are held so that cubes can be placed there when it counts."""
    at = play.now.trains.get(TRAIL_OF[colour])
    if at is None:
        return ()
    steps = [step.region for step in play.board.chart.trails[TRAIL_OF[colour]].steps]
    ahead = [one for one in steps if one not in steps[: steps.index(at) + 1]]
    beyond = [one for one in ahead if one not in homes(play, colour)]
    near = {other for one in beyond for other in play.board.near[one]}
    return play.board.sorted({*ahead, *near} & set(homes(play, colour)))


def _sort(play: Play) -> str:
    return "train" if play.scenario.trains else "rails" if play.scenario.works else "columns"


def _of_train(play: Play, colour: Colour) -> tuple[Aim, ...]:
    """Full strength at the train, then at its next stop, then round about."""
    at = play.now.trains[TRAIL_OF[colour]]
    full = play.limit(at)
    aims = [Aim(at, full, 6, "the train is there", few=2)]
    ahead = next_region(play, colour)
    if ahead is not None:
        aims.append(Aim(ahead, full, 3, "the train comes there next"))
    beside = [one for one in play.board.near[ahead or at] if one in places_for(play, colour)]
    aims += [Aim(one, full, 1, "it is near the trail") for one in beside[:1] if one not in (at, ahead)]
    return tuple(aims)


def _of_rails(play: Play, colour: Colour) -> tuple[Aim, ...]:
    """The workers, as long as they will build in this turn and enough can come; else gather beside them."""
    side = play.scenario.tribes.index(colour) if len(play.scenario.tribes) > 1 else 0
    assert play.scenario.works is not None, "the railroad is built by parties"
    rails = play.board.chart.railroad.sections
    aims, stands = [], []
    for line, section in play.now.parties.items():
        at = rails[section][play.scenario.works.sides[side]]
        if play.us(at):
            few = 2 if play.us(at) < _ENOUGH else _ENOUGH
            if "Black" in play.now.bag:
                aims.append(Aim(at, play.limit(at), 6, "workers are there who will build", few=few))
            beyond = section + (WEST if line == "union" else -WEST)
            if 0 <= beyond < len(rails):
                stands.append(rails[beyond][play.scenario.works.sides[side]])
    aims += [Aim(one, play.limit(one), 2, "the workers come there next") for one in stands]
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


def _of_columns(play: Play, colour: Colour) -> tuple[Aim, ...]:
    """The Black Hills are held with all that they take; who is left over waits before the next column."""
    campaign = play.scenario.campaign
    assert campaign is not None, "columns ride in a campaign"
    aims = [Aim(campaign.goal, play.limit(campaign.goal), 6, "the Black Hills must be held")]
    for name, column in sorted(play.columns.items()):
        steps = campaign.columns[name].steps
        before = steps[-2]
        if column.at != campaign.goal and may_stand(play, colour, before):
            aims.append(Aim(before, 4, 1, "a column will come that way"))
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


_AIMS: dict[str, Callable[[Play, Colour], tuple[Aim, ...]]] = {
    "train": _of_train,
    "rails": _of_rails,
    "columns": _of_columns,
}
