"""One stretch of text: the orders it holds, how sure that is, or why it is none."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.protocol import Order
from games.record import canonical
from orders import rest
from orders.forms import Grammar, Match
from orders.grading import grade_of, unclear
from orders.lexicon import Names
from orders.looks import instead_of, is_chat, is_courtesy, looks_like_order, past_lead, unknown_name
from orders.verdict import IN_FORCE, Source, Verdict
from orders.words import DASH, fold, split, tidy, unbulleted, words

LONGEST_LINE, MOST_PIECES = 3_000, 60
"""A longer line, or one with more pieces, is no list of orders."""

PATIENCE = 150
"""So many stretches of one letter are tried otherwise than as they are spelt; the rest are read as spelt."""

_POLITE = re.compile(
    r"^(?:please|pls|hi|ok|okay|and)\b[\s,:-]*"
    r"|[\s,]+(?:please|pls|thanks|thank you|thx|cheers)[\s.!]*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:i'd like|i would like|i want|i'll|i|let's|lets|let|then|so|also|we|have|my|our|the|no|actually"
    r"|orders|order|ordering|to|will|should|moves|move|is|unit|in|at|from|do|make it|change it to|correction"
    r"|scratch that|sorry|instead|rather)\b[\s,:]*)+(?:is to\s+|that\s+)?",
    re.IGNORECASE,
)
_FEWEST, _LONGEST_ORDER, _LONGEST_RUN = 2, 12, 60
"""Words and signs of an order among others with nothing between them, and of all of them together."""

_COMMENT = re.compile(r"\s+(?:#|//).*$")
_FEWEST_BEGUN = 3
_HEDGE = re.compile(r"^(?:probably|likely|tentatively|provisionally)\b[\s,:]*", re.I)
_BRACKET = re.compile(r"[()]")
_SHORTEST_OWN = 3
_ASIDE = re.compile(r"\s*\([^()]*\)[\s.!?]*$")
_AND = re.compile(
    r"[,;]|\s(?:and|und|et|y|but|except|except for|while|&|\+|/|\|)\s|(?<=[a-z0-9])\.\s+(?=[A-Z0-9])"
    r"|\s(?=\(?[a-h]\)\s)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^([^:]{1,40}):\s*(?=\S)")
_GLUED = re.compile(r"\b([A-Za-z])(?=\d)")


@dataclass(frozen=True)
class Reader:
    """Reads stretches by a game's forms and names.

    titles: what may stand before a colon, as keys; doubt: why a form with these places may not be what was
    meant; fitted: an order with what its text tells beyond its form, and what is wrong in the text; rests:
    whether "all hold" is an order here; present: the words by which the present turn is called, none: any
    turn may be.
    """

    grammar: Grammar
    names: Names
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: frozenset[tuple[str, ...]]
    doubt: Callable[[str, Mapping[str, str]], str | None] = lambda form, slots: None
    fitted: Callable[[Order, str], tuple[Order, str | None]] = lambda order, text: (order, None)
    rests: bool = False
    present: Callable[[], frozenset[str]] = frozenset
    seen: dict[str, list[Match]] = field(default_factory=dict)
    spent: list[str] = field(default_factory=list)

    def is_exact(self, text: str) -> bool:
        """Whether the whole text is an order as it is spelt."""
        return any(self._exact(one) for one in self._manners(text))

    def is_unfinished(self, text: str) -> bool:
        """Whether the text is spelt like the beginning of an order."""
        return any(self.grammar.begins(words(one), self.names) for one in self._manners(text))

    def named(self, text: str) -> frozenset[str]:
        """The ids of all terms that the text names, each as it is spelt."""
        line = words(tidy(text))
        return frozenset(
            term.id
            for place in range(len(line))
            for _, terms in self.names.at(line, place)[:1]
            for term in terms
        )

    def read(self, text: str, source: Source) -> list[Verdict]:
        """The verdicts on a line: one for each order in it; none for prose."""
        if len(text) > LONGEST_LINE:
            return []
        found = self._spelt(text, source)
        if found or len(self.spent) >= PATIENCE:
            return found
        for attempt in (
            self._numbered,
            self._listed,
            self._run_on,
            self._mended,
            self._sentences,
            self._doubtful,
        ):
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
        bare = past_lead(bare, self.titles, self.present())
        yield bare
        bare = _POLITE.sub("", _POLITE.sub("", bare)).rstrip(" ,;")
        yield bare
        bare = self._past_title(bare)
        yield bare
        if "(" in bare:
            yield _POLITE.sub("", _BRACKET.sub(" ", bare))
        yield _GLUED.sub(r"\1 ", bare)

    def _past_title(self, text: str) -> str:
        """The text without one's own name before it ("France A Par - Bur"), with "Build: " as "Build "."""
        head, _, rest = text.partition(" ")
        key = fold(head.rstrip(":"))
        if not key:
            return text
        if key in self.grammar.literals and head.endswith(":"):
            return f"{head.rstrip(':')} {rest}"
        own = len(key) >= _SHORTEST_OWN and any(title[0].startswith(key) for title in self.titles)
        return rest if own and rest and not self._is_name(head) else text

    def _is_name(self, text: str) -> bool:
        """Whether an order may begin with that name."""
        line = words(text)
        return any(term.sort in self.grammar.sorts for _, terms in self.names.at(line, 0) for term in terms)

    def _led(self, text: str) -> str:
        """The text without what announces the orders in it."""
        return past_lead(unbulleted(text), self.titles, self.present())

    def _plainest(self, text: str) -> str:
        return tuple(self._manners(text))[-1]

    def _is_title(self, text: str) -> bool:
        return tuple(word.key for word in words(text)) in self.titles

    def _exact(self, text: str) -> list[Match]:
        if text not in self.seen:
            line = words(text)
            found = self.grammar.match(line, self.names)
            self.seen[text] = found or (rest.matches(line) if self.rests else [])
        return self.seen[text]

    def _spelt(self, text: str, source: Source) -> list[Verdict]:
        for one in self._manners(text):
            found = self._exact(one)
            if found:
                return [self._judge(text, source, one, found)]
        return []

    def _listed(self, text: str, source: Source) -> list[Verdict]:
        return self._each(split(self._led(text)), source)

    def _foreign(self, text: str) -> str | None:
        """What stands before a colon at the head of a list of orders and is neither one's name nor a verb."""
        bare = self._past_title(self._led(text))
        title = _TITLE.match(bare)
        if title is None or self._is_title(title[1]) or self._exact(title[1].strip()):
            return None
        return title[1]

    def _numbered(self, text: str, source: Source) -> list[Verdict]:
        """A numbered list on one line: "1. A Par - Bur 2. A Mar - Spa"."""
        pieces, rest_ = [], text
        while (mark := re.match(rf"\s*\(?{len(pieces) + 1}[.)]\s+", rest_)) is not None:
            following = re.search(rf"\s(?=\(?{len(pieces) + 2}[.)]\s)", rest_[mark.end() :])
            end = mark.end() + following.start() if following else len(rest_)
            pieces.append(rest_[mark.end() : end].strip())
            rest_ = rest_[end:]
        return self._each(pieces, source) if not rest_ else []

    def _run_on(self, text: str, source: Source) -> list[Verdict]:
        """Several orders on one line with nothing between them, if they can be told apart in one way only."""
        pieces = () if "(" in text else self._run(self._plainest(text))
        return [verdict for one in pieces for verdict in self._spelt(one, source)]

    def _run(self, text: str) -> tuple[str, ...]:
        """The orders of which a text is made up; none if it is not, or in several ways."""
        line = words(text)
        if not 2 * _FEWEST <= len(line) <= _LONGEST_RUN:
            return ()
        # By the word where the rest begins: how it may be parted, two ways being as good as many.
        ways: list[list[tuple[int, ...]]] = [[] for _ in line] + [[()]]
        for start in range(len(line) - _FEWEST, -1, -1):
            for end in range(start + _FEWEST, min(len(line), start + _LONGEST_ORDER) + 1):
                if ways[end] and self._exact(text[line[start].start : line[end - 1].end]):
                    ways[start] += [(end, *rest_) for rest_ in ways[end]]
        if len(ways[0]) != 1 or len(ways[0][0]) < 2:
            return ()
        starts = (0, *ways[0][0][:-1])
        return tuple(
            text[line[start].start : line[end - 1].end] for start, end in zip(starts, ways[0][0], strict=True)
        )

    def _sentences(self, text: str, source: Source) -> list[Verdict]:
        return self._each(_pieces(self._led(text)), source)

    def _each(self, pieces: Sequence[str], source: Source) -> list[Verdict]:
        """Several orders on one line: those that can be read, if all pieces are orders or look like them."""
        if not 2 <= len(pieces) <= MOST_PIECES:
            return []
        pieces = [one for one in pieces if not is_courtesy(one)]
        foreign = self._foreign(pieces[0]) if pieces else None
        verdicts = [
            self._spelt(one, source)
            or self._mended(one, source)
            or self._sentences(one, source)
            or self._doubtful(one, source)
            for one in pieces
        ]
        if not any(verdicts):
            return []
        if foreign and is_chat(pieces[0]):
            return []
        if foreign:
            why = f"it stands behind {foreign}, so it may be somebody else's"
            return [_as_doubt(verdict, why) for some in verdicts for verdict in some]
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
        if is_chat(text) or len(self.spent) >= PATIENCE:
            return []
        self.spent.append(text)
        for one in dict.fromkeys(self._manners(text)):
            found = self.grammar.mend(words(one), one, self.names)
            if found:
                verdict = self._judge(text, source, one, found)
                hopeless = verdict.grade == "doubtful" and not looks_like_order(one, self.grammar, self.names)
                return [] if hopeless else [verdict]
        return []

    def _doubtful(self, text: str, source: Source) -> list[Verdict]:
        """An order with something around it that may change its meaning, or nothing."""
        plain = self._plainest(text)
        bare = plain.rstrip("?!. ")
        asks = "?" in plain[len(bare) :]
        why = "it is written like a question" if asks else "more stands there than an order"
        for one in (
            bare,
            _ASIDE.sub("", plain),
            _LEAD.sub("", bare),
            _HEDGE.sub("", bare),
            bare.replace(":", " "),
            past_lead(bare, self.titles),
            self._begun(bare),
        ):
            found = self._exact(one) if one and one != plain else []
            if found:
                verdict = self._judge(text, source, one, found)
                return [_as_doubt(verdict, why)]
        return []

    def _begun(self, text: str) -> str:
        """The longest order with which the text begins, as it is spelt; "" for none."""
        line = words(text)[: _LONGEST_ORDER + 1]
        for size in range(len(line) - 1, _FEWEST_BEGUN - 1, -1):
            key, end = line[size].key, line[size - 1].end
            ordered = key == DASH or key in self.grammar.literals or self.names.has(key)
            if not ordered and self._exact(text[:end]):
                return text[:end]
        return ""

    def _by_looks(self, text: str, source: Source) -> list[Verdict]:
        if self.rests and rest.says_some(words(self._plainest(text))):
            why = "some units are meant, and not all of them"
            return [
                Verdict(
                    line=text, source=source, grade="unread", problem=why, instead="a line for each of them"
                )
            ]
        return [self._unread(text, source)] if looks_like_order(text, self.grammar, self.names) else []

    def _unread(self, text: str, source: Source) -> Verdict:
        plain = self._plainest(text)
        foreign = _TITLE.match(plain)
        if foreign and len(foreign[1]) > 2 and self._exact(tidy(plain[foreign.end() :])):
            problem = f"it begins with {foreign[1]}, which is not your seat"
            return Verdict(
                line=text, source=source, grade="unread", problem=problem, instead=plain[foreign.end() :]
            )
        unknown = unknown_name(plain, self.grammar, self.names)
        problem = (
            "it stops before its end" if self.is_unfinished(plain) else "it is not an order as it stands"
        )
        if unknown:
            problem = f"no {unknown.sort} is called {unknown.typed}"
        return Verdict(
            line=text,
            source=source,
            grade="unread",
            problem=problem,
            instead=instead_of(plain, self.grammar, self.names, self._said),
        )

    def _said(self, match: Match) -> str:
        return self._written(self._built(match))

    def _built(self, match: Match) -> Order:
        return rest.Rest() if rest.is_rest(match) else self.build(match.form.name, match.slots)

    def _written(self, order: Order) -> str:
        return rest.TEXT if isinstance(order, rest.Rest) else self.write(order)

    def _judge(self, line: str, source: Source, read: str, found: Sequence[Match]) -> Verdict:
        """The verdict on the meanings of a stretch: one, or it is ambiguous."""
        meanings: dict[bytes, tuple[Order, Match]] = {}
        for match in found:
            order = self._built(match)
            meanings.setdefault(canonical(order), (order, match))
        if len(meanings) > 1:
            return self._ambiguous(line, source, list(meanings.values()))
        order, match = next(iter(meanings.values()))
        grade, problem = grade_of(match, read, self.names)
        why = self.doubt(match.form.name, match.slots)
        if why and grade in IN_FORCE:
            grade, problem = "doubtful", why
        order, slip = self.fitted(order, read)
        if grade == "taken" and slip:
            grade, problem = "corrected", slip
        said = self._written(order)
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
        candidates = tuple(dict.fromkeys(self._written(order) for order, _ in meanings))
        return Verdict(
            line=line,
            source=source,
            grade="ambiguous",
            problem=unclear([match for _, match in meanings]),
            candidates=candidates,
        )


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
