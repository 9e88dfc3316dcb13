"""One player against bots, by email: no deadline, occasional reminders, and no turn without the player."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import games
from adjudicator.admin import deadlines, game_admin, overrides, seats
from adjudicator.clock import MINUTE, format_instant
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Timing
from adjudicator.model.games import GamePosition
from adjudicator.outbound import composer
from adjudicator.reports.times import both
from adjudicator.storage import stored_games
from adjudicator.storage.stored_games import Minute, SideEffects
from games.diplomacy.edits import RemoveUnit, SetOwner
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

DAY = 24 * HOUR
IROQUOIS, DAKOTA = "iroquois@example.org", "dakota@example.org"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as opened:
        yield opened


def begin(place: LocalService, **how: Any) -> GamePosition:
    """Begin a game with one player, the Iroquois or the first seat; the welcome has arrived."""
    _begin(place, **how)
    return beaver(place)


@cached_beginning
def _begin(
    place: LocalService,
    *,
    kind: str = "indianomacy",
    options: Mapping[str, str] | None = None,
    early: bool = True,
    **terms: str,
) -> None:
    usual = {"moves": "72h", "grace": "0h"}
    position = game_admin.new_game(
        place.service, game_admin.GameRequest(kind, "beaver", options or {}, {**usual, **terms}, early=early)
    )
    seat = "Iroquois" if "Iroquois" in position.assignments else next(iter(position.assignments))
    game_admin.assign(place.service, "beaver", seat, IROQUOIS)
    place.work()


def beaver(place: LocalService) -> GamePosition:
    return game_admin.position_of(place.service, "beaver")


def write(place: LocalService, address: str, text: str) -> None:
    """Answer one's last letter from us."""
    letter = next(one for one in reversed(place.mail(address)) if one["Reply-To"])
    place.answer(address, letter, text)
    place.work()


def last(place: LocalService, address: str) -> str:
    """Return a person's last email that isn't bots' press, subject and text, on one line."""
    letter = next(one for one in reversed(place.mail(address)) if "Press:" not in one["Subject"])
    return f"{letter['Subject']} " + " ".join(text_of(letter).split())


def days_of_letters(place: LocalService, address: str, days: int) -> list[int]:
    """On which of the days to come, each lived through, letters came."""
    found = []
    for day in range(1, days + 1):
        count = len(place.mail(address))
        place.clock.advance(DAY)
        place.work()
        found += [day] * (len(place.mail(address)) - count)
    return found


def test_years_of_silence_play_nothing(place: LocalService) -> None:
    """A word after a week, then monthly, then that the game sleeps: once; and no more."""
    begin(place)
    no_deadline = sentence("reports.report.no_deadline", seat="Iroquois")
    assert f"Deadline: {no_deadline}" in " ".join(last(place, IROQUOIS).split())
    assert days_of_letters(place, IROQUOIS, 130) == [7, 37, 67, 97]
    for _ in range(10):
        place.clock.advance(100 * DAY)
        place.work()
    subjects = [str(one["Subject"]) for one in place.mail(IROQUOIS)[-4:]]
    waits = sentence("reports.messages.waits", game="beaver")
    asleep = sentence("reports.messages.asleep", game="beaver")
    assert [(waits in one, asleep in one) for one in subjects] == [
        *[(True, False)] * 3,
        (False, True),
    ]
    position = beaver(place)
    assert (position.played, position.deadline, position.assignments["Iroquois"].missed) == (0, None, 0)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((kind, {}) for kind in sorted(games.kinds())),
        ("plains-indian-wars", {"scenario": "2.1"}),
        ("boer-war", {"mode": "both"}),
    ],
)
def test_no_turn_of_any_game_is_played_for_its_one_player(
    place: LocalService, kind: str, options: Mapping[str, str]
) -> None:
    """Turns of bots alone may have run at the opening; then it is the player's turn."""
    played = begin(place, kind=kind, options=options).played
    for _ in range(5):
        place.clock.advance(100 * DAY)
        place.work()
    assert beaver(place).played == played


@pytest.mark.parametrize("said", ["STATUS", "Greetings to all, I was on a long journey.", "Mohawk H"])
def test_any_letter_wakes_it(place: LocalService, said: str) -> None:
    begin(place)
    place.clock.advance(200 * DAY)
    place.work()
    assert sentence("reports.messages.asleep", game="beaver") in last(place, IROQUOIS)
    write(place, IROQUOIS, said)
    assert days_of_letters(place, IROQUOIS, 40) == [7, 37]


