"""Letters of a few lines, in the manners in which people write: each says what was written down for it."""

import pytest

from tests.kit.corpora import LETTERS, TYPED, check_letter, check_typed_letter, typed_letters

EVERY = [
    pytest.param(path.stem, meant, id=f"{path.stem}-{number}")
    for path in TYPED
    for number, meant in enumerate(typed_letters(path))
]


def test_each_manner_has_enough_of_them():
    counts = {path.stem: len(typed_letters(path)) for path in TYPED}
    assert all(count >= 6 for count in counts.values()), counts


@pytest.mark.parametrize(("manner", "meant"), EVERY)
def test_a_letter_says_what_was_written_down_for_it(manner, meant):
    found = check_typed_letter(manner, meant)
    assert found.wrong == (), found.name


LOST = [path for path in LETTERS if path.parent.name == "lost"]
"""Whole emails of which orders were once lost, or of which our own words became mistakes."""


@pytest.mark.parametrize("path", LOST, ids=lambda path: path.stem)
def test_an_email_loses_no_order(path):
    assert check_letter(path).wrong == ()
