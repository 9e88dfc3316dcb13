"""Shared adjudication of JSON positions, for every game with one plan or action due.

Each game reads and writes its own positions. Orders, rolls, events and due orders work the same in all games.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Generic, TypeVar

from games.data import read_value
from games.dice import Dice, SealedDice
from games.fields import Field
from games.options import read_options
from games.protocol import (
    Bot,
    BotResults,
    Concern,
    Due,
    Event,
    GameOption,
    Invalid,
    Notation,
    Objection,
    Options,
    Order,
    OrderTextParser,
    Outcome,
    Rules,
    Seat,
    Telling,
)
from games.record import Value, as_json

# The dice of a question in JSON: rolls given by label, all other rolls drawn from its seed.


DICE_KEYS = ("dice", "seed")
"""The keys of a question for the rolls."""


class GivenDice(Dice):
    """Rolls given by label, and for other labels rolls drawn from a seed. thrown: all of them, in order.

    A label has a number, or an array if several different numbers are drawn. entry: a name for the rolls.
    With another name a label shows another number.
    """

    def __init__(self, fields: Mapping[str, Field], entry: str) -> None:
        self._given = fields["dice"].entries() if "dice" in fields else {}
        for field in self._given.values():
            _numbers(field)
        self._drawn = SealedDice(_seed(fields).encode(), entry, 0)
        self.thrown: dict[str, list[int]] = {}

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` different numbers. Raises Invalid if the given numbers are impossible."""
        field = self._given.get(label)
        numbers = self._drawn.draw(label, sides, count) if field is None else _numbers(field)
        if field is not None:
            _check_numbers(field, numbers, sides, count)
        self.thrown[label] = list(numbers)
        return numbers


class FirstDice(Dice):
    """Dice that always show the first numbers: they decide a bot's ties outside a game."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return the first numbers."""
        return tuple(range(1, count + 1))


def _numbers(field: Field) -> tuple[int, ...]:
    if isinstance(field.value, list):
        return tuple(entry.number(1) for entry in field.items())
    return (field.number(1),)


def _check_numbers(field: Field, numbers: Sequence[int], sides: int, count: int) -> None:
    if len(numbers) != count or len(set(numbers)) != count:
        raise field.wrong(f"{count} different numbers are drawn there", f"write {count} in square brackets")
    if max(numbers) > sides:
        raise field.wrong(f"a die of {sides} sides never shows {max(numbers)}")


def _seed(fields: Mapping[str, Field]) -> str:
    seed = fields["seed"].value if "seed" in fields else 0
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise fields["seed"].wrong("should be a number or a string")
    return str(seed)


StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT", bound=Order)
EventT = TypeVar("EventT", bound=Event)

JUDGE_KEYS = ("orders", *DICE_KEYS, "begin")
"""The keys of a question in addition to those of its position."""

QUESTION_BOT_KEYS = ("seat", "level")
"""The keys of a question for a bot."""

_JUDGE_ONLY_KEYS = frozenset(("orders", *DICE_KEYS))

Row = dict[str, Any]


class Dropped(Value, Generic[OrderT], frozen=True):
    """An order in force that had no effect when it was carried out, or only in part if not `wholly`."""

    order: OrderT
    why: Objection | Concern
    wholly: bool = True


def bot_question(question: Any) -> Any:
    """Return a question without the keys that only a judge needs, so that both accept the same question."""
    if not isinstance(question, dict):
        return question
    return {key: value for key, value in question.items() if key not in _JUDGE_ONLY_KEYS}


