"""Forwarded genuine emails, and headers that fake an author.

Each row of PASSED_ON is a player's email to someone else or from long ago: it has no effect, except perhaps a
question to its writer. Each row of PRETENCES claims to be from a player's mailbox but isn't. Similar honest
emails stand next to each row, and count.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.clock import DAY, HOUR
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter

ORDER = "Mohawk - Delaware"
US = "gm@example.org"
DMARC = "dmarc=pass header.from=example.net"
SENT_BY_HER = f"mx.example.org; spf=pass smtp.mailfrom={IROQUOIS}; {DMARC}"
"""What our server says of an email that her own server handed to it, in her name."""

ALL = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service to be copied."""
    folder = tmp_path_factory.mktemp("passed-on") / "template_folder"
    begin_games(folder, ["demo"])
    return folder


@pytest.fixture
def fresh(template_folder: Path, tmp_path: Path) -> Iterator[AttackedService]:
    """A service that nothing has happened to."""
    with attacked_service(Path(shutil.copytree(template_folder, tmp_path / "fresh"))) as it:
        yield it


def hers(it: AttackedService, text: str = ORDER, to: str = DAKOTA, ago: int = HOUR, **headers: str) -> bytes:
    """An email that the player of the Iroquois wrote, before anybody signed it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return letter(text, to=to, date=it.clock.now() - ago, headers=named, number=it.count + 100)


def add_server_results(raw: bytes, results: str) -> bytes:
    """An email with what our server says of it on top."""
    return f"Authentication-Results: {results}\r\n".encode() + raw


def of_signature(raw: bytes, *named: str) -> str:
    """Return our server's result for the signature of an email, by some of the properties that name it."""
    value = raw.partition(b" b=")[2].partition(b"\r\n\r\n")[0].split(b"\r\nFrom:")[0]
    known = {
        "header.d": "example.net",
        "header.s": "post",
        "header.i": "@example.net",
        "header.b": b"".join(value.split())[:8].decode(),
    }
    return " ".join(["mx.example.org; dkim=pass", *(f"{name}={known[name]}" for name in named)])


@dataclass(frozen=True)
class PassedOn:
    """A row. made: the email; asks: whether its writer is asked if she meant it for us."""

    name: str
    made: Callable[[AttackedService], bytes]
    asks: bool = True


def named(it: AttackedService, *properties: str, **headers: str) -> bytes:
    raw = NET.signed(hers(it, **headers), ALL)
    return add_server_results(raw, of_signature(raw, *properties))


def forged_beside(it: AttackedService) -> bytes:
    """Her signature covers no recipients; above it stands one that would, and our server names neither."""
    raw = NET.signed(hers(it, to=US), ALL[:1] + ALL[3:])
    forged = "v=1; a=rsa-sha256; d=example.net; s=post; h=from:to:cc:subject:date:message-id; bh=AAAA; b=AAAA"
    return add_server_results(
        f"DKIM-Signature: {forged}\r\n".encode() + raw, "mx.example.org; dkim=pass header.d=example.net"
    )


