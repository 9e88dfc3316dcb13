"""Whole letters: what is told to whom, under which subject, as text and as HTML."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import partial
from typing import Any

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment, Outgoing
from adjudicator.reports.render import render
from adjudicator.reports.report import Report
from adjudicator.reports.shortening import fitting
from adjudicator.reports.transcript import Fate, Transcript
from adjudicator.signs.addresses import subject_tag
from games.protocol import Game, Seat, Turn
from orders.letters.body import SHEET_TITLE

_SUBJECT_LENGTH = 110
_REPLY = re.compile(r"^\s*((re|aw|sv|antw|r|rif|odp|vs)\s*(\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_TAG = re.compile(r"\[[^\]]*#[^\]]*\]\s*")


@dataclass(frozen=True)
class Reader:
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
        """What his subjects carry, "[demo S1M Iroquois #token]"; "" for a stranger."""
        if self.game is None or self.seat is None or self.token is None:
            return ""
        return subject_tag(self.game, self.turn or "", self.seat, self.token)


def turn_report(
    game: Game,
    report: Report,
    reader: Reader,
    *,
    picture: bytes | None = None,
    attached: tuple[Attachment, ...] = (),
    html: bool = True,
    key: str | None = None,
    subject: str | None = None,
) -> Outgoing:
    """The report of the turns just played. picture: the map as PNG; attached: the files that go with it.

    html False: the text alone. key, subject: of a report that tells of no turn.
    """
    told = report.chapters[0].turn.name if report.chapters else ""
    return _letter(
        game,
        "report",
        {"report": report},
        reader,
        key=key or f"{report.game}/{report.entry}/report/{reader.seat or reader.address}",
        subject=_tagged(reader, subject or (f"{told}: {report.headline}" if report.headline else told)),
        picture=picture,
        attached=attached,
        html=html,
    )


def welcome(
    game: Game,
    report: Report,
    reader: Reader,
    *,
    password: str | None = None,
    picture: bytes | None = None,
    attached: tuple[Attachment, ...] = (),
    html: bool = True,
) -> Outgoing:
    """The first letter to a seat: the position, how to order, the reply address; from `report.opening`.

    password: the seat's, in clear, if the reader is to be told it now.
    """
    return _letter(
        game,
        "letters/welcome",
        {"report": report, "password": password},
        reader,
        key=f"{report.game}/0/welcome/{reader.seat or ''}/{reader.generation}",
        subject=_tagged(reader, sentence("reports.messages.welcome", title=report.title, seat=reader.seat)),
        picture=picture,
        attached=attached,
        html=html,
    )


def verdict(game: Game | None, transcript: Transcript, reader: Reader, *, html: bool = True) -> Outgoing:
    """The answer to a letter: each line's fate, then all that is on file. game None: for no game.

    One that would be too long leaves something out, and says so.
    """
    return fitting(transcript, partial(_verdict, game, reader, html))


def _verdict(
    game: Game | None, reader: Reader, html: bool, transcript: Transcript, rows: Sequence[Fate]
) -> Outgoing:
    tag = reader.tag
    theme = _TAG.sub("", _REPLY.sub("", transcript.subject)).strip()
    subject = f"Re: {tag} {transcript.summary}" if tag else f"Re: {theme or transcript.summary}"
    return _letter(
        game,
        "letters/verdict",
        {"transcript": transcript, "rows": rows},
        reader,
        key=f"letter/{transcript.fingerprint}/verdict",
        subject=_cut(subject),
        html=html,
        answer_to=transcript.answers,
        thread=transcript.thread,
        automatic="auto-replied",
        picture=transcript.picture,
    )


def reminder(
    game: Game,
    reader: Reader,
    *,
    key: str,
    turn: Turn,
    deadline: Millis,
    missing: tuple[str, ...],
    sheet: tuple[str, ...],
    html: bool = True,
) -> Outgoing:
    """A word before the deadline to a seat that still owes orders."""
    context = {"turn": turn, "deadline": deadline, "missing": missing, "sheet": sheet}
    subject = _tagged(reader, sentence("reports.messages.orders_missing", turn=turn.name))
    return _letter(game, "letters/reminder", context, reader, key=key, subject=subject, html=html)


def notice(
    reader: Reader,
    *,
    key: str,
    subject: str,
    paragraphs: tuple[str, ...],
    answer_to: str | None = None,
    attached: tuple[Attachment, ...] = (),
    html: bool = True,
) -> Outgoing:
    """A plain letter: some paragraphs under a subject. attached: the files that go with it."""
    return _letter(
        None,
        "letters/notice",
        {"title": subject, "paragraphs": paragraphs},
        reader,
        key=key,
        subject=_tagged(reader, subject),
        html=html,
        answer_to=answer_to,
        attached=attached,
        automatic="auto-replied" if answer_to else "auto-generated",
    )


def _letter(
    game: Game | None,
    template: str,
    content: Mapping[str, Any],
    reader: Reader,
    *,
    key: str,
    subject: str,
    html: bool,
    picture: bytes | None = None,
    attached: tuple[Attachment, ...] = (),
    answer_to: str | None = None,
    thread: tuple[str, ...] | None = None,
    automatic: str = "auto-generated",
) -> Outgoing:
    context = {
        **content,
        "reader": reader,
        "subject": subject,
        "game": game,
        "picture": picture is not None,
        "SHEET_TITLE": SHEET_TITLE,
    }
    return Outgoing(
        key=key,
        to=HeaderText(reader.address),
        subject=HeaderText.cleaned(subject),
        text=render(game, f"{template}.txt", context),
        html=render(game, f"{template}.html", context) if html else None,
        picture=picture if html else None,
        picture_name=HeaderText(f"{reader.game or 'map'}-{reader.turn or 'map'}.png"),
        attached=attached,
        game=reader.game,
        seat=reader.seat,
        turn=reader.turn,
        token=reader.token,
        reply_to=HeaderText(reader.reply_address) if reader.reply_address else None,
        answer_to=HeaderText.cleaned(answer_to) if answer_to else None,
        thread=tuple(map(HeaderText.cleaned, reader.thread if thread is None else thread)),
        automatic=HeaderText(automatic),
    )


def _tagged(reader: Reader, theme: str) -> str:
    return _cut(f"{reader.tag} {theme}".strip())


def _cut(subject: str) -> str:
    """One row, at most 110 characters: what is longer ends at a word, with an ellipsis."""
    subject = " ".join(subject.split())
    if len(subject) <= _SUBJECT_LENGTH:
        return subject
    room = subject[: _SUBJECT_LENGTH - 1]
    return (room.rsplit(" ", 1)[0] if " " in room else room).rstrip(",;:.") + "…"
