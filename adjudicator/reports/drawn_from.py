"""Pictures that know what they were drawn from, or are still to be drawn from.

What it was drawn from is what is kept of a picture once its letter went. One that nobody needs before that is
drawn when the letter goes.
"""

import hashlib
from collections.abc import Iterable

from adjudicator.ledger.letters import UNDRAWN, UNDRAWN_NAMES, Drawn

USUAL_BYTES = 50_000
"""What a board that is still to be drawn is taken to weigh; a chart less, as much as its drawing."""


class Picture(bytes):
    """A PNG. svg: the drawing that it shows; width_px: how wide it was made; name: its SHA-256."""

    svg: str
    width_px: int

    @classmethod
    def of(cls, png: bytes, svg: str, width_px: int) -> "Picture":
        """A PNG with what it was made from."""
        made = cls(png)
        made.svg, made.width_px = svg, width_px
        return made

    @property
    def name(self) -> str:
        """By which it is kept."""
        return hashlib.sha256(self).hexdigest()


class Undrawn(Picture):
    """What stands for a PNG until it is drawn."""

    @classmethod
    def from_svg(cls, svg: str, width_px: int) -> "Undrawn":
        """The picture of a drawing, to be drawn later."""
        name = UNDRAWN_NAMES + hashlib.sha256(f"{width_px} {svg}".encode()).hexdigest()
        made = cls(UNDRAWN + name.encode())
        made.svg, made.width_px = svg, width_px
        return made

    @property
    def name(self) -> str:
        """By which it is kept until then."""
        return self[len(UNDRAWN) :].decode()


def sources(values: Iterable[object]) -> tuple[Drawn, ...]:
    """What those of some values were drawn from that are pictures."""
    return tuple(
        Drawn(sha=one.name, svg=one.svg, width_px=one.width_px) for one in values if isinstance(one, Picture)
    )


def width_of(png: bytes) -> int:
    """How wide a PNG is, by its head."""
    return png.width_px if isinstance(png, Undrawn) else int.from_bytes(png[16:20], "big")


def weight_of(png: bytes) -> int:
    """The bytes of a PNG."""
    return min(USUAL_BYTES, len(png.svg)) if isinstance(png, Undrawn) else len(png)
