"""The story of a whole game: its end, its turning points, broken peace and awards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.adjudication.retreats import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Captured, Eliminated, Ended, Resolved
from games.diplomacy.model import NEUTRAL, Convoy, Kind, Move, Province, State, SupportHold, SupportMove
from games.diplomacy.phrases import UNIT_KIND_NAMES, count_noun, count_times, join_words, small
from games.protocol import PastTurn, ReportLine, Seat

# Broken peace between nations: the first attack on a neighbour after seasons without one.


MIN_PEACEFUL_SEASONS = 4
"""Two neighbours are at peace if neither attacks the other for so many seasons (two years).

The log shows what players did. Their promises are in their press, which is private.
"""

Pair = tuple[Seat, Seat]


class Stab(NamedTuple):
    """An attack that broke a peace. number: of the turn in the course; at: where it was aimed.

    quiet: how many seasons the peace had lasted; helped: how often one had helped the other in that time;
    taken: the centres that the attacker took from the victim in that year and the next.
    """

    number: int
    by: Seat
    victim: Seat
    at: Province
    quiet: int
    helped: int
    taken: tuple[Province, ...]

    @property
    def weight(self) -> int:
        """The weight of the stab: a centre counts as much as four quiet seasons or two supports."""
        return 4 * len(self.taken) + 2 * self.helped + self.quiet


def stabs(board: Board, course: Sequence[PastTurn]) -> list[Stab]:
    """Return all attacks that broke a peace, in order. Attacks in both directions at once don't count."""
    quiet: Counter[frozenset[Seat]] = Counter()
    helped: Counter[frozenset[Seat]] = Counter()
    betrayals = []
    for number, past in enumerate(course):
        if past.before.phase.kind != "M":
            continue
        attacks = dict(_attacks(past.before, past.events))
        for (by, victim), at in attacks.items():
            pair = frozenset((by, victim))
            if quiet[pair] >= MIN_PEACEFUL_SEASONS and (victim, by) not in attacks:
                taken = _centres_taken(course[number:], by, victim)
                betrayals.append(Stab(number, by, victim, at, quiet[pair], helped[pair], taken))
        for by, victim in attacks:
            quiet.pop(frozenset((by, victim)), None)
            helped.pop(frozenset((by, victim)), None)
        fought = {frozenset(pair) for pair in attacks}
        quiet.update(pair for pair in _side_by_side(board, past.before) if pair not in fought)
        given = map(frozenset, help_given(past.before, past.events))
        helped.update(pair for pair in given if pair not in fought)
    return betrayals


def help_given(before: State, events: Sequence[AnyEvent]) -> Iterator[Pair]:
    """Yield pairs of powers of which the first helped the second. Supports that were cut count too."""
    standing = {unit.at: unit.power for unit in before.units}
    for event in events:
        if not isinstance(event, Resolved) or event.outcome not in (
            "supported",
            "cut",
            "convoyed",
            "disrupted",
        ):
            continue
        if isinstance(event.order, SupportHold | SupportMove | Convoy):
            other = standing.get(event.order.other.at, event.power)
            if other not in (event.power, NEUTRAL):
                yield event.power, other


def _attacks(before: State, events: Sequence[AnyEvent]) -> Iterator[tuple[Pair, Province]]:
    """Yield each pair's first attack, or support of one, on the units or centres of another power."""
    standing = {unit.at: unit.power for unit in before.units}
    seen: set[Pair] = set()
    for event in events:
        if not isinstance(event, Resolved) or event.outcome == "void":
            continue
        if not isinstance(event.order, Move | SupportMove):
            continue
        victim = standing.get(event.order.to) or before.centres.get(event.order.to)
        if victim in (None, event.power, NEUTRAL) or (event.power, victim) in seen:
            continue
        # Support for a move of the victim's own unit is not an attack.
        if isinstance(event.order, SupportMove) and standing.get(event.order.other.at) == victim:
            continue
        assert victim is not None
        seen.add((event.power, victim))
        yield (event.power, victim), event.order.to


