"""The headline of a turn: the most important news first, each place once, stand-offs at centres last."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from games.diplomacy.boards.board import Board
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
from games.diplomacy.phrases import news, small, troop
from games.language import join_list
from games.messages import sentence
from games.protocol import Seat

_MAX_HEADLINE_SORTS = 3
_MAX_FACTS_PER_SORT = 4
"""The most facts of one sort in a headline."""
_MAX_LEADERS_NAMED = 3
"""If more powers lead than this, the sentence has only their number."""
_RETREAT_OUTCOMES = ("retreated", "disbanded")
"""The outcomes of dislodged units in the retreats."""


class Fact(NamedTuple):
    """One piece of news. about: the places it covers, which no other fact of the headline mentions again."""

    text: str
    about: tuple[Province, ...] = ()


def headline(board: Board, events: Sequence[AnyEvent]) -> str:
    """Return the news in a few sentences, the most important first. A quiet turn has a headline too."""
    parts = [fact.text for facts in rank_news(board, events)[:_MAX_HEADLINE_SORTS] for fact in facts]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts or _quiet_sentences(board, events))


def rank_news(board: Board, events: Sequence[AnyEvent]) -> list[list[Fact]]:
    """Return the news sorted by importance, in groups. Only the most important news mentions a place."""
    told_places: set[Province] = set()
    facts_by_sort = []
    sorts = (_ends, _deaths, _captures, _fights, _wonders, _retreats, _neutrals, _defences, _stand_offs)
    for sort in sorts:
        facts = sort(board, events, told_places)[:_MAX_FACTS_PER_SORT]
        told_places.update(place for fact in facts for place in fact.about)
        facts_by_sort.append(facts)
    return [facts for facts in facts_by_sort if facts]


def leader_sentence(board: Board, state: State, events: Sequence[AnyEvent]) -> str:
    """Return which power leads in supply centres if some changed hands; "" otherwise and after the game."""
    over = any(isinstance(event, Ended) for event in events)
    if over or not any(isinstance(event, Captured) for event in events):
        return ""
    owned = Counter(state.centres.values())
    most = max(owned.values())
    first = [power for power in board.powers if owned[power] == most]
    centres = sentence("diplomacy.reports_counts.centres", count=most, number=small(most))
    if len(first) == 1:
        return sentence("diplomacy.reports_headline.leads", power=first[0], centres=centres)
    leaders = join_list(first)
    if len(first) > _MAX_LEADERS_NAMED:
        nations = board.kinds == ("W",)
        slug = "diplomacy.reports_counts.nations" if nations else "diplomacy.reports_counts.powers"
        leaders = sentence(slug, count=len(first), number=small(len(first)))
    leaders = f"{leaders[0].upper()}{leaders[1:]}"
    return sentence("diplomacy.reports_headline.lead", powers=leaders, centres=centres)


def _ends(_board: Board, events: Sequence[AnyEvent], _told_places: set[Province]) -> list[Fact]:
    ends = [event for event in events if isinstance(event, Ended)]
    return [
        Fact(
            sentence("diplomacy.reports_headline.won", powers=join_list(end.winners))
            if end.winners
            else sentence("diplomacy.reports_headline.drawn")
        )
        for end in ends
    ]


def _deaths(_board: Board, events: Sequence[AnyEvent], _told_places: set[Province]) -> list[Fact]:
    dead = [event.power for event in events if isinstance(event, Eliminated)]
    text = sentence("diplomacy.reports_headline.eliminated", count=len(dead), powers=join_list(dead))
    return [Fact(text)] if dead else []


def _captures(board: Board, events: Sequence[AnyEvent], _told_places: set[Province]) -> list[Fact]:
    """Return which power took which centres. Powers that took another's home centre come first."""
    taken: dict[Seat, list[Captured]] = {}
    for capture in _changes(events):
        taken.setdefault(capture.now, []).append(capture)

    def weight(item: tuple[Seat, list[Captured]]) -> tuple[int, int]:
        _, gains = item
        return -sum(_is_home(board, capture.centre, of=capture.was) for capture in gains), -len(gains)

    by_weight = sorted(taken.items(), key=weight)
    facts = [
        Fact(
            sentence("diplomacy.reports_headline.took", power=power, gains=_name_gains(board, gains)),
            tuple(capture.centre for capture in gains),
        )
        for power, gains in by_weight[: _MAX_FACTS_PER_SORT - 1]
    ]
    others = by_weight[_MAX_FACTS_PER_SORT - 1 :]
    if others:
        places = tuple(capture.centre for _, gains in others for capture in gains)
        powers = join_list([power for power, _ in others])
        facts.append(Fact(sentence("diplomacy.reports_headline.also_gained", powers=powers), places))
    return facts


