"""The words of Plains Indian Wars: factions, cubes, objections, engagements roll by roll."""

import re
from collections.abc import Mapping, Sequence

from games.language import join_list
from games.messages import has_sentence, sentence
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import Card, Scenario, materials
from games.plains_indian_wars.events import EngagementRound, Fought, NightRaid, Retreat, WagonsFought
from games.plains_indian_wars.model import TRIBES, CardId, Colour, Face, Region, Topic
from games.protocol import Advice, Concern, Objection

_NUMBERED_REGION = re.compile(r"(\D+)(\d+)")
_MOST_CHOICES_NAMED = 6


def number_word(number: int) -> str:
    """Return a small number in words: "none", "two"; a larger one in figures."""
    if has_sentence(f"plains_indian_wars.numbers.{number}"):
        return sentence(f"plains_indian_wars.numbers.{number}")
    return str(number)


def instructions_row() -> tuple[str, str]:
    """Return the row of a table that says where the standing instructions are explained."""
    return (
        sentence("plains_indian_wars.decisions.instructions"),
        sentence("plains_indian_wars.decisions.instructions_how"),
    )


def topic_question(scenario: Scenario, topic: Topic) -> str:
    """Return what a standing instruction decides: "which engagements are fought first"."""
    name = topic.replace(" ", "_")
    if scenario.plays == "US":
        return sentence(f"plains_indian_wars.us_asks.{name}")
    return sentence(f"plains_indian_wars.nations_asks.{name}")


def topic_default(scenario: Scenario, topic: Topic) -> str:
    """Return what happens without a standing instruction: "in the order of the board"."""
    name = topic.replace(" ", "_")
    if scenario.plays == "US":
        return sentence(f"plains_indian_wars.us_default.{name}")
    return sentence(f"plains_indian_wars.nations_default.{name}")


def region_list(regions: Sequence[Region]) -> str:
    """Return regions as a list, three or more in a row by their ends: "N1 to N4, N6 or SAC"."""
    groups: list[list[str]] = []
    for region in regions:
        if groups and _is_next_region(groups[-1][-1], region):
            groups[-1].append(region)
        else:
            groups.append([region])
    names = [
        name
        for run in groups
        for name in (
            [sentence("plains_indian_wars.lists.range", first=run[0], last=run[-1])] if len(run) > 2 else run
        )
    ]
    return join_list(names, "or") or sentence("plains_indian_wars.lists.nowhere")


def _is_next_region(region: str, other: str) -> bool:
    first, second = _NUMBERED_REGION.fullmatch(region), _NUMBERED_REGION.fullmatch(other)
    return bool(first and second and first[1] == second[1] and int(first[2]) + 1 == int(second[2]))


def cubes_text(counts: Mapping[Colour, int], scenario: str = "1") -> str:
    """Return cubes in words: "2 Blue and 3 Brown", or "none". scenario: the scenario that names them."""
    called = materials().scenarios[scenario].called
    named = []
    for colour, count in counts.items():
        if count:
            noun, nouns = called.get(colour, (colour, colour))
            named.append(sentence("plains_indian_wars.lists.cubes", count=count, noun=noun, nouns=nouns))
    return join_list(named) or sentence("plains_indian_wars.lists.none")


def faction_name(disc: Colour | None, scenario: str) -> str:
    """Return the side that a disc belongs to: "White, the wagons"."""
    name = disc or "Black"
    called = materials().scenarios[scenario].discs_called.get(name)
    return called or sentence(f"plains_indian_wars.factions.{name.lower()}")


def region_name(region: Region | str | None) -> str:
    """Return a region in words: "Cheyenne (N3)"."""
    return board().name(Region(region)) if region else sentence("plains_indian_wars.lists.nowhere")


def card_name(card_id: CardId | str) -> str:
    """Return a card's name."""
    return materials().cards[CardId(card_id)].name


def card_text(game_card: Card, scenario: Scenario) -> str:
    """Return what a card gives in a scenario: "4 cubes, 3 groups, 2 moves", or its effect."""
    if game_card.kind == "event":
        rounds = sentence("plains_indian_wars.cards.rounds", count=scenario.alone)
        return game_card.text.format(dice=scenario.card_dice, rounds=rounds)
    return sentence(
        "plains_indian_wars.cards.numbers",
        cubes=scenario.cubes_of_card(game_card),
        groups=game_card.groups,
        count=game_card.moves,
    )


