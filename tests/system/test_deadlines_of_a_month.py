"""A month of deadlines around each change of the clocks, with everything that happens to a service.

The expected deadline is computed in another way: it is the first possible instant that is late enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adjudicator.admin import backup, deadlines, game_admin
from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.model.deadlines import WEEKDAYS
from adjudicator.model.games import GamePosition, SetReady, SetWait
from adjudicator.storage import metadata, stored_games
from tests.kit.service_harness import LocalService, local_service

NIGHTS = {
    "Europe/Berlin": ("2027-03-28", "2027-10-31"),
    "America/New_York": ("2027-03-14", "2027-11-07"),
    "Australia/Sydney": ("2027-04-04", "2027-10-03"),
}
"""On which nights clocks change."""

SETTINGS = {
    "daily": {"moves": "24h", "hours": "20:00"},
    "three days, as is usual": {"hours": "20:00"},
    "early in the morning": {"moves": "24h", "hours": "02:30"},
    "twice a day": {"moves": "48h", "hours": "08:00,20:00"},
    "weekdays": {"moves": "24h", "hours": "18:00", "days_off": "sat,sun"},
    "weekdays at any hour": {"moves": "24h", "hours": "any", "days_off": "sat,sun"},
    "at any hour": {"moves": "30h", "hours": "any"},
    "a day and a half": {"moves": "36h", "hours": "08:00,20:00"},
}
GRACES = {"the usual": {}, "none": {"grace": "0h"}, "long": {"grace": "18h"}}

EVENTS = (
    "grace used", "in at the deadline", "grace used", "early", "in the grace", "by hand", "outage",
    "in at the deadline", "restore", "grace used", "pause", "in at the deadline", "extension",
    "in at the deadline", "hours late",
)  # fmt: skip
"""How one turn of the month after the other runs."""


@dataclass
class Month:
    """A game of seven people, who only ever say READY, and of which the service is looked after by hand."""

    place: LocalService
    folder: Path
    seconds: int = 0

    @property
    def game(self) -> GamePosition:
        return game_admin.position_of(self.place.service, "fox")

    @property
    def deadline(self) -> Millis:
        assert self.game.deadline is not None
        return self.game.deadline

    @property
    def grace(self) -> Millis:
        return self.game.deadlines.grace

    def begin(self, zone: str, night: str, terms: dict[str, str]) -> None:
        start = datetime.fromisoformat(f"{night} 15:13").replace(tzinfo=ZoneInfo(zone)) - timedelta(days=15)
        self.place.clock.set(int(start.timestamp()) * 1000)
        lengths = {key: terms["moves"] for key in ("retreats", "builds") if "moves" in terms}
        seats = {
            seat: f"{seat}@example.org"
            for seat in ("austria", "england", "france", "germany", "italy", "russia", "turkey")
        }
        usual = {"reminder": "0h", "protect": "no", "nmr": "hold", "zone": zone}
        asked = game_admin.GameRequest("standard", "fox", terms={**usual, **lengths, **terms}, seats=seats)
        game_admin.new_game(self.place.service, asked)
        self.look()

    def look(self, at: Millis | None = None, *, was_down: bool = False) -> None:
        """Do what `gm serve` does in a round, but for sending emails, after others until then or none."""
        if at is not None:
            self.place.clock.set(at)
        if not was_down:
            metadata.note_alive(self.place.service.database, self.place.clock.now())
        self.place.service.resume_after_downtime()
        self.place.service.poll()
        self.place.service.process()

    def late(self) -> Millis:
        """Return a different number of seconds after an instant each time."""
        self.seconds = self.seconds * 7 % 59 + 1
        return self.seconds * 1000

    def all_ready(self, *, wait: bool = False) -> None:
        """All say READY. wait: but the first asks to wait for the deadline."""
        said = [SetReady(game="fox", by=seat, seat=seat, ready=True) for seat in self.game.assignments]
        first = next(iter(self.game.assignments))
        waits = [SetWait(game="fox", by=first, seat=first, wait=True)] if wait else []
        stored_games.perform(self.place.service.database, [*waits, *said], (), self.place.clock.now())

    def run_turn(self, event: str) -> tuple[Millis, Millis]:
        """Let one turn run so. Returns from when the next is counted, and how much of the grace was used."""
        played = self.game.played
        found = getattr(self, "_" + event.replace(" ", "_"))()
        assert self.game.played == played + 1, event
        return found

    def _by_deadline(self, *, grace_used: bool) -> tuple[Millis, Millis]:
        """In games with hours a turn starts at the deadline of the one before it, otherwise when that ran."""
        if not self.game.deadlines.hours:
            return self._early_or_late()
        return self.before, self.grace if grace_used else 0

    def _early_or_late(self) -> tuple[Millis, Millis]:
        return self.place.clock.now(), 0

    def _grace_used(self) -> tuple[Millis, Millis]:
        self.before = self.deadline
        if self.grace:
            self.look(self.before + 1)
        self.look(self.before + self.grace + self.late())
        return self._by_deadline(grace_used=True)

    def _in_at_the_deadline(self) -> tuple[Millis, Millis]:
        self.before = self.deadline
        self.look(self.before - HOUR)
        self.all_ready(wait=True)
        self.look(self.before)
        self.look(self.before + self.late())
        return self._by_deadline(grace_used=False)

    def _early(self) -> tuple[Millis, Millis]:
        self.look(self.deadline - 3 * HOUR)
        self.all_ready()
        self.look()
        return self._early_or_late()

    def _in_the_grace(self) -> tuple[Millis, Millis]:
        if self.grace < 6 * HOUR:
            return self._grace_used()
        self.before = self.deadline
        self.look(self.before + 5 * HOUR)
        self.all_ready()
        self.look(self.before + 5 * HOUR + self.late())
        return self._by_deadline(grace_used=True)

    def _by_hand(self) -> tuple[Millis, Millis]:
        """Even in the second in which the service would have run it."""
        self.place.clock.set(self.deadline + self.late())
        game_admin.play_now(self.place.service, "fox")
        return self._early_or_late()

    def _outage(self) -> tuple[Millis, Millis]:
        """Five days, over the deadline: the game gets that time again, but no more than a turn lasts."""
        down = self.deadline - 2 * HOUR
        self.look(down)
        back = down + 5 * DAY
        lost = min(5 * DAY, self.game.deadlines.length("moves"))
        self.look(back, was_down=True)
        assert self.deadline == first_allowed(self.game, back + lost)
        return self._grace_used()

    def _restore(self) -> tuple[Millis, Millis]:
        """Restore a backup of the same turn, after which another turn ran; then let the game continue."""
        file = self.folder / f"{self.place.clock.now()}.backup"
        self.look(self.deadline - 10 * HOUR)
        backup.back_up(self.place.service, file)
        self.look(self.deadline - 4 * HOUR)
        game_admin.play_now(self.place.service, "fox")
        self.place.clock.advance(HOUR)
        assert backup.restore_file(self.place.service, file).paused == ("fox",)
        self.look()
        stop = self.game.timing.stop
        assert stop is not None
        now = self.place.clock.now()
        deadlines.resume(self.place.service, "fox", "as it was")
        least = min(DAY, self.game.deadlines.length("moves"))
        assert self.deadline == first_allowed(self.game, now + max(stop.left, least))
        return self._grace_used()

    def _pause(self) -> tuple[Millis, Millis]:
        self.look(self.deadline - 30 * MINUTE)
        deadlines.pause(self.place.service, "fox", "a holiday")
        self.look(self.deadline_before_pause + 40 * HOUR)
        now = self.place.clock.now()
        deadlines.resume(self.place.service, "fox", "back again")
        least = min(DAY, self.game.deadlines.length("moves"))
        assert self.deadline == first_allowed(self.game, now + least)
        return self._grace_used()

    @property
    def deadline_before_pause(self) -> Millis:
        stop = self.game.timing.stop
        assert stop is not None
        return stop.since + stop.left

    def _extension(self) -> tuple[Millis, Millis]:
        self.look(self.deadline - HOUR)
        deadlines.extend(self.place.service, "fox", DAY, "as asked")
        return self._grace_used()

    def _hours_late(self) -> tuple[Millis, Millis]:
        """The mailbox could not be looked through for two hours after the grace."""
        end = self.deadline + self.grace
        self.look(end + 2 * HOUR)
        return self._early_or_late()


def first_allowed(game: GamePosition, earliest: Millis) -> Millis:
    """The first instant at which a deadline may fall, by the game's hours and days, from one on."""
    if not game.deadlines.hours:
        return elapsed(game, earliest, 0)
    return next(at for at in allowed(game) if at >= earliest)


