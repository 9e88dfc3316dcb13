"""Limits of the texts and numbers of a document: types that its reader and its schema share."""

from typing import Annotated

from games.protocol import Seat
from games.record import Bounds


def _fullmatch_bounds(pattern: str) -> Bounds:
    # Where Python's $ would let a line end pass, other readers of a schema do not know its \Z.
    return Bounds(pattern=rf"^(?:{pattern})$(?!\n)")


_CONTROL_RANGES = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_LINE_BOUNDS = Bounds(max_length=200, pattern=rf"^[^{_CONTROL_RANGES}]*$(?!\n)")

Line = Annotated[str, _LINE_BOUNDS]
"""A name or a few words: neither line ends nor anything else that is not to be seen."""

SeatName = Annotated[Seat, _LINE_BOUNDS]
"""A seat, as a line."""

Text = Annotated[str, Bounds(max_length=1_000_000, pattern=r"^[^\x00]*$")]
"""What people write, of any number of lines."""

GameName = Annotated[str, _fullmatch_bounds("[a-z0-9-]{1,20}")]
Address = Annotated[str, _fullmatch_bounds(rf'[^{_CONTROL_RANGES} <>"(),:;@\\]{{1,64}}@[a-z0-9.-]{{1,253}}')]
"""A mail address by its looks; `signs.addresses` knows more."""

SealedPassword = Annotated[
    str,
    _fullmatch_bounds(
        r"scrypt\$[1-9][0-9]{0,5}\$[1-9][0-9]?\$[1-9]\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}="
    ),
]
"""A password as `signs.passwords` keeps it."""

Sha = Annotated[str, _fullmatch_bounds("[0-9a-f]{64}")]
ShaOrNone = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{64})?")]
Salt = Annotated[str, _fullmatch_bounds("[0-9a-f]{32}")]
Secret = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{2}){8,64}")]
"""A secret of dice in hexadecimal."""

Count = Annotated[int, Bounds(ge=0, le=1_000_000_000)]
Instant = Annotated[int, Bounds(ge=0, le=32_503_680_000_000)]
"""Milliseconds UTC, before the year 3000."""

Span = Annotated[int, Bounds(ge=-32_503_680_000_000, le=32_503_680_000_000)]
"""A length of time in milliseconds."""
