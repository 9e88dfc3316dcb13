"""The content of a reply to an email: what became of each line, the saved orders, what is missing.

A reply that would be too long is shortened, and says what it leaves out. The orders count all the same.
"""

from binascii import b2a_qp
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from adjudicator.clock import Millis
from adjudicator.messages import as_sentence, sentence
from adjudicator.model.deadline_status import Overdue
from adjudicator.model.mail import Attachment, LetterDraft
from adjudicator.model.orders_on_file import when_to_write
from adjudicator.reports.order_sheet import HeldUp, SavedOrder
from games.protocol import SeatColours, Turn
from games.record import Value, field, replace_fields
from orders.verdict import LineVerdict

GOOD, BAD, SAME = "✓", "✗", "–"
"""Accepted; to be corrected; without effect."""

_MAX_ROWS_IN_REPORT = 40
"""The most lines of an email that a report answers. More have a reply of their own."""


class CommandAnswer(Value, frozen=True):
    """The answer to a command: a title, and its text in paragraphs (rows that begin with a space stay).

    badges: the colours shown before the names at the beginning of rows.
    """

    title: str
    text: str
    badges: Mapping[str, SeatColours] = field(default_factory=dict)


class Transcript(Value, frozen=True, dict=True):
    """Everything that the reply to an email says.

    fingerprint, subject, answers, thread: the fingerprint of the email, its subject, its Message-ID and
    those before it, oldest first. rows: what became of each of its orders, in order; notes: further sentences
    (late but counted, unknown command); answered: the answers to commands.

    turn, deadline: the turn that is due and its deadline, None if there is none; overdue: that deadline, if
    it has passed; early: whether the turn runs as soon as all orders are in; stopped: whether the game is
    paused or the turn waits for the GM, and standing: the sentence that says so; alone: whether the turn
    waits for its only player, without a deadline; wait, ready: what the seat last said.

    on_file, missing: the seat's orders for that turn, and what has no order yet; held_up: orders that block
    others; owes: whether anything is due from the seat; queues: whether a number of orders is due, carried
    out one after the other, instead of one for each unit; flagged: whether a line of the newest email, or a
    part of a line, was rejected; left_out: how many orders of earlier emails cannot be carried out now;
    otherwise: what becomes of `missing` if nothing more arrives; sheet: the order sheet.

    picture: a map that the player asked for, as PNG, and file: its name; chart: the game over time, as PNG;
    attached: files that the player asked for.
    """

    fingerprint: str
    subject: str = ""
    answers: str | None = None
    thread: tuple[str, ...] = ()
    rows: tuple[LineVerdict, ...] = ()
    notes: tuple[str, ...] = ()
    answered: tuple[CommandAnswer, ...] = ()
    on_file: tuple[SavedOrder, ...] = ()
    missing: tuple[str, ...] = ()
    held_up: tuple[HeldUp, ...] = ()
    turn: Turn | None = None
    deadline: Millis | None = None
    early: bool = False
    overdue: Overdue | None = None
    stopped: bool = False
    standing: str = ""
    alone: bool = False
    wait: bool = False
    ready: bool = False
    owes: bool = True
    queues: bool = False
    flagged: bool = False
    left_out: int = 0
    otherwise: str = "sheet"
    sheet: tuple[str, ...] = ()
    picture: bytes | None = None
    file: str | None = None
    chart: bytes | None = None
    attached: tuple[Attachment, ...] = ()

    @property
    def problems(self) -> int:
        """The number of its lines, and of their parts, that the player has to correct."""
        return sum(mark_of(row) == BAD for row in self.rows) + self.left_out

    @property
    def rests(self) -> str | None:
        """Why the turn cannot run early because of this seat, and what to do; None if it can.

        If nothing is due from the seat, the turn does not wait for its mistakes.
        """
        if not (self.flagged and self.turn is not None and self.owes):
            return None
        if self.overdue is not None and self.overdue.closed:
            return None
        waited_for = [
            saved_order for saved_order in self.on_file if saved_order.untaken or saved_order.left_out
        ]
        if waited_for and all(saved_order.left_out for saved_order in waited_for):
            if self.alone:
                return sentence("reports.transcript.rests_left_out_alone", count=len(waited_for))
            return sentence("reports.transcript.rests_left_out", count=len(waited_for))
        in_queue = any(saved_order.queued for saved_order in waited_for)
        until = (
            "grace" if self.overdue else "stopped" if self.stopped else "alone" if self.alone else "deadline"
        )
        return sentence("reports.transcript.rests", until=until, in_queue=in_queue, queues=self.queues)

    @property
    def runs_now(self) -> bool:
        """Return whether the turn of a lone player runs at once, so that nothing can be changed any more."""
        open_ = self.wait or self.stopped or self.rests or self.held_up or self.overdue is not None
        return self.alone and self.owes and not open_ and (self.ready or not self.missing)

    @property
    def lists_saved(self) -> bool:
        """Return whether the reply lists the saved orders: not if this email's alone are played now."""
        return not self.runs_now or any(saved.kept for saved in self.on_file)

    @property
    def gaps(self) -> str:
        """Return what has no order yet, and what happens without one; "" if all is there."""
        if not self.missing:
            return ""
        # A turn without a deadline waits for the orders, so nothing happens without them.
        then = "" if self.rests or self.alone else self.otherwise
        return sentence("reports.transcript.missing", missing=self.missing, then=then)

    @property
    def outlook(self) -> str:
        """Return what the turn waits for, as far as the writer of the email may know."""
        if not (self.owes or self.stopped):
            return sentence("reports.transcript.nothing_due", waits=self.wait)
        if self.stopped:
            waits = [sentence("reports.transcript.wait_stopped", alone=self.alone)] if self.wait else []
            return " ".join([*waits, *([self.rests] if self.rests else [])])
        if self.overdue is not None:
            return "" if self.overdue.closed else " ".join(self._outlook_in_grace())
        if self.wait:
            return sentence("reports.transcript.wait", alone=self.alone)
        if self.rests or not self.alone:
            return self.rests or self._outlook_before()
        if self.runs_now:
            return sentence("reports.transcript.alone_in")
        return sentence("reports.transcript.alone")

    def _outlook_in_grace(self) -> Iterator[str]:
        if self.wait:
            yield sentence("reports.transcript.wait_over")
        if self.rests:
            yield self.rests
        elif self.missing and not self.ready:
            yield sentence("reports.transcript.yours_missing")

    def _outlook_before(self) -> str:
        if not self.early:
            return sentence("reports.transcript.at_deadline")
        if not self.missing:
            return sentence("reports.transcript.all_in")
        return (
            sentence("reports.transcript.said_ready")
            if self.ready
            else sentence("reports.transcript.earlier")
        )

    @property
    def counts(self) -> str:
        """Return how many lines the player has to fix and how many we accepted: "1 to fix, 2 accepted"."""
        accepted = sum(row.in_force and not row.left_out for row in self.rows)
        return sentence("reports.transcript.counts", taken=accepted, problems=self.problems)

    @property
    def fits_report(self) -> bool:
        """Return whether the report of a lone player's turn, which runs now, can say all that the reply says.

        A line that the player has to correct keeps the reply an email of its own.
        """
        more = (self.notes, self.answered, self.attached, self.picture, self.chart)
        is_short = 0 < len(self.rows) <= _MAX_ROWS_IN_REPORT
        return self.runs_now and is_short and not any(more) and all(mark_of(row) != BAD for row in self.rows)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return the notes, without those that `outlook` repeats."""
        return tuple(note for note in self.notes if note not in self.outlook)

    @cached_property
    def summary(self) -> str:
        """Return the reply's subject: "orders: 1 to fix, 2 accepted", or the topic of the email."""
        if self.rows:
            return sentence("reports.transcript.orders", counts=self.counts)
        if self.answered:
            return sentence("reports.transcript.your_answer")
        if self.notes:
            return sentence("reports.transcript.your_letter")
        return sentence("reports.transcript.no_orders")


