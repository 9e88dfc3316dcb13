"""Ways to seat four players: the deadlines that each is told are true."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adjudicator.admin import deadlines, game_admin, seats, transfer
from adjudicator.clock import DAY, HOUR, MINUTE, Millis, format_instant, instant_of
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.games import GamePosition
from adjudicator.outbound import composer
from adjudicator.reports.times import both
from adjudicator.storage import stored_games
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.service_harness import LocalService, local_service, text_of

AMSTERDAM = ZoneInfo("Europe/Amsterdam")
SEATS = ("austria", "england", "france", "germany")
FOUR = {seat: f"{seat}@example.org" for seat in SEATS}
LATER = "later@example.org"


@dataclass
class Table:
    """A game, and how many emails of each person were checked.

    began: all deadlines so far, as people read them; told: by person, the deadline in each email that has
    one, "none" or as written, with its subject.
    """

    place: LocalService
    elsewhere: Callable[[], LocalService]
    began: set[str] = field(default_factory=set)
    told: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    @property
    def game(self) -> GamePosition:
        return game_admin.position_of(self.place.service, "fox")

    def move(self) -> None:
        """Go on at another service, where nothing has come yet."""
        now, self.place = self.place.clock.now(), self.elsewhere()
        self.place.clock.set(now)
        self.told, self.seen = {}, {}

    def new(self, **terms: str) -> None:
        game_admin.new_game(self.place.service, game_admin.GameRequest("standard", "fox", terms=terms))

    def assign(self, *seats: str) -> None:
        for seat in seats:
            game_admin.assign(self.place.service, "fox", seat, FOUR[seat])
            self.look()

    def work(self, after: Millis = 0) -> None:
        """Let time pass, then do everything due; all statements are true by then."""
        self.place.clock.advance(after)
        for _ in range(2):
            self.place.work()
            self.look()

    def look(self) -> None:
        """Read the new emails: every stated deadline is one that the game has or had."""
        if (
            "fox" in self.place.service.repository.games()
            and self.game.deadline is not None
            and not is_solo(self.game)
        ):
            self.began.add(format_instant(self.game.deadline, AMSTERDAM))
        for person in (*FOUR.values(), LATER):
            letters = self.place.mail(person)
            for letter in letters[self.seen.get(person, 0) :]:
                if (said := deadline_in(letter)) is not None:
                    self.told.setdefault(person, []).append((str(letter["Subject"]), said))
                    assert said == "none" or said in self.began, (said, self.began)
            self.seen[person] = len(letters)


NONE_RUNS = re.compile(
    r"[Tt]here (?:is no deadline|are no deadlines)|has no deadline|no deadline counts|Deadline: none"
)
INSTANT = r"(\w+day \d+ \w+ \d{4}, \d\d:\d\d \w+)"
RUNS = re.compile(rf"Deadline: +{INSTANT}|[Oo]rders for [^.]*? are (?:now )?due by {INSTANT}")


def deadline_in(letter: EmailMessage) -> str | None:
    """Return the deadline in an email, or None. A calendar file says the same."""
    text = " ".join(text_of(letter).split())
    found, none = RUNS.search(text), NONE_RUNS.search(text)
    said = next((one for one in found.groups() if one), None) if found else "none" if none else None
    assert not (found and none), text
    for part in letter.iter_attachments():
        if part.get_content_type() == "text/calendar":
            (row,) = re.findall(r"DTSTART:(\d{8}T\d{6}Z)", str(part.get_content()))
            at = datetime.strptime(row, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            noted = (
                "none" if part.get_param("method") == "CANCEL" else format_instant(instant_of(at), AMSTERDAM)
            )
            assert said in (None, noted), (text, noted)
    return said


def test_what_emails_say_of_a_deadline_is_found_in_them() -> None:
    """Otherwise the tests below would look for sentences that nobody writes."""
    at, turn = "Thursday 8 January 2026, 19:00 CET", "Spring 1901, moves"
    values = {"silent": "Austria", "gone": "Austria", "of_game": True, "since": "today", "until": "now"}
    for slug in ("put_off", "heeded", "moved", "resumed", "out_of_order", "wound_up"):
        told = sentence(f"reports.times.{slug}", turn=turn, deadline=at, **values)
        found = RUNS.search(told)
        assert found is not None, told
        assert at in found.groups(), told
        assert not NONE_RUNS.search(told), told
    for told in (
        sentence("reports.times.no_deadline_now"),
        sentence("reports.times.unwound", owes=True),
        sentence("reports.times.waits_for_you", turn=turn),
        sentence("reports.times.stopped", paused=True),
        sentence("reports.times.standing", paused=True, why="holidays"),
        f"Deadline: {sentence('reports.report.no_deadline', seat='Austria')}",
        f"Deadline: {sentence('reports.transcript.no_deadline')}",
        f"Deadline: {sentence('reports.transcript.no_deadline_now')}",
    ):
        assert NONE_RUNS.search(told), told
        assert not RUNS.search(told), told


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with ExitStack() as towns:
        here = towns.enter_context(local_service(tmp_path / "here"))
        yield Table(here, lambda: towns.enter_context(local_service(tmp_path / "elsewhere")))


def in_one_tick(table: Table) -> None:
    table.new()
    table.assign(*SEATS)


def a_tick_after_each(table: Table) -> None:
    table.new()
    for seat in SEATS:
        table.assign(seat)
        table.work()


def a_minute_between(table: Table) -> None:
    table.new()
    for seat in SEATS:
        table.assign(seat)
        table.work(MINUTE)


def hours_between(table: Table) -> None:
    table.new()
    for seat in SEATS:
        table.assign(seat)
        table.work(3 * HOUR)


def before_the_service_runs(table: Table) -> None:
    table.new()
    for seat in SEATS:
        table.place.clock.advance(7 * MINUTE)
        table.assign(seat)
    table.place.clock.advance(HOUR)


def with_the_game(table: Table) -> None:
    game_admin.new_game(table.place.service, game_admin.GameRequest("standard", "fox", seats=FOUR))


def two_and_two(table: Table) -> None:
    table.new()
    table.assign(*SEATS[:2])
    table.work()
    table.work(10 * MINUTE)
    table.assign(*SEATS[2:])


def a_change_of_mind(table: Table) -> None:
    table.new()
    table.assign("austria", "france")
    game_admin.assign(table.place.service, "fox", "france", None)
    table.work()
    table.work(MINUTE)
    table.assign(*SEATS[1:])


def while_it_is_paused(table: Table) -> None:
    table.new()
    deadlines.pause(table.place.service, "fox", "not yet")
    table.assign(*SEATS)
    table.work(10 * MINUTE)
    deadlines.resume(table.place.service, "fox", "all are here")


def paused_after_the_first(table: Table) -> None:
    table.new()
    table.assign("austria")
    table.work()
    deadlines.pause(table.place.service, "fox", "not yet")
    table.assign(*SEATS[1:])
    table.work(10 * MINUTE)
    deadlines.resume(table.place.service, "fox", "all are here")


def one_in_the_place_of_another(table: Table) -> None:
    table.new()
    game_admin.assign(table.place.service, "fox", "austria", LATER)
    table.assign(*SEATS[1:])
    table.work()
    seats.replace_player(table.place.service, "fox", "austria", FOUR["austria"], "was a mistake")


def from_two_seats_of_one(table: Table) -> None:
    table.new()
    for seat in ("austria", "england"):
        game_admin.assign(table.place.service, "fox", seat, FOUR["austria"])
        table.work()
    seats.replace_player(table.place.service, "fox", "england", FOUR["england"], "as agreed")
    table.assign("france", "germany")


def with_a_clock_from_the_first_on(table: Table) -> None:
    table.new(solo="clock")
    for seat in SEATS:
        table.assign(seat)
        table.work(5 * MINUTE)


def with_a_deadline_that_is_moved(table: Table) -> None:
    table.new()
    table.assign(*SEATS[:2])
    deadlines.set_deadline(table.place.service, "fox", table.place.clock.now() + 9 * DAY, "for a start")
    table.work()
    table.assign(*SEATS[2:])


def at_fixed_hours(table: Table) -> None:
    table.new(moves="24h", hours="20:00", zone="Europe/Amsterdam")
    for seat in SEATS:
        table.assign(seat)
        table.work(MINUTE)


def after_the_first_has_played_alone(table: Table) -> None:
    table.new()
    table.assign("austria")
    for _ in range(2):
        table.work()
        letter = next(one for one in reversed(table.place.mail(FOUR["austria"])) if one["Reply-To"])
        table.place.answer(FOUR["austria"], letter, "all hold")
        table.work(DAY)
    assert table.game.played > 1
    table.assign(*SEATS[1:])


def offer(table: Table, players: int) -> None:
    game_admin.offer(table.place.service, game_admin.GameRequest("standard", "fox"), players=players)
    table.work()


def join(table: Table, *seats: str) -> None:
    for seat in seats:
        table.place.write(FOUR[seat], "gm@example.org", f"JOIN fox {seat}")
        table.work()
        letter = table.place.mail(FOUR[seat])[-1]
        table.place.answer(FOUR[seat], letter, "YES")
        table.work()


def by_signing_up(table: Table) -> None:
    offer(table, 4)
    join(table, *SEATS)


def started_by_hand_with_three(table: Table) -> None:
    offer(table, 7)
    join(table, *SEATS[:3])
    game_admin.start(table.place.service, "fox")
    table.work()
    free = next(seat for seat, assignment in table.game.assignments.items() if not assignment.is_person)
    game_admin.assign(table.place.service, "fox", str(free), FOUR["germany"])


def by_letters_into_free_seats(table: Table) -> None:
    """Two players have gone: new ones ask for their seats by mail and get them at once."""
    table.new()
    table.assign("austria")
    for seat in ("england", "france", "germany"):
        game_admin.assign(table.place.service, "fox", seat, LATER)
        table.look()
        seats.kick(table.place.service, "fox", seat, "for others")
    table.work()
    for seat in ("england", "france", "germany"):
        join(table, seat)
        table.work(MINUTE)


def by_invitations(table: Table) -> None:
    """The first signs up and invites the others by mail, who say YES."""
    offer(table, 4)
    join(table, "austria")
    others = [FOUR[seat] for seat in SEATS[1:]]
    table.place.answer(FOUR["austria"], table.place.mail(FOUR["austria"])[-1], f"INVITE {' '.join(others)}")
    table.work()
    for address in others:
        table.place.answer(address, table.place.mail(address)[-1], "YES")
        table.work(MINUTE)


def with_passwords_from_elsewhere(table: Table) -> None:
    """Each begins to write from another address, with the password of the welcome."""
    table.new()
    for seat in SEATS:
        password = game_admin.assign(table.place.service, "fox", seat, FOUR[seat])
        table.work()
        line = f"SIGNON fox {seat} {password}"
        table.place.write(f"{seat}@elsewhere.example.org", "gm@example.org", f"{line}\nSTATUS")
        table.work(30_000)


def with_a_clock_by_later_terms(table: Table) -> None:
    """The first plays without a clock until the gamesmaster changes that."""
    table.new()
    table.assign("austria")
    table.work()
    deadlines.set_terms(table.place.service, "fox", {"solo": "clock"}, "so that it goes on")
    table.work()
    table.assign(*SEATS[1:])


def with_a_clock_by_terms_before_anybody_is_told(table: Table) -> None:
    table.new()
    table.assign("austria")
    deadlines.set_terms(table.place.service, "fox", {"solo": "clock", "moves": "48h"}, "so that it goes on")
    table.assign(*SEATS[1:])


def into_an_imported_game(table: Table) -> None:
    """Two come with the game from another service and are told so; two get their seats here."""
    table.new()
    table.assign(*SEATS[:2])
    document = transfer.export(table.place.service, "fox")
    table.move()
    transfer.bring_in(table.place.service, document, tell=True)
    table.work(MINUTE)
    table.assign(*SEATS[2:])


def into_an_imported_game_of_one(table: Table) -> None:
    table.new()
    table.assign("austria")
    document = transfer.export(table.place.service, "fox")
    table.move()
    transfer.bring_in(table.place.service, document, tell=True)
    table.assign(*SEATS[1:])


WAYS: tuple[Callable[[Table], None], ...] = (
    in_one_tick,
    a_tick_after_each,
    a_minute_between,
    hours_between,
    before_the_service_runs,
    with_the_game,
    two_and_two,
    a_change_of_mind,
    while_it_is_paused,
    paused_after_the_first,
    one_in_the_place_of_another,
    from_two_seats_of_one,
    with_a_clock_from_the_first_on,
    with_a_deadline_that_is_moved,
    at_fixed_hours,
    after_the_first_has_played_alone,
    by_signing_up,
    started_by_hand_with_three,
    by_letters_into_free_seats,
    by_invitations,
    with_passwords_from_elsewhere,
    with_a_clock_by_later_terms,
    with_a_clock_by_terms_before_anybody_is_told,
    into_an_imported_game,
    into_an_imported_game_of_one,
)


def is_welcome(subject: str) -> bool:
    """Return whether an email is a player's first: a welcome, or the notice that a game has moved here."""
    return subject.startswith(("Welcome to", "The game has moved to"))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_welcome_is_true_or_corrected_once(table: Table, way: Callable[[Table], None]) -> None:
    way(table)
    table.work()
    table.work(2 * MINUTE)
    settled = {person: len(told) for person, told in table.told.items()}
    table.work(30 * MINUTE)
    assert {person: len(told) for person, told in table.told.items()} == settled, "nobody is told twice"
    assert table.game.deadline is not None
    truth = format_instant(table.game.deadline, AMSTERDAM)
    for person in FOUR.values():
        told = table.told[person]
        assert told[-1][1] == truth, told
        # Who takes a free seat by mail may be told when the clock begins, at once, in another letter.
        welcomes = [place for place, (subject, _) in enumerate(told) if is_welcome(subject)]
        welcome = max(welcomes, default=-1)
        # After the welcome comes what it said wrongly, once; and what the gamesmaster himself did, if he did.
        by_hand = way in (while_it_is_paused, paused_after_the_first, with_a_deadline_that_is_moved)
        at_most = 2 if by_hand or way is after_the_first_has_played_alone else 1
        later = [said for subject, said in told[welcome + 1 :] if "Press" not in subject]
        assert len(set(later)) <= at_most, told
        if welcome >= 0 and told[welcome][1] == truth:
            assert set(later) <= {truth}, told


