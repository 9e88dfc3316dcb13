"""The course of a game as data: what each side had over time, and at the end its story."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from adjudicator.messages import sentence
from adjudicator.reports.chart import line_chart
from games.protocol import Game, ReportLine, ReportTable, Seat, State
from games.protocol.optional import SeatColours
from games.record import Value, field, replace_fields

_MAX_TABLE_COLUMNS = 8
"""So many moments have room in a table of 72 columns."""

_MAX_CHART_LINES = 12
"""So many sides have a line in the chart: more would hide each other."""

_CHART_SIZE_PX = (640, 440)
"""Of the chart, in pixels: its letters are read at 600 pixels, and on a phone."""

Series = Mapping[str, Sequence[tuple[int, int]]]


class StorySection(Value, frozen=True):
    """Sentences of a story under their heading."""

    heading: str
    sentences: tuple[str, ...]


class History(Value, frozen=True):
    """A game over time. thing, time: what is counted, and what passes ("supply centres", "year").

    series: by side, the strongest at the end first, pairs of a time and what it had when that was over, the
    opening first; story: of a game that is over; badges: what marks a side on the map.
    """

    game: str
    thing: str
    time: str
    series: Series
    story: tuple[StorySection, ...] = ()
    badges: Mapping[str, SeatColours] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The title of the chart and its table."""
        return sentence("reports.history.title", thing=self.thing, time=self.time)

    @property
    def table(self) -> ReportTable:
        """The same as the chart: the opening, and the last times of many."""
        times = [time for time, _ in next(iter(self.series.values()))]
        shown = times if len(times) <= _MAX_TABLE_COLUMNS else [times[0], *times[1 - _MAX_TABLE_COLUMNS :]]
        rows = []
        for name, line in self.series.items():
            had = dict(line)
            rows.append((name, *(str(had[time]) for time in shown)))
        columns = (sentence("reports.history.side"), *map(str, shown))
        return ReportTable(title=self.title, columns=columns, rows=tuple(rows))

    @property
    def alt_text(self) -> str:
        """The chart in a sentence, for readers who do not see it."""
        now = [(name, line[-1][1]) for name, line in self.series.items()]
        return sentence("reports.history.told", thing=self.thing, time=self.time, now=now)

    def chart(self) -> str:
        """The chart as SVG."""
        shown = dict(list(self.series.items())[:_MAX_CHART_LINES])
        last = next(iter(self.series.values()))[-1][0]
        note = sentence(
            "reports.history.note",
            thing=self.thing,
            time=self.time,
            last=last,
            shown=len(shown),
            sides=len(self.series),
        )
        return line_chart(self.game, note, self.time, self.thing, shown, _CHART_SIZE_PX, self.badges)


def history(
    game: Game, name: str, states: Iterable[State], *, over: bool, story: Sequence[ReportLine] = ()
) -> History | None:
    """The course of a game out of its positions as all may know them, the opening first.

    over: the last one is the end. None where nothing is counted, or no time is over yet.
    """
    score = game.score
    if score is None:
        return None
    closed: dict[int, Mapping[Seat, int]] = {}
    last: State | None = None
    is_played = False
    for state in states:
        when = score.when(state)
        is_played = last is not None and when == score.when(last)
        if last is None and when > 0:
            closed[when - 1] = dict(score.of(state))
        elif last is not None and when > score.when(last):
            closed |= {time: dict(score.of(state)) for time in range(score.when(last), when)}
        last = state
    if last is not None and over and is_played:
        # Of a year in which nothing was played there is nothing to show.
        closed[score.when(last)] = dict(score.of(last))
    if len(closed) < 2:
        return None
    course = History(game=name, thing=score.thing, time=score.time, series=_series(game, closed))
    story_sections = _sections(story) if story or not over else _by_numbers(course)
    return replace_fields(course, story=story_sections)


def closes(game: Game, before: State, after: State) -> bool:
    """Return whether some of the game's time, a year or a Turn, ended between two positions."""
    return game.score is not None and game.score.when(after) > game.score.when(before)


def _series(game: Game, closed: Mapping[int, Mapping[Seat, int]]) -> Series:
    sides = list(dict.fromkeys(side for had in closed.values() for side in sorted(had)))
    end = closed[max(closed)]
    ranked = sorted(sides, key=lambda side: (-end.get(side, 0), side))
    return {str(side): [(time, closed[time].get(side, 0)) for time in sorted(closed)] for side in ranked}


def _by_numbers(course: History) -> tuple[StorySection, ...]:
    """The story of a game that tells none itself: who led when, and what was the best time of each side."""
    now = [(name, line[-1][1]) for name, line in course.series.items()]
    end = sentence("reports.history.ended_with", thing=course.thing, now=now)
    turned = [text for _, text in sorted([*_lead_changes(course), *_best(course)])]
    sections = (
        StorySection(sentence("reports.history.ended"), (end,)),
        StorySection(sentence("reports.history.turned"), tuple(turned)),
    )
    return tuple(section for section in sections if section.sentences)


def _lead_changes(course: History) -> Iterator[tuple[int, str]]:
    """Yield each time at which another side than before had most of all."""
    ahead: str | None = None
    for place, (time, _) in enumerate(next(iter(course.series.values()))):
        had = {name: line[place][1] for name, line in course.series.items()}
        first, *others = sorted(had, key=lambda name: -had[name])
        if others and had[others[0]] == had[first]:
            continue
        if ahead is not None and first != ahead:
            most, less = had[first], had[ahead]
            text = sentence(
                "reports.history.passed",
                time=course.time,
                at=time,
                ahead=first,
                behind=ahead,
                most=most,
                less=less,
            )
            yield time, text
        ahead = first


def _best(course: History) -> Iterator[tuple[int, str]]:
    """The time in which each side gained most, the first of several."""
    for name, line in course.series.items():
        gains = [(after - before, time, before, after) for (_, before), (time, after) in pairwise(line)]
        gain, at, before, after = max(gains, key=lambda gain_entry: gain_entry[0])
        if gain > 0:
            text = sentence(
                "reports.history.best", time=course.time, at=at, side=name, before=before, after=after
            )
            yield at, text


def _sections(story: Sequence[ReportLine]) -> tuple[StorySection, ...]:
    grouped = groupby(story, key=lambda line: line.heading)
    return tuple(StorySection(heading, tuple(line.text for line in lines)) for heading, lines in grouped)
