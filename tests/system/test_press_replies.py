"""Replies to press: filled into its two lines, or confirmed by a YES. Grey press stays without names."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.messages import sentence
from adjudicator.model.people import Press
from games.protocol import Seat
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

FRANCE, GERMANY, ITALY = "france@example.org", "germany@example.org", "italy@example.org"
PEOPLE = {"France": FRANCE, "Germany": GERMANY, "Italy": ITALY}
FRAME = re.compile(r"^PRESS TO .+$", re.MULTILINE)
WRITER = sentence("inbound.press_replies.its_writer")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A game of three people, with signed press and unsigned."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as it:
        request = game_admin.GameRequest("standard", "fox", level="beginner")
        game_admin.new_game(it.service, request, secret=b"p" * 32)
        for seat, address in PEOPLE.items():
            game_admin.assign(it.service, "fox", seat, address)
        it.work()
        # France's welcome could name no deadline: its correction comes two minutes after the last seat.
        it.clock.advance(3 * 60_000)
        it.work()
        yield it


def writes(
    place: LocalService, address: str, text: str, to: EmailMessage | None = None, **headers: str
) -> None:
    """Answer one's newest email, or another."""
    place.clock.advance(60_000)
    if headers:
        newest = to or place.mail(address)[-1]
        place.write(address, str(newest["Reply-To"]), text, f"Re: {newest['Subject']}", **headers)
    else:
        place.answer(address, to or place.mail(address)[-1], text)
    place.work()


def newest(place: LocalService, address: str) -> EmailMessage:
    """The newest email to somebody."""
    return place.mail(address)[-1]


def words(letter: EmailMessage) -> str:
    """Return the text on one line."""
    return " ".join(text_of(letter).split())


def said(place: LocalService) -> list[Press]:
    """All press of the game, oldest first."""
    return [
        one for one in place.service.repository.people.press("fox") if one.seat in PEOPLE or one.seat is None
    ]


def presses(
    place: LocalService, text: str = "Shall we share Belgium?", line: str = "PRESS TO Germany"
) -> EmailMessage:
    """France writes to Germany; the email that Germany gets."""
    writes(place, FRANCE, f"{line}\n{text}\nENDPRESS")
    letter = newest(place, GERMANY)
    assert text in text_of(letter)
    return letter


def question(hearer: str) -> str:
    """The subject of the question, without its tag."""
    return sentence("inbound.press_replies.send_this_subject", hearer=hearer)


# What press carries.


def test_press_carries_the_two_lines_to_fill_in(place: LocalService) -> None:
    letter = presses(place)
    assert "\nPRESS TO France\n\nENDPRESS\n" in text_of(letter)


@pytest.mark.parametrize("text", ["Gladly.", "Gladly.\n\nYours,\nGermany", "A Mun - Bur would hurt you."])
def test_what_is_filled_in_is_sent_at_once(place: LocalService, text: str) -> None:
    presses(place)
    writes(place, GERMANY, f"PRESS TO France\n{text}\nENDPRESS")
    assert (said(place)[-1].seat, said(place)[-1].to, said(place)[-1].text) == ("Germany", ("France",), text)
    assert text.splitlines()[0] in text_of(newest(place, FRANCE))


def unsent(reply: str) -> list[str]:
    """The beginnings of sentences in a reply that say that a text was not sent."""
    told = [
        sentence("inbound.press.no_text").partition(":")[0],
        sentence("inbound.press_replies.not_sent", target="").partition(".")[0],
        sentence("inbound.press_replies.answers_several").partition(".")[0],
    ]
    return [one for one in told if one in reply]


def test_untouched_they_are_no_press(place: LocalService) -> None:
    """Whatever a mail program does to the quotation: orders next to them are read, and nothing is sent."""
    letter = presses(place)
    told = text_of(letter).partition("To answer")
    assert told[1]
    told = "".join(told[1:])
    writes(place, GERMANY, f"A MUN H\nA BER H\nF KIE H\n\n{told}", In_Reply_To=str(letter["Message-ID"]))
    reply = words(newest(place, GERMANY))
    assert "3 accepted." in reply
    assert not unsent(reply)
    assert len(said(place)) == 1


def test_the_frame_of_the_gamesmaster_s_press_writes_to_the_gamesmaster(place: LocalService) -> None:
    seats.write(place.service, "fox", ["Germany"], "Please be quick.")
    place.work()
    assert "\nPRESS TO GM\n\nENDPRESS\n" in text_of(newest(place, GERMANY))


