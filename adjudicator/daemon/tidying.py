"""Periodic clean-up: it deletes the bytes of letters that [keep] no longer keeps."""

import logging

from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.messages import sentence
from adjudicator.service import Service
from adjudicator.storage import drawings, metadata, pruning

TIDY_INTERVAL: Millis = DAY
TIDY_CHECK_SECONDS = HOUR // 1000
"""So often it is looked whether a day is over."""

log = logging.getLogger(__name__)


def tidy(house: Service) -> int:
    """Forget what need not be kept, if that was not done within a day. Returns of how many letters.

    Of pictures that went a day ago the drawing is kept alone.
    """
    keep, now = house.settings.keep, house.clock.now()
    last = metadata.last_tidied(house.database)
    if last is not None and now - last < TIDY_INTERVAL:
        return 0
    with house.database.session():
        before = None if keep.letters is None else now - keep.letters
        count = 0 if before is None else pruning.prune(house.database, before, pictures=keep.pictures)
        drawings.press(house.database, now - TIDY_INTERVAL)
        metadata.note_tidied(house.database, now)
    if count:
        log.info(sentence("house.tidying.forgotten", letters=count))
    return count
