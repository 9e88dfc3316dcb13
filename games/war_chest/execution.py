"""Carries out one order: pays its coin and does all that follows until a side must decide."""

from typing import assert_never

from games.dice import Dice, NoDice, RollNeeded
from games.protocol import Outcome, Seat
from games.record import MutableRecord, replace_fields
from games.war_chest import legality, model
from games.war_chest.board import HEX_ORDER, distance
from games.war_chest.components import (
    CAVALRY,
    PIKEMAN,
    ROYAL_COIN,
    ROYAL_GUARD,
    SWORDSMAN,
    WARRIOR_PRIEST,
    Coin,
)
from games.war_chest.events import (
    AnyEvent,
    Attacked,
    Bolstered,
    Claimed,
    Controlled,
    Deployed,
    Drew,
    DrewCoins,
    Ended,
    Idle,
    Lost,
    Moved,
    Paid,
    Passed,
    Recruited,
    Refused,
    Spent,
)
from games.war_chest.model import (
    AUTOMATON,
    DECISIONS,
    Again,
    AnyOrder,
    Bolster,
    Charge,
    ChooseLoss,
    Claim,
    Deploy,
    Do,
    FollowUp,
    ListDecision,
    Lose,
    Maneuver,
    Pass,
    Pick,
    PriestDraw,
    Recruit,
    Stack,
    State,
    Task,
    UseDrawn,
    without,
)
from games.war_chest.setup import royal_mode

Why = tuple[ListDecision, ...]


def carry_out(
    state: State, seat: Seat, order: AnyOrder, dice: Dice, why: Why = ()
) -> Outcome[State, AnyEvent]:
    """Return the state and events after an order, and after all that follows without a decision.

    An illegal order is reported, and the seat passes instead. why: the automaton's decisions, for the
    events.
    """
    play = _WorkingState(state, seat, dice, why)
    play.answer(order)
    play.run_agenda()
    return Outcome(play.state, tuple(play.events))


def try_out(state: State, seat: Seat, order: AnyOrder) -> tuple[Outcome[State, AnyEvent], bool]:
    """Return the outcome of an order without draws of coins, and whether that is the whole outcome."""
    play = _WorkingState(state, seat, NoDice(), ())
    try:
        play.answer(order)
        play.run_agenda()
    except RollNeeded:
        return Outcome(play.state, tuple(play.events)), False
    return Outcome(play.state, tuple(play.events)), True


