"""Sending posts in the outbox to their channels, one channel by itself and in order.

A channel that is down, slow or gone keeps its own posts waiting, and nothing else: letters go by
MailSender, and each other channel has a sender of its own. What was postponed is tried again as letters
are.
"""

import base64
import email
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email import policy

from adjudicator.clock import Clock, Millis
from adjudicator.config.channels import Channel
from adjudicator.logs import log_context
from adjudicator.mail.apprise_services import AppriseService
from adjudicator.mail.board import ForumClient
from adjudicator.mail.discourse import Discourse
from adjudicator.mail.webhooks import Webhook
from adjudicator.messages import sentence
from adjudicator.model.channel_posts import DOCUMENT, ChannelPost, PostedMap, recipient_of
from adjudicator.model.mail import OutgoingMessage, Receipt
from adjudicator.outbound import boards, draughtsman
from adjudicator.outbound.outages import OutageAlerts
from adjudicator.storage import expired, outbox
from adjudicator.storage.database import Database
from games.record import Malformed, canonical, load, replace_fields

MAX_POSTS_PER_RUN = 20
"""So many posts go to a channel before others have their turn."""

_DEDUPLICATING_KINDS = frozenset({"webhook", boards.DISCOURSE_KIND})
"""The kinds of channels where a post is known again by its id, so that it may be handed over twice."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OutboxPost:
    """A post as it lies in the outbox: its document, and the map beside it."""

    document: ChannelPost
    picture: bytes | None = None
    picture_name: str = ""

    @property
    def document_with_map(self) -> ChannelPost:
        """Return the document with the map in it."""
        if self.picture is None:
            return self.document
        content = base64.b64encode(self.picture).decode()
        return replace_fields(
            self.document, map=PostedMap(name=self.picture_name, media="image/png", base64=content)
        )


@dataclass(frozen=True)
class ChannelSender:
    """Posts to one channel. worker: the one that has claimed the posts."""

    channel: Channel
    database: Database
    alarm: OutageAlerts
    clock: Clock
    worker: str
    webhook: Webhook = field(init=False)
    board: ForumClient | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "webhook", Webhook(self.channel))
        is_board = self.channel.kind == boards.DISCOURSE_KIND
        object.__setattr__(self, "board", Discourse(self.channel) if is_board else None)

    def send(self) -> int:
        """Post what is ready, the oldest first; a postponed post delays those after it.

        Returns how many posts went out. Raises StoreFault.
        """
        sent = 0
        if recipient_of(self.channel.name) not in outbox.waiting(self.database):
            return sent
        draughtsman.draw_pending(self.database)
        for _ in range(MAX_POSTS_PER_RUN):
            receipt = self._send_next()
            if receipt is None:
                break
            sent += receipt.outcome == "sent"
        return sent

    def _send_next(self) -> Receipt | None:
        """Post one. None: nothing can go now."""
        recipient, now = recipient_of(self.channel.name), self.clock.now()
        expired.drop_expired(self.database, now)
        self._settle_unsure_posts(recipient, now)
        sealed = outbox.claim_next(self.database, recipient, now, self.worker)
        if sealed is None:
            return None
        receipt, tried = self._begin_and_deliver(sealed, now)
        now = self.clock.now()
        outbox.settle(self.database, [receipt], now, 0, self.worker)
        ids = log_context(ours=sealed.key, game=sealed.game)
        how, why = receipt.outcome, receipt.why or ""
        log.info(
            sentence("secretary.crier.posted", channel=self.channel.display_name, how=how, why=why), extra=ids
        )
        if tried:
            self._note_outcome(receipt, now)
        return receipt

    def _begin_and_deliver(self, sealed: OutgoingMessage, now: Millis) -> tuple[Receipt, bool]:
        """Return the receipt for a post, and whether the channel had a part in it."""
        try:
            parcel = open_outbox_post(sealed.raw)
        except Malformed as fault:
            return Receipt(key=sealed.key, outcome="refused", why=f"{fault}"), False
        if not outbox.begin(self.database, sealed.key, now, worker=self.worker):
            return Receipt(key=sealed.key, outcome="held", why=sentence("secretary.crier.not_ours")), False
        receipt = self.deliver(parcel, sealed.key, now)
        if receipt.outcome == "unsure":
            # Nobody could tell there that it is the same: rather once too few than twice.
            why = sentence("secretary.crier.unsure", why=receipt.why)
            return replace_fields(receipt, outcome="refused", why=why), True
        return receipt, True

    def deliver(self, parcel: OutboxPost, key: str, now: Millis) -> Receipt:
        """Hand a post to the channel itself. Returns its receipt."""
        if self.channel.kind == "webhook":
            return self.webhook.deliver(key, parcel.document.id, canonical(parcel.document_with_map), now)
        if self.board is not None:
            files = (
                [] if parcel.picture is None else [boards.map_attachment(parcel.picture_name, parcel.picture)]
            )
            name, post = self.channel.name, parcel.document
            return boards.write_post(self.board, name, self.database, post, files, key, now)
        return AppriseService(self.channel).deliver(key, parcel.document, parcel.picture)

    def _settle_unsure_posts(self, recipient: str, now: Millis) -> None:
        """Settle the posts that were on their way when the worker that had claimed them died."""
        fate: outbox.Fate = "again" if self.channel.kind in _DEDUPLICATING_KINDS else "dropped"
        for number in outbox.unsure_of(self.database, recipient, now):
            outbox.clear_up(self.database, number, fate, now)

    def _note_outcome(self, receipt: Receipt, now: Millis) -> None:
        if receipt.outcome == "sent":
            self.alarm.note_channel_recovery(self.channel.display_name)
        else:
            gone = receipt.outcome == "refused"
            self.alarm.note_channel_failure(
                self.channel.display_name, receipt.why or receipt.outcome, now, gone=gone
            )


def build_channel_senders(
    channels: Iterable[Channel], database: Database, alarm: OutageAlerts, clock: Clock, worker: str
) -> tuple[ChannelSender, ...]:
    """Return a sender for each channel that is no address; letters to one go with the others."""
    return tuple(
        ChannelSender(channel, database, alarm, clock, worker)
        for channel in channels
        if channel.kind != "address"
    )


def send_to_all(several: Sequence[ChannelSender]) -> int:
    """Post what is ready to every channel, all at once: none waits for another.

    Returns how many posts went out. Raises StoreFault when all are done.
    """
    if not several:
        return 0
    with ThreadPoolExecutor(len(several), "crier") as threads:
        return sum(threads.map(ChannelSender.send, several))


def open_outbox_post(raw: bytes) -> OutboxPost:
    """Return the post in an outbox entry. Raises Malformed where it holds none."""
    document, picture, name = None, None, ""
    for part in email.message_from_bytes(raw, policy=policy.default).iter_attachments():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and part.get_filename() == DOCUMENT:
            document = load(ChannelPost, content)
        elif isinstance(content, bytes) and part.get_content_type() == "image/png":
            picture, name = content, part.get_filename() or ""
    if document is None:
        raise Malformed(sentence("secretary.crier.no_document"))
    return OutboxPost(document, picture, name)
