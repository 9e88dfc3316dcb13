"""Outgoing emails: claimed by one worker, settled by receipt, and never written twice."""

import threading

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import LetterDraft, Receipt
from adjudicator.storage import attachments, outbox, stored_games
from adjudicator.storage.queries import DatabaseRepository
from games.record import replace_fields
from tests.kit.database_values import NOW, RED, new_game, outgoing_letter

MINUTE = 60_000


@pytest.fixture
def outbox_email(database):
    """A game, and one letter to Red in the outbox."""
    stored_games.create(database, new_game(), [outgoing_letter()], NOW)
    return outgoing_letter()


def state(database, letter):
    """Return the state of the email."""
    return outbox.find(database, letter.message_id)


def settle(database, letter, outcome, now=NOW, **fields):
    outbox.settle(database, [Receipt(key=letter.key, outcome=outcome, **fields)], now)
    return state(database, letter)


def trouble(database):
    return DatabaseRepository(database).position("demo").assignments[RED].trouble


def test_a_second_letter_of_the_same_key_is_never_sent(database, outbox_email):
    outbox.put(database, [replace_fields(outbox_email, raw=b"other"), outgoing_letter("new")], NOW)
    assert [letter.raw for letter in outbox.claim(database, NOW)] == [
        outbox_email.raw,
        outgoing_letter("new").raw,
    ]


def test_a_withdrawn_email_is_not_sent_unless_a_sender_has_it_already(database):
    """No other email is touched."""
    replies = [outgoing_letter(f"letter/{number}/verdict") for number in (1, 2)]
    outbox.put(database, replies, NOW, letter=None)
    outbox.withdraw(database, [replies[0].key])
    assert outbox.claim(database, NOW) == (replies[1],)
    outbox.withdraw(database, [replies[1].key])
    left = state(database, replies[1])
    assert left is not None
    assert left.state == "ready"


def test_a_claimed_letter_is_in_one_hand_only(database, outbox_email):
    assert outbox.claim(database, NOW) == (outbox_email,)
    assert outbox.claim(database, NOW) == ()
    assert state(database, outbox_email).state == "ready"
    assert outbox.begin(database, outbox_email.key, NOW)
    assert state(database, outbox_email).state == "sending"
    assert outbox.claim(database, NOW + outbox.SEND_LEASE_MS) == ()


def test_a_game_of_many_seats_holds_up_no_small_one(database, outbox_email):
    """Thirty-four reports of one turn, and behind them those of two games of seven."""
    for name, seats in (("chaos", 34), ("elm", 7), ("oak", 7)):
        stored_games.create(database, new_game(name), [], NOW)
        reports = [replace_fields(outgoing_letter(f"{name}/{seat}"), game=name) for seat in range(seats)]
        outbox.put(database, reports, NOW)
    keys = [letter.key for letter in outbox.claim(database, NOW, limit=22)]
    assert keys[1:] == [f"{name}/{seat}" for name in ("chaos", "elm", "oak") for seat in range(7)]
    rest = [letter.key for letter in outbox.claim(database, NOW)]
    assert rest == [f"chaos/{seat}" for seat in range(7, 34)], "and it is not forgotten"


def test_of_many_senders_each_letter_has_one(database, outbox_email):
    outbox.put(database, [outgoing_letter(f"k{number}") for number in range(39)], NOW)
    claimed, start = [], threading.Barrier(4)

    def claim():
        start.wait()
        while letters := outbox.claim(database, NOW, limit=3):
            claimed.extend(letter.key for letter in letters)
        database.close()

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 40


def test_a_letter_that_was_sent_stays_sent(database, outbox_email):
    outbox.claim(database, NOW)
    assert settle(database, outbox_email, "sent", NOW + 3).state == "sent"
    assert settle(database, outbox_email, "refused").state == "sent"
    assert state(database, outbox_email).settled == NOW + 3
    assert outbox.recover(database, NOW, at_start=True) == 0


