"""The commands that a player may send beside orders: one row of a table for each verb."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.record import Record
from orders import spelling_distance

# Rule 1: a verb is a row of COMMANDS and nothing else; `inbound.commands` runs it by its name.
# Rule 2: a pattern's words stand for themselves, {arg} is one word, {arg*} all the rest of the line.
# Rule 3: an argument named in `secret` is in `Command.args` and nowhere else.


class Verb(Record, frozen=True, kw_only=True):
    """A command: its standard form, the ways to write it, an example that works.

    Patterns are written as those of a Form, but their places are free words: ``{game}`` is one,
    ``{topic*}`` the rest of the line. secret: the place whose word is never echoed. until: the lines that end
    the text which follows this command; none: no text follows. closed: without such a line none follows,
    where else all the rest would. ends: nothing after it is read. among: the
    names with one of which the places must begin where the verb is not in capitals, since the line may be
    talk, beside those that the reader knows; shape: an expression for what else may stand there. None:
    anything may. asks: it changes nothing, so that it is answered once however often it stands in a letter.
    weight: as how many commands it counts, by what it takes. titles: in the subject it is the letter's title,
    where the letter itself says it too.
    """

    name: str
    patterns: tuple[str, ...]
    example: str
    secret: str | None = None
    until: tuple[str, ...] = ()
    closed: bool = False
    ends: bool = False
    among: tuple[str, ...] | None = None
    shape: str | None = None
    asks: bool = False
    weight: int = 1
    titles: bool = False


class Command(Record, frozen=True, kw_only=True):
    """A command as given: its line (secrets masked), the verb, the words in its places, the text after it."""

    line: str
    verb: str
    args: tuple[str, ...] = ()
    text: str = ""


_MONTH_ALTERNATIVES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_ABSENCE_DAY_REGEX = rf"(?:from\s+)?(?:\d|today|tomorrow|off|none|(?:{_MONTH_ALTERNATIVES})[a-z]*\.?\s+\d)"
_PRESS_ENDS = ("endpress", "end press", "end of press")
_TRY_ENDS = ("endtry", "end try", "end of try")
_PRESS_COLOUR_WORDS = "press|white press|grey press|gray press|press white|press grey|press gray"
_BROADCAST_WORDS = (
    "broadcast|white broadcast|grey broadcast|gray broadcast|broadcast white|broadcast grey|broadcast gray"
)

PLAYER_COMMANDS: tuple[Verb, ...] = (
    Verb(
        name="SIGNON",
        patterns=("(signon|sign on|sign-on) {game} {seat} [{password}]",),
        example="SIGNON beaver Iroquois secret-word",
        secret="password",
    ),
    Verb(name="SIGNOFF", patterns=("(signoff|sign off|sign-off)",), example="SIGNOFF", ends=True),
    Verb(
        name="JOIN",
        patterns=("(join|register) [{game} [{wishes*}]]",),
        example="JOIN beaver Iroquois",
        among=(),
    ),
    Verb(
        name="PREFERENCE",
        patterns=("(preference|preferences) {wishes*}",),
        example="PREFERENCE beaver Iroquois, Dakota",
        among=(),
    ),
    Verb(
        name="INVITE",
        patterns=("invite [{addresses*}]",),
        example="INVITE friend@example.org",
        among=(),
        shape=r"\S*@|[a-z0-9-]{1,20}[\s:,]+\S*@",
        weight=4,
    ),
    Verb(name="OBSERVE", patterns=("(observe|watch) [{game}]",), example="OBSERVE beaver", among=()),
    Verb(name="RESIGN", patterns=("(resign|withdraw) [{game}]",), example="RESIGN beaver", among=()),
    Verb(
        name="NEW",
        patterns=("(new game|new) [{kind} [{options*}]]",),
        example="NEW KIND seat=NAME",
        among=(),
        titles=True,
    ),
    Verb(
        name="LIST", patterns=("(list|list games|list all|list of games|games)",), example="LIST", asks=True
    ),
    Verb(name="STATUS", patterns=("status [{game}]",), example="STATUS", asks=True),
    Verb(
        name="MAP",
        patterns=("map [(of|for)] [{turn*}]",),
        example="MAP",
        among=("orders",),
        asks=True,
        weight=4,
    ),
    Verb(
        name="MOVES",
        patterns=("(moves|possible moves|legal moves) [(of|for)] [{unit*}]",),
        example="MOVES",
        among=(),
        asks=True,
        weight=4,
    ),
    Verb(
        name="NEIGHBOURS",
        patterns=("(neighbours|neighbors) [(of|to)] {place*}",),
        example="NEIGHBOURS PLACE",
        among=(),
        asks=True,
    ),
    Verb(name="SHEET", patterns=("(sheet|order sheet)",), example="SHEET", asks=True, weight=8),
    Verb(name="TRY", patterns=("(try|try all)",), example="TRY", until=_TRY_ENDS, weight=8),
    Verb(
        name="TRY",
        patterns=("try {orders*}",),
        example="TRY ORDER",
        until=_TRY_ENDS,
        closed=True,
        among=(),
        weight=8,
    ),
    Verb(name="UNDO", patterns=("undo",), example="UNDO"),
    Verb(name="HISTORY", patterns=("history [{turn*}]",), example="HISTORY", among=(), asks=True, weight=8),
    Verb(name="RECORD", patterns=("(record|my record|show record)",), example="RECORD", asks=True, weight=8),
    Verb(name="ORDERS", patterns=("(orders|show orders|my orders)",), example="ORDERS", asks=True),
    Verb(
        name="CLEAR",
        patterns=("(clear|cancel|withdraw) [all] [my|the] orders", "(clear|clear all|cancel all)"),
        example="CLEAR",
    ),
    Verb(name="WAIT", patterns=("(wait|set wait)",), example="WAIT"),
    Verb(name="NOWAIT", patterns=("(nowait|no wait|set nowait|set no wait)",), example="NOWAIT"),
    Verb(name="READY", patterns=("(ready|set ready)",), example="READY"),
    Verb(name="NOREADY", patterns=("(noready|no ready|not ready|set noready)",), example="NOREADY"),
    Verb(
        name="PRESS",
        patterns=(f"({_PRESS_COLOUR_WORDS}) to {{hearers*}}",),
        example="PRESS TO ALL",
        until=_PRESS_ENDS,
        among=("all", "everybody", "gm", "master", "writer"),
    ),
    Verb(name="BROADCAST", patterns=(f"({_BROADCAST_WORDS})",), example="BROADCAST", until=_PRESS_ENDS),
    Verb(name="DRAW", patterns=("(draw|set draw|vote draw)",), example="DRAW"),
    Verb(
        name="NODRAW",
        patterns=("(nodraw|no draw|set nodraw|noconcede|no concede)",),
        example="NODRAW",
    ),
    Verb(name="CONCEDE", patterns=("concede [to {seat*}]", "concede {seat*}"), example="CONCEDE", among=()),
    Verb(
        name="ABSENCE",
        patterns=("(absence|absent|away) {days*}",),
        example="ABSENCE 20 December to 5 January",
        among=(),
        shape=_ABSENCE_DAY_REGEX,
    ),
    Verb(
        name="TIMEZONE",
        patterns=("(timezone|time zone) [{zone*}]",),
        example="TIMEZONE Europe/Berlin",
        among=("utc", "gmt", "cet", "est", "pst"),
        shape=r"[A-Za-z]+(?:[/_ ][A-Za-z_]+)?[\s.]*$|\w+/\w|(?:utc|gmt)\s*[+-]\s*\d",
    ),
    Verb(
        name="LETTERS",
        patterns=("letters [{choice*}]",),
        example="LETTERS BRIEF",
        among=("brief", "full", "round", "turn", "reasons", "digest"),
    ),
    Verb(
        name="PASSWORD",
        patterns=("(password|set password) {password}",),
        example="PASSWORD three-canoes",
        secret="password",
    ),
    Verb(name="HELP", patterns=("help [{topic*}]",), example="HELP orders", asks=True),
    Verb(name="RULES", patterns=("rules [{kind*}]",), example="RULES", among=(), asks=True),
    Verb(name="GET", patterns=("get {topic*}",), example="GET PROVINCES", among=(), asks=True),
)

QUERY_COMMANDS = frozenset(verb.name for verb in PLAYER_COMMANDS if verb.asks)
"""What only asks."""

MASK = "***"
_COMMAND_PATTERN_TOKEN = re.compile(r"\{(\w+)(\*?)\}|([\[\](|)])|([^\s\[\](){}|]+)")
_FIRST_WORD_PATTERN = re.compile(r"[^\s,]*")
_SENTENCE_AFTER_COMMAND_PATTERN = re.compile(
    r"(?:is|are|was|were|be|will|would|can|could|shall|should|may|might|must|has|have|had|does|did|isn't|won't"
    r"|says?|seems?|comes?|came|goes|went|needs?|needed|makes?|made)\s+\w",
    re.IGNORECASE,
)
_TALK_AFTER_COMMAND_PATTERN = re.compile(
    r"(?!(?:how|what|where|which|why|when|can|about|with|on)\b).*\b(?:I|you|we|he|she|they)\b", re.I
)
"""How what stands behind a word of command goes on in a sentence; the second not behind HELP in capitals."""
_POLITE_ENDING_PATTERN = re.compile(r"[\s,](?:please|pls|thanks|thank you)$", re.IGNORECASE)
_COMMAND_END_CHARS = " \t\n\r\f\v.!"


class ParsedCommand(NamedTuple):
    """A line read as a command: the verb, its arguments, and the line as it may be echoed."""

    verb: Verb
    args: tuple[str, ...]
    shown: str


Known = Callable[[str], Sequence[str]]
"""By verb, names that are known to whoever reads: asked only where it depends on them what a line is."""


def nothing_known(_verb: str) -> tuple[str, ...]:
    """No names."""
    return ()


class CommandParser:
    """The verbs made ready for reading."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self._verbs = tuple(verbs)
        self._forms = [(verb, _expression(pattern)) for verb in verbs for pattern in verb.patterns]
        self._secret = [(verb.name, size) for verb in verbs if (size := _words_before(verb))]
        self._heads = frozenset(
            words[0] for verb in verbs for pattern in verb.patterns for words in _openings(pattern)
        )

    def read(self, line: str, known: Known = nothing_known) -> ParsedCommand | None:
        """The command that the whole line is, or None. The words of arguments are as typed.

        known: by verb, further names with which its places may begin.
        """
        text = line.strip()
        bare = text.rstrip(_COMMAND_END_CHARS)
        if _FIRST_WORD_PATTERN.match(bare)[0].lower() not in self._heads:  # type: ignore[index]  # it matches anything
            return None
        if (polite := _POLITE_ENDING_PATTERN.search(bare)) is not None:
            bare = bare[: polite.start()].rstrip(_COMMAND_END_CHARS + ",")
        for verb, form in self._forms:
            match = form.fullmatch(text if verb.secret else bare)
            if match and _is_meant(verb, match, known):
                return _parse_match(verb, match, match.string)
        return None

    def weight(self, name: str) -> int:
        """As how many commands that of a name counts; 1 where there is none."""
        return next((verb.weight for verb in self._verbs if verb.name == name), 1)

    def misspelt(self, line: str, known: Known = nothing_known) -> Verb | None:
        """The verb that the first word of a line nearly is, where the rest of the line would do for it."""
        head, _, rest = line.strip().partition(" ")
        if len(head) < 5 or not head.isalpha():
            return None
        for verb in self._verbs:
            size = spelling_distance.OSA.distance(head.upper(), verb.name)
            # In small letters, so that talk which begins with a word like it stays talk.
            if 0 < size <= (1 if len(verb.name) < 6 else 2) and self.read(
                f"{verb.name.lower()} {rest}", known
            ):
                return verb
        return None

    def mask_secret(self, line: str) -> str:
        """Return the line as it may be echoed: without what follows the words before a secret.

        Words that are nearly such a verb count as well.
        """
        parts = line.split()
        if len(parts) < 2:
            return line
        head, both = parts[0].upper().replace("-", ""), (parts[0] + parts[1]).upper()
        for name, size in self._secret:
            apart = both in (name, f"SET{name}")
            before = size + apart
            if (apart or spelling_distance.OSA.distance(head, name, score_cutoff=2) <= 2) and len(
                parts
            ) > before:
                return " ".join([*parts[:before], MASK])
        return line


