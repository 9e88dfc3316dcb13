"""Bot results for solo games, with which players' records are compared: made with a seed, shipped."""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from adjudicator.errors import Refusal
from adjudicator.kinds import find_kind
from adjudicator.tournament.match import BotMatch, states
from games.options import settle
from games.protocol import (
    BotResults,
    CampaignCase,
    CaseResult,
    End,
    Game,
    OptionValue,
    Seat,
    SoloCampaign,
    State,
)


def play_cases(
    game: Game, count: int, seed: str, jobs: int = 1
) -> Iterator[tuple[CampaignCase, tuple[CaseResult, ...]]]:
    """Play each case several times with the kind's best bot in all seats; yield what its seat got, in order.

    Cases that begin alike are seats of the same games. Raises Refusal for a kind that nobody plays alone.
    """
    kind, campaign = game.about.kind, campaign_of(game)
    ways: list[Mapping[str, OptionValue]] = []
    for case in campaign.cases:
        if case.options not in ways:
            ways.append(case.options)
    for way in ways:
        play_game = partial(game_results, kind, dict(way), seed)
        if jobs == 1:
            results = [play_game(number) for number in range(count)]
        else:
            with ProcessPoolExecutor(min(jobs, count), mp_context=get_context("spawn")) as workers:
                results = list(workers.map(play_game, range(count)))
        for case in campaign.cases:
            if case.options == way:
                yield case, tuple(each[case.seat] for each in results)


def game_results(
    kind: str, options: Mapping[str, OptionValue], seed: str, number: int
) -> Mapping[Seat, CaseResult]:
    """Return the result of each seat of a case in one game, counted from 0: the same on every machine."""
    game = find_kind(kind)
    campaign, settled = campaign_of(game), settle(game.about.options, options)
    bot = bot_of(game)
    seats = game.about.seats(settled)
    match = BotMatch(number, settled, dict.fromkeys(seats, bot), seed)
    *_, last = states(game, match, dict.fromkeys(seats, game.bots[bot]))
    return {
        case.seat: seat_result(game, campaign, last, case)
        for case in campaign.cases
        if case.options == options
    }


def seat_result(game: Game, campaign: SoloCampaign[State], last: State, case: CampaignCase) -> CaseResult:
    """Return the result of a seat in a game that ended so. Raises Refusal for one that did not end."""
    result = game.rules.result(last)
    if result is None:
        raise Refusal(f"a game of {game.about.kind}", "did not end", "mend its bots first")
    end: End = "drawn" if not result.winners else "won" if case.seat in result.winners else "lost"
    return CaseResult(end=end, count=campaign.count(last, case))


def results_table(game: Game, results: Mapping[str, tuple[CaseResult, ...]], seed: str) -> BotResults:
    """Return the results, case by case, as the file has them."""
    cases: dict[str, dict[End, dict[str, int]]] = {}
    for name, each in results.items():
        counted = Counter((result.end, result.count) for result in each)
        rows: dict[End, dict[str, int]] = {}
        for (end, count), number in sorted(counted.items()):
            rows.setdefault(end, {})[str(count)] = number
        cases[name] = rows
    return BotResults(bot=bot_of(game), games=len(next(iter(results.values()))), seed=seed, cases=cases)


def campaign_of(game: Game) -> SoloCampaign[State]:
    """Return what the record of a player counts. Raises Refusal where nobody plays the game alone."""
    if game.campaign is None:
        raise Refusal(f"kind {game.about.kind}", "is not played alone, so that no record counts it")
    return game.campaign


def bot_of(game: Game) -> str:
    """The level with which people are compared: the best."""
    return list(game.bots)[-1]
