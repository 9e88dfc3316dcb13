"""The IFs and PHASEs of an email: their conditions, and the lines that depend on them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

from games.data import read_toml
from games.protocol import Condition, Form, Turn
from orders.conditions import NOW, Atom, Branch, Not, Tree, When, count_questions, parse, text_of
from orders.messages import sentence
from orders.reading import forms as form_machine
from orders.reading.budget import ReadingBudget
from orders.reading.forms import FormMatch
from orders.reading.grading import grade_of
from orders.reading.lexicon import NameIndex
from orders.reading.structure import find_past_turn, find_turn
from orders.verdict import IN_FORCE
from orders.words import Word, keys, tidy, words

# The lines of one part of an email in order, and where the block of an IF ends.


CONDITION_KEYWORD_PATTERN = re.compile(r"\b(else\W+if|elseif|elsif|if|then|else|end ?if)\b", re.IGNORECASE)
"""The words of an IF."""

CONDITION_START_PATTERN = re.compile(r"^(?:if|else|elseif|elsif|then|end ?if)\b", re.IGNORECASE)
ENDIF_PATTERN = re.compile(r"\bend ?if\W*$", re.IGNORECASE)
PHASE_PATTERN = re.compile(r"^phase\b[\s:]*", re.IGNORECASE)
"""The beginnings of lines that belong to an IF, the ends of lines that end it, and the beginnings that end
all."""


class _Bend(NamedTuple):
    """The effect of a line on open IFs. by: how many more are open after it; else_: it continues one."""

    more: int
    else_: bool


class LetterColumn:
    """The lines of one source, tidy and without bullets."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    @cached_property
    def closes(self) -> list[bool]:
        """Return, for each line, whether an open IF has an ELSE or an ENDIF there or below."""
        bends = [self._bend(place) for place in range(len(self.texts))]
        depths = [0]
        for bend in bends:
            depths.append(depths[-1] + (bend.more if bend else 0))
        answers = [False] * (len(self.texts) + 1)
        # The positions below with fewer open IFs than any position between, the nearest last.
        lower = [len(self.texts)]
        phase = len(self.texts)
        for place in range(len(self.texts) - 1, -1, -1):
            while lower and depths[lower[-1]] > depths[place]:
                lower.pop()
            bend = bends[place]
            if PHASE_PATTERN.match(self.texts[place]):
                phase = place
            elif bend is None or (bend.more == 0 and not bend.else_):
                answers[place] = answers[place + 1]
            elif bend.else_ or bend.more < 0:
                answers[place] = True
            elif lower and lower[-1] <= phase:
                answers[place] = answers[lower[-1]]
            lower.append(place)
        return answers

    def _bend(self, place: int) -> _Bend | None:
        text = self.texts[place]
        if not CONDITION_START_PATTERN.match(text) and not ENDIF_PATTERN.search(text):
            return None
        keywords = [re.sub(r"\W+", "", word.lower()) for word in CONDITION_KEYWORD_PATTERN.findall(text)]
        opened, ended = keywords.count("if"), keywords.count("endif")
        else_ = keywords[0] in ("else", "elseif", "elsif")
        whole = keywords[-1] == "then" and text.rstrip(" .:").lower().endswith("then")
        continued = (
            CONDITION_START_PATTERN.match(self.texts[place + 1]) if place + 1 < len(self.texts) else None
        )
        if ended <= opened and opened and not ended and not whole and "then" in keywords and not continued:
            opened = 0
        return _Bend(opened - ended, else_)


class LinesBelow(NamedTuple):
    """The lines from a place of a column on."""

    column: LetterColumn
    at: int

    def lines(self, count: int) -> Sequence[str]:
        """Return the first lines, up to a number."""
        return self.column.texts[self.at : self.at + count]

    def past(self, count: int) -> "LinesBelow":
        """Return the lines after the first ones."""
        return LinesBelow(self.column, min(self.at + count, len(self.column.texts)))

    @property
    def closes(self) -> bool:
        """Return whether an ELSE or an ENDIF of the innermost open IF is there."""
        return self.column.closes[self.at]


NO_LINES_BELOW = LinesBelow(LetterColumn(()), 0)
"""No lines."""


