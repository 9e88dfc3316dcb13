"""Boards as variant documents in JSON: what is taken, what is told, and what is refused.

The delta (tests/drawings/delta) is a document of our own with a drawing in layers.
"""

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.diplomacy import look_over
from games.diplomacy.boards import variants
from games.diplomacy.boards.board import compile_board
from games.diplomacy.exchange.drawings import read_drawing
from games.diplomacy.exchange.map_files import ImportedBoard
from games.diplomacy.exchange.variant_documents import read_variant_document
from games.diplomacy.map.outlines import atlas
from games.messages import sentence
from games.protocol import Invalid

FOLDER = Path(__file__).parents[2] / "drawings" / "delta"
TEXT = (FOLDER / "delta.json").read_text(encoding="utf-8")
DRAWING = (FOLDER / "delta.svg").read_text(encoding="utf-8")
DOCUMENT: dict[str, Any] = json.loads(TEXT)


def read(text: str = TEXT) -> ImportedBoard:
    return read_variant_document("delta.json", text)


def changed(**entries: Any) -> ImportedBoard:
    """The board of the delta's document with other entries."""
    return read(json.dumps({**deepcopy(DOCUMENT), **entries}))


def notes(imported: ImportedBoard) -> set[str]:
    return {note.text for note in imported.notes}


def say(slug: str, **values: Any) -> str:
    return sentence(f"diplomacy.variant_documents.{slug}", **values)


def test_provinces_borders_and_coasts():  # type: ignore[no-untyped-def]
    board = compile_board(read().map)
    assert [*board.places] == ["NORTHBAY", "SOUTHBAY", "WESTBANK", "MOUTH", "FEN", "EASTBANK", "ROCK"]
    assert board.army["MOUTH"] == ("WESTBANK", "FEN")
    assert board.sailing["MOUTH/NC"] == ("NORTHBAY", "WESTBANK", "FEN")
    assert board.sailing["MOUTH"] == (), "a fleet is on one of its coasts"
    assert board.sailing["EASTBANK"] == ("NORTHBAY", "SOUTHBAY", "FEN")
    assert board.centres == ("WESTBANK", "MOUTH", "FEN", "EASTBANK", "ROCK")
    assert board.places["NORTHBAY"].name == "North Bay"


def test_powers_units_victory_and_the_year() -> None:
    imported = read()
    board = compile_board(imported.map)
    upper, lower = board.powers.values()
    assert (upper.id, upper.name, upper.letter, upper.colour) == ("Upper-Town", "Upper Town", "U", "#7fa3d9")
    assert (upper.starts, upper.centres, upper.owns) == (("F NORTHBAY",), ("WESTBANK",), None)
    assert (lower.starts, lower.centres) == (("A EASTBANK",), ("EASTBANK",))
    assert lower.owns == ("EASTBANK", "FEN")
    assert board.chart.neutral == ("A ROCK",)
    assert board.chart.first_year == -40
    assert imported.map["victory"] == [{"centres": 4}, {"most_from": 60}, {"provinces": ["MOUTH", "ROCK"]}]
    assert imported.rulebook == {
        "base": "standard",
        "season_names": {"S": "Flood", "F": "Ebb"},
        "year_step": 5,
        "source": "The Delta (Turnpost)",
        "builds_in": "owned",
    }
    assert "The flood comes first." in imported.rules_page


def test_it_says_line_by_line_what_was_not_taken_and_whether_that_changes_play() -> None:
    told = {note.text: (note.line, note.changes_play) for note in read().notes}
    line = {text: number for number, text in enumerate(TEXT.splitlines(), 1)}

    def line_with(part: str) -> int:
        return next(number for text, number in line.items() if part in text)

    assert told == {
        say("not_played", nations="Hermits"): (line_with("non_playable"), True),
        say("builds_in_winter", season="Ebb"): (line_with('"seasons"'), False),
        say("victory", places="North Bay"): (line_with('["north-bay"]'), True),
        say("draw_in_year", year=90): (line_with("shared-draw"), True),
        say("modifier", name="units-may-swim"): (line_with("units-may-swim"), True),
        say("dominance", place="Fen"): (line_with("dependencies"), True),
    }


