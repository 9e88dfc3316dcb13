"""Between a deadline and the end of its grace period, by email: the news, and when the turn runs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.clock import MINUTE, WallClock
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import overdue
from adjudicator.model.games import GamePosition
from adjudicator.outbound import composer
from adjudicator.outbound.reminders import turn_of
from adjudicator.reports.times import both, overdue_line
from adjudicator.storage import stored_games
from adjudicator.storage.stored_games import SideEffects
from games.record import replace_fields
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, START, LocalService, local_service, text_of

DAY = 24 * HOUR
GRACE = 12 * HOUR
IROQUOIS, DAKOTA, CADDOAN = "iroquois@example.org", "dakota@example.org", "caddoan@example.org"
EARLY = re.compile(r"\bearl(y|ier)\b")
"""How a letter says that a turn may run before its deadline."""
AMSTERDAM = ZoneInfo("Europe/Amsterdam")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as opened:
        yield opened


@cached_beginning
def _begin(place: LocalService, **terms: str) -> None:
    usual = {"moves": "72h", "grace": "12h", "reminder": "0h"}
    seats = {"iroquois": IROQUOIS, "dakota": DAKOTA}
    asked = game_admin.GameRequest("indianomacy", "beaver", terms={**usual, **terms}, seats=seats)
    game_admin.new_game(place.service, asked)
    place.work()


def beaver(place: LocalService) -> GamePosition:
    return game_admin.position_of(place.service, "beaver")


def in_grace(place: LocalService, after: int = HOUR, **terms: str) -> GamePosition:
    """A game of two people, so long after its deadline, of which the service has seen nothing yet."""
    _begin(place, **terms)
    position = beaver(place)
    assert position.deadline is not None
    place.clock.set(position.deadline + after)
    return position


def write(place: LocalService, address: str, text: str) -> None:
    """Answer one's last letter from us."""
    letter = next(one for one in reversed(place.mail(address)) if one["Reply-To"])
    place.answer(address, letter, text)
    place.work()


def last(place: LocalService, address: str) -> str:
    """Somebody's last letter in words, in both its forms; they say the same."""
    letter = place.mail(address)[-1]
    page = letter.get_body(("html",))
    assert page is not None
    return f"{letter['Subject']} " + " ".join(text_of(letter).split())


def how_it_stands(position: GamePosition, place: LocalService, zone: ZoneInfo = AMSTERDAM) -> str:
    over = overdue(position, place.clock.now())
    assert over is not None
    return overdue_line(over, zone)


def test_the_line_says_until_when_orders_count(place: LocalService) -> None:
    position = in_grace(place)
    assert position.deadline is not None
    line = how_it_stands(position, place)
    was, until = both(position.deadline, AMSTERDAM), both(position.deadline + GRACE, AMSTERDAM)
    assert line.startswith(f"The deadline was {was}; orders count until {until}.")
    place.clock.advance(GRACE)
    assert "grace period is over" in how_it_stands(position, place)


@pytest.mark.parametrize(
    ("text", "lateness"),
    [
        ("all hold", "inbound.filing.counted_late"),
        ("Mohawk - Nowhere", "inbound.filing.late_so_far"),
        ("Mohawk H\nOneida - Nowhere", "inbound.filing.counted_late"),
        ("Mohok - Delwrae or Pequot", "inbound.filing.late_so_far"),
        ("STATUS", None),
        ("WAIT", None),
        ("Sorry for being late!", None),
    ],
)
def test_a_reply_says_until_when_orders_count(place: LocalService, text: str, lateness: str | None) -> None:
    position = in_grace(place)
    line = how_it_stands(position, place)
    write(place, IROQUOIS, text)
    told = last(place, IROQUOIS)
    assert line in told
    assert "Deadline:" not in told
    assert not EARLY.search(told)
    said = {slug: sentence(f"inbound.filing.{slug}") in told for slug in ("counted_late", "late_so_far")}
    assert said == {slug: lateness == f"inbound.filing.{slug}" for slug in said}
    page = place.mail(IROQUOIS)[-1].get_body(("html",))
    assert page is not None
    assert "orders count until" in " ".join(page.get_content().split())


