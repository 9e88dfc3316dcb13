"""Engagements in words: who met, what every throw showed, who stands there now."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import Fought, NightRaid, Retreat, Round, WagonsFought
from games.plains_indian_wars.model import TRIBES, Colour, Face
from games.plains_indian_wars.phrases import cubes, listed, place


def engagement(event: Fought) -> str:
    """An engagement from first throw to last, in one line."""
    ours: dict[Colour, int] = {colour: n for colour, n in event.cubes.items() if colour not in TRIBES}
    theirs = {colour: n for colour, n in event.cubes.items() if colour in TRIBES}
    sides = [cubes(ours, event.scenario), cubes(theirs)]
    if materials().scenarios[event.scenario].plays == "Nations":
        sides.reverse()
    said = [f"{place(event.at)}: {' against '.join(sides)}{_aside(event)}."]
    if event.ambush:
        said.append(f"Ambush: {event.ambush}{', 1 U.S. cube fell' * (event.ambush == 'hit')}.")
    said += [_round(number, one, event.scenario) for number, one in enumerate(event.rounds, 1)]
    if event.retreats:
        said.append(f"The treaty parted them: {_retreats(event.retreats)}.")
    return " ".join([*said, f"There now: {cubes(event.left, event.scenario)}."])


def raid(event: WagonsFought) -> str:
    """An attack on wagons."""
    theirs: dict[Colour, int] = {c: n for c, n in event.cubes.items() if c != "White"}
    wagons = cubes({"White": event.cubes["White"]})
    said = [f"{place(event.at)}: {cubes(theirs)} fell upon {wagons}."]
    said += [_round(number, one, event.scenario) for number, one in enumerate(event.rounds, 1)]
    if event.to:
        said.append(f"The treaty let the wagons go on to {place(event.to)}.")
    return " ".join([*said, f"There at the end: {cubes(event.left)}."])


def night(event: NightRaid) -> str:
    """The night die of a trail, and what it struck."""
    head = f"Night on the {event.trail}ern trail, die {event.number}"
    if event.foiled:
        return f"{head}: the wagons had circled, and nothing happened."
    if not event.thrown:
        return f"{head}: no wagon was there."
    told = [f"{place(region)} {', '.join(faces)}" for region, faces in event.thrown.items()]
    lost = sum(faces.count("hit") for faces in event.thrown.values())
    return f"{head}: {listed(told)}; {'no wagon was lost' if not lost else cubes({'White': lost}) + ' lost'}."


def faces(thrown: Mapping[Colour, Sequence[Face]]) -> str:
    """Dice by colour: "Blue hit, blank; Green treaty"."""
    return "; ".join(f"{colour} {', '.join(shown)}" for colour, shown in thrown.items())


def _round(number: int, one: Round, scenario: str) -> str:
    said = f"{number}) {faces(one.faces)}"
    if one.treaty:
        return f"{said}: treaty, no hit counts."
    said += f": {cubes(one.fell, scenario)} fell" if one.fell else ": nobody fell"
    return f"{said}; {_retreats(one.withdrew)}." if one.withdrew else f"{said}."


def _retreats(some: Sequence[Retreat]) -> str:
    return listed([f"{one.count} {one.colour} {_whither(one)}" for one in some])


def _whither(one: Retreat) -> str:
    return f"withdrew to {place(one.to)}" if one.to else "had nowhere to go and fell"


def _aside(event: Fought) -> str:
    return f"; {cubes(event.aside)} sat out" if event.aside else ""
