"""Processing turns: played from a position, and stored together with their reports."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from adjudicator.auth.sender import coming_turns
from adjudicator.external_bots import TablePrograms
from adjudicator.logs import log_context
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.games import AdjudicationResult, GamePosition, PlayedTurn
from adjudicator.model.people import MarkSort, NoteTurnout, TurnMark
from adjudicator.model.repository import Repository
from adjudicator.outbound import notifications, press_batches
from adjudicator.storage import inbox, stored_games
from adjudicator.storage.database import Database
from adjudicator.turns import bots, runner
from adjudicator.turns.deadlines import absent_seats
from adjudicator.turns.runner import recent_turns
from games.protocol import Seat
from games.record import Value

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.model.games import AdjudicationResult, GamePosition
    from adjudicator.model.mail import LetterDraft, OutgoingMessage
    from adjudicator.outbound.composer import ReportComposer
    from adjudicator.storage.database import Database


log = logging.getLogger(__name__)


class TurnProcessor(Value, frozen=True):
    """The turns of one service's games. reached: called with each of SERVICE_STEPS as it is passed."""

    database: Database
    writer: ReportComposer
    reached: Callable[[str], None] = lambda _step: None

    def play(
        self, position: GamePosition, now: Millis, ripe: bool, by: str, replies: Sequence[LetterDraft] = ()
    ) -> AdjudicationResult | None:
        """Process a turn from a position and store it with its reports. Returns None if the turn waits for a
        player.

        ripe, by: as in `play_turns`. replies: to the emails that completed the turn. The report takes in
        those that it can, and those are not sent on their own. Raises WriteConflict, with nothing done, if
        the database has changed since.
        """
        press = self.writer.repository.people.press(position.name)
        game = position.game
        past = recent_turns(game, position, partial(self.writer.repository.latest, position.name))
        awaited = frozenset(waiting_emails(self.database, self.writer.repository, position).values())
        programs = self._own_bots_at(position)
        background = runner.TurnBackground(press=press, past=past, awaited=awaited, programs=programs)
        try:
            played = runner.play_turns(game, position, now, ripe, by, background)
        finally:
            if programs is not None:
                programs.close()
        if played is None:
            return None
        reports, untold = self.writer.reports(position, played, now, replies)
        reported = {(letter.seat, letter.to) for letter in reports}
        withdrawn = [reply.key for reply in replies if (reply.seat, reply.to) in reported]
        after = runner.position_after(position, played)
        talk = bots.Talk(self.writer.repository.people)
        bot_acts = talk.proposals(after, now) or talk.accounts(after, now)
        press_letters: list[OutgoingMessage] = []
        if bot_acts:  # else notices, and the servers that they may go to, aren't even loaded
            notifier = notifications.Notifier(self.writer, now)
            press_letters = [letter for act in bot_acts for letter in notifier.press_letters(after, act)]
        waiting = self.writer.repository.people.held_press(position.name)
        released = press_batches.release_press(self.writer, position, waiting, now)
        first = [self.writer.seal(draft, now) for draft in released.emails]
        turned_up = [
            NoteTurnout(by=by, address=address, game=position.name, marks=marks)
            for address, marks in marks_of_turns(position, played).items()
        ]
        self.reached("turn played")
        side_effects = stored_games.SideEffects(
            now,
            [*first, *reports, *press_letters, *self._tell_of_stand_ins(position, played, now)],
            [*released.person_actions, *bot_acts, *untold, *turned_up],
            withdrawn,
        )
        stored_games.commit(self.database, position, played, side_effects)
        self.reached("turn committed")
        for step in played.steps:
            ids = log_context(game=position.name, turn=step.turn.short)
            line = sentence("service.mail.game_played", game=position.name, turn=step.turn.short)
            log.info(line, extra=ids)
        return played

    def _own_bots_at(self, position: GamePosition) -> TablePrograms | None:
        """Return the GM's own bots if any has a seat of a game, or None."""
        assignments = position.assignments.values()
        if all(bots.own_bot_name(assignment) is None for assignment in assignments):
            return None
        return TablePrograms(self.writer.service_context.own_bots)

    def _tell_of_stand_ins(
        self, position: GamePosition, played: AdjudicationResult, now: Millis
    ) -> list[OutgoingMessage]:
        """Return the emails to the GM about own bots that failed, one for each seat and bot."""
        failures = {
            Seat(seat): why
            for step in played.steps
            if isinstance(step.entry.stand_ins, dict)
            for seat, why in step.entry.stand_ins.items()
        }
        letters = []
        for seat, why in failures.items():
            game, name = position.name, bots.own_bot_name(position.assignments[seat])
            paragraphs = (
                sentence("outbound.own_bots.failed", seat=seat, game=game, bot=name, why=why),
                sentence("outbound.own_bots.what_to_do", seat=seat, game=game, bot=name),
            )
            key = f"{game}/own-bot/{seat}/{name}"
            subject = sentence("outbound.own_bots.subject", seat=seat, game=game, bot=name)
            letters.append(self.writer.to_gamesmaster(key, subject, paragraphs, now))
        return letters


