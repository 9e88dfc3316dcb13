"""Names: exact in any typography, near if one is clearly nearest, never forced."""

import pytest

from games.protocol import LexiconEntry
from orders.reading.lexicon import find_names, index_lexicon
from orders.words import tidy, words
from tests.orders.plain import LEXICON

PROVINCE = ("province",)


def found(text):
    answer = find_names(words(tidy(text)), LEXICON, PROVINCE)
    return answer.how, [term.id for term in answer.terms]


@pytest.mark.parametrize(
    ("text", "province"),
    [
        ("Mohawk", "10"),
        ("MOHAWK", "10"),
        ("mhk", "10"),
        ("10", "10"),
        ("St. Lawrence River", "c"),
        ("st lawrence", "c"),
        ("Caribou-Eaters", "4"),
        ("caribou eaters", "4"),
        ("Hudson’s Bay", "b"),
        ("Hudsons Bay", "b"),
        ("Mi’kmaq", "7"),
        ("N. Cheyenne", "48"),
        ("n cheyenne", "48"),
        ("Sauk and Fox", "56"),
        ("b", "b"),
    ],
)
def test_dress_does_not_matter(text, province):
    assert found(text) == ("exact", [province])


def test_a_prefix_of_four_letters_names_what_it_begins():
    assert found("Dela") == ("prefix", ["61"])
    assert found("Chip") == ("prefix", ["2", "18"])


def test_a_prefix_of_three_letters_is_a_guess():
    assert found("moh") == ("guess", ["10", "92"])
    assert found("del") == ("exact", ["61"])


def test_a_slip_is_near_when_one_name_is_clearly_nearest():
    assert found("Mohok") == ("near", ["10"])
    assert found("Onieda") == ("near", ["11"])
    assert found("Lake Eire") == ("near", ["g"])
    assert found("Nezperce") == ("near", ["32"])


def test_names_that_are_as_near_are_all_told():
    how, ids = found("Mohavk")
    assert (how, sorted(ids)) == ("near", ["10", "92"])


@pytest.mark.parametrize("text", ["the huron", "old erie", "xyzzy", "mhx", "62", "cross"])
def test_nothing_is_forced(text):
    assert found(text) == ("nothing", [])


def test_a_name_is_the_longest_that_stands_there():
    line = words("Plains Cree - Lake Erie")
    names = index_lexicon(LEXICON)
    assert [(end, term.id) for end, terms in names.at(line, 0) for term in terms] == [(2, "20")]
    assert [(end, term.id) for end, terms in names.at(line, 3) for term in terms] == [(5, "g")]


def test_coasts_are_read_with_slash_and_brackets():
    coast = (LexiconEntry(sort="province", id="stp/sc", names=("St. Petersburg (south coast)", "STP/SC")),)
    for text in ("STP/SC", "stp(sc)", "stp (sc)", "St Petersburg (South Coast)"):
        answer = index_lexicon(coast).at(words(tidy(text)), 0)
        assert answer == [(len(words(text)), coast)], text


def test_the_closest_name_is_a_hint_only_where_something_is_alike():
    names = index_lexicon(LEXICON)
    assert names.closest("sisston", frozenset(PROVINCE)).id == "52"
    assert names.closest("zzzzzz", frozenset(PROVINCE)) is None


def test_a_name_may_be_made_of_signs_alone():
    """Though a dash or an arrow inside a name of letters only joins its parts."""
    names = (
        LexiconEntry(sort="sign", id="more", names=(">",)),
        LexiconEntry(sort="sign", id="least", names=(">=",)),
    )
    ends = index_lexicon(names).at(words(tidy("> 5")), 0), index_lexicon(names).at(words(tidy(">= 5")), 0)
    assert [[(end, [term.id for term in terms]) for end, terms in one] for one in ends] == [
        [(1, ["more"])],
        [(2, ["least"]), (1, ["more"])],
    ]


def test_a_sign_is_not_a_name_said_again():
    """More than minus five is two signs, and neither repeats the other."""
    names = (LexiconEntry(sort="sign", id="more", names=(">",)),)
    assert [end for end, _ in index_lexicon(names).at(words(tidy("> -5")), 0)] == [1]
