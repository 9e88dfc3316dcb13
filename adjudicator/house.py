"""The house: the only place where the parts meet, and the only one that does things in order.

Rule 1: commit before telling. A letter is kept before it is marked, handled together with its answers, and a
        turn is written together with its reports; only then does anything go out.
Rule 2: nothing is rendered and no server is spoken to while a transaction is open.
Rule 3: between any two of STEPS the power may fail. What was not committed is done again from the books.
"""

import logging
import traceback
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event

import games
from adjudicator import __version__
from adjudicator.catalogue import sentence
from adjudicator.clerk.desk import handle
from adjudicator.clerk.identity import FROM
from adjudicator.clerk.undoing import done as put_back
from adjudicator.clock import Clock, Millis, WallClock
from adjudicator.errors import Fault, Overtaken, PostFault
from adjudicator.ledger.game_acts import BeginGame, TakeBack
from adjudicator.ledger.letters import Arrived, Kept, Receipt, Sealed
from adjudicator.ledger.positions import Entry, Played, Position
from adjudicator.ledger.society import Offer
from adjudicator.logs import about
from adjudicator.office import Office, office_of
from adjudicator.post.carrier import Carrier
from adjudicator.post.configured import carrier_of, mailbox_of
from adjudicator.post.dns import texts
from adjudicator.post.mailbox import Mailbox
from adjudicator.post.missing_headers import completed, is_traced
from adjudicator.post.signatures import can_check, signed_by
from adjudicator.referee.deadlines import is_ripe
from adjudicator.referee.errands import Play, errand
from adjudicator.referee.turn import after, play
from adjudicator.secretary import openings
from adjudicator.secretary.alarm import LETTERS_IN, LETTERS_OUT, Alarm
from adjudicator.secretary.digests import Digests
from adjudicator.secretary.notifications import following, spoken_up
from adjudicator.secretary.stuck_games import StuckGames
from adjudicator.secretary.timers import Timers
from adjudicator.secretary.writing import Writer
from adjudicator.settings.service import Settings
from adjudicator.settings.terms import terms_of
from adjudicator.signs.redaction import redacted
from adjudicator.store import games as book_of_games
from adjudicator.store import inbox, meta, outbox, people
from adjudicator.store.acts import Entailed
from adjudicator.store.books import StoredBooks
from adjudicator.store.database import Database, open_database
from adjudicator.store.inbox import Consequences
from adjudicator.store.tray import Laid, Tray
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

HANDED = "handed"
"""What stands for the mailbox of letters that a mail server has handed to us one by one."""

