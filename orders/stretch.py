"""One stretch of text: the orders it holds, how sure that is, or why it is none."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.protocol import Order
from games.record import canonical
from orders.forms import Grammar, Match, Repair
from orders.lexicon import Names
from orders.looks import instead_of, is_chat, looks_like_order, unknown_name
from orders.verdict import Grade, Source, Verdict
from orders.words import split, tidy, unbulleted, words

_POLITE = re.compile(
    r"^(?:please|pls|hi|ok|okay|so|and|then|also)\b[\s,:-]*"
    r"|[\s,]+(?:please|pls|thanks|thank you|thx|cheers)[\s.!]*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:i|we|i'd like|i would like|i want|let|have|my|our|the|order|orders|ordering|to|will|move|unit|in"
    r"|at|from)\b\s*)+(?:is to\s+|that\s+)?",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s+(?:#|//).*$")
_ASIDE = re.compile(r"\s*\([^()]*\)[\s.!?]*$")
_AND = re.compile(r"[,;]|\s(?:and|und|et|y|&|\+)\s|(?<=[a-z0-9])\.\s+(?=[A-Z0-9])", re.IGNORECASE)
_TITLE = re.compile(r"^([^:]{1,40}):\s*(?=\S)")
_ENGLISH = {"i", "a"}


@dataclass(frozen=True)
class Reader:
    """Reads stretches by a game's forms and names. titles: what may stand before a colon, as keys."""

    grammar: Grammar
    names: Names
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: frozenset[tuple[str, ...]]
    seen: dict[str, list[Match]] = field(default_factory=dict)

    def is_exact(self, text: str) -> bool:
        """Whether the whole text is an order as it is spelt."""
        return any(self._exact(one) for one in self._manners(text))

    def is_unfinished(self, text: str) -> bool:
        """Whether the text is spelt like the beginning of an order."""
        return any(self.grammar.begins(words(one), self.names) for one in self._manners(text))

    def read(self, text: str, source: Source) -> list[Verdict]:
        """The verdicts on a line: one for each order in it; none for prose."""
        for attempt in (self._spelt, self._listed, self._mended, self._sentences, self._doubtful):
            verdicts = attempt(text, source)
            if verdicts:
                return verdicts
        return self._by_looks(text, source)

    def _manners(self, text: str) -> Iterator[str]:
        """The tidy text as it stands, then without comment, bullet, title and politeness."""
        text = tidy(text)
        yield text
        plain = _COMMENT.sub("", text)
        yield plain
        bare = unbulleted(plain)
        yield bare
        title = _TITLE.match(bare)
        if title and self._is_title(title[1]):
            bare = unbulleted(bare[title.end() :])
            yield bare
        yield _POLITE.sub("", _POLITE.sub("", bare))

    def _plainest(self, text: str) -> str:
        return tuple(self._manners(text))[-1]

    def _is_title(self, text: str) -> bool:
        return tuple(word.key for word in words(text)) in self.titles

    def _exact(self, text: str) -> list[Match]:
        if text not in self.seen:
            self.seen[text] = self.grammar.match(words(text), self.names)
        return self.seen[text]

    def _spelt(self, text: str, source: Source) -> list[Verdict]:
        for one in self._manners(text):
            found = self._exact(one)
            if found:
                return [self._judge(text, source, one, found)]
        return []

    def _listed(self, text: str, source: Source) -> list[Verdict]:
        return self._each(split(text), source)

    def _sentences(self, text: str, source: Source) -> list[Verdict]:
        return self._each(_pieces(text), source)

    def _each(self, pieces: Sequence[str], source: Source) -> list[Verdict]:
        """Several orders on one line: those that can be read, if all pieces are orders or look like them."""
        if len(pieces) < 2:
            return []
        verdicts = [
            self._spelt(one, source) or self._mended(one, source) or self._sentences(one, source)
            for one in pieces
        ]
        if not any(verdicts):
            return []
        rest = [one for one, some in zip(pieces, verdicts, strict=True) if not some]
        if all(looks_like_order(one, self.grammar, self.names) for one in rest):
            return [
                verdict
                for one, some in zip(pieces, verdicts, strict=True)
                for verdict in some or [self._unread(one, source)]
            ]
        if verdicts[0] or not any(is_chat(one) for one in rest):
            return [
                _as_doubt(verdict, "other words stand on the line") for some in verdicts for verdict in some
            ]
        return []

    def _mended(self, text: str, source: Source) -> list[Verdict]:
        for one in self._manners(text):
            found = [] if is_chat(one) else self.grammar.mend(words(one), one, self.names)
            if found:
                verdict = self._judge(text, source, one, found)
                hopeless = verdict.grade == "doubtful" and not looks_like_order(one, self.grammar, self.names)
                return [] if hopeless else [verdict]
        return []

    def _doubtful(self, text: str, source: Source) -> list[Verdict]:
        """An order with something around it that may change its meaning, or nothing."""
        bare = text.rstrip("?!. ")
        asked = (
            "it is written like a question" if "?" in text[len(bare) :] else "more stands there than an order"
        )
        for one in (bare, _ASIDE.sub("", text), _LEAD.sub("", bare), _LEAD.sub("", self._plainest(text))):
            found = self._exact(one) if one and one != text else []
            if found:
                verdict = self._judge(text, source, one, found)
                return [_as_doubt(verdict, asked)]
        return []

    def _by_looks(self, text: str, source: Source) -> list[Verdict]:
        return [self._unread(text, source)] if looks_like_order(text, self.grammar, self.names) else []

    def _unread(self, text: str, source: Source) -> Verdict:
        plain = self._plainest(text)
        foreign = _TITLE.match(plain)
        if foreign and self._exact(tidy(plain[foreign.end() :])):
            problem = f"it begins with {foreign[1]}, which is not your seat"
            return Verdict(
                line=text, source=source, grade="unread", problem=problem, instead=plain[foreign.end() :]
            )
        unknown = unknown_name(plain, self.grammar, self.names)
        problem = (
            f"no {unknown.sort} is called {unknown.typed}" if unknown else "it is not an order as it stands"
        )
        return Verdict(
            line=text,
            source=source,
            grade="unread",
            problem=problem,
            instead=instead_of(plain, self.grammar, self.names, self._said),
        )

    def _said(self, match: Match) -> str:
        return self.write(self.build(match.form.name, match.slots))

    def _judge(self, line: str, source: Source, read: str, found: Sequence[Match]) -> Verdict:
        """The verdict on the meanings of a stretch: one, or it is ambiguous."""
        meanings: dict[bytes, tuple[Order, Match]] = {}
        for match in found:
            order = self.build(match.form.name, match.slots)
            meanings.setdefault(canonical(order), (order, match))
        if len(meanings) > 1:
            return self._ambiguous(line, source, list(meanings.values()))
        order, match = next(iter(meanings.values()))
        grade, problem = _grade(match, read, self.names)
        said = self.write(order)
        return Verdict(
            line=line,
            source=source,
            grade=grade,
            order=order,
            said=said,
            problem=problem,
            instead=said if grade == "doubtful" else None,
        )

    def _ambiguous(self, line: str, source: Source, meanings: Sequence[tuple[Order, Match]]) -> Verdict:
        typed: dict[str, list[str]] = {}
        for _, match in meanings:
            for repair in match.repairs:
                names = typed.setdefault(repair.typed, [])
                if repair.taken not in names:
                    names.append(repair.taken)
        unclear = [f"{one} may be {_or(names)}" for one, names in typed.items() if len(names) > 1]
        candidates = tuple(dict.fromkeys(self.write(order) for order, _ in meanings))
        return Verdict(
            line=line,
            source=source,
            grade="ambiguous",
            problem="; ".join(unclear) or "it has more than one meaning",
            instead=candidates[0],
            candidates=candidates,
        )


