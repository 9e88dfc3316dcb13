"""Somebody who plays by what our letters say, and by nothing else; the rules by which he reads them.

He knows no game, no position and no parser: the plain texts of letters are all that he is given.

1. A stranger writes HELP. Of the answer he sends one ``NEW …`` line back. Where he wants what no such line
   names, he asks for RULES first, as the answer says, and sends back the ``NEW …`` line that stands there.
2. How many orders a turn takes stands behind "Due now:", as a number; else things are named there. What an
   answer still misses ("Missing:") stands on its order sheet: he sends the sheet back.
3. Orders he takes from four places. Of the order sheet the lines as they stand. Of the examples under "Some
   orders you can give now" what stands behind the name and the colon. Of the answer to MOVES what stands
   before two spaces. Of the table of what is decided now what stands behind "write"; or a name of a row that
   is one word in capitals, with the first code beside it; or, where it says "one line, …: and a base", that
   line and the first base of the row below.
4. A line that is answered with ✗ he replaces by what stands behind "Write:" under it, alone in a letter, as
   the answer says. Where nothing stands there he copies the line afresh from the letter that he had it from.
5. Where a report says that an order is held up, its order sheet says what to write: he sends that back.
6. He makes two kinds of mistakes: he spells the last name of a line backwards; he says a line of the turn
   before once more.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

SHEET = "Order sheet, change it and send it back:\n\n"
MISSING = "\nMissing:  "


@dataclass
class LetterFollower:
    """A person with a mailbox. send: answers his newest letter and says what came of it, the answer first.

    report: the newest letter that says what is wanted of him; said: what he ordered since somebody cleared
    that, in the words of the answers.
    """

    send: Callable[[str], list[str]]
    report: str = ""
    said: list[str] = field(default_factory=list)

    def begin(self, kind: str, option: str = "") -> None:
        """HELP, and RULES where he wants what HELP does not name; then the game, and its first letters."""
        (told,) = self.send("HELP")
        if option:
            (told,) = self.send(f"RULES {kind}")
        line = next(row for row in new_lines(told) if row.split()[1] == kind and option in row)
        self._read(self.send(line))

    def say(self, *lines: str) -> str:
        """A letter; the answer to it. A report that comes with it is read next."""
        return self._read(self.send("\n".join(lines)))

    def order(self, *lines: str, at: int | None = None) -> str:
        """A letter of orders, and the answer. at: where they belong among those that he gave before."""
        answer = self.say(*lines)
        place = len(self.said) if at is None else at
        self.said[place:place] = accepted_orders(answer)
        return answer

    def finish(self, answer: str) -> str:
        """The order sheet of an answer where that misses something; the last answer."""
        return self.order(*sheet(answer)) if MISSING in answer else answer

    def _read(self, letters: list[str]) -> str:
        for letter in letters[1:]:
            if re.search("^Due now:", letter, re.MULTILINE):
                self.report = letter
        return letters[0]


def new_lines(text: str) -> list[str]:
    """The lines that begin a game."""
    return re.findall(r"^\W*(NEW [a-z].*)$", text, re.MULTILINE)


def sheet(text: str) -> list[str]:
    """The rows of the order sheet."""
    return [row for row in text.partition(SHEET)[2].partition("\n\n")[0].split("\n") if row.strip()]


def examples(text: str) -> list[str]:
    """Return what a letter calls orders that could be given now."""
    block = text.partition("SOME ORDERS YOU CAN GIVE NOW\n")[2].partition("\n")[2].partition("\n\n")[0]
    rows = re.sub(r"\n\|  +", " ", block).split("\n")
    return [row.removeprefix("| ").partition(": ")[2].strip() for row in rows if row]


def orders_asked_for(text: str) -> int | None:
    """Return how many orders a letter asks for; None where it names things instead."""
    due = re.search(r"^Due now:(.*(?:\n {11}.*)*)", text, re.MULTILINE)
    asked = re.search(r": (\d+) orders?\b", " ".join(due[1].split())) if due else None
    return int(asked[1]) if asked else None


def moves(answer: str) -> list[list[str]]:
    """Return what the answer to MOVES names: for each unit, card or leader the orders there are."""
    block = answer.partition("\nREPLY TO MOVES")[2].partition("\nYou can send any of these lines")[0]
    found: list[list[str]] = []
    for row in block.split("\n"):
        if re.match(r"  \S.*:$", row):
            found.append([])
        elif re.match(r"    \S", row) and not re.match(r"    and \d+ more$", row):
            found[-1].append(row.strip().partition("  ")[0])
    return [group for group in found if group]


def decided_orders(text: str) -> list[str]:
    """The orders that a table of what is decided now names in full."""
    found, rows = [], _table(text)
    for name, cell in rows:
        if "write  " in cell:
            found.append(cell.partition("write  ")[2].partition("  ")[0].rstrip(","))
        elif "one line, " in cell and " and a base" in cell:
            base = next(said for row, said in rows if row == "Base now")
            found.append(f"{cell.partition('one line, ')[2].partition(' and a base')[0]} {base.split()[0]}")
        elif name.isupper():
            found.append(" ".join([name, *cell.split()[:1]]))
    return found


def _table(text: str) -> list[tuple[str, str]]:
    """The rows of the table, of two columns each; broken ones put together."""
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
    """The orders of a letter that were taken, as the answer writes them."""
    return re.findall(r"^✓ (.+)$", answer, re.MULTILINE)


def suggestion(answer: str, line: str) -> str:
    """Return what is written instead of a line that was not taken; "" where the answer has no suggestion."""
    block = answer.partition(f"> {line}\n✗")[2].partition("\n\n")[0]
    said = re.search(r"^  Write: +(.+)$", block, re.MULTILINE)
    return said[1] if said else ""


def misspell(line: str) -> str:
    """The line with the last of its names spelt backwards, past guessing; a name begins with a capital."""
    words = line.split(" ")
    at = max(n for n, word in enumerate(words) if n and word != word.lower() and word != word[::-1])
    return " ".join([*words[:at], words[at][::-1], *words[at + 1 :]])


def has_name(line: str) -> bool:
    """Return whether there is a name in a line that can be misspelt."""
    return any(word not in (word.lower(), word[::-1]) for word in line.split(" ")[1:])


def first_letter(text: str) -> list[str]:
    """Return what a welcome gets: its order sheet, with the first of its examples that is not on it.

    Where orders are asked for by number, the example stands first, and the letter has so many lines.
    """
    rows = sheet(text)
    new = [line for line in examples(text) if has_name(line) and line not in rows][:1]
    return [*rows, *new] if orders_asked_for(text) is None else [*new, *rows][: orders_asked_for(text)]


def several(text: str, answer: str) -> list[str]:
    """Lines for one letter, of those that are possible.

    Where things are named that want an order, a plan: the first line of all and the last. Where orders are
    asked for by number they wait in a queue: of three names the first line of the first, and the last of the
    others.
    """
    named = moves(answer)
    if orders_asked_for(text) is None:
        return [named[0][0], named[-1][-1]]
    return [named[0][0], *(group[-1] for group in named[1:3])]


def final_orders(text: str) -> list[str]:
    """The first order that the table of a report names; where it names none the order sheet."""
    return decided_orders(text)[:1] or sheet(text)
