"""A game over time: the count of each side after every turn, as numbers and as chart lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.reports.report import History, history
from adjudicator.reports.results import side_label
from adjudicator.website.public_game import PublicGame
from games.protocol import Seat, SeatColours, TournamentScore, View

WIDTH, HEIGHT = 1000, 220
_TOP, _LOW = 22, 26
"""Room above and below the chart for lines that are moved apart because they have the same value."""
LINE_SPACING = 6.6
"""The minimum distance between lines at each turn: 2.7 pixels on a phone, where a line is 2 pixels thick."""
_LINE_SHADE = 0.62
SIDE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b1608f", "#8f7400", "#3f93c4", "#000000", "#7f5539")
_SIDE_DASHES = ("", "9 5", "2.5 4", "12 4 2.5 4")
_PRINTED_DASHES = (
    "",
    "10 5",
    "2.5 4",
    "14 4 2.5 4",
    "5 3",
    "18 6",
    "8 3 2 3 2 3",
    "1.5 6",
    "22 3",
    "4 8",
    "12 3 5 3",
    "2 2",
)
"""Dash patterns for print, where there are no colours."""
_MAX_SIDES, _MAX_LINES_OF_MANY = 12, 6
"""The most sides that all have a line. Of more, as many have one at most: those whose count has changed."""
_NAME_SPACING_PX = 15
"""The minimum distance between names at the ends of lines."""
NAME_WIDTH_PX = 150
"""The width for a name at the end of a line."""


@dataclass(frozen=True)
class CourseLine:
    """One side over time.

    seat: the side as the rules call it. name: as public pages call it. counts: after the opening and after
    each turn. path, dashes: the SVG attributes. printed: the dashes for print. end: the height of the line's
    end. sign: the height of the name beside it.
    """

    seat: str
    name: str
    counts: tuple[int, ...]
    path: str
    colour: str
    dashes: str
    printed: str
    end: float
    sign: float = 0.0


@dataclass(frozen=True)
class CourseBand:
    """The sides without a line. sides: their number. counts: the lowest and the highest after the opening and
    after each turn, as text. path: the outline of the band."""

    sides: int
    counts: tuple[str, ...]
    path: str


@dataclass(frozen=True)
class Course:
    """All sides, the strongest at the end first.

    thing: the noun for the counts. ticks: heights and numbers. band: the sides without a line, if there are
    too many sides.
    """

    thing: str
    lines: tuple[CourseLine, ...]
    ticks: tuple[tuple[float, int], ...]
    band: CourseBand | None = None


def course_of(public_game: PublicGame, lands: Mapping[str, SeatColours] | None = None) -> Course | None:
    """Return the counts of each side over time, or None if the game counts nothing.

    lands: the colours on the map of sides without a badge.
    """
    score = chart_of(public_game)
    if score is None or not public_game.leaves:
        return None
    had = [dict(score.of(view)) for view in views_of(public_game)]
    every_side = {side for counts_then in had for side in counts_then}
    ranked = sorted(every_side, key=lambda side: (-had[-1].get(side, 0), side))
    sides = ranked
    if len(ranked) > _MAX_SIDES:
        sides = [side for side in ranked if len({then.get(side, 0) for then in had}) > 1][:_MAX_LINES_OF_MANY]
    rest = [side for side in ranked if side not in sides]
    most = max((count for counts_then in had for count in counts_then.values()), default=0) or 1
    darker = {side: _darken(colours) for side, colours in (lands or {}).items()}
    marks = {**darker, **badges_of(public_game)}
    counts = [[counts_then.get(side, 0) for counts_then in had] for side in sides]
    at_turns = [
        _move_apart([_height(count, most) for count in at_turn]) if at_turn else []
        for at_turn in ([row[turn] for row in counts] for turn in range(len(had)))
    ]
    heights = list(zip(*at_turns, strict=True))
    lines = tuple(
        _line(side, counts[number], heights[number], sorted(sides).index(side), marks)
        for number, side in enumerate(sides)
    )
    every = max(most // 4, 1)
    ticks = tuple((_height(count, most), count) for count in range(0, most + 1, every))
    band = _band([[then.get(side, 0) for side in rest] for then in had], most) if rest else None
    return Course(score.thing, _place_names(lines), ticks, band)


def _band(counts: Sequence[Sequence[int]], most: int) -> CourseBand:
    """Return the band of some sides, at least as thick as a line. counts: of these sides after each turn."""
    across, half = WIDTH / max(len(counts) - 1, 1), LINE_SPACING / 2
    upper = [(place * across, _height(max(at_turn), most) - half) for place, at_turn in enumerate(counts)]
    lower = [(place * across, _height(min(at_turn), most) + half) for place, at_turn in enumerate(counts)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*upper, *reversed(lower)))
    texts = [
        str(min(at_turn)) if min(at_turn) == max(at_turn) else f"{min(at_turn)}–{max(at_turn)}"
        for at_turn in counts
    ]
    return CourseBand(len(counts[0]), tuple(texts), path)


def _darken(colours: SeatColours) -> SeatColours:
    """Return the colours of a land with a shade that shows as a line on pale ground."""
    shades = (round(int(colours.land[at : at + 2], 16) * _LINE_SHADE) for at in (1, 3, 5))
    return SeatColours(ink="#" + "".join(f"{shade:02x}" for shade in shades), land=colours.land)


def counts_of(public_game: PublicGame, view: View) -> Mapping[Seat, int]:
    """Return each side's count in a position, or nothing if the game counts nothing."""
    score = chart_of(public_game)
    return dict(score.of(view)) if score else {}


