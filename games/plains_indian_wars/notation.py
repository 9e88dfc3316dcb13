"""The notation of Plains Indian Wars: names, forms, canonical texts. Implements `protocol.Notation`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from games.own_box import DATA
from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board, board, tribe_of
from games.plains_indian_wars.components import Materials, Scenario, materials
from games.plains_indian_wars.model import (
    ALL_CUBES,
    CUBE_COLOURS,
    SOLDIERS,
    AnyOrder,
    Begin,
    CardId,
    Colour,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    Topic,
    View,
)
from games.plains_indian_wars.owner_data import box
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Notation, OptionValue

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

_MOVE_VERBS = "(move|send|march|ride)"
_MOVE_TO_WORDS = "(-|to|into|for)"
_THEN_SEPARATORS = "(then|and then|and|, then|, and|,|)"
_CUBE_WORDS = "(cube|cubes|)"

_PLAINS_ORDER_FORMS: tuple[tuple[str, str, str], ...] = (
    ("begin", "(begin|begin the game|start|start the game|let us begin)", "begin"),
    ("play", "(play|use) {card:action}", "play Fort Laramie"),
    ("event", "(play|use) {card:event}", "play Circle the Wagons"),
    ("event", "(play|use) {card:event} (in|at|on|against|from|) {at:region}", "play Nelson Miles in N3"),
    (
        "event",
        "(play|use) {card:event} (in|at|on|with|from|) {at:region} (against|on|at|to|-) {to:region}",
        "play Nelson Miles in N3 against N4",
    ),
    ("discard", "(discard|give up|throw away) {card:event}", "discard Gatling Guns"),
    (
        "place",
        f"(place|put|add) {{count:number}} {{colour:colour}} {_CUBE_WORDS} (in|at|on|) {{at:region}}",
        "place 3 Blue STL",
    ),
    (
        "place",
        f"(place|put|add) {{count:number}} {_CUBE_WORDS} (in|at|on|) {{at:region}}",
        "place 3 at St. Louis",
    ),
    (
        "place",
        f"(place|put|add) (a|) {{colour:colour}} {_CUBE_WORDS} (in|at|on|) {{at:region}}",
        "place a Purple cube in NE4",
    ),
    ("no-cube", "(no|no purple|no more) (cube|cubes|) (in the|in|for the|) {belt:belt}", "no cube north"),
    (
        "move",
        f"{_MOVE_VERBS} {{first:number|all}} {{one:colour}} {_CUBE_WORDS} (from|) {{start:region}} "
        f"{_MOVE_TO_WORDS} {{to:region}}",
        "move 2 Blue N5 - N3",
    ),
    (
        "move",
        f"{_MOVE_VERBS} {{first:number|all}} {{one:colour}} {_CUBE_WORDS} (and|with|+|,|) "
        f"{{second:number|all}} "
        f"{{other:colour}} {_CUBE_WORDS} (from|) {{start:region}} {_MOVE_TO_WORDS} {{to:region}}",
        "move 2 Blue and 3 Brown from Omaha to Cheyenne",
    ),
    ("move", f"{_MOVE_VERBS} (from|) {{start:region}} {_MOVE_TO_WORDS} {{to:region}}", "move N5 - N3"),
    (
        "recover",
        "(recover|recover casualties|recover the casualties|bring back casualties|bring casualties back)",
        "recover",
    ),
    ("recover", "recover {colour:colour} [casualties]", "recover Blue"),
    ("fight-first", "(fight|engage) (first|) (in|at|) {a:region} [first]", "fight N8 first"),
    (
        "fight-first",
        f"(fight|engage) (in|at|) {{a:region}} {_THEN_SEPARATORS} {{b:region}}",
        "fight N8 then N3",
    ),
    (
        "fight-first",
        f"(fight|engage) (in|at|) {{a:region}} {_THEN_SEPARATORS} {{b:region}} {_THEN_SEPARATORS} "
        f"{{c:region}}",
        "fight N8 then N3 then S4",
    ),
    (
        "fight-first",
        f"(fight|engage) (in|at|) {{a:region}} {_THEN_SEPARATORS} {{b:region}} {_THEN_SEPARATORS} "
        f"{{c:region}} {_THEN_SEPARATORS} "
        "{d:region}",
        "fight N8 then N3 then S4 then NE1",
    ),
    (
        "withdraw",
        f"withdraw {{colour:colour}} {_CUBE_WORDS} (at|when|on|from|) {{count:number}} (or fewer|or "
        f"less|left|)",
        "withdraw Blue at 2",
    ),
    ("stay", "withdraw {colour:colour} never", "withdraw Blue never"),
    ("stay", "never withdraw {colour:colour}", "never withdraw Blue"),
    (
        "lose",
        f"lose {{a:colour}} {_THEN_SEPARATORS} {{b:colour}} {_THEN_SEPARATORS} {{c:colour}}",
        "lose Brown then Purple then Blue",
    ),
    ("lose", "lose {a:colour} first", "lose Brown first"),
    ("sit-out", "sit out {who:sitter}", "sit out Brown"),
    ("sit-out", "{who:sitter} (sits|sit) out", "Purple sits out"),
    ("equals", "between equals {side:side} (leave|leaves|leaving)", "between equals tribes leave"),
    ("wagons", "(wagon|wagons) (by|take|via|go by|to) {branch:branch}", "wagons by Oregon"),
    (
        "wagons",
        "{count:number} (wagon|wagons) (by|take|takes|via|go by|goes by|to) {branch:branch}",
        "1 wagon by Oregon",
    ),
    ("custer", "custer (in|at|to|rides to|goes to|) {at:region}", "Custer in N3"),
    ("strike", "strike {a:column} first", "strike Blue first"),
    ("strike", f"strike {{a:column}} {_THEN_SEPARATORS} {{b:column}}", "strike Blue then Brown"),
    (
        "strike",
        f"strike {{a:column}} {_THEN_SEPARATORS} {{b:column}} {_THEN_SEPARATORS} {{c:column}}",
        "strike Blue then Brown then White",
    ),
    ("fall-back", f"fall back (from|) {{start:region}} {_MOVE_TO_WORDS} {{to:region}}", "fall back N3 - N2"),
    (
        "drive",
        f"drive (tribes|the tribes|them|) (from|) {{start:region}} {_MOVE_TO_WORDS} {{to:region}}",
        "drive N3 - N7",
    ),
)

_US_FORM_NAMES = tuple(dict.fromkeys(name for name, _, _ in _PLAINS_ORDER_FORMS if name != "strike"))
"""The names of the forms of Variant I."""

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

_PLAINS_CONDITION_FORMS: tuple[tuple[str, str, str], ...] = (
    ("tribes-in", "(tribes|indians) (are|stand|) (in|at) {region:region}", "tribes in N3"),
    ("ours", "{region:region} (is ours|is held|is ours alone)", "N3 is ours"),
)

_INSTRUCTION_SLOTS: Mapping[str, tuple[Topic, str, tuple[str, ...]]] = {
    "fight-first": ("fight", "", ("a", "b", "c", "d")),
    "withdraw": ("withdraw", "colour", ("count",)),
    "sit-out": ("sit out", "", ("who",)),
    "equals": ("equal", "", ("side",)),
    "wagons": ("trail", "", ("branch", "count")),
    "custer": ("custer", "", ("at",)),
    "strike": ("strike", "", ("a", "b", "c")),
    "fall-back": ("fall back", "start", ("to",)),
    "drive": ("drive", "start", ("to",)),
}
"""The topic of each form of an instruction, the slot for `about`, and the slots for `says`."""


class PlainsNotation(Notation[View, AnyOrder]):
    """The notation of orders: implements `protocol.Notation`."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return every form of an order, the canonical one of each name first."""
        return _forms(_PLAINS_ORDER_FORMS)

    @property
    def conditions(self) -> tuple[Form, ...]:
        """Return the conditions for IF, which are about the cubes in a region."""
        return _forms(_PLAINS_CONDITION_FORMS)

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return a form of each order of the scenario, with examples of its cards, colours and regions."""
        scenario = materials().scenarios[str(view.options["scenario"])]
        own_examples = _NATIONS_EXAMPLES if scenario.plays == "Nations" else {}
        forms_by_name: dict[str, Form] = {}
        for form in self.forms:
            if form.name in (own_examples or _US_FORM_NAMES):
                text = own_examples.get(form.name, {}).get(scenario.tribes[0], form.example)
                forms_by_name.setdefault(form.name, Form(name=form.name, pattern=form.pattern, example=text))
        if not scenario.campaign:
            forms_by_name.pop("strike", None)
        return tuple(forms_by_name.values())

    def lexicon(self, view: View) -> Lexicon:
        """Return the names of regions, numbers, and the cards and colours of the scenario."""
        return _lexicon(str(view.options["scenario"]), view.options.get(DATA))

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """Return the order of a matched form. A missing colour is the colour of the disc."""
        if form in _INSTRUCTION_SLOTS:
            topic, about, says = _INSTRUCTION_SLOTS[form]
            words = tuple(slots[place] for place in says if place in slots)
            return Instruction(topic=topic, about=slots[about] if about else "", says=words)
        if form == "stay":
            return Instruction(topic="withdraw", about=slots["colour"], says=(standing_orders.NEVER,))
        if form == "lose":
            return Instruction(topic="lose", says=_loss_order(slots))
        if form == "move":
            return Move(cubes=_cubes(view, slots), start=Region(slots["start"]), to=Region(slots["to"]))
        if form == "place":
            at = Region(slots["at"])
            colour = _colour(slots["colour"]) if "colour" in slots else _default_colour(view, at)
            return Place(count=int(slots.get("count", "1")), colour=colour, at=at)
        if form == "no-cube":
            return NoPlace(belt="north" if slots["belt"] == "north" else "south")
        if form in ("begin", "recover"):
            colour_of = _colour(slots["colour"]) if "colour" in slots else None
            alone = colour_of == view.disc
            return Begin() if form == "begin" else Recover(colour=None if alone else colour_of)
        return _card(form, slots)

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text of an order: ``move 2 Blue 3 Brown N5 - N3``."""
        if isinstance(order, Instruction):
            return write_instruction(order)
        if isinstance(order, Begin | Recover):
            whose = order.colour if isinstance(order, Recover) else None
            return type(order).__name__.lower() + (f" {whose}" if whose else "")
        if isinstance(order, Place):
            return f"place {order.count} {order.colour} {order.at}"
        if isinstance(order, NoPlace):
            return f"no cube {order.belt}"
        if isinstance(order, Move):
            cubes = " ".join(
                f"{'all' if n == ALL_CUBES else n} {colour}" for colour, n in order.cubes.items()
            )
            return f"move {cubes} {order.start} - {order.to}"
        name = materials().cards[order.card].name
        if isinstance(order, Discard):
            return f"discard {name}"
        if isinstance(order, PlayAction) or (isinstance(order, PlayEvent) and order.at is None):
            return f"play {name}"
        if isinstance(order, PlayEvent):
            return f"play {name} in {order.at}" + (f" against {order.to}" if order.to else "")
        assert_never(order)

    def write_condition(self, condition: Condition) -> str:
        """Return the text of a condition: ``tribes in N3`` or ``N3 is ours``."""
        region = condition.slots["region"]
        return f"tribes in {region}" if condition.form == "tribes-in" else f"{region} is ours"


