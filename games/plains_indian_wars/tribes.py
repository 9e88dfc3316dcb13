"""The arrival of the tribes: two dice on their own discs, and from belt to belt on Purple's, by rule."""

from games.plains_indian_wars.components import DicePlacement
from games.plains_indian_wars.events import Raided
from games.plains_indian_wars.model import TRIBES, Colour, Region
from games.plains_indian_wars.working_state import WorkingState


def raid_plains(play: WorkingState, colour: Colour) -> None:
    """Place the cubes of a tribe's own disc: each die names a region of its plains.

    Source: PIW1.green.1, PIW1.orange.1.
    """
    lots = play.scenario.raids
    for number in range(1, lots.dice + 1):
        thrown = play.dice.roll(f"{play.dice_label}/d{lots.sides}/{number}", lots.sides)
        _place_tribe_cubes(
            play, colour, play.board.plains_region(colour, thrown), lots.cubes, thrown, str(number)
        )


def press_on_belts(play: WorkingState) -> None:
    """Add one cube to belt regions next to one with two cubes of a tribe. Source: PIW1.purple.1.

    Judged as the board stands when it begins, so that it does not run through the belt.
    """
    full = [
        r
        for r in play.regions_with(TRIBES)
        if _is_belt(play, r) and play.tribe_cubes(r) >= play.tribe_limit(r)
    ]
    wanted: dict[Region, Colour] = {}
    for region in full:
        colour = play.tribe_in(region)
        for other in play.board.near[region]:
            if colour and _is_belt(play, other) and play.board.may_enter(colour, other):
                wanted[other] = colour
    for region in play.board.in_board_order(wanted):
        if play.tribe_cubes(region) < play.tribe_limit(region):
            _place_tribe_cubes(play, wanted[region], region, 1, 0, f"{region}")


def raid_belts(play: WorkingState) -> None:
    """One die for each belt names the region that two cubes enter. Source: PIW1.purple.3."""
    lots: DicePlacement = play.scenario.belt_raids
    belts: tuple[tuple[Colour, str], ...] = (("Green", "NE"), ("Orange", "SE"))
    for colour, zone in belts:
        thrown = play.dice.roll(f"{play.dice_label}/d{lots.sides}/{zone}", lots.sides)
        _place_tribe_cubes(play, colour, Region(f"{zone}{thrown}"), lots.cubes, thrown, zone)


def settle_bands(play: WorkingState) -> None:
    """Place the set-up's further cubes: two different regions of each tribe, by dice.

    Source: PIW1.setup.green, PIW1.setup.orange.
    """
    lots = play.scenario.bands
    if lots is None:
        return
    for colour in play.scenario.tribes:
        numbers = play.dice.draw(f"set-up/{colour}/d{lots.sides}", lots.sides, lots.dice)
        for number in numbers:
            region = play.board.plains_region(colour, number)
            placed = play.add_from_ready(region, colour, lots.cubes)
            play.tell(Raided, colour=colour, at=region, number=number, wanted=lots.cubes, placed=placed)


def _is_belt(play: WorkingState, region: Region) -> bool:
    return play.board.places[region].zone in ("NE", "SE")


def _place_tribe_cubes(
    play: WorkingState, colour: Colour, region: Region, wanted: int, number: int, tag: str
) -> None:
    """Cubes for one region: none where a card forbids it, none above the limit, none that cannot be found."""
    if region in play.now.quiet:
        play.tell(Raided, colour=colour, at=region, number=number, wanted=wanted, placed=0, why="quiet")
        return
    room = min(wanted, play.tribe_limit(region) - play.tribe_cubes(region))
    placed = play.add_from_ready(region, colour, room)
    lender, borrowed = None, 0
    if placed < room:
        lender, borrowed = _borrow_cubes(play, colour, region, room - placed, tag)
    short = placed + borrowed < room
    play.tell(
        Raided,
        colour=colour,
        at=region,
        number=number,
        wanted=wanted,
        placed=placed + borrowed,
        borrowed=borrowed,
        lender=lender,
        why="supply" if short else "limit" if room < wanted else "",
    )


def _borrow_cubes(
    play: WorkingState, colour: Colour, region: Region, missing: int, tag: str
) -> tuple[Region, int]:
    """Take cubes that the Ready Box lacks from a region at random. Source: PIW1.shortage."""
    sides = play.scenario.raids.sides
    lender = play.board.plains_region(colour, play.dice.roll(f"{play.dice_label}/shortage/{tag}", sides))
    count = 0 if lender == region else min(missing, play.count(lender, colour))
    play.move_cubes(lender, region, {colour: count} if count else {})
    return lender, count
