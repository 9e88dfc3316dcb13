"""Cards, dice and set-ups, compiled from the files in data/."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from games.data import read_value
from games.dice import Dice
from games.plains_indian_wars.board import PACKAGE, Mark, Zone
from games.plains_indian_wars.model import Belt, CardId, Colour, DeckName, Face, Region
from games.record import Record, Value

_TribeOp = Literal["strike", "sweep", "fierce", "first-strike", "raid", "muster"]


class Effect(Record, frozen=True, kw_only=True):
    """The effect of an Event card: an operation of execution.py or nations/execution.py, and its numbers."""

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
    """A card. Action cards have cubes, groups and moves; Events have an effect and its text.

    mark: the source of its numbers or its effect; city: the only city for its cubes, if it names one;
    aliases: other names for it in orders.
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
    """A faction's cards. label: the name of its action cards."""

    colour: Colour
    label: str
    split_mark: Mark
    cards: tuple[Card, ...]


class CardsFile(Record, frozen=True, kw_only=True):
    """The file data/cards.json. hand: the size of a hand; events: how many Events a phase may have."""

    marks: str
    hand: int
    events: int
    hand_mark: Mark
    decks: dict[DeckName, Deck]


class Die(Record, frozen=True, kw_only=True):
    """A die of a colour, with the sources of its faces."""

    faces: tuple[Face, ...]
    hits: Mark
    blanks_and_treaties: Mark


class DiceFile(Record, frozen=True, kw_only=True):
    """The file data/dice.json."""

    marks: str
    dice: dict[Colour, Die]


class DicePlacement(Record, frozen=True, kw_only=True):
    """A placement of cubes by dice. cubes: how many for each die."""

    sides: int
    cubes: int
    dice: int = 1


class TribeLand(Record, frozen=True, kw_only=True):
    """The land that a tribe may enter: zones without the barred regions."""

    zones: tuple[Zone, ...]
    barred: tuple[Region, ...] = ()


class AssumedNumber(Record, frozen=True, kw_only=True):
    """The reason for a number that we had to assume.

    was: the number that we used earlier; before, after: the results of the bot's games with either number.
    """

    why: str
    was: str
    before: str
    after: str


class RailroadWorks(Record, frozen=True, kw_only=True):
    """The parties of workers and escorts that build the railroad.

    sides: the regions of a section with workers (0 is north of the tracks, 1 south); most: how many cubes of
    each colour a party has in a region at most; western: how many cubes one disc adds there to the party of
    the Central Pacific; built: the spaces by number of workers, if they differ from the map's table.
    """

    sides: tuple[int, ...]
    most: dict[Colour, int]
    western: dict[Colour, int]
    built: tuple[int, ...] = ()


class ColumnRoute(Record, frozen=True, kw_only=True):
    """A column's name, the regions of its route, and its cubes at the start."""

    name: str
    steps: tuple[Region, ...]
    cubes: dict[Colour, int]


class ColumnCampaign(Record, frozen=True, kw_only=True):
    """The columns by the colour of their troopers.

    goal: the region that all columns ride for; die: the colour of the die that tribes add there.
    """

    columns: dict[Colour, ColumnRoute]
    goal: Region
    die: Colour


class Scenario(Record, frozen=True, kw_only=True):
    """A scenario: its set-up and its numbers.

    Sides. plays: the player's side; tribes: the tribes in play; fighters: the fighting colours of the U.S.,
    in the order in which equally numerous colours lose cubes; throws: for each colour of dice, the colours
    whose cubes roll them (two dice at most); boxes: the box for the lost cubes of each colour; called: the
    singular and plural names of a colour's cubes; discs_called: the names of discs.

    Set-up. places: cubes by region; belts, homes: cubes of a colour in each of its regions that is not in
    places; bands: more cubes, in random regions; limits: how many cubes a tribe may have in a region of the
    plains or of a belt, and the U.S. in any region.

    Turns. raids, belt_raids: the cubes that the disc of a tribe or of Purple brings; purple: cubes and moves
    of Purple's disc in each belt; wagons: new wagons each turn; wagon_dice: the dice that defend wagons.

    Variant II. turns: the last turn (0 for no limit); lands: the land that each tribe may enter; passing:
    whether groups of a tribe can move on through U.S. cubes; empty_home: whether a tribe without a region may
    return in an empty one; treaties: whether treaties count; trains: the cubes of the wagon trains, by trail;
    fork: the branch that a train takes at the fork, by the face of a die; works: the parties that build the
    railroad; campaign: the columns that ride for the Black Hills; card_dice: how many dice a force rolls at
    most if a card lets it attack; alone: the number of rounds in which a card lets only the tribe roll;
    card_cubes: how many cubes an action card with assumed numbers brings at most (0 for no limit); assumed:
    the reasons for assumed numbers, by name.
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
        """Return how many cubes an action card brings. `card_cubes` only limits cards of assumed numbers."""
        most = self.card_cubes if card.mark == "assumed" else 0
        return min(card.cubes, most or card.cubes)


class ScenariosFile(Record, frozen=True, kw_only=True):
    """The file data/scenarios.json. supply: the cubes in the box, by colour."""

    marks: str
    supply: dict[Colour, int]
    supply_mark: str
    scenarios: dict[str, Scenario]


class Materials(Value, frozen=True):
    """Everything in the box except the board.

    deck_of: the deck of each card; hand: the size of a hand; events: how many Events a phase may have.
    """

    cards: Mapping[CardId, Card]
    decks: Mapping[DeckName, Deck]
    deck_of: Mapping[CardId, DeckName]
    hand: int
    events: int
    faces: Mapping[Colour, tuple[Face, ...]]
    supply: Mapping[Colour, int]
    scenarios: Mapping[str, Scenario]

    def deck_for(self, colour: Colour) -> DeckName | None:
        """Return the deck of a colour; None for colours without cards."""
        return next((name for name, deck in self.decks.items() if deck.colour == colour), None)

    def roll(self, dice: Dice, label: str, colour: Colour, count: int) -> tuple[Face, ...]:
        """Roll a number of dice of a colour, labelled ``LABEL/Blue1``, ``LABEL/Blue2``."""
        faces = self.faces[colour]
        return tuple(
            faces[dice.roll(f"{label}/{colour}{place}", len(faces)) - 1] for place in range(1, count + 1)
        )


@cache
def materials() -> Materials:
    """Return the published cards, dice and set-ups, compiled once. Raises Invalid, naming file and entry."""
    return compile_materials(
        read_value(PACKAGE, "data/cards.json", CardsFile),
        read_value(PACKAGE, "data/dice.json", DiceFile),
        read_value(PACKAGE, "data/scenarios.json", ScenariosFile),
    )


def compile_materials(cards: CardsFile, faces: DiceFile, scenarios: ScenariosFile) -> Materials:
    """Return the cards, dice and set-ups of parsed files."""
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
