"""Words that put the orders after them under a condition or into another phase. Such orders are not taken."""

import re
from typing import NamedTuple


class Fence(NamedTuple):
    """A word that governs what follows it, what ends that, and what to tell the player."""

    name: str
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    problem: str

    def closes(self, text: str) -> bool:
        """Whether what was governed ends with this line."""
        return bool(self.closing.search(text))


_NEVER = re.compile(r"(?!)")

FENCES: tuple[Fence, ...] = (
    Fence(
        "IF",
        re.compile(
            r"^IF\b(?!.*\b(?:I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)\b)|^(?:ELSE|ENDIF)|^if\b.*\bthen\W*$"
        ),
        re.compile(r"\bend ?if\W*$", re.IGNORECASE),
        "orders under a condition are not taken; write the order alone",
    ),
    Fence(
        "PHASE",
        re.compile(r"^PHASE\b|^[Pp]hase (?:[sfuw]\d+[mra]$|spring|summer|fall|autumn|winter)"),
        _NEVER,
        "orders for a later turn are not taken; send them when that turn is due",
    ),
)


_CONDITIONAL = re.compile(r"^(?:if|when|unless)\b.+?(?:,|\bthen\b|:)\s*(?:then\b)?\s*(.+)$", re.IGNORECASE)


def conditional(text: str) -> str | None:
    """What follows the condition of a one-line "if ..., ...", None for any other line."""
    match = _CONDITIONAL.match(text)
    return match[1] if match else None


_HANGING = re.compile(r"^(?:if|when|unless|in case)\b|\b(?:if|unless|or|not)\W*$|,$", re.IGNORECASE)


def hangs(text: str) -> bool:
    """Whether a line of talk wants an end that may stand on the next line."""
    return bool(_HANGING.search(text))


def fence_of(text: str) -> Fence | None:
    """The fence that a tidy line opens or continues, or None."""
    return next((fence for fence in FENCES if fence.opening.search(text)), None)
