"""The actions at a deadline: run, extend, ask, remind, remove, or nothing."""

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.model.deadlines import Deadlines, Loan, Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import Untaken
from adjudicator.model.people import Absence
from adjudicator.turns.deadlines import extend_for_absences
from adjudicator.turns.due_actions import (
    AskGamesmaster,
    AssignSubstitute,
    DropSilentPlayer,
    DueAction,
    EndSubstitute,
    ExtendForAbsence,
    ExtendForSilence,
    PlayTurn,
    SendReminder,
    find_due_action,
)
from adjudicator.turns.log import orders_of
from adjudicator.turns.runner import play_turns
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.memory_repository import DEADLINES, HOUR, NOON, game_of, new_position, with_changed_seat

DAY = 24 * HOUR
IROQUOIS, DAKOTA = Seat("Iroquois"), Seat("Dakota")
DEADLINE = NOON + 72 * HOUR
END = DEADLINE + DEADLINES.grace


def beaver(**terms: Any) -> GamePosition:
    """Two people among bots, under such terms."""
    people = {IROQUOIS: "iroquois@example.net", DAKOTA: "dakota@example.net"}
    position = new_position("indianomacy", people=people)
    assert position.deadline == DEADLINE
    return replace(position, deadlines=replace_fields(DEADLINES, **terms))


def file_holds(position: GamePosition, *seats: Seat) -> GamePosition:
    """These seats have ordered everything to hold."""
    rules = game_of(position).rules
    filed = {
        due.seat: tuple(rules.default(position.state, due))
        for due in rules.due(position.state)
        if due.seat in seats
    }
    return replace(position, filed={**position.filed, **filed})


def seen_at(position: GamePosition, now: int) -> DueAction | None:
    """Return the actions at an instant, with the mailbox read since."""
    return find_due_action(game_of(position), position, now, now)


def away(seat: Seat, first: int, last: int) -> Absence:
    return Absence(seat=seat, first=first, last=last)


def test_before_the_deadline_nothing_is_to_be_done() -> None:
    assert seen_at(beaver(), NOON) is None
    assert seen_at(beaver(), END) is None


def test_the_turn_is_played_when_its_time_is_over() -> None:
    assert seen_at(beaver(), END + 1) == PlayTurn(ripe=True)
    assert find_due_action(game_of(beaver()), beaver(), END + 1, END) is None


def test_the_turn_is_played_early_when_all_people_have_ordered() -> None:
    assert seen_at(file_holds(beaver(), IROQUOIS), NOON) is None
    assert seen_at(file_holds(beaver(), IROQUOIS, DAKOTA), NOON) == PlayTurn(ripe=False)


def test_wait_keeps_a_turn_from_being_played_early() -> None:
    both = file_holds(beaver(), IROQUOIS, DAKOTA)
    assert seen_at(with_changed_seat(both, IROQUOIS, wait=True), NOON) is None
    assert seen_at(replace(both, early=False), NOON) is None
    assert seen_at(with_changed_seat(both, IROQUOIS, wait=True), END + 1) == PlayTurn(ripe=True)


@pytest.mark.parametrize("how", ["wait", "late"])
def test_after_the_deadline_the_turn_runs_as_soon_as_all_orders_are_in(how: str) -> None:
    """WAIT and early=no hold it until its deadline, and no longer."""
    both = file_holds(beaver(), IROQUOIS, DAKOTA)
    held = with_changed_seat(both, IROQUOIS, wait=True) if how == "wait" else replace(both, early=False)
    assert [seen_at(held, at) for at in (NOON, DEADLINE - 1, DEADLINE)] == [None] * 3
    assert [seen_at(held, at) for at in (DEADLINE + 1, DEADLINE + HOUR, END)] == [PlayTurn(ripe=False)] * 3
    played = play_turns(game_of(held), held, DEADLINE + 1, ripe=False)
    assert played is not None
    assert not played.steps[0].entry.silent


