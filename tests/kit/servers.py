"""Real servers for tests, each in its own folder and on its own ports: Dovecot, Postfix, PostgreSQL.

They don't touch the machine's own servers, and any number can run side by side. Dovecot and PostgreSQL run
without privileges (started by root, they switch to nobody). Postfix can only be started by root.
"""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from tests.kit import server_settings
from tests.kit.cached_services import CachedFolder
from tests.kit.certificates import CertificateFiles, issue
from tests.kit.ports import free_ports

PASSWORD = "secret"
DOMAIN = "example.test"
START_SECONDS, HANGING_SECONDS = 300, 300
"""Limits against hanging: no server and no program takes as long on the slowest machine."""
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])

LEFT_OUT = "left out: "
"""The prefix of the reason for skipping a test that needs a server."""

Server = TypeVar("Server")
_serial = itertools.count(1)


class ServerMissingError(Exception):
    """Raised if a server isn't installed on this machine. The reason says what to install."""


def running(server: Callable[[], contextlib.AbstractContextManager[Server]]) -> Iterator[Server]:
    """The body of a fixture: yields the server. Without it tests are skipped, or fail under CI."""
    with contextlib.ExitStack() as open_things:
        try:
            ready = open_things.enter_context(server())
        except ServerMissingError as why:
            pytest.skip(f"{LEFT_OUT}{why}")
        yield ready


# Dovecot.


