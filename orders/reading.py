"""The whole letter, line by line: which stretches are orders, which are commands, and what they mean."""

# Rule 1: what is in force was meant. A line that may be chat, or means one thing only perhaps, is doubtful.
# Rule 2: a stretch is read as it is spelt; then split; then mended; then judged by its looks.
# Rule 3: nothing that a player would expect an answer to is passed over.

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from games.protocol import Form, Lexicon, Order
from games.record import changed
from orders import commands as command_table
from orders import forms as form_machine
from orders import lexicon as name_index
from orders.body import FreshLine
from orders.commands import Command, Given, Verb
from orders.fences import FENCES, Fence, conditional, fence_of, hangs
from orders.stretch import LONGEST_LINE, Reader
from orders.verdict import IN_FORCE, Verdict
from orders.words import keys, tidy, unbulleted

_STOPS = {("quit",), ("stop",), ("end", "of", "orders"), ("end", "orders"), ("eof",)}
_HEADINGS = {("orders",), ("my", "orders"), ("here", "are", "my", "orders"), ("orders", "follow")}
_FULL_LINE = 62


@dataclass(frozen=True)
class Phrasebook:
    """All that reading needs of a game and of the clerk.

    build: the order of a form's name and its filled places; write: an order's canonical text; titles: names
    that may stand before a colon at the head of the sender's own orders.
    """

    commands: tuple[Verb, ...]
    forms: tuple[Form, ...]
    conditions: tuple[Form, ...]
    lexicon: Lexicon
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a letter says: its lines as they may be echoed, its orders with their grades, its commands."""

    lines: tuple[str, ...] = ()
    orders: tuple[Verdict, ...] = ()
    commands: tuple[Command, ...] = ()


def read(lines: Sequence[FreshLine], phrasebook: Phrasebook) -> Reading:
    """Read the fresh lines of a letter. Grades: taken, corrected, doubtful, ambiguous, unread."""
    pass_ = _Pass(lines, phrasebook)
    while pass_.at < len(lines) and not pass_.ended:
        pass_.step()
    return Reading(
        lines=tuple(pass_.shown), orders=_superseded(pass_.verdicts), commands=tuple(pass_.commands)
    )


def _superseded(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts, marked where a later one in force is for the same slot."""
    later: set[str] = set()
    found = []
    for verdict in reversed(verdicts):
        slot = verdict.order.slot if verdict.order is not None else None
        found.append(changed(verdict, superseded=True) if slot is not None and slot in later else verdict)
        if slot is not None and verdict.grade in IN_FORCE:
            later.add(slot)
    return tuple(reversed(found))


