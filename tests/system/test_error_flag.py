"""An email with a rejected line doesn't run a turn, in any game: by email, as players would write it."""

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, lookup, transfer
from adjudicator.game_kinds import find_kind
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import write_item
from adjudicator.storage import stored_games
from adjudicator.turns.log import orders_of
from games.protocol import Seat
from orders.mail.body import sheet_of
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of
from tests.kit.toy import toy_found

pytestmark = pytest.mark.usefixtures("undrawn")

ADDRESS = "player@example.org"
RESTS = sentence("reports.transcript.rests", until="deadline", in_queue=False, queues=False).split(". ")[0]
WEEK = 7 * 24 * HOUR


@dataclass(frozen=True)
class Solo:
    """A game that one person plays. wrong: a line that begins like an order of it and is none."""

    kind: str
    wrong: str
    seat: str = "player"
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return "-".join((self.kind, self.seat, *(value for _, value in self.options)))


SOLO = (
    Solo("war-chest", "move Dragoon to q7", options=(("units", "first-game"),)),
    Solo("war-chest", "draft Dragoon"),
    Solo("great-war", "play Moon Landing"),
    Solo("boer-war", "move Zorro to Foo", seat="Empire"),
    Solo("boer-war", "play Moon Landing", seat="Boers"),
    Solo("boer-war", "assault the moon", options=(("mode", "both"),)),
    Solo("plains-indian-wars", "play Moon Landing", seat="US"),
    *(
        Solo("plains-indian-wars", "play Moon Landing", seat="", options=(("scenario", f"2.{n}"),))
        for n in (1, 4)
    ),
    Solo("cairn", "drop granite"),
)
WHOLE = (SOLO[0], SOLO[2], SOLO[-1])
"""One with coins, one with rounds, the toy: of these all letters are tried, of the others some."""


@dataclass
class Table:
    """A game with one person in it, who answers the newest letter."""

    place: LocalService
    seat: Seat

    def say(self, *lines: str) -> str:
        """Return the text of the reply to an email."""
        self.place.clock.advance(60_000)
        self.place.answer(ADDRESS, self.letters[-1], "\n".join(lines))
        self.place.work()
        answers = [one for one in self.letters if str(one["Subject"]).startswith("Re:")]
        return " ".join(text_of(answers[-1]).split())

    def wait(self, span: int) -> None:
        """Let time go by."""
        self.place.clock.advance(span)
        self.place.work()

    @property
    def letters(self) -> list[EmailMessage]:
        """All that the player got."""
        return self.place.mail(ADDRESS)

    @property
    def sheet(self) -> tuple[str, ...]:
        """The order sheet of the newest letter that has one."""
        return next(sheet for sheet in (sheet_of(text_of(one)) for one in reversed(self.letters)) if sheet)

    @property
    def turns(self) -> int:
        """Return the number of turns that ran."""
        return game_admin.position_of(self.place.service, "solo").played

    @property
    def filed(self) -> list[str]:
        """Return the saved orders."""
        position = game_admin.position_of(self.place.service, "solo")
        kind = find_kind(position.kind)
        return [write_item(kind, item) for item in position.filed.get(self.seat, ())]

    @property
    def played(self) -> list[str]:
        """The orders of the player that were played, in their order."""
        kind = find_kind(game_admin.position_of(self.place.service, "solo").kind)
        entries = [entry for entry, _ in stored_games.log(self.place.service.database, "solo")]
        return [
            kind.notation.write(order)
            for entry in entries
            if entry.kind == "turn"
            for order in orders_of(kind, entry).get(self.seat, ())
        ]


def begun(place: LocalService, kind: str, seat: str = "", **options: str) -> Table:
    """A game with a clock in which the player has a seat, the first where none is named, and was welcomed."""
    begin(place, kind, seat, **options)
    return Table(place, Seat(assignment(place, seat)))


@cached_beginning
def begin(place: LocalService, kind: str, seat: str, **options: str) -> None:
    request = game_admin.GameRequest(kind, "solo", options, {"solo": "clock"})
    game_admin.new_game(place.service, request, secret=b"the secret of a cairn")
    game_admin.assign(place.service, "solo", assignment(place, seat), ADDRESS)
    place.work()


def assignment(place: LocalService, seat: str) -> str:
    assignments = game_admin.position_of(place.service, "solo").assignments
    return seat if seat in assignments else next(iter(assignments))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """A service where the toy can be played, too."""
    with toy_found(), local_service(tmp_path) as found:
        yield found


