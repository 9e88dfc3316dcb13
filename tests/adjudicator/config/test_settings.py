"""gm.toml: mail servers, passwords, and errors that name their key."""

import os
import tomllib
from pathlib import Path

import pytest

from adjudicator.config.secrets import Grant, Secret
from adjudicator.config.servers import Imap, Listen, Local, MaildirAt, Rate, Smtp
from adjudicator.config.service import Settings, load_settings, read_settings
from adjudicator.config.toml_reader import duration
from adjudicator.context import build_service_context
from adjudicator.errors import Refusal

PLAIN = '[service]\naddress = "gm@example.org"\n'
MAILDIRS = '[inbox]\nurl = "maildir:in"\n[outbox]\nurl = "maildir:out"\n'


def settings(text: str, folder: Path, **environ: str) -> Settings:
    """Return the settings of a gm.toml in that folder."""
    return read_settings(tomllib.loads(text), folder / "gm.toml", environ)


def inbox(folder: Path, *lines: str, **environ: str) -> MaildirAt | Imap:
    """Return the settings of the mailbox from the lines of [inbox]."""
    text = "\n".join([PLAIN, "[inbox]", *lines, '[outbox]\nurl = "maildir:out"'])
    return settings(text, folder, **environ).inbox


def outbox(folder: Path, *lines: str) -> MaildirAt | Smtp:
    """Return the settings of outgoing mail from the lines of [outbox]."""
    return settings("\n".join([PLAIN, '[inbox]\nurl = "maildir:in"\n[outbox]', *lines]), folder).outbox


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "username"),
    [
        ("imaps://gm@imap.example.org", "imap.example.org", 993, "tls", "gm"),
        ("imap://gm@imap.example.org", "imap.example.org", 143, "starttls", "gm"),
        ("imap://gm@imap.example.org:1143", "imap.example.org", 1143, "starttls", "gm"),
        ("imaps://gm%40example.org@imap.example.org", "imap.example.org", 993, "tls", "gm@example.org"),
        ("imaps://gm@example.org@imap.example.org", "imap.example.org", 993, "tls", "gm@example.org"),
        ("imap://gm@127.0.0.1:1143", "127.0.0.1", 1143, "none", "gm"),
        ("imap://gm@[::1]:1143", "::1", 1143, "none", "gm"),
        ("imap://gm@localhost", "localhost", 143, "none", "gm"),
    ],
)
def test_a_mailbox_on_a_server(tmp_path, url, host, port, tls, username):
    at = inbox(tmp_path, f'url = "{url}"', 'password = "hush"')
    assert (at.host, at.port, at.tls, at.username) == (host, port, tls, username)
    assert (at.folders, at.kept, at.ca_file) == (("INBOX",), "Turnpost", None)
    assert at.password.reveal() == "hush"


def test_whom_to_trust_turns_tls_on_towards_this_machine(tmp_path):
    (tmp_path / "ca.pem").write_text("-")
    at = inbox(tmp_path, 'url = "imap://gm@localhost"', 'password = "x"', 'ca_file = "ca.pem"')
    assert (at.tls, at.ca_file) == ("starttls", tmp_path / "ca.pem")
    at = outbox(tmp_path, 'url = "smtp://localhost:25"', 'ca_file = "ca.pem"')
    assert (at.tls, at.ca_file) == ("starttls", tmp_path / "ca.pem")


def test_folders(tmp_path):
    lines = ('url = "imaps://gm@imap.example.org"', 'password = "x"')
    at = inbox(tmp_path, *lines, 'folder = ["INBOX", "Junk"]', 'kept = "Archive/Games"')
    assert (at.folders, at.kept) == (("INBOX", "Junk"), "Archive/Games")
    assert inbox(tmp_path, *lines, 'folder = "Games"').folders == ("Games",)


@pytest.mark.parametrize(
    ("url", "port", "tls", "username"),
    [
        ("smtps://gm@smtp.example.org", 465, "tls", "gm"),
        ("smtp://gm@smtp.example.org", 587, "starttls", "gm"),
        ("smtp://smtp.example.org:25", 25, "starttls", None),
        ("smtp://127.0.0.1:2525", 2525, "none", None),
    ],
)
def test_a_server_that_takes_letters(tmp_path, url, port, tls, username):
    at = outbox(tmp_path, f'url = "{url}"', 'password = "hush"')
    assert (at.port, at.tls, at.username) == (port, tls, username)
    assert (at.password is None) == (username is None)


