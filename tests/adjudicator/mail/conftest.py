"""SMTP servers on loopback that follow the protocol, with and without failures."""

import ssl

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.kit import logins, sockets
from tests.kit.certificates import CertificateFiles, issue
from tests.kit.ports import free_ports
from tests.kit.smtpd import Controller

no_socket_stays = sockets.no_socket_stays
many_logins = logins.many_logins


@pytest.fixture
def port():
    """A port that is free now."""
    return free_ports(1)[0]


@pytest.fixture(scope="session")
def papers(tmp_path_factory) -> CertificateFiles:
    """A certificate for localhost, its key, and the authority to trust."""
    return issue(tmp_path_factory.mktemp("tls"))


class Relay:
    """A server's behaviour: its replies by recipient or, once, by the number of the email; and the emails
    that it got.

    hidden: an extension that it doesn't announce. replies: by recipient, the reply to RCPT. after_data: for
    the n-th email a reply, or None to hang up after accepting it.
    """

    def __init__(self):
        self.replies, self.after_data, self.taken, self.connections = {}, {}, [], 0
        self.hidden = None

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.connections += 1
        session.host_name = hostname
        return [line for line in responses if not self.hidden or self.hidden not in line]

    async def handle_RCPT(self, server, session, envelope, address, options):
        reply = self.replies.get(address)
        if reply is None:
            envelope.rcpt_tos.append(address)
            return "250 OK"
        return reply.pop(0) if isinstance(reply, list) else reply

    async def handle_DATA(self, server, session, envelope):
        self.taken.append((envelope.rcpt_tos, envelope.content))
        reply = self.after_data.get(len(self.taken), "250 OK")
        if reply is None:
            server.transport.abort()
            return "250 nobody reads this"
        return reply


def authenticate(server, session, envelope, mechanism, login):
    """Accept the one account: gm, with the password secret."""
    good = isinstance(login, LoginPassword) and (login.login, login.password) == (b"gm", b"secret")
    return AuthResult(success=good, handled=False)


@pytest.fixture
def relay(port):
    """Start a relay: relay() -> Relay. relay(tls=papers) requires STARTTLS and a login."""
    running = []

    def start(tls=None, wrapped=False):
        behaviour, options = Relay(), {"enable_SMTPUTF8": True}
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls.certificate, tls.key)
            options |= {"authenticator": authenticate}
            options |= (
                {"ssl_context": context, "auth_require_tls": False}
                if wrapped
                else {"tls_context": context, "require_starttls": True, "auth_required": True}
            )
        controller = Controller(
            behaviour, hostname="127.0.0.1", port=port, server_hostname="localhost", **options
        )
        controller.start()
        running.append(controller)
        return behaviour

    yield start
    for controller in running:
        controller.stop()
