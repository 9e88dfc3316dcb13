"""One gm.toml as it was read: its values one by one, and every complaint about it under its key."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.clock import Millis
from adjudicator.errors import Refusal
from adjudicator.keyring import Secret

HOUR: Millis = 3_600_000
UNITS = {"s": 1000, "m": 60_000, "h": HOUR, "d": 24 * HOUR}


@dataclass(frozen=True)
class Page:
    """The raw tables. folder: of gm.toml, to which paths in it are relative; environ: for passwords."""

    raw: Mapping[str, Any]
    folder: Path
    environ: Mapping[str, str]

    def has(self, table: str, key: str | None = None) -> bool:
        """Whether there is such a table, or such a key in it."""
        return table in self.raw and (key is None or key in self.raw[table])

    def value(self, table: str, key: str, default: Any = None) -> Any:
        """What stands there, whatever it is."""
        return self.raw.get(table, {}).get(key, default)

    def text(self, table: str, key: str, default: str | None = None) -> str:
        """Text. Raises Refusal where it is missing and has no default, or is something else."""
        value = self.value(table, key, default)
        if value is None:
            raise self.fault(table, key, "is missing")
        if not isinstance(value, str) or not value.strip():
            raise self.fault(table, key, f"is {value!r}, and should be text in quotes")
        return value.strip()

    def texts(self, table: str, key: str, default: Sequence[str]) -> tuple[str, ...]:
        """One text or a list of them. Raises Refusal for anything else, or none."""
        value = self.value(table, key, list(default))
        found = [value] if isinstance(value, str) else value
        if not (isinstance(found, list) and found and all(isinstance(one, str) and one for one in found)):
            raise self.fault(table, key, f"is {value!r}, and should be text in quotes, or [a list of it]")
        return tuple(text.strip() for text in found)

    def switch(self, table: str, key: str, default: bool) -> bool:
        """True or false. Raises Refusal for anything else."""
        value = self.value(table, key, default)
        if not isinstance(value, bool):
            why = f"is {value!r}, and should be true or false"
            raise self.fault(table, key, why, f"write  {key} = {str(default).lower()}")
        return value

    def number(self, table: str, key: str, default: int, low: int, high: int) -> int:
        """A whole number from low to high. Raises Refusal for anything else."""
        value = self.value(table, key, default)
        if type(value) is not int or not low <= value <= high:
            why = f"is {value!r}, and should be {low} to {high}"
            raise self.fault(table, key, why, f"write  {key} = {default}")
        return value

    def length(self, table: str, key: str, default: str, *, zero: bool = False) -> Millis:
        """A length of time. zero: whether it may be none at all. Raises Refusal."""
        text = self.text(table, key, default)
        length = duration(text)
        if length is None or (length == 0 and not zero):
            raise self.fault(table, key, f"{text} is no length of time", f'write  {key} = "{default}"')
        return length

    def path(self, text: str) -> Path:
        """A path as it is meant there."""
        return (self.folder / Path(text).expanduser()).resolve()

    def file(self, table: str, key: str) -> Path | None:
        """A file that is named there, or None. Raises Refusal where it does not exist."""
        if not self.has(table, key):
            return None
        path = self.path(self.text(table, key))
        if not path.is_file():
            raise self.fault(table, key, f"there is no file {path}")
        return path

    def secret(self, table: str, example: str) -> Secret:
        """The password of a table; whether it can be had shows when it is needed. Raises Refusal."""
        form, named = self.value(table, "password"), f"[{table}] password"
        instead = f'write  password = {{ env = "{example}" }}'
        if isinstance(form, str):
            return Secret("text", form, named)
        if not isinstance(form, dict):
            raise self.fault(table, "password", "is missing", instead)
        match form:
            case {"env": str(name), **rest} if not rest:
                return Secret("env", name, named, self.environ)
            case {"file": str(name), **rest} if not rest:
                return Secret("file", str(self.path(name)), named)
            case {"command": str(line), **rest} if not rest:
                return Secret("command", line, named)
        others = ", or { file = … }, or { command = … }"
        raise self.fault(table, "password", f"{form!r} is not understood", instead + others)

    def fault(self, table: str, key: str, why: str, instead: str | None = None) -> Refusal:
        """A complaint about a key."""
        return Refusal(f"gm.toml: [{table}] {key}", why, instead)


def duration(text: str) -> Millis | None:
    """A length of time such as "72h", "3d" or "1d12h" in milliseconds; None if it is none."""
    compact = text.replace(" ", "").lower()
    if not re.fullmatch(r"(\d+[smhd])+", compact):
        return None
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", compact))
