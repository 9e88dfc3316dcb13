"""New text against old: quotations, signatures, footers, and the order sheet that comes back."""

import pytest

from games.data import read_toml
from orders.mail.body import SHEET_TITLE, fresh_lines, sheet_of
from orders.mail.html_rows import TextRow, rows_of
from orders.mail.letter import Letter
from orders.mail.mime import Part

SHEET = ("W MHK H", "W ONE H", "W ONO H")
HEADERS = read_toml("tests.corpora", "headers.toml")["blocks"]
REPORT = f"W MHK - HUR\n\n{SHEET_TITLE}\n\nW MHK H\nW ONE H\nW ONO H\n\nW SEN - ERI"


def plain(text, **fields):
    return Letter(parts=(Part(kind="plain", text=text),), **fields)


def page(text):
    return Letter(parts=(Part(kind="html", text=text),))


def lines(letter, sheet=SHEET):
    return [(line.source, line.text) for line in fresh_lines(letter, sheet) if not line.below]


def quoted(text, mark="> "):
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def test_an_unchanged_sheet_says_nothing():
    assert lines(plain(quoted(REPORT))) == []


def test_changed_lines_of_the_sheet_are_orders():
    changed = quoted(REPORT).replace("W ONE H", "W ONE - HUR")
    assert lines(plain(changed)) == [("sheet", "W ONE - HUR")]
    assert lines(plain(changed), None) == []


def test_nothing_outside_the_sheet_is_looked_at():
    changed = quoted(REPORT).replace("W MHK - HUR", "W MHK - ERI").replace("W SEN - ERI", "W SEN - HUR")
    assert lines(plain(changed)) == []


def test_fresh_lines_between_quoted_ones_are_body():
    text = quoted(REPORT).replace("> W ONE H", "> W ONE H\nONE - HUR\n> W ONE - ERI")
    assert lines(plain(text)) == [("body", "ONE - HUR"), ("sheet", "W ONE - ERI")]


def test_a_sheet_line_that_a_program_broke_is_no_change():
    sheet = ("Rocky Mountain Shoshoni S Wind River Shoshoni - Northern Cheyenne", "W ONE H")
    broken = "> Rocky Mountain Shoshoni S Wind River\n> Shoshoni - Northern Cheyenne"
    text = f"> {SHEET_TITLE}\n>\n{broken}\n> W ONE - HUR"
    assert lines(plain(text), sheet) == [("sheet", "W ONE - HUR")]


def test_a_title_that_a_program_broke_is_found():
    text = "> Order sheet, change it\n> and send it back:\n>\n> W MHK - DEL\n> W ONE H"
    assert lines(plain(text)) == [("sheet", "W MHK - DEL")]


def test_a_sheet_with_empty_rows_between_its_lines_is_whole():
    text = quoted(f"{SHEET_TITLE}\n\nW MHK - DEL\n\nW ONE H\n\nW ONO H\n\nW SEN - ERI")
    assert lines(plain(text)) == [("sheet", "W MHK - DEL")]


def test_dashes_that_were_made_long_are_no_change():
    sheet = ("W MHK - DEL",)
    assert lines(plain(f"> {SHEET_TITLE}\n>\n> W MHK – DEL"), sheet) == []


def test_the_sheet_of_our_own_letter():
    assert sheet_of(REPORT) == SHEET
    assert sheet_of("no sheet") == ()
    assert sheet_of(f"{SHEET_TITLE}\n") == ()


def test_a_colon_does_not_begin_a_quotation():
    text = "From: Huron\nmy orders:\nMHK - DEL"
    assert lines(plain(text)) == [("body", line) for line in text.split("\n")]


def test_talk_about_a_letter_is_no_attribution():
    text = "Dakota wrote 2 letters, so:\nMHK - DEL"
    assert lines(plain(text)) == [("body", line) for line in text.split("\n")]


