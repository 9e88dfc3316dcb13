"""The rules of The Second Boer War, the personal record of a player, and trials of orders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.boer_war import execution, legal_orders, legality, notation, sequence, setup
from games.boer_war.components import PACKAGE
from games.boer_war.events import AnyEvent, Refused
from games.boer_war.model import (
    BOERS,
    EMPIRE,
    SIDE_NAMES,
    ActionOrder,
    AnyOrder,
    Done,
    FreeOrder,
    Garrison,
    MarchOrder,
    Pass,
    State,
    Transfer,
    View,
    side_of_seat,
)
from games.boer_war.working_state import WorkingState
from games.dice import Dice, NoDice, RollNeeded
from games.judging import results_reader
from games.messages import sentence
from games.own_box import DATA
from games.pool import MAX_ACTIONS_PER_ROUND, RoundCounters
from games.protocol import (
    AdjacentPlace,
    CampaignCase,
    Concern,
    Condition,
    DryRun,
    Due,
    GameResult,
    LegalOrder,
    Objection,
    Options,
    OrderLimit,
    OrderLimits,
    OrderUse,
    Outcome,
    Rules,
    Seat,
    SoloCampaign,
    ThrowForm,
    Turn,
    UnlistedOrders,
)

_ROUNDS_PER_TURN, _PARTS_NAMED = 11, 12


class BoerWarRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules of the game. Implements `protocol.Rules` and has no state of its own."""

    has_adjacency = True
    orders_depend = True
    report_is_reply = True

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the position of October 1899, in which the Boers act first."""
        return setup.open_game(options, dice)

    def turn(self, state: State) -> Turn:
        """Return the turn. ``T1B3`` begins the third round of the Boers in Turn I, ``T1B3b`` follows."""
        if state.ended is not None:
            name = sentence("boer_war.turns.end", turn=state.turn)
            return Turn(name=name, short=f"T{state.turn}X", kind="moves")
        name = sentence(
            "boer_war.turns.action",
            turn=state.turn,
            side=SIDE_NAMES[state.side],
            round=state.round,
            action=state.done + 1,
        )
        short = f"T{state.turn}{state.side[0].upper()}{state.round}{_part_letters(state.part)}"
        return Turn(name=name, short=short, kind="moves")

    def turn_names(self, state: State) -> Iterator[str]:
        """Yield the names of all actions in the rounds that both sides have left in the game."""
        for turn in range(state.turn, sequence.TURNS_PER_GAME + 1):
            for number in range(1, _ROUNDS_PER_TURN + 1):
                for side in SIDE_NAMES:
                    if turn > state.turn or number > state.rounds_finished(side):
                        names = (_part_letters(part) for part in range(1, _PARTS_NAMED + 1))
                        yield from (f"T{turn}{side[0].upper()}{number}{name}" for name in names)
            yield f"T{turn}X"

    def due(self, state: State) -> tuple[Due, ...]:
        """Return one action of the side that acts."""
        if state.ended is not None:
            return ()
        kind = sentence("boer_war.due.table" if state.mode == "table" else "boer_war.due.action")
        return (
            Due(seat=state.seat(state.side), kind=kind, accepts=legality.accepted_orders(state), takes=1),
        )

    def plan_span(self, state: State, seat: Seat) -> str:
        """Return the round that a seat's plan is for. Orders left at the end of the round are dropped."""
        side = side_of_seat(state, seat)
        return f"T{state.turn}{side[0].upper()}{state.rounds_finished(side) + 1}"

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Yield examples of orders with leaders of the side that acts."""
        return legal_orders.example_rows(view)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return the reason why an order is illegal now, or None if it is legal."""
        return legality.find_objection(view, seat, order)

    def foresee(
        self, view: View, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]
    ) -> Objection | None:
        """Return the objection to an order after the orders `before` in the same email, or None.

        It assumes GO! after each action. After an order that needs dice the result is unknown, so there is no
        objection. Source: clause 2.8.plan.
        """
        state: State = view
        for earlier in before:
            if not isinstance(earlier, ActionOrder):
                continue
            if legality.find_objection(state, seat, earlier) is not None:
                return None
            working = WorkingState(state, NoDice())
            try:
                execution.carry_out(working, state.side, earlier)
            except RollNeeded:
                return None
            state = working.now
        return legality.find_objection(state, seat, order)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Yield the legal orders of the side that acts."""
        return legal_orders.list_legal_orders(view, seat)

    def unlisted_orders(self, view: View, seat: Seat) -> Iterator[UnlistedOrders]:
        """Yield legal orders that differ from listed ones only in the number of SP."""
        return legal_orders.list_unlisted_orders(view, seat)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the neighbours of a point, by rail or by road."""
        return legal_orders.neighbours_of(view, place)

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> DryRun:
        """Carry out actions in turn up to the first roll or card, and assume GO! after each action."""
        given = next(iter(orders.values()), ())
        return try_actions(view, view.seat(view.side), given)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return concerns about too many actions, and about transfers without a move."""
        acts = [order for order in orders if isinstance(order, ActionOrder)]
        concerns = []
        if len(acts) > MAX_ACTIONS_PER_ROUND - view.done:
            concerns.append(
                Concern(code="more-than-a-round", detail={"most": str(MAX_ACTIONS_PER_ROUND - view.done)})
            )
        handing = tuple(place for place, order in enumerate(orders) if isinstance(order, Transfer | Garrison))
        if handing and not (acts and isinstance(acts[0], MarchOrder)):
            concerns.append(Concern(code="nothing-moves", drops=bool(acts), about=handing))
        return tuple(concerns)

    def composed_steps(self, view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return an order for a number of SP as one step in words."""
        words = legal_orders.describe_some_sp(order)
        return None if words is None else ((words,), ())

    def order_places(self, view: View, order: AnyOrder) -> tuple[str, str]:
        """Return the point of the leader of an order, and the point where the order takes effect."""
        return legal_orders.order_places(view, order)

    def order_limits(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> OrderLimits:
        """Return what orders share: the actions of a round, and the move that transfers go with."""
        left = MAX_ACTIONS_PER_ROUND - view.done
        name = sentence("boer_war.limits.actions")
        over = sentence("boer_war.limits.over_actions", count=left)
        limits = (
            OrderLimit(id="actions", name=name, most=left, over=over),
            OrderLimit(id="transfers", most=1, over=sentence("boer_war.limits.over_transfers")),
        )
        uses = []
        for order in orders:
            used = [OrderUse(limit="actions")] if isinstance(order, ActionOrder) else []
            if isinstance(order, Transfer | Garrison):
                used.append(OrderUse(limit="transfers", once="transfer"))
            elif used and not isinstance(order, MarchOrder):
                used.append(OrderUse(limit="transfers", once="other"))
            uses.append(tuple(used))
        return OrderLimits(limits=limits, uses=tuple(uses))

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the order for a seat without orders: a pass, or DONE at the player's own table."""
        return (Done() if state.mode == "table" else Pass(),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry out the action, draw, and go on to the next action that is due.

        An illegal order is reported and costs nothing, so the action is due again. Free orders alone cost no
        action either. Source: clauses 2.step1, 14.wrong.
        """
        assert state.ended is None, "the game is over"
        (due,) = self.due(state)
        given = tuple(orders.get(due.seat, ())) or self.default(state, due)
        working = WorkingState(state, dice)
        accepted = []
        for order in given:
            objection = legality.find_objection(working.now, due.seat, order)
            if objection is None:
                accepted.append(order)
                continue
            working.record(
                Refused(side=working.now.side, order=order, code=objection.code, detail=objection.detail)
            )
        handing = execution.note_free_orders(
            working, state.side, [order for order in accepted if isinstance(order, FreeOrder)]
        )
        act = next((order for order in accepted if isinstance(order, ActionOrder)), None)
        if act is None:
            execution.refuse_orders(working, state.side, handing, "nothing-moves")
            working.update(part=state.part + 1)
        else:
            execution.carry_out(working, state.side, act, handing)
            sequence.finish_action(working)
        return Outcome(working.now, tuple(working.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the whole state. Nothing is secret, because markers and cards are drawn when needed."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether a condition of IF is true. Raises KeyError for an unknown form."""
        return notation.is_true(view, condition)

    def result(self, state: State) -> GameResult | None:
        """Return the result of the game, or None before its end.

        Peace by negotiation and games at the player's own table have no winner.
        """
        if state.ended is None:
            return None
        return GameResult(winners=tuple(state.seat(side) for side in state.winners), reason=state.ended)


def _part_letters(part: int) -> str:
    """Return the suffix of a turn by its number in the round: "" for 1, then b to z, ba and so on."""
    if part <= 1:
        return ""
    first, last = divmod(part - 1, 26)
    return _part_letters(first + 1) + chr(ord("a") + last)


# The personal record of a player: each side, and the rounds that the war took.


def _count_rounds(state: State, _case: CampaignCase) -> int:
    """Return the number of finished rounds of both sides."""
    each = RoundCounters().rounds * len(state.counters)
    return state.turn * each - sum(counters.rounds for counters in state.counters.values())


CAMPAIGN = SoloCampaign(
    cases=tuple(
        CampaignCase(name=f"As the {seat}", seat=seat, options={"mode": "war"}, thing="rounds", quick=True)
        for seat in (BOERS, EMPIRE)
    ),
    count=_count_rounds,
    results=results_reader(PACKAGE),
    apart=(DATA,),
)


# The rolls and draws of the game: dice, the cards of battles, the pool.


MOST_CARDS = 100
"""The most cards that a deck of battle cards can have."""

_DICE = "battle|skirmish|siege|raid|repair|oath|talks|camps|test|evade|cross"


def throws(_options: Options) -> tuple[ThrowForm, ...]:
    """Return the forms of all labels of rolls. A label has the Turn, side, round and purpose."""
    round_ = r"T[1-4]/[BE]\d+"
    return (
        ThrowForm(
            label=rf"{round_}/battle \w+/cards(/\d+)?",
            most=MOST_CARDS,
            takes=None,
            example="T1/B3/battle LAD/cards",
        ),
        ThrowForm(
            label=rf"{round_}/({_DICE}) [\w -]+(/(boers|empire))?(/\d+)?", most=6, example="T1/B3/siege LAD"
        ),
        ThrowForm(label=rf"{round_}/next action/\d+(/\d+)?", most=12, example="T1/B3/next action/1"),
    )


# Trials of a round's actions, up to the first die or card.


def try_actions(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> DryRun:
    """Carry out the free orders, then the actions one after the other, up to the first die or card."""
    if view.mode == "table":
        return DryRun(after=view, open=sentence("boer_war.dry_run.own_table"))
    working = WorkingState(view, NoDice())
    side = view.side
    handing = execution.note_free_orders(
        working, side, [order for order in orders if isinstance(order, FreeOrder)]
    )
    note = sentence("boer_war.dry_run.go_assumed")
    for act in (order for order in orders if isinstance(order, ActionOrder)):
        if legality.find_objection(working.now, seat, act) is not None:
            break
        try:
            execution.carry_out(working, side, act, handing)
        except RollNeeded:
            note = sentence("boer_war.dry_run.until_chance")
            break
        handing = ()
    return DryRun(after=working.now, events=tuple(working.events), open=note)
