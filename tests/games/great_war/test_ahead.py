"""Orders for Round 2 and the Bonus phase in the email for Round 1: saved, checked, kept and carried out."""

from dataclasses import replace

import pytest

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import LetterRemarks, file_orders
from adjudicator.model.games import SeatAssignment
from adjudicator.model.orders_on_file import Filing, order_of, turn_of, write_item
from adjudicator.turns.gather import has_all_orders
from games.great_war.model import PLAYER
from games.record import replace_fields
from orders.conditions import When
from orders.verdict import LineVerdict
from tests.games.great_war.front import GAME, NOTATION, RULES, field, order
from tests.kit.memory_repository import NOON, new_position

HAND = "B-QS, B-KS, B-10H, B08, B-JK1"


def position(state, **filed):
    """Return a game with this state and a human player."""
    opening = new_position("great-war", people={"player": "player@example.org"})
    return replace(opening, state=state, filed=filed)


def filed(state, *texts, before=(), hurried=False):
    """Return the result of an email with these lines."""
    rows = [
        LineVerdict(line=text, source="body", grade="taken", order=order(state, text), said=text)
        for text in texts
    ]
    seated = AuthenticatedSeat(position(state), PLAYER, "token")
    return file_orders(GAME, seated, rows, before, NOON, remarks=LetterRemarks(hurried=hurried))


@pytest.mark.clause("great-war", "M.round")
def test_an_order_is_filed_for_the_part_of_the_turn_that_it_names():
    """The lines have no PHASE."""
    found = filed(field(hand=HAND), "ATTACK 1ST: B-QS", "ATTACK 2ND: B-KS", "BONUS: B08")
    assert [turn_of(item) for item in found.orders] == [None, "T1R2", "T1B"]
    texts = [write_item(GAME, item) for item in found.orders]
    assert texts == ["ATTACK 1ST: B-QS", "ATTACK 2ND: B-KS", "BONUS: B08"]


def test_in_round_2_the_line_for_it_is_for_now():
    found = filed(field(hand=HAND, number=2), "ATTACK 2ND: B-KS", "BONUS: B08")
    assert [turn_of(item) for item in found.orders] == [None, "T1B"]
    late = filed(field(hand=HAND, number=2), "ATTACK 1ST: B-KS")
    assert [row.grade for row in late.rows] == ["unlawful"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("DEFEND 2ND: B-KS", "in this Turn you attack"),
        ("ATTACK 2ND: B-AS", "B-AS Georges Guynemer isn't in your hand"),
        ("ATTACK 2ND: B-QS", "B-QS British Infantry isn't in your hand; you hold B-KS"),
        ("CANCEL R-KH WITH W02 2ND", "W02 T.E. Lawrence isn't in your hand"),
        ("BONUS: B09", "B09 Creeping Barrage isn't in your hand"),
        ("BLOCKADE: B-2S > BEST", "B-2S Allies Naval Blockade isn't in your hand"),
    ],
)
def test_what_cannot_come_is_foreseen(text, problem):
    """A card that is played in Round 1 can't be played in Round 2."""
    rows = filed(field(hand=HAND), "ATTACK 1ST: B-QS", text).rows
    assert [row.grade for row in rows] == ["taken", "unlawful"]
    assert rows[1].problem.startswith(problem)


def test_what_may_come_is_taken():
    state = field(hand="B-QS, B-2S, B08, B-JK1")
    texts = (
        "ATTACK 1ST: B-2S",
        "ATTACK 2ND: B-QS + B-AS",
        "CANCEL BEST WITH B-JK1 2ND",
        "BLOCKADE: B-2S > BEST",
    )
    assert {row.grade for row in filed(state, *texts, "PASS 2ND", "BONUS: NONE").rows} == {"taken"}


def in_round_2(items, **assignment):
    """Return whether Round 2 runs at once with these saved orders."""
    state = field(hand=HAND, number=2)
    (due,) = RULES.due(state)
    return has_all_orders(
        GAME, state, due, SeatAssignment(seat=PLAYER, address="player@example.org", **assignment), items
    )


@pytest.mark.clause("great-war", "M.round")
def test_what_was_sent_ahead_is_kept_until_its_writer_has_looked():
    """NOWAIT, READY or a new email make it run."""
    state = field(hand=HAND)
    ahead = filed(state, "ATTACK 2ND: B-KS").orders
    assert not in_round_2(ahead)
    assert in_round_2(ahead, ready=True)
    assert in_round_2(filed(state, "ATTACK 2ND: B-KS", hurried=True).orders)
    later = field(hand=HAND, number=2)
    assert in_round_2(filed(later, before=ahead, hurried=True).orders)
    assert not in_round_2(filed(later, before=ahead).orders)
    new = filed(later, "ATTACK 2ND: B-QS", before=ahead).orders
    assert [NOTATION.write(order_of(item)) for item in new] == ["ATTACK 2ND: B-QS"]
    assert in_round_2(new)
    assert not in_round_2(new, wait=True)


def test_the_bonus_phase_waits_for_nobody():
    state = replace_fields(field(hand=HAND), stage="bonus")
    (due,) = RULES.due(state)
    assignment = SeatAssignment(seat=PLAYER, address="player@example.org")
    kept = Filing(order=order(state, "BONUS: B08"), when=When(turn="T1B"))
    assert has_all_orders(GAME, state, due, assignment, ())
    assert has_all_orders(GAME, state, due, assignment, (kept,))
