"""STEPS 1 and 2, White cards, options, an owner's list, and the facts in the data file."""

import json
from collections import Counter

import pytest

from games.data import read_text
from games.great_war.components import (
    CARDS_FILE,
    PACKAGE,
    book,
    card_list_facts,
    fits,
    link_rules,
    plain_card,
    printed_rows,
    solo,
)
from games.great_war.decks import cards_by_zone
from games.great_war.events import Drew, Exchanged, LeftOut
from games.great_war.model import AI, PLAYER
from games.great_war.owner_data import card_faults, check_counts, check_links
from games.options import settle
from games.protocol import Invalid
from games.record import replace_fields
from tests.games.great_war.front import GAME, RULES, dealt, order, play
from tests.kit.dice import any_dice


def all_of(state, pile):
    """Return the cards of a deck, wherever they are in play."""
    found = Counter(one for cards in cards_by_zone(state).values() for one in cards)
    away = Counter((*state.aside, *state.removed, *state.spare))
    placed = Counter(one.card for army in state.armies.values() for one in army.row if one.how == "placed")
    return Counter(
        {
            one: count - away[one] - placed[one]
            for one, count in found.items()
            if book()[one].play_deck == pile
        }
    )


@pytest.mark.clause("great-war", "GW-0.1", "GW-1.1", "GW-1.10", "D.total")
def test_the_decks_have_the_cards_of_the_set_up():
    """There are 200 cards in all, including set-aside cards and unused White cards."""
    state = dealt()
    sizes = {pile: sum(all_of(state, pile).values()) for pile in state.piles}
    assert sizes == {"entente": 32, "central": 32, "neutral": 44, "bonus": 17, "event": 18}
    assert sum(len(cards) for cards in cards_by_zone(state).values()) == 200
    assert len(state.spare) == 49
    assert {book()[one].kind for one in card_list_facts()["set_aside_solo"]} == {
        "fortifications",
        "reinforced_trenches",
        "barbed_wire",
    }


@pytest.mark.clause("great-war", "GW-1.2", "GW-1.3")
def test_five_cards_are_played_with_by_nobody():
    state = dealt()
    assert [book()[one].name for one in state.removed] == [
        "Trench Raid",
        "Night Barrage",
        "Prisoner Interrogations",
        "Trench Raid",
        "What Could Possibly Go Wrong?",
    ]


@pytest.mark.clause("great-war", "GW-1.4", "GW-1.5", "GW-1.6")
@pytest.mark.parametrize(
    ("pile", "one", "name"),
    [
        ("neutral", "W01", "Mata Hari"),
        ("entente", "W02", "T.E. Lawrence"),
        ("central", "W03", "Zeppelin Raids"),
    ],
)
def test_three_white_cards_are_played_with(pile, one, name):
    state = dealt()
    assert all_of(state, pile)[one] == 1
    assert name in book()[one].name
    whites = [
        card for card in all_of(state, pile) if book()[card].deck == "white" and all_of(state, pile)[card]
    ]
    assert whites == [one]


@pytest.mark.clause("great-war", "GW-2.1", "GW2", "D.split")
@pytest.mark.parametrize(
    ("split", "sizes"), [("4/4/1", (4, 4, 1)), ("2/6/1", (2, 6, 1)), ("4/3/2", (4, 3, 2))]
)
def test_the_player_draws_nine_cards_by_his_split(split, sizes):
    hand = [book()[one].play_deck for one in dealt(split=split).armies[PLAYER].hand]
    assert (hand.count("neutral"), hand.count("entente"), hand.count("bonus")) == sizes
    assert len(hand) == 9


@pytest.mark.clause("great-war", "GW2")
@pytest.mark.parametrize("split", ["1/7/1", "6/2/1", "4/4/2", "five", "4/4"])
def test_a_split_that_cannot_be_is_refused(split):
    with pytest.raises(Invalid, match="write split=4/4/1"):
        dealt(split=split)


