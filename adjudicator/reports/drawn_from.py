"""Pictures that know what they were drawn from, which is what is kept of them once they went."""

import hashlib
from collections.abc import Iterable

from adjudicator.ledger.letters import Drawn


class Picture(bytes):
    """A PNG. svg: the drawing that it shows; width_px: how wide it was made."""

    svg: str
    width_px: int

    @classmethod
    def of(cls, png: bytes, svg: str, width_px: int) -> "Picture":
        """A PNG with what it was made from."""
        made = cls(png)
        made.svg, made.width_px = svg, width_px
        return made


def sources(values: Iterable[object]) -> tuple[Drawn, ...]:
    """What those of some values were drawn from that are pictures."""
    return tuple(
        Drawn(sha=hashlib.sha256(one).hexdigest(), svg=one.svg, width_px=one.width_px)
        for one in values
        if isinstance(one, Picture)
    )


def width_of(png: bytes) -> int:
    """How wide a PNG is, by its head."""
    return int.from_bytes(png[16:20], "big")