def _changes(events: Iterable[AnyEvent]) -> list[Captured]:
    """Return the centres whose owner has changed in the end, with the first and the last owner."""
    changes: dict[Province, Captured] = {}
    for event in events:
        if isinstance(event, Captured):
            first = changes.get(event.centre, event)
            changes[event.centre] = Captured(centre=event.centre, was=first.was, now=event.now)
    return [capture for capture in changes.values() if capture.was != capture.now]


def _name_gains(board: Board, gains: Sequence[Captured]) -> str:
    """Return a power's gains: "Trieste from Austria, and neutral Rumania and Greece"; home centres first."""
    lost: dict[Seat | None, list[str]] = {}
    for capture in sorted(gains, key=lambda capture: not _is_home(board, capture.centre, of=capture.was)):
        lost.setdefault(capture.was, []).append(board.name(capture.centre))
    parts = [
        sentence("diplomacy.reports_headline.gains_from", centres=join_list(names), power=was)
        if was
        else sentence("diplomacy.reports_headline.gains_neutral", centres=join_list(names))
        for was, names in lost.items()
    ]
    # The lists in each part have an "and" of their own.
    return reduce(
        lambda gains, more: sentence("diplomacy.reports_headline.gains_and", gains=gains, more=more), parts
    )


def _fights(board: Board, events: Sequence[AnyEvent], told_places: set[Province]) -> list[Fact]:
    """Return dislodged units, and centres of others entered unopposed; those about home centres first."""
    driven = {
        event.unit.at: event
        for event in events
        if isinstance(event, Dislodged) and event.unit.power != NEUTRAL and event.unit.at not in told_places
    }
    entered = {
        event.unit.at: event
        for event in events
        if isinstance(event, Entered) and event.unit.at not in told_places and event.unit.at not in driven
    }
    homes = {at for at, event in entered.items() if _is_home(board, at, of=event.owner)}
    homes |= {at for at, event in driven.items() if _is_home(board, at, of=event.unit.power)}
    facts = [Fact(_driven_out(board, event, events), (at,)) for at, event in driven.items()]
    facts += _entries(board, [event for at, event in entered.items() if at in homes])
    facts.sort(key=lambda fact: not homes.intersection(fact.about))
    facts += _entries(board, [event for at, event in entered.items() if at not in homes])
    if len(facts) > _MAX_FACTS_PER_SORT:
        rest = [place for fact in facts[_MAX_FACTS_PER_SORT - 1 :] for place in fact.about]
        facts = [
            *facts[: _MAX_FACTS_PER_SORT - 1],
            Fact(
                sentence("diplomacy.reports_headline.also_fighting", places=_places(board, rest)), tuple(rest)
            ),
        ]
    return facts


def _entries(board: Board, entries: Sequence[Entered]) -> list[Fact]:
    grouped: dict[tuple[Seat, Seat], list[Province]] = {}
    for entry in entries:
        grouped.setdefault((entry.unit.power, entry.owner), []).append(entry.unit.at)
    return [
        Fact(
            sentence(
                "diplomacy.reports_headline.entered", power=power, places=_places(board, places), owner=owner
            ),
            tuple(places),
        )
        for (power, owner), places in grouped.items()
    ]