@pytest.mark.clause("great-war", "GW1", "GW-3.1")
def test_the_player_picks_a_side_and_attacks_first():
    for side, nation in (("allies", "entente"), ("central", "central")):
        state = dealt(side=side)
        assert state.armies[PLAYER].nation == nation
        assert state.armies[AI].nation != nation
        assert state.attacker == PLAYER
        assert state.stage == "round 1"


@pytest.mark.clause("great-war", "GW-1.7", "GW40")
def test_a_white_card_comes_in_one_for_one():
    """It has the same deck and rank. The replaced card is with the spare cards."""
    state = dealt(exchange="W10:B-QD, W22 for B-10H")
    assert all_of(state, "entente")["W10"] == all_of(state, "entente")["W22"] == 1
    assert all_of(state, "entente")["B-QD"] == 0
    assert {"B-QD", "B-10H"} <= set(state.spare)
    assert sum(all_of(state, "entente").values()) == 32


@pytest.mark.clause("great-war", "GW-1.7", "GW40")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W10:B-KS", "not-alike"),
        ("W10:R-QS", "not-alike"),
        ("W01:B-JK2", "not-spare"),
        ("W10:W11", "not-exchanged"),
        ("W50:R-5D", "not-in-decks"),
        ("W10:B-QD,W11:B-QD", "not-in-decks"),
        ("W10 B-QD", "isn't an exchange"),
    ],
)
def test_an_exchange_that_cannot_be_is_refused(text, why):
    with pytest.raises(Invalid, match=why):
        dealt(exchange=text)


@pytest.mark.clause("great-war", "GW-1.8", "GW-1.9")
def test_a_leader_comes_in_with_one_of_the_other_side():
    state = dealt(exchange="W06 for B-JS and W08 for R-JS")
    assert all_of(state, "entente")["W06"] == all_of(state, "central")["W08"] == 1
    with pytest.raises(Invalid, match="leader-alone"):
        dealt(exchange="W06:B-JS")
    with pytest.raises(Invalid, match="leaders-done"):
        dealt(exchange="W06:B-JS,W08:R-JS,W07:B-JH,W09:R-JH")


@pytest.mark.clause("great-war", "GW49")
def test_a_set_up_may_be_said_by_letter():
    """The game waits before Turn 1 for exchanges and the split of the first hand."""
    state = dealt(ask="yes")
    assert (state.stage, RULES.turn(state).short) == ("set-up", "T1S")
    after = play(state, "EXCHANGE W10 FOR B-QD", "DRAW 2/6/1", "begin")
    assert after.state.stage == "round 1"
    assert all_of(after.state, "entente")["W10"] == 1
    assert [(e.neutral, e.nationality) for e in after.of(Drew) if e.seat == PLAYER] == [(2, 6)]
    assert [event.pairs[0].white for event in after.of(Exchanged)] == ["W10"]


@pytest.mark.clause("great-war", "GW49")
def test_a_wrong_exchange_of_a_letter_is_left_out():
    state = dealt(ask="yes")
    assert RULES.check(state, PLAYER, order(state, "EXCHANGE W10 FOR B-KS")).code == "not-alike"
    after = RULES.adjudicate(state, {PLAYER: [order(state, "EXCHANGE W10 FOR B-KS")]}, any_dice())
    assert [event.code for event in after.events if isinstance(event, LeftOut)] == ["not-alike"]
    assert "W10" in after.state.spare


@pytest.mark.clause("great-war", "GW-1.7", "GW-1.8", "GW-1.9", "GW40", "GW49")
@pytest.mark.parametrize(
    ("text", "captured", "code"),
    [
        ("EXCHANGE W10 FOR B-QD", (), None),
        ("EXCHANGE W10 FOR B-QD", ("B-QD",), "not-in-decks"),
        ("EXCHANGE W10 FOR B-10H", (), "not-alike"),
        ("EXCHANGE W06 FOR B-JS", (), "leader-alone"),
        ("EXCHANGE W06 FOR B-JS AND W08 FOR R-JS", (), None),
        ("EXCHANGE W06 FOR B-JS AND W07 FOR B-JH", (), "leaders-done"),
    ],
)
def test_what_is_against_an_exchange(text, captured, code):
    state = dealt(ask="yes")
    enemy = replace_fields(state.armies[AI], captured=captured)
    state = replace_fields(state, armies={**state.armies, AI: enemy})
    found = RULES.check(state, PLAYER, order(state, text))
    assert (found.code if found else None) == code


