"""The doctor's findings about a deployed service, with recorded answers of systemd and Postfix."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adjudicator import __version__
from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.daemon import environment as around
from adjudicator.daemon.doctor import examine
from adjudicator.daemon.environment import Finding, environment, program_output
from adjudicator.service import Service, open_service
from adjudicator.storage import metadata
from tests.kit.mail import letter

NOW = 1_795_000_000_000
CONFIG = """\
[service]
address = "gm@example.org"
[inbox]
url = "maildir:./mail/in"
[outbox]
url = "maildir:./mail/out"
"""
MASTER = """\
smtp       inet  n       -       y       -       -       smtpd
turnpost   unix  -       n       n       -       4       pipe flags=DROX user={user} \
argv=/usr/local/lib/turnpost-receive
"""


@dataclass
class Machine:
    """Answers like the programs of a machine on which it is all in order."""

    units: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            "turnpost.service": {
                "LoadState": "loaded",
                "ActiveState": "active",
                "UnitFileState": "enabled",
                "WatchdogUSec": "2min",
                "NRestarts": "0",
            },
            "turnpost-round.timer": {"LoadState": "loaded", "ActiveState": "inactive"},
            "turnpost-backup.timer": {"LoadState": "loaded", "ActiveState": "active"},
        }
    )
    synchronised: str | None = "yes"
    master: str | None = None
    values: dict[str, str] = field(
        default_factory=lambda: {"turnpost_destination_recipient_limit": "1", "recipient_delimiter": "+"}
    )

    def __call__(self, words: Sequence[str]) -> str | None:
        match words:
            case ["systemctl", "show", _, *names]:
                parts = [{"Id": name, **self.units[name]} for name in names if name in self.units]
                return "\n\n".join(
                    "\n".join(f"{key}={value}" for key, value in part.items()) for part in parts
                )
            case ["timedatectl", *_]:
                return self.synchronised
            case ["postconf", "-M"]:
                return self.master
            case ["postconf", "-h", name]:
                return f"{self.values.get(name, '')}\n"
        return None


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    (tmp_path / "gm.toml").write_text(CONFIG)
    service = open_service(load_settings(tmp_path / "gm.toml"), ManualClock(NOW))
    yield service
    service.database.close()


@pytest.fixture
def machine() -> Machine:
    return Machine()


def list_findings(service: Service, machine: Machine, about: str) -> list[Finding]:
    return [one for one in environment(service, machine) if one.about == about]


def find_finding(service: Service, machine: Machine, about: str) -> Finding:
    (one,) = list_findings(service, machine, about)
    return one


def test_all_is_well(service: Service, machine: Machine) -> None:
    assert {one.grade for one in environment(service, machine)} == {"good"}
    assert "runs, is watched, and starts with the machine" in find_finding(service, machine, "unit").said


def test_where_there_is_no_systemd_nothing_is_said_of_it(service: Service) -> None:
    assert {one.about for one in environment(service, lambda words: None)} == {"disk", "files"}


def test_where_it_has_no_unit_somebody_else_begins_it(service: Service, machine: Machine) -> None:
    for one in machine.units.values():
        one |= {"LoadState": "not-found", "ActiveState": "inactive"}
    assert find_finding(service, machine, "unit").grade == "good"


@pytest.mark.parametrize(
    ("changed", "grade", "said", "instead"),
    [
        ({"ActiveState": "failed"}, "bad", "doesn't run (failed)", "journalctl"),
        ({"WatchdogUSec": "0"}, "odd", "isn't watched", "WatchdogSec"),
        ({"UnitFileState": "disabled"}, "odd", "doesn't start with the machine", "systemctl enable"),
        ({"NRestarts": "7"}, "odd", "was restarted 7 times", "journalctl"),
    ],
)
def test_a_unit_that_is_not_as_it_should_be(
    service: Service, machine: Machine, changed: dict[str, str], grade: str, said: str, instead: str
) -> None:
    machine.units["turnpost.service"] |= changed
    one = find_finding(service, machine, "unit")
    assert (one.grade, said in one.said, instead in (one.instead or "")) == (grade, True, True)


def test_a_timer_does_the_work_as_well_as_a_service(service: Service, machine: Machine) -> None:
    machine.units["turnpost-round.timer"]["ActiveState"] = "active"
    assert find_finding(service, machine, "unit").instead == "systemctl disable --now turnpost-round.timer", (
        "one is enough"
    )
    machine.units["turnpost.service"]["ActiveState"] = "inactive"
    assert find_finding(service, machine, "unit").grade == "good"
    machine.units["turnpost-backup.timer"]["ActiveState"] = "inactive"
    _, copies = list_findings(service, machine, "unit")
    assert (copies.grade, copies.instead) == ("odd", "systemctl enable --now turnpost-backup.timer")


def test_a_service_of_before_the_upgrade(service: Service, machine: Machine) -> None:
    service.resume_after_downtime()
    assert find_finding(service, machine, "program").grade == "good"
    metadata.note_program(service.database, "0.0.9")
    one = find_finding(service, machine, "program")
    assert (one.grade, "0.0.9" in one.said, __version__ in one.said) == ("odd", True, True)
    service.clock.advance(around.SERVICE_ALIVE_FOR + 1)
    assert list_findings(service, machine, "program") == [], "it does not run; then it is of no version"


@pytest.mark.parametrize(
    ("free", "grade"), [(50_000_000, "bad"), (500_000_000, "odd"), (5_000_000_000, "good")]
)
def test_the_disk(
    service: Service, machine: Machine, monkeypatch: pytest.MonkeyPatch, free: int, grade: str
) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=free))
    assert find_finding(service, machine, "disk").grade == grade


@pytest.mark.skipif(os.geteuid() != 0, reason="files can be given away by root alone")
def test_files_of_somebody_else(service: Service, machine: Machine, tmp_path: Path) -> None:
    """Made by root at a shell, in the way of a service that is not root; or the other way round."""
    box, database = tmp_path / "mail" / "in", tmp_path / "turnpost.db"
    shutil.chown(box, "nobody")
    one = find_finding(service, machine, "files")
    assert (one.grade, one.instead) == ("bad", f"chown --reference={database} {box}")
    service.database.close()
    for place in (tmp_path, *tmp_path.rglob("*")):
        shutil.chown(place, "nobody")
    assert find_finding(service, machine, "files").said == "all files belong to nobody"
    shutil.chown(database, "root")
    one = next(one for one in list_findings(service, machine, "files") if f" {database} " in f" {one.said}")
    assert (one.grade, one.instead) == ("bad", f"chown --reference={tmp_path} {database}")


@pytest.mark.skipif(os.geteuid() != 0, reason="files can be given away by root alone")
def test_what_root_does_leaves_the_files_to_their_owner(
    service: Service, machine: Machine, tmp_path: Path
) -> None:
    """`gm` may be typed by root: what SQLite makes beside a database is its owner's."""
    service.database.close()
    for place in (tmp_path, *tmp_path.rglob("*")):
        shutil.chown(place, "nobody", "nogroup")
    service.receive(letter("HELP"))
    with service.database.session():
        owners = {file.name: file.owner() for file in tmp_path.glob("turnpost.db*")}
    assert owners == dict.fromkeys(("turnpost.db", "turnpost.db-wal", "turnpost.db-shm"), "nobody")


