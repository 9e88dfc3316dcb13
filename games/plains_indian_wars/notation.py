"""The notation of Plains Indian Wars: names, forms, canonical texts. Implements `protocol.Notation`."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

from games.order_kinds import KindNotation, one_form_of_each_name
from games.own_box import DATA
from games.plains_indian_wars import model
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board, board, tribe_of
from games.plains_indian_wars.components import Materials, Scenario, materials
from games.plains_indian_wars.model import SOLDIERS, AnyOrder, CardOrder, Colour, Region, View
from games.plains_indian_wars.owner_data import BOXES
from games.protocol import Form, Lexicon, LexiconEntry, OptionValue
from games.record import replace_fields

_MAX_NUMBER_IN_ORDER = 12
"""The largest number in an order. While a tribe moves, a region may hold more cubes than at the end."""

_COLOUR_ALIASES: Mapping[Colour, tuple[str, ...]] = {
    "Green": ("northern",),
    "Orange": ("southern",),
    "Blue": ("cavalry",),
    "Brown": ("settlers", "settler"),
    "Purple": ("enemies",),
}
_COLUMN_LEADERS: Mapping[Colour, tuple[str, ...]] = {
    "White": ("Terry", "Custer", "Terry's column"),
    "Blue": ("Gibbon", "Gibbon's column"),
    "Brown": ("Crook", "Crook's column"),
}
"""The leaders of each colour's column, as other names for it."""

_NATIONS_EXAMPLES: Mapping[str, Mapping[Colour, str]] = {
    "play": {"Green": "play Red Cloud", "Orange": "play Cochise"},
    "event": {"Green": "play Crazy Horse in N9 against N5", "Orange": "play Geronimo in S9"},
    "discard": {"Green": "discard Sun Dance", "Orange": "discard Black Kettle"},
    "place": {"Green": "place 3 Green N8", "Orange": "place 3 Orange S9"},
    "move": {"Green": "move 2 Green N9 - N4", "Orange": "move 2 Orange S9 - S4"},
    "recover": {"Green": "recover", "Orange": "recover"},
    "fight-first": {"Green": "fight N8 first", "Orange": "fight S4 first"},
    "withdraw": {"Green": "withdraw Green at 2", "Orange": "withdraw Orange at 2"},
    "stay": {"Green": "withdraw Green never", "Orange": "withdraw Orange never"},
    "strike": {"Green": "strike White then Blue"},
    "fall-back": {"Green": "fall back N5 - N9", "Orange": "fall back S5 - S9"},
}
"""The examples of Variant II, by form and by the first tribe of the scenario."""


class PlainsNotation(KindNotation[View, AnyOrder]):
    """The notation of orders: implements `protocol.Notation`."""

    order_kinds = get_args(AnyOrder)
    condition_rows = (
        (
            "tribes-in",
            "(tribes|indians) (are|stand|) (in|at) {region:region}",
            "tribes in N3",
            "tribes in {region}",
        ),
        ("ours", "{region:region} (is ours|is held|is ours alone)", "N3 is ours", "{region} is ours"),
    )

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return a form of each order of the scenario, with examples of its cards, colours and regions."""
        scenario = materials().scenarios[str(view.options["scenario"])]
        own_examples = _NATIONS_EXAMPLES if scenario.plays == "Nations" else {}
        forms = one_form_of_each_name(self.forms)
        return tuple(
            replace_fields(
                form, example=own_examples.get(form.name, {}).get(scenario.tribes[0], form.example)
            )
            for form in forms
            if (form.name in own_examples or not own_examples)
            and (scenario.campaign or form.name != "strike")
        )

    def lexicon(self, view: View) -> Lexicon:
        """Return the names of regions, numbers, and the cards and colours of the scenario."""
        return _lexicon(str(view.options["scenario"]), view.options.get(DATA))

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> Any:
        """Return the order of a matched form. A missing colour is the disc's, or else the region's tribe."""
        if form in ("place", "move"):
            region = Region(slots.get("at") or slots["start"])
            slots = {"colour": view.disc or tribe_of(region) or "Blue", **slots}
        return super().build(view, form, slots)

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text of an order: ``move 2 Blue 3 Brown N5 - N3``. Cards go by their names."""
        if isinstance(order, CardOrder):
            return order.write_with(materials().cards[order.card].name)
        return order.write()


@lru_cache(maxsize=32)
def _lexicon(scenario: str, data: OptionValue | None) -> Lexicon:
    lies = BOXES.read_data_option(data)
    played = lies.materials.scenarios[scenario]
    return (*_regions(lies.board), *_cards(lies.materials, played), *_words(), *_colours(played))


def _regions(ground: Board) -> Lexicon:
    """Return the names, numbers and aliases of regions. Edges of the board are aliases of their city."""
    beyond = {SACRAMENTO: ("Rockies", "the Rockies"), ST_LOUIS: ("the East",)}
    return tuple(
        LexiconEntry(
            sort="region",
            id=place.id,
            names=tuple(
                dict.fromkeys(
                    (
                        place.name,
                        place.id,
                        board().name(place.id),
                        f"{board().places[place.id].name} {place.id}",
                        *place.aliases,
                        *beyond.get(place.id, ()),
                    )
                )
            ),
        )
        for place in ground.places.values()
        if place.zone != "EDGE"
    )


def _cards(lies: Materials, played: Scenario) -> Lexicon:
    return tuple(
        LexiconEntry(sort=card.kind, id=card.id, names=(card.name, card.id, *card.aliases))
        for deck in played.decks
        for card in lies.decks[deck].cards
    )


def _colours(played: Scenario) -> Lexicon:
    """Return the names of the colours in a player's orders, and of columns by colour or leader."""
    mine = SOLDIERS if played.plays == "US" else (*played.tribes, *played.fighters)
    return (
        *(
            LexiconEntry(sort="colour", id=colour, names=(colour, *_COLOUR_ALIASES.get(colour, ())))
            for colour in mine
        ),
        *(
            LexiconEntry(sort="column", id=colour, names=(colour, *names))
            for colour, names in _COLUMN_LEADERS.items()
        ),
    )


def _words() -> Lexicon:
    """Return the names of numbers, and the words of instructions."""
    spelt = (
        *("one", "two", "three", "four", "five", "six"),
        *("seven", "eight", "nine", "ten", "eleven", "twelve"),
    )
    return (
        *(
            LexiconEntry(sort="number", id=str(n), names=(str(n), spelt[n - 1]))
            for n in range(1, _MAX_NUMBER_IN_ORDER + 1)
        ),
        LexiconEntry(sort="all", id="all", names=("all", "every")),
        *(LexiconEntry(sort="belt", id=belt, names=(belt, f"the {belt}")) for belt in ("north", "south")),
        LexiconEntry(sort="sitter", id="Brown", names=("Brown",)),
        LexiconEntry(sort="sitter", id="Purple", names=("Purple",)),
        LexiconEntry(
            sort="sitter",
            id=model.FEWER,
            names=(model.FEWER, "whoever is fewer", "the fewer"),
        ),
        LexiconEntry(sort="side", id=model.TRIBES_LEAVE, names=("tribes", "the tribes", "indians")),
        LexiconEntry(sort="side", id=model.WE_LEAVE, names=("we", "us", "the U.S.")),
        LexiconEntry(sort="branch", id=model.OREGON, names=("Oregon", "the Oregon Trail", "W-N5a")),
        LexiconEntry(
            sort="branch",
            id=model.CALIFORNIA,
            names=("California", "the California Trail", "W-N5b"),
        ),
    )
