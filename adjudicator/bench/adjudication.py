"""Benchmark of adjudication: single seasons, seasons from the texts of orders, and a whole game of bots."""

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from cProfile import Profile
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from pstats import Stats
from typing import Any

from adjudicator.bench.start import Figure, late, middle, ratio, time_actions
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.judge import Ask, answer_question, build_order_reader, find_judge, format_json
from adjudicator.tournament.match import ask_bots
from adjudicator.tournament.tournament import FixtureRequest, contest, ending_after, fixture
from games.dice import SealedDice
from games.options import settle
from games.protocol import BenchmarkPhase, Game, Judge, Order, OrderTextParser, Seat, State, View

_MAX_BOT_YEARS = 30
_SHARES = 6


@dataclass(frozen=True)
class BotSeason:
    """A movement season of a game between bots: the state before it, and its orders."""

    state: State
    orders: Mapping[Seat, Sequence[Order]]


def measure_adjudication(kind: str, games: int, units: range, beside: str) -> tuple[Figure, ...]:
    """Return the medians over the seasons of bots' games. units: the number of orders in a season.

    beside: another package. If it is installed and has the same game, the result includes its medians for the
    same orders. Raises Refusal for a kind without rules for judging, or without such seasons.
    """
    ask, game = find_judge(kind), find_kind(kind)
    seasons = [season for number in range(games) for season in seasons_of(game, number, units)]
    if not seasons:
        raise Refusal(
            f"Can't measure {games} games",
            f"no season had {units.start} to {units.stop - 1} orders",
            "Play more games",
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
    others = measure_peer(beside, game.about.kind, questions, alone)
    return (alone, reading, judged, against, whole, *others, *_shares(plays))


def seasons_of(game: Game, number: int, units: range) -> Iterator[BotSeason]:
    """Yield the movement seasons of a game between bots that have this many orders."""
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
    list(
        contest(fixture(game, ending_after(game, _MAX_BOT_YEARS), FixtureRequest(seed=f"bench {number}")), 1)
    )


def _texts(game: Game, season: BotSeason) -> dict[Seat, list[str]]:
    return {seat: [game.notation.write(order) for order in orders] for seat, orders in season.orders.items()}


def _question(game: Game, season: BotSeason) -> bytes:
    assert isinstance(game.whatif, Judge)
    return json.dumps({**game.whatif.question(season.state), "orders": _texts(game, season)}).encode()


def _readings(game: Game, seasons: Sequence[BotSeason]) -> Iterator[Callable[[], object]]:
    """Yield for each season a function that reads its orders with a new, empty reader."""
    for season in seasons:
        parse_order, texts = build_order_reader(game), _texts(game, season)
        views = {seat: game.rules.view(season.state, seat) for seat in texts}
        # Names and forms are prepared once per process, before the first text.
        first = next(iter(texts))
        parse_order(views[first], first, "")
        yield partial(_read, parse_order, views, texts)


def _read(
    parse_order: OrderTextParser[View], views: Mapping[Seat, View], texts: Mapping[Seat, Sequence[str]]
) -> None:
    for seat, some in texts.items():
        for text in some:
            parse_order(views[seat], seat, text)


def _shares(plays: Sequence[Callable[[], object]]) -> tuple[Figure, ...]:
    """Return the modules that take the time of a season, the slowest first, as a profiler measures it."""
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


# Benchmark of dense seasons: adjudicated, varied by one order, and answered as JSON.


_DECIDED, _ANSWERED = "decided", "from JSON to JSON"
_ANSWERED_ANEW = "from JSON to JSON, texts never read before"
_VARIED, _SINGLY = "with another order for a unit", "with another order for a unit, one by one"


@dataclass
class DenseSeason:
    """A dense season: the question, its prepared orders, and other prepared orders."""

    question: bytes
    rehearsal: BenchmarkPhase
    others: Sequence[Any]

    def spell_anew(self, number: int) -> bytes:
        """Return the question with its texts in capitals and small letters as no other number spells them."""
        question = json.loads(self.question)
        question["orders"] = {
            seat: [spell(text, number) for text in texts] for seat, texts in question["orders"].items()
        }
        return json.dumps(question).encode()

    def vary(self) -> None:
        """Adjudicate the season with each of the other orders."""
        vary = self.rehearsal.vary
        for other in self.others:
            vary(other)


@dataclass
class TimesTaken:
    """Milliseconds that each task took, over all rounds, by the name of the task."""

    ours: dict[str, list[float]] = field(default_factory=dict)
    theirs: dict[str, list[float]] = field(default_factory=dict)


def measure_decisions(kind: str, rounds: int, beside: str) -> tuple[Figure, ...]:
    """Return medians and 95th percentiles over the dense seasons of a kind.

    beside: another package. If it is installed and has the same game, it is measured alternately with us.
    Raises Refusal for a kind without dense seasons.
    """
    file = Path(__file__).with_name(f"dense_{kind}.json")
    game = find_kind(kind)
    if not file.exists():
        dense = sorted(
            file_found.stem.removeprefix("dense_") for file_found in file.parent.glob("dense_*.json")
        )
        raise Refusal(
            f"Can't measure {kind}", "it has no dense seasons to solve", f"Games that do: {', '.join(dense)}"
        )
    asked = json.loads(file.read_text(encoding="utf-8"))
    ask, parse_order = find_judge(kind), build_order_reader(game)
    seasons = [_season(game, parse_order, season_data) for season_data in asked]
    questions = [season_data["question"] for season_data in asked]
    taken = TimesTaken()
    for number in range(rounds + 1):
        kept = taken if number else TimesTaken()
        for what, more in _ours(seasons, ask, number):
            kept.ours.setdefault(what, []).extend(more)
        for what, several in measure_package(beside, kind, questions).items():
            kept.theirs.setdefault(what, []).extend(several)
    return tuple(_figures(taken, beside, f"{len(seasons)} seasons of 34 orders, {rounds} rounds"))


def _season(game: Game, parse_order: OrderTextParser[Any], asked: Mapping[str, Any]) -> DenseSeason:
    question = asked["question"]
    assert game.whatif is not None
    state = game.whatif.position({**question, "orders": {}})
    view = game.rules.view(state, None)
    texts = [(seat, text) for seat, several in question["orders"].items() for text in several]
    orders = [parse_order(view, seat, text).order for seat, text in texts]
    seat = texts[0][0]
    rehearsal = game.rules.benchmark_phase(state, orders)
    assert rehearsal is not None, "games with dense seasons can decide a phase alone"
    others = [rehearsal.prepare(parse_order(view, seat, text).order) for text in asked["others"]]
    return DenseSeason(json.dumps(question).encode(), rehearsal, others)


def spell(text: str, number: int) -> str:
    """Return a text with small letters in its names where a number has bits, from the last letter on."""
    letters = list(text)
    names = [place for word in re.finditer(r"[A-Z]{3,}", text) for place in range(*word.span())]
    for rank, place in enumerate(reversed(names)):
        if number >> rank & 1:
            letters[place] = letters[place].lower()
    return "".join(letters)


def _ours(seasons: Sequence[DenseSeason], ask: Ask, number: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the name of each task, and the milliseconds it took each time. number: the round's, from 0."""
    yield _DECIDED, time_actions(season.rehearsal.decide for season in seasons)
    together = time_actions(season.vary for season in seasons)
    yield _VARIED, [taken / len(season.others) for taken, season in zip(together, seasons, strict=True)]
    singly = (partial(season.rehearsal.vary, other) for season in seasons for other in season.others)
    yield _SINGLY, time_actions(singly)
    yield _ANSWERED, time_actions(partial(_answer_question, ask, season.question) for season in seasons)
    anew = [season.spell_anew(number + 1) for season in seasons]
    yield _ANSWERED_ANEW, time_actions(partial(_answer_question, ask, question) for question in anew)


def _answer_question(ask: Ask, question: bytes) -> str:
    reply, _ = answer_question(ask, question)
    return format_json(reply, on_a_line=True)


def _figures(taken: TimesTaken, beside: str, note: str) -> Iterator[Figure]:
    for what, several in taken.ours.items():
        yield middle(several, what, note)
        yield late(several, f"{what}, 95th percentile")
        note = ""
    for what, several in taken.theirs.items():
        yield middle(several, f"the {beside} package: {what}")
        yield late(several, f"the {beside} package: {what}, 95th percentile")
    pairs = (
        (_DECIDED, PROCESSED),
        (_VARIED, PROCESSED),
        (_SINGLY, PROCESSED),
        (_ANSWERED, READ_AND_PROCESSED),
        (_ANSWERED_ANEW, READ_AND_PROCESSED),
    )
    for ours, theirs in pairs if taken.theirs else ():
        for form, which in ((middle, "median"), (late, "95th percentile")):
            other, own = form(taken.theirs[theirs], ""), form(taken.ours[ours], "")
            yield ratio(f"{ours}: as fast as the {beside} package, {which}", other, own)


# Another package adjudicates the same seasons if it is installed and has that game. It is measured in the
# same run, on the same orders, so that the figures can be compared.


PUBLISHED_TIMES_MS: Mapping[str, float] = {
    "the same package": 1.18,
    "godip": 0.87,
    "pydip": 0.23,
    "an engine in Rust": 0.134,
    "jDip, its virtual machine warm": 0.089,
}
"""Milliseconds for a season of 34 units, dense in supports and convoys, orders parsed, on one machine."""


def measure_peer(package: str, kind: str, questions: Sequence[bytes], ours: Figure) -> tuple[Figure, ...]:
    """Return the package's times for the same questions, to read the orders and to judge them."""
    maps = _maps(package)
    if kind not in maps:
        return ()
    asked = [json.loads(question) for question in questions]
    games = [_game(maps[kind], kind, question) for question in asked]
    reading = [
        partial(_read_with_package, game, question) for game, question in zip(games, asked, strict=True)
    ]
    read = middle(time_actions(reading), f"the {package} package: its orders, read")
    judged = middle(time_actions([game.process for game in games]), f"the {package} package: a season")
    return (
        read,
        judged,
        ratio(f"the {package} package against the season alone", judged, ours),
        *(
            Figure(what=f"elsewhere: {name}", value=value, unit="ms", note="decisions alone, another run")
            for name, value in PUBLISHED_TIMES_MS.items()
        ),
    )


PROCESSED, READ_AND_PROCESSED = "a season", "its orders, and the season"


def measure_package(
    package: str, kind: str, questions: Sequence[Mapping[str, Any]]
) -> Mapping[str, list[float]]:
    """Return the milliseconds that a package takes to judge each question, and to read and judge it."""
    maps = _maps(package)
    if kind not in maps:
        return {}
    games = [_game(maps[kind], kind, question) for question in questions]
    read = time_actions(
        [partial(_read_with_package, game, question) for game, question in zip(games, questions, strict=True)]
    )
    judged = time_actions([game.process for game in games])
    both = [reading_time + other for reading_time, other in zip(read, judged, strict=True)]
    return {PROCESSED: judged, READ_AND_PROCESSED: both}


def _maps(package: str) -> Mapping[str, Any]:
    """Return the package's game by the name of its map, which is also one of our kinds. Empty without it."""
    if find_spec(package) is None:
        return {}
    with warnings.catch_warnings():
        # The package leaves a file open when it loads a map, and uses a deprecated call for the time.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        game = import_module(package).Game
        return {str(game().map_name): game}


def _game(make: Any, kind: str, question: Mapping[str, Any]) -> Any:
    game = make(map_name=kind)
    game.clear_units()
    game.clear_centers()
    for power, units in question["units"].items():
        game.set_units(power.upper(), units, reset=True)
    return game


def _read_with_package(game: Any, question: Mapping[str, Any]) -> None:
    for power, orders in question["orders"].items():
        game.set_orders(power.upper(), orders)
