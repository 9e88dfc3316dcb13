"""Copies of a player's email: each reader can read the reply address in it, so it is replaced."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.config.channels import Channel
from adjudicator.messages import sentence
from adjudicator.model.addresses import reply_address
from adjudicator.model.mail import Receipt
from adjudicator.model.orders_on_file import write_item
from adjudicator.model.people import QUESTION, GamePolicy, SetCustoms
from adjudicator.storage import inbox, outbox, stored_games
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.outbox import OutboxLetter
from games.language import join_list
from games.protocol import Seat
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service
from tests.kit.mail import header, letter
from tests.kit.token_search import find_tokens, texts_of
from tests.system.test_reply_token_secrecy import drawings, generation, latest, token_of, two_games, watched

ORDER = "Mohawk - Delaware"
STRANGER, WATCHER, CLUB = "friend@example.com", "watcher@example.com", "club@lists.example.com"
PHONE = "dakota.phone@example.info"
"""Another address of the other player, of which nobody knows that it is theirs."""

ALL = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")
"""The headers that the provider of the Iroquois signs."""

HOUR, DAY = 3_600_000, 86_400_000
VOUCHED = {
    "Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net; "
    f"spf=pass smtp.mailfrom={IROQUOIS}"
}


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    with drawings():
        yield


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service of two games, in both of which the same two people play."""
    with attacked_service(Path(shutil.copytree(two_games.folder(), tmp_path / "service"))) as one:
        yield one


def text_of(it: AttackedService, shown: ShownLetter) -> str:
    """The text of what is written to the Iroquois because of an email."""
    (answer,) = [one for one in it.answers(shown) if one.sealed.to == IROQUOIS]
    return " ".join(it.text(answer).split())


def replaced(*addresses: str) -> str:
    """Return what players are told about their replaced reply addresses."""
    return " ".join(sentence("reports.seats.copied", seat="Iroquois", addresses=join_list(addresses)).split())


def warned(it: AttackedService, *addresses: str, game: str = "demo") -> str:
    """Return what players are told about a copy to strangers, once a game."""
    told = sentence(
        "reports.seats.copied_to_stranger", addresses=join_list(addresses), reply=it.reply(game=game)
    )
    return " ".join(told.split())


def mark_all_sent(it: AttackedService) -> None:
    """All that was written so far is sent."""
    now = it.clock.now()
    while claimed := outbox.claim(it.service.database, now):
        for one in claimed:
            outbox.begin(it.service.database, one.key, now)
        outbox.settle(it.service.database, [Receipt(key=one.key, outcome="sent") for one in claimed], now)


def read_saved_orders(it: AttackedService) -> list[str]:
    """The orders of the Iroquois on file, as they are written."""
    position = it.position()
    items = position.filed.get(Seat("Iroquois"), ())
    return [write_item(position.game, item) for item in items]


def questions(it: AttackedService) -> list[OutboxLetter]:
    """The emails that asked something back, the last first."""
    posted = outbox.list_posted(it.service.database, 500)
    return [one for one in posted if one.sealed.key.startswith(QUESTION)]


# How the token shows to those who get a copy.


def in_reply_address(it: AttackedService) -> dict[str, str]:
    return {"To": it.reply()}


def in_subject(it: AttackedService) -> dict[str, str]:
    return {"Subject": f"Re: {it.ours(IROQUOIS)['Subject']}"}


def in_reply_to(it: AttackedService) -> dict[str, str]:
    return {"In-Reply-To": str(it.ours(IROQUOIS)["Message-ID"])}


def in_references(it: AttackedService) -> dict[str, str]:
    return {"References": f"<a@b.example> {it.ours(IROQUOIS)['Message-ID']}"}


Shows = Callable[[AttackedService], dict[str, str]]
SHOWS: tuple[Shows, ...] = (
    in_reply_address,
    in_subject,
    in_reply_to,
    in_references,
)