def test_in_the_grace_the_turn_runs_when_the_missing_orders_are_in() -> None:
    some = with_changed_seat(file_holds(beaver(), IROQUOIS), IROQUOIS, wait=True)
    assert [seen_at(some, at) for at in (DEADLINE + 1, END)] == [None] * 2
    assert play_turns(game_of(some), some, DEADLINE + HOUR, ripe=False) is None
    assert seen_at(file_holds(some, DAKOTA), DEADLINE + HOUR) == PlayTurn(ripe=False)
    assert seen_at(with_changed_seat(some, DAKOTA, ready=True), DEADLINE + HOUR) == PlayTurn(ripe=False)
    assert seen_at(some, END + 1) == PlayTurn(ripe=True)


def test_a_mistake_holds_the_turn_until_the_end_of_the_grace() -> None:
    both = file_holds(beaver(), IROQUOIS, DAKOTA)
    wrong = (*both.filed[IROQUOIS], Untaken(line="Mohawk - Nowhere"))
    mistaken = replace(both, filed={**both.filed, IROQUOIS: wrong})
    assert [seen_at(mistaken, at) for at in (DEADLINE + 1, END)] == [None] * 2
    assert seen_at(mistaken, END + 1) == PlayTurn(ripe=True)


def test_what_came_in_time_is_read_before_a_turn_runs_in_the_grace() -> None:
    """A change that was sent a minute before the deadline lies in the mailbox when that is over."""
    held = replace(file_holds(beaver(), IROQUOIS, DAKOTA), early=False)
    assert find_due_action(game_of(held), held, DEADLINE + HOUR, None) is None
    assert find_due_action(game_of(held), held, DEADLINE + HOUR, DEADLINE) is None
    assert find_due_action(game_of(held), held, DEADLINE + HOUR, DEADLINE + 1) == PlayTurn(ripe=False)
    early = file_holds(beaver(), IROQUOIS, DAKOTA)
    assert find_due_action(game_of(early), early, DEADLINE - 1, None) == PlayTurn(ripe=False)


def test_who_was_not_reminded_before_the_deadline_is_in_the_grace() -> None:
    """Such as after an outage: orders still count."""
    position = file_holds(beaver(reminder=DAY), DAKOTA)
    assert [seen_at(position, at) for at in (DEADLINE + 1, END)] == [SendReminder((IROQUOIS,))] * 2
    assert seen_at(position, END + 1) == PlayTurn(ripe=True)
    assert seen_at(replace(position, timing=Timing(reminded=True)), DEADLINE + 1) is None


@pytest.mark.parametrize("kind", ["pause", "hold", "nmr"])
def test_while_the_clock_stands_still_nothing_happens(kind: Any) -> None:
    both = file_holds(beaver(reminder=DAY), IROQUOIS, DAKOTA)
    stop = Stop(kind=kind, since=NOON, left=HOUR, by="gm")
    still = replace(both, deadline=None, timing=Timing(stop=stop))
    assert [seen_at(still, at) for at in (NOON, DEADLINE, END + 1, END + 99 * DAY)] == [None] * 4


def test_who_owes_is_reminded_once() -> None:
    position = file_holds(beaver(reminder=DAY), DAKOTA)
    assert seen_at(position, DEADLINE - DAY - 1) is None
    assert seen_at(position, DEADLINE - DAY) == SendReminder((IROQUOIS,))
    assert seen_at(position, DEADLINE) == SendReminder((IROQUOIS,))
    reminded = replace(position, timing=Timing(reminded=True))
    assert seen_at(reminded, DEADLINE - HOUR) is None
    assert seen_at(beaver(), DEADLINE - HOUR) is None


def test_half_of_the_orders_are_missing_too() -> None:
    position = file_holds(beaver(reminder=DAY), IROQUOIS, DAKOTA)
    some = replace(position, filed={**position.filed, DAKOTA: position.filed[DAKOTA][:2]})
    assert seen_at(some, DEADLINE - HOUR) == SendReminder((DAKOTA,))


def test_nobody_is_reminded_in_the_first_half_of_a_turn() -> None:
    """A reminder that is longer than the turn would come with the report."""
    position = beaver(reminder=9 * DAY)
    assert seen_at(position, NOON + 36 * HOUR - 1) is None
    assert seen_at(position, NOON + 36 * HOUR) == SendReminder((DAKOTA, IROQUOIS))


