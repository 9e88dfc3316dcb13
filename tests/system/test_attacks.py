"""The table of attacks: the attacker, the attempt and the result. None of them moves a unit.

Each row of ATTACKS is an email, the decision about it with the reason, and the recipients of emails caused by
it. Attacks with more than one email are below. Forwarded genuine emails, and headers that fake an author,
have their own tables in test_passed_on.py.
"""

import base64
import imaplib
import io
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from time import process_time

import pytest

from adjudicator.admin import game_admin
from adjudicator.config.service import load_settings
from adjudicator.messages import sentence
from adjudicator.model.addresses import bounce_address
from adjudicator.service import open_service
from adjudicator.storage import inbox, outbox
from adjudicator.storage.bounces import DatabaseBounceRepository
from adjudicator.storage.outbox import OutboxLetter
from orders.mail.headers import MAX_HEADER_BLOCK_BYTES, MAX_HEADER_BYTES
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.bounce_reports import bounce_report
from tests.kit.mail import letter
from tests.kit.servers import PASSWORD, Dovecot

ORDER = "Mohawk - Delaware"
VOUCHED = f"mx.example.org; dmarc=pass header.from=example.net; spf=pass smtp.mailfrom={IROQUOIS}"
MOST_SECONDS, MOST_BYTES = 10.0, 40_000_000
"""What a letter may cost: much more than it does, much less than it would cost a careless reader."""


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service to be copied."""
    folder = tmp_path_factory.mktemp("service")
    begin_games(folder / "template_folder")
    return folder


@pytest.fixture(scope="module")
def besieged(template_folder: Path) -> Iterator[AttackedService]:
    """The service that all rows of the table attack."""
    with attacked_service(
        Path(shutil.copytree(template_folder / "template_folder", template_folder / "besieged"))
    ) as it:
        yield it


@dataclass(frozen=True)
class Attack:
    """A row. made: the letter; then, why: what is decided, and how what the gamesmaster reads begins;
    told: to whom something is written."""

    name: str
    made: Callable[[AttackedService], bytes]
    then: str
    why: str
    told: tuple[str, ...] = ()


def mime(parts: int, number: int) -> bytes:
    return letter("x", number=number).split(b"\r\n\r\n")[0].replace(
        b"text/plain", b"multipart/mixed; boundary=b"
    ) + (b"\r\n\r\n" + b"--b\r\n\r\nMohawk - Delaware\r\n" * parts)


def zip_bomb(it: AttackedService) -> bytes:
    """A hundred megabytes of zeros in a hundred kilobytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("orders.txt", bytes(100_000_000))
    content = base64.encodebytes(packed.getvalue()).decode()
    head = f"From: {IROQUOIS}\r\nTo: {it.reply()}\r\nSubject: orders\r\nMessage-ID: <zip@example.net>\r\n"
    return (
        f"{head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/zip;"
        f" name=orders.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n{content}\r\n--b--\r\n"
    ).encode()


def quote_passed_on(it: AttackedService) -> bytes:
    """Somebody replies to an email that the player forwarded: the player's token is in the quotation."""
    ours = it.ours(IROQUOIS)
    text = (
        f"{ORDER}\n\n> {ours['Reply-To']}\n> Subject: {ours['Subject']}\n> Message-ID: {ours['Message-ID']}\n"
    )
    return letter(text, sender="friend@example.com", number=21)


def threaded(it: AttackedService) -> bytes:
    """The other player replies to it: the mail program names our email, with the first player's token, as its
    parent.
    """
    ours = str(it.ours(IROQUOIS)["Message-ID"])
    return letter(ORDER, sender=DAKOTA, number=22, headers={"In-Reply-To": ours, "References": ours})


def copied(it: AttackedService) -> bytes:
    """A player copied an email to an opponent, who uses the token in it from another address."""
    old = it.reply()
    it.arrives(letter("STATUS", to=old, number=61, headers={"Cc": DAKOTA}))
    return letter(ORDER, sender="thief@example.com", to=old, number=62)


def copied_and_forged(it: AttackedService) -> bytes:
    """The same opponent writes in the player's name: the player is asked, and nobody else can say YES."""
    old = it.reply()
    it.arrives(letter("STATUS", to=old, number=63, headers={"Cc": DAKOTA}))
    return letter(ORDER, to=old, number=64)


def words(count: int) -> bytes:
    subject = b"Subject:" + b"\r\n =?utf-8?b?TW9oYXdrIC0gRGVsYXdhcmU=?=" * count
    return b"From: iroquois@example.net\r\n" + subject + b"\r\nMessage-ID: <words@example.net>\r\n\r\nx\r\n"


