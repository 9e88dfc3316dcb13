"""Tokens are found in a text in any spelling, and removed from it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudicator.auth import tokens
from adjudicator.auth.tokens import Tokens, tokens_in_addresses, without
from tests.kit.token_search import SPELLINGS, find_tokens

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
    assert find_tokens([TOKEN], left) == set()
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
    assert {span.token for span in tokens_in_addresses(text)} == {TOKEN}
    assert without(text, tokens_in_addresses(text), "…") == f"see {address.format('…')}, please"


def test_an_address_of_somebody_else_is_let_be() -> None:
    assert tokens_in_addresses("Write to someone+news.of.ourclub@example.org, or gm+demo@example.org.") == ()


PAGES = st.lists(
    st.sampled_from(
        ["<", ">", "<b>", "&#6", "&#x6b;", "&amp;", "=6", "=3D", "%4", "%41", ";", "²", "✓", "\u0663", "é"]
    )
    | st.text(alphabet="abc234 <>&=%", max_size=6),
    max_size=14,
).map("".join)


@given(PAGES)
@example("<b>&#x6b;</b>")
@example("<b>a&#6\u06635;")
def test_a_page_reads_as_it_does_sign_by_sign(page: str) -> None:
    """A quick check tells whether there is a token; going through the page finds its place."""
    slowly = (page, *(one.sub(tokens._decode_match, page) for one in tokens._specials(page)))
    for alphabet in (tokens._OF_TOKENS, tokens._OF_ADDRESSES):
        assert list(alphabet.readings(page)) == [alphabet.bare(read) for read in slowly]


@pytest.mark.parametrize("sign", ["a", "é", "✓", "²"])
@pytest.mark.parametrize("size", [1_999, 2_000, 2_001])
def test_a_tag_is_as_long_whatever_signs_are_in_it(sign: str, size: int) -> None:
    tag = f"<{sign * size}>"
    found = LOOKED_FOR.spans(f"{TOKEN[:5]}{tag}{TOKEN[5:]}")
    assert bool(found) == (size <= 2_000 or sign in "é✓")  # which are no signs of a token anyway


def test_a_token_is_found_among_few_and_among_many() -> None:
    for count in (1, tokens._FEW_TOKENS, tokens._FEW_TOKENS + 1, 400):
        others = (f"other{number:08}".translate(str.maketrans("0189", "abcd")) for number in range(count - 1))
        known = Tokens(frozenset({TOKEN, *others}))
        assert len(known.known) == count
        assert known.may_occur_in(f"before {TOKEN.upper()} after")
        assert known.spans(f"before {TOKEN[1:]} after") == ()