class Fate(Value, frozen=True):
    """The outcome of one line, ready to print: its mark, a sentence, more sentences, then what to write.

    instead: complete lines that the player could write instead.
    """

    mark: str
    line: str
    outcome: str
    details: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def repeats_line(self) -> bool:
        """Return whether the outcome is what the player wrote, so that a report needn't quote the line."""
        return self.line.casefold() == self.outcome.casefold()


def fate(verdict: LineVerdict) -> Fate:
    """Return a verdict in words."""
    mark = mark_of(verdict)
    # The outcome of an impossible order is the problem itself.
    is_detail = bool(verdict.said) and not (mark == BAD and verdict.grade == "unlawful")
    instead: tuple[str, ...] = ()
    if mark == BAD and verdict.grade != "idle":
        suggestion = (verdict.instead,) if verdict.instead is not None else ()
        instead = verdict.candidates or suggestion
    return Fate(
        mark=mark,
        line=" ".join(verdict.line.split()),
        outcome=_outcome(verdict),
        details=(as_sentence(verdict.problem),) if verdict.problem and is_detail else (),
        instead=instead,
    )


def in_reply_order(verdicts: Sequence[LineVerdict]) -> list[LineVerdict]:
    """Return the lines as a reply shows them: first those that the player has to correct."""
    return sorted(verdicts, key=lambda verdict: mark_of(verdict) != BAD)


