"""Everything that can be pointed at is on the map, and every place in a sentence can be pointed at."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

import games
from adjudicator.reports.maps import svg
from games.protocol import Event, EventPlaces, Game, MapRegion, Telling, View
from tests.kit.campaign import campaign, every_kind

KINDS = tuple(kind for kind in every_kind() if kind in games.kinds())
FEW = 6
"""So many turns of a game are looked at, from its first to its last."""

by_kind = pytest.mark.parametrize("kind", KINDS)


def yield_views(kind: str) -> Iterator[tuple[Game, View, tuple[Event, ...]]]:
    """The table after some turns of the bots' game, as all see it, and what happened before all eyes."""
    played = campaign(kind)
    for step in played.steps[:: max(len(played.steps) // FEW, 1)]:
        view = played.game.rules.view(step.after, None)
        yield played.game, view, tuple(event for event in step.events if event.seen_by is None)


def mentioned(telling: Any, events: tuple[Event, ...]) -> Iterator[EventPlaces]:
    for event in events:
        if note := telling.note(event):
            yield EventPlaces(of=note.of, at=(note.at,), title=note.title)
        elif mention := telling.mention(event):
            yield mention


def has_order_notes(kind: str) -> bool:
    """Return whether a game has notes on orders, not only on places."""
    return type(games.kinds()[kind].telling).note is not Telling.note


def spots(game: Game, view: View) -> tuple[MapRegion, ...]:
    return game.telling.spots(view)


@by_kind
def test_every_place_has_a_shape_and_a_name_of_its_own(kind: str) -> None:
    """Drawn on the map under its id, or brought along; no two are one place."""
    for game, view, events in yield_views(kind):
        drawing = svg(game, view, events) or ""
        found = spots(game, view)
        assert len({one.at for one in found}) == len(found)
        for one in found:
            assert one.name
            assert bool(one.path) != bool(one.shape)
            assert one.path or f' id="{one.shape}"' in drawing, one


@by_kind
def test_what_a_sentence_names_is_a_place_of_the_board_and_its_arrows_are_drawn(kind: str) -> None:
    """On a table that changes from turn to turn, a named card may have left it."""
    told = drawn = 0
    for game, view, events in yield_views(kind):
        places = {one.at for one in spots(game, view)}
        drawing = svg(game, view, events) or ""
        titles = {unescape(title) for title in re.findall(r"<title>(.*?)</title>", drawing)}
        arrows = {unescape(title) for title in re.findall(r"<g[^>]*><title>(.*?)</title><path", drawing)}
        mentions = [*mentioned(game.telling, events)]
        told += sum(places.issuperset(one.at) for one in mentions)
        if kind != "great-war":
            assert all(places.issuperset(one.at) for one in mentions)
        if not has_order_notes(kind):
            wanted = {one.title for one in mentions if one.title}
            assert wanted <= titles
            assert arrows <= wanted
            drawn += len(wanted)
    assert told > 2, "there is something to be pointed at"
    assert drawn or kind == "great-war" or has_order_notes(kind)
