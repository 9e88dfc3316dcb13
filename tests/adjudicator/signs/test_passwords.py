"""Passwords: kept as scrypt texts."""

import pytest

from adjudicator.signs.passwords import fits, seal


def test_a_sealed_password_fits_itself_only():
    sealed = seal("wampum belt")
    assert sealed.startswith("scrypt$")
    assert "wampum" not in sealed
    assert fits("wampum belt", sealed)
    assert fits(" wampum belt\t", sealed)
    assert not fits("Wampum belt", sealed)
    assert not fits("", sealed)


def test_two_seals_of_one_password_differ():
    assert seal("x") != seal("x")


def test_accents_fit_however_they_are_composed():
    assert fits("e\u0301te\u0301", seal("\u00e9t\u00e9"))


@pytest.mark.parametrize("text", ["plain", "md5$1$1$1$eA==$eA==", ""])
def test_a_text_that_is_no_seal_is_an_error(text):
    with pytest.raises(ValueError, match=r"scrypt|unpack"):
        fits("x", text)
