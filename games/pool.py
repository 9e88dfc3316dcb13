"""The pool of GO! and STOP: whether a side has another action in its round.

A side begins a turn with eleven counters: four of one action, four of two, three of three. A round is played
action by action. After the first and the second a marker is drawn from a pool that mirrors the open counters.
When the round is over, the counter with its number of actions is flipped. After eleven rounds all are
flipped, so the number of rounds of each length is certain, but not their order.

Source: The Second Boer War, solitaire rules, steps 1 to 3 and commentary.
"""

from typing import Literal

from games.dice import Dice
from games.protocol import Invalid
from games.record import Record, replace_fields

PoolReading = Literal["unflipped_2", "stop_left_in_cup"]
"""The number of STOPs after the second action: one for each open counter of two actions, as the rule says, or
those left from the first draw, as in the sheet's second example."""

MAX_ACTIONS_PER_ROUND = 3
"""The most actions of a round."""


class RoundCounters(Record, frozen=True, kw_only=True):
    """The open counters: of rounds with one, two and three actions."""

    ones: int = 4
    twos: int = 4
    threes: int = 3

    @property
    def rounds(self) -> int:
        """The number of rounds that are left in the turn."""
        return self.ones + self.twos + self.threes

    def with_round_finished(self, actions: int) -> "RoundCounters":
        """Return the counters after a round. Raises Invalid if no counter with that number is open."""
        name = ("ones", "twos", "threes")[actions - 1]
        remaining = int(getattr(self, name))
        if not remaining:
            raise Invalid(f"a round of {actions}", "no counter of that number is open")
        return replace_fields(self, **{name: remaining - 1})


class DrawPool(Record, frozen=True, kw_only=True):
    """The markers that a draw is made from. verdict: the certain result, None if a marker is drawn."""

    go: int
    stop: int
    verdict: Literal["GO!", "STOP"] | None = None

    @property
    def chance(self) -> tuple[int, int]:
        """The chance of a further action, as a numerator and a denominator."""
        if self.verdict is not None:
            return int(self.verdict == "GO!"), 1
        return self.go, self.go + self.stop


def pool(counters: RoundCounters, done: int, reading: PoolReading = "unflipped_2") -> DrawPool:
    """Return the pool after this many actions of a round. done: 1 or 2.

    A pool of one kind needs no draw. An empty one after the first action means that only rounds of three are
    left; after the second, that none is.

    Source: The Second Boer War, solitaire rules, step 2 and commentary; the empty pool follows from them.
    """
    if done == 1:
        go, stop = counters.twos, counters.ones
        if not go and not stop:
            return DrawPool(go=0, stop=0, verdict="GO!")
    else:
        go = counters.threes
        stop = counters.ones if reading == "stop_left_in_cup" else counters.twos
    if not go:
        return DrawPool(go=0, stop=stop, verdict="STOP")
    return DrawPool(go=go, stop=stop, verdict=None if stop else "GO!")


def goes_on(dice: Dice, label: str, drawn_from: DrawPool) -> bool:
    """Draw from a pool and return whether there is another action. A certain verdict rolls nothing.

    Source: The Second Boer War, solitaire rules, step 3.
    """
    if drawn_from.verdict is not None:
        return drawn_from.verdict == "GO!"
    return dice.roll(label, drawn_from.go + drawn_from.stop) <= drawn_from.go


def actions(dice: Dice, label: str, counters: RoundCounters, reading: PoolReading = "unflipped_2") -> int:
    """Return the number of actions of a whole round, 1 to 3, if they aren't needed one by one.

    Each draw has its own label, ``label/1`` and ``label/2``. Raises Invalid when no round is left.
    """
    if not counters.rounds:
        raise Invalid("the turn", "all its rounds have been played")
    done = 1
    while done < MAX_ACTIONS_PER_ROUND and goes_on(dice, f"{label}/{done}", pool(counters, done, reading)):
        done += 1
    return done
