"""Lines that depend on each other: a failing line is marked in its reply and in each later one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, lookup
from adjudicator.messages import sentence
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of
from tests.kit.toy import toy_found
from tests.system.test_error_flag import Table, begun

pytestmark = pytest.mark.usefixtures("undrawn")


@dataclass(frozen=True)
class Plan:
    """Orders that are each legal alone. fails: those that can't be carried out next to the others.

    before: emails that bring the game to that point; good: the lines of a correct email; why: words of the
    reason.
    """

    name: str
    kind: str
    orders: tuple[str, ...]
    fails: tuple[str, ...]
    why: str
    good: tuple[str, ...]
    seat: str = ""
    options: tuple[tuple[str, str], ...] = ()
    before: int = 0

    def __str__(self) -> str:
        return self.name


def settlers(name: str, *orders: str, fails: tuple[str, ...], why: str, good: tuple[str, ...]) -> Plan:
    """A plan of the settlers in the first turn: Exodusters bring four cubes and move two groups."""
    given = ("play Exodusters", *orders)
    return Plan(name, "plains-indian-wars", given, fails, why, good, seat="US", before=1)


PLANS = (
    settlers(
        "a fifth cube",
        "place 2 Brown STL",
        "place 3 Brown SAC",
        fails=("place 3 Brown SAC",),
        why="Only 2 more can be placed",
        good=("play Exodusters", "place 2 Brown STL", "place 2 Brown SAC"),
    ),
    settlers(
        "a plan of six lines",
        "place 2 Brown STL",
        "place 3 Brown SAC",
        "move 2 Brown STL - N5",
        "move 2 Brown SAC - N1",
        "lose Blue then Brown then Purple",
        fails=("place 3 Brown SAC",),
        why="Only 2 more can be placed",
        good=("play Exodusters", "place 2 Brown STL", "place 2 Brown SAC"),
    ),
    settlers(
        "cubes that went another way",
        "move 2 Brown STL - N5",
        "move 3 Brown STL - S5",
        fails=("move 3 Brown STL - S5",),
        why="",
        good=("play Exodusters", "move 2 Brown STL - N5", "move 1 Brown STL - S5"),
    ),
    settlers(
        "cubes that are placed elsewhere",
        "place 4 Brown SAC",
        "move 6 Brown STL - N5",
        fails=("move 6 Brown STL - N5",),
        why="",
        good=("play Exodusters", "place 4 Brown SAC", "move 3 Brown STL - N5"),
    ),
    Plan(
        "more War Parties than the card brings",
        "plains-indian-wars",
        ("play Rain-in-the-Face", "place 3 Green N1", "place 1 Green N2", "move 2 Green N2 - N1"),
        ("place 1 Green N2",),
        "No more can be placed",
        ("play Rain-in-the-Face", "place 2 Green N1", "place 1 Green N2"),
        seat="Nations",
        options=(("scenario", "2.1"),),
    ),
    Plan(
        "a war party that is not there",
        "plains-indian-wars",
        ("play Rain-in-the-Face", "move 2 Green N6 - N7", "move 1 Green N8 - N9"),
        ("move 2 Green N6 - N7",),
        "South Pass (N6) has only 1 Green",
        ("play Rain-in-the-Face", "move 1 Green N6 - N7", "move 1 Green N8 - N9"),
        seat="Nations",
        options=(("scenario", "2.1"),),
    ),
    Plan(
        "SP handed over where nothing moves",
        "boer-war",
        ("PASS", "TRANSFER WHI MUR 1"),
        ("TRANSFER WHI MUR 1",),
        "Transfers need a MOVE, RAIL or TREK in the same email",
        ("PASS",),
        seat="Empire",
    ),
    Plan(
        "a card that nothing links",
        "great-war",
        ("ATTACK 1ST: B-KS + B-JC",),
        ("ATTACK 1ST: B-KS + B-JC",),
        "B-JC",
        ("ATTACK 1ST: B-KS",),
    ),
    Plan(
        "two cards that nothing links",
        "great-war",
        ("TURNS 10", "ATTACK 1ST: B-9H + B-JC + R-5C"),
        ("ATTACK 1ST: B-9H + B-JC + R-5C",),
        "B-JC",
        ("ATTACK 1ST: B-9H",),
    ),
    Plan(
        "a Joker that is spent twice",
        "great-war",
        ("CANCEL BEST WITH B-JK2 1ST", "ATTACK 1ST: B-KS + B-JK2"),
        ("ATTACK 1ST: B-KS + B-JK2",),
        "B-JK2",
        ("ATTACK 1ST: B-KS + B-JK2 AS WILD",),
    ),
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """A service."""
    with toy_found(), local_service(tmp_path) as found:
        yield found


@pytest.fixture(params=PLANS, ids=str)
def plan(request: pytest.FixtureRequest) -> Plan:
    """Each plan."""
    return request.param  # type: ignore[no-any-return]


def at(place: LocalService, plan: Plan) -> Table:
    """The game of a plan, brought to its point."""
    table = begun(place, plan.kind, plan.seat, **dict(plan.options))
    for _ in range(plan.before):
        table.say(*table.sheet)
    return table


def is_marked(order: str, reply: str) -> bool:
    """Return whether a saved order is marked as impossible."""
    mark = re.escape(sentence("reports.transcript.saved_left_out"))
    listed = rf"✗ (Combat Round \d: )?{re.escape(order)} \({mark}\)"
    return re.search(listed, reply.replace("| ", "")) is not None


def test_the_line_that_fails_is_marked_in_its_reply(place: LocalService, plan: Plan) -> None:
    table = at(place, plan)
    before = table.turns
    reply = table.say(*plan.orders)
    assert table.turns == before
    bad = len(plan.fails)
    counts = sentence("reports.transcript.counts", problems=bad, taken=len(plan.orders) - bad)
    assert f"{counts}." in reply
    for order in plan.orders:
        outcome = sentence(
            "reports.transcript.left_out" if order in plan.fails else "reports.transcript.in_force",
            said=order,
        )
        assert f"> {order} {'✗' if order in plan.fails else '✓'} {outcome}" in reply
    for order in plan.fails:
        assert is_marked(order, reply)
    assert plan.why in reply


def test_so_it_is_in_every_later_reply_with_what_to_do(place: LocalService, plan: Plan) -> None:
    table = at(place, plan)
    before = table.turns
    table.say(*plan.orders)
    wait = sentence("reports.transcript.rests_left_out", count=len(plan.fails))
    for letter in (("STATUS",), ("Good morning!",), ("BROADCAST", "Good morning.", "ENDPRESS"), ("HELP",)):
        reply = table.say(*letter)
        for order in plan.fails:
            assert is_marked(order, reply), letter
        assert plan.why in reply
        assert wait in reply
    assert table.turns == before


def test_status_a_reminder_and_the_gamesmaster_name_it(place: LocalService, plan: Plan) -> None:
    table = at(place, plan)
    table.say(*plan.orders)
    named = sentence("inbound.queries.left_out", lines=list(plan.fails))
    assert named in table.say("STATUS")
    position = game_admin.position_of(place.service, "solo")
    waited = tuple(sentence("reports.transcript.missing_left_out", line=order) for order in plan.fails)
    assert lookup.missing_orders(position)[table.seat] == waited
    assert position.deadline is not None
    table.wait(position.deadline - place.clock.now() - HOUR)
    reminder = " ".join(text_of(table.letters[-1]).split())
    assert waited[0] in reminder


def test_a_better_line_ends_it(place: LocalService, plan: Plan) -> None:
    table = at(place, plan)
    before = table.turns
    table.say(*plan.orders)
    table.say("CLEAR", *plan.good)
    assert table.turns > before


def test_ready_runs_the_turn_as_far_as_it_goes(place: LocalService, plan: Plan) -> None:
    table = at(place, plan)
    before = table.turns
    table.say(*plan.orders)
    table.say("READY")
    assert table.turns > before
    assert set(plan.orders) <= set(table.played)


def test_a_line_of_an_earlier_letter_that_fails_now_is_marked_in_the_list(place: LocalService) -> None:
    """The card comes last, and gives fewer cubes than were placed before it."""
    table = begun(place, "plains-indian-wars", seat="US")
    table.say(*table.sheet)
    assert "✗" not in table.say("place 3 Brown SAC", "place 2 Brown STL")
    before = table.turns
    reply = table.say("play Exodusters")
    assert "1 to fix, 1 accepted." in reply
    assert "> play Exodusters ✓" in reply
    assert is_marked("place 2 Brown STL", reply)
    assert "Only 1 more can be placed." in reply
    assert table.turns == before
    table.say("place 1 Brown STL")
    assert table.turns > before


def test_a_letter_that_says_ready_with_it_has_not_seen_the_mark(place: LocalService) -> None:
    table = begun(place, "great-war")
    assert is_marked("ATTACK 1ST: B-KS + B-JC", table.say("ATTACK 1ST: B-KS + B-JC", "READY"))
    assert table.turns == 0


def test_a_line_that_was_not_taken_is_named_with_its_reason_in_every_later_reply(place: LocalService) -> None:
    """Also in a game without a queue: at the end of the list of saved orders."""
    table = begun(place, "plains-indian-wars", seat="US")
    table.say(*table.sheet)
    reply = table.say("play Exodusters", "move 1 Brown STL - S3")
    assert reply.count("Denver (S3) is out of reach") == 1
    for letter in (("STATUS",), ("HELP",)):
        later = table.say(*letter)
        assert "| ✗ move 1 Brown STL - S3 (to fix) | Not possible: Denver (S3) is out of reach" in later


def test_without_a_clock_the_game_waits_and_says_for_what(place: LocalService) -> None:
    """A game for one person has no clock: only the replies tell the player."""
    request = game_admin.GameRequest("great-war", "solo", {}, {})
    game_admin.new_game(place.service, request, secret=b"the secret of a cairn")
    game_admin.assign(place.service, "solo", "player", "player@example.org")
    place.work()
    table = Table(place, lookup.seat_of(game_admin.position_of(place.service, "solo"), "player"))
    reply = table.say("ATTACK 1ST: B-KS + B-JC")
    assert sentence("reports.transcript.rests_left_out_alone", count=1) in reply
    table.wait(400 * 24 * HOUR)
    assert table.turns == 0
    assert is_marked("ATTACK 1ST: B-KS + B-JC", table.say("STATUS"))


QUEUES = {
    "war-chest": (
        ("deploy Archer on e1", "deploy Archer on b1", "pass with Cavalry"),
        "deploy Archer on b1",
        "Not possible: you have no Archer coin to play. You have: Cavalry.",
        "pass with Cavalry",
    ),
    "boer-war": (
        ("ENTRENCH LAD", "ENTRENCH LAD", "ENTRENCH DUR"),
        "ENTRENCH LAD",
        "",
        "ENTRENCH CPT",
    ),
}


@pytest.mark.parametrize("kind", QUEUES)
def test_in_a_queue_a_line_that_fails_behind_another_is_named_in_every_later_reply(
    place: LocalService, kind: str
) -> None:
    """Coins and actions are played one after the other: what fails by what stands before it waits."""
    orders, bad, why, good = QUEUES[kind]
    options = {"units": "first-game"} if kind == "war-chest" else {}
    table = begun(place, kind, "Empire" if kind == "boer-war" else "", **options)
    before = table.turns
    assert f"✗ {bad} (to fix)" in table.say(*orders)
    for letter in (("STATUS",), ("Good morning!",), ("HELP",)):
        reply = table.say(*letter)
        assert f"✗ {bad} (to fix)" in reply
        assert why in reply
    assert table.turns == before
    table.say(good)
    assert table.turns > before
