"""Where in a letter's IFs and PHASEs a line stands, and what hangs on them."""

# Rule 1: only a line that opens, continues or ends something is taken apart; others are left to `reading`.
# Rule 2: an order whose condition or turn was not understood is asked back, never taken.
# Rule 3: an order on the line of its IF is all that hangs on it, unless an ELSE or an ENDIF comes later.

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from games.protocol import Turn
from orders.conditions import NOW, Branch, Tree, When, questions_of, text_of
from orders.parsing.column import ENDS, KEYWORD, NOTHING, OPENS, PHASE, Below
from orders.parsing.condition_texts import NEXT, Conditions
from orders.parsing.phases import turn_gone, turn_named
from orders.words import keys, words

_MEANT = re.compile(r"^IF\b(?!.*\b(?:I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)\b)|^(?:ELSE|ENDIF|END IF)\b")
_THEN = re.compile(r"^if\b.*\bthen\W*$|^if\b(?>.*?\bthen\b).*\bend ?if\W*$", re.IGNORECASE)
_END_PHASE = re.compile(r"^end ?phase\W*$", re.IGNORECASE)
_SEASON = re.compile(r"^(?:[a-z]\d+[a-z]?$|spring|summer|fall|autumn|winter|turn \d)", re.IGNORECASE)
_TEST = re.compile(r"^(?:else\W+if|elseif|elsif|if)\b", re.IGNORECASE)
_HAS_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_LEADING_THEN = re.compile(r"^then\b\W*", re.IGNORECASE)
_GOES_ON = re.compile(r"^(?:and|or)\b", re.IGNORECASE)
_STOP = re.compile(r"^stop\s+(?:if|when|once|as soon as)\s+", re.IGNORECASE)
_LONGEST_TURN, _LONGEST_NAME, _MOST_LINES = 6, 120, 4

DEEPEST_IFS, MOST_QUESTIONS = 12, 60
"""So deep IFs may stand in each other, and on so many questions to the game an order may hang."""


class Piece(NamedTuple):
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
class _Frame:
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
        return sum(map(questions_of, (*self.branch.refused, *tried)))


