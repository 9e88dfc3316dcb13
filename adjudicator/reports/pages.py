"""The players' pages of the handbook, as they are mailed: a section for each thing one may ask."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from adjudicator.reports.typeset import BAR
from games.protocol import Game

_FOLDER = files("templates").joinpath("players")
_ASKED = re.compile(r"<!-- help: (.*) -->")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FENCE = "```"


@dataclass(frozen=True)
class Section:
    """Part of a page. topics: words by which it is asked for, the first to be printed; text: as mailed."""

    topics: tuple[str, ...]
    title: str
    text: str


def page(game: Game) -> tuple[Section, ...]:
    """The sections of the page of a kind of game that are mailed, in its order; none where it has no page."""
    return _read(game.about.page or game.about.kind)


def topics(game: Game) -> tuple[str, ...]:
    """What may be asked about a game, each by one word."""
    return tuple(section.topics[0] for section in page(game))


def section(game: Game, topic: str) -> Section | None:
    """The section that is asked for by a word, or by the beginning of one of its words."""
    said = topic.strip(" .").lower()
    found = [one for one in page(game) if said in one.topics]
    near = [one for one in page(game) if any(word.startswith(said) for word in one.topics) and len(said) > 3]
    return next(iter((*found, *near)), None)


@cache
def _read(name: str) -> tuple[Section, ...]:
    file = _FOLDER.joinpath(f"{name}.md")
    if not file.is_file():
        return ()
    _, *parts = re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = []
    for part in parts:
        title, _, body = part.partition("\n")
        asked = _ASKED.search(body)
        if asked:
            words = tuple(asked[1].split())
            found.append(Section(topics=words, title=title, text="\n\n".join(_mailed(body))))
    return tuple(found)


def _mailed(body: str) -> Iterator[str]:
    """The blocks of a section: prose, and behind bars what is written in letters and stands in tables."""
    fence: list[str] | None = None
    kept, shown = list[str](), True
    for row in [*re.sub(r"<!--.*?-->\n?", "", body).split("\n"), ""]:
        if row.startswith(_FENCE) and fence is None:
            # What came of a letter, as the handbook shows it, every report shows as well.
            fence, shown = [], not row.startswith(f"{_FENCE}text")
        elif row.startswith(_FENCE) and fence is not None:
            yield from ["\n".join(fence)] * shown
            fence = None
        elif fence is not None:
            fence.append(f"{BAR}{row}")
        elif row.startswith("|"):
            kept += _cells(row)
        elif row.strip():
            kept.append(_plain(row))
        elif kept:
            is_table = kept[0].startswith(BAR)
            yield ("\n" if is_table else " ").join(kept)
            kept = []


def _cells(row: str) -> list[str]:
    """A row of a table behind a bar: the way to write with all its examples; nothing for what is no row."""
    what, *others = (_plain(cell.strip()) for cell in row.strip().strip("|").split("|"))
    if not what or set(what) <= set("- ") or what == "what":
        return []
    return [f"{BAR}{what}: {'; '.join(others)}"]


def _plain(text: str) -> str:
    """Without the marks of the page."""
    return _LINK.sub(r"\1", text).replace("<br>", "  or  ").replace("`", "").replace("**", "")
