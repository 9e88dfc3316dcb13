"""Who broke the peace with whom: the first attack on a neighbour after seasons without one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, Captured, Resolved
from games.diplomacy.model import NEUTRAL, Convoy, Move, Province, State, SupportHold, SupportMove
from games.diplomacy.survivors import neighbours, survivors
from games.protocol import Seat
from games.protocol.optional import Past

PEACE = 4
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
        """How much it told: a centre counts for four quiet seasons, and for two times of help."""
        return 4 * len(self.taken) + 2 * self.helped + self.quiet


def stabs(board: Board, course: Sequence[Past]) -> list[Stab]:
    """All attacks that broke a peace, in order. Where both attack in one season nobody was stabbed."""
    quiet: Counter[frozenset[Seat]] = Counter()
    helped: Counter[frozenset[Seat]] = Counter()
    found = []
    for number, past in enumerate(course):
        if past.before.phase.kind != "M":
            continue
        attacks = dict(_attacks(past.before, past.events))
        for (by, victim), at in attacks.items():
            pair = frozenset((by, victim))
            if quiet[pair] >= PEACE and (victim, by) not in attacks:
                taken = _taken(course[number:], by, victim)
                found.append(Stab(number, by, victim, at, quiet[pair], helped[pair], taken))
        for by, victim in attacks:
            quiet.pop(frozenset((by, victim)), None)
            helped.pop(frozenset((by, victim)), None)
        fought = {frozenset(pair) for pair in attacks}
        quiet.update(pair for pair in _side_by_side(board, past.before) if pair not in fought)
        given = map(frozenset, help_given(past.before, past.events))
        helped.update(pair for pair in given if pair not in fought)
    return found


def help_given(before: State, events: Sequence[AnyEvent]) -> Iterator[Pair]:
    """Who supported or carried a unit of whom, as often as it was done; what was cut counts, too."""
    standing = {unit.at: unit.power for unit in before.units}
    for one in events:
        if not isinstance(one, Resolved) or one.outcome not in ("supported", "cut", "convoyed", "disrupted"):
            continue
        if isinstance(one.order, SupportHold | SupportMove | Convoy):
            other = standing.get(one.order.other.at, one.power)
            if other not in (one.power, NEUTRAL):
                yield one.power, other


def _attacks(before: State, events: Sequence[AnyEvent]) -> Iterator[tuple[Pair, Province]]:
    """Who went, or helped somebody go, where another stood or what another owned; each pair's first place."""
    standing = {unit.at: unit.power for unit in before.units}
    seen: set[Pair] = set()
    for one in events:
        if not isinstance(one, Resolved) or one.outcome == "void":
            continue
        if not isinstance(one.order, Move | SupportMove):
            continue
        victim = _holder(before, standing, one.order.to)
        if victim in (None, one.power, NEUTRAL) or (one.power, victim) in seen:
            continue
        # To help somebody home, or to hold him where he is to be relieved, is no attack on him.
        if isinstance(one.order, SupportMove) and standing.get(one.order.other.at) == victim:
            continue
        assert victim is not None
        seen.add((one.power, victim))
        yield (one.power, victim), one.order.to


def _holder(before: State, standing: Mapping[Province, Seat], at: Province) -> Seat | None:
    return standing.get(at) or before.centres.get(at)


def _side_by_side(board: Board, before: State) -> set[frozenset[Seat]]:
    return {
        frozenset((power, other))
        for power in survivors(board, before)
        for other in neighbours(board, before, power)
    }


def _taken(course: Sequence[Past], by: Seat, victim: Seat) -> tuple[Province, ...]:
    """The centres that changed hands between two up to the end of the next year."""
    until = course[0].before.phase.year + 1
    events = [event for past in course if past.before.phase.year <= until for event in past.events]
    lost = [one.centre for one in events if isinstance(one, Captured) and (one.was, one.now) == (victim, by)]
    return tuple(dict.fromkeys(lost))
