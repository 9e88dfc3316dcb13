"""The meaning of a text is known from another one with other names, and always equals its own reading."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from adjudicator.judge import TextShapes, build_order_reader
from games.protocol import Seat
from orders.reading.forms import FormMatch, compile_forms
from orders.reading.lexicon import index_lexicon
from orders.words import words
from tests.kit.memory_repository import new_position
from tests.kit.standard import GAME, position, scenes

KINDS = ("standard", "indianomacy", "chaos", "plains-indian-wars", "war-chest", "great-war", "boer-war")

SENTENCES = (
    "A {0} - {1}",
    "a {0} - {1}",
    "{0} to {1}",
    "{0} {1}",
    "army {0} moves to {1}",
    "{0} - {1} via {2}",
    "F {0} S A {1} - {2}",
    "F {0} S {1}",
    "{0} supports {1} to {2}",
    "F {0} C English A {1} - {2}",
    "F {0} S England A {1}",
    "{0} ({1}) H",
    "A {0} {1} - {2}",
    "A {0}/sc - {1}",
    "A {0} sc - {1}",
    "A {0} s - {1}",
    "A {0} -{1}",
    "A {0}-{1}",
    "{0} H",
    "{0} H, {1} H",
    "{0}, {1} H",
    "all {0} H",
    "A {0}  - {1}",
    "A {0} =- {1}",
    "MOVE 2 {0} TO {1}",
    "DEPLOY {0} AT {1}",
)
"""Ways to write orders of all games, and lines that are none. 0 to 2: names."""


@cache
def names_of(kind: str) -> list[str]:
    """Return all names that texts of a game may have, in every language."""
    position = new_position(kind)
    lexicon = games.kinds()[kind].notation.lexicon(position.state)
    return [name for term in lexicon for name in term.names]


@cache
def asked(kind: str):
    """Return a game, its first position, a seat, and a reader that remembers."""
    game, state = games.kinds()[kind], new_position(kind).state
    seat = next(due.seat for due in game.rules.due(state))
    return game, game.rules.view(state, seat), seat, build_order_reader(game)


def spell(name: str, how: int) -> str:
    """Return a name as it is, in small letters, in capitals, or with the first letter small."""
    return (name, name.lower(), name.upper(), name[:1].lower() + name[1:])[how]


@given(st.data())
@settings(max_examples=60)
def test_a_text_means_what_a_reader_without_memory_says(data):
    kind = data.draw(st.sampled_from(KINDS))
    game, view, seat, warm = asked(kind)
    drawn = st.builds(spell, st.sampled_from(names_of(kind)), st.integers(0, 3))
    sentence = data.draw(st.sampled_from(SENTENCES))
    # The first text teaches the shape of the others.
    for _ in range(4):
        text = sentence.format(*(data.draw(drawn) for _ in range(3)))
        assert warm(view, seat, text) == build_order_reader(game)(view, seat, text), text


@pytest.fixture
def shapes():
    notation = GAME.notation
    return TextShapes((compile_forms(notation.forms), index_lexicon(notation.lexicon(None))))


def meaning(shapes: TextShapes, text: str) -> dict[str, str] | None:
    """Return the places of a text by their slots, or None if its shape isn't known."""
    found = shapes.find(text)
    return None if found is None else shapes.match(found).slots


def learn(shapes: TextShapes, text: str) -> None:
    """Have a text read, and its shape remembered."""
    notation = GAME.notation
    grammar, names = compile_forms(notation.forms), index_lexicon(notation.lexicon(None))
    (match,) = grammar.match(words(text), names)
    shapes.learn(text, match)


def test_a_text_with_other_names_is_known(shapes):
    learn(shapes, "A MUN S A BER - KIE")
    assert meaning(shapes, "A mun S A Tyrolia - VEN") == {"unit": "MUN", "other": "TYR", "to": "VEN"}
    assert meaning(shapes, "F MUN S A BER - KIE") is None


def test_a_name_that_is_also_a_word_of_orders_stays_in_the_shape(shapes):
    """CON is Constantinople and "convoys", STP S may be a coast: each is read for itself."""
    learn(shapes, "A MUN - BER")
    for text in ("A CON - BUL", "A STP - MOS", "A MUN - STP"):
        assert meaning(shapes, text) is None
    learn(shapes, "A STP - MOS")
    assert meaning(shapes, "A STP - LVN") == {"unit": "STP", "to": "LVN"}


@pytest.mark.parametrize("text", ["A Munich MUN - BER", "A MUN (Munich) - BER", "- BER", "A MUN - BER=20"])
def test_a_text_in_which_signs_or_names_touch_is_not_remembered(shapes, text):
    form = GAME.notation.forms[0]
    shapes.learn(text, FormMatch(form, {"unit": "MUN", "to": "BER"}))
    assert shapes.find(text) is None


def test_an_order_in_other_words_is_for_the_unit_that_stands_there_now():
    """A remembered order is read again if another unit is there."""
    parse_order, seat = build_order_reader(GAME), Seat("Germany")
    for kind in "AFA":
        (scene,) = scenes(f"Germany: A MUN H\n{kind} BER H")
        for name in ("BER", "Berlin"):
            parsed = parse_order(position(scene, "S1901M"), seat, f"A MUN S {name}")
            assert parsed.order.other.kind == kind