@dataclass
class _Pass:
    """One way through the lines of a letter."""

    lines: Sequence[FreshLine]
    book: Phrasebook
    at: int = 0
    ended: bool = False
    fence: Fence | None = None
    chat: str = ""
    shown: list[str] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = command_table.compiled(self.book.commands)
        self.reader = Reader(
            grammar=form_machine.compiled(self.book.forms),
            names=name_index.compiled(self.book.lexicon),
            build=self.book.build,
            write=self.book.write,
            titles=frozenset(keys(title) for title in self.book.titles),
        )

    def step(self) -> None:
        """Read the line where the pass stands, and those that belong to it."""
        line = self.lines[self.at]
        text = tidy(line.text[:LONGEST_LINE])
        size = self._command(line) or self._order(line, text)
        if line.source != "subject" or size < 0:
            self.shown += [self.desk.masked(one.text) for one in self._span(abs(size))]
        self.at += abs(size)

    def _span(self, size: int) -> Sequence[FreshLine]:
        return self.lines[self.at : self.at + size]

    def _command(self, line: FreshLine) -> int:
        """How many lines a command takes, as a negative number; 0: this is none."""
        given = self.desk.read(unbulleted(line.text.strip()))
        if given is None:
            return self._misspelt(line)
        text, size = self._text_after(given)
        self.commands.append(Command(line=given.shown, verb=given.verb.name, args=given.args, text=text))
        self.chat = ""
        return -size

    def _text_after(self, given: Given) -> tuple[str, int]:
        ends = {keys(end) for end in given.verb.until}
        if not ends:
            return "", 1
        rest = self.lines[self.at + 1 :]
        size = next((n for n, line in enumerate(rest) if keys(line.text) in ends), len(rest))
        return "\n".join(line.text for line in rest[:size]), min(size + 2, len(rest) + 1)

    def _misspelt(self, line: FreshLine) -> int:
        verb = self.desk.misspelt(line.text) if line.source != "subject" else None
        if verb is None:
            return 0
        shown = self.desk.masked(line.text)
        problem = f"there is no command {line.text.split()[0]}"
        self._add(
            Verdict(line=shown, source=line.source, grade="unread", problem=problem, instead=verb.example)
        )
        return -1

    def _order(self, line: FreshLine, text: str) -> int:
        """How many lines the order takes, negative where something was read; prose takes one."""
        said = keys(text)
        if not said or text.startswith("#") or said in _HEADINGS or self._is_title(said):
            self.chat = ""
            return 1
        if said in _STOPS and line.source != "subject":
            self.ended = True
            return 1
        fenced = self._fenced(line, text)
        if fenced:
            return fenced
        size = self._joined(line)
        whole = " ".join(one.text for one in self._span(size))
        verdicts = self._judged(line, whole)
        if line.source == "subject":
            verdicts = [verdict for verdict in verdicts if verdict.grade in IN_FORCE]
        for verdict in verdicts:
            self._add(verdict)
        self.chat = "" if verdicts else text
        return -size if verdicts else size

    def _is_title(self, said: tuple[str, ...]) -> bool:
        plain = said[:-1] if said[-1] == ":" else said
        if plain[:2] == ("orders", "for"):
            plain = plain[2:]
        elif plain[-1:] == ("orders",):
            plain = plain[:-1]
        plain = tuple(key for key in plain if key != "the")
        return plain in self.reader.titles or plain in _HEADINGS

    def _judged(self, line: FreshLine, text: str) -> list[Verdict]:
        verdicts = self.reader.read(text, line.source)
        if verdicts and self._in_chat(line):
            return [_doubted(v, "it stands in the middle of a paragraph") for v in verdicts]
        return verdicts

    def _in_chat(self, line: FreshLine) -> bool:
        """Whether the line above is prose that may run on into this one: its first word had no room there."""
        if not line.after_gap and hangs(self.chat):
            return True
        if line.after_gap or self.chat[-1:] in ("", *".!?:;)"):
            return False
        return len(self.chat) + 1 + len(line.text.split()[0]) >= _FULL_LINE

    def _joined(self, line: FreshLine) -> int:
        """How many lines make one order that a mail program broke: 1 or 2."""
        following = self.lines[self.at + 1 : self.at + 2]
        if not following or following[0].after_gap or following[0].source != line.source:
            return 1
        if len(line.text) + len(following[0].text) > LONGEST_LINE:
            return 1
        first, second = tidy(line.text), tidy(following[0].text)
        complete = self.reader.is_exact(first)
        if complete and (second[:1] != "-" or len(first) < _FULL_LINE):
            return 1
        if not complete and not self.reader.is_unfinished(first):
            return 1
        alone = self.reader.is_exact(second)
        return 2 if not alone and self.reader.is_exact(f"{first} {second}") else 1

    def _fenced(self, line: FreshLine, text: str) -> int:
        """Orders under a condition or for a later phase are answered and not taken."""
        opened, fence = fence_of(text), self.fence
        if fence is None and opened is None:
            return self._conditional(line, text)
        fence = fence or opened
        assert fence is not None
        closed = fence.closes(text)
        self.fence = None if closed else fence
        if opened is None and not closed and not self.reader.read(text, line.source):
            return 1
        if len(keys(text)) > 2 or not closed:
            self._refuse(line, fence.problem)
        return -1

    def _conditional(self, line: FreshLine, text: str) -> int:
        rest = conditional(text)
        if rest is None or not self.reader.is_exact(rest):
            return 0
        self._refuse(line, FENCES[0].problem)
        return -1

    def _refuse(self, line: FreshLine, problem: str) -> None:
        self._add(Verdict(line=line.text, source=line.source, grade="unread", problem=problem))

    def _add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)


def _doubted(verdict: Verdict, why: str) -> Verdict:
    if verdict.grade not in IN_FORCE:
        return verdict
    return changed(verdict, grade="doubtful", problem=why, instead=verdict.said)
