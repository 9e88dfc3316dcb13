"""Shared adjudication of JSON positions, for every game with one plan or action due.

Each game reads and writes its own positions. Orders, rolls, events and due orders work the same in all games.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, Generic, TypeVar

from games.data import read_value
from games.dice import Dice, SealedDice
from games.json_reader import JsonReader
from games.options import read_options
from games.own_box import DATA
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
from games.record import Bounds, Value, as_json

# The dice of a question in JSON: rolls given by label, all other rolls drawn from its seed.


DieNumber = Annotated[int, Bounds(ge=1)]


class JudgeKeys(Value, frozen=True):
    """The keys of a question to a judge in addition to those of its position. `next` repeats the seed.

    dice: a label has a number, or several if several different numbers are drawn. begin: whether a game with
    the options begins.
    """

    orders: dict[str, tuple[str, ...]] | None = None
    dice: dict[str, DieNumber | tuple[DieNumber, ...]] = {}
    seed: int | str | None = None
    begin: bool = False


class BotKeys(Value, frozen=True):
    """The keys of a question for a bot in addition to those of its position."""

    seat: str | None = None
    level: str | None = None


class GivenDice(Dice):
    """Rolls given by label, and for other labels rolls drawn from a seed. thrown: all of them, in order.

    entry: a name for the rolls. With another name a label shows another number.
    """

    def __init__(self, asked: JudgeKeys, entry: str) -> None:
        self._given = asked.dice
        self._drawn = SealedDice(str(0 if asked.seed is None else asked.seed).encode(), entry, 0)
        self.thrown: dict[str, list[int]] = {}

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` different numbers. Raises Invalid if the given numbers are impossible."""
        given = self._given.get(label)
        if given is None:
            numbers = self._drawn.draw(label, sides, count)
        else:
            numbers = given if isinstance(given, tuple) else (given,)
            _check_numbers(f"dice.{label}", numbers, sides, count)
        self.thrown[label] = list(numbers)
        return numbers


class FirstDice(Dice):
    """Dice that always show the first numbers: they decide a bot's ties outside a game."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return the first numbers."""
        return tuple(range(1, count + 1))


def _check_numbers(path: str, numbers: Sequence[int], sides: int, count: int) -> None:
    if len(numbers) != count or len(set(numbers)) != count:
        raise Invalid(path, f"{count} different numbers are drawn there", f"write {count} in square brackets")
    if max(numbers) > sides:
        raise Invalid(path, f"a die of {sides} sides never shows {max(numbers)}")


StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT", bound=Order)
EventT = TypeVar("EventT", bound=Event)

_JUDGE_ONLY_KEYS = frozenset(("orders", "dice", "seed"))

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


def check_owner_data(read: Callable[[Options], object], options: Options) -> None:
    """Read the owner's data in the options of a position. Raises Invalid with the path of the option."""
    try:
        read(options)
    except Invalid as fault:
        why = f"{fault.what.removeprefix('option ')}: {fault.why}"
        raise Invalid(f"options.{DATA}", why, fault.instead) from fault


