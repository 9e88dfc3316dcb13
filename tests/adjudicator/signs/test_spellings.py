"""Tokens found in a text, however they are spelt, and taken out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.signs.spellings import Tokens, in_addresses, without
from tests.kit.tokenhunt import SPELLINGS, hunted

TOKEN = "abcdefgh23456"
LOOKED_FOR = Tokens(frozenset({TOKEN, "zzzzzzz777777"}))
SIGNS = st.text(alphabet="abcdefgh234567+.@ \n>=&#;<>%éß\u00ad\uff41", max_size=60)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_spelling(spelling: str) -> None:
    spelt = SPELLINGS[spelling](TOKEN)
    text = f"before {spelt}\nafter"
    (token,) = {span.token for span in LOOKED_FOR.spans(text)}
    assert token == TOKEN
    left = without(text, LOOKED_FOR.spans(text), "…")
    assert hunted([TOKEN], left) == set()
    assert left.startswith("before ")
    assert left.endswith("\nafter")


@given(before=SIGNS, after=SIGNS, spelling=st.sampled_from(sorted(SPELLINGS)), rest=st.integers(0, 12))
def test_whatever_stands_around_it(before: str, after: str, spelling: str, rest: int) -> None:
    """A token that begins anywhere, and less than a whole one before it."""
    text = f"{before} {TOKEN[:rest]} {SPELLINGS[spelling](TOKEN)} {after}"
    assert TOKEN in {span.token for span in LOOKED_FOR.spans(text)}


@pytest.mark.parametrize("text", ["", TOKEN[:-1], TOKEN[::-1], "a consideration", f"{TOKEN[:6]}x{TOKEN[6:]}"])
def test_what_is_none(text: str) -> None:
    assert LOOKED_FOR.spans(text) == ()
    assert without(text, (), "…") == text


@pytest.mark.parametrize(
    "address",
    [
        "gm+you.{}@example.org",
        "gm+b.0123456789abcdef.{}@example.org",
        "GM+Demo.Iroquois.{}@example.org",
        "gm+demo.iro=\n> quois.{}@example.org",
        "gm%2Bb.0123456789abcdef.{}%40example.org",
    ],
)
def test_a_token_in_an_address_that_nobody_knows(address: str) -> None:
    text = f"see {address.format(TOKEN)}, please"
    assert {span.token for span in in_addresses(text)} == {TOKEN}
    assert without(text, in_addresses(text), "…") == f"see {address.format('…')}, please"


def test_an_address_of_somebody_else_is_let_be() -> None:
    assert in_addresses("Write to someone+news.of.ourclub@example.org, or gm+demo@example.org.") == ()
