"""Stateless questions about positions in JSON: what comes of these orders, what would a bot do?"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.diplomacy.answer import GivenOrder, JudgeAnswer
from games.diplomacy.boards.rulebook import RULINGS
from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.judge import Fields, JudgePositionReader, fields_of, read_orders
from games.diplomacy.model import AnyOrder, State, View
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.position_names import PositionNames
from games.given_dice import FirstDice, GivenDice
from games.options import read_options
from games.protocol import Bot, GameOption, Invalid, Rules, Seat
from games.protocol.bot_skills import SupportsTemperaments
from games.protocol.optional import OrderTextParser

_BOT_KEYS = ("seat", "level", "temperament")
_ECHOED = ("options", "seed")
"""What a question says for the whole game: the next position repeats it."""


class DiplomacyWhatIf:
    """The questions of one variant: implements `protocol.Judge`."""

    def __init__(
        self,
        variant: Variant,
        options: Sequence[GameOption],
        rules: Rules[State, View, AnyOrder, AnyEvent],
        notation: DiplomacyNotation,
        bots: Mapping[str, Bot[View, AnyOrder]],
    ) -> None:
        self._variant = variant
        self._options = options
        self._rules = rules
        self._notation = notation
        self._bots = bots
        self._names = PositionNames(variant.board, variant.rulebook)
        self._told: dict[Resolved, dict[str, Any]] = {}

    def position(self, question: Any) -> State:
        """The state of a position. Raises Invalid whose `what` is the path at fault."""
        return self._state(fields_of(self._variant, question))

    def judge(self, question: Any, hear: OrderTextParser[View]) -> dict[str, Any]:
        """Return the outcome of each order, and the next position: the keys `phase`, `results`, `next`.

        When the game is over, `winners` stands there too. Raises Invalid as `position` does.
        """
        fields = fields_of(self._variant, question)
        state, dice = self._state(fields), GivenDice(fields, "judge")
        given: list[GivenOrder] = []
        orders: dict[Seat, list[AnyOrder]] = {}
        for seat, texts in read_orders(self._names, fields.get("orders")).items():
            view = self._rules.view(state, seat)
            counting: list[AnyOrder] = []
            for text in texts:
                heard = hear(view, seat, text)
                order = heard.order if heard.problem is None else None
                given.append(GivenOrder(seat, text, heard, order))
                if order is not None:
                    counting.append(order)
            if counting:
                orders[seat] = counting
        outcome = self._rules.adjudicate(state, orders, dice)
        answer = JudgeAnswer(self._variant.under(state.options), self._notation, self._told)
        after = answer.position(outcome.state)
        response: dict[str, Any] = {
            "phase": state.phase.short,
            "results": answer.results(state, given, outcome.events),
            "next": after | {key: fields[key].value for key in _ECHOED if key in fields},
        }
        result = self._rules.result(outcome.state)
        return response | {"winners": list(result.winners)} if result else response

    def question(self, state: State) -> dict[str, Any]:
        """A state as the question that would be about it; the phase is null when the game is over."""
        options = {**self._former(state), **state.options}
        chosen = {"options": options} if options else {}
        return JudgeAnswer(self._variant.under(state.options), self._notation).position(state) | chosen

    def bot(self, question: Any) -> dict[str, Any]:
        """Return the orders of a bot for a seat, and why: the keys `orders`, `reasons`.

        Of equals it takes the first. Raises Invalid as `position` does.
        """
        fields = fields_of(self._variant, question, _BOT_KEYS)
        state = self._state(fields)
        read_orders(self._names, fields.get("orders"))
        if "seat" not in fields:
            raise Invalid("seat", "is missing")
        seat = self._names.power(fields["seat"], fields["seat"].text())
        bot = self._bot(fields)
        choices = [
            choice
            for due in self._rules.due(state)
            if due.seat == seat
            for choice in bot.orders(self._rules.view(state, seat), due, FirstDice())
        ]
        texts = [self._notation.write(choice.order) for choice in choices]
        reasons = {text: choice.reason for text, choice in zip(texts, choices, strict=True)}
        return {"orders": texts, "reasons": reasons}

    def _former(self, state: State) -> dict[str, Any]:
        """The rulings of a game older than their options, where a question without them means others."""
        book = self._variant.rulebook
        missing = (option for option in book.options if option.name not in state.options)
        return {
            option.name: getattr(book, option.name)
            for option in missing
            if option.name in RULINGS and option.default != getattr(book, option.name)
        }

    def _bot(self, fields: Fields) -> Bot[View, AnyOrder]:
        level = fields["level"].text() if "level" in fields else next(iter(self._bots))
        if level not in self._bots:
            raise fields["level"].wrong(f"there is no bot {level}", f"there are {', '.join(self._bots)}")
        bot = self._bots[level]
        if "temperament" not in fields:
            return bot
        name = fields["temperament"].text()
        known = bot.temperaments if isinstance(bot, SupportsTemperaments) else ()
        if not isinstance(bot, SupportsTemperaments) or name not in known:
            there_are = f"there are {', '.join(known)}" if known else None
            raise fields["temperament"].wrong(f"the {level} has no temperament {name}", there_are)
        return bot.with_temperament(name)

    def _state(self, fields: Fields) -> State:
        options = read_options(self._options, fields.get("options"))
        return JudgePositionReader(self._variant.under(options), self._names, fields).state(options)
