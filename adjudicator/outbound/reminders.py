"""Actions at set times other than turns, and digests: stored and announced in one transaction."""

import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from adjudicator.auth.passwords import seal as seal_password
from adjudicator.clock import DAY, Millis, datetime_of, instant_of
from adjudicator.context import RequestContext
from adjudicator.errors import WriteConflict
from adjudicator.logs import log_context
from adjudicator.messages import sentence
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.deadline_status import (
    is_asleep,
    is_solo,
    overdue,
    start_position_clock,
    stop_position_clock,
    timing_without_clock,
    to_correct,
    with_correction,
    with_reminders_sent,
)
from adjudicator.model.deadlines import Loan, Stop, Timing
from adjudicator.model.games import EndGame, GamePosition, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import AnyPersonAction, Digest, NoteDigest, OfferSeat, Subscription
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.notifications import PASSWORD_BYTES, Announcer, side_effects
from adjudicator.reports import messages, times
from adjudicator.reports.maps import calendar_entry, deadline_file, deadlines_file
from adjudicator.reports.messages import WaitingGame, caller_of, name_seat, zone_of
from adjudicator.reports.order_sheet import sheet
from adjudicator.reports.render import text_badges
from adjudicator.reports.times import CalendarEntry, Words, why_no_deadline
from adjudicator.storage import due_games, stored_games
from adjudicator.storage.database import Database
from adjudicator.storage.stored_games import Minute, SideEffects
from adjudicator.turns.deadlines import calendar_of, missing_orders, people_due, with_clock
from adjudicator.turns.due_actions import (
    VOTE_ACTOR,
    AskGamesmaster,
    AssignSubstitute,
    CarryMotion,
    Correct,
    DropSilentPlayer,
    DueAction,
    EndSubstitute,
    ExtendForAbsence,
    ExtendForSilence,
    IdleReminder,
    OpenMotion,
    PlayTurn,
    SendReminder,
    StartClock,
    StopClock,
    otherwise,
)
from games.language import join_list
from games.protocol import GameResult, Seat, Turn
from games.record import replace_fields

CLOCK_ACTOR = "clock"
"""The name of the clock in logs."""

CLOCK_STOPPED = "unwound"

