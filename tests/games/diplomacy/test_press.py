"""The press that bots write and read: the fixed forms, the results, and the agreements."""

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import games
from games.diplomacy.bots.alliances import Pact
from games.diplomacy.bots.press import (
    TRUCE,
    Matter,
    Utterance,
    current_pact,
    season_number,
    wording,
)
from games.diplomacy.model import AnyOrder, State, View
from games.messages import sentence
from games.protocol import Bot, BotMessage, Correspondence, PressMessage, Seat
from games.record import replace_fields
from tests.kit.bot_positions import state
from tests.kit.dice import any_dice

BROKEN_WORD_PHRASE = sentence("diplomacy.press.broken_word")
EXPLANATION = sentence("diplomacy.press.explanation")
PROPOSAL_FOOTER = sentence("diplomacy.press.how_to_answer")
STANDARD = games.kinds()["standard"]
BOARD = STANDARD.rules.board
WORDS = wording(BOARD)
GERMANY, FRANCE, ENGLAND, ITALY, AUSTRIA = map(Seat, ("Germany", "France", "England", "Italy", "Austria"))
BEL, STP = Matter(place="BEL"), Matter(place="STP")
BURGUNDY = Matter(place="BUR", empty=True)

UNITS = {
    "France": "A BUR A PIC",
    "Germany": "A MUN A RUH F KIE",
    "England": "F NTH F LON",
    "Italy": "A VEN A ROM",
    "Austria": "A VIE A TRI",
}
CENTRES = {
    "France": "PAR BRE MAR",
    "Germany": "BER KIE MUN",
    "England": "LON EDI LVP",
    "Italy": "VEN ROM NAP",
    "Austria": "VIE TRI BUD",
}


def view(centres: Mapping[str, str] = CENTRES, units: Mapping[str, str] = UNITS, year: int = 1901) -> State:
    """A Spring in which everybody has three centres, and some units apart from each other."""
    return state("standard", "S", units, centres, year)


def heard(*said: tuple[str, str | None, str], seat: Seat = GERMANY, turn: str = "S1901M") -> Correspondence:
    """Letters of a seat: who writes to whom (None: to all), what; with ``@F1901M `` before it, when."""
    missives = []
    for writer, to, text in said:
        when, text = text[1:].split(" ", 1) if text.startswith("@") else (turn, text)
        missives.append(
            PressMessage(
                turn=when, writer=Seat(writer) if writer else None, to=(Seat(to),) if to else None, text=text
            )
        )
    return Correspondence(seat=seat, turn=turn, missives=tuple(missives))


def bot(temper: str = "", level: str = "beginner") -> Bot[View, AnyOrder]:
    found = STANDARD.bots[level]
    if temper:
        found = found.with_temperament(temper)
    return found


def says(letters: Correspondence, position: State | None = None, temper: str = "") -> dict[str, str]:
    """Return a bot's press by its readers."""
    told = bot(temper).press(position or view(), letters, any_dice())
    assert len({one.to for one in told}) == len(told), "one letter to each"
    return {one.to: one.text for one in told}


def firsts(told: Mapping[str, str]) -> dict[str, str]:
    """The first line of each letter."""
    return {to: text.splitlines()[0] for to, text in told.items()}


def answer(text: str, position: State | None = None, by: str = "France", **more: object) -> str:
    """Return the answer of Germany's bot to one message."""
    return says(heard((by, "Germany", text)), position, **more).get(by, "")  # type: ignore[arg-type]


# The forms.


