"""Outgoing mail by SMTP to real servers: accepted, delayed, rejected, and uncertain."""

import gc
import smtplib
import ssl
import threading
import warnings

import pytest

from adjudicator.errors import Refusal, StoreFault
from adjudicator.mail import smtp
from adjudicator.mail.envelope import encode_letter
from adjudicator.mail.maildir import DoubtPolicy
from adjudicator.mail.smtp import Server, SmtpCarrier, deliver, is_loopback
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from tests.kit.smtpd import Controller


def letter(key, to="a@example.org"):
    return OutgoingMessage(
        key=key,
        message_id=f"<{key}@x>",
        sender="gm@example.org",
        to=to,
        raw=f"Subject: {key}\r\n\r\n.\r\n..two dots\r\n".encode(),
    )


@pytest.fixture
def plain(port):
    return Server("127.0.0.1", port, tls="none")


def outcomes(receipts):
    return [receipt.outcome for receipt in receipts]


def test_many_letters_go_over_one_connection_as_they_are(relay, plain):
    server = relay()
    letters = [letter(f"k{number}", f"p{number}@example.org") for number in range(10)]
    receipts = SmtpCarrier(plain, DoubtPolicy("marked")).deliver(letters, lambda letter: True)
    assert [(receipt.key, receipt.outcome) for receipt in receipts] == [(one.key, "sent") for one in letters]
    assert server.taken == [([one.to], one.raw) for one in letters]
    assert server.connections == 1


def test_a_sealed_envelope_arrives_byte_for_byte(relay, plain):
    server = relay()
    outgoing = LetterDraft(
        key="k", to="a@example.org", subject="Öneida", text=".\n..\nFrom\n" + "x" * 2000, html="<p>ü</p>"
    )
    sealed = encode_letter(outgoing, key=b"k", service_address="gm@example.org", service_name="T", now=0)
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
    assert "may have been accepted" in receipts[0].why
    assert server.connections == 2


def test_a_connection_that_breaks_before_the_letter_puts_it_off(relay, plain):
    """Nothing was sent, so there is no doubt."""
    server = relay()

    async def hang_up(connection, session, envelope, address, options):
        connection.transport.abort()
        return "250 nobody reads this"

    server.handle_RCPT = hang_up
    receipts = deliver([letter("a")], plain)
    assert outcomes(receipts) == ["later"]
    assert "before it was sent" in receipts[0].why


@pytest.fixture
def deaf():
    """Have a server fall silent at a command, deaf to everything, until the end of the test."""
    over = threading.Event()

    async def ehlo(connection, session, envelope, hostname, responses):
        over.wait()
        return responses

    async def data(connection, session, envelope):
        over.wait()
        return "250 too late"

    def made(server, verb):
        setattr(server, f"handle_{verb}", {"EHLO": ehlo, "DATA": data}[verb])

    yield made
    over.set()


def test_a_server_that_says_nothing_is_given_up(relay, port, deaf):
    deaf(relay(), "DATA")
    receipts = deliver([letter("a")], Server("127.0.0.1", port, tls="none", data_s=0.2))
    assert outcomes(receipts) == ["unsure"]
    assert "may have been accepted" in receipts[0].why


def test_without_a_server_every_letter_is_held(plain):
    receipts = deliver([letter("a"), letter("b")], plain)
    assert outcomes(receipts) == ["held", "held"]
    assert "SMTPConnectError" in receipts[0].why


def test_a_batch_that_takes_too_long_holds_the_rest(relay, plain, monkeypatch):
    server = relay()
    monkeypatch.setattr(smtp, "BATCH_SECONDS", -1.0)
    assert outcomes(deliver([letter("a")], plain)) == ["held"]
    assert server.taken == []


def secure(port, papers, **changes):
    values = {"username": "gm", "password": "secret", "ca_file": str(papers.authority)}
    return Server("127.0.0.1", port, **{**values, **changes})


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_tls_and_login(relay, port, papers, tls):
    server = relay(tls=papers, wrapped=tls == "tls")
    assert outcomes(deliver([letter("a")], secure(port, papers, tls=tls))) == ["sent"]
    assert len(server.taken) == 1


