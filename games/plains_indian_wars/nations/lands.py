"""Where the cubes of a tribe may come, go, pass and withdraw to."""

from collections.abc import Sequence

from games.plains_indian_wars import standing
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Region


def homes(play: Play, colour: Colour) -> tuple[Region, ...]:
    """The plains of a tribe, in board order."""
    return play.board.zone("N" if colour == "Green" else "S")


def controls(play: Play, colour: Colour, region: Region) -> bool:
    """Whether a tribe alone is in a region: no cube of the U.S., no wagon. Source: PIW1.control."""
    return bool(play.count(region, colour)) and not play.us(region)


def is_empty(play: Play, region: Region) -> bool:
    """Whether nobody is in a region."""
    return not play.us(region) and not play.tribes(region)


def places_for(play: Play, colour: Colour) -> tuple[Region, ...]:
    """Where cubes of a tribe come on the board: home regions that it controls.

    A tribe that controls none begins anew in an empty one, where the scenario lets it.
    Source: PIW2.place.home, PIW2.place.empty.
    """
    mine = tuple(region for region in homes(play, colour) if controls(play, colour, region))
    if mine or not play.scenario.empty_home:
        return mine
    return tuple(region for region in homes(play, colour) if is_empty(play, region))


def may_stand(play: Play, colour: Colour, region: Region) -> bool:
    """Whether cubes of a tribe may go to a region: its land, and wherever the wagon train is.

    Source: PIW2.train.lands, PIW2.rail.lands, PIW2.custer.lands.
    """
    land = play.scenario.lands[colour]
    if region in land.barred:
        return False
    if play.board.places[region].zone in land.zones:
        return True
    return region in play.now.trains.values() and play.board.may_enter(colour, region)


def reached(play: Play, colour: Colour, start: Region, reach: int) -> dict[Region, int]:
    """Where a group may end, with the number of moves, nearest first.

    It goes on through the U.S. only where the scenario says so. Source: PIW2.train.through, PIW2.rail.stop.
    """
    found: dict[Region, int] = {}
    edge: Sequence[Region] = [start]
    for distance in range(1, reach + 1):
        beyond = play.board.sorted({to for one in edge for to in play.board.near[one]})
        edge = [one for one in beyond if one not in found and one != start and may_stand(play, colour, one)]
        found |= dict.fromkeys(edge, distance)
        if not play.scenario.passing:
            edge = [region for region in edge if not play.us(region)]
    return found


def shelters(play: Play, colour: Colour, start: Region) -> tuple[Region, ...]:
    """Where one cube may withdraw to, the best first: the neighbours named, else where most of its tribe are.

    Source: PIW2.withdraw.where.
    """
    found = [
        region
        for region in play.board.near[start]
        if may_stand(play, colour, region)
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribes(region) < play.limit(region)
    ]
    wanted = (standing.said(play, "fall back", start) or ("",))[0]
    return tuple(sorted(found, key=lambda region: (region != wanted, -play.tribes(region))))
