"""One span of text: the orders it holds, how sure that is, or why it is none."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

from games.protocol import Order
from games.record import Value, canonical, changed, field
from orders.allowance import Allowance
from orders.parsing import all_hold, beginnings
from orders.parsing.filler import Filler
from orders.parsing.forms import Grammar, Match
from orders.parsing.grading import as_doubt, grade_of, unclear
from orders.parsing.lexicon import Names
from orders.parsing.near_misses import (
    begins_with_verb,
    instead_of,
    is_chat,
    is_courtesy,
    looks_like_order,
    past_lead,
    with_dash,
)
from orders.parsing.prose import is_closing
from orders.parsing.remarks import why_changing
from orders.parsing.splitting import MOST_PIECES, numbered, parted, run_on
from orders.parsing.unread import from_somewhere, possible, unread
from orders.parsing.weighing import Scales
from orders.verdict import IN_FORCE, Source, Verdict
from orders.words import DASH, Word, keys, split, tidy, words

LONGEST_LINE, LONGEST_ORDER = 3_000, 1_000
"""Signs: a longer line is no list of orders, a longer span no order."""

SPELLING, GUESSING = 5, 50
"""So many words are looked up while a span is made ready for that, and while it is found what to write."""

ASKED = "it is written like a question"
_LEAD = re.compile(
    r"^(?:(?:i'd like|i would like|i want|i'll|i|let's|lets|let|then|so|also|we|have|my|our|the|no|actually"
    r"|orders|order|ordering|to|will|should|moves|move|is|unit|in|at|from|do|make it|change it to|correction"
    r"|scratch that|sorry|instead|rather)\b[\s,:]*)+(?:is to\s+|that\s+)?",
    re.IGNORECASE,
)
_FEWEST_IN_TALK = 2
"""So many orders of the seat in a line of talk are asked back."""

_FEWEST_BEGUN, _LONGEST_BEGUN, _LONGEST_ABBREVIATION = 3, 12, 3
_HEDGE = re.compile(r"^(?:probably|likely|tentatively|provisionally)\b[\s,:]*", re.I)
_ASIDE = re.compile(r"\s*\([^()]*\)[\s.!?]*$")


@lru_cache(maxsize=64)
def _tokens(grammar: Grammar, names: Names, rests: bool) -> frozenset[str]:
    """Words of which one stands in every order as it is spelt: its name begins so, or it needs none."""
    begins = names.openings(grammar.sorts)
    return begins | grammar.tokens | (all_hold.tokens() if rests else frozenset())


class Reader(Value, frozen=True, dict=True):
    """Reads spans by a game's forms and names.

    titles: what may stand before a colon, as keys; seats: the names of all seats of the game, as keys;
    resting: by which orders the sender's units stay; doubt: why a form with these places may not be what was
    meant; fitted: an order with what its text tells beyond its form, and what is wrong in the text; reaches:
    whether an order could be carried out now, None: nobody can say; native: the forms and names of the
    game's own language, which go before those of others; rests: whether "all hold" is an order here;
    present: the words by which the present turn is called, none: any turn may be; examples: by form, an
    order that could be given now, None: those of the forms; misgiving: why a text may not mean its order;
    allowance: the letter's, for what it takes; scales: what is weighed is kept there.
    """

    grammar: Grammar
    names: Names
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: frozenset[tuple[str, ...]]
    seats: frozenset[tuple[str, ...]] = frozenset()
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = lambda form, slots: None
    fitted: Callable[[Order, str], tuple[Order, str | None]] = lambda order, text: (order, None)
    reaches: Callable[[Order], bool] | None = None
    native: tuple[Grammar, Names] | None = None
    rests: bool = False
    present: Callable[[], frozenset[str]] = frozenset
    examples: Callable[[], Mapping[str, str] | None] = lambda: None
    misgiving: Callable[[Order, str], str | None] = lambda order, text: None
    seen: dict[str, list[Match]] = {}
    naming: dict[str, bool] = {}
    unsettled: dict[str, list[tuple[Order, Match]]] = {}
    allowance: Allowance = field(default_factory=Allowance)
    scales: Scales | None = None

    def names_something(self, text: str) -> bool:
        """Whether an order as it is spelt may stand in a text, which then is worth being taken apart."""
        if text not in self.naming:
            tokens = _tokens(self.grammar, self.names, self.rests)
            self.naming[text] = any(
                word.key in tokens for one in (tidy(text), self.filler.plainest(text)) for word in words(one)
            )
        return self.naming[text]

    @cached_property
    def filler(self) -> Filler:
        """What takes off what is no part of an order."""
        grammar = self.grammar
        return Filler(
            self.titles, grammar.literals, grammar.openings, grammar.sorts, self.names, self.present
        )

    def is_exact(self, text: str) -> bool:
        """Whether the whole text is an order as it is spelt."""
        if len(text) > LONGEST_ORDER:
            return False
        return bool(self.exact(tidy(text))) or any(self.exact(one) for one in self.filler.of(text))

    def is_unfinished(self, text: str) -> bool:
        """Whether the text is spelt like the beginning of an order."""
        if len(text) > LONGEST_ORDER:
            return False
        self.allowance.spend(len(text))
        return any(self.grammar.begins(words(one), self.names) for one in self.filler.of(text))

    def named(self, text: str) -> frozenset[str]:
        """The ids of all terms that the text names, each as it is spelt."""
        line = words(tidy(text))
        return frozenset(
            term.id
            for place in range(len(line))
            for _, terms in self.names.at(line, place)[:1]
            for term in terms
        )

    def is_foreign_heading(self, text: str) -> bool:
        """Whether the text is another's name above what he is to order: "Germany:", "Orders for Germany"."""
        line = [word for word in words(tidy(text)) if word.key not in ("orders", "for", "the", "of", "moves")]
        if len(line) < 2 or line[-1].key != ":":
            return False
        return any(
            end == len(line) - 1 and all(term.sort not in self.grammar.sorts for term in terms)
            for end, terms in self.names.at(line, 0)
        )

    def read(self, text: str, source: Source, *, in_prose: bool = False) -> list[Verdict]:
        """The verdicts on a line: one for each order in it; none for prose.

        in_prose: it may go on in prose, so that a verb at its head says nothing.
        """
        if len(text) > LONGEST_LINE:
            return []
        if not text[:1].isalnum() and (crossed := beginnings.crossed(self, text, source)) is not None:
            return crossed
        self._trying("_spelt")
        found = self._spelt(text, source)
        if found or is_courtesy(text) or is_closing(keys(text)):
            return found
        attempts = (
            self._remarked,
            self._labelled,
            self._numbered,
            self._listed,
            self._run_on,
            self.unmarked,
            self._mended,
            self._sentences,
            self._doubtful,
        )
        for attempt in attempts:
            self._trying(attempt.__name__)
            verdicts = attempt(text, source)
            if verdicts:
                return verdicts
        found = self._by_looks(text, source) or self._whole(text, source)
        if found or in_prose or source == "subject":
            return found
        plain = self.filler.plainest(text)
        return [self._unread(text, source)] if begins_with_verb(plain, self.grammar, self.names) else []

    def _trying(self, way: str) -> None:
        if self.scales is not None:
            self.scales.way(way)

    def is_goal(self, text: str) -> bool:
        """Whether a tidy text says where to, and not which unit: "- MAO"."""
        line = words(text)
        if len(line) < 2 or line[0].key != DASH or DASH not in self.grammar.literals:
            return False
        return any(
            end == len(line) and any(term.sort == self.grammar.main_sort for term in terms)
            for end, terms in self.names.at(line, 1)
        )

    def without_unit(self, text: str, source: Source) -> Verdict:
        """What is told of such a line."""
        instead = from_somewhere(self, tidy(text))
        problem = "it does not say which unit is to go there"
        return Verdict(line=text, source=source, grade="unread", problem=problem, instead=instead)

    def exact(self, text: str, line: Sequence[Word] | None = None) -> list[Match]:
        """The meanings of a tidy text as it is spelt. line: its words, where they are known."""
        self.allowance.work -= 1
        if text not in self.seen:
            line = words(text) if line is None else line
            self.allowance.spend(SPELLING + len(line))
            if self.allowance.is_tired:
                return []
            found = self.matched(line)
            self.seen[text] = found or (all_hold.matches(line) if self.rests else [])
        return self.seen[text]

    def matched(self, line: Sequence[Word]) -> list[Match]:
        """The meanings of a line as it is spelt: in the game's own language if there it has any."""
        own = self.native[0].match(line, self.native[1]) if self.native else []
        return own or self.grammar.match(line, self.names)

    def _remarked(self, text: str, source: Source) -> list[Verdict]:
        return beginnings.remarked(self, text, source)

    def _labelled(self, text: str, source: Source) -> list[Verdict]:
        return beginnings.labelled(self, text, source)

    def _whole(self, text: str, source: Source) -> list[Verdict]:
        return beginnings.whole(self, text, source)

    def whole_orders(self, text: str, source: Source) -> list[Verdict]:
        """The verdicts on a text that is nothing but orders of the seat as they are spelt, or none."""
        if len(text) > LONGEST_LINE:
            return []
        for pieces in ((text,), split(text)):
            verdicts = [verdict for one in pieces for verdict in self._spelt(one, source)]
            lawful = all(one.order is not None and self.can_be(one.order) for one in verdicts)
            if verdicts and lawful and len(verdicts) == len(pieces):
                return verdicts
        return []

    def whole_sizes(self, line: Sequence[Word]) -> tuple[int, ...]:
        """After how many of its words a line is an order as it is spelt, the most words first."""
        self.allowance.spend(SPELLING + len(line))
        if self.allowance.is_tired:
            return ()
        found = set(self.grammar.ends(line, self.names))
        if self.native:
            found |= set(self.native[0].ends(line, self.native[1]))
        return tuple(sorted(found, reverse=True))

    @cached_property
    def owned(self) -> frozenset[str]:
        """The slots of the sender's own units, where the game can name them all."""
        return frozenset(order.slot for order in self.resting() if order.slot is not None)

    def is_own(self, order: Order) -> bool:
        """Whether an order is for a unit of the sender's, whether or not it is lawful."""
        return self.can_be(order) or order.slot in self.owned

    def _spelt(self, text: str, source: Source) -> list[Verdict]:
        plain = tidy(text)
        found = self.exact(plain)
        if found:
            return [self.judge(text, source, plain, found)]
        if not self.names_something(text):
            return []
        for one in self.filler.of(text):
            found = self.exact(one)
            if found:
                return [self.judge(text, source, one, found)]
        return []

    def _listed(self, text: str, source: Source) -> list[Verdict]:
        return self._each(split(self.filler.led(text)), source)

    def _numbered(self, text: str, source: Source) -> list[Verdict]:
        return self._each(numbered(text), source)

    def _run_on(self, text: str, source: Source) -> list[Verdict]:
        """Several orders on one line with nothing between them, if they can be told apart in one way only."""
        if "(" in text or is_chat(text) or not self.names_something(text):
            return []
        found = run_on(self.filler.plainest(text), lambda one, line: bool(self.exact(one, line)))
        return [verdict for one in found for verdict in self._spelt(one, source)]

    def _sentences(self, text: str, source: Source) -> list[Verdict]:
        return self._each(parted(self.filler.led(text)), source)

    def _each(self, pieces: Sequence[str], source: Source) -> list[Verdict]:
        """Several orders on one line: those that can be read, if all pieces are orders or look like them."""
        if not 2 <= len(pieces) <= MOST_PIECES:
            return []
        pieces = [one for one in pieces if not is_courtesy(one)]
        verdicts = [
            self._spelt(one, source)
            or self._labelled(one, source)
            or self.unmarked(one, source)
            or self._mended(one, source)
            or self._sentences(one, source)
            or self._doubtful(one, source)
            for one in pieces
        ]
        if not any(verdicts):
            return []
        others = [one for one, some in zip(pieces, verdicts, strict=True) if not some]
        if all(looks_like_order(one, self.grammar, self.names) for one in others):
            return [
                verdict
                for one, some in zip(pieces, verdicts, strict=True)
                for verdict in some or [self._unread(one, source)]
            ]
        whole = [one for some in verdicts for one in some if one.order is not None and self.can_be(one.order)]
        several = self.reaches is not None and len(whole) >= _FEWEST_IN_TALK
        several = several and not any(map(why_changing, others))
        if verdicts[0] or several or not any(is_chat(one) for one in others):
            why = f"{', '.join(others)} was not understood" if others else "other words stand on the line"
            return [as_doubt(verdict, why) for some in verdicts for verdict in some]
        return []

    def _mended(self, text: str, source: Source) -> list[Verdict]:
        if is_chat(text):
            return []
        for one in dict.fromkeys(self.filler.of(text)):
            found = self.grammar.mend(words(one), one, self.names, self.allowance)
            if found:
                verdict = self.judge(text, source, one, found)
                hopeless = verdict.grade == "doubtful" and not looks_like_order(one, self.grammar, self.names)
                return [] if hopeless else [verdict]
        return []

    def unmarked(self, text: str, source: Source) -> list[Verdict]:
        """An order without a dash, if there is one place for it, and the order could be carried out."""
        if self.reaches is None or is_chat(text) or len(text) > LONGEST_ORDER:
            return []
        plain = self.filler.plainest(text)
        asks = plain.endswith("?")
        plain = plain.rstrip("?! ")
        line = words(plain)
        if not 2 <= len(line) <= _LONGEST_BEGUN:
            return []
        if self._is_pair(line):
            line = (line[0], line[2])
        if any(word.key == DASH or not word.key[0].isalnum() for word in line):
            return []
        # A name that ends before a gap, and one that begins behind it.
        gaps = [at for at in range(1, len(line)) if self.names.at(line, at)]
        self.allowance.spend(SPELLING + len(line) * len(gaps))
        found = [(gap, match) for gap in gaps for match in self.matched(with_dash(line, gap))]
        orders = {canonical(self.built(match)): (gap, match) for gap, match in found}
        if len(orders) != 1:
            return []
        gap, match = next(iter(orders.values()))
        can_be = self.can_be(order := self.built(match))
        if self.scales is not None:
            self.scales.meaning(self.written(order), match, self.names, "won" if can_be else "out of reach")
        if not can_be:
            return []
        said = self.written(order)
        typed = plain[line[gap - 1].start : line[gap].end]
        verdict = Verdict(line=text, source=source, grade="corrected", order=order, said=said)
        verdict = changed(verdict, problem=f"a dash was read in {typed}")
        return [as_doubt(verdict, ASKED) if asks else verdict]

    def _is_pair(self, line: Sequence[Word]) -> bool:
        """Whether a line is two abbreviations with a comma between them, the second no unit of the sender's.

        Whole names may be a list of places that somebody speaks of.
        """
        if [word.key for word in line[1:2]] != [","] or len(line) != 3:
            return False
        if any(len(word.key) > _LONGEST_ABBREVIATION for word in line):
            return False
        stays = self.matched([line[2], Word("h", line[2].end, line[2].end)])
        return not any(self.can_be(self.built(match)) for match in stays)

    def _doubtful(self, text: str, source: Source) -> list[Verdict]:
        """An order with something around it that may change its meaning, or nothing."""
        if not self.names_something(text):
            return []
        plain = self.filler.plainest(text)
        bare = plain.rstrip("?!. ")
        asks = "?" in plain[len(bare) :]
        why = ASKED if asks else beginnings.MORE
        for one in (
            bare,
            _ASIDE.sub("", plain),
            _LEAD.sub("", bare),
            _HEDGE.sub("", bare),
            bare.replace(":", " "),
            bare.replace(":", " - "),
            past_lead(bare, self.titles),
            self._begun(bare),
        ):
            found = self.exact(one) if one and one != plain else []
            if found:
                verdict = self.judge(text, source, one, found)
                return [as_doubt(verdict, why)]
        return []

    def _begun(self, text: str) -> str:
        """The longest order with which the text begins, as it is spelt; "" for none."""
        line = words(text)[: _LONGEST_BEGUN + 1]
        for size in range(len(line) - 1, _FEWEST_BEGUN - 1, -1):
            key, end = line[size].key, line[size - 1].end
            ordered = key == DASH or key in self.grammar.literals or self.names.has(key)
            if not ordered and self.exact(text[:end], line[:size]):
                return text[:end]
        return ""

    def _by_looks(self, text: str, source: Source) -> list[Verdict]:
        if self.rests and all_hold.says_some(words(self.filler.plainest(text))):
            why = "some units are meant, and not all of them; write a line for each of them"
            return [Verdict(line=text, source=source, grade="unread", problem=why)]
        return [self._unread(text, source)] if looks_like_order(text, self.grammar, self.names) else []

    def _unread(self, text: str, source: Source) -> Verdict:
        self.allowance.spend(GUESSING)
        return unread(self, text, source)

    def offered(self, match: Match) -> str | None:
        """What a match says, if it is worth being offered for a line that was not understood."""
        order = self.built(match)
        return self.written(order) if self.can_be(order) else None

    def built(self, match: Match) -> Order:
        """The order that a match says."""
        return all_hold.AllHold() if all_hold.is_all_hold(match) else self.build(match.form.name, match.slots)

    def written(self, order: Order) -> str:
        """The canonical text of an order."""
        return all_hold.TEXT if isinstance(order, all_hold.AllHold) else self.write(order)

    def judge(self, line: str, source: Source, read: str, found: Sequence[Match]) -> Verdict:
        """The verdict on the meanings of a span: one, or it is ambiguous."""
        meanings: dict[bytes, tuple[Order, Match]] = {}
        for match in found:
            order = self.built(match)
            meanings.setdefault(canonical(order), (order, match))
        far = self._far(list(meanings.values())) if any(match.repairs for match in found) else []
        if self.scales is not None:
            self._weigh(self.scales, list(meanings.values()), far)
        if len(meanings) > 1:
            near = {key: one for key, one in meanings.items() if one not in far}
            meanings = near if len(near) > 1 else meanings
            cut = {key: one for key, one in meanings.items() if all(r.is_cut for r in one[1].repairs)}
            meanings = cut if len(cut) == 1 else meanings
        if len(meanings) > 1:
            return self._ambiguous(line, source, list(meanings.values()))
        order, match = next(iter(meanings.values()))
        grade, problem = grade_of(match, read, self.names)
        why = self.doubt(match.form.name, match.slots) or self.misgiving(order, tidy(line))
        if why and grade in IN_FORCE:
            grade, problem = "doubtful", why
        if far and grade in IN_FORCE:
            instead = instead_of(read, self.grammar, self.names, self.offered, self.examples)
            problem = f"{problem} as the nearest, and that is out of reach{possible(self, read)}"
            return Verdict(line=line, source=source, grade="unread", problem=problem, instead=instead)
        order, slip = self.fitted(order, read)
        if grade == "taken" and slip:
            grade, problem = "corrected", slip
        said = self.written(order)
        return Verdict(
            line=line,
            source=source,
            grade=grade,
            order=order,
            said=said,
            problem=problem,
            instead=said if grade == "doubtful" else None,
        )

    def _weigh(
        self, scales: Scales, meanings: Sequence[tuple[Order, Match]], far: Sequence[tuple[Order, Match]]
    ) -> None:
        """Keep what the meanings of a span are, and what becomes of each."""
        near = [one for one in meanings if one not in far]
        for one in meanings:
            fate = "out of reach" if one in far else "won" if len(near) == 1 else "as likely as another"
            scales.meaning(self.written(one[0]), one[1], self.names, fate)

    def _far(self, meanings: Sequence[tuple[Order, Match]]) -> list[tuple[Order, Match]]:
        """Those for which a name was mended, and that cannot be: nobody meant a land so far off."""
        mended = [one for one in meanings if _is_goal_mended(one[1])]
        return [one for one in mended if not self.can_be(one[0])]

    def can_be(self, order: Order) -> bool:
        """Whether an order could be carried out now, as far as anybody can say."""
        return self.reaches is None or isinstance(order, all_hold.AllHold) or self.reaches(order)

    def _ambiguous(self, line: str, source: Source, meanings: Sequence[tuple[Order, Match]]) -> Verdict:
        self.unsettled[line] = list(meanings)
        candidates = tuple(dict.fromkeys(self.written(order) for order, _ in meanings))
        return Verdict(
            line=line,
            source=source,
            grade="ambiguous",
            problem=unclear([match for _, match in meanings]),
            candidates=candidates,
        )


def _is_goal_mended(match: Match) -> bool:
    """Whether a name was mended that is not the one with which the order begins: its unit is told by that."""
    first = next(iter(match.slots.values()), None)
    return any(repair.term is not None and repair.term.id != first for repair in match.repairs)
