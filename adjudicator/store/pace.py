"""What has gone to which domain of late, on the books: all who send keep one pace together."""

from adjudicator.clock import DAY, Millis
from adjudicator.settings.places import Rate
from adjudicator.store.database import Database
from adjudicator.store.tables import GoneRow

PACE_LOCK = 0x7475_0006
"""The number under which senders agree who counts."""


def admit(database: Database, domain: str, rate: Rate, now: Millis) -> Millis:
    """How long until one more letter may go to a domain; 0: it may go now, and is counted as gone."""
    here = GoneRow.domain == domain
    with database.writing():
        database.one_by_one(PACE_LOCK)
        # No rate reaches back further than a day.
        past = (here & (GoneRow.at <= now - rate.within)) | (GoneRow.at <= now - DAY)
        database.run(GoneRow.delete().where(past))
        latest = GoneRow.select(GoneRow.at).where(here).order_by(GoneRow.at.desc(), GoneRow.number.desc())
        full = database.first(latest.offset(rate.count - 1))
        if full is not None:
            return int(full.at) + rate.within - now
        database.run(GoneRow.insert(domain=domain, at=now))
    return 0
