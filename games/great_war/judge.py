"""Positions of The Great War in JSON, and the automaton's answer with reasons.

Sides are written ``ai`` and ``human`` here, nations ``entente`` and ``central``. Nothing is left to
chance: dice are given, random discards do not happen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games.fields import Field
from games.great_war import automaton, decks, legality
from games.great_war.bonus import play_bonus
from games.great_war.complete_positions import KEYS as COMPLETE
from games.great_war.complete_positions import complete_state, is_complete
from games.great_war.components import CardId
from games.great_war.events import AnyEvent, CardLaid, Chose, Drew, LeaderStopped, LeftOut
from games.great_war.model import AI, PLAYER, AiDecision, AnyOrder, State, View
from games.great_war.notation import GreatWarNotation
from games.great_war.phrases import because
from games.great_war.positions import (
    IGNORED_KEYS,
    QUESTION_KEYS,
    SEAT_BY_SIDE,
    Fields,
    card_of,
    die_of,
    pip,
    required_field,
    round_of,
    saves_of,
    state_of,
)
from games.great_war.report_text import GreatWarTelling
from games.great_war.rules import GreatWarRules
from games.great_war.scoring import TurnResult, outcome, points, take_blockaded
from games.great_war.setup import OPTIONS
from games.great_war.working_state import WorkingState
from games.judging import BaseJudge, Dropped, bot_question
from games.protocol import Bot, Invalid, Seat
from games.record import as_json, replace_fields


class GreatWarWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The questions: implements `protocol.Judge`."""

    keys = COMPLETE

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(GreatWarRules(), GreatWarNotation(), GreatWarTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """The state of a position: the player's Combat Round is awaited, with `enemy_hand` as his hand.

        Raises Invalid whose `what` is the path at fault.
        """
        if is_complete(question):
            return self.state_from_fields(Field(question).entries(self.keys))
        return state_of(Field(question).entries((*QUESTION_KEYS, *IGNORED_KEYS)))

    def dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """The orders of the Round of which cards could not be laid, each card with its reason."""
        said = [legality.objection_of(view, event) for event in events if isinstance(event, LeftOut)]
        found = [(orders[place], one) for one in said for place in legality.about(view, orders, one)]
        for order, one in found:
            lost = {other.detail["card"] for whose, other in found if whose is order}
            yield Dropped(order, one, lost >= set(legality.cards_of(order)))

    def state_from_fields(self, fields: Fields) -> State:
        """The state of a complete position. Raises Invalid."""
        return complete_state(fields, self.options(fields))

    def question(self, state: State) -> dict[str, Any]:
        """A state as the complete position that would be about it."""
        document: dict[str, Any] = as_json(state)
        return document

    def bot(self, question: Any) -> dict[str, Any]:
        """Return what the AI does, by the kind of question. Raises Invalid as `position` does.

        draw: placed, hand, discarded; opening, round: lays with their effects, both totals, ai_hand_left;
        jack_reaction: play; event: cancel_with; bonus: rolls_used, class, lays, totals; score: blockades,
        totals, winner, captured, points. Beside these a reason, one sentence.
        """
        if is_complete(question):
            return self.ask_bot(bot_question(question))
        fields = Field(question).entries((*QUESTION_KEYS, *IGNORED_KEYS))
        kind = required_field(fields, "kind")
        answer = _ANSWER_BY_KIND.get(kind.text())
        if answer is None:
            raise kind.wrong(f"there is no kind {kind.value}", f"known are {', '.join(_ANSWER_BY_KIND)}")
        return answer(fields, WorkingState(state_of(fields), None, _phase(fields)))


def _phase(fields: Fields) -> Any:
    if fields["kind"].value in ("bonus", "score"):
        return "bonus"
    return "round 2" if round_of(fields) == 2 else "round 1"


# The answers.


def _draw(fields: Fields, table: WorkingState) -> dict[str, Any]:
    die = die_of(fields)
    discarded = decks.deal_ai(table, die)
    drew = next(event for event in table.events if isinstance(event, Drew))
    return {
        "placed": list(drew.placed),
        "hand": list(table.army(AI).hand),
        "discarded": list(discarded),
        "reason": because(AiDecision(case="hand", clause="GW-3.3", dice=(die,), cards=discarded), table.book),
    }


def _opening(fields: Fields, table: WorkingState) -> dict[str, Any]:
    row = [replace_fields(table_card, how="placed") for table_card in table.army(AI).row]
    table.set_army(AI, row=tuple(row))
    automaton.open_defence(table, AI, die_of(fields))
    return _plays_answer(table)


def _round(fields: Fields, table: WorkingState) -> dict[str, Any]:
    held = table.army(PLAYER).hand
    cancels = "enemy_cancels_leader" in fields and fields["enemy_cancels_leader"].flag()
    able = [card_id for card_id in held if table.stops_leaders(card_id)] if cancels else []
    table.guard = lambda table, seat, leader: _cancel_leader(table, leader, able)
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


def _reaction(fields: Fields, table: WorkingState) -> dict[str, Any]:
    leaders = [
        table_card.card
        for table_card in table.army(PLAYER).row
        if table_card.up and table.is_leader(table_card.card)
    ]
    by = automaton.reaction(table, AI) if leaders else None
    why = AiDecision(case="reaction", clause="GW-6.1", cards=(by, leaders[-1])) if by else _NO_PLAY
    return {"play": by, "reason": because(why, table.book)}


def _event(fields: Fields, table: WorkingState) -> dict[str, Any]:
    event = card_of(required_field(fields, "event"))
    by = automaton.answer_to_event(table, AI) if table.card(event).effects else None
    why = AiDecision(case="event", clause="GW-4.5", cards=(by, event)) if by else _NO_PLAY
    return {"cancel_with": by, "reason": because(why, table.book)}


_NO_PLAY = AiDecision(case="pass", clause="GW-5.1")


def _bonus(fields: Fields, table: WorkingState) -> dict[str, Any]:
    given = [pip(pip_field) for pip_field in fields["dice"].items()] if "dice" in fields else []
    used: list[int] = []

    def roll(label: str) -> int:
        if len(used) == len(given):
            raise Invalid("dice", "more dice are thrown than are given", f"give {len(used) + 1}")
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


def _score(fields: Fields, table: WorkingState) -> dict[str, Any]:
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
        return "The totals are level, so nobody wins the Turn."
    what = f"captures {', '.join(result.captured)}" if result.captured else "captures nothing"
    return f"The side with more Battle Points, {names[result.winner]}, wins the Turn and {what}."


_ANSWER_BY_KIND: dict[str, Callable[[Fields, WorkingState], dict[str, Any]]] = {
    "draw": _draw,
    "opening": _opening,
    "round": _round,
    "jack_reaction": _reaction,
    "event": _event,
    "bonus": _bonus,
    "score": _score,
}


def _plays_answer(table: WorkingState) -> dict[str, Any]:
    """Return what was laid, both totals, the AI's hand, and why."""
    lays: list[dict[str, Any]] = []
    for event in table.events:
        if isinstance(event, CardLaid):
            effects = [[done.op, done.card] for done in event.done]
            lays.append({"card": event.card, "how": event.how, "effects": effects})
        elif isinstance(event, LeaderStopped):
            lays.append({"card": event.by, "how": "react", "effects": [["cancel", event.card]]})
    whys = [event.why for event in table.events if isinstance(event, Chose)]
    return {
        "lays": lays,
        "ai_total": table.now.total(AI),
        "enemy_total": table.now.total(PLAYER),
        "ai_hand_left": list(table.army(AI).hand),
        "reason": " ".join(because(why, table.book) for why in whys) or "Nothing can be laid.",
    }