def _words_before(verb: Verb) -> int:
    """Return how many words of a command stand before its secret; 0 where it has none."""
    if verb.secret is None:
        return 0
    return 1 + verb.patterns[0].partition(f"{{{verb.secret}}}")[0].count("{")


@lru_cache(maxsize=16)
def compile_verbs(verbs: tuple[Verb, ...]) -> CommandParser:
    """Return the parser of some verbs; equal ones are compiled once."""
    return CommandParser(verbs)


def _openings(pattern: str) -> list[list[str]]:
    """The words of each spelling with which the pattern may begin."""
    group = re.match(r"\(([^)]*)\)", pattern)
    return [choice.lower().split() for choice in (group[1].split("|") if group else [pattern])]


def _is_meant(verb: Verb, match: re.Match[str], known: Known) -> bool:
    """Return whether the line is the command, and not talk that begins with its word."""
    argument = next((value for value in match.groups() if value is not None), None)
    if argument is None:
        return True
    if verb.asks and _SENTENCE_AFTER_COMMAND_PATTERN.match(argument):
        return False
    if verb.asks and verb.among is not None and _TALK_AFTER_COMMAND_PATTERN.match(argument):
        return False
    if match.string.startswith(verb.name):
        return True
    if verb.among is None:
        return not (verb.asks and _TALK_AFTER_COMMAND_PATTERN.match(argument))
    if verb.shape and re.match(verb.shape, argument, re.IGNORECASE):
        return True
    names = (*verb.among, *known(verb.name))
    return any(re.match(rf"{re.escape(name)}(?:[\s,;:]|$)", argument, re.IGNORECASE) for name in names)