@pytest.mark.parametrize(
    ("text", "act", "matter"),
    [
        ("propose truce", "propose", TRUCE),
        ("PROPOSE TRUCE!", "propose", TRUCE),
        ("Dear Germans, we would like to propose a truce, please.", "propose", TRUCE),
        ("Hello!\nPlease propose a truce between us. Thank you", "propose", TRUCE),
        ("We suggest peace", "propose", TRUCE),
        ("propose attack on Belgium", "propose", BEL),
        ("I propose a joint attack on bel with you", "propose", BEL),
        ("propose attack on St. Petersburg. Yours", "propose", STP),
        ("Propose attack against the Turks.", "propose", Matter(foe="Turkey")),
        ("propose attack on Prusia", "propose", Matter(unknown="prusia")),
        ("accept", "accept", None),
        ("We gladly accept your proposal, thanks!", "accept", None),
        ("Agreed.", "accept", None),
        ("agree to the truce", "accept", TRUCE),
        ("Accept attack on Belgium.\nIt counts nearer for us.", "accept", BEL),
        ("refuse", "refuse", None),
        ("Sorry, we decline the truce", "refuse", TRUCE),
        ("propose demilitarised Burgundy", "propose", BURGUNDY),
        ("We would like to propose to demilitarize Burgundy, please", "propose", BURGUNDY),
        ("propose a demilitarised zone in Burgundy", "propose", BURGUNDY),
        ("Refuse demilitarised Burgundy.", "refuse", BURGUNDY),
        ("propose demilitarised Prusia", "propose", Matter(unknown="prusia", empty=True)),
        ("> propose attack on Belgium\n\nrefuse", "refuse", None),
    ],
)
def test_forms_are_read_however_politely_they_are_said(text, act, matter):
    assert WORDS.read(text) == (Utterance(act=act, matter=matter),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Shall we share Belgium?",
        "we do not propose truce",
        "we accept nothing",
        "do you accept?",
        "accept if you leave Burgundy",
        "propose attack on Belgium if you support me there",
        "propose truce and see what comes",
        "propose demilitarised Burgundy if you leave it",
        "I accept.\nI refuse.",
        "> accept",
    ],
)
def test_what_says_more_than_a_form_is_none(text):
    """In doubt nothing is accepted: a false agreement would cost more than a message."""
    assert WORDS.read(text) == ()


def test_several_forms_may_stand_in_a_letter():
    found = WORDS.read("Propose truce and propose attack on Belgium.\nRefuse attack on St. Petersburg.")
    assert [(one.act, one.matter) for one in found] == [("propose", TRUCE), ("propose", BEL), ("refuse", STP)]


@pytest.mark.parametrize("kind", ["indianomacy", "standard", "fleet-rome", "chaos"])
def test_what_bots_write_is_read_as_it_was_meant(kind):
    """Also where a nation is called as a place is."""
    board = games.kinds()[kind].rules.board
    words = wording(board)
    matters = [
        TRUCE,
        *(Matter(place=one) for one in board.places),
        *(Matter(place=one, empty=True) for one in board.places),
        *(Matter(foe=one) for one in board.powers),
    ]
    for matter in matters:
        for act in ("propose", "accept", "refuse"):
            said = Utterance(act=act, matter=matter)
            assert words.read(f"{words.write(said)}\nThat is why.") == (said,)


# What comes of letters.


@pytest.mark.parametrize(
    ("turns", "number"),
    [
        ("S1901M", 3802),
        ("S1901R F1901M U1901R", 3803),
        ("F1901R W1901R W1901A S1902M", 3804),
    ],
)
def test_what_is_written_after_moves_belongs_to_the_next_season(turns, number):
    assert {season_number(turn) for turn in turns.split()} == {number}


def bound(*said: tuple[str, str | None, str], turn: str = "S1901M") -> Pact:
    return current_pact(BOARD, heard(*said, turn=turn))


PROPOSED, ACCEPTED = ("France", "Germany", "propose truce"), ("Germany", "France", "Accept truce.")


def test_a_truce_needs_a_proposal_and_its_acceptance():
    assert bound(PROPOSED) == Pact()
    assert bound(PROPOSED, ACCEPTED) == Pact(truces=(FRANCE,))
    assert bound(("Germany", "France", "Propose truce."), ("France", "Germany", "accept")) == Pact(
        truces=(FRANCE,)
    )
    assert bound(ACCEPTED, PROPOSED) == Pact(), "before it is proposed"
    assert bound(PROPOSED, ("France", "Germany", "accept")) == Pact(), "not by whoever proposed it"
    assert bound(PROPOSED, ("Germany", "Italy", "Accept truce.")) == Pact(), "not by a letter to another"
    assert bound(("", "Germany", "propose truce"), ACCEPTED) == Pact(), "nobody's proposal"


