"""Invitations by email and by `gm`: one per person, nobody signed up unasked, and no players revealed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.clock import DAY
from adjudicator.messages import sentence
from tests.kit.service_harness import LocalService, local_service, text_of

IROQUOIS, DAKOTA, ELM, OAK = (f"{name}@example.org" for name in ("iroquois", "dakota", "elm", "oak"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as opened:
        yield opened


@pytest.fixture
def open_game(place: LocalService) -> LocalService:
    """A game that waits for three people; the Iroquois to be has signed up."""
    terms = {"moves": "48h", "days_off": "sat,sun"}
    game_admin.offer(place.service, game_admin.GameRequest("indianomacy", "beaver", terms=terms), players=3)
    write(place, IROQUOIS, "JOIN beaver")
    write(place, IROQUOIS, "", answers=place.mail(IROQUOIS)[-1])
    assert signed_up(place) == [IROQUOIS]
    return place


def write(place: LocalService, sender: str, text: str, answers: object = None) -> None:
    """Send a person's email and return the answer."""
    if answers is None:
        place.write(sender, "gm@example.org", text, subject="a game")
    else:
        place.answer(sender, answers, text)  # type: ignore[arg-type]
    place.work()
    place.clock.advance(60_000)


def signed_up(place: LocalService, game: str = "beaver") -> list[str]:
    return [one.address for one in place.service.repository.people.signups(game)]


def invitations(place: LocalService, address: str) -> list[str]:
    return [text_of(one) for one in place.mail(address) if one["Subject"].startswith("You are invited")]


def test_an_invitation_says_what_it_is_and_what_it_costs(open_game: LocalService) -> None:
    assert seats.invite(open_game.service, "beaver", [ELM, OAK, ELM]) == ((ELM, OAK), ())
    open_game.work()
    (said,) = invitations(open_game, ELM)
    for wanted in (
        sentence("outbound.invitations.invites", who=None, title="Indianomacy II", game="beaver"),
        "Eight nations compete for ",
        "You win with ",
        sentence("outbound.invitations.waits", count=3),
        sentence("outbound.invitations.so_far", count=1),
        sentence(
            "outbound.invitations.costs",
            moves="48h",
            others=("24h", "24h"),
            early=True,
            hours=(),
            days_off=("sat", "sun"),
        ),
        sentence("outbound.invitations.to_play", game="beaver"),
        sentence("outbound.invitations.not_asked", game="beaver"),
    ):
        assert " ".join(wanted.split()) in " ".join(said.split()), wanted
    assert signed_up(open_game) == [IROQUOIS]


@pytest.mark.parametrize("answer", ["YES", "Yes!", "yes, gladly", "I'm in.", "JOIN beaver dakota", "Ja"])
def test_who_answers_yes_is_in(open_game: LocalService, answer: str) -> None:
    seats.invite(open_game.service, "beaver", [ELM])
    open_game.work()
    write(open_game, ELM, answer, open_game.mail(ELM)[-1])
    assert signed_up(open_game) == [IROQUOIS, ELM]


@pytest.mark.parametrize(
    "answer",
    [
        "Who is this?",
        "Yes we have received your message and will answer within two days.",
        "Not this month, perhaps later",
        "",
        "no idea what that is",
        "YESTERDAY",
    ],
)
def test_what_is_no_plain_yes_enters_nobody(open_game: LocalService, answer: str) -> None:
    seats.invite(open_game.service, "beaver", [ELM])
    open_game.work()
    write(open_game, ELM, answer, open_game.mail(ELM)[-1])
    assert signed_up(open_game) == [IROQUOIS]
    last = open_game.mail(ELM)[-1]
    yes_or_no = " ".join(sentence("inbound.unknown_senders.yes_or_no", game="beaver").split())
    assert yes_or_no in " ".join(text_of(last).split())
    write(open_game, ELM, "yes", last)
    assert signed_up(open_game) == [IROQUOIS, ELM]


def test_a_no_is_the_end_of_it_for_all_games(open_game: LocalService) -> None:
    seats.invite(open_game.service, "beaver", [ELM])
    open_game.work()
    write(open_game, ELM, "No, thanks", open_game.mail(ELM)[-1])
    assert signed_up(open_game) == [IROQUOIS]
    game_admin.offer(open_game.service, game_admin.GameRequest("standard", "otter"))
    assert seats.invite(open_game.service, "otter", [ELM, OAK]) == ((OAK,), (ELM,))
    open_game.work()
    assert len(invitations(open_game, ELM)) == 1


def test_the_answer_of_another_enters_nobody(open_game: LocalService) -> None:
    """It is explained to the address that was invited, and to no other; a YES from there counts."""
    seats.invite(open_game.service, "beaver", [ELM])
    open_game.work()
    write(open_game, OAK, "YES", open_game.mail(ELM)[-1])
    assert signed_up(open_game) == [IROQUOIS]
    assert open_game.mail(OAK) == []
    _invitation, explained = open_game.mail(ELM)
    told = sentence("inbound.other_addresses.invitation", game="beaver", address=ELM)
    assert told in " ".join(text_of(explained).split())
    write(open_game, ELM, "YES", explained)
    assert signed_up(open_game) == [IROQUOIS, ELM]


