"""The thread in which a game is played: where it is, what stands there, what players are told."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.auth.correspondents import poster_word, thread_id, thread_key
from adjudicator.clock import Millis
from adjudicator.config.channels import Channel
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.channel_posts import ChannelPost
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment, LetterDraft
from adjudicator.model.people import GamePolicy
from adjudicator.model.repository import Repository
from adjudicator.reports.posts import PNG, ChannelNews, ServiceIdentity, address_to_channel, plain_post
from adjudicator.reports.typeset import letter_text
from games.protocol import Game, Seat, Turn
from games.record import replace_fields

MAX_ORDER_POSTS_PER_TURN = 9
"""So often a turn's thread is told what a seat has on file; after that the report tells it."""


@dataclass(frozen=True)
class GameThread:
    """The thread of a game. title: of what is played; channel: where it is; customs: how it goes on there.

    root: the Message-ID with which it begins.
    """

    game: str
    title: str
    channel: Channel
    customs: GamePolicy
    root: str

    @property
    def place(self) -> str:
        """Where it is, as people know it."""
        return self.channel.where

    @property
    def is_open(self) -> bool:
        """Return whether orders are posted in the thread."""
        return self.customs.orders == "open"

    @property
    def subject(self) -> str:
        """The subject of every letter there: to some forums another subject is another topic."""
        return f"[{self.game}] {self.title}"


def forum_channel(forum: str, office: ServiceContext) -> Channel | None:
    """Return where a game's forum is: an address, or a channel by its name; None if gm.toml no longer names
    it.
    """
    if "@" in forum:
        return Channel(address=forum, name="", kind="address")
    return next((channel for channel in office.channels if channel.name and channel.name == forum), None)


def thread_of(name: str, game: Game, customs: GamePolicy, office: ServiceContext) -> GameThread | None:
    """The thread of a game that is played in a forum; None: it is played by letters alone."""
    channel = forum_channel(customs.forum, office) if customs.forum else None
    if channel is None:
        return None
    root = thread_id(office.key, name, customs.forum, office.domain)
    return GameThread(name, game.about.title, channel, customs, root)


def address_to_thread(
    news: ChannelNews, thread: GameThread, house: ServiceIdentity, answer_to: str | None = None
) -> LetterDraft:
    """Return news as a post in the thread. answer_to: the Message-ID of the post that it answers."""
    plain = address_to_channel(news, thread.channel, house)
    begins = news.key == thread_key(thread.game, thread.customs.forum)
    plain = replace_fields(plain, key=news.key if begins else f"{news.key}/forum")
    if thread.channel.kind != "address":
        return plain
    if news.report is None and thread.channel.markup == "text":
        plain = replace_fields(plain, text=f"{news.post.heading}\n\n{_body(news.post)}\n", html=None)
    if plain.html is not None:
        # What shows lists as web pages shows text, and puts pages away as files.
        files = ((plain.picture_name, plain.picture), (plain.chart_name, plain.chart))
        attached = (*plain.attached, *(_file(name, png) for name, png in files if png is not None))
        plain = replace_fields(plain, html=None, picture=None, chart=None, attached=attached)
    if begins:
        return replace_fields(plain, subject=HeaderText.clean(thread.subject), leave=None)
    return replace_fields(
        plain,
        subject=HeaderText.clean(f"Re: {thread.subject}"),
        thread=(HeaderText(thread.root),),
        answer_to=HeaderText.clean(answer_to or thread.root),
        leave=None,
    )


def _body(post: ChannelPost) -> str:
    """The paragraphs of a post; nothing where they only say its heading again."""
    return "" if post.summary == post.heading else letter_text(post.summary)


def _file(name: HeaderText, png: bytes) -> Attachment:
    return Attachment(name=name, media=PNG, content=png)


# What stands there beside the reports of turns.


