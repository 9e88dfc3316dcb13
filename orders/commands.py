"""The commands that a player can send with orders: one row of a table for each verb.

A line that looks like a command and isn't any of ours is answered, holds no turn, and is no question about
orders. Lines in an email that is mostly in capitals are prose.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

import rapidfuzz

from games.data import read_toml
from games.record import Record
from orders.words import keys

# A verb is a row of COMMANDS and nothing else; `inbound.commands` runs it by its name.
# A pattern's words stand for themselves, {arg} is one word, {arg*} all the rest of the line.
# An argument named in `secret` is in `Command.args` and nowhere else.


class Verb(Record, frozen=True, kw_only=True):
    """A command: its standard form, the ways to write it, and an example that works.

    Patterns are written like those of a Form, but their places are free words: ``{game}`` is one word,
    ``{topic*}`` the rest of the line. secret: the place whose word is never echoed. until: the lines that end
    the text after this command; none: no text follows. closed: without such a line there is no text;
    otherwise the text would be all the rest. ends: nothing after it is read. among, shape: if the verb isn't
    in capitals, the line may be talk, so its places have to begin with one of these names (or those that
    the reader knows) or match this expression. among None: any text may follow. asks: it changes nothing, so
    it is answered once however often an email contains it. weight: the number of commands that it counts as.
    titles: in the subject it is the email's title, if the email itself contains it too. yields: a line that
    is also an order is the order, even if the verb is in capitals. strict: what its first place has to match,
    even if the verb is in capitals.
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
    yields: bool = False
    strict: str | None = None


class Command(Record, frozen=True, kw_only=True):
    """A command in an email: its line (secrets masked), verb, words in its places, and the text after it."""

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

_PERSON_REGEX = r"\S*@\S+$|[^\W\d]\w*(?: \w+){0,3}\s+in\s+[a-z0-9-]{1,20}$"
_MOTION_WORDS = "pause|resume|unpause|extend|extension|end|cancel"

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
        patterns=("(join|register) {game} [{wishes*}] password {password*}",),
        example="JOIN beaver PASSWORD secret-word",
        secret="password",
        among=(),
        shape=r"[a-z0-9-]{1,20}$",
    ),
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
    Verb(
        name="BLOCK",
        patterns=("block [{person*}]",),
        example="BLOCK else@example.org",
        among=(),
        shape=r"\S*@\S+$",
        strict=_PERSON_REGEX,
    ),
    Verb(
        name="UNBLOCK",
        patterns=("unblock [{person*}]",),
        example="UNBLOCK else@example.org",
        among=(),
        shape=r"\S*@\S+$",
        strict=_PERSON_REGEX,
    ),
    Verb(
        name="REPORT",
        patterns=("report [{press*}]",),
        example="REPORT Dakota",
        among=(),
        strict=r"(?:because\s+.+|(?!(?:from|the|to|on|of|at|in|for|that|this|it|all|me|your|my|any|by|an?)\b)"
        r"[^\W\d]\w*(?: \w+){0,2}(?:\s+because\s+.+)?)$",
    ),
    Verb(name="RESIGN", patterns=("(resign|withdraw) [{game}]",), example="RESIGN beaver", among=()),
    Verb(
        name="NEW",
        patterns=("(new game|new) [{kind} [{options*}]]",),
        example="NEW KIND seat=NAME",
        among=(),
        titles=True,
        yields=True,
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
        name="DRAW",
        patterns=("(draw|vote draw) [(with|between|among)] {seats*}",),
        example="DRAW England, France",
        among=(),
        strict=r"(?!(?:or|no|is|an?|my|our|your|his|her|its|their|up|on|out|in|near|from)\b)"
        r"[^\W\d]\w*(?: \w+){0,2}(?:\s*(?:,|;|/|&|\+|\band\b)\s*\w+(?: \w+){0,2})*$",
    ),
    Verb(
        name="NODRAW",
        patterns=("(nodraw|no draw|set nodraw|noconcede|no concede)",),
        example="NODRAW",
    ),
    Verb(
        name="VOTE",
        patterns=("(vote|set vote) [(for|to)] [{motion*}]",),
        example="VOTE PAUSE",
        among=(),
        shape=rf"(?:{_MOTION_WORDS})(?:\s+(?:by\s+)?\d+\s?\w+)?(?:\s+(?:the\s+)?(?:game|turn))?$",
    ),
    Verb(
        name="NOVOTE",
        patterns=("(novote|no vote|set novote|withdraw vote|withdraw my vote)",),
        example="NOVOTE",
    ),
    Verb(name="REMATCH", patterns=("(rematch|play again)",), example="REMATCH"),
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
        among=("brief", "full", "changes", "round", "turn", "reasons", "digest"),
    ),
    Verb(
        name="PASSWORD",
        patterns=("(password|set password) {password}",),
        example="PASSWORD three-canoes",
        secret="password",
    ),
    Verb(name="MY DATA", patterns=("(my data|export my data)",), example="MY DATA", asks=True),
    Verb(name="FORGET ME", patterns=("forget me",), example="FORGET ME"),
    Verb(name="KEEP ME", patterns=("(keep me|don't forget me)",), example="KEEP ME"),
    Verb(name="HELP", patterns=("help [{topic*}]",), example="HELP orders", asks=True),
    Verb(name="RULES", patterns=("rules [{kind*}]",), example="RULES", among=(), asks=True),
    Verb(name="GET", patterns=("get {topic*}",), example="GET PROVINCES", among=(), asks=True),
)

