"""The types of War Chest: sides with their zones, units, the state, orders and pending tasks."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from games.dice import Dice
from games.order_kinds import OrderKind
from games.protocol import Form, Objection, Seat
from games.record import Record, Value, replace_fields
from games.war_chest.board import HEX_ORDER, NEIGHBOURS, Hex, in_order
from games.war_chest.components import (
    FOOTMAN,
    MERCENARY,
    ROYAL_COIN,
    SCOUT,
    UNIT_NAMES,
    Card,
    Coin,
    name,
    sorted_coins,
)
from games.war_chest.owner_data import Box, box

THEN = "(then|and|and then|, then|,|; then) [then]"
PAYMENT = "[(with|using|for|by) [a|an|the] {coin:unit|coin} [coin]]"
AT_HEX = "[[on|at|in] {at:hex}]"
_MOVES = "(-|to|m|move|moves|move to|moves to|go to|goes to|ride to|rides to)"
_ATTACKS = "(x|attack|attacks|hit|hits|shoot|shoots|shoot at|shoots at|charge|charges)"
_CONTROLS = "(c|control|controls|take control|takes control|capture|captures)"
_LEADS = "(orders|order|sends|send|leads|lead|lets|let|:)"
_MARCHES = f"{{unit:unit}} {AT_HEX} (marches to|march to)"

CHAINS = ("maneuver", "two-maneuvers", "three-maneuvers", "four-maneuvers", "five-maneuvers")
"""The names of the forms with one to five steps of a unit. Only a Berserker of five coins can make five.

