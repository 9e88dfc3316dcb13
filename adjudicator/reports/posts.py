"""Posts for channels: what anybody may know of a game, as a document and in a few sentences."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Literal

from adjudicator.clock import Millis, datetime_of, format_instant
from adjudicator.config.channels import Channel, Markup
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
from adjudicator.model.games import GamePosition
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment, LetterDraft
from adjudicator.model.people import GameOffer, Press
from adjudicator.reports.forum import channel_letter, post
from adjudicator.reports.messages import Enclosed, Heading, LetterReader, notice, turn_report
from adjudicator.reports.picture import Drawing
from adjudicator.reports.report import Report, TurnChapter
from adjudicator.reports.typeset import bbcode, markdown
from games.protocol import Game, GameResult, Seat, Turn
from games.record import canonical, replace_fields

PNG = HeaderText("image/png")


@dataclass(frozen=True)
class ServiceIdentity:
    """The service as posts name it. address: where people write to it; zone: in which it tells times."""

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


def address_to_channel(news: ChannelNews, channel: Channel, house: ServiceIdentity) -> LetterDraft:
    """Return the post for a channel: a letter to its address, or a message in the outbox for
    another channel.
    """
    drawn = news.drawn if channel.map else None
    if channel.kind == "address":
        return _letter(news, channel, house, drawn)
    key = f"{news.key}/channel/{channel.name}"
    mark = hashlib.sha256(f"{house.address}|{key}".encode()).hexdigest()[:32]
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
    news: ChannelNews, channel: Channel, house: ServiceIdentity, drawn: Drawing | None
) -> LetterDraft:
    named = f"{news.key}/channel/{channel.name}" if channel.name else f"{news.key}/channel"
    if news.game is not None and news.report is not None:
        whole = channel_letter(news.game, news.report, channel, drawn, house.zone, news.chart)
        return replace_fields(whole, key=named)
    reader = LetterReader(address=channel.address, game=news.post.game, zone=house.zone)
    paragraphs = tuple(news.post.summary.split("\n\n"))
    plain = notice(reader, Heading(named, news.post.heading), paragraphs)
    picture = () if drawn is None else (_picture(_map_name(news.post), drawn),)
    own = {"automatic": "no", "attached": picture}
    if channel.markup == "text":
        return replace_fields(plain, **own)
    return replace_fields(plain, text=_with_forum_markup(paragraphs, channel.markup), html=None, **own)


def _with_forum_markup(paragraphs: Sequence[str], markup: Markup) -> str:
    """Return paragraphs in a forum's markup; rows stay rows."""
    clean = bbcode if markup == "bbcode" else markdown
    end = "\n" if markup == "bbcode" else "  \n"
    return "\n\n".join(end.join(map(clean, paragraph.splitlines())) for paragraph in paragraphs) + "\n"


def _picture(name: HeaderText, drawn: Drawing) -> Attachment:
    return Attachment(name=name, media=PNG, content=drawn.png)


def _map_name(post: ChannelPost) -> HeaderText:
    words = (post.game, post.turn and post.turn.short)
    return HeaderText("-".join(word for word in words if word) + ".png")


# What is told.


