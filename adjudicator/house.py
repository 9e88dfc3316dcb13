"""The house: the only place where the parts meet, and the only one that does things in order.

Rule 1: commit before telling. A letter is kept before it is marked, handled together with its answers, and a
        turn is written together with its reports; only then does anything go out.
Rule 2: nothing is rendered and no server is spoken to while a transaction is open.
Rule 3: between any two of STEPS the power may fail. What was not committed is done again from the books.
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
from adjudicator.catalogue import sentence
from adjudicator.clerk.authentication import FROM
from adjudicator.clerk.desk import handle
from adjudicator.clerk.undoing import done as put_back
from adjudicator.clock import Clock, Millis, WallClock
from adjudicator.errors import Fault, Overtaken, PostFault, Refusal
from adjudicator.ledger.game_acts import BeginGame, TakeBack
from adjudicator.ledger.jobs import JOBS, PROCESS, SEND
from adjudicator.ledger.letters import Arrived, Kept
from adjudicator.ledger.looks import HELD, Looked
from adjudicator.ledger.positions import Entry, Played, Position
from adjudicator.ledger.society import Offer
from adjudicator.logs import about
from adjudicator.office import Office, office_of
from adjudicator.post.carrier import Carrier
from adjudicator.post.configured import carrier_of
from adjudicator.post.dns import texts
from adjudicator.post.mailbox import Mailbox
from adjudicator.post.missing_headers import completed, is_traced
from adjudicator.post.signatures import can_check, signed_by
from adjudicator.referee.deadlines import is_ripe
from adjudicator.referee.errands import Play, errand
from adjudicator.referee.looking import next_look
from adjudicator.reports.picture import png
from adjudicator.secretary import boards, openings, postponed_emails
from adjudicator.secretary.alarm import LETTERS_IN, Alarm
from adjudicator.secretary.beginnings import Beginnings
from adjudicator.secretary.crier import Crier, criers, together
from adjudicator.secretary.digests import Digests
from adjudicator.secretary.notifications import following
from adjudicator.secretary.postman import Postman
from adjudicator.secretary.presence import Presence
from adjudicator.secretary.press_batches import PressBatches
from adjudicator.secretary.stuck_games import StuckGames
from adjudicator.secretary.timers import Timers
from adjudicator.secretary.turns import Turns
from adjudicator.secretary.writing import Writer
from adjudicator.settings.service import Settings
from adjudicator.signs.redaction import redacted
from adjudicator.store import claims, inbox, looks, meta, outbox, pace
from adjudicator.store import games as book_of_games
from adjudicator.store.books import StoredBooks
from adjudicator.store.database import Database, open_database
from adjudicator.store.inbox import Consequences
from adjudicator.store.postponed_emails import add_turns
from adjudicator.store.tray import Laid, Tray
from games.record import changed
from orders.letters.dkim_signatures import Signature
from orders.letters.letter import fingerprint

STEPS = (
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
"""The points between which the service may die at any moment, in the order in which it passes them."""

STRIKES = 5
"""So often we may die over a letter handled alone, after once among others, before it is set aside."""

TURNS_AT_ONCE = 20

MAILBOX_LOCK, BESIDE_LOCK = 0x7475_0003, 0x7475_0004
"""The numbers under which workers agree who polls, and who begins games and writes digests."""

HANDED = "handed"
"""What stands for the mailbox of letters that a mail server has handed to us one by one."""

ALIVE_EVERY: Millis = 60_000
"""So often it is noted that the service is alive."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class House:
    """The service, ready to work. reached: called with each of STEPS as it is passed.

    hand: who asks for what is asked at the command line, as logs name him; worker: our name among those who
    work on the same books; lease: for how long we take turns and letters in hand, out_lease: letters out.
    """

    settings: Settings
    database: Database
    office: Office
    clock: Clock
    mailbox: Mailbox
    carrier: Carrier
    reached: Callable[[str], None] = lambda step: None
    hand: str = "gm"
    lease: Millis = looks.LEASE
    out_lease: Millis = outbox.LEASE
    worker: str = field(
        default_factory=lambda: f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(3)}"
    )
    _begun: Event = field(default_factory=Event, init=False, repr=False, compare=False)

    @property
    def books(self) -> StoredBooks:
        """The read side of the books."""
        return StoredBooks(self.database)

    @property
    def alarm(self) -> Alarm:
        """Who notes and tells what keeps letters from coming and going."""
        return Alarm(self.database, self.office, self.writer)

    @property
    def timers(self) -> Timers:
        """Who sees to deadlines, reminders and absences."""
        return Timers(self.database, self.writer)

    @property
    def turns(self) -> Turns:
        """Who plays turns and writes them down."""
        return Turns(self.database, self.writer, self.reached)

    @property
    def stuck_games(self) -> StuckGames:
        """Who holds games that cannot go on."""
        return StuckGames(self.database, self.writer, self.timers)

    @property
    def digests(self) -> Digests:
        """Who writes one letter about all games to whoever asked for it."""
        return Digests(self.database, self.writer)

    @property
    def beginnings(self) -> Beginnings:
        """Who begins the games for which enough people have signed up."""
        return Beginnings(self.database, self.writer, self.settings.deadlines)

    @property
    def presence(self) -> Presence:
        """Who says that we work, and takes over from the dead."""
        return Presence(self.database, self.worker, self.clock, self.carrier.doubt.wait)

    @property
    def postman(self) -> Postman:
        """Who hands our letters to the carrier."""
        parts = self.database, self.mailbox, self.carrier, self.writer, self.alarm, self.clock
        return Postman(*parts, self.reached, self.worker, self.out_lease)

    @property
    def criers(self) -> tuple[Crier, ...]:
        """Who posts to the channels that are no addresses, one for each."""
        return criers(self.office.channels, self.database, self.alarm, self.clock, self.worker)

    @property
    def writer(self) -> Writer:
        """Who writes our letters."""
        return Writer(self.office, self.books)

    # Letters in.

    def poll(self) -> int:
        """Keep every new letter of the mailbox. Returns how many there were. Raises PostFault, StoreFault.

        Nothing is done while another worker does it.
        """
        with self.database.alone(MAILBOX_LOCK) as is_mine:
            return self._poll() if is_mine else 0

    def _poll(self) -> int:
        began = self.clock.now()
        with self.database.session():
            try:
                count = self._keep_all(began)
            except PostFault as fault:
                self.alarm.failed(LETTERS_IN, fault, self.clock.now())
                looks.after_poll(self.database)  # it is told of turns that wait for it
                raise
            with self.database.writing():
                meta.note_poll(self.database, began)
                looks.after_poll(self.database)
            self.alarm.over(LETTERS_IN)
            if count:
                self.database.ring(PROCESS)
        return count

    def _keep_all(self, began: Millis) -> int:
        count = 0
        known = partial(inbox.known_places, self.database, self.mailbox.name)
        for batch in inbox.batches(self.mailbox.new_letters(known)):
            count += inbox.keep(self.database, batch, began)
            for _ in batch:
                self.reached("letter kept")
            self.mailbox.mark_kept([arrived.place for arrived in batch])
            for _ in batch:
                self.reached("letter marked")
        return count

    def take(self, raw: bytes) -> bool:
        """Keep a letter that was handed to us, as of now. False if it was kept before. Raises StoreFault."""
        now = self.clock.now()
        # A mail server that hands a letter over again, since it did not hear us, hands over the same trace.
        raw = completed(raw, None if is_traced(raw) else now, HANDED)
        handed = Arrived(mailbox=HANDED, place=fingerprint(raw), received=now, raw=raw)
        with self.database.writing():
            new = inbox.keep(self.database, [handed], now)
            meta.note_handed(self.database, now)
        self.reached("letter kept")
        return bool(new)

    # Letters handled, turns played.

    def process(self, now: Millis | None = None) -> None:
        """Handle every letter that was kept, then play every turn that is due.

        Nothing is touched that another worker has in hand. now: when; None: whenever it comes to it.
        """
        with self.database.session():
            self.stuck_games.look(self.clock.now() if now is None else now, first=not self._begun.is_set())
            self._begun.set()
            postponed_emails.give_back_of_ended_games(self.database)
            self._read_letters(now)
            if meta.note_looked_with(self.database, self._looked_with):
                looks.stir_all(self.database)
            self._look_beside_games(now)
            self._look_over_games(now)

    def _read_letters(self, at: Millis | None) -> None:
        any_read = False
        while waiting := claims.claim(self.database, self.clock.now(), self.worker, lease_ms=self.lease):
            for group in inbox.groups(waiting):
                self._handle_all(group, self.clock.now() if at is None else at)
            any_read = True
        if any_read:
            looks.after_poll(self.database)  # turns have waited for them

    def _look_beside_games(self, at: Millis | None) -> None:
        """Begin the games that wait for people no longer, write the digests and the press that are due."""
        now = self.clock.now() if at is None else at
        with self.database.alone(BESIDE_LOCK) as is_mine:
            if is_mine:
                self.beginnings.see_to(now)
                self.digests.see_to(now)
                PressBatches(self.database, self.writer, self.settings.rounds).send_due(now)

    @property
    def _looked_with(self) -> str:
        """What else decides what is due beside the books: where it changes, all is looked at."""
        office = self.office
        return f"{__version__} {office.zone.key} {office.digest_at} {' '.join(games.folders())}"

    def read_now(self, number: int) -> None:
        """Handle one letter that waits, and no other; nothing where it does not. Raises StoreFault."""
        with self.database.session():
            now = self.clock.now()
            if (kept := claims.claim_one(self.database, number, now, self.worker, self.lease)) is not None:
                self._handle_all([kept], now)

    def _handle_all(self, group: Sequence[Kept], now: Millis) -> None:
        inbox.strike(self.database, [kept.number for kept in group])
        tray = Tray(self.database, now, partial(self._settled, now))
        left = list(group)
        try:
            while left:
                self._handle(left[0], tray, now)
                del left[0]
            tray.settle()
        except Fault:
            unsettled = [*tray.numbers, *(kept.number for kept in left)]
            inbox.forgive(self.database, unsettled, self.worker)
            raise

    def _handle(self, kept: Kept, tray: Tray, now: Millis) -> None:
        try:
            if kept.tries > STRIKES:
                self._set_aside(kept, sentence("house.service.we_died", times=STRIKES), now)
                return
            tray.lay(self._read(kept, tray.books(), now))
        except Overtaken:
            self._read_again(kept)
        except Fault:
            raise
        except Exception as fault:  # one letter's fault costs a letter, never the service
            self._give_up(kept, fault, now)

    def _read(self, kept: Kept, books: StoredBooks, now: Millis) -> Laid:
        """A letter with all that is to be done about it."""
        writer, kept = Writer(self.office, books), add_turns(self.database, kept)
        handled = handle(kept, books, self.office, now)
        sealed = [writer.seal(answer, now) for answer in handled.answers]
        begins = [act for act in handled.acts if isinstance(act, BeginGame)]
        new = [openings.begun(act, self.settings.deadlines, writer, now) for act in begins]
        follow = following(handled.acts, writer, now)
        handled = changed(handled, acts=follow.acts)
        self.reached("letter read")
        restored = [self._restored(act, books) for act in handled.acts if isinstance(act, TakeBack)]
        return Laid(kept, handled, Consequences(sealed, told=follow.letters, begun=new, restored=restored))

    def _settled(self, now: Millis, letter: Laid, fault: Exception | None) -> None:
        """What is left to do when a letter was settled, or could not be."""
        kept, handled = letter.kept, letter.handled
        if isinstance(fault, Overtaken):
            self._read_again(kept)
        elif fault is not None:
            self._give_up(kept, fault, now)
        else:
            self.reached("letter handled")
            ids = about(letter=kept.number, game=handled.game, seat=handled.seat)
            how, why = handled.disposition, handled.why or ""
            said = sentence("house.service.letter_handled", number=kept.number, how=how, why=why)
            log.info(said, extra=ids)

    def _read_again(self, kept: Kept) -> None:
        inbox.forgive(self.database, [kept.number], self.worker)
        log.info(sentence("house.service.letter_again", number=kept.number), extra=about(letter=kept.number))

    def _give_up(self, kept: Kept, fault: Exception, now: Millis) -> None:
        log.error("letter %d", kept.number, exc_info=fault, extra=about(letter=kept.number))
        trace = redacted("".join(traceback.format_exception(fault, limit=-4)))
        self._set_aside(kept, sentence("house.service.reader_failed", trace=trace), now)

    def _restored(self, act: TakeBack, books: StoredBooks) -> tuple[Position, Position, Entry]:
        """A game before and after an action is taken back. Raises Overtaken where it has changed since."""
        position = books.position(act.game)
        if position is None or position.rev != act.rev:
            raise Overtaken(act.game)
        game = games.kinds()[position.kind]
        return position, *put_back(game, position, act, books.log(act.game))

    def begin_offered(self, offer: Offer, now: Millis) -> None:
        """Begin a game with those who have signed up for it."""
        self.beginnings.begin(offer, now)

    def _set_aside(self, kept: Kept, why: str, now: Millis) -> None:
        notice = self.writer.to_gamesmaster(
            f"quarantine/{kept.number}",
            sentence("house.service.waits_subject", number=kept.number),
            (
                sentence("house.service.waits", number=kept.number, why=why),
                sentence("house.service.look_at_it", number=kept.number),
            ),
            now,
        )
        with suppress(Overtaken):
            inbox.quarantine(self.database, kept.number, why, now, [notice])

    def _look_over_games(self, at: Millis | None) -> None:
        """See to each game that is to be looked at now and is in nobody else's hands."""
        while True:
            now = self.clock.now() if at is None else at
            until = self.clock.now() + self.lease
            claimed = looks.claim(self.database, now, self.worker, until)
            if not claimed:
                return
            try:
                looked = [self._play_due(name, now, at) for name in claimed]
                looks.settle(self.database, self.worker, looked, partial(inbox.read_until, self.database))
            except BaseException:  # whoever breaks it off by hand need not wait until the lease runs out
                with suppress(Fault):
                    looks.give_back(self.database, [self.worker])
                raise
            self.database.ring(SEND)
            self._read_letters(at)  # of games in which nothing is due there may be ten thousand

    def _play_due(self, name: str, now: Millis, at: Millis | None = None) -> Looked:
        for _ in range(TURNS_AT_ONCE):
            try:
                if (looked := self._play_once(name, now)) is not None:
                    return looked
            except Overtaken:
                log.info(sentence("house.service.game_again", game=name), extra=about(game=name))
            except Fault:
                raise
            except Exception as fault:  # a game's bug holds that game, not the others
                log.exception(sentence("house.service.game_held", game=name), extra=about(game=name))
                self.stuck_games.failed(name, fault, now)
                return Looked(name, None, now + HELD)
            self._read_letters(at)  # drawing takes its time: nobody's letter waits for more than one turn
        return Looked(name, None, now + 1)

    def _play_once(self, name: str, now: Millis) -> Looked | None:
        """Do what is next in a game. None: it is to be looked at again; otherwise there was nothing to do."""
        position = self.books.position(name)
        if position is None:
            self.stuck_games.note(name, now)
        if position is None or not position.running:
            return Looked(name, None, looks.within_a_day(name, None, now))
        if self.stuck_games.bars(position, now):
            return Looked(name, None, now + HELD)
        if postponed_emails.give_back(self.database, self.books, position):
            return None
        drained = inbox.read_until(self.database)
        if is_ripe(position, now, now) and not is_ripe(position, now, drained):
            self.alarm.waits(position, now)
        waiting = self.books.society.signups(name) if position.deadlines.away == "substitute" else ()
        substitutes = [one.address for one in waiting]
        game = games.kinds()[position.kind]
        todo = errand(game, position, now, drained, substitutes)
        if todo is None or (isinstance(todo, Play) and not self._plays(position, todo, now)):
            again = looks.within_a_day(name, next_look(game, position, now), now)
            return Looked(name, position.rev, again, drained)
        if not isinstance(todo, Play):
            self.timers.see_to(position, todo, now)
        return None

    def _plays(self, position: Position, todo: Play, now: Millis) -> bool:
        holds = self.stuck_games.holds(position, now)
        played = self.play_turn(position, now, todo.ripe, by="clock") if holds else None
        return self.stuck_games.played(position, played, now)

    def play_turn(self, position: Position, now: Millis, ripe: bool, by: str) -> Played | None:
        """Play a turn from a position, as `Turns` do."""
        return self.turns.play(position, now, ripe, by)

    def wake(self) -> None:
        """Note that we are alive. After a time in which we were not, give it to the games again.

        Between two rounds of `gm run` nobody expects us to be.
        """
        now, since = self.clock.now(), meta.last_alive(self.database)
        if since is not None and now - since < ALIVE_EVERY:
            return
        with self.database.session():
            if since is not None and 0 < self.settings.downtime <= now - since - self.settings.rounds:
                for name in book_of_games.running_names(self.database):
                    self._make_up(name, since, now)
            meta.note_alive(self.database, now)
            meta.note_program(self.database, __version__)

    def _make_up(self, name: str, since: Millis, now: Millis) -> None:
        position = self.books.position(name)
        if position is not None:
            # Overtaken: somebody else, who is awake too, has just seen to it. Refusal: its time zone is gone,
            # for which it is held when its turn is due.
            with suppress(Overtaken, Refusal):
                self.timers.make_up(position, since, now)

    # Letters out.

    def send(self, limit: int = 50) -> int:
        """Send what is ready. Returns how many letters went out. Raises StoreFault."""
        return self.postman.send(limit)

    def cry(self) -> int:
        """Post what is ready to every channel. Returns how many posts went out. Raises StoreFault."""
        return together(self.criers)

    # Workers.

    def recover(self, jobs: Sequence[str] = JOBS) -> int:
        """At the start: say that we work, and find what others had in hand who died.

        Returns how many letters are unsure, since they were on the wire.
        """
        return self.presence.begin(jobs)


def open_house(
    settings: Settings,
    clock: Clock | None = None,
    reached: Callable[[str], None] = lambda step: None,
) -> House:
    """Return the service as its settings describe it. Raises Refusal or Fault where a part cannot be had."""
    clock, database = clock or WallClock(), open_database(settings.database)
    database.draw = png
    with database.session():
        signed = _signed if FROM in settings.accept and can_check() else None
        office = office_of(settings, meta.service_key(database), signed)
    carrier = carrier_of(settings, clock, partial(pace.admit, database))
    return House(
        settings, database, office, clock, boards.box(settings, office, database, clock), carrier, reached
    )


def _signed(raw: bytes, domain: str) -> tuple[Signature, ...]:
    return signed_by(raw, domain, texts)
