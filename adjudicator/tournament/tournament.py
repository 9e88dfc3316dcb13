"""Games of one kind, and their statistics: wins by seat and by player, and scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from math import inf, isinf, pi, sqrt, tan
from multiprocessing import get_context
from statistics import NormalDist, fmean, quantiles, stdev

import games
from adjudicator.errors import Refusal
from adjudicator.external_bots import check
from adjudicator.game_kinds import find_kind
from adjudicator.tournament.match import MOST_TURNS, BotMatch, PlayedGame, Seating, play, seating, states
from games.dice import SealedDice
from games.options import settle, settle_for_new_game
from games.protocol import (
    AlternativeBoards,
    BoardUse,
    BotResults,
    CampaignCase,
    CaseResult,
    End,
    Game,
    Invalid,
    Options,
    OptionValue,
    Seat,
    SoloCampaign,
    State,
    Survey,
    TournamentScore,
)

# Confidence intervals contain the true value 19 times out of 20, for a number from several games.


CONFIDENCE = 0.95

_TWO_SIDED = 1 - (1 - CONFIDENCE) / 2
_NORMAL = NormalDist().inv_cdf(_TWO_SIDED)


@dataclass(frozen=True)
class Interval:
    """A measured number, and the ends of its interval."""

    low: float
    value: float
    high: float

    def as_list(self) -> list[float | None]:
        """Return the low end, the value and the high end. An end without a limit is None."""
        return [None if isinf(number) else number for number in (self.low, self.value, self.high)]


def share_interval(hits: int, trials: int) -> Interval:
    """Return a share of independent trials with Wilson's interval, which suits small samples too."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    share_measured, squared = hits / trials, _NORMAL**2
    middle = share_measured + squared / (2 * trials)
    around = _NORMAL * sqrt((share_measured * (1 - share_measured) + squared / (4 * trials)) / trials)
    spread = 1 + squared / trials
    # Shares of 0 and 1 are always inside. A rounding error would leave them out.
    low = 0.0 if hits == 0 else (middle - around) / spread
    high = 1.0 if hits == trials else (middle + around) / spread
    return Interval(low, share_measured, high)


