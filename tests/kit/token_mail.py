"""Mail servers that take tokens: an OAuth server, a Dovecot and a Postfix that ask it, and a gm.toml."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from adjudicator.mail import oauth
from tests.kit import server_settings, servers
from tests.kit.oauth_server import OAuthServer, oauth_server
from tests.kit.servers import DOMAIN, Dovecot, Postfix, running

CONFIG = """\
[service]
address = "{user}@{domain}"
[inbox]
url = "imap://{user}@localhost:{imap}"
token = {token}
ca_file = "{ca}"
[outbox]
url = "smtp://{user}@localhost:{smtp}"
token = {token}
ca_file = "{ca}"
"""


@dataclass
class TokenMail:
    """An OAuth server, and mail servers that ask it about tokens."""

    giver: OAuthServer
    dovecot: Dovecot
    postfix: Postfix


def token_mail_servers(dovecot: Dovecot) -> Iterator[TokenMail]:
    """Run the servers, for a fixture. The OAuth server has the certificate of another Dovecot."""
    with oauth_server(dovecot.papers) as giver:
        for asking in running(lambda: servers.dovecot(giver.plain_port)):
            login_needed = partial(_with_login, asking)
            for postfix in running(login_needed):
                yield TokenMail(giver, asking, postfix)


def _with_login(asking: Dovecot) -> AbstractContextManager[Postfix]:
    return servers.postfix(asking, (server_settings.LOGIN_NEEDED.format(folder=asking.folder), ""))


def without_tokens_yet(mail: TokenMail, monkeypatch: pytest.MonkeyPatch) -> TokenMail:
    """Let the OAuth server forget everybody, and programs trust the tests' authority, for one test."""
    giver = mail.giver
    fresh = OAuthServer(giver.papers, giver.port, giver.plain_port)
    vars(giver).update(vars(fresh))
    giver.user = mail.dovecot.somebody()
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(name, str(giver.papers.authority))
    monkeypatch.setattr(oauth, "MICROSOFT", giver.url)
    google = {
        "auth_uri": f"{giver.url}/authorize",
        "token_uri": f"{giver.url}/token",
        "revoke_uri": f"{giver.url}/revoke",
    }
    monkeypatch.setattr(oauth, "GOOGLE", google)
    oauth._fetched.clear()
    oauth._rotated.clear()
    return mail


def settings_file(folder: Path, mail: TokenMail, token: str = '{ login = "mail-login" }') -> Path:
    """Write a gm.toml for the mailbox of the person who signs in."""
    at = {"imap": mail.dovecot.imap, "smtp": mail.postfix.port, "ca": mail.dovecot.papers.authority}
    place = folder / "gm.toml"
    place.write_text(CONFIG.format(user=mail.giver.user, domain=DOMAIN, token=token, **at))
    return place