def _forms(rows: tuple[tuple[str, str, str], ...]) -> tuple[Form, ...]:
    return tuple(Form(name=name, pattern=pattern, example=example) for name, pattern, example in rows)


def _card(form: str, slots: Mapping[str, str]) -> AnyOrder:
    card = CardId(slots["card"])
    if form == "event":
        at, to = (Region(slots[place]) if place in slots else None for place in ("at", "to"))
        return PlayEvent(card=card, at=at, to=to)
    return PlayAction(card=card) if form == "play" else Discard(card=card)


def _colour(text: str) -> Colour:
    return next(colour for colour in CUBE_COLOURS if colour == text)


def _default_colour(view: View, at: Region) -> Colour:
    """Return the colour of an order without one: the disc's, or otherwise the region's tribe."""
    return view.disc or tribe_of(at) or "Blue"


def _cubes(view: View, slots: Mapping[str, str]) -> dict[Colour, int]:
    """Return the cubes of a move in the order of the colours. Without cubes it moves all of one colour."""
    counts: dict[Colour, int] = {}
    for number, colour in (("first", "one"), ("second", "other")):
        if colour in slots:
            count = ALL_CUBES if slots[number] == "all" else int(slots[number])
            counts[_colour(slots[colour])] = count
    if not counts:
        return {_default_colour(view, Region(slots["start"])): ALL_CUBES}
    return {colour: counts[colour] for colour in CUBE_COLOURS if colour in counts}


