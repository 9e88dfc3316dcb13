"""A report of many turns: the last ones told whole, of those before them what came of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudicator.reports import maps, shorten
from games.record import replace_fields

if TYPE_CHECKING:
    from adjudicator.model.mail import LetterDraft
    from adjudicator.reports.report import Report, TurnChapter

MAX_REPORT_BYTES = 200_000
"""What the report of a turn may have as it goes out, its pictures with it, and no file that was asked for."""

_CHAPTER_LENGTHS = (24_000, 12_000, 6_000, 0)
"""So many signs of what is told are tried; the last turn is told whole whatever it takes."""

_MAX_HEADLINES = 12
"""Of so many turns before that a sentence is told if there is room for no more."""


def weight_of(outgoing: LetterDraft) -> int:
    """The bytes of a letter as it goes out, without the files that go along: pictures grow by a third."""
    pictures = (outgoing.picture, outgoing.front, outgoing.chart)
    return shorten.size_of(outgoing) + sum(
        maps.weight_of(picture) * 41 // 30 for picture in pictures if picture
    )


def shorter(report: Report) -> Iterator[Report]:
    """Yield the report with less and less of the turns before the last, if it tells of several."""
    if len(report.chapters) > 1:
        for room in _CHAPTER_LENGTHS:
            yield (shorter_report := _within(report, room))
        own = [chapter for chapter in shorter_report.chapters[:-_MAX_HEADLINES] if chapter.passages]
        yield replace_fields(shorter_report, chapters=(*own, *shorter_report.chapters[-_MAX_HEADLINES:]))


def _within(report: Report, room: int) -> Report:
    chapters: list[TurnChapter] = []
    for chapter in reversed(report.chapters):
        room -= _length(report, chapter)
        is_whole = not chapters or (room >= 0 and chapters[-1].whole)
        chapters.append(chapter if is_whole else _summarise_chapter(chapter, report))
    short = [chapter.turn for chapter in chapters if not chapter.whole]
    kept = {chapter.turn.name for chapter in chapters if chapter.whole}
    return replace_fields(
        report,
        chapters=tuple(reversed(chapters)),
        bots=tuple(play for play in report.bots if play.turn in kept),
        first_short=short[-1] if short else None,
    )


def _summarise_chapter(chapter: TurnChapter, report: Report) -> TurnChapter:
    """Return a chapter with no more than its headline and all that is the reader's own."""
    own = tuple(passage for passage in chapter.passages if passage.heading == report.viewer)
    return replace_fields(chapter, passages=own, whole=False)


def _length(report: Report, chapter: TurnChapter) -> int:
    """Return the number of characters in which a turn is told."""
    length = sum(len(line.text) for passage in chapter.passages for line in passage.lines)
    why = (play.orders for play in report.bots if play.turn == chapter.turn.name)
    return length + sum(len(order) + len(reason) for orders in why for order, reason in orders)