If another unit leads or the Royal Coin pays, the names begin with "led-" or "royal-".
"""


def step_pattern(number: int, *, bare: bool = False) -> str:
    """Return the pattern of one step. Its number distinguishes its slots from those of other steps.

    bare: whether a hex alone is a move, as after "then".
    """
    to = _MOVES.replace(")", "|)") if bare else _MOVES
    return (
        f"({to} {{to{number}:hex}}|{_ATTACKS} [the] {{foe{number}:hex|unit}}|{_CONTROLS} "
        f"[{{spot{number}:hex}}])"
    )


def _chain(count: int, *, example: str, led: bool = False) -> Form:
    """Return the form of a number of steps of one unit. led: whether another unit leads it."""
    name, leader = ("led-", f"{{leader:unit}} {_LEADS} [the] ") if led else ("", "")
    steps = f" {THEN} ".join(step_pattern(number, bare=number > 1) for number in range(1, count + 1))
    return Form(
        name=name + CHAINS[count - 1],
        pattern=f"{leader}{{unit:unit}} {AT_HEX} {steps}",
        example=example,
    )


MANEUVERS = (
    _chain(1, example="Swordsman - d4"),
    Form(
        name="maneuver",
        pattern=f"(move|send) [the] {{unit:unit}} {AT_HEX} [-|to] {{to1:hex}}",
        example="move Swordsman to d4",
    ),
    Form(
        name="maneuver",
        pattern="control {spot1:hex} with [the] {unit:unit}",
        example="control e4 with Swordsman",
    ),
    _chain(2, example="Swordsman attacks d5, then - c4"),
    _chain(3, example="Berserker - d4, then attacks d5, then controls"),
    _chain(4, example="Berserker - d4, then - e4, then attacks e5, then - f4"),
    _chain(5, example="Berserker - d4, then - e4, then attacks e5, then - f4, then - f5"),
    Form(
        name="royal-maneuver",
        pattern=f"{_MARCHES} {{to1:hex}}",
        example="Royal Guard marches to e1",
    ),
    Form(
        name="royal-two-maneuvers",
        pattern=f"{_MARCHES} {{to1:hex}} {THEN} [to|-] {{to2:hex}}",
        example="Royal Guard marches to d2, then e1",
    ),
    Form(
        name="two-footmen",
        pattern=f"{{unit:unit}} {AT_HEX} {step_pattern(1)} (and|,|, and|; and) {{other:unit}} "
        f"[[on|at|in] {{second:hex}}] {step_pattern(2)}",
        example="Footman d4 - d5, and Footman c3 attacks c4",
    ),
    _chain(1, led=True, example="Ensign orders Scout - d4"),
    _chain(2, led=True, example="Marshall orders Swordsman attacks d5, then - c4"),
    _chain(3, led=True, example="Marshall orders Berserker attacks d5, then - c4, then controls"),
    _chain(4, led=True, example="Ensign orders Berserker - c3, then controls, then - c4, then attacks d5"),
    _chain(
        5,
        led=True,
        example="Ensign orders Berserker - c3, then controls, then - c4, then attacks d5, then - d4",
    ),
)
"""The forms of maneuvers."""


PLAYER, AUTOMATON = Seat("player"), Seat("ai")
GOLD, SILVER = Seat("gold"), Seat("silver")

Act = Literal["move", "attack", "control"]

DRAFT, COIN, DRAWN, LOSS = "the draft", "your turn", "the coin drawn", "the Royal Guard's loss"
"""The kinds of decisions, in the words of emails."""


class Side(Record, frozen=True, kw_only=True):
    """The zones of one side.

    cards: its cards in the order dealt or picked. bag, hand, face_up, face_down: the coins of the zone in
    the order of their names. drawn: the coin that a Warrior Priest drew and that must be used now. supply,
    removed: the number of coins of each card. recent: by card, the number of the side's turn in which it
    last maneuvered (clause 7.9); a card that never did is missing. turns: the number of turns played.
    """

    cards: tuple[Card, ...] = ()
    bag: tuple[Coin, ...] = ()
    hand: tuple[Coin, ...] = ()
    drawn: Coin | None = None
    face_up: tuple[Coin, ...] = ()
    face_down: tuple[Coin, ...] = ()
    supply: dict[Card, int] = {}
    removed: dict[Card, int] = {}
    recent: dict[Card, int] = {}
    turns: int = 0


class Stack(Record, frozen=True, kw_only=True):
    """A unit: the coins of one card on one hex."""

    seat: Seat
    card: Card
    at: Hex
    height: int = 1


class ManeuverStep(Record, frozen=True, kw_only=True):
    """One step of a maneuver as ordered.

    at: the hex of the unit, None for the only unit of its card. to: a hex; for an attack a hex or the card
    of the enemy unit; None for control.
    """

    card: Card
    at: Hex | None = None
    act: Act
    to: str | None = None

    @classmethod
    def from_slots(cls, card: Card, at: Hex | None, slots: Mapping[str, str], number: int) -> Self:
        """Return the step with this number of a matched form."""
        for place, act in _ACTS.items():
            if f"{place}{number}" in slots:
                return cls(card=card, at=at, act=act, to=slots[f"{place}{number}"])
        return cls(card=card, at=at, act="control")

    def unit(self) -> str:
        """Return the unit as written: ``Footman d4``."""
        return name(self.card) + (f" {self.at}" if self.at else "")

    def write(self) -> str:
        """Return the canonical text without the unit: ``attacks d5``."""
        if self.act == "control":
            return "controls" + (f" {self.to}" if self.to else "")
        to = name(Coin(self.to)) if self.to in UNIT_NAMES else self.to
        return f"attacks {to}" if self.act == "attack" else f"- {to}"


_ACTS: Mapping[str, Act] = {"to": "move", "foe": "attack", "spot": "control"}
"""The places of a step in forms, and the acts that they mean."""


class Do(Record, frozen=True, kw_only=True, tag=True):
    """A pending step of a unit.

    pay: whether it costs a coin of the unit's stack, as a Berserker's further maneuvers do.
    """

    seat: Seat
    card: Card
    at: Hex
    act: Act
    to: Hex
    pay: bool = False


class PriestDraw(Record, frozen=True, kw_only=True, tag=True):
    """A pending draw of a coin for a Warrior Priest."""

    seat: Seat


class UseDrawn(Record, frozen=True, kw_only=True, tag=True):
    """A pending decision: the use of the coin that a Warrior Priest drew."""

    seat: Seat


class ChooseLoss(Record, frozen=True, kw_only=True, tag=True):
    """A pending decision of an attacked Royal Guard's owner: to lose a coin of the stack or of the supply."""

    seat: Seat
    at: Hex


