"""The toy, played by email from start to end: no code outside its folder knows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.clock import ManualClock
from adjudicator.config.service import read_settings
from adjudicator.game_kinds import find_kind
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.service import Service, open_service
from adjudicator.storage import stored_games
from games.record import canonical
from orders.mail.body import sheet_of
from tests.kit.mail import letter, plain_text
from tests.kit.memory_repository import HOUR, NOON
from tests.kit.service_harness import create_database

PLAYER = "player@example.net"
SECRET = b"the secret of a cairn"
RAW = {
    "service": {"address": "gm@example.org"},
    "inbox": {"url": "maildir:./in"},
    "outbox": {"url": "maildir:./out"},
}


@dataclass
class Post:
    """A house between two Maildirs, and a player who reads one and writes into the other."""

    folder: Path
    service: Service
    clock: ManualClock
    read: set[str] = field(default_factory=set)
    written: int = 0

    def work(self) -> list[EmailMessage]:
        """Poll, process, send. Returns the emails in the order in which they were written."""
        self.service.poll()
        self.service.process()
        self.service.send()
        new = [file for file in (self.folder / "out" / "new").iterdir() if file.name not in self.read]
        self.read |= {file.name for file in new}
        letters = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in new]
        return sorted(letters, key=lambda one: "Re: " not in one["Subject"])

    def answer(self, to: EmailMessage, text: str) -> None:
        """Write to the reply address of one of our emails."""
        self.written += 1
        raw = letter(
            text,
            sender=PLAYER,
            to=str(to["Reply-To"]),
            subject="Re: the cairn",
            date=self.clock.now(),
            number=self.written,
        )
        (self.folder / "in" / "new" / f"{self.clock.now()}.{self.written}").write_bytes(raw)

    @property
    def position(self) -> GamePosition:
        """The game as it stands."""
        return game_admin.position_of(self.service, "solo")


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """A game of the toy has begun, and its seat has been given to the player."""
    clock = ManualClock(NOON)
    create_database(tmp_path)
    service = open_service(read_settings(RAW, tmp_path / "gm.toml", {}), clock)
    game_admin.new_game(service, game_admin.GameRequest("Cairns", "solo", {"turns": "8"}), secret=SECRET)
    game_admin.assign(service, "solo", "player", PLAYER)
    yield Post(tmp_path, service, clock)
    service.database.close()


def words(one: EmailMessage) -> str:
    return " ".join(plain_text(one.as_bytes()).split())


def log_of(post: Post) -> tuple[tuple[LogEntry, bytes], ...]:
    """The entries of the game, with the states after them."""
    return stored_games.log(post.service.database, "solo")


def find_pebbles(one: EmailMessage) -> set[str]:
    """The pebbles that a letter names, in its text or in its HTML."""
    page = one.get_body(("html",))
    assert page is not None
    told = words(one) + str(page.get_content())
    return {pebble for pebble in PEBBLES if pebble in told}


PEBBLES = (
    *("agate", "basalt", "chalk", "diorite", "emerald", "flint"),
    *("garnet", "hornblende", "jasper", "larvikite", "marble", "onyx"),
)
HAND = {"diorite", "emerald", "flint", "marble"}


def test_the_first_letter_shows_the_players_hand_and_no_other(post: Post) -> None:
    """As text and as HTML, from the service's templates, without a map."""
    (welcome,) = post.work()
    assert welcome["To"] == PLAYER
    assert " [solo T1 player #" in welcome["Subject"]
    assert set(post.position.state.hands["player"]) == HAND
    assert find_pebbles(welcome) == HAND
    assert [part for part in welcome.walk() if part.get_content_maintype() == "image"] == []


def test_several_orders_of_a_letter_are_played_one_by_one(post: Post) -> None:
    """The bot replies in between, until the third order is impossible; the rest is kept, and the player is
    told.
    """
    (welcome,) = post.work()
    post.answer(welcome, "drop marble\nplay emerld\ndrop diorite\nrest\n")
    verdict, report = post.work()
    assert "orders: 4 accepted" in verdict["Subject"]
    assert ("✓ " + sentence("reports.transcript.in_force", said="drop emerald")) in words(verdict)
    # T1 and T3 were the player's, T2 and T4 the bot's.
    assert [entry.turn for entry, _ in log_of(post)][1:] == ["T1", "T2", "T3", "T4"]
    told = words(report)
    for event in ("dropped the marble", "dropped the agate", "dropped the emerald", "dropped the chalk"):
        assert event in told
    waiting = {"queued": True, "stopped": False, "untaken": False, "order": "drop diorite"}
    problem = "the diorite may not lie beside the chalk"
    assert f"{sentence('reports.report.waiting_order', problem=problem, **waiting)} write: draw" in told
    assert " [solo T1 player #" in report["Subject"], "the first turn that is told"
    assert sheet_of(plain_text(report.as_bytes())) == ("draw", "rest"), "it can be sent back as it is"
    notation = find_kind("cairn").notation
    assert [notation.write(order) for order in post.position.filed["player"]] == ["drop diorite", "rest"]
    assert find_pebbles(report) == HAND | {"agate", "chalk"}


def test_nothing_is_played_while_an_order_holds_the_queue_up(post: Post) -> None:
    """Until the player writes again; the player is told the drawn cards."""
    (welcome,) = post.work()
    post.answer(welcome, "drop marble\ndrop emerald\ndrop diorite\n")
    _, report = post.work()
    assert post.work() == []
    post.clock.advance(HOUR)
    post.answer(report, "draw")
    _, next_report = post.work()
    drawn = set(post.position.state.hands["player"]) - HAND
    assert len(drawn) == 1
    assert f"took the {drawn.pop()} from the bag" in words(next_report)
    assert " [solo T5 player #" in next_report["Subject"]
    assert post.position.filed == {}


def test_an_answer_to_a_letter_of_an_earlier_turn_is_late(post: Post) -> None:
    (welcome,) = post.work()
    post.answer(welcome, "drop marble")
    _, report = post.work()
    post.clock.advance(HOUR)
    post.answer(welcome, "drop emerald")
    (verdict,) = post.work()
    assert sentence("reports.transcript.late", said="drop emerald") in words(verdict)
    assert verdict["Reply-To"] == report["Reply-To"]


def test_silence_ends_the_game_too(post: Post) -> None:
    """At each deadline, where one wants any, the default is played, once the mailbox was looked into."""
    deadlines.set_terms(post.service, "solo", {"solo": "clock"}, "as you wished")
    post.work()
    letters = []
    for _ in range(8):
        if post.position.is_running:
            post.clock.advance(84 * HOUR + 1)
            letters += post.work()
    assert not post.position.is_running
    last = letters[-1]
    assert "The game is over" in words(last)
    # What was hidden is told at the end: what the bot did and why, and the dice.
    assert "may be dropped" in words(last)
    assert "may be dropped" not in words(letters[0])
    assert sentence("reports.posts.silent", seats=("player",)) in words(letters[0])


def test_the_log_of_the_game_can_be_proved(post: Post) -> None:
    """From the database, byte for byte."""
    (welcome,) = post.work()
    post.answer(welcome, "drop marble\ndrop emerald\ndrop diorite\n")
    post.work()
    proof = game_admin.prove(post.service, "solo")
    assert (proof.agreed, proof.fault) == (5, None)
    assert proof.states[-1] == canonical(post.position.state)
