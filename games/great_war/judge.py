"""Positions of The Great War in JSON, and the automaton's plays with reasons.

Here the sides are called ``ai`` and ``human``, and the nations ``entente`` and ``central``. Nothing is
random: the question gives the dice, and no cards are discarded at random.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

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
from games.json_reader import JsonReader, UnknownName, one_of
from games.judging import BaseJudge, Dropped
from games.messages import sentence
from games.options import read_options
from games.protocol import Bot, Invalid, Options, Seat
from games.record import Bounds, Malformed, Value, as_json, replace_fields, required_fields, revive

# Positions of The Great War in JSON, read field by field.


SEAT_BY_SIDE: dict[str, Seat] = {"human": PLAYER, "ai": AI}
"""The seats by the names of the sides."""

_DieNumber = Annotated[int, Bounds(ge=1, le=6)]


class _ShortTableCard(Value, frozen=True):
    """A card on the table. bp: its printed Battle Points by default."""

    card: CardId
    up: bool = True
    bp: int | None = None
    round: Annotated[int, Bounds(ge=1)] = 1
    how: How = "base"


class _Question(Value, frozen=True):
    """A question about one decision. The last three keys explain it to readers.

    ai_play, enemy_play: a card's id alone is enough. save: a side, several sides, or a number for each side.
    """

    kind: str
    ai_side: Nation
    ai_role: Literal["attacker", "defender"]
    round: Annotated[int, Bounds(ge=1, le=2)] | None = None
    die: _DieNumber | None = None
    dice: tuple[_DieNumber, ...] = ()
    events: tuple[CardId, ...] = ()
    event: CardId | None = None
    neutral: tuple[CardId, ...] = ()
    nationality: tuple[CardId, ...] = ()
    bonus: tuple[CardId, ...] = ()
    ai_hand: tuple[CardId, ...] = ()
    ai_play: tuple[str | _ShortTableCard, ...] = ()
    enemy_play: tuple[str | _ShortTableCard, ...] = ()
    enemy_hand: tuple[CardId, ...] = ()
    enemy_cancels_leader: bool = False
    save: str | tuple[str, ...] | dict[str, int] = ()
    options: dict[str, str | int | bool] = {}
    id: Any = None
    note: Any = None
    expect: Any = None

    @property
    def combat_round(self) -> int:
        """Return the Combat Round, by default the one of this kind of question."""
        return self.round or (2 if self.kind in ("bonus", "score", "jack_reaction") else 1)


def _read_card(text: str) -> str:
    if text not in book().cards:
        why = sentence("great_war.judge.no_card", text=text)
        raise UnknownName(why, sentence("great_war.judge.write_card"))
    return text


_NAMES = {CardId: _read_card, Seat: one_of("side", (PLAYER, AI))}
_QUESTION_READER = JsonReader(_Question, names=_NAMES)


def _read_question(document: Any) -> _Question:
    question: _Question = revive(_Question, _QUESTION_READER.read(document))
    return question


def _short_state(asked: _Question) -> State:
    """Return the position of a question. Its other keys decide the side and the length of the game."""
    # In odd Turns the human attacks.
    turn = 1 if asked.ai_role == "defender" else 2
    ai = Army(nation=asked.ai_side, hand=book().in_order(asked.ai_hand), row=_row("ai_play", asked.ai_play))
    human = Army(
        nation=other_nation(asked.ai_side),
        hand=book().in_order(asked.enemy_hand),
        row=_row("enemy_play", asked.enemy_play),
    )
    piles: dict[Pile, Stack] = {
        "neutral": Stack(deck=asked.neutral),
        "bonus": Stack(deck=asked.bonus),
        asked.ai_side: Stack(deck=asked.nationality),
    }
    row = {table_card.card for table_card in (*ai.row, *human.row)}
    return State(
        options={
            **read_options(OPTIONS, asked.options),
            "side": "allies" if human.nation == NATIONS[0] else "central",
            "turns": "5",
        },
        turn=turn,
        stage="round 2" if asked.combat_round == 2 else "round 1",
        armies={PLAYER: human, AI: ai},
        piles=piles,
        aside=tuple(CardId(card_id) for card_id in card_list_facts()["set_aside_solo"] if card_id not in row),
        force=asked.events,
    )


def _row(key: str, cards: Sequence[str | _ShortTableCard]) -> tuple[TableCard, ...]:
    row = []
    for number, given in enumerate(cards):
        card = given if isinstance(given, _ShortTableCard) else _ShortTableCard(card=CardId(given))
        if card.card not in book().cards:
            why = sentence("great_war.judge.no_card", text=given)
            raise Invalid(f"{key}[{number}]", why, sentence("great_war.judge.write_card"))
        bp = book()[card.card].bp if card.bp is None else card.bp
        row.append(TableCard(card=card.card, bp=bp, up=card.up, round=card.round, how=card.how))
    return tuple(row)


def _die(asked: _Question) -> int:
    if asked.die is None:
        raise _missing("die")
    return asked.die


def _missing(key: str) -> Invalid:
    return Invalid(key, sentence("great_war.judge.missing"))


def _saves(asked: _Question) -> dict[Seat, int]:
    """Return the number of cards saved from capture by side."""
    if isinstance(asked.save, dict):
        return {_seat(f"save.{side}", side): count for side, count in asked.save.items()}
    sides = (
        {"save": asked.save}
        if isinstance(asked.save, str)
        else {f"save[{number}]": side for number, side in enumerate(asked.save)}
    )
    return {_seat(path, side): 1 for path, side in sides.items()}


def _seat(path: str, side: str) -> Seat:
    if side not in SEAT_BY_SIDE:
        why = sentence("great_war.judge.no_side", text=side)
        raise Invalid(path, why, sentence("great_war.judge.write_side"))
    return SEAT_BY_SIDE[side]


# Complete positions of The Great War in JSON: all fields of a campaign by name.


class _OwnCards(Value, frozen=True):
    """The owner's cards. They are checked as a whole."""

    changes: tuple[dict[str, Any], ...]


