"""The phases of Variant I: discs are drawn and played until the U.S. player has to decide."""

from collections.abc import Callable, Mapping, Sequence

from games.plains_indian_wars import hands, railroad, scoring, standing_orders
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS, TrailStep
from games.plains_indian_wars.components import DicePlacement
from games.plains_indian_wars.engagements import EngagementTerms, dice_for, fight_all
from games.plains_indian_wars.events import (
    Drawn,
    Ended,
    EngagementRound,
    LastTurn,
    NightRaid,
    Raided,
    WagonsCame,
    WagonsFought,
    WagonsMoved,
)
from games.plains_indian_wars.execution import UsPhase, carry_out_orders
from games.plains_indian_wars.model import TRIBES, AnyOrder, Belt, Colour, Face, Region
from games.plains_indian_wars.working_state import WorkingState


def set_up(play: WorkingState) -> None:
    """Set up the board. If Custer is drawn, note the regions where he may ride when the game begins.

    Source: PIW1.setup.black to PIW1.setup.keys.
    """
    place_setup(play)
    if hands.deal_hands(play):
        play.set(tied=hands.custer_goals(play))


def place_setup(play: WorkingState) -> None:
    """Place the cubes of the scenario, including those that dice add."""
    scenario = play.scenario
    play.ready = dict(play.materials.supply)
    for region, cubes in scenario.places.items():
        for colour, count in cubes.items():
            play.add_from_ready(region, colour, count)
    for region in play.board.regions_in_zones("N", "S", "NE", "SE"):
        for colour, count in {**scenario.homes, **scenario.belts}.items():
            if _is_setup_region(play, colour, region):
                play.add_from_ready(region, colour, count)
    settle_bands(play)


def begin_game(play: WorkingState) -> None:
    """End the set-up: Custer rides if his card was drawn, and then the first discs are played."""
    if play.now.tied:
        hands.ride_custer(play)
        play.set(tied=())
    run_on(play)


def run_on(play: WorkingState) -> None:
    """Draw and play discs until the U.S. player decides or the game is over. Source: PIW1.turn.1."""
    play.set(disc=None)
    while not play.now.ended:
        if play.now.bag or not play.now.last:
            if _play_disc(play):
                return
            check_last_turn(play)
        else:
            play.set(disc=None, ended=True)
            rows = scoring.schedule(play.freeze())
            play.tell(Ended, winner=scoring.winner(rows), rows=rows)