@pytest.mark.parametrize("shows", SHOWS)
@pytest.mark.parametrize("field", ["To", "Cc"])
def test_an_opponent_who_gets_a_copy_cannot_use_it(it: AttackedService, shows: Shows, field: str) -> None:
    """The orders count, the token is replaced, and its holder learns it in the reply."""
    old, headers = it.reply(), shows(it)
    headers[field] = f"{headers.get(field, 'gm@example.org')}, The Dakota <{DAKOTA}>"
    shown = it.arrives(letter(f"{ORDER}\nREADY", headers=headers))
    assert shown.disposition == "read"
    assert "Iroquois" in it.filed()
    assert it.position().assignments[Seat("Iroquois")].ready
    assert generation(it) == 2
    assert generation(it, "Dakota") == generation(it, game="beaver") == 1
    assert replaced(DAKOTA) in text_of(it, shown)
    before = it.filed()
    for number, sender in enumerate((PHONE, DAKOTA, IROQUOIS), 2):
        it.arrives(letter("CLEAR", sender=sender, to=old, number=number))
    assert it.filed() == before
    it.arrives(letter("CLEAR", to=it.reply(), number=9))
    assert it.filed() == {}


def test_a_copy_to_an_observer_counts_as_well(it: AttackedService) -> None:
    watched(it)
    shown = it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": WATCHER}))
    assert generation(it) == 2
    assert replaced(WATCHER) in text_of(it, shown)


@pytest.mark.parametrize("place", ["the list of its thread", "a channel"])
def test_a_copy_to_a_list_of_the_game_counts_as_well(it: AttackedService, place: str) -> None:
    if place == "a channel":
        service_context = replace(it.service.service_context, channels=(Channel(CLUB, "text", name="club"),))
        it.service = replace(it.service, service_context=service_context)
    else:
        customs = SetCustoms(by="gm", game="demo", customs=GamePolicy(forum=CLUB))
        stored_games.perform(it.service.database, [customs], (), it.clock.now())
    shown = it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": CLUB}))
    assert generation(it) == 2
    assert replaced(CLUB) in text_of(it, shown)


def test_another_spelling_of_an_opponents_address_is_theirs_too(it: AttackedService) -> None:
    """Capitals and a suffix reach the same mailbox."""
    it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": "Dakota+Games@Example.COM"}))
    assert generation(it) == 2


def test_the_orders_under_a_token_of_an_earlier_turn_are_late_and_it_is_replaced(it: AttackedService) -> None:
    """Tokens of earlier turns speak for the seat still."""
    old = it.reply()
    it.arrives(letter("READY", to=old, number=1))
    it.arrives(letter("READY", sender=DAKOTA, to=it.reply("dakota"), number=2))
    assert it.position().entries == 2, "the turn was played"
    it.arrives(letter("PRESS TO Dakota\nhello\nENDPRESS", to=old, headers={"Cc": DAKOTA}, number=3))
    assert generation(it) == 2


def test_whatever_shows_the_token_is_enough(it: AttackedService) -> None:
    """In the quotation below an email that is authenticated by its sender's address alone."""
    text = f"{ORDER}\n\n> Reply-To: {it.reply()}\n"
    subject = "[demo S1M Iroquois] orders"
    it.arrives(letter(text, subject=subject, headers={"Cc": DAKOTA, **VOUCHED}))
    assert "Iroquois" in it.filed()
    assert generation(it) == 2


def test_an_email_that_is_not_read_shows_it_too(it: AttackedService) -> None:
    """It came through a mailing list and waits for the GM. The holder gets an email of its own."""
    headers = {"Cc": DAKOTA, "List-Id": "<friends.example.com>"}
    shown = it.arrives(letter(ORDER, to=it.reply(), headers=headers))
    assert shown.disposition == "quarantined"
    assert generation(it) == 2
    assert sentence("inbound.leaked_tokens.copied") in " ".join(
        " ".join(texts_of(latest(it, IROQUOIS))).split()
    )


def test_an_email_too_large_to_be_read_shows_it_too(it: AttackedService) -> None:
    """Its header is all that is opened."""
    text = "Mohawk - Delaware\n" * 60_000
    shown = it.arrives(letter(text, to=it.reply(), headers={"Cc": DAKOTA}))
    assert shown.disposition == "quarantined"
    assert generation(it) == 2


def test_a_robots_copy_is_answered_by_nothing(it: AttackedService) -> None:
    """Otherwise two programs could write to each other forever."""
    written = len(it.written())
    it.arrives(letter("away", to=it.reply(), headers={"Cc": DAKOTA, "Auto-Submitted": "auto-replied"}))
    assert generation(it) == 1
    assert len(it.written()) == written


def test_in_press_and_in_a_copy_it_is_replaced_once(it: AttackedService) -> None:
    old = it.reply()
    it.arrives(letter(f"PRESS TO Dakota\n{old}\nENDPRESS\n{ORDER}", to=old, headers={"Cc": DAKOTA}))
    assert generation(it) == 2
    assert "Iroquois" in it.filed()


