"""Encoded emails: every mail program can read them, and no content can break them."""

import quopri
from binascii import b2a_qp
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import Attachment, HeaderText, LetterDraft
from games.record import replace_fields

NOW = 1_795_270_000_000
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
TOKEN = "jwdubx3qgsjxc"
REPORT = LetterDraft(
    key="demo/3/report/Iroquois",
    to="iro@players.example",
    subject=f"[demo S1M Iroquois #{TOKEN}] Spring, year 1",
    text="Spring, year 1\n\n.a line with a dot\nFrom here to there\nÖneida → Mohawk\n",
    html='<html><p>Öneida</p><img src="cid:map" alt="map"></html>',
    picture=PICTURE,
    game="demo",
    seat="Iroquois",
    turn="S1M",
    token=TOKEN,
)


def sealed(outgoing):
    """The letter as the service seals it."""
    return encode_letter(
        outgoing, key=b"k" * 32, service_address="gm@example.org", service_name="Turnpost", now=NOW
    )


def parsed(outgoing):
    """The letter as the standard library reads it."""
    return message_from_bytes(sealed(outgoing).raw, policy=policy.default)


def head_of(letter):
    """The header lines, as bytes."""
    return letter.raw.partition(b"\r\n\r\n")[0].split(b"\r\n")


def test_a_report_has_text_html_and_map():
    message = parsed(REPORT)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    assert message.defects == []
    assert message.get_body(("plain",)).get_content().replace("\r\n", "\n") == REPORT.text
    picture = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture.get_content() == PICTURE
    assert picture.get_filename() == "map.png"
    page = next(part for part in message.walk() if part.get_content_type() == "text/html").get_content()
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in page


@given(st.integers(0, 4_102_444_800_000))
def test_the_date_is_the_one_that_the_standard_library_writes(now):
    sealed_then = encode_letter(
        REPORT, key=b"k" * 32, service_address="gm@example.org", service_name="Turnpost", now=now
    )
    said = sealed_then.raw.partition(b"\r\n")[0].decode()
    assert said == f"Date: {format_datetime(datetime.fromtimestamp(now // 1000, UTC))}"


def test_headers_say_what_they_should():
    letter = sealed(REPORT)
    message = parsed(REPORT)
    assert message["From"].addresses[0].display_name == "Turnpost demo"
    assert message["To"] == "iro@players.example"
    assert message["Reply-To"] == f"gm+demo.iroquois.{TOKEN}@example.org"
    assert message["Subject"] == REPORT.subject
    assert message["Date"].datetime.timestamp() * 1000 == NOW
    assert message["Message-ID"] == letter.message_id
    assert letter.message_id.startswith(f"<demo.iroquois.{TOKEN}.")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert message["X-Loop"] == "gm@example.org"
    assert (message["Precedence"], message["List-Id"]) == (None, None), "it is to one reader, who answers it"
    assert message["X-Turnpost"] == "demo S1M iroquois"
    assert (letter.key, letter.to) == (REPORT.key, REPORT.to)
    assert (letter.game, letter.seat) == ("demo", "Iroquois")


def test_who_only_watches_is_told_how_to_end_it():
    words = HeaderText("RESIGN demo")
    watching = replace_fields(REPORT, seat=None, token=None, reply_to="gm+w.abc@example.org", leave=words)
    message = parsed(watching)
    assert message["List-Unsubscribe"] == "<mailto:gm+w.abc@example.org?subject=RESIGN%20demo>"
    assert (message["Precedence"], message["List-Id"]) == ("bulk", "<demo.example.org>")
    digest = replace_fields(watching, reply_to=None, leave=HeaderText("LETTERS DIGEST OFF"))
    said = parsed(digest)["List-Unsubscribe"]
    assert said == "<mailto:gm@example.org?subject=LETTERS%20DIGEST%20OFF>"
    assert parsed(REPORT)["List-Unsubscribe"] is None


def test_a_letter_to_a_stranger_is_bare():
    message = parsed(
        LetterDraft(key="help/1", to="a@b.c", subject="Help", text="Help.", automatic="auto-replied")
    )
    assert message.get_content_type() == "text/plain"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Turnpost"] == "service"
    assert [message[name] for name in ("Reply-To", "List-Id", "In-Reply-To", "References")] == [None] * 4


def test_the_same_letter_is_the_same_bytes():
    assert sealed(REPORT) == sealed(REPORT)