def test_the_deadline_is_put_off_once() -> None:
    position = file_holds(beaver(nmr="extend", extension=30 * HOUR), DAKOTA)
    assert seen_at(position, END + 1) == ExtendForSilence(END + 1 + 30 * HOUR, (IROQUOIS,))
    again = replace(position, timing=Timing(extended=True))
    assert seen_at(again, END + 1) == PlayTurn(ripe=True)


def test_an_extension_ends_on_a_day_that_counts() -> None:
    """The grace ends on a Tuesday at midnight; Wednesdays do not count."""
    position = file_holds(beaver(nmr="extend", days_off=("wed",)), DAKOTA)
    found = seen_at(position, END + 1)
    assert isinstance(found, ExtendForSilence)
    assert found.deadline >= END + 2 * DAY


def test_the_gamesmaster_decides_about_silence() -> None:
    position = file_holds(beaver(nmr="gm"), DAKOTA)
    assert seen_at(position, END + 1) == AskGamesmaster((IROQUOIS,))


@pytest.mark.parametrize("policy", ["hold", "bot"])
def test_other_terms_let_the_turn_be_played(policy: Any) -> None:
    assert seen_at(beaver(nmr=policy), END + 1) == PlayTurn(ripe=True)


@pytest.mark.parametrize("policy", ["hold", "bot", "extend", "gm"])
def test_with_some_order_of_everybody_there_is_no_silence(policy: Any) -> None:
    position = file_holds(beaver(nmr=policy), IROQUOIS, DAKOTA)
    some = replace(position, filed={seat: orders[:1] for seat, orders in position.filed.items()})
    assert seen_at(some, END + 1) == PlayTurn(ripe=True)


def test_who_said_ready_is_not_silent() -> None:
    position = file_holds(beaver(nmr="gm"), DAKOTA)
    assert seen_at(with_changed_seat(position, IROQUOIS, ready=True), END + 1) == PlayTurn(ripe=True)


def test_in_the_first_turn_nobody_is_passed_over() -> None:
    """If the terms say so: put off once, then the gamesmaster is asked; later turns go as agreed."""
    position = file_holds(beaver(protect=True), DAKOTA)
    assert seen_at(position, END + 1) == ExtendForSilence(END + 1 + DAY, (IROQUOIS,))
    assert seen_at(replace(position, timing=Timing(extended=True)), END + 1) == AskGamesmaster((IROQUOIS,))
    assert seen_at(replace(position, played=1), END + 1) == PlayTurn(ripe=True)


def test_a_seat_goes_to_its_bot_after_so_many_silent_turns() -> None:
    position = beaver(dropout=3)
    key = position.assignments[IROQUOIS].lapse_key
    assert seen_at(replace(position, timing=Timing(lapses={key: 2})), NOON) is None
    assert seen_at(replace(position, timing=Timing(lapses={key: 3})), NOON) == DropSilentPlayer(IROQUOIS, 3)
    free = replace(beaver(), timing=Timing(lapses={key: 3}))
    assert seen_at(free, NOON) is None


def test_another_player_begins_afresh() -> None:
    position = beaver(dropout=1)
    old = position.assignments[IROQUOIS]
    new = old.with_player("else@example.net")
    seated = replace(position, assignments={**position.assignments, IROQUOIS: new})
    assert seen_at(replace(seated, timing=Timing(lapses={old.lapse_key: 9})), NOON) is None


def test_silence_is_counted_in_a_row_and_only_where_something_was_owed() -> None:
    position = file_holds(beaver(), DAKOTA)
    played = play_turns(game_of(position), position, END + 1, ripe=True)
    assert played is not None
    assert played.steps[0].entry.silent == (IROQUOIS,)
    key = position.assignments[IROQUOIS].lapse_key
    assert played.timing.lapses == {key: 1}
    spoken = file_holds(replace(position, timing=Timing(lapses={key: 2})), IROQUOIS, DAKOTA)
    after = play_turns(game_of(spoken), spoken, END + 1, ripe=True)
    assert after is not None
    assert after.timing.lapses == {}


def test_a_bot_orders_for_the_silent_and_the_silence_counts() -> None:
    position = file_holds(beaver(nmr="bot"), DAKOTA)
    played = play_turns(game_of(position), position, END + 1, ripe=True)
    assert played is not None
    entry, game = played.steps[0].entry, game_of(position)
    assert entry.silent == (IROQUOIS,)
    orders = [game.notation.write(order) for order in orders_of(game, entry)[IROQUOIS]]
    assert sorted(entry.reasons[IROQUOIS]) == sorted(orders)


