"""The Diplomacy Adjudicator Test Cases (Kruijswijk, version 3.0), each a test named by its number.

The positions and outcomes are in datc/*.txt, in the notation of tests/kit/standard.py. Where an outcome hangs
on a choice of rules, docs/datc.md says which choice is ours.
"""

from pathlib import Path

import pytest

from games.diplomacy.events import Resolved
from games.diplomacy.model import Move
from tests.kit.standard import Played, Scene, blocks, play, position, scenes, unit_text

FOLDER = Path(__file__).parent / "datc"
CASES = {
    number: body
    for path in sorted(FOLDER.glob("*.txt"))
    for number, _, body in blocks(path.read_text(encoding="utf-8"))
}
FIRST = {"I": "W1901A", "J": "W1901A"}


@pytest.mark.clause(
    "standard",
    "Dip-checks",
    "Dip-coasts",
    "Dip-rings",
    "Dip-supports",
    "Dip-battles",
    "Dip-convoys",
    "Dip-retreats",
    "Dip-builds",
    "Dip-removals",
    "4.A.2",
    "4.A.7",
    "4.D.8",
)
@pytest.mark.parametrize("number", CASES)
def test_datc(number):
    first, *rest = scenes(CASES[number])
    played = play(position(first, FIRST.get(number[2], "S1901M")), first)
    verify(played, first)
    for scene in rest:
        played = play(played.state, scene)
        verify(played, scene)


def test_no_case_is_missing():
    counts = {section: sum(number.startswith(section) for number in CASES) for section in SECTIONS}
    assert counts == SECTIONS


SECTIONS = {"6.A.": 12, "6.B.": 15, "6.C.": 9, "6.D.": 34, "6.E.": 15, "6.F.": 26, "6.G.": 20}
SECTIONS |= {"6.H.": 16, "6.I.": 7, "6.J.": 12}
"""How many cases each section of the document has; 6.F.7 has a retreat of its own, 6.J.9 two positions."""


def verify(played: Played, scene: Scene) -> None:
    """Each order came out as the text says, and the position follows from the text alone."""
    for line, order in zip(scene.lines, played.orders, strict=True):
        if order is not None:
            assert line.expected in played.outcomes(line.power, order), f"{line.power}: {line.text}"
    if played.before.phase.kind == "M":
        assert played.dislodged == scene.dislodged
        if played.state.phase.kind == "R":
            assert {str(one) for one in played.state.contested} == scene.contested
    if scene.gone:
        unasked = {
            unit_text(event.unit)
            for event in played.events
            if isinstance(event, Resolved) and event.order is None and event.outcome == "removed"
        }
        assert unasked == scene.gone
    assert played.units == expected_units(played, scene)


def expected_units(played: Played, scene: Scene) -> set[str]:
    """Return the expected units: those that were there and neither moved, nor were dislodged or removed, and
    those that arrived.
    """
    left = {*scene.dislodged, *scene.gone}
    arrived = set()
    for line, order in zip(scene.lines, played.orders, strict=True):
        if line.expected in ("moves", "retreats") and isinstance(order, Move):
            arrived.add(f"{order.unit.kind} {order.goal}")
        if line.expected in ("moves", "removed"):
            left.add(unit_text(order.unit))
        if line.expected == "builds":
            arrived.add(unit_text(order.unit))
    return {unit_text(unit.piece) for unit in played.before.units} - left | arrived
