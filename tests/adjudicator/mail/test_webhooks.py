"""Posts to webhooks at a real server: signed, with a timeout, and never to our own machines."""

import base64
import hmac
import ipaddress
from collections.abc import Iterator

import pytest

from adjudicator.clock import HOUR
from adjudicator.config.channels import Channel, unfit
from adjudicator.config.secrets import Secret
from adjudicator.mail.webhooks import NotPublic, Webhook, is_public, key_of, reachable_addresses, retry_at
from tests.kit.webhook_server import BROKEN, Answer, WebhookServer, closed_port, webhook_server

NOW = 1_780_000_000_000
BODY = b'{"id":"a1"}'


@pytest.fixture
def board() -> Iterator[WebhookServer]:
    """A server for posts."""
    with webhook_server() as it:
        yield it


def webhook(url: str, *, secret: str | None = None, local: bool = True, seconds: float = 5.0) -> Webhook:
    signed = None if secret is None else Secret("text", secret)
    channel = Channel(name="club", kind="webhook", url=Secret("text", url), secret=signed, local=local)
    return Webhook(channel, seconds=seconds)


def deliver_post(hook: Webhook):
    return hook.deliver("beaver/1/channel/club", "a1", BODY, NOW)


def test_a_document_arrives_as_it_is_and_signed(board: WebhookServer) -> None:
    assert deliver_post(webhook(board.url, secret="hush")).outcome == "sent"
    ((path, headers, body),) = board.asked
    assert (path, body) == ("/turns/s3cr3t-path", BODY)
    assert headers["content-type"] == "application/json"
    assert headers["webhook-id"] == "a1"
    said = b"a1." + headers["webhook-timestamp"].encode() + b"." + BODY
    good = base64.b64encode(hmac.digest(b"hush", said, "sha256")).decode()
    assert headers["webhook-signature"] == f"v1,{good}"


def test_a_document_without_a_secret_is_not_signed(board: WebhookServer) -> None:
    deliver_post(webhook(board.url))
    assert "webhook-signature" not in board.asked[0][1]


def test_a_secret_may_be_written_as_the_specification_has_it() -> None:
    assert key_of("whsec_" + base64.b64encode(b"hush").decode()) == b"hush"
    assert key_of("whsec_not base64") == b"whsec_not base64"


@pytest.mark.parametrize("status", [500, 502, 503, 429, 408])
def test_what_passes_is_tried_again(board: WebhookServer, status: int) -> None:
    board.script = [Answer(status)]
    receipt = deliver_post(webhook(board.url))
    assert (receipt.outcome, receipt.retry_at) == ("later", None)
    assert str(status) in (receipt.why or "")


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_what_does_not_pass_is_not_tried_again(board: WebhookServer, status: int) -> None:
    board.script = [Answer(status)]
    assert deliver_post(webhook(board.url)).outcome == "refused"


def test_retry_after_is_obeyed(board: WebhookServer) -> None:
    board.script = [Answer(429, (("Retry-After", "90"),))]
    assert deliver_post(webhook(board.url)).retry_at == NOW + 90_000


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        ("120", 120_000),
        ("0", 1_000),
        ("99999999999999", 24 * HOUR),
        ("Fri, 29 May 2026 10:26:40 GMT", 12_400_000 - 12_400_000 % 1000),
        ("soon", None),
        ("-5", None),
        ("", None),
        (None, None),
        ("٣", None),
    ],
)
def test_a_pause_is_read_however_it_is_written(said: str | None, waits: int | None) -> None:
    found = retry_at(said, NOW)
    if said is not None and "GMT" in said:
        assert found is not None
        assert NOW < found <= NOW + 24 * HOUR
    else:
        assert found == (None if waits is None else NOW + waits)


def test_a_redirect_within_the_server_is_followed(board: WebhookServer) -> None:
    board.script = [Answer(308, (("Location", "/new"),))]
    assert deliver_post(webhook(board.url)).outcome == "sent"
    assert [path for path, _, _ in board.asked] == ["/turns/s3cr3t-path", "/new"]
    assert board.asked[1][2] == BODY


