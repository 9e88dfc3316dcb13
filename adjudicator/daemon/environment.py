"""Checks of a service's surroundings: its unit, timers, mail server's pipe, disk, clock."""

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adjudicator import __version__
from adjudicator.clock import MINUTE, Millis, datetime_of
from adjudicator.config.servers import MaildirAt
from adjudicator.errors import Fault, StoreFault
from adjudicator.service import Service
from adjudicator.storage import metadata

# Findings: the results of checks of the service.


Grade = Literal["good", "odd", "bad"]


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    grade: "good", "odd" (it works, but look at it) or "bad". instead: what to do.
    """

    about: str
    grade: Grade
    said: str
    instead: str | None = None


Ask = Callable[[Sequence[str]], str | None]
"""Runs a program. Returns its output, or None if it isn't installed or fails."""

SERVICE, ROUND, COPIES = "turnpost.service", "turnpost-round.timer", "turnpost-backup.timer"
PROPERTIES = "Id,LoadState,ActiveState,UnitFileState,WatchdogUSec,NRestarts"
MOST_RESTARTS = 3
MAIL_ROUTES = {"letters in": "incoming mail", "letters out": "outgoing mail"}
"""The printed names of the outages that `outbound.sender` records."""

SERVICE_ALIVE_FOR: Millis = 5 * MINUTE
"""The interval within which a running service must have recorded a sign of life."""

PROGRAM_TIMEOUT_SECONDS = 10

_PIPE = re.compile(r"^(\S+)\s+unix\s.*\spipe\s(.*\b(?:turnpost-receive|gm\b.*\breceive)\b.*)$", re.MULTILINE)


