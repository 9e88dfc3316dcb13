"""Strangers' requests need a confirmation, each by its own email: a yes to one confirms no other."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.clock import DAY
from adjudicator.inbound.unknown_senders import MAX_WISHES_PER_DAY
from adjudicator.messages import sentence
from adjudicator.model.people import GameOffer, MakeOffer
from adjudicator.storage import people
from adjudicator.storage.inbox import ShownLetter
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter
from tests.kit.toy import toy_found

VICTIM = "victim@example.com"
ASKED_BACK = sentence("inbound.unknown_senders.asked")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[AttackedService]:
    """A service with a game that waits for people."""
    with toy_found(), attacked_service(tmp_path) as it:
        offer = GameOffer(name="pile", kind="cairn", options={"turns": 2}, needed=2)
        people.apply_action(it.service.database, MakeOffer(by="gm", offer=offer, at=it.clock.now()))
        yield it


def says(it: AttackedService, text: str, to: str = "gm@example.org", **headers: str) -> ShownLetter:
    """Send an email with the victim's address."""
    return it.arrives(letter(text, sender=VICTIM, to=to, number=it.count, headers=headers))


def find_reply(it: AttackedService, shown: ShownLetter) -> EmailMessage:
    """The one answer to a letter."""
    (posted,) = it.answers(shown)
    return message_from_bytes(posted.sealed.raw, policy=policy.default)


def words(it: AttackedService, shown: ShownLetter) -> str:
    (posted,) = it.answers(shown)
    return " ".join(it.text(posted).split())


def signed_up(it: AttackedService) -> list[str]:
    return [one.address for one in it.service.repository.people.signups("pile")]


def waiting(it: AttackedService) -> list[tuple[str, ...]]:
    return [one.lines for one in it.service.repository.people.requests(VICTIM)]


@pytest.mark.parametrize("first", ["JOIN pile", "NEW cairn chaos"])
def test_the_yes_to_one_request_is_no_yes_to_another(fresh: AttackedService, first: str) -> None:
    """An attacker asks for something else in the victim's name, before she does or after."""
    other = "NEW cairn chaos" if first == "JOIN pile" else "JOIN pile"
    letters = {text: find_reply(fresh, says(fresh, text)) for text in (first, other)}
    assert sorted(waiting(fresh)) == [("JOIN pile",), ("NEW cairn chaos",)]
    says(fresh, "yes", to=str(letters["JOIN pile"]["Reply-To"]))
    assert signed_up(fresh) == [VICTIM]
    assert fresh.service.repository.games() == (), "nobody has said yes to that"
    assert waiting(fresh) == [("NEW cairn chaos",)]
    says(fresh, "", to=str(letters["NEW cairn chaos"]["Reply-To"]))
    assert fresh.service.repository.games() == ("chaos",)


def test_a_yes_to_another_letter_of_ours_confirms_nothing(fresh: AttackedService) -> None:
    """For example to requested help. The reply says which email to answer."""
    help_text = find_reply(fresh, says(fresh, "HELP"))
    assert says(fresh, "NEW cairn chaos").why == ASKED_BACK
    shown = says(fresh, "Thank you!", to=str(help_text["Reply-To"]))
    assert shown.why == sentence("inbound.unknown_senders.yes_to_what")
    assert sentence("inbound.unknown_senders.there_waits") in words(fresh, shown)
    assert fresh.service.repository.games() == ()
    assert waiting(fresh) == [("NEW cairn chaos",)]


def test_a_vouched_address_confirms_nothing_either(fresh: AttackedService) -> None:
    """The signature of the victim's mail server proves the sender of this email, not of the other."""
    says(fresh, "NEW cairn chaos")
    results = f"dmarc=pass header.from=example.com; spf=pass smtp.mailfrom={VICTIM}"
    vouched = {"Authentication-Results": f"mx.example.org; {results}"}
    says(fresh, "Hello, is anybody there?", **vouched)
    assert fresh.service.repository.games() == ()
    says(fresh, "NEW cairn chaos", **vouched)
    assert fresh.service.repository.games() == ("chaos",), (
        "she may write it herself, which settles the other too"
    )
    assert waiting(fresh) == []


def test_a_confirmation_counts_once(fresh: AttackedService) -> None:
    back = str(find_reply(fresh, says(fresh, "NEW cairn"))["Reply-To"])
    says(fresh, "", to=back)
    again = says(fresh, "", to=back)
    assert fresh.service.repository.games() == ("cairn-1",)
    assert (again.disposition, again.why) == ("read", sentence("inbound.unknown_senders.nothing_waits"))
    assert sentence("inbound.unknown_senders.nothing_waits_now") in words(fresh, again)


