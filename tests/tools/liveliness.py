"""Measures how lively games of Diplomacy's bots are: decided games, still years, canoe-fleets, shares.

    .venv/bin/python -m tests.tools.liveliness indianomacy --seats intermediate --years 25 --games 200

A year is still if no supply centre changes hands in it. Intervals contain the true value 19 times out of 20.
"""

import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import fmean
from typing import Annotated, Any

import typer

from adjudicator import game_kinds
from adjudicator.cli import board_search, tournament
from adjudicator.cli.arguments import GameOptions, Json, Kind, pair
from adjudicator.cli.output import read_file_options
from adjudicator.errors import Refusal
from adjudicator.tournament.match import BotMatch, ask, player
from adjudicator.tournament.tournament import Fixture, FixtureRequest, mean_interval, share_interval
from adjudicator.turns.runner import public_turn
from games.dice import SealedDice
from games.diplomacy.events import Captured, Resolved, StormThrown
from games.diplomacy.model import BuildCanoe, Destroy, Move, Province
from games.protocol import Event, Game, PastTurn, Seat

app = typer.Typer(add_completion=False, rich_markup_mode=None)

NOOTKA = Province("36")
"""The centre that only canoe-fleets reach, in Indianomacy."""

EARLY_YEARS = 6
"""A seat is active if it wins or loses a supply centre in these years."""

Seed = Annotated[str, typer.Option(help="The seed of the dice.")]
First = Annotated[int, typer.Option(min=0, help="The number of the first game.")]
Danger = Annotated[list[str] | None, typer.Option(metavar="SEAT=STEPS", help="The danger of a seat.")]


@dataclass(frozen=True)
class LivelyGame:
    """The counts of one game. built, launched, destroyed: canoe-fleets by seat; active: seats early on.

    points: each seat's part of the one point of the game; lost: War Parties lost on stormy waters.
    """

    number: int
    decided: bool
    years: int
    still_years: int
    moves: int
    bounces: int
    built: Mapping[str, int]
    launched: Mapping[str, int]
    destroyed: int
    storms: int
    lost: int
    nootka: bool
    active: int
    points: Mapping[str, float]
    centres: Mapping[str, int]


def played_turns(fixture: Fixture, number: int) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """Yield each state after the opening of a game, with the events that led to it."""
    game = game_kinds.find_kind(fixture.kind)
    match = BotMatch(
        number,
        fixture.options,
        fixture.seating.players_in(number),
        fixture.seed,
        fixture.foreign,
        fixture.dangers,
    )
    bots = {seat: player(game, who) for seat, who in match.players.items()}
    if match.dangers is not None:
        bots = {seat: bot.with_dangers(match.dangers) for seat, bot in bots.items()}
    past = deque[PastTurn](maxlen=max(bot.looks_back for bot in bots.values()))
    secret, name = f"tournament {match.seed}".encode(), f"{game.about.kind}-{number}"
    state = game.rules.setup(match.options, SealedDice(secret, name, 0)).state
    yield state, ()
    turn = 0
    while game.rules.result(state) is None:
        turn += 1
        dice = SealedDice(secret, name, turn)
        outcome = game.rules.adjudicate(state, ask(game, state, bots, dice, past), dice)
        if past.maxlen:
            past.append(public_turn(game, state, outcome.state, outcome.events))
        state = outcome.state
        yield state, outcome.events


def measure_game(fixture: Fixture, number: int) -> LivelyGame:
    """Play one game, counted from 0, and return its counts."""
    turns = list(played_turns(fixture, number))
    game, (last, _) = game_kinds.find_kind(fixture.kind), turns[-1]
    first_year = int(turns[0][0].phase.year)
    events = [
        (int(before.phase.year), event)
        for (before, _), (_, happened) in pairwise(turns)
        for event in happened
    ]
    orders = [event for _, event in events if isinstance(event, Resolved)]
    moves = [event for event in orders if isinstance(event.order, Move) and event.outcome != "retreated"]
    changes = [(year, event) for year, event in events if isinstance(event, Captured)]
    early = [event for year, event in changes if year < first_year + EARLY_YEARS]
    years = max(year for year, _ in events) - first_year + 1
    result = game.rules.result(last)
    assert result is not None, "the game is over"
    return LivelyGame(
        number=number,
        decided=bool(result.winners),
        years=years,
        still_years=years - len({year for year, _ in changes}),
        moves=len(moves),
        bounces=sum(event.outcome == "bounced" for event in moves),
        built=_count(
            event for event in orders if isinstance(event.order, BuildCanoe) and event.outcome == "built"
        ),
        launched=_count(event for event in moves if _is_launched(game, event)),
        destroyed=sum(isinstance(event.order, Destroy) and event.outcome == "destroyed" for event in orders),
        storms=sum(isinstance(event, StormThrown) for _, event in events),
        lost=sum(isinstance(event, StormThrown) and event.sunk for _, event in events),
        nootka=any(event.centre == NOOTKA for _, event in changes),
        active=len({seat for event in early for seat in (event.was, event.now) if seat is not None}),
        points=_points(game, last, result.winners),
        centres=dict(Counter(last.centres.values())),
    )


