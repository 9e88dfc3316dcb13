"""A player's own game, started by email and played to its end: once, whatever happens meanwhile."""

from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.inbound.commands import joining
from adjudicator.messages import sentence
from adjudicator.model.people import GameOffer, GamePolicy, MakeOffer, SignUp, Signup
from adjudicator.storage import outbox, people, stored_games
from tests.kit.mail import header
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.kit.toy import toy_found

PLAYER = "player@example.org"


def begin(place: LocalService, *lines: str) -> None:
    """Ask for a game in answer to the welcome of an older one."""
    game_admin.new_game(
        place.service, game_admin.GameRequest("cairn", "old"), secret=b"the secret of a cairn"
    )
    game_admin.assign(place.service, "old", "player", PLAYER)
    place.work()
    place.answer(PLAYER, place.mail(PLAYER)[-1], "\n".join(lines))


def test_a_game_begun_by_mail_is_played_by_mail(tmp_path: Path) -> None:
    """The welcome brings the password and the address to answer to; the log can be proved."""
    with toy_found(), local_service(tmp_path) as place:
        begin(place, "NEW cairn pile turns=2")
        place.work()
        answer, welcome = place.mail(PLAYER)[-2:]
        begun = sentence(
            "inbound.new_game.begun",
            game="pile",
            title="Cairn",
            level=None,
            temper=None,
            drawn=False,
            seat="player",
        )
        assert begun in " ".join(text_of(answer).split())
        assert " [pile T1 player #" in welcome["Subject"]
        assert "Password:" in text_of(welcome) or "password" in text_of(welcome)
        place.answer(PLAYER, welcome, "rest")
        place.work()
        position = game_admin.position_of(place.service, "pile")
        assert not position.is_running
        assert game_admin.prove(place.service, "pile").fault is None
        log = stored_games.log(place.service.database, "pile")
        assert log[0][0].by == "player", "the log names the seat, and no address"
        assert place.service.repository.games_begun_since(PLAYER, place.clock.now() - 1000) == 1
        assert place.service.repository.games_begun_since(PLAYER, place.clock.now() + 1) == 0


def test_a_stranger_begins_a_game_by_answering(tmp_path: Path) -> None:
    """Nothing runs before that, and a second reply runs nothing again."""
    with toy_found(), local_service(tmp_path) as place:
        place.write(PLAYER, "gm@example.org", "NEW cairn pile turns=2", subject="a game")
        place.work()
        assert place.service.repository.games() == ()
        (back,) = place.mail(PLAYER)
        for _ in range(2):
            place.answer(PLAYER, back, "")
            place.work()
            place.clock.advance(1000)
        assert place.service.repository.games() == ("pile",)
        assert sum("Welcome to Cairn" in str(one["Subject"]) for one in place.mail(PLAYER)) == 1


def test_a_domain_of_nobody_known_begins_few_games_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply says when to try again, and the GM is told once. The next day more are allowed."""
    monkeypatch.setattr(joining, "MAX_GAMES_PER_DOMAIN", 2)
    with toy_found(), local_service(tmp_path) as place:
        people_of_it = [f"player{number}@example.net" for number in range(5)]
        for one in people_of_it:
            place.write(one, "gm@example.org", "NEW cairn turns=2", subject="a game")
            place.work()
            place.answer(one, place.mail(one)[-1], "")
            place.work()
        assert len(place.service.repository.games()) == 2
        for one in people_of_it[2:]:
            told = " ".join(text_of(place.mail(one)[-1]).split())
            assert sentence("inbound.new_game.try_tomorrow") in told
        subject = sentence("inbound.new_game.full_domain_subject", domain="example.net")
        posted = outbox.list_posted(place.service.database, 100)
        to_gm = [one for one in posted if one.sealed.key.startswith("games-begun/")]
        assert [subject in str(header(one.sealed.raw, "Subject")) for one in to_gm] == [True]
        place.clock.advance(25 * 3_600_000)
        place.write(people_of_it[4], "gm@example.org", "NEW cairn turns=2", subject="again")
        place.work()
        place.answer(people_of_it[4], place.mail(people_of_it[4])[-1], "")
        place.work()
        assert len(place.service.repository.games()) == 3


def test_an_offer_that_cannot_begin_holds_nothing_up(tmp_path: Path) -> None:
    """A game has taken its name meanwhile: it waits, and the others go on."""
    with toy_found(), local_service(tmp_path) as place:
        game_admin.new_game(place.service, game_admin.GameRequest("cairn", "pile"), secret=b"a secret")
        offers = [
            GameOffer(
                name=name, kind="cairn", options={"turns": 2}, needed=1, customs=GamePolicy(press="none")
            )
            for name in ("pile", "stone")
        ]
        for offer in offers:
            people.apply_action(place.service.database, MakeOffer(by="gm", offer=offer, at=place.clock.now()))
            one = Signup(game=offer.name, address=PLAYER, wishes=(), since=1)
            people.apply_action(place.service.database, SignUp(by=PLAYER, signup=one))
        place.work()
        assert place.service.repository.games() == ("pile", "stone")
        assert [offer.name for offer in place.service.repository.people.offers()] == ["pile"]
        assert place.service.repository.people.policy("stone").press == "none"


def test_a_game_begins_at_its_time_with_bots_in_the_free_seats(tmp_path: Path) -> None:
    """It doesn't wait for more players; one is enough."""
    with toy_found(), local_service(tmp_path) as place:
        starts = place.clock.now() + 3_600_000
        offer = GameOffer(name="pile", kind="cairn", options={"turns": 2}, needed=2, starts=starts)
        people.apply_action(place.service.database, MakeOffer(by="gm", offer=offer, at=place.clock.now()))
        place.clock.advance(2 * 3_600_000)
        place.work()
        assert place.service.repository.games() == ()
        one = Signup(game="pile", address=PLAYER, wishes=("player",), since=1)
        people.apply_action(place.service.database, SignUp(by=PLAYER, signup=one))
        place.work()
        position = game_admin.position_of(place.service, "pile")
        assert {seat: assignment.address for seat, assignment in position.assignments.items()} == {
            "player": PLAYER,
            "bot": None,
        }


def test_a_game_is_begun_once_though_the_power_fails(tmp_path: Path) -> None:
    """Before the letter is handled nothing is begun, and afterwards nothing again."""
    dies_at = {"letter read"}

    def reached(step: str) -> None:
        if step in dies_at:
            dies_at.discard(step)
            raise KeyboardInterrupt

    with toy_found(), local_service(tmp_path, reached) as place:
        begin(place, "NEW cairn pile")
        with pytest.raises(KeyboardInterrupt):
            place.work()
        assert place.service.repository.games() == ("old",)
        place.work()
        place.work()
        assert place.service.repository.games() == ("old", "pile")
        welcomes = [one for one in place.mail(PLAYER) if " [pile " in one["Subject"]]
        assert len(welcomes) == 1


def test_if_another_worker_takes_the_name_meanwhile_the_email_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is begun once, and its player gets one welcome."""
    steps: list[str] = []
    is_taken, answers = stored_games.is_taken, list[bool]()
    monkeypatch.setattr(
        stored_games, "is_taken", lambda *asked: answers.pop() if answers else is_taken(*asked)
    )
    with toy_found(), local_service(tmp_path, steps.append) as place:
        begin(place, "NEW cairn")
        answers.append(True)
        place.work()
        assert steps.count("letter read") == 2
        assert place.service.repository.games() == ("cairn-1", "old")
        assert len([one for one in place.mail(PLAYER) if " [cairn-1 " in one["Subject"]]) == 1
