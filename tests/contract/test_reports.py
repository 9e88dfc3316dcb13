"""A turn of every kind of game can be reported: as an email, as a post, and as a map."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import get_args
from xml.etree import ElementTree

import pytest

from adjudicator.inbound.game_history import build_history
from adjudicator.model.games import AdjudicationResult
from adjudicator.reports.maps import svg
from adjudicator.reports.messages import LetterReader, turn_report
from adjudicator.reports.posts import post
from adjudicator.reports.render import routine_together
from adjudicator.reports.report import Report, compile_report
from adjudicator.reports.results import choose_headline, visible_events
from games.boer_war.components import materials
from games.plains_indian_wars.model import Colour
from games.protocol import Seat
from tests.kit.campaign import Campaign, campaign, every_kind

KINDS = every_kind()
READER = LetterReader(address="player@example.org")

pytestmark = pytest.mark.parametrize("kind", KINDS)


def yield_reported_turns(played: Campaign) -> Iterator[AdjudicationResult]:
    """The first, the middle and the last turn of a game, each as if it were the news."""
    rules = played.game.rules
    for place in sorted({0, len(played.steps) // 2, len(played.steps) - 1}):
        step = played.steps[place]
        yield AdjudicationResult(
            steps=(step,),
            state=step.after,
            filed={},
            due=rules.due(step.after),
            result=rules.result(step.after),
            deadline=None,
        )


def reports(kind: str) -> Iterator[Report]:
    """These turns as the first seat and as anybody may see them."""
    played = campaign(kind)
    viewers: tuple[Seat | None, ...] = (next(iter(played.start.assignments)), None)
    for turn in yield_reported_turns(played):
        for viewer in viewers:
            course = build_history(played.game, played.start, played.log, turn)
            yield compile_report(
                played.game, played.start, turn, viewer, commitment="5ea1" * 16, history=course
            )


def test_letters_keep_to_their_width_and_weight(kind: str) -> None:
    """72 columns of plain text; pages below 60 KB, the last one, which tells of the whole game too, below 80.

    Mail programs show whole what is below 102 KB.
    """
    for report in reports(kind):
        letter = turn_report(campaign(kind).game, report, READER)
        assert [row for row in letter.text.split("\n") if len(row) > 72] == []
        assert len((letter.html or "").encode()) < (60_000 if report.result is None else 80_000)
        assert report.headline in re.sub(r"\s+", " ", letter.text)


def test_posts_say_what_letters_say(kind: str) -> None:
    for report in reports(kind):
        game = campaign(kind).game
        for page in (post(game, report, READER, "bbcode"), post(game, report, READER, "markdown")):
            bare = re.sub(r"\\(?=[^\w\s])|</?ins>|\[/?u\]|\u200b", "", page).replace("&amp;", "&")
            for chapter in report.chapters:
                for passage in chapter.passages:
                    lines = routine_together(passage.lines)
                    assert all(" ".join(line.text.split()) in bare for line in lines)
            for section in report.history.story if report.history else ():
                assert all(sentence in bare for sentence in section.sentences)


def test_maps_are_well_formed_and_small(kind: str) -> None:
    """A game may have none; it says what it has in words as well. Chaos's has a table of 34 powers."""
    played, most = campaign(kind), 265_000 if kind.startswith("chaos") else 250_000
    for turn in yield_reported_turns(played):
        events = [event for event in turn.steps[0].events if event.seen_by is None]
        drawn = svg(played.game, played.game.rules.view(turn.state, None), events, "a & b")
        if drawn is not None:
            ElementTree.fromstring(drawn)
            assert len(drawn.encode()) < most


PARTIES: Mapping[str, Collection[str]] = {
    "plains-indian-wars": (*get_args(Colour), "U.S.", "nations", "Custer", "agons", "railroad"),
    "boer-war": ("Boers", "Empire", *(leader.name for leader in materials().leaders.values())),
}
"""The sides of a war as its headlines name them, if these are not its seats."""


def test_no_headline_is_the_same_as_the_one_before_and_each_names_a_side(kind: str) -> None:
    played = campaign(kind)
    game = played.game
    seen = [visible_events(step.events, None) for step in played.steps]
    chosen = [
        choose_headline(game, game.rules.view(step.after, None), events, reversed(seen[:place]))
        for place, (step, events) in enumerate(zip(played.steps, seen, strict=True))
    ]
    assert [first for first, second in pairwise(chosen) if first == second] == []
    if kind not in ("cairn", "stones"):  # the tutorial's
        names = PARTIES.get(kind, (*played.start.assignments, "You", "AI"))
        # A draw concerns all.
        result = game.rules.result(played.steps[-1].after)
        chosen = chosen[:-1] if result is not None and not result.winners else chosen
        assert [text for text in chosen if not any(name in text for name in names)] == []
