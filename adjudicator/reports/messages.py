"""Whole letters: what is told to whom, under which subject, as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudicator.catalogue import sentence
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import LetterDraft
from adjudicator.reports import shortening
from adjudicator.reports.drawn_from import width_of
from adjudicator.reports.in_short import MAX_REPORT_BYTES, shorter, weight_of
from adjudicator.reports.render import render
from adjudicator.signs.addresses import subject_tag
from games.record import Value, field, replace_fields
from orders.letters.sheet_title import SHEET_TITLE

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.ledger.letters import Attachment
    from adjudicator.ledger.overdue import Overdue
    from adjudicator.reports.report import Report
    from adjudicator.reports.transcript import Fate, Transcript
    from games.protocol import Game, Seat, Turn
    from games.protocol.optional import SeatColours

_SUBJECT_LENGTH = 110
_THEME_LENGTH = 40
"""Room for what a subject says, at least; the rest is for its tag."""
_REPLY_PREFIX = re.compile(r"^\s*((re|aw|sv|antw|r|rif|odp|vs)\s*(\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_SUBJECT_TAG = re.compile(r"\[[^\]]*#[^\]]*\]\s*")


class LetterReader(Value, frozen=True):
    """The reader of a letter: the address, on whose behalf, and how they reply.

    game, seat, turn (short name), token, reply_address: None for a stranger; generation: of the reply
    token; zone: the reader's time zone, told beside UTC; thread: our last Message-IDs to the seat, oldest
    first.
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
        """The end of the reader's subjects, "[demo S1M Iroquois #token]"; "" for a stranger."""
        return self.tag_for_turn(self.turn)

    def tag_for_turn(self, turn: str | None) -> str:
        """Return the tag of a letter that tells of a turn; without a seat "[demo S1M]"."""
        if self.game is None:
            return ""
        if self.seat is None or self.token is None:
            return subject_tag(self.game, turn) if turn else ""
        return subject_tag(self.game, turn or "", self.seat, self.token)