@pytest.mark.parametrize("who", ["I was", "some were", "Italy has been"])
def test_who_was_sent_something_wrote_nothing_of_what_follows(who):
    text = f"On 5 January at 10:05 {who} sent:\nMHK - DEL"
    assert lines(plain(text)) == [("body", line) for line in text.split("\n")]
    assert lines(plain("On 5 January at 10:05 Turnpost sent:\nMHK - DEL")) == []


def test_what_a_person_says_of_what_was_sent_is_no_attribution():
    text = "On 5 January at 10:05 Dakota sent us this:\nMHK - DEL"
    assert lines(plain(text)) == [("body", line) for line in text.split("\n")]


def test_an_order_above_an_attribution_is_kept():
    text = "W 54-55\nOn Tue, 17 Nov 2026 at 9:02, Turnpost <gm@example.org> wrote:\n> W 1-2"
    assert lines(plain(text)) == [("body", "W 54-55")]


def test_a_signature_ends_where_the_quotation_begins():
    text = "MHK - DEL\n-- \nme\n\n> W ONE H\nONO - ONE\n"
    assert lines(plain(text)) == [("body", "MHK - DEL"), ("body", "ONO - ONE")]


@pytest.mark.parametrize("header", HEADERS)
def test_below_a_header_of_a_mail_program_all_is_quotation(header):
    """Whatever it says: no words of ours are needed."""
    if HEADERS[header] and not header.startswith(("of_no_language", "polymail")):
        assert lines(plain(f"MHK - DEL\n\n{HEADERS[header]}\n\nONE H\nSEN H")) == [("body", "MHK - DEL")]


def test_a_block_without_a_sender_begins_a_quotation():
    block = "Date: Thu, 26 Nov 2026 00:15:02 -0600\nTo: iroquois@example.org"
    assert lines(plain(f"MHK - DEL\n\n{block}\n\nONE H")) == [("body", "MHK - DEL")]
    for other in ("Date: Thursday\nTo: Dakota", "To: dakota@example.org", "Date: 26 Nov 2026 00:15"):
        assert ("body", "ONE H") in lines(plain(f"MHK - DEL\n\n{other}\n\nONE H"))


@pytest.mark.parametrize(
    "attribution",
    [
        "On Wed, Nov 25, 2026 at 1:15 PM, Turnpost <gm@example.org> wrote:",
        "On Wed, Nov 25, 2026 at 1:15 PM\nTurnpost <gm@example.org> wrote:",
        "On 25 Nov 2026 at 13:15, Turnpost wrote:",
        "Am 25.11.2026 um 13:15 schrieb Turnpost <gm@example.org>:",
        "Le mer. 25 nov. 2026 à 13:15, Turnpost <gm@example.org> a écrit :",
        "El mié, 25 nov 2026 a las 13:15, Turnpost (<gm@example.org>) escribió:",
        "Il giorno mer 25 nov 2026 alle ore 13:15 Turnpost <gm@example.org> ha scritto:",
        "Op wo 25 nov 2026 om 13:15 schreef Turnpost <gm@example.org>:",
        "Em qua., 25 de nov. de 2026 às 13:15, Turnpost <gm@example.org> escreveu:",
    ],
)
def test_an_order_on_the_line_of_an_attribution_is_kept(attribution):
    for below in ("\n> W ONE H", "\n\nW ONE H"):
        text = f"MHK - DEL\nONE - HUR {attribution}{below}"
        assert lines(plain(text)) == [("body", "MHK - DEL"), ("body", "ONE - HUR")]


@pytest.mark.parametrize(
    "attribution",
    [
        "Turnpost <gm@example.org> wrote on Wednesday 25 Nov 2026 at 13:15:",
        "Turnpost schrieb am 25.11.2026 um 13:15:",
        "wt., 25 lis 2026 o 13:15 Turnpost <gm@example.org> napisał(a):",
        "2026-11-25 13:15 GMT+01:00 Turnpost <gm@example.org> wrote:",
        "At 13:15 on Wednesday, 25 November 2026, Turnpost wrote:",
    ],
)
def test_a_whole_attribution_is_not_taken_apart(attribution):
    assert lines(plain(f"MHK - DEL\n{attribution}\n> W ONE H")) == [("body", "MHK - DEL")]


@pytest.mark.parametrize(
    ("mark", "below"), [("--", "dashes"), ("-- ", "signature"), ("--\xa0", "signature"), ("---", "")]
)
def test_what_stands_below_hyphens_is_known_by_them(mark, below):
    found = fresh_lines(plain(f"MHK - DEL\n{mark}\nONE H"))
    assert [(line.text, line.below) for line in found] == [("MHK - DEL", ""), ("ONE H", below)]
    html = fresh_lines(page(f"<div>MHK - DEL</div><div>{mark}<br>ONE H</div>"))
    assert [(line.text, line.below) for line in html] == [("MHK - DEL", ""), ("ONE H", below)]


def test_a_line_of_hyphens_in_a_signature_ends_it_not():
    found = fresh_lines(plain("MHK - DEL\n-- \nme\n--\nONE H\n> quoted\nSEN H"))
    assert [(line.text, line.below) for line in found] == [
        ("MHK - DEL", ""),
        ("me", "signature"),
        ("ONE H", "signature"),
        ("SEN H", ""),
    ]


@pytest.mark.parametrize(
    "footer",
    [
        "Sent from my iPhone",
        "Sent from Yahoo Mail for iPhone",
        "Sent from Mail for Windows",
        "Get Outlook for iOS",
        "Holen Sie sich Outlook für Android",
        "Von meinem iPad gesendet",
        "Gesendet mit der GMX Mail App",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPhone",
        "Sent with Proton Mail secure email.",
    ],
)
def test_footers_of_programs_are_left_out(footer):
    assert lines(plain(f"MHK - DEL\n\n{footer}")) == [("body", "MHK - DEL")]


@pytest.mark.parametrize(
    "attribution",
    [
        "Am 17.11.2026 um 09:02 schrieb Turnpost:",
        "Le 17/11/2026 à 09:02, Turnpost a écrit :",
        "El 17/11/26 a las 9:02, Turnpost escribió:",
        "Il giorno mar 17 nov 2026 alle ore 09:02 Turnpost <gm@example.org> ha scritto:",
        "Op di 17 nov 2026 om 09:02 schreef Turnpost <gm@example.org>:",
        "Em ter., 17 de nov. de 2026 às 09:02, Turnpost <gm@example.org> escreveu:",
        "Den tis 17 nov. 2026 kl 09:02 skrev Turnpost <gm@example.org>:",
        "wt., 17 lis 2026 o 09:02 Turnpost <gm@example.org> napisał(a):",
        "Turnpost <gm@example.org> wrote:",
    ],
)
def test_attributions_in_many_languages(attribution):
    assert lines(plain(f"MHK - DEL\n\n{attribution}\n\n> ONE - HUR")) == [("body", "MHK - DEL")]
    assert lines(plain(f"MHK - DEL\n\n{attribution}\n\nONE - HUR")) == [("body", "MHK - DEL")]


def test_the_plain_part_goes_before_the_page_unless_it_says_nothing():
    both = (Part(kind="plain", text="MHK H"), Part(kind="html", text="<p>ONE H</p>"))
    assert lines(Letter(parts=both)) == [("body", "MHK H")]
    empty = (Part(kind="plain", text=" \n"), both[1])
    assert lines(Letter(parts=empty)) == [("body", "ONE H")]
    stub = (Part(kind="plain", text="Your mail program does not support HTML."), both[1])
    assert lines(Letter(parts=stub)) == [("body", "ONE H")]


def test_a_page_is_read_as_it_looks():
    text = (
        "<style>x</style><div>MHK <b>-</b>\nDEL</div><table><tr><td>ONE</td><td>H</td></tr></table>"
        "<p>SEN&nbsp;H<br>ONO H</p><div style='display:none'>CYG H</div><pre>HUR H\nERI H</pre>"
    )
    assert [text for _, text in lines(page(text))] == [
        "MHK - DEL",
        "ONE H",
        "SEN H",
        "ONO H",
        "HUR H",
        "ERI H",
    ]


def test_a_page_is_read_down_to_a_depth():
    rows = rows_of("<div>MHK H</div>" * 600 + "<div>" * 600 + "ONE H")
    assert [row.text for row in rows] == ["MHK H"] * 600


@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ('<div name="messageReplySection">', "</div>"),
        ('<div data-marker="__QUOTED_TEXT__">', "</div>"),
        (
            '<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">From: x</div><div>',
            "</div>",
        ),
    ],
)
def test_spark_and_zimbra_name_what_they_quote(begins, ends):
    found = fresh_lines(page(f"<div>MHK - DEL</div>{begins}<div>ONE H</div>{ends}"))
    assert [line.text for line in found] == ["MHK - DEL"]


def test_an_indent_is_no_quotation():
    indent = '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">MHK H</blockquote>'
    assert {row.depth for row in rows_of(indent)} == {0}
    assert rows_of("<blockquote>MHK H</blockquote>")[0] == TextRow(1, "MHK H")


def test_subjects_count_in_letters_of_their_own():
    assert lines(plain("", subject="MHK H")) == [("subject", "MHK H")]
    for subject in ("Re: MHK H", "AW: MHK H", "[beaver S1M Iroquois #token] MHK H", ""):
        assert lines(plain("", subject=subject)) == []
    assert lines(plain("", subject="MHK H", answers="<1@example.org>")) == []


def test_a_report_sent_along_is_not_read():
    files = (
        Part(kind="plain", text="see file"),
        Part(kind="attachment", name="orders.TXT", text="MHK H"),
        Part(kind="attachment", name="report.txt", text=REPORT),
        Part(kind="attachment", name="notes.md", text="ONE H"),
    )
    assert lines(Letter(parts=files)) == [("body", "see file"), ("attachment", "MHK H")]


def test_what_is_echoed_is_printable():
    assert lines(plain("MHK\u202e -\u200b DEL\tnow")) == [("body", "MHK - DEL now")]


def test_below_the_title_of_our_sheet_all_is_quotation_however_a_program_quotes():
    """Some programs mark nothing: of such a letter only changed lines of the sheet are read."""
    text = f"W MHK - DEL\n\n---- somebody ----\n\n{SHEET_TITLE}\n\nW MHK H\nW ONE - HUR\nW SEN H\n\nW ERI H\n"
    found = fresh_lines(plain(text), ("W MHK H", "W ONE H", "W SEN H"))
    assert [(line.source, line.text) for line in found] == [
        ("body", "W MHK - DEL"),
        ("body", "---- somebody ----"),
        ("sheet", "W ONE - HUR"),
    ]


@pytest.mark.parametrize("tag", ["s", "strike", "del", 'span style="text-decoration: line-through"'])
def test_what_is_struck_out_is_not_said(tag):
    html = f"<div>W MHK H</div><div><{tag}>W ONE H</{tag.split()[0]}></div><div>W SEN H</div>"
    assert [line.text for line in fresh_lines(page(html))] == ["W MHK H", "W SEN H"]


def test_what_begins_a_quotation_is_looked_for_where_it_may_stand():
    """The quick check for a sign misses no pattern."""
    table = read_toml("orders", "quoting.toml")
    assert all(pattern.endswith(":$") for pattern in table["attribution"]["bare"])
    whole = (
        table["attribution"]["bare"],
        *(table[name]["patterns"] for name in ("separator", "footer", "notice")),
    )
    assert all(pattern.startswith("^") for patterns in whole for pattern in patterns)


@pytest.mark.parametrize(
    "line", ["On 5 January, the Turnpost wrote:", "5 January, Turnpost schrieb:", "On 5 January, X pisze:"]
)
def test_a_verb_announces_a_quotation_where_it_is_a_word(line):
    assert lines(plain(f"MHK H\n{line}\n> ONE H")) == [("body", "MHK H")]
    for part in ("rewrote:", "schriebt:", "pisze2:"):
        other = f"{line.rpartition(' ')[0]} {part}"
        assert lines(plain(f"MHK H\n{other}\n> ONE H")) == [("body", "MHK H"), ("body", other)]
