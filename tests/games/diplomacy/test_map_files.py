"""Boards in the ``.map`` format: each kind of line means what it means there, and ours are written so."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from adjudicator.tournament.match import BotMatch, play
from adjudicator.variants import check_files, import_board
from games.diplomacy.boards import variants
from games.diplomacy.boards.board import WinningCondition, compile_board, compile_chart
from games.diplomacy.exchange.map_files import read_map_file, write_map_file
from games.diplomacy.model import Unit
from games.messages import sentence
from games.options import settle, settle_for_new_game
from games.protocol import ImportNote, Invalid, Seat
from games.record import replace_fields
from tests.kit.campaign import wander

STRAIT = """
# Two powers and a strait between them.
VICTORY 5
BEGIN SPRING 1750 MOVEMENT
NORTH (NORTHERN:N) HAV UPL
F HAV
A UPL
SOUTH (SOUTHERN) DAL POR
CENTERS DAL ISL
A DAL
F POR
UNOWNED ISL MOO

Haven = HAV the+harbour
Upland = UPL high?
Moor = MOO
Moor (lagoon side) = MOO/LC
Moor (ocean side) = MOO/OC
Dale = DAL
Port = POR
Isle = ISL
The Strait = STR Strait
The Ocean = OCE
Glacier = GLA

