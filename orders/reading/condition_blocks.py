"""The IFs and PHASEs of a letter: what they ask, and which lines depend on them."""

# Rule 1: only a line that opens, continues or ends something is taken apart; others are left to `reading`.
# Rule 2: an order whose condition or turn was not understood is asked back, never taken.
# Rule 3: an order on the line of its IF is all that hangs on it, unless an ELSE or an ENDIF comes later.

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from games.protocol import Turn
from orders.conditions import NOW, Branch, Tree, When, count_questions, text_of
from orders.reading.column import (
    CONDITION_KEYWORD_PATTERN,
    CONDITION_START_PATTERN,
    ENDIF_PATTERN,
    NO_LINES_BELOW,
    PHASE_PATTERN,
    LinesBelow,
)
from orders.reading.condition_texts import ORDER_END_KEYWORD_PATTERN, Conditions
from orders.reading.phases import find_past_turn, find_turn
from orders.words import keys, words

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
"""So deep IFs may stand in each other, and on so many questions to the game an order may hang."""


class OrderPiece(NamedTuple):
    """A part of a line: an order's text or a STOP with what it hangs on, or what is wrong with the line.

    doubt: why what it hangs on was not understood; told: what was corrected in it.
    stop: the piece is a STOP, its condition is `when`'s.
    fault, instead: what to tell of a piece that governs others and cannot be read.
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
    """An IF that is open. doubt: why its conditions are not understood; read: orders stood in this branch.

    told: what was corrected in its conditions.
    lined: each of its branches so far has its orders on its own line. inside: IFs open in it that stand too
    deep to be read.
    """

    branch: Branch
    doubt: str | None = None
    told: str | None = None
    read: bool = False
    lined: bool = True
    inside: int = 0

    @property
    def questions(self) -> int:
        """On how many questions its orders hang."""
        tried = (self.branch.tried,) if self.branch.tried else ()
        return sum(map(count_questions, (*self.branch.refused, *tried)))


@dataclass
class Blocks:
    """The IFs and the PHASE that are open at a place of a letter.

    turns: those that PHASE may name.
    """

    conditions: Conditions
    turns: Callable[[], Sequence[Turn]]
    turn: str | None = None
    turn_doubt: str | None = None
    frames: list[_IfFrame] = field(default_factory=list)
    count: int = 0

    @property
    def when(self) -> When:
        """Return the condition of an order here."""
        known = (frame.branch for frame in self.frames if frame.branch.tried or frame.branch.refused)
        return When(turn=self.turn, path=tuple(known))

    @property
    def corrections(self) -> str | None:
        """Return what was corrected in its conditions, to be said with each order that depends on them."""
        return "; ".join(frame.told for frame in self.frames if frame.told) or None

    @property
    def doubt(self) -> str | None:
        """Why that was not understood; None: it was."""
        return next((frame.doubt for frame in self.frames if frame.doubt), None) or self.turn_doubt

    def take(self, text: str, below: Callable[[], LinesBelow]) -> tuple[list[OrderPiece], int] | None:
        """The pieces of a line that governs others, and how many lines it takes; None for any other line."""
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
        """Return whether a line in English is one that `take` would take."""
        if _STOP_LINE_PATTERN.match(text) or PHASE_PATTERN.match(text) or _END_PHASE.match(text):
            return True
        ends = self.frames and ENDIF_PATTERN.search(text)
        return bool((CONDITION_START_PATTERN.match(text) or ends) and self._is_meant(text))

    def head(self, turn: Turn, text: str) -> None:
        """A heading came that names a turn: what stands below it may be meant for that one."""
        self.frames = []
        if turn == self.turns()[0]:
            self.turn = self.turn_doubt = None
        else:
            self.turn = turn.short
            self.turn_doubt = f"it stands below {text.strip(' :')}; write PHASE {turn.short} for a later turn"

    def past_gap(self, rest: Callable[[], LinesBelow]) -> None:
        """An empty line came: what stands below an IF without an end may belong to it or not."""
        if self.frames and self.frames[-1].read and not rest().closes:
            doubt = "it may belong to the IF above or not; write ENDIF where that ends"
            self.frames[-1] = replace(self.frames[-1], doubt=doubt)

    def note_order(self) -> None:
        """An order was read here."""
        if self.frames:
            self.frames[-1] = replace(self.frames[-1], read=True)

    def _is_meant(self, text: str) -> bool:
        """Return whether an IF or ELSE is more than a word of talk."""
        if self.frames and text[:2].lower() != "if":
            return True
        if _MEANT.match(text) or _IF_THEN_LINE_PATTERN.match(text):
            return True
        return text[:2].lower() == "if" and self.conditions.first(text[2:].strip()) is not None

    def _whole(self, text: str, below: LinesBelow) -> tuple[str, int]:
        """The line with those on which its condition goes on, and how many they are."""
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
                rest, faults = self._test(rest, word != "if", text)
                pieces += faults
            elif word == "else":
                pieces += self._else(text)
            elif word == "endif" and self.frames:
                self._end()
            text, at = rest, 0
        self._end_line(following)
        return pieces

    def _end(self) -> None:
        """An ENDIF came."""
        if self.frames[-1].inside:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside - 1)
        else:
            self.frames.pop()

    def _end_line(self, following: LinesBelow) -> None:
        """Close what was written on one line, if nothing more of it comes."""
        while self.frames and self.frames[-1].lined and self.frames[-1].read and not following.closes:
            self.frames.pop()
        self.frames = [frame if frame.read else replace(frame, lined=False) for frame in self.frames]

    def _order(self, text: str) -> list[OrderPiece]:
        plain = text.strip().strip(",;:").strip()
        if not keys(plain):
            return []
        self.note_order()
        stop = _STOP_LINE_PATTERN.match(plain)
        return (
            [OrderPiece(plain, self.when, self.doubt, self.corrections)]
            if not stop
            else self._stop(plain, plain[stop.end() :])[0]
        )

    def _test(self, rest: str, chained: bool, text: str) -> tuple[str, list[OrderPiece]]:
        """An IF or ELSE IF begins: its frame, what follows its condition, and what is wrong with it."""
        read = self.conditions.first(rest)
        nearly = None if read else self.conditions.nearly(rest)
        keyword = CONDITION_KEYWORD_PATTERN.search(rest)
        condition_text = rest[: keyword.start()] if keyword else rest
        doubt, correction, faults = None, None, []
        if chained and not self.frames:
            faults.append(
                OrderPiece(text, fault="there is no IF above this ELSE", instead=self.conditions.example)
            )
            chained, doubt = False, "there is no IF above its ELSE"
        if nearly is not None:
            read, correction = (nearly.tree, nearly.rest), nearly.told
            doubt = doubt if nearly.is_sure else doubt or f"of its condition: {correction}"
        elif read is None:
            problem = f"{condition_text.strip() or 'nothing'} is no condition that this game knows"
            faults.append(OrderPiece(text, fault=problem, instead=self.conditions.example))
            doubt = "its condition was not understood"
        tree = read[0] if read else None
        if (excess := self._excess(tree, chained)) is not None:
            why = f"{excess}; write ENDIF where an IF ends, or fewer conditions"
            faults += [] if faults else [OrderPiece(text, fault=why)]
            tree, doubt = None, f"of its conditions: {excess}"
        if chained:
            self._go_on(tree, doubt, correction)
        else:
            self._open(tree, doubt, correction)
        return _LEADING_THEN.sub("", (read[1] if read else rest[len(condition_text) :]).strip()), faults

    def _excess(self, tree: Tree | None, chained: bool) -> str | None:
        """Why a letter cannot hold one more condition here, or None."""
        if not chained and len(self.frames) >= MAX_IF_DEPTH:
            return f"more than {MAX_IF_DEPTH} IFs are open"
        asked = sum(frame.questions for frame in self.frames) + (count_questions(tree) if tree else 0)
        return (
            f"an order can hang on {MAX_QUESTIONS_PER_ORDER} conditions at most"
            if asked > MAX_QUESTIONS_PER_ORDER
            else None
        )

    def _open(self, tree: Tree | None, doubt: str | None, correction: str | None) -> None:
        """One more IF is open. Those that stand too deep are counted in the last that does not."""
        self.count += 1
        frame = _IfFrame(Branch(tried=tree, block=self.count), doubt, correction)
        if len(self.frames) <= MAX_IF_DEPTH:
            self.frames.append(frame)
        else:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside + 1, read=False)

    def _else(self, text: str) -> list[OrderPiece]:
        if not self.frames:
            self.count += 1
            self.frames.append(_IfFrame(Branch(block=self.count), "there is no IF above its ELSE"))
            return [OrderPiece(text, fault="there is no IF above this ELSE", instead=self.conditions.example)]
        self._go_on(None)
        return []

    def _go_on(self, tried: Tree | None, doubt: str | None = None, correction: str | None = None) -> None:
        """The next branch of the innermost IF."""
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
            self.turn_doubt = "its PHASE was not understood"
            pieces.append(_no_turn(text, turn_text, turns))
        if rest:
            inner = self.take(rest, lambda: NO_LINES_BELOW)
            pieces += inner[0] if inner else self._order(rest)
            self.turn, self.turn_doubt, self.frames = was
        return pieces, 1

    def _stop(self, text: str, condition_text: str) -> tuple[list[OrderPiece], int]:
        tree = self.conditions.read(condition_text)
        if tree is None:
            problem = f"{condition_text.strip()} is no condition that this game knows"
            instead = self.conditions.example and self.conditions.example.replace("IF", "STOP IF", 1)
            return [OrderPiece(text, fault=problem, instead=instead and instead.removesuffix(" THEN"))], 1
        self.count += 1
        path = (*self.when.path, Branch(tried=tree, block=self.count))
        return [OrderPiece(text, When(turn=self.turn, path=path), self.doubt, self.corrections, stop=True)], 1


def stop_text(when: When) -> str:
    """A STOP in canonical words: ``STOP IF flint is on top``."""
    last = when.path[-1].tried
    assert last is not None, "a STOP has a condition"
    return f"STOP IF {text_of(last)}"


def _turn_first(text: str, turns: Sequence[Turn]) -> tuple[str | None, str]:
    """The short name of the turn that a text begins with, to come or gone, and the orders behind it."""
    head, _, tail = text.partition(":")
    spelt = words(text[:_MAX_TURN_NAME_CHARS])
    ends = [spelt[n - 1].end for n in range(min(len(spelt) - 1, _MAX_TURN_WORDS), 0, -1)]
    for turn_text, rest in ((head, tail), *((text[:end], text[end:]) for end in ends)):
        turn = find_turn(turn_text, turns)
        short = turn.short if turn else find_past_turn(turn_text, turns)
        if short is not None:
            return short, rest.strip(" ,;:")
    return None, ""


def _no_turn(text: str, turn_text: str, turns: Sequence[Turn]) -> OrderPiece:
    if not turns:
        return OrderPiece(text, fault="this game takes no orders for later turns")
    later = next((turn for turn in turns[1:] if turn.kind == "moves"), turns[-1]).short
    problem = (
        f"{turn_text or 'nothing'} names no turn for which orders are taken: those are the turns "
        f"from {turns[0].short} to {turns[-1].short}"
    )
    return OrderPiece(text, fault=problem, instead=f"PHASE {later}")