QUERY_COMMANDS = frozenset(verb.name for verb in PLAYER_COMMANDS if verb.asks)
"""The commands that change nothing."""

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
"""Text that continues a sentence after the word of a command. The second pattern isn't used after HELP in
capitals."""
_POLITE_ENDING_PATTERN = re.compile(r"[\s,](?:please|pls|thanks|thank you)$", re.IGNORECASE)
_COMMAND_END_CHARS = " \t\n\r\f\v.!"


class ParsedCommand(NamedTuple):
    """A line read as a command: the verb, its arguments, and the line as it may be echoed."""

    verb: Verb
    args: tuple[str, ...]
    shown: str


Known = Callable[[str], Sequence[str]]
"""Names that the reader knows, by verb. They are computed only if the meaning of a line depends on them."""


def nothing_known(_verb: str) -> tuple[str, ...]:
    """Return no names."""
    return ()


class CommandParser:
    """The reader of a set of verbs."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self._verbs = tuple(verbs)
        self._forms = [(verb, _expression(pattern)) for verb in verbs for pattern in verb.patterns]
        self._secret = [(verb.name, size) for verb in verbs if (size := _words_before(verb))]
        self.openings = frozenset(
            tuple(takewhile(str.isalpha, words))
            for verb in verbs
            for pattern in verb.patterns
            for words in _openings(pattern)
            if words[0].isalpha()
        )
        self._heads = frozenset(
            words[0] for verb in verbs for pattern in verb.patterns for words in _openings(pattern)
        )

    def read(self, line: str, known: Known = nothing_known) -> ParsedCommand | None:
        """Return the command that the whole line is, or None. The words of arguments are as typed.

        known: further names by verb that its places may begin with.
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
                args = tuple(value.strip() for value in match.groups() if value is not None)
                shown = match.string
                if verb.secret and match[verb.secret] is not None:
                    shown = shown[: match.start(verb.secret)] + MASK
                return ParsedCommand(verb, args, shown)
        return None

    def misspelt(self, line: str, known: Known = nothing_known) -> Verb | None:
        """Return the verb that the first word of a line nearly is, if the rest of the line fits it."""
        head, _, rest = line.strip().partition(" ")
        if len(head) < 5 or not head.isalpha():
            return None
        for verb in self._verbs:
            size = rapidfuzz.distance.OSA.distance(head.upper(), verb.name)
            # Only in lower case, so that talk which begins with a similar word stays talk.
            if 0 < size <= (1 if len(verb.name) < 6 else 2) and self.read(
                f"{verb.name.lower()} {rest}", known
            ):
                return verb
        return None

    def mask_secret(self, line: str) -> str:
        """Return the line as it may be echoed: without the text after the words before a secret.

        Misspelt verbs count too.
        """
        parts = line.split()
        if len(parts) < 2:
            return line
        if (size := _words_up_to_word(parts)) is not None:
            return " ".join([*parts[:size], MASK])
        head, both = parts[0].upper().replace("-", ""), (parts[0] + parts[1]).upper()
        for name, size in self._secret:
            apart = both in (name, f"SET{name}")
            before = size + apart
            if (apart or rapidfuzz.distance.OSA.distance(head, name, score_cutoff=2) <= 2) and len(
                parts
            ) > before:
                return " ".join([*parts[:before], MASK])
        return line


def _words_up_to_word(parts: Sequence[str]) -> int | None:
    """Return the number of words before the word of a game in a JOIN, or None. Misspelt verbs count too."""
    if rapidfuzz.distance.OSA.distance(parts[0].upper(), "JOIN") > 1 and parts[0].upper() != "REGISTER":
        return None
    near = (
        place
        for place, part in enumerate(parts[2:-1], 3)
        if rapidfuzz.distance.OSA.distance(part.upper(), "PASSWORD") <= 2
    )
    return next(near, None)


