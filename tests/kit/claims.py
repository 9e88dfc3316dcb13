"""Claims of our emails about time and the next events, each checked against the state.

A claim is a sentence made from the state of the game, with the condition under which it is true. A sentence
about time without a claim is a fault too: a new sentence needs a claim in `claims_of_replies` or
`claims_of_reports`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from itertools import pairwise

from adjudicator.messages import sentence
from tests.kit.letter_states import Letter

SECTIONS = (
    sentence("outbound.welcome.after_title").upper(),
    sentence("outbound.welcome.commands_title").upper(),
    sentence("outbound.welcome.thread_title").upper(),
    sentence("reports.report.bots").upper(),
    sentence("reports.transcript.your_orders", turn="").upper().strip(),
)
"""The sections of an email about time. Other sections are about the game itself."""

_WORDS = (
    "deadline", "grace", "orders? counts?", "is played", "are played", "runs?", "waits?", "waited", "NOWAIT",
    "ready", "until", "earlier", "paused", "held", "goes on", "go on", "from now on", "sleeps?", "put off",
    "extend", "missing", "no longer", "happens", "nothing is wanted", "as soon as", "without an order",
    "no order yet", "orders (?:in|awaited|are)", "too late", "reminded?", "substitute", "played by",
    "decides", "lapses?", "(?:have|has|had) agreed", "agrees?", "secret", "comes? back", "by itself",
    "is back", "given up", "taken over", "takes it over", "changes hands", "is free", "half (?:an )?hour",
    "counts for", "does plays", "away", "any more", "due", "overdue", "suspended", "resumes?", "asleep",
    "take over", "takes over", "processed", "accept", "cancels?", "send nothing", "missed", "bots? plays?",
    "order yet", "grace period",
)  # fmt: skip
OF_TIME = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
"""The words for when something happens, who does it, or what it waits for."""


OVER = sentence("reports.results.over", why="").rstrip(".: ")
"""The beginning of each sentence about the end of a game."""


Sentences = Callable[[Letter], Iterator[str]]
Condition = Callable[[Letter], bool]
Claim = tuple[Sentences, Condition]


class Claims(list[Claim]):
    """The sentences of one kind of email, with the condition for each."""

    def add(self, *texts: str, when: Condition) -> None:
        """Add sentences without values."""
        self.append((lambda _letter: iter(texts), when))

    def add_made(self, said: Sentences, when: Condition) -> None:
        """Add sentences with values from the state of the game."""
        self.append((said, when))


def faults(letter: Letter, claims: Sequence[Claim]) -> list[str]:
    """Return an email's statements about time that are false or have no claim."""
    found = []
    plain = flat(parts_about_time(letter))
    left = plain
    page = flat(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|head)\b.*?</\1>", " ", unescape(letter.page))))
    known = [(flat(text), when) for said, when in claims for text in said(letter)]
    for text, when in sorted(known, key=lambda pair: -len(pair[0])):
        there, on_page = text in left, len(text) > 25 and text in page
        if (there or on_page) and not when(letter):
            found.append(f"not true: {text}")
        # A sentence that is the beginning of a longer one doesn't count as said by that one.
        if there:
            left = left.replace(text, " ¶ ")
        if on_page:
            page = page.replace(text, " ¶ ")
    for piece in re.split(r"¶|(?<=[.!?:]) ", left):
        piece = piece.strip()
        if piece.startswith(OVER) and letter.position.is_running:
            found.append(f"not true: {piece}")
        if OF_TIME.search(piece) and not any(re.search(pattern, piece) for pattern in NO_CLAIMS):
            found.append(f"unknown: {piece}")
    return found


def flat(text: str) -> str:
    return " ".join(text.replace("\xa0", " ").split())


def parts_about_time(letter: Letter) -> str:
    """Return the parts of an email's text that are about time."""
    text = re.split(r"\nOrder sheet[^\n]*:\n\n(?:.+\n)*", without_tables(letter.text))
    kept = []
    for part in text:
        rows = part.split("\n")
        heads = [place for place, row in enumerate(rows) if row.startswith("----")]
        bounds = [place - 1 for place in heads]
        first = rows[: bounds[0]] if bounds else rows
        kept += _rows_about_time(first, letter)
        for place, end in pairwise([*bounds, len(rows)]):
            if rows[place].upper().startswith(SECTIONS):
                kept += [row for row in rows[place + 2 : end] if not row.startswith("| ")]
    return "\n".join(kept)


_COLUMN_RULE = re.compile(r" *-+(  -+)+ *")
"""The row below the heads of a table's columns."""


def without_tables(text: str) -> str:
    """Return a text without the tables of the position, which say nothing about time."""
    blocks = text.split("\n\n")
    tables = {place for place, block in enumerate(blocks) if _is_table(block)}
    titles = {place - 1 for place in tables if "\n" not in blocks[place - 1].strip("\n")}
    return "\n\n".join(block for place, block in enumerate(blocks) if place not in tables | titles)


def _is_table(block: str) -> bool:
    """Return whether a block is a table: its columns have titles with a rule below, or it is indented."""
    rows = block.strip("\n").split("\n")
    has_titles = any(_COLUMN_RULE.fullmatch(row) for row in rows[1:3])
    return has_titles or rows[0].startswith("  ")


def _rows_about_time(rows: Sequence[str], letter: Letter) -> list[str]:
    """Return the top of an email without news of the game and without the reader's own lines."""
    if "/report/" in letter.key:
        start = next(
            (
                place
                for place, row in enumerate(rows)
                if row.startswith(("Due now:", "Next:", "The game is over"))
            ),
            len(rows),
        )
        rows = rows[start:]
    return [row for row in rows if not row.startswith(("> ", "=", "| ", "  write:", "  Write:", "  or:"))]


NO_CLAIMS: list[str] = [
    r"^Your (orders|actions) run in the order of your email\.$",
    r"^The GM says:",
    r"^We were out of service from .* until",
    # The descriptions of a game's settings.
    r"^how long a turn waits for orders",
    r"^whether the turn runs as soon as all orders are in",
    r"The game is over",
    r"^ABSENCE OFF cancels an absence",
    r"^LETTERS BRIEF shortens",
    r"We didn't accept your reply$",
]
"""The sentences with words about time that make no claim about it."""