# The data file, and an owner's list.


def text_with(change):
    document = json.loads(read_text(PACKAGE, CARDS_FILE))
    change(document)
    return json.dumps(document)


def begun(text):
    return RULES.setup(settle(GAME.about.options, {"cards": text}), any_dice()).state


@pytest.mark.clause("great-war", "M.owner")
def test_an_owners_list_is_played_with():
    """The state has only the differences. Only the game's options have the content of the file."""

    def change(document):
        document["cards"][0] |= {"bp": 20, "name": "An Ace of Mine"}

    state = begun(text_with(change))
    assert [(card.id, card.bp, card.name) for card in state.changes] == [("B-AS", 20, "An Ace of Mine")]
    assert state.book["B-AS"].bp == 20
    assert "cards" not in state.options
    assert begun(read_text(PACKAGE, CARDS_FILE)).changes == ()


@pytest.mark.clause("great-war", "M.owner")
def test_an_owners_list_may_hold_a_few_cards():
    state = begun(text_with(lambda document: document.update(cards=[document["cards"][4] | {"bp": 9}])))
    assert [(card.id, card.bp) for card in state.changes] == [("B-KS", 9)]


@pytest.mark.clause("great-war", "M.owner")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d["cards"][0].update(bp="x"), r"B-AS: Expected `int`, got `str` - at `\$.bp`"),
        (lambda d: d["cards"][0].update(bp=-1), "B-AS: its bp is -1"),
        (lambda d: d["cards"][0].update(kind="y"), "B-AS: its kind is y and must be ace"),
        (lambda d: d["cards"][0].update(rank="2"), "B-AS: its rank is 2 and must be A"),
        (lambda d: d["cards"][0].update(id="B-QS"), "B-QS: its kind is ace"),
        (lambda d: d["cards"].append(d["cards"][0]), "B-AS: is in the list twice"),
        (lambda d: d["cards"][0].update(id="B-XX"), "B-XX: there is no card with that id"),
        (
            lambda d: d["cards"][0].update(count=2),
            "the blue deck: its counts add up to 55 and must add up to 54",
        ),
        (lambda d: d["cards"][0].update(count=0), "B-AS: its count is 0"),
        (lambda d: d["cards"][0].update(high=False), "B-AS: high must be true"),
        (lambda d: d["cards"][0].update(timing=[]), "B-AS: it has no timing"),
        (lambda d: d["cards"][0].update(timing=["event_phase"]), "B-AS: event_phase is the timing"),
        (lambda d: d["cards"][0]["effects"][0].update(op="boom"), "B-AS: Invalid enum value 'boom'"),
        (lambda d: d["cards"][0]["effects"][0].update(n=0), "B-AS: its cancel needs n"),
        (lambda d: d["cards"][0]["effects"][0].update(target=[]), "B-AS: its cancel has no target"),
        (
            lambda d: d["cards"][0]["effects"][0].update(target=[{"tag": "moon"}]),
            "B-AS: there is no tag moon",
        ),
        (lambda d: d["cards"][0]["effects"][0].update(target=[{"nat": "lunar"}]), "no nationality lunar"),
        (lambda d: d["cards"][0]["effects"].append({"op": "choose"}), "B-AS: its choose has no options"),
        (lambda d: d["cards"][0]["effects"].append({"op": "draw", "n": 1}), "draw doesn't name a deck"),
        (
            lambda d: d["cards"][0]["effects"].append({"op": "lead", "n": 1, "target": [{"any": True}]}),
            "B-AS: only leaders lead",
        ),
        (lambda d: d["cards"].__setitem__(0, 7), "card 1: Expected `object`"),
        (lambda d: d.update(cards=7), 'no array "cards"'),
        (lambda d: d["solo"]["victory_levels"][0].update(to=11), "victory_levels: differs from our list"),
        (lambda d: d["link_rules"][0]["plus_kinds"].append("x"), "link_rules: differs from our list"),
    ],
)
def test_what_is_wrong_with_a_list_is_named_by_its_card(change, why):
    with pytest.raises(Invalid, match=why):
        begun(text_with(change))


