"""The data of a variant: compiled once, and refused with the entry at fault."""

import copy

import pytest

from games.data import read_json, read_toml
from games.diplomacy import GAMES
from games.diplomacy.boards import folders, variants
from games.diplomacy.boards.board import compile_board
from games.diplomacy.boards.new_variants import check_new_board
from games.diplomacy.boards.variants import RULINGS, Rulebook, read_rulebook
from games.options import settle
from games.protocol import Invalid
from tests.kit.positions import BOARD, DICE, VARIANT

RAW = read_json(folders.DIPLOMACY_PACKAGE, "variants/indianomacy/map.json")
BOOK = read_toml(folders.DIPLOMACY_PACKAGE, "variants/indianomacy/rulebook.toml")


def spoilt(change):
    """The map after a change, refused."""
    raw = copy.deepcopy(RAW)
    change(raw)
    with pytest.raises(Invalid) as refused:
        compile_board(raw)
    return refused.value.what


def province(raw, wanted):
    return next(one for one in raw["provinces"] if one["id"] == wanted)


def walk_on_water(raw):
    province(raw, "10")["army"].append("c")
    province(raw, "c")["army"].append("10")


FAULTS = {
    "no title": (lambda raw: raw.pop("title"), "map.json: title"),
    "one-sided": (lambda raw: province(raw, "10")["army"].append("120"), "map.json: provinces: 10: army[4]"),
    "unknown": (lambda raw: province(raw, "10")["army"].append("999"), "map.json: provinces: 10: army[4]"),
    "itself": (lambda raw: province(raw, "10")["army"].append("10"), "map.json: provinces: 10: army[4]"),
    "twice": (lambda raw: province(raw, "10")["army"].append("9"), "map.json: provinces: 10: army[1]"),
    "on water": (walk_on_water, "map.json: provinces: 10: army[4]"),
    "same abbr": (lambda raw: province(raw, "11").update(abbr="MHK"), "map.json: provinces: 11"),
    "no kind": (lambda raw: raw["neutral"].append("X 3"), "map.json: neutral"),
    "two units": (lambda raw: raw["neutral"].append("W 10"), "map.json: neutral: W 10"),
    "two homes": (lambda raw: raw["powers"][0]["homes"].append("26"), "map.json: powers: Blackfoot: homes"),
    "not a centre": (
        lambda raw: raw["powers"][0]["centres"].append("98"),
        "map.json: powers: Apache: centres",
    ),
    "no level": (
        lambda raw: raw["powers"][0].update(danger={"advancd": 1.5}),
        "map.json: powers: Apache: danger",
    ),
    "ten steps": (
        lambda raw: raw["powers"][0].update(danger={"advanced": 10}),
        "map.json: powers: Apache: danger: advanced",
    ),
    "count": (lambda raw: raw["counts"].update(centres=45), "map.json: counts: centres"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_map_is_named(fault):
    change, at = FAULTS[fault]
    assert spoilt(change) == at


NEW_FAULTS = {
    "another kind": (lambda raw: raw["neutral"].append("A 4"), "map.json: A 4"),
    "called neutral": (lambda raw: raw["powers"][0].update(id="Neutral"), "map.json: powers: Neutral"),
    "one letter": (
        lambda raw: raw["powers"][1].update(letter="A"),
        "map.json: powers: Blackfoot: letter",
    ),
    "two owners": (
        lambda raw: raw["powers"][1]["centres"].append("96"),
        "map.json: powers: Blackfoot: centres",
    ),
    "before the year -9999": (lambda raw: raw.update(first_year=-10_000), "map.json: first_year"),
    "no abbreviation": (lambda raw: province(raw, "11").update(abbr=" "), "map.json: provinces: 11"),
}


@pytest.mark.parametrize("fault", NEW_FAULTS)
def test_a_new_variant_is_refused_that_an_older_one_may_keep(fault):
    """The checker refuses it. A game that runs on such a board goes on."""
    change, at = NEW_FAULTS[fault]
    raw = copy.deepcopy(RAW)
    raw["powers"][0]["partners"] = []
    for one in raw["powers"]:
        one["partners"] = []
    raw["counts"] = {}
    change(raw)
    assert refusal_of(compile_board(raw)) == at


def refusal_of(board):
    """The entry for which a new board is refused, or None."""
    try:
        check_new_board(board)
    except Invalid as refused:
        return refused.what
    return None


def test_a_unit_may_start_off_a_centre():
    raw = copy.deepcopy(RAW)
    raw["neutral"].append("W 4")
    raw["counts"]["neutral"] += 1
    board = compile_board(raw)
    assert "4" in {piece.at for piece in board.neutral}
    check_new_board(board)


def test_the_map_as_it_is_has_no_fault():
    assert compile_board(RAW) == BOARD


@pytest.mark.parametrize(
    ("change", "at"),
    [
        pytest.param({"year": []}, "rulebook.toml: year", id="no year"),
        pytest.param({"year": BOOK["year"] * 2}, "rulebook.toml: year", id="two ends"),
        pytest.param({"year": [BOOK["year"][0], *BOOK["year"]]}, "rulebook.toml: year", id="twice"),
        pytest.param({"why": {"moon": "it is full"}}, "rulebook.toml: why: moon", id="why what"),
        pytest.param({"builds_in": "anywhere"}, "rulebook.toml: builds_in", id="no choice"),
        pytest.param(
            {"options": [{**BOOK["options"][0], "begins": "moon"}]},
            "rulebook.toml: options: option centres: begins",
            id="begins with nothing",
        ),
    ],
)
def test_a_fault_in_the_rulebook_is_named(change, at):
    with pytest.raises(Invalid) as refused:
        read_rulebook({**BOOK, **change})
    assert refused.value.what == at


def test_every_ruling_that_is_a_choice_says_why():
    assert set(RULINGS) <= set(Rulebook.__struct_fields__)
    for name in folders.names():
        book = variants.load(name).rulebook
        open_to_choice = {option.name for option in book.options if option.name in RULINGS}
        assert open_to_choice <= set(book.why) <= set(RULINGS)


def test_a_phase_that_the_year_does_not_have():
    opening = VARIANT.rulebook.beginning(1)
    with pytest.raises(KeyError):
        VARIANT.rulebook.step(type(opening)(season="S", year=1, kind="R"))


def test_each_folder_is_a_game():
    assert [game.about.kind for game in GAMES] == list(folders.names())
    game = next(game for game in GAMES if game.about.kind == "indianomacy")
    assert game.about.seats({}) == tuple(BOARD.powers)
    assert game.about.aliases == ("indianonacy", "indianocracy")


def test_the_option_reaches_the_state():
    game = next(game for game in GAMES if game.about.kind == "indianomacy")
    defaults = {option.name: option.default for option in game.about.options if option.default is not None}
    options = settle(game.about.options, {"last_year": "5"})
    assert game.rules.setup(options, DICE).state.options == {**defaults, "last_year": 5}
    assert game.rules.setup(settle(game.about.options, {}), DICE).state.options == defaults
    with pytest.raises(Invalid):
        settle(game.about.options, {"last_year": 0})
