"""The corpora of emails and spellings in tests/corpora, and how much of them is understood.

``python -m tests.kit.corpora`` prints a table by kind, to compare a change with the state before. With the
name of a kind it prints the result of each email of that kind that isn't understood.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from games.data import read_toml
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import HEAD, read_letter, read_text
from tests.orders.test_spellings import POSITIONS

FOLDER = Path(__file__).parent.parent / "corpora"
LETTERS = sorted(FOLDER.glob("letters/*/*.eml"))
SPELLINGS = sorted(FOLDER.glob("spellings/*.toml"))
TYPED = sorted(FOLDER.glob("typed/*.toml"))
"""Emails of only a few lines, by their peculiarity."""
NOT_YET = FOLDER / "not_yet.json"
"""The emails that aren't understood yet. The list may only shrink."""
Outcome = Literal["understood", "asked back", "silent", "misread"]
"""The outcomes. misread: something wrong is executed. silent: a line got no reading and no question."""


@dataclass(frozen=True)
class Finding:
    """The result for one email or spelling. wrong: the differences from its note, in words."""

    kind: str
    name: str
    outcome: Outcome
    wrong: tuple[str, ...] = ()


def check_letter(path: Path) -> Finding:
    """Compare the reading of an email with its note."""
    note: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = read_letter(path.read_bytes(), note["kind"], note["seat"])
    rows = found["orders"]
    force = [row["read_as"] for row in rows if row["grade"] in IN_FORCE and not row["superseded"]]
    commands = [" ".join((one["verb"], *one["args"])) for one in found["commands"]]
    back = [row["line"] for row in rows if row["grade"] not in IN_FORCE]
    extra = [*_more(force, note["in_force"]), *_more(commands, note["commands"])]
    missing = [*_more(note["in_force"], force), *_more(note["commands"], commands)]
    unasked = [one for one in note["asked"] if not any(one in line for line in back)]
    answered = [one for one in note["prose"] if any(one in row["line"] for row in rows)]
    wrong = (
        *(f"acted upon: {one}" for one in extra),
        *(f"missed: {one}" for one in missing),
        *(f"not asked back: {one}" for one in unasked),
        *(f"prose that is answered: {one}" for one in answered),
    )
    if found["disposition"] != note.get("disposition", "read"):
        wrong = (*wrong, f"the email is {found['disposition']}")
    outcome: Outcome = "understood"
    if extra:
        outcome = "misread"
    elif wrong:
        outcome = "silent" if unasked or len(missing) > len(back) else "asked back"
    return Finding(path.parent.name, path.stem, outcome, wrong)


def _more(some: list[str], others: list[str]) -> list[str]:
    """Return the items that occur more often in the first list than in the second."""
    return list((Counter(some) - Counter(others)).elements())


def check_spelling(meant: dict[str, Any], text: str) -> tuple[Outcome, str]:
    """Return the outcome of one spelling, and its reading."""
    kind, seat = meant.get("kind", "standard"), meant.get("seat", "France")
    rows = read_text(text, kind, seat, POSITIONS[meant.get("position", "")])["orders"]
    force = [row["read_as"] for row in rows if row["grade"] in IN_FORCE and not row["superseded"]]
    told = ", ".join(f"{row['grade']} {row['read_as'] or row['problem']}" for row in rows)
    if force == [meant["order"]]:
        return "understood", told
    return ("misread" if force else "asked back" if rows else "silent"), told


def check_spellings(path: Path) -> Iterator[Finding]:
    """Yield the outcomes of all spellings of a language."""
    for meant in read_toml("tests.corpora.spellings", path.name)["meant"]:
        for text in meant["spellings"]:
            outcome, told = check_spelling(meant, text)
            wrong = (
                () if outcome == "understood" else (f"{meant['order']} was meant; read: {told or 'nothing'}",)
            )
            yield Finding(f"spellings, {path.stem}", text, outcome, wrong)


def typed_letters(path: Path) -> list[dict[str, Any]]:
    """Return the emails of a file in tests/corpora/typed: the text, and its meaning."""
    found: list[dict[str, Any]] = read_toml("tests.corpora.typed", path.name)["letter"]
    return found


