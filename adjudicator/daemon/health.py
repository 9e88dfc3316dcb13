"""Health checks by database and disks alone, for monitoring. They speak to no mail server."""

from collections.abc import Iterator

import games
from adjudicator.clock import MINUTE, Millis, datetime_of
from adjudicator.daemon.disk_space import disk_space
from adjudicator.daemon.findings import Finding
from adjudicator.service import Service
from adjudicator.storage import bounces, glance, inbox, incidents, metadata, outbox
from adjudicator.storage.held_games import BRING_BACK
from adjudicator.storage.society import broken_offers

LATE: Millis = 15 * MINUTE
"""What has waited so long is not done by itself any more."""

MAX_MISSED_POLLS = 10
"""So many polls may fail to come before the service counts as not running."""


def problems(house: Service, now: Millis) -> tuple[Finding, ...]:
    """Return what is wrong, "bad" first; nothing where all is well. Raises StoreFault."""
    with house.database.session():
        findings = [*_disk(house), *_post(house, now), *_letters(house, now), *_games(house, now)]
    return tuple(sorted(findings, key=lambda finding: finding.grade != "bad"))


def _disk(house: Service) -> Iterator[Finding]:
    return (finding for finding in disk_space(house) if finding.grade != "good")


def _post(house: Service, now: Millis) -> Iterator[Finding]:
    last, patience = metadata.last_poll(house.database), max(LATE, MAX_MISSED_POLLS * house.settings.poll)
    if last is None or now - last > patience:
        when = f"since {datetime_of(last, house.office.zone):%Y-%m-%d %H:%M}" if last else "ever"
        text = f"the mailbox was not looked through {when}"
        yield Finding("mailbox", "bad", text, "see that gm serve runs, and gm doctor")
    for trouble in incidents.current_incidents(house.database):
        if (channel := incidents.channel_of(trouble.name)) is not None:
            text = f"{channel} does not take posts: {trouble.why}"
            yield Finding("channels", "odd", text, f"gm channel test {channel}")
            continue
        yield Finding("trouble", "bad", f"no {trouble.name}: {trouble.why}", "gm doctor  says what to do")


def _letters(house: Service, now: Millis) -> Iterator[Finding]:
    waiting = [
        letter for letter in inbox.waiting_letters(house.database, limit=1) if now - letter.received > LATE
    ]
    if waiting and (last := metadata.last_poll(house.database)) is not None and now - last > LATE:
        yield Finding(
            "letters in", "bad", f"letter {waiting[0].number} is not read", "see that gm serve runs"
        )
    counts = inbox.counts(house.database)
    if counts["quarantined"]:
        text = f"set aside, for you to look at: {counts['quarantined']}"
        yield Finding("letters in", "odd", text, "gm mail list --only quarantined")
    if (late := outbox.put_off(house.database, created_by=now - LATE - 1)) is not None:
        yield Finding("letters out", "odd", f"put off: {late.count}; last: {late.why}", "gm mail list --out")
    for dead_address in bounces.disabled_addresses(house.database):
        yield Finding(
            "letters out",
            "odd",
            f"nothing is sent to {dead_address.address}: {dead_address.why}",
            "gm mail revive",
        )


def _games(house: Service, now: Millis) -> Iterator[Finding]:
    for name, why in broken_offers(house.database).items():
        yield Finding("games", "odd", f"{name}, which waits for people, cannot begin: {why}", BRING_BACK)
    held = glance.suspects(house.database, games.kinds())
    for name in held:
        if (stuck := house.books.suspension(name)) is not None:
            yield Finding("games", "bad", f"{name} is held: {stuck.why}", stuck.instead)
    for name, deadline in glance.overdue(house.database, now - LATE).items():
        if name not in held:
            since = f"{datetime_of(deadline, house.office.zone):%Y-%m-%d %H:%M}"
            text = f"{name} is not played, though its deadline was {since}"
            yield Finding("games", "bad", text, "gm status")
    for name, seat in glance.unreachable_seats(house.database):
        if name not in held:
            text = f"letters to {seat} in {name} come back"
            yield Finding("games", "odd", text, f"gm seat show {name} {seat}")
