"""Readings that depend on the position: short adjustments, holding units, owners, and questions of IF."""

import pytest

import games
from games.diplomacy.model import Hold, Phase, Piece, Province, State, Unit
from games.diplomacy.notation import DiplomacyNotation
from games.protocol import Condition, Seat
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names
from orders.words import words

FRANCE, GERMANY = Seat("France"), Seat("Germany")


def notation(kind: str) -> DiplomacyNotation:
    found = games.kinds()[kind].notation
    return found


def position(kind: str, *units: tuple[Seat, str, str], centres: dict[str, Seat] | None = None) -> State:
    """A phase M, R or A with units, each by its nation, kind and province."""
    standing = tuple(Unit(power=seat, kind=sort, at=Province(at)) for seat, sort, at in units)
    owned = {Province(at): seat for at, seat in (centres or {}).items()}
    return State(options={}, phase=Phase(season="W", year=1901, kind=kind), units=standing, centres=owned)


BUILDS = position("A", (FRANCE, "A", "MAR"), centres={"PAR": FRANCE, "BRE": FRANCE})
REMOVALS = position("A", (FRANCE, "A", "PAR"), (FRANCE, "F", "BRE"), centres={"PAR": FRANCE})


def read(kind: str, state: State, text: str, seat: Seat = FRANCE) -> list[str]:
    """The canonical text of each meaning of a text."""
    tongue = notation(kind)
    forms = compile_forms((*tongue.forms, *tongue.short_forms(state, seat)))
    found = match_text(text, forms, names(tongue.lexicon(state)))
    return [tongue.write(tongue.build(state, one.form.name, one.slots)) for one in found]


@pytest.mark.parametrize(
    ("text", "said"),
    [("w", "WAIVE"), ("A Par", "A PAR B"), ("fleet Brest", "F BRE B"), ("F Bre", "F BRE B")],
)
def test_while_builds_are_due_the_judges_short_forms_hold(text: str, said: str) -> None:
    assert read("standard", BUILDS, text) == [said]
    assert read("standard", position("M"), text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [("r A Par", "A PAR D"), ("A Par", "A PAR D"), ("Brest", "F BRE D"), ("remove Bre", "F BRE D")],
)
def test_while_removals_are_due_a_name_is_enough(text: str, said: str) -> None:
    assert read("standard", REMOVALS, text) == [said]


@pytest.mark.parametrize(
    ("text", "said", "open_"),
    [
        ("build Paris", "A PAR B", False),
        ("build Brest", "A BRE B", True),
        ("Brest builds", "A BRE B", True),
        ("build Brest fleet", "F BRE B", False),
        ("build Paris army", "A PAR B", False),
    ],
)
@pytest.mark.clause("standard", "Dip-builds")
def test_a_build_of_no_kind_is_clear_where_no_fleet_can_be(text: str, said: str, open_: bool) -> None:
    """DATC 4.C.3."""
    assert read("standard", BUILDS, text) == [said]
    tongue = notation("standard")
    forms = compile_forms((*tongue.forms, *tongue.short_forms(BUILDS, FRANCE)))
    (found,) = match_text(text, forms, names(tongue.lexicon(BUILDS)))
    assert (tongue.doubt(BUILDS, found.form.name, found.slots) is not None) == open_


THREE = position("M", (FRANCE, "A", "PAR"), (FRANCE, "F", "BRE"), (GERMANY, "A", "BEL"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A PAR - PIC", None),
        ("Paris - Picardy", None),
        ("F PAR - PIC", "the unit in PAR is an army"),
        ("army Brest holds", "the unit in BRE is a fleet"),
        ("F BRE S A PAR - PIC", None),
        ("F BRE S F PAR - PIC", "the unit in PAR is an army"),
        ("a brest s paris - picardy", "the unit in BRE is a fleet"),
    ],
)
@pytest.mark.clause("standard", "Dip-supports")
def test_a_unit_called_by_another_kind_is_known_by_its_place(text: str, wrong: str | None) -> None:
    """DATC 4.C.2: the order is corrected, and the reply says so."""
    tongue = notation("standard")
    (found,) = match_text(text, compile_forms(tongue.forms), names(tongue.lexicon(THREE)))
    assert tongue.fit_order(THREE, tongue.build(THREE, found.form.name, found.slots), text)[1] == wrong


def test_a_war_party_may_be_called_an_army() -> None:
    tongue = notation("indianomacy")
    state = position("M", (Seat("Iroquois"), "W", "10"))
    (found,) = match_text("A MHK H", compile_forms(tongue.forms), names(tongue.lexicon(state)))
    assert tongue.fit_order(state, tongue.build(state, found.form.name, found.slots), "A MHK H")[1] is None


def test_nothing_is_short_for_a_seat_that_owes_nothing() -> None:
    assert notation("standard").short_forms(BUILDS, GERMANY) == ()
    moving = {form.name for form in notation("standard").short_forms(position("M"), FRANCE)}
    assert moving <= {"move", "support-move", "convoy"}


