"""Channels get the news of games once each and in order, whatever their servers do, and delay nobody."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.clock import DAY, HOUR, MINUTE
from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.daemon.daemon import serve
from adjudicator.messages import sentence
from adjudicator.model.channel_posts import PostReason, recipient_of
from adjudicator.model.mail import PROCESS, SEND
from adjudicator.outbound.channels import ChannelSender
from adjudicator.service import Service
from adjudicator.storage import outbox, workers
from games.protocol import Seat
from tests.kit.handbook import DOCS
from tests.kit.service_harness import LocalService, letters_in, local_service
from tests.kit.webhook_server import BROKEN, GOOD, Answer, WebhookServer, webhook_server

ALL: tuple[PostReason, ...] = ("due", "played", "begun", "ended", "wanted", "press")
IROQUOIS = "iroquois@example.org"


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Posts without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)


@pytest.fixture
def board() -> Iterator[WebhookServer]:
    """A server for posts."""
    with webhook_server() as it:
        yield it


def webhook(board: WebhookServer, name: str = "club", *what: PostReason) -> Channel:
    url = Secret("text", board.url)
    told = frozenset(what or ALL)
    return Channel(name=name, kind="webhook", what=told, url=url, secret=Secret("text", "hush"), local=True)


def add_channels(here: LocalService, *channels: Channel) -> Service:
    """The house of a service with channels."""
    return replace(here.service, service_context=replace(here.service.service_context, channels=channels))


def play(service: Service, game: str = "beaver") -> None:
    """Run the turn, even with missing orders."""
    position = game_admin.position_of(service, game)
    assert service.turns.play(position, service.clock.now(), ripe=True, by="gm") is not None


def offer(service: Service, *names: str) -> None:
    """Offer games that wait for players: each is announced where players are wanted."""
    for name in names:
        game_admin.offer(service, game_admin.GameRequest("standard", name))


def cried(service: Service, here: LocalService) -> None:
    """Post until nothing waits, with as much time between as that takes."""
    for _ in range(100):
        service.post_to_channels()
        if not outbox.waiting(service.database):
            return
        here.clock.advance(HOUR)
    raise AssertionError("posts wait for ever")


TROUBLES = {
    "well": [GOOD],
    "down": [Answer(503)] * 7,
    "500": [Answer(500), GOOD, Answer(502)],
    "429": [Answer(429, (("Retry-After", "90"),)), GOOD, Answer(429, (("Retry-After", "3600"),))],
    "breaks off": [BROKEN, GOOD, BROKEN, BROKEN],
    "moved within": [Answer(308, (("Location", "/new"),)), GOOD],
    "all of it": [BROKEN, Answer(500), Answer(429), Answer(307, (("Location", "/x"),)), GOOD, BROKEN],
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_post_arrives_once_and_in_order(tmp_path: Path, board: WebhookServer, trouble: str) -> None:
    """In the server's count, by their ids."""
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "wanted"))
        board.script = list(TROUBLES[trouble])
        offer(service, "ash")
        service.post_to_channels()
        offer(service, "birch", "cedar", "dogwood")
        cried(service, here)
        documents = list(board.taken.values())
        assert [one["game"] for one in documents] == ["ash", "birch", "cedar", "dogwood"]
        assert set(board.taken) == {one["id"] for one in documents}
        assert board.script == []
        assert workers.current_incidents(service.database) == ()


def test_retry_after_is_waited_for_and_nothing_passes_what_waits(
    tmp_path: Path, board: WebhookServer
) -> None:
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "wanted"))
        board.script = [Answer(429, (("Retry-After", "600"),))]
        offer(service, "ash", "birch")
        assert service.post_to_channels() == 0
        here.clock.advance(9 * MINUTE)
        assert service.post_to_channels() == 0
        assert len(board.asked) == 1, "neither the post nor the one behind it"
        here.clock.advance(2 * MINUTE)
        assert service.post_to_channels() == 2
        assert len(board.taken) == 2


def test_what_is_sent_elsewhere_is_given_up_and_told_once(tmp_path: Path, board: WebhookServer) -> None:
    with local_service(tmp_path) as here, webhook_server() as other:
        service = add_channels(here, webhook(board, "club", "wanted"))
        board.script = [Answer(302, (("Location", other.url),))] * 2
        offer(service, "ash", "birch", "cedar")
        service.post_to_channels()
        service.send()
        assert other.asked == []
        assert len(board.taken) == 1
        letters = letters_in(here.folder / "mail" / "in")
        assert [one["Subject"] for one in letters] == [
            sentence("outbound.alerts.channel_subject", channel="club")
        ]


