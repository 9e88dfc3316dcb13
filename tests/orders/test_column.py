"""The end of an IF further down is the same whether computed for all lines at once or from each line."""

import re
from collections.abc import Sequence
from random import Random

from orders.reading.condition_blocks import (
    CONDITION_KEYWORD_PATTERN,
    CONDITION_START_PATTERN,
    ENDIF_PATTERN,
    NO_LINES_BELOW,
    PHASE_PATTERN,
    LetterColumn,
    LinesBelow,
)

LINES = (
    *(
        "IF A",
        "IF A THEN",
        "IF A THEN hold",
        "IF A THEN hold ENDIF",
        "IF A, hold",
        "IF A THEN IF B THEN hold",
    ),
    *(
        "ELSE",
        "ELSE IF B THEN",
        "ELSE hold",
        "hold",
        "hold ENDIF",
        "ENDIF",
        "END IF.",
        "ENDIF ENDIF",
        "THEN hold",
    ),
    *("PHASE F1M", "PHASE F1M: IF A THEN hold ENDIF", "else if B, hold ENDIF"),
)


def closes(below: Sequence[str]) -> bool:
    """The same, as one would say it: down the lines, counting the IFs that are open."""
    depth = 0
    for number, text in enumerate(below):
        if PHASE_PATTERN.match(text):
            return False
        if not CONDITION_START_PATTERN.match(text) and not ENDIF_PATTERN.search(text):
            continue
        found = [re.sub(r"\W+", "", word.lower()) for word in CONDITION_KEYWORD_PATTERN.findall(text)]
        opened, ended = found.count("if"), found.count("endif")
        if depth == 0 and (found[0] in ("else", "elseif", "elsif") or ended > opened):
            return True
        whole = found[-1] == "then" and text.rstrip(" .:").lower().endswith("then")
        continued = number + 1 < len(below) and CONDITION_START_PATTERN.match(below[number + 1])
        if opened and not ended and not whole and "then" in found and not continued:
            opened = 0
        depth = max(0, depth + opened - ended)
    return False


def test_all_at_once_is_the_same_as_one_by_one() -> None:
    lot = Random(24)
    for _ in range(2_000):
        texts = [lot.choice(LINES) for _ in range(lot.randint(0, 14))]
        found = LetterColumn(texts).closes
        assert found == [closes(texts[place:]) for place in range(len(texts) + 1)], texts


def test_below_the_last_line_nothing_ends() -> None:
    below = LinesBelow(LetterColumn(["IF A THEN", "ENDIF"]), 0)
    assert [below.past(size).closes for size in (0, 1, 2, 3)] == [False, True, False, False]
    assert (below.lines(1), list(below.past(2).lines(4))) == (["IF A THEN"], [])
    assert not NO_LINES_BELOW.closes