def _parse_match(verb: Verb, match: re.Match[str], text: str) -> ParsedCommand:
    args = tuple(value.strip() for value in match.groups() if value is not None)
    shown = text
    if verb.secret and match[verb.secret] is not None:
        shown = text[: match.start(verb.secret)] + MASK
    return ParsedCommand(verb, args, shown)


def _expression(pattern: str) -> re.Pattern[str]:
    """The pattern as an expression over a whole line; its groups are the places, in order."""
    out, space = "", ""
    for place, rest, sign, literal in (match.groups() for match in _COMMAND_PATTERN_TOKEN.finditer(pattern)):
        if sign in ("(", "["):
            out += "(?:" + space if sign == "[" else space + "(?:"
            space = ""
        elif sign == "|":
            out, space = out + "|", ""
        elif sign in (")", "]"):
            out += ")?" if sign == "]" else ")"
            space = r"\s+"
        else:
            free = r".+" if rest else r"\S+"
            out += space + (f"(?P<{place}>{free})" if place else re.escape(literal))
            space = r"\s+"
    return re.compile(out, re.IGNORECASE)


def question_key(command: Command) -> tuple[str, ...]:
    """Return a question's key, however it is spelt; GET and the word of another command is that command."""
    arguments = [arg.casefold().strip(" .?!") for arg in command.args]
    if command.verb == "GET" and arguments:
        arguments = arguments[0].upper().split(maxsplit=1)
        return arguments[0], *(rest.casefold() for rest in arguments[1:])
    return command.verb, *arguments


def suggest_command(verb: Verb, line: str) -> str:
    """Return the command that a player may have meant whose first word is nearly that command."""
    return verb.example if verb.secret else " ".join([verb.name, *line.split()[1:]])