def _words_before(verb: Verb) -> int:
    """Return the number of words before a command's secret; 0 if it has none, or a word says where it is."""
    if verb.secret is None or f"{{{verb.secret}}}" not in verb.patterns[0]:
        return 0
    return 1 + verb.patterns[0].partition(f"{{{verb.secret}}}")[0].count("{")


@lru_cache(maxsize=16)
def compile_verbs(verbs: tuple[Verb, ...]) -> CommandParser:
    """Return the reader of some verbs. Equal ones are compiled once."""
    return CommandParser(verbs)


def _openings(pattern: str) -> list[list[str]]:
    """Return the words of each spelling that the pattern may begin with."""
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
    if verb.strict is not None and not re.match(verb.strict, argument, re.IGNORECASE):
        return False
    if match.string.startswith(verb.name):
        return True
    if verb.among is None:
        return not (verb.asks and _TALK_AFTER_COMMAND_PATTERN.match(argument))
    if verb.shape and re.match(verb.shape, argument, re.IGNORECASE):
        return True
    names = (*verb.among, *known(verb.name))
    return any(re.match(rf"{re.escape(name)}(?:[\s,;:]|$)", argument, re.IGNORECASE) for name in names)


def _expression(pattern: str) -> re.Pattern[str]:
    """Return the pattern as an expression over a whole line. Its groups are the places, in order."""
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


def suggest_command(verb: Verb, line: str) -> str:
    """Return the command that the player may have meant if the first word of a line is nearly its verb."""
    return verb.example if verb.secret else " ".join([verb.name, *line.split()[1:]])


# Lines that look like commands and aren't any of ours: "PAUSE", "EXTEND 24h", "HLEP".


UNKNOWN_VERB = "UNKNOWN"
"""The verb of such a line in the reading of an email."""

_MAX_WORDS, _MAX_SHORT_WORDS, _MAX_PHRASE_WORDS = 12, 5, 4
"""The most words of such a line, of one that can't be prose in capitals, and of a phrase in the list."""

_FIRST_WORD = re.compile(r"(?:[A-Z]{3,}|GM|MY)(?=[\s,.!]|$)")
_SENTENCE_AFTER = re.compile(
    r"[\W\w]*?\b(?:he|she|they|him|them|we|us)\b|(?:is|are|was|were|will|would|can't|from|of|that|which)\s",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _topics() -> Mapping[tuple[str, ...], str]:
    table = read_toml("orders", "other_hosts.toml")
    return {keys(phrase): topic for topic, phrases in table.items() for phrase in phrases}


def find_topic(typed: str) -> str | None:
    """Return what a command of other hosts is about, such as ``pause``, or None for other words."""
    return _topics().get(keys(typed))


def command_elsewhere(text: str, names_something: Callable[[str], bool]) -> str | None:
    """Return the words of a line that are a command of other hosts, as they were typed, or None.

    text: a tidy line without bullets. names_something: whether a word is a name or an order's word here.
    """
    if _FIRST_WORD.match(text) is None:
        return None
    line = text.split()
    if len(line) > _MAX_WORDS or text.endswith((":", "...")):
        return None
    for size in range(min(_MAX_PHRASE_WORDS, len(line)), 0, -1):
        typed = " ".join(line[:size]).rstrip(",.!?")
        topic = find_topic(typed)
        if topic is None:
            continue
        rest = " ".join(line[size:])
        talks = topic != "gm" and _SENTENCE_AFTER.match(rest) is not None
        return None if talks or all(map(names_something, keys(typed))) else typed
    return None


def transposed_command(text: str, verbs: Iterable[Verb]) -> Verb | None:
    """Return the verb whose letters a line of one word in capitals has, two of them transposed: "HLEP"."""
    word = text.rstrip(".!?")
    if not (word.isalpha() and word.isupper() and 3 <= len(word) <= 4):
        return None
    return next((verb for verb in verbs if _is_transposed(word, verb.name)), None)


def _is_transposed(word: str, name: str) -> bool:
    unlike = [place for place, (one, other) in enumerate(zip(word, name, strict=False)) if one != other]
    return (
        len(word) == len(name)
        and len(unlike) == 2
        and sorted(word) == sorted(name)
        and unlike[1] - unlike[0] == 1
    )


def is_in_capitals(prose: Iterable[str], given: Iterable[str]) -> bool:
    """Return whether an email is mostly in capitals. given: its lines that look like commands."""
    long = (line for line in given if len(line.split()) > _MAX_SHORT_WORDS)
    letters = [char for line in (*prose, *long) for char in line if char.isalpha()]
    return 2 * sum(map(str.isupper, letters)) > len(letters) > 0
