"""Reads a whole email, line by line: its orders and commands, and their meanings."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from games.protocol import Condition, Form, Lexicon, Order, Turn
from games.record import Value, replace_fields
from orders import commands as command_table
from orders.commands import (
    UNKNOWN_VERB,
    Command,
    CommandParser,
    Known,
    ParsedCommand,
    Verb,
    command_elsewhere,
    is_in_capitals,
    nothing_known,
    suggest_command,
    transposed_command,
)
from orders.conditions import NOW
from orders.mail.body import FreshLine
from orders.messages import sentence
from orders.reading import careful_lines, structure
from orders.reading import forms as form_machine
from orders.reading import lexicon as name_index
from orders.reading.budget import ReadingBudget, ask_once
from orders.reading.careful_lines import (
    REPLACEMENT_CHARACTER,
    ask_command,
    ask_damaged,
    begins_like_order,
    begins_with_order,
    drop_repetitions,
    name_nothing,
    read_below_sheet_line,
    read_damaged,
    says_nothing_else,
    settle_by_language,
    split_flowed,
)
from orders.reading.condition_blocks import (
    Blocks,
    Conditions,
    LetterColumn,
    LinesBelow,
    OrderPiece,
    stop_text,
)
from orders.reading.grading import WeighingRecord
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import is_courtesy
from orders.reading.prose import (
    FULL_LINE_CHARS,
    Filler,
    continues_sentence,
    goes_through,
    is_closing,
    is_hypothetic,
    runs_on,
)
from orders.reading.replacements import mark_superseded
from orders.reading.spans import JOINT_AT_END_PATTERN, MAX_LINE_CHARS, SpanReader
from orders.reading.structure import AllHold, expand_all_hold, present_words, turn_in_heading
from orders.verdict import IN_FORCE, LineVerdict, Source, mark_doubtful
from orders.words import DASH, keys, strip_bullets, tidy, words

# Everything about the game and the service that reading needs, as one value.


class ParseContext(Value, frozen=True):
    """Everything about the game and the service that reading needs.

    build: returns the order for a form's name and its places. write: an order's canonical text. titles: names
    that may precede a colon before the sender's own orders. seats: the names of all seats, in every language.
    turns: the turns that PHASE may name, the current one first. phrase: a condition's canonical text.
    resting: the meaning of "all hold", one order per unit. doubt: why a form with its places may be wrong.
    fitted: an order with the information of its text beyond its form, and errors in the text. native: forms
    and lexicon of the game's own language, if it has several; a text that these read isn't tried in others.
    reaches: whether an order is possible now, None: unknown. examples: by form, an order that is possible
    now, None: the forms' own, which only show the notation. misgiving: why a text may not mean its order.
    tongues: the names of each other language. known: by command, the names that show that a line isn't chat.
    """

    commands: tuple[Verb, ...]
    forms: tuple[Form, ...]
    conditions: tuple[Form, ...]
    lexicon: Lexicon
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    turns: Callable[[], Sequence[Turn]] = tuple
    phrase: Callable[[Condition], str] = lambda condition: " ".join(
        (condition.form, *condition.slots.values())
    )
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = lambda _form, _slots: None
    known: Known = nothing_known
    fitted: Callable[[Order, str], tuple[Order, str | None]] = lambda order, _text: (order, None)
    examples: Callable[[], Mapping[str, str] | None] = lambda: None
    misgiving: Callable[[Order, str], str | None] = lambda _order, _text: None
    reaches: Callable[[Order], bool] | None = None
    native: tuple[tuple[Form, ...], Lexicon] | None = None
    tongues: Callable[[], Mapping[str, Lexicon]] = dict


# Rule 1: only certain readings count. A line that may be chat, or is only probably an order, is doubtful.
# Rule 2: a span is read as it is spelt, then split, then corrected, then judged by its form. Rule 3: no text
# is skipped if the player would expect a reply to it. Rule 4: the work grows in proportion to the email's
# length and stops at its budget.


_FAREWELL_READ, _NAME_READ = 1, 2
"""The state at the end of an email: a farewell was read, then a name."""

_END_OF_ORDERS_LINES = {("quit",), ("stop",), ("end", "of", "orders"), ("end", "orders"), ("eof",)}
_ORDERS_HEADINGS = {("orders",), ("my", "orders"), ("here", "are", "my", "orders"), ("orders", "follow")}
_REMARK_LINE_PATTERN, _MAX_HEADING_WORDS, _MAX_SIGNATURE_WORDS = re.compile(r"#(?!\d)"), 10, 4
_MIN_CONTINUATION_WORDS = 3
CHARS_PER_WORK_UNIT = 4
"""This many characters of a line cost as much as a word looked up."""
_NAMES_SEASON = re.compile(r"spring|summer|autumn|fall|winter", re.IGNORECASE)
_CONDITIONAL = re.compile(r"^(?:if|when|unless)\b.+?(?:,|\bthen\b|:)\s*(?:then\b)?\s*(.+)$", re.IGNORECASE)


class LetterReading(Value, frozen=True):
    """The content of an email: its lines for quoting, its graded orders, its commands.

    beyond, unheard: the lines and the commands that were not read because the budget was used up. unknown:
    lines that look like commands and aren't any of ours, with the verb ``UNKNOWN``, the words that were typed
    and perhaps the command to write instead. They have no effect but an answer.
    """

    lines: tuple[str, ...] = ()
    orders: tuple[LineVerdict, ...] = ()
    commands: tuple[Command, ...] = ()
    unknown: tuple[Command, ...] = ()
    beyond: tuple[str, ...] = ()
    unheard: tuple[Command, ...] = ()


def read_lines(
    lines: Sequence[FreshLine],
    parse_context: ParseContext,
    allowance: ReadingBudget | None = None,
    scales: WeighingRecord | None = None,
) -> LetterReading:
    """Read the new lines of an email. Grades: taken, corrected, doubtful, ambiguous, unread.

    allowance: the email's budget, which is used up meanwhile; None: these lines are the whole email. scales:
    a record of the reading.
    """
    allowance = allowance or ReadingBudget()
    before = (allowance.lines, allowance.commands, allowance.work)
    result = _read_through(lines, parse_context, allowance, scales)
    titled = lines and lines[0].source == "subject" and keys(lines[0].text) in _ORDERS_HEADINGS
    if not (titled and result.orders):
        return result
    allowance.lines, allowance.commands, allowance.work = before
    if scales is not None:
        scales.lines.clear()
    return _read_through(lines[1:], parse_context, allowance, scales)


def _read_through(
    lines: Sequence[FreshLine],
    parse_context: ParseContext,
    allowance: ReadingBudget,
    scales: WeighingRecord | None,
) -> LetterReading:
    pass_ = _LetterPass(lines, parse_context, allowance, scales)
    while pass_.at < len(pass_.lines) and not pass_.ended:
        pass_.step()
    read = settle_by_language(pass_.verdicts, pass_.reader, parse_context.tongues)
    if pass_.remarks:
        read = drop_repetitions(read, pass_.remarks)
    verdicts = expand_all_hold(read, pass_.reader.resting, parse_context.write, pass_.reader.named_ids)
    return LetterReading(
        lines=tuple(pass_.shown),
        orders=mark_superseded(verdicts),
        commands=tuple(pass_.commands),
        unknown=pass_.find_unknown(),
        beyond=tuple(pass_.beyond),
        unheard=tuple(pass_.unheard),
    )


@dataclass
class _LetterPass:
    """One pass through the lines of an email.

    behind: the line below the current one if it may continue it, otherwise "". is_order: the current line has
    one of our words that is also a name, and is an order as it is spelt. yielding: the verb of the command
    that the current line would be without that name.
    """

    lines: Sequence[FreshLine]
    book: ParseContext
    allowance: ReadingBudget
    scales: WeighingRecord | None = None
    at: int = 0
    ended: bool = False
    behind: str = ""
    chat: str = ""
    idea: str = ""
    below_idea: bool = False
    below_hyphens: str = ""
    ending: int = 0
    shown: list[str] = field(default_factory=list)
    verdicts: list[LineVerdict] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    asked: set[tuple[str, ...]] = field(default_factory=set)
    beyond: list[str] = field(default_factory=list)
    unheard: list[Command] = field(default_factory=list)
    title: Command | None = None
    remarks: set[int] = field(default_factory=set)
    is_order: bool = False
    yielding: Verb | None = None
    prose: list[str] = field(default_factory=list)
    unknown: dict[str, Command] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = command_table.compile_verbs(self.book.commands)
        self.reader = make_reader(self.book, allowance=self.allowance, scales=self.scales)
        self.known = cache(self.book.known)
        names, exact = self.reader.names, self.reader.is_exact
        self.shared_words = _find_shared_words(self.context, names, self.reader.grammar.sorts)
        conditions = Conditions(self.book.conditions, names, self.book.phrase, exact, self.allowance)
        # Text next to a sheet doesn't apply to the sheet's lines, each of which is complete.
        self.open: dict[Source, Blocks] = defaultdict(lambda: Blocks(conditions, self.book.turns))

    def step(self) -> None:
        """Read the current line, and the lines that belong to it.

        The line at which the budget ends isn't read, like all lines after it, because it was read in part.
        """
        if self.allowance.lines <= 0 or self.allowance.work <= 0:
            self._end()
            return
        self.blocks = self.open[self.lines[self.at].source]
        orders, commands, unknown = len(self.verdicts), len(self.commands), len(self.unknown)
        if self.scales is not None:
            self.scales.begin()
        size = self._read()
        if self.scales is not None:
            verb = UNKNOWN_VERB if len(self.unknown) > unknown else None
            verb = self.commands[-1].verb if len(self.commands) > commands else verb
            self._note_weighing(self.scales, self.verdicts[orders:], verb, size)
        if self.allowance.work <= 0:
            del self.verdicts[orders:], self.commands[commands:]
            self._end()
            return
        line = self.lines[self.at]
        if line.below and size > 0:
            self.at += size
            return
        if line.source != "subject" or size < 0:
            lines_read = self.lines[self.at : self.at + abs(size)]
            self.shown += [self.context.mask_secret(line_read.text) for line_read in lines_read]
        count = 1 if len(self.commands) > commands else abs(size)
        # It counts as many lines as it has orders, and "all hold" as one more for each unit.
        ordered = len(self.verdicts) - orders
        for verdict in self.verdicts[orders:]:
            if isinstance(verdict.order, AllHold):
                ordered += len(self.reader.resting())
        self.allowance.lines -= max(count, ordered)
        self.at += abs(size)

    def _note_weighing(
        self, scales: WeighingRecord, verdicts: Sequence[LineVerdict], verb: str | None, size: int
    ) -> None:
        """Record the result and the reason for the line that was read."""
        line = self.lines[self.at]
        lines_read = self.lines[self.at : self.at + (1 if verb else abs(size))]
        shown = self.context.mask_secret(" ".join(line_read.text for line_read in lines_read))
        scales.end(shown, line.source, verdicts, verb, size < 0, self.reader.named_ids)

    def _end(self) -> None:
        """Leave the rest of the email unread."""
        self.beyond = [self.context.mask_secret(line.text) for line in self.lines[self.at :]]
        self.ended = True

    def _read(self) -> int:
        """Return the number of lines read, as a negative number if they aren't prose."""
        if self.lines[self.at].pieces:
            parted = split_flowed(self.reader, self.lines[self.at])
            self.lines = [*self.lines[: self.at], *parted, *self.lines[self.at + 1 :]]
            self.__dict__.pop("_columns", None)
        line = self.lines[self.at]
        below = self.lines[self.at + 1 : self.at + 2]
        goes_on = below and below[0].source == line.source and not below[0].after_gap
        self.behind = below[0].text if goes_on else ""
        self.allowance.work -= min(len(line.text), MAX_LINE_CHARS) // CHARS_PER_WORK_UNIT
        text = tidy(line.text[:MAX_LINE_CHARS])
        self.yielding, self.is_order = None, bool(self.shared_words) and self._is_order_anyway(text)
        if line.after_gap:
            self.blocks.past_gap(self._here)
            self.idea = "" if self.below_idea else self.idea
            self.ending = 0
        apart = line.unsure or line.below
        return self._set_apart(line, text) if apart else self._command(line) or self._order(line, text)

    def _is_order_anyway(self, text: str) -> bool:
        """Return whether a tidy line with one of our words that is also a name is an order as it is spelt."""
        if not self.shared_words:
            return False
        line_keys = keys(text)
        if self.shared_words.isdisjoint((*line_keys[:1], *line_keys[-1:])):
            return False
        plain = strip_bullets(text)
        return self.reader.is_exact(plain) or bool(self.reader.whole_orders(plain, "body"))

    def _read_command(self, text: str) -> ParsedCommand | None:
        """Return the command that a line is, or None. A line that can be an order isn't a command."""
        given = self.context.read(text, self.known)
        if given is None or not self._can_be_order(tidy(text), given):
            return given
        self.yielding = given.verb
        return None

    def _can_be_order(self, text: str, given: ParsedCommand) -> bool:
        """Return whether a tidy line that is also a command is an order."""
        if (given.verb.yields or not text.startswith(given.verb.name)) and self.reader.is_exact(text):
            # The game has an order with these words. In capitals it would be a command.
            return True
        if not self.shared_words or keys(text)[0] not in self.shared_words:
            return False
        # No command has a dash after its verb.
        goes = bool(given.args) and keys(given.args[0])[:1] == (DASH,)
        if self.is_order or not (goes or given.verb.yields):
            return self.is_order
        return any(goes or verdict.order is not None for verdict in self.reader.read(text, "body"))

    def _set_apart(self, line: FreshLine, text: str) -> int:
        """Return how many lines below two hyphens, or possibly invisible, were read: see `careful_lines`."""
        given = self.context.read(strip_bullets(line.text.strip()), self.known)
        if not line.below:
            verdicts = careful_lines.ask_unseen(self.reader, line, text, given)
        else:
            verdicts = careful_lines.read_below_hyphens(self.reader, line, text, given, self.below_hyphens)
            if not verdicts and careful_lines.governs_lines_below(self.reader, text, self.book.turns):
                self.below_hyphens = f"it is below this line: {text}"
        self.verdicts += verdicts
        size = self._text_after(given)[1] if line.below and given is not None and given.verb.until else 1
        return -size if verdicts else size

    def _here(self) -> LinesBelow:
        """Return the lines of the same source from the current one on, without bullets."""
        columns, places = self._columns
        return LinesBelow(columns[self.lines[self.at].source], places[self.at])

    @cached_property
    def _columns(self) -> tuple[dict[str, LetterColumn], list[int]]:
        """Return the lines by their source, and the place of each in its source."""
        texts: dict[str, list[str]] = {}
        places = []
        for line in self.lines:
            column = texts.setdefault(line.source, [])
            places.append(len(column))
            text = strip_bullets(tidy(line.text[:MAX_LINE_CHARS]))
            governs = not (line.unsure or self._is_order_anyway(text))
            column.append(structure.in_english(text) if governs else "")
        return {source: LetterColumn(column) for source, column in texts.items()}, places

    def _command(self, line: FreshLine) -> int:
        """Return how many lines a command takes, as a negative number; 0 if it isn't a command."""
        text = strip_bullets(line.text.strip())
        given = self._read_command(text)
        if given is None:
            asked = self.yielding is None and line.source != "subject"
            verb = self.context.misspelt(line.text, self.known) if asked else None
            if verb is None or self.reader.is_exact(tidy(text)):
                return 0
            shown = self.context.mask_secret(line.text)
            head = line.text.split()[0]
            if self.book.forms and head.isupper():
                self._note_unknown(line.text, head, suggest_command(verb, shown))
                return -1
            why = sentence("letter_reader.unknown_command", command=head)
            self.verdicts.append(
                LineVerdict(
                    line=shown,
                    source=line.source,
                    grade="unread",
                    problem=why,
                    instead=suggest_command(verb, shown),
                )
            )
            return -1
        if goes_through(self.chat, self.behind) and not line.after_gap:
            return 0
        # No one starts a sentence with a word in capitals on its own line.
        is_word = not (given.args or given.verb.until or text.startswith(given.verb.name))
        if is_word and self._says_more():
            self.verdicts.append(ask_command(given, line, sentence("letter_reader.command_may_go_on")))
            return -1
        text, size = self._text_after(given)
        self._note_command(
            Command(line=given.shown, verb=given.verb.name, args=given.args, text=text), given.verb
        )
        self.chat = ""
        self.ended = given.verb.ends
        return -size

    def _says_more(self) -> bool:
        """Return whether the next line continues a sentence: not an order, command, IF, PHASE or STOP."""
        text = self.behind
        # "Wait / until I know" goes on. Two words or a thank-you don't.
        if not text[:1].islower() or len(text.split()) < _MIN_CONTINUATION_WORDS or is_courtesy(text):
            return False
        return not (
            self.context.read(text, self.known)
            or self.blocks.governs(structure.in_english(strip_bullets(tidy(text))))
            or begins_like_order(self.reader, text)
        )

    def _note_command(self, command: Command, verb: Verb) -> None:
        """Note a command. It answers a question above, and too many aren't carried out."""
        # A question has one key, however it is spelt. GET with the word of another command is that command.
        arguments = [arg.casefold().strip(" .?!") for arg in command.args]
        question = (command.verb, *arguments)
        if command.verb == "GET" and arguments:
            head, *rest = arguments[0].upper().split(maxsplit=1)
            question = (head, *map(str.casefold, rest))
        if verb.asks and question in self.asked:
            return
        self.asked.add(question)
        if self.title is not None and self.title.verb == verb.name:
            self.commands.remove(self.title)
            self.title = None
        weight = next((one.weight for one in self.book.commands if one.name == question[0]), 1)
        if self.allowance.commands < weight:
            self.unheard.append(command)
            return
        self.allowance.commands -= weight
        self.commands.append(command)
        if verb.titles and self.lines[self.at].source == "subject":
            self.title = command

    def _text_after(self, given: ParsedCommand) -> tuple[str, int]:
        ends = {keys(end) for end in given.verb.until}
        if not ends:
            return "", 1
        rest = self.lines[self.at + 1 :]
        size = next((n for n, line in enumerate(rest) if keys(line.text) in ends), len(rest))
        if given.verb.closed and size == len(rest):
            return "", 1
        text = "\n".join("\n" * line.after_gap + line.text for line in rest[:size] if not line.unsure)
        return text.strip("\n"), min(size + 2, len(rest) + 1)

    def _order(self, line: FreshLine, text: str) -> int:
        """Return how many lines the order takes, negative if something was read. Prose takes one."""
        line_keys = keys(text)
        if not self.is_order and self._note_heading(line_keys, text, line):
            self.chat = self.idea = ""
            return 1
        if line_keys in _END_OF_ORDERS_LINES and line.source != "subject":
            self.ended = True
            return 1
        plain = strip_bullets(text)
        if structure.begins_with_structure(plain) or self.blocks.frames:
            plain = structure.in_english(plain)
        governed = 0 if self.is_order else self._read_governing(line, plain)
        if governed:
            return governed
        size = self._count_joined(line)
        whole = " ".join(line_read.text for line_read in self.lines[self.at : self.at + size])
        listed = JOINT_AT_END_PATTERN.sub("", whole)
        if size == 1 and listed != whole and begins_with_order(self.reader, self.behind):
            whole = listed
        verdicts = self._judge_line(line, whole)
        if self.yielding is not None and verdicts:
            verdicts = self._tell_command(verdicts, self.yielding)
        if line.source == "subject":
            verdicts = [verdict for verdict in verdicts if verdict.grade in IN_FORCE]
        if self.ending == _NAME_READ:
            # The line is part of an unmarked signature.
            verdicts = [mark_doubtful(verdict, sentence("letter_reader.below_name")) for verdict in verdicts]
        elif not verdicts and self.verdicts:
            is_name = self.ending == _FAREWELL_READ and len(line_keys) <= _MAX_SIGNATURE_WORDS
            self.ending = _NAME_READ if is_name else _FAREWELL_READ if is_closing(line_keys) else 0
        doubtful = any(verdict.grade == "doubtful" for verdict in verdicts)
        if doubtful and self._may_be_remark(line, whole, verdicts):
            self.remarks.update(range(len(self.verdicts), len(self.verdicts) + len(verdicts)))
        piece = self.blocks.order_piece("")
        self.verdicts += [self._add_condition(verdict, piece) for verdict in verdicts]
        is_unknown = not verdicts and self._is_unknown_command(line, plain)
        self.chat = "" if verdicts or is_unknown else text
        if verdicts:
            self.below_idea = True
        else:
            # The text after a line of prose, or after another's name as a heading, isn't an order.
            self.idea = text if is_hypothetic(text) or self.reader.is_foreign_heading(text) else ""
            self.below_idea = False
        return -size if verdicts else size

    def _is_unknown_command(self, line: FreshLine, text: str) -> bool:
        """Return whether a line of prose looks like a command that isn't ours. Note it, or else its prose."""
        goes_on = not line.after_gap and self.chat[-1:] not in ("", *".!?:;)")
        if not self.book.forms or line.source == "subject":
            return False
        if not (goes_on or self._says_more()):
            typed = command_elsewhere(text, self._is_word_of_game)
            verb = transposed_command(text, self.book.commands) if typed is None else None
            if typed is not None:
                self._note_unknown(text, typed)
                return True
            if verb is not None and not self._is_word_of_game(keys(text)[0]):
                self._note_unknown(text, text, verb.name)
                return True
        self.prose.append(text)
        return False

    def find_unknown(self) -> tuple[Command, ...]:
        """Return the lines that look like commands and aren't ours; none if most of it is in capitals."""
        if not self.unknown or is_in_capitals(self.prose, self.unknown):
            return ()
        return tuple(self.unknown.values())

    def _is_word_of_game(self, key: str) -> bool:
        """Return whether a name of the board begins with a word, or an order has it."""
        return self.reader.names.has(key) or key in self.reader.grammar.literals

    def _note_unknown(self, text: str, *args: str) -> None:
        """Note a line that looks like a command, once. args: what was typed, and what to write instead."""
        if text not in self.unknown and self.allowance.commands > 0:
            self.allowance.commands -= 1
            shown = self.context.mask_secret(text)
            self.unknown[text] = Command(line=shown, verb=UNKNOWN_VERB, args=args)

    def _tell_command(self, verdicts: list[LineVerdict], verb: Verb) -> list[LineVerdict]:
        """Return the verdicts on a line, with a note on the first that its first word is also a command."""
        text = tidy(verdicts[0].line)
        line = words(text)
        sorts = self.reader.grammar.sorts
        named = [
            (end, term) for end, some in self.reader.names.at(line, 0) for term in some if term.sort in sorts
        ]
        if verdicts[0].grade not in IN_FORCE or not named:
            return verdicts
        end, term = named[0]
        problem = sentence(
            "letter_reader.not_the_command",
            typed=text[: line[end - 1].end],
            name=term.names[0],
            verb=verb.name,
        )
        problem = "; ".join(filter(None, (verdicts[0].problem, problem)))
        return [replace_fields(verdicts[0], grade="corrected", problem=problem), *verdicts[1:]]

    def _may_be_remark(self, line: FreshLine, text: str, verdicts: Sequence[LineVerdict]) -> bool:
        """Return whether a line that we ask about is a remark, if others give its orders in full."""
        piece = self.blocks.order_piece("")
        if self.idea or piece.doubt or piece.when != NOW:
            return False
        goes_on = not line.after_gap and self.chat[-1:] not in (".", "!", "?")
        ends = text.rstrip()[-1:] in (".", "!", "?") or begins_like_order(self.reader, self.behind)
        around = " ".join((self.chat if goes_on else "", text, "" if ends else self.behind)).strip()
        return says_nothing_else(self.reader, text, around, verdicts)

    def _note_heading(self, line_keys: tuple[str, ...], text: str, line: FreshLine) -> bool:
        """Return whether a line is empty, a remark or a heading. Note the effect of one that names a turn."""
        if not line_keys or _REMARK_LINE_PATTERN.match(text):
            return True
        plain = line_keys[:-1] if line_keys[-1] == ":" else line_keys
        if plain[:2] == ("orders", "for"):
            plain = plain[2:]
        elif plain[-1:] == ("orders",):
            plain = plain[:-1]
        plain = tuple(key for key in plain if key != "the")
        if plain in self.reader.titles or plain in _ORDERS_HEADINGS or line_keys in _ORDERS_HEADINGS:
            return True
        if (
            line.source == "subject"
            or len(line_keys) > _MAX_HEADING_WORDS
            or not self._names_season(line_keys, text)
            or line_keys[0] == "phase"
        ):
            return False
        if not line.after_gap and self.chat[-1:] not in ("", *".!?:;)"):
            # It continues a sentence above: "... guessing until / spring."
            return False
        own = {key for title in self.reader.titles for key in title}
        turn = turn_in_heading(structure.turn_in_english(text), self.book.turns(), own)
        if turn is None or self.reader.is_exact(text):
            return False
        self.blocks.head(turn, text)
        return True

    def _names_season(self, line_keys: tuple[str, ...], text: str) -> bool:
        """Return whether a line has a word for a season, in any language or in the names of this board."""
        return (
            _NAMES_SEASON.search(text) is not None
            or not structure.season_words().isdisjoint(line_keys)
            or not structure.named_seasons(tuple(self.book.turns())).keys().isdisjoint(line_keys)
        )

    def _judge_line(self, line: FreshLine, text: str) -> list[LineVerdict]:
        hangs = runs_on(self.chat, line.text, line.after_gap)
        in_prose = hangs or bool(self.idea) or len(line.text) >= FULL_LINE_CHARS
        if REPLACEMENT_CHARACTER in text:
            verdicts = read_damaged(self.reader, text, line.source) or ask_damaged(
                self.reader, text, line.source
            )
        else:
            verdicts = self.reader.read(text, line.source, in_prose=in_prose)
            if line.under and not any(
                verdict.order and self.reader.can_be(verdict.order) for verdict in verdicts
            ):
                verdicts = read_below_sheet_line(self.reader, text, line.under, line.source) or verdicts
        if not line.after_gap and continues_sentence(self.chat, line.text.strip()):
            # For certain orders we ask back below; text that only looks like an order is a sentence.
            verdicts = [verdict for verdict in verdicts if verdict.grade in IN_FORCE]
        if line.older:
            return [mark_doubtful(v, sentence("letter_reader.older_sheet")) for v in verdicts]
        alone = line.after_gap and not self.behind
        if not verdicts and alone and self.reader.is_goal(tidy(line.text)):
            return [self.reader.without_unit(line.text, line.source)]
        if name_nothing(self.reader, text, verdicts) and self._says_more():
            return [mark_doubtful(v, sentence("letter_reader.may_go_on")) for v in verdicts]
        if verdicts and hangs:
            return [mark_doubtful(v, sentence("letter_reader.in_a_paragraph")) for v in verdicts]
        if self.idea and line.source != "sheet":
            return [mark_doubtful(v, sentence("letter_reader.below_line", line=self.idea)) for v in verdicts]
        return verdicts

    def _count_joined(self, line: FreshLine) -> int:
        """Return the number of lines of one order that a mail program broke: 1 or 2."""
        following = self.lines[self.at + 1 : self.at + 2]
        if not following or following[0].after_gap or following[0].source != line.source:
            return 1
        if following[0].unsure:
            return 1
        if len(line.text) + len(following[0].text) > MAX_LINE_CHARS:
            return 1
        first, second = tidy(line.text), tidy(following[0].text)
        complete = self.reader.is_exact(first)
        if complete and (second[:1] != "-" or len(first) < FULL_LINE_CHARS):
            return 1
        if not complete and not self.reader.is_unfinished(first):
            return 1
        alone = self.reader.is_exact(second)
        return 2 if not alone and self.reader.is_exact(f"{first} {second}") else 1

    def _read_governing(self, line: FreshLine, text: str) -> int:
        """Return how many lines an IF, a PHASE or a STOP takes, as a negative number; 0 for other lines.

        An order after an unknown condition on the same line is rejected.
        """
        taken = self.blocks.take(text, lambda: self._here().past(1)) if line.source != "subject" else None
        if taken is not None:
            pieces, size = taken
            for piece in pieces:
                self.verdicts += self._judge_piece(line, piece)
            self.chat = ""
            return -size
        match = _CONDITIONAL.match(text)
        if match is None or not self.reader.is_exact(match[1]):
            return 0
        problem = sentence("letter_reader.unknown_condition")
        example = self.blocks.conditions.example
        instead = f"{example} {match[1]} ENDIF" if example else None
        self.verdicts.append(
            LineVerdict(line=line.text, source=line.source, grade="unread", problem=problem, instead=instead)
        )
        return -1

    def _judge_piece(self, line: FreshLine, piece: OrderPiece) -> list[LineVerdict]:
        """Return the verdicts on a piece of a line."""
        shown = strip_bullets(piece.text)
        if piece.fault:
            # Its keywords may have been translated into English.
            typed = strip_bullets(line.text.strip())
            shown = shown if shown in typed else typed
            return [
                LineVerdict(
                    line=shown, source=line.source, grade="unread", problem=piece.fault, instead=piece.instead
                )
            ]
        if piece.stop:
            stop_verdict = LineVerdict(
                line=shown, source=line.source, grade="taken", said=stop_text(piece.when), stop=True
            )
            return [self._add_condition(stop_verdict, piece)]
        return [self._add_condition(verdict, piece) for verdict in self.reader.read(piece.text, line.source)]

    def _add_condition(self, verdict: LineVerdict, piece: OrderPiece) -> LineVerdict:
        """Return the verdict on an order that depends on something."""
        if piece.when == NOW and piece.doubt is None:
            return verdict
        self.blocks.note_order()
        conditional = replace_fields(verdict, when=None if piece.when == NOW else piece.when)
        if piece.doubt:
            return mark_doubtful(conditional, piece.doubt)
        if piece.told and conditional.grade in IN_FORCE:
            problem = f"{conditional.problem}; {piece.told}" if conditional.problem else piece.told
            return replace_fields(conditional, grade="corrected", problem=problem)
        return conditional


