"""Reads one span of text: its orders, how sure they are, or why it isn't an order."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

from games.protocol import Order, list_possible
from games.record import Value, canonical, field, replace_fields
from orders.messages import sentence
from orders.reading import structure
from orders.reading.budget import ReadingBudget
from orders.reading.forms import FormMatch, Grammar
from orders.reading.grading import WeighingRecord, as_doubt, explain_ambiguity, grade_of
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import (
    Unknown,
    begins_with_verb,
    is_chat,
    is_courtesy,
    looks_like_order,
    past_lead,
    suggest_correction,
    unknown_name,
    unknown_span,
    with_dash,
)
from orders.reading.prose import Filler, is_closing, is_talk, label_of, past_choice, why_changing
from orders.verdict import IN_FORCE, LineVerdict, Source
from orders.words import DASH, Word, keys, past_cross, split, tidy, words

MAX_LINE_CHARS, MAX_ORDER_CHARS = 3_000, 1_000
"""The maximum number of characters of a list of orders, and of an order."""

SPELLING_WORK, GUESSING_WORK = 5, 50
"""The words looked up for preparing a span to be corrected, and for finding a suggestion."""

_LEAD_WORDS_PATTERN = re.compile(
    r"^(?:(?:i'd like|i would like|i want|i'll|i|let's|lets|let|then|so|also|we|have|my|our|the|no|actually"
    r"|orders|order|ordering|to|will|should|moves|move|is|unit|in|at|from|do|make it|change it to|correction"
    r"|scratch that|sorry|instead|rather)\b[\s,:]*)+(?:is to\s+|that\s+)?",
    re.IGNORECASE,
)
_MIN_ORDERS_IN_TALK = 2
"""The most orders of the seat in a line of chat that we ask about."""

_MIN_BEGINNING_WORDS, _MAX_BEGINNING_WORDS, _MAX_ABBREVIATION_LETTERS = 3, 12, 3
_HEDGE = re.compile(r"^(?:probably|likely|tentatively|provisionally)\b[\s,:]*", re.I)
_BRACKETED_ASIDE_PATTERN = re.compile(r"\s*\([^()]*\)[\s.!?]*$")


@lru_cache(maxsize=64)
def _tokens(grammar: Grammar, names: NameIndex, rests: bool) -> frozenset[str]:
    """Return words of which every correctly spelt order has one: the start of a name or a required word."""
    begins = names.openings(grammar.sorts)
    return begins | grammar.tokens | (structure.ALL_HOLD_GRAMMAR.tokens if rests else frozenset())


class SpanReader(Value, frozen=True, dict=True):
    """Reads spans with a game's forms and names.

    titles: names that may precede a colon, as keys. filler: removes text around an order. seats: the names
    of all seats, as keys. resting: the hold orders of the sender's units. doubt: why a form with these places
    may be wrong. fitted: an order with the information of its text beyond its form, and errors in the text.
    reaches: whether an order is possible now, None: unknown. native: the forms and names of the game's own
    language, which have priority. rests: whether "all hold" is an order here. examples: by form, an order
    that is possible now, None: those of the forms. misgiving: why a text may not mean its order. allowance:
    the email's budget. scales: a cache of comparisons.
    """

    grammar: Grammar
    names: NameIndex
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: frozenset[tuple[str, ...]]
    filler: Filler
    seats: frozenset[tuple[str, ...]] = frozenset()
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = lambda _form, _slots: None
    fitted: Callable[[Order, str], tuple[Order, str | None]] = lambda order, _text: (order, None)
    reaches: Callable[[Order], bool] | None = None
    native: tuple[Grammar, NameIndex] | None = None
    rests: bool = False
    examples: Callable[[], Mapping[str, str] | None] = lambda: None
    misgiving: Callable[[Order, str], str | None] = lambda _order, _text: None
    seen: dict[str, list[FormMatch]] = {}
    naming: dict[str, bool] = {}
    unsettled: dict[str, list[tuple[Order, FormMatch]]] = {}
    allowance: ReadingBudget = field(default_factory=ReadingBudget)
    scales: WeighingRecord | None = None

    def names_something(self, text: str) -> bool:
        """Return whether a text may contain an order as it is spelt, so that it is worth taking apart."""
        if text not in self.naming:
            tokens = _tokens(self.grammar, self.names, self.rests)
            self.naming[text] = any(
                word.key in tokens
                for variant in (tidy(text), self.filler.variants(text).plainest)
                for word in words(variant)
            )
        return self.naming[text]

    def is_exact(self, text: str) -> bool:
        """Return whether the whole text is an order as it is spelt."""
        if len(text) > MAX_ORDER_CHARS:
            return False
        return bool(self.exact(tidy(text))) or any(
            self.exact(variant) for variant in self.filler.variants(text).texts
        )

    def is_unfinished(self, text: str) -> bool:
        """Return whether the text is spelt like the beginning of an order."""
        if len(text) > MAX_ORDER_CHARS:
            return False
        self.allowance.work -= len(text)
        return any(
            self.grammar.begins(words(variant), self.names) for variant in self.filler.variants(text).texts
        )

    def named_ids(self, text: str) -> frozenset[str]:
        """Return the ids of all terms that the text names, each as it is spelt."""
        line = words(tidy(text))
        return frozenset(
            term.id
            for place in range(len(line))
            for _, terms in self.names.at(line, place)[:1]
            for term in terms
        )

    def is_foreign_heading(self, text: str) -> bool:
        """Return whether the text is another's name above orders: "Germany:", "Orders for Germany"."""
        line = [word for word in words(tidy(text)) if word.key not in ("orders", "for", "the", "of", "moves")]
        if len(line) < 2 or line[-1].key != ":":
            return False
        return any(
            end == len(line) - 1 and all(term.sort not in self.grammar.sorts for term in terms)
            for end, terms in self.names.at(line, 0)
        )

    def read(self, text: str, source: Source, *, in_prose: bool = False) -> list[LineVerdict]:
        """Return the verdicts on a line: one for each order in it; none for prose.

        in_prose: it may continue prose, so that a verb at its head has no meaning.
        """
        if len(text) > MAX_LINE_CHARS:
            return []
        if not text[:1].isalnum() and (crossed := read_crossed_out(self, text, source)) is not None:
            return crossed
        if self.scales is not None:
            self.scales.way("_read_exact")
        result = self._read_exact(text, source)
        if result or is_courtesy(text) or is_closing(keys(text)):
            return result
        attempts = (
            self._read_remarked,
            self._read_labelled,
            self._read_numbered,
            self._read_list,
            self._read_run_on,
            self.read_without_dash,
            self._read_mended,
            self._read_sentences,
            self._read_doubtful,
        )
        for attempt in attempts:
            if self.scales is not None:
                self.scales.way(attempt.__name__)
            verdicts = attempt(text, source)
            if verdicts:
                return verdicts
        result = self._explain_by_looks(text, source) or self._whole(text, source)
        if result or in_prose or source == "subject":
            return result
        plain = self.filler.variants(text).plainest
        return (
            [self._explain_unread(text, source)] if begins_with_verb(plain, self.grammar, self.names) else []
        )

    def is_goal(self, text: str) -> bool:
        """Return whether a tidy text is a destination without a unit: "- MAO"."""
        line = words(text)
        if len(line) < 2 or line[0].key != DASH or DASH not in self.grammar.literals:
            return False
        return any(
            end == len(line) and any(term.sort == self.grammar.main_sort for term in terms)
            for end, terms in self.names.at(line, 1)
        )

    def without_unit(self, text: str, source: Source) -> LineVerdict:
        """Return the verdict on a destination without a unit."""
        instead = from_somewhere(self, tidy(text))
        problem = sentence("spans.unit_missing")
        return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=instead)

    def exact(self, text: str, line: Sequence[Word] | None = None) -> list[FormMatch]:
        """Return the meanings of a tidy text as it is spelt. line: its words, where they are known."""
        self.allowance.work -= 1
        if text not in self.seen:
            line = words(text) if line is None else line
            self.allowance.work -= SPELLING_WORK + len(line)
            if self.allowance.work <= 0:
                return []
            matches = self.match_line(line)
            if self.rests and (not matches or line[0].key in structure.ALL_HOLD_GRAMMAR.openings):
                everything = structure.ALL_HOLD_GRAMMAR.match(line, structure.NO_NAMES)[:1]
                if everything and not self._names_one_unit(text, matches):
                    matches = everything
            self.seen[text] = matches
        return self.seen[text]

    def _names_one_unit(self, text: str, matches: Sequence[FormMatch]) -> bool:
        """Return whether "ALL H" is an own unit's abbreviation, in capitals. "All hold" means all units."""
        short = text.isupper() and len(text.split()[-1]) == 1
        return short and any(self.is_own(self.build_order(match)) for match in matches)

    def readings(self) -> tuple[tuple[Grammar, NameIndex], ...]:
        """Return the forms and names by which it reads, those of the game's own language first."""
        return (*((self.native,) if self.native else ()), (self.grammar, self.names))

    def match_line(self, line: Sequence[Word]) -> list[FormMatch]:
        """Return the meanings of a line as it is spelt: in the game's own language if it has any there."""
        own = self.native[0].match(line, self.native[1]) if self.native else []
        return own or self.grammar.match(line, self.names)

    def _read_remarked(self, text: str, source: Source) -> list[LineVerdict]:
        return read_remarked(self, text, source)

    def _read_labelled(self, text: str, source: Source) -> list[LineVerdict]:
        return read_labelled(self, text, source)

    def _whole(self, text: str, source: Source) -> list[LineVerdict]:
        return read_whole(self, text, source)

    def whole_orders(self, text: str, source: Source) -> list[LineVerdict]:
        """Return the verdicts on a text that only contains the seat's orders as they are spelt, or none."""
        if len(text) > MAX_LINE_CHARS:
            return []
        for pieces in ((text,), split(text)):
            verdicts = [verdict for piece in pieces for verdict in self._read_exact(piece, source)]
            lawful = all(piece.order is not None and self.can_be(piece.order) for piece in verdicts)
            if verdicts and lawful and len(verdicts) == len(pieces):
                return verdicts
        return []

    def whole_sizes(self, line: Sequence[Word]) -> tuple[int, ...]:
        """Return the numbers of words after which a line is an order as it is spelt, the largest first."""
        self.allowance.work -= SPELLING_WORK + len(line)
        if self.allowance.work <= 0:
            return ()
        sizes = set(self.grammar.ends(line, self.names))
        if self.native:
            sizes |= set(self.native[0].ends(line, self.native[1]))
        return tuple(sorted(sizes, reverse=True))

    @cached_property
    def own_slots(self) -> frozenset[str]:
        """The slots of the sender's own units, as far as the game can name them."""
        return frozenset(order.slot for order in self.resting() if order.slot is not None)

    def is_own(self, order: Order) -> bool:
        """Return whether an order is for a unit of the sender's, legal or not."""
        return self.can_be(order) or order.slot in self.own_slots

    def _read_exact(self, text: str, source: Source) -> list[LineVerdict]:
        plain = tidy(text)
        matches = self.exact(plain)
        if matches:
            return [self.judge(text, source, plain, matches)]
        if not self.names_something(text):
            return []
        for variant in self.filler.variants(text).texts:
            matches = self.exact(variant)
            if matches:
                return [self.judge(text, source, variant, matches)]
        return []

    def _read_list(self, text: str, source: Source) -> list[LineVerdict]:
        return self._read_pieces(split(self.filler.without_lead(text)), source)

    def _read_numbered(self, text: str, source: Source) -> list[LineVerdict]:
        return self._read_pieces(split_numbered(text), source)

    def _read_run_on(self, text: str, source: Source) -> list[LineVerdict]:
        """Read several orders on one line with nothing between them, if there is only one way to split it."""
        if "(" in text or is_chat(text) or not self.names_something(text):
            return []
        pieces = split_run_on(
            self.filler.variants(text).plainest, lambda piece, line: bool(self.exact(piece, line))
        )
        return [verdict for piece in pieces for verdict in self._read_exact(piece, source)]

    def _read_sentences(self, text: str, source: Source) -> list[LineVerdict]:
        return self._read_pieces(split_sentences(self.filler.without_lead(text)), source)

    def _read_pieces(self, pieces: Sequence[str], source: Source) -> list[LineVerdict]:
        """Read several orders on one line: those that can be read, if all pieces look like orders."""
        if not 2 <= len(pieces) <= MAX_PIECES_PER_LINE:
            return []
        pieces = [piece for piece in pieces if not is_courtesy(piece)]
        verdicts = [
            self._read_exact(piece, source)
            or self._read_labelled(piece, source)
            or self.read_without_dash(piece, source)
            or self._read_mended(piece, source)
            or self._read_sentences(piece, source)
            or self._read_doubtful(piece, source)
            for piece in pieces
        ]
        talk_verdicts = self._orders_in_talk(pieces, verdicts, source)
        if not any(verdicts):
            return talk_verdicts
        others = [piece for piece, some in zip(pieces, verdicts, strict=True) if not some]
        if all(looks_like_order(piece, self.grammar, self.names) for piece in others):
            return [
                verdict
                for piece, some in zip(pieces, verdicts, strict=True)
                for verdict in some or [self._explain_unread(piece, source)]
            ]
        if not talk_verdicts and (verdicts[0] or not any(is_chat(piece) for piece in others)):
            talk_verdicts = [verdict for some in verdicts for verdict in some]
        why = sentence("spans.other_words")
        if others:
            why = sentence("spans.unread_parts", parts=", ".join(others))
        return [as_doubt(verdict, why) for verdict in talk_verdicts]

    def _orders_in_talk(
        self, pieces: Sequence[str], verdicts: Sequence[list[LineVerdict]], source: Source
    ) -> list[LineVerdict]:
        """Return all orders in a line of chat if several are the seat's, otherwise none.

        verdicts: those on each piece. A piece without any can contain an order among other words.
        """
        if self.reaches is None:
            return []
        others = [piece for piece, some in zip(pieces, verdicts, strict=True) if not some]
        if any(map(why_changing, others)):
            return []
        orders = [
            verdict
            for piece, some in zip(pieces, verdicts, strict=True)
            for verdict in some or self._order_within(piece, source)
        ]
        whole = [verdict for verdict in orders if verdict.order is not None and self.can_be(verdict.order)]
        return orders if len(whole) >= _MIN_ORDERS_IN_TALK else []

    def _order_within(self, text: str, source: Source) -> list[LineVerdict]:
        """Return a question about the first order of the seat among other words."""
        if not self.names_something(text):
            return []
        plain = self.filler.variants(text).plainest
        line = words(plain)[: _MAX_BEGINNING_WORDS * 2]
        for start in range(len(line)):
            for size in self.whole_sizes(line[start:]):
                if size < _MIN_BEGINNING_WORDS:
                    break
                read = plain[line[start].start : line[start + size - 1].end]
                matches = self.exact(read)
                if matches and self.can_be(self.build_order(matches[0])):
                    return [
                        as_doubt(
                            self.judge(text, source, read, matches), sentence("spans.more_than_an_order")
                        )
                    ]
        return []

    def _read_mended(self, text: str, source: Source) -> list[LineVerdict]:
        if is_chat(text):
            return []
        for variant in self.filler.variants(text).texts:
            matches = self.grammar.mend(words(variant), variant, self.names, self.allowance)
            if matches:
                verdict = self.judge(text, source, variant, matches)
                hopeless = verdict.grade == "doubtful" and not looks_like_order(
                    variant, self.grammar, self.names
                )
                return [] if hopeless else [verdict]
        return []

    def read_without_dash(self, text: str, source: Source) -> list[LineVerdict]:
        """Read an order without a dash, if there is one place for it and the order is possible."""
        if self.reaches is None or is_chat(text) or len(text) > MAX_ORDER_CHARS:
            return []
        plain = self.filler.variants(text).plainest
        asks = plain.endswith("?")
        plain = plain.rstrip("?! ")
        line = words(plain)
        if not 2 <= len(line) <= _MAX_BEGINNING_WORDS:
            return []
        if self._is_pair(line):
            line = (line[0], line[2])
        if any(word.key == DASH or not word.key[0].isalnum() for word in line):
            return []
        # A name that ends before a gap, and one that begins after it.
        gaps = [at for at in range(1, len(line)) if self.names.at(line, at)]
        self.allowance.work -= SPELLING_WORK + len(line) * len(gaps)
        readings = [(gap, match) for gap in gaps for match in self.match_line(with_dash(line, gap))]
        orders = {canonical(self.build_order(match)): (gap, match) for gap, match in readings}
        if len(orders) != 1:
            return []
        gap, match = next(iter(orders.values()))
        can_be = self.can_be(order := self.build_order(match))
        if self.scales is not None:
            self.scales.meaning(
                self.order_text(order), match, self.names, "won" if can_be else "out of reach"
            )
        if not can_be:
            return []
        order_text = self.order_text(order)
        typed = plain[line[gap - 1].start : line[gap].end]
        verdict = LineVerdict(line=text, source=source, grade="corrected", order=order, said=order_text)
        verdict = replace_fields(verdict, problem=sentence("spans.dash_read", typed=typed))
        return [as_doubt(verdict, sentence("spans.question")) if asks else verdict]

    def _is_pair(self, line: Sequence[Word]) -> bool:
        """Return whether a line is two abbreviations with a comma, the second not a unit of the sender's.

        Whole names may be a list of places in a sentence.
        """
        if [word.key for word in line[1:2]] != [","] or len(line) != 3:
            return False
        if any(len(word.key) > _MAX_ABBREVIATION_LETTERS for word in line):
            return False
        stays = self.match_line([line[2], Word("h", line[2].end, line[2].end)])
        return not any(self.can_be(self.build_order(match)) for match in stays)

    def _read_doubtful(self, text: str, source: Source) -> list[LineVerdict]:
        """Read an order with text around it that may or may not change its meaning."""
        if not self.names_something(text):
            return []
        plain = self.filler.variants(text).plainest
        bare = plain.rstrip("?!. ")
        asks = "?" in plain[len(bare) :]
        why = sentence("spans.question" if asks else "spans.more_than_an_order")
        for variant in (
            bare,
            _BRACKETED_ASIDE_PATTERN.sub("", plain),
            _LEAD_WORDS_PATTERN.sub("", bare),
            _HEDGE.sub("", bare),
            bare.replace(":", " "),
            bare.replace(":", " - "),
            past_lead(bare, self.titles),
            self._longest_beginning(bare),
        ):
            matches = self.exact(variant) if variant and variant != plain else []
            if matches:
                verdict = self.judge(text, source, variant, matches)
                return [as_doubt(verdict, why)]
        return []

    def _longest_beginning(self, text: str) -> str:
        """Return the longest correctly spelt order at the beginning of the text, or ""."""
        line = words(text)[: _MAX_BEGINNING_WORDS + 1]
        for size in range(len(line) - 1, _MIN_BEGINNING_WORDS - 1, -1):
            key, end = line[size].key, line[size - 1].end
            ordered = key == DASH or key in self.grammar.literals or self.names.has(key)
            if not ordered and self.exact(text[:end], line[:size]):
                return text[:end]
        return ""

    def _explain_by_looks(self, text: str, source: Source) -> list[LineVerdict]:
        if self.rests and structure.SOME_HOLD_GRAMMAR.match(
            words(self.filler.variants(text).plainest), structure.NO_NAMES
        ):
            why = sentence("spans.which_units")
            return [LineVerdict(line=text, source=source, grade="unread", problem=why)]
        return (
            [self._explain_unread(text, source)] if looks_like_order(text, self.grammar, self.names) else []
        )

    def _explain_unread(self, text: str, source: Source) -> LineVerdict:
        self.allowance.work -= GUESSING_WORK
        return explain_unread(self, text, source)

    def text_to_offer(self, match: FormMatch) -> str | None:
        """Return the order of a match, if it is worth offering for a line that wasn't understood."""
        order = self.build_order(match)
        return self.order_text(order) if self.can_be(order) else None

    def build_order(self, match: FormMatch) -> Order:
        """Return the order of a match."""
        holds = match.form in structure.ALL_HOLD_FORMS
        return structure.AllHold() if holds else self.build(match.form.name, match.slots)

    def order_text(self, order: Order) -> str:
        """Return the canonical text of an order."""
        return structure.ALL_HOLD_TEXT if isinstance(order, structure.AllHold) else self.write(order)

    def judge(self, line: str, source: Source, read: str, matches: Sequence[FormMatch]) -> LineVerdict:
        """Return the verdict on the meanings of a span: one order, or ambiguous."""
        meanings: dict[bytes, tuple[Order, FormMatch]] = {}
        for match in matches:
            order = self.build_order(match)
            meanings.setdefault(canonical(order), (order, match))
        far = (
            self._find_impossible(list(meanings.values())) if any(match.repairs for match in matches) else []
        )
        if self.scales is not None:
            self._weigh(self.scales, list(meanings.values()), far)
        if len(meanings) > 1:
            near = {key: candidate for key, candidate in meanings.items() if candidate not in far}
            meanings = near if len(near) > 1 else meanings
            cut = {
                key: candidate
                for key, candidate in meanings.items()
                if all(r.is_cut for r in candidate[1].repairs)
            }
            meanings = cut if len(cut) == 1 else meanings
        if len(meanings) > 1:
            return self._ambiguous(line, source, list(meanings.values()))
        order, match = next(iter(meanings.values()))
        grade, problem = grade_of(match, read, self.names)
        why = self.doubt(match.form.name, match.slots) or self.misgiving(order, tidy(line))
        if why and grade in IN_FORCE:
            grade, problem = "doubtful", why
        if far and grade in IN_FORCE:
            instead = suggest_correction(read, self.grammar, self.names, self.text_to_offer, self.examples)
            problem = sentence("spans.out_of_reach", correction=problem, possible=possible(self, read))
            return LineVerdict(line=line, source=source, grade="unread", problem=problem, instead=instead)
        order, slip = self.fitted(order, read)
        if read[-2:-1] == " " and self.rests and structure.says_all_hold(words(read)):
            # It ends with one letter: see `_names_one_unit`.
            slip = sentence("spans.not_all_units", all_hold=structure.ALL_HOLD_TEXT)
        if grade == "taken" and slip:
            grade, problem = "corrected", slip
        text = self.order_text(order)
        return LineVerdict(
            line=line,
            source=source,
            grade=grade,
            order=order,
            said=text,
            problem=problem,
            instead=text if grade == "doubtful" else None,
        )

    def _weigh(
        self,
        scales: WeighingRecord,
        meanings: Sequence[tuple[Order, FormMatch]],
        far: Sequence[tuple[Order, FormMatch]],
    ) -> None:
        """Record the meanings of a span and their results."""
        near = [meaning for meaning in meanings if meaning not in far]
        for meaning in meanings:
            fate = "out of reach" if meaning in far else "won" if len(near) == 1 else "as likely as another"
            scales.meaning(self.order_text(meaning[0]), meaning[1], self.names, fate)

    def _find_impossible(self, meanings: Sequence[tuple[Order, FormMatch]]) -> list[tuple[Order, FormMatch]]:
        """Return the meanings whose corrected name is impossible: no one meant a place so far away."""
        mended = [meaning for meaning in meanings if _is_goal_mended(meaning[1])]
        return [meaning for meaning in mended if not self.can_be(meaning[0])]

    def can_be(self, order: Order) -> bool:
        """Return whether an order is possible now, as far as that is known."""
        return self.reaches is None or isinstance(order, structure.AllHold) or self.reaches(order)

    def _ambiguous(
        self, line: str, source: Source, meanings: Sequence[tuple[Order, FormMatch]]
    ) -> LineVerdict:
        self.unsettled[line] = list(meanings)
        candidates = tuple(dict.fromkeys(self.order_text(order) for order, _ in meanings))
        return LineVerdict(
            line=line,
            source=source,
            grade="ambiguous",
            problem=explain_ambiguity([match for _, match in meanings]),
            candidates=candidates,
        )


