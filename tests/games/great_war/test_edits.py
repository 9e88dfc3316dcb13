"""The changes that a GM can make by hand in The Great War. They never add or remove a card."""

import pytest

from games.great_war.edits import GreatWarEdits, MoveCard
from games.great_war.model import AI, PLAYER
from games.record import replace_fields
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.games.great_war.front import dealt, play
from tests.games.great_war.test_campaign import assert_conserved

EDITS = GreatWarEdits()


def read(state, text):
    (found,) = match_text(text, compile_forms(EDITS.forms), names_of(EDITS.lexicon(state)))
    return EDITS.build(state, found.form.name, found.slots)


def edited(state, *texts):
    for text in texts:
        edit = read(state, text)
        assert EDITS.check(state, edit) is None, text
        state = EDITS.apply(state, edit)
        assert_conserved(state)
    return state


@pytest.fixture
def state():
    return dealt()


def test_a_card_goes_from_anywhere_to_anywhere(state):
    one = next(card for card in state.piles["entente"].deck if state.book[card].high)
    there = edited(
        state,
        f"{one} from deck to player hand",
        f"{one} from player hand to player table",
        f"turn {one} face-down",
        f"turn {one} face-up",
        f"{one} from the player's table to ai captured",
        f"{one} from ai captures to discards",
        f"{one} from discards to deck",
    )
    assert there.piles["entente"].deck[0] == one
    assert sorted(there.piles["entente"].deck) == sorted(state.piles["entente"].deck)


def test_the_next_event_can_be_chosen(state):
    """It becomes the top card of its deck, and is drawn when the next Turn begins."""
    one = state.piles["event"].deck[-1]
    there = edited(state, f"{one} from deck to deck")
    there = play(play(play(there, "PASS 1ST").state, "PASS 2ND").state).state
    assert there.event == one or one in there.piles["event"].discards


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W10 from deck to player hand", "W10 isn't in deck; this game doesn't use it"),
        ("{mine} from deck to ai hand", "isn't in deck; it is in player hand"),
        ("{mine} from player hand to player hand", "the card is there already"),
        ("{mine} from player hand to aside", "can't be set aside"),
        ("{aside} from aside to discards", "goes to aside when it isn't in play"),
        ("{theirs} from deck to player hand", "from the Central Powers deck, which that side doesn't use"),
        ("{event} from deck to player table", "from the Random Event deck"),
        ("{low} from deck to player captures", "that side can't capture"),
        ("turn {mine} face-up", "isn't on the table"),
    ],
)
def test_what_cannot_be_changed(state, text, why):
    places = {
        "mine": state.armies[PLAYER].hand[0],
        "aside": next(iter(state.aside), "R-9D"),
        "theirs": state.piles["central"].deck[0],
        "event": state.piles["event"].deck[0],
        "low": next(card for card in state.piles["central"].deck if not state.book[card].high),
    }
    if not state.aside:
        state = replace_fields(state, aside=("R-9D",))
    assert why in EDITS.check(state, read(state, text.format(**places))).problem


def test_a_card_lies_as_it_lies(state):
    one = next(card for card in state.piles["neutral"].deck if not state.book[card].high)
    there = edited(state, f"{one} from deck to ai table")
    assert EDITS.check(there, read(there, f"turn {one} face-up")).problem == f"{one} is face-up already"
    down = edited(there, f"turn {one} face-down")
    assert down.total(AI) == state.total(AI)


def test_nothing_is_changed_before_and_after_the_campaign(state):
    edit = MoveCard(card="B-QS", start="deck", end="discards")
    for stage in ("set-up", "over"):
        assert EDITS.check(replace_fields(state, stage=stage), edit).problem == "no Turn is in progress"


def test_who_may_not_see_a_card_is_not_told_which_it_was():
    edit = MoveCard(card="B-QS", start="deck", end="player hand")
    assert EDITS.tell(edit, PLAYER) == "B-QS was moved: from deck, to player hand."
    assert EDITS.tell(edit, None) == "A card was moved: from deck, to player hand."
    assert "B-QS" in EDITS.tell(MoveCard(card="B-QS", start="deck", end="player table"), None)
    assert "R-QS" not in EDITS.tell(MoveCard(card="R-QS", start="deck", end="ai hand"), PLAYER)
