"""Posts by apprise, to a real server through apprise's own service, and without apprise."""

import logging
from collections.abc import Iterator

import pytest

from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.mail import webhooks
from adjudicator.mail.webhooks import AppriseService, read_verdict
from adjudicator.model.channel_posts import ChannelPost, PostedChapter, PostedTurn
from games.record import replace_fields
from tests.kit.webhook_server import BROKEN, Answer, WebhookServer, closed_port, webhook_server

TURN = PostedTurn(short="S1M", name="Spring, year 1, moves")
TOLD = ChannelPost(
    id="a1",
    what="played",
    at="2026-01-05T18:00:00Z",
    service="Turnpost",
    game="beaver",
    turn=TURN,
    heading="beaver: Spring, year 1, moves",
    summary="The Iroquois took Delaware.",
    text="The Iroquois took Delaware.\n",
    markdown="**beaver**\n\nThe *Iroquois* took Delaware.\n",
)
PNG = b"\x89PNG\r\n\x1a\nnone"


@pytest.fixture
def board() -> Iterator[WebhookServer]:
    """A server for posts."""
    with webhook_server() as it:
        yield it


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Return all lines of the log, at the service's level."""
    lines: list[str] = []
    ear = logging.Handler()
    ear.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    root = logging.getLogger()
    root.addHandler(ear)
    yield lines
    root.removeHandler(ear)


def service(port: int) -> AppriseService:
    url = f"json://me:s3cr3t@127.0.0.1:{port}/s3cr3t-path?redirect=yes&format=markdown"
    return AppriseService(Channel(name="chat", kind="apprise", url=Secret("text", url)))


needs_apprise = pytest.mark.skipif(not webhooks.is_apprise_installed(), reason="apprise isn't installed")


@needs_apprise
def test_a_post_arrives_with_its_map(board: WebhookServer) -> None:
    assert service(board.port).deliver("k", TOLD, PNG).outcome == "sent"
    ((_, _, body),) = board.asked
    (document,) = board.taken.values()
    assert document["title"] == TOLD.heading
    assert "took Delaware" in document["message"]
    assert document["attachments"][0]["filename"] == "beaver-S1M.png"
    assert body


@needs_apprise
@pytest.mark.parametrize("room", [32_768, 60])
def test_nothing_of_a_turn_is_said_twice(
    board: WebhookServer, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Many services show the title above the body: there the turn's name stands, and not what happened."""
    happened = "The Iroquois took Delaware."
    chapter = PostedChapter(turn=TURN, headline=happened, passages=())
    marked = f"# beaver: {TURN.name}\n\n{happened}\n"
    told = replace_fields(TOLD, chapters=(chapter,), heading=f"{happened} [beaver S1M]", markdown=marked)
    one = service(board.port)
    plugin = one._plugin()
    plugin.body_maxlen = room
    monkeypatch.setattr(AppriseService, "_plugin", lambda self: plugin)
    assert one.deliver("k", told, None).outcome == "sent"
    (document,) = board.taken.values()
    assert document["title"] == "beaver: Spring, year 1, moves"
    assert document["message"].count(happened) == 1
    assert TURN.name not in document["message"]


@needs_apprise
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(500), "later"),
        (Answer(429), "later"),
        (Answer(404), "refused"),
        (Answer(302, (("Location", "http://127.0.0.1:1/"),)), "refused"),
        (BROKEN, "unsure"),
    ],
)
def test_what_became_of_a_post_is_known(
    board: WebhookServer, logged: list[str], answer: Answer, outcome: str
) -> None:
    """Nothing of the address is shown or logged."""
    board.script = [answer]
    receipt = service(board.port).deliver("k", TOLD, None)
    assert receipt.outcome == outcome
    assert len(board.asked) == 1, "apprise tries it once; when again is our business"
    assert "s3cr3t" not in f"{receipt}{logged}"


@needs_apprise
def test_where_nobody_listens_it_is_tried_again() -> None:
    with closed_port() as port:
        assert service(port).deliver("k", TOLD, None).outcome == "later"


@needs_apprise
def test_an_address_that_no_service_has_is_told_without_it() -> None:
    channel = Channel(
        name="chat", kind="apprise", url=Secret("text", "s3cr3t://there", "[[channel]] chat: url")
    )
    receipt = AppriseService(channel).deliver("k", TOLD, None)
    assert receipt.outcome == "later"
    assert receipt.why == "gm.toml: [[channel]] chat: url: apprise doesn't know a service with this address"


def test_without_apprise_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "APPRISE_LIBRARY", "apprise_that_nobody_has")
    receipt = service(1).deliver("k", TOLD, None)
    assert receipt.outcome == "later"
    assert "apprise isn't installed" in (receipt.why or "")


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Failed to send Discord notification: Unauthorized, error=401.", "refused"),
        ("Failed to send Slack notification: error=503.", "later"),
        ("Failed to send to Matrix: Too Many Requests, error=429.", "later"),
        ("A Connection error occurred sending x.\nSocket Exception: NewConnectionError: refused", "later"),
        ("A Connection error occurred sending x.\nSocket Exception: Read timed out.", "unsure"),
        ("", "later"),
    ],
)
def test_what_a_library_says_is_read(said: str, outcome: str) -> None:
    assert read_verdict(said.splitlines())[0] == outcome