def test_a_proposal_lapses_with_its_turn():
    late = ("France", "Germany", "@S1901M propose truce"), ("Germany", "France", "@F1901M Accept truce.")
    assert bound(*late, turn="F1901M") == Pact()


def test_a_truce_lasts_until_one_refuses_it():
    agreement = PROPOSED, ACCEPTED
    assert bound(*agreement, turn="F1920M").truces == (FRANCE,)
    for by, to in (("France", "Germany"), ("Germany", "France")):
        for text in ("refuse truce", "refuse"):
            assert bound(*agreement, (by, to, text)) == Pact()
    assert bound(*agreement, ("France", "Germany", "refuse attack on Belgium")).truces == (FRANCE,)


def test_a_refusal_answers_the_last_proposal_and_ends_nothing_else():
    attack = ("Germany", "France", "Propose attack on Belgium.")
    found = bound(PROPOSED, ACCEPTED, attack, ("France", "Germany", "refuse"))
    assert found == Pact(truces=(FRANCE,))
    assert bound(PROPOSED, ("Germany", "France", "Refuse truce."), ("Germany", "France", "accept")) == Pact()


def test_an_attack_is_agreed_for_this_season_and_the_next():
    letters = (
        ("France", "Germany", "@S1901R propose attack on Belgium"),
        ("Germany", "France", "@S1901R accept"),
    )
    bounds = {turn: bound(*letters, turn=turn).targets for turn in ("S1901R", "F1901M", "S1902M", "F1902M")}
    assert bounds == {"S1901R": ("BEL",), "F1901M": ("BEL",), "S1902M": ("BEL",), "F1902M": ()}
    foe = bound(("France", "Germany", "propose attack on Italy"), ("Germany", "France", "accept"))
    assert foe == Pact(foes=(ITALY,))


def test_what_is_said_to_all_is_said_to_each():
    assert bound(("France", None, "propose truce"), ACCEPTED) == Pact(truces=(FRANCE,))
    assert "Accept truce." in says(heard(("France", None, "propose truce")))["France"]


APART = {**UNITS, "France": "A PAR A PIC"}
"""Nobody stands in Burgundy, and both can come there."""

LEFT_EMPTY = (
    ("France", "Germany", "@S1901M propose demilitarised Burgundy"),
    ("Germany", "France", "@S1901M Accept demilitarised Burgundy."),
)


def test_a_place_is_left_empty_until_one_refuses_it():
    assert bound(LEFT_EMPTY[0]) == Pact()
    assert bound(*LEFT_EMPTY, turn="F1910M") == Pact(empty=("BUR",))
    for text in ("refuse", "refuse demilitarised Burgundy"):
        assert bound(*LEFT_EMPTY, ("France", "Germany", text)) == Pact()
    assert bound(*LEFT_EMPTY, ("France", "Germany", "refuse truce")) == Pact(empty=("BUR",))
    again = heard(*LEFT_EMPTY, ("France", "Germany", "accept demilitarised Burgundy"))
    assert "France" not in says(again, view(units=APART)), "it is no news, and not in vain"


# What is accepted.


def test_a_truce_is_accepted_and_how_long_it_is_kept_is_told():
    told = answer("propose truce")
    assert told.startswith("Accept truce.\n")
    assert "or lead us by four centres." in told
    assert "or lead us by two centres." in answer("propose truce", temper="raider")