def test_what_was_on_its_way_when_we_died_is_posted_again(tmp_path: Path, board: WebhookServer) -> None:
    """The server knows it by its id."""
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "wanted"))
        offer(service, "ash")
        now, (sender,) = here.clock.now(), service.channel_senders
        taken = outbox.claim_next(service.database, recipient_of("club"), now, sender.worker)
        assert taken is not None
        assert outbox.begin(service.database, taken.key, now, worker=sender.worker)
        assert service.post_to_channels() == 0, "another has it in hand"
        here.clock.advance(HOUR)
        assert service.post_to_channels() == 1
        assert len(board.taken) == 1


def test_a_post_that_died_on_its_way_to_a_service_without_ids_is_dropped(tmp_path: Path) -> None:
    with local_service(tmp_path) as here:
        channel = Channel(
            name="chat", kind="apprise", what=frozenset({"wanted"}), url=Secret("text", "json://127.0.0.1:9/")
        )
        service = add_channels(here, channel)
        offer(service, "ash")
        now, (sender,) = here.clock.now(), service.channel_senders
        taken = outbox.claim_next(service.database, recipient_of("chat"), now, sender.worker)
        assert taken is not None
        outbox.begin(service.database, taken.key, now, worker=sender.worker)
        here.clock.advance(HOUR)
        assert service.post_to_channels() == 0
        (failed,) = outbox.list_posted(service.database, states=("failed",))
        assert "may have arrived" in (failed.why or "")


def test_a_channel_that_hangs_delays_nobody(tmp_path: Path, board: WebhookServer) -> None:
    """Neither emails nor other channels: all are finished while it still hangs."""
    with local_service(tmp_path) as here, webhook_server() as other:
        service = add_channels(here, webhook(board, "slow", "wanted"), webhook(other, "club", "wanted"))
        board.script = [Answer(slow=True)] * 50
        game_admin.new_game(service, game_admin.GameRequest("indianomacy", "beaver", terms={"early": "no"}))
        stop, sent = threading.Event(), threading.Event()
        steps: list[str] = []

        def reached(step: str) -> None:
            steps.append(step)
            if step == "report sent":
                sent.set()

        work = replace(service, reached=reached)
        thread = threading.Thread(
            target=serve, args=(work, stop), kwargs={"seconds": 0.05, "jobs": (PROCESS, SEND)}
        )
        thread.start()
        try:
            offer(service, "ash")
            assert board.arrived.wait(300)
            assert other.arrived.wait(300)
            other.arrived.clear()
            sent.clear()
            game_admin.assign(service, "beaver", "iroquois", IROQUOIS)
            offer(service, "birch")
            assert sent.wait(300)
            assert other.arrived.wait(300)
            marks = {headers["webhook-id"] for _, headers, _ in board.asked}
            assert len(marks) == 1, "it still hangs at the first, however often that is tried"
            assert not board.go_on.is_set()
            assert len(here.mail(IROQUOIS)) >= 1
        finally:
            board.go_on.set()
            stop.set()
            thread.join(300)
        assert not thread.is_alive()


def test_a_deadline_that_is_over_is_not_told_of(tmp_path: Path, board: WebhookServer) -> None:
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "due"))
        game = game_admin.GameRequest("indianomacy", "beaver", terms={"solo": "clock", "moves": "72h"})
        game_admin.new_game(service, game)
        game_admin.assign(service, "beaver", "iroquois", IROQUOIS)
        here.clock.advance(2 * DAY + HOUR)
        service.poll()
        service.process()
        assert outbox.waiting(service.database) == {recipient_of("club"): 1}
        here.clock.advance(2 * DAY)
        service.post_to_channels()
        assert board.asked == []
        assert workers.current_incidents(service.database) == ()


def test_a_deadline_that_was_extended_is_told_of(tmp_path: Path, board: WebhookServer) -> None:
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "due"))
        game = game_admin.GameRequest("indianomacy", "beaver", terms={"solo": "clock", "moves": "72h"})
        game_admin.new_game(service, game)
        game_admin.assign(service, "beaver", "iroquois", IROQUOIS)
        here.clock.advance(2 * DAY + HOUR)
        service.poll()
        service.process()
        here.clock.advance(2 * DAY)
        deadlines.extend(service, "beaver", DAY, "the board was down")
        service.post_to_channels()
        assert [one["what"] for one in board.taken.values()] == ["due"]


