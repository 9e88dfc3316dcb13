"""The story of a whole game: its end, its turning points, broken peace and awards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.adjudication.retreats import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Captured, Eliminated, Ended, Resolved
from games.diplomacy.model import NEUTRAL, Convoy, Kind, Move, Province, State, SupportHold, SupportMove
from games.diplomacy.phrases import UNIT_KIND_NAMES, count_times, small
from games.language import join_list
from games.messages import sentence
from games.protocol import PastTurn, ReportLine, Seat

# Broken peace between nations: the first attack on a neighbour after seasons without one.


MIN_PEACEFUL_SEASONS = 4
"""Two neighbours are at peace if neither attacks the other for this many seasons (two years).

Only attacks count, since the press with the players' promises is private.
"""

Pair = tuple[Seat, Seat]


class Stab(NamedTuple):
    """An attack that broke a peace. number: of the turn in the course; at: where it was aimed.

    quiet: how many seasons the peace had lasted; helped: how often one had helped the other during the peace;
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
        ("diplomacy.reports_story.ending_heading", [_ending(board, course)]),
        ("diplomacy.reports_story.turning_points_heading", points),
        ("diplomacy.reports_story.stabs_heading", broken),
        ("diplomacy.reports_story.awards_heading", awards(board, course)),
    )
    return tuple(ReportLine(heading=sentence(slug), text=text) for slug, texts in parts for text in texts)


def _weightiest(points: Sequence[_Point]) -> list[str]:
    heaviest = sorted(points, key=lambda point: (-point.weight, point.number))[:_MAX_STORY_POINTS]
    return [point.text for point in sorted(heaviest, key=lambda point: point.number)]


def _ending(board: Board, course: Sequence[PastTurn]) -> str:
    last = course[-1]
    ended = next((event for event in last.events if isinstance(event, Ended)), None)
    slug = "diplomacy.reports_story.stopped_early"
    if ended:
        slug = "diplomacy.reports_story.won" if ended.winners else "diplomacy.reports_story.drawn"
    counts = _counts(last.after)
    ranked = sorted((power for power in board.powers if counts[power]), key=lambda power: -counts[power])
    return sentence(
        slug,
        winners=join_list(ended.winners) if ended else "",
        season=_season(last),
        phases=sentence("diplomacy.reports_counts.phases", count=len(course), number=small(len(course))),
        centres=join_list([f"{power} {counts[power]}" for power in ranked]),
    )


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
        leaps = _leaps(board, past)
        if now and ahead and now != ahead:
            points.append(_Point(number, 5, _new_lead(past, now, ahead, leaps.pop(now, 0))))
        ahead = now or ahead
        points += [_Point(number, abs(change), _leap(past, power, change)) for power, change in leaps.items()]
        for capture in captures:
            if (
                capture.was is not None
                and capture.was not in raided
                and capture.centre in board.powers[capture.was].homes
            ):
                raided.add(capture.was)
                text = sentence(
                    "diplomacy.reports_story.first_home_lost",
                    season=_season(past),
                    power=capture.was,
                    centre=board.name(capture.centre),
                    winner=capture.now,
                )
                points.append(_Point(number, 2, text))
    return points


def _death(board: Board, course: Sequence[PastTurn], power: Seat) -> str:
    """Return when a power was eliminated, and which power took its last centre."""
    lost = [
        (past, event)
        for past in course
        for event in past.events
        if isinstance(event, Captured) and event.was == power
    ]
    season = _season(course[-1])
    if not lost:
        return sentence("diplomacy.reports_story.eliminated", season=season, power=power)
    past, last = lost[-1]
    return sentence(
        "diplomacy.reports_story.eliminated_by"
        if past is course[-1]
        else "diplomacy.reports_story.eliminated_since",
        season=season,
        power=power,
        centre=board.name(last.centre),
        winner=last.now,
        season_of_loss=_season(past),
    )