def test_how_often_a_mailbox_is_looked_into(tmp_path):
    server = '[inbox]\nurl = "imaps://gm@example.org"\npassword = "x"\n[outbox]\nurl = "maildir:out"\n'
    assert settings(PLAIN + MAILDIRS, tmp_path).poll == 5_000
    assert settings(PLAIN + server, tmp_path).poll == 60_000
    assert settings(PLAIN + server.replace("password", 'poll = "10m"\npassword'), tmp_path).poll == 600_000


def test_the_embedded_server_brings_letters_into_the_maildir(tmp_path):
    local = settings(PLAIN + MAILDIRS + "[local]\n", tmp_path).local
    assert local == Local("127.0.0.1", 2525, tmp_path / "in", tmp_path / "mail")


# Passwords.


def password(folder: Path, form: str, **environ: str) -> str:
    """Return the password of [inbox] password = form."""
    at = inbox(folder, 'url = "imaps://gm@imap.example.org"', f"password = {form}", **environ)
    assert "hush" not in repr(at)
    return at.password.reveal()


def test_a_password_is_fetched_when_it_is_needed(tmp_path):
    (tmp_path / "password.txt").write_text("hush\nand a note\n")
    (tmp_path / "print.sh").write_text("echo hush; echo login: gm\n")
    assert password(tmp_path, '"hush"') == "hush"
    assert password(tmp_path, '{ env = "GM" }', GM="hush") == "hush"
    assert password(tmp_path, '{ file = "password.txt" }') == "hush"
    assert password(tmp_path, f'{{ command = "sh {tmp_path}/print.sh" }}') == "hush"


def test_a_command_is_asked_once_and_again_after_a_refusal(tmp_path):
    (tmp_path / "count.sh").write_text(f"echo once >> {tmp_path}/asked; echo hush\n")
    line = f'password = {{ command = "sh {tmp_path}/count.sh" }}'
    secret = inbox(tmp_path, 'url = "imaps://gm@imap.example.org"', line).password
    assert {secret.reveal(), secret.reveal()} == {"hush"}
    assert (tmp_path / "asked").read_text().count("once") == 1
    secret.forget()
    secret.reveal()
    assert (tmp_path / "asked").read_text().count("once") == 2


@pytest.mark.parametrize(
    ("form", "complaint"),
    [
        ('{ env = "GM" }', "the environment has no variable GM"),
        ('{ file = "missing.txt" }', "can't read"),
        ('{ file = "empty.txt" }', "the first line .* is empty"),
        ('{ command = "no-such-program --at-all" }', "failed"),
        ('{ command = "false" }', "failed"),
        ('{ command = "true" }', "printed nothing"),
        ('{ command = "sh \'unfinished" }', "failed"),
    ],
)
def test_a_password_that_cannot_be_had(tmp_path, form, complaint):
    (tmp_path / "empty.txt").write_text("\nhush\n")
    with pytest.raises(Refusal, match=complaint) as caught:
        password(tmp_path, form)
    assert caught.value.what == "gm.toml: [inbox] password"


# Complaints.

SERVER = '[inbox]\nurl = "imaps://gm@imap.example.org"\npassword = "x"\n[outbox]\nurl = "maildir:out"\n'


@pytest.mark.parametrize(
    ("old", "new", "key", "why"),
    [
        (
            "imaps://gm@imap.example.org",
            "imaps://imap.example.org",
            "[inbox] url",
            "doesn't say who logs in",
        ),
        ("imaps://gm@imap.example.org", "imaps://gm@", "[inbox] url", "doesn't name a server"),
        (
            "imaps://gm@imap.example.org",
            "imaps://gm:hush@example.org:x",
            "[inbox] url",
            "contains a password",
        ),
        ("imaps://gm@imap.example.org", "imaps://gm@example.org:x", "[inbox] url", "isn't possible"),
        (
            "imaps://gm@imap.example.org",
            "imaps://gm@example.org/INBOX",
            "[inbox] url",
            "can't contain /INBOX",
        ),
        ("imaps://gm@imap.example.org", "pop3://gm@example.org", "[inbox] password", "has no meaning"),
        ('password = "x"\n', "", "[inbox] password", "is missing"),
        ('password = "x"\n', "password = 7\n", "[inbox] password", "is missing"),
        ('password = "x"\n', 'password = { keyring = "x" }\n', "[inbox] password", "isn't possible here"),
        ('password = "x"\n', 'password = "x"\nfolder = []\n', "[inbox] folder", "neither text"),
        ('password = "x"\n', 'password = "x"\nkept = "INBOX"\n', "[inbox] kept", "new emails arrive in"),
        ('password = "x"\n', 'password = "x"\npoll = "often"\n', "[inbox] poll", "isn't a duration"),
        (
            'password = "x"\n',
            'password = "x"\nca_file = "no.pem"\n',
            "[inbox] ca_file",
            "no.pem doesn't exist",
        ),
        ('password = "x"\n', 'password = "x"\nport = 993\n', "[inbox] port", "there is no such key"),
        ("maildir:out", "smtp://gm:hush@example.org", "[outbox] url", "contains a password"),
        ("maildir:out", "out", "[outbox] url", "isn't the address of a mailbox"),
        ('url = "maildir:out"', 'url = "smtp://a.b"\nprobe = 1', "[outbox] probe", "neither true nor false"),
        ('url = "maildir:out"', 'url = "smtp://a.b"\nconnections = 0', "[outbox] connections", "1 to 10"),
        ('url = "maildir:out"', 'url = "maildir:out"\n[local]', "[local] listen", "to a Maildir only"),
        ("[service]\n", "[service]\neffort = 0\n", "[service] effort", "1 to 1000000000"),
        ('url = "maildir:out"', 'url = "maildir:out"\n[post]\n', "[post]", "there is no such table"),
    ],
)
def test_a_fault_is_named_with_its_key(tmp_path, old, new, key, why):
    text = PLAIN + SERVER
    assert old in text
    with pytest.raises(Refusal, match=why) as caught:
        settings(text.replace(old, new, 1), tmp_path)
    assert caught.value.what == f"gm.toml: {key}"
    assert "hush" not in str(caught.value)


