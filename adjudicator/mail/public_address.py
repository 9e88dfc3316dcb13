"""Where a name leads: found before it is spoken to, and refused where that is this machine.

Whoever posts to an address that others have named must not be sent to what only this machine can reach: its
own services, its network, the one that hands out a cloud machine's keys. What was looked up and looked at is
what is then dialled, so that no second answer of a name server comes in between.
"""

import ipaddress
import socket
from typing import Protocol

from adjudicator.errors import PostFault

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_CARRIER_NETWORKS = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"))
"""Addresses of the one kind that carry one of the other: through a translator, and by 6to4."""


class NameLookup(Protocol):
    """A lookup of a name's addresses. Raises OSError where it has none."""

    def __call__(self, host: str, port: int) -> list[str]: ...


class NotPublic(Exception):
    """A name leads to this machine, or into a network of its own."""


def addresses_of(host: str, port: int) -> list[str]:
    """All addresses of a name, as this machine looks them up."""
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in results))


def reachable_addresses(
    host: str, port: int, *, local: bool, look_up: NameLookup = addresses_of
) -> list[str]:
    """The addresses at which a server may be dialled. local: it may be this machine, or one of its network.

    Raises NotPublic where one of them is no public one, PostFault where there is none.
    """
    try:
        addresses = look_up(host, port)
    except (OSError, UnicodeError) as fault:
        raise PostFault("channel", "the name of its server cannot be looked up") from fault
    if not addresses:
        raise PostFault("channel", "its server has no address")
    if not local and not all(is_public(address) for address in addresses):
        raise NotPublic
    return addresses


def is_public(text: str) -> bool:
    """Return whether an address is public, and not of this machine or of a network of its own."""
    address = _unwrap_address(ipaddress.ip_address(text.partition("%")[0]))
    return address.is_global and not address.is_multicast and not _is_ours(address)


def _unwrap_address(address: Address) -> Address:
    """An address without what carries it."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if any(address in carrier for carrier in _CARRIER_NETWORKS):
        inside = address.sixtofour or ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        return inside
    return address


def _is_ours(address: Address) -> bool:
    """Return whether an interface of this machine has the address: only such a one can be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((str(address), 0))
    except OSError:
        return False
    return True
