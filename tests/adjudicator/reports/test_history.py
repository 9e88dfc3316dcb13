"""A game over time: each side's count at several times, as table, chart and sentence."""

import re
from dataclasses import dataclass, replace

import games
from adjudicator.inbound.game_history import build_history
from adjudicator.model.games import AdjudicationResult
from adjudicator.reports.charts import line_chart
from adjudicator.reports.maps import chart_of
from adjudicator.reports.messages import Enclosed, LetterReader, turn_report
from adjudicator.reports.render import table
from adjudicator.reports.report import closes, compile_report, history
from games.protocol import ReportLine, Seat
from games.protocol.game import TournamentScore
from games.record import replace_fields
from tests.kit.campaign import campaign


@dataclass(frozen=True)
class Harvest:
    """A position in which nothing but the year and who has how much is known."""

    year: int
    had: dict[str, int]


GAME = replace(
    games.kinds()["standard"],
    score=TournamentScore(
        thing="plums",
        time="year",
        when=lambda state: state.year,
        of=lambda state: {Seat(side): count for side, count in state.had.items()},
    ),
)


def compile_history(*states: Harvest, over: bool = False, story: tuple[ReportLine, ...] = ()):
    return history(GAME, "demo", states, over=over, story=story)


def test_a_year_is_over_when_the_next_one_has_begun_or_the_game():
    first, picked, second = Harvest(1, {"Elm": 3}), Harvest(1, {"Elm": 4}), Harvest(2, {"Elm": 5, "Oak": 1})
    assert compile_history(first, picked) is None, "no year is over"
    course = compile_history(first, picked, second)
    assert course is not None
    assert course.series == {"Elm": [(0, 3), (1, 5)], "Oak": [(0, 0), (1, 1)]}
    ended = compile_history(first, picked, second, Harvest(2, {"Oak": 7}), over=True)
    assert ended is not None
    assert list(ended.series) == ["Oak", "Elm"], "the strongest at the end comes first"
    assert ended.series["Elm"] == [(0, 3), (1, 5), (2, 0)]


def test_a_year_in_which_nothing_was_asked_counts_like_the_one_before():
    course = compile_history(Harvest(1, {"Elm": 3}), Harvest(4, {"Elm": 6}))
    assert course is not None
    assert course.series["Elm"] == [(0, 3), (1, 6), (2, 6), (3, 6)]
    assert closes(GAME, Harvest(1, {}), Harvest(4, {}))
    assert not closes(GAME, Harvest(4, {}), Harvest(4, {}))


def test_a_game_that_counts_nothing_has_no_history():
    assert history(replace(GAME, score=None), "demo", [Harvest(1, {}), Harvest(2, {})], over=True) is None


def test_a_long_game_s_table_has_the_opening_and_the_last_years_in_72_columns():
    course = compile_history(
        *(Harvest(year, {"Muskhogean": year % 20, "Elm": 3}) for year in range(1900, 1931))
    )
    assert course is not None
    assert course.table.columns == ("Side", "1899", *(str(year) for year in range(1923, 1930)))
    assert max(map(len, table(course.table).split("\n"))) <= 72
    assert len(course.series["Elm"]) == 31


def test_the_chart_says_in_words_what_it_shows_and_is_light():
    course = compile_history(Harvest(1, {"Elm": 3, "Oak": 3}), Harvest(2, {"Elm": 5, "Oak": 2}))
    assert course is not None
    assert course.title == "Plums, year by year"
    assert course.alt_text == "Plums by year, now: Elm 5, Oak 2."
    drawn = course.chart()
    assert all(word in drawn for word in (">demo<", "Plums, to the end of year 1", ">Elm<", ">Oak<"))
    assert chart_of(course)[:4] == b"\x89PNG"
    assert len(chart_of(course)) < 30_000


def test_of_many_sides_the_strongest_have_a_line_and_all_a_row():
    many = {f"Side {number}": number for number in range(34)}
    course = compile_history(Harvest(1, many), Harvest(2, many))
    assert course is not None
    assert course.chart().count("<circle") == 12
    assert "the first 12 of 34" in course.chart()
    assert len(course.table.rows) == 34


def test_lines_that_pass_through_one_point_are_drawn_apart_around_it():
    lines = {"Elm": [(0, 4.0), (1, 4.0)], "Oak": [(0, 4.0), (1, 4.0)], "Ash": [(0, 2.0), (1, 3.0)]}
    drawn = line_chart("t", "n", "year", "plums", lines)
    alone = line_chart("t", "n", "year", "plums", {"Elm": lines["Elm"], "Ash": lines["Ash"]})
    heights = [float(y) for y in re.findall(r'<path d="M[\d.]+ ([\d.]+)L[\d.]+ [\d.]+" fill', drawn)]
    (single, _) = [float(y) for y in re.findall(r'<path d="M[\d.]+ ([\d.]+)L[\d.]+ [\d.]+" fill', alone)]
    assert len(set(heights)) == 3
    assert abs((heights[0] + heights[1]) / 2 - single) < 0.11, "the middle is where they are"


