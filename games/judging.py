"""Positions adjudicated in JSON, alike for every game in which one plan or action is due.

A game says how its positions are read and written; orders, throws, events and what is due are alike in all.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from games.fields import Field
from games.given_dice import KEYS as THROWN
from games.given_dice import FirstDice, GivenDice
from games.options import read_options
from games.protocol import (
    Bot,
    Concern,
    Due,
    Event,
    Invalid,
    Notation,
    Objection,
    Option,
    Options,
    Order,
    Outcome,
    Rules,
    Seat,
    Telling,
)
from games.protocol.optional import Hear
from games.record import Value, as_json

S = TypeVar("S")
V = TypeVar("V")
O = TypeVar("O", bound=Order)  # noqa: E741 - the letter that the protocol is written with
N = TypeVar("N", bound=Event)

ASKED = ("orders", *THROWN, "begin")
"""The keys of a question beside those of its position."""

BOT = ("seat", "level")
"""Those that a bot is asked with."""

_FOR_THE_JUDGE = frozenset(("orders", *THROWN))

Row = dict[str, Any]


class Dropped(Value, Generic[O], frozen=True):
    """An order in force that came to nothing when it was carried out, or in part where it is not `wholly`."""

    order: O
    why: Objection | Concern
    wholly: bool = True


def of_a_bot(question: Any) -> Any:
    """A question without what a judge alone needs, which a bot passes over: so each may be asked the same."""
    if not isinstance(question, dict):
        return question
    return {key: value for key, value in question.items() if key not in _FOR_THE_JUDGE}


class Judging(ABC, Generic[S, V, O, N]):
    """What `gm judge` asks, answered by a game's own rules: the part of `protocol.Judge` that is alike."""

    keys: tuple[str, ...]
    """What a complete position may say."""

    def __init__(
        self,
        rules: Rules[S, V, O, N],
        notation: Notation[V, O],
        telling: Telling[V, N],
        options: Sequence[Option],
        bots: Mapping[str, Bot[V, O]],
    ) -> None:
        self._rules, self._notation, self._telling = rules, notation, telling
        self._options, self._bots = options, bots

    @abstractmethod
    def whole(self, fields: Mapping[str, Field]) -> S:
        """The state of a complete position. Raises Invalid whose `what` is the path at fault."""

    @abstractmethod
    def question(self, state: S) -> dict[str, Any]:
        """A state as the complete position that `whole` reads back."""

    def dropped(self, view: V, orders: Sequence[O], events: Sequence[N]) -> Iterable[Dropped[O]]:
        """Those of a seat's orders in force that came to nothing, wholly or in part, by what happened."""
        return ()

    def judge(self, question: Any, hear: Hear[V]) -> Row:
        """What became of each order, what happened, the next position and what is due in it.

        With `begin` the game of the options begins. Raises Invalid whose `what` is the path at fault.
        """
        fields = Field(question).entries(tuple(dict.fromkeys((*self.keys, *ASKED))))
        if "begin" in fields and fields["begin"].flag():
            return self._begun(fields)
        state = self.whole({key: one for key, one in fields.items() if key in self.keys})
        turn = self._rules.turn(state).short
        dues = self._rules.due(state)
        if not dues:
            raise Invalid("", "the game is over in this position: nobody owes an order")
        dice = GivenDice(fields, f"judge {turn}")
        given = self._orders(fields.get("orders"), state, dues, hear)
        orders = given.in_force(self._rules, state, dues)
        outcome = self._rules.adjudicate(state, orders, dice)
        for seat, mine in orders.items():
            view = self._rules.view(state, seat)
            for one in self.dropped(view, mine, outcome.events):
                given.drop(one, self._telling.advise(view, one.why).problem)
        return {"turn": turn, "results": given.rows, **self._after(fields, outcome, dice)}

    def asked(self, question: Any) -> Row:
        """What a bot would order in a complete position: `seat` says whose orders, `level` which bot."""
        fields = Field(question).entries(tuple(dict.fromkeys((*self.keys, *BOT))))
        return self.ordered(self.whole({key: one for key, one in fields.items() if key in self.keys}), fields)

    def ordered(self, state: S, fields: Mapping[str, Field]) -> Row:
        """What a bot would order for a seat, the one that is asked if none is named: orders, and why."""
        dues = {due.seat: due for due in self._rules.due(state)}
        if not dues:
            raise Invalid("", "the game is over in this position: nobody owes an order")
        due = dues[_seat(fields["seat"], tuple(dues))] if "seat" in fields else next(iter(dues.values()))
        level = fields["level"].text() if "level" in fields else next(iter(self._bots))
        if level not in self._bots:
            raise fields["level"].wrong(f"there is no bot {level}", f"there are {', '.join(self._bots)}")
        choices = self._bots[level].orders(self._rules.view(state, due.seat), due, FirstDice())
        written = [(self._notation.write(choice.order), choice.reason) for choice in choices]
        return {"orders": [text for text, _ in written], "reasons": dict(written)}

    def options(self, fields: Mapping[str, Field]) -> Options:
        """The options of a question, settled. Raises Invalid."""
        return read_options(self._options, fields.get("options"))

    def _begun(self, fields: Mapping[str, Field]) -> Row:
        for key, field in fields.items():
            if key not in ("begin", "options", *THROWN):
                raise field.wrong("is of a position, and a game begins without one", "leave it out")
        dice = GivenDice(fields, "judge begin")
        outcome = self._rules.setup(self.options(fields), dice)
        return {"turn": None, "results": [], **self._after(fields, outcome, dice)}

    def _orders(
        self, field: Field | None, state: S, dues: Sequence[Due], hear: Hear[V]
    ) -> "_Given[S, V, O, N]":
        given = _Given[S, V, O, N]()
        seats = tuple(dict.fromkeys(due.seat for due in dues))
        for name, texts in field.entries().items() if field else ():
            seat = _seat(texts, seats, name)
            for number, text in enumerate(texts.array()):
                written = text if isinstance(text, str) else texts.at(number).text()
                heard = hear(self._rules.view(state, seat), seat, written)
                row: Row = {"seat": seat, "order": written, "read_as": None}
                if heard.order is not None:
                    row["read_as"] = self._notation.write(heard.order)
                given.rows.append({**row, "outcome": "void", "reason": heard.problem})
                if heard.problem is None:
                    given.heard.append((seat, heard.order, given.rows[-1]))
        given.advise = self._telling.advise
        return given

    def _after(self, fields: Mapping[str, Field], outcome: Outcome[S, N], dice: GivenDice) -> Row:
        state = outcome.state
        seed = {"seed": fields["seed"].value} if "seed" in fields else {}
        said: Row = {
            "events": [self._event(event) for event in outcome.events],
            "thrown": dice.thrown,
            "next": self.question(state) | seed,
            "due": [_due(due) for due in self._rules.due(state)],
        }
        result = self._rules.result(state)
        return said | {"winners": list(result.winners), "ended": result.reason} if result else said

    def _event(self, event: N) -> Row:
        viewer = None if event.seen_by is None else next(iter(sorted(event.seen_by)), None)
        line = self._telling.tell(event, viewer)
        return {"text": line.text if line else None, "event": as_json(event)}