def is_complete(question: object) -> bool:
    """Return whether a question has a complete position."""
    return isinstance(question, dict) and question.get("armies") is not None


def complete_state(values: Mapping[str, Any], options: Options) -> State:
    """Return the state of a complete position. Raises Invalid with the path of the wrong field."""
    if "cards" in options:
        why, instead = sentence("great_war.judge.own_cards"), sentence("great_war.judge.leave_out")
        raise Invalid("options.cards", why, instead)
    for key in (*required_fields(State), "piles"):
        if key != "options" and key not in values:
            instead = sentence("great_war.judge.write_complete")
            raise Invalid(key, sentence("great_war.judge.missing"), instead)
    changes = _read_changes(values.get("changes", ()))
    state: State = revive(State, {**values, "options": options, "changes": changes})
    _check_armies(state)
    return state


def _read_changes(cards: Sequence[Mapping[str, Any]]) -> tuple[Card, ...]:
    missing = dict.fromkeys(required_fields(Card))
    try:
        changes: tuple[Card, ...] = revive(tuple[Card, ...], [{**missing, **card} for card in cards])
    except Malformed as fault:
        raise Invalid("changes", str(fault)) from fault
    if changes and not is_playable(changes):
        why = sentence("great_war.judge.no_cards_of_game")
        raise Invalid("changes", why, sentence("great_war.judge.write_next"))
    return changes


def _check_armies(state: State) -> None:
    """Raise Invalid if a side or a deck is missing, or both sides have the same nation."""
    if set(state.armies) != {PLAYER, AI}:
        instead = sentence("great_war.judge.write_seats", player=PLAYER, ai=AI)
        raise Invalid("armies", sentence("great_war.judge.not_both_sides"), instead)
    if {army.nation for army in state.armies.values()} != {*NATIONS}:
        instead = sentence("great_war.judge.write_nations", first=NATIONS[0], second=NATIONS[1])
        raise Invalid("armies", sentence("great_war.judge.one_nation"), instead)
    for pile in PILES:
        if pile not in state.piles and state.stage != "set-up":
            why = sentence("great_war.judge.no_deck", deck=pile)
            raise Invalid("piles", why, sentence("great_war.judge.write_each_deck"))
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
        raise Invalid("turn", why, instead)
    if state.waits and state.event is None:
        why, instead = sentence("great_war.judge.no_event"), sentence("great_war.judge.write_event")
        raise Invalid("waits", why, instead)


class GreatWarWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The questions about positions. Implements `protocol.Judge`."""

    reader = JsonReader(State, _OwnCards, names=_NAMES, partial=True)

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(GreatWarRules(), GreatWarNotation(), GreatWarTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """Return the state of a position in the player's Combat Round.

        `enemy_hand` is the player's hand. Raises Invalid, with the path of the wrong field as its `what`.
        """
        if is_complete(question):
            return self.read_state(self.reader.read(question))
        return _short_state(_read_question(question))

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

    def read_state(self, values: dict[str, Any]) -> State:
        """Return the state of a complete position. Raises Invalid with the path of the wrong field."""
        return complete_state(values, self.options(values))

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
            return self.ask_bot(question)
        asked = _read_question(question)
        answer = _ANSWER_BY_KIND.get(asked.kind)
        if answer is None:
            why = sentence("great_war.judge.no_kind", text=asked.kind)
            known = sentence("great_war.judge.known", words=", ".join(_ANSWER_BY_KIND))
            raise Invalid("kind", why, known)
        phase: Any = "bonus" if asked.kind in ("bonus", "score") else f"round {asked.combat_round}"
        return answer(asked, WorkingState(_short_state(asked), None, phase))


# The answers of `gm judge`.


def _answer_draw(asked: _Question, table: WorkingState) -> dict[str, Any]:
    die = _die(asked)
    discarded = decks.deal_ai(table, die)
    drew = next(event for event in table.events if isinstance(event, Drew))
    return {
        "placed": list(drew.placed),
        "hand": list(table.army(AI).hand),
        "discarded": list(discarded),
        "reason": because(AiDecision(case="hand", clause="GW-3.3", dice=(die,), cards=discarded), table.book),
    }


def _answer_opening(asked: _Question, table: WorkingState) -> dict[str, Any]:
    row = [replace_fields(table_card, how="placed") for table_card in table.army(AI).row]
    table.set_army(AI, row=tuple(row))
    automaton.open_defence(table, AI, _die(asked))
    return _plays_answer(table)


def _answer_round(asked: _Question, table: WorkingState) -> dict[str, Any]:
    held = table.army(PLAYER).hand
    able = [card_id for card_id in held if asked.enemy_cancels_leader and table.stops_leaders(card_id)]
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


def _answer_reaction(_asked: _Question, table: WorkingState) -> dict[str, Any]:
    leaders = [
        table_card.card
        for table_card in table.army(PLAYER).row
        if table_card.up and table.is_leader(table_card.card)
    ]
    by = automaton.reaction(table, AI) if leaders else None
    why = AiDecision(case="reaction", clause="GW-6.1", cards=(by, leaders[-1])) if by else _NO_PLAY
    return {"play": by, "reason": because(why, table.book)}


def _answer_event(asked: _Question, table: WorkingState) -> dict[str, Any]:
    if asked.event is None:
        raise _missing("event")
    by = automaton.answer_to_event(table, AI) if table.card(asked.event).effects else None
    why = AiDecision(case="event", clause="GW-4.5", cards=(by, asked.event)) if by else _NO_PLAY
    return {"cancel_with": by, "reason": because(why, table.book)}


_NO_PLAY = AiDecision(case="pass", clause="GW-5.1")


def _answer_bonus(asked: _Question, table: WorkingState) -> dict[str, Any]:
    given = asked.dice
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


def _answer_score(asked: _Question, table: WorkingState) -> dict[str, Any]:
    first = AI if table.now.attacker == PLAYER else PLAYER
    taken = [
        pair for seat in (first, PLAYER if first == AI else AI) for pair in take_blockaded(table, seat, {})
    ]
    totals = {name: table.now.total(seat) for name, seat in SEAT_BY_SIDE.items()}
    result = outcome(table, _saves(asked))
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


_ANSWER_BY_KIND: dict[str, Callable[[_Question, WorkingState], dict[str, Any]]] = {
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
