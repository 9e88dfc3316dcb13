"""Options that name files or folders: what these contain, in place of their names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.errors import Refusal

if TYPE_CHECKING:
    from games.protocol import Game, OptionValue


def with_files(game: Game, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """The options with the contents of the files and folders that some of them name."""
    reads = {"file": _contents, "folder": _folder}
    sorts = {option.name: option.sort for option in game.about.options}
    return {
        name: reads[sorts[name]](name, value) if sorts.get(name) in reads else value
        for name, value in given.items()
    }


def _folder(name: str, path: str) -> str:
    """The data files in a folder, as one text."""
    place = Path(path)
    if not place.is_dir():
        raise Refusal(f"option {name}", f"{path} is no folder", "name the folder in which your files lie")
    files = [file for file in sorted(place.iterdir()) if file.suffix in (".json", ".toml") and file.is_file()]
    if not files:
        raise Refusal(
            f"option {name}",
            f"no file in {path} ends in .json",
            "the game's page, I own the box, says what to write",
        )
    return json.dumps({"files": {file.name: _contents(name, str(file)) for file in files}})


def _contents(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"option {name}", f"{path} cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(f"option {name}", f"{path} is no text in UTF-8") from fault
