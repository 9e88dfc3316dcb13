"""Delayed press: which messages wait, and until when."""

import pytest

from adjudicator.clock import HOUR, MINUTE
from adjudicator.model.people import GAMESMASTER_SEAT, HeldPress, Press, has_to_wait, is_due, is_read_by
from games.protocol import Seat

NOON = 1_784_894_400_000
A, B, C = Seat("A"), Seat("B"), Seat("C")


def press(
    seat: Seat | None = A, to: tuple[Seat, ...] | None = (B,), kind: str = "white", at: int = NOON
) -> Press:
    """A piece of press."""
    return Press(turn="S1M", seat=seat, kind=kind, to=to, text="x", at=at)


def waiting(one: Press, reader: str = "B") -> HeldPress:
    """The same, waiting for a reader."""
    return HeldPress(game="demo", key="k", press=one, reader=reader, since=NOON)


@pytest.mark.parametrize(
    ("to", "readers"),
    [
        ((B,), {"B"}),
        ((B, C), {"B", "C"}),
        (None, {"B", "C", "watcher@example.com"}),
        ((GAMESMASTER_SEAT,), {GAMESMASTER_SEAT}),
    ],
)
def test_who_is_mailed_press(to: tuple[Seat, ...] | None, readers: set[str]) -> None:
    """Never its writer."""
    everybody = ("A", "B", "C", "watcher@example.com", GAMESMASTER_SEAT)
    assert {one for one in everybody if is_read_by(press(to=to), one)} == readers


@pytest.mark.parametrize(("number", "waits"), [(0, False), (4, False), (5, True), (59, True)])
def test_the_sixth_in_an_hour_waits(number: int, waits: bool) -> None:
    assert has_to_wait(press(), "B", [press()] * number, ()) is waits


UNLIKE = {
    "an hour ago": press(at=NOON - HOUR),
    "of another seat": press(seat=C),
    "to another reader": press(to=(C,)),
    "without a name": press(kind="grey"),
    "to the GM": press(to=(GAMESMASTER_SEAT,)),
    "of the GM": press(seat=None),
}
"""Press that has nothing to do with signed press from A to B, by what it is."""


@pytest.mark.parametrize("earlier", UNLIKE)
def test_what_does_not_count(earlier: str) -> None:
    assert not has_to_wait(press(), "B", [UNLIKE[earlier]] * 20, ())


def test_press_to_all_counts_for_each_reader() -> None:
    assert has_to_wait(press(to=(C,)), "C", [press(to=None)] * 5, ())
    assert has_to_wait(press(to=None), "watcher@example.com", [press(to=None)] * 5, ())


def test_behind_press_that_waits_nothing_goes_first() -> None:
    """Readers get it in the order in which it was written."""
    assert has_to_wait(press(), "B", (), [waiting(press(at=NOON - 2 * HOUR))])
    assert not has_to_wait(press(), "C", (), [waiting(press())])
    assert not has_to_wait(press(seat=C), "B", (), [waiting(press())])


def test_grey_press_waits_whoever_wrote_it() -> None:
    """Otherwise its delay would tell which pieces have the same writer, or what else they wrote."""
    grey = press(kind="grey")
    assert has_to_wait(grey, "B", [press(seat=C, kind="grey")] * 5, ())
    assert not has_to_wait(grey, "B", [press()] * 5, ())


def test_the_gms_press_never_waits() -> None:
    assert not has_to_wait(press(seat=None), "B", [press(seat=None)] * 50, ())
    assert not has_to_wait(press(seat=None, kind="grey"), "B", [press(kind="grey")] * 50, ())


@pytest.mark.parametrize(
    ("minutes_left", "waits"),
    [(None, 30), (24 * 60, 30), (60, 30), (40, 20), (10, 5), (3, 1.5), (1, 0), (0, 0), (-5, 0)],
)
def test_how_long_press_waits(minutes_left: int | None, waits: float) -> None:
    """Half an hour; the nearer the deadline is the shorter, and it goes out before that."""
    deadline = None if minutes_left is None else NOON + minutes_left * MINUTE
    due = next(at for at in range(NOON, NOON + 31 * MINUTE, 1000) if is_due(NOON, deadline, at))
    assert due == NOON + waits * MINUTE
    assert deadline is None or due <= max(deadline, NOON)


def test_a_deadline_that_comes_sooner_than_was_said_counts() -> None:
    assert not is_due(NOON, NOON + 10 * HOUR, NOON + MINUTE)
    assert is_due(NOON, NOON + 2 * MINUTE, NOON + MINUTE)


def test_who_looks_seldom_sends_it_at_the_last_look_before_the_deadline() -> None:
    """A service that cron runs every 15 minutes."""
    deadline, rounds = NOON + 40 * MINUTE, 15 * MINUTE
    assert not is_due(NOON, deadline, NOON + 5 * MINUTE, rounds)
    assert is_due(NOON + 26 * MINUTE, deadline, NOON + 26 * MINUTE, rounds)
