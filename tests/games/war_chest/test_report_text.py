"""The texts: the automaton's reasons, objections to orders, reports and the picture."""

import re
from importlib import resources

import pytest

from adjudicator.reports.maps import png, svg
from games.messages import load_messages
from games.protocol import Concern, Objection
from games.record import replace_fields
from games.war_chest import legality
from games.war_chest.board import HEXES
from games.war_chest.events import Attacked, Bolstered, Controlled, Ended, Lost, Moved
from games.war_chest.map import UNIT_LETTERS
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER
from games.war_chest.owner_data import PRINTED
from games.war_chest.report_text import WarChestTelling
from tests.games.war_chest.table import GAME, RULES, answer, dice, duel, options, order, play, solo

TELLING = WarChestTelling()


def told(after, viewer=None) -> str:
    lines = [TELLING.tell(event, viewer) for event in after.events]
    return " / ".join(line.text for line in lines if line)


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (
            {"control": "ai e4", "reveal": "Swordsman"},
            "Swordsman was deployed on e4: closest to an enemy location.",
        ),
        (
            {"ai": "Cavalry d4", "reveal": "Scout"},
            "Scout was deployed on c3: closest to a neutral or enemy location, tie broken by closeness to an "
            "enemy location.",
        ),
        (
            {"ai": "Swordsman f5", "reveal": "Swordsman"},
            "Swordsman moved from f5 to f4: towards e4, closest location, tie broken by closeness to the "
            "centre; its step: closest to another neutral location.",
        ),
        (
            {"ai": "Cavalry d5", "player": "Archer e4, Lancer d4", "control": "ai e4", "reveal": "Cavalry"},
            "Cavalry on d5 attacked your Archer on e4, which was destroyed: on a friendly location.",
        ),
        (
            {"ai": "Scout e4", "reveal": "Scout"},
            "Scout took e4 (3 markers now): no enemy in reach, and it is on a location that the "
            "AI doesn't control.",
        ),
        (
            {"ai": "Scout d4", "player": "Knight d3", "reveal": "Scout"},
            "Scout on d4 was bolstered to 2 coins: the only enemy in reach.",
        ),
        (
            {"ai": "Scout d4", "player": "Pikeman d3 x2", "reveal": "Scout"},
            "Scout on d4 attacked your Pikeman on d3, which has 1 of its coins left: the only enemy in "
            "reach. The Pikeman cost it a coin, and it was destroyed.",
        ),
    ],
)
def test_one_sentence_tells_what_was_done_and_which_criterion_decided(position, sentence):
    assert told(answer(solo(**position))).split(" / ")[0] == sentence


def test_a_lot_is_told():
    assert told(answer(solo(reveal="Swordsman"))).startswith("Swordsman was deployed on")
    assert ": at random from 2 equals." in told(answer(solo(reveal="Swordsman")))


def test_a_persons_orders_are_told():
    after = play(
        duel(gold="Berserker d3 x2", silver="Scout d5", hand="Berserker"), "Berserker - d4, then attacks d5"
    )
    assert told(after) == (
        "Berserker moved from d3 to d4. / Berserker on d4 paid a coin and has 1 of its coins left. / "
        "Berserker on d4 attacked Silver's Scout on d5, which was destroyed."
    )
    assert TELLING.headline(after.events) == "Gold's Berserker destroyed Silver's Scout on d5."


def test_what_is_for_one_pair_of_eyes_is_told_to_it_alone():
    after = play(duel(gold="Archer d4", hand="Archer"), "pass with Archer")
    assert [event.seen_by for event in after.events if event.seen_by] == [frozenset({GOLD})]
    assert "played the Archer face-down." in told(after)


def codes() -> set[str]:
    """Return the codes of all objections that the rules can raise, from their source code."""
    package = resources.files("games.war_chest")
    modules = [package.joinpath(f"{one}.py") for one in ("legality", "model")]
    text = "".join(module.read_text(encoding="utf-8") for module in modules)
    return set(re.findall(r'IllegalManeuver\(\s*"([a-z-]+)"', text)) | {
        "hex-occupied",
        "not-yours-to-deploy",
        "not-on-the-list",
    }


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_objection_has_words(code):
    detail = {
        **dict.fromkeys(("at", "to", "by"), "d4"),
        **dict.fromkeys(("card", "other", "coin"), "scout"),
        **dict.fromkeys(("near", "have"), "archer royal"),
    }
    advice = TELLING.advise(duel(), Objection(code=code, detail=detail))
    assert advice.problem
    assert "{" not in advice.problem + (advice.instead or "")


def test_no_words_are_left_over():
    catalogue = load_messages("games.war_chest")
    assert set(catalogue["advice"]) == codes() | {"picked-twice"}
    assert {*catalogue["instead"], *catalogue["possible"]} <= codes()
    assert TELLING.advise(duel(), Concern(code="picked-twice", detail={"card": "scout"})).problem


def test_advice_names_an_order_that_can_be_written():
    state = duel(gold="Scout d4, Archer d5", hand="Scout, Archer")
    wrong = legality.objection(state, GOLD, order("Scout - d7"))
    assert wrong is not None
    assert TELLING.advise(state, wrong).instead == "Scout - e3"


