"""Positions of The Great War in JSON, and the automaton's plays with reasons.

Here the sides are called ``ai`` and ``human``, and the nations ``entente`` and ``central``. Nothing is
random: the question gives the dice, and no cards are discarded at random.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games.fields import Field
from games.great_war import automaton, decks, legality
from games.great_war.automaton import play_bonus
from games.great_war.components import NATIONS, PILES, Card, CardId, Nation, Pile, book, card_list_facts
from games.great_war.events import AnyEvent, CardLaid, Chose, Drew, LeaderStopped, LeftOut
from games.great_war.model import (
    AI,
    PLAYER,
    AiDecision,
    AnyOrder,
    Army,
    How,
    Stack,
    Stage,
    State,
    TableCard,
    View,
    other_nation,
)
from games.great_war.notation import GreatWarNotation
from games.great_war.owner_data import is_playable
from games.great_war.phrases import because
from games.great_war.report_text import GreatWarTelling
from games.great_war.rules import GreatWarRules
from games.great_war.scoring import TurnResult, outcome, points, take_blockaded
from games.great_war.setup import OPTIONS
from games.great_war.working_state import WorkingState
from games.judging import BaseJudge, Dropped, bot_question
from games.language import join_list
from games.messages import sentence
from games.protocol import Bot, Invalid, Options, Seat
from games.record import Malformed, as_json, replace_fields, required_fields, revive
from games.typed_fields import KnownWords, TypedFields, hints

# Positions of The Great War in JSON, read field by field.


SEAT_BY_SIDE: dict[str, Seat] = {"human": PLAYER, "ai": AI}
"""The seats by the names of the sides."""

QUESTION_KEYS = (
    *("kind", "ai_side", "ai_role", "round", "die", "dice", "events", "event", "neutral", "nationality"),
    *("bonus", "ai_hand", "ai_play", "enemy_play", "enemy_hand", "enemy_cancels_leader", "save", "options"),
)
"""The fields that a question may have."""

IGNORED_KEYS = ("id", "note", "expect")
"""The fields that a collection of positions has for its readers."""

Fields = Mapping[str, Field]
_HOWS: tuple[How, ...] = ("placed", "opening", "base", "plus", "led", "with_leader", "bonus_phase")


def state_of(fields: Fields, options: Options) -> State:
    """Return the position of a question. Raises Invalid with the path of the wrong field.

    options: those of the question; its other fields decide the side and the length of the game.
    """
    side, role = _read_nation(fields), _read_role(fields)
    # In odd Turns the human attacks.
    turn = 1 if role == "defender" else 2
    number = round_of(fields)
    stage: Stage = "round 2" if number == 2 else "round 1"
    hand = book().in_order(_read_cards(fields.get("ai_hand")))
    ai = Army(nation=side, hand=hand, row=_read_row(fields.get("ai_play")))
    human = Army(
        nation=other_nation(side),
        hand=book().in_order(_read_cards(fields.get("enemy_hand"))),
        row=_read_row(fields.get("enemy_play")),
    )
    decks: dict[Pile, Stack] = {
        "neutral": Stack(deck=_read_cards(fields.get("neutral"))),
        "bonus": Stack(deck=_read_cards(fields.get("bonus"))),
        side: Stack(deck=_read_cards(fields.get("nationality"))),
    }
    row = {table_card.card for table_card in (*ai.row, *human.row)}
    return State(
        options={
            **options,
            "side": "allies" if human.nation == NATIONS[0] else "central",
            "turns": "5",
        },
        turn=turn,
        stage=stage,
        armies={PLAYER: human, AI: ai},
        piles=decks,
        aside=tuple(CardId(card_id) for card_id in card_list_facts()["set_aside_solo"] if card_id not in row),
        force=_read_cards(fields.get("events")),
    )


def required_field(fields: Fields, key: str) -> Field:
    """Return a field that must be there. Raises Invalid if it is missing."""
    if key not in fields:
        raise Invalid(key, sentence("great_war.judge.missing"))
    return fields[key]


def _read_nation(fields: Fields) -> Nation:
    field = required_field(fields, "ai_side")
    if field.text() not in NATIONS:
        instead = sentence("great_war.judge.write_nation", nations=join_list(NATIONS, "or"))
        raise field.wrong(sentence("great_war.judge.no_side", text=field.value), instead)
    return NATIONS[NATIONS.index(field.value)]


def _read_role(fields: Fields) -> str:
    field = required_field(fields, "ai_role")
    if field.text() not in ("attacker", "defender"):
        why = sentence("great_war.judge.no_role", text=field.value)
        raise field.wrong(why, sentence("great_war.judge.write_role"))
    return field.text()


def round_of(fields: Fields) -> int:
    """Return the Combat Round of a question. Raises Invalid for a wrong number."""
    if "round" not in fields:
        return 2 if fields.get("kind", Field("")).value in ("bonus", "score", "jack_reaction") else 1
    number = fields["round"].number(1)
    if number > 2:
        why = sentence("great_war.judge.no_round", text=number)
        raise fields["round"].wrong(why, sentence("great_war.judge.write_round"))
    return number


def die_of(fields: Fields) -> int:
    """Return the number of the AI's die. Raises Invalid if it is missing or wrong."""
    return pip(required_field(fields, "die"))


