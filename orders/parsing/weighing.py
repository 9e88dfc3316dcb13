"""What was weighed while a letter was read: the ways tried, the candidates, and why one won."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.record import Record
from orders.parsing.forms import Match
from orders.parsing.lexicon import Names
from orders.parsing.near_misses import chat_in, is_courtesy
from orders.verdict import Source, Verdict

# Nothing is decided here: a reading is the same whether anybody keeps its scales or not.

WAYS = {
    "_spelt": "as it is spelt",
    "_remarked": "with a remark behind it",
    "_labelled": "behind a label",
    "_numbered": "as a numbered list",
    "_listed": "as a list with commas",
    "_run_on": "as orders with nothing between them",
    "unmarked": "with a dash that was left out",
    "_mended": "with names and words mended",
    "_sentences": "as several sentences",
    "_doubtful": "without what stands around it",
}
"""The ways to read a span, in the order in which they are tried."""


class Rival(Record, frozen=True, kw_only=True):
    """A name near to what was typed: how many slips lie between, and how unlike it is, from 0 to 1."""

    name: str
    slips: int
    unlike: float


class Candidate(Record, frozen=True, kw_only=True):
    """One meaning of a span: its order, what was mended for it, the names nearest to that, its fate.

    fate: ``won``, ``as likely as another``, ``out of reach``.
    """

    order: str
    mended: tuple[str, ...] = ()
    nearest: tuple[tuple[Rival, ...], ...] = ()
    fate: str


class Weighed(Record, frozen=True, kw_only=True):
    """What became of one line. tried: the ways up to the one that led to something; because: why that."""

    line: str
    source: Source
    taken_for: str
    tried: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    because: str


@dataclass
class Scales:
    """Keeps what is weighed, line by line."""

    lines: list[Weighed] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)

    def begin(self) -> None:
        """A line begins."""
        self.tried, self.candidates = [], []

    def way(self, name: str) -> None:
        """A way is tried."""
        if WAYS[name] not in self.tried:
            self.tried.append(WAYS[name])

    def meaning(self, order: str, match: Match, names: Names, fate: str) -> None:
        """A meaning was found, and this became of it."""
        named = [one for one in match.repairs if one.term is not None]
        one = Candidate(
            order=order,
            mended=tuple(f"{one.typed} as {one.taken}" for one in match.repairs),
            nearest=tuple(_nearest(repair.typed, names, repair.term.sort) for repair in named if repair.term),
            fate=fate,
        )
        if one not in self.candidates:
            self.candidates.append(one)

    def end(
        self,
        line: str,
        source: Source,
        verdicts: Sequence[Verdict],
        verb: str | None,
        governs: bool,
        named: Callable[[str], frozenset[str]],
    ) -> None:
        """The line is done. verb: of its command; governs: others hang on it; named: the ids in a text."""
        if verb is not None:
            taken_for, why = "command", f"it is {verb}"
        elif verdicts:
            taken_for, why = "order", _because(verdicts, self.tried)
        elif governs:
            taken_for, why = "structure", "it says what the lines beside it hang on"
        elif not self.tried:
            taken_for, why = "heading", "it is a heading, a remark or an end"
        else:
            taken_for, why = "prose", _why_prose(line, named)
        tried, candidates = tuple(self.tried), tuple(self.candidates)
        one = Weighed(
            line=line, source=source, taken_for=taken_for, tried=tried, candidates=candidates, because=why
        )
        self.lines.append(one)


def _nearest(typed: str, names: Names, sort: str) -> tuple[Rival, ...]:
    near = names.nearest(typed, frozenset((sort,)))
    return tuple(Rival(name=name, slips=slips, unlike=round(unlike, 3)) for name, slips, unlike in near)


def _because(verdicts: Sequence[Verdict], tried: Sequence[str]) -> str:
    """Why a line's verdicts are what they are."""
    won = next((one for one in verdicts if one.problem), None)
    if won is not None:
        return won.problem or ""
    return f"it is an order {tried[-1]}" if tried else "it is an order as it is spelt"


def _why_prose(text: str, named: Callable[[str], frozenset[str]]) -> str:
    """Why a text that is no order does not look like one either."""
    if is_courtesy(text):
        return "it says nothing but thanks, greetings or farewells"
    if said := chat_in(text):
        return f"it has words of talk: {', '.join(said)}"
    if not named(text):
        return "it names nothing of the game"
    return "too few of its words are names or words of orders"