def test_a_redirect_to_another_server_is_refused(board: WebhookServer) -> None:
    with webhook_server() as other:
        for place in (other.url, f"http://localhost:{board.port}/", "file:///etc/passwd", "//evil:99999999/"):
            board.script = [Answer(307, (("Location", place),))]
            receipt = deliver_post(webhook(board.url))
            assert receipt.outcome == "refused", place
            assert "redirects us" in (receipt.why or "")
        assert other.asked == []


def test_redirects_in_a_ring_come_to_an_end(board: WebhookServer) -> None:
    board.script = [Answer(307, (("Location", "/again"),))] * 9
    assert deliver_post(webhook(board.url)).outcome == "refused"
    assert len(board.asked) == 4


def test_a_server_that_breaks_off_is_tried_again(board: WebhookServer) -> None:
    """It knows by the id that it has it already."""
    board.script = [BROKEN]
    assert deliver_post(webhook(board.url)).outcome == "later"
    assert deliver_post(webhook(board.url)).outcome == "sent"
    assert board.attempts == {"a1": 2}
    assert len(board.taken) == 1


def test_a_server_that_does_not_answer_is_left_after_a_time(board: WebhookServer) -> None:
    board.script = [Answer(slow=True)]
    receipt = deliver_post(webhook(board.url, seconds=0.2))
    assert (receipt.outcome, receipt.why) == ("later", "its server didn't reply in time")


def test_where_nobody_listens_it_is_tried_again() -> None:
    with closed_port() as port:
        receipt = deliver_post(webhook(f"http://127.0.0.1:{port}/s3cr3t"))
    assert (receipt.outcome, receipt.why) == ("later", "its server doesn't respond")


# No machine of our own.


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "[::ffff:127.0.0.1]"]
)
def test_this_machine_is_refused_however_it_is_written(board: WebhookServer, host: str) -> None:
    receipt = deliver_post(webhook(f"https://{host}:{board.port}/", local=False))
    assert receipt.outcome == "refused"
    assert "leads to this machine" in (receipt.why or "")
    assert board.asked == []


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1"),
        *("::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
    ],
)
def test_what_is_no_address_of_the_world_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_an_address_of_the_world_is_good(address: str) -> None:
    assert is_public(address)


def test_one_bad_address_of_a_name_is_enough() -> None:
    """A name server could answer with a good one first."""
    with pytest.raises(NotPublic):
        reachable_addresses(
            "rebound.example", 443, local=False, look_up=lambda host, port: ["1.1.1.1", "127.0.0.1"]
        )
    both = reachable_addresses(
        "good.example", 443, local=False, look_up=lambda host, port: ["1.1.1.1", "1.0.0.1"]
    )
    assert all(ipaddress.ip_address(one).is_global for one in both)


def test_what_was_looked_at_is_what_is_dialled(board: WebhookServer) -> None:
    """Between the look and the call no name server is asked again."""
    asked = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    channel = Channel(
        name="club",
        kind="webhook",
        url=Secret("text", f"http://board.example:{board.port}/"),
        local=True,
    )
    assert Webhook(channel, look_up).deliver("k", "a1", BODY, NOW).outcome == "sent"
    assert asked == ["board.example"]
    assert board.asked[0][1]["host"] == f"board.example:{board.port}"


# What an address may look like, and what is never told of it.


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "https:///turns",
        "https://me:hush@hooks.example.org/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org/a b",
        "https://hooks.example.org/\r\nX: 1",
        "https://[::1",
        "",
    ],
)
def test_an_address_that_cannot_be_posted_to_is_known_beforehand(url: str) -> None:
    assert unfit(url, local=False)


def test_no_complaint_holds_the_address(board: WebhookServer) -> None:
    """Anyone who knows the address can post there."""
    board.script = [Answer(500), Answer(404), Answer(302, (("Location", "http://other.example/"),)), BROKEN]
    hook = webhook(board.url, secret="hush")
    told = [deliver_post(hook) for _ in range(4)]
    told.append(deliver_post(webhook("https://nowhere.invalid/s3cr3t-path", local=False)))
    told.append(deliver_post(webhook("https://127.0.0.1/s3cr3t-path", local=False)))
    told.append(deliver_post(webhook("https://me:hush@hooks.example.org/s3cr3t-path", local=False)))
    assert all(one.outcome != "sent" for one in told)
    assert not any("s3cr3t" in str(one) or "hush" in str(one) for one in (*told, hook, hook.channel))