def play_us_phase(play: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Play the phase of Purple, Blue or Brown with the U.S. player's orders."""
    phase = UsPhase(play, orders)
    carry_out_orders(phase)
    fight_all(play, phase.terms)
    if (deck := play.materials.deck_for(phase.colour)) is not None:
        hands.refill_hand(play, deck)
    check_last_turn(play)


def check_last_turn(play: WorkingState) -> None:
    """Note at the end of a disc if this turn is the last one. Source: PIW1.end.1, PIW1.end.2."""
    if play.now.last is None:
        decks = [deck for deck in play.scenario.decks if hands.is_deck_spent(play.now, deck)]
        if railroad.is_complete(play.now):
            play.set(last="railroad")
        elif decks:
            play.set(last=decks[0])
        if play.now.last is not None:
            play.tell(LastTurn, why=play.now.last)


def _is_setup_region(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether the set-up puts a colour into a region of its zone without an entry in `places`."""
    zone = play.board.places[region].zone
    mine = zone in ("NE", "SE") if colour == "Purple" else zone == ("N" if colour == "Green" else "S")
    return mine and region not in play.scenario.places


def draw_disc(play: WorkingState, discs: Sequence[Colour]) -> Colour:
    """Draw a disc. An empty bag first starts a new turn with all discs."""
    if not play.now.bag:
        play.set(turn=play.now.turn + 1, bag=tuple(discs), quiet=(), circled=0)
    label = f"T{play.now.turn}/disc/{len(play.scenario.discs) - len(play.now.bag) + 1}"
    disc = play.dice.pick(label, play.now.bag)
    play.set(disc=disc, bag=tuple(other for other in play.now.bag if other != disc))
    play.entered, play.engagements = set(), 0
    play.tell(Drawn)
    return disc


def _play_disc(play: WorkingState) -> bool:
    """Draw a disc and play it; return whether the U.S. player has to decide."""
    return _DISC_PROCEDURES[draw_disc(play, play.scenario.discs)](play)


def _play_tribe(play: WorkingState) -> bool:
    """Play Green or Orange: cubes by dice, engagements, then raids on wagons. Source: PIW1.ai.1."""
    assert play.now.disc is not None, "a disc was drawn"
    raid_plains(play, play.now.disc)
    fight_all(play, EngagementTerms())
    raid_wagons(play, play.now.disc)
    return False


def _play_purple(play: WorkingState) -> bool:
    """Play the raids of the tribes on Purple's disc; return whether the U.S. player has to decide.

    Source: PIW1.purple.1 to PIW1.purple.8.
    """
    press_on_belts(play)
    raid_belts(play)
    if can_purple_act(play):
        return True
    fight_all(play, EngagementTerms(treaties=False))
    return False


def can_purple_act(play: WorkingState) -> bool:
    """Return whether Purple has a cube to place, a group to move or casualties to recover."""
    groups = [region for region in play.regions_with(("Purple",)) if not play.tribe_cubes(region)]
    return bool(play.ready.get("Purple") or play.fallen.get("Purple") or groups)


def _play_wagons(play: WorkingState) -> bool:
    """Play White: new wagons, moves west, night raids. Source: PIW1.white.2."""
    bring_wagons(play)
    advance_wagons(play)
    raid_by_night(play)
    return False


def _open_card_phase(play: WorkingState) -> bool:
    """Make sure of an action card in Blue's or Brown's hand; the U.S. player then decides."""
    assert play.now.disc is not None, "a disc was drawn"
    deck = play.materials.deck_for(play.now.disc)
    assert deck is not None, "Blue and Brown have decks"
    hands.ensure_action_card(play, deck)
    return True


def _play_railroad(play: WorkingState) -> bool:
    """Play Black: the railroad is built. Source: PIW1.black.1 to PIW1.black.7."""
    railroad.build_railroad(play)
    return False


_DISC_PROCEDURES: Mapping[Colour, Callable[[WorkingState], bool]] = {
    "Green": _play_tribe,
    "Orange": _play_tribe,
    "Purple": _play_purple,
    "White": _play_wagons,
    "Blue": _open_card_phase,
    "Brown": _open_card_phase,
    "Black": _play_railroad,
}


# New cubes of the tribes: by two dice on their own discs, and in the belts on Purple's disc.


def raid_plains(play: WorkingState, colour: Colour) -> None:
    """Place the cubes of a tribe's own disc: each die names a region of its plains.

    Source: PIW1.green.1, PIW1.orange.1.
    """
    placement = play.scenario.raids
    for number in range(1, placement.dice + 1):
        rolled = play.dice.roll(f"{play.dice_label}/d{placement.sides}/{number}", placement.sides)
        _place_tribe_cubes(
            play, colour, play.board.plains_region(colour, rolled), placement.cubes, rolled, str(number)
        )


def press_on_belts(play: WorkingState) -> None:
    """Add one cube to each belt region beside one with two cubes of a tribe. Source: PIW1.purple.1.

    Only the board at the start counts, so that tribes don't run through the whole belt.
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
    """Place two cubes in a region of each belt, which a die names. Source: PIW1.purple.3."""
    placement: DicePlacement = play.scenario.belt_raids
    belts: tuple[tuple[Colour, str], ...] = (("Green", "NE"), ("Orange", "SE"))
    for colour, zone in belts:
        rolled = play.dice.roll(f"{play.dice_label}/d{placement.sides}/{zone}", placement.sides)
        _place_tribe_cubes(play, colour, Region(f"{zone}{rolled}"), placement.cubes, rolled, zone)


def settle_bands(play: WorkingState) -> None:
    """Place more cubes in two regions of each tribe, by dice, up to the limit of a region.

    Source: PIW1.setup.green, PIW1.setup.orange, PIW1.setup.doubles.
    """
    placement = play.scenario.bands
    if placement is None:
        return
    may_double = play.scenario.plays == "US" and play.now.options.get("doubles") == "placed"
    for colour in play.scenario.tribes:
        sides = placement.sides
        if may_double:
            numbers = tuple(
                play.dice.roll(f"set-up/{colour}/d{sides}/{number}", sides)
                for number in range(1, placement.dice + 1)
            )
        else:
            numbers = play.dice.draw(f"set-up/{colour}/d{sides}", sides, placement.dice)
        for number in numbers:
            region = play.board.plains_region(colour, number)
            room = play.tribe_limit(region) - play.tribe_cubes(region)
            placed = play.add_from_ready(region, colour, min(placement.cubes, room))
            play.tell(
                Raided,
                colour=colour,
                at=region,
                number=number,
                wanted=placement.cubes,
                placed=placed,
                why="limit" if room < placement.cubes else "",
            )


def _is_belt(play: WorkingState, region: Region) -> bool:
    return play.board.places[region].zone in ("NE", "SE")


def _place_tribe_cubes(
    play: WorkingState, colour: Colour, region: Region, wanted: int, number: int, tag: str
) -> None:
    """Place cubes of a tribe in a region and tell the event: none if a card forbids it, none above the limit.

    Cubes that the Ready Box lacks come from another region, if they can.
    """
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
    """Take missing cubes from a random region; return the region and their number. Source: PIW1.shortage."""
    sides = play.scenario.raids.sides
    lender = play.board.plains_region(colour, play.dice.roll(f"{play.dice_label}/shortage/{tag}", sides))
    count = 0 if lender == region else min(missing, play.count(lender, colour))
    play.move_cubes(lender, region, {colour: count} if count else {})
    return lender, count


# Wagons: their moves west, and the tribes' raids on them by night and by day.


NIGHT_RAIDERS: tuple[tuple[Belt, Colour], ...] = (("north", "Green"), ("south", "Orange"))
"""The tribe whose dice strike at night, by trail."""


def bring_wagons(play: WorkingState) -> None:
    """Add new wagons in St. Louis, from turn 2 on, as long as there are any. Source: PIW1.white.6."""
    if play.now.turn > 1 and (count := play.add_from_ready(ST_LOUIS, "White", play.scenario.wagons)):
        play.tell(WagonsCame, count=count)


def advance_wagons(play: WorkingState) -> None:
    """Move every wagon on a trail one step west, then one wagon from St. Louis onto each trail.

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
    """Move wagons from a step to the next. Wagons that reach the Rockies leave the board."""
    for to, count in wagon_ways(play, play.board.steps[region], wagons).items():
        if to == ROCKIES:
            play.remove_cubes(region, "White", count)
            play.set(through=play.now.through + count)
        else:
            play.move_cubes(region, to, {"White": count})
        play.tell(WagonsMoved, count=count, start=region, to=to)


def wagon_ways(play: WorkingState, step: TrailStep, wagons: int) -> dict[Region, int]:
    """Return the number of wagons that go from a step to each next region.

    At a fork the U.S. player's instructions decide. Source: PIW1.white.5, PIW1.white.fork.
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
    """Roll a die for each trail, which names a step, and one for each wagon there.

    Source: PIW1.night.2.
    """
    for belt, colour in NIGHT_RAIDERS:
        number = play.dice.roll(f"{play.dice_label}/night/{belt}", 6)
        struck = [step.region for step in play.board.chart.trails[belt].steps if step.number == number]
        rolled: dict[Region, tuple[Face, ...]] = {}
        for region in struck if not play.now.circled else ():
            wagons = play.count(region, "White")
            if wagons:
                rolled[region] = tuple(
                    play.materials.roll(play.dice, f"{play.dice_label}/night/{region}/{n}", colour, 1)[0]
                    for n in range(1, wagons + 1)
                )
                play.eliminate(region, "White", rolled[region].count("hit"))
        play.tell(NightRaid, trail=belt, number=number, thrown=rolled, foiled=bool(play.now.circled))


def raid_wagons(play: WorkingState, colour: Colour) -> None:
    """Attack unguarded wagons with a tribe. Source: PIW1.wagons.1.

    Wagons that a treaty let go aren't attacked again in the phase.
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
    """Play an attack on a number of wagons in a region, roll by roll."""
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