def test_beyond_the_replies_of_an_hour_its_holder_is_told_all_the_same(it: AttackedService) -> None:
    for number in range(it.service.service_context.answers_an_hour + 2):
        it.arrives(letter("STATUS", to=it.reply(), number=number))
    it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": DAKOTA}, number=99))
    assert generation(it) == 2
    assert token_of(header(latest(it, IROQUOIS), "Reply-To")) == token_of(it.reply())


def test_both_games_whose_tokens_show_have_new_ones(it: AttackedService) -> None:
    """A player may quote an email of one game in a reply to another."""
    text = f"{ORDER}\n\n> Reply-To: {it.reply(game='beaver')}\n"
    it.arrives(letter(text, to=it.reply(), headers={"Cc": DAKOTA}))
    assert generation(it) == generation(it, game="beaver") == 2


# Honest emails.


def honest(it: AttackedService) -> Mapping[str, Mapping[str, str]]:
    """Copies that show nobody else the token, by what they are."""
    bare, other = "gm@example.org", it.reply("dakota")
    return {
        "to us alone": {},
        "to our address as well": {"Cc": bare},
        "to the player's own address": {"Cc": f"Me <{IROQUOIS}>"},
        "to the player's own address with a suffix": {"Cc": IROQUOIS.replace("@", "+sent@")},
        "as Bcc of an email to an opponent": {
            "To": DAKOTA,
            "Delivered-To": it.reply(),
            "Subject": "as I said",
        },
        "forwarded by the player's provider": {"Delivered-To": DAKOTA, "X-Forwarded-To": DAKOTA},
        "with an opponent's name as a name": {"To": f'"{DAKOTA}" <{it.reply()}>'},
        "to a group without members": {"Cc": "undisclosed-recipients:;"},
        "to an alias of ours": {
            "To": f"{it.reply()}, games@club.example",
            "X-Original-To": "games@club.example",
        },
        "to another reply address of ours": {"Cc": reply_address(bare, "elk", Seat("Fox"), token_of(other))},
    }


@pytest.mark.parametrize("name", [
    "to us alone",
    "to our address as well",
    "to the player's own address",
    "to the player's own address with a suffix",
    "as Bcc of an email to an opponent",
    "forwarded by the player's provider",
    "with an opponent's name as a name",
    "to a group without members",
    "to an alias of ours",
    "to another reply address of ours",
])  # fmt: skip
def test_an_honest_copy_changes_nothing(it: AttackedService, name: str) -> None:
    """The orders stand, the token stays good, and nothing is said about it."""
    to, headers = it.reply(), dict(honest(it)[name])
    shown = it.arrives(letter(ORDER, to=to, headers=headers))
    assert "Iroquois" in it.filed(), name
    assert generation(it) == 1
    assert "copy of your email" not in text_of(it, shown)


def test_an_email_without_a_token_may_be_copied_to_anybody(it: AttackedService) -> None:
    """It's authenticated by its sender's address, which opens nothing to those who read it."""
    headers = {"Cc": f"{DAKOTA}, {STRANGER}", **VOUCHED}
    shown = it.arrives(letter(ORDER, subject="[demo S1M Iroquois] orders", headers=headers))
    assert "Iroquois" in it.filed()
    assert generation(it) == 1
    assert "copy of your email" not in text_of(it, shown)


def test_a_void_token_in_a_copy_changes_nothing(it: AttackedService) -> None:
    """Only a token that is good can be replaced."""
    old = it.reply()
    seats.rekey(it.service, "demo", "Iroquois", "lost")
    it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": f"{old}, {STRANGER}"}))
    assert generation(it) == 2


# A stranger's address.


def test_a_strangers_copy_is_mentioned_once_a_game(it: AttackedService) -> None:
    """With the copy's address and the reply address in it; the token stays valid."""
    shown = it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": STRANGER}))
    assert warned(it, STRANGER) in text_of(it, shown)
    assert generation(it) == 1
    again = it.arrives(letter("Mohawk H", to=it.reply(), headers={"Cc": STRANGER}, number=2))
    assert warned(it, STRANGER) not in text_of(it, again)
    other = letter(ORDER, to=it.reply(game="beaver"), headers={"Cc": STRANGER}, number=3)
    assert warned(it, STRANGER, game="beaver") in text_of(it, it.arrives(other))