def _driven_out(board: Board, loss: Dislodged, events: Sequence[AnyEvent]) -> str:
    """Return a sentence on a dislodged unit, with its retreat if the same email reports it."""
    place, power, victim = board.name(loss.unit.at), loss.by.power, loss.unit.power
    fled = _flight(loss.unit, events)
    if not loss.retreats:
        return sentence(
            "diplomacy.reports_headline.destroyed_by", power=power, unit=troop(loss.unit), place=place
        )
    if fled is None:
        return sentence("diplomacy.reports_headline.drove_out", power=power, victim=victim, place=place)
    if fled.outcome == "retreated" and isinstance(fled.order, Move):
        return sentence(
            "diplomacy.reports_headline.drove_out_to",
            power=power,
            victim=victim,
            place=place,
            refuge=board.name(fled.order.to),
        )
    return sentence(
        "diplomacy.reports_headline.drove_out_and_disbanded",
        power=power,
        unit=troop(loss.unit),
        place=place,
    )


def _flight(unit: Unit, events: Sequence[AnyEvent]) -> Resolved | None:
    """Return the outcome of a dislodged unit in the retreats, if they have been processed."""
    for event in events:
        if (
            isinstance(event, Resolved)
            and event.outcome in _RETREAT_OUTCOMES
            and (event.power, event.unit) == (unit.power, unit.piece)
        ):
            return event
    return None


def _wonders(board: Board, events: Sequence[AnyEvent], _told_places: set[Province]) -> list[Fact]:
    """Return the news about the taboo and storms."""
    return [Fact(news(board, event)) for event in events if isinstance(event, TabooBroken | StormThrown)]


def _retreats(board: Board, events: Sequence[AnyEvent], told_places: set[Province]) -> list[Fact]:
    """Return the outcomes of dislodged units that an earlier fact hasn't reported."""
    beaten = {event.unit.at: event for event in events if isinstance(event, Dislodged)}
    told_already = {
        at for at, event in beaten.items() if at not in {change.centre for change in _changes(events)}
    }
    lost = [
        event.unit for at, event in beaten.items() if not event.retreats and at in told_places - told_already
    ]
    facts = [Fact(sentence("diplomacy.reports_headline.destroyed", unit=troop(unit))) for unit in lost]
    for event in events:
        if (
            not isinstance(event, Resolved)
            or event.unit is None
            or event.outcome not in _RETREAT_OUTCOMES
            or event.unit.at in told_already
        ):
            continue
        at, place = event.unit.at, board.name(event.unit.at)
        fled = troop(Unit(power=event.power, kind=event.unit.kind, at=at))
        known, refuge = at in told_places, ""
        if event.outcome == "retreated" and isinstance(event.order, Move):
            refuge = board.name(event.order.to)
            slugs = "diplomacy.reports_headline.retreated", "diplomacy.reports_headline.retreated_from"
        else:
            slugs = "diplomacy.reports_headline.disbanded", "diplomacy.reports_headline.disbanded_in"
        text = sentence(slugs[0] if known else slugs[1], unit=fled, place=place, refuge=refuge)
        facts.append(Fact(text, () if known else (at,)))
    return facts


def _neutrals(board: Board, events: Sequence[AnyEvent], told_places: set[Province]) -> list[Fact]:
    fell: dict[Seat, list[Province]] = {}
    for event in events:
        if (
            not isinstance(event, Resolved)
            or event.power != NEUTRAL
            or event.unit is None
            or event.unit.at in told_places
        ):
            continue
        if event.reason and event.reason.by:
            fell.setdefault(event.reason.by[0].power, []).append(event.unit.at)
    return [
        Fact(
            sentence("diplomacy.reports_headline.fell", places=_places(board, places), power=power),
            tuple(places),
        )
        for power, places in fell.items()
    ]


