"""Where a server's password is kept, and how it is fetched when it is needed, not before."""

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
"""So long a command may take; it may have to ask somebody for a passphrase."""


@dataclass(frozen=True)
class Secret:
    """A password by its place. named: how gm.toml calls it, "[inbox] password".

    value: the password itself ("text"), a variable's name ("env"), a path ("file"), or a command line;
    environ: where the variable is looked for.
    """

    kind: Literal["text", "env", "file", "command"]
    value: str = field(repr=False)
    named: str = "password"
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False, compare=False)

    def reveal(self) -> str:
        """The password: the first line of what is there. Raises Refusal where it cannot be had."""
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
        """Ask the command anew when next revealed: what it printed was refused."""
        _output_of.cache_clear()

    def renew(self, value: str) -> bool:
        """Put another in its place. False where it stands in no file, or in one that cannot be written."""
        if self.kind != "file":
            return False
        path = Path(self.value).resolve()
        new = path.with_name(f".{path.name}.new")
        try:
            rest = path.read_text(encoding="utf-8").partition("\n")[2]
            new.touch(mode=0o600)
            new.write_text(f"{value}\n{rest}", encoding="utf-8")
            new.replace(path)
        except (OSError, UnicodeDecodeError):
            new.unlink(missing_ok=True)
            return False
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
    """A source of access tokens for a refresh token. url: its address; named: as gm.toml calls it."""

    url: str
    client_id: str
    refresh_token: Secret
    client_secret: Secret | None = None
    scope: str | None = None
    named: str = "token"


Token = Secret | Grant
"""Where the access token of a login by XOAUTH2 is had: as a secret, or for a refresh token."""


@cache
def _output_of(command: str, named: str) -> str:
    # Kept for the life of the process: a keyring should not ask its owner for a passphrase every minute.
    try:
        done = subprocess.run(
            shlex.split(command), stdout=subprocess.PIPE, text=True, timeout=COMMAND_SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError) as fault:
        raise Refusal(f"gm.toml: {named}", f"the command {command!r} failed: {fault}") from fault
    return done.stdout
