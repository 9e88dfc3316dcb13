"""What is wrong with an owner's files though each row is of its type: where in a file, and what."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.boer_war.board import Board
from games.boer_war.codes import EventId, Flag
from games.boer_war.components import EventCounter, Map, Materials
from games.boer_war.numbers import Losses, Numbers
from games.record import plain

MAP, LEADERS, CARDS, EVENTS, NUMBERS = "map.json", "leaders.json", "cards.json", "events.json", "numbers.json"

Faults = Iterator[tuple[str, str]]

_TURNS, _ROUNDS, _SIDES = 4, 11, 6
_NEEDED: tuple[Flag, Flag] = ("port", "political")
"""Flags without which a war could not be won, or would be at once."""

_BELOW = {"battle": ("terrain", "trench", "unsupplied", "slip_from")}
"""The fields of numbers that may be below 0."""

_ONE_AT_LEAST = {
    "moving": ("rail", "trek", "commando"),
    "battle": ("hand", "beyond"),
    "skirmish": ("drive",),
    "siege": ("least", "rises", "step"),
    "scattered": ("one_of",),
}


def map_faults(chart: Map) -> Faults:
    """Links join two points of the map, each pair once, and all points; what victory asks for is there."""
    places = {place.id: place for place in chart.points}
    for link in chart.links:
        for end in (link.a, link.b):
            if end not in places:
                yield f"links: {link.a}-{link.b}", f"there is no point {end}"
    pairs = [frozenset((link.a, link.b)) for link in chart.links]
    for link, pair in zip(chart.links, pairs, strict=True):
        if len(pair) < 2 or pairs.count(pair) > 1:
            yield f"links: {link.a}-{link.b}", "joins a point to itself, or stands there twice"
    for place in chart.points:
        yield from _below(place, ("fort", "resistance"), f"points: {place.id}")
    ground = Board(places, chart.links)
    first = chart.points[0].id
    for point in ground.points:
        if point not in ground.spread_from(first):
            yield f"links: {point}", f"no way leads there from {first}"
    for flag in _NEEDED:
        if not ground.flagged[flag]:
            yield "points", f"none of them has the flag {flag}"


def leader_faults(found: Materials) -> Faults:
    """Leaders and garrisons stand on the map among their own, and lead what they can."""
    for name, leader in found.leaders.items():
        at = f"leaders: {name}"
        yield from _below(leader, ("command", "sp", "leaves"), at)
        for field in ("move", "capacity"):
            if getattr(leader, field) < 1:
                yield f"{at}: {field}", f"it is {getattr(leader, field)} and must be 1 at least"
        if leader.sp > leader.capacity:
            yield f"{at}: sp", f"it is {leader.sp}, and he leads {leader.capacity} at most"
        points = (*leader.lands, *leader.district, *([leader.at] if leader.at else []))
        yield from _unknown(points, found.places, f"{at}: at, lands and district", "point")
        yield from _unknown(leader.joins, found.leaders, f"{at}: joins", "leader")
        if any(found.leaders[one].side != leader.side for one in leader.joins if one in found.leaders):
            yield f"{at}: joins", "he joins leaders of his own side"
        if leader.at is None:
            if leader.turn not in range(1, _TURNS + 1) or leader.round not in range(1, _ROUNDS + 1):
                yield (
                    f"{at}: turn and round",
                    f"he comes in Turn 1 to {_TURNS}, round 1 to {_ROUNDS}",
                )
        elif leader.sp < 1:
            yield f"{at}: sp", "who stands on the map has 1 at least"
        elif leader.at in found.places and found.places[leader.at].control != leader.side:
            yield f"{at}: at", f"{leader.at} is not controlled by the {leader.side}: see control in {MAP}"
    yield from _garrison_faults(found)


def _garrison_faults(found: Materials) -> Faults:
    posts = [post.at for post in found.garrisons]
    for post in found.garrisons:
        at = f"garrisons: {post.at}"
        if post.at not in found.places:
            yield at, f"there is no point {post.at}"
        elif found.places[post.at].control != "empire":
            yield at, f"it is not controlled by the empire: see control in {MAP}"
        if post.sp < 1 or posts.count(post.at) > 1:
            yield at, "it stands there once, with an SP at least"


def event_faults(found: Materials, ours: Mapping[EventId, EventCounter]) -> Faults:
    """Events name what is there, and as many points as they are played about."""
    for name, event in found.events.items():
        at = f"events: {name}"
        yield from _below(event, ("uses", "number", "die", "bonus", "needs", "near"), at)
        yield from _unknown(event.points, found.places, f"{at}: points", "point")
        yield from _unknown(event.leaders, found.leaders, f"{at}: leaders", "leader")
        if any(found.leaders[one].side != event.side for one in event.leaders if one in found.leaders):
            yield f"{at}: leaders", "they are those of its own side"
        if ours[name].points and not event.points:
            yield f"{at}: points", "it is about points, and names none"
        if any(turn not in range(1, _TURNS + 1) for turn in event.turns):
            yield f"{at}: turns", f"they are numbers from 1 to {_TURNS}"
        if event.points and event.uses > len(event.points):
            yield f"{at}: uses", f"it is about {len(event.points)} points, and is played {event.uses} times"


def card_faults(found: Materials) -> Faults:
    """Cards have a worth for each side, and there are enough for both hands."""
    for name, card in found.cards.items():
        for side in ("boers", "empire"):
            if side not in card.values:
                yield f"cards: {name}: values", f"it has none for the {side}"
        for worth in card.values.values():
            if min(worth) < 0:
                yield f"cards: {name}: values", f"one is {min(worth)} and cannot be below 0"
    most = max(leader.command for leader in found.leaders.values())
    command = max(most, found.numbers.battle.garrison_command)
    drawn = 2 * (found.numbers.battle.hand + command) + max(event.number for event in found.events.values())
    if drawn > len(found.cards):
        yield (
            "cards",
            f"a battle might draw {drawn}: see hand in {NUMBERS}, and command",
        )


def number_faults(found: Materials, ours: Numbers) -> Faults:
    """Numbers are not below what the rules can count with, and name what is there."""
    numbers = found.numbers
    for table, fields in plain(numbers).items():
        if isinstance(fields, dict):
            for field, value in fields.items():
                low = 1 if field in _ONE_AT_LEAST.get(table, ()) else 0
                if isinstance(value, int | float) and value < low and field not in _BELOW.get(table, ()):
                    yield f"{table}: {field}", f"it is {value} and must be {low} at least"
    if [(turn.number, turn.dates) for turn in numbers.turns] != [
        (turn.number, turn.dates) for turn in ours.turns
    ]:
        yield "turns", "they are four, with the numbers and dates of ours"
    for turn in numbers.turns:
        yield from _below(turn, ("empire_pool", "boer_pool", "reinforce"), f"turns: {turn.number}")
    for table, losses in (("battle", numbers.battle.losses), ("skirmish", numbers.skirmish.losses)):
        yield from _loss_faults(losses, f"{table}: losses")
    yield from _unknown(numbers.transition.roster, found.leaders, "transition: roster", "leader")
    roster = [one for one in numbers.transition.roster if one in found.leaders]
    if len(set(roster)) < len(roster) or any(found.leaders[one].side != "boers" for one in roster):
        yield "transition: roster", "they are Boers, each once"
    room = len(numbers.transition.roster) * numbers.moving.commando
    if not numbers.rising.least <= numbers.rising.most <= room:
        yield "rising", f"least is not above most, and most not above the {room} that its leaders may lead"
    centres = sum("political" in place.flags for place in found.places.values())
    if numbers.victory.centres > centres:
        yield "victory: centres", f"it is {numbers.victory.centres}, and the map has {centres}"
    capes = (numbers.arriving.cape, numbers.arriving.republics)
    yield from _unknown(capes, found.places, "arriving", "point")
    if numbers.leader_test.out > _SIDES:
        yield "leader_test: out", f"a die has {_SIDES} sides"
    if any(one not in range(1, _ROUNDS + 1) for one in numbers.attrition.rounds):
        yield "attrition: rounds", f"they are numbers from 1 to {_ROUNDS}"


def _loss_faults(losses: tuple[Losses, ...], at: str) -> Faults:
    """A row for every difference."""
    lows = [row.low for row in losses]
    if lows[:1] != [0] or lows != sorted(set(lows)):
        yield at, "the first row begins at 0, and each later one above the one before"
    for row in losses:
        yield from _below(row, ("loser", "winner"), at)


def _unknown(named: Iterable[str], known: Mapping[Any, Any], at: str, what: str) -> Faults:
    for one in named:
        if one not in known:
            yield at, f"there is no {what} {one}"


def _below(row: Any, fields: Iterable[str], at: str) -> Faults:
    for field in fields:
        if getattr(row, field) < 0:
            yield f"{at}: {field}", f"it is {getattr(row, field)} and cannot be below 0"
