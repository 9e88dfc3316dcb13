"""The story of a whole game: how it ended, what turned it, who broke the peace, who gets an award."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.diplomacy.awards import awards
from games.diplomacy.betrayals import Stab, stabs
from games.diplomacy.board import Board
from games.diplomacy.events import Captured, Eliminated, Ended
from games.diplomacy.model import State
from games.diplomacy.phrases import counted, listed, small
from games.protocol import Line, Seat
from games.protocol.optional import Past

_MOST = 5
"""So many turning points and so many stabs are told: the weightiest, in the order in which they happened."""

_LEAP = 3
"""Centres that a power wins or loses in one year, from which on it is a turning point."""

ENDED, TURNS, STABS, AWARDS = "How it ended", "Turning points", "Who broke the peace", "Awards"


class _Point(NamedTuple):
    number: int
    weight: int
    text: str


def story(board: Board, course: Sequence[Past]) -> tuple[Line, ...]:
    """The story in sentences under headings. board: as the options of the game make it."""
    if not course:
        return ()
    points = _weightiest(_turning_points(board, course))
    broken = _weightiest(
        [_Point(one.number, one.weight, _stab(board, course, one)) for one in stabs(board, course)]
    )
    parts = (
        (ENDED, _ending(board, course)),
        (TURNS, points),
        (STABS, broken),
        (AWARDS, awards(board, course)),
    )
    return tuple(Line(heading=heading, text=text) for heading, texts in parts for text in texts)


def _weightiest(points: Sequence[_Point]) -> list[str]:
    told = sorted(points, key=lambda one: (-one.weight, one.number))[:_MOST]
    return [one.text for one in sorted(told, key=lambda one: one.number)]


def _ending(board: Board, course: Sequence[Past]) -> list[str]:
    last = course[-1]
    ended = next((one for one in last.events if isinstance(one, Ended)), None)
    won = ended.winners if ended else ()
    how = f"{listed(won)} won" if won else "Nobody won" if ended else "It ended without a winner by the rules"
    counts = _counts(last.after)
    ranked = sorted((power for power in board.powers if counts[power]), key=lambda power: -counts[power])
    rows = [f"{power} {counts[power]}" for power in ranked]
    return [f"{how}, in {_when(last)}, after {counted(len(course), 'turn')}. Supply centres: {listed(rows)}."]


def _turning_points(board: Board, course: Sequence[Past]) -> list[_Point]:
    found: list[_Point] = []
    ahead = _sole(board, course[0].before)
    raided: set[Seat] = set()
    for number, past in enumerate(course):
        dead = (one.power for one in past.events if isinstance(one, Eliminated))
        found += [_Point(number, 6, _death(board, course[: number + 1], power)) for power in dead]
        captures = [one for one in past.events if isinstance(one, Captured)]
        if not captures:
            continue
        now = _sole(board, past.after)
        leaps = dict(_leaps(board, past))
        if now and ahead and now != ahead:
            most = leaps.pop(now, (0, f"led with {counted(_counts(past.after)[now], 'centre')}"))[1]
            text = f"{_when(past)}: {now} {most}, ahead of all; the last to be so was {ahead}."
            found.append(_Point(number, 5, text))
        ahead = now or ahead
        found += [
            _Point(number, much, f"{_when(past)}: {power} {how}.") for power, (much, how) in leaps.items()
        ]
        for one in captures:
            if one.was is not None and one.was not in raided and one.centre in board.powers[one.was].homes:
                raided.add(one.was)
                lost = f"{board.name(one.centre)}, the first home that {one.was} lost, fell to {one.now}"
                found.append(_Point(number, 2, f"{_when(past)}: {lost}."))
    return found


def _death(board: Board, course: Sequence[Past], power: Seat) -> str:
    """Who was out when, and who had taken the last of it."""
    lost = [
        (past, one)
        for past in course
        for one in past.events
        if isinstance(one, Captured) and one.was == power
    ]
    text = f"{_when(course[-1])}: {power} was out of the game"
    if not lost:
        return f"{text}."
    past, last = lost[-1]
    when = "" if past is course[-1] else f" in {_when(past)}"
    return f"{text}; {board.name(last.centre)}, the last of it, had gone to {last.now}{when}."


def _leaps(board: Board, past: Past) -> Iterator[tuple[Seat, tuple[int, str]]]:
    """Who won or lost several centres when a year closed: how many, and in words."""
    before, after = _counts(past.before), _counts(past.after)
    for power in board.powers:
        change = after[power] - before[power]
        if abs(change) >= _LEAP and after[power]:
            how = "rose" if change > 0 else "fell"
            yield (
                power,
                (abs(change), f"{how} from {small(before[power])} to {counted(after[power], 'centre')}"),
            )


def _stab(board: Board, course: Sequence[Past], one: Stab) -> str:
    where, quiet = board.name(one.at), counted(one.quiet, "season")
    when = _when(course[one.number])
    text = f"{when}: {one.by} attacked {one.victim} at {where} after {quiet} of peace"
    if one.helped:
        times = {1: "once", 2: "twice"}.get(one.helped, f"{small(one.helped)} times")
        text += f", in which they had helped each other {times}"
    if one.taken:
        text += f", and took {listed([board.name(at) for at in one.taken])} within two years"
    return f"{text}."


def _sole(board: Board, state: State) -> Seat | None:
    """Who owns more centres than anybody else; None where several are level."""
    counts = _counts(state)
    first = [power for power in board.powers if counts[power] == max(counts.values(), default=0)]
    return first[0] if len(first) == 1 else None


def _counts(state: State) -> Counter[Seat]:
    return Counter(state.centres.values())


def _when(past: Past) -> str:
    """When a turn was: "Fall 1905", without what sort of turn it is."""
    return past.turn.name.rpartition(", ")[0] or past.turn.name