ATTACKS = (
    Attack(
        "a forged From line",
        lambda it: letter(ORDER, number=1),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "a forged From line, and a tag without its token",
        lambda it: letter(ORDER, number=2, subject="Re: [demo S1M Iroquois] orders"),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "SIGNON with a password that is guessed",
        lambda it: letter(f"SIGNON demo Iroquois canoe\n{ORDER}", sender="thief@example.com", number=3),
        *("read", sentence("inbound.unknown_senders.signon_does_not_fit"), ("thief@example.com",)),
    ),
    Attack(
        "the token of another game",
        lambda it: letter(
            ORDER, sender="thief@example.com", to=it.reply(game="beaver").replace("beaver", "demo"), number=4
        ),
        *("quarantined", sentence("inbound.unknown_senders.nobody_we_know")),
    ),
    Attack(
        "the token of another seat",
        lambda it: letter(
            ORDER, sender="thief@example.com", to=it.reply("dakota").replace("dakota", "iroquois"), number=5
        ),
        *("quarantined", sentence("inbound.unknown_senders.nobody_we_know")),
    ),
    Attack(
        "a token in a reply that somebody else quotes",
        quote_passed_on,
        *("quarantined", sentence("inbound.unknown_senders.nobody_we_know"), ("friend@example.com",)),
    ),
    Attack(
        "a token in the thread of another player's answer",
        threaded,
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (DAKOTA,)),
    ),
    Attack(
        "Authentication-Results of a server of his own",
        lambda it: letter(
            ORDER, number=6, headers={"Authentication-Results": VOUCHED.replace("mx.example", "mx.attacker")}
        ),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "Authentication-Results in our server's name, below its own",
        lambda it: (
            b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.net\r\n"
            + letter(ORDER, number=7, headers={"Authentication-Results": VOUCHED})
        ),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "Authentication-Results about another domain",
        lambda it: letter(
            ORDER,
            number=8,
            headers={"Authentication-Results": VOUCHED.replace("example.net", "attacker.example")},
        ),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "two senders, of whom one is vouched for",
        lambda it: letter(
            ORDER,
            number=9,
            sender=f"{IROQUOIS}, thief@example.com",
            headers={"Authentication-Results": VOUCHED},
        ),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "DKIM with l=, and orders added below",
        lambda it: NET.signed(letter("STATUS", number=10), length=True) + b"Mohawk - Delaware\r\n",
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "DKIM, and a second Subject on top",
        lambda it: b"Subject: Mohawk - Delaware\r\n" + NET.signed(letter("", number=11)),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (IROQUOIS,)),
    ),
    Attack(
        "DKIM of another domain",
        lambda it: NET.signed(letter(ORDER, number=12, sender=DAKOTA)),
        *("quarantined", sentence("inbound.unknown_senders.nothing_vouches"), (DAKOTA,)),
    ),
    Attack(
        "10,000 parts",
        lambda it: mime(10_000, 41),
        "quarantined",
        sentence("inbound.limits.many_parts", most=100),
    ),
    Attack(
        "10,000 parts, with a token",
        lambda it: mime(10_000, 42).replace(b"To: gm@example.org", f"To: {it.reply()}".encode()),
        *("quarantined", sentence("inbound.limits.many_parts", most=100), (IROQUOIS,)),
    ),
    Attack(
        "parts in parts, a thousand deep",
        lambda it: (
            b"From: iroquois@example.net\r\n"
            + b"".join(
                b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(1000)
            )
        ),
        *("quarantined", sentence("inbound.limits.nested", most=20)),
    ),
    Attack(
        "20,000 encoded words in a subject",
        lambda it: words(20_000),
        "quarantined",
        sentence("inbound.limits.long_head", most=MAX_HEADER_BLOCK_BYTES),
    ),
    Attack(
        "1,000 of them",
        lambda it: words(1_000),
        "quarantined",
        sentence("inbound.limits.long_header", most=MAX_HEADER_BYTES),
    ),
    Attack("a zip bomb", zip_bomb, "read", "", (IROQUOIS,)),
    Attack(
        "five megabytes of text",
        lambda it: letter("Mohawk - Delaware\n" * 300_000, to=it.reply(), number=13),
        *("quarantined", sentence("inbound.limits.many_bytes", most=1_000_000), (IROQUOIS,)),
    ),
    Attack(
        "a vacation robot, with a token",
        lambda it: letter(
            f"I am away.\n{ORDER}", to=it.reply(), number=14, headers={"Auto-Submitted": "auto-replied"}
        ),
        *("ignored", sentence("inbound.filters.of_a_robot", auto="auto-replied")),
    ),
    Attack(
        "a vacation robot that says so in its subject alone",
        lambda it: letter("I am away", to=it.reply(), number=15, subject="Out of Office: back in May"),
        *("ignored", sentence("inbound.filters.sender_or_subject_of_a_robot")),
    ),
    Attack(
        "a mailing list, with a token",
        lambda it: letter(ORDER, to=it.reply(), number=16, headers={"List-Id": "<pbem.example.com>"}),
        *("quarantined", sentence("inbound.filters.through_a_list")),
    ),
    Attack(
        "a report on no letter of ours",
        lambda it: bounce_report("gm@example.org"),
        "ignored",
        "a mail server",
    ),
    Attack(
        "a report on a letter of ours, without its proof",
        lambda it: bounce_report("gm+b.0123456789abcdef.abcdefghijklm@example.org", 2),
        *("ignored", sentence("inbound.bounces.no_letter_of_ours")),
    ),
    Attack(
        "the token of an email that was copied to him",
        copied,
        *("quarantined", sentence("inbound.unknown_senders.nobody_we_know")),
    ),
    Attack(
        "the same, in the player's name",
        copied_and_forged,
        *("quarantined", sentence("inbound.confirmations.asked", is_replaced=True), (IROQUOIS,)),
    ),
    Attack(
        "nobody at all",
        lambda it: b"To: gm@example.org\r\n\r\nMohawk - Delaware\r\n",
        *("quarantined", sentence("inbound.filters.nobody_to_answer")),
    ),
    Attack(
        "no letter at all",
        lambda it: bytes(range(256)) * 100,
        "quarantined",
        sentence("inbound.filters.nobody_to_answer"),
    ),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack(besieged: AttackedService, attack: Attack) -> None:
    before, raw = besieged.filed(), attack.made(besieged)
    tracemalloc.start()
    began = process_time()
    try:
        shown = besieged.arrives(raw)
        seconds, (_, peak) = process_time() - began, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (shown.disposition, (shown.why or "")[: len(attack.why)]) == (attack.then, attack.why)
    told = {posted.sealed.to for posted in besieged.answers(shown)}
    assert told <= set(attack.told), "nobody else is written to"
    # Of what is written once a day the first row that causes it has the letter.
    assert told or not attack.told or attack.why == sentence("inbound.unknown_senders.nothing_vouches")
    assert besieged.filed() == before == {}
    assert seconds < MOST_SECONDS
    assert peak < MOST_BYTES + 10 * len(raw)


