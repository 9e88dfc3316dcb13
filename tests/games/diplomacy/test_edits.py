"""The changes that a GM can and can't make by hand on boards of the Diplomacy family."""

from typing import Any

import pytest

import games
from games.diplomacy.edits import DiplomacyEdits
from games.diplomacy.model import Beaten, Phase, Province, State, Unit
from games.options import settle
from games.protocol import Seat
from games.record import replace_fields
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.dice import any_dice


def opening(kind: str) -> State:
    """The opening of a kind with its usual options."""
    game = games.kinds()[kind]
    state: State = game.rules.setup(settle(game.about.options, {}), any_dice(0)).state
    return state


def context(kind: str) -> DiplomacyEdits:
    """The possible changes on a board."""
    edits = games.kinds()[kind].edits
    assert isinstance(edits, DiplomacyEdits)
    return edits


def read(state: State, text: str, kind: str = "indianomacy") -> Any:
    """The change that a text asks for."""
    (found,) = match_text(text, compile_forms(context(kind).forms), names_of(context(kind).lexicon(state)))
    return context(kind).build(state, found.form.name, found.slots)


def edited(state: State, *texts: str, kind: str = "indianomacy") -> State:
    """The position after some changes that can be made."""
    for text in texts:
        edit = read(state, text, kind)
        assert context(kind).check(state, edit) is None, text
        state = context(kind).apply(state, edit)
    return state


def refused(state: State, text: str, kind: str = "indianomacy") -> tuple[str, str | None]:
    """Why a change cannot be made, and what to write instead."""
    advice = context(kind).check(state, read(state, text, kind))
    assert advice is not None, text
    return advice.problem, advice.instead


def standing(state: State) -> dict[str, str]:
    """Return the units by place."""
    return {unit.at: unit.power for unit in state.units}


@pytest.fixture(scope="module")
def start() -> State:
    """The opening of Indianomacy."""
    return opening("indianomacy")


def at(name: str, kind: str = "indianomacy") -> Province:
    """The province of a name."""
    board = games.kinds()[kind].rules.board  # type: ignore[attr-defined]  # the family's rules have one
    return next(place.id for place in board.places.values() if name in (place.name, place.abbr))


def test_a_unit_is_placed_moved_and_removed(start: State) -> None:
    placed = edited(start, "place W Pima for Dakota")
    assert standing(placed)[at("Pima")] == "Dakota"
    assert [unit.at for unit in placed.units] == sorted((u.at for u in placed.units), key=in_board_order)
    moved = edited(placed, "move Pima to Men")
    assert at("Pima") not in standing(moved)
    assert standing(moved)[at("MEN")] == "Dakota"
    assert edited(moved, "remove MEN") == start


def in_board_order(place: Province) -> int:
    return int(games.kinds()["indianomacy"].rules.board.index[place])  # type: ignore[attr-defined]


def test_no_two_units_stand_in_one_province(start: State) -> None:
    assert refused(start, "place W Mohawk for Dakota") == (
        "a War Party of Iroquois is in Mohawk already",
        "take it off first: remove MHK",
    )
    assert refused(start, "move Oneida to Mohawk")[0].endswith("is in Mohawk already")


def test_who_is_not_there_is_neither_moved_nor_removed(start: State) -> None:
    problem, instead = refused(start, "remove Pima")
    assert problem == "there's no unit in Pima"
    assert instead is not None
    assert instead.startswith("the nearest units are in ")
    assert refused(start, "move Pima to Men")[0] == "there's no unit in Pima"


def test_owners_are_set_and_forgotten(start: State) -> None:
    given = edited(start, "give Delaware to Iroquois")
    assert given.centres[at("Delaware")] == "Iroquois"
    assert at("Delaware") not in edited(given, "nobody owns Delaware").centres
    assert list(given.centres) == [one for one in board_centres() if one in given.centres]
    assert refused(start, "give Pima to Iroquois")[0] == "Pima isn't a supply centre"
    assert "own no supply centres" in refused(start, "give Delaware to neutral")[0]


def board_centres() -> tuple[Province, ...]:
    return tuple(games.kinds()["indianomacy"].rules.board.centres)  # type: ignore[attr-defined]


def test_canoe_fleets_lie_on_shores(start: State) -> None:
    assert edited(start, "canoes in Mohawk 2").canoes == {at("Mohawk"): 2}
    assert edited(start, "canoes MHK 2", "canoes MHK 0").canoes == {}
    assert "isn't one" in refused(start, "canoes Hopewell Mounds 2")[0]