def _is_goal_mended(match: FormMatch) -> bool:
    """Return whether a name other than the order's first one, which names its unit, was corrected."""
    first = next(iter(match.slots.values()), None)
    return any(repair.term is not None and repair.term.id != first for repair in match.repairs)


# Lines that begin with a whole order, and labels, remarks and other words around it.


# Rule 1: a line that begins with a whole order of the seat always gets a reply. Rule 2: text after a dash, a
# bracket or a semicolon is a remark, unless it may change the order. Rule 3: for a label that does more than
# announce orders, we ask back, together with all its orders.


MAX_LINE_WORDS = 24
"""The most words of a line that are looked at."""

_MAX_NAME_LIKE_LETTERS = 3
_MIN_WORDS_BEFORE_TALK, _MIN_WORDS_WITHIN_LINE = 2, 3
"""The fewest words of an order before chat, and of one within a line."""

_REMARK_SIGNS = frozenset((DASH, "(", ";"))
_REMARK_SIGN_PATTERN = re.compile(r"[-~>(;=&]")
"""Matches the spellings of these signs in ASCII text."""


def read_crossed_out(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict] | None:
    """Return questions about the orders of a line that is crossed out; None if it isn't."""
    cross, rest = past_cross(tidy(text))
    if not cross:
        return None
    why = sentence("spans.crossed_out", sign=cross)
    verdicts = reader.read(rest, source, in_prose=True)
    return [
        replace_fields(as_doubt(verdict, why), line=text) for verdict in verdicts if verdict.order is not None
    ]