class BaseJudge(ABC, Generic[StateT, ViewT, OrderT, EventT]):
    """The base of a game's JSON judge for `gm judge`, which uses the game's own rules."""

    reader: JsonReader
    """Reads complete positions."""
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
    def read_state(self, values: dict[str, Any]) -> StateT:
        """Return the state of a position from its fields. Raises Invalid with the path of a wrong value."""

    @abstractmethod
    def question(self, state: StateT) -> dict[str, Any]:
        """Return a state as a complete position."""

    def find_dropped(
        self, view: ViewT, orders: Sequence[OrderT], events: Sequence[EventT]
    ) -> Iterable[Dropped[OrderT]]:
        """Yield those of a seat's orders in force that had no effect, or only in part, by the events."""
        for event in events:
            if isinstance(event, self.refusals) and event.order in orders:
                yield Dropped(event.order, Objection(code=event.code, detail=event.detail))

    def judge(self, question: Any, parse_order: OrderTextParser[ViewT]) -> Row:
        """Return the outcome of each order, the events, the next position and the orders due in it.

        With `begin`, a game with the options begins. Raises Invalid with the path of a wrong value in `what`.
        """
        values, asked = self.reader.read_with(question, JudgeKeys)
        if asked.begin:
            return self._begin(values, asked)
        state = self.read_state(values)
        turn = self._rules.turn(state).short
        dues = self._rules.due(state)
        if not dues:
            raise Invalid("", "the game is over in this position: nobody owes an order")
        dice = GivenDice(asked, f"judge {turn}")
        given = self._orders(asked.orders or {}, state, dues, parse_order)
        orders = given.in_force(self._rules, state, dues)
        outcome = self._rules.adjudicate(state, orders, dice)
        for seat, mine in orders.items():
            view = self._rules.view(state, seat)
            for dropped in self.find_dropped(view, mine, outcome.events):
                given.drop(dropped, self._telling.advise(view, dropped.why).problem)
        return {"turn": turn, "results": given.rows, **self._after(asked, outcome, dice)}

    def ask_bot(self, question: Any) -> Row:
        """Return the orders of a bot in a complete position. `seat` names the seat, `level` the bot."""
        values, asked = self.reader.read_with(bot_question(question), BotKeys)
        return self.bot_orders(self.read_state(values), asked)

    def bot_orders(self, state: StateT, asked: BotKeys) -> Row:
        """Return a bot's orders with reasons, for the named seat or otherwise the first that is due."""
        dues = {due.seat: due for due in self._rules.due(state)}
        if not dues:
            raise Invalid("", "the game is over in this position: nobody owes an order")
        due = next(iter(dues.values())) if asked.seat is None else dues[_seat("seat", asked.seat, dues)]
        level = next(iter(self._bots)) if asked.level is None else asked.level
        if level not in self._bots:
            raise Invalid("level", f"there is no bot {level}", f"there are {', '.join(self._bots)}")
        choices = self._bots[level].orders(self._rules.view(state, due.seat), due, FirstDice())
        written = [(self._notation.write(choice.order), choice.reason) for choice in choices]
        return {"orders": [text for text, _ in written], "reasons": dict(written)}

    def options(self, values: Mapping[str, Any]) -> Options:
        """Return the settled options of a position. Raises Invalid."""
        return read_options(self._options, values.get("options", {}))

    def _begin(self, values: Mapping[str, Any], asked: JudgeKeys) -> Row:
        for key in (*values, *(("orders",) if asked.orders is not None else ())):
            if key != "options":
                raise Invalid(key, "is of a position, and a game begins without one", "leave it out")
        dice = GivenDice(asked, "judge begin")
        outcome = self._rules.setup(self.options(values), dice)
        return {"turn": None, "results": [], **self._after(asked, outcome, dice)}

    def _orders(
        self,
        orders: Mapping[str, Sequence[str]],
        state: StateT,
        dues: Sequence[Due],
        parse_order: OrderTextParser[ViewT],
    ) -> "_QuestionOrders[StateT, ViewT, OrderT, EventT]":
        given = _QuestionOrders[StateT, ViewT, OrderT, EventT]()
        seats = dict.fromkeys(due.seat for due in dues)
        for name, texts in orders.items():
            seat = _seat(f"orders.{name}", name, seats)
            for text in texts:
                parsed = parse_order(self._rules.view(state, seat), seat, text)
                row: Row = {"seat": seat, "order": text, "read_as": None}
                if parsed.order is not None:
                    row["read_as"] = self._notation.write(parsed.order)
                given.rows.append({**row, "outcome": "void", "reason": parsed.problem})
                if parsed.problem is None:
                    given.parsed.append((seat, parsed.order, given.rows[-1]))
        given.advise = self._telling.advise
        return given

    def _after(self, asked: JudgeKeys, outcome: Outcome[StateT, EventT], dice: GivenDice) -> Row:
        state = outcome.state
        seed = {} if asked.seed is None else {"seed": asked.seed}
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
        self.parsed: list[tuple[Seat, OrderT, Row]] = []
        self.advise: Any = None

    def drop(self, dropped: Dropped[OrderT], reason: str) -> None:
        """Note in its row that an order had no effect or only in part. It is the last of equal ones."""
        for _, order, row in reversed(self.parsed):
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
            for seat, order, row in self.parsed:
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
        for _, _, row in self.parsed:
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


def _seat(path: str, name: str, seats: Iterable[Seat]) -> Seat:
    for seat in seats:
        if seat.casefold() == name.casefold():
            return seat
    raise Invalid(path, f"no order of {name} is due", f"orders are due from {', '.join(seats)}")


# The results of bots that played games alone, read from a file in a game's data.


BOT_RESULTS_FILE = "data/bot_results.json"


def results_reader(package: str) -> Callable[[], BotResults]:
    """Return a function that reads the results of bots from the data of a package."""
    return partial(_read, package)


@cache
def _read(package: str) -> BotResults:
    results: BotResults = read_value(package, BOT_RESULTS_FILE, BotResults)
    return results