MIN_RESUMED_TIME: Millis = DAY
"""The minimum time that a resumed turn has, unless the game's turns are shorter."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ClockActions:
    """The clock actions of one service."""

    database: Database
    writer: ReportComposer

    def carry_out(self, position: GamePosition, errand: DueAction, now: Millis) -> None:
        """Carry out an action other than a turn. Raises WriteConflict if the database has changed since."""
        log.info("game %s: %s", position.name, errand, extra=log_context(game=position.name))
        match errand:
            case ExtendForSilence():
                self._extend(position, errand, now)
            case ExtendForAbsence():
                self._extend_for_absence(position, errand, now)
            case AskGamesmaster():
                self._ask_gamesmaster(position, errand, now)
            case SendReminder():
                self._remind(position, errand, now)
            case DropSilentPlayer():
                self._hand_to_bot(position, errand, now)
            case AssignSubstitute():
                self._assign_substitute(position, errand, now)
            case EndSubstitute():
                self._end_substitute(position, errand, now)
            case StopClock():
                self._stop_clock(position, now)
            case StartClock():
                self._start_clock(position, errand, now)
            case Correct():
                self._correct(position, now)
            case IdleReminder():
                self._remind_idle_player(position, errand, now)
            case CarryMotion():
                self._carry_motion(position, errand.motion, now)
            case PlayTurn():
                raise AssertionError("turns are played by the house")
            case _:
                assert_never(errand)

    def give_time_back(
        self, position: GamePosition, since: Millis, now: Millis, *, by_hold: bool = False
    ) -> None:
        """Extend a game's deadline by the time lost to an outage, up to the length of its turn.

        by_hold: whether only this game was suspended. Raises as `carry_out` does, and Refusal if its time
        zone no longer exists.
        """
        at, turn = position.deadline, turn_of(position)
        if not position.is_running or at is None:
            return
        lost = min(now - since, position.deadlines.length(turn.kind))
        if at >= now + lost:
            return
        deadline = calendar_of(position.deadlines).next_allowed(now + lost)
        after = _set_deadline(position, deadline)
        message = times.outage_notice(turn, deadline, since, now, of_game=by_hold)
        held, down = (
            sentence("outbound.clock_actions.game_was_held"),
            sentence("outbound.clock_actions.service_was_down"),
        )
        minute = _make_minute(position, now, held if by_hold else down)
        stored_games.change(
            self.database,
            position,
            after,
            minute,
            SideEffects(now, self.notify_all(after, "outage", message, now)),
        )

    def notify_all(
        self,
        position: GamePosition,
        what: str,
        message: tuple[str, Words],
        now: Millis,
        assignments: Iterable[SeatAssignment] | None = None,
    ) -> list[OutgoingMessage]:
        """Return a notice to each player of a game, with the current deadline for their calendar.

        what: identifies the notice among the emails of this revision. message: its subject and paragraphs.
        assignments: the assignments, if they differ from the position's.
        """
        subject, words = message
        # A solo game has no deadline in its player's calendar, except for the email that removes it.
        noted = position.deadline is not None or what == CLOCK_STOPPED or not is_solo(position)
        organizer, sealed = self.writer.organizer, []
        for assignment in position.assignments.values() if assignments is None else assignments:
            if assignment.is_person:
                reader = self.writer.reader(position, assignment)
                notice = messages.notice(
                    reader,
                    messages.Heading(
                        f"{position.name}/{position.entries}/{what}/{position.rev}/{assignment.seat}", subject
                    ),
                    words(assignment.seat, reader.zone),
                    attached=deadline_file(position, assignment.seat, now, organizer) if noted else (),
                )
                sealed.append(self.writer.seal(notice, now))
        return sealed

    def _extend(self, position: GamePosition, errand: ExtendForSilence, now: Millis) -> None:
        after = _set_deadline(position, errand.deadline, extended=True, reminded=True)
        after = replace(after, timing=replace_fields(after.timing, late_seats=errand.silent))
        message = times.extension_notice(turn_of(position), errand.deadline, errand.silent)
        done = sentence("outbound.clock_actions.put_off", silent=join_list(errand.silent))
        minute = _make_minute(position, now, done)
        sealed = self.notify_all(after, "extended", message, now)
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _extend_for_absence(self, position: GamePosition, errand: ExtendForAbsence, now: Millis) -> None:
        after = _set_deadline(position, errand.deadline)
        message = times.absence_notice(turn_of(position), errand.deadline, errand.gone)
        minute = _make_minute(
            position, now, sentence("outbound.clock_actions.heeded", gone=join_list(errand.gone))
        )
        sealed = self.notify_all(after, "heeded", message, now)
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _ask_gamesmaster(self, position: GamePosition, errand: AskGamesmaster, now: Millis) -> None:
        turn, silent = turn_of(position), join_list(errand.silent)
        why = sentence("outbound.clock_actions.no_orders", silent=silent)
        stop = Stop(kind="nmr", since=now, left=0, by=CLOCK_ACTOR, why=why)
        late = replace(position, timing=replace_fields(position.timing, late_seats=errand.silent))
        after = stop_clock(late, stop)
        name = position.name
        to_gamesmaster = self.writer.to_gamesmaster(
            f"{name}/{position.entries}/halted/{position.rev}/gm",
            sentence("outbound.clock_actions.waits_for_you_subject", game=name, silent=silent),
            (
                sentence("outbound.clock_actions.waits_for_you", turn=turn.name, silent=silent),
                sentence("outbound.clock_actions.what_to_do"),
                sentence(
                    "outbound.clock_actions.what_to_write", game=name, seat=short_seat_name(errand.silent[0])
                ),
            ),
            now,
        )
        sealed = [
            *self.notify_all(after, "halted", times.missing_orders_notice(turn, errand.silent), now),
            to_gamesmaster,
        ]
        minute = _make_minute(position, now, sentence("outbound.clock_actions.held", silent=silent))
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _carry_motion(self, position: GamePosition, motion: OpenMotion, now: Millis) -> None:
        """Do what the players have voted for. The votes for it are used up."""
        kind, turn = motion.motion, turn_of(position)
        minute = _make_minute(
            position, now, sentence("outbound.clock_actions.voted", motion=kind), VOTE_ACTOR
        )
        if kind == "end":
            result = GameResult(winners=(), reason=sentence("outbound.clock_actions.why_ended"))
            act = EndGame(game=position.name, by=VOTE_ACTOR, result=result, turn=turn.short)
            follow = side_effects([act], self.writer, now)
            stored_games.perform(self.database, follow.acts, follow.letters, now)
            return
        if kind == "pause":
            left = max(0, (position.deadline or now) - now)
            why = sentence("outbound.clock_actions.why_paused")
            after = stop_clock(position, Stop(kind="pause", since=now, left=left, by=VOTE_ACTOR, why=why))
        elif kind == "resume":
            after = resume_clock(position, now)
        else:
            later = calendar_of(position.deadlines).due(max(now, position.deadline or 0), motion.length)
            after = _set_deadline(position, later, voted_time=True, reminded=False)
        left_over = tuple(ballot for ballot in after.timing.ballots if ballot.motion != kind)
        after = replace(after, timing=replace_fields(after.timing, ballots=left_over))
        message = times.carried_notice(turn, kind, after.deadline)
        sealed = self.notify_all(after, f"voted-{kind}", message, now)
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _remind(self, position: GamePosition, errand: SendReminder, now: Millis) -> None:
        game, turn = position.game, turn_of(position)
        lacking = missing_orders(game, position)
        assert position.deadline is not None, "without a deadline nobody is reminded"
        over = overdue(position, now)
        after = replace(position, timing=replace_fields(position.timing, reminded=True))
        sealed = [
            self.writer.seal(
                messages.reminder(
                    game,
                    self.writer.reader(position, position.assignments[seat]),
                    f"{position.name}/{position.entries}/reminder/{position.rev}/{seat}",
                    messages.OverdueOrders(
                        turn=turn,
                        deadline=position.deadline,
                        missing=lacking[seat],
                        sheet=sheet(game, position, seat),
                        overdue=over,
                        otherwise=otherwise(game, position, seat, now),
                        now=now,
                    ),
                ),
                now,
            )
            for seat in errand.seats
        ]
        sealed += Announcer(self.writer, now).announce_deadline(position) if over is None else []
        stored_games.change(self.database, position, after, None, SideEffects(now, sealed))

    def _hand_to_bot(self, position: GamePosition, errand: DropSilentPlayer, now: Millis) -> None:
        before = position.assignments[errand.seat]
        after = replace_assignment(position, before.with_player(None))
        subject, words = times.abandoned_seat_notice(errand.seat, errand.turns)
        why = sentence("outbound.clock_actions.silent", count=errand.turns)
        done = sentence("outbound.clock_actions.to_its_bot", seat=errand.seat, count=errand.turns)
        minute = _make_minute(position, now, done)
        farewell = (subject, words(errand.seat, self.writer.service_context.zone))
        sealed = [
            self._notify_person(position, before, farewell, "left", now),
            *self.notify_all(after, "left", (subject, words), now),
        ]
        person_actions: list[AnyPersonAction] = []
        if any(assignment.is_person for assignment in after.assignments.values()):
            free = OfferSeat(by=CLOCK_ACTOR, why=why, game=position.name, seat=errand.seat, at=now)
            sealed += side_effects([free], self.writer, now).letters
            person_actions.append(free)
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed, person_actions))

    def _assign_substitute(self, position: GamePosition, errand: AssignSubstitute, now: Millis) -> None:
        seat, until = errand.absence.seat, errand.absence.last
        before = position.assignments[seat]
        assert before.address is not None, "somebody is away from it"
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        loan = Loan(owner=before.address, password=before.password, substitute=errand.substitute, until=until)
        loans = {**position.timing.loans, seat: loan}
        after = replace_assignment(position, before.with_player(errand.substitute, seal_password(password)))
        after = replace(after, timing=replace_fields(_timing_with_first_deadline(position), loans=loans))
        message = times.substitute_notice(
            seat, until, anywhere=self.writer.repository.people.policy(position.name).anonymous
        )
        sealed = [
            self.writer.welcome(after, after.assignments[seat], password, now),
            self._notify_person(
                position, before, messages.substitute_started_notice(position.name, seat), "lent", now
            ),
            *self.notify_all(after, f"lent/{seat}", message, now, _others(after, seat)),
        ]
        minute = _make_minute(position, now, sentence("outbound.clock_actions.to_a_substitute", seat=seat))
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _end_substitute(self, position: GamePosition, errand: EndSubstitute, now: Millis) -> None:
        seat, loan = errand.seat, errand.loan
        before = position.assignments[seat]
        loans = {lent_seat: other for lent_seat, other in position.timing.loans.items() if lent_seat != seat}
        after = replace(position, timing=replace_fields(_timing_with_first_deadline(position), loans=loans))
        sealed: list[OutgoingMessage] = []
        # If someone else has got the seat meanwhile, it isn't given back.
        if before.address == loan.substitute:
            assignment = replace_fields(before.with_player(loan.owner), password=loan.password)
            after = replace_assignment(after, assignment)
            farewell = messages.lost_seat_notice(position.name, seat, "")
            sealed = [
                self._notify_person(position, before, farewell, "back", now),
                *self.notify_all(after, f"back/{seat}", times.player_back_notice(seat), now),
            ]
        minute = _make_minute(position, now, sentence("outbound.clock_actions.from_substitute", seat=seat))
        stored_games.change(self.database, position, after, minute, SideEffects(now, sealed))

    def _stop_clock(self, position: GamePosition, now: Millis) -> None:
        after = stop_position_clock(position, now)
        if position.timing.correction is not None:
            self._clock_changed(position, after, now)
            return
        news = position.deadline is not None
        sealed = (
            self.notify_all(
                after, CLOCK_STOPPED, times.no_clock_notice(turn_of(position), seats_due(position)), now
            )
            if news
            else []
        )
        stored_games.change(
            self.database, position, after, _clock_minute(after, now), SideEffects(now, sealed)
        )

    def _start_clock(self, position: GamePosition, errand: StartClock, now: Millis) -> None:
        after = start_position_clock(position, errand.deadline)
        if position.timing.correction is not None:
            self._clock_changed(position, after, now)
            return
        sealed = self.notify_all(
            after, "wound-up", times.new_clock_notice(turn_of(position), errand.deadline), now
        )
        stored_games.change(
            self.database, position, after, _clock_minute(after, now), SideEffects(now, sealed)
        )

    def _clock_changed(self, position: GamePosition, after: GamePosition, now: Millis) -> None:
        """Record a changed deadline while players are still being seated. They get the news later."""
        noted = with_correction(position, after, now)
        stored_games.change(self.database, position, noted, _clock_minute(after, now), SideEffects(now))

    def _correct(self, position: GamePosition, now: Millis) -> None:
        """Send the current deadline to players who got another one when seats changed."""
        pending = position.timing.correction
        assert pending is not None, "somebody was seated"
        after = replace(position, timing=replace_fields(position.timing, correction=None))
        sealed: list[OutgoingMessage] = []
        for seat in to_correct(position):
            message = times.corrected_deadline_notice(
                turn_of(position), position.deadline, pending.told[seat], seats_due(position)
            )
            sealed += self.notify_all(after, "corrected", message, now, [position.assignments[seat]])
        stored_games.change(self.database, position, after, None, SideEffects(now, sealed))

    def _remind_idle_player(self, position: GamePosition, errand: IdleReminder, now: Millis) -> None:
        game, turn, seat = position.game, turn_of(position), errand.seat
        after = replace(position, timing=with_reminders_sent(position.timing, errand.words))
        assignment, asleep = position.assignments[seat], is_asleep(after.timing)
        owing = messages.OverdueOrders(
            turn=turn,
            deadline=None,
            missing=missing_orders(game, position).get(seat, ()),
            sheet=sheet(game, position, seat),
            asleep=asleep,
        )
        key = f"{position.name}/{position.entries}/nudge/{position.rev}/{seat}"
        letter = messages.reminder(game, self.writer.reader(position, assignment), key, owing)
        minute = _make_minute(position, now, sentence("outbound.clock_actions.asleep")) if asleep else None
        stored_games.change(
            self.database, position, after, minute, SideEffects(now, [self.writer.seal(letter, now)])
        )

    def _notify_person(
        self,
        position: GamePosition,
        assignment: SeatAssignment,
        message: tuple[str, tuple[str, ...]],
        what: str,
        now: Millis,
    ) -> OutgoingMessage:
        """Return a notice to the player of a seat at their own address, without the seat's reply address."""
        assert assignment.address is not None, "letters go to people"
        reader = caller_of(
            assignment.address,
            RequestContext(self.writer.repository, self.writer.service_context, now),
            position.name,
        )
        key = f"{position.name}/{position.entries}/{what}/{assignment.seat}/{assignment.generation}"
        subject, paragraphs = message
        return self.writer.seal(messages.notice(reader, messages.Heading(key, subject), paragraphs), now)


