"""A genuine email that may not be meant for us: its writer gets a question, and a YES sends it."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.inbound.confirmations import MAX_SEAT_QUESTIONS_PER_DAY
from adjudicator.mail.maildir import write_letter
from adjudicator.messages import sentence
from adjudicator.model.games import Suspension
from adjudicator.storage import inbox, outbox
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.tables import LetterRow, SeenRow
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter, plain_text

ORDER = "Mohawk - Delaware"
US, ALIAS = "gm@example.org", "games@club.example"
ALL = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service to be copied."""
    folder = tmp_path_factory.mktemp("meant") / "template_folder"
    begin_games(folder, ["demo"])
    return folder


@pytest.fixture
def fresh(template_folder: Path, tmp_path: Path) -> Iterator[AttackedService]:
    """A service that nothing has happened to."""
    with attacked_service(Path(shutil.copytree(template_folder, tmp_path / "fresh"))) as it:
        yield it


def to_somebody(it: AttackedService, text: str = ORDER, to: str = DAKOTA, **headers: str) -> bytes:
    """A signed email of the player of the Iroquois, which is addressed to somebody else."""
    named = {"Subject": "our plan", **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = letter(text, to=to, date=it.clock.now() - HOUR, headers=named, number=it.count + 100)
    return NET.signed(raw, ALL)


def question(it: AttackedService, shown: ShownLetter) -> EmailMessage:
    """The question that an email led to."""
    (posted,) = it.answers(shown)
    assert posted.sealed.key.startswith("meant-for-us/")
    return message_from_bytes(posted.sealed.raw, policy=policy.default)


def ask_whether_meant(it: AttackedService, text: str = ORDER, **headers: str) -> EmailMessage:
    """The question about a signed email to somebody else."""
    return question(it, it.arrives(to_somebody(it, text, **headers)))


def reply(it: AttackedService, to: EmailMessage, text: str = "YES", sender: str = IROQUOIS) -> ShownLetter:
    """A reply to one of our emails, quoting it; nothing shows who wrote it but where it goes."""
    quoted = "".join(f"> {line}\n" for line in plain_text(to.as_bytes()).splitlines())
    ours = str(to["Message-ID"])
    return it.arrives(
        letter(
            f"{text}\n\nOn Monday, {to['From']} wrote:\n{quoted}",
            sender=sender,
            to=str(to["Reply-To"]),
            subject=f"Re: {to['Subject']}",
            headers={"In-Reply-To": ours, "References": ours},
            number=it.count + 500,
        )
    )


def words(it: AttackedService, shown: ShownLetter) -> str:
    """The one answer to an email, in one line."""
    (posted,) = it.answers(shown)
    return " ".join(it.text(posted).split())


def catalogue_text(slug: str) -> str:
    """Return a sentence of the catalogue as an email shows it."""
    said = {
        "question": sentence("inbound.confirmations.question"),
        "declined": sentence("inbound.confirmations.declined"),
        "dealt_with": sentence("inbound.confirmations.dealt_with"),
        "too_late": sentence("inbound.confirmations.too_late"),
        "yes_or_no": sentence("inbound.confirmations.yes_or_no"),
    }
    return " ".join(said[slug].split())


def deadline(it: AttackedService) -> Millis:
    at = it.position().deadline
    assert at is not None
    return at


def forward_to(it: AttackedService, at: Millis) -> None:
    """Half a minute before that instant: an email takes a second."""
    it.clock.advance(at - it.clock.now() - 30_000)


# The question.


def test_the_question_shows_the_lines_as_they_were_read_and_goes_to_the_seat_s_address(
    fresh: AttackedService,
) -> None:
    shown = fresh.arrives(to_somebody(fresh, f"Hello Dakota,\n{ORDER}\nW Oneida H\nMohok - Atlantis\nREADY"))
    assert (shown.disposition, shown.game, shown.seat) == ("quarantined", "demo", "Iroquois")
    ours = question(fresh, shown)
    assert ours["To"] == IROQUOIS
    assert str(ours["Reply-To"]).startswith("gm+you.")
    text = words(fresh, shown)
    assert catalogue_text("question") in text
    for row in ("Mohawk - Delaware (read as W MHK - DEL)", "W Oneida H (read as W ONE H)", "READY"):
        assert f"| {row}" in text
    assert "Hello Dakota" not in text, "what is talk would do nothing"
    assert fresh.reply() not in ours.as_string(), "a YES is no letter of orders"
    assert fresh.filed() == {}


def test_an_email_is_asked_about_once_whatever_is_changed_in_it(fresh: AttackedService) -> None:
    raw = to_somebody(fresh, f"{ORDER}\nOneida H")
    question(fresh, fresh.arrives(raw))
    for changed in (b"Delaware \r\n", b"Delaware\t \r\n"):
        again = fresh.arrives(raw.replace(b"Delaware\r\n", changed))
        assert (again.disposition, fresh.answers(again)) == ("quarantined", ())
        assert again.why == sentence("inbound.confirmations.asked_already")


def test_a_seat_is_asked_six_times_a_day(fresh: AttackedService) -> None:
    shown = [
        fresh.arrives(to_somebody(fresh, f"{ORDER} {number}"))
        for number in range(MAX_SEAT_QUESTIONS_PER_DAY + 2)
    ]
    assert [len(fresh.answers(one)) for one in shown] == [1] * 6 + [0] * 2
    assert shown[-1].why == sentence("inbound.confirmations.asked_enough", most=6)
    fresh.clock.advance(DAY)
    ask_whether_meant(fresh, "Oneida H")


def test_answered_questions_count_among_the_six(fresh: AttackedService) -> None:
    for number in range(MAX_SEAT_QUESTIONS_PER_DAY):
        reply(fresh, ask_whether_meant(fresh, f"{ORDER}\nOneida H {number}"), "NO")
    assert fresh.answers(fresh.arrives(to_somebody(fresh))) == ()


def test_nobody_is_asked_about_an_email_that_may_be_a_robot_s(fresh: AttackedService) -> None:
    shown = fresh.arrives(to_somebody(fresh, Precedence="bulk"))
    assert (shown.disposition, fresh.answers(shown)) == ("quarantined", ())


def test_an_email_that_names_no_seat_of_several_is_asked_for_which(fresh: AttackedService) -> None:
    game_admin.assign(fresh.service, "demo", "Muskhogean", IROQUOIS)
    shown = fresh.arrives(to_somebody(fresh))
    assert shown.disposition == "quarantined"
    assert "SIGNON demo Muskhogean" in words(fresh, shown)
    ours = question(fresh, fresh.arrives(to_somebody(fresh, f"SIGNON demo Iroquois\n{ORDER}")))
    reply(fresh, ours)
    assert list(fresh.filed()) == ["Iroquois"]


# YES.


def test_a_yes_sends_the_orders_of_that_email_and_no_others(fresh: AttackedService) -> None:
    first, second = ask_whether_meant(fresh, ORDER), ask_whether_meant(fresh, "Oneida H")
    shown = reply(fresh, second)
    assert (shown.disposition, shown.seat) == ("read", "Iroquois")
    assert len(fresh.filed()["Iroquois"]) == 1
    assert [one.sealed.to for one in fresh.answers(shown)] == [IROQUOIS]
    assert "W ONE H" in words(fresh, shown)
    letters = {one.number: one for one in inbox.list_letters(fresh.service.database)}
    confirmed = letters[shown.number - 1]
    assert (confirmed.disposition, confirmed.seat) == ("read", "Iroquois")
    assert confirmed.why == sentence("inbound.confirmations.confirmed", number=shown.number)
    reply(fresh, first, "Yes, please.")
    assert len(fresh.filed()["Iroquois"]) == 2


def test_a_yes_settles_what_was_doubtful(fresh: AttackedService) -> None:
    """The question shows how it was read; asked by itself, the same email is asked back line by line."""
    ours = ask_whether_meant(fresh, ORDER, Subject="plan")
    assert f"| {ORDER} (read as W MHK - DEL)" in " ".join(plain_text(ours.as_bytes()).split())
    fresh.arrives(letter(ORDER, to=fresh.reply(), subject="plan", number=89))
    assert fresh.filed() == {}, "below such a title it may be talk"
    reply(fresh, ours)
    assert list(fresh.filed()) == ["Iroquois"]


def test_commands_of_the_email_are_done_too(fresh: AttackedService) -> None:
    reply(fresh, ask_whether_meant(fresh, f"{ORDER}\nREADY"))
    assert fresh.position().assignments["Iroquois"].ready
    reply(fresh, ask_whether_meant(fresh, "RESIGN demo"))
    assert fresh.position().assignments["Iroquois"].address is None


def test_a_yes_counts_once(fresh: AttackedService) -> None:
    ours = ask_whether_meant(fresh)
    reply(fresh, ours)
    fresh.arrives(letter("CLEAR", to=fresh.reply(), number=90))
    assert fresh.filed() == {}
    assert catalogue_text("dealt_with") in words(fresh, reply(fresh, ours))
    assert fresh.filed() == {}


def test_an_email_that_the_gamesmaster_dropped_is_dealt_with(fresh: AttackedService) -> None:
    shown = fresh.arrives(to_somebody(fresh))
    assert inbox.drop(fresh.service.database, shown.number, fresh.clock.now())
    assert catalogue_text("dealt_with") in words(fresh, reply(fresh, question(fresh, shown)))
    assert fresh.filed() == {}


def test_a_no_is_the_end_of_it(fresh: AttackedService) -> None:
    ours = ask_whether_meant(fresh)
    assert catalogue_text("declined") in words(fresh, reply(fresh, ours, "No."))
    assert catalogue_text("dealt_with") in words(fresh, reply(fresh, ours))
    assert fresh.filed() == {}


def test_what_is_neither_yes_nor_no_is_asked_back(fresh: AttackedService) -> None:
    shown = reply(fresh, ask_whether_meant(fresh), "What is this?")
    assert catalogue_text("yes_or_no") in words(fresh, shown)
    assert fresh.filed() == {}
    (posted,) = fresh.answers(shown)
    reply(fresh, message_from_bytes(posted.sealed.raw, policy=policy.default))
    assert len(fresh.filed()["Iroquois"]) == 1


def test_orders_in_place_of_a_yes_speak_for_themselves(fresh: AttackedService) -> None:
    """A reply is addressed to us: where it is signed, it counts as any email of hers."""
    ours = ask_whether_meant(fresh)
    raw = letter("Oneida H", to=str(ours["Reply-To"]), date=fresh.clock.now(), number=91)
    fresh.arrives(NET.signed(raw, ALL))
    (filed,) = fresh.filed()["Iroquois"]
    shown = reply(fresh, ask_whether_meant(fresh, "Seneca H"), "Mohawk H")
    assert shown.disposition == "quarantined", "nothing shows who wrote this one"
    assert fresh.filed()["Iroquois"] == [filed]


@pytest.mark.parametrize("sender", [DAKOTA, "thief@example.com", "thief@example.net"])
def test_nobody_else_can_say_yes(fresh: AttackedService, sender: str) -> None:
    reply(fresh, ask_whether_meant(fresh), sender=sender)
    assert fresh.filed() == {}


def test_a_yes_to_another_email_of_ours_sends_nothing(fresh: AttackedService) -> None:
    ask_whether_meant(fresh)
    fresh.arrives(letter("YES", to=fresh.reply(), number=92))
    assert fresh.filed() == {}


def test_a_password_in_the_email_is_not_kept(fresh: AttackedService) -> None:
    shown = fresh.arrives(to_somebody(fresh, f"SIGNON demo Iroquois three-canoes\n{ORDER}"))
    assert "three-canoes" not in words(fresh, shown)
    reply(fresh, question(fresh, shown))
    assert len(fresh.filed()["Iroquois"]) == 1
    read = inbox.show(fresh.service.database, shown.number)
    assert read is not None
    assert b"three-canoes" not in read.raw


# Until when.


def test_what_is_late_is_decided_by_when_the_email_came(fresh: AttackedService) -> None:
    """It came before the deadline, the YES within the grace: in time."""
    forward_to(fresh, deadline(fresh))
    ours = ask_whether_meant(fresh)
    fresh.clock.advance(HOUR)
    shown = reply(fresh, ours)
    assert len(fresh.filed()["Iroquois"]) == 1
    late = " ".join(sentence("inbound.filing.counted_late").split())
    assert late not in words(fresh, shown)
    second = reply(fresh, ask_whether_meant(fresh, "Oneida H"))
    assert late in words(fresh, second), "this one came within the grace"


def test_a_yes_after_the_grace_is_too_late(fresh: AttackedService) -> None:
    position = fresh.position()
    end = deadline(fresh) + position.deadlines.grace
    forward_to(fresh, end)
    ours = ask_whether_meant(fresh)
    fresh.clock.advance(HOUR)
    assert catalogue_text("too_late") in words(fresh, reply(fresh, ours))
    assert "W MHK - DEL" not in str(fresh.service.repository.log("demo")[-1][0].orders)
    assert fresh.filed() == {}


def test_a_yes_counts_for_the_turn_of_its_question(fresh: AttackedService) -> None:
    ours = ask_whether_meant(fresh, "Oneida H")
    fresh.arrives(letter("READY", to=fresh.reply(), number=93))
    fresh.arrives(letter("READY", sender=DAKOTA, to=fresh.reply("dakota"), number=94))
    assert fresh.position().entries == 2, "the turn was played"
    assert catalogue_text("too_late") in words(fresh, reply(fresh, ours))
    assert fresh.filed() == {}


def test_a_yes_is_no_longer_the_player_s_who_was_replaced(fresh: AttackedService) -> None:
    ours = ask_whether_meant(fresh)
    seats.replace_player(fresh.service, "demo", "Iroquois", "friend@example.com", "moved away")
    assert catalogue_text("too_late") in words(fresh, reply(fresh, ours))
    assert fresh.filed() == {}


def test_a_yes_to_a_game_that_is_held_waits(fresh: AttackedService, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ask_whether_meant(fresh)
    stuck = Suspension(
        game="demo", kind="indianomacy", sort="unreadable", why="it is gone", instead="bring it back"
    )
    with monkeypatch.context() as held:
        held.setattr("adjudicator.inbound.confirmations.find_suspension", lambda game, repository: stuck)
        assert reply(fresh, ours).disposition == "held"
    assert fresh.filed() == {}


# Mail of honest people.


def test_an_alias_that_the_settings_name_is_ours(fresh: AttackedService) -> None:
    raw = to_somebody(fresh, to=f"Club <{ALIAS}>")
    question(fresh, fresh.arrives(raw))
    service_context = replace(fresh.service.service_context, addresses=frozenset({ALIAS}))
    fresh.service = replace(fresh.service, service_context=service_context)
    assert fresh.arrives(to_somebody(fresh, to=f"Club <{ALIAS}>")).disposition == "read"
    assert len(fresh.filed()["Iroquois"]) == 1


def test_a_provider_forwards_from_an_alias(fresh: AttackedService) -> None:
    """Its envelope is its own (SRS), so that SPF passes for somebody else; the signature stays good."""
    service_context = replace(fresh.service.service_context, addresses=frozenset({ALIAS}), signed=None)
    fresh.service = replace(fresh.service, service_context=service_context)
    raw = to_somebody(fresh, to=ALIAS)
    results = (
        "mx.example.org; dkim=pass header.d=example.net header.s=post; "
        "spf=pass smtp.mailfrom=SRS0=x=example.net=iroquois@forwarder.example; "
        "dmarc=pass header.from=example.net"
    )
    head = f"Authentication-Results: {results}\r\nReceived: from forwarder.example\r\n"
    assert fresh.arrives(head.encode() + raw).disposition == "read"
    assert len(fresh.filed()["Iroquois"]) == 1


def test_two_replies_to_one_email_of_ours_both_count(fresh: AttackedService) -> None:
    thread = {"In-Reply-To": "<a@example.org>", "References": "<a@example.org>"}
    for number, text in enumerate((ORDER, "Oneida H")):
        raw = letter(text, to=US, date=fresh.clock.now(), headers=thread, number=number)
        assert fresh.arrives(NET.signed(raw, ALL)).disposition == "read"
    assert len(fresh.filed()["Iroquois"]) == 2


def test_mail_that_is_moved_back_counts_again(fresh: AttackedService) -> None:
    """After a restore the database may not know what was signed; the email is the same in either case."""
    raw = NET.signed(letter(ORDER, to=US, date=fresh.clock.now()), ALL)
    fresh.arrives(raw)
    fresh.arrives(letter("CLEAR", to=fresh.reply(), number=95))
    with fresh.service.database.writing():
        fresh.service.database.run(SeenRow.delete())
        fresh.service.database.run(LetterRow.delete())
    assert fresh.again(raw) == 1
    assert len(fresh.filed()["Iroquois"]) == 1


def test_the_same_email_is_read_again_by_the_gamesmaster(fresh: AttackedService) -> None:
    """Twice in the mailbox, or given back: it is the same email."""
    shown = fresh.arrives(to_somebody(fresh))
    assert inbox.reopen(fresh.service.database, shown.number)
    fresh.service.process()
    again = inbox.show(fresh.service.database, shown.number)
    assert again is not None
    assert (again.disposition, again.why) == ("quarantined", sentence("inbound.confirmations.asked_already"))


def test_copies_that_are_read_together_count_once(fresh: AttackedService) -> None:
    """One transaction settles both; what the first has signed is known to the second."""
    raw = NET.signed(letter(f"{ORDER}\nOneida H", to=US, date=fresh.clock.now()), ALL)
    for number, copy in enumerate((raw, raw.replace(b"Delaware\r\n", b"Delaware \r\n"))):
        write_letter(fresh.folder / "in", f"{fresh.clock.now():013d}.{number}", copy)
    assert fresh.service.poll() == 2
    fresh.service.process()
    second, first = inbox.list_letters(fresh.service.database, 2)
    assert (first.disposition, second.disposition) == ("read", "quarantined")


def test_an_email_that_a_token_vouches_for_counts_in_no_other_once_the_token_is_void(
    fresh: AttackedService,
) -> None:
    """Its copy is signed, and addressed to us."""
    to = fresh.reply()
    raw = NET.signed(letter(f"{ORDER}\nOneida H", to=to, date=fresh.clock.now()), ALL)
    fresh.arrives(raw)
    seats.rekey(fresh.service, "demo", "Iroquois", "it was shown around")
    fresh.arrives(letter("CLEAR", to=fresh.reply(), number=96))
    again = fresh.arrives(raw.replace(b"Delaware\r\n", b"Delaware \r\n"))
    assert again.disposition == "quarantined"
    assert fresh.filed() == {}


# Two ways that have to agree.


@pytest.fixture
def strict(fresh: AttackedService) -> AttackedService:
    """The service, where one way is too little."""
    fresh.service = replace(
        fresh.service, service_context=replace(fresh.service.service_context, strict=True)
    )
    return fresh


def test_a_token_and_an_email_to_somebody_else_are_one_way(strict: AttackedService) -> None:
    tagged = str(strict.ours(IROQUOIS)["Subject"])
    shown = strict.arrives(to_somebody(strict, Subject=f"Re: {tagged}"))
    assert shown.disposition == "quarantined"
    assert strict.filed() == {}
    reply(strict, question(strict, shown))
    assert len(strict.filed()["Iroquois"]) == 1


def test_a_token_and_an_email_to_us_agree(strict: AttackedService) -> None:
    raw = letter(ORDER, to=strict.reply(), date=strict.clock.now(), number=97)
    assert strict.arrives(raw).disposition == "quarantined"
    assert strict.arrives(NET.signed(raw.replace(b"<97.", b"<98."), ALL)).disposition == "read"
    assert len(strict.filed()["Iroquois"]) == 1


def test_a_password_and_an_email_to_somebody_else_are_one_way(fresh: AttackedService) -> None:
    fresh.arrives(letter("PASSWORD three-canoes", to=fresh.reply(), number=98))
    fresh.service = replace(
        fresh.service, service_context=replace(fresh.service.service_context, strict=True)
    )
    shown = fresh.arrives(to_somebody(fresh, f"SIGNON demo Iroquois three-canoes\n{ORDER}"))
    assert (shown.disposition, fresh.filed()) == ("quarantined", {})
    reply(fresh, question(fresh, shown))
    assert len(fresh.filed()["Iroquois"]) == 1


def test_a_token_alone_is_enough_where_nothing_else_is_asked(fresh: AttackedService) -> None:
    """However old the email is, and to whomever it goes: tokens are not affected."""
    tagged = str(fresh.ours(IROQUOIS)["Subject"])
    raw = letter(
        ORDER, to="somebody@example.com", subject=f"Re: {tagged}", date=fresh.clock.now() - 900 * DAY
    )
    assert fresh.arrives(raw).disposition == "read"


def test_nothing_is_left_of_questions_in_the_outbox_of_others(fresh: AttackedService) -> None:
    """Each goes to the seat's address, whatever reply address the email has."""
    ask_whether_meant(fresh, Reply_To="thief@example.com")
    new = [one for one in outbox.list_posted(fresh.service.database) if one.sealed.key.startswith("meant")]
    assert [one.sealed.to for one in new] == [IROQUOIS]