def read_remarked(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on an order with a remark after it, as a question if the remark may change it."""
    if text.isascii() and _REMARK_SIGN_PATTERN.search(text) is None:
        return []
    start = reader.filler.from_first_order(text)
    line = words(start)[:MAX_LINE_WORDS]
    if not any(word.key in _REMARK_SIGNS for word in line[1:]):
        return []
    for size in reader.whole_sizes(line):
        sign = line[size] if size < len(line) else None
        if sign is None or sign.key not in _REMARK_SIGNS or ">" in start[sign.start : sign.end]:
            continue
        rest = start[sign.end :].strip()
        head = start[: line[size - 1].end]
        matches = reader.exact(head)
        talk = any(word.key[0].isalnum() for word in words(rest))
        if not matches or not talk or not reader.is_own(reader.build_order(matches[0])):
            continue
        if _may_be_unknown(reader, words(rest), start[sign.start - 1 : sign.end + 1]):
            # A word that isn't a name here is reported as such.
            return []
        why = _why_no_remark(reader, rest)
        if why is not None and sign.key != DASH:
            # Text after these signs that may be more orders is read as orders.
            return []
        why = why or why_changing(rest)
        verdict = reader.judge(text, source, head, matches)
        return [as_doubt(verdict, sentence("spans.after_the_order", reason=why)) if why else verdict]
    return _read_unmarked(reader, text, start, line, source)


def _read_unmarked(
    reader: "SpanReader", text: str, start: str, line: Sequence[Word], source: Source
) -> list[LineVerdict]:
    """Return the verdict on an order without a dash, with a remark after one: "kie den - thanks"."""
    sign = next((word for word in line[1:] if word.key in _REMARK_SIGNS), None)
    if sign is None or ">" in start[sign.start : sign.end]:
        return []
    rest = start[sign.end :].strip()
    if not any(word.key[0].isalnum() for word in words(rest)) or _may_be_unknown(reader, words(rest)):
        return []
    verdicts = reader.read_without_dash(start[: sign.start].strip(), source)
    if not verdicts or _why_no_remark(reader, rest):
        return []
    why = why_changing(rest)
    whole_line_verdicts = [replace_fields(verdict, line=text) for verdict in verdicts]
    if not why:
        return whole_line_verdicts
    return [
        as_doubt(verdict, sentence("spans.after_the_order", reason=why)) for verdict in whole_line_verdicts
    ]


def _may_be_unknown(reader: "SpanReader", line: Sequence[Word], joint: str = " ") -> bool:
    """Return whether a remark begins like an unknown name: "k3", or three letters.

    joint: the dash before it with the characters on either side, since "Mid-At" is half a name.
    """
    word_keys = [word.key for word in line if word.key[0].isalnum()]
    first = word_keys[0]
    if any(map(str.isdigit, first)):
        # A number is like a name only if places have numbers.
        return not first.isdigit() or reader.names.has_numbers
    if len(word_keys) > 1 or len(first) > _MAX_NAME_LIKE_LETTERS:
        return False
    return (" " not in joint and len(joint) == len(" - ")) or not (is_talk(first) or is_courtesy(first))


def _why_no_remark(reader: "SpanReader", rest: str) -> str | None:
    """Return why the text after an order may be part of it, or None for a remark."""
    line = words(rest)
    if _names_place(reader, line):
        return sentence("spans.names_place", word=rest[line[0].start : line[0].end])
    if any(_begins_order(reader, line[place:]) for place in range(len(line))):
        return sentence("spans.another_order")
    known = all(word.key in reader.grammar.literals or reader.names.has(word.key) for word in line)
    return sentence("spans.may_belong", words=rest) if known else None


def _names_place(reader: "SpanReader", line: Sequence[Word]) -> bool:
    """Return whether a remark begins with the name of a place, or nearly so."""
    main, word = reader.grammar.main_sort, line[0]
    if any(term.sort == main for _, terms in reader.names.at(line, 0) for term in terms):
        return True
    if (
        not word.key.isalpha()
        or is_talk(word.key)
        or is_chat(word.key)
        or is_courtesy(word.key)
        or len(word.key) < 4
    ):
        return False
    return reader.names.find(word.key, frozenset((main,))).how in ("prefix", "near")


def _begins_order(reader: "SpanReader", line: Sequence[Word]) -> bool:
    """Return whether an order begins there that is long enough."""
    return any(size >= _MIN_WORDS_WITHIN_LINE for size in reader.whole_sizes(line[:MAX_LINE_WORDS]))


def read_labelled(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return questions about orders after a label; none for chat about others' orders."""
    label = reader.filler.label(text) if ":" in text else None
    if label is None or _holds_order(reader, label):
        return []
    start = reader.filler.without_lead(text)
    rest = start[len(label) :].lstrip().removeprefix(":").strip()
    verdicts = reader.read(rest, source, in_prose=True)
    orders = [verdict.order for verdict in verdicts if verdict.order is not None]
    if not any(map(reader.can_be, orders)):
        several = len(orders) > 1 and not is_chat(text) and not reader.is_unfinished(label)
        # They are another player's orders, so we ask about the line once.
        foreign = [verdict for verdict in verdicts if verdict.order is not None][:1] if several else []
        return [
            replace_fields(as_doubt(verdict, why_labelled(reader, label)), line=text) for verdict in foreign
        ]
    if _is_unit_of(reader, label, rest):
        return [replace_fields(verdict, line=text) for verdict in verdicts]
    return [as_doubt(verdict, why_labelled(reader, label)) for verdict in verdicts]


def _holds_order(reader: "SpanReader", label: str) -> bool:
    """Return whether a label has orders before it, and belongs to those after it: "A PAR H, at sea"."""
    pieces = split(label)
    pieces = pieces if len(pieces) > 1 else split_sentences(label)
    return any(reader.exact(piece) for piece in pieces[:-1])


def _is_unit_of(reader: "SpanReader", label: str, rest: str) -> bool:
    """Return whether a label names only the unit of the order after it: "A Paris: A PAR - BUR"."""
    named, matches = reader.named_ids(label), reader.exact(rest)
    units = {next(iter(match.slots.values()), None) for match in matches}
    return units == named and all(
        word.key in reader.grammar.literals or reader.names.has(word.key) for word in words(label)
    )


def why_labelled(reader: "SpanReader", label: str) -> str:
    """Return why orders after a label may not be the sender's, or not for this turn."""
    label_text = label.strip(" ,-")
    if keys(label_text) in reader.seats:
        return sentence("spans.not_your_seat", label=label_text)
    if (why := why_changing(label_text)) is not None:
        return sentence("spans.before_the_order", reason=why)
    return sentence("spans.unknown_label", label=label_text)


def read_whole(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return a question about a whole order of the seat at the beginning of a line, or none."""
    if not reader.names_something(text):
        return []
    start = past_choice(reader.filler.from_first_order(text))
    line = words(start)[:MAX_LINE_WORDS]
    for size in reader.whole_sizes(line):
        head = start[: line[size - 1].end]
        if size < (_MIN_WORDS_BEFORE_TALK if reader.reaches is not None else _MIN_WORDS_WITHIN_LINE):
            break
        matches = reader.exact(head)
        if matches and reader.can_be(reader.build_order(matches[0])):
            return [as_doubt(reader.judge(text, source, head, matches), sentence("spans.more_than_an_order"))]
    return []


# Explain a line that looks like an order and isn't one: the mistake, and what to write.


MAX_LENGTH = 120
"""The longest line, in characters, that gets this suggestion."""


def explain_unread(reader: "SpanReader", text: str, source: Source) -> LineVerdict:
    """Return the verdict on a line that wasn't understood."""
    plain = reader.filler.variants(text).plainest
    label = label_of(plain)
    if label and len(label[1]) > 2 and (matches := reader.exact(tidy(plain[label.end() :]))):
        order_text = reader.order_text(reader.build_order(matches[0]))
        problem = why_labelled(reader, label[1])
        return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=order_text)
    if (goes := _missing_goal(reader, plain)) is not None:
        problem = sentence("spans.destination_missing", unit=plain[: goes.start].strip())
        instead = _example_goal(reader, plain[: goes.start])
        return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=instead)
    problem = sentence("spans.incomplete" if reader.is_unfinished(plain) else "spans.not_an_order")
    instead = suggest_correction(plain, reader.grammar, reader.names, reader.text_to_offer, reader.examples)
    if (unknown := _unknown(reader, text, plain)) is not None:
        names = possible(reader, plain)
        problem = sentence("spans.unknown_name", sort=unknown.sort, typed=unknown.typed, possible=names)
    return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=instead)


