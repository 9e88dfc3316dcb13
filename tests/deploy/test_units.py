"""systemd's units: checked by systemd itself, restricted, and consistent."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app
from tests.deploy.conftest import PATIENCE, ROOT, Program
from tests.kit.servers import LEFT_OUT

DEPLOY = ROOT / "deploy"
SERVICES = sorted(file.name for file in DEPLOY.glob("*.service"))
TIMERS = sorted(file.name for file in DEPLOY.glob("*.timer"))
pytestmark = PATIENCE
MOST_EXPOSED = 1.5
"""By the measure of systemd, from 0 (nothing can be done to others) to 10 (anything)."""


def analyze(*words: str) -> str:
    """Run systemd-analyze and return its output with its warnings."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip(f"{LEFT_OUT}systemd-analyze is not installed: apt-get install systemd")
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def unit(name: str) -> configparser.ConfigParser:
    """A unit's sections; of a key that stands twice the last."""
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]  # keys have capitals
    read.read(DEPLOY / name)
    return read


@pytest.mark.parametrize("name", [*SERVICES, *TIMERS])
def test_systemd_has_nothing_to_say_against_it(name: str, program: Program, tmp_path: Path) -> None:
    """The unit as written, with the program in the place where it is installed."""
    for file in (*SERVICES, *TIMERS):
        text = (DEPLOY / file).read_text().replace("/opt/turnpost", str(program.prefix))
        (tmp_path / file).write_text(text)
    assert analyze("verify", "--man=no", str(tmp_path / name)) == ""


@pytest.mark.parametrize("name", SERVICES)
def test_it_may_run_as_a_user_who_is_always_there(name: str, program: Program, tmp_path: Path) -> None:
    """With the drop-in for a mail server that pipes."""
    text = (DEPLOY / name).read_text().replace("/opt/turnpost", str(program.prefix))
    (tmp_path / name).write_text(text)
    drop_in = tmp_path / f"{name}.d" / "mta.conf"
    drop_in.parent.mkdir()
    shutil.copy(DEPLOY / "mta" / "turnpost-mta.conf", drop_in)
    assert analyze("verify", "--man=no", str(tmp_path / name)) == ""
    drop_in.write_text(drop_in.read_text().replace("Group=turnpost", "Gruop=turnpost"))
    assert "Gruop" in analyze("verify", "--man=no", str(tmp_path / name)), "it has been read"


def test_systemd_would_make_that_user() -> None:
    if shutil.which("systemd-sysusers") is None:
        pytest.skip(f"{LEFT_OUT}systemd-sysusers is not installed: apt-get install systemd")
    words = ["systemd-sysusers", "--dry-run", str(DEPLOY / "mta" / "turnpost.sysusers")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert re.search(r"Creating user '?turnpost'? ", done.stderr), done.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_it_can_do_little_to_others(name: str) -> None:
    said = analyze("security", "--offline=true", str(DEPLOY / name))
    exposed = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert exposed is not None
    assert float(exposed[1]) <= MOST_EXPOSED, said


@pytest.mark.parametrize("name", SERVICES)
def test_all_services_are_shut_in_alike(name: str) -> None:
    """One wall, written three times, since systemd has no other way."""
    wall = {key: value for key, value in unit("turnpost.service")["Service"].items() if not _own(key)}
    assert {key: value for key, value in unit(name)["Service"].items() if not _own(key)} == wall
    assert wall["DynamicUser"] == "yes"
    assert wall["StateDirectoryMode"] == "0700"


def _own(key: str) -> bool:
    return key.startswith(("Exec", "Restart", "Timeout", "Success")) or key in (
        "Type",
        "NotifyAccess",
        "WatchdogSec",
        "Environment",
    )


def test_the_service_is_watched() -> None:
    service = unit("turnpost.service")["Service"]
    assert (service["Type"], service["NotifyAccess"], service["Restart"]) == ("notify", "main", "always")
    assert int(service["WatchdogSec"]) >= 60


@pytest.mark.parametrize("name", TIMERS)
def test_each_timer_has_its_service(name: str) -> None:
    assert name.replace(".timer", ".service") in SERVICES
    assert unit(name)["Install"]["WantedBy"] == "timers.target"


def test_the_commands_of_units_and_of_cron_are_ones_that_there_are() -> None:
    """Each `gm` that is called anywhere below deploy/ explains itself."""
    texts = [(DEPLOY / file).read_text() for file in (*SERVICES, "turnpost.cron")]
    called = {
        tuple(words.split())
        for text in texts
        for words in re.findall(r"/bin/gm (?:--config \S+ )?((?:[a-z]+ ?)+)", text)
    }
    assert ("serve",) in called
    assert ("run", "poll") in called
    for words in called - {("run",)}:
        known = [word for word in words if word.isalpha()][: 2 if words[0] == "run" else 1]
        assert CliRunner().invoke(app, [*known, "--help"], prog_name="gm").exit_code == 0


def test_a_round_goes_on_where_a_step_fails(tmp_path: Path) -> None:
    """The lines of turnpost-round.service, one by one, with a mailbox that is not there."""
    config = tmp_path / "gm.toml"

    def gives(line: str) -> int:
        words = ["--config", str(config), *line.split()]
        return CliRunner().invoke(app, words, prog_name="gm").exit_code

    assert gives("init --no-local --yes --timezone UTC") == 0
    config.write_text(config.read_text().replace('"maildir:./mail/in"', '"imap://gm@127.0.0.1:9"'))
    config.write_text(config.read_text().replace("[outbox]", 'password = "x"\n[outbox]', 1))
    lines = re.findall(
        r"^ExecStart=(-?)\S+ --config \S+ (.*)$", _text("turnpost-round.service"), re.MULTILINE
    )
    assert [words for _, words in lines] == ["run poll", "run process", "run send", "status --check"]
    assert [gives(words) for _, words in lines] == [1, 0, 0, 4]
    assert [dash for dash, _ in lines] == ["-", "-", "-", ""], "the last alone decides how the round went"


def test_the_lines_of_cron_do_what_they_say(program: Program, tmp_path: Path) -> None:
    """As cron runs them, which needs \\% for a per cent sign."""
    program.run(tmp_path, "init", "--no-local", "--yes", "--timezone", "UTC")
    config = tmp_path / "gm.toml"
    lines = [line.split(None, 6) for line in _text("turnpost.cron").splitlines() if re.match(r"[*\d]", line)]
    assert {words[5] for words in lines} == {"turnpost"}
    rounds, copies, check = (_as_here(words[6], program, tmp_path) for words in lines)
    around = {"PATH": "/usr/bin:/bin", "GM_CONFIG": str(config), "HOME": str(tmp_path)}

    def run(line: str) -> tuple[int, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=around, capture_output=True, text=True, timeout=300, check=False
        )
        return done.returncode, done.stdout + done.stderr

    assert "the mailbox was never polled" in run(check)[1], "this is what comes by mail"
    assert run(rounds) == (0, "")
    assert run(check) == (0, "")
    assert run(copies) == (0, "")
    assert not list(tmp_path.glob("backup.new*")), "only what is whole takes the old one's place"
    (copy,) = tmp_path.glob("backup.*")
    assert re.fullmatch(r"backup\.[1-7]", copy.name)


def _as_here(line: str, program: Program, folder: Path) -> str:
    line = line.replace("/opt/turnpost", str(program.prefix)).replace("/var/lib/turnpost", str(folder))
    return line.replace("\\%", "%")


def _text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")