class TestAbsences:
    """The effects of an absence, by the game's settings."""

    def test_the_deadline_is_put_off_until_a_day_after_the_return(self) -> None:
        back = DEADLINE + DAY
        gone = replace(beaver(), absences=(away(IROQUOIS, NOON + DAY, back),))
        assert seen_at(gone, NOON) == ExtendForAbsence(back + DAY, (IROQUOIS,))

    def test_who_is_back_shortly_before_the_deadline_has_a_day_too(self) -> None:
        gone = replace(beaver(), absences=(away(IROQUOIS, NOON, DEADLINE - HOUR),))
        assert seen_at(gone, NOON) == ExtendForAbsence(DEADLINE + 23 * HOUR, (IROQUOIS,))

    @pytest.mark.parametrize(
        "absence",
        [
            away(IROQUOIS, NOON, DEADLINE - DAY),
            away(IROQUOIS, DEADLINE + 1, DEADLINE + 9 * DAY),
            away(IROQUOIS, NOON - 9 * DAY, NOON),
            away(Seat("Apache"), NOON, DEADLINE + DAY),
        ],
    )
    def test_other_absences_move_nothing(self, absence: Absence) -> None:
        """In time back, not yet gone, long back, a bot's."""
        assert seen_at(replace(beaver(), absences=(absence,)), NOON) is None

    def test_one_absence_after_the_other(self) -> None:
        gone = (away(IROQUOIS, NOON, DEADLINE), away(DAKOTA, DEADLINE + HOUR, DEADLINE + 5 * DAY))
        assert seen_at(replace(beaver(), absences=gone), NOON) == ExtendForAbsence(
            DEADLINE + 6 * DAY, (IROQUOIS, DAKOTA)
        )

    def test_no_further_than_the_terms_allow(self) -> None:
        gone = replace(beaver(away_limit=2 * DAY), absences=(away(IROQUOIS, NOON, DEADLINE + 30 * DAY),))
        assert seen_at(gone, NOON) == ExtendForAbsence(DEADLINE + 2 * DAY, (IROQUOIS,))
        put_off = replace(gone, deadline=DEADLINE + 2 * DAY, timing=Timing(first=DEADLINE))
        assert seen_at(put_off, NOON) is None

    def test_whose_orders_are_in_need_not_be_waited_for(self) -> None:
        gone = replace(beaver(), absences=(away(IROQUOIS, NOON, DEADLINE + DAY),))
        assert seen_at(file_holds(gone, IROQUOIS), NOON) is None

    def test_a_deadline_set_by_hand_stays(self) -> None:
        gone = replace(beaver(), absences=(away(IROQUOIS, NOON, DEADLINE + DAY),))
        assert seen_at(replace(gone, timing=Timing(by_hand=True)), NOON) is None

    @pytest.mark.parametrize("policy", ["ignore", "bot", "substitute"])
    def test_where_the_terms_say_otherwise_no_deadline_moves(self, policy: Any) -> None:
        gone = replace(beaver(away=policy), absences=(away(IROQUOIS, NOON, DEADLINE + DAY),))
        assert seen_at(gone, NOON) is None

    def test_the_next_turn_is_put_off_from_the_start(self) -> None:
        back = END + 9 * DAY
        gone = replace(file_holds(beaver(), IROQUOIS, DAKOTA), absences=(away(IROQUOIS, NOON + HOUR, back),))
        played = play_turns(game_of(gone), gone, NOON, ripe=False)
        assert played is not None
        assert (played.deadline, played.timing.first) == (back + DAY, DEADLINE)

    def test_a_bot_orders_for_who_is_away(self) -> None:
        """The player isn't awaited or reminded, and doesn't miss the turn; the saved orders count."""
        gone = replace(beaver(away="bot", reminder=DAY), absences=(away(IROQUOIS, NOON, END + DAY),))
        assert seen_at(gone, DEADLINE - HOUR) == SendReminder((DAKOTA,))
        alone = file_holds(gone, DAKOTA)
        assert seen_at(alone, NOON) == PlayTurn(ripe=False)
        played = play_turns(game_of(alone), alone, NOON, ripe=False)
        assert played is not None
        entry = played.steps[0].entry
        assert (entry.silent, played.timing.lapses) == ((), {})
        assert entry.reasons[IROQUOIS]
        filed = file_holds(alone, IROQUOIS)
        said = play_turns(game_of(filed), filed, NOON, ripe=False)
        assert said is not None
        assert IROQUOIS not in said.steps[0].entry.reasons

    def test_a_game_of_people_who_are_all_away_does_not_run_off(self) -> None:
        both = (away(IROQUOIS, NOON, END + DAY), away(DAKOTA, NOON, END + DAY))
        gone = replace(beaver(away="bot", nmr="gm"), absences=both)
        assert seen_at(gone, NOON) is None
        assert seen_at(gone, END + 1) == PlayTurn(ripe=True)
        played = play_turns(game_of(gone), gone, END + 1, ripe=True)
        assert played is not None
        assert len(played.steps) == 1

    def test_an_absence_never_makes_a_deadline_earlier(self) -> None:
        deadlines = Deadlines(lengths={"moves": 72 * HOUR}, grace=0, away_limit=HOUR)
        late = DEADLINE + 5 * DAY
        absence = away(IROQUOIS, NOON, late + DAY)
        assert extend_for_absences(late, DEADLINE, "moves", [absence], deadlines, NOON) == late


