"""The story on paper, without colours: lines and lands are still distinguishable."""

from itertools import pairwise

import pytest

from adjudicator.admin import game_admin, website
from adjudicator.website import timeline
from adjudicator.website.pages import source


@pytest.fixture
def ended_chest(room):
    """The story of a game of War Chest that has ended."""
    room.begin("war-chest", "chest", 4)
    game_admin.end(room.service, "chest", [], "enough")
    room.build()
    return room.site / "games" / "chest" / "story.html"


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


def test_the_names_of_lines_are_below_the_chart_on_a_phone(chromium, ended_chest):
    """There they would be 4 px high at the ends of the lines."""

    def steps(page):
        names = page.locator(".chart .legend li")
        return page.locator(".chart .side").first.is_visible(), names.all_inner_texts()

    assert chromium.visit(ended_chest, steps, width=375).found[0] is False
    shown, names = chromium.visit(ended_chest, steps, width=1280).found
    assert shown
    assert sorted(name.split()[0] for name in names) == ["The", "The"]


def test_the_patterns_of_lands_are_strong_where_they_are_printed():
    """In letters they are faint, for there are colours."""
    printed = [rule for rule in source("site.css").split("@media print") if ".b-hatch" in rule]
    assert len(printed) == 1
    assert "stroke-opacity: .75 !important" in printed[0]
