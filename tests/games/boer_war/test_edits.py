"""The changes that a GM can and can't make in the Boer War."""

import pytest

from games.boer_war.edits import BoerWarEdits
from games.boer_war.model import SIDES
from games.pool import RoundCounters
from games.record import canonical
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.games.boer_war.field import at, on_books, sp, war

EDITS = BoerWarEdits()


def edit(text: str, state):
    """Return the change that a text means. The text must have only one meaning."""
    found = match_text(text, compile_forms(EDITS.forms), names_of(EDITS.lexicon(state)))
    built = {canonical(one): one for one in (EDITS.build(state, m.form.name, m.slots) for m in found)}
    assert len(built) == 1, text
    return next(iter(built.values()))


def mended(state, text: str):
    """Return the position after a possible change, and check the SP totals of both sides."""
    change = edit(text, state)
    assert EDITS.check(state, change) is None
    assert edit(EDITS.write(change), state) == change
    assert EDITS.tell(change, None).endswith(".")
    after = EDITS.apply(state, change)
    assert after.brought == {side: on_books(after, side) for side in SIDES}
    return after


def refused(state, text: str) -> str:
    advice = EDITS.check(state, edit(text, state))
    assert advice is not None
    return advice.problem


def test_a_leader_is_put_anywhere_with_any_sp_he_may_lead():
    state = war("BOT COS 3", "BUL EST 4", boer="COS", boxes={"empire": ("GAT",)}, gone=("SYM",))
    after = mended(state, "BUL at DUR with 6")
    assert (at(after, "BUL"), sp(after, "BUL")) == ("DUR", 6)
    back = mended(state, "GAT at ELN with 2")
    assert back.boxes["empire"] == ()
    assert at(mended(state, "Symons at DUN with 1"), "SYM") == "DUN"
    assert "held by the Boers" in refused(state, "BUL at COS with 4")
    assert refused(state, "BUL at DUR with 9") == "BUL leads from 1 to 8 SP"


def test_boers_who_are_put_into_a_town_besiege_it_and_end_it_when_they_go():
    state = war("BOT COS 3", "WHI LAD 3", boer="COS", trenches={"boers": ("COS",)})
    after = mended(state, "BOT at LAD with 3")
    assert after.sieges == {"LAD": 0}
    assert after.trenches["boers"] == ()
    assert mended(mended(after, "siege LAD 4"), "BOT at COS with 3").sieges == {}
    assert "falls at level 6" in refused(after, "siege LAD 6")
    assert "no siege" in refused(state, "siege LAD 1")


def test_leaders_are_taken_off_the_map():
    state = war("BOT LAD 3", "WHI LAD 3", besieged="LAD 2", kept={"B01": "LAD"})
    boxed = mended(state, "BOT to the box")
    assert boxed.boxes["boers"] == ("BOT",)
    assert boxed.sieges == {}
    assert boxed.kept == {}
    out = mended(state, "WHI out of the game")
    assert out.gone == ("WHI",)
    assert out.sieges == {}
    assert "already" in refused(boxed, "BOT to the box")
    assert "already" in refused(out, "WHI out of the game")


def test_garrisons_and_control_are_set():
    state = war("OLI COL 2", empire="BUL DUR 4", garrisons="KIM 2", boer="COL")
    assert mended(state, "garrison of KIM 5").garrisons == {"KIM": 5}
    assert mended(state, "garrison of KIM 0").garrisons == {}
    assert "held by the Boers" in refused(state, "garrison of COL 1")
    assert mended(state, "BLO is Empire").control["BLO"] == "empire"
    assert "held by the Empire" in refused(state, "DUR is Boer")
    assert "already" in refused(state, "COL is Boer")
    besieged = war("BOT LAD 3", "WHI LAD 3", besieged="LAD 2")
    assert "besieged" in refused(besieged, "LAD is Boer")


def test_markers_on_links_and_points():
    state = war("OLI COL 2", "ELL KRO 2", turn=3, imperial="KRO VER")
    assert mended(state, "cut MOD-ORS").cuts == ("ORS-MOD",)
    assert mended(mended(state, "cut ORS-MOD"), "no cut ORS-MOD").cuts == ()
    assert mended(state, "blockhouse KRO-VER").blockhouses == ("KRO-VER",)
    assert "isn't a railway" in refused(state, "cut COL-FAU")
    assert "there is no cut" in refused(state, "no cut ORS-MOD")
    camp = mended(state, "camp KRO")
    assert camp.camps == ("KRO",)
    assert mended(camp, "no camp KRO").camps == ()
    assert "isn't a camp site" in refused(state, "camp REI")
    assert "has a camp" in refused(camp, "camp KRO")
    assert "Turns III and IV" in refused(war(), "camp KRO")
    dug = mended(state, "entrench COL Boers")
    assert dug.trenches["boers"] == ("COL",)
    assert mended(dug, "no entrenchment COL Boers").trenches["boers"] == ()
    assert "no SP of the Empire" in refused(state, "entrench COL Empire")
    assert "already entrenched" in refused(dug, "entrench COL Boers")
    full = war(turn=3, blockhouses=("KRO-VER",) * 12)
    assert "only 12" in refused(full, "blockhouse ORS-MOD")


def test_pools_and_tallies():
    state = war(turn=3, pools={"empire": 4}, scattered={"boers": 2}, recruit_pool=19, recruits=3)
    assert mended(state, "Empire pool 9").pools["empire"] == 9
    assert mended(state, "Boers scattered 0").scattered["boers"] == 0
    assert mended(state, "recruit pool 10").recruit_pool == 10
    assert mended(state, "R 7").recruits == 7
    assert "recruit" in refused(state, "Boers pool 4")
    assert "Turns III and IV" in refused(war(), "R 7")


@pytest.mark.clause("boer-war", "2.counters")
def test_counters_are_set_so_that_the_rounds_left_stay_as_many():
    state = war(counters={"boers": RoundCounters(ones=2, twos=3, threes=1)}, done=2)
    after = mended(state, "Boers counters 4 1 1")
    assert after.counters["boers"] == RoundCounters(ones=4, twos=1, threes=1)
    assert "they" not in refused(state, "Boers counters 1 1 1")
    assert "the Boers have 6 left" in refused(state, "Boers counters 1 1 1")
    assert "4 counters of one" in refused(state, "Boers counters 5 1 0")
    two_left = war(counters={"boers": RoundCounters(ones=2, twos=0, threes=1)}, done=2)
    assert "a 2 or a 3" in refused(two_left, "Boers counters 3 0 0")


def test_at_a_table_of_the_players_own_only_counters_can_be_set():
    state = war(options={"mode": "table"})
    assert "player's own table" in refused(state, "BUL at DUR with 3")
    assert mended(state, "Boers counters 4 4 3") == state
    over = war(ended="camps", winners=("empire",))
    assert refused(over, "R 7") == "the game is over"