def _leaps(board: Board, past: PastTurn) -> dict[Seat, int]:
    """Return the powers that gained or lost several centres in a year, with the gain or the negative loss."""
    before, after = _counts(past.before), _counts(past.after)
    changes = {power: after[power] - before[power] for power in board.powers if after[power]}
    return {power: change for power, change in changes.items() if abs(change) >= _MIN_LEAP}


def _leap(past: PastTurn, power: Seat, change: int) -> str:
    count = _counts(past.after)[power]
    return sentence(
        "diplomacy.reports_story.rose" if change > 0 else "diplomacy.reports_story.fell",
        season=_season(past),
        power=power,
        before=small(count - change),
        centres=_count_centres(count),
    )


def _new_lead(past: PastTurn, leader: Seat, loser: Seat, change: int) -> str:
    """Return the news of a new leader. change: its gain (or negative loss) if it was a leap, otherwise 0."""
    slug = "diplomacy.reports_story.reached_and_led"
    if change:
        slug = (
            "diplomacy.reports_story.rose_and_led" if change > 0 else "diplomacy.reports_story.fell_and_led"
        )
    count = _counts(past.after)[leader]
    return sentence(
        slug,
        season=_season(past),
        power=leader,
        loser=loser,
        before=small(count - change),
        centres=_count_centres(count),
    )


def _count_centres(count: int) -> str:
    return sentence("diplomacy.reports_counts.centres", count=count, number=small(count))


def _stab(board: Board, course: Sequence[PastTurn], betrayal: Stab) -> str:
    slug = "diplomacy.reports_story.stab_and_gains" if betrayal.taken else "diplomacy.reports_story.stab"
    if betrayal.helped:
        slug = (
            "diplomacy.reports_story.stab_of_helper_and_gains"
            if betrayal.taken
            else "diplomacy.reports_story.stab_of_helper"
        )
    return sentence(
        slug,
        count=betrayal.quiet,
        season=_season(course[betrayal.number]),
        power=betrayal.by,
        victim=betrayal.victim,
        place=board.name(betrayal.at),
        number=small(betrayal.quiet),
        times=count_times(betrayal.helped),
        gains=join_list([board.name(at) for at in betrayal.taken]),
    )


def _sole_leader(board: Board, state: State) -> Seat | None:
    """Return the power that owns more centres than any other; None on a tie."""
    counts = _counts(state)
    first = [power for power in board.powers if counts[power] == max(counts.values(), default=0)]
    return first[0] if len(first) == 1 else None


def _counts(state: State) -> Counter[Seat]:
    return Counter(state.centres.values())


def _season(past: PastTurn) -> str:
    """Return the season of a turn, "Fall 1905", without its phase."""
    return past.turn.name.rpartition(", ")[0] or past.turn.name


# Awards at the end of a game: the most captures, defences, supports and failed moves, the longest journey.


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
        ("diplomacy.reports_story.conqueror", took, _MIN_FOR_AWARD["conqueror"]),
        ("diplomacy.reports_story.rock", held, _MIN_FOR_AWARD["rock"]),
        ("diplomacy.reports_story.neighbour", helped, _MIN_FOR_AWARD["neighbour"]),
        ("diplomacy.reports_story.vain", vain, _MIN_FOR_AWARD["vain"]),
    )
    given = [_award(board, slug, counts, fewest) for slug, counts, fewest in categories]
    return [award for award in (*given, _traveller(board, course)) if award]


def _award(board: Board, slug: str, counts: Mapping[Seat, int], fewest: int) -> str:
    most = max(counts.values(), default=0)
    if most < fewest:
        return ""
    powers = join_list([power for power in board.powers if counts.get(power) == most])
    return sentence(slug, count=most, powers=powers, number=small(most))


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
    return sentence(
        "diplomacy.reports_story.traveller",
        count=journey.moves,
        kind=UNIT_KIND_NAMES[journey.kind],
        power=journey.power,
        origin=board.name(journey.origin),
        place=board.name(at),
        number=small(journey.moves),
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
