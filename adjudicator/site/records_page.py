"""A page for each kind of game: results by several systems, records, and how the bots fare."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.site import typesetting
from adjudicator.site.catalogue_page import Card
from adjudicator.site.endings import MANY, shown
from adjudicator.site.game_page import Frame
from adjudicator.site.scoring import SYSTEMS, Ending
from games.protocol import Table

MOST = 500
"""So many games stand in the table of results, the latest of them."""


def ending_of(card: Card) -> Ending | None:
    """How a game of many ended; None for others, and for one that lasts."""
    if not card.over or len(card.scores) < MANY:
        return None
    return Ending(card.scores, card.winners, card.survivors, card.lasted)


def records_page(kind: str, title: str, cards: Sequence[Card], frame: Frame) -> bytes:
    """The page of a kind. cards: of its games."""
    over = sorted((card for card in cards if card.over), key=lambda card: (-card.changed, card.name))
    context: dict[str, Any] = {
        "house": frame.house,
        "up": "../",
        "title": title,
        "running": sum(not card.over for card in cards),
        "over": over[:MOST],
        "records": [*_records(over)],
        "tables": [table for table in (_seats(over), _bots(over)) if table.rows],
    }
    return typesetting.page("records.jinja", context)


def _records(over: Sequence[Card]) -> Iterator[tuple[str, str, Card]]:
    """What is remarkable: in words, how much of it, and the game. Of several the earliest."""
    if not over:
        return
    oldest = sorted(over, key=lambda card: (card.changed, card.name))
    yield "the longest", f"{(one := max(oldest, key=_turns)).turns} turns", one
    yield "the shortest", f"{(one := min(oldest, key=_turns)).turns} turns", one
    won = [card for card in oldest if len(card.winners) == 1]
    if won:
        yield "won the soonest", f"{(one := min(won, key=_turns)).turns} turns", one
    counted = [card for card in oldest if card.scores]
    if counted:
        one = max(counted, key=lambda card: max(card.scores.values()))
        seat, most = max(one.scores.items(), key=lambda had: had[1])
        yield "the most at the end", f"{seat}, {most} {one.counts}", one
    drawn = [card for card in oldest if card.survivors]
    if drawn:
        one = max(drawn, key=lambda card: len(card.survivors))
        yield "the widest draw", f"{len(one.survivors)} seats", one


def _turns(card: Card) -> int:
    return card.turns


def _seats(over: Sequence[Card]) -> Table:
    return _averages("How the seats fare", "Seat", over, lambda card, seat: seat)


def _bots(over: Sequence[Card]) -> Table:
    """By level of the bot, people among them as one."""
    return _averages("How people and bots fare", "Player", over, lambda card, seat: _player(card, seat))


def _player(card: Card, seat: str) -> str:
    level = card.levels.get(seat, "")
    return f"bot, {level}" if level else "people"


def _averages(title: str, first: str, over: Sequence[Card], key: Callable[[Card, str], str]) -> Table:
    """Of each seat or player: how often, how often won, and the points on average."""
    played: dict[str, int] = {}
    won: dict[str, float] = {}
    points: dict[str, dict[str, float]] = {}
    for card in over:
        ending = ending_of(card)
        found = {name: system(ending) for name, system in SYSTEMS.items()} if ending else {}
        for seat in card.levels:
            one = key(card, seat)
            played[one] = played.get(one, 0) + 1
            won[one] = won.get(one, 0) + (1 / len(card.winners) if seat in card.winners else 0)
            mine = points.setdefault(one, {})
            for name, shares in found.items():
                mine[name] = mine.get(name, 0.0) + shares.get(seat, 0.0)
    systems = [name for name in SYSTEMS if any(name in mine for mine in points.values())]
    rows = [
        (one, str(count), shown(won[one]), *(shown(points[one].get(name, 0) / count) for name in systems))
        for one, count in sorted(played.items(), key=lambda pair: (-won[pair[0]] / pair[1], pair[0]))
    ]
    return Table(title=title, columns=(first, "Games", "Won", *systems), rows=tuple(rows))


def by_kind(cards: Sequence[Card]) -> Mapping[tuple[str, str], list[Card]]:
    """The games by kind and its title."""
    found: dict[tuple[str, str], list[Card]] = {}
    for card in cards:
        found.setdefault((card.kind, card.title), []).append(card)
    return dict(sorted(found.items()))
