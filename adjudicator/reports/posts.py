"""Posts for channels: what anybody may know of a game, as a document and in a few sentences."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Literal

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis, moment, spoken
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment, Outgoing
from adjudicator.ledger.positions import Position
from adjudicator.ledger.posts import (
    DOCUMENT,
    JSON,
    Post,
    PostedChapter,
    PostedLine,
    PostedPassage,
    PostedPress,
    PostedResult,
    PostedTable,
    PostedTurn,
    What,
    recipient_of,
)
from adjudicator.ledger.society import Offer, Press
from adjudicator.reports.forum import channel_letter, post
from adjudicator.reports.messages import Enclosed, Heading, Reader, notice, turn_report
from adjudicator.reports.picture import Drawing
from adjudicator.reports.report import Chapter, Report
from adjudicator.reports.typeset import bbcode, markdown
from adjudicator.settings.channel import Channel, Markup
from games.protocol import Game, Result, Seat, Turn
from games.record import canonical, changed

PNG = HeaderText("image/png")


@dataclass(frozen=True)
class House:
    """What posts say of the service. address: where it is written to; zone: in which it tells instants."""

    name: str
    address: str
    zone: tzinfo


@dataclass(frozen=True)
class News:
    """Something to be told, not yet addressed. key: which it has among ours, for each channel once.

    post: without its id; drawn: the map, None: there is none. game, report, chart: of a turn's report alone,
    which goes to addresses as a whole.
    """

    key: str
    post: Post
    drawn: Drawing | None = None
    game: Game | None = None
    report: Report | None = None
    chart: bytes | None = None


def addressed(news: News, channel: Channel, house: House) -> Outgoing:
    """The post for a channel: a letter to its address, or what lies in the outbox until it is handed over."""
    drawn = news.drawn if channel.map else None
    if channel.kind == "address":
        return _letter(news, channel, house, drawn)
    key = f"{news.key}/channel/{channel.name}"
    mark = hashlib.sha256(f"{house.address}|{key}".encode()).hexdigest()[:32]
    document = changed(news.post, id=mark)
    files = [Attachment(name=HeaderText(DOCUMENT), media=HeaderText(JSON), content=canonical(document))]
    if drawn is not None:
        files.append(Attachment(name=_map_name(news.post), media=PNG, content=drawn.png))
    return Outgoing(
        key=key,
        to=HeaderText(recipient_of(channel.name)),
        subject=HeaderText.cleaned(news.post.heading),
        text=news.post.summary,
        attached=tuple(files),
        game=news.post.game,
        automatic=HeaderText("no"),
    )


def _letter(news: News, channel: Channel, house: House, drawn: Drawing | None) -> Outgoing:
    named = f"{news.key}/channel/{channel.name}" if channel.name else f"{news.key}/channel"
    if news.game is not None and news.report is not None:
        whole = channel_letter(news.game, news.report, channel, drawn, house.zone, news.chart)
        return changed(whole, key=named)
    reader = Reader(address=channel.address, game=news.post.game, zone=house.zone)
    paragraphs = tuple(news.post.summary.split("\n\n"))
    plain = notice(reader, Heading(named, news.post.heading), paragraphs)
    picture = () if drawn is None else (_picture(_map_name(news.post), drawn),)
    own = {"automatic": "no", "attached": picture}
    if channel.markup == "text":
        return changed(plain, **own)
    return changed(plain, text=_marked(paragraphs, channel.markup), html=None, **own)


def _marked(paragraphs: Sequence[str], markup: Markup) -> str:
    """Paragraphs in a forum's marks; rows stay rows."""
    clean = bbcode if markup == "bbcode" else markdown
    end = "\n" if markup == "bbcode" else "  \n"
    return "\n\n".join(end.join(map(clean, one.splitlines())) for one in paragraphs) + "\n"


def _picture(name: HeaderText, drawn: Drawing) -> Attachment:
    return Attachment(name=name, media=PNG, content=drawn.png)


def _map_name(told: Post) -> HeaderText:
    words = (told.game, told.turn and told.turn.short)
    return HeaderText("-".join(word for word in words if word) + ".png")


# What is told.


