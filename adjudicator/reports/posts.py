"""Posts for channels: what anybody may know of a game, as a document and in a few sentences."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Literal

from adjudicator.auth.correspondents import poster_word, thread_id, thread_key
from adjudicator.clock import Millis, datetime_of, format_instant
from adjudicator.config.channels import Channel
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.channel_posts import (
    DOCUMENT,
    JSON_MEDIA_TYPE,
    ChannelPost,
    PostedChapter,
    PostedLine,
    PostedPassage,
    PostedPress,
    PostedResult,
    PostedTable,
    PostedTurn,
    PostReason,
    recipient_of,
)
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import Attachment, HeaderText, LetterDraft
from adjudicator.model.people import GameOffer, GamePolicy, Press
from adjudicator.model.repository import Repository
from adjudicator.reports.maps import Drawing
from adjudicator.reports.messages import Enclosed, Heading, LetterReader, notice, turn_report
from adjudicator.reports.render import bbcode, letter_text, markdown, name_sides, render
from adjudicator.reports.report import Report, TurnChapter
from adjudicator.reports.results import result_text
from games.protocol import Game, GameResult, Seat, Turn
from games.record import canonical, replace_fields
from orders.mail.body import SHEET_TITLE

PNG = HeaderText("image/png")


@dataclass(frozen=True)
class ServiceIdentity:
    """The service as posts name it. address: its email address. zone: the time zone of the times in posts."""

    name: str
    address: str
    zone: tzinfo


@dataclass(frozen=True)
class ChannelNews:
    """Something to be told, not yet addressed. key: which it has among ours, for each channel once.

    post: without its id; drawn: the map, None: there is none. game, report, chart: of a turn's report alone,
    which goes to addresses as a whole.
    """

    key: str
    post: ChannelPost
    drawn: Drawing | None = None
    game: Game | None = None
    report: Report | None = None
    chart: bytes | None = None


def address_to_channel(news: ChannelNews, channel: Channel, service: ServiceIdentity) -> LetterDraft:
    """Return a post addressed to a channel: as an email, or as a message in the outbox."""
    drawn = news.drawn if channel.map else None
    if channel.kind == "address":
        return _letter(news, channel, service, drawn)
    key = f"{news.key}/channel/{channel.name}"
    mark = hashlib.sha256(f"{service.address}|{key}".encode()).hexdigest()[:32]
    document = replace_fields(news.post, id=mark)
    files = [
        Attachment(name=HeaderText(DOCUMENT), media=HeaderText(JSON_MEDIA_TYPE), content=canonical(document))
    ]
    if drawn is not None:
        files.append(Attachment(name=_map_name(news.post), media=PNG, content=drawn.png))
    return LetterDraft(
        key=key,
        to=HeaderText(recipient_of(channel.name)),
        subject=HeaderText.clean(news.post.heading),
        text=news.post.summary,
        attached=tuple(files),
        game=news.post.game,
        automatic=HeaderText("no"),
    )


def _letter(
    news: ChannelNews, channel: Channel, service: ServiceIdentity, drawn: Drawing | None
) -> LetterDraft:
    named = f"{news.key}/channel/{channel.name}" if channel.name else f"{news.key}/channel"
    if news.game is not None and news.report is not None:
        whole = channel_letter(news.game, news.report, channel, drawn, service.zone, news.chart)
        return replace_fields(whole, key=named)
    reader = LetterReader(address=channel.address, game=news.post.game, zone=service.zone)
    paragraphs = tuple(news.post.summary.split("\n\n"))
    plain = notice(reader, Heading(named, news.post.heading), paragraphs)
    picture = () if drawn is None else (Attachment(name=_map_name(news.post), media=PNG, content=drawn.png),)
    own = {"automatic": "no", "attached": picture}
    if channel.markup == "text":
        return replace_fields(plain, **own)
    # In the forum's markup, rows stay rows.
    clean, end = (bbcode, "\n") if channel.markup == "bbcode" else (markdown, "  \n")
    text = "\n\n".join(end.join(map(clean, paragraph.splitlines())) for paragraph in paragraphs) + "\n"
    return replace_fields(plain, text=text, html=None, **own)


def _map_name(post: ChannelPost) -> HeaderText:
    words = (post.game, post.turn and post.turn.short)
    return HeaderText("-".join(word for word in words if word) + ".png")


# News for channels.


def turn_news(
    game: Game,
    report: Report,
    drawn: Drawing | None,
    chart: bytes | None,
    service: ServiceIdentity,
    now: Millis,
) -> ChannelNews:
    """Return the news that turns were played. report: as anybody may read it."""
    reader = LetterReader(address=service.address, game=report.game, zone=service.zone)
    plain = turn_report(game, report, reader, Enclosed(html=False))
    first = report.first_turn
    sentences = [report.headline, report.lead, *_silent(report), *report.by_hand]
    if report.result is not None:
        sentences.append(result_text(game, report.result, counts=report.counts))
    elif report.turn is not None:
        sentences.append(_next(report.turn, report.deadline, service))
    document = replace_fields(
        plain_post(
            "ended" if report.result else "played",
            service,
            now,
            str(plain.subject),
            _join_paragraphs(sentences),
        ),
        game=report.game,
        kind=game.about.kind,
        title=report.title,
        turn=_turn(first),
        next=_turn(report.turn),
        deadline=_stamp(report.deadline),
        text=plain.text,
        markdown=post(game, report, reader, "markdown"),
        chapters=tuple(map(_chapter, report.chapters)),
        tables=_tables(report),
        result=_result(report.result),
    )
    return ChannelNews(f"{report.game}/{report.entry}", document, drawn, game, report, chart)


def start_news(
    game: Game, report: Report, people: int, drawn: Drawing | None, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a game has begun. report: its opening, as anybody may read it; people: the
    players.
    """
    heading = sentence("reports.posts.begun_heading", game=report.game, title=report.title)
    players = sentence("reports.posts.begun", people=people, bots=len(report.vacant))
    sentences = [players, _next(report.turn, report.deadline, service) if report.turn else ""]
    post = plain_post("begun", service, now, heading, _join_paragraphs(sentences))
    return _position_news(post, game, report, drawn)


