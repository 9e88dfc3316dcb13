"""Towards whom a nation leans, and what ends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.diplomacy.boards.board import compile_chart
from games.diplomacy.bots.alliances import CENTRES_SHORT_OF_VICTORY, Leaning, Pact, current_friends, leanings
from games.diplomacy.bots.press import Consent
from games.diplomacy.model import Phase, Province, State, Unit
from games.protocol import Correspondence, Invalid, Seat
from games.record import replace_fields

BOARD = games.kinds()["indianomacy"].rules.board
SHOSHONI, BLACKFOOT, DAKOTA, APACHE = map(Seat, ("Shoshoni", "Blackfoot", "Dakota", "Apache"))


def position(centres: dict[Seat, str], units: dict[Seat, str] | None = None) -> State:
    """Centres and units by nation, as ids with spaces between them."""
    return State(
        options={},
        phase=Phase(season="S", year=1, kind="M"),
        units=tuple(
            Unit(power=power, kind="W", at=Province(at))
            for power, places in (units or {}).items()
            for at in places.split()
        ),
        centres={Province(at): power for power, places in centres.items() for at in places.split()},
    )


PEACE = position({SHOSHONI: "44 45 47", BLACKFOOT: "26 27 28", DAKOTA: "49 50", APACHE: "96 97"})


@pytest.mark.clause("indianomacy", "1.22")
def test_the_natural_partners_are_the_first_friends():
    pairs = {frozenset((power.id, partner)) for power in BOARD.powers.values() for partner in power.partners}
    assert pairs == {
        frozenset(pair.split())
        for pair in ("Shoshoni Blackfoot", "Dakota Illinois", "Iroquois Muskhogean", "Caddoan Apache")
    }
    assert current_friends(BOARD, PEACE, SHOSHONI) == (BLACKFOOT,)
    assert current_friends(BOARD, PEACE, BLACKFOOT) == (SHOSHONI,)


@pytest.mark.parametrize("kind", ["standard", "fleet-rome", "chaos"])
def test_on_other_boards_nobody_leans_towards_anybody(kind):
    game = games.kinds()[kind]
    board = game.rules.board
    start = game.rules.setup({}, None).state
    assert not any(current_friends(board, start, power) for power in board.powers)


def test_who_is_out_of_the_game_is_nobodys_friend():
    assert current_friends(BOARD, position({SHOSHONI: "44", DAKOTA: "49"}), SHOSHONI) == ()


def test_a_truce_makes_a_friend_after_the_natural_partner():
    pact = Pact(truces=(APACHE, BLACKFOOT))
    assert leanings(BOARD, PEACE, SHOSHONI, pact) == (
        Leaning(towards=BLACKFOOT, cause="partner"),
        Leaning(towards=APACHE, cause="truce"),
    )


def test_who_took_a_starting_centre_is_no_friend():
    centres = {**PEACE.centres, Province("45"): BLACKFOOT}
    (one,) = leanings(BOARD, replace_fields(PEACE, centres=centres), SHOSHONI, lead=9)
    assert one.ended == "took"


def test_who_stands_in_a_centre_of_ours_is_no_friend():
    intruded = replace_fields(PEACE, units=(Unit(power=BLACKFOOT, kind="W", at=Province("45")),))
    (one,) = leanings(BOARD, intruded, SHOSHONI)
    assert one.ended == "stands"
    (other,) = leanings(BOARD, intruded, BLACKFOOT)
    assert other.ended is None, "it has suffered nothing"


@pytest.mark.parametrize(("lead", "ended"), [(2, "leads"), (3, None)])
def test_who_is_ahead_by_the_lead_is_no_friend(lead, ended):
    centres = {**PEACE.centres, Province("36"): BLACKFOOT, Province("38"): BLACKFOOT}
    (one,) = leanings(BOARD, replace_fields(PEACE, centres=centres), SHOSHONI, lead=lead)
    assert one.ended == ended


@pytest.mark.parametrize(
    ("missing", "ended"), [(CENTRES_SHORT_OF_VICTORY, "wins"), (CENTRES_SHORT_OF_VICTORY + 1, None)]
)
def test_who_is_about_to_win_is_nobodys_friend(missing, ended):
    """24 centres win, and so do 23 War Parties, which as many centres feed.

    The friend is ahead by only one centre; a nation that is behind stays equally friendly.
    """
    wins = 23 - missing
    owned = {centre: BLACKFOOT for centre in [*BOARD.centres][-wins:]}
    ours = [centre for centre in BOARD.centres if centre not in owned]
    view = replace_fields(
        PEACE, units=(), centres={**owned, **dict.fromkeys(ours[:1], DAKOTA), ours[1]: SHOSHONI}
    )
    (one,) = leanings(BOARD, view, SHOSHONI, Pact(truces=(BLACKFOOT,)), lead=99)
    assert one.ended == ended


@pytest.mark.parametrize(("owned", "ended"), [(8, "grown"), (7, None)])
def test_a_partner_who_owns_a_third_of_what_it_takes_to_win_is_a_friend_by_his_word_alone(owned, ended):
    """24 win; a lead of any size alone doesn't end it."""
    theirs = [centre for centre in BOARD.centres if centre not in PEACE.centres][: owned - 3]
    view = replace_fields(PEACE, centres={**PEACE.centres, **dict.fromkeys(theirs, BLACKFOOT)})
    assert leanings(BOARD, view, SHOSHONI, lead=99)[0].ended == ended
    assert leanings(BOARD, view, SHOSHONI, Pact(truces=(BLACKFOOT,)), lead=99)[0].ended is None