def test_the_clock_of_this_machine(service: Service, machine: Machine) -> None:
    assert find_finding(service, machine, "clock").grade == "good"
    machine.synchronised = "no\n"
    assert find_finding(service, machine, "clock").instead == "timedatectl set-ntp true"


def test_a_pipe_that_is_well(service: Service, machine: Machine) -> None:
    assert list_findings(service, machine, "pipe") == [], "nobody has one"
    service.receive(letter("HELP"))
    assert "the last email by gm receive arrived at 2026-11-18" in find_finding(service, machine, "pipe").said
    machine.master = MASTER.format(user=around._owner(Path(service.settings.database)))
    one = find_finding(service, machine, "pipe")
    assert one.grade == "good"
    assert "by its transport turnpost; the last" in one.said


@pytest.mark.parametrize(
    ("spoilt", "said", "instead"),
    [
        ({"flags": "X"}, "sender and recipient: DOR", "flags=DROX"),
        ({"limit": "50"}, "several addresses at once", "postconf -e turnpost_destination_recipient_limit=1"),
        ({"delimiter": ""}, "after a +", "postconf -e recipient_delimiter=+"),
        ({"user": "daemon"}, "runs as daemon, but the database belongs to", "turnpost-mta.conf"),
    ],
)
def test_a_pipe_that_is_not_well(
    service: Service, machine: Machine, spoilt: dict[str, str], said: str, instead: str
) -> None:
    owner = around._owner(Path(service.settings.database))
    master = MASTER.format(user=spoilt.get("user", owner))
    machine.master = master.replace("DROX", spoilt.get("flags", "DROX"))
    machine.values["turnpost_destination_recipient_limit"] = spoilt.get("limit", "1")
    machine.values["recipient_delimiter"] = spoilt.get("delimiter", "+")
    one = find_finding(service, machine, "pipe")
    assert (one.grade, said in one.said, instead in (one.instead or "")) == ("bad", True, True)


def test_a_real_postfix_says_it_in_these_words(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lines of deploy/mta."""
    if shutil.which("postconf", path="/usr/sbin:/usr/bin") is None:
        pytest.skip("Postfix is not installed")
    mta, etc = Path(__file__).parents[3] / "deploy" / "mta", tmp_path / "etc"
    etc.mkdir()
    for name in ("main", "master"):
        (etc / f"{name}.cf").write_text((mta / f"postfix-{name}.cf").read_text())
    monkeypatch.setenv("MAIL_CONFIG", str(etc))
    found = [one for one in environment(service, program_output) if one.about == "pipe"]
    assert [one.said.partition(",")[0] for one in found] == ["the transport turnpost runs as turnpost"]


def test_a_postfix_that_is_not_set_up_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked, it would be silent for a second before it says that it has no main.cf."""
    asked: list[object] = []
    monkeypatch.setattr(subprocess, "run", lambda words, **how: asked.append(words))
    monkeypatch.setenv("MAIL_CONFIG", str(tmp_path))
    assert program_output(["postconf", "-M"]) is None
    assert not asked


def test_a_program_that_fails_says_nothing(tmp_path: Path) -> None:
    assert program_output(["no-such-program-at-all"]) is None
    assert program_output(["false"]) is None
    assert program_output(["echo", "there"]) == "there\n"
    assert program_output(["echo", "\0"]) is None


def test_the_doctor_asks_it_all(service: Service, machine: Machine) -> None:
    about = [one.about for one in examine(service, wait_seconds=0, ask=machine)]
    assert {"unit", "disk", "clock"} <= set(about)


def test_the_unit_names_are_those_that_are_installed() -> None:
    deploy = Path(__file__).parents[3] / "deploy"
    assert all((deploy / name).is_file() for name in (around.SERVICE, around.ROUND, around.COPIES))
    words = ["systemctl", "show", f"--property={around.PROPERTIES}", around.SERVICE]
    program = shutil.which("systemctl")
    if program is not None:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "Unknown property" not in done.stderr
