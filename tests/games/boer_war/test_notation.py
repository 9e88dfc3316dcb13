"""Orders of the Boer War as players write them."""

import pytest

from games.boer_war import notation
from games.boer_war.components import LeaderId, materials
from games.boer_war.model import AnyOrder, Land, Move, PlayEvent, Raid, Stance, Transfer
from games.protocol import Condition
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.games.boer_war.field import NOTATION, RULES, order, war

STATE = war("BOT COS 3, MEY COS 1", "BUL EST 8, CLE EST 2")


def reading(text: str) -> set[str]:
    """Return the canonical texts of all meanings of a line."""
    found = match_text(text, compile_forms(NOTATION.forms), names_of(NOTATION.lexicon(STATE)))
    return {NOTATION.write(NOTATION.build(STATE, one.form.name, one.slots)) for one in found}


@pytest.mark.clause("boer-war", "14.orders")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("move Roberts and Kitchener to Modder River", "MOVE ROB+KIT MOD"),
        ("BUL+CLE - EST - COS", "MOVE BUL+CLE EST COS"),
        ("Buller moves to Estcourt", "MOVE BUL EST"),
        ("march Cronjé from Zeerust to Mafeking and invest", "MOVE CRO ZEE MAF"),
        ("move cronje zee maf attack", "MOVE CRO ZEE MAF STORM"),
        ("Move Buller to Colenso with the naval guns", "MOVE BUL COS GUNS"),
        ("rail methuen: Cape Town, De Aar", "RAIL MET CPT DEA"),
        ("Methuen goes by rail to De Aar", "RAIL MET DEA"),
        ("trek de Wet via Reitz to Frankfort", "TREK DWT REI FRK"),
        ("sally Ladysmith", "ASSAULT LAD"),
        ("bombard Kimberley", "SIEGE KIM"),
        ("dig in at Magersfontein", "ENTRENCH MOD"),
        ("cut the railway between Orange River and Modder River", "CUT ORS-MOD"),
        ("cut MOD-ORS", "CUT ORS-MOD"),
        ("raid kroonstad - brandfort with de Wet", "RAID BRA-KRO DWT"),
        ("mend ORS-MOD and NAA-COL", "REPAIR ORS-MOD NAA-COL"),
        ("reinforce 2 SP for Methuen", "REINFORCE MET 2"),
        ("reinforce Gatacre at East London with 1", "REINFORCE GAT ELN 1"),
        ("reinforce Durban with one SP", "REINFORCE DUR 1"),
        ("recruit de Wet", "REINFORCE DWT"),
        ("rally Botha 2", "REORGANIZE BOT 2"),
        ("drive on Reitz with Elliot, Knox and Rundle", "DRIVE REI ELL KNO RUN"),
        ("set up a camp at Kroonstad", "CAMP KRO"),
        ("blockhouses from Kroonstad to Vereeniging", "BLOCKHOUSE KRO-VER"),
        ("event Cape rebels Olivier", "EVENT B02 OLI"),
        ("EVENT Army Corps lands, Buller at Durban", "EVENT E01 BUL DUR"),
        ("De la Rey stands fast", "STANCE DLR STAND"),
        ("stance dlr evade", "STANCE DLR SLIP"),
        ("transfer 2 SP from Buller to Clery", "TRANSFER BUL CLE 2"),
        ("transfer the garrison to Buller 1", "TRANSFER GARRISON BUL 1"),
        ("garrison Kroonstad with 1 by Elliot", "GARRISON ELL KRO 1"),
        ("land Buller at Durban", "LAND BUL DUR"),
        ("do nothing", "PASS"),
        ("action carried out", "DONE"),
    ],
)
def test_codes_and_names_are_read_alike(text: str, canonical: str) -> None:
    assert reading(text) == {canonical}


@pytest.mark.parametrize("form", NOTATION.forms, ids=lambda form: form.example)
def test_every_way_to_write_is_read_by_its_example(form) -> None:
    """Its canonical text also has the same meaning."""
    (canonical,) = reading(form.example)
    assert reading(canonical) == {canonical}