@pytest.mark.parametrize("tls", ["starttls", "tls"])
@pytest.mark.parametrize(
    ("verb", "seconds", "outcome"),
    [("EHLO", {"timeout_s": 0.3}, "held"), ("DATA", {"data_s": 0.2}, "unsure")],
    ids=["EHLO", "DATA"],
)
def test_of_a_server_that_falls_silent_no_socket_stays(
    relay, port, papers, deaf, tls, verb, seconds, outcome
):
    """TLS would wait for it to take its leave, too."""
    deaf(relay(tls=papers, wrapped=tls == "tls"), verb)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        receipts = deliver([letter("a")], secure(port, papers, tls=tls, **seconds))
        gc.collect()
    assert outcomes(receipts) == [outcome]
    assert [str(one.message) for one in told] == []


def test_a_wrong_password_burns_no_letter(relay, port, papers):
    server = relay(tls=papers)
    receipts = deliver([letter("a")], secure(port, papers, password="wrong"))
    assert outcomes(receipts) == ["held"]
    assert receipts[0].why.startswith("535")
    assert "wrong" not in receipts[0].why
    assert server.taken == []


def test_a_login_that_is_missing_burns_no_letter(relay, port, papers):
    relay(tls=papers)
    receipts = deliver([letter("a")], secure(port, papers, username=None, password=None))
    assert outcomes(receipts) == ["held"]
    assert receipts[0].why.startswith("530")


def test_a_certificate_of_nobody_we_trust_is_not_accepted(relay, port, papers):
    server = relay(tls=papers)
    receipts = deliver([letter("a")], secure(port, papers, ca_file=None))
    assert outcomes(receipts) == ["held"]
    assert "CERTIFICATE_VERIFY_FAILED" in receipts[0].why
    assert server.taken == []


def test_starttls_that_is_not_offered_is_not_done_without(relay, port):
    server = relay()
    receipts = deliver([letter("a")], Server("127.0.0.1", port, tls="starttls"))
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
    with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost") as client:
        client.sendmail("x@y.org", ["z@y.org"], "hello")
    assert server.taken[0][0] == ["z@y.org"]