def fates(verdicts: Sequence[LineVerdict]) -> list[Fate]:
    """Return the fates of the lines, in the order of a reply.

    If lines in a row have the same problem, only the first of them says it.
    """
    results: list[Fate] = []
    last_details: tuple[str, ...] = ()
    for verdict in in_reply_order(verdicts):
        result = fate(verdict)
        again = bool(result.details) and result.mark != GOOD and result.details == last_details
        last_details = result.details
        results.append(replace_fields(result, details=()) if again else result)
    return results


def mark_of(verdict: LineVerdict) -> str:
    """Return the mark of a line: accepted, without effect, or to be corrected."""
    if verdict.superseded:
        return SAME
    if verdict.in_force:
        return BAD if verdict.left_out else GOOD
    return SAME if verdict.said is not None and verdict.grade == "idle" else BAD


def _outcome(verdict: LineVerdict) -> str:
    reading = verdict.said
    if reading is not None and verdict.when is not None and not verdict.stop:
        when = when_to_write(verdict.order, verdict.when) if verdict.order is not None else verdict.when
        reading = f"{when.text}: {reading}" if when.text else reading
    if verdict.superseded:
        if verdict.source == "sheet":
            return sentence("reports.transcript.superseded_by_typed", said=reading)
        return sentence("reports.transcript.superseded", said=reading)
    if verdict.in_force and verdict.left_out:
        return sentence("reports.transcript.left_out", said=reading)
    if verdict.in_force:
        return sentence("reports.transcript.in_force", said=reading)
    if reading is None:
        return as_sentence(verdict.problem or sentence("reports.transcript.not_understood"))
    return _not_in_force(verdict, reading)


def _not_in_force(verdict: LineVerdict, reading: str) -> str:
    match verdict.grade:
        case "doubtful":
            return sentence("reports.transcript.doubtful", said=reading)
        case "unlawful":
            if verdict.problem is not None:
                return as_sentence(sentence("reports.transcript.not_possible", why=verdict.problem))
            return sentence("reports.transcript.unlawful", said=reading)
        case "late":
            return sentence("reports.transcript.late", said=reading)
        case "idle":
            return sentence("reports.transcript.idle", said=reading)
    return sentence("reports.transcript.not_filed", said=reading)


# Replies that would be too long.


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
