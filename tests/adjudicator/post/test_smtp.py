"""Letters out by SMTP, to real servers: what is taken, put off, refused, and what is nobody's fault."""

import smtplib

import pytest

from adjudicator.errors import Refusal
from adjudicator.ledger import Outgoing, Sealed
from adjudicator.post import smtp
from adjudicator.post.carrier import Doubt
from adjudicator.post.envelope import seal
from adjudicator.post.smtp import Server, SmtpCarrier, deliver, is_loopback


def letter(key, to="a@example.org"):
    return Sealed(
        key=key,
        message_id=f"<{key}@x>",
        sender="gm@example.org",
        to=to,
        raw=f"Subject: {key}\r\n\r\n.\r\n..two dots\r\n".encode(),
    )


@pytest.fixture
def plain(port):
    return Server("127.0.0.1", port, tls="none", timeout_s=5)


def outcomes(receipts):
    return [receipt.outcome for receipt in receipts]


def test_many_letters_go_over_one_connection_as_they_are(relay, plain):
    server = relay()
    letters = [letter(f"k{number}", f"p{number}@example.org") for number in range(10)]
    receipts = SmtpCarrier(plain, Doubt("marked")).deliver(letters, lambda letter: True)
    assert [(receipt.key, receipt.outcome) for receipt in receipts] == [(one.key, "sent") for one in letters]
    assert server.taken == [([one.to], one.raw) for one in letters]
    assert server.connections == 1


def test_a_sealed_envelope_arrives_byte_for_byte(relay, plain):
    server = relay()
    outgoing = Outgoing(
        key="k", to="a@example.org", subject="Öneida", text=".\n..\nFrom\n" + "x" * 2000, html="<p>ü</p>"
    )
    sealed = seal(outgoing, key=b"k", service_address="gm@example.org", service_name="T", now=0)
    assert outcomes(deliver([sealed], plain)) == ["sent"]
    assert server.taken == [(["a@example.org"], sealed.raw)]


def test_nothing_to_send_needs_no_server(plain):
    assert deliver([], plain) == ()


def test_one_refused_recipient_does_not_stop_the_others(relay, plain):
    server = relay()
    server.replies = {
        "gone@example.org": "550 5.1.1 no such user",
        "busy@example.org": "451 4.7.1 greylisted",
    }
    letters = [letter("a", "gone@example.org"), letter("b", "busy@example.org"), letter("c")]
    receipts = deliver(letters, plain)
    assert outcomes(receipts) == ["refused", "later", "sent"]
    assert [receipt.why for receipt in receipts] == ["550 5.1.1 no such user", "451 4.7.1 greylisted", None]
    assert [to for to, _ in server.taken] == [["a@example.org"]]
    assert server.connections == 1


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [("452 4.2.2 full", "later"), ("552 5.3.4 too large", "refused"), ("554 spam", "refused")],
)
def test_replies_to_the_letter_itself(relay, plain, reply, outcome):
    relay().after_data = {1: reply}
    receipts = deliver([letter("a"), letter("b")], plain)
    assert outcomes(receipts) == [outcome, "sent"]
    assert receipts[0].why == reply


def test_a_server_that_takes_its_leave_is_called_again(relay, plain):
    server = relay()
    server.replies = {"a@example.org": ["421 4.3.2 closing", "250 OK"]}
    receipts = deliver([letter("a"), letter("b", "b@example.org")], plain)
    assert outcomes(receipts) == ["later", "sent"]


def test_a_connection_that_breaks_after_the_letter_leaves_it_open(relay, plain):
    """The server had it; we cannot know. It is put off, and says so; the next goes over a new connection."""
    server = relay()
    server.after_data = {1: None}
    receipts = deliver([letter("a"), letter("b")], plain)
    assert outcomes(receipts) == ["unsure", "sent"]
    assert "may have been taken" in receipts[0].why
    assert server.connections == 2


def test_a_server_that_says_nothing_is_given_up(relay, port):
    server = relay()

    async def stall(*arguments):
        import asyncio

        await asyncio.sleep(1.0)
        return "250 too late"

    server.handle_DATA = stall
    receipts = deliver([letter("a")], Server("127.0.0.1", port, tls="none", data_s=0.2))
    assert outcomes(receipts) == ["unsure"]
    assert "may have been taken" in receipts[0].why


def test_without_a_server_every_letter_is_held(plain):
    receipts = deliver([letter("a"), letter("b")], plain)
    assert outcomes(receipts) == ["held", "held"]
    assert "SMTPConnectError" in receipts[0].why


def test_a_batch_that_takes_too_long_holds_the_rest(relay, plain, monkeypatch):
    server = relay()
    monkeypatch.setattr(smtp, "BATCH_SECONDS", -1.0)
    assert outcomes(deliver([letter("a")], plain)) == ["held"]
    assert server.taken == []


def secure(port, certificate, **changes):
    values = {"username": "gm", "password": "secret", "ca_file": str(certificate[0]), "timeout_s": 5}
    return Server("127.0.0.1", port, **{**values, **changes})


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_tls_and_login(relay, port, certificate, tls):
    server = relay(tls=certificate, wrapped=tls == "tls")
    assert outcomes(deliver([letter("a")], secure(port, certificate, tls=tls))) == ["sent"]
    assert len(server.taken) == 1


def test_a_wrong_password_burns_no_letter(relay, port, certificate):
    server = relay(tls=certificate)
    receipts = deliver([letter("a")], secure(port, certificate, password="wrong"))
    assert outcomes(receipts) == ["held"]
    assert receipts[0].why.startswith("535")
    assert "wrong" not in receipts[0].why
    assert server.taken == []


def test_a_login_that_is_missing_burns_no_letter(relay, port, certificate):
    relay(tls=certificate)
    receipts = deliver([letter("a")], secure(port, certificate, username=None, password=None))
    assert outcomes(receipts) == ["held"]
    assert receipts[0].why.startswith("530")


def test_a_certificate_of_nobody_we_trust_is_not_accepted(relay, port, certificate):
    server = relay(tls=certificate)
    receipts = deliver([letter("a")], secure(port, certificate, ca_file=None))
    assert outcomes(receipts) == ["held"]
    assert "CERTIFICATE_VERIFY_FAILED" in receipts[0].why
    assert server.taken == []


def test_starttls_that_is_not_offered_is_not_done_without(relay, port):
    server = relay()
    receipts = deliver([letter("a")], Server("127.0.0.1", port, tls="starttls", timeout_s=5))
    assert outcomes(receipts) == ["held"]
    assert server.taken == []


def test_plain_text_goes_to_this_machine_only():
    with pytest.raises(Refusal, match="TLS"):
        Server("smtp.example.org", 25, tls="none")
    assert "hush" not in repr(Server("smtp.example.org", 587, username="gm", password="hush"))


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("[::1]", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_loopback(host, is_here):
    assert is_loopback(host) is is_here


def test_the_relay_of_these_tests_is_a_server(relay, port):
    """It answers the standard library too, so that what passes here is not a private agreement."""
    server = relay()
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("x@y.org", ["z@y.org"], "hello")
    assert server.taken[0][0] == ["z@y.org"]
