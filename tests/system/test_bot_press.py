"""Press with bots by email: proposed, accepted, reported, followed by the orders, and replayed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.admin import game_admin
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GamePolicy, Press, SetCustoms, Watch
from adjudicator.storage import people
from adjudicator.turns.bots import GameBots
from games.messages import sentence
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.memory_repository import game_of
from tests.kit.service_harness import LocalService, local_service, text_of

BROKEN_WORD_PHRASE = sentence("diplomacy.press.broken_word")
EXPLANATION = sentence("diplomacy.press.explanation")
FRANCE, ONLOOKER = "france@example.org", "onlooker@example.org"
GERMANY = "germany@example.org"
GERMANY_SEAT = Seat("Germany")
SECRET = b"t" * 32


@pytest.fixture(scope="module", autouse=True)
def unillustrated() -> Iterator[None]:
    """No maps are drawn here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        yield


def begin(place: LocalService, level: str = "beginner", customs: GamePolicy | None = None) -> None:
    """A game of standard Diplomacy; a person is France."""
    game_admin.new_game(place.service, game_admin.GameRequest("standard", "lynx", level=level), secret=SECRET)
    if customs is not None:
        people.apply_action(place.service.database, SetCustoms(by="gm", game="lynx", customs=customs))
    game_admin.assign(place.service, "lynx", "france", FRANCE)
    place.work()


def writes(place: LocalService, text: str, address: str = FRANCE) -> None:
    """Answer one's last letter that shows how the game stands."""
    place.clock.advance(60_000)
    place.answer(address, [one for one in place.mail(address) if "Press:" not in one["Subject"]][-1], text)
    place.work()


def pressed(place: LocalService, address: str = FRANCE) -> list[str]:
    """The press in a mailbox: from whom, and how it begins."""
    letters = [one for one in place.mail(address) if "Press:" in one["Subject"]]
    return [
        f"{str(one['Subject']).split('Press: ')[1].partition(' [')[0]}: {_first(text_of(one))}"
        for one in letters
    ]


def _first(text: str) -> str:
    return next(line[2:] for line in text.splitlines() if line.startswith("| "))


def position_of(place: LocalService) -> GamePosition:
    return game_admin.position_of(place.service, "lynx")