def test_a_game_that_tells_no_story_has_one_in_numbers():
    """The leader at each time, and the best time of each side; nobody overtakes at a tie."""
    years = [{"Elm": 3, "Oak": 2}, {"Elm": 3, "Oak": 2}, {"Elm": 4, "Oak": 4}, {"Elm": 5, "Oak": 9}]
    states = [Harvest(year, had) for year, had in enumerate(years, 1)]
    assert compile_history(*states).story == (), "the game goes on"
    ended, turned = compile_history(*states, over=True).story
    assert (ended.heading, ended.sentences) == ("How it ended", ("Plums at the end: Oak 9, Elm 5.",))
    assert (turned.heading, turned.sentences) == (
        "Turning points",
        (
            "Year 2 was the best for Elm: from 3 to 4.",
            "Year 3 was the best for Oak: from 4 to 9.",
            "Year 3: Oak passed Elm, 9 to 5.",
        ),
    )


def test_half_points_are_shown_and_sides_are_you_and_the_ai():
    """The points of a game of two sides, with the half that decides it."""
    assert GAME.score is not None
    halves = replace_fields(GAME.score, exact=lambda state: {side: n / 2 for side, n in state.had.items()})
    states = [
        Harvest(1, {"player": 6, "ai": 6}),
        Harvest(2, {"player": 20, "ai": 50}),
        Harvest(2, {"player": 51, "ai": 50}),
    ]
    course = history(replace(GAME, score=halves), "demo", states, over=True)
    assert course is not None
    course = replace_fields(course, viewer=Seat("player"))
    assert course.table.rows == (("You", "3", "10", "25½"), ("The AI", "3", "25", "25"))
    assert [section.sentences for section in course.story] == [
        ("Plums at the end: you 25½, the AI 25.",),
        (
            "Year 1 was the best for the AI: from 3 to 25.",
            "Year 2 was the best for you: from 10 to 25½.",
            "Year 2: you passed the AI, 25½ to 25.",
        ),
    ]


def test_counts_that_do_not_decide_tell_no_leader():
    """A war that sieges decide does not say who had more troops, and a game without points shows none."""
    states = [Harvest(year, {"Elm": year, "Oak": 2}) for year in (1, 2, 3)]
    apart = replace(GAME, score=replace_fields(GAME.score, leads=False))
    course = history(apart, "demo", states, over=True)
    assert course is not None
    assert course.table.rows
    assert course.story == ()
    without = replace(GAME, score=replace_fields(GAME.score, exact=lambda _state: {}))
    assert history(without, "demo", states, over=True) is None


def test_a_year_in_which_nothing_was_played_is_not_shown():
    """A game that ends as soon as a year has begun."""
    states = (Harvest(1, {"Elm": 3}), Harvest(2, {"Elm": 4}), Harvest(3, {"Elm": 5}))
    course = compile_history(*states, over=True)
    assert course is not None
    assert [time for time, _ in course.series["Elm"]] == [0, 1, 2]
    longer = compile_history(*states, Harvest(3, {"Elm": 6}), over=True)
    assert longer is not None
    assert longer.series["Elm"][-1] == (3, 6)


def test_a_story_stands_in_sections():
    told = (
        ReportLine(heading="A", text="one"),
        ReportLine(heading="A", text="two"),
        ReportLine(heading="B", text="three"),
    )
    course = compile_history(Harvest(1, {"Elm": 1}), Harvest(1, {"Elm": 2}), over=True, story=told)
    assert course is not None
    assert [(one.heading, one.sentences) for one in course.story] == [
        ("A", ("one", "two")),
        ("B", ("three",)),
    ]


def test_the_last_letter_of_a_game_is_as_it_was_reviewed(golden):
    """Six years of Diplomacy: the chart, the table, the story; as text and as a page."""
    told = campaign("standard")
    step = told.steps[-1]
    result = told.game.rules.result(step.after)
    played = AdjudicationResult(
        steps=(step,), state=step.after, filed={}, due=(), result=result, deadline=None
    )
    course = build_history(told.game, told.start, told.log, played)
    report = compile_report(told.game, told.start, played, None, commitment="5ea1" * 16, history=course)
    assert course is not None
    assert course.story
    enclosed = Enclosed(chart=chart_of(course))
    letter = turn_report(told.game, report, LetterReader(address="player@example.org", game="demo"), enclosed)
    assert letter.chart_name == f"demo-{step.turn.short}-chart.png"
    assert letter.html is not None
    assert f'alt="Chart. {course.alt_text}"' in letter.html
    golden("standard-end.txt", letter.text)
    golden("standard-end.html", letter.html)
