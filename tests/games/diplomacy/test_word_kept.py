"""Games of bots that write to each other: agreements are kept, and each stated reason is true."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

import games
from games.dice import LabelledDice, SealedDice
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.press import wording
from games.diplomacy.model import Move
from games.diplomacy.phrases import SMALL_NUMBER_WORDS
from games.messages import sentence
from games.options import settle
from games.protocol import Choice, Correspondence, Due, PressMessage, Seat
from games.record import replace_fields
from tests.kit.bot_positions import state as frontier

BROKEN_WORD_PHRASE = sentence("diplomacy.press.broken_word")
OWNED_FROM_THE_START = "You own one of our home centres."
STANDS = "You have a unit in one of our centres."
WINS = "You are about to win, so everyone has to stop you."
LEADS = re.compile(r"You lead us by (\w+) centres or more\.")
THERE = re.compile(r"(You have a unit|We have a unit|There is another unit) there\.")
ALL_FRIENDS = sentence("diplomacy.press.only_friends_left")
SOLO = 3
"""Who lacks so many centres at most is about to win."""


class Table:
    """A game whose seats all are bots that write, one turn after the other."""

    def __init__(self, kind: str, level: str, years: int, seed: str) -> None:
        self.game, self.seed = games.kinds()[kind], seed.encode()
        options = settle(self.game.about.options, {"last_year": years})
        self.state = self.game.rules.setup(options, SealedDice(self.seed, kind, 0)).state
        bot = self.game.bots[level]
        tempers = [None, *bot.temperaments]
        self.bots: dict[Seat, PlanningBot] = {
            seat: bot.with_temperament(tempers[number % len(tempers)]) if number % len(tempers) else bot
            for number, seat in enumerate(self.game.about.seats(options))
        }
        self.press: list[PressMessage] = []
        self.told: list[tuple[PressMessage, Situation]] = []

    def heard(self, seat: Seat) -> Correspondence:
        turn = self.game.rules.turn(self.state).short
        return Correspondence(
            seat=seat, turn=turn, missives=tuple(one for one in self.press if self._hears(one, seat))
        )

    @staticmethod
    def _hears(one: PressMessage, seat: Seat) -> bool:
        return one.writer == seat or one.to is None or seat in one.to

    def talk(self) -> None:
        """Everybody writes and gets replies."""
        for seat in self.bots:
            for to in self._write(seat, None):
                self._write(to, seat)

    def _write(self, seat: Seat, only: Seat | None) -> list[Seat]:
        heard = self.heard(seat)
        said = self.bots[seat].press(self.state, heard, SealedDice(self.seed, seat, 0))
        situation = self.bots[seat].with_press(self.state, heard).situation(self.state, seat)
        wanted = [one for one in said if only in (None, one.to)]
        turn = self.game.rules.turn(self.state).short
        sent = [PressMessage(turn=turn, writer=seat, to=(one.to,), text=one.text) for one in wanted]
        self.press += sent
        self.told += [(one, situation) for one in sent]
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
                bot = self.bots[due.seat].with_press(self.state, self.heard(due.seat))
                choices = bot.orders(self.state, due, LabelledDice(dice, f"bot/{due.seat}/"))
                found.append((due, bot.situation(self.state, due.seat), choices))
            yield found
            orders = {due.seat: [choice.order for choice in choices] for due, _, choices in found}
            self.state = self.game.rules.adjudicate(self.state, orders, dice).state


REASONS = {
    ("standard", "beginner", 1904): ("there", "stands", "took", "leads"),
    ("standard", "intermediate", 1903): ("there",),
    ("indianomacy", "beginner", 3): ("there",),
}
"""By game, what its bots tell at least once."""


@pytest.mark.parametrize(("kind", "level", "years"), REASONS)
def test_bots_order_nothing_against_what_they_agreed_to_and_tell_no_false_reason(kind, level, years):
    table, seen = Table(kind, level, years, "word"), Counter()
    for turn in table.turns():
        for due, situation, choices in turn:
            for order in (choice.order for choice in choices):
                if due.kind == "moves" and isinstance(order, Move):
                    assert_kept(situation, order)
                    seen.update(truce=len(situation.pact.truces), empty=len(situation.pact.empty))
        for one, situation in table.told:
            seen.update(assert_true(situation, one))
        table.told.clear()
    assert seen["truce"], "some were bound"
    assert seen["empty"]
    assert all(seen[name] for name in REASONS[kind, level, years])


def assert_kept(situation: Situation, order: Move) -> None:
    """Check that no unit enters a place that was to stay empty, or a friend's centre or province during a
    truce.
    """
    assert order.to not in situation.pact.empty
    unit = situation.standing.get(order.to)
    assert situation.view.centres.get(order.to) not in situation.pact.truces
    assert unit is None or unit.power not in situation.pact.truces


def assert_true(at: Situation, said: PressMessage) -> Counter[str]:
    """Check each reason for an end against the position in which it is given."""
    (other,), us = said.to or (), said.writer
    told: Counter[str] = Counter()
    for part in said.text.split("\n\n"):
        ends = [one for one in wording(at.board).read(part) if one.act == "refuse"]
        for name, holds in reasons(at, us, other, part) if ends else ():
            assert holds, f"{us} to {other}: {part}"
            told[name] += 1
    return told + Counter(broken=BROKEN_WORD_PHRASE in said.text)


def reasons(at: Situation, us: Seat, other: Seat, part: str) -> Iterator[tuple[str, bool]]:
    """The reasons that a letter gives, and whether each is a fact of the position."""
    state, owned = at.view, Counter(at.view.centres.values())
    standing = {unit.at: unit.power for unit in state.units}
    if STANDS in part:
        yield "stands", any(power == other and state.centres.get(p) == us for p, power in standing.items())
    if OWNED_FROM_THE_START in part:
        yield "took", any(state.centres.get(p) == other for p in at.board.powers[us].centres)
    if WINS in part:
        yield "wins", owned[other] > owned[us] and owned[other] >= at.board.chart.victory.centres - SOLO
    if leads := LEADS.search(part):
        ahead = SMALL_NUMBER_WORDS.index(leads[1])
        yield "leads", ahead == at.temper.lead and owned[other] >= owned[us] + ahead
    if there := THERE.search(part):
        (matter,) = [one.matter for one in wording(at.board).read(part) if one.matter is not None]
        holder = standing.get(matter.place)
        whose = {other: "You have a unit", us: "We have a unit"}.get(holder, "There is another unit")
        yield "there", holder is not None and there[1] == whose
    if ALL_FRIENDS in part:
        friends = {*at.friends, *at.pact.truces}
        wanted = [p for p in at.board.centres if standing.get(p, state.centres.get(p)) != us]
        yield "friends", all(friends & {state.centres.get(p), standing.get(p)} for p in wanted)


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
        PressMessage(turn="F1902M", writer=Seat(by), to=(Seat(to),), text=text) for by, to, text in letters
    )
    heard = Correspondence(seat=Seat("Germany"), turn="F1902M", missives=missives)
    (due,) = [due for due in game.rules.due(view) if due.seat == "Germany"]
    goals = {}
    for bound in (heard, replace_fields(heard, missives=())):
        bot = game.bots["advanced"].with_budget(60).with_press(view, bound)
        choices = bot.orders(view, due, SealedDice(b"word", "advanced", 1))
        goals[bool(bound.missives)] = {
            choice.order.to for choice in choices if isinstance(choice.order, Move)
        }
    assert "BEL" in goals[False], "it lies empty, next door"
    assert "BEL" not in goals[True]