@dataclass
class Blocks:
    """The IFs and the PHASE that are open at a place of a letter.

    turns: those that PHASE may name.
    """

    conditions: Conditions
    turns: Callable[[], Sequence[Turn]]
    turn: str | None = None
    turn_doubt: str | None = None
    frames: list[_Frame] = field(default_factory=list)
    count: int = 0

    @property
    def when(self) -> When:
        """What an order here hangs on."""
        known = (frame.branch for frame in self.frames if frame.branch.tried or frame.branch.refused)
        return When(turn=self.turn, path=tuple(known))

    @property
    def told(self) -> str | None:
        """What was corrected in it, to be said with each order that hangs on it."""
        return "; ".join(frame.told for frame in self.frames if frame.told) or None

    @property
    def doubt(self) -> str | None:
        """Why that was not understood; None: it was."""
        return next((frame.doubt for frame in self.frames if frame.doubt), None) or self.turn_doubt

    def take(self, text: str, below: Callable[[], Below]) -> tuple[list[Piece], int] | None:
        """The pieces of a line that governs others, and how many lines it takes; None for any other line."""
        stop, phase = _STOP.match(text), PHASE.match(text)
        if stop:
            return self._stop(text, text[stop.end() :])
        if _END_PHASE.match(text):
            self.turn, self.turn_doubt, self.frames = None, None, []
            return [], 1
        if phase:
            return self._phase(text, text[phase.end() :])
        ends = self.frames and ENDS.search(text)
        if not OPENS.match(text) and not ends:
            return None
        following = below()
        whole, size = self._whole(text, following)
        if not self._is_meant(whole):
            return None
        return self._pieces(whole, following.past(size - 1)), size

    def head(self, turn: Turn, text: str) -> None:
        """A heading came that names a turn: what stands below it may be meant for that one."""
        self.frames = []
        if turn == self.turns()[0]:
            self.turn = self.turn_doubt = None
        else:
            self.turn = turn.short
            self.turn_doubt = f"it stands below {text.strip(' :')}; write PHASE {turn.short} for a later turn"

    def past_gap(self, rest: Callable[[], Below]) -> None:
        """An empty line came: what stands below an IF without an end may belong to it or not."""
        if self.frames and self.frames[-1].read and not rest().closes:
            doubt = "it may belong to the IF above or not; write ENDIF where that ends"
            self.frames[-1] = replace(self.frames[-1], doubt=doubt)

    def note_order(self) -> None:
        """An order was read here."""
        if self.frames:
            self.frames[-1] = replace(self.frames[-1], read=True)

    def _is_meant(self, text: str) -> bool:
        """Whether an IF or ELSE is more than a word of talk."""
        if self.frames and text[:2].lower() != "if":
            return True
        if _MEANT.match(text) or _THEN.match(text):
            return True
        return text[:2].lower() == "if" and self.conditions.first(text[2:].strip()) is not None

    def _whole(self, text: str, below: Below) -> tuple[str, int]:
        """The line with those on which its condition goes on, and how many they are."""
        begun = _TEST.match(text)
        if begun is None or _HAS_THEN.search(text):
            return text, 1
        following = below.lines(_MOST_LINES)
        for size in range(min(_MOST_LINES, len(following) + 1)):
            goes_on = size < len(following) and _GOES_ON.match(following[size])
            whole = " ".join((text, *following[:size]))
            if not goes_on and self.conditions.first(whole[begun.end() :].strip()) is not None:
                return whole, size + 1
        return text, 1

    def _pieces(self, text: str, following: Below) -> list[Piece]:
        found: list[Piece] = []
        text, at = _LEADING_THEN.sub("", text), 0
        while at < len(text):
            keyword = NEXT.match(text, at)
            if keyword is None:
                end = next((m.start() for m in NEXT.finditer(text, at)), len(text))
                found += self._order(text[at:end])
                at = end
                continue
            word, rest = re.sub(r"\W+", "", keyword[1].lower()), text[keyword.end() :].strip()
            if word in ("if", "elseif", "elsif"):
                rest, faults = self._test(rest, word != "if", text)
                found += faults
            elif word == "else":
                found += self._else(text)
            elif word == "endif" and self.frames:
                self._end()
            text, at = rest, 0
        self._end_line(following)
        return found

    def _end(self) -> None:
        """An ENDIF came."""
        if self.frames[-1].inside:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside - 1)
        else:
            self.frames.pop()

    def _end_line(self, following: Below) -> None:
        """Close what was written on one line, if nothing more of it comes."""
        while self.frames and self.frames[-1].lined and self.frames[-1].read and not following.closes:
            self.frames.pop()
        self.frames = [frame if frame.read else replace(frame, lined=False) for frame in self.frames]

    def _order(self, text: str) -> list[Piece]:
        plain = text.strip().strip(",;:").strip()
        if not keys(plain):
            return []
        self.note_order()
        stop = _STOP.match(plain)
        return (
            [Piece(plain, self.when, self.doubt, self.told)]
            if not stop
            else self._stop(plain, plain[stop.end() :])[0]
        )

    def _test(self, rest: str, chained: bool, text: str) -> tuple[str, list[Piece]]:
        """An IF or ELSE IF begins: its frame, what follows its condition, and what is wrong with it."""
        read = self.conditions.first(rest)
        nearly = None if read else self.conditions.nearly(rest)
        keyword = KEYWORD.search(rest)
        said = rest[: keyword.start()] if keyword else rest
        doubt, told, faults = None, None, []
        if chained and not self.frames:
            faults.append(
                Piece(text, fault="there is no IF above this ELSE", instead=self.conditions.example)
            )
            chained, doubt = False, "there is no IF above its ELSE"
        if nearly is not None:
            read, told = (nearly.tree, nearly.rest), nearly.told
            doubt = doubt if nearly.is_sure else doubt or f"of its condition: {told}"
        elif read is None:
            problem = f"{said.strip() or 'nothing'} is no condition that this game knows"
            faults.append(Piece(text, fault=problem, instead=self.conditions.example))
            doubt = "its condition was not understood"
        tree = read[0] if read else None
        if (excess := self._excess(tree, chained)) is not None:
            why = f"{excess}; write ENDIF where an IF ends, or fewer conditions"
            faults += [] if faults else [Piece(text, fault=why)]
            tree, doubt = None, f"of its conditions: {excess}"
        if chained:
            self._go_on(tree, doubt, told)
        else:
            self._open(tree, doubt, told)
        return _LEADING_THEN.sub("", (read[1] if read else rest[len(said) :]).strip()), faults

    def _excess(self, tree: Tree | None, chained: bool) -> str | None:
        """Why a letter cannot hold one more condition here, or None."""
        if not chained and len(self.frames) >= DEEPEST_IFS:
            return f"more than {DEEPEST_IFS} IFs are open"
        asked = sum(frame.questions for frame in self.frames) + (questions_of(tree) if tree else 0)
        return f"an order can hang on {MOST_QUESTIONS} conditions at most" if asked > MOST_QUESTIONS else None

    def _open(self, tree: Tree | None, doubt: str | None, told: str | None) -> None:
        """One more IF is open. Those that stand too deep are counted in the last that does not."""
        self.count += 1
        frame = _Frame(Branch(tried=tree, block=self.count), doubt, told)
        if len(self.frames) <= DEEPEST_IFS:
            self.frames.append(frame)
        else:
            self.frames[-1] = replace(self.frames[-1], inside=self.frames[-1].inside + 1, read=False)

    def _else(self, text: str) -> list[Piece]:
        if not self.frames:
            self.count += 1
            self.frames.append(_Frame(Branch(block=self.count), "there is no IF above its ELSE"))
            return [Piece(text, fault="there is no IF above this ELSE", instead=self.conditions.example)]
        self._go_on(None)
        return []

    def _go_on(self, tried: Tree | None, doubt: str | None = None, told: str | None = None) -> None:
        """The next branch of the innermost IF."""
        above = self.frames.pop()
        if above.inside:
            self.frames.append(above)
            return
        refused = (*above.branch.refused, *([above.branch.tried] if above.branch.tried else []))
        branch = Branch(refused=refused, tried=tried, block=above.branch.block)
        said = "; ".join(one for one in (above.told, told) if one) or None
        self.frames.append(replace(above, branch=branch, doubt=above.doubt or doubt, told=said, read=False))

    def _phase(self, text: str, said: str) -> tuple[list[Piece], int] | None:
        turns = self.turns()
        turn, rest = _turn_first(said, turns)
        if turn is None:
            if not text.startswith("PHASE") and not _SEASON.match(said):
                return None
            rest = said.partition(":")[2].strip()
        was = (self.turn, self.turn_doubt, self.frames)
        self.turn, self.turn_doubt, self.frames = turn, None, []
        found = []
        if turn is None:
            self.turn_doubt = "its PHASE was not understood"
            found.append(_no_turn(text, said, turns))
        if rest:
            inner = self.take(rest, lambda: NOTHING)
            found += inner[0] if inner else self._order(rest)
            self.turn, self.turn_doubt, self.frames = was
        return found, 1

    def _stop(self, text: str, said: str) -> tuple[list[Piece], int]:
        tree = self.conditions.read(said)
        if tree is None:
            problem = f"{said.strip()} is no condition that this game knows"
            instead = self.conditions.example and self.conditions.example.replace("IF", "STOP IF", 1)
            return [Piece(text, fault=problem, instead=instead and instead.removesuffix(" THEN"))], 1
        self.count += 1
        path = (*self.when.path, Branch(tried=tree, block=self.count))
        return [Piece(text, When(turn=self.turn, path=path), self.doubt, self.told, stop=True)], 1


