"""What a tournament came to, in tables, for programs, and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from statistics import fmean
from typing import TYPE_CHECKING, Any

from adjudicator.arena.dangers import settled
from adjudicator.gm.output import counted, heading, say, table
from adjudicator.reports import chart

if TYPE_CHECKING:
    from adjudicator.arena.balance import Measure, Weighed
    from adjudicator.arena.dangers import Round
    from adjudicator.arena.intervals import Span
    from adjudicator.arena.tournament import Standing, Tournament
    from games.protocol import Game


_SHOWN = 8
"""At about so many moments the scores are printed."""


def show(game: Game, played: Tournament) -> None:
    """Print what came of the games: by player where there were several, by seat, and over time."""
    means, score = played.means(), played.score
    ended = ", ".join(f"{count} ended by {reason}" for reason, count in played.endings().items())
    say("", f"{counted(len(played.games), 'game')} of {game.about.title}: {ended}.")
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
    for name, count in (("nobody", played.draws()), ("undecided", played.undecided())):
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


def drawn(game: Game, played: Tournament) -> str:
    """The mean scores over time as SVG: of the players where there were several, else of the seats."""
    score = played.score
    note = f"{score.thing} on average, {counted(len(played.games), 'game')} of bots"
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
                "game": one.number + 1,
                "winners": list(one.result.winners),
                "reason": one.result.reason,
                "turns": one.turns,
                played.score.time: one.end,
                "players": dict(one.players),
                "scores": dict(one.scores[one.end]),
            }
            for one in played.games
        ],
        "players": {one.name: _plain(one) for one in played.by_player()},
        "seats": {one.name: _plain(one) for one in played.by_seat()},
        "wins": dict(played.wins()),
        "draws": played.draws(),
        "undecided": played.undecided(),
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


def show_bewared(played: Sequence[Round]) -> None:
    """Print what rounds of games made of each seat: the mean of the later half, and what was won in that."""
    found = settled(played)
    games = [game for one in played[len(played) // 2 :] for game in one.games]
    heading(
        f"How dangerous each seat is reckoned, in steps, and what it got of {counted(len(games), 'game')}"
    )
    rows = [
        (
            seat,
            f"{danger:+.2f}",
            f"{played[-1].dangers[seat]:+.2f}",
            sum(seat in game.result.winners for game in games),
            f"{100 * fmean(game.points(seat) for game in games):.1f}",
        )
        for seat, danger in found.items()
    ]
    table(("seat", "danger", "in the last round", "won", "points, %"), rows)


def bewared(played: Sequence[Round]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "dangers": {seat: round(danger, 3) for seat, danger in settled(played).items()},
        "rounds": [
            {
                "round": one.number + 1,
                "dangers": {seat: round(danger, 3) for seat, danger in one.dangers.items()},
                "shares": {seat: round(share, 4) for seat, share in one.shares.items()},
                "winners": [list(game.result.winners) for game in one.games],
            }
            for one in played
        ],
    }


def show_weighed(found: Sequence[Weighed], by: Measure) -> None:
    """Print what other boards come to, in the order given: each seat's share, in percent, and games won."""
    of = "points" if by == "points" else "squares of the last scores"
    heading(f"Shares of the {of}, the most even board first, and of the games that somebody won")
    seats = list(found[0].shares)
    rows = [
        (
            one.draft or "-",
            one.words,
            f"{100 * one.spread:.1f}",
            *(f"{100 * one.shares[seat].value:.1f}" for seat in seats),
            f"{100 * one.wins:.0f}",
            f"{min(one.kept.values()):.1f}",
            one.games,
        )
        for one in found
    ]
    table(("draft", "what is other", "apart", *seats, "won", "kept at least", "games"), rows)


def weighed(one: Weighed) -> dict[str, Any]:
    """The same of one board, for programs."""
    return {
        "draft": one.draft,
        "words": one.words,
        "games": one.games,
        "spread": one.spread,
        "noise": one.noise,
        "wins": one.wins,
        "kept": dict(one.kept),
        "cost": one.cost,
        "shares": {seat: _ends(span) for seat, span in one.shares.items()},
    }


def _standings(who: str, played: Tournament, found: Sequence[Standing]) -> None:
    columns = (who, "played", "won", "drawn", "wins, 95 %", "points, 95 %", f"{played.score.thing}, 95 %")
    rows = [
        (
            one.name,
            one.played,
            one.won,
            one.drawn,
            _percent(one.wins),
            _percent(one.points),
            _number(one.score),
        )
        for one in found
    ]
    table(columns, rows)


def _percent(span: Span) -> str:
    return f"{100 * span.value:.1f} % ({100 * span.low:.1f} to {100 * span.high:.1f})"


def _number(span: Span) -> str:
    if isinf(span.low):
        return f"{span.value:.2f}"
    return f"{span.value:.2f} ({span.low:.2f} to {span.high:.2f})"


def _plain(one: Standing) -> dict[str, Any]:
    return {
        "played": one.played,
        "won": one.won,
        "drawn": one.drawn,
        "wins": _ends(one.wins),
        "points": _ends(one.points),
        "score": _ends(one.score),
    }


def _ends(span: Span) -> list[float | None]:
    """The low end, the value, the high end; no ends where there are none to speak of."""
    return [None if isinf(value) else value for value in (span.low, span.value, span.high)]


def _moments(times: list[int]) -> list[int]:
    """Some of the moments, evenly spread, the first and the last among them."""
    step = max((len(times) - 1) / (_SHOWN - 1), 1)
    places = dict.fromkeys(round(number * step) for number in range(_SHOWN))
    return [times[place] for place in places if place < len(times)]