def test_the_table_is_not_vain(besieged: AttackedService) -> None:
    """The same letters with what they lack are read, and orders are filed."""
    good = (
        letter("Seneca H", to=besieged.reply("iroquois"), number=31),
        letter(
            "Seneca H\nOneida H",
            number=32,
            subject="[demo S1M Iroquois]",
            headers={"Authentication-Results": VOUCHED},
        ),
        NET.signed(
            letter(
                "Seneca H\nMohawk H",
                number=33,
                subject="[demo S1M Iroquois]",
                date=besieged.clock.now(),
            )
        ),
    )
    for number, raw in enumerate(good):
        shown = besieged.arrives(raw)
        assert (shown.disposition, shown.seat, shown.game) == ("read", "Iroquois", "demo"), number
    assert len(besieged.filed()["Iroquois"]) == 3
    besieged.arrives(letter("CLEAR", to=besieged.reply("iroquois"), number=34))


# More than one letter.


@pytest.fixture
def fresh(template_folder: Path, tmp_path: Path) -> Iterator[AttackedService]:
    """A service that nothing has happened to."""
    with attacked_service(
        Path(shutil.copytree(template_folder / "template_folder", tmp_path / "fresh"))
    ) as it:
        yield it


def test_a_letter_that_is_replayed(fresh: AttackedService) -> None:
    """The same letter is not read twice; under another Message-ID it is late as soon as its turn is over."""
    raw = letter(f"{ORDER}\nREADY", to=fresh.reply())
    fresh.arrives(raw)
    fresh.arrives(letter("Mohawk H", to=fresh.reply(), number=2))
    before = fresh.filed()
    assert fresh.again(raw) == 0
    assert fresh.again(b"Received: from thief by us\r\n" + raw) == 0, "whichever way it comes"
    assert fresh.filed() == before
    fresh.arrives(letter("READY", sender=DAKOTA, to=fresh.reply("dakota"), number=3))
    assert fresh.position().entries == 2, "the turn was played"
    shown = fresh.arrives(raw.replace(b"Message-ID: <1.", b"Message-ID: <other."))
    assert shown.disposition == "read"
    assert fresh.filed() == {}
    (told,) = fresh.answers(shown)
    assert told.sealed.to == IROQUOIS, "who holds the seat learns of it"


