"""Shorten replies that would be too long, and say what they leave out. The orders count all the same."""

from binascii import b2a_qp
from collections.abc import Sequence

from adjudicator.messages import sentence
from adjudicator.model.mail import LetterDraft
from adjudicator.reports.verdict import CommandAnswer, Fate, Transcript, fates, in_reply_order
from games.record import replace_fields

MAX_REPLY_BYTES = 200_000
"""The limit for text and HTML together, without a map that the player asked for."""

REPLY_LENGTHS = (100_000, 50_000, 25_000, 12_000, 6_000)
"""Numbers of characters of each kind to try, because their size in HTML is not known in advance."""

_HEADERS = 4_000
_MAX_LINE_LENGTH = 200
"""The longest line shown in a shortened reply, in characters."""

_MAX_NAMED_ANSWERS = 10
"""How many of the answers left out we name."""


def size_of(outgoing: LetterDraft) -> int:
    """Return the bytes of an email without its picture and its files."""
    texts = outgoing.text, outgoing.html or ""
    return _HEADERS + sum(len(b2a_qp(text.encode(), istext=True)) + text.count("\n") for text in texts)


def is_short(outgoing: LetterDraft) -> bool:
    """Return whether an email fits in any case: quoted-printable makes less than four bytes of each byte."""
    texts = outgoing.text, outgoing.html or ""
    # A character has up to four bytes, so few emails have to be encoded for this.
    return (
        _HEADERS + 16 * sum(map(len, texts)) < MAX_REPLY_BYTES
        or _HEADERS + 4 * sum(len(text.encode()) for text in texts) < MAX_REPLY_BYTES
    )


def cut(text: str, longest: int = _MAX_LINE_LENGTH) -> str:
    """Return the text, or its beginning with an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def shorten_transcript(transcript: Transcript, room: int) -> tuple[Transcript, list[Fate]]:
    """Return a reply with about `room` characters of each kind, and remarks on what it leaves out."""
    rows = [_cut_fate(fate) for fate in fates(transcript.rows)]
    shown = rows[: _count([_length(fate) for fate in rows], room)]
    answers = [replace_fields(answer, text=cut(answer.text, room)) for answer in transcript.answered]
    answered = answers[: _count([len(answer.text) for answer in answers], room)]
    on_file = transcript.on_file[
        : _count([len(saved_order.order) for saved_order in transcript.on_file], room)
    ]
    orders_left_out = len(transcript.on_file) - len(on_file)
    remarks = [
        *_describe_lines_left_out(transcript, len(shown)),
        *_describe_answers_left_out(answers[len(answered) :]),
    ]
    if orders_left_out:
        remarks.append(sentence("reports.shortening.orders_left_out", count=orders_left_out))
    brief = replace_fields(
        transcript,
        notes=(*remarks, *_notes(transcript.notes, room)),
        answered=tuple(answered),
        on_file=tuple(on_file),
        sheet=transcript.sheet if sum(map(len, transcript.sheet)) <= room else (),
    )
    return brief, shown


def _count(lengths: Sequence[int], room: int) -> int:
    """Return how many of them fit. Even an empty one takes some room."""
    for count, length in enumerate(lengths):
        room -= length + _MAX_LINE_LENGTH
        if room < 0:
            return count
    return len(lengths)


def _length(fate: Fate) -> int:
    return sum(map(len, (fate.line, fate.outcome, *fate.details, *fate.instead)))


def _cut_fate(fate: Fate) -> Fate:
    return replace_fields(
        fate,
        line=cut(fate.line),
        outcome=cut(fate.outcome),
        details=tuple(map(cut, fate.details[:3])),
        instead=tuple(map(cut, fate.instead[:3])),
    )


def _notes(notes: Sequence[str], room: int) -> list[str]:
    """Return the remarks: whole ones while there is room, then beginnings."""
    whole = _count([len(note) for note in notes], room)
    begun = [cut(note) for note in notes[whole : whole + room // _MAX_LINE_LENGTH]]
    left_out = len(notes) - whole - len(begun)
    remarks = [sentence("reports.shortening.remarks_left_out", count=left_out)] if left_out else []
    return [*notes[:whole], *begun, *remarks]


def _describe_lines_left_out(transcript: Transcript, shown: int) -> list[str]:
    rows = in_reply_order(transcript.rows)[shown:]
    if not rows:
        return []
    good = sum(row.in_force for row in rows)
    bad = len(rows) - good
    sentences = [
        sentence("reports.shortening.lines_left_out", count=len(rows)),
        sentence("reports.shortening.lines_accepted", count=good),
        *([sentence("reports.shortening.lines_not_accepted", count=bad)] if bad else []),
    ]
    return [" ".join(sentences)]


def _describe_answers_left_out(answers: Sequence[CommandAnswer]) -> list[str]:
    if not answers:
        return []
    titles = [cut(answer.title, 60) for answer in answers]
    more = max(len(titles) - _MAX_NAMED_ANSWERS, 0)
    named = ", ".join(titles[:_MAX_NAMED_ANSWERS])
    if more:
        return [sentence("reports.shortening.more_answers_left_out", titles=named, more=more)]
    return [sentence("reports.shortening.answers_left_out", titles=named)]