@pytest.fixture(params=SOLO, ids=str)
def solo(request: pytest.FixtureRequest, place: LocalService) -> tuple[Table, str, bool]:
    """Each game of one person, begun, a line that its player gets wrong, whether it is one of WHOLE."""
    one: Solo = request.param
    return begun(place, one.kind, one.seat, **dict(one.options)), one.wrong, one in WHOLE


@pytest.fixture(params=(SOLO[0], SOLO[3], SOLO[-1]), ids=str)
def queue(request: pytest.FixtureRequest, place: LocalService) -> tuple[Table, str]:
    """The queue of a game with coins, one with actions, and the toy."""
    one: Solo = request.param
    return begun(place, one.kind, one.seat, **dict(one.options)), one.wrong


def test_a_solo_turn_is_played_by_no_letter_but_a_clean_one(solo: tuple[Table, str, bool]) -> None:
    """With any other lines, and with the wrong line anywhere in the email; twice."""
    table, wrong, whole = solo
    _is_played_by_a_clean_letter_alone(table, wrong, some=not whole)
    _is_played_by_a_clean_letter_alone(table, wrong, some=True)
    assert game_admin.prove(table.place.service, "solo").fault is None


@pytest.mark.soak
def test_no_solo_turn_is_played_by_any_letter_but_a_clean_one(solo: tuple[Table, str, bool]) -> None:
    """The long form: all the letters in each of four turns."""
    table, wrong, _ = solo
    for _ in range(4):
        _is_played_by_a_clean_letter_alone(table, wrong)
    assert game_admin.prove(table.place.service, "solo").fault is None


def _is_played_by_a_clean_letter_alone(table: Table, wrong: str, some: bool = False) -> None:
    """some: two letters alone are tried, one with the line and one without any order."""
    before, sheet = table.turns, table.sheet
    faulty = ((wrong,), (*sheet, wrong), (wrong, *sheet), ("NOWAIT", wrong, *sheet), ("READY", wrong))
    beside = (("STATUS",), ("BROADCAST", "Good morning.", "ENDPRESS"), ("NOWAIT",))
    for letter in faulty[1:2] if some else faulty:
        answer = table.say(*letter)
        assert f"> {wrong} ✗" in answer
        assert RESTS in answer
        assert table.turns == before
    for letter in beside[:1] if some else beside:
        table.say(*letter)
        assert table.turns == before
    answer = table.say("NOREADY", *sheet)
    assert RESTS not in answer
    assert table.turns > before


def test_status_names_the_line_that_was_not_taken(queue: tuple[Table, str]) -> None:
    """As long as the game waits for it, and to nobody else."""
    table, wrong = queue
    sheet = table.sheet
    named = sentence("inbound.queries.untaken", lines=(wrong,))
    assert named in table.say(*sheet, wrong, "STATUS")
    assert named in table.say("STATUS")
    table.place.write("stranger@example.org", "gm@example.org", "STATUS solo")
    table.place.work()
    told = [text_of(one) for one in table.place.mail("stranger@example.org")]
    assert told
    label = sentence("inbound.queries.untaken", lines=("",)).strip()
    assert label in named
    assert not any(wrong in one or label in one for one in told)
    assert label not in table.say("CLEAR", "STATUS")


def test_ready_said_again_lets_what_is_on_file_count(queue: tuple[Table, str]) -> None:
    """In an email without mistakes: even if nothing of the other one was accepted."""
    table, wrong = queue
    before, sheet = table.turns, table.sheet
    table.say(*sheet, wrong)
    assert table.turns == before
    answer = table.say("READY")
    assert RESTS not in answer
    assert table.turns > before
    assert table.played[: len(sheet)] == list(sheet)


def test_what_is_on_file_is_played_at_the_deadline(queue: tuple[Table, str]) -> None:
    table, wrong = queue
    before, sheet = table.turns, table.sheet
    table.say(*sheet, wrong)
    table.wait(3 * WEEK)
    assert table.turns > before
    assert table.played[: len(sheet)] == list(sheet)


def test_clear_takes_what_was_wrong_back(queue: tuple[Table, str]) -> None:
    table, wrong = queue
    before = table.turns
    table.say(wrong, *table.sheet)
    table.say("CLEAR")
    assert table.filed == []
    assert table.turns == before
    table.say(*table.sheet)
    assert table.turns > before


