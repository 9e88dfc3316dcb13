"""Timers: what the clock sees to in games beside playing them, done and told in one transaction."""

import logging
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

import games
from adjudicator.catalogue import sentence
from adjudicator.clock import Millis
from adjudicator.ledger.hours import Loan, Stop, Timing
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import AnyDeed, OfferSeat
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.solitude import is_asleep, is_solo, resting, told, unwound, wound_up
from adjudicator.logs import about
from adjudicator.office import Desk
from adjudicator.referee.calendar import calendar_of
from adjudicator.referee.deadlines import owed
from adjudicator.referee.errands import (
    Dismiss,
    Errand,
    Extend,
    GiveBack,
    Halt,
    Heed,
    Lend,
    Nudge,
    Play,
    Remind,
    Unwind,
    WindUp,
)
from adjudicator.reports import messages, seats, times
from adjudicator.reports.attachments import deadline_file
from adjudicator.reports.reader import caller_of
from adjudicator.reports.sheet import sheet
from adjudicator.reports.times import Words, listed
from adjudicator.secretary.announcements import Announcer
from adjudicator.secretary.notifications import PASSWORD_BYTES, following
from adjudicator.secretary.writing import Writer
from adjudicator.signs.addresses import short
from adjudicator.signs.passwords import seal as seal_password
from adjudicator.store import clocks
from adjudicator.store.acts import Entailed
from adjudicator.store.clocks import Minute
from adjudicator.store.database import Database
from games.protocol import Seat, Turn
from games.record import changed

CLOCK = "clock"
"""Who has done it, in the minutes."""