def test_all_that_may_be_told_is_told_where_it_is_wanted(tmp_path: Path, board: WebhookServer) -> None:
    """Each as a document that the schema describes."""
    with local_service(tmp_path) as here, webhook_server() as quiet:
        service = add_channels(here, webhook(board), webhook(quiet, "quiet", "ended"))
        terms = {"solo": "clock", "moves": "72h"}
        game_admin.new_game(service, game_admin.GameRequest("indianomacy", "beaver", terms=terms))
        game_admin.assign(service, "beaver", "iroquois", IROQUOIS)
        game_admin.assign(service, "beaver", "dakota", "dakota@example.org")
        seats.write(service, "beaver", (), "All is well in *Abnaki*.")
        seats.write(service, "beaver", ("Dakota",), "Between us alone.")
        here.clock.advance(2 * DAY + HOUR)
        service.poll()
        service.process()
        cried(service, here)
        play(service)
        game_admin.end(service, "beaver", ("iroquois",), "a private reason")
        game_admin.offer(service, game_admin.GameRequest("standard", "otter"), players=3)
        cried(service, here)
        documents = list(board.taken.values())
        assert [one["what"] for one in documents] == ["begun", "press", "due", "played", "ended", "wanted"]
        begun, press, due, played, ended, wanted = documents
        assert begun["kind"] == "indianomacy"
        assert press["press"] == {
            "heading": "From the gamesmaster to all",
            "text": "All is well in *Abnaki*.",
        }
        assert "\\*Abnaki\\*" in press["markdown"]
        assert due["deadline"] > due["at"]
        assert played["chapters"][0]["passages"]
        assert played["next"]["short"]
        ended_by_gm = sentence("outbound.notifications.ended_by_gm")
        assert ended["result"] == {"winners": ["Iroquois"], "reason": ended_by_gm}
        assert "a private reason" not in str(documents), "it is for the log alone"
        assert wanted["summary"] == (
            "Diplomacy has 7 seats. The game begins when 3 players have signed up. "
            "To play, email gm@example.org with the line  JOIN otter."
        )
        assert [one["what"] for one in quiet.taken.values()] == ["ended"]
        assert "Between us" not in json.dumps(documents)
        schema = Draft202012Validator(json.loads((DOCS / "channel.schema.json").read_text()))
        for one in documents:
            schema.validate(one)


def test_games_are_chosen_by_their_names(tmp_path: Path, board: WebhookServer) -> None:
    with local_service(tmp_path) as here:
        channel = replace(webhook(board, "club", "begun"), games=frozenset({"club-*", "otter"}))
        service = add_channels(here, channel)
        for name in ("club-1", "beaver", "otter", "clubs"):
            game_admin.new_game(service, game_admin.GameRequest("indianomacy", name))
        cried(service, here)
        assert [one["game"] for one in board.taken.values()] == ["club-1", "otter"]


def test_a_seat_that_falls_free_is_told(tmp_path: Path, board: WebhookServer) -> None:
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board, "club", "wanted"))
        game_admin.new_game(service, game_admin.GameRequest("indianomacy", "beaver"))
        game_admin.assign(service, "beaver", "iroquois", IROQUOIS)
        game_admin.assign(service, "beaver", "dakota", "dakota@example.org")
        here.service.send()
        (welcome,) = here.mail(IROQUOIS)
        here.answer(IROQUOIS, welcome, "RESIGN")
        service.poll()
        service.process()
        cried(service, here)
        (document,) = board.taken.values()
        assert (document["what"], document["seat"]) == ("wanted", Seat("Iroquois"))
        assert "JOIN beaver Iroquois" in document["summary"]


def test_a_crier_asks_nothing_of_the_books_where_nothing_waits(tmp_path: Path, board: WebhookServer) -> None:
    """It comes round every few seconds, and takes no lock then."""
    with local_service(tmp_path) as here:
        service = add_channels(here, webhook(board))
        (sender,) = service.channel_senders
        assert isinstance(sender, ChannelSender)
        with here.service.database.writing():
            assert sender.send() == 0