def _others(position: GamePosition, seat: Seat) -> list[SeatAssignment]:
    return [assignment for other_seat, assignment in position.assignments.items() if other_seat != seat]


def turn_of(position: GamePosition) -> Turn:
    """Return the turn that is due in a game."""
    return position.game.rules.turn(position.state)


def stop_clock(position: GamePosition, stop: Stop) -> GamePosition:
    """Return the game with its clock stopped, and so without a deadline."""
    return replace(
        position,
        deadline=None,
        timing=replace_fields(_all_told(_timing_with_first_deadline(position)), stop=stop),
    )


def start_clock(
    position: GamePosition, deadline: Millis, now: Millis, *, by_hand: bool = False
) -> GamePosition:
    """Return a game with a running deadline, and that deadline. A solo game has none.

    by_hand: whether the GM sets it, so that no absence moves it.
    """
    if is_solo(position):
        return replace(position, deadline=None, timing=timing_without_clock(position.timing, now))
    timing = _all_told(_timing_with_first_deadline(position))
    timing = replace_fields(timing, stop=None, rest=None, by_hand=by_hand or timing.by_hand)
    return replace(position, deadline=deadline, timing=timing)


def resume_clock(position: GamePosition, now: Millis) -> GamePosition:
    """Return a stopped game with a running clock, and the time that was left, or a day.

    A turn that had no deadline gets its full time if it has one now.
    """
    stop, length = position.timing.stop, position.deadlines.length(turn_of(position).kind)
    assert stop is not None, "its clock is stopped"
    least = min(MIN_RESUMED_TIME, length)
    time_left = length if position.timing.rest is not None else max(stop.left, least)
    return start_clock(position, calendar_of(position.deadlines).next_allowed(now + time_left), now)


