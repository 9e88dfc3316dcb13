"""Text that nobody sees isn't read, and text that perhaps nobody sees is asked back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.mail.body import fresh_lines
from orders.mail.html_rows import colour_of, contrast, length_of, rows_of
from orders.mail.letter import Letter
from orders.mail.mime import Part
from orders.reading.letter_reader import read_lines
from tests.orders.plain import BOOK

ORDER = "Mohawk - Delaware"


def page(html):
    """Grade of each order in a page, and what is obeyed."""
    reading = read_lines(fresh_lines(Letter(parts=(Part(kind="html", text=html),))), BOOK)
    return [verdict.grade for verdict in reading.orders], [command.verb for command in reading.commands]


def styled(style, sheet="", inside=ORDER):
    return f'<style>{sheet}</style><p>Hello</p><div class="x" id="y" style="{style}">{inside}</div>'


HIDDEN = [
    "display:none",
    "DISPLAY : NONE ! important",
    "d\\69splay:none",
    "display:/**/none",
    "visibility:hidden",
    "opacity:0",
    "opacity:.01",
    "filter:alpha(opacity=0)",
    "height:0;overflow:hidden",
    "max-height:0px;overflow:hidden",
    "width:1px;overflow:hidden",
    "position:absolute;left:-5000px",
    "position:fixed;top:-100em",
    "margin-left:-2000px",
    "text-indent:-999px",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#eee;background:#eee",
    "background-color:rgb(10,10,10);color:#0a0a0a",
    "font-size:0",
    "font-size:.1em",
    "font:1px/1px Arial",
    "position:absolute;clip:rect(0 0 0 0)",
    "clip-path:inset(50%)",
    "transform:scale(0)",
    "transform:translateX(-9999px)",
    "text-decoration:line-through",
]
UNSURE = [
    "mso-hide:all",
    "color:white",
    "color:#fdfdfd",
    "color:hsl(0,0%,99%)",
    "max-height:0",
    "font-size:3px",
    "line-height:0",
    "unicode-bidi:bidi-override;direction:rtl",
    "letter-spacing:-9px",
    "transform:rotateX(90deg)",
    "background:url(dark.png);color:#333",
    "z-index:-1;position:relative",
    "position:absolute;top:0;left:0",
    "position:fixed",
    "filter:blur(9px)",
    "mix-blend-mode:lighten",
    "translate:-9999px",
    "word-spacing:900px",
    "margin-top:-40px",
]
SHOWN = [
    "",
    "color:#222",
    "color:#777;font-size:11px",
    "font:12pt Calibri,sans-serif",
    "background:#000;color:#fff",
    "height:auto;overflow:hidden",
    "margin:0;padding:0;line-height:1.2",
    "position:relative;left:0",
    "opacity:1",
    "color:windowtext",
]


@pytest.mark.parametrize("style", HIDDEN)
def test_what_is_hidden_is_not_read(style):
    assert page(styled(style)) == ([], [])
    assert page(styled("", f".x {{ {style} }}")) == ([], [])


@pytest.mark.parametrize("style", UNSURE)
def test_what_is_perhaps_not_seen_is_asked_back(style):
    assert page(styled(style)) == (["doubtful"], [])
    assert page(styled(style, inside="HELP")) == (["unread"], [])


@pytest.mark.parametrize("style", SHOWN)
def test_what_is_seen_is_read(style):
    assert page(styled(style)) == (["taken"], [])
    assert page(styled("", f"div {{ {style} }}")) == (["taken"], [])


@pytest.mark.parametrize(
    ("sheet", "grades"),
    [
        (".x{display:none} #y{display:block}", ["taken"]),
        ("#y{display:none} .x{display:block}", []),
        (".x{display:none!important} #y{display:block}", []),
        ("@media screen{.x{display:none}}", []),
        ("@media print{.x{display:none}}", ["taken"]),
        ("@media (max-width:400px){.x{display:none}}", ["doubtful"]),
        ("@supports (display:grid){.x{display:none}}", ["doubtful"]),
        (".x:hover{display:none}", ["taken"]),
        ("p + .x{display:none}", []),
        ("div:where(.x){display:none}", []),
        (".x{display:none", []),
        ("/* .x{display:none} */", ["taken"]),
        (".z{display:none}", ["taken"]),
    ],
)
def test_style_sheets_count_as_mail_programs_count_them(sheet, grades):
    assert page(styled("", sheet))[0] in (grades, ["doubtful"] if ":where" in sheet else grades)


@pytest.mark.parametrize(
    ("html", "grades"),
    [
        (f"<div hidden>{ORDER}</div>", []),
        (f"<body bgcolor=black text=black><p>{ORDER}</p></body>", []),
        (f"<font color=white>{ORDER}</font>", ["doubtful"]),
        (f"<details>{ORDER}</details>", ["doubtful"]),
        (f"<details open>{ORDER}</details>", ["taken"]),
        (f"<iframe>{ORDER}</iframe>", []),
        (f"<style>p::before{{content:'not '}}</style><p>{ORDER}</p>", ["doubtful"]),
        (f"<style>p:first-line{{color:transparent}}</style><p>{ORDER}</p>", ["doubtful"]),
        (f"<style>p:after{{content:'';height:0}}</style><p>{ORDER}</p>", ["taken"]),
        (f'<p>{ORDER}</p><div style="position:absolute;top:0;background:#fff">Hello</div>', ["doubtful"]),
        (
            f"<style>.b{{position:fixed}}</style><p>{ORDER}</p><p class=b style='background:red'>x</p>",
            ["doubtful"],
        ),
        (f'<p>{ORDER}</p><div style="position:relative;background:#fff">Hello</div>', ["taken"]),
        ('<div style="visibility:hidden">no<p style="visibility:visible">' + ORDER + "</p></div>", ["taken"]),
        ('<div style="font-size:0"><span style="font-size:14px">' + ORDER + "</span></div>", ["taken"]),
        ('<p>Mohawk - Delaware<span style="display:none"> or Huron</span></p>', ["taken"]),
        ('<p>Mohawk - <span style="font-size:0">Huron</span>Delaware</p>', ["taken"]),
    ],
)
def test_what_is_inside_takes_over_what_is_around(html, grades):
    assert page(html)[0] == grades


def test_an_unseen_line_governs_no_other():
    html = '<p style="color:white">stop</p><p>Mohawk - Delaware</p>'
    assert page(html) == (["taken"], [])
    joined = '<div>Mohawk -</div><div style="color:white">Delaware</div>'
    assert "taken" not in page(joined)[0]


def test_a_sheet_of_too_many_rules_makes_all_uncertain():
    assert page(styled("", ".a{color:red}" * 400))[0] == ["doubtful"]


def test_colours_and_lengths():
    assert contrast(colour_of("#fff"), colour_of("black")) == pytest.approx(21)
    assert colour_of("rgb(255, 0, 0)") == colour_of("red")
    assert colour_of("papayawhip") is None
    assert length_of("2em", 8) == 16
    assert length_of("auto") is None


@given(st.text(alphabet=":;#.{}()@!*/\\ -_%,>+~[]=\"'abcdeimnoprstxy019", max_size=80))
def test_no_style_breaks_the_reader(text):
    rows_of(f'<style>{text}</style><p class=x style="{text}">a</p>')


@pytest.mark.parametrize(
    "preview",
    [
        '<span style="color:#fff">Here is what I play</span>',
        '<span style="color:#fff">Seneca - Erie;</span>',
        '<span style="mso-hide:all">Preview text of the email</span>',
        '<b style="color:white">see below!</b>',
        '<span style="display:none">Seneca - Erie</span>',
        '<span style="font-size:1px">Seneca - Erie</span>',
    ],
)
def test_an_order_that_is_seen_counts_beside_what_is_not(preview):
    """Even if text that perhaps nobody sees precedes it in its row."""
    grades, _ = page(f"{preview}{ORDER}<br>Oneida H")
    assert grades.count("taken") == 2


@pytest.mark.parametrize("before", ["A", "If you agree,", "Oneida S", "not:"])
def test_what_may_belong_to_an_order_is_not_taken_apart(before):
    grades, _ = page(f'<div><span style="color:white">{before}</span> {ORDER}</div>')
    assert "taken" not in grades