def test_a_file_that_is_no_toml(tmp_path):
    (tmp_path / "gm.toml").write_text("[service\n")
    with pytest.raises(Refusal, match="isn't TOML"):
        load_settings(tmp_path / "gm.toml", os.environ)


@pytest.mark.parametrize(
    ("text", "millis"),
    [("72h", 259_200_000), ("1d12h", 129_600_000), ("90 s", 90_000), ("soon", None), ("5", None)],
)
def test_lengths_of_time(text, millis):
    assert duration(text) == millis


# Whom to trust.


def trust(folder: Path, *lines: str) -> Settings:
    """The settings with these lines of [trust]."""
    return settings("\n".join([PLAIN, MAILDIRS, "[trust]", *lines]), folder)


def test_any_of_three_ways_shows_who_wrote_unless_said_otherwise(tmp_path):
    usual = trust(tmp_path)
    assert usual.accept == {"token", "password", "verified-from"}
    assert (usual.strict, usual.authserv_id) == (False, None)
    chosen = trust(tmp_path, 'accept = ["token"]', 'authserv_id = "mx.example.org"')
    assert (chosen.accept, chosen.authserv_id) == ({"token"}, "mx.example.org")
    assert trust(tmp_path, "strict = true").strict


def test_further_addresses_of_the_service(tmp_path):
    assert trust(tmp_path).addresses == frozenset()
    assert trust(tmp_path, "addresses = []").addresses == frozenset()
    assert trust(tmp_path, 'addresses = "Games@Club.example"').addresses == {"games@club.example"}
    both = trust(tmp_path, 'addresses = ["games@club.example", "gm+pbem@example.com"]')
    service_context = build_service_context(both, b"key", None)
    ours = ("gm@example.org", "gm+demo.iroquois@example.org", "GAMES@club.example", "gm+pbem@example.com")
    assert [address for address in ours if not service_context.is_ours(address)] == []
    others = ("games+x@club.example", "gm@example.com", "gm@club.example", "")
    assert [address for address in others if service_context.is_ours(address)] == []


@pytest.mark.parametrize(
    ("line", "key", "why"),
    [
        ('accept = ["token", "from"]', "accept", '"from" doesn\'t authenticate anyone'),
        ("accept = []", "accept", "neither text"),
        ("accept = 3", "accept", "neither text"),
        ('authserv_id = ""', "authserv_id", "isn't text"),
        ('strict = "yes"', "strict", "neither true nor false"),
        ('addresses = ["games"]', "addresses", '"games" isn\'t an email address'),
        ('addresses = ["Club <games@club.example>"]', "addresses", "isn't an email address"),
        ("addresses = 3", "addresses", "neither text"),
        ('accept = ["token"]\nstrict = true', "strict", "two ways of authentication that agree"),
    ],
)
def test_trust_that_is_misspelt(tmp_path, line, key, why):
    with pytest.raises(Refusal, match=why) as refused:
        trust(tmp_path, line)
    assert refused.value.what == f"gm.toml: [trust] {key}"


# Tokens.