class Charge(Record, frozen=True, kw_only=True, tag=True):
    """A pending decision of the automaton: the attack of a Cavalry that has moved."""

    seat: Seat
    card: Card


class FollowUp(Record, frozen=True, kw_only=True, tag=True):
    """A pending decision of the automaton: the move of a Swordsman that has attacked."""

    seat: Seat
    card: Card


class Again(Record, frozen=True, kw_only=True, tag=True):
    """A pending decision of the automaton under a Royal Coin.

    card: the unit that maneuvers, None for one more recruit.
    """

    seat: Seat
    card: Card | None = None


Task = Do | PriestDraw | UseDrawn | ChooseLoss | Charge | FollowUp | Again
DECISIONS = (UseDrawn, ChooseLoss, Charge, FollowUp, Again)
"""The tasks that need an order of their seat. All others are done at once."""


class State(Record, frozen=True, kw_only=True):
    """The state of a whole game.

    number, part: the numbers of the turn and of the decision within it. mover: the seat whose turn it is.
    revealed: the coin that the automaton drew for this turn. agenda: the pending tasks of this turn in
    order. stacks: the units in the fixed order of hexes. control: the owner of each location that has one.
    offer, picks: in a draft, the cards shown and the coming picks, each with its seat and number of cards.
    initiative: the seat that begins the next round. claimed: whether the initiative was claimed in this
    round. struck: by seat, the cards of its units that were attacked since its last coin.
    """

    options: dict[str, str | int | bool]
    number: int = 1
    part: int = 1
    mover: Seat
    revealed: Coin | None = None
    agenda: tuple[Task, ...] = ()
    sides: dict[Seat, Side]
    stacks: tuple[Stack, ...] = ()
    control: dict[Hex, Seat]
    offer: tuple[Card, ...] = ()
    picks: tuple[tuple[Seat, int], ...] = ()
    initiative: Seat | None = None
    claimed: bool = False
    struck: dict[Seat, tuple[Card, ...]] = {}
    winners: tuple[Seat, ...] = ()
    ended: str | None = None

    @property
    def is_solo(self) -> bool:
        """Return whether the automaton plays."""
        return AUTOMATON in self.sides

    @property
    def box(self) -> Box:
        """Return the data that the game is played with."""
        return box(self.options)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Return both seats, the one at the bottom of the board first."""
        return (PLAYER, AUTOMATON) if self.is_solo else (GOLD, SILVER)

    def other(self, seat: Seat) -> Seat:
        """Return the opponent of a seat."""
        first, second = self.seats
        return second if seat == first else first

    def stack_at(self, at: Hex) -> Stack | None:
        """Return the unit on a hex, or None."""
        return next((stack for stack in self.stacks if stack.at == at), None)

    def units(self, seat: Seat, card: Card | None = None) -> tuple[Stack, ...]:
        """Return a side's units on the board, either all or those of one card."""
        return tuple(s for s in self.stacks if s.seat == seat and card in (None, s.card))

    def markers(self, seat: Seat) -> int:
        """Return the number of locations that a side controls."""
        return sum(owner == seat for owner in self.control.values())

    def with_side(self, seat: Seat, side: Side) -> "State":
        """Return the state with a new side for a seat."""
        return replace_fields(self, sides={**self.sides, seat: side})

    def with_stack(self, stack: Stack) -> "State":
        """Return the state with a unit on its hex, in place of the unit there."""
        stacks = (*self.without_stack(stack.at).stacks, stack)
        return replace_fields(self, stacks=tuple(sorted(stacks, key=lambda unit: HEX_ORDER[unit.at])))

    def without_stack(self, at: Hex) -> "State":
        """Return the state without a unit on a hex."""
        return replace_fields(self, stacks=tuple(stack for stack in self.stacks if stack.at != at))

    def deploy_hexes(self, seat: Seat, card: Card) -> tuple[Hex, ...]:
        """Return the hexes where a unit of a card can be deployed. Source: clauses 5.deploy, 6.scout."""
        occupied = {stack.at for stack in self.stacks}
        places = {at for at, owner in self.control.items() if owner == seat}
        if card == SCOUT:
            places |= {near for stack in self.units(seat) for near in NEIGHBOURS[stack.at]}
        return in_order(places - occupied)


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state with only the coins that one seat, or an observer, may see. `Rules.view` makes it."""
else:
    View = State  # only type checkers distinguish them


class IllegalManeuver(Exception):
    """The reason why an order is illegal. `legality.objection` catches it."""

    def __init__(self, code: str, **detail: str) -> None:
        super().__init__(code)
        self.objection = Objection(code=code, detail=detail)


def one(units: Sequence[Stack], card: Card, at: Hex | None) -> Stack:
    """Return the unit that an order means. Raises IllegalManeuver if there is none, or more than one."""
    if not units:
        raise IllegalManeuver("not-on-board", card=card)
    if at is not None:
        units = [unit for unit in units if unit.at == at]
        if not units:
            raise IllegalManeuver("not-there", card=card, at=at)
    if len(units) > 1:
        raise IllegalManeuver("which-one", card=card, near=" ".join(unit.at for unit in units))
    return units[0]


class ChestOrder(OrderKind, frozen=True, kw_only=True):
    """An order of War Chest.

    pile: where the coin that it plays is put; None for an order that plays no coin.
    """

    pile: ClassVar[Literal["board", "face-up", "face-down"] | None] = None

    @property
    def maneuver(self) -> "Maneuver | None":
        """The maneuver that the order makes."""
        return None

    @classmethod
    def from_slots(cls, _view: View, _form: str, slots: Mapping[str, str]) -> Self:
        fields = {"unit": "card", "to": "at"}
        return cls(**{fields.get(place, place): term for place, term in slots.items()})

    def payment(self, _have: Sequence[Coin]) -> Coin | None:
        """Return the coin that the order uses if the seat has these coins; None if the order must name it."""
        return None

    def examine(self, view: State, seat: Seat) -> None:
        """Raise IllegalManeuver if the order is illegal whatever its coin and its maneuver."""

    def apply(self, state: State, _seat: Seat) -> State:
        """Return the state after a legal order, without its payment and its maneuver."""
        return state


class FaceDownOrder(ChestOrder, frozen=True, kw_only=True):
    """An order that any coin pays for. coin: None for the side's only coin or its Royal Coin."""

    pile = "face-down"

    coin: Coin | None = None

    def payment(self, have: Sequence[Coin]) -> Coin | None:
        return _named_or_only(self.coin, have)