PASSED_ON = (
    PassedOn("orders to an ally, signed", lambda it: NET.signed(hers(it), ALL)),
    PassedOn(
        "DMARC in our server's result", lambda it: add_server_results(hers(it), f"mx.example.org; {DMARC}")
    ),
    PassedOn(
        "DMARC, and an envelope of the one who passed it on",
        lambda it: add_server_results(hers(it), f"mx.example.org; spf=pass smtp.mailfrom={DAKOTA}; {DMARC}"),
    ),
    PassedOn(
        "DMARC, and no more of the envelope than its domain",
        lambda it: add_server_results(
            hers(it), f"mx.example.org; spf=pass smtp.mailfrom=example.net; {DMARC}"
        ),
    ),
    PassedOn(
        "DMARC, and an envelope that failed",
        lambda it: add_server_results(
            hers(it), f"mx.example.org; spf=softfail smtp.mailfrom={IROQUOIS}; {DMARC}"
        ),
    ),
    PassedOn("a signature that our server names", lambda it: named(it, "header.d", "header.b")),
    PassedOn("one that it names by its domain alone", lambda it: named(it, "header.d")),
    PassedOn("Resent-To on top", lambda it: b"Resent-To: gm@example.org\r\n" + NET.signed(hers(it), ALL)),
    PassedOn("Delivered-To on top", lambda it: b"Delivered-To: gm@example.org\r\n" + NET.signed(hers(it))),
    PassedOn("we are in Cc, which is not signed", lambda it: NET.signed(hers(it, cc=US))),
    PassedOn("To is not signed", lambda it: NET.signed(hers(it, to=US), ALL[:1] + ALL[3:])),
    PassedOn(
        "a second To, which is not signed, where our server names the signature",
        lambda it: b"To: gm@example.org\r\n" + named(it, "header.d", "header.b"),
    ),
    PassedOn("another signature that covers more, and is none", forged_beside),
    PassedOn(
        "a second Subject, where our server names the signature",
        lambda it: b"Subject: Mohawk - Delaware\r\n" + named(it, "header.d", text="Hello.", to=US),
    ),
    PassedOn("to us, years ago", lambda it: NET.signed(hers(it, to=US, ago=1000 * DAY), ALL), asks=False),
    PassedOn("to us, eight days ago", lambda it: NET.signed(hers(it, to=US, ago=8 * DAY), ALL), asks=False),
    PassedOn("to somebody else, two days ago", lambda it: NET.signed(hers(it, ago=2 * DAY), ALL), asks=False),
    PassedOn("to us, in two days", lambda it: NET.signed(hers(it, to=US, ago=-2 * DAY), ALL)),
    PassedOn("CLEAR", lambda it: NET.signed(hers(it, "CLEAR"), ALL)),
    PassedOn("READY", lambda it: NET.signed(hers(it, "READY"), ALL)),
    PassedOn("RESIGN", lambda it: NET.signed(hers(it, "RESIGN"), ALL)),
    PassedOn("a chat", lambda it: NET.signed(hers(it, "Till then!", Subject="Sunday"), ALL), asks=False),
    PassedOn(
        "our address as the name of a friend",
        lambda it: NET.signed(hers(it, to=f'"gm@example.org" <{DAKOTA}>'), ALL),
    ),
    PassedOn(
        "our address in a comment",
        lambda it: NET.signed(hers(it, to=f"((a) gm@example.org b) <{DAKOTA}>"), ALL),
    ),
)


@pytest.mark.parametrize("row", PASSED_ON, ids=lambda row: row.name)
def test_an_email_that_somebody_passes_on_does_nothing(fresh: AttackedService, row: PassedOn) -> None:
    fresh.arrives(letter("Seneca H", to=fresh.reply(), date=fresh.clock.now()))
    before = fresh.position()
    shown = fresh.arrives(row.made(fresh))
    after = fresh.position()
    assert shown.disposition == "quarantined"
    assert (after.filed, after.assignments, after.entries) == (
        before.filed,
        before.assignments,
        before.entries,
    )
    assert [posted.sealed.to for posted in fresh.answers(shown)] == ([IROQUOIS] if row.asks else [])


def test_an_email_to_us_is_taken_once_whatever_is_changed_in_it_that_no_signature_sees(
    fresh: AttackedService,
) -> None:
    """Somebody who had a copy sends it again, with another blank at the end of a line."""
    raw = NET.signed(hers(fresh, f"{ORDER}\nOneida H", to=US), ALL)
    assert fresh.arrives(raw).disposition == "read"
    fresh.arrives(NET.signed(hers(fresh, "Mohawk H", to=US), ALL))
    before = fresh.filed()
    assert before["Iroquois"]
    again = fresh.arrives(raw.replace(b"Delaware\r\n", b"Delaware \r\n"))
    assert again.disposition == "quarantined"
    assert fresh.filed() == before


