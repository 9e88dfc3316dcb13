"""DNS of the tests: answers from the text of a zone, and hosts of example.test on this machine."""

import socket
from dataclasses import dataclass
from typing import Any

import dns.name
import dns.rdataclass
import dns.rdatatype
import dns.resolver
import dns.zone
import pytest

from adjudicator.mail import dkim

ZONE_DOMAIN = ".example.test"


@dataclass(frozen=True)
class _ZoneAnswer:
    rrset: Any


class ZoneResolver:
    """A resolver that knows one zone. text: its records, with full names."""

    def __init__(self, text: str) -> None:
        self._zone = dns.zone.from_text(text, origin=".", relativize=False, check_origin=False)
        self.asked: list[tuple[str, str]] = []

    def resolve(self, name: str, kind: str, **_more: object) -> _ZoneAnswer:
        """Return the records of a name. Raises NXDOMAIN."""
        self.asked.append((name, kind))
        node = self._zone.get_node(dns.name.from_text(name))
        if node is None:
            raise dns.resolver.NXDOMAIN
        return _ZoneAnswer(node.get_rdataset(dns.rdataclass.IN, dns.rdatatype.from_text(kind)))


def answer_from_zone(monkeypatch: pytest.MonkeyPatch, text: str) -> ZoneResolver:
    """Have DNS lookups answered from a zone, for one test."""
    resolver = ZoneResolver(f"$TTL 60\n{text}")
    monkeypatch.setattr(dkim, "_resolver", lambda: resolver)
    return resolver


def hosts_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find every host of example.test on this machine, and no host elsewhere, for one test."""
    look_up = socket.getaddrinfo

    def look_up_here(host: Any, *words: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if isinstance(name, str) and name.endswith(ZONE_DOMAIN):
            return look_up("127.0.0.1", *words, **more)
        if name not in (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0"):
            raise socket.gaierror(socket.EAI_NONAME, "no network in tests")
        return look_up(host, *words, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up_here)