def test_once_he_is_out_bots_play_a_turn_a_deadline(place: LocalService) -> None:
    """Not as many as possible at once; the player is told of each and of the next."""
    begin(place)
    write(place, IROQUOIS, "all hold")
    position = beaver(place)
    assert position.played == 1
    put_out(place, "Iroquois")
    place.work()
    assert beaver(place).played == 1
    counts = []
    for _ in range(6):
        place.clock.advance(72 * HOUR + 1)
        place.work()
        place.work()
        counts.append(beaver(place).played)
    assert counts == [2, 3, 4, 5, 6, 7]
    letter = last(place, IROQUOIS)
    assert sentence("reports.report.no_deadline", seat="Iroquois") not in " ".join(letter.split())
    assert "Deadline:" in letter
    assert sentence("reports.messages.waits", game="beaver") not in letter


def put_out(place: LocalService, seat: str) -> None:
    """Take all that a nation has."""
    position = beaver(place)
    edits, state = position.game.edits, position.state
    other = next(one for one in position.assignments if one != seat)
    words = [
        *(RemoveUnit(at=unit.at) for unit in state.units if unit.power == seat),
        *(SetOwner(centre=at, power=other) for at, power in state.centres.items() if power == seat),
    ]
    assert edits is not None
    for one in words:
        overrides.edit(
            place.service, "beaver", edits.write(one), overrides.OverrideReason("lost", silent=True)
        )


def test_a_turn_is_played_as_soon_as_he_has_ordered_and_the_next_waits_afresh(place: LocalService) -> None:
    begin(place)
    days_of_letters(place, IROQUOIS, 6)
    write(place, IROQUOIS, "all hold")
    assert beaver(place).played == 1
    no_deadline = sentence("reports.report.no_deadline", seat="Iroquois")
    assert f"Deadline: {no_deadline}" in " ".join(last(place, IROQUOIS).split())
    assert days_of_letters(place, IROQUOIS, 20) == [7]


def test_part_of_the_orders_waits_until_he_is_ready(place: LocalService) -> None:
    begin(place)
    write(place, IROQUOIS, "Mohawk H")
    assert sentence("reports.transcript.alone") in last(place, IROQUOIS)
    place.clock.advance(400 * DAY)
    place.work()
    assert beaver(place).played == 0
    write(place, IROQUOIS, "READY")
    assert beaver(place).played == 1


def test_where_no_turn_is_played_early_there_is_no_deadline_either(place: LocalService) -> None:
    """Otherwise it would wait forever."""
    begin(place, early=False)
    write(place, IROQUOIS, "all hold")
    assert beaver(place).played == 1


def test_wait_holds_it_until_nowait(place: LocalService) -> None:
    begin(place)
    write(place, IROQUOIS, "all hold\nWAIT")
    assert beaver(place).played == 0
    assert sentence("inbound.ordering.waits_alone") in last(place, IROQUOIS)
    write(place, IROQUOIS, "NOWAIT")
    assert beaver(place).played == 1


def test_after_a_long_failure_one_letter_comes_and_not_all(place: LocalService) -> None:
    begin(place)
    count = len(place.mail(IROQUOIS))
    place.clock.advance(70 * DAY)
    place.work()
    assert len(place.mail(IROQUOIS)) == count + 1
    assert sentence("reports.messages.waits", game="beaver") in last(place, IROQUOIS)


def test_whoever_said_that_he_is_away_is_left_alone(place: LocalService) -> None:
    begin(place, away="bot")
    write(place, IROQUOIS, "ABSENCE 2026-01-06 to 2026-02-20")
    assert days_of_letters(place, IROQUOIS, 60) == [47]
    assert beaver(place).played == 0


def test_with_the_term_the_clock_runs(place: LocalService) -> None:
    """As in any other game: a reminder, then the turn runs with the orders it has."""
    position = begin(place, solo="clock", reminder="24h")
    assert position.deadline is not None
    assert "Deadline: " in last(place, IROQUOIS)
    place.clock.set(position.deadline - 12 * HOUR)
    place.work()
    due = sentence("reports.messages.orders_due", turn="", time="12 hours")
    assert due in last(place, IROQUOIS)
    place.clock.set(position.deadline + 1)
    place.work()
    assert beaver(place).played == 1


def test_the_term_is_changed_while_the_game_runs(place: LocalService) -> None:
    begin(place)
    deadlines.set_terms(place.service, "beaver", {"solo": "clock"}, "as you wished")
    place.work()
    assert beaver(place).deadline == place.clock.now() + 72 * HOUR
    assert sentence("reports.times.wound_up", turn="", deadline="").partition(".")[0] in last(place, IROQUOIS)
    deadlines.set_terms(place.service, "beaver", {"solo": "waits"}, "as you wished")
    place.work()
    assert beaver(place).deadline is None