def turn_news(
    game: Game,
    report: Report,
    drawn: Drawing | None,
    chart: bytes | None,
    house: ServiceIdentity,
    now: Millis,
) -> ChannelNews:
    """Return the news that turns were played. report: as anybody may read it."""
    reader = LetterReader(address=house.address, game=report.game, zone=house.zone)
    plain = turn_report(game, report, reader, Enclosed(html=False))
    first = report.first_turn
    sentences = [report.headline, report.lead, *_silent(report), *report.by_hand]
    if report.result is not None:
        sentences.append(_over(report.result))
    elif report.turn is not None:
        sentences.append(_next(report.turn, report.deadline, house))
    document = replace_fields(
        plain_post(
            "ended" if report.result else "played",
            house,
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
    game: Game, report: Report, people: int, drawn: Drawing | None, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a game has begun. report: its opening, as anybody may read it; people: the
    players.
    """
    heading = sentence("reports.posts.begun_heading", game=report.game, title=report.title)
    players = sentence("reports.posts.begun", people=people, bots=len(report.vacant))
    sentences = [players, _next(report.turn, report.deadline, house) if report.turn else ""]
    return _of_report("begun", f"{report.game}/begun", game, report, heading, sentences, drawn, house, now)


def end_news(
    game: Game, report: Report, drawn: Drawing | None, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a game is over, though not by its rules. report: how it stands, with its
    result.
    """
    assert report.result is not None, "it is over"
    heading = sentence("reports.posts.ended_heading", game=report.game, reason=report.result.reason)
    sentences = [_over(report.result)]
    return _of_report("ended", f"{report.game}/ended", game, report, heading, sentences, drawn, house, now)


def deadline_news(
    game: Game, position: GamePosition, deadline: Millis, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that the deadline of a turn is near."""
    turn = game.rules.turn(position.state)
    heading = sentence("reports.posts.due_heading", game=position.name, turn=turn.name)
    summary = sentence("reports.posts.due", turn=turn.name, deadline=format_instant(deadline, house.zone))
    document = replace_fields(
        plain_post("due", house, now, heading, summary),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(turn),
        deadline=_stamp(deadline),
    )
    return ChannelNews(f"{position.name}/{position.entries}/due", document)


def players_wanted_news(game: Game, offer: GameOffer, house: ServiceIdentity, now: Millis) -> ChannelNews:
    """Return the news that a game waits for players."""
    heading = sentence("reports.posts.wanted_heading", game=offer.name, title=game.about.title)
    starts = None if offer.starts is None else format_instant(offer.starts, house.zone)
    summary = sentence(
        "reports.posts.wanted",
        title=game.about.title,
        game=offer.name,
        needed=offer.needed,
        seats=len(game.about.seats(offer.options)),
        starts=starts,
        address=house.address,
    )
    document = replace_fields(
        plain_post("wanted", house, now, heading, summary),
        game=offer.name,
        kind=offer.kind,
        title=game.about.title,
        deadline=_stamp(offer.starts),
    )
    return ChannelNews(f"{offer.name}/wanted/{now}", document)


def vacancy_news(
    game: Game, position: GamePosition, seat: Seat, at: Millis, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that a seat of a running game has become free. at: since when."""
    heading = sentence("reports.posts.vacant_heading", game=position.name, seat=seat)
    summary = sentence(
        "reports.posts.vacant",
        title=game.about.title,
        game=position.name,
        seat=seat,
        address=house.address,
    )
    document = replace_fields(
        plain_post("wanted", house, now, heading, summary),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        seat=seat,
    )
    return ChannelNews(f"{position.name}/free/{seat}/{at}", document)


def press_news(
    game: Game, position: GamePosition, press: Press, key: str, house: ServiceIdentity, now: Millis
) -> ChannelNews:
    """Return the news that somebody wrote press to all. key: the post's key."""
    heading = sentence("reports.posts.press_heading", game=position.name, heading=press.heading)
    document = replace_fields(
        plain_post("press", house, now, heading, f"{press.heading}:\n\n{press.text}"),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        press=PostedPress(heading=press.heading, text=press.text),
    )
    return ChannelNews(key, document)


def trial_post(house: ServiceIdentity, now: Millis) -> ChannelPost:
    """A post that only tries whether a channel works."""
    summary = sentence("reports.posts.trial", service=house.name)
    heading = sentence("reports.posts.trial_heading", service=house.name)
    mark = hashlib.sha256(f"{house.address}|test|{now}".encode()).hexdigest()[:32]
    return replace_fields(plain_post("played", house, now, heading, summary), what="test", id=mark)


def _of_report(
    what: PostReason,
    key: str,
    game: Game,
    report: Report,
    heading: str,
    sentences: Sequence[str],
    drawn: Drawing | None,
    house: ServiceIdentity,
    now: Millis,
) -> ChannelNews:
    document = replace_fields(
        plain_post(what, house, now, heading, _join_paragraphs(sentences)),
        game=report.game,
        kind=game.about.kind,
        title=report.title,
        turn=_turn(report.turn),
        deadline=_stamp(report.deadline),
        tables=_tables(report),
        result=_result(report.result),
    )
    return ChannelNews(key, document, drawn)


def plain_post(
    what: PostReason | Literal["thread"], house: ServiceIdentity, now: Millis, heading: str, summary: str
) -> ChannelPost:
    """A post of a heading and a few sentences, without its id."""
    rows = "\n\n".join(
        "  \n".join(map(markdown, paragraph.splitlines())) for paragraph in summary.split("\n\n")
    )
    title = f"**{markdown(heading)}**"
    return ChannelPost(
        id="",
        what=what,
        at=f"{datetime_of(now):%Y-%m-%dT%H:%M:%SZ}",
        service=house.name,
        heading=heading,
        summary=summary,
        text=f"{summary}\n",
        markdown=f"{title}\n\n{rows}\n",
    )


def _join_paragraphs(sentences: Sequence[str]) -> str:
    return "\n\n".join(filter(None, (text.strip() for text in sentences)))


def _next(turn: Turn, deadline: Millis | None, house: ServiceIdentity) -> str:
    deadline_text = None if deadline is None else format_instant(deadline, house.zone)
    return sentence("reports.posts.next", turn=turn.name, deadline=deadline_text)


def _over(result: GameResult) -> str:
    return sentence("reports.posts.over", winners=result.winners, reason=result.reason)


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
        for table in report.tables
        if table.rows
    )
