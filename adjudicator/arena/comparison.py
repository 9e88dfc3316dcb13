"""What bots get in the games that people play alone: made with a seed, shipped with each game."""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from adjudicator.arena.playing import Match, states
from adjudicator.errors import Refusal
from adjudicator.kinds import kind_named
from games.options import settle
from games.protocol import BotResults, Campaign, Case, End, Game, Got, OptionValue, Seat, State


def compared(game: Game, count: int, seed: str, jobs: int = 1) -> Iterator[tuple[Case, tuple[Got, ...]]]:
    """Play so many games of each case with the kind's best bot on all seats; what its seat got, in order.

    Cases that begin alike are seats of the same games. Raises Refusal for a kind that nobody plays alone.
    """
    kind, campaign = game.about.kind, campaign_of(game)
    ways: list[Mapping[str, OptionValue]] = []
    for case in campaign.cases:
        if case.options not in ways:
            ways.append(case.options)
    for way in ways:
        one = partial(ends, kind, dict(way), seed)
        if jobs == 1:
            found = [one(number) for number in range(count)]
        else:
            with ProcessPoolExecutor(min(jobs, count), mp_context=get_context("spawn")) as workers:
                found = list(workers.map(one, range(count)))
        for case in campaign.cases:
            if case.options == way:
                yield case, tuple(each[case.seat] for each in found)


def ends(kind: str, options: Mapping[str, OptionValue], seed: str, number: int) -> Mapping[Seat, Got]:
    """What each seat of a case got in one game, counted from 0: the same whoever plays it, and when."""
    game = kind_named(kind)
    campaign, settled = campaign_of(game), settle(game.about.options, options)
    bot = bot_of(game)
    seats = game.about.seats(settled)
    match = Match(number, settled, dict.fromkeys(seats, bot), seed)
    *_, last = states(game, match, dict.fromkeys(seats, game.bots[bot]))
    return {case.seat: got(game, campaign, last, case) for case in campaign.cases if case.options == options}


def got(game: Game, campaign: Campaign[State], last: State, case: Case) -> Got:
    """What a seat got in a game that ended so. Raises Refusal for one that did not end."""
    result = game.rules.result(last)
    if result is None:
        raise Refusal(f"a game of {game.about.kind}", "did not end", "mend its bots first")
    end: End = "drawn" if not result.winners else "won" if case.seat in result.winners else "lost"
    return Got(end=end, count=campaign.count(last, case))


def table(game: Game, found: Mapping[str, tuple[Got, ...]], seed: str) -> BotResults:
    """What was got, case by case, as the file has it."""
    cases: dict[str, dict[End, dict[str, int]]] = {}
    for name, each in found.items():
        counted = Counter((one.end, one.count) for one in each)
        rows: dict[End, dict[str, int]] = {}
        for (end, count), number in sorted(counted.items()):
            rows.setdefault(end, {})[str(count)] = number
        cases[name] = rows
    return BotResults(bot=bot_of(game), games=len(next(iter(found.values()))), seed=seed, cases=cases)


def campaign_of(game: Game) -> Campaign[State]:
    """What the record of a person counts. Raises Refusal where nobody plays the game alone."""
    if game.campaign is None:
        raise Refusal(f"kind {game.about.kind}", "is not played alone, so that no record counts it")
    return game.campaign


def bot_of(game: Game) -> str:
    """The level with which people are compared: the best."""
    return list(game.bots)[-1]
