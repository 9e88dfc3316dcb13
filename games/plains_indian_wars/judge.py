"""Positions in JSON, and a bot's orders and reasons there: implements `protocol.WhatIf`.

Regions and cards have names or ids. Missing fields are empty, except for Ready Boxes and decks: they get the
cubes and cards that are nowhere else.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.fields import Field
from games.judging import BaseJudge, Dropped, bot_question
from games.language import join_list
from games.messages import sentence
from games.own_box import DATA
from games.plains_indian_wars.board import ST_LOUIS, board
from games.plains_indian_wars.components import Scenario, materials
from games.plains_indian_wars.events import AnyEvent, LeftOut
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    AnyOrder,
    Belt,
    CardId,
    CavalryColumn,
    Colour,
    DeckName,
    Instruction,
    Region,
    State,
    View,
)
from games.plains_indian_wars.nations import sequence as nations
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.phrases import topic_question
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.rules import OPTIONS, SCENARIO, PlainsRules
from games.plains_indian_wars.standing_orders import is_valid_instruction, topics
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Bot, Invalid, Objection, OptionValue
from games.record import as_json, replace_fields

_POSITION_KEYS = (
    *("scenario", "turn", "disc", "bag", "cubes", "ready", "fallen", "hands", "played"),
    *("union", "mountains", "central", "trains", "parties", "columns"),
    *("decks", "lost", "through", "arrived", "gone", "custer", "quiet", "circled", "standing", "tied"),
    *("last", "ended", "options"),
)
_IGNORED_POSITION_KEYS = ("name", "note", "seat")
"""Keys that a collection of positions may have for its readers."""

Fields = Mapping[str, Field]
_TRAIL_NAMES: tuple[Belt, ...] = ("north", "south")


_OPTION_NAMES = tuple(option.name for option in OPTIONS)


class PlainsWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """Questions about positions: implements `protocol.Judge`."""

    keys = (*_POSITION_KEYS, *_IGNORED_POSITION_KEYS)

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(PlainsRules(), PlainsNotation(), PlainsTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """Return the state of a position with a plan due.

        Raises Invalid if the question is wrong or no plan is due; its `what` is the path of the wrong field.
        """
        fields = Field(question).entries(self.keys)
        state, scenario = _state(fields), _scenario(fields)
        if not _is_asked(state, scenario):
            where = fields["disc"] if "disc" in fields else Field(question)
            raise where.wrong(sentence("plains_indian_wars.judge.nobody_asked"), _decides(scenario))
        return state

    def find_dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """Yield the orders that were left out, or carried out in part."""
        for event in events:
            if isinstance(event, LeftOut) and event.order in orders:
                why = Objection(code=event.why.code, detail=event.why.detail)
                yield Dropped(event.order, why, not event.partly)

    def bot(self, question: Any) -> dict[str, Any]:
        """Return the bot's orders with their reasons. Raises Invalid as `position` does."""
        fields = Field(bot_question(question)).entries((*self.keys, "level"))
        state = self.position({key: field.value for key, field in fields.items() if key != "level"})
        return self.bot_orders(state, {key: field for key, field in fields.items() if key == "level"})

    def state_from_fields(self, fields: Fields) -> State:
        """Return the state of a position, with or without a plan due. Raises Invalid for a wrong field."""
        return _state(fields)

    def question(self, state: State) -> dict[str, Any]:
        """Return a state as a complete position in JSON."""
        document: dict[str, Any] = as_json(state)
        for name in ("ready", "fallen"):
            document[name] = {colour: getattr(state, name).get(colour, 0) for colour in CUBE_COLOURS}
        document["parties"] = {line: section + 1 for line, section in state.parties.items()}
        return document


def _state(fields: Fields) -> State:
    key, scenario = _scenario_key(fields), _scenario(fields)
    cubes = {_region(at, where): _cubes(at) for where, at in _entries(fields, "cubes").items()}
    fallen = _cubes(fields["fallen"]) if "fallen" in fields else {}
    hands = {name: _cards(fields, "hands", name) for name in scenario.decks}
    played = {name: _cards(fields, "played", name) for name in scenario.decks}
    columns = {_colour(field, name): _column(field) for name, field in _entries(fields, "columns").items()}
    supply = box(_data_option(fields)).materials.supply
    bare = State(
        options={"scenario": key, **_data_option(fields)},
        turn=fields["turn"].number() if "turn" in fields else 1,
        disc=_disc(fields, scenario),
        bag=tuple(_colour(field, field.text()) for field in fields["bag"].items()) if "bag" in fields else (),
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
        arrived=_arrived_wagons(fields),
        gone=_cubes(fields["gone"]) if "gone" in fields else {},
        last=_last(fields["last"], scenario) if "last" in fields else None,
    )
    counted = {key: _number(fields, key) for key in ("lost", "through", "circled")}
    flags = {key: key in fields and fields[key].flag() for key in ("custer", "ended")}
    places = {key: _regions(fields, key) for key in ("quiet", "tied")}
    play = WorkingState(replace_fields(bare, **counted, **flags, **places))
    play.set(standing=_standing(fields, play))
    return play.freeze()