def test_orders_on_file_that_come_again_are_not_called_late(place: LocalService) -> None:
    _begin(place)
    write(place, IROQUOIS, "Mohawk H")
    position = beaver(place)
    place.clock.set((position.deadline or 0) + HOUR)
    write(place, IROQUOIS, "Mohawk H")
    assert sentence("inbound.filing.late_so_far") not in last(place, IROQUOIS)


def test_after_the_grace_a_wrong_line_is_told_that_it_came_too_late(place: LocalService) -> None:
    """The turn runs once the mailbox has been read."""
    position = in_grace(place, after=GRACE + MINUTE)
    write(place, IROQUOIS, "Mohawk - Nowhere")
    reply = " ".join(text_of(place.mail(IROQUOIS)[1]).split())
    assert sentence("inbound.filing.too_late") in reply
    assert how_it_stands(position, place) in reply
    assert beaver(place).played == position.played + 1


def test_a_mistake_keeps_the_turn_until_the_end_of_the_grace(place: LocalService) -> None:
    position = in_grace(place)
    write(place, DAKOTA, "all hold")
    write(place, IROQUOIS, "all hold\nOneida - Nowhere")
    rests = sentence("reports.transcript.rests", until="grace", in_queue=False, queues=False)
    assert rests in last(place, IROQUOIS)
    assert beaver(place).played == position.played
    place.clock.set((position.deadline or 0) + GRACE)
    place.work()
    assert beaver(place).played == position.played
    place.clock.advance(1)
    place.work()
    assert beaver(place).played == position.played + 1


def test_wait_holds_nothing_any_more(place: LocalService) -> None:
    _begin(place)
    write(place, IROQUOIS, "all hold\nWAIT")
    position = beaver(place)
    place.clock.set((position.deadline or 0) + HOUR)
    write(place, IROQUOIS, "WAIT")
    assert sentence("inbound.ordering.waits_too_late") in last(place, IROQUOIS)
    assert sentence("reports.transcript.wait_over") in last(place, IROQUOIS)
    assert beaver(place).played == position.played
    write(place, DAKOTA, "all hold")
    assert beaver(place).played == position.played + 1


@pytest.mark.parametrize("how", ["WAIT", "early=no"])
def test_with_all_orders_in_the_turn_runs_at_the_deadline(place: LocalService, how: str) -> None:
    _begin(place, **({"early": "no"} if how == "early=no" else {}))
    write(place, DAKOTA, "all hold")
    write(place, IROQUOIS, "all hold" if how == "early=no" else "all hold\nWAIT")
    position = beaver(place)
    assert position.deadline is not None
    place.clock.set(position.deadline)
    place.work()
    assert beaver(place).played == position.played
    place.clock.advance(1)
    place.work()
    assert beaver(place).played == position.played + 1


def test_status_tells_who_is_waited_for(place: LocalService) -> None:
    _begin(place)
    write(place, DAKOTA, "all hold\nWAIT")
    position = beaver(place)
    write(place, IROQUOIS, "STATUS")
    awaited, there = sentence("inbound.queries.orders_awaited"), sentence("inbound.queries.orders_in")
    assert f"Dakota {awaited}" in last(place, IROQUOIS)
    place.clock.set((position.deadline or 0) + HOUR)
    write(place, IROQUOIS, "STATUS")
    told = last(place, IROQUOIS)
    assert told.count(how_it_stands(position, place)) == 2
    assert f"Dakota {there}" in told
    assert f"Iroquois {awaited}" in told


def test_who_watches_is_told_so_too(place: LocalService) -> None:
    position = in_grace(place)
    place.write("elm@example.org", "gm@example.org", "STATUS beaver")
    place.work()
    assert how_it_stands(position, place) in last(place, "elm@example.org")


def test_a_reminder_that_was_not_sent_in_time_tells_of_the_grace(place: LocalService) -> None:
    """The service did nothing for a while, such as over the end of the turn."""
    _begin(place, reminder="24h")
    position = beaver(place)
    place.clock.set((position.deadline or 0) + HOUR)
    place.work()
    told = last(place, IROQUOIS)
    turn = turn_of(position).name
    assert sentence("reports.messages.overdue", turn=turn) in told
    assert how_it_stands(position, place) in told
    assert sentence("reports.messages.overdue_words", turn=turn) in told
    assert "Deadline:" not in told
    count = len(place.mail(IROQUOIS))
    place.clock.advance(HOUR)
    place.work()
    assert len(place.mail(IROQUOIS)) == count


