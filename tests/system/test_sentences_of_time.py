"""Our emails' statements about time and the next events, checked against the state of games."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import pytest

import games
from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import OutgoingMessage
from adjudicator.outbound import composer
from adjudicator.storage import outbox
from adjudicator.storage.database import Database
from adjudicator.storage.queries import DatabaseRepository
from games.protocol import Seat
from tests.kit import claims_of_people, claims_of_replies, claims_of_reports
from tests.kit.claims import faults
from tests.kit.claims_of_people import faults_of_digest
from tests.kit.letter_states import Letter, letter_of
from tests.kit.service_harness import LocalService, local_service

CLAIMS = (*claims_of_replies.CLAIMS, *claims_of_reports.CLAIMS, *claims_of_people.CLAIMS)


@dataclass
class Table:
    """A game with one or two people, all of whose letters are held against its state as they are written."""

    place: LocalService
    letters: list[Letter] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    digests: int = 0
    is_beginning: bool = False

    def hear(self, database: Database, sealed: Sequence[OutgoingMessage], now: Millis) -> None:
        """Letters are put into the outbox, at the end of a transaction."""
        for email in sealed:
            repository = DatabaseRepository(database)
            if email.key.startswith("digest/"):
                self.digests += 1
                service_context = self.place.service.service_context
                self.wrong += [
                    f"digest: {fault}" for fault in faults_of_digest(email, repository, service_context, now)
                ]
            is_to_people = "@" in email.to and email.to != self.place.service.service_context.address
            # Some of what goes to people about a seat is sent outside the game.
            position = (
                repository.position(email.game or "fox") if "fox" in email.raw.decode("latin-1") else None
            )
            if position is not None and is_to_people and not email.key.startswith("digest/"):
                letter = letter_of(email, position, now, repository)
                self.letters.append(letter)
                if not self.is_beginning:
                    self.judge(letter)

    def judge(self, letter: Letter) -> None:
        """Hold a letter against the state of the game."""
        kind = letter.key.split("/")
        said = f"{'/'.join(kind[2:3] or kind)} [{letter.subject}]"
        self.wrong += [f"{said}: {fault}" for fault in faults(letter, CLAIMS)]

    def begin(self, asked: game_admin.GameRequest) -> None:
        """Begin the game. Its settings are stored after its first letters, in the same transaction."""
        self.is_beginning = True
        game_admin.new_game(self.place.service, asked)
        self.is_beginning = False
        for letter in self.letters:
            self.judge(letter)

    @property
    def game(self) -> GamePosition:
        return game_admin.position_of(self.place.service, "fox")

    @property
    def people(self) -> list[Seat]:
        return [seat for seat, assignment in self.game.assignments.items() if assignment.is_person]

    def address(self, seat: str) -> str:
        return f"{seat.lower().replace(' ', '.')}@example.org"

    def newest(self, seat: str) -> EmailMessage:
        return next(email for email in reversed(self.place.mail(self.address(seat))) if email["Reply-To"])

    def say(self, seat: str, *lines: str) -> None:
        """Answer one's last letter."""
        self.place.clock.advance(4 * MINUTE)
        self.place.answer(self.address(seat), self.newest(seat), "\n\n".join(lines))
        self.work()

    def work(self, after: Millis = 0) -> None:
        """Let the service work, and check what it wrote: what follows a fault need not be played."""
        self.place.clock.advance(after)
        self.place.work()
        assert not self.wrong, "\n" + "\n".join(dict.fromkeys(self.wrong))

    def check(self) -> None:
        """Check that no email said anything false, and that there were some."""
        assert self.letters
        self.work()

    def until_deadline(self, more: Millis) -> None:
        assert self.game.deadline is not None
        self.place.clock.set(self.game.deadline + more)
        self.work()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A service whose letters come without maps, and are listened to."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    monkeypatch.setattr(composer, "draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as opened:
        found = Table(opened)
        put = outbox.put

        def heard(database: Database, sealed: Sequence[OutgoingMessage], now: Millis, **more: object) -> None:
            sealed = list(sealed)
            put(database, sealed, now, **more)
            found.hear(database, sealed, now)

        monkeypatch.setattr(outbox, "put", heard)
        yield found


WRONG = "move Nowhere to Atlantis"
"""A line that begins like an order in every game, and is none."""

MANY = ("boer-war", "chaos", "fleet-rome", "indianomacy", "standard", "war-chest")


def new(table: Table, kind: str, people: int, **terms: str) -> None:
    game = games.kinds()[kind]
    usual = {"moves": "72h", "grace": "12h", "reminder": "24h"}
    seats = list(game.about.seats({option.name: option.default for option in game.about.options}))[:people]
    named = {seat: table.address(seat) for seat in seats}
    asked = game_admin.GameRequest(kind, "fox", terms={**usual, **terms}, seats=named)
    table.begin(asked)
    table.work()


