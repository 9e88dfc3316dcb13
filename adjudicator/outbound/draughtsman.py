"""Deferred drawing: pictures that are drawn when their letters go.

A turn that is processed by hand waits for no picture: the sender of its reports has them drawn first.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from adjudicator.messages import sentence
from adjudicator.reports import picture
from adjudicator.storage import attachments

if TYPE_CHECKING:
    from adjudicator.model.mail import PictureSource
    from adjudicator.storage.database import Database

log = logging.getLogger(__name__)

BLANK_PICTURE_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 20"></svg>'
"""What is shown instead of what cannot be drawn."""


def draw_pending(database: Database) -> int:
    """Draw what letters on their way wait for. Returns how many pictures. No transaction may be open."""
    waiting = attachments.pending_pictures(database)
    for source in waiting:
        attachments.draw(database, source, _draw(source))
    return len(waiting)


def _draw(source: PictureSource) -> bytes:
    """Draw a picture. A letter never waits for a drawing: an empty one if it fails."""
    try:
        return picture.map_picture(source.svg, source.width_px)
    except Exception:  # logged; the text is complete without it
        log.exception(sentence("secretary.draughtsman.no_picture"))
        return picture.map_picture(BLANK_PICTURE_SVG, source.width_px)