def _scenario_key(fields: Fields) -> str:
    options = _entries(fields, "options", _OPTION_NAMES) if "scenario" not in fields else fields
    if "scenario" not in options:
        return str(SCENARIO.default)
    key = options["scenario"].text()
    if key not in materials().scenarios:
        raise options["scenario"].wrong(
            sentence("plains_indian_wars.judge.scenario", name=key), _known_text(SCENARIO.values)
        )
    return key


def _scenario(fields: Fields) -> Scenario:
    return box(_data_option(fields)).materials.scenarios[_scenario_key(fields)]


def _data_option(fields: Fields) -> dict[str, OptionValue]:
    """Return the option with an owner's files, if the question has them. Raises Invalid for wrong files."""
    options = _entries(fields, "options", _OPTION_NAMES)
    if DATA not in options:
        return {}
    data_option: dict[str, OptionValue] = {DATA: options[DATA].text()}
    try:
        box(data_option)
    except Invalid as fault:
        file = fault.what.removeprefix("option ")
        problem = sentence("plains_indian_wars.judge.box_fault", file=file, reason=fault.why)
        raise options[DATA].wrong(problem, fault.instead) from fault
    return data_option


def _is_asked(state: State, scenario: Scenario) -> bool:
    """Return whether a player decides on the position's disc. A side with a deck also needs cards in hand."""
    if scenario.plays == "Nations":
        return bool(nations.tribes_with_cards(state, nations.acting_tribes(state)))
    deck = materials().deck_for(state.disc or "Purple")
    return state.disc in (None, "Purple", "Blue", "Brown") and (deck is None or bool(state.hands[deck]))


def _decides(scenario: Scenario) -> str:
    discs = ("Purple", "Blue", "Brown") if scenario.plays == "US" else scenario.tribes
    return sentence("plains_indian_wars.judge.nobody_asked_instead", discs=join_list(discs, "or"))


def _known_text(names: Iterable[str]) -> str:
    return sentence("plains_indian_wars.judge.known", names=", ".join(names))


def _disc(fields: Fields, scenario: Scenario) -> Colour | None:
    if "disc" in fields:
        return _colour(fields["disc"], fields["disc"].text())
    over = "ended" in fields and fields["ended"].flag()
    alone = not over and scenario.plays == "Nations" and len(scenario.tribes) == 1
    return scenario.tribes[0] if alone else None


def _entries(fields: Fields, key: str, known: Collection[str] | None = None) -> dict[str, Field]:
    return fields[key].entries(known) if key in fields else {}


def _regions(fields: Fields, key: str) -> tuple[Region, ...]:
    return tuple(_region(field, field.text()) for field in fields[key].items()) if key in fields else ()


def _arrived_wagons(fields: Fields) -> dict[Belt, int]:
    entries = _entries(fields, "arrived", _TRAIL_NAMES)
    return {trail: entries[trail].number() for trail in _TRAIL_NAMES if trail in entries}


def _last(field: Field, scenario: Scenario) -> str:
    reasons = ("railroad", *scenario.decks)
    if field.text() not in reasons:
        problem = sentence("plains_indian_wars.judge.last", name=field.value)
        raise field.wrong(problem, _known_text(reasons))
    return field.text()