@dataclass
class Dovecot:
    """IMAP with STARTTLS and with TLS, and LMTP. Every name is a user, whose mailbox its first email
    creates.

    imap, imaps, lmtp: ports of 127.0.0.1. papers: the certificate; `papers.authority` is the authority to
    trust.
    """

    folder: Path
    imap: int
    imaps: int
    lmtp: int
    papers: CertificateFiles
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def somebody(self, stem: str = "gm") -> str:
        """Return a new user, for a single test."""
        return f"{stem}{next(_serial)}"

    def deliver(
        self, user: str, raw: bytes, to: str | None = None, sender: str = "player@example.test"
    ) -> None:
        """Deliver an email to a user's INBOX. to: another address of the user, such as
        gm+suffix@example.test.
        """
        with smtplib.LMTP(
            "127.0.0.1", self.lmtp, timeout=HANGING_SECONDS, local_hostname="localhost"
        ) as server:
            server.sendmail(sender, [to or f"{user}@{DOMAIN}"], raw)

    def mailbox(self, user: str, folder: str = "INBOX") -> Path:
        """Return the Maildir of a user's folder."""
        home = self.folder / "mail" / user
        return home if folder == "INBOX" else home / f".{folder.replace('/', '.')}"

    def letters(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """Return all emails of a folder as stored on disk, in the order of their arrival.

        Dovecot renames an email when a client looks at it. Files that move meanwhile are read again.
        """
        maildir = self.mailbox(user, folder)
        while True:
            files = _files(maildir)
            with contextlib.suppress(FileNotFoundError):
                letters = [file.read_bytes() for file in files]
                if _files(maildir) == files:
                    return letters

    def forget_numbers(self, user: str) -> None:
        """Renumber the INBOX with a new UIDVALIDITY."""
        for file in self.mailbox(user).glob("dovecot*"):
            if not file.name.startswith("dovecot-uidvalidity"):
                file.unlink()

    def hang_up(self) -> int:
        """Cut every IMAP connection, as a network failure does. Returns how many there were."""
        cut = 0
        for status in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                words = status.read_text().rpartition(")")
                name, parent = words[0].partition("(")[2], int(words[2].split()[1])
                if self.process and parent == self.process.pid and name == "imap":
                    os.kill(int(status.parent.name), signal.SIGKILL)
                    cut += 1
        return cut

    def start(self) -> None:
        """Start the server, or start it again on the same ports with the same emails."""
        config = self.folder / "dovecot.conf"
        self.process = run_unprivileged(
            [_program("dovecot"), "-F", "-c", str(config)], self.folder / "output"
        )
        for port in (self.imap, self.imaps, self.lmtp):
            wait_for(port, self.process, self.folder / "output", self.folder / "dovecot.log")

    def stop(self) -> None:
        """Stop the server. Its emails stay."""
        end(self.process)
        self.process = None


@contextmanager
def dovecot(tokens: int | None = None) -> Iterator[Dovecot]:
    """Run Dovecot 2.3 or 2.4. tokens: the port of the server that checks access tokens.

    Raises ServerMissingError.
    """
    program = _program("dovecot", "dovecot-imapd dovecot-lmtpd")
    _program("openssl", "openssl")
    if not any(Path(place, "lmtp").exists() for place in ("/usr/lib/dovecot", "/usr/libexec/dovecot")):
        raise ServerMissingError("Dovecot has no LMTP here: apt-get install dovecot-lmtpd")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    with server_folder("dovecot") as folder:
        papers = issue(folder / "tls")
        ports = free_ports(3)
        text = server_settings.dovecot(folder, version, ports, papers, _server_user(), PASSWORD, tokens)
        (folder / "dovecot.conf").write_text(text)
        for name in ("run", "state", "mail"):
            (folder / name).mkdir()
        give_away(folder)
        running = Dovecot(folder, *ports, papers)
        try:
            running.start()
            yield running
        finally:
            running.stop()


def _files(maildir: Path) -> list[Path]:
    """Return the files of a Maildir, oldest first. A renamed email may appear twice or not at all."""
    files = [file for part in ("new", "cur") for file in maildir.glob(f"{part}/*")]
    return sorted(files, key=lambda file: (_arrival(file), file.name))


def _arrival(file: Path) -> tuple[int, int]:
    """Return the second and microsecond at the start of Dovecot's file names."""
    second, _, rest = file.name.partition(".M")
    return int(second), int(rest.partition("P")[0])


# Postfix.


@dataclass
class Postfix:
    """SMTP with STARTTLS and without login, which passes mail for DOMAIN to Dovecot over LMTP."""

    folder: Path
    port: int
    papers: CertificateFiles

    def waiting(self) -> list[Path]:
        """Return the emails in the queue after a failed delivery."""
        return sorted(file for file in (self.folder / "spool" / "deferred").rglob("*") if file.is_file())

    def try_again(self) -> None:
        """Retry the queue now."""
        words = [_program("postqueue"), "-c", str(self.folder / "etc"), "-f"]
        subprocess.run(words, check=True, capture_output=True, timeout=HANGING_SECONDS)

    def log(self) -> str:
        """Return its log."""
        return (self.folder / "log").read_text(errors="replace")


@contextmanager
def postfix(into: Dovecot, also: tuple[str, str] = ("", "")) -> Iterator[Postfix]:
    """Run Postfix in front of Dovecot, with the same certificate. Raises ServerMissingError.

    also: additional lines of main.cf and master.cf.
    """
    program = _program("postfix", "postfix")
    if os.geteuid() != 0:
        raise ServerMissingError("Postfix can only be started by root")
    with server_folder("postfix") as folder:
        (port,) = free_ports(1)
        for name in ("etc", "spool", "data"):
            (folder / name).mkdir()
        shutil.chown(folder / "data", "postfix")
        main, master = server_settings.postfix(folder, port, into.lmtp, into.papers, DOMAIN)
        (folder / "etc" / "main.cf").write_text(main + also[0])
        (folder / "etc" / "master.cf").write_text(master + also[1])
        command = [program, "-c", str(folder / "etc")]
        try:
            started = subprocess.run(
                [*command, "start"], capture_output=True, text=True, timeout=HANGING_SECONDS
            )
            assert started.returncode == 0, started.stderr + _tail(folder / "log")
            wait_for(port, None, folder / "log")
            yield Postfix(folder, port, into.papers)
        finally:
            subprocess.run([*command, "stop"], capture_output=True, timeout=HANGING_SECONDS, check=False)


# PostgreSQL.


@dataclass
class PostgreSQL:
    """A database server that trusts every user of this machine."""

    folder: Path
    port: int
    psql: str
    begin: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes]

    def crash(self) -> None:
        """Kill the server, and start it again from its log."""
        end(self.process, signal.SIGQUIT)
        self.process = self.begin()
        _wait_until(lambda: self._ask("select 1"), self.process, self.folder / "log")

    def fresh(self) -> str:
        """Return the URL of a new, empty database."""
        name = f"test{next(_serial)}"
        self._ask(f"create database {name}")
        return self._url(name)

    def _ask(self, sql: str) -> None:
        words = [self.psql, "-qX", "-v", "ON_ERROR_STOP=1", "-c", sql, self._url("postgres")]
        subprocess.run(words, check=True, capture_output=True, timeout=HANGING_SECONDS)

    def _url(self, name: str) -> str:
        return f"postgresql://turnpost@127.0.0.1:{self.port}/{name}"


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Run PostgreSQL in the newest installed version. Raises ServerMissingError."""
    programs = _initdb().parent
    with server_folder("postgresql") as folder:
        shutil.copytree(_CLUSTER.folder(), folder / "data")
        give_away(folder)
        (port,) = free_ports(1)
        # The data needn't survive the machine, only our own errors, and it is deleted before it needs
        # maintenance.
        untended = "-c fsync=off -c full_page_writes=off -c autovacuum=off -c shared_buffers=16MB"
        options = f"-p {port} -h 127.0.0.1 -k {folder} {untended}"
        server = [str(programs / "postgres"), "-D", str(folder / "data"), *options.split()]

        def begin() -> subprocess.Popen[bytes]:
            process = run_unprivileged(server, folder / "log")
            wait_for(port, process, folder / "log")
            return process

        running = PostgreSQL(folder, port, str(programs / "psql"), begin, begin())
        try:
            _wait_until(lambda: running.fresh(), running.process, folder / "log")
            yield running
        finally:
            # Stop at once. Otherwise it would wait for clients that a test forgot.
            end(running.process, signal.SIGINT)


def _initdb() -> Path:
    """Return the program in the newest version. Raises ServerMissingError."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: float(place.parent.name))
    program = shutil.which("initdb", path=os.pathsep.join([*map(str, reversed(folders)), PATH]))
    if program is None:
        raise ServerMissingError("PostgreSQL is not installed: apt-get install postgresql")
    return Path(program).resolve()


