"""Orders and commands below a line of two hyphens: what counts, and what the turn waits for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.protocol import Seat
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.system.test_quoted_sheets import is_held, on_file, say
from tests.system.test_replies import FRANCE, begin, newest


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    with local_service(tmp_path) as found:
        begin(found)
        yield found


def test_an_order_in_a_signature_is_asked_back_and_no_turn_waits_for_it(place: LocalService) -> None:
    reply = say(place, "A Par - Bur\n-- \nF Bre - Mao\n", newest(place))
    assert on_file(place) == ["A PAR - BUR"]
    assert "F BRE - MAO" in text_of(reply)
    assert not is_held(place)


def test_an_order_below_a_drawn_line_counts(place: LocalService) -> None:
    say(place, "A Par - Bur\n--\nF Bre - Mao\n", newest(place))
    assert on_file(place) == ["A PAR - BUR", "F BRE - MAO"]
    assert not is_held(place)


def test_a_command_below_a_drawn_line_is_asked_back_and_not_obeyed(place: LocalService) -> None:
    say(place, "A Par - Bur\n--\nWAIT\n", newest(place))
    assert is_held(place)
    assert not place.service.repository.position("west").assignments[Seat("France")].wait


@pytest.mark.parametrize("mark", ["--", "-- "])
def test_no_seat_is_spoken_for_below_hyphens(place: LocalService, mark: str) -> None:
    say(
        place,
        f"PASSWORD three-canoes\n{mark}\nSIGNOFF\nSIGNON west Germany three-canoes\nA Mun - Ruh",
        newest(place),
    )
    assert Seat("Germany") not in place.service.repository.position("west").filed


@pytest.mark.parametrize("mark", ["--", "-- "])
def test_a_stranger_asks_nothing_below_hyphens(place: LocalService, mark: str) -> None:
    place.write("new@example.org", "gm@example.org", f"LIST\n{mark}\nNEW standard\nOBSERVE west\n", "hello")
    place.work()
    reply = place.mail("new@example.org")[-1]
    assert len(place.mail("new@example.org")) == 1
    assert "west" in text_of(reply)
    assert len(place.service.repository.games()) == 1
    assert FRANCE not in text_of(reply)
