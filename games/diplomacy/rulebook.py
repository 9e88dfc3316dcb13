"""What a variant decides for itself: its year, and every ruling by name."""

from typing import Any, Literal

from games.diplomacy.model import Kind, Phase, Season
from games.protocol import Invalid, Turn
from games.record import Malformed, Record, revive

SEASONS: dict[str, str] = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}

KINDS: dict[str, str] = {"M": "moves", "R": "retreats", "A": "builds"}
"""What a phase asks for: it names the turn, and its deadline."""


class Step(Record, frozen=True, kw_only=True):
    """One phase of the year, and what happens when it closes.

    captures: centres go to whoever stands on them; ends_year: victory is looked for, and a new year begins.
    """

    season: Season
    kind: Literal["M", "R", "A"]
    captures: bool = False
    ends_year: bool = False


class Rulebook(Record, frozen=True, kw_only=True):
    """The year of a variant, where it comes from, and its rulings.

    source: where the rules were published; aliases: other names of the kind.
    turn_name: a pattern with {season}, {year}, {kind}; builds_of: the kinds that may be built.
    builds_in: "starting": a power builds in the centres it started with (N5); "owned": in any it owns.
    twice: which valid order stands when a unit got two (V7).
    why: for each ruling, by its name here, the reason in a sentence.
    """

    source: str
    aliases: tuple[str, ...] = ()
    turn_name: str
    year: tuple[Step, ...]
    builds_of: tuple[Kind, ...]
    builds_in: Literal["starting", "owned"] = "starting"
    twice: Literal["last", "first"] = "last"
    why: dict[str, str] = {}

    def step(self, phase: Phase) -> Step:
        """The step of the year that a phase is. Raises KeyError for a phase that this year does not have."""
        for step in self.year:
            if (step.season, step.kind) == (phase.season, phase.kind):
                return step
        raise KeyError(phase.short)

    def opening(self, year: int) -> Phase:
        """The first phase of a year."""
        first = self.year[0]
        return Phase(season=first.season, year=year, kind=first.kind)

    def following(self, phase: Phase) -> Phase:
        """The phase after another one."""
        step = self.step(phase)
        if step.ends_year:
            return self.opening(phase.year + 1)
        after = self.year[self.year.index(step) + 1]
        return Phase(season=after.season, year=phase.year, kind=after.kind)

    def turn(self, phase: Phase) -> Turn:
        """What a phase is called: "Spring, year 1, moves"."""
        words = {"season": SEASONS[phase.season], "year": phase.year, "kind": KINDS[phase.kind]}
        return Turn(name=self.turn_name.format(**words), short=phase.short, kind=KINDS[phase.kind])


def read_rulebook(raw: Any) -> Rulebook:
    """The rulebook of a rulebook.toml's plain value. Raises Invalid that names the entry at fault."""
    try:
        book: Rulebook = revive(Rulebook, raw)
    except Malformed as fault:
        raise Invalid("rulebook.toml", str(fault)) from fault
    ends = [step.ends_year for step in book.year]
    if not ends or not ends[-1] or any(ends[:-1]):
        raise Invalid("rulebook.toml: year", "the last phase ends the year, and no other does")
    if len({(step.season, step.kind) for step in book.year}) < len(book.year):
        raise Invalid("rulebook.toml: year", "a phase stands there twice")
    for name in book.why:
        if name not in Rulebook.__struct_fields__:
            raise Invalid(f"rulebook.toml: why: {name}", "there is no such ruling")
    return book
