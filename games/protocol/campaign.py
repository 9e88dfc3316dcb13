"""What the record of a person counts in a game for one: its cases, what is counted, what bots got."""

from collections.abc import Callable, Mapping
from typing import Generic, Literal, TypeVar

from games.protocol.values import Options, OptionValue, Seat
from games.record import Record, Value

S_contra = TypeVar("S_contra", contravariant=True)

End = Literal["won", "drawn", "lost"]
"""How a game ended for a seat."""

_WORTH: dict[End, int] = {"lost": 0, "drawn": 1, "won": 2}


class Got(Record, frozen=True, kw_only=True):
    """What a seat got in one game: how it ended, and what was counted then."""

    end: End
    count: int


class BotResults(Record, frozen=True, kw_only=True):
    """What bots got in games that they played alone, as a file in a game's data has it.

    bot: its level; games: so many of each case; seed: what their dice are drawn from; cases: by name, then by
    how games ended, how many came to which count.
    """

    bot: str
    games: int
    seed: str
    cases: dict[str, dict[End, dict[str, int]]]


class Case(Value, frozen=True):
    """What a record keeps apart: a scenario and a side, a level.

    options: those that make it what it is; name: as a heading has it; thing: what is counted, in the plural;
    parts: of so many is a whole one made; quick: who wins wants few of it, and who loses many.
    """

    name: str
    seat: Seat
    options: Mapping[str, OptionValue]
    thing: str
    parts: int = 1
    quick: bool = False

    def rank(self, got: Got) -> tuple[int, int]:
        """What is the better, the higher: whether it was won, then what was counted."""
        fewer = self.quick and got.end == "won"
        return _WORTH[got.end], -got.count if fewer else got.count

    def best(self, *results: Got) -> Got:
        """The best of some results, the first of those that are level."""
        return max(results, key=self.rank)


class Campaign(Value, Generic[S_contra], frozen=True):
    """A game for one person, as his record counts it.

    cases: all that bots play for comparison; count: of a state that a game ended in, what a seat of a case
    got; apart: options that make a game another one, which no bot's game is compared with.
    results: what bots got; it raises Invalid where their file is none.
    """

    cases: tuple[Case, ...]
    count: Callable[[S_contra, Case], int]
    results: Callable[[], BotResults]
    apart: tuple[str, ...] = ()

    def case(self, options: Options, seat: Seat) -> Case | None:
        """The case of a game with these options, all of them settled; None where it is nobody's campaign."""
        for one in self.cases:
            if one.seat == seat and all(options.get(key) == value for key, value in one.options.items()):
                return one
        return None

    def set_apart(self, options: Options) -> tuple[str, ...]:
        """The options by which a game is another one than those that bots played."""
        return tuple(name for name in self.apart if options.get(name) not in (None, False, ""))