CAIRN = ("drop marble", "drop granite", "rest")


def test_a_line_that_is_mended_takes_its_place_in_the_queue(place: LocalService) -> None:
    """Lines before it come before it, lines after it after it."""
    table = begun(place, "cairn")
    answer = table.say(*CAIRN)
    assert "✓ drop marble | ✗ drop granite (to fix) | ✓ rest" in answer
    assert table.filed == ["drop marble", "# not taken: drop granite", "rest"]
    answer = table.say("drop emerald")
    assert RESTS not in answer
    assert table.played[:3] == ["drop marble", "drop emerald", "rest"]


def test_a_whole_plan_replaces_the_one_that_was_wrong(place: LocalService) -> None:
    table = begun(place, "cairn")
    table.say(*CAIRN)
    table.say("drop emerald", "rest")
    assert table.played[:2] == ["drop emerald", "rest"]


def test_a_line_said_again_is_no_mending(place: LocalService) -> None:
    """A player who gives up the wrong line repeats the others: they aren't used twice."""
    table = begun(place, "cairn")
    table.say("drop granite", "drop marble")
    table.say("drop marble")
    assert table.played == ["drop marble"]
    assert table.filed == []


def test_a_question_leaves_a_wrong_line_of_the_queue_where_it_is(place: LocalService) -> None:
    """So does READY in an email with another wrong line."""
    table = begun(place, "cairn")
    table.say(*CAIRN)
    table.say("STATUS")
    table.say("READY", "drop granite", "drop gneiss")
    assert table.filed[:3] == ["drop marble", "# not taken: drop granite", "rest"]
    assert table.turns == 0


def test_nothing_behind_a_wrong_line_is_played_at_the_deadline(place: LocalService) -> None:
    """The lines before it count; then the queue waits, and the report says for what."""
    table = begun(place, "cairn")
    table.say(*CAIRN)
    table.wait(3 * WEEK)
    assert table.played == ["drop marble"]
    report = " ".join(text_of(table.letters[-1]).split())
    assert (
        sentence("reports.report.waiting_order", stopped=False, untaken=True, order="drop granite") in report
    )
    table.say("drop emerald")
    assert table.played[1:3] == ["drop emerald", "rest"]


def test_the_first_line_that_can_be_played_is_not_the_first_action(place: LocalService) -> None:
    """War Chest: the Cavalry isn't on the board, and the second line isn't a first coin."""
    table = begun(place, "war-chest", units="first-game")
    before = table.turns
    answer = table.say("move Cavalry to d3", "pass with Archer", "pass with Cavalry")
    assert "✗ Not possible: you have no Cavalry on the board." in answer
    assert "| ✗ move Cavalry to d3 (to fix) | ✓ pass with Archer | ✓ pass with Cavalry" in answer
    assert table.turns == before
    table.say("pass with Archer", "pass with Cavalry")
    assert table.played[:2] == ["pass with Archer", "pass with Cavalry"]


def test_where_no_line_of_a_queue_is_taken_all_of_it_is_asked_for_again(place: LocalService) -> None:
    """No place is kept then, and what the order sheet shows is not what happens."""
    table = begun(place, "war-chest", units="first-game")
    answer = table.say("move Cavalry to d3")
    assert sentence("reports.transcript.rests", until="deadline", in_queue=False, queues=True) in answer
    assert sentence("reports.transcript.missing", missing=("1 order for your turn",), then="") in answer


def test_a_line_of_another_phase_holds_its_place_in_the_queue(place: LocalService) -> None:
    """War Chest: a pick after the draft. It isn't an order for a coin, nor is anything after it."""
    table = begun(place, "war-chest")
    pick, *_ = draft = table.sheet
    table.say(*draft)
    before, played, coin = table.turns, table.played, table.sheet[0]
    answer = table.say(pick, coin)
    assert f"> {pick} ✗ Not possible: only orders for your turn" in answer
    assert RESTS in answer
    assert (table.turns, table.filed) == (before, [f"# not taken: {pick}", coin])
    table.say(coin)
    assert table.played[len(played)] == coin