def chart_of(public_game: PublicGame) -> TournamentScore[View] | None:
    """Return what the charts of a game's pages count: what a tournament follows, or else `Game.chart`."""
    return public_game.game.score or public_game.game.chart


def views_of(public_game: PublicGame) -> tuple[View, ...]:
    """Return the positions of a game, starting with the opening."""
    return (public_game.opening, *(leaf.view for leaf in public_game.leaves))


def badges_of(public_game: PublicGame) -> Mapping[str, SeatColours]:
    """Return the badges of the seats on the map."""
    telling = public_game.game.telling
    return telling.badges(public_game.opening)


def story_of(public_game: PublicGame) -> History | None:
    """Return the counts over time and the story, as in the last report, or None if nothing is counted."""
    telling = public_game.game.telling
    pasts = [leaf.past for leaf in public_game.leaves]
    story = telling.story(pasts) if public_game.is_over else ()
    return history(
        public_game.game, public_game.name, views_of(public_game), over=public_game.is_over, story=story
    )


def _place_names(lines: Sequence[CourseLine]) -> tuple[CourseLine, ...]:
    """Return lines with name positions that don't overlap: names are pushed up, then down."""
    order = sorted(range(len(lines)), key=lambda place: (lines[place].end, place))
    signs = {place: lines[place].end for place in order}
    lowest = HEIGHT - 4.0
    for place in reversed(order):
        signs[place] = min(signs[place], lowest)
        lowest = signs[place] - _NAME_SPACING_PX
    highest = 10.0
    for place in order:
        signs[place] = max(signs[place], highest)
        highest = signs[place] + _NAME_SPACING_PX
    return tuple(replace(line, sign=round(signs[place], 1)) for place, line in enumerate(lines))


def _move_apart(wished: Sequence[float]) -> list[float]:
    """Return heights near the wished ones, in the same order, so that no line hides another one."""
    order = sorted(range(len(wished)), key=lambda place: (wished[place], place))
    # Groups of neighbours that touch, each with the top of its first line and its size.
    groups: list[tuple[float, int]] = []
    for place in order:
        top, size = wished[place], 1
        while groups and top < groups[-1][0] + groups[-1][1] * LINE_SPACING:
            above, many = groups.pop()
            top = (above * many + (top - many * LINE_SPACING) * size) / (many + size)
            size += many
        groups.append((top, size))
    heights = [top + place * LINE_SPACING for top, size in groups for place in range(size)]
    lowest, highest = heights[-1] - (HEIGHT - 2), 2 - heights[0]
    moved = max(highest, 0.0) - max(lowest, 0.0)
    placed = {place: round(height + moved, 1) for place, height in zip(order, heights, strict=True)}
    return [placed[place] for place in range(len(wished))]


def _line(
    seat: Seat,
    counts: Sequence[int],
    heights: Sequence[float],
    number: int,
    marks: Mapping[str, SeatColours],
) -> CourseLine:
    across = WIDTH / max(len(counts) - 1, 1)
    points = " ".join(f"{round(place * across, 1):g},{height:g}" for place, height in enumerate(heights))
    colour = marks[seat].ink if seat in marks else SIDE_COLOURS[number % len(SIDE_COLOURS)]
    dashes = "" if seat in marks else _SIDE_DASHES[number // len(SIDE_COLOURS) % len(_SIDE_DASHES)]
    printed = _PRINTED_DASHES[number % len(_PRINTED_DASHES)]
    return CourseLine(
        str(seat), side_label(seat, None), tuple(counts), points, colour, dashes, printed, heights[-1]
    )


def _height(count: int, most: int) -> float:
    return round(HEIGHT - _LOW - (HEIGHT - _TOP - _LOW) * count / most, 1)