def replace_assignment(position: GamePosition, assignment: SeatAssignment) -> GamePosition:
    """Return the game with one assignment replaced."""
    return replace(position, assignments={**position.assignments, Seat(assignment.seat): assignment})


def seated_with_clock(position: GamePosition, assignment: SeatAssignment, now: Millis) -> GamePosition:
    """Return a game with a new assignment for a seat, and its deadline.

    The game records the deadline that its players know, so that the new player gets the current one.
    """
    after = with_clock(position.game, replace_assignment(position, assignment), now)
    return with_correction(position, after, now)


def _set_deadline(position: GamePosition, deadline: Millis, **timing: bool) -> GamePosition:
    return replace(
        position,
        deadline=deadline,
        timing=replace_fields(_all_told(_timing_with_first_deadline(position)), **timing),
    )


def _timing_with_first_deadline(position: GamePosition) -> Timing:
    timing = position.timing
    return timing if timing.first is not None else replace_fields(timing, first=position.deadline)


def _all_told(timing: Timing) -> Timing:
    """Return the timing with the note that all players know the current deadline."""
    return replace_fields(timing, correction=None)


def clock_minutes(before: GamePosition, after: GamePosition, now: Millis) -> tuple[Minute, ...]:
    """Return the log entries about a deadline that another change has started or removed."""
    same = (before.timing.rest is None) == (after.timing.rest is None)
    return () if same else (_clock_minute(after, now),)


def seats_due(position: GamePosition) -> frozenset[Seat]:
    """Return the seats that owe orders now."""
    return frozenset(due.seat for due in position.game.rules.due(position.state))


def _clock_minute(after: GamePosition, now: Millis) -> Minute:
    if after.timing.rest is not None:
        return _make_minute(after, now, sentence("outbound.clock_actions.unwound"))
    return _make_minute(after, now, sentence("outbound.clock_actions.wound_up"))


def _make_minute(position: GamePosition, now: Millis, what: str, by: str = CLOCK_ACTOR) -> Minute:
    return Minute(game=position.name, at=now, by=by, what=f"{turn_of(position).short}: {what}")


# Digests: an email at a set hour about all games that wait for its reader.


WEEKLY_DIGEST_WEEKDAY = 0


@dataclass(frozen=True)
class Digests:
    """The digests of one service."""

    database: Database
    writer: ReportComposer

    def write_due_digests(self, now: Millis) -> None:
        """Write each digest that fell due since the last check. Raises StoreFault."""
        for address, seen in due_games.digests_due(self.database, now).items():
            again, subscription = None, self.writer.repository.people.subscription(address)
            if subscription is not None and subscription.digest != "off":
                minute, zone = (
                    self.writer.service_context.digest_at,
                    zone_of(address, self.writer.repository, self.writer.service_context),
                )
                if subscription.seen < last_hour(now, zone, minute, subscription.digest) <= now:
                    self._write(subscription, now)
                again = next_hour(now, zone, minute)
            due_games.put_off_digest(
                self.database, address, seen, due_games.within_a_day(address, again, now)
            )

    def _write(self, subscription: Subscription, now: Millis) -> None:
        """Write a digest if any game waits, and record the check. Both are saved, or neither."""
        waiting = sorted(self._waiting(subscription.address, now), key=_deadline_order)
        letters: list[OutgoingMessage] = []
        if waiting:
            reader = caller_of(
                subscription.address, RequestContext(self.writer.repository, self.writer.service_context, now)
            )
            entries = deadlines_file(self._deadlines(subscription.address), now, self.writer.organizer)
            letter = messages.digest(reader, f"digest/{subscription.address}/{now}", waiting, entries)
            letters.append(self.writer.seal(letter, now))
        looked = NoteDigest(by=CLOCK_ACTOR, address=subscription.address, before=subscription.seen, at=now)
        with suppress(WriteConflict):  # another worker has just written it
            stored_games.apply_side_effects(self.database, SideEffects(now, letters, [looked]))
            log.info(sentence("outbound.digests.written", count=len(waiting)))

    def _deadlines(self, address: str) -> list[CalendarEntry]:
        """Return the deadlines of all games of an address, for its owner's calendar."""
        repository = self.writer.repository
        seats = ((repository.position(name), seat) for name, seat in repository.seats_of(address))
        return [calendar_entry(position, seat) for position, seat in seats if position is not None]

    def _waiting(self, address: str, now: Millis) -> Iterator[WaitingGame]:
        """Yield the games that wait for orders from an address."""
        repository = self.writer.repository
        for name, seat in repository.seats_of(address):
            position = repository.position(name)
            if position is None or not position.is_running:
                continue
            game = position.game
            lacking = missing_orders(game, position).get(seat, ())
            if lacking and any(due.seat == seat for due in people_due(game, position)):
                yield WaitingGame(
                    title=game.about.title,
                    turn=game.rules.turn(position.state),
                    deadline=position.deadline,
                    missing=lacking,
                    reader=self.writer.reader(position, position.assignments[seat]),
                    overdue=overdue(position, now),
                    standing="" if position.timing.stop is None else why_no_deadline(position.timing.stop),
                    badges=text_badges(game, game.rules.view(position.state, seat)),
                    seat=name_seat(game, seat),
                )


