"""Somebody's record in the games that he plays alone, by scenario and side, beside the bots'.

It counts his seats in games that are over and in which nobody else sat. A game that did not end by its rules,
since he gave it up or the gamesmaster ended it, is lost unless it names him as its winner.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

import games
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition, outcome_of
from adjudicator.model.repository import Repository
from adjudicator.reports.render import paragraph, render
from games.protocol import BotResults, CampaignCase, CaseResult, End, Game, Seat
from games.protocol.optional import SeatColours
from games.record import Value


class BotRecord(Value, frozen=True):
    """The results of bots in a case. bot: its level; rows: by result, how many games ended with it."""

    bot: str
    games: int
    rows: Mapping[CaseResult, int]

    def share(self, end: End) -> float:
        """The share of its games that ended so."""
        return sum(number for got, number in self.rows.items() if got.end == end) / self.games

    def share_beaten_by(self, case: CampaignCase, got: CaseResult) -> float:
        """Return the share of its games that a result is better than."""
        worse = (number for other, number in self.rows.items() if case.rank(other) < case.rank(got))
        return sum(worse) / self.games


class CaseRecord(Value, frozen=True):
    """The games of one case, in the order of their names, each with its name. title: of the kind of game.

    apart: the options by which they are other games than those of the bots, which then are None.
    """

    title: str
    kind: str
    case: CampaignCase
    apart: tuple[str, ...]
    played: tuple[tuple[str, CaseResult], ...]
    bots: BotRecord | None

    def count_ended(self, end: End) -> int:
        """Return how many of the games ended in that way."""
        return sum(got.end == end for _, got in self.played)

    @property
    def best(self) -> tuple[str, CaseResult]:
        """Return the best of the games, the first of those that are level."""
        return max(self.played, key=lambda entry: self.case.rank(entry[1]))


def record_of(address: str, books: Repository) -> tuple[CaseRecord, ...]:
    """Return all games that a player has played alone to their end, by kind and case as the game lists them.

    A game that cannot be read is left out.
    """
    games_by_case: dict[tuple[str, int, tuple[str, ...]], list[tuple[str, CaseResult]]] = {}
    for name, seat in books.seats_of(address):
        position = books.position(name)
        if position is None or position.is_running or position.kind not in games.kinds():
            continue
        game = games.kinds()[position.kind]
        entered = _case_result(game, position, seat)
        if entered is not None:
            place, apart, got = entered
            games_by_case.setdefault((position.kind, place, apart), []).append((name, got))
    return tuple(_chapter(*key, games_by_case[key]) for key in sorted(games_by_case))


def _case_result(
    game: Game, position: GamePosition, seat: Seat
) -> tuple[int, tuple[str, ...], CaseResult] | None:
    """Return the case that a game counts for, the options that set it apart, and its result.

    None where it doesn't count.
    """
    people = [chair for chair in position.chairs.values() if chair.is_person]
    campaign, result = game.campaign, outcome_of(game, position)
    if campaign is None or result is None or len(people) != 1:
        return None
    case = campaign.case(position.options, seat)
    if case is None:
        return None
    won, drawn = seat in result.winners, not result.winners and position.agreed is None
    end: End = "won" if won else "drawn" if drawn else "lost"
    got = CaseResult(end=end, count=campaign.count(position.state, case))
    return campaign.cases.index(case), campaign.set_apart(position.options), got


def _chapter(
    kind: str, place: int, apart: tuple[str, ...], played: Sequence[tuple[str, CaseResult]]
) -> CaseRecord:
    game = games.kinds()[kind]
    assert game.campaign is not None, "it was entered"
    case = game.campaign.cases[place]
    bots = None if apart else bots_in(game.campaign.results(), case)
    return CaseRecord(game.about.title, kind, case, apart, tuple(played), bots)


def bots_in(results: BotResults, case: CampaignCase) -> BotRecord:
    """Return the results of bots in a case."""
    rows = {
        CaseResult(end=end, count=int(count)): number
        for end, counts in results.cases[case.name].items()
        for count, number in counts.items()
    }
    return BotRecord(bot=results.bot, games=results.games, rows=rows)


def record_text(chapters: Sequence[CaseRecord]) -> str:
    """A record in rows that stay as they are, by kind and case."""
    titles = dict.fromkeys(chapter.title for chapter in chapters)
    return "\n\n".join("\n".join(_rows(title, chapters)) for title in titles)


def _rows(title: str, chapters: Sequence[CaseRecord]) -> Iterator[str]:
    yield title
    for chapter in chapters:
        if chapter.title == title:
            yield ""
            yield from (
                paragraph(text, "    " if place else "  ")
                for place, text in enumerate(_describe_case(chapter))
            )


def _describe_case(chapter: CaseRecord) -> Iterator[str]:
    """Yield a chapter in sentences: the case, the games, the best of them, the bots."""
    case, bots = chapter.case, chapter.bots
    yield sentence("reports.campaign_record.case", case=case.name, options=chapter.apart)
    yield sentence(
        "reports.campaign_record.games",
        number=len(chapter.played),
        won=chapter.count_ended("won"),
        drawn=chapter.count_ended("drawn"),
        lost=chapter.count_ended("lost"),
    )
    game, got = chapter.best
    count = _whole(got.count, case)
    yield sentence("reports.campaign_record.best", end=got.end, count=count, thing=case.thing, game=game)
    if bots is None:
        yield sentence("reports.campaign_record.no_comparison")
        return
    yield sentence(
        "reports.campaign_record.bots",
        beaten=_percent(bots.share_beaten_by(case, got)),
        number=f"{bots.games:,}",
        bot=bots.bot,
        won=_percent(bots.share("won")),
    )


def _whole(count: int, case: CampaignCase) -> str:
    """A count as people write it: halves as "8½"."""
    if case.quick or case.parts == 1:
        return str(count)
    sign, (whole, rest) = "-" * (count < 0), divmod(abs(count), case.parts)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}½" if case.parts == 2 * rest else f"{sign}{abs(Fraction(count, case.parts))}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


# Lines over time as a picture: scales and labels worked out for ``chart.svg``.


WIDTH, HEIGHT = 1000, 620
_LEFT, _RIGHT, _TOP, _LOW = 70, 190, 96, 64
_NAME, _LETTER = 34, 10
"""What a name beside its line takes, and each of its letters, in pixels; `_RIGHT` at most."""
_BADGE = 22
"""What the badge before a name takes."""

_SHIFT = 3.2
"""How far lines that pass through one point are drawn apart, in pixels."""

_TICK = 58
"""Pixels that a number below the chart has for itself, at least."""
_LABEL_SPACING_PX = 20.0
"""How far apart two labels are at least, in pixels."""

# Okabe and Ito's colours, which the colour-blind tell apart, darkened where white paper wants it.
_LINE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b1608f", "#8f7400", "#3f93c4", "#000000", "#7f5539")
_LINE_DASHES = ("", "9 5", "2.5 4", "12 4 2.5 4")


def line_chart(
    title: str,
    note: str,
    across: str,
    up: str,
    series: Mapping[str, Sequence[tuple[int, float]]],
    size: tuple[int, int] = (WIDTH, HEIGHT),
    badges: Mapping[str, SeatColours] | None = None,
) -> str:
    """Return a chart as SVG. Each line is named at its end; colours repeat with other dashes.

    across, up: what the axes count; series: by name, the points of a line, from left to right; size: in
    pixels; badges: by name, the colours in which a line is drawn, and that stand before its name.
    """
    marks = badges or {}
    width, height = size
    points = [point for line in series.values() for point in line]
    assert points, "a chart of nothing"
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    step = _step(max(y for _, y in points), 8)
    top = step * max(ceil(max(y for _, y in points) / step), 1)
    right = width - min(_NAME + _LETTER * max(map(len, series)), _RIGHT) - (_BADGE if marks else 0)
    moved_by = shifts(list(series.values()))

    def place(point: tuple[float, float], shift: float = 0) -> tuple[float, float]:
        x = _LEFT + (right - _LEFT) * (point[0] - first) / max(last - first, 1)
        return round(x, 1), round(height - _LOW - (height - _TOP - _LOW) * point[1] / top + shift, 1)

    courses = [list(map(place, line, moved)) for line, moved in zip(series.values(), moved_by, strict=True)]
    ends = [course[-1] for course in courses]
    labels = _space_labels([height for _, height in ends])
    lines = [
        {
            "name": name,
            "path": "M" + "L".join(f"{x} {y}" for x, y in courses[number]),
            "end": ends[number],
            "label": labels[number],
            "colour": marks[name].ink if name in marks else _LINE_COLOURS[number % len(_LINE_COLOURS)],
            "land": marks[name].land if name in marks else "",
            "dashes": _LINE_DASHES[number // len(_LINE_COLOURS) % len(_LINE_DASHES)],
        }
        for number, name in enumerate(series)
    ]
    every = _step(last - first, max((right - _LEFT) // _TICK, 1))
    context: dict[str, Any] = {
        "title": title,
        "note": note,
        "across": across,
        "up": up,
        "width": width,
        "height": height,
        "left": _LEFT,
        "right": right,
        "low": height - _LOW,
        "beside": right + 24 + (_BADGE if marks else 0),
        "lines": lines,
        "rows": [{"at": place((first, y))[1], "text": str(y)} for y in range(0, top + 1, step)],
        "columns": [{"at": place((x, 0))[0], "text": str(x)} for x in range(first, last + 1, every)],
    }
    return render(None, "chart.svg", context)


def shifts(lines: Sequence[Sequence[tuple[int, float]]]) -> list[list[float]]:
    """Return for each point of each line the shift up or down that keeps it from hiding another line."""
    at: dict[tuple[int, float], list[int]] = {}
    for number, line in enumerate(lines):
        for point in line:
            at.setdefault(point, []).append(number)
    return [
        [(at[point].index(number) - (len(at[point]) - 1) / 2) * _SHIFT for point in line]
        for number, line in enumerate(lines)
    ]


def _step(span: float, most: int) -> int:
    """The round step with which a span is gone through in so many steps at most."""
    sizes: list[int] = [size * 10**power for power in range(9) for size in (1, 2, 5)]
    return next(size for size in sizes if size * most >= span)


def _space_labels(wished: Sequence[float]) -> list[float]:
    """Return heights near those wished for, far enough apart for a label each, in the same order."""
    order = sorted(range(len(wished)), key=lambda number: wished[number])
    heights = [wished[number] for number in order]
    for _ in range(50):
        for at in range(1, len(heights)):
            lack = _LABEL_SPACING_PX - (heights[at] - heights[at - 1])
            if lack > 0.01:
                heights[at - 1] -= lack / 2
                heights[at] += lack / 2
    height_by_index = dict(zip(order, heights, strict=True))
    return [round(height_by_index[number], 1) for number in range(len(wished))]
