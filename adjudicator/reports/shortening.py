"""Answers that would be too long: what is left out of them, and that it is said. Nothing is undone by it."""

from binascii import b2a_qp
from collections.abc import Callable, Sequence

from adjudicator.catalogue import sentence
from adjudicator.ledger.letters import Outgoing
from adjudicator.reports.transcript import Answer, Fate, Transcript, fates
from games.record import changed

MOST_BYTES = 200_000
"""What an answer may have, in text and in HTML together; a map that was asked for is not counted."""

_ROOMS = (100_000, 50_000, 25_000, 12_000, 6_000)
"""How many signs of each sort are tried, since nobody knows what becomes of them in HTML."""

_HEADERS = 4_000
_LONGEST = 200
"""Signs of a line that is shown in an answer which has to be shortened."""

_TITLES = 10
"""So many answers that are left out are named."""

Writing = Callable[[Transcript, Sequence[Fate]], Outgoing]
"""How an answer is written from what it says and from the fates of its lines."""


def size_of(outgoing: Outgoing) -> int:
    """The bytes of a letter without its picture and its files."""
    return _HEADERS + sum(_encoded(text) for text in (outgoing.text, outgoing.html or ""))


def is_short(outgoing: Outgoing) -> bool:
    """Whether a letter fits whatever it is made of: of one byte quoted-printable makes less than four."""
    texts = outgoing.text, outgoing.html or ""
    # A sign has four bytes at the most, so that few letters have to be put into bytes for this.
    return (
        _HEADERS + 16 * sum(map(len, texts)) < MOST_BYTES
        or _HEADERS + 4 * sum(len(text.encode()) for text in texts) < MOST_BYTES
    )


def _encoded(text: str) -> int:
    return len(b2a_qp(text.encode(), istext=True)) + text.count("\n")


def fitting(transcript: Transcript, write: Writing) -> Outgoing:
    """The answer whole, or with as much of it as there is room for."""
    letter = write(transcript, fates(transcript.rows))
    for room in _ROOMS:
        if is_short(letter) or size_of(letter) < MOST_BYTES:
            break
        letter = write(*_shortened(transcript, room))
    return letter


def cut(text: str, longest: int = _LONGEST) -> str:
    """The text, or its beginning with an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _shortened(transcript: Transcript, room: int) -> tuple[Transcript, list[Fate]]:
    """What an answer says in about so many signs of each sort, and what it leaves out."""
    rows = [_cut_fate(one) for one in fates(transcript.rows)]
    shown = rows[: _count([_length(one) for one in rows], room)]
    answers = [changed(one, text=cut(one.text, room)) for one in transcript.answered]
    answered = answers[: _count([len(one.text) for one in answers], room)]
    on_file = transcript.on_file[: _count([len(one.order) for one in transcript.on_file], room)]
    remarks = [
        *_of_lines(transcript, len(shown)),
        *_of_answers(answers[len(answered) :]),
        *_of_orders(len(transcript.on_file) - len(on_file)),
    ]
    brief = changed(
        transcript,
        notes=(*remarks, *_notes(transcript.notes, room)),
        answered=tuple(answered),
        on_file=tuple(on_file),
        sheet=transcript.sheet if sum(map(len, transcript.sheet)) <= room else (),
    )
    return brief, shown


def _count(lengths: Sequence[int], room: int) -> int:
    """How many of them have room; an empty one takes some, too."""
    for count, length in enumerate(lengths):
        room -= length + _LONGEST
        if room < 0:
            return count
    return len(lengths)


def _length(fate: Fate) -> int:
    return sum(map(len, (fate.line, fate.outcome, *fate.details, *fate.instead)))


def _cut_fate(fate: Fate) -> Fate:
    return changed(
        fate,
        line=cut(fate.line),
        outcome=cut(fate.outcome),
        details=tuple(map(cut, fate.details[:3])),
        instead=tuple(map(cut, fate.instead[:3])),
    )


def _notes(notes: Sequence[str], room: int) -> list[str]:
    """The remarks: whole while there is room, then their beginnings."""
    whole = _count([len(note) for note in notes], room)
    begun = [cut(note) for note in notes[whole : whole + room // _LONGEST]]
    left = len(notes) - whole - len(begun)
    said = [sentence("reports.shortening.remarks_left_out", left=left)] if left else []
    return [*notes[:whole], *begun, *said]


def _of_lines(transcript: Transcript, shown: int) -> list[str]:
    left = transcript.rows[shown:]
    if not left:
        return []
    good = sum(row.in_force for row in left)
    bad = len(left) - good
    return [sentence("reports.shortening.lines_left_out", left=len(left), good=good, bad=bad)]


def _of_answers(left: Sequence[Answer]) -> list[str]:
    if not left:
        return []
    titles = [cut(one.title, 60) for one in left]
    more = max(len(titles) - _TITLES, 0)
    return [sentence("reports.shortening.answers_left_out", titles=titles[:_TITLES], more=more)]


def _of_orders(left: int) -> list[str]:
    return [sentence("reports.shortening.orders_left_out", left=left)] if left else []