class Heading(Value, frozen=True):
    """The head of a letter. key: the name by which we know it; answer_to: a Message-ID.

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
        """The value of Auto-Submitted (RFC 3834 §5): it answers a letter, or comes by itself."""
        return "auto-replied" if self.replies or self.answer_to else "auto-generated"


class Enclosed(Value, frozen=True):
    """The parts that go with a letter's text. picture: the map as PNG; html False: text alone.

    front: the part of the map that concerns the reader, larger, or the crowded one; chart: of the game
    over time, both as PNG; file: how the map's file is called, None: by game and turn.
    """

    picture: bytes | None = None
    front: bytes | None = None
    chart: bytes | None = None
    file: str | None = None
    attached: tuple[Attachment, ...] = ()
    html: bool = True


class OverdueOrders(Value, frozen=True):
    """The orders a seat still owes. missing: for what an order is wanted; sheet: lines of its order sheet.

    deadline: None where the turn waits for its player; overdue: that deadline, where it is over; otherwise:
    the fate of the missing orders if nothing comes; asleep: that is the last they hear of it.
    """

    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    sheet: tuple[str, ...]
    overdue: Overdue | None = None
    otherwise: str = "sheet"
    asleep: bool = False


class WaitingGame(Value, frozen=True):
    """A game that waits for its reader.

    missing: for what an order is wanted; reader: he, in that game; overdue: its deadline, where it is over;
    badges: what marks its seats on the map; standing: why the clock stands, "": it doesn't.
    """

    title: str
    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    reader: LetterReader
    overdue: Overdue | None = None
    badges: Mapping[str, SeatColours] = field(default_factory=dict)
    standing: str = ""


NOTHING_ENCLOSED = Enclosed()
"""Nothing goes with it."""


def report_key(report: Report, reader: LetterReader) -> str:
    """Return the key of the report of a turn to one reader."""
    return f"{report.game}/{report.entry}/report/{reader.seat or reader.address}"


def turn_report(
    game: Game,
    report: Report,
    reader: LetterReader,
    enclosed: Enclosed = NOTHING_ENCLOSED,
    heading: Heading | None = None,
) -> LetterDraft:
    """The report of the turns just played. heading: of a report that tells of no turn.

    One that tells of so many that it would be too heavy tells of the first ones in short, and says so.
    """
    turn_name = report.first_turn.name if report.first_turn else ""
    heading = heading or Heading(report_key(report, reader), report.headline or turn_name)
    heading = replace_fields(heading, turn=report.first_turn.short if report.first_turn else heading.turn)
    letter = _letter(
        _LetterTemplate(game, "report", {"report": report}),
        reader,
        _add_subject_tag(reader, heading),
        enclosed,
    )
    for less in shorter(report):
        if weight_of(letter) <= MAX_REPORT_BYTES:
            break
        letter = _letter(
            _LetterTemplate(game, "report", {"report": less}),
            reader,
            _add_subject_tag(reader, heading),
            enclosed,
        )
    return letter


def welcome(
    game: Game,
    report: Report,
    reader: LetterReader,
    password: str | None = None,
    enclosed: Enclosed = NOTHING_ENCLOSED,
    thread: tuple[str, ...] = (),
) -> LetterDraft:
    """Return the first letter to a seat: the position, how to order, the reply address.

    report: from `report.opening_report`; password: the seat's, in clear, if the reader is to be told it
    now; thread: what the reader is told of the thread in which the game is played.
    """
    key = f"{report.game}/0/welcome/{reader.seat or ''}/{reader.generation}"
    theme = sentence("reports.messages.welcome", title=report.title, seat=reader.seat)
    page = _LetterTemplate(
        game, "letters/welcome", {"report": report, "password": password, "thread": thread}
    )
    return _letter(page, reader, _add_subject_tag(reader, Heading(key, theme)), enclosed)


def verdict(
    game: Game | None, transcript: Transcript, reader: LetterReader, *, html: bool = True
) -> LetterDraft:
    """The answer to a letter: each line's fate, then all that is on file. game None: for no game.

    One that would be too long leaves something out, and says so.
    """
    return shortening.fit_reply(transcript, partial(_verdict, game, reader, html))


def _verdict(
    game: Game | None, reader: LetterReader, html: bool, transcript: Transcript, rows: Sequence[Fate]
) -> LetterDraft:
    theme = _SUBJECT_TAG.sub("", _REPLY_PREFIX.sub("", transcript.subject)).strip()
    subject = transcript.summary if reader.token else theme or transcript.summary
    key = f"letter/{transcript.fingerprint}/verdict"
    heading = Heading(key, f"Re: {subject}", transcript.answers, transcript.thread, replies=True)
    page = _LetterTemplate(game, "letters/verdict", {"transcript": transcript, "rows": rows})
    pictures = Enclosed(
        picture=transcript.picture,
        chart=transcript.chart,
        file=transcript.file,
        attached=transcript.attached,
        html=html,
    )
    return _letter(page, reader, _add_subject_tag(reader, heading), pictures)


def reminder(game: Game, reader: LetterReader, key: str, owing: OverdueOrders) -> LetterDraft:
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
    return _letter(
        _LetterTemplate(game, "letters/reminder", context),
        reader,
        _add_subject_tag(reader, heading),
        NOTHING_ENCLOSED,
    )


def digest(
    reader: LetterReader, key: str, waiting: Sequence[WaitingGame], attached: tuple[Attachment, ...] = ()
) -> LetterDraft:
    """All games that wait for somebody, in one letter: what is due until when, and where he orders.

    It shows his token of each. attached: the deadlines of all his games, for his calendar.
    """
    heading = Heading(key, sentence("reports.messages.digest", games=[game.reader.game for game in waiting]))
    letter = _letter(
        _LetterTemplate(None, "letters/digest", {"waiting": waiting}),
        reader,
        heading,
        Enclosed(attached=attached),
    )
    readers = (game.reader for game in waiting)
    shows = tuple((game.game, game.token) for game in readers if game.game and game.token)
    return replace_fields(letter, shows=shows, leave=HeaderText("LETTERS DIGEST OFF"))


def notice(
    reader: LetterReader, heading: Heading, paragraphs: tuple[str, ...], attached: tuple[Attachment, ...] = ()
) -> LetterDraft:
    """A plain letter: some paragraphs under a subject. attached: the files that go with it."""
    page = _LetterTemplate(None, "letters/notice", {"title": heading.subject, "paragraphs": paragraphs})
    return _letter(page, reader, _add_subject_tag(reader, heading), Enclosed(attached=attached))


class _LetterTemplate(Value, frozen=True):
    """A template of a game's, or of the house's, and what it is filled with."""

    game: Game | None
    template: str
    content: Mapping[str, Any]


def _letter(page: _LetterTemplate, reader: LetterReader, heading: Heading, enclosed: Enclosed) -> LetterDraft:
    picture = enclosed.picture
    context = {
        **page.content,
        "reader": reader,
        "subject": heading.subject,
        "game": page.game,
        "picture": picture is not None,
        "front": width_of(enclosed.front) if enclosed.front else None,
        "chart": enclosed.chart is not None,
        "order_page": next(
            (attachment.name for attachment in enclosed.attached if attachment.name.endswith(".html")), None
        ),
        "SHEET_TITLE": SHEET_TITLE,
    }
    name = "-".join(word for word in (reader.game, heading.turn or reader.turn) if word) or "map"
    return LetterDraft(
        key=heading.key,
        to=HeaderText(reader.address),
        subject=HeaderText.clean(heading.subject),
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
        answer_to=HeaderText.clean(heading.answer_to) if heading.answer_to else None,
        thread=tuple(map(HeaderText.clean, reader.thread if heading.thread is None else heading.thread)),
        automatic=HeaderText(heading.automatic),
        leave=_leave(reader),
    )


def _leave(reader: LetterReader) -> HeaderText | None:
    """Return the command that ends these letters for an observer. Players give up a seat in words."""
    watches = reader.game and reader.reply_address and not reader.seat
    return HeaderText(f"RESIGN {reader.game}") if watches else None


def _add_subject_tag(reader: LetterReader, heading: Heading) -> Heading:
    """Return the heading with the whole tag at the end of its subject, which is cut before it if need be."""
    tag = reader.tag_for_turn(heading.turn or reader.turn)
    theme = _cut(heading.subject, max(_SUBJECT_LENGTH - len(tag) - 1, _THEME_LENGTH))
    return replace_fields(heading, subject=f"{theme} {tag}".strip())


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
