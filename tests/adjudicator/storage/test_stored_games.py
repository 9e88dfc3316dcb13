"""Games in the database: created, changed by compare-and-set, and read back."""

import threading
from dataclasses import replace

import pytest

from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.games import FileOrders, FoundedGame, SeatAssignment, SetBot, SetReady, TakeSeat
from adjudicator.model.people import Press, SendPress
from adjudicator.storage import outbox, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import SideEffects
from games.record import canonical, plain
from tests.kit.database_values import BLUE, NOW, RED, heap, new_game, outgoing_letter, played_turns, take


@pytest.fixture
def repository(database):
    """The books of one game, just begun."""
    stored_games.create(database, new_game(), [outgoing_letter("demo/0/welcome/Red")], NOW)
    return DatabaseRepository(database)


def file_orders(database, *orders, turn="T0"):
    act = FileOrders(game="demo", by="red", seat=RED, turn=turn, orders=tuple(plain(o) for o in orders))
    stored_games.perform(database, [act], (), NOW)


def test_what_is_written_is_read_back(repository):
    position, new = repository.position("demo"), new_game()
    assert (position.name, position.kind, position.options) == ("demo", "pebbles", {"pebbles": 10})
    assert (position.state, position.entries, position.rev) == (heap(10), 1, 0)
    assert position.head_sha == new.entry.sha
    assert position.assignments == {assignment.seat: assignment for assignment in new.assignments}
    assert list(position.assignments) == [RED, BLUE]
    assert (position.deadline, position.deadlines, position.early) == (new.deadline, new.deadlines, True)
    assert position.secret == new.secret
    assert "ssss" not in repr(position)
    assert position.is_running


def test_books_list_games_and_seats(database, repository):
    stored_games.create(database, new_game("another"), (), NOW)
    assert repository.games() == ("another", "demo")
    assert repository.seats_of("red@example.org") == (("another", RED), ("demo", RED))
    assert repository.seats_of("nobody@example.org") == ()
    assert repository.position("nothing") is None


@pytest.mark.parametrize("name", ["demo", "Demo", "a.b", "b", "sent", "", "x" * 21, "gm\n"])
def test_a_name_is_refused_when_taken_or_unfit(database, repository, name):
    with pytest.raises(Refusal):
        stored_games.create(database, new_game(name), [outgoing_letter("other")], NOW)
    assert repository.games() == ("demo",)
    assert len(outbox.list_posted(database)) == 1


def test_of_two_games_of_one_name_one_is_begun(database):
    outcomes, start = [], threading.Barrier(3)

    def begin(number):
        start.wait()
        try:
            stored_games.create(database, new_game("same"), [outgoing_letter(f"w{number}")], NOW)
            outcomes.append("begun")
        except Refusal:
            outcomes.append("refused")
        database.close()

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["begun", "refused", "refused"]
    assert len(outbox.list_posted(database)) == 1


def test_a_turn_is_committed_with_its_reports(database, repository):
    file_orders(database, take(1), take(2))
    stored_games.perform(database, [SetReady(game="demo", by="red", seat=RED, ready=True)], (), NOW)
    before = repository.position("demo")
    turn = played_turns(before, left=[take(2)], silent=("Red",), turns=2)
    stored_games.commit(database, before, turn, SideEffects(NOW, [outgoing_letter()]))
    after = repository.position("demo")
    assert (after.state, after.entries, after.rev) == (heap(8, 2), 3, before.rev + 1)
    assert (after.filed, after.deadline) == ({RED: (take(2),)}, NOW + 7_200_000)
    assert after.head_sha == turn.steps[-1].entry.sha
    assert after.assignments[RED] == SeatAssignment(seat=RED, address="red@example.org", missed=2)
    assert after.assignments[BLUE].missed == 0
    assert [entry.number for entry, _ in stored_games.log(database, "demo")] == [0, 1, 2]
    assert stored_games.log(database, "demo")[1:] == tuple(
        (step.entry, canonical(step.after)) for step in turn.steps
    )
    assert [letter.key for letter in outbox.claim(database, NOW)] == [
        "demo/0/welcome/Red",
        "demo/1/report/Red",
    ]


def test_a_turn_played_from_old_books_is_thrown_away(database, repository):
    before = repository.position("demo")
    file_orders(database, take(3))
    with pytest.raises(WriteConflict):
        stored_games.commit(database, before, played_turns(before), SideEffects(NOW, [outgoing_letter()]))
    after = repository.position("demo")
    assert (after.state, after.entries, after.filed) == (heap(10), 1, {RED: (take(3),)})
    assert len(stored_games.log(database, "demo")) == 1
    assert [posted.sealed.key for posted in outbox.list_posted(database)] == ["demo/0/welcome/Red"]


def test_orders_for_a_turn_that_is_over_are_not_filed(database, repository):
    before = repository.position("demo")
    stored_games.commit(database, before, played_turns(before), SideEffects(NOW))
    with pytest.raises(WriteConflict):
        file_orders(database, take(1))
    file_orders(database, take(1), turn="T1")
    assert repository.position("demo").filed == {RED: (take(1),)}


