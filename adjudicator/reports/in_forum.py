"""The thread in which a game is played: where it is, what stands there, what players are told."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment, Outgoing
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.posts import Post
from adjudicator.ledger.society import Customs
from adjudicator.office import Office
from adjudicator.reports.posts import PNG, House, News, addressed, plain_post
from adjudicator.reports.typeset import letter_text
from adjudicator.settings.channel import Channel
from adjudicator.signs.forum_marks import poster_word, thread_id, thread_key
from games.protocol import Game, Seat, Turn
from games.record import changed

MOST_POSTS = 9
"""So often a turn's thread is told what a seat has on file; after that the report tells it."""


@dataclass(frozen=True)
class Thread:
    """The thread of a game. title: of what is played; channel: where it is; customs: how it goes on there.

    root: the Message-ID with which it begins.
    """

    game: str
    title: str
    channel: Channel
    customs: Customs
    root: str

    @property
    def place(self) -> str:
        """Where it is, as people know it."""
        return self.channel.where

    @property
    def is_open(self) -> bool:
        """Whether orders are posted there."""
        return self.customs.orders == "open"

    @property
    def subject(self) -> str:
        """The subject of every letter there: to some forums another subject is another topic."""
        return f"[{self.game}] {self.title}"


def place_of(forum: str, office: Office) -> Channel | None:
    """Where a game's forum is: an address, or a channel by its name; None: gm.toml no longer names it."""
    if "@" in forum:
        return Channel(address=forum, name="", kind="address")
    return next((one for one in office.channels if one.name and one.name == forum), None)


def thread_of(name: str, game: Game, customs: Customs, office: Office) -> Thread | None:
    """The thread of a game that is played in a forum; None: it is played by letters alone."""
    channel = place_of(customs.forum, office) if customs.forum else None
    if channel is None:
        return None
    root = thread_id(office.key, name, customs.forum, office.domain)
    return Thread(name, game.about.title, channel, customs, root)


def posted(news: News, thread: Thread, house: House, answer_to: str | None = None) -> Outgoing:
    """News as a post in the thread. answer_to: the Message-ID of the post that it answers."""
    plain = addressed(news, thread.channel, house)
    begins = news.key == thread_key(thread.game, thread.customs.forum)
    plain = changed(plain, key=news.key if begins else f"{news.key}/forum")
    if thread.channel.kind != "address":
        return plain
    if news.report is None and thread.channel.markup == "text":
        plain = changed(plain, text=f"{news.post.heading}\n\n{_body(news.post)}\n", html=None)
    if plain.html is not None:
        # What shows lists as web pages shows text, and puts pages away as files.
        files = ((plain.picture_name, plain.picture), (plain.chart_name, plain.chart))
        attached = (*plain.attached, *(_file(name, png) for name, png in files if png is not None))
        plain = changed(plain, html=None, picture=None, chart=None, attached=attached)
    if begins:
        return changed(plain, subject=HeaderText.cleaned(thread.subject), leave=None)
    return changed(
        plain,
        subject=HeaderText.cleaned(f"Re: {thread.subject}"),
        thread=(HeaderText(thread.root),),
        answer_to=HeaderText.cleaned(answer_to or thread.root),
        leave=None,
    )


def _body(post: Post) -> str:
    """The paragraphs of a post; nothing where they only say its heading again."""
    return "" if post.summary == post.heading else letter_text(post.summary)


def _file(name: HeaderText, png: bytes) -> Attachment:
    return Attachment(name=name, media=PNG, content=png)


# What stands there beside the reports of turns.


def beginning(thread: Thread, stands: Sequence[str], house: House, now: Millis) -> News:
    """What the thread begins with: what it is for, and how one plays there. stands: how the game stands."""
    in_posts = sentence("reports.in_forum.orders_in_posts")
    by_letter = sentence("reports.in_forum.orders_sent")
    said = [
        sentence("reports.in_forum.here", game=thread.game, title=thread.title, service=house.name),
        in_posts if thread.is_open else by_letter,
        *stands,
    ]
    heading = sentence("reports.in_forum.begins", game=thread.game, title=thread.title)
    told = plain_post("thread", house, now, heading, "\n\n".join(filter(None, said)))
    told = changed(told, game=thread.game, title=thread.title)
    return News(thread_key(thread.game, thread.customs.forum), told)


def sent(thread: Thread, position: Position, seat: Seat, turn: Turn, house: House, now: Millis) -> News:
    """A seat has sent all that is wanted of it for a turn: that it has, and nothing of what."""
    heading = sentence("reports.in_forum.sent", seat=seat, turn=turn.name)
    told = plain_post("thread", house, now, heading, heading)
    return News(sent_key(position, seat), changed(told, game=thread.game))


def sent_key(position: Position, seat: Seat) -> str:
    """By which the post is known that tells that a seat has sent its orders for the present turn."""
    return f"{position.name}/{position.entries}/sent/{seat}"


@dataclass(frozen=True)
class OnFile:
    """What a seat has on file for the present turn, as its thread shows it. missing: what it still owes."""

    seat: Seat
    turn: Turn
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    by_letter: bool = False


def filed(thread: Thread, what: OnFile, key: str, house: House, now: Millis) -> News:
    """What a seat has ordered in the open."""
    heading = sentence(
        "reports.in_forum.filed", seat=what.seat, turn=what.turn.name, by_letter=what.by_letter
    )
    rows = "\n".join(f"| {row}" for row in what.orders) or sentence("reports.in_forum.nothing")
    missing = sentence("reports.in_forum.missing", names=what.missing) if what.missing else ""
    told = plain_post("thread", house, now, heading, "\n\n".join(filter(None, (rows, missing))))
    return News(key, changed(told, game=thread.game))


def filed_key(position: Position, seat: Seat, number: int) -> str:
    """By which the post of that number is known that shows what a seat has on file for the present turn."""
    return f"{position.name}/{position.entries}/filed/{seat}/{number}"


def digest_of(thread: Thread) -> str:
    """A short name of where a thread is and how it is played, for keys of letters."""
    how = (thread.customs.forum, thread.customs.orders, thread.customs.posters)
    return hashlib.sha256("|".join(how).encode()).hexdigest()[:12]


# What the players are told of it, each in a letter.


def told_to(thread: Thread, chair: Chair, books: Books, office: Office) -> tuple[str, ...]:
    """What the player in a chair is told of the thread, in paragraphs: the word of his own is among it."""
    seat, address = chair.seat, chair.address or ""
    known = next((one for one in books.society.posters(thread.game) if one.seat == seat), None)
    name = known.name if known and (known.address, known.place) == (address, thread.customs.forum) else ""
    word = poster_word(office.key, thread.game, seat, address, known.used if known else 0)
    return told(thread, word, name)


def told(thread: Thread, word: str, name: str) -> tuple[str, ...]:
    """What a seat's player is told of the thread, in paragraphs.

    word: by which he shows which poster he is; name: the poster he has shown himself to be, "": none.
    """
    place = thread.place
    first = sentence("reports.in_forum.where", game=thread.game, place=place, subject=thread.subject)
    if not thread.is_open:
        return first, sentence("reports.in_forum.by_letter_alone")
    shown = sentence("reports.in_forum.you_are", name=name) if name else sentence("reports.in_forum.show")
    vouched = sentence("reports.in_forum.vouched", proved=thread.customs.posters == "proved")
    return first, sentence("reports.in_forum.by_post"), shown, f"  WORD {word}", vouched
