"""People in the database: actions are applied on both databases, and read back."""

from typing import get_args

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.model.games import EndGame, TakeSeat
from adjudicator.model.people import (
    NO_GUESSES,
    REQUEST_LIFETIME_MS,
    Absence,
    Answered,
    AnyPersonAction,
    AskBack,
    CastVote,
    DropOffer,
    FillSeat,
    GameOffer,
    GamePolicy,
    Guesses,
    MakeOffer,
    NoteAbsence,
    NoteGuesses,
    NotePerson,
    OfferSeat,
    Person,
    Press,
    Request,
    SendPress,
    SetCustoms,
    SignOut,
    SignUp,
    Signup,
    TakeVoteBack,
    Vote,
    Watch,
)
from adjudicator.storage import people, stored_games
from adjudicator.storage.queries import DatabaseRepository, all_people
from adjudicator.storage.stored_games import SideEffects
from games.protocol import GameResult, Seat
from games.record import replace_fields
from tests.kit.database_values import BLUE, NOW, RED, new_game, played_turns

ELM, OAK = "elm@example.org", "oak@example.org"


@pytest.fixture
def repository(database):
    """The books with one game, of which nobody has said anything yet."""
    stored_games.create(database, new_game(), (), NOW)
    return DatabaseRepository(database)


def do(database, *person_actions):
    """Apply actions, each in its own transaction."""
    for action in person_actions:
        people.apply_action(database, action)


def test_each_kind_of_action_has_a_handler():
    assert set(people.ACTION_HANDLERS) == set(get_args(AnyPersonAction))


def test_somebody_is_known_by_what_he_told_last(database, repository):
    assert repository.people.person(ELM) is None
    for zone in ("Europe/Berlin", "Asia/Tokyo"):
        do(database, NotePerson(by=ELM, person=Person(address=ELM, name="Elm", zone=zone)))
    assert repository.people.person(ELM) == Person(address=ELM, name="Elm", zone="Asia/Tokyo")
    assert [one.address for one in all_people(database)] == [ELM, "red@example.org"]


def test_an_offer_is_made_filled_and_dropped(database, repository):
    offer = GameOffer(name="elk", kind="pebbles", options={"pebbles": 10}, needed=2)
    do(database, MakeOffer(by="gm", offer=offer, at=NOW))
    for since, address in ((NOW + 1, OAK), (NOW, ELM)):
        do(database, SignUp(by=address, signup=Signup(game="elk", address=address, since=since)))
    wish = Signup(game="elk", address=OAK, wishes=(BLUE, RED), since=NOW + 9)
    do(database, SignUp(by=OAK, signup=wish))
    assert repository.people.offers() == (offer,)
    assert repository.people.offer("elk") == offer
    told = [(one.address, one.since, one.wishes) for one in repository.people.signups("elk")]
    assert told == [(ELM, NOW, ()), (OAK, NOW + 1, (BLUE, RED))]
    assert [one.game for one in repository.people.signed_up(OAK)] == ["elk"]
    do(database, SignOut(by=ELM, game="elk", address=ELM))
    assert repository.people.signed_up(ELM) == ()
    assert [one.address for one in repository.people.signups("elk")] == [OAK]
    do(database, DropOffer(by="gm", name="elk"))
    assert (repository.people.offers(), repository.people.signups("elk")) == ((), ())
    assert repository.people.offer("elk") is None


def test_customs_watchers_and_vacancies(database, repository):
    assert repository.people.policy("demo") == GamePolicy()
    customs = GamePolicy(press="grey", reach="neighbours", anonymous=True, draws="none")
    do(database, SetCustoms(by="gm", game="demo", customs=customs))
    assert repository.people.policy("demo") == customs
    do(database, *(Watch(by=one, game="demo", address=one) for one in (OAK, ELM, OAK)))
    assert repository.people.observers("demo") == (ELM, OAK)
    do(database, Watch(by=ELM, game="demo", address=ELM, watches=False))
    assert repository.people.observers("demo") == (OAK,)
    do(
        database,
        OfferSeat(by=RED, game="demo", seat=RED, at=NOW),
        OfferSeat(by="gm", game="demo", seat=RED, at=NOW),
    )
    assert repository.people.vacancies("demo") == (RED,)
    do(database, FillSeat(by=ELM, game="demo", seat=RED, must=True))
    assert repository.people.vacancies("demo") == ()