@pytest.mark.clause("great-war", "M.owner")
def test_a_file_that_is_no_list_is_refused():
    with pytest.raises(Invalid, match="isn't JSON"):
        begun("cards")


@pytest.mark.clause("great-war", "D.links", "GW-F.2")
def test_our_own_list_passes_what_an_owners_has_to():
    for row in printed_rows():
        assert list(card_faults(row)) == []
        assert row.bp == row.rank_value + row.extra or row.deck in ("bonus", "event")
    check_counts(printed_rows())
    check_links([plain_card(row) for row in printed_rows()])


@pytest.mark.clause("great-war", "D.links")
def test_a_list_without_a_link_is_noticed():
    cards = [plain_card(row) for row in printed_rows()]
    plus = next(card for card in cards if card.plus)
    with pytest.raises(Invalid, match=plus.id):
        check_links([replace_fields(card, links_to=()) if card is plus else card for card in cards])


@pytest.mark.clause(
    "great-war", "D.existence", "D.name", "D.bp", "D.effects", "D.count", "D.deck", "D.suit_rank", "D.links"
)
@pytest.mark.parametrize(
    ("field", "marks"),
    [
        ("existence", {"S": 120, "A": 71}),
        ("name", {"S": 76, "A": 115}),
        ("bp", {"S": 1, "A": 190}),
        ("effects", {"S": 11, "A": 180}),
        ("count", {"A": 191}),
        ("deck", {"S": 27, "D": 60, "A": 104}),
        ("suit_rank", {"S": 1, "D": 43, "A": 116, "n/a": 31}),
        ("links", {"S": 85, "n/a": 106}),
    ],
)
def test_every_value_of_a_card_has_its_mark(field, marks):
    """The clauses count the marks correctly."""
    assert Counter(row.provenance[field] for row in printed_rows()) == marks


@pytest.mark.clause("great-war", "D.levels", "D.split", "D.barred", "D.capture", "D.figures", "GW39")
def test_every_figure_of_the_procedure_has_its_mark():
    figures = solo()
    assert [(level.name, level.low, level.high, level.mark) for level in figures.victory_levels] == [
        ("draw", 0, 9, "D"),
        ("moral", 10, 19, "S"),
        ("tactical", 20, 39, "S"),
        ("strategic", 40, 79, "A"),
        ("decisive", 80, None, "A"),
    ]
    assumed = (figures.human_hand, figures.attacker_barred, figures.capture)
    assert {one.mark for one in assumed} == {"A"}
    sheet = (
        figures.hand_size,
        figures.defender_table,
        figures.defender_opening_kinds,
        figures.defender_redraw,
    )
    more = (figures.attacker_table, figures.attacker_redraw, figures.lead_cap, figures.turns)
    assert {one.mark for one in (*sheet, *more)} == {"S"}


@pytest.mark.clause("great-war", "GW45")
def test_copies_of_a_card_are_one_id():
    assert sum(book()[one].count for one in book().cards) == 200
    assert len(book().cards) == 191
    assert {row.deck for row in printed_rows() if row.count > 1} == {"bonus", "event"}


@pytest.mark.clause("great-war", "GW46")
def test_machine_guns_and_their_like_are_infantry():
    infantry = next(rule for rule in link_rules() if rule.id == "any_infantry").host
    assert all(fits(book()[one], infantry) for one in ("B-9S", "R-10H", "B-4H", "B-QS"))