def test_the_next_player_of_the_seat_is_told_too(it: AttackedService) -> None:
    it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": STRANGER}))
    seats.replace_player(it.service, "demo", "Iroquois", "new@example.net", "as agreed")
    to = header(latest(it, "new@example.net"), "Reply-To")
    shown = it.arrives(letter(ORDER, sender="new@example.net", to=to, headers={"Cc": STRANGER}, number=2))
    (answer,) = it.answers(shown)
    told = sentence("reports.seats.copied_to_stranger", addresses=STRANGER, reply=to)
    assert " ".join(told.split()) in " ".join(it.text(answer).split())


def test_an_anonymous_game_does_not_tell_who_plays(it: AttackedService) -> None:
    """The result is the same for any Cc, so nobody can try addresses."""
    customs = SetCustoms(by="gm", game="demo", customs=GamePolicy(anonymous=True))
    stored_games.perform(it.service.database, [customs], (), it.clock.now())
    for number, address in enumerate((DAKOTA, STRANGER), 1):
        shown = it.arrives(letter(ORDER, to=it.reply(), headers={"Cc": address}, number=number))
        assert replaced(address) in text_of(it, shown)
        assert generation(it) == number + 1


# Emails under the old token that were on their way.


def copied(it: AttackedService) -> str:
    """The Iroquois copy an email to the Dakota. Returns the reply address that is replaced by it."""
    old = it.reply()
    it.arrives(letter("STATUS", to=old, headers={"Cc": DAKOTA}, number=1))
    assert generation(it) == 2
    return old


def ask_back(it: AttackedService, raw: bytes) -> tuple[ShownLetter, str, str]:
    """An email that is asked back: how it is filed, the question and where to answer it."""
    shown = it.arrives(raw)
    (question,) = it.answers(shown)
    assert question.sealed.to == IROQUOIS
    return shown, " ".join(it.text(question).split()), header(question.sealed.raw, "Reply-To")


def yes(it: AttackedService, text: str = "YES", number: int = 50) -> ShownLetter:
    """The Iroquois answer the last question."""
    question = questions(it)[0]
    quoted = "".join(f"> {line}\n" for line in it.text(question).splitlines())
    headers = {"In-Reply-To": header(question.sealed.raw, "Message-ID")}
    to = header(question.sealed.raw, "Reply-To")
    return it.arrives(
        letter(f"{text}\n\nOn Monday we wrote:\n{quoted}", to=to, headers=headers, number=number)
    )


def test_an_email_that_was_on_its_way_is_asked_back(it: AttackedService) -> None:
    """It waits: its lines are shown at the seat's own address, and YES carries them out."""
    old = copied(it)
    shown, question, to = ask_back(it, letter(f"{ORDER}\nREADY", to=old, number=2))
    assert (shown.disposition, shown.game, shown.seat) == ("quarantined", "demo", "Iroquois")
    assert shown.why == sentence("inbound.confirmations.asked", is_replaced=True)
    told = (sentence("inbound.confirmations.question_if_sent"), sentence("inbound.confirmations.replaced"))
    assert all(" ".join(one.split()) in question for one in told)
    assert f"| {ORDER} (read as W MHK - DEL) | READY" in question
    assert to.startswith("gm+you."), "it names that email"
    assert it.filed() == {}
    answered = yes(it)
    assert answered.disposition == "read"
    assert read_saved_orders(it) == ["W MHK - DEL"]
    assert it.position().assignments[Seat("Iroquois")].ready
    first = inbox.show(it.service.database, shown.number)
    assert first is not None
    assert (first.disposition, first.seat) == ("read", "Iroquois")


def test_two_replies_to_one_report_both_count(it: AttackedService) -> None:
    """The first is copied to an opponent; the second was written before anything came back."""
    old = it.reply()
    it.arrives(letter("Mohawk H", to=old, headers={"Cc": DAKOTA}, number=1))
    ask_back(it, letter("Seneca H", to=old, number=2))
    yes(it)
    assert len(it.filed()["Iroquois"]) == 2


@pytest.mark.parametrize("sender", [PHONE, DAKOTA, STRANGER])
def test_nobody_else_is_asked(it: AttackedService, sender: str) -> None:
    """The old token from another address does nothing, and the seat's player isn't bothered."""
    old, written = copied(it), len(it.written())
    it.arrives(letter("CLEAR", sender=sender, to=old, number=2))
    assert questions(it) == []
    assert len(it.written()) - written <= 1


