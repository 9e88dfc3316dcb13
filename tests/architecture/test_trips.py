"""The amount of code for an email and a turn stays within bounds."""

from pathlib import Path

import pytest

from orders.words import tidy
from tests.kit.call_counts import count_entered, trips

BOUNDS = {
    "a letter kept": (30, 11),
    "a letter handled": (382, 81),
    "a turn with its reports": (707, 81),
}
"""The most functions and files that each trip enters."""

ON_THE_WAY = {
    "a letter kept": {"adjudicator/storage/inbox.py"},
    "a letter handled": {
        "orders/reading/letter_reader.py",
        "adjudicator/inbound/filing.py",
        "games/diplomacy/adjudication/legality.py",
    },
    "a turn with its reports": {"games/diplomacy/adjudication/resolver.py", "adjudicator/reports/report.py"},
}


@pytest.mark.long
def test_the_three_trips_stay_within_their_bounds(tmp_path: Path) -> None:
    """Each passes the functions that it must pass."""
    made = trips(tmp_path)
    assert [trip.name for trip in made] == list(BOUNDS)
    over = {
        trip.name: (len(trip.functions), len(trip.files))
        for trip in made
        if len(trip.functions) > BOUNDS[trip.name][0] or len(trip.files) > BOUNDS[trip.name][1]
    }
    assert over == {}
    assert [trip.name for trip in made if not trip.files >= ON_THE_WAY[trip.name]] == []


def test_only_functions_of_ours_count_each_once() -> None:
    """No functions of libraries, and none that an import runs."""
    trip = count_entered("making plain", lambda: [tidy("a\tb"), tidy("c"), sorted((2, 1))])
    assert {one.partition(" ")[2] for one in trip.functions} == {
        "tidy",
        "_plain",
        "_printable_char",
        "in_latin",
        "undo_encodings",
    }
    assert trip.files == {"orders/words.py"}
