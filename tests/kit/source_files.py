"""The product's files on disk, and the first lines of their docstrings."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "orders", "adjudicator")
PAGE = ROOT / "ARCHITECTURE.md"
MAX_SUMMARY_CHARS = 104
"""The maximum length of a docstring's first line."""

_DOCSTRING = re.compile(r'"""(?P<line>.*?)(?:""")?$')


def sources(*packages: str) -> list[Path]:
    """Return the Python files of these packages, in order."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def summary(file: Path) -> str:
    """Return the first line of a module's docstring, or its first sentence if it is long."""
    with file.open(encoding="utf-8") as text:
        first = _DOCSTRING.match(text.readline())
    line = first["line"] if first else ""
    if len(line) <= MAX_SUMMARY_CHARS:
        return line
    return re.split(r"(?<=[\w)`])\.(?= [A-Z])", line)[0].rstrip(".") + "."