def a_turn_with_mistakes(table: Table) -> None:
    first = table.people[0]
    for lines in (
        ["STATUS"],
        [WRONG],
        ["STATUS"],
        ["READY"],
        ["NOREADY"],
        ["WAIT"],
        ["STATUS"],
        [WRONG],
        ["NOWAIT"],
    ):
        table.say(first, *lines)


def everybody_ready(table: Table) -> None:
    for seat in table.people:
        table.say(seat, "READY")


def into_the_grace(table: Table) -> None:
    first = table.people[0]
    table.until_deadline(-23 * HOUR)
    table.until_deadline(HOUR)
    for lines in (["STATUS"], [WRONG], ["STATUS"], ["WAIT"], ["READY"], ["NOREADY"], [WRONG]):
        if table.game.deadline is None or table.place.clock.now() < table.game.deadline:
            return
        table.say(first, *lines)


def after_the_grace(table: Table) -> None:
    first = table.people[0]
    deadline, grace = table.game.deadline, table.game.deadlines.grace
    assert deadline is not None
    table.place.clock.set(deadline + grace + MINUTE)
    table.say(first, WRONG, "STATUS")
    table.work(MINUTE)


def a_pause(table: Table) -> None:
    first = table.people[0]
    deadlines.pause(table.place.service, "fox", "holidays")
    table.work()
    for lines in (["STATUS"], [WRONG], ["WAIT"], ["NOWAIT"], ["READY"], ["NOREADY"]):
        table.say(first, *lines)
    deadlines.resume(table.place.service, "fox", "back again")
    table.work()
    table.say(first, "STATUS")


def a_hold(table: Table) -> None:
    deadlines.hold(table.place.service, "fox", "a question")
    table.say(table.people[0], "STATUS", WRONG)
    deadlines.resume(table.place.service, "fox", "")
    table.work()


SCENES: dict[str, tuple[Callable[[Table], None], ...]] = {
    "mistakes": (a_turn_with_mistakes, everybody_ready, a_turn_with_mistakes),
    "grace": (a_turn_with_mistakes, into_the_grace, after_the_grace, into_the_grace),
    "pause": (a_pause, a_turn_with_mistakes, a_hold, everybody_ready, a_pause),
}


KINDS = sorted(games.kinds())


CASES = [(kind, scene) for kind in KINDS for scene in SCENES]
"""In Chaos a person with mistakes soon loses the only centre, and is out of the game."""


@pytest.mark.parametrize(("kind", "scene"), [case for case in CASES if case[1] != "grace"])
def test_a_game_without_a_clock(table: Table, kind: str, scene: str) -> None:
    """Nothing is late there, so there is no grace either."""
    new(table, kind, 1)
    play_scene(table, scene)


@pytest.mark.parametrize(("kind", "scene"), CASES)
def test_a_game_with_a_clock(table: Table, kind: str, scene: str) -> None:
    new(table, kind, 2 if kind in MANY else 1, solo="clock")
    play_scene(table, scene)


def play_scene(table: Table, scene: str) -> None:
    for act in SCENES[scene]:
        act(table)
    table.check()


@pytest.mark.parametrize("nmr", ["hold", "bot", "gm", "extend"])
def test_what_becomes_of_missing_orders(table: Table, nmr: str) -> None:
    """Nobody sends orders in two turns; the GM lets the game continue if it waits for that."""
    new(table, "standard", 2, nmr=nmr)
    first = table.people[0]
    for _ in range(2):
        table.say(first, "STATUS")
        table.say(first, WRONG)
        table.until_deadline(-HOUR)
        table.say(first, "STATUS")
        table.until_deadline(table.game.deadlines.grace + MINUTE)
        table.work(MINUTE)
        table.say(first, "STATUS")
        if table.game.timing.stop is not None:
            deadlines.resume(table.place.service, "fox", "a word")
            table.work()
    table.check()


def test_what_the_gamesmaster_does_to_the_clock(table: Table) -> None:
    service = table.place.service
    new(table, "standard", 2)
    first = table.people[0]
    deadlines.extend(service, "fox", 5 * HOUR, "as asked")
    table.work()
    deadlines.set_deadline(service, "fox", table.place.clock.now() + 90 * HOUR, "for a start")
    table.work()
    table.say(first, "STATUS", WRONG)
    deadlines.set_terms(service, "fox", {"early": "no", "moves": "24h"}, "as agreed")
    table.work()
    table.say(first, "STATUS", WRONG)
    everybody_ready(table)
    table.until_deadline(1)
    a_turn_with_mistakes(table)
    table.until_deadline(table.game.deadlines.grace + MINUTE)
    table.check()


