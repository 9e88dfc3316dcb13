"""The campaign record of a solo game: its cases, what is counted, and the results of bots."""

from collections.abc import Callable, Mapping
from typing import Generic, Literal, TypeVar

from games.protocol.values import Options, OptionValue, Seat
from games.record import Record, Value

StateT_contra = TypeVar("StateT_contra", contravariant=True)

End = Literal["won", "drawn", "lost"]
"""How a game ended for a seat."""

_END_RANK: dict[End, int] = {"lost": 0, "drawn": 1, "won": 2}


class CaseResult(Record, frozen=True, kw_only=True):
    """The result of a seat in one game: how it ended, and the count at that moment."""

    end: End
    count: int


class BotResults(Record, frozen=True, kw_only=True):
    """The results of bots that played games alone, as a file in a game's data has them.

    bot: its level; games: so many of each case; seed: what their dice are drawn from; cases: by name, then
    by how games ended, how many came to which count.
    """

    bot: str
    games: int
    seed: str
    cases: dict[str, dict[End, dict[str, int]]]


class CampaignCase(Value, frozen=True):
    """One case that the campaign record keeps apart: a scenario with a side and a level.

    options: those that make it what it is; name: as a heading has it; thing: what is counted, in the
    plural; parts: of so many is a whole one made; quick: who wins wants few of it, and who loses many.
    """

    name: str
    seat: Seat
    options: Mapping[str, OptionValue]
    thing: str
    parts: int = 1
    quick: bool = False

    def rank(self, result: CaseResult) -> tuple[int, int]:
        """Return a sort key, higher for a better result: first whether it was won, then the count."""
        fewer = self.quick and result.end == "won"
        return _END_RANK[result.end], -result.count if fewer else result.count

    def best(self, *results: CaseResult) -> CaseResult:
        """Return the best of some results; of equal ones the first."""
        return max(results, key=self.rank)


class SoloCampaign(Value, Generic[StateT_contra], frozen=True):
    """A solo game, as a player's campaign record counts it.

    cases: all that bots play for comparison; count: of a state that a game ended in, what a seat of a case
    got; apart: options that make a game another one, which no bot's game is compared with.
    results: what bots got; it raises Invalid where their file is none.
    """

    cases: tuple[CampaignCase, ...]
    count: Callable[[StateT_contra, CampaignCase], int]
    results: Callable[[], BotResults]
    apart: tuple[str, ...] = ()

    def case(self, options: Options, seat: Seat) -> CampaignCase | None:
        """Return the case of a game with these settled options; None if no campaign has such a case."""
        for case in self.cases:
            if case.seat == seat and all(options.get(key) == value for key, value in case.options.items()):
                return case
        return None

    def set_apart(self, options: Options) -> tuple[str, ...]:
        """Return the options that make a game a different one from those that bots played."""
        return tuple(name for name in self.apart if options.get(name) not in (None, False, ""))
