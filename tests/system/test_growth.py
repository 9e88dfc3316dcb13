"""The growth of the database during a game by email. Compressed data is still complete."""

from pathlib import Path

import pytest

from adjudicator.admin import backup, game_admin, transfer
from adjudicator.clock import DAY
from adjudicator.daemon.daemon import tidy
from adjudicator.storage import attachments, outbox, pruning
from adjudicator.storage.database import BoundedCache
from adjudicator.storage.tables import OutRow, PartRow
from games.dice import SealedDice
from tests.kit.service_harness import LocalService, local_service


@pytest.fixture(scope="module", autouse=True)
def skip_drawing() -> None:
    """Pictures are drawn: what is kept is weighed."""


GAME, TURNS = "vienna", 2
MOST_BYTES = 60_000
"""A turn and reader, letters in and out, pictures and the log together."""


def play_on(place: LocalService, people: dict[str, str]) -> None:
    """Run a turn in which each person sends a bot's orders by mail, above the quoted report."""
    position = game_admin.position_of(place.service, GAME)
    game = position.game
    bot = next(iter(game.bots.values()))
    for seat, address in people.items():
        view = game.rules.view(position.state, seat)
        dice = SealedDice(b"x" * 32, seat, position.entries)
        due = [one for one in game.rules.due(position.state) if one.seat == seat]
        orders = [game.notation.write(choice.order) for one in due for choice in bot.orders(view, one, dice)]
        if orders:
            letter = [one for one in place.mail(address) if one["Reply-To"]][-1]
            place.answer(address, letter, "\n".join(orders))
    place.work()
    position = game_admin.position_of(place.service, GAME)
    assert position.deadline is not None
    place.clock.set(position.deadline + position.deadlines.grace + 120_000)
    place.work()


def grown(place: LocalService) -> int:
    """Return the bytes of emails, pictures and logs."""
    found = pruning.sizes(place.service.database, place.clock.now())
    return found.letters_in + found.letters_out + found.parts + found.logs


@pytest.fixture
def played(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A service in which two people have played so many turns and one more against bots; tidied up since."""
    kind, turns = request.param
    monkeypatch.setattr(attachments, "_PARTS_CACHE", BoundedCache(1))
    with local_service(tmp_path / "service") as place:
        request_ = game_admin.GameRequest(kind, GAME, level="beginner", terms={"early": "no"})
        position = game_admin.new_game(place.service, request_)
        people = {
            str(seat): f"p{number}@example.org" for number, seat in enumerate([*position.assignments][:2])
        }
        for seat, address in people.items():
            game_admin.assign(place.service, GAME, seat, address)
        place.work()
        play_on(place, people)
        place.clock.advance(2 * DAY)
        tidy(place.service)
        before = grown(place)
        for _ in range(turns):
            play_on(place, people)
        place.clock.advance(2 * DAY)
        tidy(place.service)
        yield place, people, (grown(place) - before) // (TURNS * len(people))


@pytest.mark.parametrize(
    "played",
    [("standard", TURNS), ("indianomacy", TURNS)],
    indirect=True,
    ids=["standard", "indianomacy"],
)
def test_a_game_of_people_and_bots_stays_small_and_loses_nothing(played, tmp_path):
    """Also where few share a picture. Every letter is drawn again as it came, the log proves the game."""
    place, people, each = played
    assert each < MOST_BYTES / 2, each
    service = place.service
    assert service.database.count(PartRow.select().where(PartRow.data != b"")) == 0
    went = {letter["Message-ID"]: letter for address in people.values() for letter in place.mail(address)}
    reports = [one for one in outbox.list_posted(service.database, 99) if "/report/" in one.sealed.key]
    latest = outbox.show(service.database, reports[0].number)
    assert b"image/png" in latest.sealed.raw
    files = [
        path for path in (place.folder / "mail").glob("*/new/*") if latest.sealed.raw in path.read_bytes()
    ]
    assert len(files) == 1, "as it lies in its reader's mailbox"
    assert latest.sealed.message_id in went

    place.clock.advance(91 * DAY)
    service.database.run(OutRow.update(state="sent", settled=0))
    assert tidy(service) > 9
    assert {one.sealed.raw for one in outbox.list_posted(service.database, 99)} == {b""}
    proved = game_admin.prove(service, GAME)
    assert (proved.fault, proved.agreed) == (None, game_admin.position_of(service, GAME).entries)
    document = transfer.export(service, GAME)
    with local_service(tmp_path / "elsewhere", at=place.clock.now()) as other:
        transfer.bring_in(other.service, document)
        assert game_admin.prove(other.service, GAME).fault is None


@pytest.mark.parametrize("played", [("standard", 0)], indirect=True, ids=["standard"])
def test_what_waits_goes_out_the_same_after_a_crash_and_from_a_backup(played, tmp_path):
    """Claimed, and nobody came back; carried elsewhere in a file, and sent from there."""
    place, _, _ = played
    service = place.service
    game_admin.play_now(service, GAME)
    waiting = outbox.claim(service.database, place.clock.now())
    assert {one.game for one in waiting} == {GAME}
    assert any(b"image/png" in one.raw for one in waiting)
    backup.back_up(service, tmp_path / "all.backup")
    with local_service(tmp_path / "elsewhere", at=place.clock.now()) as other:
        backup.restore_file(other.service, tmp_path / "all.backup")
        unsure = outbox.unsure(other.service.database, other.clock.now())
        assert [one.sealed.raw for one in unsure] == [one.raw for one in waiting]
        for one in unsure:
            outbox.clear_up(other.service.database, one.number, "again", other.clock.now())
        other.service.send()
        sent = [path.read_bytes() for path in (other.folder / "mail").glob("*/new/*")]
        assert all(any(one.raw in there for there in sent) for one in waiting)
    service.recover()
    assert outbox.claim(service.database, place.clock.now()) == waiting