def opening_post(
    thread: GameThread, stands: Sequence[str], house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the thread's first post: what it is for, and how one plays there. stands: how the game
    stands.
    """
    in_posts = sentence("reports.in_forum.orders_in_posts")
    by_letter = sentence("reports.in_forum.orders_sent")
    paragraphs = [
        sentence("reports.in_forum.here", game=thread.game, title=thread.title, service=house.name),
        in_posts if thread.is_open else by_letter,
        *stands,
    ]
    heading = sentence("reports.in_forum.begins", game=thread.game, title=thread.title)
    post = plain_post("thread", house, now, heading, "\n\n".join(filter(None, paragraphs)))
    post = replace_fields(post, game=thread.game, title=thread.title)
    return ChannelNews(thread_key(thread.game, thread.customs.forum), post)


def orders_sent_post(
    thread: GameThread, position: GamePosition, seat: Seat, turn: Turn, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the post that a seat has sent all its orders for a turn; it says nothing about the orders."""
    heading = sentence("reports.in_forum.sent", seat=seat, turn=turn.name)
    post = plain_post("thread", house, now, heading, heading)
    return ChannelNews(orders_sent_key(position, seat), replace_fields(post, game=thread.game))


def orders_sent_key(position: GamePosition, seat: Seat) -> str:
    """Return the key of the post that says that a seat has sent its orders for the present turn."""
    return f"{position.name}/{position.entries}/sent/{seat}"


@dataclass(frozen=True)
class ThreadOrders:
    """The saved orders of a seat for the present turn, as its thread shows them. missing: what it
    still owes.
    """

    seat: Seat
    turn: Turn
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    by_letter: bool = False


def orders_filed_post(
    thread: GameThread, what: ThreadOrders, key: str, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the post that shows the orders of a seat in a game with open orders."""
    heading = sentence(
        "reports.in_forum.filed", seat=what.seat, turn=what.turn.name, by_letter=what.by_letter
    )
    rows = "\n".join(f"| {row}" for row in what.orders) or sentence("reports.in_forum.nothing")
    missing = sentence("reports.in_forum.missing", names=what.missing) if what.missing else ""
    post = plain_post("thread", house, now, heading, "\n\n".join(filter(None, (rows, missing))))
    return ChannelNews(key, replace_fields(post, game=thread.game))


def orders_filed_key(position: GamePosition, seat: Seat, number: int) -> str:
    """Return the key of the post with that number that shows a seat's saved orders for the present turn."""
    return f"{position.name}/{position.entries}/filed/{seat}/{number}"


def digest_of(thread: GameThread) -> str:
    """A short name of where a thread is and how it is played, for keys of letters."""
    how = (thread.customs.forum, thread.customs.orders, thread.customs.posters)
    return hashlib.sha256("|".join(how).encode()).hexdigest()[:12]


# What the players are told of it, each in a letter.


def thread_paragraphs_for(
    thread: GameThread, chair: SeatAssignment, books: Repository, office: ServiceContext
) -> tuple[str, ...]:
    """Return what the player of a seat is told of the thread, in paragraphs, with their own proof word."""
    seat, address = chair.seat, chair.address or ""
    known = next((poster for poster in books.people.posters(thread.game) if poster.seat == seat), None)
    name = known.name if known and (known.address, known.place) == (address, thread.customs.forum) else ""
    word = poster_word(office.key, thread.game, seat, address, known.used if known else 0)
    return thread_paragraphs(thread, word, name)


def thread_paragraphs(thread: GameThread, word: str, name: str) -> tuple[str, ...]:
    """Return what a seat's player is told of the thread, in paragraphs.

    word: the word by which a player shows which poster they are; name: the poster they have shown
    themselves to be, "": none.
    """
    place = thread.place
    first = sentence("reports.in_forum.where", game=thread.game, place=place, subject=thread.subject)
    if not thread.is_open:
        return first, sentence("reports.in_forum.by_letter_alone")
    shown = sentence("reports.in_forum.you_are", name=name) if name else sentence("reports.in_forum.show")
    vouched = sentence("reports.in_forum.vouched", proved=thread.customs.posters == "proved")
    return first, sentence("reports.in_forum.by_post"), shown, f"  WORD {word}", vouched
