"""The reader of a gm.toml: returns its values one by one, and names the key in each error."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.config.secrets import Grant, Login, Secret, Token
from adjudicator.errors import Refusal
from adjudicator.model.addresses import is_loopback
from games.record import Value

TIME_UNITS_MS = {"s": 1000, "m": MINUTE, "h": HOUR, "d": DAY}


class ConfigPage(Value, frozen=True):
    """The raw tables. folder: the folder of gm.toml, the base of relative paths. environ: for passwords.

    without_files: whether the files that it names may be missing, as they are before a restore.
    """

    raw: Mapping[str, Any]
    folder: Path
    environ: Mapping[str, str]
    without_files: bool = False

    def has(self, table: str, key: str | None = None) -> bool:
        """Return whether there is such a table, or such a key in it."""
        return table in self.raw and (key is None or key in self.raw[table])

    def value(self, table: str, key: str, default: Any = None) -> Any:
        """Return the value of a key, of any type."""
        return self.raw.get(table, {}).get(key, default)

    def text(self, table: str, key: str, default: str | None = None) -> str:
        """Return a text. Raises Refusal if it is missing without a default, or has another type."""
        value = self.value(table, key, default)
        if value is None:
            raise self.fault(table, key, "it is missing")
        if not isinstance(value, str) or not value.strip():
            raise self.fault(table, key, f"{value!r} isn't text in quotes")
        return value.strip()

    def texts(self, table: str, key: str, default: Sequence[str]) -> tuple[str, ...]:
        """Return one text or a list of texts. Raises Refusal for anything else, or an empty list."""
        value = self.value(table, key, list(default))
        texts = [value] if isinstance(value, str) else value
        if not (isinstance(texts, list) and texts and all(isinstance(item, str) and item for item in texts)):
            raise self.fault(table, key, f"{value!r} is neither text in quotes nor a [list] of texts")
        return tuple(text.strip() for text in texts)

    def switch(self, table: str, key: str, default: bool) -> bool:
        """Return true or false. Raises Refusal for anything else."""
        value = self.value(table, key, default)
        if not isinstance(value, bool):
            why = f"{value!r} is neither true nor false"
            raise self.fault(table, key, why, f"Write {key} = {str(default).lower()}")
        return value

    def number(self, table: str, key: str, default: int, low: int, high: int) -> int:
        """Return an integer from low to high. Raises Refusal for anything else."""
        value = self.value(table, key, default)
        if type(value) is not int or not low <= value <= high:
            why = f"{value!r} isn't a number from {low} to {high}"
            raise self.fault(table, key, why, f"Write {key} = {default}")
        return value

    def length(self, table: str, key: str, default: str, *, zero: bool = False) -> Millis:
        """Return a length of time. zero: whether it may be zero. Raises Refusal."""
        text = self.text(table, key, default)
        length = duration(text)
        if length is None or (length == 0 and not zero):
            raise self.fault(table, key, f'"{text}" isn\'t a duration', f'Write {key} = "{default}"')
        return length

    def path(self, text: str) -> Path:
        """Return a path relative to gm.toml."""
        return (self.folder / Path(text).expanduser()).resolve()

    def file(self, table: str, key: str) -> Path | None:
        """Return the file under a key, or None. Raises Refusal if it doesn't exist."""
        if not self.has(table, key):
            return None
        path = self.path(self.text(table, key))
        if not path.is_file() and not self.without_files:
            raise self.fault(table, key, f"the file {path} doesn't exist")
        return path

    def secret(self, table: str, example: str) -> Secret:
        """Return a table's password, which is fetched when it is needed. Raises Refusal."""
        return self._secret(table, "password", self.value(table, "password"), example)

    def secret_of(self, table: str, key: str, example: str) -> Secret:
        """Return another secret of a table, stored like a password. Raises Refusal."""
        return self._secret(table, key, self.value(table, key), example)

    def reveal_secret(self, table: str, key: str, example: str) -> str:
        """Return a secret from the environment, from a file, or as printed by a command. Raises Refusal."""
        return self._secret(table, key, self.value(table, key), example).reveal()

    def token(self, table: str, example: str) -> Token | None:
        """Return the token source for a login by XOAUTH2, if the table has one. Raises Refusal."""
        form = self.value(table, "token")
        if form is None:
            return None
        if self.has(table, "password"):
            raise self.fault(
                table, "token", "there can't be both a token and a password", "Leave one of them out"
            )
        if isinstance(form, dict) and set(form) == {"login"}:
            kept = form["login"]
            kept = {"file": kept} if isinstance(kept, str) else kept
            return Login(self._secret(table, "token", kept, example), f"[{table}] token")
        if not isinstance(form, dict) or "url" not in form:
            return self._secret(table, "token", form, example)
        if unknown := sorted(set(form) - {"url", "client_id", "client_secret", "refresh_token", "scope"}):
            raise self.fault(table, "token", f"{unknown[0]} has no meaning there")
        url, client, scope = (form.get(key) for key in ("url", "client_id", "scope"))
        parts = urlsplit(url) if isinstance(url, str) else None
        safe = parts and (
            parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
        )
        if not isinstance(url, str) or not safe:
            raise self.fault(table, "token", f"{url} isn't an https:// address of a token server")
        if not isinstance(client, str) or not isinstance(scope, str | None):
            raise self.fault(table, "token", "client_id (and scope) must be text in quotes")
        refresh = self._secret(table, "token", form.get("refresh_token"), example)
        hidden = form.get("client_secret")
        secret = None if hidden is None else self._secret(table, "token", hidden, example)
        return Grant(url, client, refresh, secret, scope, f"[{table}] token")

    def _secret(self, table: str, key: str, form: Any, example: str) -> Secret:
        named, instead = f"[{table}] {key}", f'Write {key} = {{ env = "{example}" }}'
        if isinstance(form, str):
            return Secret("text", form, named)
        if not isinstance(form, dict):
            raise self.fault(table, key, "it is missing", instead)
        match form:
            case {"env": str(name), **rest} if not rest:
                return Secret("env", name, named, self.environ)
            case {"file": str(name), **rest} if not rest:
                return Secret("file", str(self.path(name)), named)
            case {"command": str(line), **rest} if not rest:
                return Secret("command", line, named)
            case {"command": str(line), "store": str(store), **rest} if not rest:
                return Secret("command", line, named, store=store)
        others = ", or { file = … }, or { command = … }"
        raise self.fault(table, key, f"{form!r} isn't possible here", instead + others)

    def fault(self, table: str, key: str, why: str, instead: str | None = None) -> Refusal:
        """Return the error about a key."""
        return Refusal(f"gm.toml: [{table}] {key}", why, instead)


def duration(text: str) -> Millis | None:
    """Return the milliseconds of a length such as "72h", "3d" or "1d12h", or None if it isn't one."""
    compact = text.replace(" ", "").lower()
    if not re.fullmatch(r"(\d+[smhd])+", compact):
        return None
    return sum(int(number) * TIME_UNITS_MS[unit] for number, unit in re.findall(r"(\d+)([smhd])", compact))
