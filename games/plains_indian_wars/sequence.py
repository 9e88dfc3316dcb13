"""Disc by disc: what each faction does when its disc is drawn, until the U.S. player has to decide."""

from collections.abc import Callable, Mapping, Sequence

from games.plains_indian_wars import custer, hands, railroad, scoring, tribes, wagons
from games.plains_indian_wars.carrying_out import carry_out
from games.plains_indian_wars.engagements import Terms, fight_all
from games.plains_indian_wars.events import Drawn, Ended, LastTurn
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import AnyOrder, Colour, Region
from games.plains_indian_wars.phase import Phase


def set_up(play: Play) -> None:
    """The board as it is set up; Custer, if he is drawn, rides when the game begins.

    Source: PIW1.setup.black to PIW1.setup.keys.
    """
    lay_out(play)
    if hands.deal(play):
        play.set(tied=custer.goals(play))


def lay_out(play: Play) -> None:
    """The cubes of the scenario, and those that dice add."""
    scenario = play.scenario
    play.ready = dict(play.box.supply)
    for region, cubes in scenario.places.items():
        for colour, count in cubes.items():
            play.muster(region, colour, count)
    for region in play.board.zone("N", "S", "NE", "SE"):
        for colour, count in {**scenario.homes, **scenario.belts}.items():
            if _starts_in(play, colour, region):
                play.muster(region, colour, count)
    tribes.settle(play)


def begin(play: Play) -> None:
    """The set-up is over: Custer rides if he was drawn, then the discs are drawn."""
    if play.now.tied:
        custer.ride(play)
        play.set(tied=())
    run_on(play)


def run_on(play: Play) -> None:
    """Draw discs and play them until the U.S. player decides, or the game is over. Source: PIW1.turn.1."""
    play.set(disc=None)
    while not play.now.ended:
        if play.now.bag or not play.now.last:
            if _draw(play):
                return
            close(play)
        else:
            _end(play)


def us_phase(play: Play, orders: Sequence[AnyOrder]) -> None:
    """The phase of Purple, Blue or Brown, by the U.S. player's orders."""
    phase = Phase(play, orders)
    carry_out(phase)
    fight_all(play, phase.terms)
    if (deck := play.box.deck_for(phase.colour)) is not None:
        hands.refill(play, deck)
    close(play)


def close(play: Play) -> None:
    """The end of a disc: was the end of the game brought about? Source: PIW1.end.1, PIW1.end.2."""
    if play.now.last is None:
        decks = [deck for deck in play.scenario.decks if hands.is_spent(play.now, deck)]
        if railroad.is_complete(play.now):
            play.set(last="railroad")
        elif decks:
            play.set(last=decks[0])
        if play.now.last is not None:
            play.tell(LastTurn, why=play.now.last)


def _starts_in(play: Play, colour: Colour, region: Region) -> bool:
    """Whether the set-up gives a region that has no entry of its own its cubes of a colour."""
    zone = play.board.places[region].zone
    mine = zone in ("NE", "SE") if colour == "Purple" else zone == ("N" if colour == "Green" else "S")
    return mine and region not in play.scenario.places


def draw(play: Play, discs: Sequence[Colour]) -> Colour:
    """Draw a disc; an empty bag is filled with those of the next turn first."""
    if not play.now.bag:
        play.set(turn=play.now.turn + 1, bag=tuple(discs), quiet=(), circled=0)
    label = f"T{play.now.turn}/disc/{len(play.scenario.discs) - len(play.now.bag) + 1}"
    disc = play.dice.pick(label, play.now.bag)
    play.set(disc=disc, bag=tuple(one for one in play.now.bag if one != disc))
    play.entered, play.engagements = set(), 0
    play.tell(Drawn)
    return disc


def _draw(play: Play) -> bool:
    """Draw a disc and play it; answers whether the U.S. player has to say how."""
    return _OPEN[draw(play, play.scenario.discs)](play)


def _tribe(play: Play) -> bool:
    """Green or Orange: cubes by dice, engagements, then wagons. Source: PIW1.ai.1."""
    assert play.now.disc is not None, "a disc was drawn"
    tribes.raid(play, play.now.disc)
    fight_all(play, Terms())
    wagons.raids(play, play.now.disc)
    return False


def _purple(play: Play) -> bool:
    """Purple: the tribes press on and raid; then it is for the U.S. player.

    Source: PIW1.purple.1 to PIW1.purple.8.
    """
    tribes.press_on(play)
    tribes.raid_belts(play)
    if may_act(play):
        return True
    fight_all(play, Terms(treaties=False))
    return False


def may_act(play: Play) -> bool:
    """Whether Purple has a cube to place, a group to move or casualties to fetch back."""
    groups = [region for region in play.regions(("Purple",)) if not play.tribes(region)]
    return bool(play.ready.get("Purple") or play.fallen.get("Purple") or groups)


def _white(play: Play) -> bool:
    """White: new wagons, the way west, the night. Source: PIW1.white.2."""
    wagons.come(play)
    wagons.advance(play)
    wagons.night(play)
    return False


def _cards(play: Play) -> bool:
    """Blue and Brown: the U.S. player plans the phase, with an action card if there is one anywhere."""
    assert play.now.disc is not None, "a disc was drawn"
    deck = play.box.deck_for(play.now.disc)
    assert deck is not None, "Blue and Brown have decks"
    hands.with_action(play, deck)
    return True


def _black(play: Play) -> bool:
    """Black: the railroad grows. Source: PIW1.black.1 to PIW1.black.7."""
    railroad.build(play)
    return False


_OPEN: Mapping[Colour, Callable[[Play], bool]] = {
    "Green": _tribe,
    "Orange": _tribe,
    "Purple": _purple,
    "White": _white,
    "Blue": _cards,
    "Brown": _cards,
    "Black": _black,
}


def _end(play: Play) -> None:
    play.set(disc=None, ended=True)
    rows = scoring.schedule(play.freeze())
    play.tell(Ended, winner=scoring.winner(rows), rows=rows)