def _is_launched(game: Game, event: Resolved) -> bool:
    order = event.order
    rules: Any = game.rules
    board = rules.variant.board
    return (
        isinstance(order, Move) and order.canoe and event.outcome == "moved" and not board.is_land(order.to)
    )


def _count(events: Iterator[Resolved]) -> Mapping[str, int]:
    return dict(Counter(event.power for event in events))


def _points(game: Game, last: Any, winners: tuple[Seat, ...]) -> Mapping[str, float]:
    sharers = winners or game.rules.survivors(last) or ()
    return {seat: 1 / len(sharers) for seat in sharers}


def summarise(games: list[LivelyGame], seats: tuple[Seat, ...]) -> dict[str, Any]:
    """Return the table: shares in per cent with their intervals, and counts per game."""

    def share(hits: int, trials: int) -> list[float]:
        interval = share_interval(hits, trials)
        return [round(100 * value, 1) for value in (interval.low, interval.value, interval.high)]

    def total(name: str) -> int:
        return sum(getattr(game, name) for game in games)

    def sum_by_seat(name: str) -> dict[str, int]:
        counts = {seat: sum(getattr(game, name).get(seat, 0) for game in games) for seat in seats}
        return {seat: count for seat, count in counts.items() if count}

    def points(seat: Seat) -> list[float]:
        interval = mean_interval([game.points.get(seat, 0.0) for game in games], 0, 1)
        return [round(100 * value, 1) for value in (interval.low, interval.value, interval.high)]

    return {
        "games": len(games),
        "years": round(fmean(game.years for game in games), 1),
        "decided %": share(sum(game.decided for game in games), len(games)),
        "moves that bounce %": round(100 * total("bounces") / max(total("moves"), 1), 1),
        "still years %": share(total("still_years"), total("years")),
        "canoe-fleets built": sum_by_seat("built"),
        "canoe-fleets launched": sum_by_seat("launched"),
        "launched a game": round(sum(sum_by_seat("launched").values()) / len(games), 2),
        "destroyed": total("destroyed"),
        "storms on the Bay": total("storms"),
        "lost on the Bay": total("lost"),
        "Nootka taken %": share(sum(game.nootka for game in games), len(games)),
        f"seats that won or lost a centre in {EARLY_YEARS} years": [
            min(game.active for game in games),
            round(fmean(game.active for game in games), 1),
        ],
        "points %": {seat: points(seat) for seat in seats},
        "wins": {
            seat: sum(game.decided and game.points.get(seat, 0) > 0 for game in games) for seat in seats
        },
    }


@app.command()
def measure(
    kind: Kind,
    games: tournament.Games = 10,
    seats: tournament.Seats = "intermediate",
    rotate: tournament.Rotate = False,
    years: tournament.Years = 25,
    option: GameOptions = None,
    danger: Danger = None,
    seed: Seed = "lively",
    first: First = 0,
    as_json: Json = False,
) -> None:
    """Play games of bots, and print how many are decided and how much happens in them."""
    game = game_kinds.find_kind(kind)
    options = read_file_options(game, dict(pair(value) for value in option or []))
    dangers = board_search.read_dangers(danger or [])
    request = FixtureRequest(seats, rotates=rotate, seed=seed, dangers=dangers or None)
    fixture = tournament.plan_games(game, options, years, request)
    played = [measure_game(fixture, number) for number in range(first, first + games)]
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in played]))
        return
    for name, value in summarise(played, fixture.seating.seats).items():
        typer.echo(f"{name}: {value}")


def main() -> None:
    """Run the command. Prints a Refusal and exits with 1."""
    try:
        app(prog_name="python -m tests.tools.liveliness")
    except Refusal as refusal:
        raise SystemExit(str(refusal)) from refusal


if __name__ == "__main__":
    main()
