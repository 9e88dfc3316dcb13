"""The game that docs/adding-a-game.md adds, taken out of the page as a reader would."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
_FILE = re.compile(r"^`games/(?P<path>[\w./]+)`\n\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """The files that the page shows, each by its path below ``games/``."""
    return {found["path"]: found["text"] for found in _FILE.finditer(PAGE.read_text())}


def write(folder: Path) -> None:
    """Put them where the page says."""
    for path, text in files().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