def played(
    game: Game, report: Report, drawn: Drawing | None, chart: bytes | None, house: House, now: Millis
) -> News:
    """Turns were played. report: as anybody may read it."""
    reader = Reader(address=house.address, game=report.game, zone=house.zone)
    plain = turn_report(game, report, reader, Enclosed(html=False))
    first = report.told
    sentences = [report.headline, report.lead, *_silent(report), *report.by_hand]
    if report.result is not None:
        sentences.append(_over(report.result))
    elif report.turn is not None:
        sentences.append(_next(report.turn, report.deadline, house))
    document = changed(
        plain_post(
            "ended" if report.result else "played", house, now, str(plain.subject), _joined(sentences)
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
    return News(f"{report.game}/{report.entry}", document, drawn, game, report, chart)


def begun(game: Game, report: Report, people: int, drawn: Drawing | None, house: House, now: Millis) -> News:
    """A game has begun. report: that which opens it, as anybody may read it; people: how many play."""
    heading = sentence("reports.posts.begun_heading", game=report.game, title=report.title)
    said = sentence("reports.posts.begun", people=people, bots=len(report.vacant))
    sentences = [said, _next(report.turn, report.deadline, house) if report.turn else ""]
    return _of_report("begun", f"{report.game}/begun", game, report, heading, sentences, drawn, house, now)


def ended(game: Game, report: Report, drawn: Drawing | None, house: House, now: Millis) -> News:
    """A game is over, though not by its rules. report: how it stands, with its result."""
    assert report.result is not None, "it is over"
    heading = sentence("reports.posts.ended_heading", game=report.game, reason=report.result.reason)
    sentences = [_over(report.result)]
    return _of_report("ended", f"{report.game}/ended", game, report, heading, sentences, drawn, house, now)


def due(game: Game, position: Position, deadline: Millis, house: House, now: Millis) -> News:
    """The deadline of a turn is near."""
    turn = game.rules.turn(position.state)
    heading = sentence("reports.posts.due_heading", game=position.name, turn=turn.name)
    said = sentence("reports.posts.due", turn=turn.name, deadline=spoken(deadline, house.zone))
    document = changed(
        plain_post("due", house, now, heading, said),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(turn),
        deadline=_stamp(deadline),
    )
    return News(f"{position.name}/{position.entries}/due", document)


def wanted(game: Game, offer: Offer, house: House, now: Millis) -> News:
    """A game waits for people."""
    heading = sentence("reports.posts.wanted_heading", game=offer.name, title=game.about.title)
    starts = None if offer.starts is None else spoken(offer.starts, house.zone)
    said = sentence(
        "reports.posts.wanted",
        title=game.about.title,
        game=offer.name,
        needed=offer.needed,
        seats=len(game.about.seats(offer.options)),
        starts=starts,
        address=house.address,
    )
    document = changed(
        plain_post("wanted", house, now, heading, said),
        game=offer.name,
        kind=offer.kind,
        title=game.about.title,
        deadline=_stamp(offer.starts),
    )
    return News(f"{offer.name}/wanted/{now}", document)


def vacant(game: Game, position: Position, seat: Seat, at: Millis, house: House, now: Millis) -> News:
    """A seat of a running game falls free. at: since when."""
    heading = sentence("reports.posts.vacant_heading", game=position.name, seat=seat)
    said = sentence(
        "reports.posts.vacant",
        title=game.about.title,
        game=position.name,
        seat=seat,
        address=house.address,
    )
    document = changed(
        plain_post("wanted", house, now, heading, said),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        seat=seat,
    )
    return News(f"{position.name}/free/{seat}/{at}", document)


def spoke(game: Game, position: Position, press: Press, key: str, house: House, now: Millis) -> News:
    """Somebody wrote press to all. key: by which it is known."""
    heading = sentence("reports.posts.press_heading", game=position.name, heading=press.heading)
    document = changed(
        plain_post("press", house, now, heading, f"{press.heading}:\n\n{press.text}"),
        game=position.name,
        kind=position.kind,
        title=game.about.title,
        turn=_turn(game.rules.turn(position.state)),
        deadline=_stamp(position.deadline),
        press=PostedPress(heading=press.heading, text=press.text),
    )
    return News(key, document)


def trial(house: House, now: Millis) -> Post:
    """A post that only tries whether a channel works."""
    said = sentence("reports.posts.trial", service=house.name)
    heading = sentence("reports.posts.trial_heading", service=house.name)
    mark = hashlib.sha256(f"{house.address}|test|{now}".encode()).hexdigest()[:32]
    return changed(plain_post("played", house, now, heading, said), what="test", id=mark)


def _of_report(
    what: What,
    key: str,
    game: Game,
    report: Report,
    heading: str,
    sentences: Sequence[str],
    drawn: Drawing | None,
    house: House,
    now: Millis,
) -> News:
    document = changed(
        plain_post(what, house, now, heading, _joined(sentences)),
        game=report.game,
        kind=game.about.kind,
        title=report.title,
        turn=_turn(report.turn),
        deadline=_stamp(report.deadline),
        tables=_tables(report),
        result=_result(report.result),
    )
    return News(key, document, drawn)


def plain_post(what: What | Literal["thread"], house: House, now: Millis, heading: str, summary: str) -> Post:
    """A post of a heading and a few sentences, without its id."""
    rows = "\n\n".join("  \n".join(map(markdown, one.splitlines())) for one in summary.split("\n\n"))
    title = f"**{markdown(heading)}**"
    return Post(
        id="",
        what=what,
        at=f"{moment(now):%Y-%m-%dT%H:%M:%SZ}",
        service=house.name,
        heading=heading,
        summary=summary,
        text=f"{summary}\n",
        markdown=f"{title}\n\n{rows}\n",
    )


def _joined(sentences: Sequence[str]) -> str:
    return "\n\n".join(filter(None, (one.strip() for one in sentences)))


def _next(turn: Turn, deadline: Millis | None, house: House) -> str:
    said = None if deadline is None else spoken(deadline, house.zone)
    return sentence("reports.posts.next", turn=turn.name, deadline=said)


def _over(result: Result) -> str:
    return sentence("reports.posts.over", winners=result.winners, reason=result.reason)


def _silent(report: Report) -> list[str]:
    return [sentence("reports.posts.silent", seats=report.silent)] if report.silent else []


def _stamp(at: Millis | None) -> str | None:
    return None if at is None else f"{moment(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _turn(turn: Turn | None) -> PostedTurn | None:
    return None if turn is None else PostedTurn(short=turn.short, name=turn.name)


def _result(result: Result | None) -> PostedResult | None:
    return None if result is None else PostedResult(winners=tuple(result.winners), reason=result.reason)


def _chapter(chapter: Chapter) -> PostedChapter:
    passages = (
        PostedPassage(
            heading=one.heading,
            lines=tuple(PostedLine(text=line.text, failed=line.failed) for line in one.lines),
        )
        for one in chapter.passages
    )
    return PostedChapter(
        turn=PostedTurn(short=chapter.turn.short, name=chapter.turn.name),
        headline=chapter.headline,
        passages=tuple(passages),
        silent=tuple(chapter.silent),
    )


def _tables(report: Report) -> tuple[PostedTable, ...]:
    return tuple(
        PostedTable(title=one.title, columns=one.columns, rows=one.rows) for one in report.tables if one.rows
    )
