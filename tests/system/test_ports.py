"""Several workers on one machine: no port in use by one keeps another from working."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.config.servers import Listen
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import office_of_machine
from adjudicator.daemon.metrics import Endpoint
from adjudicator.errors import PostFault
from adjudicator.service import Service, open_service
from tests.kit.ports import free_ports
from tests.kit.servers import PostgreSQL

CONFIG = """\
[service]
address = "gm@example.org"
database = "{database}"
[local]
listen = "127.0.0.1:{port}"
[inbox]
url = "maildir:./in"
[outbox]
url = "smtp://127.0.0.1:{port}"
"""


def open_ports_service(folder: Path, database: str) -> Service:
    """A service with an embedded post office."""
    (folder / "gm.toml").write_text(CONFIG.format(database=database, port=free_ports(1)[0]))
    return open_service(load_settings(folder / "gm.toml"))


@pytest.fixture
def shared(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[Service]:
    """One on whose books several may work."""
    service = open_ports_service(tmp_path, postgresql.fresh())
    yield service
    service.database.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Service]:
    """One whose books are a file."""
    service = open_ports_service(tmp_path, "turnpost.db")
    yield service
    service.database.close()


def test_one_has_the_post_office_open_and_another_when_that_one_ends(shared: Service) -> None:
    one, other = office_of_machine(shared), office_of_machine(shared)
    assert one is not None
    assert other is not None
    assert (one.is_open, other.is_open) == (True, False)
    other.open_if_free()
    assert not other.is_open
    one.close()
    other.open_if_free()
    assert other.is_open
    other.close()


def test_each_tells_its_numbers_on_a_port_of_its_own(shared: Service) -> None:
    at = Listen("127.0.0.1", free_ports(1)[0])
    one, other = Endpoint(shared, at), Endpoint(shared, at)
    assert one.port == at.port
    assert other.port > at.port
    one.close()
    other.close()


def test_where_there_can_be_but_one_a_port_that_is_taken_is_told(alone: Service) -> None:
    service_context, at = office_of_machine(alone), Listen("127.0.0.1", free_ports(1)[0])
    endpoint = Endpoint(alone, at)
    with pytest.raises(PostFault, match="perhaps another  gm serve"):
        office_of_machine(alone)
    with pytest.raises(PostFault, match="metrics"):
        Endpoint(alone, at)
    assert service_context is not None
    service_context.close()
    endpoint.close()