def last_hour(now: Millis, zone: ZoneInfo, minute: int, digest: Digest) -> Millis:
    """Return the latest time, up to now, when a digest was due in its reader's time zone.

    If the clocks go forward over that minute, the digest is due the usual time after midnight.
    """
    day = datetime_of(now, zone).date()
    while _instant_of_hour(day, zone, minute) > now or (
        digest == "weekly" and day.weekday() != WEEKLY_DIGEST_WEEKDAY
    ):
        day -= timedelta(days=1)
    return _instant_of_hour(day, zone, minute)


def next_hour(now: Millis, zone: ZoneInfo, minute: int) -> Millis:
    """Return when a digest can next be written by its reader's clock, at that minute of a day."""
    day = datetime_of(now, zone).date()
    while (hour := _instant_of_hour(day, zone, minute)) <= now:
        day += timedelta(days=1)
    return hour


def _instant_of_hour(day: date, zone: ZoneInfo, minute: int) -> Millis:
    hour, past = divmod(minute, 60)
    return instant_of(datetime(day.year, day.month, day.day, hour, past, tzinfo=zone))


def _deadline_order(waiting: WaitingGame) -> tuple[bool, Millis, str, str]:
    """Return a sort key: games with the nearest deadline come first, games without one last."""
    return (
        waiting.deadline is None,
        waiting.deadline or 0,
        waiting.reader.game or "",
        waiting.reader.seat or "",
    )