UNWOUND = "unwound"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Timers:
    """The timers of one service."""

    database: Database
    writer: Writer

    def see_to(self, position: Position, errand: Errand, now: Millis) -> None:
        """Do an errand that is no turn to be played. Raises Overtaken if the books have changed meanwhile."""
        log.info("game %s: %s", position.name, errand, extra=about(game=position.name))
        match errand:
            case Extend():
                self._extend(position, errand, now)
            case Heed():
                self._heed(position, errand, now)
            case Halt():
                self._halt(position, errand, now)
            case Remind():
                self._remind(position, errand, now)
            case Dismiss():
                self._dismiss(position, errand, now)
            case Lend():
                self._lend(position, errand, now)
            case GiveBack():
                self._give_back(position, errand, now)
            case Unwind():
                self._unwind(position, now)
            case WindUp():
                self._wind_up(position, errand, now)
            case Nudge():
                self._nudge(position, errand, now)
            case Play():
                raise AssertionError("turns are played by the house")
            case _:
                assert_never(errand)

    def make_up(self, position: Position, since: Millis, now: Millis, *, by_hold: bool = False) -> None:
        """Give a game as much time as the service was down, but no more than the length of its turn.

        by_hold: it was this game alone that could not go on. Raises as `see_to`, and Refusal where its time
        zone no longer exists.
        """
        at, turn = position.deadline, turn_of(position)
        if not position.running or at is None:
            return
        lost = min(now - since, position.deadlines.length(turn.kind))
        if at >= now + lost:
            return
        deadline = calendar_of(position.deadlines).settled(now + lost)
        after = _due(position, deadline)
        told = times.after_outage(turn, deadline, since, now, of_game=by_hold)
        held, down = sentence("secretary.timers.game_was_held"), sentence("secretary.timers.service_was_down")
        minute = _minute(position, now, held if by_hold else down)
        clocks.change(
            self.database, position, after, minute, Entailed(now, self.tell(after, "outage", told, now))
        )

    def tell(
        self,
        position: Position,
        what: str,
        told: tuple[str, Words],
        now: Millis,
        chairs: Iterable[Chair] | None = None,
    ) -> list[Sealed]:
        """A notice for everybody who sits in a game, with the deadline as it is now for his calendar.

        what: names it among the letters of this revision.

        told: its subject and its words; chairs: to others than those of the position.
        """
        subject, words = told
        # Who plays alone has no deadline in his calendar, but at the moment in which it is taken away.
        noted = position.deadline is not None or what == UNWOUND or not is_solo(position)
        domain, sealed = self.writer.office.domain, []
        for chair in position.chairs.values() if chairs is None else chairs:
            if chair.is_person:
                reader = self.writer.reader(position, chair)
                notice = messages.notice(
                    reader,
                    messages.Heading(
                        f"{position.name}/{position.entries}/{what}/{position.rev}/{chair.seat}", subject
                    ),
                    words(chair.seat, reader.zone),
                    attached=deadline_file(position, chair.seat, now, domain) if noted else (),
                )
                sealed.append(self.writer.seal(notice, now))
        return sealed

    def _extend(self, position: Position, errand: Extend, now: Millis) -> None:
        after = _due(position, errand.deadline, extended=True, reminded=True)
        told = times.put_off(turn_of(position), errand.deadline, errand.silent)
        done = sentence("secretary.timers.put_off", silent=listed(errand.silent))
        minute = _minute(position, now, done)
        sealed = self.tell(after, "extended", told, now)
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _heed(self, position: Position, errand: Heed, now: Millis) -> None:
        after = _due(position, errand.deadline)
        told = times.heeded(turn_of(position), errand.deadline, errand.gone)
        minute = _minute(position, now, sentence("secretary.timers.heeded", gone=listed(errand.gone)))
        sealed = self.tell(after, "heeded", told, now)
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _halt(self, position: Position, errand: Halt, now: Millis) -> None:
        turn, silent = turn_of(position), listed(errand.silent)
        why = sentence("secretary.timers.no_orders", silent=silent)
        stop = Stop(kind="nmr", since=now, left=0, by=CLOCK, why=why)
        after = stood_still(position, stop)
        name = position.name
        to_gamesmaster = self.writer.to_gamesmaster(
            f"{name}/{position.entries}/halted/{position.rev}/gm",
            sentence("secretary.timers.waits_for_you_subject", game=name, silent=silent),
            (
                sentence("secretary.timers.waits_for_you", turn=turn.name, silent=silent),
                sentence("secretary.timers.what_to_do"),
                sentence("secretary.timers.what_to_write", game=name, seat=short(errand.silent[0])),
            ),
            now,
        )
        sealed = [*self.tell(after, "halted", times.waiting(turn, errand.silent), now), to_gamesmaster]
        minute = _minute(position, now, sentence("secretary.timers.held", silent=silent))
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _remind(self, position: Position, errand: Remind, now: Millis) -> None:
        game, turn = games.kinds()[position.kind], turn_of(position)
        lacking = owed(game, position)
        assert position.deadline is not None, "without a deadline nobody is reminded"
        after = replace(position, timing=changed(position.timing, reminded=True))
        sealed = [
            self.writer.seal(
                messages.reminder(
                    game,
                    self.writer.reader(position, position.chairs[seat]),
                    f"{position.name}/{position.entries}/reminder/{position.rev}/{seat}",
                    messages.Owing(
                        turn=turn,
                        deadline=position.deadline,
                        missing=lacking[seat],
                        sheet=sheet(game, position, seat),
                    ),
                ),
                now,
            )
            for seat in errand.seats
        ]
        sealed += Announcer(self.writer, now).due(position)
        clocks.change(self.database, position, after, None, Entailed(now, sealed))

    def _dismiss(self, position: Position, errand: Dismiss, now: Millis) -> None:
        before = position.chairs[errand.seat]
        after = seated(position, before.taken_by(None))
        subject, words = times.left(errand.seat, errand.turns)
        why = sentence("secretary.timers.silent", turns=errand.turns)
        done = sentence("secretary.timers.to_its_bot", seat=errand.seat, turns=errand.turns)
        minute = _minute(position, now, done)
        farewell = (subject, words(errand.seat, self.writer.office.zone))
        sealed = [
            self._to_caller(position, before, farewell, "left", now),
            *self.tell(after, "left", (subject, words), now),
        ]
        deeds: list[AnyDeed] = []
        if any(chair.is_person for chair in after.chairs.values()):
            free = OfferSeat(by=CLOCK, why=why, game=position.name, seat=errand.seat, at=now)
            sealed += following([free], self.writer, now).letters
            deeds.append(free)
        clocks.change(self.database, position, after, minute, Entailed(now, sealed, deeds))

    def _lend(self, position: Position, errand: Lend, now: Millis) -> None:
        seat, until = errand.absence.seat, errand.absence.last
        before = position.chairs[seat]
        assert before.address is not None, "somebody is away from it"
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        loan = Loan(owner=before.address, password=before.password, substitute=errand.substitute, until=until)
        loans = {**position.timing.loans, seat: loan}
        after = seated(position, before.taken_by(errand.substitute, seal_password(password)))
        after = replace(after, timing=changed(_timing(position), loans=loans))
        told = times.lent(seat, until, anywhere=self.writer.books.society.customs(position.name).anonymous)
        sealed = [
            self.writer.welcome(after, after.chairs[seat], password, now),
            self._to_caller(position, before, seats.lent_out(position.name, seat), "lent", now),
            *self.tell(after, f"lent/{seat}", told, now, _others(after, seat)),
        ]
        minute = _minute(position, now, sentence("secretary.timers.to_a_substitute", seat=seat))
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _give_back(self, position: Position, errand: GiveBack, now: Millis) -> None:
        seat, loan = errand.seat, errand.loan
        before = position.chairs[seat]
        loans = {one: other for one, other in position.timing.loans.items() if one != seat}
        after = replace(position, timing=changed(_timing(position), loans=loans))
        sealed: list[Sealed] = []
        # Where it has changed hands otherwise meanwhile, nothing comes back.
        if before.address == loan.substitute:
            chair = changed(before.taken_by(loan.owner), password=loan.password)
            after = seated(after, chair)
            farewell = seats.farewell(position.name, seat, "")
            sealed = [
                self._to_caller(position, before, farewell, "back", now),
                *self.tell(after, f"back/{seat}", times.given_back(seat), now),
            ]
        minute = _minute(position, now, sentence("secretary.timers.from_substitute", seat=seat))
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _unwind(self, position: Position, now: Millis) -> None:
        after = unwound(position, now)
        # Before the first turn the welcome says it.
        news = position.deadline is not None and position.played > 0
        sealed = self.tell(after, UNWOUND, times.unwound(turn_of(position)), now) if news else []
        minute = _minute(position, now, sentence("secretary.timers.unwound"))
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _wind_up(self, position: Position, errand: WindUp, now: Millis) -> None:
        after = wound_up(position, errand.deadline)
        sealed = self.tell(after, "wound-up", times.wound_up(turn_of(position), errand.deadline), now)
        minute = _minute(position, now, sentence("secretary.timers.wound_up"))
        clocks.change(self.database, position, after, minute, Entailed(now, sealed))

    def _nudge(self, position: Position, errand: Nudge, now: Millis) -> None:
        game, turn, seat = games.kinds()[position.kind], turn_of(position), errand.seat
        after = replace(position, timing=told(position.timing, errand.words))
        chair, asleep = position.chairs[seat], is_asleep(after.timing)
        owing = messages.Owing(
            turn=turn,
            deadline=None,
            missing=owed(game, position).get(seat, ()),
            sheet=sheet(game, position, seat),
            asleep=asleep,
        )
        key = f"{position.name}/{position.entries}/nudge/{position.rev}/{seat}"
        letter = messages.reminder(game, self.writer.reader(position, chair), key, owing)
        minute = _minute(position, now, sentence("secretary.timers.asleep")) if asleep else None
        clocks.change(self.database, position, after, minute, Entailed(now, [self.writer.seal(letter, now)]))

    def _to_caller(
        self, position: Position, chair: Chair, told: tuple[str, tuple[str, ...]], what: str, now: Millis
    ) -> Sealed:
        """A notice to whoever sits in a chair, at his own address: it speaks for no seat."""
        assert chair.address is not None, "letters go to people"
        reader = caller_of(chair.address, Desk(self.writer.books, self.writer.office, now), position.name)
        key = f"{position.name}/{position.entries}/{what}/{chair.seat}/{chair.generation}"
        subject, paragraphs = told
        return self.writer.seal(messages.notice(reader, messages.Heading(key, subject), paragraphs), now)


