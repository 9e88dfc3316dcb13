"""Wagons: their way west, the night raids, and the tribes' attacks on them."""

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS, TrailStep
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.events import EngagementRound, NightRaid, WagonsCame, WagonsFought, WagonsMoved
from games.plains_indian_wars.model import Belt, Colour, Face, Region
from games.plains_indian_wars.working_state import WorkingState

NIGHT_RAIDERS: tuple[tuple[Belt, Colour], ...] = (("north", "Green"), ("south", "Orange"))
"""Whose die strikes at night on which trail."""


def bring_wagons(play: WorkingState) -> None:
    """Add new wagons in St. Louis, as long as there are any; not on turn 1. Source: PIW1.white.6."""
    if play.now.turn > 1 and (count := play.add_from_ready(ST_LOUIS, "White", play.scenario.wagons)):
        play.tell(WagonsCame, count=count)


def advance_wagons(play: WorkingState) -> None:
    """Move every wagon on a trail one step west, then one from St. Louis onto each.

    Source: PIW1.white.2.
    """
    rolling = {region: play.count(region, "White") for region in play.board.steps}
    for region in reversed(tuple(play.board.steps)):
        if rolling[region]:
            move_wagons(play, region, rolling[region])
    for trail in play.board.chart.trails.values():
        if play.count(ST_LOUIS, "White"):
            start = trail.steps[0].region
            play.move_cubes(ST_LOUIS, start, {"White": 1})
            play.tell(WagonsMoved, count=1, start=ST_LOUIS, to=start)


def move_wagons(play: WorkingState, region: Region, wagons: int) -> None:
    """Move wagons from a step to the next; in the Rockies they are through."""
    for to, count in wagon_ways(play, play.board.steps[region], wagons).items():
        if to == ROCKIES:
            play.remove_cubes(region, "White", count)
            play.set(through=play.now.through + count)
        else:
            play.move_cubes(region, to, {"White": count})
        play.tell(WagonsMoved, count=count, start=region, to=to)


def wagon_ways(play: WorkingState, step: TrailStep, wagons: int) -> dict[Region, int]:
    """Return where the wagons of a step go, and how many each way.

    At a fork they go as the U.S. player has said. Source: PIW1.white.5, PIW1.white.fork.
    """
    choices = [play.board.by_id[step_id] for step_id in step.next if step_id in play.board.by_id]
    if not choices:
        return {ROCKIES: wagons}
    branch, most = standing_orders.wagon_branch(play)
    named = next((choice for choice in choices if choice.branch == branch), choices[0])
    others = [choice for choice in choices if choice != named]
    first = min(most or wagons, wagons) if others else wagons
    parted = {named.region: first, **{choice.region: wagons - first for choice in others[:1]}}
    return {to: count for to, count in parted.items() if count}


def raid_by_night(play: WorkingState) -> None:
    """Roll a die for each trail, which strikes a step, and once for each wagon there.

    Source: PIW1.night.2.
    """
    for belt, colour in NIGHT_RAIDERS:
        number = play.dice.roll(f"{play.dice_label}/night/{belt}", 6)
        struck = [step.region for step in play.board.chart.trails[belt].steps if step.number == number]
        thrown: dict[Region, tuple[Face, ...]] = {}
        for region in struck if not play.now.circled else ():
            wagons = play.count(region, "White")
            if wagons:
                thrown[region] = tuple(
                    play.materials.roll(play.dice, f"{play.dice_label}/night/{region}/{n}", colour, 1)[0]
                    for n in range(1, wagons + 1)
                )
                play.eliminate(region, "White", thrown[region].count("hit"))
        play.tell(NightRaid, trail=belt, number=number, thrown=thrown, foiled=bool(play.now.circled))


def raid_wagons(play: WorkingState, colour: Colour) -> None:
    """Attack wagons that nobody guards any more with a tribe. Source: PIW1.wagons.1.

    Wagons that a treaty let go are left alone for the rest of the phase.
    """
    prey = [
        region
        for region in play.regions_with(("White",))
        if play.count(region, colour) and not play.us_cubes(region) and region not in play.now.quiet
    ]
    wanted = {region: play.count(region, "White") for region in standing_orders.engagement_order(play, prey)}
    for region, count in wanted.items():
        _raid_region(play, region, colour, count)


def _raid_region(play: WorkingState, region: Region, colour: Colour, wagons: int) -> None:
    """Play one attack on a number of wagons, roll by roll."""
    play.engagements += 1
    label = f"{play.dice_label}/{region}#{play.engagements}"
    guards = play.now.circled or play.scenario.wagon_dice
    cubes: dict[Colour, int] = {"White": wagons, colour: play.count(region, colour)}
    rounds: list[EngagementRound] = []
    to = None
    while wagons and play.count(region, colour) and to is None:
        at = f"{label}/{len(rounds) + 1}"
        theirs = play.materials.roll(play.dice, at, colour, dice_for(play.count(region, colour)))
        ours = play.materials.roll(play.dice, at, "Brown", guards)
        faces: dict[Colour, tuple[Face, ...]] = {"Brown": ours, colour: theirs}
        if "treaty" in theirs and "treaty" in ours:
            rounds.append(EngagementRound(faces=faces, treaty=True))
            to = next(iter(wagon_ways(play, play.board.steps[region], wagons)))
            continue
        fell: dict[Colour, int] = {
            "White": min(theirs.count("hit"), wagons),
            colour: min(ours.count("hit"), play.count(region, colour)),
        }
        for loser, count in fell.items():
            play.eliminate(region, loser, count)
        wagons -= fell["White"]
        rounds.append(
            EngagementRound(faces=faces, fell={loser: count for loser, count in fell.items() if count})
        )
    cubes_left = {survivor: n for survivor in ("White", colour) if (n := play.count(region, survivor))}
    play.tell(WagonsFought, at=region, cubes=cubes, rounds=tuple(rounds), left=cubes_left, to=to)
    if to is not None:
        move_wagons(play, region, wagons)
