"""Domains that sign their emails (DKIM), and the DNS names of their keys. No network."""

import subprocess
from dataclasses import dataclass
from functools import cache

import dkim

from adjudicator.errors import PostFault

SIGNED = (b"from", b"to", b"subject", b"date", b"message-id")


@dataclass(frozen=True)
class Signer:
    """A domain with a key. selector: the name under which its public key is published."""

    domain: str
    selector: str = "post"

    def signed(self, raw: bytes, headers: tuple[bytes, ...] = SIGNED, length: bool = False) -> bytes:
        """Return an email with its signature. length: whether it says how much of the body is signed (l=)."""
        there = [name for name in headers if b"\n" + name + b":" in b"\n" + raw.lower()]
        signature = dkim.sign(
            raw,
            self.selector.encode(),
            self.domain.encode(),
            _private(),
            include_headers=there,
            length=length,
            canonicalize=(b"relaxed", b"relaxed"),
        )
        return bytes(signature) + raw

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a name server's records, for `dkim.Texts`. Raises PostFault for any other name."""
        if name == f"{self.selector}._domainkey.{self.domain}":
            return (f"v=DKIM1; k=rsa; p={_public()}",)
        raise PostFault(f"name {name}", "can't be looked up", 60.0)


@cache
def _private() -> bytes:
    return _openssl("genrsa", "-traditional", "1024")


@cache
def _public() -> str:
    lines = _openssl("rsa", "-pubout", given=_private()).decode().splitlines()
    return "".join(line for line in lines if not line.startswith("-"))


def _openssl(*words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *words], input=given, capture_output=True, check=True).stdout
