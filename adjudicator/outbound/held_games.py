"""Suspended games: found, suspended, reported to the GM once, and resumed as soon as possible.

If the program or the data of a game have changed, its log is replayed before its next turn.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import games
from adjudicator.clock import MINUTE, Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.logs import log_context
from adjudicator.messages import sentence
from adjudicator.model.games import AdjudicationResult, GamePosition, Suspension
from adjudicator.model.mail import OutgoingMessage
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.reminders import ClockActions
from adjudicator.storage import due_games
from adjudicator.storage.database import Database
from adjudicator.turns.deadlines import zone_exists
from adjudicator.turns.runner import is_data_changed, is_ruling_fixed, rules_version, verify_log
from games.record import replace_fields

FAILED_TURN_RETRY_DELAY: Millis = 10 * MINUTE
"""The time until a failed turn is tried again, if nothing changes before."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SuspendedGames:
    """The suspended games of one service."""

    database: Database
    writer: ReportComposer
    timers: ClockActions

    def check(self, now: Millis, *, first: bool) -> None:
        """Suspend and resume games, before emails are read.

        first: whether this is the first check of the process.
        """
        if first:
            self.find_unplayable_games(now)
        self.resume_fixed_games(now)

    def find_unplayable_games(self, now: Millis) -> None:
        """Find games if their kind was removed or changed. That can only happen before the process starts."""
        kinds = games.kinds()
        for name, kind, proven in due_games.kinds_in_play(self.database):
            if kind not in kinds:
                self.suspend_unreadable(name, now)
            elif proven and is_data_changed(kinds[kind], proven):
                position = self.writer.repository.position(name)
                if position is not None and position.stuck is None:
                    self.verify_or_suspend(position, now)

    def resume_fixed_games(self, now: Millis) -> None:
        """Resume the games that can continue."""
        for stuck in due_games.suspended_games(self.database):
            position = self.writer.repository.position(stuck.game)
            if position is None or stuck.sort == "turn":
                continue
            by = rules_version(position.game)
            if (stuck.sort == "unreadable" and position.proven == by) or (
                stuck.grounds != by and self.verify_or_suspend(position, now)
            ):
                self._resume(stuck, by, now)

    def suspend_unreadable(self, name: str, now: Millis) -> None:
        """Suspend a game that can't be read."""
        stuck = self.writer.repository.suspension(name)
        if stuck is not None and stuck.since is None:
            self._suspend(stuck, now)

    def is_blocked(self, position: GamePosition, now: Millis) -> bool:
        """Return whether a game's turn must not be tried now."""
        stuck = position.stuck
        if stuck is None or stuck.is_mail_deferred:
            return stuck is not None
        same = (stuck.rev, stuck.grounds) == (position.rev, rules_version(position.game))
        return same and now - stuck.tried < FAILED_TURN_RETRY_DELAY

    def verify_or_suspend(self, position: GamePosition, now: Millis) -> bool:
        """Return whether a replay of the game's log gives its position. If not, suspend the game."""
        game = position.game
        by = rules_version(game)
        if position.proven == by:
            return True
        log_of = partial(self.writer.repository.log, position.name)
        why = verify_log(game, position, log_of)
        if why is None or is_ruling_fixed(game, position, log_of):
            due_games.note_proven(
                self.database, position.name, by, self._write_ruling_notice(position, why, by, now), now
            )
            return True
        problem = sentence("outbound.stuck_games.log_differs", why=why)
        instead = sentence("outbound.stuck_games.mend_log", game=position.name)
        self._suspend(self._make_suspension(position, "log", problem, instead, now), now)
        return False

    def suspend_after_failure(self, name: str, fault: Exception, now: Millis) -> None:
        """Suspend a game after its turn couldn't be processed. fault: the error."""
        position = self.writer.repository.position(name)
        if position is None:
            self.suspend_unreadable(name, now)
            return
        zone = position.deadlines.zone
        if zone_exists(zone):
            why = sentence("outbound.stuck_games.turn_fails", fault=f"{type(fault).__name__}: {fault}")
            instead = sentence("outbound.stuck_games.mend_turn", game=name)
        else:
            why = sentence("outbound.stuck_games.zone_gone", zone=zone)
            instead = sentence(
                "outbound.stuck_games.mend_zone", game=name, zone=self.writer.service_context.zone.key
            )
        self._suspend(self._make_suspension(position, "turn", why, instead, now), now)

    def resume(self, position: GamePosition, now: Millis) -> None:
        """Resume a game from its current position, even if its log gives another one."""
        if position.stuck is not None:
            self._resume(position.stuck, rules_version(position.game), now)

    def resume_if_played(
        self, position: GamePosition, played: AdjudicationResult | None, now: Millis
    ) -> bool:
        """Return whether a turn was processed. If so, resume its game."""
        if played is not None and position.stuck is not None:
            self._resume(position.stuck, None, now)
        return played is not None

    def _write_ruling_notice(
        self, position: GamePosition, why: str | None, by: str, now: Millis
    ) -> list[OutgoingMessage]:
        """Return the notice about a log with a different result, because a rule was corrected."""
        if why is None:
            return []
        name = position.name
        subject = sentence("outbound.stuck_games.ruling_subject", game=name)
        text = sentence("outbound.stuck_games.ruling", game=name, why=why)
        return [self.writer.to_gamesmaster(f"ruling/{name}/{by}", subject, (text,), now)]

    def _make_suspension(
        self, position: GamePosition, sort: str, why: str, instead: str, now: Millis
    ) -> Suspension:
        by = rules_version(position.game)
        before = position.stuck or Suspension(
            game=position.name, kind=position.kind, sort="turn", why=why, instead=instead
        )
        return replace_fields(
            before, sort=sort, why=why, instead=instead, tried=now, rev=position.rev, grounds=by
        )

    def _suspend(self, stuck: Suspension, now: Millis) -> None:
        held = stuck if stuck.since is not None else replace_fields(stuck, since=now)
        name = held.game
        subject = sentence("outbound.stuck_games.held_subject", game=name)
        paragraphs = (
            sentence("outbound.stuck_games.held", game=name, why=held.why, deaf=held.is_mail_deferred),
            sentence("outbound.stuck_games.what_to_do", instead=held.instead),
        )
        if stuck.since is None or stuck.tried == now:
            log.error("%s: %s", subject, held.why, extra=log_context(game=name))
        letter = self.writer.to_gamesmaster(
            f"stuck/{name}/{held.since}/{held.sort}", subject, paragraphs, now
        )
        due_games.suspend_game(self.database, held, [letter], now)

    def _resume(self, stuck: Suspension, by: str | None, now: Millis) -> None:
        position = self.writer.repository.position(stuck.game)
        if position is not None and stuck.is_mail_deferred and stuck.since is not None:
            # WriteConflict: another worker has just extended it. Refusal: its time zone no
            # longer exists.
            with suppress(WriteConflict, Refusal):
                self.timers.give_time_back(position, stuck.since, now, by_hold=True)
        waiting = due_games.letters_waiting(self.database, stuck.game)
        subject = sentence("outbound.stuck_games.goes_on_subject", game=stuck.game)
        text = sentence("outbound.stuck_games.goes_on", game=stuck.game, letters=waiting)
        letter = self.writer.to_gamesmaster(f"stuck/{stuck.game}/{stuck.since}/over", subject, (text,), now)
        due_games.resume_game(self.database, stuck.game, by, [letter], now)
        log.info("%s", subject, extra=log_context(game=stuck.game))
