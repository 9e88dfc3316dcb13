"""Each grade of a verdict in words, with its mark."""

import pytest

from adjudicator.messages import as_sentence, sentence
from adjudicator.model.deadline_status import Overdue
from adjudicator.reports.verdict import BAD, GOOD, SAME, CommandAnswer, Transcript, fate, fates
from games.protocol import Turn
from games.record import replace_fields
from orders.verdict import LineVerdict

SAID = "picker pear to plum"


def told_of(slug, **values):
    return sentence(f"reports.transcript.{slug}", **values)


@pytest.mark.parametrize(
    ("verdict", "mark", "outcome"),
    [
        (LineVerdict(line="x", grade="taken", said=SAID), GOOD, told_of("in_force", said=SAID)),
        (LineVerdict(line="x", grade="corrected", said=SAID), GOOD, told_of("in_force", said=SAID)),
        (LineVerdict(line="x", grade="doubtful", said=SAID), BAD, told_of("doubtful", said=SAID)),
        (
            LineVerdict(line="x", grade="unlawful", said=SAID),
            BAD,
            told_of("unlawful", said=SAID),
        ),
        (LineVerdict(line="x", grade="late", said=SAID), BAD, told_of("late", said=SAID)),
        (LineVerdict(line="x", grade="idle", said=SAID), SAME, told_of("idle", said=SAID)),
        (LineVerdict(line="x", grade="ambiguous", said=SAID), BAD, told_of("not_filed", said=SAID)),
        (LineVerdict(line="x", grade="ambiguous", problem="two trees"), BAD, "Two trees."),
        (LineVerdict(line="x", grade="unread"), BAD, as_sentence(told_of("not_understood"))),
    ],
)
def test_every_grade_has_its_mark_and_its_words(verdict, mark, outcome):
    told = fate(verdict)
    assert (told.mark, told.outcome) == (mark, outcome)


def test_a_line_that_a_later_one_replaces_changes_nothing():
    told = fate(LineVerdict(line="x", grade="taken", said=SAID, superseded=True))
    assert told.mark == SAME
    assert told.outcome == told_of("superseded", said=SAID)


def test_a_problem_is_told_once():
    understood = fate(LineVerdict(line="x", grade="unlawful", said=SAID, problem="the ladder is short"))
    assert (understood.outcome, understood.details) == ("Not possible: the ladder is short.", ())
    late = fate(LineVerdict(line="x", grade="late", said=SAID, problem="the ladder is short"))
    assert (late.outcome, late.details) == (told_of("late", said=SAID), ("The ladder is short.",))
    assert fate(LineVerdict(line="x", grade="unread", problem="the ladder is short")).details == ()


def test_what_to_write_instead_is_the_candidates_or_the_suggestion():
    """The reader suggests a guess; it is dropped if the rules reject it."""
    assert fate(LineVerdict(line="x", grade="ambiguous", candidates=("a", "b"))).instead == ("a", "b")
    assert fate(LineVerdict(line="x", grade="unread", instead="c")).instead == ("c",)
    assert fate(LineVerdict(line="x", grade="doubtful", said=SAID, instead=SAID)).instead == (SAID,)
    assert fate(LineVerdict(line="x", grade="doubtful", said=SAID)).instead == ()
    assert fate(LineVerdict(line="x", grade="taken", said=SAID, instead="c")).instead == ()


def test_the_summary_counts_what_counts_and_what_has_to_be_looked_at():
    taken = LineVerdict(line="x", grade="taken", said=SAID)
    idle = LineVerdict(line="x", grade="idle", said=SAID)
    unread = LineVerdict(line="x", grade="unread")
    mixed = Transcript(fingerprint="f", rows=(taken, taken, idle, unread))
    assert (mixed.summary, mixed.counts) == ("orders: 1 to fix, 2 accepted", "1 to fix, 2 accepted")
    assert Transcript(fingerprint="f", rows=(unread, unread)).summary == "orders: 2 to fix"
    assert Transcript(fingerprint="f", rows=(taken,)).summary == "orders: 1 accepted"
    assert Transcript(fingerprint="f", rows=(idle,)).summary == "orders: nothing changed"
    answered = Transcript(fingerprint="f", answered=(CommandAnswer("STATUS", "x"),))
    assert answered.summary == told_of("your_answer")
    assert Transcript(fingerprint="f", notes=("x",)).summary == told_of("your_letter")
    assert Transcript(fingerprint="f").summary == told_of("no_orders")