def _others(position: Position, seat: Seat) -> list[Chair]:
    return [chair for one, chair in position.chairs.items() if one != seat]


def turn_of(position: Position) -> Turn:
    """The turn that is due in a game."""
    return games.kinds()[position.kind].rules.turn(position.state)


def stood_still(position: Position, stop: Stop) -> Position:
    """The game with its clock stopped: it has no deadline then."""
    timing = _timing(position)
    return replace(position, deadline=None, timing=changed(timing, stop=stop))


def set_going(position: Position, deadline: Millis, now: Millis, *, by_hand: bool = False) -> Position:
    """The game with its clock going, and that deadline; without either where one person plays alone.

    by_hand: so that no absence moves it.
    """
    if is_solo(position):
        return replace(position, deadline=None, timing=resting(position.timing, now))
    timing = changed(_timing(position), stop=None, by_hand=by_hand or position.timing.by_hand)
    return replace(position, deadline=deadline, timing=timing)


def seated(position: Position, chair: Chair) -> Position:
    """The game with one chair as it is from now on."""
    return replace(position, chairs={**position.chairs, Seat(chair.seat): chair})


def _due(position: Position, deadline: Millis, **timing: bool) -> Position:
    return replace(position, deadline=deadline, timing=changed(_timing(position), **timing))


def _timing(position: Position) -> Timing:
    timing = position.timing
    return timing if timing.first is not None else changed(timing, first=position.deadline)


def _minute(position: Position, now: Millis, what: str) -> Minute:
    return Minute(game=position.name, at=now, by=CLOCK, what=f"{turn_of(position).short}: {what}")
