"""A page for each kind of game: results by several systems, records, and how the bots fare."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.website import pages
from adjudicator.website.endings import MIN_SCORED_SEATS, format_points
from adjudicator.website.game_page import PageFrame
from adjudicator.website.index_pages import GameCard
from adjudicator.website.scoring import SYSTEMS, GameEnding
from games.protocol import ReportTable

MAX_RESULT_ROWS = 500
"""So many games stand in the table of results, the latest of them."""


def ending_of(card: GameCard) -> GameEnding | None:
    """Return how a game of many ended; None for others, and for one that lasts."""
    if not card.over or len(card.scores) < MIN_SCORED_SEATS:
        return None
    return GameEnding(card.scores, card.winners, card.survivors, card.lasted)


def records_page(kind: str, title: str, cards: Sequence[GameCard], frame: PageFrame) -> bytes:
    """The page of a kind. cards: of its games."""
    over = sorted((card for card in cards if card.over), key=lambda card: (-card.changed, card.name))
    context: dict[str, Any] = {
        "house": frame.house,
        "up": "../",
        "title": title,
        "running": sum(not card.over for card in cards),
        "over": over[:MAX_RESULT_ROWS],
        "records": [*_records(over)],
        "tables": [table for table in (_seats(over), _bots(over)) if table.rows],
    }
    return pages.page("records.jinja", context)


def _records(over: Sequence[GameCard]) -> Iterator[tuple[str, str, GameCard]]:
    """Yield what is remarkable: in words, how much of it, and the game; of several the earliest."""
    if not over:
        return
    oldest = sorted(over, key=lambda card: (card.changed, card.name))
    yield "the longest", f"{(record_game := max(oldest, key=_turns)).turns} turns", record_game
    yield "the shortest", f"{(record_game := min(oldest, key=_turns)).turns} turns", record_game
    won = [card for card in oldest if len(card.winners) == 1]
    if won:
        yield "won the soonest", f"{(record_game := min(won, key=_turns)).turns} turns", record_game
    counted = [card for card in oldest if card.scores]
    if counted:
        record_game = max(counted, key=lambda card: max(card.scores.values()))
        seat, most = max(record_game.scores.items(), key=lambda had: had[1])
        yield "the most at the end", f"{seat}, {most} {record_game.counts}", record_game
    drawn = [card for card in oldest if card.survivors]
    if drawn:
        record_game = max(drawn, key=lambda card: len(card.survivors))
        yield "the widest draw", f"{len(record_game.survivors)} seats", record_game


def _turns(card: GameCard) -> int:
    return card.turns


def _seats(over: Sequence[GameCard]) -> ReportTable:
    return _averages("How the seats fare", "Seat", over, lambda card, seat: seat)


def _bots(over: Sequence[GameCard]) -> ReportTable:
    """Return the table by level of the bot, people among them as one."""
    return _averages("How people and bots fare", "Player", over, lambda card, seat: _player(card, seat))


def _player(card: GameCard, seat: str) -> str:
    level = card.levels.get(seat, "")
    return f"bot, {level}" if level else "people"


def _averages(
    title: str, first: str, over: Sequence[GameCard], key: Callable[[GameCard, str], str]
) -> ReportTable:
    """Return for each seat or player how many games, how many won, and the points on average."""
    played: dict[str, int] = {}
    won: dict[str, float] = {}
    points: dict[str, dict[str, float]] = {}
    for card in over:
        ending = ending_of(card)
        results = {name: system(ending) for name, system in SYSTEMS.items()} if ending else {}
        for seat in card.levels:
            player = key(card, seat)
            played[player] = played.get(player, 0) + 1
            won[player] = won.get(player, 0) + (1 / len(card.winners) if seat in card.winners else 0)
            mine = points.setdefault(player, {})
            for name, shares in results.items():
                mine[name] = mine.get(name, 0.0) + shares.get(seat, 0.0)
    systems = [name for name in SYSTEMS if any(name in mine for mine in points.values())]
    rows = [
        (
            player,
            str(count),
            format_points(won[player]),
            *(format_points(points[player].get(name, 0) / count) for name in systems),
        )
        for player, count in sorted(played.items(), key=lambda pair: (-won[pair[0]] / pair[1], pair[0]))
    ]
    return ReportTable(title=title, columns=(first, "Games", "Won", *systems), rows=tuple(rows))


def by_kind(cards: Sequence[GameCard]) -> Mapping[tuple[str, str], list[GameCard]]:
    """The games by kind and its title."""
    cards_by_kind: dict[tuple[str, str], list[GameCard]] = {}
    for card in cards:
        cards_by_kind.setdefault((card.kind, card.title), []).append(card)
    return dict(sorted(cards_by_kind.items()))
