"""The lines of one source of a letter, one below the other, and where what an IF opened ends."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

CONDITION_KEYWORD_PATTERN = re.compile(r"\b(else\W+if|elseif|elsif|if|then|else|end ?if)\b", re.IGNORECASE)
"""The words by which an IF is built."""

CONDITION_START_PATTERN = re.compile(r"^(?:if|else|elseif|elsif|then|end ?if)\b", re.IGNORECASE)
ENDIF_PATTERN = re.compile(r"\bend ?if\W*$", re.IGNORECASE)
PHASE_PATTERN = re.compile(r"^phase\b[\s:]*", re.IGNORECASE)
"""How a line begins that says something of an IF; how one ends that ends it; how one begins that ends all."""


class _Bend(NamedTuple):
    """The effect of a line on open IFs: by how many there are more; else_: it goes on in one."""

    more: int
    else_: bool


class LetterColumn:
    """Lines of one source, tidy and without bullets."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    @cached_property
    def closes(self) -> list[bool]:
        """Return, by line, whether there or below comes an ELSE or an ENDIF of an IF that is open."""
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
            if PHASE_PATTERN.match(self.texts[place]):
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
        if not CONDITION_START_PATTERN.match(text) and not ENDIF_PATTERN.search(text):
            return None
        keywords = [re.sub(r"\W+", "", word.lower()) for word in CONDITION_KEYWORD_PATTERN.findall(text)]
        opened, ended = keywords.count("if"), keywords.count("endif")
        else_ = keywords[0] in ("else", "elseif", "elsif")
        whole = keywords[-1] == "then" and text.rstrip(" .:").lower().endswith("then")
        continued = (
            CONDITION_START_PATTERN.match(self.texts[place + 1]) if place + 1 < len(self.texts) else None
        )
        if ended <= opened and opened and not ended and not whole and "then" in keywords and not continued:
            opened = 0
        return _Bend(opened - ended, else_)


class LinesBelow(NamedTuple):
    """The lines from a place of a column on."""

    column: LetterColumn
    at: int

    def lines(self, count: int) -> Sequence[str]:
        """The first so many lines, or all there are."""
        return self.column.texts[self.at : self.at + count]

    def past(self, count: int) -> "LinesBelow":
        """Return the lines behind so many of them."""
        return LinesBelow(self.column, min(self.at + count, len(self.column.texts)))

    @property
    def closes(self) -> bool:
        """Return whether an ELSE or an ENDIF of the innermost IF that is open stands there."""
        return self.column.closes[self.at]


NO_LINES_BELOW = LinesBelow(LetterColumn(()), 0)
"""No line."""
