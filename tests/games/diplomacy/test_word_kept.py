"""Games of bots that write to each other: what was agreed is kept, and each reason that is told is true."""

from collections import Counter
from collections.abc import Iterator

import pytest

import games
from games.dice import LabelledDice, SealedDice
from games.diplomacy.bots.accords import BROKEN
from games.diplomacy.bots.player import Player
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.wording import wording
from games.diplomacy.model import Move, State
from games.options import settle
from games.protocol import Choice, Due, Seat
from games.protocol.bot_skills import Correspondence, Missive
from games.record import changed
from tests.kit.frontier import state as frontier

OWNED_FROM_THE_START, STANDS, ALL_FRIENDS = (
    "that was ours from the start",
    "in a centre of ours",
    "from friends",
)


class Table:
    """A game whose seats all are bots that write, one turn after the other."""

    def __init__(self, kind: str, level: str, years: int, seed: str) -> None:
        self.game, self.seed = games.kinds()[kind], seed.encode()
        options = settle(self.game.about.options, {"last_year": years})
        self.state = self.game.rules.setup(options, SealedDice(self.seed, kind, 0)).state
        bot = self.game.bots[level]
        tempers = [None, *bot.temperaments]
        self.bots: dict[Seat, Player] = {
            seat: bot.tempered(tempers[number % len(tempers)]) if number % len(tempers) else bot
            for number, seat in enumerate(self.game.about.seats(options))
        }
        self.press: list[Missive] = []

    def heard(self, seat: Seat) -> Correspondence:
        turn = self.game.rules.turn(self.state).short
        return Correspondence(
            seat=seat, turn=turn, missives=tuple(one for one in self.press if self._hears(one, seat))
        )

    @staticmethod
    def _hears(one: Missive, seat: Seat) -> bool:
        return one.writer == seat or one.to is None or seat in one.to

    def talk(self) -> None:
        """Everybody writes, and is answered by whom he writes to."""
        for seat in self.bots:
            for to in self._write(seat, None):
                self._write(to, seat)

    def _write(self, seat: Seat, only: Seat | None) -> list[Seat]:
        said = self.bots[seat].press(self.state, self.heard(seat), SealedDice(self.seed, seat, 0))
        wanted = [one for one in said if only in (None, one.to)]
        turn = self.game.rules.turn(self.state).short
        self.press += [Missive(turn=turn, writer=seat, to=(one.to,), text=one.text) for one in wanted]
        return [one.to for one in wanted]

    def turns(self) -> Iterator[list[tuple[Due, Situation, tuple[Choice, ...]]]]:
        """For each turn what is due, how its seat reads the position, and what it orders."""
        for turn in range(1, 1000):
            if self.game.rules.result(self.state) is not None:
                return
            self.talk()
            dice = SealedDice(self.seed, "table", turn)
            found = []
            for due in self.game.rules.due(self.state):
                bot = self.bots[due.seat].hearing(self.state, self.heard(due.seat))
                choices = bot.orders(self.state, due, LabelledDice(dice, f"bot/{due.seat}/"))
                found.append((due, bot.situation(self.state, due.seat), choices))
            yield found
            orders = {due.seat: [choice.order for choice in choices] for due, _, choices in found}
            self.state = self.game.rules.adjudicate(self.state, orders, dice).state


@pytest.mark.parametrize(
    ("kind", "level", "years"),
    [("standard", "beginner", 1904), ("standard", "intermediate", 1903), ("indianomacy", "beginner", 2)],
)
def test_bots_order_nothing_against_what_they_agreed_to_and_tell_no_false_reason(kind, level, years):
    table, seen, told = Table(kind, level, years, "word"), Counter(), 0
    for turn in table.turns():
        for due, situation, choices in turn:
            for order in (choice.order for choice in choices):
                if due.kind == "moves" and isinstance(order, Move):
                    assert_kept(situation, order)
                    seen.update(truce=len(situation.pact.truces), empty=len(situation.pact.empty))
        for one in table.press[told:]:
            seen.update(assert_true(table.state, table.game.rules.board, one))
        told = len(table.press)
    assert seen["truce"], "some were bound"
    assert seen["empty"]
    assert seen["reason"]


def assert_kept(situation: Situation, order: Move) -> None:
    """Not into what was to stay empty; nor where a friend by a truce owns a centre, or stands."""
    assert order.to not in situation.pact.empty
    unit = situation.standing.get(order.to)
    assert situation.view.centres.get(order.to) not in situation.pact.truces
    assert unit is None or unit.power not in situation.pact.truces


def assert_true(state: State, board, said: Missive) -> Counter[str]:
    """Each reason for an end, held against the position in which it is told."""
    (other,), us = said.to or (), said.writer
    forms = wording(board).read(said.text)
    ends = [one.matter for one in forms if one.act == "refuse" and one.matter is not None]
    standing = {unit.at: unit.power for unit in state.units}
    if STANDS in said.text:
        assert any(power == other and state.centres.get(at) == us for at, power in standing.items())
    if OWNED_FROM_THE_START in said.text and "until" not in said.text:
        assert any(state.centres.get(at) == other for at in board.powers[us].centres)
    if "You stand there" in said.text:
        assert any(one.place is not None and standing.get(one.place) == other for one in ends)
    if ALL_FRIENDS in said.text:
        assert all(owner != us for owner in state.centres.values() if owner == other)
    reasons = (
        STANDS,
        OWNED_FROM_THE_START,
        "You stand there",
        "else stands there",
        "centres more than we, or",
    )
    return Counter(reason=sum(one in said.text for one in reasons if ends), broken=BROKEN in said.text)


def test_the_advanced_keeps_a_truce_in_whatever_temperament_it_plans():
    """France is three centres ahead: a raider would be no friend any longer, but the bot is none."""
    game = games.kinds()["standard"]
    view = frontier(
        "standard",
        "F",
        {"France": "A GAS", "Germany": "A RUH A KIE", "Italy": "A ROM"},
        {"France": "PAR BRE MAR BEL SPA POR LON LVP", "Germany": "BER KIE MUN HOL DEN", "Italy": "ROM"},
        1902,
    )
    letters = [("France", "Germany", "propose truce"), ("Germany", "France", "accept")]
    missives = tuple(
        Missive(turn="F1902M", writer=Seat(by), to=(Seat(to),), text=text) for by, to, text in letters
    )
    heard = Correspondence(seat=Seat("Germany"), turn="F1902M", missives=missives)
    (due,) = [due for due in game.rules.due(view) if due.seat == "Germany"]
    goals = {}
    for bound in (heard, changed(heard, missives=())):
        bot = game.bots["advanced"].within(60).hearing(view, bound)
        choices = bot.orders(view, due, SealedDice(b"word", "advanced", 1))
        goals[bool(bound.missives)] = {
            choice.order.to for choice in choices if isinstance(choice.order, Move)
        }
    assert "BEL" in goals[False], "it lies empty, next door"
    assert "BEL" not in goals[True]