def _defences(board: Board, events: Sequence[AnyEvent], told_places: set[Province]) -> list[Fact]:
    """Return the centres that were attacked without success, and the powers that held them."""
    held: dict[tuple[Seat, Province], list[Seat]] = {}
    for power, to, reason in _failed_moves(board, events, told_places):
        holder = next((unit.power for unit in reason.by if unit.at == to), power) if reason else power
        if holder not in (power, NEUTRAL):
            held.setdefault((holder, to), []).append(power)
    return [
        Fact(
            sentence(
                "diplomacy.reports_headline.held",
                power=power,
                place=board.name(at),
                foes=join_list(dict.fromkeys(foes)),
            ),
            (at,),
        )
        for (power, at), foes in held.items()
    ]


def _stand_offs(board: Board, events: Sequence[AnyEvent], told_places: set[Province]) -> list[Fact]:
    """Return the centres that several powers moved to and none entered."""
    aimed: dict[Province, dict[Seat, None]] = {}
    for power, to, _ in _failed_moves(board, events, told_places):
        aimed.setdefault(to, {})[power] = None
    return [
        Fact(
            sentence("diplomacy.reports_headline.bounced", powers=join_list(powers), place=board.name(at)),
            (at,),
        )
        for at, powers in aimed.items()
        if len(powers) > 1
    ]


def _failed_moves(
    board: Board, events: Iterable[AnyEvent], told_places: set[Province]
) -> Iterator[tuple[Seat, Province, Reason | None]]:
    """Yield failed moves to centres as power, goal and reason. Places already mentioned are left out."""
    for event in events:
        if not isinstance(event, Resolved) or event.outcome != "bounced" or not isinstance(event.order, Move):
            continue
        if event.order.to in board.centres and event.order.to not in told_places:
            yield event.power, event.order.to, event.reason


def _quiet_sentences(board: Board, events: Sequence[AnyEvent]) -> list[str]:
    """Return sentences for a turn without news: the builds, disbands and moves in numbers."""
    resolved = [event for event in events if isinstance(event, Resolved)]
    kind = "war_parties" if board.kinds == ("W",) else "units"
    parts = []
    for outcome, slug, slug_each in (
        ("built", "diplomacy.reports_headline.built", "diplomacy.reports_headline.built_each"),
        ("removed", "diplomacy.reports_headline.removed", "diplomacy.reports_headline.removed_each"),
    ):
        by_power = Counter(
            event.power
            for event in resolved
            if event.outcome == outcome and not isinstance(event.order, BuildCanoe)
        )
        # Powers with equal numbers share a sentence.
        for count in sorted(set(by_power.values()), reverse=True):
            powers = [power for power in board.powers if by_power[power] == count]
            units = sentence(f"diplomacy.reports_counts.{kind}", count=count, number=small(count))
            parts.append(
                sentence(slug_each if len(powers) > 1 else slug, powers=join_list(powers), units=units)
            )
    moved = sum(event.outcome == "moved" for event in resolved)
    failed = sum(event.outcome == "bounced" for event in resolved)
    if moved:
        slug = "diplomacy.reports_headline.moved" if failed else "diplomacy.reports_headline.moved_unopposed"
        units = sentence(f"diplomacy.reports_counts.{kind}", count=moved, number=small(moved))
        parts.append(sentence(slug, units=units))
    if failed:
        parts.append(sentence("diplomacy.reports_headline.moves_failed", count=failed, number=small(failed)))
    canoes = sum(event.outcome == "built" and isinstance(event.order, BuildCanoe) for event in resolved)
    if canoes:
        parts.append(sentence("diplomacy.reports_headline.canoes_built", count=canoes, number=small(canoes)))
    return parts or [sentence("diplomacy.reports_headline.nothing_moved")]


def _places(board: Board, places: Iterable[Province]) -> str:
    return join_list([board.name(place) for place in places])


def _is_home(board: Board, place: Province, *, of: Seat | None) -> bool:
    """Return whether a place is a home centre of a power."""
    return of is not None and of in board.powers and place in board.powers[of].homes