def _or(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(piece.strip() for piece in _AND.split(text) if piece.strip())


def _as_doubt(verdict: Verdict, why: str) -> Verdict:
    if verdict.order is None:
        return verdict
    return Verdict(
        line=verdict.line,
        source=verdict.source,
        grade="doubtful",
        order=verdict.order,
        said=verdict.said,
        problem=why,
        instead=verdict.said,
    )


def _grade(match: Match, read: str, names: Names) -> tuple[Grade, str | None]:
    """How sure one meaning is, and what to tell of it."""
    if match.repairs:
        told = "; ".join(_told(repair) for repair in match.repairs)
        line = words(read)
        mended = sum(len(words(repair.typed)) for repair in match.repairs)
        sure = not any(repair.doubt for repair in match.repairs) and 2 * mended <= len(line) and len(line) > 1
        return ("corrected", told) if sure else ("doubtful", told)
    if _is_sentence(match, read, names):
        return "doubtful", f"{read.split()[0]} may be a word and not a name"
    return "taken", None


def _told(repair: Repair) -> str:
    if repair.term is None:
        return f"{repair.typed} was read as {repair.taken}"
    return f"no {repair.term.sort} is called {repair.typed}; {repair.taken} was taken"


def _is_sentence(match: Match, read: str, names: Names) -> bool:
    """Whether it begins like a sentence: a pronoun or article that is also a name, then a whole word."""
    line = words(read)
    if len(line) < 2 or line[0].key not in _ENGLISH or len(line[1].key) < 4:
        return False
    lone = {term.id for end, terms in names.at(line, 0) if end == 1 for term in terms}
    return next(iter(match.slots.values()), None) in lone
