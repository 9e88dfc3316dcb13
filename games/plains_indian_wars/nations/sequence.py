"""The turns of Variant II: what the U.S. does by itself, until the nations have to decide."""

from collections.abc import Sequence

from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import TRIBES, AnyOrder, Belt, Colour, DeckName, State
from games.plains_indian_wars.nations import columns, parties, victory, wagon_train
from games.plains_indian_wars.nations.carrying_out import carry_out
from games.plains_indian_wars.nations.fights import engage, fields
from games.plains_indian_wars.nations.phase import Plan
from games.plains_indian_wars.sequence import close, draw, lay_out

TRAIL_OF: dict[Colour, Belt] = {"Green": "north", "Orange": "south"}
"""Which trail crosses the plains of a tribe."""


def set_up(play: Play) -> None:
    """The board as it is set up, the hands, and what happens before the first plan.

    Source: PIW2.setup.tribes, PIW2.setup.hand.
    """
    lay_out(play)
    scenario = play.scenario
    if scenario.trains:
        wagon_train.gather(play)
    elif scenario.works:
        parties.gather(play)
    else:
        columns.gather(play)
    kept = [c for c, box in scenario.boxes.items() if box in ("ready", "fallen")]
    play.ready = {colour: play.ready[colour] for colour in kept}
    hands.deal(play)
    run_on(play)


def run_on(play: Play) -> None:
    """Go on until the player of the nations decides, or the game is over."""
    while not play.now.ended:
        if _wants_a_plan(play):
            return


def tribes_phase(play: Play, orders: Sequence[AnyOrder]) -> None:
    """The phase of the tribes whose turn it is: plans, then all engagements, then new cards.

    Source: PIW2.turn.plan, PIW2.both.together, PIW2.cards.refill.
    """
    tribes = acting(play.now)
    disc, favours = play.now.disc, {}
    for colour in tribes:
        play.set(disc=colour)
        if colour in asked(play.now, tribes):
            plan = Plan(play, colour, orders)
            carry_out(plan)
            favours[colour] = plan.favour()
    for region in fields(play, tribes):
        fighting = next(colour for colour in tribes if play.count(region, colour))
        play.set(disc=fighting)
        engage(play, region, favours.get(fighting))
    for colour in tribes:
        play.set(disc=colour)
        hands.refill(play, deck_of(play, colour))
    play.set(disc=disc)
    _after(play)


def acting(state: State) -> tuple[Colour, ...]:
    """The tribes whose phase it is: those whose trail a train is on, or the one whose disc was drawn.

    Source: PIW2.both.finished.
    """
    play = Play(state)
    if play.scenario.trains:
        return tuple(one for one in play.scenario.tribes if TRAIL_OF[one] in state.trains)
    return tuple(one for one in TRIBES if one == state.disc)


def asked(state: State, tribes: Sequence[Colour]) -> tuple[Colour, ...]:
    """Those of some tribes that have a card to play."""
    play = Play(state)
    return tuple(one for one in tribes if state.hands[deck_of(play, one)])


def deck_of(play: Play, colour: Colour) -> DeckName:
    """The deck of a tribe."""
    deck = play.box.deck_for(colour)
    assert deck is not None, "tribes have decks"
    return deck


def _wants_a_plan(play: Play) -> bool:
    """Go on to the next phase of the tribes; whether the player has to say how."""
    if play.scenario.trains:
        if not _train_turn(play):
            return False
    elif not _disc(play):
        return False
    disc = play.now.disc
    for colour in acting(play.now):
        play.set(disc=colour)
        hands.with_action(play, deck_of(play, colour))
    play.set(disc=disc)
    if asked(play.now, acting(play.now)):
        return True
    tribes_phase(play, ())
    return False


def _train_turn(play: Play) -> bool:
    """A turn begins with the trains; the tribes play unless it ended the game. Source: PIW2.train.turns."""
    play.set(turn=play.now.turn + 1, disc="White")
    play.entered, play.engagements = set(), 0
    wagon_train.advance(play)
    if not play.now.trains:
        victory.end(play)
        return False
    tribes = acting(play.now)
    play.set(disc=tribes[0] if len(play.scenario.tribes) == 1 else None)
    return True


def _disc(play: Play) -> bool:
    """A disc is drawn, and played if it is the U.S.'s. Whether it is a tribe's.

    Source: PIW2.rail.bag, PIW2.custer.bag.
    """
    if not play.now.bag and (play.now.last or _is_over(play)):
        victory.end(play)
        return False
    left = [d for d in play.scenario.discs if d in TRIBES or play.scenario.works or d in play.columns]
    disc = draw(play, left)
    if disc in TRIBES:
        return True
    if not play.scenario.works:
        columns.march(play, disc)
    elif disc == "Black":
        railroad.build(play)
    else:
        parties.join(play, disc)
    _after(play)
    return False


def _after(play: Play) -> None:
    """What a phase may have brought about. Source: PIW2.train.end, PIW2.rail.end, PIW2.custer.win.nations."""
    if play.scenario.trains:
        wagon_train.disband(play)
        if not play.now.trains:
            victory.end(play)
    elif play.scenario.works:
        close(play)
    else:
        columns.bury(play)
        if not play.columns:
            victory.end(play)


def _is_over(play: Play) -> bool:
    """Whether a campaign is over at the end of a complete turn. Source: PIW2.custer.turns."""
    return play.now.turn > 0 and (
        victory.holds_goal(play) or bool(play.scenario.turns and play.now.turn >= play.scenario.turns)
    )