def test_headers_are_not_written_by_players(fresh: AttackedService) -> None:
    """Line ends in names, subjects and orders don't reach our headers."""
    evil = "=?utf-8?q?orders=0D=0ABcc:_evil@example.com=0D=0A=0D=0Ahello?="
    text = f"{ORDER}\nMohawk\rBcc: evil@example.com\nHELP"
    heads = (
        f"From: {IROQUOIS}\r\nSubject: {evil}\r\nMessage-ID: <1@example.net>",
        f"From: {evil} <{IROQUOIS}>\r\nSubject: x\rBcc: evil@example.com\r\nMessage-ID: <2@example.net>",
        f"From: {IROQUOIS}\r\nSubject: x\x0bBcc: y\r\nMessage-ID: <3@example.net>\r\n\tBcc: <evil@x>",
        f"From: {IROQUOIS}\r\nSubject: x\r\nMessage-ID: <4\x00@x>\r\nReferences: <{evil}@z> <a\x0bBcc:@b>",
    )
    for head in heads:
        raw = f"To: {fresh.reply()}\r\n{head}\r\n\r\n{text}\r\n".encode("latin-1")
        assert fresh.arrives(raw).disposition == "read"
    for raw in fresh.written():
        ours = message_from_bytes(raw, policy=policy.default)
        assert ours.defects == []
        assert ours["Bcc"] is None
        assert b"\nBcc:" not in raw.partition(b"\r\n\r\n")[0]
        assert ours["To"] in (IROQUOIS, DAKOTA)


def test_scripts_are_shown_and_not_run(fresh: AttackedService) -> None:
    """Players' text is escaped in our HTML, and nothing is fetched from elsewhere."""
    bad = '<script>alert(1)</script> <img src="http://tracker.example/x.png"> <a href="javascript:x">y</a>'
    texts = (f"{ORDER} {bad}", f"PRESS TO Dakota\n{bad}\nENDPRESS", f"BROADCAST\n{bad}\nENDPRESS")
    for number, text in enumerate(texts):
        fresh.arrives(letter(text, to=fresh.reply(), number=number, subject=bad))
    fresh.arrives(letter("READY", to=fresh.reply(), number=8))
    fresh.arrives(letter("READY", sender=DAKOTA, to=fresh.reply("dakota"), number=9))
    pages = 0
    for raw in fresh.written():
        for part in message_from_bytes(raw, policy=policy.default).walk():
            if part.get_content_type() == "text/html":
                page = str(part.get_content()).lower()
                pages += 1
                for sign in ("<script", 'src="http', 'javascript:x"', "<iframe", "<object"):
                    assert sign not in page
    assert pages >= 8


def test_a_letter_that_comes_back(fresh: AttackedService) -> None:
    """Nobody gets a reply; the bounce is recorded, and after the third nothing more is sent there."""
    fresh.service.send()
    posted = [one for one in outbox.list_posted(fresh.service.database) if one.sealed.to == IROQUOIS]
    for number in range(3):
        if number >= len(posted):
            answer = fresh.arrives(letter("STATUS", to=fresh.reply(), number=50 + number))
            posted += fresh.answers(answer)
            fresh.service.send()
        back = fresh.arrives(bounce_report(posted[number].sealed.sender, number))
        assert (back.disposition, back.seat) == ("ignored", "Iroquois")
        assert all(one.sealed.to == "gm@example.org" for one in fresh.answers(back))
    assert DatabaseBounceRepository(fresh.service.database).is_disabled(IROQUOIS)
    assert fresh.position().assignments["Iroquois"].trouble is not None
    service_context = fresh.service.service_context
    forged = bounce_address(service_context.address, b"guessed", posted[0].sealed.message_id)
    assert sentence("inbound.bounces.no_letter_of_ours") in str(fresh.arrives(bounce_report(forged, 9)).why)