class TestSubstitutes:
    """People on the waiting list play a seat while its player is away."""

    absence = away(IROQUOIS, NOON + HOUR, NOON + 9 * DAY)

    def looked(self, position: GamePosition, now: int, *waiting: str) -> DueAction | None:
        return find_due_action(game_of(position), position, now, now, waiting)

    def gone(self, **terms: Any) -> GamePosition:
        return replace(beaver(**{"away": "substitute", **terms}), absences=(self.absence,))

    def test_the_first_who_waits_sits_down_when_the_absence_begins(self) -> None:
        assert self.looked(self.gone(), NOON, "first@example.net") is None
        found = self.looked(self.gone(), NOON + HOUR, "first@example.net", "second@example.net")
        assert found == AssignSubstitute(self.absence, "first@example.net")

    def test_whoever_plays_in_the_game_waits_in_vain(self) -> None:
        found = self.looked(self.gone(), NOON + HOUR, "dakota@example.net", "second@example.net")
        assert found == AssignSubstitute(self.absence, "second@example.net")
        assert self.looked(self.gone(), NOON + HOUR, "dakota@example.net") is None

    def test_where_nobody_waits_a_bot_orders(self) -> None:
        alone = file_holds(self.gone(), DAKOTA)
        assert self.looked(alone, NOON + HOUR) == PlayTurn(ripe=False)

    @pytest.mark.parametrize("policy", ["ignore", "bot", "deadline"])
    def test_only_where_the_terms_say_so(self, policy: Any) -> None:
        found = self.looked(self.gone(away=policy), NOON + HOUR, "first@example.net")
        assert not isinstance(found, AssignSubstitute)

    def test_the_seat_comes_back(self) -> None:
        loan = Loan(
            owner="iroquois@example.net", password=None, substitute="first@example.net", until=DEADLINE
        )
        lent = replace(beaver(), timing=Timing(loans={IROQUOIS: loan}))
        assert self.looked(lent, DEADLINE - 1) is None
        assert self.looked(lent, DEADLINE) == EndSubstitute(IROQUOIS, loan)

    def test_a_loan_outlasts_a_turn(self) -> None:
        loan = Loan(owner="iroquois@example.net", password=None, substitute="first@example.net", until=END)
        lent = replace(file_holds(beaver(), IROQUOIS, DAKOTA), timing=Timing(loans={IROQUOIS: loan}))
        played = play_turns(game_of(lent), lent, NOON, ripe=False)
        assert played is not None
        assert played.timing.loans == {IROQUOIS: loan}


def test_a_lapse_is_remembered_by_seat_and_generation() -> None:
    assignment = beaver().assignments[IROQUOIS]
    assert assignment.lapse_key != replace_fields(assignment, generation=assignment.generation + 1).lapse_key
