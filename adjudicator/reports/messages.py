"""Whole letters: what is told to whom, under which subject, as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudicator.catalogue import sentence
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Outgoing
from adjudicator.reports import shortening
from adjudicator.reports.drawn_from import width_of
from adjudicator.reports.in_short import MOST_BYTES, shorter, weight_of
from adjudicator.reports.render import render
from adjudicator.signs.addresses import subject_tag
from games.record import Value, changed, field
from orders.letters.sheet_title import SHEET_TITLE

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.ledger.letters import Attachment
    from adjudicator.ledger.overdue import Overdue
    from adjudicator.reports.report import Report
    from adjudicator.reports.transcript import Fate, Transcript
    from games.protocol import Game, Seat, Turn
    from games.protocol.optional import Badge

_SUBJECT_LENGTH = 110
_THEME_LENGTH = 40
"""Room for what a subject says, at least; the rest is for its tag."""
_REPLY = re.compile(r"^\s*((re|aw|sv|antw|r|rif|odp|vs)\s*(\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_TAG = re.compile(r"\[[^\]]*#[^\]]*\]\s*")


class Reader(Value, frozen=True):
    """Who gets a letter, on whose behalf, and how he answers.

    game, seat, turn (short name), token, reply_address: None for a stranger; generation: of the reply token;
    zone: the reader's time zone, told beside UTC; thread: our last Message-IDs to the seat, oldest first.
    """

    address: str
    game: str | None = None
    seat: Seat | None = None
    turn: str | None = None
    token: str | None = None
    reply_address: str | None = None
    generation: int = 1
    zone: tzinfo = UTC
    thread: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        """What his subjects end with, "[demo S1M Iroquois #token]"; "" for a stranger."""
        return self.tagged(self.turn)

    def tagged(self, turn: str | None) -> str:
        """The same for a letter that tells of a turn; without a seat "[demo S1M]"."""
        if self.game is None:
            return ""
        if self.seat is None or self.token is None:
            return subject_tag(self.game, turn) if turn else ""
        return subject_tag(self.game, turn or "", self.seat, self.token)


class Heading(Value, frozen=True):
    """What stands above a letter. key: by which it is known among ours; answer_to: a Message-ID.

    replies: it answers a letter, even one that has no Message-ID; turn: the short name of the one that it
    tells of, None: it is the present one.
    """

    key: str
    subject: str
    answer_to: str | None = None
    thread: tuple[str, ...] | None = None
    replies: bool = False
    turn: str | None = None

    @property
    def automatic(self) -> str:
        """Whether it answers a letter, or comes by itself: Auto-Submitted (RFC 3834 §5)."""
        return "auto-replied" if self.replies or self.answer_to else "auto-generated"


class Enclosed(Value, frozen=True):
    """What goes with a letter's text. picture: the map as PNG; html False: nothing but the text.

    front: the part of the map that concerns the reader, larger, or the crowded one; chart: of the game over
    time, both as PNG;
    file: how the map's file is called, None: by game and turn.
    """

    picture: bytes | None = None
    front: bytes | None = None
    chart: bytes | None = None
    file: str | None = None
    attached: tuple[Attachment, ...] = ()
    html: bool = True


class Owing(Value, frozen=True):
    """What a seat still owes. missing: for what an order is wanted; sheet: the lines of its order sheet.

    deadline: None where the turn waits for its player; overdue: that deadline, where it is over; otherwise:
    what becomes of what is missing if nothing comes; asleep: that is the last he hears of it.
    """

    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    sheet: tuple[str, ...]
    overdue: Overdue | None = None
    otherwise: str = "sheet"
    asleep: bool = False


class Waiting(Value, frozen=True):
    """A game that waits for its reader.

    missing: for what an order is wanted; reader: he, in that game; overdue: its deadline, where it is over;
    badges: what marks its seats on the map.
    """

    title: str
    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    reader: Reader
    overdue: Overdue | None = None
    badges: Mapping[str, Badge] = field(default_factory=dict)


TEXT = Enclosed()
"""Nothing goes with it."""


def report_key(report: Report, reader: Reader) -> str:
    """By which the report of a turn to one reader is known."""
    return f"{report.game}/{report.entry}/report/{reader.seat or reader.address}"


def turn_report(
    game: Game, report: Report, reader: Reader, enclosed: Enclosed = TEXT, heading: Heading | None = None
) -> Outgoing:
    """The report of the turns just played. heading: of a report that tells of no turn.

    One that tells of so many that it would be too heavy tells of the first ones in short, and says so.
    """
    told = report.told.name if report.told else ""
    heading = heading or Heading(report_key(report, reader), report.headline or told)
    heading = changed(heading, turn=report.told.short if report.told else heading.turn)
    letter = _letter(_Page(game, "report", {"report": report}), reader, _tagged(reader, heading), enclosed)
    for less in shorter(report):
        if weight_of(letter) <= MOST_BYTES:
            break
        letter = _letter(_Page(game, "report", {"report": less}), reader, _tagged(reader, heading), enclosed)
    return letter


def welcome(
    game: Game,
    report: Report,
    reader: Reader,
    password: str | None = None,
    enclosed: Enclosed = TEXT,
    thread: tuple[str, ...] = (),
) -> Outgoing:
    """The first letter to a seat: the position, how to order, the reply address; from `report.opening`.

    password: the seat's, in clear, if the reader is to be told it now; thread: what he is told of the one in
    which the game is played.
    """
    key = f"{report.game}/0/welcome/{reader.seat or ''}/{reader.generation}"
    theme = sentence("reports.messages.welcome", title=report.title, seat=reader.seat)
    page = _Page(game, "letters/welcome", {"report": report, "password": password, "thread": thread})
    return _letter(page, reader, _tagged(reader, Heading(key, theme)), enclosed)


def verdict(game: Game | None, transcript: Transcript, reader: Reader, *, html: bool = True) -> Outgoing:
    """The answer to a letter: each line's fate, then all that is on file. game None: for no game.

    One that would be too long leaves something out, and says so.
    """
    return shortening.fitting(transcript, partial(_verdict, game, reader, html))


def _verdict(
    game: Game | None, reader: Reader, html: bool, transcript: Transcript, rows: Sequence[Fate]
) -> Outgoing:
    theme = _TAG.sub("", _REPLY.sub("", transcript.subject)).strip()
    subject = transcript.summary if reader.token else theme or transcript.summary
    key = f"letter/{transcript.fingerprint}/verdict"
    heading = Heading(key, f"Re: {subject}", transcript.answers, transcript.thread, replies=True)
    page = _Page(game, "letters/verdict", {"transcript": transcript, "rows": rows})
    pictures = Enclosed(
        picture=transcript.picture,
        chart=transcript.chart,
        file=transcript.file,
        attached=transcript.attached,
        html=html,
    )
    return _letter(page, reader, _tagged(reader, heading), pictures)


def reminder(game: Game, reader: Reader, key: str, owing: Owing) -> Outgoing:
    """A word before the deadline to a seat that still owes orders, or where none runs, after long silence."""
    context = {
        "turn": owing.turn,
        "deadline": owing.deadline,
        "over": owing.overdue,
        "answer_to_order": sentence("reports.messages.answer_to_order", then=owing.otherwise),
        "missing": owing.missing,
        "sheet": owing.sheet,
        "asleep": owing.asleep,
    }
    if owing.asleep:
        theme = sentence("reports.messages.asleep", turn=owing.turn.name)
    elif owing.deadline is None:
        theme = sentence("reports.messages.waits", turn=owing.turn.name)
    else:
        theme = sentence("reports.messages.orders_missing", turn=owing.turn.name)
    heading = Heading(key, theme)
    return _letter(_Page(game, "letters/reminder", context), reader, _tagged(reader, heading), TEXT)


def digest(
    reader: Reader, key: str, waiting: Sequence[Waiting], attached: tuple[Attachment, ...] = ()
) -> Outgoing:
    """All games that wait for somebody, in one letter: what is due until when, and where he orders.

    It shows his token of each. attached: the deadlines of all his games, for his calendar.
    """
    heading = Heading(key, sentence("reports.messages.digest", games=[one.reader.game for one in waiting]))
    letter = _letter(
        _Page(None, "letters/digest", {"waiting": waiting}), reader, heading, Enclosed(attached=attached)
    )
    readers = (one.reader for one in waiting)
    shows = tuple((one.game, one.token) for one in readers if one.game and one.token)
    return changed(letter, shows=shows, leave=HeaderText("LETTERS DIGEST OFF"))


def notice(
    reader: Reader, heading: Heading, paragraphs: tuple[str, ...], attached: tuple[Attachment, ...] = ()
) -> Outgoing:
    """A plain letter: some paragraphs under a subject. attached: the files that go with it."""
    page = _Page(None, "letters/notice", {"title": heading.subject, "paragraphs": paragraphs})
    return _letter(page, reader, _tagged(reader, heading), Enclosed(attached=attached))


class _Page(Value, frozen=True):
    """A template of a game's, or of the house's, and what it is filled with."""

    game: Game | None
    template: str
    content: Mapping[str, Any]


def _letter(page: _Page, reader: Reader, heading: Heading, enclosed: Enclosed) -> Outgoing:
    picture = enclosed.picture
    context = {
        **page.content,
        "reader": reader,
        "subject": heading.subject,
        "game": page.game,
        "picture": picture is not None,
        "front": width_of(enclosed.front) if enclosed.front else None,
        "chart": enclosed.chart is not None,
        "order_page": next((one.name for one in enclosed.attached if one.name.endswith(".html")), None),
        "SHEET_TITLE": SHEET_TITLE,
    }
    name = "-".join(word for word in (reader.game, heading.turn or reader.turn) if word) or "map"
    return Outgoing(
        key=heading.key,
        to=HeaderText(reader.address),
        subject=HeaderText.cleaned(heading.subject),
        text=render(page.game, f"{page.template}.txt", context),
        html=render(page.game, f"{page.template}.html", context) if enclosed.html else None,
        picture=picture if enclosed.html else None,
        picture_name=HeaderText(f"{enclosed.file or name}.png"),
        front=enclosed.front if enclosed.html else None,
        front_name=HeaderText(f"{name}-your-front.png" if reader.seat else f"{name}-close-up.png"),
        chart=enclosed.chart if enclosed.html else None,
        chart_name=HeaderText(f"{name}-chart.png"),
        attached=enclosed.attached,
        game=reader.game,
        seat=reader.seat,
        turn=reader.turn,
        token=reader.token,
        reply_to=HeaderText(reader.reply_address) if reader.reply_address else None,
        answer_to=HeaderText.cleaned(heading.answer_to) if heading.answer_to else None,
        thread=tuple(map(HeaderText.cleaned, reader.thread if heading.thread is None else heading.thread)),
        automatic=HeaderText(heading.automatic),
        leave=_leave(reader),
    )


def _leave(reader: Reader) -> HeaderText | None:
    """Who only watches has asked for these letters, and need not any more. A seat is given up in words."""
    watches = reader.game and reader.reply_address and not reader.seat
    return HeaderText(f"RESIGN {reader.game}") if watches else None


def _tagged(reader: Reader, heading: Heading) -> Heading:
    """With the tag at the end of its subject, whole, whatever there is to be cut before it."""
    tag = reader.tagged(heading.turn or reader.turn)
    theme = _cut(heading.subject, max(_SUBJECT_LENGTH - len(tag) - 1, _THEME_LENGTH))
    return changed(heading, subject=f"{theme} {tag}".strip())


def _cut(subject: str, longest: int) -> str:
    """One row: what is longer ends with a sentence or a part of one, or else at a word with an ellipsis."""
    subject = " ".join(subject.split()).rstrip(".")
    if len(subject) <= longest:
        return subject
    room = subject[: longest - 1]
    whole = max(room.rfind("; "), room.rfind(". "))
    if whole > longest // 3:
        return room[:whole]
    return (room.rsplit(" ", 1)[0] if " " in room else room).rstrip(",;:.") + "…"