class Pick(ChestOrder, frozen=True, kw_only=True):
    """Picks one card of a draft: ``pick Archer``."""

    FORMS = (
        Form(name="pick", pattern="(pick|choose|draft|take) [the] {unit:unit}", example="pick Archer"),
        Form(name="pick", pattern="{unit:unit}", example="Archer"),
    )

    card: Card

    def write(self) -> str:
        return f"pick {name(self.card)}"

    def examine(self, view: State, _seat: Seat) -> None:
        if self.card not in view.offer:
            raise IllegalManeuver("not-offered", card=self.card, near=" ".join(view.offer))


class Deploy(ChestOrder, frozen=True, kw_only=True):
    """Deploys a unit: ``deploy Archer b1``."""

    FORMS = (
        Form(
            name="deploy",
            pattern="(deploy|place|put) [the] {unit:unit} [at|to|on|in] {to:hex}",
            example="deploy Scout e1",
        ),
        Form(
            name="deploy",
            pattern="{unit:unit} (deploys|deploy|d) [at|to|on|in] {to:hex}",
            example="Scout deploys e1",
        ),
    )

    pile = "board"

    card: Card
    at: Hex

    def write(self) -> str:
        return f"deploy {name(self.card)} {self.at}"

    def payment(self, _have: Sequence[Coin]) -> Coin:
        return self.card

    def examine(self, view: State, seat: Seat) -> None:
        # Source: clauses 5.deploy, 6.footman, 6.scout.
        standing = view.units(seat, self.card)
        if len(standing) >= view.box.units[self.card].most_on_board:
            raise IllegalManeuver("on-board-already", card=self.card, at=standing[0].at)
        open_to = view.deploy_hexes(seat, self.card)
        if self.at not in open_to:
            code = "hex-occupied" if view.stack_at(self.at) else "not-yours-to-deploy"
            raise IllegalManeuver(code, card=self.card, at=self.at, near=" ".join(open_to))

    def apply(self, state: State, seat: Seat) -> State:
        return state.with_stack(Stack(seat=seat, card=self.card, at=self.at))


