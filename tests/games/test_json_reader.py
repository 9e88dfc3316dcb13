"""`JsonReader` and its errors: the path, the value found, and the allowed ones."""

from typing import Annotated, Any, Literal, NewType

import pytest

from games.json_reader import JsonReader, one_of
from games.protocol import Invalid
from games.record import Bounds, Record, Value

City = NewType("City", str)


class Sail(Record, frozen=True, kw_only=True, tag=True):
    to: City
    by: Literal["sea", "river"]


class Wait(Record, frozen=True, kw_only=True, tag=True):
    days: int


class Fleet(Record, frozen=True, kw_only=True):
    ships: dict[City, int]
    plans: tuple[Sail | Wait, ...] = ()
    flag: City | None = None
    range: tuple[int, int] = (0, 9)
    at_sea: bool = False


class Season(Value, frozen=True):
    """The part of a question next to a fleet."""

    month: Annotated[int, Bounds(ge=1, le=12)] = 1
    dice: int | tuple[int, ...] | None = None


READER = JsonReader(Fleet, names={City: one_of("city", ("Rome", "Ostia"), str.upper)})


def test_names_get_their_one_form_and_what_is_missing_stays_away():
    document = {"ships": {"Rome": 2, "Ostia": None}, "plans": [{"type": "Sail", "to": "Ostia", "by": "sea"}]}
    values, season = READER.read_with({**document, "flag": None, "month": 3, "dice": [0, 2]}, Season)
    assert values == {"ships": {"ROME": 2}, "plans": ({"type": "Sail", "to": "OSTIA", "by": "sea"},)}
    assert season == Season(month=3, dice=(0, 2))


def test_any_field_of_a_partial_object_may_be_missing_but_none_of_those_within():
    reader = JsonReader(Fleet, names={City: one_of("city", ("Rome",))}, partial=True)
    assert reader.read({}) == {}
    with pytest.raises(Invalid, match=r"plans\[0\]\.days: is missing; write a number from 0 up"):
        reader.read({"plans": [{"type": "Wait"}]})


def test_other_keys_are_passed_over_where_a_reader_allows_them():
    reader = JsonReader(Wait, names={}, other_keys=True)
    assert reader.read({"days": 1, "type": "Wait", "weather": "fine"}) == {"days": 1}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ships": None}, "ships: is missing; write it in braces"),
        (
            {"weather": 1},
            "weather: there is no such key; known are ships, plans, flag, range, at_sea, month, dice",
        ),
        ({"ships": {"Rome": 1, "Paris": 1}}, "ships.Paris: there is no city Paris; known are Rome, Ostia"),
        ({"ships": {"Ostia": 1, "Rome": -2}}, "ships.Rome: -2 is too small; write a number from 0 up"),
        ({"ships": [1]}, "ships: is an array and should be an object; write it in braces"),
        ({"flag": "Paris"}, "flag: there is no city Paris; known are Rome, Ostia"),
        ({"flag": 3}, "flag: is a whole number and should be a string"),
        ({"plans": [{"to": "Rome"}]}, "plans[0].type: is missing; known are Sail, Wait"),
        ({"plans": [{"type": "Fly"}]}, "plans[0].type: Fly isn't allowed here; known are Sail, Wait"),
        (
            {"plans": [{"type": "Wait", "days": "x"}]},
            "plans[0].days: is a string and should be a whole number",
        ),
        (
            {"plans": [{"type": "Sail", "to": "Rome", "by": "air"}]},
            "plans[0].by: air isn't allowed here; known are sea, river",
        ),
        ({"range": [1]}, "range: has 1 elements and should have 2; write it in square brackets"),
        ({"range": [1, 1.5]}, "range[1]: is a number and should be a whole number"),
        ({"at_sea": 1}, "at_sea: is a whole number and should be true or false"),
        ({"month": 13}, "month: 13 is too large; write a number from 1 to 12"),
        ({"dice": [1, "x"]}, "dice[1]: is a string and should be a whole number"),
        ({"dice": {}}, "dice: is an object and should be a whole number or an array"),
    ],
)
def test_an_error_names_the_path_what_stands_there_and_what_is_allowed(change: dict[str, Any], error: str):
    with pytest.raises(Invalid) as fault:
        READER.read_with({"ships": {}} | change, Season)
    assert str(fault.value).startswith(error)


def test_a_key_that_looks_like_the_end_of_a_message_is_an_error_too():
    with pytest.raises(Invalid, match="unknown field"):
        READER.read({"ships": {}, "a` - at `$.b": 1})
