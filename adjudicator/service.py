"""The service: the only place that connects all parts and runs them in order.

Rule 1: commit before sending. An email is stored before it is marked as seen and is processed together with
its replies. A turn is written together with its reports. Only then is anything sent.

Rule 2: no server is contacted and no report of a turn is composed during a transaction. Emails that wait
together are processed in one transaction. Each of them succeeds or fails alone.

Rule 3: power can fail between any two of SERVICE_STEPS. Work that wasn't committed is done again from the
database.
"""

import logging
import os
import secrets
import socket
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event

import games
from adjudicator import __version__
from adjudicator.auth.admission import Admission
from adjudicator.auth.sender import VERIFIED_FROM
from adjudicator.auth.tokens import redact_text
from adjudicator.clock import Clock, Millis, WallClock
from adjudicator.config.servers import MaildirAt
from adjudicator.config.service import Settings
from adjudicator.context import ServiceContext, build_service_context
from adjudicator.errors import Fault, PostFault, Refusal, WriteConflict
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.inbound.undo import apply_undo as put_back
from adjudicator.logs import log_context
from adjudicator.mail.dkim import KeyRecords, can_check
from adjudicator.mail.envelope import add_missing_headers, is_traced
from adjudicator.mail.maildir import Carrier, Mailbox
from adjudicator.mail.smtp import create_carrier
from adjudicator.messages import sentence
from adjudicator.model.games import (
    FAILED_CHECK_INTERVAL_MS,
    BeginGame,
    DueCheck,
    GamePosition,
    LogEntry,
    TakeBack,
)
from adjudicator.model.mail import (
    JOBS,
    PROCESS,
    SEND,
    IncomingLetter,
    LetterDraft,
    LetterOutcome,
    StoredLetter,
)
from adjudicator.outbound import channels, signups, turn_commit
from adjudicator.outbound.channels import ChannelSender, build_channel_senders, send_to_all
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.forgetting import PersonForgetter
from adjudicator.outbound.held_games import SuspendedGames
from adjudicator.outbound.notifications import side_effects
from adjudicator.outbound.press_batches import PressBatches
from adjudicator.outbound.reminders import ClockActions, Digests
from adjudicator.outbound.sender import LETTERS_IN, MailSender, OutageAlerts, WorkerHeartbeat
from adjudicator.outbound.signups import GameStarts
from adjudicator.outbound.turn_commit import TurnProcessor
from adjudicator.reports.maps import png
from adjudicator.storage import due_games, inbox, metadata, outbox, stored_games
from adjudicator.storage.database import Database, open_database
from adjudicator.storage.forgotten import load_list
from adjudicator.storage.inbox import LetterEffects, add_turns
from adjudicator.storage.queries import DatabaseRepository, LetterRepository
from adjudicator.turns.deadlines import is_ripe
from adjudicator.turns.due_actions import PlayTurn, find_due_action, next_check
from games.record import replace_fields
from orders.mail.letter import fingerprint

SERVICE_STEPS = (
    "letter kept",
    "letter marked",
    "letter read",
    "letter handled",
    "turn played",
    "turn committed",
    "report sending",
    "report delivered",
    "report sent",
)
"""The points between which the service can be killed at any time, in their order."""

MAX_CRASHES_PER_LETTER = 5
"""After this many crashes while an email is processed alone (and one with others), it is quarantined."""

MAX_TURNS_PER_CHECK = 20

MAILBOX_LOCK, SIDE_JOBS_LOCK = 0x7475_0003, 0x7475_0004
"""The lock numbers of the workers that poll, and that begin games and write digests."""

DIRECT_DELIVERY_MAILBOX = "handed"
"""The mailbox name for emails that a mail server pipes to us one by one."""