@pytest.mark.parametrize(
    ("owned", "units", "why"),
    [
        ({"France": "PAR BRE MAR MUN", "Germany": "BER KIE"}, {}, "You own one of our home centres."),
        ({}, {"France": "A KIE", "Germany": "A MUN"}, "You have a unit in one of our centres"),
        ({"France": "PAR BRE MAR SPA POR BEL HOL"}, {}, "You lead us by four centres or more."),
        (
            {"Italy": "", "Austria": "", "England": ""},
            {"Italy": "", "Austria": "", "England": ""},
            "with no one left to fight",
        ),
    ],
)
def test_a_truce_that_would_not_last_is_refused_with_its_reason(owned, units, why):
    told = answer("propose truce", view({**CENTRES, **owned}, {**UNITS, **units}))
    assert told.startswith("Refuse truce.\n")
    assert why in told


def test_half_of_those_who_are_left_are_friends_enough():
    """Four others are left."""
    letters = [
        (by, to, text)
        for friend in ("Italy", "Austria")
        for by, to, text in ((friend, "Germany", "propose truce"), ("Germany", friend, "Accept truce."))
    ]
    one, both = (
        says(heard(*some, ("France", "Germany", "propose truce"))) for some in (letters[:2], letters)
    )
    assert one["France"].startswith("Accept truce.")
    assert both["France"] == "Refuse truce.\nWe already have enough friends in this game."


def test_a_guardian_bears_more_than_a_raider():
    ahead = view({**CENTRES, "France": "PAR BRE MAR SPA POR BEL"})
    assert answer("propose truce", ahead, temper="raider").startswith("Refuse")
    assert answer("propose truce", ahead, temper="guardian").startswith("Accept")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("propose attack on Belgium", "Accept attack on Belgium.\nWe will treat it as two steps nearer"),
        ("propose attack on Munich", "Refuse attack on Munich.\nThat's ours."),
        ("propose attack on Paris", "Refuse attack on Paris.\nThat's yours."),
        ("propose attack on Germany", "Refuse attack on Germany.\nThat's ours."),
        ("propose attack on Burgundy", "Refuse attack on Burgundy.\nThat's yours."),
        ("propose attack on Naples", "Refuse attack on Naples.\nNone of our units can reach it."),
        ("propose attack on Tyrolia", "Refuse attack on Tyrolia.\nThere's no supply centre there to win."),
        ("propose attack on Austria", "Accept attack on Austria."),
        ("propose attack on Russia", "Refuse attack on Russia.\nThey are too far away from us."),
        (
            "propose attack on Prusia",
            "Refuse attack on Prusia.\nThe map has no province or power called Prusia.",
        ),
    ],
)
def test_an_attack_is_accepted_where_the_bot_can_take_part(text, told):
    assert answer(text).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Burgundy", "Accept demilitarised Burgundy.\nWe won't order units there"),
        ("Belgium", "Refuse demilitarised Belgium.\nIt has a supply centre."),
        ("Picardy", "Refuse demilitarised Picardy.\nThere's a unit there."),
        ("Gascony", "Refuse demilitarised Gascony.\nIt isn't between our units and yours."),
        ("Prusia", "Refuse demilitarised Prusia.\nThe map has no province or power called Prusia."),
    ],
)
def test_what_lies_between_two_nations_is_left_empty(text, told):
    assert answer(f"propose demilitarised {text}", view(units=APART)).startswith(told)


def test_one_place_is_left_empty_with_each_nation():
    """Promises never surround a nation."""
    ruhr = {**UNITS, "France": "A PIC A BEL", "Germany": "A MUN F KIE"}
    letters = (*LEFT_EMPTY, ("France", "Germany", "propose demilitarised Ruhr"))
    told = says(heard(*letters, turn="S1901M"), view(units=ruhr))["France"]
    assert told == "Refuse demilitarised Ruhr.\nWe already leave another province empty with you."
    assert answer("propose demilitarised Ruhr", view(units=ruhr)).startswith("Accept")


def test_a_friend_is_not_attacked_and_a_target_is_no_friend():
    """Why is not told: what was agreed with others is between them."""
    with_austria = ("Austria", "Germany", "propose truce"), ("Germany", "Austria", "Accept truce.")
    told = says(heard(*with_austria, ("France", "Germany", "propose attack on Austria")))
    assert told["France"] == "Refuse attack on Austria.\nWe won't attack there."
    against = (
        ("France", "Germany", "propose attack on Austria"),
        ("Germany", "France", "Accept attack on Austria."),
    )
    told = says(heard(*against, ("Austria", "Germany", "propose truce")))
    assert told["Austria"] == "Refuse truce.\nWe have other plans for now."


