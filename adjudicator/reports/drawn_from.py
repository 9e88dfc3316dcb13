"""Pictures that know what they were drawn from, or are still to be drawn from.

What it was drawn from is what is kept of a picture once its letter went. One that nobody needs before that is
drawn when the letter goes.
"""

import hashlib
from collections.abc import Iterable

from adjudicator.model.mail import PENDING_PICTURE_PLACEHOLDER, PENDING_PICTURE_PREFIX, PictureSource

ASSUMED_BOARD_BYTES = 50_000
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
        """The SHA-256 of the PNG, under which it is stored."""
        return hashlib.sha256(self).hexdigest()


class DeferredPicture(Picture):
    """A stand-in for a PNG that is drawn later, when its letter goes."""

    @classmethod
    def from_svg(cls, svg: str, width_px: int) -> "DeferredPicture":
        """The picture of a drawing, to be drawn later."""
        name = PENDING_PICTURE_PREFIX + hashlib.sha256(f"{width_px} {svg}".encode()).hexdigest()
        made = cls(PENDING_PICTURE_PLACEHOLDER + name.encode())
        made.svg, made.width_px = svg, width_px
        return made

    @property
    def name(self) -> str:
        """The name under which the picture is stored until it is drawn."""
        return self[len(PENDING_PICTURE_PLACEHOLDER) :].decode()


def sources(values: Iterable[object]) -> tuple[PictureSource, ...]:
    """Return the sources of those of some values that are pictures."""
    return tuple(
        PictureSource(sha=picture.name, svg=picture.svg, width_px=picture.width_px)
        for picture in values
        if isinstance(picture, Picture)
    )


def width_of(png: bytes) -> int:
    """Return the width of a PNG in pixels, read from its header."""
    return png.width_px if isinstance(png, DeferredPicture) else int.from_bytes(png[16:20], "big")


def weight_of(png: bytes) -> int:
    """The bytes of a PNG."""
    return min(ASSUMED_BOARD_BYTES, len(png.svg)) if isinstance(png, DeferredPicture) else len(png)
