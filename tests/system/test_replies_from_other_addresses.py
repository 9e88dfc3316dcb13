"""A reply to our question from another address than the one we asked is explained and rejected."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import DAY, MINUTE
from adjudicator.inbound.confirmations import MAX_NOTICES
from adjudicator.messages import sentence
from adjudicator.model.people import GameOffer, MakeOffer, Press
from adjudicator.storage import people
from adjudicator.storage.inbox import ShownLetter
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter, plain_text
from tests.kit.service_harness import LocalService, local_service, text_of

ORDER = "Mohawk - Delaware"
PHONE, THIEF = "phone@example.net", "thief@example.com"
SIGNED = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")
FRANCE, GERMANY, ITALY = "france@example.org", "germany@example.org", "italy@example.org"


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service to be copied, with a game that waits for people."""
    folder = tmp_path_factory.mktemp("elsewhere") / "template_folder"
    begin_games(folder, ["demo"])
    with attacked_service(folder) as it:
        offer = GameOffer(name="pile", kind="chaos", options={}, needed=2)
        people.apply_action(it.service.database, MakeOffer(by="gm", offer=offer, at=it.clock.now()))
    return folder


@pytest.fixture
def fresh(template_folder: Path, tmp_path: Path) -> Iterator[AttackedService]:
    """A service that nothing has happened to."""
    with attacked_service(Path(shutil.copytree(template_folder, tmp_path / "fresh"))) as it:
        yield it


def find_email(it: AttackedService, shown: ShownLetter) -> EmailMessage:
    """The one email that was written because of another."""
    (ours,) = it.answers(shown)
    return message_from_bytes(ours.sealed.raw, policy=policy.default)


def words(email: EmailMessage) -> str:
    return " ".join(plain_text(email.as_bytes()).split())


def question_if_meant(it: AttackedService) -> EmailMessage:
    """The question whether a signed email to somebody else was meant for us."""
    head = {"Subject": "our plan"}
    raw = letter(ORDER, to=DAKOTA, date=it.clock.now(), headers=head, number=it.count + 100)
    return find_email(it, it.arrives(NET.signed(raw, SIGNED)))


def question_if_sent(it: AttackedService) -> EmailMessage:
    """The question about an email under a reply address that was just replaced."""
    old = it.reply()
    it.arrives(letter("STATUS", to=old, headers={"Cc": DAKOTA}, number=it.count + 200))
    return find_email(it, it.arrives(letter(ORDER, to=old, number=it.count + 300)))


QUESTIONS = {"meant": question_if_meant, "sent": question_if_sent}


def reply(
    it: AttackedService, to: EmailMessage, text: str = "YES", sender: str = PHONE, **headers: str
) -> ShownLetter:
    """A reply to one of our emails, which quotes it."""
    quoted = "".join(f"> {line}\n" for line in plain_text(to.as_bytes()).splitlines())
    ours = str(to["Message-ID"])
    named = {"In-Reply-To": ours, "References": ours}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    return it.arrives(
        letter(
            f"{text}\n\nOn Monday, {to['From']} wrote:\n{quoted}",
            sender=sender,
            to=str(to["Reply-To"]),
            subject=f"Re: {to['Subject']}",
            headers=named,
            number=it.count + 500,
        )
    )


def catalogue_text(slug: str, **values: object) -> str:
    return " ".join(sentence(f"inbound.other_addresses.{slug}", **values).split())


@pytest.mark.parametrize("sender", [PHONE, THIEF, DAKOTA])
@pytest.mark.parametrize("text", ["YES", "Yes, please", "no", "I did send this, go ahead", ""])
@pytest.mark.parametrize("asked", QUESTIONS)
def test_it_is_told_where_we_asked_and_does_nothing(
    fresh: AttackedService, asked: str, text: str, sender: str
) -> None:
    """The reader of that address can reply from there; anybody could send from another."""
    ours = QUESTIONS[asked](fresh)
    shown = reply(fresh, ours, text, sender)
    assert (shown.disposition, shown.why) == ("quarantined", catalogue_text("why"))
    notices = [
        email for email in map(raw_of, fresh.answers(shown)) if catalogue_text("subject") in email["Subject"]
    ]
    (notice,) = notices
    assert notice["To"] == IROQUOIS
    assert catalogue_text("not_accepted", game="demo", still_open=True) in words(notice)
    assert catalogue_text("how_to_answer", address=IROQUOIS, sort="email") in words(notice)
    assert fresh.filed() == {}


def raw_of(ours) -> EmailMessage:
    return message_from_bytes(ours.sealed.raw, policy=policy.default)


@pytest.mark.parametrize("asked", QUESTIONS)
def test_the_question_stays_open(fresh: AttackedService, asked: str) -> None:
    """A NO from elsewhere closes nothing; a YES to the question or to our explanation counts."""
    ours = QUESTIONS[asked](fresh)
    for text in ("YES", "NO"):
        shown = reply(fresh, ours, text)
    assert fresh.filed() == {}
    reply(fresh, find_email(fresh, shown) if asked == "meant" else ours, "YES", IROQUOIS)
    assert len(fresh.filed()["Iroquois"]) == 1


def test_the_other_way_that_it_names_works(fresh: AttackedService) -> None:
    """Orders from another address count under the seat's reply address."""
    other_way = catalogue_text("orders_from_elsewhere")
    shown = reply(fresh, question_if_meant(fresh))
    assert other_way in words(find_email(fresh, shown))
    fresh.arrives(letter(ORDER, sender=PHONE, to=fresh.reply(), number=801))
    assert len(fresh.filed()["Iroquois"]) == 1


