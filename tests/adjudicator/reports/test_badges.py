"""Names of seats on a page carry the colours of their counters and lands on the map."""

import re
from pathlib import Path

import pytest

import games
from adjudicator.reports.charts import line_chart
from adjudicator.reports.maps import svg
from adjudicator.reports.messages import LetterReader, verdict
from adjudicator.reports.render import leading_names, split_at_names, table, text_badges
from adjudicator.reports.report import History
from adjudicator.reports.verdict import CommandAnswer, Transcript
from games.dice import SealedDice
from games.options import settle
from games.protocol import ReportTable, Seat

LETTERS = Path(__file__).parents[2] / "golden" / "reports"
BADGE = re.compile(
    r'<span aria-hidden="true" style="background:(#[0-9a-f]{6});border:2px solid (#[0-9a-f]{6});[^"]*">'
    r"(?:&nbsp;)+</span>(?: +|&nbsp;)([\w-]+)"
)


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
@pytest.mark.parametrize("letter", ["moves", "retreats"])
def test_each_nation_in_headings_and_first_columns_bears_its_badge(kind: str, letter: str) -> None:
    """In the letters that are looked at whenever they change."""
    game = games.kinds()[kind]
    options = settle(game.about.options, {})
    view = game.rules.view(game.rules.setup(options, SealedDice(b"s", "g", 0)).state, None)
    marks = game.telling.badges(view)
    page = (LETTERS / f"{kind}-{letter}.html").read_text(encoding="utf-8")
    shown = BADGE.findall(page)
    assert {name for _, _, name in shown} >= set(marks) - {"Shoshoni"}
    for ink, land, name in shown:
        assert (ink, land) == (marks[name].ink, marks[name].land)
    bare = re.findall(r'<(?:h3[^>]*|th scope="row"[^>]*)>([\w-]+)', page)
    assert set(bare).isdisjoint(marks)


def test_a_game_without_counters_of_seats_has_none():
    page = (LETTERS / "war-chest-moves.html").read_text(encoding="utf-8")
    assert not BADGE.findall(page)


@pytest.mark.parametrize("kind", ["boer-war", "great-war", "plains-indian-wars", "war-chest"])
def test_the_sides_of_a_war_game_have_the_colours_that_its_board_shows(kind: str) -> None:
    """Charts, bars and small maps take them from one place, and a letter marks no "player" and no "ai"."""
    game = games.kinds()[kind]
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(b"s", "g", 0)).state
    view = game.rules.view(state, None)
    marks = game.telling.badges(view)
    if game.score:
        assert {str(seat) for seat in game.score.of(view)} == set(marks)
    drawn = svg(game, view, ()) or ""
    assert all(mark.ink in drawn and mark.land in drawn for mark in marks.values())
    assert len({mark.ink for mark in marks.values()}) == 2
    owned = {spot.owner: spot.colour for spot in game.telling.spots(view) if spot.owner}
    assert set(owned.values()) <= {mark.land for mark in marks.values()}
    assert len(set(owned.values())) == len(owned)
    assert set(text_badges(game, view)) == set(marks) - {"player", "ai"}


def marks_of(kind: str):
    game = games.kinds()[kind]
    options = settle(game.about.options, {})
    view = game.rules.view(game.rules.setup(options, SealedDice(b"s", "g", 0)).state, None)
    return game.telling.badges(view)


@pytest.mark.parametrize(
    "letter", ["standard-end", "standard-moves", "indianomacy-builds", "indianomacy-welcome"]
)
def test_names_in_lists_tables_and_the_story_bear_them_too(letter: str) -> None:
    """Everywhere below the headline, except in orders, whose headings have badges."""
    page = (LETTERS / f"{letter}.html").read_text(encoding="utf-8")
    marks = marks_of(letter.partition("-")[0])
    told = [
        *re.findall(r"<p[^>]*>Bots play(?:ed)?: (.*?)\.</p>", page),
        *re.findall(r'<div class="line"[^>]*>((?:Spring|Fall|Nobody won|The [a-z ]+:).*?)</div>', page),
        *re.findall(r'class="mast".*?<td align="right"[^>]*>(.*?)</td>', page),
        *re.findall(r'<th scope="row"[^>]*>(.*?)</th>', page),
    ]
    for sentence in told:
        plain = BADGE.sub("", sentence)
        assert not [name for name in marks if re.search(rf"\b{name}\b", plain)], sentence


def test_names_are_found_as_words_and_the_longer_of_two_first():
    names = ("Elm", "Elm Hill")
    assert split_at_names("Elm Hill beat Elm, Elmers too.", names) == (
        "Elm Hill",
        " beat ",
        "Elm",
        ", Elmers too.",
    )
    assert split_at_names("Elm", ()) == ("Elm",)
    assert leading_names(["Side  1", "Elm   2", "Elm Hill 3", "  Elm"], names) == (
        "",
        "Elm",
        "Elm Hill",
        "Elm",
    )


def test_a_chart_draws_each_side_in_the_colours_of_its_badge():
    marks = marks_of("standard")
    drawn = line_chart(
        "t", "n", "year", "centres", {"Italy": [(0, 3), (1, 4)], "Turkey": [(0, 3), (1, 2)]}, badges=marks
    )
    for name in ("Italy", "Turkey"):
        assert f'stroke="{marks[name].ink}"' in drawn
        assert f'fill="{marks[name].ink}" stroke="{marks[name].land}"' in drawn
    assert f'stroke="{marks["Italy"].ink}"' not in line_chart("t", "n", "y", "c", {"Italy": [(0, 3), (1, 4)]})


def test_a_chart_of_a_solo_game_draws_you_and_the_ai_in_the_colours_of_the_board():
    marks = marks_of("great-war")
    course = History(
        game="g",
        thing="points",
        time="Turn",
        counts={Seat("player"): [(0, 0), (1, 5)], Seat("ai"): [(0, 0), (1, 9)]},
        badges=marks,
        viewer=Seat("player"),
    )
    assert course.badges_by_name == {"You": marks["player"], "The AI": marks["ai"]}
    assert all(f'stroke="{mark.ink}"' in course.chart() for mark in marks.values())


def test_rows_of_an_answer_that_begin_with_names_bear_them_and_the_others_as_much_room():
    text = table(ReportTable(title="", columns=("Side", "1900"), rows=(("Italy", "3"), ("Turkey", "3"))))
    asked = Transcript(fingerprint="f", answered=(CommandAnswer("History", text, marks_of("standard")),))
    page = verdict(None, asked, LetterReader(address="player@example.org")).html
    assert [name for _, _, name in BADGE.findall(page)] == ["Italy", "Turkey"]
    assert page.count("background:transparent;border:2px solid transparent") == 2
