"""What of a letter was beyond its allowance, named to whoever wrote it."""

from collections import Counter
from collections.abc import Sequence

from adjudicator.clerk.commands.case import listed
from adjudicator.reports.shortening import cut
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
    ends = (f"Your letter has {listed(cut_off)}, quotations included: what stands behind is not looked at.",)
    left = [*_lines(reading.beyond), *_commands(reading.unheard)]
    if not left:
        return ends if cut_off else ()
    return (
        *(ends if cut_off else ()),
        f"Of a letter {MOST_LINES} lines and {MOST_COMMANDS} commands count, in all its parts together, and "
        f"only so much that is hard to read. Left out: {listed(left)}. Send that in a letter of its own.",
    )


def _lines(texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    named = [f'"{cut(text, _LONGEST)}"' for text in texts[:_NAMED]]
    if len(texts) > _NAMED:
        named.append(f'so on to "{cut(texts[-1], _LONGEST)}"')
    lines = "one line" if len(texts) == 1 else f"{len(texts):,} lines"
    return [f"{lines} ({listed(named)})"]


def _commands(commands: Sequence[Command]) -> list[str]:
    if not commands:
        return []
    counted = Counter(cut(command.line, _LONGEST) for command in commands)
    named = [f'"{line}"' + (f" {count} times" if count > 1 else "") for line, count in counted.items()]
    others = [f"{len(named) - _NAMED} more"] if len(named) > _NAMED else []
    count = "one command" if len(commands) == 1 else f"{len(commands):,} commands"
    return [f"{count} ({listed([*named[:_NAMED], *others])})"]