def possible(reader: "SpanReader", plain: str) -> str:
    """Return the names that could replace an unknown one in a line, as the end of a sentence.

    If none could, return the possible destinations of the unit before it. Return "" if they are unknown or
    none.
    """
    span = unknown_span(plain, reader.grammar, reader.names)
    if span is None or reader.reaches is None or reader.allowance.lists <= 0 or len(plain) > MAX_LENGTH:
        return ""
    reader.allowance.lists -= 1
    before, after = plain[: span[0]], plain[span[1] :]
    for start, end in ((before, after), (f"{before.rstrip(' ' + DASH)} {DASH} ", "")):
        names: list[str] = []
        for term in reader.names.terms_of(reader.grammar.main_sort):
            matches = reader.match_line(words(f"{start}{term.names[0]}{end}"))
            if matches and reader.text_to_offer(matches[0]):
                names.append(term.names[0])
        if names:
            break
    return list_possible(names)


def _missing_goal(reader: "SpanReader", plain: str) -> Word | None:
    """Return the arrow after a unit if nothing follows it, or None for other lines."""
    line = words(plain)
    if len(line) < 2 or line[-1].key != DASH or not reader.is_unfinished(plain):
        return None
    named = any(end == len(line) - 1 for at in range(len(line) - 1) for end, _ in reader.names.at(line, at))
    return line[-1] if named else None


