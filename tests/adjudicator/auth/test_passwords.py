"""Passwords are stored as scrypt texts."""

import pytest

from adjudicator.auth.passwords import is_correct, seal


def test_a_sealed_password_fits_itself_only():
    sealed = seal("wampum belt")
    assert sealed.startswith("scrypt$")
    assert "wampum" not in sealed
    assert is_correct("wampum belt", sealed)
    assert is_correct(" wampum belt\t", sealed)
    assert not is_correct("Wampum belt", sealed)
    assert not is_correct("", sealed)


def test_two_seals_of_one_password_differ():
    assert seal("x") != seal("x")


def test_accents_fit_however_they_are_composed():
    assert is_correct("e\u0301te\u0301", seal("\u00e9t\u00e9"))


@pytest.mark.parametrize("text", ["plain", "md5$1$1$1$eA==$eA==", ""])
def test_a_text_that_is_no_seal_is_an_error(text):
    with pytest.raises(ValueError, match=r"scrypt|unpack"):
        is_correct("x", text)