def test_a_seat_is_filled_once(database, repository):
    """If two ask for it at once, one is too late; a GM can fill it anyway."""
    too_late = False
    try:
        do(database, FillSeat(by=OAK, game="demo", seat=RED, must=True))
    except WriteConflict:
        too_late = True
    assert too_late
    do(database, FillSeat(by="gm", game="demo", seat=RED))


def test_votes_hold_for_their_turn(database, repository):
    turn = repository.turns("demo")[-1]
    do(database, CastVote(by=RED, game="demo", turn=turn, vote=Vote(seat=RED, motion="draw")))
    do(database, CastVote(by=RED, game="demo", turn=turn, vote=Vote(seat=RED, motion="concede", to=BLUE)))
    do(database, CastVote(by=BLUE, game="demo", turn=turn, vote=Vote(seat=BLUE, motion="draw")))
    assert repository.people.votes("demo") == {
        BLUE: Vote(seat=BLUE, motion="draw"),
        RED: Vote(seat=RED, motion="concede", to=BLUE),
    }
    do(database, TakeVoteBack(by=BLUE, game="demo", seat=BLUE))
    assert list(repository.people.votes("demo")) == [RED]
    position = repository.position("demo")
    stored_games.commit(database, position, played_turns(position), SideEffects(NOW))
    assert repository.people.votes("demo") == {}
    with pytest.raises(WriteConflict):
        do(database, CastVote(by=RED, game="demo", turn=turn, vote=Vote(seat=RED, motion="draw")))


def test_whoever_sits_down_has_agreed_to_nothing(database, repository):
    """The new player isn't away either: that was the predecessor."""
    turn = repository.turns("demo")[-1]
    do(
        database,
        CastVote(by=RED, game="demo", turn=turn, vote=Vote(seat=RED, motion="draw")),
        NoteAbsence(by=RED, game="demo", seat=RED, absence=Absence(seat=RED, first=NOW, last=NOW + 1)),
    )
    stored_games.perform(database, [TakeSeat(game="demo", by="gm", seat=RED, address=ELM)], (), NOW)
    assert repository.people.votes("demo") == {}
    assert repository.people.absences("demo") == ()


def test_an_absence_replaces_what_was_said_before(database, repository):
    for first in (NOW, NOW + 50):
        one = Absence(seat=RED, first=first, last=first + 100)
        do(database, NoteAbsence(by=RED, game="demo", seat=RED, absence=one))
    do(
        database,
        NoteAbsence(by=BLUE, game="demo", seat=BLUE, absence=Absence(seat=BLUE, first=NOW, last=NOW + 1)),
    )
    told = [(one.seat, one.first, one.last) for one in repository.people.absences("demo")]
    assert told == [(BLUE, NOW, NOW + 1), (RED, NOW + 50, NOW + 150)]
    do(database, NoteAbsence(by=RED, game="demo", seat=RED, absence=None))
    assert [one.seat for one in repository.people.absences("demo")] == [BLUE]


def test_press_is_kept_once_and_in_order(database, repository):
    whole = Press(turn="T0", seat=RED, kind="white", to=None, text="to all\n\n\0of you", at=NOW)
    secret = Press(turn="T1", seat=None, kind="grey", to=(BLUE,), text="to one", at=NOW + 5)
    for key, press in (("a", whole), ("b", secret), ("a", secret)):
        do(database, SendPress(by=RED, game="demo", press=press, key=key))
    found = repository.people.press("demo")
    assert [(one.seat, one.kind, one.to, one.text) for one in found] == [
        (RED, "white", None, "to all\n\nof you"),
        (None, "grey", (BLUE,), "to one"),
    ]
    assert [one.turn for one in repository.people.press("demo", NOW + 1)] == ["T1"]


def test_what_is_asked_back_waits_for_one_answer(database, repository):
    """Questions wait side by side, each under its mark; asked again, one waits from then. Old ones are
    deleted.
    """
    new = Request(address=ELM, lines=("NEW pebbles",), at=NOW, mark="a")
    join = Request(address=ELM, lines=("JOIN elk", "TIMEZONE UTC"), at=NOW + 1, mark="b")
    for request in (new, join):
        do(database, AskBack(by=ELM, request=request))
    assert repository.people.requests(ELM) == (new, join)
    again = replace_fields(new, at=NOW + 2)
    do(database, AskBack(by=ELM, request=again))
    assert repository.people.requests(ELM) == (join, again)
    do(database, Answered(by=ELM, address=ELM, mark="b"))
    do(database, Answered(by="oak@example.org", address="oak@example.org", mark="a"))
    assert repository.people.requests(ELM) == (again,)
    late = Request(address="oak@example.org", lines=("LIST",), at=NOW + REQUEST_LIFETIME_MS + 3, mark="a")
    do(database, AskBack(by=late.address, request=late))
    assert (repository.people.requests(ELM), repository.people.requests(late.address)) == ((), (late,))


