"""What would be ordered in a position given as JSON, and why: implements `protocol.WhatIf`.

Regions and cards go by their names or their ids, cubes by region and colour. What is not said is empty; Ready
Boxes and decks hold what is nowhere else.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from games.fields import Field
from games.judging import Dropped, Judging, of_a_bot
from games.own_box import DATA
from games.plains_indian_wars.board import ST_LOUIS, board
from games.plains_indian_wars.box import box
from games.plains_indian_wars.components import Scenario, materials
from games.plains_indian_wars.events import AnyEvent, LeftOut
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import (
    COLOURS,
    AnyOrder,
    Belt,
    CardId,
    Colour,
    Column,
    DeckName,
    Instruction,
    Region,
    State,
    View,
)
from games.plains_indian_wars.nations import sequence as nations
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.rules import OPTIONS, SCENARIO, PlainsRules
from games.plains_indian_wars.standing import is_sayable, topics
from games.plains_indian_wars.telling import PlainsTelling
from games.protocol import Bot, Invalid, Objection, OptionValue
from games.record import as_json, changed

_KEYS = (
    *("scenario", "turn", "disc", "bag", "cubes", "ready", "fallen", "hands", "played"),
    *("union", "mountains", "central", "trains", "parties", "columns"),
    *("decks", "lost", "through", "arrived", "gone", "custer", "quiet", "circled", "standing", "tied"),
    *("last", "ended", "options"),
)
_PASSED_OVER = ("name", "note", "seat")
"""What a collection of positions says for its readers, and what goes without saying."""

Fields = Mapping[str, Field]
_TRAILS: tuple[Belt, ...] = ("north", "south")


_OPTIONS = tuple(option.name for option in OPTIONS)


class PlainsWhatIf(Judging[State, View, AnyOrder, AnyEvent]):
    """The questions: implements `protocol.Judge`."""

    keys = (*_KEYS, *_PASSED_OVER)

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(PlainsRules(), PlainsNotation(), PlainsTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """The state of a position in which a plan is wanted.

        Raises Invalid whose `what` is the path at fault.
        """
        fields = Field(question).entries(self.keys)
        state, scenario = _state(fields), _scenario(fields)
        if not _is_asked(state, scenario):
            where = fields["disc"] if "disc" in fields else Field(question)
            raise where.wrong("nobody is asked for a plan then", _decides(scenario))
        return state

    def dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """The orders that were left out, or carried out in part."""
        for event in events:
            if isinstance(event, LeftOut) and event.order in orders:
                why = Objection(code=event.why.code, detail=event.why.detail)
                yield Dropped(event.order, why, not event.partly)

    def bot(self, question: Any) -> dict[str, Any]:
        """What the bot would order: orders, and the reason of each. Raises Invalid as `position` does."""
        fields = Field(of_a_bot(question)).entries((*self.keys, "level"))
        state = self.position({key: one.value for key, one in fields.items() if key != "level"})
        return self.ordered(state, {key: one for key, one in fields.items() if key == "level"})

    def whole(self, fields: Fields) -> State:
        """The state of a position, asked for a plan or not. Raises Invalid."""
        return _state(fields)

    def question(self, state: State) -> dict[str, Any]:
        """A state as the complete position that would be about it."""
        said: dict[str, Any] = as_json(state)
        for name in ("ready", "fallen"):
            said[name] = {colour: getattr(state, name).get(colour, 0) for colour in COLOURS}
        said["parties"] = {line: section + 1 for line, section in state.parties.items()}
        return said


def _state(fields: Fields) -> State:
    key, scenario = _scenario_key(fields), _scenario(fields)
    cubes = {_region(at, where): _cubes(at) for where, at in _entries(fields, "cubes").items()}
    fallen = _cubes(fields["fallen"]) if "fallen" in fields else {}
    hands = {name: _cards(fields, "hands", name) for name in scenario.decks}
    played = {name: _cards(fields, "played", name) for name in scenario.decks}
    columns = {_colour(one, name): _column(one) for name, one in _entries(fields, "columns").items()}
    supply = box(_data(fields)).materials.supply
    bare = State(
        options={"scenario": key, **_data(fields)},
        turn=fields["turn"].number() if "turn" in fields else 1,
        disc=_disc(fields, scenario),
        bag=tuple(_colour(one, one.text()) for one in fields["bag"].items()) if "bag" in fields else (),
        cubes=cubes,
        ready=_ready(supply, scenario, cubes, fallen)
        | (_cubes(fields["ready"]) if "ready" in fields else {}),
        fallen=fallen,
        union=_number(fields, "union"),
        mountains=_number(fields, "mountains"),
        central=_number(fields, "central"),
        hands=hands,
        played=played,
        decks=_decks(fields, scenario, hands, played),
        trains=_trains(fields, scenario),
        parties=_parties(fields, scenario),
        columns=columns,
        arrived=_arrived(fields),
        gone=_cubes(fields["gone"]) if "gone" in fields else {},
        last=_last(fields["last"], scenario) if "last" in fields else None,
    )
    counted = {key: _number(fields, key) for key in ("lost", "through", "circled")}
    flags = {key: key in fields and fields[key].flag() for key in ("custer", "ended")}
    places = {key: _regions(fields, key) for key in ("quiet", "tied")}
    play = Play(changed(bare, **counted, **flags, **places))
    play.set(standing=_standing(fields, play))
    return play.freeze()


def _scenario_key(fields: Fields) -> str:
    said = _entries(fields, "options", _OPTIONS) if "scenario" not in fields else fields
    if "scenario" not in said:
        return str(SCENARIO.default)
    key = said["scenario"].text()
    if key not in materials().scenarios:
        raise said["scenario"].wrong(f"there is no scenario {key}", f"known are {', '.join(SCENARIO.values)}")
    return key


def _scenario(fields: Fields) -> Scenario:
    return box(_data(fields)).materials.scenarios[_scenario_key(fields)]


def _data(fields: Fields) -> dict[str, OptionValue]:
    """The option with the files of an owner's box, if the question has them. Raises Invalid."""
    said = _entries(fields, "options", _OPTIONS)
    if DATA not in said:
        return {}
    found: dict[str, OptionValue] = {DATA: said[DATA].text()}
    try:
        box(found)
    except Invalid as fault:
        raise said[DATA].wrong(f"{fault.what.removeprefix('option ')}: {fault.why}", fault.instead) from fault
    return found


