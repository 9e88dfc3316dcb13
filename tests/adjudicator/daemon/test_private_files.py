"""The doctor's findings about files that others can read, without servers."""

from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.daemon.doctor import examine
from adjudicator.service import open_service
from tests.kit.service_harness import START, create_database

CONFIG = """\
[service]
address = "gm@example.org"
[inbox]
url = "imap://gm@mail.example.org"
password = {password}
[outbox]
url = "maildir:./out"
"""


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ('"hunter2"', "it contains a password"),
        ('{ command = "echo hunter2" }', "it contains a command that fetches a password"),
        ('{ env = "GM_PASSWORD" }', None),
    ],
)
def test_a_secret_in_gm_toml_is_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str, why: str | None
) -> None:
    monkeypatch.setenv("GM_PASSWORD", "hunter2")
    file = tmp_path / "gm.toml"
    file.write_text(CONFIG.format(password=password))
    file.chmod(0o644)
    create_database(tmp_path)
    (tmp_path / "turnpost.db").chmod(0o600)
    service = open_service(load_settings(file), ManualClock(START))
    try:
        told = [*takewhile(lambda finding: finding.about == "files", examine(service, 0))]
    finally:
        service.database.close()
    assert [(finding.said, finding.instead) for finding in told if finding.grade == "bad"] == (
        [(f"other users can read {file}, and {why}", f"chmod go= {file}")] if why else []
    )


@pytest.mark.parametrize(
    ("url", "in_the_file", "is_told"),
    [
        ("postgresql://gm:hunter2@127.0.0.1/gm", True, True),
        ("postgresql://gm:hunter2@127.0.0.1/gm", False, False),
        ("postgresql://gm@127.0.0.1/gm", True, False),
    ],
)
def test_the_password_of_the_database_is_one_too(
    tmp_path: Path, url: str, in_the_file: bool, is_told: bool
) -> None:
    file = tmp_path / "gm.toml"
    file.write_text(CONFIG.format(password='{ env = "GM_PASSWORD" }'))
    create_database(tmp_path)
    service = open_service(load_settings(file), ManualClock(START))
    with file.open("a") as more:
        print(f"# {url}" if in_the_file else "", file=more)
    file.chmod(0o644)
    there = replace(service, settings=replace(service.settings, database=url))
    try:
        told = [*takewhile(lambda finding: finding.about == "files", examine(there, 0))]
    finally:
        service.database.close()
    said = f"other users can read {file}, and it contains a password"
    assert (said in [finding.said for finding in told]) is is_told
