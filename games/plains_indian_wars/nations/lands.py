"""The regions where the cubes of a tribe may come, go, pass and withdraw to."""

from collections.abc import Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.model import Colour, Region
from games.plains_indian_wars.working_state import WorkingState


def home_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the plains of a tribe, in board order."""
    return play.board.regions_in_zones("N" if colour == "Green" else "S")


def controls(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether a tribe alone is in a region: no cube of the U.S., no wagon. Source: PIW1.control."""
    return bool(play.count(region, colour)) and not play.us_cubes(region)


def is_empty(play: WorkingState, region: Region) -> bool:
    """Return whether nobody is in a region."""
    return not play.us_cubes(region) and not play.tribe_cubes(region)


def placement_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return where cubes of a tribe come on the board: home regions that it controls.

    A tribe that controls none begins again in an empty one, where the scenario lets it.
    Source: PIW2.place.home, PIW2.place.empty.
    """
    mine = tuple(region for region in home_regions(play, colour) if controls(play, colour, region))
    if mine or not play.scenario.empty_home:
        return mine
    return tuple(region for region in home_regions(play, colour) if is_empty(play, region))


def may_stand(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether cubes of a tribe may go to a region: its land, and any region of the wagon train.

    Source: PIW2.train.lands, PIW2.rail.lands, PIW2.custer.lands.
    """
    land = play.scenario.lands[colour]
    if region in land.barred:
        return False
    if play.board.places[region].zone in land.zones:
        return True
    return region in play.now.trains.values() and play.board.may_enter(colour, region)


def reachable_regions(play: WorkingState, colour: Colour, start: Region, reach: int) -> dict[Region, int]:
    """Return where a group may end, with the number of moves, nearest first.

    It goes on through the U.S. only where the scenario says so.
    Source: PIW2.train.through, PIW2.rail.stop.
    """
    distances: dict[Region, int] = {}
    edge: Sequence[Region] = [start]
    for distance in range(1, reach + 1):
        beyond = play.board.in_board_order({to for here in edge for to in play.board.near[here]})
        edge = [
            region
            for region in beyond
            if region not in distances and region != start and may_stand(play, colour, region)
        ]
        distances |= dict.fromkeys(edge, distance)
        if not play.scenario.passing:
            edge = [region for region in edge if not play.us_cubes(region)]
    return distances


def withdrawal_regions(play: WorkingState, colour: Colour, start: Region) -> tuple[Region, ...]:
    """Return where one cube may withdraw to, the best first.

    The neighbours named come first, else those where most of its tribe are. Source: PIW2.withdraw.where.
    """
    regions = [
        region
        for region in play.board.near[start]
        if may_stand(play, colour, region)
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribe_cubes(region) < play.tribe_limit(region)
    ]
    wanted = (standing_orders.instruction_on(play, "fall back", start) or ("",))[0]
    return tuple(sorted(regions, key=lambda region: (region != wanted, -play.tribe_cubes(region))))
