"""The order sheets that an email quotes, compared with those that we sent its seat this turn."""

# Rule 1: a line that stands unchanged on any of them is no order, whichever email it answers.
# Rule 2: a line that was changed into what an older sheet says is asked back: it may be left over, or meant.
# Rule 3: an older sheet that comes back with nothing typed beside it is asked about once.

from collections.abc import Sequence

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Seated
from adjudicator.ledger.books import Books
from adjudicator.ledger.overrides import is_counted
from adjudicator.reports.sheet import sheet as sheet_in_force
from games.record import Value, changed
from orders.letters.body import Body, FreshLine
from orders.letters.letter import Letter
from orders.verdict import Verdict
from orders.words import keys

Sheet = tuple[str, ...]

_LATEST = 8
"""So many entries of a log are looked through for the one that began the turn."""


class Compared(Value, frozen=True):
    """The new lines of an email, and the order sheet with which its quotation was compared, if any.

    going_back: the orders of an older sheet that came back with nothing typed; quotes_unknown: the sheet that
    is quoted could be compared with none.
    """

    lines: tuple[FreshLine, ...]
    sheet: Sheet | None = None
    going_back: Sheet = ()
    quotes_unknown: bool = False


def compare(letter: Letter, speaker: Seated | None, books: Books) -> Compared:
    """Return the new lines of an email, held against the sheets that we sent to whoever wrote it."""
    body = Body(letter)
    answered = _answered(letter, books)
    lines = body.fresh_lines(answered)
    typed = any(map(_is_typed, lines))
    is_changed = any(line.source == "sheet" for line in lines)
    if answered and typed and not is_changed:
        return Compared(lines, answered)
    if not body.quotes_sheet():
        return Compared(lines, answered)
    if speaker is not None and speaker.later is not None:
        # It is read when its turn is due, and compared then.
        return Compared(lines, answered)
    if speaker is None:
        return Compared(lines, answered, quotes_unknown=not answered)
    return _held_against(body, speaker, books, answered)


def _held_against(body: Body, speaker: Seated, books: Books, answered: Sheet | None) -> Compared:
    """The lines as compared with the sheet of which the fewest were changed."""
    position = speaker.position
    in_force = (
        sheet_in_force(games.kinds()[position.kind], position, speaker.seat) if position.running else ()
    )
    sent = books.sheets_sent(position.name, speaker.seat, _since(speaker, books))
    known = [one for one in dict.fromkeys((answered, in_force, *reversed(sent))) if one]
    if not known:
        return Compared(body.fresh_lines(answered), answered, quotes_unknown=not answered)
    found = [(body.fresh_lines(sheet), sheet) for sheet in known]
    lines, sheet = min(found, key=lambda one: sum(line.source == "sheet" for line in one[0]))
    others = frozenset(keys(line) for one in known if one != sheet for line in one)
    lines = tuple(
        changed(line, older=True) if line.source == "sheet" and keys(line.text) in others else line
        for line in lines
    )
    alone = not any(map(_is_typed, lines)) and not any(line.source == "sheet" for line in lines)
    left = set(in_force)
    back = tuple(line for line in sheet if line not in left)
    is_older = alone and position.running and speaker.stale is None and bool(in_force)
    return Compared(lines, sheet, back if is_older else ())


def _is_typed(line: FreshLine) -> bool:
    """Whether a line was typed by whoever wrote the email. A subject alone says nothing of its orders."""
    return bool(line.text.strip()) and line.source not in ("sheet", "subject")


def _answered(letter: Letter, books: Books) -> Sheet | None:
    """The order sheet of the email of ours that this one answers."""
    for message_id in filter(None, (letter.answers, *reversed(letter.thread))):
        lines = books.sheet(message_id)
        if lines is not None:
            return lines
    return None


def _since(speaker: Seated, books: Books) -> int:
    """When the present turn of the speaker's game began."""
    log = books.latest(speaker.position.name, _LATEST)
    return next((entry.at for entry, _ in reversed(log) if is_counted(entry.kind)), 0)


def asked_to_go_back(compared: Compared) -> tuple[Verdict, ...]:
    """Return the question whether the orders of an older sheet are meant; none where none came back alone."""
    if not compared.going_back:
        return ()
    line = sentence("clerk.quoted_sheets.older_sheet")
    return (
        Verdict(line=line, source="sheet", grade="unread", problem=sentence("clerk.quoted_sheets.go_back")),
    )


def with_orders(rows: Sequence[Verdict], compared: Compared) -> tuple[Verdict, ...]:
    """Return rows in which that question says what to write."""
    questions = asked_to_go_back(compared)
    orders = ", ".join(compared.going_back)
    return tuple(changed(row, instead=orders) if row in questions else row for row in rows)
