"""Wagons: their way west, the night raids, and the tribes that fall on them."""

from games.plains_indian_wars import standing
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS, Step
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.events import NightRaid, Round, WagonsCame, WagonsFought, WagonsMoved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Belt, Colour, Face, Region

RAIDERS: tuple[tuple[Belt, Colour], ...] = (("north", "Green"), ("south", "Orange"))
"""Whose die strikes at night on which trail."""


def come(play: Play) -> None:
    """New wagons stand in St. Louis, as long as there are any; not on turn 1. Source: PIW1.white.6."""
    if play.now.turn > 1 and (count := play.muster(ST_LOUIS, "White", play.scenario.wagons)):
        play.tell(WagonsCame, count=count)


def advance(play: Play) -> None:
    """Every wagon on a trail goes one step west, then one from St. Louis onto each. Source: PIW1.white.2."""
    rolling = {region: play.count(region, "White") for region in play.board.steps}
    for region in reversed(tuple(play.board.steps)):
        if rolling[region]:
            onward(play, region, rolling[region])
    for trail in play.board.chart.trails.values():
        if play.count(ST_LOUIS, "White"):
            start = trail.steps[0].region
            play.shift(ST_LOUIS, start, {"White": 1})
            play.tell(WagonsMoved, count=1, start=ST_LOUIS, to=start)


def onward(play: Play, region: Region, wagons: int) -> None:
    """Wagons go from a step to the next; in the Rockies they are through."""
    for to, count in ways_of(play, play.board.steps[region], wagons).items():
        if to == ROCKIES:
            play.take(region, "White", count)
            play.set(through=play.now.through + count)
        else:
            play.shift(region, to, {"White": count})
        play.tell(WagonsMoved, count=count, start=region, to=to)


def ways_of(play: Play, step: Step, wagons: int) -> dict[Region, int]:
    """Where the wagons of a step go, and how many each way; at a fork as the U.S. player has said.

    Source: PIW1.white.5, PIW1.white.fork.
    """
    choices = [play.board.by_id[one] for one in step.next if one in play.board.by_id]
    if not choices:
        return {ROCKIES: wagons}
    branch, most = standing.branch(play)
    named = next((one for one in choices if one.branch == branch), choices[0])
    others = [one for one in choices if one != named]
    first = min(most or wagons, wagons) if others else wagons
    parted = {named.region: first, **{one.region: wagons - first for one in others[:1]}}
    return {to: count for to, count in parted.items() if count}


def night(play: Play) -> None:
    """A die for each trail strikes a step; each wagon there is thrown for once. Source: PIW1.night.2."""
    for belt, colour in RAIDERS:
        number = play.dice.roll(f"{play.label}/night/{belt}", 6)
        struck = [step.region for step in play.board.chart.trails[belt].steps if step.number == number]
        thrown: dict[Region, tuple[Face, ...]] = {}
        for region in struck if not play.now.circled else ():
            wagons = play.count(region, "White")
            if wagons:
                thrown[region] = tuple(
                    play.box.throw(play.dice, f"{play.label}/night/{region}/{n}", colour, 1)[0]
                    for n in range(1, wagons + 1)
                )
                play.fall(region, "White", thrown[region].count("hit"))
        play.tell(NightRaid, trail=belt, number=number, thrown=thrown, foiled=bool(play.now.circled))


def raids(play: Play, colour: Colour) -> None:
    """A tribe falls on wagons that nobody guards any more. Source: PIW1.wagons.1.

    Wagons that a treaty let go are left alone for the rest of the phase.
    """
    prey = [
        region
        for region in play.regions(("White",))
        if play.count(region, colour) and not play.us(region) and region not in play.now.quiet
    ]
    wanted = {region: play.count(region, "White") for region in standing.in_order(play, prey)}
    for region, count in wanted.items():
        _raid(play, region, colour, count)


def _raid(play: Play, region: Region, colour: Colour, wagons: int) -> None:
    """One attack on so many wagons, throw by throw."""
    play.engagements += 1
    label = f"{play.label}/{region}#{play.engagements}"
    guards = play.now.circled or play.scenario.wagon_dice
    cubes: dict[Colour, int] = {"White": wagons, colour: play.count(region, colour)}
    rounds: list[Round] = []
    to = None
    while wagons and play.count(region, colour) and to is None:
        at = f"{label}/{len(rounds) + 1}"
        theirs = play.box.throw(play.dice, at, colour, dice_for(play.count(region, colour)))
        ours = play.box.throw(play.dice, at, "Brown", guards)
        faces: dict[Colour, tuple[Face, ...]] = {"Brown": ours, colour: theirs}
        if "treaty" in theirs and "treaty" in ours:
            rounds.append(Round(faces=faces, treaty=True))
            to = next(iter(ways_of(play, play.board.steps[region], wagons)))
            continue
        fell: dict[Colour, int] = {
            "White": min(theirs.count("hit"), wagons),
            colour: min(ours.count("hit"), play.count(region, colour)),
        }
        for one, count in fell.items():
            play.fall(region, one, count)
        wagons -= fell["White"]
        rounds.append(Round(faces=faces, fell={one: count for one, count in fell.items() if count}))
    left = {one: n for one in ("White", colour) if (n := play.count(region, one))}
    play.tell(WagonsFought, at=region, cubes=cubes, rounds=tuple(rounds), left=left, to=to)
    if to is not None:
        onward(play, region, wagons)