def test_the_drawing_in_layers() -> None:
    drawn = read_drawing(json.dumps(read().map), DRAWING)
    sheet = json.loads(drawn.files["map.json"])
    places = {place["id"]: place for place in sheet["provinces"]}
    assert places["MOUTH"]["label"] == [600, 500], "its unit's place, not that of its supply centre"
    assert places["MOUTH"]["anchors"] == {"NC": [640, 370], "SC": [560, 640]}
    background = atlas(
        compile_board(sheet | {"shapes": json.loads(drawn.files["outline.geojson"])})
    ).background
    assert "Here the river ends" in background["above"]
    assert "M420 160" in background["below"], "a part of the background may be called like a province"
    assert "River Mouth" not in "".join(background.values()), "we write names ourselves"
    layers = ("supply-centers", "province-names")
    assert {sentence("diplomacy.drawings.layer_left_out", layer=layer) for layer in layers} == {
        note.text for note in drawn.notes
    }
    rulebook = 'base = "standard"\nsource = "x"\nseason_names = {S = "Flood", F = "Ebb"}\nyear_step = 5\n'
    assert not look_over({**drawn.files, "rulebook.toml": rulebook}).findings


def phases(*phases: str) -> dict[str, Any]:
    """A year of phases such as "Spring M", with a year more before the first of them."""
    kinds = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
    steps = [(name.rpartition(" ")[0], kinds[name[-1]]) for name in phases]
    transitions = [
        {
            "from": {"season": season, "type": kind},
            "to": {"season": after[0], "type": after[1], "yearDelta": int(after == steps[0])},
        }
        for (season, kind), after in zip(steps, [*steps[1:], steps[0]], strict=True)
    ]
    return {"seasons": [*dict.fromkeys(season for season, _ in steps)], "transitions": transitions}


def opening(season: str, kind: str, year: int = 1901) -> dict[str, Any]:
    phase = {"season": season, "year": year, "type": kind}
    return {**deepcopy(DOCUMENT["initialState"]), "phase": phase}


def year_of(imported: ImportedBoard) -> str:
    """The phases of a year, with a star behind those after which centres change hands."""
    steps = imported.rulebook.get("year") or []
    return " ".join(step["season"] + step["kind"] + "*" * step.get("captures", False) for step in steps)


def test_a_usual_year_is_that_of_the_standard_board() -> None:
    year = phases("Spring M", "Spring R", "Fall M", "Fall R", "Fall A")
    imported = changed(phaseProgression=year, initialState=opening("Spring", "Movement"))
    assert not {"year", "season_names", "begins", "year_step"} & {*imported.rulebook}


@pytest.mark.parametrize(
    ("year", "begins", "meant"),
    [
        ("Spring M, Spring R, Summer M, Summer R, Fall M, Fall R, Winter A", "", "SM SR UM UR FM FR* WA"),
        ("Spring M, Spring R, Fall M, Fall R, Fall A", "Fall Adjustment", "WA"),
        ("Spring M, Spring R, Fall M, Fall R, Fall A", "Fall Movement", "FM"),
        ("Round M, Round R, Round A", "", "SM SR* WA"),
        ("Spring M, Spring R, Spring A, Fall M, Fall R, Fall A", "", "SM SR* SA FM FR* FA"),
        ("Spring M, Spring R, Fall M, Fall R", "", "SM SR FM FR*"),
    ],
)
def test_other_years(year: str, begins: str, meant: str) -> None:
    names = year.split(", ")
    season, _, kind = (begins or f"{names[0].rpartition(' ')[0]} Movement").rpartition(" ")
    imported = changed(phaseProgression=phases(*names), initialState=opening(season, kind))
    assert (imported.rulebook["begins"] if begins else year_of(imported)) == meant