@pytest.mark.parametrize(
    ("level", "first"), [("beginner", (BLACKFOOT,)), ("intermediate", (BLACKFOOT,)), ("advanced", ())]
)
def test_a_natural_partner_is_the_advanceds_friend_by_his_word_alone(level, first):
    """Two who spare each other from the start eat what lies between, and wait for each other in the end."""
    situation = games.kinds()["indianomacy"].bots[level].situation(PEACE, SHOSHONI)
    assert situation.friends == first
    assert situation.friends_by(Pact(truces=(BLACKFOOT,))) == (BLACKFOOT,)


def test_the_advanced_expects_of_others_that_natural_partners_do_not_spare_each_other():
    models = games.kinds()["indianomacy"].bots["advanced"].models()
    likeliest = max(models, key=lambda one: one.often).player
    assert likeliest.situation(PEACE, SHOSHONI).friends == ()


@pytest.mark.parametrize(("level", "ended"), [("intermediate", "last"), ("advanced", None)])
def test_who_has_no_natural_partners_has_room_for_another_friend(level, ended):
    """Blackfoot is a friend to the others, so with Dakota everyone left would be a friend."""
    three = position({SHOSHONI: "44 45 47", BLACKFOOT: "26 27 28", DAKOTA: "49 50"})
    bot = games.kinds()["indianomacy"].bots[level]
    letters = Correspondence(seat=SHOSHONI, turn="S1M", missives=())
    assert Consent(bot.situation(three, SHOSHONI), letters).ending_cause(DAKOTA) == ended


def test_a_word_makes_a_friend_where_nature_does_not():
    bound = Pact(truces=(BLACKFOOT,))
    (one,) = leanings(BOARD, PEACE, SHOSHONI, bound, partners=())
    assert one == Leaning(towards=BLACKFOOT, cause="truce")
    assert leanings(BOARD, PEACE, SHOSHONI, partners=()) == ()


def test_friendship_is_over_when_nobody_else_is_left():
    alone = position({SHOSHONI: "44 45 47", BLACKFOOT: "26 27 28"})
    assert leanings(BOARD, alone, SHOSHONI)[0].ended == "last"
    assert leanings(BOARD, PEACE, SHOSHONI, Pact(truces=(DAKOTA, APACHE)))[0].ended == "last"
    assert current_friends(BOARD, PEACE, SHOSHONI, Pact(truces=(DAKOTA,))) == (BLACKFOOT, DAKOTA)


def test_a_friends_centre_is_spared_and_where_he_stands():
    view = replace_fields(PEACE, units=(Unit(power=BLACKFOOT, kind="W", at=Province("49")),))
    situation = games.kinds()["indianomacy"].bots["intermediate"].situation(view, SHOSHONI)
    assert situation.friends == (BLACKFOOT,)
    assert [at for at in ("26", "49", "50") if situation.is_spared(Province(at))] == ["26", "49"]


@given(
    st.dictionaries(st.sampled_from(BOARD.centres), st.sampled_from(list(BOARD.powers))),
    st.sampled_from(list(BOARD.powers)),
    st.lists(st.sampled_from(list(BOARD.powers)), unique=True),
)
def test_friends_are_others_who_are_in_the_game_and_never_all_of_them(centres, seat, truces):
    view = replace_fields(PEACE, centres=centres)
    found = current_friends(BOARD, view, seat, Pact(truces=tuple(truces)))
    others = set(centres.values()) - {seat}
    assert set(found) <= others
    assert not found or set(found) < others


def test_a_partner_that_is_no_other_power_is_named():
    powers = tuple(
        replace_fields(power, partners=(SHOSHONI,)) if power.id == SHOSHONI else power
        for power in BOARD.chart.powers
    )
    with pytest.raises(Invalid, match="Shoshoni: partners: Shoshoni isn't another power"):
        compile_chart(replace_fields(BOARD.chart, powers=powers))
