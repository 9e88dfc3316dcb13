"""The changes that a gamesmaster can make by hand. Coins are never created or lost."""

from collections import Counter
from typing import Any

import pytest

import games
from games.options import settle
from games.protocol import Seat
from games.record import replace_fields
from games.war_chest.board import Hex
from games.war_chest.components import ROYAL_COIN, Coin
from games.war_chest.edits import WarChestEdits
from games.war_chest.model import AUTOMATON, PLAYER, Stack, State, UseDrawn
from games.war_chest.owner_data import PRINTED
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.dice import any_dice

EDITS = WarChestEdits()


@pytest.fixture
def state() -> State:
    """Return a game against the automaton on the player's turn, with three coins in the player's hand."""
    game = games.kinds()["war-chest"]
    options = settle(game.about.options, {"units": "random"})
    state: State = game.rules.setup(options, any_dice(0)).state
    side = state.sides[PLAYER]
    card = side.cards[0]
    hand = replace_fields(side, hand=(card, card, ROYAL_COIN), bag=(card,), supply={**side.supply, card: 2})
    return replace_fields(state, mover=PLAYER, revealed=None).with_side(PLAYER, hand)


def read(state: State, text: str) -> Any:
    (found,) = match_text(text, compile_forms(EDITS.forms), names_of(EDITS.lexicon(state)))
    return EDITS.build(state, found.form.name, found.slots)


def edited(state: State, *texts: str) -> State:
    for text in texts:
        edit = read(state, text)
        assert EDITS.check(state, edit) is None, text
        state = EDITS.apply(state, edit)
    return state


def problem(state: State, text: str) -> str:
    advice = EDITS.check(state, read(state, text))
    assert advice is not None, text
    return advice.problem


def card(state: State) -> str:
    return PRINTED.units[state.sides[PLAYER].cards[0]].name


def coins(state: State) -> Counter[tuple[Seat, Coin]]:
    """Return the number of coins of each kind that each side has anywhere."""
    found: Counter[tuple[Seat, Coin]] = Counter()
    for seat, side in state.sides.items():
        for some in (side.bag, side.hand, side.face_up, side.face_down):
            found.update((seat, coin) for coin in some)
        for counts in (side.supply, side.removed):
            found.update({(seat, coin): count for coin, count in counts.items()})
    for stack in state.stacks:
        found[stack.seat, stack.card] += stack.height
    return found


def test_a_coin_goes_from_zone_to_zone(state: State) -> None:
    after = edited(state, f"player {card(state)} from hand to face-up", "player royal from hand to face down")
    side = after.sides[PLAYER]
    assert (len(side.hand), len(side.face_up), side.face_down) == (1, 1, (ROYAL_COIN,))
    assert coins(after) == coins(state)
    back = edited(after, "player royal from face-down to hand", f"player {card(state)} from face-up to hand")
    assert back == state


def test_units_are_placed_heightened_moved_and_taken_off(state: State) -> None:
    name = card(state)
    placed = edited(state, f"place player {name} on d4 from supply", f"place player {name} on d4 from bag")
    unit = state.sides[PLAYER].cards[0]
    assert placed.stacks == (Stack(seat=PLAYER, card=unit, at=Hex("d4"), height=2),)
    moved = edited(placed, "move d4 to e5")
    assert [stack.at for stack in moved.stacks] == ["e5"]
    gone = edited(moved, "take e5 to supply", "take e5 to bag")
    assert gone == state
    assert coins(placed) == coins(moved) == coins(state)


def test_locations_change_hands(state: State) -> None:
    here = next(at for at, owner in state.control.items() if owner == AUTOMATON)
    taken = edited(state, f"player controls {here}")
    assert taken.control[here] == PLAYER
    assert here not in edited(taken, f"free {here}").control


def test_what_cannot_be_is_told(state: State) -> None:
    name = card(state)
    assert problem(state, "player royal from bag to hand") == "the player has no Royal Coin in bag"
    assert problem(state, "player royal from hand to supply") == "the Royal Coin is never in supply"
    assert problem(state, f"player {name} from bag to hand") == "the player has 3 coins in hand already"
    assert problem(state, f"player {name} from bag to bag") == "it is there already"
    assert problem(state, "take d4 to bag") == problem(state, "move d4 to e5") == "there's no unit on d4"
    assert problem(state, "player controls d4") == "d4 isn't a location"
    ai = PRINTED.units[state.sides[AUTOMATON].cards[0]].name
    there = edited(state, f"place player {name} on d4 from supply", f"place ai {ai} on e5 from supply")
    assert problem(there, "move d4 to e5") == "another unit is on e5"
    assert problem(there, f"place ai {ai} on d4 from supply") == "another unit is on d4"
    assert problem(there, "take e5 to hand") == "the automaton has no hand"


def test_a_side_has_so_many_units_of_a_card_as_its_rules_say(state: State) -> None:
    unit = state.sides[PLAYER].cards[0]
    most = PRINTED.units[unit].most_on_board
    hexes = ("d4", "e5", "c3")
    full = edited(state, *(f"place player {card(state)} on {at} from supply" for at in hexes[:most]))
    assert problem(full, f"place player {card(state)} on {hexes[most]} from bag").endswith("already")


def test_who_is_to_play_keeps_a_coin(state: State) -> None:
    poor = edited(state, *[f"player {card(state)} from hand to bag"] * 2)
    assert problem(poor, "player royal from hand to bag").startswith("the player must play a coin now")


def test_nobody_wins_by_an_edit(state: State) -> None:
    owned = set(state.control)
    locations = [at for at in PRINTED.locations if at not in owned]
    rich = edited(state, *(f"player controls {at}" for at in locations[:3]))
    assert problem(rich, f"player controls {locations[3]}") == "with one more location the player would win"


def test_a_turn_that_is_half_played_is_left_alone(state: State) -> None:
    half = replace_fields(state, agenda=(UseDrawn(seat=PLAYER),))
    assert problem(half, "move d4 to e5") == "a turn is half played"
    drafting = replace_fields(state, picks=((PLAYER, 1),))
    assert problem(drafting, "move d4 to e5") == "the cards are still being picked"


def test_only_who_may_see_a_coin_is_told_which_it_is(state: State) -> None:
    name = card(state)
    hidden = read(state, f"player {name} from hand to bag")
    assert EDITS.tell(hidden, PLAYER) == f"A coin of the player was moved from hand to bag: {name}."
    assert EDITS.tell(hidden, None) == "A coin of the player was moved from hand to bag."
    opened = read(state, f"player {name} from hand to face-up")
    assert EDITS.tell(opened, None) == f"A coin of the player was moved from hand to face-up: {name}."
    royal = read(state, "player royal from hand to bag")
    assert EDITS.tell(royal, PLAYER) == "A coin of the player was moved from hand to bag: Royal Coin."
    assert "Royal" not in EDITS.tell(royal, AUTOMATON)
    assert EDITS.tell(read(state, "free b3"), None) == "Nobody controls b3 now."