def test_who_is_out_of_the_game_is_told_so():
    told = answer("propose truce", by="Turkey")
    assert told == "Refuse truce.\nYou are no longer in the game."


def test_several_proposals_get_one_letter_and_no_more_than_three_answers():
    places = ("Belgium", "Denmark", "Holland", "Vienna", "Burgundy")
    told = answer("\n".join(f"propose attack on {place}" for place in places))
    assert [line for line in told.splitlines() if line.startswith(("Accept", "Refuse"))] == [
        "Accept attack on Belgium.",
        "Accept attack on Denmark.",
        "Accept attack on Holland.",
    ]


# What is not understood.


def test_other_press_is_answered_once_and_kindly():
    told = answer("What a fine day in the Ruhr!")
    assert told.startswith(EXPLANATION)
    assert "  propose truce\n" in told
    again = (
        ("France", "Germany", "Hello?"),
        ("Germany", "France", told),
        ("France", "Germany", "Anybody there?"),
    )
    assert "France" not in says(heard(*again))
    later = ("Germany", "France", f"@S1901M {told}"), ("France", "Germany", "Hello?")
    assert "France" not in says(heard(*later, turn="F1905M"))


def test_what_is_said_to_all_or_by_nobody_needs_no_explanation():
    assert says(heard(("France", None, "Hello, everybody!"))) == says(heard())
    assert says(heard(("", "Germany", "propose truce"))) == says(heard())


@pytest.mark.parametrize("text", ["accept", "refuse", "Accept truce.", "Refuse attack on Belgium."])
def test_answers_are_not_answered(text):
    asked = ("Germany", "France", "Propose truce.")
    assert "France" not in says(heard(asked, ("France", "Germany", text)))
    assert "France" not in says(heard(PROPOSED, ACCEPTED, ("France", "Germany", text)))


def test_who_accepts_what_has_lapsed_is_told_so():
    """Otherwise its writer would rely on it."""
    late = ("Germany", "France", "@S1901M Propose truce."), ("France", "Germany", "accept")
    told = says(heard(*late, turn="F1901M"))["France"]
    assert told.startswith("There is nothing to accept.\nProposals lapse when the turn runs.")
    assert WORDS.read(told) == ()
    assert "France" not in says(heard(*late, ("Germany", "France", told), turn="F1901M"))
    assert "France" in says(heard(("France", "Germany", "Accept attack on Belgium")))


def test_who_is_answered_needs_no_explanation():
    """One message couldn't hold both: the list of forms is none of them."""
    told = says(heard(PROPOSED, ("France", "Germany", "Hello?")))["France"]
    assert "Accept truce." in told
    assert EXPLANATION not in told


def test_an_explanation_holds_no_form_by_itself():
    """Two bots that explained themselves to each other would else be bound by it."""
    told = answer("Well?")
    assert WORDS.read(told) == ()
    assert bound(("Germany", "France", told), ("France", "Germany", "accept")) == Pact()


# What is proposed.


def test_a_truce_is_proposed_to_whom_threatens_most():
    """Burgundy is next to Munich, and Ruhr is a German's own; Venice is not."""
    assert firsts(says(heard()))["France"] == "Propose truce."
    assert firsts(says(heard(), temper="guardian"))["France"] == "Propose truce."
    assert says(heard(), temper="raider") == {}


def test_a_friend_is_asked_to_join_in_what_both_can_come_to():
    truce = ("France", "Germany", "@S1901M propose truce"), ("Germany", "France", "@S1901M Accept truce.")
    letters = heard(*truce, turn="F1901M")
    fall = replace_fields(view(), phase=replace_fields(view().phase, season="F"))
    assert firsts(says(letters, fall))["France"] == "Propose attack on Belgium."
    assert firsts(says(letters, fall, temper="raider")) == {"France": "Propose attack on Belgium."}
    assert "France" not in says(letters, fall, temper="guardian")


