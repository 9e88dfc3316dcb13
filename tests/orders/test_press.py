"""Letters with talk of players above their orders: exactly the orders count, little talk is asked back."""

import pytest

from games.data import read_toml
from tests.kit.dry_runs import graded_lines
from tests.kit.press import amiss, letters

pytestmark = pytest.mark.long

COUNT, MOST_QUESTIONS = 300, 30


def test_there_is_talk_enough():
    table = read_toml("tests.corpora.press", "paragraphs.toml")
    said = [paragraph for language in table.values() for paragraph in language["paragraphs"]]
    assert len(set(said)) == len(said) >= 60
    assert len(table) == 7


def test_of_300_letters_exactly_the_orders_count():
    """No word of the talk counts as a command."""
    found = [(letter, *amiss(letter)) for letter in letters(COUNT)]
    assert [(letter.number, wrong) for letter, wrong, _ in found if wrong] == []
    questions = [line for _, _, asked in found for line in asked]
    assert len(questions) <= MOST_QUESTIONS, questions
    assert len({letter.text for letter, _, _ in found}) == COUNT


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_whatever_talk_stands_above_which_orders(seed):
    found = [(letter, *amiss(letter)) for letter in letters(COUNT, seed)]
    assert [(letter.number, wrong) for letter, wrong, _ in found if wrong] == []
    assert sum(len(asked) for _, _, asked in found) <= MOST_QUESTIONS


def test_the_end_of_a_sentence_is_no_heading():
    """It once named a turn, and all orders below were asked back."""
    text = "He could waive and keep us all guessing until\nspring.\n\nA Par - Bur"
    assert graded_lines(text) == ["taken A PAR - BUR"]
    assert graded_lines("Fall 1901\nA Par - Bur") == ["doubtful [PHASE F1901M] A PAR - BUR"]


def test_a_sentence_that_a_program_broke_is_not_asked_back():
    above = "I have thought about it for a long time, and I think that you should"
    assert graded_lines(f"{above}\ngo on to Greece.") == []
    assert graded_lines("go on to Greece.") == ["unread"]
    assert graded_lines(f"{above}\nA Par - Brugundia") != []