def _side_by_side(board: Board, before: State) -> set[frozenset[Seat]]:
    return {
        frozenset((power, other))
        for power in survivors(board, before)
        for other in neighbours(board, before, power)
    }


def _centres_taken(course: Sequence[PastTurn], by: Seat, victim: Seat) -> tuple[Province, ...]:
    """Return the centres that changed hands between two nations up to the end of the next year."""
    until = course[0].before.phase.year + 1
    events = [event for past in course if past.before.phase.year <= until for event in past.events]
    lost = [
        capture.centre
        for capture in events
        if isinstance(capture, Captured) and (capture.was, capture.now) == (victim, by)
    ]
    return tuple(dict.fromkeys(lost))


_MAX_STORY_POINTS = 5
"""The most turning points and stabs in a story: the most important ones, in order of time."""

_MIN_LEAP = 3
"""If a power gains or loses this many centres in a year, it is a turning point."""

ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING = (
    "How it ended",
    "Turning points",
    "Stabs",
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
    how = f"{join_words(won)} won" if won else "The game was a draw" if ended else "The game ended early"
    counts = _counts(last.after)
    ranked = sorted((power for power in board.powers if counts[power]), key=lambda power: -counts[power])
    rows = [f"{power} {counts[power]}" for power in ranked]
    return [
        f"{how} in {_when(last)}, after {count_noun(len(course), 'phase')}. Supply centres: "
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
            most = leaps.pop(now, (0, f"reached {count_noun(_counts(past.after)[now], 'centre')}"))[1]
            text = f"{_when(past)}: {now} {most} and took the lead from {ahead}."
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
                    f"{capture.was} lost its first home centre, {board.name(capture.centre)}, to "
                    f"{capture.now}"
                )
                points.append(_Point(number, 2, f"{_when(past)}: {lost}."))
    return points


def _death(board: Board, course: Sequence[PastTurn], power: Seat) -> str:
    """Return when a power was eliminated, and which power took its last centre."""
    lost = [
        (past, event)
        for past in course
        for event in past.events
        if isinstance(event, Captured) and event.was == power
    ]
    text = f"{_when(course[-1])}: {power} was eliminated"
    if not lost:
        return f"{text}."
    past, last = lost[-1]
    when = "" if past is course[-1] else f" in {_when(past)}"
    return f"{text}. It lost its last centre, {board.name(last.centre)}, to {last.now}{when}."


def _leaps(board: Board, past: PastTurn) -> Iterator[tuple[Seat, tuple[int, str]]]:
    """Yield the powers that gained or lost several centres in a year: how many, and in words."""
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
        text += f" (they had helped each other {count_times(betrayal.helped)})"
    if betrayal.taken:
        text += f", and took {join_words([board.name(at) for at in betrayal.taken])} within two years"
    return f"{text}."


def _sole_leader(board: Board, state: State) -> Seat | None:
    """Return the power that owns more centres than any other; None on a tie."""
    counts = _counts(state)
    first = [power for power in board.powers if counts[power] == max(counts.values(), default=0)]
    return first[0] if len(first) == 1 else None


def _counts(state: State) -> Counter[Seat]:
    return Counter(state.centres.values())


def _when(past: PastTurn) -> str:
    """Return the season of a turn, "Fall 1905", without its phase."""
    return past.turn.name.rpartition(", ")[0] or past.turn.name


# Awards at the end of a game: who took, held, helped and travelled most.


_MIN_FOR_AWARD = {"conqueror": 3, "rock": 3, "neighbour": 3, "vain": 5, "traveller": 6}
"""The least number that earns an award."""


def awards(board: Board, course: Sequence[PastTurn]) -> list[str]:
    """Return each award in a sentence. Powers with equal numbers share it."""
    took, held, helped, vain = Counter[Seat](), Counter[Seat](), Counter[Seat](), Counter[Seat]()
    for past in course:
        took.update(event.now for event in past.events if isinstance(event, Captured) and event.was)
        held.update(_defenders(board, past.events))
        helped.update(by for by, _ in help_given(past.before, past.events))
        vain.update(
            event.power for event in past.events if isinstance(event, Resolved) and event.outcome == "bounced"
        )
    categories = (
        ("conqueror", took, "Conqueror: {who} took {much} from other players", "centre"),
        ("rock", held, "Rock: {who} beat off {much} on centres", "attack"),
        ("neighbour", helped, "Good neighbour: {who} helped other players' units {much}", "time"),
        ("vain", vain, "Closed door: {who} had {much} that failed", "move"),
    )
    sentences = [
        _award(board, count, text, noun, _MIN_FOR_AWARD[what]) for what, count, text, noun in categories
    ]
    return [sentence for sentence in (*sentences, _traveller(board, course)) if sentence]


def _award(board: Board, count: Mapping[Seat, int], text: str, noun: str, fewest: int) -> str:
    most = max(count.values(), default=0)
    if most < fewest:
        return ""
    who = [str(power) for power in board.powers if count.get(power) == most]
    return text.format(who=join_words(who), much=count_noun(most, noun)) + "."


def _defenders(board: Board, events: Sequence[AnyEvent]) -> Iterator[Seat]:
    """Yield the power whose unit held a centre against another power, once for each attack."""
    for event in events:
        if (
            isinstance(event, Resolved)
            and event.outcome == "bounced"
            and isinstance(event.order, Move)
            and event.reason
        ):
            to = event.order.to
            holder = next((unit.power for unit in event.reason.by if unit.at == to), event.power)
            if to in board.centres and holder not in (event.power, NEUTRAL):
                yield holder


class _Journey(NamedTuple):
    """A unit's journey: its power and kind, where it began, and how many moves it has made."""

    power: Seat
    kind: Kind
    origin: Province
    moves: int = 0


def _traveller(board: Board, course: Sequence[PastTurn]) -> str:
    """Return the award for the unit that moved most often, whether or not it survived."""
    journeys: dict[Province, _Journey] = {}
    furthest: tuple[_Journey, Province] | None = None
    for past in course:
        journeys = _continue_journeys(past, journeys)
        for at, journey in journeys.items():
            if furthest is None or journey.moves > furthest[0].moves:
                furthest = journey, at
    if furthest is None or furthest[0].moves < _MIN_FOR_AWARD["traveller"]:
        return ""
    journey, at = furthest
    whence, where = board.name(journey.origin), board.name(at)
    kind = f"the {UNIT_KIND_NAMES[journey.kind]} of {journey.power}"
    return (
        f"Traveller: {kind} that started in {whence} and reached {where} after "
        f"{count_noun(journey.moves, 'move')}."
    )


def _continue_journeys(past: PastTurn, before: Mapping[Province, _Journey]) -> dict[Province, _Journey]:
    """Return the journeys after a turn by the province of each unit, or its last one if dislodged."""
    went = {
        (event.power, event.order.to): event.unit.at
        for event in past.events
        if isinstance(event, Resolved)
        and event.outcome in ("moved", "retreated")
        and isinstance(event.order, Move)
        and event.unit is not None
    }
    after: State = past.after
    journeys: dict[Province, _Journey] = {}
    for unit in after.units:
        whence = went.get((unit.power, unit.at))
        known = before.get(unit.at if whence is None else whence)
        if known is None or (known.power, known.kind) != (unit.power, unit.kind):
            known = _Journey(unit.power, unit.kind, unit.at if whence is None else whence)
        journeys[unit.at] = known._replace(moves=known.moves + (whence is not None))
    for beaten in after.beaten:
        # It may still retreat, so its journey stays under its old province unless another unit is there now.
        origin = before.get(beaten.unit.at)
        if origin is not None and beaten.unit.at not in journeys:
            journeys[beaten.unit.at] = origin
    return journeys