def test_a_place_next_to_its_centres_is_proposed_to_stay_empty():
    """The first of those that lie next to as many of them; a raider proposes nothing of the sort."""
    assert firsts(says(heard(), view(units=APART))) == {"Austria": "Propose demilitarised Bohemia."}
    asked = heard(("Austria", "Germany", "refuse"), ("France", "Germany", "@F1900M propose truce"))
    assert firsts(says(asked, view(units=APART)))["France"] == "Propose demilitarised Burgundy."
    assert says(heard(), view(units=APART), temper="raider") == {}


@pytest.mark.parametrize("text", ["Hello!", "refuse", "propose attack on Belgium"])
def test_there_is_one_exchange_a_turn(text):
    """A power that wrote in this turn gets no proposal in it."""
    assert "Propose" not in says(heard(("France", "Germany", text))).get("France", "")


def test_a_proposal_says_how_it_is_answered():
    told = says(heard())["France"]
    assert told == f"Propose truce.\n{PROPOSAL_FOOTER}"
    assert WORDS.read(told) == (Utterance(act="propose", matter=TRUCE),)


def test_nothing_is_proposed_again_for_three_years():
    asked = ("Germany", "France", "@S1901M Propose truce.")
    later = {turn: "France" in says(heard(asked, turn=turn)) for turn in ("S1901M", "F1903M", "S1904M")}
    assert later == {"S1901M": False, "F1903M": False, "S1904M": True}


@pytest.mark.parametrize("kind", ["R", "A"])
def test_nothing_is_proposed_but_before_moves(kind):
    between = replace_fields(view(), phase=replace_fields(view().phase, kind=kind))
    assert says(heard(turn="S1901R"), between) == {}
    assert "France" in says(heard(("France", "Germany", "propose truce"), turn="S1901R"), between)


def test_the_end_of_a_truce_is_told_before_it_ends():
    """It is over then for both."""
    letters = ("France", "Germany", "@S1901M propose truce"), ("Germany", "France", "@S1901M Accept truce.")
    ahead = view({**CENTRES, "France": "PAR BRE MAR SPA POR BEL HOL"})
    told = says(heard(*letters, turn="F1901M"), ahead)["France"]
    assert told.startswith("Refuse truce.\nYou lead us by four centres or more.")
    assert bound(*letters, ("Germany", "France", f"@F1901M {told}"), turn="F1901M") == Pact()
    assert "Refuse" not in says(heard(*letters, turn="F1901M"))["France"]


TRUCE_KEPT = ("France", "Germany", "@S1901M propose truce"), ("Germany", "France", "@S1901M Accept truce.")


@pytest.mark.parametrize(
    ("agreed_on", "there", "told"),
    [
        (
            LEFT_EMPTY,
            {"France": "A BUR"},
            "Refuse demilitarised Burgundy.\nYou have a unit there. " + BROKEN_WORD_PHRASE,
        ),
        (
            LEFT_EMPTY,
            {"Germany": "A BUR"},
            "Refuse demilitarised Burgundy.\nWe have a unit there. We are free",
        ),
        (LEFT_EMPTY, {"Italy": "A BUR"}, "Refuse demilitarised Burgundy.\nThere is another unit there. We"),
        (
            TRUCE_KEPT,
            {"France": "A KIE", "Germany": "A BER"},
            "You have a unit in one of our centres. " + BROKEN_WORD_PHRASE,
        ),
        (
            (*TRUCE_KEPT, *LEFT_EMPTY),
            {"France": "A KIE", "Germany": "A BER"},
            f"{BROKEN_WORD_PHRASE}\n\nRefuse demilitarised Burgundy.\nYou have a unit in one of our centres. "
            f"{BROKEN_WORD_PHRASE}",
        ),
    ],
)
def test_whose_word_is_broken_is_told_by_what_stands_on_the_board(agreed_on, there, told):
    assert (
        told
        in says(heard(*agreed_on, turn="F1901M"), view(units={**UNITS, "France": "A PIC", **there}))["France"]
    )
    peace = says(heard(*agreed_on, turn="F1901M"), view(units={**UNITS, "France": "A PIC"}))
    assert "Refuse" not in peace.get("France", "")


