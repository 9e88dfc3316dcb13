"""What of a letter was beyond its allowance, named to whoever wrote it."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from adjudicator.catalogue import sentence
from adjudicator.reports.shortening import cut
from adjudicator.reports.times import listed
from orders.allowance import MOST_COMMANDS, MOST_LINES
from orders.commands import Command
from orders.letters.letter import Letter
from orders.parsing.reading import Reading

_CUT = "more than"
"""How the defects of a letter begin that come of its length."""

_NAMED, _LONGEST = 5, 60
"""So many lines are named by their words, and by so many signs of these."""


def told_over_allowance(reading: Reading, letter: Letter | None = None) -> tuple[str, ...]:
    """Sentences on the lines that were not read and the commands that were not obeyed; none mostly.

    letter: in which they stood, if it was one; it may be longer than what is looked at.
    """
    cut_off = [one for one in letter.defects if one.startswith(_CUT)] if letter else []
    ends = (sentence("clerk.over_allowance.cut_off", defects=listed(cut_off)),) if cut_off else ()
    left = [*_lines(reading.beyond), *_commands(reading.unheard)]
    if not left:
        return ends
    return (
        *ends,
        sentence(
            "clerk.over_allowance.left_out", lines=MOST_LINES, commands=MOST_COMMANDS, left=listed(left)
        ),
    )


def _lines(texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    named = [_quoted(cut(text, _LONGEST), 1) for text in texts[:_NAMED]]
    if len(texts) > _NAMED:
        named.append(sentence("clerk.over_allowance.so_on", line=cut(texts[-1], _LONGEST)))
    return [sentence("clerk.over_allowance.lines", number=len(texts), named=listed(named))]


def _commands(commands: Sequence[Command]) -> list[str]:
    if not commands:
        return []
    counted = Counter(cut(command.line, _LONGEST) for command in commands)
    named = [_quoted(line, count) for line, count in islice(counted.items(), _NAMED)]
    if len(counted) > _NAMED:
        named.append(sentence("clerk.over_allowance.more", number=len(counted) - _NAMED))
    return [sentence("clerk.over_allowance.commands", number=len(commands), named=listed(named))]


def _quoted(line: str, times: int) -> str:
    return sentence("clerk.over_allowance.quoted", line=line, times=times)