def test_letters_are_7_bit_and_of_bounded_lines():
    letter = sealed(replace_fields(REPORT, text="x" * 5000 + "ü" * 5000, html="<p>" + "y" * 9000))
    assert max(letter.raw) < 128
    assert b"\0" not in letter.raw
    assert max(len(line) for line in letter.raw.split(b"\r\n")) <= 78
    assert letter.raw.count(b"\n") == letter.raw.count(b"\r\n")


LONG = "<" + "AM6PR05MB4567" * 6 + "@AM6PR05MB4567.eurprd05.prod.outlook.example>"


def test_long_message_ids_are_written_as_they_are():
    """Encoded ones break the thread in every mail program."""
    assert len(LONG) > 90
    letter = sealed(replace_fields(REPORT, answer_to=LONG, thread=("<first@x>", LONG.replace("A", "B"))))
    assert f"In-Reply-To: {LONG}".encode() in head_of(letter)
    assert f" {LONG}".encode() in head_of(letter)
    assert b"=?" not in letter.raw.partition(b"\r\n\r\n")[0]


def test_a_long_thread_keeps_its_first_and_its_last():
    ids = tuple(f"<{number}@example.org>" for number in range(40))
    message = parsed(replace_fields(REPORT, thread=ids))
    assert message["References"].split() == [ids[0], *ids[-8:]]
    assert message["In-Reply-To"] == ids[-1]


def test_an_answer_names_what_it_answers_once():
    message = parsed(replace_fields(REPORT, thread=("<a@x>", "<b@x>"), answer_to="<b@x>"))
    assert message["References"].split() == ["<a@x>", "<b@x>"]
    assert message["In-Reply-To"] == "<b@x>"


@pytest.mark.parametrize(
    "bad", ["", "no id", "<a@b>\r\nBcc: x@y", "<a b@c>", "<ä@b>", "<a@b><c@d>", "<" + "x" * 2000 + "@y>"]
)
def test_ids_that_are_none_are_left_out(bad):
    said = HeaderText.clean(bad)
    message = parsed(replace_fields(REPORT, thread=("<a@x>", said), answer_to=said))
    assert message["References"] == "<a@x>"
    assert message["In-Reply-To"] == "<a@x>"
    assert message["Bcc"] is None


@pytest.mark.parametrize(
    "text",
    [
        "hello\r\nBcc: evil@example.org",
        "hello\nX-Evil: 1\n\nbody",
        "=?utf-8?q?hi=0D=0ABcc:_evil=40example.org?=",
        "a\0b\x0b\x0c\x85\u2028Bcc: evil@example.org",
        "half \udcc3 a letter",
        "ü" * 300,
        "x" * 3000,
        'quote " backslash \\ <angle@example.org>',
    ],
)
def test_no_text_of_a_player_makes_a_header(text):
    usual = [line.partition(b":")[0] for line in head_of(sealed(REPORT))]
    said = HeaderText.clean(text)
    letter = sealed(replace_fields(REPORT, subject=said, picture_name=said, turn=None))
    names = [line.partition(b":")[0] for line in head_of(letter) if not line.startswith(b" ")]
    assert sorted(names) == sorted(name for name in usual if not name.startswith(b" "))
    message = message_from_bytes(letter.raw, policy=policy.compat32)
    assert message["Bcc"] is None
    assert max(len(line) for line in head_of(letter)) <= 998
    named = encode_letter(
        replace_fields(REPORT, text=text),
        key=b"k",
        service_address="gm@example.org",
        service_name=text,
        now=NOW,
    )
    sender = message_from_bytes(named.raw, policy=policy.default)["From"].addresses
    assert [one.addr_spec for one in sender] == ["gm@example.org"]


def test_an_encoded_subject_reads_as_it_was_meant():
    for subject in ("Frühling, Jahr 1 → Öneida " * 4, "about =?utf-8?q?this?= thing"):
        clean = " ".join(subject.split())
        assert parsed(replace_fields(REPORT, subject=subject))["Subject"] == clean


IN_HEADERS = (
    "to",
    "subject",
    "picture_name",
    "game",
    "seat",
    "turn",
    "token",
    "reply_to",
    "answer_to",
    "automatic",
)


@pytest.mark.parametrize("field", IN_HEADERS)
@pytest.mark.parametrize("end", ["\r", "\n", "\0", "\u2028"])
def test_no_letter_is_made_of_what_no_header_can_hold(field, end):
    """The email can't be created at all, so nothing has to be checked later."""
    with pytest.raises(ValueError, match="no header can hold"):
        replace_fields(REPORT, **{field: f"x{end}Bcc: evil@example.org"})


