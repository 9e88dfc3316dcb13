"""The crier: posts in the outbox handed over to their channels, one channel by itself and in order.

A channel that is down, slow or gone keeps its own posts waiting, and nothing else: letters go by the postman,
and each other channel has a crier of its own. What was put off is tried again as letters are.
"""

import base64
import email
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email import policy

from adjudicator.catalogue import sentence
from adjudicator.clock import Clock, Millis
from adjudicator.ledger.letters import Receipt, Sealed
from adjudicator.ledger.posts import DOCUMENT, Post, PostedMap, recipient_of
from adjudicator.logs import about
from adjudicator.post.apprise_services import Service
from adjudicator.post.board import Board
from adjudicator.post.discourse import Discourse
from adjudicator.post.webhook import Webhook
from adjudicator.secretary import boards, draughtsman
from adjudicator.secretary.alarm import Alarm
from adjudicator.settings.channel import Channel
from adjudicator.store import expired, outbox
from adjudicator.store.database import Database
from games.record import Malformed, canonical, changed, load

AT_ONCE = 20
"""So many posts go to a channel before others have their turn."""

_KNOWS_AGAIN = frozenset({"webhook", boards.KIND})
"""The kinds of channels where a post is known again by its id, so that it may be handed over twice."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parcel:
    """A post as it lies in the outbox: its document, and the map beside it."""

    document: Post
    picture: bytes | None = None
    picture_name: str = ""

    @property
    def whole(self) -> Post:
        """The document with the map in it."""
        if self.picture is None:
            return self.document
        content = base64.b64encode(self.picture).decode()
        return changed(
            self.document, map=PostedMap(name=self.picture_name, media="image/png", base64=content)
        )


@dataclass(frozen=True)
class Crier:
    """Who posts to one channel. worker: who has posts in hand."""

    channel: Channel
    database: Database
    alarm: Alarm
    clock: Clock
    worker: str
    webhook: Webhook = field(init=False)
    board: Board | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "webhook", Webhook(self.channel))
        is_board = self.channel.kind == boards.KIND
        object.__setattr__(self, "board", Discourse(self.channel) if is_board else None)

    def cry(self) -> int:
        """Post what is ready, the oldest first; what is put off holds up what comes after it.

        Returns how many posts went out. Raises StoreFault.
        """
        sent = 0
        if recipient_of(self.channel.name) not in outbox.waiting(self.database):
            return sent
        draughtsman.draw_all(self.database)
        for _ in range(AT_ONCE):
            receipt = self._cry_once()
            if receipt is None:
                break
            sent += receipt.outcome == "sent"
        return sent

    def _cry_once(self) -> Receipt | None:
        """Post one. None: nothing can go now."""
        recipient, now = recipient_of(self.channel.name), self.clock.now()
        expired.drop_expired(self.database, now)
        self._clear_up(recipient, now)
        sealed = outbox.claim_next(self.database, recipient, now, self.worker)
        if sealed is None:
            return None
        receipt, tried = self._deliver(sealed, now)
        now = self.clock.now()
        outbox.settle(self.database, [receipt], now, 0, self.worker)
        ids = about(ours=sealed.key, game=sealed.game)
        how, why = receipt.outcome, receipt.why or ""
        log.info(sentence("secretary.crier.posted", channel=self.channel.called, how=how, why=why), extra=ids)
        if tried:
            self._note(receipt, now)
        return receipt

    def _deliver(self, sealed: Sealed, now: Millis) -> tuple[Receipt, bool]:
        """What became of a post, and whether the channel had a part in it."""
        try:
            parcel = opened(sealed.raw)
        except Malformed as fault:
            return Receipt(key=sealed.key, outcome="refused", why=f"{fault}"), False
        if not outbox.begin(self.database, sealed.key, now, worker=self.worker):
            return Receipt(key=sealed.key, outcome="held", why=sentence("secretary.crier.not_ours")), False
        receipt = self.hand_over(parcel, sealed.key, now)
        if receipt.outcome == "unsure":
            # Nobody could tell there that it is the same: rather once too few than twice.
            why = sentence("secretary.crier.unsure", why=receipt.why)
            return changed(receipt, outcome="refused", why=why), True
        return receipt, True

    def hand_over(self, parcel: Parcel, key: str, now: Millis) -> Receipt:
        """Hand a post to the channel itself; what became of it."""
        if self.channel.kind == "webhook":
            return self.webhook.deliver(key, parcel.document.id, canonical(parcel.whole), now)
        if self.board is not None:
            files = [] if parcel.picture is None else [boards.picture(parcel.picture_name, parcel.picture)]
            name, told = self.channel.name, parcel.document
            return boards.written(self.board, name, self.database, told, files, key, now)
        return Service(self.channel).deliver(key, parcel.document, parcel.picture)

    def _clear_up(self, recipient: str, now: Millis) -> None:
        """Settle what was on its way when whoever had it in hand died."""
        fate: outbox.Fate = "again" if self.channel.kind in _KNOWS_AGAIN else "dropped"
        for number in outbox.unsure_of(self.database, recipient, now):
            outbox.clear_up(self.database, number, fate, now)

    def _note(self, receipt: Receipt, now: Millis) -> None:
        if receipt.outcome == "sent":
            self.alarm.channel_over(self.channel.called)
        else:
            gone = receipt.outcome == "refused"
            self.alarm.channel_failed(self.channel.called, receipt.why or receipt.outcome, now, gone=gone)


def criers(
    channels: Iterable[Channel], database: Database, alarm: Alarm, clock: Clock, worker: str
) -> tuple[Crier, ...]:
    """A crier for each channel that is no address; letters to one go with the others."""
    return tuple(Crier(one, database, alarm, clock, worker) for one in channels if one.kind != "address")


def together(several: Sequence[Crier]) -> int:
    """Post what is ready to every channel, all at once: none waits for another.

    Returns how many posts went out. Raises StoreFault when all are done.
    """
    if not several:
        return 0
    with ThreadPoolExecutor(len(several), "crier") as threads:
        return sum(threads.map(Crier.cry, several))


def opened(raw: bytes) -> Parcel:
    """A post taken out of what lies in the outbox. Raises Malformed where it holds none."""
    document, picture, name = None, None, ""
    for part in email.message_from_bytes(raw, policy=policy.default).iter_attachments():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and part.get_filename() == DOCUMENT:
            document = load(Post, content)
        elif isinstance(content, bytes) and part.get_content_type() == "image/png":
            picture, name = content, part.get_filename() or ""
    if document is None:
        raise Malformed(sentence("secretary.crier.no_document"))
    return Parcel(document, picture, name)