def test_who_broke_his_word_is_not_believed_for_three_years_each_time():
    broken = (
        "Germany",
        "France",
        f"@F1901M Refuse truce.\nYou have a unit in one of our centres. {BROKEN_WORD_PHRASE}",
    )
    letters = (*TRUCE_KEPT, broken)
    for text in ("propose truce", "propose attack on Belgium", "propose demilitarised Burgundy"):
        told = says(heard(*letters, ("France", "Germany", text), turn="S1904M"), view(units=APART))["France"]
        assert told.splitlines()[1] == "You broke your word to us in F1901M."
    assert "France" not in says(heard(*letters, turn="S1904M"), view(units=APART)), (
        "nothing is proposed to him"
    )
    asked = ("France", "Germany", "propose truce")
    assert says(heard(*letters, asked, turn="F1904M"))["France"].startswith("Accept")
    again = (
        ("France", "Germany", "@F1904M propose truce"),
        ("Germany", "France", "@F1904M Accept truce."),
        (
            "Germany",
            "France",
            f"@F1905M Refuse truce.\nYou have a unit in one of our centres. {BROKEN_WORD_PHRASE}",
        ),
    )
    told = {
        turn: says(heard(*letters, *again, asked, turn=turn))["France"].splitlines()[1]
        for turn in ("S1911M", "F1911M")
    }
    assert told["S1911M"] == "You broke your word to us twice, most recently in F1905M."
    assert told["F1911M"].startswith("We will attack you only when no one else")


def test_who_only_ends_what_was_agreed_has_kept_his_word():
    for by, to in (("France", "Germany"), ("Germany", "France")):
        ended = (by, to, "@F1901M refuse truce")
        told = says(heard(*TRUCE_KEPT, ended, ("France", "Germany", "propose truce"), turn="S1902M"))[
            "France"
        ]
        assert told.startswith("Accept")


def test_who_accuses_the_bot_has_not_broken_his_own_word():
    """A nation that ends an agreement in a bot's words."""
    ended = (
        "France",
        "Germany",
        f"@F1901M refuse truce\nYou have a unit in one of our centres. {BROKEN_WORD_PHRASE}",
    )
    asked = ("France", "Germany", "propose truce")
    assert says(heard(*TRUCE_KEPT, ended, asked, turn="S1902M"))["France"].startswith("Accept")


def test_who_kept_his_word_for_longest_is_asked_first_to_join_an_attack():
    """Both friends can come to Belgium with one unit each."""
    units = {"France": "A PIC", "England": "F NTH", "Germany": "A RUH", "Italy": "A ROM", "Austria": "A VIE"}
    for first, then in ((FRANCE, ENGLAND), (ENGLAND, FRANCE)):
        letters = [
            letter
            for friend, turn in ((first, "S1901M"), (then, "S1902M"))
            for letter in (
                (friend, "Germany", f"@{turn} propose truce"),
                ("Germany", friend, f"@{turn} Accept truce."),
            )
        ]
        told = firsts(says(heard(*letters, turn="F1903M"), view(units=units), temper="raider"))
        assert told == {first: "Propose attack on Belgium."}


def test_a_truce_ends_before_the_friend_is_attacked_since_nothing_else_is_left():
    """France has its own three centres, Germany all others, and Italy a last army."""
    french = CENTRES["France"].split()
    others = " ".join(one for one in BOARD.centres if one not in french)
    owned = {**dict.fromkeys(CENTRES, ""), "France": CENTRES["France"], "Germany": others}
    left = view(owned, {"France": "A GAS", "Germany": "A PRU", "Italy": "A TUS"})
    told = says(heard(*TRUCE_KEPT, turn="F1901M"), left).get("France")
    assert told == "Refuse truce.\nOnly our friends have centres left for us to win. Our truce is over."


