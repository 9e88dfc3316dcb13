"""Positions of War Chest from text, and orders from their canonical texts.

A side's units are written ``Archer d4, Knight e4 x2``. Other units are missing. Coins of a card that are
neither on the board nor in a hand are in the supply.
"""

from collections import Counter
from dataclasses import dataclass

from games.dice import Dice, SealedDice
from games.options import settle
from games.protocol import Event, Objection, Seat
from games.record import replace_fields
from games.war_chest import GAMES
from games.war_chest.board import HEX_ORDER, HEXES, Hex
from games.war_chest.components import ROYAL_COIN, Coin, sorted_coins
from games.war_chest.model import (
    AUTOMATON,
    GOLD,
    PLAYER,
    SILVER,
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Lose,
    Maneuver,
    ManeuverStep,
    Pass,
    Pick,
    Recruit,
    Side,
    Stack,
    State,
)
from games.war_chest.owner_data import PRINTED
from games.war_chest.sequence import rally, skip_idle_decisions

GAME = GAMES[0]
RULES = GAME.rules
NAMES = {unit.name: unit.id for unit in PRINTED.units.values()} | {"Royal Coin": ROYAL_COIN}


def options(**given: str) -> dict[str, str | int | bool]:
    """Return the options of a game with their defaults."""
    return dict(settle(GAME.about.options, given))


def duel(gold: str = "", silver: str = "", hand: str = "", control: str = "", **given: str) -> State:
    """Return a game of two players in which gold must play a coin of its hand; silver has a Royal Coin left.

    control: locations beside the starts, ``gold e4, silver b4``.
    """
    said = options(opponent="human", **given)
    state = _state(said, {GOLD: gold, SILVER: silver}, {GOLD: hand, SILVER: "Royal Coin"}, control)
    return replace_fields(state, mover=GOLD, initiative=GOLD)


def solo(
    player: str = "",
    ai: str = "",
    hand: str = "Royal Coin",
    control: str = "",
    reveal: str = "",
    **given: str,
) -> State:
    """Return a game against the automaton after it revealed a coin; without one it's the player's turn."""
    state = _state(options(**given), {PLAYER: player, AUTOMATON: ai}, {PLAYER: hand}, control)
    if not reveal:
        return replace_fields(state, mover=PLAYER)
    return replace_fields(with_coins(state, AUTOMATON, reveal), revealed=NAMES[reveal], mover=AUTOMATON)


def with_coins(state: State, seat: Seat, *names: str, **zones: object) -> State:
    """Return the state with cards for a side, and with coins of these cards in zones as in Side."""
    side = state.sides[seat]
    cards = tuple(dict.fromkeys((*side.cards, *(NAMES[one] for one in names if NAMES[one] != ROYAL_COIN))))
    supply = {card: PRINTED.units[card].coins for card in cards if card not in side.cards} | dict(side.supply)
    for one in names:
        if NAMES[one] != ROYAL_COIN and seat == AUTOMATON:
            supply[NAMES[one]] -= 1
    return state.with_side(seat, replace_fields(side, **{"cards": cards, "supply": supply, **zones}))


def coins(text: str) -> tuple[Coin, ...]:
    """Return the coins of ``Archer, Royal Coin``."""
    return sorted_coins([NAMES[one.strip()] for one in text.split(",") if one.strip()])


def counts(text: str) -> dict[Coin, int]:
    """Return the counts of ``Archer 2, Scout 0``."""
    rows = (one.rsplit(" ", 1) for one in text.split(", "))
    return {NAMES[name]: int(count) for name, count in rows}


def _state(said: dict, units: dict[Seat, str], hands: dict[Seat, str], control: str) -> State:
    bottom, top = units
    owners = {Hex(one): bottom for one in PRINTED.board.bottom} | {Hex(one): top for one in PRINTED.board.top}
    for row in filter(None, control.split(", ")):
        seat, at = row.split()
        owners[Hex(at)] = Seat(seat)
    stacks = [stack for seat, text in units.items() for stack in _stacks(seat, text)]
    return State(
        options=said,
        mover=bottom,
        sides={seat: _side(seat, stacks, coins(hands.get(seat, ""))) for seat in units},
        stacks=tuple(sorted(stacks, key=lambda stack: HEX_ORDER[stack.at])),
        control=owners,
    )


def _stacks(seat: Seat, text: str) -> list[Stack]:
    found = []
    for row in filter(None, text.split(", ")):
        name, _, height = row.partition(" x")
        card, at = name.rsplit(" ", 1)
        found.append(Stack(seat=seat, card=NAMES[card], at=Hex(at), height=int(height or 1)))
    return found


def _side(seat: Seat, stacks: list[Stack], hand: tuple[Coin, ...]) -> Side:
    used = Counter(coin for coin in hand if coin != ROYAL_COIN)
    for stack in stacks:
        if stack.seat == seat:
            used[stack.card] += stack.height
    cards = tuple(sorted(used))
    return Side(
        cards=cards,
        hand=hand,
        supply={card: PRINTED.units[card].coins - used[card] for card in cards},
        removed=dict.fromkeys(cards, 0),
    )


