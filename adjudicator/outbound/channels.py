"""Sending posts from the outbox to their channels, each channel on its own and in order.

A channel that is down, slow or gone delays only its own posts: emails go through MailSender, and each other
channel has its own sender. Postponed posts are tried again like emails.
"""

import base64
import email
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email import policy
from functools import partial

from adjudicator.auth.correspondents import forum_address
from adjudicator.clock import Clock, Millis, format_instant
from adjudicator.config.channels import Channel
from adjudicator.config.service import Settings
from adjudicator.context import ServiceContext
from adjudicator.errors import PostFault
from adjudicator.inbound.forum_posts import REASON_POSTED
from adjudicator.logs import log_context
from adjudicator.mail.discourse import LONGEST_TEXT, Discourse, ForumClient, ForumMailbox, PostRejected
from adjudicator.mail.maildir import Mailbox
from adjudicator.mail.smtp import create_mailbox
from adjudicator.mail.webhooks import AppriseService, Webhook
from adjudicator.messages import sentence
from adjudicator.model.channel_posts import DOCUMENT, ChannelPost, PostedMap, recipient_of
from adjudicator.model.games import FileOrders, GamePosition
from adjudicator.model.mail import Attachment, HeaderText, OutgoingMessage, Receipt
from adjudicator.model.orders_on_file import order_of, present_items, unpack_items, write_item
from adjudicator.model.people import GamePolicy
from adjudicator.outbound import sender
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.sender import OutageAlerts
from adjudicator.reports import posts
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.order_sheet import missing
from adjudicator.reports.posts import MAX_ORDER_POSTS_PER_TURN, ChannelNews, GameThread, ThreadOrders
from adjudicator.storage import metadata, outbox
from adjudicator.storage.database import Database
from games.record import Malformed, canonical, load, replace_fields

# Topics of Discourse forums: our posts in them, and the posts that we read there.


DISCOURSE_KIND = "discourse"
"""The kind of a channel that is a Discourse forum."""


def build_mailbox(settings: Settings, service: ServiceContext, database: Database, clock: Clock) -> Mailbox:
    """Return the mailbox of incoming email, together with the topics of running games."""
    forums = [
        ForumMailbox(
            Discourse(channel),
            channel.name,
            forum_address(service.key, service.address, channel.name),
            partial(outbox.topics, database, channel.name),
            clock,
        )
        for channel in service.channels
        if channel.kind == DISCOURSE_KIND
    ]
    return create_mailbox(settings, forums, metadata.service_start(database))


MAX_POSTS_PER_RUN = 20
"""The number of posts to a channel before the other channels have their turn."""

