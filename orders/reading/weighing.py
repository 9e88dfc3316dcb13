"""The record of what was weighed while a letter was read: the ways tried, the candidates, and why one won."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.record import Record
from orders.reading.forms import FormMatch
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import chat_in, is_courtesy
from orders.verdict import LineVerdict, Source

# Nothing is decided here: a reading is the same whether anybody keeps its scales or not.

READING_WAYS = {
    "_read_exact": "as it is spelt",
    "_read_remarked": "with a remark behind it",
    "_read_labelled": "behind a label",
    "_read_numbered": "as a numbered list",
    "_read_list": "as a list with commas",
    "_read_run_on": "as orders with nothing between them",
    "read_without_dash": "with a dash that was left out",
    "_read_mended": "with names and words mended",
    "_read_sentences": "as several sentences",
    "_read_doubtful": "without what stands around it",
}
"""The ways to read a span, in the order in which they are tried."""


class NearName(Record, frozen=True, kw_only=True):
    """A name near to what was typed: how many slips lie between, and how unlike it is, from 0 to 1."""

    name: str
    slips: int
    unlike: float


class ReadingCandidate(Record, frozen=True, kw_only=True):
    """One meaning of a span: its order, what was mended for it, the names nearest to that, its fate.

    fate: ``won``, ``as likely as another``, ``out of reach``.
    """

    order: str
    mended: tuple[str, ...] = ()
    nearest: tuple[tuple[NearName, ...], ...] = ()
    fate: str


class WeighedLine(Record, frozen=True, kw_only=True):
    """The reading of one line. tried: the ways up to the one that led to something; because: why that."""

    line: str
    source: Source
    taken_for: str
    tried: tuple[str, ...] = ()
    candidates: tuple[ReadingCandidate, ...] = ()
    because: str


@dataclass
class WeighingRecord:
    """Keeps what is weighed, line by line."""

    lines: list[WeighedLine] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    candidates: list[ReadingCandidate] = field(default_factory=list)

    def begin(self) -> None:
        """A line begins."""
        self.tried, self.candidates = [], []

    def way(self, name: str) -> None:
        """A way is tried."""
        if READING_WAYS[name] not in self.tried:
            self.tried.append(READING_WAYS[name])

    def meaning(self, order: str, match: FormMatch, names: NameIndex, fate: str) -> None:
        """A meaning was found, and this became of it."""
        named = [repair for repair in match.repairs if repair.term is not None]
        candidate = ReadingCandidate(
            order=order,
            mended=tuple(f"{repair.typed} as {repair.taken}" for repair in match.repairs),
            nearest=tuple(_nearest(repair.typed, names, repair.term.sort) for repair in named if repair.term),
            fate=fate,
        )
        if candidate not in self.candidates:
            self.candidates.append(candidate)

    def end(
        self,
        line: str,
        source: Source,
        verdicts: Sequence[LineVerdict],
        verb: str | None,
        governs: bool,
        named: Callable[[str], frozenset[str]],
    ) -> None:
        """Finish the line. verb: of its command; governs: others depend on it; named: the ids in a text."""
        if verb is not None:
            taken_for, why = "command", f"it is {verb}"
        elif verdicts:
            taken_for, why = "order", _explain_verdicts(verdicts, self.tried)
        elif governs:
            taken_for, why = "structure", "it says what the lines beside it hang on"
        elif not self.tried:
            taken_for, why = "heading", "it is a heading, a remark or an end"
        else:
            taken_for, why = "prose", _explain_prose(line, named)
        tried, candidates = tuple(self.tried), tuple(self.candidates)
        line_record = WeighedLine(
            line=line, source=source, taken_for=taken_for, tried=tried, candidates=candidates, because=why
        )
        self.lines.append(line_record)


def _nearest(typed: str, names: NameIndex, sort: str) -> tuple[NearName, ...]:
    near = names.nearest(typed, frozenset((sort,)))
    return tuple(NearName(name=name, slips=slips, unlike=round(unlike, 3)) for name, slips, unlike in near)


def _explain_verdicts(verdicts: Sequence[LineVerdict], tried: Sequence[str]) -> str:
    """Return why a line's verdicts are what they are."""
    won = next((verdict for verdict in verdicts if verdict.problem), None)
    if won is not None:
        return won.problem or ""
    return f"it is an order {tried[-1]}" if tried else "it is an order as it is spelt"


def _explain_prose(text: str, named: Callable[[str], frozenset[str]]) -> str:
    """Return why a text that is no order does not look like one either."""
    if is_courtesy(text):
        return "it says nothing but thanks, greetings or farewells"
    if talk_words := chat_in(text):
        return f"it has words of talk: {', '.join(talk_words)}"
    if not named(text):
        return "it names nothing of the game"
    return "too few of its words are names or words of orders"
