"""A program that feeds the reader with emails chosen by the branches that they reach.

The soak tests start it. It needs atheris (the extra ``fuzz``).
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
    """Process an email completely. Any error raises."""
    letter = open_letter(raw)
    assert len(fingerprint(raw)) == 64
    assert not any(defect.startswith("unreadable") for defect in letter.defects), letter.defects
    read_lines(fresh_lines(letter, SHEET), BOOK)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_letter)
    atheris.Fuzz()
