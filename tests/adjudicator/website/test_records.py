"""The pages of kinds: the results of their games, and every link of the archive works."""

import re

from adjudicator.admin import game_admin
from adjudicator.website.game_page import PageFrame
from adjudicator.website.index_pages import GameCard, records_page

PLAIN = {"kind": "standard", "title": "Diplomacy", "over": True, "began": 0}


def cell(page, row, column):
    """A cell of the first table that has such a column and such a row."""
    for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        heads = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table)
        found = re.search(rf"<th scope=\"row\">{row}</th>(.*?)</tr>", table, re.DOTALL)
        if column in heads and found:
            return re.findall(r"<td[^>]*>(.*?)</td>", found[1])[heads.index(column) - 1]
    raise AssertionError((row, column))


def test_players_and_bots_are_counted_by_what_they_won():
    """Two games of three: a person wins one, two bots of a level share the other."""
    cards = [
        GameCard(
            name="one",
            turns=9,
            changed=1,
            standing="Won by A.",
            winners=("A",),
            scores={"A": 18, "B": 10, "C": 6},
            counts="centres",
            levels={"A": "", "B": "beginner", "C": "beginner"},
            **PLAIN,
        ),
        GameCard(
            name="two",
            turns=30,
            changed=2,
            standing="A draw between B, C.",
            survivors=("B", "C"),
            scores={"A": 0, "B": 17, "C": 17},
            counts="centres",
            levels={"A": "", "B": "beginner", "C": "beginner"},
            **PLAIN,
        ),
    ]
    page = records_page("Diplomacy", cards, PageFrame("House")).decode()
    assert cell(page, "human players", "Games") == "2"
    assert cell(page, "human players", "Won") == "1"
    assert cell(page, "human players", "Draw size") == "50"
    assert cell(page, r"bot \(beginner\)", "Draw size") == "25"
    assert cell(page, r"bot \(beginner\)", "Won") == "0"
    assert cell(page, "A", "Sum of squares") == "50"
    assert "Longest game: <a" in page
    assert ">two</a>, 30 turns" in page
    assert ">one</a>, A, 18 centres" in page


def test_every_link_of_the_archive_leads_to_a_file_and_a_place_in_it(room):
    """From every page of a running game and of a finished one."""
    room.begin("standard", "vienna", 1)
    room.begin("great-war", "somme", 1)
    game_admin.end(room.service, "vienna", ["France"], "conceded")
    room.build()
    seen = 0
    for page in room.site.rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="([^"]*)"', page.read_text()):
            if link.startswith("mailto:"):
                continue
            file, _, anchor = link.partition("#")
            there = (page.parent / file).resolve() if file else page
            assert there.is_file(), (page, link)
            assert not anchor or f'id="{anchor}"' in there.read_text(), (page, link)
            seen += 1
    assert seen > 40
    assert "Points by scoring system" in room.page("vienna")
    assert "Points by scoring system" not in room.page("somme")
