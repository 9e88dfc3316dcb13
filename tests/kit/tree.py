"""The tree of the product as it lies on the disk, and as ARCHITECTURE.md draws it."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "orders", "adjudicator")
DRAWN = PACKAGES
"""The folders that the page draws."""

PAGE = ROOT / "ARCHITECTURE.md"
LONGEST = 104
"""What of a docstring's first line is read at a glance."""

_DOCSTRING = re.compile(r'"""(?P<line>.*?)(?:""")?$')
_MARKED = re.compile(r"(?<=<!-- made of docstrings by `make golden` -->\n).*(?=<!-- so far -->)", re.DOTALL)


def sources(*packages: str) -> list[Path]:
    """The Python files of these packages, in order."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def said(file: Path) -> str:
    """What a module says of itself: the first line of its docstring, of a long one the first sentence."""
    with file.open(encoding="utf-8") as text:
        found = _DOCSTRING.match(text.readline())
    line = found["line"] if found else ""
    return line if len(line) <= LONGEST else re.split(r"(?<=[\w)`])\.(?= [A-Z])", line)[0].rstrip(".") + "."


def drawn() -> str:
    """The tree, folder by folder: what each says of itself, then its modules."""
    return "\n" + "\n".join(f"```\n{chr(10).join(_package(ROOT / name))}\n```\n" for name in DRAWN)


def _package(top: Path) -> Iterator[str]:
    folders = sorted({path.parent for path in sources(str(top.relative_to(ROOT)))})
    for folder in folders:
        name = f"{folder.relative_to(ROOT).as_posix()}/"
        yield f"{name}  {said(folder / '__init__.py')}".rstrip()
        yield from (f"  {file.name:24} {said(file)}" for file in sorted(folder.glob("[a-z]*.py")))
        yield ""


def page(text: str) -> str:
    """The page with the tree as it is now between its marks."""
    return _MARKED.sub(lambda _: drawn().replace("\n\n```\n", "\n```\n"), text)
