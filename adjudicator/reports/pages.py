"""The players' pages of the handbook, as they are mailed: a section for each thing one may ask."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from adjudicator.reports.typeset import ROW_BAR
from games.protocol import Game

_PLAYERS_FOLDER = files("templates").joinpath("players")
_HELP_COMMENT = re.compile(r"<!-- help: (.*) -->")
_MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FENCE = "```"


@dataclass(frozen=True)
class HandbookSection:
    """Part of a page. topics: words by which it is asked for, the first to be printed; text: as mailed."""

    topics: tuple[str, ...]
    title: str
    text: str


def page(game: Game) -> tuple[HandbookSection, ...]:
    """The sections of the page of a kind of game that are mailed, in its order; none where it has no page."""
    return _read(game.about.page or game.about.kind)


def help_topics(game: Game) -> tuple[str, ...]:
    """Return the topics of a game on which HELP has a text, each one word."""
    return tuple(section.topics[0] for section in page(game))


def section(game: Game, topic: str) -> HandbookSection | None:
    """Return the section that a word asks for, or the beginning of one of its words."""
    query = topic.strip(" .").lower()
    exact = [candidate for candidate in page(game) if query in candidate.topics]
    near = [
        candidate
        for candidate in page(game)
        if any(word.startswith(query) for word in candidate.topics) and len(query) > 3
    ]
    return next(iter((*exact, *near)), None)


@cache
def _read(name: str) -> tuple[HandbookSection, ...]:
    file = _PLAYERS_FOLDER.joinpath(f"{name}.md")
    if not file.is_file():
        return ()
    _, *parts = re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = []
    for part in parts:
        title, _, body = part.partition("\n")
        asked = _HELP_COMMENT.search(body)
        if asked:
            words = tuple(asked[1].split())
            sections.append(
                HandbookSection(topics=words, title=title, text="\n\n".join(_mailed_blocks(body)))
            )
    return tuple(sections)


def _mailed_blocks(body: str) -> Iterator[str]:
    """Yield the blocks of a section: prose, and behind bars what is written in letters and stands
    in tables.
    """
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
            fence.append(f"{ROW_BAR}{row}")
        elif row.startswith("|"):
            kept += _cells(row)
        elif row.strip():
            kept.append(_plain(row))
        elif kept:
            is_table = kept[0].startswith(ROW_BAR)
            yield ("\n" if is_table else " ").join(kept)
            kept = []


def _cells(row: str) -> list[str]:
    """A row of a table behind a bar: the way to write with all its examples; nothing for what is no row."""
    what, *others = (_plain(cell.strip()) for cell in row.strip().strip("|").split("|"))
    if not what or set(what) <= set("- ") or what == "what":
        return []
    return [f"{ROW_BAR}{what}: {'; '.join(others)}"]


def _plain(text: str) -> str:
    """Without the marks of the page."""
    return _MARKDOWN_LINK.sub(r"\1", text).replace("<br>", "  or  ").replace("`", "").replace("**", "")