def test_where_no_press_can_be_sent_none_is_offered(place: LocalService) -> None:
    deadlines.set_terms(place.service, "fox", {"press": "none"}, "quiet")
    seats.write(place.service, "fox", [], "Hello.")
    place.work()
    assert FRAME.findall(text_of(newest(place, GERMANY))) == ["PRESS TO GM"], "he can always be written to"


# What is asked.


@pytest.mark.parametrize(
    "text",
    [
        "Yes, let us do that.",
        "Yes!",
        "OK",
        "no thanks, we would rather not",
        "I will think about it.\n\nMore tomorrow.\nYours,\nGermany",
        "Dear France,\n\nwhat about Burgundy?",
        "🙂 agreed",
        "Einverstanden, danke!",
    ],
)
def test_a_reply_with_text_and_no_orders_is_asked(place: LocalService, text: str) -> None:
    letter = presses(place)
    writes(place, GERMANY, text, letter)
    asked = newest(place, GERMANY)
    assert str(asked["Subject"]).startswith(question("France"))
    assert all(f"| {line}".rstrip() in text_of(asked) for line in text.splitlines())
    assert len(said(place)) == 1, "nothing is sent before a yes"
    writes(place, GERMANY, "YES", asked)
    assert (said(place)[-1].seat, said(place)[-1].to, said(place)[-1].text) == ("Germany", ("France",), text)
    assert text.splitlines()[0] in text_of(newest(place, FRANCE))
    assert "Sent to France with your name" in words(newest(place, GERMANY))


@pytest.mark.parametrize("no", ["NO", "no, thanks", "nein"])
def test_a_no_sends_nothing_and_a_later_yes_is_too_late(place: LocalService, no: str) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Perhaps.", letter)
    asked = newest(place, GERMANY)
    writes(place, GERMANY, no, asked)
    assert sentence("inbound.press_replies.declined") in words(newest(place, GERMANY))
    writes(place, GERMANY, "YES", asked)
    assert len(said(place)) == 1