def test_who_is_put_on_the_bay_went_in_now_and_meets_its_storms(start: State) -> None:
    """Indianomacy §9: the storm of Summer hits every unit that is on Hudson Bay then."""
    bay = at("Hudson Bay")
    afloat = edited(start, "place W Hudson Bay for Iroquois")
    assert afloat.bay_entered == {bay: "S1M"}
    summer = replace_fields(start, phase=Phase(season="U", year=2, kind="R"))
    assert edited(summer, "place W Hudson Bay for Iroquois").bay_entered == {bay: "S2M"}
    winter = replace_fields(start, phase=Phase(season="W", year=2, kind="A"))
    assert edited(winter, "place W Hudson Bay for Iroquois").bay_entered == {bay: "F2M"}
    assert edited(afloat, "remove Hudson Bay") == start
    assert edited(afloat, "move Hudson Bay to Pima").bay_entered == {}


def test_nobody_is_put_into_the_taboo_province_while_it_is_taboo(start: State) -> None:
    assert refused(start, "place W Hopewell Mounds for Dakota") == (
        "Hopewell Mounds is taboo, so no unit can be there",
        "first: taboo off",
    )
    there = edited(start, "taboo off", "place W Hopewell Mounds for Dakota")
    assert not there.taboo
    assert refused(there, "taboo on")[0] == "there's a unit in Hopewell Mounds"
    assert edited(start, "taboo off", "taboo on") == start


def test_builds_are_barred_and_allowed(start: State) -> None:
    assert edited(start, "ban Dakota until 3").build_ban == {"Dakota": 3}
    assert edited(start, "ban Dakota until 3", "unban Dakota") == start
    third = replace_fields(start, phase=Phase(season="S", year=3, kind="M"))
    assert refused(third, "ban Dakota until 2") == ("year 2 is over", "write a year from 3 on")
    assert "build nothing anyway" in refused(start, "ban neutral until 3")[0]


def retreating(start: State) -> State:
    """A War Party of Dakota was beaten out of Mohawk, and may go to Pima only."""
    beaten = Beaten(
        unit=Unit(power=Seat("Dakota"), kind="W", at=at("Mohawk")),
        by_from=at("Oneida"),
        retreats=(at("Pima"),),
    )
    return replace_fields(start, phase=Phase(season="S", year=1, kind="R"), beaten=(beaten,))


def test_who_was_beaten_can_be_taken_off_and_loses_a_retreat_that_is_taken(start: State) -> None:
    state = retreating(start)
    assert edited(state, "remove dislodged Mohawk").beaten == ()
    assert at("Mohawk") in standing(edited(state, "remove dislodged Mohawk"))
    assert refused(state, "place W Pima for Iroquois") == (
        "then the dislodged unit of Mohawk couldn't retreat anywhere",
        "take it off first: remove dislodged MHK",
    )
    wider = replace_fields(state, beaten=(replace_fields(state.beaten[0], retreats=(at("Pima"), at("MEN"))),))
    assert edited(wider, "place W Pima for Iroquois").beaten[0].retreats == (at("MEN"),)
    assert refused(state, "remove dislodged Oneida")[0] == "no dislodged unit comes from Oneida"


def test_fleets_lie_on_coasts_and_armies_on_land() -> None:
    standard = opening("standard")
    placed = edited(standard, "remove STP", "place F STP/NC for Russia", kind="standard")
    assert next(unit.coast for unit in placed.units if unit.at == "STP") == "NC"
    turned = edited(standard, "move STP to STP/NC", kind="standard")
    assert turned == placed
    assert refused(standard, "place F Spain for France", kind="standard")[0] == "Spain has several coasts"
    assert refused(standard, "place A NTH for England", kind="standard")[0].startswith("no army can be in")
    assert refused(standard, "place F RUH for Germany", kind="standard")[0].startswith("no fleet can be in")


def test_a_board_lists_no_changes_that_it_does_not_know() -> None:
    assert {form.name for form in context("standard").forms} == {
        *("place", "remove", "remove-beaten", "move", "give", "free")
    }


def test_changes_are_told_in_the_words_of_the_board(start: State) -> None:
    told = {
        "place W Pima for Dakota": "There is now a War Party of Dakota in Pima.",
        "place W Pima for neutral": "There is now a neutral War Party in Pima.",
        "remove MHK": "The unit in Mohawk was removed.",
        "remove dislodged MHK": "The dislodged unit in Mohawk was removed.",
        "move MHK to Pima": "The unit in Mohawk was moved to Pima.",
        "give Delaware to Dakota": "Delaware now belongs to Dakota.",
        "free Delaware": "Delaware now belongs to nobody.",
        "canoes MHK 1": "In Mohawk now lies one canoe-fleet.",
        "taboo off": "Hopewell Mounds is no longer taboo.",
        "ban Dakota until 2": "Dakota builds nothing up to the Winter of year 2.",
        "unban Dakota": "Dakota may build again.",
    }
    for text, sentence in told.items():
        assert context("indianomacy").tell(read(start, text), None) == sentence