HONEST = (
    ("signed, to us", lambda it: NET.signed(hers(it, to=US), ALL)),
    ("signed, to us with a suffix", lambda it: NET.signed(hers(it, to="gm+demo@example.org"), ALL)),
    ("signed, to others, and to us in Cc", lambda it: NET.signed(hers(it, cc=f"a@b.example, {US}"), ALL)),
    ("we are in Bcc, and her server handed it over", lambda it: add_server_results(hers(it), SENT_BY_HER)),
    ("a signature that our server names", lambda it: named(it, "header.d", "header.b", to=US)),
    ("one that it names by its domain alone", lambda it: named(it, "header.d", to=US)),
    ("one that it names as Google does", lambda it: named(it, "header.i", "header.s", "header.b", to=US)),
    ("a file of a Maildir", lambda it: NET.signed(hers(it, to=US), ALL).replace(b"\r\n", b"\n")),
    ("six days on its way", lambda it: NET.signed(hers(it, to=US, ago=6 * DAY), ALL)),
    ("from a clock that is fast", lambda it: NET.signed(hers(it, to=US, ago=-20 * HOUR), ALL)),
)


@pytest.mark.parametrize(("name", "made"), HONEST, ids=[name for name, _ in HONEST])
def test_mail_of_honest_people_counts(
    fresh: AttackedService, name: str, made: Callable[[AttackedService], bytes]
) -> None:
    shown = fresh.arrives(made(fresh))
    assert (shown.disposition, shown.seat) == ("read", "Iroquois")
    assert (
        fresh.filed() == {"Iroquois": ["MoveOrder(unit='61', to='60', via=())"]} or fresh.filed()["Iroquois"]
    )


# Headers that only seem to say who wrote it.


def from_line(it: AttackedService, value: str | bytes, results: str | None = SENT_BY_HER) -> bytes:
    """An email with that From line, and what our server says of it."""
    raw = hers(it, to=US).replace(
        f"From: {IROQUOIS}".encode(), b"From: " + (value if isinstance(value, bytes) else value.encode())
    )
    return add_server_results(raw, results) if results else raw


FROM = (
    f"(her (own) mailbox <{IROQUOIS}>) thief@example.net",
    f"((a) {IROQUOIS} x) <thief@example.net>",
    f"Players: {IROQUOIS};",
    f"Players: {IROQUOIS}, thief@example.net;",
    f'"thief@example.net" <{IROQUOIS}>, "x"',
    f"{IROQUOIS} <thief@example.net>",
    f'"thief"@example.net <{IROQUOIS}>',
    f'<{IROQUOIS}> "thief"@example.net',
    f"(a) (b) <{IROQUOIS}>",
    "iro\u200bquois@example.net",
    "<iroquois\u2060@example.net>",
    "iroquois\u00ad@example.net",
    f"<@relay.example:{IROQUOIS}>",
    f"Iroquois <{IROQUOIS}",
    f"Iroquois {IROQUOIS}>",
    f"<{IROQUOIS}> <thief@example.net>",
    f'thief@example.net "<{IROQUOIS}>" <{IROQUOIS}>',
)


@pytest.mark.parametrize("value", FROM)
@pytest.mark.parametrize("results", [SENT_BY_HER, "mx.example.org; " + DMARC])
def test_a_from_line_that_is_not_exactly_one_mailbox_authenticates_nobody(
    fresh: AttackedService, value: str, results: str
) -> None:
    shown = fresh.arrives(from_line(fresh, value, results))
    assert shown.disposition == "quarantined"
    assert fresh.filed() == {}


def test_a_letter_that_only_looks_like_another_one_of_an_address(fresh: AttackedService) -> None:
    """The sign for kelvin is a small k once it is written small."""
    results = SENT_BY_HER.replace(IROQUOIS, DAKOTA).replace("example.net", "example.com")
    shown = fresh.arrives(from_line(fresh, "da\u212aota@example.com", results))
    assert shown.disposition == "quarantined"
    assert fresh.filed() == {}


MAILBOXES = (
    IROQUOIS,
    f"<{IROQUOIS}>",
    f"Jane of the Iroquois <{IROQUOIS}>",
    f'"Jane, of the (five) nations <x@y.example>" <{IROQUOIS}>',
    f'"a \\" b" <{IROQUOIS}>',
    f"J. R. Doe <{IROQUOIS}>",
    f"=?utf-8?q?J=C3=A4ne?= <{IROQUOIS}>",
    f"J\u00e4ne <{IROQUOIS}>",
    f"{IROQUOIS} (Jane Doe)",
    f"Jane (Iroquois) <{IROQUOIS}>",
    f"Jane\r\n <{IROQUOIS}>",
    "Jane <Iroquois@Example.NET>",
)


