"""An owner's list of cards: the fields that a row can leave out, and the complete list that a game keeps."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.data import read_json
from games.dice import LabelledDice, SealedDice
from games.great_war import components, notation
from games.great_war.bots import Greedy
from games.great_war.components import CARDS_FILE, PACKAGE, CardId, printed_rows
from games.great_war.model import PLAYER, State
from games.great_war.owner_data import changed_cards, complete_list
from games.great_war.rules import GreatWarRules
from games.options import settle_for_new_game
from games.protocol import Invalid
from games.record import canonical
from tests.games.great_war.front import GAME

RULES = GreatWarRules()
INVENTED = {
    "cards": [
        {"id": "B-AS", "name": "An Ace of Mine", "bp": 19},
        {"id": "B-KS", "bp": 5},
        {"id": "R-AS", "bp": 11},
    ]
}
"""Invented numbers. Each row has only the fields that are known."""


def clear() -> None:
    """Clear the caches of the package's data."""
    for one in (components, notation):
        for thing in vars(one).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def refusal(document: Any) -> str:
    """Return the error for a list, or "" if it is accepted."""
    try:
        changed_cards(json.dumps(document))
    except Invalid as fault:
        return fault.why
    return ""


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that gives the package's own cards other names and more Battle Points."""

    def upgrade() -> None:
        document = json.loads(json.dumps(read_json(PACKAGE, CARDS_FILE)))
        for row in document["cards"]:
            row.update(bp=row["bp"] + 7, name=f"New {row['name']}")
        monkeypatch.setattr(components, "read_json", lambda package, path: document)
        clear()

    yield upgrade
    monkeypatch.undo()
    clear()


def begun(options: Any) -> State:
    """Return the opening of a game with these options, settled or not."""
    return RULES.setup(options, SealedDice(b"owner", "box", 0)).state


def test_a_row_has_what_is_known_and_inherits_the_rest() -> None:
    """Without a name, effects or links in the row, those of our card stay."""
    first, second, third = changed_cards(json.dumps(INVENTED))
    ours = {row.id: row for row in printed_rows()}
    assert (first.name, first.bp) == ("An Ace of Mine", 19)
    assert (second.name, second.bp) == (ours[CardId("B-KS")].name, 5)
    assert third.effects == ours[CardId("R-AS")].effects


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "B-AS", "bp": "many"}, r"B-AS: Expected `int`, got `str` - at `\$.bp`"),
        ({"id": "B-AS", "points": 3}, "B-AS: .*unknown field `points`"),
        ({"id": "B-AX", "bp": 3}, "B-AX: there is no card with that id"),
        ({"bp": 3}, "card 1: .*missing required field `id`"),
    ],
)
def test_what_is_wrong_names_its_row_and_its_field(row: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        complete_list(json.dumps({"cards": [row]}))


def test_a_list_that_is_whole_is_whole_already() -> None:
    """A list that only claims to be whole is rejected."""
    whole = complete_list(json.dumps(INVENTED))
    rows = json.loads(whole)["cards"]
    assert len(rows) == len(printed_rows())
    assert len(changed_cards(whole)) == len(rows)
    assert "says that it is whole, and it isn't" in refusal({"whole": True, "cards": rows[1:]})


def test_a_file_that_says_it_is_whole_is_checked_when_a_game_begins() -> None:
    document = json.loads(complete_list(json.dumps(INVENTED)))
    document["cards"][0]["kind"] = "moon"
    with pytest.raises(Invalid, match="its kind is moon and must be ace"):
        complete_list(json.dumps(document))


def test_a_game_with_an_owners_file_is_the_same_after_our_data_has_changed(upgraded: Any) -> None:
    """A bot plays a campaign with invented numbers. Its log then replays to the same bytes on other data."""
    options = settle_for_new_game(GAME.about, {"cards": json.dumps(INVENTED)})
    state = begun(options)
    states, given = [canonical(state)], []
    while RULES.result(state) is None:
        dice = SealedDice(b"owner", "box", len(states))
        (due,) = RULES.due(state)
        bot = LabelledDice(dice, "bot/")
        given.append([choice.order for choice in Greedy().orders(RULES.view(state, PLAYER), due, bot)])
        state = RULES.adjudicate(state, {PLAYER: given[-1]}, dice).state
        states.append(canonical(state))
    upgraded()
    assert printed_rows()[0].name.startswith("New ")
    again = begun(options)
    assert canonical(again) == states[0]
    for number, orders in enumerate(given, 1):
        again = RULES.adjudicate(again, {PLAYER: orders}, SealedDice(b"owner", "box", number)).state
        assert canonical(again) == states[number], number


def test_a_list_that_is_not_whole_follows_our_data(upgraded: Any) -> None:
    """This shows that the test above can fail: a card without a row changes with an upgrade."""
    options = {**settle_for_new_game(GAME.about, {}), "cards": json.dumps(INVENTED)}
    before = begun(options).book[CardId("B-QS")].bp
    upgraded()
    assert begun(options).book[CardId("B-QS")].bp == before + 7