def advice(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
    code, instead = remark.code, None
    if has_sentence(f"plains_indian_wars.instead.{code}") and remark.detail.get("near") != "":
        instead = sentence(f"plains_indian_wars.instead.{code}", **_values(remark.detail))
    problem = fault_text(code, remark.detail)
    if isinstance(remark, Concern) and not remark.drops:  # it stands alone in the reply
        problem = f"{problem}."
    return Advice(problem=problem, instead=instead)


def fault_text(code: str, detail: Mapping[str, str]) -> str:
    """Return why an order wasn't carried out, as a clause. Raises KeyError for an unknown code."""
    values = _values(detail)
    if values.get("count") == 0 and has_sentence(f"plains_indian_wars.advice_none.{code}"):
        return sentence(f"plains_indian_wars.advice_none.{code}", **values)
    if values["near"] and has_sentence(f"plains_indian_wars.advice_choices.{code}"):
        return sentence(f"plains_indian_wars.advice_choices.{code}", **values)
    return sentence(f"plains_indian_wars.advice.{code}", **values)


def _values(detail: Mapping[str, str]) -> dict[str, object]:
    near = detail.get("near", "").split()
    values: dict[str, object] = {**detail, "choices": _choices_text(near), "near": next(iter(near), "")}
    if "count" in detail:
        values["count"] = int(detail["count"])
    for key in ("at", "start", "to"):
        if detail.get(key):
            values[key] = region_name(detail[key])
    if detail.get("card"):
        values["card"] = card_name(detail["card"])
    return values


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
    choices = join_list(named[:_MOST_CHOICES_NAMED], "or")
    if len(named) <= _MOST_CHOICES_NAMED:
        return choices
    return sentence("plains_indian_wars.lists.and_others", choices=choices)


# Engagements in words: the cubes of both sides, the faces of every roll, and the cubes left at the end.


def engagement_text(event: Fought) -> str:
    """Return an engagement from first roll to last, in one line."""
    us: dict[Colour, int] = {colour: n for colour, n in event.cubes.items() if colour not in TRIBES}
    tribes = {colour: n for colour, n in event.cubes.items() if colour in TRIBES}
    sides = [cubes_text(us, event.scenario), cubes_text(tribes)]
    if materials().scenarios[event.scenario].plays == "Nations":
        sides.reverse()
    at, aside = region_name(event.at), cubes_text(event.aside)
    slug = "plains_indian_wars.fights.met_aside" if event.aside else "plains_indian_wars.fights.met"
    sentences = [sentence(slug, at=at, side=sides[0], other=sides[1], aside=aside)]
    if event.ambush == "hit":
        sentences.append(sentence("plains_indian_wars.fights.ambush_hit", face=event.ambush))
    elif event.ambush:
        sentences.append(sentence("plains_indian_wars.fights.ambush", face=event.ambush))
    sentences += _round_texts(event.rounds, event.scenario)
    if event.retreats:
        sentences.append(
            sentence("plains_indian_wars.fights.parted", retreats=_retreats_text(event.retreats))
        )
    sentences.append(sentence("plains_indian_wars.fights.left", cubes=cubes_text(event.left, event.scenario)))
    return " ".join(sentences)


def wagon_raid_text(event: WagonsFought) -> str:
    """Return an attack on wagons, in one line."""
    tribes: dict[Colour, int] = {c: n for c, n in event.cubes.items() if c != "White"}
    wagons = cubes_text({"White": event.cubes["White"]})
    at, side = region_name(event.at), cubes_text(tribes)
    sentences = [
        sentence("plains_indian_wars.fights.wagons_met", at=at, side=side, wagons=wagons),
        *_round_texts(event.rounds, event.scenario),
    ]
    if event.to:
        sentences.append(sentence("plains_indian_wars.fights.wagons_went_on", to=region_name(event.to)))
    sentences.append(sentence("plains_indian_wars.fights.wagons_left", cubes=cubes_text(event.left)))
    return " ".join(sentences)


def night_raid_text(event: NightRaid) -> str:
    """Return the night die of a trail, and the wagons that it struck."""
    trail, number = sentence(f"plains_indian_wars.trails.{event.trail}"), event.number
    if event.foiled:
        return sentence("plains_indian_wars.fights.night_foiled", trail=trail, number=number)
    if not event.thrown:
        return sentence("plains_indian_wars.fights.night_missed", trail=trail, number=number)
    struck = join_list(
        sentence("plains_indian_wars.fights.night_struck", at=region_name(region), faces=", ".join(faces))
        for region, faces in event.thrown.items()
    )
    lost = sum(faces.count("hit") for faces in event.thrown.values())
    slug = "plains_indian_wars.fights.night_lost" if lost else "plains_indian_wars.fights.night_safe"
    return sentence(slug, trail=trail, number=number, struck=struck, wagons=cubes_text({"White": lost}))


def faces_text(rolled: Mapping[Colour, Sequence[Face]]) -> str:
    """Return dice by colour: "Blue hit, blank; Green treaty"."""
    return "; ".join(
        sentence("plains_indian_wars.fights.faces", colour=colour, faces=", ".join(shown))
        for colour, shown in rolled.items()
    )


def _round_texts(rounds: Sequence[EngagementRound], scenario: str) -> list[str]:
    return [_round_text(number, fight_round, scenario) for number, fight_round in enumerate(rounds, 1)]


def _round_text(number: int, fight_round: EngagementRound, scenario: str) -> str:
    if fight_round.treaty:
        slug = "plains_indian_wars.fights.round_treaty"
    elif fight_round.fell and fight_round.withdrew:
        slug = "plains_indian_wars.fights.round_fell_withdrew"
    elif fight_round.fell:
        slug = "plains_indian_wars.fights.round_fell"
    elif fight_round.withdrew:
        slug = "plains_indian_wars.fights.round_safe_withdrew"
    else:
        slug = "plains_indian_wars.fights.round_safe"
    return sentence(
        slug,
        number=number,
        faces=faces_text(fight_round.faces),
        cubes=cubes_text(fight_round.fell, scenario),
        retreats=_retreats_text(fight_round.withdrew),
    )


def _retreats_text(retreats: Sequence[Retreat]) -> str:
    return join_list(
        sentence(
            "plains_indian_wars.fights.withdrew" if retreat.to else "plains_indian_wars.fights.trapped",
            count=retreat.count,
            colour=retreat.colour,
            to=region_name(retreat.to),
        )
        for retreat in retreats
    )


def ending_text(reason: str) -> str:
    """Return how a game of Variant II ends, as a clause."""
    return sentence(f"plains_indian_wars.endings.{reason}")
