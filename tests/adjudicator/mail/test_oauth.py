"""XOAUTH2: tokens fetched, cached, rejected and renewed, with Dovecot's passdb and an SMTP server."""

import base64
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from aiosmtpd.smtp import AuthResult
from imapclient import IMAPClient

from adjudicator.config.secrets import Grant, Secret
from adjudicator.config.servers import Imap, Smtp
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail import oauth
from adjudicator.mail.imap import ImapMailbox
from adjudicator.mail.maildir import DoubtPolicy
from adjudicator.mail.oauth import access_token, forget_token
from adjudicator.mail.smtp import Server, SmtpCarrier
from adjudicator.model.mail import OutgoingMessage
from games.record import replace_fields
from tests.kit import servers
from tests.kit.mail import letter
from tests.kit.servers import Dovecot
from tests.kit.smtpd import Controller
from tests.kit.tokens import TokenServer, token_server


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """No token of another test is known."""
    oauth._fetched.clear()
    oauth._rotated.clear()


@pytest.fixture(scope="module")
def tokens() -> Iterator[TokenServer]:
    """The OAuth server of all tests here."""
    with token_server() as it:
        yield it


@pytest.fixture(scope="module")
def asking(tokens: TokenServer) -> Iterator[Dovecot]:
    """Dovecot that asks there whether a token is good."""
    yield from servers.running(lambda: servers.dovecot(tokens.port))


@pytest.fixture
def token_giver(tokens: TokenServer) -> TokenServer:
    """The giver as it was made."""
    fresh = TokenServer(port=tokens.port)
    vars(tokens).update(vars(fresh))
    return tokens


def grant(it: TokenServer, user: str = "gm") -> Grant:
    it.users[f"refresh-of-{user}"] = user
    return Grant(
        it.url,
        "turnpost",
        Secret("text", f"refresh-of-{user}"),
        Secret("text", "hush"),
        "mail",
        "[outbox] token",
    )


# Tokens.


def test_a_token_is_fetched_and_kept(token_giver: TokenServer) -> None:
    ask = grant(token_giver)
    assert access_token(ask) == access_token(ask) == "access-1"
    assert token_giver.asked == [
        {
            "grant_type": "refresh_token",
            "client_id": "turnpost",
            "client_secret": "hush",
            "refresh_token": "refresh-of-gm",
            "scope": "mail",
        }
    ]


def test_a_token_is_fetched_again_when_it_was_refused_or_its_time_is_over(token_giver: TokenServer) -> None:
    ask = grant(token_giver)
    assert access_token(ask) == "access-1"
    forget_token(ask)
    token_giver.lasts = oauth.EARLY_SECONDS
    assert access_token(ask) == "access-2"
    assert access_token(ask) == "access-3"


def test_a_new_refresh_token_is_used_from_then_on(token_giver: TokenServer) -> None:
    ask, token_giver.rotates = grant(token_giver), True
    access_token(ask)
    forget_token(ask)
    access_token(ask)
    assert [one["refresh_token"] for one in token_giver.asked] == ["refresh-of-gm", "refresh-1"]


