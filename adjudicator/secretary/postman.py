"""The postman: letters handed to the carrier, what became of each, and what reaches nobody.

Between any two of the house's steps the power may fail: a letter's row says how far it got.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from adjudicator.catalogue import sentence
from adjudicator.clock import Clock, Millis
from adjudicator.errors import PostFault
from adjudicator.ledger.letters import Receipt, Sealed
from adjudicator.logs import about
from adjudicator.post.carrier import Carrier
from adjudicator.post.mailbox import Mailbox
from adjudicator.secretary import draughtsman
from adjudicator.secretary.alarm import LETTERS_OUT, Alarm
from adjudicator.secretary.writing import Writer
from adjudicator.store import outbox
from adjudicator.store.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Postman:
    """The postman of one service. reached: as the house's; worker: who has letters in hand, for the lease."""

    database: Database
    mailbox: Mailbox
    carrier: Carrier
    writer: Writer
    alarm: Alarm
    clock: Clock
    reached: Callable[[str], None]
    worker: str
    lease: Millis = outbox.LEASE

    def send(self, limit: int = 50) -> int:
        """Send what is ready. Returns how many letters went out. Raises StoreFault."""
        sent = 0
        with self.database.session():
            draughtsman.draw_all(self.database)
            outbox.recover(self.database, self.clock.now(), self.carrier.doubt.wait, worker=self.worker)
            self._clear_up()
            self._tell_of_failures()
            while claimed := self._claim(limit):
                receipts = self.carrier.deliver(claimed, self._begin)
                self.reached("report delivered")
                now = self.clock.now()
                outbox.settle(self.database, receipts, now, self.carrier.doubt.wait, self.worker)
                self.reached("report sent")
                _log_sent(claimed, receipts)
                self._tell_of_failures()
                self._note_held(receipts)
                sent += sum(receipt.outcome == "sent" for receipt in receipts)
                # Those that go slowly by our own will keep nobody else's waiting.
                if not any(receipt.outcome == "sent" or _is_paced(receipt) for receipt in receipts):
                    break
        return sent

    def is_quiet(self) -> bool:
        """Whether there is nothing to do for us. Raises StoreFault."""
        return outbox.is_quiet(self.database, self.writer.office.address, self.clock.now(), self.worker)

    def _claim(self, limit: int) -> tuple[Sealed, ...]:
        return outbox.claim(self.database, self.clock.now(), limit, self.lease, self.worker)

    def _note_held(self, receipts: Sequence[Receipt]) -> None:
        # What goes slowly by our own will says nothing of the server.
        tried = [one for one in receipts if not _is_paced(one)]
        held = [receipt.why for receipt in tried if receipt.outcome == "held"]
        if receipts and not tried:
            return
        if held and len(held) == len(tried):
            self.alarm.failed(LETTERS_OUT, PostFault("outbox", str(held[0])), self.clock.now())
        else:
            self.alarm.over(LETTERS_OUT)

    def _begin(self, letter: Sealed) -> bool:
        copied = self.carrier.doubt.how == "probe"
        begun = outbox.begin(self.database, letter.key, self.clock.now(), copied, self.worker)
        self.reached("report sending")
        return begun

    def _clear_up(self) -> None:
        """Settle the letters of which nobody knows whether they were taken."""
        unsure = outbox.unsure(self.database, self.clock.now())
        copied = [posted.sealed.message_id for posted in unsure if posted.copied]
        try:
            taken = self.mailbox.arrival_times(copied) if copied else {}
        except PostFault as fault:
            log.warning(sentence("house.service.letters_stay_unsure", fault=fault))
            unsure, taken = tuple(posted for posted in unsure if not posted.copied), {}
        for posted in unsure:
            fate = self._fate(posted, taken)
            ids = about(ours=posted.sealed.key, game=posted.sealed.game, seat=posted.sealed.seat)
            log.info(sentence("house.service.letter_unsure", to=posted.sealed.to, fate=fate), extra=ids)
            outbox.clear_up(self.database, posted.number, fate, self.clock.now())

    def _fate(self, posted: outbox.Posted, taken: Collection[str]) -> outbox.Fate:
        """What can be done about an unsure letter; the settings may have changed since it was sent.

        taken: the Message-IDs of those whose copies lie in our mailbox.
        """
        if posted.sealed.message_id in taken:
            return "taken"
        if posted.copied and self.carrier.doubt.how == "probe":
            return "again"
        return "again" if self.carrier.doubt.how == "again" else "marked"

    def _tell_of_failures(self) -> None:
        """Tell the gamesmaster of letters that reach nobody; but not of such as were to himself."""
        while failed := outbox.untold(self.database, self.writer.office.address):
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
        if not self.writer.books.returns.is_dead(address):
            return ()
        return (sentence("house.service.dead_address", address=address),)


def _is_paced(receipt: Receipt) -> bool:
    return receipt.outcome == "held" and receipt.retry_at is not None


def _log_sent(letters: Sequence[Sealed], receipts: Sequence[Receipt]) -> None:
    for letter, receipt in zip(letters, receipts, strict=True):
        ids = about(ours=letter.key, game=letter.game, seat=letter.seat)
        how, why = receipt.outcome, receipt.why or ""
        log.info(sentence("house.service.letter_sent", to=letter.to, how=how, why=why), extra=ids)
