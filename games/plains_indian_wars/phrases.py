"""The words of Plains Indian Wars: factions, cubes, and why an order cannot be carried out."""

import re
from collections.abc import Mapping, Sequence

from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import Card, Scenario, materials
from games.plains_indian_wars.model import CardId, Colour, Region
from games.protocol import Advice, Concern, Objection

FACTIONS: Mapping[Colour | None, str] = {
    "Green": "Green, the northern tribes",
    "Orange": "Orange, the southern tribes",
    "Purple": "Purple, the enemies of the tribes",
    "White": "White, the wagons",
    "Blue": "Blue, the cavalry",
    "Brown": "Brown, the settlers",
    "Black": "Black, the railroad",
}

INSTRUCTIONS_ROW = ("instructions", "what is done when asked in the middle of a turn: HELP INSTRUCTIONS")
"""The row that tells where the standing instructions are explained."""

_NUMBERED_REGION = re.compile(r"(\D+)(\d+)")

RAILROAD_LINES: Mapping[str, str] = {
    "union": "the Union Pacific",
    "mountains": "the mountain line",
    "central": "the Central Pacific",
}

# What is wrong, and an order that would do instead ("" for none); {near} is the nearest thing that is lawful.
ADVICE: Mapping[str, tuple[str, str]] = {
    "not-now": ("no such order is wanted now", ""),
    "not-in-hand": ("{card} is not in your hand{choice}", ""),
    "no-region": ("{card} is played without a region", "play {card}"),
    "wants-region": ("{card} is played in a region that it can reach{choice}", "play {card} in {near}"),
    "enough-events": ("no more Events may be played in this phase", ""),
    "other-disc": ("it is {disc}'s phase, and only {disc} cubes are placed", ""),
    "no-place-there": ("no cubes of this phase are placed in {at}{choice}", "{place} {near}"),
    "other-city": ("this card's cubes go to {near_name} when they go to a city", "{place} {near}"),
    "apart": ("Brown and Purple may stand together in {at} only with Blue", ""),
    "left-together": ("Brown and Purple would be left in {at} without Blue", ""),
    "too-many": ("{only} more may be placed", ""),
    "no-room": ("{at} takes {only} more: eight U.S. cubes are the limit", ""),
    "ready-box-empty": ("the Ready Box has {only} cubes left", ""),
    "nobody-fell": ("the {colour} Casualty Box is empty", ""),
    "no-activation": ("no activation is left for it", ""),
    "not-controlled": ("Purple does not control {start}: tribes are there", ""),
    "too-few": ("{start} has {only} {colour} that may move", ""),
    "no-influence": (
        "{lead} must lead the group, and takes along only as many others as its influence allows",
        "",
    ),
    "barred": ("{colour} may not go to {to}", ""),
    "too-far": (
        "{to} is out of reach from {start}: {reach} moves at most, and tribes stop a group{choice}",
        "",
    ),
    "no-target": ("{card} does nothing: it has no target there", ""),
    "nobody-there": ("{card} does nothing: no tribe is in {at}", ""),
    "line-complete": ("{card} does nothing: the plains are crossed already", ""),
    "no-workers": ("{card} does nothing: no Brown cube stands beside the railhead", ""),
    "no-such-choice": ("that cannot be chosen{choice}", ""),
    "never-asked": ("nobody asks for it in this scenario", ""),
    "whose-box": ("it does not say whose Casualty Box{choice}", "recover {near}"),
    "other-tribe": ("{colour} has no phase now{choice}", ""),
    "own-cubes": ("only {colour} cubes move in this phase", ""),
    "not-held": ("{at} is not held by that tribe alone{choice}", "{place} {near}"),
    "no-home": ("{at} is no home of that tribe; its cubes come where it holds one{choice}", "{place} {near}"),
    "play-an-action": ("you have a War Party card{choice}", "play {near}"),
    "wants-target": ("{card} reaches the region of the force and its neighbours only{choice}", ""),
    "no-target-wanted": ("{card} is played against no second region", "play {card}"),
    "out-of-reach": ("{to} is out of reach from {start}: {reach} moves at most{choice}", ""),
    "met": (
        "{to} is out of reach from {start}: {reach} moves at most, and the U.S. stops a group{choice}",
        "",
    ),
}
"""Each objection, concern and fault."""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: "Blue, Brown and Purple"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number_word(number: int) -> str:
    """Return a small number in words: "none", "two"; a larger one in figures."""
    words = ("none", "one", "two", "three", "four", "five", "six")
    return words[number] if number < len(words) else str(number)