# Conditions as players write them, read by a game's forms and names.


ORDER_END_KEYWORD_PATTERN = re.compile(r"\b(else\W+if|elseif|elsif|if|else|end ?if)\b", re.IGNORECASE)
"""Keywords that end a condition. A THEN may be one of its words."""

MAX_CONDITION_WORDS = 80
"""The most words of a condition."""

_MAX_CONDITION_ENDS, _MAX_UNMARKED_ORDER_WORDS = 12, 40
"""The most commas and colons that may end a condition, and the most words of an order after it without
any."""

_CONDITION_END_PATTERN = re.compile(r"[,:;]\s+")


class Nearly(NamedTuple):
    """A condition with mistakes: its corrected form, the text after it, the notes, and its certainty."""

    tree: Tree
    rest: str
    told: str
    is_sure: bool


@dataclass
class Conditions:
    """Reads conditions. phrase: returns an atom's canonical text; is_order: tells an order.

    begun: the conditions that were read at the beginnings of texts.
    """

    forms: tuple[Form, ...]
    names: NameIndex
    phrase: Callable[[Condition], str]
    is_order: Callable[[str], bool]
    allowance: ReadingBudget = field(default_factory=ReadingBudget)
    begun: dict[str, tuple[Tree, str] | None] = field(default_factory=dict)

    @property
    def example(self) -> str | None:
        """Return the beginning of an IF that can be read."""
        return f"IF {self.forms[0].example} THEN" if self.forms else None

    def read(self, text: str, *, closes: bool = True) -> Tree | None:
        """Return the condition of a whole text, or None. closes: whether its brackets have to be closed."""
        line = words(text)
        self.allowance.work -= len(line)
        return parse(line, self._question, closes=closes) if 0 < len(line) <= MAX_CONDITION_WORDS else None

    def nearly(self, text: str) -> Nearly | None:
        """Return the condition that a text up to THEN, a comma or a colon nearly is, or None.

        Only for a certain IF, because chat could be corrected into conditions.
        """
        end = CONDITION_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        marks = islice(_CONDITION_END_PATTERN.finditer(condition_text), _MAX_CONDITION_ENDS)
        for head, tail in (
            (condition_text, rest),
            *((condition_text[: m.start()], condition_text[m.end() :] + rest) for m in marks),
        ):
            plain = tidy(head)
            line = words(plain)
            repairs: dict[str, bool] = {}
            tree = (
                parse(line, partial(self._mend_question, plain, repairs))
                if 0 < len(line) <= MAX_CONDITION_WORDS
                else None
            )
            if tree is not None and repairs:
                return Nearly(tree, tail, "; ".join(repairs), all(repairs.values()))
        return None

    def first(self, text: str) -> tuple[Tree, str] | None:
        """Return the condition at the beginning of a text, and the text after it; None if there is none.

        It ends at the next keyword, or without a THEN at a comma, at a colon or before a whole order.
        """
        if text not in self.begun:
            self.begun[text] = self._first(text)
        return self.begun[text]

    def _first(self, text: str) -> tuple[Tree, str] | None:
        keyword = CONDITION_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: keyword.start()], text[keyword.start() :]) if keyword else (text, "")
        tree = self.read(condition_text, closes=False)
        if tree is not None:
            return tree, rest
        end = ORDER_END_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        return self._first_before_sign(condition_text, rest) or self._first_before_order(condition_text, rest)

    def _first_before_sign(self, condition_text: str, rest: str) -> tuple[Tree, str] | None:
        """Return a condition up to a comma or colon. If a THEN comes later, an order must follow."""
        last = max(
            (keyword.start() for keyword in CONDITION_KEYWORD_PATTERN.finditer(condition_text)), default=-1
        )
        for mark in islice(_CONDITION_END_PATTERN.finditer(condition_text), _MAX_CONDITION_ENDS):
            after = condition_text[mark.end() :]
            if mark.end() > last or self.is_order(after.strip()):
                tree = self.read(condition_text[: mark.start()])
                if tree is not None:
                    return tree, after + rest
        return None

    def _first_before_order(self, condition_text: str, rest: str) -> tuple[Tree, str] | None:
        """Return a condition with a whole order after it, and no sign between them."""
        line = words(condition_text)
        for word in reversed(line[max(1, len(line) - _MAX_UNMARKED_ORDER_WORDS) : MAX_CONDITION_WORDS]):
            if self.is_order(condition_text[word.start :].strip()):
                tree = self.read(condition_text[: word.start])
                if tree is not None:
                    return tree, condition_text[word.start :] + rest
        return None

    def _question(self, line: Sequence[Word]) -> Tree | None:
        """Return the question in some words: an atom, or one that they deny."""
        atom = self._atom(line)
        if atom is not None:
            return atom
        denied = (self._atom(affirmative) for affirmative in affirmative_readings(line))
        return next((Not(of=affirmative) for affirmative in denied if affirmative is not None), None)

    def _atom(self, line: Sequence[Word]) -> Atom | None:
        self.allowance.work -= len(line)
        return self._shared_meaning(form_machine.compile_forms(self.forms).match(line, self.names))

    def _mend_question(self, text: str, repairs: dict[str, bool], line: Sequence[Word]) -> Tree | None:
        """Return the question that words nearly ask. repairs: notes for the player, with their certainty."""
        exact = self._question(line)
        if exact is not None:
            return exact
        grammar = form_machine.compile_forms(self.forms)
        for reading, is_denied in (*((some, True) for some in affirmative_readings(line)), (line, False)):
            matches = grammar.mend(reading, text, self.names, self.allowance)
            atom = self._shared_meaning(matches)
            if atom is not None:
                read = " ".join(word.key for word in reading)
                grade, correction = grade_of(matches[0], read, self.names)
                repairs[correction or read] = grade in IN_FORCE
                return Not(of=atom) if is_denied else atom
        return None

    def _shared_meaning(self, matches: Sequence[FormMatch]) -> Atom | None:
        """Return the question if all meanings are the same."""
        meanings = [Condition(form=meaning.form.name, slots=dict(meaning.slots)) for meaning in matches]
        if not meanings or any(meaning != meanings[0] for meaning in meanings):
            return None
        return Atom(asks=meanings[0], text=self.phrase(meanings[0]))