@pytest.mark.parametrize(
    ("german", "ends"), [("KIE BER MUN " + "DEN SWE HOL BEL RUM BUL SER GRE STP", True), (None, False)]
)
def test_who_lacks_three_centres_is_about_to_win(german, ends):
    """France owns 15 of the 18 that win. Germany would win as soon in the other game, and is ahead."""
    french = f"{CENTRES['France']} SPA POR TUN NAP ROM VEN LON LVP EDI NWY MOS WAR"
    rest = " ".join(one for one in BOARD.centres if one not in french)
    owned = {**dict.fromkeys(CENTRES, ""), "France": french, "Germany": german or rest}
    left = view(owned, {"France": "A GAS", "Germany": "A PRU", "Italy": "A TUS"})
    told = says(heard(*TRUCE_KEPT, turn="F1901M"), left, "guardian").get("France", "")
    win = "Refuse truce.\nYou are about to win, so everyone has to stop you. Our truce is over."
    assert (told == win) is ends


# What is told at the end.


def accounted(*said: tuple[str, str | None, str]) -> list[str]:
    found = bot()
    return found.account(view(), heard(*said, turn="S1905M")).splitlines()[2:]


def test_all_are_told_at_the_end_what_became_of_what_was_agreed():
    italian = ("Italy", "Germany", "@S1901M propose truce"), ("Germany", "Italy", "@S1901M Accept truce.")
    why = f"You have a unit there. {BROKEN_WORD_PHRASE}"
    broken = ("Germany", "France", f"@F1903M Hear us.\n\nRefuse demilitarised Burgundy.\n{why}\n\nYours")
    assert accounted(*italian) == [], "what is kept needs no words"
    assert accounted(*italian, *LEFT_EMPTY, broken) == [
        f'- Burgundy left empty with France, from S1901M: we ended it in F1903M, and wrote: "{why}"',
        "- By our count, France broke its word once.",
        "- Our agreements with Italy lasted to the end.",
    ]
    assert accounted(*TRUCE_KEPT, ("France", "Germany", "@F1902M refuse truce")) == [
        "- Truce with France, from S1901M: France ended it in F1902M."
    ]
    assert accounted(*TRUCE_KEPT, ("Germany", "France", "@F1902M refuse")) == [
        "- Truce with France, from S1901M: we ended it in F1902M."
    ], "a person who played before gave no reason"


# What follows for orders.


def test_what_was_agreed_binds_the_orders():
    """The same bot, with the same dice, spares whom it has a truce with."""
    (due,) = [due for due in STANDARD.rules.due(view()) if due.seat == GERMANY]
    free = bot().with_press(view(), heard(PROPOSED)).orders(view(), due, any_dice())
    kept = bot().with_press(view(), heard(PROPOSED, ACCEPTED))
    assert kept.pact == Pact(truces=(FRANCE,))  # type: ignore[attr-defined]  # it is the family's own
    assert {type(choice) for choice in free} == {
        type(choice) for choice in kept.orders(view(), due, any_dice())
    }


TEXTS = (
    *("propose truce", "accept", "refuse", "propose attack on Belgium", "Hello", "propose attack on Xyz"),
    "propose demilitarised Burgundy",
)


@given(
    st.lists(
        st.tuples(st.sampled_from(["France", "Germany", "Italy", ""]), st.sampled_from(TEXTS)), max_size=8
    )
)
@example([("France", "accept"), ("France", "Hello")])
def test_all_talk_ends(letters):
    """After any messages: a bot that has said everything says nothing more."""
    said = [(by, "France" if by == "Germany" else "Germany", text) for by, text in letters]
    told = bot().press(view(), heard(*said), any_dice())
    assert all(isinstance(one, BotMessage) and one.to != GERMANY and one.text for one in told)
    assert (
        bot().press(view(), heard(*said, *(("Germany", one.to, one.text) for one in told)), any_dice()) == ()
    )