def test_war_parties_have_their_own() -> None:
    iroquois = Seat("Iroquois")
    state = position("A", centres={"10": iroquois})
    assert read("indianomacy", state, "w", iroquois) == ["WAIVE"]
    assert read("indianomacy", state, "W Mohawk", iroquois) == ["W MHK B"]


def test_all_hold_means_ones_own_units_and_only_when_units_move() -> None:
    units = ((FRANCE, "A", "MAR"), (GERMANY, "A", "MUN"))
    held = Hold(unit=Piece(kind="A", at=Province("MAR")))
    assert notation("standard").hold_orders(position("M", *units), FRANCE) == (held,)
    assert notation("standard").hold_orders(position("R", *units), FRANCE) == ()
    assert notation("standard").hold_orders(position("A", *units), FRANCE) == ()


def test_who_is_helped_may_be_named_by_nation_and_a_wrong_nation_is_doubtful() -> None:
    state = position("M", (FRANCE, "A", "MAR"), (GERMANY, "A", "MUN"))
    assert read("standard", state, "A Mar S German A Mun - Bur") == ["A MAR S A MUN - BUR"]
    assert read("standard", state, "A Mar S Germany A Mun") == ["A MAR S A MUN"]
    tongue = notation("standard")
    right, wrong = {"other": "MUN", "nation": "Germany"}, {"other": "MUN", "nation": "Italy"}
    assert tongue.doubt(state, "support-hold", right) is None
    assert tongue.doubt(state, "support-hold", {"other": "MUN"}) is None
    assert tongue.doubt(state, "support-hold", wrong) == (
        "the unit in MUN doesn't belong to Italy but to Germany"
    )


STANDING = position("M", (GERMANY, "A", "MUN"), (GERMANY, "F", "KIE"), centres={"BER": GERMANY})

ASKED = {
    "A Mun": ("A MUN", True),
    "F Mun": ("F MUN", False),
    "Mun army": ("A MUN", True),
    "Kiel has a fleet": ("F KIE", True),
    "Munich": ("MUN is occupied", True),
    "Bur": ("BUR is occupied", False),
    "Burgundy is empty": ("BUR is empty", True),
    "Mun vacant": ("MUN is empty", False),
    "German A Mun": ("Germany A MUN", True),
    "ger army mun": ("Germany A MUN", True),
    "army German Munich": ("Germany A MUN", True),
    "army Munich German": ("Germany A MUN", True),
    "Munich army Germany": ("Germany A MUN", True),
    "Munich German army": ("Germany A MUN", True),
    "Germany Munich army": ("Germany A MUN", True),
    "French Munich": ("France in MUN", False),
    "Munich ge": ("Germany in MUN", True),
    "a German fleet in Kiel": ("Germany F KIE", True),
    "Germany has an army in Kiel": ("Germany A KIE", False),
    "Germany is in Kiel": ("Germany in KIE", True),
    "Germany owns Berlin": ("Germany owns BER", True),
    "Berlin belongs to France": ("France owns BER", False),
}


@pytest.mark.parametrize("text", ASKED)
def test_a_condition_asks_for_nation_and_kind_in_any_order(text: str) -> None:
    tongue = notation("standard")
    (one,) = compile_forms(tongue.conditions).match(words(text), names(tongue.lexicon(STANDING)))
    condition = Condition(form=one.form.name, slots=one.slots)
    holds = games.kinds()["standard"].rules.holds(STANDING, FRANCE, condition)
    assert (tongue.write_condition(condition), holds) == ASKED[text]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MAO - Por", "F MAO - POR"),
        ("Bel - Eng", "F BEL - ENG"),
        ("Bel - Hol", "A BEL - HOL"),
        ("Spa/sc - Lyo", "F SPA/SC - LYO"),
        ("Mar S MAO - Spa", "A MAR S F MAO - SPA"),
        ("Nth C Lon - Nwy", "F NTH C A LON - NWY"),
    ],
)
def test_of_units_to_come_the_water_tells_which_they_are(text: str, said: str) -> None:
    assert read("standard", position("M"), text) == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F Bel - Hol", "F BEL - HOL"),
        ("A Pic S F Bel - Hol", "A PIC S F BEL - HOL"),
        ("F Mar - Spa", "F MAR - SPA/SC"),
        ("fleet Belgium holds", "F BEL H"),
    ],
)
def test_units_to_come_are_of_the_kind_that_is_named(text: str, said: str) -> None:
    tongue, state = notation("standard"), position("M")
    (found,) = match_text(text, compile_forms(tongue.forms), names(tongue.lexicon(state)))
    order, slip = tongue.fit_order(state, tongue.build(state, found.form.name, found.slots), text)
    assert (tongue.write(order), slip) == (said, None)
