"""The headline of a turn: what swung the game first, each thing once, stand-offs at centres last."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.diplomacy.board import Board
from games.diplomacy.events import (
    AnyEvent,
    Captured,
    Dislodged,
    Eliminated,
    Ended,
    Entered,
    Reason,
    Resolved,
    StormThrown,
    TabooBroken,
)
from games.diplomacy.model import NEUTRAL, BuildCanoe, Move, Province, State, Unit
from games.diplomacy.phrases import NUMBERS, counted, listed, troop, troops
from games.diplomacy.telling_canoes import news
from games.protocol import Seat

_SENTENCES = 3
_MOST = 4
"""So many things are told in one sentence."""


class Fact(NamedTuple):
    """One piece of news. about: where it happened, which nothing else in the headline tells of again."""

    text: str
    about: tuple[Province, ...] = ()


def headline(board: Board, events: Sequence[AnyEvent]) -> str:
    """A sentence or two; the weightiest news first. Every turn has one, a quiet one too."""
    parts = ["; ".join(fact.text for fact in facts) for facts in ranked(board, events)[:_SENTENCES]]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts or [_quiet(board, events)])


def ranked(board: Board, events: Sequence[AnyEvent]) -> list[list[Fact]]:
    """The news by weight, those of one sort together; a place is told of by the weightiest alone."""
    told: set[Province] = set()
    found = []
    sorts = (_ends, _deaths, _captures, _fights, _wonders, _retreats, _neutrals, _defended, _stand_offs)
    for sort in sorts:
        facts = sort(board, events, told)[:_MOST]
        told.update(place for fact in facts for place in fact.about)
        found.append(facts)
    return [facts for facts in found if facts]


def lead(board: Board, state: State, events: Sequence[AnyEvent]) -> str:
    """Who owns most supply centres, once some have changed hands; "" before, and when the game is over."""
    over = any(isinstance(event, Ended) for event in events)
    if over or not any(isinstance(event, Captured) for event in events):
        return ""
    owned = Counter(state.centres.values())
    most = max(owned.values())
    first = [power for power in board.powers if owned[power] == most]
    if len(first) > 3:
        return f"{_number(len(first)).capitalize()} nations are level at {counted(most, 'centre')} each."
    if len(first) > 1:
        return f"{listed(first)} lead with {counted(most, 'centre')} each."
    return f"{first[0]} leads with {counted(most, 'centre')}."


def _ends(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    ends = [event for event in events if isinstance(event, Ended)]
    return [
        Fact(f"{listed(end.winners)} won the game" if end.winners else "the game is a draw") for end in ends
    ]


def _deaths(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    dead = [event.power for event in events if isinstance(event, Eliminated)]
    return [Fact(f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} out of the game")] if dead else []


def _captures(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """Who took which centres, whoever took a home of another first."""
    taken: dict[Seat, list[Captured]] = {}
    for one in _changes(events):
        taken.setdefault(one.now, []).append(one)

    def weight(item: tuple[Seat, list[Captured]]) -> tuple[int, int]:
        _, gains = item
        return -sum(_is_home(board, one.centre, of=one.was) for one in gains), -len(gains)

    by_weight = sorted(taken.items(), key=weight)
    facts = [
        Fact(f"{power} took {_booty(board, gains)}", tuple(one.centre for one in gains))
        for power, gains in by_weight[: _MOST - 1]
    ]
    others = by_weight[_MOST - 1 :]
    if others:
        places = tuple(one.centre for _, gains in others for one in gains)
        facts.append(Fact(f"{listed([power for power, _ in others])} gained too", places))
    return facts


def _changes(events: Iterable[AnyEvent]) -> list[Captured]:
    """Which centres have another owner in the end, and from whom to whom."""
    found: dict[Province, Captured] = {}
    for event in events:
        if isinstance(event, Captured):
            first = found.get(event.centre, event)
            found[event.centre] = Captured(centre=event.centre, was=first.was, now=event.now)
    return [one for one in found.values() if one.was != one.now]


def _booty(board: Board, gains: Sequence[Captured]) -> str:
    """What one nation took: "Trieste from Austria, and Rumania and Greece"; homes of others go first."""
    lost: dict[Seat | None, list[str]] = {}
    for one in sorted(gains, key=lambda one: not _is_home(board, one.centre, of=one.was)):
        lost.setdefault(one.was, []).append(board.name(one.centre))
    whose = [f"{listed(names)} from {was}" if was else listed(names) for was, names in lost.items()]
    return ", and ".join(whose)


def _fights(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """Who was driven out, and who entered a centre of another unopposed; those about homes first."""
    driven = {
        one.unit.at: one
        for one in events
        if isinstance(one, Dislodged) and one.unit.power != NEUTRAL and one.unit.at not in told
    }
    entered = {
        one.unit.at: one
        for one in events
        if isinstance(one, Entered) and one.unit.at not in told and one.unit.at not in driven
    }
    homes = {at for at, one in entered.items() if _is_home(board, at, of=one.owner)}
    homes |= {at for at, one in driven.items() if _is_home(board, at, of=one.unit.power)}
    facts = [Fact(_driven_out(board, one, events), (at,)) for at, one in driven.items()]
    facts += _entries(board, [one for at, one in entered.items() if at in homes])
    facts.sort(key=lambda fact: not homes.intersection(fact.about))
    facts += _entries(board, [one for at, one in entered.items() if at not in homes])
    if len(facts) > _MOST:
        rest = [place for fact in facts[_MOST - 1 :] for place in fact.about]
        facts = [*facts[: _MOST - 1], Fact(f"fighting at {_places(board, rest)} too", tuple(rest))]
    return facts


def _entries(board: Board, entries: Sequence[Entered]) -> list[Fact]:
    grouped: dict[tuple[Seat, Seat], list[Province]] = {}
    for one in entries:
        grouped.setdefault((one.unit.power, one.owner), []).append(one.unit.at)
    return [
        Fact(f"{power} entered {_places(board, places)} ({owner})", tuple(places))
        for (power, owner), places in grouped.items()
    ]


def _driven_out(board: Board, one: Dislodged, events: Sequence[AnyEvent]) -> str:
    """With what became of the unit, if the same letter tells it."""
    where, by, victim = board.name(one.unit.at), one.by.power, one.unit.power
    fled = _flight(one.unit, events)
    if not one.retreats:
        return f"{by} destroyed {troop(one.unit)} in {where}"
    if fled is None:
        return f"{by} drove {victim} out of {where}"
    if fled.outcome == "retreated" and isinstance(fled.order, Move):
        return f"{by} drove {victim} out of {where} to {board.name(fled.order.to)}"
    return f"{by} drove {troop(one.unit)} out of {where}, and it was disbanded"


def _flight(unit: Unit, events: Sequence[AnyEvent]) -> Resolved | None:
    """What became of a beaten unit in the retreats, if they were played."""
    for one in events:
        if (
            isinstance(one, Resolved)
            and _is_flight(one)
            and (one.power, one.unit) == (unit.power, unit.piece)
        ):
            return one
    return None


def _is_flight(one: Resolved) -> bool:
    """Whether it tells what became of a beaten unit in the retreats."""
    return one.outcome in ("retreated", "disbanded")


def _wonders(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """The taboo and storms."""
    return [Fact(news(board, event)) for event in events if isinstance(event, TabooBroken | StormThrown)]


def _retreats(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """What became of beaten units, where that was not said with who drove them out."""
    beaten = {one.unit.at: one for one in events if isinstance(one, Dislodged)}
    said = {at for at, one in beaten.items() if at not in {change.centre for change in _changes(events)}}
    lost = [one.unit for at, one in beaten.items() if not one.retreats and at in told - said]
    facts = [Fact(f"{troop(unit)} was destroyed") for unit in lost]
    for one in events:
        if not isinstance(one, Resolved) or one.unit is None or not _is_flight(one) or one.unit.at in said:
            continue
        at, place = one.unit.at, board.name(one.unit.at)
        fled = troop(Unit(power=one.power, kind=one.unit.kind, at=at))
        if one.outcome == "retreated" and isinstance(one.order, Move):
            whence = "" if at in told else f"from {place} "
            text = f"{fled} retreated {whence}to {board.name(one.order.to)}"
        else:
            text = f"{fled} was disbanded{'' if at in told else f' in {place}'}"
        facts.append(Fact(text, () if at in told else (at,)))
    return facts


def _neutrals(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    fell: dict[Seat, list[Province]] = {}
    for one in events:
        if not isinstance(one, Resolved) or one.power != NEUTRAL or one.unit is None or one.unit.at in told:
            continue
        if one.reason and one.reason.by:
            fell.setdefault(one.reason.by[0].power, []).append(one.unit.at)
    return [
        Fact(f"{_places(board, places)} fell to {power}", tuple(places)) for power, places in fell.items()
    ]


def _defended(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """Centres that were attacked, and whose units held them."""
    held: dict[tuple[Seat, Province], list[Seat]] = {}
    for power, to, reason in _bounced(board, events, told):
        holder = next((unit.power for unit in reason.by if unit.at == to), power) if reason else power
        if holder not in (power, NEUTRAL):
            held.setdefault((holder, to), []).append(power)
    return [
        Fact(f"{power} held {board.name(at)} against {listed(list(dict.fromkeys(foes)))}", (at,))
        for (power, at), foes in held.items()
    ]


def _stand_offs(board: Board, events: Sequence[AnyEvent], told: set[Province]) -> list[Fact]:
    """Centres into which several nations went, and none came."""
    aimed: dict[Province, dict[Seat, None]] = {}
    for power, to, _ in _bounced(board, events, told):
        aimed.setdefault(to, {})[power] = None
    return [
        Fact(f"{listed(list(powers))} stood off at {board.name(at)}", (at,))
        for at, powers in aimed.items()
        if len(powers) > 1
    ]


def _bounced(
    board: Board, events: Iterable[AnyEvent], told: set[Province]
) -> Iterator[tuple[Seat, Province, Reason | None]]:
    """The moves to centres that failed: whose, whither, why. What is told already is left out."""
    for one in events:
        if not isinstance(one, Resolved) or one.outcome != "bounced" or not isinstance(one.order, Move):
            continue
        if one.order.to in board.centres and one.order.to not in told:
            yield one.power, one.order.to, one.reason


def _quiet(board: Board, events: Sequence[AnyEvent]) -> str:
    """Where nothing swung the game: who built, else how many moved."""
    resolved = [event for event in events if isinstance(event, Resolved)]
    said = _adjusted(board, resolved)
    moved = sum(one.outcome == "moved" for one in resolved)
    failed = sum(one.outcome == "bounced" for one in resolved)
    if moved:
        unit, units = troops(board)
        said.append(
            f"{_number(moved)} {units if moved > 1 else unit} moved{'' if failed else ', and nobody fought'}"
        )
    if failed:
        said.append(f"{_number(failed)} move{'s' * (failed > 1)} failed")
    canoes = sum(one.outcome == "built" and isinstance(one.order, BuildCanoe) for one in resolved)
    if canoes:
        said.append(f"{counted(canoes, 'canoe-fleet')} {'was' if canoes == 1 else 'were'} built")
    return "; ".join(said) if said else "nothing stirred"


def _adjusted(board: Board, resolved: Sequence[Resolved]) -> list[str]:
    """Who built and who removed how many, those together who did as much."""
    unit, units = troops(board)
    said = []
    for outcome in ("built", "removed"):
        by_power = Counter(
            one.power for one in resolved if one.outcome == outcome and not isinstance(one.order, BuildCanoe)
        )
        for count in sorted(set(by_power.values()), reverse=True):
            powers = [power for power in board.powers if by_power[power] == count]
            each = " each" if len(powers) > 1 else ""
            said.append(f"{listed(powers)} {outcome} {_number(count)} {units if count > 1 else unit}{each}")
    return said


def _places(board: Board, places: Iterable[Province]) -> str:
    return listed([board.name(place) for place in places])


def _is_home(board: Board, place: Province, *, of: Seat | None) -> bool:
    """Whether a place is a starting centre of a nation."""
    return of is not None and of in board.powers and place in board.powers[of].homes


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