class Bolster(ChestOrder, frozen=True, kw_only=True):
    """Bolsters a unit: ``bolster Archer``. at: the hex of one of two Footmen, otherwise None."""

    FORMS = (
        Form(name="bolster", pattern=f"bolster [the] {{unit:unit}} {AT_HEX}", example="bolster Scout"),
        Form(
            name="bolster", pattern=f"{{unit:unit}} {AT_HEX} (bolsters|bolster|b)", example="Scout bolsters"
        ),
    )

    pile = "board"

    card: Card
    at: Hex | None = None

    def write(self) -> str:
        return f"bolster {name(self.card)}" + (f" {self.at}" if self.at else "")

    def payment(self, _have: Sequence[Coin]) -> Coin:
        return self.card

    def examine(self, view: State, seat: Seat) -> None:
        one(view.units(seat, self.card), self.card, self.at)

    def unit(self, state: State, seat: Seat) -> Stack:
        """Return the unit that a legal order means."""
        return next(stack for stack in state.units(seat, self.card) if self.at in (None, stack.at))

    def apply(self, state: State, seat: Seat) -> State:
        unit = self.unit(state, seat)
        return state.with_stack(replace_fields(unit, height=unit.height + 1))


class Maneuver(ChestOrder, frozen=True, kw_only=True):
    """Makes moves, attacks, control or a tactic: ``Archer - d4``, ``Marshall orders Archer attacks d4``.

    card: the card whose coin is played. steps: the steps in order. royal: whether the Royal Coin pays.
    """

    FORMS = MANEUVERS
    pile = "face-up"

    card: Card
    steps: tuple[ManeuverStep, ...]
    royal: bool = False

    @property
    def maneuver(self) -> "Maneuver":
        return self

    @classmethod
    def from_slots(cls, _view: View, form: str, slots: Mapping[str, str]) -> Self:
        unit, at = Card(slots["unit"]), _hex(slots, "at")
        first = ManeuverStep.from_slots(unit, at, slots, 1)
        if form == "two-footmen":
            second = ManeuverStep.from_slots(Card(slots["other"]), _hex(slots, "second"), slots, 2)
            return cls(card=unit, steps=(first, second))
        royal = form.startswith("royal-")
        count = CHAINS.index(form.removeprefix("led-").removeprefix("royal-")) + 1
        # Only the first step names the hex of the unit, as the others start where it has moved.
        later = (ManeuverStep.from_slots(unit, None, slots, number) for number in range(2, count + 1))
        return cls(card=Card(slots.get("leader", unit)), steps=(first, *later), royal=royal)

    def write(self) -> str:
        first, *rest = self.steps
        if self.royal:
            return f"{first.unit()} marches to {first.to}" + "".join(f", then {step.to}" for step in rest)
        leader = f"{name(self.card)} orders " if first.card != self.card else ""
        text = f"{leader}{first.unit()} {first.write()}"
        if self.card == FOOTMAN or any(step.at for step in rest):
            return text + "".join(f", and {step.unit()} {step.write()}" for step in rest)
        return text + "".join(f", then {step.write()}" for step in rest)

    def payment(self, _have: Sequence[Coin]) -> Coin:
        return ROYAL_COIN if self.royal else self.card