def test_conditions_on_years_are_followed_until_the_phases_repeat() -> None:
    """Builds come every second round: in years that end with 0."""
    year = phases("Year M", "Year R", "Year A")
    year["transitions"][2]["to"]["yearDelta"] = 5
    skip = {
        "from": {"season": "Year", "type": "Retreat"},
        "to": {"season": "Year", "type": "Movement", "yearDelta": 5},
        "condition": {"yearMod": 10, "yearModValue": 5},
    }
    year["transitions"].append(skip)
    imported = changed(phaseProgression=year, initialState=opening("Year", "Movement", 1425))
    assert "year" not in imported.rulebook, "two rounds and then builds, as on the standard board"
    assert imported.rulebook["year_step"] == 10
    assert "season_names" not in imported.rulebook
    assert {say("years", number=10), say("seasons", ours="Spring and Fall", theirs="Year")} <= notes(imported)


def test_retreats_that_the_document_lacks_are_added_and_told() -> None:
    year = phases("Spring M", "Fall M", "Fall R", "Fall A")
    imported = changed(phaseProgression=year, initialState=opening("Spring", "Movement"))
    assert "year" not in imported.rulebook
    assert say("no_retreats", season="Spring") in notes(imported)


def province(name: str) -> dict[str, Any]:
    return deepcopy(next(place for place in DOCUMENT["provinces"] if place["id"] == name))


def with_border(here: str, there: str, used_by: str) -> list[dict[str, Any]]:
    """The delta's provinces with one border more, on both sides."""
    provinces: list[dict[str, Any]] = deepcopy(DOCUMENT["provinces"])
    for place in provinces:
        for name, other in ((here, there), (there, here)):
            if place["id"] == name:
                place["adjacencies"].append({"to": other, "pass": used_by})
    return provinces


def test_borders_that_no_unit_can_use_are_told() -> None:
    """A fleet needs a coast; an army can't enter the sea."""
    told = notes(changed(provinces=with_border("mouth", "east-bank", "fleet")))
    assert say("coastless", here="Mouth", there="East Bank") in told
    told = notes(changed(provinces=with_border("rock", "north-bay", "army")))
    assert say("army_at_sea", here="Rock", there="North Bay") in told


def test_a_victory_of_none_that_we_have_is_told() -> None:
    imported = changed(victoryConditions=[DOCUMENT["victoryConditions"][-1]])
    assert imported.map["victory"] == {"centres": 3}
    assert say("usual_victory", number=3) in notes(imported)


def units(nation: str, location: str) -> dict[str, Any]:
    unit = {"nation": nation, "type": "Army", "location": location}
    return {"initialState": DOCUMENT["initialState"] | {"units": [unit]}}


