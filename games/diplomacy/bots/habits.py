"""How each nation seems to play: by how well each model would have told its last orders.

Nothing is remembered: it is read off the last turns, which are public, each time anew. Where no turns are
known, or no model fits, every model is reckoned with as often as before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from games.dice import SealedDice
from games.diplomacy.bots.dumbbot import DumbBot
from games.diplomacy.bots.foreseen import Sheet
from games.diplomacy.bots.sampling import Model, shares
from games.diplomacy.events import Resolved
from games.diplomacy.model import Province, UnitOrder, View
from games.protocol import Seat
from games.protocol.optional import Past
from games.record import canonical

SEASONS = 4
"""So many movement seasons tell enough: who changes his ways is known for it after two years."""

_DRAWS = 6
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
_HALF = 0.5
_KEPT = 500
"""So many fits are kept at most: enough for the games that one process has in hand."""


@dataclass(frozen=True)
class Season:
    """A movement season that was played: the position before it, and what was ordered.

    name: no other season has it that is not the same in all of this.
    """

    view: View
    orders: Mapping[Seat, Sheet]
    name: bytes


@dataclass(frozen=True)
class Habit:
    """How a nation seems to play. shares: how much each model is reckoned with, together one.

    doubt: how little is known; 1 where every model counts as it did before anything was seen.
    """

    shares: tuple[float, ...]
    doubt: float = 1.0

    @property
    def model(self) -> int | None:
        """As which of the models it seems to play; None where it is likelier to play like none of them."""
        return max(range(len(self.shares)), key=self.shares.__getitem__) if self.doubt < _HALF else None


Fits = dict[tuple[bytes, Seat], tuple[float, ...]]
"""By season and nation, how well each model fits: found once, since it hangs on nothing else."""


def seasons(past: Sequence[Past]) -> tuple[Season, ...]:
    """The last movement seasons of some turns. Units without an order are left out: that tells nothing."""
    moves = [one for one in past if one.turn.kind == "moves"][-SEASONS:]
    found = []
    for one in moves:
        orders = _orders(one)
        name = canonical(one.before) + canonical([list(sheet.values()) for sheet in orders.values()])
        found.append(Season(one.before, orders, name))
    return tuple(found)


def habits(
    models: Sequence[Model], past: Sequence[Season], powers: Sequence[Seat], fits: Fits
) -> Mapping[Seat, Habit]:
    """How each of some powers seems to play.

    fits: of these models, those that are known; what is found is added.
    """
    usual, found = shares(models), {}
    for power in powers:
        seen = [_fit(models, season, power, fits) for season in past if power in season.orders]
        told = [sum(fit) for fit in zip(*seen, strict=True)]
        found[power] = _weighed(usual, told) if seen else Habit(usual)
    return found


def _weighed(usual: Sequence[float], fit: Sequence[float]) -> Habit:
    """What is made of what was seen. fit: how much likelier that was than by a stranger, as logarithms."""
    likely = [share * exp(_WEIGHT * one) for share, one in zip(usual, fit, strict=True)]
    known = sum(likely)
    doubt = _DOUBT + (1 - _DOUBT) / (1 + known)
    mixed = (doubt * share + (1 - doubt) * one / known for share, one in zip(usual, likely, strict=True))
    return Habit(tuple(mixed), doubt)


def _fit(models: Sequence[Model], season: Season, power: Seat, fits: Fits) -> tuple[float, ...]:
    key = season.name, power
    if key not in fits:
        if len(fits) >= _KEPT:
            fits.clear()
        fits[key] = tuple(_told(model, season, power) for model in models)
    return fits[key]


def _told(model: Model, season: Season, power: Seat) -> float:
    """How much likelier a model makes the orders of a season than a stranger, as a logarithm.

    Its dice are its own, so that a season tells the same whenever it is looked at.
    """
    planner = model.planner(season.view, power, SealedDice(b"habits", season.view.phase.short, 0))
    given = season.orders[power]
    draws = _DRAWS if isinstance(model.player, DumbBot) else 1
    sheets = [planner(draw) for draw in range(draws)]
    return sum(
        log((_SURPRISE + _EXPECTED * sum(sheet.get(at) == order for sheet in sheets) / draws) / _STRANGER)
        for at, order in given.items()
    )


def _orders(past: Past) -> Mapping[Seat, Sheet]:
    found: dict[Seat, dict[Province, UnitOrder]] = {}
    for event in past.events:
        if isinstance(event, Resolved) and isinstance(event.order, UnitOrder):
            found.setdefault(event.power, {})[event.order.unit.at] = event.order
    return found
