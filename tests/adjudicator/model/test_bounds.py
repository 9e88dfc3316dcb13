"""Bounds on the values of a document, in the types that reader and schema share."""

import json
import re
from typing import Any

import pytest

from adjudicator.auth.passwords import is_sealed, seal
from adjudicator.model import people
from games.record import Malformed, revive, schema
from tests.kit.passwords import restore_full_cost

SEALED = f"scrypt$16384$8$1${'A' * 22}==${'B' * 43}="
GOOD: dict[str, tuple[Any, ...]] = {
    "GameName": ("demo", "b-2", "a" * 20),
    "Address": ("a@example.org", "ø.x+y@xn--bcher-kva.example", "o'neill@example.org"),
    "SealedPassword": (SEALED,),
    "Line": ("", "Spring, year 1", "Öneida"),
    "Text": ("", "two\nlines\n", "\ttabbed\r\n"),
    "Sha": ("0" * 64,),
    "ShaOrNone": ("", "f" * 64),
    "Salt": ("0" * 32,),
    "Instant": (0, 1_795_000_000_000),
    "Span": (-5, 5),
    "Count": (0, 7),
}
BAD: dict[str, tuple[Any, ...]] = {
    "GameName": ("", "demo\n", "../../evil", "Demo", "a" * 21, "x\r\nBcc: y", 7),
    "Address": ("a", "a@b\n", "a b@c.org", "a@b>\r\nRCPT TO:<c@d", "a,b@c.org", "@c.org"),
    "SealedPassword": ("garbage", SEALED + "\n", "md5$1$2$3$4$5", ""),
    "Line": ("a\n", "a\rb", "a\0", "\x1b[2J", "a\u2028b", "x" * 201),
    "Text": ("a\0b", "\0", "a\n\0", 7),
    "Sha": ("", "0" * 63, "G" * 64, "0" * 64 + "\n"),
    "ShaOrNone": ("\n", "0"),
    "Salt": ("0" * 31, "0" * 32 + "\n"),
    "Instant": (-1, 10**15, 0.5, "0"),
    "Span": (10**15,),
    "Count": (-1, 10**10),
}


def rows(values: dict[str, tuple[Any, ...]]) -> list[Any]:
    """Each value with its type, by a name that can be read."""
    return [pytest.param(name, one, id=f"{name}-{one}") for name, ones in values.items() for one in ones]


@pytest.mark.parametrize(("name", "value"), rows(GOOD))
def test_what_is_of_a_type(name: str, value: Any) -> None:
    assert is_of(name, value)
    assert fits_schema(name, value)


@pytest.mark.parametrize(("name", "value"), rows(BAD))
def test_what_is_none_of_a_type(name: str, value: Any) -> None:
    assert not is_of(name, value)
    assert not isinstance(value, str) or not fits_schema(name, value)


def is_of(name: str, value: Any) -> bool:
    """Return whether our reader accepts a value for a type."""
    try:
        return bool(revive(getattr(people, name), value) == value)
    except Malformed:
        return False


def fits_schema(name: str, value: Any) -> bool:
    """Return whether the schema of a type, as another program would read it, allows a value."""
    told = json.loads(json.dumps(schema(getattr(people, name))))
    if told["type"] == "integer":
        return isinstance(value, int) and bool(told["minimum"] <= value <= told["maximum"])
    long = len(value) > told.get("maxLength", len(value))
    return told["type"] == "string" and not long and re.search(told["pattern"], value) is not None


def test_a_password_costs_no_more_than_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    restore_full_cost(monkeypatch)
    sealed = seal("three canoes")
    assert is_sealed(sealed)
    assert fits_schema("SealedPassword", sealed)
    name, cost, *rest = sealed.split("$")
    for dear in (str(int(cost) * 2), str(int(cost) - 1), "0", "1", "x"):
        assert not is_sealed("$".join([name, dear, *rest]))
    assert not is_sealed(sealed.replace("scrypt", "md5"))
    assert not is_sealed(sealed[:-2])
    assert not is_sealed("garbage")
