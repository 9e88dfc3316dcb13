"""Text for the headers of letters: it cannot begin another header."""

import re
from collections.abc import Iterable

_CONTROL_CHARS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def check(texts: Iterable[str]) -> None:
    """Raises ValueError for one of some texts that no header can hold."""
    for text in texts:
        # Nearly all can be printed, and that is found out in a tenth of the time.
        if not text.isprintable() and _CONTROL_CHARS.search(text):
            raise ValueError(f"no header can hold {text[:60]!r}")


class HeaderText(str):
    """Text of one row: no line ends, no NUL, nothing else that is not to be seen.

    Raises ValueError for what would not be: whoever made it has to know better.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "HeaderText":
        check((text,))
        return super().__new__(cls, text)

    @classmethod
    def clean(cls, text: str) -> "HeaderText":
        """Return a text with a blank for everything that no header can hold."""
        return cls(" ".join(_CONTROL_CHARS.sub(" ", text).split()))
