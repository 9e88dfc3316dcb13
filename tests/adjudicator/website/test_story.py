"""The story on paper, without colours: lines and lands are still distinguishable."""

from itertools import pairwise

from adjudicator.admin import website
from adjudicator.website import timeline
from adjudicator.website.pages import source


def test_lines_without_colours_are_told_apart_and_named_at_their_ends(vienna):
    """Seven sides: each line has its own dashes, and no name is on another or outside."""
    drawn = timeline.course_of(website.public_game(vienna.service, "vienna", files=False))
    assert len({line.printed for line in drawn.lines}) == len(drawn.lines) == 7
    signs = sorted(line.sign for line in drawn.lines)
    assert all(round(after - before, 1) >= 15 for before, after in pairwise(signs))
    assert signs[0] > 5
    assert signs[-1] < timeline.HEIGHT
    ends = {line.name: (line.end, line.sign) for line in drawn.lines}
    assert sorted(ends, key=lambda name: ends[name][0]) == sorted(ends, key=lambda name: ends[name][1])


def test_the_patterns_of_lands_are_strong_where_they_are_printed():
    """In letters they are faint, for there are colours."""
    printed = [rule for rule in source("site.css").split("@media print") if ".b-hatch" in rule]
    assert len(printed) == 1
    assert "stroke-opacity: .75 !important" in printed[0]