def test_a_login_by_token(tmp_path):
    """A token that is printed, or one for a refresh token; and no password."""
    url = 'url = "imaps://gm@imap.example.org"'
    printed = inbox(tmp_path, url, 'token = { command = "print-token" }')
    assert (printed.password, printed.token) == (None, Secret("command", "print-token", "[inbox] token"))
    granted = 'url = "https://login.example/token", client_id = "me", refresh_token = { file = "refresh" }'
    at = inbox(tmp_path, url, f'token = {{ {granted}, client_secret = {{ env = "S" }}, scope = "mail" }}')
    assert at.token == Grant(
        "https://login.example/token",
        "me",
        Secret("file", str(tmp_path / "refresh"), "[inbox] token"),
        Secret("env", "S", "[inbox] token"),
        "mail",
        "[inbox] token",
    )
    sent = outbox(tmp_path, 'url = "smtps://gm@smtp.example.org"', 'token = { env = "T" }')
    assert (sent.password, sent.token) == (None, Secret("env", "T", "[outbox] token"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('token = { env = "T" }\npassword = "x"', "both a token and a password"),
        ("token = 3", "is missing"),
        ('token = { url = "http://login.example/t", client_id = "x" }', "isn't an https:// address"),
        ('token = { url = 3, client_id = "x" }', "isn't an https:// address"),
        ('token = { url = "https://x/t", client_id = 3, refresh_token = "r" }', "client_id"),
        ('token = { url = "https://x/t", client_id = "x" }', "is missing"),
        (
            'token = { url = "https://x/t", client_id = "x", refresh_token = "r", s = "s" }',
            "s has no meaning",
        ),
    ],
)
def test_a_token_that_is_misspelt(tmp_path, line, why):
    with pytest.raises(Refusal, match=why) as refused:
        inbox(tmp_path, 'url = "imaps://gm@imap.example.org"', line)
    assert refused.value.what == "gm.toml: [inbox] token"


# Several mailboxes, and how fast letters go.


def test_further_mailboxes(tmp_path):
    more = """
        [[inbox.also]]
        url = "maildir:more"
        [[inbox.also]]
        url = "imaps://other@imap.example.net"
        password = { env = "OTHER" }
        folder = ["INBOX", "Junk"]
    """
    text = PLAIN + '[inbox]\nurl = "maildir:in"\n' + more + '[outbox]\nurl = "maildir:out"\n'
    one, other = settings(text, tmp_path).also
    assert one == MaildirAt(tmp_path / "more")
    assert isinstance(other, Imap)
    assert (other.username, other.folders) == ("other", ("INBOX", "Junk"))
    with pytest.raises(Refusal) as refused:
        settings(text.replace('password = { env = "OTHER" }', ""), tmp_path)
    assert refused.value.what == "gm.toml: [[inbox.also]] 2: password"
    with pytest.raises(Refusal, match="poll has no meaning in mailbox 2"):
        settings(text.replace("folder =", 'poll = "5s"\nfolder ='), tmp_path)
    with pytest.raises(Refusal, match="isn't a list of mailboxes"):
        inbox(tmp_path, 'url = "maildir:in"', 'also = "maildir:more"')


def test_how_many_letters_go_to_whom(tmp_path):
    lines = ('url = "smtps://smtp.example.org"', 'pace = { "Gmail.com" = "20/m", "*" = "200 / h" }')
    assert outbox(tmp_path, *lines).pace == {"gmail.com": Rate(20, 60_000), "*": Rate(200, 3_600_000)}
    for wrong in ('"20/m"', '{ "*" = 3 }', '{ "*" = "0/m" }', '{ "*" = "20" }'):
        with pytest.raises(Refusal, match="pace"):
            outbox(tmp_path, lines[0], f"pace = {wrong}")


def test_where_the_database_is_may_be_hidden(tmp_path):
    """Its URL may hold a password."""
    text = '[service]\naddress = "gm@example.org"\ndatabase = { env = "DB" }\n' + MAILDIRS
    url = "postgresql://gm:secret@db.example.org/turnpost"
    assert settings(text, tmp_path, DB=url).database == url
    with pytest.raises(Refusal, match="the environment has no variable DB"):
        settings(text, tmp_path)


def test_numbers_for_prometheus_stay_on_this_machine(tmp_path):
    text = PLAIN + MAILDIRS + "[metrics]\n"
    assert settings(PLAIN + MAILDIRS, tmp_path).metrics is None
    assert settings(text, tmp_path).metrics == Listen("127.0.0.1", 9464)
    assert settings(text + 'listen = "[::1]:9000"', tmp_path).metrics == Listen("::1", 9000)
    with pytest.raises(Refusal, match="is not loopback"):
        settings(text + 'listen = "0.0.0.0:9464"', tmp_path)
