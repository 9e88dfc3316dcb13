"""The habits of nations, by how well each model would have predicted their last orders.

Nothing is remembered: it is read off the last turns, which are public, each time anew. Where no turns are
known, or no model fits, every model is reckoned with as often as before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from games.dice import SealedDice
from games.diplomacy.bots.opponents import DumbBot
from games.diplomacy.bots.plan_cache import Sheet
from games.diplomacy.bots.sampling import Model, prior_shares
from games.diplomacy.events import Resolved
from games.diplomacy.model import Province, UnitOrder, View
from games.protocol import Seat
from games.protocol.optional import PastTurn
from games.record import canonical

HABIT_SEASONS = 4
"""So many movement seasons tell enough: who changes his ways is known for it after two years."""

_DUMBBOT_DRAWS = 6
"""So often a DumbBot is asked, since its dice decide much."""
_EXPECTED = 0.7
"""How sure a model may be of an order that it gives each time it is asked."""
_SURPRISE = 0.03
"""How likely an order is that it does not give."""
_STRANGER = 0.2
"""How likely any order is of somebody who plays like none of the models."""
_WEIGHT = 0.7
"""The orders of a season hang together: three of them tell about as much as two that stand alone."""
_DOUBT = 0.1
"""So much is left for all models as before, however well one of them fits."""
_MAX_DOUBT = 0.5
_MAX_FITS_KEPT = 500
"""So many fits are kept at most: enough for the games that one process has in hand."""


@dataclass(frozen=True)
class PastSeason:
    """A movement season that was played: the position before it, and what was ordered.

    name: no other season has it that is not the same in all of this.
    """

    view: View
    orders: Mapping[Seat, Sheet]
    name: bytes


@dataclass(frozen=True)
class Habit:
    """The way in which a nation seems to play. shares: the probability of each model, together one.

    doubt: how little is known; 1 where every model counts as it did before anything was seen.
    """

    shares: tuple[float, ...]
    doubt: float = 1.0

    @property
    def model(self) -> int | None:
        """As which of the models it seems to play; None where it is likelier to play like none of them."""
        return max(range(len(self.shares)), key=self.shares.__getitem__) if self.doubt < _MAX_DOUBT else None


Fits = dict[tuple[bytes, Seat], tuple[float, ...]]
"""By season and nation, how well each model fits: found once, since it hangs on nothing else."""


def past_seasons(past: Sequence[PastTurn]) -> tuple[PastSeason, ...]:
    """Return the last movement seasons of some turns. Units without orders tell nothing and are left out."""
    moves = [past_turn for past_turn in past if past_turn.turn.kind == "moves"][-HABIT_SEASONS:]
    results = []
    for past_turn in moves:
        orders = _orders(past_turn)
        name = canonical(past_turn.before) + canonical([list(sheet.values()) for sheet in orders.values()])
        results.append(PastSeason(past_turn.before, orders, name))
    return tuple(results)


def estimate_habits(
    models: Sequence[Model], past: Sequence[PastSeason], powers: Sequence[Seat], fits: Fits
) -> Mapping[Seat, Habit]:
    """Return how each of some powers seems to play.

    fits: of these models, those that are known; what is found is added.
    """
    usual, habit_by_power = prior_shares(models), {}
    for power in powers:
        seen = [_fit(models, season, power, fits) for season in past if power in season.orders]
        total_fit = [sum(fit) for fit in zip(*seen, strict=True)]
        habit_by_power[power] = _habit_from_fit(usual, total_fit) if seen else Habit(usual)
    return habit_by_power


def _habit_from_fit(usual: Sequence[float], fit: Sequence[float]) -> Habit:
    """Return the habit that a fit shows. fit: how much likelier than by a stranger, as logarithms."""
    likely = [share * exp(_WEIGHT * log_ratio) for share, log_ratio in zip(usual, fit, strict=True)]
    known = sum(likely)
    doubt = _DOUBT + (1 - _DOUBT) / (1 + known)
    mixed = (
        doubt * share + (1 - doubt) * likelihood / known
        for share, likelihood in zip(usual, likely, strict=True)
    )
    return Habit(tuple(mixed), doubt)


def _fit(models: Sequence[Model], season: PastSeason, power: Seat, fits: Fits) -> tuple[float, ...]:
    key = season.name, power
    if key not in fits:
        if len(fits) >= _MAX_FITS_KEPT:
            fits.clear()
        fits[key] = tuple(_log_likelihood_ratio(model, season, power) for model in models)
    return fits[key]


def _log_likelihood_ratio(model: Model, season: PastSeason, power: Seat) -> float:
    """Return how much likelier a model makes the orders of a season than a stranger, as a logarithm.

    Its dice are its own, so that a season tells the same whenever it is looked at.
    """
    planner = model.planner(season.view, power, SealedDice(b"habits", season.view.phase.short, 0))
    given = season.orders[power]
    draws = _DUMBBOT_DRAWS if isinstance(model.player, DumbBot) else 1
    sheets = [planner(draw) for draw in range(draws)]
    return sum(
        log((_SURPRISE + _EXPECTED * sum(sheet.get(at) == order for sheet in sheets) / draws) / _STRANGER)
        for at, order in given.items()
    )


def _orders(past: PastTurn) -> Mapping[Seat, Sheet]:
    sheets: dict[Seat, dict[Province, UnitOrder]] = {}
    for event in past.events:
        if isinstance(event, Resolved) and isinstance(event.order, UnitOrder):
            sheets.setdefault(event.power, {})[event.order.unit.at] = event.order
    return sheets
