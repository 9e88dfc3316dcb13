"""Reviewed reports of the other games, one for each kind of turn."""

from itertools import islice

import pytest

from tests.kit.game_emails import LettersOfTurn, letters_of_turns
from tests.kit.suggested_lines import refused_lines

WANTED = {
    "standard": ("moves", "retreats", "builds"),
    "war-chest": ("moves",),
    "plains-indian-wars": ("moves",),
    "great-war": ("moves",),
}
"""By kind of game the kinds of turns that are told."""
AFTER = 3
"""So many deadlines are played first, so that there is something to tell."""
LOOKED_AT = 20


@pytest.fixture(scope="module", params=WANTED)
def reports(request):
    """The kind of game, and the data of one turn of each kind, with as little else as possible."""
    best: dict[str, tuple[int, LettersOfTurn]] = {}
    for one in islice(letters_of_turns(request.param), AFTER, AFTER + LOOKED_AT):
        kinds = {step.turn.kind for step in one.played.steps}
        for kind in kinds:
            if kind not in best or len(kinds) < best[kind][0]:
                best[kind] = (len(kinds), one)
        if all(kind in best and best[kind][0] == 1 for kind in WANTED[request.param]):
            break
    return request.param, {kind: (one, one.report()) for kind, (_, one) in sorted(best.items())}


def test_a_report_of_each_kind_of_turn_is_as_it_was_reviewed(reports, golden):
    game, found = reports
    for kind in WANTED[game]:
        golden(f"{game}-{kind}.txt", found[kind][1].text)
        golden(f"{game}-{kind}.html", found[kind][1].html)


def test_all_keep_to_their_width_and_weight(reports):
    for _, letter in reports[1].values():
        assert [row for row in letter.text.split("\n") if len(row) > 72] == []
        assert len(letter.html.encode()) < 60_000
        assert len(letter.picture) < 200_000


def test_what_they_tell_to_write_is_taken(reports):
    for told_of, letter in reports[1].values():
        assert refused_lines(told_of.position, told_of.seat, letter.text) == []
