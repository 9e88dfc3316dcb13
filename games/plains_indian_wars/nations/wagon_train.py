"""Wagon trains: one step west each turn, until they are through or no wagon is left."""

from games.plains_indian_wars.board import ROCKIES, ST_LOUIS, TrailStep
from games.plains_indian_wars.events import Forked, TrainMoved
from games.plains_indian_wars.model import Belt, Colour, Region
from games.plains_indian_wars.working_state import WorkingState


def set_up_trains(play: WorkingState) -> None:
    """Set the trains up in St. Louis. Source: PIW2.train.setup."""
    play.set(trains=dict.fromkeys(play.scenario.trains, ST_LOUIS))


def advance_trains(play: WorkingState) -> None:
    """Move each train on one step; nobody fights because of it.

    Source: PIW2.train.step, PIW2.train.calm.
    """
    for belt, at in play.now.trains.items():
        to = _next_stop(play, belt, at)
        cubes = _train_cubes(play, belt, at)
        for colour, count in cubes.items():
            play.remove_cubes(at, colour, count)
            if to != ROCKIES:
                play.add_cubes(to, colour, count)
        play.tell(TrainMoved, trail=belt, cubes=cubes, start=at, to=to)
        if to == ROCKIES:
            _arrive_train(play, belt, cubes)
        else:
            play.set(trains={**play.now.trains, belt: to})


def disband_trains(play: WorkingState) -> None:
    """Remove trains without wagons, although other cubes are left of them. Source: PIW2.train.end."""
    for belt, at in play.now.trains.items():
        if not play.count(at, "White"):
            play.set(trains={other: to for other, to in play.now.trains.items() if other != belt})


def _train_cubes(play: WorkingState, belt: Belt, at: Region) -> dict[Colour, int]:
    """Return the cubes that go with a train; guards stay where they are. Source: PIW2.train.guards."""
    escort = play.scenario.trains[belt]
    if at == ST_LOUIS:
        return dict(escort)
    return {colour: n for colour in escort if (n := play.count(at, colour))}


def _next_stop(play: WorkingState, belt: Belt, at: Region) -> Region:
    """Return where a train goes from a region; at the fork a Purple die says it. Source: PIW2.train.fork."""
    if at == ST_LOUIS:
        return play.board.chart.trails[belt].steps[0].region
    choices = [
        play.board.by_id[step_id] for step_id in play.board.steps[at].next if step_id in play.board.by_id
    ]
    if len(choices) > 1:
        return _roll_fork(play, belt, choices)
    return choices[0].region if choices else ROCKIES


def _roll_fork(play: WorkingState, belt: Belt, choices: list[TrailStep]) -> Region:
    (face,) = play.materials.roll(play.dice, f"{play.dice_label}/fork", "Purple", 1)
    to = next(step.region for step in choices if step.branch == play.scenario.fork[face])
    play.tell(Forked, trail=belt, face=face, to=to)
    return to


def _arrive_train(play: WorkingState, belt: Belt, cubes: dict[Colour, int]) -> None:
    """Count the wagons of a train that is through; none of its cubes come back.

    Source: PIW2.train.exit.
    """
    for colour, count in cubes.items():
        if colour != "White":
            play.gone[colour] = play.gone.get(colour, 0) + count
    play.set(
        trains={other: at for other, at in play.now.trains.items() if other != belt},
        arrived={**play.now.arrived, belt: cubes.get("White", 0)},
    )