ALIVE_EVERY: Millis = 60_000
"""So often it is noted that the service is alive."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class House:
    """The service, ready to work. reached: called with each of STEPS as it is passed.

    hand: who asks for what is asked at the command line, as logs name him.
    """

    settings: Settings
    database: Database
    office: Office
    clock: Clock
    mailbox: Mailbox
    carrier: Carrier
    reached: Callable[[str], None] = lambda step: None
    hand: str = "gm"
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
    def stuck_games(self) -> StuckGames:
        """Who holds games that cannot go on."""
        return StuckGames(self.database, self.writer, self.timers)

    @property
    def digests(self) -> Digests:
        """Who writes one letter about all games to whoever asked for it."""
        return Digests(self.database, self.writer)

    @property
    def writer(self) -> Writer:
        """Who writes our letters."""
        return Writer(self.office, self.books)

    # Letters in.

    def poll(self) -> int:
        """Keep every new letter of the mailbox. Returns how many there were. Raises PostFault, StoreFault."""
        began = self.clock.now()
        with self.database.session():
            try:
                count = self._keep_all(began)
            except PostFault as fault:
                self.alarm.failed(LETTERS_IN, fault, self.clock.now())
                raise
            meta.note_poll(self.database, began)
            self.alarm.over(LETTERS_IN)
        return count

    def _keep_all(self, began: Millis) -> int:
        count = 0
        for batch in inbox.batches(self.mailbox.new_letters(self._known)):
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

    def _known(self, places: Sequence[str]) -> Collection[str]:
        return inbox.known_places(self.database, self.mailbox.name, places)

    # Letters handled, turns played.

    def process(self, now: Millis | None = None) -> None:
        """Handle every letter that was kept, then play every turn that is due."""
        now = self.clock.now() if now is None else now
        with self.database.session():
            self.stuck_games.look(now, first=not self._begun.is_set())
            self._begun.set()
            while waiting := inbox.unhandled(self.database, limit=20):
                for group in inbox.groups(waiting):
                    self._handle_all(group, now)
            for offer in self.books.society.offers():
                self._begin_due(offer, now)
            for name in book_of_games.running_names(self.database):
                self._play_due(name, now)
            self.digests.see_to(now)

    def read_now(self, number: int) -> None:
        """Handle one letter that waits, and no other; nothing where it does not. Raises StoreFault."""
        with self.database.session():
            if (kept := inbox.waiting(self.database, number)) is not None:
                self._handle_all([kept], self.clock.now())

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
            inbox.forgive(self.database, [*tray.numbers, *(kept.number for kept in left)])
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
        writer = Writer(self.office, books)
        handled = handle(kept, books, self.office, now)
        sealed = [writer.seal(answer, now) for answer in handled.answers]
        new = [
            openings.begun(act, self.settings.deadlines, writer, now)
            for act in handled.acts
            if isinstance(act, BeginGame)
        ]
        follow = following(handled.acts, writer, now)
        handled = replace(handled, acts=follow.acts)
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
        inbox.forgive(self.database, [kept.number])
        said = sentence("house.service.letter_again", number=kept.number)
        log.info(said, extra=about(letter=kept.number))

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

    def _begin_due(self, offer: Offer, now: Millis) -> None:
        """Begin a game for which enough people have signed up, or whose time has come."""
        if not openings.is_to_begin(offer, self.books.society.signups(offer.name), now):
            return
        try:
            self.begin_offered(offer, now)
        except Fault:
            raise
        except Exception:  # a game that cannot begin keeps no other from going on
            log.exception(sentence("house.service.game_not_begun", game=offer.name))

    def begin_offered(self, offer: Offer, now: Millis) -> None:
        """Begin a game with those who have signed up for it."""
        signups = self.books.society.signups(offer.name)
        terms = terms_of(offer.terms, self.settings.deadlines)
        new, deeds, welcomes = openings.started(offer, signups, terms, self.writer, now)
        with self.database.writing():
            book_of_games.create(self.database, new, welcomes, now)
            for deed in deeds:
                people.do(self.database, deed)
        log.info(sentence("house.service.game_begun", game=offer.name, people=len(welcomes)))

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

    def _play_due(self, name: str, now: Millis) -> None:
        for _ in range(TURNS_AT_ONCE):
            try:
                if not self._play_once(name, now):
                    return
            except Overtaken:
                log.info(sentence("house.service.game_again", game=name), extra=about(game=name))
            except Fault:
                raise
            except Exception as fault:  # a game's bug holds that game, not the others
                log.exception(sentence("house.service.game_held", game=name), extra=about(game=name))
                self.stuck_games.failed(name, fault, now)
                return

    def _play_once(self, name: str, now: Millis) -> bool:
        position = self.books.position(name)
        if position is None:
            self.stuck_games.note(name, now)
            return False
        if not position.running or self.stuck_games.bars(position, now):
            return False
        drained = meta.last_poll(self.database)
        if is_ripe(position, now, now) and not is_ripe(position, now, drained):
            self.alarm.waits(position, now)
        waiting = self.books.society.signups(name) if position.deadlines.away == "substitute" else ()
        substitutes = [one.address for one in waiting]
        todo = errand(games.kinds()[position.kind], position, now, drained, substitutes)
        if isinstance(todo, Play):
            holds = self.stuck_games.holds(position, now)
            played = self.play_turn(position, now, todo.ripe, by="clock") if holds else None
            return self.stuck_games.played(position, played, now)
        if todo is not None:
            self.timers.see_to(position, todo, now)
        return todo is not None

    def play_turn(self, position: Position, now: Millis, ripe: bool, by: str) -> Played | None:
        """Play a turn from a position and write it down with its reports; None if a person is waited for.

        Raises Overtaken, with nothing done, if the books have changed since.
        """
        press = self.books.society.press(position.name)
        played = play(games.kinds()[position.kind], position, now, ripe, by, press)
        if played is None:
            return None
        reports, untold = self.writer.reports(position, played, now)
        said, told = spoken_up(after(position, played), self.writer, now)
        self.reached("turn played")
        entailed = Entailed(now, [*reports, *told], [*said, *untold])
        book_of_games.commit(self.database, position.name, played, position.rev, entailed)
        self.reached("turn committed")
        for step in played.steps:
            ids = about(game=position.name, turn=step.turn.short)
            line = sentence("house.service.game_played", game=position.name, turn=step.turn.short)
            log.info(line, extra=ids)
        return played

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
            with suppress(Overtaken):  # somebody else, who is awake too, has just seen to it
                self.timers.make_up(position, since, now)

    # Letters out.

    def send(self, limit: int = 50) -> int:
        """Send what is ready. Returns how many letters went out. Raises StoreFault."""
        sent = 0
        with self.database.session():
            outbox.recover(self.database, self.clock.now(), self.carrier.doubt.wait)
            self._clear_up()
            self._tell_of_failures()
            while claimed := outbox.claim(self.database, self.clock.now(), limit):
                receipts = self.carrier.deliver(claimed, self._begin)
                self.reached("report delivered")
                now = self.clock.now()
                outbox.settle(self.database, receipts, now, self.carrier.doubt.wait)
                self.reached("report sent")
                _log_sent(claimed, receipts)
                self._tell_of_failures()
                self._note_held(receipts)
                sent += sum(receipt.outcome == "sent" for receipt in receipts)
                if not any(receipt.outcome == "sent" for receipt in receipts):
                    break
        return sent

    def _note_held(self, receipts: Sequence[Receipt]) -> None:
        # What goes slowly by our own will says nothing of the server.
        tried = [one for one in receipts if one.outcome != "held" or one.retry_at is None]
        held = [receipt.why for receipt in tried if receipt.outcome == "held"]
        if held and len(held) == len(tried):
            self.alarm.failed(LETTERS_OUT, PostFault("outbox", str(held[0])), self.clock.now())
        elif tried or not receipts:
            self.alarm.over(LETTERS_OUT)

    def recover(self) -> int:
        """At the start: find the letters that a sender who died had in hand. Returns how many are unsure."""
        return outbox.recover(self.database, self.clock.now(), self.carrier.doubt.wait, at_start=True)

    def _begin(self, letter: Sealed) -> bool:
        copied = self.carrier.doubt.how == "probe"
        begun = outbox.begin(self.database, letter.key, self.clock.now(), copied)
        self.reached("report sending")
        return begun

    def _clear_up(self) -> None:
        """Settle the letters of which nobody knows whether they were taken."""
        try:
            for posted in outbox.unsure(self.database, self.clock.now()):
                fate = self._fate(posted)
                ids = about(ours=posted.sealed.key, game=posted.sealed.game, seat=posted.sealed.seat)
                log.info(sentence("house.service.letter_unsure", to=posted.sealed.to, fate=fate), extra=ids)
                outbox.clear_up(self.database, posted.number, fate, self.clock.now())
        except PostFault as fault:
            log.warning(sentence("house.service.letters_stay_unsure", fault=fault))

    def _fate(self, posted: outbox.Posted) -> outbox.Fate:
        """What can be done about an unsure letter; the settings may have changed since it was sent."""
        if posted.copied and self.mailbox.holds(posted.sealed.message_id):
            return "taken"
        if posted.copied and self.carrier.doubt.how == "probe":
            return "again"
        return "again" if self.carrier.doubt.how == "again" else "marked"

    def _tell_of_failures(self) -> None:
        """Tell the gamesmaster of letters that reach nobody; but not of such as were to himself."""
        while failed := outbox.untold(self.database, self.office.address):
            notices = [
                self.writer.to_gamesmaster(
                    outbox.notice_key(posted.number),
                    sentence("house.service.undelivered_subject", to=posted.sealed.to),
                    (
                        sentence(
                            "house.service.undelivered",
                            number=posted.number,
                            to=posted.sealed.to,
                            why=posted.why,
                        ),
                        sentence("house.service.look_at_ours", number=posted.number),
                        *self._if_dead(posted.sealed.to),
                    ),
                    self.clock.now(),
                )
                for posted in failed
            ]
            outbox.put(self.database, notices, self.clock.now())

    def _if_dead(self, address: str) -> tuple[str, ...]:
        if not self.books.returns.is_dead(address):
            return ()
        return (sentence("house.service.dead_address", address=address),)


def open_house(
    settings: Settings,
    clock: Clock | None = None,
    reached: Callable[[str], None] = lambda step: None,
) -> House:
    """The service as its settings describe it: books opened and up to date, mailbox and carrier at hand.

    Raises Refusal or Fault when a part cannot be had.
    """
    clock = clock or WallClock()
    database = open_database(settings.database)
    with database.session():
        signed = _signed if FROM in settings.accept and can_check() else None
        office = office_of(settings, meta.service_key(database), signed)
    mailbox, carrier = mailbox_of(settings), carrier_of(settings, clock)
    return House(settings, database, office, clock, mailbox, carrier, reached)


def _signed(raw: bytes, domain: str) -> bool:
    return signed_by(raw, domain, texts)


def _log_sent(letters: Sequence[Sealed], receipts: Sequence[Receipt]) -> None:
    for letter, receipt in zip(letters, receipts, strict=True):
        ids = about(ours=letter.key, game=letter.game, seat=letter.seat)
        how, why = receipt.outcome, receipt.why or ""
        log.info(sentence("house.service.letter_sent", to=letter.to, how=how, why=why), extra=ids)
