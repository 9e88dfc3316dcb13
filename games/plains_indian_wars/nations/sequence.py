"""The turns of Variant II: what the U.S. does by procedure, until the nations have to decide."""

from collections.abc import Sequence

from games.plains_indian_wars import hands, railroad, victory
from games.plains_indian_wars.model import TRIBES, AnyOrder, Belt, Colour, DeckName, State
from games.plains_indian_wars.nations import columns, parties, wagon_train
from games.plains_indian_wars.nations.execution import carry_out_plan
from games.plains_indian_wars.nations.fights import fight_region, tribe_battlefields
from games.plains_indian_wars.nations.tribe_phase import TribePhase
from games.plains_indian_wars.sequence import check_last_turn, draw_disc, place_setup
from games.plains_indian_wars.working_state import WorkingState

TRAIL_OF_TRIBE: dict[Colour, Belt] = {"Green": "north", "Orange": "south"}
"""Which trail crosses the plains of a tribe."""


def set_up(play: WorkingState) -> None:
    """Set up the board and the hands, and play what happens before the first plan.

    Source: PIW2.setup.tribes, PIW2.setup.hand.
    """
    place_setup(play)
    scenario = play.scenario
    if scenario.trains:
        wagon_train.set_up_trains(play)
    elif scenario.works:
        parties.set_up_parties(play)
    else:
        columns.set_up_columns(play)
    kept = [c for c, box in scenario.boxes.items() if box in ("ready", "fallen")]
    play.ready = {colour: play.ready[colour] for colour in kept}
    hands.deal_hands(play)
    run_on(play)


def run_on(play: WorkingState) -> None:
    """Go on until the player of the nations decides, or the game is over."""
    while not play.now.ended:
        if _advance_to_plan(play):
            return


def play_tribes_phase(play: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Play the phase of the tribes whose turn it is: plans, then all engagements, then new cards.

    Source: PIW2.turn.plan, PIW2.both.together, PIW2.cards.refill.
    """
    tribes = acting_tribes(play.now)
    disc, favours = play.now.disc, {}
    for colour in tribes:
        play.set(disc=colour)
        if colour in tribes_with_cards(play.now, tribes):
            plan = TribePhase(play, colour, orders)
            carry_out_plan(plan)
            favours[colour] = plan.engagement_bonus()
    for region in tribe_battlefields(play, tribes):
        fighting = next(colour for colour in tribes if play.count(region, colour))
        play.set(disc=fighting)
        fight_region(play, region, favours.get(fighting))
    for colour in tribes:
        play.set(disc=colour)
        hands.refill_hand(play, tribe_deck(play, colour))
    play.set(disc=disc)
    _finish_phase(play)


def acting_tribes(state: State) -> tuple[Colour, ...]:
    """Return the tribes whose phase it is.

    They are those whose trail a train is on, or the one whose disc was drawn. Source: PIW2.both.finished.
    """
    play = WorkingState(state)
    if play.scenario.trains:
        return tuple(colour for colour in play.scenario.tribes if TRAIL_OF_TRIBE[colour] in state.trains)
    return tuple(colour for colour in TRIBES if colour == state.disc)


def tribes_with_cards(state: State, tribes: Sequence[Colour]) -> tuple[Colour, ...]:
    """Return those of some tribes that have a card to play."""
    play = WorkingState(state)
    return tuple(colour for colour in tribes if state.hands[tribe_deck(play, colour)])


def tribe_deck(play: WorkingState, colour: Colour) -> DeckName:
    """Return the deck of a tribe."""
    deck = play.materials.deck_for(colour)
    assert deck is not None, "tribes have decks"
    return deck


def _advance_to_plan(play: WorkingState) -> bool:
    """Go on to the next phase of the tribes; return whether the player has to decide."""
    if play.scenario.trains:
        if not _begin_train_turn(play):
            return False
    elif not _play_disc(play):
        return False
    disc = play.now.disc
    for colour in acting_tribes(play.now):
        play.set(disc=colour)
        hands.ensure_action_card(play, tribe_deck(play, colour))
    play.set(disc=disc)
    if tribes_with_cards(play.now, acting_tribes(play.now)):
        return True
    play_tribes_phase(play, ())
    return False


def _begin_train_turn(play: WorkingState) -> bool:
    """Begin a turn with the trains; return whether the tribes play, unless it ended the game.

    Source: PIW2.train.turns.
    """
    play.set(turn=play.now.turn + 1, disc="White")
    play.entered, play.engagements = set(), 0
    wagon_train.advance_trains(play)
    if not play.now.trains:
        victory.end_nations_game(play)
        return False
    tribes = acting_tribes(play.now)
    play.set(disc=tribes[0] if len(play.scenario.tribes) == 1 else None)
    return True


def _play_disc(play: WorkingState) -> bool:
    """Draw a disc, and play it if it is the U.S.'s; return whether it is a tribe's.

    Source: PIW2.rail.bag, PIW2.custer.bag.
    """
    if not play.now.bag and (play.now.last or _is_over(play)):
        victory.end_nations_game(play)
        return False
    discs = [d for d in play.scenario.discs if d in TRIBES or play.scenario.works or d in play.columns]
    disc = draw_disc(play, discs)
    if disc in TRIBES:
        return True
    if not play.scenario.works:
        columns.march_column(play, disc)
    elif disc == "Black":
        railroad.build_railroad(play)
    else:
        parties.join_party(play, disc)
    _finish_phase(play)
    return False


def _finish_phase(play: WorkingState) -> None:
    """Carry out what a phase may have brought about.

    Source: PIW2.train.end, PIW2.rail.end, PIW2.custer.win.nations.
    """
    if play.scenario.trains:
        wagon_train.disband_trains(play)
        if not play.now.trains:
            victory.end_nations_game(play)
    elif play.scenario.works:
        check_last_turn(play)
    else:
        columns.remove_empty_columns(play)
        if not play.columns:
            victory.end_nations_game(play)


def _is_over(play: WorkingState) -> bool:
    """Return whether a campaign is over at the end of a complete turn. Source: PIW2.custer.turns."""
    return play.now.turn > 0 and (
        victory.is_goal_held(play) or bool(play.scenario.turns and play.now.turn >= play.scenario.turns)
    )