def test_two_services_that_write_to_each_other(tmp_path: Path) -> None:
    """Somebody seats one service in a game of the other: it stops within two letters."""
    with (
        attacked_service(tmp_path / "one") as one,
        attacked_service(tmp_path / "other", "gm@example.info") as other,
    ):
        game_admin.new_game(one.service, game_admin.GameRequest("indianomacy", "demo"), secret=b"s" * 32)
        game_admin.assign(one.service, "demo", "Iroquois", "gm@example.info")
        (first,) = one.written()
        todo, passed = [(other, first)], 0
        while todo:
            to, raw = todo.pop()
            passed += 1
            shown = to.arrives(raw)
            back = one if to is other else other
            todo += [(back, posted.sealed.raw) for posted in to.answers(shown)]
            assert passed <= 2
        assert passed == 1
        # Where every mark is lost on the way it is a stranger's letter, who is answered once a day at most.
        marks = (b"Auto-Submitted", b"X-", b"Precedence", b"List-", b"Message-ID")
        bare = [line for line in first.split(b"\r\n") if not line.startswith(marks)]
        answered: list[OutboxLetter] = []
        for number in range(3):
            unmarked = b"\r\n".join([b"Message-ID: <%d@example.com>" % number, *bare])
            answered += other.answers(other.arrives(unmarked))
        assert len(answered) <= 1


# Over IMAP.


def test_fifty_megabytes_laid_into_the_mailbox(tmp_path: Path, dovecot: Dovecot) -> None:
    """By APPEND, past every limit of a server. Only the headers with its size are fetched."""
    user = dovecot.somebody()
    (tmp_path / "gm.toml").write_text(
        f"""
        [service]
        address = "{user}@example.test"
        [inbox]
        url = "imap://{user}@localhost:{dovecot.imap}"
        password = "{PASSWORD}"
        [outbox]
        url = "maildir:./out"
        """
    )
    raw = letter("Mohawk - Delaware\n" * 10) + b"Mohawk - Delaware\r\n" * 2_700_000
    assert len(raw) > 50_000_000
    with imaplib.IMAP4("localhost", dovecot.imap) as mailbox:
        mailbox.login(user, PASSWORD)
        mailbox.append("INBOX", "", None, raw)
    del raw
    service = open_service(load_settings(tmp_path / "gm.toml"))
    tracemalloc.start()
    try:
        assert service.poll() == 1
        service.process()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    (shown,) = inbox.list_letters(service.database)
    assert (shown.disposition, shown.why) == (
        "quarantined",
        sentence("inbound.limits.many_bytes", most=1_000_000),
    )
    assert peak < MOST_BYTES
    assert service.poll() == 0, "it was moved away"
    service.database.close()


# Press.


def test_press_is_no_letter_of_ours(fresh: AttackedService) -> None:
    """Each line is behind a mark and escaped in HTML, and a quotation orders nothing."""
    bad = '<script>alert(1)</script> <img src="http://tracker.example/x.png">'
    forged = f"{bad}\nTeton Sioux - Yankton Sioux\nW YKT - TET"
    sent = fresh.arrives(letter(f"PRESS TO Dakota\n{forged}\nENDPRESS", to=fresh.reply()))
    assert sent.disposition == "read"
    (press,) = [one for one in outbox.list_posted(fresh.service.database) if "/press/" in one.sealed.key]
    assert press.sealed.to == DAKOTA
    text = fresh.text(press)
    for line in forged.splitlines():
        assert f"| {line}" in text
        assert f"\n{line}" not in text
    page = message_from_bytes(press.sealed.raw, policy=policy.default).get_body(("html",))
    assert page is not None
    assert "&lt;script&gt;" in page.get_content()
    assert "<script" not in page.get_content()
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    answer = letter(f"Thank you.\n\n{quoted}", sender=DAKOTA, to=fresh.reply("dakota"), number=2)
    assert fresh.arrives(answer).disposition == "read"
    assert fresh.filed() == {}


def test_who_only_watches_need_not_any_more(fresh: AttackedService) -> None:
    """One letter, as mail programs write it for List-Unsubscribe, and no further report comes."""
    watcher = "watcher@example.com"
    asked = fresh.arrives(letter("OBSERVE demo", sender=watcher))
    confirm = message_from_bytes(fresh.answers(asked)[0].sealed.raw, policy=policy.default)
    fresh.arrives(letter("yes", sender=watcher, to=str(confirm["Reply-To"]), number=2))
    assert fresh.service.repository.people.observers("demo") == (watcher,)
    fresh.arrives(letter("READY", to=fresh.reply(), number=3))
    fresh.arrives(letter("READY", sender=DAKOTA, to=fresh.reply("dakota"), number=4))
    report = fresh.ours(watcher)
    to, _, subject = (
        str(report["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?subject=")
    )
    fresh.arrives(letter("", sender=watcher, to=to, subject=subject.replace("%20", " "), number=5))
    assert fresh.service.repository.people.observers("demo") == ()