@pytest.mark.parametrize("away", ["ignore", "deadline", "bot"])
def test_absences(table: Table, away: str) -> None:
    new(table, "standard", 2, away=away)
    first, second = table.people
    table.say(first, "AWAY 2026-01-06 2026-01-20")
    table.work(DAY)
    table.say(first, "STATUS", WRONG)
    table.say(second, "STATUS", WRONG)
    table.until_deadline(-HOUR)
    table.until_deadline(HOUR)
    table.say(second, "STATUS")
    table.work(13 * HOUR)
    table.say(first, "STATUS")
    table.check()


def test_an_outage(table: Table) -> None:
    new(table, "standard", 2)
    since = table.place.clock.now()
    table.place.clock.advance(5 * DAY)
    table.place.service.clock_actions.give_time_back(table.game, since, table.place.clock.now())
    table.work()
    a_turn_with_mistakes(table)
    table.check()


def test_players_who_come_and_go(table: Table) -> None:
    service = table.place.service
    new(table, "standard", 1)
    first = table.people[0]
    table.say(first, "STATUS")
    game_admin.assign(service, "fox", "france", table.address("france"))
    table.work()
    table.work(3 * MINUTE)
    table.say(first, "STATUS", WRONG)
    seats.kick(service, "fox", "france", "they asked for it", offer=False)
    table.work()
    table.work(3 * MINUTE)
    table.say(first, "STATUS", WRONG)
    for _ in range(9):
        table.work(13 * DAY)
    table.say(first, "STATUS")
    table.check()


# Seats that change hands, press, draws and digests.

KINDS_OF_MANY = ("standard", "indianomacy", "chaos", "war-chest")
OTHER = "other@example.org"


def for_people(table: Table, kind: str, people: int = 3, **terms: str) -> None:
    """A game with some people in it, so that there is somebody to tell."""
    options = {"opponent": "human"} if kind == "war-chest" else {}
    game = games.kinds()[kind]
    named = list(game.about.seats({option.name: option.default for option in game.about.options} | options))
    usual = {"moves": "72h", "grace": "12h", "reminder": "24h"}
    seats = {seat: table.address(seat) for seat in named[:people]}
    asked = game_admin.GameRequest(kind, "fox", options=options, terms={**usual, **terms}, seats=seats)
    table.begin(asked)
    table.work()
    table.work(3 * MINUTE)


def write_as(table: Table, address: str, *lines: str, to: EmailMessage | None = None) -> None:
    """Answer a letter to an address, the newest if none is given."""
    table.place.clock.advance(4 * MINUTE)
    table.place.answer(address, to or table.place.mail(address)[-1], "\n\n".join(lines))
    table.place.work()


def join(table: Table) -> None:
    """Somebody new signs up for a seat, and says yes when asked whether it was them."""
    table.place.write(OTHER, "gm@example.org", "JOIN fox")
    table.work()
    write_as(table, OTHER, "yes")


@pytest.mark.parametrize("kind", KINDS_OF_MANY)
def test_a_seat_that_is_given_to_another_person(table: Table, kind: str) -> None:
    for_people(table, kind)
    first, *_, second = table.people
    table.say(first, "STATUS", WRONG)
    old = table.newest(first)
    seats.replace_player(table.place.service, "fox", first, OTHER, "they asked for it")
    table.work()
    write_as(table, table.address(first), "STATUS", "READY", to=old)
    write_as(table, OTHER, "STATUS", WRONG)
    write_as(table, OTHER, "READY")
    table.say(second, "STATUS", "READY")
    table.check()


