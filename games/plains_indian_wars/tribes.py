"""How the tribes come: two dice on their own discs, and from belt to belt on Purple's. No bot, but rules."""

from games.plains_indian_wars.components import Lots
from games.plains_indian_wars.events import Raided
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import TRIBES, Colour, Region


def raid(play: Play, colour: Colour) -> None:
    """The cubes of a tribe's own disc: each die names a region of its plains.

    Source: PIW1.green.1, PIW1.orange.1.
    """
    lots = play.scenario.raids
    for number in range(1, lots.dice + 1):
        thrown = play.dice.roll(f"{play.label}/d{lots.sides}/{number}", lots.sides)
        _place(play, colour, play.board.numbered(colour, thrown), lots.cubes, thrown, str(number))


def press_on(play: Play) -> None:
    """Belt regions next to one with two cubes of a tribe get one more. Source: PIW1.purple.1.

    Judged as the board stands when it begins, so that it does not run through the belt.
    """
    full = [r for r in play.regions(TRIBES) if _is_belt(play, r) and play.tribes(r) >= play.limit(r)]
    wanted: dict[Region, Colour] = {}
    for region in full:
        colour = play.tribe(region)
        for other in play.board.near[region]:
            if colour and _is_belt(play, other) and play.board.may_enter(colour, other):
                wanted[other] = colour
    for region in play.board.sorted(wanted):
        if play.tribes(region) < play.limit(region):
            _place(play, wanted[region], region, 1, 0, f"{region}")


def raid_belts(play: Play) -> None:
    """One die for each belt names the region that two cubes enter. Source: PIW1.purple.3."""
    lots: Lots = play.scenario.belt_raids
    belts: tuple[tuple[Colour, str], ...] = (("Green", "NE"), ("Orange", "SE"))
    for colour, zone in belts:
        thrown = play.dice.roll(f"{play.label}/d{lots.sides}/{zone}", lots.sides)
        _place(play, colour, Region(f"{zone}{thrown}"), lots.cubes, thrown, zone)


def settle(play: Play) -> None:
    """The set-up's further cubes: two different regions of each tribe, by dice.

    Source: PIW1.setup.green, PIW1.setup.orange.
    """
    lots = play.scenario.bands
    if lots is None:
        return
    for colour in play.scenario.tribes:
        numbers = play.dice.draw(f"set-up/{colour}/d{lots.sides}", lots.sides, lots.dice)
        for number in numbers:
            region = play.board.numbered(colour, number)
            placed = play.muster(region, colour, lots.cubes)
            play.tell(Raided, colour=colour, at=region, number=number, wanted=lots.cubes, placed=placed)


def _is_belt(play: Play, region: Region) -> bool:
    return play.board.places[region].zone in ("NE", "SE")


def _place(play: Play, colour: Colour, region: Region, wanted: int, number: int, tag: str) -> None:
    """Cubes for one region: none where a card forbids it, none above the limit, none that cannot be found."""
    if region in play.now.quiet:
        play.tell(Raided, colour=colour, at=region, number=number, wanted=wanted, placed=0, why="quiet")
        return
    room = min(wanted, play.limit(region) - play.tribes(region))
    placed = play.muster(region, colour, room)
    lender, borrowed = None, 0
    if placed < room:
        lender, borrowed = _borrow(play, colour, region, room - placed, tag)
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


def _borrow(play: Play, colour: Colour, region: Region, missing: int, tag: str) -> tuple[Region, int]:
    """Cubes that the Ready Box lacks are taken from a region by lot. Source: PIW1.shortage."""
    sides = play.scenario.raids.sides
    lender = play.board.numbered(colour, play.dice.roll(f"{play.label}/shortage/{tag}", sides))
    count = 0 if lender == region else min(missing, play.count(lender, colour))
    play.shift(lender, region, {colour: count} if count else {})
    return lender, count