_DEDUPLICATING_KINDS = frozenset({"webhook", DISCOURSE_KIND})
"""The kinds of channels that recognise a post by its id, so that it can safely be sent twice."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OutboxPost:
    """A post in the outbox: its document and its map."""

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
    """Posts to one channel. worker: the worker that has claimed the posts."""

    channel: Channel
    database: Database
    alarm: OutageAlerts
    clock: Clock
    worker: str
    webhook: Webhook = field(init=False)
    board: ForumClient | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "webhook", Webhook(self.channel))
        is_board = self.channel.kind == DISCOURSE_KIND
        object.__setattr__(self, "board", Discourse(self.channel) if is_board else None)

    def send(self) -> int:
        """Post what is ready, the oldest first. A postponed post delays the posts after it.

        Returns the number of posts that went out. Raises StoreFault.
        """
        sent = 0
        if recipient_of(self.channel.name) not in outbox.waiting(self.database):
            return sent
        sender.draw_pending(self.database)
        for _ in range(MAX_POSTS_PER_RUN):
            receipt = self._send_next()
            if receipt is None:
                break
            sent += receipt.outcome == "sent"
        return sent

    def _send_next(self) -> Receipt | None:
        """Send the next post and return its receipt, or None if nothing can be sent now."""
        recipient, now = recipient_of(self.channel.name), self.clock.now()
        outbox.drop_expired(self.database, now)
        self._settle_unsure_posts(recipient, now)
        sealed = outbox.claim_next(self.database, recipient, now, self.worker)
        if sealed is None:
            return None
        receipt, tried = self._begin_and_deliver(sealed, now)
        now = self.clock.now()
        outbox.settle(self.database, [receipt], now, 0, self.worker)
        ids = log_context(ours=sealed.key, game=sealed.game)
        name, how, why = self.channel.display_name, receipt.outcome, receipt.why
        message = (
            sentence("outbound.channels.posted_why", channel=name, how=how, why=why)
            if why
            else sentence("outbound.channels.posted", channel=name, how=how)
        )
        log.info(message, extra=ids)
        if tried:
            self._note_outcome(receipt, now)
        return receipt

    def _begin_and_deliver(self, sealed: OutgoingMessage, now: Millis) -> tuple[Receipt, bool]:
        """Return the receipt for a post, and whether the channel was contacted."""
        try:
            parcel = open_outbox_post(sealed.raw)
        except Malformed as fault:
            return Receipt(key=sealed.key, outcome="refused", why=f"{fault}"), False
        if not outbox.begin(self.database, sealed.key, now, worker=self.worker):
            return Receipt(key=sealed.key, outcome="held", why=sentence("outbound.channels.not_ours")), False
        receipt = self.deliver(parcel, sealed.key, now)
        if receipt.outcome == "unsure":
            # The channel wouldn't recognise a second copy. A missing post is better than two.
            why = sentence("outbound.channels.unsure", why=receipt.why)
            return replace_fields(receipt, outcome="refused", why=why), True
        return receipt, True

    def deliver(self, parcel: OutboxPost, key: str, now: Millis) -> Receipt:
        """Send a post to the channel. Returns its receipt."""
        if self.channel.kind == "webhook":
            return self.webhook.deliver(key, parcel.document.id, canonical(parcel.document_with_map), now)
        if self.board is not None:
            return self._write_post(self.board, parcel, key, now)
        return AppriseService(self.channel).deliver(key, parcel.document, parcel.picture)

    def _write_post(self, board: ForumClient, parcel: OutboxPost, key: str, now: Millis) -> Receipt:
        """Write a post into its game's topic on a forum. Without a topic, begin one."""
        post, forum = parcel.document, self.channel.name
        name, media = HeaderText.clean(parcel.picture_name), HeaderText("image/png")
        files = (
            () if parcel.picture is None else (Attachment(name=name, media=media, content=parcel.picture),)
        )
        title = f"[{post.game}] {post.title or post.heading}" if post.game else post.heading
        try:
            topic = outbox.topic(self.database, post.game, forum) if post.game else None
            text = post.markdown if len(post.markdown) < LONGEST_TEXT else post.summary
            placed = board.post(post.id, topic, title, text, files)
        except PostRejected as fault:
            return Receipt(key=key, outcome="refused", why=f"{fault}")
        except PostFault as fault:
            until = None if fault.retry_after is None else now + int(fault.retry_after * 1000)
            return Receipt(key=key, outcome="later", why=fault.why, retry_at=until)
        if post.game and topic is None:
            outbox.note_topic(self.database, post.game, forum, placed.topic)
        return Receipt(key=key, outcome="sent")

    def _settle_unsure_posts(self, recipient: str, now: Millis) -> None:
        """Settle the posts that a worker was sending when it died."""
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
    """Return a sender for each channel that isn't an address. MailSender sends to addresses."""
    return tuple(
        ChannelSender(channel, database, alarm, clock, worker)
        for channel in channels
        if channel.kind != "address"
    )


def send_to_all(several: Sequence[ChannelSender]) -> int:
    """Post what is ready to all channels at once. No channel waits for another.

    Returns the number of posts that went out. Raises StoreFault after all channels are done.
    """
    if not several:
        return 0
    with ThreadPoolExecutor(len(several), "channels") as threads:
        return sum(threads.map(ChannelSender.send, several))


def open_outbox_post(raw: bytes) -> OutboxPost:
    """Return the post in an outbox entry. Raises Malformed if there is none."""
    document, picture, name = None, None, ""
    for part in email.message_from_bytes(raw, policy=policy.default).iter_attachments():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and part.get_filename() == DOCUMENT:
            document = load(ChannelPost, content)
        elif isinstance(content, bytes) and part.get_content_type() == "image/png":
            picture, name = content, part.get_filename() or ""
    if document is None:
        raise Malformed(sentence("outbound.channels.no_document"))
    return OutboxPost(document, picture, name)


# Threads of games in forums: posts other than reports, and emails about the thread.