class _WorkingState(MutableRecord):
    """The state while an order is carried out, and the events so far."""

    state: State
    seat: Seat
    dice: Dice
    why: Why
    events: list[AnyEvent] = []

    def answer(self, order: AnyOrder) -> None:
        """Carry out an order up to its first consequences, which go on the agenda."""
        due = self.state.agenda[0] if self.state.agenda else None
        if due is None:
            self.state = replace_fields(self.state, struck={**self.state.struck, self.seat: ()})
        if isinstance(due, ChooseLoss):
            source = order.source if isinstance(order, Lose) else "stack"
            self._drop_task()
            guard = self.state.stack_at(due.at)
            assert guard is not None, "an attacked guard stays on its hex until its owner has chosen"
            height_left = self._remove_coin(guard, source)
            self._report(Lost(seat=due.seat, at=due.at, left=height_left, source=source))
            return
        objection = legality.objection(self.state, self.seat, order) if self.seat != AUTOMATON else None
        if objection is not None:
            refused = Refused(seat=self.seat, order=order, code=objection.code, detail=objection.detail)
            self._report(refused)
            # The Royal Coin is the last one, if the side has it.
            order = Pass(coin=legality.coins(self.state, self.seat)[-1])
        plan = legality.plan_maneuver(self.state, self.seat, order)
        self._pay(order)
        if due is not None:
            self._drop_task()
        self._carry_out(order)
        self._add_to_agenda(*plan)
        if self.seat == AUTOMATON and isinstance(order, Maneuver):
            self._automaton_goes_on(order, plan)

    def run_agenda(self) -> None:
        """Do the tasks of the agenda until one needs a decision."""
        while self.state.ended is None and self.state.agenda:
            task = self.state.agenda[0]
            if isinstance(task, DECISIONS):
                return
            self._drop_task()
            if isinstance(task, Do):
                self._do(task)
            elif isinstance(task, PriestDraw):
                self._draw(task)
            else:
                assert_never(task)

    def _report(self, event: AnyEvent) -> None:
        self.events.append(event)

    def _drop_task(self) -> None:
        self.state = replace_fields(self.state, agenda=self.state.agenda[1:])

    def _add_to_agenda(self, *tasks: Task) -> None:
        self.state = replace_fields(self.state, agenda=(*tasks, *self.state.agenda))

    def _pay(self, order: AnyOrder) -> None:
        """Take the coin from the hand, for the board or the discard pile. Source: clauses 5.coin, 7.2.3."""
        if self.seat == AUTOMATON:
            if order.pile == "board":
                self.state = replace_fields(self.state, revealed=None)
            return
        coin = legality.coin_of(self.state, self.seat, order)
        side = model.without_coin(self.state.sides[self.seat], coin)
        if order.pile != "board":
            side = model.add_to_discard(side, coin, face_up=order.pile == "face-up")
        self.state = self.state.with_side(self.seat, side)
        if order.pile == "face-down":
            self._report(Spent(seat=self.seat, coin=coin, seen_by=frozenset({self.seat})))

    def _carry_out(self, order: AnyOrder) -> None:
        self.state = order.apply(self.state, self.seat)
        if isinstance(order, Deploy):
            self._report(Deployed(seat=self.seat, card=order.card, at=order.at, why=self.why))
        elif isinstance(order, Bolster):
            unit = order.unit(self.state, self.seat)
            self._report(
                Bolstered(seat=self.seat, card=unit.card, at=unit.at, height=unit.height, why=self.why)
            )
        elif isinstance(order, Recruit):
            self._note_idle_coin()
            self._report(Recruited(seat=self.seat, card=order.card, why=self.why))
            self._recruit_on(order)
        elif isinstance(order, Claim):
            self._report(Claimed(seat=self.seat))
        elif isinstance(order, Pass):
            reason = "nothing-to-recruit" if self.seat == AUTOMATON else ""
            self._report(Passed(seat=self.seat, reason=reason))
        elif not isinstance(order, Maneuver | Pick | Lose):
            assert_never(order)

    def _note_idle_coin(self) -> None:
        """Report that the automaton recruits because its coin cannot deploy or maneuver its unit."""
        coin = self.state.revealed
        if self.seat == AUTOMATON and coin not in (None, ROYAL_COIN):
            code = "no-way" if self.state.units(self.seat, coin) else "no-hex"
            self._report(Idle(seat=self.seat, card=coin, code=code))

    def _recruit_on(self, order: Recruit) -> None:
        """Add a recruit for each unit beyond the first, if the automaton's Royal Coin recruits for all.

        Source: clause 7.3.mass.
        """
        if (
            self.state.revealed == ROYAL_COIN == order.coin
            and royal_mode(self.state.options) == "mass_recruit"
        ):
            more = len(self.state.units(self.seat)) - 1
            self._add_to_agenda(*(Again(seat=self.seat) for _ in range(more)))

    def _automaton_goes_on(self, order: Maneuver, plan: tuple[Do, ...]) -> None:
        """Add the second action of the automaton's Cavalry or Swordsman to the agenda.

        Source: clauses 7.6.swordsman, 7.8.
        """
        tasks = self.state.agenda[len(plan) :]
        last = plan[-1]
        more: tuple[Task, ...] = ()
        if order.card == CAVALRY and last.act == "move":
            more = (Charge(seat=self.seat, card=order.card),)
        if order.card == SWORDSMAN and last.act == "attack":
            more = (FollowUp(seat=self.seat, card=order.card),)
        self.state = replace_fields(self.state, agenda=(*plan, *more, *tasks))

    def _do(self, task: Do) -> None:
        """Carry out one step. It is dropped if an owner's choice has made it impossible."""
        unit = self.state.stack_at(task.at)
        if unit is None or (unit.seat, unit.card) != (task.seat, task.card):
            return
        target = self.state.stack_at(task.to)
        if task.act == "move" and target is not None:
            self._report(Idle(seat=task.seat, card=task.card, code="hex-occupied"))
            self.state = replace_fields(
                self.state,
                agenda=tuple(later for later in self.state.agenda if not _is_of_unit(later, task)),
            )
            return
        if task.pay:
            unit = self._pay_berserker(unit)
        side = self.state.sides[unit.seat]
        # Source: clause 7.9.maneuvered.
        recent = {**side.recent, unit.card: side.turns + 1}
        self.state = self.state.with_side(unit.seat, replace_fields(side, recent=recent))
        if task.act == "move":
            self.state = self.state.without_stack(unit.at)
            self._put(replace_fields(unit, at=task.to))
            self._report(Moved(seat=unit.seat, card=unit.card, at=unit.at, to=task.to, why=self.why))
        elif task.act == "control":
            self._control(unit)
        elif target is not None:
            self._attack(unit, target)
        self.why = ()

    def _pay_berserker(self, unit: Stack) -> Stack:
        """Pay a coin of a Berserker, and return the unit afterwards. Source: clause 6.berserker."""
        paid = replace_fields(unit, height=unit.height - 1)
        self._put(paid)
        side = model.add_to_discard(self.state.sides[unit.seat], unit.card, face_up=True)
        self.state = self.state.with_side(unit.seat, side)
        self._report(Paid(seat=unit.seat, card=unit.card, at=unit.at, left=paid.height))
        return paid

    def _control(self, unit: Stack) -> None:
        """Place a marker, which may win the game. Source: clauses 4.win, 5.control."""
        was = self.state.control.get(unit.at)
        control = {**self.state.control, unit.at: unit.seat}
        self.state = replace_fields(
            self.state, control={at: control[at] for at in sorted(control, key=HEX_ORDER.__getitem__)}
        )
        markers = self.state.markers(unit.seat)
        self._report(
            Controlled(seat=unit.seat, card=unit.card, at=unit.at, was=was, markers=markers, why=self.why)
        )
        if markers >= self.state.box.board.markers:
            self.state = replace_fields(self.state, agenda=(), winners=(unit.seat,), ended="markers")
            self._report(Ended(winners=(unit.seat,), reason="markers"))
        elif unit.card == WARRIOR_PRIEST:
            self._add_to_agenda(PriestDraw(seat=unit.seat))

    def _attack(self, unit: Stack, target: Stack) -> None:
        """Carry out an attack with the losses of both units.

        Source: clauses 5.attack, 6.pikeman, 6.royal_guard, 6.warrior_priest.
        """
        struck = (*self.state.struck.get(target.seat, ()), target.card)
        self.state = replace_fields(self.state, struck={**self.state.struck, target.seat: struck})
        source = self._source(target)
        height_left = self._remove_coin(target, source) if source else target.height
        riposte = None
        if target.card == PIKEMAN and distance(unit.at, target.at) == 1:
            riposte = self._remove_coin(unit, "stack")
        event = Attacked(
            seat=unit.seat,
            card=unit.card,
            at=unit.at,
            victim=target.seat,
            target=target.card,
            to=target.at,
            left=height_left,
            source=source,  # type: ignore[arg-type]  # "stack", "supply" or None
            riposte=riposte,
            why=self.why,
        )
        self._report(event)
        if unit.card == WARRIOR_PRIEST and riposte != 0:
            self._add_to_agenda(PriestDraw(seat=unit.seat))
        if source is None:
            self._add_to_agenda(ChooseLoss(seat=target.seat, at=target.at))

    def _source(self, target: Stack) -> str | None:
        """Return where a unit loses its coin, "stack" or "supply"; None if its owner must choose."""
        if target.card != ROYAL_GUARD or not self.state.sides[target.seat].supply.get(target.card):
            return "stack"
        choice = str(self.state.options["royal_guard"])
        return None if choice == "ask" else choice

    def _remove_coin(self, stack: Stack, source: str) -> int:
        """Remove one coin of a unit from the game, and return the height of its stack afterwards."""
        side = self.state.sides[stack.seat]
        side = replace_fields(side, removed=model.with_one(side.removed, stack.card))
        if source == "supply":
            side = replace_fields(side, supply=without(side.supply, stack.card))
            self.state = self.state.with_side(stack.seat, side)
            return stack.height
        self.state = self.state.with_side(stack.seat, side)
        self.state = self.state.without_stack(stack.at)
        if stack.height > 1:
            self._put(replace_fields(stack, height=stack.height - 1))
        return stack.height - 1

    def _draw(self, task: PriestDraw) -> None:
        """Draw a coin for a Warrior Priest. Source: clause 6.warrior_priest."""
        drawn = model.draw(self.state.sides[task.seat], 1, self.dice, f"priest/{task.seat}")
        if not drawn.coins:
            return
        coin: Coin = drawn.coins[0]
        self.state = self.state.with_side(task.seat, replace_fields(drawn.side, drawn=coin))
        self._report(Drew(seat=task.seat, count=1, refilled=drawn.refilled, priest=True))
        self._report(DrewCoins(seat=task.seat, coins=(coin,), seen_by=frozenset({task.seat})))
        self._add_to_agenda(UseDrawn(seat=task.seat))

    def _put(self, stack: Stack) -> None:
        self.state = self.state.with_stack(stack)


def _is_of_unit(task: Task, other: Do) -> bool:
    return isinstance(task, Do) and (task.seat, task.card) == (other.seat, other.card)