@lru_cache(maxsize=64)
def _find_shared_words(parser: CommandParser, names: NameIndex, sorts: frozenset[str]) -> frozenset[str]:
    """Return the first words of names that begin like a command or like a line that governs others."""
    ours = parser.openings | structure.governing_phrases()
    return frozenset(phrase[0] for phrase in ours & names.beginnings(sorts))


# Make the reader of spans for a seat from a parse context. Emails and questions share it.


@lru_cache(maxsize=64)
def _keys_of(titles: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(map(keys, titles))


def make_reader(context: ParseContext, **more: Any) -> SpanReader:
    """Return the reader of spans for a context. more: further fields, which override the context's."""
    native = context.native and (
        form_machine.compile_forms(context.native[0]),
        name_index.index_lexicon(context.native[1]),
    )
    grammar, names = form_machine.compile_forms(context.forms), name_index.index_lexicon(context.lexicon)
    titles, present = _keys_of(context.titles), ask_once(lambda: present_words(context.turns()))
    fields: dict[str, Any] = {
        "grammar": grammar,
        "names": names,
        "build": context.build,
        "write": context.write,
        "titles": titles,
        "filler": Filler(titles, grammar.literals, grammar.openings, grammar.sorts, names, present),
        "seats": _keys_of(context.seats),
        "resting": ask_once(context.resting),
        "doubt": context.doubt,
        "fitted": context.fitted,
        "reaches": context.reaches,
        "native": native,
        "rests": context.resting is not tuple,
        "examples": ask_once(context.examples),
        "misgiving": context.misgiving,
    }
    return SpanReader(**{**fields, **more})
