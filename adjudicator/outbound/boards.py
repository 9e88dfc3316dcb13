"""Topics of Discourse forums: our posts in them, and the posts that we read there."""

from collections.abc import Iterable
from functools import partial

from adjudicator.auth.correspondents import forum_address
from adjudicator.clock import Clock, Millis
from adjudicator.config.channels import Channel
from adjudicator.config.service import Settings
from adjudicator.context import ServiceContext
from adjudicator.errors import PostFault
from adjudicator.mail.board import ForumClient, PostRejected
from adjudicator.mail.board_box import ForumMailbox
from adjudicator.mail.configured import create_mailbox
from adjudicator.mail.discourse import LONGEST_TEXT, Discourse
from adjudicator.mail.mailbox import Mailbox
from adjudicator.model.channel_posts import ChannelPost
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment, Receipt
from adjudicator.storage import metadata, posters
from adjudicator.storage.database import Database

DISCOURSE_KIND = "discourse"
"""The kind of channel that is such a forum."""


def build_mailbox(settings: Settings, service: ServiceContext, database: Database, clock: Clock) -> Mailbox:
    """Return the mailbox where letters come in, with the topics of running games beside it."""
    forums = [
        _build_board_box(channel, service, database, clock)
        for channel in service.channels
        if channel.kind == DISCOURSE_KIND
    ]
    return create_mailbox(settings, forums, metadata.service_start(database))


def _build_board_box(
    channel: Channel, service: ServiceContext, database: Database, clock: Clock
) -> ForumMailbox:
    address = forum_address(service.key, service.address, channel.name)
    topics = partial(posters.topics, database, channel.name)
    return ForumMailbox(Discourse(channel), channel.name, address, topics, clock)


def write_post(
    board: ForumClient,
    forum: str,
    database: Database,
    post: ChannelPost,
    files: Iterable[Attachment],
    key: str,
    now: Millis,
) -> Receipt:
    """Write a post into the topic of its game, which it begins where there is none. Returns the receipt."""
    try:
        topic = posters.topic(database, post.game, forum) if post.game else None
        text = post.markdown if len(post.markdown) < LONGEST_TEXT else post.summary
        placed = board.post(post.id, topic, _post_title(post), text, tuple(files))
    except PostRejected as fault:
        return Receipt(key=key, outcome="refused", why=f"{fault}")
    except PostFault as fault:
        until = None if fault.retry_after is None else now + int(fault.retry_after * 1000)
        return Receipt(key=key, outcome="later", why=fault.why, retry_at=until)
    if post.game and topic is None:
        posters.note_topic(database, post.game, forum, placed.topic)
    return Receipt(key=key, outcome="sent")


def map_attachment(name: str, png: bytes) -> Attachment:
    """Return a map as a forum takes it."""
    return Attachment(name=HeaderText.clean(name), media=HeaderText("image/png"), content=png)


def _post_title(post: ChannelPost) -> str:
    return f"[{post.game}] {post.title or post.heading}" if post.game else post.heading
