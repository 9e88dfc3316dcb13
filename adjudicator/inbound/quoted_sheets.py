"""The order sheets that an email quotes, compared with those that we sent its seat this turn."""

# Rule 1: a line that is unchanged from any of them isn't an order, in a reply to any email.
# Rule 2: we ask about a line that equals one of an older sheet: it may be left over, or meant.
# Rule 3: we ask once about an older sheet that comes back with nothing typed.

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.messages import sentence
from adjudicator.model.games import is_counted
from adjudicator.model.repository import Repository
from adjudicator.reports.order_sheet import sheet as sheet_in_force
from games.record import Value, replace_fields
from orders.mail.body import Body, FreshLine
from orders.mail.letter import Letter
from orders.verdict import LineVerdict
from orders.words import keys

Sheet = tuple[str, ...]

_MAX_ENTRIES_SEARCHED = 8
"""So many entries of a log are looked through for the one that began the turn."""


class SheetComparison(Value, frozen=True):
    """The new lines of an email, and the order sheet that its quotation was compared with, if any.

    going_back: the orders of an older sheet that came back with nothing typed. quotes_unknown: whether no
    sheet that we sent could be compared with the quoted one.
    """

    lines: tuple[FreshLine, ...]
    sheet: Sheet | None = None
    going_back: Sheet = ()
    quotes_unknown: bool = False


def compare(letter: Letter, speaker: AuthenticatedSeat | None, repository: Repository) -> SheetComparison:
    """Return the new lines of an email, compared with the sheets that we sent to its writer."""
    body = Body(letter)
    earlier = filter(None, (letter.answers, *reversed(letter.thread)))
    sheets = (repository.sheet(message_id) for message_id in earlier)
    answered = next((sheet for sheet in sheets if sheet is not None), None)
    lines = body.fresh_lines(answered)
    is_changed = any(line.source == "sheet" for line in lines)
    if answered and not is_changed and any(map(_is_typed, lines)):
        return SheetComparison(lines, answered)
    if not body.quotes_sheet():
        return SheetComparison(lines, answered)
    if speaker is not None and speaker.later is not None:
        # It is read when its turn is due, and compared then.
        return SheetComparison(lines, answered)
    if speaker is None:
        return SheetComparison(lines, answered, quotes_unknown=not answered)
    return _compare_with_sent(body, speaker, repository, answered)


def _compare_with_sent(
    body: Body, speaker: AuthenticatedSeat, repository: Repository, answered: Sheet | None
) -> SheetComparison:
    """Return the lines, compared with the sheet that gives the fewest changed lines."""
    position = speaker.position
    in_force = sheet_in_force(position.game, position, speaker.seat) if position.is_running else ()
    sent = repository.sheets_sent(position.name, speaker.seat, _turn_start(speaker, repository))
    known = [candidate for candidate in dict.fromkeys((answered, in_force, *reversed(sent))) if candidate]
    if not known:
        return SheetComparison(body.fresh_lines(answered), answered, quotes_unknown=not answered)
    comparisons = [(body.fresh_lines(sheet), sheet) for sheet in known]
    lines, sheet = min(
        comparisons, key=lambda comparison: sum(line.source == "sheet" for line in comparison[0])
    )
    others = frozenset(keys(line) for other in known if other != sheet for line in other)
    lines = tuple(
        replace_fields(line, older=True) if line.source == "sheet" and keys(line.text) in others else line
        for line in lines
    )
    alone = not any(map(_is_typed, lines)) and not any(line.source == "sheet" for line in lines)
    still_valid = set(in_force)
    back = tuple(line for line in sheet if line not in still_valid)
    is_older = alone and position.is_running and speaker.stale is None and bool(in_force)
    return SheetComparison(lines, sheet, back if is_older else ())


def _is_typed(line: FreshLine) -> bool:
    """Return whether a line was typed by the email's writer. A subject alone says nothing of its orders."""
    return bool(line.text.strip()) and line.source not in ("sheet", "subject")


def _turn_start(speaker: AuthenticatedSeat, repository: Repository) -> int:
    """Return when the present turn of the speaker's game began."""
    log = repository.latest(speaker.position.name, _MAX_ENTRIES_SEARCHED)
    return next((entry.at for entry, _ in reversed(log) if is_counted(entry.kind)), 0)


def ask_about_older_sheet() -> LineVerdict:
    """Return the question about the orders of an older sheet that came back alone."""
    return LineVerdict(
        line=sentence("inbound.quoted_sheets.older_sheet"),
        source="sheet",
        grade="unread",
        problem=sentence("inbound.quoted_sheets.go_back"),
    )
