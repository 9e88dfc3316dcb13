"""REMATCH: the table of a game that is over plays again, each in another seat; alone it begins at once."""

import shutil
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import DAY
from adjudicator.messages import sentence
from adjudicator.storage import outbox
from adjudicator.turns.gather import assign_seats
from games.dice import SealedDice
from games.protocol import Seat
from tests.adjudicator.turns.test_seating import SEATS
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter

POWERS = ("Austria", "England", "France")
GAME, AGAIN = "elk", "elk-2"

pytestmark = pytest.mark.usefixtures("undrawn")


def address(power: str) -> str:
    return f"{power.lower()}@example.net"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three players and four bots that is over."""
    folder = tmp_path_factory.mktemp("rematch") / "service"
    with attacked_service(folder) as it:
        seats = {power: address(power) for power in POWERS}
        terms = {"moves": "48h", "press": "white", "listed": "no", "forum": "none"}
        game_admin.new_game(
            it.service,
            game_admin.GameRequest("standard", GAME, seats=seats, terms=terms, level="intermediate"),
            secret=b"s" * 32,
        )
        game_admin.end(it.service, GAME, (), "a test")
    return folder


@pytest.fixture
def it(template: Path, tmp_path: Path) -> Iterator[AttackedService]:
    with attacked_service(Path(shutil.copytree(template, tmp_path / "service"))) as opened:
        opened.clock.advance(DAY)
        yield opened


def ours(it: AttackedService, to: str, part: str) -> str:
    """Return the reply address of our newest email to somebody with a part in its key."""
    for posted in outbox.list_posted(it.service.database, 500):
        if posted.sealed.to == to and part in posted.sealed.key:
            return str(message_from_bytes(posted.sealed.raw, policy=policy.default)["Reply-To"])
    raise AssertionError(f"nothing like {part} was written to {to}")


def write(it: AttackedService, sender: str, to: str, text: str) -> str:
    """Send an email. Return our reply, on one line."""
    raw = letter(text, sender=sender, to=to, number=it.count, date=it.clock.now())
    shown = it.arrives(raw)
    it.service.process()
    return " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())


def ask(it: AttackedService, power: str = "Austria") -> str:
    return write(it, address(power), ours(it, address(power), f"{GAME}/0/welcome"), "REMATCH")


def test_the_last_report_says_how_to_ask_for_it(it: AttackedService) -> None:
    (last,) = [p for p in outbox.list_posted(it.service.database) if p.sealed.key.endswith("/end/Austria")]
    said = " ".join(sentence("reports.report.rematch", alone=False).split())
    for kind in ("plain", "html"):
        part = message_from_bytes(last.sealed.raw, policy=policy.default).get_body((kind,))
        assert part is not None
        assert said in " ".join(part.get_content().split())


def test_those_who_say_yes_play_again_in_other_seats(it: AttackedService) -> None:
    said = sentence("inbound.rematch.asked", game=AGAIN, count=2, days=7)
    assert " ".join(said.split()) in ask(it)
    for power in POWERS[1:]:
        invitation = ours(it, address(power), f"{AGAIN}/invite/")
        write(it, address(power), invitation, "YES")
    position = it.position(AGAIN)
    seats = {
        assignment.address: seat for seat, assignment in position.assignments.items() if assignment.address
    }
    assert set(seats) == {address(power) for power in POWERS}
    assert all(seats[address(power)] != power for power in POWERS)
    customs = it.service.repository.people.policy(AGAIN)
    assert (customs.press, customs.listed) == ("white", "no")
    assert position.deadlines.lengths["moves"] == 2 * DAY
    assert {seat.bot for seat in position.assignments.values()} == {"intermediate"}


def test_the_invitation_says_who_asks_without_an_address(it: AttackedService) -> None:
    ask(it)
    (posted,) = [
        one
        for one in outbox.list_posted(it.service.database)
        if one.sealed.key == f"{AGAIN}/invite/{address('England')}"
    ]
    text = " ".join(it.text(posted).split())
    assert (
        " ".join(sentence("outbound.invitations.again", seat="Austria", earlier=GAME, game=AGAIN).split())
        in text
    )
    assert address("Austria") not in text


def test_after_a_week_it_starts_with_those_who_came_and_the_rest_is_open(it: AttackedService) -> None:
    ask(it)
    write(it, address("France"), ours(it, address("France"), f"{AGAIN}/invite/"), "YES")
    it.clock.advance(7 * DAY)
    it.service.process()
    position = it.position(AGAIN)
    assert sum(seat.is_person for seat in position.assignments.values()) == 2
    assert len(it.service.repository.people.vacancies(AGAIN)) == 1


def test_one_player_alone_waits_for_another(it: AttackedService) -> None:
    ask(it)
    it.clock.advance(8 * DAY)
    it.service.process()
    assert it.service.repository.people.offer(AGAIN) is not None


def test_who_asks_second_joins_the_same_game(it: AttackedService) -> None:
    ask(it)
    assert sentence("inbound.joining.signed_up", game=AGAIN, liked=(), there=2, needed=3) in ask(it, "France")
    assert [offer.name for offer in it.service.repository.people.offers()] == [AGAIN]


def test_a_rematch_is_asked_for_within_a_month(it: AttackedService) -> None:
    it.clock.advance(30 * DAY)
    assert " ".join(sentence("inbound.rematch.too_late", days=30).split()) in ask(it)
    assert it.service.repository.people.offers() == ()


def test_while_a_game_runs_there_is_none(it: AttackedService) -> None:
    game_admin.new_game(
        it.service, game_admin.GameRequest("standard", "fox", seats={"Austria": address("Austria")})
    )
    reply = write(it, address("Austria"), ours(it, address("Austria"), "fox/0/welcome"), "REMATCH")
    assert " ".join(sentence("inbound.rematch.still_runs", game="fox").split()) in reply


def test_a_solo_game_begins_again_at_once(it: AttackedService) -> None:
    seats = {"England": address("England")}
    asked = game_admin.GameRequest("standard", "owl-3", seats=seats, options={"last_year": "1910"})
    game_admin.new_game(it.service, asked, secret=b"s" * 32)
    game_admin.end(it.service, "owl-3", (), "a test")
    write(it, address("England"), ours(it, address("England"), "owl-3/0/welcome"), "REMATCH")
    position = it.position("owl-2")
    assert position.assignments[Seat("England")].address == address("England")
    assert (position.is_running, position.options["last_year"]) == (True, 1910)


@pytest.mark.parametrize("entry", range(20))
def test_an_earlier_seat_is_given_only_if_there_is_no_other(entry: int) -> None:
    """With any preferences: the players of two seats swap, and the only player of one seat keeps it."""
    dice = SealedDice(b"s" * 32, "elk", entry)
    wishes = [(Seat("A"), Seat("B")), (Seat("A"),), ()]
    earlier = [{Seat("A")}, {Seat("B")}, {Seat("C")}]
    given = assign_seats(wishes, SEATS, dice, earlier)
    assert all(seat not in had for seat, had in zip(given, earlier, strict=True))
    assert given[1] == "A"
    assert assign_seats([(), ()], SEATS[:2], dice, [{SEATS[0]}, {SEATS[1]}]) == (SEATS[1], SEATS[0])
    assert assign_seats([()], SEATS[:1], dice, [{SEATS[0]}]) == SEATS[:1]