@pytest.mark.parametrize("field", ["name", "media"])
def test_no_file_goes_along_that_would_begin_a_header(field):
    with pytest.raises(ValueError, match="no header can hold"):
        Attachment(**{"name": "a.svg", "media": "image/svg+xml", "content": b"", field: "x\r\nX-Evil: 1"})


def test_no_thread_holds_a_line_end():
    with pytest.raises(ValueError, match="no header can hold"):
        replace_fields(REPORT, thread=("<a@b>", "<c@d>\nBcc: evil@example.org"))


@given(st.text(max_size=60))
def test_header_text_holds_what_can_be_seen(text):
    """Cleaned text is accepted; any other can't be created at all."""
    cleaned = HeaderText.clean(text)
    assert not set(cleaned) & set("\r\n\0")
    assert HeaderText(cleaned) == cleaned
    if set(text) & set("\r\n\0"):
        with pytest.raises(ValueError, match="no header"):
            HeaderText(text)


@pytest.mark.parametrize("to", ["x@y> RCPT TO:<z@z", "two words@x.org", ""])
def test_no_letter_goes_to_what_is_no_address(to):
    with pytest.raises(ValueError, match="can't address"):
        sealed(replace_fields(REPORT, to=to))


def test_a_boundary_cannot_be_forged():
    """A player who knows the Message-ID of a letter to come still cannot end a part of it."""
    mark = sealed(REPORT).message_id.partition("@")[0][-16:]
    forged = f"--=_{mark}_0--\n--=_{mark}_1\nContent-Type: text/html\n\n<b>forged</b>\n"
    message = parsed(replace_fields(REPORT, text=forged, html=forged))
    assert len(list(message.walk())) == 5
    assert message.get_body(("plain",)).get_content().replace("\r\n", "\n") == forged


printable = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=200)


@given(
    subject=printable, text=printable, html=st.none() | printable, picture=st.none() | st.binary(max_size=99)
)
def test_envelopes_survive_the_parser(subject, text, html, picture):
    message = parsed(replace_fields(REPORT, subject=subject, text=text, html=html, picture=picture))
    assert message.defects == []
    assert message.get_body(("plain",)).get_content().rstrip("\r\n") == text
    if html is not None:
        page = next(part for part in message.walk() if part.get_content_type() == "text/html")
        assert page.get_content().rstrip("\r\n") == html
    pictures = [part.get_content() for part in message.walk() if part.get_content_type() == "image/png"]
    assert pictures == ([picture] if html is not None and picture is not None else [])


_ROWS = st.lists(
    st.text(st.sampled_from("a=. \tÖ✓"), max_size=4).map(lambda row: row * 30) | st.text("x.= ", max_size=3)
)


@given(_ROWS)
def test_rows_by_themselves_are_written_as_all_of_them_together(rows):
    """With rows that were written earlier among them: the form of a row doesn't depend on others."""
    text = "\n".join([*rows, *rows, "end"])
    together = b2a_qp(text.encode().replace(b"\n", b"\r\n") + b"\r\n", istext=True)
    assert sealed(replace_fields(REPORT, text=text, html=None, picture=None)).raw.endswith(
        b"\r\n\r\n" + together
    )


@given(st.text(max_size=120), st.text(max_size=120), st.text(max_size=60))
def test_whatever_is_said_can_be_sealed(subject, text, answer_to):
    said = {"subject": HeaderText.clean(subject), "answer_to": HeaderText.clean(answer_to)}
    letter = sealed(replace_fields(REPORT, text=text, html=text, **said))
    assert letter.raw.isascii()
    names = {line.partition(b":")[0] for line in head_of(letter) if not line.startswith(b" ")}
    assert len(names) in (12, 14)


@pytest.mark.parametrize("around", ["{}", "Seneca H{}", "Öneida → {}Mohawk\n", "a\r\n{}\n"])
def test_what_is_unseen_is_left_out_among_whatever_signs(around):
    """A text gives the same result as bytes or character by character."""
    for code in (*range(0x100), 0x85, 0xA0, 0x2028, 0xD800, 0x1F6F6):
        text = around.format(chr(code))
        plain = text.replace("\r\n", "\n")
        unseen = code < 9 or 10 < code < 32 or 126 < code < 160 or code == 0xD800
        kept = plain.replace(chr(code), "") if unseen else plain
        letter = sealed(replace_fields(REPORT, text=text, html=None, picture=None))
        body = quopri.decodestring(
            letter.raw.partition(b"quoted-printable\r\n\r\n")[2].partition(b"\r\n--=_")[0]
        )
        assert body.decode().replace("\r\n", "\n") == kept + ("" if kept.endswith("\n") else "\n"), code