def test_a_second_person_brings_the_clock_and_takes_it_along(place: LocalService) -> None:
    begin(place)
    write(place, IROQUOIS, "all hold")
    game_admin.assign(place.service, "beaver", "dakota", DAKOTA)
    place.work()
    deadline = beaver(place).deadline
    assert deadline == place.clock.now() + 72 * HOUR
    at = both(deadline, ZoneInfo("Europe/Amsterdam"))
    assert f"Deadline: {format_instant(deadline, ZoneInfo('Europe/Amsterdam'))}" in last(place, DAKOTA)
    place.clock.advance(2 * MINUTE)
    place.work()
    turn = games.kinds()["indianomacy"].rules.turn(beaver(place).state).name
    assert sentence("reports.times.wound_up", turn=turn, deadline=at) in last(place, IROQUOIS)
    place.clock.set(deadline + 1)
    place.work()
    assert beaver(place).played > 1
    seats.kick(place.service, "beaver", "dakota", "gone", offer=False)
    place.work()
    assert beaver(place).deadline is None
    said = " ".join(" ".join(text_of(one).split()) for one in place.mail(IROQUOIS))
    assert said.count(" ".join(sentence("reports.times.unwound", owes=False).split())) == 1
    assert sentence("reports.times.unwound", owes=True) not in said
    # The Winter in which bots alone build is over with that.
    played = beaver(place).played
    assert days_of_letters(place, IROQUOIS, 30) == [7]
    assert beaver(place).played == played


def test_who_plays_both_sides_is_one_person(place: LocalService) -> None:
    game_admin.new_game(place.service, game_admin.GameRequest("boer-war", "beaver"))
    for seat in ("boers", "empire"):
        game_admin.assign(place.service, "beaver", seat, IROQUOIS)
    place.work()
    assert beaver(place).deadline is None
    assert days_of_letters(place, IROQUOIS, 40) == [7, 37]


def test_a_game_of_bots_alone_keeps_its_clock(place: LocalService) -> None:
    begin(place)
    game_admin.assign(place.service, "beaver", "iroquois", None)
    place.work()
    deadline = beaver(place).deadline
    assert deadline is not None
    place.clock.set(deadline + 1)
    place.work()
    assert beaver(place).played == 1


def test_a_game_on_older_books_loses_its_clock_and_plays_nothing(place: LocalService) -> None:
    """Its deadline is over, and the service that played it would have: what comes now counts, and waits."""
    begin(place)
    write(place, IROQUOIS, "all hold")
    position = beaver(place)
    older = replace(position, deadline=place.clock.now() + DAY, timing=Timing(first=place.clock.now()))
    note = Minute(game="beaver", at=place.clock.now(), by="gm", what="as it was on older books")
    stored_games.change(place.service.database, position, older, note, SideEffects(place.clock.now()))
    place.clock.advance(9 * DAY)
    letter = place.mail(IROQUOIS)[-1]
    place.answer(IROQUOIS, letter, "Mohawk H")
    place.work()
    assert beaver(place).played == 1
    assert beaver(place).filed.get("Iroquois"), "nothing is late where there is no clock"
    assert sentence("reports.times.unwound", owes=False) in last(place, IROQUOIS)
    assert days_of_letters(place, IROQUOIS, 40) == [7, 37]


def test_it_is_paused_and_goes_on_without_a_deadline(place: LocalService) -> None:
    begin(place)
    deadlines.pause(place.service, "beaver", "a question")
    place.work()
    write(place, IROQUOIS, "all hold")
    assert beaver(place).played == 0
    deadlines.resume(place.service, "beaver", "it is answered")
    assert beaver(place).deadline is None
    place.work()
    assert beaver(place).played == 1


def test_the_gamesmaster_sets_no_deadline_where_there_is_no_clock(place: LocalService) -> None:
    begin(place)
    with pytest.raises(Refusal, match="it is a solo game and waits for its player") as refused:
        deadlines.extend(place.service, "beaver", DAY, "more time")
    assert "solo=clock" in (refused.value.instead or "")
    with pytest.raises(Refusal, match="it is a solo game and waits for its player"):
        deadlines.set_deadline(place.service, "beaver", place.clock.now() + DAY, "a day")


def test_a_game_of_ones_own_is_begun_without_a_clock_or_with_one(place: LocalService) -> None:
    begin(place)
    write(place, IROQUOIS, "NEW war-chest mine\nNEW war-chest clocked solo=clock\nNEW war-chest solo=never")
    mine, clocked = (game_admin.position_of(place.service, name) for name in ("mine", "clocked"))
    assert (mine.deadline, clocked.deadline) == (None, place.clock.now() + 72 * HOUR)
    answer = " ".join(text_of(next(one for one in place.mail(IROQUOIS) if "Re:" in one["Subject"])).split())
    assert f"Option solo=never: {sentence('inbound.new_game.no_such_solo')}. Write solo=clock" in answer
    assert sentence("inbound.new_game.write_solo")[1:] in answer


def test_no_initiative_is_offered_where_there_is_none(place: LocalService) -> None:
    """War Chest alone: HELP and the welcome show what can be written, and that alone."""
    begin(place, kind="war-chest")
    assert "claim" not in last(place, IROQUOIS)
    write(place, IROQUOIS, "HELP ORDERS")
    assert "pick " in last(place, IROQUOIS)
    assert "claim" not in last(place, IROQUOIS)