def test_a_yes_from_somebody_else_counts_for_nothing(it: AttackedService) -> None:
    """The old address alone isn't enough for a YES, also not in the player's name."""
    old = copied(it)
    _, _, to = ask_back(it, letter(ORDER, to=old, number=2))
    for number, sender in enumerate((IROQUOIS, PHONE, DAKOTA), 3):
        it.arrives(letter("YES", sender=sender, to=old, number=number))
    for number, sender in enumerate((PHONE, DAKOTA), 6):
        it.arrives(letter("YES", sender=sender, to=to, number=number))
    assert it.filed() == {}


def test_an_email_after_the_notice_was_sent_is_quarantined(it: AttackedService) -> None:
    """Its writer has the new address by then, and gets it again."""
    old = copied(it)
    mark_all_sent(it)
    shown = it.arrives(letter(ORDER, to=old, number=2))
    assert shown.disposition == "quarantined"
    (told,) = it.answers(shown)
    assert told.sealed.to == IROQUOIS
    assert token_of(header(told.sealed.raw, "Reply-To")) == token_of(it.reply())


def test_a_question_about_a_turn_that_is_over_comes_to_nothing(it: AttackedService) -> None:
    """YES counts for that turn alone."""
    old = copied(it)
    ask_back(it, letter(ORDER, to=old, number=2))
    game_admin.play_now(it.service, "demo")
    shown = yes(it)
    assert it.filed() == {}
    late = sentence("inbound.confirmations.too_late")
    assert " ".join(late.split()) in text_of(it, shown)


def test_for_lateness_the_arrival_of_the_first_email_counts(it: AttackedService) -> None:
    """It came before the deadline, and the YES within the grace period."""
    old = copied(it)
    position = it.position()
    assert position.deadline is not None
    minute = stored_games.Minute(game="demo", at=it.clock.now(), by="gm", what="soon")
    soon = replace(position, deadline=it.clock.now() + 10_000)
    stored_games.change(it.service.database, position, soon, minute, stored_games.SideEffects(it.clock.now()))
    ask_back(it, letter(ORDER, to=old, number=2))
    it.clock.advance(20_000)
    shown = yes(it)
    assert "Iroquois" in it.filed()
    assert " ".join(sentence("inbound.filing.counted_late").split()) not in text_of(it, shown)


def test_a_yes_counts_once(it: AttackedService) -> None:
    """Press of the first email is sent once, and the second YES gets an explanation."""
    old = copied(it)
    ask_back(it, letter("PRESS TO Dakota\nhello there\nENDPRESS", to=old, number=2))
    yes(it)
    again = yes(it, number=51)
    assert " ".join(sentence("inbound.confirmations.dealt_with").split()) in text_of(it, again)
    heard = [one for one in outbox.list_posted(it.service.database, 500) if "/press/" in one.sealed.key]
    assert len(heard) == 1


def test_anything_but_yes_is_read_as_ever(it: AttackedService) -> None:
    """Other orders in the reply count, and the first email's do not."""
    old = copied(it)
    ask_back(it, letter(ORDER, to=old, number=2))
    yes(it, "Seneca H")
    assert read_saved_orders(it) == ["W SEN H"]


def test_six_questions_a_day_are_enough(it: AttackedService) -> None:
    """So nobody with an invalid token can have the player asked forever."""
    old = copied(it)
    for number in range(10):
        it.arrives(letter(ORDER, to=old, number=10 + number))
    assert len(questions(it)) == 6


def test_an_email_is_asked_about_once_whatever_blanks_are_added(it: AttackedService) -> None:
    old = copied(it)
    raw = letter(ORDER, to=old, number=2)
    ask_back(it, raw)
    again = it.arrives(raw.replace(b"Delaware\r\n", b"Delaware \r\n"))
    assert (again.why, it.answers(again)) == (sentence("inbound.confirmations.asked_already"), ())


def test_both_sorts_of_questions_are_six_a_day_together(it: AttackedService) -> None:
    """Emails that may not have been meant for us, and emails under the old address."""
    old = copied(it)
    for number in range(5):
        text, written = f"SIGNON demo Iroquois\n{ORDER}", it.clock.now() - HOUR
        raw = letter(text, to=DAKOTA, date=written, number=10 + number)
        it.arrives(NET.signed(raw, ALL))
    for number in range(3):
        it.arrives(letter(ORDER, to=old, number=20 + number))
    assert len(questions(it)) == 6
    last = inbox.list_letters(it.service.database, 1)[0]
    assert last.why == sentence("inbound.confirmations.asked_enough", most=6)