def test_guesses_are_counted_one_after_the_other(database, repository):
    """A count from older data is rejected, at the first guess, at a later one, or at the right one."""
    assert repository.people.guesses("demo", RED) == NO_GUESSES
    one = Guesses(lock="l", misses=1, at=NOW)
    two = Guesses(lock="l", misses=0, rests=1, until=NOW + 10, at=NOW + 1)
    counted = [
        counts(database, *pair)
        for pair in (
            (NO_GUESSES, one),
            (NO_GUESSES, one),
            (one, two),
            (one, two),
            (one, NO_GUESSES),
            (two, two),
        )
    ]
    assert counted == [True, False, True, False, False, True]
    assert repository.people.guesses("demo", RED) == two
    assert repository.people.guesses("demo", BLUE) == NO_GUESSES
    assert counts(database, two, NO_GUESSES)
    assert repository.people.guesses("demo", RED) == NO_GUESSES


def counts(database, before, after):
    """Return whether the result of a guess at Red's password is counted."""
    try:
        do(database, NoteGuesses(by="x", game="demo", seat=RED, before=before, after=after))
    except WriteConflict:
        return False
    return True


def test_two_addresses_of_one_person_become_one(database, repository):
    do(
        database,
        Watch(by=ELM, game="demo", address=ELM),
        Watch(by=ELM, game="demo", address="red@example.org"),
        SignUp(by=ELM, signup=Signup(game="elk", address="red@example.org", since=NOW)),
        NotePerson(by=ELM, person=Person(address="red@example.org", name="Elm")),
    )
    before = repository.position("demo")
    assert people.merge(database, "red@example.org", ELM) == 1
    after = repository.position("demo")
    assert after.assignments[RED].address == ELM
    assert after.assignments[RED].generation == before.assignments[RED].generation + 1
    assert after.rev == before.rev + 1
    assert repository.people.observers("demo") == (ELM,)
    assert [one.address for one in repository.people.signups("elk")] == [ELM]
    assert repository.people.person("red@example.org") is None


def test_an_agreed_end_is_an_entry_of_the_log(database, repository):
    """It rests on the entry before it, and changes no position."""
    result = GameResult(winners=(Seat("Blue"),), reason="all others conceded")
    stored_games.perform(database, [EndGame(game="demo", by=RED, why="agreed", result=result)], (), NOW + 5)
    position = repository.position("demo")
    (opening, _), (last, state) = stored_games.log(database, "demo")
    assert (position.status, position.agreed, position.deadline) == ("finished", result, None)
    assert (last.kind, last.number, last.by, last.at) == (stored_games.END_ENTRY_KIND, 1, RED, NOW + 5)
    assert (last.previous_sha, last.state_sha) == (opening.sha, opening.state_sha)
    assert position.head_sha == last.sha
    assert state == stored_games.log(database, "demo")[0][1]
    with pytest.raises(WriteConflict):
        stored_games.perform(database, [EndGame(game="demo", by=RED, result=result)], (), NOW + 6)


def test_an_end_for_a_turn_that_is_over_is_none(database, repository):
    result = GameResult(winners=(), reason="a draw")
    with pytest.raises(WriteConflict):
        stored_games.perform(database, [EndGame(game="demo", by=RED, result=result, turn="T9")], (), NOW)
    assert repository.position("demo").is_running


def test_what_belongs_to_a_game_goes_with_it(database, repository):
    """Its people are not forgotten."""
    do(
        database,
        Watch(by=ELM, game="demo", address=ELM),
        SetCustoms(by="gm", game="demo", customs=GamePolicy(press="none")),
        NotePerson(by=ELM, person=Person(address=ELM, name="Elm")),
    )
    with database.writing():
        database.run(stored_games.GameRow.delete().where(stored_games.GameRow.name == "demo"))
    assert repository.people.observers("demo") == ()
    assert repository.people.policy("demo") == GamePolicy()
    assert repository.people.person(ELM) is not None
