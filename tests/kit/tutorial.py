"""The game of docs/adding-a-game.md, extracted from the page as a reader would."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
_FILE = re.compile(r"^`games/(?P<path>[\w./]+)`\n\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Return the files on the page, by their paths below ``games/``."""
    return {found["path"]: found["text"] for found in _FILE.finditer(PAGE.read_text())}


def write(folder: Path) -> None:
    """Write the files to the paths that the page gives."""
    for path, text in files().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