def pip(field: Field) -> int:
    """Return a number of a die. Raises Invalid for any other number."""
    if field.number(1) > 6:
        why = sentence("great_war.judge.no_die", text=field.value)
        raise field.wrong(why, sentence("great_war.judge.write_die"))
    return field.number(1)


def card_of(field: Field) -> CardId:
    """Return a card by its id. Raises Invalid for an unknown id."""
    card_id = CardId(field.text())
    if card_id not in book().cards:
        why = sentence("great_war.judge.no_card", text=field.value)
        raise field.wrong(why, sentence("great_war.judge.write_card"))
    return card_id


def _read_cards(field: Field | None) -> tuple[CardId, ...]:
    return tuple(card_of(card_field) for card_field in field.items()) if field is not None else ()


def _read_row(field: Field | None) -> tuple[TableCard, ...]:
    return tuple(_read_table_card(card_field) for card_field in field.items()) if field is not None else ()


def _read_table_card(field: Field) -> TableCard:
    if isinstance(field.value, str):
        card_id = card_of(field)
        return TableCard(card=card_id, bp=book()[card_id].bp, round=1, how="base")
    parts = field.entries(("card", "up", "bp", "round", "how"))
    card_id = card_of(required_field(parts, "card"))
    how = parts["how"].text() if "how" in parts else "base"
    if how not in _HOWS:
        why = sentence("great_war.judge.no_way_to_lay", text=how)
        raise parts["how"].wrong(why, sentence("great_war.judge.known", words=", ".join(_HOWS)))
    return TableCard(
        card=card_id,
        bp=parts["bp"].number() if "bp" in parts else book()[card_id].bp,
        up=parts["up"].flag() if "up" in parts else True,
        round=parts["round"].number(1) if "round" in parts else 1,
        how=_HOWS[_HOWS.index(how)],
    )


def saves_of(fields: Fields) -> dict[Seat, int]:
    """Return the number of cards saved from capture by side.

    The field is a side, a list of sides, or a number for each side. Raises Invalid for any other value.
    """
    field = fields.get("save")
    if field is None or field.value is None:
        return {}
    if isinstance(field.value, dict):
        return {_read_side(count, name): count.number() for name, count in field.entries().items()}
    sides = [field] if isinstance(field.value, str) else list(field.items())
    return {_read_side(side, side.text()): 1 for side in sides}


