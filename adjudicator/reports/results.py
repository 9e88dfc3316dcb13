"""The result of a game in a whole sentence: who won, or that nobody did, and why."""

from collections.abc import Callable, Mapping

from adjudicator.messages import sentence
from games.protocol import Game, GameResult, Seat, State

Counts = Mapping[Seat, int]
"""What each seat has of the thing that its game counts: supply centres, Battle Points."""


def result_counts(game: Game, state: State) -> Counts:
    """Return what each seat has at the end of a game, or nothing if the game counts nothing."""
    return dict(game.score.of(state)) if game.score else {}


def result_text(
    game: Game, result: GameResult, viewer: Seat | None = None, counts: Counts | None = None
) -> str:
    """Return the result as sentences: "The game is over. Dakota won: 24 supply centres."

    The rules of a game give the reason as a code, which the catalogue explains. A reason that players or the
    GM gave is used as it is. counts: from `result_counts`.
    """
    explain = _EXPLANATIONS.get(game.package.rpartition(".")[2])
    code = explain(result, counts or {}) if explain else ""
    why = (code or result.reason).strip().rstrip(".")
    if result.winners:
        names = sentence("reports.times.listed", names=[_name(seat, viewer) for seat in result.winners])
        return sentence("reports.results.won", winners=names[:1].upper() + names[1:], why=why)
    if result.reason == _OWN_TABLE_OVER:
        return sentence("reports.results.over", why=why)
    if code:
        return sentence("reports.results.drawn", why=why)
    if why.startswith(_AGREED_DRAW):
        return sentence("reports.results.ended_in", why=why)
    return sentence("reports.results.nobody", why=why)


_OWN_TABLE_OVER = "table-over"
"""The code of a game on the player's own table, of which we know no result."""
_AGREED_DRAW = "a draw"
"""The reason of a draw that the players agreed to begins so."""


def _name(seat: Seat, viewer: Seat | None) -> str:
    """Return a winner's name in a sentence. Sides of a two-sided game are "you" to their player."""
    name = sentence("reports.results.side", seat=seat)
    if not name:
        return str(seat)
    return sentence("reports.results.you") if seat == viewer else name


def _explain_diplomacy(result: GameResult, counts: Counts) -> str:
    most = max((counts.get(seat, 0) for seat in result.winners), default=0)
    return sentence("reports.results.diplomacy", code=result.reason, most=most)


def _explain_great_war(result: GameResult, counts: Counts) -> str:
    most, least = _extremes(counts)
    return sentence("reports.results.great_war", code=result.reason, most=most, least=least)


def _explain_plains(result: GameResult, counts: Counts) -> str:
    most, least = _extremes(counts)
    return sentence("reports.results.plains_indian_wars", code=result.reason, most=most, least=least)


def _explain_boer_war(result: GameResult, _counts: Counts) -> str:
    return sentence("reports.results.boer_war", code=result.reason)


def _explain_war_chest(result: GameResult, _counts: Counts) -> str:
    return sentence("reports.results.war_chest", code=result.reason)


def _extremes(counts: Counts) -> tuple[int, int]:
    return max(counts.values(), default=0), min(counts.values(), default=0)


_EXPLANATIONS: Mapping[str, Callable[[GameResult, Counts], str]] = {
    "diplomacy": _explain_diplomacy,
    "great_war": _explain_great_war,
    "plains_indian_wars": _explain_plains,
    "boer_war": _explain_boer_war,
    "war_chest": _explain_war_chest,
}
"""By the package of a game, what explains its codes; "" for a reason that is none of them."""
