"""Benchmark of adjudication: a season alone and from its orders' texts, and a whole game of bots."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from cProfile import Profile
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from pstats import Stats

from adjudicator.bench import peer
from adjudicator.bench.figures import Figure, middle, ratio, time_actions
from adjudicator.errors import Refusal
from adjudicator.judge import answer_question, build_order_reader, find_judge
from adjudicator.kinds import find_kind
from adjudicator.tournament.contest import contest, ending_after, fixture
from adjudicator.tournament.match import ask_bots
from games.dice import SealedDice
from games.options import settle
from games.protocol import Game, Order, Seat, State, View
from games.protocol.optional import Judge, OrderTextParser

_MAX_BOT_YEARS = 30
_SHARES = 6


@dataclass(frozen=True)
class BotSeason:
    """A movement season of a game of bots: the state before it, and its orders."""

    state: State
    orders: Mapping[Seat, Sequence[Order]]


def measure(kind: str, games: int, units: range, beside: str) -> tuple[Figure, ...]:
    """The medians over seasons of some games of bots. units: how many orders such a season has.

    beside: another package; where it is installed and plays the same game, its medians for the same orders
    are told too.
    Raises Refusal for a kind that is not judged, or without such seasons.
    """
    ask, game = find_judge(kind), find_kind(kind)
    seasons = [season for number in range(games) for season in seasons_of(game, number, units)]
    if not seasons:
        raise Refusal(
            f"{games} games", f"no season had {units.start} to {units.stop - 1} orders", "play more"
        )
    plays = [partial(_play, game, season) for season in seasons]
    questions = [_question(game, season) for season in seasons]
    asks = [partial(answer_question, ask, question) for question in questions]
    time_actions(plays)
    alone = middle(time_actions(plays), "a season, orders parsed", f"{len(seasons)} seasons")
    reading = middle(time_actions(_readings(game, seasons)), "its orders, read for the first time")
    time_actions(asks)
    judged = middle(time_actions(asks), "from JSON to JSON", "texts that were read before")
    contests = [partial(_contest, game, number) for number in range(games)]
    whole = middle(time_actions(contests), "a whole game of bots", f"at most {_MAX_BOT_YEARS} years")
    against = ratio("from JSON to JSON against the season alone", judged, alone)
    others = peer.measure(beside, game.about.kind, questions, alone)
    return (alone, reading, judged, against, whole, *others, *_shares(plays))


def seasons_of(game: Game, number: int, units: range) -> Iterator[BotSeason]:
    """The movement seasons of a game of bots that have so many orders."""
    secret, rules, turn = b"bench", game.rules, 0
    options = settle(game.about.options, ending_after(game, _MAX_BOT_YEARS))
    state = rules.setup(options, SealedDice(secret, str(number), 0)).state
    while rules.result(state) is None:
        turn += 1
        dice = SealedDice(secret, str(number), turn)
        orders = ask_bots(game, state, dice)
        if rules.turn(state).kind == "moves" and sum(map(len, orders.values())) in units:
            yield BotSeason(state, orders)
        state = rules.adjudicate(state, orders, dice).state


def _play(game: Game, season: BotSeason) -> None:
    game.rules.adjudicate(season.state, season.orders, SealedDice(b"bench", "season", 0))


def _contest(game: Game, number: int) -> None:
    list(contest(fixture(game, ending_after(game, _MAX_BOT_YEARS), seed=f"bench {number}"), 1))


def _texts(game: Game, season: BotSeason) -> dict[Seat, list[str]]:
    return {seat: [game.notation.write(order) for order in orders] for seat, orders in season.orders.items()}


def _question(game: Game, season: BotSeason) -> bytes:
    assert isinstance(game.whatif, Judge)
    return json.dumps({**game.whatif.question(season.state), "orders": _texts(game, season)}).encode()


def _readings(game: Game, seasons: Sequence[BotSeason]) -> Iterator[Callable[[], object]]:
    """For each season the reading of its orders by a reader that has read nothing yet."""
    for season in seasons:
        hear, texts = build_order_reader(game), _texts(game, season)
        views = {seat: game.rules.view(season.state, seat) for seat in texts}
        # Names and forms are made ready once in a process, before the first text.
        first = next(iter(texts))
        hear(views[first], first, "")
        yield partial(_read, hear, views, texts)


def _read(
    hear: OrderTextParser[View], views: Mapping[Seat, View], texts: Mapping[Seat, Sequence[str]]
) -> None:
    for seat, some in texts.items():
        for text in some:
            hear(views[seat], seat, text)


def _shares(plays: Sequence[Callable[[], object]]) -> tuple[Figure, ...]:
    """In which modules the time of a season goes, the most first, as a profiler sees it."""
    profile = Profile()
    profile.enable()
    for play in plays:
        play()
    profile.disable()
    spent: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, _) in Stats(profile).stats.items():  # type: ignore[attr-defined]  # it has them
        spent[PurePath(file).name if file.endswith(".py") else "built in"] += own
    whole = sum(spent.values())
    return tuple(
        Figure(what=f"of a season spent in {name}", value=100 * own / whole, unit="%")
        for name, own in spent.most_common(_SHARES)
    )