def from_somewhere(reader: "SpanReader", goal: str) -> str | None:
    """Return an order for some unit to go to a line's destination if the line names no unit, or None."""
    for term in reader.names.terms_of(reader.grammar.main_sort):
        matches = reader.match_line(words(tidy(f"{term.names[0]} {goal}")))
        if matches and (offered := reader.text_to_offer(matches[0])):
            return offered
    return None


def _example_goal(reader: "SpanReader", unit: str) -> str | None:
    """Return a possible order for that unit to go somewhere."""
    if reader.reaches is None:
        return None
    for term in reader.names.terms_of(reader.grammar.main_sort):
        matches = reader.exact(f"{unit}- {term.names[0]}")
        if matches and (offered := reader.text_to_offer(matches[0])):
            return offered
    return None


def _unknown(reader: "SpanReader", text: str, plain: str) -> Unknown | None:
    """Return the unknown name as it was written. plain: the text with letters split from numbers."""
    unknown = unknown_name(plain, reader.grammar, reader.names)
    if unknown is None:
        return None
    spelt = unknown._replace(typed=reader.filler.as_written(text, unknown.typed))
    if spelt == unknown or unknown_name(spelt.typed, reader.grammar, reader.names):
        return spelt
    return unknown_name(reader.filler.variants(text).unsplit, reader.grammar, reader.names)