class BaseJudge(ABC, Generic[StateT, ViewT, OrderT, EventT]):
    """The base of a game's JSON judge for `gm judge`, which uses the game's own rules."""

    keys: tuple[str, ...]
    """The keys of a complete position."""
    refusals: tuple[type[Any], ...] = ()
    """The types of events with an impossible `order`, and the `code` and `detail` of its objection."""

    def __init__(
        self,
        rules: Rules[StateT, ViewT, OrderT, EventT],
        notation: Notation[ViewT, OrderT],
        telling: Telling[ViewT, EventT],
        options: Sequence[GameOption],
        bots: Mapping[str, Bot[ViewT, OrderT]],
    ) -> None:
        self._rules, self._notation, self._telling = rules, notation, telling
        self._options, self._bots = options, bots

    @abstractmethod
    def state_from_fields(self, fields: Mapping[str, Field]) -> StateT:
        """Return the state of a complete position. Raises Invalid with the path of a wrong value."""

    @abstractmethod
    def question(self, state: StateT) -> dict[str, Any]:
        """Return a state as a complete position, which `state_from_fields` reads."""

    def find_dropped(
        self, view: ViewT, orders: Sequence[OrderT], events: Sequence[EventT]
    ) -> Iterable[Dropped[OrderT]]:
        """Yield those of a seat's orders in force that had no effect, or only in part, by the events."""
        for event in events:
            if isinstance(event, self.refusals) and event.order in orders:
                yield Dropped(event.order, Objection(code=event.code, detail=event.detail))

    def judge(self, question: Any, hear: OrderTextParser[ViewT]) -> Row:
        """Return the outcome of each order, the events, the next position and the orders due in it.

        With `begin`, a game with the options begins. Raises Invalid with the path of a wrong value in `what`.
        """
        fields = Field(question).entries(tuple(dict.fromkeys((*self.keys, *JUDGE_KEYS))))
        if "begin" in fields and fields["begin"].flag():
            return self._begin(fields)
        state = self.state_from_fields({key: field for key, field in fields.items() if key in self.keys})
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
            for field in self.find_dropped(view, mine, outcome.events):
                given.drop(field, self._telling.advise(view, field.why).problem)
        return {"turn": turn, "results": given.rows, **self._after(fields, outcome, dice)}

    def ask_bot(self, question: Any) -> Row:
        """Return the orders of a bot in a complete position. `seat` names the seat, `level` the bot."""
        fields = Field(question).entries(tuple(dict.fromkeys((*self.keys, *QUESTION_BOT_KEYS))))
        return self.bot_orders(
            self.state_from_fields({key: field for key, field in fields.items() if key in self.keys}), fields
        )

    def bot_orders(self, state: StateT, fields: Mapping[str, Field]) -> Row:
        """Return a bot's orders with reasons, for the named seat or otherwise the first that is due."""
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
        """Return the settled options of a question. Raises Invalid."""
        return read_options(self._options, fields.get("options"))

    def _begin(self, fields: Mapping[str, Field]) -> Row:
        for key, field in fields.items():
            if key not in ("begin", "options", *DICE_KEYS):
                raise field.wrong("is of a position, and a game begins without one", "leave it out")
        dice = GivenDice(fields, "judge begin")
        outcome = self._rules.setup(self.options(fields), dice)
        return {"turn": None, "results": [], **self._after(fields, outcome, dice)}

    def _orders(
        self, field: Field | None, state: StateT, dues: Sequence[Due], hear: OrderTextParser[ViewT]
    ) -> "_QuestionOrders[StateT, ViewT, OrderT, EventT]":
        given = _QuestionOrders[StateT, ViewT, OrderT, EventT]()
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

    def _after(self, fields: Mapping[str, Field], outcome: Outcome[StateT, EventT], dice: GivenDice) -> Row:
        state = outcome.state
        seed = {"seed": fields["seed"].value} if "seed" in fields else {}
        answer: Row = {
            "events": [self._event(event) for event in outcome.events],
            "thrown": dice.thrown,
            "next": self.question(state) | seed,
            "due": [_due(due) for due in self._rules.due(state)],
        }
        result = self._rules.result(state)
        return answer | {"winners": list(result.winners), "ended": result.reason} if result else answer

    def _event(self, event: EventT) -> Row:
        viewer = None if event.seen_by is None else next(iter(sorted(event.seen_by)), None)
        line = self._telling.tell(event, viewer)
        return {"text": line.text if line else None, "event": as_json(event)}


class _QuestionOrders(Generic[StateT, ViewT, OrderT, EventT]):
    """The orders of a question: a row for each, and the understood ones with their seats."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.heard: list[tuple[Seat, OrderT, Row]] = []
        self.advise: Any = None

    def drop(self, dropped: Dropped[OrderT], reason: str) -> None:
        """Note in its row that an order had no effect or only in part. It is the last of equal ones."""
        for _, order, row in reversed(self.heard):
            if order == dropped.order and row["outcome"] == "taken":
                earlier_reason = row["reason"]
                row["reason"] = reason if earlier_reason is None else f"{earlier_reason}; {reason}"
                if dropped.wholly:
                    row["outcome"] = "void"
                return

    def in_force(
        self, rules: Rules[StateT, ViewT, OrderT, EventT], state: StateT, dues: Sequence[Due]
    ) -> dict[Seat, tuple[OrderT, ...]]:
        """Return the orders that count, by seat, or otherwise the defaults. Each row gets its outcome.

        Of several orders for one thing the last one counts. Of a queue, as many count as are due.
        """
        orders_by_seat: dict[Seat, tuple[OrderT, ...]] = {}
        for due in dues:
            view = rules.view(state, due.seat)
            chosen: dict[str, tuple[OrderT, Row]] = {}
            queue: list[OrderT] = []
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
            orders_by_seat[due.seat] = orders_by_seat.get(due.seat, ()) + (
                mine or tuple(rules.default(state, due))
            )
        for _, _, row in self.heard:
            if row["outcome"] == "void" and row["reason"] is None:
                row["reason"] = "nothing of this kind is due now"
        return orders_by_seat


def _due(due: Due) -> Row:
    owes = [{"slot": owed_order.slot, "name": owed_order.name} for owed_order in due.owes]
    return {
        "seat": due.seat,
        "kind": due.kind,
        "accepts": list(due.accepts),
        "takes": due.takes,
        "owes": owes,
    }


def _seat(field: Field, seats: Sequence[Seat], name: str | None = None) -> Seat:
    seat_name = field.text() if name is None else name
    for seat in seats:
        if seat.casefold() == seat_name.casefold():
            return seat
    raise field.wrong(f"no order of {seat_name} is due", f"orders are due from {', '.join(seats)}")


# The results of bots that played games alone, read from a file in a game's data.


BOT_RESULTS_FILE = "data/bot_results.json"


def results_reader(package: str) -> Callable[[], BotResults]:
    """Return a function that reads the results of bots from the data of a package."""
    return partial(_read, package)


@cache
def _read(package: str) -> BotResults:
    results: BotResults = read_value(package, BOT_RESULTS_FILE, BotResults)
    return results