ALIVE_NOTE_INTERVAL: Millis = 60_000
"""The interval at which the service records that it is alive."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Service:
    """The service, ready to work. reached: called with each of SERVICE_STEPS when it is passed.

    actor: the name in logs for the source of commands from the terminal. worker: our name among the workers
    of this database. lease, out_lease: the duration of our claims on turns and incoming emails, and on
    outgoing emails. look_up_keys: gets the keys of the signatures of emails from DNS before they are
    processed. carry_out_gm_mail: carries out the commands that GMs of games have sent by email. _unsent: by
    game, the replies of this round of work that the report of the turn can take in.
    """

    settings: Settings
    database: Database
    service_context: ServiceContext
    clock: Clock
    mailbox: Mailbox
    carrier: Carrier
    reached: Callable[[str], None] = lambda _step: None
    actor: str = "gm"
    lease: Millis = due_games.GAME_LEASE_MS
    out_lease: Millis = outbox.SEND_LEASE_MS
    look_up_keys: Callable[[Sequence[bytes]], None] = lambda _letters: None
    carry_out_gm_mail: "Callable[[Service, Millis], None]" = lambda _service, _now: None
    worker: str = field(
        default_factory=lambda: f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(3)}"
    )
    _begun: Event = field(default_factory=Event, init=False, repr=False, compare=False)
    _unsent: dict[str, list[LetterDraft]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def repository(self) -> DatabaseRepository:
        """Return the read side of the database."""
        return DatabaseRepository(self.database)

    @property
    def outage_alerts(self) -> OutageAlerts:
        """Return the part that notes and reports outages of incoming and outgoing mail."""
        return OutageAlerts(self.database, self.service_context, self.composer)

    @property
    def clock_actions(self) -> ClockActions:
        """Return the part that acts on deadlines, reminders and absences."""
        return ClockActions(self.database, self.composer)

    @property
    def turns(self) -> TurnProcessor:
        """Return the part that processes turns and commits them."""
        return TurnProcessor(self.database, self.composer, self.reached)

    @property
    def suspended_games(self) -> SuspendedGames:
        """Return the part that suspends games that can't continue."""
        return SuspendedGames(self.database, self.composer, self.clock_actions)

    @property
    def digests(self) -> Digests:
        """Return the part that writes digests: one email about all games for each subscribed player."""
        return Digests(self.database, self.composer)

    @property
    def game_starts(self) -> GameStarts:
        """Return the part that begins games when enough players have joined."""
        return GameStarts(self.database, self.composer, self.settings.deadlines)

    @property
    def forgetter(self) -> PersonForgetter:
        """Return the part that forgets people."""
        settings = self.settings
        boxes = (settings.inbox, *settings.also)
        maildirs = tuple(box.path for box in boxes if isinstance(box, MaildirAt))
        folder, keep = settings.file.parent, settings.keep.people
        return PersonForgetter(self.database, self.composer, folder, keep, maildirs)

    @property
    def heartbeat(self) -> WorkerHeartbeat:
        """Return the part that records that this worker is alive and takes over from dead workers."""
        return WorkerHeartbeat(self.database, self.worker, self.clock, self.carrier.doubt.wait)

    @property
    def mail_sender(self) -> MailSender:
        """Return the part that passes outgoing emails to the mail server."""
        parts = self.database, self.mailbox, self.carrier, self.composer, self.outage_alerts, self.clock
        return MailSender(*parts, self.reached, self.worker, self.out_lease)

    @property
    def channel_senders(self) -> tuple[ChannelSender, ...]:
        """Return the parts that post to channels other than email, one per channel."""
        return build_channel_senders(
            self.service_context.channels, self.database, self.outage_alerts, self.clock, self.worker
        )

    @property
    def composer(self) -> ReportComposer:
        """Return the part that writes outgoing emails."""
        return ReportComposer(self.service_context, self.repository)

    # Incoming emails.

    def poll(self) -> int:
        """Store every new email in the mailbox and return their number. Raises PostFault, StoreFault.

        Does nothing while another worker polls.
        """
        with self.database.exclusive_lock(MAILBOX_LOCK) as is_mine:
            return self._poll() if is_mine else 0

    def _poll(self) -> int:
        began = self.clock.now()
        with self.database.session():
            try:
                count = self._store_new_letters(began)
            except PostFault as fault:
                self.outage_alerts.note_failure(LETTERS_IN, fault, self.clock.now())
                due_games.after_poll(self.database)  # log this once for turns that wait for it
                raise
            with self.database.writing():
                metadata.note_poll(self.database, began)
                due_games.after_poll(self.database)
            self.outage_alerts.note_recovery(LETTERS_IN)
            if count:
                self.database.notify(PROCESS)
        return count

    def _store_new_letters(self, began: Millis) -> int:
        count = 0
        known = partial(inbox.known_places, self.database, self.mailbox.name)
        for batch in inbox.batches(self.mailbox.new_letters(known)):
            count += inbox.store_letters(self.database, batch, began)
            for _ in batch:
                self.reached("letter kept")
            self.mailbox.mark_kept([arrived.place for arrived in batch])
            for _ in batch:
                self.reached("letter marked")
        return count

    def receive(self, raw: bytes) -> bool:
        """Store an email that was piped to us, received now.

        Return False for a duplicate. Raises StoreFault.
        """
        now = self.clock.now()
        # A mail server that retries, because it missed our reply, sends the same trace headers again.
        raw = add_missing_headers(raw, None if is_traced(raw) else now, DIRECT_DELIVERY_MAILBOX)
        handed = IncomingLetter(
            mailbox=DIRECT_DELIVERY_MAILBOX, place=fingerprint(raw), received=now, raw=raw
        )
        with self.database.writing():
            new = inbox.store_letters(self.database, [handed], now)
            metadata.note_handed(self.database, now)
        self.reached("letter kept")
        return bool(new)

    # Processing emails and turns.

    def process(self, now: Millis | None = None) -> None:
        """Process every stored email, then every turn that is due.

        Work that another worker has claimed is skipped. now: the time, or None for the time at each step.
        """
        self._unsent.clear()
        with self.database.session():
            self.suspended_games.check(
                self.clock.now() if now is None else now, first=not self._begun.is_set()
            )
            self._begun.set()
            turn_commit.reopen_emails_of_ended_games(self.database)
            self._read_letters(now)
            if metadata.note_check_settings(self.database, self._due_check_version):
                due_games.recheck_all(self.database)
            self._run_side_jobs(now)
            self._run_due_games(now)

    def _read_letters(self, at: Millis | None) -> None:
        any_read = False
        while waiting := inbox.claim(self.database, self.clock.now(), self.worker, lease_ms=self.lease):
            for group in inbox.groups(waiting):
                self._handle_group(group, self.clock.now() if at is None else at)
            any_read = True
        if any_read:
            due_games.after_poll(self.database)  # turns have waited for these emails

    def _run_side_jobs(self, at: Millis | None) -> None:
        """Begin games that are ready, carry out commands of GMs, and write digests and press that are due."""
        now = self.clock.now() if at is None else at
        with self.database.exclusive_lock(SIDE_JOBS_LOCK) as is_mine:
            if is_mine:
                self.game_starts.start_due_games(now)
                self.digests.write_due_digests(now)
                self.forgetter.load()
                self.forgetter.run_due(now)
                self.carry_out_gm_mail(self, now)
                PressBatches(self.database, self.composer, self.settings.rounds).send_due(now)

    @property
    def _due_check_version(self) -> str:
        """Return a key of all inputs outside the database that decide what is due.

        If it changes, check all games.
        """
        service = self.service_context
        return f"{__version__} {service.zone.key} {service.digest_at} {' '.join(games.folders())}"

    def read_now(self, number: int) -> None:
        """Process one waiting email and nothing more. Does nothing if it isn't waiting. Raises StoreFault."""
        with self.database.session():
            now = self.clock.now()
            if (kept := inbox.claim_one(self.database, number, now, self.worker, self.lease)) is not None:
                self._handle_group([kept], now)

    def _handle_group(self, group: Sequence[StoredLetter], now: Millis) -> None:
        inbox.strike(self.database, [kept.number for kept in group])
        if group[0].tries > MAX_CRASHES_PER_LETTER:  # it is processed alone
            crashed = sentence("service.mail.we_died", times=MAX_CRASHES_PER_LETTER)
            self._quarantine(group[0], crashed, now)
            return
        self.look_up_keys([kept.raw for kept in group])
        try:
            with self.database.writing():
                results = [self._process_letter(kept, now) for kept in group]
        except Fault:
            inbox.forgive(self.database, [kept.number for kept in group], self.worker)
            raise
        for kept, result in zip(group, results, strict=True):
            self._finish_letter(kept, result, now)

    def _process_letter(self, kept: StoredLetter, now: Millis) -> LetterOutcome | Exception:
        """Decide on an email and write its effects, in the transaction of its group.

        Return its outcome, or the error that undid the effects of this email alone. Raises Fault.
        """
        repository = LetterRepository(self.database)
        composer, deadlines = ReportComposer(self.service_context, repository), self.settings.deadlines
        try:
            with self.database.savepoint():
                kept = add_turns(self.database, kept)
                handled = handle_letter(kept, repository, self.service_context, now)
                sealed = [composer.seal(answer, now) for answer in handled.answers]
                begins = [act for act in handled.acts if isinstance(act, BeginGame)]
                new = [signups.create_requested_game(act, deadlines, composer, now) for act in begins]
                follow = side_effects(handled.acts, composer, now)
                handled = replace_fields(handled, acts=follow.acts)
                self.reached("letter read")
                undone = [act for act in handled.acts if isinstance(act, TakeBack)]
                restored = [self._undo_game(act, repository) for act in undone]
                effects = LetterEffects(sealed, told=follow.letters, begun=new, restored=restored)
                inbox.settle(self.database, kept, handled, effects, now)
                return handled
        except Fault:
            raise
        except Exception as fault:
            return fault

    def _finish_letter(self, kept: StoredLetter, result: LetterOutcome | Exception, now: Millis) -> None:
        """Log a processed email. Retry or quarantine an email that couldn't be processed."""
        if isinstance(result, WriteConflict):
            inbox.forgive(self.database, [kept.number], self.worker)
            message = sentence("service.mail.letter_again", number=kept.number)
            log.info(message, extra=log_context(letter=kept.number))
        elif isinstance(result, Exception):  # an error in one email must not stop the service
            log.error("email %d", kept.number, exc_info=result, extra=log_context(letter=kept.number))
            trace = redact_text("".join(traceback.format_exception(result, limit=-4)))
            self._quarantine(kept, sentence("service.mail.reader_failed", trace=trace), now)
        else:
            for reply in result.answers:
                if reply.rows and reply.game:  # its game's turn runs now
                    self._unsent.setdefault(reply.game, []).append(reply)
            self.reached("letter handled")
            ids = log_context(letter=kept.number, game=result.game, seat=result.seat)
            how, why = result.disposition, result.why
            if why:
                message = sentence("service.mail.letter_handled_why", number=kept.number, how=how, why=why)
            else:
                message = sentence("service.mail.letter_handled", number=kept.number, how=how)
            log.info(message, extra=ids)

    def _undo_game(
        self, act: TakeBack, repository: DatabaseRepository
    ) -> tuple[GamePosition, GamePosition, LogEntry]:
        """Return a game before and after an undo. Raises WriteConflict if it has changed since."""
        position = repository.position(act.game)
        if position is None or position.rev != act.rev:
            raise WriteConflict(act.game)
        game = position.game
        return position, *put_back(game, position, act, repository.log(act.game))

    def _quarantine(self, kept: StoredLetter, why: str, now: Millis) -> None:
        notice = self.composer.to_gamesmaster(
            f"quarantine/{kept.number}",
            sentence("service.mail.waits_subject", number=kept.number),
            (
                sentence("service.mail.waits", number=kept.number, why=why),
                sentence("service.mail.look_at_it", number=kept.number),
            ),
            now,
        )
        with suppress(WriteConflict):
            inbox.quarantine(self.database, kept.number, why, now, [notice])

    def _run_due_games(self, at: Millis | None) -> None:
        """Process each game that is due for a check and that no other worker has claimed."""
        while True:
            now = self.clock.now() if at is None else at
            until = self.clock.now() + self.lease
            claimed = due_games.claim(self.database, now, self.worker, until)
            if not claimed:
                return
            try:
                looked = [self._play_due(name, now, at) for name in claimed]
                due_games.settle(self.database, self.worker, looked, partial(inbox.read_until, self.database))
            except BaseException:  # after Ctrl-C, other workers needn't wait for the lease to end
                with suppress(Fault):
                    due_games.give_back(self.database, [self.worker])
                raise
            self.database.notify(SEND)
            self._read_letters(at)  # there may be ten thousand games with nothing due

    def _play_due(self, name: str, now: Millis, at: Millis | None = None) -> DueCheck:
        for _ in range(MAX_TURNS_PER_CHECK):
            try:
                if (looked := self._play_once(name, now)) is not None:
                    return looked
            except WriteConflict:
                log.info(sentence("service.mail.game_again", game=name), extra=log_context(game=name))
            except Fault:
                raise
            except Exception as fault:  # a bug in one game suspends this game, not the others
                log.exception(sentence("service.mail.game_held", game=name), extra=log_context(game=name))
                self.suspended_games.suspend_after_failure(name, fault, now)
                return DueCheck(name, None, now + FAILED_CHECK_INTERVAL_MS)
            self._read_letters(at)  # drawing takes time: emails must not wait for more than one turn
        return DueCheck(name, None, now + 1)

    def _play_once(self, name: str, now: Millis) -> DueCheck | None:
        """Do a game's next action. Return None if the game must be checked again."""
        position = self.repository.position(name)
        if position is None:
            self.suspended_games.suspend_unreadable(name, now)
        if position is None or not position.is_running:
            return DueCheck(name, None, due_games.within_a_day(name, None, now))
        if self.suspended_games.is_blocked(position, now):
            return DueCheck(name, None, now + FAILED_CHECK_INTERVAL_MS)
        if turn_commit.reopen_due_emails(self.database, self.repository, position):
            return None
        drained = inbox.read_until(self.database)
        if is_ripe(position, now, now) and not is_ripe(position, now, drained):
            self.outage_alerts.report_waiting_turn(position, now)
        substitutes: list[str] = []
        if position.deadlines.away == "substitute":
            waiting = Admission(self.repository, now).admitted_signups(position)
            substitutes = [signup.address for signup in waiting]
        game = position.game
        votes = self.repository.people.policy(name).votes if position.timing.ballots else "none"
        todo = find_due_action(game, position, now, drained, substitutes, votes)
        done = todo is not None
        if isinstance(todo, PlayTurn):
            holds = self.suspended_games.verify_or_suspend(position, now)
            replies = self._unsent.get(name, ())
            played = self.turns.play(position, now, todo.ripe, "clock", replies) if holds else None
            if played:
                self._unsent.pop(name, None)
            done = self.suspended_games.resume_if_played(position, played, now)
        elif todo is not None:
            self.clock_actions.carry_out(position, todo, now)
        if not done:
            again = due_games.within_a_day(name, next_check(game, position, now), now)
            return DueCheck(name, position.rev, again, drained)
        return None

    def resume_after_downtime(self) -> None:
        """Record that we are alive. After an outage, extend the games' deadlines by the lost time.

        Between two rounds of `gm run`, nobody expects the service to be alive.
        """
        now, since = self.clock.now(), metadata.last_alive(self.database)
        if since is not None and now - since < ALIVE_NOTE_INTERVAL:
            return
        with self.database.session():
            if since is not None and 0 < self.settings.downtime <= now - since - self.settings.rounds:
                for name in stored_games.running_names(self.database):
                    self._give_time_back(name, since, now)
            metadata.note_alive(self.database, now)
            metadata.note_program(self.database, __version__)

    def _give_time_back(self, name: str, since: Millis, now: Millis) -> None:
        position = self.repository.position(name)
        if position is not None:
            # WriteConflict: another worker has just done it. Refusal: the game's time zone no longer exists;
            # the game is suspended when its turn is due.
            with suppress(WriteConflict, Refusal):
                self.clock_actions.give_time_back(position, since, now)

    # Outgoing emails.

    def send(self, limit: int = 50) -> int:
        """Send the emails that are ready and return their number. Raises StoreFault."""
        return self.mail_sender.send(limit)

    def post_to_channels(self) -> int:
        """Post what is ready to every channel and return the number of posts. Raises StoreFault."""
        return send_to_all(self.channel_senders)

    # Workers.

    def recover(self, jobs: Sequence[str] = JOBS) -> int:
        """At the start: register this worker, and take over the work of dead workers.

        Returns the number of emails that were possibly sent, because they were in transit.
        """
        return self.heartbeat.start(jobs)


def open_service(
    settings: Settings,
    clock: Clock | None = None,
    reached: Callable[[str], None] = lambda _step: None,
) -> Service:
    """Return the service for these settings. Raises Refusal or Fault if a part can't be opened."""
    clock, database = clock or WallClock(), open_database(settings.database)
    database.draw = png
    database.forgotten = load_list(settings.file.parent)
    keys = KeyRecords() if VERIFIED_FROM in settings.accept and can_check() else None
    with database.session():
        service = build_service_context(
            settings, metadata.service_key(database), None if keys is None else keys.signed_by
        )
    carrier = create_carrier(settings, clock, partial(outbox.admit, database))
    return Service(
        settings,
        database,
        service,
        clock,
        channels.build_mailbox(settings, service, database, clock),
        carrier,
        reached,
        look_up_keys=(lambda _letters: None) if keys is None else keys.look_up,
    )
