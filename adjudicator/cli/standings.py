"""The results of a tournament, in tables, for programs, and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from statistics import fmean
from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import heading, pluralise, say, table
from adjudicator.reports import chart
from adjudicator.tournament.dangers import mean_dangers

if TYPE_CHECKING:
    from adjudicator.tournament.balance import DraftResult, Measure
    from adjudicator.tournament.dangers import TuningRound
    from adjudicator.tournament.intervals import Interval
    from adjudicator.tournament.tournament import Tournament, TournamentStanding
    from games.protocol import Game


_MOMENTS_PRINTED = 8
"""At about so many moments the scores are printed."""


def show(game: Game, played: Tournament) -> None:
    """Print what came of the games: by player where there were several, by seat, and over time."""
    means, score = played.means(), played.score
    ended = ", ".join(f"{count} ended by {reason}" for reason, count in played.endings().items())
    say("", f"{pluralise(len(played.games), 'game')} of {game.about.title}: {ended}.")
    say(f"On average a game lasted {played.length():.1f} {score.time}s.")
    if len(played.players) > 1:
        heading("By player, for each seat in each game")
        _standings("player", played, played.by_player())
    heading("By seat")
    _standings("seat", played, played.by_seat())
    times = _moments(list(means))
    heading(f"Games won, and {score.thing} on average after {score.time} ...")
    rows: list[tuple[object, ...]] = [
        (seat, wins, *(f"{means[time][seat]:.1f}" for time in times)) for seat, wins in played.wins().items()
    ]
    for name, count in (("nobody", played.draws()), ("undecided", played.count_undecided())):
        if count:
            rows.append((name, count, *("" for _ in times)))
    table(("seat", "won", *map(str, times)), rows)
    heading(f"How {score.thing} lay at the end")
    spread = [(seat, *(f"{value:.1f}" for value in played.spread()[seat])) for seat in played.wins()]
    table(("seat", "least", "a quarter below", "half below", "a quarter above", "most"), spread)


def show_orders(played: Tournament) -> None:
    """Print how often each kind of order was given, by seat and over time."""
    times, score = _moments(list(played.means())), played.score
    heading(f"Orders of each kind in a game that lasted so long, by {score.time}")
    rows = [
        (seat, kind, *(f"{counts[time]:.1f}" for time in times))
        for seat, kinds in played.orders().items()
        for kind, counts in kinds.items()
    ]
    table(("seat", "order", *map(str, times)), rows)


def scores_chart(game: Game, played: Tournament) -> str:
    """Return the mean scores over time as SVG: of the players if there are several, else of the seats."""
    score = played.score
    note = f"{score.thing} on average, {pluralise(len(played.games), 'game')} of bots"
    if len(played.players) > 1:
        of_players = played.means_of_players()
        series = {name: [(time, of_players[time][name]) for time in of_players] for name in played.players}
        note += ", each seat of a player"
    else:
        of_seats = played.means()
        series = {str(seat): [(time, of_seats[time][seat]) for time in of_seats] for seat in played.sides}
    return chart.line_chart(game.about.title, note, score.time, score.thing, series)


def sight(played: Tournament) -> dict[str, Any]:
    """The same for programs."""
    return {
        "games": [
            {
                "game": game.number + 1,
                "winners": list(game.result.winners),
                "reason": game.result.reason,
                "turns": game.turns,
                played.score.time: game.end,
                "players": dict(game.players),
                "scores": dict(game.scores[game.end]),
            }
            for game in played.games
        ],
        "players": {standing.name: _plain(standing) for standing in played.by_player()},
        "seats": {standing.name: _plain(standing) for standing in played.by_seat()},
        "wins": dict(played.wins()),
        "draws": played.draws(),
        "undecided": played.count_undecided(),
        "endings": dict(played.endings()),
        "score": played.score.thing,
        "spread": {seat: list(values) for seat, values in played.spread().items()},
        "orders": {
            seat: {
                kind: {str(time): round(count, 3) for time, count in counts.items()}
                for kind, counts in kinds.items()
            }
            for seat, kinds in played.orders().items()
        },
        "means": {str(time): dict(scores) for time, scores in played.means().items()},
    }


def show_dangers(played: Sequence[TuningRound]) -> None:
    """Print what rounds of games made of each seat: the mean of the later half, and what was won in that."""
    dangers = mean_dangers(played)
    games = [game for tuning_round in played[len(played) // 2 :] for game in tuning_round.games]
    heading(
        f"How dangerous each seat is reckoned, in steps, and what it got of {pluralise(len(games), 'game')}"
    )
    rows = [
        (
            seat,
            f"{danger:+.2f}",
            f"{played[-1].dangers[seat]:+.2f}",
            sum(seat in game.result.winners for game in games),
            f"{100 * fmean(game.points(seat) for game in games):.1f}",
        )
        for seat, danger in dangers.items()
    ]
    table(("seat", "danger", "in the last round", "won", "points, %"), rows)


def dangers_data(played: Sequence[TuningRound]) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "dangers": {seat: round(danger, 3) for seat, danger in mean_dangers(played).items()},
        "rounds": [
            {
                "round": tuning_round.number + 1,
                "dangers": {seat: round(danger, 3) for seat, danger in tuning_round.dangers.items()},
                "shares": {seat: round(share, 4) for seat, share in tuning_round.shares.items()},
                "winners": [list(game.result.winners) for game in tuning_round.games],
            }
            for tuning_round in played
        ],
    }


def show_drafts(results: Sequence[DraftResult], by: Measure) -> None:
    """Print what other boards come to, in the order given: each seat's share, in percent, and games won."""
    of = "points" if by == "points" else "squares of the last scores"
    heading(f"Shares of the {of}, the most even board first, and of the games that somebody won")
    seats = list(results[0].shares)
    rows = [
        (
            result.draft or "-",
            result.words,
            f"{100 * result.spread:.1f}",
            *(f"{100 * result.shares[seat].value:.1f}" for seat in seats),
            f"{100 * result.wins:.0f}",
            f"{min(result.kept.values()):.1f}",
            result.games,
        )
        for result in results
    ]
    table(("draft", "what is other", "apart", *seats, "won", "kept at least", "games"), rows)


