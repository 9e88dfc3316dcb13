"""Positions in JSON, and a bot's orders and reasons there: implements `protocol.WhatIf`.

Regions and cards have names or ids. Missing fields are empty, except for Ready Boxes and decks: they get the
cubes and cards that are nowhere else.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NewType

from games.json_reader import JsonReader, UnknownName, one_of
from games.judging import BaseJudge, BotKeys, Dropped, bot_question, check_owner_data
from games.language import join_list
from games.messages import sentence
from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import ST_LOUIS, board
from games.plains_indian_wars.components import Scenario, materials
from games.plains_indian_wars.events import AnyEvent, LeftOut
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    AnyOrder,
    CardId,
    Colour,
    DeckName,
    Instruction,
    Line,
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
from games.protocol import Bot, Invalid, Objection, Options
from games.record import Bounds, Value, as_json, revive

_ScenarioName = NewType("_ScenarioName", str)
_OTHER_KEYS = ("scenario", "name", "note", "seat")


class _BotKeys(Value, frozen=True):
    level: str | None = None


class _Position(Value, frozen=True):
    """The keys of a position that a state doesn't have, or has in another form.

    parties: sections are counted from 1; name, note, seat: a collection of positions may have these keys for
    its readers.
    """

    scenario: _ScenarioName
    parties: dict[Line, Annotated[int, Bounds(ge=1)]]
    name: Any
    note: Any
    seat: Any


@cache
def _regions_by_name() -> Mapping[str, Region]:
    return {
        name.casefold(): place.id
        for place in board().places.values()
        for name in (*place.aliases, place.name, place.id)
    }


def _read_region(text: str) -> Region:
    region = _regions_by_name().get(text.casefold())
    if region is None:
        why = sentence("plains_indian_wars.judge.region", name=text)
        raise UnknownName(why, sentence("plains_indian_wars.judge.region_instead"))
    return region


@cache
def _cards_by_name() -> Mapping[str, CardId]:
    return {name: card.id for card in materials().cards.values() for name in (card.name, card.id)}


def _read_card(text: str) -> CardId:
    if text not in _cards_by_name():
        why = sentence("plains_indian_wars.judge.no_card", name=text)
        raise UnknownName(why, sentence("plains_indian_wars.judge.card_instead"))
    return _cards_by_name()[text]


def _read_colour(text: str) -> str:
    return one_of("colour", CUBE_COLOURS)(text.capitalize())


class PlainsWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """Questions about positions: implements `protocol.Judge`."""

    reader = JsonReader(
        State,
        _Position,
        names={
            Region: _read_region,
            CardId: _read_card,
            Colour: _read_colour,
            _ScenarioName: one_of("scenario", SCENARIO.values),
        },
        partial=True,
    )

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(PlainsRules(), PlainsNotation(), PlainsTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """Return the state of a position with a plan due.

        Raises Invalid if the question is wrong or no plan is due; its `what` is the path of the wrong field.
        """
        return self._asked_position(self.reader.read(question))

    def _asked_position(self, values: dict[str, Any]) -> State:
        state = self.read_state(values)
        if state.ended:
            raise _not_asked(state, values)
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
        values, asked = self.reader.read_with(bot_question(question), _BotKeys)
        return self.bot_orders(self._asked_position(values), BotKeys(level=asked.level))

    def read_state(self, values: dict[str, Any]) -> State:
        """Return the state of a position, with a plan due unless it has ended. Raises Invalid."""
        scenario_key = {"scenario": values["scenario"]} if "scenario" in values else {}
        options = self.options({"options": values.get("options", {}) | scenario_key})
        check_owner_data(box, options)
        scenario = _scenario(options)
        state = _state(values, options, scenario)
        _check_railroad(state)
        if not state.ended and not _is_asked(state, scenario):
            raise _not_asked(state, values)
        return state

    def question(self, state: State) -> dict[str, Any]:
        """Return a state as a complete position in JSON."""
        document: dict[str, Any] = as_json(state)
        for name in ("ready", "fallen"):
            document[name] = {colour: getattr(state, name).get(colour, 0) for colour in CUBE_COLOURS}
        document["parties"] = {line: section + 1 for line, section in state.parties.items()}
        return document


def _state(values: Mapping[str, Any], options: Options, scenario: Scenario) -> State:
    """Return the state of the fields of a question. Raises Invalid."""
    given = {key: value for key, value in values.items() if key not in _OTHER_KEYS}
    _check_keys("trains", given, scenario.trains)
    _check_keys("decks", given, scenario.decks)
    hands, played = (_cards(key, given, scenario.decks) for key in ("hands", "played"))
    decks = {deck: _cards_left(deck, (*hands[deck], *played[deck])) for deck in scenario.decks}
    decks |= _cards("decks", given, given.get("decks", ()))
    supply = box(options).materials.supply
    ready = _ready(supply, scenario, given.get("cubes", {}), given.get("fallen", {}))
    others = {
        "options": options,
        "disc": given.get("disc") or _disc(given, scenario),
        "ready": ready | given.get("ready", {}),
        "trains": given.get("trains", dict.fromkeys(scenario.trains, ST_LOUIS)),
        "parties": _parties(given, scenario),
        "hands": hands,
        "played": played,
        "decks": decks,
        "standing": {},
    }
    state: State = revive(State, {"turn": 1, **given, **others})
    if state.last not in (None, "railroad", *scenario.decks):
        problem = sentence("plains_indian_wars.judge.last", name=state.last)
        raise Invalid("last", problem, _known_text(("railroad", *scenario.decks)))
    play = WorkingState(state)
    play.set(standing=_standing(given.get("standing", {}), play))
    return play.freeze()


def _check_railroad(state: State) -> None:
    """Raise Invalid if a line has more spaces built than it has."""
    line = railroad.line_of(state)
    most = {
        "mountains": line.mountain_spaces,
        "union": line.plains_spaces,
        "central": line.plains_spaces - state.union,
    }
    for key, spaces in most.items():
        if not 0 <= getattr(state, key) <= spaces:
            problem = sentence("plains_indian_wars.judge.spaces", spaces=spaces)
            raise Invalid(key, problem, sentence("plains_indian_wars.judge.spaces_instead", spaces=spaces))


def _not_asked(state: State, values: Mapping[str, Any]) -> Invalid:
    where = "disc" if "disc" in values else ""
    why = sentence("plains_indian_wars.judge.nobody_asked")
    return Invalid(where, why, _decides(_scenario(state.options)))


def _scenario(options: Options) -> Scenario:
    return box(options).materials.scenarios[str(options["scenario"])]


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


def _disc(values: Mapping[str, Any], scenario: Scenario) -> Colour | None:
    """Return the disc of a position that names none."""
    alone = not values.get("ended") and scenario.plays == "Nations" and len(scenario.tribes) == 1
    return scenario.tribes[0] if alone else None


def _check_keys(key: str, values: Mapping[str, Any], known: Collection[str]) -> None:
    for name in values.get(key, ()):
        if name not in known:
            why = sentence("plains_indian_wars.judge.no_key")
            raise Invalid(f"{key}.{name}", why, _known_text(known))


def _standing(instructions: Mapping[str, Sequence[str]], play: WorkingState) -> dict[str, tuple[str, ...]]:
    """Return the standing instructions by slot. Raises Invalid for an impossible instruction."""
    standing, known = {}, topics(play.scenario)
    for slot, says in sorted(instructions.items()):
        topic = next((known_topic for known_topic in known if f"{slot} ".startswith(f"{known_topic} ")), None)
        if topic is None:
            why = sentence("plains_indian_wars.judge.topic")
            raise Invalid(f"standing.{slot}", why, _known_text(known))
        order = Instruction(topic=topic, about=slot.removeprefix(topic).strip(), says=tuple(says))
        if not is_valid_instruction(play, order):
            if words := ", ".join(order.says):
                problem = sentence("plains_indian_wars.judge.says", words=words)
            else:
                problem = sentence("plains_indian_wars.judge.says_nothing")
            decides = topic_question(play.scenario, topic)
            says_instead = sentence("plains_indian_wars.judge.says_instead", decides=decides)
            raise Invalid(f"standing.{slot}", problem, says_instead)
        standing[slot] = order.says
    return standing


def _cards(
    key: str, values: Mapping[str, Any], decks: Iterable[DeckName]
) -> dict[DeckName, tuple[CardId, ...]]:
    """Return the cards of some decks. Raises Invalid for a card of another deck."""
    cards = values.get(key, {})
    for deck, card_ids in cards.items():
        for number, card_id in enumerate(card_ids):
            if materials().deck_of[card_id] != deck:
                problem = sentence(
                    "plains_indian_wars.judge.card", deck=deck, name=materials().cards[card_id].name
                )
                card_instead = sentence("plains_indian_wars.judge.card_instead")
                raise Invalid(f"{key}.{deck}[{number}]", problem, card_instead)
    return {deck: tuple(sorted(cards.get(deck, ()))) for deck in decks}


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
        if used > supply[colour]:
            why = sentence("plains_indian_wars.judge.supply", colour=colour, count=used)
            instead = sentence("plains_indian_wars.judge.supply_instead", count=supply[colour])
            raise Invalid("cubes", why, instead)
        if where != "gone":
            ready[colour] = supply[colour] - used
    return ready


def _parties(values: Mapping[str, Any], scenario: Scenario) -> dict[Line, int]:
    if not scenario.works:
        return {}
    if "parties" not in values:
        return {"union": 0}
    return {line: section - 1 for line, section in values["parties"].items()}
