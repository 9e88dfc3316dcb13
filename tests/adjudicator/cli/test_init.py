"""``gm init`` tries everything first. If a step fails, it leaves no gm.toml."""

import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.cli.init import ServiceWishes, local_zone, settings_text
from adjudicator.config.secrets import Secret
from adjudicator.config.servers import MaildirAt, Smtp
from adjudicator.config.service import load_settings
from tests.adjudicator.cli.typing_hand import typed_at_terminal
from tests.kit.ports import free_ports

EXAMPLE = Path(__file__).parents[3] / "deploy" / "gm.toml.example"


@pytest.fixture
def port() -> int:
    """A port of loopback that nobody has."""
    return free_ports(1)[0]


@pytest.fixture
def occupied_port() -> Iterator[int]:
    """A port of loopback that somebody has."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield int(one.getsockname()[1])


def init(folder: Path, *words: str) -> Result:
    """Run ``gm init`` and return its output."""
    return CliRunner().invoke(app, ["init", "--folder", str(folder), *words], prog_name="gm")


def test_a_service_for_this_machine(tmp_path: Path, port: int) -> None:
    done = init(tmp_path / "new", "--yes", "--listen", f"127.0.0.1:{port}")
    assert done.exit_code == 0, done.output
    assert "gm.toml serve" in done.stdout
    settings = load_settings(tmp_path / "new" / "gm.toml")
    assert settings.local is not None
    assert settings.local.port == port
    assert settings.outbox == Smtp("127.0.0.1", port, "none")
    assert (tmp_path / "new" / "mail" / "in" / "new").is_dir()
    assert stat.S_IMODE(os.stat(settings.database).st_mode) == 0o600
    assert os.listdir(tmp_path / "new" / "mail" / "in" / "tmp") == []


def test_a_service_between_two_maildirs(tmp_path: Path) -> None:
    done = init(tmp_path, "--no-local", "--address", "judge@example.org", "--json")
    told = json.loads(done.stdout)
    assert told["config"] == str(tmp_path / "gm.toml")
    assert len(told["tried"]) == 3
    assert told["next"]
    settings = load_settings(tmp_path / "gm.toml")
    assert (settings.address, settings.local) == ("judge@example.org", None)
    assert settings.outbox == MaildirAt(tmp_path / "mail" / "out")


def test_letters_out_into_a_folder_beside_a_server_of_its_own(tmp_path: Path, port: int) -> None:
    """The folder is made, though the server that fills it is not running yet."""
    done = init(tmp_path, "--listen", f"127.0.0.1:{port}", "--outbox", "maildir:./mail/sent")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "mail" / "sent" / "new").is_dir()
    assert stat.S_IMODE((tmp_path / "mail" / "sent").stat().st_mode) == 0o700


def test_nobody_else_reads_gm_toml(tmp_path: Path) -> None:
    init(tmp_path, "--no-local")
    assert stat.S_IMODE((tmp_path / "gm.toml").stat().st_mode) == 0o600


def test_config_names_the_file_to_write(tmp_path: Path) -> None:
    place = tmp_path / "etc" / "post.toml"
    words = ["--config", str(place), "init", "--no-local", "--yes"]
    assert CliRunner().invoke(app, words, prog_name="gm").exit_code == 0
    assert load_settings(place).inbox == MaildirAt(tmp_path / "etc" / "mail" / "in")


def test_the_example_is_what_init_writes(tmp_path: Path, port: int) -> None:
    """deploy/gm.toml.example; to renew it, write there what `settings_text` gives here."""
    example = EXAMPLE.read_text(encoding="utf-8")
    zone = "Europe/Amsterdam"
    assert example == settings_text(ServiceWishes("gm@example.org", zone, listen="127.0.0.1:2525"))
    init(
        tmp_path, "--yes", "--address", "gm@example.org", "--timezone", zone, "--listen", f"127.0.0.1:{port}"
    )
    assert (tmp_path / "gm.toml").read_text(encoding="utf-8").replace(str(port), "2525") == example


def test_a_login_is_taken_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--yes", "--no-local", "--outbox", "smtps://gm@smtp.example.org")
    monkeypatch.delenv("GM_SMTP_PASSWORD", raising=False)
    refused = init(tmp_path, *words)
    assert refused.exit_code == 1
    assert "the environment has no variable GM_SMTP_PASSWORD" in refused.stderr
    assert not (tmp_path / "gm.toml").exists()
    text = settings_text(ServiceWishes("gm@example.org", "UTC", outbox="smtps://gm@smtp.example.org"))
    (tmp_path / "gm.toml").write_text(text)
    outbox = load_settings(tmp_path / "gm.toml").outbox
    assert outbox == Smtp(
        "smtp.example.org", 465, "tls", "gm", Secret("env", "GM_SMTP_PASSWORD", "[outbox] password")
    )


def test_a_gm_toml_that_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "gm.toml").write_text("precious")
    refused = init(tmp_path, "--yes", "--no-local")
    assert refused.exit_code == 1
    assert "it already exists" in refused.stderr
    assert (tmp_path / "gm.toml").read_text() == "precious"
    assert init(tmp_path, "--yes", "--no-local", "--force").exit_code == 0
    assert load_settings(tmp_path / "gm.toml").address == "gm@example.org"


def test_a_port_that_is_taken(tmp_path: Path, occupied_port: int) -> None:
    refused = init(tmp_path, "--yes", "--listen", f"127.0.0.1:{occupied_port}")
    assert refused.exit_code == 1
    assert "Can't listen on port" in refused.stderr
    assert not (tmp_path / "gm.toml").exists()


def test_the_advice_for_a_port_that_is_taken_keeps_all_that_was_asked_for(
    tmp_path: Path, occupied_port: int
) -> None:
    given = ("--address", "boss@example.org", "--timezone", "Europe/Berlin", "--local", "--yes")
    refused = init(tmp_path, *given, "--listen", f"127.0.0.1:{occupied_port}")
    (advice,) = (line for line in refused.stderr.splitlines() if "Choose another port" in line)
    for words in ("--address boss@example.org", "--timezone Europe/Berlin", "--local", "--yes"):
        assert words in advice
    assert advice.endswith(f' --listen 127.0.0.1:{occupied_port + 1}".')


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--address", "nobody"), "isn't a plain email address"),
        (("--address", 'a"b@example.org'), "quotation mark"),
        (("--timezone", "Middle/Earth"), "isn't a time zone"),
        (("--listen", "0.0.0.0:2525"), "is not loopback"),
        (("--no-local", "--outbox", "pigeon:home"), "isn't the address of a mailbox"),
    ],
)
def test_what_would_not_work_is_refused(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    refused = init(tmp_path / "new", "--yes", *words)
    assert refused.exit_code == 1
    assert complaint in refused.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("in the way")
    refused = init(tmp_path, "--yes", "--no-local")
    assert refused.exit_code == 1
    assert str(tmp_path / "mail") in refused.stderr
    assert "Traceback" not in refused.output


def test_the_machine_s_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":Europe/Lisbon")
    assert local_zone() == "Europe/Lisbon"
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    assert local_zone() == "UTC"


def test_on_a_terminal_it_asks_for_what_it_needs(tmp_path: Path) -> None:
    code, shown = typed_at_terminal(["init", "--folder", str(tmp_path)], "judge@example.org\nn\n\n\n")
    assert code == 0, shown
    assert shown.count("?") + shown.count("]:") >= 3
    settings = load_settings(tmp_path / "gm.toml")
    assert (settings.address, settings.local) == ("judge@example.org", None)
