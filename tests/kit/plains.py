"""Positions of Plains Indian Wars from text, and dice that show the faces that a test wants."""

from collections.abc import Mapping
from typing import Any

from games.dice import Dice
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.engagements import fight_all
from games.plains_indian_wars.events import LeftOut, PlainsEvent
from games.plains_indian_wars.execution import UsPhase, carry_out_orders
from games.plains_indian_wars.model import AnyOrder, CardId, Region, State
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.working_state import WorkingState
from orders.reading.forms import compile_forms as ready_forms
from orders.reading.forms import match_text
from orders.reading.lexicon import index_lexicon as ready_names

ACTIONS = {"Cavalry": ("CAV-01", "CAV-02", "CAV-03"), "Settlers": ("SET-01", "SET-02", "SET-03")}
"""The default hands, of strong action cards."""


def state(cubes: str = "", disc: str | None = "Blue", **fields: Any) -> State:
    """Return a position: ``N3: 2 Green; N5: 3 Blue 1 Brown``. Regions that aren't named are empty.

    Boxes hold the rest of the supply. Hands are strong action cards, and decks hold the others. fields:
    fields of the state. ready and fallen: differences from the defaults.
    """
    placed = parse_cubes(cubes)
    ready = dict(materials().supply)
    for here in placed.values():
        for colour, count in here.items():
            ready[colour] -= count
    for colour, count in fields.get("fallen", {}).items():
        ready[colour] -= count
    ready |= fields.pop("ready", {})
    hands = {**ACTIONS, **fields.pop("hands", {})}
    decks = fields.pop(
        "decks",
        {
            name: tuple(card.id for card in materials().decks[name].cards if card.id not in hands[name])
            for name in hands
        },
    )
    given = {"turn": 2, "options": {"scenario": "1"}, "played": dict.fromkeys(hands, ()), **fields}
    bare = State(disc=disc, cubes=placed, ready=ready, hands=hands, decks=decks, **given)
    return WorkingState(bare).freeze()


def parse_cubes(cubes: str) -> dict[Region, dict[Any, int]]:
    """Return the cubes by region in a text."""
    found: dict[Region, dict[Any, int]] = {}
    for part in filter(None, (one.strip() for one in cubes.split(";"))):
        region, _, counts = part.partition(":")
        assert region in board().places, region
        words = counts.split()
        found[Region(region)] = {words[n + 1]: int(words[n]) for n in range(0, len(words), 2)}
    return found


def card(name: str) -> CardId:
    """Return a card's id by its name."""
    return next(one.id for one in materials().cards.values() if one.name == name)


def faces(label: str, *rounds: str) -> dict[str, int]:
    """Return the rolls of an engagement: ``faces("T2/Blue/N3#1", "Blue hit blank, Green treaty", ...)``."""
    found = {}
    for number, one in enumerate(rounds, 1):
        for part in one.split(","):
            colour, *shown = part.split()
            for place, face in enumerate(shown, 1):
                found[f"{label}/{number}/{colour}{place}"] = number_of(colour, face)
    return found


def number_of(colour: str, face: str) -> int:
    """Return a number for which a die of the colour shows a face."""
    return materials().faces[colour].index(face) + 1  # type: ignore[index, arg-type]


class Fixed(Dice):
    """Dice whose results a test chooses, by label. All must be rolled, and no others.

    rest: the result of all other labels (a number, or "high" for the last possible place).
    """

    def __init__(self, script: Mapping[str, int | tuple[int, ...]], rest: int | None = None) -> None:
        self.left = dict(script)
        self._rest = rest
        self.thrown: list[str] = []

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        self.thrown.append(label)
        if label not in self.left:
            assert self._rest is not None, f"nobody said how {label} falls"
            return tuple((self._rest - 1 + n) % sides + 1 for n in range(count))
        said = self.left.pop(label)
        numbers = said if isinstance(said, tuple) else (said,)
        assert max(numbers) <= sides, f"{label} has {sides} sides and is to show {max(numbers)}"
        return numbers


def table(
    cubes: str = "",
    disc: str | None = "Blue",
    dice: Mapping[str, int | tuple[int, ...]] | None = None,
    rest: int | None = None,
    **fields: Any,
) -> WorkingState:
    """Return a position in play, with dice."""
    return WorkingState(state(cubes, disc, **fields), Fixed(dice or {}, rest))


def stands(play: WorkingState, region: str) -> dict[str, int]:
    """Return the cubes of a region."""
    return {colour: n for colour, n in play.cubes.get(Region(region), {}).items() if n}


def events_of_type(play: WorkingState, kind: type[PlainsEvent]) -> list[Any]:
    """Return the events of one sort."""
    return [event for event in play.events if isinstance(event, kind)]


def orders(view: State, *lines: str) -> list[AnyOrder]:
    """Return orders from a player's lines, each of which must have one meaning."""
    notation = PlainsNotation()
    names = ready_names(notation.lexicon(view))
    found = []
    for line in lines:
        meanings = match_text(line, ready_forms(notation.forms), names)
        built = {notation.write(o): o for m in meanings for o in [notation.build(view, m.form.name, m.slots)]}
        assert len(built) == 1, f"{line}: {sorted(built)}"
        found += built.values()
    return found


def carried_out(play: WorkingState, *lines: str, fight: bool = False) -> WorkingState:
    """Carry out a U.S. phase by its orders, up to the engagements, or with `fight` including them."""
    phase = UsPhase(play, orders(play.freeze(), *lines))
    carry_out_orders(phase)
    if fight:
        fight_all(play, phase.terms)
    return play


def left_out(play: WorkingState) -> list[str]:
    """Return the slugs of the reasons for which orders were left out."""
    return [event.why.code for event in events_of_type(play, LeftOut)]