def _loss_order(slots: Mapping[str, str]) -> tuple[str, ...]:
    """Return the full order in which colours lose cubes: the named ones first, then the usual order."""
    named = [slots[place] for place in ("a", "b", "c") if place in slots]
    return tuple(dict.fromkeys((*named, *standing_orders.DEFAULT_LOSS_ORDER)))


def write_instruction(order: Instruction) -> str:
    """Return the canonical text of a standing instruction: ``withdraw Brown at 2``."""
    says = order.says
    if order.topic == "strike":
        return f"strike {' then '.join(says)}" + " first" * (len(says) == 1)
    if order.topic == "fight":
        return f"fight {' then '.join(says)}" + " first" * (len(says) == 1)
    if order.topic == "withdraw":
        return f"withdraw {order.about} " + ("never" if says[0] == standing_orders.NEVER else f"at {says[0]}")
    if order.topic == "lose":
        return f"lose {' then '.join(says)}"
    if order.topic == "equal":
        return f"between equals {'tribes' if says[0] == standing_orders.TRIBES_LEAVE else 'we'} leave"
    if order.topic in ("fall back", "drive"):
        return f"{order.topic} {order.about} - {says[0]}"
    if order.topic == "trail":
        return f"{_wagons_text(says[1:])} by {says[0]}"
    lead = {"sit out": "sit out", "custer": "Custer in"}[order.topic]
    return f"{lead} {says[0]}"


