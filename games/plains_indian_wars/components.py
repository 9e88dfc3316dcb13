"""Cards, dice and set-ups, compiled from the files in data/."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from games.data import read_json
from games.dice import Dice
from games.plains_indian_wars.board import PACKAGE, Mark, Zone
from games.plains_indian_wars.model import Belt, CardId, Colour, DeckName, Face, Region
from games.protocol import Invalid
from games.record import Malformed, Record, Value, revive

_TribeOp = Literal["strike", "sweep", "fierce", "first-strike", "raid", "muster"]


class Effect(Record, frozen=True, kw_only=True):
    """The effect of an Event card: an operation of execution.py, here or in nations/, and its numbers."""

    op: Literal["custer", "remove", "extra-die", "extra-group", "quiet", "rails", "circle"] | _TribeOp
    cubes: int = 0
    points: int = 0
    where: Literal["by-blue", "by-purple", "railroad", ""] = ""
    colour: Colour | None = None
    dice: int = 0
    leads: tuple[Colour, ...] = ()
    moves: int = 0
    first_strike: bool = False
    sections: tuple[int, ...] = ()
    spaces: int = 0
    faces: tuple[Face, ...] = ()
    prey: tuple[Colour, ...] = ()
    to: Region | None = None


class Card(Record, frozen=True, kw_only=True):
    """A card. Action cards have cubes, groups and moves; Events an effect and its text.

    mark: where its numbers or its effect come from; city: the city in which all its cubes for cities go.
    aliases: what else letters may call it.
    """

    id: CardId
    name: str
    kind: Literal["action", "event"]
    mark: Mark
    name_mark: Mark
    cubes: int = 0
    groups: int = 0
    moves: int = 0
    city: Region | None = None
    effect: Effect | None = None
    text: str = ""
    aliases: tuple[str, ...] = ()


class Deck(Record, frozen=True, kw_only=True):
    """A faction's cards. label: what its action cards are called."""

    colour: Colour
    label: str
    split_mark: Mark
    cards: tuple[Card, ...]


class CardsFile(Record, frozen=True, kw_only=True):
    """The file of the cards."""

    marks: str
    hand: int
    events: int
    hand_mark: Mark
    decks: dict[DeckName, Deck]


class Die(Record, frozen=True, kw_only=True):
    """A die as the data have it."""

    faces: tuple[Face, ...]
    hits: Mark
    blanks_and_treaties: Mark


class DiceFile(Record, frozen=True, kw_only=True):
    """The file of the dice."""

    marks: str
    dice: dict[Colour, Die]


class DicePlacement(Record, frozen=True, kw_only=True):
    """Cubes placed by dice: the sides and number of the dice, and the cubes for each."""

    sides: int
    cubes: int
    dice: int = 1


class TribeLand(Record, frozen=True, kw_only=True):
    """The land where a tribe's cubes may stand: zones, less some regions."""

    zones: tuple[Zone, ...]
    barred: tuple[Region, ...] = ()


class AssumedNumber(Record, frozen=True, kw_only=True):
    """Why a number of ours is what it is: what it was, what games of the bot said before and say now."""

    why: str
    was: str
    before: str
    after: str


class RailroadWorks(Record, frozen=True, kw_only=True):
    """Workers and escorts of the railroad.

    sides: which regions of a section they work in (0 north of the tracks, 1 south). most: cubes of a colour
    that a party has in a region; western: cubes that the Central Pacific's gets there from one disc. built:
    the spaces that a number of workers builds, if it is not the map's table.
    """

    sides: tuple[int, ...]
    most: dict[Colour, int]
    western: dict[Colour, int]
    built: tuple[int, ...] = ()


class ColumnRoute(Record, frozen=True, kw_only=True):
    """A column's name, the regions that it rides through, and its cubes at the start."""

    name: str
    steps: tuple[Region, ...]
    cubes: dict[Colour, int]


class ColumnCampaign(Record, frozen=True, kw_only=True):
    """Columns by the colour of their troopers, the goal of all, and the die that tribes add there."""

    columns: dict[Colour, ColumnRoute]
    goal: Region
    die: Colour


