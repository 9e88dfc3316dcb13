"""The letters that have gone to each domain of late: all senders share one rate limit, in the database."""

from adjudicator.clock import DAY, Millis
from adjudicator.config.servers import Rate
from adjudicator.storage.database import Database
from adjudicator.storage.tables import GoneRow

PACE_LOCK = 0x7475_0006
"""The number under which senders agree who counts."""


def admit(database: Database, domain: str, rate: Rate, now: Millis) -> Millis:
    """Return how long one more letter to a domain has to wait; 0: it may go now, and is counted as gone."""
    here = GoneRow.domain == domain
    with database.writing():
        database.wait_for_lock(PACE_LOCK)
        # No rate reaches back further than a day.
        past = (here & (GoneRow.at <= now - rate.within)) | (GoneRow.at <= now - DAY)
        database.run(GoneRow.delete().where(past))
        latest = GoneRow.select(GoneRow.at).where(here).order_by(GoneRow.at.desc(), GoneRow.number.desc())
        full = database.first(latest.offset(rate.count - 1))
        if full is not None:
            return int(full.at) + rate.within - now
        database.run(GoneRow.insert(domain=domain, at=now))
    return 0