def test_tables_show_what_may_be_seen():
    state = duel(gold="Archer d4, Scout d5 x2", hand="Archer, Scout")
    mine = {table.title: table.rows for table in TELLING.tables(RULES.view(state, GOLD))}
    theirs = {table.title: table.rows for table in TELLING.tables(RULES.view(state, SILVER))}
    assert ("gold", "Hand", "Archer, Scout") in mine["Coins"]
    assert ("gold", "Hand", "2 hidden") in theirs["Coins"]
    assert theirs["Locations and units"][0] == ("gold", "2", "e1 b1", "Scout d5 (2 coins), Archer d4")
    assert mine["Locations and units"] == theirs["Locations and units"]


def test_cards_are_explained_in_a_draft_and_in_the_first_turns():
    opened = RULES.setup(options(), dice()).state
    assert [table.title for table in TELLING.tables(opened)] == ["Units you can draft", "The AI's units"]
    state = solo(player="Archer d4", ai="Scout d5")
    assert "Your units" in [table.title for table in TELLING.tables(state)]
    assert "Your units" not in [table.title for table in TELLING.tables(replace_fields(state, number=9))]


# The picture.


def scene_of(state, events=()):
    return TELLING.scene(RULES.view(state, None), events)


def test_the_board_shows_hexes_owners_and_heights():
    drawn = scene_of(solo(player="Archer d4 x2", ai="Scout d5", control="ai e4"))
    assert [hex_["name"] for hex_ in drawn["hexes"]] == list(HEXES)
    assert sum(hex_["is_location"] for hex_ in drawn["hexes"]) == 10
    assert {hex_["name"]: hex_["side"] for hex_ in drawn["hexes"]}["e4"] == 1
    assert [(unit["letters"], unit["height"], unit["side"]) for unit in drawn["units"]] == [
        ("Sc", 1, 1),
        ("Ar", 2, 0),
    ]
    assert [row["markers"] for row in drawn["legend"]] == [2, 3]
    assert len({one["x"] for one in drawn["hexes"]}) == 7


def test_letters_tell_the_units_apart():
    assert len(set(UNIT_LETTERS.values())) == len(PRINTED.units)


def test_the_last_moves_are_arrows():
    events = (
        Moved(seat=PLAYER, card="archer", at="d4", to="d5"),
        Attacked(
            seat=AUTOMATON, card="scout", at="d6", victim=PLAYER, target="archer", to="d5", left=0, riposte=0
        ),
        Controlled(seat=AUTOMATON, card="scout", at="e4", was=None, markers=3),
        Lost(seat=PLAYER, at="e1", left=0, source="stack"),
        Bolstered(seat=PLAYER, card="archer", at="d4", height=2),
    )
    drawn = scene_of(solo(player="Archer d4 x2"), events)
    assert [arrow["kind"] for arrow in drawn["arrows"]] == ["move", "attack", "taken"]
    assert len(drawn["gone"]) == 3
    assert drawn["units"][0]["new"]


@pytest.mark.long
def test_the_board_can_be_drawn():
    """As SVG with every hex's name, and as a picture. The order of the sides doesn't matter."""
    state = solo(player="Archer d4", ai="Scout d5")
    drawn = svg(GAME, RULES.view(state, PLAYER), (Moved(seat=PLAYER, card="archer", at="d3", to="d4"),))
    assert drawn is not None
    assert all(f">{one}</text>" in drawn for one in HEXES)
    assert png(drawn, 400).startswith(b"\x89PNG")
    turned = replace_fields(state, sides=dict(reversed(state.sides.items())))
    assert svg(GAME, RULES.view(turned, PLAYER), ()) == svg(GAME, RULES.view(state, PLAYER), ())


def test_an_end_is_told_under_its_own_heading():
    line = TELLING.tell(Ended(winners=(PLAYER,), reason="markers"), None)
    assert (line.heading, line.text) == ("The end", "You placed the last marker and won the game.")
    drawn = TELLING.tell(Ended(winners=(), reason="turns"), None)
    assert drawn.text.startswith("The game is a draw")


def test_a_headline_covers_all_that_the_automaton_did_since_the_last_email():
    """Without a location taken or a unit lost, its actions are the news, in their order."""
    events = [
        Moved(seat=PLAYER, card="archer", at="b1", to="b2"),
        Moved(seat=AUTOMATON, card="knight", at="f5", to="f4"),
        Bolstered(seat=AUTOMATON, card="knight", at="f4", height=2),
    ]
    assert TELLING.headline(events) == "The AI's Knight moved to f4. The AI bolstered the Knight."


def test_a_headline_covers_every_location_that_changed_hands():
    took = [
        Controlled(seat=PLAYER, card="archer", at=at, was=None, markers=3) for at in ("a2", "b4", "c3", "e4")
    ]
    assert TELLING.headline(took) == "You took a2, b4, c3 and e4."


def test_the_decisions_say_that_a_whole_hand_can_be_one_email():
    def rows(state, seat):
        (table,) = [one for one in TELLING.tables(RULES.view(state, seat)) if one.about == "due"]
        return dict(table.rows)

    one_email = "one line per coin, all in one email; the other side plays in between"
    assert rows(duel(gold="Archer d4", hand="Archer, Royal Coin"), GOLD)["Whole hand"] == one_email
    assert "Whole hand" not in rows(duel(gold="Archer d4", hand="Archer"), GOLD)
    assert rows(duel(gold="Archer d4", hand="Archer, Royal Coin"), SILVER) == {}