def test_a_digest_tells_of_the_grace(place: LocalService) -> None:
    _begin(place)
    write(place, IROQUOIS, "LETTERS DIGEST DAILY")
    position = beaver(place)
    digest_at = (position.deadline or 0) + 11 * HOUR
    place.clock.set(digest_at + 59 * MINUTE)
    place.work()
    told = last(place, IROQUOIS)
    assert sentence("reports.messages.digest_words", count=1) in " ".join(told.split())
    assert how_it_stands(position, place) in told


def test_a_welcome_tells_of_the_grace(place: LocalService) -> None:
    position = in_grace(place)
    game_admin.assign(place.service, "beaver", "caddoan", CADDOAN)
    place.work()
    told = last(place, CADDOAN)
    assert how_it_stands(position, place) in told
    assert "until the deadline" not in told
    assert "before the deadline" not in told
    assert sentence("outbound.welcome.correct", deadline=True, overdue=True, stopped="") in told
    assert not EARLY.search(told)


def test_a_welcome_into_a_paused_game_says_that_it_is_paused(place: LocalService) -> None:
    _begin(place)
    deadlines.pause(place.service, "beaver", "holidays")
    game_admin.assign(place.service, "beaver", "caddoan", CADDOAN)
    place.work()
    told = last(place, CADDOAN)
    assert sentence("reports.times.standing", paused=True, why="holidays") in told
    assert not EARLY.search(told)
    assert "the deadline" not in told


def test_what_came_in_time_counts_though_it_is_read_in_the_grace(place: LocalService) -> None:
    """A turn that waited for its deadline does not run before the mailbox was read."""
    _begin(place, early="no")
    write(place, DAKOTA, "all hold")
    write(place, IROQUOIS, "all hold")
    position = beaver(place)
    place.clock.set((position.deadline or 0) - MINUTE)
    letter = next(one for one in reversed(place.mail(IROQUOIS)) if one["Reply-To"])
    place.answer(IROQUOIS, letter, "Mohawk - Delaware")
    place.clock.set((position.deadline or 0) + MINUTE)
    place.service.process()
    assert beaver(place).played == position.played
    place.work()
    assert beaver(place).played == position.played + 1
    reports = [text_of(one) for one in place.mail(IROQUOIS) if "Mohawk" in text_of(one)]
    assert any("Mohawk → Delaware" in one for one in reports), reports[-1]


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Terminal, GamePosition]]:
    """A command line beside a game whose deadline was an hour ago, by the clock on the wall."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path, at=WallClock().now() - 73 * HOUR) as place:
        _begin(place)
        yield Terminal(tmp_path), beaver(place)


def test_the_gamesmaster_sees_the_grace(terminal: tuple[Terminal, GamePosition]) -> None:
    typed, position = terminal
    assert position.deadline is not None
    was, until = both(position.deadline, AMSTERDAM), both(position.deadline + GRACE, AMSTERDAM)
    shown = typed.says("game show beaver")
    assert f"The deadline was {was}; orders count until {until}." in shown
    assert "as soon as all players' orders are in" not in shown
    assert "orders count until" in typed.says("game list")
    assert "orders count until" in typed.says("status")
    assert typed.told("game show beaver")["orders_count_until"] is not None
    assert (
        typed.told("status")["games"][0]["orders_count_until"]
        == typed.told("game list")[0]["orders_count_until"]
    )


def test_the_gamesmaster_sees_that_the_grace_is_over(
    terminal: tuple[Terminal, GamePosition], tmp_path: Path
) -> None:
    typed, position = terminal
    assert position.deadline is not None
    shorter = replace(position, deadlines=replace_fields(position.deadlines, grace=MINUTE))
    with local_service(tmp_path, at=START) as place:
        stored_games.change(place.service.database, position, shorter, None, SideEffects(START))
    assert "the grace period is over" in typed.says("game show beaver")
    assert "orders no longer count" in typed.says("status")