def test_a_part_that_would_be_left_out_keeps_the_turn_too(place: LocalService) -> None:
    """The Great War: a card that cannot be added. The line is on file, and cannot be carried out wholly."""
    table = begun(place, "great-war")
    answer = table.say("ATTACK 1ST: B-KS + B-JC")
    assert "✗ " + sentence("reports.transcript.left_out", said="ATTACK 1ST: B-KS + B-JC") in answer
    assert "Not played: B-JC" in answer
    assert "1 to fix." in answer
    assert sentence("reports.transcript.rests_left_out", count=1) in answer
    assert table.turns == 0
    table.say("ATTACK 1ST: B-KS")
    assert table.played == ["ATTACK 1ST: B-KS"]


def test_a_turn_waits_though_nowait_stands_beside_the_wrong_line(place: LocalService) -> None:
    """Standard Diplomacy: last week's orders are complete, and the new letter changes one, wrongly."""
    table = begun(place, "standard", seat="France")
    table.say("WAIT", *table.sheet)
    answer = table.say("NOWAIT", "A Par - Brugundyy Hills")
    assert "✗" in answer
    assert RESTS in answer
    assert table.turns == 0
    answer = table.say("A Par - Bur")
    assert RESTS not in answer
    assert table.turns == 1
    assert "A PAR - BUR" in table.played


def test_ready_rests_when_a_wrong_line_comes_later(place: LocalService) -> None:
    """Another's orders do not start the turn either; a clean line does."""
    table = begun(place, "standard", seat="France")
    game_admin.assign(place.service, "solo", "England", "england@example.org")
    place.work()
    table.say("READY", *table.sheet)
    table.say("convoy Foo to Bar")
    place.clock.advance(60_000)
    place.answer("england@example.org", place.mail("england@example.org")[0], "READY")
    place.work()
    assert table.turns == 0
    assert sentence("inbound.queries.orders_awaited") in table.say("STATUS")
    table.say("F Bre H")
    assert table.turns == 1


def test_press_and_questions_say_nothing_of_orders(place: LocalService) -> None:
    table = begun(place, "standard", seat="France")
    table.say("A Par - Atlantis")
    for letter in (["STATUS"], ["MAP"], ["PRESS TO England", "move Army Foo to Bar", "ENDPRESS"], ["WAIT"]):
        assert RESTS in table.say(*letter) or letter == ["WAIT"]
    assert table.filed == ["# not taken: A Par - Atlantis"]


def test_prose_raises_no_flag(place: LocalService) -> None:
    """Lines that begin with a word of the game and are none of its orders."""
    table = begun(place, "standard", seat="France")
    answer = table.say(
        "Hello GM,",
        "",
        "Hold on, I write more tomorrow.",
        "Move on!",
        "Send my regards to England, and thanks for the game.",
        "",
        *table.sheet,
        "",
        "Stand by for press.",
        "Take care,",
        "France",
    )
    assert "✗" not in answer
    assert table.turns == 1


def test_the_flag_stays_through_a_restart_and_an_export(tmp_path: Path) -> None:
    """The GM sees why the game waits."""
    filed = ["# not taken: move Zorro to Foo", "PASS"]
    with local_service(tmp_path / "one") as place:
        table = begun(place, "boer-war", seat="Empire")
        table.say("move Zorro to Foo", "pass")
        before = table.turns
        export = transfer.encode_export(transfer.export(place.service, "solo"))
    with local_service(tmp_path / "two") as other:
        transfer.bring_in(other.service, transfer.read(export, "solo.json"))
        assert Table(other, Seat("Empire")).filed == filed
    with local_service(tmp_path / "one") as place:
        table = Table(place, Seat("Empire"))
        assert table.filed == filed
        position = game_admin.position_of(place.service, "solo")
        rejected = sentence("reports.transcript.missing_rejected", line="move Zorro to Foo")
        assert lookup.missing_orders(position)[Seat("Empire")][0] == rejected
        place.work()
        assert table.turns == before
        table.say("pass")
        assert table.turns > before
        assert table.played == ["PASS"]


def test_a_reminder_names_the_line(place: LocalService) -> None:
    """Nothing else is missing, and the deadline is near."""
    table = begun(place, "standard", seat="France")
    table.say(*table.sheet, "move Army Foo to Bar")
    position = game_admin.position_of(place.service, "solo")
    assert position.deadline is not None
    table.wait(position.deadline - place.clock.now() - HOUR)
    reminder = " ".join(text_of(table.letters[-1]).split())
    rejected = sentence("reports.transcript.missing_rejected", line="move Army Foo to Bar")
    assert f"{sentence('reports.labels.missing')} {rejected} Deadline:" in reminder
