"""Words for lists, numbers and lengths of time: the same as those of Babel, which is loaded on demand."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest
from babel.core import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from games.language import (
    LANGUAGE,
    format_length,
    format_moment,
    format_number,
    join_list,
    plural_form,
)

LOCALE = Locale.parse(LANGUAGE)


def test_plural_forms_are_those_of_babel() -> None:
    numbers = [*range(-120, 1200), 1_000_000, 1_000_001]
    assert [plural_form(number) for number in numbers] == [LOCALE.plural_form(number) for number in numbers]


def test_numbers_are_those_of_babel() -> None:
    numbers = [*range(-1200, 1200), 12_000, -12_000, 1_234_567]
    expected = [format_decimal(number, locale=LOCALE) for number in numbers]
    assert [format_number(number) for number in numbers] == expected


@pytest.mark.parametrize("items", [(), ("a",), ("{0}", "b"), ("a", "b", "c"), ("a, b", "c and d", "", "e")])
def test_lists_are_those_of_babel(items: tuple[str, ...]) -> None:
    assert join_list(iter(items)) == format_list(items, style="standard", locale=LOCALE)
    assert join_list(items, "or") == format_list(items, style="or", locale=LOCALE)


def test_the_language_is_british() -> None:
    assert join_list(["a", "b", "c"]) == "a, b and c"
    assert join_list(["a", "b"], "or") == "a or b"
    assert format_number(12_000) == "12,000"
    assert format_length() == "0 minutes"
    assert format_length(hours=1) == "1 hour"
    assert format_length(days=2, hours=1, minutes=30) == "2 days, 1 hour and 30 minutes"
    assert format_moment(datetime(2026, 1, 10, 1, tzinfo=UTC), "EEE d MMM HH:mm") == "Sat 10 Jan 01:00"


WITHOUT_BABEL = """
import sys
from games.language import format_number, join_list, plural_form
from games.messages import sentence

join_list(["a"]), plural_form(3), format_number(12)
sentence("diplomacy.bots_reasons.random_equal", count=2, number="two")
print([name for name in sys.modules if name.startswith("babel")])
join_list(["a", "b"])
print("babel.lists" in sys.modules)
"""


def test_babel_is_loaded_when_it_is_needed() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_BABEL], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["[]", "True", ""]


def test_names_of_months_have_three_letters() -> None:
    months = [
        format_moment(datetime(2026, month, 10, 1, tzinfo=UTC), "EEE d MMM HH:mm") for month in range(1, 13)
    ]
    assert {len(text.split()[2]) for text in months} == {3}
    assert months[8] == "Thu 10 Sep 01:00"