COAST HAV    ABUTS STR UPL moo por GLA
LAND  UPL    ABUTS HAV MOO
COAST moo    ABUTS HAV UPL DAL
COAST MOO/LC ABUTS STR
COAST MOO/OC ABUTS OCE
LAND  DAL    ABUTS MOO POR
PORT  POR    ABUTS STR OCE DAL hav
COAST ISL    ABUTS STR Por
WATER STR    ABUTS HAV MOO/LC POR ISL OCE
WATER OCE    ABUTS MOO/OC POR STR
SHUT  GLA    ABUTS HAV
"""


def no_file(name: str) -> str:
    raise Invalid(name, "there is no such file")


def read(text: str, **files: str):
    """The board of a text, and of files that it names."""
    return read_map_file("strait", text, lambda name: files[name.removesuffix(".map")])


def test_terrains_borders_and_coasts():
    board = compile_board(read(STRAIT).map)
    assert [*board.places] == ["HAV", "UPL", "MOO", "DAL", "POR", "ISL", "STR", "OCE"], "and no glacier"
    assert board.army["HAV"] == ("UPL", "MOO", "POR")
    assert board.sailing["HAV"] == ("STR",), "moo and por are in small letters: for armies alone"
    assert board.sailing["MOO/OC"] == ("OCE",)
    assert board.army["ISL"] == (), "Por has one capital: for fleets alone"
    assert board.sailing["ISL"] == ("POR", "STR")
    assert board.places["POR"].convoys, "fleets convoy in a PORT"
    assert board.chart.coast_names == {"LC": "lagoon side", "OC": "ocean side"}
    assert [*board.chart.one_way] == [("ISL", "POR")], "only one of the two lines has it"


def test_powers_units_centres_and_the_year():
    imported = read(STRAIT)
    board = compile_board(imported.map)
    north, south = board.powers.values()
    assert (north.id, north.letter, north.aliases) == ("North", "N", ("Northern",))
    assert (south.centres, south.owns) == (("DAL", "POR"), ("DAL", "ISL"))
    assert (north.starts, south.starts) == (("F HAV", "A UPL"), ("A DAL", "F POR"))
    assert board.centres == ("HAV", "UPL", "MOO", "DAL", "POR", "ISL")
    assert (board.chart.victory.centres, board.chart.first_year) == (5, 1750)
    assert imported.rulebook == {"base": "standard", "source": "strait.map"}


def test_names_and_those_that_the_file_calls_unclear():
    imported = read(STRAIT)
    places = {place["id"]: place for place in imported.map["provinces"]}
    assert places["HAV"]["aliases"] == ["the harbour"]
    assert places["STR"]["name"] == "The Strait"
    text = sentence("diplomacy.map_files.unclear_alias", alias="high", name="Upland")
    assert imported.notes == [ImportNote(file="strait.map", line=15, text=text, changes_play=False)]


def test_half_of_the_centres_and_one_more_win_where_no_number_is_given():
    assert read(STRAIT.replace("VICTORY 5\n", "")).map["victory"] == {"centres": 4}


def test_a_file_builds_on_another():
    text = """
    MAP base
    UNPLAYED SOUTH
    UNOWNED DAL POR
    EAST (EASTERN) ISL
    F ISL
    RULE BUILD_ANY NO_SUCH_RULE
    BEGIN WINTER 1749 ADJUSTMENT
    """
    imported = read(text, base=STRAIT)
    assert [power["id"] for power in imported.map["powers"]] == ["North", "East"]
    assert imported.rulebook["builds_in"] == "owned"
    assert imported.rulebook["begins"] == "WA"
    rule = sentence("diplomacy.map_files.other_rule", rule="NO_SUCH_RULE")
    assert [(note.text, note.line) for note in imported.notes if note.changes_play] == [(rule, 7)]


def test_all_but_some_are_not_played_and_a_place_is_amended():
    text = """
    USE base
    UNPLAYED ALL EXCEPT NORTH
    AMEND HAV ABUTS -UPL DAL
    AMEND UPL ABUTS -HAV
    AMEND DAL ABUTS HAV
    """
    board = compile_board(read(text, base=STRAIT).map)
    assert [*board.powers] == ["North"]
    assert board.army["HAV"] == ("MOO", "DAL", "POR")


def test_units_of_a_power_that_nobody_plays_are_neutral():
    imported = read(STRAIT.replace("A DAL\nF POR\n", "A DAL\nF POR\nDUMMY\n"))
    assert imported.map["neutral"] == ["A DAL", "F POR"]
    assert [power["id"] for power in imported.map["powers"]] == ["North"]
    dummies = sentence("diplomacy.map_files.dummies", powers="South")
    assert dummies in [note.text for note in imported.notes if note.changes_play]


@pytest.mark.parametrize(
    ("text", "slug", "line"),
    [
        ("VICTORY many", "no_number", 1),
        ("BEGIN SOON", "odd_beginning", 1),
        ("A PAR", "no_power_yet", 1),
        ("\nOWNS PAR", "no_power_yet", 2),
        ("UNPLAYED NORTH", "no_power", 1),
        ("UNPLAYED ALL NORTH", "except_missing", 1),
        ("AMEND PAR ABUTS BUR", "nothing_to_amend", 1),
        ("COAST PAR NEAR BUR", "no_abuts", 1),
        ("Paris =", "no_name", 1),
        ("USE strait strait", "file_twice", 1),
        ("VICTORY 3", "no_places", 0),
    ],
)
def test_a_wrong_line_is_named(text, slug, line):
    with pytest.raises(Invalid) as refusal:
        read(text, strait="VICTORY 3")
    assert refusal.value.what == f"strait.map: line {line}"
    first = sentence(
        f"diplomacy.map_files.{slug}",
        word="VICTORY many",
        text={"except_missing": "ALL NORTH", "no_name": "Paris ="}.get(
            slug, text.strip().replace("OWNS PAR", "OWNS")
        ),
        power="NORTH",
        place="PAR",
        file="strait.map",
    )
    assert refusal.value.why == first


@pytest.mark.parametrize("kind", ["standard", "fleet-rome", "chaos"])
def test_a_board_that_is_written_and_read_is_the_same(kind):
    ours = variants.load(kind)
    text, _ = write_map_file(ours)
    imported = read_map_file(kind, text, no_file)
    assert imported.map["base"] == "standard", "it has the same places"
    assert "provinces" not in imported.map
    assert [tuple(power["starts"]) for power in imported.map["powers"]] == [
        power.starts for power in ours.board.powers.values()
    ]
    assert imported.map["victory"] == {"centres": ours.board.chart.victory.centres}
    assert imported.map["first_year"] == ours.board.chart.first_year
    assert imported.rulebook.get("builds_in", "starting") == ours.rulebook.builds_in
    assert imported.rulebook.get("begins", "") == ours.rulebook.begins
    assert not imported.notes


def test_one_border_more_and_it_is_no_longer_our_board():
    text, _ = write_map_file(variants.load("standard"))
    more = read_map_file("mine", f"{text}AMEND PAR ABUTS MAR\nAMEND MAR ABUTS par\n", no_file)
    assert "base" not in more.map
    ours, board = variants.load("standard").board, compile_board(more.map)
    assert {at: {*near} for at, near in board.army.items()} == {
        at: {*near} | {"PAR": {"MAR"}, "MAR": {"PAR"}}.get(at, set()) for at, near in ours.army.items()
    }
    assert board.sailing == ours.sailing


def test_two_powers_on_our_board_have_its_drawing_and_colours():
    text = "MAP standard\nUNPLAYED ALL EXCEPT FRANCE GERMANY\n"
    imported = read_map_file("duel", text, lambda _: write_map_file(variants.load("standard"))[0])
    assert imported.map["base"] == "standard"
    ours = variants.load("standard").board.powers
    assert [power["colour"] for power in imported.map["powers"]] == [
        ours["France"].colour,
        ours["Germany"].colour,
    ]


def test_what_was_imported_is_written_and_read_alike():
    board = compile_board(read(STRAIT).map)
    text, left = write_map_file(replace_fields(variants.load("standard"), board=board))
    again = compile_board(read_map_file("strait", text, no_file).map)
    assert (again.army, again.sailing, again.chart.one_way) == (
        board.army,
        board.sailing,
        board.chart.one_way,
    )
    assert [power.owns for power in again.powers.values()] == [None, ("DAL", "ISL")]
    assert not left


def test_a_board_with_other_units_is_not_written():
    with pytest.raises(Invalid) as refusal:
        write_map_file(variants.load("indianomacy"))
    assert refusal.value.why == sentence("diplomacy.map_files.other_units", title="Indianomacy II")


def test_a_list_of_conditions_is_written_as_a_number_of_centres_and_the_file_says_so():
    conditions = (WinningCondition(lead=6), WinningCondition(power=Seat("Turkey"), centres=12))
    ours = variants.load("standard")
    listed = compile_chart(replace_fields(ours.board.chart, victory=conditions))
    text, left = write_map_file(replace_fields(ours, board=listed))
    assert "VICTORY 18\n" in text, "just over half of the 34 centres"
    assert sentence("diplomacy.map_files.other_victory", number=18) in left
    assert write_map_file(ours)[1] == ()


def package_maps() -> list[Path]:
    """The ``.map`` files of the package `diplomacy`, none if it isn't installed."""
    package = find_spec("diplomacy")
    folders = package.submodule_search_locations or [] if package else []
    return sorted(file for folder in folders for file in (Path(folder) / "maps").glob("*.map"))