@pytest.mark.parametrize(
    "given",
    [
        Move(leaders=("ROB", "KIT", "FRE"), path=("ORS", "MOD", "KIM"), guns=True),
        PlayEvent(event="E11", leaders=("ELL", "KNO", "RUN", "HUN", "BEN"), points=("REI",)),
        PlayEvent(event="B08", leaders=("DWT",), links=("BRA-KRO", "KRO-VER", "BRA-WIN")),
        PlayEvent(event="B09", leaders=("KRI",), points=("SMI", "ALI", "QUE", "CRA")),
        Raid(link="BRA-KRO", leader="DWT"),
        Transfer(giver=None, taker="BUL", sp=2),
        Stance(leader="DLR", slip=True),
        Land(leader="BUL", at="DUR"),
    ],
    ids=str,
)
def test_what_is_written_is_read_as_that_order(given: AnyOrder) -> None:
    assert order(NOTATION.write(given), STATE) == given


def test_what_is_no_link_keeps_its_ends_and_is_refused() -> None:
    state = war("OLI COL 2")
    cut = order("cut the line between Colesberg and Durban", state)
    assert NOTATION.write(cut) == "CUT COL-DUR"
    refused = RULES.check(state, state.seat("boers"), cut)
    assert refused is not None
    assert refused.code == "no-link"


def test_everybody_is_known_by_his_code_and_full_name() -> None:
    """ "Botha" alone is the Commander-in-Chief. The brother is Chris Botha."""
    for name, leader in materials().leaders.items():
        assert reading(f"MOVE {name} EST") == {f"MOVE {name} EST"}
        assert f"MOVE {name} EST" in reading(f"move {leader.name.split(' / ')[0]} to Estcourt")
    assert reading("move Botha to Estcourt") == {"MOVE BOT EST"}
    assert notation.leader_name(LeaderId("BOT")) == "Louis Botha"
    assert notation.leader_name(LeaderId("CBO")) == "Chris Botha"
    assert notation.leader_name(LeaderId("DLR")) == "De la Rey"


@pytest.mark.parametrize(
    ("form", "slots", "text"),
    [
        ("leader-at", {"leader": "BUL", "at": "EST"}, "BUL is at EST"),
        ("leader-has", {"leader": "BUL", "sp": "8"}, "BUL has 8 SP"),
        ("held", {"at": "COS", "side": "empire"}, "COS is Empire"),
        ("besieged", {"at": "LAD"}, "LAD is besieged"),
        ("link-cut", {"a1": "ORS", "b1": "MOD"}, "ORS-MOD is cut"),
    ],
)
def test_conditions_hold_or_not(form: str, slots: dict[str, str], text: str) -> None:
    """The condition is true in one position and false in the other."""
    condition = Condition(form=form, slots=slots)
    assert NOTATION.write_condition(condition) == text
    there = war("BOT LAD 3", "WHI LAD 3, BUL EST 8", besieged="LAD 2", cuts=("ORS-MOD",))
    gone = war("BOT COS 3", "WHI LAD 3, BUL PMB 2", boer="COS")
    seat = there.seat("empire")
    assert RULES.holds(there, seat, condition)
    assert not RULES.holds(gone, seat, condition)


def test_conditions_that_ask_for_nobody() -> None:
    state = war("BOT LAD 3", "BUL EST 8", garrisons="KIM 2")
    seat = state.seat("empire")
    assert RULES.holds(state, seat, Condition(form="leader-out", slots={"leader": "ROB"}))
    assert not RULES.holds(state, seat, Condition(form="leader-out", slots={"leader": "BUL"}))
    assert RULES.holds(state, seat, Condition(form="empty", slots={"at": "MAF"}))
    assert not RULES.holds(state, seat, Condition(form="empty", slots={"at": "KIM"}))
    assert not RULES.holds(state, seat, Condition(form="empty", slots={"at": "LAD"}))


def test_examples_are_those_of_this_kind_of_war() -> None:
    """At the player's own table only DONE is possible."""
    regular = {form.name for form in NOTATION.examples(STATE)}
    assert {"move", "rail", "siege", "event"} <= regular
    assert not regular & {"trek", "camp", "drive", "done"}
    late = {form.name for form in NOTATION.examples(war(turn=3))}
    assert {"trek", "camp", "drive", "blockhouse", "raid"} <= late
    assert not late & {"siege", "cut", "entrench"}
    table = war(options={"mode": "table"})
    assert [form.name for form in NOTATION.examples(table)] == ["done"]
