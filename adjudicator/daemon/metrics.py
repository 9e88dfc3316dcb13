"""Counters for Prometheus: what the books say whenever they are asked. On loopback, where wanted."""

import errno
from collections.abc import Iterator

from prometheus_client import start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry

from adjudicator.clock import Millis
from adjudicator.config.servers import Listen
from adjudicator.daemon.health import problems
from adjudicator.errors import PostFault
from adjudicator.model.dispositions import WAITING
from adjudicator.service import Service
from adjudicator.storage import bounces, glance, inbox, incidents, metadata, outbox, stored_games

WORKERS_A_MACHINE = 16
"""So many ports are tried where several workers may run on one machine."""


class ServiceMetrics(Collector):
    """The numbers of a service, read from its database. Raises StoreFault where they cannot be read."""

    def __init__(self, house: Service) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """Every number, with what it means."""
        house = self._house
        with house.database.session():
            now = house.clock.now()
            yield from self._letters()
            yield from self._games()
            yield _gauge("seconds_since_poll", "Since the mailbox was last looked through.", self._age(now))
            count = len(incidents.current_incidents(house.database))
            yield _gauge("troubles", "Ways that letters cannot go, in or out.", count)
            bad = [finding for finding in problems(house, now) if finding.grade == "bad"]
            yield _gauge("ailments", "What gm status --check calls bad.", len(bad))

    def describe(self) -> Iterator[Metric]:
        """Nothing: to know the names, the books need not be asked."""
        return iter(())

    def _letters(self) -> Iterator[Metric]:
        database = self._house.database
        counts_in, counts_out = inbox.counts(database), outbox.counts(database)
        done = {state: counts_in[state] for state in counts_in if state != WAITING}
        yield _by("letters_in", "Letters that came in, by what was decided.", "decided", done)
        yield _gauge("letters_waiting", "Letters that wait to be read.", counts_in[WAITING])
        ends = {state: counts_out[state] for state in ("sent", "failed")}
        yield _by("letters_out", "Letters that went out or failed.", "state", ends)
        open_ = {state: counts_out[state] for state in counts_out if state not in ends}
        yield _by("letters_to_send", "Letters that are still to go out.", "state", open_, counts=False)
        dead = len(bounces.disabled_addresses(database))
        yield _gauge("dead_addresses", "Addresses to which nothing is sent any more.", dead)

    def _games(self) -> Iterator[Metric]:
        database = self._house.database
        yield _gauge("games_running", "Games that are played.", glance.running(database))
        entries = stored_games.entries_by_kind(database)
        yield _by("log_entries", "Entries of all games' logs, by the kind of game.", "kind", entries)

    def _age(self, now: Millis) -> float:
        last = metadata.last_poll(self._house.database)
        return float("nan") if last is None else (now - last) / 1000


class Endpoint:
    """A page of numbers for Prometheus, at ``http://HOST:PORT/metrics``, in a thread of its own."""

    def __init__(self, house: Service, at: Listen) -> None:
        """Listen; where several may work, on the next port that is free. Raises PostFault where none is."""
        registry = CollectorRegistry()
        registry.register(ServiceMetrics(house))
        last = at.port + (WORKERS_A_MACHINE - 1 if at.port and house.database.is_shared else 0)
        for port in range(at.port, last + 1):
            try:
                self._server, self._thread = start_http_server(port, at.host, registry)
                return
            except OSError as fault:
                if port == last or fault.errno != errno.EADDRINUSE:
                    raise PostFault(f"[metrics] listen on {at.host}:{port}", str(fault)) from fault

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"turnpost_{name}", says, value)


def _by(name: str, says: str, label: str, values: dict[str, int], counts: bool = True) -> Metric:
    family = CounterMetricFamily if counts else GaugeMetricFamily
    metric = family(f"turnpost_{name}", says, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric
