"""Our own words below a header that nobody knows: in a row they are ours, alone they are what they hold."""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from games.data import read_toml
from orders.mail.service_text import NO_REGION, region_of, says_our_words, sort_of
from orders.verdict import IN_FORCE
from orders.words import tidy
from tests.kit import own_words
from tests.kit.dry_runs import HEAD, read_letter

FOLDER = Path(__file__).parent.parent / "corpora"
GOLDEN = FOLDER.parent / "golden" / "reports"
REPLY = (FOLDER / "our_reply.txt").read_text(encoding="utf-8")
PAGE = (FOLDER / "our_reply.html").read_text(encoding="utf-8")
TABLE: dict[str, Any] = read_toml("tests.corpora", "headers.toml")
TYPED = ("A Par - Bur", "F Bre - Mao", "A Mar - Spa")


def rows_of(raw: str) -> list[tuple[str, str]]:
    """Grade and order, or line, of each row of an email to the opening."""
    found = read_letter(raw.encode(), "standard", "France")["orders"]
    return [(row["grade"], row["read_as"] or row["line"]) for row in found if not row["superseded"]]


def in_plain_text(*parts: str) -> str:
    return HEAD.format(subject="Re: [fox S1901M France]") + "\n\n".join(parts)


def as_page(*parts: str) -> str:
    head = HEAD.format(subject="Re: [fox S1901M France]").replace("text/plain", "text/html")
    return head + f"<html><body>{''.join(parts)}</body></html>"


ORDERS = [("taken", one) for one in ("A PAR - BUR", "F BRE - MAO", "A MAR - SPA")]


@pytest.mark.parametrize("header", TABLE["blocks"])
def test_below_any_header_our_words_are_ours(header: str) -> None:
    assert rows_of(in_plain_text("\n".join(TYPED), TABLE["blocks"][header], REPLY)) == ORDERS


@pytest.mark.parametrize("header", TABLE["blocks"])
def test_the_orders_may_stand_below_ours(header: str) -> None:
    """Except below a recognised header: everything there is a quotation."""
    if header in ("of_no_language", "nothing"):
        head, _, _ = REPLY.partition("Order sheet")
        assert rows_of(in_plain_text(TABLE["blocks"][header], head, "\n".join(TYPED))) == ORDERS


@pytest.mark.parametrize("program", TABLE["pages"])
def test_in_a_page_our_words_are_ours(program: str) -> None:
    before, behind = TABLE["pages"][program]
    typed = "".join(f"<div>{one}</div>" for one in TYPED)
    assert rows_of(as_page(typed, before, PAGE, behind)) == ORDERS


SEATS = {
    "chaos": "Paris",
    "indianomacy": "Iroquois",
    "war-chest": "player",
    "great-war": "player",
    "boer-war": "Empire",
    "plains-indian-wars": "US",
}
WHOLE = sorted(path for path in GOLDEN.iterdir() if path.suffix in (".txt", ".html"))


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.name)
def test_every_email_of_ours_is_known_below_no_header(path: Path) -> None:
    """Reports, welcomes, replies and notices of each game, as they would come back without marks.

    Its order sheet is compared with that of another position here, so that its lines seem to be changed.
    """
    kind = next((one for one in SEATS if path.name.startswith(one)), "standard")
    ours = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        raw = in_plain_text("Hello,", ours)
    else:
        raw = as_page("").replace("</body></html>", "") + ours.replace("<body", "<div>Hello,</div><div", 1)
    found = read_letter(raw.encode(), kind, SEATS.get(kind, "France"))
    assert [row["line"] for row in found["orders"] if row["source"] != "sheet"] == []
    assert found["commands"] == []


def test_each_sentence_that_we_have_is_known(request: pytest.FixtureRequest) -> None:
    """``make golden`` adds missing ones. No wording is removed, because old emails still have it."""
    if request.config.getoption("--write-golden", default=False):
        own_words.add()
    assert own_words.present() <= own_words.known_segments()


def test_each_sentence_that_we_ever_had_is_known() -> None:
    """By the history of templates and catalogues, where there is one."""
    assert own_words.ever() <= own_words.known_segments()


def test_the_sentences_of_our_emails_are_known_however_they_are_wrapped() -> None:
    for sentence in sorted(own_words.present()):
        if len(sentence.split()) >= 12:
            assert says_our_words(sentence), sentence
            rows = textwrap.wrap(sentence, 72)
            assert all(says_our_words(row) for row in rows if len(row.split()) >= 6), sentence


@pytest.mark.parametrize(
    "row",
    [
        "HELP also explains these words of The Great War: BASE, PARTIAL, WITHDRAW.",
        "Due now: Turn 1, Boers, round 1, action 1: 1 order for the action at",
        "Turn 1, Settlers",
        "Turn 2, Combat Round 2 · Turn 2, Bonus phase",
        "Orders for W Seneca, W Ottawa, W Erie, W Susquehanna, W Pamunkey, W Powhatan",
        "Apache and Iroquois built one War Party each. Shoshoni disbanded one War Party.",
        "1 to fix, 2 accepted.",
    ],
)
def test_a_label_or_heading_that_is_quoted_is_ours(row: str) -> None:
    """They hold names of the game alone, so that the sentences of our emails do not know them."""
    assert sort_of(tidy(row)) == "frame"


@pytest.mark.parametrize("path", sorted((FOLDER / "press").glob("*.toml")), ids=lambda path: path.stem)
def test_what_players_write_is_no_quotation_of_ours(path: Path) -> None:
    rows = [
        row
        for language in read_toml("tests.corpora.press", path.name).values()
        for paragraph in language["paragraphs"]
        for row in textwrap.wrap(paragraph.format(p="Paris", q="Spain", r="Rome", n="Italy", m="Turkey"), 60)
    ]
    assert sum(sort_of(row) is not None for row in rows) <= 2
    assert region_of(list(enumerate(rows))) == NO_REGION


@pytest.mark.parametrize("header", ["nothing", "finnish", "of_no_language"])
def test_our_words_alone_say_nothing(header: str) -> None:
    assert rows_of(in_plain_text(TABLE["blocks"][header], REPLY)) == []


def test_an_order_typed_among_our_words_counts() -> None:
    """Below a header that is not known a player may have answered line by line."""
    head, _, rest = REPLY.partition("> F Bre - Eng")
    text = in_plain_text(head + "F Bre - Mao\n\n> F Bre - Eng" + rest)
    assert rows_of(text) == [("taken", "F BRE - MAO")]


def test_two_lines_of_ours_are_what_they_hold() -> None:
    pasted = "✓ A Paris: A PAR - PIC\n✓ F Brest: F BRE - ENG"
    assert rows_of(in_plain_text(pasted)) == [("taken", "A PAR - PIC"), ("taken", "F BRE - ENG")]


@pytest.mark.parametrize(
    ("row", "order"),
    [
        ("| ✓ F Brest: F BRE - ENG", "F BRE - ENG"),
        ("|✓ F Brest: F BRE - ENG", "F BRE - ENG"),
        ("| ✓ A Par - Bur", "A PAR - BUR"),
        ("| ✓ F BRE H", "F BRE H"),
        ("| – A Paris: A PAR - PIC  (kept from before)", "A PAR - PIC"),
        ("| ✓ understood as A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
    ],
)
@pytest.mark.parametrize(
    "typed", ["", "A Mar - Spa\n", "A Mar - Spa\n\n", "Hello GM,\n\nA Mar - Spa\nand\n\n"]
)
def test_one_row_of_our_table_is_the_order_that_it_holds(row: str, order: str, typed: str) -> None:
    """Its bar looks like a mark of quotation."""
    expected = [("taken", "A MAR - SPA")] * bool(typed) + [("taken", order)]
    assert rows_of(in_plain_text(typed + row)) == expected
    page = "".join(f"<div>{line or '<br>'}</div>" for line in (typed + row).split("\n"))
    assert rows_of(as_page(page)) == expected


def test_two_rows_of_our_table_are_what_they_hold() -> None:
    pasted = "| ✓ A Paris: A PAR - PIC\n| ✓ F Brest: F BRE - ENG"
    assert rows_of(in_plain_text(pasted)) == [("taken", "A PAR - PIC"), ("taken", "F BRE - ENG")]


def test_a_row_of_our_table_that_was_not_possible_is_asked_back() -> None:
    assert rows_of(in_plain_text("| ✗ F Brest: F BRE - ENG")) == [("doubtful", "F BRE - ENG")]


@pytest.mark.parametrize(
    "quoted",
    [
        "| ✓ A Paris: A PAR - PIC\n| ✓ F Brest: F BRE - ENG\n| ✓ A Marseilles: A MAR H",
        "| ✓ A Paris: A PAR - PIC\n\n| ✓ F Brest: F BRE - ENG\n\n| ✓ A Marseilles: A MAR H",
        "On 21 Nov 2026 Turnpost <gm@example.org> wrote:\n| ✓ F Brest: F BRE - ENG",
        "> A Par - Pic\n| ✓ F Brest: F BRE - ENG",
        "| ✓ F Brest: F BRE - ENG\n| Deadline: Friday",
        "| A Par - Pic",
        "| W CHO H: held.",
        "| | ✓ F Brest: F BRE - ENG",
        "> | ✓ F Brest: F BRE - ENG",
    ],
)
def test_a_bar_that_marks_a_quotation_marks_one(quoted: str) -> None:
    """Three lines of ours, a line among other quoted ones, and lines that aren't ours."""
    assert rows_of(in_plain_text(f"A Mar - Spa\n\n{quoted}")) == [("taken", "A MAR - SPA")]


def test_a_list_of_our_orders_and_nothing_else_is_what_it_holds() -> None:
    """Somebody has copied what is on file."""
    pasted = "✓ A Paris: A PAR - PIC\n✓ F Brest: F BRE - ENG\n– A Marseilles: A MAR - SPA  (kept from before)"
    assert [one for grade, one in rows_of(in_plain_text(pasted)) if grade in IN_FORCE] == [
        "A PAR - PIC",
        "F BRE - ENG",
        "A MAR - SPA",
    ]


@pytest.mark.parametrize(
    "title",
    [
        "Order sheet, change it and send it back:",
        "Order sheet: edit the lines and reply:",
        "Order sheet (change it, then send it back)",
        "ORDER SHEET, CHANGE AND REPLY:",
    ],
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_sheet_is_known_by_the_beginning_of_its_title(title: str, mark: str) -> None:
    sheet = "\n".join((title, "", "F BRE H", "A MAR H", "A PAR - GAS", "", "A MAR - PIE"))
    quoted = "\n".join(f"{mark}{row}".rstrip() for row in sheet.split("\n"))
    assert rows_of(in_plain_text("F Bre - Mao", quoted)) == [
        ("taken", "F BRE - MAO"),
        ("taken", "A PAR - GAS"),
    ]


@pytest.mark.parametrize(
    "title", ["Order sheet", "Order sheet for France:", "Order sheet:", "My order sheet:"]
)
def test_a_title_of_a_players_own_begins_no_quotation(title: str) -> None:
    assert ("taken", "A PAR - BUR") in rows_of(in_plain_text(f"{title}\nA Par - Bur"))
