"""The languages of a board: files of names and small words, all read together."""

import pytest

from games.diplomacy.boards import folders, variants
from games.diplomacy.boards.languages import LANGUAGE_FILE, read_languages
from games.protocol import Invalid
from tests.kit.dry_runs import graded_lines

STANDARD = variants.load("standard")
SIX = {"German", "French", "Spanish", "Portuguese", "Italian", "Dutch"}


@pytest.mark.parametrize("name", folders.names())
def test_every_board_is_ordered_in_six_languages(name):
    assert {one.language for one in variants.load(name).tongues.languages} >= SIX


@pytest.mark.parametrize("name", ["standard", "indianomacy"])
def test_no_name_is_that_of_two_places(name):
    board, said = variants.load(name).board, variants.load(name).tongues
    named: dict[str, set[str]] = {}
    for place in board.places.values():
        for one in (place.name, place.abbr, place.id, *place.aliases, *said.province(place.id)):
            named.setdefault(one.lower(), set()).add(place.id)
    assert {one: places for one, places in named.items() if len(places) > 1} == {}


def test_two_languages_may_be_mixed():
    assert graded_lines("Armée Paris nach Borgogna") == ["taken A PAR - BUR"]


def test_a_small_word_that_is_a_name_of_the_board_is_a_name():
    # In German "den" is an article too: so read, this would help Kiel to hold.
    assert graded_lines("F Ber S den Kie", seat="Germany") != ["taken F BER S F KIE"]
    assert "den" not in STANDARD.tongues.words("the")


def test_the_word_for_a_kind_of_unit_counts_in_every_language():
    assert graded_lines("Flotte Paris nach Burgund") == ["corrected A PAR - BUR"]


def test_a_seat_may_call_itself_in_its_language():
    assert graded_lines("Deutschland: A Mun - Ruh", seat="Germany") == ["taken A MUN - RUH"]
    assert graded_lines("Frankreich: A Mun - Ruh", seat="Germany")[0].startswith("doubtful")


def test_what_may_be_two_units_is_no_move_where_units_are_built():
    builds = {
        "phase": "W1901A",
        "units": {"France": ["A Spain"]},
        "centres": {"France": ["Paris", "Brest", "Marseilles", "Spain"]},
    }
    assert graded_lines("A Par A Mar", question=builds) == ["taken A PAR B", "taken A MAR B"]


def test_a_line_that_says_no_is_not_taken():
    assert graded_lines("no A Par - Bur") == ["doubtful A PAR - BUR"]


def files(**entry):
    return {"names.xx.toml": {"language": "Klingon", **entry}}


def test_a_language_may_be_added_and_rest_on_the_words_of_another_variant():
    klingon = files(base="standard", provinces={"PAR": ["Paghur"]}, words={"to": ["Daq"]})
    found = read_languages(STANDARD.board, klingon, {}, lambda name, file: {"words": {"to": ["nach"]}})
    assert found.province("PAR") == ("Paghur",)
    assert found.words("to") == ("nach", "Daq")


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"provinces": {"XYZ": ["Nowhere"]}}, "names.xx.toml: provinces: XYZ"),
        ({"powers": {"Rome": ["Roma"]}}, "names.xx.toml: powers: Rome"),
        ({"coasts": {"ZC": ["Kueste"]}}, "names.xx.toml: coasts: ZC"),
        ({"words": {"verbs": ["go"]}}, "names.xx.toml: words: verbs"),
        ({"provinces": {"PAR": "Paris"}}, "names.xx.toml: provinces: PAR"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(entry, what):
    with pytest.raises(Invalid) as fault:
        read_languages(STANDARD.board, files(**entry), {}, lambda name, file: {})
    assert fault.value.what == what


def test_the_file_of_a_language_is_known_by_its_name():
    assert LANGUAGE_FILE.fullmatch("names.de.toml") is not None
    assert LANGUAGE_FILE.fullmatch("names.toml") is None