def mean_interval(values: Sequence[float], least: float = -inf, most: float = inf) -> Interval:
    """Return a mean of independent values, with Student's interval. One value has no known spread.

    least, most: the limits of the values, and so of their mean.
    """
    middle = fmean(values)
    if len(values) < 2:
        return Interval(least, middle, most)
    around = student(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(max(middle - around, least), middle, min(middle + around, most))


def student(freedom: int) -> float:
    """Return the quantile of Student's distribution for a two-sided interval, by degrees of freedom.

    Exact for one and two. For more, by the expansion about the normal distribution (Abramowitz and Stegun,
    26.7.5), which is 0.1 % off for three and better from there on.
    """
    if freedom == 1:
        return tan(pi * (_TWO_SIDED - 0.5))
    if freedom == 2:
        half = 2 * _TWO_SIDED - 1
        return half * sqrt(2 / (1 - half**2))
    z = _NORMAL
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


@dataclass(frozen=True)
class TournamentStanding:
    """The results of a player or a seat, counted once for each seat that they played in each game.

    played: the number of seats in all games together. won, drawn: how many of them won, or share a draw.
    wins: the share that won (Wilson's interval over all seats). points, score: the mean points (a win counts
    one, a draw its n-th part) and the mean last score (Student's interval over the games, since the seats of
    one game depend on each other).
    """

    name: str
    played: int
    won: int
    drawn: int
    wins: Interval
    points: Interval
    score: Interval


@dataclass(frozen=True)
class Tournament:
    """Games of one kind, and their statistics."""

    seats: tuple[Seat, ...]
    score: TournamentScore[State]
    games: tuple[PlayedGame, ...]

    @cached_property
    def sides(self) -> tuple[Seat, ...]:
        """Return the seats, and sides that the rules play if they win or score."""
        names = dict.fromkeys(self.seats)
        for game in self.games:
            names.update(dict.fromkeys((*game.result.winners, *sorted(game.scores[game.end]))))
        return tuple(names)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return the players, in the order of the seats of the first game."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.players.values()))

    def by_seat(self) -> tuple[TournamentStanding, ...]:
        """Return the results of each side, the best first."""
        return self._standings({side: {game.number: (side,) for game in self.games} for side in self.sides})

    def by_player(self) -> tuple[TournamentStanding, ...]:
        """Return the results of each player in all their seats, the best first."""
        return self._standings(
            {
                name: {game.number: _seats_of(game, name) for game in self.games if _seats_of(game, name)}
                for name in self.players
            }
        )

    def _standings(
        self, held: Mapping[str, Mapping[int, tuple[Seat, ...]]]
    ) -> tuple[TournamentStanding, ...]:
        """Return the results by name, the best first. held: by name, the seats held in each game."""
        games = {game.number: game for game in self.games}
        standings = []
        for name, seats in held.items():
            each = [(games[number], seat) for number, some in seats.items() for seat in some]
            won = sum(seat in game.result.winners for game, seat in each)
            points = [fmean(games[number].points(seat) for seat in some) for number, some in seats.items()]
            scores = [
                fmean(_last_score(games[number], seat) for seat in some) for number, some in seats.items()
            ]
            standings.append(
                TournamentStanding(
                    name=name,
                    played=len(each),
                    won=won,
                    drawn=sum(seat in game.sharers for game, seat in each),
                    wins=share_interval(won, len(each)),
                    points=mean_interval(points, 0, 1),
                    score=mean_interval(scores),
                )
            )
        return tuple(sorted(standings, key=lambda standing: (-standing.points.value, -standing.score.value)))

    def wins(self) -> Mapping[Seat, int]:
        """Return how many games each side has won, alone or with others, the most first."""
        counted = Counter(seat for game in self.games for seat in game.result.winners)
        return {seat: counted[seat] for seat in sorted(self.sides, key=lambda seat: -counted[seat])}

    def spread(self) -> Mapping[Seat, tuple[float, ...]]:
        """Return the distribution of each side's last scores: minimum, quartiles, maximum."""
        quartiles = {}
        for side in self.sides:
            last = sorted(_last_score(game, side) for game in self.games)
            middle = quantiles(last, n=4, method="inclusive") if len(last) > 1 else last * 3
            quartiles[side] = (last[0], *middle, last[-1])
        return quartiles

    def draws(self) -> int:
        """Return how many games were a draw."""
        return sum(not game.result.winners and not game.is_undecided for game in self.games)

    def count_undecided(self) -> int:
        """Return how many games were abandoned."""
        return sum(game.is_undecided for game in self.games)

    def endings(self) -> Mapping[str, int]:
        """Return how many games ended for each reason, the most first."""
        return dict(Counter(game.result.reason for game in self.games).most_common())

    def length(self) -> float:
        """Return the mean length of a game, in the score's time."""
        return fmean(game.end + self.score.step - min(game.scores) for game in self.games)

    def means(self) -> Mapping[int, Mapping[Seat, float]]:
        """Return the mean score of each side over time. A finished game counts with its last score."""
        return {
            time: {seat: fmean(_score_at(game, time, seat) for game in self.games) for seat in self.sides}
            for time in self._times()
        }

    def means_of_players(self) -> Mapping[int, Mapping[str, float]]:
        """Return the mean score of a seat of each player over time."""
        held = {
            name: [(game, seat) for game in self.games for seat in _seats_of(game, name)]
            for name in self.players
        }
        return {
            time: {
                name: fmean(_score_at(game, time, seat) for game, seat in each) for name, each in held.items()
            }
            for time in self._times()
        }

    def orders(self) -> Mapping[Seat, Mapping[str, Mapping[int, float]]]:
        """Return orders by seat, by kind (most frequent first) and by time, per game that lasted that
        long.
        """
        lasted = {time: sum(game.end >= time for game in self.games) for time in self._times()}
        counted: Counter[tuple[int, Seat, str]] = Counter()
        for game in self.games:
            counted.update(game.orders)
        frequencies: dict[Seat, dict[str, dict[int, float]]] = {seat: {} for seat in self.sides}
        totals = Counter[tuple[Seat, str]]()
        for (_, seat, kind), count in counted.items():
            totals[seat, kind] += count
        for (seat, kind), _ in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
            frequencies[seat][kind] = {time: counted[time, seat, kind] / lasted[time] for time in lasted}
        return frequencies

    def _times(self) -> range:
        first, last = min(min(game.scores) for game in self.games), max(game.end for game in self.games)
        return range(first, last + 1, self.score.step)


def _seats_of(game: PlayedGame, name: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, who in game.players.items() if who == name)


def _score_at(game: PlayedGame, time: int, seat: Seat) -> int:
    return game.scores[min(time, game.end)].get(seat, 0)


def _last_score(game: PlayedGame, seat: Seat) -> int:
    return game.scores[game.end].get(seat, 0)


# Many games of one kind have the same results in one process or several.


DEFAULT_MAX_YEARS = 30
"""The default number of years after which a tournament game is a draw, if the game counts years."""


@dataclass(frozen=True)
class Fixture:
    """The games of a tournament, in plain values that any process can read. kind: the kind's name.

    foreign: by name, the commands that start external bots. draft: the draft of the board, "" for the kind's
    own. dangers: as in `match.BotMatch`.
    """

    kind: str
    options: Options
    seating: Seating
    seed: str
    most_turns: int = MOST_TURNS
    foreign: Mapping[str, str] = field(default_factory=dict)
    draft: str = ""
    dangers: Mapping[Seat, float] | None = None

    def game(self, number: int) -> PlayedGame:
        """Play one game, counted from 0. It is the same in any process and at any time."""
        game = _game_with_draft(self.kind, self.draft, tuple(self.options.items()))
        match = BotMatch(
            number, self.options, self.seating.players_in(number), self.seed, self.foreign, self.dangers
        )
        return play(game, match, self.most_turns)


@cache
def _game_with_draft(kind: str, draft: str, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    game = find_kind(kind)
    return drafts_of(game, dict(options)).game(draft) if draft else game


def drafts_of(game: Game, options: Options) -> AlternativeBoards:
    """Return the alternative boards of a kind. Raises Refusal for a kind with only one board."""
    if game.drafts is None:
        raise Refusal(f"Can't change the board of {game.about.kind}", "this board has no alternatives")
    return game.drafts(options)


@dataclass(frozen=True)
class FixtureRequest:
    """The requested players, and how they play. seats: the seating, as `seating` reads it.

    rotates: whether players move one seat on every game. foreign: by name, the commands that start external
    bots. draft: the draft of the board, "" for the kind's own. dangers: by how many steps nearer bots assume
    a seat's centres to be, or None for the board's own values.
    """

    seats: str = ""
    rotates: bool = False
    seed: str = "0"
    foreign: Mapping[str, str] = field(default_factory=dict)
    draft: str = ""
    dangers: Mapping[str, float] | None = None


NO_WISHES = FixtureRequest()
"""The weakest bots in all seats."""


def fixture(game: Game, options: Mapping[str, OptionValue], request: FixtureRequest = NO_WISHES) -> Fixture:
    """Return the games to play.

    Raises Refusal for a kind without bots or a score, and for unknown options, players, seats or drafts.
    """
    if game.score is None or not game.bots:
        raise Refusal(
            f"Can't hold a tournament of {game.about.kind}",
            "its bots can't play it alone, or there is nothing to count",
        )
    try:
        settled = settle_for_new_game(game.about, options)
        if request.draft:
            drafts_of(game, settled).describe(request.draft)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    if request.foreign:
        check(game, options, request.foreign)
    seats = game.about.seats(settled)
    players = seating(game, seats, request.seats, rotates=request.rotates, foreign=request.foreign)
    return Fixture(
        kind=game.about.kind,
        options=settled,
        seating=players,
        seed=request.seed,
        foreign=dict(request.foreign),
        draft=request.draft,
        dangers=None if request.dangers is None else _dangers_by_seat(request.dangers, players.seats),
    )


def _dangers_by_seat(dangers: Mapping[str, float], seats: tuple[Seat, ...]) -> Mapping[Seat, float]:
    """Return the dangers by the game's names of the seats. Raises Refusal for an unknown seat."""
    known = {seat.casefold(): seat for seat in seats}
    for name in dangers:
        if name.casefold() not in known:
            raise Refusal(f'No seat is called "{name}"', "", "Seats: " + ", ".join(seats))
    return {known[name.casefold()]: steps for name, steps in dangers.items()}


def _worker_pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of processes that know the same variants as this one."""
    return ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=games.use_variants,
        initargs=(games.variants_in_use(),),
    )


def contest(fixture: Fixture, count: int, jobs: int = 1, first: int = 0) -> Iterator[PlayedGame]:
    """Yield games up to a count, in order, played by as many processes as there are jobs.

    first: the number of the first game to play.
    """
    numbers = range(first, count)
    if jobs == 1 or len(numbers) < 2:
        yield from map(fixture.game, numbers)
        return
    # A spawned process inherits no locks and no connections.
    with _worker_pool(min(jobs, len(numbers))) as workers:
        yield from workers.map(fixture.game, numbers)


def try_out(survey: Survey, count: int) -> Iterator[tuple[PlayedGame, BoardUse]]:
    """Yield games of bots on a new variant, each with what all games so far made of its board.

    Bots of the second level play, and a game is a draw after DEFAULT_MAX_YEARS.
    """
    game, use = survey.game, survey.use()
    level = [*game.bots][:2][-1]
    options = ending_after(game, DEFAULT_MAX_YEARS) if counts_years(game) else {}
    settled = settle_for_new_game(game.about, options)
    players = dict.fromkeys(game.about.seats(settled), level)
    for number in range(count):
        yield play(game, BotMatch(number, settled, players, "0"), watch=use.note), use


def counts_years(game: Game) -> bool:
    """Return whether games of a kind can have a last year."""
    return game.score is not None and any(option.name == "last_year" for option in game.about.options)


def ending_after(game: Game, years: int) -> Mapping[str, OptionValue]:
    """Return the options for a draw after so many years. Raises Refusal for a kind without years."""
    if game.score is None or not counts_years(game):
        raise Refusal(f"Can't set a last year for {game.about.kind}", "this game doesn't count years")
    opening = game.rules.setup(settle(game.about.options, {}), SealedDice(b"", game.about.kind, 0)).state
    return {"last_year": game.score.when(opening) + (years - 1) * game.score.step}


# Results of bots in solo games, for comparison with players' records. They are made with a seed.


def play_cases(
    game: Game, count: int, seed: str, jobs: int = 1
) -> Iterator[tuple[CampaignCase, tuple[CaseResult, ...]]]:
    """Play each case several times with the best bot in all seats. Yields its seat's results, in order.

    Cases with the same beginning are seats of the same games. Raises Refusal for a kind without a solo game.
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
            with _worker_pool(min(jobs, count)) as workers:
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
    """Return the result of a seat at the end of a game. Raises Refusal if the game didn't end."""
    result = game.rules.result(last)
    if result is None:
        raise Refusal(
            f"A game of {game.about.kind} didn't end", "its bots didn't finish it", "Fix its bots first"
        )
    end: End = "drawn" if not result.winners else "won" if case.seat in result.winners else "lost"
    return CaseResult(end=end, count=campaign.count(last, case))


def results_table(game: Game, results: Mapping[str, tuple[CaseResult, ...]], seed: str) -> BotResults:
    """Return the results, case by case, in the form of the file."""
    cases: dict[str, dict[End, dict[str, int]]] = {}
    for name, each in results.items():
        counted = Counter((result.end, result.count) for result in each)
        rows: dict[End, dict[str, int]] = {}
        for (end, count), number in sorted(counted.items()):
            rows.setdefault(end, {})[str(count)] = number
        cases[name] = rows
    return BotResults(bot=bot_of(game), games=len(next(iter(results.values()))), seed=seed, cases=cases)


def campaign_of(game: Game) -> SoloCampaign[State]:
    """Return the goals of a solo player's record. Raises Refusal for a kind without a solo game."""
    if game.campaign is None:
        raise Refusal(
            f"Can't make a record of {game.about.kind}",
            "it isn't a solo game, and only solo games have records",
        )
    return game.campaign


def bot_of(game: Game) -> str:
    """Return the level with which people are compared: the best."""
    return list(game.bots)[-1]