def test_what_is_written_into_an_answer_counts_and_not_what_it_answers(fresh: AttackedService) -> None:
    """It shows that she wrote it; the other thing waits on."""
    back = str(find_reply(fresh, says(fresh, "NEW cairn chaos"))["Reply-To"])
    says(fresh, "That was not me!\nJOIN pile", to=back)
    assert signed_up(fresh) == [VICTIM]
    assert fresh.service.repository.games() == ()
    assert waiting(fresh) == [("NEW cairn chaos",)]


def test_nobody_else_can_confirm(fresh: AttackedService) -> None:
    """Neither from another address, nor with a computed mark."""
    back = str(find_reply(fresh, says(fresh, "NEW cairn"))["Reply-To"])
    fresh.arrives(letter("", sender="thief@example.com", to=back, number=90))
    own = fresh.arrives(letter("LIST", sender="thief@example.com", number=91))
    mark, token = back.partition("+you.")[2].partition("@")[0].split(".")
    theirs = str(find_reply(fresh, own)["Reply-To"]).replace("+you.", f"+you.{mark}.")
    for sender, to in ((VICTIM, theirs), ("thief@example.com", theirs)):
        fresh.arrives(letter("", sender=sender, to=to, number=fresh.count + 92))
    says(fresh, "", to=back.replace(mark, "a" * 10).replace(token, "a" * 13))
    assert fresh.service.repository.games() == ()


# How many letters go out.


def test_a_question_and_a_wish_are_both_answered(fresh: AttackedService) -> None:
    """HELP, then NEW: wishes are counted apart."""
    assert sentence("inbound.unknown_senders.asked_back") not in words(fresh, says(fresh, "HELP"))
    asked = words(fresh, says(fresh, "NEW cairn"))
    assert "| NEW cairn" in asked
    assert sentence("inbound.unknown_senders.asked_back") in asked


def test_a_letter_goes_out_or_it_is_booked_that_none_does(fresh: AttackedService) -> None:
    """The second wish of a day is asked back like the first; beyond a few it waits for the gamesmaster."""
    for number in range(MAX_WISHES_PER_DAY):
        shown = says(fresh, f"NEW cairn heap{number}")
        assert shown.why == ASKED_BACK
        assert sentence("inbound.unknown_senders.asked_subject", verbs=("NEW",)) in str(
            find_reply(fresh, shown)["Subject"]
        )
    over = says(fresh, "NEW cairn other")
    assert (over.disposition, fresh.answers(over)) == ("quarantined", ())
    assert str(over.why).startswith(sentence("inbound.unknown_senders.not_asked", most="3"))
    assert ("NEW cairn other",) not in waiting(fresh), "nobody can say yes to what he was not asked"
    question = says(fresh, "HELP\nNEW cairn more")
    assert (question.disposition, len(fresh.answers(question))) == ("quarantined", 1)
    fresh.clock.advance(DAY)
    assert says(fresh, "NEW cairn other").why == ASKED_BACK


def test_the_same_wish_is_asked_back_once_a_day(fresh: AttackedService) -> None:
    first = find_reply(fresh, says(fresh, "NEW cairn"))
    again = says(fresh, "NEW cairn")
    assert (again.why, fresh.answers(again)) == (
        sentence("inbound.unknown_senders.asked_already"),
        (),
    )
    fresh.clock.advance(DAY)
    later = find_reply(fresh, says(fresh, "NEW cairn"))
    assert str(later["Reply-To"]) == str(first["Reply-To"]), "the yes to either does it, once"
    says(fresh, "", to=str(first["Reply-To"]))
    says(fresh, "", to=str(later["Reply-To"]))
    assert fresh.service.repository.games() == ("cairn-1",)


def test_a_flood_in_somebodys_name_writes_him_few_letters(fresh: AttackedService) -> None:
    """Whatever it asks for."""
    asks = ("HELP", "LIST", "JOIN pile", "SIGNON pile player x", "RULES", "Hello.")
    answers = [
        answer
        for number in range(24)
        for answer in fresh.answers(
            says(fresh, f"{asks[number % 6]}\n{'NEW cairn' * (number % 2)} n{number}")
        )
    ]
    assert len(answers) <= MAX_WISHES_PER_DAY + 2