def bound_by(place: LocalService, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats with which a seat's bot has a truce when it orders."""
    position = position_of(place)
    bots = GameBots(game_of(position), "lynx", SECRET, press_of(place))
    bot = bots.of(position.assignments[seat])
    found: Any = bot.with_press(position.state, bots.correspondence(position.state, seat))
    return tuple(found.pact.truces)


def press_of(place: LocalService) -> tuple[Press, ...]:
    return place.service.repository.people.press("lynx")


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    """A truce with Germany, idle talk to Italy, and Spring played; somebody watches."""
    with local_service(tmp_path_factory.mktemp("talked")) as place:
        begin(place)
        people.apply_action(place.service.database, Watch(by="gm", game="lynx", address=ONLOOKER))
        writes(
            place,
            "PRESS TO Germany\nDear neighbours, we propose a truce, please.\nENDPRESS\n"
            "PRESS TO Italy\nHow are things in Rome?\nENDPRESS",
        )
        writes(place, "READY")
        yield place


def test_a_bot_answers_by_letter_in_its_name(talked: LocalService) -> None:
    assert pressed(talked)[:2] == [
        "from Germany to France: Accept truce.",
        f"from Italy to France: {EXPLANATION} It only understands these lines:",
    ]


def test_the_answer_to_the_writer_says_what_bots_understand(talked: LocalService) -> None:
    verdict = next(one for one in talked.mail(FRANCE) if str(one["Subject"]).startswith("Re:"))
    told = " ".join(text_of(verdict).split())
    assert "Germany is played by a bot. It understands these phrases, each on its own line" in told
    assert "propose truce; propose attack on PLACE" in told


def test_the_report_tells_the_press_of_its_turn(talked: LocalService) -> None:
    report = next(
        one
        for one in talked.mail(FRANCE)
        if "\nSpring 1901, moves\n" in text_of(one) and "\nORDERS AND RESULTS\n---" in text_of(one)
    )
    told = " ".join(text_of(report).split())
    assert "From Germany to France" in told
    assert "Accept truce." in told


def test_what_is_private_stays_private(talked: LocalService) -> None:
    """Bots write to one nation at a time, signed; nobody else hears it."""
    assert pressed(talked, ONLOOKER) == []
    said = [one for one in press_of(talked) if one.seat != "France"]
    assert said
    assert {one.kind for one in said} == {"white"}
    assert all(one.to is not None and len(one.to) == 1 for one in said)
    others = [one for one in said if not one.is_heard_by(Seat("France"))]
    told = " ".join(text_of(one) for one in talked.mail(FRANCE))
    assert all(f"From {one.seat} to {(one.to or ('',))[0]}" not in told for one in others)


def test_between_two_nations_there_is_one_exchange_a_turn(talked: LocalService) -> None:
    count: dict[tuple[str, frozenset[str | None]], int] = {}
    for one in press_of(talked):
        key = (one.turn, frozenset((one.seat, *(one.to or ()))))
        count[key] = count.get(key, 0) + 1
    assert max(count.values()) == 2


def test_the_log_plays_again_to_the_same_bytes(talked: LocalService) -> None:
    """The bots' orders are inputs, whatever was written."""
    proof = game_admin.prove(talked.service, "lynx")
    assert (proof.fault, proof.agreed) == (None, 2)


def test_who_is_written_to_by_a_bot_answers_it(tmp_path: Path) -> None:
    """French armies at the German gates are worth a truce; the person accepts it on the next day."""
    with local_service(tmp_path) as place:
        begin(place, "intermediate")
        writes(place, "A Paris - Burgundy\nA Marseilles S A Paris - Burgundy\nF Brest H")
        assert "from Germany to France: Propose truce." in pressed(place)
        writes(place, "PRESS TO Germany\nAccept, thank you!\nENDPRESS")
        assert len([line for line in pressed(place) if line.startswith("from Germany")]) == 1, "no thanks"
        assert bound_by(place, GERMANY_SEAT) == ("France",)


@pytest.mark.parametrize("press", ["none", "grey"])
def test_where_press_is_not_signed_no_bot_speaks(tmp_path: Path, press: str) -> None:
    with local_service(tmp_path) as place:
        begin(place, customs=replace_fields(GamePolicy(), press=press))
        writes(place, "PRESS TO Germany\npropose truce\nENDPRESS\nA Paris - Burgundy")
        writes(place, "READY")
        assert pressed(place) == []
        assert {one.seat for one in press_of(place)} <= {"France"}


def test_it_is_said_once_though_the_power_fails(tmp_path: Path) -> None:
    """Before the letter is handled, and before the turn is written."""
    dies_at: set[str] = set()

    def reached(step: str) -> None:
        if step in dies_at:
            dies_at.discard(step)
            raise KeyboardInterrupt

    with local_service(tmp_path, reached) as place:
        begin(place)
        for text, step in (
            ("PRESS TO Germany\npropose truce\nENDPRESS\nA Paris - Burgundy", "letter read"),
            ("READY", "turn played"),
        ):
            dies_at.add(step)
            with pytest.raises(KeyboardInterrupt):
                writes(place, text)
            place.work()
        said = [(one.turn, one.seat, one.to, one.text) for one in press_of(place)]
        assert len(said) == len(set(said))
        assert pressed(place).count("from Germany to France: Accept truce.") == 1
        assert position_of(place).entries == 2


def test_a_person_who_leaves_leaves_what_was_agreed(tmp_path: Path) -> None:
    """The bot that takes over knows what its seat has heard, and answers from then on."""
    with local_service(tmp_path) as place:
        begin(place)
        game_admin.assign(place.service, "lynx", "germany", GERMANY)
        place.work()
        writes(place, "PRESS TO Germany\nPropose truce\nENDPRESS")
        assert pressed(place) == [], "a person answers for himself"
        writes(place, "PRESS TO France\naccept\nENDPRESS", GERMANY)
        game_admin.set_bot(place.service, "lynx", "germany", "intermediate", "guardian")
        game_admin.assign(place.service, "lynx", "germany", None)
        writes(place, "PRESS TO Germany\nPropose attack on Belgium\nENDPRESS")
        assert pressed(place)[-1] == "from Germany to France: Refuse attack on Belgium."
        assert bound_by(place, GERMANY_SEAT) == ("France",)
        assignment = position_of(place).assignments[GERMANY_SEAT]
        assert (assignment.bot, assignment.temper) == ("intermediate", "guardian")


def test_at_the_end_all_hear_what_became_of_what_was_agreed(tmp_path: Path) -> None:
    """France goes to where nobody was to go; when the year is over so is the game, and Germany says so."""
    with local_service(tmp_path) as place:
        game_admin.new_game(
            place.service,
            game_admin.GameRequest("standard", "lynx", {"last_year": 1901}, level="beginner"),
            secret=SECRET,
        )
        game_admin.assign(place.service, "lynx", "france", FRANCE)
        place.work()
        writes(place, "PRESS TO Germany\npropose demilitarised Burgundy\nENDPRESS\nA Paris - Burgundy")
        writes(place, "READY")
        for _ in range(6):
            if position_of(place).is_running:
                writes(place, "DEFAULT\nREADY")
        assert not position_of(place).is_running
        ended = [one for one in press_of(place) if one.to is None and one.seat == "Germany"]
        assert "from Germany to all" in " ".join(pressed(place)), pressed(place)
        assert "Burgundy left empty with France, from S1901M: we ended it in" in ended[0].text
        assert f"You have a unit there. {BROKEN_WORD_PHRASE}" in ended[0].text
        assert "By our count, France broke its word once." in ended[0].text
        assert game_admin.prove(place.service, "lynx").fault is None