# Emails that wait for a later turn of a restored game. They are reopened when the turn is due.


def reopen_due_emails(database: Database, repository: Repository, position: GamePosition) -> bool:
    """Reopen the emails that waited for a game's current turn, or for an earlier one, so that they are read
    next.

    Returns whether there were any. If so, the turn must not be processed before they are read.
    """
    waiting = waiting_emails(database, repository, position)
    if not waiting:
        return False
    coming = frozenset(coming_turns(position))
    due = [number for number, turn in waiting.items() if turn not in coming]
    if due:
        inbox.reopen_postponed(database, due)
    return bool(due)


def reopen_emails_of_ended_games(database: Database) -> None:
    """Reopen the emails that waited for a turn of a game that is over, so that they are read next."""
    if numbers := inbox.find_of_ended_games(database):
        inbox.reopen_postponed(database, numbers)


def waiting_emails(database: Database, repository: Repository, position: GamePosition) -> dict[int, str]:
    """Return the numbers of the emails that wait for a later turn of a game, each with its turn.

    They are read before their turn is processed.
    """
    if repository.restore_mark(position.name) is None:
        return {}
    return inbox.list_waiting(database, position.name)


# The marks for turning up in a turn: who had orders due, and whether they came in time.


def marks_of_turns(position: GamePosition, played: AdjudicationResult) -> Mapping[str, tuple[TurnMark, ...]]:
    """Return the marks of the players of a game by address, for turns that were just processed.

    position: the game before them. A game without deadlines gives none. Nobody gets one for orders that were
    missing during an announced absence, or when the GM ran the turn early.
    """
    is_timed = position.deadline is not None or position.timing.late_seats
    if not is_timed or is_solo(position):
        return {}
    marks: dict[str, list[TurnMark]] = {}
    for step in played.steps:
        for seat in dict.fromkeys(due.seat for due in position.game.rules.due(step.before)):
            address, sort = position.assignments[seat].address, _sort_of(position, step, seat)
            if address is not None and sort is not None:
                mark = TurnMark(turn=step.turn.short, seat=seat, sort=sort, at=step.entry.at)
                marks.setdefault(address, []).append(mark)
    return {address: tuple(some) for address, some in sorted(marks.items())}


def _sort_of(position: GamePosition, step: PlayedTurn, seat: Seat) -> MarkSort | None:
    at, late = step.entry.at, seat in position.timing.late_seats
    if seat in absent_seats(position, at):
        return None
    if seat not in step.entry.silent:
        return "late" if late else "in-time"
    due_at = position.deadline if position.deadline is not None else at
    is_away = any(
        absence.seat == seat and absence.first <= due_at and absence.last > due_at
        for absence in position.absences
    )
    # A turn that the GM ran before its deadline was missed by nobody.
    return None if is_away or (not late and at <= due_at) else "missed"