def program_output(words: Sequence[str]) -> str | None:
    """Return the output of a program of this machine, or None if it fails."""
    postfix = Path(os.environ.get("MAIL_CONFIG", "/etc/postfix"), "main.cf")
    # Without this file `postconf` takes a second to fail.
    if words[0] == "postconf" and not postfix.exists():
        return None
    if (program := shutil.which(words[0], path="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")) is None:
        return None
    try:
        done = subprocess.run(
            [program, *words[1:]], capture_output=True, text=True, timeout=PROGRAM_TIMEOUT_SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout


def environment(service: Service, ask: Ask = program_output) -> Iterator[Finding]:
    """Check the service's surroundings. Raises no Fault."""
    yield from _units(ask)
    yield from _program(service)
    yield from disk_space(service)
    yield from _owners(service)
    yield from _own_clock(ask)
    yield from _pipe(service, ask)


# systemd.


def _units(ask: Ask) -> Iterator[Finding]:
    names = (SERVICE, ROUND, COPIES)
    output = ask(["systemctl", "show", f"--property={PROPERTIES}", *names])
    if output is None:
        return
    shown = [
        dict(line.split("=", 1) for line in part.splitlines() if "=" in line) for part in output.split("\n\n")
    ]
    units = {part["Id"]: part for part in shown if "Id" in part}
    service_unit, rounds, copies = (units.get(name, {}) for name in names)
    if not any(unit.get("LoadState") == "loaded" for unit in (service_unit, rounds)):
        yield Finding("unit", "good", f"systemd has no {SERVICE}; the service is started in another way")
        return
    yield _worker(service_unit, rounds)
    if copies.get("ActiveState") != "active":
        output = f"{COPIES} doesn't run, so there are no automatic backups"
        yield Finding("unit", "odd", output, f"systemctl enable --now {COPIES}")


def _worker(service: Mapping[str, str], rounds: Mapping[str, str]) -> Finding:
    """Return a finding on whether the service or the timer does the work."""
    serves, goes_round = (unit.get("ActiveState") == "active" for unit in (service, rounds))
    if serves and goes_round:
        return Finding("unit", "odd", f"{SERVICE} and {ROUND} both run", f"systemctl disable --now {ROUND}")
    if goes_round:
        return Finding("unit", "good", f"{ROUND} runs gm run every few minutes")
    if not serves:
        state = service.get("ActiveState", "away")
        advice = f"journalctl --unit {SERVICE} --lines 50, then systemctl enable --now {SERVICE}"
        return Finding("unit", "bad", f"{SERVICE} doesn't run ({state})", advice)
    odd = {
        "isn't watched by systemd": (
            service.get("WatchdogUSec") in ("0", "infinity"),
            "set WatchdogSec=120 in it",
        ),
        "doesn't start with the machine": (
            service.get("UnitFileState") != "enabled",
            f"systemctl enable {SERVICE}",
        ),
        f"was restarted {service.get('NRestarts')} times": (
            int(service.get("NRestarts", "0")) >= MOST_RESTARTS,
            f"journalctl --unit {SERVICE} --priority warning",
        ),
    }
    for fault, (is_so, instead) in odd.items():
        if is_so:
            return Finding("unit", "odd", f"{SERVICE} runs, but {fault}", instead)
    return Finding("unit", "good", f"{SERVICE} runs, is watched, and starts with the machine")


# The program that runs.


def _program(service: Service) -> Iterator[Finding]:
    try:
        with service.database.session():
            awake, serving = metadata.last_alive(service.database), metadata.program_version(service.database)
    except Fault:
        return  # reported for the database
    if awake is None or service.clock.now() - awake > SERVICE_ALIVE_FOR:
        return
    if serving not in (None, __version__):
        text = f"gm serve still runs version {serving}, but {__version__} is installed"
        yield Finding("program", "odd", text, f"systemctl restart {SERVICE}, or restart gm serve")
    else:
        yield Finding("program", "good", f"version {__version__}, alive at {_time(service, awake)}")


def _time(service: Service, at: Millis) -> str:
    return f"{datetime_of(at, service.service_context.zone):%Y-%m-%d %H:%M}"


# The machine.


def _owners(service: Service) -> Iterator[Finding]:
    """Yield a finding on the owner of the files: the service can't write files of another user."""
    if "://" in service.settings.database:
        return
    database = Path(service.settings.database)
    # A folder of root proves nothing: others may have permission to write into it.
    model = database if _owner(database.parent) == "root" else database.parent
    files = dict.fromkeys(
        (database, *sorted(database.parent.glob(f"{database.name}-*")), *written_folders(service))
    )
    strange = [file for file in files if _owner(file) != _owner(model)]
    for file in strange:
        text = f"{file} belongs to {_owner(file)}, {model} to {_owner(model)}, but one user has to write both"
        yield Finding("files", "bad", text, f"chown --reference={model} {file}")
    if not strange:
        yield Finding("files", "good", f"all files belong to {_owner(model)}")


def _owner(file: Path) -> str:
    try:
        number = file.stat().st_uid
    except OSError:
        return "nobody known"
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _own_clock(ask: Ask) -> Iterator[Finding]:
    match (ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"]) or "").strip():
        case "yes":
            yield Finding("clock", "good", "this machine's clock is set from the network")
        case "no":
            text = "this machine's clock isn't set from the network, and deadlines depend on it"
            yield Finding("clock", "odd", text, "timedatectl set-ntp true")


# The pipe through which a mail server delivers emails to us.


def _pipe(service: Service, ask: Ask) -> Iterator[Finding]:
    try:
        with service.database.session():
            last = metadata.last_handed(service.database)
    except Fault:
        return  # reported for the database
    since = (
        f"the last email by gm receive arrived at {_time(service, last)}"
        if last
        else "no email has arrived so far"
    )
    transport = _PIPE.search(ask(["postconf", "-M"]) or "")
    if transport is None:
        if last is not None:
            yield Finding("pipe", "good", since)
        return
    faults = list(_faults(transport[1], transport[2], service, ask))
    yield from faults
    if not faults:
        yield Finding("pipe", "good", f"Postfix delivers emails by its transport {transport[1]}; {since}")


def _faults(name: str, words: str, service: Service, ask: Ask) -> Iterator[Finding]:
    """Yield the errors in a Postfix transport that ends in `gm receive`."""
    flags = re.search(r"\bflags=(\S*)", words)
    missing = [flag for flag in "DOR" if flag not in (flags[1] if flags else "")]
    if missing:
        text = f"the transport {name} doesn't pass on sender and recipient: {''.join(missing)}"
        yield Finding("pipe", "bad", text, "write flags=DROX in its line of master.cf")
    limit = f"{name}_destination_recipient_limit"
    if (ask(["postconf", "-h", limit]) or "").strip() != "1":
        text = f"the transport {name} may get several addresses at once"
        yield Finding("pipe", "bad", text, f"postconf -e {limit}=1")
    if "+" not in (ask(["postconf", "-h", "recipient_delimiter"]) or ""):
        text = "Postfix doesn't treat the text after a + as part of the address"
        yield Finding("pipe", "bad", text, "postconf -e recipient_delimiter=+")
    user = re.search(r"\buser=([^:\s]+)", words)
    owner = None if "://" in service.settings.database else _owner(Path(service.settings.database))
    if user and owner and user[1] != owner:
        text = f"the transport {name} runs as {user[1]}, but the database belongs to {owner}"
        yield Finding("pipe", "bad", text, "see mta/turnpost-mta.conf: both must be the same user")


# Checks of the disks that the service writes to: the free space, also for a database server.


LITTLE_BYTES, TOO_LITTLE_BYTES = 1_000_000_000, 100_000_000


def disk_space(service: Service) -> Iterator[Finding]:
    """Report the free space: a finding for each disk, and for a database on a server. Raises no Fault."""
    if service.database.is_shared:
        yield _server_space(service)
    seen: set[int] = set()
    for folder in written_folders(service):
        try:
            device, free = folder.stat().st_dev, shutil.disk_usage(folder).free
        except OSError:
            continue  # reported for the files
        if device not in seen:
            seen.add(device)
            yield _folder_space(folder, free)


def written_folders(service: Service) -> list[Path]:
    """Return the folders that the service writes to: a database file's, and its Maildirs."""
    settings = service.settings
    folders = [] if service.database.is_shared else [Path(settings.database).parent]
    places = (settings.inbox, *settings.also, settings.outbox)
    return [*folders, *(at.path for at in places if isinstance(at, MaildirAt))]


def _folder_space(folder: Path, free: int) -> Finding:
    text = f"{free / 1e9:.1f} GB are free on the disk of {folder}"
    if free >= LITTLE_BYTES:
        return Finding("disk", "good", text)
    grade: Grade = "bad" if free < TOO_LITTLE_BYTES else "odd"
    return Finding("disk", grade, text, "Make room. On a full disk we can't store emails.")


def _server_space(service: Service) -> Finding:
    try:
        metadata.try_to_grow(service.database)
    except StoreFault as fault:
        instead = "Make room where PostgreSQL keeps its files. Until then we can't store emails or run turns."
        return Finding("disk", "bad", f"the database can't store anything new: {fault.why}", instead)
    return Finding("disk", "good", "the database server has room for new emails")