@dataclass(frozen=True)
class ThreadWriter:
    """Writes in the threads of games that are played in forums. Without a thread, it makes nothing."""

    writer: ReportComposer
    now: Millis

    def open_thread(self, position: GamePosition, customs: GamePolicy | None = None) -> list[OutgoingMessage]:
        """Return the first post of a game's thread.

        customs: the game's settings, if they are not in the database yet.
        """
        thread = self.writer.thread(position, customs)
        if thread is None:
            return []
        return [
            self._seal_post(
                thread,
                posts.opening_post(
                    thread, self._describe_state(position), self.writer.service_info, self.now
                ),
            )
        ]

    def move_thread(self, position: GamePosition, customs: GamePolicy) -> list[OutgoingMessage]:
        """Begin a running game's new thread, or announce its new settings there, and tell all players."""
        thread = self.writer.thread(position, customs)
        if thread is None:
            return []
        letters = [
            notice(
                self.writer.reader(position, assignment),
                Heading(
                    f"{position.name}/thread/{posts.digest_of(thread)}/{assignment.seat}/{assignment.generation}",
                    sentence("outbound.threads.subject", game=position.name),
                ),
                self.writer.thread_paragraphs(thread, assignment),
            )
            for assignment in position.assignments.values()
            if assignment.is_person
        ]
        return [
            *self.open_thread(position, customs),
            *(self.writer.seal(draft, self.now) for draft in letters),
        ]

    def announce_orders(self, act: FileOrders) -> list[OutgoingMessage]:
        """Announce in the thread that a player's orders have arrived by email, or show them."""
        # This runs for every email. For a game without a thread it costs one short query.
        customs = self.writer.repository.people.policy(act.game)
        position = (
            self.writer.repository.position(act.game) if customs.forum and act.why != REASON_POSTED else None
        )
        thread = self.writer.thread(position, customs) if position and position.is_running else None
        if position is None or thread is None:
            return []
        game = position.game
        turn = game.rules.turn(position.state)
        items = unpack_items(game.order_type, act.orders)
        lacks = missing(game, position.state, items, act.seat)
        due = any(due_entry.seat == act.seat for due_entry in game.rules.due(position.state))
        if turn.short != act.turn or not due:
            return []
        if thread.is_open:
            here = [item for item in present_items(game, position.state, items) if order_of(item) is not None]
            orders = tuple(write_item(game, item) for item in here)
            what = ThreadOrders(act.seat, turn, orders, lacks, by_letter=True)
            key = self._next_key(position, what)
            return (
                [
                    self._seal_post(
                        thread, posts.orders_filed_post(thread, what, key, self.writer.service_info, self.now)
                    )
                ]
                if key
                else []
            )
        is_announced = self.writer.repository.has_written(
            f"{posts.orders_sent_key(position, act.seat)}/forum"
        )
        if lacks or is_announced:
            return []
        return [
            self._seal_post(
                thread,
                posts.orders_sent_post(thread, position, act.seat, turn, self.writer.service_info, self.now),
            )
        ]

    def _next_key(self, position: GamePosition, what: ThreadOrders) -> str | None:
        """Return the key of the next post with a seat's saved orders, or None after a turn's last one."""
        keys = (
            posts.orders_filed_key(position, what.seat, number)
            for number in range(1, MAX_ORDER_POSTS_PER_TURN + 1)
        )
        return next(
            (candidate for candidate in keys if not self.writer.repository.has_written(f"{candidate}/forum")),
            None,
        )

    def _describe_state(self, position: GamePosition) -> Sequence[str]:
        if not position.is_running:
            return ()
        turn = position.game.rules.turn(position.state)
        people = sum(assignment.is_person for assignment in position.assignments.values())
        # Before a player has a seat, the deadline isn't the one that will count.
        at = position.deadline if people else None
        deadline = None if at is None else format_instant(at, self.writer.service_info.zone)
        bots = len(position.assignments) - people
        return (
            sentence("reports.posts.begun", people=people, bots=bots),
            sentence("reports.posts.next", turn=turn.name, deadline=deadline),
        )

    def _seal_post(self, thread: GameThread, news: ChannelNews) -> OutgoingMessage:
        return self.writer.seal(posts.address_to_thread(news, thread, self.writer.service_info), self.now)
