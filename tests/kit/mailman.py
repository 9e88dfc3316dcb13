"""A real Mailman 3 with one list, in its own folder and on its own port, as Debian installs it.

Postfix or another server passes the list's mail to it over LMTP. It passes its posts to an SMTP server.
"""

import json
import smtplib
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kit.ports import free_ports
from tests.kit.servers import (
    HANGING_SECONDS,
    ServerMissingError,
    end,
    give_away,
    run_unprivileged,
    server_folder,
    wait_for,
)

PYTHON, MASTER = Path("/usr/bin/python3"), Path("/usr/lib/mailman3/bin/master")
INSIDE = Path(__file__).with_name("mailman_inside.py")

_CONFIG = """\
[mailman]
site_owner: postmaster@example.test
layout: here
{more}
[paths.here]
var_dir: {folder}/var
queue_dir: $var_dir/queue
bin_dir: /usr/lib/mailman3/bin
list_data_dir: $var_dir/lists
log_dir: $var_dir/log
lock_dir: $var_dir/locks
data_dir: $var_dir/data
cache_dir: $var_dir/cache
etc_dir: $var_dir/etc
ext_dir: $var_dir/ext
messages_dir: $var_dir/messages
archive_dir: $var_dir/archives
template_dir: $var_dir/templates
pid_file: $var_dir/master.pid
lock_file: $lock_dir/master.lck
[database]
class: mailman.database.sqlite.SQLiteDatabase
url: sqlite:///{folder}/var/mailman.db
[mta]
incoming: mailman.mta.null.NullMTA
outgoing: mailman.mta.deliver.deliver
smtp_host: 127.0.0.1
smtp_port: {smtp}
lmtp_host: 127.0.0.1
lmtp_port: {lmtp}
[archiver.mhonarc]
enable: no
[archiver.mail_archive]
enable: no
[archiver.prototype]
enable: no
"""


@dataclass(frozen=True)
class Mailman:
    """A list. lmtp: the port for its mail. folder: its files, including the logs."""

    address: str
    lmtp: int
    folder: Path

    def post(self, sender: str, raw: bytes) -> None:
        """Deliver a post, as a mail server does."""
        with smtplib.LMTP(
            "127.0.0.1", self.lmtp, timeout=HANGING_SECONDS, local_hostname="localhost"
        ) as server:
            server.sendmail(sender, [self.address], raw)

    def log(self) -> str:
        """Return its log."""
        files = sorted((self.folder / "var" / "log").glob("*.log")), self.folder / "output"
        return "".join(file.read_text(errors="replace") for file in (*files[0], files[1]) if file.exists())


@contextmanager
def mailman(
    address: str,
    smtp: int,
    members: Sequence[str],
    writers: Sequence[str] = (),
    archiver: str = "",
    footer: bool = False,
) -> Iterator[Mailman]:
    """Run Mailman. Raises ServerMissingError.

    smtp: the port for outgoing posts. members: the addresses that get all posts. writers: those who may post
    and get nothing. archiver: the configuration of an archiver. footer: whether the list adds its own.
    """
    if not MASTER.exists():
        raise ServerMissingError("Mailman is not installed: apt-get install mailman3")
    with server_folder("mailman") as folder:
        (lmtp,) = free_ports(1)
        (folder / "var").mkdir()
        (folder / "none.txt").write_text("")
        (folder / "mailman.cfg").write_text(
            _CONFIG.format(folder=folder, smtp=smtp, lmtp=lmtp, more="") + archiver
        )
        (folder / "inside.py").write_text(INSIDE.read_text())
        plan = {
            "members": [*members],
            "writers": [*writers],
            "archived": bool(archiver),
            "footer": None if footer else str(folder / "none.txt"),
            "attributes": {"subject_prefix": "", "max_message_size": 0, "max_num_recipients": 0},
        }
        give_away(folder)
        words = [
            str(PYTHON),
            str(folder / "inside.py"),
            str(folder / "mailman.cfg"),
            address,
            json.dumps(plan),
        ]
        process: subprocess.Popen[bytes] | None = None
        try:
            process = run_unprivileged(words, folder / "output")
            wait_for(lmtp, process, folder / "output")
            yield Mailman(address, lmtp, folder)
        finally:
            end(process)