def test_the_first_is_corrected_two_minutes_after_the_last_was_seated(table: Table) -> None:
    table.new()
    table.assign(*SEATS[:2])
    table.work(MINUTE)
    table.assign("france")
    table.work(MINUTE + MINUTE // 2)
    assert [said for _, said in table.told[FOUR["austria"]]] == ["none"]
    table.work(MINUTE // 2)
    assert table.game.deadline is not None
    truth = format_instant(table.game.deadline, AMSTERDAM)
    assert [said for _, said in table.told[FOUR["austria"]]] == ["none", truth]
    for seat in ("england", "france"):
        assert [said for _, said in table.told[FOUR[seat]]] == [truth]
    at = both(table.game.deadline, AMSTERDAM)
    said = sentence("reports.times.wound_up", turn="Spring 1901, moves", deadline=at)
    assert said in " ".join(text_of(table.place.mail(FOUR["austria"])[-1]).split())


def test_what_is_right_again_is_not_corrected(table: Table) -> None:
    """The second was seated by mistake."""
    table.new()
    table.assign("austria", "france")
    game_admin.assign(table.place.service, "fox", "france", None)
    table.work()
    table.work(10 * MINUTE)
    assert [said for _, said in table.told[FOUR["austria"]]] == ["none"]
    assert table.game.deadline is None
    assert table.game.timing.correction is None


def test_the_clock_runs_from_when_the_second_is_seated(table: Table) -> None:
    """The GM sees it at once, whether the service runs or not."""
    table.new()
    table.place.clock.advance(2 * DAY)
    table.assign("austria")
    assert (table.game.deadline, table.game.timing.rest is not None) == (None, True)
    table.place.clock.advance(HOUR)
    table.assign("france")
    assert table.game.deadline == table.place.clock.now() + 72 * HOUR
    table.place.clock.advance(HOUR)
    table.assign("germany")
    assert table.game.deadline == table.place.clock.now() + 71 * HOUR
    said = [one.what for one in stored_games.minutes(table.place.service.database, "fox")]
    assert said == [
        "Austria to somebody",
        f"S1901M: {sentence('outbound.clock_actions.unwound')}",
        "France to somebody",
        f"S1901M: {sentence('outbound.clock_actions.wound_up')}",
        "Germany to somebody",
    ]


def test_a_turn_that_runs_meanwhile_leaves_nothing_to_correct(table: Table) -> None:
    """Its report tells the deadline."""
    table.new()
    table.assign("austria", "france")
    table.work()
    game_admin.play_now(table.place.service, "fox")
    table.work()
    table.work(10 * MINUTE)
    assert len(table.told[FOUR["austria"]]) == 2
    assert table.game.deadline is not None
    assert table.told[FOUR["austria"]][-1][1] == format_instant(table.game.deadline, AMSTERDAM)


def test_a_game_begins_with_its_people(tmp_path: Path) -> None:
    gm = Terminal(tmp_path)
    gm.says("init --no-local --timezone UTC --yes")
    said = gm.says(
        "game new standard fox --seat france=france@example.org --seat Germany=germany@example.org"
        " --seat italy=bot"
    )
    assert "7 seats, 2 human players, 5 bots." in said
    assert "france@example.org plays France" in said
    assert "Welcomes are ready to be sent" in said
    assert "gm seat assign" not in said
    sight = gm.told("game show fox")
    players = {one["seat"]: one["address"] for one in sight["seats"] if one["player"] == "person"}
    assert players == {"France": "france@example.org", "Germany": "germany@example.org"}
    assert sight["deadline"] is not None
    assert gm.told("mail list --out")[0]["to"] in players.values()
    alone = gm.says("game new standard hare --seat france=france@example.org")
    assert f"Deadline: {sentence('reports.report.no_deadline', seat=None)}" in alone


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--seat spain=a@example.org", "has no seat"),
        ("--seat france=nobody", "isn't a player's address"),
        ("--seat france=gm@example.org", "isn't a player's address"),
        ("--seat france=a@example.org --seat FRANCE=b@example.org", "named twice"),
        ("--open --seat france=a@example.org", "--open"),
    ],
)
def test_seats_that_cannot_be_given_begin_no_game(tmp_path: Path, words: str, complaint: str) -> None:
    gm = Terminal(tmp_path)
    gm.says("init --no-local --timezone UTC --yes")
    assert complaint in gm.refused(f"game new standard fox {words}")
    assert gm.told("game list") == []


def test_a_seat_that_there_is_not_is_named_with_those_there_are(table: Table) -> None:
    asked = game_admin.GameRequest("standard", "fox", seats={"spain": "a@example.org"})
    with pytest.raises(Refusal) as refused:
        game_admin.new_game(table.place.service, asked)
    assert "Austria, England, France" in (refused.value.instead or "")
