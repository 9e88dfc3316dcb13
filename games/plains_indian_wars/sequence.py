"""Disc by disc: what each faction does when its disc is drawn, until the U.S. player has to decide."""

from collections.abc import Callable, Mapping, Sequence

from games.plains_indian_wars import custer, hands, railroad, scoring, tribes, wagons
from games.plains_indian_wars.engagements import EngagementTerms, fight_all
from games.plains_indian_wars.events import Drawn, Ended, LastTurn
from games.plains_indian_wars.execution import carry_out_orders
from games.plains_indian_wars.model import AnyOrder, Colour, Region
from games.plains_indian_wars.phase import UsPhase
from games.plains_indian_wars.working_state import WorkingState


def set_up(play: WorkingState) -> None:
    """Set the board up; Custer, if he is drawn, rides when the game begins.

    Source: PIW1.setup.black to PIW1.setup.keys.
    """
    place_setup(play)
    if hands.deal_hands(play):
        play.set(tied=custer.custer_goals(play))


def place_setup(play: WorkingState) -> None:
    """Place the cubes of the scenario, and those that dice add."""
    scenario = play.scenario
    play.ready = dict(play.materials.supply)
    for region, cubes in scenario.places.items():
        for colour, count in cubes.items():
            play.add_from_ready(region, colour, count)
    for region in play.board.regions_in_zones("N", "S", "NE", "SE"):
        for colour, count in {**scenario.homes, **scenario.belts}.items():
            if _is_setup_region(play, colour, region):
                play.add_from_ready(region, colour, count)
    tribes.settle_bands(play)


def begin_game(play: WorkingState) -> None:
    """End the set-up: Custer rides if he was drawn, then the discs are drawn."""
    if play.now.tied:
        custer.ride_custer(play)
        play.set(tied=())
    run_on(play)


def run_on(play: WorkingState) -> None:
    """Draw discs and play them until the U.S. player decides, or the game is over. Source: PIW1.turn.1."""
    play.set(disc=None)
    while not play.now.ended:
        if play.now.bag or not play.now.last:
            if _play_disc(play):
                return
            check_last_turn(play)
        else:
            _end_game(play)


def play_us_phase(play: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Play the phase of Purple, Blue or Brown, by the U.S. player's orders."""
    phase = UsPhase(play, orders)
    carry_out_orders(phase)
    fight_all(play, phase.terms)
    if (deck := play.materials.deck_for(phase.colour)) is not None:
        hands.refill_hand(play, deck)
    check_last_turn(play)


def check_last_turn(play: WorkingState) -> None:
    """Check at the end of a disc whether this is the last turn. Source: PIW1.end.1, PIW1.end.2."""
    if play.now.last is None:
        decks = [deck for deck in play.scenario.decks if hands.is_deck_spent(play.now, deck)]
        if railroad.is_complete(play.now):
            play.set(last="railroad")
        elif decks:
            play.set(last=decks[0])
        if play.now.last is not None:
            play.tell(LastTurn, why=play.now.last)


def _is_setup_region(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether the set-up gives cubes of a colour to a region that has no entry of its own."""
    zone = play.board.places[region].zone
    mine = zone in ("NE", "SE") if colour == "Purple" else zone == ("N" if colour == "Green" else "S")
    return mine and region not in play.scenario.places


def draw_disc(play: WorkingState, discs: Sequence[Colour]) -> Colour:
    """Draw a disc; an empty bag is filled with those of the next turn first."""
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
    """Green or Orange: cubes by dice, engagements, then wagons. Source: PIW1.ai.1."""
    assert play.now.disc is not None, "a disc was drawn"
    tribes.raid_plains(play, play.now.disc)
    fight_all(play, EngagementTerms())
    wagons.raid_wagons(play, play.now.disc)
    return False


def _play_purple(play: WorkingState) -> bool:
    """Purple: the tribes press on and raid; then it is for the U.S. player.

    Source: PIW1.purple.1 to PIW1.purple.8.
    """
    tribes.press_on_belts(play)
    tribes.raid_belts(play)
    if can_purple_act(play):
        return True
    fight_all(play, EngagementTerms(treaties=False))
    return False


def can_purple_act(play: WorkingState) -> bool:
    """Return whether Purple has a cube to place, a group to move or casualties to recover."""
    groups = [region for region in play.regions_with(("Purple",)) if not play.tribe_cubes(region)]
    return bool(play.ready.get("Purple") or play.fallen.get("Purple") or groups)


def _play_wagons(play: WorkingState) -> bool:
    """White: new wagons, the way west, the night. Source: PIW1.white.2."""
    wagons.bring_wagons(play)
    wagons.advance_wagons(play)
    wagons.raid_by_night(play)
    return False


def _open_card_phase(play: WorkingState) -> bool:
    """Blue and Brown: the U.S. player plans the phase, with an action card if there is one anywhere."""
    assert play.now.disc is not None, "a disc was drawn"
    deck = play.materials.deck_for(play.now.disc)
    assert deck is not None, "Blue and Brown have decks"
    hands.ensure_action_card(play, deck)
    return True


def _play_railroad(play: WorkingState) -> bool:
    """Black: the railroad grows. Source: PIW1.black.1 to PIW1.black.7."""
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


def _end_game(play: WorkingState) -> None:
    play.set(disc=None, ended=True)
    rows = scoring.schedule(play.freeze())
    play.tell(Ended, winner=scoring.winner(rows), rows=rows)