@pytest.mark.parametrize("kind", KINDS_OF_MANY)
def test_a_seat_that_is_given_up_to_a_bot_and_taken_over(table: Table, kind: str) -> None:
    for_people(table, kind)
    first, *_, second = table.people
    old = table.newest(first)
    table.say(first, "RESIGN")
    write_as(table, table.address(first), "STATUS", to=old)
    table.say(second, "STATUS")
    join(table)
    table.work(3 * MINUTE)
    table.say(second, "STATUS", WRONG)
    write_as(table, OTHER, "STATUS")
    seats.kick(table.place.service, "fox", first, "they were silent", offer=kind == "standard")
    table.work()
    table.work(3 * MINUTE)
    table.say(second, "STATUS")
    table.until_deadline(table.game.deadlines.grace + MINUTE) if table.game.deadline else None
    table.check()


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
@pytest.mark.parametrize("ending", ["over", "early", "given away"])
def test_a_substitute(table: Table, kind: str, ending: str) -> None:
    """While a player is away; and what is said when they come back, or lose the seat meanwhile."""
    for_people(table, kind, away="substitute")
    first, second, *_ = table.people
    join(table)
    old = table.newest(first)
    table.say(first, "ABSENCE 5 January to 12 January")
    table.work()
    assert table.game.assignments[first].address == OTHER
    write_as(table, OTHER, "STATUS", WRONG)
    table.say(second, "STATUS", "READY")
    write_as(table, table.address(first), "STATUS", to=old)
    write_as(table, OTHER, "READY")
    if ending == "early":
        write_as(table, table.address(first), "ABSENCE OFF", to=old)
    elif ending == "given away":
        seats.replace_player(table.place.service, "fox", first, "else@example.org", "they left")
        table.work()
        write_as(table, table.address(first), "STATUS", to=old)
        write_as(table, OTHER, "STATUS")
    for _ in range(9):
        table.work(DAY)
    write_as(table, table.address(first), "STATUS")
    table.say(second, "STATUS")
    write_as(table, OTHER, "STATUS")
    table.check()


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
@pytest.mark.parametrize("draws", ["all", "majority"])
def test_draws(table: Table, kind: str, draws: str) -> None:
    """One lapses, one is withdrawn, and one happens."""
    for_people(table, kind, draws=draws)
    first, second, third = table.people
    for lines in (["DRAW"], ["STATUS"], ["NODRAW"], ["STATUS"], ["DRAW"], [f"CONCEDE TO {second}"], ["DRAW"]):
        table.say(first, *lines)
    table.until_deadline(table.game.deadlines.grace + MINUTE)
    table.say(second, "STATUS", WRONG)
    table.say(second, "DRAW")
    table.say(first, "DRAW", WRONG)
    if table.game.is_running:
        table.say(third, "DRAW")
    assert not table.game.is_running
    table.say(first, "STATUS")
    table.check()


@pytest.mark.parametrize("kind", ["standard", "war-chest"])
def test_concessions(table: Table, kind: str) -> None:
    for_people(table, kind, people=2)
    first, second = table.people
    third = next(seat for seat in reversed(table.game.assignments) if kind == "standard" or seat == second)
    table.say(first, f"CONCEDE TO {third}")
    if kind == "standard":
        table.say(second, "STATUS")
        table.say(second, f"CONCEDE TO {third}")
    assert not table.game.is_running
    table.check()


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "war-chest"])
@pytest.mark.parametrize("answer", ["YES", "NO", "Perhaps tomorrow", "late", "elsewhere"])
def test_press(table: Table, kind: str, answer: str) -> None:
    """Press, replies to it that are asked about, and a seventh email in an hour, which waits for a while."""
    for_people(table, kind)
    first, second, *_ = table.people
    table.say(first, f"PRESS TO {second}", "Shall we?", "ENDPRESS")
    table.say(second, "Gladly, and soon.")
    question = table.newest(second)
    if answer == "late":
        table.work(8 * DAY)
        write_as(table, table.address(second), "YES", to=question)
    elif answer == "elsewhere":
        write_as(table, "phone@example.net", "YES", to=question)
    else:
        write_as(table, table.address(second), answer, to=question)
    for number in range(7):
        table.say(first, f"PRESS TO {second}", f"Number {number}", "ENDPRESS", "STATUS")
    table.work(40 * MINUTE)
    table.say(second, "STATUS", WRONG)
    table.say(first, "BROADCAST", "To all of you", "ENDPRESS")
    table.check()


@pytest.mark.parametrize("kind", KINDS_OF_MANY)
@pytest.mark.parametrize("often", ["DAILY", "WEEKLY"])
def test_digests(table: Table, kind: str, often: str) -> None:
    """For a game that runs, is late, is paused, waits for nobody, or is over."""
    for_people(table, kind)
    first, *_, second = table.people
    table.say(first, f"LETTERS DIGEST {often}")
    table.work(DAY)
    deadlines.pause(table.place.service, "fox", "holidays")
    for _ in range(7):
        table.work(DAY)
    deadlines.resume(table.place.service, "fox", "back again")
    table.work()
    table.until_deadline(-HOUR)
    table.until_deadline(11 * HOUR)
    deadlines.hold(table.place.service, "fox", "a question")
    for _ in range(7):
        table.work(DAY)
    deadlines.resume(table.place.service, "fox", "")
    if table.game.deadline is not None:
        table.say(second, "READY")
    for _ in range(7):
        table.work(DAY)
    table.say(first, "LETTERS DIGEST OFF")
    table.work(DAY)
    assert table.digests
    table.check()
