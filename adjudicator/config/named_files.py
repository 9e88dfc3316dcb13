"""The files and secrets that gm.toml names: files of certificates, and places of secrets."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.config.secrets import Grant, Secret, Token
from adjudicator.config.servers import Imap, MaildirAt, Smtp
from games.record import Value

if TYPE_CHECKING:
    from adjudicator.config.service import Settings

CA_FILE_KEY = "ca_file"
"""The key of a table that names a file. Others name folders, or places of secrets."""

MAX_FILE_BYTES = 1_000_000
_CERTIFICATE = re.compile(
    rb"-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----\s[A-Za-z0-9+/=\s]+-----END \1-----"
)
_BEGIN = re.compile(rb"-----BEGIN ")


class NamedFile(Value, frozen=True):
    """A file of certificates. key: where gm.toml names it, "[inbox] ca_file"; text: its name there."""

    key: str
    text: str
    path: Path


def certificate_files(raw: Mapping[str, Any], folder: Path) -> tuple[NamedFile, ...]:
    """Return the files of certificates that the tables of a gm.toml name. folder: that of gm.toml."""
    files = []
    for heading, table in _tables(raw):
        text = table.get(CA_FILE_KEY)
        if isinstance(text, str) and text.strip():
            text = text.strip()
            path = (folder / Path(text).expanduser()).resolve()
            files.append(NamedFile(f"{heading} {CA_FILE_KEY}", text, path))
    return tuple(files)


def _tables(raw: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, table in raw.items():
        if isinstance(table, dict):
            yield f"[{name}]", table
            for key, several in table.items():
                if isinstance(several, list):
                    named = (subtable for subtable in several if isinstance(subtable, dict))
                    yield from ((f"[[{name}.{key}]]", subtable) for subtable in named)


def is_certificates(content: bytes) -> bool:
    """Return whether a file holds certificates and no secret: every PEM block in it is a certificate."""
    certificates = _CERTIFICATE.findall(content)
    return (
        bool(certificates)
        and len(content) <= MAX_FILE_BYTES
        and len(_BEGIN.findall(content)) == len(certificates)
    )


def missing_secrets(settings: "Settings") -> tuple[Secret, ...]:
    """Return the secrets whose file or variable is not here. What commands would print is not asked."""
    return tuple(secret for secret in _secrets(settings) if _is_missing(secret))


def _is_missing(secret: Secret) -> bool:
    if secret.kind == "file":
        return not Path(secret.value).is_file()
    return secret.kind == "env" and not secret.environ.get(secret.value)


def _secrets(settings: "Settings") -> Iterator[Secret]:
    for place in (settings.inbox, *settings.also, settings.outbox):
        yield from _of_place(place)
    for channel in settings.channels:
        yield from channel.secrets


def _of_place(place: MaildirAt | Imap | Smtp) -> Iterator[Secret]:
    if isinstance(place, MaildirAt):
        return
    if place.password is not None:
        yield place.password
    yield from _of_token(place.token)


def _of_token(token: Token | None) -> Iterator[Secret]:
    if isinstance(token, Grant):
        yield token.refresh_token
        if token.client_secret is not None:
            yield token.client_secret
    elif token is not None:
        yield token