def check_typed_letter(kind: str, meant: dict[str, Any]) -> Finding:
    """Compare the reading of a short email with its meaning.

    flowed: its text is format=flowed. units: the units on the board; otherwise the position of that name, or
    the opening. in_force: the orders, each preceded by its condition in brackets. asked, prose: parts of
    lines. Nothing else is checked.
    """
    position = POSITIONS[meant.get("position", "")]
    if "units" in meant:
        position = {"phase": "S1901M", "units": meant["units"]}
    head = HEAD.format(subject="")
    if meant.get("flowed"):
        head = head.replace("charset=utf-8", "charset=utf-8; format=flowed")
    raw = (head + meant["text"]).encode()
    found = read_letter(raw, meant.get("kind", "standard"), meant.get("seat", "France"), position)
    rows = found["orders"]
    force = [_order_text(row) for row in rows if row["grade"] in IN_FORCE and not row["superseded"]]
    commands = [" ".join((one["verb"], *one["args"])) for one in found["commands"]]
    back = [row["line"] for row in rows if row["grade"] not in IN_FORCE]
    in_force, asked, given = (meant.get(key, []) for key in ("in_force", "asked", "commands"))
    extra = [*_more(force, in_force), *_more(commands, given)]
    unasked = [one for one in asked if not any(one in line for line in back)]
    wrong = (
        *(f"acted upon: {one}" for one in extra),
        *(f"missed: {one}" for one in (*_more(in_force, force), *_more(given, commands))),
        *(f"not asked back: {one}" for one in unasked),
        *(f"asked back: {line}" for line in back if not any(one in line for one in asked)),
        *(f"prose: {one}" for one in meant.get("prose", []) if any(one in row["line"] for row in rows)),
    )
    outcome: Outcome = (
        "misread" if extra else "silent" if unasked else "asked back" if wrong else "understood"
    )
    return Finding(f"typed, {kind}", meant["text"].partition("\n")[0], outcome, wrong)


def _order_text(row: dict[str, Any]) -> str:
    """Return the order of a row with its condition."""
    return f"[{row['when']}] {row['read_as']}" if row["when"] else row["read_as"]


def check_all() -> Iterator[Finding]:
    """Yield the outcomes of all corpora."""
    yield from map(check_letter, LETTERS)
    for path in SPELLINGS:
        yield from check_spellings(path)
    for path in TYPED:
        yield from (check_typed_letter(path.stem, meant) for meant in typed_letters(path))


def table(found: list[Finding]) -> str:
    """Return the counts by kind, in rows."""
    kinds = list(dict.fromkeys(one.kind for one in found))
    columns: tuple[Outcome, ...] = ("understood", "asked back", "silent", "misread")
    rows = [f"{'kind':<18}{'all':>5}" + "".join(f"{column:>12}" for column in columns)]
    for kind in [*kinds, "together"]:
        some = [one for one in found if one.kind == kind or kind == "together"]
        counts = Counter(one.outcome for one in some)
        rows.append(f"{kind:<18}{len(some):>5}" + "".join(f"{counts[column]:>12}" for column in columns))
    return "\n".join(rows)


def not_understood(found: Iterable[Finding]) -> dict[str, dict[str, list[str]]]:
    """Return by kind and outcome the names of everything that isn't understood."""
    listed: dict[str, dict[str, list[str]]] = {}
    for one in found:
        if one.outcome != "understood":
            listed.setdefault(one.kind, {}).setdefault(one.outcome, []).append(one.name)
    return listed


def main(kinds: list[str]) -> None:
    """Print the table, and the errors in some kinds. ``--note`` records what isn't understood."""
    found = list(check_all())
    if "--note" in kinds:
        text = json.dumps(not_understood(found), indent=1, ensure_ascii=False)
        NOT_YET.write_text(text + "\n", encoding="utf-8")
    print(table(found))
    for one in found:
        if one.outcome != "understood" and any(kind in one.kind for kind in kinds):
            print(f"\n{one.kind}: {one.name} ({one.outcome})", *one.wrong, sep="\n    ")


if __name__ == "__main__":
    main(sys.argv[1:])