class _Given(Generic[S, V, O, N]):
    """The orders of a question: a row for each, and those that were understood with whose they are."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.heard: list[tuple[Seat, O, Row]] = []
        self.advise: Any = None

    def drop(self, dropped: Dropped[O], reason: str) -> None:
        """Say in its row that an order came to nothing, or what of it did; of several alike, the last one."""
        for _, order, row in reversed(self.heard):
            if order == dropped.order and row["outcome"] == "taken":
                said = row["reason"]
                row["reason"] = reason if said is None else f"{said}; {reason}"
                if dropped.wholly:
                    row["outcome"] = "void"
                return

    def in_force(self, rules: Rules[S, V, O, N], state: S, dues: Sequence[Due]) -> dict[Seat, tuple[O, ...]]:
        """Those that count, by seat, or else the defaults; what became of each stands in its row.

        Of orders for one thing the last one counts; of those that queue, so many as are due.
        """
        found: dict[Seat, tuple[O, ...]] = {}
        for due in dues:
            view = rules.view(state, due.seat)
            chosen: dict[str, tuple[O, Row]] = {}
            queue: list[O] = []
            for seat, order, row in self.heard:
                if seat != due.seat or type(order).__name__ not in due.accepts or row["outcome"] != "void":
                    continue
                objection = rules.check(view, seat, order)
                if order.slot is None and due.takes is not None and len(queue) >= due.takes:
                    row |= {"outcome": "waiting", "reason": "it queues up behind what is due now"}
                elif objection is not None:
                    row["reason"] = self.advise(view, objection).problem
                elif order.slot is None:
                    queue.append(order)
                    row |= {"outcome": "taken"}
                else:
                    if order.slot in chosen:
                        chosen[order.slot][1].update(outcome="void", reason="replaced by a later order")
                    chosen.pop(order.slot, None)
                    chosen[order.slot] = (order, row)
                    row |= {"outcome": "taken"}
            mine = (*(order for order, _ in chosen.values()), *queue)
            found[due.seat] = found.get(due.seat, ()) + (mine or tuple(rules.default(state, due)))
        for _, _, row in self.heard:
            if row["outcome"] == "void" and row["reason"] is None:
                row["reason"] = "nothing of this kind is due now"
        return found


def _due(due: Due) -> Row:
    owes = [{"slot": one.slot, "name": one.name} for one in due.owes]
    return {
        "seat": due.seat,
        "kind": due.kind,
        "accepts": list(due.accepts),
        "takes": due.takes,
        "owes": owes,
    }


def _seat(field: Field, seats: Sequence[Seat], name: str | None = None) -> Seat:
    said = field.text() if name is None else name
    for seat in seats:
        if seat.casefold() == said.casefold():
            return seat
    raise field.wrong(f"no order of {said} is due", f"orders are due from {', '.join(seats)}")