def test_waits_grow_with_the_attempts(database, outbox_email):
    waits, now = [], NOW
    for _ in range(7):
        assert outbox.claim(database, now) == (outbox_email,)
        after = settle(database, outbox_email, "later", now, why="451 greylisted")
        waits.append((after.not_before - now) // MINUTE)
        assert outbox.claim(database, after.not_before - 1) == ()
        now = after.not_before
    assert waits == [1, 5, 15, 60, 240, 240, 240]
    assert state(database, outbox_email).why == "451 greylisted"
    assert trouble(database) is None


def test_a_receipt_may_name_the_time(database, outbox_email):
    outbox.claim(database, NOW)
    assert settle(database, outbox_email, "later", retry_at=NOW + 42).not_before == NOW + 42


def test_after_three_days_a_letter_has_failed(database, outbox_email):
    last = NOW + 3 * 24 * 60 * MINUTE
    outbox.claim(database, last - 1)
    assert settle(database, outbox_email, "later", last - 1, why="451 no").state == "ready"
    outbox.claim(database, last + MINUTE)
    assert settle(database, outbox_email, "later", last + MINUTE, why="451 no").state == "failed"
    assert trouble(database) == "451 no"


def test_a_refusal_is_noted_at_the_seat_until_a_letter_arrives(database, outbox_email):
    outbox.claim(database, NOW)
    assert settle(database, outbox_email, "refused", why="550 no such user").state == "failed"
    assert trouble(database) == "550 no such user"
    outbox.put(database, [outgoing_letter("next")], NOW)
    outbox.claim(database, NOW)
    settle(database, outgoing_letter("next"), "sent")
    assert trouble(database) is None


def test_trouble_of_an_address_that_left_is_not_the_seats(database, outbox_email):
    old = outgoing_letter("old", to="former@example.org")
    outbox.put(database, [old], NOW)
    outbox.claim(database, NOW)
    settle(database, old, "refused", why="550")
    assert trouble(database) is None


def test_a_held_letter_has_not_been_tried(database, outbox_email):
    """A server that accepts no connections is no reason to give up an email."""
    now = NOW + 30 * 24 * 60 * MINUTE
    outbox.claim(database, now)
    held = settle(database, outbox_email, "held", now, why="535 bad password")
    assert (held.state, held.attempts, held.not_before) == ("ready", 0, now + MINUTE)


def test_an_unknown_receipt_does_nothing(database, outbox_email):
    outbox.settle(database, [Receipt(key="unheard-of", outcome="sent")], NOW)
    assert outbox.counts(database) == {"ready": 1, "sending": 0, "sent": 0, "failed": 0, "unsure": 0}


def test_letters_not_yet_on_the_wire_are_free_when_their_sender_died(database, outbox_email):
    outbox.claim(database, NOW, lease_ms=1000)
    assert outbox.recover(database, NOW + 999) == 0
    assert outbox.claim(database, NOW + 999) == ()
    assert outbox.recover(database, NOW + 1000) == 0
    assert outbox.claim(database, NOW + 1000) == (outbox_email,)
    assert outbox.recover(database, NOW + 1001, at_start=True) == 0
    assert outbox.claim(database, NOW + 1001) == (outbox_email,)


def on_the_wire(database, letter, now=NOW):
    """The letter is being sent, and its sender dies; then somebody starts again."""
    assert outbox.claim(database, now) == (letter,)
    assert outbox.begin(database, letter.key, now)
    assert outbox.recover(database, now, wait=MINUTE, at_start=True) == 1
    assert outbox.unsure(database, now + MINUTE - 1) == ()
    (posted,) = outbox.unsure(database, now + MINUTE)
    return posted


def test_a_letter_that_was_on_the_wire_is_unsure(database, outbox_email):
    doubtful = on_the_wire(database, outbox_email)
    assert (doubtful.sealed, doubtful.state) == (outbox_email, "unsure")
    assert outbox.claim(database, NOW + MINUTE) == ()


def test_a_letter_goes_on_the_wire_once_and_only_while_it_is_in_hand(database, outbox_email):
    outbox.put(database, [outgoing_letter("next")], NOW)
    assert not outbox.begin(database, outbox_email.key, NOW)
    outbox.claim(database, NOW, lease_ms=1000)
    assert outbox.begin(database, outbox_email.key, NOW)
    assert not outbox.begin(database, outbox_email.key, NOW)
    assert not outbox.begin(database, "next", NOW + 1000)


def test_the_copy_shows_that_it_was_taken(database, outbox_email):
    doubtful = on_the_wire(database, outbox_email)
    outbox.clear_up(database, doubtful.number, "taken", NOW + MINUTE)
    after = state(database, outbox_email)
    assert (after.state, after.settled, after.why) == ("sent", NOW + MINUTE, None)


def test_without_a_copy_the_same_bytes_go_out_again(database, outbox_email):
    for attempt in (1, 2, 3):
        now = NOW + attempt * 10 * MINUTE
        doubtful = on_the_wire(database, outbox_email, now)
        outbox.clear_up(database, doubtful.number, "again", now + MINUTE)
        assert (state(database, outbox_email).state, state(database, outbox_email).attempts) == (
            "ready",
            attempt,
        )
    assert outbox.claim(database, now + MINUTE) == (outbox_email,)


def test_where_nobody_can_know_a_letter_goes_out_once_more_and_says_so(database, outbox_email):
    outbox.clear_up(database, on_the_wire(database, outbox_email).number, "marked", NOW + MINUTE)
    marked = replace_fields(outbox_email, raw=outbox.REPEATED + outbox_email.raw)
    doubtful = on_the_wire(database, marked, NOW + MINUTE)
    outbox.clear_up(database, doubtful.number, "marked", NOW + 2 * MINUTE)
    failed = state(database, outbox_email)
    assert (failed.state, failed.sealed) == ("failed", marked)
    assert outbox.claim(database, NOW + 99 * MINUTE) == ()


def test_an_unsure_receipt_waits_for_its_copy(database, outbox_email):
    outbox.claim(database, NOW)
    outbox.begin(database, outbox_email.key, NOW)
    outbox.settle(
        database, [Receipt(key=outbox_email.key, outcome="unsure", why="timeout")], NOW, wait=MINUTE
    )
    after = state(database, outbox_email)
    assert (after.state, after.attempts, after.why) == ("unsure", 1, "timeout")
    assert outbox.unsure(database, NOW + MINUTE - 1) == ()
    assert outbox.unsure(database, NOW + MINUTE) == (after,)


def test_a_letter_that_is_cleared_up_is_left_alone(database, outbox_email):
    doubtful = on_the_wire(database, outbox_email)
    outbox.clear_up(database, doubtful.number, "taken", NOW)
    outbox.clear_up(database, doubtful.number, "again", NOW)
    assert state(database, outbox_email).state == "sent"


@pytest.mark.parametrize("before", ["ready", "sending", "unsure", "failed"])
def test_a_letter_of_ours_that_comes_back_has_gone_out(database, outbox_email, before):
    if before != "ready":
        outbox.claim(database, NOW)
        outbox.begin(database, outbox_email.key, NOW)
    if before == "unsure":
        outbox.recover(database, NOW, at_start=True)
    if before == "failed":
        settle(database, outbox_email, "refused", why="550")
    assert state(database, outbox_email).state == before
    ids = ["", "<theirs@example.org>", outbox_email.message_id]
    assert outbox.confirm(database, ids, NOW + 5) == {outbox_email.message_id}
    after = state(database, outbox_email)
    assert (after.state, after.settled) == ("sent", NOW + 5)
    assert outbox.confirm(database, ids, NOW + 6) == {outbox_email.message_id}
    assert state(database, outbox_email) == after
    assert settle(database, outbox_email, "unsure") == after


def test_a_failure_is_untold_until_a_notice_of_it_is_written(database, outbox_email):
    outbox.put(database, [outgoing_letter("next")], NOW)
    assert outbox.untold(database, "gm@example.org") == ()
    settle(database, outbox_email, "refused", why="550 no")
    (failed,) = outbox.untold(database, "gm@example.org")
    assert (failed.sealed, failed.why) == (outbox_email, "550 no")
    assert outbox.untold(database, own=outbox_email.to) == (), "to himself"
    outbox.put(database, [outgoing_letter(outbox.notice_key(failed.number))], NOW)
    assert outbox.untold(database, "gm@example.org") == ()


def test_whether_a_copy_went_with_a_letter_is_noted_each_time(database, outbox_email):
    outbox.claim(database, NOW)
    outbox.begin(database, outbox_email.key, NOW, copied=True)
    assert state(database, outbox_email).copied
    settle(database, outbox_email, "later", retry_at=NOW)
    outbox.claim(database, NOW)
    outbox.begin(database, outbox_email.key, NOW)
    assert not state(database, outbox_email).copied


def test_letters_are_listed_by_state(database, outbox_email):
    outbox.put(database, [outgoing_letter("next")], NOW)
    outbox.claim(database, NOW, limit=1)
    outbox.begin(database, outbox_email.key, NOW)
    assert [one.sealed.key for one in outbox.list_posted(database)] == ["next", outbox_email.key]
    assert [one.sealed for one in outbox.list_posted(database, states=("sending",))] == [outbox_email]
    assert outbox.find(database, "<unknown@x>") is None


def test_our_letters_are_known_again(database, outbox_email):
    """By Message-ID: whether it is ours, its order sheet, and the thread of a seat."""
    text = "News.\n\nOrder sheet, change it and send it back:\n\nW SNT - MEN\nW ONE H\n\n-- \nGM\n"
    outgoing = LetterDraft(
        key="demo/2/report/Red", to="red@example.org", subject="x", text=text, game="demo", seat=RED
    )
    report = encode_letter(
        outgoing, key=b"k", service_address="gm@service.example", service_name="Turnpost", now=NOW
    )
    outbox.put(database, [report], NOW)
    repository = DatabaseRepository(database)
    assert repository.is_ours(report.message_id)
    assert repository.is_ours(f" {report.message_id}\n")
    assert repository.sheet(report.message_id) == ("W SNT - MEN", "W ONE H")
    assert not repository.is_ours("<theirs@example.org>")
    assert repository.sheet("<theirs@example.org>") is None
    assert repository.thread("demo", RED) == (outbox_email.message_id, report.message_id)
    assert repository.thread("demo", "Blue") == ()
    assert repository.sheets_sent("demo", RED, NOW) == (("W SNT - MEN", "W ONE H"),)
    assert repository.sheets_sent("demo", RED, NOW + 1) == repository.sheets_sent("demo", "Blue", NOW) == ()


def test_who_lost_a_letter_to_another_does_not_begin_it(database, outbox_email):
    """The worker was stopped for longer than its lease, so its data is out of date."""
    outbox.claim(database, NOW, lease_ms=1000, worker="one")
    (taken,) = outbox.claim(database, NOW + 1000, worker="two")
    assert taken == outbox_email
    assert not outbox.begin(database, outbox_email.key, NOW + 1001, worker="one")
    assert outbox.begin(database, outbox_email.key, NOW + 1001, worker="two")
    outbox.settle(
        database, [Receipt(key=outbox_email.key, outcome="held", why="x")], NOW + 1002, worker="one"
    )
    assert state(database, outbox_email).state == "sending"
    outbox.settle(database, [Receipt(key=outbox_email.key, outcome="sent")], NOW + 1002, worker="two")
    assert state(database, outbox_email).state == "sent"


def test_letters_in_the_hands_of_the_dead_are_free_or_unsure(database, outbox_email):
    outbox.put(database, [outgoing_letter("next")], NOW)
    outbox.claim(database, NOW, worker="one")
    outbox.begin(database, outbox_email.key, NOW, worker="one")
    outbox.lapse(database, ["two"])
    assert outbox.recover(database, NOW) == 0
    outbox.lapse(database, ["one"])
    assert outbox.recover(database, NOW) == 1
    assert [one.key for one in outbox.claim(database, NOW, worker="two")] == ["next"]


def test_a_large_game_holds_up_no_small_ones(database):
    """A game of 34 seats and two of seven, whose turns end together in that order."""
    reports = [("large", 34), ("one", 7), ("two", 7)]
    letters = [
        replace_fields(outgoing_letter(f"{game}/{seat}"), game=game)
        for game, count in reports
        for seat in range(count)
    ]
    outbox.put(database, letters, NOW)
    gone = [one.game for one in outbox.claim(database, NOW, limit=48)]
    assert gone[:21] == ["large"] * 7 + ["one"] * 7 + ["two"] * 7
    assert gone[21:] == ["large"] * 27


def test_what_the_database_made_a_sender_leave_is_found_by_himself(database, outbox_email):
    """The sender is alive, so nobody takes over its emails; its lease is long."""
    outbox.put(database, [outgoing_letter("next")], NOW)
    outbox.claim(database, NOW, worker="one")
    outbox.begin(database, outbox_email.key, NOW, worker="one")
    assert outbox.recover(database, NOW, worker="two") == 0
    assert outbox.claim(database, NOW, worker="two") == ()
    assert outbox.recover(database, NOW, worker="one") == 1
    assert [one.key for one in outbox.claim(database, NOW, worker="two")] == ["next"]
    assert state(database, outbox_email).state == "unsure"


def test_what_another_is_sending_is_nothing_to_do_until_he_does_not_come_back(database, outbox_email):
    def is_quiet(now, worker):
        return outbox.is_quiet(database, "gm@example.org", now, worker)

    assert not is_quiet(NOW, "two"), "it may go"
    outbox.claim(database, NOW, worker="one")
    outbox.begin(database, outbox_email.key, NOW, worker="one")
    assert is_quiet(NOW, "two")
    assert not is_quiet(NOW, "one"), "he has left it lying"
    assert not is_quiet(NOW + outbox.SEND_LEASE_MS, "two")


def test_letters_are_joined_when_others_may_claim_again(database, outbox_email, monkeypatch):
    """That takes far longer than to claim them; one that is lost has failed all the same."""
    joined = []

    def whole(_, kept):
        joined.append(database._library.in_transaction())
        raise attachments.LetterPartLost("the file is gone")

    monkeypatch.setattr(attachments, "join_letter", whole)
    assert outbox.claim(database, NOW, worker="one") == ()
    assert joined == [False]
    assert (state(database, outbox_email).state, state(database, outbox_email).why) == (
        "failed",
        "the file is gone",
    )


def test_what_is_put_off_is_counted_without_a_letter_being_read(database, outbox_email, monkeypatch):
    assert outbox.put_off(database) is None
    outbox.put(database, [outgoing_letter(f"k{number}") for number in range(60)], NOW)
    held = [Receipt(key=letter.key, outcome="held", why="busy") for letter in outbox.claim(database, NOW, 70)]
    outbox.settle(database, held[:-1], NOW)
    monkeypatch.setattr(outbox, "_letter_of_row", None)
    assert outbox.put_off(database) == outbox.PutOff(count=60, why="busy")
    assert outbox.put_off(database, ("unsure",)) is None
    assert outbox.put_off(database, created_by=NOW - 1) is None
