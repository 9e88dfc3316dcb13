"""Emails to a deleted game, or for a seat of another player, and the replies to their writers."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Loan
from adjudicator.storage import stored_games
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.mail import letter
from tests.system.test_reply_token_secrecy import drawings, two_games

ORDER = "Mohawk - Delaware"
STRANGER = "friend@example.com"
VOUCHED = {
    "Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net; "
    f"spf=pass smtp.mailfrom={IROQUOIS}"
}


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    with drawings():
        yield


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service of two games, in both of which the same two people play."""
    with attacked_service(Path(shutil.copytree(two_games.folder(), tmp_path / "service"))) as one:
        yield one


def deleted_text(game: str = "demo") -> str:
    """Return the reply to the writer to a deleted game."""
    return " ".join(sentence("inbound.former_seats.deleted", game=game).split())


def removed(game: str = "demo", seat: str = "Iroquois") -> str:
    """Return the reply to a former player of a seat."""
    return " ".join(sentence("inbound.former_seats.removed", game=game, seat=seat).split())


def list_replies(it: AttackedService, raw: bytes) -> list[tuple[str, str]]:
    """Return the addresses and texts of the replies to an email."""
    return [(one.sealed.to, " ".join(it.text(one).split())) for one in it.answers(it.arrives(raw))]


def deleted(it: AttackedService, game: str = "demo") -> str:
    """Delete a game. Returns where the Iroquois answered to in it."""
    old = it.reply(game=game)
    game_admin.delete(it.service, game, "nobody plays")
    return old


def test_an_email_to_a_deleted_game_is_answered_so(it: AttackedService) -> None:
    """Not as a forgery; nothing else happens."""
    old = deleted(it)
    ((to, text),) = list_replies(it, letter(ORDER, to=old))
    assert to == IROQUOIS
    assert deleted_text() in text
    assert it.filed("beaver") == {}


def test_a_former_player_without_another_seat_is_told_too(it: AttackedService) -> None:
    old = deleted(it)
    deleted(it, "beaver")
    ((to, text),) = list_replies(it, letter(ORDER, to=old))
    assert (to, deleted_text() in text) == (IROQUOIS, True)


def test_an_authenticated_email_to_a_deleted_game_orders_nothing_elsewhere(it: AttackedService) -> None:
    """A player with one other game didn't mean that one."""
    old = deleted(it)
    ((_, text),) = list_replies(it, letter(f"{ORDER}\nREADY", to=old, headers=VOUCHED))
    assert deleted_text() in text
    assert it.filed("beaver") == {}
    assert not it.position("beaver").assignments[Seat("Iroquois")].ready


def test_a_reply_in_an_old_thread_to_a_game_that_runs_is_read(it: AttackedService) -> None:
    """Only its thread and its subject are of the deleted game: its token counts."""
    ours = it.ours(IROQUOIS)
    deleted(it)
    old = {"In-Reply-To": str(ours["Message-ID"])}
    it.arrives(letter(ORDER, to=it.reply(game="beaver"), subject=str(ours["Subject"]), headers=old))
    assert "Iroquois" in it.filed("beaver")


def test_an_authenticated_email_in_an_old_thread_is_read(it: AttackedService) -> None:
    """It went to the address of the service, and its writer plays in one game."""
    old = {"In-Reply-To": str(it.ours(IROQUOIS)["Message-ID"])}
    deleted(it)
    it.arrives(letter(ORDER, headers={**VOUCHED, **old}))
    assert "Iroquois" in it.filed("beaver")


def test_a_stranger_gets_few_such_answers(it: AttackedService) -> None:
    """Anybody can write in anybody's name."""
    old = deleted(it)
    answers = [
        list_replies(it, letter(ORDER, sender=STRANGER, to=old, number=number)) for number in range(10)
    ]
    assert 1 <= len([one for one in answers if one]) <= 3


def test_a_name_that_no_game_ever_had_is_told_nothing(it: AttackedService) -> None:
    assert list_replies(it, letter(ORDER, sender=STRANGER, to=it.reply().replace("demo", "elk"))) == []


def test_who_was_removed_from_a_seat_is_told_so(it: AttackedService) -> None:
    """The GM gave it to another player: nothing is filed, and the new player's address is not shown."""
    old = it.reply()
    seats.replace_player(it.service, "demo", "Iroquois", STRANGER, "as agreed")
    ((to, text),) = list_replies(it, letter(ORDER, to=old))
    assert to == IROQUOIS
    assert removed() in text
    assert STRANGER not in text
    assert it.filed() == {}


def test_who_was_removed_can_take_a_free_seat_again(it: AttackedService) -> None:
    old = it.reply()
    seats.kick(it.service, "demo", "Iroquois", "silent for long")
    ((_, text),) = list_replies(it, letter(ORDER, to=old))
    assert removed() in text
    assert "JOIN demo" in text


def test_who_was_removed_orders_nothing_in_another_game(it: AttackedService) -> None:
    """Also when the email is authenticated."""
    old = it.reply()
    seats.kick(it.service, "demo", "Iroquois", "silent for long")
    ((_, text),) = list_replies(it, letter(ORDER, to=old, headers=VOUCHED))
    assert removed() in text
    assert it.filed("beaver") == {}


def test_who_is_away_is_told_of_their_substitute(it: AttackedService) -> None:
    """The seat is lost for a while only."""
    old, until = it.reply(), it.clock.now() + 3_600_000
    seats.replace_player(it.service, "demo", "Iroquois", STRANGER, "away")
    loan = Loan(owner=IROQUOIS, password=None, substitute=STRANGER, until=until)
    timing = replace_fields(it.position().timing, loans={"Iroquois": loan})
    stored_games.set_timing(it.service.database, "demo", timing)
    ((_, text),) = list_replies(it, letter(ORDER, to=old))
    assert " ".join(sentence("inbound.former_seats.lent", game="demo", seat="Iroquois").split()) in text
    assert removed() not in text
    assert it.filed() == {}


def test_who_never_had_the_seat_is_not_told_that_it_was_theirs(it: AttackedService) -> None:
    """The other player, and a stranger, who found the address somewhere."""
    old = it.reply()
    seats.kick(it.service, "demo", "Iroquois", "silent for long")
    for number, sender in enumerate((DAKOTA, STRANGER)):
        assert all(
            removed() not in text
            for _, text in list_replies(it, letter(ORDER, sender=sender, to=old, number=number))
        )


def test_who_plays_another_seat_of_the_game_now_writes_from_there(it: AttackedService) -> None:
    """The old address orders nothing, and its writer is told why; the new one works."""
    old = it.reply()
    seats.kick(it.service, "demo", "Iroquois", "as agreed", offer=False)
    game_admin.assign(it.service, "demo", Seat("Apache"), IROQUOIS)
    ((_, text),) = list_replies(it, letter(ORDER, to=old, headers=VOUCHED))
    assert removed() in text
    assert it.filed() == {}


def test_a_robot_is_told_nothing(it: AttackedService) -> None:
    old = deleted(it)
    assert list_replies(it, letter("I am away", to=old, headers={"Auto-Submitted": "auto-replied"})) == []
    assert list_replies(it, letter(ORDER, to=old, headers={"Precedence": "bulk"}, number=2)) == []