def test_a_new_refresh_token_is_written_where_the_old_one_stood(
    token_giver: TokenServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "refresh"
    place.write_text("refresh-of-gm\n# signed in as gm@example.org\n", encoding="utf-8")
    place.chmod(0o600)
    ask, token_giver.rotates = (
        replace_fields(grant(token_giver), refresh_token=Secret("file", str(place))),
        True,
    )
    access_token(ask)
    assert place.read_text(encoding="utf-8") == "refresh-1\n# signed in as gm@example.org\n"
    assert place.stat().st_mode & 0o777 == 0o600
    oauth._fetched.clear()  # as after a new start
    access_token(ask)
    assert [one["refresh_token"] for one in token_giver.asked] == ["refresh-of-gm", "refresh-1"]
    assert [one.name for one in tmp_path.iterdir()] == ["refresh"]
    assert not caplog.records


def test_where_it_cannot_be_written_that_is_said_once(
    token_giver: TokenServer, caplog: pytest.LogCaptureFixture
) -> None:
    ask, token_giver.rotates = grant(token_giver), True
    for _ in range(3):
        access_token(ask)
        forget_token(ask)
    (warned,) = caplog.records
    assert "[outbox] token: the server issues new refresh tokens" in warned.getMessage()
    assert "refresh-" not in warned.getMessage()


def test_a_file_that_is_gone_keeps_nothing(tmp_path: Path) -> None:
    assert Secret("file", str(tmp_path / "nowhere" / "refresh")).renew("two") is False
    assert list(tmp_path.iterdir()) == []


def test_a_command_may_print_a_token(tmp_path) -> None:
    place = tmp_path / "token"
    place.write_text("one")
    said = Secret("command", f"cat {place}")
    assert access_token(said) == "one"
    place.write_text("two")
    assert access_token(said) == "one"
    forget_token(said)
    assert access_token(said) == "two"


def test_a_refresh_token_that_is_revoked(token_giver: TokenServer) -> None:
    ask = replace_fields(grant(token_giver), refresh_token=Secret("text", "gone"), named="[inbox] token")
    with pytest.raises(Refusal, match=r"\[inbox\] token.*400 invalid_grant Token has been revoked") as said:
        access_token(ask)
    assert "gone" not in str(said.value)
    assert "hush" not in str(said.value)


def test_a_giver_that_is_down(token_giver: TokenServer) -> None:
    ask, token_giver.broken = grant(token_giver), 503
    with pytest.raises(PostFault, match="503 temporarily_unavailable"):
        access_token(ask)
    with pytest.raises(PostFault, match="can't be reached"):
        access_token(replace_fields(ask, url="http://127.0.0.1:1/token"))


@pytest.mark.parametrize("answer", [{}, {"access_token": ""}, {"access_token": "x", "expires_in": "y"}, []])
def test_answers_that_hold_no_token(
    token_giver: TokenServer, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    monkeypatch.setattr(TokenServer, "answer", lambda self, path, asked: (200, answer))
    with pytest.raises(PostFault, match=r"access token|isn't valid"):
        access_token(grant(token_giver))


# IMAP.


def box(asking: Dovecot, ask: Grant, user: str = "gm") -> ImapMailbox:
    at = Imap("localhost", asking.imap, "starttls", user, None, ca_file=asking.papers.authority, token=ask)
    return ImapMailbox(at)


def test_dovecot_lets_us_in_by_a_token(token_giver: TokenServer, asking: Dovecot) -> None:
    asking.deliver("gm", letter("Mohawk H"))
    ask = grant(token_giver)
    (arrived,) = box(asking, ask).new_letters(lambda places: ())
    assert b"Mohawk H" in arrived.raw
    assert len(token_giver.asked) == 1


def test_a_token_that_was_taken_back_is_replaced_once(token_giver: TokenServer, asking: Dovecot) -> None:
    ask = grant(token_giver)
    mailbox = box(asking, ask)
    mailbox.try_out()
    token_giver.take_back()
    with suppress(LoginFault):
        mailbox.try_out()
    assert len(token_giver.asked) == 2
    mailbox.try_out()


def test_a_token_for_somebody_else_is_refused(token_giver: TokenServer, asking: Dovecot) -> None:
    """Two are tried, and no more: accounts get locked."""
    with pytest.raises(LoginFault, match="login was rejected"):
        box(asking, grant(token_giver, "somebody"), "gm").try_out()
    assert len(token_giver.asked) == 2


def test_a_grant_that_is_revoked_is_the_gamesmasters_to_mend(
    token_giver: TokenServer, asking: Dovecot
) -> None:
    with pytest.raises(LoginFault, match="invalid_grant"):
        box(asking, replace_fields(grant(token_giver), refresh_token=Secret("text", "gone"))).try_out()


def test_a_giver_that_is_down_passes(token_giver: TokenServer, asking: Dovecot) -> None:
    ask, token_giver.broken = grant(token_giver), 500
    with pytest.raises(PostFault) as said:
        box(asking, ask).try_out()
    assert not isinstance(said.value, LoginFault)


def test_a_server_without_xoauth2(token_giver: TokenServer, dovecot: Dovecot) -> None:
    with pytest.raises(LoginFault, match="lacks a capability"):
        box(dovecot, grant(token_giver)).try_out()
    assert token_giver.asked == []


# SMTP.


class TokenMailServers:
    """An SMTP server that accepts valid tokens. said: the logins that it got."""

    def __init__(self, it: TokenServer) -> None:
        self.giver, self.said, self.taken = it, [], []

    async def auth_XOAUTH2(self, server, args):
        said = base64.b64decode(args[1]).decode()
        self.said.append(said)
        fields = dict(piece.partition("=")[::2] for piece in said.split("\1") if piece)
        good = self.giver.good.get(fields["auth"].removeprefix("Bearer ")) == fields["user"]
        return AuthResult(success=good, handled=False)

    async def handle_DATA(self, server, session, envelope):
        self.taken.append(envelope.rcpt_tos)
        return "250 OK"


@pytest.fixture
def context(token_giver: TokenServer, port: int) -> Iterator[TokenMailServers]:
    """The server, on `port`."""
    it = TokenMailServers(token_giver)
    controller = Controller(
        it, hostname="127.0.0.1", port=port, server_hostname="localhost", auth_require_tls=False,
        auth_exclude_mechanism=["LOGIN", "PLAIN"],
    )  # fmt: skip
    controller.start()
    yield it
    controller.stop()


def carrier(port: int, ask: Grant) -> SmtpCarrier:
    server = Server("127.0.0.1", port, tls="none", username="gm", token=ask, timeout_s=5)
    return SmtpCarrier(server, DoubtPolicy("marked"))


def outcome(out: SmtpCarrier, key: str = "k") -> tuple[str, str | None]:
    one = OutgoingMessage(
        key=key, message_id=f"<{key}@x>", sender="gm@example.org", to="a@example.org", raw=b"x\r\n"
    )
    (receipt,) = out.deliver([one], lambda sealed: True)
    return receipt.outcome, receipt.why


def test_letters_go_out_by_a_token(context: TokenMailServers, port: int, token_giver: TokenServer) -> None:
    out = carrier(port, grant(token_giver))
    assert outcome(out) == ("sent", None)
    assert context.said == ["user=gm\1auth=Bearer access-1\1\1"]
    assert "gm" in out.try_out()[0]


def test_a_token_that_was_taken_back_is_replaced_once_too(
    context: TokenMailServers, port: int, token_giver: TokenServer
) -> None:
    out = carrier(port, grant(token_giver))
    outcome(out)
    token_giver.take_back()
    assert outcome(out, "k2") == ("sent", None)
    assert len(token_giver.asked) == 2


def test_a_token_that_is_no_good_holds_the_letters(
    context: TokenMailServers, port: int, token_giver: TokenServer
) -> None:
    out = carrier(port, grant(token_giver, "somebody"))
    assert outcome(out)[0] == "held"
    assert len(token_giver.asked) == 2
    assert outcome(out, "k2")[0] == "held"
    assert len(token_giver.asked) == 2, "a server that refuses us is left alone"
    with pytest.raises(LoginFault):
        carrier(port, grant(token_giver, "somebody")).try_out()


def test_a_giver_that_is_down_holds_the_letters_for_a_moment(
    context: TokenMailServers, port: int, token_giver: TokenServer
) -> None:
    ask, token_giver.broken = grant(token_giver), 503
    out = carrier(port, ask)
    state, why = outcome(out)
    assert state == "held"
    assert "503" in str(why)
    token_giver.broken = None
    assert outcome(out) == ("sent", None)


# Other ways in, and tokens that end in the middle.


class OtherMailServers(TokenMailServers):
    """A server that knows OAUTHBEARER only, and says in the middle that a token has ended."""

    async def auth_XOAUTH2(self, server, args):
        raise AssertionError("it isn't offered")

    async def auth_OAUTHBEARER(self, server, args):
        said = base64.b64decode(args[1]).decode()
        self.said.append(said)
        parts = said.split("\1")
        user = parts[0].removeprefix("n,a=").rstrip(",")
        good = self.giver.good.get(parts[1].removeprefix("auth=Bearer ")) == user
        return AuthResult(success=good, handled=False)


class EndingMailServers(TokenMailServers):
    """A server that checks the token again with each email. ends: the emails before which it has ended."""

    ends = frozenset({2})

    async def handle_MAIL(self, server, session, envelope, address, options):
        envelope.mail_from = address
        if len(self.taken) + 1 in self.ends:
            self.ends = frozenset()
            self.giver.take_back()
            return "530 5.7.57 Client not authenticated to send mail"
        return "250 OK"


def serving(it: TokenMailServers, port: int, *without: str) -> Controller:
    return Controller(
        it, hostname="127.0.0.1", port=port, server_hostname="localhost", auth_require_tls=False,
        auth_exclude_mechanism=["LOGIN", "PLAIN", *without],
    )  # fmt: skip


def test_letters_go_out_by_oauthbearer_where_that_is_offered(token_giver: TokenServer, port: int) -> None:
    it = OtherMailServers(token_giver)
    controller = serving(it, port, "XOAUTH2")
    controller.start()
    try:
        assert outcome(carrier(port, grant(token_giver))) == ("sent", None)
        assert it.said == ["n,a=gm,\1auth=Bearer access-1\1\1"]
    finally:
        controller.stop()


def test_dovecot_lets_us_in_by_oauthbearer(
    token_giver: TokenServer, asking: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = IMAPClient.has_capability
    monkeypatch.setattr(
        IMAPClient, "has_capability", lambda self, name: name != "AUTH=XOAUTH2" and offered(self, name)
    )
    asking.deliver("gm", letter("Seneca H"))
    arrived = list(box(asking, grant(token_giver)).new_letters(lambda places: ()))
    assert any(b"Seneca H" in each.raw for each in arrived)


def test_a_token_that_ends_between_two_letters_holds_one_for_a_moment(
    token_giver: TokenServer, port: int
) -> None:
    """The server isn't left alone for it, and the next letter goes with a new token."""
    it = EndingMailServers(token_giver)
    controller = serving(it, port)
    controller.start()
    try:
        out = carrier(port, grant(token_giver))
        letters = [
            OutgoingMessage(
                key=f"k{n}",
                message_id=f"<{n}@x>",
                sender="gm@example.org",
                to=f"a{n}@example.org",
                raw=b"x\r\n",
            )
            for n in range(3)
        ]
        states = [receipt.outcome for receipt in out.deliver(letters, lambda sealed: True)]
        assert states == ["sent", "held", "sent"]
        assert out.deliver(letters[1:2], lambda sealed: True)[0].outcome == "sent"
        assert len(token_giver.asked) == 2
    finally:
        controller.stop()


def test_a_new_token_in_its_file_ends_the_pause(
    context: TokenMailServers, port: int, token_giver: TokenServer, tmp_path: Path
) -> None:
    place = tmp_path / "refresh"
    place.write_text("gone\n")
    ask = replace_fields(grant(token_giver), refresh_token=Secret("file", str(place)))
    at = Smtp("127.0.0.1", port, "none", "gm", token=ask)
    server = Server("127.0.0.1", port, "none", "gm", token=ask, version=lambda: oauth.login_version(at))
    out = SmtpCarrier(server, DoubtPolicy("marked"))
    assert outcome(out)[0] == "held"
    assert outcome(out, "k2")[0] == "held"
    assert len(token_giver.asked) == 1
    place.write_text("refresh-of-gm\n")
    assert outcome(out, "k3") == ("sent", None)
