"""The GM's own bots: programs that gm.toml names, and the operator's agreement to start them.

A gm.toml that came with another person's backup could name any command. So a command is started only after
the operator of this machine has agreed to it. The agreements are in a file beside gm.toml, which no backup
holds. They count only for this machine, user and folder, and for the command as it was.
"""

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from adjudicator.config.toml_reader import ConfigPage
from adjudicator.errors import Refusal
from games.record import Value, replace_fields

BOT_KEYS = frozenset({"name", "command", "seconds", "memory"})
"""The keys of a [[bot]]."""

AGREED_FILE = ".agreed-bots"
_MACHINE_ID_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")
_BOT_TABLE = "bot"
_BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
_DEFAULT_SECONDS, _MAX_SECONDS = 10, 60
_DEFAULT_MEMORY_MB, _MIN_MEMORY_MB, _MAX_MEMORY_MB = 512, 16, 16_384


class OwnBot(Value, frozen=True):
    """A program that can play a seat. folder: where it is started, the folder of gm.toml.

    seconds: how long it may take for one answer. memory_mb: how much memory it may use.
    """

    name: str
    command: str
    folder: Path
    seconds: int = _DEFAULT_SECONDS
    memory_mb: int = _DEFAULT_MEMORY_MB

    @property
    def is_agreed(self) -> bool:
        """Return whether the operator has agreed to start this command here."""
        return _seal(self) in _read_seals(self.folder)


def read_own_bots(page: ConfigPage, folder: Path) -> tuple[OwnBot, ...]:
    """Return the bots of a gm.toml in that folder. Raises Refusal naming the key."""
    tables = page.raw.get(_BOT_TABLE, [])
    if not isinstance(tables, list):
        raise Refusal(
            "gm.toml: [bot]", "each bot has its own table", "Write [[bot]] above its name and command"
        )
    bots: list[OwnBot] = []
    for number, table in enumerate(tables, 1):
        bot = _read_bot(page, table, number, folder)
        if any(other.name == bot.name for other in bots):
            raise Refusal(f"gm.toml: [[bot]] {number}: name", f"two bots are called {bot.name}", "Rename one")
        bots.append(bot)
    return tuple(bots)


def _read_bot(page: ConfigPage, table: dict[str, Any], number: int, folder: Path) -> OwnBot:
    own_page = replace_fields(page, raw={**page.raw, _BOT_TABLE: table})
    try:
        name = own_page.text(_BOT_TABLE, "name")
        if not _BOT_NAME.fullmatch(name):
            raise own_page.fault(
                _BOT_TABLE,
                "name",
                f'"{name}" isn\'t a name for a bot',
                'Write name = "mine", of a-z, 0-9 and -',
            )
        command = own_page.text(_BOT_TABLE, "command")
        seconds = own_page.number(_BOT_TABLE, "seconds", _DEFAULT_SECONDS, 1, _MAX_SECONDS)
        memory = own_page.number(_BOT_TABLE, "memory", _DEFAULT_MEMORY_MB, _MIN_MEMORY_MB, _MAX_MEMORY_MB)
    except Refusal as fault:
        raise Refusal(fault.what.replace("[bot]", f"[[bot]] {number}:"), fault.why, fault.instead) from fault
    return OwnBot(name, command, folder, seconds, memory)


def agree(bot: OwnBot) -> None:
    """Record that the operator agrees to start a bot's command on this machine."""
    file = bot.folder / AGREED_FILE
    seals = [*_read_seals(bot.folder), _seal(bot)]
    file.touch(mode=0o600)
    file.write_text("".join(f"{seal}\n" for seal in dict.fromkeys(seals)), encoding="ascii")


def _read_seals(folder: Path) -> tuple[str, ...]:
    try:
        return tuple((folder / AGREED_FILE).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return ()


def _seal(bot: OwnBot) -> str:
    """Return the line for an agreement. It fits no other machine, user, folder, name or command."""
    machine = ""
    for file in _MACHINE_ID_FILES:
        with suppress(OSError):
            machine = machine or Path(file).read_text(encoding="ascii").strip()
    parts = (machine, str(os.getuid()), str(bot.folder.resolve()), bot.name, bot.command)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