# Rule 1: only a line that opens, continues or ends a block is taken apart; others go to `reading`. Rule 2: an
# order whose condition or turn wasn't understood is never accepted; we ask back. Rule 3: if an order is on
# its IF's line, nothing else depends on the IF, unless an ELSE or an ENDIF follows later.


_MEANT = re.compile(r"^IF\b(?!.*\b(?:I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)\b)|^(?:ELSE|ENDIF|END IF)\b")
_IF_THEN_LINE_PATTERN = re.compile(r"^if\b.*\bthen\W*$|^if\b(?>.*?\bthen\b).*\bend ?if\W*$", re.IGNORECASE)
_END_PHASE = re.compile(r"^end ?phase\W*$", re.IGNORECASE)
_SEASON = re.compile(r"^(?:[a-z]\d+[a-z]?$|spring|summer|fall|autumn|winter|turn \d)", re.IGNORECASE)
_TEST_KEYWORD_PATTERN = re.compile(r"^(?:else\W+if|elseif|elsif|if)\b", re.IGNORECASE)
_HAS_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_LEADING_THEN = re.compile(r"^then\b\W*", re.IGNORECASE)
_CONTINUED_CONDITION_PATTERN = re.compile(r"^(?:and|or)\b", re.IGNORECASE)
_STOP_LINE_PATTERN = re.compile(r"^stop\s+(?:if|when|once|as soon as)\s+", re.IGNORECASE)
_MAX_TURN_WORDS, _MAX_TURN_NAME_CHARS, _MAX_CONDITION_LINES = 6, 120, 4

MAX_IF_DEPTH, MAX_QUESTIONS_PER_ORDER = 12, 60
"""The maximum depth of nested IFs, and the maximum number of conditions of an order."""