def _read_side(field: Field, name: str) -> Seat:
    if name not in SEAT_BY_SIDE:
        why = sentence("great_war.judge.no_side", text=name)
        raise field.wrong(why, sentence("great_war.judge.write_side"))
    return SEAT_BY_SIDE[name]


# Complete positions of The Great War in JSON: all fields of a campaign by name.


COMPLETE_POSITION_KEYS = tuple(hints(State))
"""The fields of a complete position."""

_SEPARATE_KEYS = ("options", "changes")


def is_complete(question: object) -> bool:
    """Return whether a question has a complete position."""
    return isinstance(question, dict) and question.get("armies") is not None


def complete_state(fields: Mapping[str, Field], options: Options) -> State:
    """Return the state of a complete position. Raises Invalid with the path of the wrong field."""
    if "cards" in options:
        why, instead = sentence("great_war.judge.own_cards"), sentence("great_war.judge.leave_out")
        raise Invalid("options.cards", why, instead)
    for key in (*required_fields(State), "piles"):
        if key != "options" and key not in fields:
            instead = sentence("great_war.judge.write_complete")
            raise Invalid(key, sentence("great_war.judge.missing"), instead)
    reader = TypedFields({CardId: KnownWords("card", book().cards), Seat: KnownWords("side", (PLAYER, AI))})
    rest = {key: field for key, field in fields.items() if key not in _SEPARATE_KEYS}
    state = State(**reader.record(State, rest), changes=_read_changes(fields), options=dict(options))
    _check_armies(fields, state)
    return state


def _read_changes(fields: Mapping[str, Field]) -> tuple[Card, ...]:
    if "changes" not in fields:
        return ()
    try:
        cards: tuple[Card, ...] = revive(hints(State)["changes"], fields["changes"].value)
    except Malformed as fault:
        raise fields["changes"].wrong(str(fault)) from fault
    if not is_playable(cards):
        why = sentence("great_war.judge.no_cards_of_game")
        raise fields["changes"].wrong(why, sentence("great_war.judge.write_next"))
    return cards


def _check_armies(fields: Mapping[str, Field], state: State) -> None:
    """Raise Invalid if a side or a deck is missing, or both sides have the same nation."""
    if set(state.armies) != {PLAYER, AI}:
        instead = sentence("great_war.judge.write_seats", player=PLAYER, ai=AI)
        raise fields["armies"].wrong(sentence("great_war.judge.not_both_sides"), instead)
    if {army.nation for army in state.armies.values()} != {*NATIONS}:
        instead = sentence("great_war.judge.write_nations", first=NATIONS[0], second=NATIONS[1])
        raise fields["armies"].wrong(sentence("great_war.judge.one_nation"), instead)
    for pile in PILES:
        if pile not in state.piles and state.stage != "set-up":
            why = sentence("great_war.judge.no_deck", deck=pile)
            raise fields["piles"].wrong(why, sentence("great_war.judge.write_each_deck"))
    cards = [
        (f"armies.{seat}.row", table_card.round)
        for seat, army in state.armies.items()
        for table_card in army.row
    ]
    for path, number in cards:
        if not 1 <= number <= 3:
            why = sentence("great_war.judge.no_round", text=number)
            raise Invalid(path, why, sentence("great_war.judge.write_round_or_bonus"))
    if state.turn < 1:
        why, instead = sentence("great_war.judge.no_turn"), sentence("great_war.judge.write_turn")
        raise fields["turn"].wrong(why, instead)


class GreatWarWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The questions about positions. Implements `protocol.Judge`."""

    keys = COMPLETE_POSITION_KEYS

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(GreatWarRules(), GreatWarNotation(), GreatWarTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """Return the state of a position in the player's Combat Round.

        `enemy_hand` is the player's hand. Raises Invalid, with the path of the wrong field as its `what`.
        """
        if is_complete(question):
            return self.state_from_fields(Field(question).entries(self.keys))
        fields = Field(question).entries((*QUESTION_KEYS, *IGNORED_KEYS))
        return state_of(fields, self.options(fields))

    def find_dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """Yield an order of the Combat Round for each of its cards that couldn't be played."""
        objections = [legality.objection_of(view, event) for event in events if isinstance(event, LeftOut)]
        pairs = [
            (orders[place], objection)
            for objection in objections
            for place in legality.about(view, orders, objection)
        ]
        for order, objection in pairs:
            lost = {other.detail["card"] for whose, other in pairs if whose is order}
            yield Dropped(order, objection, lost >= set(order.played))

    def state_from_fields(self, fields: Fields) -> State:
        """Return the state of a complete position. Raises Invalid with the path of the wrong field."""
        return complete_state(fields, self.options(fields))

    def question(self, state: State) -> dict[str, Any]:
        """Return a state as a question with a complete position."""
        document: dict[str, Any] = as_json(state)
        return document

    def bot(self, question: Any) -> dict[str, Any]:
        """Return the AI's play by the kind of question. Raises Invalid as `position` does.

        draw: placed, hand, discarded; opening, round: lays with their effects, both totals, ai_hand_left;
        jack_reaction: play; event: cancel_with; bonus: rolls_used, class, lays, totals; score: blockades,
        totals, winner, captured, points. All have a reason, which is one sentence.
        """
        if is_complete(question):
            return self.ask_bot(bot_question(question))
        fields = Field(question).entries((*QUESTION_KEYS, *IGNORED_KEYS))
        kind = required_field(fields, "kind")
        answer = _ANSWER_BY_KIND.get(kind.text())
        if answer is None:
            why = sentence("great_war.judge.no_kind", text=kind.value)
            raise kind.wrong(why, sentence("great_war.judge.known", words=", ".join(_ANSWER_BY_KIND)))
        return answer(fields, WorkingState(state_of(fields, self.options(fields)), None, _phase(fields)))


def _phase(fields: Fields) -> Any:
    if fields["kind"].value in ("bonus", "score"):
        return "bonus"
    return "round 2" if round_of(fields) == 2 else "round 1"


# The answers of `gm judge`.


def _answer_draw(fields: Fields, table: WorkingState) -> dict[str, Any]:
    die = die_of(fields)
    discarded = decks.deal_ai(table, die)
    drew = next(event for event in table.events if isinstance(event, Drew))
    return {
        "placed": list(drew.placed),
        "hand": list(table.army(AI).hand),
        "discarded": list(discarded),
        "reason": because(AiDecision(case="hand", clause="GW-3.3", dice=(die,), cards=discarded), table.book),
    }


def _answer_opening(fields: Fields, table: WorkingState) -> dict[str, Any]:
    row = [replace_fields(table_card, how="placed") for table_card in table.army(AI).row]
    table.set_army(AI, row=tuple(row))
    automaton.open_defence(table, AI, die_of(fields))
    return _plays_answer(table)


def _answer_round(fields: Fields, table: WorkingState) -> dict[str, Any]:
    held = table.army(PLAYER).hand
    cancels = "enemy_cancels_leader" in fields and fields["enemy_cancels_leader"].flag()
    able = [card_id for card_id in held if table.stops_leaders(card_id)] if cancels else []
    table.guard = lambda table, _seat, leader: _cancel_leader(table, leader, able)
    automaton.play_round(table, AI)
    return _plays_answer(table)


def _cancel_leader(table: WorkingState, leader: CardId, able: list[CardId]) -> bool:
    if not able:
        return False
    by = able.pop(0)
    able.clear()
    table.turn(AI, leader, up=False)
    table.spend(PLAYER, by)
    table.tell(LeaderStopped, seat=AI, card=leader, by=by)
    return True


