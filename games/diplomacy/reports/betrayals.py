"""Broken peace between nations: the first attack on a neighbour after seasons without one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.adjudication.survivors import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Captured, Resolved
from games.diplomacy.model import NEUTRAL, Convoy, Move, Province, State, SupportHold, SupportMove
from games.protocol import Seat
from games.protocol.optional import PastTurn

MIN_PEACEFUL_SEASONS = 4
"""So many seasons of moves, two years, two neighbours have to leave each other alone: a truce by their deeds.

What they promised each other stands in press, which is theirs; what they did, in the log.
"""

Pair = tuple[Seat, Seat]


class Stab(NamedTuple):
    """An attack that broke a peace. number: of the turn in the course; at: where it was aimed.

    quiet: how many seasons the peace had lasted; helped: how often one had helped the other in them; taken:
    the centres that the attacker took from the victim in that year and the next.
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
        """The weight of the stab: a centre counts for four quiet seasons, and for two times of help."""
        return 4 * len(self.taken) + 2 * self.helped + self.quiet


def stabs(board: Board, course: Sequence[PastTurn]) -> list[Stab]:
    """Return all attacks that broke a peace, in order. If both attack in one season nobody was stabbed."""
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
    """Yield which nation helped a unit of which: each support and convoy counts, those that were cut too."""
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
    """Yield attacks, or help in one, where another stands or on what it owns; each pair's first."""
    standing = {unit.at: unit.power for unit in before.units}
    seen: set[Pair] = set()
    for event in events:
        if not isinstance(event, Resolved) or event.outcome == "void":
            continue
        if not isinstance(event.order, Move | SupportMove):
            continue
        victim = _holder(before, standing, event.order.to)
        if victim in (None, event.power, NEUTRAL) or (event.power, victim) in seen:
            continue
        # To help somebody home, or to hold him where he is to be relieved, is no attack on him.
        if isinstance(event.order, SupportMove) and standing.get(event.order.other.at) == victim:
            continue
        assert victim is not None
        seen.add((event.power, victim))
        yield (event.power, victim), event.order.to


def _holder(before: State, standing: Mapping[Province, Seat], at: Province) -> Seat | None:
    return standing.get(at) or before.centres.get(at)


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
