"""The course of a game by email: the chart at a year's end, MAP of a turn, HISTORY, and the story."""

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest

import games
from adjudicator.admin import game_admin, overrides
from adjudicator.admin.overrides import OverrideReason, rollback
from adjudicator.inbound.game_history import build_history
from adjudicator.messages import sentence
from adjudicator.storage import stored_games
from games import messages
from tests.kit.campaign import campaign
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING = (
    messages.sentence(f"diplomacy.reports_story.{part}_heading")
    for part in ("ending", "turning_points", "stabs", "awards")
)
SECRET = b"thirty-two bytes, sealed for us."
TURKEY = "turkey@example.org"
WATCHER = "watcher@example.org"


def pictures(letter: EmailMessage) -> dict[str, bytes]:
    """The pictures of a letter by the names of their files."""
    found = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    return {str(part.get_filename()): bytes(part.get_payload(decode=True)) for part in found}


def reports(place: LocalService) -> dict[str, EmailMessage]:
    """The reports of turns, by the first turn that they tell."""
    letters = [one for one in place.mail(TURKEY) if "#" in str(one["Subject"])]
    told = [one for one in letters if not str(one["Subject"]).startswith(("Re:", "Press", "Welcome"))]
    return {str(one["Subject"]).split("[lynx ")[1].split()[0]: one for one in told}


def says(place: LocalService, text: str) -> EmailMessage:
    """An answer to the newest report; what comes back."""
    place.clock.advance(HOUR)
    place.answer(TURKEY, list(reports(place).values())[-1], text)
    place.work()
    return [one for one in place.mail(TURKEY) if str(one["Subject"]).startswith("Re:")][-1]


@pytest.fixture(scope="module")
def finished_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    """A game of bots and a person who never writes, over after three years."""
    with local_service(tmp_path_factory.mktemp("history")) as place:
        request = game_admin.GameRequest("standard", "lynx", {"last_year": 1903}, level="beginner")
        game_admin.new_game(place.service, request, secret=SECRET)
        game_admin.assign(place.service, "lynx", "Turkey", TURKEY)
        place.work()
        while game_admin.position_of(place.service, "lynx").is_running:
            game_admin.play_now(place.service, "lynx")
            place.work()
        yield place


def test_a_report_in_which_a_year_ends_shows_the_centres_over_time(finished_game: LocalService) -> None:
    told = reports(finished_game)
    assert [turn for turn, letter in told.items() if f"lynx-{turn}-chart.png" in pictures(letter)] == [
        "F1901M",
        "F1902M",
        "F1903M",
    ]
    assert list(pictures(told["F1902M"])) == [
        "lynx-F1902M-your-front.png",
        "lynx-F1902M.png",
        "lynx-F1902M-chart.png",
    ]
    text = text_of(told["F1902M"])
    assert "SUPPLY CENTRES, YEAR BY YEAR" in text
    assert "  Side     1900  1901  1902\n" in text
    assert "SUPPLY CENTRES, YEAR BY YEAR" not in text_of(told["S1902M"])


def test_the_last_report_tells_the_story_of_the_game(finished_game: LocalService) -> None:
    told = reports(finished_game)
    last = text_of(told["F1903M"])
    for heading in (ENDING_HEADING, TURNING_POINTS_HEADING, AWARDS_HEADING):
        assert last.count(f"\n{heading.upper()}\n") == 1
        assert not any(heading.upper() in text_of(one) for turn, one in told.items() if turn != "F1903M")
    assert "| The game was a draw in Fall 1903, " in last


def test_the_same_log_tells_the_same_story_again(finished_game: LocalService) -> None:
    """`gm report` tells it in the words of the letter; so does HISTORY."""
    position = game_admin.position_of(finished_game.service, "lynx")
    again = overrides.report_of(
        finished_game.service, position, overrides.replayed_turns(finished_game.service, position), None
    )
    log = stored_games.log(finished_game.service.database, "lynx")
    course = build_history(games.kinds()["standard"], position, log)
    assert again.history == course
    assert course is not None
    assert [one.heading for one in course.story] in (
        [ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING],
        [ENDING_HEADING, TURNING_POINTS_HEADING, AWARDS_HEADING],
    )
    history = says(finished_game, "HISTORY")
    words, last = (
        " ".join(text_of(history).split()),
        " ".join(text_of(reports(finished_game)["F1903M"]).split()),
    )
    for section in course.story:
        for told in section.sentences:
            assert told in words
            assert told in last.replace("| ", "")
    (chart,) = pictures(history).values()
    assert chart == pictures(reports(finished_game)["F1903M"])["lynx-F1903M-chart.png"]