def _is_asked(state: State, scenario: Scenario) -> bool:
    """Whether a person decides on that disc, with cards in his hand where he plays any."""
    if scenario.plays == "Nations":
        return bool(nations.asked(state, nations.acting(state)))
    deck = materials().deck_for(state.disc or "Purple")
    return state.disc in (None, "Purple", "Blue", "Brown") and (deck is None or bool(state.hands[deck]))


def _decides(scenario: Scenario) -> str:
    discs = ("Purple", "Blue", "Brown") if scenario.plays == "US" else scenario.tribes
    return f"write the disc of one who decides, {' or '.join(discs)}, and cards in his hand"


def _disc(fields: Fields, scenario: Scenario) -> Colour | None:
    if "disc" in fields:
        return _colour(fields["disc"], fields["disc"].text())
    over = "ended" in fields and fields["ended"].flag()
    alone = not over and scenario.plays == "Nations" and len(scenario.tribes) == 1
    return scenario.tribes[0] if alone else None


def _entries(fields: Fields, key: str, known: Collection[str] | None = None) -> dict[str, Field]:
    return fields[key].entries(known) if key in fields else {}


def _regions(fields: Fields, key: str) -> tuple[Region, ...]:
    return tuple(_region(one, one.text()) for one in fields[key].items()) if key in fields else ()


def _arrived(fields: Fields) -> dict[Belt, int]:
    said = _entries(fields, "arrived", _TRAILS)
    return {trail: said[trail].number() for trail in _TRAILS if trail in said}


def _last(field: Field, scenario: Scenario) -> str:
    reasons = ("railroad", *scenario.decks)
    if field.text() not in reasons:
        raise field.wrong(f"{field.value} makes no turn the last one", f"known are {', '.join(reasons)}")
    return field.text()


