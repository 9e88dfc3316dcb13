"""The draughtsman: draws the pictures that were left to be drawn when their letters go.

A turn that is played by hand waits for no picture: whoever sends its reports has them drawn first.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from adjudicator.catalogue import sentence
from adjudicator.reports import picture
from adjudicator.store import parts

if TYPE_CHECKING:
    from adjudicator.ledger.letters import Drawn
    from adjudicator.store.database import Database

log = logging.getLogger(__name__)

BLANK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 20"></svg>'
"""What is shown instead of what cannot be drawn."""


def draw_all(database: Database) -> int:
    """Draw what letters on their way wait for. Returns how many pictures. No transaction may be open."""
    waiting = parts.undrawn(database)
    for one in waiting:
        parts.draw(database, one, _drawn(one))
    return len(waiting)


def _drawn(one: Drawn) -> bytes:
    """A picture. A letter never waits for a drawing: an empty one if it fails."""
    try:
        return picture.drawn(one.svg, one.width_px)
    except Exception:  # logged; the text is complete without it
        log.exception(sentence("secretary.draughtsman.no_picture"))
        return picture.drawn(BLANK, one.width_px)
