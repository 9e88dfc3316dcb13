"""Counters for Prometheus, read from the database on request. On loopback, if configured."""

import errno
from collections.abc import Iterator

from prometheus_client import start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry

import games
from adjudicator.clock import MINUTE, Millis, datetime_of
from adjudicator.config.servers import Listen
from adjudicator.daemon.environment import MAIL_ROUTES, Finding, disk_space
from adjudicator.errors import PostFault
from adjudicator.model.mail import WAITING
from adjudicator.service import Service
from adjudicator.storage import bounces, inbox, metadata, outbox, queries, stored_games, workers
from adjudicator.storage.due_games import BRING_BACK
from adjudicator.storage.queries import broken_offers

WORKERS_A_MACHINE = 16
"""The number of ports to try if several workers can run on one machine."""


class ServiceMetrics(Collector):
    """The counters of a service, read from its database. Raises StoreFault if they can't be read."""

    def __init__(self, service: Service) -> None:
        self._house = service

    def collect(self) -> Iterator[Metric]:
        """Yield every counter with its description."""
        service = self._house
        with service.database.session():
            now = service.clock.now()
            yield from self._letters()
            yield from self._games()
            last = metadata.last_poll(service.database)
            age = float("nan") if last is None else (now - last) / 1000
            yield _gauge("seconds_since_poll", "Seconds since the last poll of the mailbox.", age)
            count = len(workers.current_incidents(service.database))
            yield _gauge("troubles", "Mail routes, in or out, that don't work.", count)
            bad = [finding for finding in problems(service, now) if finding.grade == "bad"]
            yield _gauge("ailments", "Critical findings of gm status --check.", len(bad))

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the names are known without the database."""
        return iter(())

    def _letters(self) -> Iterator[Metric]:
        database = self._house.database
        counts_in, counts_out = inbox.counts(database), outbox.counts(database)
        done = {state: counts_in[state] for state in counts_in if state != WAITING}
        yield _labelled_metric("letters_in", "Incoming emails, by the decision on them.", "decided", done)
        yield _gauge("letters_waiting", "Emails that wait to be read.", counts_in[WAITING])
        ends = {state: counts_out[state] for state in ("sent", "failed")}
        yield _labelled_metric("letters_out", "Outgoing emails that were sent or failed.", "state", ends)
        open_ = {state: counts_out[state] for state in counts_out if state not in ends}
        yield _labelled_metric(
            "letters_to_send", "Outgoing emails that are still to be sent.", "state", open_, counts=False
        )
        dead = len(bounces.disabled_addresses(database))
        yield _gauge("dead_addresses", "Disabled addresses.", dead)

    def _games(self) -> Iterator[Metric]:
        database = self._house.database
        yield _gauge("games_running", "Running games.", queries.running(database))
        entries = stored_games.entries_by_kind(database)
        yield _labelled_metric(
            "log_entries", "Entries of all games' logs, by the kind of game.", "kind", entries
        )


class Endpoint:
    """A page of counters for Prometheus, at ``http://HOST:PORT/metrics``, in its own thread."""

    def __init__(self, service: Service, at: Listen) -> None:
        """Listen, or if there can be several workers, on the next free port.

        Raises PostFault if none is free.
        """
        registry = CollectorRegistry()
        registry.register(ServiceMetrics(service))
        last = at.port + (WORKERS_A_MACHINE - 1 if at.port and service.database.is_shared else 0)
        for port in range(at.port, last + 1):
            try:
                self._server, self._thread = start_http_server(port, at.host, registry)
                return
            except OSError as fault:
                if port == last or fault.errno != errno.EADDRINUSE:
                    raise PostFault(f"[metrics] listen on {at.host}:{port}", str(fault)) from fault

    @property
    def port(self) -> int:
        """Return the port."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"turnpost_{name}", says, value)


def _labelled_metric(name: str, says: str, label: str, values: dict[str, int], counts: bool = True) -> Metric:
    family = CounterMetricFamily if counts else GaugeMetricFamily
    metric = family(f"turnpost_{name}", says, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric


# Health checks for monitoring that need only database and disks. They don't contact mail servers.


LATE: Millis = 15 * MINUTE
"""Work that has waited this long needs the GM."""

MAX_MISSED_POLLS = 10
"""After this many missed polls the service counts as not running."""


def problems(service: Service, now: Millis) -> tuple[Finding, ...]:
    """Return the problems, "bad" first, or nothing if all is well. Raises StoreFault."""
    with service.database.session():
        findings = [*_disk(service), *_post(service, now), *_letters(service, now), *_games(service, now)]
    return tuple(sorted(findings, key=lambda finding: finding.grade != "bad"))


def _disk(service: Service) -> Iterator[Finding]:
    return (finding for finding in disk_space(service) if finding.grade != "good")


def _post(service: Service, now: Millis) -> Iterator[Finding]:
    last, patience = metadata.last_poll(service.database), max(LATE, MAX_MISSED_POLLS * service.settings.poll)
    if last is None or now - last > patience:
        text = "the mailbox was never polled"
        if last:
            text = f"the last poll was at {datetime_of(last, service.service_context.zone):%Y-%m-%d %H:%M}"
        yield Finding("mailbox", "bad", text, "check that gm serve runs, then use gm doctor")
    for trouble in workers.current_incidents(service.database):
        if (channel := workers.channel_of(trouble.name)) is not None:
            text = f"{channel} doesn't accept posts: {trouble.why}"
            yield Finding("channels", "odd", text, f"gm channel test {channel}")
            continue
        yield Finding(
            "trouble",
            "bad",
            f"no {MAIL_ROUTES.get(trouble.name, trouble.name)}: {trouble.why}",
            "gm doctor  shows what to do",
        )


def _letters(service: Service, now: Millis) -> Iterator[Finding]:
    waiting = [
        letter for letter in inbox.waiting_letters(service.database, limit=1) if now - letter.received > LATE
    ]
    if waiting and (last := metadata.last_poll(service.database)) is not None and now - last > LATE:
        yield Finding(
            "incoming mail", "bad", f"email {waiting[0].number} hasn't been read", "check that gm serve runs"
        )
    counts = inbox.counts(service.database)
    if counts["quarantined"]:
        text = f"quarantined, for you to check: {counts['quarantined']}"
        yield Finding("incoming mail", "odd", text, "gm mail list --only quarantined")
    if (late := outbox.put_off(service.database, created_by=now - LATE - 1)) is not None:
        yield Finding(
            "outgoing mail", "odd", f"delayed: {late.count}; last: {late.why}", "gm mail list --out"
        )
    for dead_address in bounces.disabled_addresses(service.database):
        yield Finding(
            "outgoing mail",
            "odd",
            f"{dead_address.address} is disabled: {dead_address.why}",
            "gm mail revive",
        )


def _games(service: Service, now: Millis) -> Iterator[Finding]:
    for name, why in broken_offers(service.database).items():
        yield Finding("games", "odd", f"{name}, which is open for players, can't start: {why}", BRING_BACK)
    held = queries.suspects(service.database, games.kinds())
    for name in held:
        if (stuck := service.repository.suspension(name)) is not None:
            yield Finding("games", "bad", f"{name} is suspended: {stuck.why}", stuck.instead)
    for name, deadline in queries.overdue(service.database, now - LATE).items():
        if name not in held:
            since = f"{datetime_of(deadline, service.service_context.zone):%Y-%m-%d %H:%M}"
            text = f"{name} hasn't run its turn, though the deadline was {since}"
            yield Finding("games", "bad", text, "gm status")
    for name, seat in queries.unreachable_seats(service.database):
        if name not in held:
            text = f"emails to {seat} in {name} are undeliverable"
            yield Finding("games", "odd", text, f"gm seat show {name} {seat}")
