"""The sentences of our emails, in the current templates and catalogues and in their whole history.

``python -m tests.kit.own_words`` adds missing sentences to orders/own_words.txt.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "orders" / "own_words.txt"
PLACES = (
    "templates/messages",
    "templates/letters",
    "templates/help",
    "templates/kit.*",
    "templates/report.*",
)
"""The sources of our emails' sentences."""

_TAG = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}|\{#.*?#\}|<[^<>]*>|\bstyle=\"[^\"]*\"", re.DOTALL)
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CODE = re.compile(r"^[\w.#@\s:,>{}()%;\"'=/&-]*\{|[{;]\s*$|:\s*[\w#.% -]+;|&nbsp;|&copy;")
_FEWEST = 3


def segments(text: str) -> Iterator[str]:
    """Yield the stretches of words in a template or a sentence, without placeholders and tags."""
    at = 0
    for tag in _TAG.finditer(text):
        yield from _plain(text[at : tag.start()])
        for literal in _LITERAL.findall((tag[1] or "") + (tag[2] or "")):
            yield from _plain(literal)
        at = tag.end()
    yield from _plain(text[at:])


def _plain(text: str) -> Iterator[str]:
    for row in text.split("\n\n"):
        said = " ".join(row.replace("\\n", " ").replace("\\", " ").split()).strip(" \"'|~-=+*#_")
        if len(re.findall(r"[^\W_]+", said)) >= _FEWEST and "<" not in said and not _CODE.search(said):
            yield said


def message_segments(text: str) -> Iterator[str]:
    """Yield the segments of a catalogue's file, or of some lines of one."""
    rows = re.sub(r"\\\n\s*", "", text)
    rows = re.sub(r"(?m)^\w+(\.\w+)? = |\"\"\"", "\n\n", rows)
    yield from segments(re.sub(r"(?m)^\[\w+\]$|^#.*$", "", rows))


def present() -> set[str]:
    """Return the current sentences of our emails."""
    found: set[str] = set()
    for place in PLACES:
        folder = ROOT / place
        for path in sorted(folder.glob("*") if folder.is_dir() else ROOT.glob(place)):
            text = path.read_text(encoding="utf-8")
            found.update(message_segments(text) if path.suffix == ".toml" else segments(text))
    return found


def ever() -> set[str]:
    """Return the sentences of the files' whole history, or nothing without a history or without git."""
    if shutil.which("git") is None:
        return set()
    done = subprocess.run(
        ["git", "log", "-p", "--unified=0", "--format=", "--", *PLACES],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    added = [row[1:] for row in done.stdout.split("\n") if row.startswith("+") and not row.startswith("+++")]
    found: set[str] = set()
    for chunk in _chunks(added):
        found.update(message_segments(chunk))
    return found


def _chunks(rows: Iterable[str]) -> Iterator[str]:
    """Yield added rows as sentences. A row that ends in a backslash continues in the next one."""
    chunk: list[str] = []
    for row in rows:
        chunk.append(row)
        if not row.endswith("\\"):
            yield "\n".join(chunk)
            chunk = []
    yield "\n".join(chunk)


def known_segments() -> set[str]:
    """Return the sentences in the file."""
    return set(FILE.read_text(encoding="utf-8").splitlines()) if FILE.exists() else set()


def add() -> int:
    """Add missing sentences to the file, and remove none. Returns the number of added sentences."""
    before = known_segments()
    after = before | present() | ever()
    FILE.write_text("\n".join(sorted(after)) + "\n", encoding="utf-8")
    return len(after) - len(before)


if __name__ == "__main__":
    print(f"{add()} sentences were added to {FILE.relative_to(ROOT)}")