@pytest.mark.parametrize("value", MAILBOXES)
def test_any_name_may_stand_before_the_one_mailbox(fresh: AttackedService, value: str) -> None:
    shown = fresh.arrives(from_line(fresh, value))
    assert (shown.disposition, shown.seat) == ("read", "Iroquois")


HEADERS = (
    b"X-A: x\rAuthentication-Results: " + SENT_BY_HER.encode() + b"\r\n",
    b"X-A: x\r\n\rAuthentication-Results: " + SENT_BY_HER.encode() + b"\r\n",
)


@pytest.mark.parametrize("head", HEADERS)
def test_a_lone_cr_ends_no_header(fresh: AttackedService, head: bytes) -> None:
    """We took it for one, and nobody else did: the server read it as part of the header above."""
    shown = fresh.arrives(head + hers(fresh, to=US))
    assert shown.disposition == "quarantined"
    assert fresh.filed() == {}


CARELESS = (
    ("a lone CR", lambda raw: b"X-A: x\ry\r\n" + raw),
    ("a line that is no header", lambda raw: b"Hello there\r\n" + raw),
    ("a blank before a colon", lambda raw: b"Subject : READY\r\n" + raw.replace(b"\nSubject:", b"\nX-S:")),
    ("one line that ends with LF", lambda raw: b"X-A: x\n" + raw),
    ("an empty line that ends with LF", lambda raw: raw.replace(b"\r\n\r\n", b"\r\n\n", 1)),
)


@pytest.mark.parametrize(("name", "made"), CARELESS, ids=[name for name, _ in CARELESS])
@pytest.mark.parametrize("signed", [True, False])
def test_a_head_whose_lines_do_not_all_end_alike_authenticates_nobody(
    fresh: AttackedService, name: str, made: Callable[[bytes], bytes], signed: bool
) -> None:
    """It is read as ever, by its token."""
    raw = hers(fresh, to=US)
    raw = NET.signed(raw, ALL) if signed else add_server_results(raw, SENT_BY_HER)
    shown = fresh.arrives(made(raw))
    assert shown.disposition == "quarantined"
    assert fresh.filed() == {}
    shown = fresh.arrives(made(hers(fresh, to=fresh.reply())))
    assert (shown.disposition, shown.seat) == ("read", "Iroquois")


_SPF = f"spf=pass (helo=x) smtp.mailfrom={IROQUOIS}"
HELO = (
    f"mx.example.org; spf=fail (helo=x); {DMARC}; spf=pass smtp.mailfrom={IROQUOIS}; x=none (y) smtp.helo=x",
    f"mx.example.org; spf=fail (helo=x); {DMARC}; spf=pass smtp.mailfrom={IROQUOIS} smtp.helo=x) smtp.helo=x",
    f'mx.example.org; spf=pass (helo=") smtp.mailfrom={IROQUOIS}; {DMARC}; x="(") smtp.mailfrom=a@x.example',
    f"mx.example.org; {_SPF} (y) smtp.mailfrom=thief@x.example; {DMARC}",
    f"mx.example.org; {_SPF}; a=none (y) smtp.mailfrom=thief@x.example; {DMARC}",
    f"mx.example.org; {_SPF}; ! (y) smtp.mailfrom=thief@x.example; {DMARC}",
    f'mx.example.org; spf=pass smtp.mailfrom="a smtp.mailfrom={IROQUOIS} b"@x.example; {DMARC}',
    f"mx.example.org; spf=fail smtp.mailfrom=a@x.example (helo=; spf=pass smtp.mailfrom={IROQUOIS}); {DMARC}",
)


@pytest.mark.parametrize("results", HELO)
def test_what_a_server_repeats_of_a_sender_in_a_comment_is_no_result(
    fresh: AttackedService, results: str
) -> None:
    """The name by which a server greets ours (HELO) may be any text."""
    fresh.arrives(add_server_results(hers(fresh), results))
    assert fresh.filed() == {}
