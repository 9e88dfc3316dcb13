"""Secrets of a server: their sources, and how to fetch them when they are needed."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from adjudicator.errors import Refusal
from games.record import Value

COMMAND_SECONDS = 60
"""The time limit for a command, which may have to ask someone for a passphrase."""


@dataclass(frozen=True)
class Secret:
    """A password by its source. named: its name in gm.toml, "[inbox] password".

    value: the password itself ("text"), a variable's name ("env"), a path ("file"), or a command line.
    environ: the environment that has the variable. store: a command that stores a new value from its standard
    input, so that `renew` works for a command too.
    """

    kind: Literal["text", "env", "file", "command"]
    value: str = field(repr=False)
    named: str = "password"
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False, compare=False)
    store: str = field(default="", repr=False)

    def reveal(self) -> str:
        """Return the password: the first line of its source. Raises Refusal if it isn't available."""
        if self.kind == "text":
            return self.value
        if self.kind == "env":
            return self._first_line(self.environ.get(self.value, ""))
        if self.kind == "file":
            try:
                return self._first_line(Path(self.value).read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as fault:
                raise Refusal(f"gm.toml: {self.named}", f"can't read {self.value}: {fault}") from fault
        return self._first_line(_output_of(self.value, self.named))

    def forget(self) -> None:
        """Run the command again at the next reveal, because its output was rejected."""
        _output_of.cache_clear()

    def version(self) -> object:
        """Return a value that changes when the file with the password does. Other sources don't show it."""
        if self.kind != "file":
            return None
        try:
            stat = os.stat(self.value)
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_ino, stat.st_size

    def renew(self, value: str) -> bool:
        """Replace the password. Returns False if it can't be written where it comes from.

        A file is created if its folder exists, readable by its owner only.
        """
        if self.kind != "file":
            return bool(self.store) and self._pass_to_store(value)
        path = Path(self.value).resolve()
        new = path.with_name(f".{path.name}.new")
        try:
            rest = path.read_text(encoding="utf-8").partition("\n")[2] if path.exists() else ""
            new.unlink(missing_ok=True)
            new.touch(mode=0o600)
            new.write_text(f"{value}\n{rest}", encoding="utf-8")
            new.replace(path)
        except (OSError, UnicodeDecodeError):
            new.unlink(missing_ok=True)
            return False
        return True

    def delete(self) -> bool:
        """Delete the password where it is kept. Returns False if there was none, or if that can't be done."""
        if self.kind != "file":
            return bool(self.store) and self._pass_to_store("")
        try:
            Path(self.value).unlink()
        except OSError:
            return False
        return True

    def _pass_to_store(self, value: str) -> bool:
        try:
            subprocess.run(
                shlex.split(self.store), input=f"{value}\n", text=True, timeout=COMMAND_SECONDS, check=True
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return False
        self.forget()
        return True

    def _first_line(self, text: str) -> str:
        line = text.split("\n", 1)[0].rstrip("\r")
        if line:
            return line
        why, instead = {
            "env": (f"the environment has no variable {self.value}", f"Type export {self.value}=…"),
            "file": (f"the first line of the file {self.value} is empty", None),
            "command": (
                f"the command {self.value!r} printed nothing",
                "It must print the password in its first line",
            ),
        }[self.kind]
        raise Refusal(f"gm.toml: {self.named}", why, instead)


class Grant(Value, frozen=True):
    """A source of access tokens for a refresh token. url: its address. named: its name in gm.toml."""

    url: str
    client_id: str
    refresh_token: Secret
    client_secret: Secret | None = None
    scope: str | None = None
    named: str = "token"


class Login(Value, frozen=True):
    """A source of access tokens that `gm login` fills. document: where it keeps the refresh token.

    The document is one line of JSON, which `mail.oauth` reads and writes. named: its name in gm.toml.
    """

    document: Secret
    named: str = "token"


Token = Secret | Grant | Login
"""The source of the access token for a login without a password: a secret, or a refresh token."""


@cache
def _output_of(command: str, named: str) -> str:
    # The output is cached for the life of the process, so that a keyring doesn't ask for a passphrase every
    # minute.
    try:
        done = subprocess.run(
            shlex.split(command), stdout=subprocess.PIPE, text=True, timeout=COMMAND_SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError) as fault:
        raise Refusal(f"gm.toml: {named}", f"the command {command!r} failed: {fault}") from fault
    return done.stdout