def end_news(
    game: Game, report: Report, drawn: Drawing | None, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a game was ended before its rules end it. report: the final position, with its
    result.
    """
    assert report.result is not None, "it is over"
    heading = sentence("reports.posts.ended_heading", game=report.game, reason=report.result.reason)
    summary = result_text(game, report.result, counts=report.counts)
    post = plain_post("ended", service, now, heading, summary)
    return _position_news(post, game, report, drawn)


def deadline_news(
    game: Game, position: GamePosition, deadline: Millis, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that the deadline of a turn is near."""
    turn = game.rules.turn(position.state)
    heading = sentence("reports.posts.due_heading", game=position.name, turn=turn.name)
    summary = sentence("reports.posts.due", turn=turn.name, deadline=format_instant(deadline, service.zone))
    document = replace_fields(
        plain_post("due", service, now, heading, summary),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(turn),
        deadline=_stamp(deadline),
    )
    return ChannelNews(f"{position.name}/{position.entries}/due", document)


def players_wanted_news(game: Game, offer: GameOffer, service: ServiceIdentity, now: Millis) -> ChannelNews:
    """Return the news that a game waits for players."""
    heading = sentence("reports.posts.wanted_heading", game=offer.name, title=game.about.title)
    seats = len(game.about.seats(offer.options))
    if offer.starts is None:
        begins = sentence("reports.posts.wanted", count=offer.needed)
    else:
        starts = format_instant(offer.starts, service.zone)
        begins = sentence("reports.posts.wanted_until", count=offer.needed, starts=starts)
    summary = " ".join(
        (
            sentence("reports.posts.wanted_seats", title=game.about.title, count=seats),
            begins,
            sentence("reports.posts.wanted_join", address=service.address, game=offer.name),
        )
    )
    document = replace_fields(
        plain_post("wanted", service, now, heading, summary),
        game=offer.name,
        kind=offer.kind,
        title=game.about.title,
        deadline=_stamp(offer.starts),
    )
    return ChannelNews(f"{offer.name}/wanted/{now}", document)


def vacancy_news(
    game: Game, position: GamePosition, seat: Seat, at: Millis, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a seat of a running game has become free. at: since when."""
    heading = sentence("reports.posts.vacant_heading", game=position.name, seat=seat)
    summary = sentence(
        "reports.posts.vacant",
        title=game.about.title,
        game=position.name,
        seat=seat,
        address=service.address,
    )
    document = replace_fields(
        plain_post("wanted", service, now, heading, summary),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        seat=seat,
    )
    return ChannelNews(f"{position.name}/free/{seat}/{at}", document)


def press_news(
    game: Game, position: GamePosition, press: Press, key: str, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a player wrote press to all. key: the post's key."""
    heading = sentence("reports.posts.press_heading", game=position.name, writer=press.signature)
    document = replace_fields(
        plain_post("press", service, now, heading, f"{press.heading}:\n\n{press.text}"),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        press=PostedPress(heading=press.heading, text=press.text),
    )
    return ChannelNews(key, document)


def trial_post(service: ServiceIdentity, now: Millis) -> ChannelPost:
    """Return a post that only tests whether a channel works."""
    summary = sentence("reports.posts.trial", service=service.name)
    heading = sentence("reports.posts.trial_heading", service=service.name)
    mark = hashlib.sha256(f"{service.address}|test|{now}".encode()).hexdigest()[:32]
    return replace_fields(plain_post("played", service, now, heading, summary), what="test", id=mark)


def outage_news(service: ServiceIdentity, key: str, since: Millis, now: Millis) -> ChannelNews:
    """Return the news that email doesn't work, without the names of servers. key: of the alert."""
    heading = sentence("reports.posts.outage_heading", service=service.name)
    summary = sentence("reports.posts.outage", since=format_instant(since, service.zone))
    return ChannelNews(key, plain_post("alert", service, now, heading, summary))


def _position_news(post: ChannelPost, game: Game, report: Report, drawn: Drawing | None) -> ChannelNews:
    """Return a post with the position of its game, as news. report: as anybody may read it."""
    document = replace_fields(
        post,
        game=report.game,
        kind=game.about.kind,
        title=report.title,
        turn=_turn(report.turn),
        deadline=_stamp(report.deadline),
        tables=_tables(report),
        result=_result(report.result),
    )
    return ChannelNews(f"{report.game}/{post.what}", document, drawn)


def plain_post(
    what: PostReason | Literal["thread"], service: ServiceIdentity, now: Millis, heading: str, summary: str
) -> ChannelPost:
    """Return a post of a heading and a few sentences, without its id."""
    rows = "\n\n".join(
        "  \n".join(map(markdown, paragraph.splitlines())) for paragraph in summary.split("\n\n")
    )
    title = f"**{markdown(heading)}**"
    return ChannelPost(
        id="",
        what=what,
        at=f"{datetime_of(now):%Y-%m-%dT%H:%M:%SZ}",
        service=service.name,
        heading=heading,
        summary=summary,
        text=f"{summary}\n",
        markdown=f"{title}\n\n{rows}\n",
    )


def _join_paragraphs(sentences: Sequence[str]) -> str:
    return "\n\n".join(filter(None, (text.strip() for text in sentences)))


def _next(turn: Turn, deadline: Millis | None, service: ServiceIdentity) -> str:
    deadline_text = None if deadline is None else format_instant(deadline, service.zone)
    return sentence("reports.posts.next", turn=turn.name, deadline=deadline_text)


def _silent(report: Report) -> list[str]:
    return [sentence("reports.posts.silent", seats=report.silent)] if report.silent else []


def _stamp(at: Millis | None) -> str | None:
    return None if at is None else f"{datetime_of(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _turn(turn: Turn | None) -> PostedTurn | None:
    return None if turn is None else PostedTurn(short=turn.short, name=turn.name)


def _result(result: GameResult | None) -> PostedResult | None:
    return None if result is None else PostedResult(winners=tuple(result.winners), reason=result.reason)


def _chapter(chapter: TurnChapter) -> PostedChapter:
    passages = (
        PostedPassage(
            heading=passage.heading,
            lines=tuple(PostedLine(text=line.text, failed=line.failed) for line in passage.lines),
        )
        for passage in chapter.passages
    )
    return PostedChapter(
        turn=PostedTurn(short=chapter.turn.short, name=chapter.turn.name),
        headline=chapter.headline,
        passages=tuple(passages),
        silent=tuple(chapter.silent),
    )


def _tables(report: Report) -> tuple[PostedTable, ...]:
    return tuple(
        PostedTable(title=table.title, columns=table.columns, rows=table.rows)
        for table in name_sides(report.tables, report.viewer)
        if table.rows
    )


# The thread of a game: its place, its posts, and the notices about it.


MAX_ORDER_POSTS_PER_TURN = 9
"""How often per turn a thread shows a seat's saved orders. Later changes are only in the report."""


@dataclass(frozen=True)
class GameThread:
    """The thread of a game. title: of the game. channel: where the thread is. customs: its settings.

    root: the Message-ID of its first post.
    """

    game: str
    title: str
    channel: Channel
    customs: GamePolicy
    root: str

    @property
    def place(self) -> str:
        """The place of the thread in words."""
        return self.channel.where

    @property
    def is_open(self) -> bool:
        """Return whether orders are posted in the thread."""
        return self.customs.orders == "open"

    @property
    def subject(self) -> str:
        """The subject of every email in the thread, because some forums make a new topic of another
        subject.
        """
        return f"[{self.game}] {self.title}"


def forum_channel(forum: str, service_context: ServiceContext) -> Channel | None:
    """Return a game's forum: an address, or the name of a channel. None if gm.toml no longer has the
    channel.
    """
    if "@" in forum:
        return Channel(address=forum, name="", kind="address")
    return next(
        (channel for channel in service_context.channels if channel.name and channel.name == forum), None
    )


def thread_of(
    name: str, game: Game, customs: GamePolicy, service_context: ServiceContext
) -> GameThread | None:
    """Return the thread of a game, or None if the game is played by email only."""
    channel = forum_channel(customs.forum, service_context) if customs.forum else None
    if channel is None:
        return None
    root = thread_id(service_context.key, name, customs.forum, service_context.domain)
    return GameThread(name, game.about.title, channel, customs, root)


def address_to_thread(
    news: ChannelNews, thread: GameThread, service: ServiceIdentity, answer_to: str | None = None
) -> LetterDraft:
    """Return news as a post in the thread. answer_to: the Message-ID of the post that it answers."""
    plain = address_to_channel(news, thread.channel, service)
    begins = news.key == thread_key(thread.game, thread.customs.forum)
    plain = replace_fields(plain, key=news.key if begins else f"{news.key}/forum")
    if thread.channel.kind != "address":
        return plain
    if news.report is None and thread.channel.markup == "text":
        plain = replace_fields(plain, text=f"{news.post.heading}\n\n{_body(news.post)}\n", html=None)
    if plain.html is not None:
        # Web archives of lists show text, and store HTML as files.
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
    """Return the paragraphs of a post, or none if they only repeat its heading."""
    return "" if post.summary == post.heading else letter_text(post.summary)


def _file(name: HeaderText, png: bytes) -> Attachment:
    return Attachment(name=name, media=PNG, content=png)


# Posts in a thread beside the reports of turns.


def opening_post(
    thread: GameThread, stands: Sequence[str], service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the thread's first post: its purpose, and how to play in it. stands: the position in words."""
    in_posts = sentence("reports.in_forum.orders_in_posts")
    by_letter = sentence("reports.in_forum.orders_sent")
    paragraphs = [
        sentence("reports.in_forum.here", game=thread.game, title=thread.title, service=service.name),
        in_posts if thread.is_open else by_letter,
        *stands,
    ]
    heading = sentence("reports.in_forum.begins_heading", game=thread.game, title=thread.title)
    post = plain_post("thread", service, now, heading, "\n\n".join(filter(None, paragraphs)))
    post = replace_fields(post, game=thread.game, title=thread.title)
    return ChannelNews(thread_key(thread.game, thread.customs.forum), post)


def orders_sent_post(
    thread: GameThread, position: GamePosition, seat: Seat, turn: Turn, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the post that a seat has sent all its orders for a turn; it says nothing about the orders."""
    heading = sentence("reports.in_forum.sent_heading", seat=seat, turn=turn.name)
    post = plain_post("thread", service, now, heading, heading)
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
    thread: GameThread, what: ThreadOrders, key: str, service: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the post that shows the orders of a seat in a game with open orders."""
    heading = sentence(
        "reports.in_forum.filed_heading", seat=what.seat, turn=what.turn.name, by_letter=what.by_letter
    )
    rows = "\n".join(f"| {row}" for row in what.orders) or sentence("reports.in_forum.nothing")
    missing = sentence("reports.in_forum.missing", names=what.missing) if what.missing else ""
    post = plain_post("thread", service, now, heading, "\n\n".join(filter(None, (rows, missing))))
    return ChannelNews(key, replace_fields(post, game=thread.game))


def orders_filed_key(position: GamePosition, seat: Seat, number: int) -> str:
    """Return the key of the post with that number that shows a seat's saved orders for the present turn."""
    return f"{position.name}/{position.entries}/filed/{seat}/{number}"


def digest_of(thread: GameThread) -> str:
    """Return a short hash of a thread's place and settings, for the keys of emails."""
    how = (thread.customs.forum, thread.customs.orders, thread.customs.posters)
    return hashlib.sha256("|".join(how).encode()).hexdigest()[:12]


# Notices to players about the thread of their game.


def thread_paragraphs_for(
    thread: GameThread, assignment: SeatAssignment, repository: Repository, service_context: ServiceContext
) -> tuple[str, ...]:
    """Return the paragraphs about the thread for the player of a seat, with the player's own proof word."""
    seat, address = assignment.seat, assignment.address or ""
    known = next((poster for poster in repository.people.posters(thread.game) if poster.seat == seat), None)
    name = known.name if known and (known.address, known.place) == (address, thread.customs.forum) else ""
    word = poster_word(service_context.key, thread.game, seat, address, known.used if known else 0)
    return thread_paragraphs(thread, word, name)


def thread_paragraphs(thread: GameThread, word: str, name: str) -> tuple[str, ...]:
    """Return the paragraphs about the thread for a seat's player.

    word: the word that links a poster's name with the player. name: the name linked already, or "".
    """
    place = thread.place
    first = sentence("reports.in_forum.where", game=thread.game, place=place, subject=thread.subject)
    if not thread.is_open:
        return first, sentence("reports.in_forum.by_letter_alone")
    shown = sentence("reports.in_forum.you_are", name=name) if name else sentence("reports.in_forum.show")
    vouched = sentence("reports.in_forum.vouched", proved=thread.customs.posters == "proved")
    return first, sentence("reports.in_forum.by_post"), shown, f"  WORD {word}", vouched


# A report as a post in a forum: BBCode for phpBB and its kin, Markdown for Discourse.


ForumMarkup = Literal["bbcode", "markdown"]

_TEMPLATES: dict[ForumMarkup, str] = {"bbcode": "report.bbcode", "markdown": "report.md"}
_BLANK_LINES = re.compile(r"\n{3,}")


def channel_letter(
    game: Game,
    report: Report,
    channel: Channel,
    drawn: Drawing | None,
    zone: tzinfo,
    chart: bytes | None = None,
) -> LetterDraft:
    """Return the report of the turns just played for a list or a forum. report: the public one.

    chart: the game over time, as PNG, if the report has one.
    """
    reader = LetterReader(address=channel.address, game=report.game, zone=zone)
    picture = drawn.png if drawn else None
    enclosed = Enclosed(picture=picture, chart=chart, html=channel.markup == "text")
    plain = turn_report(game, report, reader, enclosed)
    own = {
        "key": f"{report.game}/{report.entry}/channel",
        "automatic": "no",
    }
    if channel.markup == "text":
        return replace_fields(plain, **own)
    named = ((plain.picture_name, picture), (plain.chart_name, chart))
    files = tuple(Attachment(name=name, media=PNG, content=png) for name, png in named if png is not None)
    return replace_fields(plain, text=post(game, report, reader, channel.markup), attached=files, **own)


def post(game: Game, report: Report, reader: LetterReader, markup: ForumMarkup) -> str:
    """Return a report in a forum's markup. reader: its time zone is used for the deadline."""
    context = {"report": report, "reader": reader, "game": game, "SHEET_TITLE": SHEET_TITLE}
    text = render(game, _TEMPLATES[markup], context)
    return _BLANK_LINES.sub("\n\n", text).strip() + "\n"
