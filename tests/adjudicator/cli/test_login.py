"""``gm login`` and ``gm logout`` with an OAuth server, Dovecot and Postfix."""

import json
import shlex
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli import login
from adjudicator.cli.app import app
from adjudicator.config.secrets import Login
from adjudicator.config.service import load_settings
from adjudicator.mail import oauth
from tests.kit.oauth_server import CLIENT_ID, CLIENT_SECRET, TENANT
from tests.kit.servers import Dovecot
from tests.kit.token_mail import TokenMail, settings_file, token_mail_servers, without_tokens_yet

pytestmark = pytest.mark.usefixtures("many_logins")


@pytest.fixture(scope="module")
def mail_of_module(dovecot: Dovecot) -> Iterator[TokenMail]:
    """The servers."""
    yield from token_mail_servers(dovecot)


@pytest.fixture
def mail(mail_of_module: TokenMail, monkeypatch: pytest.MonkeyPatch) -> TokenMail:
    """The servers, before anybody has logged in."""
    return without_tokens_yet(mail_of_module, monkeypatch)


def gm(place: Path, line: str) -> Result:
    """Type a command."""
    return CliRunner().invoke(app, ["--config", str(place), *shlex.split(line)], prog_name="gm")


def log_in(place: Path, *more: str) -> str:
    """Log in as a Microsoft mailbox would, and return what was printed."""
    words = f"login --client-id {CLIENT_ID} --tenant {TENANT} --flow microsoft"
    said = gm(place, " ".join([words, *more]))
    assert said.exit_code == 0, said.output
    return said.stdout


