"""What headers of letters are made of: text that cannot begin another header."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class HeaderText(str):
    """Text of one row: no line ends, no NUL, nothing else that is not to be seen.

    Raises ValueError for what would not be: whoever made it has to know better.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "HeaderText":
        if text.isprintable():  # nearly all is, and that is found out in a tenth of the time
            return super().__new__(cls, text)
        if _CONTROL.search(text):
            raise ValueError(f"no header can hold {text[:60]!r}")
        return super().__new__(cls, text)

    @classmethod
    def cleaned(cls, text: str) -> "HeaderText":
        """What somebody wrote, with a blank for everything that no header can hold."""
        return cls(" ".join(_CONTROL.sub(" ", text).split()))