def test_a_yes_counts_once(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Gladly.", letter)
    asked = newest(place, GERMANY)
    for _ in range(2):
        writes(place, GERMANY, "yes", asked)
    assert [one.text for one in said(place)] == ["Shall we share Belgium?", "Gladly."]


def test_the_yes_to_one_question_is_no_yes_to_another(place: LocalService) -> None:
    first = presses(place)
    writes(place, ITALY, "PRESS TO Germany\nLeave Tyrolia alone.\nENDPRESS")
    second = newest(place, GERMANY)
    questions = []
    for letter, text in ((first, "Gladly."), (second, "Never.")):
        writes(place, GERMANY, text, letter)
        questions.append(newest(place, GERMANY))
    writes(place, GERMANY, "YES", questions[1])
    assert [(one.to, one.text) for one in said(place)[2:]] == [(("Italy",), "Never.")]
    writes(place, GERMANY, "YES", questions[0])
    assert [(one.to, one.text) for one in said(place)[3:]] == [(("France",), "Gladly.")]


def test_a_yes_that_answers_no_email_counts_where_one_question_waits(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Gladly.", letter)
    writes(place, GERMANY, "YES", X_Mailer="a form on a page")
    assert said(place)[-1].text == "Gladly."


def test_the_address_of_the_question_tells_which_of_two_a_yes_is_to(place: LocalService) -> None:
    """Also where the mail program names no email that it answers."""
    asked = []
    for text in ("Shall we share Belgium?", "And Holland?"):
        letter = presses(place, text)
        writes(place, GERMANY, f"To {text} gladly", letter)
        asked.append(newest(place, GERMANY))
    writes(place, GERMANY, "YES", asked[0], X_Mailer="a form on a page")
    assert [one.text for one in said(place)[2:]] == ["To Shall we share Belgium? gladly"]


def test_orders_instead_of_a_yes_are_orders(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "I would rather not.", letter)
    writes(place, GERMANY, "A MUN - BUR", newest(place, GERMANY))
    assert "1 accepted." in words(newest(place, GERMANY))
    assert len(said(place)) == 1


def test_an_answer_that_is_neither_yes_nor_no_is_asked_back(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "I would rather not.", letter)
    writes(place, GERMANY, "Tell them that I mean it", newest(place, GERMANY))
    assert sentence("inbound.press_replies.yes_or_no") in words(newest(place, GERMANY))
    writes(place, GERMANY, "yes", newest(place, GERMANY))
    assert said(place)[-1].text == "I would rather not."


@pytest.mark.parametrize("slip", ["A Mun - Moscow", "A Mun - Xanadu"])
def test_an_order_with_a_slip_is_no_press(place: LocalService, slip: str) -> None:
    letter = presses(place)
    writes(place, GERMANY, slip, letter)
    assert "1 to fix." in words(newest(place, GERMANY))


def test_a_yes_sends_the_text_and_gives_none_of_the_orders_it_speaks_of(place: LocalService) -> None:
    letter = presses(place)
    text = "Will you be cross?\nA Mun - Bur would hurt you."
    writes(place, GERMANY, text, letter)
    asked = newest(place, GERMANY)
    assert str(asked["Subject"]).startswith(question("France"))
    writes(place, GERMANY, "YES", asked)
    assert said(place)[-1].text == text
    position = place.service.repository.position("fox")
    assert position is not None
    assert not position.filed.get(Seat("Germany"))


def test_a_reply_to_several_pieces_of_press_is_told_how_to_answer_each(place: LocalService) -> None:
    for number in range(8):
        writes(place, FRANCE, f"PRESS TO Germany\nNumber {number}\nENDPRESS")
    place.clock.advance(HOUR)
    place.work()
    letter = newest(place, GERMANY)
    assert "Number 7" in text_of(letter)
    assert FRAME.findall(text_of(letter)) == ["PRESS TO France"]
    writes(place, GERMANY, "Which of all this?", letter)
    assert sentence("inbound.press_replies.answers_several") in words(newest(place, GERMANY))
    writes(place, GERMANY, "PRESS TO France\n\nENDPRESS\nA MUN H", letter)
    assert "1 accepted." in words(newest(place, GERMANY))
    assert not unsent(words(newest(place, GERMANY)))


def test_orders_in_the_reply_are_orders_and_nothing_is_asked(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Agreed, dear France.\nA MUN - BUR", letter)
    reply = newest(place, GERMANY)
    assert "1 accepted." in words(reply)
    assert not str(reply["Subject"]).startswith(question("France"))


def test_a_reply_that_lost_its_thread_is_known_by_its_subject(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Gladly.", letter, X_Mailer="a form on a page")
    assert str(newest(place, GERMANY)["Subject"]).startswith(question("France"))


def test_a_reply_to_a_broadcast_goes_to_its_writer_alone(place: LocalService) -> None:
    writes(place, FRANCE, "BROADCAST\nPeace to all!\nENDPRESS")
    writes(place, GERMANY, "And to you.", newest(place, GERMANY))
    writes(place, GERMANY, "YES")
    assert (said(place)[-1].to, said(place)[-1].text) == (("France",), "And to you.")


def test_a_reply_to_the_gamesmaster_reaches_the_gamesmaster(place: LocalService) -> None:
    seats.write(place.service, "fox", ["Germany"], "Please be quick.")
    place.work()
    writes(place, GERMANY, "I am on holiday.", newest(place, GERMANY))
    assert str(newest(place, GERMANY)["Subject"]).startswith(
        question(sentence("inbound.press_replies.the_gamesmaster"))
    )
    writes(place, GERMANY, "YES")
    assert (said(place)[-1].to, said(place)[-1].text) == (("gm",), "I am on holiday.")


def test_nobody_else_says_yes(place: LocalService) -> None:
    """Neither another seat, nor the seat's next player."""
    letter = presses(place)
    writes(place, GERMANY, "Gladly.", letter)
    asked = newest(place, GERMANY)
    writes(place, ITALY, "YES", In_Reply_To=str(asked["Message-ID"]))
    seats.replace_player(place.service, "fox", "Germany", "bremen@example.org", "he left")
    place.work()
    writes(place, "bremen@example.org", "YES", In_Reply_To=str(asked["Message-ID"]))
    assert len(said(place)) == 1


def test_a_question_is_forgotten_after_a_week(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Gladly.", letter)
    asked = newest(place, GERMANY)
    place.clock.advance(8 * 24 * HOUR)
    writes(place, GERMANY, "YES", asked)
    assert [one.text for one in said(place) if one.seat == "Germany"] == []


def test_why_press_would_not_be_carried_is_said_at_once(place: LocalService) -> None:
    letter = presses(place)
    writes(place, GERMANY, "Gladly.\n" + "so " * 8000, letter)
    assert sentence("inbound.press.too_long", length=24_007, most=20_000) in words(newest(place, GERMANY))
    assert len(said(place)) == 1


def test_a_yes_without_a_question_says_nothing_of_press(place: LocalService) -> None:
    writes(place, GERMANY, "Yes, hello!")
    assert "no orders found" in str(newest(place, GERMANY)["Subject"])


# Grey press.


def grey(place: LocalService) -> EmailMessage:
    """Unsigned press of France, as Germany gets it."""
    letter = presses(place, "Beware of Italy.", "GREY PRESS TO Germany")
    assert "France" not in text_of(letter)
    return letter


def names_nobody(place: LocalService, since: int) -> None:
    """No email to Germany, of those after so many, names France as a hearer or a writer of press."""
    for letter in place.mail(GERMANY)[since:]:
        told = re.sub(r"\s+", " ", text_of(letter).partition("SPRING 1901")[0])
        assert not re.search(r"(to|from|To|From|Sent to) France", told), told


@pytest.mark.parametrize("kind", ["PRESS", "GREY PRESS", "WHITE PRESS"])
def test_its_frame_answers_its_writer_without_a_name(place: LocalService, kind: str) -> None:
    letter, since = grey(place), len(place.mail(GERMANY)) - 1
    (frame,) = FRAME.findall(text_of(letter))
    writes(place, GERMANY, f"{kind}{frame.removeprefix('PRESS')}\nWho are you?\nENDPRESS", letter)
    assert (said(place)[-1].to, said(place)[-1].text) == (("France",), "Who are you?")
    heard = newest(place, FRANCE)
    assert "Who are you?" in text_of(heard)
    signed = kind == "WHITE PRESS" or kind == "PRESS"
    assert ("from Germany" in str(heard["Subject"])) is signed
    assert WRITER in words(newest(place, GERMANY))
    names_nobody(place, since)


def test_a_reply_to_it_is_asked_and_sent_without_naming_the_writer(place: LocalService) -> None:
    letter, since = grey(place), len(place.mail(GERMANY)) - 1
    writes(place, GERMANY, "Why should I?", letter)
    asked = newest(place, GERMANY)
    assert str(asked["Subject"]).startswith(question(WRITER))
    writes(place, GERMANY, "YES", asked)
    assert (said(place)[-1].to, said(place)[-1].text) == (("France",), "Why should I?")
    assert "Why should I?" in text_of(newest(place, FRANCE))
    names_nobody(place, since)


def test_the_report_of_the_turn_names_nobody_either(place: LocalService) -> None:
    letter, since = grey(place), len(place.mail(GERMANY)) - 1
    writes(place, GERMANY, "Why should I?", letter)
    writes(place, GERMANY, "YES")
    place.clock.advance(200 * HOUR)
    place.work()
    report = next(
        text_of(one)
        for one in place.mail(GERMANY)[since:]
        if "Why should I?" in text_of(one) and "PRESS\n---" in text_of(one)
    )
    assert sentence("reports.press.heading_blind", writer="Germany") in report
    told = report.partition("PRESS\n---")[2].partition("\n\n\n")[0]
    assert "to France" not in told


def test_another_s_mark_reaches_nobody(place: LocalService) -> None:
    """A mark of press that the seat hasn't received, or of none."""
    letter = grey(place)
    (frame,) = FRAME.findall(text_of(letter))
    writes(place, ITALY, f"{frame}\nWho are you?\nENDPRESS")
    writes(place, GERMANY, "PRESS TO WRITER aaaaaaaa\nWho are you?\nENDPRESS")
    assert len(said(place)) == 1
    refused = sentence("inbound.press.no_such_writer")
    assert refused in words(newest(place, GERMANY))
    assert refused in words(newest(place, ITALY))


# Bots.


def test_that_a_bot_has_accepted_stands_in_the_reply(place: LocalService) -> None:
    writes(place, FRANCE, "PRESS TO England\nPropose truce.\nENDPRESS")
    reply = next(one for one in reversed(place.mail(FRANCE)) if str(one["Subject"]).startswith("Re:"))
    assert sentence("inbound.press.accepted", seat="England", matter="truce") in words(reply)


def test_that_it_has_refused_does_too(place: LocalService) -> None:
    writes(place, FRANCE, "PRESS TO England\nPropose attack on Brest.\nENDPRESS")
    reply = next(one for one in reversed(place.mail(FRANCE)) if str(one["Subject"]).startswith("Re:"))
    assert "England" in words(reply)
    assert "accepted" not in words(reply)


def test_a_bot_s_own_press_can_be_answered_by_its_lines(place: LocalService) -> None:
    """And by text alone, which is confirmed first and then reaches the bot."""
    writes(place, FRANCE, "PRESS TO England\nHow are things?\nENDPRESS")
    letter = next(one for one in reversed(place.mail(FRANCE)) if "Press: from England" in str(one["Subject"]))
    assert "\nPRESS TO England\n\nENDPRESS\n" in text_of(letter)
    writes(place, FRANCE, "Propose truce.", letter)
    asked = newest(place, FRANCE)
    assert str(asked["Subject"]).startswith(question("England"))
    writes(place, FRANCE, "YES", asked)
    reply = next(one for one in reversed(place.mail(FRANCE)) if str(one["Subject"]).startswith("Re:"))
    assert sentence("inbound.press.accepted", seat="England", matter="truce") in words(reply)
