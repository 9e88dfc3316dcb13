"""``gm doctor``, ``gm status``, and ``gm init`` with the GM's own mailbox, on real servers."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli import status as gm_doctor
from adjudicator.cli.app import app
from adjudicator.daemon import doctor
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.ports import free_ports
from tests.kit.servers import DOMAIN, PASSWORD, Dovecot, Postfix

pytestmark = pytest.mark.usefixtures("many_logins")


@pytest.fixture
def user(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> str:
    """A GM with a mailbox, whose password is in the environment."""
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    return dovecot.somebody()


def init(folder: Path, dovecot: Dovecot, smtp_port: int, user: str, *words: str) -> Result:
    """Run ``gm init`` for a mailbox on these servers and return its output."""
    urls = [f"--inbox=imap://{user}@localhost:{dovecot.imap}", f"--outbox=smtp://localhost:{smtp_port}"]
    address = [f"--address={user}@{DOMAIN}", f"--ca-file={dovecot.papers.authority}", "--yes"]
    return CliRunner().invoke(app, ["init", f"--folder={folder}", *address, *urls, *words], prog_name="gm")


@pytest.fixture
def served(tmp_path: Path, dovecot: Dovecot, postfix: Postfix, user: str) -> Terminal:
    """A service on Dovecot and Postfix."""
    done = init(tmp_path, dovecot, postfix.port, user)
    assert done.exit_code == 0, done.output
    return Terminal(tmp_path)


def grades(told: list[dict[str, str]]) -> dict[str, str]:
    """The worst grade of each thing that was looked at."""
    worst: dict[str, str] = {}
    for finding in told:
        order = ("good", "odd", "bad")
        worst[finding["about"]] = max(finding["grade"], worst.get(finding["about"], "good"), key=order.index)
    return worst


def test_init_logs_in_before_it_writes(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_IMAP_PASSWORD", "wrong")
    refused = init(tmp_path, dovecot, postfix.port, user)
    assert refused.exit_code == 1
    assert "the login was rejected" in refused.stderr
    assert not (tmp_path / "gm.toml").exists()
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    assert init(tmp_path, dovecot, 1, user).exit_code == 1
    assert not (tmp_path / "gm.toml").exists()
    done = init(tmp_path, dovecot, postfix.port, user)
    assert done.exit_code == 0, done.output
    assert f"login of {user} at localhost:{dovecot.imap}, under STARTTLS" in done.stdout
    assert "outgoing mail" in done.stdout
    assert "doctor" in done.stdout


def test_all_is_well(served: Terminal) -> None:
    told = served.told("doctor --wait 300")
    assert set(grades(told).values()) == {"good"}, told
    # What else is found depends on what runs on this machine.
    assert set(grades(told)) >= {
        *("files", "database", "disk", "templates", "inbox", "outbox", "to oneself", "clock")
    }
    assert sum(finding["about"] == "to oneself" for finding in told) == 2
    assert served.says("doctor --wait 0").endswith("No problems found.\n")


@pytest.mark.parametrize(
    ("bad", "odd", "ends"),
    [
        (0, 0, "No problems found."),
        (0, 1, "1 warning."),
        (2, 0, "2 errors."),
        (1, 3, "1 error, 3 warnings."),
    ],
)
def test_all_is_well_only_where_nothing_is_to_be_seen_to(bad: int, odd: int, ends: str) -> None:
    assert gm_doctor._summary(bad, odd) == ends


def test_what_no_email_can_ever_show_is_told(served: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """No signature can be checked, and no server is named that checks senders."""
    monkeypatch.setattr("adjudicator.service.can_check", lambda: False)
    (odd,) = [one for one in served.told("doctor --wait 0") if one["about"] == "authentication"]
    assert (odd["grade"], "verified-from" in odd["said"]) == ("odd", True)
    assert "No problems found" not in served.says("doctor --wait 0")
    monkeypatch.setattr("adjudicator.service.can_check", lambda: True)
    assert "authentication" not in grades(served.told("doctor --wait 0"))


def test_its_letters_are_read_by_nobody(served: Terminal) -> None:
    served.told("doctor --wait 300")
    served.says("run poll")
    served.says("run process")
    assert {letter["decided"] for letter in served.told("mail list")} == {"ignored"}
    assert served.told("mail list --out") == []


def test_plus_addresses_that_do_not_arrive(
    served: Terminal, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider delivers to the address, and loses what has a + in it."""
    config = served.config.read_text().replace("[outbox]", "[outbox]\nprobe = false")
    served.config.write_text(config)
    send = doctor._send
    lost = f"nobody@{DOMAIN}"
    monkeypatch.setattr(
        doctor, "_send", lambda service, key, address: send(service, key, lost if "+" in address else address)
    )
    arrivals = doctor._arrivals

    def once_the_other_is_there(service, sent, seconds):
        arrivals(service, {address: one for address, one in sent.items() if "+" not in address}, 300)
        return arrivals(service, sent, seconds)

    monkeypatch.setattr(doctor, "_arrivals", once_the_other_is_there)
    result = served.gm("doctor --wait 1 --json")
    assert result.exit_code == 1
    (bad,) = [finding for finding in json.loads(result.stdout) if finding["grade"] == "bad"]
    assert bad["about"] == "to oneself"
    assert "recipient_delimiter" in bad["instead"]