class Recruit(ChestOrder, frozen=True, kw_only=True):
    """Recruits a coin: ``recruit Archer with Scout``.

    coin: the coin that pays; None for the side's only coin or its Royal Coin. then: the maneuver of a
    Mercenary after it was recruited.
    """

    FORMS = (
        Form(
            name="recruit",
            pattern=f"recruit [a|an|the] {{unit:unit}} [coin] {PAYMENT}",
            example="recruit Scout with Archer",
        ),
        Form(
            name="recruit-and-maneuver",
            pattern=f"recruit [a|an|the] {{unit:unit}} [coin] {PAYMENT} {THEN} {{other:unit}} {AT_HEX} "
            + step_pattern(1),
            example="recruit Mercenary with Archer, then Mercenary - d4",
        ),
    )

    pile = "face-down"

    card: Card
    coin: Coin | None = None
    then: tuple[ManeuverStep, ...] = ()

    @property
    def maneuver(self) -> Maneuver | None:
        return Maneuver(card=self.card, steps=self.then) if self.then else None

    @classmethod
    def from_slots(cls, _view: View, _form: str, slots: Mapping[str, str]) -> Self:
        then = (
            (ManeuverStep.from_slots(Card(slots["other"]), _hex(slots, "at"), slots, 1),)
            if "other" in slots
            else ()
        )
        return cls(card=Card(slots["unit"]), coin=Coin(slots["coin"]) if "coin" in slots else None, then=then)

    def write(self) -> str:
        text = f"recruit {name(self.card)}" + _payment_text(self.coin)
        return text + "".join(f", then {step.unit()} {step.write()}" for step in self.then)

    def payment(self, have: Sequence[Coin]) -> Coin | None:
        return _named_or_only(self.coin, have)

    def examine(self, view: State, seat: Seat) -> None:
        # Source: clauses 5.recruit, 6.mercenary.
        supply = view.sides[seat].supply
        if not supply.get(self.card):
            available = " ".join(card for card, count in supply.items() if count)
            raise IllegalManeuver("supply-empty", card=self.card, near=available)
        if self.then and (len(self.then) > 1 or {self.card, self.then[0].card} != {MERCENARY}):
            raise IllegalManeuver("no-follow-up", card=self.card)

    def apply(self, state: State, seat: Seat) -> State:
        side = state.sides[seat]
        side = replace_fields(side, supply=without(side.supply, self.card))
        return state.with_side(seat, add_to_discard(side, self.card, face_up=True))


class Claim(FaceDownOrder, frozen=True, kw_only=True):
    """Claims the initiative: ``claim initiative with Scout``."""

    FORMS = (
        Form(
            name="claim",
            pattern=f"(claim|take) [the] initiative {PAYMENT}",
            example="claim initiative with Archer",
        ),
    )

    def write(self) -> str:
        return "claim initiative" + _payment_text(self.coin)

    def examine(self, view: State, seat: Seat) -> None:
        # Source: clause 5.claim.
        if view.is_solo:
            raise IllegalManeuver("no-initiative")
        if view.claimed:
            raise IllegalManeuver("claimed-already")
        if view.initiative == seat:
            raise IllegalManeuver("initiative-yours")

    def apply(self, state: State, seat: Seat) -> State:
        return replace_fields(state, initiative=seat, claimed=True)


class Pass(FaceDownOrder, frozen=True, kw_only=True):
    """Passes: ``pass with Scout``."""

    FORMS = (Form(name="pass", pattern=f"(pass|passes) {PAYMENT}", example="pass with Archer"),)

    def write(self) -> str:
        return "pass" + _payment_text(self.coin)


class Lose(ChestOrder, frozen=True, kw_only=True):
    """Chooses the loss of an attacked Royal Guard: ``lose a coin of the stack``."""

    FORMS = (
        Form(
            name="lose-stack",
            pattern="(lose|loses) [a coin] (from|of|off) [the] (stack|board)",
            example="lose a coin of the stack",
        ),
        Form(
            name="lose-supply",
            pattern="(lose|loses) [a coin] (from|of|off) [the] supply",
            example="lose a coin of the supply",
        ),
    )

    source: Literal["stack", "supply"]

    @classmethod
    def from_slots(cls, _view: View, form: str, _slots: Mapping[str, str]) -> Self:
        return cls(source="stack" if form == "lose-stack" else "supply")

    def write(self) -> str:
        return f"lose a coin of the {self.source}"

    def examine(self, view: State, seat: Seat) -> None:
        if not (view.agenda and isinstance(view.agenda[0], ChooseLoss) and view.agenda[0].seat == seat):
            raise IllegalManeuver("not-asked")


