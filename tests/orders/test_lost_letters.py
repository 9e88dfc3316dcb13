"""A letter lost on the way, or the end of a name: one name alone may be meant, or the line is asked back."""

from collections import Counter

import pytest

import games
from adjudicator.inbound.dry_run import dry_run, position_of
from games.protocol import Seat
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import HEAD, graded_lines

GAME = games.kinds()["standard"]
BOARD = GAME.notation._board  # type: ignore[attr-defined]  # the names are the board's
LOST = "\ufffd"


def goals() -> list[tuple[str, str, str]]:
    """Each place with a unit that could go there: its kind and the place from where."""
    found = []
    for place in BOARD.places.values():
        for kind, ways in (("A", BOARD.army), ("F", BOARD.fleet)):
            near = [
                at
                for at in ways
                if "/" not in at
                and not BOARD.places[at].coasts
                and place.id in {to.split("/")[0] for to in ways[at]}
            ]
            if near and not place.coasts:
                found.append((kind, near[0], place.id))
                break
    return found


def in_force(kind: str, at: str, typed: str) -> list[str]:
    """Return the accepted orders of one line, for a unit that is alone there."""
    question = {"phase": "S1901M", "units": {"France": [f"{kind} {at}"]}}
    position = position_of(GAME, GAME.whatif.position(question))  # type: ignore[union-attr]  # it has one
    raw = (HEAD.format(subject="") + f"{kind} {at} - {typed}").encode()
    rows = dry_run(raw, position, GAME, Seat("France"))["orders"]
    return [row["read_as"] for row in rows if row["grade"] in IN_FORCE]


@pytest.mark.parametrize(("kind", "at", "to"), goals())
def test_a_lost_letter_never_makes_another_place(kind: str, at: str, to: str) -> None:
    """Wherever it is lost, in the name and in its abbreviation."""
    place = BOARD.places[to]
    for name in (place.name, place.abbr):
        for where, sign in enumerate(name):
            if sign.isalpha():
                found = in_force(kind, at, name[:where] + LOST + name[where + 1 :])
                assert found in ([], [f"{kind} {BOARD.abbr(at)} - {place.abbr}"]), (name, where)


@pytest.mark.parametrize(("kind", "at", "to"), goals())
def test_a_name_cut_off_never_makes_another_place(kind: str, at: str, to: str) -> None:
    """Except endings that make a name of their own: North is the North Sea."""
    place = BOARD.places[to]
    others = {name.lower() for one in BOARD.places.values() for name in (one.name, one.abbr, *one.aliases)}
    for size in (5, 6):
        cut = place.name[:size]
        if len(place.name) > size and cut.lower() not in others and not cut.endswith(" "):
            found = in_force(kind, at, cut)
            assert found in ([], [f"{kind} {BOARD.abbr(at)} - {place.abbr}"]), cut


def test_nearly_all_lost_letters_and_ends_are_found() -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    for kind, at, to in goals():
        name = BOARD.places[to].name
        counts["lost", bool(in_force(kind, at, f"{name[:3]}{LOST}{name[4:]}"))] += 1
        counts["cut", bool(in_force(kind, at, name[:6]))] += 1
    assert counts["lost", True] >= 0.97 * (counts["lost", True] + counts["lost", False])
    assert counts["cut", True] >= 0.93 * (counts["cut", True] + counts["cut", False])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A Par - B\ufffdr", ["corrected A PAR - BUR"]),
        ("A Par - Bourg\ufffd\ufffdne", ["doubtful A PAR - BUR"]),
        ("A Par\ufffdis - Bur", ["doubtful A PAR - BUR"]),
        ("A Par - Bur\ufffd", ["doubtful A PAR - BUR"]),
        ("A Par \ufffd Bur", ["doubtful A PAR - BUR"]),
        ("A Par - B\ufffdr, A Mar - Sp\ufffd", ["corrected A PAR - BUR", "corrected A MAR - SPA"]),
        ("A Par unterst\ufffd\ufffdtzt F Brest", ["corrected A PAR S F BRE"]),
    ],
)
def test_a_gap_stands_for_one_letter(text: str, said: list[str]) -> None:
    assert graded_lines(text) == said