def test_a_code_that_is_entered_anywhere_gets_a_token(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    said = log_in(place)
    assert "/device in any browser" in said
    assert f"login of {mail.giver.user} at localhost:{mail.dovecot.imap}" in said
    assert "outgoing mail" in said
    kept = tmp_path / "mail-login"
    assert kept.stat().st_mode & 0o777 == 0o600
    document = json.loads(kept.read_text())
    assert document["refresh_token"] in mail.giver.refresh
    assert document["url"] == f"{mail.giver.url}/{TENANT}/oauth2/v2.0/token"
    assert document["refresh_token"] not in said


def test_the_second_login_needs_no_options(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    log_in(place)
    mail.giver.revoke_all()
    assert gm(place, "run poll").exit_code == 1
    said = gm(place, "login")
    assert said.exit_code == 0, said.output
    assert gm(place, "run poll").exit_code == 0


def test_without_a_client_it_says_how_to_register_one(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    microsoft, google = (gm(place, f"login --flow {flow}") for flow in ("microsoft", "google"))
    assert (microsoft.exit_code, google.exit_code) == (1, 1)
    assert "entra.microsoft.com" in microsoft.stdout
    assert "Internal: tokens of apps in testing end after seven days" in google.stdout
    assert mail.giver.asked == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("login --client-id unknown --flow microsoft", "Check --client-id and --tenant"),
        ("login --client-id x --flow sometimes", "use microsoft or google"),
    ],
)
def test_a_client_that_is_unknown(tmp_path: Path, mail: TokenMail, line: str, word: str) -> None:
    refused = gm(settings_file(tmp_path, mail), line)
    assert refused.exit_code in (1, 2)
    assert word in " ".join(refused.stderr.split())
    assert not (tmp_path / "mail-login").exists()


def test_a_sign_in_that_is_declined(tmp_path: Path, mail: TokenMail) -> None:
    mail.giver.approves = False
    monkey = gm(
        settings_file(tmp_path, mail), f"login --client-id {CLIENT_ID} --flow microsoft --tenant {TENANT}"
    )
    assert monkey.exit_code == 1
    assert "rejected the login" in monkey.stderr


def test_a_browser_that_comes_back_gets_a_token(
    tmp_path: Path, mail: TokenMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is a thread that opens the address that is shown."""
    monkeypatch.setenv("GM_CLIENT_SECRET", CLIENT_SECRET)
    monkeypatch.setattr(login, "_has_browser", lambda: False)
    told: list[str] = []

    def open_address(text: str) -> None:
        told.append(text)
        if "Open this address" in text:
            url = text.rpartition(" ")[2]
            threading.Thread(target=lambda: urllib.request.urlopen(url).read(), daemon=True).start()

    monkeypatch.setattr(login, "_teller", lambda as_json: open_address)
    place = settings_file(tmp_path, mail)
    said = gm(place, f"login --client-id {CLIENT_ID} --flow google")
    assert said.exit_code == 0, said.output
    assert "ssh -L 8765:localhost:8765" in said.stdout
    (asked,) = mail.giver.signed_in
    assert asked["scope"] == "https://mail.google.com/"
    assert asked["access_type"] == "offline"
    document = json.loads((tmp_path / "mail-login").read_text())
    assert document["revoke_url"] == f"{mail.giver.url}/revoke"
    assert CLIENT_SECRET not in said.stdout


def test_logging_out_revokes_the_token(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    log_in(place)
    kept = tmp_path / "mail-login"
    document = json.loads(kept.read_text()) | {"revoke_url": f"{mail.giver.url}/revoke"}
    kept.write_text(json.dumps(document))
    said = gm(place, "logout")
    assert said.exit_code == 0, said.output
    assert said.stdout == "The token is revoked and deleted.\n"
    assert mail.giver.refresh == {}
    assert not kept.exists()
    assert "nobody has logged in" in gm(place, "logout").stderr


def test_where_a_token_cannot_be_revoked_it_says_where_to_end_it(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    log_in(place)
    assert "Sign out everywhere" in gm(place, "logout").stdout
    assert not (tmp_path / "mail-login").exists()


def test_a_command_may_keep_the_token(tmp_path: Path, mail: TokenMail) -> None:
    kept = tmp_path / "vault"
    store = f"tee {kept}"
    token = f'{{ login = {{ command = "cat {kept}", store = "{store}" }} }}'
    place = settings_file(tmp_path, mail, token)
    log_in(place)
    assert json.loads(kept.read_text())["client_id"] == CLIENT_ID
    assert gm(place, "run poll").exit_code == 0
    assert gm(place, "logout").exit_code == 0
    assert kept.read_text().strip() == ""


def test_a_place_that_cannot_be_written_is_told_before_anybody_signs_in(
    tmp_path: Path, mail: TokenMail
) -> None:
    url = f"{mail.giver.url}/token"
    token = f'{{ url = "{url}", client_id = "{CLIENT_ID}", refresh_token = {{ env = "X" }} }}'
    refused = gm(settings_file(tmp_path, mail, token), "login")
    assert "we can't write a new token there" in refused.stderr
    assert mail.giver.asked == []


def test_the_older_form_of_settings_gets_its_file(tmp_path: Path, mail: TokenMail) -> None:
    url = f"{mail.giver.url}/{TENANT}/oauth2/v2.0/token"
    token = f'{{ url = "{url}", client_id = "{CLIENT_ID}", refresh_token = {{ file = "refresh-token" }} }}'
    place = settings_file(tmp_path, mail, token)
    said = gm(place, "login")
    assert said.exit_code == 0, said.output
    kept = tmp_path / "refresh-token"
    assert kept.read_text().strip() in mail.giver.refresh
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_mailbox_with_a_password_is_told_what_to_write(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    place.write_text(place.read_text().replace("token = { login", "password = { file"))
    assert 'Write token = { login = "mail-login" }' in " ".join(gm(place, "login").stderr.split())


def test_without_the_libraries_it_says_what_to_install(
    tmp_path: Path, mail: TokenMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth, "find_spec", lambda name: None)
    place = settings_file(tmp_path, mail)
    for flow in ("microsoft", "google"):
        monkeypatch.setenv("GM_CLIENT_SECRET", CLIENT_SECRET)
        refused = gm(place, f"login --client-id {CLIENT_ID} --flow {flow}")
        assert 'pip install "turnpost[login]"' in " ".join(refused.stderr.split())


def test_nobody_has_logged_in_yet(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    refused = gm(place, "run poll")
    assert "nobody has logged in" in refused.stderr
    settings = load_settings(place)
    assert isinstance(settings.inbox.token, Login)


def test_a_backup_holds_no_token_and_says_which_file_is_missing(tmp_path: Path, mail: TokenMail) -> None:
    place = settings_file(tmp_path, mail)
    log_in(place)
    copy = tmp_path / "all.backup"
    assert gm(place, f"backup {copy}").exit_code == 0
    again = tmp_path / "again"
    again.mkdir()
    restored = gm(again / "gm.toml", f"restore {copy} --yes")
    assert restored.exit_code == 0, restored.output
    assert "mail-login isn't here, and no backup carries a file with a secret" in " ".join(
        restored.stdout.split()
    )
    token = json.loads((tmp_path / "mail-login").read_text())["refresh_token"]
    assert token not in (again / "gm.toml").read_text()
    assert token.encode() not in copy.read_bytes()


def test_a_token_in_the_text_of_gm_toml_is_in_no_backup(tmp_path: Path, mail: TokenMail) -> None:
    url = f"{mail.giver.url}/token"
    token = f'{{ url = "{url}", client_id = "c", client_secret = "cs-1", refresh_token = "rt-1" }}'
    place = settings_file(tmp_path, mail, token)
    gm(place, "game list")
    copy, again = tmp_path / "all.backup", tmp_path / "again"
    again.mkdir()
    said = gm(place, f"backup {copy}")
    assert said.exit_code == 0, said.output
    gm(again / "gm.toml", f"restore {copy} --yes")
    text = (again / "gm.toml").read_text()
    assert "rt-1" not in text
    assert "cs-1" not in text
    assert '{ file = "refresh-token" }' in text
    load_settings(again / "gm.toml")