def order(text: str) -> AnyOrder:
    """Return the order of a canonical text."""
    words = text.split()
    if text.startswith("lose"):
        return Lose(source=words[-1])
    if words[0] in ("pass", "claim"):
        coin = NAMES[text.split(" with ")[1]] if " with " in text else None
        return Pass(coin=coin) if words[0] == "pass" else Claim(coin=coin)
    if words[0] == "pick":
        return Pick(card=NAMES[text[5:]])
    if words[0] == "deploy":
        return Deploy(card=NAMES[" ".join(words[1:-1])], at=Hex(words[-1]))
    if words[0] == "bolster":
        at = Hex(words[-1]) if words[-1] in HEXES else None
        return Bolster(card=NAMES[" ".join(words[1:-1] if at else words[1:])], at=at)
    if words[0] == "recruit":
        return _recruit(text.removeprefix("recruit "))
    return _maneuver(text)


def _recruit(text: str) -> Recruit:
    what, _, then = text.partition(", then ")
    card, _, coin = what.partition(" with ")
    steps = (_step(then, None),) if then else ()
    return Recruit(card=NAMES[card], coin=NAMES[coin] if coin else None, then=steps)


def _maneuver(text: str) -> Maneuver:
    leader, orders, rest = text.partition(" orders ")
    rest = rest if orders else text
    if " marches to " in rest:
        unit, _, ways = rest.partition(" marches to ")
        steps = tuple(ManeuverStep(card=NAMES[unit], act="move", to=to) for to in ways.split(", then "))
        return Maneuver(card=NAMES[unit], steps=steps, royal=True)
    found: list[ManeuverStep] = []
    for part in rest.replace(", and ", ", then ").split(", then "):
        found.append(_step(part, found[-1].card if found else None))
    return Maneuver(card=NAMES[leader] if orders else found[0].card, steps=tuple(found))


def _step(text: str, card: Coin | None) -> ManeuverStep:
    named = next((name for name in sorted(NAMES, key=len, reverse=True) if text.startswith(name)), None)
    rest = text.removeprefix(named or "").split()
    at = Hex(rest.pop(0)) if rest[0] in HEXES else None
    verb, *to = rest
    act = {"-": "move", "attacks": "attack", "controls": "control"}[verb]
    goal = " ".join(to)
    chosen = NAMES[named] if named else card
    assert chosen is not None, f"whose step is {text}?"
    return ManeuverStep(card=chosen, at=at, act=act, to=NAMES.get(goal, goal) or None)


@dataclass(frozen=True)
class After:
    """The outcome of an order."""

    state: State
    events: tuple[Event, ...]

    def at(self, hex_: str) -> str:
        """Return the unit on a hex: ``gold Archer x2``; "" for none."""
        stack = self.state.stack_at(Hex(hex_))
        if stack is None:
            return ""
        return f"{stack.seat} {PRINTED.units[stack.card].name}" + (
            f" x{stack.height}" if stack.height > 1 else ""
        )

    def told(self, kind: type) -> list:
        """Return the events of a type."""
        return [event for event in self.events if isinstance(event, kind)]


def dice(number: int = 0) -> Dice:
    """Return dice for tests that don't depend on the numbers."""
    return SealedDice(b"the tests' own", "table", number)


def play(state: State, text: str, throws: Dice | None = None) -> After:
    """Return the outcome of an order of the seat that is due. The order must be legal."""
    (due,) = RULES.due(state)
    given = order(text)
    objection = RULES.check(RULES.view(state, due.seat), due.seat, given)
    assert objection is None, f"{text}: {objection}"
    outcome = RULES.adjudicate(state, {due.seat: [given]}, throws or dice(state.number))
    return After(outcome.state, outcome.events)


def refusal(state: State, text: str) -> str:
    """Return the code of the objection to an order of the seat that is due; "" if it is legal."""
    (due,) = RULES.due(state)
    objection: Objection | None = RULES.check(RULES.view(state, due.seat), due.seat, order(text))
    return objection.code if objection else ""


def answer(state: State, throws: Dice | None = None) -> After:
    """Return the outcome of the automaton's own order for the pending decision."""
    (due,) = RULES.due(state)
    assert due.seat == AUTOMATON
    (choice,) = GAME.bots["house"].orders(RULES.view(state, due.seat), due, throws or dice(state.number))
    outcome = RULES.adjudicate(state, {due.seat: [choice.order]}, throws or dice(state.number))
    return After(outcome.state, outcome.events)


def total(state: State) -> dict[tuple[Seat, Coin], int]:
    """Return the number of coins of each card that a side has in all zones."""
    found: Counter[tuple[Seat, Coin]] = Counter()
    for seat, side in state.sides.items():
        drawn = (side.drawn,) if side.drawn else ()
        for coin in (*side.bag, *side.hand, *side.face_up, *side.face_down, *drawn):
            found[seat, coin] += 1
        for zone in (side.supply, side.removed):
            for coin, count in zone.items():
                found[seat, coin] += count
    for stack in state.stacks:
        found[stack.seat, stack.card] += stack.height
    if state.revealed is not None:
        found[AUTOMATON, state.revealed] += 1
    return dict(found)


def royal(ai: str, given: str, **zones: object) -> State:
    """Return a game in which the automaton has revealed a Royal Coin with the given effect."""
    state = solo(ai=ai, player=str(zones.pop("player", "")), reveal="Royal Coin", royal_mode=given)
    side = replace_fields(state.sides[AUTOMATON], **zones)
    state = state.with_side(AUTOMATON, side)
    return skip_idle_decisions(rally(state))[0]


def criteria(after: After) -> list[str]:
    """Return the criteria that decided, in order."""
    return [weighed.criterion for event in after.events for weighed in getattr(event, "why", ())]
