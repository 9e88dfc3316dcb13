"""A game called gm, from before that name was reserved: it goes on, and no address of it means another's.

Addresses of its seats are ``gm+gm.france.TOKEN@``, and those of its GMs ``gm+gm.gm.TOKEN@``.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from adjudicator.admin import backup, game_admin, gm_mail, transfer
from adjudicator.auth.correspondents import gm_address
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.model import addresses
from adjudicator.model.people import GameGm
from adjudicator.storage import outbox
from games.protocol import Seat
from games.record import canonical, load
from tests.kit.attack_service import NET, AttackedService, attacked_service
from tests.kit.mail import header, letter

FRANCE, ENGLAND, FRIEND = "france@example.net", "england@example.net", "friend@example.net"

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service with a game called gm, as an earlier version began it, and one called fox."""
    with attacked_service(tmp_path / "service") as it:
        for name in ("gm", "fox"):
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(addresses, "RESERVED_NAMES", frozenset({"b", "sent"}))
                seats = {"France": FRANCE, "England": ENGLAND}
                asked = game_admin.GameRequest("standard", name, level="beginner", seats=seats)
                game_admin.new_game(it.service, asked, secret=b"s" * 32)
        yield it


def gm_of(it: AttackedService, game: str) -> GameGm:
    gm = it.service.repository.people.gms(game).find(FRIEND)
    assert gm is not None
    return gm


def address_of_gm(it: AttackedService, game: str) -> str:
    context = it.service.service_context
    return gm_address(context.key, context.address, game, gm_of(it, game))


def test_its_players_play_on(it: AttackedService) -> None:
    to = str(it.ours(FRANCE, "gm")["Reply-To"])
    assert to.startswith("gm+gm.france.")
    shown = it.arrives(letter("A Par - Bur\nSTATUS\nPRESS TO GM\nHello?\nENDPRESS", FRANCE, to, number=1))
    assert (shown.disposition, shown.game, shown.seat) == ("read", "gm", "France")
    assert len(it.filed("gm")["France"]) == 1
    assert it.filed("fox") == {}
    asked = [
        each.sealed.to for each in outbox.list_posted(it.service.database) if "| Hello?" in it.text(each)
    ]
    assert sorted(asked) == [FRANCE, "gm@example.org"], "a quotation for the player, and the GM"
    turn = it.position("gm").entries
    it.clock.advance(4 * DAY)
    it.service.poll()
    it.service.process()
    assert it.position("gm").entries > turn
    assert game_admin.prove(it.service, "gm").fault is None


@pytest.mark.parametrize("line", ["STATUS gm", "MAP gm", "JOIN gm Italy"])
def test_others_name_it_in_commands(it: AttackedService, line: str) -> None:
    shown = it.arrives(NET.signed(letter(line, sender=FRIEND, number=2, date=it.clock.now())))
    assert it.answers(shown)
    assert "gm" in it.text(it.answers(shown)[0])
    if line.startswith("JOIN"):
        assert [signup.address for signup in it.service.repository.people.signups("gm")] == [FRIEND]


def test_it_has_gms_whose_addresses_are_of_no_other_game(it: AttackedService) -> None:
    """Each address carries out its own game's commands alone, and a seat's token is none of a GM."""
    for game in ("gm", "fox"):
        gm_mail.grant(it.service, game, FRIEND, "gm")
    own, other = address_of_gm(it, "gm"), address_of_gm(it, "fox")
    assert own.startswith("gm+gm.gm.")
    seat = str(it.ours(FRANCE, "gm")["Reply-To"])
    wrong = (own.replace("+gm.", "+fox."), other.replace("+fox.", "+gm."), seat.replace(".france.", ".gm."))
    for number, to in enumerate((*wrong, seat, "gm+gm@example.org", "gm+gm.gm@example.org")):
        shown = it.arrives(letter("GM PAUSE because of a test", FRIEND, to, number=10 + number))
        assert shown.disposition == "quarantined", to
    for number, (to, game) in enumerate(((own, "gm"), (other, "fox"))):
        it.arrives(letter("GM PAUSE because of a test", FRIEND, to, number=20 + number))
        question = next(
            each for each in outbox.list_posted(it.service.database) if "/question" in each.sealed.key
        )
        assert f"Shall we do this in {game}?" in it.text(question)
        it.arrives(letter("YES", FRIEND, header(question.sealed.raw, "Reply-To"), number=30 + number))
        paused = {name for name in ("gm", "fox") if it.position(name).timing.stop is not None}
        assert paused == ({"gm"} if game == "gm" else {"gm", "fox"})


def test_a_backup_and_an_export_bring_it_back(it: AttackedService, tmp_path: Path) -> None:
    backup.back_up(it.service, tmp_path / "a.backup")
    document = transfer.export(it.service, "gm")
    with attacked_service(tmp_path / "other") as other:
        backup.restore_file(other.service, tmp_path / "a.backup")
        assert other.position("gm").assignments[Seat("France")].address == FRANCE
    with attacked_service(tmp_path / "third") as third:
        copy = load(type(document), canonical(document))
        with suppress(Refusal):
            transfer.bring_in(third.service, copy, tell=True)
        assert third.service.repository.names() == {"gm"}
        assert str(third.ours(FRANCE, "gm")["Reply-To"]).startswith("gm+gm.france.")


@pytest.mark.parametrize("name", ["gm", "b", "sent"])
def test_no_new_game_has_a_reserved_name(it: AttackedService, name: str) -> None:
    with pytest.raises(Refusal):
        game_admin.new_game(it.service, game_admin.GameRequest("standard", name))