def _standing(fields: Fields, play: WorkingState) -> dict[str, tuple[str, ...]]:
    """Return the standing instructions by slot. Raises Invalid for an impossible instruction."""
    instructions, known = {}, topics(play.scenario)
    for slot, field in sorted(_entries(fields, "standing").items()):
        topic = next((known_topic for known_topic in known if f"{slot} ".startswith(f"{known_topic} ")), None)
        if topic is None:
            raise field.wrong(sentence("plains_indian_wars.judge.topic"), _known_text(known))
        order = Instruction(
            topic=topic,
            about=slot.removeprefix(topic).strip(),
            says=tuple(item.text() for item in field.items()),
        )
        if not is_valid_instruction(play, order):
            if words := ", ".join(order.says):
                problem = sentence("plains_indian_wars.judge.says", words=words)
            else:
                problem = sentence("plains_indian_wars.judge.says_nothing")
            decides = topic_question(play.scenario, topic)
            raise field.wrong(problem, sentence("plains_indian_wars.judge.says_instead", decides=decides))
        instructions[slot] = order.says
    return instructions


def _number(fields: Fields, key: str, low: int = 0) -> int:
    return fields[key].number(low) if key in fields else low


def _region(field: Field, text: str) -> Region:
    for place in board().places.values():
        if text.casefold() in (place.id.casefold(), place.name.casefold(), *map(str.casefold, place.aliases)):
            return place.id
    raise field.wrong(
        sentence("plains_indian_wars.judge.region", name=text),
        sentence("plains_indian_wars.judge.region_instead"),
    )


def _colour(field: Field, text: str) -> Colour:
    for colour in CUBE_COLOURS:
        if colour.casefold() == text.casefold():
            return colour
    problem = sentence("plains_indian_wars.judge.colour", name=text)
    raise field.wrong(problem, _known_text(CUBE_COLOURS))


def _cubes(field: Field) -> dict[Colour, int]:
    return {_colour(entry, name): entry.number() for name, entry in field.entries().items()}


def _column(field: Field) -> CavalryColumn:
    fields = field.entries(("at", "cubes"))
    if "at" not in fields or "cubes" not in fields:
        raise field.wrong(
            sentence("plains_indian_wars.judge.column"),
            sentence("plains_indian_wars.judge.column_instead"),
        )
    return CavalryColumn(at=_region(fields["at"], fields["at"].text()), cubes=_cubes(fields["cubes"]))


def _cards(fields: Fields, key: str, deck: DeckName) -> tuple[CardId, ...]:
    known = {name: card.id for card in materials().decks[deck].cards for name in (card.name, card.id)}
    entries = fields[key].entries(tuple(materials().decks)) if key in fields else {}
    card_ids = []
    for field in entries[deck].items() if deck in entries else ():
        if field.text() not in known:
            raise field.wrong(
                sentence("plains_indian_wars.judge.card", deck=deck, name=field.text()),
                sentence("plains_indian_wars.judge.card_instead"),
            )
        card_ids.append(known[field.text()])
    return tuple(sorted(card_ids))


def _decks(
    fields: Fields,
    scenario: Scenario,
    hands: Mapping[DeckName, tuple[CardId, ...]],
    played: Mapping[DeckName, tuple[CardId, ...]],
) -> dict[DeckName, tuple[CardId, ...]]:
    """Return the cards of each deck: the question's, or the cards that aren't in hand or played."""
    entries = _entries(fields, "decks", tuple(scenario.decks))
    return {
        name: _cards(fields, "decks", name)
        if name in entries
        else _cards_left(name, (*hands[name], *played[name]))
        for name in scenario.decks
    }


def _cards_left(deck: DeckName, gone: tuple[CardId, ...]) -> tuple[CardId, ...]:
    return tuple(card.id for card in materials().decks[deck].cards if card.id not in gone)


def _ready(
    supply: Mapping[Colour, int],
    scenario: Scenario,
    cubes: Mapping[Region, Mapping[Colour, int]],
    fallen: Mapping[Colour, int],
) -> dict[Colour, int]:
    ready = {}
    for colour, where in scenario.boxes.items():
        used = sum(here.get(colour, 0) for here in cubes.values()) + fallen.get(colour, 0)
        if where != "gone":
            ready[colour] = max(0, supply[colour] - used)
    return ready


def _trains(fields: Fields, scenario: Scenario) -> dict[Any, Region]:
    if "trains" not in fields:
        return dict.fromkeys(scenario.trains, ST_LOUIS)
    entries = fields["trains"].entries(tuple(scenario.trains))
    return {trail: _region(field, field.text()) for trail, field in entries.items()}


def _parties(fields: Fields, scenario: Scenario) -> dict[Any, int]:
    if "parties" not in fields or not scenario.works:
        return {"union": 0} if scenario.works else {}
    return {
        line: field.number(1) - 1 for line, field in fields["parties"].entries(("union", "central")).items()
    }
