"""Wagon trains: one step west each turn, until they are through or no wagon is left."""

from games.plains_indian_wars.board import ROCKIES, ST_LOUIS, Step
from games.plains_indian_wars.events import Forked, TrainMoved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Belt, Colour, Region


def gather(play: Play) -> None:
    """The trains stand in St. Louis. Source: PIW2.train.setup."""
    play.set(trains=dict.fromkeys(play.scenario.trains, ST_LOUIS))


def advance(play: Play) -> None:
    """Each train goes on one step; nobody fights because of it. Source: PIW2.train.step, PIW2.train.calm."""
    for belt, at in play.now.trains.items():
        to = _next(play, belt, at)
        cubes = _cubes(play, belt, at)
        for colour, count in cubes.items():
            play.take(at, colour, count)
            if to != ROCKIES:
                play.put(to, colour, count)
        play.tell(TrainMoved, trail=belt, cubes=cubes, start=at, to=to)
        if to == ROCKIES:
            _arrive(play, belt, cubes)
        else:
            play.set(trains={**play.now.trains, belt: to})


def disband(play: Play) -> None:
    """A train without wagons is finished, whoever else is left of it. Source: PIW2.train.end."""
    for belt, at in play.now.trains.items():
        if not play.count(at, "White"):
            play.set(trains={one: to for one, to in play.now.trains.items() if one != belt})


def _cubes(play: Play, belt: Belt, at: Region) -> dict[Colour, int]:
    """Who goes with a train; guards stay where they are. Source: PIW2.train.guards."""
    escort = play.scenario.trains[belt]
    if at == ST_LOUIS:
        return dict(escort)
    return {colour: n for colour in escort if (n := play.count(at, colour))}


def _next(play: Play, belt: Belt, at: Region) -> Region:
    """Where a train goes from a region; at the fork a Purple die says it. Source: PIW2.train.fork."""
    if at == ST_LOUIS:
        return play.board.chart.trails[belt].steps[0].region
    choices = [play.board.by_id[one] for one in play.board.steps[at].next if one in play.board.by_id]
    if len(choices) > 1:
        return _fork(play, belt, choices)
    return choices[0].region if choices else ROCKIES


def _fork(play: Play, belt: Belt, choices: list[Step]) -> Region:
    (face,) = play.box.throw(play.dice, f"{play.label}/fork", "Purple", 1)
    to = next(step.region for step in choices if step.branch == play.scenario.fork[face])
    play.tell(Forked, trail=belt, face=face, to=to)
    return to


def _arrive(play: Play, belt: Belt, cubes: dict[Colour, int]) -> None:
    """The train is through: its wagons count, and nobody of it comes back. Source: PIW2.train.exit."""
    for colour, count in cubes.items():
        if colour != "White":
            play.gone[colour] = play.gone.get(colour, 0) + count
    play.set(
        trains={one: at for one, at in play.now.trains.items() if one != belt},
        arrived={**play.now.arrived, belt: cubes.get("White", 0)},
    )
