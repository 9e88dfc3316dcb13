"""The lines of one source of a letter, one below the other, and where what an IF opened ends."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

KEYWORD = re.compile(r"\b(else\W+if|elseif|elsif|if|then|else|end ?if)\b", re.IGNORECASE)
"""The words by which an IF is built."""

OPENS = re.compile(r"^(?:if|else|elseif|elsif|then|end ?if)\b", re.IGNORECASE)
ENDS = re.compile(r"\bend ?if\W*$", re.IGNORECASE)
PHASE = re.compile(r"^phase\b[\s:]*", re.IGNORECASE)
"""How a line begins that says something of an IF; how one ends that ends it; how one begins that ends all."""


class _Bend(NamedTuple):
    """What a line does to the IFs that are open: by how many there are more; else_: it goes on in one."""

    more: int
    else_: bool


class Column:
    """Lines of one source, tidy and without bullets."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    @cached_property
    def closes(self) -> list[bool]:
        """By the place of a line: whether there or below comes an ELSE or an ENDIF of an IF that is open."""
        bends = [self._bend(place) for place in range(len(self.texts))]
        depths = [0]
        for bend in bends:
            depths.append(depths[-1] + (bend.more if bend else 0))
        answers = [False] * (len(self.texts) + 1)
        # Of the places below, those at which fewer IFs are open than at any between; the nearest last.
        lower = [len(self.texts)]
        phase = len(self.texts)
        for place in range(len(self.texts) - 1, -1, -1):
            while lower and depths[lower[-1]] > depths[place]:
                lower.pop()
            bend = bends[place]
            if PHASE.match(self.texts[place]):
                phase = place
            elif bend is None or (bend.more == 0 and not bend.else_):
                answers[place] = answers[place + 1]
            elif bend.else_ or bend.more < 0:
                answers[place] = True
            elif lower and lower[-1] <= phase:
                answers[place] = answers[lower[-1]]
            lower.append(place)
        return answers

    def _bend(self, place: int) -> _Bend | None:
        text = self.texts[place]
        if not OPENS.match(text) and not ENDS.search(text):
            return None
        found = [re.sub(r"\W+", "", word.lower()) for word in KEYWORD.findall(text)]
        opened, ended = found.count("if"), found.count("endif")
        else_ = found[0] in ("else", "elseif", "elsif")
        whole = found[-1] == "then" and text.rstrip(" .:").lower().endswith("then")
        continued = OPENS.match(self.texts[place + 1]) if place + 1 < len(self.texts) else None
        if ended <= opened and opened and not ended and not whole and "then" in found and not continued:
            opened = 0
        return _Bend(opened - ended, else_)


class Below(NamedTuple):
    """What stands from a place of a column on."""

    column: Column
    at: int

    def lines(self, count: int) -> Sequence[str]:
        """The first so many lines, or all there are."""
        return self.column.texts[self.at : self.at + count]

    def past(self, count: int) -> "Below":
        """What stands behind so many of them."""
        return Below(self.column, min(self.at + count, len(self.column.texts)))

    @property
    def closes(self) -> bool:
        """Whether an ELSE or an ENDIF of the innermost IF that is open stands there."""
        return self.column.closes[self.at]


NOTHING = Below(Column(()), 0)
"""No line."""
