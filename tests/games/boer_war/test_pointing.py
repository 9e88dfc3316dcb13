"""Points that a player can tap: their holders, the forces there, and the events about them."""

from games.boer_war.events import Played, Reinforced, Retreated, WasCut, Went
from games.boer_war.report_text import BoerWarTelling
from games.record import replace_fields
from tests.games.boer_war.field import RULES, war

TELLING = BoerWarTelling()


def spots(state):
    return {one.at: one for one in TELLING.spots(RULES.view(state, None))}


def where(event):
    mention = TELLING.mention(event)
    return mention.at if mention else ()


def test_a_point_tells_who_holds_it_and_who_stands_there():
    """Check a besieged town with both sides, and an empty enemy town."""
    found = spots(war("JOU LAD 2", "WHI LAD 3", "LAD 1", "LAD 2"))
    town = found["LAD"]
    assert (town.name, town.owner) == ("Ladysmith", "the Empire")
    assert town.pieces[:3] == (
        "Joubert of the Boers, 2 SP",
        "White of the Empire, 3 SP",
        "a garrison of the Empire, 1 SP",
    )
    assert town.pieces[-1].startswith("besieged, level 2 of ")
    assert (found["PRE"].owner, found["PRE"].pieces) == ("the Boers", ())


def test_a_march_is_found_all_along_its_way_and_every_arrow_bears_its_title():
    """Two links have two arrows and one title. A retreat has a title of its own."""
    went = Went(side="boers", leaders=("JOU",), path=("VOL", "NEW", "LAD"), how="march")
    mention = TELLING.mention(went)
    assert (mention.at, mention.of) == (("VOL", "NEW", "LAD"), "Boers")
    arrows = TELLING.scene(RULES.view(war("JOU LAD 2"), None), (went,))["arrows"]
    assert [one["title"] for one in arrows] == [mention.title] * 2
    back = Retreated(side="boers", leaders=("JOU",), at="LAD", to="NEW", beaten=True)
    assert TELLING.mention(back).title not in ("", mention.title)
    assert TELLING.mention(replace_fields(back, beaten=False)).title == ""


def test_what_happens_to_a_link_is_found_at_both_its_ends():
    """A cut has its two points. An event without points has none."""
    assert len(where(WasCut(link="DEA-ORS", done=True))) == 2
    came = Reinforced(side="empire", leader="BUL", at="CPT", sp=2, source="pool")
    assert where(came) == ("CPT",)
    assert TELLING.mention(Played(side="boers", event="B01")) is None


def test_a_board_on_the_players_own_table_is_not_pointed_at():
    """It has no map."""
    assert spots(war(options={"mode": "table"})) == {}