def test_the_map_of_a_turn_is_sent_on_request(finished_game: LocalService) -> None:
    answer = says(finished_game, "MAP F1901M")
    assert sentence("inbound.maps_and_history.map_of_turn", game="lynx", turn="Fall 1901, moves") in text_of(
        answer
    )
    first = pictures(answer)
    assert list(first) == ["lynx-F1901M.png"]
    assert pictures(says(finished_game, "map lynx f1901")) == first, (
        "without the letter for moves, and with the game's name"
    )
    assert pictures(says(finished_game, "MAP S1902M"))["lynx-S1902M.png"] != first["lynx-F1901M.png"]
    turns_played = [
        f"{phase}{year}{kind}"
        for year in (1901, 1902, 1903)
        for phase, kind in (("S", "M"), ("F", "M"), ("W", "A"))
        if (year, phase) != (1903, "W")
    ]
    no_such_turn = sentence(
        "inbound.maps_and_history.no_such_turn", game="lynx", turn="F1950M", turns=turns_played
    )
    assert no_such_turn in " ".join(text_of(says(finished_game, "MAP F1950M")).split())
    both = says(finished_game, "MAP F1901M\nMAP S1902M")
    assert list(pictures(both)) == ["lynx-F1901M.png"]
    one_map = sentence("inbound.maps_and_history.one_map", shown="lynx", wanted="lynx", turn="S1902M")
    assert one_map in " ".join(text_of(both).split())


def test_whoever_has_no_seat_asks_by_the_game_s_name(finished_game: LocalService) -> None:
    finished_game.clock.advance(HOUR)
    finished_game.write(WATCHER, "gm@example.org", "MAP lynx S1901M\nHISTORY lynx")
    finished_game.work()
    finished_game.answer(WATCHER, finished_game.mail(WATCHER)[-1], "")
    finished_game.work()
    answer = finished_game.mail(WATCHER)[-1]
    assert set(pictures(answer)) == {"lynx-S1901M.png", "map-chart.png"}
    assert "Supply centres, year by year" in text_of(answer)


def test_turns_that_a_rollback_left_behind_are_in_no_history(tmp_path) -> None:
    with local_service(tmp_path) as place:
        game_admin.new_game(
            place.service, game_admin.GameRequest("standard", "lynx", level="beginner"), secret=SECRET
        )
        while game_admin.position_of(place.service, "lynx").state.phase.year < 1903:
            game_admin.play_now(place.service, "lynx")
        before = _course(place)
        assert before is not None
        years = [year for year, _ in before.series["Austria"]]
        assert years == [1900, 1901, 1902]
        rollback(place.service, "lynx", "F1902M", OverrideReason("a test"))
        after = _course(place)
        assert after is not None
        assert [year for year, _ in after.series["Austria"]] == [1900, 1901]


def _course(place: LocalService) -> Any:
    position = game_admin.position_of(place.service, "lynx")
    return build_history(
        games.kinds()["standard"], position, stored_games.log(place.service.database, "lynx")
    )


@pytest.mark.parametrize("kind", ["great-war", "plains-indian-wars", "boer-war", "indianomacy"])
def test_a_history_is_what_anybody_may_know(kind: str) -> None:
    """Only a spectator's view is used, and no event that isn't public is shown."""
    told = campaign(kind)
    seen: list[Any] = []

    class Watched:
        """The rules, and for whom their views are made."""

        def __getattr__(self, name: str) -> Any:
            return getattr(told.game.rules, name)

        def view(self, state: Any, seat: Any) -> Any:
            seen.append(seat)
            return told.game.rules.view(state, seat)

    game = replace(told.game, rules=Watched())
    position = replace(told.start, status="finished")
    course = build_history(game, position, told.log)
    assert course is not None
    assert set(seen) == {None}
    assert len(course.table.rows) >= 2
