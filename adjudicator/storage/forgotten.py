"""The list of the forgotten people: a file beside gm.toml, with the key of the hashes that stand for them.

The database holds a hash where something about a forgotten person must stay, such as a ban. The key is in no
database, so that nobody can test addresses with a copy of it. The list says whom `gm restore` has to remove
from older backups.
"""

import hmac
import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from adjudicator.clock import Millis
from adjudicator.errors import Refusal
from adjudicator.model.people import Instant
from games.record import Bounds, Malformed, Record, load, plain, replace_fields

FORGOTTEN_FILE = "forgotten.json"
"""The name of the list beside gm.toml."""

FORGOTTEN_DOMAIN = "@forgotten.invalid"
"""The end of every hash in the database. It has the form of an address, and nobody has an address there."""

_HASH_CHARS = 32

Hash = Annotated[str, Bounds(pattern=r"^[0-9a-f]{32}@forgotten\.invalid$(?!\n)")]
Key = Annotated[str, Bounds(pattern=r"^[0-9a-f]{64}$(?!\n)")]


class ForgottenPerson(Record, frozen=True, kw_only=True):
    """A forgotten person: the hash of their address, and when they were last forgotten."""

    hash: Hash
    at: Instant


class ForgottenPeople(Record, frozen=True, kw_only=True):
    """The list of the forgotten people, and the key of all hashes."""

    format: Literal[1] = 1
    key: Key
    people: tuple[ForgottenPerson, ...] = ()

    def hash_of(self, text: str) -> str:
        """Return what stands for an address, or for a text with an address in it."""
        digest = hmac.digest(bytes.fromhex(self.key), text.encode(), "sha256").hex()
        return digest[:_HASH_CHARS] + FORGOTTEN_DOMAIN

    def forgotten_at(self, address: str) -> Millis | None:
        """Return when the owner of an address was last forgotten, or None."""
        hashed = self.hash_of(address)
        return next((person.at for person in self.people if person.hash == hashed), None)

    def with_person(self, address: str, at: Millis) -> "ForgottenPeople":
        """Return the list with a person who is forgotten now."""
        hashed = self.hash_of(address)
        others = (person for person in self.people if person.hash != hashed)
        return replace_fields(self, people=(*others, ForgottenPerson(hash=hashed, at=at)))

    @property
    def text(self) -> str:
        """Return the content of its file."""
        return json.dumps(plain(self), indent=1) + "\n"


def new_list() -> ForgottenPeople:
    """Return an empty list with a new key."""
    return ForgottenPeople(key=secrets.token_hex(32))


def read_list(text: str, place: str) -> ForgottenPeople:
    """Return the list in a text. place: where it is from. Raises Refusal if it isn't one."""
    try:
        people: ForgottenPeople = load(ForgottenPeople, text.encode())
    except Malformed as fault:
        raise Refusal(
            f"Can't read {place}", f"it isn't a list of forgotten people: {fault}", "Put back a copy of it"
        ) from fault
    return people


def load_list(folder: Path) -> ForgottenPeople | None:
    """Return the list in the folder of gm.toml, or None if nobody was forgotten. Raises Refusal."""
    file = folder / FORGOTTEN_FILE
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise Refusal(f"Can't read {file}", str(fault), "Put back a copy of it") from fault
    return read_list(text, str(file))


def save_list(folder: Path, people: ForgottenPeople) -> None:
    """Write the list beside gm.toml, completely or not at all. Raises Refusal if it can't be written."""
    file = folder / FORGOTTEN_FILE
    new = file.with_name(f".{FORGOTTEN_FILE}.{os.getpid()}")
    try:
        with suppress(FileNotFoundError):
            new.unlink()
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(people.text)
            stream.flush()
            os.fsync(stream.fileno())
        new.rename(file)
    except OSError as fault:
        raise Refusal(
            f"Can't write {file}",
            f"{fault.strerror}",
            "Nobody was forgotten. Make the folder of gm.toml writable, and try again",
        ) from fault
