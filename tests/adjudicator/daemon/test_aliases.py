"""Aliases that players write to but that the settings don't name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.clock import HOUR
from adjudicator.daemon.doctor import LATELY, unnamed_aliases
from adjudicator.daemon.environment import Finding
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter

ALIAS = "games@club.example"
ALL = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[AttackedService]:
    """A service with a game."""
    begin_games(tmp_path, ["demo"])
    with attacked_service(tmp_path) as it:
        yield it


def signed(it: AttackedService, to: str, **headers: str) -> bytes:
    """An email of the player of the Iroquois."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    raw = letter("Oneida H", to=to, date=it.clock.now() - HOUR, headers=named, number=it.count)
    return NET.signed(raw, ALL)


def findings(it: AttackedService) -> list[Finding]:
    return list(unnamed_aliases(it.service))


def test_an_alias_that_is_not_named_is_told_with_what_to_write(place: AttackedService) -> None:
    assert findings(place) == []
    for _ in range(2):
        place.arrives(signed(place, f"The club <{ALIAS}>"))
    (finding,) = findings(place)
    assert (finding.about, finding.grade) == ("addresses", "odd")
    assert f"2 emails of players were addressed to {ALIAS}" in finding.said
    assert f'addresses = ["{ALIAS}"]' in str(finding.instead)
    place.clock.advance(LATELY + HOUR)
    assert findings(place) == [], "that was long ago"


def test_an_email_that_its_token_vouches_for_tells_of_an_alias_too(place: AttackedService) -> None:
    tagged = str(place.ours(IROQUOIS)["Subject"])
    shown = place.arrives(letter("Oneida H", to=ALIAS, subject=f"Re: {tagged}", date=place.clock.now()))
    assert shown.disposition == "read"
    assert [ALIAS in finding.said for finding in findings(place)] == [True]


def test_what_is_no_alias_is_not_told(place: AttackedService) -> None:
    """Emails to us, to other players, to oneself, through a list, and emails in somebody's name."""
    for to in ("gm@example.org", f"{ALIAS}, gm+demo@example.org", DAKOTA, IROQUOIS):
        place.arrives(signed(place, to))
    place.arrives(signed(place, ALIAS, List_Id="<club.example>"))
    place.arrives(letter("Oneida H", to=ALIAS, date=place.clock.now(), number=77))
    assert findings(place) == []


def test_an_alias_that_is_named_is_not_told(place: AttackedService) -> None:
    place.arrives(signed(place, ALIAS))
    place.service = replace(
        place.service, service_context=replace(place.service.service_context, addresses=frozenset({ALIAS}))
    )
    assert findings(place) == []
    service_context = replace(
        place.service.service_context, addresses=frozenset(), accept=frozenset({"token"})
    )
    place.service = replace(place.service, service_context=service_context)
    assert findings(place) == [], "where no address counts, no alias is needed"