def _answer_reaction(_fields: Fields, table: WorkingState) -> dict[str, Any]:
    leaders = [
        table_card.card
        for table_card in table.army(PLAYER).row
        if table_card.up and table.is_leader(table_card.card)
    ]
    by = automaton.reaction(table, AI) if leaders else None
    why = AiDecision(case="reaction", clause="GW-6.1", cards=(by, leaders[-1])) if by else _NO_PLAY
    return {"play": by, "reason": because(why, table.book)}


def _answer_event(fields: Fields, table: WorkingState) -> dict[str, Any]:
    event = card_of(required_field(fields, "event"))
    by = automaton.answer_to_event(table, AI) if table.card(event).effects else None
    why = AiDecision(case="event", clause="GW-4.5", cards=(by, event)) if by else _NO_PLAY
    return {"cancel_with": by, "reason": because(why, table.book)}


_NO_PLAY = AiDecision(case="pass", clause="GW-5.1")


def _answer_bonus(fields: Fields, table: WorkingState) -> dict[str, Any]:
    given = [pip(pip_field) for pip_field in fields["dice"].items()] if "dice" in fields else []
    used: list[int] = []

    def roll(_label: str) -> int:
        if len(used) == len(given):
            instead = sentence("great_war.judge.give_dice", count=len(used) + 1)
            raise Invalid("dice", sentence("great_war.judge.no_dice_left"), instead)
        used.append(given[len(used)])
        return used[-1]

    why = play_bonus(table, AI, roll)
    answer = _plays_answer(table)
    return {
        "rolls_used": len(used),
        "class": why.kind if why is not None and why.cards else None,
        **{key: answer[key] for key in ("lays", "ai_total", "enemy_total")},
        "reason": because(why or _NO_PLAY, table.book),
    }


def _answer_score(fields: Fields, table: WorkingState) -> dict[str, Any]:
    first = AI if table.now.attacker == PLAYER else PLAYER
    taken = [
        pair for seat in (first, PLAYER if first == AI else AI) for pair in take_blockaded(table, seat, {})
    ]
    totals = {name: table.now.total(seat) for name, seat in SEAT_BY_SIDE.items()}
    result = outcome(table, saves_of(fields))
    names = {seat: name for name, seat in SEAT_BY_SIDE.items()}
    return {
        "blockades": [list(pair) for pair in taken],
        "totals": totals,
        "winner": names[result.winner] if result.winner else None,
        "captured": list(result.captured),
        "points": points(table, result.captured),
        "reason": _score_reason(result, names),
    }


def _score_reason(result: TurnResult, names: Mapping[Seat, str]) -> str:
    if result.winner is None:
        return sentence("great_war.judge.tied")
    slug = "great_war.judge.wins" if result.captured else "great_war.judge.wins_nothing"
    return sentence(slug, side=names[result.winner], cards=", ".join(result.captured))


_ANSWER_BY_KIND: dict[str, Callable[[Fields, WorkingState], dict[str, Any]]] = {
    "draw": _answer_draw,
    "opening": _answer_opening,
    "round": _answer_round,
    "jack_reaction": _answer_reaction,
    "event": _answer_event,
    "bonus": _answer_bonus,
    "score": _answer_score,
}


def _plays_answer(table: WorkingState) -> dict[str, Any]:
    """Return the cards played, both totals, the AI's hand, and the reason."""
    lays: list[dict[str, Any]] = []
    for event in table.events:
        if isinstance(event, CardLaid):
            effects = [[done.op, done.card] for done in event.done]
            lays.append({"card": event.card, "how": event.how, "effects": effects})
        elif isinstance(event, LeaderStopped):
            lays.append({"card": event.by, "how": "react", "effects": [["cancel", event.card]]})
    whys = [because(event.why, table.book) for event in table.events if isinstance(event, Chose)]
    return {
        "lays": lays,
        "ai_total": table.now.total(AI),
        "enemy_total": table.now.total(PLAYER),
        "ai_hand_left": list(table.army(AI).hand),
        "reason": " ".join(whys) or sentence("great_war.judge.nothing_laid"),
    }