def test_the_lines_to_fix_come_first():
    taken = LineVerdict(line="a", grade="taken", said=SAID)
    late = LineVerdict(line="b", grade="late", said=SAID, problem="the ladder is short")
    told = fates((late, taken, replace_fields(taken, superseded=True), late))
    assert [one.mark for one in told] == [BAD, BAD, GOOD, SAME]
    assert [one.details for one in told[:2]] == [("The ladder is short.",), ()], "why is said once"


@pytest.mark.parametrize("state", [{"wait": True}, {"ready": True, "missing": ("pear",)}, {"owes": False}])
def test_a_note_that_the_outlook_repeats_is_left_out(state):
    kept = "The game is yours."
    transcript = Transcript(fingerprint="f", turn=TURN, early=True, **state)
    noted = replace_fields(transcript, notes=(transcript.outlook, transcript.outlook.split(". ")[0], kept))
    assert noted.remarks == (kept,)


TURN = Turn(kind="moves", name="Year 1, picking", short="Y1P")
OVERDUE = Overdue(deadline=1_000, until=2_000, closed=False)
REST = dict(in_queue=False, queues=False)


@pytest.mark.parametrize(
    ("state", "slugs"),
    [
        ({"early": True, "missing": ("pear",)}, ["earlier"]),
        ({"early": True, "missing": ("pear",), "ready": True}, ["said_ready"]),
        ({"early": True}, ["all_in"]),
        ({}, ["at_deadline"]),
        ({"early": True, "wait": True}, [("wait", {"alone": False})]),
        ({"early": True, "flagged": True}, [("rests", {"until": "deadline", **REST})]),
        # Without a deadline.
        ({"early": True, "alone": True, "missing": ("pear",)}, ["alone"]),
        ({"early": True, "alone": True}, ["alone_in"]),
        ({"early": True, "alone": True, "wait": True}, [("wait", {"alone": True})]),
        ({"early": True, "alone": True, "flagged": True}, [("rests", {"until": "alone", **REST})]),
        # While the game is paused, or its turn held.
        ({"stopped": True, "missing": ("pear",)}, []),
        ({"stopped": True, "wait": True}, [("wait_stopped", {"alone": False})]),
        ({"stopped": True, "wait": True, "alone": True}, [("wait_stopped", {"alone": True})]),
        ({"stopped": True, "flagged": True}, [("rests", {"until": "stopped", **REST})]),
        ({"stopped": True, "flagged": True, "alone": True}, [("rests", {"until": "stopped", **REST})]),
        # After the deadline.
        ({"overdue": OVERDUE, "early": True}, []),
        ({"overdue": OVERDUE, "early": True, "missing": ("pear",)}, ["yours_missing"]),
        ({"overdue": OVERDUE, "missing": ("pear",), "ready": True}, []),
        ({"overdue": OVERDUE, "wait": True, "missing": ("pear",)}, ["wait_over", "yours_missing"]),
        ({"overdue": OVERDUE, "flagged": True}, [("rests", {"until": "grace", **REST})]),
        ({"overdue": replace_fields(OVERDUE, closed=True), "missing": ("pear",), "flagged": True}, []),
    ],
)
def test_what_the_turn_waits_for(state, slugs):
    told = Transcript(fingerprint="f", turn=TURN, **state)
    said = [(one, {}) if isinstance(one, str) else one for one in slugs]
    expected = [sentence(f"reports.transcript.{slug}", **values) for slug, values in said]
    assert told.outlook == " ".join(expected)


@pytest.mark.parametrize("state", [{"alone": True}, {"stopped": True}, {"overdue": OVERDUE}])
@pytest.mark.parametrize("more", [{"flagged": True}, {"wait": True}, {"missing": ("pear",)}, {}])
def test_no_deadline_is_promised_that_does_not_run(state, more):
    told = Transcript(fingerprint="f", turn=TURN, early="stopped" not in state, **state, **more)
    ahead = [clause for clause in ("run early", "before its deadline") if clause in told.outlook]
    assert not ahead or told.outlook.startswith("When the game resumes")