def stop_text(when: When) -> str:
    """A STOP in canonical words: ``STOP IF flint is on top``."""
    last = when.path[-1].tried
    assert last is not None, "a STOP has a condition"
    return f"STOP IF {text_of(last)}"


def _turn_first(text: str, turns: Sequence[Turn]) -> tuple[str | None, str]:
    """The short name of the turn that a text begins with, to come or gone, and the orders behind it."""
    head, _, tail = text.partition(":")
    spelt = words(text[:_LONGEST_NAME])
    ends = [spelt[n - 1].end for n in range(min(len(spelt) - 1, _LONGEST_TURN), 0, -1)]
    for said, rest in ((head, tail), *((text[:end], text[end:]) for end in ends)):
        turn = turn_named(said, turns)
        short = turn.short if turn else turn_gone(said, turns)
        if short is not None:
            return short, rest.strip(" ,;:")
    return None, ""


def _no_turn(text: str, said: str, turns: Sequence[Turn]) -> Piece:
    if not turns:
        return Piece(text, fault="this game takes no orders for later turns")
    later = next((turn for turn in turns[1:] if turn.kind == "moves"), turns[-1]).short
    problem = (
        f"{said or 'nothing'} names no turn for which orders are taken: those are the turns "
        f"from {turns[0].short} to {turns[-1].short}"
    )
    return Piece(text, fault=problem, instead=f"PHASE {later}")