def region_list(regions: Sequence[Region]) -> str:
    """Return regions as a list, three or more in a row by their ends: "N1 to N4, N6 or SAC"."""
    groups: list[list[str]] = []
    for region in regions:
        if groups and _is_next_region(groups[-1][-1], region):
            groups[-1].append(region)
        else:
            groups.append([region])
    texts = [text for run in groups for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
    return join_words(texts, "or") or "nowhere"


def _is_next_region(region: str, other: str) -> bool:
    first, second = _NUMBERED_REGION.fullmatch(region), _NUMBERED_REGION.fullmatch(other)
    return bool(first and second and first[1] == second[1] and int(first[2]) + 1 == int(second[2]))


def cubes_text(counts: Mapping[Colour, int], scenario: str = "1") -> str:
    """Return cubes in words: "2 Blue and 3 Brown", or "nobody". scenario: it has their names."""
    called = materials().scenarios[scenario].called
    named = [(n, called.get(colour, (colour, colour))[n != 1]) for colour, n in counts.items() if n]
    return join_words([f"{n} {noun}" for n, noun in named]) or "nobody"


def faction_name(disc: Colour | None, scenario: str) -> str:
    """Return what a disc stands for: "White, the wagons"."""
    return materials().scenarios[scenario].discs_called.get(disc or "Black") or FACTIONS[disc]


def region_name(region: Region | str | None) -> str:
    """Return a region in words: "Cheyenne (N3)"."""
    return board().name(Region(region)) if region else "nowhere"


def card_name(card_id: CardId | str) -> str:
    """Return a card's name."""
    return materials().cards[CardId(card_id)].name


def card_text(game_card: Card, scenario: Scenario) -> str:
    """Return what a card gives in a scenario: "4 cubes, 3 groups, 2 moves", or its effect."""
    if game_card.kind == "event":
        rounds = "round" if scenario.alone == 1 else f"{scenario.alone} rounds"
        return game_card.text.format(dice=scenario.card_dice, rounds=rounds)
    cubes = scenario.cubes_of_card(game_card)
    return f"{cubes} cubes, {game_card.groups} groups, {game_card.moves} move{'s' * (game_card.moves != 1)}"


def advice(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for a code that has no words."""
    problem, instead = ADVICE[remark.code]
    words = _words(remark.detail)
    lacking = "{near" in instead and "near" not in words
    return Advice(
        problem=problem.format(**words), instead=instead.format(**words) if instead and not lacking else None
    )


def fault_text(code: str, detail: Mapping[str, str]) -> str:
    """Return why an order was left out, as the end of a sentence."""
    return ADVICE[code][0].format(**_words(detail))


def _words(detail: Mapping[str, str]) -> dict[str, str]:
    near = detail.get("near", "").split()
    words = {**detail, "choice": f"; possible: {_choices_text(near)}" if near else "", "place": "place 1 at"}
    count = detail.get("count")
    if count is not None:
        words["only"] = "no" if count == "0" else f"only {count}"
    for key in ("at", "start", "to"):
        if detail.get(key):
            words[key] = region_name(detail[key])
    if detail.get("card"):
        words["card"] = card_name(detail["card"])
    if near:
        words |= {"near": near[0], "near_name": _choices_text(near[:1])}
    else:
        words.pop("near", None)
    return words


def _choices_text(ids: Sequence[str]) -> str:
    """Return some of the possible choices, by name."""
    named = [
        card_name(choice)
        if choice in materials().cards
        else region_name(choice)
        if choice in board().places
        else choice
        for choice in ids
    ]
    return join_words(named[:6], "or") + (" and others" if len(named) > 6 else "")