AnyOrder = Pick | Deploy | Bolster | Maneuver | Recruit | Claim | Pass | Lose


def _hex(slots: Mapping[str, str], place: str) -> Hex | None:
    return Hex(slots[place]) if place in slots else None


def _named_or_only(coin: Coin | None, have: Sequence[Coin]) -> Coin | None:
    """Return the coin that an order names, or the Royal Coin, or the only one."""
    if coin is not None or ROYAL_COIN in have:
        return coin or ROYAL_COIN
    return have[0] if len(set(have)) == 1 else None


def _payment_text(coin: Coin | None) -> str:
    return f" with {name(coin)}" if coin else ""


class ListDecision(Record, frozen=True, kw_only=True):
    """A decision of the automaton by one list of priorities.

    clause: the clause of the list, such as "7.5". narrowed: the numbers of the criteria that removed
    candidates, from 1. decided: the number of the criterion that left a single candidate, 0 if there was
    only one, the last one on a tie. left: the candidates left at the end. taken: the candidate that the
    automaton chose.
    """

    clause: str
    narrowed: tuple[int, ...] = ()
    decided: int = 0
    left: tuple[str, ...] = ()
    taken: str

    @property
    def criterion(self) -> str:
        """Return the number of the deciding criterion, "7.5.2"; only the clause if none was needed."""
        return f"{self.clause}.{self.decided}" if self.decided else self.clause


def without(counts: Mapping[Card, int], card: Card) -> dict[Card, int]:
    """Return the counts with one coin of a card fewer."""
    return {**counts, card: counts[card] - 1}


def with_one(counts: Mapping[Card, int], card: Card) -> dict[Card, int]:
    """Return the counts with one more coin of a card."""
    return {**counts, card: counts.get(card, 0) + 1}


# Moves of coins between bag, hand, discard pile and supply.


class CoinDraw(Value, frozen=True):
    """The result of a draw. refilled: whether the discard pile went into the bag first."""

    side: Side
    coins: tuple[Coin, ...]
    refilled: bool


def without_one(coins: tuple[Coin, ...], coin: Coin) -> tuple[Coin, ...]:
    """Return the coins without one coin of a kind. There must be one."""
    place = coins.index(coin)
    return coins[:place] + coins[place + 1 :]


def draw(side: Side, count: int, dice: Dice, label: str) -> CoinDraw:
    """Draw coins from the bag. If it is empty, the whole discard pile goes in first.

    If there are too few coins, all of them are drawn. Source: clause 4.refill.
    """
    side, coins = _from_bag(side, count, dice, label)
    refilled = len(coins) < count and bool(side.face_up or side.face_down)
    if refilled:
        bag = sorted_coins((*side.face_up, *side.face_down))
        side, more = _from_bag(
            replace_fields(side, bag=bag, face_up=(), face_down=()),
            count - len(coins),
            dice,
            f"{label}/refilled",
        )
        coins += more
    return CoinDraw(side, coins, refilled)


def _from_bag(side: Side, count: int, dice: Dice, label: str) -> tuple[Side, tuple[Coin, ...]]:
    count = min(count, len(side.bag))
    if count == 0:
        return side, ()
    places = {number - 1 for number in dice.draw(label, len(side.bag), count)}
    coins = tuple(coin for place, coin in enumerate(side.bag) if place in places)
    bag = tuple(coin for place, coin in enumerate(side.bag) if place not in places)
    return replace_fields(side, bag=bag), coins


def without_coin(side: Side, coin: Coin) -> Side:
    """Return the side without a coin that it plays, from the Warrior Priest's draw or else from its hand."""
    if side.drawn is not None:
        assert side.drawn == coin, "the coin drawn has to be used"
        return replace_fields(side, drawn=None)
    return replace_fields(side, hand=without_one(side.hand, coin))


def add_to_discard(side: Side, coin: Coin, *, face_up: bool) -> Side:
    """Return the side with one more coin on its discard pile."""
    if face_up:
        return replace_fields(side, face_up=sorted_coins((*side.face_up, coin)))
    return replace_fields(side, face_down=sorted_coins((*side.face_down, coin)))