def test_it_names_no_other_way_where_none_counts(fresh: AttackedService) -> None:
    other_way = catalogue_text("orders_from_elsewhere")
    shown = reply(fresh, question_if_meant(fresh), sender=DAKOTA)
    assert other_way not in words(find_email(fresh, shown)), (
        "another player's address speaks for no seat but theirs"
    )
    fresh.service = replace(
        fresh.service, service_context=replace(fresh.service.service_context, strict=True)
    )
    shown = reply(fresh, question_if_meant_again(fresh))
    assert other_way not in words(find_email(fresh, shown))


def question_if_meant_again(it: AttackedService) -> EmailMessage:
    raw = letter(
        "Oneida H", to=DAKOTA, date=it.clock.now(), headers={"Subject": "more"}, number=it.count + 150
    )
    return find_email(it, it.arrives(NET.signed(raw, SIGNED)))


def test_a_question_that_is_over_is_not_called_open(fresh: AttackedService) -> None:
    ours = question_if_meant(fresh)
    fresh.clock.advance(3 * DAY + 13 * 3_600_000)
    shown = reply(fresh, ours)
    text = words(find_email(fresh, shown))
    assert catalogue_text("not_accepted", game="demo", still_open=False) in text
    assert catalogue_text("instead", sort="email") in text
    assert catalogue_text("how_to_answer", address=IROQUOIS, sort="email") not in text
    assert fresh.filed() == {}


def test_it_is_told_a_few_times_of_each_question(fresh: AttackedService) -> None:
    """So nobody with the question's address can make us write forever."""
    ours = question_if_meant(fresh)
    count = [len(fresh.answers(reply(fresh, ours))) for _ in range(MAX_NOTICES + 2)]
    assert count == [1] * MAX_NOTICES + [0, 0]


def test_orders_are_read_as_ever(fresh: AttackedService) -> None:
    """An email with more than a yes says something else: an order needs its own proof."""
    shown = reply(fresh, question_if_meant(fresh), "Oneida H")
    assert shown.why != catalogue_text("why")
    assert fresh.filed() == {}


@pytest.mark.parametrize("name", ["Auto_Submitted", "Precedence"])
def test_a_robot_is_not_answered(fresh: AttackedService, name: str) -> None:
    value = {"Auto_Submitted": "auto-replied", "Precedence": "bulk"}[name]
    shown = reply(fresh, question_if_meant(fresh), "I am away.", **{name: value})
    assert fresh.answers(shown) == ()


def test_an_address_that_nobody_was_asked_at_is_none(fresh: AttackedService) -> None:
    """With an invented mark, or with another address's token, we write to nobody."""
    to = str(question_if_meant(fresh)["Reply-To"])
    mark, token = to.partition("+you.")[2].partition("@")[0].split(".")
    for number, forged in enumerate((to.replace(mark, "a" * 10), to.replace(token, "a" * 13))):
        shown = fresh.arrives(
            letter("YES", sender=PHONE, to=forged, subject="Re: our plan", number=900 + number)
        )
        assert fresh.answers(shown) == ()


def test_a_wish_is_confirmed_where_it_was_asked_back(fresh: AttackedService) -> None:
    """JOIN without proof of its writer: an empty reply from elsewhere isn't a yes."""
    wisher = "wisher@example.com"
    asked = find_email(fresh, fresh.arrives(letter("JOIN pile", sender=wisher, number=1)))
    shown = reply(fresh, asked, "")
    assert fresh.service.repository.people.signups("pile") == ()
    notice = find_email(fresh, shown)
    assert notice["To"] == wisher
    text = words(notice)
    assert "| JOIN pile" in text
    assert catalogue_text("not_accepted", game=None, still_open=True) in text
    assert catalogue_text("how_to_answer", address=wisher, sort="wish") in text
    reply(fresh, notice, "", wisher)
    assert [one.address for one in fresh.service.repository.people.signups("pile")] == [wisher]


# Press.


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A game in which Germany was asked whether to send a text to France."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as it:
        game_admin.new_game(
            it.service, game_admin.GameRequest("standard", "fox", level="beginner"), secret=b"p" * 32
        )
        for seat, address in (("France", FRANCE), ("Germany", GERMANY), ("Italy", ITALY)):
            game_admin.assign(it.service, "fox", seat, address)
        it.work()
        answers(it, FRANCE, it.mail(FRANCE)[-1], "PRESS TO Germany\nShall we share Belgium?\nENDPRESS")
        answers(it, GERMANY, it.mail(GERMANY)[-1], "Gladly.")
        yield it


def answers(place: LocalService, sender: str, to: EmailMessage, text: str) -> None:
    place.clock.advance(MINUTE)
    place.answer(sender, to, text)
    place.work()


def press_of(place: LocalService) -> list[Press]:
    return [one for one in place.service.repository.people.press("fox") if one.seat == "Germany"]


@pytest.mark.parametrize("sender", [PHONE, ITALY])
def test_press_is_sent_by_a_yes_from_the_seat_s_address_alone(place: LocalService, sender: str) -> None:
    """The thread of the question shows the seat's token, by which anything else of that email would count."""
    asked = place.mail(GERMANY)[-1]
    answers(place, sender, asked, "YES")
    assert press_of(place) == []
    notice = next(
        email for email in reversed(place.mail(GERMANY)) if catalogue_text("subject") in email["Subject"]
    )
    text = " ".join(text_of(notice).split())
    assert catalogue_text("not_accepted", game="fox", still_open=True) in text
    assert catalogue_text("how_to_answer", address=GERMANY, sort="press") in text
    assert (catalogue_text("press_from_elsewhere") in text) == (sender == PHONE)
    answers(place, GERMANY, asked, "YES")
    assert [one.text for one in press_of(place)] == ["Gladly."]