def test_each_is_written_to_once_for_a_game(open_game: LocalService) -> None:
    seats.invite(open_game.service, "beaver", [ELM])
    assert seats.invite(open_game.service, "beaver", [ELM, IROQUOIS]) == ((), (ELM, IROQUOIS))
    open_game.work()
    assert len(invitations(open_game, ELM)) == 1
    assert invitations(open_game, IROQUOIS) == []


def test_a_player_invites_by_mail(open_game: LocalService) -> None:
    letter = open_game.mail(IROQUOIS)[-1]
    write(open_game, IROQUOIS, f"INVITE {ELM}, <{OAK}> nonsense@", letter)
    said = " ".join(text_of(open_game.mail(IROQUOIS)[-1]).split())
    assert sentence("inbound.invitations.written", game="beaver", addresses=[ELM, OAK]) in said
    assert sentence("inbound.invitations.no_address", addresses=["nonsense@"]) in said
    (told,) = invitations(open_game, ELM)
    invites = sentence("outbound.invitations.invites", who=IROQUOIS, title="Indianomacy II", game="beaver")
    assert invites in " ".join(told.split())
    write(open_game, IROQUOIS, f"INVITE beaver {ELM}", open_game.mail(IROQUOIS)[-1])
    assert f"Invited to beaver: {ELM}." in " ".join(text_of(open_game.mail(IROQUOIS)[-1]).split())
    assert len(invitations(open_game, ELM)) == 1


def test_who_is_in_no_game_invites_nobody(open_game: LocalService) -> None:
    """Nor does an unauthenticated sender, who is first asked for a confirmation."""
    write(open_game, OAK, f"INVITE beaver {ELM}")
    assert invitations(open_game, ELM) == []
    write(open_game, OAK, "", open_game.mail(OAK)[-1])
    not_yours = sentence("inbound.invitations.not_yours", game="beaver")
    assert not_yours in " ".join(text_of(open_game.mail(OAK)[-1]).split())
    assert invitations(open_game, ELM) == []


def test_no_letter_has_us_write_to_many(open_game: LocalService) -> None:
    letter = open_game.mail(IROQUOIS)[-1]
    write(open_game, IROQUOIS, "INVITE " + " ".join(f"a{n}@example.org" for n in range(11)), letter)
    too_many = sentence("inbound.invitations.too_many", most=10)
    assert too_many in " ".join(text_of(open_game.mail(IROQUOIS)[-1]).split())
    for first in (0, 10, 20):
        many = " ".join(f"a{first + n}@example.org" for n in range(10))
        write(open_game, IROQUOIS, f"INVITE {many}", letter)
    enough = sentence("inbound.invitations.enough_today", game="beaver")
    assert enough in " ".join(text_of(open_game.mail(IROQUOIS)[-1]).split())
    assert sum(bool(invitations(open_game, f"a{n}@example.org")) for n in range(30)) == 20
    open_game.clock.advance(DAY)
    write(open_game, IROQUOIS, "INVITE a29@example.org", letter)
    assert len(invitations(open_game, "a29@example.org")) == 1


def test_to_a_game_that_runs_it_says_what_is_free_and_not_who_plays(place: LocalService) -> None:
    terms = {"anonymous": "yes", "solo": "clock"}
    game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", "beaver", terms=terms))
    game_admin.assign(place.service, "beaver", "iroquois", IROQUOIS)
    game_admin.assign(place.service, "beaver", "dakota", DAKOTA)
    place.work()
    welcome = place.mail(IROQUOIS)[-1]
    write(place, IROQUOIS, f"INVITE {DAKOTA} {ELM}", welcome)
    said = " ".join(text_of(place.mail(IROQUOIS)[-1]).split())
    assert f"Invited to beaver: {DAKOTA}, {ELM}." in said, "whether Dakota plays is not told"
    assert invitations(place, DAKOTA) == []
    (told,) = invitations(place, ELM)
    runs = sentence("outbound.invitations.runs", turn="Spring, year 1, moves", free=())
    assert runs in " ".join(told.split())
    for secret in (IROQUOIS, DAKOTA, "Iroquois invites"):
        assert secret not in told


def test_lines_of_talk_invite_nobody(place: LocalService) -> None:
    game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", "beaver"))
    game_admin.assign(place.service, "beaver", "iroquois", IROQUOIS)
    place.work()
    write(place, IROQUOIS, "invite the others for me\nMohawk H", place.mail(IROQUOIS)[-1])
    written = sentence("inbound.invitations.written", game="beaver", addresses=[""]).partition("beaver")[0]
    assert written not in text_of(place.mail(IROQUOIS)[-1])
