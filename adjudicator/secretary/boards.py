"""Topics of forums that are spoken to by their own interface: what is written there, and read."""

from collections.abc import Iterable
from functools import partial

from adjudicator.clock import Clock, Millis
from adjudicator.errors import PostFault
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment, Receipt
from adjudicator.ledger.posts import Post
from adjudicator.office import Office
from adjudicator.post.board import Board, NotTaken
from adjudicator.post.board_box import BoardBox
from adjudicator.post.configured import mailbox_of
from adjudicator.post.discourse import LONGEST_TEXT, Discourse
from adjudicator.post.mailbox import Mailbox
from adjudicator.settings.channel import Channel
from adjudicator.settings.service import Settings
from adjudicator.signs.forum_marks import forum_address
from adjudicator.store import meta, posters
from adjudicator.store.database import Database

KIND = "discourse"
"""The kind of channel that is such a forum."""


def box(settings: Settings, office: Office, database: Database, clock: Clock) -> Mailbox:
    """Where letters come in, and what is posted in the topics of running games beside them."""
    forums = [_box(one, office, database, clock) for one in office.channels if one.kind == KIND]
    return mailbox_of(settings, forums, meta.service_start(database))


def _box(channel: Channel, office: Office, database: Database, clock: Clock) -> BoardBox:
    address = forum_address(office.key, office.address, channel.name)
    topics = partial(posters.topics, database, channel.name)
    return BoardBox(Discourse(channel), channel.name, address, topics, clock)


def written(
    board: Board,
    forum: str,
    database: Database,
    told: Post,
    files: Iterable[Attachment],
    key: str,
    now: Millis,
) -> Receipt:
    """Write a post into the topic of its game, which it begins where there is none. What became of it."""
    try:
        topic = posters.topic(database, told.game, forum) if told.game else None
        text = told.markdown if len(told.markdown) < LONGEST_TEXT else told.summary
        placed = board.post(told.id, topic, _title(told), text, tuple(files))
    except NotTaken as fault:
        return Receipt(key=key, outcome="refused", why=f"{fault}")
    except PostFault as fault:
        until = None if fault.retry_after is None else now + int(fault.retry_after * 1000)
        return Receipt(key=key, outcome="later", why=fault.why, retry_at=until)
    if told.game and topic is None:
        posters.note_topic(database, told.game, forum, placed.topic)
    return Receipt(key=key, outcome="sent")


def picture(name: str, png: bytes) -> Attachment:
    """A map as a forum takes it."""
    return Attachment(name=HeaderText.cleaned(name), media=HeaderText("image/png"), content=png)


def _title(told: Post) -> str:
    return f"[{told.game}] {told.title or told.heading}" if told.game else told.heading
