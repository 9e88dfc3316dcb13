"""The parts that forms of orders share, and the numbered slots in them.

The line of a Round has a sign before each card except the first. ``+`` is a link and ``>`` a target.
``LEADS`` and commas are before the cards that a leader leads, and ``WITH`` is before the card that lets it
lead more. ``AS WILD`` makes a Joker a link.
"""

from collections.abc import Iterator, Mapping
from itertools import count

from games.protocol import Form

MAX_STEPS = 19
"""The number of signs with cards after the first card of a line: ten cards, each with a target."""

CARD = "card|code"
FIRST_CARD = f"{{c0:{CARD}}}"
ROLE = "{role:role} [{round:round}] [:]"
WITH = "(with|by|using)"


def make_forms(name: str, example: str, *patterns: str) -> tuple[Form, ...]:
    """Return the forms of one name and one example."""
    return tuple(Form(name=name, pattern=pattern, example=example) for pattern in patterns)


def steps_pattern(least: int, most: int) -> str:
    """Return the pattern of signs, each with a card. Those after the least number are optional."""
    pattern = " ".join(map(_step_pattern, range(1, 1 + least)))
    more = ""
    for number in reversed(range(1 + least, 1 + most)):
        more = f"[{_step_pattern(number)} {more}]"
    return f"{pattern} {more}".strip()


def _step_pattern(number: int) -> str:
    return f"{{s{number}:sign}} {{c{number}:card|code|word}}"


def numbered(slots: Mapping[str, str], *names: str, first: int = 0) -> Iterator[tuple[str, ...]]:
    """Yield the values of the slots with each number: c0 and t0, c1 and t1, and so on."""
    for number in count(first):
        if f"{names[0]}{number}" not in slots:
            return
        yield tuple(slots[f"{name}{number}"] for name in names)
