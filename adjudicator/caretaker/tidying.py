"""What is tidied up now and then: the bytes of letters that are kept no longer, as [keep] says."""

import logging

from adjudicator.catalogue import sentence
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.house import House
from adjudicator.store import drawings, meta, pruning

EVERY: Millis = DAY
LOOK_SECONDS = HOUR // 1000
"""So often it is looked whether a day is over."""

log = logging.getLogger(__name__)


def tidy(house: House) -> int:
    """Forget what need not be kept, if that was not done within a day. Returns of how many letters.

    Of pictures that went a day ago the drawing is kept alone.
    """
    keep, now = house.settings.keep, house.clock.now()
    last = meta.last_tidied(house.database)
    if last is not None and now - last < EVERY:
        return 0
    with house.database.session():
        before = None if keep.letters is None else now - keep.letters
        count = 0 if before is None else pruning.prune(house.database, before, pictures=keep.pictures)
        drawings.press(house.database, now - EVERY)
        meta.note_tidied(house.database, now)
    if count:
        log.info(sentence("house.tidying.forgotten", letters=count))
    return count