def draft_data(result: DraftResult) -> dict[str, Any]:
    """Return the same of one board, for programs."""
    return {
        "draft": result.draft,
        "words": result.words,
        "games": result.games,
        "spread": result.spread,
        "noise": result.noise,
        "wins": result.wins,
        "kept": dict(result.kept),
        "cost": result.cost,
        "shares": {seat: _ends(span) for seat, span in result.shares.items()},
    }


def _standings(who: str, played: Tournament, standings: Sequence[TournamentStanding]) -> None:
    columns = (who, "played", "won", "drawn", "wins, 95 %", "points, 95 %", f"{played.score.thing}, 95 %")
    rows = [
        (
            standing.name,
            standing.played,
            standing.won,
            standing.drawn,
            _percent(standing.wins),
            _percent(standing.points),
            _number(standing.score),
        )
        for standing in standings
    ]
    table(columns, rows)


def _percent(span: Interval) -> str:
    return f"{100 * span.value:.1f} % ({100 * span.low:.1f} to {100 * span.high:.1f})"


def _number(span: Interval) -> str:
    if isinf(span.low):
        return f"{span.value:.2f}"
    return f"{span.value:.2f} ({span.low:.2f} to {span.high:.2f})"


def _plain(standing: TournamentStanding) -> dict[str, Any]:
    return {
        "played": standing.played,
        "won": standing.won,
        "drawn": standing.drawn,
        "wins": _ends(standing.wins),
        "points": _ends(standing.points),
        "score": _ends(standing.score),
    }


def _ends(span: Interval) -> list[float | None]:
    """The low end, the value, the high end; no ends where there are none to speak of."""
    return [None if isinf(value) else value for value in (span.low, span.value, span.high)]


def _moments(times: list[int]) -> list[int]:
    """Some of the moments, evenly spread, the first and the last among them."""
    step = max((len(times) - 1) / (_MOMENTS_PRINTED - 1), 1)
    places = dict.fromkeys(round(number * step) for number in range(_MOMENTS_PRINTED))
    return [times[place] for place in places if place < len(times)]