def test_a_login_that_fails_says_what_to_do(served: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_IMAP_PASSWORD", "wrong")
    result = served.gm("doctor")
    assert result.exit_code == 1
    assert "ERROR   inbox: " in result.stdout
    assert "app password" in result.stdout
    assert "to oneself" not in result.stdout, "it is no use"
    assert result.stdout.endswith("1 error.\n")


def test_a_certificate_of_a_stranger(served: Terminal, tmp_path: Path) -> None:
    config = served.config.read_text().splitlines()
    served.config.write_text("\n".join(line for line in config if not line.startswith("ca_file")))
    config = served.config.read_text().replace("@localhost:", "@127.0.0.1:")
    served.config.write_text(config)
    told = json.loads(served.gm("doctor --wait 0 --json").stdout)
    assert grades(told)["inbox"] == "good", "towards this machine, without TLS"


@pytest.mark.parametrize(
    ("millis", "grade", "words"),
    [
        (0, "good", "agrees"),
        (-300_000, "odd", "300 seconds behind"),
        (300_000, "odd", "300 seconds ahead of"),
    ],
)
def test_clocks(millis: int, grade: str, words: str) -> None:
    now = 1_795_000_000_000
    finding = doctor._skew(now, now + millis, now)
    assert (finding.grade, words in finding.said) == (grade, True)


def test_files_that_others_can_read(served: Terminal) -> None:
    database = served.folder / "turnpost.db"
    database.chmod(0o644)
    told = json.loads(served.gm("doctor --wait 0 --json").stdout)
    (bad,) = [finding for finding in told if finding["grade"] == "bad"]
    assert bad["instead"] == f"chmod go= {database}"
    database.chmod(0o600)
    text = served.config.read_text()
    for said in (f'"{PASSWORD}"', f'{{ command = "echo {PASSWORD}" }}'):
        served.config.write_text(text.replace('{ env = "GM_IMAP_PASSWORD" }', said))
        served.config.chmod(0o644)
        told = json.loads(served.gm("doctor --wait 0 --json").stdout)
        assert [finding["instead"] for finding in told if finding["grade"] == "bad"] == [
            f"chmod go= {served.config}"
        ]


def test_a_database_that_is_damaged(terminal: Terminal) -> None:
    with (terminal.folder / "turnpost.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 8192)
    for file in terminal.folder.glob("turnpost.db-*"):
        file.unlink()
    result = terminal.gm("doctor")
    assert result.exit_code == 1
    assert "turnpost.db" in result.output
    assert "Traceback" not in result.output


def test_status_on_one_page(served: Terminal, dovecot: Dovecot) -> None:
    assert "gm game new" in served.says("status")
    served.says("game new indianomacy beaver")
    served.says(f"seat assign beaver iroquois {dovecot.somebody('iroquois')}@{DOMAIN}")
    told = served.told("status")
    assert told["games"][0]["turn"] == "S1M"
    assert told["games"][0]["missing"] == "Iroquois"
    assert (told["last_poll"], told["letters_out"]["ready"], told["troubles"]) == (None, 1, [])
    served.says("run poll")
    page = served.says("status")
    assert "beaver" in page
    assert "never" not in page


def test_status_tells_of_troubles(served: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_IMAP_PASSWORD", "wrong")
    assert "the login was rejected" in served.refused("run poll")
    assert served.says("status").startswith("Problem with incoming mail since 20")
    (trouble,) = served.told("status")["troubles"]
    assert trouble["name"] == "letters in"
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    served.says("run poll")
    assert served.told("status")["troubles"] == []


def test_the_doctor_of_a_service_on_this_machine(tmp_path: Path) -> None:
    """The doctor opens the embedded server itself while the service doesn't run."""
    terminal = Terminal(tmp_path)
    (port,) = free_ports(1)
    terminal.says(f"init --yes --listen 127.0.0.1:{port}")
    told = terminal.told("doctor --wait 300")
    assert set(grades(told).values()) == {"good"}, told
    assert "gm serve doesn't run" in next(x["said"] for x in told if x["about"] == "mail server")
