"""The story of a whole game: how it ended, what turned it, who broke the peace, who gets an award."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.diplomacy.boards.board import Board
from games.diplomacy.events import Captured, Eliminated, Ended
from games.diplomacy.model import State
from games.diplomacy.phrases import count_noun, join_words, small
from games.diplomacy.reports.awards import awards
from games.diplomacy.reports.betrayals import Stab, stabs
from games.protocol import ReportLine, Seat
from games.protocol.optional import PastTurn

_MAX_STORY_POINTS = 5
"""So many turning points and so many stabs are told: the weightiest, in the order in which they happened."""

_MIN_LEAP = 3
"""Centres that a power wins or loses in one year, from which on it is a turning point."""

ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING = (
    "How it ended",
    "Turning points",
    "Who broke the peace",
    "Awards",
)


class _Point(NamedTuple):
    number: int
    weight: int
    text: str


def story(board: Board, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
    """Return the story in sentences under headings. board: as the options of the game make it."""
    if not course:
        return ()
    points = _weightiest(_turning_points(board, course))
    broken = _weightiest(
        [
            _Point(betrayal.number, betrayal.weight, _stab(board, course, betrayal))
            for betrayal in stabs(board, course)
        ]
    )
    parts = (
        (ENDING_HEADING, _ending(board, course)),
        (TURNING_POINTS_HEADING, points),
        (STABS_HEADING, broken),
        (AWARDS_HEADING, awards(board, course)),
    )
    return tuple(ReportLine(heading=heading, text=text) for heading, texts in parts for text in texts)


def _weightiest(points: Sequence[_Point]) -> list[str]:
    heaviest = sorted(points, key=lambda point: (-point.weight, point.number))[:_MAX_STORY_POINTS]
    return [point.text for point in sorted(heaviest, key=lambda point: point.number)]


def _ending(board: Board, course: Sequence[PastTurn]) -> list[str]:
    last = course[-1]
    ended = next((event for event in last.events if isinstance(event, Ended)), None)
    won = ended.winners if ended else ()
    how = (
        f"{join_words(won)} won"
        if won
        else "Nobody won"
        if ended
        else "It ended without a winner by the rules"
    )
    counts = _counts(last.after)
    ranked = sorted((power for power in board.powers if counts[power]), key=lambda power: -counts[power])
    rows = [f"{power} {counts[power]}" for power in ranked]
    return [
        f"{how}, in {_when(last)}, after {count_noun(len(course), 'turn')}. Supply centres: "
        f"{join_words(rows)}."
    ]


def _turning_points(board: Board, course: Sequence[PastTurn]) -> list[_Point]:
    points: list[_Point] = []
    ahead = _sole_leader(board, course[0].before)
    raided: set[Seat] = set()
    for number, past in enumerate(course):
        dead = (event.power for event in past.events if isinstance(event, Eliminated))
        points += [_Point(number, 6, _death(board, course[: number + 1], power)) for power in dead]
        captures = [event for event in past.events if isinstance(event, Captured)]
        if not captures:
            continue
        now = _sole_leader(board, past.after)
        leaps = dict(_leaps(board, past))
        if now and ahead and now != ahead:
            most = leaps.pop(now, (0, f"led with {count_noun(_counts(past.after)[now], 'centre')}"))[1]
            text = f"{_when(past)}: {now} {most}, ahead of all; the last to be so was {ahead}."
            points.append(_Point(number, 5, text))
        ahead = now or ahead
        points += [
            _Point(number, much, f"{_when(past)}: {power} {how}.") for power, (much, how) in leaps.items()
        ]
        for capture in captures:
            if (
                capture.was is not None
                and capture.was not in raided
                and capture.centre in board.powers[capture.was].homes
            ):
                raided.add(capture.was)
                lost = (
                    f"{board.name(capture.centre)}, the first home that {capture.was} lost, fell to "
                    f"{capture.now}"
                )
                points.append(_Point(number, 2, f"{_when(past)}: {lost}."))
    return points


def _death(board: Board, course: Sequence[PastTurn], power: Seat) -> str:
    """Return a sentence on when a power was out, and which nation had taken the last of it."""
    lost = [
        (past, event)
        for past in course
        for event in past.events
        if isinstance(event, Captured) and event.was == power
    ]
    text = f"{_when(course[-1])}: {power} was out of the game"
    if not lost:
        return f"{text}."
    past, last = lost[-1]
    when = "" if past is course[-1] else f" in {_when(past)}"
    return f"{text}; {board.name(last.centre)}, the last of it, had gone to {last.now}{when}."


def _leaps(board: Board, past: PastTurn) -> Iterator[tuple[Seat, tuple[int, str]]]:
    """Yield the powers that won or lost several centres when a year closed: how many, and in words."""
    before, after = _counts(past.before), _counts(past.after)
    for power in board.powers:
        change = after[power] - before[power]
        if abs(change) >= _MIN_LEAP and after[power]:
            how = "rose" if change > 0 else "fell"
            yield (
                power,
                (abs(change), f"{how} from {small(before[power])} to {count_noun(after[power], 'centre')}"),
            )


def _stab(board: Board, course: Sequence[PastTurn], betrayal: Stab) -> str:
    where, quiet = board.name(betrayal.at), count_noun(betrayal.quiet, "season")
    when = _when(course[betrayal.number])
    text = f"{when}: {betrayal.by} attacked {betrayal.victim} at {where} after {quiet} of peace"
    if betrayal.helped:
        times = {1: "once", 2: "twice"}.get(betrayal.helped, f"{small(betrayal.helped)} times")
        text += f", in which they had helped each other {times}"
    if betrayal.taken:
        text += f", and took {join_words([board.name(at) for at in betrayal.taken])} within two years"
    return f"{text}."


def _sole_leader(board: Board, state: State) -> Seat | None:
    """Return the power that owns more centres than any other; None where several are level."""
    counts = _counts(state)
    first = [power for power in board.powers if counts[power] == max(counts.values(), default=0)]
    return first[0] if len(first) == 1 else None


def _counts(state: State) -> Counter[Seat]:
    return Counter(state.centres.values())


def _when(past: PastTurn) -> str:
    """When a turn was: "Fall 1905", without what sort of turn it is."""
    return past.turn.name.rpartition(", ")[0] or past.turn.name
