"""A Dovecot of our own for the length of a measurement: one mailbox, filled before it starts."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

USER, PASSWORD = "gm", "bench"
START_SECONDS = 300
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])

_COMMON_CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
ssl = no
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""

_23 = """
mail_location = maildir:{folder}/mail
disable_plaintext_auth = no
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail
}}
"""

_24 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
mail_driver = maildir
mail_home = {folder}/mail
mail_path = {folder}/mail
auth_allow_cleartext = yes
passdb static {{
  password = {password}
}}
userdb static {{
  fields {{
    uid = {user}
    gid = {group}
    home = {folder}/mail
  }}
}}
"""


def is_installed() -> bool:
    """Return whether Dovecot is installed."""
    return shutil.which("dovecot", path=_PATH) is not None


@contextmanager
def dovecot(folder: Path, letters: Sequence[bytes]) -> Iterator[int]:
    """Run one in a folder that everybody may enter, with the letters in its INBOX. Gives its IMAP port.

    Raises OSError where it does not start.
    """
    program = shutil.which("dovecot", path=_PATH)
    if program is None:
        raise FileNotFoundError("dovecot is not installed")
    _fill(folder, letters)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    settings = (_24 if _release(version) >= (2, 4) else _23) + _COMMON_CONFIG
    user, group = _who()
    config = folder / "dovecot.conf"
    with _port() as port:
        config.write_text(
            settings.format(folder=folder, user=user, group=group, port=port, password=PASSWORD)
        )
        words = [*_as_nobody(folder), program, "-F", "-c", str(config)]
        with subprocess.Popen(words, cwd=folder) as process:
            try:
                _wait_for(port, process, folder / "dovecot.log")
                yield port
            finally:
                process.terminate()


@contextmanager
def _port() -> Iterator[int]:
    """A port that the system gives to nobody meanwhile; Dovecot may listen where we only hold the place."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


def _fill(folder: Path, letters: Sequence[bytes]) -> None:
    for name in ("run", "state", "mail/new", "mail/cur", "mail/tmp"):
        (folder / name).mkdir(parents=True)
    for number, letter in enumerate(letters):
        (folder / "mail" / "new" / f"{1_700_000_000 + number}.{number}.bench").write_bytes(letter)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split()[0].split(".")[:2])


def _who() -> tuple[str, str]:
    return ("nobody", "nogroup") if os.geteuid() == 0 else (str(os.geteuid()), str(os.getegid()))


def _as_nobody(folder: Path) -> list[str]:
    """Return the words that start it without root rights, which its login process refuses."""
    if os.geteuid() != 0:
        return []
    for place in (folder, *folder.rglob("*")):
        shutil.chown(place, "nobody", "nogroup")
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.02)
    raise ConnectionError(f"Dovecot did not start: {log.read_text() if log.exists() else ''}")
