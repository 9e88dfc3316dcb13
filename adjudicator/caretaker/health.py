"""How the service fares by its database and its disks: for monitoring. No mail server is spoken to."""

from collections.abc import Iterator

import games
from adjudicator.caretaker.disk_space import disk_space
from adjudicator.caretaker.findings import Finding
from adjudicator.clock import MINUTE, Millis, moment
from adjudicator.house import House
from adjudicator.store import glance, inbox, incidents, meta, outbox, returned
from adjudicator.store.society import broken_offers
from adjudicator.store.stuck import BRING_BACK

LATE: Millis = 15 * MINUTE
"""What has waited so long is not done by itself any more."""

ROUNDS = 10
"""So many polls may fail to come before the service counts as not running."""


def ailments(house: House, now: Millis) -> tuple[Finding, ...]:
    """What is wrong, "bad" first; nothing where all is well. Raises StoreFault."""
    with house.database.session():
        found = [*_disk(house), *_post(house, now), *_letters(house, now), *_games(house, now)]
    return tuple(sorted(found, key=lambda one: one.grade != "bad"))


def _disk(house: House) -> Iterator[Finding]:
    return (one for one in disk_space(house) if one.grade != "good")


def _post(house: House, now: Millis) -> Iterator[Finding]:
    last, patience = meta.last_poll(house.database), max(LATE, ROUNDS * house.settings.poll)
    if last is None or now - last > patience:
        when = f"since {moment(last, house.office.zone):%Y-%m-%d %H:%M}" if last else "ever"
        said = f"the mailbox was not looked through {when}"
        yield Finding("mailbox", "bad", said, "see that gm serve runs, and gm doctor")
    for trouble in incidents.present(house.database):
        if (channel := incidents.channel_of(trouble.name)) is not None:
            said = f"{channel} does not take posts: {trouble.why}"
            yield Finding("channels", "odd", said, f"gm channel test {channel}")
            continue
        yield Finding("trouble", "bad", f"no {trouble.name}: {trouble.why}", "gm doctor  says what to do")


def _letters(house: House, now: Millis) -> Iterator[Finding]:
    waiting = [one for one in inbox.unhandled(house.database, limit=1) if now - one.received > LATE]
    if waiting and (last := meta.last_poll(house.database)) is not None and now - last > LATE:
        yield Finding(
            "letters in", "bad", f"letter {waiting[0].number} is not read", "see that gm serve runs"
        )
    counts = inbox.counts(house.database)
    if counts["quarantined"]:
        said = f"set aside, for you to look at: {counts['quarantined']}"
        yield Finding("letters in", "odd", said, "gm mail list --only quarantined")
    if (late := outbox.put_off(house.database, created_by=now - LATE - 1)) is not None:
        yield Finding("letters out", "odd", f"put off: {late.count}; last: {late.why}", "gm mail list --out")
    for one in returned.dead(house.database):
        yield Finding("letters out", "odd", f"nothing is sent to {one.address}: {one.why}", "gm mail revive")


def _games(house: House, now: Millis) -> Iterator[Finding]:
    for name, why in broken_offers(house.database).items():
        yield Finding("games", "odd", f"{name}, which waits for people, cannot begin: {why}", BRING_BACK)
    held = glance.suspects(house.database, games.kinds())
    for name in held:
        if (stuck := house.books.stuck(name)) is not None:
            yield Finding("games", "bad", f"{name} is held: {stuck.why}", stuck.instead)
    for name, deadline in glance.overdue(house.database, now - LATE).items():
        if name not in held:
            since = f"{moment(deadline, house.office.zone):%Y-%m-%d %H:%M}"
            said = f"{name} is not played, though its deadline was {since}"
            yield Finding("games", "bad", said, "gm status")
    for name, seat in glance.lost(house.database):
        if name not in held:
            said = f"letters to {seat} in {name} come back"
            yield Finding("games", "odd", said, f"gm seat show {name} {seat}")
