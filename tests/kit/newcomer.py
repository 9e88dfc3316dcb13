"""A player who follows only what our emails say, and the rules for reading them.

The player knows no game, no position and no parser, and only gets the plain texts of emails.

1. Write HELP as a stranger, and send back one ``NEW …`` line of the reply. For a game that no such line
names, ask for RULES first, as the reply says, and send back its ``NEW …`` line.

2. The number of orders per turn comes after "Due now:". Otherwise that names things. If a reply still has
orders "Missing:", they are on its order sheet: send the sheet back.

3. Orders come from four places. From the order sheet, lines as they are. From the examples under "Some orders
you can give now", the text after the name and the colon. From the reply to MOVES, the text before two spaces.
From the table of decisions, the text after "write"; or the name of a row that is one word in capitals, with
the first code beside it; or, if it says "one line, …: and a base", that line and the first base of the row
below.

4. Replace a line that got ✗ by the text after "Write:" under it, alone in an email, as the reply says.
Without that text, copy the line again from its email.

5. If a report says that an order is held up, its order sheet says what to write: send it back.

6. Make two kinds of mistakes: spell the last name of a line backwards, and repeat a line of the turn before.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

SHEET = "Order sheet, change it and send it back:\n\n"
MISSING = "\nMissing:  "


@dataclass
class LetterFollower:
    """A player with a mailbox. send: replies to the latest email and returns the responses, the reply
    first.

    report: the latest email that asks for orders. said: the orders since the last clearing, in the words of
    the replies.
    """

    send: Callable[[str], list[str]]
    report: str = ""
    said: list[str] = field(default_factory=list)

    def begin(self, kind: str, option: str = "") -> None:
        """Send HELP, and RULES for a game that HELP doesn't name. Then start the game, and read its first
        emails.
        """
        (told,) = self.send("HELP")
        if option:
            (told,) = self.send(f"RULES {kind}")
        line = next(row for row in new_lines(told) if row.split()[1] == kind and option in row)
        self._read(self.send(line))

    def say(self, *lines: str) -> str:
        """Send an email and return the reply. Also read a report that comes with it."""
        return self._read(self.send("\n".join(lines)))

    def order(self, *lines: str, at: int | None = None) -> str:
        """Send an email with orders and return the reply. at: their place among the earlier orders."""
        answer = self.say(*lines)
        place = len(self.said) if at is None else at
        self.said[place:place] = accepted_orders(answer)
        return answer

    def finish(self, answer: str) -> str:
        """Send back the order sheet of a reply with missing orders. Returns the last reply."""
        return self.order(*sheet(answer)) if MISSING in answer else answer

    def _read(self, letters: list[str]) -> str:
        for letter in letters:
            if re.search("^Due now:", letter, re.MULTILINE):
                self.report = letter
        return letters[0]


def new_lines(text: str) -> list[str]:
    """Return the lines that start a game."""
    return re.findall(r"^\W*(NEW [a-z].*)$", text, re.MULTILINE)


def sheet(text: str) -> list[str]:
    """Return the rows of the order sheet."""
    return [row for row in text.partition(SHEET)[2].partition("\n\n")[0].split("\n") if row.strip()]


def examples(text: str) -> list[str]:
    """Return the orders that an email lists as possible now."""
    block = text.partition("SOME ORDERS YOU CAN GIVE NOW\n")[2].partition("\n")[2].partition("\n\n")[0]
    rows = re.sub(r"\n\|  +", " ", block).split("\n")
    return [row.removeprefix("| ").partition(": ")[2].strip() for row in rows if row]


def orders_asked_for(text: str) -> int | None:
    """Return the number of orders that an email asks for, or None if it names things instead."""
    due = re.search(r"^Due now:(.*(?:\n {11}.*)*)", text, re.MULTILINE)
    asked = re.search(r": (\d+) orders?\b", " ".join(due[1].split())) if due else None
    return int(asked[1]) if asked else None


def moves(answer: str) -> list[list[str]]:
    """Return the orders in the reply to MOVES, for each unit, card or leader."""
    block = answer.partition("\nREPLY TO MOVES")[2].partition("\nYou can send any of these lines")[0]
    found: list[list[str]] = []
    for row in block.split("\n"):
        if re.match(r"  \S.*:$", row):
            found.append([])
        elif re.match(r"    \S", row) and not re.match(r"    and \d+ more$", row):
            found[-1].append(row.strip().partition("  ")[0])
    return [group for group in found if group]


def decided_orders(text: str) -> list[str]:
    """Return the orders that the table of decisions names in full."""
    found, rows = [], _table(text)
    for name, cell in rows:
        if "write  " in cell:
            found.append(cell.partition("write  ")[2].partition("  ")[0].rstrip(","))
        elif "one line, " in cell and " and a base" in cell:
            base = next(said for row, said in rows if row.startswith("Base now"))
            found.append(f"{cell.partition('one line, ')[2].partition(' and a base')[0]} {base.split()[0]}")
        elif name.isupper():
            found.append(" ".join([name, *cell.split()[:1]]))
    return found


def _table(text: str) -> list[tuple[str, str]]:
    """Return the rows of the table, of two columns each, with broken rows joined."""
    block = re.search(r"^WHAT [A-Z ]+ DECIDES? NOW\n-+\n(.+?)\n\n", text, re.MULTILINE | re.DOTALL)
    if not block:
        return []
    _, rule, *rows = block[1].split("\n")
    second = rule.index("  -", 2) + 2
    found: list[tuple[str, str]] = []
    for row in rows:
        name, cell = row[:second].strip(), row[second:].strip()
        if name:
            found.append((name, cell))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {cell}")
    return found


def accepted_orders(answer: str) -> list[str]:
    """Return the accepted orders of an email, as the reply writes them."""
    return re.findall(r"^✓ (.+)$", answer, re.MULTILINE)


def suggestion(answer: str, line: str) -> str:
    """Return the reply's suggestion for a rejected line, or ""."""
    block = answer.partition(f"> {line}\n✗")[2].partition("\n\n")[0]
    said = re.search(r"^  Write: +(.+)$", block, re.MULTILINE)
    return said[1] if said else ""


def misspell(line: str) -> str:
    """Return the line with its last name spelt backwards, past guessing. A name begins with a capital."""
    words = line.split(" ")
    at = max(n for n, word in enumerate(words) if n and word != word.lower() and word != word[::-1])
    return " ".join([*words[:at], words[at][::-1], *words[at + 1 :]])


def has_name(line: str) -> bool:
    """Return whether a line contains a name that can be misspelt."""
    return any(word not in (word.lower(), word[::-1]) for word in line.split(" ")[1:])


def first_letter(text: str) -> list[str]:
    """Return the reply to a welcome: its order sheet, with the first of its examples that isn't on it.

    If the email asks for a number of orders, the example comes first, and the reply has that many lines.
    """
    rows = sheet(text)
    new = [line for line in examples(text) if has_name(line) and line not in rows][:1]
    return [*rows, *new] if orders_asked_for(text) is None else [*new, *rows][: orders_asked_for(text)]


def several(text: str, answer: str) -> list[str]:
    """Return several possible lines for one email.

    For named things that need orders, a plan: the very first line and the last one. For a number of orders, a
    queue: of three names, the first line of the first and the last lines of the others.
    """
    named = moves(answer)
    if orders_asked_for(text) is None:
        return [named[0][0], named[-1][-1]]
    return [named[0][0], *(group[-1] for group in named[1:3])]


def final_orders(text: str) -> list[str]:
    """Return the first order that a report's table names, or the order sheet."""
    return decided_orders(text)[:1] or sheet(text)