class OrderPiece(NamedTuple):
    """A part of a line: an order's text or a STOP with its conditions, or a mistake on the line.

    doubt: why the conditions weren't understood; told: the corrections in them; stop: the piece is a STOP
    with the condition in `when`; fault, instead: the problem and a suggestion for a piece that governs others
    and can't be read.
    """

    text: str
    when: When = NOW
    doubt: str | None = None
    told: str | None = None
    stop: bool = False
    fault: str | None = None
    instead: str | None = None


@dataclass(frozen=True)
class _IfFrame:
    """An open IF. doubt: why its conditions aren't understood. read: this branch has orders.

    told: the corrections in its conditions. lined: each branch so far has its orders on its own line. inside:
    the number of open IFs in it that are nested too deeply.
    """

    branch: Branch
    doubt: str | None = None
    told: str | None = None
    read: bool = False
    lined: bool = True
    inside: int = 0

    @property
    def questions(self) -> int:
        """Return the number of questions that its orders depend on."""
        tried = (self.branch.tried,) if self.branch.tried else ()
        return sum(map(count_questions, (*self.branch.refused, *tried)))


@dataclass
class Blocks:
    """The IFs and the PHASE that are open at a place of an email.

    turns: returns the turns that PHASE may name.
    """

    conditions: Conditions
    turns: Callable[[], Sequence[Turn]]
    turn: str | None = None
    turn_doubt: str | None = None
    frames: list[_IfFrame] = field(default_factory=list)
    count: int = 0

    def order_piece(self, text: str) -> OrderPiece:
        """Return an order's text with the conditions of an order here."""
        known = (frame.branch for frame in self.frames if frame.branch.tried or frame.branch.refused)
        return OrderPiece(
            text,
            When(turn=self.turn, path=tuple(known)),
            doubt=next((frame.doubt for frame in self.frames if frame.doubt), None) or self.turn_doubt,
            told="; ".join(frame.told for frame in self.frames if frame.told) or None,
        )

    def take(self, text: str, below: Callable[[], LinesBelow]) -> tuple[list[OrderPiece], int] | None:
        """Return the pieces of a line that governs others, and the number of lines it takes, or None."""
        stop, phase = _STOP_LINE_PATTERN.match(text), PHASE_PATTERN.match(text)
        if stop:
            return self._stop(text, text[stop.end() :])
        if _END_PHASE.match(text):
            self.turn, self.turn_doubt, self.frames = None, None, []
            return [], 1
        if phase:
            return self._phase(text, text[phase.end() :])
        ends = self.frames and ENDIF_PATTERN.search(text)
        if not CONDITION_START_PATTERN.match(text) and not ends:
            return None
        following = below()
        whole, size = self._whole(text, following)
        if not self._is_meant(whole):
            return None
        return self._pieces(whole, following.past(size - 1)), size

    def governs(self, text: str) -> bool:
        """Return whether `take` would take a line in English."""
        if _STOP_LINE_PATTERN.match(text) or PHASE_PATTERN.match(text) or _END_PHASE.match(text):
            return True
        ends = self.frames and ENDIF_PATTERN.search(text)
        return bool((CONDITION_START_PATTERN.match(text) or ends) and self._is_meant(text))

    def head(self, turn: Turn, text: str) -> None:
        """Note a heading that names a turn. The text below may be meant for that turn."""
        self.frames = []
        if turn == self.turns()[0]:
            self.turn = self.turn_doubt = None
        else:
            self.turn = turn.short
            heading = text.strip(" :")
            self.turn_doubt = sentence("condition_blocks.below_heading", heading=heading, turn=turn.short)

    def past_gap(self, rest: Callable[[], LinesBelow]) -> None:
        """Note an empty line. The text below an unfinished IF may belong to it or not."""
        if self.frames and self.frames[-1].read and not rest().closes:
            doubt = sentence("condition_blocks.may_belong_to_if")
            self.frames[-1] = replace(self.frames[-1], doubt=doubt)

    def note_order(self) -> None:
        """Note that an order was read here."""
        if self.frames:
            self.frames[-1] = replace(self.frames[-1], read=True)

    def _is_meant(self, text: str) -> bool:
        """Return whether an IF or ELSE is more than a word of chat."""
        if self.frames and text[:2].lower() != "if":
            return True
        if _MEANT.match(text) or _IF_THEN_LINE_PATTERN.match(text):
            return True
        return text[:2].lower() == "if" and self.conditions.first(text[2:].strip()) is not None

    def _whole(self, text: str, below: LinesBelow) -> tuple[str, int]:
        """Return the line joined with the lines that continue its condition, and their number."""
        begun = _TEST_KEYWORD_PATTERN.match(text)
        if begun is None or _HAS_THEN.search(text):
            return text, 1
        following = below.lines(_MAX_CONDITION_LINES)
        for size in range(min(_MAX_CONDITION_LINES, len(following) + 1)):
            goes_on = size < len(following) and _CONTINUED_CONDITION_PATTERN.match(following[size])
            whole = " ".join((text, *following[:size]))
            if not goes_on and self.conditions.first(whole[begun.end() :].strip()) is not None:
                return whole, size + 1
        return text, 1

    def _pieces(self, text: str, following: LinesBelow) -> list[OrderPiece]:
        pieces: list[OrderPiece] = []
        text, at = _LEADING_THEN.sub("", text), 0
        while at < len(text):
            keyword = ORDER_END_KEYWORD_PATTERN.match(text, at)
            if keyword is None:
                end = next((m.start() for m in ORDER_END_KEYWORD_PATTERN.finditer(text, at)), len(text))
                pieces += self._order(text[at:end])
                at = end
                continue
            word, rest = re.sub(r"\W+", "", keyword[1].lower()), text[keyword.end() :].strip()
            if word in ("if", "elseif", "elsif"):
                rest, faults = self._begin_if(rest, word != "if", text)
                pieces += faults
            elif word == "else":
                pieces += self._else(text)
            elif word == "endif" and self.frames:
                self._end()
            text, at = rest, 0
        self._end_line(following)
        return pieces

    def _end(self) -> None:
        """Close an IF at its ENDIF."""
        if self.frames[-1].inside:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside - 1)
        else:
            self.frames.pop()

    def _end_line(self, following: LinesBelow) -> None:
        """Close an IF on a single line, if nothing more of it follows."""
        while self.frames and self.frames[-1].lined and self.frames[-1].read and not following.closes:
            self.frames.pop()
        self.frames = [frame if frame.read else replace(frame, lined=False) for frame in self.frames]

    def _order(self, text: str) -> list[OrderPiece]:
        plain = text.strip().strip(",;:").strip()
        if not keys(plain):
            return []
        self.note_order()
        stop = _STOP_LINE_PATTERN.match(plain)
        return [self.order_piece(plain)] if not stop else self._stop(plain, plain[stop.end() :])[0]

    def _begin_if(self, rest: str, chained: bool, text: str) -> tuple[str, list[OrderPiece]]:
        """Begin an IF or ELSE IF. Return the text after its condition, and the mistakes in it."""
        read = self.conditions.first(rest)
        nearly = None if read else self.conditions.nearly(rest)
        keyword = CONDITION_KEYWORD_PATTERN.search(rest)
        condition_text = rest[: keyword.start()] if keyword else rest
        doubt, correction, faults = None, None, []
        if chained and not self.frames:
            fault = sentence("condition_blocks.else_without_if")
            faults.append(OrderPiece(text, fault=fault, instead=self.conditions.example))
            chained, doubt = False, sentence("condition_blocks.below_else_without_if")
        if nearly is not None:
            read, correction = (nearly.tree, nearly.rest), nearly.told
            if doubt is None and not nearly.is_sure:
                doubt = sentence("condition_blocks.condition_corrected", correction=correction)
        elif read is None:
            problem = _explain_unknown_condition(condition_text)
            faults.append(OrderPiece(text, fault=problem, instead=self.conditions.example))
            doubt = sentence("condition_blocks.condition_unread")
        tree = read[0] if read else None
        if (excess := self._excess(tree, chained)) is not None:
            why = sentence("condition_blocks.fewer_conditions", excess=excess)
            faults += [] if faults else [OrderPiece(text, fault=why)]
            tree, doubt = None, sentence("condition_blocks.too_many_conditions", excess=excess)
        if chained:
            self._go_on(tree, doubt, correction)
        else:
            self._open(tree, doubt, correction)
        return _LEADING_THEN.sub("", (read[1] if read else rest[len(condition_text) :]).strip()), faults

    def _excess(self, tree: Tree | None, chained: bool) -> str | None:
        """Return why an email can't have one more condition here, or None."""
        if not chained and len(self.frames) >= MAX_IF_DEPTH:
            return sentence("condition_blocks.max_open_ifs", count=MAX_IF_DEPTH)
        asked = sum(frame.questions for frame in self.frames) + (count_questions(tree) if tree else 0)
        if asked <= MAX_QUESTIONS_PER_ORDER:
            return None
        return sentence("condition_blocks.max_conditions", count=MAX_QUESTIONS_PER_ORDER)

    def _open(self, tree: Tree | None, doubt: str | None, correction: str | None) -> None:
        """Open one more IF. An IF that is too deep is counted in the last one that isn't."""
        self.count += 1
        frame = _IfFrame(Branch(tried=tree, block=self.count), doubt, correction)
        if len(self.frames) <= MAX_IF_DEPTH:
            self.frames.append(frame)
        else:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside + 1, read=False)

    def _else(self, text: str) -> list[OrderPiece]:
        if not self.frames:
            self.count += 1
            doubt = sentence("condition_blocks.below_else_without_if")
            self.frames.append(_IfFrame(Branch(block=self.count), doubt))
            fault = sentence("condition_blocks.else_without_if")
            return [OrderPiece(text, fault=fault, instead=self.conditions.example)]
        self._go_on(None)
        return []

    def _go_on(self, tried: Tree | None, doubt: str | None = None, correction: str | None = None) -> None:
        """Begin the next branch of the innermost IF."""
        above = self.frames.pop()
        if above.inside:
            self.frames.append(above)
            return
        refused = (*above.branch.refused, *([above.branch.tried] if above.branch.tried else []))
        branch = Branch(refused=refused, tried=tried, block=above.branch.block)
        corrections = "; ".join(text for text in (above.told, correction) if text) or None
        self.frames.append(
            replace(above, branch=branch, doubt=above.doubt or doubt, told=corrections, read=False)
        )

    def _phase(self, text: str, turn_text: str) -> tuple[list[OrderPiece], int] | None:
        turns = self.turns()
        turn, rest = _turn_first(turn_text, turns)
        if turn is None:
            if not text.startswith("PHASE") and not _SEASON.match(turn_text):
                return None
            rest = turn_text.partition(":")[2].strip()
        was = (self.turn, self.turn_doubt, self.frames)
        self.turn, self.turn_doubt, self.frames = turn, None, []
        pieces = []
        if turn is None:
            self.turn_doubt = sentence("condition_blocks.phase_unread")
            pieces.append(_no_turn(text, turn_text, turns))
        if rest:
            inner = self.take(rest, lambda: NO_LINES_BELOW)
            pieces += inner[0] if inner else self._order(rest)
            self.turn, self.turn_doubt, self.frames = was
        return pieces, 1

    def _stop(self, text: str, condition_text: str) -> tuple[list[OrderPiece], int]:
        tree = self.conditions.read(condition_text)
        if tree is None:
            problem = _explain_unknown_condition(condition_text)
            instead = self.conditions.example and self.conditions.example.replace("IF", "STOP IF", 1)
            return [OrderPiece(text, fault=problem, instead=instead and instead.removesuffix(" THEN"))], 1
        self.count += 1
        piece = self.order_piece(text)
        path = (*piece.when.path, Branch(tried=tree, block=self.count))
        return [piece._replace(when=When(turn=self.turn, path=path), stop=True)], 1


