"""The notes on lines and commands of a letter that were beyond its allowance."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from adjudicator.messages import sentence
from adjudicator.reports.shorten import cut
from adjudicator.reports.times import join_names
from orders.commands import Command
from orders.mail.letter import Letter
from orders.reading.budget import MAX_COMMANDS_PER_LETTER, MAX_LINES_PER_LETTER
from orders.reading.letter_reader import LetterReading

_CUT_OFF_DEFECT = "more than"
"""How the defects of a letter begin that come of its length."""

_MAX_UNREAD_LINES_NAMED, _MAX_UNREAD_LINE_CHARS = 5, 60
"""So many lines are named by their words, and by so many signs of these."""


def explain_over_allowance(reading: LetterReading, letter: Letter | None = None) -> tuple[str, ...]:
    """Return sentences on the lines that were not read and the commands that were not obeyed; mostly none.

    letter: in which they stood, if it was one; it may be longer than what is looked at.
    """
    cut_off = [defect for defect in letter.defects if defect.startswith(_CUT_OFF_DEFECT)] if letter else []
    ends = (sentence("clerk.over_allowance.cut_off", defects=join_names(cut_off)),) if cut_off else ()
    rest = [*_name_lines(reading.beyond), *_name_commands(reading.unheard)]
    if not rest:
        return ends
    return (
        *ends,
        sentence(
            "clerk.over_allowance.left_out",
            lines=MAX_LINES_PER_LETTER,
            commands=MAX_COMMANDS_PER_LETTER,
            left=join_names(rest),
        ),
    )


def _name_lines(texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    named = [_quote_line(cut(text, _MAX_UNREAD_LINE_CHARS), 1) for text in texts[:_MAX_UNREAD_LINES_NAMED]]
    if len(texts) > _MAX_UNREAD_LINES_NAMED:
        named.append(sentence("clerk.over_allowance.so_on", line=cut(texts[-1], _MAX_UNREAD_LINE_CHARS)))
    return [sentence("clerk.over_allowance.lines", number=len(texts), named=join_names(named))]


def _name_commands(commands: Sequence[Command]) -> list[str]:
    if not commands:
        return []
    counted = Counter(cut(command.line, _MAX_UNREAD_LINE_CHARS) for command in commands)
    named = [_quote_line(line, count) for line, count in islice(counted.items(), _MAX_UNREAD_LINES_NAMED)]
    if len(counted) > _MAX_UNREAD_LINES_NAMED:
        named.append(sentence("clerk.over_allowance.more", number=len(counted) - _MAX_UNREAD_LINES_NAMED))
    return [sentence("clerk.over_allowance.commands", number=len(commands), named=join_names(named))]


def _quote_line(line: str, times: int) -> str:
    return sentence("clerk.over_allowance.quoted", line=line, times=times)