def _wagons_text(count: Sequence[str]) -> str:
    """Return the number of wagons at the fork in words: "wagons", "1 wagon", "2 wagons"."""
    return " ".join((*count, "wagon" if count and count[0] == "1" else "wagons"))


@lru_cache(maxsize=32)
def _lexicon(scenario: str, data: OptionValue | None) -> Lexicon:
    lies = box({} if data is None else {DATA: data})
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
                        *_names_with_number(place.id),
                        *place.aliases,
                        *beyond.get(place.id, ()),
                    )
                )
            ),
        )
        for place in ground.places.values()
        if place.zone != "EDGE"
    )


def _names_with_number(region: Region) -> tuple[str, ...]:
    """Return a region's name and number together, with and without brackets."""
    return (board().name(region), f"{board().places[region].name} {region}")


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
            id=standing_orders.FEWER,
            names=(standing_orders.FEWER, "whoever is fewer", "the fewer"),
        ),
        LexiconEntry(sort="side", id=standing_orders.TRIBES_LEAVE, names=("tribes", "the tribes", "indians")),
        LexiconEntry(sort="side", id=standing_orders.WE_LEAVE, names=("we", "us", "the U.S.")),
        LexiconEntry(sort="branch", id=standing_orders.OREGON, names=("Oregon", "the Oregon Trail", "W-N5a")),
        LexiconEntry(
            sort="branch",
            id=standing_orders.CALIFORNIA,
            names=("California", "the California Trail", "W-N5b"),
        ),
    )