def stop_text(when: When) -> str:
    """Return a STOP in canonical words: ``STOP IF flint is on top``."""
    last = when.path[-1].tried
    assert last is not None, "a STOP has a condition"
    return f"STOP IF {text_of(last)}"


def _turn_first(text: str, turns: Sequence[Turn]) -> tuple[str | None, str]:
    """Return the short name of the coming or past turn that a text begins with, and the text after it."""
    head, _, tail = text.partition(":")
    spelt = words(text[:_MAX_TURN_NAME_CHARS])
    ends = [spelt[n - 1].end for n in range(min(len(spelt) - 1, _MAX_TURN_WORDS), 0, -1)]
    for turn_text, rest in ((head, tail), *((text[:end], text[end:]) for end in ends)):
        turn = find_turn(turn_text, turns)
        short = turn.short if turn else find_past_turn(turn_text, turns)
        if short is not None:
            return short, rest.strip(" ,;:")
    return None, ""


def _explain_unknown_condition(condition_text: str) -> str:
    """Return why we couldn't read a condition."""
    if not condition_text.strip():
        return sentence("condition_blocks.condition_missing")
    return sentence("condition_blocks.condition_unknown", condition=condition_text.strip())


def _no_turn(text: str, turn_text: str, turns: Sequence[Turn]) -> OrderPiece:
    if not turns:
        return OrderPiece(text, fault=sentence("condition_blocks.no_later_turns"))
    later = next((turn for turn in turns[1:] if turn.kind == "moves"), turns[-1]).short
    problem = sentence(
        "condition_blocks.not_a_turn" if turn_text else "condition_blocks.turn_missing",
        turn=turn_text,
        first=turns[0].short,
        last=turns[-1].short,
    )
    return OrderPiece(text, fault=problem, instead=f"PHASE {later}")