ONE_SIDE = [*DOCUMENT["provinces"][:-1], province("rock") | {"adjacencies": []}]
NO_YEAR = {"seasons": ["Flood"], "transitions": DOCUMENT["phaseProgression"]["transitions"][:1]}
LONG_YEAR = phases(*(f"{name} {kind}" for name in "ABCDE" for kind in "MR"))
NUMBERED = [{"id": 5, "name": "x", "color": "#000000"}]
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"schemaVersion": 2}, "schemaVersion"),
    "a unit nowhere": (units("hermits", "x"), "initialState: units"),
    "a unit of nobody": (units("x", "fen"), "initialState: units"),
    "a home of nobody": ({"provinces": [province("fen") | {"homeNation": "x"}]}, "namedCoasts"),
    "a border of one side": ({"provinces": ONE_SIDE}, "south-bay: adjacencies"),
    "an entry that the schema doesn't have": ({"fogOfWar": True}, "fogOfWar"),
    "an entry of the wrong type": ({"nations": NUMBERED}, "nations[0]: id"),
    "a phase after which nothing comes": ({"phaseProgression": NO_YEAR}, "phaseProgression"),
    "five rounds in a year": (
        {"phaseProgression": LONG_YEAR, "initialState": opening("A", "Movement")},
        "phaseProgression",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_entry_and_a_remedy(fault: str) -> None:
    entries, where = FAULTS[fault]
    try:
        changed(**entries)
    except Invalid as refused:
        what, remedy = refused.what, refused.instead
    else:
        what, remedy = "nothing", ""
    assert (what, bool(remedy)) == (f"delta.json: {where}", True)


def document_of(kind: str) -> dict[str, Any]:
    """One of our boards as a document."""
    board = variants.load(kind).board
    owners = {centre: name.lower() for name, power in board.powers.items() for centre in power.centres}

    def borders(army: tuple[str, ...], fleet: tuple[str, ...]) -> list[dict[str, str]]:
        uses = {there: "army" for there in army}
        uses |= {there: "both" if there in army else "fleet" for there in fleet}
        return [{"to": there.lower(), "pass": used_by} for there, used_by in uses.items()]

    lands = [
        {
            "id": place.id.lower(),
            "name": place.name,
            "type": "sea" if place.kind == "sea" else "coastal" if place.fleet else "land",
            "supplyCenter": place.centre is not None,
            "adjacencies": borders(place.army, place.fleet),
        }
        | ({"homeNation": owners[place.id]} if place.id in owners else {})
        for place in board.chart.provinces
    ]
    coasts = [
        {
            "id": f"{place.id}/{coast}".lower(),
            "name": f"{place.name} ({coast})",
            "parentProvince": place.id.lower(),
            "adjacencies": borders((), near),
        }
        for place in board.chart.provinces
        for coast, near in place.coasts.items()
    ]
    units = [
        {"nation": name.lower(), "type": {"A": "Army", "F": "Fleet"}[unit[0]], "location": unit[2:].lower()}
        for name, power in board.powers.items()
        for unit in power.starts
    ]
    owned = [{"nation": owner, "province": centre.lower()} for centre, owner in owners.items()]
    year = phases("Spring M", "Spring R", "Fall M", "Fall R", "Fall A")
    start = opening("Spring", "Movement") | {"units": units, "supplyCenters": owned}
    return DOCUMENT | {
        "nations": [
            {"id": name.lower(), "name": name, "color": power.colour} for name, power in board.powers.items()
        ],
        "provinces": lands,
        "namedCoasts": coasts,
        "initialState": start,
        "phaseProgression": year,
        "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 18}],
        "adjudicationModifiers": [],
        "dominanceRules": [],
    }


@pytest.mark.parametrize("kind", ["standard", "chaos"])
def test_our_own_board_as_a_document_is_the_same_board(kind: str) -> None:
    imported = read(json.dumps(document_of(kind)))
    ours, board = variants.load(kind).board, compile_board(imported.map)
    assert (board.army, board.sailing, board.centres) == (ours.army, ours.sailing, ours.centres)
    assert (board.starts, board.neutral) == (ours.starts, ours.neutral)
    assert {name: {*power.owned_at_start} for name, power in board.powers.items()} == {
        name: {*power.owned_at_start} for name, power in ours.powers.items()
    }
    assert not imported.notes


def test_no_fault_in_a_document_ends_in_a_traceback() -> None:
    dice, results = Random(61), set()
    for _ in range(300):
        text = TEXT
        for _ in range(dice.randint(1, 3)):
            start = dice.randrange(len(text))
            piece = dice.choice(
                ("", text[start : start + 9] * 2, "0", "-1", "null", '"', "[]", "{}", "north-bay")
            )
            text = text[:start] + piece + text[min(start + dice.choice((1, 3, 9)), len(text)) :]
        try:
            look_over(
                {"map.json": json.dumps(read(text).map), "rulebook.toml": 'base = "standard"\nsource = "x"'}
            )
            results.add("taken")
        except Invalid as refused:
            results.add("refused" if refused.instead else "without a remedy")
    assert results == {"taken", "refused"}
