"""Words and signs as they come from keyboards and autocorrections."""

import pytest

from orders.words import fold, keys, split, strip_bullets, tidy, words


@pytest.mark.parametrize(
    "dash", ["-", "‐", "‑", "‒", "–", "—", "―", "−", "->", "-->", "=>", "→", "⇒", "➔", ">", "--"]
)
def test_every_dash_and_arrow_is_the_same_word(dash):
    assert keys(f"Mohawk {dash} Delaware") == ("mohawk", "-", "delaware")


def test_tidy_keeps_what_can_be_seen_and_nothing_else():
    assert tidy("\u00a0Mohawk\u2007–\u202fDelaware\u200b\u200e\ufeff ") == "Mohawk - Delaware"
    assert tidy("“Hudson’s Bay”\x07") == '"Hudson\'s Bay"'
    assert tidy("➡\ufe0f") == "->"


def test_fold_takes_off_case_accents_and_apostrophes():
    assert fold("Mi'kmaq") == "mikmaq"
    assert fold("MÜN") == "mun"
    assert fold("Łódź") == "lodz"
    assert fold("Straße") == "strasse"


def test_words_know_their_places():
    line = "W 54-55"
    assert [(word.key, line[word.start : word.end]) for word in words(line)] == [
        ("w", "W"),
        ("54", "54"),
        ("-", "-"),
        ("55", "55"),
    ]


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("1. Mohawk H", "Mohawk H"),
        ("12) Mohawk H", "Mohawk H"),
        ("(3) Mohawk H", "Mohawk H"),
        ("* Mohawk H", "Mohawk H"),
        ("• Mohawk H", "Mohawk H"),
        ("- Mohawk H", "Mohawk H"),
        ("a) Mohawk H", "Mohawk H"),
        ("10 - 61", "10 - 61"),
        ("10-61", "10-61"),
        ("-Mohawk", "Mohawk"),
        ("-- Mohawk H", "Mohawk H"),
        ("→ Mohawk H", "Mohawk H"),
        ("[ ] Mohawk H", "Mohawk H"),
        ("- [x] 1. Mohawk H", "Mohawk H"),
        ("1- Mohawk H", "Mohawk H"),
        ("3: Mohawk H", "Mohawk H"),
        ("10:30 at Mohawk", "10:30 at Mohawk"),
        ("1. 10. Mohawk", "10. Mohawk"),
        ("---", "---"),
        ("1.5 hours", "1.5 hours"),
    ],
)
def test_bullets_go_and_bare_numbers_stay(line, bare):
    assert strip_bullets(tidy(line)) == bare


def test_a_line_is_split_at_commas_and_semicolons():
    assert split("MHK H, ONE H;SEN H ,") == ("MHK H", "ONE H", "SEN H")


def test_unequal_is_one_sign():
    """Otherwise "more or less than five" would equal "less than minus five"."""
    assert keys("margin <> 5") == ("margin", "<>", "5")
    assert keys("margin < -5") == ("margin", "<", "-", "5")


def test_pictures_are_no_words():
    assert keys("Mohawk ➡️ Delaware 🚢 👍") == ("mohawk", "-", "delaware")
