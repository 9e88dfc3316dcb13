"""Feeds letters to the reader that were found by watching which branches they reach: a program of its own.

Started by the soak tests; needs atheris (the extra ``fuzz``).
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))
with atheris.instrument_imports(include=["orders"]):
    from orders.mail.body import fresh_lines
    from orders.mail.letter import fingerprint, open_letter
    from orders.reading.letter_reader import read_lines
    from tests.orders.plain import BOOK

SHEET = ("W MHK H", "W ONE H", "W ONO H", "W SEN H")


def one_letter(raw: bytes) -> None:
    """The whole way of a letter; whatever is wrong raises."""
    letter = open_letter(raw)
    assert len(fingerprint(raw)) == 64
    assert not any(defect.startswith("unreadable") for defect in letter.defects), letter.defects
    read_lines(fresh_lines(letter, SHEET), BOOK)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_letter)
    atheris.Fuzz()