# Conditions with a negation: "Germany is not in Munich", "Germany doesn't own Munich".


KeyPhrase = tuple[str, ...]
_MAX_DENIALS = 3
"""The most negations of a condition that are looked at."""


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return read_toml("orders", "denials.toml")


@lru_cache(maxsize=1)
def _nobody() -> tuple[tuple[KeyPhrase, ...], frozenset[str]]:
    """Return the words for no one, the longest first, and the words between that and the place."""
    table = _table()["nobody"]
    phrases = sorted(map(keys, table["words"]), key=len, reverse=True)
    return tuple(phrases), frozenset(key for word in table["passed"] for key in keys(word))


def affirmative_readings(line: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of a condition without one negation, in all ways that may be meant.

    If it has several, all but one must be names: "Germany is not in NOT".
    """
    word_keys = tuple(word.key for word in line)
    names, passed = _nobody()
    for name in names:
        if word_keys[: len(name)] == name:
            at = len(name)
            while at < len(line) and word_keys[at] in passed:
                at += 1
            if at < len(line):
                yield list(line[at:])
            return
    denials = list(islice(_denials(word_keys), _MAX_DENIALS))
    for start, end, instead in denials:
        for put in (instead, ("a",)) if word_keys[start] == "no" else (instead,):
            here = [Word(key, line[start].start, line[end - 1].end) for key in put]
            yield [*line[:start], *here, *line[end:]]
        if word_keys[start] == "no" and len(denials) == 1:
            # "No army is in Munich": the negation is of an army there.
            yield [*line[:start], *(word for word in line[end:] if word.key not in passed)]


def _denials(word_keys: KeyPhrase) -> Iterator[tuple[int, int, KeyPhrase]]:
    """Return the start and end of a negation, and its replacement."""
    table = _table()
    out = sorted(map(keys, table["out"]["words"]), key=len, reverse=True)
    helped = table["helped"]
    at = 0
    while at < len(word_keys):
        size: int = 1
        instead: KeyPhrase | None = None
        if word_keys[at] in helped["glued"] and at + 1 < len(word_keys):
            size, instead = 2, (word_keys[at + 1] + helped["ending"],)
        elif (
            word_keys[at] in helped["words"]
            and word_keys[at + 1 : at + 2] == ("not",)
            and at + 2 < len(word_keys)
        ):
            size, instead = 3, (word_keys[at + 2] + helped["ending"],)
        elif word_keys[at] in table["instead"]:
            instead = (table["instead"][word_keys[at]],)
            # A French negation has two words with a verb between them: "n'est pas".
            if word_keys[at][0] == "n" and word_keys[at + 1 : at + 2] == ("not",):
                size = 2
        else:
            outer = next((phrase for phrase in out if word_keys[at : at + len(phrase)] == phrase), None)
            if outer is not None:
                size, instead = len(outer), ()
        if instead is not None:
            yield at, at + size, instead
        at += size