def test_a_no_drops_the_email(it: AttackedService) -> None:
    old = copied(it)
    ask_back(it, letter(ORDER, to=old, number=2))
    declined = " ".join(sentence("inbound.confirmations.declined").split())
    assert declined in text_of(it, yes(it, "No."))
    yes(it, number=51)
    assert it.filed() == {}


def test_other_words_are_asked_back(it: AttackedService) -> None:
    old = copied(it)
    ask_back(it, letter(ORDER, to=old, number=2))
    shown = yes(it, "What is this?")
    assert " ".join(sentence("inbound.confirmations.yes_or_no").split()) in text_of(it, shown)
    assert it.filed() == {}


def test_orders_under_an_old_address_of_a_turn_that_is_over_are_late_after_a_yes_too(
    it: AttackedService,
) -> None:
    """Its press goes out; the question says which lines are late."""
    old = copied(it)
    game_admin.play_now(it.service, "demo")
    text = f"{ORDER}\nPRESS TO Dakota\nhello there\nENDPRESS"
    _, question, _ = ask_back(it, letter(text, to=old, number=2))
    late = sentence("inbound.confirmations.late_line", line=ORDER, turn="S1M")
    assert f"| {' '.join(late.split())}" in question
    yes(it)
    assert it.filed() == {}
    sent = [one for one in outbox.list_posted(it.service.database, 500) if "/press/" in one.sealed.key]
    assert [one.sealed.to for one in sent if "hello there" in it.text(one)] == [DAKOTA]


def test_nobody_is_asked_about_late_orders_alone(it: AttackedService) -> None:
    """Its player is sent the good address instead."""
    old = copied(it)
    game_admin.play_now(it.service, "demo")
    shown = it.arrives(letter(ORDER, to=old, number=2))
    assert (shown.disposition, shown.why) == ("quarantined", sentence("inbound.unknown_senders.void_address"))
    assert questions(it) == []


@pytest.mark.parametrize("headers", [{}, VOUCHED], ids=["not authenticated", "authenticated"])
def test_where_two_ways_have_to_agree_a_yes_is_one(it: AttackedService, headers: dict[str, str]) -> None:
    """Access to the player's mailbox alone isn't enough for orders then."""
    old = copied(it)
    it.service = replace(it.service, service_context=replace(it.service.service_context, strict=True))
    it.arrives(letter(ORDER, to=old, headers=headers, number=2))
    assert len(questions(it)) == bool(headers)
    if headers:
        yes(it)
    assert list(it.filed()) == (["Iroquois"] if headers else [])


def test_nothing_behind_signoff_is_asked_about(it: AttackedService) -> None:
    old = copied(it)
    _, question, _ = ask_back(it, letter(f"{ORDER}\nSIGNOFF\nSeneca H", to=old, number=2))
    assert "Seneca" not in question
    assert "SIGNOFF" not in question
    yes(it)
    assert read_saved_orders(it) == ["W MHK - DEL"]


def test_an_email_of_more_than_a_day_ago_is_not_asked_back(it: AttackedService) -> None:
    """It lay in the mailbox of a service that was down."""
    old = copied(it)
    raw = letter(ORDER, to=old, number=2)
    it.service.receive(raw)
    it.clock.advance(DAY + HOUR)
    it.service.process()
    assert questions(it) == []


@pytest.mark.parametrize("subject", ["[demo S1M Iroquois #{}] orders", "PASSWORD three-canoes"])
def test_the_question_shows_no_password_and_no_old_token(it: AttackedService, subject: str) -> None:
    """The content of the first email isn't passed on."""
    old = copied(it)
    text, subject = f"{ORDER}\nmine is {old}\nPASSWORD three-canoes", subject.format(token_of(old))
    _, question, _ = ask_back(it, letter(text, to=old, subject=subject, number=2))
    assert "three-canoes" not in question
    assert find_tokens([token_of(old)], question) == set()


def test_an_email_with_a_question_in_it_is_asked_back_too(it: AttackedService) -> None:
    """HELP in it is no reason to drop its orders."""
    old = copied(it)
    _, question, _ = ask_back(it, letter(f"{ORDER}\nHELP", to=old, number=2))
    assert ORDER in question
    yes(it)
    assert "Iroquois" in it.filed()