def _standing(fields: Fields, play: Play) -> dict[str, tuple[str, ...]]:
    """Standing instructions by what they are about. Raises Invalid for what cannot be instructed."""
    found, rows = {}, topics(play.scenario)
    for slot, field in sorted(_entries(fields, "standing").items()):
        topic = next((one for one in rows if f"{slot} ".startswith(f"{one} ")), None)
        if topic is None:
            raise field.wrong("nothing is decided by that", f"known are {', '.join(rows)}")
        order = Instruction(
            topic=topic,
            about=slot.removeprefix(topic).strip(),
            says=tuple(one.text() for one in field.items()),
        )
        if not is_sayable(play, order):
            said = ", ".join(order.says) or "nothing"
            raise field.wrong(f"{said} cannot be said of it", f"it is asked {rows[topic].asks}")
        found[slot] = order.says
    return found


def _number(fields: Fields, key: str, low: int = 0) -> int:
    return fields[key].number(low) if key in fields else low


def _region(field: Field, text: str) -> Region:
    for place in board().places.values():
        if text.casefold() in (place.id.casefold(), place.name.casefold(), *map(str.casefold, place.aliases)):
            return place.id
    raise field.wrong(f"there is no region {text}", "write its number, as N3, or its name")


def _colour(field: Field, text: str) -> Colour:
    for colour in COLOURS:
        if colour.casefold() == text.casefold():
            return colour
    raise field.wrong(f"there is no colour {text}", f"known are {', '.join(COLOURS)}")


def _cubes(field: Field) -> dict[Colour, int]:
    return {_colour(one, name): one.number() for name, one in field.entries().items()}


def _column(field: Field) -> Column:
    fields = field.entries(("at", "cubes"))
    if "at" not in fields or "cubes" not in fields:
        raise field.wrong("a column has a region and cubes", 'write {"at": "N11", "cubes": {"White": 7}}')
    return Column(at=_region(fields["at"], fields["at"].text()), cubes=_cubes(fields["cubes"]))


def _cards(fields: Fields, key: str, deck: DeckName) -> tuple[CardId, ...]:
    known = {name: card.id for card in materials().decks[deck].cards for name in (card.name, card.id)}
    entries = fields[key].entries(tuple(materials().decks)) if key in fields else {}
    found = []
    for one in entries[deck].items() if deck in entries else ():
        if one.text() not in known:
            raise one.wrong(f"the {deck} deck has no {one.text()}", "write the name of a card, or its number")
        found.append(known[one.text()])
    return tuple(sorted(found))


def _decks(
    fields: Fields,
    scenario: Scenario,
    hands: Mapping[DeckName, tuple[CardId, ...]],
    played: Mapping[DeckName, tuple[CardId, ...]],
) -> dict[DeckName, tuple[CardId, ...]]:
    """What may still be drawn: what is said of a deck, else what is nowhere else."""
    said = _entries(fields, "decks", tuple(scenario.decks))
    return {
        name: _cards(fields, "decks", name) if name in said else _rest(name, (*hands[name], *played[name]))
        for name in scenario.decks
    }


def _rest(deck: DeckName, gone: tuple[CardId, ...]) -> tuple[CardId, ...]:
    return tuple(card.id for card in materials().decks[deck].cards if card.id not in gone)


def _ready(
    supply: Mapping[Colour, int],
    scenario: Scenario,
    cubes: Mapping[Region, Mapping[Colour, int]],
    fallen: Mapping[Colour, int],
) -> dict[Colour, int]:
    found = {}
    for colour, where in scenario.boxes.items():
        used = sum(here.get(colour, 0) for here in cubes.values()) + fallen.get(colour, 0)
        if where != "gone":
            found[colour] = max(0, supply[colour] - used)
    return found


def _trains(fields: Fields, scenario: Scenario) -> dict[Any, Region]:
    if "trains" not in fields:
        return dict.fromkeys(scenario.trains, ST_LOUIS)
    entries = fields["trains"].entries(tuple(scenario.trains))
    return {trail: _region(one, one.text()) for trail, one in entries.items()}


def _parties(fields: Fields, scenario: Scenario) -> dict[Any, int]:
    if "parties" not in fields or not scenario.works:
        return {"union": 0} if scenario.works else {}
    return {line: one.number(1) - 1 for line, one in fields["parties"].entries(("union", "central")).items()}