def test_a_game_ends(database, repository):
    before = repository.position("demo")
    stored_games.commit(database, before, played_turns(before, result=True), SideEffects(NOW))
    after = repository.position("demo")
    assert (after.status, after.deadline, after.is_running) == ("finished", None, False)
    assert stored_games.running_names(database) == ()
    with pytest.raises(WriteConflict):
        file_orders(database, take(1), turn="T1")


def test_running_games_come_by_deadline(database, repository):
    stored_games.create(database, new_game("later", deadline=NOW + 9_000_000), (), NOW)
    stored_games.create(database, new_game("never", deadline=None), (), NOW)
    stored_games.create(database, new_game("soon", deadline=NOW), (), NOW)
    stored_games.create(database, new_game("open", status="open"), (), NOW)
    assert stored_games.running_names(database) == ("soon", "demo", "later", "never")


def test_of_two_who_play_the_same_turn_one_is_overtaken(database, repository):
    position = repository.position("demo")
    outcomes = []
    start = threading.Barrier(4)

    def commit(worker):
        start.wait()
        try:
            stored_games.commit(
                database,
                position,
                played_turns(position),
                SideEffects(NOW, [outgoing_letter(f"w{worker}")]),
            )
            outcomes.append("committed")
        except WriteConflict:
            outcomes.append("overtaken")
        database.close()

    threads = [threading.Thread(target=commit, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["committed", "overtaken", "overtaken", "overtaken"]
    assert repository.position("demo").entries == 2
    assert len(outbox.list_posted(database)) == 2


def test_a_game_that_is_not_there_cannot_be_committed(database, repository):
    before = replace(repository.position("demo"), name="none")
    with pytest.raises(WriteConflict):
        stored_games.commit(database, before, played_turns(before), SideEffects(NOW))
    assert stored_games.log(database, "none") == ()


def test_the_bot_of_a_seat_is_kept_whoever_sits_there(database, repository):
    bot = SetBot(game="demo", by="gm", seat=BLUE, level="hard", temper="drawn")
    stored_games.perform(database, [bot], [], NOW)
    rev = repository.position("demo").rev
    stored_games.perform(
        database, [TakeSeat(game="demo", by="gm", seat=BLUE, address="blue@example.org")], [], NOW
    )
    stored_games.perform(database, [TakeSeat(game="demo", by="gm", seat=BLUE, address=None)], [], NOW)
    assignment = repository.position("demo").assignments[BLUE]
    assert (assignment.bot, assignment.temper, assignment.is_person) == ("hard", "drawn", False)
    stored_games.perform(database, [SetBot(game="demo", by="gm", seat=BLUE, level="easy")], [], NOW)
    assignment = repository.position("demo").assignments[BLUE]
    assert (assignment.bot, assignment.temper) == ("easy", None)
    assert repository.position("demo").rev > rev, "a turn that is being played is played again"


def test_what_a_player_has_begun_and_plays(database, repository):
    """Not finished games, games that the player left, or games that others started."""
    red, oak = "red@example.org", "oak@example.org"
    assignments = (SeatAssignment(seat=RED, address=red), SeatAssignment(seat=BLUE, bot="hard"))
    left = (SeatAssignment(seat=RED, address=oak), SeatAssignment(seat=BLUE))
    for name, founder, seats in (
        ("y", red, assignments),
        ("x", red, assignments),
        ("z", oak, assignments),
        ("w", red, left),
    ):
        stored_games.create(database, new_game(name, founder=founder, assignments=seats), (), NOW)
    assert repository.founded_games(red) == tuple(
        FoundedGame(game=name, kind="pebbles", bots=("hard",)) for name in "xy"
    )
    before = repository.position("x")
    stored_games.commit(database, before, played_turns(before, result=True), SideEffects(NOW))
    assert [one.game for one in repository.founded_games(red)] == ["y"]
    assert repository.founded_games(oak) == ()


def test_what_is_said_in_a_turn_that_begins_is_written_with_it(database, repository):
    position = repository.position("demo")
    press = Press(turn="T1", seat=BLUE, kind="white", to=(RED,), text="propose truce", at=NOW)
    said = SendPress(game="demo", by="Blue", press=press, key="demo/press/1")
    later = replace(position, rev=position.rev + 1)
    with pytest.raises(WriteConflict):
        stored_games.commit(database, later, played_turns(position), SideEffects(NOW, [], [said]))
    assert repository.people.press("demo") == ()
    stored_games.commit(database, position, played_turns(position), SideEffects(NOW, [], [said]))
    assert [one.text for one in repository.people.press("demo")] == ["propose truce"]


def test_seats_are_assigned_with_their_welcome(database, repository):
    act = TakeSeat(game="demo", by="gm", seat=BLUE, address="blue@example.org")
    stored_games.perform(
        database, [act], [outgoing_letter("demo/0/welcome/Blue", to="blue@example.org")], NOW
    )
    assert repository.seats_of("blue@example.org") == (("demo", BLUE),)
    assert outbox.claim(database, NOW)[-1].to == "blue@example.org"
    with pytest.raises(Refusal, match="Green"):
        stored_games.perform(
            database,
            [TakeSeat(game="demo", by="gm", seat="Green", address=None)],
            [outgoing_letter("no")],
            NOW,
        )
    assert len(outbox.list_posted(database)) == 2