class Scenario(Record, frozen=True, kw_only=True):
    """A set-up and its numbers.

    plays: the seat. tribes, fighters: the colours of both sides; those of the U.S. in the order in which
    they fall among equals. throws: the colours whose cubes roll dice of a colour, two at most; boxes:
    where the fallen of a colour go. called: nouns for a colour's cube and cubes; discs_called: what a
    disc stands for.

    places: cubes by region; belts, homes: cubes of a colour in each of its regions that is not in
    places; bands: further cubes at the start; raids: a tribe's disc; belt_raids: Purple's. limits: of a
    tribe in a plains region and in a belt region, of the U.S. anywhere. purple: cubes and moves of
    Purple's disc in each belt. wagons: new ones a turn; wagon_dice: rolled in their defence.

    Variant II: turns: how many at most (0: any number); lands: where a tribe may stand; passing: whether
    its groups go on through the U.S.; empty_home: whether a tribe without a region may begin again in an
    empty one; treaties: whether they count. trains: the wagons' escorted columns by trail; fork: which
    way a die sends one. works, campaign: those of the railroad and of the Black Hills. card_dice: how
    many dice a force rolls at most where a card lets it strike; alone: in how many rounds a card lets a
    tribe roll alone; card_cubes: cubes that an action card whose numbers are ours brings at most (0: as
    many as it says). assumed: numbers of ours, by their names, and why they are what they are.
    """

    title: str
    plays: Literal["US", "Nations"]
    tribes: tuple[Colour, ...]
    fighters: tuple[Colour, ...]
    throws: dict[Colour, tuple[Colour, ...]]
    boxes: dict[Colour, Literal["ready", "fallen", "lost", "gone"]]
    called: dict[Colour, tuple[str, str]] = {}
    discs_called: dict[Colour, str] = {}
    decks: tuple[DeckName, ...]
    discs: tuple[Colour, ...]
    places: dict[Region, dict[Colour, int]]
    homes: dict[Colour, int]
    bands: DicePlacement | None = None
    limits: dict[Literal["plains", "belt", "us"], int]
    belts: dict[Colour, int] = {}
    raids: DicePlacement = DicePlacement(sides=12, cubes=0)
    belt_raids: DicePlacement = DicePlacement(sides=6, cubes=0)
    wagons: int = 0
    wagon_dice: int = 0
    purple: dict[Literal["cubes", "moves"], int] = {}
    turns: int = 0
    lands: dict[Colour, TribeLand] = {}
    passing: bool = False
    empty_home: bool = False
    treaties: bool = False
    trains: dict[Belt, dict[Colour, int]] = {}
    fork: dict[Face, str] = {}
    card_dice: int = 2
    alone: int = 1
    card_cubes: int = 0
    assumed: dict[str, AssumedNumber] = {}
    works: RailroadWorks | None = None
    campaign: ColumnCampaign | None = None

    def cubes_of_card(self, card: Card) -> int:
        """Return how many cubes an action card brings; a published number stands whatever we assume."""
        most = self.card_cubes if card.mark == "assumed" else 0
        return min(card.cubes, most or card.cubes)


class ScenariosFile(Record, frozen=True, kw_only=True):
    """The file of the set-ups. supply: the cubes in the box."""

    marks: str
    supply: dict[Colour, int]
    supply_mark: str
    scenarios: dict[str, Scenario]


class Materials(Value, frozen=True):
    """Everything in the box but the board. hand: its size; events: how many a phase may see."""

    cards: Mapping[CardId, Card]
    decks: Mapping[DeckName, Deck]
    deck_of: Mapping[CardId, DeckName]
    hand: int
    events: int
    faces: Mapping[Colour, tuple[Face, ...]]
    supply: Mapping[Colour, int]
    scenarios: Mapping[str, Scenario]

    def deck_for(self, colour: Colour) -> DeckName | None:
        """Return the deck that a colour plays from; None for colours without cards."""
        return next((name for name, deck in self.decks.items() if deck.colour == colour), None)

    def roll(self, dice: Dice, label: str, colour: Colour, count: int) -> tuple[Face, ...]:
        """Roll a number of dice of a colour, labelled ``LABEL/Blue1``, ``LABEL/Blue2``."""
        faces = self.faces[colour]
        return tuple(
            faces[dice.roll(f"{label}/{colour}{place}", len(faces)) - 1] for place in range(1, count + 1)
        )


@cache
def materials() -> Materials:
    """The box as it is printed, compiled once. Raises Invalid that names the file and the entry at fault."""
    return compile_materials(
        _read("data/cards.json", CardsFile),
        _read("data/dice.json", DiceFile),
        _read("data/scenarios.json", ScenariosFile),
    )


def compile_materials(cards: CardsFile, faces: DiceFile, scenarios: ScenariosFile) -> Materials:
    """Return the box of some files."""
    return Materials(
        cards={card.id: card for deck in cards.decks.values() for card in deck.cards},
        decks=cards.decks,
        deck_of={card.id: name for name, deck in cards.decks.items() for card in deck.cards},
        hand=cards.hand,
        events=cards.events,
        faces={colour: die.faces for colour, die in faces.dice.items()},
        supply=scenarios.supply,
        scenarios=scenarios.scenarios,
    )


def _read(path: str, kind: Any) -> Any:
    try:
        return revive(kind, read_json(PACKAGE, path))
    except Malformed as fault:
        raise Invalid(path, str(fault)) from fault
