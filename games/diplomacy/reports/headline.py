"""The news of a turn: the most important first, each place once, stand-offs at centres last."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from games.protocol import NewsItem, Seat, join_news

_MAX_FACTS_PER_SORT = 3
"""The most facts of one sort in a headline."""
_MAX_NAMED = 3
"""If more powers or places are in a sentence than this, it has the number of the others."""
_RETREAT_OUTCOMES = ("retreated", "disbanded")
"""The outcomes of dislodged units in the retreats."""


class Fact(NamedTuple):
    """One piece of news. about: the places it covers, which no other fact of the headline mentions again."""

    text: str
    about: tuple[Province, ...] = ()


def headline(board: Board, events: Sequence[AnyEvent]) -> str:
    """Return the news in a few sentences, the most important first. A quiet turn has a headline too."""
    return join_news(news_items(board, events))


def news_items(board: Board, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
    """Return the news as sentences, the most important first: then builds, then who moved where."""
    resolved = [event for event in events if isinstance(event, Resolved)]
    main = [fact.text for facts in rank_news(board, events) for fact in facts]
    ranked = main, [*_adjustments(board, resolved)], [*_movements(board, resolved)]
    items = [(text, rank) for rank, texts in enumerate(ranked) for text in texts]
    return tuple(
        NewsItem(text=f"{text[0].upper()}{text[1:]}.", rank=rank)
        for text, rank in items or [(_standstill(board, resolved), 2)]
    )


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
    _, first, centres = _leaders(board, state)
    if len(first) <= _MAX_NAMED:
        return standing(board, state)
    slug = "diplomacy.reports_counts.nations" if board.kinds == ("W",) else "diplomacy.reports_counts.powers"
    leaders = sentence(slug, count=len(first), number=small(len(first)))
    return sentence(
        "diplomacy.reports_headline.lead", powers=f"{leaders[0].upper()}{leaders[1:]}", centres=centres
    )


def standing(board: Board, state: State) -> str:
    """Return which powers lead in supply centres, if they are few."""
    most, first, centres = _leaders(board, state)
    if not most or len(first) > _MAX_NAMED:
        return ""
    slug = "diplomacy.reports_headline.leads" if len(first) == 1 else "diplomacy.reports_headline.lead"
    return sentence(slug, power=first[0], powers=join_list(first), centres=centres)


def _leaders(board: Board, state: State) -> tuple[int, list[Seat], str]:
    """Return the most centres that a power owns, the powers that own so many, and the number in words."""
    owned = Counter(state.centres.values())
    most = max((owned[power] for power in board.powers), default=0)
    centres = sentence("diplomacy.reports_counts.centres", count=most, number=small(most))
    return most, [power for power in board.powers if owned[power] == most], centres


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
    text = sentence("diplomacy.reports_headline.eliminated", count=len(dead), powers=_few(dead))
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
    named = len(taken) if len(taken) <= _MAX_FACTS_PER_SORT else _MAX_FACTS_PER_SORT - 1
    facts = [
        Fact(
            sentence("diplomacy.reports_headline.took", power=power, gains=_name_gains(board, gains)),
            tuple(capture.centre for capture in gains),
        )
        for power, gains in by_weight[:named]
    ]
    others = by_weight[named:]
    if others:
        places = tuple(capture.centre for _, gains in others for capture in gains)
        powers = _few([power for power, _ in others])
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
    parts = []
    for was, names in lost.items():
        slug = "diplomacy.reports_headline.gains_from" if was else "diplomacy.reports_headline.gains_neutral"
        if was and _is_home_alone(names, was):
            slug = "diplomacy.reports_headline.gains_home"
        parts.append(sentence(slug, centres=join_list(names), power=was))
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
    facts = []
    for (power, owner), places in grouped.items():
        is_home_alone = _is_home_alone([board.name(place) for place in places], owner)
        slug = (
            "diplomacy.reports_headline.entered_home"
            if is_home_alone
            else "diplomacy.reports_headline.entered"
        )
        text = sentence(slug, power=power, places=_places(board, places), owner=owner)
        facts.append(Fact(text, tuple(places)))
    return facts


def _driven_out(board: Board, loss: Dislodged, events: Sequence[AnyEvent]) -> str:
    """Return a sentence on a dislodged unit, with its retreat if the same email reports it."""
    place, power, victim = board.name(loss.unit.at), loss.by.power, loss.unit.power
    fled = _flight(loss.unit, events)
    if not loss.retreats:
        return sentence(
            "diplomacy.reports_headline.destroyed_by", power=power, unit=troop(loss.unit), place=place
        )
    if _is_home_alone([place], victim):
        return sentence("diplomacy.reports_headline.drove_out_of_home", power=power, victim=victim)
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


def _standstill(board: Board, resolved: Sequence[Resolved]) -> str:
    """Return which powers held, in a turn without other news."""
    powers = [power for power in board.powers if any(event.power == power for event in resolved)]
    slug = "diplomacy.reports_headline.held_all" if powers else "diplomacy.reports_headline.nothing_moved"
    return sentence(slug, powers=_few(powers))


def _adjustments(board: Board, resolved: Sequence[Resolved]) -> Iterator[str]:
    """Yield the builds and disbands. Powers with equal numbers share a sentence."""
    kind = (
        "diplomacy.reports_counts.war_parties" if board.kinds == ("W",) else "diplomacy.reports_counts.units"
    )
    built = "diplomacy.reports_headline.built", "diplomacy.reports_headline.built_each"
    removed = "diplomacy.reports_headline.removed", "diplomacy.reports_headline.removed_each"
    for outcome, (slug, slug_each), units_slug, canoes in (
        ("built", built, kind, False),
        ("removed", removed, kind, False),
        ("built", built, "diplomacy.reports_counts.canoes", True),
    ):
        by_power = Counter(
            event.power
            for event in resolved
            if event.outcome == outcome and isinstance(event.order, BuildCanoe) == canoes
        )
        for count in sorted(set(by_power.values()), reverse=True):
            powers = [power for power in board.powers if by_power[power] == count]
            units = sentence(units_slug, count=count, number=small(count))
            yield sentence(slug_each if len(powers) > 1 else slug, powers=_few(powers), units=units)


def _movements(board: Board, resolved: Sequence[Resolved]) -> Iterator[str]:
    """Yield where each power moved, then where each failed to go: first the most moves to centres."""
    for outcome, slug, slug_home in (
        ("moved", "diplomacy.reports_headline.moved_to", "diplomacy.reports_headline.moved_to_home"),
        ("bounced", "diplomacy.reports_headline.failed_at", "diplomacy.reports_headline.failed_at_home"),
    ):
        goals: dict[Seat, dict[Province, None]] = {}
        for event in resolved:
            if event.outcome == outcome and isinstance(event.order, Move):
                goals.setdefault(event.power, {})[event.order.to] = None

        def weight(item: tuple[Seat, Mapping[Province, None]]) -> tuple[int, int]:
            return -sum(place in board.centres for place in item[1]), -len(item[1])

        for power, places in sorted(goals.items(), key=weight):
            ranked = sorted(places, key=lambda place: place not in board.centres)
            names = [board.name(place) for place in ranked]
            if _is_home_alone(names, power):
                yield sentence(slug_home, power=power)
                continue
            others = [name for name in names if not _is_home_alone([name], power)]
            yield sentence(slug, power=power, places=_few(others))


def _few(names: Sequence[str]) -> str:
    """Return names as a list; of many the first three and the number of the others."""
    if len(names) <= _MAX_NAMED + 1:
        return join_list(names)
    rest = len(names) - _MAX_NAMED
    others = sentence("diplomacy.reports_headline.others", count=rest, number=small(rest))
    return join_list([*names[:_MAX_NAMED], others])


def _is_home_alone(names: Sequence[str], power: Seat) -> bool:
    """Return whether places are just the one that a power is named after, as in Chaos."""
    return [name.replace("-", " ") for name in names] == [power.replace("-", " ")]


def _places(board: Board, places: Iterable[Province]) -> str:
    return join_list([board.name(place) for place in places])


def _is_home(board: Board, place: Province, *, of: Seat | None) -> bool:
    """Return whether a place is a home centre of a power."""
    return of is not None and of in board.powers and place in board.powers[of].homes