@pytest.mark.soak
@pytest.mark.skipif(not package_maps(), reason="the package diplomacy isn't installed")
def test_each_board_of_the_package_is_imported_and_played_by_bots() -> None:
    """Five games of fifty phases each. Every order of a bot is possible."""
    for file in package_maps():
        game = check_files(file.stem, import_board(file).files).game
        options = settle_for_new_game(game.about, {})
        for number in range(5):
            match = BotMatch(number, options, dict.fromkeys(game.about.seats(options), "beginner"), "maps")
            possible: list[bool] = []

            def note(
                state: Any, orders: Any, rules: Any = game.rules, possible: list[bool] = possible
            ) -> None:
                possible += [
                    rules.check(state, seat, order) is None for seat, some in orders.items() for order in some
                ]

            played = play(game, match, most_turns=50, watch=note)
            assert played.turns > 5, file.name
            assert all(possible), file.name


PHASES_COMPARED = 500
"""The movement phases of each board that are compared with the package."""

_AS_THE_PACKAGE = {"missing_convoy": "walks"}
"""Our option that rules as the package does. It sees the intent to be convoyed where an own fleet convoys, as
our default does. With convoy_intent=written, two neighbours bounce where one of them is convoyed by its own
fleet without VIA: one phase of 500 on colonial.map.
"""


@pytest.mark.soak
@pytest.mark.timeout(3600)
# The package leaves a file open when it loads its map, and uses a deprecated call for the time.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not package_maps(), reason="the package diplomacy isn't installed")
@pytest.mark.parametrize("file", package_maps(), ids=lambda file: file.stem)
def test_the_package_moves_the_same_units_on_its_boards(file: Path) -> None:
    """In random phases: the same units arrive, stay and are dislodged, neutral ones included."""
    game = check_files(file.stem, import_board(file).files).game
    options = settle(game.about.options, _AS_THE_PACKAGE)
    phases = (
        (before, orders, dice)
        for seed in count()
        for before, orders, dice, _ in islice(wander(game, options, seed), 40)
        if before.phase.kind == "M"
    )
    different = [
        f"{before.phase}: only we have {sorted(ours - theirs)}, only they have {sorted(theirs - ours)}"
        for before, orders, dice in islice(phases, PHASES_COMPARED)
        for ours, theirs in [
            (_our_units(game, before, orders, dice), _their_units(file, game, before, orders))
        ]
        if ours != theirs
    ]
    assert different == []


def _our_units(game: Any, before: Any, orders: Any, dice: Any) -> set[tuple[str, str]]:
    """Return the units that stand after a phase, with their powers."""
    return set(_texts_of(game, game.rules.adjudicate(before, orders, dice).state.units))


def _their_units(file: Path, game: Any, before: Any, orders: Any) -> set[tuple[str, str]]:
    """Return the same, by the package's adjudication."""
    season = import_module("diplomacy").Game(map_name=file.stem)
    season.clear_units()
    season.clear_centers()
    names = {_letters(name): name for name in season.powers}
    units: dict[str, list[str]] = {}
    for power, text in _texts_of(game, before.units):
        units.setdefault(power, []).append(text)
    for power, texts in units.items():
        season.set_units(names[power], texts, reset=True)
    for power, given in orders.items():
        season.set_orders(names[_letters(power)], [game.notation.write(order) for order in given])
    season.process()
    return {
        (_letters(name), unit)
        for name, power in season.powers.items()
        for unit in power.units
        if not unit.startswith("*")  # a dislodged one
    }


def _texts_of(game: Any, units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    """Yield each unit as the package writes it, with its power's name as `_letters` returns it."""
    for unit in units:
        yield _letters(unit.power), f"{unit.kind} {game.rules.board.abbr(unit.spot)}"


def _letters(power: str) -> str:
    """Return a power's name without all that files write in several ways."""
    letters = re.sub("[^A-Z]", "", power.upper())
    return "NEUTRAL" if letters.startswith("NEUTRAL") else letters