def _lay_out_cluster(folder: Path) -> None:
    """Create the files of a new server."""
    with server_folder("initdb") as made:
        give_away(made)
        words = [str(_initdb()), "-D", str(made / "data"), "-U", "turnpost", "--auth=trust", "--no-sync"]
        process = run_unprivileged([*words, "--encoding=UTF8", "--locale=C"], made / "output")
        assert process.wait(timeout=HANGING_SECONDS) == 0, _tail(made / "output")
        shutil.copytree(made / "data", folder)


_CLUSTER = CachedFolder(_lay_out_cluster)
"""Made once per run and copied by each test process, which takes a seventh of the time."""


# Common parts.


def _program(name: str, package: str = "") -> str:
    found = shutil.which(name, path=PATH)
    if found is None:
        raise ServerMissingError(f"{name} is not installed: apt-get install {package or name}")
    return found


@contextmanager
def server_folder(name: str) -> Iterator[Path]:
    # Not tmp_path: other users can't enter root's folders there, and sockets need a short path.
    place = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _server_user() -> tuple[str, str]:
    """Return user and group for the servers."""
    if os.geteuid() == 0:
        return "nobody", "nogroup"
    user = pwd.getpwuid(os.geteuid())
    return user.pw_name, str(user.pw_gid)


def give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        user, group = _server_user()
        for place in (folder, *folder.rglob("*")):
            shutil.chown(place, user, group)


def run_unprivileged(words: list[str], output: Path) -> subprocess.Popen[bytes]:
    user, group = _server_user()
    become = {"user": user, "group": group, "extra_groups": []} if os.geteuid() == 0 else {}
    environment = {"PATH": PATH, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(output.parent)}
    with output.open("ab") as log:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=output.parent,
            env=environment,
            **become,
        )


def wait_for(port: int, process: subprocess.Popen[bytes] | None, *logs: Path) -> None:
    """Wait until a server listens. logs: the files to show if the process ends before or takes too long."""
    _wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1).close(), process, *logs)


def _wait_until(done: Callable[[], object], process: subprocess.Popen[bytes] | None, *logs: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            done()
            return
        except (OSError, subprocess.SubprocessError) as fault:
            ended = process is not None and process.poll() is not None
            if ended or time.monotonic() > end:
                said = "\n".join(_tail(log) for log in logs)
                raise AssertionError(f"a server did not start: {fault}\n{said}") from fault
            time.sleep(0.02)


def end(process: subprocess.Popen[bytes] | None, by: signal.Signals = signal.SIGTERM) -> None:
    """End a server, at first gently."""
    if process is not None:
        process.send_signal(by)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-3000:] if log.exists() else ""