def allowed(game: GamePosition) -> Iterator[Millis]:
    """All instants at which a deadline may fall, for as long as a year."""
    zone = ZoneInfo(game.deadlines.zone)
    for day in days(game):
        for hour in sorted(game.deadlines.hours):
            yield instants_of(datetime.combine(day, time.fromisoformat(hour)), zone)[0]


def days(game: GamePosition) -> Iterator[date]:
    """The days that count, from before the month on."""
    start = date(2027, 1, 1)
    for step in range(400):
        day = start + timedelta(days=step)
        if WEEKDAYS[day.weekday()] not in game.deadlines.days_off:
            yield day


def instants_of(there: datetime, zone: ZoneInfo) -> tuple[Millis, ...]:
    """The instants at which clocks show that; of an hour that they skip, as much later as they skip."""
    return tuple(int(there.replace(tzinfo=zone, fold=fold).timestamp() * 1000) for fold in (0, 1))


def local(at: Millis, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


def is_counted(game: GamePosition, day: date) -> bool:
    return WEEKDAYS[day.weekday()] not in game.deadlines.days_off


def elapsed(game: GamePosition, start: Millis, length: Millis) -> Millis:
    """When so much time of days that count has passed, counted minute by minute."""
    zone, at, left = ZoneInfo(game.deadlines.zone), start, length
    for _ in count():
        step = MINUTE - at % MINUTE
        if not is_counted(game, local(at, zone).date()):
            at += step
        elif left <= 0:
            return at
        elif left < step:
            return at + left
        else:
            at, left = at + step, left - step
    raise AssertionError


def days_later(game: GamePosition, start: Millis, number: int) -> Millis:
    """When clocks show the same time, so many days that count later."""
    zone = ZoneInfo(game.deadlines.zone)
    start = elapsed(game, start, 0)
    there = local(start, zone)
    day = there.date()
    for _ in range(number):
        day += timedelta(days=1)
        while not is_counted(game, day):
            day += timedelta(days=1)
    shown = datetime.combine(day, there.time())
    at = min(instants_of(shown, zone))
    while local(at, zone).replace(tzinfo=None) < shown:
        at += MINUTE - at % MINUTE
    return at if number else start


def expected(game: GamePosition, start: Millis, used: Millis) -> Millis:
    """The deadline of a turn that is counted from then, as the handbook has it."""
    length = game.deadlines.length("moves")
    if not game.deadlines.hours:
        return elapsed(game, start, length)
    whole, rest = divmod(length, DAY)
    full = elapsed(game, days_later(game, start, whole), rest)
    left = used + max(length // 2, 6 * HOUR)
    enough = elapsed(game, days_later(game, start, left // DAY), left % DAY)
    return first_allowed(game, max(full, enough))


def check_month(place: LocalService, folder: Path, zone: str, night: str, terms: dict[str, str]) -> None:
    """Play on for a month from two weeks before a change of clocks."""
    month = Month(place, folder)
    month.begin(zone, night, terms)
    end = place.clock.now() + 30 * DAY
    for turn in count():
        event = EVENTS[turn % len(EVENTS)]
        start, used = month.run_turn(event)
        assert month.deadline == expected(month.game, start, used), (turn, event, terms, zone, night)
        if place.clock.now() > end and turn >= len(EVENTS):
            return


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("setting", ["daily", "weekdays"])
def test_a_month_around_a_change_of_clocks(tmp_path: Path, setting: str) -> None:
    """The short form: one zone, one night, the usual grace."""
    with local_service(tmp_path / "service") as place:
        check_month(place, tmp_path, "Europe/Berlin", NIGHTS["Europe/Berlin"][0], SETTINGS[setting])


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("zone", "night"), [(zone, night) for zone in NIGHTS for night in NIGHTS[zone]])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("grace", GRACES)
def test_each_month_around_each_change_of_clocks(
    tmp_path: Path, zone: str, night: str, setting: str, grace: str
) -> None:
    """The long form."""
    with local_service(tmp_path / "service") as place:
        check_month(place, tmp_path, zone, night, {**SETTINGS[setting], **GRACES[grace]})