def test_it_leaves_no_socket_when_it_is_stopped_before_its_caller(port, papers):
    """On a busy machine it is stopped before it has seen that its caller is gone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.certificate, papers.key)
    controller = Controller(object(), hostname="127.0.0.1", port=port, tls_context=context)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        controller.start()
        with smtplib.SMTP("localhost", port, local_hostname="localhost") as client:
            client.starttls(context=ssl.create_default_context(cafile=papers.authority))
            controller.stop()
            del controller
            gc.collect()
            client.close()
    assert [str(one.message) for one in told] == []


SENT = "gm+sent@example.org"


def may_go(letter):
    """Every letter may go out."""
    return True


def test_a_copy_goes_with_each_letter_in_the_same_transaction(relay, plain):
    server = relay()
    carrier = SmtpCarrier(plain, DoubtPolicy("probe"), copy_to=SENT)
    assert outcomes(carrier.deliver([letter("a"), letter("b", "gm@example.org")], may_go)) == ["sent", "sent"]
    # A letter to ourselves is its own copy.
    assert [to for to, _ in server.taken] == [["a@example.org", SENT], ["gm@example.org"]]


def test_the_copy_is_never_sent_without_the_letter(relay, plain):
    """It would prove that a player got an email that never left."""
    server = relay()
    server.replies = {"gone@example.org": "550 no such user"}
    carrier = SmtpCarrier(plain, DoubtPolicy("probe"), copy_to=SENT)
    assert outcomes(carrier.deliver([letter("a", "gone@example.org"), letter("b")], may_go)) == [
        "refused",
        "sent",
    ]
    assert [to for to, _ in server.taken] == [["a@example.org", SENT]]


def test_the_letter_is_never_sent_without_its_copy(relay, plain):
    """The probe would find nothing, and have it sent again. It is nobody's fault but our settings'."""
    server = relay()
    server.replies = {SENT: "550 plus addresses are unknown here"}
    (receipt,) = SmtpCarrier(plain, DoubtPolicy("probe"), copy_to=SENT).deliver([letter("a")], may_go)
    assert receipt.outcome == "held"
    assert "[outbox] probe = false" in receipt.why
    assert server.taken == []


def test_each_letter_is_begun_before_its_first_byte_and_after_the_last_refusal(relay, plain):
    server, begun = relay(), []
    server.replies = {"gone@example.org": "550 no such user"}

    def begin(letter):
        begun.append((letter.key, len(server.taken)))
        return letter.key != "b"

    letters = [letter("x", "gone@example.org"), letter("a"), letter("b"), letter("c")]
    receipts = SmtpCarrier(plain, DoubtPolicy("marked")).deliver(letters, begin)
    assert outcomes(receipts) == ["refused", "sent", "held", "sent"]
    assert begun == [("a", 0), ("b", 1), ("c", 1)]
    assert [raw for _, raw in server.taken] == [letters[1].raw, letters[3].raw]


def test_books_that_cannot_be_written_hold_a_letter(relay, plain):
    server = relay()

    def begin(letter):
        raise StoreFault("database", "full")

    assert outcomes(SmtpCarrier(plain, DoubtPolicy("marked")).deliver([letter("a")], begin)) == ["held"]
    assert server.taken == []


def test_a_few_connections_carry_many_letters_and_each_readers_in_order(relay, plain):
    server = relay()
    letters = [
        letter(f"{reader}{number}", f"{reader}@example.org") for number in range(5) for reader in "abcd"
    ]
    receipts = SmtpCarrier(plain, DoubtPolicy("marked"), connections=3).deliver(letters, may_go)
    assert [receipt.key for receipt in receipts] == [one.key for one in letters]
    assert set(outcomes(receipts)) == {"sent"}
    assert server.connections == 3
    for reader in "abcd":
        own = [raw for to, raw in server.taken if to == [f"{reader}@example.org"]]
        assert own == [one.raw for one in letters if one.to == f"{reader}@example.org"]


def test_a_connection_that_breaks_leaves_its_letters_to_the_others(relay, plain):
    server = relay()
    one_only = server.handle_EHLO

    async def handle(connection, session, envelope, hostname, responses):
        if server.connections == 1:
            connection.transport.abort()
        return await one_only(connection, session, envelope, hostname, responses)

    server.handle_EHLO = handle
    letters = [letter(f"k{number}", f"p{number}@example.org") for number in range(6)]
    receipts = SmtpCarrier(plain, DoubtPolicy("marked"), connections=2).deliver(letters, may_go)
    # The one letter that it had begun may be put off.
    assert outcomes(receipts).count("sent") == len(server.taken) >= 5


def test_a_server_that_refuses_our_login_is_left_alone(relay, port, papers, monkeypatch, caplog):
    """Asking again and again gets accounts locked."""
    server = relay(tls=papers)
    carrier = SmtpCarrier(secure(port, papers, password="wrong"), DoubtPolicy("marked"))
    assert outcomes(carrier.deliver([letter("a"), letter("b")], may_go)) == ["held", "held"]
    asked = server.connections
    (again,) = carrier.deliver([letter("c")], may_go)
    assert (again.outcome, server.connections) == ("held", asked)
    assert again.why.startswith("535")
    assert [record.levelname for record in caplog.records if record.name == smtp.__name__] == ["ERROR"]
    monkeypatch.setattr(smtp, "LOGIN_PAUSE_SECONDS", -1.0)
    fresh = SmtpCarrier(secure(port, papers, password="wrong"), DoubtPolicy("marked"))
    fresh.deliver([letter("a")], may_go)
    fresh.deliver([letter("a")], may_go)
    assert server.connections > asked + 1


# Addresses in letters of any script.


def test_a_reader_whose_address_is_not_in_english_letters(relay, plain):
    server = relay()
    outgoing = LetterDraft(key="k", to="øystein@example.org", subject="Hello", text="hello")
    sealed = encode_letter(outgoing, key=b"k", service_address="gm@example.org", service_name="T", now=0)
    receipts = deliver([sealed, letter("b")], plain)
    assert [receipt.why for receipt in receipts] == [None, None]
    assert server.taken[0] == (["øystein@example.org"], sealed.raw)
    assert "\r\nTo: øystein@example.org\r\n".encode() in sealed.raw


def test_a_server_that_cannot_write_to_him(relay, plain):
    """It is refused, and the others go out."""
    server = relay()
    server.hidden = "SMTPUTF8"
    receipts = deliver([letter("a", "øystein@example.org"), letter("b")], plain)
    assert outcomes(receipts) == ["refused", "sent"]
    assert "no SMTPUTF8" in receipts[0].why