# Several orders on one line, taken apart.


MAX_PIECES_PER_LINE = 60
"""A line with more of them isn't a list of orders."""

_MIN_ORDER_WORDS, _MAX_RUN_ON_ORDER_WORDS, _MAX_RUN_WORDS = 2, 12, 60
"""The most words and signs of an order in a line without separators, and of the whole line."""
_ORDER_SEPARATOR_PATTERN = re.compile(
    r"[,;]|\s(?:and|und|et|y|but|except|except for|while|&|\+|/|\|)\s|(?<=[a-z0-9])\.\s+(?=[A-Z0-9])"
    r"|\s(?=\(?[a-h]\)\s)",
    re.IGNORECASE,
)

JOINT_AT_END_PATTERN = re.compile(
    r"[\s,]+(?:and|und|et|y|e|en|&|\+|plus)(?:\s+(?:then|also|dann|auch|puis|aussi|también|também|anche|ook))?\s*$",
    re.IGNORECASE,
)
"""Matches an "and" at the end of a line, which continues a list on the next one."""


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the spans between commas, conjunctions, full stops and strokes."""
    return tuple(piece.strip() for piece in _ORDER_SEPARATOR_PATTERN.split(text) if piece.strip())


def split_numbered(text: str) -> tuple[str, ...]:
    """Return the pieces of a numbered list, "1. A Par - Bur 2. A Mar - Spa"; none for another line."""
    pieces: list[str] = []
    rest = text
    while (
        len(pieces) < MAX_PIECES_PER_LINE
        and (mark := re.match(rf"\s*\(?{len(pieces) + 1}[.)]\s+", rest)) is not None
    ):
        following = re.search(rf"\s(?=\(?{len(pieces) + 2}[.)]\s)", rest[mark.end() :])
        end = mark.end() + following.start() if following else len(rest)
        pieces.append(rest[mark.end() : end].strip())
        rest = rest[end:]
    return tuple(pieces) if not rest else ()


def split_run_on(text: str, is_order: Callable[[str, Sequence[Word]], bool]) -> tuple[str, ...]:
    """Return the orders that make up a text, or none if it isn't a list or is ambiguous.

    is_order: whether a part of its text is an order, by the text and its words.
    """
    line = words(text)
    if not 2 * _MIN_ORDER_WORDS <= len(line) <= _MAX_RUN_WORDS:
        return ()
    # By the word where the rest begins: the ways to split it. Two ways are enough to be ambiguous.
    ways: list[list[tuple[int, ...]]] = [[] for _ in line] + [[()]]
    for start in range(len(line) - _MIN_ORDER_WORDS, -1, -1):
        for end in range(start + _MIN_ORDER_WORDS, min(len(line), start + _MAX_RUN_ON_ORDER_WORDS) + 1):
            if (
                len(ways[start]) < 2
                and ways[end]
                and is_order(text[line[start].start : line[end - 1].end], line[start:end])
            ):
                ways[start] = [*ways[start], *((end, *after) for after in ways[end])][:2]
    if len(ways[0]) != 1 or len(ways[0][0]) < 2:
        return ()
    starts = (0, *ways[0][0][:-1])
    return tuple(
        text[line[start].start : line[end - 1].end] for start, end in zip(starts, ways[0][0], strict=True)
    )
