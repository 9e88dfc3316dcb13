"""Changes by keyboards and mail programs: the reading stays the same, or the line is asked back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.data import read_toml
from orders.mail.charset import decode
from orders.words import in_latin, keys, spell_umlauts, undo_encodings
from tests.kit.dry_runs import graded_lines

ALIKE: dict[str, str] = read_toml("orders", "confusables.toml")["look_like"]
ORDERS = [
    "A Par - Bur",
    "A Marseilles supports A Paris - Burgundy",
    "F Brest - Mid-Atlantic Ocean",
    "Armée Paris vers Bourgogne",
    "Ejército Marsella apoya a Ejército París a Borgoña",
    "Armee Marseille unterstützt Paris nach Burgund",
]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("М&uuml;nchen", "munchen"),
        ("M&#252;nchen", "munchen"),
        ("M=FCnchen", "munchen"),
        ("D=C3=A4nemark", "danemark"),
        ("=D6sterreich", "osterreich"),
        ("MÃ¼nchen", "munchen"),
        ("CÃ´te", "cote"),
        ("Ｐａｒ", "par"),
        ("𝐏𝐚𝐫", "par"),
        ("РАR", "par"),
        ("ΡΑΡ", "pap"),
        ("Ma0", "mao"),
        ("M0sc0w", "moscow"),
    ],
)
def test_letters_are_what_was_meant(typed, meant):
    assert keys(typed) == (meant,)


@pytest.mark.parametrize(
    "text", ["S1901M", "10", "R0", "R&D; co", "A =DEN", "x=1", "Пишет Turnpost", "Ñandú"]
)
def test_what_is_as_it_should_be_stays_so(text):
    assert undo_encodings(text) == in_latin(text) == text


def test_prose_in_another_script_stays_as_it_is():
    assert in_latin("А вы как? Не забудь") == "А вы как? Не забудь"
    assert in_latin("А РАR - ВUR") == "A PAR - BUR"


def test_a_line_in_another_charset_spoils_no_other():
    lines = "Armée".encode() + b"\nArm\xe9e\nA \xed\xa0\xbd B\n\x96"
    assert decode(lines, "utf-8").split("\n")[:2] == ["Armée", "Armée"]
    assert decode(lines, None).split("\n")[3] == "–"
    assert decode("Armée".encode("utf-16"), None) == "Armée"


@st.composite
def guises(draw):
    """An order, and the same with some of its letters in another guise."""
    order = draw(st.sampled_from(ORDERS))
    text = order
    for guise in draw(
        st.lists(st.sampled_from(["alike", "bare", "apart", "lower", "wide", "two"]), max_size=3)
    ):
        if guise == "alike":
            some = draw(st.sets(st.integers(0, len(text)), max_size=12))
            text = "".join(
                draw(st.sampled_from(ALIKE[one])) if at in some and one in ALIKE else one
                for at, one in enumerate(text)
            )
        elif guise == "bare":
            text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
        elif guise == "apart":
            text = unicodedata.normalize("NFD", text)
        elif guise == "lower":
            text = text.lower()
        elif guise == "wide":
            text = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
        else:
            text = spell_umlauts(text)
    return order, text


@given(guises())
def test_no_guise_makes_another_order_of_it(pair):
    order, text = pair
    meant = graded_lines(order)[0].partition(" ")[2]
    for line in graded_lines(text):
        grade, _, said = line.partition(" ")
        assert grade not in ("taken", "corrected") or said == meant, text
